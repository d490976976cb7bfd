#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Make build/$BASE/linux-naive: the tree with the stack, but for
# util/mmap-output.c, which is as of the last patch before pages were populated
# ahead: what David Ahern's series of 2013 did, for the benchmarks to compare.
#
# usage: [BASE=v6.12 | KDIR=path] bench-naive.sh

set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"

linux=$SLOT/linux
naive=$SLOT/linux-naive
file=tools/perf/util/mmap-output
mkdir -p "$SLOT"
lock "$SLOT/lock"
"$TOP/scripts/prepare.sh" || exit
git_setup

commit=
for c in $(git -C "$linux" rev-list --reverse base..HEAD -- $file.c); do
	if git -C "$linux" show "$c:$file.c" | grep MADV_POPULATE_WRITE >/dev/null; then
		break
	fi
	commit=$c
done
[ -n "$commit" ] || die "the stack has no mmap-output that does not populate"

id="$(git -C "$linux" rev-parse HEAD) $commit"
if [ -d "$naive" ] && [ "$(cat "$naive.stamp" 2>/dev/null)" = "$id" ]; then
	exit 0
fi
# Files that are the same keep their time, so that only the rest is built anew.
rm -f "$naive.stamp"
# The clone shares the objects of a tree that may have been made anew.
if ! git -C "$naive" fetch -q -f "$linux" HEAD 2>/dev/null; then
	rm -rf "$naive"
	git clone -q --shared --no-checkout "$linux" "$naive"
	git -C "$naive" fetch -q -f "$linux" HEAD
fi
git -C "$naive" checkout -q -f -B naive FETCH_HEAD
# The others want what the header has had since.
git -C "$naive" show "$commit:$file.c" >"$naive/$file.c"
echo "$id" >"$naive.stamp"
