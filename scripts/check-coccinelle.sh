#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Check what a stack adds and changes with coccinelle: with our own semantic
# patches in scripts/coccinelle, each of which keeps something true that the
# stack relies on, and with those of the kernel that fit user space, compared
# with what they find without the stack. Prints TAP.
#
# usage: [BASE=v6.12 | KDIR=path] check-coccinelle.sh
#
# spatch takes minutes for all: as many rules are tried at a time as there are
# CPUs, or JOBS.

set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
git_setup
# shellcheck source=scripts/check-lib.sh
. "$TOP/scripts/check-lib.sh"
# shellcheck source=scripts/check-lib-cocci.sh
. "$TOP/scripts/check-lib-cocci.sh"
need_trees

rules=$TOP/scripts/coccinelle
mapfile -t added < <(stack_files A '*.c')
mapfile -t changed < <(stack_files AM '*.c')

# Nothing is found in what is not understood.
parsed()
{
	(cd "$linux" && spatch --parse-c "${added[@]}") >"$tmp/parse" 2>&1 || :
	grep -q '^nb good = .*, *nb bad = 0 ' "$tmp/parse" || grep -a '^bad' "$tmp/parse" ||
		tail -n 3 "$tmp/parse"
}

# The line "Files:" of a rule says where it holds: in what the stack adds, and in
# files that then have to be there.
ours()
{
	local -a words=() files=()
	local word

	read -r -a words < <(sed -n 's|^// Files: *||p' "$rules/$1") ||
		echo "it does not say for which files it is"
	cd "$linux"
	for word in "${words[@]}"; do
		if [ "$word" = added ]; then
			files+=("${added[@]}")
		else
			[ -f "$word" ] || echo "$word: no such file any more"
			files+=("$word")
		fi
	done
	matches "$rules/$1" "${files[@]}"
}

# kernel_rule TREE RULE FILE...: what a rule of the kernel finds, less the lines,
# which the stack moves; some name another line.
kernel_rule()
{
	local -a options
	local rule=$2

	cd "$1"
	shift 2
	# as the kernel's coccicheck does it
	read -r -a options < <(sed -n 's|^// *Options: *||p' "scripts/coccinelle/$rule") || :
	spatch --very-quiet -D report --cocci-file "scripts/coccinelle/$rule" \
		"${options[@]}" "$@" 2>&1 |
		sed -n -E 's/ line [0-9]+/ a line/g
			s/^([^ :]*):[0-9:-]+: /\1: /p' | sort
}

theirs()
{
	local -a before=()
	local file

	(kernel_rule "$linux" "$1" "${changed[@]}") >"$tmp/new" || echo "spatch cannot do it"
	# Where something is found, was it before?
	while read -r file; do
		[ ! -e "$SLOT/linux-base/$file" ] || before+=("$file")
	done < <(sed 's/: .*//' "$tmp/new" | sort -u)
	[ -s "$tmp/new" ] || return 0
	(kernel_rule "$SLOT/linux-base" "$1" "${before[@]}") >"$tmp/old"
	comm -13 "$tmp/old" "$tmp/new"
}

# ahead FUNCTION RULE: start it, in a directory of its own; what it says goes
# to the file said there.
ahead()
{
	local dir=$tmp/$2

	while [ "$(jobs -rp | wc -l)" -ge "${JOBS:-$(nproc)}" ]; do
		wait -n || :
	done
	mkdir -p "$dir"
	tmp=$dir "$1" "$2" >"$dir/said" 2>&1 </dev/null || echo "it failed" >>"$dir/said" &
}

echo "TAP version 13"
check "spatch can parse all that the stack adds" parsed
mapfile -t own < <(cd "$rules" && printf '%s\n' *.cocci)
mapfile -t kernels < <(grep -v '^#' "$rules/kernel-rules")
for rule in "${own[@]}"; do
	ahead ours "$rule"
done
for rule in "${kernels[@]}"; do
	ahead theirs "$rule"
done
wait
for rule in "${own[@]}"; do
	check "$rule" cat "$tmp/$rule/said"
done
for rule in "${kernels[@]}"; do
	check "the kernel's $rule finds nothing new" cat "$tmp/$rule/said"
done
plan
