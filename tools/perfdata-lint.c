// SPDX-License-Identifier: GPL-2.0
/*
 * perfdata-lint: check a perf.data file on its own, without perf's code.
 *
 * Tests use it so that perf is not its own witness.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata-lint.h"

enum mode {
	MODE_REPORT,
	MODE_QUIET,
	MODE_EVENTS,
	MODE_COUNTS,
	MODE_COUNT,
};

static const char usage_text[] =
	"usage: perfdata-lint [-q] FILE...\n"
	"       perfdata-lint --events FILE\n"
	"       perfdata-lint --counts FILE\n"
	"       perfdata-lint --count NAME FILE...\n"
	"\n"
	"Check perf.data files, pipe mode files and perf.data directories.\n"
	"\n"
	"  -q, --quiet    say nothing about good files\n"
	"  --events       one line per event: OFFSET TYPE SIZE; OFFSET+N for an event\n"
	"                 at N in the decompressed data, data.N:OFFSET in directories\n"
	"  --counts       one line per number: NAME VALUE; event types in capitals,\n"
	"                 then events, data_offset, data_size, data_end, lost,\n"
	"                 lost_samples, spare_slots, dropped_bytes and not_unzipped\n"
	"  --count NAME   only the value of NAME, 0 if there is none\n"
	"  -h, --help     this text\n"
	"\n"
	"Exit status: 0 all files are good; 1 a file is bad or cannot be read, and a\n"
	"line \"FILE: offset N: what\" on stderr says why; 2 wrong usage.\n";

struct number {
	const char *name;
	uint64_t value;
};

#define NR_NUMBERS	9

/* What --counts tells beside the event types. */
static void numbers(const struct lint *l, struct number *n)
{
	const struct number all[NR_NUMBERS] = {
		{ "events", l->total },
		{ "data_offset", l->data_off },
		{ "data_size", l->data_size },
		/* Of the file itself, in a directory the one named data. */
		{ "data_end", l->data_end },
		{ "lost", l->lost },
		{ "lost_samples", l->lost_samples },
		{ "spare_slots", l->spare_slots },
		{ "dropped_bytes", l->dropped_bytes },
		{ "not_unzipped", l->not_unzipped },
	};

	memcpy(n, all, sizeof(all));
}

static bool is_number(const char *name)
{
	struct number n[NR_NUMBERS];
	unsigned int i;

	numbers(&(struct lint){ 0 }, n);
	for (i = 0; i < NR_NUMBERS; i++) {
		if (!strcmp(n[i].name, name))
			return true;
	}
	for (i = 0; i < LINT_TYPES; i++) {
		if (lint_event_name(i) && !strcmp(lint_event_name(i), name))
			return true;
	}
	return false;
}

/* All numbers, or with @only just that one. */
static void print_counts(const struct lint *l, const char *only)
{
	struct number n[NR_NUMBERS];
	unsigned int i;

	for (i = 0; i < LINT_TYPES; i++) {
		const char *name = lint_event_name(i);

		if (only && name && !strcmp(name, only))
			printf("%" PRIu64 "\n", l->count[i]);
		else if (!only && l->count[i])
			printf("%s %" PRIu64 "\n", name, l->count[i]);
	}
	numbers(l, n);
	for (i = 0; i < NR_NUMBERS; i++) {
		if (only && !strcmp(n[i].name, only))
			printf("%" PRIu64 "\n", n[i].value);
		else if (!only)
			printf("%s %" PRIu64 "\n", n[i].name, n[i].value);
	}
}

static void print_report(const struct lint *l, const char *path)
{
	unsigned int i;

	put_path(stdout, path);
	printf(": ok\n");
	for (i = 0; i < LINT_TYPES; i++) {
		if (l->count[i])
			printf("  %-18s %10" PRIu64 "\n", lint_event_name(i),
			       l->count[i]);
	}
	printf("  %" PRIu64 " events, %" PRIu64 " bytes of data at %" PRIu64 "%s%s\n",
	       l->total, l->data_size, l->data_off,
	       l->pipe ? ", pipe mode" : "",
	       l->big_endian ? ", big-endian" : "");
	printf("  lost: %" PRIu64 " events in LOST, %" PRIu64 " samples in LOST_SAMPLES\n",
	       l->lost, l->lost_samples);
	printf("  features:");
	for (i = 0; i < LINT_FEAT_BITS; i++) {
		if (!(l->features[i / 64] >> i % 64 & 1))
			continue;
		if (lint_feature_name(i))
			printf(" %s", lint_feature_name(i));
		else
			printf(" %u", i);
	}
	printf("\n");
	if (l->spare_slots)
		printf("  dropped features: %u spare slots in the feature table, %" PRIu64 " bytes at the end\n",
		       l->spare_slots, l->dropped_bytes);
	if (l->not_unzipped)
		printf("  %" PRIu64 " compressed records were not looked into, libzstd is not built in\n",
		       l->not_unzipped);
}

static int lint_one(const char *path, enum mode mode, const char *name)
{
	struct lint l = { .events = mode == MODE_EVENTS ? stdout : NULL };
	int err;

	err = lint_path(&l, path);
	lint_free(&l);
	if (err)
		return -1;
	if (mode == MODE_REPORT)
		print_report(&l, path);
	else if (mode == MODE_COUNTS || mode == MODE_COUNT)
		print_counts(&l, name);
	return 0;
}

static int usage(const char *what, const char *arg)
{
	fprintf(stderr, "perfdata-lint: %s%s; --help tells more\n", what, arg);
	return 2;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "quiet", no_argument, NULL, 'q' },
		{ "events", no_argument, NULL, 'e' },
		{ "counts", no_argument, NULL, 'c' },
		{ "count", required_argument, NULL, 'n' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	enum mode mode = MODE_REPORT;
	const char *name = NULL;
	int opt, modes = 0, ret = 0;

	opterr = 0;
	while ((opt = getopt_long(argc, argv, "qh", options, NULL)) != -1) {
		switch (opt) {
		case 'q':
			mode = MODE_QUIET;
			modes++;
			break;
		case 'e':
			mode = MODE_EVENTS;
			modes++;
			break;
		case 'c':
			mode = MODE_COUNTS;
			modes++;
			break;
		case 'n':
			mode = MODE_COUNT;
			name = optarg;
			modes++;
			break;
		case 'h':
			fputs(usage_text, stdout);
			return fflush(stdout) ? 1 : 0;
		default:
			return usage("unknown or incomplete option ",
				     argv[optind - 1]);
		}
	}
	if (modes > 1)
		return usage("only one of --quiet, --events, --counts and --count", "");
	if (name && !is_number(name))
		return usage("nothing to count has the name ", name);
	if (optind == argc)
		return usage("no FILE", "");
	if (argc - optind > 1 && (mode == MODE_EVENTS || mode == MODE_COUNTS))
		return usage("--events and --counts take one FILE", "");

	for (; optind < argc; optind++) {
		if (lint_one(argv[optind], mode, name))
			ret = 1;
		/* Keep the order when both streams go to the same place. */
		if (fflush(stdout) || ferror(stdout)) {
			fprintf(stderr, "perfdata-lint: cannot write: %s\n",
				strerror(errno));
			return 1;
		}
	}
	return ret;
}
