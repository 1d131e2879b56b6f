#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Writes job files for Bifrost that carry computed expectations.

Programs are in the language of vshader asm. What is expected is computed here, from the
meaning of the programs, in numbers that binary32 has. Run it in this folder; the files it
writes are committed.
"""
import json

from make_demo import Flow, write

F32X4, RGBA8, R8UI = 0xbf << 12, 0xbb << 12, 0x83 << 12  # formats of version 7
TILE_RGBA8_F32 = 0xed << 12 | 1 << 24  # of the tile buffer, from binary32 registers


def rows(values, n=8):
    return [Flow(values[i:i + n]) for i in range(0, len(values), n)]


REVERSE = """ds(0) nbb attr ncph dwb(0)
{
	+U16_TO_U32 r0:t1, r55
	*LSHIFT_OR.i32 r2:t0, t1, #0, 0x00000002
	+NOP t1
	+NOP t1
	+LOAD.i32.ubo t1, r2, 0x00000000, @r1
}
ds(0) nbb store ncph dwb(0)
{
	*IMUL.i32 t0, r1, u1.w0
	+NOP t1
	+IADD.s32 r1:t1, t0, r57
	+NOP t1
	+STORE.i32.wls t1, r2, 0x00000000, @r1
}
ds(7) osrb nbb barrier ncph dwb(7)
{
	+BARRIER t1
}
ds(0) nbb load ncph
{
	+ISUB.s32 r3:t1, u1.w1, r2
	+NOP t1
	+LOAD.i32.wls t1, r3, 0x00000000, @r4
}
ds(0) eos store dwb(0)
{
	*LSHIFT_OR.i32 t0, r60, #0, 0x00000002
	+NOP t1
	+IADD.s32 r5:t1, u0.w0, t0
	+NOP t1
	+STORE.i32 t1, r5, u0.w1, @r4
}
"""

# Positions as they are, a varying: x and y times the pushed words.
VERTEX = """ds(0) nbb attr ncph dwb(0)
{
	+LD_ATTR_IMM.f32.v4 t1, r61, r62, attribute_index:0, @r0
}
ds(0) nbb store ncph
{
	+ST_CVT.v4 t1, r58, r59, 0x0105e000, @r0
}
ds(0) nbb attr ncph next_store dwb(0)
{
	*FMA.f32 r0:t0, r0, u0.w0, #0.neg
	+NOP t1
	*FMA.f32 r1:t0, r1, u0.w1, #0.neg
	+NOP t1
	+LEA_ATTR_IMM.auto t1, r61, r62, attribute_index:0, @r4
}
ds(0) eos store
{
	+ST_CVT.v4 t1, r4, r5, r6, @r0
}
"""

FRAGMENT = """ds(0) nbb vary ncph next_blend dwb(0)
{
	+LD_VAR_IMM.v4.store.f32.center t1, #0.x, index:0, @r0
}
ds(0) nbb atest td ncph next_blend dwb(0, 6, 7)
{
	+NOP t1
	+ATEST r60:t1, r60, r3, @r60
}
ds(0) eos blend td
{
	+BLEND r48:t1, r60, blend_descriptor_0.x, blend_descriptor_0.y, @r0
}
"""

# A colour for two targets; the first BLEND may call a program, which returns to what follows.
TWO_TARGETS = """ds(0) nbb ncph
{
	*MOV.i32 r0:t0, u0.w0
	+MOV.i32 r1:t1, u0.w1
	*NOP t0
	+MOV.i32 r2:t1, u1.w0
	*NOP t0
	+MOV.i32 r3:t1, u1.w1
}
ds(0) nbb blend ncph
{
	+BLEND r48:t1, r60, blend_descriptor_0.x, blend_descriptor_0.y, @r0
}
ds(0) nbb ncph
{
	*NOP t0
	+MOV.i32 r0:t1, u1.w1
	*NOP t0
	+MOV.i32 r3:t1, u0.w0
}
ds(0) eos blend ncph
{
	+BLEND r48:t1, r60, blend_descriptor_1.x, blend_descriptor_1.y, @r0
}
"""
BEHIND_FIRST_BLEND = 0x40

# Blends: the colour less what is in the target, alpha as it is there.
MINUS = """ds(0) nbb tile ncph dwb(6, 7)
{
	+LD_TILE.v4 t1, 0xff000000, r60, 0x010ed000, @r4
}
ds(0) nbb ncph dwb(0)
{
	*NOP t0
	+FADD.f32.clamp_0_1 r0:t1, r0, r4.neg
	*NOP t0
	+FADD.f32.clamp_0_1 r1:t1, r1, r5.neg
	*NOP t0
	+FADD.f32.clamp_0_1 r2:t1, r2, r6.neg
	*NOP t0
	+MOV.i32 r3:t1, r7
}
ds(0) nbb blend ncph
{
	+BLEND r8:t1, r60, 0x00000001, 0x010ed000, @r0
}
ds(0) nbb r_uncond ncph
{
	+JUMP t1, r48
}
"""

# A colour whose alpha decides which samples there are.
SAMPLES = """ds(0) nbb ncph
{
	*MOV.i32 r0:t0, u0.w0
	+MOV.i32 r1:t1, u0.w1
	*NOP t0
	+MOV.i32 r2:t1, u1.w0
	*NOP t0
	+MOV.i32 r3:t1, u1.w1
}
ds(0) nbb atest td ncph next_blend dwb(0, 6, 7)
{
	+NOP t1
	+ATEST r60:t1, r60, r3, @r60
}
ds(0) eos blend td
{
	+BLEND r48:t1, r60, blend_descriptor_0.x, blend_descriptor_0.y, @r0
}
"""

COPY = """ds(0) nbb load ncph
{
	*LSHIFT_OR.i32 t0, r60, #0, 0x00000002
	+NOP t1
	+IADD.s32 r2:t1, u0.w0, t0
	+NOP t1
	+LOAD.i32 t1, r2, u0.w1, @r1
}
ds(0) eos store dwb(0)
{
	*LSHIFT_OR.i32 t0, r60, #0, 0x00000002
	+NOP t1
	+IADD.s32 r3:t1, u1.w0, t0
	+NOP t1
	+STORE.i32 t1, r3, u1.w1, @r1
}
"""

SPIN = """again:
ds(0) nbb ncph
{
	+IADD.s32 r0:t1, r0, 0x00000001
	+JUMP t1, again
}
"""

RSQ = """ds(0) eos store
{
	+FRSQ.f32 r0:t1, u1.w0
	+NOP t1
	+STORE.i32 t1, u0.w0, u0.w1, @r0
}
"""


def compute_job():
    data = [7 * i * i + 3 for i in range(32)]
    want = [data[31 - i % 32] * 5 + i // 32 for i in range(128)]
    return {"name": "workgroups", "program": "reverse",
            "comment": "Through the memory of a workgroup, with a barrier between.",
            "mali": {"local": Flow([32, 1, 1]), "groups": Flow([4, 1, 1]),
                     "ubos": [{"at": "numbers"}], "push": Flow(["out", 0, 5, 124]),
                     "wls_size": 128, "wls_instances": 2},
            "expect": [{"at": "out", "u32": rows(want)}, {"invocations": 128}]}, data


def vertex_job():
    vertices = [[float(4 * i - 3 * k) / 2 for k in range(4)] for i in range(5)]
    want = [[v[0] * 0.5, v[1] * -4.0, v[2], v[3]] for v in vertices]
    job = {"name": "vertices", "program": "vertex",
           "mali": {"groups": Flow([1, 5, 1]), "push": Flow([0.5, -4.0]),
                    "attributes": {"at": "attributes", "count": 1, "buffers": "buffers"},
                    "varyings": {"at": "attributes+8", "count": 1, "buffers": "buffers"},
                    "positions": "positions"},
           "expect": [{"at": "varyings", "f32": [Flow(v) for v in want]},
                      {"at": "positions", "f32": [Flow(v) for v in vertices]},
                      {"invocations": 5}]}
    return job, [Flow(v) for v in vertices]


def fragment_job():
    """Red grows with x, green with y: at pixel centres multiples of 1/16, in bytes of 255."""
    size, corners = 8, [(0, 0), (16, 0), (0, 16)]
    pixels = []
    for y in range(size):
        for x in range(size):
            # a pixel's centre is inside of the triangle if it is left of the diagonal
            red, green = (x + 0.5) / 16, (y + 0.5) / 16
            pixels.append(round(red * 255) | round(green * 255) << 8 | 128 << 16 | 255 << 24)
    job = {"name": "triangle", "program": "fragment",
           "comment": "Perspective is that of equal distances.",
           "mali": {"varyings": {"at": "colour", "count": 1, "buffers": "buffers+0x20"},
                    "fragment": {
                        "width": size, "height": size, "prim": "triangle",
                        "vertices": [Flow([float(x), float(y), 0.5, 1.0]) for x, y in corners],
                        "targets": [{"at": "picture", "row_stride": 4 * size, "format": RGBA8,
                                     "blend": Flow([0x200, "0xf0122122", 1,
                                                    TILE_RGBA8_F32])}]}},
           "expect": [{"at": "picture", "u32": rows([f"0x{p:08x}" for p in pixels], size)}]}
    colours = [Flow([c[0] / 16, c[1] / 16, 128 / 255, 1.0]) for c in corners]
    return job, colours


def shaders():
    compute, numbers = compute_job()
    vertex, vertices = vertex_job()
    fragment, colours = fragment_job()
    write("bifrost/shaders.json", {
        "name": "Bifrost shader jobs",
        "description": "A compute program with workgroup memory and a barrier, a vertex program "
                       "with attribute and varying, a fragment program over a triangle.",
        "engine": "bifrost",
        "memory": [
            {"name": "numbers", "data": {"u32": rows(numbers)}},
            {"name": "out", "size": 4096},
            {"name": "vertices", "data": {"f32": vertices}},
            {"name": "colours", "data": {"f32": colours}},
            {"name": "varyings", "size": 4096}, {"name": "positions", "size": 4096},
            {"name": "picture", "size": 4096},
            {"name": "attributes",
             "comment": "Buffer and format, offset. Attributes use buffer 0, varyings 1.",
             "data": {"words": Flow([F32X4 << 10 & 0xffffffff, 0,
                                     (F32X4 << 10 | 1) & 0xffffffff, 0])}},
            {"name": "colour", "data": {"words": Flow([F32X4 << 10 & 0xffffffff, 0])}},
            {"name": "buffers",
             "comment": "Address and type (1: one element per vertex), stride, bytes.",
             "data": {"words": [Flow(["vertices+1", 0, 16, 80]), Flow(["varyings+1", 0, 16, 80]),
                                Flow(["colours+1", 0, 16, 48])]}}],
        "programs": [{"name": "reverse", "asm": REVERSE},
                     {"name": "vertex", "stage": "vertex", "asm": VERTEX},
                     {"name": "fragment", "stage": "fragment", "asm": FRAGMENT}],
        "jobs": [compute, vertex, fragment]})


def blend_job():
    """1 - 16/255, 0.5 - 32/255, 0.25 - 48/255; then 0.75, what is left, 1."""
    first, second = 0x401060ef, 0xff1060bf
    size = 8
    return {"name": "a blend program", "program": "two targets",
            "mali": {"push": Flow([1.0, 0.5, 0.25, 0.75]),
                     "fragment": {
                         "width": size, "height": size, "prim": "rect",
                         "targets": [
                             {"at": "grey", "row_stride": 4 * size, "format": RGBA8,
                              "blend": Flow([0x200, 0, BEHIND_FIRST_BLEND, 0]),
                              "program": "minus"},
                             {"at": "picture", "row_stride": 4 * size, "format": RGBA8,
                              "blend": Flow([0x200, 0, 1 | 1 << 16, TILE_RGBA8_F32])}]}},
            "expect": [{"at": "grey", "u32": rows([f"0x{first:08x}"] * size * size, size)},
                       {"at": "picture", "u32": rows([f"0x{second:08x}"] * size * size, size)},
                       {"invocations": size * size}]}


def samples_job():
    """Half of four samples, where stencil values are 1; these are counted up."""
    size, samples, white = 4, 4, 0x7fffffff
    plane = size * size
    picture, stencil = [], []
    for sample in range(samples):
        for i in range(plane):
            here = sample < 2 and i % 3 == 1
            picture.append(white if here else 0)
            stencil.append(2 if here else i % 3)
    return {"name": "samples", "program": "samples",
            "comment": "Alpha to coverage, then the stencil test.",
            "mali": {"push": Flow([1.0, 1.0, 1.0, 0.498]),
                     "fragment": {
                         "width": size, "height": size, "prim": "rect", "samples": samples,
                         "flags": ["stencil-test", "alpha-to-coverage", "late"],
                         # reference 1, all bits, equal, keep, keep, increment
                         "stencil_side": Flow([1 | 0xff << 8 | 2 << 16 | 6 << 25, 0]),
                         "stencil": {"at": "stencil", "row_stride": size, "format": R8UI,
                                     "sample_stride": plane},
                         "targets": [{"at": "samples", "row_stride": 4 * size, "format": RGBA8,
                                      "sample_stride": 4 * plane,
                                      "blend": Flow([0x200, 0, 1, TILE_RGBA8_F32])}]}},
            "expect": [{"at": "samples", "u32": rows([f"0x{p:08x}" for p in picture])},
                       {"at": "stencil", "u8": rows(stencil, 16)}]}


def fragments():
    write("bifrost/fragments.json", {
        "name": "Bifrost fragments",
        "description": "A blend program, and a target with samples.",
        "engine": "bifrost",
        "memory": [
            {"name": "minus", "data": {"code": {"asm": MINUS}}},
            {"name": "grey", "size": 4096, "data": {"u32": ["0x40302010"], "repeat": 64}},
            {"name": "picture", "size": 4096}, {"name": "samples", "size": 4096},
            {"name": "stencil", "size": 4096,
             "data": {"u8": [i % 3 for i in range(16)], "repeat": 4}}],
        "programs": [{"name": "two targets", "stage": "fragment", "asm": TWO_TARGETS},
                     {"name": "samples", "stage": "fragment", "asm": SAMPLES}],
        "jobs": [blend_job(), samples_job()]})


def faults():
    def copy(name, source, target, expect):
        return {"name": name, "program": "copy",
                "mali": {"local": Flow([16, 1, 1]), "push": Flow([source, 0, target, 0])},
                "expect": expect}

    write("bifrost/faults.json", {
        "name": "Bifrost faults",
        "description": "What goes wrong in shader jobs, and where.",
        "engine": "bifrost",
        "memory": [{"name": "in", "va": "0x10000000", "size": 4096},
                   {"name": "out", "va": "0x20000000", "size": 4096},
                   {"name": "rom", "va": "0x30000000", "size": 4096, "readonly": True}],
        "programs": [{"name": "copy", "asm": COPY}, {"name": "spin", "asm": SPIN},
                     {"name": "rsq", "asm": RSQ}, {"name": "reverse", "asm": REVERSE},
                     {"name": "garbage", "words": Flow(["0xffffffff"] * 4), "reject": {}}],
        "jobs": [
            copy("unmapped read", "in+0xff0", "out",
                 [{"status": "EIO"}, {"fault": "read", "address": "0x10001000", "size": 4,
                                      "invocation": 4, "pc": 0}]),
            copy("unmapped write", "in", "out+0xfe0",
                 [{"status": "EIO"}, {"fault": "write", "address": "0x20001000",
                                      "invocation": 8}]),
            copy("read-only write", "in", "rom",
                 [{"status": "EIO"}, {"fault": "write", "address": "0x30000000",
                                      "invocation": 0}]),
            copy("read-only read", "rom", "out", [{"status": "ok"}, {"invocations": 16}]),
            {"name": "up to the end", "program": "copy",
             "comment": "No page follows in a kernel: what idle lanes would read is not there.",
             "mali": {"local": Flow([12, 1, 1]), "push": Flow(["in+0xfd0", 0, "out+0xfd0", 0])},
             "expect": [{"status": "ok"}, {"invocations": 12}]},
            {"name": "outside of the workgroup's memory", "program": "reverse",
             "mali": {"local": Flow([32, 1, 1]), "push": Flow(["out", 0, 5, 124]),
                      "wls_size": 64},
             "expect": [{"status": "EIO"}, {"fault": "write", "invocation": 16}]},
            {"name": "operation of later GPUs", "program": "rsq",
             "mali": {"gpu": "g71", "push": Flow(["out", 0, 4.0, 0])},
             "expect": [{"status": "EIO"}, {"fault": "encoding", "pc": 0}]},
            {"name": "on such a GPU", "program": "rsq",
             "mali": {"gpu": "g72", "push": Flow(["out", 0, 16.0, 0])},
             "expect": [{"at": "out", "f32": Flow([0.25])}]},
            {"name": "too many threads", "program": "copy",
             "mali": {"local": Flow([64, 64, 1])},
             "expect": [{"status": "EIO"}, {"fault": "command"}]},
            {"name": "unknown registers", "program": "copy", "mali": {"preload": 1},
             "expect": [{"submit": "EINVAL"}]},
            {"name": "endless", "program": "spin", "budget": 100000, "mali": {},
             "expect": [{"status": "ETIME"}, {"fault": "budget"}]},
            {"name": "too slow", "program": "spin", "time_limit_ms": 30, "mali": {},
             "expect": [{"status": "ETIME"}, {"fault": "timeout"}]}]})


NULL, WRITE, GEOMETRY_JOB, IMM32, IMM64 = 1, 2, 6, 6, 7


def job(kind, index, following, dep1=0, dep2=0, target=0, value=0, how=IMM32):
    """Header of 32 bytes and payload of a job; each takes 64 bytes."""
    return Flow([0, 0, 0, 0, 1 | kind << 1 | index << 16, dep1 | dep2 << 16, following, 0,
                 target, 0, how if kind == WRITE else 0, 0, value & 0xffffffff, value >> 32,
                 0, 0])


def chains():
    def chain(name, at, expect, **more):
        return {"name": name, "native": {"format": "bifrost-chain", "at": at, **more},
                "expect": expect}

    done, config_fault, write_fault = 1, 0x40, 0x43
    long = 300
    write("bifrost/chains.json", {
        "name": "Bifrost job chains",
        "description": "Dependencies, values that jobs write, chains that are none.",
        "engine": "bifrost",
        "memory": [
            {"name": "out", "va": "0x20000000", "size": 4096},
            {"name": "three", "comment": "The first waits for both others.",
             "data": {"words": [job(WRITE, 1, "three+0x40", 2, 3, "out", 10),
                                job(WRITE, 2, "three+0x80", 3, 0, "out", 20),
                                job(WRITE, 3, 0, 0, 0, "out", 30)]}},
            {"name": "next", "comment": "A job writes the value of the next one.",
             "data": {"words": [job(WRITE, 1, "next+0x40", 0, 0, "next+0x70", 77),
                                job(WRITE, 2, 0, 1, 0, "out+8", 0x1122334455, IMM64)]}},
            {"name": "loop",
             "data": {"words": [job(NULL, 1, "loop+0x40"), job(NULL, 2, "loop")]}},
            {"name": "circle",
             "data": {"words": [job(NULL, 1, "circle+0x40", 2), job(NULL, 2, 0, 1)]}},
            {"name": "geometry", "data": {"words": [
                job(WRITE, 1, "geometry+0x40", 0, 0, "out+16", 5), job(GEOMETRY_JOB, 2, 0)]}},
            {"name": "nowhere",
             "data": {"words": [job(WRITE, 1, 0, 0, 0, "0x70000000", 5)]}},
            {"name": "long", "data": {"words": [
                job(NULL, i + 1, f"long+{64 * i + 64}" if i + 1 < long else 0, i)
                for i in range(long)]}}],
        "jobs": [
            chain("dependencies", "three",
                  [{"at": "out", "u32": Flow([10])},
                   {"at": "three", "u32": Flow([done])}, {"at": "three+0x40", "u32": Flow([done])},
                   {"at": "three+0x80", "u32": Flow([done])}]),
            chain("a job writes the next", "next",
                  [{"at": "out+8", "u32": Flow([77, 0x11])}]),
            chain("next pointers form a loop", "loop",
                  [{"status": "EIO"}, {"fault": "command"},
                   {"at": "loop", "u32": Flow([config_fault])}]),
            chain("dependencies form a circle", "circle",
                  [{"status": "EIO"}, {"fault": "command"}]),
            chain("a geometry job", "geometry",
                  [{"status": "EIO"}, {"fault": "command", "draw": 1},
                   {"at": "out+16", "u32": Flow([5])}, {"at": "geometry", "u32": Flow([done])},
                   {"at": "geometry+0x40", "u32": Flow([config_fault])}]),
            chain("a value to nowhere", "nowhere",
                  [{"status": "EIO"}, {"fault": "write", "address": "0x70000000", "draw": 0},
                   {"at": "nowhere", "u32": Flow([write_fault, 0, 0x70000000, 0])}]),
            chain("no chain", "0x70000000",
                  [{"status": "EIO"}, {"fault": "command", "address": "0x70000000"}]),
            chain("not aligned", "three+8", [{"status": "EIO"}, {"fault": "command"}]),
            chain("too little memory", "three", [{"submit": "EINVAL"}], memory=4096),
            chain("a size", "three", [{"submit": "EINVAL"}], size=64),
            chain("many jobs", "long",
                  [{"at": f"long+{64 * (long - 1)}", "u32": Flow([done])}]),
            {"name": "over budget", "budget": 10000,
             "native": {"format": "bifrost-chain", "at": "long"},
             "expect": [{"status": "ETIME"}, {"fault": "budget"},
                        {"at": "long", "u32": Flow([done])}]}]})


def demo():
    """A captured reduction, a triangle, a chain with a job that is not executed."""
    with open("bifrost/c_reduce.json", encoding="ascii") as f:
        capture = json.load(f)
    image, reduction = capture["memory"][0], capture["jobs"][0]
    image["comment"] = "GPU memory as a driver left it when it submitted the jobs."
    image["ranges"] = [Flow(r) for r in image["ranges"]]
    words = reduction["expect"][0]["u32"]
    # what the four workgroups add up; the rest is in bifrost/c_reduce.json
    reduction["name"] = "reduction"
    reduction["expect"] = [{"name": "sums", "at": reduction["expect"][0]["at"],
                            "u32": Flow(words[:4])}, {"invocations": 512}]
    triangle, colours = fragment_job()
    write("demo/09-bifrost.json", {
        "name": "Bifrost",
        "description": "Mali-G52: the reduction of a compute shader, captured from Mesa's driver "
                       "and executed again; a triangle; a job of a kind that is not executed.",
        "engine": "bifrost",
        "memory": [
            image, {"name": "picture", "size": 4096},
            {"name": "colours", "data": {"f32": colours}},
            {"name": "colour", "data": {"words": Flow([F32X4 << 10 & 0xffffffff, 0])}},
            {"name": "buffers", "data": {"words": Flow([0, 0, 0, 0, 0, 0, 0, 0,
                                                        "colours+1", 0, 16, 48])}},
            {"name": "chain", "data": {"words": [
                job(WRITE, 1, "chain+0x40", 0, 0, "picture+0x800", 2026),
                job(GEOMETRY_JOB, 2, 0, 1)]}}],
        "programs": [{"name": "fragment", "stage": "fragment", "asm": FRAGMENT}],
        "jobs": [reduction, triangle,
                 {"name": "geometry", "native": {"format": "bifrost-chain", "at": "chain"},
                  "expect": [{"status": "EIO"}, {"fault": "command", "draw": 1},
                             {"at": "picture+0x800", "u32": Flow([2026])},
                             {"name": "outcomes", "at": "chain", "group": 1, "stride": 64,
                              "u32": Flow([1, "0x40"])}]}],
        "images": [{"name": "bifrost-triangle", "at": "picture", "width": 8, "height": 8}]})


if __name__ == "__main__":
    demo()
    shaders()
    fragments()
    faults()
    chains()
