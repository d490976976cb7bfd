#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Check how our own C programs, in tools/ and selftests/, are laid out, with
# clang-format and the .clang-format of the base. Prints TAP.
#
# usage: [BASE=v6.12 | KDIR=path] check-format.sh
#
# The kernel's style leaves open what clang-format does not: where a line that is
# short enough is broken, and whether names, values and comments of several lines
# stand in columns. A file is good if clang-format would change nothing else.

set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
git_setup
# shellcheck source=scripts/check-lib.sh
. "$TOP/scripts/check-lib.sh"
need_trees
cd "$TOP"

# As for checkpatch.pl, which leaves messages in one piece, too.
max_width=100
sed 's/^ColumnLimit:.*/ColumnLimit: 0/' "$linux/.clang-format" >"$tmp/style"

# One blank where columns may be.
no_columns()
{
	sed -E ':again
		s/([^[:space:]])([ ]{2,}|[ ]*\t[[:space:]]*)([^[:space:]])/\1 \3/
		t again'
}

formatted()
{
	clang-format --style=file:"$1" "$2" 2>>"$tmp/said" || echo "clang-format ended with status $?"
}

file_is_good()
{
	expand "$1" | awk -v max=$max_width -v file="$1" \
		'length() > max && !/"/ { print file ":" NR ": longer than " max }'
	: >"$tmp/said"
	if ! formatted "$linux/.clang-format" "$1" | cmp -s - "$1"; then
		formatted "$tmp/style" "$1" | no_columns |
			diff -U0 --label "$1" --label clang-format <(no_columns <"$1") -
	fi
	cat "$tmp/said"
}

works()
{
	printf 'int main(void) {\n    return 0;\n}\n' >"$tmp/fault.c"
	[ -n "$(file_is_good "$tmp/fault.c")" ]
}

echo "TAP version 13"
check "clang-format finds a fault" works
while read -r file; do
	check "clang-format has nothing to say about $file" file_is_good "$file"
done < <(git ls-files -- 'tools/*.[ch]' 'selftests/*.[ch]')
plan
