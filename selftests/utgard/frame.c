// SPDX-License-Identifier: GPL-2.0
/* Frames of Utgard GPUs in memory, and their execution. */
#include <pthread.h>
#include <sched.h>

#include "../ref/utgard_tex_ref.h"
#include "../ref/worker.h"
#include "engine/vs_intern.h"
#include "frame.h"

#define MEMORY	(2u << 20)

void frame_new(struct frame *f)
{
	f->code = calloc(1, FR_CODE_SIZE);
	f->data = calloc(1, FR_DATA_SIZE);
	f->out = calloc(1, FR_OUT_SIZE);
	f->lists = calloc(1, FR_LISTS_SIZE);
	if (!f->code || !f->data || !f->out || !f->lists)
		abort();
	f->vs = FR_VS;
	f->plbu = FR_PLBU;
}

void frame_free(struct frame *f)
{
	free(f->code);
	free(f->data);
	free(f->out);
	free(f->lists);
}

u32 *frame_at(struct frame *f, u32 va)
{
	if (va >= FR_HEAP)
		return (u32 *)(f->lists + (va - FR_HEAP));
	if (va >= FR_OUT)
		return (u32 *)(f->out + (va - FR_OUT));
	return (u32 *)(va >= FR_DATA ? f->data + (va - FR_DATA) : f->code + (va - FR_CODE));
}

void frame_vs(struct frame *f, u32 a, u32 b)
{
	frame_at(f, f->vs)[0] = a;
	frame_at(f, f->vs)[1] = b;
	f->vs += 8;
}

void frame_plbu(struct frame *f, u32 a, u32 b)
{
	frame_at(f, f->plbu)[0] = a;
	frame_at(f, f->plbu)[1] = b;
	f->plbu += 8;
}

void frame_finish(struct frame *f)
{
	u32 *w = frame_at(f, FR_FRAME);

	w[UTF_GP_VS_START] = FR_VS;
	w[UTF_GP_VS_END] = f->vs;
	w[UTF_GP_PLBU_START] = FR_PLBU;
	w[UTF_GP_PLBU_END] = f->plbu;
	w[UTF_GP_HEAP_START] = FR_HEAP;
	w[UTF_GP_HEAP_END] = FR_HEAP + FR_HEAP_SIZE;
}

void frame_blocks(struct frame *f)
{
	u32 i;

	for (i = 0; i < 512; i++)
		frame_at(f, FR_ARRAY)[i] = FR_BLOCKS + 512 * i;
}

void frame_usual_plbu(struct frame *f)
{
	frame_state(f, FR_PIXELS);
	frame_blocks(f);
	frame_plbu(f, 0x00000200, 0x1000010b);
	frame_plbu(f, 0x10000000, 0x1000010c);
	frame_plbu(f, 19U << 24 | 14 << 8, 0x10000109);
	frame_plbu(f, 20, 0x30000000);
	frame_plbu(f, FR_ARRAY, 0x28000000 | 299);
	frame_plbu(f, 0, 0x10000107);
	frame_plbu(f, 0x43a00000, 0x10000108);
	frame_plbu(f, 0x80000000, 0x10000105);
	frame_plbu(f, 0x43700000, 0x10000106);
	frame_plbu(f, 0x00010002, 0x60000000);
	frame_plbu(f, 0x00042200, 0x1000010b);
	frame_plbu(f, FR_STATE, 0x80000000 | FR_OUT >> 4);
	frame_plbu(f, 1U << 30 | 239 << 15 | 3, 0x70000000 | 319 << 13 | 1);
	frame_plbu(f, 0, 0x1000010a);
	frame_plbu(f, 0, 0x1000010e);
	frame_plbu(f, 0x3f800000, 0x1000010f);
	frame_plbu(f, 0x40200000, 0x1000010d);
	frame_plbu(f, FR_OUT, 0x10000100);
	frame_plbu(f, FR_OUT + 0x100, 0x10000102);
	frame_plbu(f, FR_ELEMS + 1, 0x10000101);
	frame_plbu(f, 3U << 24, 4 << 16);
	frame_plbu(f, 0x00010001, 0x60000000);
	frame_plbu(f, 44U << 24, 0x00200000 | 15 << 16 | 1);
	frame_plbu(f, f->plbu + 16, 0xf0000000);
	frame_plbu(f, 0, 0xdeadbeef);
	frame_plbu(f, 0, 0x50000000);
}

/* ---- the pixel processor ---- */

static void texture(u32 *w)
{
	utr_set(w, UTR_FORMAT, 6, 0x16);
	utr_set(w, UTR_DIM, 2, 1);
	utr_set(w, UTR_WIDTH, 13, 4);
	utr_set(w, UTR_HEIGHT, 13, 4);
	utr_set(w, UTR_MIPS, 26, FR_ELEMS >> 6);
}

