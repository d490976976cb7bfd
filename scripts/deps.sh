#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Install the Debian packages (12 or newer) that the targets of the Makefile
# need, with apt-get; only what is missing, so that a second run does nothing.
#
# usage: deps.sh [bench | check]
#   bench  also what only the benchmarks need
#   check  also what only make check and make mail need
#
# Environment: NO_DEPS=1 installs nothing, for those who see to it themselves.

set -euo pipefail

me=$(basename "$0")
group=${1:-}

# One package a line. a|b: either will do, a is preferred; a leading "?": go
# on without it where the archive does not have it.
packages()
{
	sed 's/[[:space:]]*#.*//; /^$/d' <<-'EOT'
	# to fetch and prepare a base
	ca-certificates
	dpkg
	git
	tar
	xz-utils
	# to build perf
	bc
	binutils-dev
	bison
	flex
	gcc
	g++
	libc6-dev
	libcap-dev
	libdw-dev
	libelf-dev
	liblzma-dev
	libnuma-dev
	libssl-dev
	libtraceevent-dev
	libunwind-dev
	libzstd-dev
	make
	pkg-config|pkgconf
	python3
	zlib1g-dev
	?ccache				# for those who build again
	?libbabeltrace-dev		# perf data convert --to-ctf
	?systemtap-sdt-dev		# the probes in perf itself
	# to check tools/ and selftests/ with a second compiler and to fuzz
	clang
	libclang-rt-dev|libclang-rt-14-dev
	# to run the tests
	bindfs
	btrfs-progs
	codespell
	diffutils
	e2fsprogs
	fuse3
	?gcc-multilib			# the unit test built for 32 bits
	?hotspot			# a reader of perf.data that is not perf
	gawk				# perf on arm64
	kmod
	mount
	perl				# prove
	procps
	?qemu-user			# runs it where the kernel is for 64 bits only
	quilt
	shellcheck
	strace
	util-linux
	xfsprogs
	zstd
	EOT
	case $group in
	bench) printf '%s\n' 'gnuplot-nox|gnuplot' openssl ;;
	check)
		printf '%s\n' clang-format coccinelle cppcheck sparse \
			asciidoc-base groff-base xmlto \
			git-email libmailtools-perl '?b4'
		;;
	esac
}

# Print the name that the archive knows out of a|b.
pick()
{
	local name

	for name in ${1//|/ }; do
		if LC_ALL=C apt-cache policy "$name" |
			grep '^ *Candidate: *[^( ]' >/dev/null; then
			echo "$name"
			return
		fi
	done
}

[ "${NO_DEPS:-0}" != 1 ] || exit 0

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
	echo "$me: this is not Debian; install what these packages hold, then set NO_DEPS=1: $(
		packages | tr '\n' ' ')" >&2
	exit 1
fi

# shellcheck disable=SC2016 # dpkg-query fills these in
installed=$(dpkg-query -W -f '<${Package}>${db:Status-Status}\n' |
	sed -n 's/>installed$/>/p')

missing=() optional=()
while read -r line; do
	found=
	for name in $(tr '|' ' ' <<<"${line#\?}"); do
		[[ $installed != *"<$name>"* ]] || found=$name
	done
	if [ -n "$found" ]; then
		:
	elif [[ $line == \?* ]]; then
		optional+=("${line#\?}")
	else
		missing+=("$line")
	fi
done < <(packages)

root=()
if [ "$(id -u)" != 0 ]; then
	[ ${#missing[@]} -gt 0 ] || exit 0
	if ! command -v sudo >/dev/null; then
		echo "$me: not root and no sudo here; as root, do: apt-get install ${missing[*]%%|*}" >&2
		exit 1
	fi
	root=(sudo)
fi

# An archive that the machine has besides Debian's may be out of order; what
# cannot be had without it is said below.
if [ ${#missing[@]} -gt 0 ]; then
	"${root[@]}" apt-get -qq update ||
		echo "$me: apt-get update failed, going on with the old package lists" >&2
fi

names=()
for line in "${missing[@]}"; do
	name=$(pick "$line")
	if [ -z "$name" ]; then
		echo "$me: the archive has no ${line//|/ or }" >&2
		exit 1
	fi
	names+=("$name")
done
for line in "${optional[@]}"; do
	name=$(pick "$line")
	[ -z "$name" ] || names+=("$name")
done

[ ${#names[@]} -gt 0 ] || exit 0
echo "$me: installing, which can take some minutes: ${names[*]}" >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
"${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
	-o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 \
	--no-install-recommends install "${names[@]}" </dev/null >"$log" 2>&1 || {
	tail -n 20 "$log" >&2
	echo "$me: apt-get could not install ${names[*]}" >&2
	exit 1
}
