#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Run one test program of the userspace tests. Passed and skipped (4) give status 0;
# anything else is told on stderr, as a program may die without a word.
#
#   run_one.sh COMMAND...

"$@"
status=$?
case $status in
0 | 4)
	exit 0
	;;
esac
name=$1
case $name in
sh | python3)
	name=$2
	;;
esac
echo "run_one.sh: $(basename "$name") ended with status $status" >&2
exit 1
