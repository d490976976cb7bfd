#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What was recorded is kept when the output cannot grow, whichever way perf
# writes: the command fails with one line that says why and how much is kept,
# and every perf reads the file. Usage and environment: see lib.sh.

. "$(dirname "$0")/lib.sh"
private_mounts "$@"
setup

OUT=$WORK/fs/perf.data
EVENTS=(-e page-faults:u -c 1 -d)

# must_fail ARGS: records more than there is room for; why it ends is in CAUSE.
CAUSE="No space left on device"
must_fail()
{
	rm -rf "$WORK"/fs/perf.data*
	record_fails -o "$OUT" "${EVENTS[@]}" "$@"
	expect_log "failed to write perf data, error: $CAUSE, kept [0-9.]+ MB in "
	expect_eq "$*: messages about it" "$(grep -c "failed to" "$LOG")" 1
}

# judge_kept SHARE: at least SHARE percent of the filesystem's 1 MiB is in the
# file, which is whole.
judge_kept()
{
	expect_ge "length of the file" "$(stat -c %s "$OUT")" $(((1 << 20) * $1 / 100))
	judge "$OUT"
}

# judge_readable FILE: a directory, or one file of many or of compressed events, is
# good as it is, whatever is in it.
judge_readable()
{
	if [ -n "$LINT" ] && ! "$LINT" "$1" >"$LOG" 2>&1; then
		fail "expected perfdata-lint to accept $1, got: $(head -n 1 "$LOG")"
	fi
	if ! "$PERF_BASE" script -F event -i "$1" >"$WORK/script" 2>"$LOG"; then
		fail "perf script -i $1: expected exit status 0"
	elif grep -Evq "^$|^Warning:$|lost|overload|out of order" "$LOG"; then
		# That the kernel lost events is not the file's fault.
		fail "perf script -i $1: expected no warning, got: $(cat "$LOG")"
	fi
}

t_default()
{
	describe "a full tmpfs of 1 MiB"
	mount_tmpfs 1M
	for option in --out-pages=64M --out-pages=1 --no-out-pages; do
		must_fail "$option" -- "$WORKLOAD" pages 100000
		judge_kept 90
	done
}

t_aio()
{
	describe "a full tmpfs of 1 MiB, asynchronous writes"
	has_feature aio || { skip "perf is built without aio" && return; }
	mount_tmpfs 1M
	must_fail --aio -- "$WORKLOAD" pages 100000
	judge_kept 90
}

t_zstd()
{
	describe "a full tmpfs of 64 KiB, compressed"
	has_feature zstd || { skip "perf is built without zstd" && return; }
	mount_tmpfs 64K
	must_fail -z -m 16 -- "$WORKLOAD" pace 1000 300 pages 200000
	judge_readable "$OUT"
	expect_ge "samples that are kept" "$(grep -c . "$WORK/script")" 1000
}

t_threads()
{
	local option

	describe "a full tmpfs of 1 MiB, a file for each CPU"
	mount_tmpfs 1M
	for option in --out-pages=64M --no-out-pages; do
		must_fail "$option" --threads -- "$WORKLOAD" pages 100000
		judge_readable "$OUT"
		expect_ge "$option: samples that are kept" "$(grep -c . "$WORK/script")" 5000
	done
}

t_one_thread()
{
	describe "one file of a directory cannot be written: all of it ends"
	if ! strace -o /dev/null -e inject=fchdir:error=EIO true 2>/dev/null; then
		skip "strace cannot trace here"
		return
	fi
	if [ "$(nproc)" = 1 ]; then
		skip "one CPU, and so one thread"
		return
	fi
	mount_tmpfs 16M
	rm -f onterm
	# The first thread is the one that stops the workload, the second has to
	# tell it.
	CAUSE="Input/output error"
	VIA=(strace -f -o "$WORK/calls" -e trace=write
		-P "$OUT/data.1" -e inject=write:error=EIO:when=20+)
	must_fail --no-out-pages --threads -m 16 -- "$WORKLOAD" onterm onterm spread \
		pace 500 300 pages 10000 join usleep 30000000
	VIA=()
	CAUSE="No space left on device"
	expect_eq "what the workload noted" "$(cat onterm)" SIGTERM
	judge_readable "$OUT"
	expect_ge "samples that are kept" "$(grep -c . "$WORK/script")" 500
}

t_switched()
{
	local file

	describe "a full tmpfs of 2 MiB, --switch-output: every file is good"
	mount_tmpfs 2M
	record_fails -o "$OUT" "${EVENTS[@]}" --switch-output=300K -- \
		"$WORKLOAD" pace 500 300 pages 300000
	expect_log "failed to write perf data, error: $CAUSE"
	for file in "$OUT".2*; do
		judge_readable "$file"
	done
	expect_ge "files" "$(find "$WORK/fs" -name 'perf.data.2*' | wc -l)" 2
}

