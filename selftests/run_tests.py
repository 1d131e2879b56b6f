#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Run tests in parallel and print their output, which is TAP, one after the other.

usage: run_tests.py [--jobs N] [--filter TEXT]... < LIST

A line of the list is "NAME COMMAND", or "NAME plain COMMAND" for a command that is one test,
passed with status 0, and prints no TAP. The name is SUITE/TEST. A filter keeps the tests
whose name contains it. The output keeps the order of the list. Statuses 0 and 4 (skipped) of a command
are good; any other is reported on stderr and makes the status 1.
"""

import argparse
import concurrent.futures
import os
import re
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
        # files: a test may print megabytes
        self.out = tempfile.TemporaryFile()
        self.err = tempfile.TemporaryFile()

    def run(self):
        began = time.monotonic()
        child = subprocess.Popen(["sh", "-c", self.command], stdin=subprocess.DEVNULL,
                                 stdout=self.out, stderr=self.err)
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

    def tap(self):
        out = self.lines_of(self.out, b"# | " if self.plain else b"")
        if self.plain:
            out = b"TAP version 13\n1..1\n" + out + \
                b"%sok 1 %s\n" % (b"not " if self.status else b"", self.name.encode())
        return out, self.lines_of(self.err, b"# stderr: ")

    def close(self):
        self.out.close()
        self.err.close()


def summary(out):
    """How many results, for the line that tells that a test has ended."""
    results = re.findall(rb"^(not )?ok\b[^#\n]*(# SKIP|# TODO)?", out, re.MULTILINE)
    skipped = sum(bool(mark) for _, mark in results)
    failed = sum(bool(bad) and not mark for bad, mark in results)
    return "%d passed, %d failed%s" % (len(results) - failed - skipped, failed,
                                       ", %d skipped" % skipped if skipped else "")


def report(test):
    out, err = test.tap()
    sys.stdout.buffer.write(b"# selftests: %s\n" % test.name.encode() + out + err)
    sys.stdout.flush()
    print("    %s: %s (%.1f s, %.1f s of processor time)" %
          (test.name, summary(out), test.seconds, test.cpu), file=sys.stderr)
    good = test.status == 0 if test.plain else test.status in (0, 4)
    if not good and not test.plain:
        print("run_tests: %s ended with status %d" % (test.name, test.status),
              file=sys.stderr)
    test.close()
    return good


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--filter", action="append", default=[])
    options = parser.parse_args()
    lines = [" ".join(line.split()) for line in sys.stdin if line.strip()]
    tests = [Test(line) for line in lines
             if not options.filter or any(f in line.split(" ")[0] for f in options.filter)]
    if not tests:
        print("TAP version 13\nBail out! no test has a name that contains %s"
              % " or ".join(options.filter))
        return 1
    with concurrent.futures.ThreadPoolExecutor(max(1, options.jobs)) as pool:
        results = [report(future.result())
                   for future in [pool.submit(test.run) for test in tests]]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
