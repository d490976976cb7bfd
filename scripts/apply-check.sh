#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that the stack applies to its base as those who take it apply it: with
# git am, and with quilt, which also takes it off again; with no fuzz and no
# offset. Prints TAP. Works on copies of build/$BASE/linux-base, which
# prepare.sh makes.
#
# usage: [BASE=v6.12 | KDIR=path] apply-check.sh
#
# A line "# Base: 6.12.117" in the series says which point release the patches
# were last refreshed on. On another one, lines that moved are no fault of the
# patches: that is a skip.

set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
git_setup

tmp=$(mktemp -d "$SLOT/apply-check.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

log=$tmp/log
n=0

# result STATUS NAME: one line of TAP, and what is in the log if it failed.
result()
{
	n=$((n + 1))
	if [ "$1" = 0 ]; then
		echo "ok $n $BASE: $2"
	else
		echo "not ok $n $BASE: $2"
		head -n 20 "$log" | sed 's/^/# /'
	fi
}

# check NAME COMMAND...: the command succeeds and says nothing.
check()
{
	local status=0 name=$1
	shift

	"$@" >"$log" 2>&1 || status=1
	[ ! -s "$log" ] || status=1
	result $status "$name"
}

refreshed_on()
{
	sed -n 's/^# *Base: *\([0-9.]*\) *$/\1/p' "$STACK/series" | head -n 1
}

# check_moved NAME FILE: nothing that git or patch said in FILE tells of fuzz or
# offset; only then do they speak of a hunk that succeeded.
check_moved()
{
	local on

	on=$(refreshed_on)
	grep -E '^Hunk #[0-9]+ succeeded' "$2" >"$tmp/moved" || :
	if [ -s "$tmp/moved" ] && ! grep -q fuzz "$tmp/moved" &&
		[ -n "$on" ] && [ "$on" != "$release" ]; then
		n=$((n + 1))
		echo "ok $n $BASE: $1 # SKIP refreshed on $on, this is $release"
	else
		check "$1" cat "$tmp/moved"
	fi
}

on_disk()
{
	(cd "$STACK" && find . -type f ! -name series | sed 's|^\./||' | sort)
}

series_agrees()
{
	diff --label series --label directory -u0 <(series | sort) <(on_disk)
}

# Only the person who submits a patch can sign it off.
unsigned()
{
	! (cd "$STACK" && series | xargs -r -d '\n' grep -i -H '^Signed-off-by:')
}

# Apply with git am, each patch looked at first.
git_am()
{
	local patch

	while read -r patch; do
		git -C "$tmp/am" apply --cached --check --verbose "$STACK/$patch" \
			>>"$tmp/am.said" 2>&1 || :
		git -C "$tmp/am" am -q --committer-date-is-author-date \
			"$STACK/$patch" || return 1
	done < <(series)
}

quilt_do()
{
	(cd "$tmp/quilt" && QUILT_PATCHES=$STACK QUILT_PATCH_OPTS=--fuzz=0 \
		quilt --quiltrc - "$@") >>"$tmp/quilt.said" 2>&1 || {
		tail -n 12 "$tmp/quilt.said"
		return 1
	}
}

# Print the hash of all that is in the directory $1, as it is on disk.
tree_of()
{
	(
		cd "$1"
		export GIT_INDEX_FILE=$tmp/index
		rm -f "$tmp/index"
		git read-tree HEAD
		git add -f -A -- . ':!.pc'
		git write-tree
	)
}

same_tree()
{
	[ "$1" = "$2" ] || git -C "$tmp/am" diff --stat "$1" "$2" 2>/dev/null ||
		echo "tree $1 is not tree $2"
}

base=$SLOT/linux-base
if ! git -C "$base" rev-parse -q --verify base >/dev/null 2>&1; then
	echo "Bail out! no $base: run make perf-base"
	exit 1
fi
release=$(make -sC "$base" kernelversion)

echo "TAP version 13"
check "the series and the files agree" series_agrees
check "no patch is signed off" unsigned

# git am takes the files that it changes from the index.
git clone -q --shared --no-checkout "$base" "$tmp/am"
git -C "$tmp/am" read-tree HEAD
check "git am applies the stack" git_am
check_moved "git am finds each line where the patch says" "$tmp/am.said"
am_tree=$(git -C "$tmp/am" rev-parse 'HEAD^{tree}')
check "$(basename "$SLOT")/linux is what git am makes of it" \
	same_tree "$am_tree" "$(git -C "$SLOT/linux" rev-parse 'stack^{tree}')"

git clone -q --shared "$base" "$tmp/quilt"
check "quilt push -a applies the stack" quilt_do push -a
check_moved "quilt finds each line where the patch says" "$tmp/quilt.said"
check "quilt makes what git am makes" same_tree "$am_tree" "$(tree_of "$tmp/quilt")"
check "quilt pop -a takes the stack off" quilt_do pop -a
check "quilt leaves the tree as it was" \
	same_tree "$(git -C "$base" rev-parse 'base^{tree}')" "$(tree_of "$tmp/quilt")"
echo "1..$n"
