#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# perfdata-lint: good files of every kind are good, and counted right.

# shellcheck source=tools/tests/lib.sh
. "$(dirname "$0")/lib.sh"

kinds='plain spare dropped late-attrs all samples aux no-events old-header pipe sample-id abi0 many-ids'

for order in '' -b '-b -n'; do
	for kind in $kinds; do
		mk "$kind"
		good "$kind file${order:+, mkperfdata $order}"
	done
done
order=

# Every byte counts, so anything that follows is noticed.
for kind in plain late-attrs aux; do
	mk "$kind"
	printf x >>f
	bad "$kind file with one more byte" "$(at eof)" '1 unexplained bytes between'
done

mk all
lint --counts f
is 'counts of all event types' "$(cat out)" 'MMAP 1
LOST 1
COMM 1
EXIT 1
THROTTLE 1
UNTHROTTLE 1
FORK 1
READ 1
SAMPLE 1
MMAP2 1
AUX 1
ITRACE_START 1
LOST_SAMPLES 1
SWITCH 1
SWITCH_CPU_WIDE 1
NAMESPACES 1
KSYMBOL 1
BPF_EVENT 1
CGROUP 1
TEXT_POKE 1
AUX_OUTPUT_HW_ID 1
CALLCHAIN_DEFERRED 1
ATTR 1
EVENT_TYPE 1
BUILD_ID 1
FINISHED_ROUND 1
ID_INDEX 2
AUXTRACE_INFO 1
AUXTRACE_ERROR 1
THREAD_MAP 1
CPU_MAP 4
STAT_CONFIG 1
STAT 1
STAT_ROUND 1
EVENT_UPDATE 4
TIME_CONV 1
FINISHED_INIT 1
BPF_METADATA 1
SCHEDSTAT_CPU 1
SCHEDSTAT_DOMAIN 1
events 47
data_offset '"$(at data)"'
data_size '"$(($(at end) - $(at data)))"'
data_end '"$(at end)"'
lost 3
lost_samples 4
spare_slots 0
dropped_bytes 0
not_unzipped 0'

lint f
is 'features by name, unknown ones by number' "$(grep features: out)" \
	'  features: TRACING_DATA BUILD_ID HOSTNAME OSRELEASE VERSION ARCH NRCPUS CPUDESC CPUID TOTAL_MEM CMDLINE EVENT_DESC CPU_TOPOLOGY NUMA_TOPOLOGY BRANCH_STACK PMU_MAPPINGS GROUP_DESC STAT CACHE SAMPLE_TIME MEM_TOPOLOGY CLOCKID BPF_PROG_INFO BPF_BTF COMPRESSED CPU_PMU_CAPS CLOCK_DATA HYBRID_TOPOLOGY PMU_CAPS CPU_DOMAIN_INFO E_MACHINE CLN_SIZE 50'
cp out little
order=-b mk all
lint f
is 'a big-endian file says the same' "$(sed 's/, big-endian//' out)" "$(cat little)"

mk plain
lint --events f
is 'events with offset, type and size' "$(cat out)" \
"$(at COMM) COMM 56
$(at MMAP2) MMAP2 120
$(at SAMPLE_0) SAMPLE 56
$(at FINISHED_ROUND) FINISHED_ROUND 8
$(at SAMPLE) SAMPLE 56"

lint --count SAMPLE f
is 'one count' "$(cat out)" 2
lint --count LOST f
is 'a count of nothing is 0' "$(cat out)" 0
lint --count data_end f
is 'one number' "$(cat out)" "$(at end)"
lint --count SAMPLE f f f
is 'one count of three files' "$(paste -sd' ' out)" '2 2 2'

mk dropped
lint --counts f
is 'what a dropped feature leaves is counted' \
	"$(grep -e spare -e dropped out | paste -sd' ')" \
	'spare_slots 1 dropped_bytes 8'

# 5 GiB, nearly all of it a hole.
if mk huge && [ "$(stat -c %b f)" -lt 10000 ]; then
	good 'a file of more than 4 GiB'
	lint --events f
	is 'offsets beyond 4 GiB' "$(tail -2 out)" \
"$(at AUXTRACE_1) AUXTRACE 48
$(at SAMPLE) SAMPLE 56"
	put "$(at SAMPLE 6)" 2 4
	bad 'damage beyond 4 GiB' "$(at SAMPLE)" 'event of type 9 with size 4'
	put "$(at AUXTRACE 8)" 8 0
	bad 'a tail of 5 GiB of zero' "$(at AUXTRACE 48)" \
		'zero event header: hole of 5368709120 zero bytes'
else
	skip 'a file of more than 4 GiB' 'no sparse files here'
fi
rm f

# Attributes are counted, and their number is limited.
mk pipe
attr=$(($(at ATTR_1) - $(at ATTR)))
{
	head -c 16 f
	tail -c +17 f | head -c $attr >attrs
	for ((i = 0; i < 16; i++)); do
		cat attrs attrs >attrs.new
		mv attrs.new attrs
	done
	cat attrs
} >many
good '65536 attributes' many
tail -c $attr attrs >>many
bad '65537 attributes' $((16 + 65536 * attr)) 'more than 65536 event attributes' many
rm many attrs

# Directories: data, and data.N without a header.
mk dir-main
mkdir d
mv f d/data
mk stream
cp f d/data.0
: >d/data.1
good 'a directory with data files' d
lint --events d
is 'events of a directory' "$(cat out)" \
"248 COMM 56
data.0:0 COMM 56
data.0:56 MMAP2 120
data.0:176 SAMPLE 56
data.0:232 FINISHED_ROUND 8
data.0:240 SAMPLE 56"
lint --counts d
is 'counts of a directory' "$(paste -sd' ' out)" 'COMM 2 SAMPLE 2 MMAP2 1 FINISHED_ROUND 1 events 6 data_offset 248 data_size 352 data_end 304 lost 0 lost_samples 0 spare_slots 0 dropped_bytes 0 not_unzipped 0'
mk plain
mkdir k
mv f k/data
mkdir k/kcore_dir
good 'a directory with one file, as --kcore makes it' k

# Compressed records.
for kind in zstd zstd-old; do
	for order in '' -b; do
		if ! has_zstd; then
			skip "$kind file" 'built without libzstd'
			continue
		fi
		mk $kind
		good "$kind file${order:+, big-endian}"
		lint --events f
		is "events in compressed records of a $kind file" \
			"$(grep -v COMPRESSED out)" \
"$(at PACKED_0)+0 COMM 56
$(at FINISHED_ROUND) FINISHED_ROUND 8
$(at PACKED_2)+56 MMAP2 120
$(at PACKED_2)+176 SAMPLE 56
$(at PACKED_2)+232 FINISHED_ROUND 8
$(at PACKED_2)+240 SAMPLE 56"
	done
done

finish
