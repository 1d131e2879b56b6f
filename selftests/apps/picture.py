#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""What a screenshot of an application shows.

usage: picture.py drawn COLOURS R,G,B FILE
       picture.py window DESKTOP WIDTHxHEIGHT R,G,B MIN,MAX COLOURS any|grey FILE
       picture.py --self-test

drawn: FILE has at least so many colours, and R,G,B in both lower corners. window: FILE differs from DESKTOP in a rectangle of
exactly this size, whose corners have the colour R,G,B; MIN to MAX percent of its pixels have other
colours, at least so many, and with "grey" no others than greys.

The exit status is 1 if it shows something else, which is printed.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../lib"))

import png  # pylint: disable=wrong-import-position


def pixels(path):
    """Rows of (r, g, b)."""
    return [[p[:3] for p in row] for row in png.read(path)[2]]


def colours(rows):
    return {p for row in rows for p in row}


def rectangle(desktop, rows):
    """Left, top, right and bottom of what differs, the latter two exclusive; None: nothing does."""
    changed = [y for y, row in enumerate(rows) if row != desktop[y]]
    if not changed:
        return None
    columns = [x for y in changed for x, p in enumerate(rows[y]) if p != desktop[y][x]]
    return min(columns), changed[0], max(columns) + 1, changed[-1] + 1


def drawn(rows, least, corner):
    """What is wrong, or None."""
    if rows[-1][0] != corner or rows[-1][-1] != corner:
        return "the lower corners are %r and %r" % (rows[-1][0], rows[-1][-1])
    found = len(colours(rows))
    return None if found >= least else "%d colours, expected %d" % (found, least)


def window(desktop, rows, size, background, share, least, grey=False):
    """What is wrong, or None."""
    if (len(rows), len(rows[0])) != (len(desktop), len(desktop[0])):
        return "%d x %d pixels, the desktop has others" % (len(rows[0]), len(rows))
    place = rectangle(desktop, rows)
    if not place:
        return "no window"
    left, top, right, bottom = place
    if (right - left, bottom - top) != size:
        return "the window is %d x %d, expected %d x %d" % (
            (right - left, bottom - top) + size)
    inside = [row[left:right] for row in rows[top:bottom]]
    for corner in (inside[0][0], inside[0][-1], inside[-1][0], inside[-1][-1]):
        if corner != background:
            return "a corner is %r, expected %r" % (corner, background)
    others = [p for row in inside for p in row if p != background]
    percent = 100 * len(others) / (size[0] * size[1])
    if not share[0] <= percent <= share[1]:
        return "%.1f %% are not the background, expected %g to %g" % ((percent,) + share)
    if len(set(others)) < least:
        return "%d colours, expected %d" % (len(set(others)), least)
    bad = [p for p in others if max(p) != min(p)] if grey else []
    return "%r is no grey" % (bad[0],) if bad else None


def self_test():
    wall = [[(x, y, 99) for x in range(20)] for y in range(10)]
    black = (0, 0, 0)

    def shown(left, top, width, height, inside=lambda x, y: black):
        return [[inside(x - left, y - top) if left <= x < left + width and top <= y < top + height
                 else wall[y][x] for x in range(20)] for y in range(10)]

    def model(x, y):
        return (10 * x + y,) * 3 if 2 <= x < 6 and 2 <= y < 5 else black
    good = shown(5, 1, 8, 7, model)
    red = shown(5, 1, 8, 7, lambda x, y: (255, 0, 0) if (x, y) == (3, 3) else model(x, y))
    what = ((8, 7), black, (10, 50), 12)
    checks = [
        drawn(shown(1, 0, 18, 9, lambda x, y: (x, y, 7)), 160, (0, 9, 99)).startswith("the lower"),
        drawn(shown(0, 9, 20, 1), 181, black) is None,
        drawn(shown(0, 0, 20, 10), 2, black) == "1 colours, expected 2",
        window(wall, good, *what, True) is None,
        window(wall, wall, *what) == "no window",
        window(wall, shown(5, 1, 8, 6, model), *what) == "the window is 8 x 6, expected 8 x 7",
        "not the background" in window(wall, shown(5, 1, 8, 7), *what),
        "a corner" in window(wall, shown(5, 1, 8, 7, lambda x, y: (9, 9, 9)), *what),
        "11 colours" in window(wall, shown(5, 1, 8, 7, lambda x, y: black if (x, y) == (2, 2) else
                                           model(x, y)), *what),
        window(wall, red, *what) is None,
        window(wall, red, *what, True) == "(255, 0, 0) is no grey",
        "pixels" in window(wall, good[1:], *what),
    ]
    for n, ok in enumerate(checks, 1):
        print("%s %d picture %d" % ("ok" if ok else "not ok", n, n))
    print("1..%d" % len(checks))
    return 0 if all(checks) else 1


def numbers(text, sep, kind=int):
    return tuple(kind(n) for n in text.split(sep))


def main(args):
    if args == ["--self-test"]:
        return self_test()
    if len(args) == 4 and args[0] == "drawn":
        wrong = drawn(pixels(args[3]), int(args[1]), numbers(args[2], ","))
    elif len(args) == 8 and args[0] == "window":
        wrong = window(pixels(args[1]), pixels(args[7]), numbers(args[2], "x"),
                       numbers(args[3], ","), numbers(args[4], ",", float), int(args[5]),
                       args[6] == "grey")
    else:
        sys.exit(__doc__)
    if wrong:
        print(wrong)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
