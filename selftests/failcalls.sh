#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# System calls on the output that fail at their n-th use, injected with strace,
# and writes that are short, in each way of writing: what can be done without is
# done without, and a write that fails leaves what was stored before.
#
# Usage: failcalls.sh [PATTERN...]	the cells that match a pattern, for
#						instance "pwrite64:* default"
# Environment: see lib.sh.

HANG=${HANG:-30}
TRIES=${TRIES:-3}
. "$(dirname "$0")/lib.sh"
private_mounts "$@"
setup
. "$HERE/room-lib.sh"
. "$HERE/matrix-lib.sh"

# What must come of it:
#
#	whole	all events are there, exit status 0
#	kept	fails, names the cause, the events before are there
#	named	fails, names the cause, all events are there
#	broken	fails, names the cause, there is what is good or looks like nothing
#	refused	fails, names the cause, there is no file that looks good
#	either	whole, or kept; what the failure means is not for perf to know
#
# A call on something else than the output is not made to fail; madvise(2) and
# munmap(2) are on none, so others of perf may be hit, which it must survive.
#
# FAILURE as strace spells it		MUST	ways of writing
TABLE='
write:error=EIO:when=1			refused	default write threads zstd switch aio
write:error=EDQUOT:when=1		refused	default write threads zstd switch aio
write:error=EINTR:when=1+3		whole	default write threads zstd switch aio
write:error=EIO:when=60			kept	write
write:error=EDQUOT:when=60		kept	write
write:error=ENOSPC:when=60+		refused	write
write:error=EIO:when=8			named	default zstd
write:error=EIO:when=8			broken	threads switch
write:error=ENOSPC:when=8		either	default zstd threads
write:error=ENOSPC:when=4		refused	write aio
pwrite64:error=EIO:when=3		kept	large aio
pwrite64:error=EDQUOT:when=3		kept	large aio
pwrite64:error=ENOSPC:when=3		kept	large aio
pwrite64:error=EINTR:when=1+2		whole	large aio
fallocate:error=EIO:when=1		whole	default threads zstd switch
fallocate:error=EDQUOT:when=1+		whole	default threads zstd switch
fallocate:error=ENOMEM:when=1		whole	default threads zstd switch
fallocate:error=EINTR:when=1		whole	default threads zstd switch
fallocate:error=EOPNOTSUPP		whole	default threads zstd switch
ftruncate:error=EIO:when=2		whole	default threads zstd
ftruncate:error=EDQUOT:when=3		whole	default threads zstd
ftruncate:error=EINTR:when=1+2		whole	default threads zstd switch
madvise:error=EIO:when=2+		whole	default zstd switch
madvise:error=ENOMEM:when=2+		whole	default zstd switch
madvise:error=EINTR:when=1+2		whole	default zstd switch
mmap:error=ENOMEM:when=1		whole	default threads zstd switch
mmap:error=EOPNOTSUPP:when=1+		whole	default threads zstd switch
mmap:error=EIO:when=2+			either	small
munmap:error=ENOMEM:when=4+		either	small
close:error=EIO:when=1			named	default write zstd aio
close:error=EINTR:when=1		whole	default write zstd aio
fsync:error=EIO				whole	default write threads zstd switch aio
short					whole	default write threads zstd switch
'

declare -A CAUSES=([EIO]="Input/output error" [EDQUOT]="Disk quota exceeded"
	[ENOSPC]="No space left on device")

N=4000

# ways that are no MODE: large chunks, small segments
args_of()
{
	case $1 in
	large)
		mode_args default 4M
		ARGS=(-m "$RING" --mmap-flush=64K)
		;;
	small)
		mode_args default 4M
		ARGS+=(--out-pages=64K)
		;;
	*)
		mode_args "$1" 4M
		;;
	esac
}

