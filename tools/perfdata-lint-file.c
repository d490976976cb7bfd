// SPDX-License-Identifier: GPL-2.0
/*
 * perfdata-lint: headers, sections and the layout of the whole file.
 */
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata-lint.h"

/* struct perf_file_header: offsets of its fields, and its two sizes. */
#define H_SIZE		8
#define H_ATTR_SIZE	16
#define H_ATTRS		24
#define H_DATA		40
#define H_EVENT_TYPES	56
#define H_FEATURES	72
#define H_BYTES		104
#define H_BYTES_OLD	72	/* before there were features */

#define SECTION		16	/* sizeof(struct perf_file_section) */
#define MAX_ATTR_SIZE	4096

/**
 * struct extent - a part of the file that is accounted for
 * @off:	start
 * @size:	bytes
 * @name:	what it is
 * @nr:		index, or -1
 */
struct extent {
	uint64_t off;
	uint64_t size;
	const char *name;
	int nr;
};

/**
 * struct layout - all parts of a file
 * @e:		owned
 * @nr:		entries used
 * @room:	entries allocated
 * @ids_bytes:	size of all ids
 * @spare_off:	what the last spare slot of the feature table points to, or 0
 */
struct layout {
	struct extent *e;
	size_t nr;
	size_t room;
	uint64_t ids_bytes;
	uint64_t spare_off;
};

struct header {
	uint64_t size;
	uint64_t attr_size;
	struct extent attrs;
	struct extent data;
	struct extent event_types;
	uint64_t features[LINT_FEAT_BITS / 64];
};

static int add_extent(struct layout *lay, const struct input *in,
		      const struct extent *e)
{
	if (lay->nr == lay->room) {
		size_t room = lay->room ? lay->room * 2 : 64;
		struct extent *n = realloc(lay->e, room * sizeof(*n));

		if (!n)
			return bad_at(in, e->off, "out of memory");
		lay->e = n;
		lay->room = room;
	}
	lay->e[lay->nr++] = *e;
	return 0;
}

static const char *extent_name(const struct extent *e, char *buf, size_t size)
{
	if (e->nr < 0)
		return e->name;
	if (strcmp(e->name, "feature"))
		snprintf(buf, size, "%s %d", e->name, e->nr);
	else if (lint_feature_name(e->nr))
		snprintf(buf, size, "feature %s", lint_feature_name(e->nr));
	else
		snprintf(buf, size, "feature %d", e->nr);
	return buf;
}

/* Is a section inside the file? @field is where the header says so. */
static int in_file(const struct input *in, const struct extent *e,
		   uint64_t field)
{
	char buf[64];

	if (e->off <= in->size && e->size <= in->size - e->off)
		return 0;
	return bad_at(in, field,
		      "%s at %" PRIu64 " with %" PRIu64 " bytes goes past the end of the file at %" PRIu64,
		      extent_name(e, buf, sizeof(buf)), e->off, e->size,
		      in->size);
}

static int by_offset(const void *a, const void *b)
{
	const struct extent *x = a, *y = b;

	if (x->off != y->off)
		return x->off < y->off ? -1 : 1;
	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	return 0;
}

static int gap(struct input *in, uint64_t from, uint64_t to,
	       const char *before, const char *after)
{
	uint64_t zeros = input_zeros(in, from, to);

	return bad_at(in, from, "%" PRIu64 " unexplained bytes between %s and %s, %s",
		      to - from, before, after,
		      zeros == to - from ? "all zero" : "not all zero");
}

