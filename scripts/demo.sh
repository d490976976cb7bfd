#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Before and after on this machine: records all system calls and context
# switches of one second, system wide, with write(2), with mapped output, with
# --exclude-perf and with --aio, and prints a table; then records onto a
# filesystem of 1 MiB, without the stack and with it, and shows how each ends.
#
# Usage: scripts/demo.sh [-o FILE]
#   -o FILE    where the table goes as Markdown (default build/$BASE/demo.md)
#
# Environment (`make demo` sets what is needed):
#   BASE       kernel release of the stack (v6.12)
#   PERF       perf with the stack          (build/$BASE/perf/perf)
#   PERF_BASE  perf of the same base without (build/$BASE/perf-base/perf)
#   LINT       the independent file checker (build/tools/perfdata-lint)
#   DEMO_DIR   directory the recordings go to, removed at the end (build/$BASE)
#   ROUNDS     recordings per line of the table; medians are shown (1)
#
# Exit status: 0 if the mapped recording is at most 1/100 of write(2)'s and
# perfdata-lint and the unpatched perf can read every file of the table;
# 1 if not, or if the demo could not run.
#
# Mounts (tmpfs, tracefs if it is missing) are made in a mount namespace of our
# own and go away with it.

set -u
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"

# Progress, for somebody who looks on.
progress()
{
	if [ -t 2 ]; then
		say "$@"
	fi
}

perf=${PERF:-$(perf_dir perf)/perf}
perf_base=${PERF_BASE:-$(perf_dir perf-base)/perf}
lint=${LINT:-$BUILD/tools/perfdata-lint}
dir=${DEMO_DIR:-$SLOT}
rounds=${ROUNDS:-1}
markdown=$SLOT/demo.md
tracefs=/sys/kernel/tracing
events='raw_syscalls:*,sched:sched_switch'

while getopts o: opt; do
	case $opt in
	o) markdown=$OPTARG ;;
	*) die "usage: scripts/demo.sh [-o FILE]" ;;
	esac
done
shift $((OPTIND - 1))
[ $# -eq 0 ] || die "usage: scripts/demo.sh [-o FILE]"

[ "$(id -u)" -eq 0 ] || die "must be run as root: it records the whole system and mounts a tmpfs"
case $rounds in
'' | *[!0-9]* | 0*) die "ROUNDS=$rounds: not a positive number" ;;
esac
for f in "$perf" "$perf_base" "$lint"; do
	if ! [ -f "$f" ] || ! [ -x "$f" ]; then
		die "$f: no such program: run 'make demo', which builds it"
	fi
done
[ -d "$dir" ] || die "$dir: no such directory for the recordings"
[ -d "$(dirname "$markdown")" ] || die "$markdown: no such directory for the table"

# In a namespace of its own no mount can be left behind, whatever kills us.
if [ "${DEMO_UNSHARED:-}" != "$PPID" ]; then
	DEMO_UNSHARED=$PPID exec unshare --mount -- "$0" -o "$markdown"
fi
unset DEMO_UNSHARED

if ! [ -e $tracefs/events/raw_syscalls/sys_enter/id ]; then
	mount -t tracefs nodev $tracefs || die "cannot mount tracefs on $tracefs"
	[ -e $tracefs/events/raw_syscalls/sys_enter/id ] ||
		die "this kernel has no raw_syscalls tracepoints (CONFIG_FTRACE_SYSCALLS)"
fi

tmp=$(mktemp -d "$dir/demo.XXXXXX") || die "cannot make a directory in $dir"
pid=

# shellcheck disable=SC2317 # the traps below call it
end()
{
	trap '' INT TERM HUP
	if [ -n "$pid" ] && kill "$pid" 2>/dev/null; then
		# A perf that does not end by itself is ended after 10 s.
		for ((i = 0; i < 100; i++)); do
			kill -0 "$pid" 2>/dev/null || break
			sleep 0.1
		done
		kill -KILL "$pid" 2>/dev/null
		wait "$pid" 2>/dev/null
	fi
	mountpoint -q "$tmp/full" && umount "$tmp/full"
	rm -rf "$tmp"
}
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

# Neither the caller's configuration nor the build-id cache has a part in this.
export PERF_CONFIG=/dev/null HOME=$tmp/home LC_ALL=C
mkdir "$tmp/home" "$tmp/full" || exit 1

