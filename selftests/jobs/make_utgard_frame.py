#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Writes job files with frames of Utgard GPUs: what lima's kernel interface takes.

    make_utgard_frame.py            writes utgard/frames.json, utgard/frame-faults.json,
                                    utgard/draws.json

Run it in this folder; the files that it writes are committed.
"""
import os

from make_demo import Flow, write
from make_utgard import UNTOUCHED, hexes, load, vertex_outputs

GP = os.path.join("..", "utgard", "data", "gp")
PROGRAMS = ("g01_mov", "g04_mvp", "g08_exp2", "g17_eqne", "g19_loop", "g25_varymix")


def draw(code, count, uniforms, rows, attributes, varyings, vertices):
    """Commands as Mesa's driver writes them; names are of regions."""
    return [Flow(["0x28000", "0x50000000"]), Flow([1, "0x50000000"]),
            Flow([uniforms, f"{0x30000000 | rows << 16:#x}"]),
            Flow([code, f"{0x40000000 | count << 16:#x}"]),
            Flow([f"{3 << 20 | count - 1 << 10:#x}", "0x10000040"]),
            Flow([f"{len(varyings) - 1 << 8 | len(attributes) - 1 << 24:#x}", "0x10000042"]),
            Flow([3, "0x10000041"]),
            Flow([f"{code}.a", f"{0x20000000 | len(attributes) << 17:#x}"]),
            Flow([f"{code}.v", f"{0x20000008 | len(varyings) << 17:#x}"]),
            Flow([f"{vertices << 24 & 0xffffffff:#x}", vertices >> 8]),
            Flow([0, "0x60000000"]), Flow([0, "0x50000000"])]


def tiles():
    """Commands of the other list, for a triangle on a screen of 32 x 32."""
    return [Flow(v) for v in (
        ["0x200", "0x1000010b"], ["0x10000000", "0x1000010c"], ["0x1000100", "0x10000109"],
        [2, "0x30000000"], ["array", "0x28000003"], [0, "0x10000107"],
        ["0x42000000", "0x10000108"], [0, "0x10000105"], ["0x42000000", "0x10000106"],
        ["0x2200", "0x1000010b"], ["state", "0x80000000"],
        ["0xf8000", "0x7003e000"], [0, "0x1000010a"], [0, "0x1000010e"],
        ["0x3f800000", "0x1000010f"], ["corners", "0x10000100"], ["indices", "0x10000101"],
        ["0x3000000", "0x240000"], ["0x10001", "0x60000000"], [0, "0x50000000"])]


def frame(name, lists):
    """A frame and its lists, from what the vertex list has."""
    plbu = tiles()
    return [{"name": name, "data": {"words": Flow(
                [f"{name}.vs", f"{name}.vs+{8 * len(lists)}", f"{name}.plbu",
                 f"{name}.plbu+{8 * len(plbu)}", "heap", "heap+0x800"])}},
            {"name": f"{name}.vs", "data": {"words": lists}},
            {"name": f"{name}.plbu", "data": {"words": plbu}}]


# A texel at varying 0 to register 0.
TEXEL = ["0x000005e6", "0xf1003c20", 0, "0x39001000", "0x00000e4e", "0x000007cf"]
# Words of a render state.
STATE = {2: "0xfc3b1ad2", 3: "0x3e", 4: "0xffff0000", 5: "0xff000007", 6: "0xff000007", 7: "0xffff",
         8: "0xf807", 9: "pp.code+6", 12: "pp.units", 13: "0x5322", 14: "0x1000", 15: "varyings"}

# Corners of the triangle, and what is written inside and outside.
CORNERS = ((4, 2), (28, 2), (4, 26))
CLEARED, DRAWN = 0x40302010, 0xff0080ff
# textures have blue first
TEXEL_DRAWN = 0xffff8000
BLOCKS, TEXTURE = 0x30000000, 0x30010000

