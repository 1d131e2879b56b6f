#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Programs for the 3DS with libvshader_gx: pictures, job files, what goes wrong.
#
#   VSHADER=PATH EXAMPLE=FILE SHADER=FILE PROGRAM=FILE sh test_gx.sh

. "$(dirname "$0")/result.sh"
: "${VSHADER:?path of the command}" "${EXAMPLE:?program}" "${SHADER:?its shader}" "${PROGRAM:?program}"
tool=$(cd "$(dirname "$0")" && pwd)/png.py
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export VSHADER_DEVICE=local VSHADER_GX_ROMFS="$work/romfs"
echo "TAP version 13"

# good TEXT COMMAND...: it succeeds; its output explains a failure.
good()
{
	text=$1
	shift
	"$@" >"$work/log" 2>&1
	code=$?
	[ $code = 0 ] || sed 's/^/# /' "$work/log" | tail -n 8
	result $code "$text"
}

# png FILE EXPRESSION
png()
{
	good "$1: $2" python3 "$tool" "$work/$1" "$2"
}

# ---- the example ----
mkdir "$work/romfs" "$work/png"
good "the shader" "$VSHADER" asm --form shbin -o "$work/romfs/gx_cube.shbin" "$SHADER"
good "the example" env VSHADER_GX_OUT="$work/a" VSHADER_GX_FRAMES=3 "$EXAMPLE"
png a/frame-000-top.png "(w, h) == (400, 240)"
png a/frame-000-top.png "rows[0][0] == rows[239][399] == (0x68, 0xb0, 0xd8)"
# the front side is as bright as the texture: frame, field, middle
png a/frame-000-top.png "rows[120][160] == (0x60, 0x40, 0x20) and rows[130][225] == (0xf0, 0xc0, 0x80) and rows[152][228] == (0xc0, 0x80, 0x40)"
# the left side has 0.6 of it, the upper one 0.9
png a/frame-000-top.png "rows[120][140] == tuple(v * 153 // 255 for v in (0x60, 0x40, 0x20))"
png a/frame-000-top.png "rows[62][165] == (int(0xf0 * 229 / 255), int(0xc0 * 229 / 255), int(0x80 * 229 / 255))"
! cmp -s "$work/a/frame-000-top.png" "$work/a/frame-002-top.png"
result $? "frames differ"
[ "$(find "$work/a" -name '*.json' | wc -l)" = 6 ]
result $? "a job file per frame, and one more when the processor has written between two jobs"
good "job files give the same bytes" "$VSHADER" test -d local "$work/a"
good "on the portable executor, too" "$VSHADER" test -d local:workers=1,simd=portable "$work/a"
good "pictures of a job file" "$VSHADER" run -d local -q --png "$work/png" "$work/a/frame-001-1.json"
# on its side, as it is in memory
png png/top.png "(w, h) == (240, 400) and rows[0][0] == (0x68, 0xb0, 0xd8, 255) and rows[200][109] != rows[0][0]"
good "again" env VSHADER_GX_OUT="$work/b" VSHADER_GX_FRAMES=3 "$EXAMPLE"
good "all files are the same" diff -r "$work/a" "$work/b"

# edit FILE EXPRESSION: another content, compressed, of its content b.
edit()
{
	python3 - "$work/$1" "$2" <<'END'
import gzip
import sys

with gzip.open(sys.argv[1]) as f:
    b = f.read()
with gzip.open(sys.argv[1], "wb", 1) as f:
    f.write(eval(sys.argv[2]))
END
}

# found FOLDER TEXT: the test of its job files fails.
found()
{
	"$VSHADER" test -d local "$work/$1" >"$work/log" 2>&1
	[ $? = 1 ] && grep -q "FAIL: memory at 0x" "$work/log"
	result $? "$2 is found"
}

edit b/frame-001-1.after "b[:40] + bytes([b[40] ^ 1]) + b[41:]"
found b "another byte"
good "vshader record" env VSHADER_GX_FRAMES=2 "$VSHADER" record -d local -o "$work/rec" -- "$EXAMPLE"
good "its job files give the same bytes" "$VSHADER" test -d local "$work/rec"
VSHADER_GX_OUT=$work/c VSHADER_GX_FRAMES=4 VSHADER_GX_JOBS=1-2 VSHADER_GX_KEYS=3:START \
	"$EXAMPLE" && [ "$(cd "$work/c" && echo ./*.png)" = \
	"./frame-000-top.png ./frame-001-top.png ./frame-002-top.png" ] &&
	[ "$(find "$work/c" -name '*.json' | wc -l)" = 4 ]
result $? "jobs of some frames, and a key that ends the program"

# ---- expected memory ----
good "a picture that stays" env VSHADER_GX_OUT="$work/e" VSHADER_GX_FRAMES=3 "$PROGRAM" still
png e/frame-002-top.png "rows[7][9] == rows[0][0] == (0x56, 0x34, 0x12)"
good "its job files give the same bytes" "$VSHADER" test -d local "$work/e"
cp "$work/e/frame-002.after" "$work/kept"
edit e/frame-002.image "b.replace(bytes.fromhex('12345600'), bytes.fromhex('12345700'))"
found e "another picture in the place of the same one"
edit e/frame-002.image "b.replace(bytes.fromhex('12345700'), bytes.fromhex('12345600'))"
good "the same again" "$VSHADER" test -d local "$work/e"
gzip -cd <"$work/kept" >"$work/e/frame-002.after"
good "expected memory that is not compressed" "$VSHADER" test -d local "$work/e"

