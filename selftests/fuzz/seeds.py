#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Make seed inputs for the fuzzers from the project's own test data.

usage: seeds.py SELFTESTS OUT     fills OUT/program, OUT/cmdlist, OUT/shbin, ...
"""

import gzip
import json
import os
import shutil
import struct
import sys

# Register numbers: 3dbrew, "GPU/Internal Registers".
CODE_INDEX, CODE_DATA = 0x2cb, 0x2cc
DESC_INDEX, DESC_DATA = 0x2d5, 0x2d6


def words_of(case):
    code = [int(w, 16) for w in case.get("code", [])]
    desc = [int(w, 16) for w in case.get("opdesc", [])]
    return code, desc


def programs(data):
    """(name, stage, code, descriptors), each program once."""
    seen = set()
    for file, stage in (("cases.json", 0), ("gs_cases.json", 1), ("workloads.json", 0)):
        path = os.path.join(data, file)
        if not os.path.exists(path):
            continue
        with open(path, encoding="utf-8") as handle:
            content = json.load(handle)
        cases = content.get("cases") or content.get("workloads") or []
        if isinstance(cases, dict):
            cases = [dict(case, id=name) for name, case in cases.items()]
        for case in cases:
            code, desc = words_of(case)
            key = (stage, tuple(code), tuple(desc))
            if code and key not in seen:
                seen.add(key)
                yield case.get("id", "case%d" % len(seen)), stage, code, desc


def pack(words):
    return b"".join(struct.pack("<I", word & 0xffffffff) for word in words)


def program_seed(stage, code, desc, number):
    head = struct.pack("<BBHHBBBB", stage, number % 16, 0, len(code), 1 + number * 7 % 130,
                       number & 0xff, number % 5, number & 0xff)
    return head + pack(code) + pack(desc)


def shbin_seed(stage, code, desc):
    """A container with one program and one constant of each type."""
    dvle_at = 12 + 40 + 4 * len(code) + 8 * len(desc)
    dvlp = b"DVLP" + struct.pack("<9I", 0, 40, len(code), 40 + 4 * len(code), len(desc),
                                 dvle_at - 12, 0, 0, 0)
    dvlp += pack(code) + b"".join(struct.pack("<II", word, 0) for word in desc)
    consts = struct.pack("<HHIIII", 0, 1, 1, 0, 0, 0)
    consts += struct.pack("<HHIIII", 1, 2, 3, 0, 0, 0)
    consts += struct.pack("<HHIIII", 2, 95, 0x3f0000, 0, 0x400000, 0)
    outs = struct.pack("<HHHH", 0, 0, 15, 0)
    unis = struct.pack("<IHH", 0, 0x10, 0x13)
    names = b"matrix\0\0"
    at = 64
    table = []
    for blob, count in ((consts, 3), (b"", 0), (outs, 1), (unis, 1), (names, len(names))):
        table += [at, count]
        at += len(blob)
    dvle = b"DVLE" + struct.pack("<HBBIIHHBBBB", 0x1002, stage, 0, 0, len(code), 1, 1, 0, 0,
                                 0, 0) + struct.pack("<10I", *table)
    return (b"DVLB" + struct.pack("<II", 1, dvle_at) + dvlp + dvle + consts + outs + unis +
            names)


def command(register, values):
    """One value, or several to one register."""
    out = [values[0], register | 0xf << 16 | (len(values) - 1) << 20]
    out += values[1:]
    if len(out) % 2:
        out.append(0)
    return out


def picture_seed(number):
    """A triangle that is drawn with a texture, lighting, fog, and depth; into memory that there is."""
    words = []
    for register, values in (
            (0x200, [0x10000000 >> 3]), (0x201, [0xff]), (0x202, [0x10000000]), (0x203, [0x400]),
            (0x204, [0x10]), (0x205, [2 << 28 | 32 << 16]), (0x242, [1]), (0x2b9, [0xa0000001]),
            (0x2bb, [0x76543210]), (0x2bd, [3]), (0x24a, [1]), (0x229, [0]), (0x2ba, [0x7fff0000]),
            (0x4f, [2]), (0x50, [0x03020100]), (0x51, [0x0b0a0908 if number % 2 else 0x0f0e0d0c]),
            (CODE_INDEX, [0]), (CODE_DATA, [0x4c000000, 0x4c201000, 0x88000000]),
            (DESC_INDEX, [0]), (DESC_DATA, [0x36f]), (0x25e, [number % 4 << 8]),
            (0x40, [number % 3]), (0x41, [0x450000]), (0x43, [0x450000]), (0x4d, [0xbf0000]),
            (0x6d, [number % 2]), (0x11e, [64 | 63 << 12]), (0x11d, [0x10004000 >> 3]),
            (0x11c, [0x10008000 >> 3]), (0x113, [15]), (0x115, [3]), (0x116, [3]),
            (0x117, [number % 5 << 16]), (0x107, [0x1f00 | 0x11 * (number % 2)]), (0x102, [3]),
            (0x100, [0x100 * (number % 2) if number % 7 else 3]), (0x101, [0x76760000 | number % 5]),
            (0x105, [number % 2 | 0xff00ff10]), (0x106, [0x123 + number]),
            (0x80, [7 | (number & 4) << 8]), (0x82, [16 | 16 << 16]), (0x85, [0x10000000 >> 3]),
            (0x83, [(number % 6) << 28 | 6 | (number % 8) << 8 | 2 << 12]), (0x84, [2 << 16]),
            (0x8e, [number % 14]), (0x92, [16 | 16 << 16]), (0x95, [0x10000000 >> 3]), (0x96, [3]),
            (0x9a, [16 | 16 << 16]), (0x9d, [0x10000000 >> 3]), (0x9e, [12]),
            (0xa8, [number % 5 | (number // 2 % 5) << 3 | (number % 10) << 6 | (number % 9) << 10 |
                    (number % 4) << 14 | (number % 3) << 16 | (number % 2) << 18]),
            (0xac, [number % 6 | 5 << 7 | 99 << 11 | 0x3c << 19]), (0xad, [0xe0c08000]),
            (0x8f, [number % 2]),
            (0x1c2, [number % 8]), (0x1c3, [(number % 9) << 4 | (number % 8) << 28 | 0x0f0d0000]),
            (0x1d9, [0x76543210]), (0xe0, [5]), (0xc0, [0x03210543]), (0xc2, [0x10001 * (number % 10)])):
        words += command(register, values)
    return words + command(0x228, [9]) + command(0x22e, [1])


def gx_seed():
    return struct.pack("<24I", 2, 0x10001000, 0x123456, 0x10001100, 0x10002000, 7, 0x10002010,
                       0x02010101, 3, 0x10000000, 0x10004000, 0x00100010, 0x00100010, 1 << 24, 0, 0,
                       4, 0x10000000, 0x10004000, 0x100, 0x00010002, 0x00030001, 8, 0)


def cmdlist_seed(stage, code, desc, number):
    base = 0x280 if stage else 0x2b0
    words = []
    for register, value in ((0x200, 0x10000000 >> 3), (0x201, 0xf), (0x202, 0), (0x203, 0),
                            (0x204, 0), (0x205, 1 << 28 | 16 << 16), (0x242, 0),
                            (0x2b9, 0xa0000000), (0x2bb, 0x76543210), (0x2bd, 1), (0x4f, 1),
                            (0x50, 0x03020100), (0x24a, 0), (0x251, 0),
                            (0x25e, number % 4 << 8), (0x2ba, 0x7fff0000)):
        words += command(register, [value])
    if stage:
        # a vertex program that copies, in front of the geometry program
        words += command(CODE_INDEX, [0]) + command(CODE_DATA, [0x4c000000, 0x88000000])
        words += command(DESC_INDEX, [0]) + command(DESC_DATA, [0x36f])
        for register, value in ((0x229, 2), (0x244, 1), (0x252, 0), (0x289, 0x08000000),
                                (0x28a, 0x7fff0000), (0x28b, 0x76543210), (0x28d, 1)):
            words += command(register, [value])
    for at in range(0, len(code), 100):
        if not at:
            words += command(base + 0x1b, [0])
        words += command(base + 0x1c, code[at:at + 100])
    words += command(base + 0x25, [0])
    if desc:
        words += command(base + 0x26, desc[:128])
    words += command(0x228, [3 + number % 5])
    if number % 3 == 0:
        words += command(0x227, [0x100]) + command(0x22f, [1])
    else:
        words += command(0x22e, [1])
    words += command(0x010, [0x12345678])
    return struct.pack("<BBH", number % 16, number & 0xff, 0) + pack(words)


# What peripherals are told: setup words of the pipeline memory and its DMA, addresses.
QPU_UNIFORMS = [0x00001a00, 0x80904000, 0x90000040, 0x80104000, 0xc0000010, 0x88105000,
                0x10000100, 0x20000010, 0x3f800000, 3, 0, 0x10002000, 0x3fffffc0]


def qpu_seeds(selftests):
    """All programs of QPU job files, with some uniforms, in memory and as programs."""
    for folder, _, files in os.walk(os.path.join(selftests, "jobs", "qpu")):
        for file in sorted(files):
            if not file.endswith(".hex"):
                continue
            with open(os.path.join(folder, file), encoding="utf-8") as handle:
                lines = [line.split("#")[0] for line in handle]
            code = [int(word, 16) for line in lines for word in line.split()]
            for kind in (0, 1, 4, 12):
                threads = 12 if kind else 2
                head = struct.pack("<BBBB", kind, threads - 1, len(QPU_UNIFORMS), kind)
                yield head + pack(QPU_UNIFORMS * threads) + pack(code)


SOURCES = (
    """.fvec proj[4], scale
