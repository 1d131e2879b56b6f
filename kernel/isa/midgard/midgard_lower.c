// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Lowering of Midgard bundles to micro-ops of the SIMT machine: programs, registers, branches.
 *
 * All operations of a stage read their sources before any of them writes. A result goes to its
 * register directly if no later reader in the stage needs the old value, else to a slot from
 * MG_SLOT_PEND on that is copied at the end of the stage.
 */
#include "midgard_lower_priv.h"
#include "midgard_verify.h"

static const char *const lower_texts[] = {
	[MG_UNSUPPORTED - MG_NUM_REASONS] = "operation or form of one that is not executed",
	[MG_BAD_FP_MODE - MG_NUM_REASONS] = "unsupported mode of floating-point operations",
	[MG_BAD_WORK_REGS - MG_NUM_REASONS] = "too many work registers or uniforms",
	[MG_NO_WORK_REG - MG_NUM_REASONS] =
		"register above the number of work registers in the renderer state",
};

/**
 * mg_lower_reason_text - text of a reject reason
 * @reason: enum mg_reason or enum mg_lower_reason
 *
 * Return: text, never NULL.
 */
const char *mg_lower_reason_text(u32 reason)
{
	if (reason < MG_NUM_REASONS || reason >= MG_LAST_REASON)
		return mg_reason_text(reason);
	return lower_texts[reason - MG_NUM_REASONS];
}

/* ---- emission ---- */

static void note_used(struct ml *l, u32 slot)
{
	if (slot >= MG_SLOT_REG(0) && slot < MG_SLOT_LOCAL)
		l->used = max_t(u32, l->used, (slot - MG_SLOT_REG(0)) / 4 + 1);
}

void ml_emit(struct ml *l, const struct simt_uop *u)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(u->s) && !l->f.builder; i++)
		note_used(l, u->s[i]);
	if (!l->f.builder)
		note_used(l, u->d);
	simt_front_emit(&l->f, u);
}

struct ml_val ml_const(struct ml *l, u32 bits)
{
	return (struct ml_val){ .s = simt_front_const(&l->f, bits), .is_const = true,
				.bits = bits };
}

/* Destination slot for the next result. */
static u16 ml_dst(struct ml *l)
{
	u16 d = l->want;

	if (d == ML_NOWHERE)
		return ml_temp(l);
	l->want = ML_NOWHERE;
	return d;
}

struct ml_val ml_op(struct ml *l, struct simt_uop u)
{
	u.d = ml_dst(l);
	ml_emit(l, &u);
	return ml_slot(u.d);
}

struct ml_val ml_aux(struct ml *l, struct simt_uop u)
{
	u.d = ml_temp(l);
	ml_emit(l, &u);
	return ml_slot(u.d);
}

static u32 perm_byte(u32 a, u32 b, u32 n)
{
	if (n < 4)
		return a >> (8 * n) & 255;
	if (n < 8)
		return b >> (8 * (n - 4)) & 255;
	if (n == SIMT_PERM_00)
		return 0;
	if (n == SIMT_PERM_FF)
		return 255;
	return a >> (8 * (n - SIMT_PERM_SIGN(0)) + 7) & 1 ? 255 : 0;
}

struct ml_val ml_perm(struct ml *l, struct ml_val a, struct ml_val b, u32 imm)
{
	u32 i, v = 0;

	if (a.is_const && b.is_const) {
		for (i = 0; i < 4; i++)
			v |= perm_byte(a.bits, b.bits, imm >> (4 * i) & 15) << (8 * i);
		return ml_const(l, v);
	}
	if (imm == ML_PERM_SAME)
		return a;
	return ml_op(l, ML_U(.op = SIMT_PERM, .s = { a.s, b.s }, .imm = imm));
}

/* ---- rejects ---- */

int ml_reject(struct ml *l, u32 reason, u32 value)
{
	l->rej = (struct vs_reject){ .reason = reason, .offset = l->f.pos, .field_hi = 127,
				     .value = value };
	return -ENOEXEC;
}

