#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The JSON Schema of job files and the parser agree.

Every job file fits the schema. Files made wrong on purpose, one change each, are refused by
both. Knows as much of JSON Schema as that schema uses; a keyword it does not know is an error.

    test_schema.py VSHADER SCHEMA JOB.json...
"""
import copy
import json
import os
import re
import subprocess
import sys
import tempfile

TYPES = {
    "object": lambda v: isinstance(v, dict), "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str), "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
}
IGNORED = {"$schema", "$defs", "title", "description"}


class Schema:
    def __init__(self, root):
        self.root = root

    def fits(self, value, s):
        for key, arg in s.items():
            if key not in IGNORED and not getattr(self, "do_" + key.strip("$"))(value, arg, s):
                return False
        return True

    def do_ref(self, v, arg, s):
        return self.fits(v, self.root["$defs"][arg.rsplit("/", 1)[1]])

    def do_type(self, v, arg, s):
        return TYPES[arg](v)

    def do_enum(self, v, arg, s):
        return v in arg

    def do_pattern(self, v, arg, s):
        return not isinstance(v, str) or re.search(arg, v) is not None

    def do_minimum(self, v, arg, s):
        return not TYPES["number"](v) or v >= arg

    def do_minItems(self, v, arg, s):
        return not isinstance(v, list) or len(v) >= arg

    def do_maxItems(self, v, arg, s):
        return not isinstance(v, list) or len(v) <= arg

    def do_required(self, v, arg, s):
        return not isinstance(v, dict) or all(k in v for k in arg)

    def do_items(self, v, arg, s):
        return not isinstance(v, list) or all(self.fits(x, arg) for x in v)

    def do_properties(self, v, arg, s):
        return not isinstance(v, dict) or all(self.fits(v[k], arg[k]) for k in v if k in arg)

    def do_additionalProperties(self, v, arg, s):
        rest = [v[k] for k in v if k not in s.get("properties", {})] if isinstance(v, dict) else []
        return not rest if arg is False else all(self.fits(x, arg) for x in rest)

    def do_oneOf(self, v, arg, s):
        return sum(self.fits(v, x) for x in arg) == 1

    def do_anyOf(self, v, arg, s):
        return any(self.fits(v, x) for x in arg)

    def do_dependentRequired(self, v, arg, s):
        return not isinstance(v, dict) or all(n in v for k in arg if k in v for n in arg[k])

    def do_allOf(self, v, arg, s):
        return all(self.fits(v, x) for x in arg)

    def do_not(self, v, arg, s):
        return not self.fits(v, arg)


number = failed = 0


def result(ok, text):
    global number, failed
    number += 1
    failed += not ok
    print(f"{'ok' if ok else 'not ok'} {number} {text}")


BASE = {
    "vshader": 1, "name": "n", "engine": "pica",
    "vms": [{"name": "v", "bits": 32}],
    "memory": [{"name": "m", "va": "0x10000", "size": 64, "data": [{"hex": "00"}, {"u16": [1]}]}],
    "programs": [{"name": "p", "stage": "vertex", "words": ["0x4c000000", "0x88000000"],
                  "opdesc": ["0x36f"], "entries": [0]}],
    "queues": [{"name": "q", "vm": "v", "priority": "low", "budget": 1000000}],
    "syncobjs": [{"name": "s", "signaled": True}],
    "jobs": [{
        "name": "j", "queue": "q", "program": "p", "count": 1, "entry": 0,
        "index": {"type": "u8", "data": [0]},
        "attributes": [{"reg": "v0", "format": "f32", "components": 4, "data": [1, 2, 3, 4]}],
        "outputs": ["o0", {"reg": "o1", "components": 2}],
        "pica": {"model": "f24", "switches": ["round-nearest"],
                 "uniforms": {"c0": [0, 0, 0, 0], "i0": [0, 0, 0, 0], "b0": True}},
        "wait": ["s"], "signal": [{"syncobj": "s", "point": 3}],
        "expect": [{"output": "o0", "f32": [1, None, "0x40400000", 4], "ulp": 1},
                   {"status": "ok"}, {"invocations": 1}]}],
}
# Where, and what is put there; None takes the member away.
CHANGES = [
    (["vshader"], None), (["vshader"], 3), (["other"], 1), (["engine"], "z80"), (["jobs"], {}),
    (["vms", 0, "bits"], 33), (["vms", 0, "name"], None), (["memory", 0, "size"], -1),
    (["memory", 0, "size"], 1.5), (["memory", 0, "size"], "many"), (["memory", 0, "va"], []),
    (["memory", 0, "data", 0, "hex"], 5), (["memory", 0, "data", 1, "u16"], 5),
    (["memory", 0, "writable"], True), (["memory", 0, "readonly"], 1),
    (["programs", 0, "words"], None), (["programs", 0, "stage"], "tile"),
    (["programs", 0, "asm"], "end"), (["queues", 0, "name"], None),
    (["queues", 0, "priority"], "top"), (["syncobjs", 0, "signaled"], 1),
    (["jobs", 0, "count"], "x"), (["jobs", 0, "counts"], 1), (["jobs", 0, "index", "type"], None),
    (["jobs", 0, "index", "type"], "u64"), (["jobs", 0, "attributes", 0, "reg"], None),
    (["jobs", 0, "attributes", 0, "at"], 0), (["jobs", 0, "attributes", 0, "data"], None),
    (["jobs", 0, "attributes", 0, "format"], "f64"), (["jobs", 0, "outputs", 1, "data"], [1]),
    (["jobs", 0, "outputs", 0], 5), (["jobs", 0, "pica", "model"], "f64"),
    (["jobs", 0, "pica", "switches"], "round-nearest"),
    (["jobs", 0, "pica", "switches", 0], "fast"), (["jobs", 0, "pica", "uniforms", "c0"], "x"),
    (["jobs", 0, "wait", 0], 3), (["jobs", 0, "signal", 0, "syncobj"], None),
    (["jobs", 0, "expect", 0, "f32"], 1), (["jobs", 0, "expect", 0, "f32", 0], True),
    (["jobs", 0, "expect", 0, "abs"], -1), (["jobs", 0, "expect", 0, "f64"], []),
    (["jobs", 0, "expect", 1, "status"], "EWHAT"), (["jobs", 0, "expect", 1], {}),
    (["jobs", 0, "expect", 2, "invocations"], None), (["jobs", 0, "async"], "yes"),
    (["jobs", 0, "bind"], [{"map": "m"}]),
    (["memory", 0], {"name": "m"}), (["memory", 0, "data", 0, "u8"], [1]), (["memory", 0, "data", 0], {}),
    (["memory", 0, "data", 0, "format"], "rgba8"), (["memory", 0, "data", 0, "flip"], True),
    (["jobs", 0, "expect"], []), (["jobs", 0, "expect", 0, "f32"], []),
    (["jobs", 0, "expect", 0, "f32"], None), (["jobs", 0, "expect", 0, "u8"], [1]),
    (["images"], [{"name": "i", "at": "m", "width": 1, "height": 1, "format": "r8q8"}]),
    (["images"], [{"name": "i", "at": "m", "width": 1, "height": 1, "format": "r33"}]),
    (["programs", 0], {"name": "p", "asm": "end", "opdesc": [1]}),
]
# Where nothing is left but the version.
SHORT = ({"vshader": 1}, {"vshader": 1, "memory": [{"name": "m", "size": 64}]})

# The same for Mali jobs and chains.
MALI_BASE = {
    "vshader": 1, "engine": "bifrost",
    "memory": [{"name": "m", "size": 4096,
                "data": {"words": [0, 0, 0, 0, "0x10005", 0, 0, 0, "m+0x800", 0, 6, 0, 7, 0]}}],
    "programs": [{"name": "p", "stage": "compute", "asm": "ds(0) eos\n{\n+NOP t1\n}\n"}],
    "jobs": [
        {"program": "p", "mali": {
            "gpu": "g72", "switches": ["fused-fma"], "local": [1, 1, 1], "groups": [2, 1, 1],
            "preload": "0x7f80", "ubos": [{"at": "m", "size": 16}], "push": [1, "m"],
            "attributes": {"at": "m", "count": 0, "buffers": "m"},
            "textures": {"at": "m", "count": 0}, "wls_size": 64, "wls_instances": 2,
            "tls_size": 16, "memory": "0x200000"}, "expect": [{"invocations": 2}]},
        {"native": {"format": "bifrost-chain", "at": "m", "gpu": "g52",
                    "switches": ["fused-fma"], "memory": "0x200000"},
         "expect": [{"at": "m+0x800", "u32": [7]}]}],
}
MALI_CHANGES = [
    (["memory", 0], {"image": 5}), (["memory", 0], {"image": "x", "size": 4096}),
    (["memory", 0], {"image": "x", "ranges": {}}),
    (["memory", 0], {"image": "x", "ranges": [[1]]}),
    (["memory", 0], {"image": "x", "ranges": [{"va": 4096}]}),
    (["jobs", 0, "mali", "gpu"], "t604"), (["jobs", 0, "mali", "gpus"], "g52"),
    (["jobs", 0, "mali", "switches"], ["fast"]), (["jobs", 0, "mali", "local"], 4),
    (["jobs", 0, "mali", "groups"], ["many"]), (["jobs", 0, "mali", "preload"], []),
    (["jobs", 0, "mali", "ubos", 0, "at"], None), (["jobs", 0, "mali", "push"], "m"),
    (["jobs", 0, "mali", "textures", "count"], None),
    (["jobs", 0, "mali", "textures", "buffers"], "m"), (["jobs", 0, "mali", "wls_size"], "x"),
    (["jobs", 0, "mali", "fragment"], 1), (["jobs", 0, "mali", "fragment"], {"prim": "line"}),
    (["jobs", 0, "mali", "fragment"], {"targets": [{"order": "tiled"}]}),
    (["jobs", 1, "native", "at"], None), (["jobs", 1, "native", "gpu"], "t604"),
    (["jobs", 1, "native", "output"], "m"), (["jobs", 1, "native", "memory"], "much"),
    (["jobs", 1, "native", "switches"], ["strict-tmu"]),
]

# The same for requests to the PICA200's other units.
GX_BASE = {
    "vshader": 1, "memory": [{"name": "m", "size": 4096}, {"name": "n", "size": 4096},
                             {"name": "raw", "data": {"words": [2, "m", 7, "m+8", 0, 0, 0, 0x201]}}],
    "jobs": [
        {"native": {"format": "pica-gx", "requests": [
            {"fill": [{"at": "m", "size": 12, "value": "0x102", "width": 16}, {"at": "n", "size": 8}]},
            {"transfer": {"input": "m", "output": "n", "input_size": [8, 8], "output_size": [8, 8],
                          "input_format": "rgb565", "output_format": "rgba8", "scale": "none",
                          "flags": ["same-order"]}},
            {"copy": {"input": "m", "output": "n+2048", "size": 64, "input_row": [1, 1],
                      "output_row": [1, 0]}}]},
         "expect": [{"at": "n+2048", "u16": [0x102]}]},
        {"native": {"format": "pica-gx", "at": "raw", "size": 32},
         "expect": [{"at": "m", "u32": [7, 7, 0x1020102]}]}],
}
GX = ["jobs", 0, "native"]
GX_CHANGES = [
    (GX + ["requests"], []), (GX + ["requests"], None), (GX + ["at"], "m"), (GX + ["output"], "m"),
    (GX + ["model"], "f24"), (GX + ["format"], "pica-cmdlist"), (GX + ["requests", 0], {}),
    (GX + ["requests", 0, "copy"], {"input": "m", "output": "n", "size": 16}),
    (GX + ["requests", 0, "fill", 0, "width"], 8), (GX + ["requests", 0, "fill", 0, "size"], None),
    (GX + ["requests", 0, "fill", 0, "end"], 0),
    (GX + ["requests", 1, "transfer", "input_size"], [8]),
    (GX + ["requests", 1, "transfer", "input_format"], "etc1"),
    (GX + ["requests", 1, "transfer", "scale"], "y"),
    (GX + ["requests", 1, "transfer", "flags"], ["linear"]),
    (GX + ["requests", 1, "transfer", "output"], None),
    (GX + ["requests", 2, "copy", "size"], None),
    (GX + ["requests", 2, "copy", "output_row"], "2"), (["jobs", 1, "native", "size"], []),
]


def changed(base, path, value):
    new = copy.deepcopy(base)
    at = new
    for k in path[:-1]:
        at = at[k]
    if value is None:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return new


def exit_status(vshader, content):
    with tempfile.TemporaryDirectory() as d:
        name = os.path.join(d, "job.json")
        with open(name, "w", encoding="utf-8") as f:
            json.dump(content, f)
        return subprocess.run([vshader, "run", "--device", "local", name],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              check=False).returncode


def check_man_page(schema, vshader, name):
    """vshader-job-file(5) names all members of a file; its example runs."""
    with open(name, encoding="utf-8") as f:
        page = f.read()
    bold = set(re.findall(r"\w+", " ".join(re.findall(r"^\.BR? (.*)$", page, re.M))))
    programs = schema.root["properties"]["programs"]["items"]
    programs = schema.root["$defs"][programs["$ref"].rsplit("/", 1)[1]] \
        if "$ref" in programs else programs
    for member in sorted({*schema.root["properties"], *programs["properties"]}):
        result(member.strip("$") in bold or member == "$schema" and "$schema" in page,
               "the man page has " + member)
    example = json.loads(re.search(r"\.nf\n(.*)\.fi", page, re.S)[1].replace("\\e", "\\"))
    result(exit_status(vshader, example) == 0, "the man page's example runs")


def main():
    vshader, schema_name, files = sys.argv[1], sys.argv[2], sys.argv[3:]
    with open(schema_name, encoding="utf-8") as f:
        schema = Schema(json.load(f))
    print("TAP version 13")
    for name in files:
        with open(name, encoding="utf-8") as f:
            result(schema.fits(json.load(f), schema.root), "fits: " + "/".join(name.split("/")[-2:]))
    for base, changes in ((BASE, CHANGES), (MALI_BASE, MALI_CHANGES),
                          (GX_BASE, GX_CHANGES)):
        result(schema.fits(base, schema.root), "fits: the file that is changed")
        result(exit_status(vshader, base) == 0, "it runs")
        for path, value in changes:
            new = changed(base, path, value)
            text = ".".join(map(str, path)) + (" missing" if value is None else f" = {value!r}")
            result(not schema.fits(new, schema.root), "schema refuses " + text)
            result(exit_status(vshader, new) == 2, "parser refuses " + text)
    for short in SHORT:
        result(not schema.fits(short, schema.root), f"schema refuses {short}")
        result(exit_status(vshader, short) == 2, f"parser refuses {short}")
    check_man_page(schema, vshader, os.path.join(os.path.dirname(schema_name),
                                                 "man/vshader-job-file.5"))
    print(f"1..{number}")
    print(f"# Totals: pass:{number - failed} fail:{failed} xfail:0 xpass:0 skip:0 error:0")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
