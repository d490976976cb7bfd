#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Check our own C programs, in tools/ and selftests/, with cppcheck. Prints TAP.
#
# usage: check-cppcheck.sh

set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
git_setup
# shellcheck source=scripts/check-lib.sh
. "$TOP/scripts/check-lib.sh"

cd "$TOP"

# What it cannot know without headers: NULL is a pointer in the C libraries that
# perf is built with, and a function of the kselftests does not return.
cpp()
{
	cppcheck --quiet --std=c11 --enable=warning,performance,portability \
		--inline-suppr --suppress=varFuncNullUB \
		-DHAVE_ZSTD -D'ksft_exit_fail_msg(...)=exit(1)' \
		--template='{file}:{line}: {severity}: {message} [{id}]' \
		--error-exitcode=1 "$@"
}

files()
{
	local -a names

	mapfile -t names < <(git ls-files -- 'tools/*.c' 'selftests/*.c')
	cpp "${names[@]}"
}

works()
{
	printf 'int main(void)\n{\n\tint a[2];\n\n\treturn a[2];\n}\n' >"$tmp/fault.c"
	! cpp "$tmp/fault.c" >/dev/null 2>&1
}

echo "TAP version 13"
check "cppcheck finds a fault" works
check "cppcheck finds none in tools/ and selftests/" files
plan