int ml_unsupported(struct ml *l, u32 value)
{
	return ml_reject(l, MG_UNSUPPORTED, value);
}

/* ---- labels ---- */

u32 ml_new_label(struct ml *l)
{
	/* follows the labels of the quads and of the end */
	return l->code->nquads + ++l->labels;
}

/* Debuggers stop before each operation but NOPs; lower_bundle() does it before the first one. */
void ml_part(struct ml *l)
{
	if (l->code->debug && l->part)
		ml_emit(l, ML_UOP(.op = SIMT_JOIN, .imm = SIMT_GUEST + l->part));
	l->part++;
}

/* ---- registers ---- */

struct ml_val ml_pc(struct ml *l, u32 quads, u32 word)
{
	const struct mg_code *c = l->code;
	u64 pc = c->va + 16ULL * (l->f.pos + quads);

	if (c->parts)
		pc += c->parts[ml_part_at(c, l->f.pos)].va - c->va -
		      16ULL * c->parts[ml_part_at(c, l->f.pos)].first;

	return ml_const(l, word ? (u32)(pc >> 32) : (u32)pc);
}

struct ml_val ml_tls(struct ml *l, u32 word)
{
	l->segments = true;
	return ml_slot(MG_SLOT_TLS + word);
}

struct ml_val ml_wls(struct ml *l, u32 word)
{
	l->segments = true;
	return ml_slot(MG_SLOT_WLS + word);
}

int ml_reg_word(struct ml *l, u32 reg, u32 word, struct ml_val *v)
{
	if (reg < MG_REG_TMP) {
		if (reg >= MG_REG_TMP - l->code->uniforms)
			*v = ml_slot(SIMT_U | (4 * (MG_REG_UNIFORM - reg) + word));
		else if (reg < l->work)
			*v = ml_slot(MG_SLOT_REG(reg) + word);
		else
			return ml_reject(l, MG_NO_WORK_REG, reg);
	} else if (reg < MG_REG_TMP + 2) {
		*v = ml_slot(MG_SLOT_TMP + 4 * (reg - MG_REG_TMP) + word);
	} else if (reg == MG_REG_CONST) {
		*v = ml_const(l, l->b.consts[word]);
	} else if (reg == MG_REG_TEX || reg == MG_REG_TEX + 1) {
		*v = ml_slot(MG_SLOT_TA + 4 * (reg - MG_REG_TEX) + word);
	} else if (reg == MG_REG_SPECIAL) {
		*v = word < 2 ? ml_pc(l, l->b.quads, word) : ml_tls(l, word - 2);
	} else {
		return ml_reject(l, MG_BAD_SRC_REG, reg);
	}
	return 0;
}

int ml_dest_slot(struct ml *l, u32 reg, u16 *slot)
{
	if (reg < l->work)
		*slot = MG_SLOT_REG(reg);
	else if (reg == MG_REG_TMP || reg == MG_REG_TMP + 1)
		*slot = MG_SLOT_TMP + 4 * (reg - MG_REG_TMP);
	else if (reg == MG_REG_LDST || reg == MG_REG_LDST + 1)
		*slot = MG_SLOT_AL + 4 * (reg - MG_REG_LDST);
	else if (reg == MG_REG_TEX || reg == MG_REG_TEX + 1)
		*slot = MG_SLOT_AT + 4 * (reg - MG_REG_TEX);
	else if (reg == MG_REG_SPECIAL)
		*slot = MG_SLOT_COND;
	else
		return ml_reject(l, reg < MG_REG_TMP ? MG_NO_WORK_REG : MG_BAD_DEST_REG, reg);
	return 0;
}

/* ---- branches ---- */

/* End of the program: exit, or for blend programs return to the caller. */
void ml_end(struct ml *l)
{
	if (ml_blends(l))
		ml_emit(l, ML_UOP(.op = SIMT_JMP, .imm = l->leave));
	else
		ml_emit(l, ML_UOP(.op = SIMT_END));
}

