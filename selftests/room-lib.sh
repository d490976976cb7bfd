# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Small filesystems of which a test says, to the byte, how much room they have
# left. Each is made once and emptied between the uses. Sourced after lib.sh,
# by a script in a mount namespace of its own.
#
#	fs_make NAME		make and mount one at WORK/fs; OUTDIR is where files go
#	fs_use NAME		have that one there, made now or before
#	leave_room BYTES	empty OUTDIR, then have this much room for data
#	measure_room		how many bytes a plain writer can store there: CAPACITY
#	empty_outdir		remove what is in OUTDIR
#	new_file FILE		make an empty file, even where no room is left
#	fs_used			KiB in use; wait_used KIB: until it is no more than that
#	fs_unmake		unmount it; complains if somebody keeps it busy
#
# NAME is tmpfs, ext4, xfs, btrfs, qgroup (btrfs, limited by a quota group),
# overlay (overlayfs on an upper tmpfs), or host (that of TMPDIR, of which all
# there is is left). FULL is what the kernel says when there is no more room.

FS=
PATH=$PATH:/usr/sbin:/sbin

# Where there is no limit to reach, and what all filesystems below have room for.
# shellcheck disable=SC2034 # for the tests
PLENTY=$((20 << 20))

# fs_missing NAME: says why NAME cannot be tested here, if so.
fs_missing()
{
	local type=$1 mkfs

	case $1 in
	tmpfs | host) return ;;
	overlay) mkfs=true ;;
	qgroup) type=btrfs mkfs=mkfs.btrfs ;;
	*) mkfs=mkfs.$1 ;;
	esac
	if ! real_root; then
		echo "$1 needs root"
	elif ! command -v "$mkfs" >/dev/null; then
		echo "$mkfs is not installed"
	elif ! grep -qw "$type" /proc/filesystems &&
		! modprobe -q "$type" 2>/dev/null; then
		echo "the kernel has no $type"
	fi
}

# Runs a command that must work.
must()
{
	"$@" >"$WORK/must.log" 2>&1 ||
		bail "$*: $(head -n 1 "$WORK/must.log")"
}

make_image()
{
	truncate -s "$2" "$WORK/image"
	must "mkfs.$1" -q "${@:3}" "$WORK/image"
	must mount -o loop -t "$1" "$WORK/image" "$WORK/fs"
}

fs_make()
{
	FS=$1
	# shellcheck disable=SC2034 # for the tests
	FULL="No space left on device"
	OUTDIR=$WORK/fs/out
	FILLER=$WORK/fs/filler
	mkdir -p "$WORK/fs"
	case $FS in
	tmpfs)
		must mount -t tmpfs -o size=64M none "$WORK/fs"
		;;
	overlay)
		mkdir -p "$WORK/upper" "$WORK/lower"
		must mount -t tmpfs -o size=64M none "$WORK/upper"
		mkdir "$WORK/upper/upper" "$WORK/upper/work"
		must mount -t overlay -o "lowerdir=$WORK/lower,upperdir=$WORK/upper/upper,workdir=$WORK/upper/work" \
			none "$WORK/fs"
		;;
	ext4)	make_image ext4 64M -m 0 -b 4096 ;;
	xfs)	make_image xfs 300M ;;
	btrfs)	make_image btrfs 128M ;;
	qgroup)
		make_image btrfs 192M
		must btrfs quota enable "$WORK/fs"
		must btrfs subvolume create "$WORK/fs/out"
		QGROUP=0/$(btrfs inspect-internal rootid "$WORK/fs/out")
		# shellcheck disable=SC2034
		FULL="Disk quota exceeded"
		;;
	esac
	mkdir -p "$OUTDIR" "$FILLER"
	fs_fill
}

# Fill it up with files, to be removed by the piece: a part of an extent gives
# nothing back on btrfs. At least 1 MiB of it is in small ones.
fs_fill()
{
	local n=0

	TAKEN_LARGE=0 TAKEN_SMALL=0
	case $FS in
	tmpfs | overlay | qgroup | host) return ;;
	esac
	: >"$FILLER/rest"
	[ "$FS" != xfs ] || touch "$FILLER"/spare{0..9}
	while fallocate -l 1M "$FILLER/$n" 2>/dev/null; do
		n=$((n + 1))
	done
	rm -f "$FILLER/$n" "$FILLER/0"
	sync -f "$WORK/fs"
	n=0
	while fallocate -l 4K "$FILLER/small$n" 2>/dev/null; do
		n=$((n + 1))
	done
	rm -f "$FILLER/small$n"
	sync -f "$WORK/fs"
	# xfs sets more aside for fallocate(2) than for write(2).
	dd if=/dev/zero of="$FILLER/rest" bs=4096 \
		conv=notrunc,fsync 2>/dev/null
	sync -f "$WORK/fs"
}

