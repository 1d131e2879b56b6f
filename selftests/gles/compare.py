#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Compare folders of pictures that gles has written with those of a reference; TAP.

usage: compare.py [--json|--table] [--sheet FILE.png] [--png] [--rows "ROW..."] [--edges N]
                  --scenes LIST
                  REFERENCE FOLDER...
       compare.py --self-test

LIST is the output of "gles --list": a scene's name, and the rows of Documentation/references.rst
that explain its differences. ROW*N is a row that counts N times, ROW@CHIP,CHIP one for folders
whose name begins so. A scene without rows must be the same bit for bit. How far components may be
apart is in userspace/cli/diff_rows.def, which "vshader diff" has, too. Row "snapping" explains
differences beside edges: within a pixel of one in the reference, in at most one pixel in a
hundred. Rows that have explained a difference are printed, with their number of pixels.

Every further folder is also compared with the first FOLDER. A scene that the reference has not is
skipped. --rows adds rows to each scene: of chips that compute in another way than the others.
--edges is for chips whose vertices are at 1/16 pixel: "snapping" in one pixel of N. --png writes
each picture beside itself as PNG. The sheet has a row for each scene that differs, or for all if
none does: the reference, each folder's picture, and the differences, exaggerated.
"""

import json
import os
import re
import struct
import sys
import zlib

EDGE = 24	# difference of neighbours that makes an edge
GAP = b"\x40\x40\x40"	# pixel between pictures
EDGE_SHARE = 100	# one pixel of so many may differ beside edges, unless --edges says another
ROWS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "userspace", "cli",
                    "diff_rows.def")


def read_pam(path):
    """Width, height, bytes of RGBA."""
    with open(path, "rb") as f:
        head, _, data = f.read().partition(b"ENDHDR\n")
    words = dict(line.split(None, 1) for line in head.decode().splitlines() if " " in line)
    width, height = int(words["WIDTH"]), int(words["HEIGHT"])
    if len(data) != 4 * width * height:
        raise ValueError("%s: %d bytes of pixels, expected %d" %
                         (path, len(data), 4 * width * height))
    return width, height, data


def write_png(path, width, height, rgb):
    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data +
                struct.pack(">I", zlib.crc32(kind + data)))
    rows = b"".join(b"\0" + rgb[3 * width * y:3 * width * (y + 1)] for y in range(height))
    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" +
                chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
                chunk(b"IDAT", zlib.compress(rows, 6)) + chunk(b"IEND", b""))


def pixel_difference(a, b, i):
    return max(abs(a[i + k] - b[i + k]) for k in range(4))


def edges(width, height, data):
    """For each pixel whether an edge is within one pixel."""
    near = bytearray(width * height)
    for y in range(height):
        for x in range(width):
            i = 4 * (y * width + x)
            for dx, dy in ((1, 0), (0, 1)):
                if x + dx >= width or y + dy >= height:
                    continue
                if pixel_difference_of(data, i, i + 4 * (dx + dy * width)) > EDGE:
                    mark(near, width, height, x, y)
                    mark(near, width, height, x + dx, y + dy)
    return near


def pixel_difference_of(data, i, k):
    return max(abs(data[i + c] - data[k + c]) for c in range(4))


def mark(near, width, height, x, y):
    for v in range(max(y - 1, 0), min(y + 2, height)):
        for u in range(max(x - 1, 0), min(x + 2, width)):
            near[v * width + u] = 1


def near(most, alpha):
    """Whether components are apart by so much at most, or by that times a number."""
    def holds(a, b, times):
        return (alpha or a[3] == b[3]) and pixel_difference(a, b, 0) <= times * most
    return holds


def code_of(byte, bits):
    """The code of so many bits that is shown as this byte, or None."""
    most = (1 << bits) - 1
    code = (byte * most + 127) // 255
    return code if (code * 255 + most // 2) // most == byte else None


def codes(bits):
    """Whether components are codes of so many bits and next to each other; those of a bit equal."""
    def holds(a, b, times):
        pairs = [(code_of(a[i], bits[i]), code_of(b[i], bits[i])) for i in range(4)]
        return all(None not in pair and abs(pair[0] - pair[1]) <= (times if n > 1 else 0)
                   for pair, n in zip(pairs, bits))
    return holds


def alpha_bit(a, b, _):
    return a[:3] == b[:3] and abs(a[3] - b[3]) == 255


def read_rows(path=ROWS):
    """What explains a pair of colours, by the row's name; None: an edge does."""
    rows = {}
    with open(path, encoding="ascii") as f:
        text = f.read()
    for kind, name, rest in re.findall(r'^([A-Z]+)_ROW\("([a-z0-9-]+)"(.*)\)$', text, re.M):
        values = rest.lstrip(", ").split(", ")
        if kind in ("NEAR", "TARGET"):
            rows[name] = near(int(values[0]), values[1] == "true")
        elif kind == "CODE":
            rows[name] = codes([int(v) for v in values])
        elif kind == "ALPHA":
            rows[name] = alpha_bit
        else:
            rows[name] = None
    return rows


