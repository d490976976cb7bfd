#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Run the fault matrix, selftests/matrix.sh, with the unpatched and with the
# patched perf of a base, and make a table of what each of them kept.
#
# usage: [BASE=v6.12] fault-matrix.sh [-d] [PATTERN...]
#   -d  put the table into Documentation/fault-matrix.rst, too
#   PATTERN  only the cells that match, for instance "tmpfs * aio"
#
# Needs root, for the loop devices. What is not built is built; PERF and
# PERF_BASE in the environment are taken as they are. Results:
#   build/$BASE/fault-matrix.csv  a line for each cell and perf
#   build/$BASE/fault-matrix.rst  the table

set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"

document=
while getopts d opt; do
	case $opt in
	d) document=$TOP/Documentation/fault-matrix.rst ;;
	*) die "usage: fault-matrix.sh [-d] [PATTERN...]" ;;
	esac
done
shift $((OPTIND - 1))
[ "$(id -u)" = 0 ] || die "must be run as root: it mounts filesystems"

if [ -z "${FAULT_MATRIX_READY:-}" ]; then
	[ -n "${PERF_BASE:-}" ] || "$TOP/scripts/build.sh" perf-base
	[ -n "${PERF:-}" ] || "$TOP/scripts/build.sh" perf
	make --no-print-directory -s -C "$TOP/tools" >&2
	args=("$@")
	[ -z "$document" ] || args=(-d "$@")
	FAULT_MATRIX_READY=1 exec "$TOP/scripts/with-perf.sh" "$0" "${args[@]}"
fi

results=$SLOT/fault-matrix
mkdir -p "$SLOT"
make --no-print-directory -s -C "$TOP/selftests" all >&2

# run WHICH PERF PATTERN...: what the cells say goes to the log.
run()
{
	local which=$1 perf=$2
	shift 2

	say "$BASE, $which perf"
	rm -f "$results.$which"
	PERF=$perf MATRIX=full TRIES=1 MATRIX_CSV=$results.$which \
		OUTPUT=${OUTPUT:-$BUILD/selftests} \
		"$TOP/selftests/matrix.sh" "$@" >"$results.$which.log" 2>&1 || true
	[ -s "$results.$which" ] || {
		tail -n 5 "$results.$which.log" >&2
		die "the matrix did not run; all it said is in $results.$which.log"
	}
}

# The unpatched one hangs in some cells, which need not take long.
HANG=4 KILL_AFTER=1 run unpatched "$PERF_BASE" "$@"
run patched "$PERF" "$@"

{
	echo "filesystem,fault,mode,perf,exit status,samples,KiB,room KiB,readable,passed"
	for which in unpatched patched; do
		awk -F, -v OFS=, -v which="$which" \
			'{ $3 = $3 OFS which; print }' "$results.$which"
	done
} >"$results.csv"

# One row for each filesystem and fault; in it the samples that each perf kept in
# a way that the unpatched perf can read.
awk -F, '
	function cell(which, fs, fault, mode,   key, status, mark) {
		key = which SUBSEP fs SUBSEP fault SUBSEP mode
		# The unpatched perf has one way of writing to a single file.
		if (which == "unpatched" && mode == "write")
			key = which SUBSEP fs SUBSEP fault SUBSEP "default"
		if (!(key in samples))
			return "-"
		status = exits[key]
		mark = ""
		if (status == 124 || status == 137)
			mark = "h"
		else if (status == 135 || status == 139 || status == 153)
			mark = "s"
		else if (status == 0)
			mark = "z"
		return samples[key] mark
	}
	function pad(text, n) {
		return sprintf("%-" n "s", text)
	}
	# The rows come as the patched perf has them: it has more.
	FNR > 1 && FNR == NR && $4 == "patched" {
		if (!(($1, $2) in row)) {
			row[$1, $2] = ++rows
			name[rows] = $1 SUBSEP $2
		}
	}
	FNR > 1 && FNR != NR {
		key = $4 SUBSEP $1 SUBSEP $2 SUBSEP $3
		exits[key] = $5
		samples[key] = $6
	}
	END {
		nmodes = split("default write threads zstd switch aio", modes, " ")
		rule = "==========  ========="
		for (m = 1; m <= nmodes; m++)
			rule = rule "  ==============="
		print rule
		line = pad("filesystem", 10) "  " pad("fault", 9)
		for (m = 1; m <= nmodes; m++)
			line = line "  " pad(modes[m], m < nmodes ? 15 : 1)
		print line
		print rule
		for (r = 1; r <= rows; r++) {
			split(name[r], of, SUBSEP)
			line = pad(of[1], 10) "  " pad(of[2], 9)
			for (m = 1; m <= nmodes; m++)
				line = line "  " pad(cell("unpatched", of[1], of[2], modes[m]) \
					" > " cell("patched", of[1], of[2], modes[m]), m < nmodes ? 15 : 1)
			print line
		}
		print rule
	}' "$results.csv" "$results.csv" >"$results.rst"

awk -F, 'NR > 1 { n[$4]++; kept[$4] += $6; bad[$4] += $10 == "no" }
	END {
		for (which in n)
			printf "%s: %d cells, %d samples kept, %d cells do not pass\n",
				which, n[which], kept[which], bad[which]
	}' "$results.csv"

[ -z "$document" ] || put_block "$document" "$BASE" "$results.rst"
say "$results.csv, $results.rst"
