#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Make the source trees of a base: build/$BASE/linux-base, a git tree of what
# perf needs of the kernel's source with the tag "base", and, unless only that
# is asked for, build/$BASE/linux, the same with the stack applied by git am.
#
# usage: [BASE=v6.12 | KDIR=path] prepare.sh [base]
#
# Run again, it does what has changed since:
# other files in KDIR, a patch changed, added or taken away. Only files that
# differ are written, so that make builds only what depends on them.
# Exit status: as fetch.sh (4: the archive does not have the base).

set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"

base=$SLOT/linux-base
linux=$SLOT/linux

# What is needed to build perf, for its check of copied headers, for the
# kernel's scripts, and for selftests. A change here makes the tree anew.
wanted=(tools scripts include/linux include/uapi include/asm-generic
	include/vdso 'lib/*.[ch]' 'arch/*/Makefile*' 'arch/*/include' 'arch/*/lib'
	'arch/*/tools' 'arch/*/entry/syscalls' 'arch/*/kernel/syscalls'
	'kernel/bpf/disasm.[ch]' Documentation/process Documentation/dev-tools
	Makefile Kbuild MAINTAINERS COPYING LICENSES .clang-format .mailmap
	.get_maintainer.ignore)
# Of the selftests, what they share is enough.
unwanted=('tools/testing/selftests/[!k]*/*' 'tools/testing/selftests/kvm')

id()
{
	sha256sum | cut -d ' ' -f 1
}

git_base()
{
	git -C "$base" "$@"
}

# Commit the index of the git tree $1 as "base", dated $2; equal content makes
# an equal commit.
commit_base()
{
	local commit

	commit=$(GIT_AUTHOR_DATE="@$2 +0000" GIT_COMMITTER_DATE="@$2 +0000" \
		git -C "$1" commit-tree -m "$3" "$(git -C "$1" write-tree)")
	git -C "$1" tag -f base "$commit" >/dev/null
	git -C "$1" update-ref HEAD "$commit"
}

extract()
{
	local deb=$1 to=$2 name
	local -a match=() omit=()

	name=$(basename "$deb")
	name=${name%%_*}
	match=("${wanted[@]/#/$name/}")
	omit=("${unwanted[@]/#/--exclude=$name/}")
	rm -rf "$to"
	mkdir -p "$to"
	say "extracting $(basename "$deb")"
	dpkg-deb --fsys-tarfile "$deb" |
		tar -xOf - "./usr/src/$name.tar.xz" | xz -dc |
		tar -xf - -C "$to" --strip-components=1 --no-same-owner \
			--anchored --wildcards --no-wildcards-match-slash \
			"${omit[@]}" "${match[@]}" ||
		die "$deb cannot be extracted; if it is damaged, remove it"
}

# linux-base from the distribution's package.
base_from_package()
{
	local deb new version

	if [ -d "$base/.git" ] && [ "$(cat "$SLOT/linux-base.stamp" 2>/dev/null)" = \
		"$(printf '%s\n' "${wanted[@]}" "${unwanted[@]}" | id)" ]; then
		return
	fi
	deb=$("$TOP/scripts/fetch.sh") || exit
	new=$base.new
	extract "$deb" "$new"
	# shellcheck disable=SC2016 # dpkg-deb fills these in
	version="$(dpkg-deb -W --showformat '${Package} ${Version}' "$deb")"
	git -C "$new" init -q
	git -C "$new" add -f -A .
	commit_base "$new" "$(stat -c %Y "$new/Makefile")" "$version"
	rm -rf "$base" "$SLOT/linux-base.stamp"
	mv "$new" "$base"
	printf '%s\n' "$version" >"$SLOT/version"
	printf '%s\n' "${wanted[@]}" "${unwanted[@]}" | id >"$SLOT/linux-base.stamp"
}

# Print, each ended by a NUL, the names of the wanted files in KDIR: of a git
# tree those it knows and those it would take, of another all but objects.
kdir_files()
(
	cd "$KDIR"
	mapfile -t top < <(for name in "${wanted[@]}"; do compgen -G "$name" || :; done)
	if [ ! -e .git ] || ! GIT_OPTIONAL_LOCKS=0 git ls-files -z -c -o \
		--exclude-standard -- "${top[@]}" 2>/dev/null; then
		find "${top[@]}" '(' -type f -o -type l ')' \
			! -name '*.o' ! -name '*.a' ! -name '*.so' \
			! -name '*.cmd' ! -name '*.d' -print0
	fi | grep -z -v -E '^tools/testing/selftests/([^k/][^/]*|kvm)/'
)

