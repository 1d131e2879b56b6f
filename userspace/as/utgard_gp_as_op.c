// SPDX-License-Identifier: MIT
/*
 * Utgard vertex assembler: operations and where their results go.
 */
#include "utgard_gp_as.h"

#define MAX_TOKENS	8

/* Fields of the operands of units; multipliers have one bit for the sign of the result. */
static const struct {
	enum ugp_field a;
	enum ugp_field neg;
} slots[UGP_MUL1 + 1] = {
	[UGP_ACC0] = { UGP_F_acc0_a, UGP_F_acc0_a_neg },
	[UGP_ACC1] = { UGP_F_acc1_a, UGP_F_acc1_a_neg },
	[UGP_MUL0] = { UGP_F_mul0_a, UGP_F_mul0_neg },
	[UGP_MUL1] = { UGP_F_mul1_a, UGP_F_mul1_neg },
};

/**
 * struct op - operation being parsed
 * @gas: assembly
 * @g: instruction
 * @name: mnemonic without unit
 * @unit: unit
 * @tokens: tokens after the mnemonic
 * @n: number of @tokens
 */
struct op {
	struct gas *gas;
	struct gas_insn *g;
	const char *name;
	enum ugp_unit unit;
	char *tokens[MAX_TOKENS];
	u32 n;
};

static int __printf(2, 3) error(struct op *op, const char *fmt, ...)
{
	char text[160];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return uas_error(&op->gas->as, op->gas->as.line, "%s", text);
}

/* ---- destinations ---- */

static int store_group(struct op *op, u32 group, enum ugp_dest dest, u32 addr)
{
	static const enum ugp_field fields[2][3] = {
		{ UGP_F_store0_addr, UGP_F_store0_varying, UGP_F_store0_temporary },
		{ UGP_F_store1_addr, UGP_F_store1_varying, UGP_F_store1_temporary },
	};
	const u32 values[3] = { addr, dest == UGP_DEST_VARYING, dest == UGP_DEST_TEMP };
	struct gas_insn *g = op->g;
	u32 i;

	for (i = 0; i < 3; i++) {
		if (g->store >> (2 * group) & 3 && ugp_get(&g->insn, fields[group][i]) != values[i])
			return error(op, "components %s are stored elsewhere already",
				     group ? "z and w" : "x and y");
		gas_set(g, fields[group][i], values[i]);
	}
	return 0;
}

static int store(struct op *op, enum ugp_dest dest, u32 addr, u32 mask)
{
	struct gas_insn *g = op->g;
	u32 group, i;

	for (group = 0; group < 2; group++)
		if (mask >> (2 * group) & 3 && store_group(op, group, dest, addr))
			return -EINVAL;
	if (g->store & mask)
		return error(op, "a component is stored twice");
	g->store |= mask;
	for (i = 0; i < 4; i++)
		if (mask >> i & 1)
			gas_set(g, (enum ugp_field)(UGP_F_store_x + i), ugp_store_code(op->unit));
	return 0;
}

/* v2.xy, $3.z, t[addr0].w, addr1 */
static int dest_part(struct op *op, char *s)
{
	enum ugp_dest dest = UGP_DEST_TEMP;
	char *dot = strrchr(s, '.');
	s64 addr = 0;
	u32 mask;

	if (op->unit == UGP_COMPLEX_UNIT && !strncmp(s, "addr", 4) &&
	    uas_number(s + 4, 0, 3, &addr)) {
		gas_set(op->g, UGP_F_complex_op, 12 + (u32)addr);
		return 0;
	}
	mask = dot ? uas_mask(dot + 1) : 0;
	if (!mask)
		return error(op, "components are missing: %.40s", s);
	*dot = '\0';
	if (*s == 'v' || *s == '$') {
		dest = *s == 'v' ? UGP_DEST_VARYING : UGP_DEST_REG;
		if (!uas_number(s + 1, 0, 15, &addr))
			return error(op, "no such destination: %.40s", s);
	} else if (strcmp(s, "t[addr0]")) {
		return error(op, "no such destination: %.40s", s);
	}
	return store(op, dest, (u32)addr, mask);
}

