#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The ways perf record writes files, mapped: compressed, several files, a
# directory of files, renamed ones. Usage and environment: see lib.sh.

. "$(dirname "$0")/lib.sh"
setup

EVENTS=(-e page-faults:u -c 1 -d "${COPIED[@]}")
SIZES=(--out-pages=1 --out-pages=64K --out-pages=64M)

# compressed N ARGS: samples of N pages come out of the compressed file.
compressed()
{
	local n=$1
	shift

	record_ok -o "$WORK/z.data" -m "$RING" "$@" "${EVENTS[@]}" -- \
		"$WORKLOAD" pace 1000 300 pages "$n" || return
	judge "$WORK/z.data"
	expect_ge "compressed events" "${D[compressed]}" 1
	judge_read "$WORK/z.data" "$n"
}

t_compressed()
{
	local option

	describe "-z, at the lowest and the highest level"
	if ! has_feature zstd; then
		skip "this perf is built without zstd"
		return
	fi
	for option in "${SIZES[@]}"; do
		# Few enough for one compressed event: the flush of the last of
		# several can stay incomplete, mapped or not.
		compressed 8000 -z1 "$option"
		# It takes its time: all events wait in the ring buffer.
		compressed 8000 -z22 "$option"
	done
}

t_threads()
{
	local option spec

	describe "--threads: a directory, each of its files mapped"
	for option in "${SIZES[@]}"; do
		for spec in cpu core; do
			rm -rf dir
			record_ok -o "$WORK/dir" "--threads=$spec" "$option" \
				"${EVENTS[@]}" -- "$WORKLOAD" pace 1000 300 pages 20000 ||
				continue
			judge_dir "$WORK/dir"
			expect_ge "dir: data files" \
				"$(find dir -name 'data.*' -size +0 | wc -l)" 1
			judge_read "$WORK/dir" 20000
		done
	done
}

# record_switched ARGS: record_ok into switch.data, until no two files got the
# same name: it says the time in hundredths of a second.
record_switched()
{
	local try

	for try in 1 2 3 4 5 6; do
		rm -f switch.*
		record_ok -o "$WORK/switch.data" "$@" || return
		same_names "$LOG" || return 0
		diag "try $try: two files of the same name, recording again"
	done
	fail "expected files of different names in one of 6 recordings"
	return 1
}

# judge_parts PATTERN-PREFIX N: files of a switched output are good each, and
# hold the samples of N pages together.
judge_parts()
{
	local file parts

	parts=("$1".*)
	expect_ge "files" "${#parts[@]}" 2
	for file in "${parts[@]}"; do
		judge "$file"
	done
	judge_read "${parts[@]}" "$2"
	expect_absent "$1"
}

t_switch_size()
{
	local option

	describe "--switch-output by size, far below a segment"
	for option in "${SIZES[@]}"; do
		record_switched --switch-output=200K "$option" \
			"${EVENTS[@]}" -- "$WORKLOAD" pace 500 10000 pages 20000 ||
			continue
		judge_parts "$WORK/switch.data" 20000
	done
}

t_switch_signal()
{
	local option usr2

	describe "--switch-output=signal"
	usr2=$(kill -l USR2)
	for option in "${SIZES[@]}"; do
		record_switched --switch-output=signal "$option" \
			"${EVENTS[@]}" -- "$WORKLOAD" pace 500 2000 pages 5000 \
			usleep 100000 signal "$usr2" usleep 100000 pages 3000 \
			usleep 100000 signal "$usr2" usleep 100000 pages 3000 || continue
		judge_parts "$WORK/switch.data" 11000
	done
}

t_switch_max()
{
	describe "--switch-max-files=2 keeps the last two"
	record_switched --switch-output=200K --switch-max-files=2 \
		"${EVENTS[@]}" -- "$WORKLOAD" pace 500 10000 pages 20000 || return
	expect_eq "files" "$(find . -name 'switch.data*' | wc -l)" 2
	for file in "$WORK"/switch.data.*; do
		judge "$file"
	done
}

t_timestamp()
{
	local option files

	describe "--timestamp-filename: one file, under its new name"
	for option in "${SIZES[@]}"; do
		rm -f stamp.*
		record_ok -o "$WORK/stamp.data" --timestamp-filename "$option" \
			"${EVENTS[@]}" -- "$WORKLOAD" pages 3000 || continue
		files=("$WORK"/stamp.data*)
		expect_eq "files" "${#files[@]}" 1
		expect_absent "$WORK/stamp.data"
		judge_numbers "${files[0]}" 3000
		judge "${files[0]}"
	done
}

t_max_size()
{
	local want=

	describe "--max-size ends the recording as with write(2)"
	for option in --no-out-pages "${SIZES[@]}"; do
		perf_record -o "$WORK/max.data" --max-size=200K "$option" \
			"${EVENTS[@]}" -- "$WORKLOAD" pace 500 1000 pages 100000
		want=${want:-$RC}
		expect_eq "$option: exit status, against write(2)" "$RC" "$want"
		expect_log "perf size limit reached"
		judge "$WORK/max.data" || return
		expect_ge "$option: length of the file" "${D[size]}" $((200 << 10))
		expect_le "$option: length of the file" "${D[size]}" $((2 << 20))
	done
}

t_tail_synthesize()
{
	describe "--overwrite --tail-synthesize: what is written last is there"
	record_ok -o "$WORK/tail.data" --overwrite --tail-synthesize -e page-faults:u \
		-c 1 -d -- "$WORKLOAD" pages 1000 || return
	judge "$WORK/tail.data"
	judge_numbers "$WORK/tail.data" 1000
}

t_no_buildid()
{
	describe "-B: no pass over the data at the end"
	record_ok -o "$WORK/b.data" -B "${EVENTS[@]}" -- "$WORKLOAD" pages 3000 ||
		return
	judge_numbers "$WORK/b.data" 3000
	judge "$WORK/b.data"
}

t_names()
{
	describe "a name with spaces and UTF-8, a symbolic link, the working directory"
	record_ok -o "$WORK/ein Ergebnis für später.data" "${EVENTS[@]}" -- \
		"$WORKLOAD" pages 300
	judge "$WORK/ein Ergebnis für später.data"
	mkdir -p elsewhere
	: >elsewhere/target.data
	ln -s elsewhere link
	record_ok -o "$WORK/link/target.data" "${EVENTS[@]}" -- "$WORKLOAD" pages 300
	judge "$WORK/elsewhere/target.data"
	record_ok "${EVENTS[@]}" -- "$WORKLOAD" pages 300
	judge "$WORK/perf.data"
}

run_cases t_compressed t_threads t_switch_size t_switch_signal t_switch_max \
	t_timestamp t_max_size t_tail_synthesize t_no_buildid t_names
