// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Frames as native jobs: code that both processors share. Everything is read when the job runs. */
#include "utgard_frame_job.h"

static struct utf_job *utf_to_job(const struct vs_native *n)
{
	return container_of(n, struct utf_job, base);
}

/* ---- memory and faults ---- */

bool utf_read(struct simt_job *j, u64 va, u32 *w, u32 n)
{
	u64 size = (u64)n * sizeof(*w), got;

	got = va < VS_INTERNAL_VA ? vs_map_read(j->map, va, w, size) : 0;
	if (got == size)
		return true;
	simt_job_fault(j, VS_FAULT_READ, va + got, (u32)(size - got));
	return false;
}

bool utf_read_frame(struct utf_job *u, u32 *frame, u32 n)
{
	if (!u->nwords)
		return utf_read(&u->j, u->va, frame, n);
	memcpy(frame, u->words, n * sizeof(*frame));
	return true;
}

enum simt_next utf_reject(struct simt_job *j, enum utf_reason why, u64 va, u32 info)
{
	return simt_job_fault_command(j, va, why, info);
}

const char *utf_any_reason_text(u32 reason)
{
	return reason < UTGARD_REASON ? utf_reason_text(reason) : utgard_reason_text(reason);
}

/* ---- execution ---- */

bool utf_job_start(struct simt_job *j)
{
	struct utf_job *u = container_of(j, struct utf_job, j);

	u->run = utgard_run_new(&j->arena, j->map);
	return u->run;
}

int utf_job_new(const struct vs_native_in *in, u32 nwords, size_t bytes,
		const struct simt_job_ops *ops, struct vs_native **out)
{
	struct utf_job *u;
	int ret;

	if (in->output_va || in->output_size || in->switches || !in->va ||
	    in->model >= UTF_NUM_GPUS || (in->nwords && in->nwords != nwords))
		return -EINVAL;
	u = vs_zalloc(bytes);
	if (!u)
		return -ENOMEM;
	ret = simt_job_init(&u->j, ops, in->map, in->memory, in->max_memory);
	if (ret) {
		vs_free(u);
		return ret;
	}
	u->bytes = bytes;
	u->va = in->va;
	u->nwords = in->nwords;
	if (in->nwords)
		memcpy(u->words, in->words, in->nwords * sizeof(*u->words));
	u->gpu = in->model;
	*out = &u->base;
	return 0;
}

/* ---- native format ---- */

const struct vs_map *utf_map(const struct vs_native *n)
{
	return utf_to_job(n)->j.map;
}

u32 utf_phases(const struct vs_native *n)
{
	return 1;
}

int utf_add_phases(struct vs_native *n, struct vs_job *job)
{
	return simt_job_add(&utf_to_job(n)->j, job);
}

u64 utf_memory(const struct vs_native *n)
{
	return utf_to_job(n)->bytes;
}

void utf_free(struct vs_native *n)
{
	vs_free(utf_to_job(n));
}
