# SPDX-License-Identifier: GPL-2.0
#
# A part of test_debugger.sh: commands and scripts as gdb's users know them.
# shellcheck shell=sh disable=SC2016,SC2154

debug 0 "printf" bifrost/shaders.json 'break reverse:4 if invocation == 5' run \
	'printf "%d %5.2f|%-4s|%s%c %x 100%%\n", 7, 2.5, "ab", "c", 33, -1' 'set var {f32[4]} out = {1, 2, 3, 4}' \
	'printf "%g %g %g %g, %lu\n", {f32[4]} out, 0x123456789' 'set memory out = 68690000' \
	'printf "%s %u\101\n", out, $r1' 'log r1 = {$r1}, {1+}, {$pc}' kill
has "conversions" '^7  2\.50|ab  |c! ffffffff 100%$'
has "a vector is several arguments" '^1 2 3 4, 4886718345$'
has "a string in memory, octal digits" '^hi 178A$'
has "log never fails" '^r1 = 0xb2, <error: The expression is not complete\.>, 0x4$'
for e in 'printf' 'printf 5' 'printf "%d"' 'printf "%d", 1, 2' 'printf "%y", 1' 'printf "%d' \
	'printf "%1234d", 1' 'printf "%", 1' 'printf "%s", 0' 'printf "%d", nosuch' \
	'printf "%g %g %g", {f32[4]} out'; do
	debug 2 "error of \"$e\"" bifrost/shaders.json start "$e"
done
debug 0 "define" bifrost/shaders.json start 'define sum' 'printf "%d of %d: ", $arg0 + $arg1, $argc' \
	'if $arg0 > 2' 'echo large\n' 'else' 'if $arg0 == 2' 'echo two\n' 'else' 'echo small\n' \
	'end' 'end' 'end' 'document sum' 'Adds.' 'Two numbers.' 'end' 'help sum' 'sum 3 (2+2)' 'sum 3 4' \
	'sum 2 0' 'sum 1 1 "a b"' 'set var $i = 0' 'while $i < 3' 'set var $i = $i + 1' \
	'printf "<%d>", $i' 'end' 'echo \n' 'show user sum' 'help' 'define sum' 'echo new\n' 'end' sum \
	'apropos ^two|NUMBERS' kill
has "an argument ends at a blank" '^7 of 2: large$'
has "else" '^2 of 2: two$'
has "in quotes it does not" '^2 of 3: small$'
has "while" '^<1><2><3>$'
has "its documentation" '^Two numbers\.$'
has "its definition" '^if \$arg0 == 2$'
has "in the list of commands" '^sum  *Adds\.$'
has "defined anew" '^new$'
has "apropos" '^sum -- Adds\.$'
for e in define 'define a.b' 'document nothing' if while 'if 1' 'define x' 'apropos' 'apropos (' \
	'show nothing' 'show user nothing'; do
	debug 2 "error of \"$e\"" bifrost/shaders.json start "$e"
done
has "an error says what there is" 'Not a user command: "nothing"'
debug 2 "a block without end" bifrost/shaders.json 'define x' 'if 1' end
has "says so" 'the last block has no "end"'
debug 2 "a command that calls itself" bifrost/shaders.json 'define x' 'x' end x
has "ends" 'nested too deeply'
debug 2 "a missing argument" bifrost/shaders.json 'define x' 'echo $arg1\n' end 'x 5'
has "says so" 'Missing argument 1 in user function'
debug 0 "names" "$tmp/lit.json" 'break 33 if invocation == 4' run 'info locals' 'info args' \
	'info source' 'info sources' 'info functions' 'info functions ^nothing' 'info frame' frame \
	'frame 0' 'disassemble /r 33,+1' 'disassemble /s 33,+2' kill
has "info locals" '^outpos = {x = '
has "info args" '^inpos = {x = 1, '
lacks "arguments are no locals" '^inpos = .*outpos'
has "info source" '^Current source file is lit\.v\.pica$'
has "its folder" "^Located in $(realpath "$tmp")/lit\.v\.pica$"
has "info sources" "^lit: .*/lit\.v\.pica$"
has "info functions" '^0x0000	main$'
has "none matches" '^None matches\.$'
has "info frame" '^ call depth 0; return addresses are not recorded$'
[ "$(grep -c '^#0  0xc in lit at lit.v.pica:33: rsq' "$tmp/out")" = 2 ]
result $? "frame"
has "disassemble /r" '^=>\* 0x000c:	3e412000	rsq r2.x, r2$'
has "disassemble /s" '^lit\.v\.pica:34:		mul r1\.xyz, r2\.xxx, r1\.xyz$'
debug 0 "names of registers" bifrost/shaders.json start 'info locals' 'info args' 'info functions' \
	'disassemble /r reverse:4,+1' 'info source' kill
