#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The commands that README.md and Documentation show, with the output that they show.

usage: test_readme.py [--mesa] VSHADER TOP

--mesa: the pages whose commands need Debian's Mesa, which they download, instead of the others.
They run in a folder with the files of a clone and nothing else, once for each page, from its
beginning. A command is an indented line that begins with "$ "; a backslash and <<'END' continue
it. Its output follows: "..." stands for any lines or the rest of one, times may differ.
Pictures that a page shows are those that its commands write, but for screenshots of applications,
which depend on the time.
"""

import glob
import os
import re
import subprocess
import sys
import tempfile

import png

MESA_PAGES = tuple("Documentation/%s.rst" % name for name in ("vulkan", "opencl", "desktop"))
# the command that makes it, which "make check-mesa" runs
SCREENSHOTS = {"Documentation/pictures/desktop.png": "scripts/mesa app glmark2"}
TIME = re.compile(r"\d+\.\d+ ms")
END = "<<'END'"


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
        if command.endswith(END):
            last = lines.index(indent + "END", at)
            command = "\n".join([command] + [line[len(indent):] for line in lines[at:last + 1]])
            at = last + 1
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
    """A clone after "make", without a copy of its files."""
    for name in os.listdir(top):
        if name not in ("build", "vshader", ".git"):
            os.symlink(os.path.join(top, name), os.path.join(folder, name))
    os.makedirs(os.path.join(folder, "build/userspace"))
    os.symlink(os.path.dirname(vshader), os.path.join(folder, "build/userspace/bin"))
    os.symlink("build/userspace/bin/vshader", os.path.join(folder, "vshader"))


TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def run(folder, command):
    env = dict(os.environ, PATH=folder + ":" + os.environ["PATH"])
    # what is built is not of this folder
    env.setdefault("VSHADER_BUILD", os.path.join(TOP, "build"))
    return subprocess.run(["sh", "-c", command], cwd=folder, env=env, text=True, check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)


def problem(folder, command, output):
    done = run(folder, command)
    # a debugger's change may make a result differ
    if done.returncode > any(line.strip().startswith("differs:") for line in output):
        return "status %d: %s" % (done.returncode, done.stdout[-600:])
    line = first_missing(output, done.stdout)
    return None if line is None else "no line \"%s\" in: %s" % (line.strip(), done.stdout[:3000])


def pictures(path, folder, top):
    """(name, problem or None) for each picture of a page."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for name in re.findall(r"(Documentation/pictures/[\w.-]+\.png)", text):
        if name in SCREENSHOTS:
            desktop = subprocess.run([os.path.join(top, "selftests/apps/picture.py"), "drawn", "300",
                                      "32,48,64", os.path.join(top, name)], text=True,
                                     stdout=subprocess.PIPE, check=False)
            yield name, None if not desktop.returncode and SCREENSHOTS[name] in text else \
                "no screenshot, or its command is missing: " + desktop.stdout
            continue
        written = os.path.join(folder, os.path.basename(name))
        if not os.path.exists(written):
            yield name, "no command writes it"
        elif png.read(written) != png.read(os.path.join(top, name)):
            yield name, "the command writes another one"
        else:
            yield name, None


def main(vshader, top, mesa):
    vshader, top = os.path.abspath(vshader), os.path.abspath(top)
    number = failed = 0
    print("TAP version 13")
    pages = glob.glob("Documentation/*.rst", root_dir=top) + \
        glob.glob("Documentation/isa/*.rst", root_dir=top)
    pages = MESA_PAGES if mesa else ["README.md"] + sorted(set(pages) - set(MESA_PAGES))
    for path in pages:
        with tempfile.TemporaryDirectory() as folder:
            prepare(folder, vshader, top)
            for line, command, output in blocks(os.path.join(top, path)):
                wrong = problem(folder, command, output)
                number += 1
                failed += bool(wrong)
                for text in (wrong or "").split("\n") if wrong else ():
                    print("# " + text)
                print("%sok %d %s:%d %s" % ("not " if wrong else "", number, path, line,
                                           command.split("\n")[0].split(" -")[0]))
            for name, wrong in pictures(os.path.join(top, path), folder, top):
                number += 1
                failed += bool(wrong)
                if wrong:
                    print("# " + wrong)
                print("%sok %d %s: %s" % ("not " if wrong else "", number, path, name))
    print("1..%d" % number)
    return 1 if failed or not number else 0


if __name__ == "__main__":
    args = sys.argv[1:]
    if len([a for a in args if a != "--mesa"]) != 2:
        sys.exit(__doc__)
    sys.exit(main(args[-2], args[-1], args[0] == "--mesa"))
