// SPDX-License-Identifier: GPL-2.0
/*
 * A workload that perf record can be judged by: every event that it causes
 * carries its number, so that a test knows which events a file must hold
 * without another recording to compare with.
 *
 * Usage: workload STEP...
 *
 *	comm N LONG	rename the process N times, to 0000000, 0000001, ...; the
 *			names of the first LONG are so much longer that their
 *			COMM events take 8 bytes more
 *	pages N		fault N pages in, one by one; the addresses go up page by
 *			page from 0x100000000000, over all steps
 *	pace N USEC	from here on, sleep that long after each N pages
 *	fill FILE	write to FILE until the filesystem takes no more byte
 *	truncate FILE	cut FILE to 0 bytes
 *	halve FILE	cut FILE to half its length
 *	punch FILE	make a hole of the middle third of FILE
 *	unlink FILE	remove FILE
 *	signal N	send signal N to the parent, which is perf
 *	raise N		send signal N to the process itself
 *	onterm FILE	when SIGTERM comes, note it in FILE and exit
 *	waitfor FILE	wait until somebody writes to FILE, a FIFO
 *	maps FILE	copy the memory map of the parent, which is perf, to FILE
 *	usleep USEC	wait
 *	note FILE TEXT	add a line to FILE
 *	noise		from here on, have each page find other bytes on the stack,
 *			so that copies of it cannot be compressed but by a half
 *	spread		start a child, which does what comes with pages, pace and
 *			noise, too, and nothing else; the one runs on the first CPU
 *			and the other on the last
 *	join		wait for the child
 *
 * It links against nothing shared, to have few events that are not its own.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define REGION_START 0x100000000000UL

static unsigned long renamed;
static unsigned long touched;
static unsigned long pace_pages;
static unsigned long pace_usec;
static int term_fd = -1;
static int noisy;
static pid_t child = -1;

/* What is copied of the stack with a sample begins with them. */
#define NOISY_WORDS 512

static void die(const char *what)
{
	fprintf(stderr, "workload: %s: %s\n", what, strerror(errno));
	exit(1);
}

static unsigned long number(const char *arg)
{
	char *end;
	unsigned long val;

	errno = 0;
	val = strtoul(arg, &end, 10);
	if (errno || end == arg || *end) {
		fprintf(stderr, "workload: %s: not a number\n", arg);
		exit(1);
	}
	return val;
}

static void comm(unsigned long n, unsigned long nlong)
{
	char name[16];
	unsigned long i;

	for (i = 0; i < n; i++, renamed++) {
		/* The kernel pads the name with its NUL to 8 or 16 bytes. */
		snprintf(name, sizeof(name), i < nlong ? "%015lu" : "%07lu",
			 renamed % 10000000);
		if (prctl(PR_SET_NAME, name, 0, 0, 0))
			die("prctl");
	}
}

static void make_noise(uint64_t *words)
{
	static uint64_t state = 88172645463325252;
	int i;

	for (i = 0; i < NOISY_WORDS; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		words[i] = state;
	}
	/* The compiler must not leave it away. */
	asm volatile("" : : "r"(words) : "memory");
}

static void pages(unsigned long n)
{
	unsigned long psize = sysconf(_SC_PAGESIZE);
	unsigned long start = REGION_START + touched * psize;
	uint64_t words[NOISY_WORDS];
	volatile char *mem;
	unsigned long i;

	mem = mmap((void *)start, n * psize, PROT_READ,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
			   MAP_FIXED_NOREPLACE,
		   -1, 0);
	if (mem != (void *)start)
		die("mmap");
	/* Each read fault maps the zero page: an event, but no memory. */
	while (madvise((void *)start, n * psize, MADV_NOHUGEPAGE)) {
		/* There may be no huge pages, or somebody has it fail. */
		if (errno != EINTR)
			break;
	}

	for (i = 0; i < n; i++, touched++) {
		if (noisy)
			make_noise(words);
		(void)mem[i * psize];
		if (pace_pages && i % pace_pages == pace_pages - 1)
			usleep(pace_usec);
	}
}

static void fill(const char *path)
{
	static char block[1 << 16];
	size_t len = sizeof(block);
	ssize_t ret;
	int fd;

	memset(block, 'f', sizeof(block));
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		die(path);
	while (len) {
		ret = write(fd, block, len);
		if (ret > 0)
			continue;
		if (ret < 0 && errno != ENOSPC && errno != EDQUOT)
			die(path);
		len /= 2;
	}
	/* Some filesystems only know that they are full once they wrote. */
	fsync(fd);
	close(fd);
}

static void halve(const char *path)
{
	struct stat st;

	if (stat(path, &st) || truncate(path, st.st_size / 2))
		die(path);
}

static void punch(const char *path)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) ||
	    fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
		      st.st_size / 3, st.st_size / 3))
		die(path);
	close(fd);
}

static void run_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity");
}

