# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Shared by make test and make check: run one part after the other, show and keep
# the TAP that each prints, and how long it took. To be sourced.
#
# Uses: results (the directory that the TAP is kept in, NAME.tap, and in "took" a
# line for each part). Sets: tap (the file of the part that runs), status (of a
# step).

# A part of the run begins; its results go to $tap.
begin()
{
	part=$1
	tap=${results:?}/$part.tap
	start=$SECONDS
	echo "== $part"
}

ended()
{
	echo "$part: $((SECONDS - start)) s" >>"$results/took"
}

# run NAME COMMAND...: run what prints TAP, keep what it prints. One that fails
# for reasons that its TAP does not tell is one test more that failed.
run()
{
	local status=0

	begin "$1"
	shift
	"$@" </dev/null 2>&1 | tee "$tap" || status=${PIPESTATUS[0]}
	if [ "$status" != 0 ] && ! grep -q '^not ok' "$tap"; then
		echo "Bail out! it ended with status $status" | tee -a "$tap"
	fi
	ended
}

# step NUMBER DESCRIPTION COMMAND...: something that succeeds or fails, as one
# test; leaves its exit status in $status. One that ends with 4 cannot be had.
step()
{
	local number=$1 what=$2

	status=0
	shift 2

	"$@" 2>&1 | tee "$results/said" || status=${PIPESTATUS[0]}
	case $status in
	0) echo "ok $number $what" ;;
	4) echo "ok $number $what # SKIP $(tail -n 1 "$results/said")" ;;
	*) echo "not ok $number $what" ;;
	esac
}
