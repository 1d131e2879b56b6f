// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * COMPUTE and VERTEX jobs: the header is followed by the invocation (8 bytes), parameters (24)
 * and the draw descriptor, which points to everything else.
 */
#include "mali_prim.h"

#define OFF_INVOCATION	32
#define OFF_PARAMETERS	40
#define OFF_DRAW	64
#define MAX_DRAW_WORDS	32
#define STATE_WORDS	16
#define STORAGE_WORDS	8
#define NO_WLS		31	/* logarithm of the number of instances */

/* 64-bit addresses of the draw descriptor, from word 4 on. */
enum draw_word {
	DRAW_POSITION = 4, DRAW_UBOS = 6, DRAW_TEXTURES = 8, DRAW_SAMPLERS = 10,
	DRAW_PUSH = 12, DRAW_STATE = 14, DRAW_ATTR_BUFS = 16, DRAW_ATTRS = 18,
	DRAW_VARYING_BUFS = 20, DRAW_VARYINGS = 22, DRAW_STORAGE = 28
};

/* Bits [from, to) of a word, plus one. */
static u64 packed_size(u32 word, u32 from, u32 to)
{
	return ((word & ((1ULL << to) - 1)) >> from) + 1;
}

/*
 * Six sizes minus one, in fields of variable width: three of the workgroup, three numbers of
 * workgroups. Each shift is the start of a field and the end of the previous one.
 */
static int read_invocation(struct mali_parser *p, u64 va, struct mali_launch *l)
{
	u32 w[2], shift[7] = {}, i;
	u64 size;
	int ret;

	ret = mali_words(p, va, w, 2, 4, "invocation");
	if (ret)
		return ret;
	shift[1] = mali_bits(w, 1, 0, 5);
	shift[2] = mali_bits(w, 1, 5, 5);
	shift[3] = mali_bits(w, 1, 10, 6);
	shift[4] = mali_bits(w, 1, 16, 6);
	shift[5] = mali_bits(w, 1, 22, 6);
	shift[6] = 32;
	for (i = 0; i < 6; i++) {
		if (shift[i] > shift[i + 1])
			return mali_reject_at(p, MALI_BAD_INVOCATION, "workgroup shifts",
					      va + 4, w[1]);
		size = packed_size(w[0], shift[i], shift[i + 1]);
		if (i >= 3) {
			l->groups[i - 3] = size;
			continue;
		}
		if (size >> 32)
			return mali_reject_at(p, MALI_BAD_INVOCATION, "invocations", va, w[0]);
		l->local[i] = (u32)size;
	}
	l->group_split = mali_bits(w, 1, 28, 4);
	return 0;
}

static int read_program(struct mali_parser *p, u64 va, const u32 *w, struct mali_launch *l,
			struct mali_tables *t)
{
	u64 shader = mali_u64(w, 0);

	l->prog.va = shader & ~15ULL;
	l->prog.tag = shader & 15;
	if (!l->prog.va && !p->fixed)
		return mali_reject_at(p, MALI_NULL_POINTER, "shader", va, shader);
	if (!p->arch->midgard && l->prog.tag)
		return mali_reject_at(p, MALI_MISALIGNED, "shader", va, shader);
	t->nsamplers = mali_bits(w, 2, 0, 16);
	t->ntextures = mali_bits(w, 2, 16, 16);
	t->nattrs = mali_bits(w, 3, 0, 16);
	t->nvaryings = mali_bits(w, 3, 16, 16);
	t->nubos = mali_bits(w, 4, 0, 8);
	l->prog.flags = mali_bits(w, 4, 11, 1) ? MALI_SH_BARRIER : 0;
	return 0;
}

static void read_midgard_program(const u32 *w, struct mali_program *prog)
{
	prog->flags |= (mali_bits(w, 4, 12, 1) ? MALI_SH_DISCARD : 0) |
		       (mali_bits(w, 4, 13, 1) ? MALI_SH_SIDE_EFFECTS : 0) |
		       (mali_bits(w, 4, 14, 1) ? MALI_SH_READS_TILE : 0);
	prog->work_regs = mali_bits(w, 4, 16, 5);
	prog->uniforms = mali_bits(w, 4, 21, 5);
	prog->fp_mode = mali_bits(w, 4, 29, 3);
}

/* Bits 6 to 14 of a preload word are registers 54 to 62. */
static void read_bifrost_preload(const u32 *w, u32 word, u32 alloc, struct mali_program *prog)
{
	prog->preload = w[word] & GENMASK(14, 6);
	prog->warp_limit = mali_bits(w, word, 0, 2);
	prog->uniforms = mali_bits(w, word, 15, 7);
	prog->work_regs = alloc == 2 ? 32 : 64;
}

static int read_state(struct mali_parser *p, u64 va, struct mali_launch *l,
		      struct mali_tables *t)
{
	u32 w[STATE_WORDS];
	int ret;

