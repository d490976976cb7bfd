// SPDX-License-Identifier: GPL-2.0
/*
 * Data that ends 8 bytes before, exactly at, and 8 bytes behind the end of a
 * segment: perf's events are multiples of 8 bytes, so closer it does not come
 * ("perf test" writes single bytes to the same code).
 *
 * The segments have one or two pages. The workload causes a fixed number of
 * COMM events, some of which are 8 bytes longer; how many decides where the
 * data ends. What perf adds itself (FINISHED_ROUND) varies, hence a few tries.
 */
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"
#include "perfdata.h"
#include "shlib.h"

#define TRIES 40

static const struct {
	unsigned int pages;
	int where;
	const char *text;
} cases[] = {
	{ 1, -8, "8 bytes before the end of a segment of one page" },
	{ 1, 0, "at the end of a segment of one page" },
	{ 1, 8, "8 bytes behind the end of a segment of one page" },
	{ 2, -8, "8 bytes before the end of a segment of two pages" },
	{ 2, 0, "at the end of a segment of two pages" },
	{ 2, 8, "8 bytes behind the end of a segment of two pages" },
};

/*
 * Counts the names of the workload; they must come as 0, 1, 2... and the first
 * nlong must be long ones.
 */
static uint64_t count_names(const struct perfdata *pd, uint64_t nlong)
{
	uint64_t pos = pd->data, n = 0;
	struct perfdata_event ev;
	int ret;

	while ((ret = perfdata_next(pd, &pos, pd->data_end, &ev)) > 0) {
		const char *name = (const char *)pd->map + ev.offset + 16;
		char want[16];

		if (ev.type != PERF_RECORD_COMM || *name < '0' || *name > '9')
			continue;
		snprintf(want, sizeof(want),
			 n < nlong ? "%015" PRIu64 : "%07" PRIu64, n);
		if (strncmp(name, want, ev.size - 16)) {
			ksft_print_msg("offset %" PRIu64
				       ": expected name %s, got %.16s\n",
				       ev.offset, want, name);
			return 0;
		}
		n++;
	}
	if (ret < 0) {
		ksft_print_msg("offset %" PRIu64 ": no event\n", ev.offset);
		return 0;
	}
	return n;
}

static bool check(const char *path, uint64_t renames, uint64_t nlong)
{
	struct perfdata pd;
	uint64_t n, end;
	bool good;

	if (perfdata_open(&pd, path)) {
		ksft_print_msg("%s: no perf.data\n", path);
		return false;
	}
	n = count_names(&pd, nlong);
	end = perfdata_features_end(&pd);
	good = n == renames && end == pd.size;
	if (!good)
		ksft_print_msg("expected %" PRIu64 " names, got %" PRIu64
			       "; features end at %" PRIu64
			       ", the file at %" PRIu64 "\n",
			       renames, n, end, pd.size);
	perfdata_close(&pd);
	return good;
}

/* Where the data of a file ends; 0 if it is none. */
static uint64_t data_end(const char *path)
{
	struct perfdata pd;
	uint64_t end;

	if (perfdata_open(&pd, path))
		return 0;
	end = pd.data_end;
	perfdata_close(&pd);
	return end;
}

static bool test(unsigned int pages, int where)
{
	const uint64_t segment = pages * sysconf(_SC_PAGESIZE);
	const uint64_t steps = segment / 8;
	const uint64_t renames = steps + 64;
	char option[32], total[24], longs[24];
	const char *path = shlib_file("boundary.data");
	uint64_t nlong = 0, end;
	unsigned int i;

	snprintf(option, sizeof(option), "--out-pages=%u", pages);
	snprintf(total, sizeof(total), "%" PRIu64, renames);
	for (i = 0; i < TRIES; i++) {
		snprintf(longs, sizeof(longs), "%" PRIu64, nlong);
		if (shlib_call("record_lossless", path, "-e", "dummy:u", option,
			       "--", "WORKLOAD", "comm", total, longs, NULL))
			return false;
		end = data_end(path);
		if (end % 8) {
			ksft_print_msg("data ends at %" PRIu64
				       ", expected a multiple of 8\n",
				       end);
			return false;
		}
		if ((end - where) % segment == 0)
			return check(path, renames, nlong) &&
			       !shlib_call("judge", path, NULL);
		nlong = (nlong + (segment - (end - where) % segment) / 8) %
			steps;
	}
	ksft_print_msg("no data that ends there in %u recordings\n", TRIES);
	return false;
}

int main(void)
{
	unsigned int i;

	shlib_setup();
	ksft_print_header();
	ksft_set_plan(ARRAY_SIZE(cases));
	for (i = 0; i < ARRAY_SIZE(cases); i++)
		ksft_test_result(test(cases[i].pages, cases[i].where),
				 "data ends %s\n", cases[i].text);
	ksft_finished();
}
