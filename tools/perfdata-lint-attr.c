// SPDX-License-Identifier: GPL-2.0
/*
 * perfdata-lint: event attributes and ids, and the samples they describe.
 */
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata-lint.h"

/*
 * perf itself refuses files with more. Limits bound the memory that a file
 * with invented numbers can make the checker take.
 */
#define MAX_ATTRS	(1 << 16)

/* Offsets in struct perf_event_attr, which only ever grows at its end. */
#define ATTR_SAMPLE_TYPE	24
#define ATTR_READ_FORMAT	32
#define ATTR_FLAGS		40
#define ATTR_BRANCH_TYPE	72
#define ATTR_REGS_USER		80
#define ATTR_REGS_INTR		96

#define FLAG_SAMPLE_ID_ALL	18	/* bit number, counted from the first */

/* Newer than some copies of <linux/perf_event.h>. */
#define BRANCH_HW_INDEX		(1ULL << 17)
#define BRANCH_COUNTERS		(1ULL << 19)
#define FORMAT_LOST		(1ULL << 4)

#define KNOWN_SAMPLE_TYPE	((1ULL << 25) - 1)

/**
 * lint_add_attr - take note of an event attribute
 * @l:		file
 * @w:		where it is, for messages
 * @attr:	struct perf_event_attr in the byte order of the file
 * @size:	its size, bytes, at least PERF_ATTR_SIZE_VER0
 *
 * Return: 0, or -1 with the reason reported.
 */
int lint_add_attr(struct lint *l, const struct where *w, const void *attr,
		  size_t size)
{
	const unsigned char *p = attr;
	struct lint_attr *a;
	uint64_t flags;
	int bit;

	if (l->nr_attrs >= MAX_ATTRS)
		return bad(w, "more than %d event attributes", MAX_ATTRS);
	/* Doubles when the number reaches a power of two. */
	if (!(l->nr_attrs & (l->nr_attrs - 1))) {
		size_t room = l->nr_attrs ? l->nr_attrs * 2 : 1;

		a = realloc(l->attrs, room * sizeof(*a));
		if (!a)
			return bad(w, "out of memory");
		l->attrs = a;
	}
	a = &l->attrs[l->nr_attrs++];
	memset(a, 0, sizeof(*a));
	a->sample_type = get_u64(l, p + ATTR_SAMPLE_TYPE);
	a->read_format = get_u64(l, p + ATTR_READ_FORMAT);
	flags = get_u64(l, p + ATTR_FLAGS);
	/* Bit fields are laid out from the other end on big-endian machines. */
	bit = l->big_endian ? 63 - FLAG_SAMPLE_ID_ALL : FLAG_SAMPLE_ID_ALL;
	a->sample_id_all = flags >> bit & 1;
	if (size >= ATTR_BRANCH_TYPE + 8)
		a->branch_sample_type = get_u64(l, p + ATTR_BRANCH_TYPE);
	if (size >= ATTR_REGS_USER + 8)
		a->regs_user = get_u64(l, p + ATTR_REGS_USER);
	if (size >= ATTR_REGS_INTR + 8)
		a->regs_intr = get_u64(l, p + ATTR_REGS_INTR);
	return 0;
}

static size_t id_slot(const struct lint_id *ids, size_t size, uint64_t id)
{
	size_t i = (id * 0x9e3779b97f4a7c15ULL >> 32) & (size - 1);

	while (ids[i].attr && ids[i].id != id)
		i = (i + 1) & (size - 1);
	return i;
}

static int grow_ids(struct lint *l)
{
	size_t size = l->ids_size ? l->ids_size * 2 : 64, i;
	struct lint_id *ids = calloc(size, sizeof(*ids));

	if (!ids)
		return -1;
	for (i = 0; i < l->ids_size; i++) {
		if (l->ids[i].attr)
			ids[id_slot(ids, size, l->ids[i].id)] = l->ids[i];
	}
	free(l->ids);
	l->ids = ids;
	l->ids_size = size;
	return 0;
}

/**
 * lint_add_id - take note that an id belongs to an attribute
 * @l:		file
 * @w:		where it is, for messages
 * @id:		id
 * @attr:	index of the attribute
 *
 * Return: 0, or -1 with the reason reported.
 */
int lint_add_id(struct lint *l, const struct where *w, uint64_t id, size_t attr)
{
	size_t i;

	if (l->nr_ids >= LINT_MAX_IDS)
		return bad(w, "more than %d ids", LINT_MAX_IDS);
	if (l->nr_ids * 2 >= l->ids_size && grow_ids(l))
		return bad(w, "out of memory");
	i = id_slot(l->ids, l->ids_size, id);
	if (!l->ids[i].attr) {
		l->ids[i] = (struct lint_id){ .id = id, .attr = attr + 1 };
		l->nr_ids++;
	}
	return 0;
}

