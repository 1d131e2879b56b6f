#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Support tables of the QPU front end, from its operation table, names and tests.

usage: qpu-ops.py          rewrite qpu-ops.inc
       qpu-ops.py --check  exit 1 if it is not what this would write
"""

import os
import re
import sys

from optables import main, table

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
QPU = os.path.join(TOP, "kernel/isa/qpu")
TESTS = os.path.join(TOP, "selftests/isa")

# Operations whose results were recorded on hardware by the VC4C project.
RECORDED = set("""fadd fsub fmin fmax fminabs fmaxabs ftoi itof add sub shr asr ror shl min max
and or xor not clz v8adds v8subs fmul mul24 v8muld v8min v8max""".split())

SIGNALS = (
    "software breakpoint", "none", "thread switch", "end of the thread",
    "wait for the scoreboard", "unlock the scoreboard", "last thread switch",
    "colour and coverage to r4", "colour to r4", "colour to r4, end of the thread",
    "result of TMU0 to r4", "result of TMU1 to r4", "alpha mask to r4",
    "small immediate instead of file B", "load immediate or semaphore", "branch")

READS = {
    32: ("next uniform", "next uniform"), 35: ("next varying", "next varying"),
    38: ("element number", "QPU number"), 39: ("last value read", "last value read"),
    41: ("pixel x", "pixel y"), 42: ("sample mask", "face is reversed"),
    48: ("VPM", "VPM"), 49: ("DMA load busy", "DMA store busy"),
    50: ("wait for DMA load", "wait for DMA store"), 51: ("acquire the mutex",) * 2}

WRITES = {
    32: "r0", 33: "r1", 34: "r2", 35: "r3", 36: "TMUs are not swapped",
    37: "r5: element 0 of each group of four (A), element 0 (B)", 38: "host interrupt",
    39: "nothing", 40: "address of the uniforms", 41: "pixel x (A), pixel y (B)",
    42: "sample mask (A), face reversed (B)", 43: "stencil setup", 44: "depth",
    45: "colour, per sample", 46: "colour, all samples", 47: "alpha mask", 48: "VPM",
    49: "setup of VPM read and DMA load (A), VPM write and DMA store (B)",
    50: "address of DMA load (A), DMA store (B), starts it", 51: "release the mutex",
    52: "reciprocal", 53: "reciprocal square root", 54: "2 to the power", 55: "logarithm to base 2"}


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def strings(text, array):
    """Strings and NULLs of an array's initializer."""
    body = re.search(r"%s\[\d+\] = \{(.*?)\};" % array, text, re.S).group(1)
    return [None if w == "NULL" else w.strip('"') for w in re.findall(r'NULL|"[^"]*"', body)]


def reg_names(text):
    rows = re.findall(r'\{ "([^"]+)", (\d+), ([A-Z_| ]+) \}', text)
    uses = {"RA": 1, "RB": 2, "WA": 4, "WB": 8, "ANY": 15}
    out = {}
    for name, addr, flags in rows:
        mask = 0
        for flag in re.findall(r"QPU_REG_(\w+)", flags):
            mask |= uses[flag]
        out.setdefault(int(addr), []).append((name, mask))
    return out


def names_of(regs, addr, use):
    found = [n for n, mask in regs.get(addr, []) if mask & use]
    return ", ".join("``%s``" % n for n in found)


def in_tests(name, tests):
    """Tests whose sources, programs in strings, have an instruction of that name."""
    insn = re.compile(r'(?:"|\\n|; )%s(?=["\\;. ])' % re.escape(name))
    return ", ".join(t for t, text in tests if insn.search(text))


def operations(tests):
    text = read(os.path.join(QPU, "qpu_ops.def"))
    lines = []
    for alu, top in (("ADD", 32), ("MUL", 8)):
        named = {}
        for m in re.finditer(r'^QPU_%s_OP\((\d+),\s*\w+,\s*"(\w+)",\s*(\d), (\w), (\w)\)' % alu,
                             text, re.M):
            named[int(m.group(1))] = m.groups()[1:]
        kinds = {"F": "floats", "I": "integers"}
        unit = "adder" if alu == "ADD" else "multiplier"
        for code in range(top):
            if code in named:
                mnem, n, reads, result = named[code]
                lines.append((unit, code, "``%s``" % mnem, n,
                              "%s to %s" % (kinds[reads], kinds[result]) if code else "",
                              "implemented",
                              "recorded on hardware" if mnem in RECORDED else "guide",
                              in_tests(mnem, tests)))
            else:
                lines.append((unit, code, "``aop%d``" % code, 2, "result 0", "unknown",
                              "none: accepted with a warning", in_tests("aop%d" % code, tests)))
    return table(("ALU", "code", "mnemonic", "operands", "reads, result", "state", "source",
                  "tests"), lines)


