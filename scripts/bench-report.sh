#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Tables in reStructuredText and SVG plots of what bench.sh has measured, and
# the project's promises against it: checks.rst says of each whether it is met.
#
# usage: bench-report.sh DIRECTORY
#   DIRECTORY  with bench.csv; the results go there, too
#
# Environment: BASE (v6.12), only to be named.

set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
# shellcheck source=scripts/bench-lib.sh
. "$(dirname "$0")/bench-lib.sh"

[ $# -eq 1 ] || die "usage: bench-report.sh DIRECTORY"
dir=$1
csv=$dir/bench.csv
[ -f "$csv" ] || die "$csv: no such file: run make bench, which makes it"

# has PART
has()
{
	grep -q "^$1," "$csv"
}

# table FILE PART METRIC DIGITS COLUMN TEXT: medians, then the spread.
table()
{
	local file=$dir/$1.rst

	shift
	{
		printf '%s\n\n' "$5"
		bench_table "${@:1:4}" <"$csv"
		printf '\nLowest and highest of the rounds:\n\n'
		bench_table "${@:1:4}" spread <"$csv"
		echo
	} >>"$file"
}

# checks: a line "promise,filesystem,parameter,figure,limit,met" each.
checks()
{
	awk -F, '
		function say(promise, fs, parameter, figure, limit, met)
		{
			printf "%s,%s,%s,%.4g,%s,%s\n", promise, fs, parameter, figure, limit,
				met ? "met" : "NOT MET"
		}
		function most(promise, fs, parameter, figure, limit)
		{
			say(promise, fs, parameter, figure, "<= " limit, figure <= limit)
		}
		# ratio PROMISE PART METRIC PARAMETER OTHER LIMIT, of mapped to OTHER
		function ratio(promise, fs, part, metric, parameter, other, limit,  a, b)
		{
			a = part SUBSEP fs SUBSEP "mapped" SUBSEP parameter SUBSEP metric
			b = part SUBSEP fs SUBSEP other SUBSEP parameter SUBSEP metric
			if (a in v && b in v && v[b] > 0)
				most(promise, fs, parameter, v[a] / v[b], limit)
		}
		NR > 1 {
			v[$1, $2, $3, $4, $5] = $7
			if (!($2 in seen)) {
				seen[$2] = 1
				fss[++nr] = $2
			}
			if (!(($1, $4) in params)) {
				params[$1, $4] = 1
				param[$1, ++count[$1]] = $4
			}
		}
		END {
			for (i = 1; i <= nr; i++) {
				fs = fss[i]
				strict = fs == "xfs" || fs == "ext4"
				ratio("idle: bytes / write", fs, "idle", "bytes", "1s", "write", 0.003333)
				k = "idle" SUBSEP fs SUBSEP "mapped" SUBSEP "1s" SUBSEP "own_samples"
				if (k in v)
					say("idle: own events per second", fs, "1s", v[k], "< 100", v[k] < 100)
				p = param["storm", 1]
				ratio("storm: CPU per MiB / write", fs, "storm", "cpu_ms_per_mib", p, "write", 0.30)
				ratio("storm: CPU per MiB / exclude-perf", fs, "storm", "cpu_ms_per_mib", p, "exclude-perf", 0.55)
				ratio("storm: CPU per MiB / aio", fs, "storm", "cpu_ms_per_mib", p, "aio", 1.0)
				p = param["firehose", 1]
				ratio("firehose: CPU per MiB / write", fs, "firehose", "cpu_ms_per_mib", p, "write", strict ? 0.7 : 1.0)
				k = "firehose" SUBSEP fs SUBSEP "mapped" SUBSEP p SUBSEP "lost"
				o = "firehose" SUBSEP fs SUBSEP "write" SUBSEP p SUBSEP "lost"
				if (k in v)
					most("firehose: lost samples", fs, p, v[k], v[o])
				for (c = 1; c <= count["quiet"]; c++) {
					p = param["quiet", c]
					ratio("quiet: CPU / write", fs, "quiet", "cpu_ms", p, "write", 1.02)
					ratio("quiet: wall / write", fs, "quiet", "wall_ms", p, "write", 1.02)
					ratio("quiet: peak memory / write", fs, "quiet", "rss_mib", p, "write", 1.02)
					k = "quiet" SUBSEP fs SUBSEP "mapped" SUBSEP p SUBSEP "spare_kib"
					o = "quiet" SUBSEP fs SUBSEP "write" SUBSEP p SUBSEP "spare_kib"
					if (k in v)
						most("quiet: KiB on disk too many", fs, p, v[k], v[o])
				}
				for (c = 1; c <= count["faults"]; c++) {
					p = param["faults", c]
					k = "faults" SUBSEP fs SUBSEP "mapped" SUBSEP p SUBSEP "own_faults_per_mib"
					if (k in v)
						most("faults: own per MiB", fs, p, v[k], 4)
				}
				# Flat is not said in figures: the longest against the one of 100 MiB.
				p = param["growth", count["growth"]]
				k = "growth" SUBSEP fs SUBSEP "mapped" SUBSEP
				if ((k p SUBSEP "rss_mib") in v) {
					most("growth: CPU per MiB / 100 MiB", fs, p, v[k p SUBSEP "cpu_ms_per_mib"] / v[k 100 SUBSEP "cpu_ms_per_mib"], 1.1)
					most("growth: peak memory / 100 MiB", fs, p, v[k p SUBSEP "rss_mib"] / v[k 100 SUBSEP "rss_mib"], 1.1)
				}
				for (c = 1; strict && c <= count["copy"]; c++) {
					p = param["copy", c]
					a = v["copy", fs, "mapped", p, "mib_per_cpu_s"]
					b = v["copy", fs, "pwrite-1M", p, "mib_per_cpu_s"]
					if (b > 0)
						say("ceiling: / pwrite of 1 MiB", fs, p, a / b, ">= 0.6", a / b >= 0.6)
				}
			}
		}' "$csv" | sort -s -t , -k 1,1
}

# checks_table <CHECKS
checks_table()
{
	awk -F, '
		BEGIN { split("promise,filesystem,case,figure,limit,result", head, ",") }
		{
			for (c = 1; c <= 6; c++)
				cell[NR, c] = $c
		}
		function line(c, text)
		{
			printf "%s%-*s", (c > 1 ? "  " : ""), width[c], text
			if (c == 6)
				print ""
		}
		function rule(  c, i, s)
		{
			for (c = 1; c <= 6; c++) {
				s = ""
				for (i = 0; i < width[c]; i++)
					s = s "="
				line(c, s)
			}
		}
		END {
			for (c = 1; c <= 6; c++) {
				cell[0, c] = head[c]
				for (r = 0; r <= NR; r++) {
					if (length(cell[r, c]) > width[c])
						width[c] = length(cell[r, c])
				}
			}
			rule()
			for (r = 0; r <= NR; r++) {
				for (c = 1; c <= 6; c++)
					line(c, cell[r, c])
				if (r == 0)
					rule()
			}
			rule()
		}' | sed 's/ *$//'
}

# pivot PART METRIC PARAMETER BY: the figures as the gnuplot scripts want them;
# a line per filesystem, or, BY parameter, a block per filesystem.
pivot()
{
	awk -F, -v part="$1" -v metric="$2" -v parameter="$3" -v by="$4" '
		$1 == part && $5 == metric && (parameter == "" || $4 == parameter) {
			if (!($3 in method)) {
				method[$3] = 1
				methods[++m] = $3
			}
			if (!($2 in fs)) {
				fs[$2] = 1
				fss[++f] = $2
			}
			if (!($4 in param)) {
				param[$4] = 1
				params[++p] = $4
			}
			v[$2, $4, $3] = $7 " " $8 " " $9
		}
		function line(label, f, p,  i, k, s)
		{
			s = label
			for (i = 1; i <= m; i++) {
				k = f SUBSEP p SUBSEP methods[i]
				s = s " " (k in v ? v[k] : "NaN NaN NaN")
			}
			print s
		}
		END {
			for (i = 1; i <= f; i++) {
				if (by != "parameter") {
					line(fss[i], fss[i], params[1])
					continue
				}
				print (i > 1 ? "\n\n" : "") fss[i]
				for (j = 1; j <= p; j++)
					line(params[j], fss[i], params[j])
			}
		}' "$csv"
}

# plot_methods PART METRIC: their names, in the same order.
plot_methods()
{
	awk -F, -v part="$1" -v metric="$2" \
		'$1 == part && $5 == metric && !n[$3]++ { print $3 }' "$csv"
}

# plot NAME bars|lines PART METRIC TITLE YLABEL [XLABEL | PARAMETER]
plot()
{
	local names

	has "$3" || return 0
	mapfile -t names < <(plot_methods "$3" "$4")
	if [ "$2" = lines ]; then
		pivot "$3" "$4" '' parameter >"$dir/$1.dat"
	else
		pivot "$3" "$4" "${7:-}" filesystem >"$dir/$1.dat"
	fi
	gnuplot -c "$TOP/scripts/bench-$2.gnuplot" "$dir/$1.dat" "$dir/$1.svg" \
		"$5" "$6" "${names[*]}" "${7:-}" || die "gnuplot cannot plot $1"
	rm "$dir/$1.dat"
}

rm -f "$dir"/{idle,storm,firehose,quiet,faults,growth,ceiling,checks}.{rst,svg}

if has idle; then
	table idle idle bytes 0 '' "Bytes recorded in a second in which nothing happens:"
	table idle idle own_samples 0 '' "Events in it that perf itself has caused:"
fi
if has storm; then
	table storm storm cpu_ms_per_mib 2 '' "CPU time of perf record in ms per MiB recorded:"
	table storm storm start_ms 0 '' "What of it is left out above: CPU time in ms to start and to end, without a load:"
	table storm storm lost_percent 1 '' "Events lost, in percent:"
	table storm storm mib 0 '' "MiB recorded:"
fi
if has firehose; then
	table firehose firehose cpu_ms_per_mib 2 '' "CPU time of perf record in ms per MiB recorded:"
	table firehose firehose start_ms 0 '' "What of it is left out above: CPU time in ms to start and to end, without a load:"
	table firehose firehose lost 0 '' "Samples lost:"
	table firehose firehose mib 0 '' "MiB recorded:"
fi
if has quiet; then
	table quiet quiet cpu_ms 1 command "CPU time of perf record in ms:"
	table quiet quiet wall_ms 1 command "Time from start to end in ms:"
	table quiet quiet rss_mib 1 command "Peak memory in MiB:"
	table quiet quiet spare_kib 0 command "KiB on disk beyond the file's length, afterwards:"
fi
if has faults; then
	table faults faults own_faults_per_mib 2 event "Page faults of perf record per MiB recorded:"
fi
if has growth; then
	table growth growth cpu_ms_per_mib 2 MiB "CPU time of perf record in ms per MiB recorded:"
	table growth growth rss_mib 1 MiB "Peak memory in MiB:"
fi
if has copy; then
	table ceiling copy mib_per_cpu_s 0 chunk "MiB written per second of CPU time:"
	table ceiling copy syscalls_per_mib 2 chunk "System calls per MiB:"
	table ceiling copy faults_per_mib 2 chunk "Page faults per MiB that perf would see:"
fi

checks >"$dir/checks.csv"
{
	echo "What is promised, against the medians:"
	echo
	checks_table <"$dir/checks.csv"
} >"$dir/checks.rst"

plot idle bars idle bytes "Idle: recorded in a second, by perf's own doing" "bytes"
plot storm bars storm cpu_ms_per_mib "Storm of system calls: CPU time of perf record" "ms per MiB"
plot firehose bars firehose cpu_ms_per_mib "Firehose of 32 KiB stacks: CPU time of perf record" "ms per MiB"
plot firehose-lost bars firehose lost "Firehose of 32 KiB stacks: samples lost" "samples"
plot faults bars faults own_faults_per_mib "Page faults of perf record" "per MiB" page-faults
plot growth lines growth cpu_ms_per_mib "Growth: CPU time of perf record" "ms per MiB" MiB
plot ceiling lines copy mib_per_cpu_s "Ceiling: written per second of CPU time" "MiB" "chunk in bytes"

cat "$dir/checks.rst"
