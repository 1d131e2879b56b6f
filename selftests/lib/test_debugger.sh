#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# vshader debug, vshader trace, vshader run --coverage. TAP on stdout.
#
#   VSHADER=PATH JOBS=DIR [DEVICE=local] [SESSIONS=only] sh test_debugger.sh
#
# SESSIONS=only: a session for each instruction set.

: "${VSHADER:?path of the command}" "${JOBS:?folder of job files}"
device=${DEVICE:-local}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
number=0
failed=0
expressions=0
skipped=0

result() # OK TEXT
{
	number=$((number + 1))
	if [ "$1" = 0 ]; then
		echo "ok $number $2"
	else
		echo "not ok $number $2"
		failed=$((failed + 1))
		sed 's/^/# /' "$tmp/out" | cut -c1-200 | head -n 30
	fi
}

# expect STATUS TEXT COMMAND...: exit status; all output is kept in $tmp/out.
expect()
{
	want=$1
	text=$2
	shift 2
	timeout $((150 * ${KSFT_TIMEOUT_SCALE:-1})) "$@" >"$tmp/out" 2>&1 </dev/null
	got=$?
	[ $got -ne 124 ] || [ "$want" = 124 ] || echo "out of time: $*" >>"$tmp/out"
	[ $got = "$want" ]
	result $? "$text: exit status $want"
}