.constf one(1.0, 0.5, -2.0, 0.0)
.consti count(3, 0, 1, 0)
.bool flag
.out pos position
.out col color
.alias in v0
.proc main
    dp4 pos.x, proj[0], in
    dp4 pos.y, proj[1], in
    for count
        add r0, one, r0
        nop
    .end
    ifu flag
        mov col, one.yyyy
    .else
        mov col, -one.xxzw
    .end
    call helper
    end
.end
.proc helper
    mul r1.xy, scale, in
    rcp r1.z, r1.x
.end
""",
    """.gsh point c0
.out pos position
.setf c10(1, 2, 3, 4)
.entry gmain
.proc gmain
    setemit 0
    mov pos, v0
    emit
    setemit 2, prim inv
    mov pos, c10
    emit
    end
.end
""",
    """; comment
.nodvle
.alias a r3.wzyx
.proc main
loop1:
    cmp a.x, gt, lt, c0
    jmpc cmp.x, loop1
    breakc !cmp.x || cmp.y
    mova a0.xy, c1
    mov r0, c0[a0.x+4]
    end
.end
""",
)

JOB = {
    "description": "seed",
    "memory": [{"name": "in", "va": "0x10000000", "size": 4096,
                "data": [{"offset": 0, "f32": [1, 2.5, -3, "nan"]}]},
               {"name": "out", "size": 4096}],
    "programs": [{"name": "p", "isa": "pica", "stage": "vertex",
                  "code": ["4c000000", "88000000"], "opdesc": ["0000036f"]}],
    "jobs": [{"program": "p", "count": 1,
              "attributes": [{"reg": 0, "at": "in", "format": "f32", "components": 4}],
              "outputs": [{"reg": 0, "at": "out"}],
              "pica": {"model": "f32", "floats": {"c0": [1, 2, 3, 4]}},
              "expect": [{"at": "out", "f32": [1, 2.5, -3, None], "ulp": 1}]}],
}


UTGARD = (
    "000:\tmov.a0 ^0 a1.y\n\tmul.m1 ^3 a1.x -t[4+addr1].w\n\tmov.c ^5/addr1 $2.x\n"
    "001:\tadd.a0 ^6/v0.xy ^0 -^3\n\tcomplex1.m01 ^8 ^5 ^2 ^5 a1.x\n\tclamp.p ^10/$5.z ^5 "
    "t[0].x t[0].y\n\tbranch ^10 000\n\tunknown_1 13\n",
    "@     0: load.v $0 3, load.u 0, gt.s0 $0.x ^uniform.x $0.w\n"
    "@     5: branch.eq $0.x ^const0.x 15, const0 0.000000 0.250000 -inf 0x7e01\n"
    "@    11: discard, stop\n"
    "@    15: mul.sat.v0 $1.xyz $0<<1 abs($0.wzyx), add.v1 $0 -^v0 $1, store.t -1.xy $0.x\n"
    "load.perspective.w.v ^discard.xy 3.xy+$1.x, texld.cube 2+$0.y, atan2.s2 $1.xyz $0.x $0.y, "
    "sync, stop\n",
)


def chunk(tag, *parts):
    body = b"".join(parts)
    return tag + struct.pack("<I", len(body)) + body


def mbs1_symbol(tag, name, extra=b""):
    name += b"\0" * (4 - len(name) % 4)
    return chunk(tag, chunk(b"STRI", name),
                 struct.pack("<BBHHHHBBIHH", 0, 1, 4, 4, 0, 4, 16, 3, 0, 0, 0xffff), extra)


def mbs1_seed():
    init = chunk(b"VINI", struct.pack("<II", 1, 0x3f800000))
    vertex = chunk(b"CVER", struct.pack("<I", 6), chunk(b"FINS", struct.pack("<III", 0, 1, 0)),
                   chunk(b"SUNI", struct.pack("<II", 1, 4), mbs1_symbol(b"VUNI", b"m", init)),
                   chunk(b"SATT", struct.pack("<I", 1), mbs1_symbol(b"VATT", b"where")),
                   chunk(b"SVAR", struct.pack("<I", 1), mbs1_symbol(b"VVAR", b"c")),
                   chunk(b"DBIN", pack([0xad4ad6b5, 0x038002b5, 0x0007ff80, 0x000ad500])))
    fragment = chunk(b"CFRA", struct.pack("<I", 7), chunk(b"FSTA", struct.pack("<II", 1, 1)),
                     chunk(b"FDIS", struct.pack("<I", 0)),
                     chunk(b"FBUU", struct.pack("<II", 256, 0)),
                     chunk(b"SUNI", struct.pack("<I", 0)), chunk(b"DBIN", pack([0x21])))
    return chunk(b"MBS1", vertex, fragment)


class Folder:
    def __init__(self, out, name):
        self.path = os.path.join(out, name)
        shutil.rmtree(self.path, ignore_errors=True)
        os.makedirs(self.path)
        self.count = 0

    def add(self, content):
        self.count += 1
        with open(os.path.join(self.path, "%04d" % self.count), "wb") as handle:
            handle.write(content)


def job_files(selftests):
    for folder, _, files in os.walk(os.path.join(selftests, "jobs")):
        for file in sorted(files):
            path = os.path.join(folder, file)
            if file.endswith(".json") and os.path.getsize(path) < 16384:
                with open(path, "rb") as handle:
                    yield handle.read()


def images():
    """Memory images: runs of address, length and bytes; the same compressed."""
    runs = [(0x1000, b"abc"), (0x5ffe, b"\0" * 16), (0x2000, b""), (1 << 63, b"x" * 100)]
    plain = b"".join(struct.pack("<QQ", va, len(data)) + data for va, data in runs)
    yield plain
    # around 2^32, and up to the end of all addresses
    runs = [((1 << 32) - 8, b"y" * 24), ((1 << 32) - 4096, b"z" * 4088), (2 << 32, b"w" * 4),
            ((2 << 32) - 1, b"v"), ((1 << 64) - 4096, b"u" * 4096)]
    yield b"".join(struct.pack("<QQ", va, len(data)) + data for va, data in runs)
    yield gzip.compress(plain, mtime=0)
    yield plain + plain[:19]


GPUS = ("bifrost-g71", "bifrost-g72", "bifrost-g31", "bifrost-g52", "midgard-t760",
        "midgard-t860")
PAGE = 4096


def chains(selftests):
    """Captured memory; its empty pages are runs without bytes."""
    for family in ("bifrost", "midgard"):
        for folder, _, files in os.walk(os.path.join(selftests, family, "data", "capture")):
            for file in sorted(files):
                if not file.endswith(".submit00.txt"):
                    continue
                path = os.path.join(folder, file)
                with open(path, encoding="utf-8") as handle:
                    lines = [line.split() for line in handle]
                start = [int(line[1], 16) for line in lines if line and line[0] == "jc"][0]
                with gzip.open(path[:-4] + ".mem.gz") as handle:
                    memory = handle.read()
                for line in lines:
                    if line and line[0] == "bo":
                        first, size = int(line[1], 16), int(line[3], 16)
                        for va in range(first, first + min(size, 4 * PAGE), PAGE):
                            memory += struct.pack("<QQ", va, 0)
                gpu = GPUS.index(os.path.basename(folder))
                yield struct.pack("<BQ", gpu, start) + memory
                yield struct.pack("<BQ", gpu + 4 * len(GPUS), start) + memory


MALI_VA = 0x10000
STAGES = {"compute": 0, "vertex": 1, "fragment": 2}

# What job files have none of: textures, varyings, images, the tile.
BIFROST_TEXTS = (
    ("fragment", """ds(0) nbb vary ncph
{
	+LD_VAR_IMM.v2.store.f32.center t1, #0.y, index:0, @r0
}
ds(0) nbb tex ncph dwb(0)
{
	+TEXS_2D.f32.skip.computed_lod t1, r0, r1, texture_index:0, sampler_index:0, @r0
}
ds(0) nbb tex ncph dwb(0)
{
	+TEXC.skip t1, r0, r1, 0xf4587800, @r6
}
ds(0) nbb atest td ncph next_blend dwb(0, 6, 7)
{
	+ATEST r60:t1, r60, r3, @r60
}
ds(0) eos blend td
{
	+BLEND r48:t1, r60, blend_descriptor_0.x, blend_descriptor_0.y, @r0
}
"""),
    ("fragment", """ds(0) nbb z_stencil ncph
{
	+LD_VAR_SPECIAL.frag_z.clobber.f32.center t1, #0.x, @r4
}
ds(0) nbb tile ncph dwb(0, 6, 7)
{
	+LD_TILE.v4 t1, 0xff000000, r60, 0x010ed000, @r0
}
ds(0) nbb z_stencil td ncph next_blend dwb(0, 6, 7)
{
	+ZS_EMIT.z t1, r4, 0x3f000000, r60, @r60
}
ds(0) eos blend td
{
	+BLEND r48:t1, r60, blend_descriptor_0.x, blend_descriptor_0.y, @r0
}
"""),
    ("compute", """ds(0) nbb attr ncph
{
	+LEA_ATTR_TEX.u32 t1, r60, 0x00000000, 0x00000001, @r7
}
ds(0) nbb attr ncph dwb(0)
{
	+LD_ATTR_IMM.f32.v4 t1, r61, r62, attribute_index:0, @r0
}
ds(0) nbb tex ncph dwb(0)
{
	+TEXC t1, r60, r61, 0xf4186800, @r1
}
ds(0) eos store dwb(0)
{
	+ST_CVT.v4 t1, r7, r8, r9, @r3
}
"""),
)
MIDGARD_TEXTS = (
    ("fragment", """LD_VARY.f32 R0.xyz~, 0.x, 0.x
