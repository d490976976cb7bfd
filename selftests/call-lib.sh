#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Calls one function of lib.sh, for the tests in C and for people:
#
#	call-lib.sh setup		can the tests run here?
#	call-lib.sh judge FILE		is it a good perf.data file?
#
# Environment: OUT_PAGES_WORK is a directory to work in instead of a new one;
# see lib.sh for the rest. Exit status 0: nothing was wrong; 4: cannot run.

. "$(dirname "$0")/lib.sh"

function=$1
shift
args=()
if [ "$function" = setup ]; then
	setup
	exit
fi
case $function in
judge*) set -- "$(realpath -- "$1")" "${@:2}" ;;
esac
setup
for arg in "$@"; do
	if [ "$arg" = WORKLOAD ]; then
		arg=$WORKLOAD
	fi
	args+=("$arg")
done
CASE_FAILED=0
"$function" "${args[@]}"
exit "$CASE_FAILED"
