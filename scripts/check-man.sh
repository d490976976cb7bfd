#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Build the man pages that a stack changes, and read in them what it has written.
# Prints TAP.
#
# usage: [BASE=v6.12 | KDIR=path] check-man.sh

set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
git_setup
# shellcheck source=scripts/check-lib.sh
. "$TOP/scripts/check-lib.sh"
need_trees

# Debian's asciidoc is a module of Debian's python3, whatever else is called so.
PATH=/usr/bin:/bin:$PATH
docs=tools/perf/Documentation

# The page $1 as somebody with a plain terminal reads it.
page()
{
	groff -K utf8 -man -Tutf8 -P-cbou -rLL=78n -ww "$tmp/$1.1"
}

# Build page $1 and put its text into $tmp/page.
build()
{
	make -C "$linux/$docs" OUTPUT="$tmp/" "$tmp/$1.1" >"$tmp/make" 2>&1 || {
		cat "$tmp/make"
		return 1
	}
	grep -i -E 'warning|error' "$tmp/make" || :
	page "$1" >"$tmp/page"
}

# Letters and digits are what is left of a text however it is marked up, broken
# into lines or hyphenated.
bare()
{
	tr -c -d 'A-Za-z0-9'
}

# Each line that the stack adds to the source of page $1 is in the page.
text_is_there()
{
	local line text

	text=$(bare <"$tmp/page")
	git -C "$linux" diff -U0 base stack -- "$docs/$1.txt" |
		sed -n '/^+++ /d; s/^+//p' | while read -r line; do
		[[ $text == *"$(bare <<<"$line")"* ]] || echo "not in the page: $line"
	done
}

# Each option that the stack adds stands at the head of its text.
options_are_there()
{
	local name

	git -C "$linux" diff -U0 base stack -- "$docs/$1.txt" |
		sed -n -E 's/^\+[[:space:]]*([^ ].*)::$/\1/p' | while read -r name; do
		grep -q -E -x "^ +${name//./\\.}" "$tmp/page" || echo "no heading: $name"
	done
}

echo "TAP version 13"
mapfile -t files < <(stack_files AM "$docs/perf-*.txt")
for name in "${files[@]}"; do
	name=$(basename "$name" .txt)
	check "$name.1 is built without a warning" build "$name"
	check "$name.1 holds all that the stack says" text_is_there "$name"
	check "$name.1 has the new options as headings" options_are_there "$name"
done
# If nothing was changed, this is not the stack that it should be.
pages()
{
	[[ " ${files[*]} " == *" $docs/perf-$1.txt "* ]]
}
check "the stack documents its option in perf-record" pages record
check "the stack documents its setting in perf-config" pages config
plan
