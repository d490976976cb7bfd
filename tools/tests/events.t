#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# perfdata-lint: damage to events.

# shellcheck source=tools/tests/lib.sh
. "$(dirname "$0")/lib.sh"

# Change one number of a file; perfdata-lint has to find it in that event.
damage() { # KIND EVENT PLACE PLUS WIDTH VALUE TEXT
	mk "$1"
	put "$(at "$3" "$4")" "$5" "$6"
	bad "$3+$4 = $6" "$(at "$2")" "$7"
}

# The size of an event in the file map: up to the next mark of an event.
size_of() { # EVENT
	"$LINT" --events f | awk -v at="$(at "$1")" '$1 == at { print $3 }'
}

headers() {
	damage plain SAMPLE_0 SAMPLE_0 6 2 0 'event of type 9 with size 0'
	damage plain SAMPLE_0 SAMPLE_0 6 2 7 'event of type 9 with size 7'
	damage plain SAMPLE_0 SAMPLE_0 6 2 52 'SAMPLE of size 52, not a multiple of 8'
	damage plain SAMPLE_0 SAMPLE_0 6 2 48 'SAMPLE of size 48 is too small for its fixed fields'
	damage plain SAMPLE_0 SAMPLE_0 6 2 64 'SAMPLE of size 64 has 8 bytes more'
	damage plain SAMPLE SAMPLE 6 2 64 'goes past the end of the data'
	damage plain SAMPLE SAMPLE 6 2 65528 'goes past the end of the data'
	damage plain SAMPLE_0 SAMPLE_0 0 4 0 'unknown event type 0'
	damage plain SAMPLE_0 SAMPLE_0 0 4 23 'unknown event type 23'
	damage plain SAMPLE_0 SAMPLE_0 0 4 63 'unknown event type 63'
	damage plain SAMPLE_0 SAMPLE_0 0 4 87 'unknown event type 87'
	damage plain SAMPLE_0 SAMPLE_0 0 4 0x10009 'unknown event type 65545'
	damage plain SAMPLE_0 SAMPLE_0 4 2 6 'SAMPLE with misc 0x6'
	damage plain SAMPLE_0 SAMPLE_0 4 2 10 'SAMPLE with misc 0xa'
	damage plain FINISHED_ROUND FINISHED_ROUND 4 2 1 'FINISHED_ROUND with misc 0x1'
	damage plain FINISHED_ROUND FINISHED_ROUND 6 2 16 'FINISHED_ROUND of size 16 instead of 8'
	damage all FINISHED_INIT FINISHED_INIT 0 4 9 'SAMPLE of size 8 has no room for its id'
	damage samples SAMPLE SAMPLE 8 8 999 'SAMPLE with id 999'
	mk samples
	put "$(at LOST_B 64)" 8 999
	bad 'LOST with an unknown id' "$(at LOST_B)" 'LOST ends with id'
}

zeros() {
	mk plain
	wipe "$(at SAMPLE)" 56
	bad 'zero tail' "$(at SAMPLE)" 'zero event header: zero tail, 56 zero bytes to the end of the data'
	mk plain
	wipe "$(at SAMPLE_0)" 56
	bad 'hole of one event' "$(at SAMPLE_0)" 'zero event header: hole of 5'
	mk plain
	wipe "$(at MMAP2 80)" $(($(at FINISHED_ROUND) - $(at MMAP2 80)))
	bad 'hole over the end of one event and the next' "$(at SAMPLE_0)" 'zero event header: hole of 5'
	mk plain
	wipe "$(at MMAP2)" $(($(at eof) - $(at MMAP2)))
	bad 'all zero from an event on' "$(at MMAP2)" 'zero event header: zero tail'
	mk plain
	wipe "$(at data)" $(($(at end) - $(at data)))
	bad 'nothing but zero' "$(at data)" 'zero event header: zero tail'
	mk plain
	cut_out "$(at FINISHED_ROUND)" 8
	put 48 8 $(($(at end) - $(at data) - 8))
	bad 'one event less, features not moved' "$(at slot.NRCPUS -8)" 'feature NRCPUS at'
	mk plain
	cut_out "$(at SAMPLE_0)" 8
	bad '8 bytes less' "$(at SAMPLE_0)" 'event of type'
}