NOP

vmul.MOV.i32 AT0, TMP0.xyzw, R0

TEX.2d.skip TA0.f32, texture0, fsampler0, AT0.xyxx.32,

DERIVATIVE.x.2d.skip TA1.x.f32, texture0, fsampler0, AT0.32,

vmul.MOV.i32 R0, TMP0.xyzw, TA0
br.write.always -1 -> aluw/4
writeout
break
"""),
    ("compute", """LD_IMAGE.u32 R0.xyzw, 0.x, AL0.u32.x
LD_ATTR.f32 R1.xyzw, 0.x, 0.x

vmul.MOV.i32 AL0, TMP0.xyzw, R0

ST_IMAGE.s32 AL0.xxxx, 0.x + 0x1, AL0.u32.z
NOP
break
"""),
)


class MaliMemory:
    """Descriptor tables, followed by images, of four formats."""

    def __init__(self, midgard):
        self.bytes = bytearray(0x2000)
        self.rgba8 = 0xbb << 12 | (0x688 if midgard else 0)
        self.midgard = midgard
        # addresses, then numbers
        self.put(0, *[MALI_VA + 0x1800, 0] * 4, *[0x3f800000] * 8)
        self.put(0x100, (MALI_VA + 0x1800) >> 4 << 12 | 15, 0)
        self.attributes()
        if midgard:
            self.midgard_texture()
        else:
            self.bifrost_texture()
        for at in range(0x1000, 0x2000, 4):
            self.put(at, at * 0x1010101 & 0xffffffff)

    def put(self, at, *words):
        self.bytes[at:at + 4 * len(words)] = pack(words)

    def attributes(self):
        """A stream, an image, and both as varyings."""
        for i, buf in enumerate((0, 1, 1, 0)):
            self.put(0x140 + 8 * i, buf | self.rgba8 << 10, 0)
        self.put(0x180, MALI_VA + 0x1000 | 1, 0, 16, 0x800)
        self.put(0x190, MALI_VA + 0x1000 | 5, 1 << 24, 4, 0x400)
        self.put(0x1a0, 32 | 7 << 16, 7, 64, 0)

    def blend(self, number):
        """Descriptor of a target that is written as it is."""
        if self.midgard:
            return struct.pack("<4I", 512, 0, 0xf0122122, 0)
        return struct.pack("<4I", 512, 0xf0122122, number << 16 | 1, 0x010ed000)

    def midgard_texture(self):
        self.put(0x200, MALI_VA + 0x240, 0)
        self.put(0x240, 15 | 15 << 16, 0, self.rgba8 | 2 << 22 | 2 << 24 | 3 << 28, 1 << 24, 0x688)
        self.put(0x260, MALI_VA + 0x1000, 0, 64, 0, MALI_VA + 0x1400, 0, 32, 0)
        self.put(0x300, 1 | 3 << 3 | 1 << 5, 0x100 << 16, 0x888)

    def bifrost_texture(self):
        self.put(0x200, 2 | 2 << 4 | 1 << 9 | self.rgba8 << 10, 15 | 15 << 16,
                 0x688 | 1 << 12 | 1 << 16, 0x100 << 16, MALI_VA + 0x240, 0, 0, 0)
        self.put(0x240, MALI_VA + 0x1000, 0, 1024, 0, MALI_VA + 0x1400, 0, 1024, 0)
        self.put(0x300, 1 | 0x888 << 8 | 1 << 25 | 1 << 28 | 3 << 30, 0x100 << 16)


def mali_target(memory, at):
    return struct.pack("<HBBIH", at, 16, 2, memory.rgba8, 0)


# Depth tested and written; stencil tested, four samples; as MALI_FRAG_* says.
FLAGS = (0, 0x0c, 0x2c)


def mali_launch(memory, stage, prim, local=8):
    """The launch as fuzz_mali_shader.c reads it."""
    out = struct.pack("<6B3H", local if stage == 0 else 1, 1, 1, 2, 5, 2, 0x7fc0, 0, 0)
    for at, number in ((0x100, 1), (0, 16), (0x140, 4)):
        out += struct.pack("<HB", at, number)
    out += struct.pack("<HHBH", 0x180, 0x140, 4, 0x180)
    out += struct.pack("<HBHB", 0x200, 1, 0x300, 1)
    out += struct.pack("<HHHHBBBHBB", 0xffff, 256, 0xffff, 1024, 1, 0, 1, 0x1800, 0, 0)
    if stage != 2:
        return out
    out += struct.pack("<5BH", 0, 0, 8, 8, prim, FLAGS[prim])
    out += struct.pack("<12H", 0, 0, 0, 0x3f80, 0x4100, 0, 0, 0x3f80, 0, 0x4100, 0, 0x3f80)
    out += struct.pack("<4BH2BHBH2IH", 0, 1, 2, 0, 0x4080, 7, 0, 0, (0, 0, 4)[prim], 0, 0x7ff00,
                       0x7ff00, 0xffff)
    out += struct.pack("<HBBIH", 0x1400, 16, 2, 0xa7 << 12 | memory.rgba8 & 0xfff, 128)
    out += struct.pack("<HBBIH", 0x1600, 4, 2, 0x83 << 12 | memory.rgba8 & 0xfff, 32) + b"\3"
    for i in range(3):
        out += mali_target(memory, 0x1c00 + 256 * i)
        out += memory.blend(i)
    return out


def mali_seed(gpu, stage, text, prim=0):
    memory = MaliMemory(GPUS[gpu].startswith("midgard"))
    code = text.encode()
    return struct.pack("<BH", gpu + len(GPUS) * stage, len(code)) + code + \
        mali_launch(memory, stage, prim) + bytes(memory.bytes)


# From the address in the first pair of push words to that in the second one.
BIFROST_COPY = """ds(0) nbb load ncph
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
MIDGARD_COPY = """LDST_MOV AL0.x~~~, GLOBAL_THREAD_ID.xyzx
NOP

lut.MOV.i64 AL0.y, TMP0.[xx], U0.X

LD.32 R0.x~~~, AL0.u64.z + AL0.u32.x << 2
NOP

smul.MOV.i32 AL1.x, TMP0.x, R0.x
lut.MOV.i64 AL1.y, TMP0.[xx], U0.Y

ST.32 AL1.xxxx, AL1.u64.z + AL0.u32.x << 2
NOP
break
"""
FORMS = 8


