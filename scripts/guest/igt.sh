#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
#
# In a User-Mode-Linux guest: the subtests of IGT's tests, one process each, with the host's
# libraries. /system is the host's root folder, /igt the folder of IGT.
#
#   igt.sh LIBRARIES TEST...      relative to /igt
#
# Prints the output of each subtest after a line "begin TEST@SUBTEST", and
# "end STATUS" after it.

libraries=$1
shift
limit=120

for folder in proc sys dev tmp; do
	mount --bind /$folder /system/$folder || exit 1
done
mount --bind /igt /system/mnt || exit 1
# no virtual terminal: IGT does without if there is none of that name
rm -f /dev/tty0

inside()
{
	timeout -k 5 $limit chroot /system /usr/bin/env LD_LIBRARY_PATH="$libraries" \
		PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@" </dev/null
}

run_one()
{
	echo "begin $1"
	shift
	inside "$@" 2>&1
	printf '\nend %s\n' $?
}

for test in "$@"; do
	name=${test##*/}
	subtests=$(inside "/mnt/$test" --list-subtests 2>/dev/null)
	[ -n "$subtests" ] || run_one "$name" "/mnt/$test"
	for subtest in $subtests; do
		run_one "$name@$subtest" "/mnt/$test" --run-subtest "$subtest"
	done
done
