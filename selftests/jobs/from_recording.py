#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Makes one job file of the two job chains of a frame that "vshader record" has recorded.

    from_recording.py FOLDER OUTPUT.json NAME DESCRIPTION ADDRESS WIDTH HEIGHT

ADDRESS is that of the colours, in u-interleaved order, four bytes a pixel. The chains are those of the vertices and of the fragments. Writes OUTPUT.json and
OUTPUT.mem.gz: memory before the first job, and what the driver has written before the second one.
Fails if the driver has written where the first job does. Some of the pixels are expected.
"""

import gzip
import json
import os
import struct
import sys

PAGE = 4096
HEAP = 1 << 26		# a range of this size is a heap, of which the start is used
SAMPLES = 12		# places in the picture with expected pixels


def read_image(path):
    """Pages by their address."""
    with open(path, "rb") as file:
        data = file.read()
    pages, at = {}, 0
    while at < len(data):
        va, size = struct.unpack_from("<QQ", data, at)
        at += 16
        for offset in range(0, size, PAGE):
            pages[va + offset] = data[at + offset:at + min(offset + PAGE, size)]
        at += size
    return pages


def write_image(path, pages):
    runs = []
    for va in sorted(pages):
        if not any(pages[va]):
            continue
        if runs and runs[-1][0] + len(runs[-1][1]) == va:
            runs[-1][1] += pages[va]
        else:
            runs.append([va, bytearray(pages[va])])
    data = b"".join(struct.pack("<QQ", va, len(run)) + run for va, run in runs)
    with open(path, "wb") as file:
        # without the time, so that the same recording makes the same file
        file.write(gzip.compress(data, 9, mtime=0))
    return len(data)


def chain_of(path):
    """Address, model and memory of the native job in the arguments of a submission."""
    with open(path, "rb") as file:
        data = file.read()
    # struct drm_vshader_native_job is the last section
    form, _, va, _, _, _, model, _, memory = struct.unpack("<IIQQQQIIQ", data[-56:])
    return form, va, model, memory


def merge(folder):
    first = read_image(os.path.join(folder, "job00001.image"))
    after = {va: page for va, page in
             read_image(os.path.join(folder, "job00001.after")).items() if page != first.get(va)}
    second = read_image(os.path.join(folder, "job00002.image"))
    merged = dict(first)
    for va, page in second.items():
        if page == after.get(va, first.get(va)):
            continue
        if va in after:
            sys.exit("the driver writes to %#x, as the first job does" % va)
        merged[va] = page
    used = set(first) | set(after) | set(second)
    return merged, used


def ranges_of(recording, used):
    result = []
    for entry in recording["memory"][0]["ranges"]:
        va, size = int(entry["va"], 16), entry["size"]
        if size >= HEAP:
            size = max(p + PAGE for p in used if va <= p < va + size) - va
        result.append(dict(entry, size=size))
    return result


def expected_pixels(folder, colours, size):
    """Sixteen pixels at places all over the picture."""
    after = read_image(os.path.join(folder, "job00002.after"))
    expects = []
    for number in range(SAMPLES):
        at = colours + (2 * number + 1) * size // (2 * SAMPLES) // 64 * 64
        words = struct.unpack_from("<16I", after[at // PAGE * PAGE], at % PAGE)
        expects.append({"at": "%#x" % at, "u32": ["%#x" % word for word in words]})
    return expects


def main(folder, output, name, description, colours, width, height):
    colours, width, height = int(colours, 16), int(width), int(height)
    with open(os.path.join(folder, "job00001.json"), encoding="utf-8") as file:
        recording = json.load(file)
    merged, used = merge(folder)
    base = os.path.splitext(output)[0]
    write_image(base + ".mem.gz", merged)
    jobs = []
    for number, label in ((1, "vertices"), (2, "frame")):
        form, va, model, memory = chain_of(os.path.join(folder, "job%05d.args" % number))
        if (form, model) != (2, 3):
            sys.exit("not a chain of a Mali-G52")
        jobs.append({"name": label, "queue": "gpu",
                     "native": {"format": "bifrost-chain", "gpu": "g52", "at": "%#x" % va,
                                "memory": "%#x" % memory}})
    jobs[1]["expect"] = expected_pixels(folder, colours, width * height * 4)
    image = {"name": os.path.basename(base).lstrip("0123456789-"), "at": "%#x" % colours,
             "width": width, "height": height, "layout": "u-interleaved"}
    text = {"vshader": 1, "name": name, "description": description, "engine": "bifrost",
            "vms": [{"name": "memory", "bits": 48, "alloc_start": "0x100000"}],
            "memory": [{"image": os.path.basename(base) + ".mem.gz", "vm": "memory",
                        "ranges": ranges_of(recording, used)}],
            "queues": [{"name": "gpu", "vm": "memory", "budget": 1 << 40,
                        "time_limit_ms": 10000}],
            "jobs": jobs, "images": [image]}
    with open(output, "w", encoding="utf-8") as file:
        json.dump(text, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    if len(sys.argv) != 8:
        sys.exit(__doc__)
    main(*sys.argv[1:])