/* Every byte of the file has to belong to exactly one part. */
static int check_layout(struct lint *l, struct input *in, struct layout *lay)
{
	char prev_buf[64], buf[64];
	const struct extent *prev = NULL;
	uint64_t pos = 0;
	size_t i;

	qsort(lay->e, lay->nr, sizeof(*lay->e), by_offset);
	for (i = 0; i < lay->nr; i++) {
		const struct extent *e = &lay->e[i];
		const char *name;

		/* Nothing is stored there: features that only are a flag. */
		if (!e->size)
			continue;
		name = extent_name(e, buf, sizeof(buf));
		if (!prev) {
			/* The header, which was read at offset 0. */
			prev = e;
			pos = e->size;
			continue;
		}
		if (e->off < pos)
			return bad_at(in, e->off, "%s overlaps %s", name,
				      extent_name(prev, prev_buf,
						  sizeof(prev_buf)));
		if (e->off > pos)
			return gap(in, pos, e->off,
				   extent_name(prev, prev_buf,
					       sizeof(prev_buf)),
				   name);
		prev = e;
		pos = e->off + e->size;
	}
	if (pos == in->size)
		return 0;
	/*
	 * A feature that fails half-way is taken back by seeking, which leaves
	 * its bytes if nothing is written over them. The slot it had in the
	 * table still points there.
	 */
	if (lay->spare_off == pos) {
		l->dropped_bytes = in->size - pos;
		return 0;
	}
	return gap(in, pos, in->size,
		   prev ? extent_name(prev, buf, sizeof(buf)) : "start",
		   "the end of the file");
}

static int read_ids(struct lint *l, struct input *in, const struct extent *ids,
		    size_t attr)
{
	struct where w = { .path = in->path, .off = ids->off };
	const unsigned char *p;

	for (; w.off < ids->off + ids->size; w.off += 8) {
		p = input_at(in, w.off, 8);
		if (!p || lint_add_id(l, &w, get_u64(l, p), attr))
			return -1;
	}
	return 0;
}

static int read_attr(struct lint *l, struct input *in, struct layout *lay,
		     const struct header *h, size_t nr)
{
	struct where w = { .path = in->path };
	uint64_t attr_bytes = h->attr_size - SECTION, size;
	struct extent ids = { .name = "ids of attribute", .nr = nr };
	const unsigned char *p;

	w.off = h->attrs.off + nr * h->attr_size;
	p = input_at(in, w.off, h->attr_size);
	if (!p)
		return -1;
	/*
	 * Readers look for the ids right behind attr.size bytes, writers put
	 * them at the end of the entry: these have to be the same place.
	 */
	size = get_u32(l, p + 4);
	if (!size)
		size = PERF_ATTR_SIZE_VER0;
	if (size != attr_bytes)
		return bad(&w, "attribute %zu has size %" PRIu64 ", its entry %" PRIu64,
			   nr, size, attr_bytes);
	if (lint_add_attr(l, &w, p, attr_bytes))
		return -1;

	ids.off = get_u64(l, p + attr_bytes);
	ids.size = get_u64(l, p + attr_bytes + 8);
	if (ids.size % 8)
		return bad_at(in, w.off + attr_bytes,
			      "ids of attribute %zu have %" PRIu64 " bytes, not a multiple of 8",
			      nr, ids.size);
	if (in_file(in, &ids, w.off + attr_bytes))
		return -1;
	/* The same ids for many attributes would be read again and again. */
	if (ids.size > in->size - lay->ids_bytes)
		return bad_at(in, w.off + attr_bytes, "ids of attribute %zu overlap others",
			      nr);
	if (ids.size > LINT_MAX_IDS * 8ULL)
		return bad_at(in, w.off + attr_bytes, "attribute %zu has more than %d ids",
			      nr, LINT_MAX_IDS);
	lay->ids_bytes += ids.size;
	return add_extent(lay, in, &ids);
}

