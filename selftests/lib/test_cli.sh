#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The vshader command: exit statuses, output forms, round trips. TAP on stdout.
#
#   VSHADER=PATH JOBS=DIR sh test_cli.sh

: "${VSHADER:?path of the command}" "${JOBS:?folder of job files}"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
number=0
failed=0

result() # OK TEXT
{
	number=$((number + 1))
	if [ "$1" = 0 ]; then
		echo "ok $number $2"
	else
		echo "not ok $number $2"
		failed=$((failed + 1))
	fi
}

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
for c in info run test disasm asm verify debug trace bench; do
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
has "TAP failure" "^not ok 2 .*wrong.json: wrong: status 0"
echo '{"vshader": 1, "jobs": [' >"$tmp/broken.json"
expect 2 "run of a broken file" "$VSHADER" run --device local "$tmp/broken.json"
expect 1 "test of a broken file" "$VSHADER" test --device local "$tmp/broken.json"
expect 1 "the worst status counts" "$VSHADER" test --device local "$JOBS/demo/07-queues.json" "$tmp"
cat >"$tmp/fault.json" <<'END'
{"vshader": 1, "programs": [{"words": ["0x4c000000", "0x88000000"], "opdesc": ["0x36f"]}],
 "jobs": [{"attributes": [{"reg": 0, "at": "0x5000"}], "outputs": ["o0"]}]}
END
expect 1 "test with an unexpected fault" "$VSHADER" test --device local "$tmp/fault.json"
has "names the status that came" "^not ok 2 .*fault.json: .*status E"
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
has "a skipped plan" "^1..0 # SKIP no files in shard 2/2"
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
case = names[1]
assert case.get("name") == "a<b & \"c\"?" and case.get("classname") == names.get("name")
assert case[0].get("message").startswith("status E") and "unmapped" in case[0].text
assert broken[0].get("name") == "the file can be read" and broken[0][0].text' "$tmp/junit.xml" >"$tmp/err" 2>&1
got=$?
result $got "its suites, cases and failures"
[ $got = 0 ] || sed 's/^/# /' "$tmp/err" "$tmp/junit.xml"

# ---- assembler, disassembler, verifier ----
src=$JOBS/demo/lit.v.pica
expect 0 "asm" "$VSHADER" asm "$src"
cp "$tmp/out" "$tmp/lit.hex"
expect 0 "disasm of it" "$VSHADER" disasm --isa pica "$tmp/lit.hex"
cp "$tmp/out" "$tmp/lit.asm"
expect 0 "asm of that" "$VSHADER" asm "$tmp/lit.asm"
cmp -s "$tmp/out" "$tmp/lit.hex"
result $? "the same words"
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
expect 0 "bench of QPUs" "$VSHADER" bench --json --workload q3 --repeats 1 --no-latency --no-scaling
json "its content" "len(j['qpu_results']) >= 2 and all(r['verified'] and r['instructions_per_second'] > 0 for r in j['qpu_results'])"
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

echo "1..$number"
echo "# Totals: pass:$((number - failed)) fail:$failed xfail:0 xpass:0 skip:0 error:0"
[ $failed = 0 ]
