#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Writes job files for Midgard that carry computed expectations.

As make_bifrost.py. Run it in this folder; the files it writes are committed.
"""
from make_bifrost import GEOMETRY_JOB, IMM32, NULL, WRITE, job, rows
from make_demo import Flow, write

ZERO = 3  # of the values that jobs write, version 5 has no numbers
# of version 5: components in their order
F32X4 = 0xbf << 12 | 3 << 9 | 2 << 6 | 1 << 3

# Times five, through the memory of a workgroup, in the opposite order.
REVERSE = """LDST_MOV R0.xyz~, LOCAL_THREAD_ID.xyzx

smul.MOV.i32 AL0.x, TMP0.x, R0.x
lut.MOV.i64 AL0.y, TMP0.[xx], U0.X

LD.32 R1.x~~~, AL0.u64.z + AL0.u32.x << 2

vadd.ADD.i32 AL0.y, R0.x, #0
smul.MUL.i32 AL0.x, R1.x, #5

ST.32 AL0.xxxx, LOCAL_STORAGE_PTR.u64.z + AL0.s32.y << 2

BARRIER

sadd.SUB.i32 AL0.x, U1.x, R0.x

LD.32 R1.x~~~, LOCAL_STORAGE_PTR.u64.z + AL0.s32.x << 2

LDST_MOV R2.x~~~, GLOBAL_THREAD_ID.xyzx

vadd.ADD.i32 AL0.x, R2.x, #0
smul.MOV.i32 AL1.x, TMP0.x, R1.x
lut.MOV.i64 AL1.y, TMP0.[xx], U0.Y

ST.32 AL1.xxxx, AL1.u64.z + AL0.u32.x << 2
"""

# An attribute times the pushed words.
VERTEX = """LD_ATTR.f32 R0.xyzw, 0.x, 0.x

vmul.FMUL.f32 AL0, R0, U0

ST_VARY.f32.a32 AL0, 0.x, 0.x
"""

COPY = """LDST_MOV AL0.x~~~, GLOBAL_THREAD_ID.xyzx

lut.MOV.i64 AL0.y, TMP0.[xx], U0.X

LD.32 R0.x~~~, AL0.u64.z + AL0.u32.x << 2

smul.MOV.i32 AL1.x, TMP0.x, R0.x
lut.MOV.i64 AL1.y, TMP0.[xx], U0.Y

ST.32 AL1.xxxx, AL1.u64.z + AL0.u32.x << 2
"""

SPIN = """brx.reserved.cond.always -1 -> alu/4
"""


def compute_job():
    data = [7 * i * i + 3 for i in range(32)]
    want = [data[31 - i % 32] * 5 for i in range(128)]
    return {"name": "workgroups", "program": "reverse",
            "comment": "Through the memory of a workgroup, with a barrier between.",
            "mali": {"local": Flow([32, 1, 1]), "groups": Flow([4, 1, 1]),
                     "push": Flow(["numbers", 0, "out", 0, 31, 0, 0, 0]),
                     "wls_size": 128, "wls_instances": 2},
            "expect": [{"at": "out", "u32": rows(want)}, {"invocations": 128}]}, data


def vertex_job():
    vertices = [[float(4 * i - 3 * k) / 2 for k in range(4)] for i in range(5)]
    scale = [0.5, -4.0, 1.0, 3.0]
    job = {"name": "vertices", "program": "vertex",
           "mali": {"groups": Flow([1, 5, 1]), "push": Flow(scale),
                    "attributes": {"at": "attributes", "count": 1, "buffers": "buffers"},
                    "varyings": {"at": "attributes+8", "count": 1, "buffers": "buffers"}},
           "expect": [{"at": "varyings",
                       "f32": [Flow([a * b for a, b in zip(v, scale)]) for v in vertices]},
                      {"invocations": 5}]}
    return job, [Flow(v) for v in vertices]


def shaders():
    compute, numbers = compute_job()
    vertex, vertices = vertex_job()
    write("midgard/shaders.json", {
        "name": "Midgard shader jobs",
        "description": "A compute program with workgroup memory and a barrier, a vertex program "
                       "with attribute and varying.",
        "engine": "midgard",
        "memory": [
            {"name": "numbers", "data": {"u32": rows(numbers)}},
            {"name": "out", "size": 4096},
            {"name": "vertices", "data": {"f32": vertices}},
            {"name": "varyings", "size": 4096},
            {"name": "attributes",
             "comment": "Buffer and format, offset. Attributes use buffer 0, varyings 1.",
             "data": {"words": Flow([F32X4 << 10 & 0xffffffff, 0,
                                     (F32X4 << 10 | 1) & 0xffffffff, 0])}},
            {"name": "buffers",
             "comment": "Address and type (1: one element per vertex), stride, bytes.",
             "data": {"words": [Flow(["vertices+1", 0, 16, 80]),
                                Flow(["varyings+1", 0, 16, 80])]}}],
        "programs": [{"name": "reverse", "asm": REVERSE},
                     {"name": "vertex", "stage": "vertex", "asm": VERTEX}],
        "jobs": [compute, vertex]})


# Writes u0 to the first target, u1 to the second one; r1.w is where blend programs return to.
TWO_TARGETS = """vmul.MOV.i32 R0, TMP0, U0

