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
kept "asm beyond the limit of a file's size" sh -c 'ulimit -f 0; "$@"' - \
	"$VSHADER" asm -o keep/keep.txt "$JOBS/demo/lit.v.pica"
kept "a contact sheet without one of the files" "$VSHADER" run -d local -q --sheet keep/keep.txt \
	"$JOBS/demo/12-pica-picture.json" none.json
kept "trace with a full disk" sh -c 'trap "" XFSZ; ulimit -f 1; "$1" trace -d local -o keep/keep.txt "$2"' - \
	"$VSHADER" "$job"

# A pipe that nobody writes to holds the command when it has opened its output. nohup ignores SIGHUP.
mkfifo silent
for signal in TERM HUP; do
	rm -rf keep && mkdir keep && echo old >keep/keep.txt
	env --default-signal=$signal "$VSHADER" trace -d local -o keep/keep.txt silent 2>/dev/null &
	pid=$!
	tries=0
	while [ "$(ls keep | wc -l)" != 2 ] && [ $tries -lt 600 ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
	kill -$signal $pid
	wait $pid 2>/dev/null
	code=$?
	[ $tries -lt 600 ] && [ $code -gt 128 ] && [ "$(ls keep)" = keep.txt ] &&
		[ "$(cat keep/keep.txt)" = old ]
	result $? "trace that SIG$signal ends leaves the old file and nothing else (exit $code)"
done

# A library that sends the signal when the temporary file has just been made; a sanitizer's build
# takes none.
if [ -n "${CC:-}" ]; then
	cat >at_once.c <<-'EOF'
	#include <signal.h>
	#include <stdlib.h>
	int mkostemp(char *name, int flags)
	{
		int fd = mkstemp(name);

		(void)flags;
		raise(SIGHUP);
		return fd;
	}
	EOF
	$CC -shared -fPIC at_once.c -o at_once.so || exit 1
	kept "trace that SIGHUP ends when it has just begun its output" \
		env --default-signal=HUP LD_PRELOAD="$work/at_once.so" "$VSHADER" trace -d local -o keep/keep.txt "$job"
	[ "$code" = 129 ]
	result $? "with the signal"
fi

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
ln -s nowhere.hex keep/dangling
"$VSHADER" asm -o keep/dangling "$JOBS/demo/lit.v.pica"
[ -L keep/dangling ] && [ -s keep/nowhere.hex ]
result $? "a link without its file stays, and has it then"
ln -s none/x keep/lost
"$VSHADER" asm -o keep/lost "$JOBS/demo/lit.v.pica" 2>said
[ $? = 2 ] && [ -L keep/lost ] && grep -q "keep/lost: No such file" said
result $? "a link to nowhere stays"
mkfifo pipe
"$VSHADER" asm -o pipe "$JOBS/demo/lit.v.pica" &
[ "$(wc -l <pipe)" -gt 5 ]
result $? "a pipe is written directly"
wait

# ---- folders of job files ----
number=$JOBS/demo/02-number-formats.json
mkdir rec
"$VSHADER" record -d local -o rec -- "$VSHADER" run -d local -q "$job" >said 2>&1 &&
	cp rec/job00001.json before
"$VSHADER" record -d local -o rec -- "$VSHADER" run -d local -q "$number" >said 2>&1
[ $? = 2 ] && grep -q "rec/job00001.json: a recording is there" said && cmp -s before rec/job00001.json
result $? "a recording is not mixed with another one"
mkdir dumps
printf '{"vshader": 1, %s, "jobs": [{"attributes": [{"reg": 0, "at": "0x5000"}], "outputs": ["o0"]}]}\n' \
	'"programs": [{"words": ["0x4c000000", "0x88000000"], "opdesc": ["0x36f"]}]' >dumps/fault.json
cp dumps/fault.json before
"$VSHADER" run -d local -q -D fault.dump dumps/fault.json >said 2>&1
"$VSHADER" dump -o dumps fault.dump >said 2>&1
[ $? = 2 ] && grep -q "dumps/fault.json: a job file of another origin" said && cmp -s before dumps/fault.json
result $? "a dump's job file does not replace one of another origin"
"$VSHADER" dump -o again fault.dump && "$VSHADER" dump -o again fault.dump && [ -s again/fault.json ]
result $? "it replaces that of a dump"

# ---- inputs from pipes ----
"$VSHADER" diff -d local - "$number" <"$number" >said 2>&1 && [ ! -s said ]
result $? "diff of standard input and a job file"
mkfifo first second
cat "$number" >first &
cat mem.json >second &
timeout 600 "$VSHADER" diff -d local -j first second >said 2>&1
[ $? = 1 ] && grep -q '"kind":"runs"' said
result $? "diff of two pipes"
wait

mkdir -p deep/1/2/3/4/5/6/7/8/9/10
cp "$number" deep/1/2/3/4/5/6/7/8/9/10/
"$VSHADER" test -d local deep | grep -c '^ok' >before
ln -s ../.. deep/1/2/up
ln -s . deep/self
[ "$(cat before)" -gt 0 ] && [ "$("$VSHADER" test -d local deep | grep -c '^ok')" = "$(cat before)" ]
result $? "test finds files in deep folders, once with links that lead back"

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
escape=$(printf '\033')
# plain NAME COMMAND...: no escape reaches the terminal
plain()
{
	name=$1
	shift
	"$@" >plain.out 2>&1
	[ -s plain.out ] && ! grep -q "$escape" plain.out
	result $? "$name: no escapes"
}
evil="evil${escape}[31m
ok 99 forged"
cp name.json "$evil.json"
printf 'fr%sob r0\n' "${escape}[31m" >evil.txt
cp evil.txt evil.pica
plain "unknown command" "$VSHADER" "$evil"
plain "name of a job file that is missing" "$VSHADER" run -d local "$evil"
plain "name of a device" "$VSHADER" info -d "/$evil"
plain "name of a program" "$VSHADER" disasm "$evil.hex"
plain "unknown chip" "$VSHADER" vm --gpu "$evil"
plain "name of a recorded command" "$VSHADER" record -d local -o rec2 -- "$evil"
for isa in pica qpu bifrost midgard utgard-gp utgard-pp; do
	plain "error in a source of $isa" "$VSHADER" asm --isa $isa evil.txt
done
sed 's/"description": "[^"]*"/"description": "x"/' name.json >"$evil.json"
cp "$job" "$evil.json"
cp "$JOBS"/demo/lit.* .
plain "name of a job file" "$VSHADER" run -d local -v "$evil.json"
! "$VSHADER" run -d local "$evil.json" | grep -q '^ok 99'
result $? "nor a line of its own"
sed "s/inpos/${escape}[31m/" "$JOBS/demo/lit.shbin" >evil.shbin
"$VSHADER" disasm evil.shbin >said 2>&1
[ $? = 2 ] && grep -q 'SHBIN, byte [0-9]*: invalid character in the name' said
result $? "names of a SHBIN are checked"
printf '.proc main\n\tmov o0, v0 ; %s\r\n\tend\n.end\n' "${escape}[31m" >source.pica
printf '{"vshader": 1, "programs": [{"asm": {"file": "source.pica"}}], "jobs": [{"attributes": [{"reg": 0,
	"data": [1, 2, 3, 4]}], "outputs": ["o0"]}]}' >source.json
plain "source in the debugger" "$VSHADER" debug -d local -batch -ex 'break 0' -ex run -ex list source.json
grep -q 'mov o0, v0 ; ?\[31m$' plain.out
result $? "the source is listed"
named 'x # SKIP'
"$VSHADER" test -d local name.json | grep -q '^not ok 2 name.json: x %23 SKIP$'
result $? "a name is no directive of TAP"
named 'x\nok 99 forged'
out=$("$VSHADER" test -d local name.json)
! printf "%s\n" "$out" | grep -q "^ok 99" && printf "%s\n" "$out" | grep -q '^not ok 2 name.json: x%0Aok 99 forged$'
result $? "a name is no line of TAP"
echo "1..$n"
exit $status
