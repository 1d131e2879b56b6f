// SPDX-License-Identifier: GPL-2.0
/* Bundles, threads and jobs of the Midgard reference model. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "midgard_ref_int.h"

uint64_t mgr_bits(const uint32_t *w, unsigned int at, unsigned int n)
{
	uint64_t v = 0;
	unsigned int i;

	for (i = 0; i < n; i++)
		v |= (uint64_t)(w[(at + i) / 32] >> ((at + i) % 32) & 1) << i;
	return v;
}

void mgr_write_words(struct mgr_reg *to, const uint32_t *v, unsigned int mask)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		if (mask >> i & 1)
			mgr_set_word(to, i, v[i]);
}

struct mgr_reg *mgr_work_reg(struct mrf *g, const struct mgr_draw *d, struct mgr_thread *t,
			     unsigned int n)
{
	if (n < d->work && n < 16)
		return &t->r[n];
	mrf_fail(g, false, "write of r%u, work registers are %u", n, d->work);
	return NULL;
}

/* Quadwords of a bundle; 0: there is no such kind. */
static unsigned int bundle_size(unsigned int tag)
{
	if (tag >= 8)
		return (tag & 3) + 1;
	return tag >= 2 && tag <= 5;
}

/* Fetch the bundle at the PC, up to four quadwords, and check its tag. */
static bool fetch(struct mrf *g, const struct mgr_thread *t, uint32_t *w, unsigned int *size)
{
	const uint8_t *p = mrf_at(g, t->pc, 16);
	unsigned int i, tag;

	if (!p || t->pc & 15) {
		mrf_fail(g, false, "no code at %llx", (unsigned long long)t->pc);
		return false;
	}
	tag = p[0] & 15;
	*size = bundle_size(tag);
	if (!*size || tag != t->tag) {
		mrf_fail(g, false, "bundle of kind %u, %u expected", tag, t->tag);
		return false;
	}
	p = mrf_at(g, t->pc, 16 * *size);
	if (!p) {
		mrf_fail(g, false, "code ends within a bundle");
		return false;
	}
	for (i = 0; i < 4 * *size; i++)
		w[i] = mrf_get(p + 4 * i, 4);
	return true;
}

/* Next bundle after one that does not branch. */
static void advance(struct mrf *g, struct mgr_thread *t, const uint32_t *w, unsigned int size)
{
	unsigned int next = w[0] >> 4 & 15;

	if (!next)
		mrf_fail(g, false, "nothing follows");
	if (next == 1)
		t->done = true;
	t->pc += 16 * size;
	t->tag = next;
}

static void bundle(struct mrf *g, const struct mgr_draw *d, struct mgr_thread *t,
		   const struct mgr_quad *q, const uint32_t *w, unsigned int size)
{
	enum mgr_flow flow = MGR_NEXT;
	unsigned int tag = w[0] & 15;
	bool barrier = mgr_bits(w, 8, 4) == 11;

	if (tag >= 8)
		flow = mgr_exec_alu(g, d, t, w, size);
	else if (tag == 5)
		mgr_exec_ldst(g, d, t, w);
	else if (barrier != (tag == 4))
		mrf_fail(g, false, "barrier and the bundle's kind, %u", tag);
	else
		mgr_exec_tex(g, d, t, tag == 3 || tag == 4 ? q : NULL, w);
	if (flow == MGR_NEXT && !*g->error)
		advance(g, t, w, size);
	else if (flow == MGR_EXIT)
		t->done = true;
}

/* Execute one bundle in all threads with the same PC. */
static void step(struct mrf *g, const struct mgr_draw *d, struct mgr_thread **t, unsigned int n,
		 const struct mgr_quad *q)
{
	uint64_t pc = t[0]->pc;
	unsigned int i, size;
	uint32_t w[16];

	if (g->budget < n) {
		mrf_fail(g, false, "budget used up");
		return;
	}
	g->budget -= n;
	g->steps += n;
	if (fetch(g, t[0], w, &size))
		for (i = 0; i < n && !*g->error; i++)
			bundle(g, d, t[i], q, w, size);
	if (*g->error && !strstr(g->error, "quadword ")) {
		size_t at = strlen(g->error);

		snprintf(g->error + at, sizeof(g->error) - at, " (quadword %lld)",
			 (long long)(pc - d->d.code) / 16);
	}
}

/* Four fragments: the lanes with the lowest PC execute together. */
void mgr_run_quad(struct mrf *g, const struct mgr_draw *d, struct mgr_thread *t)
{
	struct mgr_thread *now[4];
	struct mgr_quad q;
	unsigned int i, n = 1;
	uint64_t pc;

	while (n && !*g->error) {
		pc = ~0ull;
		for (i = 0; i < 4; i++)
			if (!t[i].done && t[i].pc < pc)
				pc = t[i].pc;
		memset(&q, 0, sizeof(q));
		for (n = 0, i = 0; i < 4; i++)
			if (!t[i].done && t[i].pc == pc) {
				now[n++] = &t[i];
				q.t[i] = &t[i];
			}
		if (n)
			step(g, d, now, n, &q);
	}
}

void mgr_run_one(struct mrf *g, const struct mgr_draw *d, struct mgr_thread *t)
{
	while (!*g->error && !t->done && !t->waits)
		step(g, d, &t, 1, NULL);
}