# Every event with the smallest size that it cannot have.
sizes() {
	local ev min

	while read -r ev min; do
		mk all
		put "$(at "$ev" 6)" 2 $((min - 8))
		if [ $((min % 8)) -eq 0 ] && [ $((min - 8)) -ge 8 ]; then
			bad "$ev of size $((min - 8))" "$(at "$ev")" "$ev "
		fi
		mk all
		put "$(at "$ev" 6)" 2 $(($(size_of "$ev") + 4))
		bad "$ev 4 bytes longer" "$(at "$ev")" "not a multiple of 8"
	done <<-'END'
		MMAP 48
		LOST 24
		COMM 24
		EXIT 32
		THROTTLE 32
		UNTHROTTLE 32
		FORK 32
		READ 24
		MMAP2 80
		AUX 32
		ITRACE_START 16
		LOST_SAMPLES 16
		SWITCH_CPU_WIDE 16
		NAMESPACES 24
		KSYMBOL 32
		BPF_EVENT 24
		CGROUP 24
		TEXT_POKE 24
		AUX_OUTPUT_HW_ID 16
		CALLCHAIN_DEFERRED 24
		ATTR 72
		EVENT_TYPE 80
		BUILD_ID 40
		ID_INDEX 16
		AUXTRACE_INFO 16
		AUXTRACE_ERROR 48
		THREAD_MAP 16
		CPU_MAP 16
		STAT_CONFIG 16
		STAT 48
		STAT_ROUND 24
		EVENT_UPDATE 24
		TIME_CONV 32
		BPF_METADATA 528
		SCHEDSTAT_CPU 24
		SCHEDSTAT_DOMAIN 24
	END
	# Types of a known size with something behind.
	for ev in LOST EXIT AUX ITRACE_START LOST_SAMPLES SWITCH; do
		mk all
		put "$(at $ev 6)" 2 $(($(size_of $ev) + 80))
		bad "$ev 80 bytes longer" "$(at $ev)" "at most"
	done
	for ev in EVENT_TYPE THREAD_MAP STAT_CONFIG STAT STAT_ROUND; do
		mk all
		put "$(at $ev 6)" 2 $(($(size_of $ev) + 8))
		bad "$ev 8 bytes longer" "$(at $ev)" "instead of"
	done
}

# Strings that do not end, counts that do not fit.
contents() {
	local ev end

	for ev in MMAP MMAP2 COMM KSYMBOL CGROUP BUILD_ID; do
		mk all
		end=$(($(at $ev) + $(size_of $ev)))
		head -c $((end - $(at $ev.name))) /dev/zero | tr '\0' x |
			dd of=f bs=1 seek="$(at $ev.name)" conv=notrunc status=none
		bad "$ev with a name without end" "$(at $ev)" "$ev with a name that does not end"
	done
	damage all NAMESPACES NAMESPACES.nr 0 8 5 'too small for 5 entries'
	damage all NAMESPACES NAMESPACES.nr 0 8 -1 'too small for 18446744073709551615 entries'
	damage all CALLCHAIN_DEFERRED CALLCHAIN_DEFERRED.nr 0 8 7 'too small for 7 entries'
	damage all TEXT_POKE TEXT_POKE.lengths 0 2 60 'too small for 65 bytes of code'
	damage all ID_INDEX ID_INDEX.nr 0 8 1 'does not fit 1 entries'
	damage all ID_INDEX ID_INDEX.nr 0 8 3 'does not fit 3 entries'
	damage all ID_INDEX ID_INDEX.nr 0 8 0x0800000000000002 'does not fit'
	damage all THREAD_MAP THREAD_MAP.nr 0 8 3 'too small for 3 entries'
	damage all THREAD_MAP THREAD_MAP.nr 0 8 1 'of size 64 instead of 40'
	damage all STAT_CONFIG STAT_CONFIG.nr 0 8 2 'too small for 2 entries'
	damage all BPF_METADATA BPF_METADATA.nr 0 8 2 'too small for 2 entries'
	damage all CPU_MAP CPU_MAP.form 0 2 3 'CPU map of unknown form 3'
	damage all CPU_MAP_list CPU_MAP_list.nr 0 2 7 'CPU map of 7 entries in 16 bytes'
	damage all CPU_MAP_mask4 CPU_MAP_mask4.nr 0 2 3 'CPU map of 3 entries in 16 bytes'
	damage all CPU_MAP_mask4 CPU_MAP_mask4.width 0 2 2 'CPU mask with words of 2 bytes'
	damage all CPU_MAP_mask8 CPU_MAP_mask8.nr 0 2 2 'CPU map of 2 entries in 24 bytes'
	damage all EVENT_UPDATE EVENT_UPDATE.kind 0 8 4 'EVENT_UPDATE of unknown kind 4'
	damage all EVENT_UPDATE_cpus EVENT_UPDATE_cpus.form 0 2 9 'CPU map of unknown form 9'
	mk all
	put_text "$(at EVENT_UPDATE.name)" xxxxxxxxxxxxxxxx
	bad 'EVENT_UPDATE with a name without end' "$(at EVENT_UPDATE)" 'string that does not end'
	mk all
	put "$(at EVENT_UPDATE_scale 6)" 2 24
	bad 'EVENT_UPDATE without its scale' "$(at EVENT_UPDATE_scale)" 'without its scale'
	mk all
	put "$(at EVENT_UPDATE_cpus 6)" 2 24
	bad 'EVENT_UPDATE without its CPU map' "$(at EVENT_UPDATE_cpus)" 'EVENT_UPDATE of size 24 has no room for its CPU map'
	damage all ATTR ATTR 12 4 136 'attribute of size 136'
	damage all ATTR ATTR 12 4 56 'attribute of size 56'
	damage all ATTR ATTR 12 4 68 'attribute of size 68'
}

