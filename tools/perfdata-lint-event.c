// SPDX-License-Identifier: GPL-2.0
/*
 * perfdata-lint: the events, one after the other.
 */
#include <inttypes.h>
#include <linux/perf_event.h>
#include <string.h>

#include "perfdata-lint.h"

#define MAX_ID_HDR	48	/* the six u64 that sample_id_all can append */

/* What may follow the fixed part of an event. */
enum tail {
	NONE,		/* nothing */
	IDS,		/* the id sample of sample_id_all */
	ANY,		/* something that is looked at below, or opaque */
	STRING,		/* a string, then the id sample */
};

struct type {
	const char *name;	/* as perf script -D prints it */
	unsigned short min;	/* fixed part with the header, bytes */
	unsigned char tail;	/* enum tail */
	unsigned short nr;	/* offset of a u64 count of entries, or 0 */
	unsigned short entry;	/* bytes per entry */
};

/* clang-format off */
#define EVENT(n, m, t)		{ .name = n, .min = m, .tail = t }
#define COUNTED(n, m, t, at, size) \
	{ .name = n, .min = m, .tail = t, .nr = at, .entry = size }
/* clang-format on */

static const struct type types[LINT_TYPES] = {
	[PERF_RECORD_MMAP]		= EVENT("MMAP", 40, STRING),
	[PERF_RECORD_LOST]		= EVENT("LOST", 24, IDS),
	[PERF_RECORD_COMM]		= EVENT("COMM", 16, STRING),
	[PERF_RECORD_EXIT]		= EVENT("EXIT", 32, IDS),
	[PERF_RECORD_THROTTLE]		= EVENT("THROTTLE", 32, IDS),
	[PERF_RECORD_UNTHROTTLE]	= EVENT("UNTHROTTLE", 32, IDS),
	[PERF_RECORD_FORK]		= EVENT("FORK", 32, IDS),
	[PERF_RECORD_READ]		= EVENT("READ", 24, ANY),
	[PERF_RECORD_SAMPLE]		= EVENT("SAMPLE", 8, ANY),
	[PERF_RECORD_MMAP2]		= EVENT("MMAP2", 72, STRING),
	[PERF_RECORD_AUX]		= EVENT("AUX", 32, IDS),
	[PERF_RECORD_ITRACE_START]	= EVENT("ITRACE_START", 16, IDS),
	[PERF_RECORD_LOST_SAMPLES]	= EVENT("LOST_SAMPLES", 16, IDS),
	[PERF_RECORD_SWITCH]		= EVENT("SWITCH", 8, IDS),
	[PERF_RECORD_SWITCH_CPU_WIDE]	= EVENT("SWITCH_CPU_WIDE", 16, IDS),
	[PERF_RECORD_NAMESPACES]	= COUNTED("NAMESPACES", 24, IDS, 16, 16),
	[PERF_RECORD_KSYMBOL]		= EVENT("KSYMBOL", 24, STRING),
	[PERF_RECORD_BPF_EVENT]		= EVENT("BPF_EVENT", 24, IDS),
	[PERF_RECORD_CGROUP]		= EVENT("CGROUP", 16, STRING),
	[PERF_RECORD_TEXT_POKE]		= EVENT("TEXT_POKE", 20, ANY),
	[LINT_AUX_OUTPUT_HW_ID]		= EVENT("AUX_OUTPUT_HW_ID", 16, IDS),
	[LINT_CALLCHAIN_DEFERRED]	= COUNTED("CALLCHAIN_DEFERRED", 24, IDS, 16, 8),
	[LINT_HEADER_ATTR]		= EVENT("ATTR", 72, ANY),
	[LINT_HEADER_EVENT_TYPE]	= EVENT("EVENT_TYPE", 80, NONE),
	/* Had 12 bytes until a padding word was added. */
	[LINT_HEADER_TRACING_DATA]	= EVENT("TRACING_DATA", 12, ANY),
	[LINT_HEADER_BUILD_ID]		= EVENT("BUILD_ID", 36, STRING),
	[LINT_FINISHED_ROUND]		= EVENT("FINISHED_ROUND", 8, NONE),
	[LINT_ID_INDEX]			= EVENT("ID_INDEX", 16, ANY),
	[LINT_AUXTRACE_INFO]		= EVENT("AUXTRACE_INFO", 16, ANY),
	[LINT_AUXTRACE]			= EVENT("AUXTRACE", 48, NONE),
	[LINT_AUXTRACE_ERROR]		= EVENT("AUXTRACE_ERROR", 41, ANY),
	[LINT_THREAD_MAP]		= COUNTED("THREAD_MAP", 16, NONE, 8, 24),
	[LINT_CPU_MAP]			= EVENT("CPU_MAP", 16, ANY),
	[LINT_STAT_CONFIG]		= COUNTED("STAT_CONFIG", 16, NONE, 8, 16),
	[LINT_STAT]			= EVENT("STAT", 48, NONE),
	[LINT_STAT_ROUND]		= EVENT("STAT_ROUND", 24, NONE),
	[LINT_EVENT_UPDATE]		= EVENT("EVENT_UPDATE", 24, ANY),
	/* Had 32 bytes before the cycle counter fields. */
	[LINT_TIME_CONV]		= EVENT("TIME_CONV", 32, ANY),
	[LINT_HEADER_FEATURE]		= EVENT("FEATURE", 16, ANY),
	[LINT_COMPRESSED]		= EVENT("COMPRESSED", 9, ANY),
	[LINT_FINISHED_INIT]		= EVENT("FINISHED_INIT", 8, NONE),
	[LINT_COMPRESSED2]		= EVENT("COMPRESSED2", 24, ANY),
	[LINT_BPF_METADATA]		= COUNTED("BPF_METADATA", 528, IDS, 520, 320),
	[LINT_SCHEDSTAT_CPU]		= EVENT("SCHEDSTAT_CPU", 24, ANY),
	[LINT_SCHEDSTAT_DOMAIN]		= EVENT("SCHEDSTAT_DOMAIN", 24, ANY),
};

