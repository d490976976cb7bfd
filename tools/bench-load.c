// SPDX-License-Identifier: GPL-2.0
/*
 * bench-load: loads to record in a benchmark, each bounded in amount and time.
 *
 *   bench-load [-c CPU] [-t SECONDS] syscalls COUNT
 *	calls the kernel COUNT times: with raw_syscalls:*, two small events each
 *   bench-load [-c CPU] [-t SECONDS] faults COUNT
 *	takes COUNT page faults: with page-faults -c 1, one small event each
 *   bench-load [-c CPU] [-t SECONDS] stack KIB
 *	spins for all of the time, with KIB KiB of stack in use: with
 *	--call-graph dwarf, an event of that size per sample
 *
 *   bench-load memory MIB
 *	takes MIB MiB of memory and gives it back: no load, but what a fair one
 *	needs first where the host of a virtual machine takes free pages away
 *
 * -c pins it to a CPU; -t ends it after that many seconds (60) at most. It
 * prints how many calls, faults or rounds it has made.
 */
#define _GNU_SOURCE
#include <alloca.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SECONDS_MAX	3600
#define REGION		((size_t)4 << 20)

static const char usage_text[] =
	"usage: bench-load [-c CPU] [-t SECONDS] syscalls COUNT\n"
	"       bench-load [-c CPU] [-t SECONDS] faults COUNT\n"
	"       bench-load [-c CPU] [-t SECONDS] stack KIB\n"
	"       bench-load memory MIB\n";

static volatile sig_atomic_t time_is_up;

static void on_alarm(int sig)
{
	(void)sig;
	time_is_up = 1;
}

static int fail(const char *what)
{
	fprintf(stderr, "bench-load: %s: %s\n", what, strerror(errno));
	return -1;
}

static long syscalls(unsigned long count)
{
	unsigned long i;

	for (i = 0; i < count && !time_is_up; i++)
		syscall(SYS_getppid);
	return i;
}

static long faults(unsigned long count)
{
	size_t page = sysconf(_SC_PAGESIZE), at = REGION;
	unsigned long i;
	char *mem;

	mem = mmap(NULL, REGION, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		   -1, 0);
	if (mem == MAP_FAILED)
		return fail("mmap");
	/* A huge page would be one fault for all of its pages. */
	if (madvise(mem, REGION, MADV_NOHUGEPAGE) && errno != EINVAL)
		return fail("MADV_NOHUGEPAGE");
	for (i = 0; i < count && !time_is_up; i++, at += page) {
		if (at == REGION) {
			/* The same memory again, which has no page any more. */
			if (madvise(mem, REGION, MADV_DONTNEED))
				return fail("MADV_DONTNEED");
			at = 0;
		}
		((volatile char *)mem)[at] = 1;
	}
	return i;
}

static long spin(unsigned long kib)
{
	/* cppcheck-suppress allocaCalled ; the depth of the stack is what is asked for */
	volatile char *used = alloca(kib << 10);
	volatile unsigned long i;

	memset((char *)used, 1, kib << 10);
	for (i = 0; !time_is_up; i++)
		;
	return i;
}

static long memory(unsigned long mib)
{
	size_t page = sysconf(_SC_PAGESIZE), size = mib << 20, i;
	char *mem = mmap(NULL, size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (mem == MAP_FAILED)
		return fail("mmap");
	madvise(mem, size, MADV_HUGEPAGE);
	for (i = 0; i < size; i += page)
		((volatile char *)mem)[i] = 1;
	return mib;
}

static int pin(const char *arg)
{
	cpu_set_t set;
	char *end;
	unsigned long cpu = strtoul(arg, &end, 10);

	if (*arg < '0' || *arg > '9' || *end || cpu >= CPU_SETSIZE) {
		errno = EINVAL;
		return fail(arg);
	}
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set) ? fail("sched_setaffinity") : 0;
}

static unsigned long number(const char *s, unsigned long max)
{
	char *end;
	unsigned long value = strtoul(s, &end, 10);

	return *s < '0' || *s > '9' || *end || value > max ? 0 : value;
}

int main(int argc, char **argv)
{
	struct sigaction sa = { .sa_handler = on_alarm };
	unsigned long seconds = 60, amount = 0;
	long done;
	int opt;

	while ((opt = getopt(argc, argv, "+c:t:")) != -1) {
		if (opt == 'c' && pin(optarg))
			return 1;
		if (opt == 't')
			seconds = number(optarg, SECONDS_MAX);
		else if (opt != 'c')
			seconds = 0;
	}
	if (argc - optind == 2)
		amount = number(argv[optind + 1], -1UL >> 1);
	if (!seconds || !amount) {
		fputs(usage_text, stderr);
		return 2;
	}
	sigaction(SIGALRM, &sa, NULL);
	alarm(seconds);

	if (!strcmp(argv[optind], "syscalls")) {
		done = syscalls(amount);
	} else if (!strcmp(argv[optind], "faults")) {
		done = faults(amount);
	} else if (!strcmp(argv[optind], "memory") && amount < 65536) {
		done = memory(amount);
	} else if (!strcmp(argv[optind], "stack") && amount < 4096) {
		done = spin(amount);
	} else {
		fputs(usage_text, stderr);
		return 2;
	}
	if (done < 0)
		return 1;
	printf("%ld\n", done);
	return fflush(stdout) ? 1 : 0;
}
