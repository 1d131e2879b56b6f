// SPDX-License-Identifier: GPL-2.0
/*
 * Utgard vertex programs on the engine: a launch with a thread for each vertex.
 */
#include <stdio.h>
#include <stdlib.h>

#include "gp_run.h"

#define ARENA	(96u << 20)
#define UBO_VA	0x10000000ULL
#define TLS_VA	0x20000000ULL

static struct vs_reject reject;
static struct ugp_program program;

struct run {
	const struct gp_case *c;
	u32 (*out)[16][4];
};

const struct vs_reject *gp_reject(void)
{
	return &reject;
}

const struct ugp_program *gp_program(void)
{
	return &program;
}

static void start(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	const struct run *r = simt_machine_arg(m);
	u32 l, i, k;

	for (l = 0; l < SIMT_LANES; l++) {
		if (!(b->live >> l & 1))
			continue;
		for (i = 0; i < 16; i++) {
			for (k = 0; k < 4 && program.attr[i] != UGP_NO_SLOT; k++)
				b->slot[(program.attr[i] + k) * SIMT_LANES + l] =
					r->c->v[g->group + l].attr[i][k];
			for (k = 0; k < 4 && program.out[i] != UGP_NO_SLOT; k++)
				b->slot[(program.out[i] + k) * SIMT_LANES + l] = GP_UNTOUCHED;
		}
	}
}

static void end(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	struct run *r = simt_machine_arg(m);
	u32 l, i, k;

	for (l = 0; l < g->packed; l++) {
		for (i = 0; i < 16; i++) {
			for (k = 0; k < 4 && program.outmask[i]; k++)
				r->out[g->group + l][i][k] =
					b->slot[(program.out[i] + k) * SIMT_LANES + l];
		}
	}
}

static bool ext(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u)
{
	simt_fault(m, VS_FAULT_COMMAND, b->mask, 0, 0);
	return false;
}

static const struct simt_ops ops = { .start = start, .ext = ext, .end = end };

static int launch(struct simt_arena *arena, const struct vs_map *map, struct run *r,
		  enum vs_simd simd, u32 slice, u32 slices)
{
	const struct simt_ubo ubo = { .va = UBO_VA, .size = 16 * r->c->nrows };
	struct simt_launch l = {
		.prog = program.prog, .ops = &ops, .arg = r,
		.local = { 1, 1, 1 }, .groups = { r->c->nv, 1, 1 },
		.unif = r->c->row[0], .ubo = &ubo, .nubo = 1,
		.tls_va = TLS_VA, .tls_size = program.tls,
		.tls_total = (u64)program.tls * SIMT_LANES,
	};
	struct simt_machine *m = simt_machine_new(arena, map);
	enum simt_status status = SIMT_RUN_MORE;
	u64 used;
	int ret;

	ret = m ? simt_machine_launch(m, &l) : -ENOMEM;
	if (ret)
		return ret;
	for (; slices && status == SIMT_RUN_MORE; slices--)
		status = simt_machine_run(m, simd, slice, &used);
	if (status == SIMT_RUN_FAULT)
		printf("# fault %u at %u, address %llx\n", simt_machine_fault(m)->kind,
		       simt_machine_fault(m)->pc,
		       (unsigned long long)simt_machine_fault(m)->address);
	if (status == SIMT_RUN_DONE)
		return 0;
	return status == SIMT_RUN_MORE ? -ETIME : -EFAULT;
}

int gp_run(const struct gp_case *c, enum vs_simd simd, u32 slice, u32 slices,
	   u32 out[][16][4])
{
	static struct simt_arena arena;
	static u8 *tls;
	struct run r = { .c = c, .out = out };
	struct vs_extent ext[2] = {
		{ .lo = UBO_VA, .hi = UBO_VA + 16 * c->nrows, .kva = (u8 *)c->row },
		{ .lo = TLS_VA, .flags = VS_EXT_WRITE },
	};
	struct vs_map map = { .n = 2, .ext = ext };
	u32 i, k;
	int ret;

	if (!arena.base) {
		arena.base = aligned_alloc(64, ARENA);
		arena.size = ARENA;
		tls = aligned_alloc(64, SIMT_LANES * 8192);
		if (!arena.base || !tls)
			abort();
		memset(arena.base, 0, ARENA);
	}
	simt_arena_reset(&arena, 0);
	ret = ugp_lower(&arena, c->words, c->n, c->debug ? UGP_LOWER_DEBUG : 0, &program, &reject);
	if (ret)
		return ret;
	/* nothing in it may be seen */
	memset(tls, 0xa5, (size_t)program.tls * SIMT_LANES);
	ext[1].kva = tls;
	ext[1].hi = TLS_VA + (u64)program.tls * SIMT_LANES;
	map.n = program.tls ? 2 : 1;
	for (i = 0; i < c->nv * 16; i++)
		for (k = 0; k < 4; k++)
			out[i / 16][i % 16][k] = GP_UNTOUCHED;
	return launch(&arena, &map, &r, simd, slice, slices);
}
