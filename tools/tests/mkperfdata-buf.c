// SPDX-License-Identifier: GPL-2.0
/*
 * mkperfdata: the file in memory, in the byte order that was asked for.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "mkperfdata.h"

unsigned char buf[MAX_FILE];
size_t fill;
int big_endian;
int muted;

static size_t hole_at = MAX_FILE;
static uint64_t hole_len;

void die(const char *what)
{
	fprintf(stderr, "mkperfdata: %s\n", what);
	exit(1);
}

uint64_t pos_of(size_t at)
{
	return at + (at > hole_at ? hole_len : 0);
}

uint64_t pos(void)
{
	return pos_of(fill);
}

void mark(const char *name)
{
	if (muted)
		return;
	printf("%s %llu\n", name, (unsigned long long)pos());
}

void put_at(size_t at, uint64_t value, int width)
{
	int i;

	for (i = 0; i < width; i++)
		buf[at + i] = value >> 8 * (big_endian ? width - 1 - i : i);
}

static void put(uint64_t value, int width)
{
	if (fill + width > sizeof(buf))
		die("the file does not fit");
	put_at(fill, value, width);
	fill += width;
}

void put16(uint64_t v)
{
	put(v, 2);
}
void put32(uint64_t v)
{
	put(v, 4);
}
void put64(uint64_t v)
{
	put(v, 8);
}

void zeros(size_t n)
{
	while (n--)
		put(0, 1);
}

void put_bytes(const void *p, size_t n)
{
	const unsigned char *c = p;

	while (n--)
		put(*c++, 1);
}

/* A hole of @size zeros, once in a file: the next byte comes after it. */
void hole(uint64_t size)
{
	hole_at = fill - 1;
	hole_len = size;
}

/* A string with its NUL, padded to a multiple of @align. */
void put_str(const char *s, size_t align)
{
	size_t n = strlen(s) + 1;

	put_bytes(s, n);
	zeros((align - n % align) % align);
}

/* u32 length, then the string: as in feature sections. */
void put_feat_str(const char *s)
{
	put32((strlen(s) + 64) / 64 * 64);
	put_str(s, 64);
}

/* Events: begin() remembers where the size goes, end() fills it in. */
static size_t event_at;

void begin(const char *name, unsigned int type, unsigned int misc)
{
	mark(name);
	event_at = fill;
	put32(type);
	put16(misc);
	put16(0);
}

void end(void)
{
	put_at(event_at + 6, fill - event_at, 2);
}
static void write_part(int fd, size_t from, size_t to)
{
	while (from < to) {
		ssize_t n = pwrite(fd, buf + from, to - from, pos_of(from));

		if (n <= 0)
			die("cannot write the file");
		from += n;
	}
}

void write_file(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	size_t split = hole_at < fill ? hole_at + 1 : fill;

	if (fd < 0)
		die("cannot create the file");
	write_part(fd, 0, split);
	write_part(fd, split, fill);
	if (close(fd))
		die("cannot write the file");
}
