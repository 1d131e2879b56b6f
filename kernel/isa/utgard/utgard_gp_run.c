// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Launches of the vertex processor: a thread is a vertex. Attributes are read at the start of a
 * block, varyings are written at its end.
 */
#include "../../engine/simt/simt_lanes.h"
#include "utgard_run_int.h"

/* Streams of faults: attributes, outputs, indices. */
#define STREAM_OUT	16
#define STREAM_INDEX	32

#define LANE_COST	2	/* cost of reading or writing an element, in 16 lanes */

#define F32_ONE		0x3f800000U

/* ---- inputs ---- */

/* Vertex index of invocation @i of its instance. Return: false with a fault. */
static bool vertex_number(struct simt_machine *m, const struct ugp_work *w, u32 i, u32 lane,
			  u64 *out)
{
	u64 va = w->index_va + (u64)i * w->index_size;
	u32 index = i;
	const u8 *p;

	if (w->index_size) {
		p = utgard_ptr(m, va, w->index_size, 0);
		if (!p) {
			simt_fault(m, VS_FAULT_READ, BIT_ULL(lane), va, w->index_size);
			simt_fault_stream(m, STREAM_INDEX);
			return false;
		}
		index = 0;
		memcpy(&index, p, w->index_size);
	}
	/* vertex indices wrap at 32 bits, like all numbers of the processor's descriptors */
	*out = w->first + index;
	return true;
}

static bool ugp_run_read_vertex(struct simt_machine *m, struct simt_block *b, u64 inv, u32 lane,
				u32 done)
{
	const struct utgard_run *r = simt_machine_arg(m);
	const struct ugp_work *w = r->gp;
	u64 vertex, elem;
	u32 i, k, v[4];
	const u8 *p;

	if (!vertex_number(m, w, inv % w->count, lane, &vertex))
		return false;
	for (i = 0; i < w->nattr; i++) {
		const struct utgard_stream *s = &w->attr[i];
		u32 slot = r->vertex.attr[s->reg];

		if (done >> i & 1)
			continue;
		elem = s->divisor ? inv / w->count / s->divisor : vertex;
		p = utgard_elem(m, s, elem, BIT_ULL(lane), i);
		if (!p)
			return false;
		utgard_read(s, p, v);
		for (k = 0; k < 4; k++)
			*sx_slot(b, slot + k, lane) = v[k];
	}
	return true;
}

/* Have all lanes an element, at an address for vectors? */
static bool is_full(const struct utgard_stream *s, u32 packed)
{
	return packed == SIMT_LANES && !((s->va | s->stride) & 3);
}

/*
 * Fast path: read the consecutive vertices of a block at once, if the format needs no
 * conversion. Return: false: use the slow path.
 */
static bool read_block(struct simt_machine *m, struct simt_block *b, const struct simt_group *g,
		       const struct utgard_stream *s, u32 slot)
{
	const struct utgard_run *r = simt_machine_arg(m);
	const struct ugp_work *w = r->gp;
	u32 l, k, n = s->format.ncomp, packed = g->packed, stride = s->stride;
	u64 first = w->first + g->group, va;
	const u8 *p;

	if (w->dbg || w->index_size || s->divisor || !utgard_is_f32(&s->format) ||
	    g->group + g->packed > w->count || first + g->packed > ~0U)
		return false;
	va = s->va + first * stride;
	p = utgard_ptr(m, va, (u64)stride * (packed - 1) + s->format.bytes, 0);
	if (!p)
		return false;
	/* vectors read all four numbers */
	if (is_full(s, packed) && utgard_ptr(m, va, (u64)stride * (packed - 1) + 16, 0)) {
		simt_load_rows(simt_machine_simd(m), sx_slot(b, slot, 0), p, stride, n);
		return true;
	}
	for (k = 0; k < n; k++) {
		u32 *row = sx_slot(b, slot + k, 0);

		for (l = 0; l < packed; l++)
			memcpy(row + l, p + (size_t)l * stride + 4 * k, 4);
	}
	return true;
}

/* Mask of streams read by the fast path; the others are read per vertex. */
static u32 read_blocks(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	const struct utgard_run *r = simt_machine_arg(m);
	u32 i, slot, done = 0;

	for (i = 0; i < r->gp->nattr; i++) {
		slot = r->vertex.attr[r->gp->attr[i].reg];
		if (!(r->vertex.attrmask >> r->gp->attr[i].reg & 1) ||
		    read_block(m, b, g, &r->gp->attr[i], slot))
			done |= BIT(i);
	}
	return done;
}

/* May the program read a slot that it has not written? */
static bool is_read(const struct utgard_run *r, u32 slot)
{
	return slot >= SIMT_LIVE_SLOTS || r->l.prog->live[slot / 64] >> (slot % 64) & 1;
}

/* Default values of attributes without a stream. */
static void defaults(const struct utgard_run *r, struct simt_block *b)
{
	u32 i, l;

	for (i = 0; i < UGP_NUM_ATTRIBUTES; i++) {
		u32 w = r->vertex.attr[i] + 3;

		if (r->vertex.attr[i] == UGP_NO_SLOT || !is_read(r, w))
			continue;
		for (l = 0; l < SIMT_LANES; l++)
			*sx_slot(b, w, l) = F32_ONE;
	}
}

