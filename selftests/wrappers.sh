#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The commands of perf that record through perf record, or read what it wrote:
# with the perf under test they do what they do with the unpatched one. Most
# record the whole system. Usage and environment: see lib.sh.

. "$(dirname "$0")/lib.sh"
setup

EVENTS=(-e page-faults:u -c 1 -d)
# How to say where to; empty for perf.data.
TO=-o

# record_both NAME ARGS: run "perf ARGS -o FILE LOAD" with the perf under test into
# NAME.data and with the unpatched perf into NAME.base.data: same exit status and,
# if it is an error, same words.
record_both()
{
	local name=$1 perf file words="" status=""
	shift

	rm -f "$name".*
	for perf in "$PERF_BASE" "$PERF"; do
		file=$WORK/$name.data
		[ -n "$status" ] || file=$WORK/$name.base.data
		timeout -k 5 "$HANG" "$perf" "$@" ${TO:+-o "$file"} "${LOAD[@]}" \
			>"$LOG" 2>&1
		RC=$?
		[ -n "$TO" ] || mv perf.data "$file"
		if [ -z "$status" ]; then
			status=$RC words=$(head -n 1 "$LOG")
			continue
		fi
		expect_eq "perf $1 $2: exit status, against the unpatched perf" \
			"$RC" "$status"
		[ "$RC" = 0 ] || expect_eq "perf $1 $2: message" \
			"$(head -n 1 "$LOG")" "$words"
	done
}

# recorded NAME ARGS: record_both, and both have samples; that of the perf under
# test is a good file.
recorded()
{
	local name=$1

	record_both "$@"
	shift
	if [ "$RC" != 0 ]; then
		fail "perf $1 $2: expected exit status 0, got $RC"
		return 1
	fi
	measure "$WORK/$name.base.data" || return 1
	expect_ge "$name.base.data: samples" "${D[samples]}" 1
	judge "$WORK/$name.data" || return 1
	expect_ge "$name.data: samples" "${D[samples]}" 1
}

# reads REGEX ARGS: the unpatched perf, given ARGS, prints a line like it. Some
# commands print to stderr what others print to stdout.
reads()
{
	local regex=$1
	shift

	if ! "$PERF_BASE" "$@" >printed 2>&1 </dev/null; then
		fail "perf $*: expected exit status 0"
	elif ! grep -Eq -- "$regex" printed; then
		fail "perf $*: expected a line like '$regex', got: $(head -n 3 printed)"
	fi
}

t_sched()
{
	describe "perf sched record, perf sched latency"
	LOAD=(-N -- "$WORKLOAD" pages 10 usleep 1000 pages 10 usleep 1000)
	recorded sched sched record || return
	reads "TOTAL: .* [1-9][0-9]* \\|" sched -i sched.data latency
}

