#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# perfdata-lint: what a real perf records is good, and what damage does to it
# is found.
#
# environment: PERF_BASE or PERF  the perf to record with

# shellcheck source=tools/tests/lib.sh
. "$(dirname "$0")/lib.sh"

PERF=${PERF_BASE:-${PERF:-}}
if [ -z "$PERF" ]; then
	echo '1..0 # SKIP no perf: set PERF_BASE or PERF'
	exit
fi
PERF=$(command -v "$PERF") || {
	echo "Bail out! no perf at ${PERF_BASE:-${PERF:-}}"
	exit 1
}
workload="$TOOLS/touch-pages 300"

record() { # OPTION...
	rm -rf f
	# shellcheck disable=SC2086 # words
	timeout 60 "$PERF" record -o f "$@" -- $workload >log 2>&1 </dev/null
}

# Some modes need more than every machine and every user has.
mode() { # OPTION...
	if ! record "$@"; then
		skip "record $*" "perf record does not: $(grep -v '^$' log | tail -1)"
		return 1
	fi
	good "record $*"
}

faults='-e page-faults -c 1'
# shellcheck disable=SC2086 # words
if ! record $faults; then
	echo "1..0 # SKIP perf record does not work: $(tail -1 log)"
	exit
fi
good 'record'

# perf counts the same. script -D does not show the compressed records.
same_counts() { # DESCRIPTION
	"$PERF" script -D -i f 2>/dev/null |
		grep -o 'PERF_RECORD_[A-Z0-9_]*' | sed 's/PERF_RECORD_//' |
		sort | uniq -c | awk '{ print $2, $1 }' >perf-counts
	"$LINT" --counts f | grep '^[A-Z]' | grep -v COMPRESSED | sort >counts
	is "$1: perf script counts the same" "$(cat counts)" \
		"$(LC_ALL=C sort perf-counts)"
}
export LC_ALL=C
same_counts 'record'
n=$("$LINT" --count SAMPLE f)
if [ "$n" -ge 300 ] && [ "$n" -le 1000 ]; then
	ok 'a sample for every page touched'
else
	not_ok 'a sample for every page touched' "$n samples of 300 pages"
fi
is 'nothing was lost' "$("$LINT" --count lost f) $("$LINT" --count lost_samples f)" '0 0'

cp f whole
size=$(stat -c %s f)
end=$("$LINT" --count data_end f)
start=$("$LINT" --count data_offset f)

# What happens to files in the field.
sample=$("$LINT" --events f | awk '$2 == "SAMPLE" && ++n == 100 { print $1 }')
next=$("$LINT" --events f | awk '$2 == "SAMPLE" && ++n == 101 { print $1 }')
wipe "$sample" $((end - sample))
bad 'zero tail' "$sample" "zero tail, $((end - sample)) zero bytes"
cp whole f
wipe "$sample" $((next - sample))
bad 'hole in the middle' "$sample" 'zero event header: hole'
cp whole f
truncate -s "$sample" f
bad 'cut in the middle' 40 'goes past the end of the file'
cp whole f
truncate -s -1 f
lint -q f
is 'last byte cut off' "$status $(wc -l <err)" '1 1'
cp whole f
truncate -s +64M f
bad 'not cut after recording' "$size" '67108864 unexplained bytes'
cp whole f
put 48 8 $((end - start + 8))
bad 'data.size too large' "$end" 'event of type'
cp whole f
put 48 8 $((sample - start))
lint -q f
is 'data.size too small' "$status $(wc -l <err)" '1 1'
cp whole f
put 48 8 0
bad 'data.size 0' 48 'data.size is 0: unfinished recording'
cp whole f
cut_out "$sample" $((next - sample))
lint -q f
is 'one event missing' "$status $(wc -l <err)" '1 1'
cp whole f
dd if=whole of=f bs=1 skip="$sample" seek=$((sample + 8)) count=$((end - sample - 8)) \
	conv=notrunc status=none
lint -q f
is 'events moved by 8 bytes' "$status $(wc -l <err)" '1 1'

