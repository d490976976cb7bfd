#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Run all tests, on all bases or on the one that was asked for, after having
# installed, fetched and built what they need. The last line is
# "N passed, N failed, N skipped". The results are kept in build/test.
#
# usage: [BASE=v6.12 BASE_ORIGIN=environment | KDIR=path] test.sh
#
# Environment: SAN, see build.sh: perf with the stack is built so.
# Exit status: 1 if a test failed.

set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
# shellcheck source=scripts/tap-run.sh
. "$(dirname "$0")/tap-run.sh"

scripts=$TOP/scripts
tracefs=/sys/kernel/tracing
results=$BUILD/test

# In a mount namespace of its own, so that what is mounted goes away with it.
if [ "$(id -u)" = 0 ] && [ ! -e $tracefs/events ]; then
	if [ -z "${TEST_UNSHARED:-}" ]; then
		TEST_UNSHARED=1 exec unshare --mount -- "$0" "$@"
	fi
	mount -t tracefs nodev $tracefs ||
		say "cannot mount tracefs on $tracefs"
fi

setup()
{
	echo "TAP version 13"
	echo "1..2"
	step 1 "what the tests need is installed" "$scripts/deps.sh"
	step 2 "the programs in tools/ are built" make --no-print-directory -C "$TOP/tools"
}

build()
{
	local n=1

	echo "TAP version 13"
	step 1 "$BASE: perf without the stack is built" "$scripts/build.sh" perf-base
	# What is not served is skipped once.
	if [ "$status" != 4 ]; then
		n=2
		step 2 "$BASE: perf with the stack is built" "$scripts/build.sh" perf
	fi
	echo "1..$n"
}

# The tests of tools/ are run by prove, which keeps the TAP of each here. The
# arguments run make where there are perfs whose recordings can be looked at.
tools()
{
	echo "TAP version 13"
	echo "1..1"
	PERL_TEST_HARNESS_DUMP_TAP=$results/tools \
		step 1 "the tests in tools/ pass" "$@" \
		make --no-print-directory -C "$TOP/tools" test
}

# All tests of the base that the environment says.
test_base()
{
	local prefix

	prefix=$(basename "$("$scripts/with-perf.sh" printenv SLOT)")
	begin "$prefix-build"
	build </dev/null 2>&1 | tee "$tap"
	ended
	if grep -q -E '^not ok|^ok.*# SKIP' "$results/$prefix-build.tap"; then
		return
	fi
	if [ ! -e "$results/tools.tap" ]; then
		begin tools
		tools "$scripts/with-perf.sh" </dev/null 2>&1 | tee "$tap"
		ended
	fi
	run "$prefix-apply" "$scripts/apply-check.sh"
	run "$prefix-selftests" "$scripts/with-perf.sh" \
		make --no-print-directory -C "$TOP/selftests" run_tests
	run "$prefix-compare" "$scripts/with-perf.sh" "$scripts/compare-perf-test.sh"
}

rm -rf "$results"
mkdir -p "$results"

begin setup
setup </dev/null 2>&1 | tee "$tap"
ended
mapfile -t all < <(bases)
export BASE_ORIGIN=
for BASE in "${all[@]}"; do
	export BASE
	test_base
done
if [ ! -e "$results/tools.tap" ]; then
	begin tools
	tools </dev/null 2>&1 | tee "$tap"
	ended
fi
echo "== summary"
cat "$results/took"
rm -f "$results/said" "$results/took"
mapfile -t files < <(find "$results" -type f | sort)
status=0
summary=$("$scripts/tap-summary.sh" "${files[@]}") || status=1
# Whether they are good TAP is not for us to say.
if [ $status = 0 ] && ! prove -Q --exec cat "${files[@]}"; then
	summary=$(sed '$s/, 0 failed,/, 1 failed,/' <<<"$summary")
	status=1
fi
printf '%s\n' "$summary"
exit $status