# Sets ms to the user and system time, in milliseconds, of the children waited
# for so far. Not to be called in a subshell, which has no such children.
children_ms()
{
	times >"$tmp/times"
	ms=$(awk 'NR == 2 {
		for (i = 1; i <= 2; i++) {
			split($i, t, /[ms]/)
			ms += (t[1] * 60 + t[2]) * 1000
		}
		printf "%d\n", ms
	}' "$tmp/times")
}

# record FILE PERF ARG...: runs a perf record; sets pid to its process id, rc
# to its exit status, cpu to the CPU time it used. What it said is in $tmp/log.
record()
{
	local out=$1 before
	shift

	sync -f "$tmp"
	children_ms
	before=$ms
	"$1" record -o "$out" -e "$events" -a "${@:2}" >"$tmp/log" 2>&1 &
	pid=$!
	perf_pid=$pid
	wait "$pid"
	rc=$?
	pid=
	children_ms
	cpu=$((ms - before))
}

# Waits, for half a minute at most, until the CPUs are idle for nine tenths of a
# second: what others do is in all the recordings, and hides what perf does.
wait_idle()
{
	local try total idle

	for ((try = 0; try < 30; try++)); do
		read -r total idle < <(cat /proc/stat <(sleep 1) /proc/stat | awk '
			$1 == "cpu" {
				idle = $5 - idle
				sum = 0
				for (i = 2; i <= NF; i++)
					sum += $i
				total = sum - total
			}
			END { print total, idle }')
		if [ $((idle * 10)) -ge $((total * 9)) ]; then
			return
		fi
		[ $try -gt 0 ] || progress "waiting for an idle machine"
	done
	say "the machine is not idle, so what others do is in the recordings"
}

# These two are witnesses that share no code with the perf under test.
# read_lint FILE: sets lint_rc, lint_said, lint_samples and lint_rounds.
read_lint()
{
	"$lint" "$1" >"$tmp/lint" 2>&1
	lint_rc=$?
	lint_said=$(head -n 1 "$tmp/lint")
	lint_said=${lint_said#"$tmp/"}
	lint_samples=$(awk '$1 == "SAMPLE" { print $2 }' "$tmp/lint")
	lint_rounds=$(awk '$1 == "FINISHED_ROUND" { print $2 }' "$tmp/lint")
}

# read_perf FILE: sets report_rc, report_said and report_samples.
read_perf()
{
	"$perf_base" report --stats --stdio -i "$1" >"$tmp/report" 2>"$tmp/report.err"
	report_rc=$?
	report_said=$(grep -v '^$' "$tmp/report.err" | head -n 1)
	report_said=${report_said//"$tmp/"/}
	report_samples=$(awk '$1 == "SAMPLE" { print $3; exit }' "$tmp/report")
}

bad=0
fail()
{
	say "$@"
	bad=1
}

# measure LABEL PERF ARG...: one line of the table, into $tmp/LABEL.figures.
measure()
{
	local label=$1 file=$tmp/perf.data own
	shift

	progress "recording: $label"
	record "$file" "$@" -- sleep 1
	if [ $rc -ne 0 ]; then
		cat "$tmp/log" >&2
		die "$label: perf record ended with status $rc"
	fi

	read_lint "$file"
	[ $lint_rc -eq 0 ] || fail "$label: perfdata-lint: $lint_said"
	read_perf "$file"
	if [ $report_rc -ne 0 ] || [ "${report_samples:-0}" -eq 0 ]; then
		fail "$label: the unpatched perf cannot read the file: $report_said"
	elif [ "${report_samples:-0}" != "${lint_samples:-0}" ]; then
		fail "$label: the unpatched perf sees ${report_samples:-0} samples, perfdata-lint ${lint_samples:-0}"
	fi
	own=$("$perf_base" script -F pid -i "$file" 2>/dev/null |
		awk -v pid="$perf_pid" '$1 == pid { n++ } END { print n + 0 }')

	echo "$(stat -c %s "$file") ${lint_samples:-0} $own ${lint_rounds:-0} $cpu" \
		>>"$tmp/$label.figures"
	rm "$file"
}

# median LABEL COLUMN
median()
{
	awk -v c="$2" '{ print $c }' "$tmp/$1.figures" | sort -n |
		awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

row='%-31s %-9s %12s %9s %12s %15s %9s\n'
md='| %s | %s | %s | %s | %s | %s | %s |\n'

# line LABEL TEXT WHICH
line()
{
	local v=() c

	for c in 1 2 3 4 5; do
		v+=("$(median "$1" $c)")
	done
	# shellcheck disable=SC2059 # the formats are ours
	printf "$row" "$2" "$3" "${v[@]}"
	# shellcheck disable=SC2059
	printf "$md" "$2" "$3" "${v[@]}" >>"$tmp/md"
}

for ((round = 1; round <= rounds; round++)); do
	wait_idle
	measure write "$perf_base"
	measure no-out-pages "$perf" --no-out-pages
	measure mapped "$perf"
	measure exclude-perf "$perf_base" --exclude-perf
	measure aio "$perf_base" --aio
done

about="$BASE, kernel $(uname -r), $(nproc) CPUs, files on $(findmnt -n -o FSTYPE -T "$tmp")"
[ "$rounds" -eq 1 ] || about+=", medians of $rounds rounds"
{
	printf '%s, %s:\n\n' "\`perf record -e $events -a -- sleep 1\`" "$about"
	# shellcheck disable=SC2059
	printf "$md" output perf bytes samples "caused by perf" FINISHED_ROUND "CPU ms"
	printf '|---|---|--:|--:|--:|--:|--:|\n'
} >"$tmp/md"

echo "perf record -e $events -a -- sleep 1"
echo "$about"
echo
# shellcheck disable=SC2059
printf "$row" output perf bytes samples "own samples" FINISHED_ROUND "CPU ms"
line write 'write(2)' unpatched
line no-out-pages 'write(2), --no-out-pages' patched
line mapped 'mapped, --out-pages (default)' patched
line exclude-perf 'write(2), --exclude-perf' unpatched
line aio '--aio' unpatched
echo
echo "own samples: taken while perf record itself was running;"
echo "CPU: user and system time of perf record from start to end, with its sleep."
echo

bytes_write=$(median write 1)
bytes_mapped=$(median mapped 1)
ratio=$(awk -v w="$bytes_write" -v m="$bytes_mapped" \
	'BEGIN { printf "mapped / write(2): %.5f of the bytes (1/%d)", m / w, w / m }')
echo "$ratio"
printf '\n%s\n' "$ratio" >>"$tmp/md"
if [ $((bytes_mapped * 100)) -gt "$bytes_write" ]; then
	fail "the mapped recording has $bytes_mapped bytes, more than 1/100 of write(2)'s $bytes_write;" \
		"$(($(median mapped 2) - $(median mapped 3))) of its $(median mapped 2) samples are not perf's: is the machine busy?"
fi

# full TEXT PERF WORKLOAD...: records onto a new tmpfs of 1 MiB and shows the end.
full()
{
	local text=$1 file=$tmp/full/perf.data kept=0
	shift

	progress "recording onto 1 MiB: $text"
	mount -t tmpfs -o size=1m,mode=700 demo "$tmp/full" ||
		die "cannot mount a tmpfs on $tmp/full"
	record "$file" "$1" -- "${@:2}"

	echo
	echo "$text"
	grep -v '^$' "$tmp/log" | uniq | head -n 6 | sed "s|$tmp/||g; s|^|    says    |"
	if [ $rc -gt 128 ] && [ $rc -lt 255 ]; then
		echo "    ends    killed by SIG$(kill -l $((rc - 128)))"
		fail "$text: perf record was killed by SIG$(kill -l $((rc - 128)))"
	else
		echo "    ends    exit status $rc"
	fi
	if ! [ -e "$file" ]; then
		echo "    file    none"
	else
		echo "    file    $(stat -c '%s bytes, %b blocks of %B' "$file")"
		read_lint "$file"
		[ $lint_rc -ne 0 ] || lint_said="ok, ${lint_samples:-0} samples"
		echo "    lint    $lint_said"
		read_perf "$file"
		if [ "${report_samples:-0}" -gt 0 ]; then
			kept=$report_samples
		fi
		echo "    reads   unpatched perf report: exit status $report_rc, $kept samples${report_said:+: $report_said}"
	fi
	umount "$tmp/full" || die "cannot unmount $tmp/full"
}

storm=(dd if=/dev/zero of=/dev/null bs=1 count=100000)

echo
echo "The same onto a filesystem of 1 MiB (tmpfs)"
full "unpatched, write(2), sleep 1" "$perf_base" sleep 1
full "patched, mapped, sleep 1" "$perf" sleep 1
full "unpatched, write(2), a workload of more than 1 MiB (${storm[*]})" "$perf_base" "${storm[@]}"
full "patched, mapped, the same workload" "$perf" "${storm[@]}"

cp "$tmp/md" "$markdown" || die "cannot write $markdown"
exit $bad