/* ---- outputs ---- */

static u8 *ugp_run_output(struct simt_machine *m, u32 n, u64 inv, u32 lane)
{
	const struct utgard_run *r = simt_machine_arg(m);
	const struct utgard_stream *s = &r->gp->out[n];
	u64 va = s->va + inv * s->stride;
	u8 *p = utgard_ptr(m, va, s->format.bytes, VS_EXT_WRITE);

	if (p)
		return p;
	simt_fault(m, VS_FAULT_WRITE, BIT_ULL(lane), va, s->format.bytes);
	simt_fault_stream(m, STREAM_OUT + n);
	return NULL;
}

/* Load current outputs: memory keeps its value where branches skip stores. */
static bool keep_outputs(struct simt_machine *m, struct simt_block *b, u64 inv, u32 lane)
{
	const struct utgard_run *r = simt_machine_arg(m);
	u32 i, k, v[4], slot;
	const u8 *p;

	for (i = 0; i < r->gp->nout; i++) {
		slot = r->vertex.out[r->gp->out[i].reg];
		if (!r->vertex.outmask[r->gp->out[i].reg])
			continue;
		p = ugp_run_output(m, i, inv, lane);
		if (!p)
			return false;
		px_unpack(&r->gp->out[i].format, p, v);
		for (k = 0; k < 4; k++)
			*sx_slot(b, slot + k, lane) = v[k];
	}
	return true;
}

/* Components that are not stored keep their bytes. */
static void put_stored(const struct px_format *f, u32 mask, const u32 v[4], u8 *p)
{
	u32 size = f->bytes / f->ncomp, k;
	u8 bytes[PX_MAX_BYTES];

	if (utgard_is_f32(f)) {
		memcpy(bytes, v, f->bytes);
	} else {
		memcpy(bytes, p, f->bytes);
		px_pack(f, v, f->ncomp, bytes);
	}
	for (k = 0; k < f->ncomp; k++)
		if (mask >> k & 1)
			memcpy(p + k * size, bytes + k * size, size);
}

/* Fast path for varyings with all components stored, see read_block(). */
static bool ugp_run_write_block(struct simt_machine *m, struct simt_block *b,
				const struct simt_group *g, const struct utgard_stream *s)
{
	const struct utgard_run *r = simt_machine_arg(m);
	u32 l, k, n = s->format.ncomp, packed = g->packed, stride = s->stride;
	u32 slot = r->vertex.out[s->reg];
	u8 *p;

	if (!r->vertex.outmask[s->reg])
		return true;
	/* elements that overlap are written in the order of the vertices */
	if (r->gp->dbg || !utgard_is_f32(&s->format) || stride < s->format.bytes ||
	    ~r->vertex.outmask[s->reg] & (BIT(n) - 1))
		return false;
	p = utgard_ptr(m, s->va + g->group * s->stride,
		       (u64)stride * (packed - 1) + s->format.bytes, VS_EXT_WRITE);
	if (!p)
		return false;
	if (n == 4 && is_full(s, packed)) {
		simt_store_rows(simt_machine_simd(m), p, stride, sx_slot(b, slot, 0));
		return true;
	}
	for (k = 0; k < n; k++) {
		const u32 *row = sx_slot(b, slot + k, 0);

		for (l = 0; l < packed; l++)
			memcpy(p + (size_t)l * stride + 4 * k, row + l, 4);
	}
	return true;
}

static bool write_vertex(struct simt_machine *m, struct simt_block *b, u64 inv, u32 lane,
			 u32 done)
{
	const struct utgard_run *r = simt_machine_arg(m);
	u32 i, k, v[4];

	for (i = 0; i < r->gp->nout; i++) {
		const struct utgard_stream *s = &r->gp->out[i];
		u8 *p;

		if (done >> i & 1)
			continue;
		p = ugp_run_output(m, i, inv, lane);
		if (!p)
			return false;
		for (k = 0; k < 4; k++)
			v[k] = *sx_slot(b, r->vertex.out[s->reg] + k, lane);
		put_stored(&s->format, r->vertex.outmask[s->reg], v, p);
	}
	return true;
}

static void ugp_run_start(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	const struct utgard_run *r = simt_machine_arg(m);
	u32 l, streams = r->gp->nattr + (r->branches ? r->gp->nout : 0), done;

	defaults(r, b);
	done = read_blocks(m, b, g);
	simt_charge(m, 8 + LANE_COST * SIMT_LANES / 16 * streams);
	if (done == BIT(r->gp->nattr) - 1 && !r->branches)
		return;
	EACH_LANE(l, b->live) {
		utgard_lanes(m, BIT_ULL(l));
		if (!ugp_run_read_vertex(m, b, g->group + l, l, done) ||
		    (r->branches && !keep_outputs(m, b, g->group + l, l)))
			break;
	}
	utgard_lanes(m, 0);
}

