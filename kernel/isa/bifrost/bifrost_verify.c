// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Verification of Bifrost programs.
 *
 * All code reachable from an entry must be defined: clauses, headers, register blocks,
 * constants, operations and their operands. Targets of jumps through registers and of blend
 * operations are known at execution only; code reachable only through them is not checked.
 */
#include "../../engine/simt/simt.h"
#include "bifrost_verify.h"

static const char * const reason_texts[BI_NUM_REASONS] = {
	[BI_OK]			= "not rejected",
	[BI_BAD_TAG]		= "tags are not those of a clause",
	[BI_TRUNCATED]		= "the program ends within a clause",
	[BI_BAD_RESERVED]	= "reserved bits of a clause are set",
	[BI_BAD_CONST]		= "undefined mode of an embedded constant",
	[BI_BAD_HEADER]		= "undefined clause header",
	[BI_BAD_PORTS]		= "undefined mode of the register ports",
	[BI_BAD_FMA]		= "undefined operation of the multiplier unit",
	[BI_BAD_ADD]		= "undefined operation of the adder unit",
	[BI_BAD_SOURCE]		= "operand that is not allowed or not read from a register",
	[BI_BAD_FAU]		= "operand that is no constant, uniform or special value",
	[BI_BAD_MESSAGE]	= "message operations do not agree with the header",
	[BI_BAD_PLACE]		= "operation that only the last tuple may have",
	[BI_BAD_TARGET]		= "branch target is no clause of the program",
	[BI_BAD_GPU]		= "this GPU does not have the operation",
	[BI_BAD_ENTRY]		= "entry point is not in the program",
	[BI_BAD_SIZE]		= "no code, too much, not whole quads, or another section",
	[BI_BAD_STAGE]		= "not a stage of this GPU",
	[BI_RUNS_OFF]		= "execution runs off the end of the program",
	[BI_UNSUPPORTED]	= "operation or modifier that is not executed",
	[BI_BAD_JUMP]		= "jump to a place that is known only to the program",
};

const char *bi_reason_text(u32 reason)
{
	return reason < BI_NUM_REASONS ? reason_texts[reason] : "unknown reason";
}

int bi_reject(struct bi_check *check, enum bi_reason reason, u32 offset, u32 value, u32 limit)
{
	check->reject = (struct vs_reject){
		.reason = reason, .offset = offset, .field_hi = 127, .value = value,
		.limit = limit,
	};
	return -ENOEXEC;
}

static int check_sources(const struct bi_view *v, u32 tuple, enum bi_unit unit,
			 const struct bi_op *op, struct bi_check *check)
{
	u32 bits = bi_op_bits(v, tuple, unit), code, i;

	for (i = 0; i < ARRAY_SIZE(op->src) && op->src[i].codes; i++) {
		code = bi_bits(bits, op->src[i].pos, 3);
		if (!(op->src[i].codes >> code & 1))
			return bi_reject(check, BI_BAD_SOURCE, v->pos, code, op->src[i].codes);
		if (bi_readable(v, tuple, code))
			continue;
		if (code == BI_SRC_FAU_LO || code == BI_SRC_FAU_HI)
			return bi_reject(check, BI_BAD_FAU, v->pos, v->ports[tuple].fau,
				      v->c.nconsts);
		return bi_reject(check, BI_BAD_SOURCE, v->pos, code, 0);
	}
	return 0;
}

static int check_op(const struct bi_view *v, u32 tuple, enum bi_unit unit, struct bi_check *check)
{
	u32 bits = bi_op_bits(v, tuple, unit);
	const struct bi_op *op = bi_op_find(unit, bits);

	if (!op)
		return bi_reject(check, unit == BI_FMA ? BI_BAD_FMA : BI_BAD_ADD, v->pos, bits,
			      tuple);
	if (op->flags & BI_LAST && tuple + 1 != v->c.ntuples)
		return bi_reject(check, BI_BAD_PLACE, v->pos, tuple, v->c.ntuples - 1);
	if (check->gpu < BI_NUM_GPUS && !(bi_op_gpus(op) >> check->gpu & 1))
		return bi_reject(check, BI_BAD_GPU, v->pos, bits, tuple);
	return check_sources(v, tuple, unit, op, check);
}

/* Message type of an operation; some modifiers change it. */
static u32 message_of(const struct bi_op *op, u32 bits)
{
	if (op->message == BI_MSG_LOAD && bi_has_mod(op, bits, "ubo"))
		return BI_MSG_ATTRIBUTE;
	if (op->message == BI_MSG_VARYING && bi_has_mod(op, bits, "frag_z"))
		return BI_MSG_Z_STENCIL;
	return op->message;
}

