#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The filesystem fills up at a random moment, because another process writes to
# it, while perf records in a random way: whatever perf leaves is good, and read
# by the unpatched perf without a warning.
#
# Usage: random-full.sh
# Environment: see lib.sh, and
#	RUNS	how many recordings (default: 24; with MATRIX=full 200)
#	SEED	number of the first one (default: 110954, random with MATRIX=full);
#		a run that failed is made again with SEED=its number RUNS=1

HANG=${HANG:-20}
TRIES=${TRIES:-3}
. "$(dirname "$0")/lib.sh"
private_mounts "$@"
setup
. "$HERE/room-lib.sh"
. "$HERE/matrix-lib.sh"

if [ "${MATRIX:-}" = full ]; then
	RUNS=${RUNS:-200}
	SEED=${SEED:-$((RANDOM * 30 + RANDOM % 30))}
fi
RUNS=${RUNS:-24}
SEED=${SEED:-110954}

ALL=(tmpfs ext4 xfs btrfs qgroup overlay)

# one_of WORD...: goes to CHOICE, not to stdout: a subshell would draw its own
# numbers.
one_of()
{
	CHOICE=${*:1+RANDOM % $#:1}
}

# between LOW HIGH
between()
{
	CHOICE=$(($1 + (RANDOM * 32768 + RANDOM) % ($2 - $1 + 1)))
}

# The other process: takes some of the room, or all of it, after some time.
fill_some()
{
	sleep "0.$1"
	if [ "$2" = 0 ]; then
		"$WORKLOAD" fill "$OUTDIR/fill"
	else
		head -c "$2" /dev/zero >"$OUTDIR/fill"
	fi 2>/dev/null
}

# run SEED: all that is random comes from it; neighbours share a filesystem.
run()
{
	local fs room moment size pages pace kind missing try

	RANDOM=$1
	fs=${ALL[$1 / 4 % ${#ALL[@]}]}
	between 16 1536
	room=$((CHOICE * 4096))
	between 100 500
	moment=$CHOICE
	between 0 "$room"
	size=$CHOICE
	one_of 0 "$size" "$size"
	size=$CHOICE
	one_of "${MODES[@]}"
	MODE=$CHOICE
	mode_args "$MODE" "$((room / 3072))K"
	if [ "$MODE" != aio ] && [ "$MODE" != write ]; then
		one_of 1 64K 512K 64M
		ARGS+=("--out-pages=$CHOICE")
	fi
	one_of --no-buffering --buffering
	ARGS+=("$CHOICE")
	EVENTS=("${MATRIX_EVENTS[@]}")
	one_of small large
	kind=$CHOICE
	if [ "$kind" = small ]; then
		EVENTS=(-e page-faults:u -c 1 -d)
	fi
	one_of 4 8 16
	pace=$CHOICE
	pages=$((pace * 300))

	describe "$fs, $((room >> 10)) KiB of room, $((size >> 10)) KiB taken after $moment ms, ${ARGS[*]}, $kind events"
	missing=$(fs_missing "$fs"; mode_missing "$MODE")
	if [ -n "$missing" ]; then
		skip "$missing"
		return
	fi
	fs_use "$fs"
	OUT=$OUTDIR/perf.data
	for try in 1 2 3; do
		leave_room "$room"
		fill_some "$moment" "$size" &
		record_fault "${ARGS[@]}" "${EVENTS[@]}" -o "$OUT" -- "$WORKLOAD" noise \
			spread pace "$pace" 1000 pages "$pages" join
		wait $!
		same_names "$WORK/said" || break
		diag "try $try: two files got the same name"
	done
	judge_random $((2 * pages))
	empty_outdir
}

judge_random()
{
	if [ "$RC" = 0 ]; then
		judge_output 0 0
		expect_ge "samples that are kept or were lost" $((KEPT + LOST)) "$1"
		return
	fi
	expect_failed
	if grep -q ", kept" "$WORK/said"; then
		judge_output 0 0
		judge_kept_message "$FULL"
	else
		judge_nothing
		judge_refusal "$FULL"
	fi
}

finish()
{
	fs_unmake
	cleanup
}
trap finish EXIT

runs=()
for ((i = 0; i < RUNS; i++)); do
	runs+=("run $((SEED + i))")
done
diag "SEED=$SEED RUNS=$RUNS"
run_cases "${runs[@]}"
