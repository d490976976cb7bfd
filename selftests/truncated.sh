#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Somebody else cuts the file to 0 bytes while perf records into it: stores
# behind the end raise SIGBUS. perf says what happened, stops the workload, and
# ends in order. Usage and environment: see lib.sh.

. "$(dirname "$0")/lib.sh"
setup

OUT=$WORK/perf.data

# record_truncated ARGS -- STEPS: the workload cuts the file in the middle of
# its events, and has many more, and would go on for long.
record_truncated()
{
	rm -f onterm
	record_fails -o "$OUT" -e page-faults:u -c 1 -d "$@" usleep 30000000
	expect_log "failed to write perf data, error: .*truncated"
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
	describe "cut to 0 half-way, write(2): ends without a signal"
	perf_record -o "$OUT" --no-out-pages -e page-faults:u -c 1 -d -- \
		"$WORKLOAD" pace 1000 300 pages 20000 truncate "$OUT" pages 20000
	expect_eq "died of a signal" $((RC > 128 && RC < 192)) 0
}

t_again()
{
	describe "a recording of the same process tree right after works"
	record_ok -o "$OUT" -e page-faults:u -c 1 -d -- "$WORKLOAD" pages 3000
	judge "$OUT"
	judge_numbers "$OUT" 3000
}

run_cases t_default t_page t_64k t_big_chunks t_early t_late t_write t_again
