// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Launches of Utgard processors on the SIMT machine: parts common to both processors.
 */
#include "../mali/mali_pack.h"
#include "utgard_run_int.h"
#include "utgard_tex.h"

/* Thread memory, outside of the guest's address range. */
#define TLS_VA		VS_INTERNAL_VA

static const char *const reasons[] = {
	[UTGARD_OK - UTGARD_REASON] = "no error",
	[UTGARD_BAD_SIZE - UTGARD_REASON] = "too many vertices, rows, streams or temporaries",
	[UTGARD_BAD_STREAM - UTGARD_REASON] = "no such register, or unsupported format",
	[UTGARD_BAD_FRAGMENT - UTGARD_REASON] = "rectangle, primitive or target",
	[UTGARD_UNSUPPORTED - UTGARD_REASON] = "unsupported operation in the program",
};

/**
 * utgard_reason_text - text of a reject reason
 * @reason: enum utgard_reason, or UTX_REASON plus enum utx_reason
 *
 * Return: text, never NULL.
 */
const char *utgard_reason_text(u32 reason)
{
	if (reason >= UTX_REASON)
		return utx_reason_text(reason);
	if (reason < UTGARD_REASON || reason >= UTGARD_REASON_END)
		return "?";
	return reasons[reason - UTGARD_REASON];
}

/* ---- streams ---- */

bool utgard_format(enum px_comp comp, u32 bits, u32 ncomp, struct px_format *f)
{
	u32 i;

	if ((bits != 8 && bits != 16 && bits != 32) || !ncomp || ncomp > 4 ||
	    (comp == PX_FLOAT && bits == 8) || (comp == PX_FIXED && bits != 32))
		return false;
	*f = (struct px_format){ .layout = PX_PLAIN, .comp = comp, .ncomp = ncomp,
				   .bytes = ncomp * bits / 8 };
	for (i = 0; i < 4; i++) {
		f->bits[i] = i < ncomp ? bits : 0;
		f->swizzle[i] = i < ncomp ? i : i == 3 ? PX_SWZ_1 : PX_SWZ_0;
	}
	return true;
}

bool utgard_stream_ok(const struct utgard_stream *s)
{
	return s->format.layout == PX_PLAIN && s->format.ncomp && s->format.bytes &&
	       px_format_readable(&s->format);
}

void utgard_read(const struct utgard_stream *s, const void *p, u32 v[4])
{
	u32 raw[4];

	if (utgard_is_f32(&s->format)) {
		v[0] = 0;
		v[1] = 0;
		v[2] = 0;
		v[3] = 0x3f800000;
		memcpy(v, p, s->format.bytes);
		return;
	}
	px_unpack(&s->format, p, raw);
	mali_to_reg(px_format_kind(&s->format), raw, MALI_REG_F32, 4, v);
}

void *utgard_ptr(struct simt_machine *m, u64 va, u64 size, u32 need)
{
	return va < VS_INTERNAL_VA ? simt_ptr(m, va, size, need) : NULL;
}

const u8 *utgard_elem(struct simt_machine *m, const struct utgard_stream *s, u64 elem, u64 mask,
		      u32 number)
{
	u64 va = s->va + elem * s->stride;
	const u8 *p = utgard_ptr(m, va, s->format.bytes, 0);

	if (p)
		return p;
	simt_fault(m, VS_FAULT_READ, mask, va, s->format.bytes);
	simt_fault_stream(m, number);
	return NULL;
}

/* ---- faults ---- */

int utgard_reject(struct vs_fault *f, const struct vs_reject *rej)
{
	return vs_fault_program(f, 0, rej->offset, rej->reason, rej->value);
}

/* ---- launches ---- */

struct utgard_run *utgard_run_new(struct simt_arena *a, const struct vs_map *map)
{
	struct utgard_run *r = simt_arena_alloc(a, 1, sizeof(*r));

	if (!r)
		return NULL;
	r->arena = a;
	r->guest = map;
	r->mark = a->used;
	return r;
}

