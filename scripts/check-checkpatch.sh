#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Check each patch of a stack with the checkpatch.pl --strict of its base, as it
# would be sent, that is signed off. Prints TAP.
#
# usage: [BASE=v6.12 | KDIR=path] check-checkpatch.sh

set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
git_setup
# shellcheck source=scripts/check-lib.sh
. "$TOP/scripts/check-lib.sh"
need_trees

# What checkpatch takes for a kernel tree: it asks only whether these exist.
root=$tmp/root
mkdir "$root"
ln -s "$linux"/* "$root/"
for name in CREDITS README; do
	[ -e "$root/$name" ] || : >"$root/$name"
done
for name in drivers fs init ipc; do
	mkdir -p "$root/$name"
done

# A new file asks whether MAINTAINERS needs to know it: all of tools/perf/ is
# in there. The commits that patches name are not in a tree made from a package.
ignore=FILE_PATH_CHANGES,CAMELCASE,UNKNOWN_COMMIT_ID

# perf test of 6.12 takes what it calls a shell test from its second line, so
# that the licence comes on the third, as in the others that are there.
not_wrong()
{
	case $BASE in
	v6.12) grep -v -E '^tools/perf/tests/shell/[^:]*\.sh:[23]: WARNING:SPDX_LICENSE_TAG: (Missing|Misplaced) ' ;;
	*) cat ;;
	esac
}

# Patch $1 on stdout as its author would send it.
signed()
{
	local author

	author=$(git mailinfo /dev/null /dev/null <"$1" |
		sed -n 's/^Author: //p; s/^Email: \(.*\)/<\1>/p' | paste -s -d ' ')
	# where mailinfo and am see the message end
	sed '/^diff --git /,$d' "$1" | git interpret-trailers --no-divider \
		--trailer "Signed-off-by: $author"
	echo "---"
	sed -n '/^diff --git /,$p' "$1"
}

checkpatch()
{
	local status=0

	perl "$root/scripts/checkpatch.pl" --root="$root" --strict \
		--no-summary --terse --showfile --show-types --ignore "$ignore" \
		"$1" >"$tmp/said" 2>&1 || status=$?
	not_wrong <"$tmp/said"
	# It says nothing and fails when it cannot run
	[ $status = 0 ] || [ -s "$tmp/said" ] || echo "checkpatch.pl ended with status $status"
}

# A patch that is wrong must be found so.
works()
{
	signed "$STACK/$(series | head -n 1)" |
		sed '/^Signed-off-by: /d; s/^+\t/+        /' >"$tmp/fault.patch"
	checkpatch "$tmp/fault.patch" >"$tmp/fault"
	grep -q MISSING_SIGN_OFF "$tmp/fault" && grep -q CODE_INDENT "$tmp/fault"
}

# Run where no .checkpatch.conf is.
cd "$tmp"
echo "TAP version 13"
check "checkpatch finds a fault" works
while read -r patch; do
	signed "$STACK/$patch" >"$tmp/$patch"
	check "checkpatch --strict: $patch" checkpatch "$tmp/$patch"
done < <(series)
plan
