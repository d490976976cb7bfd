#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Check all that reviewers and their tools look at, on all bases or on the one
# that was asked for, after having installed what that needs. Each check is a
# script of its own, check-NAME.sh, and says in its first lines what it does. The
# last line is "N passed, N failed, N skipped"; the results are kept in
# build/check.
#
# usage: [BASE=v6.12 BASE_ORIGIN=environment | KDIR=path] check.sh
#
# Environment: CHECKS="NAME...", these only; QUICK=1, build each patch with gcc
# on the newest base only, and leave out what make test does, too; COMPILERS, see
# check-build.sh.
#
# Half of the time goes into building patch after patch, which can be done beside
# all the rest: what that prints is shown when the rest is done.
# Exit status: 1 if a check failed.

set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
# shellcheck source=scripts/tap-run.sh
. "$(dirname "$0")/tap-run.sh"

scripts=$TOP/scripts
results=$BUILD/check/results
# Those of the project, those of each stack; cheap ones first.
once=(repo shell spelling cppcheck cocci-rules stacks)
each=(apply patches checkpatch stack-shell format man mail sparse coccinelle)

wanted()
{
	[ -z "${CHECKS:-}" ] || [[ " $CHECKS " == *" $1 "* ]]
}

for name in ${CHECKS:-}; do
	[[ " ${once[*]} ${each[*]} build " == *" $name "* ]] ||
		die "CHECKS: there is no check \"$name\"; there are: ${once[*]} ${each[*]} build"
done

# The file of the check $1; what tests the patches has had a name before.
script_of()
{
	case $1 in
	apply) echo "$scripts/apply-check.sh" ;;
	*) echo "$scripts/check-$1.sh" ;;
	esac
}

setup()
{
	echo "1..1"
	step 1 "what the checks need is installed" "$scripts/deps.sh" check
}

# A base that is not served is one skip.
source_of()
{
	echo "1..1"
	step 1 "$1: the source is here, the stack applied" "$scripts/prepare.sh"
}

sources()
{
	local name

	for name in "${each[@]}" build; do
		wanted "$name" || continue
		run "$prefix-source" source_of "$prefix"
		break
	done
}

has_source()
{
	grep -q -s '^ok 1 [^#]*$' "$results/$prefix-source.tap"
}

checks()
{
	local name

	has_source || return 0
	for name in "${each[@]}"; do
		if wanted "$name" && ! [[ ${QUICK:-0}$name = 1apply ]]; then
			run "$prefix-$name" "$(script_of "$name")"
		fi
	done
}

builds()
{
	has_source || return 0
	if [ "${QUICK:-0}" != 1 ]; then
		run "$prefix-build" "$scripts/check-build.sh"
	elif [ "$BASE" = "$(stacks | tail -n 1)" ]; then
		run "$prefix-build" env COMPILERS=gcc "$scripts/check-build.sh"
	fi
}

# on_bases FUNCTION: call it with BASE and prefix set.
on_bases()
{
	for BASE in "${all[@]}"; do
		export BASE
		prefix=$(basename "$("$scripts/with-perf.sh" printenv SLOT)")
		"$1"
	done
}

# In a process group of its own, so that all of it can be ended.
start_builds()
{
	set -m
	on_bases builds >"$results/beside" 2>&1 </dev/null &
	beside=$!
	set +m
	trap 'kill -- "-$beside" 2>/dev/null' EXIT
}

mkdir -p "$BUILD/check"
lock "$BUILD/check/lock"
rm -rf "$results"
mkdir -p "$results"

run setup setup
for name in "${once[@]}"; do
	wanted "$name" && run "$name" "$(script_of "$name")"
done
mapfile -t all < <(bases)
export BASE_ORIGIN=
on_bases sources
if wanted build; then
	start_builds
fi
on_bases checks
if wanted build; then
	tail -n +1 -f --pid="$beside" "$results/beside"
	wait "$beside"
	trap - EXIT
fi

echo "== summary"
cat "$results/took"
rm -f "$results/said" "$results/beside" "$results/took"
"$scripts/tap-summary.sh" "$results"/*.tap
