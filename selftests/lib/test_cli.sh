#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The vshader command: exit statuses, output forms, round trips. TAP on stdout.
#
#   VSHADER=PATH JOBS=DIR sh test_cli.sh

: "${VSHADER:?path of the command}" "${JOBS:?folder of job files}"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
. "$(dirname "$0")/result.sh"

# expect STATUS TEXT COMMAND...: exit status; output is kept in $tmp/out and $tmp/err.
expect()
{
	want=$1
	text=$2
	shift 2
	"$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	got=$?
	[ $got = "$want" ]
	result $? "$text: exit status $want"
	[ $got = "$want" ] || sed "s/^/# $got: /" "$tmp/err" "$tmp/out" | head -n 20
}

has() # TEXT PATTERN: in what the last command printed
{
	grep -q -e "$2" "$tmp/out" "$tmp/err"
	result $? "$1"
}

json() # TEXT PYTHON-EXPRESSION over j
{
	python3 -c "
import json, sys
j = json.load(open('$tmp/out'))
sys.exit(0 if ($2) else 1)" 2>/dev/null
	result $? "$1"
}

echo "TAP version 13"

# ---- usage ----
expect 2 "no command" "$VSHADER"
has "which prints what there is" "^commands:"
expect 0 "help" "$VSHADER" help
expect 0 "--version" "$VSHADER" --version
has "a version" "^vshader [0-9]*\.[0-9]*$"
expect 2 "unknown command" "$VSHADER" frobnicate
for c in info run test diff disasm asm verify debug trace bench; do
	expect 0 "$c --help" "$VSHADER" $c --help
	has "usage of $c" "^usage: vshader $c "
	expect 0 "help $c" "$VSHADER" help $c
	expect 2 "$c with an unknown option" "$VSHADER" $c --frobnicate
done
expect 2 "run without files" "$VSHADER" run --device local
expect 2 "run of a missing file" "$VSHADER" run --device local "$tmp/none.json"
expect 2 "an unknown device option" "$VSHADER" info --device local:x=1
expect 2 "a missing device" "$VSHADER" run --device /dev/dri/none "$JOBS/demo/06-faults.json"
has "says what to do" "local"

# ---- info ----

# ---- Midgard ----
cat >"$tmp/sum.mg" <<'END'
sadd.FADD.f32 R0.x, R0.x, U0.x

vmul.MOV.i32 R0, TMP0.xxxx, R0
br.write.always -1 -> aluw/4
writeout
END
expect 0 "asm of Midgard" "$VSHADER" asm --isa midgard -o "$tmp/sum.hex" "$tmp/sum.mg"
expect 0 "disasm of it" "$VSHADER" disasm --isa midgard "$tmp/sum.hex"
has "the operation" "sadd.FADD.f32 R0.x, R0.x, U0.x"
cp "$tmp/out" "$tmp/again.mg"
expect 0 "asm of that" "$VSHADER" asm --isa midgard -o "$tmp/again.hex" "$tmp/again.mg"
cmp -s "$tmp/sum.hex" "$tmp/again.hex"
result $? "the same words"
expect 0 "verify" "$VSHADER" verify --isa midgard "$tmp/sum.hex"
has "it is accepted" "accepted: Midgard program"
expect 0 "verify of text" "$VSHADER" verify -j --isa midgard --form asm "$tmp/sum.mg"
json "its content" "j['accepted'] and j['report']['bundles'] == 2"
expect 1 "verify for T760" "$VSHADER" verify --isa midgard --gpu t760 "$tmp/sum.hex"
has "it lacks the tag" "GPU does not have"
has "its place" "quad 1, bits 0 to 3"
expect 2 "an unknown GPU" "$VSHADER" verify --isa midgard --gpu g52 "$tmp/sum.hex"
expect 2 "no device for it" "$VSHADER" verify --isa midgard -d local "$tmp/sum.hex"
expect 0 "disasm of words beside bundles" "$VSHADER" disasm -w --isa midgard "$tmp/sum.hex"
grep -q "^000  [0-9a-f]\{8\} .* # quad 0$" "$tmp/out" && grep -q "  sadd.FADD.f32 R0.x, R0.x, U0.x$" "$tmp/out"
result $? "bundles and their words"
expect 0 "disasm --json of bundles" "$VSHADER" disasm -j --isa midgard "$tmp/sum.hex"
json "offsets, text" "[w['offset'] for w in j['words']] == [0, 1] and 'sadd.FADD' in j['words'][0]['text'] and all(w['defined'] for w in j['words'])"
json "the same words" "' '.join(w['word'] for w in j['words']).split() == open('$tmp/sum.hex').read().split()"
echo "0 0 0 0 1 2 3 4" >"$tmp/data.hex"
expect 1 "disasm --words of what is no bundle" "$VSHADER" disasm -w --isa midgard "$tmp/data.hex"
has "its words" "001  00000001 00000002 00000003 00000004  .quad"
printf 'vmul.BOGUS.f32 R0, R0, R0\n' >"$tmp/bad.mg"
expect 2 "asm of nonsense" "$VSHADER" asm --isa midgard "$tmp/bad.mg"
has "names the place" "bad.mg:1:"
echo "1 2 3" >"$tmp/odd.mg.hex"
expect 2 "disasm of part of a quad" "$VSHADER" disasm --isa midgard "$tmp/odd.mg.hex"
has "what it lacks" "groups of four words"

expect 0 "info" "$VSHADER" info --device local
has "engines" "engine pica"
expect 0 "info --json" "$VSHADER" info --device local --json
json "its content" "j['devices'][0]['engines'][0]['name'] == 'pica' and j['devices'][0]['limits']['max_jobs'] > 0"

