// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Lowering of Utgard pixel programs to the SIMT machine: programs, registers, branches.
 */
#include "utgard_pp_lower_priv.h"

#define MAX_FREE	480	/* maximum slots per instruction */

/* ---- micro-ops and values ---- */

void upl_emit(struct upl *l, const struct simt_uop *u)
{
	struct simt_uop copy = *u;

	l->count++;
	if (!l->builder)
		return;
	copy.guest = l->pos;
	simt_builder_emit(l->builder, &copy);
}

u16 upl_const(struct upl *l, u32 bits)
{
	return l->builder ? simt_builder_const(l->builder, bits) : SIMT_U;
}

u16 upl_fresh(struct upl *l, u32 n)
{
	u32 d = l->free;

	if (d + n > UPP_SLOT_FREE + MAX_FREE) {
		l->error = -E2BIG;
		return UPP_SLOT_FREE;
	}
	l->free += n;
	l->top = max_t(u32, l->top, l->free);
	return (u16)d;
}

struct upl_val upl_op(struct upl *l, u32 op, u32 imm, struct upl_val a, struct upl_val b)
{
	u16 d = upl_fresh(l, 1), mods = a.mods;

	if (simt_opinfo[op].nsrc > 1)
		mods |= b.mods << 1;
	upl_emit(l, UPL_UOP(.op = (u16)op, .d = d, .s = { a.s, b.s }, .imm = imm,
			    .mods = mods));
	return upl_slot(d);
}

u16 upl_plain(struct upl *l, struct upl_val v)
{
	return v.mods ? upl_op(l, SIMT_FMOV, 0, v, v).s : v.s;
}

struct upl_val upl_reg(struct upl *l, u32 reg, u32 comp)
{
	const union upp_part *p = l->insn.part;

	switch (reg) {
	case UPP_REG_CONST0:
	case UPP_REG_CONST1:
		p += reg == UPP_REG_CONST0 ? UPP_CONST0 : UPP_CONST1;
		return upl_slot(upl_const(l, vs_f16_to_f32(p->v[comp])));
	case UPP_REG_TEXTURE:
		return l->tex[comp];
	case UPP_REG_UNIFORM:
		return l->uni[comp];
	default:
		if (reg < UPP_NUM_REGS)
			return upl_slot(UPP_SLOT_REG + 4 * reg + comp);
		/* unused operand */
		return upl_slot(upl_const(l, 0));
	}
}

struct upl_val upl_swizzled(struct upl *l, u32 reg, u32 swizzle, u32 comp, u32 absolute,
			    u32 negate)
{
	struct upl_val v = upl_reg(l, reg, swizzle >> (2 * comp) & 3);

	v.mods = (u16)((absolute ? SIMT_ABS(0) : 0) | (negate ? SIMT_NEG(0) : 0));
	return v;
}

struct upl_val upl_round(struct upl *l, struct upl_val v)
{
	u16 d;

	v = upl_slot(upl_plain(l, v));
	/* copy registers, which may be written before the value is read */
	if (l->fp32)
		return v.s < UPP_SLOT_VAR ? upl_op(l, SIMT_MOV, 0, v, v) : v;
	d = upl_fresh(l, 1);
	upl_emit(l, UPL_UOP(.op = SIMT_F2H2, .d = d, .s = { v.s, upl_const(l, 0) },
			    .imm = SIMT_RTE));
	upl_emit(l, UPL_UOP(.op = SIMT_H2F, .d = d, .s = { d }));
	return upl_slot(d);
}

void upl_write(struct upl *l, u32 reg, u32 mask, const struct upl_val v[4])
{
	struct upl_val from[4];
	u32 i;

	if (reg >= UPP_NUM_REGS)
		return;
	for (i = 0; i < 4; i++) {
		if (!(mask >> i & 1))
			continue;
		from[i] = upl_slot(upl_plain(l, v[i]));
		/* it may be overwritten first */
		if (from[i].s < UPP_SLOT_VAR)
			from[i] = upl_op(l, SIMT_MOV, 0, from[i], from[i]);
	}
	for (i = 0; i < 4; i++) {
		if (mask >> i & 1)
			upl_emit(l, UPL_UOP(.op = SIMT_MOV, .s = { from[i].s },
					    .d = (u16)(UPP_SLOT_REG + 4 * reg + i)));
	}
}

