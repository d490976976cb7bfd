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
# on the newest base only; COMPILERS, see check-build.sh.
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
each=(apply patches checkpatch stack-shell format man mail sparse coccinelle build)

wanted()
{
	[ -z "${CHECKS:-}" ] || [[ " $CHECKS " == *" $1 "* ]]
}

for name in ${CHECKS:-}; do
	[[ " ${once[*]} ${each[*]} " == *" $name "* ]] ||
		die "CHECKS: there is no check \"$name\"; there are: ${once[*]} ${each[*]}"
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

check_base()
{
	local prefix name

	prefix=$(basename "$("$scripts/with-perf.sh" printenv SLOT)")
	run "$prefix-source" source_of "$prefix"
	grep -q '^ok 1 [^#]*$' "$results/$prefix-source.tap" || return 0
	for name in "${each[@]}"; do
		wanted "$name" || continue
		if [ "$name" = build ] && [ "${QUICK:-0}" = 1 ]; then
			[ "$BASE" = "$(stacks | tail -n 1)" ] || continue
			run "$prefix-$name" env COMPILERS=gcc "$(script_of "$name")"
		else
			run "$prefix-$name" "$(script_of "$name")"
		fi
	done
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
for BASE in "${all[@]}"; do
	export BASE
	for name in "${each[@]}"; do
		wanted "$name" || continue
		check_base
		break
	done
done
rm -f "$results/said"

echo "== summary"
printf '%s\n' "${took[@]}"
"$scripts/tap-summary.sh" "$results"/*.tap
