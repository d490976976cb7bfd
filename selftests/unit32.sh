#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# util/mmap-output.c and its unit test built for 32 and for 64 bits, without a
# warning, and run with pages of 4, 16 and 64 KiB. Usage and environment: see
# lib.sh; besides:
#	LINUX		kernel tree with the stack (default: the one that this
#			stands in, else the prepared one)
#	CC		compiler (default: gcc)

. "$(dirname "$0")/lib.sh"

# Prints the tree whose perf has the code under test.
find_tree()
{
	local dir

	for dir in "${LINUX:-}" "$HERE/../../../.." \
		"$HERE/../build/${BASE:-v6.12}/linux"; do
		if [ -r "$dir/tools/perf/util/mmap-output.c" ]; then
			realpath "$dir"
			return 0
		fi
	done
	return 1
}

TREE=$(find_tree) || skip_all "no kernel tree with the stack: set LINUX"
setup
CC=${CC:-gcc}
# What runs the program, if not the kernel itself.
RUN=()

# build NAME FLAG...: the program, or a failure with what the compiler said.
build()
{
	local name=$1 tools=$TREE/tools
	shift

	"$CC" "$@" -std=gnu11 -O2 -g -Wall -Wextra -Wshadow -Wformat \
		-Wtype-limits \
		-Wstrict-prototypes -Werror -D_GNU_SOURCE -D_LARGEFILE64_SOURCE \
		-D_FILE_OFFSET_BITS=64 -pthread -I"$tools/perf" \
		-I"$tools/perf/util" -I"$tools/perf/tests" -I"$tools/include" \
		-I"$tools/include/uapi" -I"$tools/lib" -I"$tools/lib/perf/include" \
		-o "$name" "$HERE/unit32.c" "$tools/perf/util/mmap-output.c" \
		"$tools/perf/tests/mmap-output.c" >"$LOG" 2>&1 ||
		fail "$CC $*: expected no error and no warning, got: $(
			grep -E 'error|warning' "$LOG" | head -n 3)"
	[ -x "$name" ]
}

# run_unit NAME: with each size of page that the machine has or can fake.
run_unit()
{
	local page

	for page in 4096 16384 65536; do
		[ "$page" -ge "$(getconf PAGESIZE)" ] || continue
		TMPDIR=$WORK timeout "$HANG" "${RUN[@]}" "./$1" "$page" >"$LOG" 2>&1 ||
			fail "pages of $page: expected exit status 0, got $?: $(
				grep -v '^ok' "$LOG" | tail -n 3)"
		expect_ge "pages of $page: test cases that passed" \
			"$(grep -c '^ok ' "$LOG")" 8
	done
}

t_32()
{
	describe "32 bits: no warning, and the unit test with three sizes of page"
	echo 'int main(void) { return 0; }' >empty.c
	if ! "$CC" -m32 -o empty empty.c >"$LOG" 2>&1; then
		skip "no compiler or no C library for 32 bits: $(head -n 1 "$LOG")"
		return
	fi
	# Not every kernel, and not every virtual machine, runs what it is built for.
	if ! ./empty 2>"$LOG"; then
		RUN=(qemu-i386)
		if ! "${RUN[@]}" ./empty 2>>"$LOG"; then
			skip "no kernel for 32 bits, no qemu-i386: $(head -n 1 "$LOG")"
			return
		fi
	fi
	build unit32 -m32 && run_unit unit32
	file_is unit32 1
}

t_64()
{
	describe "64 bits, or what this machine has: likewise"
	RUN=()
	build unit64 && run_unit unit64
}

# file_is NAME CLASS: an ELF file of 32 bits has class 1.
file_is()
{
	expect_eq "$1: class of the ELF file" "$(od -An -tu1 -j4 -N1 "$1" | tr -d ' ')" "$2"
}

run_cases t_32 t_64