# shellcheck disable=SC2086 # words
{
	mode $faults -g && same_counts 'record -g'
	mode $faults --call-graph dwarf,4096 && same_counts 'record --call-graph dwarf'
	mode $faults -a && same_counts 'record -a'
	mode $faults -d -W --phys-data --data-page-size --code-page-size
	mode $faults --intr-regs=ip,sp --user-regs=ip,sp
	mode $faults --synth no
	mode $faults -B
	mode $faults -N
	mode $faults --namespaces --all-cgroups --switch-events
	mode $faults --sample-identifier -i
	mode $faults -s -T -R
	mode $faults -k mono
	mode $faults --buildid-all
	mode -e '{page-faults,task-clock}:S' -c 1 && same_counts 'record of a group'
	mode -e page-faults -e task-clock -e dummy -e cs
	mode -e dummy
	mode -a -e 'raw_syscalls:*,sched:sched_switch' && same_counts 'record of tracepoints'
	mode -m 1 -a -e 'raw_syscalls:*'
	mode -a --overwrite --tail-synthesize -e cpu-clock
	mode --aio -a -e cpu-clock
	if mode -z -a -g -e cpu-clock -F 2000 && cp f packed && has_zstd; then
		mv packed f
		same_counts 'record -z'
		n=$("$LINT" --count COMPRESSED f)
		n=$((n + $("$LINT" --count COMPRESSED2 f)))
		if [ "$n" -gt 0 ]; then
			ok 'there are compressed records'
		else
			not_ok 'there are compressed records'
		fi
		# The magic number at the front of the stream: other bytes may
		# decompress to something that looks good.
		packed=$("$LINT" --events f | awk '
			/ COMPRESSED2/ { print $1 + 16; exit }
			/ COMPRESSED/ { print $1 + 8; exit }')
		put "$packed" 4 0xffffffff
		lint -q f
		is 'damage in a compressed record' "$status $(wc -l <err)" '1 1'
	fi
	mode -z22 -a -e cpu-clock
	if mode --threads -a -g -e cpu-clock; then
		same_counts 'record --threads'
		printf x >>f/data.0
		lint f
		is 'one byte too many in a data file of a directory' \
			"$status $(wc -l <err)" '1 1'
	fi
	mode --threads -z -a -e cpu-clock
}

# Pieces of a recording.
rm -rf f
if timeout 60 "$PERF" record -o p -a -e 'raw_syscalls:*' -m 64 --switch-output=200K -- \
	dd if=/dev/zero of=/dev/null bs=1 count=20000 >log 2>&1; then
	lint p.*
	pieces=(p.*)
	is "record --switch-output, ${#pieces[@]} pieces" \
		"$status $(grep -c ': ok$' out) $(cat err)" "0 ${#pieces[@]} "
else
	skip 'record --switch-output' "perf record does not: $(tail -1 log)"
fi

# Pipes. The file is made by cat, as perf looks at its stdout.
piped() { # DESCRIPTION OPTION...
	local what=$1

	shift
	# shellcheck disable=SC2086 # words
	"$PERF" record -o - "$@" -- $workload 2>log | cat >f
	good "$what"
}
# shellcheck disable=SC2086 # words
piped 'record to a pipe' $faults
same_counts 'record to a pipe'
# shellcheck disable=SC2086 # words
piped 'record -z to a pipe' -z $faults
"$PERF" record -o whole -e page-faults -c 1 -g -- true >log 2>&1
"$PERF" inject -b -i whole -o f >log 2>&1 || echo "# $(tail -1 log)"
good 'inject -b'
"$PERF" stat record -o f -e page-faults true >log 2>&1 || echo "# $(tail -1 log)"
good 'stat record'

# A recording that is killed.
"$PERF" record -o f -e page-faults -c 1 -- "$TOOLS/touch-pages" -s 60 1000 >log 2>&1 &
pid=$!
for ((i = 0; i < 600; i++)); do
	[ -s f ] && child=$(cat "/proc/$pid/task/$pid/children") &&
		[ -n "$child" ] && break
	sleep 0.1
done
kill -9 $pid
wait $pid 2>/dev/null
# shellcheck disable=SC2086 # a list of pids
[ -z "${child:-}" ] || kill $child 2>/dev/null
bad 'killed perf record' 48 'data.size is 0: unfinished recording'

finish
