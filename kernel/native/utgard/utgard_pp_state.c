// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Draws of a frame of the pixel processor: the tile list unit's state, the render state, textures,
 * uniforms and the program are read and checked when a tile needs them first.
 */
#include "utgard_tiles.h"

#define READ_WEIGHT	4

/* Render state. */
#define DEPTH_WRITE	0x1
#define DEPTH_FUNC(w)	((w) >> 1 & 7)
#define DEPTH_SHADER_Z	0x800
#define DEPTH_SHADER_S	0x1000
#define SAMPLES_FOUR	13
#define SAMPLES_TO_COVERAGE 0x80
#define SAMPLES_ALPHA_ONE 0x100
#define MODE_TRIANGLES	2
#define AUX0_TEXTURES	0x20
#define AUX0_UNIFORMS	0x80
#define AUX1_CCW	0x1000
#define FUNC_LOGIC	3
#define FUNC_ALWAYS	7
#define NO_PROGRAM	0x21	/* an instruction of one word, the last one */
#define NO_COLOR	0xffff	/* four times -1 */

/* Frame words. */
#define W_ORIGIN_Y	17
#define W_SCALE		21
#define FLIP_POINT	0x100
#define FLIP_COORD	0x400
#define FLIP_DERIVATIVE	0x800

static u32 utf_state_number(s32 v, u32 shift)
{
	u32 f = px_s32_to_f32(v);

	return f ? f - (shift << 23) : 0;
}

/* ---- blending ---- */

static void set_term(struct vr_term *t, u32 factor, bool alpha)
{
	static const u8 factors[8] = {
		VR_FACTOR_SRC, VR_FACTOR_DST, VR_FACTOR_CONSTANT, VR_FACTOR_ZERO,
		VR_FACTOR_SATURATE, VR_FACTOR_SECOND, VR_FACTOR_ZERO, VR_FACTOR_ZERO,
	};

	t->factor = factors[factor & 7];
	t->invert = factor & 8;
	t->alpha = alpha;
}

static void set_function(struct vr_function *f, u32 func, u32 src, u32 dst)
{
	f->a.src = func == 1 ? -1 : 1;
	f->b.dst = func ? 1 : -1;
	f->op = func == 4 ? VR_BLEND_SUM_MIN : func == 5 ? VR_BLEND_SUM_MAX : VR_BLEND_ADD;
	set_term(&f->a, src, src & 16);
	set_term(&f->b, dst, dst & 16);
}

static bool has_second(u32 factor)
{
	return (factor & 7) == 5;
}

/* Bytes of the constant colour. */
static u32 utf_state_constant(u32 byte)
{
	static const struct px_format f = {
		.layout = PX_PLAIN, .comp = PX_UNORM, .ncomp = 1, .bytes = 1, .bits = { 8 },
		.swizzle = { 0, PX_SWZ_0, PX_SWZ_0, PX_SWZ_1 },
	};
	const u8 b = (u8)byte;
	u32 v[4];

	px_unpack(&f, &b, v);
	return v[0];
}

static void set_blend(struct utf_state *s)
{
	const u32 *w = s->words;
	struct vr_blend *b = &s->q.blend;
	u32 v = w[UTF_STATE_BLEND];

	set_function(&b->f[0], v & 7, v >> 6 & 31, v >> 11 & 31);
	set_function(&b->f[1], v >> 3 & 7, v >> 16 & 15, v >> 20 & 15);
	b->constant[0] = utf_state_constant(w[1]);
	b->constant[1] = utf_state_constant(w[0] >> 16);
	b->constant[2] = utf_state_constant(w[0]);
	b->constant[3] = utf_state_constant(w[1] >> 16);
	b->write = v >> 28;
	b->alpha_one = w[UTF_STATE_SAMPLES] & SAMPLES_ALPHA_ONE;
	if (has_second(v >> 6) || has_second(v >> 11) || has_second(v >> 16) || has_second(v >> 20))
		s->q.flags |= UPQ_SECOND;
}

/* ---- depth, stencil, samples ---- */

static void utf_state_set_stencil(struct vr_stencil *t, u32 w, u32 write)
{
	*t = (struct vr_stencil){
		.func = w & 7, .fail = w >> 3 & 7, .zfail = w >> 6 & 7, .pass = w >> 9 & 7,
		.ref = w >> 16, .read = w >> 24, .write = (u8)write,
	};
}

