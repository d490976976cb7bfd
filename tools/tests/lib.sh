# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What the tests of perfdata-lint share: TAP output, making files with
# mkperfdata, damaging them, and checking what perfdata-lint says.
#
# environment: TOOLS  where the programs are, default build/tools
#              LINT   perfdata-lint to test, default $TOOLS/perfdata-lint

set -u
here=$(cd "$(dirname "$0")" && pwd)
TOOLS=${TOOLS:-$here/../../build/tools}
LINT=${LINT:-$TOOLS/perfdata-lint}
MK=$TOOLS/mkperfdata
# A finding of the sanitizers must not look like a bad file, which is exit 1.
export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99

if ! [ -x "$LINT" ] || ! [ -x "$MK" ]; then
	echo "Bail out! $LINT or $MK is missing: run make -C tools test"
	exit 1
fi
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
nr=0
status=0
# The byte order that mk and put use: empty, or -b for big-endian.
order=

ok() { # DESCRIPTION
	nr=$((nr + 1))
	echo "ok $nr - $1"
}

not_ok() { # DESCRIPTION [MORE]...
	nr=$((nr + 1))
	echo "not ok $nr - $1"
	shift
	printf '# %s\n' "$@"
}

skip() { # DESCRIPTION REASON
	nr=$((nr + 1))
	echo "ok $nr - $1 # SKIP $2"
}

finish() {
	echo "1..$nr"
}

is() { # DESCRIPTION GOT WANTED
	if [ "$2" = "$3" ]; then
		ok "$1"
	else
		not_ok "$1" "got:    ${2//$'\n'/$'\n'#         }" \
			"wanted: ${3//$'\n'/$'\n'#         }"
	fi
}

# Make file f of a kind.
mk() { # KIND
	# shellcheck disable=SC2086 # empty is no argument
	"$MK" $order "$1" f >map || echo "Bail out! mkperfdata $1"
}

# Can compressed records be looked into?
has_zstd() {
	"$MK" zstd f >map 2>/dev/null
}

# Where mkperfdata has put something.
at() { # NAME [PLUS]
	local off

	off=$(awk -v n="$1" '$1 == n { print $2; exit }' map)
	[ -n "$off" ] || echo "Bail out! nothing is called $1" >&2
	echo $((off + ${2:-0}))
}

# Write a number over a place in f.
put() { # OFFSET WIDTH VALUE
	local i b s=''

	for ((i = 0; i < $2; i++)); do
		printf -v b '\\x%02x' $((($3 >> (8 * i)) & 255))
		if [ -n "$order" ]; then s=$b$s; else s=$s$b; fi
	done
	# shellcheck disable=SC2059 # the format is the data
	printf "$s" | dd of=f bs=1 seek="$1" conv=notrunc status=none
}

put_text() { # OFFSET TEXT
	printf %s "$2" | dd of=f bs=1 seek="$1" conv=notrunc status=none
}

# Overwrite a part of f with zero bytes.
wipe() { # OFFSET LENGTH
	dd if=/dev/zero of=f bs=1 seek="$1" count="$2" conv=notrunc status=none
}

# Put bytes in between, which moves what follows.
insert() { # OFFSET FILE
	{ head -c "$1" f; cat "$2"; tail -c +$(($1 + 1)) f; } >f.new
	mv f.new f
}

cut_out() { # OFFSET LENGTH
	{ head -c "$1" f; tail -c +$(($1 + $2 + 1)) f; } >f.new
	mv f.new f
}

# Run perfdata-lint; leaves status, out and err.
lint() { # ARGUMENT...
	timeout 60 "$LINT" "$@" >out 2>err
	status=$?
}

good() { # DESCRIPTION [FILE]
	lint "${2:-f}"
	if [ $status -eq 0 ] && [ ! -s err ] &&
	   [ "$(head -1 out)" = "${2:-f}: ok" ]; then
		ok "$1"
	else
		not_ok "$1" "status $status" "$(head -3 out err)"
	fi
}

# A bad file: exit 1, nothing on stdout, one line with the offset on stderr.
bad() { # DESCRIPTION OFFSET TEXT [FILE [NAME IN MESSAGE]]
	local file=${4:-f} name

	name=${5:-$file}
	lint "$file"
	if [ $status -eq 1 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] &&
	   [[ "$(cat err)" == "$name: offset $2: "*"$3"* ]]; then
		ok "$1"
	else
		not_ok "$1" "status $status, $(wc -c <out) bytes on stdout" \
			"got:    $(head -3 err)" \
			"wanted: $name: offset $2: ...$3..."
	fi
}
