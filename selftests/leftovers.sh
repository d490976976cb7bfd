#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Short recordings in a row leave their files behind, and nothing else. Usage and
# environment: see lib.sh.

. "$(dirname "$0")/lib.sh"
private_mounts "$@"
setup

# Prints the processes of this mount namespace that run perf or the workload.
processes()
{
	local pid exe ns

	ns=$(readlink /proc/self/ns/mnt)
	for pid in /proc/[0-9]*; do
		exe=$(readlink "$pid/exe") || continue
		[ "$(readlink "$pid/ns/mnt")" = "$ns" ] || continue
		case $exe in
		"$PERF" | "$WORKLOAD") echo "${pid#/proc/} $exe" ;;
		esac
	done
}

t_fifty()
{
	local options=(--out-pages=64M --out-pages=1 --out-pages=64K --no-out-pages)
	local i used

	describe "50 recordings, one into the same file as the other"
	mount_tmpfs 64M
	mkdir -p "$WORK/tmp"
	for ((i = 0; i < 50; i++)); do
		TMPDIR=$WORK/tmp record_ok -o "$WORK/fs/perf.data" \
			"${options[i % 4]}" -e page-faults:u -c 1 -- \
			"$WORKLOAD" pages 30 || return
	done
	judge "$WORK/fs/perf.data"
	expect_eq "files" "$(cd "$WORK/fs" && echo *)" "perf.data perf.data.old"
	expect_eq "temporary files" "$(ls -A "$WORK/tmp")" ""
	expect_eq "processes" "$(processes)" ""
	used=$(df -k --output=used "$WORK/fs" | tail -n 1)
	expect_le "KiB in use" "$((used))" 64
	rm "$WORK/fs"/*
	used=$(df -k --output=used "$WORK/fs" | tail -n 1)
	expect_eq "KiB in use without the files" "$((used))" 0
	umount "$WORK/fs" || fail "expected nobody to keep the filesystem busy"
}

run_cases t_fifty
