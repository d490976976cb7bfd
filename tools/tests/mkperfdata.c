// SPDX-License-Identifier: GPL-2.0
/*
 * mkperfdata: write a small perf.data file of a given kind, byte for byte.
 *
 *   mkperfdata [-b] [-n] KIND FILE
 *
 * The file is good. Tests damage it, and to do so they need to know where
 * things are: "NAME OFFSET" lines on stdout say that. -b writes big-endian,
 * -n the feature bitmap in words of 32 bits as a 32 bit machine does.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "mkperfdata.h"

#define HUGE_HOLE	(5ULL << 30)

static int narrow;

static void header(void)
{
	fill = 0;
	put_bytes(big_endian ? "2ELIFREP" : "PERFILE2", 8);
	put64(104);
	put64(ATTR_SIZE + 16);
	zeros(104 - fill);
}

static size_t ids_at[2];

static void put_ids(int nr)
{
	int i;

	for (i = 0; i < nr; i++) {
		mark(i ? "ids.1" : "ids");
		ids_at[i] = fill;
		put64(i ? ID_B : ID_A);
	}
}

static void put_attrs_as(int nr, uint64_t type_a, uint64_t type_b)
{
	int i;

	mark("attrs");
	put_at(24, pos(), 8);
	put_at(32, nr * (ATTR_SIZE + 16ULL), 8);
	for (i = 0; i < nr; i++) {
		put_attr(i ? type_b : type_a);
		put64(pos_of(ids_at[i]));
		put64(8);
	}
}

static void put_attrs(int nr)
{
	put_attrs_as(nr, TYPE_A, TYPE_B);
}

static uint64_t data_start;

static void data_begin(void)
{
	mark("data");
	data_start = pos();
	put_at(40, pos(), 8);
}

static void data_end(void)
{
	mark("end");
	put_at(48, pos() - data_start, 8);
}

static void put_bitmap(uint64_t bits)
{
	if (narrow)
		bits = bits >> 32 | bits << 32;
	put_at(72, bits, 8);
}

static void two_features(void)
{
	feature_str("HOSTNAME", 3);
	feature_begin("NRCPUS", 7);
	put32(2);
	put32(2);
	feature_end();
	put_bitmap(feature_bits());
}

static void few_events(void)
{
	ev_comm();
	ev_mmap2("/bin/true");
	ev_sample_as("SAMPLE_0", ID_A);
	ev_round();
	ev_sample();
}

/* header, ids, attributes, data, table, features: as perf record does. */
static void kind_plain(int slots)
{
	header();
	put_ids(1);
	put_attrs(1);
	data_begin();
	few_events();
	data_end();
	table(slots);
	two_features();
}

static void plain(void)
{
	kind_plain(2);
}

/* A recorded feature could not be written: its slot is left over. */
static void spare(void)
{
	kind_plain(4);
	printf("spare %llu\n", (unsigned long long)pos_of(next_slot()));
}

/* The same, with what it wrote before it failed. */
static void dropped(void)
{
	kind_plain(3);
	put_at(next_slot(), pos(), 8);
	printf("spare %llu\n", (unsigned long long)pos_of(next_slot()));
	mark("leftover");
	put_bytes("leftover", 8);
}

/* As perf inject can do: attributes after the features. */
static void late_attrs(void)
{
	header();
	data_begin();
	few_events();
	data_end();
	table(2);
	two_features();
	put_ids(1);
	put_attrs(1);
}

/* Every type of event, every type of feature. */
static void all(void)
{
	header();
	put_ids(2);
	put_attrs(2);
	data_begin();
	ev_comm();
	ev_mmap2("/usr/bin/true");
	ev_task("FORK", PERF_RECORD_FORK);
	ev_task("EXIT", PERF_RECORD_EXIT);
	ev_sample();
	kernel_events();
	user_events();
	ev_attr("ATTR", TYPE_A, 0x303);
	ev_round();
	data_end();
	all_features();
	put_bitmap(feature_bits());
}

/* Two attributes, and a sample with all fields for the second. */
static void samples(void)
{
	header();
	put_ids(2);
	put_attrs(2);
	data_begin();
	ev_lost_b();
	ev_sample();
	ev_sample_as("SAMPLE_zero_id", 0);
	ev_sample_b();
	ev_round();
	data_end();
	table(2);
	two_features();
}