/* Condition of a branch: true if @v is not 0, or with @inv if it is 0. The bundle wrote r31. */
static int ml_condition(struct ml *l, const struct mg_branch *br, struct ml_val *v, bool *inv)
{
	u32 i, n;
	struct ml_val part, index;

	if ((l->cond & 0xf000) != 0xf000)
		return ml_reject(l, MG_BAD_COND, br->cond);
	/* only bit 0 of the table is used */
	*inv = br->cond == 0x5555;
	*v = ml_slot(MG_SLOT_COND + 3);
	if (l->cond_bool && (*inv || br->cond == 0xaaaa))
		return 0;
	*v = ml_aux(l, ML_U(.op = SIMT_IAND, .s = { MG_SLOT_COND + 3, ml_const(l, 1).s }));
	if (*inv || br->cond == 0xaaaa)
		return 0;
	index = *v;
	for (i = 1; i < 4; i++) {
		n = i < 2 ? MG_SLOT_COND + 3 : MG_SLOT_COND;
		part = i & 1 ? ml_aux(l, ML_U(.op = SIMT_SHRI, .s = { n }, .imm = 16)) : ml_slot(n);
		part = ml_aux(l, ML_U(.op = SIMT_IAND, .s = { part.s, ml_const(l, 1).s }));
		part = ml_aux(l, ML_U(.op = SIMT_SHLI, .s = { part.s }, .imm = i));
		index = ml_aux(l, ML_U(.op = SIMT_IOR, .s = { index.s, part.s }));
	}
	part = ml_aux(l, ML_U(.op = SIMT_SHR, .s = { ml_const(l, br->cond).s, index.s }));
	*v = ml_aux(l, ML_U(.op = SIMT_IAND, .s = { part.s, ml_const(l, 1).s }));
	return 0;
}

static void ml_go(struct ml *l, const struct mg_branch *br, u32 op, struct ml_val on)
{
	bool out = br->dest_tag == MG_TAG_BREAK;
	u32 target = l->f.pos + l->b.quads + br->offset;

	if (out && op == SIMT_JMP) {
		ml_end(l);
		return;
	}
	if (out)
		target = ml_blends(l) ? l->leave : l->code->nquads;
	l->ends |= out;
	ml_emit(l, ML_UOP(.op = op, .s = { on.s }, .imm = target));
}

/* A jump, call or return. Return: 1 if it never falls through. */
static int lower_jump(struct ml *l, const struct mg_branch *br, struct ml_val on, bool inv)
{
	bool always = br->cond == 0xffff || br->op == MG_BR_JUMP;
	u32 op = always ? SIMT_JMP : inv ? SIMT_BRZ : SIMT_BRNZ;

	if (br->call == MG_CALL_CALL)
		return ml_call(l, br, op, on);
	if (br->call == MG_CALL_RETURN)
		return ml_return(l, br, op, on);
	ml_go(l, br, op, on);
	return always;
}

/* Any branch, discard or write. Return: 1 if it never falls through. */
static int ml_lower_branch(struct ml *l, const struct mg_branch *br)
{
	struct ml_val on = ml_const(l, 1);
	bool inv = false;
	int ret;

	if (br->cond != 0xffff && br->op != MG_BR_WRITE && br->op != MG_BR_TILEBUFFER) {
		ret = ml_condition(l, br, &on, &inv);
		if (ret)
			return ret;
	}
	switch (br->op) {
	case MG_BR_JUMP:
	case MG_BR_COND:
		return lower_jump(l, br, on, inv);
	case MG_BR_DISCARD:
		if (inv)
			on = ml_aux(l, ML_U(.op = SIMT_UCMP, .s = { on.s, ml_const(l, 0).s },
					    .imm = SIMT_CMP(SIMT_EQ, SIMT_TRUE_1)));
		ml_emit(l, ML_UOP(.op = SIMT_KILL, .s = { on.s }));
		return 0;
	case MG_BR_TILEBUFFER:
		/* the tile buffer already holds the preceding draws */
		return l->code->stage == VS_STAGE_FRAGMENT ? 0 : ml_unsupported(l, br->op);
	default:
		return ml_write_out(l, br);
	}
}

