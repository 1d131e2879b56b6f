// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The debugger's view of a launch. Between guest instructions, registers are in their slots. */
#include "../vs_debug.h"
#include "../vs_post.h"
#include "simt_intern.h"

/* Group numbers: running paths of a block first, then waiting ones. */
#define BLOCK_GROUPS	(2 * SIMT_LANES)

/* ---- location of invocations ---- */

/* The block that holds the control state: the first one of those in step. */
static struct simt_wave_block *simt_debug_leader(const struct simt_machine *m, u32 block)
{
	return &m->blocks[m->in_step ? block / m->most * m->most : block];
}

/* Block and lane of a started thread. Return: false if there is none. */
static bool simt_debug_place_of(const struct simt_machine *m, u64 inv, u32 *block, u32 *lane)
{
	u64 group = inv / m->threads;
	u32 thread = inv % m->threads, k;

	for (k = 0; m->active && k < m->teams; k++) {
		const struct simt_group *g = &m->blocks[k].g;

		if (group < g->group || group - g->group >= g->packed)
			continue;
		*block = k;
		if (m->packed > 1) {
			*lane = (u32)(group - g->group) * m->stride + thread;
		} else {
			*block += thread / SIMT_LANES * m->most;
			*lane = thread % SIMT_LANES;
		}
		return simt_debug_leader(m, *block)->b.live >> *lane & 1;
	}
	return false;
}

static u32 guest_of(const struct simt_machine *m, u32 pc)
{
	return m->l.prog->uops[pc].guest;
}

static bool is_part(const struct simt_uop *u)
{
	return u->op == SIMT_JOIN && u->imm >= SIMT_GUEST;
}

/* That of the last SIMT_GUEST. */
u32 simt_debug_part(const struct simt_machine *m, u32 pc)
{
	const struct simt_uop *u = &m->l.prog->uops[pc];

	while (u > m->l.prog->uops && u[-1].guest == u->guest && !is_part(u))
		u--;
	return is_part(u) ? u->imm - SIMT_GUEST : 0;
}

static u32 block_of(const struct simt_machine *m)
{
	return m->wb - m->blocks;
}

static void simt_debug_group(void *arg, struct vs_debug_group *g)
{
	struct simt_machine *m = arg;
	u64 lanes = m->wb->b.mask;

	*g = (struct vs_debug_group){
		.invocation = simt_invocation(m, m->wb, lanes ? __ffs64(lanes) : 0),
		.lanes = lanes,
		.active = hweight64(lanes),
		.group = block_of(m) * BLOCK_GROUPS + m->wb->cur,
	};
}

/* Invocation numbers ascend with lane numbers. */
static u64 simt_debug_find(void *arg, u64 first, u64 last)
{
	struct simt_machine *m = arg;
	u64 left, inv;

	for (left = m->wb->b.mask; left; left &= left - 1) {
		inv = simt_invocation(m, m->wb, __ffs64(left));
		if (inv >= first && inv <= last)
			return inv;
	}
	return VS_DEBUG_NOBODY;
}

static bool simt_debug_alive(void *arg, u64 inv)
{
	u32 block, lane;

	return simt_debug_place_of(arg, inv, &block, &lane);
}

static u32 list_paths(struct simt_machine *m, u32 block, bool wait, struct vs_debug_inv *out,
		      u32 max)
{
	struct simt_wave_block *wb = &m->blocks[block], *first = simt_debug_leader(m, block);
	const struct simt_paths *p = wait ? &first->wait : &first->run;
	bool faulted = m->fault.kind && m->fault.pc != ~0U;
	u32 i, n = 0;
	u64 left;

	for (i = 0; i < p->n; i++) {
		for (left = p->mask[i] & first->b.live; left; left &= left - 1, n++) {
			u32 lane = __ffs64(left);
			bool runs = !wait && wb == m->wb && i == first->cur;

			if (n >= max)
				continue;
			out[n] = (struct vs_debug_inv){
				.invocation = simt_invocation(m, wb, lane),
				.pc = runs && faulted ? m->fault.pc : guest_of(m, p->pc[i]),
				.state = wait ? VS_DEBUG_INV_WAIT : runs ?
					 VS_DEBUG_INV_CURRENT : VS_DEBUG_INV_READY,
				.group = block * BLOCK_GROUPS + i + (wait ? SIMT_LANES : 0),
				.lane = lane,
				.flags = first->b.helper >> lane & 1 ? VS_DEBUG_INV_HELPER : 0,
				.part = simt_debug_part(m, runs && faulted ?
						(u32)(m->uop - m->l.prog->uops) : p->pc[i]),
			};
		}
	}
	return n;
}

