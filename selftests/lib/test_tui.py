#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The console and the full-screen mode of "vshader debug" on a pseudo-terminal. TAP on stdout.

usage: test_tui.py VSHADER JOBS [DEVICE]
"""

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import sys
import tempfile
import termios
import time

TIMEOUT = 200
F = {1: "\x1bOP", 2: "\x1bOQ", 3: "\x1bOR", 5: "\x1b[15~", 9: "\x1b[20~", 10: "\x1b[21~", 11: "\x1b[23~"}
# A job that does not end.
SPIN = {"vshader": 1, "engine": "qpu",
        "programs": [{"name": "spin", "asm": ":top\nbrr -, :top\nnop\nnop\nnop\n"}],
        "jobs": [{"name": "spin", "program": "spin", "qpu": {"threads": [{"uniforms": [1]}]}}]}
ESCAPES = re.compile(rb"\x1b(\[[0-9;?>]*[@-~]|\([A-Z0-9]|[=>78M]|\][^\x07]*\x07)")


class Terminal:
    """A program on a terminal."""

    def __init__(self, command, rows=40, columns=120):
        self.pid, self.fd = pty.fork()
        if not self.pid:
            os.environ.update(TERM="xterm", VSHADER_HISTORY=command.pop(), LINES="", COLUMNS="")
            del os.environ["LINES"], os.environ["COLUMNS"]
            os.execv(command[0], command)
        self.resize(rows, columns)
        self.seen = b""

    def resize(self, rows, columns):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        os.kill(self.pid, signal.SIGWINCH)

    def type(self, text):
        os.write(self.fd, text.encode())

    def wait(self, *texts):
        """Until all texts have been written since the last call."""
        return self.wait_until(time.monotonic() + TIMEOUT, texts)

    def wait_until(self, end, texts):
        """The same, until a time."""
        while True:
            plain = ESCAPES.sub(b" ", self.seen)
            if all(re.search(t.encode(), plain) for t in texts):
                self.seen = b""
                return True
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.fd], [], [], left)[0]:
                return False
            try:
                self.seen += os.read(self.fd, 65536)
            except OSError:
                return False

    def until(self, text):
        """What has been written up to a text, with its escape sequences."""
        end = time.monotonic() + TIMEOUT
        while not re.search(text, self.seen) and time.monotonic() < end:
            if select.select([self.fd], [], [], 0.1)[0]:
                self.seen += os.read(self.fd, 65536)
        seen, self.seen = self.seen, b""
        return seen

    def screen(self, *texts):
        """The same after everything has been drawn anew, which may take a while."""
        end = time.monotonic() + TIMEOUT
        seconds = 2
        while time.monotonic() < end:
            self.drain()
            self.type("\x0c")
            if self.wait_until(time.monotonic() + seconds, texts):
                return True
            seconds *= 2
        return False

    def interrupt(self):
        """Of a job that may not have begun when the first one is typed."""
        for _ in range(TIMEOUT // 2):
            self.type("\x03")
            if self.wait_until(time.monotonic() + 2,
                               (r"Interrupted: invocation 0(.|\n)*\(vshader\) ",)):
                return True
        return False

    def drain(self):
        self.seen = b""
        while select.select([self.fd], [], [], 0.05)[0]:
            try:
                os.read(self.fd, 65536)
            except OSError:
                return

    def status(self):
        """Exit status; -1 if it does not end."""
        for _ in range(10 * TIMEOUT):
            self.drain()
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.1)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        return -1


class Tap:
    """Results."""

    def __init__(self):
        self.number = 0
        self.failed = 0

    def check(self, good, text, terminal=None):
        self.number += 1
        self.failed += not good
        print("%sok %d %s" % ("" if good else "not ", self.number, text), flush=True)
        if not good and terminal:
            print("# %r" % ESCAPES.sub(b" ", terminal.seen)[-1500:])


def console(tap, command):
    """Typed lines: history, completion, an interrupt."""
    t = Terminal(list(command))
    tap.check(t.wait(r"\(vshader\) "), "prompt", t)
    t.type("break reverse:8\n")
    tap.check(t.wait("Breakpoint 1 at 0x8 in reverse"), "break", t)
    t.type("ru\t\n")
    tap.check(t.wait(r"Breakpoint 1 *, invocation 0", r"\(vshader\) $"), "completion of a command", t)
    t.type("p/d $r\x1b[D\x1b[C1\n")
    tap.check(t.wait(r"\$1 = 15"), "line editing", t)
    t.type("step\n")
    tap.check(t.wait("=> 0x9:"), "step", t)
    t.type("\n")
    tap.check(t.wait("=> 0xc:"), "an empty line repeats it", t)
    t.type("\x1b[A\x1b[A\n")
    tap.check(t.wait(r"\$2 = "), "history", t)
    t.type("x/1dw num\t\n")
    tap.check(t.wait(r"numbers", r":\s+3\s"), "completion of a region", t)
    t.type("quit\n")
    tap.check(t.status() == 0, "quit", t)
    t = Terminal(list(command))
    t.wait(r"\(vshader\) ")
    t.type("\x1b[A")
    tap.check(t.wait("quit"), "history of an earlier session", t)
    t.type("\x03\x15\x04")
    tap.check(t.status() == 0, "end of input", t)


def full_screen(tap, command):
    """Panes, keys, sizes."""
    t = Terminal(command[:2] + ["--tui"] + command[2:])
    tap.check(t.screen("not running", "registers", "invocations", "memory", "output",
                       r"\(vshader\)"), "panes", t)
    tap.check(t.screen("not running", "  0000  ", r"\+LOAD.i32.ubo t1, r2, 0x00000000, @r1",
                       r"0004  \*IMUL.i32 t0, r1, u1.w0 ",
                       r"\+STORE.i32.wls t1, r2, 0x00000000, @r1"), "code before run", t)
    t.type("break reverse:4\r" + F[5])
    tap.check(t.screen("invocation 0", "pc 0x4", "breakpoint", ">\\*0004", "IMUL",
                       "r1\\s+0x3"), "run", t)
    tap.check(t.screen(r"r1\s+0x3.*u1\s.*r57\s.*r0\s"), "registers of the instruction first", t)
    tap.check(t.screen("@\\s+>>>>>>> "), "the grid", t)
    t.type("mem numbers\r")
    tap.check(t.screen("40000000 00000003 0000000a 0000001f 00000042"), "memory", t)
    t.type(F[11])
    tap.check(t.screen("pc 0x8", "step", "> 0008"), "F11 steps", t)
    t.type(F[9])
    tap.check(t.screen(">\\*0008"), "F9 sets a breakpoint", t)
    t.type(F[9])
    tap.check(t.screen("> 0008"), "and removes it", t)
    t.type("thread 9\r")
    tap.check(t.screen("invocation 9", ">\\s+@\\s+>"), "another invocation", t)
    t.type("set var $r5 = 0x1234\r")
    tap.check(t.screen("r5\\s+0x1234"), "a register that was set", t)
    t.drain()
    t.type("refresh\r")
    tap.check(t.wait("registers", "invocations", "memory", r"r5\s+0x1234"), "refresh draws all", t)
    t.type("info win\r")
    tap.check(t.screen("Layout: source, registers"), "info win", t)
    t.type("tui disable\r")
    tap.check(t.wait(r"\(vshader\) "), "tui disable leaves it", t)
    t.type("tui enable\r")
    tap.check(t.screen("registers", "memory"), "tui enable", t)
    t.type("nonsense\r")
    tap.check(t.screen("Undefined command"), "an error", t)
    t.type("info reg\t")
    tap.check(t.screen("info registers"), "completion", t)
    t.type("\x15")
    for rows, columns in ((24, 80), (10, 30), (3, 5), (1, 1), (60, 200), (24, 80)):
        t.resize(rows, columns)
        time.sleep(0.15)
    tap.check(t.screen("invocation 9", "> 0008", "registers"), "sizes", t)
    t.type("mem numbers\r")
    tap.check(t.screen("40000008 0000001f 00000042"), "whole words of memory in a narrow pane", t)
    for _ in range(5):
        t.type(F[2] + "\x1b[6~\x1b[6~\x1b[5~")
    tap.check(t.screen("> 0008"), "scrolling", t)
    t.type(F[1])
    tap.check(t.screen("next pane"), "help", t)
    t.type("\x04")
    tap.check(t.wait(r"\(vshader\) "), "Ctrl-D leaves it", t)
    t.type("tui\r")
    tap.check(t.screen("invocation 9", "> 0008"), "back to it", t)
    t.type("quit\r")
    tap.check(t.status() == 0, "quit", t)


def layouts(tap, command, folder, jobs):
    """Sources, layouts, and vectors on a screen of 80 x 24."""
    name = os.path.join(folder, "lit.json")
    with open(os.path.join(jobs, "demo", "01-lit-mesh.json"), encoding="utf-8") as file:
        job = json.load(file)
    job["programs"] = [{"name": "lit", "asm": {"file": "lit.v.pica"}}]
    with open(name, "w", encoding="utf-8") as file:
        json.dump(job, file)
    with open(os.path.join(jobs, "demo", "lit.v.pica"), encoding="utf-8") as file, \
            open(os.path.join(folder, "lit.v.pica"), "w", encoding="utf-8") as out:
        out.write(file.read())
    command = command[:4] + [name, command[5]]
    t = Terminal(command[:2] + ["--tui"] + command[2:], 24, 80)
    tap.check(t.screen("not running"), "80 x 24", t)
    t.type("tbreak 33 if invocation == 4\r" + F[5])
    tap.check(t.screen("lit.v.pica", r">\s33\s+rsq r2.x, r2.x"), "the source", t)
    t.type("set var $r2 = {-1.25e-10, 2.5, -1234567, 0.333333333}\r")
    tap.check(t.screen(r"r2\s+-1.24999e-10\s+2.5\s", r"-1.23456e\+06\s+0.333332\s"),
              "four components of a register", t)
    t.type("layout asm\r")
    tap.check(t.screen(r">\s000c\s+rsq r2.x, r2"), "layout asm", t)
    t.type("layout split\r")
    tap.check(t.screen(r">\s33\s+rsq r2.x, r2.x", r">\s000c\s+rsq r2.x, r2"), "layout split", t)
    t.type(F[3])
    tap.check(t.screen(r"r2\s+-1.24999e-10", r"v5\s"), "layout regs", t)
    t.type("layout next\r")
    tap.check(t.screen(r">\s33\s+rsq", "memory"), "layout next", t)
    t.type("layout wide\r")
    tap.check(t.screen("expected: .wide"), "no such layout", t)
    t.type("quit\r")
    tap.check(t.status() == 0, "quit", t)
    t = Terminal(list(command))
    t.wait(r"\(vshader\) ")
    t.type("layout asm\n")
    tap.check(t.screen("0000", "registers", "memory"), "a layout begins the full-screen mode", t)
    t.type("\x04")
    tap.check(t.wait(r"\(vshader\) "), "and back", t)
    t.type("define hello\n")
    tap.check(t.wait(r"\n[ \r]*>"), "lines of a command are asked for", t)
    t.type("echo world\\n\nend\nhello\n")
    tap.check(t.wait(r"\n[ \r]*world"), "it is executed", t)
    t.type("quit\n")
    tap.check(t.status() == 0, "quit", t)


def colors(tap, command):
    """On a terminal, unless they are not wanted."""
    for more in ([], ["--color=never"]):
        t = Terminal(command[:2] + more + command[2:])
        t.wait(r"\(vshader\) ")
        t.type("start\n")
        seen = t.until(rb"=> 0x0:.*\n")
        tap.check((b"\x1b[30;42m=> 0x0:\x1b[0m" in seen) == (not more),
                  "colours of the console: %s" % more, t)
        t.type("tui\n")
        seen = t.until(rb"registers(.|\n)*invocations(.|\n)*memory(.|\n)*output")
        tap.check((b"\x1b[46m" in seen) == (not more), "of the full screen: %s" % more, t)
        t.type("quit\r")
        tap.check(t.status() == 0, "quit", t)


def interrupts(tap, command):
    """A job that runs until it is told to stop."""
    t = Terminal(list(command))
    t.wait(r"\(vshader\) ")
    for n in (1, 2):
        t.type(("run", "continue")[n - 1] + "\n")
        t.wait("run|Continuing")
        time.sleep(0.3)
        tap.check(t.interrupt(), "interrupt %d" % n, t)
    t.type("tui\n")
    tap.check(t.screen("interrupt", "spin"), "full screen", t)
    t.type(F[5])
    tap.check(t.screen("running"), "continue there", t)
    t.type("\x03")
    tap.check(t.screen("interrupt", "pc 0x"), "interrupt there", t)
    t.type(F[5])
    t.wait("running")
    t.type("\x1b[17~")
    tap.check(t.screen("interrupt", "pc 0x"), "by a key", t)
    t.type("kill\r")
    tap.check(t.screen("not running"), "kill", t)
    t.type("\x04")
    t.wait(r"\(vshader\) ")
    t.type("quit\n")
    tap.check(t.status() == 0, "quit", t)


def main():
    vshader, jobs = sys.argv[1:3]
    device = sys.argv[3] if len(sys.argv) > 3 else "local"
    tap = Tap()
    print("TAP version 13")
    with tempfile.TemporaryDirectory() as folder:
        command = [vshader, "debug", "-d", device, os.path.join(jobs, "bifrost", "shaders.json"),
                   os.path.join(folder, "history")]
        console(tap, command)
        full_screen(tap, command)
        layouts(tap, command, folder, jobs)
        colors(tap, command)
        command[4] = os.path.join(folder, "spin.json")
        with open(command[4], "w", encoding="ascii") as file:
            json.dump(SPIN, file)
        interrupts(tap, command)
    print("1..%d" % tap.number)
    return 1 if tap.failed else 0


if __name__ == "__main__":
    sys.exit(main())