def parse_rows(words, known):
    """[(text, holds, times, chips)] of ROW[*N][@CHIP...], each once; those of edges last."""
    rows = []
    for word in dict.fromkeys(words):
        text, _, chips = word.partition("@")
        name, _, times = text.partition("*")
        if name not in known:
            raise ValueError("%s: no row of %s" % (name, os.path.basename(ROWS)))
        rows.append((text, known[name], int(times or 1), tuple(chips.split(","))))
    return sorted(rows, key=lambda row: row[1] is None)


def rows_of(rows, *folders):
    """Those that hold for one of the folders."""
    return [row for row in rows if any(os.path.basename(f).startswith(row[3]) for f in folders)]


def explain(p, q, rows, beside_edge):
    """The first row that explains these colours, or None."""
    for row in rows:
        _, holds, times, _ = row
        if beside_edge() if holds is None else holds(p, q, times):
            return row
    return None


def compare(ref, got, rows=(), share=EDGE_SHARE):
    """{max, pixels, rows, ok}: the largest difference that no edge explains, pixels that no row
    explains, pixels by the row that explains them. One of @share may differ beside edges."""
    width, height, a = ref
    result = {"ok": True, "max": 0, "pixels": 0, "rows": {}}
    if got[:2] != (width, height):
        return {"ok": False, "max": 255, "pixels": width * height, "rows": {}}
    b = got[2]
    near_edges = []
    at_edges = 0

    def beside_edge():
        near_edges[:] = near_edges or edges(width, height, a)
        return near_edges[n]

    for n in range(width * height):
        p, q = a[4 * n:4 * n + 4], b[4 * n:4 * n + 4]
        if p == q:
            continue
        row = explain(p, q, rows, beside_edge)
        if not row:
            result["pixels"] += 1
        else:
            result["rows"][row[0]] = result["rows"].get(row[0], 0) + 1
        if row and row[1] is None:
            at_edges += 1
        else:
            result["max"] = max(result["max"], pixel_difference(p, q, 0))
    result["ok"] = not result["pixels"] and at_edges * share <= width * height
    return result


def read_scenes(path, more=()):
    """[(name, rows)]"""
    known = read_rows()
    with open(path, encoding="ascii") as f:
        return [(w[0], parse_rows(w[1:] + list(more), known)) for w in (line.split() for line in f)]


def picture(folder, name):
    path = os.path.join(folder, name + ".pam")
    return read_pam(path) if os.path.exists(path) else None


def compare_all(scenes, reference, folders, share=EDGE_SHARE):
    results = []
    for name, rows in scenes:
        ref = picture(reference, name)
        pairs = [(reference, f) for f in folders] + [(folders[0], f) for f in folders[1:]]
        for base, folder in pairs:
            a, b = picture(base, name), picture(folder, name)
            r = {"scene": name, "base": os.path.basename(base),
                 "folder": os.path.basename(folder)}
            if not ref or not a:
                r["skipped"] = "%s has no picture" % os.path.basename(base)
            elif not b and os.path.exists(os.path.join(folder, name + ".skip")):
                with open(os.path.join(folder, name + ".skip"), encoding="utf-8") as f:
                    r["skipped"] = "no " + f.read().strip()
            elif not b:
                r.update({"ok": False, "missing": True})
            else:
                r.update(compare(a, b, rows_of(rows, base, folder), share))
            results.append(r)
    return results


