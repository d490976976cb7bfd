#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A reader of perf.data files that shares no code with perf, hotspot-perfparser
# of the Debian package hotspot, finds in mapped files what it finds in written
# ones: each sample, with its process, thread and time. Usage and environment:
# see lib.sh.

. "$(dirname "$0")/lib.sh"
setup

# Of BPF programs nothing is to be seen here; perf would wait for such events at
# the end of each recording.
EVENTS=(--no-bpf-event -e page-faults:u -c 1 -d)
OUT=$WORK/perf.data
PARSER=$(first_executable hotspot-perfparser /usr/lib/*/libexec/hotspot-perfparser \
	/usr/libexec/hotspot-perfparser /usr/lib/libexec/hotspot-perfparser) ||
	skip_all "hotspot-perfparser is not installed"

# What the parser prints: a name, 12 bytes, a version, 4 bytes, then messages,
# each behind its length. The numbers of this frame are little endian, those in
# the messages, which begin with their type, are big endian. Prints
# "PID TID TIME" of each message about a sample, and "rest" if the end is missing.
# shellcheck disable=SC2016 # awk's, not the shell's
SAMPLES='
function big(from, n,	i, val)
{
	for (i = 0; i < n; i++)
		val = 256 * val + byte[from + i]
	return val
}
{ byte[NR - 1] = $1 }
END {
	for (at = 0; at + 4 < NR; at += 4 + len) {
		len = byte[at] + 256 * (byte[at + 1] + \
			256 * (byte[at + 2] + 256 * byte[at + 3]))
		if (byte[at + 4] == 13)
			printf "%d %d %.0f\n", big(at + 5, 4), big(at + 9, 4),
				big(at + 13, 8)
	}
	if (at != NR)
		print "rest"
}'

# parse FILE: the samples that the parser finds in it, into the file parsed.
parse()
{
	if ! "$PARSER" --input "$1" --output stream >"$LOG" 2>&1; then
		fail "hotspot-perfparser: expected exit status 0"
		return 1
	fi
	expect_eq "$1: start of what the parser prints" "$(head -c 11 stream)" \
		QPERFSTREAM
	tail -c +17 stream | od -An -v -tu1 -w1 | awk "$SAMPLES" | sort >parsed
}

# by_perf FILE: what the unpatched perf finds, likewise, into the file shown.
by_perf()
{
	"$PERF_BASE" script --ns -F pid,tid,time -i "$1" 2>"$LOG" |
		sed -n 's|^ *\([0-9-]*\)/\([0-9-]*\) *\([0-9]*\)\.\([0-9]*\):.*|\1 \2 \3\4|p' |
		sort >shown
}

# read_alike N ARGS: each way of writing makes a file in which the parser finds
# what perf finds: the samples of N pages, and the few of the start.
read_alike()
{
	local option n=$1
	shift

	for option in --no-out-pages --out-pages=1 --out-pages=64M; do
		rm -f "$OUT"*
		record_ok -o "$OUT" "$option" "$@" -- \
			"$WORKLOAD" pace 500 500 pages "$n" || continue
		measure "$OUT" || continue
		parse "$OUT" || continue
		by_perf "$OUT"
		expect_eq "$option: pages that have a sample" "${D[pages]}" "$n"
		expect_eq "$option: samples that the parser finds" \
			"$(wc -l <parsed)" "${D[samples]}"
		cmp -s parsed shown ||
			fail "$option: expected the samples that perf finds, got: $(
				diff shown parsed | head -n 3)"
	done
}

t_small()
{
	describe "small chunks"
	read_alike 3000 "${COPIED[@]}" "${EVENTS[@]}"
}

t_large()
{
	describe "large chunks"
	read_alike 10000 -m "$RING" "${EVENTS[@]}"
}

t_stack()
{
	describe "samples with copies of the stack"
	read_alike 300 -m "$RING" "${EVENTS[@]}" --call-graph dwarf,1024
}

t_damaged()
{
	describe "the parser does not find what is not there"
	record_ok -o "$OUT" "${EVENTS[@]}" -- "$WORKLOAD" pages 1000 || return
	measure "$OUT" || return
	# An event in the middle loses its type.
	printf '\377\377' | dd of="$OUT" bs=1 conv=notrunc status=none \
		seek="$("$DATAFILE" -e "$OUT" | awk '$2 == 9 && ++n == 500 { print $1 }')"
	parse "$OUT" || return
	expect_le "samples that the parser finds" "$(wc -l <parsed)" \
		$((D[samples] - 1))
}

run_cases t_small t_large t_stack t_damaged
