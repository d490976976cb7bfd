// SPDX-License-Identifier: GPL-2.0
//
// Each of these can be what tells that data is not, or will not be, in the file.
//
// Files: tools/perf/util/mmap-output.c

@@
identifier call =~ "^(ftruncate|munmap|close|fallocate|lseek|pwrite|write|msync|fsync|fdatasync|fstat|getrlimit)$";
@@
* call(...);
