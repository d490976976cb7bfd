// SPDX-License-Identifier: GPL-2.0
//
// Pages are as large as page_size says, and not only 4 KiB.
//
// Files: tools/perf/util/mmap-output.c tools/perf/util/mmap-output.h

@@
@@
(
* 4096
|
* 0x1000
|
* 4095
|
* 0xfff
|
* PAGE_SIZE
|
* PAGE_SHIFT
|
* PAGE_MASK
|
* getpagesize()
)