/* Attributes as they were long ago: no PERF_SAMPLE_IDENTIFIER. */
static void sample_id(void)
{
	header();
	put_ids(2);
	put_attrs_as(2, TYPE_ID, TYPE_ID | PERF_SAMPLE_PERIOD);
	data_begin();
	ev_sample_id("SAMPLE", ID_A);
	ev_sample_id("SAMPLE_1", ID_A);
	data_end();
	table(2);
	two_features();
}

/* The first struct perf_event_attr had 64 bytes, and not always its size. */
static void abi0(void)
{
	size_t at;

	header();
	put_at(16, PERF_ATTR_SIZE_VER0 + 16, 8);
	put_ids(1);
	put_attrs(1);
	at = fill - 16 - ATTR_SIZE;
	put_at(at + 4, 0, 4);
	fill = at + PERF_ATTR_SIZE_VER0;
	put64(pos_of(ids_at[0]));
	put64(8);
	put_at(32, PERF_ATTR_SIZE_VER0 + 16, 8);
	data_begin();
	few_events();
	data_end();
	table(2);
	two_features();
}

/* More ids than fit where the first ones do. */
static void many_ids(void)
{
	int i;

	header();
	put_ids(1);
	for (i = 1; i < 1000; i++)
		put64(i << 20);
	put_attrs(1);
	put_at(fill - 8, 8000, 8);
	data_begin();
	few_events();
	data_end();
	table(2);
	two_features();
}

/* AUX area tracing: data after the events, and an index of them. */
static void aux_kind(uint64_t hole_size)
{
	uint64_t at[2];
	int i;

	header();
	put_ids(1);
	put_attrs(1);
	data_begin();
	for (i = 0; i < 2; i++) {
		at[i] = pos();
		begin(i ? "AUXTRACE_1" : "AUXTRACE", 71, 0);
		put64(i || !hole_size ? 64 : hole_size);
		zeros(32);
		end();
		if (!i && hole_size)
			hole(hole_size);
		else
			zeros(64);
	}
	ev_sample();
	data_end();
	table(2);
	feature_str("HOSTNAME", 3);
	feature_begin("AUXTRACE", 18);
	put64(2);
	for (i = 0; i < 2; i++) {
		mark(i ? "index.1" : "index.0");
		put64(at[i]);
		put64(48);
	}
	feature_end();
	put_bitmap(feature_bits());
}

static void aux(void)
{
	aux_kind(0);
}

static void huge(void)
{
	aux_kind(HUGE_HOLE);
}

/* data.size 0: features directly after the header are not an accident. */
static void no_events(void)
{
	header();
	put_ids(1);
	put_attrs(1);
	data_begin();
	data_end();
	table(2);
	two_features();
}

/* What is left when perf record is killed. */
static void unfinished(void)
{
	header();
	put_ids(1);
	put_attrs(1);
	data_begin();
	few_events();
	mark("end");
	put_bitmap(1 << 3 | 1 << 7);
}

/* Before there were features. */
static void old_header(void)
{
	header();
	fill = 72;
	put_at(8, 72, 8);
	put_ids(1);
	put_attrs(1);
	data_begin();
	few_events();
	data_end();
}

static void pipe_kind(void)
{
	put_bytes(big_endian ? "2ELIFREP" : "PERFILE2", 8);
	put64(16);
	ev_attr("ATTR", TYPE_A, ID_A);
	ev_attr("ATTR_1", TYPE_B, ID_B);
	ev_feature("FEATURE", 3, "host");
	ev_feature("FEATURE_last", 35, NULL);
	begin("TRACING_DATA", 66, 0);
	put32(24);
	put32(0);
	end();
	put_bytes("\027\010Dtracing0.6", 14);
	zeros(10);
	begin("TRACING_DATA_12", 66, 0);	/* before it was padded */
	put32(8);
	end();
	zeros(8);
	few_events();
	mark("end");
}

/* data.0 of a directory. */
static void stream(void)
{
	few_events();
	mark("end");
}

