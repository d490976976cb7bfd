#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What make mail sends through instead of a mail server: a sendmail that adds
# each message to the mbox $MAIL_SINK.
#
# usage: MAIL_SINK=FILE mail-sink.sh [OPTION]... RECIPIENT...

set -eu
[ $# -gt 0 ] || exit 64	# EX_USAGE: nobody to send it to
{
	echo "From mail-sink Thu Jan  1 00:00:00 1970"
	sed 's/^From />From /'
	echo
} >>"$MAIL_SINK"