sadd.MOV.i32 R1.z, TMP0.x.sext, #0
vadd.ADD.i32 R1.w, PC_SP.x, #0
brx.reserved.write.always -2 -> alu/8

vmul.MOV.i32 R0, TMP0, U1

sadd.MOV.i32 R1.z, TMP0.x.sext, #256
vadd.ADD.i32 R1.w, PC_SP.x, #0
brx.reserved.write.always -2 -> alu/8
"""

# A blend program: the colour's bits and those of the first target.
XOR = """LD_TILEBUFFER.raw R2.xyzw

vmul.XOR.i32 R0, R0, R2

sadd.MOV.i32 R1.z, TMP0.x.sext, #0
brx.reserved.write.always -1 -> alu/4
"""

# Depth and stencil value of the program, in r1.x and r1.y.
VALUES = """vmul.MOV.i32 R0, TMP0, U0

sadd.MOV.i32 R1.x, TMP0.x, U1.x
smul.MOV.i32 R1.y, TMP0.x, U1.y

sadd.MOV.i32 R1.z, TMP0.x.sext, #0
brx.reserved.write.always -1 -> alu/4
"""

RGBA8 = 187 << 12 | 0x688
R8UI = 131 << 12 | 0x688
R32F = 167 << 12 | 0x688
REPLACE = 0xf0122122


def blend_job():
    size, old, colour = 8, 0x40302010, 0x44332211
    return {"name": "a blend program", "program": "two targets",
            "mali": {"push": Flow([colour, 0, 0, 0, 1.0, 0.0, 0.0, 1.0]),
                     "fragment": {
                         "width": size, "height": size, "prim": "rect",
                         "targets": [
                             {"at": "grey", "row_stride": 4 * size, "format": RGBA8,
                              "blend": Flow([0x202, 0, 0, 0]), "program": "xor"},
                             {"at": "picture", "row_stride": 4 * size, "format": RGBA8,
                              "blend": Flow([0x200, 0, f"0x{REPLACE:08x}", 0])}]}},
            "expect": [{"at": "grey", "u32": rows([f"0x{old ^ colour:08x}"] * size * size, size)},
                       {"at": "picture", "u32": rows(["0xff0000ff"] * size * size, size)},
                       {"invocations": size * size}]}


def samples_job():
    """Half of four samples, where stencil values are not 1; these become 9, depths 0.25."""
    size, samples, colour = 4, 4, "0x7fffffff"
    plane = size * size
    picture, stencil, depth = [], [], []
    for sample in range(samples):
        for i in range(plane):
            here = sample < 2 and i % 3 != 1
            picture.append(colour if here else 0)
            stencil.append(9 if here else i % 3)
            depth.append(0.25 if here else 1.0)
    return {"name": "samples", "program": "values",
            "comment": "Alpha to coverage, then tests with the program's depth and reference.",
            "mali": {"push": Flow([1.0, 1.0, 1.0, 0.498, 0.25, 9, 0, 0]),
                     "fragment": {
                         "width": size, "height": size, "prim": "rect", "samples": samples,
                         "flags": ["stencil-test", "alpha-to-coverage", "shader-s", "shader-z",
                                   "depth-test", "depth-write"],
                         "depth_func": 1,
                         # bit 0 not equal, keep, keep, replace
                         "stencil_side": Flow([1 << 8 | 5 << 16 | 1 << 25, 0]),
                         "stencil": {"at": "stencil", "row_stride": size, "format": R8UI,
                                     "sample_stride": plane},
                         "depth": {"at": "depth", "row_stride": 4 * size, "format": R32F,
                                   "sample_stride": 4 * plane},
                         "targets": [{"at": "samples", "row_stride": 4 * size, "format": RGBA8,
                                      "sample_stride": 4 * plane,
                                      "blend": Flow([0x200, 0, f"0x{REPLACE:08x}", 0])}]}},
            "expect": [{"at": "samples", "u32": rows(picture)},
                       {"at": "stencil", "u8": rows(stencil, 16)},
                       {"at": "depth", "f32": rows(depth)}]}


def fragments():
    write("midgard/fragments.json", {
        "name": "Midgard fragments",
        "description": "A blend program, and a target with samples.",
        "engine": "midgard",
        "memory": [
            {"name": "xor", "data": {"code": {"asm": XOR}}},
            {"name": "grey", "size": 4096, "data": {"u32": ["0x40302010"], "repeat": 64}},
            {"name": "picture", "size": 4096}, {"name": "samples", "size": 4096},
            {"name": "depth", "size": 4096, "data": {"f32": [1.0], "repeat": 64}},
            {"name": "stencil", "size": 4096,
             "data": {"u8": [i % 3 for i in range(16)], "repeat": 4}}],
        "programs": [{"name": "two targets", "stage": "fragment", "asm": TWO_TARGETS},
                     {"name": "values", "stage": "fragment", "asm": VALUES}],
        "jobs": [blend_job(), samples_job()]})


def faults():
    def copy(name, source, target, expect, **more):
        return {"name": name, "program": "copy",
                "mali": {"local": Flow([16, 1, 1]), "push": Flow([source, 0, target, 0]), **more},
                "expect": expect}

    write("midgard/faults.json", {
        "name": "Midgard faults",
        "description": "What goes wrong in shader jobs, and where.",
        "engine": "midgard",
        "memory": [{"name": "in", "va": "0x10000000", "size": 4096},
                   {"name": "out", "va": "0x20000000", "size": 4096},
                   {"name": "rom", "va": "0x30000000", "size": 4096, "readonly": True}],
        "programs": [{"name": "copy", "asm": COPY}, {"name": "spin", "asm": SPIN},
                     {"name": "garbage", "words": Flow(["0xffffffff"] * 4), "reject": {}}],
        "jobs": [
            copy("unmapped read", "in+0xff0", "out",
                 [{"status": "EIO"}, {"fault": "read", "address": "0x10001000", "size": 4,
                                      "invocation": 4}]),
            copy("unmapped write", "in", "out+0xfe0",
                 [{"status": "EIO"}, {"fault": "write", "address": "0x20001000",
                                      "invocation": 8}]),
            copy("read-only write", "in", "rom",
                 [{"status": "EIO"}, {"fault": "write", "address": "0x30000000",
                                      "invocation": 0}]),
            copy("read-only read", "rom", "out", [{"status": "ok"}, {"invocations": 16}]),
            copy("on T760", "rom", "out", [{"status": "ok"}, {"invocations": 16}], gpu="t760"),
            copy("a GPU of the other family", "rom", "out", [{"submit": "EINVAL"}], gpu="g52"),
            copy("too many threads", "in", "out", [{"status": "EIO"}, {"fault": "command"}],
                 local=Flow([64, 64, 1])),
            {"name": "fewer uniforms than the program reads", "program": "copy",
             "mali": {"local": Flow([16, 1, 1])},
             "expect": [{"status": "EIO"}, {"fault": "encoding", "pc": 1}]},
            {"name": "endless", "program": "spin", "budget": 100000, "mali": {},
             "expect": [{"status": "ETIME"}, {"fault": "budget"}]},
            {"name": "too slow", "program": "spin", "time_limit_ms": 30, "mali": {},
             "expect": [{"status": "ETIME"}, {"fault": "timeout"}]}]})


def chains():
    def chain(name, at, expect, **more):
        return {"name": name, "native": {"format": "midgard-chain", "at": at, **more},
                "expect": expect}

    def zero(index, following, target, *deps):
        return job(WRITE, index, following, *(*deps, 0, 0)[:2], target, 0, ZERO)

    done, config_fault, write_fault = 1, 0x40, 0x43
    write("midgard/chains.json", {
        "name": "Midgard job chains",
        "description": "Dependencies, values that jobs write, chains that are none.",
        "engine": "midgard",
        "memory": [
            {"name": "out", "va": "0x20000000", "data": {"u32": Flow(range(1, 17))}},
            {"name": "three", "comment": "The first waits for both others.",
             "data": {"words": [zero(1, "three+0x40", "out", 2, 3),
                                zero(2, "three+0x80", "out+0x10", 3),
                                zero(3, 0, "out+0x20")]}},
            {"name": "loop",
             "data": {"words": [job(NULL, 1, "loop+0x40"), job(NULL, 2, "loop")]}},
            {"name": "circle",
             "data": {"words": [job(NULL, 1, "circle+0x40", 2), job(NULL, 2, 0, 1)]}},
            {"name": "geometry", "data": {"words": [
                job(NULL, 1, "geometry+0x40"), job(GEOMETRY_JOB, 2, 0)]}},
            {"name": "nowhere", "data": {"words": [zero(1, 0, "0x70000000")]}},
            {"name": "number",
             "data": {"words": [job(WRITE, 1, 0, 0, 0, "out", 5, IMM32)]}}],
        "jobs": [
            chain("dependencies", "three",
                  [{"at": "out", "u32": Flow([0])}, {"at": "out+0x10", "u32": Flow([0])},
                   {"at": "out+0x20", "u32": Flow([0])}, {"at": "out+0x3c", "u32": Flow([16])},
                   {"at": "three", "u32": Flow([done])}, {"at": "three+0x40", "u32": Flow([done])},
                   {"at": "three+0x80", "u32": Flow([done])}]),
            chain("next pointers form a loop", "loop",
                  [{"status": "EIO"}, {"fault": "command"},
                   {"at": "loop", "u32": Flow([config_fault])}]),
            chain("dependencies form a circle", "circle",
                  [{"status": "EIO"}, {"fault": "command"}]),
            chain("a geometry job", "geometry",
                  [{"status": "EIO"}, {"fault": "command", "draw": 1},
                   {"at": "geometry", "u32": Flow([done])},
                   {"at": "geometry+0x40", "u32": Flow([config_fault])}]),
            chain("zero to nowhere", "nowhere",
                  [{"status": "EIO"}, {"fault": "write", "address": "0x70000000", "draw": 0},
                   {"at": "nowhere", "u32": Flow([write_fault, 0, 0x70000000, 0])}]),
            chain("a number", "number",
                  [{"status": "EIO"}, {"fault": "command"},
                   {"at": "number", "u32": Flow([config_fault])}]),
            chain("no chain", "0x70000000",
                  [{"status": "EIO"}, {"fault": "command", "address": "0x70000000"}]),
            chain("a GPU of the other family", "three", [{"submit": "EINVAL"}], gpu="g52")]})


if __name__ == "__main__":
    shaders()
    fragments()
    faults()
    chains()
