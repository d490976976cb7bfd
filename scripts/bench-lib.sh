# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Shared by the benchmarks: filesystems in a private mount namespace, a
# directory that goes away at the end, figures in a CSV file, and medians and
# tables of these. To be sourced, after common.sh.
#
# usage: bench_private "$@"; bench_setup; bench_mount NAME...; ...
#
# Sets: WORK, a directory of our own below build/$BASE; RAW, the CSV file of
# all figures, which add() appends to; MOUNTED, the names of the filesystems.

tracefs=/sys/kernel/tracing

# Start the script anew in a mount namespace of its own: whatever ends it, its
# mounts go, and the loop devices and their unlinked images with them.
bench_private()
{
	[ "$(id -u)" = 0 ] || die "must be run as root: it mounts filesystems and records the whole system"
	if [ "${BENCH_PRIVATE:-}" != "$PPID" ]; then
		BENCH_PRIVATE=$PPID exec unshare --mount --propagation private -- "$0" "$@"
	fi
	if [ ! -e $tracefs/events/raw_syscalls/sys_enter/id ]; then
		mount -t tracefs nodev $tracefs || die "cannot mount tracefs on $tracefs"
		[ -e $tracefs/events/raw_syscalls/sys_enter/id ] ||
			die "this kernel has no raw_syscalls tracepoints (CONFIG_FTRACE_SYSCALLS)"
	fi
}

# Processes to end when we do, by their id.
pids=()

# shellcheck disable=SC2317 # the traps below call it
bench_end()
{
	local pid

	trap '' INT TERM HUP
	for pid in "${pids[@]}"; do
		kill "$pid" 2>/dev/null || continue
		# A perf that does not end by itself is ended after 10 s.
		for ((i = 0; i < 100; i++)); do
			kill -0 "$pid" 2>/dev/null || break
			sleep 0.1
		done
		kill -KILL "$pid" 2>/dev/null
		wait "$pid" 2>/dev/null
	done
	cd /
	awk -v work="$WORK/" 'index($2, work) == 1 { print $2 }' /proc/self/mounts |
		sort -r | xargs -r umount
	rm -rf --one-file-system -- "$WORK"
}

bench_setup()
{
	WORK=$(mktemp -d "$SLOT/bench.XXXXXX") || die "cannot make a directory in $SLOT"
	trap bench_end EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
	trap 'exit 129' HUP
	RAW=$WORK/raw.csv
	MOUNTED=()
	: >"$RAW"
}

# bench_mount_loop NAME: a filesystem of 8 GiB in a sparse file on $WORK/NAME.
bench_mount_loop()
{
	local image=$WORK/$1.image mkfs=(mkfs."$1" -q) rc=0

	[ "$1" != ext4 ] || mkfs+=(-E "lazy_itable_init=0,lazy_journal_init=0,nodiscard")
	command -v "${mkfs[0]}" >/dev/null || die "no ${mkfs[0]}: run make deps"
	truncate -s 8G "$image" &&
		"${mkfs[@]}" "$image" >"$WORK/log" 2>&1 &&
		mount -o loop "$image" "$WORK/$1" >>"$WORK/log" 2>&1 || rc=1
	# The loop device keeps it as long as it is mounted.
	rm -f "$image"
	return $rc
}

