#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Coefficients of EX2 and LG2 in kernel/engine/exec_num.h.

2^f = 1 + f * q(f) on [-1/2, 1/2]; log2(m) = s * r(s^2), s = (m - 1) / (m + 1), for m
between sqrt(1/2) and sqrt(2). q and r interpolate at Chebyshev nodes, in 60-digit
arithmetic. Prints the coefficients, lowest first, as binary64 patterns, and the largest
relative error of the rounded polynomials evaluated exactly.
"""
import struct
from decimal import Decimal as D, getcontext

getcontext().prec = 60
LN2 = D(2).ln()
PI = D("3.14159265358979323846264338327950288419716939937510582097494459")


def cos(x):
    term, total, n = D(1), D(1), 0
    while abs(term) > D(10) ** -55:
        n += 2
        term *= -x * x / (n * (n - 1))
        total += term
    return total


def exp2(f):
    return (f * LN2).exp()


def q(f):
    """(2^f - 1) / f by its series"""
    term, total, k = LN2, LN2, 1
    while abs(term) > D(10) ** -55 and k < 60:
        k += 1
        term *= LN2 * f / k
        total += term
    return total


def r(z):
    """2 / ln 2 * artanh(sqrt z) / sqrt z"""
    term, total, k = D(1), D(1), 0
    while term > D(10) ** -55:
        k += 1
        term *= z
        total += term / (2 * k + 1)
    return 2 / LN2 * total


def interpolate(fn, lo, hi, degree):
    n = degree + 1
    nodes = [(lo + hi) / 2 + (hi - lo) / 2 * cos(PI * (2 * i + 1) / (2 * n)) for i in range(n)]
    div = [fn(x) for x in nodes]
    for k in range(1, n):
        for i in range(n - 1, k - 1, -1):
            div[i] = (div[i] - div[i - 1]) / (nodes[i] - nodes[i - k])
    poly = [D(0)] * n
    for i in range(n - 1, -1, -1):
        poly = [(poly[j - 1] if j else D(0)) - nodes[i] * poly[j] for j in range(n)]
        poly[0] += div[i]
    return [float(c) for c in poly]


def evaluate(poly, x):
    total = D(0)
    for c in reversed(poly):
        total = total * x + D(c)
    return total


def show(name, poly):
    print(name)
    for c in poly:
        print("\t0x%016xULL,\t/* %.17g */" % (struct.unpack("<Q", struct.pack("<d", c))[0], c))


half = D(1) / 2
ex2 = interpolate(q, -half, half, 10)
show("ex2", ex2)
err = max(abs((1 + x * evaluate(ex2, x)) / exp2(x) - 1)
          for x in (half * i / 500 for i in range(-500, 501)))
print("largest relative error %.3g" % err)

limit = ((D(2).sqrt() - 1) / (D(2).sqrt() + 1)) ** 2
lg2 = interpolate(r, D(0), limit, 8)
show("lg2", lg2)
err = max(abs(evaluate(lg2, z) / r(z) - 1) for z in (limit * i / 500 for i in range(501)))
print("largest relative error %.3g" % err)
