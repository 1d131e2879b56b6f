// SPDX-License-Identifier: MIT
/*
 * QPU assembler: expressions.
 *
 * Integers are 64 bits and wrap. Registers are values too: adding to one changes its
 * number, shifting rotates elements, a suffix packs or unpacks.
 */
#include <ctype.h>
#include <math.h>

#include "qpu_as.h"

/* Operators by precedence, longest first within one. */
static const struct {
	const char *text;
	u8 level;
	u8 op;
} operators[] = {
#define OP(text, level, op) { text, level, op }
	OP("**", 12, 'P'), OP("*", 11, '*'), OP("/", 11, '/'), OP("%", 11, '%'),
	OP("+", 10, '+'), OP("-", 10, '-'),
	OP("><<<", 9, 'L'), OP(">>><", 9, 'R'), OP("><<", 9, 'l'), OP(">><", 9, 'r'),
	OP("<<<", 9, 'U'), OP(">>>", 9, 'u'), OP("<=>", 8, 'C'), OP("<<", 9, 'S'),
	OP(">>", 9, 's'), OP(">=", 8, 'G'), OP("<=", 8, 'K'), OP(">", 8, '>'), OP("<", 8, '<'),
	OP("===", 7, 'I'), OP("!==", 7, 'N'), OP("==", 7, '='), OP("!=", 7, '!'),
	OP("&&", 3, 'A'), OP("&", 6, '&'), OP("!^^", 2, 'z'), OP("!^", 5, 'x'),
	OP("^^", 2, 'Z'), OP("^", 5, '^'), OP("||", 1, 'O'), OP("|", 4, '|'),
};

static int expr_level(struct qas *as, struct qas_cur *c, u8 level, struct qas_val *v);

/* Is a value a number? */
static bool is_num(const struct qas_val *v)
{
	return v->type == QAS_INT || v->type == QAS_FLOAT;
}

static double as_float(const struct qas_val *v)
{
	return v->type == QAS_FLOAT ? v->f : (double)v->i;
}

/* Return: not zero. */
bool qas_true(const struct qas_val *v)
{
	return v->type == QAS_FLOAT ? v->f != 0 : v->type != QAS_INT || v->i;
}

static void set_int(struct qas_val *v, s64 i)
{
	v->type = QAS_INT;
	v->i = i;
}

static s64 shift(s64 a, s64 n, bool arithmetic)
{
	if (n >= 64)
		return 0;
	if (n >= 0)
		return (s64)((u64)a << n);
	if (n <= -64)
		return arithmetic && a < 0 ? -1 : 0;
	return arithmetic ? a >> -n : (s64)((u64)a >> -n);
}

static u64 rotate(u64 a, s64 n, u32 bits)
{
	u64 mask = bits == 64 ? ~0ULL : (1ULL << bits) - 1;
	u32 k = (u64)n % bits;

	a &= mask;
	return k ? ((a << k) | (a >> (bits - k))) & mask : a;
}

static s64 power(s64 a, s64 n)
{
	u64 r = 1, b = (u64)a;

	for (; n > 0; n >>= 1, b *= b)
		if (n & 1)
			r *= b;
	return (s64)r;
}

static int int_op(struct qas *as, u8 op, s64 a, s64 b, s64 *r, u32 col)
{
	switch (op) {
	case '*':
		*r = (s64)((u64)a * (u64)b);
		return 0;
	case '/':
	case '%':
		if (!b)
			return qas_error(as, col, "division by zero");
		/* The only quotient that overflows. */
		if (b == -1)
			*r = op == '/' ? (s64)(0 - (u64)a) : 0;
		else
			*r = op == '/' ? a / b : a % b;
		return 0;
	case '+':
		*r = (s64)((u64)a + (u64)b);
		return 0;
	case '-':
		*r = (s64)((u64)a - (u64)b);
		return 0;
	case 'P':
		*r = power(a, b);
		return 0;
	default:
		return -ENOENT;
	}
}