# bench_mount NAME...: mount these on $WORK/NAME. What this kernel has not is
# left out, and said.
bench_mount()
{
	local fs rc

	for fs in "$@"; do
		mkdir "$WORK/$fs"
		rc=0
		: >"$WORK/log"
		case $fs in
		tmpfs) mount -t tmpfs -o size=8g,huge=never bench "$WORK/$fs" 2>"$WORK/log" || rc=1 ;;
		tmpfs-huge) mount -t tmpfs -o size=8g,huge=within_size bench "$WORK/$fs" 2>"$WORK/log" || rc=1 ;;
		ext4 | xfs | btrfs) bench_mount_loop "$fs" || rc=1 ;;
		*) die "FILESYSTEMS: there is no $fs here, only tmpfs, tmpfs-huge, ext4, xfs, btrfs" ;;
		esac
		if [ $rc = 0 ]; then
			MOUNTED+=("$fs")
		else
			say "$fs is left out, it cannot be mounted: $(tail -n 1 "$WORK/log")"
		fi
	done
	[ ${#MOUNTED[@]} -gt 0 ] || die "no filesystem to measure on"
}

# What the last round has left must not be written in the next one.
bench_clean()
{
	rm -rf "${WORK:?}/$1"/*
	sync -f "$WORK/$1"
}

# add PART FILESYSTEM METHOD PARAMETER ROUND {METRIC VALUE}...
add()
{
	local key="$1,$2,$3,$4" round=$5

	shift 5
	while [ $# -gt 0 ]; do
		echo "$key,$1,$round,$2" >>"$RAW"
		shift 2
	done
}

# bench_summary <RAW: one line per figure, with the median and the spread of
# the rounds, in the order in which they first came.
bench_summary()
{
	echo "part,filesystem,method,parameter,metric,rounds,median,min,max"
	awk -F, -v OFS=, '
		{
			key = $1 OFS $2 OFS $3 OFS $4 OFS $5
			if (!(key in n))
				order[++keys] = key
			# insertion sort
			for (i = n[key]++; i > 0 && v[key, i] > $7 + 0; i--)
				v[key, i + 1] = v[key, i]
			v[key, i + 1] = $7 + 0
		}
		END {
			for (k = 1; k <= keys; k++) {
				key = order[k]
				m = n[key]
				median = (v[key, int((m + 1) / 2)] + v[key, int(m / 2) + 1]) / 2
				printf "%s,%d,%.10g,%.10g,%.10g\n", key, m, median, v[key, 1], v[key, m]
			}
		}'
}

# bench_table PART METRIC DIGITS COLUMN [SPREAD] <SUMMARY: a table in
# reStructuredText, a line per filesystem and parameter, a column per method.
# COLUMN is the heading of the parameter; with SPREAD, the cells hold the
# lowest and the highest figure instead of the median.
bench_table()
{
	awk -F, -v part="$1" -v metric="$2" -v digits="$3" -v column="$4" -v spread="${5:-}" '
		function cell(row, col, text)
		{
			cells[row, col] = text
			if (length(text) > width[col])
				width[col] = length(text)
		}
		function rule(  c, line)
		{
			for (c = 1; c <= cols; c++)
				line = line (c > 1 ? "  " : "") substr(dashes, 1, width[c])
			print line
		}
		BEGIN {
			cols = column == "" ? 1 : 2
			cell(0, 1, "filesystem")
			if (column != "")
				cell(0, 2, column)
			format = "%." digits "f"
			for (i = 0; i < 200; i++)
				dashes = dashes "="
		}
		$1 == part && $5 == metric {
			if (!($2 SUBSEP $4 in row)) {
				row[$2, $4] = ++rows
				cell(rows, 1, $2)
				if (column != "")
					cell(rows, 2, $4)
			}
			if (!($3 in col)) {
				col[$3] = ++cols
				cell(0, cols, $3)
			}
			cell(row[$2, $4], col[$3], spread == "" ? sprintf(format, $7) :
			     sprintf(format ".." format, $8, $9))
		}
		END {
			rule()
			for (r = 0; r <= rows; r++) {
				line = ""
				for (c = 1; c <= cols; c++)
					line = line sprintf(c == 1 ? "%-*s" : "  %*s", width[c],
						(r, c) in cells ? cells[r, c] : "-")
				print line
				if (r == 0)
					rule()
			}
			rule()
		}'
}

# bench_machine: where the figures come from.
bench_machine()
{
	echo "kernel $(uname -r), $(nproc) CPUs ($(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | sort -u | head -n 1)), $(awk '/^MemTotal/ { printf "%.0f GiB", $2 / 1048576 }' /proc/meminfo), perf of $BASE"
}
