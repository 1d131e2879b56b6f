#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Misuses of the vshader command: each has its exit status and its message. The table is
# misuses.txt. TAP on stdout.
#
#   VSHADER=PATH JOBS=DIR sh test_misuse.sh

: "${VSHADER:?path of the command}" "${JOBS:?folder of job files}"
table=$(cd "$(dirname "$0")" && pwd)/misuses.txt
JOBS=$(cd "$JOBS" && pwd)
VSHADER=$(cd "$(dirname "$VSHADER")" && pwd)/${VSHADER##*/}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
number=0
failed=0
program='"programs": [{"words": ["0x4c000000", "0x88000000"], "opdesc": ["0x36f"]}]'
job='"attributes": [{"reg": 0, "data": [1, 2, 3, 4]}], "outputs": ["o0"]'

# ---- the folder ----
mkdir folder empty pipes
mkfifo pipes/a.json
: >empty.file
: >empty.pica
cp "$JOBS/demo/lit.shbin" .
cp "$JOBS/demo/utgard.mbs" prog.mbs
cp "$JOBS/demo/lit.v.pica" good.pica
cp good.pica noname
cp "$JOBS/demo/saxpy.qasm" good.qasm
printf 'ds(0) eos dwb(0)\n{\n\t+NOP t1\n}\n' >good.bi
head -c 60 lit.shbin >cut.shbin
head -c 40 prog.mbs >cut.mbs
printf '\177ELF\002\001\001' >prog.elf
printf 'ab\001' >odd.bin
# two instructions of each set, none of them defined
printf '\302\253\375\345%.0s' 1 2 3 4 5 6 7 8 >text.bin
printf '\357\273\277{"vshader": 1}' >bom.json
echo "1 2 3" >three.hex
echo "xyz" >text.hex
echo "# 1 2 3" >comments.hex
printf 'opdesc:\ncode:\n' >sections.hex
echo "44000000 88000000" >undefined.hex
echo "frob r0" >bad.pica
echo "frob r0" >bad.qasm
printf '.proc main\n\tmov r0, foo\n\tcall nowhere\n\tcall elsewhere\n\tend\n.end\n' >undefined.pica
printf '.fvec a[10] c90\n.proc main\n\tend\n.end\n' >place.pica
printf '.proc main\n\tmad r0, c1, c2, v0\n\tend\n.end\n' >mad.pica
printf '.proc main\n\tend\n' >open.pica
printf '.mbs1\n' >m0.txt
printf '.mbs1\n.program pixel 7\n' >m1.txt
printf '.mbs1\n.program vertex 6\n.prefetch 4294967296\n' >m2.txt
printf '.mbs1\n.program vertex 6\n.uniforms 4\n.uniform a x\n' >m3.txt
printf '.mbs1\n.program vertex 6\n.varyings\n.varying a type=77\nfrob\n' >m4.txt
printf '.mbs1\n.program vertex 6\n.varying a type=1\n' >m5.txt
printf '.mbs1\n.program vertex 6\n.prefetch 0\n' >m6.txt
"$VSHADER" asm -o lit.hex good.pica || exit 1
"$VSHADER" asm --form bin -o lit.bin good.pica || exit 1
"$VSHADER" asm -o saxpy.hex good.qasm || exit 1
cat >good.json <<END
{"vshader": 1, $program, "memory": [{"name": "memory", "size": 64}],
 "jobs": [{"name": "job", $job}],
 "images": [{"name": "picture", "at": "memory", "width": 4, "height": 4}]}
END
cat >fault.json <<END
{"vshader": 1, $program,
 "jobs": [{"name": "job", "attributes": [{"reg": 0, "at": "0x5000"}], "outputs": ["o0"]}]}
END
cat >differs.json <<END
{"vshader": 1, $program,
 "jobs": [{"name": "job", $job, "expect": [{"output": "o0", "f32": [1, 2, 3, 5]}]}]}
END
# An endless loop: the time limit ends it on every machine.
cat >slow.json <<END
{"vshader": 1, "engine": "qpu",
 "programs": [{"asm": ":loop\nbrr -, :loop\nnop\nnop\nnop\n"}],
 "jobs": [{"name": "slow", "time_limit_ms": 1, "qpu": {"threads": [{}]}}]}
END
"$VSHADER" run -d local -q -D fault.dump fault.json >/dev/null
"$VSHADER" run -d local -q --png picture=picture.png good.json >/dev/null
head -c 20 picture.png >bad.png
# texts that are none, and files that are nested
{ printf '\357\273\277'; cat good.pica; } >bom.pica
printf '\377\376.\000p\000' >utf16.pica
printf '.proc main\n\tend\000\n.end\n' >nul.pica
printf '%0100000d' 0 | tr 0 '[' >deep.json
sed 's/$/ x/' good.json | tail -n 1 | cat good.json - >tail.json
printf '%0200d' 0 | sed 's/0/if 1\n/g' >nest.gdb
printf '%0100000d' 0 | tr 0 '(' | sed 's/^/print /' >paren.gdb
echo 'source self.gdb' >self.gdb
printf 'define x\nx\nend\nx\n' >again.gdb
printf 'if 1\nprint 1\n' >open.gdb

# ---- the table ----
echo "TAP version 13"
while IFS= read -r line; do
	case $line in
	"" | "#"*) continue ;;
	esac
	status=${line%% |*}
	rest=${line#*| }
	pattern=${rest##* | }
	rest=${rest% | *}
	file=${rest#*|}
	args=${rest%%|*}
	case $file in
	*"{P}"* | *"{J}"*) printf '%s\n' "$file" | sed "s/{P}/$program/g; s/{J}/$job/g" >j.json ;;
	*) printf '%s\n' "$file" >j.json ;;
	esac
	eval "\"$VSHADER\" $args" >out 2>err </dev/null
	got=$?
	number=$((number + 1))
	if [ "$pattern" = "^$" ]; then
		[ ! -s err ]
	else
		grep -E -q -e "$pattern" err
	fi
	said=$?
	text="$args $file"
	case $text in
	*"#"*) text=$(printf '%s' "$text" | tr '#' ' ') ;;
	esac
	if [ $got = "$status" ] && [ $said = 0 ]; then
		printf 'ok %d %s: %.100s\n' $number "$status" "$text"
	else
		printf 'not ok %d %s: %.100s\n' $number "$status" "$text"
		echo "# status $got, expected $status and \"$pattern\""
		head -n 5 err | sed 's/^/# /'
		failed=$((failed + 1))
	fi
done <"$table"

echo "1..$number"
[ $number -ge 560 ] || echo "# only $number misuses"
echo "# Totals: pass:$((number - failed)) fail:$failed xfail:0 xpass:0 skip:0 error:0"
[ $failed = 0 ] && [ $number -ge 560 ]
