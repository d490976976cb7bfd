#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# --out-pages: which sizes are taken, rounded and refused, on the command line
# and in the configuration; where it is silently not used; -m, whose parser it
# shares. Usage and environment: see lib.sh.

. "$(dirname "$0")/lib.sh"
setup

PAGE=$(getconf PAGESIZE)
OUT=$WORK/out.data

# map_with ARGS: record afresh, how much of the output is mapped meanwhile goes to
# MAPPED.
map_with()
{
	rm -f "$OUT"*
	record_maps "$OUT" "$@"
}

# refuses NAME VALUE ARGS: one line that names NAME, exit status of a wrong
# option, nothing written.
refuses()
{
	local name=$1 value=$2 lines
	shift 2

	rm -f "$OUT"*
	perf_record -e dummy:u -o "$OUT" "$@" -- true
	case $RC in
	129 | 255) ;;
	*) fail "$name '$value': expected exit status 129 or 255, got $RC" ;;
	esac
	# A wrong option shows the usage too, and a wrong setting where it
	# stands, as everywhere in perf.
	lines=$(sed -e '/Usage:/,$d' -e '/^Error in the given config file/d' "$LOG" |
		grep -c .)
	expect_eq "$name '$value': lines of error message" "$lines" 1
	head -n 1 "$LOG" | grep -q -- "$name" ||
		fail "$name '$value': expected the message to name $name"
	expect_absent "$OUT"
}

t_default()
{
	local default

	describe "output is mapped by default, in segments of 64 MiB"
	map_with || return
	default=$MAPPED
	expect_ge "mapped by default" "$default" "$PAGE"
	map_with --out-pages=64M || return
	expect_eq "mapped by default, against --out-pages=64M" "$default" "$MAPPED"
}

t_off()
{
	describe "--no-out-pages maps nothing"
	map_with --no-out-pages || return
	expect_eq "bytes mapped" "$MAPPED" 0
	judge "$OUT"
}

t_sizes()
{
	local value want

	describe "pages and sizes with B, K, M, G are taken as they are"
	while read -r value want; do
		map_with "--out-pages=$value" || continue
		expect_eq "--out-pages=$value: bytes mapped" "$MAPPED" "$want"
		expect_no_log "rounding"
		judge "$OUT"
	done <<-END
		1 $PAGE
		2 $((2 * PAGE))
		16 $((16 * PAGE))
		${PAGE}B $PAGE
		64K 65536
		128K 131072
		1M 1048576
		128M 134217728
		1G 1073741824
	END
}

t_rounded()
{
	local value want

	describe "other sizes are rounded up to a power of two of pages, said by name"
	while read -r value want; do
		map_with "--out-pages=$value" || continue
		expect_eq "--out-pages=$value: bytes mapped" "$MAPPED" "$want"
		expect_log "rounding.*--out-pages|--out-pages.*round"
		judge "$OUT"
	done <<-END
		3 $((4 * PAGE))
		5 $((8 * PAGE))
		1000 $((1024 * PAGE))
		$((3 * PAGE))B $((4 * PAGE))
		$((2 * PAGE + 1))B $((4 * PAGE))
		3M 4194304
		100M 134217728
	END
	# Less than a page is a page: nothing to be surprised at.
	map_with --out-pages=1B || return
	expect_eq "--out-pages=1B: bytes mapped" "$MAPPED" "$PAGE"
}

# What is no size for either option; -m takes 0 for 1.
BAD_SIZES=(-1 -4K "" " 1" "1 " +1 +4K 0x10 1x x K 4K4 4KK 1.5M "4K,4K,"
	1e3 99999999999999999999 99999999999999999999G 18446744073709551615
	18446744073709551616 18446744073709551617 17179869184G 16777217T)

t_refused()
{
	local value

	describe "0, negative, empty, junk and overflow are refused in one line"
	for value in 0 0K 0B "${BAD_SIZES[@]}"; do
		refuses --out-pages "$value" "--out-pages=$value"
	done
	refuses out-pages "no value" --out-pages
}

t_unmappable()
{
	local value

	describe "sizes that cannot be mapped are refused in one line"
	for value in 1073741824G 8589934592G $((1 << 50)) $((1 << 51)) 131072G; do
		refuses --out-pages "$value" "--out-pages=$value"
	done
}

t_mmap_pages()
{
	local value

	describe "-m refuses the same, in its own name"
	for value in "${BAD_SIZES[@]}"; do
		# An empty first part means the default: -m ,4 is about AUX only.
		[ -n "$value" ] || continue
		refuses -m/--mmap-pages "$value" -m "$value"
		grep -q -- --out-pages "$LOG" &&
			fail "-m '$value': expected a message without --out-pages"
	done
	map_with -m 3 || return
	expect_log "rounding.*mmap.pages"
	expect_no_log "out-pages"
	map_with -m 16 || return
	map_with -m 64K || return
	expect_no_log "rounding"
}

# config TEXT: what stands in the [record] section.
config()
{
	printf '[record]\n\t%s\n' "$1" >"$WORK/perfconfig"
	export PERF_CONFIG=$WORK/perfconfig
}

