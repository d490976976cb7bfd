// SPDX-License-Identifier: GPL-2.0
/*
 * perfdata-lint: what is inside the feature sections.
 *
 * In a file they are sections after the data, in pipe mode events of type
 * FEATURE. The content is the same.
 */
#include <inttypes.h>
#include <linux/perf_event.h>
#include <string.h>

#include "perfdata-lint.h"

/*
 * Layouts, one letter per field: 4 a u32, 8 a u64, s a string (u32 length,
 * then that many bytes with a NUL in them), b a u32 length and that many
 * bytes, n(...) a u32 count and that many of the group, * whatever is left.
 * NULL: looked at by a function of its own, or not at all.
 */
static const struct {
	const char *name;
	const char *layout;
} features[] = {
	{ "RESERVED", NULL },
	{ "TRACING_DATA", NULL },
	{ "BUILD_ID", NULL },
	{ "HOSTNAME", "s" },
	{ "OSRELEASE", "s" },
	{ "VERSION", "s" },
	{ "ARCH", "s" },
	{ "NRCPUS", "44" },
	{ "CPUDESC", "s" },
	{ "CPUID", "s" },
	{ "TOTAL_MEM", "8" },
	{ "CMDLINE", "n(s)" },
	{ "EVENT_DESC", NULL },
	{ "CPU_TOPOLOGY", "n(s)n(s)*" },
	{ "NUMA_TOPOLOGY", "n(488s)" },
	{ "BRANCH_STACK", "" },
	{ "PMU_MAPPINGS", "n(4s)" },
	{ "GROUP_DESC", "n(s44)" },
	{ "AUXTRACE", NULL },
	{ "STAT", "" },
	{ "CACHE", "4n(4444sss)" },
	{ "SAMPLE_TIME", "88" },
	{ "MEM_TOPOLOGY", "888*" },
	{ "CLOCKID", "8" },
	{ "DIR_FORMAT", "8" },
	{ "BPF_PROG_INFO", NULL },
	{ "BPF_BTF", "n(4b)" },
	{ "COMPRESSED", "44444" },
	{ "CPU_PMU_CAPS", "n(ss)" },
	{ "CLOCK_DATA", "4488" },
	{ "HYBRID_TOPOLOGY", "n(ss)" },
	{ "PMU_CAPS", "n(n(ss)s)" },
	/* The layout depends on the version of /proc/schedstat. */
	{ "CPU_DOMAIN_INFO", "44*" },
	{ "E_MACHINE", "44" },
	{ "CLN_SIZE", "4" },
};

#define NR_FEATURES	(sizeof(features) / sizeof(features[0]))

/* More than any machine has of anything; bounds the time for sparse files. */
#define MAX_COUNT	(1 << 20)

/* The part of a feature that has not been looked at, in memory or in a file. */
struct rest {
	const struct lint *l;
	struct input *in;
	const unsigned char *mem;
	uint64_t off;		/* in the file, or in @mem */
	uint64_t end;
	bool failed;		/* reported already */
};

/**
 * lint_feature_name - name of a feature
 * @feat:	bit number
 *
 * Return: perf's name, or NULL.
 */
const char *lint_feature_name(unsigned int feat)
{
	return feat < NR_FEATURES ? features[feat].name : NULL;
}

static bool skip(struct rest *r, uint64_t n)
{
	if (n > r->end - r->off)
		return false;
	r->off += n;
	return true;
}

/* At most LINT_MAX_EVENT bytes, valid until the next call. */
static const unsigned char *take(struct rest *r, size_t n)
{
	const unsigned char *p;

	if (n > r->end - r->off)
		return NULL;
	p = r->mem ? r->mem + r->off : input_at(r->in, r->off, n);
	if (!p)
		r->failed = true;
	r->off += n;
	return p;
}

static bool take_u32(struct rest *r, uint32_t *v)
{
	const unsigned char *p = take(r, 4);

	if (p)
		*v = get_u32(r->l, p);
	return p;
}

static bool take_u64(struct rest *r, uint64_t *v)
{
	const unsigned char *p = take(r, 8);

	if (p)
		*v = get_u64(r->l, p);
	return p;
}

static bool take_string(struct rest *r)
{
	uint32_t len;

	if (!take_u32(r, &len) || len > r->end - r->off)
		return false;
	while (len) {
		size_t n = len < 4096 ? len : 4096;
		const unsigned char *p = take(r, n);

		if (!p)
			return false;
		len -= n;
		if (memchr(p, 0, n))
			return skip(r, len);
	}
	return false;
}

static const char *group_end(const char *f)
{
	int depth = 0;

	do {
		depth += (*f == '(') - (*f == ')');
		f++;
	} while (depth);
	return f;
}

/* Hold the rest against a layout, up to its end or the end of the group. */
static bool fits(struct rest *r, const char *f)
{
	uint32_t n;

	for (; *f && *f != ')'; f++) {
		switch (*f) {
		case '4':
			if (!skip(r, 4))
				return false;
			break;
		case '8':
			if (!skip(r, 8))
				return false;
			break;
		case 's':
			if (!take_string(r))
				return false;
			break;
		case 'b':
			if (!take_u32(r, &n) || !skip(r, n))
				return false;
			break;
		case '*':
			r->off = r->end;
			break;
		case 'n':
			if (!take_u32(r, &n) || n > MAX_COUNT)
				return false;
			while (n--) {
				if (!fits(r, f + 2))
					return false;
			}
			f = group_end(f + 1) - 1;
			break;
		}
	}
	return true;
}

