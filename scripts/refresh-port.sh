#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Do what has changed in patches/$BASE to the other stacks, too. Called by
# "make refresh PORT=1".
#
# usage: [BASE=v6.12] [PREV=REVISION] refresh-port.sh
#
#   PREV   a commit of this repository in which the stacks were in step; by
#          default the last one that changed the other stack
#
# For each patch, git merges three ways: from what the tree was after the old
# patch, to what it is after the new one, is the change that the other tree
# after its patch of that name gets. What the other stack has of its own so
# stays. Where that conflicts, the conflict is shown and left in build/OTHER/port
# to be resolved; run again, git rerere knows the answer, for the patches that
# come after, too. patches/OTHER is written only when all is done.

set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
# shellcheck source=scripts/refresh-lib.sh
. "$TOP/scripts/refresh-lib.sh"

[ -z "$KDIR" ] || die "KDIR is given; the patches are those of the base, without it"
git_setup

from=$BASE
from_linux=$SLOT/linux

# commits TREE RANGE: "slug commit" of each, in order.
commits()
{
	local commit

	for commit in $(git -C "$1" rev-list --reverse "$2"); do
		echo "$(git -C "$1" show -s --format=%f "$commit") $commit"
	done
}

# commit_of LIST SLUG
commit_of()
{
	awk -v slug="$2" '$1 == slug { print $2; exit }' <<<"$1"
}

# The stack of $from as it was at $PREV, as commits in the tree $port, at the
# branch "old".
make_old()
{
	local patch

	git -C "$TOP" archive "$PREV" "patches/$from" | tar -xf - -C "$tmp" ||
		die "there is no patches/$from in $PREV"
	git -C "$port" checkout -q -f --detach from-base
	sed 's/#.*//; /^[[:space:]]*$/d' "$tmp/patches/$from/series" |
		while read -r patch; do
			git -C "$port" am -q --committer-date-is-author-date \
				"$tmp/patches/$from/$patch" ||
				die "patches/$from/$patch of $PREV does not apply"
		done
	git -C "$port" branch -q -f old
}

# A message in which both stacks may have something of their own.
merge_message()
{
	local which

	for which in ours old new; do
		git -C "$port" show -s --format=%B "${!which}" >"$tmp/$which"
	done
	if ! git merge-file -q "$tmp/ours" "$tmp/old" "$tmp/new"; then
		say "the messages of $slug conflict; taking that of patches/$from"
		cp "$tmp/new" "$tmp/ours"
	fi
}

# Show the conflict that is in $port.
show_conflict()
{
	git -C "$port" diff | head -n 200 >&2
	die "patches/$from/*-$slug conflicts with patches/$to (above): edit these files in $port, then make refresh PORT=1 again:
$(git -C "$port" diff --name-only --diff-filter=U | sed 's/^/  /')"
}

# An earlier run may have left a conflict, which is resolved by now.
take_resolution()
{
	[ -d "$port/.git" ] || return 0
	git -C "$port" rerere >/dev/null 2>&1
	if [ -n "$(git -C "$port" rerere remaining)" ] ||
		grep -q -E '^[ +-]{2}(<<<<<<<|>>>>>>>) ' < <(git -C "$port" diff); then
		die "there still is a conflict in $port"
	fi
	git -C "$port" reset -q --hard
}

# Set up $port: all that is needed of both trees, the branches from-base, new
# (this stack), old (this stack at $PREV), ours (the other stack).
set_up()
{
	take_resolution
	if [ ! -d "$port/.git" ]; then
		git clone -q --no-checkout "$to_linux" "$port"
		git -C "$port" config rerere.enabled true
		git -C "$port" config rerere.autoUpdate true
		git -C "$port" config merge.conflictStyle diff3
	fi
	git -C "$port" fetch -q -f "$from_linux" \
		+refs/tags/base:refs/heads/from-base +stack:new
	# in any case, what is checked out must not be one of them
	git -C "$port" checkout -q -f --detach from-base
	git -C "$port" fetch -q -f "$to_linux" \
		+refs/tags/base:refs/tags/base +stack:ours
	make_old
}