/**
 * lint_event_name - name of an event type
 * @type:	header.type
 *
 * Return: the name that perf script -D uses, or NULL.
 */
const char *lint_event_name(unsigned int type)
{
	return type < LINT_TYPES ? types[type].name : NULL;
}

static bool is_string(const unsigned char *ev, size_t size, size_t off)
{
	return off < size && memchr(ev + off, 0, size - off);
}

static int check_text_poke(const struct lint *l, const struct where *w,
			   const unsigned char *ev, size_t size)
{
	size_t need = 20u + get_u16(l, ev + 16) + get_u16(l, ev + 18);

	if (need > size)
		return bad(w, "TEXT_POKE of size %zu is too small for %zu bytes of code",
			   size, need - 20);
	return 0;
}

static int check_attr(struct lint *l, const struct where *w,
		      const unsigned char *ev, size_t size)
{
	size_t attr_size = get_u32(l, ev + LINT_EVENT_HEADER + 4), off;

	if (!attr_size)
		attr_size = PERF_ATTR_SIZE_VER0;
	if (attr_size < PERF_ATTR_SIZE_VER0 || attr_size % 8 ||
	    attr_size > size - LINT_EVENT_HEADER)
		return bad(w, "ATTR of size %zu with an attribute of size %zu",
			   size, attr_size);
	if (lint_add_attr(l, w, ev + LINT_EVENT_HEADER, attr_size))
		return -1;
	for (off = LINT_EVENT_HEADER + attr_size; off + 8 <= size; off += 8) {
		if (lint_add_id(l, w, get_u64(l, ev + off), l->nr_attrs - 1))
			return -1;
	}
	return 0;
}

static int check_id_index(const struct lint *l, const struct where *w,
			  const unsigned char *ev, size_t size)
{
	uint64_t nr = get_u64(l, ev + 8), left = size - 16;

	/* With guests, a second array of 16 bytes per entry follows. */
	if (nr <= left / 32 && (left == nr * 32 || left == nr * 48))
		return 0;
	return bad(w, "ID_INDEX of size %zu does not fit %" PRIu64 " entries",
		   size, nr);
}

/* The payload of CPU_MAP and of EVENT_UPDATE: a CPU map in one of three forms. */
static int check_cpu_map(const struct lint *l, const struct where *w,
			 const unsigned char *ev, size_t size, size_t off)
{
	const unsigned char *map = ev + off;
	size_t left = size - off, need;
	unsigned int form, nr, width;

	if (left < 8)
		return bad(w, "%s of size %zu has no room for its CPU map",
			   lint_event_name(get_u32(l, ev)), size);
	form = get_u16(l, map);
	nr = get_u16(l, map + 2);
	switch (form) {
	case 0:		/* a list of CPUs */
		need = 4 + 2 * (size_t)nr;
		break;
	case 1:		/* a bit mask; 64 bit words start 4 bytes later */
		width = get_u16(l, map + 4);
		if (width != 4 && width != 8)
			return bad(w, "CPU mask with words of %u bytes", width);
		need = (width == 4 ? 6 : 10) + (size_t)width * nr;
		break;
	case 2:		/* a range */
		need = 8;
		break;
	default:
		return bad(w, "CPU map of unknown form %u", form);
	}
	if (need > left)
		return bad(w, "CPU map of %u entries in %zu bytes", nr, left);
	return 0;
}

