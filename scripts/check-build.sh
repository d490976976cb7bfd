#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Check that perf can be built after each patch of a stack, with each compiler,
# with no warning that it does not have without the stack, and that the entries
# of perf test that the stack has added so far pass. Prints TAP.
#
# usage: [BASE=v6.12 | KDIR=path] [COMPILERS="gcc clang"] check-build.sh
#
# All is done in build/check/$BASE, patch after patch in the same directories,
# so that make compiles only what a patch changes; JOBS and CCACHE_DIR as for
# build.sh.

set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
git_setup
# shellcheck source=scripts/check-lib.sh
. "$TOP/scripts/check-lib.sh"
need_trees

dir=$BUILD/check/$(basename "$SLOT")
src=$dir/src
mkdir -p "$dir"
lock "$dir/lock"
read -r -a flags < <(perf_flags)
# Warnings are errors: that is what perf's maintainers build with.
flags+=(WERROR=1)
cc_prefix=
if ccache_setup; then
	cc_prefix="ccache "
	export CCACHE_BASEDIR=$dir
fi

# A copy of the tree that any commit can be checked out in; files that do not
# change stay as old as they are.
set_up()
{
	[ -d "$src/.git" ] || git clone -q --no-checkout "$linux" "$src"
	rm -f "$src/.git/index.lock"
	git -C "$src" fetch -q -f "$linux" stack "+refs/tags/base:refs/tags/base"
}

# build COMPILER COMMIT: leaves perf in $out, the output of make in $make_log.
build()
{
	local cxx=g++

	[[ $1 != clang* ]] || cxx=${1/clang/clang++}
	mkdir -p "$out"
	git -C "$src" checkout -q -f --detach "$2"
	make -C "$src/tools/perf" O="$out" -j"${JOBS:-$(nproc)}" "${flags[@]}" \
		CC="$cc_prefix$1" CXX="$cc_prefix$cxx" HOSTCC="${cc_prefix}gcc" \
		>"$make_log" 2>&1
}

builds()
{
	build "$@" || {
		grep -E '(error|undefined reference|\*\*\*)' "$make_log" | tail -n 20
		return 1
	}
}

# The warnings of the last build, wherever the line is.
warnings()
{
	grep -h -a 'warning:' "$make_log" |
		sed -E "s|$src/||g; s/:[0-9]+(:[0-9]+)?:/:/" | sort -u || :
}

# What make does not compile again, it does not warn of again: the warnings that
# are known are those of all builds of the base that there were.
no_new_warning()
{
	warnings | comm -13 "$out.warnings" -
}

remember_warnings()
{
	touch "$out.warnings"
	warnings | sort -u - "$out.warnings" >"$out.warnings.new"
	mv "$out.warnings.new" "$out.warnings"
}

# In the source directory perf finds the shell tests; they find perf in PATH and
# have files of its build-id cache to write, which are not to be the user's.
perf_test()
{
	mkdir -p "$tmp/home"
	cd "$src/tools/perf"
	HOME=$tmp/home PATH=$out:$PATH TMPDIR=$tmp PERF_CONFIG=/dev/null \
		"$out/perf" test "$@" </dev/null 2>&1
}

entries()
{
	perf_test list | sed -n 's/[[:space:]]*$//; s/^ *[0-9][0-9]*: *//p' | sort
}

# Run the entries that the base has not.
new_entries()
{
	local entry

	entries | comm -13 "$dir/base.entries" - >"$tmp/entries"
	while read -r entry; do
		perf_test "$entry" >"$tmp/test" || :
		if ! grep -q ': Ok' "$tmp/test" || grep -q -E 'FAILED|: Skip' "$tmp/test"; then
			echo "perf test \"$entry\":"
			cat "$tmp/test"
		fi
	done <"$tmp/entries"
}

with_compiler()
{
	local cc=$1 commit name i=0
	local out=$dir/$cc make_log=$dir/$cc.log

	check "$cc builds the base" builds "$cc" base
	remember_warnings
	entries >"$dir/base.entries"
	for commit in $(git -C "$linux" rev-list --reverse base..stack); do
		i=$((i + 1))
		name=$(printf '%04d' $i)-$(git -C "$linux" show -s --format=%f "$commit")
		check "$cc builds perf after $name" builds "$cc" "$commit"
		check "$cc has no new warning after $name" no_new_warning
		(new_entries) >"$tmp/failed" 2>&1
		if [ -s "$tmp/entries" ] || [ -s "$tmp/failed" ]; then
			check "perf test passes what is added so far, $(wc -l <"$tmp/entries") entries" \
				cat "$tmp/failed"
		fi
	done
	[ -s "$tmp/entries" ] || check "the stack adds entries to perf test" false
}

set_up
echo "TAP version 13"
for cc in ${COMPILERS:-gcc clang}; do
	with_compiler "$cc"
done
plan