def large_jobs():
    """Rows of words at both ends of the further extent, most of which wrap around there."""
    for form in range(1, FORMS):
        for gpu, text in ((0, BIFROST_COPY), (3, BIFROST_COPY), (4, MIDGARD_COPY)):
            for source, to in ((MALI_VA + 0x1800, 0x1fffffffc), (0x1fffffffc, MALI_VA + 0x1800),
                               (0x1ffffff80, 0xffffff80)):
                memory = MaliMemory(GPUS[gpu].startswith("midgard"))
                memory.put(0, source & 0xffffffff, source >> 32, to & 0xffffffff, to >> 32)
                code = text.encode()
                yield struct.pack("<BH", gpu + len(GPUS) * 3 * form, len(code)) + code + \
                    mali_launch(memory, 0, 0, 64) + bytes(memory.bytes)


def mali_jobs(selftests):
    """Programs of job files, and some that use more of what there is."""
    for family, gpus, more in (("bifrost", (0, 3), BIFROST_TEXTS), ("midgard", (4, 5), MIDGARD_TEXTS)):
        texts = list(more)
        for name in ("shaders", "fragments", "faults"):
            with open(os.path.join(selftests, "jobs", family, name + ".json"),
                      encoding="utf-8") as handle:
                programs = json.load(handle)["programs"]
            texts += [(p.get("stage", "compute"), p["asm"]) for p in programs if "asm" in p]
        for stage, text in texts:
            for gpu in gpus:
                for prim in range(3 if stage == "fragment" else 1):
                    yield mali_seed(gpu, STAGES[stage], text, prim)


