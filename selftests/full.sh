#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The filesystem fills up while perf records onto it: perf says so, stops the
# workload and nothing else, ends in order, and the file is whole with what was
# stored.
# Usage and environment: see lib.sh.

. "$(dirname "$0")/lib.sh"
private_mounts "$@"
setup

OUT=$WORK/fs/perf.data

# Events of more than 8 KiB; without a rest now and then, most would be lost.
BIG=(-e page-faults:u -c 1 -d --call-graph "dwarf,8192")
SMALL=("${COPIED[@]}" -e page-faults:u -c 1 -d)

# record_full ARGS -- STEPS: record onto WORK/fs, which gets full. A process of
# the same group looks on. The workload would go on for long.
record_full()
{
	rm -f onterm
	echo "not to be touched" >"$WORK/fs/other"
	sleep 300 &
	BYSTANDER=$!
	record_fails -o "$OUT" "$@" usleep 30000000
	expect_log "failed to write perf data, error: No space left on device"
	expect_eq "what the workload noted" "$(cat onterm)" SIGTERM
	if kill -0 "$BYSTANDER" 2>/dev/null; then
		kill "$BYSTANDER"
	else
		fail "expected a process beside perf to live on"
	fi
	wait "$BYSTANDER" 2>/dev/null
	expect_eq "content of another file" "$(cat "$WORK/fs/other")" \
		"not to be touched"
}

# judge_full SIZE: the file is no longer than what the filesystem could store,
# on disk as well.
judge_full()
{
	local size blocks

	read -r size blocks < <(stat -c '%s %b' "$OUT")
	expect_le "length of the file" "$size" "$1"
	expect_le "bytes on disk" $((blocks * 512)) "$1"
	# Most of the room was used: perf did not give up early.
	expect_ge "length of the file" "$size" $(($1 / 2))
	judge "$OUT"
}

# fill_up SIZE OPTION EVENTS: record until a tmpfs of SIZE bytes is full.
fill_up()
{
	local size=$1 option=$2
	shift 2

	mount_tmpfs "$size"
	record_full "$option" "$@"
	judge_full "$size"
}

SMALL_STEPS=(-- "$WORKLOAD" onterm onterm pages 200000)
BIG_STEPS=(-- "$WORKLOAD" onterm onterm pace 16 300 pages 30000)

t_256k_default()
{
	describe "a tmpfs of 256 KiB, segments of 64 MiB"
	fill_up $((256 << 10)) --out-pages=64M "${SMALL[@]}" "${SMALL_STEPS[@]}"
}

t_256k_page()
{
	describe "a tmpfs of 256 KiB, segments of one page"
	fill_up $((256 << 10)) --out-pages=1 "${SMALL[@]}" "${SMALL_STEPS[@]}"
}

t_256k_write()
{
	describe "a tmpfs of 256 KiB, write(2)"
	fill_up $((256 << 10)) --no-out-pages "${SMALL[@]}" "${SMALL_STEPS[@]}"
}

t_1m_default()
{
	describe "a tmpfs of 1 MiB, segments of 64 MiB"
	fill_up $((1 << 20)) --out-pages=64M "${SMALL[@]}" "${SMALL_STEPS[@]}"
}

t_1m_page()
{
	describe "a tmpfs of 1 MiB, segments of one page"
	fill_up $((1 << 20)) --out-pages=1 "${SMALL[@]}" "${SMALL_STEPS[@]}"
}

t_1m_same()
{
	describe "a tmpfs of 1 MiB, a segment as large as the filesystem"
	fill_up $((1 << 20)) --out-pages=1M "${SMALL[@]}" "${SMALL_STEPS[@]}"
}

t_1m_write()
{
	describe "a tmpfs of 1 MiB, write(2)"
	fill_up $((1 << 20)) --no-out-pages "${SMALL[@]}" "${SMALL_STEPS[@]}"
}

t_64m_default()
{
	describe "a tmpfs of 64 MiB, segments of 64 MiB"
	fill_up $((64 << 20)) --out-pages=64M "${BIG[@]}" "${BIG_STEPS[@]}"
}

t_64m_small()
{
	describe "a tmpfs of 64 MiB, segments of 64 KiB"
	fill_up $((64 << 20)) --out-pages=64K "${BIG[@]}" "${BIG_STEPS[@]}"
}

t_64m_write()
{
	describe "a tmpfs of 64 MiB, write(2)"
	fill_up $((64 << 20)) --no-out-pages "${BIG[@]}" "${BIG_STEPS[@]}"
}

# filled_by_other OPTION: the workload itself takes what is left, after 1 MiB of
# events.
filled_by_other()
{
	mount_tmpfs 32M
	record_full "$1" "${BIG[@]}" -- "$WORKLOAD" onterm onterm pace 16 300 \
		pages 128 fill "$WORK/fs/filler" pages 30000
	expect_ge "size of what filled the filesystem" \
		"$(stat -c %s "$WORK/fs/filler")" $((16 << 20))
	expect_eq "bytes in it that are not its own" \
		"$(tr -d f <"$WORK/fs/filler" | wc -c)" 0
	judge "$OUT"
}

t_other_default()
{
	describe "another process fills the filesystem half-way, segments of 64 MiB"
	filled_by_other --out-pages=64M
}

t_other_page()
{
	describe "another process fills the filesystem half-way, segments of one page"
	filled_by_other --out-pages=1
}

t_other_write()
{
	describe "another process fills the filesystem half-way, write(2)"
	filled_by_other --no-out-pages
}

t_attached()
{
	local target perf

	describe "with -p the observed process is left alone"
	mount_tmpfs 256K
	rm -f onterm go
	mkfifo go
	mkfifo ctl ack
	# It waits until perf has attached, then goes on and on.
	"$WORKLOAD" onterm onterm waitfor go pages 200000 usleep 30000000 &
	target=$!
	perf_record "${SMALL[@]}" -o "$OUT" -p "$target" --out-pages=64M \
		-D -1 --control=fifo:ctl,ack &
	perf=$!
	timeout 30 sh -c "echo enable >ctl; read -r _ <ack; echo go >go" ||
		fail "expected perf to acknowledge that it records"
	wait "$perf"
	RC=$?
	[ "$RC" != 0 ] || fail "expected perf to fail, got exit status 0"
	expect_log "failed to write perf data, error: No space left on device"
	if kill -0 "$target" 2>/dev/null; then
		[ ! -s onterm ] || fail "expected no SIGTERM for the observed process"
		kill -KILL "$target"
	else
		fail "expected the observed process to live on"
	fi
	wait "$target" 2>/dev/null
	judge "$OUT"
}

t_full_before()
{
	describe "a filesystem that is full before perf starts: no file is left"
	for option in --out-pages=64M --out-pages=1 --no-out-pages; do
		mount_tmpfs 256K
		"$WORKLOAD" fill "$WORK/fs/filler"
		record_fails -o "$OUT" "$option" "${SMALL[@]}" -- "$WORKLOAD" pages 10
		expect_absent "$OUT"
	done
}

run_cases t_256k_default t_256k_page t_256k_write t_1m_default t_1m_page \
	t_1m_same t_1m_write t_64m_default t_64m_small t_64m_write \
	t_other_default t_other_page t_other_write t_attached t_full_before
