#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Makes ops.h: operands and results of Midgard's ALU operations, by exact arithmetic.

usage: gen_ops.py >ops.h
"""
import random
from fractions import Fraction

FORMATS = {16: (5, 10), 32: (8, 23), 64: (11, 52)}
RTE, RTZ, RTN, RTP, RNA = range(5)


def whole(x, how):
    """A fraction as an integer."""
    low = x.numerator // x.denominator
    rest = x - low
    if not rest:
        return low
    if how == RTN:
        return low
    if how == RTP:
        return low + 1
    if how == RTZ:
        return low + (x < 0)
    if rest != Fraction(1, 2):
        return low + (rest > Fraction(1, 2))
    if how == RNA:
        return low + (x > 0)
    return low + (low & 1)


class Float:
    """sign, and a Fraction or 'inf' or 'nan'"""

    def __init__(self, sign, value):
        self.sign = sign
        self.value = value

    @staticmethod
    def decode(raw, bits):
        ebits, mbits = FORMATS[bits]
        sign, e, m = raw >> (bits - 1), raw >> mbits & (1 << ebits) - 1, raw & (1 << mbits) - 1
        bias = (1 << ebits - 1) - 1
        if e == (1 << ebits) - 1:
            return Float(sign, 'nan' if m else 'inf')
        if e:
            m += 1 << mbits
        else:
            e = 1
        return Float(sign, (-1) ** sign * Fraction(m) * Fraction(2) ** (e - bias - mbits))

    def encode(self, bits, how=RTE):
        ebits, mbits = FORMATS[bits]
        bias = (1 << ebits - 1) - 1
        top = (1 << ebits) - 1
        s = self.sign << bits - 1
        if self.value == 'nan':
            return top << mbits | 1 << mbits - 1
        if self.value == 'inf':
            return s | top << mbits
        if not self.value:
            return s
        x = abs(self.value)
        if self.sign and how in (RTN, RTP):
            how = RTN + RTP - how
        e = x.numerator.bit_length() - x.denominator.bit_length()
        if Fraction(2) ** e > x:
            e -= 1
        e = max(e, 1 - bias)
        m = whole(x / Fraction(2) ** (e - mbits), how)
        if m >> mbits + 1:
            m >>= 1
            e += 1
        if e > bias:
            return s | (top << mbits if how in (RTE, RNA, RTP) else (top << mbits) - 1)
        if not m >> mbits:
            return s | m
        return s | e + bias << mbits | m & (1 << mbits) - 1

    def num(self):
        return self.value not in ('nan', 'inf')


def nan():
    return Float(0, 'nan')


def add(a, b, how):
    if 'nan' in (a.value, b.value):
        return nan()
    if a.value == 'inf' or b.value == 'inf':
        if a.value == b.value and a.sign != b.sign:
            return nan()
        return a if a.value == 'inf' else b
    x = a.value + b.value
    if x:
        return Float(x < 0, x)
    if not a.value and not b.value and a.sign == b.sign:
        return Float(a.sign, x)
    return Float(how == RTN, x)


def mul(a, b):
    sign = a.sign ^ b.sign
    if 'nan' in (a.value, b.value):
        return nan()
    if 'inf' in (a.value, b.value):
        return nan() if 0 in (a.value, b.value) else Float(sign, 'inf')
    return Float(sign, a.value * b.value)


def less(a, b):
    """None: not ordered"""
    if 'nan' in (a.value, b.value):
        return None
    key = [(-1) ** f.sign * 10 ** 400 if f.value == 'inf' else f.value for f in (a, b)]
    return key[0] < key[1]


def equal(a, b):
    if 'nan' in (a.value, b.value):
        return False
    return not less(a, b) and not less(b, a)


def minmax(ra, rb, bits, is_max, prop):
    a, b = Float.decode(ra, bits), Float.decode(rb, bits)
    if 'nan' in (a.value, b.value):
        if prop or a.value == b.value:
            return nan().encode(bits)
        return rb if a.value == 'nan' else ra
    if equal(a, b):
        return (rb if a.sign else ra) if is_max else (ra if a.sign else rb)
    return ra if less(a, b) != is_max else rb


def signed(v, bits):
    return v - (v >> bits - 1 << bits)


def clamp(v, bits, is_signed):
    lo, hi = (-(1 << bits - 1), (1 << bits - 1) - 1) if is_signed else (0, (1 << bits) - 1)
    return min(max(v, lo), hi)


def to_int(raw, bits, is_signed, how):
    f = Float.decode(raw, bits)
    if f.value == 'nan':
        return 0
    if f.value == 'inf':
        v = (-1) ** f.sign * (1 << 80)
    else:
        v = whole(f.value, how)
    return clamp(v, bits, is_signed)


def compare_int(op, a, b, bits):
    sa, sb = signed(a, bits), signed(b, bits)
    return [a == b, a != b, a < b, a <= b, sa < sb, sa <= sb][op]


def compare_float(op, a, b):
    return [equal(a, b), not equal(a, b), bool(less(a, b)),
            bool(less(a, b)) or equal(a, b)][op]


def result(op, bits, a, b):
    sa, sb = signed(a, bits), signed(b, bits)
    every = (1 << bits) - 1
    n = b % bits
    ints = {
        0x40: lambda: a + b, 0x41: lambda: 2 * a + b, 0x46: lambda: a - b,
        0x47: lambda: 2 * a - b, 0x48: lambda: clamp(sa + sb, bits, True),
        0x49: lambda: clamp(a + b, bits, False), 0x4e: lambda: clamp(sa - sb, bits, True),
        0x4f: lambda: clamp(a - b, bits, False), 0x58: lambda: a * b,
        0x60: lambda: min(sa, sb), 0x61: lambda: min(a, b), 0x62: lambda: max(sa, sb),
        0x63: lambda: max(a, b), 0x64: lambda: (sa + sb) // 2, 0x65: lambda: (a + b) // 2,
        0x66: lambda: (sa + sb + 1) // 2, 0x67: lambda: (a + b + 1) // 2,
        0x68: lambda: sa >> n, 0x69: lambda: a >> n,
        0x6c: lambda: clamp(sa << n, bits, True), 0x6d: lambda: clamp(a << n, bits, False),
        0x6e: lambda: a << n, 0x70: lambda: a & b, 0x71: lambda: a | b,
        0x72: lambda: ~(a & b), 0x73: lambda: ~(a | b), 0x74: lambda: a & ~b,
        0x75: lambda: a | ~b, 0x76: lambda: a ^ b, 0x77: lambda: ~(a ^ b),
        0x78: lambda: bits - a.bit_length(), 0x7a: lambda: bin(a).count('1'),
        0x7b: lambda: b, 0x7c: lambda: abs(sa - sb), 0x7d: lambda: abs(a - b),
    }
    if op in ints:
        return ints[op]() & every
    if 0xa0 <= op <= 0xa5:
        return every if compare_int(op - 0xa0, a, b, bits) else 0
    if 0xb8 <= op <= 0xbf:
        v = sa if op < 0xbc else a
        return Float(v < 0, Fraction(v)).encode(bits, op & 3)
    fa, fb = Float.decode(a, bits), Float.decode(b, bits)
    if 0x10 <= op <= 0x13:
        return add(fa, fb, op & 3).encode(bits, op & 3)
    if 0x14 <= op <= 0x17:
        return mul(fa, fb).encode(bits, op & 3)
    if 0x28 <= op <= 0x2f:
        if op & 2:
            a, b = a & every >> 1, b & every >> 1
        return minmax(a, b, bits, bool(op & 4), bool(op & 1))
    if 0x30 <= op <= 0x33:
        return b
    if 0x34 <= op <= 0x37 or op == 0xc6:
        if not fa.num():
            return fa.encode(bits)
        how = RNA if op == 0xc6 else op & 3
        return Float(fa.sign, Fraction(whole(fa.value, how))).encode(bits)
    if 0x80 <= op <= 0x83:
        return every if compare_float(op & 3, fa, fb) else 0
    if 0x98 <= op <= 0x9f:
        return to_int(a, bits, op < 0x9c, op & 3) & every
    raise KeyError(op)


INT2 = [0x40, 0x41, 0x46, 0x47, 0x48, 0x49, 0x4e, 0x4f, 0x58, 0x60, 0x61, 0x62, 0x63, 0x64, 0x65,
        0x66, 0x67, 0x70, 0x71, 0x72, 0x73, 0x74, 0x75, 0x76, 0x77, 0x7b, 0x7c, 0x7d, 0xa0, 0xa1,
        0xa2, 0xa3, 0xa4, 0xa5]
SHIFTS = [0x68, 0x69, 0x6c, 0x6d, 0x6e]
INT1 = [0x78, 0x7a]
FLOAT2 = [0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17] + list(range(0x28, 0x34)) + \
    [0x80, 0x81, 0x82, 0x83]
FLOAT1 = [0x34, 0x35, 0x36, 0x37, 0xc6] + list(range(0x98, 0xa0))
FROM_INT = list(range(0xb8, 0xc0))


def int_values(rng, bits):
    top = 1 << bits - 1
    return rng.choice([0, 1, top, top - 1, 2 * top - 1, rng.getrandbits(bits),
                       rng.getrandbits(bits), rng.getrandbits(bits // 2)])


def float_values(rng, bits):
    ebits, mbits = FORMATS[bits]
    bias = (1 << ebits - 1) - 1
    sign = rng.getrandbits(1) << bits - 1
    e = bias + rng.randint(-4, 12)
    kind = rng.randint(0, 11)
    if kind == 0:
        return sign
    if kind == 1:
        return sign | ((1 << ebits) - 1) << mbits
    if kind == 2:
        return sign | ((1 << ebits) - 1) << mbits | 1 << mbits - 1
    if kind == 3:
        return sign | rng.getrandbits(mbits)
    if kind == 4:
        return sign | (1 << ebits) - 2 << mbits | rng.getrandbits(mbits)
    if kind == 5:
        # halves and whole numbers
        return Float(sign >> bits - 1, Fraction(rng.randint(1, 99), 2) *
                     (-1) ** (sign >> bits - 1)).encode(bits)
    return sign | e << mbits | rng.getrandbits(mbits)


def main():
    rng = random.Random(750860)
    print('/* SPDX-License-Identifier: GPL-2.0 */')
    print('/* Made by gen_ops.py: operation, bits, two operands, result. */')
    for ops, values, sizes, n in ((INT2, int_values, (8, 16, 32, 64), 2),
                                  (SHIFTS, int_values, (8, 16, 32, 64), 3),
                                  (INT1, int_values, (8, 16, 32, 64), 2),
                                  (FLOAT2, float_values, (16, 32, 64), 4),
                                  (FLOAT1, float_values, (16, 32, 64), 4),
                                  (FROM_INT, int_values, (16, 32, 64), 3)):
        for op in ops:
            for bits in sizes:
                for _ in range(n):
                    a, b = values(rng, bits), values(rng, bits)
                    if ops is SHIFTS:
                        b = rng.getrandbits(bits) % (2 * bits) if rng.randint(0, 1) else b
                    print(f'{{ 0x{op:02x}, {bits}, 0x{a:x}, 0x{b:x}, '
                          f'0x{result(op, bits, a, b):x} }},')


if __name__ == '__main__':
    main()