static bool is_off(const struct vr_stencil *t)
{
	return t->func == FUNC_ALWAYS && !(t->fail | t->zfail | t->pass);
}

static void set_zs(struct utf_state *s)
{
	const u32 *w = s->words;
	struct vr_zs *zs = &s->d.zs;
	u32 v = w[UTF_STATE_DEPTH];

	zs->func = DEPTH_FUNC(v);
	if (zs->func != FUNC_ALWAYS)
		zs->flags |= VR_DEPTH_TEST;
	if (v & DEPTH_WRITE)
		zs->flags |= VR_DEPTH_WRITE;
	utf_state_set_stencil(&zs->side[0], w[UTF_STATE_STENCIL], w[7]);
	utf_state_set_stencil(&zs->side[1], w[UTF_STATE_STENCIL + 1], w[7] >> 8);
	if (!is_off(&zs->side[0]) || !is_off(&zs->side[1]))
		zs->flags |= VR_STENCIL_TEST;
	if (v & DEPTH_SHADER_Z)
		s->q.flags |= UPQ_SHADER_Z;
	if (v & DEPTH_SHADER_S)
		s->q.flags |= UPQ_SHADER_S;
	s->q.depth = v >> 6 & 15;
}

static void utf_state_set_depth(struct utf_state *s, u32 zformat)
{
	struct vr_depth *d = &s->d.depth;
	u32 v = s->words[UTF_STATE_DEPTH];

	d->flags = VR_DEPTH_CLIP_NEAR | VR_DEPTH_CLIP_FAR;
	d->range[0] = s->list.range[0];
	d->range[1] = s->list.range[1];
	if (!(v >> 16) || (s->words[UTF_STATE_SAMPLES] >> 10 & 3) != MODE_TRIANGLES)
		return;
	d->flags |= VR_DEPTH_OFFSET;
	d->factor = utf_state_number((s8)(v >> 16), 2);
	d->units = utf_state_number((s8)(v >> 24), 1);
	d->bits = zformat == VR_Z16 ? 16 : 24;
}

static void set_raster(struct utf_state *s, const struct utf_tiles *t)
{
	struct vr_state *rs = &s->d.rs;
	u32 w = s->words[UTF_STATE_SAMPLES], mask = w >> 12 & 15, i;
	bool ccw = s->words[UTF_STATE_AUX1] & AUX1_CCW, multi = (w >> 3 & 15) == SAMPLES_FOUR;

	s->four = multi || mask != 15;
	rs->flags = VR_LINE_ALIGNED | (ccw ? VR_FRONT_CCW : 0);
	/* rectangles are not culled */
	if (s->list.flags & UTL_RECTANGLE)
		rs->flags |= VR_RECTANGLE;
	else if (s->list.flags & UTL_CULL_CCW)
		rs->flags |= ccw ? VR_CULL_FRONT : VR_CULL_BACK;
	if ((s->list.flags & (UTL_CULL_CW | UTL_RECTANGLE)) == UTL_CULL_CW)
		rs->flags |= ccw ? VR_CULL_BACK : VR_CULL_FRONT;
	rs->width = t->width;
	rs->height = t->height;
	for (i = 0; i < 4; i++)
		rs->scissor[i] = clamp_t(s32, s->list.clip[i], 0, VR_MAX_SIZE - 1);
	/* nothing, which is before the frame */
	if (s->list.clip[2] < 0 || s->list.clip[3] < 0)
		rs->scissor[0] = rs->scissor[2] + 1;
	/* one sample for all of a pixel's, or some of them; the rest when samples are known */
	rs->samples = multi ? 4 : 1;
	rs->sample_mask = multi ? mask : mask != 0;
	s->d.single = !multi;
	s->d.whole = mask;
}

/* ---- varyings ---- */

static u32 varying_type(const u32 *w, u32 i)
{
	if (i < 10)
		return w[UTF_STATE_VARYINGS] >> (3 * i) & 7;
	if (i == 10)
		return w[UTF_STATE_VARYINGS] >> 30 | (w[UTF_STATE_VARYING] & 1) << 2;
	return w[UTF_STATE_VARYING] >> 1 & 7;
}