# damaged MESSAGE: frame 2 cannot be read.
damaged()
{
	"$VSHADER" test -d local "$work/e/frame-002.json" >"$work/log" 2>&1
	[ $? = 1 ] && grep -q "$1" "$work/log"
	code=$?
	[ $code = 0 ] || sed 's/^/# /' "$work/log"
	result $code "$1"
}

gzip -cd <"$work/kept" | head -c 100 >"$work/e/frame-002.after"
damaged "run at byte 0, 0x.*: no .* bytes"
head -c 1000 "$work/kept" >"$work/e/frame-002.after"
damaged "damaged gzip data"
: >"$work/e/frame-002.after"
damaged "the image has no bytes to compare"

# ---- screens ----
good "buffers" env VSHADER_GX_OUT="$work/s" VSHADER_GX_FRAMES=7 "$PROGRAM" screens
for frame in 0 1 2 3 4; do
	png "s/frame-00$frame-top.png" "(w, h) == (400, 240) and rows[0][0] == (255, 0, 0) and rows[1][399] == (255, 255, 255) and rows[1][0] == rows[239][399] == (0, 0, 0)"
done
png s/frame-005-right.png "(w, h) == (400, 240) and rows[239][2] == (255, 0, 0) and rows[0][0] == (0, 0, 0)"
png s/frame-006-top.png "(w, h) == (800, 240) and rows[0][0] == (255, 0, 0) and rows[1][799] == (255, 255, 255)"
png s/frame-001-bottom.png "(w, h) == (320, 240) and rows[239][319] == (255, 0, 0)"

good "own buffers" env VSHADER_GX_OUT="$work/p" VSHADER_GX_FRAMES=3 "$PROGRAM" present
png p/frame-000-top.png "(w, h) == (400, 240) and rows[0][3] == (0, 0, 255) and rows[0][5] == (0, 0, 0)"
png p/frame-000-right.png "(w, h) == (400, 240) and rows[0][5] == (255, 0, 0) and rows[0][3] == (0, 0, 0)"
png p/frame-001-top.png "(w, h) == (800, 240) and rows[0][3] == (0, 0, 255) and rows[0][799] == (0, 255, 0)"
png p/frame-001-bottom.png "(w, h) == (320, 240) and rows[0][0] == (0, 0, 0)"
png p/frame-000-right.png "rows[0][7] == rows[239][7] == (0, 0, 255) and rows[0][8] == (0, 0, 0)"
good "their job file" "$VSHADER" run -d local -q --png "$work/png" "$work/p/frame-000.json"
png png/right.png "(w, h) == (240, 400) and rows[7][0] == rows[7][239] == (0, 0, 255, 255) and rows[5][239] == (255, 0, 0, 255)"
[ ! -e "$work/p/frame-001-right.png" ]
result $? "no right eye without stereo"

# ---- keys ----
out=$(VSHADER_GX_FRAMES=4 VSHADER_GX_KEYS=1-2:A+X,2:LEFT "$PROGRAM" keys | tr '\n' ,)
[ "$out" = "0 0 0,401 401 0,20 421 0,0 0 421," ]
result $? "keys by frame: $out"

[ "$(VSHADER_GX_SLIDER=0.25 "$PROGRAM" slider)" = 0.25 ] && [ "$("$PROGRAM" slider)" = 0 ]
result $? "the slider"

# wrong TEXT MESSAGE COMMAND...: exit status 1, and the message.
wrong()
{
	text=$1
	want=$2
	shift 2
	"$@" >"$work/log" 2>&1
	[ $? = 1 ] && grep -q "$want" "$work/log"
	code=$?
	[ $code = 0 ] || sed 's/^/# /' "$work/log"
	result $code "$text: $want"
}

wrong "a buffer" "gspPresentBuffer: columns of 720 bytes outside" "$PROGRAM" present other
wrong "keys" "VSHADER_GX_KEYS: Q is none of A, B" env VSHADER_GX_KEYS=0:Q "$PROGRAM" keys
wrong "keys" "FRAME:KEY expected at A" env VSHADER_GX_KEYS=A "$PROGRAM" keys
wrong "frames" "VSHADER_GX_FRAMES=x is no number" env VSHADER_GX_FRAMES=x "$PROGRAM" keys
wrong "jobs" "VSHADER_GX_JOBS=some is neither" env VSHADER_GX_JOBS=some VSHADER_GX_OUT="$work/d" \
	VSHADER_GX_FRAMES=1 "$EXAMPLE"
for jobs in 3-1 -1 ' 1' +1 1- 1-+2 1-2-3; do
	wrong "jobs" "VSHADER_GX_JOBS=$jobs is neither" env VSHADER_GX_JOBS="$jobs" VSHADER_GX_OUT="$work/d" \
		VSHADER_GX_FRAMES=1 "$EXAMPLE"
done
for slider in x 2 -0.5 nan 0.5x; do
	wrong "slider" "VSHADER_GX_SLIDER=$slider is no number from 0 to 1" env VSHADER_GX_SLIDER=$slider "$PROGRAM" slider
done
wrong "another device" "vshader_gx: " env VSHADER_DEVICE=/dev/null "$PROGRAM" keys

# ---- faults ----
wrong "a rejected list" "vshader_gx: frame 0: command list: .*command" \
	env VSHADER_GX_OUT="$work/f" "$PROGRAM" list
good "its job file expects that" "$VSHADER" test -d local "$work/f"
wrong "a list in other memory" "is neither linear nor video memory" "$PROGRAM" malloc
wrong "a fill that is too large" "neither linear nor video memory" "$PROGRAM" fill
wrong "a damaged font" "the font is damaged at byte 536870911" "$PROGRAM" font
echo "1..$n"
exit $status
