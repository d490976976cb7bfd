#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Ways to record that perf took for good while it lost data, or took for bad
# without saying so. One case for each patch of the topic "fixes" that is about
# what perf writes to, and how. Usage and environment: see lib.sh.

. "$(dirname "$0")/lib.sh"
private_mounts "$@"
setup

OUT=$WORK/perf.data
EVENTS=(-e page-faults:u -c 1 -d)
STOP=$(kill -l STOP)
CONT=$(kill -l CONT)

# What is in a directory: names, types, and the contents of files.
contents()
{
	(cd "$1" && find . -printf '%y %p\n' -type f -exec cksum {} + | sort)
}

# refused MESSAGE ARGS: one line says why, nothing is recorded or run.
refused()
{
	local message=$1
	shift

	rm -rf note "$OUT"*
	record_fails "${EVENTS[@]}" "$@" -- "$WORKLOAD" note note ran
	expect_log "$message"
	expect_absent note
	expect_absent "$OUT"
}

t_zstd_whole()
{
	local args n

	describe "-z: all that comes in one go, if it compresses well or not"
	has_feature zstd || { skip "perf is built without zstd" && return; }
	for args in "-- $WORKLOAD" "--call-graph dwarf,2048 -- $WORKLOAD noise"; do
		rm -f "$OUT"*
		n=20000
		[ "$args" = "-- $WORKLOAD" ] || n=800
		# While it is stopped, all is kept in the ring buffer.
		# shellcheck disable=SC2086 # several arguments
		record_ok -o "$OUT" -z1 -m 4M "${EVENTS[@]}" $args pages 1 \
			signal "$STOP" pages $n signal "$CONT" || continue
		measure "$OUT" || continue
		expect_ge "compressed events" "${D[compressed]}" 2
		if [ -n "$LINT" ] && ! "$LINT" "$OUT" >"$LOG" 2>&1; then
			fail "expected perfdata-lint to accept it, got: $(head -n 1 "$LOG")"
		fi
		judge_read "$OUT" $((n + 1))
	done
}