static int read_attrs(struct lint *l, struct input *in, struct layout *lay,
		      const struct header *h)
{
	struct where w = { .path = in->path };
	size_t nr, first = lay->nr, i;

	if (!h->attr_size)
		return bad_at(in, H_ATTR_SIZE, "attr_size is 0: unfinished recording");
	if (h->attr_size < PERF_ATTR_SIZE_VER0 + SECTION ||
	    h->attr_size > MAX_ATTR_SIZE || h->attr_size % 8)
		return bad_at(in, H_ATTR_SIZE, "attr_size %" PRIu64 " cannot be",
			      h->attr_size);
	if (in_file(in, &h->attrs, H_ATTRS))
		return -1;
	if (!h->attrs.size || h->attrs.size % h->attr_size)
		return bad_at(in, H_ATTRS + 8,
			      "%" PRIu64 " bytes of attributes, not a multiple of attr_size %" PRIu64,
			      h->attrs.size, h->attr_size);
	nr = h->attrs.size / h->attr_size;
	for (i = 0; i < nr; i++) {
		if (read_attr(l, in, lay, h, i))
			return -1;
	}
	w.off = h->attrs.off;
	if (!(l->features[0] >> LINT_FEAT_STAT & 1) &&
	    lint_check_attrs(l, &w))
		return -1;
	for (i = 0; i < nr; i++) {
		if (read_ids(l, in, &lay->e[first + i], i))
			return -1;
	}
	return add_extent(lay, in, &h->attrs);
}

/*
 * perf makes a table with a slot for every feature it is going to write. A
 * feature that cannot be written is dropped from the bitmap, but the table
 * keeps its size: the slots used move up, the last ones stay empty. The very
 * last one can hold the place of a dropped feature, with size 0.
 */
static int spare_slots(struct lint *l, struct input *in, struct layout *lay,
		       struct extent *table, uint64_t first)
{
	uint64_t end = table->off + table->size, bytes, spare_off = 0;
	const unsigned char *p;

	if (first <= end || (first - end) % SECTION ||
	    (first - table->off) / SECTION > LINT_FEAT_BITS)
		return 0;
	bytes = first - end;
	p = input_at(in, end, bytes);
	if (!p)
		return -1;
	for (; bytes; bytes -= SECTION, p += SECTION) {
		if (get_u64(l, p + 8))
			return 0;
		spare_off = get_u64(l, p);
	}
	lay->spare_off = spare_off;
	l->spare_slots = (first - end) / SECTION;
	table->size = first - table->off;
	return 0;
}

static unsigned int nr_features(const struct header *h)
{
	unsigned int nr = 0;
	size_t i;

	for (i = 0; i < LINT_FEAT_BITS / 64; i++)
		nr += __builtin_popcountll(h->features[i]);
	return nr;
}

static int read_table(struct lint *l, struct input *in, struct layout *lay,
		      const struct header *h)
{
	struct extent table = { .off = h->data.off + h->data.size,
				.name = "feature table",
				.nr = -1 };
	uint64_t first = in->size, slot;
	unsigned int feat, nr = nr_features(h);

	if (!nr)
		return 0;
	if (h->features[0] & 1)
		return bad_at(in, H_FEATURES, "feature bit 0 is reserved and set");
	table.size = (uint64_t)nr * SECTION;
	if (in_file(in, &table, H_FEATURES))
		return -1;

	slot = table.off;
	for (feat = 0; feat < LINT_FEAT_BITS; feat++) {
		struct extent e = { .name = "feature", .nr = feat };
		const unsigned char *p;
		char buf[64];

		if (!(h->features[feat / 64] >> feat % 64 & 1))
			continue;
		p = input_at(in, slot, SECTION);
		if (!p)
			return -1;
		e.off = get_u64(l, p);
		e.size = get_u64(l, p + 8);
		if (in_file(in, &e, slot))
			return -1;
		if (e.off < table.off + table.size)
			return bad_at(in, slot,
				      "%s at %" PRIu64 " is not after the feature table",
				      extent_name(&e, buf, sizeof(buf)), e.off);
		if (e.off < first)
			first = e.off;
		if (add_extent(lay, in, &e))
			return -1;
		slot += SECTION;
	}
	if (spare_slots(l, in, lay, &table, first))
		return -1;
	return add_extent(lay, in, &table);
}