# ---- run ----
expect 0 "run" "$VSHADER" run --device local "$JOBS/demo/07-queues.json"
has "summary" "checks passed"
expect 0 "run --json" "$VSHADER" run --device local --json "$JOBS/demo/04-geometry.json"
json "its content" "j['exit'] == 0 and j['files'][0]['pass'] and len(j['files'][0]['jobs'][0]['primitives']) == 4"
expect 0 "run --json of a command list" "$VSHADER" run -d local -j "$JOBS/demo/05-command-list.json"
json "its draws" "len(j['files'][0]['jobs'][0]['draws'][0]['vertices']) == 6"

# ---- the end of a program ----
cat >"$tmp/end.json" <<'END'
{"vshader": 1, "programs": [{"words": ["0x4c000000"], "opdesc": ["0x36f"]}],
 "jobs": [{"attributes": [{"reg": 0, "data": [1, 2, 3, 4]}], "outputs": ["o0"]}]}
END
expect 1 "run of a program without an end" "$VSHADER" run -d local "$tmp/end.json"
has "says so" "0x001: execution runs off the end of the program"

# ---- uniforms in the debugger ----
cat >"$tmp/uniforms.json" <<'END'
{"vshader": 1, "programs": [{"words": ["0x4c000000", "0x88000000"], "opdesc": ["0x36f"]}],
 "jobs": [{"attributes": [{"reg": 0, "data": [1, 2, 3, 4]}], "outputs": ["o0"],
	   "pica": {"uniforms": {"c5": [1, 2, 3, 4], "i1": [200, 3, 4, 0], "b2": true}}}]}
END
expect 0 "uniforms in the debugger" "$VSHADER" debug -d local -batch -ex 'break 0' -ex run \
	-ex 'print $c5' -ex 'print $i1' -ex 'print $i0' -ex 'print $b2' -ex 'print $b3' "$tmp/uniforms.json"
has "floats" "^.1 = {x = 1, y = 2, z = 3, w = 4}"
has "integers" "^.2 = {x = 200, y = 3, z = 4}"
has "integers that are not set" "^.3 = {x = 0, y = 0, z = 0}"
has "booleans" "^.4 = 1"
has "booleans that are not set" "^.5 = 0"
expect 2 "they are constant" "$VSHADER" debug -d local -batch -ex 'break 0' -ex run \
	-ex 'set var $b2 = 0' "$tmp/uniforms.json"
has "says so" "can only be read"

# ---- images ----
expect 0 "run --png" "$VSHADER" run -d local -q --png "$tmp" "$JOBS/demo/10-utgard.json"
png() # FILE PYTHON-EXPRESSION over w, h and the RGBA rows
{
	python3 "$(dirname "$0")/png.py" "$1" "$2"
	result $? "its pixels"
}
png "$tmp/utgard-triangle.png" "(w, h) == (8, 8) and rows[0][0][3] == 255 and rows[7][7] == (0, 0, 0, 0) and rows[0][0][0] > 200 > rows[0][5][0]"
expect 0 "run --png makes the folder" "$VSHADER" run -d local -q --png "$tmp/new" "$JOBS/demo/10-utgard.json"
cmp -s "$tmp/utgard-triangle.png" "$tmp/new/utgard-triangle.png"
result $? "with the same picture"
expect 2 "a folder that is a file" "$VSHADER" run -d local -q --png "$tmp/utgard-triangle.png" "$JOBS/demo/10-utgard.json"
has "says so" "Not a directory"
expect 0 "run --png of a PICA200 list" "$VSHADER" run -d local -q --png "$tmp" "$JOBS/demo/12-pica-picture.json"
png "$tmp/picture.colour.png" "(w, h) == (64, 64) and rows[0][0] == (0, 0, 255, 255) and rows[63][0] == (0, 227, 255, 255) and rows[40][32][3] == 255 and rows[47][17][0] > 200"
png "$tmp/picture.depth.png" "(w, h) == (64, 64) and rows[0][0][0] in (63, 64) and rows[40][32][0] in (191, 192)"
png "$tmp/screen.transfer.png" "(w, h) == (64, 64) and rows[0][0] == (0, 0, 255, 255) and rows[63][0][1] > 224"
if "$VSHADER" run -d local "$JOBS/demo/12-pica-picture.json" |
		grep -q "^    transfer 0x18010000, 64 x 64 rgba8, to 0x18040000, 64 x 64 rgb565$"; then
	result 0 "run prints requests"
else
	result 1 "run prints requests"
fi
expect 0 "images of a job file" "$VSHADER" run -d local -q --png "$tmp" "$JOBS/demo/08-qpu.json"
png "$tmp/mandelbrot.png" "(w, h) == (48, 17) and rows[8][20] == (255, 255, 255, 255) and rows[0][0][0] < 16"
cat >"$tmp/pixels.json" <<'END'
{"vshader": 1, "programs": [{"words": ["0x4c000000", "0x88000000"], "opdesc": ["0x36f"]}],
 "memory": [{"name": "m", "data": [
   {"u8": [255, 0, 0, 255,  0, 255, 0, 128]}, {"offset": 16, "u16": ["0xf800", "0x07e0"]},
   {"offset": 32, "f16": [0, 0.5, 1, 1,  2, -1, 0.25, 1]}, {"offset": 64, "u32": ["0x00ffffff", "0x80000000"]},
   {"offset": 80, "u8": [7, 14]}, {"offset": 96, "u32": ["0x3c0", "0x78000000"]}, {"offset": 128, "f32": [0.5, 1]}]}],
 "images": [{"name": "b8", "at": "m", "width": 2, "height": 1, "format": "bgra8"},
  {"name": "rgb565", "at": "m+16", "width": 2, "height": 1, "format": "rgb565"},
  {"name": "half", "at": "m+32", "width": 2, "height": 1, "format": "rgba16f"},
  {"name": "z24", "at": "m+64", "width": 2, "height": 1, "format": "z24s8"},
  {"name": "count", "at": "m+80", "width": 1, "height": 2, "format": "r8ui", "max": 14, "flip": true},
  {"name": "small", "at": "m+96", "width": 2, "height": 1, "format": "r11g11b10f"},
  {"name": "depth", "at": "m+128", "width": 2, "height": 1, "format": "z32f"}]}
