// SPDX-License-Identifier: GPL-2.0
/* Random programs for the validator. */
#include "isa/qpu/qpu.h"
#include "valgen.h"

static u64 state = 1;

void vg_seed(u64 seed)
{
	state = seed * 0x9e3779b97f4a7c15ULL | 1;
}

u32 vg_rnd(u32 n)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (u32)((state * 0x2545f4914f6cdd1dULL) >> 32) % n;
}

u64 vg_alu(struct vg_alu f)
{
	u32 cond = f.cond ? f.cond : QPU_COND_ALWAYS;

	return (u64)(f.sig ? f.sig : QPU_SIG_NONE) << 60 | (u64)f.pm << 56 | (u64)f.pack << 52 |
	       (u64)cond << 49 | (u64)QPU_COND_ALWAYS << 46 | (u64)f.ws << 44 | (u64)f.add << 38 |
	       (u64)f.mul << 32 | (u64)f.op_mul << 29 | f.op << 24 | f.ra << 18 | f.rb << 12 |
	       f.a << 9 | f.b << 6 | f.ma << 3 | f.mb;
}

u64 vg_nop(void)
{
	return vg_alu((struct vg_alu){ .add = QPU_W_NOP, .mul = QPU_W_NOP, .ra = QPU_R_NOP,
				       .rb = QPU_R_NOP });
}

u64 vg_end(void)
{
	return (vg_nop() & ~(15ULL << 60)) | (u64)QPU_SIG_THREND << 60;
}

u64 vg_ldi(u32 waddr, u32 value)
{
	return (u64)QPU_SIG_LDI << 60 | (u64)QPU_COND_ALWAYS << 49 | (u64)QPU_COND_ALWAYS << 46 |
	       (u64)waddr << 38 | (u64)QPU_W_NOP << 32 | value;
}

u64 vg_branch(s32 by)
{
	return (u64)QPU_SIG_BRANCH << 60 | (u64)QPU_BR_ALWAYS << 52 | 1ULL << 51 |
	       (u64)QPU_W_NOP << 38 | (u64)QPU_W_NOP << 32 | (u32)((by - 4) * 8);
}

/* ---- structure ---- */

/**
 * struct gen - Program.
 * @w:		instructions
 * @n:		number
 * @max:	room
 * @bytes:	uniforms
 * @threaded:	registers up to 15
 * @since:	instructions since the last thread switch
 * @fresh:	instructions since the last branch
 */
struct gen {
	u64 *w;
	u32 n;
	u32 max;
	u32 bytes;
	bool threaded;
	u32 since;
};

static void put(struct gen *g, u64 word)
{
	if (g->n + 4 < g->max)
		g->w[g->n++] = word;
	g->since++;
}

static u32 any_reg(const struct gen *g)
{
	return vg_rnd(g->threaded ? 16 : 32);
}

static u32 any_mux(void)
{
	return vg_rnd(8);
}

/* Destination that nothing forbids. */
static u32 any_dest(const struct gen *g)
{
	static const u8 more[] = { QPU_W_NOP, QPU_W_ACC0, QPU_W_ACC1, QPU_W_ACC2, QPU_W_ACC3,
				   QPU_W_ACC5, QPU_W_TLB_STENCIL, QPU_W_TLB_Z, QPU_W_TLB_COLOR_MS,
				   QPU_W_TLB_COLOR, QPU_W_VPM, QPU_W_VPM_SETUP, QPU_W_SFU_RECIP,
				   QPU_W_MS_REV };

	return vg_rnd(2) ? any_reg(g) : more[vg_rnd(ARRAY_SIZE(more))];
}

static void put_alu(struct gen *g)
{
	static const u8 sigs[] = { QPU_SIG_NONE, QPU_SIG_NONE, QPU_SIG_NONE, QPU_SIG_SBWAIT,
				   QPU_SIG_SBDONE, QPU_SIG_LOADC, QPU_SIG_LDTMU0, QPU_SIG_LDTMU1,
				   QPU_SIG_SMI };
	struct vg_alu f = {
		.sig = sigs[vg_rnd(ARRAY_SIZE(sigs))], .add = any_dest(g), .mul = any_dest(g),
		.op = vg_rnd(25), .op_mul = vg_rnd(8), .ra = any_reg(g), .rb = any_reg(g),
		.a = any_mux(), .b = any_mux(), .ma = any_mux(), .mb = any_mux(),
		.cond = vg_rnd(8), .ws = vg_rnd(2),
	};

	if (!vg_rnd(3)) {
		f.ra = QPU_R_UNIF;
		g->bytes += 4;
	} else if (!vg_rnd(6)) {
		f.ra = QPU_R_VARY;
	}
	put(g, vg_alu(f));
}

