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

scripts=$TOP/scripts
results=$BUILD/check/results
# Those of the project, those of each stack; cheap ones first.
once=(repo shell spelling cppcheck cocci-rules stacks)
each=(apply patches checkpatch stack-shell format man mail sparse coccinelle build)
took=()

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

# run NAME COMMAND...: run what prints TAP, keep what it prints. If it fails for
# a reason that its TAP does not tell, that is one failure more.
run()
{
	local name=$1 tap=$results/$1.tap start=$SECONDS status=0

	shift
	echo "== $name"
	"$@" </dev/null 2>&1 | tee "$tap" || status=${PIPESTATUS[0]}
	if [ "$status" != 0 ] && ! grep -q '^not ok' "$tap"; then
		echo "Bail out! it ended with status $status" | tee -a "$tap"
	fi
	took+=("$(printf '%5d s  %s' $((SECONDS - start)) "$name")")
}

# The packages, and the trees of a base, are a check of their own: what is not
# there is said once.
prepared()
{
	local status=0

	"$@" >"$results/said" 2>&1 || status=$?
	case $status in
	0) echo "ok 1 - $what" ;;
	4) echo "ok 1 - $what # SKIP $(tail -n 1 "$results/said")" ;;
	*) echo "not ok 1 - $what" ;;
	esac
	sed 's/^/# /' "$results/said"
	echo "1..1"
}

check_base()
{
	local prefix name

	prefix=$(basename "$("$scripts/with-perf.sh" printenv SLOT)")
	what="$prefix: the source is here, the stack applied"
	run "$prefix-source" prepared "$scripts/prepare.sh"
	grep -q '^ok 1 - [^#]*$' "$results/$prefix-source.tap" || return 0
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

what="what the checks need is installed"
run setup prepared "$scripts/deps.sh" check
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