# One field of a sample after the other.
samples() {
	local field

	damage samples SAMPLE_B SAMPLE_B.read 0 8 20 'too small for its counter values'
	damage samples SAMPLE_B SAMPLE_B.read 0 8 -1 'too small for its counter values'
	damage samples SAMPLE_B SAMPLE_B.callchain 0 8 100 'too small for its callchain'
	damage samples SAMPLE_B SAMPLE_B.callchain 0 8 0x2000000000000003 'too small for its callchain'
	damage samples SAMPLE_B SAMPLE_B.raw 0 4 1000 'too small for its raw data'
	damage samples SAMPLE_B SAMPLE_B.raw 0 4 -4 'too small for its raw data'
	damage samples SAMPLE_B SAMPLE_B.branches 0 8 100 'too small for its branch stack'
	damage samples SAMPLE_B SAMPLE_B.stack 0 8 1000 'too small for its user stack'
	damage samples SAMPLE_B SAMPLE_B.stack 24 8 17 'too small for its user stack'
	damage samples SAMPLE_B SAMPLE_B.aux 0 8 16 'too small for its AUX data'
	damage samples SAMPLE_B SAMPLE_B.aux 0 8 0 'has 8 bytes more than its fields'
	damage sample-id SAMPLE SAMPLE 24 8 999 'SAMPLE with id 999'
	damage sample-id SAMPLE SAMPLE 6 2 32 'too small for its counter values'
	# Cut it in each of its fields.
	for field in read callchain raw branches regs_user stack regs_intr aux; do
		mk samples
		put "$(at SAMPLE_B 6)" 2 $(($(at SAMPLE_B.$field) - $(at SAMPLE_B) & ~7))
		bad "sample that ends before its $field" "$(at SAMPLE_B)" 'too small for its'
	done
	mk samples
	put "$(at SAMPLE_B 6)" 2 $(($(at SAMPLE_B.regs_intr) - 24 - $(at SAMPLE_B)))
	bad 'sample that ends before its weight' "$(at SAMPLE_B)" 'too small for its weight, data source'
	mk samples
	put "$(at SAMPLE_B 6)" 2 $(($(at SAMPLE_B.regs_intr) - 8 - $(at SAMPLE_B)))
	bad 'sample that ends before its transaction' "$(at SAMPLE_B)" 'too small for its weight, data source'
	mk samples
	put "$(at SAMPLE_B 6)" 2 $(($(at SAMPLE_B.aux) - 16 - $(at SAMPLE_B)))
	bad 'sample that ends before its page sizes' "$(at SAMPLE_B)" 'too small for its address, cgroup'
	# Without registers all that follows is read from the wrong place.
	damage samples SAMPLE_B SAMPLE_B.regs_user 0 8 0 'SAMPLE of size'
	damage samples SAMPLE_B SAMPLE_B.regs_intr 0 8 0 'SAMPLE of size'
	mk samples
	put "$(at attrs 160)" 8 0x2010000
	put "$(at SAMPLE_B 6)" 2 16
	wipe "$(at SAMPLE_B 16)" 8
	bad 'fields of a newer kernel are not guessed at' "$(at SAMPLE_B 16)" 'zero event header'
}

