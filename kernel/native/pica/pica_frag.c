// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * PICA200 pictures: from the registers at a draw to its state.
 */
#include "../../isa/pica/pica_float.h"
#include "../../isa/pica/pica_launch.h"
#include "pica_paint.h"

/* Weight of a fragment's parts; a unit is some 15 ns. */
#define WEIGHT_PIXEL	12
#define WEIGHT_TEXTURE	8
#define WEIGHT_PROCTEX	40
#define WEIGHT_LIGHT	128	/* of a fragment; of all of a block */
#define WEIGHT_STAGES	100	/* of a block: combiners */

/* Bits of a texel by format. */
static const u8 texel_bits[16] = { 32, 24, 16, 16, 16, 16, 16, 8, 8, 8, 4, 4, 4, 8 };

/**
 * pica_paints - does a draw with these registers change a picture?
 * @r: registers
 *
 * Return: the frame has a width, and colour, depth or stencil is written.
 */
bool pica_paints(const u32 *r)
{
	return r[PICA_REG_FRAME_SIZE] & 0x7ff &&
	       (r[PICA_REG_COLOUR_WRITE] & 0xf || r[PICA_REG_DEPTH_WRITE] & 3);
}

static void decode_levels(struct pica_texunit *t, u32 dims)
{
	u32 i, w, h, at = 0;

	for (i = 0; i < PICA_MAX_LEVELS; i++) {
		w = max_t(u32, (dims >> 16 & 0x7ff) >> i, 8);
		h = max_t(u32, (dims & 0x7ff) >> i, 8);
		t->size[i][0] = w;
		t->size[i][1] = h;
		t->fsize[i][0] = pf_int((s32)w);
		t->fsize[i][1] = pf_int((s32)h);
		t->offset[i] = at;
		at += w * h * texel_bits[t->format] / 8;
	}
}

/* Faces share the upper bits of the first one's address. */
static void decode_faces(struct pica_texunit *t, const u32 *r)
{
	u32 first = r[PICA_REG_TEX0 + 4] & 0x0fffffff, i;

	for (i = 0; i < 5; i++)
		t->addr[1 + i] = (u64)((first & ~0x3fffffU) |
				       (r[PICA_REG_TEX0_FACES + i] & 0x3fffff)) << 3;
}

static void decode_unit(struct pica_texunit *t, const u32 *r, u32 base, u32 format)
{
	u32 params = r[base + 2], lod = r[base + 3], i;

	t->format = format & 0xf;
	for (i = 0; i < 4; i++)
		t->border[i] = r[base] >> (8 * i);
	t->mag = params >> 1 & 1;
	t->min = params >> 2 & 1;
	t->mip = params >> 24 & 1;
	t->wrap[1] = params >> 8 & 7;
	t->wrap[0] = params >> 12 & 7;
	t->bias = pica_signed(lod, 0, 13);
	t->lod[1] = 256 * min_t(u32, lod >> 16 & 0xf, PICA_MAX_LEVELS - 1);
	t->lod[0] = min_t(s32, 256 * (lod >> 24 & 0xf), t->lod[1]);
	t->addr[0] = (u64)(r[base + 4] & 0x0fffffff) << 3;
	decode_levels(t, r[base + 1]);
	if (!(r[base + 1] & 0x7ff) || !(r[base + 1] >> 16 & 0x7ff))
		t->on = false;
}

static void decode_textures(struct pica_frag *f)
{
	u32 cfg = f->r[PICA_REG_TEX_CONFIG], i;

	for (i = 0; i < PICA_NUM_UNITS; i++)
		f->unit[i].on = cfg >> i & 1;
	decode_unit(&f->unit[0], f->r, PICA_REG_TEX0, f->r[PICA_REG_TEX0_FORMAT]);
	decode_unit(&f->unit[1], f->r, PICA_REG_TEX1, f->r[PICA_REG_TEX1 + 5]);
	decode_unit(&f->unit[2], f->r, PICA_REG_TEX2, f->r[PICA_REG_TEX2 + 5]);
	f->unit[0].coord = PICA_V_TC0;
	f->unit[1].coord = PICA_V_TC1;
	f->unit[2].coord = cfg >> 13 & 1 ? PICA_V_TC1 : PICA_V_TC2;
	f->unit[0].type = f->r[PICA_REG_TEX0 + 2] >> 28 & 7;
	f->unit[0].shadow = f->r[PICA_REG_TEX0_SHADOW];
	if (f->unit[0].type >= PICA_TEX_OFF)
		f->unit[0].on = false;
	decode_faces(&f->unit[0], f->r);
}

