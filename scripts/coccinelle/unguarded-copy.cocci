// SPDX-License-Identifier: GPL-2.0
//
// A store into a mapping of the file raises SIGBUS when there is no room for
// it. So there is one place that stores, where the jump out of it is prepared.
//
// Files: tools/perf/util/mmap-output.c

@@
identifier f != copy_guarded;
identifier store =~ "^(memcpy|memmove|memset|mempcpy|strcpy|strncpy|sprintf|snprintf)$";
struct mmap_output *out;
@@
f(...)
{
<+...
* store(<+... out->base ...+>, ...)
...+>
}
