#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The ceiling: how many bytes per second of CPU time can be written to a file
# in chunks, without the rest of perf, with write(2), through each version of
# util/mmap-output.c that the stack goes through, with pwrite of 1 MiB, and how
# many with one memcpy() into pages that are already there. System calls and
# page faults are counted in a run of their own.
#
# usage: bench-copy.sh [-o DIRECTORY]
#   -o DIRECTORY  where copy.csv, copy-raw.csv, copy.rst and copy.svg go
#                 (default: build/$BASE/bench)
#
# Environment (make bench sets what is needed):
#   LINUX        tree with the stack on top of the tag "base" (build/$BASE/linux)
#   QUICK=1      3 rounds, fewer chunk sizes, first and last version only
#   ROUNDS       alternating rounds, of which medians are shown (7)
#   FILESYSTEMS  of tmpfs tmpfs-huge ext4 xfs btrfs (all)
#   CHUNKS       sizes in bytes (128 1024 16384 65536 524288)
#   MIB          size of the file (256); write(2) of the smallest chunks: less
#   VERSIONS     commits of LINUX that changed util/mmap-output.c, or files to
#                take the place of it; the last is called "mapped" (all commits)

set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
# shellcheck source=scripts/bench-lib.sh
. "$(dirname "$0")/bench-lib.sh"

usage="usage: bench-copy.sh [-o DIRECTORY]"
results=$SLOT/bench
while getopts o: opt; do
	case $opt in
	o) results=$OPTARG ;;
	*) die "$usage" ;;
	esac