COMMON = [{"name": "heap", "size": 4096},
          {"name": "blocks", "va": f"{BLOCKS:#x}", "size": 2048},
          {"name": "array", "data": {"words": Flow(f"blocks+{512 * i}" for i in range(4))}},
          {"name": "corners", "data": {"f32": [Flow([x, y, 0.5, 1]) for x, y in CORNERS]}},
          {"name": "indices", "data": {"u8": Flow([0, 1, 2])}},
          {"name": "varyings", "data": {"f32": Flow([0.5]), "repeat": 12}},
          {"name": "texture", "va": f"{TEXTURE:#x}", "data": {"u32": Flow([f"{TEXEL_DRAWN:#x}"])}},
          {"name": "pp.code", "data": {"u32": Flow(TEXEL)}},
          {"name": "pp.desc", "data": {"words": Flow([0x16, 1 << 10, 1 << 22, 1 << 3, 0, 0, 0,
                                                      TEXTURE >> 8] + [0] * 8)}},
          {"name": "pp.units", "data": {"words": Flow(["pp.desc"])}},
          {"name": "state", "data": {"words": Flow(STATE.get(i, 0) for i in range(16))}}]


def program(folder):
    """A frame with a draw of one vertex for each case of a program."""
    obj, words = load(folder)
    name, memory, lists, expects = obj["name"], [], [], []
    for n, case in enumerate(obj["cases"]):
        run = f"{name}.{n}"
        slots = 1 + max(out["slot"] for out in case["outputs"])
        inputs = {int(k): v for k, v in case["attributes_fp32"].items()}
        attributes, data = [], []
        for slot in range(1 + max(inputs, default=0)):
            values = inputs.get(slot, ["00000000"] * 3 + ["3f800000"])
            attributes.append(Flow([f"{run}.in+{16 * slot}",
                                    f"{16 << 11 | len(values) - 1:#x}"]))
            data.append(hexes(values + ["00000000"] * (4 - len(values))))
        varyings = [Flow([f"{run}.out+{16 * s}", "0x8020" if not s else "0x8003"])
                    for s in range(slots)]
        rows = case["uniform_rows_fp32"] or [["00000000"] * 4]
        memory += [{"name": f"{run}.in", "data": {"u32": data}},
                   {"name": f"{run}.out", "data": {"u32": Flow([UNTOUCHED]), "repeat": 64}},
                   {"name": f"{run}.u", "data": {"u32": [hexes(r) for r in rows]}},
                   {"name": run, "data": {"u32": words}},
                   {"name": f"{run}.a", "data": {"words": attributes}},
                   {"name": f"{run}.v", "data": {"words": varyings}}]
        lists += draw(run, len(words) // 4, f"{run}.u", len(rows), attributes, varyings, 1)
        expects += vertex_outputs(case, f"{run}.out", None)
    memory += frame(name, lists)
    return memory, {"name": name, "native": {"at": name},
                    "expect": expects + [{"invocations": len(obj["cases"])}]}


def stream(part, parts):
    """Tiles of a processor: each tile, then its list; the end."""
    words = []
    for tile in range(part, 4, parts):
        words += [0, f"{0xb8000000 | tile % 2 | tile // 2 << 8:#x}",
                  f"{0xe0000002 | BLOCKS + 512 * tile >> 3 & 0x1ffffffc:#x}", "0xb0000000"]
    return words + [0, "0xbc000000", 0, 0]


def pixels(name, gpu, image):
    """Words of a frame of 32 x 32 pixels, written as rows."""
    words = {1: "state", 3: 2, 4: "0xffffff", 10: 31, 11: 31, 16: 1, 17: 63, 18: "0x77", 19: 1,
             20: "0x10000000", 21: "0xe0c", 22: "0x8888", 23: 2, 24: 2, 25: image, 26: 3, 29: 16,
             30: 4}
    words.update({i: f"{CLEARED:#x}" for i in range(6, 10)})
    if gpu == "mali400":
        words.update({60: f"{name}.0", 61: f"{name}.1"})
    else:
        words.update({60: 1, 62: f"{BLOCKS:#x}", 63: "0x10001", 64: "0x20000000", 65: "0x1010000"})
    return [{"name": image, "size": 4096},
            {"name": f"{name}.0", "data": {"words": Flow(stream(0, 2))}},
            {"name": f"{name}.1", "data": {"words": Flow(stream(1, 2))}},
            {"name": name, "data": {"words": Flow(words.get(i, 0) for i in range(78))}}]


def picture():
    """Centres of pixels in the triangle, which has two sides along the axes."""
    left, top = CORNERS[0]
    size = CORNERS[1][0] - left
    return [Flow(f"{DRAWN if x >= left and y >= top and x - left + y - top + 1 < size else CLEARED:#x}"
                 for x in range(32)) for y in range(32)]


def draws():
    """A triangle on both GPUs."""
    jobs, memory = [], COMMON + frame("lists", [Flow([0, "0x60000000"])])
    for gpu in ("mali400", "mali450"):
        memory += pixels(f"frame {gpu}", gpu, f"pixels {gpu}")
        jobs += [{"name": f"lists for a {gpu}", "queue": "vertices",
                  "native": {"format": "utgard-gp-frame", "at": "lists", "gpu": gpu}},
                 {"name": f"pixels of a {gpu}", "queue": "pixels",
                  "native": {"format": "utgard-pp-frame", "at": f"frame {gpu}", "gpu": gpu},
                  "expect": [{"name": "picture", "at": f"pixels {gpu}", "u32": picture()}]}]
    write("utgard/draws.json", {
        "name": "Utgard draws", "description": "A triangle: tile lists, then pixels.",
        "engine": "utgard-gp", "memory": memory,
        "queues": [{"name": "vertices", "engine": "utgard-gp"},
                   {"name": "pixels", "engine": "utgard-pp"}],
        "jobs": jobs,
        "images": [{"name": f"utgard-{gpu}", "at": f"pixels {gpu}", "width": 32, "height": 32,
                    "format": "r8g8b8a8"} for gpu in ("mali400", "mali450")]})


def fault(name, at, kind, **more):
    return {"name": name, "native": {"at": at}, "queue": name,
            "expect": [{"status": "EIO"}, {"fault": kind, **more}]}


def faults():
    """What goes wrong in frames, reasons by their numbers."""
    memory, _ = program(os.path.join(GP, "g01_mov"))
    memory = COMMON + memory + pixels("pp", "mali400", "image")
    jobs = []

    def lists(name, commands, kind, **more):
        nonlocal memory
        memory += frame(name, [Flow(c) for c in commands])
        jobs.append(fault(name, name, kind, **more))

    lists("unknown command", [[0, "0x10000043"]], "command", code=4, info="0x10000043")
    lists("unknown bits", [[1, "0x10000042"]], "command", code=5, info=1)
    lists("unknown value", [[4, "0x10000041"]], "command", code=6, info=4)
    lists("half an instruction", [["g01_mov.0", "0x40008000"]], "command", code=6,
          info="0x40008000")
    lists("too many rows", [[0, "0x31310000"]], "command", code=8, info="0x31310000")
    lists("draw without a shader", [[0, 0], ["0x3000000", 0]], "command", code=9, draw=0)
    lists("endless list", [["endless list.vs", "0xf0000000"]], "command", code=10)
    lists("nowhere", [["0x70000000", "0xf0000000"]], "read", address="0x70000000")
    jobs += [fault("no frame", "0x70000000", "read", address="0x70000000"),
             fault("misaligned frame", "g01_mov+2", "command", code=2)]
    # no draw has initialised the tile lists
    job = fault("pixels without lists", "pp", "command", code=13, address=f"{BLOCKS:#x}")
    job["native"] = {"format": "utgard-pp-frame", "at": "pp", "gpu": "mali400"}
    jobs.append(job)
    queues = [{"name": j["name"], "engine": "utgard-pp" if "pixels" in j["name"] else "utgard-gp"}
              for j in jobs]
    write("utgard/frame-faults.json", {
        "name": "Utgard frames: faults",
        "description": "Frames that are rejected.",
        "engine": "utgard-gp", "memory": memory, "queues": queues, "jobs": jobs + [
            {"name": "a frame with a size",
             "native": {"format": "utgard-gp-frame", "at": "g01_mov", "size": 24},
             "expect": [{"submit": "EINVAL"}]},
            {"name": "less memory than a job needs",
             "native": {"format": "utgard-gp-frame", "at": "g01_mov", "memory": 4096},
             "expect": [{"submit": "EINVAL"}]}]})


def main():
    memory, jobs = list(COMMON), []
    for name in PROGRAMS:
        more, job = program(os.path.join(GP, name))
        memory += more
        jobs.append(job)
    write("utgard/frames.json", {
        "name": "Utgard frames", "description": "Frames of lima's kernel interface: compiled "
        "programs, a draw for each case.",
        "engine": "utgard-gp", "memory": memory, "jobs": jobs})
    faults()
    draws()


if __name__ == "__main__":
    main()
