#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Writes job files for PICA200 from the cases in ../pica/data, in both number formats.

Run it in this folder; the files it writes are committed. Contested cases stay out, and cases
that expect values of registers other than outputs.
"""
import itertools
import json
import os
import struct

from make_demo import Flow, write

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../pica/data")
SETS = (
    ("documented", "PICA200, documented", "Results that follow from the definition of an operation."),
    ("documented-console", "PICA200, documented-console",
     "Control flow as console experiments describe it."),
    ("hardware", "PICA200, measured",
     "Results measured on a console by public test programs (3ds-gpu-tests and others)."))
# Results that are subnormal in 1.7.16 are normal in binary32.
SUBNORMAL = ("hw-mul-subnormal-out",)


def load(name):
    with open(os.path.join(DATA, name), encoding="ascii") as f:
        return json.load(f)


def words(values):
    return Flow("0x" + v for v in values)


def number(bits):
    """A binary32 pattern as JSON: decimal, or the job file's names of what JSON lacks."""
    value = struct.unpack(">f", bytes.fromhex(bits))[0]
    if value != value:
        return "nan"
    if value in (float("inf"), float("-inf")):
        return "inf" if value > 0 else "-inf"
    text = float(f"{value:.9g}")
    return int(text) if text.is_integer() and abs(text) < 2 ** 31 else text


def uniforms(case, sets):
    floats = case.get("cf") or sets.get(case.get("cfset"), {})
    found = {"c" + index: words(values) for index, values in floats.items()}
    for index, values in enumerate(case.get("ci", [])):
        if any(values):
            found["i%d" % index] = Flow(values)
    return found


def expectation(expect):
    row = [None] * 4
    for i, component in enumerate(expect["comp"]):
        row["xyzw".index(component)] = \
            "nan" if expect["op"] == "nan" else number(expect["val"][i])
    found = {"output": expect["reg"], "f32": Flow(row)}
    if expect["op"] == "abs":
        found["abs"] = expect["tol"]
    return found


def vertex_jobs(case, sets):
    for model in ("f24", "f32"):
        if model == "f32" and case["id"] in SUBNORMAL:
            continue
        pica = {"model": model}
        found = uniforms(case, sets)
        if found:
            pica["uniforms"] = found
        if case.get("cb"):
            pica["bools"] = case["cb"]
        yield {"name": "%s-%s" % (case["id"], model), "program": case["id"], "count": 1,
               "attributes": [{"reg": reg, "data": words(v)}
                              for reg, v in case.get("inputs", {}).items()],
               "outputs": Flow(sorted({e["reg"] for e in case["expect"]})),
               "pica": pica, "expect": [expectation(e) for e in case["expect"]]}


def program(case, **more):
    return {"name": case["id"], **more, "words": words(case["code"]),
            "opdesc": words(case["opdesc"])}


def vertex():
    cases = load("cases.json")
    for basis, name, description in SETS:
        chosen = [c for c in cases["cases"] if c["basis"] == basis and
                  all(e["reg"].startswith("o") for e in c["expect"])]
        write("pica/%s.json" % basis, {
            "name": name, "description": description,
            "programs": [program(c) for c in chosen],
            "jobs": [j for c in chosen for j in vertex_jobs(c, cases["sets"])]})


def primitives(case):
    """Per invocation, the vertices of its triangles in order."""
    for i in range(len(case["invocations"])):
        rows = [Flow(e["o0"] + e["o1"]) for e in case["expect"]
                if e["invocation"] == i and e["event"] == "vertex"]
        count = len(rows) // 3
        yield {"prims": i, "count": count, "inverted": Flow([False] * count), "f32": rows}


def geometry():
    cases = load("gs_cases.json")["cases"]
    # the rule of uniforms that every case has
    table = [Flow(10 * (n + 1) + c for c in range(4)) for n in range(8)]
    jobs = [{"name": "%s-%s" % (case["id"], model), "program": case["id"],
             "count": len(case["invocations"]),
             "attributes": [{"reg": "v%d" % r,
                             "data": [Flow(inv[r]) for inv in case["invocations"]]}
                            for r in range(2)],
             "pica": {"model": model, "output_mask": case["output_mask"], "max_prims": 4,
                      "uniforms": {"c0": table}},
             "expect": list(primitives(case))}
            for case in cases for model in ("f24", "f32")]
    write("pica/geometry.json", {
        "name": "PICA200, geometry unit",
        "description": "Emission, output banking, slots and state kept from invocation to "
                       "invocation, as reported from consoles.",
        "programs": [program(c, stage="geometry") for c in cases], "jobs": jobs})


# ---- two NaNs ----

QUIET = 0x00400000
NUMBER = struct.unpack("<I", struct.pack("<f", 1))[0]
# quiet NaNs, which raise no flag; with signalling ones
OPERANDS = (0x7fc00100, 0x7fc12300, 0xffc54300, 0xfff00080, NUMBER)
SIGNALLING = OPERANDS + (0x7f845600, 0xff800180)


