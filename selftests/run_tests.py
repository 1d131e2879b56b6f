#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Run tests in parallel and print the results of all, by stream.awk, as one stream of TAP.

usage: run_tests.py [--jobs N] [--filter TEXT]... [--without NAME]... < LIST

A line of the list is "NAME COMMAND", or "NAME plain COMMAND" for a command that is one test,
passed with status 0, and prints no TAP. The name is SUITE/TEST. A filter keeps the tests
whose name contains it, --without leaves out the one of this name. The results keep the order of the
list and are printed when all tests have ended; stderr tells of each test when it has, and of its
failures. The status is 1 if a result is bad.

With GATE=1 in the environment, commands that scripts start do not look for leaks under ASan, which is
half of the time of each.
"""

import argparse
import concurrent.futures
import os
import re
import signal
import subprocess
import sys
import tempfile
import time


class Test:
    def __init__(self, line):
        self.name, _, command = line.partition(" ")
        self.plain = command.startswith("plain ")
        self.command = command[len("plain "):] if self.plain else command
        self.status = 0
        self.seconds = 0.0
        self.cpu = 0.0
        self.env = dict(os.environ)
        if os.environ.get("GATE") and self.name.endswith((".sh", ".py")):
            self.env.setdefault("ASAN_OPTIONS", "detect_leaks=0")
        # files: a test may print megabytes
        self.out = tempfile.TemporaryFile()
        self.err = tempfile.TemporaryFile()

    def run(self):
        began = time.monotonic()
        child = subprocess.Popen(["sh", "-c", self.command], stdin=subprocess.DEVNULL,
                                 stdout=self.out, stderr=self.err, env=self.env)
        _, status, usage = os.wait4(child.pid, 0)
        status = child.returncode = os.waitstatus_to_exitcode(status)
        self.status = status if status >= 0 else 128 - status
        self.seconds = time.monotonic() - began
        self.cpu = usage.ru_utime + usage.ru_stime
        return self

    @staticmethod
    def lines_of(file, prefix=b""):
        file.seek(0)
        text = b""
        for line in file:
            text += prefix + line
        return text if not text or text.endswith(b"\n") else text + b"\n"

    def results(self):
        """Lines of the stream, without numbers."""
        text = self.lines_of(self.out) + self.lines_of(self.err, b"# stderr: ")
        return stream(text.replace(b"\0", b"?"), "-v", "program=" + self.name,
                      "-v", "status=%d" % self.status, "-v", "plain=%d" % self.plain).stdout

    def close(self):
        self.out.close()
        self.err.close()


def stream(text, *options):
    """What stream.awk makes of this."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stream.awk")
    return subprocess.run(["awk", "-f", script, *options], input=text, stdout=subprocess.PIPE,
                          env=dict(os.environ, LC_ALL="C"), check=False)


def summary(out):
    """How many results, for the line that tells that a test has ended."""
    results = re.findall(rb"^(not )?ok\b[^#\n]*(# SKIP)?", out, re.MULTILINE)
    skipped = sum(bool(mark) for _, mark in results)
    failed = sum(bool(bad) for bad, _ in results)
    return "%d passed, %d failed%s" % (len(results) - failed - skipped, failed,
                                       ", %d skipped" % skipped if skipped else "")


def report(test):
    out = test.results()
    for line in re.findall(rb"^not ok.*", out, re.MULTILINE):
        print("    " + line.decode(errors="replace"), file=sys.stderr)
    print("    %s: %s (%.1f s, %.1f s of processor time)" %
          (test.name, summary(out), test.seconds, test.cpu), file=sys.stderr)
    test.close()
    return out


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--filter", action="append", default=[])
    parser.add_argument("--without", action="append", default=[])
    options = parser.parse_args()
    lines = [" ".join(line.split()) for line in sys.stdin if line.strip()]
    tests = [Test(line) for line in lines
             if line.split(" ")[0] not in options.without and
             (not options.filter or any(f in line.split(" ")[0] for f in options.filter))]
    if not tests:
        print("TAP version 13\n1..1\nnot ok 1 no test has a name that contains %s"
              % " or ".join(options.filter))
        return 1
    print("TAP version 13", flush=True)
    # tap-sum sends it to all processes of a step that is out of time
    stopped = []
    signal.signal(signal.SIGTERM, lambda *_: stopped.append(True))
    pool = concurrent.futures.ThreadPoolExecutor(max(1, options.jobs))
    futures = {pool.submit(test.run): i for i, test in enumerate(tests)}
    results = [b"not ok - %s: stopped\n" % test.name.encode() for test in tests]
    left = set(futures)
    while left:
        ended, left = concurrent.futures.wait(left, 0 if stopped else 0.5,
                                              concurrent.futures.FIRST_COMPLETED)
        if stopped:
            left = ()
        for future in ended:
            results[futures[future]] = report(future.result())
    joined = stream(b"".join(results), "-v", "join=1")
    sys.stdout.buffer.write(joined.stdout)
    sys.stdout.flush()
    return joined.returncode


if __name__ == "__main__":
    # those that run when it is stopped are not waited for
    ended = main()
    sys.stderr.flush()
    os._exit(ended)