/* A binary32 varying has a slot of 16 bytes, two or four halves have one of 8. */
static enum utf_reason set_varyings(struct utf_state *s)
{
	struct upq_draw *q = &s->q;
	u32 i, type, at = 0;

	q->varyings = s->words[UTF_STATE_VARYING] & ~15U;
	q->stride = (s->words[UTF_STATE_AUX0] & 31) * 8;
	for (i = 0; i < UPP_NUM_VARYINGS; i++) {
		type = varying_type(s->words, i);
		if (type >= UPQ_NUM_VARYING) {
			if (q->program.inputs >> i)
				return UTF_BAD_VARYING;
			break;
		}
		if (type < UPQ_F16X4)
			at = (at + 15) & ~15U;
		q->type[i] = type;
		q->at[i] = at;
		at += type < UPQ_F16X4 ? 16 : 8;
	}
	return UTF_OK;
}

/* ---- reading ---- */

static int utf_state_reject(struct utf_reader *r, enum utf_reason why, u64 va, u32 info)
{
	utf_reject(r->j, why, va, info);
	return -ENOEXEC;
}

/* A word of the render state cannot be executed. */
static int utf_state_reject_word(struct utf_reader *r, enum utf_reason why, u32 word)
{
	return utf_state_reject(r, why, r->s->list.state + word * sizeof(u32), r->s->words[word]);
}

static int utf_state_read_words(struct utf_reader *r, u32 va)
{
	u32 words[sizeof(struct utl_draw) / sizeof(u32)], word;
	struct utf_state *s = r->s;
	enum utf_reason why;

	r->j->charge += READ_WEIGHT * (ARRAY_SIZE(words) + UTF_STATE_WORDS);
	if (!utf_read(r->j, va, words, ARRAY_SIZE(words)))
		return -ENOEXEC;
	memcpy(&s->list, words, sizeof(s->list));
	if (s->list.magic != UTL_DRAW_MAGIC)
		return utf_state_reject(r, UTF_BAD_LIST, va, s->list.magic);
	r->j->fault.draw = s->list.number;
	if (s->list.state % UTF_STATE_ALIGN)
		return utf_state_reject(r, UTF_MISALIGNED, va, s->list.state);
	if (!utf_read(r->j, s->list.state, s->words, UTF_STATE_WORDS))
		return -ENOEXEC;
	why = utf_state_check(s->words, &word);
	return why ? utf_state_reject_word(r, why, word) : 0;
}

static int set_registers(struct utf_reader *r)
{
	struct utf_state *s = r->s;
	struct upq_draw *q = &s->q;
	u32 w = s->words[UTF_STATE_SAMPLES], all = w >> 16;

	q->color = all & 15;
	q->second = s->words[UTF_STATE_AUX0] >> 28;
	q->alpha = (struct vr_alpha){ .func = w & 7, .bytes = true,
				      .ref = s->words[7] >> 16 & 0xff };
	if (w & SAMPLES_TO_COVERAGE && s->four)
		q->flags |= UPQ_TO_COVERAGE;
	/* a program without colors, such as one of depth: Mesa's blits */
	if (all == NO_COLOR && q->alpha.func == FUNC_ALWAYS && !(q->flags & UPQ_TO_COVERAGE)) {
		q->blend.write = 0;
		q->color = 0;
		all = 0;
	}
	/* the same one for each sample */
	if (q->color * 0x1111U != all || q->color >= UPP_NUM_REGS)
		return utf_state_reject_word(r, UTF_BAD_REGISTER, UTF_STATE_SAMPLES);
	if (q->flags & UPQ_SECOND && q->second >= UPP_NUM_REGS)
		return utf_state_reject_word(r, UTF_BAD_REGISTER, UTF_STATE_AUX0);
	if (q->flags & (UPQ_SHADER_Z | UPQ_SHADER_S) && q->depth >= UPP_NUM_REGS)
		return utf_state_reject_word(r, UTF_BAD_REGISTER, UTF_STATE_DEPTH);
	return 0;
}

