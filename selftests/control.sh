#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Options of perf record that say when events are taken and how they are handed
# to the output, mapped and with write(2). Usage and environment: see lib.sh.

. "$(dirname "$0")/lib.sh"
setup

OUT=$WORK/perf.data
# Of BPF programs nothing is to be seen here; perf would wait for such events at
# the end of each recording.
EVENTS=(--no-bpf-event -e page-faults:u -c 1 -d)
OPTIONS=(--no-out-pages --out-pages=1 --out-pages=64M)

# count_pages: samples of the workload that the unpatched perf finds.
count_pages()
{
	"$PERF_BASE" script -F addr -i "$OUT" 2>>"$LOG" |
		grep -c '^ *1000[0-9a-f]\{8\}$'
}

# all_good N PACE ARGS: each way of writing keeps N pages, in a good file; the
# workload rests after each PACE of them.
all_good()
{
	local option n=$1 pace=$2
	shift 2

	for option in "${OPTIONS[@]}"; do
		rm -f "$OUT"*
		record_lossless "$OUT" "$option" "${EVENTS[@]}" "$@" -- \
			"$WORKLOAD" pace "$pace" 500 pages "$n" || continue
		judge_numbers "$OUT" "$n"
		judge "$OUT"
	done
}

t_control()
{
	local option want=

	describe "--control fifo: enable, disable, enable, stop"
	for option in "${OPTIONS[@]}"; do
		rm -f "$OUT"* ctl ack
		mkfifo ctl ack
		# Open for both, so that nobody waits for the other end.
		exec 8<>ctl 9<>ack
		# shellcheck disable=SC2016 # $0 is the workload
		perf_record -o "$OUT" "$option" -D -1 --control fifo:ctl,ack \
			"${COPIED[@]}" "${EVENTS[@]}" -- sh -c '
				say() { echo "$1" >&8; read -r reply <&9; }
				"$0" pages 100
				say enable
				"$0" pages 1000
				say disable
				"$0" pages 10
				say enable
				"$0" pages 300
				echo stop >&8
				exec sleep 30' "$WORKLOAD"
		exec 8>&- 9>&-
		want=${want:-$RC}
		expect_eq "$option: exit status, against write(2)" "$RC" "$want"
		expect_log "Events disabled"
		judge "$OUT"
		expect_eq "$option: samples while enabled" "$(count_pages)" 1300
	done
}

t_delay()
{
	local option n

	describe "-D: no samples before, all samples after the delay"
	for option in "${OPTIONS[@]}"; do
		rm -f "$OUT"* early
		# shellcheck disable=SC2016 # $0 is the workload
		record_ok -o "$OUT" "$option" -D 300 "${COPIED[@]}" \
			"${EVENTS[@]}" -- sh -c '
				"$0" pages 3000
				grep -q "Events enabled" "$1" || : >early
				until grep -q "Events enabled" "$1"; do
					sleep 0.05
				done
				"$0" pages 500' "$WORKLOAD" "$LOG"
		judge "$OUT"
		n=$(count_pages)
		# On a machine that is slow the delay may end too early.
		if [ -e early ]; then
			expect_eq "$option: samples" "$n" 500
		else
			expect_ge "$option: samples" "$n" 500
		fi
	done
}

t_delay_forever()
{
	describe "-D -1 that nobody ends: a good file without samples"
	for option in "${OPTIONS[@]}"; do
		rm -f "$OUT"*
		record_ok -o "$OUT" "$option" -D -1 "${EVENTS[@]}" -- \
			"$WORKLOAD" pages 300 || continue
		judge "$OUT"
		expect_eq "$option: samples" "${D[samples]}" 0
	done
}

t_flush()
{
	local flush

	describe "--mmap-flush: what waits in the ring buffer is there in the end"
	for flush in 4K 64K; do
		all_good 20000 1000 "--mmap-flush=$flush" -m 512K
	done
}

t_buffering()
{
	describe "--no-buffering, with small and with large chunks"
	all_good 5000 1000 --no-buffering
	all_good 500 20 --no-buffering --call-graph dwarf,8192 -m "$RING"
}

