#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Recordings on small ext3, ext4, xfs and btrfs images: equal in size to those
# of write(2), good, and in order when the filesystem is full, turns read-only or
# dies. Needs root, for the loop devices. Usage and environment: see lib.sh.

. "$(dirname "$0")/lib.sh"
private_mounts "$@"
setup

# mount_image TYPE SIZE: make and mount a filesystem at WORK/fs; returns 1 and
# marks the case as skipped where that cannot be.
mount_image()
{
	local mkfs=mkfs.$1 log=$WORK/mkfs.log

	if ! real_root; then
		skip "$1 on a loop device needs root"
		return 1
	fi
	PATH=$PATH:/usr/sbin:/sbin
	if ! command -v "$mkfs" >/dev/null; then
		skip "$mkfs is not installed"
		return 1
	fi
	mkdir -p fs
	rm -f image
	truncate -s "$2" image
	if ! "$mkfs" -q image >"$log" 2>&1; then
		fail "$mkfs: $(head -n 1 "$log")"
		return 1
	fi
	if ! mount -o "loop${MOUNT_OPTIONS:-}" -t "$1" image fs 2>"$log"; then
		skip "$1 cannot be mounted: $(head -n 1 "$log")"
		return 1
	fi
}

unmount_image()
{
	umount fs || fail "umount: expected nobody to keep the filesystem busy"
	rm -f image
}

# good_on TYPE SIZE: mapped in several segment sizes, against write(2).
good_on()
{
	local option extra written=

	mount_image "$@" || return
	for option in --no-out-pages --out-pages=1 --out-pages=64K --out-pages=64M; do
		record_lossless "$WORK/fs/perf.data" "$option" "${COPIED[@]}" \
			-e page-faults:u -c 1 -d -- \
			"$WORKLOAD" pace 1000 300 pages 40000 || continue
		judge_numbers "$WORK/fs/perf.data" 40000
		judge "$WORK/fs/perf.data"
		sync -f fs
		extra=$(($(stat -c "%b * 512 - %s" fs/perf.data)))
		expect_le "$1, $option: bytes on disk beyond the length, against write(2)" \
			"$extra" $((${written:-$extra} + 65536))
		written=${written:-$extra}
		rm -f fs/perf.data*
	done
	unmount_image
}

# full_on TYPE SIZE: the workload fills the filesystem half-way.
full_on()
{
	local option size

	mount_image "$@" || return
	for option in --no-out-pages --out-pages=1 --out-pages=64M; do
		rm -f onterm
		# Some room that filling leaves is found later: write much more.
		record_fails -o "$WORK/fs/perf.data" "$option" -e page-faults:u -c 1 \
			-d --call-graph dwarf,8192 -- "$WORKLOAD" onterm onterm \
			pace 16 300 pages 128 fill "$WORK/fs/filler" pages 30000 \
			usleep 30000000
		expect_log "failed to write perf data, error: No space left on device"
		expect_eq "$1, $option: what the workload noted" "$(cat onterm)" SIGTERM
		size=$(stat -c %s fs/perf.data)
		expect_ge "$1, $option: length of the file" "$size" $((128 << 10))
		judge_cut "$WORK/fs/perf.data"
		expect_eq "$1, $option: bytes of another file that are not its own" \
			"$(tr -d f <fs/filler | wc -c)" 0
		rm -f fs/filler fs/perf.data*
		sync -f fs
	done
	unmount_image
}

# dies_on TYPE SIZE CAUSE COMMAND: half-way the COMMAND makes the filesystem take
# nothing any more, not even that the file be cut.
dies_on()
{
	local option cause=$3 command=$4 options=(--out-pages=64M --no-out-pages --threads)

	has_feature aio && options+=(--aio)
	for option in "${options[@]}"; do
		mount_image "$1" "$2" || return
		# shellcheck disable=SC2016 # for the inner shell
		record_fails -o "$WORK/fs/perf.data" "$option" "${COPIED[@]}" \
			-e page-faults:u -c 1 -d -- bash -c \
			'"$0" pace 1000 300 pages 20000; eval "$1"; "$0" pace 1000 300 pages 20000' \
			"$WORKLOAD" "$command"
		expect_log "failed to write perf data, error: $cause, nothing is kept in $WORK/fs/perf.data"
		expect_eq "$option: messages about it" "$(grep -c "failed to" "$LOG")" 1
		unmount_image
	done
}

# What errors=remount-ro does when ext4 finds one.
t_ext4_readonly()
{
	describe "ext4 finds an error and turns read-only"
	# shellcheck disable=SC2016 # for the inner shell
	MOUNT_OPTIONS=,errors=remount-ro dies_on ext4 64M "Read-only file system" \
		'echo 1 >/sys/fs/ext4/$(basename "$(findmnt -no SOURCE '"$WORK/fs"')")/trigger_fs_error'
}

t_ext4_dead()
{
	describe "ext4 is shut down"
	dies_on ext4 64M "Input/output error" "xfs_io -x -c shutdown $WORK/fs"
}

t_xfs_dead()
{
	describe "xfs is shut down"
	dies_on xfs 300M "Input/output error" "xfs_io -x -c shutdown $WORK/fs"
}

t_ext3()	{ describe "ext3, which has no fallocate"; good_on ext3 64M; }
t_ext4()	{ describe "ext4"; good_on ext4 64M; }
t_xfs()		{ describe "xfs"; good_on xfs 300M; }
t_btrfs()	{ describe "btrfs"; good_on btrfs 128M; }
t_ext3_full()	{ describe "ext3, filled by another half-way"; full_on ext3 64M; }
t_ext4_full()	{ describe "ext4, filled by another half-way"; full_on ext4 64M; }
t_xfs_full()	{ describe "xfs, filled by another half-way"; full_on xfs 300M; }
t_btrfs_full()	{ describe "btrfs, filled by another half-way"; full_on btrfs 128M; }

run_cases t_ext3 t_ext4 t_xfs t_btrfs t_ext3_full t_ext4_full t_xfs_full \
	t_btrfs_full t_ext4_readonly t_ext4_dead t_xfs_dead
