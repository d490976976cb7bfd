#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Write what was changed in build/$BASE/linux, the git tree with the stack
# applied, back into patches/$BASE: each commit on top of the tag "base" is a
# patch. Commits that "git commit --fixup" made are folded into those they fix
# first.
#
# usage: [BASE=v6.12] [FOLD=PATCH] [PORT=1 [PREV=REVISION]] refresh.sh [check]
#
#   FOLD=PATCH  what is changed and not committed belongs to this patch: its
#               number, its name or a part of that
#   PORT=1      then do the same change to the other stacks, see refresh-port.sh
#   check       change nothing, say what would change; exit status 1 if anything
#
# Documentation/submitting.rst shows it at work.

set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
# shellcheck source=scripts/refresh-lib.sh
. "$TOP/scripts/refresh-lib.sh"

[ -z "$KDIR" ] || die "KDIR is given; the patches are those of the base, without it"

linux=$SLOT/linux
stamp=$SLOT/linux.stamp

# The tree of the user, in its own words.
tree()
{
	git -C "$linux" "$@"
}

# Print the commit that is meant by FOLD.
fold_target()
{
	local name found

	found=$(series | awk -v want="$FOLD" '
		{ name = $0; sub(/\.patch$/, "", name) }
		want ~ /^[0-9]+$/ ? $0 + 0 == want + 0 : index(name, want)')
	[ -n "$found" ] || die "FOLD=$FOLD: no patch of patches/$BASE has that in its name"
	[ "$(wc -l <<<"$found")" = 1 ] ||
		die "FOLD=$FOLD: could be $(tr '\n' ' ' <<<"$found")"
	for commit in $(tree rev-list base..HEAD); do
		name=$(tree show -s --format=%f "$commit")
		# format-patch cuts long names
		[[ $name != "$(slug "${found%.patch}")"* ]] || echo "$commit"
	done | head -n 1
}

# Commit what is changed as a fix of the patch that FOLD names.
fold()
{
	local commit

	if tree status --porcelain | grep '^??' >&2; then
		die "git add the new files in $linux first"
	fi
	commit=$(fold_target)
	[ -n "$commit" ] || die "FOLD=$FOLD: its commit is no longer in $linux"
	tree commit -q -a --fixup="$commit"
}

# Put fixes where they belong.
autosquash()
{
	grep -q -E '^(fixup|squash|amend)! ' < <(tree log --format=%s base..HEAD) ||
		return 0
	GIT_SEQUENCE_EDITOR=: GIT_EDITOR=: tree rebase -q -i --autosquash \
		--empty=drop base >"$SLOT/refresh.log" 2>&1 || {
		tree diff >&2
		grep '^CONFLICT' "$SLOT/refresh.log" >&2 || :
		die "a fix and the patches after it conflict: edit and git add these files in $linux, git rebase --continue, then make refresh again"
	}
}

# Refuse what is not a row of finished commits.
look()
{
	local busy

	for busy in rebase-merge rebase-apply CHERRY_PICK_HEAD MERGE_HEAD; do
		[ ! -e "$linux/.git/$busy" ] ||
			die "a rebase, am, cherry-pick or merge in $linux is not finished"
	done
	[ "$(tree symbolic-ref -q HEAD)" = refs/heads/stack ] ||
		die "$linux is not on its branch \"stack\""
	tree merge-base --is-ancestor base HEAD ||
		die "the commits in $linux do not start from the tag base"
	[ -z "$(tree rev-list --merges base..HEAD)" ] ||
		die "there is a merge among the commits in $linux"
	if tree log --format='%h %s%n%b' base..HEAD | grep -i '^Signed-off-by:' >&2; then
		die "the patches here are not signed off; who sends them does that (make mail)"
	fi
}

mkdir -p "$SLOT"
lock "$SLOT/lock"
git_setup

# If it is the patches that have changed, it is the tree that is behind; and
# who has changed both has to say which it is to be.
"$TOP/scripts/prepare.sh" || exit

tmp=$(mktemp -d "$SLOT/refresh.XXXXXX")
trap 'rm -rf "$tmp"' EXIT

look
if [ "${1:-}" = check ]; then
	write_stack "$linux" HEAD "$tmp/new"
	diff -r -u0 "$STACK" "$tmp/new"
	exit
fi

if [ -n "${FOLD:-}" ]; then
	fold
elif [ -n "$(tree status --porcelain)" ]; then
	tree status --short >&2
	die "this is not committed in $linux: commit it (git commit --fixup=COMMIT for a change of a patch), or name the patch it belongs to with FOLD="
fi
autosquash
look
write_stack "$linux" HEAD "$tmp/new"
take_stack "$tmp/new"

# The patches now are what git am has to make this tree of.
before=$(tree rev-parse 'HEAD^{tree}')
printf '%s %s\n' "$(cut -d ' ' -f 1 "$stamp")" "$(tree rev-parse HEAD)" >"$stamp.new"
mv "$stamp.new" "$stamp"
"$TOP/scripts/prepare.sh" || exit
[ "$before" = "$(tree rev-parse 'HEAD^{tree}')" ] ||
	die "the patches do not make the tree they were made from; that should not be"

[ "${PORT:-0}" != 1 ] || exec "$TOP/scripts/refresh-port.sh"
