#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The CI files of contrib/ci. The steps of GitLab's and GitHub's run to the end, with artifacts and
caches as their runners keep them, in a project with job files; apt-get, make and the VM are
stand-ins, "make check-ci" runs the real ones. LAVA's pattern reads the results.

usage: test_ci.py VSHADER TOP
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

try:
    import yaml

    import ci_steps
except ImportError:
    yaml = None

# Packages of the archive are installed; a file must be there.
APT_GET = """#!/bin/sh
for word in "$@"; do
	case $word in
	./*) [ -e "$word" ] || { echo "E: Unsupported file $word given on commandline"; exit 100; } ;;
	esac
done
"""
MAKE = """#!/bin/sh
[ "$1" != -C ] || { cd "$2" && shift 2; } || exit 2
[ -e Makefile ] || { echo "make: *** No targets specified and no makefile found.  Stop."; exit 2; }
[ "$1" != deb ] || { mkdir -p build/deb && touch build/deb/libdrm-vshader1_1_amd64.deb \
	build/deb/vshader-tools_1_amd64.deb; } || exit 2
[ "$1" != stage ] || mkdir -p "${VSHADER_CACHE:?}/linux"
"""
# The command runs here, with the folders that the guest would have.
VM = """#!/bin/sh
[ "$1" = run ] || exit 2
while [ "$1" != -- ]; do
	case $1 in
	--share) jobs=${2#jobs=} ;;
	--results) results=$2 ;;
	esac
	shift
done
shift
[ -d "$jobs" ] || { echo "vm: no folder $jobs"; exit 2; }
mkdir -p "$results"
for word in "$@"; do
	case $word in
	/results/*) word=$results/${word#/results/} ;;
	/jobs) word=$jobs ;;
	esac
	set -- "$@" "$word"
	shift
done
exec "$@"
"""


class Tap:
    def __init__(self):
        self.number = self.failed = 0
        print("TAP version 13")

    def result(self, ok, name, why=""):
        self.number += 1
        self.failed += not ok
        for line in why.split("\n") if why and not ok else ():
            print("# " + line)
        print("%sok %d %s" % ("" if ok else "not ", self.number, name))


def make_project(project, jobs):
    """Demo jobs that need no files of other folders."""
    os.makedirs(os.path.join(project, "tests/shaders"))
    for name in os.listdir(jobs):
        with open(os.path.join(jobs, name), "rb") as file:
            if b'"../' not in file.read():
                shutil.copy(os.path.join(jobs, name), os.path.join(project, "tests/shaders"))


