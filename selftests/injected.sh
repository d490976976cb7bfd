#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# System calls of mapped output that fail, injected with strace: what can be
# done without is done without, and a file that cannot be cut to its data makes
# the command fail. Usage and environment: see lib.sh.

. "$(dirname "$0")/lib.sh"
setup

OUT=$WORK/perf.data
EVENTS=(-e page-faults:u -c 1 -d "${COPIED[@]}")

# can_inject: marks the case as skipped where strace is missing or not allowed.
can_inject()
{
	if ! command -v strace >/dev/null; then
		skip "strace is not installed"
		return 1
	fi
	if ! strace -o /dev/null -e inject=fchdir:error=EIO true 2>strace.log; then
		skip "strace cannot trace here: $(head -n 1 strace.log)"
		return 1
	fi
}

# calls NAME ARGS: the calls of NAME that perf record with ARGS makes, into calls.
calls()
{
	local name=$1
	shift

	rm -rf "$OUT"*
	VIA=(strace -o "$WORK/calls" -e "trace=$name")
	record_ok -o "$OUT" "$@"
	VIA=()
}

# inject WHAT: for the next recordings, as strace spells it.
inject()
{
	VIA=(strace -o "$WORK/calls" -e "trace=${1%%:*}" -e "inject=$1")
}

# Several steps.
STEPS=("$WORKLOAD" pace 1000 300 pages 60000)

# cut_fails WHERE ARGS -- STEPS: the ftruncate() fails that cuts a file: the last
# one, or the first one of several files. How often the file was made longer
# before is not always the same, hence a few tries.
cut_fails()
{
	local where=$1 try
	shift

	for try in {1..20}; do
		calls ftruncate "$@"
		cut_call "$where" >cut.before
		rm -rf "$OUT"*
		inject "ftruncate:error=EIO:when=$(wc -l <cut.before)"
		perf_record -o "$OUT" "$@"
		VIA=()
		cut_call "$where" >"$WORK/cut"
		if [ -s "$WORK/cut" ] && tail -n 1 "$WORK/cut" | grep -q INJECTED; then
			break
		fi
		diag "try $try: another call than the cut was made to fail"
	done
	expect_ge "calls that failed, of the one that cuts" \
		"$(tail -n 1 "$WORK/cut" | grep -c INJECTED)" 1
	[ "$RC" != 0 ] || fail "$*: expected perf to fail, got exit status 0"
	expect_eq "$*: died of a signal" $((RC > 129 && RC < 193)) 0
	expect_log "perf.data.*: Input/output error"
	expect_no_log "Captured and wrote"
}

# cut_call WHERE: the calls up to the one that cuts.
cut_call()
{
	awk -F '[ ,)]+' -v where="$1" '!/ftruncate\(/ { next } { print }
		where == "first" && $2 + 0 < last { exit }
		{ last = $2 + 0 }' calls
}

t_cut()
{
	local option

	describe "the last cut fails: so does the command, and the file is not finished"
	can_inject || return
	for option in --out-pages=1 --out-pages=64K --out-pages=64M; do
		cut_fails last "$option" "${EVENTS[@]}" -- "$WORKLOAD" pages 300
		expect_eq "$option: size of the data in the header" \
			"$(od -An -td8 -j48 -N8 "$OUT" | tr -d ' ')" 0
	done
}

t_cut_threads()
{
	describe "the last cut of a file in a directory fails: so does the command"
	can_inject || return
	cut_fails last --threads "${EVENTS[@]}" -- "$WORKLOAD" pages 300
}

t_cut_switched()
{
	describe "the first cut of a switched output fails: so does the command"
	can_inject || return
	cut_fails first --switch-output=signal "${EVENTS[@]}" -- "$WORKLOAD" \
		pages 300 signal "$(kill -l USR2)" usleep 200000 pages 300
}

t_close()
{
	local option

	describe "what a network filesystem says at the end: so does the command fail"
	can_inject || return
	for option in --out-pages=64M --no-out-pages; do
		rm -rf "$OUT"*
		VIA=(strace -f -o "$WORK/calls" -P "$OUT" -e trace=close
			-e inject=close:error=EIO:when=1)
		record_fails -o "$OUT" "$option" "${EVENTS[@]}" -- "$WORKLOAD" pages 300
		VIA=()
		expect_ge "$option: calls that failed" "$(grep -c INJECTED calls)" 1
		expect_log "failed to write $OUT, error: Input/output error"
		expect_no_log "Captured and wrote"
	done
}

# goes_on WHAT...: with these failures the file is good and complete.
#
# Which calls are made depends on how much perf finds in the ring buffers each
# time: large chunks are not copied, and many of them leave few steps. So a
# recording in which no call was to fail is made again.
goes_on()
{
	local what option try hits

	for what in "$@"; do
		hits=0
		for try in 1 2 3 4 5 6; do
			for option in --out-pages=1 --out-pages=64M; do
				rm -f "$OUT"*
				inject "$what"
				# Small chunks need a perf that is not slowed down.
				VIA+=(-f --seccomp-bpf)
				record_lossless "$OUT" "$option" "${EVENTS[@]}" -- "${STEPS[@]}"
				VIA=()
				hits=$((hits + $(grep -c INJECTED calls)))
				judge_numbers "$OUT" 60000
				judge "$OUT"
				[ "$CASE_FAILED" = 0 ] || diag "it was: $what, $option"
			done
			[ "$hits" = 0 ] || break
			diag "try $try: no call of $what"
		done
		# Else this tests nothing.
		expect_ge "$what: calls that failed" "$hits" 1
	done
}

t_interrupted()
{
	describe "calls that a signal interrupts are made again"
	can_inject || return
	goes_on ftruncate:error=EINTR:when=1+2 madvise:error=EINTR:when=1+2 \
		fallocate:error=EINTR:when=1+2
	# Large chunks, as perf waits for the ring buffers to fill.
	local EVENTS=(-e page-faults:u -c 1 -d)
	goes_on pwrite64:error=EINTR:when=1+2
}

t_old_kernel()
{
	describe "kernels and filesystems without the newer calls"
	can_inject || return
	goes_on madvise:error=EINVAL fallocate:error=EOPNOTSUPP \
		fallocate:error=ENOSYS
}

t_no_mapping()
{
	describe "a mapping that cannot be had later on: write(2) goes on"
	can_inject || return
	goes_on madvise:error=EFAULT:when=3+ madvise:error=ENOMEM:when=2+ \
		fallocate:error=ENOSPC:when=2+
}

run_cases t_cut t_cut_threads t_cut_switched t_close t_interrupted \
	t_old_kernel t_no_mapping