static void ugp_run_end(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	const struct utgard_run *r = simt_machine_arg(m);
	u32 i, l, done = 0;

	simt_charge(m, LANE_COST * SIMT_LANES / 16 * r->gp->nout);
	for (i = 0; i < r->gp->nout; i++)
		if (ugp_run_write_block(m, b, g, &r->gp->out[i]))
			done |= BIT(i);
	for (l = 0; l < g->packed && done != BIT(r->gp->nout) - 1; l++) {
		utgard_lanes(m, BIT_ULL(l));
		if (!write_vertex(m, b, g->group + l, l, done))
			break;
	}
	utgard_lanes(m, 0);
}

/* Vertex programs have no EXT micro-ops. */
static bool ugp_run_ext(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	simt_fault_command(m, b->mask, 0, UTGARD_UNSUPPORTED, 0);
	return false;
}

static const struct simt_ops ops = { .start = ugp_run_start, .ext = ugp_run_ext,
				     .end = ugp_run_end };

/* ---- preparation ---- */

static bool streams_ok(const struct ugp_work *w)
{
	u32 i;

	for (i = 0; i < w->nattr; i++)
		if (w->attr[i].reg >= UGP_NUM_ATTRIBUTES || !utgard_stream_ok(&w->attr[i]))
			return false;
	for (i = 0; i < w->nout; i++)
		if (w->out[i].reg >= UGP_NUM_VARYINGS || !utgard_stream_ok(&w->out[i]) ||
		    w->out[i].format.comp != PX_FLOAT)
			return false;
	return true;
}

static bool sizes_ok(const struct ugp_work *w)
{
	return w->ninsns <= UGP_MAX_INSNS && w->nrows <= UGP_MAX_ROWS && w->instances &&
	       w->nattr <= UGP_NUM_ATTRIBUTES && w->nout <= UGP_NUM_VARYINGS &&
	       w->index_size <= 4 && w->index_size != 3;
}

static bool has_branches(const struct ugp_work *w)
{
	struct ugp_insn insn;
	u32 i;

	for (i = 0; i < w->ninsns; i++) {
		ugp_decode(w->code + UGP_WORDS * i, &insn);
		if (insn.branch)
			return true;
	}
	return false;
}

/* Slots that ugp_run_start() sets in all lanes. */
static void ugp_run_preset(struct utgard_run *r)
{
	u32 i, slot;

	for (i = 0; i < UGP_NUM_ATTRIBUTES; i++)
		if (r->vertex.attr[i] != UGP_NO_SLOT)
			utgard_preset(r, r->vertex.attr[i] + 3, 1);
	for (i = 0; i < r->gp->nattr; i++) {
		const struct utgard_stream *s = &r->gp->attr[i];

		slot = r->vertex.attr[s->reg];
		if (slot != UGP_NO_SLOT)
			utgard_preset(r, slot, utgard_is_f32(&s->format) ? s->format.ncomp : 4);
	}
}

int utgard_launch_gp(struct utgard_run *r, struct vs_fault *fault)
{
	const struct ugp_work *w = r->gp;
	u32 *unif;
	int ret;

	r->branches = has_branches(w);
	unif = simt_arena_alloc(r->arena, r->vertex.prog->nunif, sizeof(*unif));
	if (!unif)
		return -ENOMEM;
	ret = utgard_uniforms(r, w->uniforms, 16ULL * w->nrows, 4ULL * r->vertex.prog->nunif,
			      unif, fault);
	if (ret)
		return ret;
	r->ubo = (struct simt_ubo){ .va = w->uniforms, .size = 16ULL * w->nrows };
	r->l = (struct simt_launch){
		.prog = r->vertex.prog, .ops = &ops, .local = { 1, 1, 1 },
		.groups = { w->count, w->instances, 1 }, .unif = unif,
		.dbg = w->dbg, .code_va = w->code_va,
	};
	ugp_run_preset(r);
	/* other programs use these slots differently */
	if (w->dbg)
		r->l.regs = ugp_debug_regs(&r->l.nregs);
	return utgard_launch(r, r->vertex.tls, fault);
}

static int ugp_run_begin(struct utgard_run *r, const struct ugp_work *w, struct vs_fault *fault)
{
	struct vs_reject rej = {};
	int ret;

	if (!sizes_ok(w))
		return vs_fault_command(fault, 0, UTGARD_BAD_SIZE, 0);
	if (!streams_ok(w))
		return vs_fault_command(fault, 0, UTGARD_BAD_STREAM, 0);
	ret = ugp_lower_new(r->arena, w->code, w->ninsns, w->dbg ? UGP_LOWER_DEBUG : 0,
			    &r->vertex, &r->lowering, &rej);
	return ret == -ENOEXEC ? utgard_reject(fault, &rej) : ret;
}

int utgard_prepare_gp(struct utgard_run *r, const struct ugp_work *w, struct vs_fault *fault)
{
	int ret;

	utgard_begin(r, fault);
	r->gp = w;
	ret = ugp_run_begin(r, w, fault);
	if (ret)
		utgard_run_end(r);
	return ret ? ret : -EAGAIN;
}