void utgard_begin(struct utgard_run *r, struct vs_fault *fault)
{
	struct simt_arena *a = r->arena;
	const struct vs_map *guest = r->guest;

	memset(fault, 0, sizeof(*fault));
	memset(r, 0, sizeof(*r));
	r->arena = a;
	r->guest = guest;
	r->map = *guest;
	r->mark = a->used;
}

int utgard_uniforms(struct utgard_run *r, u64 va, u64 have, u64 want, void *to,
		    struct vs_fault *fault)
{
	u64 n = min(have, want), got;

	if (!n)
		return 0;
	got = va < VS_INTERNAL_VA ? vs_map_read(r->guest, va, to, n) : 0;
	return got < n ? vs_fault_memory(fault, VS_FAULT_READ, va + got, n - got) : 0;
}

/* Map memory for the threads of a block, outside of the guest's address range. */
static int thread_memory(struct utgard_run *r, u32 bytes)
{
	u64 total = (u64)bytes * SIMT_LANES;
	u8 *p = simt_arena_alloc(r->arena, total, 1);

	if (!p)
		return -ENOMEM;
	r->tls = (struct vs_extent){ .lo = TLS_VA, .hi = TLS_VA + total, .kva = p,
				     .flags = VS_EXT_WRITE };
	r->map = (struct vs_map){ .n = 1, .ext = &r->tls, .base = r->guest };
	r->l.tls_va = TLS_VA;
	r->l.tls_size = bytes;
	r->l.tls_total = total;
	return 0;
}

void utgard_preset(struct utgard_run *r, u32 slot, u32 n)
{
	u32 i, at;

	for (i = 0; i < n; i++) {
		at = simt_prog_slot(r->l.prog, slot + i);
		if (at < r->l.prog->own && at < SIMT_LIVE_SLOTS)
			r->l.preset[at / 64] |= BIT_ULL(at % 64);
	}
}

int utgard_launch(struct utgard_run *r, u32 tls, struct vs_fault *fault)
{
	int ret = tls ? thread_memory(r, tls) : 0;

	if (ret)
		return ret;
	r->l.arg = r;
	r->l.ubo = &r->ubo;
	r->l.nubo = 1;
	r->rest = simt_arena_rest(r->arena, r->arena->size);
	r->m = simt_machine_new(&r->rest, &r->map);
	ret = r->m ? simt_machine_launch(r->m, &r->l) : -ENOMEM;
	return ret == -EINVAL ?
		vs_fault_command(fault, 0, UTGARD_BAD_SIZE, 0) : ret;
}

static int utgard_run_lower(struct utgard_run *r, struct vs_fault *fault)
{
	struct vs_reject rej = {};
	u32 left = SIMT_PIECE;
	int ret;

	ret = simt_front_step(r->lowering, &left, r->gp ? &r->vertex.prog : &r->pixel.prog, &rej);
	r->cost += 1 + (SIMT_PIECE - left) / UTGARD_VISITS;
	return ret == -ENOEXEC ? utgard_reject(fault, &rej) : ret;
}

int utgard_prepare_step(struct utgard_run *r, struct vs_fault *fault)
{
	int ret = utgard_run_lower(r, fault);

	if (!ret)
		ret = r->gp ? utgard_launch_gp(r, fault) : utgard_launch_pp(r, fault);
	if (ret && ret != -EAGAIN)
		utgard_run_end(r);
	return ret;
}

struct simt_machine *utgard_run_machine(const struct utgard_run *r)
{
	return r->m;
}

/**
 * utgard_run_end - end or cancel a launch
 * @r: machine
 */
void utgard_run_end(struct utgard_run *r)
{
	r->m = NULL;
	simt_arena_reset(r->arena, r->mark);
}

u32 utgard_run_cost(struct utgard_run *r)
{
	u32 cost = r->cost;

	r->cost = 0;
	return cost;
}
