#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Show what differs between the stacks beyond the lines around a change and
# their numbers: for each patch, its message and the lines it adds and removes
# in each file, those of the second stack against those of the first.
#
# usage: compare-stacks.sh [-q] [STACK STACK]
#
#   -q          compare which patches there are and their order only
#   STACK       v7.3, v6.12 ...; by default the newest and each of the others
#
# Exit status: 1 if the stacks do not hold the same patches in the same order.

set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
# shellcheck source=scripts/refresh-lib.sh
. "$TOP/scripts/refresh-lib.sh"

quiet=
if [ "${1:-}" = -q ]; then
	quiet=1
	shift
fi

tmp=$(mktemp -d "$BUILD/compare-stacks.XXXXXX")
trap 'rm -rf "$tmp"' EXIT

# Print the patches of stack $1: "slug number-slug".
patches_of()
{
	local name

	[ -f "$TOP/patches/$1/series" ] || die "patches/$1/series: no such stack"
	(STACK=$TOP/patches/$1 && series) | while read -r name; do
		slug "$name"
	done
}

# The patch as it would be without context.
bare()
{
	awk '
		/^diff --git / { diff = 1; sub(/^diff --git a\/.* b\//, ""); print "\n" $0 ":"; next }
		!diff && /^(From|Date|From:|Date:) / { next }
		!diff || /^[-+]/ && !/^(---|\+\+\+) [ab\/]/ || /^(new|deleted|rename|old) / { print }
	' "$TOP/patches/$1/"[0-9]*"-$2"
}

compare()
{
	local a=$1 b=$2 name same=0 differ=0

	patches_of "$a" >"$tmp/a.names"
	patches_of "$b" >"$tmp/b.names"
	if ! diff -u --label "patches/$a" --label "patches/$b" "$tmp/a.names" "$tmp/b.names"; then
		status=1
	fi
	[ -z "$quiet" ] || return 0
	while read -r name; do
		grep -q -x -F "$name" "$tmp/b.names" || continue
		bare "$a" "$name" >"$tmp/a"
		bare "$b" "$name" >"$tmp/b"
		if diff -u --label "$a: $name" --label "$b: $name" "$tmp/a" "$tmp/b"; then
			same=$((same + 1))
		else
			differ=$((differ + 1))
		fi
	done <"$tmp/a.names"
	echo "$a and $b: $same patches are the same but for context, $differ differ as shown"
}

status=0
if [ $# = 2 ]; then
	compare "$1" "$2"
elif [ $# = 0 ]; then
	newest=$(stacks | tail -n 1)
	for other in $(stacks); do
		[ "$other" = "$newest" ] || compare "$newest" "$other"
	done
else
	die "usage: compare-stacks.sh [-q] [STACK STACK]"
fi
exit $status