void frame_state(struct frame *f, u32 code)
{
	/* one instruction: a texel at varying 0 to register 0 */
	static const u32 program[] = {
		0x000005e6, 0xf1003c20, 0x00000000, 0x39001000, 0x00000e4e, 0x000007cf,
	};
	u32 *s = frame_at(f, FR_STATE), *t = frame_at(f, FR_LIST + 64);

	memcpy(frame_at(f, code), program, sizeof(program));
	frame_at(f, FR_LIST)[0] = FR_LIST + 64;
	memset(t, 0, 4 * UTF_STATE_WORDS);
	texture(t);
	s[2] = 0xfc000000 | 11 << 6 | 3 << 11 | 11 << 16 | 3 << 20 | 2 | 2 << 3;
	s[3] = 0x0000003e;
	s[4] = 0xffff0000;
	s[5] = 0xff000007;
	s[6] = 0xff000007;
	s[7] = 0x0000ffff;
	s[8] = 0x0000f807;
	s[9] = code | 6;
	s[12] = FR_LIST;
	s[13] = 1 << 14 | 0x1300 | 0x20 | 2;
	s[14] = 0x1000;
	s[15] = FR_OUT;
}

void frame_pixels(struct frame *f, enum utf_gpu gpu)
{
	u32 *w = frame_at(f, FR_FRAME), *tail, i;

	frame_state(f, FR_CODE);
	frame_blocks(f);
	/* no tiles */
	frame_at(f, FR_STREAM)[1] = 0xbc000000;
	w[1] = FR_STATE;
	w[3] = 2;
	w[4] = 0xffffff;
	for (i = 6; i < 10; i++)
		w[i] = 0x11223344;
	w[10] = 319;
	w[11] = 239;
	w[13] = 0x00010001;
	w[16] = 1;
	w[17] = 479;
	w[18] = 0x77;
	w[19] = 1;
	w[20] = 0x10010001;
	w[21] = 0xe0c;
	w[22] = 0x8888;
	w[23] = 1;
	w[24] = 2;
	w[25] = FR_OUT;
	w[26] = 3;
	w[28] = 2;
	w[29] = 20;
	w[30] = 4;
	w[36] = 1;
	w[37] = FR_OUT + 0x1000;
	w[38] = 15;
	w[41] = 160;
	tail = w + UTF_PP_FRAME_WORDS + 1 + 3 * UTF_PP_WB_WORDS;
	if (gpu == UTF_MALI450) {
		tail[0] = 1;
		tail += 2;
		tail[0] = FR_BLOCKS;
		tail[1] = 0x000e0013;
		tail[2] = 0x20000000;
		tail[3] = 0x0e130000;
		return;
	}
	tail[0] = FR_STREAM;
}

/* ---- execution ---- */

const struct vs_map *frame_map(struct frame *f)
{
	static struct vs_extent ext[4];
	static const struct vs_map map = { 4, ext };

	ext[0] = (struct vs_extent){ FR_CODE, FR_CODE + FR_CODE_SIZE, f->code, VS_EXT_EXEC };
	ext[1] = (struct vs_extent){ FR_DATA, FR_DATA + FR_DATA_SIZE, f->data, 0 };
	ext[2] = (struct vs_extent){ FR_OUT, FR_OUT + FR_OUT_SIZE, f->out, VS_EXT_WRITE };
	ext[3] = (struct vs_extent){ FR_HEAP, FR_HEAP + FR_LISTS_SIZE, f->lists, VS_EXT_WRITE };
	return &map;
}

struct crew {
	struct vs_job *job;
	bool done;
};

static void *work(void *arg)
{
	struct crew *c = arg;
	struct vs_worker *w = used_worker(c->job);
	enum vs_run r;

	while (w && !__atomic_load_n(&c->done, __ATOMIC_SEQ_CST)) {
		r = vs_job_step(c->job, w);
		if (r == VS_RUN_DONE)
			__atomic_store_n(&c->done, true, __ATOMIC_SEQ_CST);
		else if (r == VS_RUN_IDLE)
			sched_yield();
	}
	leave_worker(w);
	return NULL;
}

static void step_all(struct vs_job *job, u32 workers)
{
	struct crew c = { .job = job };
	pthread_t t[8];
	u32 i;

	for (i = 1; i < workers; i++)
		if (pthread_create(&t[i], NULL, work, &c))
			abort();
	work(&c);
	for (i = 1; i < workers; i++)
		pthread_join(t[i], NULL);
}

int frame_run(struct frame *f, u32 format, u32 gpu, const struct frame_run *how,
	      struct vs_fault *fault)
{
	const struct vs_job_limits limits = { .budget = how->budget, .simd = how->simd,
					      .slice = how->slice };
	const struct vs_native_in in = {
		.format = format, .va = how->va ? how->va : FR_FRAME, .model = gpu,
		.map = frame_map(f), .memory = how->memory ? how->memory : MEMORY,
		.max_memory = MEMORY, .max_draws = how->max_draws,
	};
	struct vs_native_state *state = vs_native_state_new(format);
	struct vs_native *n;
	struct vs_job *job;
	int ret;

	ret = vs_native_parse(&in, state, &n, fault);
	vs_native_state_free(state);
	if (!ret) {
		job = vs_job_new(vs_native_map(n), &limits, vs_native_phases(n));
		ret = vs_native_add_phases(n, job);
		if (!ret)
			step_all(job, how->workers);
		*fault = *vs_job_get_fault(job);
		vs_job_free(job);
		vs_native_free(n);
	}
	return ret;
}
