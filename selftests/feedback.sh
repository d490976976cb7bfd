#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The reason for it all: perf that traces system calls system-wide does not
# trace its own writes when the output is mapped. Needs root and tracefs. Usage
# and environment: see lib.sh.

. "$(dirname "$0")/lib.sh"
setup

OUT=$WORK/perf.data

# own_samples OPTION: how many system calls perf itself made while it recorded
# an idle machine for a while, into OWN.
own_samples()
{
	rm -f "$OUT"* ppid
	record_ok -o "$OUT" "$1" -e raw_syscalls:sys_enter -a -- \
		sh -c "echo \$PPID >ppid; sleep 0.3" || return
	measure "$OUT" && [ -n "$LINT" ] && ! "$LINT" "$OUT" >"$LOG" 2>&1 &&
		fail "expected perfdata-lint to accept $OUT"
	"$PERF_BASE" script -F pid -i "$OUT" >pids 2>"$LOG" ||
		fail "perf script: expected exit status 0"
	OWN=$(grep -cE "^ *$(cat ppid) *$" pids)
}

t_own()
{
	local written option

	describe "system calls of perf itself: at most 1/20 of write(2)'s"
	if ! real_root; then
		skip "tracing the whole system needs root"
		return
	fi
	if [ ! -r /sys/kernel/tracing/events/raw_syscalls/sys_enter/id ] &&
		[ ! -r /sys/kernel/debug/tracing/events/raw_syscalls/sys_enter/id ]; then
		skip "no tracefs, or no raw_syscalls tracepoints"
		return
	fi
	if ! has_feature libtraceevent; then
		skip "this perf is built without libtraceevent"
		return
	fi
	own_samples --no-out-pages || return
	written=$OWN
	expect_ge "with write(2)" "$written" 2000
	for option in --out-pages=64M --out-pages=64K; do
		own_samples "$option" || return
		expect_le "with $option, against $written with write(2)" "$OWN" \
			$((written / 20))
	done
}

run_cases t_own