UTGARD_VA = 0x10000
# a texel at varying 0 to register 0
TEXEL = (0x000005e6, 0xf1003c20, 0x00000000, 0x39001000, 0x00000e4e, 0x000007cf)


class Memory:
    """Words at UTGARD_VA."""

    def __init__(self, size):
        self.bytes = bytearray(size)

    def put(self, at, *words):
        self.bytes[at:at + 4 * len(words)] = pack(words)


def hex_words(path):
    with open(path, encoding="utf-8") as handle:
        return [int(word, 16) for word in handle.read().split()]


def render_state(memory, at):
    """A render state with a texture and a program, 0x118 bytes."""
    memory.put(at, 0, 0, 0xfc3b1ad2, 0x3e, 0xffff0000, 0xff000007, 0xff000007, 0xffff, 0xf807,
               UTGARD_VA + at + 0x100 | 6, 0, 0, UTGARD_VA + at + 0x40, 0x5322, 0x1000, UTGARD_VA)
    memory.put(at + 0x40, UTGARD_VA + at + 0x80)
    texture_words(memory, at + 0x80, 0x16, 1, 0, 0x400)
    memory.put(at + 0x100, *TEXEL)


def vertex_frame(words):
    """A draw of three vertices by a program."""
    memory, count = Memory(0x3000), len(words) // 4
    lists = (UTGARD_VA, 0x30000000 | 32 << 16, UTGARD_VA + 0x1000, 0x40000000 | count << 16,
             count - 1 << 10, 0x10000040, 3 << 8 | 3 << 24, 0x10000042, 3, 0x10000041,
             UTGARD_VA + 0x200, 0x20080000, UTGARD_VA + 0x240, 0x20080008, 3 << 24, 0,
             0, 0x60000000, 0, 0x50000000)
    memory.put(0, UTGARD_VA + 0x100, UTGARD_VA + 0x100 + 4 * len(lists), UTGARD_VA + 0x300,
               UTGARD_VA + 0x328, UTGARD_VA, UTGARD_VA)
    memory.put(0x100, *lists)
    for i, kind in enumerate((0, 3, 9, 0x101)):
        memory.put(0x200 + 8 * i, UTGARD_VA + 0x400 + 64 * i, 16 << 11 | kind << 2 | 3)
    memory.put(0x240, UTGARD_VA + 0x2000, 0x8020, UTGARD_VA + 0x2100, 0x2021,
               UTGARD_VA + 0x2200, 16 << 11 | 3, UTGARD_VA + 0x2300, 8 << 11 | 0xf)
    render_state(memory, 0x600)
    memory.put(0x300, 0x2200, 0x1000010b, UTGARD_VA + 0x600, 0x80000000, 0, 0x7009f000,
               3 << 24, 4 << 16, 0, 0x50000000)
    memory.put(0x1000, *words)
    return b"\0" + bytes(memory.bytes)


