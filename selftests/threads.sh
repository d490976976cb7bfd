#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# perf record --threads in all its specifications: a directory in which each
# thread maps a file of its own. With other sizes of segments: see modes.sh.
# Usage and environment: see lib.sh.

. "$(dirname "$0")/lib.sh"
setup

DIR=$WORK/dir
# Of BPF programs nothing is to be seen here; perf would wait for such events at
# the end of each recording.
EVENTS=(--no-bpf-event -e page-faults:u -c 1 -d)
ONLINE=$(cat /sys/devices/system/cpu/online)

# record_dir ARGS: record_ok into a new directory, perf's memory map into maps.
record_dir()
{
	rm -rf "$DIR" maps
	record_ok -o "$DIR" "$@" -- "$WORKLOAD" pace 500 300 pages 3000 \
		usleep 50000 maps maps pages 2000
}

# judge_files: each one was mapped, ends where its events end, and has no hole.
judge_files()
{
	local mapped

	mapped=$(awk -v dir="$DIR/data." 'index($NF, dir) == 1 { print $NF }' maps |
		sort -u | wc -l)
	expect_ge "data files" "$mapped" 1
	expect_eq "data files, against those that were mapped" \
		"$(find "$DIR" -name 'data.*' | wc -l)" "$mapped"
	judge_dir "$DIR"
}

# good ARGS: recorded into a directory whose files are good, with all samples.
good()
{
	record_dir "${COPIED[@]}" "${EVENTS[@]}" "$@" || return
	judge_files
	judge_read "$DIR" 5000
}

t_default()
{
	describe "--threads alone: a thread and a file for each CPU"
	good --threads || return
	expect_eq "data files" "$(find "$DIR" -name 'data.*' | wc -l)" "$(nproc --all)"
}

t_kinds()
{
	local spec

	describe "core, package, numa"
	for spec in core package numa; do
		good "--threads=$spec"
	done
}

# list_without CPU: the other CPUs that are online.
list_without()
{
	lscpu -p=cpu | grep -v -e "^#" -e "^$1\$" | paste -sd ,
}

t_masks()
{
	local first=${ONLINE%%[-,]*} others

	describe "masks of CPUs: one thread for all, several"
	good "--threads=$ONLINE/$ONLINE"
	others=$(list_without "$first")
	if [ -n "$others" ]; then
		good "--threads=$first/$first:$others/$others"
	fi
}

t_one()
{
	local cpu=${ONLINE%%[-,]*}

	describe "a mask with one CPU: the samples of that one"
	rm -rf "$DIR"
	record_ok -o "$DIR" "${COPIED[@]}" "${EVENTS[@]}" "--threads=$cpu/$ONLINE" -- \
		taskset -c "$cpu" "$WORKLOAD" pages 3000 maps maps pages 2000 || return
	judge_files
	judge_read "$DIR" 5000
}

t_written()
{
	describe "--no-out-pages: the same directory, nothing mapped"
	record_dir --threads --no-out-pages "${EVENTS[@]}" || return
	expect_eq "mappings of the data files" "$(grep -c "$DIR/data" maps)" 0
	judge_read "$DIR" 5000
}

t_compressed()
{
	describe "--threads -z: each file decompresses"
	if ! has_feature zstd; then
		skip "this perf is built without zstd"
		return
	fi
	good --threads -z
}

t_large()
{
	local option

	describe "several MB in each of several segments"
	for option in --out-pages=1 --out-pages=64K; do
		rm -rf "$DIR"
		record_ok -o "$DIR" --threads "$option" -m "$RING" "${EVENTS[@]}" \
			--call-graph dwarf,1024 -- "$WORKLOAD" pace 100 1000 pages 5000 \
			maps maps || continue
		judge_files
		judge_read "$DIR" 5000
	done
}

t_old()
{
	describe "a directory that is there is kept as dir.old"
	record_dir --threads "${EVENTS[@]}" || return
	record_ok -o "$DIR" --threads "${EVENTS[@]}" -- "$WORKLOAD" pages 10 || return
	judge_read "$DIR" 10
	judge_read "$DIR.old" 5000
}

run_cases t_default t_kinds t_masks t_one t_written t_compressed t_large t_old
