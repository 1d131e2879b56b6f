# SPDX-License-Identifier: MIT
"""Debug sessions: "vshader debug --json" in another process."""

import contextlib
import json
import os
import pathlib
import re
import struct
import subprocess
import tempfile

from ._lib import Error


class Stop(dict):
    """Why and where the job has stopped, or "job-end" and "end"; members also as attributes."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    @property
    def ended(self):
        """Have all jobs ended?"""
        return self["event"] == "end"


def command_path():
    return os.environ.get("VSHADER", "vshader")


def number(word):
    """Value of a component: a float, or an int of any base."""
    try:
        return int(word, 0)
    except ValueError:
        return float(word)


class Session:
    """A session of the debugger. Its commands are those of "vshader debug", which are gdb's.

    run, resume, step and their like return a Stop: where the job stands, or that it has ended.
    """

    def __init__(self, device, job, folder=None):
        self.device = device
        self.text = ""
        self.events = []
        self.stop = None
        self._file = None
        self._errors = tempfile.TemporaryFile()
        self._start(job, folder)

    def _start(self, job, folder):
        arguments = [command_path(), "debug", "--json", "--device", self.device]
        descriptors = ()
        if isinstance(job, bytes):
            self._file = tempfile.TemporaryFile()
            self._file.write(job)
            self._file.flush()
            descriptors = (self._file.fileno(),)
            job = "/dev/fd/%d" % descriptors
        # "-": a name that begins with it is no option
        arguments += ["--", job]
        try:
            self._process = subprocess.Popen(
                arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors,
                cwd=folder, pass_fds=descriptors)
        except OSError as error:
            raise Error("%s: %s; VSHADER names the command" % (arguments[0], error.strerror),
                        error.errno) from None
        self("echo")

    def __call__(self, command):
        """Execute a command; its result. text has what it prints, events what has happened."""
        if "\n" in command:
            raise Error("a command has one line")
        if not command.strip():
            raise Error("there is no command")
        if not self._process:
            raise Error("the session has ended")
        try:
            self._process.stdin.write(command.encode() + b"\n")
            self._process.stdin.flush()
        except (BrokenPipeError, ValueError):
            raise Error(self._end()) from None
        answer = self._answer()
        if self.events:
            self.stop = self.events[-1]
        self.text = answer["output"]
        if not answer["ok"]:
            raise Error(answer["error"])
        return answer["result"]

    def _answer(self):
        """Events, up to the answer of the command. Ctrl-C reaches the debugger, which stops."""
        self.events = []
        interrupted = False
        while True:
            try:
                line = self._process.stdout.readline()
            except KeyboardInterrupt:
                interrupted = True
                continue
            if not line:
                raise Error(self._end())
            answer = json.loads(line)
            if "event" not in answer:
                break
            self.events.append(Stop(answer))
        if interrupted:
            raise KeyboardInterrupt
        return answer

    def _end(self):
        """The session has ended by itself: why."""
        self._process.wait()
        self._errors.seek(0)
        said = self._errors.read().decode("utf-8", "replace").strip()
        return said or "the session has ended"

    def close(self):
        """End the run and the session. Also done at the end of a "with"."""
        if getattr(self, "_process", None):
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.close()
            self._process.wait()
            self._process.stdout.close()
            self._process = None
            self._errors.close()
        if self._file:
            self._file.close()
            self._file = None

    def __enter__(self):
        return self

    def __exit__(self, *_exception):
        self.close()

    def __del__(self):
        self.close()

    def _resume(self, command):
        self(command)
        return self.stop

    # ---- points ----

    def break_at(self, location, condition=None):
        """Breakpoint at a line, label or "*N"; its number."""
        command = "break %s" % location
        return self(command + (" if %s" % condition if condition else ""))["breakpoint"]

    def watch(self, what, condition=None):
        """Watchpoint on a register or memory; its number."""
        command = "watch %s" % what
        return self(command + (" if %s" % condition if condition else ""))["breakpoint"]

    def catch_nan(self):
        """Stop at an operation that makes a NaN or an infinity of none; its number."""
        return self("catch nan")["breakpoint"]

    def delete(self, point=None):
        """Delete a breakpoint, or all."""
        self("delete" if point is None else "delete %d" % point)

    # ---- running ----

    def run(self):
        """From the first job up to a stop, or the end."""
        return self._resume("run")

    def start(self):
        """The same, up to the first instruction."""
        return self._resume("start")

    def resume(self):
        """gdb's "continue"."""
        return self._resume("continue")

    def step(self, count=1):
        """Instructions of the selected invocation."""
        return self._resume("step %d" % count)

    def next(self, count=1):
        """The same; a call is one instruction."""
        return self._resume("next %d" % count)

    def finish(self):
        """Up to the return from the function."""
        return self._resume("finish")

    def until(self, location):
        """Up to a location."""
        return self._resume("until %s" % location)

    # ---- data ----

    def select(self, invocation):
        """The invocation that what follows is about."""
        self("thread %d" % invocation)

    def invocations(self):
        """A dict for each invocation in execution: invocation, pc, state, lane ..."""
        return self("info threads")["invocations"]

    def value(self, expression):
        """Value of an expression: a number, or a tuple of the components of a vector."""
        values = tuple(number(word) for word in self("output " + expression)["values"])
        return values if re.match(r"\{", self.text) else values[0]

    def set(self, place, value):
        """Change a register, memory or a variable."""
        self("set var %s = %s" % (place, value))

    def registers(self, *names):
        """Bits of registers, or of whole banks, by name; without names of all."""
        found = self(" ".join(("info registers",) + names))["registers"]
        return {name: tuple(bits) for name, bits in found.items()}

    def floats(self, *names):
        """The same as binary32."""
        return {name: struct.unpack("<%df" % len(bits), struct.pack("<%dI" % len(bits), *bits))
                for name, bits in self.registers(*names).items()}

    def read(self, address, size):
        """Bytes of memory; the address is a number or the name of a region."""
        # the debugger makes the file anew: a folder has its name
        with tempfile.TemporaryDirectory(prefix="vshader-") as folder:
            path = pathlib.Path(folder, "memory")
            self("dump memory %s %s (%s)+%d" % (path, address, address, size))
            return path.read_bytes()

    def write(self, address, data):
        """Write bytes to memory."""
        for at in range(0, len(data), 1024):
            self("set memory (%s)+%d = %s" % (address, at, bytes(data[at:at + 1024]).hex()))

    def disassemble(self, location=""):
        """(instruction's number, text) of the program; "" is the one that is executed."""
        return [(insn["pc"], insn["text"])
                for insn in self("disassemble " + location)["insns"]]