def pixel_frame(number):
    """A frame of the pixel processor: 1 + 4 for a Mali-450."""
    memory = Memory(0x800)
    memory.put(0, 0, UTGARD_VA + 0x200, 0, 2, 0, 0, 1, 1, 1, 1, 15, 15, 0, 0, 0, 0, 1, 31, 0x77,
               1, 0x10010001, 0xe0c, 0x8888, 1, 2, UTGARD_VA + 0x400, 3, 0, 2, 2)
    render_state(memory, 0x200)
    return bytes((number,)) + bytes(memory.bytes)


def drawn_frame(mode, blend, depth, samples, depth_format):
    """Both frames: an indexed draw of four vertices, then its tile of 16 x 16 pixels."""
    memory = Memory(0x4000)
    lists = (0, 0x10000109, 1, 0x30000000, UTGARD_VA + 0x500, 0x28000000, 0x2200, 0x1000010b,
             UTGARD_VA + 0x600, 0x80000000 | UTGARD_VA + 0x800 >> 4, 15 << 15, 0x70000000 | 15 << 13,
             0x40800000, 0x1000010d, UTGARD_VA + 0x800, 0x10000100, UTGARD_VA + 0x880, 0x10000101,
             UTGARD_VA + 0x840, 0x10000102, 4 << 24, mode << 16 | 0x200000, 3 << 24, 4 << 16,
             0, 0x50000000)
    memory.put(0, 0, 0, UTGARD_VA + 0x400, UTGARD_VA + 0x400 + 4 * len(lists),
               UTGARD_VA + 0x2000, UTGARD_VA + 0x3000)
    memory.put(0x100, 0, UTGARD_VA + 0x600, 0, 2, 0x800000, 3, 1, 1, 1, 1, 15, 15, 0, 0, 0, 0, 1, 31,
               0x77, 1, 0, 0xe0c, 0x8888, 1, 2, UTGARD_VA + 0x3000, 3, 0, 2, 1, 4, 0, 0, 0, 0, 0,
               1, UTGARD_VA + 0x3400, depth_format, 0, 2, 1, 0, samples, 0x400)
    memory.put(0x100 + 4 * 60, UTGARD_VA + 0x480)
    memory.put(0x400, *lists)
    memory.put(0x480, 0, 0xb8000000, 0xe0000002 | UTGARD_VA + 0x1000 >> 3, 0xb0000000, 0, 0xbc000000)
    memory.put(0x500, UTGARD_VA + 0x1000)
    render_state(memory, 0x600)
    memory.put(0x608, blend, depth)
    memory.put(0x63c, UTGARD_VA + 0x800)
    for i, (x, y) in enumerate(((1, 1), (14, 2), (3, 15), (12, 12))):
        memory.put(0x800 + 16 * i, *struct.unpack("<4I", struct.pack("<4f", x, y, i / 4, 1)))
        memory.put(0x840 + 4 * i, 0x40400000)
    memory.put(0x880, 0x03020100)
    return b"\3" + bytes(memory.bytes)


def texture_words(memory, at, texel, dim, layout, image):
    """Four by four texels, four levels."""
    value = (texel | dim << 42 | 48 << 52 | 3 << 73 | 4 << 86 | 4 << 99 | 4 << 112 |
             layout << 205)
    for level in range(4):
        value |= (UTGARD_VA + image) >> 6 << (222 + 26 * level)
    memory.put(at, *struct.unpack("<16I", value.to_bytes(64, "little")))


