#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# perf record with standard input, output or error closed: what perf has to say
# must not get into the recording, which may be given that number. Usage and
# environment: see lib.sh.

. "$(dirname "$0")/lib.sh"
setup

OUT=$WORK/perf.data
# Of BPF programs nothing is to be seen here; perf would wait for such events at
# the end of each recording.
EVENTS=(--no-bpf-event -e page-faults:u -c 1 -d "${COPIED[@]}")

# shellcheck disable=SC2016 # the shell that is started fills these in
WITHOUT=(sh -c 'what=$1; shift
	case $what in *0*) exec <&- ;; esac
	case $what in *1*) exec >&- ;; esac
	case $what in *2*) exec 2>&- ;; esac
	exec "$@"' sh)

# closed WHAT: with each way of writing, with these descriptors closed.
closed()
{
	local option

	for option in --no-out-pages --out-pages=1 --out-pages=64M; do
		rm -f "$OUT"*
		VIA=("${WITHOUT[@]}" "$1")
		record_ok -o "$OUT" "$option" "${EVENTS[@]}" -- \
			"$WORKLOAD" pages 3000
		VIA=()
		judge_numbers "$OUT" 3000
		judge "$OUT"
	done
}

t_stdin()
{
	describe "standard input closed"
	closed 0
}

t_stdout()
{
	describe "standard output closed"
	closed 1
}

t_stderr()
{
	describe "standard error closed"
	closed 2
}

t_all()
{
	describe "all of them closed"
	closed 012
}

t_others()
{
	describe "standard error closed, a directory and a switched output"
	VIA=("${WITHOUT[@]}" 2)
	record_ok -o "$WORK/dir" --threads "${EVENTS[@]}" -- "$WORKLOAD" pages 3000
	judge_read "$WORK/dir" 3000
	record_ok -o "$WORK/switch.data" --switch-output=signal "${EVENTS[@]}" -- \
		"$WORKLOAD" pages 3000 usleep 100000 signal "$(kill -l USR2)" \
		usleep 200000 pages 500
	VIA=()
	judge_read "$WORK"/switch.data.* 3500
	for file in "$WORK"/switch.data.*; do
		judge "$file"
	done
}

run_cases t_stdin t_stdout t_stderr t_all t_others