/* Where in a sample the id is, in u64 after the header, or -1. */
static int id_pos(uint64_t type)
{
	if (type & PERF_SAMPLE_IDENTIFIER)
		return 0;
	if (!(type & PERF_SAMPLE_ID))
		return -1;
	return __builtin_popcountll(type & (PERF_SAMPLE_IP | PERF_SAMPLE_TID |
					    PERF_SAMPLE_TIME |
					    PERF_SAMPLE_ADDR));
}

/* The same for other events, counted back from their end. */
static int id_pos_back(uint64_t type)
{
	if (type & PERF_SAMPLE_IDENTIFIER)
		return 1;
	if (!(type & PERF_SAMPLE_ID))
		return -1;
	return 1 + __builtin_popcountll(type & (PERF_SAMPLE_CPU |
						PERF_SAMPLE_STREAM_ID));
}

static const struct lint_id *find_id(const struct lint *l, uint64_t id)
{
	const struct lint_id *slot;

	if (!l->ids_size)
		return NULL;
	slot = &l->ids[id_slot(l->ids, l->ids_size, id)];
	return slot->attr ? slot : NULL;
}

/**
 * lint_trailing_id - the id that sample_id_all puts at the end of an event
 * @l:		file
 * @w:		where the event is
 * @ev:		event of the kernel, other than SAMPLE
 * @size:	its size, bytes
 * @min:	size of its own fields, bytes
 *
 * An event that perf has made up has 0 there or no id at all.
 *
 * Return: 0, or -1 with the reason reported.
 */
int lint_trailing_id(const struct lint *l, const struct where *w,
		     const unsigned char *ev, size_t size, size_t min)
{
	const struct lint_attr *a = l->attrs;
	uint64_t id;
	int pos;

	if (l->nr_attrs < 2 || !a->sample_id_all)
		return 0;
	pos = id_pos_back(a->sample_type);
	if (pos < 0 || size < min + 8 * (size_t)pos)
		return 0;
	id = get_u64(l, ev + size - 8 * (size_t)pos);
	if (!id || find_id(l, id))
		return 0;
	return bad(w, "%s ends with id %llu, which no event attribute has",
		   lint_event_name(get_u32(l, ev)), (unsigned long long)id);
}

/**
 * lint_check_attrs - can events be told apart with these attributes?
 * @l:	file
 * @w:	where the attributes are
 *
 * With several attributes the id has to be at the same place in all events,
 * or no reader can know which attribute an event belongs to.
 *
 * Return: 0, or -1 with the reason reported.
 */
int lint_check_attrs(const struct lint *l, const struct where *w)
{
	const struct lint_attr *first = l->attrs, *a;

	if (l->nr_attrs < 2)
		return 0;
	for (a = first; a < first + l->nr_attrs; a++) {
		if (a->sample_id_all != first->sample_id_all)
			return bad(w, "sample_id_all differs between attributes");
		if (id_pos(a->sample_type) < 0)
			return bad(w, "several attributes, one has no id in its samples");
		if (id_pos(a->sample_type) != id_pos(first->sample_type) ||
		    id_pos_back(a->sample_type) !=
			    id_pos_back(first->sample_type))
			return bad(w, "the place of the id differs between attributes");
	}
	return 0;
}

/* The bytes of one sample that have not been looked at. */
struct rest {
	const struct lint *l;
	const unsigned char *p;
	size_t left;
};

static bool skip(struct rest *r, uint64_t n)
{
	if (n > r->left)
		return false;
	r->p += n;
	r->left -= n;
	return true;
}

static bool take_u64(struct rest *r, uint64_t *v)
{
	if (r->left < 8)
		return false;
	*v = get_u64(r->l, r->p);
	return skip(r, 8);
}

/* u64 entries with a count before them; each of entry_size bytes. */
static bool skip_counted(struct rest *r, uint64_t extra, uint64_t entry_size)
{
	uint64_t nr;

	if (!take_u64(r, &nr) || !skip(r, extra))
		return false;
	return nr <= r->left / entry_size && skip(r, nr * entry_size);
}

static bool skip_read(struct rest *r, uint64_t format)
{
	uint64_t times = 8 * __builtin_popcountll(format &
						  (PERF_FORMAT_TOTAL_TIME_ENABLED |
						   PERF_FORMAT_TOTAL_TIME_RUNNING));
	uint64_t value = 8 + 8 * __builtin_popcountll(format &
						      (PERF_FORMAT_ID | FORMAT_LOST));

	if (format & PERF_FORMAT_GROUP)
		return skip_counted(r, times, value);
	return skip(r, times + value);
}

static bool skip_raw(struct rest *r)
{
	uint32_t size;

	if (r->left < 4)
		return false;
	size = get_u32(r->l, r->p);
	return skip(r, 4 + (uint64_t)size);
}

static bool skip_branches(struct rest *r, uint64_t branch_type)
{
	uint64_t hw_idx = branch_type & BRANCH_HW_INDEX ? 8 : 0;
	uint64_t entry = branch_type & BRANCH_COUNTERS ? 32 : 24;

	return skip_counted(r, hw_idx, entry);
}