/* Is the header's message type right? Operations on 64-bit values may have one of their own. */
static bool same_message(u32 op, u32 header)
{
	if (header == BI_MSG_64BIT)
		return op == BI_MSG_LOAD || op == BI_MSG_STORE || op == BI_MSG_ATOMIC;
	return op == header;
}

static int check_message(const struct bi_view *v, struct bi_check *check)
{
	u32 found = BI_MSG_NONE, n = 0, bits, i;
	const struct bi_op *op;

	for (i = 0; i < 2 * v->c.ntuples; i++) {
		bits = bi_op_bits(v, i / 2, i % 2);
		op = bi_op_find(i % 2, bits);
		if (!op->message)
			continue;
		found = message_of(op, bits);
		n++;
	}
	if (n > 1 || !same_message(found, v->header.message))
		return bi_reject(check, BI_BAD_MESSAGE, v->pos, found, v->header.message);
	return 0;
}

static int check_clause(const struct bi_view *v, struct bi_check *check)
{
	u32 all = (1U << v->c.ntuples) - 1, i;
	int ret = 0;

	if (!v->header_ok)
		return bi_reject(check, BI_BAD_HEADER, v->pos, (u32)v->c.header, 0);
	if (!v->consts_ok)
		return bi_reject(check, BI_BAD_CONST, v->pos, v->c.m, 0);
	if (v->ports_ok != all)
		return bi_reject(check, BI_BAD_PORTS, v->pos, v->ports_ok, all);
	for (i = 0; i < 2 * v->c.ntuples && !ret; i++)
		ret = check_op(v, i / 2, i % 2, check);
	return ret ? ret : check_message(v, check);
}

const struct bi_part *bi_part_at(const struct bi_part *parts, u32 n, u32 pos)
{
	while (n > 1 && parts[n - 1].first > pos)
		n--;
	return &parts[n - 1];
}

/* The part that quad @pos belongs to. */
static struct bi_part bi_verify_part_at(const struct bi_walk *w, u32 pos)
{
	if (!w->nparts)
		return (struct bi_part){ .nquads = w->nquads };
	return *bi_part_at(w->parts, w->nparts, pos);
}

static int note_target(struct bi_walk *w, const struct bi_view *v, s64 quad)
{
	const struct bi_part p = bi_verify_part_at(w, v->pos);

	if (w->need && quad >= w->nquads && quad < BI_MAX_QUADS) {
		*w->need = max_t(u32, *w->need, (u32)quad + 1);
		return 0;
	}
	if (quad < p.first || quad >= p.first + p.nquads)
		return bi_reject(w->check, BI_BAD_TARGET, v->pos, (u32)quad, w->nquads);
	vs_todo_add(&w->places, (u32)quad);
	return 0;
}

/* Is an operand of a tuple the constant @value? */
static bool is_constant(const struct bi_view *v, u32 tuple, u32 code, u32 value)
{
	u32 fau = v->ports[tuple].fau;
	int index = bi_fau_const(fau);
	u64 bits;

	if (code != BI_SRC_FAU_LO && code != BI_SRC_FAU_HI)
		return false;
	if (index < 0)
		return !fau && !value;
	if (v->modes[index] != BI_CONST_PLAIN)
		return false;
	bits = v->c.consts[index] | (fau & 15);
	return (u32)(code == BI_SRC_FAU_HI ? bits >> 32 : bits) == value;
}

/* The target of a branch is its last source. */
enum bi_goes bi_branch_target(const struct bi_view *v, s64 *quad)
{
	u32 last = v->c.ntuples - 1, bits = bi_op_bits(v, last, BI_ADD), i = 0, code;
	const struct bi_op *op = bi_op_find(BI_ADD, bits);
	const struct bi_ports *p = &v->ports[last];

	if (!op || !bi_op_branches(op))
		return BI_GOES_ON;
	while (i + 1 < ARRAY_SIZE(op->src) && op->src[i + 1].codes)
		i++;
	code = bi_bits(bits, op->src[i].pos, 3);
	if (bi_pc_target(v, last, code, quad))
		return BI_GOES_QUAD;
	if (is_constant(v, last, code, 0))
		return BI_GOES_END;
	if ((code == BI_SRC_PORT0 && p->reg0 == BI_REG_RETURN) ||
	    (code == BI_SRC_PORT1 && p->reg1 == BI_REG_RETURN) ||
	    (code == BI_SRC_PORT2 && p->reg2 == BI_REG_RETURN))
		return BI_GOES_RETURN;
	return BI_GOES_ANYWHERE;
}