static int check_event_update(const struct lint *l, const struct where *w,
			      const unsigned char *ev, size_t size)
{
	uint64_t kind = get_u64(l, ev + 8);

	switch (kind) {
	case 0:		/* unit */
	case 2:		/* name */
		if (!is_string(ev, size, 24))
			return bad(w, "EVENT_UPDATE with a string that does not end");
		return 0;
	case 1:		/* scale, a double */
		if (size < 32)
			return bad(w, "EVENT_UPDATE of size %zu without its scale",
				   size);
		return 0;
	case 3:
		return check_cpu_map(l, w, ev, size, 24);
	}
	return bad(w, "EVENT_UPDATE of unknown kind %" PRIu64, kind);
}

static int check_compressed2(const struct lint *l, const struct where *w,
			     const unsigned char *ev, size_t size)
{
	uint64_t data = get_u64(l, ev + 8);

	/* The size is that of the data, padded to the next multiple of 8. */
	if (!data || data > size - 16 || size - 16 - data >= 8)
		return bad(w, "COMPRESSED2 of size %zu with %" PRIu64 " bytes of data",
			   size, data);
	return 0;
}

static int check_feature(struct lint *l, const struct where *w,
			 const unsigned char *ev, size_t size)
{
	uint64_t feat = get_u64(l, ev + 8);

	if (!feat || feat >= LINT_FEAT_BITS)
		return bad(w, "FEATURE with number %" PRIu64, feat);
	/* perf ends the features with an empty one past the last it knows. */
	if (size == 16)
		return 0;
	return lint_feature_event(l, w, feat, ev + 16, size - 16);
}

/* What is special about single types. */
static int check_special(struct lint *l, const struct where *w,
			 const unsigned char *ev, size_t size)
{
	switch (get_u32(l, ev)) {
	case PERF_RECORD_LOST:
		l->lost += get_u64(l, ev + 16);
		return 0;
	case PERF_RECORD_LOST_SAMPLES:
		l->lost_samples += get_u64(l, ev + 8);
		return 0;
	case PERF_RECORD_SAMPLE:
		return lint_sample(l, w, ev, size);
	case PERF_RECORD_TEXT_POKE:
		return check_text_poke(l, w, ev, size);
	case LINT_HEADER_ATTR:
		return check_attr(l, w, ev, size);
	case LINT_ID_INDEX:
		return check_id_index(l, w, ev, size);
	case LINT_CPU_MAP:
		return check_cpu_map(l, w, ev, size, LINT_EVENT_HEADER);
	case LINT_EVENT_UPDATE:
		return check_event_update(l, w, ev, size);
	case LINT_HEADER_FEATURE:
		return check_feature(l, w, ev, size);
	case LINT_COMPRESSED2:
		return check_compressed2(l, w, ev, size);
	}
	return 0;
}

/* Three kinds of records were let out of the rule before it was one. */
static bool may_be_unaligned(unsigned int type)
{
	return type == LINT_HEADER_TRACING_DATA ||
	       type == LINT_HEADER_FEATURE || type == LINT_COMPRESSED;
}

static int check_size(const struct lint *l, const struct where *w,
		      const unsigned char *ev, size_t size)
{
	const struct type *t = &types[get_u32(l, ev)];
	size_t fixed = t->min;

	if (size < fixed)
		return bad(w, "%s of size %zu, at least %zu needed",
			   t->name, size, fixed);
	if (t->nr) {
		uint64_t nr = get_u64(l, ev + t->nr);

		if (nr > (size - fixed) / t->entry)
			return bad(w, "%s of size %zu is too small for %" PRIu64 " entries",
				   t->name, size, nr);
		fixed += nr * t->entry;
	}
	if (t->tail == NONE && size != fixed)
		return bad(w, "%s of size %zu instead of %zu", t->name, size,
			   fixed);
	if (t->tail == IDS && size > fixed + MAX_ID_HDR)
		return bad(w, "%s of size %zu, at most %d expected", t->name,
			   size, (int)fixed + MAX_ID_HDR);
	if (t->tail == STRING && !is_string(ev, size, fixed))
		return bad(w, "%s with a name that does not end in it", t->name);
	return 0;
}

/**
 * lint_event - check and count one event
 * @l:		file
 * @w:		where the event is
 * @ev:		event, complete
 * @size:	its header.size, bytes, at least LINT_EVENT_HEADER
 *
 * Return: 0, or -1 with the reason reported.
 */