record_injected()
{
	local failure=$1

	rm -rf "$OUT"* "$WORK"/calls "$WORK"/short
	if [ "$failure" = short ]; then
		VIA=(env "LD_PRELOAD=$(dirname "$WORKLOAD")/shortio.so"
			"SHORTIO_LOG=$WORK/short")
	else
		VIA=(strace -f --seccomp-bpf -o "$WORK/calls"
			-e "trace=${failure%%:*}" -e "inject=$failure")
		# The files below a directory have names of their own.
		case ${failure%%:*} in
		madvise | munmap) ;;
		*)
			VIA+=(-P "$OUT" -P "$OUT/data" -P "$OUT/data.0"
				-P "$OUT/data.1")
			;;
		esac
	fi
	record_fault "${ARGS[@]}" "${MATRIX_EVENTS[@]}" -o "$OUT" -- \
		"$WORKLOAD" noise spread pace 40 1000 pages $N join
	VIA=()
	if [ "$failure" = short ]; then
		HITS=$(wc -c 2>/dev/null <"$WORK/short" || echo 0)
	else
		HITS=$(grep -c INJECTED "$WORK/calls")
	fi
}

must_be_whole()
{
	[ "$RC" = 0 ] || fail "expected exit status 0, got $RC"
	judge_output 0 0
	expect_ge "samples that are kept or were lost" $((KEPT + LOST)) $((2 * N))
}

must_be_kept()
{
	expect_failed
	judge_output 0 0
	judge_kept_message "$1"
}

# Where the header is on disk but not its features, there is nothing to be done.
must_be_named()
{
	expect_failed
	judge_output 0 0
	expect_ge "samples that are kept or were lost" $((KEPT + LOST)) $((2 * N))
	judge_refusal "$1"
}

# Whether the call is that which makes the header whole, differs.
must_be_broken()
{
	expect_failed
	judge_nothing
	judge_refusal "$1"
}

must_be_refused()
{
	expect_failed
	judge_nothing
	judge_refusal "$1"
	expect_no_log ", kept [0-9]"
}

must_be_either()
{
	if [ "$RC" = 0 ]; then
		must_be_whole
	else
		must_be_kept "$1"
	fi
}

# cell FAILURE MUST WAY
cell()
{
	local errno missing try

	describe "must be $2"
	case $1 in
	short)
		missing=
		[ -r "$(dirname "$WORKLOAD")/shortio.so" ] ||
			missing="shortio.so is not built"
		;;
	*)	missing=$(strace_missing) ;;
	esac
	missing+=$(mode_missing "$3")
	if [ -n "$missing" ]; then
		skip "$missing"
		return
	fi
	args_of "$3"
	# Which calls are made is not the same each time.
	for try in 1 2 3 4; do
		record_injected "$1"
		[ "$HITS" = 0 ] || same_names "$WORK/said" || break
		[ "${1%%:*}" != fsync ] || break
	done
	errno=${1#*error=}
	"must_be_$2" "${CAUSES[${errno%%:*}]:-}"
	# Else this tests nothing. That none is called is fine where none is needed.
	[ "${1%%:*}" = fsync ] || expect_ge "calls that failed, in $try tries" "$HITS" 1
	empty_outdir
}

strace_missing()
{
	if ! command -v strace >/dev/null; then
		echo "strace is not installed"
	elif ! strace -f --seccomp-bpf -o "$WORK/calls" -e inject=fchdir:error=EIO \
		true 2>"$WORK/strace.log"; then
		echo "strace cannot trace here: $(head -n 1 "$WORK/strace.log")"
	fi
}

finish()
{
	fs_unmake
	cleanup
}
trap finish EXIT

# Large, for perf to allocate ahead, which it does not on tmpfs.
fs_make host
OUT=$OUTDIR/perf.data

cells=()
while read -r failure must ways; do
	[ "$(stat -f -c %T "$OUTDIR")-${failure%%:*}" != tmpfs-fallocate ] || continue
	for way in $ways; do
		[ $# = 0 ] && cells+=("cell $failure $must $way")
		for pattern in "$@"; do
			# shellcheck disable=SC2053 # it is a pattern
			if [[ "$failure $way" == $pattern ]]; then
				cells+=("cell $failure $must $way")
				break
			fi
		done
	done
done < <(grep . <<<"$TABLE")
[ ${#cells[@]} -gt 0 ] || bail "no cell is called $*"

run_cases "${cells[@]}"