# debug STATUS TEXT FILE COMMAND...: a session in which all commands are given.
debug()
{
	status=$1
	what=$2
	case $3 in
	/*) file=$3 ;;
	*) file=$JOBS/$3 ;;
	esac
	shift 3
	for c in "$@"; do
		printf '%s\n' "$c"
	done >"$tmp/script"
	expect "$status" "$what" "$VSHADER" debug -d "$device" -batch -x "$tmp/script" \
		"$file"
}

has() # TEXT PATTERN: in what the last command printed
{
	grep -q -e "$2" "$tmp/out"
	result $? "$1"
}

lacks() # TEXT PATTERN
{
	! grep -q -e "$2" "$tmp/out"
	result $? "$1"
}

python() # TEXT PROGRAM: one that exits with a status
{
	if ! command -v python3 >/dev/null; then
		skipped=$((skipped + 1))
		return
	fi
	python3 -c "$2" 2>/dev/null
	result $? "$1"
}

json() # TEXT PYTHON-EXPRESSION over j, the list of lines; all are evaluated at the end
{
	expressions=$((expressions + 1))
	cp "$tmp/out" "$tmp/json.$expressions"
	printf '%s\n%s\n' "$1" "$2" >>"$tmp/json"
}

evaluate()
{
	if ! command -v python3 >/dev/null; then
		number=$((number + 1))
		echo "ok $number $((skipped + expressions)) checks # SKIP there is no python3"
		return
	fi
	python3 - "$tmp" $number <<-'END' || failed=$((failed + 1))
	import json, sys
	number, bad = int(sys.argv[2]), 0
	lines = open(sys.argv[1] + "/json").read().split("\n")
	for n in range(len(lines) // 2):
	    text, expression = lines[2 * n], lines[2 * n + 1]
	    seen = open("%s/json.%d" % (sys.argv[1], n + 1)).read()
	    try:
	        j = [json.loads(line) for line in seen.splitlines()]
	        good = eval(expression, {"j": j})
	    except Exception as error:
	        good = False
	        print("# %r" % error)
	    bad += not good
	    print("%sok %d %s" % ("" if good else "not ", number + n + 1, text))
	    if not good:
	        print("# " + seen[:600].replace("\n", "\n# "))
	sys.exit(bad > 0)
	END
	number=$((number + expressions))
}

echo "TAP version 13"

# ---- usage ----
expect 2 "debug without a file" "$VSHADER" debug -batch
expect 2 "debug of a missing file" "$VSHADER" debug -d "$device" -batch "$tmp/none.json"
expect 2 "debug --tui without a terminal" "$VSHADER" debug -d "$device" --tui \
	"$JOBS/bifrost/shaders.json"
expect 2 "trace without a file" "$VSHADER" trace
expect 2 "trace with a bad range" "$VSHADER" trace --pc 9-3 "$JOBS/bifrost/shaders.json"
echo '{"vshader": 1, "programs": [{"words": ["0x88000000"]}]}' >"$tmp/nojobs.json"
expect 2 "a file without jobs" "$VSHADER" debug -d "$device" -batch -ex run "$tmp/nojobs.json"
has "says so" "has no jobs"

# ---- a session for each instruction set ----
debug 1 "Bifrost" bifrost/shaders.json 'break reverse:4 if invocation == 5' run 'print/d $r1' \
	'set var $r1 = 100' 'info breakpoints' delete continue
has "Bifrost: stops at the breakpoint" "^Breakpoint 1, invocation 5 of job 0 .*0x4 in reverse"
has "Bifrost: shows the instruction" "^=> 0x4:.*IMUL.i32 t0, r1, u1.w0"
has "Bifrost: a line for each operation" "^	+IADD.s32 r1:t1, t0, r57$"
has "Bifrost: all operations" "^	+STORE.i32.wls t1, r2, 0x00000000, @r1$"
lacks "Bifrost: no NOPs" "NOP"
has "Bifrost: reads a register" '^$1 = 178$'
has "Bifrost: counts hits" "already hit 1 time"
has "Bifrost: the changed register counts" "1 of 128 values differ; element 26.*got 500 "

debug 0 "registers" bifrost/shaders.json 'tbreak reverse:4' run 'info registers' 'x/1i 8' kill
[ "$(sed -n 's/^\([a-z]*[0-9]*\)  .*/\1/p' "$tmp/out" | head -n 5 | tr '\n' ' ')" = "t0 r1 u1 t1 r57 " ]
result $? "registers of the instruction come first"
[ "$(grep -c '^r1  ' "$tmp/out")" = 1 ]
result $? "they are not repeated"
has "Bifrost: an operation of a clause" "^   0x8:	+BARRIER t1$"

debug 1 "Midgard" midgard/shaders.json 'break reverse:8 if invocation == 5' run 'p $R1.x' \
	'p/d $r0' 'set var $R0.x = 6' delete continue
has "Midgard: stops at the breakpoint" "^Breakpoint 1, invocation 5 of job 0 .*0x8 in reverse"
has "Midgard: reads a component" '^$1 = 0xb2$'
has "Midgard: reads a vector" '^$2 = {x = 5, y = 0, z = 0, w = 0}$'
has "Midgard: the changed register counts" "1 of 128 values differ; element 5.*got 21890 "

for chip in 'bifrost 3' 'midgard 1'; do
	debug 0 "$chip: a pixel" "${chip% *}/fragments.json" \
		"break two targets:${chip#* } if \$pixel.x == 3 && \$pixel.y == 5" run 'p $pixel' \
		'p $draw' 'p $invocation' 'thread 0' 'p $pixel' delete continue
	has "$chip: stops there" "^Breakpoint 1, invocation .* of job 0 "
	has "$chip: the pixel" '^$1 = {x = 3, y = 5}$'
	has "$chip: no frame" '^$2 = 0$'
	lacks "$chip: not in the first invocation" '^$3 = 0$'
	has "$chip: another pixel" '^$4 = {x = 0, y = 0}$'
done
debug 0 "Bifrost: a blend program" bifrost/fragments.json start 'stepi 6' break delete continue
has "Bifrost: its instructions" "^=> 0x9:.*FADD.f32.clamp_0_1 r0:t1, r0, r4.neg"
has "Bifrost: a breakpoint in it" "^Breakpoint 1 at 0x9 in code at 0x[0-9a-f]*: .*FADD"
debug 2 "Bifrost: a pixel is not changed" bifrost/fragments.json start 'set var $pixel.x = 1'
has "Bifrost: says so" "can only be read"
debug 0 "Bifrost: compute has no pixels" bifrost/shaders.json start 'p $pixel' 'p $draw' 'kill'
has "Bifrost: the pixel is 0" '^$1 = {x = 0, y = 0}$'

debug 0 "PICA: pixel" demo/12-pica-picture.json 'pixel 32 40' 'pixel 900 1'
has "PICA: its draws" '^Job 1 "picture", draw 1$'
has "PICA: texel" '^  texture 0  s 0.507812  t 0.367188  r 0  texel (132, 162, 123, 255)$'
has "PICA: depth" '^  depth-stencil  passed  depth 12582911  buffer 4194303 '
has "PICA: colour" '^  colour  source (94, 102, 60, 255)  .*written (94, 102, 60, 255)$'
has "PICA: no fragment" '^No draw has a fragment at 900, 1.$'
debug 2 "PICA: pixel of what" demo/12-pica-picture.json 'pixel 3'
debug 2 "Bifrost: pixel runs programs" bifrost/fragments.json 'pixel 1 1'

# the vertex program has a source in the file, the geometry program none
printf '.proc main\n\tmul r0, c0, v0\n\tadd o0, c1, r0\ntail:\n\tmov o1, v1\n\tend\n.end\n' \
	>"$tmp/flat.v.pica"
cat >"$tmp/geometry" <<'END'
{"reg": "0x29b", "values": [0]},
{"reg": "0x29c", "values": ["0x4c000000", "0x4c201000", "0xac000000", "0xa8000000", "0x88000000"]},
{"reg": "0x2a5", "values": [0]},
{"reg": "0x2a6", "values": ["0x0006c36f"]},
{"reg": "0x289", "values": [1]},
{"reg": "0x28a", "values": [0]},
{"reg": "0x28b", "values": [16, 0], "consecutive": true},
{"reg": "0x28d", "values": [3]},
END
sed -e '/"vshader": 1,/a "programs": [{"name": "flat", "asm": {"file": "flat.v.pica"}}],' \
	-e "/\"reg\": \"0x229\"/{n;s/0/2/;n;r $tmp/geometry" -e '}' \
	-e '/^ *"expect": \[$/,/^      \]$/c "expect": [{"draw": 0, "vertices": 0}]' \
	"$JOBS/demo/05-command-list.json" >"$tmp/draw.json"
debug 0 "PICA: a program that the file does not have" demo/12-pica-picture.json start 'x/3i $pc' kill
has "PICA: its name" '^Start: invocation 0 of job 1 "picture", 0x0 in vertex program 0 (4 '
has "PICA: its text to the third" '^   0x2:	mov o2, v2$'
debug 0 "PICA: a vertex program of a draw" "$tmp/draw.json" start 'x/2i $pc' 'disassemble' \
	'break tail' continue 'list' 'kill'
has "PICA: stops in it" ' 0x0 in flat at flat.v.pica:2 (4 invocations'
has "PICA: its instructions" '^   0x1:	add o0, c1, r0$'
has "PICA: to the end" '^    0x0003:	end$'
has "PICA: a label of the source" '^Breakpoint 1 at 0x2 in flat, flat.v.pica:5: mov o1, v1$'
has "PICA: stops there" '^Breakpoint 1, invocation 0 of job 0 .*, 0x2 in flat at flat.v.pica:5 '
debug 2 "PICA: a geometry program of a draw" "$tmp/draw.json" start 'break *4' continue \
	'x/i $pc' 'x/2i 2' 'x/4wx 0x1000070000110000' 'set var {int}0x1000070000110000 = 1' kill
has "PICA: an instruction of it" '^Breakpoint 1 at 0x4: end$'
has "PICA: stops in that" '^Breakpoint 1, invocation 0 of job 0 .*, 0x4 in geometry program 1$'
has "PICA: its text" '^=> 0x4:	end$'
has "PICA: and before" '^   0x2:	setemit 0'
has "PICA: its words are memory" '^0x1000070000110000:	0x4c000000	0x4c201000	0xac000000	0xa8000000$'
has "PICA: that is not written" 'Cannot write memory'
debug 0 "PICA: a breakpoint before the draw" "$tmp/draw.json" 'break flat:*1' run continue
has "PICA: in the file's program" '^Breakpoint 1 at 0x1 in flat, flat.v.pica:3: add'
has "PICA: stops in its program only" '^Breakpoint 1, .* 0x1 in flat at flat.v.pica:3 '
lacks "PICA: not in the other" 'Breakpoint 1, .* in geometry'
expect 0 "PICA: trace of a draw" "$VSHADER" trace -d "$device" "$tmp/draw.json"
json "each program's text" "[(r['program'], r['insn']) for r in j[3:5]] == [('flat', 'end'), ('geometry program 1', 'mov o0, v0')]"
expect 0 "PICA: trace --values of a draw" "$VSHADER" trace -d "$device" --values --invocations 0 \
	"$tmp/draw.json"
json "operands" "sorted(j[0]['operands']) == ['c0', 'r0', 'v0'] and j[4]['insn'] == 'mov o0, v0'"
expect 0 "PICA: trace --heat of a draw" "$VSHADER" trace -d "$device" --heat "$tmp/draw.json"
has "PICA: heat of both" '^heat of job 0, geometry program 1: 20 executions'
has "PICA: with text" '4  0x0003: emit$'

debug 1 "PICA" demo/01-lit-mesh.json 'break lit:0x10 if invocation == 5' run 'p $r3.x' \
	'set var $r3.x = 0.25' delete continue
has "PICA: stops at the breakpoint" "^Breakpoint 1, invocation 5 of job 0 .*0x10 in lit"
has "PICA: reads a register" '^$1 = 0.827972412$'
has "PICA: the changed register counts" "color: 3 of 144 values differ; element 5.*got 0.3125 "

debug 0 "swizzles" demo/01-lit-mesh.json 'break lit:0x10 if invocation == 5' run 'p $r3.yx' \
	'p $r3.xxyy' 'p $1.y' 'p $r3.xyz.x' 'kill'
has "components in the order of the swizzle" '^$1 = {0, 0.827972412}$'
has "more than once" '^$2 = {0.827972412, 0.827972412, 0, 0}$'
has "a component of an earlier one" '^$3 = 0.827972412$'
has "a component of one" '^$4 = 0.827972412$'
for e in 'p $r3.xyzwx' 'p $r3.xq' 'p $r3.xy.z' 'p $r3.xy.xz' 'set var $r3.xy = 1' 'p $r3.'; do
	debug 2 "error of \"$e\"" demo/01-lit-mesh.json start "$e"
done

debug 0 "QPU" demo/08-qpu.json 'break saxpy:0x98 if invocation == 5' run 'p/f $r0[3]' \
	'p/d $ra3[0]' 'set var $r0[3] = 1.5' delete detach
has "QPU: stops at the breakpoint" "^Breakpoint 1, invocation 5 of job 0 .*0x98 in saxpy"
has "QPU: reads a lane" '^$1 = 64$'
has "QPU: reads another" '^$2 = 4$'
has "QPU: the changed register counts" "y: 1 of 768 values differ; element 323.*got 324.5 "

debug 1 "Utgard GP" utgard/shaders.json 'break scale:1 if invocation == 5' run 'p $acc0' \
	'p $a1.z' 'p $t0' 'set var $a1.x = 7' 'set var $v0.w = 4' delete continue
has "Utgard GP: stops at the breakpoint" "^Breakpoint 1, invocation 5 of job 0 .*0x1 in scale"
has "Utgard GP: a result of the instruction before" '^$1 = 7$'
has "Utgard GP: an attribute" '^$2 = 0.200000018$'
has "Utgard GP: a row" '^$3 = {x = 2, y = -0.5, z = 10, w = 0.25}$'
has "Utgard GP: the changed attribute counts" "out+16: 1 of 32 values.*element 5, component 0: got 7 "
has "Utgard GP: the changed varying counts" "out: 1 of 32 values.*element 5, component 3: got 4 "
debug 1 "Utgard GP, forwarding" utgard/gp.json 'tbreak g01_mov:1' run 'set var $acc0 = 3' \
	'step 2' 'p $pass' 'p $old_mul0' 'p $r0' 'p $addr1' 'kill job'
has "Utgard GP: a result that was changed is used" '^$2 = 3$'
debug 0 "Utgard GP, watchpoints" utgard/shaders.json start 'watch out, 512 if invocation == 7' \
	continue 'p $invocation' \
	delete continue
has "Utgard GP: written by that invocation" '^$1 = 7$'
debug 1 "Utgard GP, a frame" utgard/frames.json start 'info program' step 'p $mul1' \
	'set var $mul1 = 3' 'watch 0x4000a000, 64' continue delete continue kill
has "Utgard GP: the frame's program" "^\* code at 0x4000c000: in memory, 5 instructions"
has "Utgard GP: a result" '^$1 = 1.5$'
has "Utgard GP: a write behind the last instruction" "^16 bytes written at 0x4000a000 by 0x4:"
has "Utgard GP: the change counts" "element 0, component 0: got 3 "

debug 1 "Utgard PP" utgard/shaders.json 'break behind:4 if invocation == 5' run 'p $r0' 'p $r1' \
	'p $fragcoord.x' 'set var $r0.x = 0.1' 'p $r0.x' 'p $v0.x' 'info registers v0' delete continue
has "Utgard PP: stops at the breakpoint" "^Breakpoint 1, invocation 5 of job 3 .*0x4 in behind"
has "Utgard PP: where the fragment is" '^$3 = 3.5$'
has "Utgard PP: a register has binary16" '^$4 = 0.0999755859$'
has "Utgard PP: the changed register counts" "behind: 1 of 64 values differ; element 12, component 0: got 0.850097656 "
debug 0 "Utgard PP, a watchpoint" utgard/shaders.json 'tbreak behind' run \
	'rwatch behind if invocation == 6' 'watch behind+64, 4' continue delete continue
has "Utgard PP: a write behind the last instruction" "^16 bytes written at 0x40008040 by 0x4:"
debug 0 "Utgard PP, steps" utgard/pp.json start 'step' 'kill'
debug 0 "Utgard PP, a pixel of a draw" utgard/draws.json start 'tbreak if $pixel.x == 9 && $pixel.y == 9' continue \
	'p $pixel' 'stepi' 'p $r1' 'stepi' 'p $texture' kill
has "Utgard PP: stops at the pixel" '^$1 = {x = 9, y = 9}$'
has "Utgard PP: it is of the mali400's frame" '^Temporary breakpoint 1, invocation 167 of job 1 "pixels of a mali400"'
has "Utgard PP: coordinates of its texel" '^$2 = {x = 0.5, y = 0.5, z = 0.5, w = 0.5}$'
has "Utgard PP: its texel" '^$3 = {x = 1, y = 0.501953125, z = 0, w = 1}$'

finish()
{
	evaluate
	echo "1..$number"
	[ $failed = 0 ]
	exit
}

[ -z "${SESSIONS:-}" ] || finish

# ---- running ----
debug 0 "stepping" bifrost/shaders.json start 'p $pc' step 'p $pc' 'next 2' 'p $pc' \
	'until 12' 'p $pc' 'thread 40' 'p $invocation' stepi 'info threads' kill
has "start stops at the first instruction" "^Start: invocation 0 of job 0"
has "there" '^$1 = 0x0$'
has "step" '^$2 = 0x4$'
has "next with a count" '^$3 = 0x9$'
has "until" '^$4 = 0xc$'
has "thread" '^$5 = 40$'
has "kill" "given up"
debug 2 "finish outside of functions" bifrost/shaders.json start finish
has "says so" "not meaningful"
debug 1 "set \$pc" bifrost/shaders.json 'break reverse:4' run 'thread 5' 'set var $pc = 9' 'p $pc' \
	'info threads' 'thread 6' 'p $pc' delete continue
has "one invocation has moved" '^$1 = 0x9$'
has "it is not with the others any more" "^\* 5  *0x9  *ready"
has "they have not" '^$2 = 0x4$'
has "what it left out is missing" "1 of 128 values differ; element 26,.*got 0 "
debug 2 "no instruction there" bifrost/shaders.json start 'set var $pc = 5'
has "says so" "Nothing can go on at 0x5"
debug 2 "jump of a QPU" demo/08-qpu.json start 'jump 8'
has "is not possible" "cannot go on elsewhere"
debug 1 "jump" utgard/shaders.json start 'thread 5' 'jump 1' kill
has "continues" "^Continuing at 0x1"
has "the instruction before has not been executed" "out: 4 of 32 values differ; element 5,"
cat >"$tmp/call.json" <<'END'
{"vshader": 1, "engine": "qpu",
 "programs": [{"name": "call", "asm": "mov r0, 1\nbrr ra5, :double\nnop\nnop\nnop\nbrr ra5, :double\nnop\nnop\nnop\nmov ra6, r0\nthrend\nnop\nnop\n:double\nshl r0, r0, 1\nbra -, ra5\nnop\nnop\nnop\n"}],
 "jobs": [{"program": "call", "qpu": {"threads": [{"uniforms": 0}, {"uniforms": 0}]}}]}
END
for c in start step next 'p $r0[0]' 'p $pc' step step step step 'p $pc' 'kill'; do
	printf '%s\n' "$c"
done >"$tmp/script"
expect 0 "step over on the QPU" "$VSHADER" debug -d "$device" -batch -x "$tmp/script" "$tmp/call.json"
has "the function has been executed" '^$1 = 0x2$'
has "stops where it returns to" '^$2 = 0x28$'
has "step goes into it" '^$3 = 0x68$'
expect 0 "two calls" "$VSHADER" debug -d "$device" -batch -ex start -ex 'next 3' -ex 'p $r0[0]' \
	-ex 'p $pc' -ex kill "$tmp/call.json"
has "count as two" '^$1 = 0x4$'
has "there" '^$2 = 0x48$'
debug 2 "continue without a job" bifrost/shaders.json continue
has "says so" "No job is being run"
debug 1 "kill of one job" bifrost/shaders.json 'tbreak vertex' run 'kill job'
has "ends canceled" 'Job 1 "vertices" has ended: canceled'
has "the next one runs" 'Job 2 "triangle" has ended: 64'

# ---- points ----
debug 0 "points" bifrost/shaders.json 'tbreak reverse:8' 'break vertex' 'ignore 2 1' \
	'break fragment:3 if $r0 == $r0' 'disable 3' 'info breakpoints' run 'enable 3' \
	'info breakpoints' 'condition 3' 'break reverse:9 if invocation 3-4' continue continue \
	'info breakpoints' 'p $invocation' kill
has "a temporary one" "^Temporary breakpoint 1, invocation 0"
has "program's name: its entry" "^2 .*keep  y    0x0 in vertex"
has "ignored" "ignore next 1 hits"
has "disabled" "^3 .*keep  n    0x3 in fragment"
has "condition" "stop only if \$r0 == \$r0"
has "filter" "stop only in invocations 3 to 4"
debug 0 "a condition on a register" bifrost/shaders.json 'break reverse:12 if $r3 == 20' run \
	'p $invocation' 'p/d $r3' kill
has "the invocation for which it holds" '^$1 = 26$'
has "its register" '^$2 = 20$'
debug 0 "watchpoints" midgard/shaders.json start 'watch out+20 if invocation == 5' \
	'rwatch numbers, 4' continue delete 'awatch {u32[2]} out' 'info watchpoints' continue \
	'p $invocation' kill
has "a read" "^4 bytes read at 0x.* by 0x3: LD.32"
has "read watchpoint" "^Hardware read watchpoint 2: numbers, 4"
has "access watchpoint" "acc watchpoint .*8 bytes)"
debug 0 "lists as gdb has them" midgard/shaders.json 'info display' start 'break 1' 'info watchpoints' \
	'watch out' 'info watchpoints' kill
has "nothing is displayed" '^There are no auto-display expressions now\.$'
has "no watchpoint" '^No watchpoints\.$'
has "a watchpoint" '^[0-9]* .*watchpoint  *keep  y '
lacks "and no breakpoint" '^[0-9]* .*breakpoint  *keep '
debug 2 "no such instruction" bifrost/shaders.json 'break reverse:5'
has "names it" "No instruction of reverse begins at 0x5"
debug 2 "no such program" bifrost/shaders.json 'break nothing:5'
debug 2 "no such breakpoint" bifrost/shaders.json 'delete 7'
debug 2 "watchpoints need an address or a register" bifrost/shaders.json start 'watch $pc'
debug 0 "labels" qpu/jobs.json 'break store:here'
has "of the program" "Breakpoint 1 at 0x8 in store"

# ---- data ----
debug 0 "data" bifrost/shaders.json 'break reverse:4' run 'p 7*(3+2)-4/2%3' 'p/x 255' \
	'p/t 10' 'p/o 8' 'p/c 65' 'p 1.5*2' 'p -1 >> 1' 'p ~0 & 0xff' 'p (1 < 2) + (2 == 2)' \
	'p *(numbers+4)' 'p *numbers@3' 'p {u8[4]} numbers' 'p numbers[2]' 'p/x $' 'p $2 + 1' \
	'set var $x = 41' 'p $x + 1' 'set memory numbers = 0a000000' 'p *numbers' \
	'set var {f32} numbers = 1.5' 'p {float} numbers' 'p/x *numbers' 'p (int) 2.75' \
	'p/z $r0' 'x/2dw numbers+4' 'x/2xb numbers' 'x/1fw numbers' 'x/2i $pc' \
	'display/d $r0' 'undisplay 1' 'set $r0 = 77' 'info registers r0' 'output 5' kill
has "arithmetic" '^$1 = 33$'
has "hexadecimal" '^$2 = 0xff$'
has "binary" '^$3 = 1010$'
has "octal" '^$4 = 010$'
has "character" "^\$5 = 65 'A'\$"
has "floats" '^$6 = 3$'
has "shift of a negative number" '^$7 = -1$'
has "bits" '^$8 = 255$'
has "comparison" '^$9 = 2$'
has "memory" '^$10 = 10$'
has "array" '^$11 = {3, 10, 31}$'
has "bytes" '^$12 = {3, 0, 0, 0}$'
has "element" '^$13 = 31$'
has "last value" '^$14 = 0x1f$'
has "history" '^$15 = 256$'
has "variable" '^$16 = 42$'
has "written memory" '^$17 = 10$'
has "a float in memory" '^$18 = 1.5$'
has "its bits" '^$19 = 0x3fc00000$'
has "conversion" '^$20 = 2$'
has "padded" '^$21 = 0x00000000$'
has "x: words" "^0x[0-9a-f]*:	10	31$"
has "x: bytes" "^0x[0-9a-f]*:	0x00	0x00$"
has "x: instructions" "^   0x8:	.*BARRIER"
has "display" '^1: $r0 = 0$'
has "a changed register" "^r0  *0x4d "
for e in 'p 1/0' 'p (1' 'p 1 +' 'p nosuch' 'p $r0.x' 'p {f32} 0' 'p *numbers@0' 'p 08x' \
	'p $99' 'p/s 1' 'p 1.5 % 2' 'set var 5 = 6' 'set var $r0 = {1, 2}' 'x/4xw 0' 'x/i 5' \
	'frobnicate' 'print/j 1' 'set memory numbers = 1' 'thread 4000' 'until 5' 'list 900'; do
	debug 2 "error of \"$e\"" bifrost/shaders.json start "$e"
done
i=0
deep=
while [ $i -lt 200 ]; do
	deep="$deep("
	i=$((i + 1))
done
debug 2 "nested too deeply" bifrost/shaders.json start "p ${deep}1"
has "says so" "too deeply"

# ---- files, the shell, settings ----
debug 0 "dump memory" bifrost/shaders.json 'set pagination off' 'set confirm off' 'set height 0' \
	'set width unlimited' start 'p *numbers@4' "dump memory $tmp/mem numbers numbers+16" \
	"shell od -An -td4 $tmp/mem" "dump binary memory $tmp/big out out+1" 'shell cat' kill
has "memory as print shows it" '^$1 = {3, 10, 31, '
has "the file has it, and the shell's output is shown" "^ *3 *10 *31 "
[ "$(wc -c <"$tmp/mem")" = 16 ] && [ "$(wc -c <"$tmp/big")" = 1 ]
result $? "the stop address is exclusive"
for e in 'dump memory' "dump memory $tmp/x" "dump memory $tmp/x numbers" \
	"dump memory $tmp/x numbers numbers" "dump memory $tmp/x 0 4" \
	"dump memory $tmp/x numbers numbers+0x3fffffff" "dump memory $tmp/x 0 0x7fffffff" \
	"dump memory $tmp/none/x numbers numbers+4" 'dump memory /dev/full numbers numbers+4' \
	shell 'shell exit 3' 'shell kill -9 $$' 'set pagination maybe'; do
	debug 2 "error of \"$(echo "$e" | sed "s,$tmp/,,")\"" bifrost/shaders.json start "$e"
done
[ ! -e "$tmp/x" ]
result $? "no file is left"
expect 2 "status of the shell" "$VSHADER" debug -d "$device" -batch -ex 'shell exit 3' \
	"$JOBS/bifrost/shaders.json"
has "is reported" "ended with status 3"
debug 0 "info symbol" bifrost/shaders.json start 'info symbol out+20' 'info symbol numbers' kill
has "a region and an offset" '^out + 20$'
has "the start of a region" '^numbers$'
debug 2 "info symbol of no region" bifrost/shaders.json start 'info symbol 4'
has "says so" "No symbol matches 4"
debug 2 "info symbol without a run" bifrost/shaders.json 'info symbol 4'
debug 2 "info symbol without an address" bifrost/shaders.json start 'info symbol'

# ---- code ----
debug 0 "code" bifrost/shaders.json 'break reverse:9' run disassemble 'info line' list 'list 1,3' \
	'disassemble vertex' 'info program' 'info jobs' 'info memory' backtrace 'info banks' kill
has "disassembly marks the current instruction" "^=>\* 0x0009:"
has "listing" "^ *1 *clause_0:$"
has "line" "Line 47 of the listing of reverse"
has "where the listing is" "^=>\*47 *clause_9:"
has "another program" "^Dump of vertex"
has "programs" "^\* reverse: bifrost compute program, 5 instructions"
has "memory" " out$"
debug 0 "native jobs" midgard/c_reduce.json start 'info program' 'x/2i $pc' kill
has "code in memory" "^\* code at 0x.*in memory"

# ---- faults ----
debug 0 "a fault stops" qpu/jobs.json run 'p/x $pc & 0xff' kill
has "with its reason" "^Fault: write to an unmapped"
has "and its place" '^$1 = 0x38$'
debug 0 "then the job ends with it" demo/08-qpu.json run continue
has "as the file expects" "All jobs have ended: 15 of 15"

# ---- help, files, JSON ----
debug 0 "help" bifrost/shaders.json help 'help break' 'echo a\tb\n'
expect 0 "help of every command" "$VSHADER" debug -batch -ex help -d "$device" \
	"$JOBS/bifrost/shaders.json"
cut -c1-20 "$tmp/out" | sed -n '/^$/q;p' >"$tmp/commands"
while read -r c; do
	debug 0 "help of $c" bifrost/shaders.json "help $c"
done <"$tmp/commands"
printf 'p 1\nnonsense\np 2\n' >"$tmp/bad"
expect 2 "an error ends a file" "$VSHADER" debug -d "$device" -batch -x "$tmp/bad" \
	"$JOBS/bifrost/shaders.json"
has "names its line" "bad:2: Undefined command"
lacks "the rest is left out" '^$2'
echo "source $tmp/loop" >"$tmp/loop"
expect 2 "files that read themselves" "$VSHADER" debug -d "$device" -batch -x "$tmp/loop" \
	"$JOBS/bifrost/shaders.json"
has "end" "nested too deeply"
expect 0 "--json" "$VSHADER" debug -d "$device" -batch --json -ex 'break 4 if invocation == 5' \
	-ex run -ex 'p/d $r1' -ex 'x/2dw numbers' -ex 'info threads' -ex disassemble -ex kill \
	"$JOBS/bifrost/shaders.json"
json "a breakpoint" "j[0]['ok'] and j[0]['result']['breakpoint'] == 1 and j[0]['result']['pc'] == 4"
json "its event" "j[1]['event'] == 'stop' and j[1]['reason'] == 'breakpoint' and j[1]['invocation'] == 5"
json "a value" "j[3]['result']['text'] == '178' and j[3]['result']['bits'] == ['0xb2']"
json "memory" "j[4]['result']['values'] == ['3', '10']"
json "invocations" "len(j[5]['result']['invocations']) == 64"
json "instructions" "[i['pc'] for i in j[6]['result']['insns']] == [0, 4, 8, 9, 12]"
printf 'run\nquit\n' >"$tmp/in"
"$VSHADER" debug -d "$device" --json "$JOBS/bifrost/shaders.json" <"$tmp/in" >"$tmp/out" 2>&1
result $? "commands from a pipe"
json "the end" "j[3]['event'] == 'end' and j[3]['failed'] == 0 and len(j) == 6"

# ---- trace and coverage ----
expect 0 "trace" "$VSHADER" trace -d "$device" --instructions "$JOBS/bifrost/shaders.json"
json "each instruction of each block" "len(j) == 17 and sum(r['active'] for r in j if r['program'] == 'reverse') == 640"
json "in order" "[r['pc'] for r in j if r['program'] == 'reverse' and r['invocation'] == 0] == [0, 4, 8, 9, 12]"
expect 0 "trace by operations" "$VSHADER" trace -d "$device" "$JOBS/bifrost/shaders.json"
json "the operations of a clause" "[(r['part'], r['insn'][:6]) for r in j if r['program'] == 'reverse' and r['pc'] == 4 and not r['invocation']] == [(0, '*IMUL.'), (1, '+IADD.'), (2, '+STORE')]"
json "as many invocations" "all(r['active'] == 64 for r in j if r['program'] == 'reverse')"
expect 0 "trace with filters" "$VSHADER" trace -d "$device" --instructions --invocations 70 --pc 4-9 \
	"$JOBS/bifrost/shaders.json"
json "what they leave" "[(r['pc'], r['invocation']) for r in j] == [(4, 64), (8, 64), (9, 64)]"
expect 0 "trace --chrome" "$VSHADER" trace -d "$device" --chrome "$JOBS/bifrost/shaders.json"
json "jobs" "[e['name'] for e in j[0]['traceEvents'] if e.get('cat') == 'job'] == ['workgroups', 'vertices', 'triangle']"
json "one after the other" "(lambda x: all(a['ts'] + a['dur'] <= b['ts'] for a, b in zip(x, x[1:])))([e for e in j[0]['traceEvents'] if e.get('cat') == 'job'])"
json "a slice for each run of a program" "[e['name'] for e in j[0]['traceEvents'] if e.get('cat') == 'core'] == ['reverse', 'vertex', 'fragment']"
json "all instructions" "sum(e['args']['instructions'] for e in j[0]['traceEvents'] if e.get('cat') == 'core') == 17"
expect 0 "trace --chrome of the QPU" "$VSHADER" trace -d "$device" --chrome "$JOBS/demo/08-qpu.json"
json "a slice for each QPU" "len([e for e in j[0]['traceEvents'] if e.get('cat') == 'core' and e['args']['job'] == 0]) == 12"
json "tracks of QPUs" "[e['args']['name'] for e in j[0]['traceEvents'] if e['name'] == 'thread_name'].count('qpu 11') == 1"
json "inside their jobs" "(lambda x: all(any(a['args']['job'] == b['args']['job'] and a['ts'] <= b['ts'] and b['ts'] + b['dur'] <= a['ts'] + a['dur'] + 0.002 for a in x if a['cat'] == 'job') for b in x))([e for e in j[0]['traceEvents'] if e['ph'] == 'X'])"
json "bytes read" "sum(e['args'].get('bytes read', 0) for e in j[0]['traceEvents'] if e['ph'] == 'C') == 6676"
json "bytes written" "sum(e['args'].get('bytes written', 0) for e in j[0]['traceEvents'] if e['ph'] == 'C') == 6336"
expect 0 "trace --chrome of draws" "$VSHADER" trace -d "$device" --chrome "$JOBS/utgard/frames.json"
json "three in the first frame" "len([e for e in j[0]['traceEvents'] if e.get('cat') == 'core' and e['args']['job'] == 0]) == 3"
expect 0 "trace --summary of control lists" "$VSHADER" trace -d "$device" --summary "$JOBS/qpu/vc4.json"
has "coordinate shader" "job 0, code at"
has "fragments" "11 *132 .*sbwait"
expect 0 "trace --summary" "$VSHADER" trace -d "$device" --summary "$JOBS/midgard/c_reduce.json"
has "totals" "^programs: 524 executions by 25076 invocations"
has "divergence" "^ *100.0% *524 *25076 *156 *74.8%  job 0, code at 0x"
has "the hottest instruction" "^ *16.3% *64 *4096 *0 *100.0%  job 0, code at 0x[0-9a-f]*:0xa: "
has "memory" "^memory: 2044 reads of 8176 bytes, 1536 writes of 6144 bytes, 73 rows of 64 bytes"
expect 0 "trace --summary of the QPU" "$VSHADER" trace -d "$device" --summary "$JOBS/demo/08-qpu.json"
has "a row with its region" "^ *16 *1  0x1001000  y + 0"
expect 0 "trace --heat" "$VSHADER" trace -d "$device" --heat "$JOBS/demo/01-lit-mesh.json"
has "an instruction" "^ *4.5% ####################  *72  .*rsq r2.x, r2"
has "a directive" "^ *\.entry 0x000"
expect 0 "trace --heat of code in memory" "$VSHADER" trace -d "$device" --heat "$JOBS/midgard/c_reduce.json"
has "a colder instruction" "^ *2.0% ## * 508  0x000d: "
# ---- operations of an instruction ----
debug 1 "Bifrost: operations" bifrost/shaders.json 'tbreak reverse:4 if invocation == 5' run stepi \
	'p/d $t0' 'p $part' 'p $pc' 'set var $r57 = 1000' 'info threads' stepi 'p/d $t1' \
	'nexti 2' 'p $part' stepi 'watch out+20 if invocation == 5' continue 'p $part' delete continue
has "stepi stops at the second one" '^=> 0x4+1:	+IADD.s32 r1:t1, t0, r57$'
has "the first one's result" '^$1 = 890$'
has "its number" '^$2 = 1$'
has "in the same clause" '^$3 = 0x4$'
has "invocations are there" '^\* 5  *0x4+1  *current'
has "the second one's result" '^$4 = 1890$'
has "the next clause" '^=> 0x9:'
has "its first operation" '^$5 = 0$'
has "a watchpoint names the operation" '^4 bytes written at 0x[0-9a-f]* by 0xc+2: +STORE'
debug 0 "Bifrost: step is by clauses" bifrost/shaders.json 'tbreak reverse:4' run stepi step kill
has "from an operation to the next clause" '^=> 0x8:'
debug 0 "Midgard: operations" midgard/shaders.json 'tbreak reverse:4 if invocation == 5' run \
	'stepi' 'p/d $al0.y' stepi 'p $part' kill
has "the second unit" '^=> 0x4+1:	smul.MUL.i32 AL0.x, R1.x, #5$'
has "the first one's result" '^$1 = 5$'
has "the next bundle" '^=> 0x6:'
debug 0 "Utgard PP: operations" utgard/pp.json 'tbreak p05_scalararith:3' run 'stepi 2' \
	'info registers uniform smul' stepi 'info registers smul' kill
has "the fields of an instruction" '^=> 0x3+2:	mul.s0 $0.x ^uniform.y$'
has "a value between fields" '^uniform  *{x = [-0-9.]*, y = [-0-9.]*[1-9]'
has "the next field" '^=> 0x3+3:	add.s1 $1.x ^s0 $1.z$'
has "the multiplier's result" '^smul  *[-0-9.]*[1-9]'
debug 0 "QPU: stepi is step" demo/08-qpu.json start stepi 'p $pc' 'nexti 2' 'p $pc' kill
has "one instruction" '^$1 = 0x8$'
has "two more" '^$2 = 0x18$'
debug 0 "a register is watched by operations" bifrost/shaders.json \
	'tbreak reverse:4 if invocation == 5' run 'watch $t0' 'thread 9' continue 'p $invocation' kill
has "with another invocation selected" '^Watchpoint 2: $t0$'
has "at the operation after the change" 'job 0 "workgroups", 0x4+1 in reverse'
has "of its invocation" '^$1 = 5$'
debug 0 "a register is watched in another invocation" bifrost/shaders.json 'tbreak reverse:4' run \
	'watch $r1 if invocation == 9' 'info breakpoints' continue 'p/d $r1' 'p $invocation' kill
has "that is named" '$r1 of invocation 9$'
has "its value" '^New value = 0x'
has "its invocation" '^$2 = 9$'
debug 0 "a step of another invocation finds the change, too" bifrost/shaders.json \
	'tbreak reverse:4' run 'watch $r1' 'thread 9' 'step' 'p $invocation' kill
has "it is reported" '^Watchpoint 2: $r1$'
has "for the watched one" '^$1 = 0$'
debug 2 "several invocations" bifrost/shaders.json start 'watch $r1 if invocation 3-4'

debug 0 "halves of registers" bifrost/shaders.json start 'set var $r5 = 0x3c00c000' 'p $r5.h0' \
	'p $r5.h1' 'p {f16[2]} $r5' 'p {u8[4]} $r5' 'set var $r5.h1 = -0.5' 'p/x $r5' \
	'p $r5.h0 + $r5.h1' kill
has "the low one" '^$1 = -2$'
has "the high one" '^$2 = 1$'
has "both" '^$3 = {-2, 1}$'
has "bytes" '^$4 = {0, 192, 0, 60}$'
has "one is changed" '^$5 = 0xb800c000$'
has "in an expression" '^$6 = -2.5$'
debug 0 "halves of a component" midgard/shaders.json start 'set var $r3.z = 0x3c00c000' 'p $r3.z.h1' \
	'p {f16[8]} $r3' kill
has "the high one" '^$1 = 1$'
has "all of the register" '^$2 = {0, 0, 0, 0, -2, 1, 0, 0}$'
debug 2 "too large a view" bifrost/shaders.json start 'p {f16[3]} $r5'
debug 2 "no such half" bifrost/shaders.json start 'p $r5.h2'

# ---- NaNs and infinities ----
debug 1 "Bifrost: catch nan" bifrost/shaders.json 'tbreak vertex:3' run 'thread 1' \
	'set var $r0 = 3e38' 'set var $u0.x = 4.0' 'catch nan' continue 'p $part' 'p/f $t0' \
	'info breakpoints' continue
has "the operation" '^Catchpoint 2: NaN or infinity produced by 0x3: \*FMA.f32 r0:t0, r0, u0.w0'
has "its invocation" '^invocation 1 of job 1 "vertices", 0x3+1 in vertex'
has "after it" '^$1 = 1$'
has "its result" '^$2 = inf$'
has "it is listed" '^2  *catchpoint  *keep  y    NaN or infinity$'
debug 1 "an operand that is an infinity" bifrost/shaders.json 'tbreak vertex:3' run \
	'set var $r0 = 0x7f800000' 'catch nan' continue
lacks "stops nothing" '^Catchpoint 2: NaN'
debug 1 "Midgard: catch nan" midgard/shaders.json 'tbreak vertex:1' run 'thread 1' \
	'set var $r0.y = 3e38' 'set var $u0.y = 4.0' 'catch nan if invocation == 1' continue \
	'p $al0.y' delete continue
has "the unit" '^Catchpoint 2: NaN or infinity produced by 0x1: vmul.FMUL.f32 AL0, R0, U0$'
has "its result" '^$1 = 0x7f800000$'
debug 1 "another invocation" midgard/shaders.json 'tbreak vertex:1' run 'thread 1' \
	'set var $r0.y = 3e38' 'set var $u0.y = 4.0' 'catch nan if invocation == 2' continue
lacks "is filtered" '^Catchpoint 2: NaN'
debug 0 "QPU: catch nan" demo/08-qpu.json 'tbreak saxpy:0x98 if invocation == 5' run 'thread 5' \
	'set var $r0[3] = 3.3e38' 'set var $r4[3] = 3.3e38' 'catch nan' continue 'p/f $r0[3]' delete detach
has "the instruction" '^Catchpoint 2: NaN or infinity produced by 0x98: fadd r0, r0, r4$'
has "its thread" '^invocation 5 of job 0 "saxpy", 0xa0 in saxpy'
has "its result" '^$1 = inf$'
debug 0 "QPU: an operand that is one" demo/08-qpu.json 'tbreak saxpy:0x98 if invocation == 5' run 'thread 5' \
	'set var $r0[3] = 0x7f800000' 'catch nan' 'tbreak saxpy:0xa8 if invocation == 5' continue kill
lacks "stops nothing" '^Catchpoint 2: NaN'
debug 0 "PICA: catch nan" demo/02-number-formats.json 'catch nan' run 'p $r1.x' kill
has "the instruction" '^Catchpoint 1: NaN or infinity produced by 0x2: rcp r1, r0$'
has "its result" '^$1 = inf$'
debug 1 "Utgard GP: catch nan" utgard/shaders.json 'tbreak scale' run 'thread 5' 'set var $a0.x = 3.3e38' \
	'set var $t0.x = 100' 'catch nan' continue 'p $mul0' delete continue
has "the instruction" '^Catchpoint 2: NaN or infinity produced by 0x0: 000: add'
has "its result" '^$1 = inf$'
debug 1 "Utgard PP: catch nan" utgard/shaders.json 'tbreak behind:4' run 'thread 5' 'set var $r0.x = 65000' \
	'set var $r1.x = 65000' 'catch nan' continue delete continue
has "the field" '^Catchpoint 2: NaN or infinity produced by 0x4: add.v1 $0 $0 $1$'
expect 0 "trace --nan" "$VSHADER" trace -d "$device" --nan "$JOBS/demo/02-number-formats.json"
json "the operation, the first invocation, the number" "[(r['job'], r['pc'], r['invocation'], r['count'], r['insn']) for r in j][:2] == [(0, 2, 0, 2, 'rcp r1, r0'), (1, 2, 0, 2, 'rcp r1, r0')]"
expect 0 "trace --nan without any" "$VSHADER" trace -d "$device" --nan "$JOBS/bifrost/shaders.json"
json "nothing" "not j"
debug 2 "catch of something else" bifrost/shaders.json 'catch all'
# ---- code anywhere in memory ----
cat >"$tmp/far.qasm" <<'END'
mov ra31, unif
ldi vw_setup, 0x00001a00
mov vpm, 7
ldi vw_setup, 0x80904000
ldi vw_setup, 0xc0000000
mov vw_addr, ra31
read vw_wait
nop; thrend
nop
nop
END
far_job() # OFFSET CODE: a job whose code is at this offset of its memory
{
	cat >"$tmp/far.json" <<END
{"vshader": 1, "engine": "qpu", "memory": [
  {"name": "big", "size": 1048576, "data": [{"offset": $1, $2}]}, {"name": "out", "size": 4096}],
 "jobs": [{"name": "far", "native": {"format": "qpu-list", "threads": [
  {"uniforms": ["out"], "code": "big+$1"}]}}]}
END
}
for at in 0 4096 600000; do
	far_job $at '"code": {"asm": {"file": "far.qasm"}}'
	expect 0 "trace of code at offset $at" "$VSHADER" trace -d "$device" --heat --summary "$tmp/far.json"
	has "hot instructions with their text" ': mov vw_addr, ra31$'
	has "heat with the text" '^ *10.0% ####################  *1  0x[0-9a-f]*: ldi vpm, 7$'
	sed -e 's/0x[0-9a-f]*//g' "$tmp/out" >"$tmp/far.$at"
	debug 0 "debug of code at offset $at" "$tmp/far.json" start 'info line' 'tbreak far.qasm:6' \
		continue
	has "starts in its source" '^Line 1 of far.qasm is instruction '
	has "and stops in it" 'at far.qasm:6$'
done
cmp "$tmp/far.0" "$tmp/far.4096" >"$tmp/out" 2>&1 && cmp "$tmp/far.0" "$tmp/far.600000" >"$tmp/out" 2>&1
result $? "the same at all offsets"
far_job 600000 '"u32": ["0x009e7000", "0x300009e7", "0x009e7000", "0x100009e7", "0x009e7000", "0x100009e7"]'
expect 0 "trace of words far into memory" "$VSHADER" trace -d "$device" "$tmp/far.json"
json "their text" "[r['insn'] for r in j] == ['nop; thrend', 'nop', 'nop']"
if command -v python3 >/dev/null; then
	cp "$JOBS/midgard/c_reduce.json" "$tmp/long.json"
	debug 0 "the memory of a chain" midgard/c_reduce.json start \
		"dump memory $tmp/code 0xf7ffc000 0xf7ffd000" "dump memory $tmp/state 0xf7ffd000 0xf7ffe000" kill
	python "a program of 72,000 bytes" "
import json, os, struct
code = open('$tmp/code', 'rb').read()
quad = code[16 * 0xf:16 * 0x10]		# smul.ADD.i32 AL0.x, R0.y, R0.x, one quad
first = struct.unpack('<I', quad[:4])[0] & ~0xff
tag = struct.unpack('<I', quad[:4])[0] & 15
one = struct.pack('<I', first | tag << 4 | tag) + quad[4:]
last = struct.pack('<I', first | 1 << 4 | tag) + quad[4:]
open('$tmp/long.bin', 'wb').write(4499 * one + last)
state = bytearray(open('$tmp/state', 'rb').read())
struct.pack_into('<Q', state, 0, 0x10000000 | tag)	# where the program is
open('$tmp/state.bin', 'wb').write(state)
j = json.load(open('$tmp/long.json'))
j['memory'][0]['image'] = os.path.abspath('$JOBS/midgard') + '/' + j['memory'][0]['image']
j['memory'][0]['ranges'] = [r for r in j['memory'][0]['ranges'] if r[0] != '0xf7ffd000']
j['memory'] += [{'va': '0xf7ffd000', 'data': {'file': 'state.bin'}},
                {'va': '0x10000000', 'data': {'file': 'long.bin'}}]
del j['jobs'][0]['expect']
json.dump(j, open('$tmp/long.json', 'w'))"
	expect 0 "trace of it" "$VSHADER" trace -d "$device" --invocations 0 "$tmp/long.json"
	json "all instructions have their text" "len(j) == 4500 and all(r['insn'].startswith('smul.ADD.i32') for r in j)"
fi
expect 0 "trace --registers by operations" "$VSHADER" trace -d "$device" --registers 5 \
	"$JOBS/midgard/shaders.json"
json "units of a bundle" "[(r['part'], r['insn'][:9]) for r in j if r['pc'] == 4] == [(0, 'vadd.ADD.'), (1, 'smul.MUL.')]"
json "the first one's result is the second one's operand" "(lambda a, b: a['changes']['al0'] == b['operands']['al0'])(*[r for r in j if r['pc'] == 1])"
expect 0 "trace --registers" "$VSHADER" trace -d "$device" --registers 5 --instructions \
	"$JOBS/midgard/shaders.json"
json "each instruction" "[r['pc'] for r in j] == [0, 1, 3, 4, 6, 7, 8, 9, 10, 11, 13]"
json "what it changed" "j[0]['changes'] == {'r0': ['0x5', '0x0', '0x0', '0x0']} and list(j[1]['changes']) == ['al0']"
json "what it reads" "j[1]['operands']['r0'] == ['0x5', '0x0', '0x0', '0x0']"
json "a read" "[(a['kind'], a['size']) for a in j[2]['accesses']] == [('read', 4)]"
json "a write, at the end" "j[10]['accesses'][0]['kind'] == 'write' and 'changes' not in j[10]"
expect 0 "trace --registers without accesses to memory" "$VSHADER" trace -d "$device" \
	--registers 5 "$JOBS/demo/01-lit-mesh.json"
json "both jobs" "[r['job'] for r in j] == 22 * [0] + 22 * [1]"
expect 0 "trace --registers of many programs" "$VSHADER" trace -d "$device" --registers 0 \
	"$JOBS/pica/documented.json"
expect 0 "trace --values by operations" "$VSHADER" trace -d "$device" --values --invocations 5 --pc 4 \
	"$JOBS/bifrost/shaders.json"
json "temporaries" "(lambda m, a: m['changes'] == {'t0': ['0x37a']} and a['operands']['t0'] == ['0x37a'] and a['changes']['r1'] == ['0x37a'])(*j[:2])"
expect 0 "trace --values" "$VSHADER" trace -d "$device" --instructions --values --invocations 4-6 --pc 4-8 \
	"$JOBS/bifrost/shaders.json"
json "a line for each invocation" "[(r['pc'], r['invocation']) for r in j if r['job'] == 0] == [(p, i) for p in (4, 8) for i in (4, 5, 6)]"
json "operands and results" "(lambda r: r['operands']['r1'] == ['0xb2'] and r['changes']['r1'] == ['0x37a'])([r for r in j if r['pc'] == 4 and r['invocation'] == 5][0])"
json "accesses" "all(len(r['accesses']) == 1 for r in j if r['pc'] == 4 and r['job'] == 0)"
expect 0 "trace --values of the QPU" "$VSHADER" trace -d "$device" --values --invocations 5 \
	--pc 0-0x98 "$JOBS/demo/08-qpu.json"
json "its uniform address" "j[1]['insn'] == 'mov r0, unif' and 'unif' in j[1]['changes'] and len(j[1]['changes']['r0']) == 16"
expect 0 "trace --values of PICA" "$VSHADER" trace -d "$device" --values --invocations 5 --pc 0 \
	"$JOBS/demo/01-lit-mesh.json"
json "its operands" "sorted(j[0]['operands']) == ['c4', 'r0', 'v0'] and list(j[0]['changes']) == ['r0']"
expect 0 "trace --values of Utgard GP" "$VSHADER" trace -d "$device" --values --invocations 0 \
	"$JOBS/utgard/frames.json"
json "a result is an operand" "j[1]['operands']['acc0'] == ['-2.25'] and j[1]['changes']['mul0'] == ['-2.25']"
json "what is written at the end" "[(a['kind'], a['va']) for a in j[4]['accesses']][0] == ('write', '0x4000a000')"
expect 0 "trace --values of Utgard PP" "$VSHADER" trace -d "$device" --values --invocations 5 \
	"$JOBS/utgard/shaders.json"
json "its registers" "[r['operands']['r1'] for r in j if r['program'] == 'behind' and r['pc'] == 4] == [['0.75', '0.625', '3', '-3']]"
expect 0 "trace --accesses" "$VSHADER" trace -d "$device" --instructions --accesses --pc 4 \
	"$JOBS/bifrost/shaders.json"
json "each with its invocation" "[r['invocation'] for r in j if 'access' in r and r['job'] == 0] == list(range(128))"
json "behind its instruction" "'insn' in j[0] and all('access' in r for r in j[1:65])"
expect 2 "trace --registers with a filter" "$VSHADER" trace --registers 1 --pc 3 \
	"$JOBS/midgard/shaders.json"
for chip in bifrost midgard; do
	expect 0 "$chip: trace --pixel" "$VSHADER" trace -d "$device" --pixel 3,5 --instructions "$JOBS/$chip/fragments.json"
	json "its invocation" "j and all(r['invocation'] == 39 for r in j if r['job'] == 0)"
	cp "$tmp/out" "$tmp/pixel"
	expect 0 "$chip: trace --pixel with the first sample" "$VSHADER" trace -d "$device" --pixel 3,5,0 --instructions \
		"$JOBS/$chip/fragments.json"
	python "the same in jobs without samples" "
import sys
new, old = [set(l for l in open('$tmp/' + n) if '\"job\":0' in l) for n in ('out', 'pixel')]
sys.exit(0 if new and new == old else 1)"
	expect 0 "$chip: trace --pixel --values" "$VSHADER" trace -d "$device" --pixel 3,5 --values \
		"$JOBS/$chip/fragments.json"
	json "only its invocation" "j and all(r['invocation'] == 39 for r in j if r['job'] == 0)"
	json "and every instruction has its text" "all(r['insn'] for r in j)"
done
pica="$JOBS/demo/12-pica-picture.json"
expect 0 "PICA: trace --pixel" "$VSHADER" trace -d "$device" --pixel 32,40 "$pica"
json "both draws, each with six combiners" "[r['draw'] for r in j if r['step'] == 'combiner'] == [0] * 6 + [1] * 6"
json "the texel is what the first one passes on" "[r['texel'] for r in j if r['step'] == 'texture'][0] == [132, 162, 123, 255] == j[2]['result']"
json "depth and colour before and after" "[(r['buffer'], r['new_depth']) for r in j if r['step'] == 'depth-stencil'] == [(0, 4194303), (4194303, 12582911)] and j[-1]['written'] == [94, 102, 60, 255]"
expect 0 "PICA: a pixel that no draw covers" "$VSHADER" trace -d "$device" --pixel 900,5 "$pica"
has "it has no steps" "no fragment of pixel 900,5"
expect 2 "PICA: no registers of a fragment" "$VSHADER" trace -d "$device" --pixel 32,40 --values "$pica"
expect 0 "a pixel that no draw covers" "$VSHADER" trace -d "$device" --pixel 900,5 "$JOBS/bifrost/fragments.json"
has "leaves nothing" "no fragment of pixel 900,5"
expect 0 "Utgard: trace --pixel of a draw" "$VSHADER" trace -d "$device" --pixel 9,6 "$JOBS/utgard/draws.json"
json "both chips' pixel jobs" "sorted({r['job'] for r in j}) == [1, 3] and len({r['invocation'] for r in j}) == 1"
expect 0 "Utgard: trace --pixel --values" "$VSHADER" trace -d "$device" --pixel 9,6 --values "$JOBS/utgard/draws.json"
json "the texel is read" "[r['changes']['texture'] for r in j if 'texture' in r.get('changes', {})] == [['1', '0.501953125', '0', '1']] * 2"
expect 2 "trace --pixel of a QPU" "$VSHADER" trace -d "$device" --pixel 3,5 "$JOBS/demo/08-qpu.json"
has "says so" "programs of qpu have no pixels"
for e in 3 "3," 3,5,0,1 a,b 3,-1 3,70000; do
	expect 2 "trace --pixel $e" "$VSHADER" trace --pixel "$e" "$JOBS/bifrost/fragments.json"
done
expect 2 "trace --registers with a pixel" "$VSHADER" trace --registers 1 --pixel 3,5 "$JOBS/bifrost/fragments.json"
expect 2 "trace --nan with values" "$VSHADER" trace --nan --values "$JOBS/bifrost/shaders.json"
expect 2 "trace --nan with a summary" "$VSHADER" trace --nan --summary "$JOBS/bifrost/shaders.json"
expect 0 "run --coverage" "$VSHADER" run -q -d "$device" --coverage "$JOBS/midgard/c_reduce.json"
has "code in memory" "^coverage of job 0, code at 0x.*: 27 instructions executed"
has "the loop" "^ *64 *4096 *64.0 *0  0x000a: [a-z]"
has "divergence" "^ *28 *508 *18.1 *24  0x000d"
expect 0 "run --coverage of Utgard" "$VSHADER" run -q -d "$device" --coverage \
	"$JOBS/utgard/shaders.json"
has "a vertex program" "^coverage of scale: 2 of 2 instructions executed"
has "a pixel program" "^coverage of behind: 2 of 2 instructions executed"
has "how often" "^ *1 *16 *16.0 *0  0x0004: add.v1 "
expect 0 "run --coverage of the QPU" "$VSHADER" run -q -d "$device" --coverage \
	"$JOBS/demo/08-qpu.json"
has "its instructions" "^coverage of saxpy: "
expect 0 "run --coverage of a long job" "$VSHADER" run -q -d "$device" --coverage \
	"$JOBS/demo/01-lit-mesh.json"
has "all of it" "coverage of lit: 22 of 22 instructions executed (100.0 %)"
expect 0 "run --coverage --json" "$VSHADER" run -d "$device" --coverage --json \
	"$JOBS/bifrost/shaders.json"
python "counters in JSON" "
import json, sys
c = json.load(open('$tmp/out'))['files'][0]['coverage']
sys.exit(0 if c[0]['instructions'][1] == {'pc': 4, 'text': c[0]['instructions'][1]['text'],
    'executed': 2, 'invocations': 128, 'divergent': 0} else 1)"

# ---- results after the last job ----
debug 0 "results after the end" demo/01-lit-mesh.json run 'x/4fw position' 'p {f32[4]} color' \
	"dump memory $tmp/position position position+16" 'info memory' 'info symbol vertices+4' \
	'print *vertices@2' run 'x/1fw position+4'
has "a stream" '0x[0-9a-f]*:	-0.633968413	-1.73204041	1.7429142	2.63398361$'
has "an expression" '^$1 = {0.745993555, 0.745993555, 0.663995743, 1}$'
has "its region" ' output position of job 1$'
has "info symbol" '^vertices + 4$'
has "a region" '^$2 = {3212836864, 3212836864}$'
[ "$(od -An -t x4 "$tmp/position" | tr -d ' ')" = "bf224bc1bfddb3803fdf17d040289330" ]
result $? "dump memory"
for c in 'p $r0' 'set var *vertices = 1' 'x/1 1' 'kill' 'continue' 'info registers' \
	'x/400 position+0x6000'; do
	debug 2 "after the end: $c" demo/01-lit-mesh.json run "$c"
done
debug 2 "no results of a run that was given up" demo/01-lit-mesh.json start kill 'x position'
debug 0 "an image" demo/08-qpu.json run 'p mandelbrot == picture'
has "its address" '^$1 = 1$'

# ---- source lines and names ----
cp "$JOBS/demo/lit.v.pica" "$tmp"
sed 's/"shbin": "lit.shbin"/"asm": {"file": "lit.v.pica"}/' "$JOBS/demo/01-lit-mesh.json" \
	>"$tmp/lit.json"
debug 0 "PICA: a source" "$tmp/lit.json" 'list 15,17' 'break lit.v.pica:28 if invocation == 5' \
	run list 'info line' 'info line 17' 'info symbol $pc' step 'break 33' 'break *0' 'break main' \
	'p inpos' 'p inpos.yx' 'p projection[2]' 'p projection' 'p consts.y' 'p modelview[1].y + 1' \
	'set var inpos.x = 7' 'p $v0.x' 'p ::vertices' backtrace kill
has "its lines" '^   17   	dp4 r0.x, modelview\[0\], inpos$'
has "a comment's line is the next instruction's" '^Breakpoint 1 at 0x8 in lit, lit.v.pica:29: '
has "stops with the line" ' 0x8 in lit at lit.v.pica:29 (36 invocations'
has "shows the line" '^29		dp3 r1.x, modelview\[0\], innormal$'
has "marks it" '^=>\*29   	dp3 r1.x'
has "info line" '^Line 29 of lit.v.pica is instruction 0x8, which ends at 0x9\.$'
has "info line of a line" '^Line 17 of lit.v.pica is instruction 0x0, '
has "info symbol of an instruction" '^main + 8 in program lit$'
has "a step" '^30		dp3 r1.y, modelview\[1\], innormal$'
has "break LINE" '^Breakpoint 2 at 0xc in lit, lit.v.pica:33: rsq '
has "break *N is an instruction" '^Breakpoint 3 at 0x0 in lit, lit.v.pica:17: '
has "break at a procedure" '^Breakpoint 4 at 0x0 in lit, '
has "an input by name" '^$1 = {x = -1, y = 1, z = 1, w = 1}$'
has "with a swizzle" '^$2 = {1, -1}$'
has "an element of an array" '^$3 = {x = 0, y = 0, z = -1.06666565, w = -1.06666565}$'
has "an array" '^$4 = {1.73204041, 0, 0, 0, 0, 1.73204041, .* -1, 0}$'
has "a constant" '^$5 = 1$'
has "in an expression" '^$6 = 2$'
has "names are places" '^$7 = 7$'
has "a backtrace" '^#0  0x9 in lit at lit.v.pica:30: dp3 r1.y'
has "a region in spite of a name" '^$8 = 0x100000$'
for c in 'break 99' 'break lit.v.pica:99' 'break other.pica:3' 'break lit.v.pica:x' 'p unknown' \
	'p projection[4]' 'p inpos' 'list 99' 'set listing maybe'; do
	debug 2 "no such: $c" "$tmp/lit.json" 'break main' "$([ "$c" = 'p inpos' ] || echo run)" "$c"
done
has "says what is expected" '"on" or "off" expected'
debug 0 "a watched register" "$tmp/lit.json" 'tbreak 29 if invocation == 5' run 'watch $r4' \
	'watch outclr if outclr.x > 0' 'info breakpoints' continue step continue
has "it is watched" '^Watchpoint 2: $r4$'
has "for its invocation" '^2 .* $r4 of invocation 5$'
has "the instruction after its change" '0x11 in lit at lit.v.pica:40 '
has "its old value" '^Old value = {x = 0, y = 0, z = 0, w = 0}$'
has "its new value" '^New value = {x = 0.125, y = 0.125, z = 0.25, w = 1}$'
has "a step shows a change, too" '^New value = {x = 0.745'
has "a name with a condition" '0x14 in lit at lit.v.pica:44 '
debug 0 "it ends with its invocation" bifrost/shaders.json 'tbreak reverse:4 if invocation == 5' \
	run 'watch $r60' continue 'info breakpoints'
has "it says so" '^Watchpoint 2 deleted: its invocation has ended\.$'
has "it is gone" '^No breakpoints or watchpoints'
for c in 'rwatch $r1' 'watch $r1, 4' 'watch $r99' 'commands 7' 'ptype $r99' 'ptype nothing'; do
	debug 2 "refused: $c" "$tmp/lit.json" 'break main' run "$c"
done
debug 2 "registers of one invocation" "$tmp/lit.json" start 'watch $r1' 'thread 3' 'watch $r1'
debug 0 "commands" "$tmp/lit.json" 'break 29 if invocation == 4' commands silent 'p inpos.x' \
	continue 'p 1234' end 'tbreak 33 if invocation == 4' 'commands 2' 'p $pc' end run \
	'info breakpoints' 'ptype inpos' 'ptype $pc' 'whatis outclr.x' kill
lacks "silent" '^Breakpoint 1, '
has "a command" '^$1 = 1$'
lacks "none after continue" '= 1234'
has "those of a temporary breakpoint" '^$2 = 0xc$'
has "they are listed" '^	p inpos.x$'
has "the type of a vector" '^type = f32\[4\]$'
has "the type of \$pc" '^type = u32$'
has "the type of a component" '^type = f32$'
debug 0 "names of a container" demo/01-lit-mesh.json 'break lit:8 if invocation == 5' run \
	'p projection[2].z' 'p innormal'
has "an array of an SHBIN" '^$1 = -1.06666565$'

debug 0 "QPU: a source" demo/08-qpu.json 'break loop' run 'info symbol $pc' 'set listing on' \
	'list 16,17' 'break :3' 'set listing off' 'break saxpy:0x98' kill
has "a label" '^Breakpoint 1 at 0x70 in saxpy, saxpy.qasm:20: mov t0s, ra0$'
has "at its label" '^loop in program saxpy$'
has "the listing instead" '^=>\*17   .*mov t0s, ra0'
has "its lines" '^Breakpoint 2 at 0x8 in saxpy: mov r0, unif$'
has "PROGRAM:N is an instruction" '^Breakpoint 3 at 0x98 in saxpy, saxpy.qasm:25: '
debug 0 "QPU: a source of code in memory" demo/08-qpu.json start continue 'info symbol $pc' \
	'tbreak mandelbrot.qasm:31' delete 'tbreak iterate if invocation == 3' continue 'info line' \
	'info symbol $pc' kill
has "its first line" '0x1003000 at mandelbrot.qasm:6 (12'
has "no label yet" '^code at 0x1003000$'
has "a line" '^Temporary breakpoint 1 at 0x10030b8, mandelbrot.qasm:32: fsub.setf -, rb4, ra6'
has "at a label" '^Temporary breakpoint 2, invocation 3 .* at mandelbrot.qasm:27 '
has "its line" '^Line 27 of mandelbrot.qasm is instruction 0x1003098, '
has "the label" '^iterate in program code at 0x1003000$'
mkdir "$tmp/qpu"
cat >"$tmp/qpu/names.qasm" <<'END'
.include "names.qinc"
.set count, ra5
.set limit, 0x30
	mov count, limit
	add count, count, count
	load_one
	nop
	thrend
	nop
	nop
END
cat >"$tmp/qpu/names.qinc" <<'END'
.macro load_one
	ldi r1, step
.endm
.set step, 2.5
.set elsewhere, vpm
END
cat >"$tmp/qpu/names.json" <<'END'
{"vshader": 1, "engine": "qpu", "programs": [{"name": "p", "asm": {"file": "names.qasm"}}],
 "jobs": [{"program": "p", "qpu": {"threads": [{"uniforms": [0]}]}}]}
END
debug 0 "QPU: names" "$tmp/qpu/names.json" 'break names.qinc:2' run 'p count[3]' 'p limit' \
	'p step * 2' kill
has "the line of a macro" '0x10 in p at names.qinc:2'
has ".set of a register" '^$1 = 0x60$'
has ".set of an integer" '^$2 = 48$'
has ".set of a float" '^$3 = 5$'
debug 2 "a name of no register" "$tmp/qpu/names.json" start 'p elsewhere'
if command -v python3 >/dev/null; then
	python "sources of Mali" "
import json
for chip in 'bifrost', 'midgard', 'utgard':
    j = json.load(open('$JOBS/%s/shaders.json' % chip))
    for p in j['programs']:
        name = '%s-%s.s' % (chip, p['name'])
        open('$tmp/' + name, 'w').write(p['asm'])
        p['asm'] = {'file': name}
    json.dump(j, open('$tmp/%s.json' % chip, 'w'))"
	for j in 'bifrost reverse 11 0x4 9' 'midgard reverse 9 0x4 8' 'utgard scale 7 0x1 5' \
		'utgard behind 2 0x4 2'; do
		set -- $j
		debug 0 "$1: a source" "$tmp/$1.json" "break $1-$2.s:$3" run kill
		has "$1: a line within the instruction" "^Breakpoint 1 at $4 in $2, $1-$2.s:$5: "
		has "$1: stops there" " $4 in $2 at $1-$2.s:$5 "
	done
fi

# ---- habits of gdb's users ----
# They do not depend on the device: guests do not have the file.
here=$(dirname "$0")
[ ! -e "$here/debugger_gdb.sh" ] || . "$here/debugger_gdb.sh"

# ---- listings ----
same_listing() # FILE PROGRAM SOURCE OPTION...: the debugger's listing is what disasm prints
{
	job=$1
	program=$2
	source=$3
	shift 3
	"$VSHADER" debug -d "$device" -batch -ex 'set listing on' -ex "tbreak $program" -ex run \
		-ex 'list 1,9999' "$job" 2>/dev/null | grep '^\(=>\|  \)[* ][0-9]* ' |
		cut -c9- >"$tmp/list"
	"$VSHADER" disasm "$@" "$source" >"$tmp/disasm" 2>"$tmp/out"
	[ "$(wc -l <"$tmp/disasm")" -gt 1 ] && diff "$tmp/list" "$tmp/disasm" >>"$tmp/out"
	result $? "list and disasm agree line for line: ${source##*/}"
}
same_listing "$JOBS/demo/01-lit-mesh.json" lit "$JOBS/demo/lit.shbin"
same_listing "$tmp/lit.json" lit "$tmp/lit.v.pica"
same_listing "$JOBS/demo/08-qpu.json" saxpy "$JOBS/demo/saxpy.qasm"
if command -v python3 >/dev/null; then
	same_listing "$tmp/bifrost.json" reverse "$tmp/bifrost-reverse.s" --isa bifrost --form asm
	same_listing "$tmp/midgard.json" reverse "$tmp/midgard-reverse.s" --isa midgard --form asm
	same_listing "$tmp/utgard.json" scale "$tmp/utgard-scale.s" --isa utgard-gp --form asm
	same_listing "$tmp/utgard.json" behind "$tmp/utgard-behind.s" --isa utgard-pp --form asm
fi

# ---- colours ----
escape=$(printf '\033')
expect 0 "run --color" "$VSHADER" run -d "$device" --color "$JOBS/demo/01-lit-mesh.json"
has "the result" "json, lit mesh: $escape\[32m11 of 11 checks passed$escape\[0m$"
has "a job" "cube-f24  *$escape\[32mdone$escape\[0m; "
sed 's/0\.633968413/0.5/' "$JOBS/demo/01-lit-mesh.json" >"$tmp/differs.json"
cp "$JOBS/demo/lit.shbin" "$tmp"
expect 1 "run --color=always of a job that differs" "$VSHADER" run -d "$device" --color=always \
	"$tmp/differs.json"
has "what differs" "^    $escape\[1;31mFAIL$escape\[0m  position"
for c in run debug; do
	expect 2 "$c --color of anything else" "$VSHADER" $c --color=sometimes "$JOBS/demo/08-qpu.json"
	has "it says so" "auto, always or never"
done
expect 0 "run without a terminal" "$VSHADER" run -d "$device" "$JOBS/demo/01-lit-mesh.json"
lacks "no colours" "$escape"
expect 0 "debug --color" "$VSHADER" debug -d "$device" --color -batch -ex 'break lit:8' -ex run \
	-ex list "$JOBS/demo/01-lit-mesh.json"
has "the instruction" "^$escape\[30;42m=> 0x8:$escape\[0m"
has "the marks of its line" "^$escape\[30;42m=>$escape\[0m$escape\[31m\*$escape\[0m31 "
expect 0 "debug --color --json" "$VSHADER" debug -d "$device" --color --json -batch -ex start \
	"$JOBS/demo/01-lit-mesh.json"
lacks "JSON has none" "30;42m"

finish
