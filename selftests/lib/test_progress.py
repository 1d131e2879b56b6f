#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Long commands: progress after 3 s if standard error is a terminal, and nothing else on it.
The time limit counts CPU time: a busy machine makes it take longer.

usage: test_progress.py VSHADER JOBS
"""

import json
import os
import pty
import re
import subprocess
import sys
import tempfile
import time

JOBS = 8
# together, some seconds more than it takes until there is progress: the thread that tells it may be late
JOB_MS = 1000
# a line that replaces itself, and its removal
LINE = re.compile(rb"\r\x1b\[K([^\r\x1b]+)")


def write_job(path, limit):
    """Endless loops: the time limit ends each of them."""
    loop = ":loop\nbrr -, :loop\nnop\nnop\nnop\n"
    job = {"time_limit_ms": limit, "qpu": {"threads": [{}]},
           "expect": [{"status": "ETIME"}]}
    with open(path, "w", encoding="ascii") as file:
        json.dump({"vshader": 1, "engine": "qpu", "programs": [{"asm": loop}],
                   "jobs": [dict(job, name="j%d" % i) for i in range(JOBS)]}, file)


class Command:
    def __init__(self, words, terminal):
        self.terminal = terminal
        self.master, slave = pty.openpty() if terminal else os.pipe()
        self.began = time.monotonic()
        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=slave)
        os.close(slave)

    def end(self):
        """(status, stdout, stderr, seconds until stderr began)"""
        text, first = b"", None
        while True:
            try:
                more = os.read(self.master, 4096)
            except OSError:
                more = b""
            if not more:
                break
            first = first or time.monotonic() - self.began
            text += more
        out = self.process.stdout.read()
        return self.process.wait(), out, text, first


def main(vshader):
    number = failed = 0
    print("TAP version 13")

    def result(good, name, why=b""):
        nonlocal number, failed
        number += 1
        failed += not good
        if not good:
            print("# %r" % why[:600])
        print("%sok %d %s" % ("" if good else "not ", number, name))

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "long.json")
        write_job(path, JOB_MS)
        # debuggers and traces have ten times the limit
        debugged = os.path.join(folder, "slow.json")
        write_job(debugged, JOB_MS // 10)
        run = [vshader, "run", "-d", "local", "-q", path]
        quiet = Command(run, False)
        batch = Command([vshader, "debug", "-d", "local", "-batch", "-ex", "run", debugged], True)
        long_ones = [
            ("run", path, Command(run, True), rb"%s: [0-8] of 8 jobs, [0-9]+ s"),
            ("trace", debugged, Command([vshader, "trace", "-d", "local", "--summary", debugged], True),
             rb"%s: [0-8] of 8 jobs, [0-9]+ s"),
        ]
        for name, file, command, pattern in long_ones:
            status, _, text, first = command.end()
            lines = LINE.findall(text)
            pattern %= re.escape(file.encode()[:48])
            result(lines and all(re.fullmatch(pattern, line) for line in lines),
                   "%s: progress (exit %d)" % (name, status), text)
            result(first is not None and first >= 2.9, name + ": after 3 s")
            result(text.endswith(b"\r\x1b[K"), name + ": the line is removed", text)
        status, out, text, _ = quiet.end()
        result(status == 0 and not text and b"9 of 9 checks" in out, "nothing without a terminal",
               text + out)
        _, _, text, _ = batch.end()
        lines = LINE.findall(text)
        result(lines and all(re.fullmatch(rb"run: [0-9]+ s", line) for line in lines),
               "debug -batch: progress", text)
    print("1..%d" % number)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
