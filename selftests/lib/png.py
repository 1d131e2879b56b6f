#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""PNG files with 8 bits of red, green, blue and perhaps alpha, for tests.

    png.py FILE EXPRESSION     exit status 0: true; of w, h and rows of pixels
"""
import struct
import sys
import zlib


def chunks(data):
    """Kind and contents, after the signature."""
    at = 8
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        yield kind, data[at + 8:at + 8 + size]
        at += 12 + size


def unfilter(how, row, before, size):
    """A row of pixels of @size bytes, in place; @before: the row above."""
    for i, value in enumerate(row):
        a, b, c = (row[i - size], before[i], before[i - size]) if i >= size else (0, before[i], 0)
        p = a + b - c
        near = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
        row[i] = value + (0, a, b, (a + b) // 2, near)[how] & 255


def read(path):
    """Width, height, rows of (r, g, b, a), or of (r, g, b)."""
    with open(path, "rb") as f:
        found = list(chunks(f.read()))
    w, h, bits, colours = struct.unpack(">IIBB", found[0][1][:10])
    if bits != 8 or colours not in (2, 6):
        raise ValueError(path + ": not RGB or RGBA of 8 bits")
    size = 4 if colours == 6 else 3
    data = zlib.decompress(b"".join(body for kind, body in found if kind == b"IDAT"))
    rows, before = [], bytes(size * w)
    for y in range(h):
        line = data[y * (size * w + 1):(y + 1) * (size * w + 1)]
        row = bytearray(line[1:])
        if line[0]:
            unfilter(line[0], row, before, size)
        before = bytes(row)
        rows.append([tuple(row[size * x:size * x + size]) for x in range(w)])
    return w, h, rows


if __name__ == "__main__":
    w, h, rows = read(sys.argv[1])
    # expressions of the tests
    sys.exit(0 if eval(sys.argv[2]) else 1)  # pylint: disable=eval-used
