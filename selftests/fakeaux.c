// SPDX-License-Identifier: GPL-2.0
/*
 * A perf event with an AUX area, for machines that have no hardware that makes
 * one: preloaded into perf record, it gives events of type FAKE_TYPE, which the
 * caller has perf find under the name intel_bts, an AUX area in memory. Each time
 * perf waits for events, some more of that area is said to be filled.
 *
 * perf records with Intel BTS on processors of Intel only: the vendor is changed
 * when perf puts its name into words.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>

#define FAKE_TYPE 9999

/* What the area is filled with. */
#define FAKE_BYTE 0xa5

/* Several blocks of the index, and then no more: perf has an end to come to. */
#define MAX_FILLS 700

static int fake_fd = -1;
static struct perf_event_mmap_page *page;
static size_t aux_len;
static unsigned int fills;

long syscall(long nr, ...)
{
	static long (*next)(long nr, ...);
	struct perf_event_attr attr;
	const struct perf_event_attr *given;
	long arg[6], ret;
	va_list args;
	int i;

	if (!next)
		next = dlsym(RTLD_NEXT, "syscall");
	va_start(args, nr);
	for (i = 0; i < 6; i++)
		arg[i] = va_arg(args, long);
	va_end(args);

	given = (const void *)arg[0];
	if (nr != SYS_perf_event_open || given->type != FAKE_TYPE)
		return next(nr, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);

	attr = *given;
	attr.size = sizeof(attr);
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_DUMMY;
	ret = next(nr, &attr, arg[1], arg[2], arg[3], arg[4], arg[5]);
	if (ret >= 0)
		fake_fd = ret;
	return ret;
}

void *mmap64(void *addr, size_t len, int prot, int flags, int fd, off64_t off)
{
	static void *(*next)(void *addr, size_t len, int prot, int flags,
			     int fd, off64_t off);
	void *p;

	if (!next)
		next = dlsym(RTLD_NEXT, "mmap64");
	if (fd < 0 || fd != fake_fd)
		return next(addr, len, prot, flags, fd, off);
	if (!off) {
		p = next(addr, len, prot, flags, fd, off);
		page = p == MAP_FAILED ? NULL : p;
		return p;
	}

	p = next(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		 -1, 0);
	if (p != MAP_FAILED) {
		memset(p, FAKE_BYTE, len);
		aux_len = len;
	}
	return p;
}

void *mmap(void *addr, size_t len, int prot, int flags, int fd, off_t off)
{
	return mmap64(addr, len, prot, flags, fd, off);
}

/* Sizes that need padding, some that go around the end, some large ones. */
static void fill(void)
{
	size_t size = fills % 32 == 31 ? 100 << 10 : 1 + fills * 37 % 3000;
	uint64_t tail;

	if (!page || !aux_len || fills == MAX_FILLS)
		return;
	tail = __atomic_load_n(&page->aux_tail, __ATOMIC_ACQUIRE);
	if (page->aux_head + size - tail >= aux_len)
		return;
	fills++;
	__atomic_store_n(&page->aux_head, page->aux_head + size,
			 __ATOMIC_RELEASE);
}

int poll(struct pollfd *fds, nfds_t nr, int timeout)
{
	static int (*next)(struct pollfd * fds, nfds_t nr, int timeout);

	if (!next)
		next = dlsym(RTLD_NEXT, "poll");
	fill();
	if (page && aux_len && fills < MAX_FILLS)
		timeout = 0;
	return next(fds, nr, timeout);
}

/* What poll() becomes where the compiler knows how many there are. */
int __poll_chk(struct pollfd *fds, nfds_t nr, int timeout, size_t len)
{
	(void)len;
	return poll(fds, nr, timeout);
}

int vsnprintf(char *buf, size_t size, const char *fmt, va_list args)
{
	static int (*next)(char *buf, size_t size, const char *fmt,
			   va_list args);
	static const char amd[] = "AuthenticAMD,", intel[] = "GenuineIntel,";
	int ret;

	if (!next)
		next = dlsym(RTLD_NEXT, "vsnprintf");
	ret = next(buf, size, fmt, args);
	if (size > sizeof(amd) && !strncmp(buf, amd, sizeof(amd) - 1))
		memcpy(buf, intel, sizeof(intel) - 1);
	return ret;
}

/* What vsnprintf() becomes in a program that checks the sizes of buffers. */
int __vsnprintf_chk(char *buf, size_t size, int flag, size_t len,
		    const char *fmt, va_list args)
{
	(void)flag;
	(void)len;
	return vsnprintf(buf, size, fmt, args);
}
