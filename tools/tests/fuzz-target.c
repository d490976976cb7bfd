// SPDX-License-Identifier: GPL-2.0
/*
 * perfdata-lint as a target for AFL++ and libFuzzer: both call the function
 * below for each input.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../perfdata-lint.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static FILE *null;
	struct lint l = { 0 };
	char path[32];
	int fd;

	if (!null)
		null = fopen("/dev/null", "w");
	fd = memfd_create("perf.data", 0);
	if (!null || fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	l.events = null;
	lint_path(&l, path);
	lint_free(&l);
	close(fd);
	return 0;
}