t_zstd_switch()
{
	local mode file files all

	describe "-z --switch-output: each file decompresses"
	has_feature zstd || { skip "perf is built without zstd" && return; }
	for mode in 64K signal; do
		rm -f "$OUT"*
		record_ok -o "$OUT" -z --switch-output="$mode" -m 512K "${EVENTS[@]}" -- \
			"$WORKLOAD" pace 1000 3000 pages 20000 usleep 100000 \
			signal "$(kill -l USR2)" usleep 200000 pages 20000 || continue
		files=("$OUT".2*)
		all=0
		expect_ge "$mode: files" ${#files[@]} 2
		for file in "${files[@]}"; do
			judge "$file"
			all=$((all + SEEN))
			# The output may have been switched for the last time at the end.
			[ "$file" = "${files[-1]}" ] ||
				expect_ge "$file: samples that perf script shows" "$SEEN" 1
		done
		expect_ge "$mode: samples in all files" "$all" 1000
	done
	rm -f "$OUT"*
}

t_threads_excludes()
{
	local way

	describe "--threads: what it excludes is refused"
	for way in --affinity=cpu --switch-output=200K --switch-output=signal --aio; do
		[ "$way" = --aio ] && ! has_feature aio && continue
		refused "mutually exclusive to parallel streaming mode" \
			-o "$OUT" --threads "$way"
	done
}

# devices: in WORK/fs, a null and a full of our own, which may be renamed.
devices()
{
	mount_tmpfs 1M
	if ! mknod fs/null c 1 3 2>/dev/null || ! mknod fs/full c 1 7 2>/dev/null ||
		! true 2>/dev/null >fs/null; then
		skip "no device can be made here"
		return 1
	fi
	ln -s /proc/self/fd/1 fs/stdout
}

t_switch_pipe()
{
	describe "--switch-output into a pipe is refused"
	"$PERF" record -o - --switch-output=200K "${EVENTS[@]}" -- \
		"$WORKLOAD" pages 20000 2>"$LOG" | cat >piped
	expect_eq "exit status" "${PIPESTATUS[0]}" 255
	expect_log "switch-output is not available when the output is a pipe"
	expect_eq "bytes that were written" "$(stat -c %s piped)" 0
	rm -f piped
}

t_switch_device()
{
	local before

	describe "no device is renamed, nor the link that stdout is"
	devices || return
	before=$(ls fs)
	refused "switch-output is not available" -o fs/null --switch-output=200K
	record_ok -o fs/null --timestamp-filename "${EVENTS[@]}" -- "$WORKLOAD" pages 100
	expect_log "timestamp-filename option is not available"

	# Something in the file that it cannot be moved away from.
	echo mine >kept
	"$PERF" record -N -o fs/stdout "${EVENTS[@]}" -- "$WORKLOAD" pages 100 \
		>>kept 2>"$LOG" && fail "expected it to fail"
	expect_log "fs/stdout is no file of its own"
	expect_eq "what was in the file" "$(cat kept)" mine
	expect_eq "files" "$(ls fs)" "$before"
	rm -f kept
}

t_full_device()
{
	describe "a full device: says so"
	devices || return
	record_fails -o fs/full "${EVENTS[@]}" -- "$WORKLOAD" pages 100
	expect_log "No space left on device"
	"$PERF" record -N -o - "${EVENTS[@]}" -- "$WORKLOAD" pages 100 \
		>fs/full 2>"$LOG" && fail "expected it to fail"
	expect_log "failed to write perf data, error: No space left on device"
	record_ok -o fs/null "${EVENTS[@]}" -- "$WORKLOAD" pages 100
}

t_fifo()
{
	local n

	describe "-o FIFO: a stream as that of -o -, read by its name, too"
	mkfifo fifo
	cat fifo >stream &
	record_ok -o fifo "${EVENTS[@]}" -- "$WORKLOAD" pages 3000
	wait $!
	expect_no_log "17592186044416"
	n=$("$PERF_BASE" script -F addr -i - <stream 2>>"$LOG" |
		grep -c '^ *1000[0-9a-f]\{8\}$')
	expect_eq "samples in the stream" "$n" 3000

	"$PERF" script -F addr -i fifo >addresses 2>>"$LOG" &
	record_ok -o fifo "${EVENTS[@]}" -- sh -c "echo out; exec \"$WORKLOAD\" pages 3000"
	wait $!
	# Standard output is not in the way of the data here: it stays what it was.
	expect_log "^out$"
	expect_eq "samples read from a FIFO" \
		"$(grep -c '^ *1000[0-9a-f]\{8\}$' addresses)" 3000
	rm -f fifo stream addresses
}

t_fifo_alone()
{
	local sig

	describe "-o FIFO without a reader: a signal ends it"
	mkfifo fifo
	for sig in INT TERM HUP; do
		rm -f note
		VIA=(timeout -k 3 -s "$sig" 1)
		perf_record -o fifo "${EVENTS[@]}" -- "$WORKLOAD" pages 3000 note note ran
		VIA=()
		# 137 is for SIGKILL.
		expect_eq "SIG$sig: exit status of timeout" "$RC" 124
		expect_absent note
	done
	rm -f fifo
}

t_reader_gone()
{
	describe "the reader of the output goes away: the workload does not go on alone"
	mkfifo fifo
	rm -f onterm
	# More than what comes before the workload starts.
	head -c 400000 fifo >/dev/null &
	record_fails -o fifo "${EVENTS[@]}" -- "$WORKLOAD" onterm onterm \
		pages 20000 usleep 100000 pages 20000 usleep 20000000
	wait $!
	expect_log "failed to write perf data, error: Broken pipe"
	expect_eq "what the workload noted" "$(cat onterm 2>&1)" SIGTERM
	rm -f fifo onterm
}

t_stdout()
{
	local out

	describe "the workload's standard output is not mixed with the data"
	ln -s /proc/self/fd/1 stdout
	for out in "$OUT" stdout; do
		rm -f "$OUT"*
		"$PERF" record -N -o "$out" "${EVENTS[@]}" -- \
			sh -c "echo out; exec \"$WORKLOAD\" pages 3000" >"$OUT" 2>"$LOG"
		expect_eq "-o $out: exit status" "$?" 0
		expect_log "^out$"
		judge "$OUT"
		judge_numbers "$OUT" 3000
	done
	rm -f stdout

	# Where would it say so?
	rm -f "$OUT"* note
	# shellcheck disable=SC2094 # it is about that
	"$PERF" record -N -o "$OUT" "${EVENTS[@]}" -- \
		"$WORKLOAD" note note ran >"$OUT" 2>&1 && fail "expected it to fail"
	expect_absent note
	grep -q "is standard error" "$OUT" || fail "expected a message in the file"
}

t_two()
{
	local first name

	describe "two recordings into one file at a time: the second fails"
	if ! strace -o /dev/null -e inject=fchdir:delay_enter=1 true 2>/dev/null; then
		skip "strace cannot trace here"
		return
	fi
	for name in "$OUT" "$WORK/other.data"; do
		rm -f "$OUT"* other.data go
		mkfifo go
		# The file is open, there is nothing in it yet: only then is it not moved away.
		strace -f -o calls -e trace=perf_event_open \
			-e inject=perf_event_open:delay_enter=2000000:when=1 \
			"$PERF" record -N -o "$OUT" "${EVENTS[@]}" -- \
			"$WORKLOAD" waitfor go pages 3000 >first.log 2>&1 &
		first=$!
		until [ -e "$OUT" ] || ! kill -0 "$first" 2>/dev/null; do
			sleep 0.05
		done
		[ "$name" = "$OUT" ] || ln "$OUT" "$name"
		refused_second "$name"
		echo >go
		wait "$first"
		expect_eq "exit status of the first" "$?" 0
		judge "$OUT"
		judge_numbers "$OUT" 3000
	done
	rm -f go calls first.log other.data
}

# The file is there, so it must not be removed by refused().
refused_second()
{
	rm -f note
	record_fails -o "$1" "${EVENTS[@]}" -- "$WORKLOAD" note note ran
	expect_log "another process is writing to it"
	expect_absent note
}

# unchanged ARGS: it fails, and all files are what they were.
unchanged()
{
	rm -rf before
	cp -a data before
	record_fails "${EVENTS[@]}" "$@"
	contents before >was
	contents data >is
	expect_eq "$*: what is there that was not (+) or no longer (-)" \
		"$(diff -U 0 was is | sed -n '/^[-+][^-+]/p' | paste -sd ,)" ""
	rm -rf data
	mv before data
}

# all_unchanged OUTPUT ARGS: with each way to fail before there is something to
# record.
all_unchanged()
{
	local output=$1
	shift

	unchanged -o "$output" "$@" -- ./nowhere
	expect_log "No such file or directory"
	unchanged -o "$output" "$@" -- ./forbidden
	expect_log "Permission denied"
	unchanged -o "$output" "$@" -a -- ./nowhere
	unchanged -o "$output" "$@" -r 1000 -- true
	expect_log "realtime priority"
	VIA=(prlimit --as=$((512 << 20)))
	unchanged -o "$output" "$@" -m 1G -- true
	expect_log "mmap|mapping pages"
	VIA=()
}

t_put_back()
{
	local dir

	describe "nothing was recorded: what was there is there again"
	echo "#!" >forbidden
	rm -rf data
	mkdir data
	all_unchanged data/new
	all_unchanged data/new --threads
	echo newest >data/perf.data
	all_unchanged data/perf.data
	echo older >data/perf.data.old
	all_unchanged data/perf.data
	all_unchanged data/perf.data --threads
	: >data/empty
	all_unchanged data/empty
	ln -s perf.data data/link
	all_unchanged data/link
	for dir in data/dir data/dir.old; do
		mkdir "$dir"
		echo "$dir" >"$dir/data"
	done
	all_unchanged data/dir
	all_unchanged data/dir --threads
	# What is no recording is not removed: found out before anything is done.
	echo mine >data/dir.old/mine
	unchanged -o data/dir --threads -- "$WORKLOAD" note note ran
	expect_log "Unknown file found \(data/dir.old\)"
	expect_absent note
	rm -rf data forbidden was is
}

t_moved()
{
	describe "something was recorded: what was there is the old one, no third"
	rm -rf data
	mkdir data
	echo newest >data/perf.data
	echo older >data/perf.data.old
	perf_record -o data/perf.data "${EVENTS[@]}" -- sh -c "exit 3"
	expect_eq "exit status, that of the workload" "$RC" 3
	expect_eq "files" "$(ls data)" "perf.data
perf.data.old"
	expect_eq "the old one" "$(cat data/perf.data.old)" newest
	judge "$WORK/data/perf.data"
	rm -rf data
}

run_cases t_zstd_whole t_zstd_switch t_threads_excludes t_switch_pipe t_switch_device \
	t_full_device t_fifo t_fifo_alone t_reader_gone t_stdout t_two t_put_back t_moved