has "there are none" '^No locals: .*"info registers" has the registers\.$'
has "a program without labels" '^0x0000	vertex$'
has "words of a clause" '^    0x0004:	\([0-9a-f]\{8\} \)\{15\}[0-9a-f]\{8\}	'
for e in up down 'frame 1' 'disassemble /q' 'info functions (' 'layout' 'layout asm' 'layout wide'; do
	debug 2 "error of \"$e\"" bifrost/shaders.json start "$e"
done
cat >"$tmp/proc.json" <<'END'
{"vshader": 1,
 "programs": [{"asm": ".out pos position\n.in a\n.proc main\ncall f\nend\n.end\n.proc f\nmov pos, a\nnop\n.end\n"}],
 "jobs": [{"attributes": [{"reg": "a", "data": [1, 2, 3, 4]}], "outputs": ["position"]}]}
END
debug 2 "up in a function" "$tmp/proc.json" start step 'info functions' 'info frame' up
has "labels" '^0x0002	f$'
has "its depth" '^ call depth 1; '
has "says what is not there" 'Return addresses are not recorded'
debug 0 "find" bifrost/shaders.json start 'set var {f32[2]} out = {1.5, 2.5}' \
	'find out, +64, 1.5, 2.5' 'find /w numbers, +16, 31' 'print $numfound' 'print $_ == numbers + 8' \
	'find /b1 numbers, +512, 0' 'find numbers, +8, (u8) 77' 'find /b out, out+3, 0xc0' \
	'set memory out+16 = 616263' 'find out, +64, "abc"' kill
has "floats one after the other" '^0x[0-9a-f]* <out+0>$'
has "a word" '^0x[0-9a-f]* <numbers+8>$'
has "how many" '^$1 = 1$'
has "where" '^$2 = 1$'
has "no more than that" '^1 pattern found\.$'
has "nothing" '^Pattern not found\.$'
has "the last byte counts" '^0x[0-9a-f]* <out+2>$'
has "text" '^0x[0-9a-f]* <out+16>$'
for e in find 'find out' 'find out, +8' 'find /y out, +8, 1' 'find out, +0, 1' 'find out+8, out, 1' \
	'find 0, +8, 1' 'find out, +8, "a' 'find /0 out, +8, 1'; do
	debug 2 "error of \"$e\"" bifrost/shaders.json start "$e"
done
debug 0 "history" bifrost/shaders.json 'p 10' 'p 20' 'p 30' 'p $$' 'p $ + $$3' 'p $$0' 'show values' \
	'set height 0' 'set pagination on' 'show height' 'show pagination' 'show listing' 'show' \
	'show version' 'set var $own = 4' 'show convenience'
has '$$' '^$4 = 20$'
has '$$n' '^$5 = 30$'
has 'show values' '^$6 = 30$'
has "show of what was set" '^Number of lines in a page is 0; '
has "show of a switch" '^State of pagination is on; '
has "variables" '^$own = 4$'
debug 2 "too far back" bifrost/shaders.json 'p 10' 'p $$5'
debug 0 "folders and the shell" bifrost/shaders.json "cd $tmp" pwd '!echo "$((40 + 2))"' '!pwd'
has "cd and pwd" "^Working directory $(realpath "$tmp")\.$"
has "!" '^42$'
debug 2 "no such folder" bifrost/shaders.json 'cd /nonexistent'
debug 0 "thread apply" bifrost/shaders.json 'break reverse:4' run 'thread 9' \
	'set var $first = 7' 'thread apply 5 $first-8 print/d $r1' 'thread apply all -q p $invocation' 'print $invocation' kill
has "a headline" '^Thread 7 (invocation 7):$'
has "its values" '^$1 = 178$'
has "all of them" '^$67 = 63$'
has "the selected one remains" '^$68 = 9$'
for e in 'thread apply' 'thread apply all' 'thread apply 99 p 1' 'thread apply x p 1' \
	'thread apply all p nosuch'; do
	debug 2 "error of \"$e\"" bifrost/shaders.json start "$e"
done
debug 0 "errors may be left out" bifrost/shaders.json start 'thread apply 1-2 -s p nosuch' kill
debug 0 "save breakpoints" bifrost/shaders.json 'break reverse:4 if invocation == 5' 'tbreak vertex' \
	'break fragment:3 if $r0 == $r0' 'disable 2' 'ignore 3 2' run 'watch out, 8 if invocation 3-4' \
	'rwatch {f32[4]} numbers' 'catch nan if invocation >= 9' 'watch $r3' break 'commands 1' silent 'if 1' 'p 77' end continue end "save breakpoints $tmp/saved" \
	'info breakpoints' kill
