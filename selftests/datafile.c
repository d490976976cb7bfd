// SPDX-License-Identifier: GPL-2.0
/*
 * Says in numbers what a perf.data file is made of, for the shell tests.
 *
 * Usage: datafile [-e] [-o] FILE
 *
 *	-e	list the events instead: offset, type, size
 *	-o	where the header has no data size, go on until the file ends;
 *		there may be a part of an event at the end: what a recording
 *		looks like that was broken off and not finished
 *
 * Prints name=value lines:
 *
 *	size		of the file in bytes
 *	blocks		what it takes on disk, in units of 512 bytes
 *	hole		offset of the first hole, size if there is none
 *	data, end	where the events start and end
 *	features	where the last feature section ends
 *	rest		bytes of the broken off event
 *	events, samples	how many there are
 *	lost		LOST and LOST_SAMPLES events
 *	rounds		FINISHED_ROUND events
 *	compressed	events that hold others
 *	pages		how many of the workload's pages have a sample
 *	first, last	their numbers
 *	missing		numbers in between that are missing
 *	twice		samples that are there twice
 *	again		offset of the last such sample, -1 if there is none
 *
 * Exit status: 0, or 1 with a line that says what is wrong at which offset.
 */
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "perfdata.h"

/* perf's own events, not in the kernel's header. */
#define RECORD_FINISHED_ROUND 68
#define RECORD_COMPRESSED 81
#define RECORD_COMPRESSED2 83

struct numbered {
	int64_t number, offset;
	uint64_t time;
};

struct counts {
	uint64_t events, samples, lost, rounds, compressed;
	uint64_t pages, missing, twice;
	int64_t first, last, again;
	struct numbered *list;
	size_t n, room;
};

static void count_sample(const struct perfdata *pd, uint64_t offset,
			 struct counts *c)
{
	int addr_word = perfdata_sample_word(pd, PERF_SAMPLE_ADDR);
	int time_word = perfdata_sample_word(pd, PERF_SAMPLE_TIME);
	struct numbered *n;
	uint64_t addr;

	c->samples++;
	if (addr_word < 0 || time_word < 0)
		return;
	addr = perfdata_u64(pd, offset + 8 + 8 * addr_word);
	if (addr < REGION_START || addr >= 2 * REGION_START)
		return;
	if (c->n == c->room) {
		c->room = c->room ? 2 * c->room : 4096;
		c->list = realloc(c->list, c->room * sizeof(*c->list));
		if (!c->list) {
			fprintf(stderr, "out of memory\n");
			exit(1);
		}
	}
	n = &c->list[c->n++];
	n->offset = offset;
	n->number = (addr - REGION_START) / sysconf(_SC_PAGESIZE);
	n->time = perfdata_u64(pd, offset + 8 + 8 * time_word);
}

static int by_number(const void *a, const void *b)
{
	const struct numbered *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return (x->time > y->time) - (x->time < y->time);
}

/*
 * With several ring buffers the samples are not in order. It happens that the
 * kernel takes a fault again, which makes another sample, at another time.
 */
static void count_numbers(struct counts *c)
{
	size_t i;

	qsort(c->list, c->n, sizeof(*c->list), by_number);
	for (i = 0; i < c->n; i++) {
		const struct numbered *n = &c->list[i];

		if (i && n->number == n[-1].number) {
			if (n->time == n[-1].time) {
				c->twice++;
				c->again = n->offset;
			}
			continue;
		}
		if (i)
			c->missing += n->number - n[-1].number - 1;
		c->pages++;
	}
	if (c->n) {
		c->first = c->list[0].number;
		c->last = c->list[c->n - 1].number;
	}
	free(c->list);
}

static void count(const struct perfdata *pd, const struct perfdata_event *ev,
		  struct counts *c)
{
	c->events++;
	switch (ev->type) {
	case PERF_RECORD_SAMPLE:
		count_sample(pd, ev->offset, c);
		break;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		c->lost++;
		break;
	case RECORD_FINISHED_ROUND:
		c->rounds++;
		break;
	case RECORD_COMPRESSED:
	case RECORD_COMPRESSED2:
		c->compressed++;
		break;
	}
}

static void show(const char *name, uint64_t value)
{
	printf("%s=%" PRId64 "\n", name, value);
}

static void show_all(const struct perfdata *pd, const struct counts *c,
		     uint64_t end, uint64_t rest)
{
	show("size", pd->size);
	show("blocks", pd->blocks);
	show("hole", pd->hole);
	show("data", pd->data);
	show("end", end);
	show("features", perfdata_features_end(pd));
	show("rest", rest);
	show("events", c->events);
	show("samples", c->samples);
	show("lost", c->lost);
	show("rounds", c->rounds);
	show("compressed", c->compressed);
	show("pages", c->pages);
	show("first", c->first);
	show("last", c->last);
	show("missing", c->missing);
	show("twice", c->twice);
	show("again", c->again);
}

int main(int argc, char **argv)
{
	struct counts c = { .first = -1, .last = -1, .again = -1 };
	bool list = false, open_end = false;
	struct perfdata_event ev;
	struct perfdata pd;
	uint64_t pos, end, rest = 0;
	const char *path;
	int opt, ret;

	while ((opt = getopt(argc, argv, "eo")) != -1) {
		if (opt == 'e')
			list = true;
		else if (opt == 'o')
			open_end = true;
		else
			return 1;
	}
	if (optind != argc - 1) {
		fprintf(stderr, "usage: datafile [-e] [-o] FILE\n");
		return 1;
	}
	path = argv[optind];
	ret = perfdata_open(&pd, path);
	if (ret) {
		fprintf(stderr, "%s: %s\n", path,
			ret == -EINVAL ? "no perf.data" : strerror(-ret));
		return 1;
	}

	pos = pd.data;
	/* A file that was broken off and finished says where its events end. */
	end = open_end && pd.data_end <= pd.data ? pd.size : pd.data_end;
	while ((ret = perfdata_next(&pd, &pos, end, &ev)) > 0) {
		count(&pd, &ev, &c);
		if (list)
			printf("%" PRIu64 " %" PRIu32 " %" PRIu16 "\n",
			       ev.offset, ev.type, ev.size);
	}
	if (ret == -ENODATA && open_end && pos < end) {
		rest = end - pos;
		ret = 0;
	}
	count_numbers(&c);
	if (ret)
		fprintf(stderr,
			"%s: offset %" PRIu64 ": no event: type %" PRIu32
			", size %" PRIu16 ", events end at %" PRIu64
			", file ends at %" PRIu64 "\n",
			path, ev.offset, ev.type, ev.size, end, pd.size);
	else if (!list)
		show_all(&pd, &c, pos, rest);
	perfdata_close(&pd);
	return !!ret;
}