t_compressed()
{
	local option args

	describe "-z with --mmap-flush, with --aio, at levels 1 and 22"
	if ! has_feature zstd || ! has_feature aio; then
		skip "this perf is built without zstd or aio"
		return
	fi
	for args in "-z1 --mmap-flush=16K" "-z22 --mmap-flush=16K" "-z1 --aio"; do
		for option in --no-out-pages --out-pages=64M; do
			# One that is set and asynchronous writes are refused together.
			if [[ $args == *--aio* ]]; then
				option=
			fi
			rm -f "$OUT"*
			# shellcheck disable=SC2086 # several arguments, or none
			record_ok -o "$OUT" $option $args -m "$RING" "${EVENTS[@]}" -- \
				"$WORKLOAD" pace 1000 300 pages 8000 || continue
			judge "$OUT"
			expect_ge "$args: compressed events" "${D[compressed]}" 1
			judge_read "$OUT" 8000
		done
	done
}

t_aio()
{
	local n

	describe "--aio: all samples, with 1 and with 4 blocks"
	if ! has_feature aio; then
		skip "this perf is built without aio"
		return
	fi
	for n in 1 4; do
		rm -f "$OUT"*
		record_ok -o "$OUT" "--aio=$n" -m "$RING" "${EVENTS[@]}" -- \
			"$WORKLOAD" pace 1000 300 pages 20000 || continue
		judge_numbers "$OUT" 20000
		judge "$OUT"
	done
}

# build_ids OPTIONS: the list in the file, into LIST.
build_ids()
{
	rm -f "$OUT"*
	record_ok -o "$OUT" "${EVENTS[@]}" "$@" -- "$WORKLOAD" pages 300 || return
	judge "$OUT"
	LIST=$("$PERF_BASE" buildid-list -i "$OUT" 2>>"$LOG" | sort)
}

t_buildid()
{
	local args written

	describe "the build-id pass finds in a mapped file what it finds in a written one"
	for args in -N "-B -N" --buildid-all; do
		# shellcheck disable=SC2086 # several arguments
		build_ids --no-out-pages $args || continue
		written=$LIST
		# shellcheck disable=SC2086 # several arguments
		build_ids $args || continue
		expect_eq "$args: build-ids" "$LIST" "$written"
		[ "$args" = "-B -N" ] || expect_ge "$args: number of build-ids" \
			"$(grep -c "$WORKLOAD" <<<"$LIST")" 1
	done
}

t_buildid_cache()
{
	describe "without -N, as most people record: the workload is cached"
	rm -rf .debug "$OUT"*
	"$PERF" record -o "$OUT" "${EVENTS[@]}" -- "$WORKLOAD" pages 300 >"$LOG" 2>&1
	expect_eq "exit status" "$?" 0
	judge_numbers "$OUT" 300
	judge "$OUT"
	[ -d ".debug$WORKLOAD" ] || fail "expected the workload in the cache of build-ids"
	rm -rf .debug
}

# alike ARGS: recorded with write(2) and mapped, the exit status and the first words
# are the same.
alike()
{
	local option first status="" words=""

	for option in --no-out-pages --out-pages=64M; do
		rm -rf "$OUT"*
		perf_record -o "$OUT" "$option" "${EVENTS[@]}" "$@" -- \
			"$WORKLOAD" pages 300
		first=$(head -n 1 "$LOG" | sed "s/ *\\[ perf record: .*//")
		if [ -n "$status" ]; then
			expect_eq "$*: exit status, against write(2)" "$RC" "$status"
			expect_eq "$*: message, against write(2)" "$first" "$words"
		fi
		status=$RC words=$first
	done
}

t_kcore()
{
	describe "--kcore: a directory with a copy, or the same refusal"
	alike --kcore
	if [ ! -r /proc/kcore ] || [ "$(id -u)" != 0 ]; then
		expect_log "kcore"
		return
	fi
	expect_eq "exit status" "$RC" 0
	[ -s "$OUT/kcore_dir/kcore" ] || fail "expected a copy of /proc/kcore"
	judge_read "$OUT" 300
	judge "$OUT/data"
}

t_offcpu()
{
	describe "--off-cpu: its samples too, or the warning that it is not built in"
	alike --off-cpu
	expect_eq "exit status" "$RC" 0
	has_feature bpf_skeletons || expect_log "off-cpu"
	judge "$OUT"
	judge_numbers "$OUT" 300
}

run_cases t_control t_delay t_delay_forever t_flush t_buffering t_compressed t_aio \
	t_buildid t_buildid_cache t_kcore t_offcpu