# One patch: the trees after it are $old (before the change) and $new; $ours is
# what the other stack has. Sets tree.
merge_trees()
{
	local change

	change=$(git -C "$port" commit-tree -m "$slug" "$old^{tree}")
	change=$(git -C "$port" commit-tree -m "$slug" -p "$change" "$new^{tree}")
	git -C "$port" checkout -q -f --detach "$ours"
	if ! git -C "$port" cherry-pick -n "$change" >"$tmp/said" 2>&1; then
		grep -q '^CONFLICT' "$tmp/said" || die "$(cat "$tmp/said")"
		# What was resolved in an earlier run is resolved now
		git -C "$port" rerere >/dev/null 2>&1
		[ -z "$(git -C "$port" ls-files -u)" ] || show_conflict
	fi
	tree=$(git -C "$port" write-tree)
}

port_to()
{
	local to=$1 to_linux=$BUILD/$1/linux port=$BUILD/$1/port tip tree
	local olds news others slug new old ours author

	PREV=${PREV:-$(git -C "$TOP" log -1 --format=%H -- "patches/$to")}
	[ -n "$PREV" ] || die "patches/$to is not committed here; PREV= has to say with what it is in step"
	BASE=$to BASE_ORIGIN='' "$TOP/scripts/prepare.sh" || exit
	mkdir -p "$port"
	rmdir "$port" 2>/dev/null || :
	set_up

	olds=$(commits "$port" from-base..old)
	news=$(commits "$port" from-base..new)
	others=$(commits "$port" base..ours)
	tip=$(git -C "$port" rev-parse base)
	# where both start; a new patch goes on from the one before it
	old=$(git -C "$port" rev-parse from-base)
	ours=$tip
	while read -r slug new; do
		local last_ours=$ours known

		known=$(commit_of "$olds" "$slug")
		if [ -n "$known" ]; then
			old=$known
			ours=$(commit_of "$others" "$slug")
			[ -n "$ours" ] || die "patches/$to has no patch $slug, which patches/$from had in $PREV"
			merge_message
		else
			git -C "$port" show -s --format=%B "$new" >"$tmp/ours"
		fi
		merge_trees
		if [ "$tree" = "$(git -C "$port" rev-parse "$tip^{tree}")" ]; then
			say "$slug changes nothing on $to: left out"
			continue
		fi
		author=$new
		[ -z "$known" ] || [ "$ours" = "$last_ours" ] || author=$ours
		tip=$(commit_as "$author" "$tree" "$tip")
	done <<<"$news"

	(
		BASE=$to STACK=$TOP/patches/$to
		write_stack "$port" "$tip" "$tmp/to-$to"
		take_stack "$tmp/to-$to"
	)
	BASE=$to BASE_ORIGIN='' "$TOP/scripts/prepare.sh" || exit
	rm -rf "$port"
}

# commit_as COMMIT TREE PARENT: author and date are those of COMMIT, the message
# is in $tmp/ours.
commit_as()
{
	local name email date

	IFS=$'\t' read -r name email date < <(
		git -C "$port" show -s --format='%an%x09%ae%x09%ad' --date=raw "$1")
	GIT_AUTHOR_NAME=$name GIT_AUTHOR_EMAIL=$email GIT_AUTHOR_DATE=$date \
		git -C "$port" commit-tree -F "$tmp/ours" -p "$3" "$2"
}

mkdir -p "$SLOT"
lock "$SLOT/lock"
"$TOP/scripts/prepare.sh" || exit
tmp=$(mktemp -d "$SLOT/refresh-port.XXXXXX")
trap 'rm -rf "$tmp"' EXIT

for other in $(stacks); do
	[ "$other" = "$from" ] || port_to "$other"
done
