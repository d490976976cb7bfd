// SPDX-License-Identifier: GPL-2.0
/*
 * copy-bench: what it costs to write a file in chunks, in CPU time.
 *
 *   copy-bench [-c] [-s SEGMENT_MIB] METHOD FILE CHUNK MIB
 *
 * writes MIB MiB to FILE, which must not exist and is removed, in chunks of
 * CHUNK bytes, and prints numbers, separated by commas: the bytes written, the
 * CPU time taken in nanoseconds, how much of it the kernel took in
 * microseconds. With -c it prints the bytes, how many system calls were made, how
 * many page faults perf would see and how many pages were faulted in in all:
 * these cost time to count.
 *
 * METHOD is
 *   write	write(2)
 *   mapped	mmap_output__write()
 *   memcpy	memcpy() into a mapping of the file, all pages of which are there;
 *		no method that copies through a mapping can be faster
 *
 * It is built with util/mmap-output.c of a perf tree, see
 * scripts/bench-copy.sh, and takes the place of the rest of perf here.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "mmap-output.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE	23
#endif

#define MIB		((size_t)1 << 20)
/* The ring buffers of two CPUs: warm in the cache, as they are for perf. */
#define SOURCE_SIZE	MIB
#define CHUNK_MAX	MIB

static const char usage_text[] =
	"usage: copy-bench [-c] [-s SEGMENT_MIB] write|mapped|memcpy FILE CHUNK MIB\n"
	"       CHUNK is 1 to 1048576 bytes\n";

static const char tracepoint[] =
	"/sys/kernel/tracing/events/raw_syscalls/sys_enter/id";

/* What mmap-output.c wants of perf. */
unsigned int page_size;
int verbose;

int eprintf(int level, int var, const char *fmt, ...);
int eprintf(int level, int var, const char *fmt, ...)
{
	(void)level;
	(void)var;
	(void)fmt;
	return 0;
}

struct target {
	int			fd;
	char			*map;
	size_t			size;
	size_t			segment;
	struct mmap_output	out;
};

struct method {
	const char	*name;
	/* What is done before the clock starts. */
	int		(*prepare)(struct target *t);
	int		(*open)(struct target *t);
	ssize_t		(*write)(struct target *t, const void *buf, size_t size);
	int		(*close)(struct target *t);
};

static int fail(const char *what)
{
	fprintf(stderr, "copy-bench: %s: %s\n", what, strerror(errno));
	return -1;
}

static ssize_t write_write(struct target *t, const void *buf, size_t size)
{
	return write(t->fd, buf, size);
}

static int mapped_open(struct target *t)
{
	return mmap_output__open(&t->out, t->fd, 0, t->segment);
}

static ssize_t mapped_write(struct target *t, const void *buf, size_t size)
{
	return mmap_output__write(&t->out, buf, size);
}

static int mapped_close(struct target *t)
{
	return mmap_output__close(&t->out);
}

static int memcpy_prepare(struct target *t)
{
	static const char zeros[MIB];
	size_t done;

	for (done = 0; done < t->size; done += sizeof(zeros)) {
		if (write(t->fd, zeros, sizeof(zeros)) != sizeof(zeros))
			return fail("write");
	}
	t->map = mmap(NULL, t->size, PROT_READ | PROT_WRITE, MAP_SHARED, t->fd, 0);
	if (t->map == MAP_FAILED)
		return fail("mmap");
	/* Where the kernel is too old for it, the stores below do the same. */
	madvise(t->map, t->size, MADV_POPULATE_WRITE);
	for (done = 0; done < t->size; done += page_size)
		((volatile char *)t->map)[done] = 1;
	return 0;
}

static ssize_t memcpy_write(struct target *t, const void *buf, size_t size)
{
	memcpy(t->map, buf, size);
	t->map += size;
	return size;
}

static const struct method methods[] = {
	{ .name = "write", .write = write_write },
	{ .name = "mapped", .open = mapped_open, .write = mapped_write, .close = mapped_close },
	{ .name = "memcpy", .prepare = memcpy_prepare, .write = memcpy_write },
};

/* All that has a price, from the empty file to the one that is complete. */
static int copy(const struct method *m, struct target *t, const char *src, size_t chunk)
{
	size_t done = 0, at = 0;

	if (m->open && m->open(t))
		return fail(m->name);
	while (done < t->size) {
		size_t n = chunk < t->size - done ? chunk : t->size - done;

		if (m->write(t, src + at, n) != (ssize_t)n)
			return fail(m->name);
		done += n;
		at = (at + n) % SOURCE_SIZE;
	}
	return m->close && m->close(t) ? fail(m->name) : 0;
}

