#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Count the tests in files of TAP and of KTAP as the kernel's selftests print
# it, where what a test program prints is in comments before its own result.
# Names the tests that failed; the last line is "N passed, N failed, N skipped".
#
# usage: tap-summary.sh FILE...
#
# A program whose results cannot be seen one by one counts as one test. As
# failed counts also: a file with no test in it, with no plan or not as many
# tests as planned, or that bailed out; a program that failed although each of
# its tests had passed. Exit status: 1 if anything failed.

exec awk '
function failed(what)
{
	nfail++
	printf "FAILED: %s (see %s)\n", what, file
}

# One result; rest is what comes after "ok" or "not ok".
function count(ok, rest)
{
	sub(/^[ \t]*[0-9]*[ \t]*(- )?/, "", rest)
	if (!ok) {
		failed(rest)
	} else if (toupper(rest) ~ /# *SKIP/) {
		nskip++
		printf "skipped: %s\n", rest
	} else {
		npass++
	}
}

# The end of what a program printed; ok and rest as above.
function program_end(ok, rest)
{
	if (inner_ran == 0 && ok)
		failed(rest ": no test was run")
	else if (inner_plan != inner_ran)
		failed(rest ": planned " inner_plan " tests, ran " inner_ran)
	else if (!ok && !inner_bad)
		failed(rest)
	inner = 0
}

function file_end()
{
	if (inner)
		program_end(1, "the last program")
	if (bailed != "")
		failed("bailed out:" bailed)
	else if (plan < 0)
		failed("no plan, it did not run to its end")
	else if (plan != ran)
		failed("planned " plan " tests, ran " ran)
	else if (plan == 0 && !all_skipped)
		failed("no test was run")
}

FNR == 1 {
	if (file != "")
		file_end()
	file = FILENAME
	read[file] = 1
	plan = -1
	inner = ran = all_skipped = 0
	bailed = ""
}

/^# K?TAP version/ {
	if (inner)
		program_end(1, "a program without a result")
	inner = 1
	inner_plan = -1
	inner_ran = inner_bad = 0
}

inner && /^# 1\.\.[0-9]+/ {
	inner_plan = substr($0, 6) + 0
}

inner && /^# (not )?ok/ {
	inner_ran++
	ok = $2 == "ok"
	inner_bad += !ok
	rest = $0
	sub(/^# (not )?ok/, "", rest)
	count(ok, rest)
}

/^1\.\.[0-9]+/ {
	plan = substr($0, 4) + 0
	if (plan == 0 && toupper($0) ~ /# *SKIP/) {
		all_skipped = 1
		count(1, substr($0, 5))
	}
}

/^(not )?ok([ \t]|$)/ {
	ran++
	ok = $1 == "ok"
	rest = $0
	sub(/^(not )?ok/, "", rest)
	# All of them skipped is one skip, that of the program; none is none
	if (inner && !(ok && inner_plan == 0 && inner_ran == 0 && toupper(rest) ~ /# *SKIP/)) {
		program_end(ok, rest)
	} else {
		inner = 0
		count(ok, rest)
	}
}

/^Bail out!/ {
	bailed = substr($0, 10) " "
}

END {
	if (file != "")
		file_end()
	for (i = 1; i < ARGC; i++) {
		file = ARGV[i]
		if (!(file in read))
			failed("no test was run")
	}
	printf "%d passed, %d failed, %d skipped\n", npass, nfail, nskip
	exit nfail > 0
}' "$@"