static int bit_op(struct qas *as, u8 op, s64 a, s64 b, s64 *r)
{
	switch (op) {
	case '&':
		*r = a & b;
		return 0;
	case '|':
		*r = a | b;
		return 0;
	case '^':
		*r = a ^ b;
		return 0;
	case 'x':
		*r = ~(a ^ b);
		return 0;
	case 'S':
		*r = shift(a, b, true);
		return 0;
	case 's':
		*r = shift(a, b == INT64_MIN ? S64_MAX : -b, true);
		return 0;
	case 'U':
		*r = shift(a, b, false);
		return 0;
	case 'u':
		*r = shift(a, b == INT64_MIN ? S64_MAX : -b, false);
		return 0;
	case 'l':
		*r = (s64)rotate((u64)a, b, 32);
		return 0;
	case 'r':
		*r = (s64)rotate((u64)a, (s64)(0 - (u64)b), 32);
		return 0;
	case 'L':
		*r = (s64)rotate((u64)a, b, 64);
		return 0;
	case 'R':
		*r = (s64)rotate((u64)a, (s64)(0 - (u64)b), 64);
		return 0;
	default:
		return -ENOENT;
	}
}

static int float_op(struct qas *as, u8 op, double a, double b, double *r)
{
	switch (op) {
	case '*':
		*r = a * b;
		return 0;
	case '/':
		*r = a / b;
		return 0;
	case '%':
		*r = fmod(a, b);
		return 0;
	case '+':
		*r = a + b;
		return 0;
	case '-':
		*r = a - b;
		return 0;
	case 'P':
		*r = pow(a, b);
		return 0;
	default:
		return -ENOENT;
	}
}

/* Order of two values: -1, 0 or 1; numbers sort before other types. */
static int compare(const struct qas_val *a, const struct qas_val *b)
{
	double x, y;

	if (a->type == QAS_INT && b->type == QAS_INT)
		return (a->i > b->i) - (a->i < b->i);
	if (is_num(a) && is_num(b)) {
		x = as_float(a);
		y = as_float(b);
		return (x > y) - (x < y);
	}
	if (a->type != b->type)
		return is_num(a) ? -1 : is_num(b) ? 1 : (a->type > b->type) - (a->type < b->type);
	if (a->type != QAS_REG)
		return (a->i > b->i) - (a->i < b->i);
	if (a->is_acc != b->is_acc || a->addr != b->addr)
		return a->is_acc * 64 + a->addr < b->is_acc * 64 + b->addr ? -1 : 1;
	return (a->use > b->use) - (a->use < b->use);
}

static bool relation(u8 op, const struct qas_val *a, const struct qas_val *b, s64 *r)
{
	int cmp = compare(a, b);
	bool nan = is_num(a) && is_num(b) && (isnan(as_float(a)) || isnan(as_float(b)));

	switch (op) {
	case '=':
		*r = !cmp && !nan;
		return true;
	case '!':
		*r = cmp || nan;
		return true;
	case 'I':
		*r = !cmp && a->type == b->type;
		return true;
	case 'N':
		*r = cmp || a->type != b->type;
		return true;
	case '<':
		*r = cmp < 0;
		return true;
	case '>':
		*r = cmp > 0;
		return true;
	case 'K':
		*r = cmp <= 0 && !nan;
		return true;
	case 'G':
		*r = cmp >= 0 && !nan;
		return true;
	case 'C':
		*r = nan ? -0x80000000LL : cmp;
		return true;
	default:
		return false;
	}
}

static bool logic(u8 op, bool a, bool b, s64 *r)
{
	switch (op) {
	case 'A':
		*r = a && b;
		return true;
	case 'O':
		*r = a || b;
		return true;
	case 'Z':
		*r = a != b;
		return true;
	case 'z':
		*r = a == b;
		return true;
	default:
		return false;
	}
}

/* Source operands: << takes elements from above, so the others move down. */
static int rotate_reg(struct qas *as, u8 op, struct qas_val *a, const struct qas_val *b, u32 col)
{
	s64 n = op == 'S' ? -b->i : b->i;

	if (a->rot)
		return qas_error(as, col, "register is already rotated");
	if (b->type == QAS_REG && b->is_acc && b->addr == QPU_MUX_R5) {
		if (op == 'S')
			return qas_error(as, col, "rotation by r5 goes to the right (>> r5)");
		a->rot = 1;
		return 0;
	}
	if (b->type != QAS_INT)
		return qas_error(as, col, "rotation must be an integer or r5");
	a->rot = n & 15 ? (n & 15) + 1 : 0;
	return 0;
}

