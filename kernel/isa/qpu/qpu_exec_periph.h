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
	u8 *pd = (u8 *)vm->v[0][u->d], *pa = (u8 *)vm->v[0][u->a];
	struct qpu_shared *s = vm->s;
	u32 n = vm->n, k, e;

	EACH_GROUP {
		struct qpu_core *core = vm->core[k];
		const struct qpu_vpm_gen *g = core->vpm.rd;
		u32 *d = SLOT(pd);

		if (!core->vpm.nrd || g->kind == QPU_VPM_OTHER) {
			if (qpu_vpm_read(s, core, d))
				return QPU_PERIPH_FAULT;
		} else if (g->kind == QPU_VPM_ROW) {
			copy_vector(d, qpu_vpm_row(s, core->in, g));
			qpu_vpm_next(&core->vpm);
		} else {
			const u32 *p = qpu_vpm_column(s, core->in, g);

			VS_UNROLL(16)
			for (e = 0; e < QPU_LANES; e++)
				d[e] = p[e * QPU_LANES];
			qpu_vpm_next(&core->vpm);
		}
		if (u->a != u->d)
			copy_vector(SLOT(pa), d);
	}
	return QPU_PERIPH_OK;
}

static noinline void vpm_write(struct qpu_vm *vm, const struct qpu_uop *u)
{
	u8 *pa = (u8 *)vm->v[0][u->a];
	struct qpu_shared *s = vm->s;
	u32 n = vm->n, k, e;

	EACH_GROUP {
		struct qpu_core *core = vm->core[k];
		struct qpu_vpm_gen *g = &core->vpm.wr;
		const u32 *a = SLOT(pa);

		if (g->kind == QPU_VPM_ROW) {
			copy_vector(qpu_vpm_row(s, core->out, g), a);
		} else if (g->kind == QPU_VPM_COLUMN) {
			u32 *p = qpu_vpm_column(s, core->out, g);

			VS_UNROLL(16)
			for (e = 0; e < QPU_LANES; e++)
				p[e * QPU_LANES] = a[e];
		} else {
			qpu_vpm_write(s, core, a, 0xffff);
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
static __always_inline bool lookup_offsets(const struct qpu_lookup *l, const u32 *a, u32 *off)
{
	vi lo = splat_i(l->lo), last = splat_i(l->bytes - 4), out, x;
	u32 outside = 0, e;

	EACH_LANE(e) {
		x = (vi)((vu)(ld_i(a + e) & splat_i(QPU_ADDR_MASK & ~3U)) - (vu)lo);
		out = u_gt(x, last);
		st_i(off + e, x & ~out);
		outside |= bits_of(out, e);
	}
	return !outside;
}

/* Are these addresses of successive words, from a multiple of four on? */
static __always_inline bool is_row(const u32 *a)
{
	vi step = splat_i(0), other = splat_i(a[0] & 3);
	u32 e;

#if VS_W > 1
	for (e = 0; e < VS_W; e++)
		step[e] = 4 * e;
#endif
	EACH_LANE(e)
		other |= ld_i(a + e) ^ (vi)((vu)splat_i(a[0] + 4 * e) + (vu)step);
	return !v_movemask(~i_eq(other, splat_i(0)));
}

static __always_inline bool lookup(const struct qpu_lookup *l, const u32 *a, u32 *v)
{
	u32 off[QPU_LANES] __aligned(64), e;
	const u8 *kva = l->kva, *p;

	if (is_row(a)) {
		p = qpu_lookup_row(l, a[0]);
		if (p)
			memcpy(v, p, 4 * QPU_LANES);
		return p;
	}
	if (l->bytes < 4 || !lookup_offsets(l, a, off))
		return false;
	VS_UNROLL(16)
	for (e = 0; e < QPU_LANES; e++)
		memcpy(&v[e], kva + off[e], 4);
	return true;
}

static noinline void tmu_request(struct qpu_vm *vm, const struct qpu_uop *u)
{
	u8 *pa = (u8 *)vm->v[0][u->a];
	struct qpu_shared *s = vm->s;
	const struct qpu_lookup *l = &s->lookup[u->b];
	u32 n = vm->n, k;

	EACH_GROUP {
		struct qpu_tmu *t = &vm->core[k]->tmu[u->b];
		const u32 *a = SLOT(pa);

		if (t->count < QPU_TMU_DEPTH &&
		    lookup(l, a, t->fifo[(t->head + t->count) % QPU_TMU_DEPTH]))
			t->count++;
		else
			qpu_tmu_write(s, vm->core[k], u->b, 0, a, 0xffff);
	}
}

static __always_inline void take_result(struct qpu_vm *vm, u32 k, u32 unit)
{
	struct qpu_tmu *t = &vm->core[k]->tmu[unit];

	copy_vector(SLOT((u8 *)vm->v[0][QPU_S_R4]), t->fifo[t->head]);
	qpu_tmu_pop(t);
}

/* Return: false, without side effects, if a lookup needs the slow path. */
static noinline bool tmu_load(struct qpu_vm *vm, const struct qpu_uop *u)
{
	u32 n = vm->n, late = 0, k;

	EACH_GROUP
		late |= (u32)!vm->core[k]->tmu[u->b].count << k;
	if (unlikely(late && !u->a))
		return false;
	vm->late = late;
	EACH_GROUP {
		if (likely(!(late >> k & 1)))
			take_result(vm, k, u->b);
	}
	return true;
}

static noinline void tmu_load_late(struct qpu_vm *vm, const struct qpu_uop *u)
{
	u32 n = vm->n, k;

	EACH_GROUP {
		if (vm->late >> k & 1)
			take_result(vm, k, u->b);
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
