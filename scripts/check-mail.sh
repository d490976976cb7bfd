#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Check that each topic of a stack can be made into the mails of a series, with
# make mail, which sends them to a file and reads that back; that it refuses to
# without somebody to sign off; and that no sign-off stays behind. Prints TAP.
#
# usage: [BASE=v6.12 | KDIR=path] check-mail.sh

set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
# shellcheck source=scripts/check-lib.sh
. "$TOP/scripts/check-lib.sh"
need_trees
export BASE_ORIGIN=environment OUT=$tmp/mail
out=$OUT/$(basename "$SLOT")

# mail SOB: the result is in $tmp/said.
mail()
{
	SOB=$1 TOPIC=$topic V=1 "$TOP/scripts/mail.sh" >"$tmp/said" 2>&1
}

made()
{
	mail "Check <check@example.org>" || {
		cat "$tmp/said"
		return 1
	}
	# It must have gone through both, where both are here
	grep -q "git am$(command -v b4 >/dev/null && echo ' and b4') make the same tree" "$tmp/said" ||
		cat "$tmp/said"
}

# Is all that a series needs in the mails?
complete()
{
	local dir=$out/$topic/v1 cover file

	cover=$dir/0000-cover-letter.patch
	[ -f "$cover" ] || {
		echo "there are none"
		return
	}
	! grep -n '\*\*\*' "$cover" || echo "the cover letter is not filled in"
	grep -q -E '^base(-commit)?: ' "$cover" || echo "no base is named"
	for file in "$dir"/*.patch; do
		grep -q '^To: .*@' "$file" || echo "$file: no maintainer"
		grep -q 'linux-perf-users@vger.kernel.org' "$file" || echo "$file: not to the list"
		[ "$file" = "$cover" ] ||
			[ "$(grep -c '^Signed-off-by: Check <check@example.org>$' "$file")" = 1 ] ||
			echo "$file: not signed off once"
	done
}

# refused SOB WHAT
refused()
{
	if mail "$1"; then
		echo "it was not refused"
	fi
	grep -q "$2" "$tmp/said" || cat "$tmp/said"
	[ ! -e "$out/$topic/v1" ] || echo "there is something in $out"
}

# Who has git know no name, or only that of the patches' authors.
refused_by_config()
{
	rm -rf "$OUT"
	(
		export GIT_CONFIG_COUNT=2
		export GIT_CONFIG_KEY_0=user.name GIT_CONFIG_VALUE_0="$1"
		export GIT_CONFIG_KEY_1=user.email GIT_CONFIG_VALUE_1="$2"
		refused "" "$3"
	)
}

unsigned()
{
	grep -r -i '^signed-off-by:' "$TOP/patches" || :
	git -C "$linux" log --format=%B base..stack | grep -i '^signed-off-by:' || :
}

echo "TAP version 13"
mapfile -t topics < <(sed -n 's/^# *topic: *\([a-z0-9-]*\) *$/\1/p' "$STACK/series")
for topic in "${topics[@]}"; do
	check "the series \"$topic\" is sent and read back" made
	check "the mails of \"$topic\" have all that they need" complete
done
check "it is refused without a name" refused_by_config "" "" 'nobody to sign'
check "it is refused in the name of nobody" refused_by_config "Some Maintainers" \
	maintainers@users.noreply.example.org 'cannot sign off'
check "nothing that is kept is signed off" unsigned
plan