t_lock()
{
	describe "perf lock record, perf lock contention"
	# Eight writers wait for each other's lock on the file: even where the CPUs
	# seldom run at once, one is preempted while it holds the lock.
	# shellcheck disable=SC2016 # for sh -c
	LOAD=(-N -- sh -c 'for i in 1 2 3 4 5 6 7 8; do
		dd if=/dev/zero of=shared bs=64k count=1000 conv=notrunc 2>/dev/null &
	done; wait')
	recorded lock lock record || return
	reads "^ +[0-9]+ +[0-9.]+ " lock -i lock.data contention
}

t_kmem()
{
	describe "perf kmem record, perf kmem stat"
	LOAD=(-N -- "$WORKLOAD" pages 100)
	recorded kmem kmem record || return
	reads "Total bytes requested: *[1-9]" kmem -i kmem.data stat
}

t_timechart()
{
	describe "perf timechart record, perf timechart"
	LOAD=(-- "$WORKLOAD" pages 100 usleep 10000)
	# Not every base has -o there.
	TO=
	recorded timechart timechart record
	TO=-o
	[ -s timechart.data ] || return
	reads "" timechart -i timechart.data -o chart.svg
	grep -q "</svg>" chart.svg || fail "expected a whole chart"
}

t_trace()
{
	describe "perf trace record, perf trace -i"
	LOAD=(-N -- "$WORKLOAD" pages 100 usleep 1000)
	recorded trace trace record || return
	# The unpatched one of some bases crashes on any file, its own, too.
	ulimit -c 0
	if { "$PERF_BASE" trace -i trace.base.data >/dev/null 2>&1; } 2>/dev/null; then
		reads "exit_group\\(" trace -i trace.data
	else
		reads "raw_syscalls:sys_exit" script -F event -i trace.data
	fi
}

t_kwork()
{
	describe "perf kwork record, perf kwork report"
	LOAD=(-N -- "$PERF_BASE" bench sched messaging -g 2 -l 300)
	recorded kwork kwork -k softirq record || return
	reads "\\(s\\)[A-Z]+:[0-9]+" kwork -k softirq report -i kwork.data
}

t_script()
{
	local dir=$WORK/exec/scripts/own/bin

	describe "perf script record: with a script of that name, and without"
	LOAD=(-N -- "$WORKLOAD" pages 300)
	recorded script script record "${EVENTS[@]}" || return
	judge_numbers "$WORK/script.data" 300

	# The script finds perf in PATH: a different one each time.
	mkdir -p "$dir"
	# shellcheck disable=SC2016 # this goes into the script
	printf '#!/bin/sh\nexec "$OWN_PERF" record %s "$@"\n' "${EVENTS[*]}" \
		>"$dir/faults-record"
	printf '#!/bin/sh\n# description: none\n' >"$dir/faults-report"
	chmod +x "$dir"/*
	export PERF_EXEC_PATH=$WORK/exec OWN_PERF=$PERF
	recorded byname script record faults
	unset PERF_EXEC_PATH OWN_PERF
	judge_numbers "$WORK/byname.data" 300
}

t_mem()
{
	describe "perf mem record: the same, or the same refusal"
	LOAD=(-N -- "$WORKLOAD" pages 300)
	record_both mem mem record
	[ "$RC" != 0 ] || judge "$WORK/mem.data"
}

t_c2c()
{
	describe "perf c2c record: the same, or the same refusal"
	LOAD=(-N -- "$WORKLOAD" pages 300)
	record_both c2c c2c record
	[ "$RC" != 0 ] || judge "$WORK/c2c.data"
}

t_ftrace()
{
	local perf

	describe "perf ftrace, which records otherwise: the same"
	for perf in "$PERF_BASE" "$PERF"; do
		timeout "$HANG" "$perf" ftrace trace -t function_graph -G do_exit \
			--graph-opts depth=1 -- true >"ftrace.${perf##*/}" 2>"$LOG"
		echo "$? $(head -n 1 "$LOG")" >>ftrace.ended
	done
	expect_eq "different ends" "$(sort -u ftrace.ended | wc -l)" 1
}

# wait_for PATTERN: until there is such a file.
wait_for()
{
	local i

	for ((i = 0; i < 10 * HANG; i++)); do
		compgen -G "$1" >/dev/null && return
		sleep 0.1
	done
	fail "expected $1 to be written within $HANG seconds"
	return 1
}

t_daemon()
{
	local perf base file

	describe "perf daemon: sessions, one of them switched, are good"
	for perf in "$PERF_BASE" "$PERF"; do
		base=$WORK/daemon
		rm -rf "$base" noted.*
		mkdir "$base"
		cat >config <<-END
			[daemon]
			base=$base
			[session-plain]
			run = -N ${EVENTS[*]} -- $WORKLOAD pages 3000 note $WORK/noted.1 x usleep 60000000
			[session-switched]
			run = -N ${EVENTS[*]} --switch-output -- $WORKLOAD pages 2000 note $WORK/noted.2 x usleep 60000000
		END
		if ! "$perf" daemon start --config config >"$LOG" 2>&1; then
			fail "perf daemon start: expected exit status 0"
			return
		fi
		wait_for noted.1 && wait_for noted.2
		"$perf" daemon ping --config config >"$LOG" 2>&1
		expect_eq "sessions that answer" "$(grep -c "OK" "$LOG")" 2
		"$perf" daemon signal --config config --session switched >"$LOG" 2>&1
		# Two files within a hundredth of a second would have the same name.
		wait_for "$base/session-switched/perf.data.*" && sleep 0.1
		"$perf" daemon stop --config config >"$LOG" 2>&1 ||
			fail "perf daemon stop: expected exit status 0"
		daemon_ended "$base" || return
		judge_numbers "$base/session-plain/perf.data" 3000
		judge "$base/session-plain/perf.data"
		for file in "$base"/session-switched/perf.data.*; do
			judge "$file"
		done
		judge_read "$base"/session-switched/perf.data.* 2000
	done
}

