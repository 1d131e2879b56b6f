// SPDX-License-Identifier: GPL-2.0
/*
 * The support table of Midgard: an operation is marked as executed if and only if lowering
 * supports some form of it that the verifier accepts.
 */
#include "../include/tap.h"
#include "../include/lower.h"
#include "../midgard/mcode.h"

#define QUADS	8
#define TRIES	3000	/* of loads, stores and textures */

enum kind { ALU, LDST, TEX, NUM_KINDS };

static const struct {
	const char *title;	/* of the table */
	u32 codes;
	bool (*executes)(u32 op);
} kinds[NUM_KINDS] = {
	[ALU] = { "Arithmetic", 256, midgard_executes_alu },
	[LDST] = { "Load and store", 256, midgard_executes_ldst },
	[TEX] = { "Textures", 16, midgard_executes_tex },
};

/* Lowering results for the forms of an operation. */
struct forms {
	u32 lowered;
	u32 unsupported;
};

static u64 rng = 1;

static u32 rnd(void)
{
	rng = rng * 6364136223846793005ULL + 1442695040888963407ULL;
	return rng >> 33;
}

static void lower(struct mcode *c, enum vs_stage stage, struct forms *f)
{
	static u8 memory[1 << 20] __aligned(64);
	static struct simt_arena arena = { .base = memory, .size = sizeof(memory) };
	const struct mg_code code = {
		.words = c->w, .nquads = c->n / 4, .gpu = MG_T860, .stage = stage,
		.uniforms = 4, .work = 16,
	};
	struct simt_prog *prog;
	struct vs_reject rej;

	/* nothing follows */
	c->w[c->last] = (c->w[c->last] & ~0xf0U) | 1 << 4;
	simt_arena_reset(&arena, 0);
	if (!midgard_lower(&arena, &code, &prog, &rej))
		f->lowered++;
	else if (rej.reason == MG_UNSUPPORTED)
		f->unsupported++;
}

static void try_alu(u32 op, struct forms *f)
{
	static const u32 masks[] = { 0xff, 0x03 };
	u32 unit, outmod, i;

	for (unit = MC_VMUL; unit <= MC_VLUT; unit++) {
		bool vector = unit != MC_SADD && unit != MC_SMUL;

		for (i = 0; i < 8; i++) {
			struct mc_alu a = {};
			struct mcode c;

			outmod = i / 2;
			mc_start(&c);
			/* condition of selects */
			if (unit == MC_VADD || unit == MC_SMUL)
				mc_move(&a, MC_VMUL, 1, MC_R31);
			mc_unit(&a, unit, mc_regs(0, 1, 2),
				vector ? mc_vec(op, 2, mc_vsrc(0, 0, MC_XYZW),
						mc_vsrc(0, 0, MC_XYZW), 2, outmod, masks[i % 2]) :
				mc_sca(op, mc_ssrc(0, true, 0), mc_ssrc(0, true, 2), outmod,
				       true, 0));
			mc_alu(&c, &a);
			lower(&c, VS_STAGE_COMPUTE, f);
		}
	}
}

#define ONE_OF(...) ({							\
	static const u32 _of[] = { __VA_ARGS__ };			\
	_of[rnd() % ARRAY_SIZE(_of)]; })

static void try_ldst(u32 op, struct forms *f)
{
	u32 i;

	for (i = 0; i < TRIES; i++) {
		struct mcode c;

		mc_start(&c);
		mc_ldst(&c, MC_LS(.op = op, .reg = ONE_OF(0, 1), .mask = ONE_OF(0, 1, 15),
				  .swizzle = ONE_OF(0, MC_XYZW), .arg_reg = ONE_OF(0, 1, 7),
				  .toggle = rnd() & 1, .index_format = rnd() % 4,
				  .index_reg = ONE_OF(0, 1, 7),
				  .offset = (int)ONE_OF(0, 2, 0x60 << 9)),
			MC_NOP_LS);
		lower(&c, i % 2 ? VS_STAGE_FRAGMENT : VS_STAGE_COMPUTE, f);
	}
}

static void try_tex(u32 op, struct forms *f)
{
	static const u32 tags[] = { 2, 3, 4 };
	u32 i, k;

	for (i = 0; i < TRIES; i++) {
		struct mc_tex t = MC_TEX_2D;
		struct mcode c;

		t.tag = tags[i % 3];
		t.op = op;
		t.mode = rnd() % 2;
		t.type = ONE_OF(0, 1);
		t.partial = 1 + rnd() % 3;
		mc_start(&c);
		mc_texture(&c, &t);
		/* barriers have next to nothing */
		for (k = 0; k < 4 && t.tag == 4; k++)
			c.w[k] &= k ? 0 : 0xfff;
		if (t.tag == 4)
			c.w[0] |= (rnd() % 4) << 16;
		lower(&c, t.tag == 2 ? VS_STAGE_COMPUTE : VS_STAGE_FRAGMENT, f);
		if (t.tag == 4)
			lower(&c, VS_STAGE_COMPUTE, f);
	}
}

static bool named(enum kind kind, u32 op)
{
	if (kind == ALU)
		return mg_alu_op(op);
	return kind == LDST ? !!mg_ldst_op(op) : !!mg_tex_op_name(op);
}

static void test_lowering(enum kind kind)
{
	u32 op, n = 0, bad = 0;

	for (op = 0; op < kinds[kind].codes; op++) {
		bool executes = kinds[kind].executes(op);
		struct forms f = {};

		if (kind == ALU)
			try_alu(op, &f);
		else if (kind == LDST)
			try_ldst(op, &f);
		else
			try_tex(op, &f);
		n += executes;
		if (executes == !!f.lowered && (executes || !named(kind, op) || f.unsupported ||
						(kind == ALU && !mg_alu_op(op)->units)))
			continue;
		tap_comment("%02x: %s; %u forms lowered, %u not supported", op,
			    executes ? "executed" : "not executed", f.lowered, f.unsupported);
		bad++;
	}
	tap_result(!bad, "%s: %u operations are executed, %u are not as said", kinds[kind].title, n,
		   bad);
}

/* Rows of a section: code first, status last. */
static void test_table(const char *path, enum kind kind)
{
	u32 rows = 0, bad = 0;
	bool here = false;
	char line[400];
	FILE *f = fopen(path, "re");

	while (f && fgets(line, sizeof(line), f)) {
		if (line[0] >= 'A' && line[0] <= 'Z')
			here = !strncmp(line, kinds[kind].title, strlen(kinds[kind].title));
		if (!here || strncmp(line, "   \"", 4))
			continue;
		rows++;
		bad += kinds[kind].executes(strtoul(line + 4, NULL, 16)) !=
		       (strstr(line, "\"executed\"\n") || strstr(line, "\"executed: "));
	}
	if (f)
		fclose(f);
	tap_result(rows && !bad, "%s: %u rows of the support table, %u wrong", kinds[kind].title,
		   rows, bad);
}

int main(void)
{
	const char *table = getenv("MIDGARD_TABLE");
	enum kind kind;

	tap_start();
	for (kind = 0; kind < NUM_KINDS; kind++) {
		test_lowering(kind);
		if (table)
			test_table(table, kind);
		else
			tap_skip("no table given", "%s", kinds[kind].title);
	}
	return tap_done();
}
