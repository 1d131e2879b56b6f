# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""What the generators of support tables (*-ops.py) share."""

import os
import sys


def csv(head, lines):
    """Lines of a csv-table."""
    def cell(c):
        return '"%s"' % str(c).replace('"', '""')
    return [".. csv-table::", "   :header: " + ", ".join(cell(h) for h in head),
            "   :widths: auto", ""] + \
           ["   " + ", ".join(cell(c) for c in line) for line in lines]


def table(head, lines):
    """Lines of a simple table."""
    widths = [max(len(str(r[i])) for r in [head] + lines) for i in range(len(head))]
    rule = "  ".join("=" * w for w in widths)

    def fmt(r):
        # an empty first column would continue the row before
        r = (str(r[0]) or "\\",) + tuple(r[1:])
        return "  ".join(str(c).ljust(w) for c, w in zip(r, widths)).rstrip()
    return [rule, fmt(head), rule] + [fmt(r) for r in lines] + [rule]


def main(script, generate):
    """Write the table beside @script, or with --check compare it. Returns the exit status."""
    out = os.path.splitext(script)[0] + ".inc"
    want = generate()
    if sys.argv[1:] == ["--check"]:
        try:
            with open(out, encoding="utf-8") as f:
                stale = f.read() != want
        except FileNotFoundError:
            stale = True
        if stale:
            print("%s is stale: run %s" % (out, script), file=sys.stderr)
        return int(stale)
    with open(out, "w", encoding="utf-8") as f:
        f.write(want)
    return 0
