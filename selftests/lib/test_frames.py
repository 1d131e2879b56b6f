#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Frames that Mesa submitted, captured in the corpus: the colour target after the tiler's and
the fragments' chains, compared with the picture of Mesa's software renderer. TAP on stdout.

    test_frames.py VSHADER MALI_CAPTURE CORPUS
"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

import png

GPUS = {"860": "t860", "7212": "g52"}
# The picture's differences to hardware: interpolation, filtering.
TOLERANCE = 1


def read_ppm(name):
    with open(name, "rb") as f:
        data = f.read()
    m = re.match(rb"P6\s+(\d+)\s+(\d+)\s+255\s", data)
    return int(m[1]), int(m[2]), data[m.end():]


def tile_index(x, y):
    """Number of a pixel in its tile of 16 x 16, u-interleaved."""
    index = 0
    for bit in range(4):
        index |= ((x ^ y) >> bit & 1) << 2 * bit | (y >> bit & 1) << 2 * bit + 1
    return index


def target_of(folder):
    """Address of the colour target that the last frame writes."""
    with open(folder + "/pandecode.txt", encoding="ascii", errors="replace") as f:
        return re.findall(r"\n    RGB:\n      Base: (0x[0-9a-f]+)", f.read())[-1]


def expectation(folder, picture):
    """Bytes of the target; pictures have their first row at the top, and no alpha."""
    width, height, rgb = read_ppm(picture)
    want = [None] * (width * height * 4)
    for y in range(height):
        for x in range(width):
            at = (y // 16 * (width // 16) + x // 16) * 256 + tile_index(x % 16, y % 16)
            pixel = ((height - 1 - y) * width + x) * 3
            want[4 * at:4 * at + 3] = rgb[pixel:pixel + 3]
    return {"name": "target", "at": target_of(folder), "u8": want, "abs": TOLERANCE}


def frame_submits(folder):
    """The last frame: the tiler's chain and the fragments'."""
    return sorted(glob.glob(folder + "/submit*.txt"))[-2:]


def run(vshader, tool, folder, gpu, picture, path):
    subprocess.run([tool, "--gpu", gpu, "--output", path, *frame_submits(folder)], check=True)
    with open(path, encoding="ascii") as f:
        job = json.load(f)
    job["jobs"][-1]["expect"] = [expectation(folder, picture)]
    with open(path, "w", encoding="ascii") as f:
        json.dump(job, f)
    done = subprocess.run([vshader, "run", "--device", "local", "--png", os.path.dirname(path),
                           path], capture_output=True, text=True, check=False)
    for line in (done.stdout + done.stderr).splitlines():
        print("# " + line)
    return done.returncode == 0 and same_picture(path, picture)


def same_picture(path, picture):
    """Whether the target that vshader has found and written is the picture, upside down."""
    found = glob.glob(os.path.dirname(path) + "/*.colour0.png")
    if len(found) != 1:
        return False
    width, height, rows = png.read(found[0])
    os.remove(found[0])
    want = read_ppm(picture)
    rgb = bytes(v for row in reversed(rows) for pixel in row for v in pixel[:3])
    return (width, height) == want[:2] and len(rgb) == len(want[2]) and \
        all(abs(a - b) <= TOLERANCE for a, b in zip(rgb, want[2]))


# A pixel that the frame's last draw covers, and the index of its job.
PIXELS = {"tri-7212": (30, 40, 2), "tex-860": (30, 40, 3)}


def stops_at(vshader, path, x, y, draw):
    """Whether the debugger stops in the program at the pixel of the draw, and only there."""
    where = f"$pixel.x == {x} && $pixel.y == {y}"
    commands = ["start", f"break *0 if {where} && $draw == {draw}",
                f"break *0 if {where} && $draw && $draw != {draw}", "run", "print $pixel",
                "continue"]
    words = [word for command in commands for word in ("-ex", command)]
    done = subprocess.run([vshader, "debug", "--device", "local", "-batch", *words, path],
                          capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    good = sum(line.startswith("Breakpoint 1, ") for line in lines) == 1 and \
        not any(line.startswith("Breakpoint 2, ") for line in lines) and \
        f"$1 = {{x = {x}, y = {y}}}" in lines
    if not good:
        for line in lines + done.stderr.splitlines():
            print("# " + line)
    return good


def main():
    vshader, tool, corpus = sys.argv[1:4] + [""] * (4 - len(sys.argv))
    print("TAP version 13")
    frames = sorted(glob.glob(corpus + "/mesa/panfrost/*-*")) if corpus else []
    count = bad = 0
    with tempfile.TemporaryDirectory() as tmp:
        for folder in frames:
            name, number = os.path.basename(folder).rsplit("-", 1)
            picture = corpus + "/mesa/images/llvmpipe/img-" + name + ".ppm"
            if number not in GPUS or not os.path.exists(picture):
                continue
            ok = run(vshader, tool, folder, GPUS[number], picture, tmp + "/frame.json")
            count += 1
            bad += not ok
            print("%sok %d %s on %s" % ("" if ok else "not ", count, name, GPUS[number]))
            pixel = PIXELS.get(os.path.basename(folder))
            if not pixel:
                continue
            ok = stops_at(vshader, tmp + "/frame.json", *pixel)
            count += 1
            bad += not ok
            print("%sok %d %s on %s: a pixel of a draw" %
                  ("" if ok else "not ", count, name, GPUS[number]))
    if not count:
        print("1..0 # SKIP no corpus given")
        print("# Totals: pass:0 fail:0 xfail:0 xpass:0 skip:0 error:0")
        return 4
    print("1..%d" % count)
    print("# Totals: pass:%d fail:%d xfail:0 xpass:0 skip:0 error:0" % (count - bad, bad))
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
