#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""scripts/contain, .ci/run and scripts/check leave no process behind, however they end.

usage: test_contain.py TOP

Every process that they start has opened a pipe for writing: it ends when all of them have. TAP on
stdout.
"""

import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

TOP = os.path.abspath(sys.argv[1])
CONTAIN = os.path.join(TOP, "scripts/contain")
# processes that do not end by themselves: in a session of its own, in the background of a shell that
# ends. A line is written when one is there.
STRAYS = "exec 3>$PIPE; setsid sh -c 'echo r >&3; sleep 1000; sleep 1000' & " \
    "(setsid sh -c 'echo r >&3; sleep 1000' &) ; sleep 1000 & echo r >&3; "
READY = 3
# nothing waits for this but a test that fails
LIMIT = 120 * int(os.environ.get("KSFT_TIMEOUT_SCALE") or 1)
number = 0
failed = 0


def result(good, text, note=""):
    global number, failed
    number += 1
    failed += not good
    if not good:
        for line in str(note).split("\n"):
            print("# " + line)
    print("%sok %d %s" % ("" if good else "not ", number, text), flush=True)


class Run:
    """A command that knows the pipe."""

    def __init__(self, command, **options):
        self.folder = tempfile.mkdtemp()
        pipe = os.path.join(self.folder, "pipe")
        os.mkfifo(pipe)
        self.end = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        env = {name: value for name, value in os.environ.items()
               if name not in ("VSHADER_CONTAINED", "VSHADER_BUILD", "RESULTS")}
        env["PIPE"] = pipe
        self.process = subprocess.Popen(command, preexec_fn=self.defaults, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env, **options)

    @staticmethod
    def defaults():
        """Tests in the background of a script, as the gate's, ignore them."""
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGHUP, signal.SIG_DFL)

    def ready(self, count=READY):
        text = b""
        while text.count(b"\n") < count:
            if not select.select([self.end], [], [], LIMIT)[0]:
                return False
            more = os.read(self.end, 100)
            if not more:
                return False
            text += more
        return True

    def all_ended(self):
        while select.select([self.end], [], [], LIMIT)[0]:
            if not os.read(self.end, 100):
                return True
        return False

    def runs_on(self):
        """Nothing has happened; of what must not happen there is no end to wait for."""
        return not select.select([self.end], [], [], 2)[0]

    def close(self):
        os.close(self.end)
        shutil.rmtree(self.folder)
        self.process.stdout.close()
        try:
            return self.process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


def statuses():
    for command, want in ((["true"], 0), (["sh", "-c", "exit 7"], 7), (["sh", "-c", "kill -9 $$"], 137),
                          (["/no/such/program"], 127), ([], 1)):
        run = Run([CONTAIN, *command])
        got = run.process.wait()
        result(got == want, "status of %s" % (" ".join(command) or "no command"), got)
        run.close()
    # a program ignores it from the beginning if its parent does
    run = Run([CONTAIN, "sh", "-c", "yes | head -n 1; kill -s PIPE $$; echo lives"])
    text = run.process.stdout.read()
    result(text == b"y\n", "SIGPIPE is as it was", text)
    run.close()


def strays():
    run = Run([CONTAIN, "sh", "-c", STRAYS + "(trap '' TERM; sleep 1000; sleep 1000) & exit 5"])
    result(run.all_ended(), "all processes end with the command, one without notice of SIGTERM")
    result(run.close() == 5, "its status")


def signals():
    for number_of in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL):
        run = Run([CONTAIN, "sh", "-c", STRAYS + "wait"])
        good = run.ready()
        run.process.send_signal(number_of)
        result(good and run.all_ended(), "%s ends all" % number_of.name)
        status = run.close()
        result(status == -number_of, "status after %s" % number_of.name, status)
    run = Run([CONTAIN, "sh", "-c", STRAYS + "wait"], start_new_session=True)
    good = run.ready()
    os.killpg(run.process.pid, signal.SIGKILL)
    result(good and run.all_ended(), "SIGKILL of its group ends all")
    run.close()


def unheard():
    """Its message goes to a pipe that nobody reads."""
    run = Run(["sh", "-c", "%s sh -c '%s wait'; true" % (CONTAIN, STRAYS.replace("'", "'\\''"))])
    good = run.ready()
    run.process.stdout.close()
    run.process.kill()
    result(good and run.all_ended(), "output that nobody reads")
    run.close()