static int destination(struct op *op, char *s)
{
	s64 mine = (s64)(op->gas->n - 1) * UGP_NUM_UNITS + op->unit, number;
	char *part = strsep(&s, "/");

	if (*part == '^' && part[1] && (!gas_result(part, &number) || number != mine))
		return error(op, "this result is ^%lld, not %.40s", (long long)mine, part);
	if (*part && *part != '^' && dest_part(op, part))
		return -EINVAL;
	while ((part = strsep(&s, "/")))
		if (dest_part(op, part))
			return -EINVAL;
	return 0;
}

/* Take the destination off the tokens; @nsrc operands remain. */
static int take_dest(struct op *op, u32 nsrc)
{
	if (op->n != nsrc && op->n != nsrc + 1)
		return error(op, "%s has %u operands", op->name, nsrc);
	if (op->n == nsrc)
		return 0;
	if (destination(op, op->tokens[0]))
		return -EINVAL;
	memmove(op->tokens, op->tokens + 1, nsrc * sizeof(*op->tokens));
	op->n--;
	return 0;
}

/* ---- operands ---- */

static int src(struct op *op, u32 token, enum ugp_field field, enum ugp_unit unit, bool b,
	       bool *neg)
{
	char *s = op->tokens[token];
	u32 code = 0;

	*neg = *s == '-';
	if (gas_src(op->gas, s + *neg, unit, b, &code))
		return -EINVAL;
	gas_set(op->g, field, code);
	return 0;
}

static int plain_src(struct op *op, u32 token, enum ugp_field field, enum ugp_unit unit, bool b)
{
	bool neg;

	if (src(op, token, field, unit, b, &neg))
		return -EINVAL;
	return neg ? error(op, "%s: operands cannot be negated", op->name) : 0;
}

static int claim(struct op *op, enum ugp_unit unit)
{
	if (op->g->units >> unit & 1)
		return error(op, "the unit has an operation already");
	op->g->units |= 1U << unit;
	return 0;
}

/* Code of an operation, by its name or as a number after @unknown. */
static int op_code(const char *name, enum ugp_class class, const char *unknown, s64 high)
{
	const struct ugp_op_info *info;
	size_t n = strlen(unknown);
	s64 code;
	u32 i;

	for (i = 0; i < UGP_NUM_OPS; i++) {
		info = ugp_op((enum ugp_opcode)i);
		if (info->class == class && !strcmp(info->name, name))
			return info->code;
	}
	if (!strncmp(name, unknown, n) && uas_number(name + n, 0, high, &code) &&
	    ugp_op_find(class, (u32)code) == UGP_OP_BAD)
		return (int)code;
	return -1;
}

/* ---- units ---- */

static int set_acc_op(struct op *op, u32 code)
{
	if (op->g->acc_op && op->g->insn.acc_op != code)
		return error(op, "both adders do the same operation");
	op->g->acc_op = true;
	gas_set(op->g, UGP_F_acc_op, code);
	return 0;
}

static int read_acc(struct op *op)
{
	enum ugp_field a = slots[op->unit].a, neg = slots[op->unit].neg;
	bool mov = !strcmp(op->name, "mov"), n0, n1 = true;
	int code = mov ? 0 : op_code(op->name, UGP_ACC, "op", 7);
	const struct ugp_op_info *info;
	u32 nsrc;

	if (code < 0)
		return error(op, "adders cannot %s", op->name);
	info = ugp_op(ugp_op_find(UGP_ACC, (u32)code));
	nsrc = mov || (info && info->nsrc == 1) ? 1 : 2;
	if (claim(op, op->unit) || set_acc_op(op, (u32)code) || take_dest(op, nsrc) ||
	    src(op, 0, a, op->unit, false, &n0))
		return -EINVAL;
	gas_set(op->g, neg, n0);
	if (mov) {
		gas_set(op->g, (enum ugp_field)(a + 1), UGP_SRC_P1_COMPLEX);
	} else if (nsrc == 1) {
		gas_set(op->g, (enum ugp_field)(a + 1), 0);
		n1 = false;
	} else if (src(op, 1, (enum ugp_field)(a + 1), op->unit, true, &n1)) {
		return -EINVAL;
	}
	gas_set(op->g, (enum ugp_field)(neg + 1), n1);
	return 0;
}

