#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The fault matrix: what perf record keeps, on each filesystem, when its output
# cannot grow or is cut by somebody else, in each way of writing.
#
# Usage: matrix.sh [PATTERN...]	the cells that match a pattern, for instance
#				"tmpfs * threads"; default: all
# Environment: see lib.sh, and
#	MATRIX		full: also the cells of which the filesystem makes little
#			difference, on each of them
#	MATRIX_CSV	add a line for each cell to this file: filesystem, fault, way
#			of writing, exit status, samples kept, KiB written, room in KiB,
#			can be read or not, passed or not
#
# Each workload has two processes, on two CPUs if there are, which number their
# events. What is kept must be the first of each.

HANG=${HANG:-20}
TRIES=${TRIES:-3}
# It is also for a perf without the stack.
NEEDED_OPTIONS=
. "$(dirname "$0")/lib.sh"
private_mounts "$@"
setup
. "$HERE/room-lib.sh"
. "$HERE/matrix-lib.sh"

USR2=$(kill -l USR2)
# How long a workload would go on that is not stopped.
LINGER=${HANG}000000

# In the order of the room that is left, which makes the least work.
FAULTS=(start header mid1 segend mid16 finish cut0 cuthalf fsize)

declare -A ROOM=([start]=0 [header]=4096 [mid1]=$((1 << 20)) [segend]=$((1 << 20))
	[mid16]=$((16 << 20)) [finish]=$PLENTY [cut0]=$PLENTY [cuthalf]=$PLENTY
	[fsize]=$PLENTY)

declare -A WHAT=(
	[start]="full from the start"
	[header]="full after the header"
	[mid1]="1 MiB of room, full in the middle of a segment"
	[segend]="1 MiB of room, full at the end of a segment"
	[mid16]="16 MiB of room, full in the middle of a segment"
	[finish]="full while finishing, all events are stored"
	[cut0]="cut to 0 by somebody else"
	[cuthalf]="cut to a half by somebody else"
	[fsize]="RLIMIT_FSIZE of 4 MiB"
)

FSIZE=$((4 << 20))

# steps RATE PAGES: a workload that has more events than there is room for, and
# would go on for long.
steps()
{
	STEPS=(onterm "$WORK/onterm" noise spread pace "$1" 1000 pages "$2" join
		usleep "$LINGER")
}

# With a file closed before the fault, if there are to be several.
steps_switched()
{
	STEPS=(noise spread pace 20 1000 pages 300)
	if [ "$MODE" = switch ]; then
		STEPS+=(usleep 150000 signal "$USR2" usleep 150000 pages 300)
	fi
}

cell_start()
{
	mode_args "$MODE" 100K
	steps 4 100
	record_matrix
	expect_failed
	judge_nothing
	judge_refusal "$FULL"
}

cell_header()
{
	mode_args "$MODE" 100K
	steps 4 100
	# Not to need room for its name.
	[ "$MODE" = threads ] || new_file "$OUT"
	record_matrix
	expect_failed
	judge_nothing
	judge_refusal "$FULL"
}

# fill_up SHARE: what was kept is SHARE percent of what a plain writer could store.
#
# On btrfs, a page that is populated before it is filled may be written in between,
# when the quota is short, and counts twice then until it is forgotten.
fill_up()
{
	local share=$1

	if [ "$FS" = qgroup ] && [ "$MODE" != write ] && [ "$MODE" != aio ]; then
		share=$((share == 99 ? 95 : 50))
	elif [ "$MODE" = switch ]; then
		# Each file has features, for which the last one gives events back.
		share=$((share == 99 ? 95 : 75))
	fi
	record_matrix
	expect_failed
	expect_eq "what the workload noted" "$(cat "$WORK/onterm" 2>&1)" SIGTERM
	judge_output "$share" "$CAPACITY"
	judge_kept_message "$FULL"
}

cell_mid1()
{
	mode_args "$MODE" 300K
	steps 4 3000
	fill_up 90
}

cell_segend()
{
	mode_args "$MODE" 300K
	ARGS+=(--out-pages=256K)
	steps 4 3000
	fill_up 90
}

cell_mid16()
{
	mode_args "$MODE" 5M
	steps 40 26000
	fill_up 99
}

# The rest of what was set aside for more data may be enough for the features.
cell_finish()
{
	local all slack

	mode_args "$MODE" signal
	steps_switched
	STEPS+=(pages 500 join usleep 300000 fill "$OUTDIR/fill")
	record_matrix
	all=$((2 * $(printf '%s\n' "${STEPS[@]}" | awk 'was == "pages" { n += $1 }
		{ was = $1 } END { print n }')))
	if [ "$RC" = 0 ]; then
		judge_output 0 0
		expect_ge "samples that are kept or were lost" $((KEPT + LOST)) "$all"
	else
		expect_failed
		judge_output 0 0
		# Events of 64 KiB make room for the features. Compressed ones are
		# given back by 64 KiB at least, with what says how many were lost.
		slack=56
		[ "$MODE" != zstd ] || slack=200
		expect_ge "samples that are kept or were lost" $((KEPT + LOST)) \
			$((all - slack))
		judge_kept_message "$FULL"
	fi
}

# cut_file STEP: somebody does that to the file that is written.
cut_file()
{
	local file=$OUT

	mode_args "$MODE" signal
	steps_switched
	[ "$MODE" != threads ] || file=$OUT/data.0
	STEPS+=(usleep 100000 "$1" "$file" pages 500 join)
	record_matrix
	expect_failed
}

cell_cut0()
{
	cut_file truncate
	case $MODE in
	threads)
		# The other thread's file has lost nothing.
		judge_output 0 0
		judge_kept_message "somebody else"
		;;
	switch)
		judge_nothing
		expect_ge "samples of the file that was closed before" "$KEPT" 500
		judge_message "failed to write perf data, error: .*somebody else"
		;;
	*)
		judge_nothing
		judge_message "failed to write perf data, error: .*somebody else.*, nothing is kept in "
		;;
	esac
}

