// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * VideoCore IV tile buffer: colours, depth and stencil of a fragment job or a draw.
 *
 * A draw has the rasteriser's tile buffer. A shader job provides the buffers (in guest memory, 32
 * bits per sample). Either gives the depth test; the program provides the stencil test in up to
 * three setup words, as in Mesa's vc4 driver: bits 31:30 are 1 front, 2 back, 3 both: then 29:28
 * write mask 0x01, 0x03, 0x0f, 0xff, 27:25 operation if the depth test fails, 24:22 if it passes,
 * 21:19 if the stencil test fails, 18:16 function, 15:8 reference, 7:0 mask of the test; or 0
 * write masks: 7:0 front, 15:8 back. A thread starts without stencil test, the masks all ones.
 *
 * Choices: a write of Z performs the test; samples that fail are excluded from the
 * thread's later writes. Colours written without Z are not tested. Pixels outside the tile are
 * not written and read as 0, as is a buffer that the job does not provide. With one sample
 * per pixel, bit 0 of its sample mask applies.
 */
#include "qpu_frag.h"

#define KEEP		1
#define ALWAYS		7

/* Function ALWAYS, operations KEEP. */
#define NO_STENCIL	(KEEP << 25 | KEEP << 22 | KEEP << 19 | ALWAYS << 16)

void qpu_tlb_reset(struct qpu_core *q)
{
	struct qpu_frag *f = &q->frag;

	f->stencil[0] = NO_STENCIL;
	f->stencil[1] = NO_STENCIL;
	f->stencil[2] = 0xffff;
	f->passed = ~0ULL;
	f->ms_load = 0;
	f->ms_store = 0;
}

void qpu_tlb_stencil(struct qpu_core *q, u32 word)
{
	static const u8 masks[] = { 0x01, 0x03, 0x0f, 0xff };
	struct qpu_frag *f = &q->frag;
	u32 faces = word >> 30, mask = masks[word >> 28 & 3];

	if (!faces)
		f->stencil[2] = word & 0xffff;
	if (faces & 1) {
		f->stencil[0] = word;
		f->stencil[2] = (f->stencil[2] & 0xff00) | mask;
	}
	if (faces & 2) {
		f->stencil[1] = word;
		f->stencil[2] = (f->stencil[2] & 0x00ff) | mask << 8;
	}
}

static u32 num_samples(const struct qpu_shared *s)
{
	return s->buffer ? s->buffer->samples : s->tile.samples == 4 ? 4 : 1;
}

/* A buffer of the tile. */
struct plane {
	u32 va;
	u32 stride;
	bool present;
};

static struct plane color_plane(const struct qpu_shared *s)
{
	return (struct plane){ s->tile.color_va, s->tile.color_stride,
			       s->buffer || s->tile.color_va };
}

static struct plane zs_plane(const struct qpu_shared *s)
{
	return (struct plane){ s->tile.zs_va, s->tile.zs_stride, s->buffer || s->tile.zs_va };
}

static bool in_tile(const struct qpu_shared *s, const struct qpu_core *q, u32 e)
{
	if (s->buffer)
		return q->frag.x[e] - s->buffer->x < VR_TILE &&
		       q->frag.y[e] - s->buffer->y < VR_TILE;
	return q->frag.x[e] < s->tile.width && q->frag.y[e] < s->tile.height;
}

/* Sample @k of a pixel in the tile buffer of a draw. */
static u32 sample_index(const struct qpu_shared *s, const struct qpu_core *q, u32 e, u32 k)
{
	u32 x = q->frag.x[e], y = q->frag.y[e];

	return vr_tile_index(s->buffer, x, y) + 4 * k + (x & 1) + 2 * (y & 1);
}

static u32 *buffer_color(const struct qpu_shared *s, const struct qpu_core *q, u32 e, u32 k)
{
	return (u32 *)s->buffer->colour[0] + sample_index(s, q, e, k);
}

static u32 sample_addr(const struct qpu_shared *s, const struct qpu_core *q,
		       const struct plane *p, u32 e, u32 k)
{
	return p->va + q->frag.y[e] * p->stride + (q->frag.x[e] * num_samples(s) + k) * 4;
}

static enum qpu_ev load_word(struct qpu_shared *s, struct qpu_core *q, u32 addr, u32 *v)
{
	const void *p = qpu_mem(s, addr, 4, 0);

	if (!p)
		return qpu_fault(s, q, VS_FAULT_READ, addr, 4);
	memcpy(v, p, 4);
	return QPU_EV_OK;
}

static enum qpu_ev store_word(struct qpu_shared *s, struct qpu_core *q, u32 addr, u32 v)
{
	void *p = qpu_mem(s, addr, 4, VS_EXT_WRITE);

	if (!p)
		return qpu_fault(s, q, VS_FAULT_WRITE, addr, 4);
	memcpy(p, &v, 4);
	return QPU_EV_OK;
}

static bool sample_live(const struct qpu_core *q, u32 e, u32 k)
{
	return (q->frag.ms_mask & q->frag.passed) >> (4 * e + k) & 1;
}

static bool qpu_tlb_compare(u32 func, u32 a, u32 b)
{
	return func >> (a < b ? 0 : a == b ? 1 : 2) & 1;
}