/* data of a directory. */
static void dir_main(void)
{
	header();
	put_ids(1);
	put_attrs(1);
	data_begin();
	ev_comm();
	data_end();
	table(2);
	feature_str("HOSTNAME", 3);
	feature_begin("DIR_FORMAT", 24);
	put64(1);
	feature_end();
	put_bitmap(feature_bits());
}

#ifdef HAVE_ZSTD
static unsigned char packed[MAX_FILE];

/* A new part of the stream, as perf record makes it: flushed, not ended. */
static size_t pack(ZSTD_CStream *z, const void *src, size_t size)
{
	ZSTD_inBuffer in = { src, size, 0 };
	ZSTD_outBuffer out = { packed, sizeof(packed), 0 };

	while (in.pos < in.size) {
		if (ZSTD_isError(ZSTD_compressStream(z, &out, &in)))
			die("cannot compress");
	}
	if (ZSTD_isError(ZSTD_flushStream(z, &out)))
		die("cannot compress");
	return out.pos;
}

static void ev_packed(const char *name, ZSTD_CStream *z, int old,
		      const void *src, size_t size)
{
	size_t n = pack(z, src, size);

	begin(name, old ? 81 : 83, 0);
	if (!old)
		put64(n);
	put_bytes(packed, n);
	if (!old)
		zeros((8 - n % 8) % 8);
	end();
}

/* Compressed records; one event begins in the first and ends in the third. */
static void zstd_kind(int old)
{
	unsigned char *raw;
	size_t start, size;
	ZSTD_CStream *z = ZSTD_createCStream();

	if (!z || ZSTD_isError(ZSTD_initCStream(z, 1)))
		die("no zstd stream");
	header();
	put_ids(1);
	put_attrs(1);
	data_begin();
	start = fill;
	muted = 1;
	few_events();
	muted = 0;
	size = fill - start;
	raw = malloc(size);
	if (!raw)
		die("out of memory");
	memcpy(raw, buf + start, size);
	fill = start;
	ev_packed("PACKED_0", z, old, raw, 60);
	ev_round();
	ev_packed("PACKED_1", z, old, raw + 60, 40);
	ev_packed("PACKED_2", z, old, raw + 100, size - 100);
	data_end();
	table(2);
	feature_str("HOSTNAME", 3);
	feature_begin("COMPRESSED", 27);
	put32(1);
	put32(1);
	put32(1);
	put32(1);
	mark("mmap_len");
	put32(4096);
	feature_end();
	put_bitmap(feature_bits());
	ZSTD_freeCStream(z);
	free(raw);
}
#else
static void zstd_kind(int old)
{
	(void)old;
	die("built without libzstd");
}
#endif

static void zstd(void)
{
	zstd_kind(0);
}

static void zstd_old(void)
{
	zstd_kind(1);
}

static const struct {
	const char *name;
	void (*make)(void);
} kinds[] = {
	{ "plain", plain },
	{ "spare", spare },
	{ "dropped", dropped },
	{ "late-attrs", late_attrs },
	{ "all", all },
	{ "samples", samples },
	{ "sample-id", sample_id },
	{ "abi0", abi0 },
	{ "many-ids", many_ids },
	{ "aux", aux },
	{ "huge", huge },
	{ "no-events", no_events },
	{ "unfinished", unfinished },
	{ "old-header", old_header },
	{ "pipe", pipe_kind },
	{ "stream", stream },
	{ "dir-main", dir_main },
	{ "zstd", zstd },
	{ "zstd-old", zstd_old },
};

int main(int argc, char **argv)
{
	unsigned int i;
	int opt;

	while ((opt = getopt(argc, argv, "bn")) != -1) {
		if (opt == 'b')
			big_endian = 1;
		else if (opt == 'n')
			narrow = 1;
		else
			return 2;
	}
	if (argc - optind != 2)
		die("usage: mkperfdata [-b] [-n] KIND FILE");
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(kinds[i].name, argv[optind]))
			continue;
		kinds[i].make();
		printf("eof %llu\n", (unsigned long long)pos());
		write_file(argv[optind + 1]);
		return fflush(stdout) ? 1 : 0;
	}
	die("no such kind");
	return 1;
}
