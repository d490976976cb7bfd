#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What perf record can write to: files by all kinds of names, pipes, devices,
# a filesystem without shared mappings. Usage and environment: see lib.sh.

. "$(dirname "$0")/lib.sh"
private_mounts "$@"
setup

# Of BPF programs nothing is to be seen here; perf would wait for such events at
# the end of each recording.
EVENTS=(--no-bpf-event -e page-faults:u -c 1 -d)

# good FILE N ARGS: record N pages with the arguments, FILE is what must be good
# then. It was mapped.
good()
{
	local file=$1 n=$2
	shift 2

	rm -f maps
	record_ok "${COPIED[@]}" "${EVENTS[@]}" "$@" -- \
		"$WORKLOAD" pages "$n" usleep 50000 maps maps || return
	expect_ge "$file: mappings of it" "$(grep -c " $file\$" maps)" 1
	judge_numbers "$file" "$n"
	judge "$file"
}

t_symlink()
{
	describe "-o through symbolic links: the target is written, the link stays"
	mkdir -p real
	ln -s real/target.data direct
	ln -s "$WORK/direct" indirect
	good "$WORK/real/target.data" 300 -o direct
	[ -L direct ] || fail "expected the link to stay"
	# An empty file is no older recording: nothing to be renamed.
	: >real/target.data
	good "$WORK/real/target.data" 400 -o indirect
	if [ ! -L direct ] || [ ! -L indirect ]; then
		fail "expected the links to stay"
	fi
}

t_old()
{
	describe "an existing perf.data becomes perf.data.old, an older one goes"
	good "$WORK/perf.data" 300
	good "$WORK/perf.data" 200
	judge_numbers "$WORK/perf.data.old" 300
	good "$WORK/perf.data" 100
	judge_numbers "$WORK/perf.data.old" 200
	judge "$WORK/perf.data.old"
}

t_names()
{
	local name

	describe "names with spaces, UTF-8, a new line, quotes, a long one"
	mkdir -p "ein Verzeichnis für später"
	for name in "ein Verzeichnis für später/Ergebnis Größe μs.data" \
		"new
line.data" "quote'\"\\.data" "-dash.data" "$(printf '%0250d' 7)"; do
		rm -f maps
		record_ok -o "$name" "${EVENTS[@]}" -- "$WORKLOAD" pages 300 ||
			continue
		judge_numbers "./$name" 300
		judge "./$name"
	done
}

t_pipe_report()
{
	local option n

	describe "-o - piped to perf report"
	for option in --no-out-pages --out-pages=64M; do
		"$PERF" record "$option" "${EVENTS[@]}" -o - -- "$WORKLOAD" pages 3000 \
			2>"$LOG" |
			"$PERF_BASE" report -i - --stdio -F sample,comm \
			>samples 2>report.log
		expect_eq "$option: exit statuses" "${PIPESTATUS[*]}" "0 0"
		n=$(awk '$2 == "workload" { print $1 }' samples)
		expect_ge "$option: samples that perf report counts" "${n:-0}" 3000
		expect_no_log "out-pages|falling back|mapp"
	done
}

t_pipe_inject()
{
	local n

	describe "-o - through perf inject into a file"
	"$PERF" record "${EVENTS[@]}" -o - -- "$WORKLOAD" pages 3000 2>"$LOG" |
		"$PERF" inject -b -i - -o injected.data 2>inject.log
	expect_eq "exit statuses" "${PIPESTATUS[*]}" "0 0"
	n=$("$PERF_BASE" script -F addr -i injected.data 2>>inject.log |
		grep -c "^ *1000[0-9a-f]\{8\}\$")
	expect_eq "samples of the workload that perf script shows" "$n" 3000
}

