// SPDX-License-Identifier: GPL-2.0
/* Scenes for both of Utgard's frames. */
#include "../../userspace/as/utgard_encode.h"
#include "engine/softfloat.h"
#include "scene.h"

#define VARYING_STRIDE	16

static u32 bits_of(float f)
{
	u32 bits;

	memcpy(&bits, &f, 4);
	return bits;
}

void scene_new(struct scene *s)
{
	memset(s, 0, sizeof(*s));
	frame_new(&s->fr);
}

void scene_program(struct scene *s, u32 va, u32 source, u32 perspective, u32 comps)
{
	struct upp_insn i = {};
	u32 n, at = 0;

	i.form[UPP_VARYING] = UPP_FORM_VARYING;
	upp_defaults(UPP_FORM_VARYING, &i.part[UPP_VARYING]);
	i.part[UPP_VARYING].varying.mask = 15;
	i.part[UPP_VARYING].varying.alignment = comps == 2 ? UPP_VARYING_VEC2 : UPP_VARYING_VEC4;
	i.part[UPP_VARYING].varying.source = source;
	i.part[UPP_VARYING].varying.perspective = perspective;
	i.ctrl.fields = 1U << UPP_VARYING;
	i.ctrl.count = upp_size(i.ctrl.fields);
	for (n = 0; n < 2; n++) {
		i.part[UPP_VARYING].varying.dest = n;
		i.ctrl.stop = n;
		at += upp_encode(&i, frame_at(&s->fr, va) + at);
	}
}

void scene_second(struct scene *s, struct sc_draw *d, const float c[4])
{
	u32 va = SC_PROGRAMS + 0x40 * (u32)(d - s->draw), *words = frame_at(&s->fr, va), i;
	struct upp_insn in = {};

	scene_program(s, va, UPP_FROM_VARYING, 0, 4);
	in.form[UPP_VEC_MUL] = UPP_FORM_VEC_MUL;
	in.form[UPP_CONST0] = UPP_FORM_CONST;
	upp_defaults(UPP_FORM_VEC_MUL, &in.part[UPP_VEC_MUL]);
	in.part[UPP_VEC_MUL].vec.arg0 = UPP_REG_CONST0;
	in.part[UPP_VEC_MUL].vec.swizzle0 = 0xe4;
	in.part[UPP_VEC_MUL].vec.dest = 1;
	in.part[UPP_VEC_MUL].vec.mask = 15;
	in.part[UPP_VEC_MUL].vec.op = UPP_OP_MUL_MOV;
	for (i = 0; i < 4; i++) {
		in.part[UPP_CONST0].v[i] = sh_from_float(bits_of(c[i]), SF_RTE);
		d->second[i] = c[i];
	}
	in.ctrl.fields = 1U << UPP_VEC_MUL | 1U << UPP_CONST0;
	in.ctrl.count = upp_size(in.ctrl.fields);
	in.ctrl.stop = 1;
	/* in place of the second instruction */
	upp_encode(&in, words + upp_size(1U << UPP_VARYING));
	d->dual = true;
	d->word[9] = va | 2;
}

void scene_begin(struct scene *s, u32 width, u32 height)
{
	struct frame fr = s->fr;

	memset(s, 0, sizeof(*s));
	s->fr = fr;
	memset(fr.data, 0, FR_DATA_SIZE);
	memset(fr.code, 0, FR_CODE_SIZE);
	memset(fr.out, 0, FR_OUT_SIZE);
	s->width = width;
	s->height = height;
	s->pps = 1;
	s->clear_depth = 0xffffff;
	s->layout = 0x8888;
	s->flags = 2;
	s->unit[0][0] = 2;
	s->unit[0][1] = SC_COLOR;
	s->unit[0][2] = 3;
	s->unit[0][5] = width / 2;
	s->unit[0][6] = 4;
	s->unit[1][0] = 1;
	s->unit[1][1] = SC_DEPTH;
	s->unit[1][2] = 15;
	s->unit[1][5] = width / 2;
	scene_program(s, FR_CODE, UPP_FROM_VARYING, 0, 4);
	frame_blocks(&s->fr);
}

struct sc_draw *scene_draw(struct scene *s, enum sc_mode mode)
{
	struct sc_draw *d = &s->draw[s->ndraws++];
	u32 *w = d->word;

