#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Check the patches of a stack as files: their headers, messages and names.
# That they apply is apply-check.sh's to find out, which also compares them
# with the series. Prints TAP.
#
# usage: [BASE=v6.12 | KDIR=path] check-patches.sh

set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
git_setup
# shellcheck source=scripts/check-lib.sh
. "$TOP/scripts/check-lib.sh"
# shellcheck source=scripts/refresh-lib.sh
. "$TOP/scripts/refresh-lib.sh"
need_trees

# Say what is wrong with the patch $1.
headers()
{
	awk -v file="$1" '
	function wrong(what) { print file ": " what }

	/^diff --git / { exit }
	in_body { if (/[^ \t]/) body++ }
	in_body && tolower($0) ~ /^(signed-off|co-authored|co-developed)-by:/ {
		wrong($1 " can only be given by a person")
	}
	# In front of the message: the author is in the header already
	in_body && body == 1 && /^From: / { wrong("a second From:") }
	in_body && length() > 75 && !/^(Link|Fixes|Closes|Reported-by|Suggested-by): / &&
		!/^([ \t]|[^ ]+$)/ { wrong("a line of the message is longer than 75: " $0) }
	/^$/ { in_body = 1 }
	in_body { next }

	NR == 1 && $2 !~ /^0+$/ { wrong("names a commit that nobody else has") }
	/^From: / { from++ }
	/^From: .*@|^ .*<.*@.*>$/ { address++ }
	/^Date: / { date++ }
	/^Subject: / { subjects++ }
	/^Subject: |^ / { subject = subject $0 }
	# What follows another header
	/^From:/ || /^Date:/ { subject = "" }

	END {
		if (from != 1 || address != 1)
			wrong("not one From: with an address")
		if (date != 1)
			wrong("not one Date:")
		sub(/^Subject: /, "", subject)
		if (subjects != 1 || !sub(/^\[PATCH\] /, "", subject))
			wrong("not one Subject: [PATCH]")
		if (subject !~ /^perf [a-z0-9-]+( [a-z0-9-]+)?: [A-Z]/)
			wrong("the subject is not \"perf area: What it does\"")
		if (subject ~ /\.$/ || length(subject) > 72)
			wrong("the subject ends with a stop, or is longer than 72")
		if (body < 2)
			wrong("the message does not say why")
	}' "$STACK/$1"
}

all_headers()
{
	local patch

	series | while read -r patch; do
		headers "$patch"
	done
}

# What a tool leaves in the tree must not be taken along.
only_perf()
{
	local patch

	series | while read -r patch; do
		grep '^diff --git ' "$STACK/$patch" |
			grep -v -E '^diff --git a/(tools/perf/[^ ]+) b/\1$' | sed "s|^|$patch: |" || :
	done
}

# Each patch stands below the heading of a topic, which make mail goes by.
topics()
{
	awk '
		/^# *topic: *[a-z0-9-]+ *$/ { topic = $NF; if (seen[topic]++) print topic ": twice" }
		!/^[ \t]*(#|$)/ && topic == "" { print $1 ": belongs to no topic" }
	' "$STACK/series"
}

as_refreshed()
{
	write_stack "$linux" stack "$tmp/new"
	diff -r -u0 --label "patches/$BASE" --label "make refresh" "$STACK" "$tmp/new"
}

echo "TAP version 13"
check "each patch has its headers, and a message that says why" all_headers
check "each patch has a topic" topics
check "each patch changes files of tools/perf only" only_perf

# Other lines and objects on another point release are no fault of the patches.
on=$(sed -n 's/^# *Base: *\([0-9.]*\) *$/\1/p' "$STACK/series" | head -n 1)
release=$(release_of "$linux")
if [ -n "$KDIR" ] || [ "${on:-$release}" != "$release" ]; then
	skip "the patches are as make refresh writes them" \
		"refreshed on $on, this is $release${KDIR:+ from $KDIR}"
else
	check "the patches are as make refresh writes them" as_refreshed
fi
plan