/* ---- arithmetic bundles ---- */

static bool stage1(const struct mg_alu *a)
{
	return MG_STAGE1 >> a->unit & 1;
}

static void commit(struct ml *l)
{
	u32 i;

	for (i = 0; i < l->nwrites; i++) {
		const struct ml_write *w = &l->writes[i];
		u32 k, imm = 0;

		for (k = 0; k < 4; k++)
			imm |= (w->bytes >> k & 1 ? SIMT_PERM_A(k) : SIMT_PERM_B(k)) << (4 * k);
		if (w->bytes == 15)
			ml_emit(l, ML_UOP(.op = SIMT_MOV, .d = w->d, .s = { w->s }));
		else
			ml_emit(l, ML_UOP(.op = SIMT_PERM, .d = w->d, .s = { w->s, w->d },
					  .imm = imm));
	}
	l->nwrites = 0;
}

static void note_reads(struct ml *l)
{
	u32 i, w;

	for (i = 0; i < l->b.nalu; i++) {
		l->reads[i] = (struct ml_set){ };
		for (w = 0; w < 4; w++)
			ml_src_reads(&l->b.alu[i], w, &l->reads[i]);
	}
}

/* Comparisons return all zeros or all ones; codes in between are undefined. */
static bool ml_is_comparison(u32 op)
{
	return (op >= MG_OP_FCMP_EQ && op <= MG_OP_FCMP_ANY_LE) ||
	       (op >= MG_OP_CMP_EQ && op <= MG_OP_CMP_ANY_LE);
}

/* Record the bytes of r31 and r1 that an operation writes. */
static void note_written(struct ml *l, const struct mg_alu *a)
{
	u32 i, bytes = a->dbits / 8;
	u16 mask = 0;

	for (i = 0; i < a->nlanes; i++)
		if (a->lanes >> i & 1)
			mask |= (u16)(((1U << bytes) - 1) << ((a->delem + i) * bytes));
	if (a->dest == MG_REG_SPECIAL)
		l->cond |= mask;
	/* 32-bit comparisons */
	if (a->dest == MG_REG_SPECIAL && mask & 0xf000)
		l->cond_bool = a->dbits == 32 && a->mode == MG_MODE_32 && ml_is_comparison(a->op);
	else if (a->dest == 1)
		l->r1 |= mask;
}

static int ml_lower_alu(struct ml *l)
{
	u32 i, n = l->b.nalu;
	int ret;

	note_reads(l);
	l->cond = 0;
	l->r1 = 0;
	l->cond_bool = false;
	for (l->stage_end = 0; l->stage_end < n && stage1(&l->b.alu[l->stage_end]);)
		l->stage_end++;
	for (i = 0; i < n; i++) {
		if (i == l->stage_end) {
			commit(l);
			l->stage_end = n;
		}
		ml_part(l);
		l->i = i;
		l->a = &l->b.alu[i];
		l->def = mg_alu_op(l->a->op);
		l->f.temp = MG_SLOT_WORK;
		l->want = ML_NOWHERE;
		l->has_across = false;
		ret = ml_alu_op(l);
		if (ret)
			return ret;
		note_written(l, l->a);
	}
	commit(l);
	l->f.temp = MG_SLOT_WORK;
	for (i = 0; i < l->b.nbranch; i++) {
		ml_part(l);
		ret = ml_lower_branch(l, &l->b.branch[i]);
		if (ret < 0)
			return ret;
		if (ret) {
			l->last = true;
			return 0;
		}
	}
	return 0;
}

/* ---- programs ---- */