cell_cuthalf()
{
	cut_file halve
	judge_output 0 0
	# 300 of each process were there before the cut, of 1200 bytes and more;
	# compressed, it is known less well what half of the file is.
	expect_ge "samples that are kept or were lost" $((KEPT + LOST)) 200
	judge_kept_message "somebody else"
}

cell_fsize()
{
	mode_args "$MODE" signal
	steps_switched
	STEPS+=(onterm "$WORK/onterm" pages 8000 join usleep "$LINGER")
	VIA=(prlimit "--fsize=$FSIZE")
	record_matrix
	VIA=()
	expect_failed
	expect_eq "what the workload noted" "$(cat "$WORK/onterm" 2>&1)" SIGTERM
	judge_output 97 "$FSIZE"
	judge_kept_message "File too large"
}

record_matrix()
{
	rm -f "$WORK/onterm"
	record_fault "${ARGS[@]}" "${MATRIX_EVENTS[@]}" -o "$OUT" -- \
		"$WORKLOAD" "${STEPS[@]}"
}

# csv: a line about the cell.
csv()
{
	local passed=yes

	[ -n "${MATRIX_CSV:-}" ] || return
	[ "$CASE_FAILED" = 0 ] || passed=no
	echo "$FS,$FAULT,$MODE,$RC,$KEPT,$((BYTES >> 10)),$((CAPACITY >> 10)),$READABLE,$passed" \
		>>"$MATRIX_CSV"
}

# cell FS FAULT MODE
cell()
{
	local missing used try

	FAULT=$2 MODE=$3
	describe "${WHAT[$FAULT]}"
	missing=$(fs_missing "$1"; mode_missing "$MODE")
	if [ -n "$missing" ]; then
		skip "$missing"
		return
	fi
	[ "$FS" = "$1" ] || MEASURED=
	fs_use "$1"
	OUT=$OUTDIR/perf.data
	leave_room "${ROOM[$FAULT]}"
	if [ "$MEASURED" != "${ROOM[$FAULT]}" ]; then
		measure_room
		MEASURED=${ROOM[$FAULT]}
	fi
	used=$(fs_used)
	for try in 1 2 3; do
		BYTES=0 KEPT=0 CASE_FAILED=0
		"cell_$FAULT"
		same_names "$WORK/said" || break
		diag "try $try: two files got the same name"
		leave_room "${ROOM[$FAULT]}"
	done
	csv
	expect_eq "other files" "$(cd "$OUTDIR" && find . -mindepth 1 -maxdepth 1 \
		! -name perf.data ! -name 'perf.data.2*' ! -name fill)" ""
	empty_outdir
	case $FS in
	btrfs | qgroup) used=$((used + 256)) ;;
	esac
	wait_used "$used" ||
		fail "KiB in use when the files are removed: expected at most $used, got $USED"
}

# makes_sense FS FAULT MODE
makes_sense()
{
	case $2-$3 in
	segend-write | segend-aio) return 1 ;;	# no segments
	esac
	if [ -n "$NO_OUT_PAGES" ]; then
		case $2-$3 in
		segend-* | *-write) return 1 ;;
		esac
	fi
	# Where somebody else cuts the file, or a limit is set, the filesystem has
	# little to do with it.
	case ${MATRIX:-}-$1-$2 in
	-ext4-cut* | -overlay-cut* | -qgroup-cut*) return 1 ;;
	-ext4-fsize | -overlay-fsize | -qgroup-fsize) return 1 ;;
	esac
}

NO_OUT_PAGES=
has_option out-pages || NO_OUT_PAGES=1

cells=()
for fs in tmpfs ext4 xfs btrfs qgroup overlay; do
	for fault in "${FAULTS[@]}"; do
		for mode in "${MODES[@]}"; do
			makes_sense $fs "$fault" "$mode" || continue
			name="$fs $fault $mode"
			[ $# = 0 ] && cells+=("cell $name")
			for pattern in "$@"; do
				# shellcheck disable=SC2053 # it is a pattern
				if [[ $name == $pattern ]]; then
					cells+=("cell $name")
					break
				fi
			done
		done
	done
done
[ ${#cells[@]} -gt 0 ] || bail "no cell is called $*"

finish()
{
	fs_unmake
	cleanup
}
trap finish EXIT

run_cases "${cells[@]}"
