#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Job files of the lima driver's error dumps: scripts/lima-capture. TAP.

usage: test_lima_capture.py VSHADER TOOL
"""

import json
import os
import struct
import subprocess
import sys
import tempfile

VERTICES = 3
LIST, ATTR, VAR, FROM, TO = 0x200, 0x300, 0x340, 0x400, 0x800
CODE = (0x000b0ec2, 0x438022c1, 0x40034400, 0x000ad508)


def pack(*values):
    return struct.pack("<%dI" % len(values), *values)


def chunk(kind, data, extra=0, size=None):
    return pack(kind, len(data) if size is None else size, extra, 0) + data


def task(kind, chunks):
    body = b"".join(chunks)
    return pack(kind, len(body), len(chunks), 0) + body


def dump(tasks, magic=0x414d494c, major=1):
    body = b"".join(tasks)
    return struct.pack("<IHHII16x", magic, major, 0, len(tasks), len(body)) + body


def copy_draw(base):
    """A buffer with a draw that copies vertices, the first components twice."""
    buf = bytearray(4096)

    def put(at, data):
        buf[at:at + len(data)] = data

    put(0, pack(*CODE))
    put(LIST, pack(base, 0x40010000, 0, 0x10000040, 0, 0x10000042, base + ATTR, 0x20020000,
                   base + VAR, 0x20020008, VERTICES << 24, 0))
    put(ATTR, pack(base + FROM, 16 << 11 | 3))
    put(VAR, pack(base + TO, 0x8020))
    put(FROM, struct.pack("<12f", *range(1, 13)))
    return bytes(buf)


def vertex_task(base):
    """Mesa's own buffer is at address 0."""
    frame = pack(base + LIST, base + LIST + 48, 0, 0, 0, 0)
    return task(0, [chunk(0, frame), chunk(2, b"glmark2\0".ljust(16, b"\0")),
                    chunk(3, b"", 4711), chunk(1, bytes(range(256)) * 16, 0),
                    chunk(1, copy_draw(base), base)])


def rectangle_task(base):
    """The list of the PLBU has indices and a program in the buffer at address 0."""
    buf = bytearray(4096)
    buf[0:32] = pack(0xc0, 0x10000101, base + 0x40, 0x80000000, 0, 0x50000000, 0, 0)
    buf[0x40 + 36:0x40 + 40] = pack(0x80 | 5)
    return task(0, [chunk(0, pack(0, 0, base, base + 24, 0, 0)), chunk(1, bytes(4096), 0),
                    chunk(1, bytes(buf), base)])


def pixel_task(words):
    """Word 1 is the clear state, in the buffer at address 0; a bit of word 14 is wrong."""
    frame = [0] * words
    frame[14], frame[23] = 1, 1
    return task(1, [chunk(0, pack(*frame)), chunk(1, bytes(4096), 0)])


class Tap:
    def __init__(self):
        self.number = 0
        self.failed = 0

    def result(self, ok, text):
        self.number += 1
        self.failed += not ok
        print("%sok %d %s" % ("" if ok else "not ", self.number, text))

    def end(self):
        print("1..%d" % self.number)
        return self.failed > 0


def main(vshader, tool):
    tap = Tap()
    with tempfile.TemporaryDirectory() as work:
        def capture(data, *options):
            path = os.path.join(work, "error")
            with open(path, "wb") as f:
                f.write(data)
            return subprocess.run([tool, *options, path, work], capture_output=True, text=True,
                                  check=False)

        def load(n):
            with open(os.path.join(work, "task%d.json" % n), encoding="ascii") as f:
                return json.load(f)

        def run(n, expect):
            job = load(n)
            job["jobs"][0]["expect"] = expect
            path = os.path.join(work, "test%d.json" % n)
            with open(path, "w", encoding="ascii") as f:
                json.dump(job, f)
            got = subprocess.run([vshader, "test", path], capture_output=True, text=True,
                                 check=False)
            if got.returncode:
                print("# " + (got.stdout + got.stderr).strip().replace("\n", "\n# "))
            return got.returncode == 0

        base = 0x10000
        got = capture(dump([vertex_task(base), pixel_task(68), pixel_task(78),
                            rectangle_task(base)]))
        tap.result(got.returncode == 0, "four tasks")
        tap.result("glmark2 (4711)" in load(0)["description"], "the process")
        tap.result(run(0, [{"at": "0x%x" % (base + TO),
                            "f32": [2.0, 2.0, 3.0, 4.0, 10.0, 6.0, 7.0, 8.0]}]),
                   "a vertex frame writes its vertices")
        tap.result(["0x00001000", 4096] in load(0)["memory"][0]["ranges"],
                   "the buffer at address 0 is elsewhere")
        gpus = [load(n)["jobs"][0]["native"]["gpu"] for n in range(3)]
        tap.result(gpus == ["mali400", "mali400", "mali450"], "the sizes of frames tell the GPU")
        for n in (1, 2):
            tap.result(run(n, [{"fault": "command", "address": "0xfffff038"}]),
                       "a pixel frame's fault, of task %d" % n)
        tap.result(load(1)["memory"][1]["data"]["words"][1] == "0x00001000",
                   "the clear state has moved along")
        with open(os.path.join(work, "task3.mem"), "rb") as f:
            data = f.read()[16:]
        tap.result(data[:4] == pack(0x10c0) and data[0x40 + 36:0x40 + 40] == pack(0x1080 | 5),
                   "so have indices and a program of a rectangle")
        got = capture(dump([vertex_task(base)]), "--gpu", "mali450")
        tap.result(load(0)["jobs"][0]["native"]["gpu"] == "mali450", "--gpu")
        whole = dump([vertex_task(base)])
        for data, text in ((b"nothing", "cut off"), (dump([], magic=1), "not a dump"),
                           (dump([], major=2), "version 2"), (whole[:-1], "cut off"),
                           (dump([task(1, [chunk(0, bytes(8))])]), "8 bytes of frame"),
                           (dump([task(7, [])]), "kind 7")):
            got = capture(data)
            tap.result(got.returncode == 1 and text in got.stderr, "message: " + text)
        bad = 0
        for n in range(0, len(whole), 509):
            got = capture(whole[:n])
            bad += got.returncode != 1 or "Traceback" in got.stderr
        tap.result(not bad, "any shorter dump is an error")
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
