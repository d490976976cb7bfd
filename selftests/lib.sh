# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What the tests share: where things are, a private mount namespace, one
# directory that goes away at the end, KTAP, and the judges of a file.
#
# Usage: . "$(dirname "$0")/lib.sh"; [private_mounts "$@"]; setup; run_cases CASE...
#
# A CASE is a function that starts with: describe "what is promised". It calls
# the expect_* functions, each of which says what it expected and what it got,
# and goes on; or skip REASON and returns.
#
# Environment:
#	PERF		perf under test (default: the one that was built here, else
#			perf in PATH)
#	PERF_BASE	unpatched perf of the same base that reads the files
#			(default: beside the built one, else PERF)
#	LINT		perfdata-lint, which checks files without perf
#			(default: the built one, else in PATH, else not used)
#	OUTPUT		where workload and datafile were built
#	KSFT		tools/testing/selftests of a kernel tree
#	BASE		which built perf (default: v6.12)
#	TMPDIR		where files go (default: /tmp)
#	TRIES		how often a case may be tried, set by tests with many
#	HANG		seconds after which perf is called hung (default: 120)

set -u

HERE=$(cd "$(dirname "$0")" && pwd)

bail()
{
	echo "Bail out! $*"
	exit 1
}

skip_all()
{
	ktap_print_header
	ktap_skip_all "$*"
	exit "$KSFT_SKIP"
}

# Prints the first of the given names that is an executable; a name without a
# slash is looked up in PATH.
first_executable()
{
	local name

	for name in "$@"; do
		[ -n "$name" ] && name=$(command -v -- "$name") &&
			[ -x "$name" ] && realpath -- "$name" && return 0
	done
	return 1
}

