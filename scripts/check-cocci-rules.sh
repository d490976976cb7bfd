#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Check that each semantic patch in scripts/coccinelle finds what it is to find,
# the lines in tests/NAME.match.c with "match" behind them, and nothing else, in
# that file or in tests/NAME.nomatch.c. Prints TAP.
#
# usage: check-cocci-rules.sh

set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
# shellcheck source=scripts/check-lib.sh
. "$TOP/scripts/check-lib.sh"
# shellcheck source=scripts/check-lib-cocci.sh
. "$TOP/scripts/check-lib-cocci.sh"

cd "$TOP/scripts/coccinelle"

finds()
{
	[ -f "tests/$1.match.c" ] || {
		echo "there is no tests/$1.match.c"
		return 1
	}
	grep -n '/\* match \*/$' "tests/$1.match.c" | sed "s|^|tests/$1.match.c:|; s|:\([0-9]*\):|:\1: |" >"$tmp/expected"
	[ -s "$tmp/expected" ] || echo "no line of tests/$1.match.c is marked"
	matches "$1.cocci" "tests/$1.match.c" | sort -t : -k 2n >"$tmp/found"
	diff -u0 --label expected --label found "$tmp/expected" "$tmp/found"
}

silent()
{
	[ -f "tests/$1.nomatch.c" ] || {
		echo "there is no tests/$1.nomatch.c"
		return 1
	}
	matches "$1.cocci" "tests/$1.nomatch.c"
}

echo "TAP version 13"
for rule in *.cocci; do
	rule=${rule%.cocci}
	check "$rule.cocci finds what it is to find" finds "$rule"
	check "$rule.cocci finds nothing else" silent "$rule"
done
plan
