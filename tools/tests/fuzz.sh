#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Fuzz perfdata-lint with AFL++, or with libFuzzer where there is no AFL++.
# Seeds are the good files of mkperfdata, in both byte orders, and the files
# in tests/fuzz.
#
# usage: fuzz.sh BUILD_DIRECTORY SECONDS
#
# What is found is in BUILD_DIRECTORY/fuzz; the exit status is 1 if that is
# anything. A find becomes a test: give it a short name in tests/fuzz and run
# tests/fuzz.t, which prints the line for tests/fuzz/expected.

set -euo pipefail

die() {
	echo "fuzz.sh: $*" >&2
	exit 1
}

[ $# -eq 2 ] || die 'usage: fuzz.sh BUILD_DIRECTORY SECONDS'
out=$1
seconds=$2
[[ $seconds =~ ^[1-9][0-9]*$ ]] || die "seconds are a number, not $seconds"
here=$(cd "$(dirname "$0")" && pwd)
src=("$here"/../perfdata-lint-*.c "$here/fuzz-target.c")
dir=$out/fuzz

mkdir -p "$dir/seeds"
for kind in plain spare dropped late-attrs all samples aux no-events \
	unfinished old-header pipe dir-main zstd zstd-old; do
	"$out/mkperfdata" "$kind" "$dir/seeds/$kind" >/dev/null
	"$out/mkperfdata" -b "$kind" "$dir/seeds/$kind-big" >/dev/null
done
for f in "$here"/fuzz/*.data; do
	[ ! -e "$f" ] || cp "$f" "$dir/seeds/"
done

flags=(-g -O1 -DHAVE_ZSTD -D_FILE_OFFSET_BITS=64 -fno-omit-frame-pointer)
export ASAN_OPTIONS=abort_on_error=1:symbolize=0:detect_leaks=1
if command -v afl-clang-fast >/dev/null && command -v afl-fuzz >/dev/null; then
	AFL_USE_ASAN=1 AFL_USE_UBSAN=1 AFL_QUIET=1 \
		afl-clang-fast "${flags[@]}" -fsanitize=fuzzer \
		-o "$dir/target" "${src[@]}" -lzstd
	rm -rf "$dir/found"
	# One core, and no more of it than others leave.
	AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_NO_AFFINITY=1 \
	AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 \
		nice -n 19 afl-fuzz -i "$dir/seeds" -o "$dir/found" \
		-V "$seconds" -m none -t 2000 -G 16384 -- "$dir/target" \
		>"$dir/log" 2>&1 || die "afl-fuzz: $(tail -n 3 "$dir/log")"
	stats=$dir/found/default/fuzzer_stats
	grep -e execs_done -e corpus_count -e saved_crashes -e saved_hangs \
		-e bitmap_cvg -e run_time "$stats"
	finds=("$dir"/found/default/crashes/id* "$dir"/found/default/hangs/id*)
elif command -v clang >/dev/null; then
	clang "${flags[@]}" -fsanitize=fuzzer,address,undefined \
		-fno-sanitize-recover=all -o "$dir/target" "${src[@]}" -lzstd
	mkdir -p "$dir/found"
	nice -n 19 "$dir/target" -max_total_time="$seconds" -max_len=16384 \
		-timeout=10 -close_fd_mask=3 -artifact_prefix="$dir/found/" \
		"$dir/found" "$dir/seeds" >"$dir/log" 2>&1 || :
	finds=("$dir"/found/crash-* "$dir"/found/timeout-* "$dir"/found/oom-* \
		"$dir"/found/leak-*)
else
	die 'neither AFL++ nor clang is installed'
fi

ret=0
for f in "${finds[@]}"; do
	[ -e "$f" ] || continue
	echo "found: $f"
	ret=1
done
exit $ret
