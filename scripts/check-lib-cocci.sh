# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Shared by the checks that run spatch. To be sourced after check-lib.sh, whose
# directory it uses.

tmp=${tmp:?}

# matches RULE FILE...: print "FILE:LINE: TEXT" of each line that a semantic
# patch of ours marks with a star. spatch shows them as if it took them away.
matches()
{
	local rule=$1

	shift
	spatch --very-quiet --cocci-file "$rule" "$@" >"$tmp/spatch" 2>&1 || {
		echo "spatch ended with status $?"
		head -n 5 "$tmp/spatch"
		return 1
	}
	awk '
		/^--- / { file = $2; next }
		/^\+\+\+ / || /^diff / || /^$/ { next }
		/^@@ / { line = substr($2, 2) + 0; next }
		/^-/ { print file ":" line ": " substr($0, 2) }
		/^[- ]/ { line++; next }
		{ print }
	' "$tmp/spatch"
}
