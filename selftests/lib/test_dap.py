#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""A client of "vshader debug --dap". TAP on stdout.

usage: test_dap.py VSHADER JOBS [DEVICE]
"""

import base64
import json
import os
import random
import re
import select
import subprocess
import sys
import tempfile
import time

TIMEOUT = 300
# A job that does not end.
SPIN = {"vshader": 1, "engine": "qpu",
        "programs": [{"name": "spin", "asm": ":top\nbrr -, :top\nnop\nnop\nnop\n"}],
        "jobs": [{"name": "spin", "program": "spin", "qpu": {"threads": [{"uniforms": [1]}]}}]}


class Client:
    """One server and what it says."""

    def __init__(self, vshader, device):
        self.process = subprocess.Popen([vshader, "debug", "--dap", "--device", device],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.buffer = b""
        self.seq = 0
        self.events = []

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def message(self):
        """The next message, None at the end."""
        end = time.monotonic() + TIMEOUT
        while True:
            head, mark, rest = self.buffer.partition(b"\r\n\r\n")
            if mark:
                size = int(head.split(b":")[1])
                if len(rest) >= size:
                    self.buffer = rest[size:]
                    return json.loads(rest[:size])
            if not select.select([self.process.stdout], [], [], end - time.monotonic())[0]:
                raise TimeoutError("no message")
            data = os.read(self.process.stdout.fileno(), 65536)
            if not data:
                return None
            self.buffer += data

    def request(self, name, /, **arguments):
        """The response; events that come before it are kept."""
        self.seq += 1
        text = json.dumps({"seq": self.seq, "type": "request", "command": name,
                           "arguments": arguments}).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        while True:
            message = self.message()
            if message["type"] == "response":
                assert message["request_seq"] == self.seq and message["command"] == name
                return message
            self.events.append(message)

    def event(self, name):
        """The next event of a name; others are dropped."""
        while True:
            message = self.events.pop(0) if self.events else self.message()
            if message is None:
                raise EOFError(name)
            if message["event"] == name:
                return message.get("body", {})

    def end(self):
        """Exit status."""
        self.process.stdin.close()
        return self.process.wait(TIMEOUT)


class Tap:
    """Results."""

    def __init__(self):
        self.number = 0
        self.failed = 0

    def check(self, good, text, what=None):
        self.number += 1
        self.failed += not good
        print("%sok %d %s" % ("" if good else "not ", self.number, text))
        if not good and what is not None:
            print("# %s" % json.dumps(what)[:600])


def start(client, tap, program, **more):
    answer = client.request("initialize", adapterID="vshader")
    tap.check(answer["success"] and answer["body"]["supportsDisassembleRequest"],
              "initialize", answer)
    answer = client.request("launch", program=program, **more)
    tap.check(answer["success"], "launch", answer)
    client.event("initialized")


def breakpoints(client, tap):
    """Of both kinds, with conditions."""
    sources = client.request("loadedSources")["body"]["sources"]
    tap.check([s["name"] for s in sources] == ["reverse", "vertex", "fragment"], "sources",
              sources)
    text = client.request("source", sourceReference=1)["body"]["content"].split("\n")
    line = text.index("clause_4:") + 1
    answer = client.request("setBreakpoints", source={"sourceReference": 1},
                            breakpoints=[{"line": line + 2, "condition": "invocation == 5"},
                                         {"line": 100000}])
    found = answer["body"]["breakpoints"]
    tap.check(found[0]["verified"] and found[0]["line"] == line, "breakpoint on a line", answer)
    tap.check(not found[1]["verified"] and found[1]["message"], "no such line", answer)
    older = client.request("setBreakpoints", source={"sourceReference": 1}, lines=[line, 100000])
    tap.check([b["verified"] for b in older["body"]["breakpoints"]] == [True, False],
              "lines of older clients", older)
    answer = client.request("setBreakpoints", source={"sourceReference": 1},
                            breakpoints=[{"line": line + 2, "condition": "invocation == 5"}])
    found = answer["body"]["breakpoints"]
    reference = found[0]["instructionReference"]
    place = {"instructionReference": reference, "offset": 5}
    answer = client.request("setInstructionBreakpoints", breakpoints=[
        {**place, "hitCondition": "x"}, {**place, "hitCondition": "-1"}, {**place, "condition": "("},
        {**place, "hitCondition": "", "condition": ""}])
    tap.check([b["verified"] for b in answer["body"]["breakpoints"]] == [False] * 3 + [True],
              "conditions that are none", answer)
    answer = client.request("setInstructionBreakpoints", breakpoints=[
        {"instructionReference": reference, "offset": 5, "hitCondition": "2"},
        {"instructionReference": reference, "offset": 1}, {"instructionReference": "x"}])
    tap.check([b["verified"] for b in answer["body"]["breakpoints"]] == [True, False, False],
              "breakpoints on instructions", answer)
    return found[0]["id"], line, reference


def registers(client, tap):
    """Scopes, variables, writing them."""
    scopes = client.request("scopes", frameId=6)["body"]["scopes"]
    tap.check([s["name"] for s in scopes][:2] == ["r", "u"], "scopes are banks", scopes)
    answer = client.request("variables", filter="indexed",
                            variablesReference=scopes[0]["variablesReference"])
    tap.check(answer["body"] == {"variables": []}, "registers have names, not indices", answer)
    bank = scopes[0]["variablesReference"]
    found = client.request("variables", variablesReference=bank)["body"]["variables"]
    tap.check(found[1]["name"] == "r1" and found[1]["value"] == "0xb2", "registers", found[:3])
    found = client.request("variables", variablesReference=bank, start=2,
                           count=1)["body"]["variables"]
    tap.check([v["name"] for v in found] == ["r2"], "some registers", found)
    answer = client.request("setVariable", variablesReference=bank, name="r1", value="100")
    tap.check(answer["success"] and answer["body"]["value"] == "0x64", "setVariable", answer)
    for name in ("none", "u0", "$r1", "r1 = 5, r2", ""):
        answer = client.request("setVariable", variablesReference=bank, name=name, value="1")
        tap.check(not answer["success"], "setVariable of \"%s\"" % name, answer)
    found = client.request("variables", variablesReference=scopes[1]["variablesReference"],
                           count=2)["body"]["variables"]
    parts = client.request("variables",
                           variablesReference=found[0]["variablesReference"])["body"]["variables"]
    tap.check([v["name"] for v in parts] == ["x", "y"], "components", parts)
    answer = client.request("setVariable", variablesReference=found[0]["variablesReference"],
                            name="q", value="1")
    tap.check(not answer["success"], "setVariable of a component that is not there", answer)
    answer = client.request("variables", variablesReference=99999)
    tap.check(not answer["success"], "a bad reference", answer)


def data(client, tap):
    """Expressions, commands, memory."""
    answer = client.request("evaluate", expression="$r1 + 1", frameId=6)
    tap.check(answer["body"]["result"] == "101", "evaluate", answer)
    answer = client.request("evaluate", expression="nosuch", context="watch")
    tap.check(not answer["success"] and "nosuch" in answer["message"], "evaluate an error", answer)
    answer = client.request("evaluate", expression="info registers r1", context="repl")
    tap.check("0x64" in answer["body"]["result"], "a command", answer)
    answer = client.request("readMemory", memoryReference="numbers", count=8)
    tap.check(base64.b64decode(answer["body"]["data"]) == bytes([3, 0, 0, 0, 10, 0, 0, 0]),
              "readMemory", answer)
    answer = client.request("writeMemory", memoryReference="numbers", offset=4,
                            data=base64.b64encode(bytes([11, 0, 0, 0])).decode())
    tap.check(answer["success"] and answer["body"]["bytesWritten"] == 4, "writeMemory", answer)
    answer = client.request("readMemory", memoryReference="numbers", offset=4, count=1)
    tap.check(answer["body"]["data"] == "Cw==", "it is there", answer)
    answer = client.request("readMemory", memoryReference="0x10", count=4)
    tap.check(answer["success"] and answer["body"]["unreadableBytes"] == 4, "unmapped memory",
              answer)
    first = int(client.request("readMemory", memoryReference="numbers", count=1)["body"]["address"], 16)
    answer = client.request("readMemory", memoryReference="numbers", offset=-16 - first % 4096, count=64)
    tap.check(answer["success"] and answer["body"]["unreadableBytes"] == 16 and
              not answer["body"]["data"], "bytes to be skipped before memory", answer)
    answer = client.request("writeMemory", memoryReference="numbers", data="!")
    tap.check(not answer["success"], "data that is no base64", answer)


def frames(client, tap):
    """Those that there are not change nothing."""
    for name, arguments in (("scopes", {}), ("evaluate", {"expression": "$pc"}),
                            ("setExpression", {"expression": "$r1", "value": "1"})):
        for frame in (0, 9999, 1 << 40):
            answer = client.request(name, frameId=frame, **arguments)
            tap.check(not answer["success"] and "not being executed" in answer["message"],
                      "%s of frame %d" % (name, frame), answer)
    answer = client.request("evaluate", expression="$pc")
    tap.check(answer["success"], "the frame is the one before", answer)


def session(tap, vshader, job, device):
    """From launch to the end."""
    client = Client(vshader, device)
    tap.check(not client.request("threads")["success"], "nothing works before the launch")
    start(client, tap, job)
    number, line, reference = breakpoints(client, tap)
    tap.check(client.request("configurationDone")["success"], "configurationDone")
    stop = client.event("stopped")
    tap.check(stop["reason"] == "breakpoint" and stop["threadId"] == 6 and
              stop["hitBreakpointIds"] == [number], "stopped", stop)
    threads = client.request("threads")["body"]["threads"]
    tap.check(len(threads) == 64 and threads[5] == {"id": 6, "name": "invocation 5"}, "threads",
              threads[:6])
    frame = client.request("stackTrace", threadId=6)["body"]["stackFrames"][0]
    tap.check(frame["line"] == line and frame["name"] == "reverse" and
              frame["instructionPointerReference"] == reference, "stackTrace", frame)
    answer = client.request("stackTrace", threadId=6, startFrame=1, levels=19)
    tap.check(answer["body"] == {"stackFrames": [], "totalFrames": 1}, "no frame after the first",
              answer)
    frames(client, tap)
    registers(client, tap)
    data(client, tap)
    answer = client.request("disassemble", memoryReference=reference, instructionOffset=-2,
                            instructionCount=4)
    found = answer["body"]["instructions"]
    tap.check([i.get("presentationHint") for i in found] == ["invalid", None, None, None] and
              found[2]["address"] == reference and "IMUL" in found[2]["instruction"],
              "disassemble", found)
    text = client.request("evaluate", expression="disassemble /r", context="repl")["body"]["result"]
    words = [row.split() for row in re.findall(r"^[=>* ]+0x[0-9a-f]+:\t([0-9a-f ]+)\t", text, re.M)]
    bytes_of = ["".join(bytes.fromhex(word)[::-1].hex() for word in row) for row in words]
    tap.check(len(bytes_of) > 2 and all(bytes_of) and
              [i.get("instructionBytes") for i in found] == [None] + bytes_of[:3],
              "instructionBytes", [found, bytes_of])
    tap.check(client.request("stepIn", threadId=6)["success"], "stepIn")
    tap.check(client.event("stopped")["reason"] == "step", "it stops")
    frame = client.request("stackTrace", threadId=6)["body"]["stackFrames"][0]
    tap.check(int(frame["instructionPointerReference"], 16) & 0xffffffff == 8, "one further", frame)
    tap.check(not client.request("stepOut", threadId=6)["success"], "stepOut of no function")
    tap.check(client.request("next", threadId=6)["success"], "next")
    client.event("stopped")
    client.request("setBreakpoints", source={"name": "reverse"}, breakpoints=[])
    tap.check(client.request("continue", threadId=6)["success"], "continue")
    stop = client.event("stopped")
    tap.check(stop["reason"] == "breakpoint" and stop["threadId"] == 65,
              "the breakpoint is passed once", stop)
    client.request("setInstructionBreakpoints", breakpoints=[])
    client.request("continue", threadId=1)
    tap.check(client.event("exited")["exitCode"] == 1, "the result has changed")
    client.event("terminated")
    tap.check(not client.request("nonsense")["success"], "an unknown request")
    tap.check(client.request("disconnect")["success"], "disconnect")
    tap.check(client.end() == 0, "exit status")


def utgard(tap, vshader, job, device):
    """A pixel program, in whose registers numbers are rounded; jumps."""
    client = Client(vshader, device)
    start(client, tap, job)
    answer = client.request("setBreakpoints", source={"sourceReference": 5}, breakpoints=[
        {"line": 2, "condition": "invocation == 5"}])
    tap.check(answer["body"]["breakpoints"][0]["verified"], "breakpoint in a pixel program", answer)
    client.request("configurationDone")
    stop = client.event("stopped")
    tap.check(stop["reason"] == "breakpoint" and stop["threadId"] == 6, "it stops", stop)
    scopes = client.request("scopes", frameId=6)["body"]["scopes"]
    banks = {s["name"]: s["variablesReference"] for s in scopes}
    tap.check(sorted(banks) == ["facing", "fragcoord", "fragment", "pixel", "pointcoord", "r",
                                "smul", "t", "texture", "u", "uniform", "v", "vmul"],
              "its registers", scopes)
    found = client.request("variables", variablesReference=banks["fragcoord"])["body"]["variables"]
    tap.check(found[0]["value"].startswith("{x = 3.5, y = 0.5"), "where the fragment is", found)
    answer = client.request("variables", variablesReference=banks["t"])
    tap.check(answer["success"] and not answer["body"]["variables"], "it has no temporaries", answer)
    client.request("setVariable", variablesReference=banks["r"], name="r0", value="{0.1, 1, 2, 3}")
    answer = client.request("evaluate", expression="$r0.x", frameId=6)
    tap.check(answer["body"]["result"] == "0.0999755859", "what is written is rounded", answer)
    answer = client.request("evaluate", expression="set var $pc = 0", context="repl", frameId=6)
    tap.check(answer["success"], "the invocation goes back", answer)
    frame = client.request("stackTrace", threadId=6)["body"]["stackFrames"][0]
    tap.check(int(frame["instructionPointerReference"], 16) & 0xffffffff == 0, "it is there", frame)
    client.request("setBreakpoints", source={"sourceReference": 5}, breakpoints=[])
    client.request("continue", threadId=6)
    tap.check(client.event("exited")["exitCode"] == 0, "what it executes again is as it was")
    client.request("disconnect")
    tap.check(client.end() == 0, "exit status")


def ends(tap, vshader, job, device):
    """Entry, restart, termination, damaged messages, a client that goes away."""
    client = Client(vshader, device)
    start(client, tap, job, stopOnEntry=True)
    client.request("configurationDone")
    tap.check(client.event("stopped")["reason"] == "entry", "stopOnEntry")
    tap.check(client.request("restart")["success"], "restart")
    tap.check(client.event("stopped")["reason"] == "entry", "at the entry again")
    tap.check(client.request("terminate")["success"], "terminate")
    client.event("terminated")
    tap.check(client.end() == 0, "end of input")
    client = Client(vshader, device)
    client.request("initialize")
    answer = client.request("launch", program="/nonexistent.json")
    tap.check(not answer["success"] and "/nonexistent.json" in answer["message"],
              "launch of nothing", answer)
    tap.check(client.request("launch", program=job)["success"], "launch after that")
    client.request("configurationDone")
    tap.check(client.end() == 0, "the client goes away while jobs run")
    for text in (b"Content-Length: 99999999999\r\n\r\n", b"x\r\n\r\n", b"y" * 5000,
                 b"GET / HTTP/1.1\r\n", b"hello\n", b"\x7fELF\x02\x01\x01", b"{\"seq\"} 1\n",
                 b"Content-Length: x\r\n\r\n", b"Content-Length: -5\r\n\r\n",
                 b"Content-Length: 0\r\n\r\n", b"Length: 5\r\n\r\nhello"):
        # standard input stays open: the server ends by itself
        client = Client(vshader, device)
        client.send_bytes(text)
        try:
            status = client.process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            status = -1
        tap.check(status == 2, "damaged message %r" % text[:20], status)
        client.process.kill()
    for text in (b"Content-Length: 20\r\n\r\n{}", b"Content-Len"):
        client = Client(vshader, device)
        client.send_bytes(text)
        tap.check(client.end() == 2, "the end within a message %r" % text[:20])
    client = Client(vshader, device)
    for text in (b"[]", b"][", b"{", b"\xff\xfe", b"null", b"5", b"{}", b"{\"seq\": []}", b"[" * 99,
                 b"{\"type\": 5, \"command\": {}, \"arguments\": 7}"):
        client.send_bytes(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        answer = client.message()
        tap.check(answer["type"] == "response" and not answer["success"] and answer["message"],
                  "a message that is no request: %r" % text[:20], answer)
    tap.check(client.request("initialize")["success"], "requests after that")
    tap.check(client.end() == 0, "exit status")


def sources(tap, vshader, job, device):
    """Lines of the assembler source, one stop on entry, an event for each line of output."""
    path = os.path.join(os.path.realpath(os.path.dirname(job)), "saxpy.qasm")
    client = Client(vshader, device)
    start(client, tap, job, stopOnEntry=True)
    found = client.request("loadedSources")["body"]["sources"]
    tap.check(found[0] == {"name": "saxpy.qasm", "path": path}, "the source is a file", found)
    answer = client.request("setBreakpoints", source={"path": path}, breakpoints=[
        {"line": 19, "condition": "invocation == 5"}, {"line": 1000}])
    found = answer["body"]["breakpoints"]
    tap.check(found[0]["verified"] and found[0]["line"] == 20 and
              found[0]["source"]["path"] == path, "a line of it", answer)
    tap.check(not found[1]["verified"], "a line that it does not have", answer)
    answer = client.request("setBreakpoints", source={"path": "/nowhere/saxpy.s"},
                            breakpoints=[{"line": 1}])
    found = answer["body"]["breakpoints"]
    tap.check(answer["success"] and len(found) == 1 and not found[0]["verified"] and
              "source" in found[0]["message"], "another file", answer)
    with open(path, encoding="utf-8") as file:
        tap.check(client.request("source", source={"path": path})["body"]["content"] ==
                  file.read(), "its text")
    client.request("configurationDone")
    tap.check(client.event("stopped")["reason"] == "entry", "stopOnEntry")
    client.request("continue", threadId=1)
    stop = client.event("stopped")
    tap.check(stop["reason"] == "breakpoint" and stop["threadId"] == 6, "the breakpoint", stop)
    frame = client.request("stackTrace", threadId=6)["body"]["stackFrames"][0]
    tap.check(frame["source"]["path"] == path and frame["line"] == 20, "where it is", frame)
    found = client.request("disassemble", memoryReference=frame["instructionPointerReference"],
                           instructionCount=1)["body"]["instructions"]
    tap.check(found[0]["location"]["path"] == path and found[0]["line"] == 20,
              "in the disassembly", found)
    answer = client.request("setBreakpoints", source={"path": path}, breakpoints=[])
    client.request("continue", threadId=6)
    output = []
    while True:
        message = client.events.pop(0) if client.events else client.message()
        if message["event"] == "output":
            output.append(message["body"]["output"])
        if message["event"] in ("stopped", "terminated"):
            break
    # A later job of the file faults.
    tap.check(message["event"] == "stopped" and message["body"]["reason"] == "exception",
              "no other job stops at its entry", message)
    tap.check(output and all(line.endswith("\n") and line.count("\n") == 1 for line in output),
              "a line of output for each event", output)
    client.request("continue", threadId=1)
    client.event("terminated")
    answer = client.request("readMemory", memoryReference="y+4", count=4)
    tap.check(base64.b64decode(answer["body"]["data"]) != b"\0\0\0\0" and
              answer["body"]["unreadableBytes"] == 0, "results after the end", answer)
    client.request("disconnect")
    tap.check(client.end() == 0, "exit status")


def data_breakpoints(tap, vshader, job, device):
    """Of registers and of memory."""
    client = Client(vshader, device)
    start(client, tap, job, stopOnEntry=True)
    client.request("configurationDone")
    client.event("stopped")
    client.request("evaluate", expression="thread 5", context="repl")
    bank = client.request("scopes", frameId=6)["body"]["scopes"][0]["variablesReference"]
    answer = client.request("dataBreakpointInfo", variablesReference=bank, name="r1")
    info = answer["body"]
    tap.check(info["dataId"] and info["accessTypes"] == ["write"], "a register", answer)
    answer = client.request("dataBreakpointInfo", name="out+20")
    memory = answer["body"]
    tap.check(memory["dataId"] and "readWrite" in memory["accessTypes"], "memory", answer)
    answer = client.request("dataBreakpointInfo", name="nothing")
    tap.check(answer["success"] and answer["body"]["dataId"] is None, "neither", answer)
    answer = client.request("setDataBreakpoints", breakpoints=[
        {"dataId": info["dataId"], "accessType": "write"}, {"dataId": "0 nothing"},
        {"dataId": info["dataId"], "accessType": "read"}])
    found = answer["body"]["breakpoints"]
    tap.check([b["verified"] for b in found] == [True, False, False], "they are set", answer)
    client.request("continue", threadId=6)
    stop = client.event("stopped")
    tap.check(stop["reason"] == "data breakpoint" and stop["threadId"] == 6 and
              stop["hitBreakpointIds"] == [found[0]["id"]], "the register has changed", stop)
    answer = client.request("setDataBreakpoints", breakpoints=[
        {"dataId": memory["dataId"], "accessType": "write"}])
    tap.check(answer["body"]["breakpoints"][0]["verified"], "memory instead", answer)
    client.request("continue", threadId=6)
    stop = client.event("stopped")
    tap.check(stop["reason"] == "data breakpoint", "memory is written", stop)
    client.request("setDataBreakpoints", breakpoints=[])
    client.request("continue", threadId=6)
    client.event("terminated")
    client.request("disconnect")
    tap.check(client.end() == 0, "exit status")


def exceptions(tap, vshader, job, device):
    """NaNs and infinities; steps by operations."""
    client = Client(vshader, device)
    answer = client.request("initialize", adapterID="vshader")
    tap.check([f["filter"] for f in answer["body"]["exceptionBreakpointFilters"]] == ["nan"],
              "an exception filter", answer)
    client.request("launch", program=job)
    client.event("initialized")
    answer = client.request("setExceptionBreakpoints", filters=["nothing"])
    tap.check(not answer["success"], "no such filter", answer)
    answer = client.request("setExceptionBreakpoints", filters=["nan"])
    tap.check(answer["success"], "it is set", answer)
    client.request("evaluate", expression="tbreak vertex:3", context="repl")
    client.request("configurationDone")
    stop = client.event("stopped")
    client.request("evaluate", expression="set var $r0 = 3e38", context="repl")
    client.request("evaluate", expression="set var $u0.x = 4.0", context="repl")
    client.request("continue", threadId=stop["threadId"])
    stop = client.event("stopped")
    tap.check(stop["reason"] == "exception" and "produced by 0x3: *FMA.f32 r0" in stop["text"],
              "an infinity stops", stop)
    for part in 2, 0:
        client.request("stepIn", threadId=stop["threadId"], granularity="instruction")
        client.event("stopped")
        answer = client.request("evaluate", expression="$part")
        tap.check(answer["body"]["result"] == str(part), "a step by an operation", answer)
    client.request("setExceptionBreakpoints", filters=[])
    client.request("restart")
    client.event("terminated")
    tap.check(not [e for e in client.events if e["event"] == "stopped"], "it is removed",
              client.events)
    client.request("disconnect")
    tap.check(client.end() == 0, "exit status")


def commands(tap, vshader, job, device):
    """Commands of a breakpoint that resume the job."""
    client = Client(vshader, device)
    start(client, tap, job)
    for line in ("tbreak lit:8 if invocation == 5", "commands", "print 4321", "continue", "end"):
        client.request("evaluate", expression=line, context="repl")
    client.request("configurationDone")
    client.event("stopped")
    seen = []
    while not seen or seen[-1]["event"] != "terminated":
        seen.append(client.events.pop(0) if client.events else client.message())
    tap.check("continued" in [m["event"] for m in seen], "a command resumes the job", seen)
    tap.check("$1 = 4321\n" in [m["body"]["output"] for m in seen if m["event"] == "output"],
              "the output of another", seen)
    client.request("disconnect")
    tap.check(client.end() == 0, "exit status")


def logpoints(tap, vshader, job, device):
    """Messages instead of stops; breakpoints on functions; a silent breakpoint."""
    client = Client(vshader, device)
    answer = client.request("initialize", adapterID="vshader")
    tap.check(all(answer["body"]["supports" + name] for name in (
        "LogPoints", "SetExpression", "CompletionsRequest", "FunctionBreakpoints")),
              "abilities", answer)
    client.request("launch", program=job)
    client.event("initialized")
    sources = client.request("loadedSources")["body"]["sources"]
    text = client.request("source", sourceReference=1)["body"]["content"].split("\n")
    line = text.index("clause_4:") + 1
    logged = [{"line": line, "condition": "invocation == 5",
               "logMessage": "r1 is {$r1},\n100% {nosuch} of {$invocation}"}]
    answer = client.request("setBreakpoints", source=sources[0], breakpoints=logged)
    tap.check(answer["body"]["breakpoints"][0]["verified"], "a logpoint", answer)
    answer = client.request("setFunctionBreakpoints", breakpoints=[
        {"name": "vertex", "condition": "invocation == 1"}, {"name": "nothing"}, {}])
    found = answer["body"]["breakpoints"]
    tap.check([b["verified"] for b in found] == [True, False, False] and found[1]["message"],
              "functions", answer)
    tap.check(found[0].get("line") == 1 and "instructionReference" in found[0], "their place", found)
    client.request("configurationDone")
    stop = client.event("stopped")
    tap.check(stop["hitBreakpointIds"] == [found[0]["id"]], "the first stop is at a function", stop)
    client.request("setFunctionBreakpoints", breakpoints=[])
    client.request("restart")
    seen = []
    while not seen or seen[-1]["event"] != "terminated":
        seen.append(client.events.pop(0) if client.events else client.message())
    output = "".join(m["body"]["output"] for m in seen if m["event"] == "output")
    tap.check("r1 is 0xb2, 100% <error: No symbol \"nosuch\" in current context.> of 5\n" in output,
              "its message", output)
    tap.check(not {"stopped", "continued"} & {m["event"] for m in seen}, "it does not stop", seen)
    client.request("disconnect")
    tap.check(client.end() == 0, "exit status")
    client = Client(vshader, device)
    start(client, tap, job)
    for command in ("break reverse:4 if invocation == 5", "commands", "silent", "end"):
        client.request("evaluate", expression=command, context="repl")
    client.request("configurationDone")
    stop = client.event("stopped")
    tap.check(stop["threadId"] == 6, "the client knows of a silent stop", stop)
    client.request("disconnect")
    tap.check(client.end() == 0, "exit status")


def edits(tap, vshader, job, device):
    """setExpression, completions."""
    client = Client(vshader, device)
    start(client, tap, job, stopOnEntry=True)
    client.request("configurationDone")
    client.event("stopped")
    answer = client.request("setExpression", expression="$r1", value="2 + 3", frameId=6)
    tap.check(answer["success"] and answer["body"]["value"] == "0x5", "setExpression", answer)
    answer = client.request("evaluate", expression="$r1", frameId=6)
    tap.check(answer["body"]["result"] == "0x5", "it is set", answer)
    answer = client.request("setExpression", expression="*numbers", value="77")
    tap.check(answer["success"] and answer["body"]["value"] == "77", "memory", answer)
    for expression, value in (("5", "6"), ("$r1", ""), ("$r1", "nosuch"), ("$nosuch.x", "1")):
        answer = client.request("setExpression", expression=expression, value=value)
        tap.check(not answer["success"], "not %s = %s" % (expression, value), answer)
    answer = client.request("completions", text="info reg", column=9)
    tap.check(answer["body"]["targets"] == [{"label": "registers", "start": 6, "length": 3}],
              "a command", answer)
    answer = client.request("completions", text="print $r1 + num more", column=16)
    tap.check(answer["body"]["targets"] == [{"label": "numbers", "start": 13, "length": 3}],
              "a region", answer)
    answer = client.request("completions", text="p $r6", column=6)
    tap.check([t["label"] for t in answer["body"]["targets"]] == ["$r6", "$r60", "$r61", "$r62",
                                                                  "$r63"], "registers", answer)
    answer = client.request("completions", text="p nothing", column=10)
    tap.check(answer["success"] and not answer["body"]["targets"], "nothing", answer)
    answer = client.request("completions", text="x", column=99999)
    tap.check(answer["success"], "a column beyond the text", answer)
    client.request("disconnect")
    tap.check(client.end() == 0, "exit status")


def search(rows, address):
    """Row of an address as editors find it, by bisection; None."""
    low, high = 0, len(rows) - 1
    while low <= high:
        middle = (low + high) // 2
        if rows[middle] == address:
            return middle
        low, high = (low, middle - 1) if rows[middle] > address else (middle + 1, high)
    return None


def addresses(client, reference, offset, count, **more):
    """Of the rows of a disassembly view, and which of them are instructions."""
    answer = client.request("disassemble", memoryReference=reference, offset=0,
                            instructionOffset=offset, instructionCount=count, **more)
    if not answer["success"]:
        return [], []
    found = answer["body"]["instructions"]
    return ([int(i["address"], 16) for i in found],
            [i.get("presentationHint") != "invalid" for i in found])


def is_view(client, reference):
    """What a view asks for around a place, before it, after it, and from its own first row."""
    here = int(reference, 16)
    rows, real = addresses(client, reference, -200, 400)
    good = len(rows) == 400 and search(rows, here) == 200 and real[200]
    for offset, count in ((-50, 50), (-50, 49), (0, 100), (1, 50), (-65535, 65536), (60000, 9)):
        some, _ = addresses(client, reference, offset, count)
        good &= len(some) == count and all(a < b for a, b in zip(some, some[1:]))
        good &= search(some, here) == (-offset if -count < offset <= 0 else None)
    # other rows as references, placeholders too
    for k in 0, 100, 199, 399:
        again, _ = addresses(client, hex(rows[k]), -k, 400)
        good &= again == rows
    steps = [b - a for a, b, x, y in zip(rows, rows[1:], real, real[1:]) if not x or not y]
    sizes = [b - a for a, b, x, y in zip(rows, rows[1:], real, real[1:]) if x and y]
    # the last instruction may be longer than a step
    good &= all(s > 0 for s in steps) and sum(s != min(steps) for s in steps) <= 1
    return good and (not sizes or min(steps) <= min(sizes)), rows, real


def view(tap, vshader, jobs, device):
    """The disassembly view of editors, which look rows up by address."""
    for name in ("demo/01-lit-mesh", "demo/08-qpu", "bifrost/shaders", "midgard/shaders",
                 "utgard/shaders", "demo/04-geometry"):
        job = os.path.join(jobs, name + ".json")
        client = Client(vshader, device)
        start(client, tap, job, stopOnEntry=True)
        client.request("configurationDone")
        thread = client.event("stopped")["threadId"]
        frame = client.request("stackTrace", threadId=thread)["body"]["stackFrames"][0]
        good, *what = is_view(client, frame["instructionPointerReference"])
        tap.check(good, "%s: the row of the pc is found" % name, what)
        good, seen = True, []
        for source in client.request("loadedSources")["body"]["sources"]:
            answer = client.request("setBreakpoints", source=source,
                                    breakpoints=[{"line": 1}, {"line": 3}])
            for point in answer["body"]["breakpoints"]:
                if point["verified"]:
                    seen.append(point["instructionReference"])
                    good &= is_view(client, seen[-1])[0]
        tap.check(good and seen, "%s: in all programs" % name, seen)
        client.request("disconnect")
        tap.check(client.end() == 0, "exit status")


def placeholders(tap, vshader, job, device):
    """Rows that are no instructions."""
    client = Client(vshader, device)
    start(client, tap, job, stopOnEntry=True)
    client.request("configurationDone")
    thread = client.event("stopped")["threadId"]
    frame = client.request("stackTrace", threadId=thread)["body"]["stackFrames"][0]
    here = frame["instructionPointerReference"]
    rows, real = addresses(client, here, -3, 200)
    last = max(k for k in range(200) if real[k])
    points = [{"instructionReference": hex(rows[0])}, {"instructionReference": hex(rows[last + 1])},
              {"instructionReference": hex(rows[0]), "offset": int(here, 16) - rows[0]},
              {"instructionReference": hex(rows[last + 1]), "offset": rows[last] - rows[last + 1]},
              {"instructionReference": here, "offset": rows[last] - int(here, 16)}]
    answer = client.request("setInstructionBreakpoints", breakpoints=points)
    found = answer["body"]["breakpoints"]
    tap.check([b["verified"] for b in found] == [False, False, True, True, True] and
              found[2]["instructionReference"] == here and
              found[3]["instructionReference"] == hex(rows[last]),
              "breakpoints only on instructions, by any row's reference", answer)
    for reference, offset in ((rows[0], int(here, 16) - rows[0]),
                              (rows[150], rows[last] - rows[150])):
        answer = client.request("disassemble", memoryReference=hex(reference), offset=offset,
                                instructionCount=1)
        got = int(answer["body"]["instructions"][0]["address"], 16)
        tap.check(got == reference + offset, "an offset in bytes", answer)
    for arguments in ({"instructionOffset": 1 << 62, "instructionCount": 1},
                      {"instructionOffset": -(1 << 62), "instructionCount": 1},
                      {"instructionOffset": 1 << 31, "instructionCount": 1},
                      {"offset": -(1 << 62), "instructionCount": 1},
                      {"offset": 1 << 31, "instructionCount": 1},
                      {"offset": 1, "instructionCount": 1}):
        answer = client.request("disassemble", memoryReference=here, **arguments)
        tap.check(not answer["success"] and answer["message"], "beyond all addresses", answer)
    client.request("disconnect")
    tap.check(client.end() == 0, "exit status")


def from_zero(tap, vshader, job, device):
    """Clients that count lines and columns from 0 see the same places."""
    def places(first):
        client = Client(vshader, device)
        client.request("initialize", adapterID="vshader", linesStartAt1=first > 0,
                       columnsStartAt1=first > 0)
        client.request("launch", program=job, stopOnEntry=True)
        client.event("initialized")
        source = client.request("loadedSources")["body"]["sources"][0]
        answer = client.request("setBreakpoints", source=source, breakpoints=[
            {"line": 19 + first}, {"line": 3 + first}, {"line": 99998 + first}])
        points = answer["body"]["breakpoints"]
        lines = client.request("breakpointLocations", source=source, line=first,
                               endLine=29 + first)["body"]["breakpoints"]
        client.request("configurationDone")
        thread = client.event("stopped")["threadId"]
        frame = client.request("stackTrace", threadId=thread)["body"]["stackFrames"][0]
        rows = client.request("disassemble", memoryReference=frame["instructionPointerReference"],
                              instructionOffset=-5, instructionCount=20)["body"]["instructions"]
        targets = client.request("completions", text="info reg",
                                 column=8 + first)["body"]["targets"]
        client.request("disconnect")
        client.end()
        return ([p.get("line", 0) - first for p in points[:2]], points[2]["verified"],
                [p.get("instructionReference") for p in points],
                [p["line"] - first for p in lines], frame["line"] - first,
                frame["column"] - first, [r["line"] - first for r in rows if "line" in r],
                [(t["label"], t["start"] - first) for t in targets])

    one, zero = places(1), places(0)
    tap.check(one == zero, "lines and columns from 0", [one, zero])
    tap.check(one[0] == [19, 4] and not one[1] and one[4] == 4 and one[5] == 0 and len(one[6]) > 9,
              "they are the source's", one)
    tap.check(one[3] and one[3][0] == 4 and 19 in one[3] and max(one[3]) < 30 and
              len(one[3]) < 30, "lines with instructions", one)


def pause(tap, vshader, device):
    """A job that does not end."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(SPIN, file)
        file.flush()
        client = Client(vshader, device)
        start(client, tap, file.name)
        client.request("configurationDone")
        tap.check(client.request("threads")["body"]["threads"] == [{"id": 1, "name": "spin"}],
                  "threads of a running job")
        answer = client.request("stackTrace", threadId=1)
        tap.check(not answer["success"] and "running" in answer["message"], "no stack of it", answer)
        tap.check(client.request("pause", threadId=1)["success"], "pause")
        tap.check(client.event("stopped")["reason"] == "pause", "it stops")
        client.request("continue", threadId=1)
        tap.check(client.request("disconnect")["success"], "disconnect from a running job")
        tap.check(client.end() == 0, "exit status")


