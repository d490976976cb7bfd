#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Somebody else cuts the file, makes a hole in it or removes it while perf records
# into it; with mapped output, stores behind the end raise SIGBUS. perf says what
# happened, ends in order, and keeps what came before. Usage and environment: see
# lib.sh.

. "$(dirname "$0")/lib.sh"
setup

OUT=$WORK/perf.data

# record_truncated ARGS -- STEPS: the workload cuts the file in the middle of
# its events, and has many more, and would go on for long.
record_truncated()
{
	rm -f onterm
	record_fails -o "$OUT" -e page-faults:u -c 1 -d "$@" usleep 30000000
	expect_log "failed to write perf data, error: the file was changed by somebody else, nothing is kept in $OUT"
	expect_eq "what the workload noted" "$(cat onterm)" SIGTERM
	looks_unfinished "$OUT"
}

# looks_unfinished FILE: nobody takes for whole what has lost its beginning.
looks_unfinished()
{
	expect_eq "$1: samples that a reader finds" \
		"$("$PERF_BASE" script -F event -i "$1" 2>/dev/null | grep -c .)" 0
}

t_default()
{
	describe "cut to 0 half-way, segments of 64 MiB"
	record_truncated "${COPIED[@]}" -- "$WORKLOAD" onterm onterm pace 1000 300 pages 20000 \
		truncate "$OUT" pages 100000
}

t_page()
{
	describe "cut to 0 half-way, segments of one page"
	record_truncated "${COPIED[@]}" --out-pages=1 -- "$WORKLOAD" onterm onterm pace 1000 300 \
		pages 20000 truncate "$OUT" pages 100000
}

t_64k()
{
	describe "cut to 0 half-way, segments of 64 KiB"
	record_truncated "${COPIED[@]}" --out-pages=64K -- "$WORKLOAD" onterm onterm \
		pace 1000 300 pages 20000 truncate "$OUT" pages 100000
}

t_big_chunks()
{
	describe "cut to 0 half-way, chunks of 64 KiB and more"
	record_truncated --mmap-flush=64K --call-graph dwarf,8192 -- \
		"$WORKLOAD" onterm onterm pace 16 300 pages 1000 truncate "$OUT" pages 10000
}

t_early()
{
	describe "cut to 0 before the first event of the workload"
	record_truncated "${COPIED[@]}" -- "$WORKLOAD" onterm onterm truncate "$OUT" \
		pace 1000 300 pages 100000
}

t_late()
{
	describe "cut to 0 after the last event: no crash, no success"
	record_fails -o "$OUT" -e page-faults:u -c 1 -d -- "$WORKLOAD" \
		pages 1000 truncate "$OUT"
	looks_unfinished "$OUT"
}

t_write()
{
	local option

	describe "cut to 0 half-way, write(2) and --aio: what follows is not kept, either"
	for option in "${UNMAPPED[@]}"; do
		record_fails -o "$OUT" "$option" -e page-faults:u -c 1 -d -- \
			"$WORKLOAD" pace 1000 300 pages 20000 truncate "$OUT" pages 20000
		expect_log "failed to write perf data, error: the file was changed by somebody else, nothing is kept in $OUT"
		looks_unfinished "$OUT"
	done
}

# What perf has without mapped output.
UNMAPPED=(--no-out-pages)
has_feature aio && UNMAPPED+=(--aio)

# changed STEP...: 20000 pages, then STEP, which changes the file, then more pages.
# What came before the damage is kept.
changed()
{
	local option

	for option in --out-pages=64M --out-pages=1 "${UNMAPPED[@]}" -z; do
		if [ "$option" = -z ] && ! has_feature zstd; then
			continue
		fi
		rm -f "$OUT"*
		record_fails -o "$OUT" "$option" "${COPIED[@]}" -e page-faults:u -c 1 -d -- \
			"$WORKLOAD" pace 1000 300 pages 20000 "$@" "$OUT" pages 20000
		expect_log "failed to write perf data, error: the file was changed by somebody else, kept [0-9.]+ MB in $OUT"
		expect_eq "$option: messages about it" "$(grep -c "failed to" "$LOG")" 1
		judge "$OUT" || continue
		if [ "$option" != -z ]; then
			# A third of them, with a margin for what was not written yet.
			expect_ge "$option: pages of the workload that have a sample" "${D[pages]}" 5000
			expect_eq "$option: pages that have none before those" "${D[missing]}" 0
		fi
	done
}

t_halved()
{
	describe "cut to half its length: the first half is kept"
	changed halve
}

t_punched()
{
	describe "a hole in the middle third: what is before it is kept"
	changed punch
}

t_removed()
{
	local option

	describe "removed: no success, and it stays removed"
	for option in --out-pages=64M "${UNMAPPED[@]}"; do
		record_fails -o "$OUT" "$option" -e page-faults:u -c 1 -d -- \
			"$WORKLOAD" pages 1000 unlink "$OUT" pages 1000
		expect_log "failed to write perf data, error: the file was removed by somebody else, nothing is kept in $OUT"
		expect_absent "$OUT"
	done
}

t_removed_dir()
{
	describe "--threads: one file of the directory is removed"
	record_fails -o "$OUT" --threads -e page-faults:u -c 1 -d -- \
		"$WORKLOAD" pages 1000 unlink "$OUT/data.0" pages 1000
	expect_log "failed to write perf data, error: the file was removed by somebody else"
	rm -rf "$OUT"
}

t_switched()
{
	local file

	describe "--switch-output: changed, it is the last one; those before are good"
	rm -f "$OUT"*
	record_fails -o "$OUT" --switch-output=signal "${COPIED[@]}" -e page-faults:u -c 1 -d -- \
		"$WORKLOAD" pace 1000 300 pages 3000 signal "$(kill -l USR2)" usleep 300000 \
		pages 20000 halve "$OUT" pages 1000 signal "$(kill -l USR2)" usleep 30000000
	expect_log "failed to write perf data, error: the file was changed by somebody else, kept"
	expect_eq "files" "$(find "$WORK" -name 'perf.data*' | wc -l)" 2
	for file in "$OUT"*; do
		judge "$file"
	done
	rm -f "$OUT"*
}

t_nameless()
{
	describe "a file that never had a name is not one that was removed"
	# shellcheck disable=SC2016 # for the inner shell
	VIA=(bash -c 'exec 3<>nameless && rm nameless && exec "$@"' bash)
	record_ok -o /dev/fd/3 -e page-faults:u -c 1 -d -- "$WORKLOAD" pages 1000
	VIA=()
}

t_again()
{
	describe "a recording of the same process tree right after works"
	record_ok -o "$OUT" -e page-faults:u -c 1 -d -- "$WORKLOAD" pages 3000
	judge "$OUT"
	judge_numbers "$OUT" 3000
}

run_cases t_default t_page t_64k t_big_chunks t_early t_late t_write t_halved t_punched \
	t_removed t_removed_dir t_switched t_nameless t_again