has "they are saved" "^Saved to file '"
grep -v 'already hit' "$tmp/out" | sed -n '/^Num/,$p' >"$tmp/first"
debug 0 "they are set again" bifrost/shaders.json start 'thread 5' "source $tmp/saved" 'info breakpoints' kill
sed -n '/^Num/,$p' "$tmp/out" | diff "$tmp/first" - >"$tmp/diff"
result $? "all of them"
debug 2 "an input is not overwritten" "$tmp/lit.json" 'break 29' "save breakpoints $tmp/lit.v.pica"
grep -q 'proc main' "$tmp/lit.v.pica"
result $? "it is there"
debug 0 "nothing to save" "$tmp/lit.json" "save breakpoints $tmp/none"
[ ! -e "$tmp/none" ]
result $? "makes no file"
debug 0 "dprintf" "$tmp/lit.json" 'dprintf 33, "here %x %g\n", $pc, $r2.x' run
has "it prints" '^here c '
lacks "it does not stop" '^Breakpoint 1, '
lacks "nor resume" '^Continuing'
for e in 'dprintf 33' 'dprintf 33, 5' 'dprintf 999, "a"'; do
	debug 2 "error of \"$e\"" "$tmp/lit.json" "$e"
done
for e in 'attach 5' return 'handle SIGINT' reverse-step 'python print(1)' 'target remote x' hbreak; do
	debug 2 "there is no \"$e\"" bifrost/shaders.json "$e"
	has "it says why" "\"${e%% *}\" is not possible: "
done