def nonsense(tap, vshader, job, device):
    """Random command lines and requests: answers, whatever they are."""
    words = ["p", "x", "/4xw", "set", "var", "$r0", "$pc", "=", "numbers", "*", "&", "(", ")", "[",
             "]", "{", "}", "u8", "f32", "@", "5", "-1", "0x7fffffffffffffff", "1e400", "break",
             "tbreak", "watch", "if", "invocation", "==", "-", ",", ":", "reverse", "delete",
             "info", "registers", "threads", "display", "undisplay", "list", "disassemble",
             "condition", "ignore", "thread", "/999999999i", "step", "until", "output", "<<",
             "%", "/", "<=", "~", ".x", "\\", "\t", "'", "\u00e4", "memory", "start", "printf", "\"%d\"",
             "find", "+8", "end", "$$", "apply", "all", "locals", "functions", "show", "up",
             "frame", "log"]
    names = ["evaluate", "setBreakpoints", "variables", "scopes", "disassemble", "readMemory",
             "writeMemory", "setVariable", "stackTrace", "source", "setInstructionBreakpoints",
             "dataBreakpointInfo", "setDataBreakpoints", "setExpression", "completions",
             "setFunctionBreakpoints", "breakpointLocations"]
    keys = ["expression", "source", "breakpoints", "variablesReference", "frameId", "count",
            "memoryReference", "instructionCount", "data", "name", "value", "threadId", "start",
            "sourceReference", "text", "column", "line", "endLine",
            "offset", "instructionOffset", "dataId", "accessType"]
    values = [None, -1, 0, 1, 1 << 62, 1.5, "0x100000004", "x", "", [], {}, [1], [{}],
              {"sourceReference": 1}, [{"line": 3, "condition": "("}], True, "numbers"]
    rng = random.Random(7)
    client = Client(vshader, device)
    start(client, tap, job, stopOnEntry=True)
    client.request("configurationDone")
    client.event("stopped")
    answers = 0
    for _ in range(600):
        line = " ".join(rng.choice(words) for _ in range(rng.randint(1, 9)))
        answers += client.request("evaluate", expression=line, context="repl")["type"] == "response"
        if line.startswith("if "):
            client.request("evaluate", expression="end", context="repl")
        name = rng.choice(names)
        arguments = {rng.choice(keys): rng.choice(values) for _ in range(rng.randint(0, 4))}
        answers += client.request(name, **arguments)["type"] == "response"
    tap.check(answers == 1200, "random commands and requests are answered")
    client.request("disconnect")
    tap.check(client.end() == 0, "exit status")


def main():
    vshader, jobs = sys.argv[1:3]
    device = sys.argv[3] if len(sys.argv) > 3 else "local"
    job = os.path.join(jobs, "bifrost", "shaders.json")
    tap = Tap()
    print("TAP version 13")
    session(tap, vshader, job, device)
    ends(tap, vshader, job, device)
    utgard(tap, vshader, os.path.join(jobs, "utgard", "shaders.json"), device)
    sources(tap, vshader, os.path.join(jobs, "demo", "08-qpu.json"), device)
    data_breakpoints(tap, vshader, job, device)
    exceptions(tap, vshader, job, device)
    commands(tap, vshader, os.path.join(jobs, "demo", "01-lit-mesh.json"), device)
    logpoints(tap, vshader, job, device)
    edits(tap, vshader, job, device)
    view(tap, vshader, jobs, device)
    placeholders(tap, vshader, job, device)
    from_zero(tap, vshader, os.path.join(jobs, "demo", "08-qpu.json"), device)
    pause(tap, vshader, device)
    nonsense(tap, vshader, job, device)
    print("1..%d" % tap.number)
    return 1 if tap.failed else 0


if __name__ == "__main__":
    sys.exit(main())
