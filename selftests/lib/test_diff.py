#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Rows of Documentation/references.rst that "vshader diff" names. TAP on stdout.

usage: test_diff.py VSHADER JOBS
"""

import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib

number = 0
failed = False


def result(good, text, what=None):
    global number, failed
    number += 1
    failed |= not good
    print("%sok %d %s" % ("" if good else "not ", number, text))
    if not good:
        print("# %s" % (what,))


def diff(vshader, a, b, *options):
    device = ["--device", "local"] if a.endswith(".json") else []
    done = subprocess.run([vshader, "diff", *device, *options, a, b], check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def write_png(path, rows):
    """Rows of (r, g, b, a)"""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 6, 0, 0, 0)
    data = b"".join(b"\0" + b"".join(bytes(p) for p in row) for row in rows)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) +
                   chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b""))


def pictures(vshader, folder):
    a, b = os.path.join(folder, "a.png"), os.path.join(folder, "b.png")
    for name, one, two, rows in (
            ("sRGB", (188, 188, 188, 255), (185, 188, 188, 255), ["store-srgb-steps"]),
            ("a bit", (188, 10, 10, 255), (187, 10, 10, 255),
             ["varying-slope", "filter-unorm8", "level-weights", "blend-unorm8", "mediump",
              "store-srgb-steps"]),
            ("alpha by two", (1, 2, 3, 100), (1, 2, 3, 102),
             ["level-weights", "blend-unorm8", "mediump"]),
            ("alpha by three", (1, 2, 3, 100), (1, 2, 3, 103), []),
            ("a code of 5 bits", (8, 243, 247, 255), (16, 243, 239, 255), ["store-rgb565-steps"]),
            ("a code of 5 bits of green", (8, 247, 247, 255), (8, 239, 239, 255),
             ["store-rgb5a1-steps"]),
            ("two codes of 5 bits", (8, 243, 247, 255), (25, 243, 247, 255), []),
            ("a code of 4 bits", (34, 51, 85, 102), (34, 51, 68, 102), ["store-rgba4-tie"]),
            ("alpha of one bit", (9, 9, 9, 255), (9, 9, 9, 0), ["store-rgb5a1-alpha"]),
            ("another colour", (200, 0, 0, 255), (0, 200, 0, 255), [])):
        write_png(a, [[one] * 3] * 3)
        write_png(b, [[two] + [one] * 2] + [[one] * 3] * 2)
        status, text = diff(vshader, a, b)
        suffix = " (see %s)" % ", ".join(rows) if rows else ""
        result(status == 1 and text.startswith("pixel 0,0: %d %d %d %d, %d %d %d %d%s\n" %
                                               (*one, *two, suffix)), name, text)
        result(text.splitlines()[-1].endswith("; 1 of a kind in references.rst") == bool(rows),
               "%s: the closing line" % name, text)
        found = json.loads(diff(vshader, a, b, "--json")[1])
        result(found["list"][0].get("rows", []) == rows and found["explained"] == bool(rows),
               "%s: as JSON" % name, found)
    black, white = (0, 0, 0, 255), (255, 255, 255, 255)
    write_png(a, [[black, black, white, white]] * 3)
    write_png(b, [[black, white, white, white]] * 3)
    text = diff(vshader, a, b)[1]
    result(text.count("(see snapping)") == 3, "an edge one pixel further on", text)
    write_png(b, [[black, black, white, white], [white, black, white, white],
                  [black, black, white, white]])
    text = diff(vshader, a, b)[1]
    result("(see" not in text, "a pixel away from edges", text)


def words(vshader, folder):
    a, b = os.path.join(folder, "a.json"), os.path.join(folder, "b.json")

    def write(path, word):
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"files": [{"jobs": [{"name": "x", "data": ["0x%08x" % word]}]}]}, file)

    for name, one, two, rows in (
            ("saturated", 0x80000000, 0x7fffffff, ["float-to-int"]),
            ("NaN as an integer, or the sign of 0", 0x80000000, 0,
             ["float-to-int", "minus-0-plus-0"]),
            ("-1 as an unsigned integer", 0xffffffff, 0, ["float-to-int"]),
            ("bits of NaN", 0x7fc00000, 0xffc00000, ["nan-times-0"]),
            ("0 or NaN", 0x7fc00000, 0, ["min-max-nan-folded", "nan-times-literal-0"]),
            ("a number or NaN", 0x7fc00000, 0x40000000, ["min-max-nan-folded"]),
            ("0 or 1", 0, 0x3f800000, ["pow-0-0"]),
            ("a subnormal number", 0x0051aaf3, 0, ["denormal-product"]),
            ("of the other sign", 0x8051aaf3, 0, []),
            ("65504 or infinity", 0x477fe000, 0x7f800000, ["half-draw"]),
            ("65024 or infinity", 0x477e0000, 0x7f800000, ["r11f-draw"]),
            ("halves", 0x3f802000, 0x3f804000, ["half-draw"]),
            ("halves, far", 0x3f802000, 0x3f808000, []),
            ("6 bits of mantissa", 0x3f820000, 0x3f840000, ["r11f-draw"]),
            ("half of 255", 0x3f008081, 0x3f008080, ["unorm8-fetch"]),
            ("two neighbours", 0x40400000, 0x40400001, []),
            ("two numbers", 0x3f000000, 0x40000000, [])):
        write(a, one)
        write(b, two)
        for first, second in ((a, b), (b, a)):
            found = json.loads(diff(vshader, first, second, "--json")[1])
            result(sorted(found["list"][0].get("rows", [])) == sorted(rows), name, found)


def names(top):
    """Rows that the command and compare.py have are rows of the page."""
    used = set()
    for path, pattern in (("diff_rows.c", r'^\t\{ "([a-z0-9-]+)"'),
                          ("diff_rows.def", r'^[A-Z]+_ROW\("([a-z0-9-]+)"')):
        with open(os.path.join(top, "userspace", "cli", path), encoding="ascii") as file:
            found = re.findall(pattern, file.read(), re.M)
        result(len(found) > 8, "%s has rows" % path, found)
        used |= set(found)
    sys.path.insert(0, os.path.join(top, "selftests", "foreign"))
    import references  # pylint: disable=import-outside-toplevel
    page = references.page_rows(os.path.join(top, "Documentation", "references.rst"))
    result(not used - set(page), "names are rows of the page", used - set(page))


def main(vshader, jobs):
    print("TAP version 13")
    with tempfile.TemporaryDirectory() as folder:
        pictures(vshader, folder)
        words(vshader, folder)
    names(os.path.join(jobs, "..", ".."))
    print("1..%d" % number)
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
