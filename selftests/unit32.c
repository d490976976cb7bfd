// SPDX-License-Identifier: GPL-2.0
/*
 * Runs the test suite of tools/perf/tests/mmap-output.c outside of perf, so that
 * it can be built for a machine of 32 bits without all that perf needs.
 *
 * Usage: unit32 PAGESIZE
 *
 *	PAGESIZE	what the code under test is told; a multiple of the real one
 *
 * Prints "ok NAME", "not ok NAME" with what the test said, or "skip NAME" for each
 * test case. Exit status: 0, or 1 if one failed or was skipped.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests.h"
#include "debug.h"
#include <internal/lib.h>

/* What perf has elsewhere. */
unsigned int page_size;
int verbose = 1;

extern struct test_suite suite__mmap_output;

int eprintf(int level, int var, const char *fmt, ...)
{
	va_list args;
	int ret;

	if (level > var)
		return 0;

	va_start(args, fmt);
	ret = vfprintf(stderr, fmt, args);
	va_end(args);

	return ret;
}

int main(int argc, char **argv)
{
	struct test_case *tc;
	int failed = 0;

	page_size = argc == 2 ? atoi(argv[1]) : 0;
	if (page_size < 4096 || (page_size & (page_size - 1))) {
		fprintf(stderr, "usage: unit32 PAGESIZE\n");
		return 1;
	}

	for (tc = suite__mmap_output.test_cases; tc->name; tc++) {
		int ret = tc->run_case(&suite__mmap_output, 0);

		printf("%s %s\n",
		       ret == TEST_OK	? "ok" :
		       ret == TEST_SKIP ? "skip" :
					  "not ok",
		       tc->name);
		fflush(stdout);
		if (ret != TEST_OK)
			failed = 1;
	}

	return failed;
}
