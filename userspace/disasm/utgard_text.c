// SPDX-License-Identifier: MIT
/*
 * Text that both Utgard processors write.
 */
#include "utgard_disasm.h"

void ut_put_mask(struct vs_text *t, u32 mask)
{
	u32 i;

	if (mask == 15)
		return;
	vs_put(t, ".");
	for (i = 0; i < 4; i++)
		if (mask >> i & 1)
			vs_put(t, "%c", "xyzw"[i]);
}

void ut_put_swizzle(struct vs_text *t, u32 swizzle)
{
	if (swizzle == 0xe4)
		return;
	vs_put(t, ".%c%c%c%c", "xyzw"[swizzle & 3], "xyzw"[swizzle >> 2 & 3],
	       "xyzw"[swizzle >> 4 & 3], "xyzw"[swizzle >> 6 & 3]);
}

void ut_put_half(struct vs_text *t, u32 half)
{
	u32 exponent = half >> 10 & 31, mantissa = half & 0x3ff, digits;
	u64 value;	/* in units of 2^-24 */

	if (exponent == 31 && mantissa) {
		vs_put(t, "0x%04x", half & 0xffff);
		return;
	}
	vs_put(t, half & 0x8000 ? "-" : "");
	if (exponent == 31) {
		vs_put(t, "inf");
		return;
	}
	value = exponent ? (u64)(mantissa | 0x400) << (exponent - 1) : mantissa;
	vs_put(t, "%u.", (u32)(value >> 24));
	value &= 0xffffff;
	for (digits = 0; digits < 6 || value; digits++) {
		value *= 10;
		vs_put(t, "%u", (u32)(value >> 24));
		value &= 0xffffff;
	}
}

int ut_one_line(struct vs_text *t)
{
	size_t i, n = t->len;

	if (!t->buf || !t->size)
		return (int)n;
	n = min(n, t->size - 1);
	while (n && t->buf[n - 1] == '\n')
		t->buf[--n] = '\0';
	for (i = 0; i < n; i++) {
		if (t->buf[i] == '\n')
			t->buf[i] = ';';
		else if (t->buf[i] == '\t')
			t->buf[i] = ' ';
	}
	return (int)n;
}
