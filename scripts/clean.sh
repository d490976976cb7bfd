#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Remove what was built; keep the downloads and the compiler cache, unless
# told to remove everything.
#
# usage: clean.sh [all]

set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"

if [ "${1:-}" = all ]; then
	find "$BUILD" -mindepth 1 -maxdepth 1 -exec rm -rf {} +
else
	find "$BUILD" -mindepth 1 -maxdepth 1 ! -name cache ! -name ccache \
		-exec rm -rf {} +
fi
