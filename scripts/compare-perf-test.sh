#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs the entries of `perf test` about recording, pipes, compression,
# switch-output, injection and perf.data files, with the unpatched and with the
# patched perf, and compares the results: each must be the same. An entry that
# differs is run again, up to twice with both, before it counts as a failure.
# Entries that only the patched perf has must pass.
#
# Usage: scripts/compare-perf-test.sh [PATTERN...]
#   PATTERN    compare the entries whose description contains it instead
#
# Environment (`make test` sets what is needed):
#   BASE          kernel release of the stack (v6.12)
#   PERF          perf with the stack          (build/$BASE/perf/perf)
#   PERF_BASE     perf of the same base without (build/$BASE/perf-base/perf)
#   LINUX         the tree PERF was built from      (build/$BASE/linux)
#   LINUX_BASE    the tree PERF_BASE was built from (build/$BASE/linux-base)
#   TEST_TIMEOUT  seconds an entry may take (150)
#
# Prints TAP. An entry that is skipped or fails with both is "ok", for the
# comparison is what is tested; a comment says so.
#
# The entries leave files in /tmp and in the build-id cache; they get a /tmp
# and a home of their own.

set -u
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"

# What is compared: parts of descriptions, upper or lower case. "daemon" is
# the one that records with --switch-output. The first four must be there.
required=(record pipe zstd inject)
patterns=("${required[@]}" switch-output daemon perf.data 'perf data convert'
	'perf header' 'build id')
if [ $# -gt 0 ]; then
	patterns=("$@")
	required=("$@")
fi

bail()
{
	echo "Bail out! $*"
	exit 1
}

[ "$(id -u)" -eq 0 ] || { echo "1..0 # SKIP perf test needs root"; exit 0; }

perf=${PERF:-$(perf_dir perf)/perf}
perf_base=${PERF_BASE:-$(perf_dir perf-base)/perf}
linux=${LINUX:-$SLOT/linux}
linux_base=${LINUX_BASE:-$SLOT/linux-base}
limit=${TEST_TIMEOUT:-150}

for f in "$perf" "$perf_base"; do
	if ! [ -f "$f" ] || ! [ -x "$f" ]; then
		bail "$f: no such program: run 'make perf perf-base'"
	fi
done
for d in "$linux" "$linux_base"; do
	[ -d "$d/tools/perf/tests/shell" ] ||
		bail "$d: not a kernel tree with tools/perf/tests/shell"
done
perf=$(realpath "$perf")
perf_base=$(realpath "$perf_base")
linux=$(realpath "$linux")
linux_base=$(realpath "$linux_base")

# In a namespace of its own no mount can be left behind, whatever kills us.
if [ "${COMPARE_UNSHARED:-}" != "$PPID" ]; then
	COMPARE_UNSHARED=$PPID exec unshare --mount -- "$0" "$@"
fi
unset COMPARE_UNSHARED

# Everything below happens in $tmp, which is /tmp from here on. What is needed
# from the old /tmp (the project may well have been cloned there) stays visible.
tmp=$(mktemp -d) || bail "no temporary directory"
running=

# Prints the process ids of what is left of an entry: its tests start processes
# outside its process group, which are known by their environment.
strays()
{
	grep -l -s -z -x -F "COMPARE_PERF_TEST=$tmp" /proc/[0-9]*/environ |
		sed -n 's|^/proc/\([0-9]*\)/.*|\1|p'
}

end_strays()
{
	local sig try pids

	for sig in TERM KILL; do
		for ((try = 0; try < 30; try++)); do
			mapfile -t pids < <(strays)
			[ ${#pids[@]} -gt 0 ] || return 0
			[ $try -gt 0 ] || kill -s $sig "${pids[@]}" 2>/dev/null
			sleep 0.1
		done
	done
}

# shellcheck disable=SC2317 # the traps below call it
end()
{
	trap '' INT TERM HUP
	if [ -n "$running" ]; then
		kill "$running" 2>/dev/null
		wait "$running"
	fi
	end_strays
	cd /
	umount --lazy /tmp 2>/dev/null
	umount --lazy "$tmp" 2>/dev/null
	rm -rf --one-file-system "$tmp"
}
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

chmod 1777 "$tmp"
mount --bind "$tmp" "$tmp" || bail "cannot mount a private /tmp"
for d in "$(dirname "$perf")" "$(dirname "$perf_base")" "$linux" "$linux_base"; do
	case $d in
	/tmp/*)
		if ! mkdir -p "$tmp/${d#/tmp/}" ||
			! mount --bind "$d" "$tmp/${d#/tmp/}"; then
			bail "cannot keep $d visible in a private /tmp"
		fi
		;;
	esac
done
if [ "$tmp" != /tmp ]; then
	mount --rbind "$tmp" /tmp || bail "cannot mount a private /tmp"
fi
if ! [ -e /sys/kernel/tracing/events ]; then
	mount -t tracefs nodev /sys/kernel/tracing ||
		bail "cannot mount tracefs on /sys/kernel/tracing"
fi

# A directory for each perf to run in: perf finds the shell tests in
# ./tests/shell, and they find the perf that runs them first in PATH.
for which in base patched; do
	mkdir -p /tmp/$which/tests /tmp/$which/home
done
ln -s "$linux_base/tools/perf/tests/shell" /tmp/base/tests/shell
ln -s "$linux/tools/perf/tests/shell" /tmp/patched/tests/shell
export TMPDIR=/tmp
unset PERF_EXEC_PATH PERF_CONFIG

declare -A bin=([base]=$perf_base [patched]=$perf)

# entries WHICH: prints "NUMBER<tab>DESCRIPTION" of each entry.
entries()
{
	cd "/tmp/$1" && "${bin[$1]}" test list 2>&1 </dev/null |
		sed -n 's/[[:space:]]*$//; s/^ *\([0-9][0-9]*\): /\1\t/p'
}

# run WHICH NUMBER: sets result; the output is in /tmp/WHICH.log, and what it says
# about the parts of a shell test in /tmp/WHICH.parts.
run()
{
	local log=/tmp/$1.log rc

	cd "/tmp/$1" || bail "/tmp/$1: cannot go there"
	# A shell ignores SIGINT on behalf of what it runs in the background,
	# but some of the tests interrupt their perf.
	HOME=/tmp/$1/home COMPARE_PERF_TEST=$tmp env --default-signal=INT,QUIT \
		timeout --kill-after=10 "$limit" \
		"${bin[$1]}" test -vv "$2" >"$log" 2>&1 </dev/null &
	running=$!
	wait "$running"
	rc=$?
	running=
	result=$(sed -n -E "s/^ *$2(\.[0-9]+)?: .*: (Ok|Skip|FAILED!)( \(.*)?\$/\2/p" "$log" |
		paste -s -d ' ')
	grep -E '\[(Success|Skipped|Failed)[^]]*\]$' "$log" >"/tmp/$1.parts"
	if [ $rc -eq 124 ] || [ $rc -eq 137 ]; then
		result="no end within $limit s"
		end_strays
	elif [ -z "$result" ]; then
		result="no result, exit status $rc"
	fi
}

# why WHICH: a line of the output that says why the entry was skipped.
why()
{
	grep -i -E 'skip' "/tmp/$1.log" | grep -v -E '^Skipped tests' |
		sed -E 's/^ *[0-9.]+: .*: (Skip)/\1/; s/^[[:space:]]*/: /' | head -n 1
}

n=0
failed=0

ok()
{
	n=$((n + 1))
	echo "ok $n - $*"
}

# not_ok WHICH TEXT: with the end of what that perf's entry printed
not_ok()
{
	n=$((n + 1))
	failed=$((failed + 1))
	echo "not ok $n - ${*:2}"
	tail -n 25 "/tmp/$1.log" | sed 's/^/#   /'
}

# compare DESCRIPTION NUMBER-BASE NUMBER-PATCHED
compare()
{
	local base said='' try

	for try in 1 2 3; do
		run base "$2"
		base=$result
		run patched "$3"
		if [ "$base" = "$result" ] && cmp -s /tmp/base.parts /tmp/patched.parts; then
			ok "$1: $result"
			[ $try -eq 1 ] || echo "# the same in run $try"
			case $result in
			*FAILED* | no*) echo "# without the stack too:" ;;
			*Skip*) echo "# with both$(why patched)" ;;
			esac
			grep '\[Failed' /tmp/patched.parts | sed 's/^/#   /'
			return
		fi
		said="unpatched: $base, patched: $result"
		if [ "$base" = "$result" ]; then
			said+=", but not in every part"
		fi
		[ $try -eq 3 ] || echo "# $1: $said: once more"
	done

	not_ok patched "$1: $said"
	diff /tmp/base.parts /tmp/patched.parts |
		sed -n 's/^</#   unpatched:/p; s/^>/#   patched:  /p'
}

