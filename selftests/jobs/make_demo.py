#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Writes the demo job files that carry computed expectations.

Everything that is expected is computed here, from the meaning of the programs and in
double precision, without any part of the project. Run it in this folder; the files it
writes are committed.
"""
import json
import math
import struct


class Flow(list):
    """A list that stays on one line."""


def dump(value, indent=0):
    pad, inner = "  " * indent, "  " * (indent + 1)
    if isinstance(value, Flow) or not isinstance(value, (dict, list)):
        return json.dumps(value)
    if not value:
        return json.dumps(value)
    if isinstance(value, dict):
        items = [f"{inner}{json.dumps(k)}: {dump(v, indent + 1)}" for k, v in value.items()]
        return "{\n" + ",\n".join(items) + "\n" + pad + "}"
    items = [inner + dump(v, indent + 1) for v in value]
    return "[\n" + ",\n".join(items) + "\n" + pad + "]"


def write(name, content):
    with open(name, "w", encoding="ascii") as f:
        f.write(dump({"vshader": 1, **content}) + "\n")


def exact(x):
    """The nearest value at or below |x| that 1.7.16 has: 17 bits of significand."""
    if x == 0:
        return 0.0
    m, e = math.frexp(x)
    return math.ldexp(math.trunc(m * 2 ** 17), e - 17)


def rounded(x):
    """To binary32, as text of nine digits keeps it."""
    return float(f"{struct.unpack('<f', struct.pack('<f', x))[0]:.9g}")


def row(values):
    return Flow(rounded(v) for v in values)


def mul(m, v):
    return [sum(a * b for a, b in zip(r, v)) for r in m]


# ---- 1: a mesh through a real SHBIN ----

def rotation_y(angle):
    c, s = exact(math.cos(angle)), exact(math.sin(angle))
    return [[c, 0, s, 0], [0, 1, 0, 0], [-s, 0, c, exact(-4.0)], [0, 0, 0, 1]]


def perspective(fov, near, far):
    f = exact(1 / math.tan(fov / 2))
    return [[f, 0, 0, 0], [0, f, 0, 0],
            [0, 0, exact(far / (near - far)), exact(near * far / (near - far))], [0, 0, -1, 0]]


def light(normal, modelview, direction, color, ambient):
    n = [sum(modelview[i][k] * normal[k] for k in range(3)) for i in range(3)]
    length = math.sqrt(sum(x * x for x in n))
    d = max(0.0, sum(a * b / length for a, b in zip(direction, n)))
    return [min(1.0, d * c + a) for c, a in zip(color, ambient)] + [ambient[3]]


def lit_mesh():
    faces = [((0, 0, 1), (1, 0, 0), (0, 1, 0)), ((0, 0, -1), (-1, 0, 0), (0, 1, 0)),
             ((1, 0, 0), (0, 0, -1), (0, 1, 0)), ((-1, 0, 0), (0, 0, 1), (0, 1, 0)),
             ((0, 1, 0), (1, 0, 0), (0, 0, -1)), ((0, -1, 0), (1, 0, 0), (0, 0, 1))]
    vertices, indices = [], []
    for n, u, v in faces:
        first = len(vertices)
        for s, t in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            pos = [n[i] + s * u[i] + t * v[i] for i in range(3)] + [1]
            vertices.append((pos, list(n) + [0], [(s + 1) / 2, (t + 1) / 2]))
        indices += [first + i for i in (0, 1, 2, 0, 2, 3)]
    modelview, projection = rotation_y(math.radians(30)), perspective(math.radians(60), 1, 16)
    direction = [exact(x / math.sqrt(14)) for x in (1, 2, 3)]
    color, ambient = [0.75, 0.75, 0.5], [0.125, 0.125, 0.25, 1.0]
    position, colour, texture = [], [], []
    for i in indices:
        pos, normal, tex = vertices[i]
        position.append(row(mul(projection, mul(modelview, pos))))
        colour.append(row(light(normal, modelview, direction, color, ambient)))
        texture.append(row(tex + [0, 1]))
    flat = [x for v in vertices for part in v for x in part]
    stream = {"stride": 40}

    def job(model, tolerance):
        return {
            "name": f"cube-{model}", "program": "lit", "count": len(indices),
            "index": {"type": "u16", "at": "indices"},
            "attributes": [
                {"reg": "inpos", "at": "vertices", **stream},
                {"reg": "innormal", "at": "vertices+16", **stream},
                {"reg": "intex", "at": "vertices+32", "components": 2, **stream}],
            "outputs": Flow(["position", "color", "texcoord0"]),
            "pica": {"model": model, "uniforms": {
                "projection": [row(r) for r in projection],
                "modelview": [row(r) for r in modelview],
                "light_dir": row(direction + [0]),
                "light_color": row(color + [1]),
                "ambient": row(ambient)}},
            "expect": [
                {"output": "position", "f32": position, **tolerance},
                {"output": "color", "f32": colour, **tolerance},
                {"output": "texcoord0", "f32": texture},
                {"invocations": len(indices)}]}

    write("demo/01-lit-mesh.json", {
        "name": "lit mesh",
        "description": "A cube of 12 triangles, indexed, through an SHBIN program: transform and "
                       "light.",
        "memory": [
            {"name": "vertices", "va": "0x100000",
             "data": {"f32": [Flow(flat[i:i + 10]) for i in range(0, len(flat), 10)]}},
            {"name": "indices", "va": "0x200000", "data": {"u16": Flow(indices)}}],
        "programs": [{"name": "lit", "shbin": "lit.shbin"}],
        "jobs": [job("f24", {"abs": 0.001}), job("f32", {"abs": 2e-6})]})


# ---- 3: numeric models ----

def numbers():
    third = [exact(1 / 3), 1 / 3]
    values = [[1, 3, 7, 10], [2, 5, 11, 1e6]]

    def job(model, switches, products):
        return {
            "name": "-".join([model] + switches), "count": 2,
            "attributes": [{"reg": "v0", "data": [Flow(v) for v in values]}],
            "outputs": Flow(["o0", "o1"]),
            "pica": {"model": model, "switches": Flow(switches),
                     "uniforms": {"third": Flow([rounded(third[0])] * 4)}},
            "expect": [{"output": "o0", "f32": [row(p) for p in products]},
                       {"output": "o1", "f32": [Flow([0, 0, 0, 0])] * 2,
                        "comment": "infinity times zero"}]}

    def nearest(x):
        m, e = math.frexp(x)
        n = m * 2 ** 17
        r = math.floor(n)
        if n - r > 0.5 or (n - r == 0.5 and r % 2):
            r += 1
        return math.ldexp(r, e - 17)

    t = third[0]
    single = [[struct.unpack("<f", struct.pack("<f", t * x))[0] for x in v] for v in values]
    write("demo/02-number-formats.json", {
        "name": "number formats",
        "description": "One third times small integers: the console's 24-bit floats, with both "
                       "roundings, and binary32.",
        "programs": [{"name": "scale", "asm":
                      ".fvec third\n.constf k(0.0, 1.0, 0.0, 0.0)\n.out product dummy\n"
                      ".out zero dummy\n.in x\n.proc main\n\tmul product, third, x\n"
                      "\tmov r0, k.xxxx\n\trcp r1, r0.x\n\tmul zero, r1, r0\n\tend\n"
                      ".end\n"}],
        "jobs": [
            job("f24", [], [[exact(t * exact(x)) for x in v] for v in values]),
            job("f24", ["round-nearest"], [[nearest(t * exact(x)) for x in v] for v in values]),
            job("f32", [], single)]})


# ---- 4: geometry unit ----

def geometry():
    points = [([0.25, -0.5, -3, 1], [1, 0.5, 0.25, 1], [0.125, 0.0625, 0, 0]),
              ([-0.75, 0.5, -5, 1], [0, 1, 0.5, 1], [0.5, 0.25, 0, 0])]
    matrix = [[1.5, 0, 0, 0], [0, 2, 0, 0], [0, 0, -1.25, -2.5], [0, 0, -1, 0]]
    expect = []
    for n, (centre, colour, size) in enumerate(points):
        corners = [mul(matrix, [centre[0] + sx * size[0], centre[1] + sy * size[1]] + centre[2:])
                   for sx, sy in ((-1, -1), (1, -1), (-1, 1), (1, 1))]
        prims = [row(corners[c] + colour) for c in (0, 1, 2, 3, 1, 2)]
        expect.append({"prims": n, "count": 2, "inverted": Flow([False, True]), "f32": prims})
    write("demo/04-geometry.json", {
        "name": "geometry unit",
        "description": "Points become rectangles: four vertices emitted, two triangles, the "
                       "second with inverted winding.",
        "programs": [{"name": "quads", "asm": {"file": "../bench/g1_point_quads.g.pica"}}],
        "jobs": [{
            "name": "points", "count": 2,
            "attributes": [{"reg": f"v{i}", "data": [Flow(p[i]) for p in points]}
                           for i in range(3)],
            "pica": {"model": "f24", "output_mask": Flow(["o0", "o1"]), "max_prims": 2,
                     "uniforms": {"projection": [Flow(r) for r in matrix]}},
            "expect": expect}]})


# ---- 5: command list ----

def f32(x):
    return f"0x{struct.unpack('<I', struct.pack('<f', x))[0]:08x}"


def cmd(reg, *values, **more):
    return {"reg": f"0x{reg:03x}", "values": Flow(values), **more}


def uniform(index, values):
    return cmd(0x2C0, 0x80000000 | index, *[f32(x) for x in reversed(values)],
               consecutive=True, comment=f"c{index}, four binary32 words, w first")


def command_list():
    """Scale, offset, pass a colour: uploaded, configured and drawn by register writes."""
    # mul r0, c0, v0; add o0, c1, r0; mov o1, v1; end
    code = [0x20 << 12 | 0x08 << 26 | 0x10 << 21, 0x21 << 12 | 0x10 << 7,
            0x13 << 26 | 1 << 21 | 1 << 12, 0x88000000]
    scale, offset = [2, 0.5, 1, 1], [0.25, -0.25, 0, 0]
    vertices = [([0, 0, 0.5], [255, 0, 51, 255]), ([1, 0, 0.5], [0, 255, 51, 255]),
                ([0, 1, 0.5], [51, 102, 255, 0]), ([1, 1, 0.5], [255, 255, 0, 255])]
    data = b"".join(struct.pack("<3f4B", *p, *c) for p, c in vertices)
    base = 0x18000000

    commands = [
        cmd(0x2CB, 0, comment="code upload"), cmd(0x2CC, *[f"0x{w:08x}" for w in code]),
        cmd(0x2D5, 0, comment="operand descriptors"), cmd(0x2D6, "0x0006c36f"),
        uniform(0, scale), uniform(1, offset),
        cmd(0x2B9, "0xa0000001", comment="two inputs"), cmd(0x2BA, 0, comment="entry"),
        cmd(0x2BB, "0x00000010", 0, consecutive=True, comment="attribute n to vn"),
        cmd(0x2BD, 3, comment="outputs o0, o1"),
        cmd(0x242, 1), cmd(0x24A, 1),
        cmd(0x04F, 2, "0x03020100", "0x0b0a0908", consecutive=True,
            comment="o0 is the position, o1 the colour"),
        cmd(0x200, f"0x{base >> 3:08x}", comment="base of vertex buffers, 8-byte units"),
        cmd(0x201, "0x000000db", "0x1ffc0000", consecutive=True,
            comment="attribute 0: 3 floats; 1: 4 unsigned bytes; two attributes"),
        cmd(0x203, 0, "0x00000010", "0x20100000", consecutive=True,
            comment="buffer 0 at 0: attributes 0 and 1, stride 16"),
        cmd(0x229, 0), cmd(0x25E, "0x00000100", comment="strip"), cmd(0x25F, 1),
        cmd(0x228, 4), cmd(0x22A, 0), cmd(0x22E, 1, comment="draw"),
        cmd(0x010, 1, comment="end")]
    position = [[s * x + o for s, x, o in zip(scale, p + [1], offset)] for p, c in vertices]
    # Bytes arrive as their values; colours are cut off at 1.
    colour = [[min(abs(x), 1) for x in c] for p, c in vertices]
    order = (0, 1, 2, 2, 1, 3)
    write("demo/05-command-list.json", {
        "name": "command list",
        "description": "A GPU command list as the console's command processor takes it: uploads "
                       "a program, sets up vertex buffers, draws a strip.",
        "memory": [
            {"name": "vertices", "va": f"0x{base:x}", "data": {"hex": " ".join(
                data[i:i + 16].hex() for i in range(0, len(data), 16))}},
            {"name": "commands", "va": "0x18100000", "data": {"commands": commands}},
            {"name": "results", "va": "0x18200000", "size": 65536}],
        "jobs": [{
            "name": "strip",
            "native": {"format": "pica-cmdlist", "at": "commands", "output": "results",
                       "output_size": 65536, "model": "f24", "switches": Flow(["strict"])},
            "expect": [
                {"draw": 0, "vertices": 6, "input_vertices": 4, "topology": "strip",
                 "geometry": False, "indexed": False},
                {"draw": 0, "semantic": "position", "f32": [row(position[i]) for i in order]},
                {"draw": 0, "semantic": "color", "f32": [row(colour[i]) for i in order]},
                {"draw": 0, "vertex": 1, "semantic": "texcoord0", "f32": Flow([1, 1]),
                 "comment": "not mapped: 1"}]}]})


# ---- 12: picture ----

def morton(x, y):
    return sum((x >> i & 1) << 2 * i | (y >> i & 1) << 2 * i + 1 for i in range(3))


def pica_picture():
    """A textured rectangle, and a triangle with three colours in front of it."""
    # mov o0, v0; mov o1, v1; mov o2, v2; end
    code = [0x13 << 26 | i << 21 | i << 12 for i in range(3)] + [0x88000000]
    base, colour, depth, texture = 0x18000000, 0x18010000, 0x18020000, 0x18030000
    texels = {(x, y): x << 13 | y << 8 | (31 - 4 * x) for x in range(8) for y in range(8)}
    stored = sorted(texels, key=lambda at: morton(*at))
    white, corners = [255] * 4, [([-1, -1], 0, 0), ([1, -1], 1, 0), ([-1, 1], 0, 1), ([1, 1], 1, 1)]
    data = b"".join(struct.pack("<3f4B2f", *at, -0.25, *white, s, t) for at, s, t in corners)
    data += b"".join(struct.pack("<3f4B2f", *at, -0.75, *c, 0, 0) for at, c in (
        ([-0.5, -0.5], [255, 0, 0, 255]), ([0.5, -0.5], [0, 255, 0, 255]),
        ([0, 0.5], [0, 0, 255, 255])))

    def f24(x):
        m, e = math.frexp(abs(x))
        return (x < 0) << 23 | (e + 62) << 16 | int((2 * m - 1) * 65536)

    def combiner(n, source, operation):
        return cmd((0xC0, 0xC8, 0xD0, 0xD8, 0xF0, 0xF8)[n], source, 0, operation, 0, 0,
                   consecutive=True)

    pass_on = [combiner(n, "0x000f000f", 0) for n in range(1, 6)]
    commands = [
        cmd(0x2CB, 0, comment="code upload"), cmd(0x2CC, *[f"0x{w:08x}" for w in code]),
        cmd(0x2D5, 0, comment="operand descriptors"), cmd(0x2D6, "0x0006c36f"),
        cmd(0x2B9, "0xa0000002", comment="three inputs"), cmd(0x2BA, 0, comment="entry"),
        cmd(0x2BB, "0x00000210", 0, consecutive=True, comment="attribute n to vn"),
        cmd(0x2BD, 7, comment="outputs o0 to o2"), cmd(0x242, 2), cmd(0x24A, 2),
        cmd(0x04F, 3, "0x03020100", "0x0b0a0908", "0x1f1f0d0c", consecutive=True,
            comment="position, colour, texture coordinate 0"),
        cmd(0x200, f"0x{base >> 3:08x}", comment="base of vertex buffers, 8-byte units"),
        cmd(0x201, "0x000007db", "0x2ff80000", consecutive=True,
            comment="3 floats, 4 unsigned bytes, 2 floats"),
        cmd(0x203, 0, "0x00000210", "0x30180000", consecutive=True, comment="stride 24"),
        cmd(0x041, f24(32), comment="half of the width"),
        cmd(0x043, f24(32), comment="half of the height"),
        cmd(0x04D, f24(-1), 0, consecutive=True, comment="depth: -1 is 1, 0 is 0"),
        cmd(0x06D, 1), cmd(0x102, 3, comment="no logic operation: copy"),
        cmd(0x107, "0x00001f61", comment="all components, depth test: greater"),
        cmd(0x112, 15, 15, 3, 3, 3, 2, consecutive=True,
            comment="read and write colour and depth; 24 bits and stencil; RGBA8"),
        cmd(0x11C, f"0x{depth >> 3:08x}", f"0x{colour >> 3:08x}", "0x0103f040",
            consecutive=True, comment="depth, colour, 64 x 64 pixels"),
        cmd(0x080, 1, comment="texture unit 0"),
        cmd(0x082, "0x00080008", 0, 0, f"0x{texture >> 3:08x}", consecutive=True,
            comment="8 x 8 texels, nearest"),
        cmd(0x08E, 3, comment="RGB565"),
        combiner(0, "0x00330033", 0), *pass_on,
        cmd(0x229, 0), cmd(0x25E, "0x00000100", comment="strip"), cmd(0x25F, 1),
        cmd(0x228, 4), cmd(0x22A, 0), cmd(0x22E, 1, comment="draw the rectangle"),
        cmd(0x0C0, 0, comment="the colour of the vertices"), cmd(0x25F, 1),
        cmd(0x228, 3), cmd(0x22A, 4), cmd(0x22E, 1, comment="draw the triangle"),
        cmd(0x010, 1, comment="end")]

    def rgba8(texel):
        r, g, b = texel >> 11, texel >> 5 & 63, texel & 31
        return f"0x{r << 3 | r >> 2:02x}{g << 2 | g >> 4:02x}{b << 3 | b >> 2:02x}ff"

    write("demo/12-pica-picture.json", {
        "name": "PICA200 picture",
        "description": "A command list draws a textured rectangle, and a triangle in front of it: run "
                       "--png writes picture.colour and picture.depth.",
        "memory": [
            {"name": "vertices", "va": f"0x{base:x}", "data": {"hex": data.hex()}},
            {"name": "colour", "va": f"0x{colour:x}", "size": 16384},
            {"name": "depth", "va": f"0x{depth:x}", "size": 16384},
            {"name": "texture", "va": f"0x{texture:x}", "data": {"hex": b"".join(
                struct.pack("<H", texels[at]) for at in stored).hex()}},
            {"name": "screen", "va": "0x18040000", "size": 8192},
            {"name": "commands", "va": "0x18100000", "data": {"commands": commands}}],
        "jobs": [{
            "name": "clear",
            "native": {"format": "pica-gx", "requests": [{"fill": [
                {"at": "colour", "size": 16384, "value": "0x404040ff", "width": 32},
                {"at": "depth", "size": 16384, "value": 0, "width": 32}]}]},
            "expect": [{"at": "colour+16380", "u32": ["0x404040ff"]}]
        }, {
            "name": "picture",
            "native": {"format": "pica-cmdlist", "at": "commands", "output_size": 0,
                       "model": "f24"},
            "expect": [
                {"at": "colour", "comment": "the first two blocks: two texels",
                 "u32": [Flow([rgba8(texels[x, 0])] * 8) for x in (0, 1) for _ in range(8)]},
                {"at": "depth", "u32": Flow(["0x003fffff"])}]
        }, {
            "name": "screen",
            "native": {"format": "pica-gx", "requests": [{"transfer": {
                "input": "colour", "output": "screen", "input_size": Flow([64, 64]),
                "input_format": "rgba8", "output_format": "rgb565"}}]},
            "expect": [{"at": "screen", "comment": "a row of the first three blocks",
                        "u16": Flow(texels[x // 8, 0] for x in range(24))}]}]})


def mandelbrot(width, height, most):
    """Iterations as a scalar program counts them that rounds as the QPU does: cut off."""
    def cut(x):
        if x == 0:
            return 0.0
        m, e = math.frexp(x)
        return math.ldexp(math.trunc(m * (1 << 24)), e - 24)

    def points():
        for y in range(height):
            for x in range(width):
                yield cut(-2 + x * 0.0625), cut(-1.25 + y * 0.15625)

    result = []
    for cr, ci in points():
        zr = zi = 0.0
        n = 0
        while n < most:
            rr, ii = cut(zr * zr), cut(zi * zi)
            if cut(rr + ii) > 4:
                break
            ri = cut(zr * zi)
            zr, zi = cut(cut(rr - ii) + cr), cut(cut(ri + ri) + ci)
            n += 1
        result.append(n)
    return result


def qpu():
    """Four groups of 16 elements for each of 12 threads; a picture; a deadlock."""
    count = 12 * 4 * 16
    threads = [{"uniforms": Flow([f"x+{256 * t}", f"y+{256 * t}", 0.5, 4])} for t in range(12)]
    width, height, most = 48, 17, 60

    def rows(values):
        return [Flow(values[i:i + 16]) for i in range(0, len(values), 16)]

    lines = [{"uniforms": Flow([f"picture+{4 * width * y}", -2.0, -1.25 + y * 0.15625,
                                width // 16, most]), "code": "code"} for y in range(height)]
    picture = mandelbrot(width, height, most)
    write("demo/08-qpu.json", {
        "name": "QPU",
        "description": "VideoCore IV: programs in vc4asm's language on 12 QPUs, as shader job "
                       "and as the firmware's list; a deadlock that names its QPUs.",
        "engine": "qpu",
        "memory": [
            {"name": "x", "data": {"f32": rows([4 * (i % 97) for i in range(count)])}},
            {"name": "y", "data": {"f32": rows(list(range(count)))}},
            {"name": "picture", "size": 4 * width * height},
            {"name": "code", "data": {"code": {"asm": {"file": "mandelbrot.qasm"}}}},
            {"name": "stuck", "data": {"code": {"asm":
                "mov -, mutex_acq\nsacq -, 7\nthrend\nnop\nnop\n"}}}],
        "programs": [{"name": "saxpy", "asm": {"file": "saxpy.qasm"}}],
        "jobs": [
            {"name": "saxpy",
             "qpu": {"threads": threads, "switches": Flow(["strict-hazards", "strict-tmu"])},
             "expect": [{"invocations": 12},
                        {"at": "y", "f32": rows([0.5 * 4 * (i % 97) + i for i in range(count)])}]},
            {"name": "mandelbrot",
             "native": {"format": "qpu-list", "threads": lines},
             "expect": [{"at": "picture", "name": "iterations",
                         "u32": rows(picture)}]},
            {"name": "deadlock",
             "comment": "All take the mutex in turn, the first keeps it and waits for ever.",
             "native": {"format": "qpu-list", "threads": [{"code": "stuck", "repeat": 3}]},
             "expect": [{"fault": "deadlock"}, {"status": "EIO"},
                        {"qpu": 0, "wait": "sema-acquire", "info": 7},
                        {"qpu": 1, "wait": "mutex", "info": 0},
                        {"qpu": 2, "wait": "mutex", "info": 0},
                        {"qpu": 3, "wait": "idle"}]}],
        "images": [{"name": "mandelbrot", "at": "picture", "width": width, "height": height,
                    "format": "r32ui", "max": most}]})


if __name__ == "__main__":
    lit_mesh()
    numbers()
    geometry()
    command_list()
    pica_picture()
    qpu()
