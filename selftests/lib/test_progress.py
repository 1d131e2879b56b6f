#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Long commands: progress after 3 s if standard error is a terminal, and nothing else on it.
They are stopped for most of the time, when their jobs have begun.

usage: test_progress.py VSHADER JOBS
"""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import tempfile
import time

JOBS = 8
# of processor time. The job that is stopped has more afterwards, all but a second of the stop: much longer
# than the thread that tells the progress needs to wake up.
JOB_MS = 100
# of processor time, when a command is stopped: its jobs have begun, and some of them are left
BEGUN_S = 0.1, 0.6
STOPPED_S = 3.5
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


def processor_time(pid):
    with open("/proc/%d/stat" % pid, encoding="ascii", errors="replace") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Command:
    """A command that is stopped while its jobs are executed. One that was not in time begins again."""

    def __init__(self, words, terminal):
        while True:
            self.master, slave = pty.openpty() if terminal else os.pipe()
            self.began = time.monotonic()
            self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                            stderr=slave)
            os.close(slave)
            pid = self.process.pid
            # one that has ended is a zombie, whose time is known
            while processor_time(pid) < BEGUN_S[0] and not self.has_ended():
                time.sleep(0.01)
            os.kill(pid, signal.SIGSTOP)
            if processor_time(pid) < BEGUN_S[1] and not self.has_ended():
                break
            self.process.kill()
            self.process.communicate()
            os.close(self.master)

    def has_ended(self):
        return os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def resume(self):
        os.kill(self.process.pid, signal.SIGCONT)

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
        time.sleep(STOPPED_S)
        for command in [quiet, batch] + [command for _, _, command, _ in long_ones]:
            command.resume()
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
