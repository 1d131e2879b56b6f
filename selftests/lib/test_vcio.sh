#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Programs with their own mailbox calls, under libvshader_vcio.so.
#
#   LIB=DIR PROGRAM=FILE V3D=FILE test_vcio.sh

. "$(dirname "$0")/result.sh"

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

# Control lists by registers: a red triangle above the diagonal.
png=$(mktemp --suffix .png)
out=$(VSHADER_MAILBOX_QUIET=1 VSHADER_DEVICE=local LD_PRELOAD=$LIB/libvshader_vcio.so \
	"$V3D" "$png" 2>&1)
code=$?
[ "$code" = 0 ] && [ "$out" = ok ]
result $? "control lists (exit $code) $out"
python3 "$(dirname "$0")/png.py" "$png" '(w == h == 64 and
	rows[63][63] == (0, 0, 64, 255) and sum(row.count((255, 0, 0, 255)) for row in rows) == 2016)'
result $? "the picture of a control list"
rm -f "$png"

# The node that a program makes and keeps is there for its next run, and for others.
node=$(mktemp -u)
for run in first second; do
	out=$(VSHADER_DEVICE=local LD_PRELOAD=$LIB/libvshader_vcio.so "$PROGRAM" "$node" 2>&1)
	[ "$?:$out" = 0:ok ]
	result $? "a node that is kept, $run run: $out"
done
rm -f "$node"

case $(VSHADER_DEVICE=local LD_PRELOAD=$LIB/libvshader_vcio.so "$PROGRAM" 2>&1) in
*"0xfe000000 are a Raspberry Pi 4's"*) result 0 "peripherals of a Raspberry Pi 4 are refused" ;;
*) result 1 "peripherals of a Raspberry Pi 4 are refused" ;;
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