END
mkdir "$tmp/png"
expect 0 "run -v" "$VSHADER" run -d local -v "$tmp/pixels.json"
has "images as numbers" "^    .0. ff0000ff 8000ff00$"
has "upside down" "^    .0. 0e$"
expect 0 "images of seven formats" "$VSHADER" run -d local -q --png "$tmp/png" "$tmp/pixels.json"
png "$tmp/png/b8.png" "rows[0] == [(0, 0, 255, 255), (0, 255, 0, 128)]"
png "$tmp/png/rgb565.png" "rows[0] == [(255, 0, 0, 255), (0, 255, 0, 255)]"
png "$tmp/png/half.png" "rows[0] == [(0, 128, 255, 255), (255, 0, 64, 255)]"
png "$tmp/png/z24.png" "rows[0] == [(255, 255, 255, 255), (0, 0, 0, 255)]"
png "$tmp/png/count.png" "rows == [[(255, 255, 255, 255)], [(128, 128, 128, 255)]]"
png "$tmp/png/small.png" "rows[0] == [(255, 0, 0, 255), (0, 0, 255, 255)]"
png "$tmp/png/depth.png" "rows[0] == [(128, 128, 128, 255), (255, 255, 255, 255)]"
for layout in linear u-interleaved; do
	cat >"$tmp/textures.json" <<END
{"vshader": 1, "programs": [{"words": ["0x4c000000", "0x88000000"], "opdesc": ["0x36f"]}],
 "memory": [{"name": "t", "data": {"png": "mandelbrot.png", "layout": "$layout", "flip": true}}],
 "images": [{"name": "same", "at": "t", "width": 48, "height": 17, "layout": "$layout", "flip": true}]}
END
	expect 0 "a PNG as $layout texture, and back" "$VSHADER" run -d local -q --png "$tmp/png" "$tmp/textures.json"
	cmp -s "$tmp/mandelbrot.png" "$tmp/png/same.png"
	result $? "the same picture"
done
expect 0 "run --out of an output stream" "$VSHADER" run -d local -q --out "cube-f24.position=$tmp/out.bin" \
	"$JOBS/demo/01-lit-mesh.json"
[ "$(wc -c <"$tmp/out.bin")" = 576 ]
result $? "36 vertices of 16 bytes"
expect 0 "run --out of a region" "$VSHADER" run -d local -q --out "picture=$tmp/out.bin" "$JOBS/demo/08-qpu.json"
[ "$(wc -c <"$tmp/out.bin")" = 3264 ]
result $? "its bytes"

cat >"$tmp/wrong.json" <<'END'
{"vshader": 1, "programs": [{"words": ["0x4c000000", "0x88000000"], "opdesc": ["0x36f"]}],
 "jobs": [{"name": "wrong", "attributes": [{"reg": 0, "data": [1, 2, 3, 4]}],
	   "outputs": ["o0"], "expect": [{"output": "o0", "f32": [1, 2, 3, 5]}]}]}
END
expect 1 "run with a wrong expectation" "$VSHADER" run --device local "$tmp/wrong.json"
has "says which value" "element 0, component 3: got 4 (0x40800000), expected 5"
expect 1 "and as JSON" "$VSHADER" run --device local --json "$tmp/wrong.json"
json "its content" "j['exit'] == 1 and not j['files'][0]['pass']"
expect 1 "test with a wrong expectation" "$VSHADER" test --device local "$tmp/wrong.json"
has "TAP failure" "^not ok 2 .*wrong.json: wrong$"
has "with the status that came" "^# status 0$"
echo '{"vshader": 1, "jobs": [' >"$tmp/broken.json"
expect 2 "run of a broken file" "$VSHADER" run --device local "$tmp/broken.json"
expect 1 "test of a broken file" "$VSHADER" test --device local "$tmp/broken.json"
expect 1 "the worst status counts" "$VSHADER" test --device local "$JOBS/demo/07-queues.json" "$tmp"
cat >"$tmp/fault.json" <<'END'
{"vshader": 1, "programs": [{"words": ["0x4c000000", "0x88000000"], "opdesc": ["0x36f"]}],
 "jobs": [{"attributes": [{"reg": 0, "at": "0x5000"}], "outputs": ["o0"]}]}
END
expect 1 "test with an unexpected fault" "$VSHADER" test --device local "$tmp/fault.json"
has "names the status that came" "^# status E"
expect 1 "run with an unexpected fault" "$VSHADER" run --device local "$tmp/fault.json"
has "says what and where" "read of an unmapped address 0x5000 (16 bytes), attribute stream 0"
mkdir "$tmp/empty"
expect 2 "test of an empty folder" "$VSHADER" test --device local "$tmp/empty"
expect 0 "all demo jobs" "$VSHADER" test --device local "$JOBS/demo"
grep '^ok' "$tmp/out" | cut -d ' ' -f 3- | sort >"$tmp/whole"
: >"$tmp/parts"
for i in 1 2 3; do
	expect 0 "shard $i of 3" "$VSHADER" test --device local --shard $i/3 "$JOBS/demo"
	grep '^ok' "$tmp/out" | cut -d ' ' -f 3- >"$tmp/part"
	[ -s "$tmp/part" ] && [ "$(wc -l <"$tmp/part")" -lt "$(wc -l <"$tmp/whole")" ]
	result $? "which is a part"
	cat "$tmp/part" >>"$tmp/parts"
done
sort "$tmp/parts" | cmp -s - "$tmp/whole"
result $? "the shards together are all of them"
expect 0 "a shard without files" "$VSHADER" test --device local --shard 2/2 "$JOBS/demo/07-queues.json"
has "a skipped result" "^ok 1 shard 2/2 # SKIP no files$"
sed 's/"jobs": \[{/&"name": "a<b \& \\"c\\"\\u0001", /' "$tmp/fault.json" >"$tmp/names.json"
expect 1 "test with a report" "$VSHADER" test --device local --junit "$tmp/junit.xml" \
	"$tmp/names.json" "$tmp/broken.json" "$JOBS/demo/07-queues.json"