u16 upl_offset(struct upl *l, u32 lane)
{
	struct upl_val v = upl_reg(l, lane >> 2, lane & 3);

	return upl_op(l, SIMT_F2I, SIMT_RTZ, v, v).s;
}

/* ---- instructions ---- */

/* Comparison of a branch, by its bits less, equal, greater. */
static u32 comparison(const struct upp_branch *b)
{
	static const u8 cmp[8] = {
		SIMT_NE, SIMT_GT, SIMT_EQ, SIMT_GE, SIMT_LT, SIMT_GTLT, SIMT_LE, SIMT_ORD,
	};

	return cmp[b->less << 2 | b->equal << 1 | b->greater];
}

static void branch(struct upl *l)
{
	const struct upp_branch *b = &l->insn.part[UPP_BRANCH].branch;
	u32 target = l->pos + (u32)upp_target(b);
	struct upl_val a, c;

	if (upp_is_discard(b)) {
		upl_emit(l, UPL_UOP(.op = SIMT_KILL, .s = { upl_const(l, 1) }));
		return;
	}
	if (b->less && b->equal && b->greater) {
		upl_emit(l, UPL_UOP(.op = SIMT_JMP, .imm = target));
		return;
	}
	if (!b->less && !b->equal && !b->greater)
		return;
	a = upl_reg(l, b->arg0 >> 2, b->arg0 & 3);
	c = upl_reg(l, b->arg1 >> 2, b->arg1 & 3);
	a = upl_op(l, SIMT_FCMP, SIMT_CMP(comparison(b), SIMT_TRUE_1), a, c);
	upl_emit(l, UPL_UOP(.op = SIMT_BRNZ, .s = { a.s }, .imm = target));
}

static void begin(struct upl *l)
{
	struct upl_val zero = upl_slot(upl_const(l, 0));
	u32 i;

	l->free = UPP_SLOT_FREE;
	for (i = 0; i < 4; i++) {
		l->var[i] = zero;
		l->tex[i] = zero;
		l->uni[i] = zero;
		l->vmul[i] = zero;
	}
	l->smul = zero;
}

static void lower_insn(struct upl *l, u32 pos)
{
	l->pos = pos;
	/* cannot fail: it was verified */
	upp_decode(l->words + pos, l->nwords - pos, &l->insn);
	if (l->builder)
		simt_builder_label(l->builder, pos);
	if (l->debug)
		upl_emit(l, UPL_UOP(.op = SIMT_JOIN, .imm = SIMT_GUEST));
	begin(l);
	if (upp_has(&l->insn, UPP_VARYING))
		upl_varying(l);
	if (upp_has(&l->insn, UPP_SAMPLER))
		upl_sampler(l);
	if (upp_has(&l->insn, UPP_UNIFORM))
		upl_uniform(l);
	upl_multiply(l);
	upl_add(l);
	if (upp_has(&l->insn, UPP_COMBINE))
		upl_combine(l);
	if (upp_has(&l->insn, UPP_TEMP))
		upl_store(l);
	if (upp_has(&l->insn, UPP_BRANCH))
		branch(l);
	if (l->insn.ctrl.stop)
		upl_emit(l, UPL_UOP(.op = SIMT_END));
}

/* ---- programs ---- */

static void find(struct upl *l, u32 pos)
{
	if (pos < l->nwords && vs_todo_add(&l->reached, pos))
		l->ninsns++;
}

static bool has_temp(const struct upp_insn *insn)
{
	return upp_has(insn, UPP_TEMP) ||
	       (upp_has(insn, UPP_UNIFORM) &&
		insn->part[UPP_UNIFORM].uniform.source == UPP_LOAD_TEMP);
}

