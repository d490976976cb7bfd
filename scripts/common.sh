# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Shared by the scripts in this directory: where things are, which base and
# which stack are meant, and how to say so. To be sourced, after "set -eu".
#
# Environment: BASE (v6.12), KDIR (a kernel tree of the caller's own), SAN
# (1 or tsan: a sanitizer build), BASE_ORIGIN (set by the Makefile: where the
# value of BASE comes from, in make's words).
#
# Sets: TOP, BUILD, BASE (also when KDIR decides), SLOT (the directory below
# build/ that everything made for this base goes to), STACK (the directory
# with the series).

me=$(basename "$0")

die()
{
	echo "$me: $*" >&2
	exit 1
}

say()
{
	echo "$me: $*" >&2
}

# Nothing of the caller's make must reach the makefiles of the kernel: BASE,
# SAN and the like would override variables of theirs.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL GNUMAKEFLAGS
export LC_ALL=C

TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
mkdir -p "$TOP/build" 2>/dev/null ||
	die "cannot make the directory $TOP/build"
# build may be a symbolic link to where there is room
BUILD=$(cd "$TOP/build" && pwd -P)
[ -w "$BUILD" ] || die "cannot write to $BUILD (it belongs to $(stat -c %U "$BUILD"))"

# Print the stacks there are, oldest first.
stacks()
{
	find "$TOP/patches" -mindepth 2 -maxdepth 2 -name series \
		-path '*/v[0-9]*' 2>/dev/null |
		sed 's|/series$||; s|.*/||' | sort -V
}

# Print "VERSION.PATCHLEVEL" of the kernel tree $1, nothing if it has none.
tree_version()
{
	sed -n 's/^VERSION *= *\([0-9][0-9]*\) *$/\1/p;
		s/^PATCHLEVEL *= *\([0-9][0-9]*\) *$/.\1/p' \
		"$1/Makefile" 2>/dev/null | head -n 2 | tr -d '\n'
}

# Print the newest stack that is not newer than kernel version $1.
stack_for()
{
	local s best=

	for s in $(stacks); do
		if printf '%s\n%s\n' "${s#v}" "$1" | sort -V -C; then
			best=$s
		fi
	done
	echo "$best"
}

# Decide BASE, SLOT and STACK for the caller's own tree.
use_kdir()
{
	local version given=$KDIR

	KDIR=$(cd "$given" 2>/dev/null && pwd -P) ||
		die "KDIR=$given: no such directory"
	version=$(tree_version "$KDIR" || true)
	if ! [[ $version == *.* && -d $KDIR/tools/perf ]]; then
		die "KDIR=$given: not a kernel source tree (no Makefile with a version, or no tools/perf)"
	fi
	case "${BASE_ORIGIN:-}" in
	'command line' | environment*)
		[ -n "${KDIR_SAID:-}" ] ||
			say "KDIR is given, so BASE=$BASE is not used"
		;;
	esac
	BASE=$(stack_for "$version")
	[ -n "$BASE" ] ||
		die "KDIR=$given: is $version, older than the oldest stack ($(stacks | head -n 1))"
	[ -n "${KDIR_SAID:-}" ] ||
		say "KDIR=$given is $version: taking the stack patches/$BASE"
	# each script is its own process; say it once only
	export KDIR_SAID=1
	SLOT=$BUILD/kdir-$(basename "$KDIR" | tr -c 'A-Za-z0-9._\n' _)
	SLOT+=-$(printf %s "$KDIR" | sha256sum | cut -c 1-8)
}

BASE=${BASE:-v6.12}
KDIR=${KDIR:-}
if [ -n "$KDIR" ]; then
	use_kdir
else
	[[ $BASE =~ ^v[0-9]+\.[0-9]+$ ]] ||
		die "BASE=$BASE: not the name of a base; try one of: $(stacks | tr '\n' ' ')"
	SLOT=$BUILD/$BASE
