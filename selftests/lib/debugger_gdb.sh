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
