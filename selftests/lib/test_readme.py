#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The commands that README.md and Documentation show, with the output that they show.

usage: test_readme.py VSHADER TOP

Pictures that a page shows are those that its commands write. A command is an indented line that begins with "$ ". Its output follows: "..." stands for any
lines or the rest of one, times may differ. "$ cat FILE" shows a file, which is written.
"""

import glob
import os
import re
import subprocess
import sys
import tempfile

import png

TIME = re.compile(r"\d+\.\d+ ms")
CAPTURES = "selftests/bifrost/data/capture/bifrost-g52"


def blocks(path):
    """(number of the line, command, lines of output) for each command."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    at = 0
    while at < len(lines):
        found = re.match(r"^( {3,})\$ (.*)", lines[at])
        at += 1
        if not found:
            continue
        number, indent, command, output = at, found[1], found[2], []
        while command.endswith("\\"):
            command = command[:-1] + lines[at].strip()
            at += 1
        while at < len(lines) and (not lines[at] or lines[at].startswith(indent)) and \
                not lines[at].startswith(indent + "$ "):
            if lines[at]:
                output.append(lines[at][len(indent):])
            at += 1
        yield number, command, output


def plain(line):
    return " ".join(TIME.sub("N ms", line).split())


def first_missing(wanted, output):
    """The first line that does not come, in order, or None."""
    have = iter(plain(line) for line in output.split("\n"))
    for line in wanted:
        start, cut, _ = plain(line).partition("...")
        if not any(h.startswith(start) if cut else h == start for h in have):
            return line
    return None


def prepare(folder, vshader, top):
    for name in ("selftests", "scripts"):
        os.symlink(os.path.join(top, name), os.path.join(folder, name))
    os.makedirs(os.path.join(folder, "build/userspace"))
    os.symlink(os.path.dirname(vshader), os.path.join(folder, "build/userspace/bin"))
    for path in glob.glob(os.path.join(top, CAPTURES, "c_int.*")) + \
            glob.glob(os.path.join(top, "selftests/bifrost/data/*/c_int.txt")):
        os.symlink(path, os.path.join(folder, os.path.basename(path)))


def run(folder, command, vshader):
    env = dict(os.environ, PATH=os.path.dirname(vshader) + ":" + os.environ["PATH"])
    return subprocess.run(["sh", "-c", command], cwd=folder, env=env, text=True, check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)


def problem(folder, command, output, vshader):
    if command.startswith("cat "):
        with open(os.path.join(folder, command[4:]), "w", encoding="utf-8") as file:
            file.write("\n".join(output) + "\n")
        return None
    done = run(folder, command, vshader)
    # a debugger's change may make a result differ
    if done.returncode > any(line.strip().startswith("differs:") for line in output):
        return "status %d: %s" % (done.returncode, done.stdout[-600:])
    line = first_missing(output, done.stdout)
    return None if line is None else "no line \"%s\" in: %s" % (line.strip(), done.stdout[:3000])


def pictures(path, folder, top):
    """(name, problem or None) for each picture of a page."""
    with open(path, encoding="utf-8") as file:
        names = re.findall(r"(Documentation/pictures/[\w.-]+\.png)", file.read())
    for name in names:
        written = os.path.join(folder, os.path.basename(name))
        if not os.path.exists(written):
            yield name, "no command writes it"
        elif png.read(written) != png.read(os.path.join(top, name)):
            yield name, "the command writes another one"
        else:
            yield name, None


def main(vshader, top):
    vshader, top = os.path.abspath(vshader), os.path.abspath(top)
    number = failed = 0
    print("TAP version 13")
    pages = glob.glob("Documentation/*.rst", root_dir=top) + \
        glob.glob("Documentation/isa/*.rst", root_dir=top)
    for path in ["README.md"] + sorted(pages):
        with tempfile.TemporaryDirectory() as folder:
            prepare(folder, vshader, top)
            for line, command, output in blocks(os.path.join(top, path)):
                wrong = problem(folder, command, output, vshader)
                number += 1
                failed += bool(wrong)
                for text in (wrong or "").split("\n") if wrong else ():
                    print("# " + text)
                print("%sok %d %s:%d %s" % ("not " if wrong else "", number, path, line,
                                           command.split(" -")[0]))
            for name, wrong in pictures(os.path.join(top, path), folder, top):
                number += 1
                failed += bool(wrong)
                if wrong:
                    print("# " + wrong)
                print("%sok %d %s: %s" % ("not " if wrong else "", number, path, name))
    print("1..%d" % number)
    return 1 if failed or not number else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
