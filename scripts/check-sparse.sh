#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Check each C file that a stack adds or changes with sparse, with the flags that
# perf was compiled with, and compare with what sparse says about the file
# without the stack: nothing new. Builds perf first. Prints TAP.
#
# usage: [BASE=v6.12 | KDIR=path] check-sparse.sh

set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
git_setup
# shellcheck source=scripts/check-lib.sh
. "$TOP/scripts/check-lib.sh"
need_trees
SAN='' "$TOP/scripts/build.sh" perf >"$tmp/build" 2>&1 || {
	cat "$tmp/build" >&2
	exit 1
}
out=$SLOT/perf

# Print the compiler's command line for the C file $1 of tools/perf, as it was
# kept beside the object.
command_line()
{
	local cmd=$out/${1%/*}/.${1##*/}

	[[ $1 == */* ]] || cmd=$out/.$1
	sed -n '1s/^cmd_[^ ]* := //p' "${cmd%.c}.o.cmd" 2>/dev/null || :
}

# What the makefiles of the kernel hide a # with.
pound()
{
	echo '#'
}

# sparse_file TREE FILE: what sparse says about the file of tools/perf with the
# flags of the build, less the lines, which the stack moves.
sparse_file()
{
	local -a words=() flags=()
	local word

	# make has quoted what a shell is to see
	eval "words=($(command_line "$2"))"
	for word in "${words[@]}"; do
		case $word in
		-[IDUfm]* | -std=*) flags+=("${word//"$linux"/"$1"}") ;;
		esac
	done

	# If sparse gives up on the file, it does not find the fault behind it.
	cat >"$tmp/wrapper.c" <<-EOT
		#include "$1/tools/perf/$2"
		void *behind_the_end(void);
		void *behind_the_end(void)
		{
			return 0;
		}
	EOT
	(
		cd "$1/tools/perf"
		sparse "${flags[@]}" -Wbitwise "$tmp/wrapper.c" || :
	) >"$tmp/said" 2>&1
	grep -q '/wrapper\.c:.*plain integer as NULL pointer' "$tmp/said" || {
		echo "sparse does not get to the end of $2"
		head -n 5 "$tmp/said"
	}

	while IFS=: read -r file line _ what; do
		# This is from a macro of the C library's
		sed -n "${line}p" "$file" | grep -q 'PTHREAD_[A-Z_]*_INITIALIZER' ||
			echo "${file#"$1/"}:$what"
	done < <(grep -v -e '/wrapper\.c:' -e ': note: ' "$tmp/said") | sort
}

# What is there with the stack that is not without?
compare()
{
	local file=${1#tools/perf/}

	[ -n "$(command_line "$file")" ] || {
		echo "it is not compiled, so there are no flags to check it with"
		return
	}
	sparse_file "$linux" "$file" >"$tmp/new"
	: >"$tmp/old"
	[ ! -e "$SLOT/linux-base/$1" ] || sparse_file "$SLOT/linux-base" "$file" >"$tmp/old"
	comm -13 "$tmp/old" "$tmp/new"
}

echo "TAP version 13"
while read -r file; do
	check "sparse finds nothing new in $file" compare "$file"
done < <(stack_files AM '*.c')
plan