int lint_event(struct lint *l, const struct where *w, const unsigned char *ev,
	       size_t size)
{
	unsigned int type = get_u32(l, ev), misc = get_u16(l, ev + 4);
	const char *name = lint_event_name(type);

	if (!name)
		return bad(w, "unknown event type %u (size %zu, misc %#x)",
			   type, size, misc);
	if (size % 8 && !may_be_unaligned(type))
		return bad(w, "%s of size %zu, not a multiple of 8", name, size);
	if (check_size(l, w, ev, size))
		return -1;
	/* Kernel events: modes up to GUEST_USER, and flags from bit 12 on. */
	if (type < LINT_USER_TYPES && (misc & 0xff8 || (misc & 7) > 5))
		return bad(w, "%s with misc %#x", name, misc);
	if (types[type].min == LINT_EVENT_HEADER && types[type].tail == NONE && misc)
		return bad(w, "%s with misc %#x", name, misc);
	if (type < LINT_USER_TYPES && type != PERF_RECORD_SAMPLE &&
	    lint_trailing_id(l, w, ev, size, types[type].min))
		return -1;
	if (check_special(l, w, ev, size))
		return -1;
	l->count[type]++;
	l->total++;
	if (l->events) {
		fprintf(l->events, "%s%" PRIu64, l->events_tag, w->off);
		if (w->inner)
			fprintf(l->events, "+%" PRIu64, w->inner_off);
		fprintf(l->events, " %s %zu\n", name, size);
	}
	return 0;
}

/* Bytes after an event that belong to it and are not counted in its size. */
static uint64_t payload(const struct lint *l, const unsigned char *ev)
{
	switch (get_u32(l, ev)) {
	case LINT_AUXTRACE:
		return get_u64(l, ev + 8);
	case LINT_HEADER_TRACING_DATA:
		return get_u32(l, ev + 8);
	}
	return 0;
}

static int zero_header(struct input *in, uint64_t off, uint64_t end)
{
	uint64_t n = input_zeros(in, off, end);

	if (off + n == end)
		return bad_at(in, off,
			      "zero event header: zero tail, %" PRIu64 " zero bytes to the end of the data",
			      n);
	return bad_at(in, off, "zero event header: hole of %" PRIu64 " zero bytes in the data",
		      n);
}

static int walk(struct lint *l, struct input *in, struct unzip *zip,
		uint64_t off, uint64_t end)
{
	struct where w = { .path = in->path };

	while (off < end) {
		const unsigned char *ev;
		uint64_t extra;
		size_t size;

		w.off = off;
		if (end - off < LINT_EVENT_HEADER)
			return bad(&w, "%u bytes after the last event",
				   (unsigned int)(end - off));
		ev = input_at(in, off, LINT_EVENT_HEADER);
		if (!ev)
			return -1;
		size = get_u16(l, ev + 6);
		if (!size && !get_u32(l, ev))
			return zero_header(in, off, end);
		if (size < LINT_EVENT_HEADER)
			return bad(&w, "event of type %u with size %zu",
				   get_u32(l, ev), size);
		if (size > end - off)
			return bad(&w,
				   "event of type %u and size %zu goes past the end of the data at %" PRIu64,
				   get_u32(l, ev), size, end);
		ev = input_at(in, off, size);
		if (!ev || lint_event(l, &w, ev, size))
			return -1;

		extra = payload(l, ev);
		off += size;
		if (extra > end - off)
			return bad(&w,
				   "%s with %" PRIu64 " bytes after it goes past the end of the data at %" PRIu64,
				   lint_event_name(get_u32(l, ev)), extra, end);
		off += extra;

		switch (get_u32(l, ev)) {
		case LINT_COMPRESSED:
			if (unzip_feed(zip, l, &w, ev + 8, size - 8))
				return -1;
			break;
		case LINT_COMPRESSED2:
			if (unzip_feed(zip, l, &w, ev + 16,
				       get_u64(l, ev + 8)))
				return -1;
			break;
		}
	}
	w.off = end;
	return unzip_end(zip, &w);
}

/**
 * lint_walk - check all events of a data section
 * @l:		file
 * @in:		where to read
 * @start:	offset of the first event
 * @end:	offset after the last one, inside the file
 *
 * Return: 0 when the events fill the range exactly, or -1 with the reason
 * reported.
 */
int lint_walk(struct lint *l, struct input *in, uint64_t start, uint64_t end)
{
	struct unzip *zip = unzip_new();
	int err;

	if (!zip)
		return bad_at(in, start, "out of memory");
	err = walk(l, in, zip, start, end);
	unzip_free(zip);
	return err;
}
