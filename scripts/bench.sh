#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What perf record costs with mapped output, side by side with write(2),
# write(2) and --exclude-perf, --aio and naive mapping, on several filesystems,
# in alternating rounds. Medians and spread go to CSV, tables and plots, and
# what the project promises is compared with them.
#
# usage: bench.sh [-o DIRECTORY] [-d] [PART]...
#   -o DIRECTORY  where the results go (default: build/$BASE/bench)
#   -d            put them into Documentation/performance.rst, too
#   PART          of idle storm firehose quiet faults growth ceiling (all)
#
# Environment (make bench sets what is needed):
#   BASE         kernel release of the stack (v6.12)
#   PERF         perf with the stack            (build/$BASE/perf/perf)
#   PERF_BASE    perf of the same base without  (build/$BASE/perf-base/perf)
#   PERF_NAIVE   perf with the mapping of the first patches, which neither
#                populates nor writes large chunks directly; it is left out if
#                there is none                  (build/$BASE/perf-naive/perf)
#   LINT         the independent file checker   (build/tools/perfdata-lint)
#   LINUX        tree with the stack            (build/$BASE/linux)
#   QUICK=1      3 short rounds, less than five minutes
#   ROUNDS       rounds (7)
#   FILESYSTEMS  of tmpfs tmpfs-huge ext4 xfs btrfs (all; QUICK=1: tmpfs xfs)
#   METHODS      of write exclude-perf aio naive mapped (all); NAME=PATH is mapped
#                with one more perf, to try a change
#
# Exit status: 0 if all was measured, whatever the figures; 1 if not.

set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
# shellcheck source=scripts/bench-lib.sh
. "$(dirname "$0")/bench-lib.sh"

usage="usage: bench.sh [-o DIRECTORY] [-d] [idle|storm|firehose|quiet|faults|growth|ceiling]..."
results=$SLOT/bench
document=
while getopts do: opt; do
	case $opt in
	d) document=$TOP/Documentation/performance ;;
	o) results=$OPTARG ;;
	*) die "$usage" ;;
	esac
done
shift $((OPTIND - 1))
parts=("$@")
[ $# -gt 0 ] || parts=(idle storm firehose quiet faults growth ceiling)
for part in "${parts[@]}"; do
	case $part in
	idle | storm | firehose | quiet | faults | growth | ceiling) ;;
	*) die "$usage" ;;
	esac
done

declare -A perf=(
	[mapped]=${PERF:-$(perf_dir perf)/perf}
	['write']=${PERF_BASE:-$(perf_dir perf-base)/perf}
	[naive]=${PERF_NAIVE:-$SLOT/perf-naive/perf}
)
perf[exclude-perf]=${perf[write]}
perf[aio]=${perf[write]}
lint=${LINT:-$BUILD/tools/perfdata-lint}
tools=$BUILD/tools
for f in "${perf[mapped]}" "${perf[write]}" "$lint" "$tools/cpu-of" "$tools/bench-load"; do
	if ! [ -f "$f" ] || ! [ -x "$f" ]; then
		die "$f: no such program: run make bench, which builds it"
	fi
done
for f in gnuplot openssl; do
	command -v $f >/dev/null || die "no $f: run make bench, which installs it"
done

bench_private ${document:+-d} -o "$results" "${parts[@]}"
mkdir -p "$results"
results=$(cd "$results" && pwd -P)
bench_setup