def write_command(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
    os.chmod(path, 0o755)


def make_repository(folder):
    """A repository in the place of vshader's."""
    write_command(os.path.join(folder, "scripts/vm"), VM)
    write_command(os.path.join(folder, "scripts/deps"), "#!/bin/sh\n")
    write_command(os.path.join(folder, "Makefile"), "all:\n")
    git = ["git", "-C", folder, "-c", "user.name=test", "-c", "user.email=test@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "files"]):
        subprocess.run(git + words, check=True, stdout=subprocess.DEVNULL)


class Options:
    root = None
    once = False

    def __init__(self, work, vshader):
        self.work = os.path.join(work, "work")
        self.project = os.path.join(work, "project")
        self.repository = os.path.join(work, "repository")
        make_repository(self.repository)
        write_command(os.path.join(work, "bin/apt-get"), APT_GET)
        write_command(os.path.join(work, "bin/make"), MAKE)
        os.symlink(vshader, os.path.join(work, "bin/vshader"))
        os.environ["PATH"] = os.path.join(work, "bin") + ":" + os.environ["PATH"]


def suites_of(folder):
    """Names of suites by the kind of run: shards together, and the VM."""
    found = {"vm": [], "local": []}
    for path in glob.glob(os.path.join(folder, "**/report.xml"), recursive=True):
        root = xml.etree.ElementTree.parse(path).getroot()
        kind = "vm" if "vm" in path[len(folder):] else "local"
        found[kind] += [s.get("name") for s in root]
    return found


def check_steps(tap, path, options):
    shutil.rmtree(options.work, ignore_errors=True)
    ci_steps.run_file(path, options, tap.result)
    wanted = sorted(f for f in os.listdir(os.path.join(options.project, "tests/shaders"))
                    if f.endswith(".json"))
    for kind, names in suites_of(os.path.join(options.work, "reports")).items():
        tap.result(wanted and sorted(map(os.path.basename, names)) == wanted,
                   "%s: the reports of %s have all files" % (os.path.basename(path), kind),
                   "%s\n%s" % (sorted(names), wanted))


LAVA_LINES = (
    ("ok 1 a.json: job\n", "pass", "a.json: job"),
    ("ok 12 selftests: vshader: test_uapi\r\n", "pass", "selftests: vshader: test_uapi"),
    ("not ok 3 a.json: job: status EIO # text\n", "fail", "a.json: job: status EIO"),
    ("not ok 3 a.json: job\n", "fail", "a.json: job"),
    ("ok 1 selftests: x # SKIP\n", "skip", "selftests: x"),
    ("ok 1 selftests: x # SKIP there is no vgem\n", "skip", "selftests: x"),
    ("ok 4 # SKIP no device\n", "skip", "no device"),
    ("not ok 5 known # TODO later\n", "skip", "known"),
    ("not ok 2 name.json: x \\# SKIP: status 0\n", "fail", "name.json: x \\# SKIP: status 0"),
    ("ok 2 name.json: \\\\ y\n", "pass", "name.json: \\\\ y"),
    ("1..4\n", None, None),
    ("1..0 # SKIP nothing\n", None, None),
    ("# ok 1 nested\n", None, None),
    ("    ok 1 nested\n", None, None),
    ("okay 1 x\n", None, None),
    ("ok 6 incomplete", None, None),
)


def stream(pattern, text):
    """Matches in a text that arrives byte by byte, each removed with all before it."""
    seen = ""
    for letter in text:
        seen += letter
        match = pattern.search(seen)
        if match:
            yield match
            seen = seen[match.end():]


def check_lava(tap, definition, project, vshader):
    parse = definition["parse"]
    pattern, words = re.compile(parse["pattern"], re.M), parse["fixupdict"]
    for line, result, name in LAVA_LINES:
        found = [(words[m["result"]], m["test_case_id"]) for m in stream(pattern, line)]
        tap.result(found == ([(result, name)] if result else []),
                   "lava.yaml: %s" % repr(line).replace("#", ""), str(found))
    text = "".join(line for line, _, _ in LAVA_LINES)
    found = [words[m["result"]] for m in stream(pattern, text)]
    tap.result(found == [r for _, r, _ in LAVA_LINES if r], "lava.yaml: all lines together",
               str(found))
    done = subprocess.run([vshader, "test", "-d", "local", "tests"], cwd=project, text=True,
                          check=False, stdout=subprocess.PIPE)
    found = [words[m["result"]] for m in pattern.finditer(done.stdout)]
    plan = int(re.search(r"^1\.\.(\d+)$", done.stdout, re.M)[1])
    tap.result(plan and found == ["pass"] * plan, "lava.yaml: the pattern reads TAP", done.stdout)


def main(vshader, top):
    vshader = os.path.abspath(vshader)
    folder = os.path.join(top, "contrib/ci")
    tap = Tap()
    if not yaml or not shutil.which("git"):
        print("1..0 # SKIP without python3-yaml or git")
        return 0
    with tempfile.TemporaryDirectory() as work:
        options = Options(work, vshader)
        make_project(options.project, os.path.join(top, "selftests/jobs/demo"))
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            if name != "lava.yaml":
                check_steps(tap, path, options)
                continue
            with open(path, encoding="utf-8") as file:
                check_lava(tap, yaml.safe_load(file), options.project, vshader)
    print("1..%d" % tap.number)
    return 1 if tap.failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
