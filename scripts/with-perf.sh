#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Run a command with the builds of a base in its environment: PERF (with the
# stack), PERF_BASE (without), LINT (the perf.data checker), LINUX (the source
# tree with the stack). What is set already stays.
#
# usage: [BASE=v6.12 | KDIR=path] with-perf.sh COMMAND [ARGUMENT]...

set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"

[ $# -gt 0 ] || die "usage: with-perf.sh COMMAND [ARGUMENT]..."

export BASE
export PERF=${PERF:-$(perf_dir perf)/perf}
export PERF_BASE=${PERF_BASE:-$(perf_dir perf-base)/perf}
export LINT=${LINT:-$BUILD/tools/perfdata-lint}
export LINUX=${LINUX:-$SLOT/linux}
exec "$@"