/* The content, once it is known that no section is inside another one. */
static int read_features(struct lint *l, struct input *in,
			 const struct layout *lay)
{
	size_t i;

	for (i = 0; i < lay->nr; i++) {
		const struct extent *e = &lay->e[i];

		if (!strcmp(e->name, "feature") &&
		    lint_feature_section(l, in, e->nr, e->off, e->size))
			return -1;
	}
	return 0;
}

static void read_section(const struct lint *l, const unsigned char *p,
			 struct extent *e, const char *name)
{
	e->off = get_u64(l, p);
	e->size = get_u64(l, p + 8);
	e->name = name;
	e->nr = -1;
}

/*
 * The bitmap is an array of unsigned long of the machine that wrote it. On
 * big-endian machines it shows how wide these are; perf goes by the host name,
 * which is always there.
 */
static void read_bitmap(const struct lint *l, const unsigned char *p,
			uint64_t *bits)
{
	bool narrow;
	size_t i;

	for (i = 0; i < LINT_FEAT_BITS / 64; i++)
		bits[i] = get_u64(l, p + 8 * i);
	narrow = l->big_endian && !(bits[0] >> LINT_FEAT_HOSTNAME & 1) &&
		 bits[0] >> (32 + LINT_FEAT_HOSTNAME) & 1;
	for (i = 0; narrow && i < LINT_FEAT_BITS / 64; i++)
		bits[i] = bits[i] >> 32 | bits[i] << 32;
}

static int read_header(const struct lint *l, struct input *in,
		       struct header *h)
{
	const unsigned char *p;

	memset(h, 0, sizeof(*h));
	if (in->size < H_BYTES_OLD)
		return bad_at(in, in->size, "the file ends inside the header");
	p = input_at(in, 0, H_BYTES_OLD);
	if (!p)
		return -1;
	h->size = get_u64(l, p + H_SIZE);
	if (h->size != H_BYTES && h->size != H_BYTES_OLD)
		return bad_at(in, H_SIZE, "header size %" PRIu64 ", not %d or %d, or 16 for pipe mode",
			      h->size, H_BYTES, H_BYTES_OLD);
	h->attr_size = get_u64(l, p + H_ATTR_SIZE);
	read_section(l, p + H_ATTRS, &h->attrs, "attributes");
	read_section(l, p + H_DATA, &h->data, "data");
	read_section(l, p + H_EVENT_TYPES, &h->event_types, "event types");
	if (h->size == H_BYTES) {
		if (in->size < H_BYTES)
			return bad_at(in, in->size, "the file ends inside the header");
		p = input_at(in, 0, H_BYTES);
		if (!p)
			return -1;
		read_bitmap(l, p + H_FEATURES, h->features);
	}
	if (h->attrs.off < h->size)
		return bad_at(in, H_ATTRS, "attributes at %" PRIu64 " overlap the header",
			      h->attrs.off);
	if (h->data.off < h->size)
		return bad_at(in, H_DATA, "data at %" PRIu64 " overlaps the header",
			      h->data.off);
	return 0;
}

/* With data.size 0: is there a feature table where the data starts? */
static bool has_table(const struct lint *l, struct input *in,
		      const struct header *h)
{
	uint64_t table = (uint64_t)nr_features(h) * SECTION, off, size;
	unsigned char slot[SECTION];

	if (!table || in->size - h->data.off < table ||
	    input_peek(in, h->data.off, slot, sizeof(slot)))
		return false;
	off = get_u64(l, slot);
	size = get_u64(l, slot + 8);
	return off >= h->data.off + table && off <= in->size &&
	       size <= in->size - off;
}

/**
 * lint_decompressed - did a record make more than it can have been made of?
 * @l:		file, with feature COMPRESSED read
 * @in:	where the records were
 *
 * What perf compresses at a time is at most a ring buffer.
 *
 * Return: 0, or -1 with the reason reported.
 */