t_stdout_pipe()
{
	local option

	describe "-o /dev/stdout into a pipe ends as it does with write(2)"
	for option in --no-out-pages --out-pages=64M; do
		"$PERF" record -N "$option" "${EVENTS[@]}" -o /dev/stdout -- \
			"$WORKLOAD" pages 3000 2>"$LOG" | cat >"stdout$option"
		echo "${PIPESTATUS[0]}" >"status$option"
		expect_no_log "out-pages|falling back|mapp"
		expect_ge "$option: bytes that came through" \
			"$(stat -c %s "stdout$option")" 100000
	done
	expect_eq "exit status, against write(2)" "$(cat status--out-pages=64M)" \
		"$(cat status--no-out-pages)"
}

t_stdout_file()
{
	local option

	describe "-o /dev/stdout into a file"
	for option in --no-out-pages --out-pages=1 --out-pages=64M; do
		"$PERF" record -N "$option" "${COPIED[@]}" "${EVENTS[@]}" \
			-o /dev/stdout -- "$WORKLOAD" pages 3000 \
			>"$WORK/stdout.data" 2>"$LOG"
		expect_eq "$option: exit status" "$?" 0
		judge_numbers "$WORK/stdout.data" 3000
		judge "$WORK/stdout.data"
		rm -f stdout.data
	done
}

t_directory()
{
	describe "-o names a directory that is no recording: kept, as a file is"
	mkdir -p holds
	echo mine >holds/mine
	record_ok -o holds "${EVENTS[@]}" -- "$WORKLOAD" pages 300 || return
	judge "$WORK/holds"
	expect_eq "what is in holds.old" "$(cat holds.old/mine)" mine
}

t_nowhere()
{
	describe "-o in a directory that is not there: one message, nothing recorded"
	record_fails -o nowhere/perf.data "${EVENTS[@]}" -- "$WORKLOAD" note ran x
	expect_log "nowhere/perf.data"
	expect_absent nowhere
}

# mount_direct: at WORK/direct_io, a FUSE filesystem that has no page cache: shared
# mappings of its files are refused.
mount_direct()
{
	if ! command -v bindfs >/dev/null; then
		skip "bindfs is not installed"
		return 1
	fi
	if [ ! -c /dev/fuse ]; then
		skip "no /dev/fuse"
		return 1
	fi
	mkdir -p behind direct_io
	if ! bindfs -o direct_io behind direct_io >"$WORK/bindfs.log" 2>&1; then
		skip "bindfs cannot mount: $(head -n 1 "$WORK/bindfs.log")"
		return 1
	fi
}

t_fuse()
{
	local option

	describe "FUSE with direct_io, no shared mapping: written, without a word"
	mount_direct || return
	for option in --no-out-pages --out-pages=1 --out-pages=64M; do
		rm -f maps
		record_ok -o direct_io/perf.data "$option" "${COPIED[@]}" \
			"${EVENTS[@]}" -- "$WORKLOAD" pages 20000 maps maps || continue
		expect_no_log "out-pages|falling back|mapp"
		expect_eq "mappings of the file" "$(grep -c direct_io/perf.data maps)" 0
		judge_numbers "$WORK/behind/perf.data" 20000
		judge "$WORK/behind/perf.data"
		rm -f direct_io/perf.data*
	done
	record_ok -v -o direct_io/perf.data "${EVENTS[@]}" -- "$WORKLOAD" pages 3
	expect_log "write\\(2\\)"
	rm -rf direct_io/*
	# A directory of files and a switched output fall back as well.
	record_ok -o direct_io/dir --threads "${EVENTS[@]}" -- "$WORKLOAD" pages 3000
	judge_read "$WORK/behind/dir" 3000
	record_ok -o direct_io/s.data --switch-output=signal "${EVENTS[@]}" -- \
		"$WORKLOAD" pages 3000 usleep 100000 signal "$(kill -l USR2)" \
		usleep 200000 pages 200
	judge_read behind/s.data.* 3200
	umount direct_io || fail "expected nobody to keep the filesystem busy"
}

run_cases t_symlink t_old t_names t_pipe_report t_pipe_inject t_stdout_pipe \
	t_stdout_file t_directory t_nowhere t_fuse
