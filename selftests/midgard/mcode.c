// SPDX-License-Identifier: GPL-2.0
/* Midgard programs written bundle by bundle, and jobs in a made-up GPU memory for them. */
#include <string.h>

#include "../ref/midgard_ref.h"
#include "mcode.h"

#define BUDGET	100000

static void put(uint32_t *w, unsigned int at, unsigned int n, uint64_t v)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (v >> i & 1)
			w[(at + i) / 32] |= 1u << ((at + i) % 32);
}

void mc_start(struct mcode *c)
{
	memset(c, 0, sizeof(*c));
}

/* @n quadwords whose tag is in the low bits. */
static unsigned int append(struct mcode *c, const uint32_t *w, unsigned int n)
{
	unsigned int tag = w[0] & 15, at = c->n;

	if (at + 4 * n + 4 > MC_WORDS)
		return at / 4;
	if (at)
		c->w[c->last] = (c->w[c->last] & ~0xf0u) | tag << 4;
	else
		c->first_tag = tag;
	memcpy(c->w + at, w, 16 * n);
	c->w[at] = (c->w[at] & ~0xf0u) | 0x10;
	c->last = at;
	c->n += 4 * n;
	return at / 4;
}

unsigned int mc_alu(struct mcode *c, const struct mc_alu *a)
{
	static const uint8_t bits[5] = { 17, 19, 21, 23, 25 };
	uint32_t w[32] = { 0 };
	unsigned int i, at = 32, size;

	for (i = 0; i < 5; i++)
		if (a->has[i]) {
			w[0] |= 1u << bits[i];
			put(w, at, 16, a->regs[i]);
			at += 16;
		}
	for (i = 0; i < 5; i++)
		if (a->has[i]) {
			put(w, at, i & 1 ? 32 : 48, a->body[i]);
			at += i & 1 ? 32 : 48;
		}
	if (a->has_compact) {
		w[0] |= 1u << 26;
		put(w, at, 16, a->compact);
		at += 16;
	}
	if (a->has_extended) {
		w[0] |= 1u << 27;
		put(w, at, 48, a->extended);
		at += 48;
	}
	size = (at + 127) / 128;
	if (a->has_constants)
		memcpy(w + 4 * size++, a->constants, 16);
	w[0] |= 8 + size - 1;
	return append(c, w, size);
}

static uint64_t ls(const struct mc_ls *o)
{
	return o->op | (uint64_t)o->reg << 8 | (uint64_t)o->mask << 13 |
		(uint64_t)o->swizzle << 17 | (uint64_t)o->arg_comp << 25 |
		(uint64_t)o->arg_reg << 27 | (uint64_t)o->toggle << 30 |
		(uint64_t)o->index_format << 31 | (uint64_t)o->index_comp << 33 |
		(uint64_t)o->index_reg << 35 | (uint64_t)o->shift << 38 |
		((uint64_t)o->offset & 0x3ffff) << 42;
}

unsigned int mc_ldst(struct mcode *c, struct mc_ls a, struct mc_ls b)
{
	uint32_t w[4] = { 5 };

	put(w, 8, 60, ls(&a));
	put(w, 68, 60, ls(&b));
	return append(c, w, 1);
}

unsigned int mc_texture(struct mcode *c, const struct mc_tex *t)
{
	uint32_t w[4] = { t->tag };

	put(w, 8, 4, t->op);
	put(w, 12, 4, t->mode);
	put(w, 16, 2, t->partial);
	put(w, 18, 2, t->dim);
	put(w, 20, 1, t->sampler_reg);
	put(w, 21, 1, t->texture_reg);
	put(w, 22, 1, t->lod_reg);
	put(w, 23, 1, t->offset_reg);
	put(w, 24, 1, t->in_full);
	put(w, 25, 1, t->in_select);
	put(w, 26, 1, t->in_upper);
	put(w, 27, 8, t->in_swizzle);
	put(w, 37, 1, t->out_full);
	put(w, 38, 2, t->type);
	put(w, 40, 1, t->out_select);
	put(w, 41, 1, t->out_upper);
	put(w, 42, 4, t->mask);
	put(w, 46, 2, t->outmod);
	put(w, 48, 8, t->swizzle);
	put(w, 68, 12, t->offset);
	put(w, 80, 8, t->bias);
	put(w, 88, 8, t->bias_int);
	put(w, 96, 16, t->sampler);
	put(w, 112, 16, t->texture);
	return append(c, w, 1);
}

unsigned int mc_quad(struct mcode *c, const uint32_t *w)
{
	return append(c, w, 1);
}

unsigned int mc_bundle(struct mcode *c, const uint32_t *w, unsigned int n)
{
	return append(c, w, n);
}

uint32_t mc_vsrc(unsigned int mod, unsigned int expand, unsigned int swizzle)
{
	return mod | expand << 2 | swizzle << 5;
}

uint32_t mc_ssrc(unsigned int mod, bool full, unsigned int comp)
{
	return mod | (unsigned int)full << 2 | comp << 3;
}