static u32 qpu_tlb_stencil_op(u32 op, u32 old, u32 ref)
{
	switch (op) {
	case 0:
		return 0;
	case KEEP:
		return old;
	case 2:
		return ref;
	case 3:
		return old < 0xff ? old + 1 : old;
	case 4:
		return old ? old - 1 : old;
	case 5:
		return ~old & 0xff;
	case 6:
		return (old + 1) & 0xff;
	default:
		return (old - 1) & 0xff;
	}
}

/* Test depth @z against the buffer's word @old; *@new: word to store. */
static bool test_sample(const struct qpu_shared *s, struct qpu_core *q, u32 e, u32 z, u32 old,
			u32 *new)
{
	struct qpu_frag *f = &q->frag;
	u32 rev = f->rev >> e & 1, conf = f->stencil[rev];
	u32 wmask = f->stencil[2] >> (rev * 8) & 0xff;
	u32 depth = s->tile.depth, ref = conf >> 8 & 0xff, st = old & 0xff, op;
	bool spass, zpass;

	if (!(depth & QPU_DEPTH_TEST))
		depth = ALWAYS | QPU_DEPTH_WRITE;
	spass = qpu_tlb_compare(conf >> 16 & 7, ref & conf & 0xff, st & conf & 0xff);
	zpass = qpu_tlb_compare(depth & QPU_DEPTH_FUNC, z, old >> 8);
	op = conf >> (!spass ? 19 : zpass ? 22 : 25) & 7;
	st = (st & ~wmask) | (qpu_tlb_stencil_op(op, st, ref) & wmask);
	if (!spass || !zpass || !(depth & QPU_DEPTH_WRITE))
		z = old >> 8;
	*new = z << 8 | st;
	f->tested |= 1U << e / 4;
	f->stencil_ok |= spass << e / 4;
	f->zs_ok |= (spass && zpass) << e / 4;
	return spass && zpass;
}

/* The same in the tile buffer of a draw. */
static void test_buffer(struct qpu_shared *s, struct qpu_core *q, u32 e, u32 k, u32 z)
{
	struct vr_tile *t = s->buffer;
	u32 at = sample_index(s, q, e, k), new;

	if (!test_sample(s, q, e, z & 0xffffff, t->z[at] << 8 | t->s[at], &new))
		q->frag.passed &= ~(1ULL << (4 * e + k));
	t->z[at] = new >> 8;
	t->s[at] = new & 0xff;
}

static enum qpu_ev write_z(struct qpu_shared *s, struct qpu_core *q, const struct plane *p,
			   u32 e, u32 k, u32 z)
{
	u32 addr = sample_addr(s, q, p, e, k), old = 0, new;

	if (s->buffer) {
		test_buffer(s, q, e, k, z);
		return QPU_EV_OK;
	}
	if (load_word(s, q, addr, &old))
		return QPU_EV_FAULT;
	if (!test_sample(s, q, e, z & 0xffffff, old, &new))
		q->frag.passed &= ~(1ULL << (4 * e + k));
	return new == old ? QPU_EV_OK : store_word(s, q, addr, new);
}

enum qpu_ev qpu_tlb_z(struct qpu_shared *s, struct qpu_core *q, const u32 *v, u32 mask)
{
	struct plane p = zs_plane(s);
	u32 e, k;

	for (e = 0; p.present && e < QPU_LANES; e++) {
		if (!(mask >> e & 1) || !in_tile(s, q, e))
			continue;
		for (k = 0; k < num_samples(s); k++) {
			if (sample_live(q, e, k) && write_z(s, q, &p, e, k, v[e]))
				return QPU_EV_FAULT;
		}
	}
	return QPU_EV_OK;
}

enum qpu_ev qpu_tlb_color(struct qpu_shared *s, struct qpu_core *q, const u32 *v, u32 mask,
			  bool one)
{
	u32 n = num_samples(s), first = 0, e, k;
	struct plane p = color_plane(s);

	if (one) {
		first = q->frag.ms_store % n;
		q->frag.ms_store = (first + 1) % n;
		n = first + 1;
	}
	for (e = 0; p.present && e < QPU_LANES; e++) {
		if (!(mask >> e & 1) || !in_tile(s, q, e))
			continue;
		for (k = first; k < n; k++) {
			if (!sample_live(q, e, k))
				continue;
			q->frag.colored |= 1U << e / 4;
			if (s->buffer)
				*buffer_color(s, q, e, k) = v[e];
			else if (store_word(s, q, sample_addr(s, q, &p, e, k), v[e]))
				return QPU_EV_FAULT;
		}
	}
	return QPU_EV_OK;
}

enum qpu_ev qpu_tlb_load(struct qpu_shared *s, struct qpu_core *q, u32 *v)
{
	u32 k = q->frag.ms_load % num_samples(s), e;
	struct plane p = color_plane(s);

	q->frag.ms_load = k + 1;
	for (e = 0; e < QPU_LANES; e++) {
		v[e] = 0;
		if (!p.present || !in_tile(s, q, e))
			continue;
		if (s->buffer)
			v[e] = *buffer_color(s, q, e, k);
		else if (load_word(s, q, sample_addr(s, q, &p, e, k), &v[e]))
			return QPU_EV_FAULT;
	}
	return QPU_EV_OK;
}