static int lower_bundle(struct ml *l, u32 pos)
{
	u32 first;
	int ret;

	l->f.pos = pos;
	l->last = false;
	l->nwrites = 0;
	/* cannot fail: the walk has decoded it */
	mg_bundle_decode(l->code->words + 4 * pos, ml_part_end(l->code, pos, &first) - pos, &l->b,
			 NULL);
	simt_front_label(&l->f, pos);
	l->part = 0;
	if (l->code->debug)
		ml_emit(l, ML_UOP(.op = SIMT_JOIN, .imm = SIMT_GUEST));
	if (l->b.kind == MG_KIND_ALU)
		ret = ml_lower_alu(l);
	else if (l->b.kind == MG_KIND_LDST)
		ret = ml_ldst_bundle(l);
	else
		ret = ml_tex_bundle(l);
	if (!ret && l->f.full)
		ret = ml_unsupported(l, MG_NUM_WORK);
	if (ret || l->last || l->b.next != MG_TAG_BREAK)
		return ret;
	l->last = true;
	ml_end(l);
	return 0;
}

static void ml_begin_all(struct simt_front *f)
{
	struct ml *l = container_of(f, struct ml, f);

	l->labels = 0;
	l->nback = 0;
	l->ncalls = 0;
	l->home = 0;
	l->nested = 0;
	l->at = 0;
	l->next = ML_LEAVES;
	if (l->code->nparts > 1)
		l->leave = ml_new_label(l);
}

static int ml_lower_one(struct ml *l, u32 pos)
{
	int ret;

	if (l->next != ML_LEAVES && l->next != pos)
		ml_emit(l, ML_UOP(.op = SIMT_JMP, .imm = l->next));
	ret = lower_bundle(l, pos);
	l->at = pos + 1;
	l->next = l->last ? ML_LEAVES : pos + l->b.quads;
	return ret;
}

static void end_all(struct ml *l)
{
	if (l->next != ML_LEAVES)
		ml_emit(l, ML_UOP(.op = SIMT_JMP, .imm = l->next));
	if (l->code->nparts > 1)
		ml_return_back(l);
	ml_calls_end(l);
	/* target of branches that leave the program */
	if (l->ends)
		simt_front_label(&l->f, l->code->nquads);
	if (l->ends)
		ml_emit(l, ML_UOP(.op = SIMT_END));
}

/* Lower all bundles in address order; jump where the next one is not adjacent. */
static int ml_lower_all(struct simt_front *f, u32 *left)
{
	struct ml *l = container_of(f, struct ml, f);
	u32 pos;
	int ret;

	while ((pos = simt_front_next(l->walk.seen, l->code->nquads, l->at)) != ML_LEAVES) {
		if (!*left)
			return -EAGAIN;
		*left -= min(*left, ML_VISIT);
		ret = ml_lower_one(l, pos);
		if (ret)
			return ret;
	}
	end_all(l);
	return 0;
}

/* Check the announced tags of the entry, the program and its blend programs. */
static int check_tags(struct ml *l)
{
	const struct mg_code *c = l->code;
	u32 i;

	l->f.pos = c->entry;
	if (c->tag && c->tag != (c->words[4 * c->entry] & 15))
		return ml_reject(l, MG_BAD_TARGET_TAG, c->tag);
	for (i = 1; i < c->nparts; i++) {
		l->f.pos = c->parts[i].first;
		if (c->parts[i].tag && c->parts[i].tag != (c->words[4 * l->f.pos] & 15))
			return ml_reject(l, MG_BAD_TARGET_TAG, c->parts[i].tag);
	}
	return 0;
}

static int check_code(struct ml *l)
{
	const struct mg_code *c = l->code;

	if (!c->nquads || c->nquads > MG_MAX_QUADS)
		return ml_reject(l, MG_BAD_SIZE, c->nquads);
	if (c->entry >= (c->parts ? c->parts[0].nquads : c->nquads))
		return ml_reject(l, MG_BAD_ENTRY, c->entry);
	if ((u32)c->gpu >= MG_NUM_GPUS)
		return ml_reject(l, MG_BAD_GPU, c->gpu);
	if (c->fp_mode >= MG_NUM_FP_MODES)
		return ml_reject(l, MG_BAD_FP_MODE, c->fp_mode);
	l->work = c->work ? c->work : min_t(u32, 16, MG_REG_TMP - c->uniforms);
	if (c->uniforms > MG_MAX_UNIFORMS || l->work > 16 || l->work + c->uniforms > MG_REG_TMP)
		return ml_reject(l, MG_BAD_WORK_REGS, l->work);
	return check_tags(l);
}