/* Every thread up to its end or a barrier, again until all have ended. */
static void run_group(struct mrf *g, const struct mgr_draw *d, struct mgr_thread *t,
		      unsigned int n)
{
	unsigned int i;
	bool more = true;

	while (more && !*g->error) {
		more = false;
		for (i = 0; i < n && !*g->error; i++) {
			mgr_run_one(g, d, &t[i]);
			more |= !t[i].done;
		}
		for (i = 0; i < n; i++)
			t[i].waits = false;
	}
}

void mgr_draw_state(struct mrf *g, uint64_t dcd, struct mgr_draw *d)
{
	uint64_t storage = mrf_load64(g, dcd + 112) & ~63ull;
	uint32_t w, shift;

	memset(d, 0, sizeof(*d));
	mrf_draw_state(g, dcd, &d->d);
	d->flags = mrf_load(g, dcd);
	d->tag = mrf_load(g, d->d.state) & 15;
	w = mrf_load(g, d->d.state + 16);
	d->work = w >> 16 & 31;
	d->uniforms = w >> 21 & 31;
	d->fp_mode = w >> 29;
	if (d->fp_mode > 3 || d->d.offset || d->uniforms > 16)
		mrf_fail(g, true, "float mode %u, first vertex %u, %u uniforms", d->fp_mode,
			 d->d.offset, d->uniforms);
	if (!storage)
		return;
	shift = mrf_load(g, storage) & 31;
	if (mrf_load64(g, storage + 8))
		d->d.ntls = shift < 13 ? 16u << shift : MRF_TLS_MAX;
	w = mrf_load(g, storage + 4);
	shift = w >> 8 & 31;
	if ((w & 31) != 31 && shift && shift < 17)
		d->d.nwls = 1u << (shift - 1);
}

void mgr_start(struct mrf *g, struct mgr_thread *t, const struct mgr_draw *d)
{
	unsigned int i, k;

	memset(t, 0, sizeof(*t));
	memset(t->r, MGR_POISON, sizeof(t->r));
	memset(t->al, MGR_POISON, sizeof(t->al));
	memset(t->at, MGR_POISON, sizeof(t->at));
	memset(t->ta, MGR_POISON, sizeof(t->ta));
	for (i = 0; i < d->uniforms; i++)
		for (k = 0; k < 4; k++)
			mgr_set_word(&t->r[23 - i], k,
				     mrf_load(g, d->d.push + 16 * i + 4 * k));
	t->pc = d->d.code;
	t->tag = d->tag;
	t->covered = true;
}

/* Memory of a job's threads in order, followed by a group's. */
static uint64_t local_memory(struct mrf *g, const struct mgr_draw *d, unsigned int n)
{
	uint64_t va = MGR_LOCAL + ((uint64_t)g->nbo << 32);
	uint64_t size = (uint64_t)n * d->d.ntls + d->d.nwls;

	if (!size)
		return 0;
	if (mrf_map(g, va, size))
		return va;
	mrf_fail(g, false, "no room for local memory");
	return 0;
}

static void start_one(struct mrf *g, struct mgr_thread *t, const struct mgr_draw *d,
		      const struct mrf_dims *dm, const unsigned int *group, unsigned int i)
{
	unsigned int k;

	mgr_start(g, t, d);
	t->local[0] = i % dm->local[0];
	t->local[1] = i / dm->local[0] % dm->local[1];
	t->local[2] = i / dm->local[0] / dm->local[1];
	for (k = 0; k < 3; k++) {
		t->group[k] = group[k];
		t->global[k] = group[k] * dm->local[k] + t->local[k];
	}
	/* of vertex jobs the groups are vertices and instances */
	t->vertex = t->global[1];
	t->instance = t->global[2];
}

static void compute(struct mrf *g, uint64_t job)
{
	unsigned int n, i, gr[3];
	struct mgr_thread *t;
	struct mrf_dims dm = { 0 };
	struct mgr_draw d;
	uint64_t local;

	mrf_dims(g, job + 32, &dm);
	mgr_draw_state(g, job + 64, &d);
	if (*g->error)
		return;
	n = dm.local[0] * dm.local[1] * dm.local[2];
	if (!n || n > MRF_GROUP_MAX) {
		mrf_fail(g, false, "group of %u threads", n);
		return;
	}
	t = calloc(n, sizeof(*t));
	local = local_memory(g, &d, n);
	for (gr[2] = 0; gr[2] < dm.groups[2] && !*g->error; gr[2]++)
		for (gr[1] = 0; gr[1] < dm.groups[1] && !*g->error; gr[1]++)
			for (gr[0] = 0; gr[0] < dm.groups[0] && !*g->error; gr[0]++) {
				uint64_t size = (uint64_t)n * d.d.ntls + d.d.nwls;

				if (local)
					memset(mrf_at(g, local, size), MGR_POISON, size);
				for (i = 0; i < n; i++) {
					start_one(g, &t[i], &d, &dm, gr, i);
					t[i].tls = local + (uint64_t)i * d.d.ntls;
					t[i].wls = local + (uint64_t)n * d.d.ntls;
				}
				g->threads += n;
				run_group(g, &d, t, n);
			}
	free(t);
}

static void run_job(struct mrf *g, uint64_t job, unsigned int type)
{
	if (type == 4 || type == 5)
		compute(g, job);
	else if (type == 7)
		mgr_draw_tiler(g, job);
	else
		mrf_fail(g, true, "job type %u", type);
}

bool mgr_run(struct mrf *g, uint64_t chain)
{
	mrf_chain(g, chain, run_job);
	return !*g->error;
}
