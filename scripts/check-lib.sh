# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Shared by the checks: a result is one line of TAP, and what was said when it
# is a failure. To be sourced after common.sh.
#
# Sets: tmp (a directory that goes away at the end), log (where the output of
# what is being checked goes), prefix (in front of each name: the base, for
# checks of a stack).

mkdir -p "$BUILD/check"
tmp=$(mktemp -d "$BUILD/check/$(basename "$0").XXXXXX")
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP
log=$tmp/log
prefix=
n=0

# result STATUS NAME: one line of TAP, and what is in the log if it failed.
result()
{
	n=$((n + 1))
	if [ "$1" = 0 ]; then
		echo "ok $n - $prefix$2"
	else
		echo "not ok $n - $prefix$2"
		head -n "${LOG_LINES:-30}" "$log" | sed 's/^/#   /'
	fi
}

# check NAME COMMAND...: the command succeeds and says nothing.
check()
{
	local status=0 name=$1

	shift
	"$@" >"$log" 2>&1 </dev/null || status=$?
	if [ $status != 0 ] && [ ! -s "$log" ]; then
		echo "it ended with status $status" >"$log"
	fi
	[ ! -s "$log" ] || status=1
	result $status "$name"
}

skip()
{
	n=$((n + 1))
	echo "ok $n - $prefix$1 # SKIP $2"
}

plan()
{
	echo "1..$n"
}

# For checks of a stack: the trees of the base, as they are to be.
need_trees()
{
	prefix="$(basename "$SLOT"): "
	linux=$SLOT/linux
	"$TOP/scripts/prepare.sh" || exit
}

# stack_files FILTER PATHSPEC...: the files that the stack adds (A) or changes
# (M), or both (AM).
stack_files()
{
	git -C "$linux" diff --name-only --diff-filter="$1" base stack -- "${@:2}"
}