static void put_parameter(struct gen *g, u32 waddr)
{
	struct vg_alu f = { .op = QPU_A_OR, .ra = any_reg(g), .rb = any_reg(g), .a = any_mux(),
			    .b = any_mux(), .add = waddr, .mul = QPU_W_NOP };

	if (vg_rnd(4) == 0) {
		f.mul = waddr;
		f.add = QPU_W_NOP;
	}
	put(g, vg_alu(f));
	g->bytes += 4;
}

static void put_texture(struct gen *g)
{
	u32 unit = vg_rnd(3) ? 0 : 4, more = 1 + vg_rnd(3), i;

	for (i = 0; i < more; i++) {
		put_parameter(g, QPU_W_TMU0_T + unit + vg_rnd(3));
		while (!vg_rnd(4))
			put_alu(g);
	}
	put_parameter(g, QPU_W_TMU0_S + unit);
}

static void put_direct(struct gen *g)
{
	u32 reg = vg_rnd(2) ? vg_rnd(4) : any_reg(g), acc = vg_rnd(2), file = vg_rnd(2);
	u32 dest = acc ? QPU_W_ACC0 + (reg &= 3) : reg;
	struct vg_alu f = { .op = QPU_A_MAX, .sig = QPU_SIG_SMI, .ra = any_reg(g), .a = QPU_MUX_A,
			    .b = QPU_MUX_B, .add = dest, .mul = QPU_W_NOP, .ws = file };
	u32 unit = vg_rnd(3) ? 0 : 4;

	put(g, vg_alu(f));
	while (!vg_rnd(3))
		put_alu(g);
	f.sig = 0;
	f.op = QPU_A_MIN;
	f.a = acc ? reg : file ? QPU_MUX_B : QPU_MUX_A;
	f.b = file ? QPU_MUX_A : QPU_MUX_B;
	f.ra = file ? QPU_R_UNIF : reg;
	f.rb = file ? reg : QPU_R_UNIF;
	put(g, vg_alu(f));
	g->bytes += 4;
	f.op = QPU_A_ADD;
	f.add = QPU_W_TMU0_S + unit;
	f.ws = 0;
	put(g, vg_alu(f));
	g->bytes += 4;
}

static void put_address(struct gen *g)
{
	u32 reg = vg_rnd(2) ? any_reg(g) : QPU_W_ACC0 + vg_rnd(4);
	struct vg_alu f = { .op = QPU_A_ADD, .add = QPU_W_UNIF_ADDR, .mul = QPU_W_NOP,
			    .a = reg >= QPU_W_ACC0 ? reg - QPU_W_ACC0 : QPU_MUX_A, .b = QPU_MUX_B,
			    .ra = reg >= QPU_W_ACC0 ? QPU_R_NOP : reg, .rb = QPU_R_UNIF };

	put(g, vg_ldi(reg, g->bytes + 4));
	put(g, vg_alu(f));
	g->bytes += 4;
}

static void put_switch(struct gen *g)
{
	u64 sig = vg_rnd(8) ? QPU_SIG_THRSW : QPU_SIG_LTHRSW;

	while (g->since < 3)
		put(g, vg_nop());
	put(g, (vg_nop() & ~(15ULL << 60)) | sig << 60);
	g->since = 1;
}

static void put_body(struct gen *g, u32 n)
{
	while (n--)
		switch (vg_rnd(10)) {
		case 0:
			put_texture(g);
			break;
		case 1:
			put_direct(g);
			break;
		case 2:
			put(g, vg_ldi(any_reg(g), vg_rnd(2) ? vg_rnd(256) : vg_rnd(~0U)));
			break;
		case 3:
			if (g->threaded)
				put_switch(g);
			break;
		default:
			put_alu(g);
		}
}

static void put_branch(struct gen *g, s32 by)
{
	while (g->since < 3 || g->n < 2)
		put(g, vg_nop());
	put(g, vg_branch(by));
	put(g, vg_nop());
	put(g, vg_nop());
	put(g, vg_nop());
}

/* The target gets its place later. */
static void put_if(struct gen *g)
{
	u32 at, i;

	put_branch(g, 4);
	at = g->n - 4;
	put_address(g);
	put_body(g, 1 + vg_rnd(4));
	for (i = 0; i < 3; i++)
		put(g, vg_nop());
	if (g->n + 8 < g->max)
		g->w[at] = vg_branch((s32)(g->n - at));
	if (vg_rnd(8))
		put_address(g);
}

static void put_loop(struct gen *g)
{
	u32 start;

	put_branch(g, 4);
	start = g->n;
	put_address(g);
	put_body(g, 2 + vg_rnd(4));
	put_branch(g, 0);
	if (g->n + 8 < g->max)
		g->w[g->n - 4] = vg_branch((s32)start - (s32)(g->n - 4));
	if (vg_rnd(2))
		put_address(g);
}