# daemon_ended BASE: wait until no process works in there.
daemon_ended()
{
	local i

	for ((i = 0; i < 10 * HANG; i++)); do
		if ! find /proc -mindepth 2 -maxdepth 2 -name cwd -lname "$1*" 2>/dev/null |
			grep -q .; then
			return 0
		fi
		sleep 0.1
	done
	fail "expected the daemon to end within $HANG seconds"
	return 1
}

# faults: the file that the next ones start from, written by the perf under test.
faults()
{
	rm -f faults.data*
	record_ok -o faults.data "${EVENTS[@]}" -- "$WORKLOAD" pages 3000 &&
		judge faults.data
}

t_inject()
{
	local args perf

	describe "perf inject writes what the unpatched one writes"
	faults || return
	for args in -b --build-ids -s; do
		for perf in "$PERF_BASE" "$PERF"; do
			rm -f out.data
			"$perf" inject "$args" -i faults.data -o out.data >"$LOG" 2>&1 ||
				fail "perf inject $args: expected exit status 0"
			[ "$perf" = "$PERF" ] || mv out.data base.data
		done
		judge_numbers "$WORK/out.data" 3000
		# Behind the events stands which perf wrote it.
		cmp -n "${D[end]}" base.data out.data >"$LOG" 2>&1 ||
			fail "perf inject $args: expected the same bytes"
	done
}

t_archive()
{
	local dir

	describe "perf archive on a mapped recording"
	dir=$(dirname "$PERF")
	[ -x "$dir/perf-archive" ] || dir=$("$PERF" --exec-path)
	if [ ! -x "$dir/perf-archive" ]; then
		skip "no perf-archive beside perf nor in $dir"
		return
	fi
	rm -rf .debug archive.data*
	mkdir -p path
	ln -sf "$PERF" path/perf
	"$PERF" record -o archive.data "${EVENTS[@]}" -- "$WORKLOAD" pages 300 \
		>"$LOG" 2>&1 || fail "perf record: expected exit status 0"
	PATH=$WORK/path:$PATH PERF_EXEC_PATH=$dir "$PERF" archive archive.data \
		>"$LOG" 2>&1 || fail "perf archive: expected exit status 0"
	tar -tjf archive.data.tar.bz2 2>&1 | grep -q "${WORKLOAD#/}" ||
		fail "expected the workload in the archive"
	rm -rf .debug
}

t_json()
{
	local perf

	describe "perf data convert --to-json"
	faults || return
	for perf in "$PERF_BASE" "$PERF"; do
		rm -f out.json
		"$perf" data convert --to-json out.json -i faults.data >"$LOG" 2>&1 ||
			fail "perf data convert --to-json: expected exit status 0"
		expect_eq "samples in it" "$(grep -c '"timestamp":' out.json)" \
			"${D[samples]}"
	done
}

t_ctf()
{
	local perf said

	describe "perf data convert --to-ctf: the same, or not built into either"
	faults || return
	for perf in "$PERF_BASE" "$PERF"; do
		rm -rf ctf
		if "$perf" data convert --to-ctf=ctf -i faults.data >"$LOG" 2>&1; then
			said=$(sed -n 's/.*(\([0-9]*\) samples).*/\1/p' "$LOG")
			expect_eq "samples in it" "$said" "${D[samples]}"
			[ -s ctf/metadata ] || fail "expected ctf/metadata"
		else
			expect_log "support is not compiled in"
		fi
		[ -d ctf ] && echo built || echo "not built"
	done | sort -u >ctf.ended
	expect_eq "different ends" "$(wc -l <ctf.ended)" 1
}

run_cases t_sched t_lock t_kmem t_timechart t_trace t_kwork t_script t_mem t_c2c \
	t_ftrace t_daemon t_inject t_archive t_json t_ctf
