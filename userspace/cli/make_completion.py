#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Completions of vshader(1) for shells, from completion.txt.

usage: make_completion.py bash|zsh|fish TABLE
       make_completion.py check TABLE VSHADER      compare it with the help of the command
"""

import re
import subprocess
import sys


class Option:
    def __init__(self, line):
        names, self.value, self.text = line.strip("\n").lstrip("\t").split("\t")
        self.names = names.split()
        self.optional = self.value.startswith("?")
        self.value = self.value.lstrip("?")


class Command:
    def __init__(self, line):
        self.name, self.files, self.text = line.strip().split(": ")
        self.options = []


def load(path):
    kinds, commands = {}, []
    with open(path, encoding="ascii") as file:
        for line in file:
            if line.startswith("= "):
                kind, words = line[2:].strip().split("\t")
                kinds[kind] = words.split()
            elif line.startswith("\t"):
                commands[-1].options.append(Option(line))
            elif line.strip() and not line.startswith("#"):
                commands.append(Command(line))
    return kinds, commands


HEAD = "# vshader(1); made by make_completion.py\n"


def bash(kinds, commands):
    out = [HEAD, "_vshader_devices()\n{\n\tlocal node\n\n\tprintf '%s\\n' "
           + " ".join(kinds["device"]) + "\n\tfor node in /dev/dri/renderD*; do\n"
           "\t\t[ -e \"$node\" ] && printf '%s\\n' \"$node\"\n\tdone\n}\n\n"
           "_vshader_options()\n{\n\tcase $1 in\n"]
    for c in commands:
        words = " ".join(o.names[-1] for o in c.options)
        out.append('\t%s) echo "%s" ;;\n' % (c.name, words))
    out.append("\tesac\n}\n\n# The words of an option's value; 1: files, 3: folders; 2: it has none. OPTION= are values that\n"
               "# must stand in the same word.\n_vshader_value()\n{\n\tcase $1:$2 in\n")
    for c in commands:
        for o in c.options:
            if o.value == "-":
                continue
            pattern = "|".join("%s:%s%s" % (c.name, n, "=" if o.optional else "") for n in o.names)
            if o.value == "file":
                out.append("\t%s) return 1 ;;\n" % pattern)
            elif o.value == "folder":
                out.append("\t%s) return 3 ;;\n" % pattern)
            elif o.value == "any":
                out.append("\t%s) ;;\n" % pattern)
            elif o.value == "device":
                out.append("\t%s) _vshader_devices ;;\n" % pattern)
            else:
                out.append("\t%s) echo \"%s\" ;;\n" % (pattern, " ".join(kinds[o.value])))
    out.append("\t*) return 2 ;;\n\tesac\n}\n")
    names = " ".join(c.name for c in commands)
    programs = "|".join("*:" + c.name for c in commands if c.files == "command")
    return "".join(out) + BASH.replace("NAMES", names).replace("PROGRAMS", programs)


BASH = r"""
# Sets args, the words up to the cursor, of which readline breaks some at ":" and "="; at, where each
# begins in COMP_WORDS; kept, what readline keeps of the last one.
_vshader_words()
{
	local i piece glue=''

	for ((i = 0; i <= COMP_CWORD; i++)); do
		piece=${COMP_WORDS[i]}
		if ((i > 1)) && [[ $glue || $piece =~ ^[:=]+$ ]]; then
			args[-1]+=$piece
		else
			args+=("$piece")
			at+=("$i")
		fi
		glue=''
		[[ $i -lt 2 || ! $piece =~ ^[:=]+$ ]] || glue=yes
	done
	kept=${args[-1]}
	[ -n "$glue" ] || kept=${kept%"$piece"}
}

