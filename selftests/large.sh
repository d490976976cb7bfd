#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Recordings of many segments: each numbered event is there once. Usage and
# environment: see lib.sh.

. "$(dirname "$0")/lib.sh"
private_mounts "$@"
setup

# In memory, lest a slow disk make the kernel lose events.
mount_tmpfs 512M
OUT=$WORK/fs/perf.data

# many MIN ARGS: 9000 events of more than 8 KiB, at least MIN bytes, recorded
# with ARGS.
many()
{
	local min=$1
	shift

	record_lossless "$OUT" -e page-faults:u -c 1 -d --call-graph dwarf,8192 \
		"$@" -- "$WORKLOAD" pace 8 300 pages 9000 || return
	expect_ge "length of the file" "${D[size]}" "$min"
	judge_numbers "$OUT" 9000
	judge "$OUT"
	rm -f "$OUT"*
}

t_two_default()
{
	describe "more than 64 MiB in the default segments"
	many $((65 << 20)) "${COPIED[@]}"
}

t_page()
{
	describe "more than 64 MiB in segments of one page, events larger than one"
	many $((65 << 20)) "${COPIED[@]}" --out-pages=1
}

t_odd()
{
	describe "more than 64 MiB in segments of 3 MiB, rounded to 4 MiB"
	many $((65 << 20)) "${COPIED[@]}" --out-pages=3M
}

t_large()
{
	describe "more than 64 MiB in large chunks, larger than a segment"
	many $((65 << 20)) --mmap-flush=64K --out-pages=64K
}

t_write()
{
	describe "more than 64 MiB with write(2)"
	many $((65 << 20)) --no-out-pages
}

# small_events N ARGS: N events of 48 bytes.
small_events()
{
	local n=$1
	shift

	record_lossless "$OUT" -e page-faults:u -c 1 -d "$@" -- \
		"$WORKLOAD" pace 1000 300 pages "$n" || return
	judge_numbers "$OUT" "$n"
	judge "$OUT"
}

t_small()
{
	describe "100000 small events, copied one by one, in segments of one page"
	small_events 100000 "${COPIED[@]}" --out-pages=1
}

t_mixed()
{
	describe "chunks of all sizes across segments of 64 KiB"
	record_lossless "$OUT" -e page-faults:u -c 1 -d --out-pages=64K -- \
		"$WORKLOAD" pace 3000 300 pages 10000 pace 7 100 pages 3000 \
		pace 1000 200 pages 30000 || return
	judge_numbers "$OUT" 43000
	judge "$OUT"
}

t_twice()
{
	local i

	describe "no sample is there twice, however perf and the kernel meet"
	for i in 1 2 3 4; do
		small_events 100000 "${COPIED[@]}"
		diag "recording $i: ${D[rounds]} drains"
	done
}

run_cases t_two_default t_page t_odd t_large t_write t_small t_mixed t_twice