/* Words of a vertex that fragments need. */
static u32 needed_words(const struct pica_frag *f)
{
	u32 words = 0xfU << PICA_V_COLOUR, i;

	for (i = 0; i < PICA_NUM_UNITS; i++) {
		if (f->unit[i].on)
			words |= 3U << f->unit[i].coord;
	}
	if (f->unit[0].on && f->unit[0].type != PICA_TEX_2D)
		words |= 1U << PICA_V_TC0W;
	if (f->r[PICA_REG_TEX_CONFIG] >> 10 & 1)
		words |= 3U << PICA_V_TC0 | 3U << PICA_V_TC1 | 3U << PICA_V_TC2;
	if (f->lit)
		words |= 0xfU << PICA_V_QUAT | 7U << PICA_V_VIEW;
	return words;
}

/* The scissor's corners, y upwards, inclusive. */
static void decode_scissor(struct pica_frag *f)
{
	u32 first = f->r[PICA_REG_SCISSOR_FIRST], last = f->r[PICA_REG_SCISSOR_LAST];
	u32 mode = f->r[PICA_REG_SCISSOR] & 3;
	s32 h = (s32)f->height;
	s32 *box = f->box;

	f->rs.scissor[2] = f->width - 1;
	f->rs.scissor[3] = f->height - 1;
	box[0] = first & 0x3ff;
	box[1] = h - 1 - (s32)(last >> 16 & 0x3ff);
	box[2] = last & 0x3ff;
	box[3] = h - 1 - (s32)(first >> 16 & 0x3ff);
	f->exclude = mode == 1;
	if (mode != 3)
		return;
	if (box[0] > box[2] || box[1] > box[3] || box[3] < 0 || box[0] >= (s32)f->width) {
		/* empty */
		f->rs.scissor[0] = 1;
		f->rs.scissor[2] = 0;
		return;
	}
	f->rs.scissor[0] = box[0];
	f->rs.scissor[1] = max(box[1], 0);
	f->rs.scissor[2] = min_t(s32, box[2], (s32)f->width - 1);
	f->rs.scissor[3] = box[3];
}

static void decode_raster(struct pica_frag *f)
{
	u32 at = f->r[PICA_REG_VIEWPORT_XY], cull = f->r[PICA_REG_CULL] & 3, i;

	f->width = f->r[PICA_REG_FRAME_SIZE] & 0x7ff;
	f->height = (f->r[PICA_REG_FRAME_SIZE] >> 12 & 0x3ff) + 1;
	f->block = f->r[PICA_REG_BLOCK32] & 1 ? 5 : 3;
	f->half[0] = pica_f24_to_f32(f->r[PICA_REG_VIEWPORT_W] & 0xffffff);
	f->half[1] = pica_f24_to_f32(f->r[PICA_REG_VIEWPORT_H] & 0xffffff);
	f->corner[0] = pica_signed(at, 0, 10);
	f->corner[1] = pica_signed(at, 16, 10);
	for (i = 0; i < 4; i++)
		f->plane[i] = pica_f24_to_f32(f->r[PICA_REG_CLIP_COEF + i] & 0xffffff);
	f->depth[0] = pica_f24_to_f32(f->r[PICA_REG_DEPTH_SCALE] & 0xffffff);
	f->depth[1] = pica_f24_to_f32(f->r[PICA_REG_DEPTH_OFFSET] & 0xffffff);
	f->w_buffer = !(f->r[PICA_REG_DEPTH_MODE] & 1);
	f->rs = (struct vr_state){ .flags = VR_FRONT_CCW, .samples = 1, .sample_mask = 1,
				   .width = f->width, .height = f->height };
	if (cull == 1)
		f->rs.flags |= VR_CULL_FRONT;
	else if (cull == 2)
		f->rs.flags |= VR_CULL_BACK;
	decode_scissor(f);
}

static void decode_output(struct pica_frag *f)
{
	static const u8 cbytes[8] = { 4, 3, 2, 2, 2, 4, 4, 4 };
	static const u8 zbits[4] = { 16, 24, 24, 24 }, zbytes[4] = { 2, 3, 3, 4 };
	u32 op = f->r[PICA_REG_COLOUR_OP], zfmt = f->r[PICA_REG_DEPTH_FORMAT] & 3;
	u32 mask = f->r[PICA_REG_DEPTH_COLOUR_MASK];

	f->mode = op & 3;
	f->colour = (u64)(f->r[PICA_REG_COLOUR_ADDR] & 0x0fffffff) << 3;
	f->zs = (u64)(f->r[PICA_REG_DEPTH_ADDR] & 0x0fffffff) << 3;
	f->cformat = f->r[PICA_REG_COLOUR_FORMAT] >> 16 & 7;
	f->cbytes = cbytes[f->cformat];
	f->zbits = zbits[zfmt];
	f->zbytes = zbytes[zfmt];
	f->cmask = f->r[PICA_REG_COLOUR_WRITE] & 0xf ? mask >> 8 & 0xf : 0;
	/* copies of all components need nothing from the buffer */
	f->reads = op >> 8 & 1 || (f->r[PICA_REG_LOGIC_OP] & 0xf) != 3 || f->cmask != 0xf;
}