	if (!va)
		return mali_reject_at(p, MALI_NULL_POINTER, "state", l->state_va, 0);
	l->state_va = va;
	ret = mali_words(p, va, w, STATE_WORDS, 64, "state");
	if (ret)
		return ret;
	ret = read_program(p, va, w, l, t);
	if (ret)
		return ret;
	if (p->arch->midgard) {
		read_midgard_program(w, &l->prog);
	} else {
		read_bifrost_preload(w, 12, mali_bits(w, 4, 12, 2), &l->prog);
		/* States with a second program have no messages: both use the last word. */
		l->secondary.va = mali_u64(w, 14);
		if (p->arch->has_messages) {
			l->prog.message[0] = mali_bits(w, 15, 0, 16);
			l->prog.message[1] = mali_bits(w, 15, 16, 16);
		}
		read_bifrost_preload(w, 13, mali_bits(w, 4, 14, 2), &l->secondary);
	}
	l->prog.uniforms *= p->arch->uniform_words;
	l->secondary.uniforms *= p->arch->uniform_words;
	t->npush = l->prog.uniforms;
	return 0;
}

/* ---- tables ---- */

int mali_reader_begin(struct mali_reader *r, u64 n, size_t size, const char *field, void **out)
{
	int ret = mali_take(&r->p, n, size, field, out);

	r->begun = !ret;
	return ret;
}

static int read_ubo(struct mali_parser *p, u64 va, struct mali_ubo *ubo)
{
	u32 w[2];
	int ret;

	*ubo = (struct mali_ubo){ };
	ret = mali_words(p, va, w, 2, 8, "uniform buffer");
	if (ret)
		return ret;
	ubo->va = mali_u64(w, 0) >> 12 << 4;
	if (ubo->va)
		ubo->size = (mali_bits(w, 0, 0, 12) + 1) * 16;
	return 0;
}

static int read_ubos(struct mali_reader *r)
{
	struct mali_launch *l = r->l;
	void *mem;
	int ret;

	if (!r->t.nubos)
		return 0;
	if (!r->t.ubos)
		return mali_reject_at(&r->p, MALI_NULL_POINTER, "uniform buffers", l->state_va,
				      r->t.nubos);
	if (!r->begun) {
		ret = mali_reader_begin(r, r->t.nubos, sizeof(*l->ubos), "uniform buffers", &mem);
		if (ret)
			return ret;
		l->ubos = mem;
		l->nubos = r->t.nubos;
	}
	for (; r->i < l->nubos; r->i++) {
		if (!mali_reader_more(r))
			return -EAGAIN;
		ret = read_ubo(&r->p, r->t.ubos + 8ULL * r->i, &l->ubos[r->i]);
		if (ret)
			return ret;
	}
	return 0;
}

static int read_push(struct mali_reader *r)
{
	struct mali_parser *p = &r->p;
	struct mali_launch *l = r->l;
	u64 va = r->t.push;
	u32 n = r->t.npush;
	void *mem;
	int ret;

	if (!n)
		return 0;
	if (!va)
		return mali_reject_at(p, MALI_NULL_POINTER, "push uniforms", l->state_va, n);
	ret = mali_alloc(p, n, sizeof(*l->push), "push uniforms", &mem);
	if (ret)
		return ret;
	l->push = mem;
	l->push_va = va;
	return mali_words(p, va, l->push, n, 8, "push uniforms");
}

/*
 * On v4 and v5 the address is also that of a framebuffer descriptor, which begins with the
 * same fields; the low bits tell which.
 */
static int read_storage(struct mali_reader *r)
{
	struct mali_storage *s = &r->l->storage;
	struct mali_parser *p = &r->p;
	u32 w[STORAGE_WORDS], shift;
	u64 va = r->t.storage;
	int ret;

	if (p->arch->midgard)
		va &= ~63ULL;
	if (!va)
		return 0;
	s->va = va;
	ret = mali_words(p, va, w, STORAGE_WORDS, 64, "thread storage");
	if (ret)
		return ret;
	s->tls_va = mali_u64(w, 2);
	s->tls_sp = mali_bits(w, 0, 5, 27);
	shift = mali_bits(w, 0, 0, 5);
	if (s->tls_va && shift < 28)
		s->tls_size = 16U << shift;
	s->wls_va = mali_u64(w, 4);
	shift = mali_bits(w, 1, 0, 5);
	if (shift == NO_WLS)
		return 0;
	s->wls_instances = 1U << shift;
	shift = mali_bits(w, 1, 8, 5);
	if (shift)
		s->wls_size = 1U << (shift - 1);
	return 0;
}

static int read_draw_words(struct mali_parser *p, u64 va, u32 *w, struct mali_launch *l)
{
	int ret = mali_words(p, va, w, p->arch->draw_words, 64, "draw");

	if (ret)
		return ret;
	if (!mali_bits(w, 0, 1, 1))
		return mali_reject_at(p, MALI_BAD_DRAW, "draw descriptor is 64b", va, w[0]);
	l->draw_flags = w[0];
	l->offset_start = w[1];
	l->instance_size = mali_padded(mali_bits(w, 0, 16, 8));
	l->position = mali_u64(w, DRAW_POSITION);
	return 0;
}

