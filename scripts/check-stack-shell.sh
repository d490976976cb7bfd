#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Check the shell tests that a stack adds to perf as perf's own makefile does.
# Prints TAP.
#
# usage: [BASE=v6.12 | KDIR=path] check-stack-shell.sh

set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
git_setup
# shellcheck source=scripts/check-lib.sh
. "$TOP/scripts/check-lib.sh"
need_trees

scripts()
{
	stack_files AM '*.sh'
}

# As "make SHELLCHECK=..." in tools/perf calls it.
clean()
{
	scripts | (cd "$linux" && xargs -r shellcheck -s bash -a -S warning -f gcc)
}

executable()
{
	scripts | while read -r file; do
		[ -x "$linux/$file" ] || echo "$file: not executable"
	done
}

echo "TAP version 13"
check "shellcheck finds nothing in perf's new tests" clean
check "perf's new tests are executable" executable
plan
