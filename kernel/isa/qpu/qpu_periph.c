// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Peripheral accesses as micro-ops, for instructions whose only special effects are accesses
 * to the vertex pipeline memory, DMA and lookup units. They cannot stall, so they are part of
 * runs.
 *
 * QPUs of a group access in turn. The visible order is that of one QPU executing the
 * instruction after the other: an access gets a micro-op of its own only if it cannot fault
 * or is its instruction's only externally visible one.
 */
#include "qpu_run.h"

/* ---- emission ---- */

static struct qpu_uop *qpu_periph_emit(struct qpu_uop *u, u32 *n, u32 op, u32 dec)
{
	u[*n] = (struct qpu_uop){
		.h = QPU_HANDLER(op, QPU_V_PLAIN),
		.cond = QPU_COND_ALWAYS,
		.imm = dec,
	};
	return &u[(*n)++];
}

u32 qpu_periph_before(const struct qpu_dec *d, u32 dec, struct qpu_uop *u)
{
	struct qpu_uop *x;
	u32 n = 0;

	if (!d->simple || !(d->x & QPU_X_READ))
		return 0;
	x = qpu_periph_emit(u, &n, QPU_U_VPM_READ, dec);
	x->d = d->rd[0] ? QPU_S_PA : QPU_S_PB;
	x->a = d->rd[1] ? QPU_S_PB : QPU_S_PA;
	return n;
}

static bool is_request(u32 waddr)
{
	return waddr == QPU_W_TMU0_S || waddr == QPU_W_TMU1_S;
}

static u32 unit_of(u32 waddr)
{
	return waddr >= QPU_W_TMU1_S;
}

static void emit_write(const struct qpu_dec *d, u32 i, u32 dec, struct qpu_uop *u, u32 *n)
{
	u32 w = d->wr[i], op = is_request(w) ? QPU_U_TMU :
			       w == QPU_W_VPM ? QPU_U_VPM_WRITE : QPU_U_VPM_CTL;
	struct qpu_uop *x = qpu_periph_emit(u, n, op, dec);

	x->a = d->wslot[i];
	x->b = is_request(w) ? unit_of(w) : d->wfile[i];
	x->d = w;
}

/* Must two writes stay together, as one of them can fault or is externally visible? */
static bool is_whole(const struct qpu_dec *d)
{
	return d->wr[0] && d->wr[1] && !(is_request(d->wr[0]) && is_request(d->wr[1]));
}

static bool requests(const struct qpu_dec *d, u32 unit)
{
	u32 i;

	for (i = 0; i < 2; i++) {
		if (is_request(d->wr[i]) && unit_of(d->wr[i]) == unit)
			return true;
	}
	return false;
}

u32 qpu_periph_after(const struct qpu_dec *d, u32 dec, bool strict, struct qpu_uop *u)
{
	u32 unit = d->sig - QPU_SIG_LDTMU0, n = 0, i;
	bool load = d->x & QPU_X_SIGNAL;
	struct qpu_uop *x;

	if (!d->simple || !(d->x & (QPU_X_WRITE | QPU_X_SIGNAL)))
		return 0;
	if (strict || is_whole(d)) {
		qpu_periph_emit(u, &n, QPU_U_PERIPH, dec);
		return n;
	}
	if (load) {
		x = qpu_periph_emit(u, &n, QPU_U_LDTMU, dec);
		x->a = requests(d, unit);
		x->b = unit;
	}
	for (i = 0; i < 2; i++) {
		if (d->wr[i])
			emit_write(d, i, dec, u, &n);
	}
	if (load && requests(d, unit))
		qpu_periph_emit(u, &n, QPU_U_LDTMU_LATE, dec)->b = unit;
	for (i = 0; i < n; i++)
		u[i].pad = n - 1 - i;
	return n;
}

u32 qpu_periph_weight(const struct qpu_dec *d)
{
	return !d->simple ? 0 : 1 + 2 * (is_request(d->wr[0]) + is_request(d->wr[1]));
}

/* ---- execution ---- */

static struct qpu_machine *qpu_periph_machine_of(struct qpu_vm *vm)
{
	return container_of(vm, struct qpu_machine, vm);
}

enum qpu_ev qpu_periph_vpm(struct qpu_machine *m, struct qpu_core *q, u32 waddr, u32 file,
			   u32 word)
{
	if (waddr == QPU_W_VPM_SETUP)
		return file ? qpu_vpm_wr_setup(&m->s, q, word) : qpu_vpm_rd_setup(&m->s, q, word);
	qpu_charge(m, file ? q->vpm.st_weight : 24);
	/* columns take up to twice as long as rows */
	if (file && !(q->vpm.st_setup >> 14 & 1))
		m->left -= q->vpm.st_weight;
	return file ? qpu_dma_store(&m->s, q, word) : qpu_dma_load(&m->s, q, word);
}