def signals(names, tests):
    return table(("code", "name", "effect", "state", "tests"),
                 [(i, "``%s``" % names[i] if names[i] else "", SIGNALS[i], "implemented",
                   in_tests(names[i], tests) if names[i] else "test_qpu_text")
                  for i in range(16)])


def reads(regs):
    lines = []
    for addr in range(32, 64):
        if addr in READS:
            lines.append((addr, READS[addr][0], names_of(regs, addr, 1), READS[addr][1],
                          names_of(regs, addr, 2), "implemented"))
        else:
            lines.append((addr, "", "", "", "", "rejected as an operand"))
    return table(("address", "file A", "names", "file B", "names", "state"), lines)


def writes(regs):
    lines = []
    for addr in range(32, 64):
        what = WRITES.get(addr) or "TMU%d %s" % ((addr - 56) // 4, "STRB"[addr % 4])
        lines.append((addr, what, names_of(regs, addr, 4), names_of(regs, addr, 8),
                      "implemented"))
    return table(("address", "effect", "names in file A", "names in file B", "state"), lines)


def modes(text):
    pack, mul = strings(text, "qpu_pack_names"), strings(text, "qpu_mul_pack_names")
    unpack = strings(text, "qpu_unpack_names")
    lines = []
    for i in range(16):
        up = unpack[i] if i < 8 else None
        up = "``.%s``" % up if up else "" if i else "none"
        mp = "``.%s``" % mul[i] if mul[i] else "like 11" if i == 3 else "none"
        mp = "rejected" if i % 8 in (1, 2) else mp
        lines.append((i, "``.%s``" % pack[i] if pack[i] else "none", mp, up))
    return table(("code", "pack, file A (pm=0)", "pack, multiplier (pm=1)",
                  "unpack, file A (pm=0) or r4 (pm=1)"), lines)


def conditions(text):
    cond, branch = strings(text, "qpu_cond_names"), strings(text, "qpu_br_names")
    return table(("code", "of results", "of branches"),
                 [(i, "``.%s``" % cond[i] if i < 8 else "",
                   "``.%s``" % branch[i] if branch[i] else "rejected") for i in range(16)])


def rules(tests_text):
    text = read(os.path.join(TOP, "userspace/lint/qpu_lint.c"))
    lines = []
    for enum, name, what, silent in re.findall(
            r'\[(QPU_LINT_\w+)\] = \{ "([^"]+)",\s*"([^"]+)"(, true)? \}', text):
        n = len(re.findall(r"\{ %s," % enum, tests_text))
        lines.append(("``%s``" % name, what.split(";")[0] + (" (silent)" if silent else ""),
                      "%d programs" % (2 * n)))
    return table(("rule", "warning", "tests"), lines)


def generate():
    names = read(os.path.join(TOP, "userspace/disasm/qpu_names.c"))
    regs = reg_names(names)
    tests = [(t, read(os.path.join(TESTS, t + ".c")))
             for t in ("test_qpu_table", "test_qpu_text", "test_qpu_as", "test_qpu_verify")]
    out = [".. SPDX-License-Identifier: GPL-2.0-only OR MIT",
           ".. Generated by qpu-ops.py from kernel/isa/qpu and selftests/isa.", "",
           "Operations:", ""] + operations(tests)
    out += ["", "Signals:", ""] + signals(strings(names, "qpu_sig_names"), tests)
    out += ["", "Addresses that are read; 0 to 31 are the registers of the file:", ""]
    out += reads(regs)
    out += ["", "Addresses that are written; 0 to 31 are the registers of the file:", ""]
    out += writes(regs)
    out += ["", "Pack and unpack modes:", ""] + modes(names)
    out += ["", "Conditions:", ""] + conditions(names)
    out += ["", "Warnings:", ""]
    out += rules(read(os.path.join(TESTS, "test_qpu_verify.c")))
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(__file__), generate))
