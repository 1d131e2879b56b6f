// SPDX-License-Identifier: MIT
/*
 * QPU assembler: built-in functions and constants: setup words of VPM and DMA under the
 * names in published kernels, type predicates, arithmetic. A function of the same name in
 * the source overrides them.
 */
#include <math.h>

#include "qpu_as.h"

#define MAX_FIELDS	4

/*
 * struct setup - function that returns a setup word
 * @name: name
 * @base: constant bits
 * @n: arguments
 * @field: for each argument: smallest and largest value, mask, position
 */
static const struct setup {
	const char *name;
	u32 base;
	u32 n;
	struct {
		s32 min;
		s32 max;
		u32 mask;
		u32 shift;
	} field[MAX_FIELDS];
} setups[] = {
	/* VPM access through the FIFOs: number, stride, mode and address */
	{ "vpm_setup", 0, 3, { { 0, 16, 0xf, 20 }, { -64, 64, 0x3f, 12 },
				 { 0, 0xfff, 0xfff, 0 } } },
	{ "h32", 0xa00, 1, { { 0, 63, 0x3f, 0 } } },
	{ "h16p", 0x900, 2, { { 0, 63, 0x3f, 1 }, { 0, 1, 1, 0 } } },
	{ "h16l", 0xd00, 2, { { 0, 63, 0x3f, 1 }, { 0, 1, 1, 0 } } },
	{ "h8p", 0x800, 2, { { 0, 63, 0x3f, 2 }, { 0, 3, 3, 0 } } },
	{ "h8l", 0xc00, 2, { { 0, 63, 0x3f, 2 }, { 0, 3, 3, 0 } } },
	{ "v32", 0x200, 2, { { 0, 0x3f, 0x30, 0 }, { 0, 15, 0xf, 0 } } },
	{ "v16p", 0x100, 3, { { 0, 0x3f, 0x30, 1 }, { 0, 15, 0xf, 1 }, { 0, 1, 1, 0 } } },
	{ "v16l", 0x500, 3, { { 0, 0x3f, 0x30, 1 }, { 0, 15, 0xf, 1 }, { 0, 1, 1, 0 } } },
	{ "v8p", 0, 3, { { 0, 0x3f, 0x30, 2 }, { 0, 15, 0xf, 2 }, { 0, 3, 3, 0 } } },
	{ "v8l", 0x400, 3, { { 0, 0x3f, 0x30, 2 }, { 0, 15, 0xf, 2 }, { 0, 3, 3, 0 } } },
	/* DMA load */
	{ "vdr_setup_0", 0x80000000U, 4, { { 0, 15, 0xf, 24 }, { 0, 16, 0xf, 20 },
					   { 0, 16, 0xf, 16 }, { 0, 0x7000ffff, 0x7000ffff, 0 } } },
	{ "vdr_setup_1", 0x90000000U, 1, { { 0, 0xffff, 0xffff, 0 } } },
	{ "vdr_h32", 0, 3, { { 0, 16, 0xf, 12 }, { 0, 63, 0x3f, 4 }, { 0, 15, 0xf, 0 } } },
	{ "vdr_v32", 0x800, 3, { { 0, 16, 0xf, 12 }, { 0, 63, 0x3f, 4 }, { 0, 15, 0xf, 0 } } },
	/* DMA store */
	{ "vdw_setup_0", 0x80000000U, 3, { { 0, 128, 0x7f, 23 }, { 0, 128, 0x7f, 16 },
					   { 0, 0x7fff, 0x7fff, 0 } } },
	{ "vdw_setup_1", 0xc0000000U, 1, { { 0, 0xffff, 0xffff, 0 } } },
	{ "vdw_setup_1p", 0xc0010000U, 1, { { 0, 0xffff, 0xffff, 0 } } },
	{ "dma_h32", 0x4000, 2, { { 0, 127, 0x7f, 7 }, { 0, 15, 0xf, 3 } } },
	{ "dma_h16p", 0x4002, 3, { { 0, 127, 0x7f, 7 }, { 0, 15, 0xf, 3 }, { 0, 1, 1, 0 } } },
	{ "dma_h8p", 0x4004, 3, { { 0, 127, 0x7f, 7 }, { 0, 15, 0xf, 3 }, { 0, 3, 3, 0 } } },
	{ "dma_v32", 0, 2, { { 0, 127, 0x7f, 7 }, { 0, 15, 0xf, 3 } } },
	{ "dma_v16p", 2, 3, { { 0, 127, 0x7f, 7 }, { 0, 15, 0xf, 3 }, { 0, 1, 1, 0 } } },
	{ "dma_v8p", 4, 3, { { 0, 127, 0x7f, 7 }, { 0, 15, 0xf, 3 }, { 0, 3, 3, 0 } } },
};