t_config()
{
	describe "record.out-pages in the configuration, which the command line beats"
	config "out-pages = 64K"
	map_with && expect_eq "out-pages = 64K: bytes mapped" "$MAPPED" 65536
	map_with --out-pages=1M &&
		expect_eq "out-pages = 64K and --out-pages=1M: bytes mapped" "$MAPPED" 1048576
	map_with --no-out-pages &&
		expect_eq "out-pages = 64K and --no-out-pages: bytes mapped" "$MAPPED" 0
	config "out-pages = 8"
	map_with && expect_eq "out-pages = 8: bytes mapped" "$MAPPED" $((8 * PAGE))
	config "out-pages = 3"
	map_with && expect_eq "out-pages = 3: bytes mapped" "$MAPPED" $((4 * PAGE))
	expect_log "out-pages"
	PERF_CONFIG=/dev/null
}

t_config_refused()
{
	local value

	describe "record.out-pages refuses what --out-pages refuses"
	for value in 0 -1 +1 1x 4K4 0x10 99999999999999999999 1073741824G; do
		config "out-pages = $value"
		refuses record.out-pages "$value"
	done
	PERF_CONFIG=/dev/null
}

t_last_wins()
{
	describe "of several options the last one counts"
	map_with --no-out-pages --out-pages=64K &&
		expect_eq "--no-out-pages --out-pages=64K: bytes mapped" "$MAPPED" 65536
	map_with --out-pages=64K --out-pages=1M &&
		expect_eq "--out-pages=64K --out-pages=1M: bytes mapped" "$MAPPED" 1048576
	map_with --out-pages=64K --no-out-pages &&
		expect_eq "--out-pages=64K --no-out-pages: bytes mapped" "$MAPPED" 0
}

refuses_both()
{
	rm -f "$OUT"
	record_fails -e dummy:u -o "$OUT" "$@" -- true
	expect_eq "$*: lines of error message" "$(sed "/Usage:/,\$d" "$LOG" | grep -c .)" 1
	expect_log "--out-pages.*--aio|--aio.*--out-pages"
	expect_absent "$OUT"
}

t_aio()
{
	describe "--aio alone works and maps nothing; with --out-pages it is refused"
	if ! has_feature aio; then
		skip "this perf is built without aio"
		return
	fi
	map_with --aio || return
	expect_eq "--aio: bytes mapped" "$MAPPED" 0
	judge "$OUT"
	map_with --aio --no-out-pages || return
	expect_eq "--aio --no-out-pages: bytes mapped" "$MAPPED" 0
	refuses_both --aio --out-pages=64K
	refuses_both --out-pages=64K --aio
	# A setting for every recording must not get in the way of one.
	config "out-pages = 64K"
	map_with --aio && expect_eq "--aio, out-pages = 64K: bytes mapped" "$MAPPED" 0
	PERF_CONFIG=/dev/null
}

# A pipe's reader counts what came through.
read_pipe()
{
	"$PERF_BASE" script -F event -i - 2>"$WORK/pipe.log" | grep -c page-faults
}

t_pipe()
{
	local count

	describe "a pipe as output: written to, without a word"
	for opt in "" --out-pages=64K; do
		# shellcheck disable=SC2086 # no option at all when empty
		count=$("$PERF" record -e page-faults:u -c 1 $opt -o - -- \
			"$WORKLOAD" pages 3000 2>"$LOG" | read_pipe)
		expect_ge "${opt:-default} -o -: samples at the other end" "$count" 3000
		expect_no_log "out-pages|falling back|map"
	done
}

t_null()
{
	describe "/dev/null as output: exit status 0, without a word"
	record_ok -e page-faults:u -c 1 -o /dev/null -- "$WORKLOAD" pages 3000
	expect_no_log "out-pages|falling back|mapp"
	[ -c /dev/null ] || fail "expected /dev/null to stay a device"
	record_ok -e page-faults:u -c 1 --out-pages=64K -o /dev/null -- \
		"$WORKLOAD" pages 3000
	expect_no_log "out-pages|falling back|mapp"
}

t_fifo()
{
	local reader

	describe "a FIFO as output ends as it does with write(2)"
	mkfifo fifo
	for opt in --no-out-pages --out-pages=64K; do
		timeout "$HANG" cat fifo >"fifo$opt" &
		reader=$!
		perf_record -e page-faults:u -c 1 $opt -o fifo -- "$WORKLOAD" pages 300
		echo "$RC" >"fifo$opt.rc"
		wait "$reader" || fail "$opt: expected the FIFO's reader to see an end"
		expect_no_log "out-pages|falling back|mapp"
	done
	expect_eq "exit status, against write(2)" "$(cat fifo--out-pages=64K.rc)" \
		"$(cat fifo--no-out-pages.rc)"
	expect_ge "bytes through the FIFO" "$(stat -c %s fifo--out-pages=64K)" 10000
}

t_debug()
{
	describe "-v tells when output falls back to write(2)"
	record_ok -v -e dummy:u -o /dev/null -- true
	expect_log "write\\(2\\)|falling back|not mapped|cannot be mapped|cannot map"
}

t_help()
{
	describe "perf record -h explains the option"
	"$PERF" record -h >"$LOG" 2>&1
	expect_log "--(no-)?out-pages"
	"$PERF" record -h out-pages >"$LOG" 2>&1
	expect_log "out-pages <.*>"
}

run_cases t_default t_off t_sizes t_rounded t_refused t_unmappable t_mmap_pages \
	t_config t_config_refused t_last_wins t_aio t_pipe t_null t_fifo t_debug \
	t_help
