#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""scripts/check and scripts/soak with made-up steps: what is run, counted, stopped and gone on with.

usage: test_check.py TOP

A copy of these scripts has programs beside it that do nothing but print a result, and say in a file
that they were called. TAP on stdout.
"""

import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile

TOP = os.path.abspath(sys.argv[1])
REAL = ("check", "lib.sh", "contain", "soak")
FAKE = ("arm64", "bench-plot", "build-module", "cache", "check-drivers", "ci-files", "deb", "deps", "deqp",
        "disk-image", "fuzz-kernel", "kernel", "klog-check", "kselftest", "lint", "mesa", "piglit",
        "qemu-user", "references", "source-kernel", "uml", "vm")
PROGRAMS = ("make", "npm", "qemu-x86_64-static", "id")
PYTHON = ("selftests/gles/compare.py", "selftests/lib/test_readme.py", "selftests/apps/picture.py",
          "selftests/lib/png.py")
# FAIL: a regular expression of calls that fail; STOP: of the one that does not end
CALLED = """#!/bin/sh
call="${0##*/} $*"
echo "$call" >>"$CALLS"
[ "${0##*/}" != id ] || { echo "${FAKE_ID:-1000}"; exit; }
[ "${0##*/}" != check-drivers ] || echo "its corpus: ${CORPUS:-}" >>"$CALLS"
if [ -n "${STOP:-}" ] && echo "$call" | grep -Eq -- "$STOP"; then
	exec 3>"$PIPE"
	echo here >&3
	sleep 1000
fi
if [ -n "${FAIL:-}" ] && echo "$call" | grep -Eq -- "$FAIL"; then
	printf 'TAP version 13\\n1..1\\nnot ok 1 made up\\n'
	exit 1
fi
[ "${0##*/}" != qemu-user ] || { echo qemu-x86_64-static; exit; }
printf 'TAP version 13\\n1..2\\nok 1 made up\\nok 2 made up # SKIP why\\n'
"""
# hundreds of steps, without Python
TAP_SUM = """#!/bin/sh
what=$1
case $what in
--self-test) echo 1..1; echo ok 1; exit ;;
total) exec %s "$@" ;;
one) name=$2; shift 3; "$0" run --dir build/check-$name --step $name -- "$@"; shift $#
	exec "$0" total --dir build/check-$name $name ;;
esac
shift
plain=
while [ "$1" != -- ]; do
	case $1 in
	--dir) dir=$2 ;;
	--step) step=$2 ;;
	--plain) plain=yes ;;
	esac
	shift
done
shift
mkdir -p "$dir"
rm -f "$dir/$step.json"
setsid -w "$@" >"$dir/$step.log" 2>&1
status=$?
passed=1 failures= skips=
if [ "$plain" ]; then
	[ $status -eq 0 ] || passed=0 failures='["'$step'", ["status '$status'"]]'
else
	passed=$(grep -c '^ok [^#]*$' "$dir/$step.log")
	! grep -q '^not ok' "$dir/$step.log" || failures='["made up", []]'
	[ $passed -gt 0 ] || [ "$failures" ] || failures='["'$step'", ["no test was run"]]'
	! grep -q '# SKIP' "$dir/$step.log" || skips='["made up", "why"]'