python3 -c '
import sys
import xml.etree.ElementTree as xml
suites = list(xml.parse(sys.argv[1]).getroot())
names, broken, queues = suites
assert [int(s.get("tests")) for s in suites] == [len(s) for s in suites]
assert [int(s.get("failures")) for s in suites] == [1, 1, 0]
assert len(queues) > 1 and all(float(s.get("time")) >= 0 for s in suites)
times = [float(c.get("time")) for c in queues]
assert all(t >= 0 for t in times) and 0 < sum(times) <= float(queues.get("time")) + 1
case = names[1]
assert case.get("name") == "a<b & \"c\"\\x01" and case.get("classname") == names.get("name")
assert case[0].get("message").startswith("status E") and "unmapped" in case[0].text
assert broken[0].get("name") == "the file can be read" and broken[0][0].text' "$tmp/junit.xml" >"$tmp/err" 2>&1
got=$?
result $got "its suites, cases and failures"
[ $got = 0 ] || sed 's/^/# /' "$tmp/err" "$tmp/junit.xml"

# ---- images by descriptors, contact sheets, comparisons ----
mkdir "$tmp/desc"
expect 0 "images of a fragment program's descriptors" "$VSHADER" run -d local -q --png "$tmp/desc" \
	"$JOBS/bifrost/fragments.json"
png "$tmp/desc/a blend program.colour1.png" "(w, h) == (8, 8) and rows[3][3] == (0xbf, 0x60, 0x10, 255)"
png "$tmp/desc/samples.stencil.png" "(w, h) == (4, 4)"
expect 0 "images of a compute job's descriptors" "$VSHADER" run -d local -q --png "$tmp/desc" \
	"$JOBS/bifrost/c_image.json"
png "$tmp/desc/chain.image0.png" "(w, h) == (8, 8)"
expect 0 "an image of Utgard's descriptors" "$VSHADER" run -d local -q \
	--png "a triangle of them.colour0=$tmp/desc/u.png" "$JOBS/demo/10-utgard.json"
cmp -s "$tmp/desc/u.png" "$tmp/utgard-triangle.png"
result $? "the picture of the job file"
"$VSHADER" run -d local -q --png "$tmp/desc" "$JOBS/utgard/draws.json" >/dev/null
for gpu in mali400 mali450; do
	cmp -s "$tmp/desc/pixels of a $gpu.colour0.png" "$tmp/desc/utgard-$gpu.png"
	result $? "an image of a frame's write-back units, $gpu"
done
expect 0 "images of VideoCore IV's render jobs" "$VSHADER" run -d local -q --png "$tmp/desc" \
	"$JOBS/qpu/vc4.json"
png "$tmp/desc/render a description.colour0.png" "(w, h) == (64, 64) and rows[0][0] == rows[62][0] == rows[0][62] == (255, 0, 0, 255) and rows[0][63] == rows[63][0] == (0, 0, 64, 255)"
for job in "render list" "tiles of microtiles"; do
	cmp -s "$tmp/desc/render a description.colour0.png" "$tmp/desc/$job.colour0.png"
	result $? "the same picture by $job"
done
png "$tmp/desc/rows of microtiles.colour0.png" "(w, h) == (50, 47) and all(p == ((255, 0, 0, 255) if x + y < 63 else (0, 0, 64, 255)) for y, r in enumerate(rows) for x, p in enumerate(r))"
expect 2 "an image that no job has drawn" "$VSHADER" run -d local -q --png "x=$tmp/x.png" \
	"$JOBS/demo/10-utgard.json"
has "says which there are" 'jobs have drawn "a triangle of them.colour0"'
expect 0 "colour and depth of a frame" "$VSHADER" run -d local -q --png "frame.colour0=$tmp/desc/c.png" \
	--png "frame.depth=$tmp/desc/z.png" "$JOBS/bifrost/depth32f.json"
png "$tmp/desc/c.png" "(w, h) == (64, 64) and len(set(sum(rows, []))) > 3"
expect 0 "run --sheet" "$VSHADER" run -d local -q --sheet "$tmp/sheet.png" \
	"$JOBS/demo/09-bifrost.json" "$JOBS/demo/10-utgard.json"
has "says how many" "^wrote .*sheet.png, 4 pictures$"
png "$tmp/sheet.png" "w > 250 and h > 250 and rows[0][0] == (48, 48, 48, 255) and len(set(sum(rows, []))) > 60"
expect 2 "a sheet without images" "$VSHADER" run -d local -q --sheet "$tmp/no.png" \
	"$JOBS/demo/01-lit-mesh.json"
