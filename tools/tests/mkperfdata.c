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
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#define MAX_FILE	(1 << 20)
#define ATTR_SIZE	PERF_ATTR_SIZE_VER6
#define HUGE_HOLE	(5ULL << 30)

/* The file, but for one hole. */
static unsigned char buf[MAX_FILE];
static size_t fill;
static size_t hole_at = MAX_FILE;
static uint64_t hole_len;
static int big_endian, narrow;
/* While events are made that will be moved away. */
static int muted;

/* Ids of the two attributes. */
#define ID_A	0x101
#define ID_B	0x202

/* What all kinds of events with several attributes need in a sample. */
#define TYPE_A	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | \
		 PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)
/* Everything at once: the file need not make sense to anybody. */
#define TYPE_B	((1ULL << 25) - 1 - PERF_SAMPLE_WEIGHT)

static void die(const char *what)
{
	fprintf(stderr, "mkperfdata: %s\n", what);
	exit(1);
}

static uint64_t pos_of(size_t at)
{
	return at + (at > hole_at ? hole_len : 0);
}

static uint64_t pos(void)
{
	return pos_of(fill);
}

static void mark(const char *name)
{
	if (muted)
		return;
	printf("%s %llu\n", name, (unsigned long long)pos());
}

static void put_at(size_t at, uint64_t value, int width)
{
	int i;

	for (i = 0; i < width; i++)
		buf[at + i] = value >> 8 * (big_endian ? width - 1 - i : i);
}

static void put(uint64_t value, int width)
{
	if (fill + width > sizeof(buf))
		die("the file does not fit");
	put_at(fill, value, width);
	fill += width;
}

static void put16(uint64_t v) { put(v, 2); }
static void put32(uint64_t v) { put(v, 4); }
static void put64(uint64_t v) { put(v, 8); }

static void zeros(size_t n)
{
	while (n--)
		put(0, 1);
}

static void put_bytes(const void *p, size_t n)
{
	const unsigned char *c = p;

	while (n--)
		put(*c++, 1);
}

/* A string with its NUL, padded to a multiple of @align. */
static void put_str(const char *s, size_t align)
{
	size_t n = strlen(s) + 1;

	put_bytes(s, n);
	zeros((align - n % align) % align);
}

/* u32 length, then the string: as in feature sections. */
static void put_feat_str(const char *s)
{
	put32((strlen(s) + 64) / 64 * 64);
	put_str(s, 64);
}

/* Events: begin() remembers where the size goes, end() fills it in. */
static size_t event_at;

static void begin(const char *name, unsigned int type, unsigned int misc)
{
	mark(name);
	event_at = fill;
	put32(type);
	put16(misc);
	put16(0);
}

static void end(void)
{
	put_at(event_at + 6, fill - event_at, 2);
}

/* The id sample for sample_type TYPE_A, which is the same for TYPE_B. */
static void end_id(uint64_t id)
{
	put32(42);		/* pid */
	put32(43);		/* tid */
	put64(1000);		/* time */
	put32(1);		/* cpu */
	put32(0);
	put64(id);
	end();
}

static void end_id_b(uint64_t id)
{
	put32(42);
	put32(43);
	put64(1000);
	put64(id);		/* PERF_SAMPLE_ID */
	put64(id);		/* PERF_SAMPLE_STREAM_ID */
	put32(1);
	put32(0);
	put64(id);
	end();
}

static void ev_mmap2(const char *name)
{
	begin("MMAP2", PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);
	put32(42);
	put32(43);
	put64(0x400000);
	put64(0x1000);
	put64(0);
	put32(8);
	put32(1);
	put64(1234);
	put64(0);
	put32(5);
	put32(2);
	mark("MMAP2.name");
	put_str(name, 8);
	end_id(ID_A);
}

static void ev_comm(void)
{
	begin("COMM", PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);
	put32(42);
	put32(43);
	mark("COMM.name");
	put_str("true", 8);
	end_id(ID_A);
}

static void ev_task(const char *name, unsigned int type)
{
	begin(name, type, 0);
	put32(42);
	put32(1);
	put32(43);
	put32(1);
	put64(999);
	end_id(ID_A);
}

