// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Serial launches with hooks, and registers that outlive a launch: the geometry unit of
 * native PICA jobs. One invocation at a time, in lane 0.
 */
#include "vs_intern.h"

/* Weight charged for a hook call and for consuming a primitive, to bound the slice. */
#define HOOK_WEIGHT	4
#define PRIM_WEIGHT	24

/**
 * vs_serial_new - allocate the state of KEEP launches
 * @job: job
 *
 * Return: 0 or -ENOMEM.
 */
int vs_serial_new(struct vs_job *job)
{
	if (!job->keep)
		job->keep = vs_zalloc(sizeof(*job->keep));
	return job->keep ? 0 : -ENOMEM;
}

/**
 * vs_serial_load - load the state of the previous KEEP launch
 * @w: worker that has claimed the launch
 */
void vs_serial_load(struct vs_worker *w)
{
	struct vs_keep *k = w->job->keep;
	u32 n;

	k->written |= w->ph->l.prog->out_written;
	for (n = 0; n < w->ph->l.prog->nslots; n++)
		w->b.slot[n][0] = k->slot[n];
	for (n = 0; n < VS_MAX_PREDS; n++)
		w->b.pred[n] = k->preds >> n & 1 ? ~0ULL : 0;
	memset(w->latch, k->latch, sizeof(w->latch));
	for (n = 0; n < 3 * VS_EMIT_WORDS; n++)
		w->emit[n / VS_EMIT_WORDS][n % VS_EMIT_WORDS][0] =
			k->emit[n / VS_EMIT_WORDS][n % VS_EMIT_WORDS];
}

/**
 * vs_serial_save - save the state at the end of a KEEP launch
 * @w: worker
 */
void vs_serial_save(struct vs_worker *w)
{
	struct vs_keep *k = w->job->keep;
	u32 n;

	for (n = 0; n < w->ph->l.prog->nslots; n++)
		k->slot[n] = w->b.slot[n][0];
	k->preds = 0;
	for (n = 0; n < VS_MAX_PREDS; n++)
		k->preds |= (w->b.pred[n] & 1) << n;
	k->latch = w->latch[0];
	for (n = 0; n < 3 * VS_EMIT_WORDS; n++)
		k->emit[n / VS_EMIT_WORDS][n % VS_EMIT_WORDS] =
			w->emit[n / VS_EMIT_WORDS][n % VS_EMIT_WORDS][0];
}

/**
 * vs_serial_busy - work of the hooks before the next invocation
 * @w: worker
 *
 * Return: true: call again.
 */
bool vs_serial_busy(struct vs_worker *w)
{
	const struct vs_launch *l = &w->ph->l;
	u32 weight = l->ops->busy ? l->ops->busy(w->job, l->ops_arg) : 0;

	vs_charge(w, weight);
	return weight;
}

/**
 * vs_serial_before - prepare invocation w->block
 * @w: worker
 *
 * Return: false if the hook skips it.
 */
bool vs_serial_before(struct vs_worker *w)
{
	const struct vs_launch *l = &w->ph->l;

	vs_charge(w, HOOK_WEIGHT);
	w->hook_bools = l->bools;
	if (!l->ops->before(w->job, l->ops_arg, w->block, &w->hook_bools))
		return false;
	vs_block_prepare(w->job, w->ph);
	return true;
}

/**
 * vs_serial_after - finish invocation w->block
 * @w: worker
 */
void vs_serial_after(struct vs_worker *w)
{
	const struct vs_launch *l = &w->ph->l;

	vs_charge(w, PRIM_WEIGHT * w->prims[0]);
	l->ops->after(w->job, l->ops_arg, w->inv0, w->prims[0]);
}