fi
STACK=$TOP/patches/$BASE

case "${SAN:-}" in
'' | 0) SAN='' ;;
1 | tsan) ;;
*) die "SAN=$SAN: must be 1 (address, undefined behaviour) or tsan (threads)" ;;
esac

# Print the names of the patches in the series, in order.
series()
{
	[ -f "$STACK/series" ] || return 0
	sed 's/[[:space:]]*#.*//; s/[[:space:]]*$//; /^$/d' "$STACK/series"
}

# The directory of the build of "perf" or "perf-base".
perf_dir()
{
	case "$1$SAN" in
	perf1) echo "$SLOT/perf-san" ;;
	perftsan) echo "$SLOT/perf-tsan" ;;
	*) echo "$SLOT/$1" ;;
	esac
}

# Print the bases that are meant: the one asked for, else all, the default one
# first.
bases()
{
	echo "$BASE"
	case "$KDIR:${BASE_ORIGIN:-}" in
	:file | :) stacks | grep -v -x "$BASE" || : ;;
	esac
}

# Print what perf's makefile is told. What takes time to build and is not under
# test is left out. LLVM and Rust are asked for by newer perfs and too old in
# Debian 12.
perf_flags()
{
	echo NO_LIBPYTHON=1 NO_LIBPERL=1 NO_JVMTI=1 NO_SLANG=1 NO_JEVENTS=1 \
		NO_LIBLLVM=1 NO_RUST=1 BUILD_BPF_SKEL=0
}

# Have ccache, if it is there, find objects that were compiled elsewhere, from
# the same source.
ccache_setup()
{
	command -v ccache >/dev/null || return
	export CCACHE_DIR=${CCACHE_DIR:-$BUILD/ccache}
	export CCACHE_BASEDIR=$SLOT CCACHE_NOHASHDIR=1
}

# One process at a time works on what file $1 stands for; wait for the turn.
# A child that is started by the holder passes through.
lock()
{
	[[ ${LOCKS_HELD:-} != *"<$1>"* ]] || return 0
	exec {lock_fd}>"$1"
	if ! flock -n "$lock_fd"; then
		say "waiting for another make in this directory"
		flock "$lock_fd"
	fi
	export LOCKS_HELD="${LOCKS_HELD:-}<$1>"
}

# git that neither needs nor heeds what the user or the machine has set up,
# and runs on trees that root made in another user's checkout.
git_setup()
{
	local var

	for var in $(git rev-parse --local-env-vars); do
		unset "$var"
	done
	export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
	export GIT_CONFIG_COUNT=4
	export GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'
	export GIT_CONFIG_KEY_1=gc.auto GIT_CONFIG_VALUE_1=0
	export GIT_CONFIG_KEY_2=advice.detachedHead GIT_CONFIG_VALUE_2=false
	export GIT_CONFIG_KEY_3=core.autocrlf GIT_CONFIG_VALUE_3=false
	export GIT_AUTHOR_NAME=build GIT_AUTHOR_EMAIL=build@localhost
	export GIT_COMMITTER_NAME=build GIT_COMMITTER_EMAIL=build@localhost
	export GIT_TERMINAL_PROMPT=0 GIT_PAGER=cat
}

# put_block DOCUMENT NAME FILE: put FILE between the lines ".. begin NAME" and
# ".. end NAME" of DOCUMENT, in place of what is there.
put_block()
{
	local line

	for line in begin end; do
		grep -q "^\.\. $line $2\$" "$1" || die "$1: no line '.. $line $2'"
	done
	awk -v name="$2" -v file="$3" '
		$0 == ".. end " name { skip = 0 }
		!skip { print }
		$0 == ".. begin " name {
			skip = 1
			print ""
			while ((getline line <file) > 0)
				text = text line "\n"
			sub(/\n+$/, "", text)
			print text "\n"
		}' "$1" >"$1.new"
	mv "$1.new" "$1"
}
