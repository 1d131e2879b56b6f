#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# vshader record on a device: job files of each instruction set are run and recorded; what
# was recorded is run again, on the device and in-process. Needs root and debugfs. TAP on stdout.
#
#   VSHADER=PATH JOBS=DIR DEVICE=/dev/dri/... [LIMA=PATH] sh test_record.sh
#
# LIMA is the program test_lima, which draws on a device with the personality lima.

: "${VSHADER:?path of the command}" "${JOBS:?folder of job files}" "${DEVICE:?render node}"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
number=0
failed=0

result() # STATUS TEXT
{
	number=$((number + 1))
	if [ "$1" = 0 ]; then
		echo "ok $number $2"
	else
		echo "not ok $number $2"
		failed=$((failed + 1))
		grep -v '^ok' "$tmp/out" | sed 's/^/# /' | cut -c1-200 | tail -n 30
	fi
}

# expect STATUS TEXT COMMAND...: exit status; all output is kept in $tmp/out.
expect()
{
	want=$1
	text=$2
	shift 2
	"$@" >"$tmp/out" 2>&1 </dev/null
	[ $? = "$want" ]
	result $? "$text"
}

has() # TEXT PATTERN: in what the last command printed
{
	grep -q -e "$2" "$tmp/out"
	result $? "$1"
}

echo "TAP version 13"
for name in bifrost midgard qpu demo; do
	expect 0 "$name: recorded" "$VSHADER" record -o "$tmp/$name" -- \
		"$VSHADER" test -d "$DEVICE" "$JOBS/$name"
	[ "$(ls "$tmp/$name"/*.after 2>/dev/null | wc -l)" -gt 3 ]
	result $? "$name: memory is compared"
	expect 0 "$name: the same again" "$VSHADER" test -d "$DEVICE" "$tmp/$name"
	expect 0 "$name: the same again, in-process" "$VSHADER" test -d local "$tmp/$name"
	rm -rf "${tmp:?}/$name"
done

# more memory than the buffer has room for
job=02-number-formats.json
sed '/"programs": \[/i"memory": [{ "va": "0x70000000", "data": { "hex": "5a", "repeat": 2097152 } }],' \
	"$JOBS/demo/$job" >"$tmp/large.json"
expect 0 "a job with 2 MiB of memory" "$VSHADER" run -d "$DEVICE" "$tmp/large.json"
expect 1 "there is no room for it" "$VSHADER" record -b 1 -o "$tmp/large" -- \
	"$VSHADER" run -d "$DEVICE" "$tmp/large.json"
has "jobs that are missing" "[1-9] not recorded"
expect 0 "there is with a larger buffer" "$VSHADER" record -b 8 -d "$DEVICE" -o "$tmp/larger" -- \
	"$VSHADER" run -d "$DEVICE" "$tmp/large.json"
expect 1 "only in-process" "$VSHADER" record -d local -o "$tmp/none" -- \
	"$VSHADER" run -d "$DEVICE" "$JOBS/demo/$job"
has "nothing of the device" "record: 0 jobs"
expect 2 "one recorder at a time" "$VSHADER" record -o "$tmp/none" -- \
	"$VSHADER" record -o "$tmp/none" -- true
has "the reason" "resource busy"
# without the command
exec 3<>"/sys/kernel/debug/dri/${DEVICE##*renderD}/record"
echo size=8 >&3
"$VSHADER" run -d "$DEVICE" "$JOBS/demo/$job" >"$tmp/out"
# what is there, or comes
timeout 100 dd bs=65536 count=1 <&3 >"$tmp/stream" 2>"$tmp/out"
exec 3>&-
[ "$(grep -c VSHDUMP "$tmp/stream")" -gt 0 ]
result $? "a stream of dumps"
# a driver's name without fdinfo: jobs.sh --all has a device with personality lima
lima=$(grep -l '^lima ' /sys/kernel/debug/dri/*/name 2>/dev/null | cut -d/ -f6 | tail -n 1)
if [ -n "$lima" ] && [ -x "${LIMA:-}" ]; then
	expect 0 "a device without fdinfo" "$VSHADER" record -d "/dev/dri/renderD$lima" \
		-o "$tmp/lima" -- "$LIMA" draw
	[ "$(ls "$tmp/lima"/*.json 2>/dev/null | wc -l)" -ge 1 ]
	result $? "a device without fdinfo: job files"
else
	number=$((number + 1))
	echo "ok $number a device without fdinfo # SKIP no device with personality lima, or no LIMA=PROGRAM"
fi
expect 2 "a device that there is not" "$VSHADER" record -d /dev/null -o "$tmp/none" -- true
echo "1..$number"
[ $failed -eq 0 ]
