// SPDX-License-Identifier: GPL-2.0
/*
 * Short writes, for a program that this is preloaded into: each third write(2)
 * or pwrite(2) of some size to a regular file stores about half of what it was
 * given, as it may.
 *
 * Environment: SHORTIO_LOG is a file that gets a byte for each short write.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static unsigned int calls;

static ssize_t real_write(int fd, const void *buf, size_t size)
{
	static ssize_t (*next)(int fd, const void *buf, size_t size);

	if (!next)
		next = dlsym(RTLD_NEXT, "write");
	return next(fd, buf, size);
}

static void note(void)
{
	const char *path = getenv("SHORTIO_LOG");
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
			     0600) :
			-1;

	if (fd < 0)
		return;
	if (real_write(fd, "s", 1) != 1)
		abort();
	close(fd);
}

/* How much is stored this time. */
static size_t shorten(int fd, size_t size)
{
	struct stat st;

	if (size < 16 || fstat(fd, &st) || !S_ISREG(st.st_mode))
		return size;
	if (__atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) % 3)
		return size;
	note();
	/* Not at the end of an event. */
	return size / 2 - 3;
}

ssize_t write(int fd, const void *buf, size_t size)
{
	return real_write(fd, buf, shorten(fd, size));
}

ssize_t pwrite64(int fd, const void *buf, size_t size, off64_t pos)
{
	static ssize_t (*next)(int fd, const void *buf, size_t size,
			       off64_t pos);

	if (!next)
		next = dlsym(RTLD_NEXT, "pwrite64");
	return next(fd, buf, shorten(fd, size), pos);
}

ssize_t pwrite(int fd, const void *buf, size_t size, off_t pos)
{
	return pwrite64(fd, buf, size, pos);
}
