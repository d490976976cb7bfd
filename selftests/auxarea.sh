#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# AUX area data: the index in the file must say where in the file each AUXTRACE
# event is, however it was written. Few machines have hardware with an AUX area,
# so one is faked, see fakeaux.c. Usage and environment: see lib.sh.

. "$(dirname "$0")/lib.sh"
private_mounts "$@"

[ "$(uname -m)" = x86_64 ] || skip_all "the AUX area is faked for x86_64 only"
setup

OUT=$WORK/perf.data
FAKE=$(dirname "$WORKLOAD")/fakeaux.so
# Of BPF programs nothing is to be seen here; perf would wait for such events at
# the end of each recording.
EVENTS=(--no-bpf-event --per-thread -e intel_bts//u -e page-faults:u -c 1 -d)
OPTIONS=(--no-out-pages --out-pages=1 --out-pages=64K --out-pages=64M)
PMUS=/sys/bus/event_source/devices

# What perf finds the PMU by that the preloaded library makes events of.
fake_pmu()
{
	local pmu

	mkdir -p pmus/intel_bts
	echo 9999 >pmus/intel_bts/type
	for pmu in "$PMUS"/*; do
		case ${pmu##*/} in
		intel_*) ;;
		*) ln -s "$(realpath "$pmu")" pmus/ ;;
		esac
	done
	mount --bind pmus "$PMUS" || skip_all "cannot mount in $PMUS"
}

# record_aux ARGS: perf record with the library, whether it was built with a
# sanitizer, which wants to come first, or not.
record_aux()
{
	VIA=(env "LD_PRELOAD=$FAKE"
		"ASAN_OPTIONS=${ASAN_OPTIONS:-}:verify_asan_link_order=0")
	perf_record "${EVENTS[@]}" "$@"
	VIA=()
}

# judge_index FILE N: the index has an entry for each of N or more AUXTRACE events,
# which is where the event is, and all of their data is there.
judge_index()
{
	local n sum=0 size

	if ! "$LINT" "$1" >"$LOG" 2>&1; then
		fail "expected perfdata-lint to accept $1, got: $(head -n 1 "$LOG")"
		return
	fi
	n=$("$LINT" --events "$1" | grep -c ' AUXTRACE ')
	expect_ge "$1: AUXTRACE events" "$n" "$2"
	# The reader takes them from the index.
	"$PERF_BASE" script -D --no-itrace -i "$1" 2>"$LOG" |
		sed -n 's/.*PERF_RECORD_AUXTRACE size: \([0-9a-fx]*\) .*/\1/p' >sizes
	expect_eq "$1: AUXTRACE events that perf shows" "$(wc -l <sizes)" "$n"
	while read -r size; do
		sum=$((sum + size))
	done <sizes
	# The same byte may be elsewhere, too.
	expect_ge "$1: bytes of AUX data" "$(tr -cd '\245' <"$1" | wc -c)" "$sum"
}

t_index()
{
	local option

	describe "700 AUXTRACE events of all sizes, the index holds their positions"
	for option in "${OPTIONS[@]}"; do
		rm -f "$OUT"*
		record_aux -o "$OUT" "$option" -- \
			"$WORKLOAD" pace 100 2000 pages 10000
		expect_eq "$option: exit status" "$RC" 0
		judge_index "$OUT" 600
		# Nor do they get in the way of other events.
		expect_ge "$option: samples that perf script shows" "$(
			"$PERF_BASE" script --no-itrace -F event -i "$OUT" 2>&1 |
				grep -c page-faults)" 10000
	done
}

t_switched()
{
	local option file usr2

	describe "--switch-output: each file has an index of its own"
	usr2=$(kill -l USR2)
	for option in "${OPTIONS[@]}"; do
		rm -f "$OUT"*
		record_aux -o "$OUT" "$option" --switch-output=signal -- \
			"$WORKLOAD" pace 100 2000 pages 1000 signal "$usr2" \
			usleep 50000 pages 1000 signal "$usr2" usleep 50000 pages 1000
		expect_eq "$option: exit status" "$RC" 0
		expect_ge "$option: files" "$(compgen -G "$OUT.*" | wc -l)" 3
		for file in "$OUT".*; do
			judge_index "$file" 0
		done
	done
}

t_full()
{
	local option

	describe "a full filesystem: the index has no more than what was kept"
	for option in "${OPTIONS[@]}"; do
		mount_tmpfs 1M
		record_aux -o "$WORK/fs/perf.data" "$option" -- \
			"$WORKLOAD" pace 100 2000 pages 10000
		[ "$RC" != 0 ] || fail "$option: expected it to fail"
		expect_log "No space left on device, kept"
		judge_index "$WORK/fs/perf.data" 50
	done
	umount fs || fail "expected nobody to keep the filesystem busy"
}

[ -n "$LINT" ] || skip_all "perfdata-lint not found"
[ -r "$FAKE" ] || bail "fakeaux.so is not built: run make in $HERE"
fake_pmu
run_cases t_index t_switched t_full