	memset(d, 0, sizeof(*d));
	d->mode = mode;
	d->scissor[2] = s->width - 1;
	d->scissor[3] = s->height - 1;
	d->size = 1;
	d->range[1] = 1;
	w[2] = 0xfc3b1ad2;
	w[3] = 0x3e;
	w[4] = 0xffff0000;
	w[5] = 0xff000007;
	w[6] = 0xff000007;
	w[7] = 0xffff;
	w[8] = 0xf007 | (mode == SC_POINTS ? 0 : mode < SC_TRIANGLES ? 1 << 10 : 2 << 10);
	w[9] = FR_CODE | 2;
	/* the second colour, in register 1, is the first one */
	w[13] = VARYING_STRIDE / 8 | 1 << 28;
	return d;
}

void scene_vertex(struct sc_draw *d, float x, float y, float z, float w)
{
	float *p = d->pos[d->n++];

	p[0] = x;
	p[1] = y;
	p[2] = z;
	p[3] = 1 / w;
}

void scene_color(struct sc_draw *d, u32 first, float r, float g, float b, float a)
{
	for (; first < d->n; first++) {
		d->color[first][0] = r;
		d->color[first][1] = g;
		d->color[first][2] = b;
		d->color[first][3] = a;
	}
}

/* ---- lists ---- */

static void put_draw(struct scene *s, u32 number, u32 *vertex)
{
	struct sc_draw *d = &s->draw[number];
	struct frame *f = &s->fr;
	u32 i, at = *vertex, count = d->index_bytes ? 0 : d->n, op;
	u8 *index;

	for (i = 0; i < d->n; i++) {
		memcpy(frame_at(f, SC_POSITIONS + 16 * (at + i)), d->pos[i], 16);
		memcpy(frame_at(f, SC_VARYINGS + VARYING_STRIDE * (at + i)), d->color[i], 16);
		frame_at(f, SC_SIZES + 4 * (at + i))[0] = bits_of(d->size + i);
	}
	*vertex += d->n;
	for (; d->index_bytes && d->index[count] != ~0U; count++) {
		index = (u8 *)frame_at(f, SC_INDICES) + number * 0x200 + count * d->index_bytes;
		memcpy(index, &d->index[count], d->index_bytes);
	}
	d->word[15] = (d->word[15] & 15) | (SC_VARYINGS + VARYING_STRIDE * at);
	memcpy(frame_at(f, FR_STATE + 64 * number), d->word, sizeof(d->word));
	frame_plbu(f, 0x2200 | d->cull | (d->index_bytes >> 1 << 10) |
		   (d->point_sizes ? 0 : 0x1000), 0x1000010b);
	frame_plbu(f, FR_STATE + 64 * number, 0x80000000 | (SC_POSITIONS + 16 * at) >> 4);
	frame_plbu(f, d->scissor[0] << 30 | d->scissor[3] << 15 | d->scissor[1],
		   0x70000000 | d->scissor[2] << 13 | d->scissor[0] >> 2);
	frame_plbu(f, 0, 0x1000010a);
	frame_plbu(f, bits_of(d->range[0]), 0x1000010e);
	frame_plbu(f, bits_of(d->range[1]), 0x1000010f);
	frame_plbu(f, bits_of(d->size), 0x1000010d);
	op = (u32)d->mode << 16 | count >> 8;
	if (d->index_bytes) {
		op |= 0x200000;
		frame_plbu(f, SC_POSITIONS + 16 * at, 0x10000100);
		frame_plbu(f, SC_INDICES + number * 0x200, 0x10000101);
		frame_plbu(f, SC_SIZES + 4 * at, 0x10000102);
	}
	frame_plbu(f, count << 24 | d->start, op);
}

static u32 tiles_of(u32 pixels)
{
	return (pixels + 15) / 16;
}

static u32 block_of(const struct scene *s, u32 x, u32 y)
{
	u32 columns = ((tiles_of(s->width) - 1) >> s->shift[0]) + 1;

	return FR_BLOCKS + 512 * ((y >> s->shift[1]) * columns + (x >> s->shift[0]));
}

