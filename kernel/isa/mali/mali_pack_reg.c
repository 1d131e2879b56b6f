// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Conversion between components and registers.
 */
#include "../../engine/simt/simt_lanes.h"
#include "mali_pack.h"

static bool mali_reg_is_half(u32 fmt)
{
	return fmt == MALI_REG_F16 || fmt == MALI_REG_S16 || fmt == MALI_REG_U16;
}

u32 mali_reg_slots(u32 fmt, u32 comps)
{
	switch (fmt) {
	case MALI_REG_F16:
	case MALI_REG_S16:
	case MALI_REG_U16:
		return (comps + 1) / 2;
	case MALI_REG_F32:
	case MALI_REG_S32:
	case MALI_REG_U32:
	case MALI_REG_AUTO:
		return comps;
	default:
		return 0;
	}
}

/* Is the conversion the identity? */
static bool is_copy(enum px_kind kind, u32 fmt)
{
	if (fmt == MALI_REG_F32)
		return kind == PX_KIND_F32;
	if (fmt == MALI_REG_S32 || fmt == MALI_REG_U32)
		return kind != PX_KIND_F32;
	return fmt == MALI_REG_AUTO;
}

static u32 to_f32(enum px_kind kind, u32 v)
{
	if (kind == PX_KIND_F32)
		return v;
	return kind == PX_KIND_S32 ? px_s32_to_f32(v) : px_u32_to_f32(v);
}

/* Convert one component to a register format; 16-bit ones in the lower half. */
static u32 mali_reg_convert(enum px_kind kind, u32 v, u32 fmt)
{
	switch (fmt) {
	case MALI_REG_F16:
		return px_f32_to_f16(to_f32(kind, v));
	case MALI_REG_F32:
		return to_f32(kind, v);
	case MALI_REG_S32:
	case MALI_REG_S16:
		v = kind == PX_KIND_F32 ? px_f32_to_s32(v) : v;
		break;
	case MALI_REG_U32:
	case MALI_REG_U16:
		v = kind == PX_KIND_F32 ? px_f32_to_u32(v) : v;
		break;
	}
	return mali_reg_is_half(fmt) ? v & 0xffff : v;
}

void mali_to_reg(enum px_kind kind, const u32 v[4], u32 fmt, u32 comps, u32 *out)
{
	u32 i;

	if (is_copy(kind, fmt)) {
		memcpy(out, v, comps * sizeof(*out));
		return;
	}
	if (!mali_reg_is_half(fmt)) {
		for (i = 0; i < comps; i++)
			out[i] = mali_reg_convert(kind, v[i], fmt);
		return;
	}
	for (i = 0; i < comps; i++) {
		if (i & 1)
			out[i / 2] |= mali_reg_convert(kind, v[i], fmt) << 16;
		else
			out[i / 2] = mali_reg_convert(kind, v[i], fmt);
	}
}

static u32 from_half(u32 fmt, u32 h)
{
	switch (fmt) {
	case MALI_REG_F16:
		return vs_f16_to_f32(h);
	case MALI_REG_S16:
		return (u32)(s32)(s16)h;
	default:
		return h & 0xffff;
	}
}

static enum px_kind reg_kind(u32 fmt, enum px_kind automatic)
{
	switch (fmt) {
	case MALI_REG_F16:
	case MALI_REG_F32:
		return PX_KIND_F32;
	case MALI_REG_S16:
	case MALI_REG_S32:
		return PX_KIND_S32;
	case MALI_REG_U16:
	case MALI_REG_U32:
		return PX_KIND_U32;
	default:
		return automatic;
	}
}

void mali_from_reg(u32 fmt, const u32 *in, u32 comps, enum px_kind kind, u32 v[4])
{
	enum px_kind from = reg_kind(fmt, kind);
	u32 i, w;

	if (comps == 4 && is_copy(kind, fmt)) {
		memcpy(v, in, 4 * sizeof(*v));
		return;
	}
	for (i = 0; i < 4; i++)
		v[i] = i == 3 ? px_one(kind) : 0;
	for (i = 0; i < comps && i < 4; i++) {
		w = mali_reg_is_half(fmt) ? from_half(fmt, in[i / 2] >> 16 * (i & 1)) : in[i];
		if (kind == PX_KIND_F32)
			w = to_f32(from, w);
		else if (from == PX_KIND_F32)
			w = kind == PX_KIND_S32 ? px_f32_to_s32(w) : px_f32_to_u32(w);
		v[i] = w;
	}
}

void mali_block_to_reg(enum vs_simd simd, enum px_kind kind, const u32 v[4][SIMT_LANES], u32 fmt,
		       u32 comps, u64 mask, u32 *slot)
{
	u32 l, i, n = mali_reg_slots(fmt, comps), c[4], out[4];

	if (is_copy(kind, fmt)) {
		if (!~mask)
			memcpy(slot, v, comps * SIMT_LANES * sizeof(*slot));
		for (i = 0; i < comps && ~mask; i++)
			simt_put(simd, slot + i * SIMT_LANES, v[i], mask);
		return;
	}
	if (kind == PX_KIND_F32 && fmt == MALI_REG_F16) {
		for (i = 0; i < comps; i += 2)
			simt_to_halves(simd, slot + i / 2 * SIMT_LANES, v[i],
				       i + 1 < comps ? v[i + 1] : NULL, mask);
		return;
	}
	for (; mask; mask &= mask - 1) {
		l = __ffs64(mask);
		for (i = 0; i < comps; i++)
			c[i] = v[i][l];
		mali_to_reg(kind, c, fmt, comps, out);
		for (i = 0; i < n; i++)
			slot[i * SIMT_LANES + l] = out[i];
	}
}

const u32 (*mali_block_from_reg(enum vs_simd simd, u32 fmt, const u32 *slot, u32 comps,
				enum px_kind kind, u64 mask,
				u32 v[4][SIMT_LANES]))[SIMT_LANES]
{
	u32 l, i, n = mali_reg_slots(fmt, comps), in[4], out[4];

	if (comps == 4 && is_copy(kind, fmt))
		return (const u32 (*)[SIMT_LANES])slot;
	if (comps == 4 && kind == PX_KIND_F32 && fmt == MALI_REG_F16) {
		simt_from_halves(simd, v[0], v[1], slot);
		simt_from_halves(simd, v[2], v[3], slot + SIMT_LANES);
		return (const u32 (*)[SIMT_LANES])v;
	}
	for (; mask; mask &= mask - 1) {
		l = __ffs64(mask);
		for (i = 0; i < n; i++)
			in[i] = slot[i * SIMT_LANES + l];
		mali_from_reg(fmt, in, comps, kind, out);
		for (i = 0; i < 4; i++)
			v[i][l] = out[i];
	}
	return (const u32 (*)[SIMT_LANES])v;
}
