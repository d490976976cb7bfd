#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Run a command with the builds of a base in its environment: PERF (with the
# stack), PERF_BASE (without), LINT (the perf.data checker), LINUX and
# LINUX_BASE (the source trees), SLOT (the directory with all these). What is
# set already stays.
#
# usage: [BASE=v6.12 | KDIR=path] with-perf.sh COMMAND [ARGUMENT]...

set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"

[ $# -gt 0 ] || die "usage: with-perf.sh COMMAND [ARGUMENT]..."

# What the user names by a path from here is meant from here, wherever the
# command goes.
absolute()
{
	case $1 in
	/* | '') echo "$1" ;;
	*/*) realpath -m "$1" ;;
	*) echo "$1" ;;
	esac
}

PERF=$(absolute "${PERF:-$(perf_dir perf)/perf}")
PERF_BASE=$(absolute "${PERF_BASE:-$(perf_dir perf-base)/perf}")
LINT=$(absolute "${LINT:-$BUILD/tools/perfdata-lint}")
LINUX=${LINUX:-$SLOT/linux}
LINUX_BASE=${LINUX_BASE:-$SLOT/linux-base}
export BASE SLOT PERF PERF_BASE LINT LINUX LINUX_BASE
exec "$@"