u32 vg_program(u64 *words, u32 max, bool threaded)
{
	struct gen g = { .w = words, .max = max, .threaded = threaded, .since = 3 };
	u32 parts = 1 + vg_rnd(5);

	while (parts--)
		switch (vg_rnd(6)) {
		case 0:
			put_if(&g);
			break;
		case 1:
			put_loop(&g);
			break;
		default:
			put_body(&g, 1 + vg_rnd(8));
		}
	if (threaded && !vg_rnd(4))
		put_switch(&g);
	words[g.n++] = vg_end();
	words[g.n++] = vg_nop();
	words[g.n++] = vg_nop();
	return g.n;
}

/* ---- changes ---- */

static u32 any_special(void)
{
	static const u8 special[] = { QPU_W_UNIF_ADDR, QPU_W_TMU0_S, QPU_W_TMU0_T, QPU_W_TMU1_S,
				      QPU_W_TMU1_B, QPU_W_TMU_NOSWAP, QPU_W_HOST_INT, QPU_W_NOP,
				      QPU_W_TLB_ALPHA, QPU_W_VPM_ADDR, QPU_W_MUTEX, QPU_W_VPM,
				      QPU_R_UNIF, QPU_R_ELEM_QPU, 0, 15, 16, 31, 33, 35 };

	return vg_rnd(3) ? special[vg_rnd(ARRAY_SIZE(special))] : vg_rnd(64);
}

static u64 set_field(u64 word, u32 lowest, u32 bits, u64 value)
{
	u64 mask = ((1ULL << bits) - 1) << lowest;

	return (word & ~mask) | (value << lowest & mask);
}

static u64 change_field(u64 word)
{
	switch (vg_rnd(13)) {
	case 0:
		return set_field(word, 60, 4, vg_rnd(16));
	case 1:
		return set_field(word, 38, 6, any_special());
	case 2:
		return set_field(word, 32, 6, any_special());
	case 3:
		return set_field(word, 18, 6, any_special());
	case 4:
		return set_field(word, 12, 6, any_special());
	case 5:
		return set_field(word, 24, 5, vg_rnd(2) ? QPU_A_ADD + vg_rnd(8) : vg_rnd(32));
	case 6:
		return set_field(word, 9, 3, vg_rnd(8));
	case 7:
		return set_field(word, 6, 3, vg_rnd(8));
	case 8:
		return set_field(word, 46, 6, vg_rnd(64));
	case 9:
		return set_field(word, 52, 5, vg_rnd(32));
	case 10:
		return word ^ 1ULL << 44;
	case 11:
		return set_field(word, 0, 32, vg_rnd(2) ? 8 * (vg_rnd(64) - 32) : vg_rnd(1024));
	default:
		return word ^ 1ULL << vg_rnd(64);
	}
}

/* Some fields of @word are those of @other. */
static u64 mix_fields(u64 word, u64 other)
{
	/* lowest bits of fields; the last one is the end */
	static const u8 fields[] = { 0, 3, 6, 9, 12, 18, 24, 29, 32, 38, 44, 45, 46, 49, 52, 56, 60,
				     64 };
	u32 i;

	for (i = 0; i + 1 < ARRAY_SIZE(fields); i++)
		if (!vg_rnd(3))
			word = set_field(word, fields[i], (u32)(fields[i + 1] - fields[i]),
					 other >> fields[i]);
	return word;
}

u32 vg_change_program(u64 *words, u32 n, u32 size)
{
	u32 at = vg_rnd(n), to = vg_rnd(n), count;
	u64 word = words[at];

	switch (vg_rnd(28)) {
	case 0:
		words[at] = words[to];
		words[to] = word;
		break;
	case 1:
		memmove(words + at, words + at + 1, 8 * (n - at));
		return max(n - 1, 1U);
	case 2:
		words[at] = words[to];
		break;
	case 3:
		if (n + 1 >= size)
			break;
		memmove(words + at + 1, words + at, 8 * (n - at));
		words[at] = change_field(words[to]);
		return n + 1;
	case 4:
		words[at] = vg_branch((s32)vg_rnd(2 * n) - (s32)n);
		break;
	case 5:
		words[at] = vg_branch((s32)(to - at));
		break;
	case 6:
		words[at] = set_field(words[at], 60, 4, QPU_SIG_LDI);
		break;
	case 7:
	case 8:
		words[at] = mix_fields(word, words[to]);
		break;
	case 9:
		/* a piece twice, over others or between them */
		count = 1 + vg_rnd(min(n - max(at, to), 12U));
		if (vg_rnd(2) && n + count < size) {
			memmove(words + at + count, words + at, 8 * (n - at));
			n += count;
			to += to >= at ? count : 0;
		}
		memmove(words + at, words + to, 8 * count);
		break;
	case 10:
		/* the parts of a piece in another order */
		count = min(n - at, 2 + vg_rnd(6));
		for (to = 0; to < count / 2; to++) {
			word = words[at + to];
			words[at + to] = words[at + count - 1 - to];
			words[at + count - 1 - to] = word;
		}
		break;
	default:
		words[at] = change_field(words[at]);
	}
	return n;
}