uint32_t mc_vimm(uint16_t imm)
{
	return ((imm >> 8 & 7) | (imm & 255) << 3) << 2;
}

uint32_t mc_simm(uint16_t imm)
{
	return (imm >> 9 & 3) | (imm >> 6 & 4) | (imm >> 2 & 0x38) | (imm & 31) << 6;
}

uint16_t mc_regs(unsigned int src1, unsigned int src2, unsigned int dest)
{
	return (uint16_t)(src1 | src2 << 5 | dest << 10);
}

uint16_t mc_regs_imm(unsigned int src1, uint16_t imm, unsigned int dest)
{
	return mc_regs(src1, imm >> 11, dest) | 0x8000;
}

uint64_t mc_vec(unsigned int op, unsigned int mode, uint32_t src1, uint32_t src2,
		unsigned int shrink, unsigned int outmod, unsigned int mask)
{
	return op | (uint64_t)mode << 8 | (uint64_t)src1 << 10 | (uint64_t)src2 << 23 |
		(uint64_t)shrink << 36 | (uint64_t)outmod << 38 | (uint64_t)mask << 40;
}

uint64_t mc_sca(unsigned int op, uint32_t src1, uint32_t src2, unsigned int outmod, bool full,
		unsigned int comp)
{
	return op | src1 << 8 | src2 << 14 | outmod << 26 | (unsigned int)full << 28 |
		comp << 29;
}

uint16_t mc_compact(unsigned int op, unsigned int tag, int offset, unsigned int cond)
{
	return (uint16_t)(op | tag << 3 | (offset & 127) << 7 | cond << 14);
}

uint16_t mc_jump(unsigned int tag, unsigned int call, int offset)
{
	return (uint16_t)(1 | tag << 3 | call << 7 | (offset & 127) << 9);
}

uint64_t mc_extended(unsigned int op, unsigned int tag, unsigned int call, int offset,
		     unsigned int lut)
{
	return op | tag << 3 | call << 7 | (uint64_t)(offset & 0x7fffff) << 9 |
		(uint64_t)lut << 32;
}

void mc_unit(struct mc_alu *a, unsigned int unit, uint16_t regs, uint64_t body)
{
	a->has[unit] = true;
	a->regs[unit] = regs;
	a->body[unit] = body;
}

void mc_move(struct mc_alu *a, unsigned int unit, unsigned int from, unsigned int to)
{
	mc_unit(a, unit, mc_regs(MC_R24, from, to),
		mc_vec(0x7b, 2, mc_vsrc(0, 0, MC_X), mc_vsrc(0, 0, MC_XYZW), 2, 2, 0xff));
}

void mc_store(struct mcode *c, unsigned int reg, unsigned int offset, unsigned int shift)
{
	struct mc_alu a = { 0 };

	mc_move(&a, MC_VMUL, reg, MC_AL0);
	mc_move(&a, MC_VLUT, 23, MC_AL1);
	mc_alu(c, &a);
	mc_ldst(c,
		MC_LS(.op = 0xd0, .reg = 0, .mask = 15, .swizzle = MC_XYZW, .arg_reg = 1,
		      .toggle = true, .index_format = 2, .index_reg = shift ? 4 : 7,
		      .shift = shift, .offset = (int)offset), MC_NOP_LS);
}

bool mj_new(struct mjob *j)
{
	unsigned int i;

	memset(j, 0, sizeof(*j));
	for (i = 0; i < 3; i++) {
		j->local[i] = 1;
		j->groups[i] = 1;
	}
	j->work = 16;
	j->uniforms = 4;
	j->g.arch = 5;
	if (!mrf_map(&j->g, MJ_BASE, MJ_SIZE))
		return false;
	mj_push(j, 0, 0, (uint32_t)MJ_DATA);
	mj_push(j, 0, 1, (uint32_t)(MJ_DATA >> 32));
	return true;
}

void mj_free(struct mjob *j)
{
	mrf_free(&j->g);
}

void mj_w32(struct mjob *j, uint64_t va, uint32_t v)
{
	uint8_t *p = mrf_at(&j->g, va, 4);
	unsigned int i;

	for (i = 0; p && i < 4; i++)
		p[i] = (uint8_t)(v >> (8 * i));
}

void mj_w64(struct mjob *j, uint64_t va, uint64_t v)
{
	mj_w32(j, va, (uint32_t)v);
	mj_w32(j, va + 4, (uint32_t)(v >> 32));
}

uint32_t mj_r32(struct mjob *j, uint64_t va)
{
	const uint8_t *p = mrf_at(&j->g, va, 4);

	return p ? p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24 : 0;
}

void mj_push(struct mjob *j, unsigned int vector, unsigned int word, uint32_t v)
{
	mj_w32(j, MJ_PUSH + 16 * vector + 4 * word, v);
}

