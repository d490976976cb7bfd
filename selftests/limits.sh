#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Limits that a recording does not reach do not disturb it, however large the
# segments are. Usage and environment: see lib.sh.

. "$(dirname "$0")/lib.sh"
setup

OUT=$WORK/perf.data

# three_mb OPTION: records 3 MB, all of which must be there.
three_mb()
{
	rm -f "$OUT"*
	record_lossless "$OUT" "$1" "${COPIED[@]}" -e page-faults:u -c 1 -d -- \
		"$WORKLOAD" pace 1000 300 pages 60000 || return
	judge_numbers "$OUT" 60000
	judge "$OUT"
}

t_fsize()
{
	local option

	describe "RLIMIT_FSIZE above the data's size, below the segment's"
	VIA=(prlimit "--fsize=$((6 << 20))")
	for option in --no-out-pages --out-pages=1 --out-pages=64M --out-pages=1G; do
		three_mb "$option"
	done
	VIA=()
}

t_fsize_unaligned()
{
	describe "RLIMIT_FSIZE that is no multiple of a page, within the first segment"
	VIA=(prlimit "--fsize=$(((4 << 20) + 1234))")
	three_mb --out-pages=64M
	three_mb --out-pages=64K
	VIA=()
}

t_as()
{
	local option

	describe "an address space of 400 MB, segments of 64 MiB and of 1 GiB"
	VIA=(prlimit "--as=$((400000 << 10))")
	for option in --no-out-pages --out-pages=64M --out-pages=1G; do
		three_mb "$option"
	done
	VIA=()
}

t_nofile()
{
	describe "few file descriptors: mapped output needs none of its own"
	VIA=(prlimit "--nofile=$((32 + 2 * $(nproc)))")
	three_mb --out-pages=1
	three_mb --out-pages=64M
	VIA=()
}

t_memlock()
{
	describe "no memory to lock beyond the ring buffers"
	VIA=(prlimit --memlock=0)
	rm -f "$OUT"*
	record_ok -o "$OUT" --out-pages=64M -e page-faults:u -c 1 -d -m 16 -- \
		"$WORKLOAD" pages 300 || return
	judge "$OUT"
	VIA=()
}

run_cases t_fsize t_fsize_unaligned t_as t_nofile t_memlock