static int reg_op(struct qas *as, u8 op, struct qas_val *a, const struct qas_val *b, u32 col)
{
	u32 limit = a->type == QAS_SEMA ? 16 : a->is_acc ? 6 : a->addr < 32 ? 32 : 64;
	s64 n;

	if ((op == 'S' || op == 's') && a->type == QAS_REG)
		return rotate_reg(as, op, a, b, col);
	if ((op != '+' && op != '-') || b->type != QAS_INT)
		return qas_error(as, col, "not an operation for a register");
	if (b->i < -64 || b->i > 64)
		return qas_error(as, col, "no register of that number");
	n = (a->type == QAS_SEMA ? a->i & 15 : a->addr) + (op == '+' ? b->i : -b->i);
	if (n < 0 || n >= limit)
		return qas_error(as, col, "no register of that number");
	if (a->type == QAS_SEMA)
		a->i = (a->i & 16) | n;
	else
		a->addr = (u8)n;
	return 0;
}

static int binary(struct qas *as, u8 op, struct qas_val *a, const struct qas_val *b, u32 col)
{
	bool dep = a->dep || b->dep;
	s32 labels = a->labels;
	s64 r = 0;
	double f = 0;
	int ret;

	if (relation(op, a, b, &r) || logic(op, qas_true(a), qas_true(b), &r)) {
		memset(a, 0, sizeof(*a));
		set_int(a, r);
		a->dep = dep;
		return 0;
	}
	if (a->type == QAS_REG || a->type == QAS_SEMA)
		return reg_op(as, op, a, b, col);
	if (!is_num(a) || !is_num(b))
		return qas_error(as, col, "operands must be numbers");
	if (a->type == QAS_INT && b->type == QAS_INT) {
		ret = int_op(as, op, a->i, b->i, &r, col);
		if (ret == -ENOENT)
			ret = bit_op(as, op, a->i, b->i, &r);
		set_int(a, r);
		a->labels = op == '+' ? labels + b->labels : op == '-' ? labels - b->labels : 0;
	} else if (a->type == QAS_FLOAT && b->type == QAS_INT && (op == 'S' || op == 's')) {
		f = ldexp(a->f, (int)clamp_t(s64, op == 'S' ? b->i : -b->i, -5000, 5000));
		a->f = f;
		ret = 0;
	} else {
		ret = float_op(as, op, as_float(a), as_float(b), &f);
		a->type = QAS_FLOAT;
		a->f = f;
	}
	a->dep = dep;
	return ret == -ENOENT ? qas_error(as, col, "operands must be integers") : ret;
}

/* ---- terms ---- */

/* [0,1,2,3,...]: 16 values of two bits. */
static int elements(struct qas *as, struct qas_cur *c, struct qas_val *v)
{
	u32 i, bits = 0;
	bool sig = false, unsig = false, dep = false;
	struct qas_val e;

	memset(v, 0, sizeof(*v));
	v->type = QAS_ELEM;
	for (i = 0; i < 16; i++) {
		if (qas_expr(as, c, &e))
			return -EINVAL;
		if (e.type != QAS_INT || e.i < -2 || e.i > 3)
			return qas_error(as, qas_col(c), "elements are -2 to 1 or 0 to 3");
		sig |= e.i < 0;
		unsig |= e.i > 1;
		dep |= e.dep;
		bits |= (u32)(e.i & 1) << i | (u32)(e.i >> 1 & 1) << (i + 16);
		if (i < 15 && !qas_char(c, ','))
			break;
	}
	/* A short list is repeated. */
	if (i < 15 && (i != 0 && i != 1 && i != 3 && i != 7))
		return qas_error(as, qas_col(c), "a list has 1, 2, 4, 8 or 16 elements");
	for (i++; i < 16; i *= 2)
		bits |= (bits & 0xffff0000U) << i | ((bits & 0xffff) << i & 0xffff);
	if (sig && unsig)
		return qas_error(as, qas_col(c), "elements are -2 to 1 or 0 to 3");
	v->i = bits;
	v->is_signed = !unsig;
	v->dep = dep;
	return qas_char(c, ']') ? 0 : qas_error(as, qas_col(c), "expected ]");
}

/* After the colon: a name or a number; numbers end in f or b. */
static int label(struct qas *as, struct qas_cur *c, struct qas_val *v)
{
	u32 col = qas_col(c);
	struct qas_str name;
	char dir = 0;
	s64 addr;

	while (c->p < c->end && *c->p == ':')
		c->p++;
	name.s = c->p;
	while (c->p < c->end && (isalnum((unsigned char)*c->p) || *c->p == '_' || *c->p == '.'))
		c->p++;
	name.len = (u32)(c->p - name.s);
	if (!name.len)
		return qas_error(as, col, "expected the name of a label");
	if (isdigit((unsigned char)name.s[0]) && name.len > 1 &&
	    strchr("fb", name.s[name.len - 1]))
		dir = name.s[--name.len];
	memset(v, 0, sizeof(*v));
	if (qas_label_addr(as, name, dir, &addr, col))
		return -EINVAL;
	set_int(v, addr);
	v->dep = true;
	v->labels = 1;
	return 0;
}