static int set_mul_op(struct op *op, u32 code)
{
	if (op->g->mul_op && op->g->insn.mul_op != code)
		return error(op, "the multipliers do something else already");
	op->g->mul_op = true;
	gas_set(op->g, UGP_F_mul_op, code);
	return 0;
}

static int read_mul(struct op *op)
{
	enum ugp_field a = slots[op->unit].a;
	bool mov = !strcmp(op->name, "mov"), complex2 = !strcmp(op->name, "complex2"), neg = false;

	if (!mov && strcmp(op->name, "mul") && !(complex2 && op->unit == UGP_MUL0))
		return error(op, "this multiplier cannot %s", op->name);
	if (claim(op, op->unit))
		return -EINVAL;
	/* complex2 is one of the first multiplier; the second one multiplies. */
	if (op->unit == UGP_MUL0 && set_mul_op(op, complex2 ? 3 : 0))
		return -EINVAL;
	if (take_dest(op, mov ? 1 : 2) || plain_src(op, 0, a, op->unit, false))
		return -EINVAL;
	if (mov)
		gas_set(op->g, (enum ugp_field)(a + 1), UGP_SRC_P1_COMPLEX);
	else if (src(op, 1, (enum ugp_field)(a + 1), op->unit, true, &neg))
		return -EINVAL;
	gas_set(op->g, slots[op->unit].neg, neg);
	return 0;
}

static int read_wide(struct op *op)
{
	static const struct {
		enum ugp_field field;
		enum ugp_unit unit;
		bool b;
	} all[4] = {
		{ UGP_F_mul0_a, UGP_MUL0, false }, { UGP_F_mul0_b, UGP_MUL0, true },
		{ UGP_F_mul1_a, UGP_MUL1, false }, { UGP_F_mul1_b, UGP_MUL1, true },
	};
	static const u8 select_order[] = { 1, 0, 2 }, order[] = { 0, 1, 2, 3 };
	int code = op_code(op->name, UGP_MUL, "unknown", 7);
	const struct ugp_op_info *info = code < 0 ? NULL : ugp_op(ugp_op_find(UGP_MUL, (u32)code));
	const u8 *fields = info && info->nsrc == 3 ? select_order : order;
	u32 nsrc = info && info->nsrc == 3 ? 3 : 4, i;

	if (code < 0 || (info && !(info->flags & UGP_WIDE)))
		return error(op, "the multipliers together cannot %s", op->name);
	if (claim(op, UGP_MUL0) || claim(op, UGP_MUL1) || set_mul_op(op, (u32)code) ||
	    take_dest(op, nsrc))
		return -EINVAL;
	for (i = 0; i < nsrc; i++)
		if (plain_src(op, i, all[fields[i]].field, all[fields[i]].unit, all[fields[i]].b))
			return -EINVAL;
	return 0;
}

static int read_pass(struct op *op)
{
	int code = op_code(op->name, UGP_PASS, "unk", 7);
	bool clamp = code >= 0 && ugp_op_find(UGP_PASS, (u32)code) == UGP_OP_CLAMP;
	u32 limit, i;

	if (code < 0)
		return error(op, "the pass-through cannot %s", op->name);
	if (claim(op, op->unit) || take_dest(op, clamp ? 3 : 1))
		return -EINVAL;
	gas_set(op->g, UGP_F_pass_op, (u32)code);
	if (plain_src(op, 0, UGP_F_pass_a, op->unit, false))
		return -EINVAL;
	for (i = 0; clamp && i < 2; i++) {
		if (gas_src(op->gas, op->tokens[1 + i], op->unit, false, &limit))
			return -EINVAL;
		if (limit != UGP_SRC_LOAD + i)
			return error(op, "limits are components x and y of a row");
	}
	return 0;
}

