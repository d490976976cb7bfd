// SPDX-License-Identifier: GPL-2.0
/*
 * touch-pages: a workload that takes a known number of page faults.
 *
 *   touch-pages [-r] [-m] [-s SECONDS] [-x STATUS] PAGES
 *
 * maps PAGES pages of fresh anonymous memory and writes to each of them once,
 * so that "perf record -e page-faults -c 1" gets about PAGES samples: those,
 * and the few faults of starting the program. Addresses go up from page to
 * page, which shows in the recording whether samples are lost or out of order.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define MAX_SECONDS	86400

static const char usage_text[] =
	"usage: touch-pages [-r] [-m] [-s SECONDS] [-x STATUS] PAGES\n"
	"\n"
	"Write once to each of PAGES fresh pages of memory.\n"
	"\n"
	"  -r, --reverse      from the last page down to the first\n"
	"  -m, --map          print the address range of the pages before\n"
	"  -s, --sleep SECS   sleep that long afterwards, at most 86400\n"
	"  -x, --exit STATUS  end with this exit status, 0 to 255\n"
	"  -h, --help         this text\n";

static int fail(const char *what, const char *arg)
{
	fprintf(stderr, "touch-pages: %s%s\n", what, arg);
	return 2;
}

/*
 * A decimal number of digits only: strtoul() alone would take a sign, white
 * space and whatever follows.
 */
static int parse(const char *s, unsigned long max, unsigned long *value)
{
	char *end;

	if (*s < '0' || *s > '9')
		return -1;
	errno = 0;
	*value = strtoul(s, &end, 10);
	return *end || errno || *value > max ? -1 : 0;
}

static void sleep_for(unsigned long seconds)
{
	struct timespec t = { .tv_sec = seconds };

	while (nanosleep(&t, &t) < 0 && errno == EINTR)
		;
}

static int touch(unsigned long pages, size_t page, int reverse, int map)
{
	volatile char *mem;
	unsigned long i;

	mem = mmap(NULL, pages * page, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (mem == MAP_FAILED) {
		fprintf(stderr, "touch-pages: cannot map %lu pages: %s\n",
			pages, strerror(errno));
		return 1;
	}
	/*
	 * A huge page would be one fault for all of its pages. Kernels without
	 * huge pages refuse the advice with EINVAL, and need none.
	 */
	if (madvise((void *)mem, pages * page, MADV_NOHUGEPAGE) < 0 &&
	    errno != EINVAL) {
		fprintf(stderr, "touch-pages: cannot do without huge pages: %s\n",
			strerror(errno));
		return 1;
	}
	if (map) {
		printf("%p %p\n", (void *)mem, (void *)(mem + pages * page));
		if (fflush(stdout)) {
			fprintf(stderr, "touch-pages: cannot write: %s\n",
				strerror(errno));
			return 1;
		}
	}
	for (i = 0; i < pages; i++)
		mem[(reverse ? pages - 1 - i : i) * page] = 1;
	return 0;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "reverse", no_argument, NULL, 'r' },
		{ "map", no_argument, NULL, 'm' },
		{ "sleep", required_argument, NULL, 's' },
		{ "exit", required_argument, NULL, 'x' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	unsigned long pages, seconds = 0, status = 0;
	size_t page = sysconf(_SC_PAGESIZE);
	int opt, reverse = 0, map = 0;

	opterr = 0;
	while ((opt = getopt_long(argc, argv, "+rms:x:h", options, NULL)) != -1) {
		switch (opt) {
		case 'r':
			reverse = 1;
			break;
		case 'm':
			map = 1;
			break;
		case 's':
			if (parse(optarg, MAX_SECONDS, &seconds))
				return fail("seconds to sleep are 0 to 86400, not ",
					    optarg);
			break;
		case 'x':
			if (parse(optarg, 255, &status))
				return fail("exit status is 0 to 255, not ",
					    optarg);
			break;
		case 'h':
			fputs(usage_text, stdout);
			return fflush(stdout) ? 1 : 0;
		default:
			return fail("unknown or incomplete option ",
				    argv[optind - 1]);
		}
	}
	if (optind == argc)
		return fail("how many pages? --help tells more", "");
	if (argc - optind > 1)
		return fail("unexpected argument ", argv[optind + 1]);
	if (parse(argv[optind], (size_t)-1 / 2 / page, &pages) || !pages)
		return fail("pages are a number from 1 on, not ", argv[optind]);

	if (touch(pages, page, reverse, map))
		return 1;
	sleep_for(seconds);
	return status;
}