static int setup_word(struct qas *as, const struct setup *s, const struct qas_val *arg,
		      struct qas_val *v, u32 col)
{
	u32 i, word = s->base;

	for (i = 0; i < s->n; i++) {
		if (arg[i].type != QAS_INT)
			return qas_error(as, col, "%s: argument %u must be an integer", s->name,
					 i + 1);
		if (arg[i].i < s->field[i].min || arg[i].i > s->field[i].max)
			return qas_error(as, col, "%s: argument %u must be %d to %d", s->name,
					 i + 1, s->field[i].min, s->field[i].max);
		/* Only limits that the mask itself implies may be cut: 16 for 0 ... */
		if (s->field[i].mask == 0x30 && (arg[i].i & ~0x30LL))
			return qas_error(as, col, "%s: argument %u must be 0, 16, 32 or 48",
					 s->name, i + 1);
		word |= ((u32)arg[i].i & s->field[i].mask) << s->field[i].shift;
		v->dep |= arg[i].dep;
	}
	v->type = QAS_INT;
	v->i = word;
	return 0;
}

/* Questions about any value, and arithmetic. */
enum fn { F_MIN, F_MAX, F_ILOG2, F_COUNT, F_REVERSE, F_REVERSE_N, F_SACQ, F_SREL, F_CONST,
	  F_ELEM, F_ELEM_S, F_ELEM_U, F_REG, F_FILE_A, F_FILE_B, F_ACC, F_READ, F_WRITE,
	  F_ROTATE, F_SEMA, F_LABEL, F_SMALL };

static const struct {
	const char *name;
	u8 fn;
	u8 n;
	u8 bits;
} functions[] = {
	{ "min", F_MIN, 2, 0 }, { "max", F_MAX, 2, 0 }, { "ilog2", F_ILOG2, 1, 0 },
	{ "countBits", F_COUNT, 1, 0 }, { "reverseBits4", F_REVERSE, 1, 4 },
	{ "reverseBits8", F_REVERSE, 1, 8 }, { "reverseBits16", F_REVERSE, 1, 16 },
	{ "reverseBits32", F_REVERSE, 1, 32 }, { "reverseBits64", F_REVERSE, 1, 64 },
	{ "reverseBits", F_REVERSE_N, 2, 0 }, { "sacq", F_SACQ, 1, 0 }, { "srel", F_SREL, 1, 0 },
	{ "isConstant", F_CONST, 1, 0 }, { "isLdPE", F_ELEM, 1, 0 },
	{ "isLdPES", F_ELEM_S, 1, 0 }, { "isLdPEU", F_ELEM_U, 1, 0 },
	{ "isRegister", F_REG, 1, 0 }, { "isRegfileA", F_FILE_A, 1, 0 },
	{ "isRegfileB", F_FILE_B, 1, 0 }, { "isAccu", F_ACC, 1, 0 },
	{ "isReadable", F_READ, 1, 0 }, { "isWritable", F_WRITE, 1, 0 },
	{ "isRotate", F_ROTATE, 1, 0 }, { "isSemaphore", F_SEMA, 1, 0 },
	{ "isLabel", F_LABEL, 1, 0 }, { "isSmallImmd", F_SMALL, 1, 0 },
};

static bool is_acc(const struct qas_val *v)
{
	return v->type == QAS_REG && v->is_acc;
}

static s64 ask_reg(u8 fn, const struct qas_val *a)
{
	if (a->type != QAS_REG)
		return 0;
	switch (fn) {
	case F_REG:
		return 1;
	case F_FILE_A:
		return is_acc(a) || (a->use & (QPU_REG_RA | QPU_REG_WA));
	case F_FILE_B:
		return is_acc(a) || (a->use & (QPU_REG_RB | QPU_REG_WB));
	case F_ACC:
		return is_acc(a);
	case F_READ:
		return is_acc(a) || (a->use & (QPU_REG_RA | QPU_REG_RB));
	case F_WRITE:
		return (is_acc(a) && a->addr < 4) || (a->use & (QPU_REG_WA | QPU_REG_WB));
	default:
		return a->rot != 0;
	}
}

static s64 ask(u8 fn, const struct qas_val *a)
{
	u32 bits;

	switch (fn) {
	case F_CONST:
		return (a->type == QAS_INT && a->labels != 1) || a->type == QAS_FLOAT;
	case F_ELEM:
		return a->type == QAS_ELEM;
	case F_ELEM_S:
		return a->type == QAS_ELEM && a->is_signed;
	case F_ELEM_U:
		return a->type == QAS_ELEM && !a->is_signed;
	case F_SEMA:
		return a->type == QAS_SEMA;
	case F_LABEL:
		return a->type == QAS_INT && a->labels == 1;
	case F_SMALL:
		return qas_bits(a, &bits) && qas_small(bits) >= 0;
	default:
		return ask_reg(fn, a);
	}
}