pipes() {
	damage pipe ATTR ATTR 6 2 72 'ATTR of size 72 with an attribute of size 120'
	damage pipe FEATURE FEATURE 8 8 0 'FEATURE with number 0'
	damage pipe FEATURE FEATURE 8 8 256 'FEATURE with number 256'
	damage pipe FEATURE FEATURE 16 4 100 'feature HOSTNAME does not fit'
	damage pipe FEATURE FEATURE 16 4 60 'feature HOSTNAME has 4 bytes left'
	local feat size

	# FEATURE events that end before the first field of their feature does.
	while read -r feat size; do
		mk pipe
		put "$(at FEATURE 8)" 8 "$feat"
		put "$(at FEATURE 6)" 2 "$size"
		put "$(at FEATURE 16)" 4 1
		bad "feature $feat in $((size - 16)) bytes" "$(at FEATURE)" 'does not fit its'
	done <<-END
		1 20
		2 20
		3 17
		3 20
		7 20
		10 20
		11 18
		12 18
		12 24
		18 20
		25 18
		25 22
		26 18
		26 24
	END
	mk pipe
	put "$(at FEATURE 8)" 8 11
	put "$(at FEATURE 16)" 4 0x200000
	bad 'two million arguments' "$(at FEATURE)" 'feature CMDLINE does not fit'
	damage pipe TRACING_DATA TRACING_DATA 8 4 4096 'TRACING_DATA with 4096 bytes after it'
	mk pipe
	put "$(at TRACING_DATA 8)" 4 16
	bad 'tracing data shorter than it is' "$(at TRACING_DATA 32)" 'zero event header: hole of'
	mk pipe
	put "$(at ATTR)" 4 65
	put "$(at ATTR 6)" 2 80
	bad 'ATTR as something else' "$(at ATTR 80)" 'event'
	mk pipe
	cut_out "$(at ATTR)" $(($(at FEATURE) - $(at ATTR)))
	bad 'samples before any ATTR' $(($(at SAMPLE_0) - $(at FEATURE) + $(at ATTR))) 'SAMPLE before any event attribute'
	mk pipe
	put "$(at ATTR_1 32)" 8 0x41
	bad 'ATTR with the id at another place' 0 'the place of the id differs'
	mk pipe
	truncate -s -8 f
	bad 'pipe file cut in an event' "$(at SAMPLE)" 'goes past the end of the data'
	mk pipe
	truncate -s 16 f
	bad 'pipe file with nothing in it' 16 'no events'
	mk pipe
	truncate -s +64 f
	bad 'pipe file with a zero tail' "$(at end)" 'zero event header: zero tail, 64 zero bytes'
}

compressed() {
	local data

	if ! has_zstd; then
		skip 'compressed records' 'built without libzstd'
		return
	fi
	data=$("$LINT" --events f | awk '$2 == "COMPRESSED2" { print $3; exit }')
	damage zstd PACKED_0 PACKED_0 8 8 0 'with 0 bytes of data'
	damage zstd PACKED_0 PACKED_0 8 8 $((data - 16 - 8)) 'COMPRESSED2 of size'
	damage zstd PACKED_0 PACKED_0 8 8 $((data - 15)) 'COMPRESSED2 of size'
	damage zstd PACKED_0 PACKED_0 16 4 0 'cannot decompress'
	damage zstd PACKED_1 PACKED_1 16 1 0xff 'cannot decompress'
	damage zstd PACKED_2 mmap_len 0 4 128 'more than the ring buffer'
	mk zstd
	cut_out "$(at PACKED_1)" $(($(at end) - $(at PACKED_1)))
	put 48 8 $(($(at PACKED_1) - $(at data)))
	bad 'compressed data that ends in an event' "$(at PACKED_1)" 'the compressed data ends inside an event, 4 bytes'
	mk zstd
	put 48 8 $(($(at PACKED_1) - $(at data)))
	put "$(at PACKED_0)" 4 68
	bad 'COMPRESSED2 as something else' "$(at PACKED_0)" 'FINISHED_ROUND of size'
	damage zstd-old PACKED_0 PACKED_0 6 2 8 'COMPRESSED of size 8, at least 9'
	damage zstd-old PACKED_0 PACKED_0 8 4 0 'cannot decompress'
	# 60 bytes are stored as they are, so an event can be damaged inside.
	mk zstd
	bad_inside 6 2 4 'event of type 3 with size 4'
	bad_inside 0 4 99 'unknown event type 99'
	bad_inside 0 4 83 'COMPRESSED2 inside a compressed record'
	bad_inside 0 4 71 'AUXTRACE inside a compressed record'
}

# Damage the first event in a compressed record.
bad_inside() { # PLUS WIDTH VALUE TEXT
	local packed

	mk zstd
	packed=$(grep -abo true f | head -1 | cut -d: -f1)
	put $((packed - 16 + $1)) "$2" "$3"
	bad "in a compressed record: +$1 = $3" "$(at PACKED_0) (decompressed 0)" "$4"
}

streams() {
	rm -rf d
	mkdir d
	mk dir-main
	mv f d/data
	mk stream
	put "$(at MMAP2 6)" 2 0
	mv f d/data.0
	bad 'damage in a data file of a directory' "$(at MMAP2)" 'event of type 10 with size 0' d d/data.0
	mk stream
	truncate -s +4096 f
	mv f d/data.0
	bad 'zero tail in a data file of a directory' "$(at end)" 'zero tail, 4096' d d/data.0
	mk stream
	truncate -s -12 f
	mv f d/data.0
	bad 'data file of a directory cut' "$(at SAMPLE)" 'goes past the end' d d/data.0
}

for order in '' -b; do
	headers
	zeros
	sizes
	contents
	samples
	pipes
	compressed
	streams
done
finish