static void spread(void)
{
	int cpu, first = -1, last = -1;
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set))
		die("sched_getaffinity");
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &set))
			continue;
		if (first < 0)
			first = cpu;
		last = cpu;
	}
	child = fork();
	if (child < 0)
		die("fork");
	/* It must not stay behind when this process is stopped. */
	if (child == 0 && prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0))
		die("prctl");
	run_on(child ? first : last);
}

static void join(void)
{
	int status;

	if (waitpid(child, &status, 0) != child)
		die("waitpid");
	if (status) {
		fprintf(stderr, "workload: the child ended with status %#x\n",
			status);
		exit(1);
	}
}

static void waitfor(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char c;

	if (fd < 0 || read(fd, &c, 1) < 0)
		die(path);
	close(fd);
}

static void maps(const char *path)
{
	char buf[4096];
	FILE *in, *out;
	size_t len;

	snprintf(buf, sizeof(buf), "/proc/%d/maps", getppid());
	in = fopen(buf, "r");
	if (!in)
		die(buf);
	out = fopen(path, "w");
	if (!out)
		die(path);
	while ((len = fread(buf, 1, sizeof(buf), in)))
		fwrite(buf, 1, len, out);
	fclose(in);
	if (fclose(out))
		die(path);
}

static void on_term(int sig)
{
	static const char text[] = "SIGTERM\n";

	_exit(write(term_fd, text, sizeof(text) - 1) < 0 ? 1 : 128 + sig);
}

static void note(const char *path, const char *text)
{
	FILE *f = fopen(path, "a");

	if (!f || fprintf(f, "%s\n", text) < 0 || fclose(f))
		die(path);
}

static const struct {
	const char *name;
	int nargs;
} steps[] = {
	{ "comm", 2 },	   { "pages", 1 },   { "pace", 2 },   { "fill", 1 },
	{ "truncate", 1 }, { "signal", 1 },  { "raise", 1 },  { "onterm", 1 },
	{ "maps", 1 },	   { "waitfor", 1 }, { "usleep", 1 }, { "note", 2 },
	{ "halve", 1 },	   { "punch", 1 },   { "unlink", 1 }, { "noise", 0 },
	{ "spread", 0 },   { "join", 0 },
};

static int nargs(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		if (!strcmp(steps[i].name, name))
			return steps[i].nargs;
	}
	return -1;
}

static int for_child(const char *step)
{
	return !strcmp(step, "pages") || !strcmp(step, "pace") ||
	       !strcmp(step, "noise");
}

/*
 * Samples with a copy of the stack take as much as there is of it: have enough,
 * with something in it.
 */
static void deepen_stack(char *stack, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		stack[i] = 1 + i % 255;
	/* The compiler must not leave it away. */
	asm volatile("" : : "r"(stack) : "memory");
}

int main(int argc, char **argv)
{
	char stack[1 << 17];
	int i, n;

	deepen_stack(stack, sizeof(stack));
	for (i = 1; i < argc; i += 1 + n) {
		const char *step = argv[i];

		n = nargs(step);
		if (n < 0 || i + n >= argc) {
			fprintf(stderr,
				"workload: %s: unknown step, or arguments missing\n",
				step);
			return 1;
		}
		if (child == 0 && !for_child(step))
			continue;
		if (!strcmp(step, "comm")) {
			comm(number(argv[i + 1]), number(argv[i + 2]));
		} else if (!strcmp(step, "pages")) {
			pages(number(argv[i + 1]));
		} else if (!strcmp(step, "pace")) {
			pace_pages = number(argv[i + 1]);
			pace_usec = number(argv[i + 2]);
		} else if (!strcmp(step, "fill")) {
			fill(argv[i + 1]);
		} else if (!strcmp(step, "truncate")) {
			if (truncate(argv[i + 1], 0))
				die(argv[i + 1]);
		} else if (!strcmp(step, "halve")) {
			halve(argv[i + 1]);
		} else if (!strcmp(step, "punch")) {
			punch(argv[i + 1]);
		} else if (!strcmp(step, "unlink")) {
			if (unlink(argv[i + 1]))
				die(argv[i + 1]);
		} else if (!strcmp(step, "noise")) {
			noisy = 1;
		} else if (!strcmp(step, "spread")) {
			spread();
		} else if (!strcmp(step, "join")) {
			join();
		} else if (!strcmp(step, "signal")) {
			if (kill(getppid(), number(argv[i + 1])))
				die("kill");
		} else if (!strcmp(step, "raise")) {
			raise(number(argv[i + 1]));
		} else if (!strcmp(step, "onterm")) {
			term_fd = open(argv[i + 1],
				       O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
				       0600);
			if (term_fd < 0)
				die(argv[i + 1]);
			signal(SIGTERM, on_term);
		} else if (!strcmp(step, "waitfor")) {
			waitfor(argv[i + 1]);
		} else if (!strcmp(step, "maps")) {
			maps(argv[i + 1]);
		} else if (!strcmp(step, "usleep")) {
			usleep(number(argv[i + 1]));
		} else {
			note(argv[i + 1], argv[i + 2]);
		}
	}
	return 0;
}