/* Event descriptions: attribute, ids, and the name of each event. */
static bool fits_event_desc(struct rest *r)
{
	uint32_t nr, attr_size, nr_ids;

	if (!take_u32(r, &nr) || nr > MAX_COUNT ||
	    !take_u32(r, &attr_size) || attr_size < PERF_ATTR_SIZE_VER0)
		return false;
	while (nr--) {
		if (!skip(r, attr_size) || !take_u32(r, &nr_ids) ||
		    !take_string(r) || !skip(r, 8 * (uint64_t)nr_ids))
			return false;
	}
	return true;
}

/* Records with an event header in front, of which only the size is set. */
static bool fits_build_id(struct rest *r)
{
	while (r->off < r->end) {
		uint64_t start = r->off;
		const unsigned char *p = take(r, LINT_EVENT_HEADER);
		size_t size;

		if (!p)
			return false;
		size = get_u16(r->l, p + 6);
		r->off = start;
		/* header, pid, 24 bytes for the build id, name */
		if (size <= 36)
			return false;
		p = take(r, size);
		if (!p || !memchr(p + 36, 0, size - 36))
			return false;
	}
	return true;
}

static bool fits_bpf_prog_info(struct rest *r)
{
	uint32_t nr, info_len, data_len;

	if (!take_u32(r, &nr) || nr > MAX_COUNT)
		return false;
	while (nr--) {
		if (!take_u32(r, &info_len) || !take_u32(r, &data_len) ||
		    !skip(r, 8 + (uint64_t)info_len + data_len))
			return false;
	}
	return true;
}

static bool fits_auxtrace(struct rest *r, struct lint *l)
{
	uint64_t nr;

	if (!take_u64(r, &nr) || nr != (r->end - r->off) / 16)
		return false;
	if (r->in) {
		l->aux_index = r->off;
		l->aux_nr = nr;
	}
	return skip(r, nr * 16);
}

/* The format of trace-cmd: three bytes of magic and a word. */
static bool fits_tracing_data(struct rest *r)
{
	const unsigned char *p = take(r, 10);

	if (!p || memcmp(p, "\027\010Dtracing", 10))
		return false;
	r->off = r->end;
	return true;
}

static bool fits_feature(struct rest *r, struct lint *l, unsigned int feat)
{
	switch (feat) {
	case LINT_FEAT_TRACING_DATA:
		return fits_tracing_data(r);
	case LINT_FEAT_BUILD_ID:
		return fits_build_id(r);
	case LINT_FEAT_EVENT_DESC:
		return fits_event_desc(r);
	case LINT_FEAT_AUXTRACE:
		return fits_auxtrace(r, l);
	case LINT_FEAT_BPF_PROG_INFO:
		return fits_bpf_prog_info(r);
	}
	return fits(r, features[feat].layout);
}

static int check(struct rest *r, struct lint *l, const struct where *w,
		 unsigned int feat)
{
	struct rest values = *r;
	const unsigned char *p;
	uint64_t start = r->off;

	if (feat >= NR_FEATURES)
		return 0;
	if (!fits_feature(r, l, feat)) {
		if (r->failed)
			return -1;
		return bad(w, "feature %s does not fit its %" PRIu64 " bytes",
			   features[feat].name, r->end - start);
	}
	if (r->off != r->end)
		return bad(w, "feature %s has %" PRIu64 " bytes left of %" PRIu64,
			   features[feat].name, r->end - r->off,
			   r->end - start);

	/* Numbers that other checks need. */
	if (feat == LINT_FEAT_DIR_FORMAT) {
		p = take(&values, 8);
		if (!p)
			return -1;
		l->dir_version = get_u64(l, p);
	} else if (feat == LINT_FEAT_COMPRESSED) {
		p = take(&values, 20);
		if (!p)
			return -1;
		l->comp_mmap_len = get_u32(l, p + 16);
	}
	return 0;
}

/**
 * lint_feature_section - check the content of a feature section
 * @l:		file
 * @in:		where to read
 * @feat:	bit number
 * @off:	start of the section
 * @size:	its size, bytes; the section is inside the file
 *
 * Return: 0, or -1 with the reason reported.
 */
int lint_feature_section(struct lint *l, struct input *in, unsigned int feat,
			 uint64_t off, uint64_t size)
{
	struct rest r = { .l = l, .in = in, .off = off, .end = off + size };
	struct where w = { .path = in->path, .off = off };

	l->features[feat / 64] |= 1ULL << feat % 64;
	return check(&r, l, &w, feat);
}

/**
 * lint_feature_event - check the content of a FEATURE event
 * @l:		file
 * @w:		where the event is
 * @feat:	bit number, below LINT_FEAT_BITS
 * @data:	content
 * @size:	its size, bytes
 *
 * Return: 0, or -1 with the reason reported.
 */
int lint_feature_event(struct lint *l, const struct where *w,
		       unsigned int feat, const void *data, size_t size)
{
	struct rest r = { .l = l, .mem = data, .end = size };

	l->features[feat / 64] |= 1ULL << feat % 64;
	return check(&r, l, w, feat);
}
