#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The CI files of contrib/ci: they are YAML, their commands for the local backend work in a
project with job files, LAVA's pattern reads the results.

usage: test_ci.py VSHADER TOP
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

try:
    import yaml
except ImportError:
    yaml = None

SHARDS = 4


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

    def skip(self, name, why):
        self.number += 1
        print("ok %d %s # SKIP %s" % (self.number, name, why))


def make_project(project, jobs):
    """Demo jobs that need no files of other folders."""
    os.mkdir(os.path.join(project, "tests"))
    for name in os.listdir(jobs):
        with open(os.path.join(jobs, name), "rb") as file:
            if b'"../' not in file.read():
                shutil.copy(os.path.join(jobs, name), os.path.join(project, "tests"))


def commands(text):
    """Lines of scripts that run here: those of the local backend."""
    return re.findall(r"^ *- (?:run: )?(vshader test .*)$", text, re.M)


def run_shards(tap, name, command, project, vshader):
    """Each shard passes and writes a report; together they have all files."""
    suites = []
    for shard in range(1, SHARDS + 1):
        line = command.replace("${{ matrix.shard }}", str(shard))
        env = dict(os.environ, JOBS="tests", CI_NODE_INDEX=str(shard), CI_NODE_TOTAL=str(SHARDS),
                   PATH=os.path.dirname(vshader) + ":" + os.environ["PATH"])
        done = subprocess.run(["sh", "-c", line], cwd=project, env=env, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        tap.result(done.returncode == 0, "%s: shard %d" % (name, shard), done.stdout[-2000:])
        report = os.path.join(project, "report.xml")
        if os.path.exists(report):
            suites += [s.get("name") for s in xml.etree.ElementTree.parse(report).getroot()]
            os.unlink(report)
    wanted = ["tests/" + f for f in os.listdir(os.path.join(project, "tests"))
              if f.endswith(".json")]
    tap.result(wanted and sorted(suites) == sorted(wanted), name + ": reports of all files",
               "%s\n%s" % (sorted(suites), sorted(wanted)))


def check_lava(tap, definition, project, vshader):
    parse = definition["parse"]
    pattern, words = re.compile(parse["pattern"]), parse["fixupdict"]
    done = subprocess.run([vshader, "test", "-d", "local", "tests"], cwd=project, text=True,
                          check=False, stdout=subprocess.PIPE)
    # it reads lines
    found = [words[m["result"]] for m in map(pattern.search, done.stdout.split("\n")) if m]
    plan = int(re.search(r"^1\.\.(\d+)$", done.stdout, re.M)[1])
    tap.result(plan and found == ["pass"] * plan, "lava.yaml: the pattern reads TAP", done.stdout)
    bad = pattern.search("not ok 3 a.json: job: status EIO # text")
    tap.result(bad and words[bad["result"]] == "fail" and
               bad["test_case_id"] == "a.json: job: status EIO", "lava.yaml: a failure")


def main(vshader, top):
    vshader = os.path.abspath(vshader)
    folder = os.path.join(top, "contrib/ci")
    tap = Tap()
    with tempfile.TemporaryDirectory() as project:
        make_project(project, os.path.join(top, "selftests/jobs/demo"))
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                text = file.read()
            if not yaml:
                tap.skip(name + " is YAML", "python3-yaml is not installed")
            else:
                definition = yaml.safe_load(text)
                tap.result(isinstance(definition, dict), name + " is YAML")
                if name == "lava.yaml":
                    check_lava(tap, definition, project, vshader)
            for command in commands(text):
                run_shards(tap, name, command, project, vshader)
            if name != "lava.yaml":
                tap.result(len(commands(text)) == 1, name + " tests on the local backend")
    print("1..%d" % tap.number)
    return 1 if tap.failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
