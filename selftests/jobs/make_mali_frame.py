#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Writes job files with frames of Mali GPUs: a TILER chain, then a FRAGMENT chain.

    make_mali_frame.py            writes bifrost/frame.json, midgard/frame.json

The draw has no program: it writes depth and stencil of a rectangle, and counts its samples. Run it
in this folder; the files that it writes are committed.
"""
import struct

from make_demo import Flow, write

SIZE = 96
BOX = (10, 20, 70, 80)
COUNTER, LIST, FB, POSITIONS, HEAP = 0x540, 0x800, 0x1000, 0x2000, 0x8000
TILER, FRAGMENT, STATE, VIEWPORT, CONTEXT, HEAP_DESC = 0, 0x200, 0x400, 0x500, 0x600, 0x700
CLEARED, DRAWN = 0x55ffffff, 0xaa800000


class Memory:
    """Pieces of a region; values are words."""

    def __init__(self):
        self.pieces = []

    def put(self, at, *words):
        self.pieces.append({"offset": at, "words": Flow(words)})


def bits(value):
    return f"{struct.unpack('<I', struct.pack('<f', value))[0]:#x}"


def address(at):
    """An address fills two words, but is given as one."""
    return f"frame+{at:#x}"


def draw(m, midgard):
    at = TILER + (64 if midgard else 128)
    m.put(TILER + 16, 7 << 1 | 1)
    m.put(TILER + 32, 3, f"{8 << 22:#x}")
    # a strip of four vertices
    m.put(TILER + 40, 10, 0, 0, 3)
    m.put(at, 2 | 3 << 3)
    m.put(at + 16, address(POSITIONS))
    m.put(at + 56, address(STATE))
    m.put(at + 96, address(VIEWPORT))
    m.put(at + 104, address(COUNTER))
    if midgard:
        m.put(at + 112, address(FB + 1))
    else:
        m.put(TILER + 72, address(CONTEXT))


def state(m):
    m.put(VIEWPORT + 20, bits(1), 0, (SIZE - 1) * 0x10001)
    # all samples; depth less, written; stencil always, replaced
    m.put(STATE + 32, f"{0xffff | 1 << 24 | 1 << 27:#x}", f"{0xffff | 1 << 16:#x}",
          f"{0xaa | 0xff << 8 | 7 << 16 | 1 << 25:#x}",
          f"{0xaa | 0xff << 8 | 7 << 16 | 1 << 25:#x}")
    for i, (x, y) in enumerate(((0, 1), (2, 1), (0, 3), (2, 3))):
        m.put(POSITIONS + 16 * i, bits(BOX[x]), bits(BOX[y]), bits(0.5), bits(1))


def framebuffer(m, midgard):
    m.put(FB + 32, (SIZE - 1) * 0x10001)
    m.put(FB + 48, f"{0x55 | 1 << 8 | 1 << 16 | 1 << 18 | 1 << 21:#x}", bits(1))
    # D24S8, linear, also tiles without primitives
    m.put(FB + 128 + 12, 5 | 2 << 4 | 1 << 10)
    m.put(FB + 128 + 16, "depth")
    m.put(FB + 128 + 24, SIZE * 4)
    m.put(FB + 192, f"{1 << 26:#x}")
    if midgard:
        m.put(FB + 64, address(LIST))
        m.put(FB + 80, address(HEAP))
        m.put(FB + 88, address(HEAP + 0x1000))
        return
    m.put(FB + 56, address(CONTEXT))
    m.put(CONTEXT + 12, (SIZE - 1) * 0x10001)
    m.put(CONTEXT + 24, address(HEAP_DESC))
    m.put(HEAP_DESC + 8, address(HEAP))
    m.put(HEAP_DESC + 16, address(HEAP))
    m.put(HEAP_DESC + 24, address(HEAP + 0x1000))


def fragment(m):
    m.put(FRAGMENT + 16, 9 << 1 | 1)
    m.put(FRAGMENT + 36, (SIZE // 16 - 1) * 0x10001)
    m.put(FRAGMENT + 40, address(FB + 1))


def picture():
    inside = [BOX[0] <= i % SIZE < BOX[2] and BOX[1] <= i // SIZE < BOX[3]
              for i in range(SIZE * SIZE)]
    return [Flow(f"{DRAWN if i else CLEARED:#x}" for i in inside[y * SIZE:(y + 1) * SIZE])
            for y in range(SIZE)]


def memory(midgard):
    m = Memory()
    draw(m, midgard)
    state(m)
    framebuffer(m, midgard)
    fragment(m)
    return m


def frame(engine, gpu):
    m = memory(engine == "midgard")
    area = (BOX[2] - BOX[0]) * (BOX[3] - BOX[1])
    # Midgard counts four for a pixel without multisampling
    samples = area * (4 if engine == "midgard" else 1)
    chain = {"format": engine + "-chain", "gpu": gpu}
    write(engine + "/frame.json", {
        "name": engine.capitalize() + " frame",
        "description": "A rectangle of depth and stencil: the tiler's chain, then the fragments'.",
        "engine": engine,
        "memory": [{"name": "frame", "size": 65536, "data": m.pieces},
                   {"name": "depth", "size": SIZE * SIZE * 4}],
        "jobs": [
            {"name": "tiler", "native": {**chain, "at": "frame"},
             "expect": [{"at": address(TILER), "u32": Flow([1])}]},
            {"name": "fragments", "native": {**chain, "at": address(FRAGMENT)},
             "expect": [{"at": address(FRAGMENT), "u32": Flow([1])},
                        {"name": "samples", "at": address(COUNTER), "u32": Flow([samples, 0])},
                        {"name": "picture", "at": "depth", "u32": picture()}]}],
        "images": [{"name": engine + "-depth", "at": "depth", "width": SIZE, "height": SIZE,
                    "format": "z24s8"}]})


if __name__ == "__main__":
    frame("bifrost", "g52")
    frame("midgard", "t860")