/* ---- complete jobs ---- */

int mali_reader_step(struct mali_reader *r)
{
	static int (*const steps[])(struct mali_reader *r) = {
		read_ubos, read_push, mali_read_attrs, mali_read_attr_bufs, mali_read_varyings,
		mali_read_varying_bufs, mali_read_textures, mali_read_samplers, read_storage,
	};
	int ret;

	r->left = MALI_PIECE;
	for (; r->step < ARRAY_SIZE(steps); r->step++) {
		ret = steps[r->step](r);
		if (ret)
			return ret;
		r->i = 0;
		r->begun = false;
	}
	if (r->job)
		r->job->launch = r->l;
	return 0;
}

int mali_read_tables(struct mali_parser *p, const struct mali_tables *t, struct mali_launch *l)
{
	struct mali_reader r = { .p = *p, .t = *t, .l = l };
	int ret;

	do {
		ret = mali_reader_step(&r);
		vs_cond_resched();
	} while (ret == -EAGAIN);
	return ret;
}

static int mali_draw_read_draw(struct mali_parser *p, u64 va, struct mali_launch *l,
			       struct mali_tables *t)
{
	u32 w[MAX_DRAW_WORDS] = {};
	int ret;

	ret = read_draw_words(p, va, w, l);
	if (ret)
		return ret;
	*t = (struct mali_tables){
		.ubos = mali_u64(w, DRAW_UBOS),
		.push = mali_u64(w, DRAW_PUSH),
		.attrs = mali_u64(w, DRAW_ATTRS),
		.attr_bufs = mali_u64(w, DRAW_ATTR_BUFS),
		.varyings = mali_u64(w, DRAW_VARYINGS),
		.varying_bufs = mali_u64(w, DRAW_VARYING_BUFS),
		.textures = mali_u64(w, DRAW_TEXTURES),
		.samplers = mali_u64(w, DRAW_SAMPLERS),
		.storage = mali_u64(w, DRAW_STORAGE),
	};
	/* For the message about a missing address. */
	l->state_va = va + DRAW_STATE * sizeof(*w);
	return read_state(p, mali_u64(w, DRAW_STATE), l, t);
}

int mali_read_indexed(struct mali_parser *p, struct mali_job *job, struct mali_reader *r)
{
	u64 va = job->va + MALI_VERTEX_DRAW;
	struct mali_launch *l;
	u32 w[2];
	int ret;

	ret = mali_read_draw(p, va, r);
	if (ret)
		return ret;
	l = r->l;
	ret = read_invocation(p, job->va + OFF_INVOCATION, l);
	if (ret)
		return ret;
	ret = mali_words(p, job->va + OFF_PARAMETERS, w, 1, 4, "primitive");
	if (ret)
		return ret;
	l->task_split = mali_bits(w, 0, 26, 6);
	ret = mali_words(p, job->va + mali_draw_offset(p->arch) + 4 * DRAW_POSITION, w, 2, 8,
			 "position");
	if (ret)
		return ret;
	l->position = mali_u64(w, 0);
	/* both programs have the same push uniforms */
	r->t.npush = max(r->t.npush, l->secondary.uniforms);
	r->job = job;
	return 0;
}

int mali_read_draw(struct mali_parser *p, u64 va, struct mali_reader *r)
{
	void *mem;
	int ret;

	ret = mali_alloc(p, 1, sizeof(struct mali_launch), "draw", &mem);
	if (ret)
		return ret;
	*r = (struct mali_reader){ .p = *p, .l = mem };
	return mali_draw_read_draw(p, va, r->l, &r->t);
}

int mali_read_size(struct mali_parser *p, u64 va, u64 groups[3])
{
	struct mali_launch l;
	int ret = read_invocation(p, va, &l);

	memcpy(groups, l.groups, sizeof(l.groups));
	return ret;
}

int mali_read_launch(struct mali_parser *p, struct mali_job *job, struct mali_reader *r)
{
	struct mali_launch *l;
	u32 w[6];
	void *mem;
	int ret;

	ret = mali_alloc(p, 1, sizeof(*l), "job", &mem);
	if (ret)
		return ret;
	l = mem;
	ret = read_invocation(p, job->va + OFF_INVOCATION, l);
	if (ret)
		return ret;
	ret = mali_words(p, job->va + OFF_PARAMETERS, w, 6, 4, "parameters");
	if (ret)
		return ret;
	l->task_split = mali_bits(w, 0, 26, 4);
	*r = (struct mali_reader){ .p = *p, .l = l, .job = job };
	return mali_draw_read_draw(p, job->va + OFF_DRAW, l, &r->t);
}