def verdict(r):
    if r.get("missing"):
        return "no picture"
    parts = ["%s explains %d" % row for row in r["rows"].items()]
    if r["pixels"]:
        parts.append("no row explains %d" % r["pixels"])
    return "largest difference %d, pixels: %s" % (r["max"], ", ".join(parts))


def print_json(results):
    print(json.dumps(results, indent=1))


def print_table(results):
    print("%-20s %-12s %-24s %5s %7s  %s" % ("scene", "pictures", "against", "most", "beyond",
                                            "rows"))
    for r in results:
        if "max" in r:
            print("%-20s %-12s %-24s %5d %7d  %s%s" % (
                r["scene"], r["folder"], r["base"], r["max"], r["pixels"],
                " ".join("%s:%d" % row for row in r["rows"].items()),
                "" if r["ok"] else "  DIFFERS"))
    wrong = sum(not r.get("ok", True) for r in results)
    print("%d comparisons, %d differ by more than their rows explain" % (len(results), wrong))


def write_pngs(folders):
    for folder in folders:
        for name in os.listdir(folder):
            if name.endswith(".pam"):
                width, height, data = read_pam(os.path.join(folder, name))
                write_png(os.path.join(folder, name[:-3] + "png"), width, height,
                          b"".join(rgb((width, height, data))))


def print_tap(results):
    print("TAP version 13\n1..%d" % len(results))
    for n, r in enumerate(results, 1):
        name = "%s: %s against %s" % (r["scene"], r["folder"], r["base"])
        if "skipped" in r:
            print("ok %d %s # SKIP %s" % (n, name, r["skipped"]))
            continue
        if not r["ok"] or r["rows"]:
            print("# %s: %s" % (name, verdict(r)))
        print("%s %d %s" % ("ok" if r["ok"] else "not ok", n, name))


def rgb(pic):
    data = pic[2]
    return [data[4 * i:4 * i + 3] for i in range(pic[0] * pic[1])]


def difference(a, b):
    return [bytes(min(255, 16 * abs(x - y)) for x, y in zip(p, q)) for p, q in zip(a, b)]