# Sets program to the word that a command runs, after its options.
_vshader_program()
{
	local i

	for ((i = 2; i < ${#args[@]}; i++)); do
		case ${args[i]} in
		--)
			((i + 1 == ${#args[@]})) || program=$((i + 1))
			return
			;;
		-*)
			_vshader_value "$command" "${args[i]}" >/dev/null
			[ $? -eq 2 ] || ((i++))
			;;
		*)
			program=$i
			return
			;;
		esac
	done
}

# Completes that program and its arguments, as bash-completion has them.
_vshader_run()
{
	if declare -F _comp_command_offset >/dev/null; then
		_comp_command_offset "${at[program]}"
	elif declare -F _command_offset >/dev/null; then
		_command_offset "${at[program]}"
	elif ((program + 1 == ${#args[@]})); then
		mapfile -t COMPREPLY < <(compgen -c -- "$cur")
	else
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
	fi
}

_vshader()
{
	local args=() at=() kept='' command cur option='' words='' kind=2 program='' what=-f

	COMPREPLY=()
	_vshader_words
	command=${args[1]} cur=${args[-1]}
	case ${#args[@]}:$command in
	2:*) words="NAMES help --version --help" ;;
	*:help) words="NAMES" ;;
	PROGRAMS) _vshader_program ;;
	esac
	if [ -n "$program" ]; then
		_vshader_run
		return
	fi
	if [ -z "$words" ]; then
		case $cur in
		--*=*)
			option=${cur%%=*}=
			cur=${cur#*=}
			words=$(_vshader_value "$command" "${option%=}")
			kind=$?
			[ $kind -ne 2 ] || words=$(_vshader_value "$command" "$option") || :
			;;
		*)
			words=$(_vshader_value "$command" "${args[-2]}")
			kind=$?
			;;
		esac
		[ $kind -ne 0 ] || [ -n "$words" ] || return 0
		case $kind:$cur in
		2:-*) words="$(_vshader_options "$command") --help" ;;
		3:*) what=-d ;;
		esac
	fi
	if [ -n "$words" ]; then
		mapfile -t COMPREPLY < <(compgen -P "$option" -W "$words" -- "$cur")
		[[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
	else
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -P "$option" "$what" -- "$cur")
	fi
	COMPREPLY=("${COMPREPLY[@]#"$kept"}")
}

complete -F _vshader vshader
"""


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def zsh_option(o, kinds):
    text = o.text.replace("[", "(").replace("]", ")").replace(":", "\\:")
    action = {"-": "", "any": ":value:", "file": ":file:_files", "folder": ":folder:_files -/",
              "device": ":device:_vshader_devices"}.get(o.value)
    if action is None:
        action = ":%s:(%s)" % (o.value, " ".join(kinds[o.value]))
    if o.optional:
        return [quoted("%s=-[%s]:%s" % (o.names[-1], text, action))]
    names = o.names
    repeated = "*" if o.value in ("file", "any") else "(%s)" % " ".join(names)
    if repeated == "*":
        return [quoted("*%s[%s]%s" % (n, text, action)) for n in names]
    return [quoted("%s%s[%s]%s" % (repeated, n, text, action)) for n in names]


def zsh(kinds, commands):
    out = ["#compdef vshader\n", HEAD, "\n_vshader_devices() {\n\tlocal -a nodes\n"
           "\tnodes=(%s /dev/dri/renderD*(N))\n\tcompadd -a nodes\n}\n\n"
           % " ".join(kinds["device"]),
           "_vshader() {\n\tlocal -a commands\n\tcommands=(\n"]
    for c in commands:
        out.append("\t\t%s\n" % quoted("%s:%s" % (c.name, c.text)))
    out.append("\t\t'help:help for all commands or one of them'\n\t)\n"
               "\tif (( CURRENT == 2 )); then\n\t\t_describe command commands\n"
               "\t\t_arguments '--version[version]' '--help[help]'\n\t\treturn\n\tfi\n"
               "\tlocal command=$words[2]\n\tshift words\n\t(( CURRENT-- ))\n\tcase $command in\n")
    rest = {"none": "", "files": "'*:file:_files'", "folders": "'*:file:_files'",
            "command": "'*::command:_normal'"}
    for c in commands:
        out.append("\t%s)\n\t\t_arguments" % c.name)
        for o in c.options:
            for word in zsh_option(o, kinds):
                out.append(" \\\n\t\t\t" + word)
        out.append(" \\\n\t\t\t'(- *)'{-h,--help}'[help]'")
        if rest[c.files]:
            out.append(" \\\n\t\t\t" + rest[c.files])
        out.append("\n\t\t;;\n")
    out.append("\thelp) _describe command commands ;;\n\tesac\n}\n\n_vshader \"$@\"\n")
    return "".join(out)


def fish_words(o):
    words = []
    for name in o.names:
        if name.startswith("--"):
            words.append("-l " + name[2:])
        elif len(name) == 2:
            words.append("-s " + name[1:])
        else:
            words.append("-o " + name[1:])
    return " ".join(words)


def fish(kinds, commands):
    names = " ".join(c.name for c in commands)
    out = [HEAD, "function __vshader_devices\n\tprintf '%s\\n' " + " ".join(kinds["device"])
           + " /dev/dri/renderD*\nend\n\ncomplete -c vshader -e\n"
           "complete -c vshader -n __fish_use_subcommand -f -l version -d version\n"
           "complete -c vshader -n __fish_use_subcommand -f -a help -d 'help for a command'\n"
           "complete -c vshader -n '__fish_seen_subcommand_from help' -f -a '%s'\n" % names]
    for c in commands:
        out.append("complete -c vshader -n __fish_use_subcommand -f -a %s -d %s\n"
                   % (c.name, quoted(c.text)))
    for c in commands:
        when = "-n '__fish_seen_subcommand_from %s'" % c.name
        if c.files == "none":
            out.append("complete -c vshader %s -f\n" % when)
        if c.files == "command":
            out.append("complete -c vshader %s -a '(__fish_complete_subcommand)'\n" % when)
        for o in c.options:
            line = "complete -c vshader %s %s -d %s" % (when, fish_words(o), quoted(o.text))
            if o.value in ("file", "folder"):
                line += " -r"
            elif o.value == "any":
                line += " -x"
            elif o.value == "device":
                line += " -x -a '(__vshader_devices)'"
            elif o.value != "-":
                line += " %s -a '%s'" % ("-f" if o.optional else "-x", " ".join(kinds[o.value]))
            out.append(line + "\n")
        out.append("complete -c vshader %s -s h -l help -d help\n" % when)
    return "".join(out)


def options_of_help(vshader, command):
    text = subprocess.run([vshader, command, "--help"], text=True, check=True,
                          stdout=subprocess.PIPE).stdout
    found = set()
    for line in re.findall(r"^ +(-.*)", text, re.M):
        for word in line.split(" "):
            match = re.match(r"(--?[a-z][\w-]*|-[A-Za-z])(?=[,=\[]|$)", word)
            if not match:
                break
            found.add(match[1])
            if not word.endswith(","):
                break
    return found


def check(path, vshader):
    _, commands = load(path)
    overview = subprocess.run([vshader, "help"], text=True, check=True,
                              stdout=subprocess.PIPE).stdout
    have = set(re.findall(r"^  ([a-z]+) ", overview, re.M)) - {"help"}
    # a build without the kernel's header has no gl
    wrong = (have ^ {c.name for c in commands}) - {"gl"}
    for c in commands:
        if c.name not in have:
            continue
        mine = {n for o in c.options for n in o.names}
        wrong |= {"%s %s" % (c.name, n) for n in mine ^ options_of_help(vshader, c.name)}
    for name in sorted(wrong):
        print("completion.txt and the help do not agree: %s" % name)
    return 1 if wrong else 0


def main(argv):
    makers = {"bash": bash, "zsh": zsh, "fish": fish}
    if len(argv) == 4 and argv[1] == "check":
        return check(argv[2], argv[3])
    if len(argv) != 3 or argv[1] not in makers:
        sys.exit(__doc__)
    sys.stdout.write(makers[argv[1]](*load(argv[2])))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
