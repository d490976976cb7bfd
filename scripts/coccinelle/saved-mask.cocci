// SPDX-License-Identifier: GPL-2.0
//
// sigsetjmp() that saves the signal mask makes a system call, here for each
// chunk that is written, and perf records its own system calls.
//
// Files: added tools/perf/builtin-record.c tools/perf/util/data.c

@@
expression env, mask;
@@
(
  sigsetjmp(env, 0)
|
* sigsetjmp(env, mask)
)
