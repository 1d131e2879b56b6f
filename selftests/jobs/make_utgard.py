#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Writes job files for Utgard: programs with results that were worked out from their sources.

    make_utgard.py                  writes utgard/*.json from ../utgard/data
    make_utgard.py CORPUS OUT       writes a job file into OUT for each program of a corpus
    VSHADER=PATH make_utgard.py     the demo's container as well, with the command's assembler

Run it in this folder; the files that it writes are committed.
"""
import json
import os
import struct
import subprocess
import sys
import tempfile

from make_demo import Flow, write

UNTOUCHED = "0x7f80dead"
TEXTURE_SIZE = 32
TEXELS_VA = 0x10000000
# Of a texel of four halves: format, no levels, linear, two dimensions, nearest, repeat.
DESCRIPTOR = [0x26 | 1 << 7 | (8 * TEXTURE_SIZE) << 16, 1 << 10,
              1 << 8 | 1 << 11 | 1 << 12 | TEXTURE_SIZE << 22, TEXTURE_SIZE << 3, 0, 0, 0,
              TEXELS_VA >> 8] + [0] * 8


class Unusable(Exception):
    """Something that no job can do."""


def words_of(path):
    with open(path, encoding="ascii") as f:
        return Flow(f"0x{w}" for w in f.read().split())


def load(folder):
    with open(os.path.join(folder, "case.json"), encoding="utf-8") as f:
        return json.load(f), words_of(os.path.join(folder, "shader.hex"))


def hexes(row):
    return Flow(f"0x{v}" for v in row)


def groups(values, tolerances):
    """Components that follow each other and are as exact."""
    start = 0
    for i in range(1, len(values) + 1):
        if i == len(values) or tolerances[i] != tolerances[start] or \
                (values[i] is None) != (values[start] is None):
            if values[start] is not None:
                yield start, values[start:i], tolerances[start]
            start = i


# ---- vertices ----

def vertex_outputs(case, region, only):
    expects = []
    for out in case["outputs"]:
        if only is not None and out["slot"] != only:
            continue
        want = list(out["expected"])
        tolerance = out.get("tolerance") or [0] * len(want)
        for k, value in enumerate(want):
            if isinstance(value, str):  # "untouched"
                expects.append({"at": f"{region}+{16 * out['slot'] + 4 * k}",
                                "u32": Flow([UNTOUCHED])})
                want[k] = None
        for k, values, abs_tol in groups(want, tolerance):
            e = {"at": f"{region}+{16 * out['slot'] + 4 * k}", "f32": Flow(values)}
            if abs_tol:
                e["abs"] = abs_tol
            expects.append(e)
    return expects


def vertex_jobs(folder):
    obj, words = load(folder)
    name = obj["name"]
    # what is read too early is only told
    only = 2 if name == "h05_reglatency" else None
    jobs, memory = [], []
    for n, case in enumerate(obj["cases"]):
        region = f"{name}.{n}"
        memory.append({"name": region, "data": {"u32": Flow([UNTOUCHED]), "repeat": 64}})
        slots = sorted({out["slot"] for out in case["outputs"]})
        jobs.append({
            "name": f"{name}, case {n}", "program": name,
            "attributes": [{"reg": int(k), "format": "u32", "components": len(v),
                            "data": hexes(v)} for k, v in case["attributes_fp32"].items()],
            "outputs": [{"reg": s, "format": "f32", "components": 4,
                         "at": f"{region}+{16 * s}"} for s in slots],
            "utgard": {"uniforms": [hexes(r) for r in case["uniform_rows_fp32"]]}
            if case["uniform_rows_fp32"] else {},
            "expect": vertex_outputs(case, region, only) + [{"invocations": 1}]})
    return {"name": name, "words": words}, memory, jobs


# ---- fragments ----

def texture(requests):
    """A texture that gives what they ask for."""
    texels = {}
    for r in requests:
        if r["type"] != "2d" or r["lod"] is not None or r["sampler"]:
            raise Unusable("a texture with levels or faces")
        at = tuple(int(c * TEXTURE_SIZE) % TEXTURE_SIZE for c in r["coords"])
        if texels.setdefault(at, r["returned"]) != r["returned"]:
            raise Unusable("a texture without a period")
    rows = [Flow(x for u in range(TEXTURE_SIZE) for x in texels.get((u, v), [0, 0, 0, 0]))
            for v in range(TEXTURE_SIZE)]
    return [{"name": "texels", "va": f"{TEXELS_VA:#x}", "data": {"f16": rows}},
            {"name": "descriptor", "data": {"u32": Flow(DESCRIPTOR)}},
            {"name": "units", "data": {"words": Flow(["descriptor"])}}]


def inputs(fragments):
    streams = []

    def add(reg, values):
        streams.append({"reg": reg, "format": "f32", "components": len(values[0]),
                        "data": [Flow(v) for v in values]})
    for key in fragments[0]["varyings"]:
        add(int(key), [f["varyings"][key][:4] for f in fragments])
    if fragments[0].get("fragcoord_raw"):
        add(12, [f["fragcoord_raw"] for f in fragments])
    if fragments[0].get("pointcoord_raw"):
        add(13, [f["pointcoord_raw"] for f in fragments])
    if fragments[0].get("front_facing") is not None:
        add(14, [[1 if f["front_facing"] else 0] for f in fragments])
    return streams


def fragment_outputs(fragments, region):
    expects = [{"at": f"{region}+64", "u8": Flow(0 if f["discarded"] else 1 for f in fragments)}]
    for n, f in enumerate(fragments):
        if f["discarded"]:
            continue
        for k, values, abs_tol in groups(f["expected"], f["tolerance"]):
            e = {"at": f"{region}+{16 * n + 4 * k}", "f32": Flow(values)}
            if abs_tol:
                e["abs"] = abs_tol
            expects.append(e)
    return expects


def fragment_jobs(folder):
    obj, words = load(folder)
    name, state = obj["name"], obj["state"]
    memory, jobs = [], []
    more = {"temporaries": state["temporary_rows"] % 65}
    if obj.get("uniform_rows_fp16"):
        more["uniforms"] = [hexes(r) for r in obj["uniform_rows_fp16"]]
    if obj.get("texture_requests"):
        memory = texture(obj["texture_requests"])
        more["textures"] = {"at": "units", "count": 1}
    for switches in ([], ["fp32"]):
        region = ".".join([name] + switches)
        memory.append({"name": region, "size": 4096})
        jobs.append({
            "name": f"{name}, {'binary32' if switches else 'binary16'}", "program": name,
            "attributes": inputs(obj["fragments"]),
            "utgard": {**more, "switches": Flow(switches),
                       "targets": [{"at": region, "row_stride": 32, "format": "rgba32f",
                                    "reg": state["color_output_register"]}],
                       "mask": {"at": f"{region}+64", "row_stride": 2}},
            "expect": fragment_outputs(obj["fragments"], region) + [{"invocations": 4}]})
    return {"name": name, "words": words}, memory, jobs


# ---- jobs of their own ----

# Varying 0: x and y times the first uniform, z and w plus it; varying 1: attribute 1.
SCALE = """000:	mul.m0 ^2/v0.x a0.x t[0].x
	mul.m1 ^3/v0.y a0.y t[0].y
	add.a0 ^0/v0.z a0.z t[0].z
	add.a1 ^1/v0.w a0.w t[0].w
001:	mov.a0 ^6/v1.x a1.x
	mov.a1 ^7/v1.y a1.y
	mov.m0 ^8/v1.z a1.z
	mov.m1 ^9/v1.w a1.w
"""
GP_ENDLESS = """000:	mov.p ^4 a0.w
001:	mov.p ^10 a0.w
	branch ^10 000
"""
COLOUR = "load.v $0 0, load.u 0, mul.v0 $0 $0 ^uniform, stop\n"
POINT = "load.v $0 gl_PointCoord\nload.v $0.zw 0.xy, stop\n"
# Position; how varying 0 changes with y.
PLACE = "load.v $0 gl_FragCoord\nload.v $1 0\ndFdy.v1 $0.zw $1 -$1, stop\n"
PP_ENDLESS = "again: branch again\n"
BEHIND = "load.v $0 0, fb_color $1\nadd.v1 $0 $0 $1, stop\n"
DEPTH = "fb_depth $0, stop\n"


def vertices():
    data = [[i + 0.5, 2.0 * i, -3.0, 1.0] for i in range(6)]
    colours = [[0, 51, 102, 255], [255, 0, 51, 153]]
    scale, index = [2.0, -0.5, 10.0, 0.25], [4, 1, 1, 0]
    want, instance = [], []
    for n in range(8):
        v = data[index[n % 4] + 1]
        want.append([v[0] * 2, v[1] * -0.5, v[2] + 10, v[3] + 0.25])
        instance.append([x / 255 for x in colours[n // 4]])
    return {"name": "index buffer, instances, formats", "program": "scale",
            "first": 1, "count": 4, "instances": 2,
            "index": {"type": "u16", "data": Flow(index)},
            "attributes": [{"reg": 0, "at": "data", "stride": 16},
                           {"reg": 1, "format": "unorm8", "divisor": 1,
                            "data": [Flow(c) for c in colours]}],
            "outputs": [{"reg": 0, "at": "out", "stride": 24},
                        {"reg": 1, "format": "f16", "at": "out+16", "stride": 24}],
            "utgard": {"uniforms": [Flow(scale)]},
            "expect": [{"at": "out", "f32": [Flow(v) for v in want], "group": 4, "stride": 24},
                       {"at": "out+16", "f16": [Flow(v) for v in instance], "group": 4,
                        "stride": 24, "abs": 0.0005},
                       {"invocations": 8}]}, [Flow(v) for v in data]


def triangle():
    """Corners (0, 0), (8, 0), (0, 8); 1 / w is 1, 1/2, 1: perspective along x."""
    pixels, mask = [], []
    for y in range(8):
        for x in range(8):
            b, c = (x + 0.5) / 8, (y + 0.5) / 8
            a = 1 - b - c
            inside = x + y < 7
            s = (a * 1 * 1 + b * 0.5 * 5 + c * 1 * 3) / (a + b / 2 + c)
            pixels.append([s, s * 2, 0.5 * s, 1] if inside else [0, 0, 0, 0])
            mask.append(1 if inside else 7)
    return {"name": "triangle", "program": "colour",
            "attributes": [{"reg": 0, "components": 3,
                            "data": [Flow([v, v, v]) for v in (1.0, 5.0, 3.0)]}],
            "utgard": {"uniforms": [Flow([1, 2, 0.5, 1])], "switches": Flow(["fp32"]),
                       "width": 8, "height": 8, "prim": "triangle",
                       "vertices": [Flow([0, 0, 0, 1]), Flow([8, 0, 0, 0.5]), Flow([0, 8, 0, 1])],
                       "targets": [{"at": "pixels", "row_stride": 128, "format": "rgba32f"}],
                       "mask": {"at": "mask", "row_stride": 8}},
            "expect": [{"at": "pixels", "f32": [Flow(p) for p in pixels], "abs": 0.00001},
                       {"at": "mask", "u8": Flow(mask)}]}


def point(up=False):
    """A square of 4 x 4 pixels in the middle of 8 x 8; colours in 8 bits."""
    want, name = [], "point up" if up else "point"
    for y in range(2, 6):
        for x in range(2, 6):
            t = (y - 1.5) / 4
            want.append([round(255 * v) for v in ((x - 1.5) / 4, 1 - t if up else t, 0.25, 1)])
    return {"name": name, "program": "point",
            "attributes": [{"reg": 0, "components": 2, "data": [Flow([0.25, 1.0])]}],
            "utgard": {"width": 8, "height": 8, "prim": "point", "point_size": 4,
                       **({"flags": Flow(["y-up"])} if up else {}),
                       "vertices": [Flow([4, 4, 0, 1])],
                       "targets": [{"at": name, "row_stride": 32, "format": "rgba8"}]},
            "expect": [{"at": f"{name}+{32 * (y + 2) + 8}",
                        "u8": [Flow(p) for p in want[4 * y:4 * y + 4]], "abs": 1}
                       for y in range(4)] +
            [{"at": name, "u8": Flow([0] * 72)}, {"invocations": 16}]}


def place(up):
    """Rows of pixels from 2 on, a varying that grows by 8 with each."""
    name = "y up" if up else "y down"
    want = [[x + 0.5, (4 - y if up else y + 2) - (0.5 if up else -0.5)] + [-8 if up else 8] * 2
            for y in range(4) for x in range(4)]
    return {"name": name, "program": "place",
            "attributes": [{"reg": 0, "format": "f32",
                            "data": [Flow([8 * (n // 4) + 1] * 4) for n in range(16)]}],
            "utgard": {"y": 2, "width": 4, "height": 4, "switches": Flow(["fp32"]),
                       **({"flags": Flow(["y-up"])} if up else {}),
                       "targets": [{"at": name, "row_stride": 64, "format": "rgba32f"}]},
            "expect": [{"at": f"{name}+128", "f32": [Flow(v) for v in want]},
                       {"invocations": 16}]}


def behind():
    """Colours that are added to what the picture has."""
    old = [[n / 4, 1 - n / 8, n, -n] for n in range(16)]
    new = [[2, n / 2, -n, 0.25] for n in range(16)]
    sums = [[a + b for a, b in zip(x, y)] for x, y in zip(old, new)]
    return {"name": "frame buffer", "program": "behind",
            "attributes": [{"reg": 0, "format": "f32", "data": [Flow(v) for v in new]}],
            "utgard": {"width": 4, "height": 4,
                       "targets": [{"at": "behind", "row_stride": 64, "format": "rgba32f"}]},
            "expect": [{"at": "behind", "f32": [Flow(v) for v in sums]},
                       {"invocations": 16}]}, [Flow(v) for v in old]


def deep():
    """The depth that the frame buffer has."""
    old = Flow(n / 16 for n in range(16))
    return {"name": "depth of the frame buffer", "program": "depth",
            "utgard": {"width": 4, "height": 4,
                       "targets": [{"at": "depths", "row_stride": 16, "format": "r32f"}],
                       "depth": {"at": "deep", "row_stride": 16}},
            "expect": [{"at": "depths", "f32": old}, {"invocations": 16}]}, old


def shaders():
    job, data = vertices()
    back, picture = behind()
    front, depths = deep()
    write("utgard/shaders.json", {
        "name": "Utgard shader jobs",
        "description": "Vertices with indices, instances and formats; a triangle and a point.",
        "engine": "utgard-gp",
        "memory": [{"name": "data", "data": {"f32": data}}, {"name": "out", "size": 4096},
                   {"name": "pixels", "size": 4096}, {"name": "point", "size": 4096},
                   {"name": "point up", "size": 4096}, {"name": "y up", "size": 4096},
                   {"name": "y down", "size": 4096},
                   {"name": "mask", "data": {"u8": Flow([7]), "repeat": 64}},
                   {"name": "behind", "data": {"f32": picture}},
                   {"name": "depths", "size": 4096},
                   {"name": "deep", "data": {"f32": depths}}],
        "queues": [{"name": "pp", "engine": "utgard-pp"}],
        "programs": [{"name": "scale", "asm": SCALE},
                     {"name": "colour", "engine": "utgard-pp", "asm": COLOUR},
                     {"name": "point", "engine": "utgard-pp", "asm": POINT},
                     {"name": "place", "engine": "utgard-pp", "asm": PLACE},
                     {"name": "behind", "engine": "utgard-pp", "asm": BEHIND},
                     {"name": "depth", "engine": "utgard-pp", "asm": DEPTH}],
        "jobs": [job] + [{**j, "queue": "pp"} for j in (
            triangle(), point(), back, front, place(False), place(True), point(True))]})


def faults():
    def vertex(name, expect, attribute="in", out="out", **more):
        return {"name": name, "program": "scale", "count": 32,
                "attributes": [{"reg": 0, "at": attribute, "stride": 16}],
                "outputs": [{"reg": 0, "at": out, "stride": 16}],
                "utgard": {"uniforms": {"at": "in", "count": 1}}, "expect": expect, **more}

    def pixel(name, expect, more=None, target=None, **job):
        return {"name": name, "program": "colour", "queue": name, **job,
                "utgard": {"uniforms": {"at": "in", "count": 1}, "width": 4, "height": 4,
                           "targets": [{"at": "out", "row_stride": 16, **(target or {})}],
                           **(more or {})},
                "expect": expect}

    def fault(kind, **more):
        return [{"status": "EIO"}, {"fault": kind, **more}]

    refused = [{"submit": "EINVAL"}]
    pixels = [
        pixel("fragments", [{"status": "ok"}, {"invocations": 16}]),
        pixel("no such target", fault("write", address="0x20001030", stream=16, invocation=2),
              target={"at": "out+0xff0", "row_stride": 64}),
        pixel("no such mask", fault("write", stream=20),
              {"mask": {"at": "0x70000000", "row_stride": 4}}),
        pixel("no such inputs", fault("read", address="0x70000000", stream=0, size=16),
              attributes=[{"reg": 0, "at": "0x70000000"}]),
        pixel("no such uniforms", fault("read", address="0x70000000", stream=0xffffffff),
              {"uniforms": {"at": "0x70000000", "count": 1}}),
        pixel("no such textures", fault("read", address="0x70000000"),
              {"textures": {"at": "0x70000000", "count": 1}}),
        pixel("texture without a format", fault("command"),
              {"textures": {"at": "list", "count": 1}}),
        pixel("rectangle at an odd column", fault("command"), {"x": 1}),
        pixel("rectangle too far away", fault("command"), {"x": 65536, "width": 4}),
        pixel("no such register", refused, target={"reg": 6}),
        pixel("position of a triangle", refused, {"prim": "triangle"},
              attributes=[{"reg": 12, "at": "in"}]),
        pixel("too many temporaries", refused, {"temporaries": 1025}),
        pixel("less memory than a job needs", refused, {"memory": 4096}),
        pixel("no depth", fault("command", code=0x104), program="depth"),
        pixel("no such depth", fault("read", address="0x70000000", size=4, stream=21),
              {"depth": {"at": "0x70000000", "row_stride": 16}}, program="depth"),
        pixel("no frame buffer", fault("command", code=0x104), {"targets": []}, program="behind"),
        pixel("endless fragments", [{"status": "ETIME"}, {"fault": "budget"}], program="spin-pp"),
    ]
    write("utgard/faults.json", {
        "name": "Utgard faults",
        "description": "What goes wrong in shader jobs, and where.",
        "engine": "utgard-gp",
        "memory": [{"name": "in", "va": "0x10000000", "data": {"f32": Flow([1]), "repeat": 1024}},
                   {"name": "out", "va": "0x20000000", "size": 4096},
                   {"name": "rom", "va": "0x30000000", "size": 4096, "readonly": True},
                   {"name": "bad", "data": {"u32": Flow([0x3f] + [0] * 15)}},
                   {"name": "list", "data": {"words": Flow(["bad"])}}],
        "queues": [{"name": j["name"], "engine": "utgard-pp", "budget": 200000} for j in pixels],
        "programs": [{"name": "scale", "asm": SCALE}, {"name": "spin", "asm": GP_ENDLESS},
                     {"name": "colour", "engine": "utgard-pp", "asm": COLOUR},
                     {"name": "spin-pp", "engine": "utgard-pp", "asm": PP_ENDLESS},
                     {"name": "behind", "engine": "utgard-pp", "asm": BEHIND},
                     {"name": "depth", "engine": "utgard-pp", "asm": DEPTH},
                     {"name": "garbage", "words": Flow(["0xffffffff"] * 4), "reject": {}},
                     {"name": "half an instruction", "engine": "utgard-pp",
                      "words": Flow(["0x00000004"]), "reject": {"offset": 0}}],
        "jobs": [
            vertex("vertices", [{"status": "ok"}, {"invocations": 32}]),
            vertex("unmapped attribute", fault("read", address="0x10001000", size=16, stream=0,
                                               invocation=4), attribute="in+0xfc0"),
            vertex("unmapped output", fault("write", address="0x20001000", size=16, stream=16,
                                            invocation=2), out="out+0xfe0"),
            vertex("read-only output", fault("write", address="0x30000000", invocation=0),
                   out="rom"),
            vertex("unmapped index", fault("read", address="0x30001000", size=2, stream=32,
                                           invocation=8),
                   index={"type": "u16", "at": "rom+0xff0"}),
            vertex("unmapped uniforms", fault("read", address="0x70000000", stream=0xffffffff),
                   utgard={"uniforms": {"at": "0x70000000", "count": 1}}),
            vertex("more rows than there are", refused,
                   utgard={"uniforms": {"at": "in", "count": 305}}),
            vertex("a format of another engine", refused,
                   outputs=[{"reg": 0, "format": "f24", "at": "out"}]),
            vertex("an attribute twice", refused,
                   attributes=[{"reg": 1, "at": "in"}, {"reg": 1, "at": "in"}]),
            vertex("no such varying", refused, outputs=[{"reg": 16, "at": "out"}]),
            vertex("endless vertices", [{"status": "ETIME"}, {"fault": "budget"}],
                   program="spin", budget=100000),
            vertex("too slow", [{"status": "ETIME"}, {"fault": "timeout"}], program="spin",
                   time_limit_ms=30)] + pixels})


# ---- containers ----

def chunk(tag, content):
    return tag.encode() + struct.pack("<I", len(content)) + content


def symbol(tag, name, components, offset, entries=0, init=()):
    """A float, vector or array of vectors; @offset in scalars."""
    text = name.encode() + b"\0"
    text += bytes(-len(text) % 4)
    size = components
    body = chunk("STRI", text) + struct.pack("<BBHHHHBBIHH", 0, 1, components, size, entries,
                                             4 if entries else size, 16, 3, 0, offset, 0xffff)
    if init:
        body += chunk("VINI", struct.pack(f"<I{len(init)}f", len(init), *init))
    return chunk(tag, body)


def table(tag, symbols, size=None):
    head = struct.pack("<I", len(symbols))
    return chunk(tag, head + (struct.pack("<I", size) if size is not None else b"") +
                 b"".join(symbols))


def program_words(command, isa, text):
    with tempfile.NamedTemporaryFile("w", suffix=".s") as f:
        f.write(text)
        f.flush()
        out = subprocess.run([command, "asm", "--isa", isa, f.name], check=True,
                             capture_output=True, text=True).stdout
    return [int(w, 16) for w in out.split()]


def container(command, path):
    """Both programs of the demo, with the names that they use."""
    gp = program_words(command, "utgard-gp", SCALE)
    pp = program_words(command, "utgard-pp", COLOUR)
    vertex = struct.pack("<I", 6) + chunk("FINS", struct.pack("<3I", 0, len(gp) // 4, 0)) + \
        table("SUNI", [symbol("VUNI", "scale", 4, 0, init=(1.0, 1.0, 0.0, 0.0))], 4) + \
        table("SATT", [symbol("VATT", "position", 4, 0), symbol("VATT", "colour", 4, 4)]) + \
        table("SVAR", [symbol("VVAR", "gl_Position", 4, 0), symbol("VVAR", "shade", 4, 4)]) + \
        chunk("DBIN", struct.pack(f"<{len(gp)}I", *gp))
    pixel = struct.pack("<I", 7) + chunk("FSTA", struct.pack("<2I", 0, 0)) + \
        chunk("FDIS", struct.pack("<I", 0)) + chunk("FBUU", bytes([0, 1, 0, 0, 0, 0, 0, 0])) + \
        table("SUNI", [symbol("VUNI", "tint", 4, 0, init=(1.0, 1.0, 1.0, 1.0))], 4) + \
        table("SVAR", [symbol("VVAR", "shade", 4, 0)]) + \
        chunk("DBIN", struct.pack(f"<{len(pp)}I", *pp))
    with open(path, "wb") as f:
        f.write(chunk("MBS1", chunk("CVER", vertex) + chunk("CFRA", pixel)))


def demo():
    """Three vertices through the container's first program, their triangle through the other."""
    screen = [[0, 0, 0, 1], [8, 0, 0, 1], [0, 8, 0, 1]]
    shade = [[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1]]
    pixels = []
    for y in range(8):
        for x in range(8):
            b, c = (x + 0.5) / 8, (y + 0.5) / 8
            pixels.append([round(255 * v) for v in (1 - b - c, b / 2, c, 1)]
                          if x + y < 7 else [0, 0, 0, 0])
    write("demo/10-utgard.json", {
        "name": "Mali Utgard",
        "description": "A vertex program and a pixel program of one MBS1 container, with its names: "
                       "what the first one writes is what the other one interpolates.",
        "engine": "utgard-gp",
        "memory": [{"name": "varyings", "size": 4096}, {"name": "image", "size": 4096}],
        "queues": [{"name": "pixels", "engine": "utgard-pp"}],
        "programs": [{"name": "vertex", "mbs1": {"file": "utgard.mbs", "program": 0}},
                     {"name": "pixel", "mbs1": {"file": "utgard.mbs", "program": 1}}],
        "jobs": [
            {"name": "vertices", "program": "vertex", "count": 3,
             "attributes": [{"reg": "position", "data": [Flow([v[0] / 8, v[1] / 8, 0, 1])
                                                         for v in screen]},
                            {"reg": "colour", "data": [Flow(v) for v in shade]}],
             "outputs": [{"reg": "gl_Position", "at": "varyings", "stride": 32},
                         {"reg": "shade", "at": "varyings+16", "stride": 32}],
             "utgard": {"uniforms": {"values": {"scale": Flow([8, 8])}}},
             "expect": [{"at": "varyings", "f32": [Flow(a + b) for a, b in zip(screen, shade)]}]},
            {"name": "a triangle of them", "program": "pixel", "queue": "pixels",
             "attributes": [{"reg": "shade", "at": "varyings+16", "stride": 32}],
             "utgard": {"uniforms": {"values": {"tint": Flow([1, 0.5])}},
                        "width": 8, "height": 8, "prim": "triangle",
                        "vertices": [Flow(v) for v in screen],
                        "targets": [{"at": "image", "row_stride": 32, "format": "rgba8"}]},
             "expect": [{"at": "image", "u8": [Flow(p) for p in pixels], "abs": 1}]}],
        "images": [{"name": "utgard-triangle", "at": "image", "width": 8, "height": 8}]})


# ---- files ----

def collect(root, kind, make, out):
    """One file for a folder of programs; those with textures have one each."""
    whole = {"programs": [], "memory": [], "jobs": []}
    stage = "vertex" if kind.startswith("gp") else "pixel"
    header = {"name": f"Utgard {stage} programs, {kind}",
              "description": f"Programs of {kind} with results worked out from their sources.",
              "engine": f"utgard-{kind[:2]}"}
    for name in sorted(os.listdir(os.path.join(root, kind))):
        folder = os.path.join(root, kind, name)
        if not os.path.isdir(folder):
            continue
        try:
            program, memory, jobs = make(folder)
        except Unusable as why:
            print(f"{kind}/{name}: {why}")
            continue
        if out or any(m["name"] == "texels" for m in memory):
            write(os.path.join(out or "utgard", f"{kind}-{name}.json"),
                  {**header, "programs": [program], "memory": memory, "jobs": jobs})
            continue
        whole["programs"].append(program)
        whole["memory"] += memory
        whole["jobs"] += jobs
    if not out:
        write(f"utgard/{kind}.json", {**header, **whole})


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else "../utgard/data"
    out = sys.argv[2] if len(sys.argv) > 2 else None
    for kind in ("gp", "gp-hand"):
        collect(root, kind, vertex_jobs, out)
    for kind in ("pp", "pp-hand"):
        collect(root, kind, fragment_jobs, out)
    if not out:
        shaders()
        faults()
        demo()
    command = os.environ.get("VSHADER")
    if command and not out:
        container(command, "demo/utgard.mbs")


if __name__ == "__main__":
    main()