static void ev_sample_as(const char *name, uint64_t id)
{
	begin(name, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	put64(id);
	put64(0x400123);
	put32(42);
	put32(43);
	put64(1001);
	put32(1);
	put32(0);
	put64(100000);
	end();
}

static void ev_sample(void)
{
	ev_sample_as("SAMPLE", ID_A);
}

/* Every field that a sample can have. */
static void ev_sample_b(void)
{
	begin("SAMPLE_B", PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL);
	put64(ID_B);
	put64(0xffffffff81000000);
	put32(42);
	put32(43);
	put64(1002);
	put64(0xdead);		/* addr */
	put64(ID_B);
	put64(ID_B);		/* stream id */
	put32(1);
	put32(0);
	put64(1);		/* period */
	mark("SAMPLE_B.read");
	put64(2);		/* nr, then the time enabled and running */
	put64(10);
	put64(11);
	put64(5);		/* value, id, lost */
	put64(ID_A);
	put64(0);
	put64(6);
	put64(ID_B);
	put64(0);
	mark("SAMPLE_B.callchain");
	put64(3);
	put64((uint64_t)PERF_CONTEXT_KERNEL);
	put64(0xffffffff81000000);
	put64(0xffffffff81000010);
	mark("SAMPLE_B.raw");
	put32(12);
	put_bytes("raw raw raw ", 12);
	mark("SAMPLE_B.branches");
	put64(2);
	put64(7);		/* hw_idx */
	zeros(2 * 24);
	zeros(2 * 8);		/* counters */
	mark("SAMPLE_B.regs_user");
	put64(2);
	zeros(3 * 8);
	mark("SAMPLE_B.stack");
	put64(16);
	zeros(16);
	put64(8);
	put64(1);		/* weight */
	put64(2);		/* data source */
	put64(3);		/* transaction */
	mark("SAMPLE_B.regs_intr");
	put64(1);
	zeros(2 * 8);
	put64(4);		/* physical address */
	put64(5);		/* cgroup */
	put64(4096);		/* data and code page size */
	put64(4096);
	mark("SAMPLE_B.aux");
	put64(8);
	zeros(8);
	end();
}

static void ev_round(void)
{
	begin("FINISHED_ROUND", 68, 0);
	end();
}

/* All records of the kernel but the ones above. */
static void kernel_events(void)
{
	begin("MMAP", PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL);
	put32(-1);
	put32(0);
	put64(0xffffffff81000000);
	put64(0x1000000);
	put64(0);
	mark("MMAP.name");
	put_str("[kernel.kallsyms]_text", 8);
	end_id(0);

	begin("LOST", PERF_RECORD_LOST, 0);
	put64(ID_A);
	put64(3);
	end_id(ID_A);

	begin("THROTTLE", PERF_RECORD_THROTTLE, 0);
	put64(1000);
	put64(ID_A);
	put64(ID_A);
	end_id(ID_A);

	begin("UNTHROTTLE", PERF_RECORD_UNTHROTTLE, 0);
	put64(1000);
	put64(ID_A);
	put64(ID_A);
	end_id(ID_A);

	begin("READ", PERF_RECORD_READ, 0);
	put32(42);
	put32(43);
	put64(7);
	end_id(ID_A);

	begin("AUX", PERF_RECORD_AUX, 0);
	put64(0);
	put64(4096);
	put64(0);
	end_id(ID_A);

	begin("ITRACE_START", PERF_RECORD_ITRACE_START, 0);
	put32(42);
	put32(43);
	end_id(ID_A);

	begin("LOST_SAMPLES", PERF_RECORD_LOST_SAMPLES, 0);
	put64(4);
	end_id(ID_A);

	begin("SWITCH", PERF_RECORD_SWITCH, PERF_RECORD_MISC_SWITCH_OUT);
	end_id(ID_A);

	begin("SWITCH_CPU_WIDE", PERF_RECORD_SWITCH_CPU_WIDE, 0);
	put32(1);
	put32(2);
	end_id(ID_A);

	begin("NAMESPACES", PERF_RECORD_NAMESPACES, 0);
	put32(42);
	put32(43);
	mark("NAMESPACES.nr");
	put64(2);
	zeros(2 * 16);
	end_id(ID_A);

	begin("KSYMBOL", PERF_RECORD_KSYMBOL, 0);
	put64(0xffffffffa0000000);
	put32(64);
	put16(1);
	put16(0);
	mark("KSYMBOL.name");
	put_str("bpf_prog_6deef7357e7b4530", 8);
	end_id(ID_A);

	begin("BPF_EVENT", PERF_RECORD_BPF_EVENT, 0);
	put16(1);
	put16(0);
	put32(9);
	put_bytes("\001\002\003\004\005\006\007\010", 8);
	end_id(ID_A);

	begin("CGROUP", PERF_RECORD_CGROUP, 0);
	put64(1);
	mark("CGROUP.name");
	put_str("/", 8);
	end_id(ID_A);

	begin("TEXT_POKE", PERF_RECORD_TEXT_POKE, PERF_RECORD_MISC_KERNEL);
	put64(0xffffffff81000000);
	mark("TEXT_POKE.lengths");
	put16(5);
	put16(5);
	zeros(12);
	end_id(ID_A);

	begin("AUX_OUTPUT_HW_ID", 21, 0);
	put64(1);
	end_id(ID_A);

	begin("CALLCHAIN_DEFERRED", 22, PERF_RECORD_MISC_USER);
	put64(77);
	mark("CALLCHAIN_DEFERRED.nr");
	put64(2);
	zeros(16);
	end_id(ID_A);
}

/* All records of perf itself that are complete without anything after them. */
static void user_events(void)
{
	begin("EVENT_TYPE", 65, 0);
	put64(1);
	put_str("cpu-clock", 64);
	end();

	begin("BUILD_ID", 67, PERF_RECORD_MISC_USER | 1 << 15);
	put32(-1);
	put_bytes("0123456789abcdefghij", 20);
	put32(20);
	mark("BUILD_ID.name");
	put_str("/bin/true!!", 4);
	end();

	begin("ID_INDEX", 69, 0);
	mark("ID_INDEX.nr");
	put64(2);
	zeros(2 * 32);
	end();

	begin("ID_INDEX_guest", 69, 0);
	put64(1);
	zeros(32 + 16);
	end();

	begin("AUXTRACE_INFO", 70, 0);
	put32(1);
	put32(0);
	zeros(16);
	end();

	begin("AUXTRACE_ERROR", 72, 0);
	put32(1);
	put32(2);
	put32(3);
	put32(4);
	put32(5);
	put32(1);
	put64(6);
	put64(7);
	put_str("lost", 8);
	end();

	begin("THREAD_MAP", 73, 0);
	mark("THREAD_MAP.nr");
	put64(2);
	zeros(2 * 24);
	end();

	begin("CPU_MAP", 74, 0);	/* a range */
	mark("CPU_MAP.form");
	put16(2);
	put16(0);
	put16(0);
	put16(1);
	end();

	begin("CPU_MAP_list", 74, 0);
	put16(0);
	mark("CPU_MAP_list.nr");
	put16(3);
	put16(0);
	put16(2);
	put16(4);
	zeros(6);
	end();

	begin("CPU_MAP_mask4", 74, 0);
	put16(1);
	mark("CPU_MAP_mask4.nr");
	put16(1);
	mark("CPU_MAP_mask4.width");
	put16(4);
	put32(5);
	zeros(6);
	end();

	begin("CPU_MAP_mask8", 74, 0);
	put16(1);
	mark("CPU_MAP_mask8.nr");
	put16(1);
	put16(8);
	zeros(4);
	put64(5);
	zeros(6);
	end();

	begin("STAT_CONFIG", 75, 0);
	mark("STAT_CONFIG.nr");
	put64(1);
	zeros(16);
	end();

	begin("STAT", 76, 0);
	zeros(40);
	end();

	begin("STAT_ROUND", 77, 0);
	zeros(16);
	end();

	begin("EVENT_UPDATE", 78, 0);
	mark("EVENT_UPDATE.kind");
	put64(2);
	put64(ID_A);
	mark("EVENT_UPDATE.name");
	put_str("cpu-clock", 8);
	end();

	begin("EVENT_UPDATE_unit", 78, 0);
	put64(0);
	put64(ID_A);
	put_str("msec", 8);
	end();

	begin("EVENT_UPDATE_scale", 78, 0);
	put64(1);
	put64(ID_A);
	put64(0x3eb0c6f7a0b5ed8d);
	end();

	begin("EVENT_UPDATE_cpus", 78, 0);
	put64(3);
	put64(ID_A);
	mark("EVENT_UPDATE_cpus.form");
	put16(2);
	put16(0);
	put16(0);
	put16(1);
	end();

	begin("TIME_CONV", 79, 0);
	zeros(48);
	end();

	begin("FINISHED_INIT", 82, 0);
	end();

	begin("BPF_METADATA", 84, 0);
	put_str("prog", 512);
	mark("BPF_METADATA.nr");
	put64(1);
	zeros(320);
	end();

	begin("SCHEDSTAT_CPU", 85, 0);
	zeros(64);
	end();

	begin("SCHEDSTAT_DOMAIN", 86, 0);
	zeros(64);
	end();
}

/* A struct perf_event_attr. */
static void put_attr(uint64_t sample_type)
{
	size_t at = fill;

	zeros(ATTR_SIZE);
	put_at(at, PERF_TYPE_SOFTWARE, 4);
	put_at(at + 4, ATTR_SIZE, 4);
	put_at(at + 16, 100000, 8);
	put_at(at + 24, sample_type, 8);
	put_at(at + 32, PERF_FORMAT_TOTAL_TIME_ENABLED |
			PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID |
			PERF_FORMAT_GROUP | 1 << 4, 8);
	/* sample_id_all is the 19th bit, from the end that comes first */
	put_at(at + 40, 1ULL << (big_endian ? 63 - 18 : 18), 8);
	put_at(at + 72, 1 << 17 | 1 << 19, 8);	/* hw_idx, counters */
	put_at(at + 80, 7, 8);			/* 3 user registers */
	put_at(at + 88, 16, 4);
	put_at(at + 96, 3, 8);			/* 2 interrupt registers */
}

static void ev_attr(const char *name, uint64_t sample_type, uint64_t id)
{
	begin(name, 64, 1);
	put_attr(sample_type);
	put64(id);
	end();
}

static void ev_feature(const char *name, unsigned int feat, const char *s)
{
	begin(name, 80, 0);
	put64(feat);
	if (s)
		put_feat_str(s);
	end();
}

/* Features: a slot in the table, and the content. */
static uint64_t feat_bits;
static size_t slot_at;

static void feature(const char *name, unsigned int bit)
{
	char label[64];

	snprintf(label, sizeof(label), "slot.%s", name);
	printf("%s %llu\n", label, (unsigned long long)pos_of(slot_at));
	snprintf(label, sizeof(label), "feat.%s", name);
	mark(label);
	feat_bits |= 1ULL << bit;
	put_at(slot_at, pos(), 8);
}

static size_t feature_start;

static void feature_begin(const char *name, unsigned int bit)
{
	feature(name, bit);
	feature_start = fill;
}

static void feature_end(void)
{
	put_at(slot_at + 8, fill - feature_start, 8);
	slot_at += 16;
}

static void feature_str(const char *name, unsigned int bit)
{
	feature_begin(name, bit);
	put_feat_str(name);
	feature_end();
}

static void table(unsigned int slots)
{
	mark("table");
	slot_at = fill;
	zeros(16 * slots);
}

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

static void put_attrs(int nr)
{
	int i;

	mark("attrs");
	put_at(24, pos(), 8);
	put_at(32, nr * (ATTR_SIZE + 16ULL), 8);
	for (i = 0; i < nr; i++) {
		put_attr(i ? TYPE_B : TYPE_A);
		put64(pos_of(ids_at[i]));
		put64(8);
	}
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

static void features_done(void)
{
	uint64_t bits = feat_bits;

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
	features_done();
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
	printf("spare %llu\n", (unsigned long long)pos_of(slot_at));
}

/* The same, with what it wrote before it failed. */
static void dropped(void)
{
	kind_plain(3);
	put_at(slot_at, pos(), 8);
	printf("spare %llu\n", (unsigned long long)pos_of(slot_at));
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
	table(33);
	feature_begin("TRACING_DATA", 1);
	put_bytes("\027\010Dtracing0.6", 13);
	feature_end();
	feature_begin("BUILD_ID", 2);
	put32(0);
	put16(1);
	put16(36 + 64);
	zeros(28);
	put_str("[kernel.kallsyms]", 64);
	feature_end();
	feature_str("HOSTNAME", 3);
	feature_str("OSRELEASE", 4);
	feature_str("VERSION", 5);
	feature_str("ARCH", 6);
	feature_begin("NRCPUS", 7);
	put32(2);
	put32(2);
	feature_end();
	feature_str("CPUDESC", 8);
	feature_str("CPUID", 9);
	feature_begin("TOTAL_MEM", 10);
	put64(1 << 20);
	feature_end();
	feature_begin("CMDLINE", 11);
	put32(2);
	put_feat_str("perf");
	put_feat_str("record");
	feature_end();
	feature_begin("EVENT_DESC", 12);
	put32(1);
	put32(ATTR_SIZE);
	put_attr(TYPE_A);
	put32(1);
	put_feat_str("cpu-clock");
	put64(ID_A);
	feature_end();
	feature_begin("CPU_TOPOLOGY", 13);
	put32(1);
	put_feat_str("0-1");
	put32(1);
	put_feat_str("0");
	zeros(16);
	feature_end();
	feature_begin("NUMA_TOPOLOGY", 14);
	put32(1);
	put32(0);
	put64(1);
	put64(1);
	put_feat_str("0-1");
	feature_end();
	feature_begin("BRANCH_STACK", 15);
	feature_end();
	feature_begin("PMU_MAPPINGS", 16);
	put32(1);
	put32(1);
	put_feat_str("software");
	feature_end();
	feature_begin("GROUP_DESC", 17);
	put32(1);
	put_feat_str("group");
	put32(0);
	put32(2);
	feature_end();
	feature_begin("STAT", 19);
	feature_end();
	feature_begin("CACHE", 20);
	put32(1);
	put32(1);
	zeros(16);
	put_feat_str("Data");
	put_feat_str("32K");
	put_feat_str("0");
	feature_end();
	feature_begin("SAMPLE_TIME", 21);
	zeros(16);
	feature_end();
	feature_begin("MEM_TOPOLOGY", 22);
	put64(1);
	put64(1 << 27);
	put64(0);
	feature_end();
	feature_begin("CLOCKID", 23);
	put64(1);
	feature_end();
	feature_begin("BPF_PROG_INFO", 25);
	put32(1);
	put32(8);
	put32(16);
	put64(0);
	zeros(24);
	feature_end();
	feature_begin("BPF_BTF", 26);
	put32(1);
	put32(1);
	put32(8);
	zeros(8);
	feature_end();
	feature_begin("COMPRESSED", 27);
	put32(1);
	put32(1);
	put32(1);
	put32(1);
	put32(4096);
	feature_end();
	feature_begin("CPU_PMU_CAPS", 28);
	put32(1);
	put_feat_str("branches");
	put_feat_str("32");
	feature_end();
	feature_begin("CLOCK_DATA", 29);
	zeros(24);
	feature_end();
	feature_begin("HYBRID_TOPOLOGY", 30);
	put32(1);
	put_feat_str("cpu_core");
	put_feat_str("0-1");
	feature_end();
	feature_begin("PMU_CAPS", 31);
	put32(1);
	put32(1);
	put_feat_str("caps");
	put_feat_str("1");
	put_feat_str("cpu");
	feature_end();
	feature_begin("CPU_DOMAIN_INFO", 32);
	zeros(8);
	feature_end();
	feature_begin("E_MACHINE", 33);
	put32(62);
	put32(0);
	feature_end();
	feature_begin("CLN_SIZE", 34);
	put32(64);
	feature_end();
	feature_begin("unknown", 50);
	put_bytes("from the future!", 16);
	feature_end();
	features_done();
}

/* Two attributes, and a sample with all fields for the second. */
static void samples(void)
{
	header();
	put_ids(2);
	put_attrs(2);
	data_begin();
	begin("LOST_B", PERF_RECORD_LOST, 0);
	put64(ID_B);
	put64(1);
	end_id_b(ID_B);
	ev_sample();
	ev_sample_as("SAMPLE_zero_id", 0);
	ev_sample_b();
	ev_round();
	data_end();
	table(2);
	two_features();
}

/* AUX area tracing: data after the events, and an index of them. */
static void aux_kind(uint64_t hole)
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
		put64(i || !hole ? 64 : hole);
		zeros(32);
		end();
		if (!i && hole) {
			hole_at = fill - 1;
			hole_len = hole;
		} else {
			zeros(64);
		}
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
	features_done();
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
	feat_bits = 1 << 3 | 1 << 7;
	features_done();
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
	features_done();
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

/* Compressed records; an event goes from the first to the second. */
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
	ev_packed("PACKED_1", z, old, raw + 60, size - 60);
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
	features_done();
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

static void write_part(int fd, size_t from, size_t to)
{
	while (from < to) {
		ssize_t n = pwrite(fd, buf + from, to - from, pos_of(from));

		if (n <= 0)
			die("cannot write the file");
		from += n;
	}
}

static void write_file(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	size_t split = hole_at < fill ? hole_at + 1 : fill;

	if (fd < 0)
		die("cannot create the file");
	write_part(fd, 0, split);
	write_part(fd, split, fill);
	if (close(fd))
		die("cannot write the file");
}

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
