#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What a recording costs on disk, in blocks and not only in length: during and
# after no more than the one that write(2) makes. Usage and environment: see
# lib.sh.

. "$(dirname "$0")/lib.sh"
private_mounts "$@"
setup

# disk_size FILE ARGS: record into it; its length without the FINISHED_ROUND
# events, which come as perf finds time, goes to LENGTH, what it takes on disk
# beyond its length to EXTRA.
disk_size()
{
	local file=$1 size blocks
	shift

	rm -f "$file"*
	record_ok -o "$file" "$@" && judge "$file" && sync -f "$file" || return
	read -r size blocks < <(stat -c '%s %b' "$file")
	LENGTH=$((size - 8 * D[rounds]))
	EXTRA=$((blocks * 512 - size))
}

# compare_sizes DIRECTORY ARGS: a mapped recording takes what a written one
# takes, give or take what two recordings differ by.
compare_sizes()
{
	local dir=$1 option length extra
	shift

	disk_size "$dir/written.data" --no-out-pages "$@" || return
	length=$LENGTH extra=$EXTRA
	for option in --out-pages=1 --out-pages=64K --out-pages=64M --out-pages=1G; do
		disk_size "$dir/mapped.data" "$option" "$@" || return
		expect_le "$option: length, against write(2)" "$LENGTH" $((length + 8192))
		expect_le "$option: bytes on disk beyond the length, against write(2)" \
			"$EXTRA" $((extra + 16384))
	done
	rm -f "$dir"/*.data*
}

t_short()
{
	describe "20 KB on $(stat -f -c %T "$WORK")"
	compare_sizes "$WORK" -e page-faults:u -c 1 -- "$WORKLOAD" pages 300
}

t_medium()
{
	describe "5 MB on $(stat -f -c %T "$WORK")"
	compare_sizes "$WORK" -e page-faults:u -c 1 -d \
		"${COPIED[@]}" -- "$WORKLOAD" pace 1000 300 pages 100000
}

t_short_tmpfs()
{
	describe "20 KB on tmpfs"
	mount_tmpfs 256M
	compare_sizes "$WORK/fs" -e page-faults:u -c 1 -- "$WORKLOAD" pages 300
}

t_during()
{
	local during

	describe "20 KB on tmpfs takes little while it is recorded, too"
	mount_tmpfs 256M
	record_ok -o "$WORK/fs/perf.data" -e page-faults:u -c 1 --out-pages=64M -- \
		sh -c "\"\$0\" pages 300; df -k --output=used \"\$1\" >during" \
		"$WORKLOAD" "$WORK/fs" || return
	during=$(tail -n 1 during)
	expect_le "KiB in use while recording" "$((during))" 4096
	expect_ge "KiB in use while recording" "$((during))" 4
}

t_nothing_left()
{
	local used

	describe "nothing stays allocated behind the end, nor after the file is gone"
	mount_tmpfs 256M
	for option in --no-out-pages --out-pages=1 --out-pages=64M; do
		record_ok -o "$WORK/fs/perf.data" -e page-faults:u -c 1 -d "${COPIED[@]}" "$option" \
			-- "$WORKLOAD" pace 1000 300 pages 60000 || return
		used=$(df -k --output=used "$WORK/fs" | tail -n 1)
		expect_le "$option: KiB in use" "$((used))" \
			$(($(stat -c %s "$WORK/fs/perf.data") / 1024 + 64))
		rm "$WORK/fs/perf.data"
		used=$(df -k --output=used "$WORK/fs" | tail -n 1)
		expect_eq "$option: KiB in use without the file" "$((used))" 0
	done
}

t_room()
{
	describe "3 MB in segments of 64 MiB fit on a tmpfs of 6 MiB"
	mount_tmpfs 6M
	record_lossless "$WORK/fs/perf.data" -e page-faults:u -c 1 -d "${COPIED[@]}" -- \
		"$WORKLOAD" pace 1000 300 pages 60000 || return
	judge_numbers "$WORK/fs/perf.data" 60000
	judge "$WORK/fs/perf.data"
}

t_old()
{
	local sum

	describe "an older, longer file is renamed, not written into"
	record_ok -o perf.data -e page-faults:u -c 1 -d -- "$WORKLOAD" pages 5000
	sum=$(sha256sum <perf.data)
	record_ok -o perf.data -e page-faults:u -c 1 -d -- "$WORKLOAD" pages 50
	expect_eq "sum of perf.data.old" "$(sha256sum <perf.data.old)" "$sum"
	expect_le "length of the new file" "$(stat -c %s perf.data)" 20000
	judge "$WORK/perf.data"
}

run_cases t_short t_medium t_short_tmpfs t_during t_nothing_left t_room t_old