[ ! -e "$tmp/no.png" ]
result $? "is not written"
expect 0 "memory that a job wrote" "$VSHADER" run -d local "$JOBS/qpu/jobs.json"
expect 0 "the same of a demo" "$VSHADER" run -d local "$JOBS/demo/08-qpu.json"
has "floats with their place" "^    y  *.0x0. *0 *3 *6 *9"
has "numbers" "^    picture  *.0x0.  0x00000001"
expect 0 "the same as JSON" "$VSHADER" run -d local -j "$JOBS/demo/08-qpu.json"
json "ranges of regions" "[(w['region'], w['offset'], w['size']) for w in j['files'][0]['jobs'][0]['writes']] == [('y', 0, 3072)] and j['files'][0]['jobs'][0]['writes'][0]['complete']"
cp "$tmp/out" "$tmp/run.json"
expect 0 "diff of a run and its job file" "$VSHADER" diff -d local "$tmp/run.json" "$JOBS/demo/08-qpu.json"
[ ! -s "$tmp/out" ]
result $? "prints nothing"
sed 's/0x40400000/0x40400001/' "$tmp/run.json" >"$tmp/run2.json"
expect 1 "diff of two runs" "$VSHADER" diff "$tmp/run.json" "$tmp/run2.json"
has "place and values" '^jobs.0 "saxpy".*data.1.: 0x40400000 .3., 0x40400001 .3.00000024.$'
expect 1 "the same as JSON" "$VSHADER" diff -j "$tmp/run.json" "$tmp/run2.json"
json "its content" "not j['same'] and j['kind'] == 'runs' and j['differences'] == len(j['list']) > 0"
expect 0 "diff of two pictures" "$VSHADER" diff "$tmp/utgard-triangle.png" "$tmp/desc/u.png"
expect 1 "diff of two others" "$VSHADER" diff -o "$tmp/d.png" "$tmp/desc/a blend program.colour1.png" "$tmp/desc/u.png"
has "their number" "^64 differences in 8 x 8 pixels, the largest is 255$"
has "not all of them" "^\.\.\. 44 more, see --all$"
png "$tmp/d.png" "(w, h) == (8, 8)"
expect 1 "all of them" "$VSHADER" diff --all "$tmp/desc/a blend program.colour1.png" "$tmp/desc/u.png"
[ "$(grep -c '^pixel ' "$tmp/out")" = 64 ]
result $? "64 lines"
expect 0 "diff with a tolerance" "$VSHADER" diff --tolerance 255 "$tmp/desc/a blend program.colour1.png" "$tmp/desc/u.png"
expect 1 "pictures of two sizes" "$VSHADER" diff -j "$tmp/mandelbrot.png" "$tmp/desc/u.png"
json "say so" "j['list'] == [{'where': 'size', 'a': '48 x 17', 'b': '8 x 8'}]"

# ---- assembler, disassembler, verifier ----
src=$JOBS/demo/lit.v.pica
expect 0 "asm" "$VSHADER" asm "$src"
cp "$tmp/out" "$tmp/lit.hex"
expect 0 "disasm of it" "$VSHADER" disasm --isa pica "$tmp/lit.hex"
cp "$tmp/out" "$tmp/lit.asm"
expect 0 "asm of that" "$VSHADER" asm "$tmp/lit.asm"
cmp -s "$tmp/out" "$tmp/lit.hex"
result $? "the same words"
cat >"$tmp/first.pica" <<'EOF'
.fvec k
.out o position
.in a
.proc main
	call sub
	mov o, r0
	end
.end
EOF
printf '.nodvle\n.fvec k\n.proc sub\n\tmul r0, k, v0\n\tnop\n.end\n' >"$tmp/second.pica"
expect 2 "asm of a source that calls another" "$VSHADER" asm "$tmp/first.pica"
has "which procedure" "first.pica:5:.*procedure 'sub' is not defined"
expect 0 "asm of both" "$VSHADER" asm "$tmp/first.pica" "$tmp/second.pica"
has "linked" "^90000c02 4c010000 88000000 22020000 84000000$"
printf 'frob\n' >"$tmp/bad.pica"
expect 2 "asm of three" "$VSHADER" asm "$tmp/first.pica" "$tmp/second.pica" "$tmp/bad.pica"
has "which file has the error" "bad.pica:1:1: error:"
expect 2 "asm of two QPU sources" "$VSHADER" asm --isa qpu "$tmp/first.pica" "$tmp/second.pica"
has "there is one" "qpu programs have one source, not 2"
expect 2 "disasm of two files" "$VSHADER" disasm --isa pica "$tmp/lit.hex" "$tmp/lit.hex"
expect 0 "asm to a container" "$VSHADER" asm --form shbin -o "$tmp/lit.shbin" "$src"
cmp -s "$tmp/lit.shbin" "$JOBS/demo/lit.shbin"
result $? "the committed container is what the source gives"
expect 0 "disasm of a container" "$VSHADER" disasm "$tmp/lit.shbin"
has "names of registers" "^.fvec projection.4. c0"
cp "$tmp/out" "$tmp/round.pica"
expect 0 "asm of that" "$VSHADER" asm --form shbin -o "$tmp/round.shbin" "$tmp/round.pica"
cmp -s "$tmp/lit.shbin" "$tmp/round.shbin"
result $? "the same container, byte for byte"
cat >"$tmp/geometry.pica" <<'END'
.gsh fixed c40 c3 4
.fvec a, b[3]
.ivec loop
.constf k(1.5e-5, -3, 0.1, 123456)
.consti n(1, 2, 3, 255)
.bool flag
.setb b3 true
.in p
.in q v7
.out o position.xyz
.out - color o2.xw
.out d dummy
.proc sub
	nop
.end
.proc main
	mov o, p
	call sub
	setemit 0
	emit
	end
.end
END
expect 0 "asm of a geometry program with everything" "$VSHADER" asm --form shbin \
	-o "$tmp/geometry.shbin" "$tmp/geometry.pica"
expect 0 "disasm of it" "$VSHADER" disasm "$tmp/geometry.shbin"
cp "$tmp/out" "$tmp/round.pica"
expect 0 "asm of that" "$VSHADER" asm --form shbin -o "$tmp/round.shbin" "$tmp/round.pica"
cmp -s "$tmp/geometry.shbin" "$tmp/round.shbin"
result $? "the same container, byte for byte"
expect 0 "asm to a name of a container" "$VSHADER" asm -o "$tmp/named.shbin" "$src"
cmp -s "$tmp/named.shbin" "$tmp/lit.shbin"
result $? "is a container"
expect 0 "asm to binary" "$VSHADER" asm --form bin -o "$tmp/lit.bin" "$src"
[ "$(wc -c <"$tmp/lit.bin")" = 88 ]
result $? "22 words of 4 bytes"
expect 0 "disasm of binary words" "$VSHADER" disasm --isa pica --words "$tmp/lit.bin"
expect 0 "disasm --json" "$VSHADER" disasm --json "$tmp/lit.shbin"
json "its content" "len(j['words']) == 22 and all(w['defined'] for w in j['words'])"
echo "44000000 88000000" >"$tmp/bad.hex"
expect 1 "disasm of an undefined word" "$VSHADER" disasm --isa pica "$tmp/bad.hex"
expect 1 "disasm --words of an undefined word" "$VSHADER" disasm --isa pica --words "$tmp/bad.hex"
expect 1 "verify of it" "$VSHADER" verify --isa pica "$tmp/bad.hex"
has "says what" "undefined operation code"
expect 1 "verify --json of it" "$VSHADER" verify --isa pica --json "$tmp/bad.hex"
json "its content" "not j['accepted'] and j['reject']['field_lo'] == 26"
expect 1 "verify by a device" "$VSHADER" verify --isa pica --device local "$tmp/bad.hex"
expect 0 "verify" "$VSHADER" verify "$src"
has "report" "reachable"
has "a uniform by name" "^ *uniform *modelview c4-c7$"
printf '.fvec one, two, three\n.proc main\n\tmov r1.zw, v0.zw\n\tmul o0, two, r1\n.end\n' \
	>"$tmp/trap.pica"