empty_outdir()
{
	find "$OUTDIR" -mindepth 1 -delete
	# What was freed can be used from the next transaction on.
	case $FS in
	tmpfs | overlay | host) ;;
	*) sync -f "$WORK/fs" ;;
	esac
}

leave_room()
{
	empty_outdir
	case $FS in
	tmpfs | overlay) leave_room_memory "$1" ;;
	qgroup)		leave_room_quota "$1" ;;
	*)		leave_room_disk "$1" ;;
	esac
}

# A size of 0 would be no limit at all.
leave_room_memory()
{
	local on=$WORK/fs

	[ "$FS" = tmpfs ] || on=$WORK/upper
	must mount -o "remount,size=$(($1 + 4096))" "$on"
	[ -s "$FILLER/page" ] || head -c 4096 /dev/zero >"$FILLER/page"
}

# The quota is for what the subvolume takes with its tree, of which a file needs
# another node.
leave_room_quota()
{
	local used room=$1

	[ "$room" = 0 ] || room=$((room + 16384))

	must btrfs qgroup limit none "$QGROUP" "$WORK/fs"
	used=$(btrfs qgroup show --raw --sync "$WORK/fs" |
		awk -v group="$QGROUP" '$1 == group { print $2 }')
	must btrfs qgroup limit $((used + room)) "$QGROUP" "$WORK/fs"
}

# empty_or_fill SIZE FIRST MIDDLE END PREFIX: empty the files PREFIX<n> from FIRST
# to below MIDDLE, and fill those below END again. The files stay: a full
# filesystem may have no room for a new one.
empty_or_fill()
{
	local size=$1 n=$2 middle=$3 end=$4 prefix=$5

	for (( ; n < middle || n < end; n++)); do
		if [ "$n" -lt "$middle" ]; then
			: >"$prefix$n"
		elif ! fallocate -l "$size" "$prefix$n" 2>/dev/null; then
			return 1
		fi
	done
}

leave_room_disk()
{
	local large=$(($1 >> 20)) small=$((($1 & ((1 << 20) - 1)) / 4096))

	if ! empty_or_fill 1M 1 $((large + 1)) $((TAKEN_LARGE + 1)) "$FILLER/" ||
		! empty_or_fill 4K 0 $small "$TAKEN_SMALL" "$FILLER/small"; then
		# What was freed is in pieces too small.
		set -- "$FS" "$large" "$small"
		fs_unmake
		fs_make "$1"
		must empty_or_fill 1M 1 $(($2 + 1)) 0 "$FILLER/"
		must empty_or_fill 4K 0 "$3" 0 "$FILLER/small"
	fi
	TAKEN_LARGE=$large TAKEN_SMALL=$small
	sync -f "$WORK/fs"
}

measure_room()
{
	dd if=/dev/zero of="$OUTDIR/measure" bs=4096 conv=fsync 2>/dev/null
	# shellcheck disable=SC2034 # for the tests
	CAPACITY=$(stat -c %s "$OUTDIR/measure" 2>/dev/null || echo 0)
	empty_outdir
}

# KiB that are in use.
fs_used()
{
	local used

	sync -f "$WORK/fs"
	used=$(df -k --output=used "$WORK/fs" | tail -n 1)
	echo $((used))
}

# wait_used KIB: until no more is in use: some filesystems take their time with
# files that were removed. What is used then is in USED.
wait_used()
{
	local try

	for ((try = 0; try < 100; try++)); do
		USED=$(fs_used)
		[ "$USED" -gt "$1" ] || return 0
		sleep 0.1
	done
	return 1
}

# new_file FILE: make an empty one, where there is no room left, if that can be.
# xfs cannot, but can move one.
new_file()
{
	local spare

	if [ "$FS" != xfs ]; then
		touch "$1" 2>/dev/null
		return
	fi
	for spare in "$FILLER"/spare*; do
		must mv "$spare" "$1"
		return
	done
}

fs_unmake()
{
	[ -n "$FS" ] || return
	[ "$FS" = host ] || umount "$WORK/fs" || diag "$FS: somebody keeps it busy"
	[ "$FS" != overlay ] || umount "$WORK/upper"
	rm -f "$WORK/image"
	FS=
}

fs_use()
{
	[ "$FS" != "$1" ] || return 0
	fs_unmake
	fs_make "$1"
}