/* Six sizes less one and where each begins. */
static void invocation(struct mjob *j)
{
	unsigned int at = 0, i, k, n;
	uint32_t v = 0, shifts = 0;
	static const uint8_t place[6] = { 0, 0, 5, 10, 16, 22 };

	for (i = 0; i < 6; i++) {
		n = (i < 3 ? j->local : j->groups)[i % 3] - 1;
		if (i)
			shifts |= at << place[i];
		for (k = 0; n >> k; k++)
			;
		v |= at < 32 ? n << at : 0;
		at += k;
	}
	mj_w32(j, MJ_JOB + 32, v);
	mj_w32(j, MJ_JOB + 36, shifts);
}

static unsigned int log2_of(unsigned int n)
{
	unsigned int k = 0;

	while (n >> (k + 1))
		k++;
	return k;
}

uint64_t mj_write(struct mjob *j, struct mcode *c)
{
	uint64_t d = MJ_JOB + 64;
	unsigned int i;

	j->g.budget = BUDGET;
	mj_w32(j, MJ_JOB + 16, 1 | (j->vertex ? 5 : 4) << 1 | 1 << 16);
	mj_w64(j, MJ_JOB + 24, 0);
	invocation(j);
	mj_w32(j, d, 7 | (j->padded ? log2_of(j->padded) : 0) << 16);
	mj_w64(j, d + 24, MJ_UBOS);
	mj_w64(j, d + 32, MJ_TEXTURES);
	mj_w64(j, d + 40, MJ_SAMPLERS);
	mj_w64(j, d + 48, MJ_PUSH);
	mj_w64(j, d + 56, MJ_STATE);
	mj_w64(j, d + 64, MJ_BUFS);
	mj_w64(j, d + 72, MJ_ATTRS);
	mj_w64(j, d + 80, MJ_VARBUFS);
	mj_w64(j, d + 88, MJ_VARYINGS);
	mj_w64(j, d + 112, MJ_STORAGE | 1);
	mj_w64(j, MJ_STATE, MJ_CODE | c->first_tag);
	mj_w32(j, MJ_STATE + 8, j->textures | j->textures << 16);
	mj_w32(j, MJ_STATE + 12, j->attrs | j->varyings << 16);
	mj_w32(j, MJ_STATE + 16, j->ubos | j->work << 16 | j->uniforms << 21 |
	       j->fp_mode << 29);
	mj_w32(j, MJ_STORAGE, j->tls ? log2_of(j->tls / 16) : 0);
	mj_w32(j, MJ_STORAGE + 4, j->wls ? 1 | (log2_of(j->wls) + 1) << 8 : 31);
	mj_w64(j, MJ_STORAGE + 8, j->tls ? 0x40000000 : 0);
	mj_w64(j, MJ_STORAGE + 16, j->wls ? 0x50000000 : 0);
	for (i = 0; i < c->n; i++)
		mj_w32(j, MJ_CODE + 4 * i, c->w[i]);
	for (i = 0; i < 4; i++)
		mj_w32(j, MJ_CODE + 4 * (c->n + i), 0);
	return MJ_JOB;
}

bool mj_run(struct mjob *j, struct mcode *c)
{
	return mgr_run(&j->g, mj_write(j, c));
}

void mc_write(struct mcode *c)
{
	struct mc_alu a = { .has_extended = true };

	a.extended = mc_extended(7, 8, 0, 0, 0xffff);
	mc_alu(c, &a);
}

static void blend_program(struct mjob *j)
{
	struct mcode c;
	unsigned int i;

	mc_start(&c);
	mc_write(&c);
	for (i = 0; i < c.n; i++)
		mj_w32(j, MJ_BLEND + 4 * i, c.w[i]);
	mj_w32(j, MJ_STATE + 64, 0x202);
	mj_w64(j, MJ_STATE + 72, MJ_BLEND | c.first_tag);
}

bool mj_draw(struct mjob *j, struct mcode *c, const struct mdraw *d)
{
	unsigned int i, k;
	uint32_t bits;

	mj_write(j, c);
	mj_w32(j, MJ_JOB + 16, 1 | 7 << 1 | 1 << 16);
	mj_w32(j, MJ_JOB + 40, 8);
	mj_w32(j, MJ_JOB + 52, d->n - 1);
	mj_w32(j, MJ_JOB + 64, 7 | (uint32_t)d->ccw << 5);
	mj_w64(j, MJ_JOB + 64 + 16, MJ_POSITIONS);
	mj_w64(j, MJ_JOB + 64 + 96, MJ_VIEWPORT);
	mj_w32(j, MJ_VIEWPORT + 28, (d->size - 1) | (d->size - 1) << 16);
	mj_w32(j, MJ_STATE + 16, mj_r32(j, MJ_STATE + 16) | (d->program_depth ? 3 : 2) << 8);
	mj_w32(j, MJ_STATE + 32, d->depth << 24);
	for (i = 0; i < d->n; i++)
		for (k = 0; k < 4; k++) {
			memcpy(&bits, &d->pos[i][k], 4);
			mj_w32(j, MJ_POSITIONS + 16 * i + 4 * k, bits);
		}
	blend_program(j);
	return mgr_run(&j->g, MJ_JOB);
}