static s64 reverse(u64 x, u32 bits)
{
	u64 r = 0;
	u32 i;

	for (i = 0; i < bits; i++)
		r |= (x >> i & 1) << (bits - 1 - i);
	return (s64)r;
}

static double num(const struct qas_val *v)
{
	return v->type == QAS_FLOAT ? v->f : (double)v->i;
}

static bool less(const struct qas_val *a, const struct qas_val *b)
{
	if (a->type == QAS_INT && b->type == QAS_INT)
		return a->i < b->i;
	return num(a) < num(b);
}

static int arithmetic(struct qas *as, u32 row, const struct qas_val *arg, struct qas_val *v,
		      u32 col)
{
	u64 x = (u64)arg[0].i;
	u32 i;

	if (functions[row].fn == F_MIN || functions[row].fn == F_MAX) {
		*v = less(&arg[0], &arg[1]) == (functions[row].fn == F_MIN) ? arg[0] : arg[1];
		return 0;
	}
	for (i = 0; i < functions[row].n; i++)
		if (arg[i].type != QAS_INT)
			return qas_error(as, col, "%s: argument %u must be an integer",
					 functions[row].name, i + 1);
	switch (functions[row].fn) {
	case F_ILOG2:
		v->i = x ? 63 - __builtin_clzll(x) : -1;
		return 0;
	case F_COUNT:
		v->i = hweight64(x);
		return 0;
	case F_REVERSE:
		v->i = reverse(x, functions[row].bits);
		return 0;
	case F_REVERSE_N:
		if (arg[1].i < 1 || arg[1].i > 64)
			return qas_error(as, col, "reverseBits: 1 to 64 bits");
		v->i = reverse(x, (u32)arg[1].i);
		return 0;
	default:
		if (x > 15)
			return qas_error(as, col, "there are semaphores 0 to 15");
		v->type = QAS_SEMA;
		v->i = (s64)x | (functions[row].fn == F_SACQ ? 16 : 0);
		return 0;
	}
}

static int find_function(struct qas_str name)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(functions); i++)
		if (qas_eq(name, functions[i].name))
			return (int)i;
	return -1;
}

static const struct setup *find_setup(struct qas_str name)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(setups); i++)
		if (qas_eq(name, setups[i].name))
			return &setups[i];
	return NULL;
}

/* Return: there is a built-in function of that name. */
bool qas_is_builtin(struct qas_str name)
{
	return find_setup(name) || find_function(name) >= 0;
}

/* Call a built-in function. */
int qas_builtin(struct qas *as, struct qas_str name, const struct qas_val *arg, u32 n,
		struct qas_val *v, u32 col)
{
	const struct setup *s = find_setup(name);
	int row = find_function(name);
	u32 want = s ? s->n : functions[row].n;

	memset(v, 0, sizeof(*v));
	v->type = QAS_INT;
	if (n != want)
		return qas_error(as, col, "function takes %u arguments", want);
	if (s)
		return setup_word(as, s, arg, v, col);
	v->dep = arg[0].dep || (n > 1 && arg[1].dep);
	if (functions[row].fn < F_CONST)
		return arithmetic(as, (u32)row, arg, v, col);
	v->i = ask(functions[row].fn, &arg[0]);
	return 0;
}

/* Value of a constant that is always there. */
int qas_builtin_const(struct qas_str name, struct qas_val *v)
{
	static const struct {
		const char *name;
		double value;
	} constants[] = {
		{ "M_E", M_E }, { "M_LOG2E", M_LOG2E }, { "M_LOG10E", M_LOG10E },
		{ "M_LN2", M_LN2 }, { "M_LN10", M_LN10 }, { "M_PI", M_PI }, { "M_2PI", 2 * M_PI },
		{ "M_PI_2", M_PI_2 }, { "M_PI_4", M_PI_4 }, { "M_1_PI", M_1_PI },
		{ "M_2_PI", M_2_PI }, { "M_2_SQRTPI", M_2_SQRTPI }, { "M_SQRT2", M_SQRT2 },
		{ "M_SQRT1_2", M_SQRT1_2 }, { "M_NAN", NAN }, { "M_INF", INFINITY },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(constants); i++) {
		if (!qas_eq(name, constants[i].name))
			continue;
		memset(v, 0, sizeof(*v));
		v->type = QAS_FLOAT;
		v->f = constants[i].value;
		return 0;
	}
	return -ENOENT;
}
