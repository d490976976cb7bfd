// SPDX-License-Identifier: GPL-2.0
/*
 * The same workload, recorded with write(2) and mapped, gives the same file,
 * event by event and word by word. What differs between any two recordings is
 * left out or must be renamed consistently: times, process ids, the ids of
 * events, and the FINISHED_ROUND events, which come as perf finds time.
 */
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kselftest.h"
#include "perfdata.h"
#include "shlib.h"

/* From here on the types are perf's own. */
#define RECORD_USER_TYPE_START 64
#define RECORD_FINISHED_ROUND 68

/*
 * perf drains a ring buffer for each event, or not before there are 64 KiB: from
 * that size on, chunks are not copied into the mapping but given to pwrite(2).
 */
#define SMALL "--no-buffering"
#define LARGE "--mmap-flush=64K"

/**
 * struct recorded - an event and when it happened
 * @ev: where it is
 * @time: 0 for what perf made up itself
 */
struct recorded {
	struct perfdata_event ev;
	uint64_t time;
};

/**
 * struct recording - a file and its events in the order they happened
 * @pd: the file
 * @list: @n events
 * @n: how many
 * @pid: of the workload
 */
struct recording {
	struct perfdata pd;
	struct recorded *list;
	size_t n;
	uint32_t pid;
};

/* The index of the time, in units of 8 bytes; 0 if the event has none. */
static unsigned int time_word(const struct perfdata *pd,
			      const struct perfdata_event *ev)
{
	int word;

	if (ev->type >= RECORD_USER_TYPE_START)
		return 0;
	if (ev->type == PERF_RECORD_SAMPLE) {
		word = perfdata_sample_word(pd, PERF_SAMPLE_TIME);
		return word < 0 ? 0 : word + 1;
	}
	word = perfdata_id_word(pd, PERF_SAMPLE_TIME);
	return word < 0 ? 0 : ev->size / 8 - word;
}

static int by_time(const void *a, const void *b)
{
	const struct recorded *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->ev.offset < y->ev.offset ? -1 : 1;
}

/*
 * It happens that the kernel takes a fault again, which makes another sample,
 * at another time. The same time would be the same sample, stored twice.
 */
static void drop_repeated(struct recording *r)
{
	int word = perfdata_sample_word(&r->pd, PERF_SAMPLE_ADDR);
	size_t i, n = 0;

	if (word < 0)
		return;
	for (i = 0; i < r->n; i++) {
		const struct recorded *e = &r->list[i],
				      *last = &r->list[n ? n - 1 : 0];

		if (n && e->ev.type == PERF_RECORD_SAMPLE &&
		    last->ev.type == PERF_RECORD_SAMPLE &&
		    e->time != last->time &&
		    perfdata_u64(&r->pd, e->ev.offset + 8 + 8 * word) ==
			    perfdata_u64(&r->pd,
					 last->ev.offset + 8 + 8 * word))
			continue;
		r->list[n++] = *e;
	}
	r->n = n;
}

static bool load(struct recording *r, const char *path)
{
	struct perfdata_event ev;
	size_t room = 0;
	uint64_t pos;
	int ret;

	memset(r, 0, sizeof(*r));
	if (perfdata_open(&r->pd, path)) {
		ksft_print_msg("%s: no perf.data\n", path);
		return false;
	}
	pos = r->pd.data;
	while ((ret = perfdata_next(&r->pd, &pos, r->pd.data_end, &ev)) > 0) {
		unsigned int word;

		if (ev.type == RECORD_FINISHED_ROUND)
			continue;
		if (r->n == room) {
			room = room ? 2 * room : 4096;
			r->list = realloc(r->list, room * sizeof(*r->list));
			if (!r->list)
				ksft_exit_fail_msg("out of memory\n");
		}
		word = time_word(&r->pd, &ev);
		r->list[r->n].ev = ev;
		r->list[r->n].time =
			word ? perfdata_u64(&r->pd, ev.offset + 8 * word) : 0;
		r->n++;
		if (ev.type == PERF_RECORD_COMM &&
		    !memcmp(r->pd.map + ev.offset + 16, "workload", 9))
			r->pid = perfdata_u64(&r->pd, ev.offset + 8);
	}
	if (ret < 0) {
		ksft_print_msg("%s: offset %" PRIu64 ": no event\n", path,
			       ev.offset);
		return false;
	}
	/* Several ring buffers: the order in the file is that of the drains. */
	qsort(r->list, r->n, sizeof(*r->list), by_time);
	drop_repeated(r);
	return true;
}

static void unload(struct recording *r)
{
	free(r->list);
	if (r->pd.map)
		perfdata_close(&r->pd);
}

