#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What a failed command leaves, and what names of job files do to a terminal and to TAP.
#
#   VSHADER=PATH JOBS=DIR sh test_output.sh

. "$(dirname "$0")/result.sh"
: "${VSHADER:?path of the command}" "${JOBS:?folder of job files}"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
JOBS=$(cd "$JOBS" && pwd)
VSHADER=$(cd "$(dirname "$VSHADER")" && pwd)/${VSHADER##*/}
cd "$work" || exit 1

# kept NAME COMMAND...: the command fails, and keep.txt is as before, alone in its folder.
kept()
{
	name=$1
	shift
	rm -rf keep && mkdir keep && echo old >keep/keep.txt
	chmod 640 keep/keep.txt
	"$@" >/dev/null 2>&1
	code=$?
	[ $code != 0 ] && [ "$(cat keep/keep.txt)" = old ] && [ "$(ls keep)" = keep.txt ] &&
		[ "$(stat -c %a keep/keep.txt)" = 640 ]
	result $? "$name leaves the old file (exit $code)"
}

job=$JOBS/demo/01-lit-mesh.json
echo "TAP version 13"
echo "frob" >bad.pica
echo "{" >bad.json
kept "asm of a bad source" "$VSHADER" asm -o keep/keep.txt bad.pica
kept "asm of no source" "$VSHADER" asm -o keep/keep.txt none.pica
kept "asm to an unknown form" "$VSHADER" asm --form frob -o keep/keep.txt "$JOBS/demo/lit.v.pica"
kept "trace of no file" "$VSHADER" trace -d local -o keep/keep.txt none.json
kept "trace of a bad file" "$VSHADER" trace -d local -o keep/keep.txt bad.json
kept "trace on no device" "$VSHADER" trace -d /dev/none -o keep/keep.txt "$job"
kept "trace with a full disk" sh -c 'trap "" XFSZ; ulimit -f 1; "$1" trace -d local -o keep/keep.txt "$2"' - \
	"$VSHADER" "$job"

# dump FILE...: of memory, by the debugger
dump()
{
	for file in "$@"; do
		shift
		set -- "$@" -ex "dump memory $file out out+1024"
	done
	"$VSHADER" debug -d local -batch -ex start "$@" -ex kill "$mem"
}

"$VSHADER" run -d local "$JOBS/pica/registers.json" >said 2>&1
[ $? = 0 ] && [ "$(grep -c 'warning: words written to registers that do not exist, no effect: [123]$' said)" = 4 ]
result $? "run warns of jobs that write to registers that do not exist, once each"
"$VSHADER" run -d local --json "$JOBS/pica/registers.json" |
	python3 -c 'import json, sys; print([j["ignored_writes"] for j in json.load(sys.stdin)["files"][0]["jobs"]])' >said
[ "$(cat said)" = "[0, 0, 0, 1, 1, 3, 0, 2]" ]
result $? "their number is in the JSON output"

mem=mem.json
cp "$JOBS/bifrost/shaders.json" $mem
kept "dump memory with a full disk" sh -c 'trap "" XFSZ; ulimit -f 1; shift; "$@"' - \
	"$VSHADER" debug -d local -batch -ex start -ex "dump memory keep/keep.txt out out+1025" $mem
mkdir -p keep
"$VSHADER" debug -d local -batch -ex start -ex "dump memory $mem out out+16" $mem >said 2>&1
[ $? = 2 ] && grep -q "input and output are one file" said && cmp -s $mem "$JOBS/bifrost/shaders.json"
result $? "the debugger's job file is not overwritten"

# written NAME COMMAND...: the file is new, with the permissions of the old one.
written()
{
	name=$1
	shift
	rm -rf keep && mkdir keep && echo old >keep/keep.txt
	chmod 640 keep/keep.txt
	ln -s keep.txt keep/link
	"$@" >/dev/null 2>&1
	code=$?
	[ $code = 0 ] && [ "$(cat keep/keep.txt)" != old ] && [ -L keep/link ] &&
		[ "$(ls keep | wc -l)" = 2 ] && [ "$(stat -c %a keep/keep.txt)" = 640 ]
	result $? "$name (exit $code)"
}

written "asm replaces the file" "$VSHADER" asm -o keep/keep.txt "$JOBS/demo/lit.v.pica"
written "asm through a link" "$VSHADER" asm -o keep/link "$JOBS/demo/lit.v.pica"
written "trace replaces the file" "$VSHADER" trace -d local -o keep/keep.txt "$job"
written "test replaces the report" "$VSHADER" test -d local --junit keep/keep.txt "$job"
written "dump memory replaces the file" dump keep/keep.txt
written "dump memory through a link, twice" dump keep/link keep/link
rm -rf keep && mkdir keep
(umask 027 && "$VSHADER" asm -o keep/new.hex "$JOBS/demo/lit.v.pica")
[ "$(stat -c %a keep/new.hex)" = 640 ]
result $? "a new file has the permissions of the umask"
mkfifo pipe
"$VSHADER" asm -o pipe "$JOBS/demo/lit.v.pica" &
[ "$(wc -l <pipe)" -gt 5 ]
result $? "a pipe is written directly"
wait

# ---- names ----
# ---- names ----
program='"programs": [{"words": ["0x4c000000", "0x88000000"], "opdesc": ["0x36f"]}]'
named()
{
	printf '{"vshader": 1, "description": "%s", %s, "jobs": [{"name": "%s", "attributes": [{"reg": 0,
		"data": [1, 2, 3, 4]}], "outputs": ["o0"], "expect": [{"output": "o0", "f32": [9, 9, 9, 9]}]}]}' \
		"$1" "$program" "$1" >name.json
}


bytes=$(printf 'b\377d.json')
named bytes
cp name.json "$bytes"
"$VSHADER" run -d local -j "$bytes" >bytes.out 2>&1
grep -q '"file": *"b?d.json"' bytes.out && python3 -m json.tool <bytes.out >/dev/null
result $? "JSON of a file whose name is not UTF-8"
"$VSHADER" test -d local --junit bytes.xml "$bytes" >/dev/null
python3 -c 'import xml.etree.ElementTree as x; x.parse("bytes.xml")'
result $? "a JUnit report of it"
named '\u001b[31mred\u0007\u009b'
! "$VSHADER" run -d local name.json 2>&1 | LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177\233]')"
result $? "control characters do not reach the terminal"
"$VSHADER" run -d local name.json | grep -q -F '\x1b[31mred\x07'
result $? "they are visible"
printf '{"vshader": 1, "\\u001b[31m": 1}' >name.json
! "$VSHADER" run -d local name.json 2>&1 | grep -q "$(printf '\033')"
result $? "nor from a message"
named 'x # SKIP'
"$VSHADER" test -d local name.json | grep -q '^not ok 2 name.json: x %23 SKIP$'
result $? "a name is no directive of TAP"
named 'x\nok 99 forged'
out=$("$VSHADER" test -d local name.json)
! printf "%s\n" "$out" | grep -q "^ok 99" && printf "%s\n" "$out" | grep -q '^not ok 2 name.json: x%0Aok 99 forged$'
result $? "a name is no line of TAP"
echo "1..$n"
exit $status
