#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# perfdata-lint: inputs that fuzzing came up with. fuzz/expected has a line
# for each: NAME: STATUS MESSAGE, or how that begins.

# shellcheck source=tools/tests/lib.sh
. "$(dirname "$0")/lib.sh"

zstd=
if has_zstd; then
	zstd=yes
fi

for file in "$here"/fuzz/*.data; do
	name=${file##*/}
	case $name in
	inner-* | zstd-*)
		if [ -z "$zstd" ]; then
			skip "$name" 'built without libzstd'
			continue
		fi
		;;
	esac
	cp "$file" "$name"
	lint -q "$name"
	got="$name: $status"
	[ ! -s err ] || got+=" $(sed 's/^[^:]*: //' err)"
	want=$(grep "^$name: " "$here/fuzz/expected")
	if [ -n "$want" ] && [[ $got == "$want"* ]]; then
		ok "$name"
	else
		not_ok "$name" "got:    $got" "wanted: $want"
	fi
done

finish
