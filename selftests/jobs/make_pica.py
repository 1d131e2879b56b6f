#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Writes job files for PICA200 from the cases in ../pica/data, in both number formats.

Run it in this folder; the files it writes are committed. Contested cases stay out, and cases
that expect values of registers other than outputs.
"""
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


if __name__ == "__main__":
    vertex()
    geometry()