expect 0 "asm of a swizzle trap" "$VSHADER" asm "$tmp/trap.pica"
has "a warning with its place" "trap.pica:3:13: warning: '.zw' is '.zwww'"
has "a missing END" "trap.pica: word 0x001: warning: execution may run off the end"
expect 0 "verify of used uniforms" "$VSHADER" verify --json "$tmp/trap.pica"
json "only the used one" "[(u['name'], u['kind'], u['first'], u['count']) for u in j['report']['uniforms']] == [('two', 'c', 1, 1)]"
expect 0 "verify --json" "$VSHADER" verify --json "$tmp/lit.shbin"
json "its content" "j['accepted'] and j['report']['outputs'] == [0, 1, 2]"
echo "frob r0" >"$tmp/bad.pica"
expect 2 "asm of a bad source" "$VSHADER" asm "$tmp/bad.pica"
has "says where" "bad.pica:1:1: error:"
echo "xyz" >"$tmp/text.hex"
expect 2 "disasm of no words" "$VSHADER" disasm --isa pica "$tmp/text.hex"
printf 'abc\001' >"$tmp/odd.bin"
printf 'ab\001' >"$tmp/odd3.bin"
expect 0 "disasm of a word with ignored bits" "$VSHADER" disasm --isa pica "$tmp/odd.bin"
expect 2 "disasm of three bytes" "$VSHADER" disasm --isa pica "$tmp/odd3.bin"
printf 'DVLB\001\000\000\000' >"$tmp/cut.shbin"
expect 2 "disasm of a damaged container" "$VSHADER" disasm "$tmp/cut.shbin"
has "says where" "SHBIN, byte"
expect 2 "an unknown instruction set" "$VSHADER" disasm --isa z80 "$tmp/lit.hex"
expect 2 "an unknown entry" "$VSHADER" verify --entry nowhere "$src"
expect 2 "a generation of PICA200" "$VSHADER" verify --gpu g71 "$src"
echo "4c000000 88000000" | "$VSHADER" disasm --isa pica - >"$tmp/out" 2>"$tmp/err"
result $? "disasm of standard input"

# ---- QPU ----
for f in saxpy mandelbrot; do
	expect 0 "asm of $f.qasm" "$VSHADER" asm --isa qpu -o "$tmp/$f.hex" "$JOBS/demo/$f.qasm"
	expect 0 "disasm of it" "$VSHADER" disasm --isa qpu "$tmp/$f.hex"
	cp "$tmp/out" "$tmp/again.qasm"
	expect 0 "asm of that" "$VSHADER" asm --isa qpu -o "$tmp/again.hex" "$tmp/again.qasm"
	cmp -s "$tmp/$f.hex" "$tmp/again.hex"
	result $? "the same words"
	expect 0 "verify" "$VSHADER" verify --isa qpu "$tmp/$f.hex"
	has "its stage" "^accepted: compute program for qpu"
	expect 0 "disasm --words" "$VSHADER" disasm -w --isa qpu "$tmp/$f.hex"
	has "an instruction is two words" "^000  [0-9a-f]* [0-9a-f]*  "
	expect 0 "disasm --json" "$VSHADER" disasm -j --isa qpu "$tmp/$f.hex"
	json "its content" "j['isa'] == 'qpu' and j['stage'] == 'compute' and j['words'][0]['defined']"
done
printf '.include "part.qinc"\nthrend\nnop\nnop\n' >"$tmp/main.qasm"
printf 'mov r0, 1\n' >"$tmp/part.qinc"
expect 0 "asm with an included file" "$VSHADER" asm --isa qpu "$tmp/main.qasm"
printf 'mov r0, nonsense\n' >"$tmp/part.qinc"
expect 2 "asm with an error in it" "$VSHADER" asm --isa qpu "$tmp/main.qasm"
has "names the file" "^part.qinc:1:"
printf '.include "none.qinc"\n' >"$tmp/main.qasm"
expect 2 "asm with a missing file" "$VSHADER" asm --isa qpu "$tmp/main.qasm"
has "names the source" "main.qasm:1:"
expect 2 "no container" "$VSHADER" asm --isa qpu --form shbin "$JOBS/demo/saxpy.qasm"
has "says so" "no container"
echo "00000001 ec0009e7" >"$tmp/undefined.hex"
expect 1 "verify of an undefined word" "$VSHADER" verify --isa qpu "$tmp/undefined.hex"
expect 2 "verify of half an instruction" "$VSHADER" verify --isa qpu "$tmp/broken.json"
expect 2 "generations" "$VSHADER" verify --isa qpu --gpu g71 "$tmp/undefined.hex"

