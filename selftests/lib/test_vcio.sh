#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Programs with their own mailbox calls, under libvshader_vcio.so.
#
#   LIB=DIR PROGRAM=FILE test_vcio.sh

n=0
status=0

result()
{
	n=$((n + 1))
	if [ "$1" = 0 ]; then
		echo "ok $n $2"
	else
		echo "not ok $n $2"
		status=1
	fi
}

echo "TAP version 13"
out=$(VSHADER_MAILBOX_QUIET=1 VSHADER_DEVICE=local LD_PRELOAD=$LIB/libvshader_vcio.so \
	"$PROGRAM" 2>&1)
code=$?
[ "$code" = 0 ] && [ "$out" = ok ]
result $? "memory, QPUs and what is wrong (exit $code) $out"

out=$(VSHADER_DEVICE=local LD_PRELOAD=$LIB/libvshader_vcio.so "$PROGRAM" 2>&1)
case $out in
*"semaphore 0, which is at 0"*) result 0 "a deadlock is explained" ;;
*) result 1 "a deadlock is explained: $out" ;;
esac

# misuse VARIABLE=VALUE MESSAGE: no job runs, and the reason is printed.
misuse()
{
	out=$(env "$1" VSHADER_DEVICE=local LD_PRELOAD="$LIB/libvshader_vcio.so" "$PROGRAM" 2>&1)
	code=$?
	case $code:$out in
	7:*"$2"*) result 0 "$1" ;;
	*) result 1 "$1 (exit $code): $out" ;;
	esac
}

misuse VSHADER_MAILBOX_STRICT=frob "VSHADER_MAILBOX_STRICT: frob is none of hazards, tmu, lint"
misuse VSHADER_MAILBOX_STRICT=tmu,frob "VSHADER_MAILBOX_STRICT: frob is none of"
misuse VSHADER_MAILBOX_TIMEOUT=frob 'VSHADER_MAILBOX_TIMEOUT=frob: neither "strict" nor milliseconds'
misuse VSHADER_MAILBOX_TIMEOUT=-1 "neither"
misuse VSHADER_MAILBOX_TIMEOUT=10s "neither"

VSHADER_MAILBOX_QUIET=1 VSHADER_DEVICE=/dev/null LD_PRELOAD=$LIB/libvshader_vcio.so \
	"$PROGRAM" >/dev/null 2>&1
[ $? = 1 ]
result $? "without a device the file cannot be opened"
echo "1..$n"
exit $status
