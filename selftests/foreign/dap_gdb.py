#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""One session of the Debug Adapter Protocol with gdb and with "vshader debug --dap", compared.

usage: dap_gdb.py VSHADER JOB SOURCE LINE PROGRAM TEXT LINE NAME COMMAND...

JOB has a program of SOURCE, with a breakpoint at LINE; PROGRAM is one for gdb, of TEXT. COMMAND is gdb
with its arguments, NAME is how results name it. Prints results of TAP without a plan.
"""

import json
import os
import select
import subprocess
import sys
import time

TIMEOUT = 300

# What gdb's answers have and ours lack, and why.
ONLY_GDB = {
    "setBreakpoints/breakpoints/reason": "no breakpoint is pending: programs are read by the launch",
    "stackTrace/stackFrames/moduleId": "there are no modules",
    "stackTrace of levels/stackFrames/moduleId": "there are no modules",
    "scopes/scopes/line": "registers belong to an invocation, not to lines",
    "scopes/scopes/source": "as above",
    "scopes/scopes/source/name": "as above",
    "scopes/scopes/source/path": "as above",
    "variables/variables/namedVariables": "a vector's components have no names",
    "loadedSources/sources/sourceReference": "all sources here are files",
    "setExceptionBreakpoints/breakpoints": "optional; the exceptions have no numbers",
}
# Abilities of gdb that are not those of a shader's debugger.
ONLY_GDB_CAN = {
    "supportTerminateDebuggee": "the jobs end with their debugger",
    "supportsCancelRequest": "no request takes long",
    "completionTriggerCharacters": "clients complete words without",
    "supportsExceptionFilterOptions": "the filter has no condition",
    "supportsModulesRequest": "there are no modules",
    "supportsSingleThreadExecutionRequests": "invocations are executed by the job",
    "supportsValueFormattingOptions": "formats are those of the expression, as p/x",
    "supportsVariablePaging": "a bank is sent as a whole",
    "supportsVariableType": "registers have no type",
}


class Server:
    """An adapter, what it has answered and the events that it has sent."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        self.buffer = b""
        self.seq = 0
        self.answers = {}
        self.events = []
        self.record = {}

    def message(self):
        end = time.monotonic() + TIMEOUT
        while True:
            head, mark, rest = self.buffer.partition(b"\r\n\r\n")
            if mark:
                size = int(head.split(b":")[-1])
                if len(rest) >= size:
                    self.buffer = rest[size:]
                    return json.loads(rest[:size])
            if not select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError("no message")
            data = os.read(self.process.stdout.fileno(), 65536)
            if not data:
                raise EOFError("the adapter has ended")
            self.buffer += data

    def send(self, command, arguments):
        self.seq += 1
        text = json.dumps({"seq": self.seq, "type": "request", "command": command,
                           "arguments": arguments}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self.process.stdin.flush()
        return self.seq

    def next(self):
        message = self.message()
        if message["type"] == "response":
            self.answers[message["request_seq"]] = message
        else:
            self.events.append(message)

    def answer(self, number, name):
        while number not in self.answers:
            self.next()
        self.record[name] = self.answers.pop(number)
        return self.record[name].get("body") or {}

    def request(self, name, /, *, called=None, **arguments):
        return self.answer(self.send(name, arguments), called or name)

    def event(self, *names):
        """The next event of these names; earlier ones are dropped."""
        while True:
            while self.events:
                event = self.events.pop(0)
                if event["event"] in names:
                    return event
            self.next()


def session(server, launch, source, line, symbol):
    """The requests of an editor, and some that are wrong."""
    server.request("initialize", clientID="test", adapterID="test", pathFormat="path",
                   linesStartAt1=True, columnsStartAt1=True)
    launched = server.send("launch", launch)
    server.event("initialized")
    server.request("setBreakpoints", source={"path": source}, breakpoints=[{"line": line}])
    server.request("configurationDone")
    server.answer(launched, "launch")
    stop = server.event("stopped")["body"]
    server.record["stop"] = {"success": True, "body": stop}
    thread = stop["threadId"]
    server.request("threads")
    frame = server.request("stackTrace", threadId=thread)["stackFrames"][0]
    server.request("stackTrace", called="stackTrace of levels", threadId=thread, startFrame=0, levels=1)
    server.request("stackTrace", called="stackTrace of the rest", threadId=thread, startFrame=50,
                   levels=20)
    scopes = server.request("scopes", frameId=frame["id"])["scopes"]
    registers = [s for s in scopes if s.get("presentationHint") == "registers"][0]
    server.request("variables", variablesReference=registers["variablesReference"])
    pc = frame["instructionPointerReference"]
    server.request("disassemble", memoryReference=pc, instructionCount=4)
    server.request("disassemble", called="disassemble before", memoryReference=pc,
                   instructionOffset=-400, instructionCount=402)
    server.request("evaluate", expression="1 + 2", frameId=frame["id"], context="watch")
    server.request("evaluate", called="evaluate repl", expression="info threads", context="repl")
    server.request("evaluate", called="evaluate nonsense", expression="1 +* ", frameId=frame["id"])
    server.request("breakpointLocations", source={"path": source}, line=line)
    server.request("next", threadId=thread)
    server.record["step"] = {"success": True, "body": server.event("stopped")["body"]}
    server.request("loadedSources")
    server.request("setInstructionBreakpoints", breakpoints=[{"instructionReference": pc}])
    server.request("setInstructionBreakpoints", called="no instruction breakpoint", breakpoints=[])
    server.request("setFunctionBreakpoints", breakpoints=[{"name": symbol}])
    server.request("setFunctionBreakpoints", called="no function breakpoint", breakpoints=[])
    server.request("setExceptionBreakpoints", filters=[])
    server.request("noSuchRequest")
    server.request("scopes", called="scopes of no frame", frameId=9999)
    server.request("variables", called="variables of nothing", variablesReference=99999)
    server.request("setBreakpoints", called="no breakpoint", source={"path": source}, breakpoints=[])
    server.request("continue", threadId=thread)
    server.record["exited"] = {"success": True, "body": server.event("exited")["body"]}
    server.event("terminated")
    server.request("disconnect")
    server.process.stdin.close()
    server.record["end"] = {"success": server.process.wait(TIMEOUT) == 0}


def shape(value, path, out):
    """{path: kind of value} of an answer; elements of lists are one"""
    if isinstance(value, dict):
        for key, member in value.items():
            shape(member, path + "/" + key, out)
    elif isinstance(value, list):
        out[path] = "list"
        for member in value:
            shape(member, path, out)
        if value and not isinstance(value[0], (dict, list)):
            out[path + "/*"] = type(value[0]).__name__
    else:
        out[path] = type(value).__name__
    return out


def result(good, text, *why):
    if not good:
        for line in why:
            print("# %s" % (line,))
    print("%s - %s" % ("ok" if good else "not ok", text))


def compare(name, gdb, own):
    for request, answer in gdb.items():
        mine = own[request]
        # requests that gdb does not know are extensions, or not required
        result(mine["success"] == answer["success"],
               "%s: %s: %s" % (name, request, "accepted" if answer["success"] else "refused"),
               json.dumps(mine)[:300])
        if not answer["success"]:
            result(isinstance(mine.get("message"), str) and mine["message"],
                   "%s: %s: a message says why" % (name, request), mine)
            continue
        theirs = shape(answer.get("body") or {}, request, {})
        ours = shape(mine.get("body") or {}, request, {})
        if request == "initialize":
            for key in sorted(set(theirs) - set(ours)):
                ability = key.split("/")[1]
                result(ability in ONLY_GDB_CAN or ability in ("exceptionBreakpointFilters",
                                                              "breakpointModes"),
                       "%s: %s is not for shaders" % (name, key), theirs[key])
            continue
        for key in sorted(set(theirs) & set(ours)):
            if theirs[key] != ours[key]:
                result(False, "%s: %s is a %s" % (name, key, theirs[key]), "%s here" % ours[key])
        without = {key for key in set(theirs) - set(ours) if key not in ONLY_GDB}
        result(not without, "%s: %s: all that gdb answers" % (name, request), sorted(without))


def rows(name, gdb, own):
    """Where the rule of the protocol and gdb differ: as many rows as were asked for."""
    theirs = gdb["disassemble before"]["body"]["instructions"]
    ours = own["disassemble before"]["body"]["instructions"]
    at = own["stackTrace"]["body"]["stackFrames"][0]["instructionPointerReference"]
    result(len(ours) == 402 and ours[400]["address"] == at,
           "%s: rows before the program, where gdb has %d of 402" % (name, len(theirs)), len(ours))
    result(own["disassemble"]["body"]["instructions"][0]["address"] == at and
           gdb["disassemble"]["body"]["instructions"][0]["address"] ==
           gdb["stackTrace"]["body"]["stackFrames"][0]["instructionPointerReference"],
           "%s: rows begin at the pc" % name)
    for record, who in ((gdb, "gdb"), (own, "vshader")):
        result(record["stop"]["body"]["reason"] == "breakpoint" and
               record["step"]["body"]["reason"] == "step" and
               len(record["stop"]["body"]["hitBreakpointIds"]) == 1 and
               record["exited"]["body"]["exitCode"] == 0 and
               record["evaluate"]["body"]["result"] == "3" and
               record["stackTrace of the rest"]["body"]["stackFrames"] == [] and
               len(record["stackTrace of levels"]["body"]["stackFrames"]) == 1 and
               record["breakpointLocations"]["body"]["breakpoints"] != [],
               "%s: the session of %s" % (name, who), json.dumps(record)[:2000])


def main(vshader, job, source, line, program, text, text_line, name, *command):
    own = Server([vshader, "debug", "--dap", "--device", "local"])
    session(own, {"program": job}, source, int(line), "loop")
    gdb = Server(list(command))
    session(gdb, {"program": program}, text, int(text_line), "twice")
    compare(name, gdb.record, own.record)
    rows(name, gdb.record, own.record)


if __name__ == "__main__":
    main(*sys.argv[1:])
