#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Check the spelling of all text here, comments and messages of commits
# included, and of what the patches say and add. Prints TAP.
#
# usage: check-spelling.sh

set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
git_setup
# shellcheck source=scripts/check-lib.sh
. "$TOP/scripts/check-lib.sh"

cd "$TOP"

# No words: a function of perf, a part of a regular expression.
not_words=writen,mapp

# What is in $tmp stands for a file or text that has a name without it.
spell()
{
	codespell --check-hidden --check-filenames -L "$not_words" "$@" |
		sed "s|^$tmp/||"
}

files()
{
	local -a names

	mapfile -t names < <(git ls-files -- . ':!patches' ':!*.svg')
	spell "${names[@]}"
}

# Context lines are other people's.
patches()
{
	local patch

	for patch in patches/*/*.patch; do
		mkdir -p "$tmp/$(dirname "$patch")"
		sed -n '/^diff --git /,$ { /^+/!s/.*//; }; p' "$patch" >"$tmp/$patch"
	done
	spell "$tmp/patches"
}

messages()
{
	git log --format='%h %s%n%b' >"$tmp/messages"
	spell "$tmp/messages"
}

works()
{
	# in two parts, as this file is checked, too
	echo "rec""ieve" >"$tmp/fault"
	spell "$tmp/fault" | grep -q receive
	rm "$tmp/fault"
}

echo "TAP version 13"
check "codespell finds a fault" works
check "codespell finds none in the files" files
check "codespell finds none in what the patches add" patches
check "codespell finds none in the messages of the commits" messages
plan
