#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Compare folders of pictures that gles has written with those of a reference; TAP.

usage: compare.py [--json|--table] [--sheet FILE.png] [--png] [--least N] [--edges N]
                  --scenes LIST
                  REFERENCE FOLDER...
       compare.py --self-test

LIST is the output of "gles --list": a scene's name, the largest difference of a component, and
whether differences are allowed beside edges: within a pixel of one in the reference, in at most
one pixel in a hundred. Every further folder is also compared with the first FOLDER. A scene that
the reference has not is skipped. --least allows a difference in any scene: of chips whose
fragments have binary16. --edges allows differences beside edges in any scene, in one pixel of N: of
chips whose vertices are at 1/16 pixel. --png writes each picture beside itself as PNG. The sheet
has a row for each scene that differs, or for all if none does: the reference, each folder's
picture, and the differences, exaggerated.
"""

import json
import os
import struct
import sys
import zlib

EDGE = 24	# difference of neighbours that makes an edge
GAP = b"\x40\x40\x40"	# pixel between pictures
EDGE_SHARE = 100	# one pixel of so many may differ beside edges, unless --edges says another


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


def compare(ref, got, tolerance, share):
    """{max, pixels, edge_pixels, ok}: largest difference away from edges, pixels beyond the
    tolerance there and beside edges, where one of @share may differ; 0: none."""
    width, height, a = ref
    if got[:2] != (width, height):
        return {"ok": False, "max": 255, "pixels": width * height, "edge_pixels": 0}
    b = got[2]
    wrong = [(n, pixel_difference(a, b, 4 * n)) for n in range(width * height)
             if a[4 * n:4 * n + 4] != b[4 * n:4 * n + 4]]
    beyond = [n for n, d in wrong if d > tolerance]
    near = edges(width, height, a) if beyond and share else None
    beside = [n for n in beyond if near and near[n]]
    skip = set(beside)
    return {
        "max": max([d for n, d in wrong if n not in skip], default=0),
        "pixels": len(beyond) - len(beside),
        "edge_pixels": len(beside),
        "ok": len(beyond) == len(beside) and len(beside) * share <= width * height,
    }


def read_scenes(path):
    with open(path) as f:
        return [(w[0], int(w[1]), EDGE_SHARE if w[2] == "1" else 0) for w in (line.split() for line in f)]


def picture(folder, name):
    path = os.path.join(folder, name + ".pam")
    return read_pam(path) if os.path.exists(path) else None


def compare_all(scenes, reference, folders):
    results = []
    for name, tolerance, share in scenes:
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
                # two of ours differ by rounding only
                r.update(compare(a, b, tolerance if base == reference else max(tolerance, 1),
                                 share))
            results.append(r)
    return results


def verdict(r):
    if r.get("missing"):
        return "no picture"
    return "largest difference %d; %d pixels, %d beside edges" % (
        r["max"], r["pixels"], r["edge_pixels"])


def print_json(results):
    print(json.dumps(results, indent=1))


def print_table(results):
    print("%-20s %-12s %-24s %5s %7s %6s" % ("scene", "pictures", "against", "most", "beyond",
                                             "edges"))
    for r in results:
        if "max" in r:
            print("%-20s %-12s %-24s %5d %7d %6d%s" % (
                r["scene"], r["folder"], r["base"], r["max"], r["pixels"], r["edge_pixels"],
                "" if r["ok"] else "  DIFFERS"))
    wrong = sum(not r.get("ok", True) for r in results)
    print("%d comparisons, %d differ by more than they may" % (len(results), wrong))


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
        if not r["ok"] or r["max"]:
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


def self_test():
    black = (8, 8, bytes(256))
    half = (8, 8, bytes([0] * 128 + [255] * 128))
    one = bytearray(half[2])
    one[4 * 31] = 255
    off = bytearray(black[2])
    off[0] = 2
    checks = [
        compare(black, black, 0, 0)["ok"],
        not compare(black, half, 1, EDGE_SHARE)["ok"],
        not compare(half, (8, 8, bytes(one)), 0, 0)["ok"],
        # one pixel of 64 is too many, though it is beside the edge
        compare(half, (8, 8, bytes(one)), 0, EDGE_SHARE)["edge_pixels"] == 1,
        not compare(half, (8, 8, bytes(one)), 0, EDGE_SHARE)["ok"],
        compare(half, (8, 8, bytes(one)), 0, 64)["ok"],
        not compare(black, (8, 8, bytes(off)), 1, EDGE_SHARE)["ok"],
        compare(black, (8, 8, bytes(off)), 2, EDGE_SHARE)["ok"],
        not compare(black, (4, 8, bytes(128)), 255, EDGE_SHARE)["ok"],
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
        elif option in ("--sheet", "--scenes", "--least", "--edges") and args:
            value[option] = args.pop(0)
        else:
            sys.exit(__doc__)
    if "--scenes" not in value or len(args) < 2:
        sys.exit(__doc__)
    reference, folders = args[0], args[1:]
    least = int(value.get("--least", 0))
    edges_share = int(value.get("--edges", 0))
    scenes = [(name, max(tolerance, least), edges_share or share)
              for name, tolerance, share in read_scenes(value["--scenes"])]
    results = compare_all(scenes, reference, folders)
    show(results)
    if png:
        write_pngs(folders)
    if "--sheet" in value:
        write_sheet(value["--sheet"], results, reference, folders)
    return any(not r.get("ok", True) for r in results)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