quick=
[ "${QUICK:-0}" != 1 ] || quick=1
rounds=${ROUNDS:-${quick:+3}}
rounds=${rounds:-7}
[[ $rounds =~ ^[1-9][0-9]*$ ]] || die "ROUNDS=$rounds: not a positive number"
all="tmpfs tmpfs-huge ext4 xfs btrfs"
read -r -a filesystems <<<"${FILESYSTEMS:-${quick:+tmpfs xfs}}"
[ ${#filesystems[@]} -gt 0 ] || read -r -a filesystems <<<"$all"
read -r -a methods <<<"${METHODS:-write exclude-perf aio naive mapped}"
for ((i = 0; i < ${#methods[@]}; i++)); do
	if [[ ${methods[i]} == *=* ]]; then
		perf[${methods[i]%%=*}]=${methods[i]#*=}
		methods[i]=${methods[i]%%=*}
	fi
	[ -n "${perf[${methods[i]}]:-}" ] || die "METHODS: what is ${methods[i]}?"
done
if [[ " ${methods[*]} " == *" naive "* && ! -x ${perf[naive]} ]]; then
	say "${perf[naive]}: no such program, naive mapping is left out"
	all=" ${methods[*]} "
	read -r -a methods <<<"${all/ naive / }"
fi
# The load has a CPU of its own where there are two, perf goes where it likes.
load_cpu=$(($(nproc) > 1 ? 1 : 0))

# Neither the caller's configuration nor the build-id cache has a part in this.
export PERF_CONFIG=/dev/null HOME=$WORK/home
unset DEBUGINFOD_URLS
mkdir "$WORK/home"

# record_once METHOD FILESYSTEM ARGUMENT...: a perf record; sets file, and of the
# perf process pid, wall_ns, cpu_ns and rss_kib.
record_once()
{
	local method=$1 fs=$2 options=() rc=0

	shift 2
	# --exclude-perf has to follow the event.
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	case $method in
	exclude-perf) options+=(--exclude-perf) ;;
	aio) options+=(--aio) ;;
	esac
	file=$WORK/$fs/perf.data
	bench_clean "$fs"
	"$tools/cpu-of" "$WORK/cost" "${perf[$method]}" record -o "$file" \
		"${options[@]}" "$@" >"$WORK/log" 2>&1 &
	pids=($!)
	wait "${pids[0]}" || rc=$?
	pids=()
	if [ $rc != 0 ]; then
		cat "$WORK/log" >&2
		die "perf record with $method on $fs ended with status $rc"
	fi
	IFS=, read -r pid rc wall_ns cpu_ns rss_kib <"$WORK/cost"
	size=$(stat -c %s "$file")
}

# record METHOD FILESYSTEM ARGUMENT...: like it; sets samples and lost, too, as the
# checker counts them. Where somebody else records the same software event, the
# kernel gives some of our samples the id that belongs into the other file.
record()
{
	local try

	for try in 1 2 3; do
		record_once "$@"
		if "$lint" --counts "$file" >"$WORK/counts" 2>&1; then
			break
		fi
		say "try $try with $1: $(tail -n 1 "$WORK/counts")"
		[ $try -lt 3 ] || die "the files that $1 writes on $2 are not good"
	done
	# A sample that was lost is counted in both kinds of events.
	read -r samples lost < <(awk '
		{ n[$1] = $2 }
		END {
			lost = n["lost"] > n["lost_samples"] ? n["lost"] : n["lost_samples"]
			print n["SAMPLE"] + 0, lost + 0
		}' "$WORK/counts")
}

# own_samples: how many of them perf itself has caused.
own_samples()
{
	"${perf[write]}" script -F pid -i "$file" 2>/dev/null |
		awk -v pid="$pid" '$1 == pid { n++ } END { print n + 0 }'
}

calc()
{
	awk "BEGIN { printf \"%.6g\", $1 }"
}

# The memory that a recording will take must not be fresh, see copy-bench.c.
warm_memory()
{
	"$tools/bench-load" memory "$1" >/dev/null
}

part_idle()
{
	local fs method own

	for fs in "${MOUNTED[@]}"; do
		[ -z "$quick" ] || [ "$fs" = "${MOUNTED[-1]}" ] || continue
		for method in "${methods[@]}"; do
			record "$method" "$fs" -e 'raw_syscalls:*,sched:sched_switch' -a -- sleep 1
			own=$(own_samples)
			add idle "$fs" "$method" 1s "$1" bytes "$size" samples "$samples" \
				own_samples "$own" own_bytes "$(calc "$own * $size / ($samples + 1)")" \
				cpu_ms "$(calc "$cpu_ns / 1e6")"
		done
	done
}

# storm_cost START PART FILESYSTEM METHOD PARAMETER ROUND: START nanoseconds are
# what it takes to start and to end without a load, which grows with no MiB.
storm_cost()
{
	local start=$1

	shift
	add "$@" mib "$(calc "$size / 1048576")" cpu_ms "$(calc "$cpu_ns / 1e6")" \
		start_ms "$(calc "$start / 1e6")" \
		cpu_ms_per_mib "$(calc "($cpu_ns - $start) / 1e6 / ($size / 1048576)")" \
		gross_ms_per_mib "$(calc "$cpu_ns / 1e6 / ($size / 1048576)")" \
		lost "$lost" lost_percent "$(calc "100 * $lost / ($lost + $samples + 1)")" \
		rss_mib "$(calc "$rss_kib / 1024")"
}

# start_costs METHODS ARGUMENT...: sets start of each of them, in nanoseconds.
declare -A start
start_costs()
{
	local fs=${MOUNTED[0]} which method

	read -r -a which <<<"$1"
	shift
	for method in "${which[@]}"; do
		record "$method" "$fs" -B -N "$@" -- true
		start[$method]=$cpu_ns
	done
}

part_storm()
{
	local fs method calls=1500000 memory=512

	if [ -n "$quick" ]; then
		calls=200000
		memory=128
	fi
	start_costs "${methods[*]}" -e 'raw_syscalls:*' -a
	for fs in "${MOUNTED[@]}"; do
		for method in "${methods[@]}"; do
			warm_memory $memory
			record "$method" "$fs" -B -N -e 'raw_syscalls:*' -a -- \
				"$tools/bench-load" -c "$load_cpu" syscalls "$calls"
			storm_cost "${start[$method]}" storm "$fs" "$method" "$calls" "$1"
		done
	done
}

part_firehose()
{
	local fs method which seconds=2 memory=1024

	if [ -n "$quick" ]; then
		seconds=1
		memory=384
	fi
	# perf's own samples would have no user stack to speak of, and
	# --exclude-perf is refused but for tracepoints.
	read -r -a which <<<"$(printf '%s\n' "${methods[@]}" | grep -vx exclude-perf | paste -sd ' ')"
	start_costs "${which[*]}" -F 20000 -e cpu-clock --call-graph dwarf,32768
	for fs in "${MOUNTED[@]}"; do
		for method in "${which[@]}"; do
			warm_memory $memory
			record "$method" "$fs" -B -N -F 20000 -e cpu-clock \
				--call-graph dwarf,32768 -- \
				"$tools/bench-load" -c "$load_cpu" -t $seconds stack 64
			storm_cost "${start[$method]}" firehose "$fs" "$method" "${seconds}s" "$1"
		done
	done
}

# Blocks on disk beyond those that a file of this size needs, in KiB.
spare_kib()
{
	sync -f "$file"
	stat -c '%b %B %s' "$file" | awk '{ print $1 * $2 / 1024 - int(($3 + 4095) / 4096) * 4 }'
}

# The others are not what a user would have in their place.
in_quiet()
{
	[[ $1 != aio && $1 != exclude-perf && $1 != naive ]]
}

part_quiet()
{
	local fs method i runs=20

	[ -z "$quick" ] || runs=3
	for fs in "${MOUNTED[@]}"; do
		for method in "${methods[@]}"; do
			in_quiet "$method" || continue
			record "$method" "$fs" -F 4000 -g -e cpu-clock -- \
				openssl speed -seconds 1 -bytes 16384 sha256
			add quiet "$fs" "$method" openssl "$1" cpu_ms "$(calc "$cpu_ns / 1e6")" \
				wall_ms "$(calc "$wall_ns / 1e6")" kib "$(calc "$size / 1024")" \
				spare_kib "$(spare_kib)" rss_mib "$(calc "$rss_kib / 1024")" \
				samples "$samples"
		done
		for ((i = 1; i <= runs; i++)); do
			for method in "${methods[@]}"; do
				in_quiet "$method" || continue
				record "$method" "$fs" -- true
				add quiet "$fs" "$method" true $((($1 - 1) * runs + i)) \
					cpu_ms "$(calc "$cpu_ns / 1e6")" \
					wall_ms "$(calc "$wall_ns / 1e6")" \
					kib "$(calc "$size / 1024")" \
					spare_kib "$(spare_kib)" \
					rss_mib "$(calc "$rss_kib / 1024")"
			done
		done
	done
}

part_faults()
{
	local fs method event count=4000000 own

	[ -z "$quick" ] || count=1000000
	# Counts differ little from round to round.
	[ -z "$quick" ] || [ "$1" = 1 ] || return 0
	for fs in "${MOUNTED[@]}"; do
		for event in page-faults exceptions:page_fault_user; do
			# The tracepoint is x86's.
			[ $event = page-faults ] || [ -e $tracefs/events/exceptions/page_fault_user ] ||
				continue
			for method in "${methods[@]}"; do
				[[ $method != aio && $method != exclude-perf ]] || continue
				record "$method" "$fs" -B -N -e $event -c 1 -a -- \
					"$tools/bench-load" -c "$load_cpu" faults $count
				own=$(own_samples)
				add faults "$fs" "$method" $event "$1" \
					mib "$(calc "$size / 1048576")" own_faults "$own" \
					own_faults_per_mib "$(calc "$own / ($size / 1048576)")" \
					lost "$lost"
			done
		done
	done
}

part_growth()
{
	local fs calls mib sizes=(10 100 1000 4000)

	[ -z "$quick" ] || sizes=(10 100)
	start_costs mapped -e 'raw_syscalls:*' -a
	for fs in "${MOUNTED[@]}"; do
		for mib in "${sizes[@]}"; do
			# Two events of 100 bytes per call.
			calls=$((mib * 5000))
			warm_memory $((mib < 1000 ? mib : 1000))
			record mapped "$fs" -B -N -e 'raw_syscalls:*' -a -- \
				"$tools/bench-load" -c "$load_cpu" -t 300 syscalls $calls
			storm_cost "${start[mapped]}" growth "$fs" mapped "$mib" "$1"
		done
	done
}

for part in "${parts[@]}"; do
	[ "$part" != ceiling ] || continue
	[ ${#MOUNTED[@]} -gt 0 ] || bench_mount "${filesystems[@]}"
	for ((round = 1; round <= rounds; round++)); do
		say "$part: round $round of $rounds, after $SECONDS s"
		"part_$part" $round
	done
done
bench_summary <"$RAW" >"$WORK/bench.csv"
if [[ " ${parts[*]} " == *" ceiling "* ]]; then
	[ -n "$quick" ] || unset QUICK
	ROUNDS=$rounds FILESYSTEMS="${filesystems[*]}" \
		"$TOP/scripts/bench-copy.sh" -o "$WORK" >/dev/null
	sed 1d "$WORK/copy.csv" >>"$WORK/bench.csv"
	cat "$WORK/copy-raw.csv" >>"$RAW"
fi
cp "$WORK/bench.csv" "$RAW" "$results/"
{
	bench_machine
	echo "$rounds alternating rounds${quick:+, short ones}"
} >"$results/machine.txt"
"$TOP/scripts/bench-report.sh" "$results"
say "took $SECONDS s; the tables and plots are in $results"

# Parts that were not measured now stay as they are, and count for the promises.
if [ -n "$document" ]; then
	mkdir -p "$document" "$WORK/all"
	cp "$results"/*.svg "$document/"
	for part in "${parts[@]}"; do
		name=$part
		[ "$part" != ceiling ] || name=copy
		awk -F, -v part="$name" 'NR == 1 || $1 == part' "$results/bench.csv" \
			>"$document/$part.csv"
		put_block "$document.rst" "$part" "$results/$part.rst"
	done
	awk 'NR == 1 || FNR > 1' "$document"/*.csv >"$WORK/all/bench.csv"
	"$TOP/scripts/bench-report.sh" "$WORK/all" >/dev/null
	put_block "$document.rst" checks "$WORK/all/checks.rst"
	put_block "$document.rst" machine "$results/machine.txt"
	say "$document.rst has them, too"
fi