/* Follow the instruction at @pos. */
static void follow(struct upl *l, u32 pos)
{
	const struct upp_branch *b = &l->insn.part[UPP_BRANCH].branch;
	bool goes = false;

	upp_decode(l->words + pos, l->nwords - pos, &l->insn);
	l->uses_temps |= has_temp(&l->insn);
	if (upp_has(&l->insn, UPP_BRANCH) && !upp_is_discard(b)) {
		goes = b->less && b->equal && b->greater;
		if (b->less || b->equal || b->greater)
			find(l, pos + (u32)upp_target(b));
	}
	if (!goes && !l->insn.ctrl.stop)
		find(l, pos + l->insn.ctrl.count);
}

static int find_all(struct upl *l, u32 *left)
{
	u32 pos;
	int ret;

	while ((ret = vs_todo_take(&l->reached, UPP_VISIT, left, &pos)) > 0)
		follow(l, pos);
	return ret;
}

/* Clear rows of zeros and rows that may be read before they are stored. */
static void clear_temps(struct upl *l)
{
	u32 row, i;

	l->pos = 0;
	for (row = 0; row <= l->temps && l->uses_temps; row++) {
		for (i = 0; i < 4; i++)
			upl_emit(l, UPL_UOP(.op = SIMT_MOV, .d = (u16)(UPP_SLOT_FREE + i),
					    .s = { upl_const(l, 0) }));
		upl_emit(l, UPL_UOP(.op = SIMT_ST, .d = UPP_SLOT_FREE,
				    .s = { upl_const(l, 16 * row), upl_const(l, 0) },
				    .imm = SIMT_MEM(16, SIMT_SEG_TLS, 0)));
	}
}

static void begin_all(struct upl *l)
{
	l->count = 0;
	l->at = 0;
	l->next = l->entry;
	l->falls = true;
	if (l->builder)
		simt_builder_label(l->builder, l->nwords);
	clear_temps(l);
}

/* Lower all instructions in address order; jump where the next one is not adjacent. */
static int lower_all(struct upl *l, u32 *left)
{
	for (; l->at < l->nwords; l->at++) {
		if (!*left)
			return -EAGAIN;
		--*left;
		if (!vs_todo_seen(&l->reached, l->at))
			continue;
		*left -= min(*left, UPP_VISIT);
		if (l->falls && l->next != l->at)
			upl_emit(l, UPL_UOP(.op = SIMT_JMP, .imm = l->next));
		lower_insn(l, l->at);
		l->next = l->at + l->insn.ctrl.count;
		l->falls = l->next < l->nwords && vs_todo_seen(&l->reached, l->next) &&
			   !l->insn.ctrl.stop;
	}
	if (l->falls)
		upl_emit(l, UPL_UOP(.op = SIMT_JMP, .imm = l->next));
	else
		upl_emit(l, UPL_UOP(.op = SIMT_END));
	return 0;
}

/* ---- steps ---- */

static int step_verify(struct upl *l, u32 *left)
{
	return upp_walk_step(&l->walk, left);
}

static int step_find(struct upl *l, u32 *left)
{
	int ret = find_all(l, left);

	if (!ret)
		begin_all(l);
	return ret;
}

/* Count the micro-ops. */
static int step_count(struct upl *l, u32 *left)
{
	int ret = lower_all(l, left);

	if (ret)
		return ret;
	if (l->error)
		l->check.reject.offset = l->pos;
	return l->error;
}

static int step_builder(struct upl *l, u32 *left)
{
	if (l->count > SIMT_MAX_UOPS || 4 * l->rows > SIMT_MAX_UNIF / 2)
		return -E2BIG;
	l->builder = simt_builder_new(l->arena, l->count, l->ninsns + 1, 4 * l->rows);
	if (!l->builder)
		return -ENOMEM;
	if (l->uses_temps)
		l->out->tls = 16 * (l->temps + 2);
	begin_all(l);
	return 0;
}

