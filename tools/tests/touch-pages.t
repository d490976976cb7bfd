#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# touch-pages: faults as many pages as it is told, and takes no nonsense.

# shellcheck source=tools/tests/lib.sh
. "$(dirname "$0")/lib.sh"
TP=$TOOLS/touch-pages

run() { # ARGUMENT...
	timeout 60 "$TP" "$@" >out 2>err
	status=$?
}

# Page faults of a run, counted by the kernel.
faults() { # ARGUMENT...
	( "$TP" "$@" >/dev/null; exec awk '{ print $11 }' /proc/self/stat )
}

run 10
is 'ten pages' "$status $(cat out err)" '0 '
run -x 7 1
is 'exit status' "$status $(cat out err)" '7 '
run -m 16
read -r from to <out
is 'prints the range' "$((to - from))" $((16 * $(getconf PAGESIZE)))

# cminflt of the shell that has waited for it: 2000 pages more, 2000 faults
# more, give or take what differs between two runs of any program.
few=$(faults 1)
many=$(faults 2001)
reverse=$(faults -r 2001)
if [ $((many - few)) -ge 1990 ] && [ $((many - few)) -le 2010 ]; then
	ok 'one fault per page'
else
	not_ok 'one fault per page' "1 page: $few, 2001 pages: $many"
fi
if [ $((reverse - few)) -ge 1990 ] && [ $((reverse - few)) -le 2010 ]; then
	ok 'one fault per page, from the last one down'
else
	not_ok 'one fault per page, from the last one down' \
		"1 page: $few, 2001 pages: $reverse"
fi

refused() { # TEXT ARGUMENT...
	local text=$1

	shift
	run "$@"
	if [ $status -eq 2 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] &&
	   [[ "$(cat err)" == "touch-pages: "*"$text"* ]]; then
		ok "refused: $*"
	else
		not_ok "refused: $*" "status $status" "$(cat out err)"
	fi
}
refused 'how many pages'
refused 'unexpected argument 2' 1 2
for n in '' 0 -1 +1 ' 1' 1x 0x10 1e3 1.5 99999999999999999999; do
	refused 'pages are a number' -- "$n"
done
refused 'exit status is 0 to 255, not 256' -x 256 1
refused 'exit status is 0 to 255, not -1' -x -1 1
refused 'seconds to sleep are 0 to 86400, not 86401' -s 86401 1
refused 'seconds to sleep are 0 to 86400, not 1s' -s 1s 1
refused 'unknown or incomplete option -s' -s
refused 'unknown or incomplete option -y' -y 1
run 1000000000000
is 'more than there is address space' "$status $(wc -l <err)" '1 1'

finish