int lint_decompressed(const struct lint *l, const struct input *in)
{
	if (!l->comp_mmap_len || l->comp_max <= l->comp_mmap_len)
		return 0;
	return bad_at(in, l->comp_max_off,
		      "compressed record makes %" PRIu64 " bytes, more than the ring buffer's %u",
		      l->comp_max, l->comp_mmap_len);
}

/* The AUX area index says where each AUXTRACE event is, in their order. */
static int check_aux_index(const struct lint *l, struct input *in)
{
	uint64_t at = l->aux_index, nr, off, size, last = 0;
	unsigned char entry[SECTION], ev[LINT_EVENT_HEADER];

	if (!at)
		return 0;
	if (l->aux_nr != l->count[LINT_AUXTRACE])
		return bad_at(in, at,
			      "AUX area index of %" PRIu64 " entries for %" PRIu64 " AUXTRACE events",
			      l->aux_nr, l->count[LINT_AUXTRACE]);
	for (nr = l->aux_nr; nr; nr--, at += sizeof(entry)) {
		if (input_peek(in, at, entry, sizeof(entry)))
			return -1;
		off = get_u64(l, entry);
		size = get_u64(l, entry + 8);
		if (off <= last || off < l->data_off ||
		    off > l->data_off + l->data_size - sizeof(ev))
			return bad_at(in, at, "AUX area index points to %" PRIu64, off);
		if (input_peek(in, off, ev, sizeof(ev)))
			return -1;
		if (get_u32(l, ev) != LINT_AUXTRACE ||
		    get_u16(l, ev + 6) != size)
			return bad_at(in, at,
				      "AUX area index points to %" PRIu64 ", where no AUXTRACE of size %" PRIu64 " is",
				      off, size);
		last = off;
	}
	return 0;
}

static int check_sections(struct lint *l, struct input *in, struct layout *lay)
{
	struct header h;
	struct extent head = { .name = "header", .nr = -1 };

	if (read_header(l, in, &h))
		return -1;
	l->data_off = h.data.off;
	l->data_size = h.data.size;
	l->data_end = h.data.off + h.data.size;
	l->features[0] = h.features[0] & 1ULL << LINT_FEAT_STAT;
	head.size = h.size;

	if (in_file(in, &h.data, H_DATA))
		return -1;
	/* perf writes data.size at the end: without that, it still is 0. */
	if (!h.data.size && !has_table(l, in, &h))
		return bad_at(in, H_DATA + 8,
			      "data.size is 0: unfinished recording, %" PRIu64 " bytes from the start of the data at %" PRIu64,
			      in->size - h.data.off, h.data.off);
	if (h.data.off % 8)
		return bad_at(in, H_DATA, "data at %" PRIu64 ", not a multiple of 8",
			      h.data.off);
	if (add_extent(lay, in, &head) || add_extent(lay, in, &h.data) ||
	    read_attrs(l, in, lay, &h))
		return -1;
	if (h.event_types.size &&
	    (in_file(in, &h.event_types, H_EVENT_TYPES) ||
	     add_extent(lay, in, &h.event_types)))
		return -1;
	/*
	 * Events first: when data.size is wrong, the event at its end says
	 * more than the nonsense that stands where the table should be.
	 */
	if (lint_walk(l, in, h.data.off, h.data.off + h.data.size) ||
	    read_table(l, in, lay, &h) || check_layout(l, in, lay) ||
	    read_features(l, in, lay))
		return -1;
	return lint_decompressed(l, in) || check_aux_index(l, in) ? -1 : 0;
}

/**
 * lint_sections - check a file with a full header, which is not pipe mode
 * @l:	file, byte order known
 * @in:	where to read
 *
 * Return: 0, or -1 with the reason reported.
 */
int lint_sections(struct lint *l, struct input *in)
{
	struct layout lay = { 0 };
	int ret;

	ret = check_sections(l, in, &lay);
	free(lay.e);
	return ret;
}