static int read_complex(struct op *op)
{
	int code = op_code(op->name, UGP_COMPLEX, "unk", 15);
	const struct ugp_op_info *info = code < 0 ? NULL :
					 ugp_op(ugp_op_find(UGP_COMPLEX, (u32)code));
	u32 nsrc = info ? info->nsrc : 1;

	if (code <= 0)
		return error(op, "the complex unit cannot %s", op->name);
	/* The destination may make another operation of a move. */
	gas_set(op->g, UGP_F_complex_op, (u32)code);
	if (claim(op, op->unit) || take_dest(op, nsrc))
		return -EINVAL;
	if (op->g->insn.complex_op != code && strcmp(op->name, "mov") &&
	    !(op->g->fixed >> UGP_F_complex_op & 1))
		return error(op, "only moves go to address registers");
	return nsrc ? plain_src(op, 0, UGP_F_complex_a, op->unit, false) : 0;
}

/* ---- others ---- */

static int read_branch(struct op *op)
{
	s64 mine = (s64)(op->gas->n - 1) * UGP_NUM_UNITS + UGP_PASS_UNIT, number;
	const char *target;

	if (op->n != 1 && op->n != 2)
		return error(op, "branch has a condition and a target");
	if (op->n == 2 && (!gas_result(op->tokens[0], &number) || number != mine))
		return error(op, "the condition is the result of the pass-through, ^%lld",
			     (long long)mine);
	if (op->g->insn.branch)
		return error(op, "an instruction has one branch");
	gas_set(op->g, UGP_F_branch, 1);
	target = op->tokens[op->n - 1];
	if (uas_number(target, 0, UGP_MAX_INSNS - 1, &number)) {
		gas_set(op->g, UGP_F_branch_target, (u32)number & 0xff);
		gas_set(op->g, UGP_F_branch_target_low, number < 0x100);
		return 0;
	}
	if (!uas_is_name(target))
		return error(op, "no such target: %.40s", target);
	op->g->target = strdup(target);
	op->gas->as.nomem |= !op->g->target;
	return 0;
}

/* A field by its name. */
static int read_field(struct op *op, const char *name)
{
	u32 i;
	s64 value;

	for (i = 0; i < UGP_NUM_FIELDS; i++) {
		const struct ugp_field_info *f = ugp_field((enum ugp_field)i);

		if (strcmp(f->name, name))
			continue;
		if (op->n != 1 || !uas_number(op->tokens[0], 0, (1 << f->width) - 1, &value))
			return error(op, "%s is a number of %u bits", name, f->width);
		ugp_set(&op->g->insn, (enum ugp_field)i, (u32)value);
		op->g->fixed |= 1ULL << i;
		return 0;
	}
	return error(op, "no such field: %.40s", name);
}

static int read_unit(struct op *op, const char *unit)
{
	static const struct {
		const char *name;
		enum ugp_unit unit;
		int (*read)(struct op *op);
	} units[] = {
		{ "a0", UGP_ACC0, read_acc }, { "a1", UGP_ACC1, read_acc },
		{ "m0", UGP_MUL0, read_mul }, { "m1", UGP_MUL1, read_mul },
		{ "m01", UGP_MUL0, read_wide }, { "p", UGP_PASS_UNIT, read_pass },
		{ "c", UGP_COMPLEX_UNIT, read_complex },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(units); i++) {
		if (strcmp(units[i].name, unit))
			continue;
		op->unit = units[i].unit;
		return units[i].read(op);
	}
	return error(op, "no such unit: %.40s", unit);
}

int gas_op(struct gas *gas, char *s)
{
	struct op op = { .gas = gas, .g = &gas->insns[gas->n - 1] };
	char *head = strsep(&s, " \t"), *dot, *token;

	while ((token = strsep(&s, " \t"))) {
		if (!*token)
			continue;
		if (op.n == MAX_TOKENS)
			return error(&op, "too many operands");
		op.tokens[op.n++] = token;
	}
	if (!strcmp(head, "nop"))
		return op.n ? error(&op, "nop has no operands") : 0;
	if (!strcmp(head, "branch"))
		return read_branch(&op);
	if (!strcmp(head, "unknown_1") || *head == '.')
		return read_field(&op, head + (*head == '.'));
	dot = strchr(head, '.');
	if (!dot)
		return error(&op, "no such operation: %.40s", head);
	*dot = '\0';
	op.name = head;
	return read_unit(&op, dot + 1);
}
