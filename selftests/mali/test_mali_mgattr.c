// SPDX-License-Identifier: GPL-2.0
/*
 * Midgard vertex jobs whose attribute descriptors are mostly garbage, as Mesa's driver
 * leaves them below gl_VertexID (record 16): only descriptors that the program reads are
 * checked.
 */
#include "../include/tap.h"
#include "mgjob.h"

#define RECORDS		17
#define VERTEX_RECORD	16
#define R32UI		(0x85u << 12 | 0x688u)
#define VALUE		0xabcd0123u
#define BIAS		77
#define START		5	/* first vertex: gl_VertexID is counted from it on */
#define FROM_START	BIT(9)
#define LD_ATTR_U32	0x96
#define VERTEX_ID	34

/* Descriptors of 8 bytes, each with one defect, and the reject reason. */
static const struct {
	const char *what;
	u32 w[2];
	enum mali_reason reason;
} garbage[] = {
	{ "format", { 0xffffffff, 0xffffffff }, MALI_BAD_FORMAT },
	{ "format of zero", { 0, 4 }, MALI_BAD_FORMAT },
	{ "buffer type", { R32UI << 10 | 6, 0 }, MALI_BAD_ATTR_TYPE },
	{ "half of a buffer", { R32UI << 10 | 7, 0 }, MALI_UNMAPPED },
	{ "buffer without memory", { R32UI << 10 | 511, 0 }, MALI_UNMAPPED },
	{ "last buffer of all", { 0x60 << 22 | 511, 12 }, MALI_BAD_FORMAT },
};

static void record(struct mjob *j, u32 i, u32 w0, u32 w1)
{
	mj_w32(j, MJ_ATTRS + 8 * i, w0);
	mj_w32(j, MJ_ATTRS + 8 * i + 4, w1);
}

static void buffer(struct mjob *j, u32 i, u64 w0, u32 w2, u32 w3)
{
	mj_w64(j, MJ_BUFS + 16 * i, w0);
	mj_w32(j, MJ_BUFS + 16 * i + 8, w2);
	mj_w32(j, MJ_BUFS + 16 * i + 12, w3);
}

static void load(struct mcode *c, u32 reg, u32 index)
{
	mc_ldst(c, MC_LS(.op = LD_ATTR_U32, .reg = reg, .mask = 15, .swizzle = MC_XYZW,
			 .arg_reg = 7, .index_reg = 7, .offset = (int)index << 9), MC_NOP_LS);
}

/* Read records 0 and 16, and @also if it is not 0. */
static void setup(struct mjob *j, struct mcode *c, u32 also)
{
	u32 i;

	mj_new(j);
	j->vertex = true;
	j->groups[1] = 1;
	j->padded = 1;
	j->attrs = RECORDS;
	record(j, 0, R32UI << 10, 0);
	for (i = 1; i < VERTEX_RECORD; i++)
		record(j, i, garbage[i % ARRAY_SIZE(garbage)].w[0],
		       garbage[i % ARRAY_SIZE(garbage)].w[1]);
	record(j, VERTEX_RECORD, R32UI << 10 | FROM_START | 1, 0);
	buffer(j, 0, MJ_TEXELS | 1, 4, 64);
	buffer(j, 1, VERTEX_ID, 0, BIAS);
	buffer(j, 6, 0x123440 | 8, 4, 64);
	buffer(j, 7, 0x123440 | 4, 4, 64);
	mj_w32(j, MJ_TEXELS, VALUE);
	mc_start(c);
	load(c, 1, 0);
	load(c, 2, VERTEX_RECORD);
	if (also)
		load(c, 3, also);
	mc_store(c, 1, 0, 0);
	mc_store(c, 2, 16, 0);
}

/* Buffers end with the mapped memory: the table is moved there. */
static u64 write_job(struct mjob *j, struct mcode *c)
{
	u64 va = mj_write(j, c), table = MJ_BASE + MJ_SIZE - 8 * 16;
	u32 i;

	for (i = 0; i < 8 * 16; i += 4)
		mj_w32(j, table + i, mj_r32(j, MJ_BUFS + i));
	mj_w64(j, MJ_JOB + 64 + 64, table);
	mj_w32(j, MJ_JOB + 64 + 4, START);
	return va;
}

static void one(enum vs_simd simd, u32 also)
{
	struct vs_fault fault;
	struct mcode c;
	struct mjob j;
	u32 want = also ? garbage[also % ARRAY_SIZE(garbage)].reason : MALI_OK;
	bool ok;

	setup(&j, &c, also);
	mg_execute(&j, write_job(&j, &c), simd, &fault);
	if (want)
		ok = fault.kind == VS_FAULT_COMMAND && fault.code == want &&
		     fault.address == MJ_ATTRS + 8 * also;
	else
		ok = !fault.kind && mj_r32(&j, MJ_DATA) == VALUE &&
		     mj_r32(&j, MJ_DATA + 16) == BIAS;
	tap_result(ok, "%s: garbage in 15 of 17 records, and %u is read (%s): fault %u %u at %llu",
		   vs_simd_name(simd), also,
		   also ? garbage[also % ARRAY_SIZE(garbage)].what : "none", fault.kind,
		   fault.code, (unsigned long long)fault.address);
	mj_free(&j);
}

/* The number of a record beyond the table, and a table that is not there, are as before. */
static void beyond(enum vs_simd simd)
{
	struct vs_fault fault;
	struct mcode c;
	struct mjob j;

	setup(&j, &c, RECORDS);
	mg_execute(&j, write_job(&j, &c), simd, &fault);
	tap_result(fault.kind == VS_FAULT_COMMAND && fault.code == MALI_RUN_BAD_INDEX &&
		   !fault.address && fault.info == RECORDS, "%s: record past the table",
		   vs_simd_name(simd));
	mj_free(&j);
}

int main(void)
{
	u32 simd, also;

	tap_start();
	for (simd = 0; simd < VS_NUM_SIMD; simd++) {
		if (!(vs_simd_mask() >> simd & 1))
			continue;
		for (also = 0; also < VERTEX_RECORD; also++)
			one(simd, also);
		beyond(simd);
	}
	return tap_done();
}
