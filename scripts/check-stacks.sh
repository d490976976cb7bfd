#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Check that the stacks belong together: the same patches in the same order on
# every base, and below the same topics. Prints TAP.
#
# usage: check-stacks.sh

set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
# shellcheck source=scripts/check-lib.sh
. "$TOP/scripts/check-lib.sh"

# "topic slug" of each patch of the stack $1.
topics()
{
	awk '/^# *topic:/ { topic = $NF }
		!/^[ \t]*(#|$)/ { sub(/^[0-9]*-/, ""); print topic, $1 }' \
		"$TOP/patches/$1/series"
}

same_topics()
{
	local newest other

	newest=$(stacks | tail -n 1)
	for other in $(stacks); do
		diff -u0 --label "$newest" --label "$other" \
			<(topics "$newest") <(topics "$other") || :
	done
}

echo "TAP version 13"
check "all stacks hold the same patches in the same order" \
	"$TOP/scripts/compare-stacks.sh" -q
check "the patches have the same topics in all stacks" same_topics
plan
