#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# libvshader_gx on a device: its own tests, and frames of a program for the 3DS, which are those
# of the library without a device, byte for byte. TAP on stdout.
#
#   DEVICE=/dev/dri/... VSHADER=PATH EXAMPLE=FILE SHADER=FILE PROGRAM=FILE sh test_gx_device.sh

: "${DEVICE:?render node}" "${VSHADER:?path of the command}" "${EXAMPLE:?program}"
: "${SHADER:?its shader}" "${PROGRAM:?program}"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
number=0
failed=0

# good TEXT COMMAND...: it succeeds; its output explains a failure.
good()
{
	number=$((number + 1))
	text=$1
	shift
	if "$@" >"$tmp/out" 2>&1; then
		echo "ok $number $text"
	else
		echo "not ok $number $text"
		failed=$((failed + 1))
		grep -v '^ok' "$tmp/out" | sed 's/^/# /' | cut -c1-200 | tail -n 30
	fi
}

# frames FOLDER DEVICE
frames()
{
	VSHADER_DEVICE=$2 VSHADER_GX_ROMFS="$tmp/romfs" VSHADER_GX_OUT="$tmp/$1" VSHADER_GX_FRAMES=3 \
		"$EXAMPLE"
}

echo "TAP version 13"
mkdir "$tmp/romfs"
good "memory, queue, registers of gx_prog" env VSHADER_DEVICE="$DEVICE" "$PROGRAM"
good "the shader" "$VSHADER" asm --form shbin -o "$tmp/romfs/gx_cube.shbin" "$SHADER"
good "the example" frames device "$DEVICE"
good "the example without a device" frames local local
good "both have frames" test -s "$tmp/device/frame-002-top.png"
good "which are the same files" diff -r "$tmp/device" "$tmp/local"
good "job files give the same bytes" "$VSHADER" test --device "$DEVICE" "$tmp/device"
echo "1..$number"
[ $failed = 0 ]