static bool skip_regs(struct rest *r, uint64_t mask)
{
	uint64_t abi;

	if (!take_u64(r, &abi))
		return false;
	return !abi || skip(r, 8 * __builtin_popcountll(mask));
}

static bool skip_stack(struct rest *r)
{
	uint64_t size, dyn;

	if (!take_u64(r, &size))
		return false;
	if (!size)
		return true;
	return skip(r, size) && take_u64(r, &dyn) && dyn <= size;
}

/* Which attribute does a sample belong to? */
static const struct lint_attr *sample_attr(const struct lint *l,
					   const struct where *w,
					   const unsigned char *ev, size_t size)
{
	const struct lint_attr *a = l->attrs;
	const struct lint_id *slot;
	uint64_t id;
	int pos;

	if (!l->nr_attrs) {
		bad(w, "SAMPLE before any event attribute");
		return NULL;
	}
	pos = id_pos(a->sample_type);
	if (l->nr_attrs == 1 || pos < 0)
		return a;
	if (size < LINT_EVENT_HEADER + 8 * ((size_t)pos + 1)) {
		bad(w, "SAMPLE of size %zu has no room for its id", size);
		return NULL;
	}
	id = get_u64(l, ev + LINT_EVENT_HEADER + 8 * (size_t)pos);
	/* perf takes samples without an id for those of the first event. */
	if (!id)
		return a;
	slot = find_id(l, id);
	if (slot)
		return &l->attrs[slot->attr - 1];
	bad(w, "SAMPLE with id %llu, which no event attribute has",
	    (unsigned long long)id);
	return NULL;
}

/**
 * lint_sample - hold a sample against its attribute
 * @l:		file
 * @w:		where the sample is
 * @ev:		sample
 * @size:	its size, header included, bytes
 *
 * Return: 0 when the fields that the attribute asks for fill the sample
 * exactly, or -1 with the reason reported.
 */
int lint_sample(const struct lint *l, const struct where *w,
		const unsigned char *ev, size_t size)
{
	const struct lint_attr *a = sample_attr(l, w, ev, size);
	const uint64_t fixed = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
			       PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |
			       PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
			       PERF_SAMPLE_PERIOD;
	const uint64_t late = PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP |
			      PERF_SAMPLE_DATA_PAGE_SIZE |
			      PERF_SAMPLE_CODE_PAGE_SIZE;
	struct rest r = { .l = l };
	const char *what;
	uint64_t t;

	if (!a)
		return -1;
	t = a->sample_type;
	r.p = ev + LINT_EVENT_HEADER;
	r.left = size - LINT_EVENT_HEADER;

	what = "fixed fields";
	if (!skip(&r, 8 * __builtin_popcountll(t & fixed)))
		goto too_small;
	/* A newer kernel's fields: nobody here knows what they look like. */
	if (t & ~KNOWN_SAMPLE_TYPE)
		return 0;
	what = "counter values";
	if (t & PERF_SAMPLE_READ && !skip_read(&r, a->read_format))
		goto too_small;
	what = "callchain";
	if (t & PERF_SAMPLE_CALLCHAIN && !skip_counted(&r, 0, 8))
		goto too_small;
	what = "raw data";
	if (t & PERF_SAMPLE_RAW && !skip_raw(&r))
		goto too_small;
	what = "branch stack";
	if (t & PERF_SAMPLE_BRANCH_STACK &&
	    !skip_branches(&r, a->branch_sample_type))
		goto too_small;
	what = "user registers";
	if (t & PERF_SAMPLE_REGS_USER && !skip_regs(&r, a->regs_user))
		goto too_small;
	what = "user stack";
	if (t & PERF_SAMPLE_STACK_USER && !skip_stack(&r))
		goto too_small;
	what = "weight, data source or transaction";
	if (t & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT) &&
	    !skip(&r, 8))
		goto too_small;
	if (!skip(&r, 8 * __builtin_popcountll(t & (PERF_SAMPLE_DATA_SRC |
						    PERF_SAMPLE_TRANSACTION))))
		goto too_small;
	what = "interrupt registers";
	if (t & PERF_SAMPLE_REGS_INTR && !skip_regs(&r, a->regs_intr))
		goto too_small;
	what = "address, cgroup or page size";
	if (!skip(&r, 8 * __builtin_popcountll(t & late)))
		goto too_small;
	what = "AUX data";
	if (t & PERF_SAMPLE_AUX && !skip_counted(&r, 0, 1))
		goto too_small;
	if (r.left)
		return bad(w, "SAMPLE of size %zu has %zu bytes more than its fields",
			   size, r.left);
	return 0;

too_small:
	return bad(w, "SAMPLE of size %zu is too small for its %s", size, what);
}

/**
 * lint_free - give back what a struct lint has gathered
 * @l:	file
 */
void lint_free(struct lint *l)
{
	free(l->attrs);
	free(l->ids);
	l->attrs = NULL;
	l->ids = NULL;
}