# ---- Bifrost ----
cat >"$tmp/rsq.bi" <<'END'
ds(0) nbb load
{
	+LOAD.i32 t1, u0.w0, u0.w1, @r0
}
ds(0) eos store dwb(0)
{
	+FRSQ.f32 r0:t1, r0
	+STORE.i32 t1, u1.w0, u1.w1, @r0
}
END
expect 0 "asm of Bifrost" "$VSHADER" asm --isa bifrost -o "$tmp/rsq.hex" "$tmp/rsq.bi"
expect 0 "disasm of it" "$VSHADER" disasm --isa bifrost "$tmp/rsq.hex"
has "the operation" "+FRSQ.f32 r0:t1, r0"
cp "$tmp/out" "$tmp/again.bi"
expect 0 "asm of that" "$VSHADER" asm --isa bifrost -o "$tmp/again.hex" "$tmp/again.bi"
cmp -s "$tmp/rsq.hex" "$tmp/again.hex"
result $? "the same words"
expect 0 "verify" "$VSHADER" verify --isa bifrost "$tmp/rsq.hex"
has "which language it is" "^accepted: Bifrost"
expect 0 "verify of text" "$VSHADER" verify -j --isa bifrost --form asm "$tmp/rsq.bi"
json "its content" "j['accepted'] and j['report']['clauses'] == 2"
expect 1 "verify for G71" "$VSHADER" verify --isa bifrost --gpu g71 "$tmp/rsq.hex"
has "it lacks the operation" "GPU does not have"
expect 2 "an unknown GPU" "$VSHADER" verify --isa bifrost --gpu g99 "$tmp/rsq.hex"
expect 2 "no device for it" "$VSHADER" verify --isa bifrost -d local "$tmp/rsq.hex"
expect 0 "disasm of words beside clauses" "$VSHADER" disasm -w --isa bifrost "$tmp/rsq.hex"
printf '+BOGUS t1\n' >"$tmp/bad.bi"
expect 2 "asm of nonsense" "$VSHADER" asm --isa bifrost "$tmp/bad.bi"
has "names the place" "bad.bi:1:"
echo "1 2 3" >"$tmp/odd.hex"
expect 2 "disasm of part of a quad" "$VSHADER" disasm --isa bifrost "$tmp/odd.hex"

# ---- MBS1 containers as text ----
mbs=$JOBS/demo/utgard.mbs
expect 0 "disasm of an MBS1 container" "$VSHADER" disasm "$mbs"
cp "$tmp/out" "$tmp/mbs.txt"
has "its vertex program" "^.program vertex 6$"
has "its fragment program" "^.program fragment 7$"
has "a uniform with its value" "^.uniform tint type=float .*init=0x3f800000,"
for isa in utgard-gp utgard-pp; do
	expect 0 "asm --isa $isa --form mbs1 of that" "$VSHADER" asm --isa $isa --form mbs1 \
		-o "$tmp/again.mbs" "$tmp/mbs.txt"
	cmp -s "$tmp/again.mbs" "$mbs"
	result $? "the same container"
done
expect 0 "disasm of one program" "$VSHADER" disasm --isa utgard-pp "$mbs"
cp "$tmp/out" "$tmp/pixel.txt"
expect 0 "asm of it as a container" "$VSHADER" asm --isa utgard-pp --form mbs1 \
	-o "$tmp/pixel.mbs" "$tmp/pixel.txt"
expect 0 "disasm of that" "$VSHADER" disasm "$tmp/pixel.mbs"
cmp -s "$tmp/out" "$tmp/pixel.txt"
result $? "the same text"
for isa in gp pp; do
	expect 0 "words of the $isa program" "$VSHADER" asm --isa utgard-$isa "$tmp/mbs.txt"
	cp "$tmp/out" "$tmp/words.hex"
	expect 0 "verify of the text" "$VSHADER" verify --isa utgard-$isa --form asm "$tmp/mbs.txt"
	expect 0 "verify of the words" "$VSHADER" verify --isa utgard-$isa "$tmp/words.hex"
done
expect 2 "words of a program that is not there" "$VSHADER" asm --isa utgard-gp "$tmp/pixel.txt"
has "says so" "has no vertex program 0"
# members, arrays, more than one program of a stage, places that the code does not use
python3 - "$tmp" <<'END'
import struct, sys
def chunk(tag, *parts):
    body = b"".join(parts)
    return tag.encode() + struct.pack("<I", len(body)) + body
def name(text):
    body = text.encode() + b"\0"
    return chunk("STRI", body + bytes(-len(body) % 4))
def symbol(tag, text, type, size, entries, offset, parent, init=None):
    more = chunk("VINI", struct.pack("<I%dI" % len(init), len(init), *init)) if init is not None else b""
    return chunk(tag, name(text), struct.pack("<BBHHHHBBIHH", 0, type, 4, size, entries, size, 16, 2, 1,
                                              offset, parent), more)
code = open(sys.argv[1] + "/words.hex").read().split()
pixel = chunk("CFRA", struct.pack("<I", 5), chunk("FSTA", struct.pack("<II", 3, 1)),
              chunk("FDIS", struct.pack("<I", 1)), chunk("FBUU", bytes([1, 1, 0, 1, 0, 1, 0, 0])),
              chunk("SUNI", struct.pack("<II", 2, 24), symbol("VUNI", "s;=", 8, 2, 3, 0, 0xffff),
                    symbol("VUNI", "m", 77, 4, 0, 65534, 0, [0, 0x7fc00001])),
              chunk("SVAR", struct.pack("<I", 1), symbol("VVAR", "unused", 1, 4, 0, 0xffff, 0xffff)),
              chunk("DBIN", *[struct.pack("<I", int(w, 16)) for w in code]))
for file, parts in (("many", [pixel] * 16), ("unknown", [pixel, chunk("WHAT", b"1234")])):
    open("%s/%s.mbs" % (sys.argv[1], file), "wb").write(chunk("MBS1", *parts))
END
expect 0 "disasm of a larger container" "$VSHADER" disasm "$tmp/many.mbs"
cp "$tmp/out" "$tmp/many.txt"
expect 0 "asm of it" "$VSHADER" asm --isa utgard-pp --form mbs1 -o "$tmp/again.mbs" "$tmp/many.txt"
cmp -s "$tmp/again.mbs" "$tmp/many.mbs"
result $? "the same container"
expect 0 "disasm of a container with unknown parts" "$VSHADER" disasm "$tmp/unknown.mbs"
has "says so" "^.mbs1 incomplete$"
cp "$tmp/out" "$tmp/unknown.txt"
expect 2 "asm of it" "$VSHADER" asm --isa utgard-pp --form mbs1 "$tmp/unknown.txt"
has "says why" "unknown.txt:1: the text lacks parts of its container"