static u32 simt_debug_list(void *arg, struct vs_debug_inv *out, u32 max)
{
	struct simt_machine *m = arg;
	u32 i, n = 0;

	if (!m->active)
		return 0;
	for (i = 0; i < m->nblocks * m->most; i++) {
		if (i % m->most >= m->teams)
			continue;
		n += list_paths(m, i, false, out + min(n, max), max - min(n, max));
		n += list_paths(m, i, true, out + min(n, max), max - min(n, max));
	}
	return n;
}

/* ---- registers ---- */

static const struct simt_reg *find_reg(const struct simt_machine *m, u32 reg)
{
	u32 i;

	for (i = 0; i < m->l.nregs; i++) {
		const struct simt_reg *r = &m->l.regs[i];

		if (reg >= r->first && reg - r->first < r->count)
			return r;
	}
	return NULL;
}

/*
 * The words of a uniform that a debugged launch does not have are zeros. Others have those that the
 * program reads.
 */
static int simt_debug_access_uniform(struct simt_machine *m, u32 word, u32 *val, bool write)
{
	u32 k;

	if (word >= m->l.prog->nunif) {
		*val = write ? *val : 0;
		return m->l.prog->debug ? 0 : -ENODATA;
	}
	if (!write)
		*val = m->unif[16 * word];
	for (k = 0; write && k < 16; k++)
		m->unif[16 * word + k] = *val;
	return 0;
}

/* Access word @word of a thread's memory, which has no other user meanwhile. */
static int access_thread(struct simt_machine *m, u32 block, u32 lane, u32 word, u32 *val,
			 bool write)
{
	u64 size, va = simt_seg_base(m, &m->blocks[block], SIMT_SEG_TLS, lane, &size);
	size_t done;

	if (4ULL * word + 4 > size)
		return -ENOENT;
	va += 4ULL * word;
	done = write ? vs_map_write(m->tlb.map, va, val, 4) : vs_map_read(m->tlb.map, va, val, 4);
	return done == 4 ? 0 : -ENOENT;
}

static int simt_debug_access_slot(struct simt_machine *m, u32 block, u32 lane, u32 at, u32 *val,
				  bool write)
{
	u32 *slot;

	at = simt_prog_slot(m->l.prog, at);
	if (at == SIMT_NOWHERE)
		return -ENODATA;
	if (at >= m->l.prog->nslots)
		return -ENOENT;
	if (!simt_slot_known(m, at))
		return -ENODATA;
	slot = simt_slot(&m->blocks[block].b, at) + lane;
	if (write)
		*slot = *val;
	else
		*val = *slot;
	return 0;
}

static int simt_debug_access_reg(void *arg, u64 inv, u32 reg, u32 *val, bool write)
{
	struct simt_machine *m = arg;
	const struct simt_reg *r = find_reg(m, reg);
	u32 block, lane, c, at;
	int ret = 0;

	if (!r || !simt_debug_place_of(m, inv, &block, &lane))
		return -ENOENT;
	if (r->get) {
		if (write)
			return -EACCES;
		r->get(m, lane, val);
		return 0;
	}
	for (c = 0; c < r->comps && !ret; c++) {
		at = (r->at & ~SIMT_U) + (reg - r->first) * r->comps + c;
		if (write && r->fit)
			val[c] = r->fit(val[c]);
		if (r->thread)
			ret = access_thread(m, block, lane, at, &val[c], write);
		else if (r->at & SIMT_U)
			ret = simt_debug_access_uniform(m, at, &val[c], write);
		else
			ret = simt_debug_access_slot(m, block, lane, at, &val[c], write);
	}
	return ret;
}

