// SPDX-License-Identifier: GPL-2.0
/*
 * mkperfdata: the feature table and the feature sections.
 */
#include <stdio.h>

#include "mkperfdata.h"

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

void feature_begin(const char *name, unsigned int bit)
{
	feature(name, bit);
	feature_start = fill;
}

void feature_end(void)
{
	put_at(slot_at + 8, fill - feature_start, 8);
	slot_at += 16;
}

void feature_str(const char *name, unsigned int bit)
{
	feature_begin(name, bit);
	put_feat_str(name);
	feature_end();
}

void table(unsigned int slots)
{
	mark("table");
	slot_at = fill;
	zeros(16 * slots);
}
/* The slot in the table that comes next, as a place in the file. */
size_t next_slot(void)
{
	return slot_at;
}

/* The bitmap for the header. */
uint64_t feature_bits(void)
{
	return feat_bits;
}

/* Every feature there is, and one that is not known yet. */
void all_features(void)
{
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
}