t_features()
{
	local pages

	describe "room for the events but not for the features"
	mount_tmpfs 16M
	record_lossless "$OUT" "${EVENTS[@]}" -- "$WORKLOAD" pace 1000 300 pages 20000 ||
		return
	# Less than the whole, more than the data.
	# shellcheck disable=SC2154 # measure sets D
	pages=$(((D[size] - 4096) / 4096))
	for option in --out-pages=64M --no-out-pages; do
		mount_tmpfs $((pages * 4096))
		must_fail "$option" -- "$WORKLOAD" pace 1000 300 pages 20000
		judge "$OUT"
		expect_ge "$option: samples that are kept" "${D[samples]}" 19000
	done
}

t_fsize()
{
	local option

	describe "RLIMIT_FSIZE of 1 MB reached"
	mount_tmpfs 16M
	CAUSE="File too large"
	VIA=(prlimit "--fsize=$((1 << 20))")
	for option in --out-pages=64M --out-pages=1 --no-out-pages --aio; do
		[ "$option" = --aio ] && ! has_feature aio && continue
		must_fail "$option" -- "$WORKLOAD" pages 100000
		judge_kept 90
	done
	VIA=()
	CAUSE="No space left on device"
}

t_fsize_workload()
{
	describe "the workload gets SIGXFSZ as ever, or not if it was ignored"
	mount_tmpfs 16M
	VIA=(prlimit "--fsize=$((1 << 20))")
	perf_record -o "$OUT" "${EVENTS[@]}" -- \
		sh -c "head -c 2M /dev/zero >$WORK/fs/large"
	expect_ge "exit status, of a workload that died of SIGXFSZ" "$RC" 128
	VIA=(env --ignore-signal=XFSZ prlimit "--fsize=$((1 << 20))")
	perf_record -o "$OUT" "${EVENTS[@]}" -- \
		sh -c "head -c 2M /dev/zero >$WORK/fs/large || exit 7"
	expect_eq "exit status, of a workload that got EFBIG" "$RC" 7
	VIA=()
}

t_injected()
{
	local option name

	describe "a disk that fails, a quota that is exceeded"
	if ! strace -o /dev/null -e inject=fchdir:error=EIO true 2>/dev/null; then
		skip "strace cannot trace here"
		return
	fi
	mount_tmpfs 16M
	for name in EIO:"Input/output error" EDQUOT:"Disk quota exceeded"; do
		CAUSE=${name#*:}
		# The ring buffers are written at once, and often, if they are small.
		VIA=(strace -f -o "$WORK/calls" -e trace=write
			-P "$OUT" -e "inject=write:error=${name%%:*}:when=60")
		must_fail --no-out-pages -m 16 -- "$WORKLOAD" pace 500 300 pages 60000
		VIA=()
		judge "$OUT"
	done
	CAUSE="No space left on device"
}

t_hup()
{
	local option

	describe "SIGHUP: the file is finished, the workload stopped"
	mount_tmpfs 16M
	for option in --out-pages=64M --no-out-pages; do
		rm -f onterm
		perf_record -o "$OUT" "$option" "${EVENTS[@]}" -- "$WORKLOAD" \
			onterm onterm pace 1000 300 pages 10000 \
			signal "$(kill -l HUP)" usleep 30000000
		expect_eq "$option: what the workload noted" "$(cat onterm)" SIGTERM
		judge_numbers "$OUT" 10000
		judge "$OUT"
	done
}

t_nohup()
{
	describe "SIGHUP that is ignored stays ignored"
	mount_tmpfs 16M
	VIA=(env --ignore-signal=HUP)
	record_ok -o "$OUT" "${EVENTS[@]}" -- "$WORKLOAD" \
		pages 1000 signal "$(kill -l HUP)" pages 1000 || return
	VIA=()
	judge_numbers "$OUT" 2000
	judge "$OUT"
}

t_direct_io()
{
	local option

	describe "FUSE with direct_io, where ring buffers cannot be pinned"
	if ! command -v bindfs >/dev/null || ! [ -w /dev/fuse ] || ! real_root; then
		skip "no bindfs, no /dev/fuse, or not root"
		return
	fi
	mount_tmpfs 16M
	mkdir -p "$WORK/fs/below" "$WORK/fuse"
	if ! bindfs -o direct_io "$WORK/fs/below" "$WORK/fuse" 2>"$LOG"; then
		skip "bindfs cannot mount: $(head -n 1 "$LOG")"
		return
	fi
	for option in --out-pages=64M --no-out-pages; do
		rm -f "$WORK/fuse/perf.data"*
		record_ok -o "$WORK/fuse/perf.data" "$option" "${EVENTS[@]}" -- \
			"$WORKLOAD" pace 1000 300 pages 10000
		judge "$WORK/fs/below/perf.data"
		judge_numbers "$WORK/fs/below/perf.data" 10000
		# The patched perf reads it where it is, too.
		expect_eq "$option: samples read from there" "$("$PERF" script -F event \
			-i "$WORK/fuse/perf.data" 2>/dev/null | grep -c .)" "${D[samples]}"
	done
	umount "$WORK/fuse"
}

run_cases t_default t_aio t_zstd t_threads t_one_thread t_switched t_features t_fsize \
	t_fsize_workload t_injected t_hup t_nohup t_direct_io
