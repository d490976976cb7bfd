// SPDX-License-Identifier: GPL-2.0
/*
 * mkperfdata: events.
 */
#include "mkperfdata.h"

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

void ev_lost_b(void)
{
	begin("LOST_B", PERF_RECORD_LOST, 0);
	put64(ID_B);
	put64(1);
	end_id_b(ID_B);
}

void ev_mmap2(const char *name)
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

void ev_comm(void)
{
	begin("COMM", PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);
	put32(42);
	put32(43);
	mark("COMM.name");
	put_str("true", 8);
	end_id(ID_A);
}

void ev_task(const char *name, unsigned int type)
{
	begin(name, type, 0);
	put32(42);
	put32(1);
	put32(43);
	put32(1);
	put64(999);
	end_id(ID_A);
}

void ev_sample_as(const char *name, uint64_t id)
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

/* As before there was PERF_SAMPLE_IDENTIFIER. */
void ev_sample_id(const char *name, uint64_t id)
{
	begin(name, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	put64(0x400123);
	put32(42);
	put32(43);
	put64(id);
	put64(7);		/* value of the counter */
	end();
}

void ev_sample(void)
{
	ev_sample_as("SAMPLE", ID_A);
}

/* Every field that a sample can have. */
void ev_sample_b(void)
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

void ev_round(void)
{
	begin("FINISHED_ROUND", 68, 0);
	end();
}

/* All records of the kernel but the ones above. */
void kernel_events(void)
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
void user_events(void)
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

static const uint64_t group_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
				     PERF_FORMAT_TOTAL_TIME_RUNNING |
				     PERF_FORMAT_ID | PERF_FORMAT_GROUP |
				     1 << 4; /* PERF_FORMAT_LOST */

/* A struct perf_event_attr. */
void put_attr(uint64_t sample_type)
{
	size_t at = fill;

	zeros(ATTR_SIZE);
	put_at(at, PERF_TYPE_SOFTWARE, 4);
	put_at(at + 4, ATTR_SIZE, 4);
	put_at(at + 16, 100000, 8);
	put_at(at + 24, sample_type, 8);
	put_at(at + 32, sample_type == TYPE_ID ? 0 : group_format, 8);
	/* sample_id_all is the 19th bit, from the end that comes first */
	put_at(at + 40, 1ULL << (big_endian ? 63 - 18 : 18), 8);
	put_at(at + 72, 1 << 17 | 1 << 19, 8);	/* hw_idx, counters */
	put_at(at + 80, 7, 8);			/* 3 user registers */
	put_at(at + 88, 16, 4);
	put_at(at + 96, 3, 8);			/* 2 interrupt registers */
}

void ev_attr(const char *name, uint64_t sample_type, uint64_t id)
{
	begin(name, 64, 1);
	put_attr(sample_type);
	put64(id);
	end();
}

void ev_feature(const char *name, unsigned int feat, const char *s)
{
	begin(name, 80, 0);
	put64(feat);
	if (s)
		put_feat_str(s);
	end();
}
