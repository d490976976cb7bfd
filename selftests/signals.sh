#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# perf or its workload gets a signal in the middle of a recording: the file
# holds all that happened before, and the exit status is that of write(2).
# Usage and environment: see lib.sh.

. "$(dirname "$0")/lib.sh"
setup
ulimit -c 0

OUT=$WORK/perf.data
OPTIONS=(--no-out-pages --out-pages=1 --out-pages=64K --out-pages=64M)
EVENTS=(-e page-faults:u -c 1 -d "${COPIED[@]}")

# like_written STEPS: record with each option; the exit status is that of the
# first, which is write(2).
like_written()
{
	local option want=

	for option in "${OPTIONS[@]}"; do
		rm -f "$OUT"* onterm
		perf_record -o "$OUT" "$option" "${EVENTS[@]}" -- "$WORKLOAD" "$@"
		want=${want:-$RC}
		expect_eq "$option: exit status, against write(2)" "$RC" "$want"
		after_signal "$option"
	done
}

# interrupts NUMBER: perf gets the signal after 10000 events.
interrupts()
{
	after_signal()
	{
		expect_eq "$1: what the workload noted" "$(cat onterm)" SIGTERM
		judge_numbers "$OUT" 10000
		judge "$OUT"
	}
	like_written onterm onterm pace 1000 300 pages 10000 signal "$1" \
		usleep 30000000
}

t_int()
{
	describe "SIGINT to perf"
	interrupts "$(kill -l INT)"
}

t_term()
{
	describe "SIGTERM to perf"
	interrupts "$(kill -l TERM)"
}

t_workload()
{
	describe "the workload dies of SIGSEGV"
	after_signal()
	{
		judge_numbers "$OUT" 10000
		judge "$OUT"
	}
	like_written pace 1000 300 pages 10000 raise "$(kill -l SEGV)"
}

t_bus_other()
{
	describe "a SIGBUS that somebody sends does what it does without mapped output"
	after_signal()
	{
		expect_eq "$1: exit status" "$RC" $((128 + $(kill -l BUS)))
	}
	like_written pages 1000 signal "$(kill -l BUS)"
}

t_bus_ignored()
{
	local option

	describe "a SIGBUS that is ignored stays ignored"
	VIA=(env --ignore-signal=BUS)
	if ! "${VIA[@]}" true 2>/dev/null; then
		skip "this env cannot ignore signals"
		return
	fi
	for option in "${OPTIONS[@]}"; do
		rm -f "$OUT"*
		record_ok -o "$OUT" "$option" "${EVENTS[@]}" -- "$WORKLOAD" \
			pages 1000 signal "$(kill -l BUS)" pages 1000 || continue
		judge_numbers "$OUT" 2000
		judge "$OUT"
	done
	VIA=()
}

run_cases t_int t_term t_workload t_bus_other t_bus_ignored