def parents():
    alone = "%s sh -c '%s wait'" % (CONTAIN, STRAYS.replace("'", "'\\''"))
    inner = alone + "; true"
    for number_of in (signal.SIGTERM, signal.SIGKILL):
        run = Run(["sh", "-c", inner])
        good = run.ready()
        run.process.send_signal(number_of)
        result(good and run.all_ended(), "its parent ended by %s" % number_of.name)
        run.close()
    run = Run(["sh", "-c", "timeout 1000 sh -c '%s'; true" % inner.replace("'", "'\\''")])
    good = run.ready()
    run.process.kill()
    result(good and run.all_ended(), "the parent of its parent")
    run.close()
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "pid")
        run = Run(["sh", "-c", "sh -c 'echo $$ >%s; exec nohup %s'; true" % (name, inner.replace("'", "'\\''"))])
        good = run.ready()
        run.process.kill()
        result(good and run.runs_on(), "nohup: it outlives its parent")
        with open(name, encoding="ascii") as file:
            os.kill(int(file.read()), signal.SIGTERM)
        result(run.all_ended(), "and ends when it is told to")
        run.close()
        for how, command in (
                ("&", "sh -c 'echo $$ >%s; exec %s' & wait" % (name, alone.replace("'", "'\\''"))),
                ("setsid", "setsid -w sh -c 'echo $$ >%s; exec %s'; true" % (name, alone.replace("'", "'\\''")))):
            run = Run(["sh", "-c", command])
            good = run.ready()
            run.process.kill()
            result(good and run.runs_on(), how + ": it outlives its parent")
            with open(name, encoding="ascii") as file:
                os.kill(int(file.read()), signal.SIGTERM)
            result(run.all_ended(), how + ": and ends when it is told to")
            run.close()


def gate():
    """A made-up gate whose step has a session of its own, as all have."""
    with tempfile.TemporaryDirectory() as tree:
        os.makedirs(os.path.join(tree, ".ci"))
        os.makedirs(os.path.join(tree, "scripts"))
        shutil.copy(os.path.join(TOP, ".ci/run"), os.path.join(tree, ".ci"))
        for name in ("contain", "tap-sum"):
            shutil.copy(os.path.join(TOP, "scripts", name), os.path.join(tree, "scripts"))
        for name in ("deps", "cache", "check"):
            with open(os.path.join(tree, "scripts", name), "w", encoding="ascii") as file:
                file.write("#!/bin/sh\necho 1 passed, 0 failed\n")
            os.chmod(os.path.join(tree, "scripts", name), 0o755)
        with open(os.path.join(tree, "step"), "w", encoding="ascii") as file:
            file.write(STRAYS + "wait\n")
        with open(os.path.join(tree, "Makefile"), "w", encoding="ascii") as file:
            file.write("check lint check-mesa:\n\t@scripts/tap-sum run --dir $@.d --step a -- sh step\n")
        for what, kill in (("SIGTERM", lambda run: run.process.terminate()),
                           ("SIGKILL of its parent", lambda run: run.process.kill()),
                           ("removal of the checkout", lambda run: shutil.rmtree(tree + "/scripts"))):
            command = [os.path.join(tree, ".ci/run"), "check", "lint"]
            if "parent" in what:
                command = ["sh", "-c", '"$@"; true', "sh", *command]
            if "checkout" in what:
                command = ["nohup", *command]
            run = Run(command)
            good = run.ready(2 * READY)
            kill(run)
            result(good and run.all_ended(), ".ci/run: %s ends the steps of all lanes" % what)
            run.close()


def stopped():
    """As by ^Z and fg: the wait of the process below which all are is interrupted at its end."""
    run = Run([CONTAIN, "sh", "-c", "exec 3>$PIPE; echo r >&3; while :; do sleep 0.1; done"])
    good = run.ready(1)
    with open("/proc/%d/task/%d/children" % (run.process.pid, run.process.pid), encoding="ascii") as file:
        keeper = int(file.read())
    os.kill(keeper, signal.SIGSTOP)
    time.sleep(1)
    os.kill(keeper, signal.SIGCONT)
    result(good and run.runs_on(), "what has been stopped goes on")
    run.process.terminate()
    result(run.all_ended(), "and is ended")
    run.close()


def main():
    print("TAP version 13")
    statuses()
    strays()
    signals()
    parents()
    unheard()
    gate()
    stopped()
    print("1..%d" % number)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
