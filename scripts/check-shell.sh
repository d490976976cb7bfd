#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Check all shell scripts of this project with the shells that run them and
# with shellcheck. Prints TAP.
#
# usage: check-shell.sh

set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
git_setup
# shellcheck source=scripts/check-lib.sh
. "$TOP/scripts/check-lib.sh"

cd "$TOP"

# Print, each ended by a NUL, the names of the scripts, and with "bash" or "sh"
# only those for that shell.
scripts()
{
	git grep -l -z -I -E "^(#!.*[/ ]|# shellcheck shell=)${1:-(ba)?sh}\$" -- \
		. ':!patches' ':!Documentation'
}

# Also where somebody has forgotten to say which shell it is for.
unnamed()
{
	comm -z -13 <(scripts | sort -z) <(git ls-files -z -- '*.sh' | sort -z) |
		tr '\0' '\n'
}

syntax()
{
	scripts bash | xargs -0 -r -n 1 bash -n
	scripts sh | xargs -0 -r -n 1 sh -n
}

# A fault that is there must be found, or the silence means nothing.
works()
{
	# shellcheck disable=SC2016 # the fault is that it is not quoted
	printf '#!/bin/sh\nrm $1\n' >"$tmp/fault.sh"
	! shellcheck "$tmp/fault.sh" >/dev/null
}

clean()
{
	scripts | xargs -0 shellcheck -x -P .:SCRIPTDIR -f gcc
}

echo "TAP version 13"
check "each script says which shell it is for" unnamed
check "the shells can parse them" syntax
check "shellcheck finds a fault" works
check "shellcheck finds none here" clean
plan