static void put_lists(struct scene *s)
{
	u32 i, vertex = 0, columns = tiles_of(s->width), rows = tiles_of(s->height);
	u32 stride = ((columns - 1) >> s->shift[0]) + 1;
	u32 blocks = stride * (((rows - 1) >> s->shift[1]) + 1);
	struct frame *f = &s->fr;

	f->vs = FR_VS;
	f->plbu = FR_PLBU;
	frame_plbu(f, 0x200, 0x1000010b);
	frame_plbu(f, s->shift[1] << 16 | s->shift[0], 0x1000010c);
	frame_plbu(f, (columns - 1) << 24 | (rows - 1) << 8, 0x10000109);
	frame_plbu(f, stride, 0x30000000);
	frame_plbu(f, FR_ARRAY, 0x28000000 | (blocks - 1));
	frame_plbu(f, 0, 0x10000107);
	frame_plbu(f, bits_of(s->width), 0x10000108);
	frame_plbu(f, 0, 0x10000105);
	frame_plbu(f, bits_of(s->height), 0x10000106);
	for (i = 0; i < s->ndraws; i++)
		put_draw(s, i, &vertex);
	frame_plbu(f, 0, 0x50000000);
	frame_finish(f);
}

/* Tiles are dealt to the processors. */
static void put_streams(struct scene *s, u32 *lists)
{
	u32 i, x, y, n = tiles_of(s->width) * tiles_of(s->height), at = SC_STREAMS, *w;

	for (i = 0; i < s->pps; i++) {
		u32 k;

		lists[i] = at;
		for (k = i; k < n; k += s->pps) {
			x = k % tiles_of(s->width);
			y = k / tiles_of(s->width);
			if (s->skip[(x + 16 * y) / 64] >> ((x + 16 * y) % 64) & 1)
				continue;
			w = frame_at(&s->fr, at);
			w[0] = 0;
			w[1] = 0xb8000000 | x | y << 8;
			w[2] = 0xe0000002 | (block_of(s, x, y) >> 3 & ~3U);
			w[3] = 0xb0000000;
			at += 16;
		}
		frame_at(&s->fr, at)[0] = 0;
		frame_at(&s->fr, at)[1] = 0xbc000000;
		at += 32;
	}
}

static void put_pixels(struct scene *s)
{
	u32 *w = frame_at(&s->fr, FR_PP), *tail = w + UTF_PP_FRAME_WORDS + 1 + 36, i;
	u32 *clear = frame_at(&s->fr, FR_STATE + 64 * SC_MAX_DRAWS);

	memset(w, 0, 4 * UTF_PP_MAX_WORDS);
	/* the state of clears */
	clear[8] = 0xf008;
	clear[9] = FR_CODE;
	clear[13] = 0x100;
	w[1] = FR_STATE + 64 * SC_MAX_DRAWS;
	w[3] = s->flags;
	w[4] = s->clear_depth;
	w[5] = s->clear_stencil | 0x3400;	/* 8 bits count */
	for (i = 6; i < 10; i++)
		w[i] = s->clear;
	w[10] = s->width - 1;
	w[11] = s->height - 1;
	w[16] = 1;
	w[17] = 2 * s->height - 1;
	w[18] = 0x77;
	w[19] = 1;
	w[20] = s->shift[1] << 16 | s->shift[0];
	w[21] = 0xe0c;
	w[22] = s->layout;
	w[23] = s->pps;
	memcpy(w + 24, s->unit, sizeof(s->unit));
	if (s->gpu == UTF_MALI450)
		*tail = s->dlbu, tail += 2;
	if (!s->dlbu) {
		put_streams(s, tail);
		return;
	}
	tail[0] = FR_BLOCKS;
	tail[1] = (tiles_of(s->height) - 1) << 16 | (tiles_of(s->width) - 1);
	tail[2] = 0x20000000 | s->shift[1] << 16 | s->shift[0];
	tail[3] = (tiles_of(s->height) - 1) << 24 | (tiles_of(s->width) - 1) << 16;
}

void scene_make(struct scene *s)
{
	put_lists(s);
	put_pixels(s);
}

bool scene_pixels(struct scene *s, const struct frame_run *how, struct vs_fault *fault)
{
	struct frame_run pp = *how;

	pp.va = FR_PP;
	return !frame_run(&s->fr, VS_NATIVE_UTGARD_PP_FRAME, s->gpu, &pp, fault) && !fault->kind;
}

bool scene_run(struct scene *s, const struct frame_run *how, struct vs_fault *fault)
{
	scene_make(s);
	if (frame_run(&s->fr, VS_NATIVE_UTGARD_GP_FRAME, s->gpu, how, fault) || fault->kind)
		return false;
	return scene_pixels(s, how, fault);
}