def write_sheet(path, results, reference, folders):
    bad = {r["scene"] for r in results if not r.get("ok", True)}
    names = list(dict.fromkeys(r["scene"] for r in results if not bad or r["scene"] in bad))
    rows = []
    for name in names:
        ref = picture(reference, name)
        pics = [picture(f, name) for f in folders]
        if not ref or not all(pics):
            continue
        row = [rgb(ref)] + [rgb(p) for p in pics]
        row += [difference(row[0], p) for p in row[1:]]
        rows.append((ref[0], ref[1], row))
    if not rows:
        return
    # about as wide as high
    n = max(1, round((len(rows) / len(rows[0][2])) ** 0.5))
    width, height = rows[0][:2]
    empty = [[b"\0\0\0"] * (width * height)] * len(rows[0][2])
    lines = []
    for i in range(0, len(rows), n):
        cells = [row for _, _, row in rows[i:i + n]]
        cells += [empty] * (n - len(cells))
        for y in range(height):
            lines.append((2 * GAP).join(GAP.join(b"".join(p[width * y:width * (y + 1)])
                                                 for p in row) for row in cells))
        lines.append(GAP * (len(lines[-1]) // 3))
    write_png(path, len(lines[0]) // 3, len(lines), b"".join(lines))


def refuses(word, known):
    try:
        parse_rows([word], known)
    except ValueError:
        return True
    return False


def self_test():
    black = (8, 8, bytes(256))
    half = (8, 8, bytes([0] * 128 + [255] * 128))
    one = bytearray(half[2])
    one[4 * 31] = 255
    off = bytearray(black[2])
    off[0] = 2
    beside = bytearray(half[2])
    beside[4 * 31] = 2
    known = read_rows()

    def differ(a, b, words, share=EDGE_SHARE):
        return compare(a, b, parse_rows(words.split(), known), share)

    def pixel(*colour):
        return (1, 1, bytes(colour))

    grey = pixel(100, 100, 100, 255)
    checks = [
        differ(black, black, "")["ok"],
        not differ(black, half, "varying-slope")["ok"],
        not differ(half, (8, 8, bytes(one)), "")["ok"],
        # one pixel of 64 is too many, though it is beside the edge
        differ(half, (8, 8, bytes(one)), "snapping")["rows"] == {"snapping": 1},
        not differ(half, (8, 8, bytes(one)), "snapping")["ok"],
        differ(half, (8, 8, bytes(one)), "snapping", 64)["ok"],
        not differ(black, (8, 8, bytes(off)), "varying-slope snapping", 64)["ok"],
        differ(black, (8, 8, bytes(off)), "blend-unorm8")["rows"] == {"blend-unorm8": 1},
        not differ(black, (8, 8, bytes(off)), "")["ok"],
        not differ(black, (4, 8, bytes(128)), "snapping")["ok"],
        # a row that counts twice
        differ(black, (8, 8, bytes(off)), "varying-slope*2")["ok"],
        # the first that holds is named, edges last
        differ(half, (8, 8, bytes(beside)), "snapping filter-unorm8*2")["rows"] ==
        {"filter-unorm8*2": 1},
        differ(pixel(8, 243, 247, 255), pixel(16, 243, 239, 255), "store-rgb565-steps")["ok"],
        not differ(pixel(8, 243, 247, 255), pixel(25, 243, 247, 255), "store-rgb565-steps")["ok"],
        differ(pixel(8, 243, 247, 255), pixel(25, 243, 247, 255), "store-rgb565-steps*2")["ok"],
        not differ(pixel(8, 243, 247, 255), pixel(16, 243, 247, 0), "store-rgb5a1-steps*2")["ok"],
        differ(pixel(8, 243, 247, 255), pixel(8, 243, 247, 0), "store-rgb5a1-alpha")["ok"],
        differ(grey, pixel(102, 99, 103, 255), "store-srgb-steps")["ok"],
        not differ(grey, pixel(102, 99, 103, 254), "store-srgb-steps")["ok"],
        differ(grey, pixel(101, 99, 100, 255), "varying-slope")["max"] == 1,
        refuses("no-such-row", known),
        [row[0] for row in rows_of(parse_rows(["mediump*2@mali4,vc4", "snapping@t860"], known),
                                   "pictures/mali450")] == ["mediump*2"],
        len(rows_of(parse_rows(["mediump", "snapping@t860"], known), "t860", "g52")) == 2,
    ]
    for n, ok in enumerate(checks, 1):
        print("%s %d comparison %d" % ("ok" if ok else "not ok", n, n))
    print("1..%d" % len(checks))
    return not all(checks)


def main(args):
    show, png, value = print_tap, False, {}
    while args and args[0].startswith("--"):
        option = args.pop(0)
        if option == "--self-test":
            return self_test()
        if option == "--json":
            show = print_json
        elif option == "--table":
            show = print_table
        elif option == "--png":
            png = True
        elif option in ("--sheet", "--scenes", "--rows", "--edges") and args:
            value[option] = args.pop(0)
        else:
            sys.exit(__doc__)
    if "--scenes" not in value or len(args) < 2:
        sys.exit(__doc__)
    reference, folders = args[0], args[1:]
    try:
        scenes = read_scenes(value["--scenes"], value.get("--rows", "").split())
    except ValueError as e:
        sys.exit("compare.py: %s: %s" % (value["--scenes"], e))
    results = compare_all(scenes, reference, folders, int(value.get("--edges", EDGE_SHARE)))
    show(results)
    if png:
        write_pngs(folders)
    if "--sheet" in value:
        write_sheet(value["--sheet"], results, reference, folders)
    return any(not r.get("ok", True) for r in results)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