/* A word may hold pid and tid, or one of them. */
static bool same_word(const struct recording *a, const struct recording *b,
		      uint64_t x, uint64_t y)
{
	unsigned int half;

	for (half = 0; half < 2; half++, x >>= 32, y >>= 32) {
		if ((uint32_t)x != (uint32_t)y &&
		    ((uint32_t)x != a->pid || (uint32_t)y != b->pid))
			return false;
	}
	return true;
}

/* What perf itself tells about the system holds ids that count up. */
static bool may_differ(const struct recording *r, const struct recorded *e,
		       unsigned int word)
{
	if (word == 0)
		return false;
	if (e->ev.type >= RECORD_USER_TYPE_START)
		return true;
	/* pid and parent, tid and parent, and a time of its own */
	if (e->ev.type == PERF_RECORD_EXIT && word <= 3)
		return true;
	return word == time_word(&r->pd, &e->ev);
}

static bool same_event(const struct recording *a, const struct recording *b,
		       size_t i)
{
	const struct recorded *x = &a->list[i], *y = &b->list[i];
	unsigned int word;

	/* Word 0 is the header: type, misc, size. */
	for (word = 0; word < x->ev.size / 8u; word++) {
		uint64_t u = perfdata_u64(&a->pd, x->ev.offset + 8 * word);
		uint64_t v = perfdata_u64(&b->pd, y->ev.offset + 8 * word);

		if (same_word(a, b, u, v) || may_differ(a, x, word))
			continue;
		ksft_print_msg("event %zu, word %u: written at offset %" PRIu64
			       ": %016" PRIx64 ", mapped at %" PRIu64
			       ": %016" PRIx64 "\n",
			       i, word, x->ev.offset, u, y->ev.offset, v);
		return false;
	}
	return true;
}

static bool compare(const struct recording *a, const struct recording *b)
{
	size_t i;

	if (a->n != b->n)
		ksft_print_msg("%zu events written, %zu mapped\n", a->n, b->n);
	for (i = 0; i < a->n && i < b->n; i++) {
		if (!same_event(a, b, i))
			return false;
	}
	return a->n == b->n && a->n > 0;
}

static const struct {
	const char *option;
	const char *chunks;
	const char *pages;
	const char *text;
} cases[] = {
	{ "--out-pages=1", LARGE, "9000",
	  "segments of one page, large chunks" },
	{ "--out-pages=1", SMALL, "20000",
	  "segments of one page, small chunks" },
	{ "--out-pages=3", SMALL, "9000", "segments of 3 pages, rounded to 4" },
	{ "--out-pages=64K", SMALL, "20000",
	  "segments of 64 KiB, small chunks" },
	{ "--out-pages=64K", LARGE, "20000",
	  "segments of 64 KiB, large chunks" },
	{ "--out-pages=64M", SMALL, "20000", "a segment of 64 MiB" },
	{ "--out-pages=1G", SMALL, "9000", "a segment larger than the data" },
};

static bool run(const char *file, const char *option, unsigned int i)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s", shlib_file(file));
	return !shlib_call("record_lossless", path, "-e", "page-faults:u", "-c",
			   "1", "-d", "--no-bpf-event", option, cases[i].chunks,
			   "--", "WORKLOAD", "comm", "300", "100", "pace",
			   "1000", "300", "pages", cases[i].pages, "comm",
			   "300", "0", NULL) &&
	       !shlib_call("judge_numbers", path, cases[i].pages, NULL) &&
	       !shlib_call("judge", path, NULL);
}

static bool test(unsigned int i)
{
	struct recording written, mapped;
	bool good = false;

	if (!run("written.data", "--no-out-pages", i) ||
	    !run("mapped.data", cases[i].option, i))
		return false;
	if (load(&written, shlib_file("written.data"))) {
		if (load(&mapped, shlib_file("mapped.data")))
			good = compare(&written, &mapped);
		unload(&mapped);
	}
	unload(&written);
	return good;
}

/*
 * The kernel may take a page of the program away and have it faulted in again,
 * or map more or fewer around one: that happens now and then. What the output
 * does to the events happens each time.
 */
static bool test_thrice(unsigned int i)
{
	unsigned int try;

	for (try = 1; try <= 3; try++) {
		if (test(i))
			return true;
		ksft_print_msg("try %u: not equal\n", try);
	}
	return false;
}

int main(void)
{
	unsigned int i;

	shlib_setup();
	ksft_print_header();
	ksft_set_plan(ARRAY_SIZE(cases));
	for (i = 0; i < ARRAY_SIZE(cases); i++)
		ksft_test_result(test_thrice(i), "equal to write(2): %s\n",
				 cases[i].text);
	ksft_finished();
}