# A misspelt or outdated pattern must not pass for a comparison.
entries base >/tmp/base.list
entries patched >/tmp/patched.list
for p in "${required[@]}"; do
	cut -f 2- /tmp/base.list /tmp/patched.list | grep -q -i -F -e "$p" ||
		bail "no entry of perf test is about '$p'"
done

printf '%s\n' "${patterns[@]}" >/tmp/patterns
cut -f 2- /tmp/base.list | grep -i -F -f /tmp/patterns | sort -u >/tmp/compared
# What the stack adds is run whatever it is called.
cut -f 2- /tmp/patched.list | grep -v -x -F -f <(cut -f 2- /tmp/base.list) |
	sort -u >/tmp/added
if [ $# -gt 0 ]; then
	grep -i -F -f /tmp/patterns /tmp/added >/tmp/added.wanted
	mv /tmp/added.wanted /tmp/added
fi

# number WHICH DESCRIPTION
number()
{
	awk -F '\t' -v desc="$2" '$2 == desc { print $1; exit }' "/tmp/$1.list"
}

echo "TAP version 13"
echo "1..$(cat /tmp/compared /tmp/added | wc -l)"
echo "# unpatched: $("$perf_base" version), patched: $("$perf" version)"

while read -r -u 3 desc; do
	patched=$(number patched "$desc")
	if [ -z "$patched" ]; then
		: >/tmp/patched.log
		not_ok patched "$desc: gone from the patched perf"
		continue
	fi
	compare "$desc" "$(number base "$desc")" "$patched"
done 3</tmp/compared

while read -r -u 3 desc; do
	run patched "$(number patched "$desc")"
	case $result in
	*FAILED* | *Skip* | no*) not_ok patched "$desc (added by the stack): $result" ;;
	*) ok "$desc (added by the stack): $result" ;;
	esac
done 3</tmp/added

[ "$failed" -eq 0 ]