# ---- what a user of gdb types first ----
# A command and what it prints or why it does not. One session: lines are at a stop.
cat >"$tmp/habits" <<'END'
info files => Job file "lit.json" with 2 jobs
info files => 0x0000 - 0x0016 is lit, pica vertex program
info target => is memory vertices
info signals => have no signals. A fault stops its job
info handle => misaligned
info signal SIGSEGV => not possible: shaders get no signals
handle SIGINT nostop => shaders get no signals
refresh => Cannot enable the TUI
tui enable => Cannot enable the TUI
tui disable => ^$
tui frob => "enable", "disable" or "reg" expected
tui reg general => Cannot enable the TUI
info win => The TUI is not active
winheight src 5 => panes have their sizes
wh src 5 => panes have their sizes
focus cmd => panes have their sizes
+ => panes have their sizes
set pagination off => ^$
set confirm off => ^$
set width 0 => ^$
set height unlimited => ^$
set width x => "on", "off" or a number expected: "x"
set print pretty => ^$
set print pretty on => ^$
show print pretty => Pretty formatting of structures is on; it has no effect
set print pretty maybe => "on" or "off" expected: "maybe"
set p pre off => ^$
show print pretty => Pretty formatting of structures is off
set print elements 0 => ^$
show print => Elements of arrays to print is 0
set print sevenbit-strings off => ^$
set history save on => ^$
show history => Saving of the history is on
set disassembly-flavor intel => ^$
set style enabled off => ^$
show style enabled => Colours is enabled off
set verbose on => ^$
set listsize 3 => ^$
list 1,2 => \.in innormal
show listsize => Number of lines that "list" shows is 3\.
list 20 => ^ *21 
list - => ^ *18 
list ,5 => ^ *3 
list 5, => ^ *7 
list frob => no program "frob"
set listsize 0 => a number of lines expected
set listsize 10 => ^$
list 1,2 => inpos
search projection => ^4	\.fvec projection
reverse-search innormal => ^2	\.in innormal
fo position => position
search nowhere => Expression not found
search ( => ^[0-9]*	.*(
search => REGEXP string is empty
set args foo => a job is no process
show args => a job is no process
set environment A=b => a job is no process
unset env A => a job is no process
info inferiors => a job is no process
info proc mappings => a job is no process
set follow-fork-mode child => a job is no process
set scheduler-locking on => a job stops as a whole
set non-stop on => a job stops as a whole
set output-radix 16 => use formats: "print/x"
set language c => the language is an assembler
set sysroot / => have no libraries
info sharedlibrary => have no libraries
info types => the language is an assembler
info variables => shaders have registers and memory
info float => "info registers" has all registers
info address inpos => Symbol "inpos" is \$v0
info address lit => is a label at instruction 0x0
info address frob => No symbol "frob"
info address => Argument required
info b => No breakpoints
info s => ^#0  0x0 in lit
info frob => Undefined info command: "frob"
info => ^info registers
i => ^info registers
i r v0 => ^v0
help info => ^info threads
help running => ^finish
help breakpoints => ^tbreak
help data => ^undisplay
help stack => ^frame
help status => ^info threads
help files => ^info files
help support => ^apropos
help all => ^quit
help frob => Undefined command: "frob"
show language => assembler of pica
show architecture => assembler of pica
show copying => licence
show frob => Undefined show command: "frob"
bt full => No locals
bt -full => No locals
frame function main => there is one frame
frame level 0 => there is one frame
up-silently => there is one frame
thread name x => invocations have numbers
thread find x => invocations have numbers
break 3 => Breakpoint 1 at 0x3
tbreak 4 => Temporary breakpoint 2
info b => breakpoint
clear 3 => ^Deleted breakpoint 1$
clear 3 => No breakpoint at 3
clear => No breakpoint at this instruction
disable breakpoints => ^$
enable breakpoints 2 => ^$
info b => ^2 .* keep .*y
enable delete 2 => ^$
info b => ^2 .* del .*y
enable once 2 => ^$
info b => ^2 .* dis .*y
continue => ^Breakpoint 2
info b => ^2 .* keep .*n
enable count 2 2 => use "ignore"
delete breakpoints 2 => ^$
info b => No breakpoints
display $pc => ^1: \$pc = 0x4
disable display 1 => ^$
info display => ^1: \$pc (disabled)$
stepi => ^=> 0x5
enable display => ^$
stepi => ^1: \$pc = 0x6
delete display 1 => ^$
info display => There are no auto-display
undisplay 1 => No display number 1
rbreak .* => use "info functions REGEX"
hbreak 0 => use "break"
tcatch throw => use "catch nan"
catch throw => "catch nan" expected
starti => "run" and "start" start its jobs
target remote :1 => the programs are those of the job file
core x => the programs are those of the job file
file x => the programs are those of the job file
rs => execution is not recorded
reverse-next => execution is not recorded
checkpoint => execution is not recorded
record full => execution is not recorded
gcore => use "dump memory"
python print(1) => the module vshader of Python
pi => the module vshader of Python
pipe p 1 | cat => use "shell"
| p 1 | cat => use "shell"
alias z = print => use "define"
eval "p 1" => use "define"
with print pretty on -- p 1 => settings that change what is printed
complete info => use Tab
show commands => use Up and Down
tstart => use "dprintf"
tp 0 => use "dprintf"
skip function x => use "finish"
maintenance info sections => it is about gdb itself
directory => sources are found by the paths
edit => use "shell"
print -pretty -- 1 + 2 => = 3$
taas p $invocation => = 35$
set $a = 5 => ^$
set var $a = 6 => ^$
p $a => = 6$
set frob 1 => must be followed by an assignment
set logging file gdb.log => ^$
set logging on => ^Copying output to gdb.log
p 1234 => = 1234$
frobnicate => Undefined command
set logging off => ^Done copying output to gdb.log
p 4321 => = 4321$
set logging file lit.json => ^$
set logging enabled on => input and output are one file
set logging file . => ^$
set logging on => not a regular file
set logging redirect on => output is copied
END
mkdir -p "$tmp/session"
cp "$JOBS/demo/01-lit-mesh.json" "$tmp/session/lit.json"
cp "$JOBS/demo/lit.shbin" "$tmp/session"
awk -F ' => ' 'BEGIN { print "start" } { printf "echo @%d\\n\n%s\n", NR, $1 }
	END { print "echo @0\\n" }' "$tmp/habits" >"$tmp/script"
(cd "$tmp/session" && timeout $((150 * ${KSFT_TIMEOUT_SCALE:-1})) "$VSHADER" debug -d "$device" \
	lit.json <"$tmp/script") >"$tmp/session/out" 2>&1
row=0
while IFS= read -r line; do
	row=$((row + 1))
	awk -v row="@$row" '/^@[0-9]+$/ { on = $0 == row; next } on' "$tmp/session/out" >"$tmp/out"
	pattern=${line#* => }
	if [ "$pattern" = "^$" ]; then
		[ ! -s "$tmp/out" ]
	else
		grep -q -e "$pattern" "$tmp/out"
	fi
	result $? "of gdb: ${line%% => *}"
done <"$tmp/habits"
grep -q '= 1234$' "$tmp/session/gdb.log" && grep -q 'Undefined command' "$tmp/session/gdb.log" &&
	! grep -q 4321 "$tmp/session/gdb.log"
result $? "the copy of the output has what was printed meanwhile"
expect 2 "a copy that is lost" "$VSHADER" debug -d "$device" -batch -ex 'set logging file /dev/full' \
	-ex 'set logging on' -ex start "$JOBS/demo/01-lit-mesh.json"
has "it says so" "/dev/full: No space left"