# linux-base from KDIR, which is only read: its files are added to the index
# of a repository that is elsewhere.
base_from_kdir()
{
	local index=$base/.git/kdir-index tree version

	version="$(tree_version "$KDIR") from $KDIR"
	[ -d "$base/.git" ] || git init -q "$base"
	rm -f "$index" "$index.lock" "$base/.git/index.lock"
	say "reading $KDIR"
	if ! kdir_files | GIT_DIR=$base/.git GIT_WORK_TREE=$KDIR GIT_INDEX_FILE=$index \
		git -C "$KDIR" update-index --add --remove -z --stdin ||
		! tree=$(GIT_INDEX_FILE=$index git_base write-tree); then
		die "KDIR=$KDIR cannot be read"
	fi
	rm -f "$index"
	if [ "$tree" != "$(git_base rev-parse -q --verify 'base^{tree}' || true)" ] ||
		[ ! -f "$SLOT/linux-base.stamp" ]; then
		rm -f "$SLOT/linux-base.stamp"
		git_base read-tree --reset -u "$tree"
		commit_base "$base" "$(stat -c %Y "$KDIR/Makefile")" "$version"
		: >"$SLOT/linux-base.stamp"
	fi
	printf '%s\n' "$version" >"$SLOT/version"
}

# Say which lines of the patch git did not like.
why_not()
{
	grep -E '^(error|fatal):|^Patch is empty|^Patch format' "$1" | head -n 1
}

# Apply the series in a tree of its own, so that a patch that fails leaves
# nothing half-done, and take the result over.
apply()
{
	local scratch=$SLOT/linux.am names patch head

	mapfile -t names < <(series)
	rm -rf "$scratch"
	# git am takes the files that it changes from the index
	git clone -q --shared --no-checkout "$base" "$scratch"
	git -C "$scratch" read-tree HEAD
	for patch in "${names[@]}"; do
		[ -f "$STACK/$patch" ] ||
			die "${STACK#"$TOP/"}/series names $patch, which does not exist"
		if ! git -C "$scratch" am -q --committer-date-is-author-date \
			"$STACK/$patch" >"$SLOT/am.log" 2>&1; then
			rm -rf "$scratch"
			die "${STACK#"$TOP/"}/$patch does not apply to $(cat "$SLOT/version"): $(why_not "$SLOT/am.log")"
		fi
	done
	head=$(git -C "$scratch" rev-parse HEAD)

	if [ ! -d "$linux/.git" ]; then
		rm -rf "$linux.new"
		git clone -q --no-checkout "$base" "$linux.new"
		mv "$linux.new" "$linux"
		: >"$SLOT/linux.busy"
	fi
	if [ -f "$SLOT/linux.busy" ]; then
		# An earlier run did not get to the end, or it is new
		rm -f "$linux/.git/index.lock"
	elif [ "$(git -C "$linux" rev-parse HEAD)" != "$(head_applied)" ] ||
		[ -n "$(git -C "$linux" status --porcelain -uno)" ]; then
		rm -rf "$scratch"
		die "the stack has changed, and so has $linux; save what you did there, then remove that directory"
	fi
	: >"$SLOT/linux.busy"
	git -C "$linux" fetch -q -f "$scratch" HEAD:refs/heads/new +refs/tags/base:refs/tags/base
	git -C "$linux" checkout -q -f -B stack "$head"
	git -C "$linux" branch -q -D new
	rm -rf "$scratch"
	printf '%s %s\n' "$1" "$head" >"$SLOT/linux.stamp"
	rm -f "$SLOT/linux.busy"
	say "applied ${#names[@]} patches of ${STACK#"$TOP/"} to $(cat "$SLOT/version")"
}

head_applied()
{
	cut -d ' ' -f 2 "$SLOT/linux.stamp" 2>/dev/null
}

# What the result of apply depends on.
stack_id()
{
	(
		git_base rev-parse base
		cd "$STACK" 2>/dev/null && series && series | xargs -r -d '\n' cat 2>/dev/null
	) | id
}

if [ "${1:-}" != base ] && [ -z "$(series)" ]; then
	die "${STACK#"$TOP/"}/series: no such file, or no patch in it (stacks are: $(stacks | tr '\n' ' '))"
fi

mkdir -p "$SLOT"
lock "$SLOT/lock"
git_setup

if [ -n "$KDIR" ]; then
	base_from_kdir
else
	base_from_package
fi

[ "${1:-}" != base ] || exit 0

now=$(stack_id || true)
if [ "$now" != "$(cut -d ' ' -f 1 "$SLOT/linux.stamp" 2>/dev/null)" ] ||
	[ ! -d "$linux/.git" ] || [ -f "$SLOT/linux.busy" ]; then
	apply "$now"
fi
