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
    out.append("\tesac\n}\n\n# The words of an option's value; 1: files.\n_vshader_value()\n{\n"
               "\tcase $1:$2 in\n")
    for c in commands:
        for o in c.options:
            if o.value == "-" or o.optional:
                continue
            pattern = "|".join("%s:%s" % (c.name, n) for n in o.names)
            if o.value in ("file", "folder"):
                out.append("\t%s) return 1 ;;\n" % pattern)
            elif o.value == "any":
                out.append("\t%s) ;;\n" % pattern)
            elif o.value == "device":
                out.append("\t%s) _vshader_devices ;;\n" % pattern)
            else:
                out.append("\t%s) echo \"%s\" ;;\n" % (pattern, " ".join(kinds[o.value])))
    names = " ".join(c.name for c in commands)
    out.append("""\t*) return 2 ;;
\tesac
}

_vshader()
{
\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
\tlocal command=${COMP_WORDS[1]} words='' kind=2

\tCOMPREPLY=()
\tif [ "$COMP_CWORD" -eq 1 ]; then
\t\twords="%s help --version --help"
\telif [ "$command" = help ]; then
\t\twords="%s"
\telse
\t\twords=$(_vshader_value "$command" "$prev")
\t\tkind=$?
\t\t[ $kind -eq 0 ] && [ -z "$words" ] && return
\t\tif [ $kind -eq 2 ]; then
\t\t\tcase $cur in
\t\t\t-*) words="$(_vshader_options "$command") --help" ;;
\t\t\tesac
\t\tfi
\tfi
\tif [ -n "$words" ]; then
\t\tmapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
\telse
\t\tcompopt -o filenames 2>/dev/null
\t\tmapfile -t COMPREPLY < <(compgen -f -- "$cur")
\tfi
}

complete -F _vshader vshader
""" % (names, names))
    return "".join(out)


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
