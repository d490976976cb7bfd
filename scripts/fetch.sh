#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Download the source package of a base, the newest point release that the
# archive offers, into build/cache. Prints the path of the .deb on stdout.
#
# usage: [BASE=v6.12] fetch.sh
#
# First the sources this machine is configured with are asked; then the same
# sources with lists of our own, in case those of the machine are old; then
# suites that the machine is not configured with, on the Debian mirror that it
# uses. apt checks signatures and hashes. Nothing outside build/ is changed.
# Exit status: 4 if the archive can be read and does not have the package.

set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"

pkg=linux-source-${BASE#v}
cache=$BUILD/cache
state=$BUILD/apt
# the options that make apt use the lists in question; none: the machine's
opt=()
unreachable=

# Where a base is found when the machine's own suites lack it.
other_suites()
{
	case "$BASE" in
	v6.12) echo trixie ;;
	*) echo trixie-backports sid experimental ;;
	esac
}

# Print the version that apt would download, nothing if there is none.
candidate()
{
	apt-cache "${opt[@]}" policy "$pkg" 2>/dev/null |
		sed -n 's/^ *Candidate: *\([^( ].*\)$/\1/p'
}

# Print the newest .deb that an earlier run left.
cached()
{
	find "$cache" -maxdepth 1 -name "${pkg}_*.deb" | sort -V | tail -n 1
}

finish()
{
	say "using $(basename "$1")"
	printf '%s\n' "$1"
	exit 0
}

# Take version $1 from the cache or the archive. While it is under way it is
# in another directory, so that what is in the cache is whole.
take()
{
	local deb part=$cache/partial

	for deb in "$cache/${pkg}_"*.deb; do
		if [ -f "$deb" ] && [ "$(dpkg-deb -f "$deb" Version)" = "$1" ]; then
			finish "$deb"
		fi
	done
	mkdir -p "$part"
	say "downloading $pkg $1"
	(cd "$part" && apt-get "${opt[@]}" -o APT::Sandbox::User="$(id -un)" \
		download "$pkg=$1") >&2 || return 1
	for deb in "$part/${pkg}_"*.deb; do
		if [ "$(dpkg-deb -f "$deb" Version 2>/dev/null)" = "$1" ]; then
			mv "$deb" "$cache/"
			rm -rf "$part"
			finish "$cache/$(basename "$deb")"
		fi
	done
	return 1
}

try()
{
	local version

	version=$(candidate)
	[ -n "$version" ] || return 0
	take "$version" || unreachable="$pkg $version could not be downloaded"
}

# Read package lists of our own; $1 says whose. Fails if that cannot be done;
# that the archive has no such suite is an answer, too.
update()
{
	say "reading the package lists of $1"
	mkdir -p "$state/lists/partial" "$state/cache/archives/partial"
	apt-get "${opt[@]}" update --error-on=any >"$state/log" 2>&1 ||
		grep -q -E '404 +Not Found' "$state/log"
}

# Print the addresses of the Debian mirrors among the configured sources; not
# that of the security updates, which has no other suites.
mirrors()
{
	# shellcheck disable=SC2016 # apt fills these in
	apt-get "${opt[@]}" indextargets 'Created-By: Packages' \
		--format '$(ORIGIN)|$(LABEL)|$(REPO_URI)' |
		sed -n 's/^Debian|Debian|//p' | grep -v '^cdrom:' | sort -u
}

# What those mirrors are signed with.
keyring()
{
	local key

	for key in /usr/share/keyrings/debian-archive-keyring.{pgp,gpg}; do
		if [ -f "$key" ]; then
			echo "Signed-By: $key"
			return
		fi
	done
}

command -v apt-get >/dev/null ||
	die "the base comes with apt-get, which is not here; use KDIR= with a kernel tree of your own"

mkdir -p "$cache" "$state"
lock "$cache/lock"

try

opt=(-o "Dir::State::lists=$state/lists" -o "Dir::Cache=$state/cache"
	-o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=
	-o "APT::Sandbox::User=$(id -un)" -o Acquire::Languages=none
	-o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false
	-o Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled=false
	-o APT::Get::List-Cleanup=false
	-o Acquire::Retries=2 -o Acquire::http::Timeout=30)

# Other people's archives among the sources may fail as they like
update "the configured sources" || true
try
mapfile -t mirror < <(mirrors)
[ ${#mirror[@]} -gt 0 ] ||
	unreachable="no Debian archive among the configured sources can be read"

opt+=(-o Dir::Etc::sourceparts=/dev/null
	-o "Dir::Etc::sourcelist=$state/base.sources")
for suite in $(other_suites); do
	[ ${#mirror[@]} -gt 0 ] || break
	printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\n%s\n' \
		"${mirror[*]}" "$suite" "$(keyring)" >"$state/base.sources"
	update "$suite" || unreachable="the package lists of $suite cannot be read: $(
		grep -E '^(E|W):' "$state/log" | head -n 1)"
	try
done

deb=$(cached)
if [ -n "$deb" ]; then
	say "${unreachable:-the archive no longer serves $pkg}; taking what was downloaded before"
	finish "$deb"
fi
[ -z "$unreachable" ] || die "$unreachable"
say "the archive serves $pkg neither in the configured suites nor in $(other_suites)"
exit 4
