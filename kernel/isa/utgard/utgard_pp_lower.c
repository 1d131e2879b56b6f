// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Lowering of Utgard pixel programs to the SIMT machine: programs, registers, branches.
 */
#include "utgard_pp_lower_priv.h"

#define MAX_FREE	480	/* maximum slots per instruction */

/* ---- values ---- */

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
	if (!l->fp32)
		return upl_op(l, SIMT_FHALF, 0, v, v);
	v = upl_slot(upl_plain(l, v));
	/* copy registers, which may be written before the value is read */
	return v.s < UPP_SLOT_VAR ? upl_op(l, SIMT_MOV, 0, v, v) : v;
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

static void upl_branch(struct upl *l)
{
	const struct upp_branch *b = &l->insn.part[UPP_BRANCH].branch;
	u32 target = l->f.pos + (u32)upp_target(b);
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

/* Slots of instructions follow those that show debuggers the values between fields. */
static u32 first_free(const struct upl *l)
{
	return l->debug ? UPP_SLOT_SHOW + UPP_NUM_SHOW : UPP_SLOT_FREE;
}

static void upl_begin(struct upl *l)
{
	struct upl_val zero = upl_slot(upl_const(l, 0));
	u32 i;

	l->f.temp = (u16)first_free(l);
	for (i = 0; i < 4; i++) {
		l->var[i] = zero;
		l->tex[i] = zero;
		l->uni[i] = zero;
		l->vmul[i] = zero;
	}
	l->smul = zero;
}

void upl_part(struct upl *l, enum upp_field field)
{
	u64 before = l->insn.ctrl.fields & (BIT_ULL(field) - 1);

	if (l->debug && before)
		upl_emit(l, UPL_UOP(.op = SIMT_JOIN, .imm = SIMT_GUEST + hweight64(before)));
}

void upl_show(struct upl *l, u32 at, const struct upl_val *v, u32 n)
{
	u32 i;

	for (i = 0; i < n && l->debug; i++)
		upl_emit(l, UPL_UOP(.op = SIMT_MOV, .d = (u16)(at + i),
				    .s = { upl_plain(l, v[i]) }));
}

/* The loading fields. */
static void lower_loads(struct upl *l)
{
	if (upp_has(&l->insn, UPP_VARYING)) {
		upl_part(l, UPP_VARYING);
		upl_varying(l);
	}
	if (upp_has(&l->insn, UPP_SAMPLER)) {
		upl_part(l, UPP_SAMPLER);
		upl_sampler(l);
		upl_show(l, UPP_SLOT_SHOW_TEX, l->tex, 4);
	}
	if (upp_has(&l->insn, UPP_UNIFORM)) {
		upl_part(l, UPP_UNIFORM);
		upl_uniform(l);
		upl_show(l, UPP_SLOT_SHOW_UNI, l->uni, 4);
	}
}

/* The calculating fields. Both multipliers, and both adders, write registers after the second. */
static void lower_units(struct upl *l)
{
	upl_multiply(l);
	upl_add(l);
	if (upp_has(&l->insn, UPP_COMBINE)) {
		upl_part(l, UPP_COMBINE);
		upl_combine(l);
	}
}

static void upl_lower_insn(struct upl *l, u32 pos)
{
	l->f.pos = pos;
	/* cannot fail: it was verified */
	upp_decode(l->words + pos, l->nwords - pos, &l->insn);
	simt_front_label(&l->f, pos);
	if (l->debug)
		upl_emit(l, UPL_UOP(.op = SIMT_JOIN, .imm = SIMT_GUEST));
	upl_begin(l);
	lower_loads(l);
	lower_units(l);
	if (upp_has(&l->insn, UPP_TEMP)) {
		upl_part(l, UPP_TEMP);
		upl_store(l);
	}
	if (upp_has(&l->insn, UPP_BRANCH)) {
		upl_part(l, UPP_BRANCH);
		upl_branch(l);
	}
	if (l->insn.ctrl.stop)
		upl_emit(l, UPL_UOP(.op = SIMT_END));
}

/* ---- programs ---- */

static void upl_find(struct upl *l, u32 pos)
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
			upl_find(l, pos + (u32)upp_target(b));
	}
	if (!goes && !l->insn.ctrl.stop)
		upl_find(l, pos + l->insn.ctrl.count);
}

