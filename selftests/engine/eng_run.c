// SPDX-License-Identifier: GPL-2.0
/* Running test programs. */
#include "eng.h"

bool eng_have(enum vs_simd simd)
{
	return vs_simd_mask() >> simd & 1;
}

struct vs_worker *eng_worker(void)
{
	static struct vs_worker *w;

	if (!w)
		w = vs_worker_new(0);
	if (!w) {
		fprintf(stderr, "out of memory\n");
		exit(2);
	}
	return w;
}

void eng_finish_job(struct vs_job *job, struct vs_worker *w, u64 *steps)
{
	while (vs_job_step(job, w) != VS_RUN_DONE)
		(*steps)++;
}

/* Uniforms of 1.7.16 models must be representable in their format. */
static u32 *model_uniforms(const struct eng_run *r)
{
	u32 *u = calloc(ENG_UNIF, sizeof(*u)), i;

	for (i = 0; i < ENG_UNIF && r->unif; i++) {
		u[i] = r->unif[i];
		if (r->fp == VS_FP_F32)
			continue;
		/*
		 * Values that conversion does not change: normal numbers in the middle of
		 * the range.
		 */
		u[i] &= 0xffffff80;
		if ((u[i] & 0x7f800000) < 65U << 23)
			u[i] = 0;
		if ((u[i] & 0x7fffffff) > 0x5f7fff80 && !eng_isnan(u[i]))
			u[i] = 0x7f800000 | (u[i] & 0x80000000);
	}
	return u;
}

void eng_run(struct eng_run *r)
{
	struct vs_extent ext[4] = {
		{ ENG_IN_VA, ENG_IN_VA + (u64)r->count * r->nin * 16 + 16, (u8 *)r->in, 0 },
		{ ENG_OUT_VA, ENG_OUT_VA + (u64)r->count * ENG_NOUT * 16, (u8 *)r->out,
		  VS_EXT_WRITE },
		{ ENG_PRIMS_VA, ENG_PRIMS_VA + r->prims_size, r->prims, VS_EXT_WRITE },
		{ ENG_INFO_VA, ENG_INFO_VA + r->info_size, r->info, VS_EXT_WRITE },
	};
	struct vs_map map = { 4, ext };
	struct vs_job_limits lim = {
		.budget = r->budget ? r->budget : 1ULL << 50,
		.simd = r->simd,
		.slice = r->slice ? r->slice : 3000,
	};
	struct vs_launch l = {
		.prog = r->prog, .entry = r->prog->uop_of_guest[r->entry],
		.count = r->count, .instances = 1, .fp = r->fp, .flags = r->flags,
		.bools = r->bools, .emit = r->emit, .nattr = r->nin, .nout = ENG_NOUT,
	};
	u32 *unif = model_uniforms(r), *in, i;
	struct vs_job *job;

	/* Rows are read 16 bytes at a time; the copy also provides exact bounds for ASan. */
	in = malloc((size_t)r->count * r->nin * 16 + 16);
	memcpy(in, r->in, (size_t)r->count * r->nin * 16);
	ext[0].kva = (u8 *)in;
	l.unif = unif;
	memcpy(l.loops, r->loops, sizeof(l.loops));
	l.emit.prims_va = ENG_PRIMS_VA;
	l.emit.info_va = r->info ? ENG_INFO_VA : 0;
	for (i = 0; i < r->nin; i++)
		l.attr[i] = (struct vs_stream){ .va = ENG_IN_VA + 16 * i, .stride = 16 * r->nin,
						.format = VS_FMT_F32, .reg = i, .ncomp = 4 };
	for (i = 0; i < ENG_NOUT; i++)
		l.out[i] = (struct vs_stream){ .va = ENG_OUT_VA + 16 * i, .stride = 16 * ENG_NOUT,
					       .format = VS_FMT_F32, .reg = i, .ncomp = 4 };
	job = vs_job_new(&map, &lim, 1);
	if (!job || vs_job_add_launch(job, &l)) {
		fprintf(stderr, "launch refused\n");
		exit(2);
	}
	r->steps = 0;
	if (r->run)
		r->run(job);
	else
		eng_finish_job(job, eng_worker(), &r->steps);
	r->fault = *vs_job_get_fault(job);
	r->weight = vs_job_weight(job);
	if (!r->fault.kind && vs_job_invocations(job) != r->count) {
		fprintf(stderr, "%llu invocations counted, not %u\n",
			(unsigned long long)vs_job_invocations(job), r->count);
		exit(1);
	}
	vs_job_free(job);
	free(unif);
	free(in);
}