done
shift $((OPTIND - 1))
[ $# -eq 0 ] || die "$usage"

linux=${LINUX:-$SLOT/linux}
file=tools/perf/util/mmap-output
[ -f "$linux/$file.c" ] || die "$linux: no tree with the stack: run make bench, which makes it"
git_setup
bench_private -o "$results"
mkdir -p "$results"
bench_setup

mapfile -t versions < <(git -C "$linux" rev-list --reverse base..HEAD -- "$file.c")
[ ${#versions[@]} -gt 0 ] || die "$linux: no commit since base changes $file.c"
rounds=7 chunks=(128 1024 16384 65536 524288) mib=256
if [ "${QUICK:-0}" = 1 ]; then
	rounds=3 chunks=(128 16384 65536) mib=128
	# The first that survives SIGBUS is what a naive mapping would be.
	versions=("${versions[1]:-${versions[0]}}" "${versions[-1]}")
fi
rounds=${ROUNDS:-$rounds} mib=${MIB:-$mib}
read -r -a chunks <<<"${CHUNKS:-${chunks[*]}}"
read -r -a versions <<<"${VERSIONS:-${versions[*]}}"
read -r -a filesystems <<<"${FILESYSTEMS:-tmpfs tmpfs-huge ext4 xfs btrfs}"

# build NAME VERSION: copy-bench with that version of mmap-output.
build()
{
	local dir=$WORK/$1 f

	mkdir "$dir"
	for f in c h; do
		if [ -f "$2" ]; then
			cp "${2%.c}.$f" "$dir/mmap-output.$f"
		else
			git -C "$linux" show "$2:$file.$f" >"$dir/mmap-output.$f"
		fi
	done
	gcc -O2 -g -std=gnu11 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -I"$dir" \
		-isystem "$linux/tools/perf/util" -isystem "$linux/tools/perf" \
		-isystem "$linux/tools/include" \
		-isystem "$linux/tools/lib/perf/include" \
		-o "$dir/copy-bench" "$TOP/tools/copy-bench.c" "$dir/mmap-output.c" ||
		die "copy-bench does not build with mmap-output of $2"
}

methods=('write') legend=()
for v in "${versions[@]}"; do
	name=$((${#methods[@]}))
	[ "$v" != "${versions[-1]}" ] || name=mapped
	build "$name" "$v"
	methods+=("$name")
	if [ -f "$v" ]; then
		legend+=("$name: $(basename "$v")")
	else
		legend+=("$name: $(git -C "$linux" log -1 --format=%s "$v")")
	fi
done
methods+=(pwrite-1M memcpy)

# one METHOD FILESYSTEM CHUNK [OPTION]: what copy-bench says.
one()
{
	local size=$mib chunk=$3 method=$1 program=mapped

	case $1 in
	write | memcpy) ;;
	pwrite-1M) method=write chunk=1048576 ;;
	*) program=$1 method=mapped ;;
	esac
	# A second of CPU time is enough.
	if [ "$method" = write ] && [ "$chunk" -lt 1024 ] && [ "$size" -gt 64 ]; then
		size=64
	fi
	"$WORK/$program/copy-bench" ${4:+"$4"} "$method" "$WORK/$2/file" "$chunk" "$size" ||
		die "$1 on $2 in chunks of $3 failed"
	bench_clean "$2"
}

round()
{
	local fs chunk method bytes ns kernel

	for fs in "${MOUNTED[@]}"; do
		for chunk in "${chunks[@]}"; do
			for method in "${methods[@]}"; do
				IFS=, read -r bytes ns kernel < <(one "$method" "$fs" "$chunk")
				[ "$1" != warm-up ] || continue
				add copy "$fs" "$method" "$chunk" "$1" \
					mib_per_cpu_s "$(awk -v b="$bytes" -v n="$ns" 'BEGIN { printf "%.1f", b / 1048576 / (n / 1e9) }')" \
					kernel_percent "$(awk -v k="$kernel" -v n="$ns" 'BEGIN { printf "%.1f", k * 1e5 / n }')"
			done
		done
	done
}

count()
{
	local fs chunk method calls faults pages size

	for fs in "${MOUNTED[@]}"; do
		for chunk in "${chunks[@]}"; do
			for method in "${methods[@]}"; do
				IFS=, read -r size calls faults pages < <(one "$method" "$fs" "$chunk" -c)
				add copy "$fs" "$method" "$chunk" 1 \
					syscalls_per_mib "$(awk -v n="$calls" -v s="$size" 'BEGIN { printf "%.2f", n * 1048576 / s }')" \
					faults_per_mib "$(awk -v n="$faults" -v s="$size" 'BEGIN { printf "%.2f", n * 1048576 / s }')" \
					pages_per_mib "$(awk -v n="$pages" -v s="$size" 'BEGIN { printf "%.2f", n * 1048576 / s }')"
			done
		done
	done
}

bench_mount "${filesystems[@]}"
# Memory that a virtual machine has not used yet is slow to come the first time.
all=("${chunks[@]}")
chunks=(1048576)
round warm-up
chunks=("${all[@]}")
count
for ((r = 1; r <= rounds; r++)); do
	say "ceiling: round $r of $rounds"
	round $r
done

bench_summary <"$RAW" >"$WORK/copy.csv"
{
	echo "MiB written per second of CPU time, medians of $rounds alternating rounds;"
	echo "files of $mib MiB; $(bench_machine)."
	echo
	bench_table copy mib_per_cpu_s 0 chunk <"$WORK/copy.csv"
	echo
	echo "Lowest and highest of the rounds:"
	echo
	bench_table copy mib_per_cpu_s 0 chunk spread <"$WORK/copy.csv"
	echo
	echo "System calls per MiB:"
	echo
	bench_table copy syscalls_per_mib 2 chunk <"$WORK/copy.csv"
	echo
	echo "Page faults per MiB that perf would see:"
	echo
	bench_table copy faults_per_mib 2 chunk <"$WORK/copy.csv"
	echo
	echo "Methods: write is write(2) of a chunk, pwrite-1M is pwrite(2) of 1 MiB,"
	echo "memcpy copies into pages that are there, the others are mmap-output after"
	echo "each patch that changed it:"
	echo
	printf '* %s\n' "${legend[@]}"
} >"$WORK/copy.rst"
cp "$WORK/copy.csv" "$WORK/copy.rst" "$results/"
cp "$RAW" "$results/copy-raw.csv"
cat "$results/copy.rst"