def pixel_launch(texel, dim, layout):
    """Programs that read a texture."""
    memory, code = Memory(0x2000), 64 + 16 * 64
    memory.put(0, *[UTGARD_VA + 0x800] * 4)
    for i in range(64):
        memory.put(64 + 16 * i, *struct.unpack("<4I", struct.pack(
            "<4f", i % 8 / 8, i // 8 / 3, 0.3, 1)))
    memory.put(code, *TEXEL)
    texture_words(memory, 0x800, texel, dim, layout, 0x900)
    return b"\x06" + bytes(memory.bytes)


def utgard_runs(selftests):
    data = os.path.join(selftests, "utgard", "data", "gp")
    for name in sorted(os.listdir(data)):
        yield vertex_frame(hex_words(os.path.join(data, name, "shader.hex")))
    yield pixel_frame(1)
    yield pixel_frame(5)
    for mode in range(7):
        yield drawn_frame(mode, 0xfc3b1ad2, 0x3e, 0, 15)
    yield drawn_frame(15, 0xfc8aa112, 0x33, 15, 15)
    yield drawn_frame(4, 0xfc1462ac, 0x02080833, 0, 14)
    for texel in (0x09, 0x0e, 0x11, 0x15, 0x16, 0x20, 0x26, 0x2c):
        for dim, layout in ((0, 0), (1, 0), (1, 3), (2, 3)):
            yield pixel_launch(texel, dim, layout)


def utgard_jobs(selftests):
    """Programs with streams in a memory of ones, as fuzz_utgard_shader.c reads them."""
    root = os.path.join(selftests, "utgard", "data")
    # form: binary32, four components; place; stride; register
    streams = [struct.pack("<BHBB", 4 | 2 << 3 | 3 << 4, 64 * i, 16, i) for i in range(4)]
    outputs = [struct.pack("<BHBB", 4 | 2 << 3 | 3 << 4, 2048 + 512 * i, 16, i)
               for i in range(4)]
    memory = struct.pack("<1024I", *[0x3f800000 + (i << 16) for i in range(1024)])
    target = struct.pack("<BHB", 1 | 16 | 3 << 5, 2048, 64)
    corners = struct.pack("<12H", 0, 0, 0, 0x3f80, 0x4100, 0, 0, 0x3f80, 0, 0x4100, 0, 0x3f80)
    for kind in ("gp", "gp-hand", "pp", "pp-hand"):
        for name in sorted(os.listdir(os.path.join(root, kind))):
            with open(os.path.join(root, kind, name, "shader.hex"), encoding="ascii") as f:
                words = [int(w, 16) for w in f.read().split()]
            pixel = kind.startswith("pp")
            head = struct.pack("<BH", pixel, len(words)) + struct.pack(f"<{len(words)}I", *words)
            if not pixel:
                yield head + struct.pack("<BBBHHH", 8, 0, 0, 0, 0, 64) + \
                    b"".join(i + o for i, o in zip(streams, outputs)) + memory
                continue
            for prim in range(3):
                yield head + struct.pack("<BBBBH", prim, 0, 8, 8, 0x4080) + corners + \
                    bytes([0, 1, 2]) + struct.pack("<HHHHB", 8, 0, 64, 0, 1) + \
                    b"".join(streams) + target + target + struct.pack("<HB", 3072, 8) + memory


def dump_section(kind, elements, flags=0):
    """A section of a dump."""
    data = b"".join(elements)
    return struct.pack("<4Q", kind, flags, len(elements), len(data)) + data + bytes(-len(data) % 8)


def dumps():
    """Dumps: of a program with registers and memory; of nothing but a job."""
    device = struct.pack("<4IQ32s", 1, 4, 3, 1, 1, b"local")
    queue = struct.pack("<2IQ4I16s", 2, 1, 1 << 40, 5000, 48, 1, 0, b"test")
    fault = struct.pack("<2IQ2I2Q4IQ", 1, 2, 0x10001000, 0, 4, 4, 1, 0, 0xffffffff, 0, 0, 15)
    job = struct.pack("<Q2IiI5Q", 1, 0, 0, -5, 1, 0, 0, 10, 10, 0) + fault
    head = [dump_section(1, [device]), dump_section(2, [queue]), dump_section(3, [job])]
    bank = struct.pack("<8I16s", 2, 0, 4, 1, 32, 0, 1, 0, b"r")
    uniform = struct.pack("<8I16s", 2, 64, 2, 2, 32, 0, 2, 0, b"u")
    invs = [struct.pack("<Q6I", i, 0, 0, 0, i, 0, 0) for i in range(3)]
    regs = struct.pack("<Q", 0x3f) + struct.pack("<4I", 1, 2, 3, 4) + \
        struct.pack("<12I", *range(12))
    memory = [struct.pack("<2Q", 0x10000000, 16) + bytes(range(16)),
              struct.pack("<2Q", 0x20000000, 4) + b"abcd"]
    more = [dump_section(13, [struct.pack("<2IQ", 2, 3, 7)]),
            dump_section(14, [struct.pack("<I", i) for i in range(8)]),
            dump_section(16, [bytes(4)]),
            dump_section(19, [bank, uniform]), dump_section(20, invs),
            struct.pack("<4Q", 21, 2, 3, len(regs)) + regs,
            dump_section(17, [struct.pack("<3Q", 0x10000000, 4096, 0),
                              struct.pack("<3Q", 0x20000000, 8192, 2)]),
            dump_section(18, memory), dump_section(23, memory[:1])]
    for sections in (head, head + more):
        body = b"".join(sections)
        yield b"VSHDUMP\n" + struct.pack("<3Q", 1, 32 + len(body), len(sections)) + body


def frame_words(words, places):
    """Words of a job file; an address, by the name of its region, is two of them."""
    for word in words:
        name, _, offset = str(word).partition("+")
        if name in places:
            yield from divmod(places[name] + int(offset or "0", 0), 1 << 32)[::-1]
        else:
            yield int(str(word), 0)


def frames(selftests):
    """Chains that draw: a tiler job, then a fragment job."""
    sys.path.insert(0, os.path.join(selftests, "jobs"))
    frame = __import__("make_mali_frame")
    places = {"frame": 0x100000, "depth": 0x200000}
    for gpu, midgard in ((3, False), (5, True)):
        m = frame.memory(midgard)
        m.put(frame.TILER + 24, "frame+%d" % frame.FRAGMENT)
        out = struct.pack("<BQ", gpu, places["frame"])
        for piece in m.pieces:
            words = pack(list(frame_words(piece["words"], places)))
            out += struct.pack("<2Q", places["frame"] + piece["offset"], len(words)) + words
        for va in (*range(places["frame"], places["frame"] + 0x10000, 4096),
                   *range(places["depth"], places["depth"] + frame.SIZE ** 2 * 4, 4096)):
            out += struct.pack("<2Q", va, 0)
        yield out


VC4_VA = 0x10000000


def qpu_word(sig=1, add=39, op=0, raddr=39, mux=0):
    """An instruction of the adder: both operands are the same."""
    return sig << 60 | 1 << 49 | 1 << 46 | add << 38 | 39 << 32 | op << 24 | raddr << 18 | \
        39 << 12 | mux << 9 | mux << 6


def vc4_seeds():
    """A shaded triangle, drawn from a description of surfaces and by a render list."""
    code = (qpu_word(), qpu_word(), qpu_word(sig=4), qpu_word(add=46, op=21, raddr=32, mux=6),
            qpu_word(sig=3), qpu_word(), qpu_word())
    at = {name: VC4_VA + offset for name, offset in (
        ("list", 0x100), ("record", 0x200), ("vertices", 0x240), ("uniforms", 0x280),
        ("code", 0x300), ("render", 0x400), ("tiles", 0x1000), ("image", 0x12000))}
    packets = struct.pack("<B3I3B", 0x70, at["tiles"], 0x10000, at["tiles"], 1, 1, 0) + b"\x06" + \
        struct.pack("<B4H", 0x66, 0, 0, 64, 64) + bytes((0x60, 3, 0x70, 2)) + \
        struct.pack("<B2h", 0x67, 512, 512) + struct.pack("<BI", 0x41, at["record"]) + \
        struct.pack("<B", 0x21) + struct.pack("<B2I", 4, 3, 0) + b"\x07\x04"
    store = struct.pack("<BHI", 0x1c, 0x0101, at["image"] | 8)
    render = struct.pack("<BI3H", 0x71, at["image"], 64, 64, 4) + \
        struct.pack("<B3IB", 0x72, 0xff400000, 0xff400000, 0, 0) + bytes((0x73, 0, 0)) + \
        struct.pack("<BHI", 0x1c, 0, 0) + bytes((0x73, 0, 0)) + struct.pack("<BI", 0x11, at["tiles"])
    described = [1, 64 | 64 << 16, 0, 1, 0xff400000, 0xff400000, 0, 0, at["tiles"], 1,
                 0, 0, at["image"], 4] + 8 * [0]
    parts = {"list": packets, "record": struct.pack("<4B3I", 1, 12, 0, 0, at["code"], at["uniforms"],
                                                    at["vertices"]),
             "vertices": struct.pack("<2hff", -400, -400, 0.5, 1) +
             struct.pack("<2hff", 400, -400, 0.5, 1) + struct.pack("<2hff", 0, 400, 0.5, 1),
             "uniforms": pack([0xff0000ff] * 4), "code": struct.pack("<7Q", *code)}
    for what, words, end in ((0, described, b"\x19"), (1, described, b"\x19"), (2, described, b"\x19"),
                             (3, None, b"\x19"), (2, None, store)):
        memory = bytearray(0x500)
        parts["render"] = render + end
        for name, content in parts.items():
            start = at[name] - VC4_VA
            memory[start:start + len(content)] = content
        memory[0:8] = pack([at["list"], at["list"] + len(packets)])
        words = words or [0, at["render"], at["render"] + len(parts["render"]), 0]
        memory[16:16 + 4 * len(words)] = pack(words)
        yield bytes((what,)) + memory


def main(selftests, out):
    folders = {name: Folder(out, name)
               for name in ("program", "shbin", "cmdlist", "jobfile", "as", "qpu_exec",
                            "utgard", "mbs1", "image", "dump", "mali_run", "utgard_run",
                            "utgard_shader", "mali_shader", "vc4")}
    for number, (_, stage, code, desc) in enumerate(programs(
            os.path.join(selftests, "pica", "data"))):
        folders["program"].add(program_seed(stage, code, desc, number))
        if number % 4 == 0:
            folders["shbin"].add(shbin_seed(stage, code, desc))
            folders["cmdlist"].add(cmdlist_seed(stage, code, desc, number))
    for number in range(42):
        words = picture_seed(number)
        folders["cmdlist"].add(struct.pack(f"<4B{len(words)}I", number % 2, number, 0, 0, *words))
    folders["cmdlist"].add(bytes([0x80, 1, 0, 0]) + gx_seed())
    for source in SOURCES:
        folders["as"].add(source.encode())
    folders["jobfile"].add(json.dumps(JOB).encode())
    for source in UTGARD:
        folders["utgard"].add(source.encode())
    folders["mbs1"].add(mbs1_seed())
    for content in images():
        folders["image"].add(content)
    for content in dumps():
        folders["dump"].add(content)
    for content in chains(selftests):
        folders["mali_run"].add(content)
    for content in frames(selftests):
        folders["mali_run"].add(content)
    for content in mali_jobs(selftests):
        folders["mali_shader"].add(content)
    for content in large_jobs():
        folders["mali_shader"].add(content)
    for content in utgard_runs(selftests):
        folders["utgard_run"].add(content)
    for content in utgard_jobs(selftests):
        folders["utgard_shader"].add(content)
    for content in qpu_seeds(selftests):
        folders["qpu_exec"].add(content)
    for content in vc4_seeds():
        folders["vc4"].add(content)
    for content in job_files(selftests):
        folders["jobfile"].add(content)
    for name, folder in sorted(folders.items()):
        print("%s: %d seeds" % (name, folder.count))
        if not folder.count:
            sys.exit("%s: no seeds" % name)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
