#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# perf record in company and in want: two at once, many files in a row, little
# address space, few file descriptors, signals in the modes that have more than
# one file. Usage and environment: see lib.sh.

. "$(dirname "$0")/lib.sh"
private_mounts "$@"
setup
ulimit -c 0

OUT=$WORK/perf.data
# Of BPF programs nothing is to be seen here; perf would wait for such events at
# the end of each recording.
EVENTS=(--no-bpf-event -e page-faults:u -c 1 -d)
OPTIONS=(--no-out-pages --out-pages=1 --out-pages=64M)

t_two()
{
	local option i pids

	describe "two perf records at once on one filesystem with little room"
	mount_tmpfs 8M
	for option in "${OPTIONS[@]}"; do
		pids=()
		for i in 1 2; do
			"$PERF" record -N -o "$WORK/fs/$i.data" "$option" -m 512K \
				"${COPIED[@]}" "${EVENTS[@]}" -- "$WORKLOAD" \
				pace 500 2000 pages 20000 >"log.$i" 2>&1 &
			pids+=($!)
		done
		for i in 1 2; do
			wait "${pids[i - 1]}" || fail "$option: perf $i: $(cat "log.$i")"
			judge_numbers "$WORK/fs/$i.data" 20000
			judge "$WORK/fs/$i.data"
		done
		rm -f fs/*
	done
	umount fs || fail "expected nobody to keep the filesystem busy"
}

t_switches()
{
	local option

	describe "many files of one perf: it has no more open and mapped than at the start"
	mount_tmpfs 64M
	mkdir -p tmp
	for option in --out-pages=1 --out-pages=64M; do
		rm -f fs/* counts
		# shellcheck disable=SC2016 # $0 is the workload
		TMPDIR=$WORK/tmp record_ok -o "$WORK/fs/perf.data" "$option" -B \
			--switch-output=signal "${COPIED[@]}" "${EVENTS[@]}" -- sh -c '
				count()
				{
					# Both need time: perf starts the next file.
					sleep 0.1
					echo $(ls /proc/$PPID/fd | wc -l) \
						$(grep -c " /.*/fs/perf.data" /proc/$PPID/maps)
				}
				"$0" pages 10
				count >counts
				for i in 1 2 3 4 5 6 7 8 9 10; do
					for j in 1 2 3 4 5; do
						kill -USR2 $PPID
						"$0" pages 10 usleep 20000
					done
				done
				count >>counts' "$WORKLOAD" || continue
		expect_eq "$option: descriptors and mappings at the end" \
			"$(tail -n 1 counts)" "$(head -n 1 counts)"
		expect_ge "$option: files" "$(find fs -name 'perf.data.*' | wc -l)" 10
		expect_eq "$option: temporary files" "$(ls -A tmp)" ""
		for file in fs/perf.data.*; do
			[ -z "$LINT" ] || "$LINT" "$file" >"$LOG" 2>&1 ||
				fail "$option: expected perfdata-lint to accept $file"
		done
	done
	rm -f fs/*
	expect_eq "KiB in use without the files" \
		"$(df -k --output=used fs | tail -n 1 | tr -d ' ')" 0
	umount fs || fail "expected nobody to keep the filesystem busy"
}

# smallest FROM TO STEP COMMAND...: the smallest limit with which "COMMAND LIMIT"
# succeeds, to STEP exactly, where it fails with FROM and succeeds with TO.
smallest()
{
	local low=$1 high=$2 step=$3 mid
	shift 3

	while ((high - low > step)); do
		mid=$(((low + high) / 2))
		if "$@" "$mid"; then
			high=$mid
		else
			low=$mid
		fi
	done
	echo "$high"
}

written_as()
{
	rm -f "$OUT"*
	VIA=(prlimit "--as=$1")
	perf_record -o "$OUT" --no-out-pages -B -m 16 "${COPIED[@]}" "${EVENTS[@]}" \
		-- "$WORKLOAD" pace 200 2000 pages 3000
	VIA=()
	[ "$RC" = 0 ]
}

t_as()
{
	local least more mapped

	describe "an address space too small for a segment: smaller ones, or write(2)"
	least=$(smallest $((4 << 20)) $((256 << 20)) $((256 << 10)) written_as)
	for more in 0 512 1024 4096 20480 204800; do
		rm -f "$OUT"* maps
		VIA=(prlimit "--as=$((least + (more << 10)))")
		record_ok -o "$OUT" -B -m 16 "${COPIED[@]}" "${EVENTS[@]}" -- \
			"$WORKLOAD" pace 200 2000 pages 3000 maps maps
		VIA=()
		expect_no_log "out-pages|falling back|mapp"
		judge "$OUT" || continue
		judge_numbers "$OUT" 3000
		mapped=$(awk -v out="$OUT" '$NF == out { split($1, a, "-")
				print a[1], a[2] }' maps | {
			from=0 to=0
			read -r from to
			echo $((0x$to - 0x$from))
		})
		# What is little for perf need not leave a page, but this does.
		[ "$more" -lt 4096 ] || expect_ge "$more KiB more than perf needs: mapped" \
			"$mapped" 65536
		[ "$more" -gt 20480 ] || expect_le "$more KiB more than perf needs: mapped" \
			"$mapped" $((32 << 20))
	done
	expect_eq "with enough: mapped" "$mapped" $((64 << 20))
}

# with_nofile N ARGS: record into a directory with N file descriptors.
with_nofile()
{
	VIA=(prlimit "--nofile=$1")
	shift
	rm -rf "$OUT"* maps
	perf_record -o "$OUT" --threads "${EVENTS[@]}" "$@" -- \
		"$WORKLOAD" pages 300 maps maps
	VIA=()
	[ "$RC" = 0 ]
}

written_nofile()
{
	with_nofile "$1" --no-out-pages
}

t_nofile()
{
	local least n written

	describe "--threads with as few file descriptors as write(2) can do with, and less"
	least=$(smallest 4 $((32 + 8 * $(nproc --all))) 1 \
		written_nofile)
	for ((n = least - 3; n < least + 3; n++)); do
		with_nofile $n --no-out-pages
		written=$RC
		with_nofile $n
		expect_eq "$n descriptors: exit status, against write(2)" "$RC" "$written"
		[ "$RC" = 0 ] || continue
		expect_eq "$n descriptors: data files, against those that were mapped" \
			"$(find "$OUT" -name 'data.*' | wc -l)" \
			"$(grep -c "rw-s .*$OUT/data\\." maps)"
		judge_read "$OUT" 300
	done
	with_nofile $((least + 8)) || fail "expected some more descriptors to do"
}

# ended STEPS: in each mode, perf or the workload gets a signal after 3000 pages.
ended()
{
	local args status=

	for args in --threads --timestamp-filename --switch-output=signal "-z1 -m 2M"; do
		if [[ $args == -z* ]] && ! has_feature zstd; then
			continue
		fi
		rm -rf "$OUT"*
		# shellcheck disable=SC2086 # several arguments
		perf_record -o "$OUT" $args "${COPIED[@]}" "${EVENTS[@]}" -- \
			"$WORKLOAD" pages 3000 "$@"
		status=${status:-$RC}
		expect_eq "$args: exit status, against the others" "$RC" "$status"
		judge_read "$OUT"* 3000
		for file in "$OUT"*; do
			[ -z "$LINT" ] || "$LINT" "$file" >"$LOG" 2>&1 ||
				fail "$args: expected perfdata-lint to accept $file"
			[ -d "$file" ] || judge "$file"
		done
	done
}

t_int()
{
	describe "SIGINT to perf with several files, renamed ones, compressed ones"
	ended signal "$(kill -l INT)" usleep 30000000
}

t_term()
{
	describe "SIGTERM to perf, likewise"
	ended signal "$(kill -l TERM)" usleep 30000000
}

t_hup()
{
	describe "SIGHUP to perf, likewise"
	ended signal "$(kill -l HUP)" usleep 30000000
}

t_killed()
{
	describe "the workload dies of SIGABRT, likewise"
	ended raise "$(kill -l ABRT)"
}

run_cases t_two t_switches t_as t_nofile t_int t_term t_hup t_killed