# ---- blend programs in traces ----
for isa in bifrost midgard; do
	expect 0 "$isa: trace of blend programs" "$VSHADER" trace -d local "$JOBS/$isa/fragments.json"
	[ "$(grep -v '"insn":"' "$tmp/out" | wc -l)" = 0 ] &&
		[ "$(grep -c '"program":"code at 0x[0-9a-f]*","pc":0,"part":0,' "$tmp/out")" = 1 ]
	result $? "$isa: their instructions have texts and count from their begin"
done
grep -q '"program":"code at 0x.*"insn":"LD_TILEBUFFER.raw R2.xyzw"' "$tmp/out"
result $? "midgard: the blend program's first instruction"

# ---- captured Mali jobs ----
capture=$JOBS/../../scripts/mali-capture
data=$JOBS/../bifrost/data
if [ -x "$capture" ]; then
	submit=$data/capture/bifrost-g52/c_int.submit00.txt
	io=$data/capture/bifrost-g52/c_int.io.txt
	expect 0 "mali-capture" "$capture" --gpu g52 --io "$io" --expect "$data/expect/c_int.txt" \
		--output "$tmp/capture.json" "$submit"
	expect 0 "run of what it made" "$VSHADER" run -d local -j "$tmp/capture.json"
	json "its content" "j['files'][0]['pass'] and j['files'][0]['jobs'][0]['invocations'] == 64"
	sed '3s/^[0-9a-f]*/12345678/' "$data/expect/c_int.txt" >"$tmp/expect.txt"
	expect 0 "mali-capture with wrong words" "$capture" --gpu g52 --io "$io" \
		--expect "$tmp/expect.txt" --output "$tmp/capture.json" "$submit"
	expect 1 "run of that" "$VSHADER" run -d local "$tmp/capture.json"
	has "says which word" "ssbo 2: .*1 of .* values differ; element 0"
	cp "$submit" "$tmp/c_int.txt"
	expect 1 "mali-capture without an image" "$capture" --gpu g52 "$tmp/c_int.txt"
	has "says so" "no memory image beside it"
	head -c 1000 "${submit%.txt}.mem.gz" >"$tmp/c_int.mem.gz"
	expect 0 "mali-capture without expectations" "$capture" --gpu g52 \
		--output "$tmp/cut.json" "$tmp/c_int.txt"
	expect 2 "run with a damaged image" "$VSHADER" run -d local "$tmp/cut.json"
	has "says where" "memory.0..image: \"c_int.mem.gz\": memory image: damaged gzip data"
	gzip -dc "${submit%.txt}.mem.gz" >"$tmp/c_int.mem"
	rm "$tmp/c_int.mem.gz"
	expect 0 "mali-capture with a plain image" "$capture" --gpu g52 --output "$tmp/plain.json" \
		"$tmp/c_int.txt"
	expect 0 "run of it" "$VSHADER" run -d local "$tmp/plain.json"
	sed 's/"g52"/"g71"/' "$tmp/plain.json" >"$tmp/g71.json"
	expect 0 "run for another GPU" "$VSHADER" run -d local "$tmp/g71.json"
	sed 's/"at": "0x[0-9a-f]*"/"at": "0x40"/' "$tmp/plain.json" >"$tmp/nowhere.json"
	expect 1 "run of a chain that is not there" "$VSHADER" run -d local "$tmp/nowhere.json"
	has "says what is wrong" "fault: "
fi

expect 0 "info" "$VSHADER" info --device local
has "switches of Bifrost" "switches fused-fma"
has "the engine" "engine qpu .*native jobs.*words of 8 bytes"
has "its switches" "strict-hazards strict-tmu"
expect 0 "run --json of QPU jobs" "$VSHADER" run -d local -j "$JOBS/demo/08-qpu.json"
json "QPUs of a deadlock" "j['files'][0]['jobs'][2]['qpus'][1]['wait'] == 'mutex' and len(j['files'][0]['jobs'][2]['qpus']) == 12"

# ---- bench ----
expect 0 "bench of QPUs" "$VSHADER" bench --json --workload q --repeats 1 --no-latency --no-scaling
json "its content" "{r['workload'].split('_')[0] for r in j['qpu_results']} == {'q%d' % i for i in range(1, 11)} and all(r['verified'] and r['instructions_per_second'] > 0 for r in j['qpu_results'])"
expect 0 "bench of one of them" "$VSHADER" bench --json --workload q1 --repeats 1 --no-latency --no-scaling
json "not of the tenth" "{r['workload'] for r in j['qpu_results']} == {'q1_mandelbrot'}"
expect 0 "bench" "$VSHADER" bench --json --workload w1 --repeats 1 --vertices 8192 \
	--job-vertices 4096 --no-scaling
json "outputs verified, on every executor" \
	"all(r['verified'] and r['ns_per_vertex'] > 0 for r in j['results']) and j['machine_simd']"
expect 0 "bench --debug" "$VSHADER" bench --json --debug --repeats 1 \
	"$JOBS/bifrost/shaders.json" "$JOBS/utgard/shaders.json"
json "queues with and without the flag, a debugger" "all(f[k + '_ns'] > 0 for f in j['debug'] for k in ('ordinary', 'debug_queue', 'attached', 'portable'))"
expect 2 "bench --debug without a file" "$VSHADER" bench --debug
expect 2 "bench of a file without --debug" "$VSHADER" bench "$JOBS/bifrost/shaders.json"
expect 2 "bench of an unknown workload" "$VSHADER" bench --workload w9
expect 2 "bench with a bad size" "$VSHADER" bench --job-vertices 5000

echo "1..$n"
exit $status