static int utf_state_set(struct utf_reader *r)
{
	const struct utf_tiles *t = r->t;
	struct utf_state *s = r->s;
	u32 flips = t->words[W_SCALE], blend = s->words[UTF_STATE_BLEND];

	if ((blend & 7) == FUNC_LOGIC || (blend >> 3 & 7) == FUNC_LOGIC)
		return utf_state_reject_word(r, UTF_LOGIC_OP, UTF_STATE_BLEND);
	s->d.index = s->list.number;
	set_raster(s, t);
	set_blend(s);
	if (t->ntargets && !vr_blend_ok(&s->q.blend, &t->format))
		return utf_state_reject_word(r, UTF_BAD_VALUE, UTF_STATE_BLEND);
	set_zs(s);
	utf_state_set_depth(s, t->zformat);
	s->q.origin = t->words[W_ORIGIN_Y];
	if (flips & FLIP_COORD)
		s->q.flags |= UPQ_COORD_UP;
	if (flips & FLIP_POINT)
		s->q.flags |= UPQ_POINT_UP;
	/* reloads of depth and stencil are exact */
	if (s->list.flags & UTL_RECTANGLE)
		s->q.flags |= UPQ_FP32;
	s->q.temps = t->temps;
	return set_registers(r);
}

static int load_textures(struct utf_reader *r)
{
	const u32 *w = r->s->words;
	u32 n = w[UTF_STATE_AUX0] >> 14 & 0x3fff;
	struct utgard_tex *tex;
	u32 draw = r->j->fault.draw;
	int ret;

	if (!(w[UTF_STATE_AUX0] & AUX0_TEXTURES))
		return 0;
	if (n > UPP_MAX_TEXTURES)
		return utf_state_reject_word(r, UTF_BAD_COUNT, UTF_STATE_AUX0);
	r->j->charge += (u64)n * READ_WEIGHT * 16;
	ret = utgard_tex_load(r->j->map, w[UTF_STATE_TEXTURES], n, &r->j->arena, &tex,
			      &r->j->fault);
	r->j->fault.draw = draw;
	r->s->q.textures = tex;
	r->s->q.ntextures = n;
	return ret;
}

/* ---- programs ---- */

static u32 lower_flags(const struct utf_reader *r)
{
	const struct upq_draw *q = &r->s->q;

	return (q->flags & UPQ_FP32 ? UPP_LOWER_FP32 : 0) |
	       (r->j->dbg ? UPP_LOWER_DEBUG : 0) |
	       (r->t->words[W_SCALE] & FLIP_DERIVATIVE ? UPP_LOWER_Y_UP : 0) |
	       UPP_LOWER_REGS(upq_registers(q));
}

static struct utf_program **utf_state_hash(struct utf_reader *r, u32 va)
{
	return &r->programs[va / 32 % UTF_PROGRAMS];
}

/* The program has been lowered, or a step of it. */
static int lowered(struct utf_reader *r, int ret, const struct vs_reject *rej)
{
	struct utf_program *p = r->program;
	struct vs_fault *f = &r->j->fault;
	u32 draw = f->draw;

	if (ret == -EAGAIN)
		return ret;
	r->lowering = NULL;
	if (!ret) {
		p->next = *utf_state_hash(r, p->va);
		*utf_state_hash(r, p->va) = p;
		return 0;
	}
	if (ret != -ENOEXEC)
		return -ENOMEM;
	vs_fault_program(f, p->va + 4ULL * rej->offset, rej->offset, rej->reason, rej->value);
	f->draw = draw;
	return ret;
}

/* The program's words, or an instruction that does nothing. Return: number of words. */
static u32 utf_state_fetch(struct utf_reader *r, u32 va)
{
	if (utf_has_program(r->s->words))
		return (u32)(vs_map_fetch(r->j->map, va, r->code, UTF_MAX_CODE * sizeof(*r->code)) /
			     sizeof(*r->code));
	r->code[0] = NO_PROGRAM;
	return 1;
}