/* First micro-op of the guest instruction at @pc; @nuops: none. */
static u32 find_guest(const struct simt_prog *p, u32 pc)
{
	u32 i;

	for (i = 0; i < p->nuops; i++) {
		if (p->uops[i].op == SIMT_JOIN && p->uops[i].imm == SIMT_GUEST &&
		    p->uops[i].guest == pc)
			break;
	}
	return i;
}

static int jump(void *arg, u64 inv, u32 pc)
{
	struct simt_machine *m = arg;
	u32 block, lane, to = find_guest(m->l.prog, pc);

	if (!simt_debug_place_of(m, inv, &block, &lane))
		return -ENOENT;
	if (to == m->l.prog->nuops)
		return -EINVAL;
	return simt_flow_move(&m->blocks[block], lane, to) ? 0 : -EBUSY;
}

static u64 code(void *arg, u32 *pc)
{
	struct simt_machine *m = arg;

	return m->l.ops->code ? m->l.ops->code(m->l.arg, pc) : m->l.code_va;
}

static const struct vs_debug_ops ops = {
	.group = simt_debug_group,
	.find = simt_debug_find,
	.alive = simt_debug_alive,
	.list = simt_debug_list,
	.reg = simt_debug_access_reg,
	.jump = jump,
	.code = code,
};

void simt_debug_post(struct simt_machine *m, struct vs_job *job)
{
	vs_job_set_post(job, &ops, m, m->l.code_va, m->l.prog->debug);
}

void simt_debug_begin(struct simt_machine *m)
{
	vs_debug_machine(m->l.dbg, &ops, m, m->tlb.map, m->l.code_va);
}

/* ---- memory ---- */

static u32 flags_of(u32 op)
{
	return op == SIMT_LD ? VS_DEBUG_READ : op == SIMT_ST ? VS_DEBUG_WRITE :
	       VS_DEBUG_READ | VS_DEBUG_WRITE;
}

void simt_debug_access(struct simt_machine *m, const struct simt_block *b)
{
	const struct simt_uop *u = m->uop;
	u64 left = b->mask, va = 0;
	bool zero, ok;
	u32 l, bytes;

	if (!vs_debug_watches(m->l.dbg) || simt_opinfo[u->op].class != SIMT_CL_M)
		return;
	if (u->op != SIMT_LD)
		left &= ~b->helper;
	m->l.dbg->part = simt_debug_part(m, u - m->l.prog->uops);
	m->left -= SIMT_POINTS_TIME * hweight64(left);
	bytes = u->op != SIMT_ATOM ? SIMT_MEM_BYTES(u->imm) : u->imm & SIMT_ATOM_64 ? 8 : 4;
	for (; left; left &= left - 1) {
		l = __ffs64(left);
		ok = u->op == SIMT_ATOM ? simt_atomic_address(m, b, u, l, &va) :
		     simt_mem_address(m, b, u, l, &va, &zero);
		if (ok)
			vs_debug_access(m->l.dbg, simt_invocation(m, m->wb, l), u->guest, va, bytes,
					flags_of(u->op));
	}
}

void simt_debug_lanes(struct simt_machine *m, u64 lanes)
{
	m->lanes = lanes;
}

/* The lane that an EXT serves is unknown: use the first active one. */
void simt_debug_ptr(struct simt_machine *m, u64 va, u64 size, u32 need)
{
	u64 lanes = m->lanes ? m->lanes : m->wb->b.mask;

	if (!vs_debug_watches(m->l.dbg) || (!m->lanes && m->uop->op != SIMT_EXT))
		return;
	m->l.dbg->part = simt_debug_part(m, m->uop - m->l.prog->uops);
	vs_debug_access(m->l.dbg, simt_invocation(m, m->wb, lanes ? __ffs64(lanes) : 0),
			m->uop->guest, va, size,
			need & VS_EXT_WRITE ? VS_DEBUG_WRITE : VS_DEBUG_READ);
}
