/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Peripheral accesses of groups: frequent ones that cannot fault are executed here, with the
 * vectors of the including executor; others call the slow path.
 */
#ifndef QPU_EXEC_PERIPH_H
#define QPU_EXEC_PERIPH_H

static __always_inline void copy_vector(u32 *d, const u32 *a)
{
	u32 l;

	EACH_LANE(l)
		st_i(d + l, ld_i(a + l));
}

/* ---- vertex pipeline memory ---- */

static noinline enum qpu_periph vpm_read(struct qpu_vm *vm, const struct qpu_uop *u)
{
	struct qpu_shared *s = vm->s;
	u32 n = vm->n, k, q, e;

	EACH_QPU(q) {
		struct qpu_core *core = &s->core[q];
		const struct qpu_vpm_gen *g = core->vpm.rd;
		u32 *d = vm->v[q][u->d];

		if (!core->vpm.nrd || g->kind == QPU_VPM_OTHER) {
			if (qpu_vpm_read(s, core, d))
				return QPU_PERIPH_FAULT;
		} else if (g->kind == QPU_VPM_ROW) {
			copy_vector(d, s->vpm[g->addr % QPU_VPM_ROWS]);
			qpu_vpm_next(&core->vpm);
		} else {
			const u32 *p = qpu_vpm_column(s, g);

			for (e = 0; e < QPU_LANES; e++)
				d[e] = p[e * QPU_LANES];
			qpu_vpm_next(&core->vpm);
		}
		if (u->a != u->d)
			copy_vector(vm->v[q][u->a], d);
	}
	return QPU_PERIPH_OK;
}

static noinline void vpm_write(struct qpu_vm *vm, const struct qpu_uop *u)
{
	struct qpu_shared *s = vm->s;
	u32 n = vm->n, k, q, e;

	EACH_QPU(q) {
		struct qpu_vpm_gen *g = &s->core[q].vpm.wr;
		const u32 *a = vm->v[q][u->a];

		if (g->kind == QPU_VPM_ROW) {
			copy_vector(s->vpm[g->addr % QPU_VPM_ROWS], a);
		} else if (g->kind == QPU_VPM_COLUMN) {
			u32 *p = qpu_vpm_column(s, g);

			VS_UNROLL(16)
			for (e = 0; e < QPU_LANES; e++)
				p[e * QPU_LANES] = a[e];
		} else {
			qpu_vpm_write(s, &s->core[q], a, 0xffff);
			continue;
		}
		g->addr += g->stride;
	}
}

/* ---- memory lookups ---- */

/*
 * Offsets of addresses @a in @l. Out-of-range offsets are 0, also under speculation, because
 * they are computed in vectors (Spectre v1). Return: all are in range.
 */
static __always_inline bool lookup_offsets(const struct qpu_lookup *l, const u32 *a, u32 *off,
					   bool *row)
{
	vi lo = splat_i(l->lo), last = splat_i(l->bytes - 4), step = splat_i(0), out, x;
	u32 first = (a[0] & QPU_ADDR_MASK & ~3U) - l->lo, outside = 0, other = 0, e;

#if VS_W > 1
	for (e = 0; e < VS_W; e++)
		step[e] = 4 * e;
#endif
	EACH_LANE(e) {
		x = (vi)((vu)(ld_i(a + e) & splat_i(QPU_ADDR_MASK & ~3U)) - (vu)lo);
		out = u_gt(x, last);
		x &= ~out;
		st_i(off + e, x);
		outside |= bits_of(out, e);
		other |= bits_of(~i_eq(x, (vi)((vu)splat_i(first + 4 * e) + (vu)step)), e);
	}
	*row = !other;
	return !outside;
}

/* Read successive words; in range, but clamped against speculation. */
static __always_inline void lookup_row(const struct qpu_lookup *l, u32 off, u32 *v)
{
	u32 out = off + 4 * QPU_LANES > l->bytes;

	__asm__ ("" : "+r"(out));
	memcpy(v, l->kva + (off & (out - 1)), 4 * QPU_LANES);
}

static __always_inline bool lookup(const struct qpu_lookup *l, const u32 *a, u32 *v)
{
	u32 off[QPU_LANES] __aligned(64), e;
	const u8 *kva = l->kva;
	bool row;

	if (l->bytes < 4 * QPU_LANES || !lookup_offsets(l, a, off, &row))
		return false;
	if (row) {
		lookup_row(l, off[0], v);
		return true;
	}
	VS_UNROLL(16)
	for (e = 0; e < QPU_LANES; e++)
		memcpy(&v[e], kva + off[e], 4);
	return true;
}

static noinline void tmu_request(struct qpu_vm *vm, const struct qpu_uop *u)
{
	struct qpu_shared *s = vm->s;
	const struct qpu_lookup *l = &s->lookup[u->b];
	u32 n = vm->n, k, q;

	EACH_QPU(q) {
		struct qpu_tmu *t = &s->core[q].tmu[u->b];
		const u32 *a = vm->v[q][u->a];

		if (t->count < QPU_TMU_DEPTH &&
		    lookup(l, a, t->fifo[(t->head + t->count) % QPU_TMU_DEPTH]))
			t->count++;
		else
			qpu_tmu_write(s, &s->core[q], u->b, 0, a, 0xffff);
	}
}

static __always_inline void take_result(struct qpu_vm *vm, u32 q, u32 unit)
{
	struct qpu_tmu *t = &vm->s->core[q].tmu[unit];

	copy_vector(vm->v[q][QPU_S_R4], t->fifo[t->head]);
	qpu_tmu_pop(t);
}

/* Return: false, without side effects, if a lookup needs the slow path. */
static noinline bool tmu_load(struct qpu_vm *vm, const struct qpu_uop *u)
{
	u32 n = vm->n, late = 0, k, q;

	EACH_QPU(q) {
		if (!vm->s->core[q].tmu[u->b].count)
			late |= 1U << q;
	}
	if (late && !u->a)
		return false;
	vm->late = late;
	EACH_QPU(q) {
		if (!(late >> q & 1))
			take_result(vm, q, u->b);
	}
	return true;
}

static noinline void tmu_load_late(struct qpu_vm *vm, const struct qpu_uop *u)
{
	u32 n = vm->n, k, q;

	EACH_QPU(q) {
		if (vm->late >> q & 1)
			take_result(vm, q, u->b);
	}
}

/* Execute the peripheral accesses of a group. */
static noinline enum qpu_periph periph(struct qpu_vm *vm, const struct qpu_uop *u)
{
	switch (u->h / QPU_NUM_VARIANTS) {
	case QPU_U_VPM_READ:
		return vpm_read(vm, u);
	case QPU_U_VPM_WRITE:
		vpm_write(vm, u);
		return QPU_PERIPH_OK;
	case QPU_U_TMU:
		if (vm->s->coords)
			return qpu_periph_all(vm, u);
		tmu_request(vm, u);
		return QPU_PERIPH_OK;
	case QPU_U_LDTMU:
		return !vm->s->coords && tmu_load(vm, u) ? QPU_PERIPH_OK : qpu_periph_all(vm, u);
	case QPU_U_LDTMU_LATE:
		if (vm->late)
			tmu_load_late(vm, u);
		return QPU_PERIPH_OK;
	case QPU_U_VPM_CTL:
		return qpu_periph_ctl(vm, u);
	default:
		return qpu_periph_all(vm, u);
	}
}

#endif /* QPU_EXEC_PERIPH_H */