static uint64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static int measure(const struct method *m, struct target *t, const char *src, size_t chunk)
{
	struct rusage before, after;
	uint64_t ns;

	getrusage(RUSAGE_SELF, &before);
	ns = cpu_ns();
	if (copy(m, t, src, chunk))
		return -1;
	ns = cpu_ns() - ns;
	getrusage(RUSAGE_SELF, &after);
	printf("%zu,%llu,%lld\n", t->size, (unsigned long long)ns,
	       (after.ru_stime.tv_sec - before.ru_stime.tv_sec) * 1000000LL +
		       after.ru_stime.tv_usec - before.ru_stime.tv_usec);
	return 0;
}

static int counter(uint32_t type, uint64_t config)
{
	struct perf_event_attr attr = {
		.type = type,
		.size = sizeof(attr),
		.config = config,
		.disabled = 1,
	};
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? fail("perf_event_open") : fd;
}

static int syscall_counter(void)
{
	unsigned long long id;
	FILE *f = fopen(tracepoint, "r");
	int n;

	if (!f)
		return fail(tracepoint);
	n = fscanf(f, "%llu", &id);
	fclose(f);
	return n == 1 ? counter(PERF_TYPE_TRACEPOINT, id) : fail(tracepoint);
}

static uint64_t counted(int fd)
{
	uint64_t value = 0;

	return read(fd, &value, sizeof(value)) == sizeof(value) ? value : 0;
}

static int count(const struct method *m, struct target *t, const char *src, size_t chunk)
{
	int calls = syscall_counter();
	int faults = counter(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	struct rusage before, after;

	if (calls < 0 || faults < 0)
		return -1;
	getrusage(RUSAGE_SELF, &before);
	ioctl(faults, PERF_EVENT_IOC_ENABLE, 0);
	ioctl(calls, PERF_EVENT_IOC_ENABLE, 0);
	if (copy(m, t, src, chunk))
		return -1;
	ioctl(calls, PERF_EVENT_IOC_DISABLE, 0);
	ioctl(faults, PERF_EVENT_IOC_DISABLE, 0);
	getrusage(RUSAGE_SELF, &after);
	/* The call that ended the count is in it. */
	printf("%zu,%llu,%llu,%ld\n", t->size,
	       (unsigned long long)counted(calls) - 1,
	       (unsigned long long)counted(faults),
	       after.ru_minflt - before.ru_minflt);
	return 0;
}

/*
 * Take and give back as much memory as the file will need. A virtual machine
 * whose host takes free pages away pays dearly for the first touch of each, so
 * that figures would tell where the kernel found its pages, and little else.
 */
static void warm_memory(size_t size)
{
	char *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t i;

	if (p == MAP_FAILED)
		return;
	madvise(p, size, MADV_HUGEPAGE);
	for (i = 0; i < size; i += page_size)
		((volatile char *)p)[i] = 1;
	munmap(p, size);
}

static size_t number(const char *s, size_t max)
{
	char *end;
	unsigned long value = strtoul(s, &end, 10);

	return *s < '0' || *s > '9' || *end || value > max ? 0 : value;
}

int main(int argc, char **argv)
{
	static char src[SOURCE_SIZE + CHUNK_MAX];
	int (*run)(const struct method *, struct target *, const char *, size_t) = measure;
	const struct method *m = NULL;
	struct target t = { .segment = 64 * MIB };
	size_t chunk = 0;
	unsigned int i;
	int opt, err;

	page_size = sysconf(_SC_PAGESIZE);
	while ((opt = getopt(argc, argv, "cs:")) != -1) {
		if (opt == 'c')
			run = count;
		else
			t.segment = opt == 's' ? number(optarg, 1 << 20) * MIB : 0;
	}
	for (i = 0; argc - optind == 4 && i < sizeof(methods) / sizeof(methods[0]); i++) {
		if (!strcmp(argv[optind], methods[i].name))
			m = &methods[i];
	}
	if (m) {
		chunk = number(argv[optind + 2], CHUNK_MAX);
		t.size = number(argv[optind + 3], 1 << 20) * MIB;
	}
	if (!t.segment || !chunk || !t.size) {
		fputs(usage_text, stderr);
		return 2;
	}

	t.fd = open(argv[optind + 1], O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (t.fd < 0)
		return -fail(argv[optind + 1]);
	memset(src, 'x', sizeof(src));
	warm_memory(t.size + t.size / 4);
	err = m->prepare ? m->prepare(&t) : 0;
	if (!err)
		err = run(m, &t, src, chunk);
	unlink(argv[optind + 1]);
	return err || fflush(stdout) ? 1 : 0;
}
