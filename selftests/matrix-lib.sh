# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Recordings that meet a fault, in each way in which perf record writes, and
# what must hold for what they leave behind. Sourced after lib.sh and
# room-lib.sh.
#
# MODE is a way of writing: default, write (--no-out-pages), threads, zstd,
# switch (--switch-output), aio. OUT is what perf is told to write to.
#
#	mode_missing MODE	says why MODE cannot be tested, if so
#	mode_args MODE SIZE	the options of MODE into ARGS; output is switched at
#				SIZE, or with SIGUSR2 if that is "signal"
#	record_fault ARGS	as perf_record, with a log that cannot get too long
#	outputs			into UNITS: the files or directories that were written
#	judge_output SHARE OF	all are good; together SHARE percent of OF bytes; sets
#				KEPT, LOST, BYTES, and READABLE to yes or no
#	judge_nothing		nothing is there, or nothing that looks good
#	judge_message TEXT	one line, like TEXT, says what went wrong
#	judge_kept_message CAUSE  one that also says how much is kept
#	judge_refusal CAUSE	there is a line that says why there is no file

# shellcheck disable=SC2034 # for the tests
MODES=(default write threads zstd switch aio)

# Half a page of stack for each event, of which no two are alike: few events fill
# a lot of room, compressed too.
# shellcheck disable=SC2034
MATRIX_EVENTS=(-e page-faults:u -c 1 -d --call-graph "dwarf,1024")

mode_missing()
{
	case $1 in
	zstd) has_feature zstd || echo "perf is built without zstd" ;;
	aio) has_feature aio || echo "perf is built without aio" ;;
	esac
}

mode_args()
{
	MODE=$1
	case $1 in
	default) ARGS=() ;;
	write)	ARGS=(--no-out-pages) ;;
	threads) ARGS=(--threads) ;;
	zstd)	ARGS=(-z) ;;
	switch)	ARGS=("--switch-output=$2") ;;
	aio)	ARGS=(--aio) ;;
	esac
	# Each event is written as it comes, and copied where output is mapped.
	ARGS+=("${COPIED[@]}")
	# Not even the unpatched perf can read what it makes of more than 64 KiB of
	# data that cannot be compressed.
	if [ "$1" = zstd ]; then
		ARGS+=(-m 64K)
	else
		ARGS+=(-m "$RING")
	fi
}

# A perf that complains without end must not fill the disk.
record_fault()
{
	{
		{
			"${NO_ASLR[@]}" timeout -k "${KILL_AFTER:-5}" "$HANG" "${VIA[@]}" \
				"$PERF" record -N "$@" 2>&1
			echo $? >"$WORK/rc"
		} | {
			head -c 100000 >"$LOG"
			cat >/dev/null
		}
	} 2>/dev/null
	RC=$(cat "$WORK/rc")
	cp "$LOG" "$WORK/said"
}

outputs()
{
	local unit

	UNITS=()
	for unit in "$OUT" "$OUT".2*; do
		[ ! -e "$unit" ] || UNITS+=("$unit")
	done
}