static int step_emit(struct upl *l, u32 *left)
{
	const struct simt_prog proto = {
		.nslots = l->top, .warp = 4, .zero = UPP_SLOT_FREE, .quads = true,
		.temp = l->debug ? 0 : UPP_SLOT_FREE, .debug = l->debug,
		.forget = !l->debug, .nout = UPP_SLOT_REG + 4 * l->regs,
	};
	int ret = lower_all(l, left);

	if (ret)
		return ret;
	l->finish = simt_finish_new(l->builder, &proto, l->nwords);
	return l->finish ? 0 : -ENOMEM;
}

int upp_lower_step(struct upl *l, u32 *left, struct vs_reject *rej)
{
	static int (*const steps[])(struct upl *l, u32 *left) = {
		step_verify, step_find, step_count, step_builder, step_emit,
	};
	int ret = 0;

	for (; l->step < ARRAY_SIZE(steps) && !ret; l->step += !ret)
		ret = steps[l->step](l, left);
	if (!ret)
		ret = simt_finish_step(l->finish, left, &l->out->prog);
	*rej = l->check.reject;
	return ret;
}

static struct upl *prepare(struct simt_arena *arena, const u32 *words, u32 nwords)
{
	struct upl *l = simt_arena_alloc(arena, 1, sizeof(*l));
	u32 n = min_t(u32, nwords, UPP_MAX_WORDS);
	u64 *reached;

	if (!l)
		return NULL;
	l->places = simt_arena_alloc(arena, vs_todo_words(n), sizeof(u64));
	reached = simt_arena_alloc(arena, vs_todo_words(n), sizeof(u64));
	if (!l->places || !reached)
		return NULL;
	vs_todo_init(&l->reached, reached, n);
	l->arena = arena;
	l->words = words;
	l->nwords = nwords;
	l->top = UPP_SLOT_FREE + 8;
	return l;
}

int upp_lower_new(struct simt_arena *arena, const u32 *words, u32 nwords, u32 entry, u32 temps,
		  u32 flags, struct upp_program *out, struct upl **lowering,
		  struct vs_reject *rej)
{
	struct vs_src src = {
		.stage = VS_STAGE_FRAGMENT, .entries = &entry, .nentries = 1,
		.words[VS_SECTION_CODE] = words, .nwords[VS_SECTION_CODE] = nwords,
	};
	struct upl *l;
	int ret;

	memset(out, 0, sizeof(*out));
	memset(rej, 0, sizeof(*rej));
	if (temps > UPP_MAX_TEMPS)
		return -E2BIG;
	l = prepare(arena, words, nwords);
	if (!l)
		return -ENOMEM;
	ret = upp_walk_begin(&l->walk, &src, &l->check, &l->rep, l->places);
	*rej = l->check.reject;
	if (ret)
		return ret;
	l->temps = temps;
	l->fp32 = flags & UPP_LOWER_FP32;
	l->debug = flags & UPP_LOWER_DEBUG;
	l->y_up = flags & UPP_LOWER_Y_UP;
	l->regs = UPP_LOWER_NREGS(flags) ? UPP_LOWER_NREGS(flags) : UPP_NUM_REGS;
	l->out = out;
	/* a debugger shows the rasterizer's inputs even if no instruction reads them */
	out->given = l->debug;
	l->entry = entry;
	find(l, entry);
	*lowering = l;
	return 0;
}

int upp_lower(struct simt_arena *arena, const u32 *words, u32 nwords, u32 entry, u32 temps,
	      u32 flags, struct upp_program *out, struct vs_reject *rej)
{
	struct upl *l;
	u32 left;
	int ret;

	ret = upp_lower_new(arena, words, nwords, entry, temps, flags, out, &l, rej);
	if (ret)
		return ret;
	do {
		left = SIMT_PIECE;
		ret = upp_lower_step(l, &left, rej);
	} while (ret == -EAGAIN);
	return ret;
}