/* Return: 1 if the branch never falls through. */
static int bi_verify_follow_branch(struct bi_walk *w, const struct bi_view *v)
{
	u32 last = v->c.ntuples - 1, bits = bi_op_bits(v, last, BI_ADD);
	const struct bi_op *op = bi_op_find(BI_ADD, bits);
	enum bi_goes goes;
	s64 quad = 0;
	int ret;

	if (op->message == BI_MSG_BLEND)
		w->check->indirect = true;
	goes = bi_branch_target(v, &quad);
	if (goes == BI_GOES_ON)
		return 0;
	w->features |= VS_FEAT_FLOW;
	if (goes == BI_GOES_RETURN || goes == BI_GOES_ANYWHERE)
		w->check->indirect = true;
	if (goes != BI_GOES_QUAD)
		return bi_op_jumps(op);
	if (quad <= v->pos)
		w->features |= VS_FEAT_LOOP;
	ret = note_target(w, v, quad);
	return ret ? ret : bi_op_jumps(op);
}

static int bi_verify_visit(struct bi_walk *w, u32 pos)
{
	const struct bi_part p = bi_verify_part_at(w, pos);
	u32 end = p.first + p.nquads;
	struct bi_view v = { .pos = pos };
	enum bi_reason reason;
	int ret;

	reason = bi_clause_decode(w->words + 4 * pos, end - pos, &v.c);
	if (reason && w->need && w->nquads - pos < BI_CLAUSE_QUADS) {
		*w->need = max_t(u32, *w->need, w->nquads + 1);
		return 0;
	}
	if (w->need)
		*w->need = max_t(u32, *w->need, pos + 1);
	if (reason)
		return bi_reject(w->check, reason, pos, w->words[4 * pos] & 0xff, 0);
	bi_view_parts(&v);
	ret = check_clause(&v, w->check);
	if (!ret && w->clause)
		ret = w->clause(w->arg, &v);
	if (ret)
		return ret;
	w->check->clauses++;
	w->quads += v.c.quads;
	if (w->need)
		*w->need = max_t(u32, *w->need, pos + v.c.quads);
	ret = bi_verify_follow_branch(w, &v);
	if (ret < 0)
		return ret;
	if (ret || v.header.flow == BI_FLOW_END)
		return 0;
	if (pos + v.c.quads >= end && !w->need)
		return bi_reject(w->check, BI_RUNS_OFF, pos, pos + v.c.quads, end);
	return note_target(w, &v, pos + v.c.quads);
}

int bi_walk_step(struct bi_walk *w, u32 *left)
{
	u32 pos;
	int ret;

	while ((ret = vs_todo_take(&w->places, BI_VISIT, left, &pos)) > 0) {
		ret = bi_verify_visit(w, pos);
		if (ret)
			return ret;
	}
	return ret;
}

int bi_walk(struct bi_walk *w)
{
	u32 left;
	int ret;

	do {
		left = SIMT_PIECE;
		ret = bi_walk_step(w, &left);
		vs_cond_resched();
	} while (ret == -EAGAIN);
	return ret;
}

static int bi_verify_check_sizes(const struct vs_src *src, struct bi_check *check)
{
	u32 n = src->nwords[VS_SECTION_CODE], i;

	if (src->stage != VS_STAGE_VERTEX && src->stage != VS_STAGE_FRAGMENT &&
	    src->stage != VS_STAGE_COMPUTE)
		return bi_reject(check, BI_BAD_STAGE, 0, src->stage, VS_STAGE_COMPUTE);
	if (!n || n % 4 || n > 4 * BI_MAX_QUADS || src->nwords[VS_SECTION_OPDESC])
		return bi_reject(check, BI_BAD_SIZE, n / 4, n, 4 * BI_MAX_QUADS);
	if (!src->nentries)
		return bi_reject(check, BI_BAD_ENTRY, 0, 0, n / 4);
	for (i = 0; i < src->nentries; i++)
		if (src->entries[i] >= n / 4)
			return bi_reject(check, BI_BAD_ENTRY, src->entries[i], src->entries[i],
					 n / 4);
	return 0;
}

int bi_verify(const struct vs_src *src, struct vs_report *rep, struct bi_check *check)
{
	struct bi_walk w = { .words = src->words[VS_SECTION_CODE], .check = check };
	u64 *places;
	u32 i;
	int ret;

	memset(rep, 0, sizeof(*rep));
	check->clauses = 0;
	check->indirect = false;
	ret = bi_verify_check_sizes(src, check);
	if (ret)
		return ret;
	rep->code_words = src->nwords[VS_SECTION_CODE];
	w.nquads = rep->code_words / 4;
	places = vs_zalloc_array(vs_todo_words(w.nquads), sizeof(*places));
	if (!places)
		return -ENOMEM;
	vs_todo_init(&w.places, places, w.nquads);
	for (i = 0; i < src->nentries; i++)
		vs_todo_add(&w.places, src->entries[i]);
	ret = bi_walk(&w);
	rep->features = w.features;
	rep->reachable_words = 4 * w.quads;
	vs_free(places);
	return ret;
}