# What UNITS take, in whole pages, into BYTES. On disk it may not be much more.
count_bytes()
{
	local size blocks file slack=65536

	case $FS in
	tmpfs | overlay) slack=0 ;;
	host) ;;
	*) sync -f "$WORK/fs" ;;
	esac
	BYTES=0
	[ ${#UNITS[@]} -gt 0 ] || return
	while read -r size blocks file; do
		size=$(((size + 4095) / 4096 * 4096))
		BYTES=$((BYTES + size))
		expect_le "${file#"$OUTDIR"/}: bytes on disk" $((blocks * 512)) \
			$((size + slack))
	done < <(find "${UNITS[@]}" -type f -printf '%s %b %p\n')
}

# reader FILE WHAT ARGS: what the unpatched perf says without a warning goes to
# WORK/WHAT.
reader()
{
	local file=$1 what=$2 allowed
	shift 2

	if ! timeout -k 5 "$HANG" "$PERF_BASE" "$@" -i "$file" >"$WORK/$what" 2>"$LOG"; then
		fail "perf $1 of ${file#"$OUTDIR"/}: expected exit status 0, got: $(head -n 1 "$LOG")"
		return 1
	fi
	# That the kernel lost events is not the file's fault.
	allowed="^$|^Warning:$|Processed .* lost|out of order events recorded|overload"
	! without_features || allowed+="|missing HEADER_"
	if grep -Evq "$allowed" "$LOG"; then
		fail "perf $1 of ${file#"$OUTDIR"/}: expected no warning, got: $(head -n 3 "$LOG" | tr '\n' ' ')"
		return 1
	fi
}

# The metadata of btrfs may be what there is no room for: neither for the features
# then, nor to cut off what was written of them. perf says so.
without_features()
{
	[[ $FS == btrfs || $FS == qgroup ]] &&
		grep -q "failed to write all features" "$WORK/said"
}

# judge_unit FILE: it is good. Adds to WORK/seen.
judge_unit()
{
	local stats allowed="compressed data ends inside an event"

	# Where a ring buffer is written in two parts, the first one may end in an
	# event, and with it what is compressed. A reader takes no notice.
	! without_features || allowed+="|unexplained bytes between data and"
	if [ -n "$LINT" ] && ! "$LINT" "$1" >"$LOG" 2>&1 &&
		! grep -Eq "$allowed" "$LOG"; then
		fail "expected perfdata-lint to accept ${1#"$OUTDIR"/}, got: $(head -n 1 "$LOG")"
		return 1
	fi
	reader "$1" header report --header-only || return 1
	without_features ||
		expect_eq "${1#"$OUTDIR"/}: the header's command line" \
			"$(grep -c '^# cmdline :' "$WORK/header")" 1
	reader "$1" stats report --stats || return 1
	stats=$(awk '$1 == "SAMPLE" && $2 == "events:" { print $3; exit }' "$WORK/stats")
	reader "$1" script script --show-lost-events -F tid,event,addr || return 1
	expect_eq "${1#"$OUTDIR"/}: samples that perf script shows, against perf report" \
		"$(grep -c 'page-faults' "$WORK/script")" "${stats:-0}"
	cat "$WORK/script" >>"$WORK/seen"
}

# judge_prefix: the samples of each process are the first it had, without a hole
# but for those that the kernel says it lost. How many there are goes to KEPT,
# and how many were lost before to LOST.
judge_prefix()
{
	local holes

	read -r KEPT holes LOST < <(awk '
		/PERF_RECORD_LOST/ { lost += $NF; next }
		$NF ~ /^1000[0-9a-f]*000$/ && length($NF) == 12 {
			page = substr($NF, 5, 5)
			if (!((tid = $1) SUBSEP page in seen)) {
				seen[tid, page] = 1
				n[tid]++
			}
			if (page > last[tid])
				last[tid] = page
		}
		function number(hex,   i, v) {
			for (i = 1; i <= length(hex); i++)
				v = v * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
			return v
		}
		END {
			for (tid in n) {
				kept += n[tid]
				holes += number(last[tid]) + 1 - n[tid]
			}
			print kept + 0, holes + 0, lost + 0
		}' "$WORK/seen")
	expect_le "samples missing before the last one of their process, against those lost" \
		"$holes" "$LOST"
}

# said_empty FILE: switched output may meet its end when the last file has just
# been opened: perf says that nothing is kept in it, and so does a reader.
said_empty()
{
	[ "$MODE" = switch ] && [ ${#UNITS[@]} -gt 1 ] &&
		[ "$1" = "${UNITS[-1]}" ] &&
		grep -q "nothing is kept in " "$WORK/said" &&
		{ ! "$PERF_BASE" script -F event -i "$1" >/dev/null 2>"$LOG" ||
			[ -s "$LOG" ]; }
}

judge_output()
{
	local unit
	: >"$WORK/seen"

	KEPT=0 READABLE=yes
	outputs
	if [ ${#UNITS[@]} = 0 ]; then
		fail "expected a file"
		READABLE=no
	fi
	count_bytes
	for unit in "${UNITS[@]}"; do
		said_empty "$unit" || judge_unit "$unit" || READABLE=no
	done
	judge_prefix
	if [ "$2" != 0 ]; then
		expect_ge "bytes that are kept, of $2" "$BYTES" $(($1 * $2 / 100))
	fi
}

# A file that is not good must say so: by its size, or to whoever reads it.
judge_nothing()
{
	local unit
	: >"$WORK/seen"

	KEPT=0 READABLE=no
	outputs
	count_bytes
	for unit in "${UNITS[@]}"; do
		[ -s "$unit" ] || continue
		# A failure must not end what the caller finds.
		if timeout -k 5 "$HANG" "$PERF_BASE" script -F event -i "$unit" \
			>"$WORK/script" 2>"$LOG" && ! [ -s "$LOG" ]; then
			judge_unit "$unit" && READABLE=yes
		fi
	done
	judge_prefix
}

judge_message()
{
	local lines

	cp "$WORK/said" "$LOG"
	lines=$(grep -Ei "fail|error|cannot" "$LOG" |
		grep -Evc "/proc/schedstat|failed to write all features")
	if [ "$MODE" = switch ]; then
		# The next file may be what there is no room for.
		expect_ge "lines that say what went wrong" "$lines" 1
		expect_le "lines that say what went wrong" "$lines" 4
	else
		expect_eq "lines that say what went wrong" "$lines" 1
	fi
	grep -Ei "$1" "$LOG" | grep -q "$OUT" ||
		fail "expected a message like '$1' that names the file"
}

# judge_refusal CAUSE: a line says why there is no file.
judge_refusal()
{
	cp "$WORK/said" "$LOG"
	grep -Ei "fail.*$1" "$LOG" | grep -q "$OUT" ||
		fail "expected a message like '$1' that names the file"
}

# The message that says how much is kept, of the file that was written last.
judge_kept_message()
{
	local kept="kept [0-9.]+ MB"

	[ "$MODE" != switch ] || kept="($kept|nothing is kept)"
	judge_message "failed to write perf data, error: .*($1).*, $kept in "
}