/* Arguments in braces. */
static int arguments(struct qas *as, struct qas_cur *c, struct qas_val *arg, u32 *n)
{
	*n = 0;
	if (!qas_char(c, '('))
		return qas_error(as, qas_col(c), "expected ( and arguments");
	if (qas_char(c, ')'))
		return 0;
	do {
		if (*n == QAS_MAX_ARGS)
			return qas_error(as, qas_col(c), "too many arguments");
		if (qas_expr(as, c, &arg[(*n)++]))
			return -EINVAL;
	} while (qas_char(c, ','));
	return qas_char(c, ')') ? 0 : qas_error(as, qas_col(c), "expected )");
}

static const struct {
	const char *name;
	double (*fn)(double x);
} math_fns[] = {
	{ "exp", exp }, { "exp2", exp2 }, { "log", log }, { "log2", log2 }, { "log10", log10 },
	{ "cos", cos }, { "sin", sin }, { "tan", tan }, { "acos", acos }, { "asin", asin },
	{ "atan", atan }, { "cosh", cosh }, { "sinh", sinh }, { "tanh", tanh },
	{ "acosh", acosh }, { "asinh", asinh }, { "atanh", atanh }, { "erf", erf },
	{ "erfc", erfc }, { "ceil", ceil }, { "floor", floor }, { "sqrt", sqrt },
};

/*
 * "exp" and "log" are registers too: a function if something that can be its argument
 * follows.
 */
static bool math_name(struct qas_cur *c, struct qas_str name, u32 *fn)
{
	bool suffix = c->p < c->end && *c->p == '.';
	u32 i;

	qas_space(c);
	if (suffix || c->p == c->end)
		return false;
	if (!isalnum((unsigned char)*c->p) && *c->p != '(' && *c->p != '.')
		return false;
	for (i = 0; i < ARRAY_SIZE(math_fns); i++) {
		*fn = i;
		if (qas_eq(name, math_fns[i].name))
			return true;
	}
	*fn = ARRAY_SIZE(math_fns);
	return qas_eq(name, "abs");
}

static int math_call(struct qas *as, struct qas_cur *c, u32 fn, struct qas_val *v)
{
	if (expr_level(as, c, 13, v))
		return -EINVAL;
	if (!is_num(v))
		return qas_error(as, qas_col(c), "operands must be numbers");
	if (fn == ARRAY_SIZE(math_fns)) {
		if (v->type == QAS_INT)
			v->i = v->i < 0 ? (s64)(0 - (u64)v->i) : v->i;
		else
			v->f = fabs(v->f);
		return 0;
	}
	v->f = math_fns[fn].fn(as_float(v));
	v->type = QAS_FLOAT;
	if (qas_eq((struct qas_str){ math_fns[fn].name, (u32)strlen(math_fns[fn].name) },
		   "ceil") || !strcmp(math_fns[fn].name, "floor")) {
		if (!(fabs(v->f) < 9e18))
			return qas_error(as, qas_col(c), "number does not fit 64 bits");
		set_int(v, (s64)v->f);
	}
	return 0;
}

static int symbol(struct qas *as, struct qas_cur *c, struct qas_sym *s, struct qas_val *v, u32 col)
{
	struct qas_val arg[QAS_MAX_ARGS];
	struct qas_sym fn = *s;
	u32 n;

	if (fn.kind == QAS_SYM_CONST) {
		*v = fn.val;
		return 0;
	}
	if (fn.kind == QAS_SYM_MACRO)
		return qas_error(as, col, "a macro is no value");
	if (arguments(as, c, arg, &n))
		return -EINVAL;
	if (n != fn.nargs)
		return qas_error(as, col, "function takes %u arguments", fn.nargs);
	return qas_call(as, &fn, arg, n, v);
}

