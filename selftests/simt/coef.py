#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Coefficients of kernel/engine/simt/simt_num.h and tables of simt_scalar.c.

sin(pi r) = r * p(r^2) for |r| up to 1/2; log2(m) / (m - 1) = r(s^2) / (m + 1) with
s = (m - 1) / (m + 1), m from 3/4 to 3/2. Interpolated at Chebyshev nodes in 60-digit
arithmetic. Coefficients are printed lowest first as binary64 patterns, with the largest
relative error of the rounded polynomials evaluated exactly; tables as binary32 patterns.
"""
import struct
from decimal import Decimal as D, getcontext

getcontext().prec = 60
LN2 = D(2).ln()
PI = D("3.14159265358979323846264338327950288419716939937510582097494459")
TINY = D(10) ** -55


def sine(x):
    term, total, n = x, x, 1
    while abs(term) > TINY:
        n += 2
        term *= -x * x / (n * (n - 1))
        total += term
    return total


def sine_by(z):
    """sin(pi sqrt z) / sqrt z"""
    term, total, k = PI, PI, 0
    while abs(term) > TINY:
        k += 1
        term *= -PI * PI * z / (2 * k * (2 * k + 1))
        total += term
    return total


def log_by(z):
    """2 / ln 2 * artanh(sqrt z) / sqrt z"""
    term, total, k = D(1), D(1), 0
    while abs(term) > TINY:
        k += 1
        term *= z
        total += term / (2 * k + 1)
    return 2 / LN2 * total


def interpolate(fn, hi, degree):
    n = degree + 1
    nodes = [hi / 2 * (1 + sine(PI / 2 - PI * (2 * i + 1) / (2 * n))) for i in range(n)]
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


def show(name, fn, hi, degree):
    poly = interpolate(fn, hi, degree)
    err = max(abs(evaluate(poly, hi * i / 500) / fn(hi * i / 500) - 1) for i in range(501))
    print(name)
    for c in poly:
        print("\t0x%016xULL,\t/* %.17g */" % (struct.unpack("<Q", struct.pack("<d", c))[0], c))
    print("largest relative error %.3g" % err)


def single(x):
    """pattern of the nearest binary32, for normal numbers"""
    if not x:
        return 0
    a, e = abs(x), 0
    while a >= 2:
        a, e = a / 2, e + 1
    while a < 1:
        a, e = a * 2, e - 1
    n = int((a * 2 ** 23).to_integral_value(rounding="ROUND_HALF_EVEN"))
    return (0x80000000 if x < 0 else 0) | (((e + 127) << 23) + n - 2 ** 23)


def nearest_5_bits(x):
    unit = D(1) / 32 if x < 1 else D(1) / 16
    return (x / unit).to_integral_value(rounding="ROUND_HALF_EVEN") * unit


def table(name, values):
    print(name)
    print("\t" + " ".join("0x%08x," % v for v in values))


show("sine", sine_by, D("0.2500001"), 9)
show("log", log_by, D("0.04"), 8)
table("2^(i / 16)", [single((LN2 * i / 16).exp()) for i in range(16)])
table("sin(i pi / 32)", [single(sine(PI * i / 32)) if i else 0 for i in range(17)])
mid = [(D(16 + i) + D(1) / 2) / 16 for i in range(16)]
rcp = [nearest_5_bits(1 / (m if m < 1.5 else m / 2)) for m in mid]
# -log(1) is -0
table("1 / m", [single(r) for r in rcp])
table("-log2", [single(-r.ln() / LN2) or 0x80000000 for r in rcp])
table("-ln", [single(-r.ln()) or 0x80000000 for r in rcp])