static int begin_program(struct utf_reader *r)
{
	u32 va = r->s->words[UTF_STATE_SHADER] & ~31U, flags = lower_flags(r), n;
	struct utf_program *p;
	struct vs_reject rej;
	int ret;

	/* not that of a state with a program at the same address */
	va |= !utf_has_program(r->s->words);
	for (p = *utf_state_hash(r, va); p; p = p->next)
		if (p->va == va && p->flags == flags)
			break;
	r->program = p;
	if (p)
		return 0;
	p = simt_arena_alloc(&r->j->arena, 1, sizeof(*p));
	if (!p)
		return -ENOMEM;
	r->program = p;
	p->va = va;
	p->flags = flags;
	n = utf_state_fetch(r, va);
	r->j->charge += n / READ_WEIGHT;
	if (!n) {
		simt_job_fault(r->j, VS_FAULT_FETCH, va, sizeof(*r->code));
		return -ENOEXEC;
	}
	ret = upp_lower_new(&r->j->arena, r->code, n, 0, r->t->temps, flags, &p->p, &r->lowering,
			    &rej);
	return lowered(r, ret ? ret : -EAGAIN, &rej);
}

static int utf_state_lower(struct utf_reader *r)
{
	u32 left = SIMT_PIECE;
	struct vs_reject rej;
	int ret;

	ret = simt_front_step(r->lowering, &left, &r->program->p.prog, &rej);
	r->j->charge += 1 + (SIMT_PIECE - left) / READ_WEIGHT;
	return lowered(r, ret, &rej);
}

/* Uniforms: the state points to a word that points to them. */
static int read_uniforms(struct utf_reader *r)
{
	struct upq_draw *q = &r->s->q;
	u32 w = r->s->words[UTF_STATE_UNIFORMS], n = q->program.prog->nunif, i, bytes;
	u32 *unif = simt_arena_alloc(&r->j->arena, n, sizeof(*unif));
	u16 *half = simt_arena_alloc(&r->j->arena, n, sizeof(*half));

	if (n && (!unif || !half))
		return -ENOMEM;
	q->unif = unif;
	if (!(r->s->words[UTF_STATE_AUX0] & AUX0_UNIFORMS))
		return 0;
	if (!utf_read(r->j, w & ~15U, &q->uniforms, 1))
		return -ENOEXEC;
	q->rows = 1U << (w & 15);
	bytes = min(8 * q->rows, 2 * n);
	r->j->charge += bytes / READ_WEIGHT;
	if (bytes && vs_map_read(r->j->map, q->uniforms, half, bytes) != bytes) {
		simt_job_fault(r->j, VS_FAULT_READ, q->uniforms, bytes);
		return -ENOEXEC;
	}
	for (i = 0; i < n; i++)
		unif[i] = vs_f16_to_f32(half[i]);
	return 0;
}

/* Nothing of the program can change what is tested. */
static bool tests_early(const struct utf_state *s)
{
	return !s->q.program.prog->kills && s->q.alpha.func == FUNC_ALWAYS &&
	       !(s->q.flags & (UPQ_SHADER_Z | UPQ_SHADER_S | UPQ_TO_COVERAGE)) &&
	       !s->q.program.fb_depth;
}

/* The program is there. */
static int utf_state_finish(struct utf_reader *r)
{
	struct utf_state *s = r->s;
	enum utf_reason why;
	int ret;

	s->q.program = r->program->p;
	s->q.code_va = r->program->va;
	why = set_varyings(s);
	if (why)
		return utf_state_reject_word(r, why, UTF_STATE_VARYINGS);
	ret = read_uniforms(r);
	if (ret)
		return ret;
	if (!tests_early(s))
		return 0;
	s->q.flags |= UPQ_EARLY;
	s->d.zs_only = !s->q.blend.write || !r->t->ntargets;
	return 0;
}

/* All but the lowering of the program. */
static int utf_read_state(struct utf_reader *r, u32 va)
{
	int ret;

	ret = utf_state_read_words(r, va);
	if (ret)
		return ret;
	ret = utf_state_set(r);
	if (ret)
		return ret;
	ret = load_textures(r);
	return ret ? ret : begin_program(r);
}

int utf_read_draw(struct utf_reader *r, u32 va)
{
	int ret;

	if (!r->s) {
		r->s = simt_arena_alloc(&r->j->arena, 1, sizeof(*r->s));
		if (!r->s)
			return -ENOMEM;
		r->s->d.id = va;
		ret = utf_read_state(r, va);
	} else {
		ret = utf_state_lower(r);
	}
	return ret ? ret : utf_state_finish(r);
}