fi
echo '{"passed": '$passed', "failures": ['$failures'], "skips": ['$skips']}' >"$dir/$step.json"
echo "  $step: $passed passed"
[ -z "$failures" ]
"""
LIMIT = 300
number = 0
failed = 0


def result(good, text, note=""):
    global number, failed
    number += 1
    failed += not good
    if not good:
        for line in str(note).split("\n")[-40:]:
            print("# " + line)
    print("%sok %d %s" % ("" if good else "not ", number, text), flush=True)


def write(path, text, mode=0o755):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)


class Tree:
    def __init__(self, folder):
        self.top = os.path.join(folder, "tree")
        self.calls = os.path.join(folder, "calls")
        self.pipe = os.path.join(folder, "pipe")
        os.mkfifo(self.pipe)
        for name in REAL:
            os.makedirs(os.path.join(self.top, "scripts"), exist_ok=True)
            shutil.copy(os.path.join(TOP, "scripts", name), os.path.join(self.top, "scripts"))
        write(os.path.join(self.top, "scripts/tap-sum"), TAP_SUM % os.path.join(TOP, "scripts/tap-sum"))
        for name in FAKE:
            write(os.path.join(self.top, "scripts", name), CALLED)
        for name in PROGRAMS:
            write(os.path.join(folder, "bin", name), CALLED)
        for name in PYTHON:
            write(os.path.join(self.top, name),
                  "#!/usr/bin/env python3\nprint('TAP version 13\\n1..1\\nok 1 made up')\n")
        write(os.path.join(self.top, "build/userspace/bin/vshader"), CALLED)
        write(os.path.join(self.top, "build/userspace-sse2/bin/vshader"), CALLED)
        write(os.path.join(self.top, ".gitignore"), "/build/\n", 0o644)
        # pictures that are compared
        os.makedirs(os.path.join(self.top, "build/mesa/native-g52"))
        for chip in ("t860", "g52", "mali400", "vc4"):
            for where in ("guest", "local"):
                os.makedirs(os.path.join(self.top, "build/mesa/%s-%s" % (where, chip)))
        for where in ("native", "local", "guest"):
            write(os.path.join(self.top, "build/mesa/%s-g52/a.pam" % where), "", 0o644)
        self.env = {name: value for name, value in os.environ.items()
                    if not name.startswith("VSHADER_") and name not in
                    ("RESULTS", "AS_BUILT", "GATE", "FULL", "LONG", "SEED", "SUITE", "FILTER", "CORPUS",
                     "MAKEFLAGS", "KSFT_TIMEOUT_SCALE")}
        self.env.update(PATH=os.path.join(folder, "bin") + ":" + self.env["PATH"], CALLS=self.calls,
                        PIPE=self.pipe, SEED="1", VSHADER_CACHE=os.path.join(folder, "cache"),
                        GIT_CONFIG_GLOBAL="/dev/null", GIT_AUTHOR_NAME="a", GIT_AUTHOR_EMAIL="a@b",
                        GIT_COMMITTER_NAME="a", GIT_COMMITTER_EMAIL="a@b")
        self.commit("first")

    def commit(self, text):
        write(os.path.join(self.top, "file"), text, 0o644)
        for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", text]):
            subprocess.run(["git", *command], cwd=self.top, env=self.env, check=True)

    def run(self, *command, **variables):
        """Status, output, calls."""
        write(self.calls, "", 0o644)
        done = subprocess.run([os.path.join(self.top, "scripts", command[0]), *command[1:]], cwd=self.top,
                              env=dict(self.env, **variables), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        return done.returncode, done.stdout, self.called()

    def called(self):
        with open(self.calls, encoding="utf-8") as file:
            return file.read().splitlines()

    def stopped(self, number_of, *command, **variables):
        """The output of a run that is ended by a signal when it has come to a step; all of it has ended."""
        end = os.open(self.pipe, os.O_RDONLY | os.O_NONBLOCK)
        write(self.calls, "", 0o644)
        process = subprocess.Popen([os.path.join(self.top, "scripts", command[0]), *command[1:]], cwd=self.top,
                                   env=dict(self.env, **variables), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        good = bool(select.select([end], [], [], LIMIT)[0])
        process.send_signal(number_of)
        while good:
            good = bool(select.select([end], [], [], LIMIT)[0])
            if good and not os.read(end, 100):
                break
        output = process.communicate()[0]
        os.close(end)
        return good, output


def last(output):
    return output.strip().split("\n")[-1]


def rows(output):
    """The table of a run: part, closing line."""
    return dict(re.findall(r"^(\S+) +\d+ s  (\d+ passed.*)$", output, re.MULTILINE))


def from_before(output):
    return re.findall(r"^== (\S+): .*, from an earlier run$", output, re.MULTILINE)


def everything(tree):
    status, output, _ = tree.run("check", "all", GATE="1")
    parts = list(rows(output))
    result(status == 0 and last(output).endswith(" 0 failed, %d skipped" % sum(
        int(line.split(", ")[2].split()[0]) for line in rows(output).values() if "skipped" in line)),
           "all parts: closing line", output)
    want = ["check", "debug", "lint", "mesa", "references", "drivers", "matrix", "smp", "arm64", "kselftest",
            "clang", "tcg", "dap"]
    result(parts == want, "a row for each", parts)
    result("mesa-sid: 1 passed" in output, "they are not those of the gate", output)
    closing = last(output)
    status, output, calls = tree.run("check", "all", "--resume")
    result(status == 0 and last(output) == closing and from_before(output) == parts,
           "gone on with at the end: nothing is run, the same closing line", output)
    result({call.split()[0] for call in calls} <= {"id", "deps", "cache"}, "no step is called", calls)
    return parts, closing


def in_the_middle(tree, parts, closing):
    tree.commit("second")
    good, output = tree.stopped(signal.SIGTERM, "check", "all", STOP="^build-module 6.12", FAIL="^lint $")
    result(good and not from_before(output), "another commit, stopped in the middle: no process is left", output)
    status, output, calls = tree.run("check", "all", "--resume", FAIL="^vm run .*6.1-arm64 ")
    before = [part for part in parts[:parts.index("matrix")] if part != "lint"]
    result(from_before(output) == before and any(call.startswith("build-module 6.12") for call in calls),
           "what has failed, the part that was stopped and the others are run", output)
    result(status == 1 and "\narm64: FAILED: arm64-kselftests: made up" in output and ", 1 failed" in last(output),
           "a failed test is named, with its part", output)
    status, output, calls = tree.run("check", "all", "--resume")
    result(status == 0 and from_before(output) == [part for part in parts if part != "arm64"] and
           last(output) == closing, "in the end, the same closing line", output)
    more = ["deb", "ci", "image"]
    status, output, _ = tree.run("check", "all", "--resume", FAIL="^make .*deb", FAKE_ID="0")
    result(list(rows(output)) == parts + more, "root has three more parts", output)
    result(status == 1 and rows(output).get("deb") == "0 passed, 1 failed" and
           "deb: FAILED: ended with status 1" in output, "a part without a closing line", output)
    write(os.path.join(tree.top, "file"), "changed", 0o644)
    real = os.path.join(tree.top, "scripts/check-drivers")
    write(real, "#!/bin/sh\nkill -9 $PPID\n")
    status, output, _ = tree.run("check", "all", "--resume")
    result(not from_before(output), "a change that is not committed: all are run", output)
    result(status == 1 and rows(output).get("drivers") == "0 passed, 1 failed", "a part that was killed", output)
    write(real, CALLED)


def in_the_gate(tree):
    """What one guest leaves out there, the other one runs; outside of it, both run everything."""
    left_out = {}
    for gate in ("", "1"):
        for mode, guest in (("normal", "vm"), ("debug", "uml")):
            status, output, calls = tree.run("check", mode, GATE=gate)
            runs = [call for call in calls if call.startswith(guest + " run ") and "run_kselftest.sh" in call]
            left_out[guest, gate] = re.findall(r" -x (\S+)", runs[0]) if runs else []
            result(status == 0 and len(runs) == 1, "kernel tests in %s%s" % (guest, gate and ", in the gate"),
                   output)
    result(not left_out["vm", ""] and not left_out["uml", ""], "all of them in both", left_out)
    both = left_out["vm", "1"] + left_out["uml", "1"]
    result(left_out["vm", "1"] and left_out["uml", "1"] and len(set(both)) == len(both),
           "in the gate, each test in one of them at least", left_out)
    names = os.listdir(os.path.join(TOP, "selftests/drm"))
    unknown = [name for name in both if name not in names and name + ".c" not in names]
    result(not unknown, "these are names of tests", unknown)
    for mode in ("normal", "debug"):
        calls = tree.run("check", mode, GATE="1")[2]
        names = [name for call in calls for name in re.findall(r"WITHOUT=(.*)", call + " ")]
        names = " ".join(names).split()
        result(names and all(os.path.exists(os.path.join(TOP, "selftests", name)) for name in names),
               "and of userspace tests, of %s" % mode, calls)
    corpus = os.path.join(os.path.dirname(tree.top), "shared/corpus")
    os.makedirs(corpus)
    for gate in ("", "1"):
        calls = tree.run("check", "suite", GATE=gate)[2]
        result(any("CORPUS=" + corpus in call for call in calls) == bool(gate),
               "the corpus beside it in the gate%s" % ("" if gate else " only"), calls)
        calls = tree.run("check", "debug", GATE=gate)[2]
        found = [os.path.realpath(call.partition(": ")[2]) for call in calls if call.startswith("its corpus: /")]
        result(found == [corpus] if gate else not found,
               "also for Linux' drivers%s" % ("" if gate else ", only there"), calls)
    os.rmdir(corpus)


def dependencies(tree):
    """Each mode installs what its steps need before the first of them."""
    modes = re.search(r"\[(normal\|.*)\|all ", tree.run("check", "none")[1])[1].split("|")
    # has what is needed, or installs it
    modes.remove("suite")
    late, without = [], []
    for mode in modes:
        calls = [call for call in tree.run("check", mode)[2] if not call.startswith("id ")]
        if not calls[0].startswith("deps --install "):
            late.append("%s: %s" % (mode, calls[0]))
        if any(re.match("vm run|deb test", call) for call in calls) and " vm" not in calls[0] and \
                " qemu" not in calls[0]:
            without.append("%s: %s" % (mode, calls[0]))
    result(len(modes) > 10 and not late, "each mode installs what it needs before anything else", late)
    result(not without, "with what a virtual machine needs where there is one", without)


def without_python(tree):
    """On a bare Debian the dependencies come first."""
    few = os.path.join(os.path.dirname(tree.calls), "few")
    os.mkdir(few)
    for folder in ("/bin", "/usr/bin"):
        for name in os.listdir(folder):
            if not name.startswith("python") and not os.path.lexists(os.path.join(few, name)):
                os.symlink(os.path.join(folder, name), os.path.join(few, name))
    real = os.path.join(tree.top, "scripts/deps")
    write(real, "#!/bin/sh\necho deps $* >>$CALLS\nln -sf %s %s/python3\n" % (sys.executable, few))
    path = os.path.join(os.path.dirname(tree.calls), "bin") + ":" + few
    status, output, calls = tree.run("check", "suite", PATH=path)
    result(status == 0 and calls[:1] == ["deps --install build"] and "passed, 0 failed" in last(output),
           "a machine without Python", "\n".join([output, *calls]))
    write(real, CALLED)


def two_at_once(tree):
    """The second run of a mode does not remove what the first has."""
    end = os.open(tree.pipe, os.O_RDONLY | os.O_NONBLOCK)
    write(tree.calls, "", 0o644)
    command = [os.path.join(tree.top, "scripts/check"), "suite"]
    first = subprocess.Popen(command, cwd=tree.top, env=dict(tree.env, STOP="^make .*userspace-check"),
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             text=True)
    good = bool(select.select([end], [], [], LIMIT)[0])
    status, output, _ = tree.run("check", "suite", FAIL="userspace-check")
    result(good and status == 1 and "FAILED: suite: made up" in output, "two runs of a mode: the second", output)
    # the first goes on, as its step does
    subprocess.run(["sh", "-c", "kill $(pgrep -P %d -f tap-sum) 2>/dev/null; :" % first.pid], check=False)
    first.terminate()
    output = first.communicate()[0]
    os.close(end)
    result(os.path.exists(os.path.join(tree.top, "build/check-suite/suite.log")),
           "the results of the first are there", output)
    status, output, _ = tree.run("check", "suite")
    result(status == 0 and "another" not in output, "and then the folder is free", output)
    left = [name for name in os.listdir(os.path.join(tree.top, "build")) if name.startswith("check-suite.")]
    result(not left, "folders of runs that have ended are removed", left)


SOAKED = """#!/usr/bin/env python3
import ast, json, os, sys, time
mode = sys.argv[1] if len(sys.argv) > 1 else "check"
number = int(os.path.basename(os.path.dirname(os.environ["RESULTS"])))
# a round does not end before its company has begun
end = time.monotonic() + %d
while open(os.environ["CALLS"]).read().count("stress-ng") < number - int(os.environ["ALONE"]) and \\
        time.monotonic() < end:
    time.sleep(0.05)
