#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# perfdata-lint: things that are no perf.data file, and wrong usage.

# shellcheck source=tools/tests/lib.sh
. "$(dirname "$0")/lib.sh"

bad 'no such file' 0 'cannot open: No such file' nothing
: >f
bad 'empty file' 0 'empty file'
printf PERF >f
bad 'four bytes' 4 'too short for a header'
head -c 100000 /dev/zero >f
bad 'zeros' 0 'no perf.data'
head -c 100000 /dev/urandom >f
bad 'noise' 0 'no perf.data'
bad 'a program' 0 'no perf.data' "$LINT"
bad 'a device' 0 'not a regular file' /dev/zero
mkfifo fifo
bad 'a FIFO that nobody writes to' 0 'not a regular file' fifo

# Numbers that nobody can mean, in a sparse file that is as large as they say:
# reading all of it would take hours.
tib=$((1 << 40))
if truncate -s 8T f 2>/dev/null; then
	bad 'a hole of 8 TiB' 0 'no perf.data'
	mk plain
	truncate -s 8T f
	put 48 8 $((8 * tib - $(at data)))
	bad 'data of 8 TiB, nearly all a hole' "$(at end)" 'event of type'
	wipe "$(at COMM)" $(($(at eof) - $(at COMM)))
	bad 'data of 8 TiB, all of it a hole' "$(at data)" 'zero event header: zero tail'
	mk plain
	truncate -s 8T f
	put "$(at attrs 128)" 8 $((7 * tib))
	bad 'ids of 7 TiB' "$(at attrs 120)" 'attribute 0 has more than'
	mk plain
	truncate -s 8T f
	put 32 8 $((136 * (tib / 32)))
	bad 'attributes of 4 TiB' "$(at attrs 136)" 'attribute 1 has size'
	mk plain
	truncate -s 8T f
	bad 'a hole of 8 TiB behind the features' "$(at eof)" 'unexplained bytes between feature NRCPUS and the end of the file, all zero'
else
	skip 'sparse files' 'no files of 8 TiB here'
fi
rm f

mkdir empty
bad 'a directory without data' 0 'cannot open' empty empty/data
mkdir dirdir dirdir/data
bad 'a directory in a directory' 0 'not a regular file' dirdir dirdir/data
mkdir loop
ln -s ../loop/data loop/data
bad 'a link to itself' 0 'Too many levels of symbolic links' loop loop/data
mkdir up
ln -s .. up/data
bad 'a link to the directory above' 0 'not a regular file' up up/data
bad 'the root directory' 0 'cannot open' / //data

mk dir-main
mkdir d
mv f d/data
bad 'a directory without the data files it should have' 0 'no data.N' d
mk stream
mv f d/data.1
bad 'a directory where the first data file is missing' 0 'the last one is data.1' d
cp d/data.1 d/data.0
good 'with it' d
cp d/data.1 d/data.01
bad 'a file with a name like a data file' 0 'unexpected file data.01' d
mv d/data.01 d/data.old
bad 'another one' 0 'unexpected file data.old' d
rm d/data.old d/data.0
mkfifo d/data.0
bad 'a FIFO in place of a data file' 0 'not a regular file' d d/data.0
rm d/data.0
mkdir d/data.0
bad 'a directory in place of a data file' 0 'not a regular file' d d/data.0
rmdir d/data.0
cp d/data.1 d/data.0
mk plain
mv f d/data
bad 'data files that the header does not know of' 0 'no feature DIR_FORMAT' d
mk dir-main
put "$(at feat.DIR_FORMAT)" 8 2
mv f d/data
bad 'a directory of an unknown format' 0 'directory format 2' d

# root can read everything, so let somebody else try.
mk plain
chmod 0 f
if [ "$(id -u)" -ne 0 ]; then
	bad 'a file that may not be read' 0 'cannot open: Permission denied'
elif setpriv --reuid 65534 --clear-groups true 2>/dev/null; then
	cp "$LINT" lint-copy
	chmod 755 . lint-copy
	touch out err
	chmod 666 out err
	LINT="$PWD/lint-copy"
	real=$LINT
	printf '#!/bin/sh\nexec setpriv --reuid 65534 --clear-groups %s "$@"\n' \
		"$real" >as-nobody
	chmod 755 as-nobody
	LINT=./as-nobody
	bad 'a file that may not be read' 0 'cannot open: Permission denied'
	LINT=$real
else
	skip 'a file that may not be read' 'root may read everything, and setpriv does not work'
fi

# A name must not make two lines, or colours, of one.
mk plain
truncate -s -1 f
cp f $'a\nb'
bad 'a name with a newline in it' "$(at slot.NRCPUS)" 'NRCPUS' $'a\nb' 'a?b'

mk plain
cp f g
printf x >>g
lint -q f
is 'quiet about good files' "$status $(cat out err)" '0 '
lint -q f g
is 'but not about bad ones' "$status $(cat out err)" \
	"1 g: offset $(at eof): 1 unexplained bytes between feature NRCPUS and the end of the file, not all zero"
lint g f g
is 'all files are checked when one is bad' \
	"$status $(grep -c ok out) $(wc -l <err)" '1 1 2'
lint --events g
is 'events before the damage are printed' \
	"$status $(wc -l <out) $(wc -l <err)" '1 5 1'
lint --counts g
is 'counts of a bad file are not' "$status $(wc -l <out) $(wc -l <err)" '1 0 1'

usage() { # DESCRIPTION TEXT ARGUMENT...
	local what=$1 text=$2

	shift 2
	lint "$@"
	if [ "$status" -eq 2 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] &&
	   [[ "$(cat err)" == "perfdata-lint: "*"$text"* ]]; then
		ok "$what"
	else
		not_ok "$what" "status $status" "$(head -3 out err)"
	fi
}
usage 'no file' 'no FILE'
usage 'unknown option' '--wrong' --wrong f
usage 'unknown short option' '-x' -x f
usage 'option without its argument' '--count' --count
usage 'nothing of that name to count' 'SAMPLES' --count SAMPLES f
usage 'two modes' 'only one of' -q --events f
usage 'events of two files' 'one FILE' --events f f
usage 'counts of two files' 'one FILE' --counts f f
lint --help
is 'help' "$status $(head -1 out) $(wc -l <err)" \
	'0 usage: perfdata-lint [-q] FILE... 0'

if [ -c /dev/full ]; then
	"$LINT" f >/dev/full 2>err
	is 'output that cannot be written' "$? $(cat err)" \
		'1 perfdata-lint: cannot write: No space left on device'
else
	skip 'output that cannot be written' 'no /dev/full here'
fi

finish