def is_nan(bits):
    return bits & 0x7fffffff > 0x7f800000


def quiet(bits):
    return bits | QUIET if is_nan(bits) else bits


def value(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def arithmetic(a, b, number):
    """The first operand's NaN, else the second's."""
    for bits in (a, b):
        if is_nan(bits):
            return quiet(bits)
    return struct.unpack("<I", struct.pack("<f", number(value(a), value(b))))[0]


def mul(a, b):
    return arithmetic(a, b, lambda x, y: x * y)


def add(a, b):
    return arithmetic(a, b, lambda x, y: x + y)


def dot(a, b):
    total = mul(a[0], b[0])
    for x, y in zip(a[1:], b[1:]):
        total = add(total, mul(x, y))
    return [total] * 4


def sub(a, b):
    """A subtrahend's NaN keeps its sign."""
    return arithmetic(a, b, lambda x, y: x - y)


def each(fn, *rows):
    return [fn(*values) for values in zip(*rows)]


# instruction, the operation on the rows x, y, z
NANS = (
    ("add", "add sum, x, y", lambda x, y, z: each(add, x, y)),
    ("sub", "add sum, x, -y", lambda x, y, z: each(sub, x, y)),
    ("add-uniform", "add sum, u, y", lambda x, y, z: each(add, UNIFORM, y)),
    ("mul", "mul sum, x, y", lambda x, y, z: each(mul, x, y)),
    ("mul-uniform", "mul sum, u, y", lambda x, y, z: each(mul, UNIFORM, y)),
    ("mad", "mad sum, x, y, z", lambda x, y, z: each(add, each(mul, x, y), z)),
    ("madi", "mad sum, x, y, u", lambda x, y, z: each(add, each(mul, x, y), UNIFORM)),
    ("dp3", "dp3 sum, x, y", lambda x, y, z: dot(x[:3], y[:3])),
    ("dp4", "dp4 sum, x, y", lambda x, y, z: dot(x, y)),
    ("dp4-uniform", "dp4 sum, u, y", lambda x, y, z: dot(UNIFORM, y)),
    ("dph", "dph sum, x, y", lambda x, y, z: dot(x[:3] + [NUMBER], y)),
    ("dphi", "dph sum, x, u", lambda x, y, z: dot(x[:3] + [NUMBER], UNIFORM)),
    ("dst", "dst sum, x, y", lambda x, y, z: [NUMBER, mul(x[1], y[1]), x[2], y[3]]),
    ("dsti", "dst sum, x, u", lambda x, y, z: [NUMBER, mul(x[1], UNIFORM[1]), x[2], UNIFORM[3]]),
)
UNIFORM = [0x7fc23400, 0xffc00180, NUMBER, 0x7fc77700]


def nan_rows(operands, count):
    """Rows of three registers: components have all pairs of operands in turn."""
    n = len(operands)
    pairs = [(p, p // n, p // 2 + p // (4 * n)) for p in range(4 * count)]
    return [[[operands[p[k] % n] for p in pairs[4 * i:4 * i + 4]] for k in range(3)]
            for i in range(count)]


def loaded(row, model):
    """1.7.16 quiets NaNs when they enter."""
    return [quiet(x) for x in row] if model == "f24" else row


def nans():
    jobs = []
    for name, text, operation in NANS:
        read = text.split(" ", 2)[2].replace("-", "").split(", ")
        for model, kind in itertools.product(("f24", "f32"), ("", "-signalling")):
            if kind and name not in ("add", "mad", "dp4"):
                continue
            rows = nan_rows(SIGNALLING if kind else OPERANDS, 18)
            results = [operation(*(loaded(r, model) for r in row)) for row in rows]
            jobs.append({
                "name": "%s-%s%s" % (name, model, kind), "program": name, "count": len(rows),
                "attributes": [{"reg": "v%d" % k, "format": "u32",
                                "data": [Flow("0x%08x" % x for x in row[k]) for row in rows]}
                               for k in range(3) if "xyz"[k] in read],
                "outputs": [{"reg": "o0", "format": "u32"}],
                "pica": {"model": model, "uniforms": {"c0": Flow("0x%08x" % x for x in UNIFORM)}},
                "expect": [{"output": "o0",
                            "u32": [Flow("0x%08x" % x for x in r) for r in results]}]})
    write("pica/nans.json", {
        "name": "PICA200, two NaNs",
        "description": "Sums, products and dot products of NaNs: the first operand's is the "
                       "result, on processors and emulators that choose another one, too.",
        "programs": [{"name": name, "asm": ".out sum position\n.in x\n.in y\n.in z\n.fvec u\n"
                                           ".proc main\n\t%s\n\tend\n.end\n" % text}
                     for name, text, _ in NANS],
        "jobs": jobs})


if __name__ == "__main__":
    vertex()
    geometry()
    nans()