/* ---- steps ---- */

static int ml_look(struct simt_front *f, u32 *left)
{
	struct ml *l = container_of(f, struct ml, f);
	int ret = ml_walk_step(&l->walk, left);

	l->rej = l->walk.rej;
	return ret;
}

static u32 ml_plan(struct simt_front *f, struct simt_prog *p)
{
	const struct ml *l = container_of(f, struct ml, f);
	bool fragment = l->code->stage == VS_STAGE_FRAGMENT;

	*p = (struct simt_prog){
		.nslots = l->segments ? MG_NUM_SEG_SLOTS : MG_NUM_SLOTS, .warp = MG_WARP,
		/* slots that no call has set are tested, too */
		.zero = l->ncalls || l->home ? MG_SLOT_LINK + 1 : MG_SLOT_REG(l->used),
		.quads = fragment, .forget = true, .wls = l->segments ? MG_SLOT_WLS : 0,
		.uniform = { [MG_SLOT_LOCAL / 64] = 7ULL << (MG_SLOT_LOCAL % 64) },
		.compact = !fragment, .sparse = true, .debug = l->code->debug,
		.nunif = 4 * l->code->uniforms, .entry = l->code->entry,
	};
	return l->walk.bundles + l->labels + 1;
}

static const struct simt_front_ops ml_ops = {
	.look = { ml_look }, .begin = ml_begin_all, .lower = ml_lower_all, .plan = ml_plan,
};

static int ml_begin(struct ml *l)
{
	const struct mg_code *c = l->code;
	struct ml_walk *w = &l->walk;
	u32 i;
	int ret;

	ret = check_code(l);
	if (ret)
		return ret;
	w->gpu = c->gpu;
	ret = ml_walk_new(w, l->f.arena, c->words, c->nquads, c->entry);
	if (ret)
		return ret;
	w->code = c;
	for (i = 1; i < c->nparts; i++)
		ml_walk_note(w, c->parts[i].first);
	return 0;
}

int midgard_lower_new(struct simt_arena *arena, const struct mg_code *code,
		      struct simt_front **out, struct vs_reject *rej)
{
	struct ml *l = simt_arena_alloc(arena, 1, sizeof(*l));
	int ret;

	memset(rej, 0, sizeof(*rej));
	if (!l)
		return -ENOMEM;
	l->f.ops = &ml_ops;
	l->f.arena = arena;
	l->f.rej = &l->rej;
	l->f.first = MG_SLOT_WORK;
	l->f.end = MG_SLOT_WORK + MG_NUM_WORK;
	l->own = *code;
	if (code->parts) {
		memcpy(l->parts, code->parts, code->nparts * sizeof(*l->parts));
		l->own.parts = l->parts;
	}
	l->code = &l->own;
	ret = ml_begin(l);
	*rej = l->rej;
	*out = &l->f;
	return ret;
}

int midgard_extent_new(struct simt_arena *arena, const u32 *words, u32 nquads, u32 entry,
		       struct ml_walk **out)
{
	struct ml_walk *w = simt_arena_alloc(arena, 1, sizeof(*w));

	if (!w)
		return -ENOMEM;
	*out = w;
	w->need = entry + 1;
	if (entry >= nquads || nquads > MG_MAX_QUADS)
		return 0;
	/* any GPU; bundles that this GPU lacks are rejected later */
	w->gpu = MG_NUM_GPUS;
	return ml_walk_new(w, arena, words, nquads, entry);
}

int midgard_extent_step(struct ml_walk *w, u32 *left, u32 *need)
{
	int ret = ml_walk_step(w, left);

	*need = w->need;
	/* the lowering reports any error again */
	return ret == -EAGAIN ? ret : 0;
}
