#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# perf record that goes on in another file: after a time, at a signal, as a
# flight recorder; each file is mapped, cut, and good. By size: see modes.sh.
# Usage and environment: see lib.sh.

. "$(dirname "$0")/lib.sh"
setup

OUT=$WORK/switch.data
# Of BPF programs nothing is to be seen here; perf would wait for such events at
# the end of each recording.
EVENTS=(--no-bpf-event -e page-faults:u -c 1 -d)
OPTIONS=(--no-out-pages --out-pages=1 --out-pages=64M)
USR2=$(kill -l USR2)

# record_parts N ARGS: record_ok into PARTS, which must be N files or more. The
# time in a name is in hundredths of a second: again if two files got the same.
record_parts()
{
	local try n=$1
	shift

	for try in 1 2 3 4 5 6; do
		rm -f "$OUT"*
		record_ok -o "$OUT" "$@" || return 1
		same_names "$LOG" ||
			break
		diag "try $try: two files of the same name, recording again"
	done
	expect_absent "$OUT"
	PARTS=("$OUT".*)
	expect_ge "files" "${#PARTS[@]}" "$n"
	[ "${#PARTS[@]}" -ge "$n" ]
}

# judge_parts N: all files are good, and hold the samples of N pages together.
judge_parts()
{
	local file

	for file in "${PARTS[@]}"; do
		judge "$file"
	done
	judge_read "${PARTS[@]}" "$1"
}

t_time()
{
	describe "--switch-output=1s"
	record_parts 2 --switch-output=1s "${COPIED[@]}" "${EVENTS[@]}" -- \
		"$WORKLOAD" pages 2000 usleep 1100000 pages 3000 || return
	judge_parts 5000
}

t_mapped()
{
	local n=$((64 << 20)) maps

	describe "each file is mapped, the one before no longer"
	record_parts 3 --switch-output=signal "${COPIED[@]}" "${EVENTS[@]}" -- \
		"$WORKLOAD" pages 100 usleep 100000 maps maps.0 \
		signal "$USR2" usleep 200000 pages 200 usleep 100000 maps maps.1 \
		signal "$USR2" usleep 200000 pages 300 usleep 100000 maps maps.2 ||
		return
	judge_parts 600
	for maps in maps.[0-2]; do
		# The files are renamed when they are finished.
		expect_eq "$maps: mappings of the output to write to" \
			"$(grep -c "rw-s .*$OUT" "$maps")" 1
		expect_eq "$maps: bytes of them" "$(awk -v out="$OUT" '
			$NF == out { split($1, a, "-"); print a[1], a[2] }' "$maps" | {
			read -r from to && echo $((0x$to - 0x$from))
		})" $n
	done
}

t_segment_left()
{
	local option

	describe "files that end far within their segment are cut"
	for option in --no-out-pages --out-pages=1 --out-pages=1G; do
		record_parts 2 -m "$RING" --switch-output=300K "$option" -B "${COPIED[@]}" "${EVENTS[@]}" \
			--call-graph dwarf,4096 -- \
			"$WORKLOAD" pace 20 8000 pages 400 || continue
		judge_parts 400
		expect_le "$option: bytes on disk of the first file" \
			$(($(stat -c %b "${PARTS[0]}") * 512)) $((2 << 20))
	done
}

t_max_files()
{
	local last

	describe "--switch-max-files=2 by signal keeps the last two"
	record_parts 2 --switch-output=signal --switch-max-files=2 \
		"${COPIED[@]}" "${EVENTS[@]}" -- "$WORKLOAD" \
		pages 1000 usleep 100000 signal "$USR2" usleep 200000 \
		pages 1000 usleep 100000 signal "$USR2" usleep 200000 \
		pages 1000 usleep 100000 signal "$USR2" usleep 200000 \
		pages 500 || return
	expect_eq "files" "${#PARTS[@]}" 2
	for file in "${PARTS[@]}"; do
		judge "$file"
	done
	last=${PARTS[-1]}
	measure "$last" || return
	expect_eq "$last: number of the last page" "${D[last]}" 3499
}

t_timestamp()
{
	describe "--timestamp-filename with --switch-output: as without"
	record_parts 2 --timestamp-filename --switch-output=signal "${COPIED[@]}" \
		"${EVENTS[@]}" -- "$WORKLOAD" pages 1000 usleep 100000 \
		signal "$USR2" usleep 200000 pages 1000 || return
	judge_parts 2000
}

# judge_recorder FILE: perf writes what it synthesizes at the end twice into the last
# file, however it writes, and says so when it reads that.
judge_recorder()
{
	measure "$1" || return
	expect_eq "$1: its length, against the end of the features" \
		"${D[size]}" "${D[features]}"
	expect_eq "$1: offset of its first hole, against its length" \
		"${D[hole]}" "${D[size]}"
	if [ -n "$LINT" ] && ! "$LINT" "$1" >"$LOG" 2>&1; then
		fail "expected perfdata-lint to accept $1, got: $(head -n 1 "$LOG")"
	fi
	"$PERF_BASE" script -F event -i "$1" >samples 2>"$LOG" ||
		fail "perf script -i $1: expected exit status 0"
	expect_eq "$1: samples that perf script shows" "$(grep -c . samples)" \
		"${D[samples]}"
}

# flight_recorder ARGS: what a small ring buffer still holds is written, at each
# signal and at the end: the newest events without a gap.
flight_recorder()
{
	local cpu file option last

	cpu=$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/')
	for option in "${OPTIONS[@]}"; do
		record_parts 2 "$@" "$option" --overwrite --switch-output=signal -m 16 \
			"${EVENTS[@]}" -- taskset -c "$cpu" "$WORKLOAD" \
			pages 20000 usleep 100000 signal "$USR2" usleep 300000 \
			pages 10000 || continue
		last=19999
		for file in "${PARTS[@]:0:2}"; do
			judge_recorder "$file"
			expect_eq "$option: $file: number of the last page" \
				"${D[last]}" $last
			expect_ge "$option: $file: pages that have a sample" \
				"${D[pages]}" 500
			expect_le "$option: $file: pages that have a sample" \
				"${D[pages]}" 3000
			expect_eq "$option: $file: pages in between that have none" \
				"${D[missing]}" 0
			last=29999
		done
		# What the samples need to be understood comes behind them.
		"$DATAFILE" -e "${PARTS[0]}" >events || fail "expected events"
		expect_ge "$option: MMAP2 events behind the last sample" \
			"$(awk '$2 == 9 { n = 0 } $2 == 10 { n++ } END { print n }' events)" 1
	done
}

t_flight()
{
	describe "--overwrite --switch-output=signal: a flight recorder"
	flight_recorder
}

t_flight_tail()
{
	describe "the same with --tail-synthesize"
	flight_recorder --tail-synthesize
}

t_flight_end()
{
	local option

	describe "--overwrite without a switch: the newest events, at the end"
	for option in "${OPTIONS[@]}"; do
		record_ok -o "$OUT" "$option" --overwrite -m 16 "${EVENTS[@]}" -- \
			taskset -c "$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/')" \
			"$WORKLOAD" pages 20000 || continue
		judge "$OUT"
		expect_eq "$option: number of the last page" "${D[last]}" 19999
		expect_ge "$option: pages that have a sample" "${D[pages]}" 500
		expect_eq "$option: pages in between that have none" "${D[missing]}" 0
	done
}

run_cases t_time t_mapped t_segment_left t_max_files t_timestamp t_flight \
	t_flight_tail t_flight_end
