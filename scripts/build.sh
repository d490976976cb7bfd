#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Build perf with the stack, perf-base, the same tree without it, or perf-naive,
# see bench-naive.sh, into build/$BASE/perf, build/$BASE/perf-base or
# build/$BASE/perf-naive; prepares the tree first.
#
# usage: [BASE=v6.12 | KDIR=path] build.sh [perf | perf-base | perf-naive]
#
# Environment: SAN=1 or SAN=tsan builds perf with sanitizers into perf-san or
# perf-tsan; EXTRA_PERF_FLAGS goes to perf's makefile, for instance "DEBUG=1
# NO_JEVENTS=0"; JOBS, how many compilers run at a time; CCACHE_DIR.
# Exit status: as prepare.sh.

set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"

what=${1:-perf}
case "$what" in
perf) tree=$SLOT/linux ;;
perf-base) tree=$SLOT/linux-base ;;
perf-naive) tree=$SLOT/linux-naive ;;
*) die "usage: build.sh [perf | perf-base | perf-naive]" ;;
esac
out=$(perf_dir "$what")
log=$out.log

# Neither the kernel's nor perf's makefiles can.
[[ $SLOT != *[[:space:]:]* ]] ||
	die "perf cannot be built in a directory with a space or colon in its name ($SLOT); make $TOP/build a symbolic link to one without"

# Warnings are an error in "make check" only: a newer compiler has new ones for
# an old perf.
read -r -a flags < <(perf_flags)
flags+=(WERROR=0)
case "$what$SAN" in
perf1)
	flags+=(DEBUG=1 "EXTRA_CFLAGS=-fsanitize=address,undefined -fno-omit-frame-pointer") ;;
perftsan)
	flags+=(DEBUG=1 "EXTRA_CFLAGS=-fsanitize=thread -fno-omit-frame-pointer") ;;
esac
read -r -a extra <<<"${EXTRA_PERF_FLAGS:-}"
flags+=("${extra[@]}")

if [[ " ${flags[*]}" != *' CC='* ]] && ccache_setup; then
	flags+=("CC=ccache gcc")
fi

# Show that something is going on, until process $1 ends.
progress()
{
	local start=$SECONDS every=30 n took

	[ ! -t 2 ] || every=2
	while kill -0 "$1" 2>/dev/null; do
		sleep 0.2
		took=$((SECONDS - start))
		[ $((took / every)) -gt "${shown:-0}" ] || continue
		shown=$((took / every))
		n=$(grep -c -E '^ +(CC|CXX|LD|GEN) ' "$log" || true)
		if [ -t 2 ]; then
			printf '\r%s: %s: %d objects, %d s ' "$me" "$what" "$n" "$took" >&2
		else
			say "$what: $n objects, $took s"
		fi
	done
	[ ! -t 2 ] || [ -z "${shown:-}" ] || echo >&2
}

mkdir -p "$SLOT"
lock "$SLOT/lock"
case "$what" in
perf) "$TOP/scripts/prepare.sh" || exit ;;
perf-base) "$TOP/scripts/prepare.sh" base || exit ;;
perf-naive) "$TOP/scripts/bench-naive.sh" || exit ;;
esac
git_setup

mkdir -p "$out"
if [ ! -x "$out/perf" ]; then
	say "building $what of $(cat "$SLOT/version")"
fi
make -C "$tree/tools/perf" O="$out" -j"${JOBS:-$(nproc)}" "${flags[@]}" \
	>"$log" 2>&1 </dev/null &
pid=$!
trap 'kill "$pid" 2>/dev/null; exit 130' INT TERM HUP
progress "$pid"
if ! wait "$pid"; then
	grep -E '(error|Error|warning|undefined reference|\*\*\*)' "$log" |
		grep -v 'Waiting for unfinished' | tail -n 12 >&2 || true
	die "$what does not build; the whole output is in $log"
fi
[ -x "$out/perf" ] || die "make made no $out/perf; its output is in $log"
say "$out/perf: $("$out/perf" version)"
