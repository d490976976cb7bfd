// SPDX-License-Identifier: GPL-2.0
/*
 * perfdata-lint: the events inside compressed records.
 *
 * perf record -z makes one zstd stream per file. It is cut into records
 * wherever a record is full, so events go on from one record to the next.
 */
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "perfdata-lint.h"

#ifdef HAVE_ZSTD

/* An event that is not complete yet, and the output of one step. */
#define OUT_SIZE	(LINT_MAX_EVENT + 1 + 128 * 1024)

/**
 * struct unzip - decompression of one file
 * @stream:	zstd's state, made when the first compressed record is met
 * @pos:	offset of @out[0] in the decompressed stream
 * @fill:	bytes in @out
 * @out:	owned
 */
struct unzip {
	ZSTD_DStream *stream;
	uint64_t pos;
	size_t fill;
	unsigned char *out;
};

/**
 * unzip_new - prepare for compressed records
 *
 * Return: to be given to unzip_free(), or NULL when out of memory.
 */
struct unzip *unzip_new(void)
{
	return calloc(1, sizeof(struct unzip));
}

/**
 * unzip_free - give back what unzip_new() returned
 * @u:	may be NULL
 */
void unzip_free(struct unzip *u)
{
	if (!u)
		return;
	ZSTD_freeDStream(u->stream);
	free(u->out);
	free(u);
}

/* Check the complete events in the buffer and keep what is left. */
static int take_events(struct unzip *u, struct lint *l, struct where *w)
{
	size_t off = 0;

	while (u->fill - off >= LINT_EVENT_HEADER) {
		const unsigned char *ev = u->out + off;
		size_t size = get_u16(l, ev + 6);
		unsigned int type = get_u32(l, ev);

		w->inner_off = u->pos + off;
		if (size < LINT_EVENT_HEADER)
			return bad(w, "event of type %u with size %zu", type,
				   size);
		if (size > u->fill - off)
			break;
		/* perf writes these around the compressed stream, not in it. */
		if (type == LINT_COMPRESSED || type == LINT_COMPRESSED2 ||
		    type == LINT_AUXTRACE || type == LINT_HEADER_TRACING_DATA)
			return bad(w, "%s inside a compressed record",
				   lint_event_name(type));
		if (lint_event(l, w, ev, size))
			return -1;
		off += size;
	}
	u->fill -= off;
	u->pos += off;
	memmove(u->out, u->out + off, u->fill);
	return 0;
}

static int start(struct unzip *u, const struct where *w)
{
	u->stream = ZSTD_createDStream();
	u->out = malloc(OUT_SIZE);
	if (!u->stream || !u->out)
		return bad(w, "out of memory");
	ZSTD_initDStream(u->stream);
	return 0;
}

/**
 * unzip_feed - check the events in one compressed record
 * @u:		state of the file
 * @l:		file
 * @outer:	where the record is
 * @data:	compressed data
 * @size:	its size, bytes
 *
 * Return: 0, or -1 with the reason reported.
 */
int unzip_feed(struct unzip *u, struct lint *l, const struct where *outer,
	       const void *data, size_t size)
{
	ZSTD_inBuffer in = { data, size, 0 };
	struct where w = *outer;
	uint64_t made = 0;

	if (!u->stream && start(u, outer))
		return -1;
	w.inner = true;
	for (;;) {
		ZSTD_outBuffer out = { u->out, OUT_SIZE, u->fill };
		size_t was_in = in.pos, ret;

		ret = ZSTD_decompressStream(u->stream, &out, &in);
		if (ZSTD_isError(ret))
			return bad(outer, "cannot decompress: %s",
				   ZSTD_getErrorName(ret));
		made += out.pos - u->fill;
		if (in.pos == was_in && out.pos == u->fill)
			return 0;
		u->fill = out.pos;
		if (made > l->comp_max) {
			l->comp_max = made;
			l->comp_max_off = outer->off;
		}
		if (take_events(u, l, &w))
			return -1;
	}
}

/**
 * unzip_end - all records have been fed: did the last event end?
 * @u:	state of the file
 * @w:	end of the data
 *
 * Return: 0, or -1 with the reason reported.
 */
int unzip_end(const struct unzip *u, const struct where *w)
{
	if (u->fill)
		return bad(w, "the compressed data ends inside an event, %zu bytes are left",
			   u->fill);
	return 0;
}

#else /* !HAVE_ZSTD */

struct unzip {
	bool unused;
};

struct unzip *unzip_new(void)
{
	return calloc(1, sizeof(struct unzip));
}

void unzip_free(struct unzip *u)
{
	free(u);
}

int unzip_feed(struct unzip *u, struct lint *l, const struct where *outer,
	       const void *data, size_t size)
{
	(void)u;
	(void)data;
	(void)size;
	(void)outer;
	l->not_unzipped++;
	return 0;
}

int unzip_end(const struct unzip *u, const struct where *w)
{
	(void)u;
	(void)w;
	return 0;
}

#endif
