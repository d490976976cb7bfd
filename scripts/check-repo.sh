#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Check what git keeps of this project, whatever the language: licence lines,
# white space, and what must not be in it. Prints TAP.
#
# usage: check-repo.sh

set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
git_setup
# shellcheck source=scripts/check-lib.sh
. "$TOP/scripts/check-lib.sh"

cd "$TOP"
git rev-parse -q --verify HEAD >/dev/null 2>&1 ||
	die "$TOP is not a git tree; this looks at what git keeps"

# Patches have the licence of what they patch; what is drawn, measured or found
# by a program has that of the program; the kernel's selftests have none in
# "config" and "settings".
no_spdx_line=(':!COPYING' ':!LICENSES' ':!patches' ':!*.svg' ':!*.csv'
	':!tools/tests/fuzz' ':!selftests/config' ':!selftests/settings')

spdx()
{
	local file

	git ls-files -z -- . "${no_spdx_line[@]}" | while read -r -d '' file; do
		[ -f "$file" ] || continue
		head -n 3 "$file" | grep -q 'SPDX-License-Identifier: [A-Z]' ||
			echo "$file: no SPDX-License-Identifier in its first lines"
	done
}

# Each licence that a line names is there to be read.
licences()
{
	local name

	git grep -h -I -o 'SPDX-License-Identifier: [A-Z][A-Za-z0-9.+-]*' \
		-- . "${no_spdx_line[@]}" | sed 's/.*: //' | sort -u |
		while read -r name; do
			[ -f "LICENSES/preferred/$name" ] ||
				echo "LICENSES/preferred/$name is missing"
		done
}

# All lines count as new ones. In patches, a blank may be all of a line; what git
# takes for a conflict may be a headline.
white_space()
{
	git diff --check "$(git hash-object -t tree /dev/null)" -- . \
		':!patches/*.patch' ':!LICENSES' | grep -v ': leftover conflict marker$' || :
}

executable()
{
	local file

	git ls-files -z -- . ':!patches' | while read -r -d '' file; do
		[ -f "$file" ] || continue
		if [ "$(head -c 2 "$file" | tr -d '\0')" = '#!' ]; then
			[ -x "$file" ] || echo "$file: starts with #! and is not executable"
		else
			[ ! -x "$file" ] || echo "$file: is executable and does not start with #!"
		fi
	done
}

# unwanted PATTERN PATHSPEC...: no line of text matches the pattern.
unwanted()
{
	git grep -n -I -P -e "$@" || :
}

# In patches, what others have left open is not ours.
left_open()
{
	unwanted '\b([T]ODO|[F]IXME|[X]XX)\b' -- . ':!patches/*.patch'
	unwanted '^\+.*\b([T]ODO|[F]IXME|[X]XX)\b' -- 'patches/*.patch'
	unwanted '^(<{7}|>{7}) ' -- .
}

# What the tests read is data.
binary()
{
	git ls-files --eol -- . ':!tools/tests/*.data' | sed -n -E 's|^i/(-text\|crlf\|mixed) .*\t|\1: |p'
}

# Where this very clone is; that says nothing where everybody may have one.
machine_path()
{
	local here

	here=$(dirname "$TOP")
	case $here in
	/ | /tmp | /var/tmp | /usr/src | /opt | /srv | /mnt | /home | /root) ;;
	*) git grep -n -I -F -e "$here/" -- . || : ;;
	esac
	git grep -n -I -P -e '(?<![\w$}.)])/(home|root|Users)/\w' -- . || :
}

echo "TAP version 13"
check "each file names its licence" spdx
check "the text of each licence is here" licences
check "white space is where it belongs" white_space
check "what starts with #! is executable, nothing else" executable
check "no binary files, no carriage returns" binary
check "no path of this machine" machine_path
check "no address of a package server" unwanted 'https?://[^ "]*/debian' -- .
check "nothing is marked as left open" left_open
# Only the person who submits a patch can give that.
check "nothing is signed off" unwanted \
	'^\W*(?i:signed-off-by|co-authored-by):.*@' -- .
plan