static int name_term(struct qas *as, struct qas_cur *c, struct qas_val *v)
{
	struct qas_val arg[QAS_MAX_ARGS];
	u32 col = qas_col(c), n, fn;
	struct qas_str name;
	struct qas_sym *s;

	qas_word(c, &name);
	if (qas_eq(name, "r") && c->p < c->end && *c->p == ':') {
		c->p++;
		return label(as, c, v);
	}
	s = qas_lookup(as, name);
	if (s)
		return symbol(as, c, s, v, col);
	if (math_name(c, name, &fn))
		return math_call(as, c, fn, v);
	if (qas_is_builtin(name)) {
		if (arguments(as, c, arg, &n))
			return -EINVAL;
		return qas_builtin(as, name, arg, n, v, col);
	}
	if (!qas_reg(name, v) || !qas_builtin_const(name, v))
		return 0;
	return qas_error(as, col, "%.*s is not defined", (int)min_t(u32, name.len, 60), name.s);
}

static int unary(struct qas *as, struct qas_cur *c, char op, struct qas_val *v)
{
	if (expr_level(as, c, 13, v))
		return -EINVAL;
	if (op == '!') {
		set_int(v, !qas_true(v));
		v->labels = 0;
		return 0;
	}
	if (v->type == QAS_INT)
		v->i = op == '-' ? (s64)(0 - (u64)v->i) : op == '~' ? ~v->i : v->i;
	else if (v->type == QAS_FLOAT && op != '~')
		v->f = op == '-' ? -v->f : v->f;
	else
		return qas_error(as, qas_col(c), "operand must be a number");
	v->labels = op == '-' ? -v->labels : v->labels;
	return 0;
}

static int term(struct qas *as, struct qas_cur *c, struct qas_val *v)
{
	struct qas_str sfx;
	u32 col;
	int ret;

	qas_space(c);
	col = qas_col(c);
	if (c->p == c->end)
		return qas_error(as, col, "expected a value");
	if (strchr("+-~!", *c->p))
		return unary(as, c, *c->p++, v);
	if (isdigit((unsigned char)*c->p) || *c->p == '.')
		return qas_number(as, c, v);
	if (qas_char(c, '(')) {
		ret = qas_expr(as, c, v);
		if (!ret && !qas_char(c, ')'))
			ret = qas_error(as, qas_col(c), "expected )");
	} else if (qas_char(c, '[')) {
		ret = elements(as, c, v);
	} else if (*c->p == ':') {
		ret = label(as, c, v);
	} else if (isalpha((unsigned char)*c->p) || *c->p == '_') {
		ret = name_term(as, c, v);
	} else {
		ret = qas_error(as, col, "expected a value");
	}
	while (!ret && v->type == QAS_REG && qas_suffix_word(c, &sfx)) {
		/* Conditions belong to the instruction: leave them. */
		if (!qas_find_suffix(sfx)) {
			c->p = sfx.s - 1;
			break;
		}
		if (v->sfx)
			return qas_error(as, col, "register has two pack modes");
		v->sfx = qas_find_suffix(sfx);
	}
	return ret;
}

static int find_op(struct qas_cur *c, u8 level)
{
	size_t n;
	u32 i;

	qas_space(c);
	for (i = 0; i < ARRAY_SIZE(operators); i++) {
		n = strlen(operators[i].text);
		if ((size_t)(c->end - c->p) < n || memcmp(c->p, operators[i].text, n))
			continue;
		return operators[i].level >= level ? (int)i : -1;
	}
	return -1;
}

static int expr_level(struct qas *as, struct qas_cur *c, u8 level, struct qas_val *v)
{
	struct qas_val b;
	u32 col;
	int i, ret;

	if (!qas_step(as))
		return -EINVAL;
	if (as->depth >= 4 * QAS_MAX_DEPTH)
		return qas_error(as, qas_col(c), "nested too deeply");
	as->depth++;
	ret = term(as, c, v);
	while (!ret) {
		i = find_op(c, level);
		if (i < 0)
			break;
		col = qas_col(c);
		c->p += strlen(operators[i].text);
		ret = expr_level(as, c, operators[i].level + 1, &b);
		if (!ret)
			ret = binary(as, operators[i].op, v, &b, col);
	}
	as->depth--;
	return ret;
}

/* Read an expression. */
int qas_expr(struct qas *as, struct qas_cur *c, struct qas_val *v)
{
	return expr_level(as, c, 1, v);
}

/* Read an expression that must be an integer. */
int qas_int_expr(struct qas *as, struct qas_cur *c, s64 *i)
{
	struct qas_val v;
	u32 col;

	qas_space(c);
	col = qas_col(c);
	if (qas_expr(as, c, &v))
		return -EINVAL;
	if (v.type != QAS_INT)
		return qas_error(as, col, "expected an integer");
	*i = v.i;
	return 0;
}