/* Texels that are read, twice for blocks of them. */
static u32 unit_weight(const struct pica_texunit *t)
{
	u32 weight = WEIGHT_TEXTURE;

	if (!t->on)
		return 0;
	if (t->mag || t->min)
		weight *= 2;
	if (t->mip && t->lod[1])
		weight *= 2;
	return t->format >= 12 ? 2 * weight : weight;
}

/**
 * pica_frag_decode - prepare the state of a draw
 * @f: state, zeros but for @model, @switches and @luts
 * @regs: registers
 */
void pica_frag_decode(struct pica_frag *f, const u32 *regs)
{
	u32 i, lights;

	memcpy(f->r, regs, sizeof(f->r));
	f->lit = f->r[PICA_REG_LIGHTING] & 1 && !(f->r[PICA_REG_LIGHT_OFF] & 1);
	decode_raster(f);
	decode_textures(f);
	decode_output(f);
	f->words = needed_words(f);
	f->weight = WEIGHT_PIXEL;
	f->block_weight = WEIGHT_STAGES;
	for (i = 0; i < PICA_NUM_UNITS; i++)
		f->source_weight += unit_weight(&f->unit[i]);
	if (f->r[PICA_REG_TEX_CONFIG] >> 10 & 1)
		f->source_weight += WEIGHT_PROCTEX;
	if (f->lit) {
		lights = WEIGHT_LIGHT * (1 + (f->r[PICA_REG_NUM_LIGHTS] & 7));
		f->weight += lights;
		f->block_weight += lights;
	}
}

s64 pica_fix(u32 f, s32 shift)
{
	u32 mag = f & 0x7fffffff, man = (mag & 0x7fffff) | 0x800000;
	s32 e = (s32)(mag >> 23) - 150 + shift;
	bool neg = f >> 31;
	s64 v;

	if (mag > 0x7f800000 || mag < 0x800000)
		return 0;
	if (e > 16)
		v = 1LL << 40;
	else if (e >= 0)
		v = (s64)man << e;
	else if (e > -25)
		v = (man + (neg ? (1U << -e) - 1 : 0)) >> -e;
	else
		v = neg;
	return neg ? -v : v;
}

u32 pica_unorm8(u32 f, bool nearest)
{
	s64 v = pica_fix(pf_mul(pf_clamp01(f), 0x437f0000), nearest ? 1 : 0);

	return nearest ? (u32)(v + 1) >> 1 : (u32)v;
}

/* Bits of a coordinate, each of them before one of the other. */
const u16 pica_spread[32] = {
	0x000, 0x001, 0x004, 0x005, 0x010, 0x011, 0x014, 0x015, 0x040, 0x041, 0x044,
	0x045, 0x050, 0x051, 0x054, 0x055, 0x100, 0x101, 0x104, 0x105, 0x110, 0x111,
	0x114, 0x115, 0x140, 0x141, 0x144, 0x145, 0x150, 0x151, 0x154, 0x155,
};

/**
 * pica_mem_init - begin to access an address space
 * @m: accesses, zeros or those of the same space
 * @map: address space
 */
void pica_mem_init(struct pica_mem *m, const struct vs_map *map)
{
	u32 i;

	m->map = map;
	for (i = 0; i < PICA_MEM_USES; i++)
		m->tlb[i].map = map;
}

static bool mem_fault(struct pica_mem *m, enum vs_fault_kind kind, u64 va, u32 n)
{
	if (!m->bad)
		vs_fault_memory(&m->fault, kind, va, n);
	m->bad = true;
	return false;
}

bool pica_get_slow(struct pica_mem *m, enum pica_mem_use use, u64 va, void *to, u32 n)
{
	const void *from = vs_tlb_ptr(&m->tlb[use], va, n, 0);

	if (from) {
		memcpy(to, from, n);
		return true;
	}
	/* across two extents, or none */
	return vs_map_read(m->map, va, to, n) == n || mem_fault(m, VS_FAULT_READ, va, n);
}

bool pica_put_slow(struct pica_mem *m, enum pica_mem_use use, u64 va, const void *from, u32 n)
{
	void *to = vs_tlb_ptr(&m->tlb[use], va, n, VS_EXT_WRITE);

	if (to) {
		memcpy(to, from, n);
		return true;
	}
	return vs_map_write(m->map, va, from, n) == n || mem_fault(m, VS_FAULT_WRITE, va, n);
}
