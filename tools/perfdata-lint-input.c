// SPDX-License-Identifier: GPL-2.0
/*
 * perfdata-lint: reading the file, and saying what is wrong with it.
 */
#define _GNU_SOURCE	/* SEEK_DATA */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perfdata-lint.h"

/* Has to hold the largest event; more saves system calls. */
#define BUF_SIZE	(256 * 1024)

#define ZEROS_STEP	4096

/**
 * put_path - print a file name
 * @to:	where to
 * @path:	name
 *
 * One line is promised, so a name with a newline in it must not make two.
 */
void put_path(FILE *to, const char *path)
{
	for (; *path; path++)
		fputc((unsigned char)*path < ' ' ? '?' : *path, to);
}

/**
 * bad - report what is wrong with a file
 * @w:		where
 * @fmt:	what, printf style, without a newline
 *
 * Return: -1, for the caller to hand on.
 */
int bad(const struct where *w, const char *fmt, ...)
{
	va_list ap;

	put_path(stderr, w->path);
	fprintf(stderr, ": offset %llu", (unsigned long long)w->off);
	if (w->inner)
		fprintf(stderr, " (decompressed %llu)",
			(unsigned long long)w->inner_off);
	fputs(": ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	return -1;
}

/**
 * bad_at - the same for an offset in a file
 * @in:		file
 * @off:	offset, bytes
 * @fmt:	what
 *
 * Return: -1.
 */
int bad_at(const struct input *in, uint64_t off, const char *fmt, ...)
{
	char what[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return bad(&(struct where){ .path = in->path, .off = off }, "%s", what);
}

/**
 * bad_path - report a file that cannot be read at all
 * @path:	its name
 * @fmt:	why
 *
 * Return: -1.
 */
int bad_path(const char *path, const char *fmt, ...)
{
	char what[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return bad(&(struct where){ .path = path }, "%s", what);
}

/**
 * input_open - open a regular file
 * @in:		filled in; input_close() it after success
 * @path:	must stay valid as long as @in
 *
 * Anything but a regular file is refused: a FIFO or a device has no size that
 * the offsets in the header could be held against.
 *
 * Return: 0, or -1 with the reason reported.
 */
int input_open(struct input *in, const char *path)
{
	struct stat st;

	memset(in, 0, sizeof(*in));
	in->path = path;
	/* Opening a FIFO without a writer must not wait for one. */
	in->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (in->fd < 0)
		return bad_path(path, "cannot open: %s", strerror(errno));
	if (fstat(in->fd, &st) < 0) {
		bad_path(path, "cannot stat: %s", strerror(errno));
		goto fail;
	}
	if (!S_ISREG(st.st_mode)) {
		bad_path(path, "not a regular file");
		goto fail;
	}
	in->size = st.st_size;
	in->buf = malloc(BUF_SIZE);
	if (!in->buf) {
		bad_path(path, "out of memory");
		goto fail;
	}
	return 0;
fail:
	close(in->fd);
	in->fd = -1;
	return -1;
}

/**
 * input_close - give back what input_open() took
 * @in:	may have been closed before
 */
void input_close(struct input *in)
{
	if (in->fd >= 0)
		close(in->fd);
	free(in->buf);
	in->fd = -1;
	in->buf = NULL;
}

/**
 * input_at - bytes of the file
 * @in:		file
 * @off:	where from
 * @len:	how many, at most LINT_MAX_EVENT
 *
 * Return: the bytes, valid until the next call, or NULL with the reason
 * reported. The caller has checked that the range is inside the file, so NULL
 * means an I/O error or a file that became shorter meanwhile.
 */
const void *input_at(struct input *in, uint64_t off, size_t len)
{
	size_t want = BUF_SIZE;

	if (off >= in->buf_off && off - in->buf_off <= in->buf_len &&
	    in->buf_len - (off - in->buf_off) >= len)
		return in->buf + (off - in->buf_off);

	if (off > in->size || in->size - off < len) {
		bad_at(in, off, "the file ends at %llu",
		       (unsigned long long)in->size);
		return NULL;
	}
	if (in->size - off < want)
		want = in->size - off;
	in->buf_off = off;
	in->buf_len = 0;
	while (in->buf_len < want) {
		ssize_t n = pread(in->fd, in->buf + in->buf_len,
				  want - in->buf_len, off + in->buf_len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			bad_at(in, off + in->buf_len, "cannot read: %s",
			       strerror(errno));
			return NULL;
		}
		if (!n)
			break;
		in->buf_len += n;
	}
	if (in->buf_len < len) {
		bad_at(in, off + in->buf_len,
		       "the file became shorter while it was read");
		return NULL;
	}
	return in->buf;
}

/**
 * input_peek - read without touching the buffer
 * @in:		file
 * @off:	where from, inside the file
 * @buf:	where to
 * @len:	how many bytes
 *
 * For places far from where the buffer is.
 *
 * Return: 0, or -1 with the reason reported.
 */
int input_peek(struct input *in, uint64_t off, void *buf, size_t len)
{
	ssize_t n;

	do {
		n = pread(in->fd, buf, len, off);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return bad_at(in, off, "cannot read: %s", strerror(errno));
	if ((size_t)n < len)
		return bad_at(in, off + n, "the file ends here");
	return 0;
}

/**
 * input_zeros - count zero bytes
 * @in:		file
 * @off:	where to start
 * @end:	where to stop, inside the file
 *
 * Return: how many bytes from @off on are zero.
 */
uint64_t input_zeros(struct input *in, uint64_t off, uint64_t end)
{
	uint64_t start = off;

	while (off < end) {
		/* A sparse file can claim exabytes: do not read its holes. */
		off_t data = lseek(in->fd, off, SEEK_DATA);
		const unsigned char *p;
		size_t n, i;

		if (data < 0 && errno == ENXIO)
			return end - start;
		if (data > 0 && (uint64_t)data > off) {
			off = (uint64_t)data < end ? (uint64_t)data : end;
			continue;
		}
		n = end - off < ZEROS_STEP ? end - off : ZEROS_STEP;
		p = input_at(in, off, n);
		if (!p)
			break;
		for (i = 0; i < n && !p[i]; i++)
			;
		off += i;
		if (i < n)
			break;
	}
	return off - start;
}

/**
 * get_u16 - a number in the byte order of the file
 * @l:	knows the byte order
 * @p:	any alignment
 *
 * Return: its value.
 */
uint16_t get_u16(const struct lint *l, const void *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return l->swap ? __builtin_bswap16(v) : v;
}

/**
 * get_u32 - a number in the byte order of the file
 * @l:	knows the byte order
 * @p:	any alignment
 *
 * Return: its value.
 */
uint32_t get_u32(const struct lint *l, const void *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return l->swap ? __builtin_bswap32(v) : v;
}

/**
 * get_u64 - a number in the byte order of the file
 * @l:	knows the byte order
 * @p:	any alignment
 *
 * Return: its value.
 */
uint64_t get_u64(const struct lint *l, const void *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return l->swap ? __builtin_bswap64(v) : v;
}