plan = ast.literal_eval(os.environ["PLAN"])
steps = plan.get((number, mode), plan.get(mode))
print("as built" if os.environ.get("AS_BUILT") else "builds", os.environ.get("SEED"))
if steps is None:
    sys.exit(2)
os.makedirs(os.environ["RESULTS"])
passed = failed = 0
if not os.environ.get("AS_BUILT"):
    steps = [("build-module", "p"), *steps]
for step, results in steps:
    data = {"passed": results.count("p"), "failures": [], "skips": []}
    for i, kind in enumerate(results):
        if kind == "f":
            data["failures"].append(["test %%d" %% i, ["why"]])
        if kind == "s":
            data["skips"].append(["test %%d" %% i, "why"])
    passed += data["passed"]
    failed += len(data["failures"])
    with open(os.path.join(os.environ["RESULTS"], step + ".json"), "w") as file:
        json.dump(data, file)
print("%%d passed, %%d failed" %% (passed, failed))
sys.exit(failed != 0)
""" % LIMIT


def soak_lines(tree, rounds, plan, *options, before=0, **variables):
    """A soak whose scripts/check does what plan says: (round, mode) -> [(step, results)], or None for
    an end without a closing line. @before: rounds that there are."""
    write(os.path.join(tree.top, "scripts/check"), SOAKED)
    return tree.run("soak", str(rounds), *options, PLAN=repr(plan), ALONE=str(max(rounds // 2, before)), **variables)


def soak(tree):
    write(os.path.join(os.path.dirname(tree.calls), "bin/stress-ng"), CALLED.replace(
        "printf", "sleep 1000; printf"))
    same = {"check": [("vm", "ppp"), ("userspace", "pps")], "debug": [("uml", "pp")]}
    status, output, calls = soak_lines(tree, 4, same, FAIL="deps --install soak")
    result(status == 1 and "no stress-ng" in output and "round" not in output, "it wants what makes load", output)
    status, output, calls = soak_lines(tree, 4, same)
    result(status == 0 and last(output) == "4 rounds, 0 differences", "the same in all rounds", output)
    result(len([call for call in calls if call.startswith("stress-ng")]) == 2 and
           len(re.findall("beside stress-ng", output)) == 4, "the second half has company", output)
    status, output, calls = soak_lines(tree, 6, same, "--resume", before=4)
    result(status == 0 and last(output) == "6 rounds, 0 differences" and
           re.findall(r"^round (\d)", output, re.M) == ["5", "5", "6", "6"], "--resume: the rounds that are missing",
           output)
    os.remove(os.path.join(tree.top, "build/soak/6/complete"))
    status, output, calls = soak_lines(tree, 6, same | {(6, "debug"): [("uml", "pf")]}, "--resume", before=5)
    result(status == 1 and re.findall(r"^round (\d)", output, re.M) == ["6", "6"] and
           "differs: uml: test 1: failed in round 6" in output, "one that was not complete runs again", output)
    status, output, calls = soak_lines(tree, 6, same, "--resume", SEED="2")
    result(status == 1 and "another tree, seed or mode" in output, "not with those of another seed", output)
    tree.commit("third")
    status, output, calls = soak_lines(tree, 6, same, "--resume")
    result(status == 1 and "another tree, seed or mode" in output, "nor of another commit", output)
    status, output, calls = soak_lines(tree, 4, same)
    result(status == 0 and last(output) == "4 rounds, 0 differences", "without it all rounds are new", output)
    heads = [open(os.path.join(tree.top, "build/soak/%d/check.log" % i), encoding="utf-8").readline()
             for i in (1, 2)]
    result(heads == ["builds 1\n", "as built 1\n"], "built once, the same seed", heads)
    status, output, _ = soak_lines(tree, 3, dict(same, **{}) | {(2, "debug"): [("uml", "pf")]})
    result(status == 1 and "differs: uml: test 1: failed in round 2 (SEED=1)" in output,
           "a test that fails once, with its seed", output)
    status, output, _ = soak_lines(tree, 3, same | {(3, "check"): [("vm", "pps"), ("userspace", "pps")]})
    result(status == 1 and "differs: vm: test 2: skipped in round 3" in output, "one that is skipped once", output)
    status, output, _ = soak_lines(tree, 3, same | {(2, "check"): [("vm", "pp"), ("userspace", "pps")]})
    result(status == 1 and "differs: vm: 2 or 3 tests" in output, "another number of tests", output)
    status, output, _ = soak_lines(tree, 3, same | {(2, "check"): [("vm", "ppp")]})
    result(status == 1 and "differs: userspace: in 2 of 3 rounds" in output, "a step that is not always there",
           output)
    status, output, _ = soak_lines(tree, 3, same | {(2, "debug"): None})
    result(status == 1 and "differs: debug: no closing line in round 2" in output, "a round that ends early", output)
    status, output, _ = soak_lines(tree, 2, {"check": same["check"]})
    result(status == 1 and "differs: debug: no closing line in round 1, 2" in output, "all of a mode do", output)
    status, output, _ = soak_lines(tree, 2, {"check": same["check"]}, "--only", "check")
    result(status == 0 and last(output) == "2 rounds, 0 differences", "--only", output)
    with open(os.path.join(tree.top, "build/soak/log"), encoding="utf-8") as file:
        result(file.read().strip() == output.strip(), "all of it is in the log", output)


def main():
    print("TAP version 13")
    with tempfile.TemporaryDirectory() as folder:
        tree = Tree(folder)
        parts, closing = everything(tree)
        in_the_middle(tree, parts, closing)
        in_the_gate(tree)
        dependencies(tree)
        without_python(tree)
        two_at_once(tree)
        soak(tree)
    print("1..%d" % number)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