/* Return QPU_PERIPH_STOP if transfers have used up the slice. */
static enum qpu_periph outcome(const struct qpu_machine *m, bool good)
{
	if (!good)
		return QPU_PERIPH_FAULT;
	return m->left <= 0 || m->used > m->room ? QPU_PERIPH_STOP : QPU_PERIPH_ALL;
}

/* Frequent DMA stores: 16 words to successive ones. Return: false: it is another one. */
static bool store_words(struct qpu_machine *m, const struct qpu_core *q, u32 addr)
{
	const u32 *v = (const u32 *)m->s.vpm + q->vpm.st_first;
	u32 e;
	u8 *p;

	if (q->vpm.st_kind == QPU_VPM_OTHER || m->s.feed ||
	    (q->vpm.st_kind == QPU_VPM_COLUMN && q->vpm.st_stride & 0xffff))
		return false;
	p = qpu_lookup_row(&m->s.stores, addr);
	if (!p)
		return false;
	qpu_charge(m, q->vpm.st_weight);
	if (q->vpm.st_kind == QPU_VPM_ROW) {
		memcpy(p, v, 4 * QPU_LANES);
		return true;
	}
	for (e = 0; e < QPU_LANES; e += 4, p += 16, v += 4 * QPU_LANES) {
		memcpy(p, v, 4);
		memcpy(p + 4, v + QPU_LANES, 4);
		memcpy(p + 8, v + 2 * QPU_LANES, 4);
		memcpy(p + 12, v + 3 * QPU_LANES, 4);
	}
	return true;
}

/* Is this setup of DMA stores the same as the last one? */
static bool same_setup(const struct qpu_core *q, u32 word)
{
	return word >> 30 == 3 ? word == q->vpm.st_stride : word >> 31 && word == q->vpm.st_setup;
}

enum qpu_periph qpu_periph_ctl(struct qpu_vm *vm, const struct qpu_uop *u)
{
	struct qpu_machine *m = qpu_periph_machine_of(vm);
	const u8 *a = (const u8 *)vm->v[0][u->a];
	bool good = true;
	u32 k, word;

	for (k = 0; k < vm->n && good; k++) {
		struct qpu_core *q = vm->core[k];

		word = *(const u32 *)(a + vm->off[k]);
		if (u->b && (u->d == QPU_W_VPM_SETUP ? same_setup(q, word) :
						       store_words(m, q, word)))
			continue;
		m->s.who = q;
		good = !qpu_periph_vpm(m, q, u->d, u->b, word);
	}
	return outcome(m, good);
}

static enum qpu_ev qpu_periph_write_one(struct qpu_machine *m, struct qpu_core *q, u32 waddr,
					u32 file, const u32 *v)
{
	u32 unit = unit_of(waddr);

	if (waddr == QPU_W_VPM)
		return qpu_vpm_write(&m->s, q, v, 0xffff);
	if (waddr <= QPU_W_VPM_ADDR)
		return qpu_periph_vpm(m, q, waddr, file, v[0]);
	qpu_charge(m, q->tmu[unit].have ? 398 : 0);
	return qpu_tmu_write(&m->s, q, unit, 0, v, 0xffff);
}

/* Is the oldest TMU result independent of this instruction's request: is the queue not empty? */
bool qpu_periph_load_first(const struct qpu_core *q, u32 sig)
{
	return (sig == QPU_SIG_LDTMU0 || sig == QPU_SIG_LDTMU1) &&
	       q->tmu[sig - QPU_SIG_LDTMU0].count;
}

static bool qpu_periph_finish_one(struct qpu_machine *m, struct qpu_core *q,
				  const struct qpu_dec *d)
{
	u32 (*v)[QPU_LANES] = m->vm.v[q->num], i;
	bool first = qpu_periph_load_first(q, d->sig);

	m->s.who = q;
	if (first && qpu_tmu_load(&m->s, q, d->sig - QPU_SIG_LDTMU0, v[QPU_S_R4]))
		return false;
	for (i = 0; i < 2; i++) {
		if (d->wr[i] &&
		    qpu_periph_write_one(m, q, d->wr[i], d->wfile[i], v[d->wslot[i]]))
			return false;
	}
	return first || !(d->x & QPU_X_SIGNAL) ||
	       !qpu_tmu_load(&m->s, q, d->sig - QPU_SIG_LDTMU0, v[QPU_S_R4]);
}

enum qpu_periph qpu_periph_all(struct qpu_vm *vm, const struct qpu_uop *u)
{
	struct qpu_machine *m = qpu_periph_machine_of(vm);
	const struct qpu_dec *d = &m->code.dec[u->imm];
	bool good = true;
	u32 k;

	for (k = 0; k < vm->n && good; k++)
		good = qpu_periph_finish_one(m, qpu_core_of(m, k), d);
	return outcome(m, good);
}