/* Clear rows of zeros and rows that may be read before they are stored. */
static void clear_temps(struct upl *l)
{
	u32 row, i;

	l->f.pos = 0;
	for (row = 0; row <= l->temps && l->uses_temps; row++) {
		for (i = 0; i < 4; i++)
			upl_emit(l, UPL_UOP(.op = SIMT_MOV, .d = (u16)(UPP_SLOT_FREE + i),
					    .s = { upl_const(l, 0) }));
		upl_emit(l, UPL_UOP(.op = SIMT_ST, .d = UPP_SLOT_FREE,
				    .s = { upl_const(l, 16 * row), upl_const(l, 0) },
				    .imm = SIMT_MEM(16, SIMT_SEG_TLS, 0)));
	}
}

static void upl_begin_all(struct simt_front *f)
{
	struct upl *l = container_of(f, struct upl, f);

	l->at = 0;
	l->next = l->entry;
	l->falls = true;
	simt_front_label(f, l->nwords);
	clear_temps(l);
}

/* Lower all instructions in address order; jump where the next one is not adjacent. */
static int upl_lower_all(struct simt_front *f, u32 *left)
{
	struct upl *l = container_of(f, struct upl, f);

	for (; l->at < l->nwords; l->at++) {
		if (!*left)
			return -EAGAIN;
		--*left;
		if (!vs_todo_seen(&l->reached, l->at))
			continue;
		*left -= min(*left, UPP_VISIT);
		if (l->falls && l->next != l->at)
			upl_emit(l, UPL_UOP(.op = SIMT_JMP, .imm = l->next));
		upl_lower_insn(l, l->at);
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

static int upl_verify(struct simt_front *f, u32 *left)
{
	return upp_walk_step(&container_of(f, struct upl, f)->walk, left);
}

static int upl_find_all(struct simt_front *f, u32 *left)
{
	struct upl *l = container_of(f, struct upl, f);
	u32 pos;
	int ret;

	while ((ret = vs_todo_take(&l->reached, UPP_VISIT, left, &pos)) > 0)
		follow(l, pos);
	return ret;
}

static u32 upl_plan(struct simt_front *f, struct simt_prog *p)
{
	const struct upl *l = container_of(f, struct upl, f);

	*p = (struct simt_prog){
		.nslots = f->top, .warp = 4, .zero = first_free(l), .quads = true,
		.temp = l->debug ? 0 : UPP_SLOT_FREE, .debug = l->debug, .forget = !l->debug,
		.nout = UPP_SLOT_REG + 4 * l->regs, .nunif = 4 * l->rows, .entry = l->nwords,
	};
	if (l->uses_temps)
		l->out->tls = 16 * (l->temps + 2);
	return l->ninsns + 1;
}

static const struct simt_front_ops upl_ops = {
	.look = { upl_verify, upl_find_all }, .begin = upl_begin_all, .lower = upl_lower_all,
	.plan = upl_plan,
};

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
	l->f.ops = &upl_ops;
	l->f.arena = arena;
	l->f.rej = &l->check.reject;
	l->f.first = UPP_SLOT_FREE;
	l->f.end = UPP_SLOT_FREE + MAX_FREE;
	l->words = words;
	l->nwords = nwords;
	return l;
}

int upp_lower_new(struct simt_arena *arena, const u32 *words, u32 nwords, u32 entry, u32 temps,
		  u32 flags, struct upp_program *out, struct simt_front **lowering,
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
	/* a debugger shows the rasteriser's inputs even if no instruction reads them */
	out->given = l->debug;
	l->f.top = first_free(l) + 8;
	l->entry = entry;
	upl_find(l, entry);
	*lowering = &l->f;
	return 0;
}