find_ktap()
{
	local dir

	for dir in "${KSFT:-}" "$HERE/.." "$HERE"/../build/*/linux/tools/testing/selftests; do
		if [ -r "$dir/kselftest/ktap_helpers.sh" ]; then
			echo "$dir/kselftest/ktap_helpers.sh"
			return 0
		fi
	done
	return 1
}

KTAP=$(find_ktap) ||
	bail "kselftest/ktap_helpers.sh not found: set KSFT to tools/testing/selftests of a kernel tree"
# shellcheck source=/dev/null
. "$KTAP"

# A line for the reader of the results.
diag()
{
	printf '# %s\n' "$*"
}

# Starts the script anew in a mount namespace of its own: as root in this user
# namespace, else as root of a new one, where tmpfs can be mounted too.
private_mounts()
{
	[ -n "${OUT_PAGES_PRIVATE:-}" ] && return
	export OUT_PAGES_PRIVATE=1
	if unshare -m true 2>/dev/null; then
		exec unshare -m --propagation private "$0" "$@"
	elif unshare -Urm true 2>/dev/null; then
		exec unshare -Urm --propagation private "$0" "$@"
	fi
	skip_all "no private mount namespace: $(unshare -Urm true 2>&1)"
}

# True for root of the first user namespace, who may mount block devices.
real_root()
{
	[ "$(id -u)" = 0 ] && [ "$(awk '{ print $3; exit }' /proc/self/uid_map)" = 4294967295 ]
}

cleanup()
{
	local mounts

	cd / || return
	mounts=$(awk -v work="$WORK/" 'index($2, work) == 1 { print $2 }' \
		/proc/self/mounts | sort -r)
	if [ -n "$mounts" ]; then
		echo "$mounts" | xargs umount -l
	fi
	rm -rf --one-file-system -- "$WORK"
}

# Finds the programs that the tests need, see above.
find_programs()
{
	local built="$HERE/../build/${BASE:-v6.12}"

	WORKLOAD=$(first_executable "${OUTPUT:-$HERE}/workload" \
		"$HERE/../build/selftests/workload") ||
		bail "workload is not built: run make in $HERE"
	DATAFILE=$(dirname "$WORKLOAD")/datafile

	if [ -n "${PERF:-}" ]; then
		PERF=$(first_executable "$PERF") || bail "PERF is not an executable"
	else
		PERF=$(first_executable "$built/perf/perf" "$HERE/../../../perf/perf" perf) ||
			skip_all "no perf to test: build one or set PERF"
	fi
	if [ -n "${PERF_BASE:-}" ]; then
		PERF_BASE=$(first_executable "$PERF_BASE") ||
			bail "PERF_BASE is not an executable"
	else
		PERF_BASE=$(first_executable "$built/perf-base/perf" "$PERF")
	fi
	if [ -n "${LINT:-}" ]; then
		LINT=$(first_executable "$LINT") || bail "LINT is not an executable"
	else
		LINT=$(first_executable "$HERE/../build/tools/perfdata-lint" perfdata-lint)
	fi
	# Without it, addresses differ from run to run.
	NO_ASLR=()
	if setarch -R true 2>/dev/null; then
		NO_ASLR=(setarch -R)
	fi
}

# Skips the script if perf cannot record here or has no --out-pages.
probe()
{
	if ! perf_record -e page-faults:u -c 1 -o probe -- "$WORKLOAD" pages 1 &&
		grep -Eq "paranoid|ermission|not supported|not implemented" "$LOG"; then
		skip_all "perf cannot record here: $(grep -v '^$' "$LOG" | head -n 1)"
	fi
	# The larger the ring buffers, the fewer events are lost on a busy machine.
	if perf_record -e dummy:u -m 2M -o probe -- true; then
		export RING=2M
	else
		export RING=512K
	fi
	rm -f probe*
	if [ -n "${NEEDED_OPTIONS-out-pages}" ] && ! has_option out-pages; then
		skip_all "$PERF record has no --out-pages"
	fi
}

# Finds the programs and makes the directory WORK, or takes that of the test in
# C which called.
setup()
{
	find_programs
	if [ -n "${OUT_PAGES_WORK:-}" ]; then
		WORK=$OUT_PAGES_WORK
	else
		WORK=$(mktemp -d "${TMPDIR:-/tmp}/perf-selftest.XXXXXX") ||
			bail "no temporary directory"
		trap cleanup EXIT
		trap 'exit 143' HUP INT TERM
	fi
	LOG=$WORK/log
	SHOWN=
	# A test may set it to have perf run under other conditions.
	VIA=()
	CASE_FAILED=0
	cd "$WORK" || bail "$WORK: no such directory"

	# perf must not read the caller's settings nor write to the caller's home.
	export HOME=$WORK PERF_CONFIG=/dev/null
	unset DEBUGINFOD_URLS

	if [ -z "${OUT_PAGES_WORK:-}" ]; then
		probe
	fi
}

# Is it an option of perf record? Runs nothing.
has_option()
{
	"$PERF" record -h 2>&1 | grep -q -- "--$1\\b"
}

# Is a feature built in, for example zstd or aio?
has_feature()
{
	"$PERF" version --build-options 2>/dev/null |
		grep -q "^ *$1: *\\[ *on *\\]"
}

# Runs the cases, one KTAP line each. With TRIES, a test says how often a case is
# run at most until it passes: where hundreds of them depend on what a busy
# machine does when, some fail now and then. All of that is shown.
run_cases()
{
	local attempt

	ktap_print_header
	diag "PERF=$PERF"
	if [ "$PERF_BASE" = "$PERF" ]; then
		diag "PERF_BASE is not set: perf under test reads its own files"
	fi
	if [ -z "$LINT" ]; then
		diag "perfdata-lint not found: datafile and perf judge the files alone"
	fi
	ktap_set_plan $#
	for CASE in "$@"; do
		for ((attempt = 1; attempt <= ${TRIES:-1}; attempt++)); do
			DESCRIPTION=$CASE
			CASE_FAILED=0
			CASE_SKIPPED=
			# It may have arguments.
			# shellcheck disable=SC2086
			$CASE
			cd "$WORK" || bail "$WORK is gone"
			[ "$CASE_FAILED" != 0 ] || break
			diag "$CASE: failed in try $attempt of ${TRIES:-1}"
		done
		if [ "$CASE_FAILED" != 0 ]; then
			ktap_test_fail "$CASE: $DESCRIPTION"
		elif [ -n "$CASE_SKIPPED" ]; then
			ktap_test_skip "$CASE: $CASE_SKIPPED"
		else
			ktap_test_pass "$CASE: $DESCRIPTION"
		fi
	done
	ktap_finished
}

describe()
{
	DESCRIPTION=$*
}

skip()
{
	CASE_SKIPPED=$*
}

# Marks the case as failed, shows what the last program said.
fail()
{
	CASE_FAILED=1
	diag "FAILED: $*"
	# The same words are not shown for each expectation that they fail.
	if [ -s "$LOG" ] && [ "$(cksum <"$LOG")" != "$SHOWN" ]; then
		SHOWN=$(cksum <"$LOG")
		head -n 8 "$LOG" | cut -c 1-200 | sed 's/^/#   | /'
	fi
}

expect_eq()
{
	[ "$2" = "$3" ] || fail "$1: expected $3, got $2"
}

expect_le()
{
	[ "$2" -le "$3" ] || fail "$1: expected at most $3, got $2"
}

expect_ge()
{
	[ "$2" -ge "$3" ] || fail "$1: expected at least $3, got $2"
}

# expect_log REGEX: the last program said something like it.
expect_log()
{
	grep -Eq -- "$1" "$LOG" || fail "expected a message like '$1', got the above or below"
}

expect_no_log()
{
	! grep -Eq -- "$1" "$LOG" || fail "expected no message like '$1'"
}

expect_absent()
{
	[ ! -e "$1" ] || fail "expected no $1, but it is there: $(stat -c '%F, %s bytes' "$1")"
}

# How long perf may take before it is called a hang. Nothing is asserted about
# shorter times.
HANG=${HANG:-120}

# Runs perf record with the arguments; what it says goes to LOG, its status to
# RC.
perf_record()
{
	# The shell itself tells when perf dies of a signal: RC is enough.
	{
		"${NO_ASLR[@]}" timeout -k 5 "$HANG" "${VIA[@]}" \
			"$PERF" record -N --no-bpf-event "$@" >"$LOG" 2>&1
	} 2>/dev/null
	RC=$?
	if [ "$RC" = 124 ] || [ "$RC" = 137 ]; then
		diag "perf record did not end within $HANG seconds"
	fi
	return "$RC"
}

# perf_record that must end well.
record_ok()
{
	perf_record "$@" || fail "perf record $*: expected exit status 0, got $RC"
	[ "$RC" = 0 ]
}

# expect_failed [WHAT]: perf failed in order: no success, no signal, no hang.
expect_failed()
{
	local what=${1:-perf}

	case $RC in
	0) fail "$what: expected it to fail, got exit status 0" ;;
	124 | 137) fail "$what: expected it to end, it hung" ;;
	13[0-9] | 1[4-8][0-9] | 19[0-2])
		fail "$what: expected it to fail in order, got exit status $RC, a signal" ;;
	esac
}

# perf_record that must fail in order.
record_fails()
{
	perf_record "$@"
	expect_failed "perf record $*"
}

# same_names LOG: in what perf said, did two files of a switched output get the
# same name? It says the time in hundredths of a second, so one of them is lost.
same_names()
{
	[ -n "$(sed -n 's/.*: Dump \(.*\) ]/\1/p' "$1" | sort | uniq -d)" ]
}

# judge_dir DIRECTORY: each data file ends where its events end, and has no hole.
judge_dir()
{
	local file size blocks

	for file in "$1"/data.*; do
		read -r size blocks < <(stat -c '%s %b' "$file")
		expect_le "$file: length, against its bytes on disk" "$size" \
			$((blocks * 512))
		[ "$size" -gt 0 ] || continue
		expect_ge "$file: bytes of its last 8 that are not 0" \
			"$(tail -c 8 "$file" | tr -d '\0' | wc -c)" 1
	done
	if [ -n "$LINT" ] && ! "$LINT" "$1" >"$LOG" 2>&1; then
		fail "expected perfdata-lint to accept $1, got: $(head -n 1 "$LOG")"
	fi
}

# perf drains a ring buffer for each event, not when it is half full: what it
# finds is little and gets copied into the mapping. Chunks of 64 KiB and more are
# given to pwrite(2).
# shellcheck disable=SC2034 # for the tests
COPIED=(--no-buffering)

# record_lossless FILE ARGS: record until the kernel lost no event; the tests
# that compare events want to see each.
record_lossless()
{
	local file=$1 try
	shift

	for try in 1 2 3 4 5 6; do
		record_ok -m "${RING:-512K}" -o "$file" "$@" || return 1
		measure "$file" || return 1
		[ "${D[lost]}" = 0 ] && return 0
		diag "try $try: the kernel lost events, recording again"
	done
	fail "$file: the kernel lost events in each of 6 recordings"
	return 1
}

declare -A D

# measure [-o] FILE: what datafile says, into D.
measure()
{
	local name value

	D=()
	if ! "$DATAFILE" "$@" >"$WORK/measured" 2>"$LOG"; then
		fail "expected a perf.data file, got: $(cat "$LOG")"
		return 1
	fi
	while IFS='=' read -r name value; do
		D[$name]=$value
	done <"$WORK/measured"
}

# judge FILE: it is good as perf writes files: by our own reading, by
# perfdata-lint, and the unpatched perf reads it without a warning and sees
# each sample.
judge()
{
	local file=$1

	measure "$file" || return 1
	expect_eq "$file: its length, against the end of the features" \
		"${D[size]}" "${D[features]}"
	expect_eq "$file: offset of its first hole, against its length" \
		"${D[hole]}" "${D[size]}"
	expect_ge "$file: events" "${D[events]}" 1

	if [ -n "$LINT" ] && ! "$LINT" "$file" >"$LOG" 2>&1; then
		fail "expected perfdata-lint to accept $file, got: $(head -n 1 "$LOG")"
	fi

	if ! "$PERF_BASE" report --header-only -i "$file" >"$WORK/header" 2>"$LOG"; then
		fail "perf report --header-only -i $file: expected exit status 0"
	elif [ -s "$LOG" ]; then
		fail "perf report --header-only -i $file: expected no warning, got: $(head -n 1 "$LOG")"
	fi
	expect_eq "$file: the header's command line" \
		"$(grep -c '^# cmdline :' "$WORK/header")" 1

	read_samples "$file" || return 1
	if [ "${D[compressed]}" = 0 ]; then
		expect_eq "$file: samples that perf script shows" "$SEEN" "${D[samples]}"
	fi
}

# Counts the samples that the unpatched perf finds into SEEN.
read_samples()
{
	if ! "$PERF_BASE" script -F event -i "$1" >"$WORK/script" 2>"$LOG"; then
		fail "perf script -i $1: expected exit status 0"
		return 1
	fi
	# The order in which the ring buffers of several CPUs are read is not the
	# output's: on a busy machine, events may come late, however they are written.
	if [ "${D[lost]}" = 0 ] &&
		grep -Evq "^$|^Warning:$|out of order events recorded" "$LOG"; then
		fail "perf script -i $1: expected no warning, got: $(cat "$LOG")"
		return 1
	fi
	SEEN=$(grep -c . "$WORK/script") || true
}

# judge_numbers FILE N: it holds the samples of all N pages, in order.
judge_numbers()
{
	measure "$1" || return 1
	expect_eq "$1: pages of the workload that have a sample" "${D[pages]}" "$2"
	expect_eq "$1: number of the first page" "${D[first]}" 0
	expect_eq "$1: number of the last page" "${D[last]}" $(($2 - 1))
	expect_eq "$1: pages that have none" "${D[missing]}" 0
	expect_eq "$1: samples that are there twice, at ${D[again]}" "${D[twice]}" 0
}

# judge_cut FILE: perf had to break off. The file is either finished, or ends
# with the last byte that was stored: no zeros, no hole.
judge_cut()
{
	local size

	size=$(stat -c %s "$1") || return 1
	# Not even the header may have found room.
	[ "$size" = 0 ] && return
	if [ "$(od -An -td8 -j48 -N8 "$1" | tr -d ' ')" != 0 ]; then
		judge "$1"
		return
	fi
	measure -o "$1" || return 1
	expect_eq "$1: offset of its first hole, against its length" \
		"${D[hole]}" "${D[size]}"
}

# mount_tmpfs SIZE: at WORK/fs, which is empty again.
mount_tmpfs()
{
	mkdir -p "$WORK/fs"
	umount -l "$WORK/fs" 2>/dev/null
	mount -t tmpfs -o "size=$1" none "$WORK/fs" ||
		bail "cannot mount a tmpfs in a private mount namespace"
}

# record_maps FILE ARGS: record_ok with a workload that keeps perf's memory map;
# how many bytes of FILE were mapped goes to MAPPED.
record_maps()
{
	local file=$1 range path
	shift

	record_ok -e dummy:u -o "$file" "$@" -- \
		"$WORKLOAD" maps "$WORK/maps" || return 1
	MAPPED=0
	while read -r range _ _ _ _ path; do
		if [ "$path" = "$file" ]; then
			MAPPED=$((MAPPED + 0x${range#*-} - 0x${range%-*}))
		fi
	done <"$WORK/maps"
}

# judge_read FILE... N: the unpatched perf finds the samples of all N pages in
# the files or directories together, none of them twice.
judge_read()
{
	local page file all=$WORK/addresses n=${*: -1}

	page=$(getconf PAGESIZE)
	: >"$all"
	for file in "${@:1:$#-1}"; do
		if ! "$PERF_BASE" script -F time,addr -i "$file" >"$WORK/script" 2>"$LOG"; then
			fail "perf script -i $file: expected exit status 0"
			return 1
		fi
		grep -E ' 1000[0-9a-f]{8}$' "$WORK/script" >>"$all"
	done
	expect_eq "different samples" "$(sort -u "$all" | wc -l)" "$(wc -l <"$all")"
	# The kernel may take a fault again, at another time.
	awk '{ print $2 }' "$all" | sort -u >"$all.once"
	expect_eq "pages that have a sample" "$(wc -l <"$all.once")" "$n"
	expect_eq "first and last address" \
		"$(head -n 1 "$all.once") $(tail -n 1 "$all.once")" \
		"$(printf '%x %x' $((0x100000000000)) \
			$((0x100000000000 + (n - 1) * page)))"
}
