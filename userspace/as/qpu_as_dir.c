// SPDX-License-Identifier: MIT
/*
 * QPU assembler: directives on one line, macros and functions.
 */
#include "qpu_as.h"

/* Parameter names in braces or after commas. */
static int parameters(struct qas *as, struct qas_cur *c, struct qas_sym *s, char close)
{
	while (!qas_end(c) && (!close || *c->p != close)) {
		if (s->nargs == QAS_MAX_ARGS)
			return qas_error(as, qas_col(c), "too many parameters");
		if (!qas_word(c, &s->args[s->nargs++]))
			return qas_error(as, qas_col(c), "expected a name");
		if (!qas_char(c, ','))
			break;
	}
	if (close && !qas_char(c, close))
		return qas_error(as, qas_col(c), "expected %c", close);
	return 0;
}

/* .macro name, a, b and .func name(a, b); the body is lines @first to @last. */
int qas_def_macro(struct qas *as, struct qas_cur *c, u32 first, u32 last, bool func)
{
	struct qas_sym def = { .kind = func ? QAS_SYM_FUNC : QAS_SYM_MACRO };
	struct qas_str name;
	struct qas_sym *s;

	if (!qas_word(c, &name))
		return qas_error(as, qas_col(c), "expected a name");
	if (func && !qas_char(c, '('))
		return qas_error(as, qas_col(c), "expected ( and parameters");
	if (!func)
		qas_char(c, ',');
	if (parameters(as, c, &def, func ? ')' : 0) || qas_done(as, c))
		return -EINVAL;
	s = qas_define(as, name, false);
	if (!s)
		return -EINVAL;
	def.name = name;
	def.next = s->next;
	def.first = first;
	def.last = last;
	*s = def;
	return 0;
}

static int bind(struct qas *as, const struct qas_sym *fn, const struct qas_val *arg, u32 n)
{
	struct qas_sym *s;
	u32 i;

	for (i = 0; i < n; i++) {
		s = qas_define(as, fn->args[i], true);
		if (!s)
			return -EINVAL;
		s->kind = QAS_SYM_CONST;
		s->val = arg[i];
	}
	return 0;
}

/* Expand a macro; arguments are values, "-" the register that is none. */
int qas_macro(struct qas *as, const struct qas_sym *sym, struct qas_cur *c)
{
	struct qas_val arg[QAS_MAX_ARGS];
	struct qas_sym m = *sym;
	u32 n = 0;
	int ret;

	while (!qas_end(c)) {
		if (n == m.nargs)
			return qas_error(as, qas_col(c), "macro takes %u arguments", m.nargs);
		if (qas_nothing(c))
			arg[n++] = (struct qas_val){ .type = QAS_REG, .addr = QPU_W_NOP,
						     .use = QPU_REG_ANY };
		else if (qas_expr(as, c, &arg[n++]))
			return -EINVAL;
		if (!qas_char(c, ','))
			break;
	}
	if (qas_done(as, c))
		return -EINVAL;
	if (n < m.nargs)
		return qas_error(as, qas_col(c), "macro takes %u arguments", m.nargs);
	if (as->depth >= QAS_MAX_DEPTH)
		return qas_error(as, 0, "nested too deeply");
	as->depth++;
	as->macro_depth++;
	qas_enter(as);
	ret = bind(as, &m, arg, n);
	if (!ret)
		ret = qas_run(as, m.first, m.last);
	qas_leave(as);
	as->macro_depth--;
	as->depth--;
	return ret;
}

static int call_lines(struct qas *as, const struct qas_sym *fn, struct qas_val *v)
{
	struct qas_val old = as->result;
	int ret;

	memset(&as->result, 0, sizeof(as->result));
	as->func_depth++;
	ret = qas_run(as, fn->first, fn->last);
	as->func_depth--;
	*v = as->result;
	as->result = old;
	if (!ret && v->type == QAS_NONE)
		return qas_error(as, 0, "the function gives no value");
	return ret;
}

/* Value of a function. */
int qas_call(struct qas *as, const struct qas_sym *fn, const struct qas_val *arg, u32 n,
	     struct qas_val *v)
{
	struct qas_cur body = fn->body;
	int ret;

	if (as->depth >= QAS_MAX_DEPTH)
		return qas_error(as, 0, "nested too deeply");
	as->depth++;
	qas_enter(as);
	ret = bind(as, fn, arg, n);
	if (!ret)
		ret = fn->kind == QAS_SYM_EXPR ? qas_expr(as, &body, v) : call_lines(as, fn, v);
	if (!ret && fn->kind == QAS_SYM_EXPR)
		ret = qas_done(as, &body);
	qas_leave(as);
	as->depth--;
	return ret;
}

/* ---- .set and its kin ---- */

static int set(struct qas *as, struct qas_cur *c, bool local, bool final)
{
	struct qas_sym def = { .kind = QAS_SYM_CONST, .final = final };
	struct qas_str name;
	struct qas_sym *s;
	u32 col;

	qas_space(c);
	col = qas_col(c);
	if (!qas_word(c, &name))
		return qas_error(as, col, "expected a name");
	if (c->p < c->end && *c->p == '(') {
		c->p++;
		def.kind = QAS_SYM_EXPR;
		if (parameters(as, c, &def, ')'))
			return -EINVAL;
	}
	qas_char(c, ',');
	if (def.kind == QAS_SYM_EXPR) {
		qas_space(c);
		def.body = *c;
	} else if (qas_nothing(c)) {
		def.val = (struct qas_val){ .type = QAS_REG, .addr = QPU_W_NOP,
					    .use = QPU_REG_ANY };
	} else if (qas_expr(as, c, &def.val) || qas_done(as, c)) {
		return -EINVAL;
	}
	s = qas_define(as, name, local);
	if (!s)
		return -EINVAL;
	if (s->final)
		return qas_error(as, col, "%.*s is constant", (int)min_t(u32, name.len, 60),
				 name.s);
	def.name = name;
	def.next = s->next;
	def.level = s->level;
	*s = def;
	return 0;
}

static int unset(struct qas *as, struct qas_cur *c, bool local)
{
	struct qas_str name;

	if (!qas_word(c, &name))
		return qas_error(as, qas_col(c), "expected a name");
	qas_undefine(as, name, local);
	return qas_done(as, c);
}

static int assertion(struct qas *as, struct qas_cur *c)
{
	u32 col = qas_col(c);
	struct qas_val v;

	if (qas_expr(as, c, &v) || qas_done(as, c))
		return -EINVAL;
	/* Labels are not known in the first pass. */
	if (!qas_true(&v) && (as->pass || !v.dep))
		return qas_error(as, col, "assertion failed");
	return 0;
}

/* ---- .include ---- */

static int find_file(struct qas *as, struct qas_str name)
{
	u32 i;

	for (i = 1; i < as->nfiles; i++)
		if (qas_eq(name, as->file[i].name))
			return (int)i;
	return -1;
}

static int load(struct qas *as, struct qas_str name, u32 *file)
{
	char *copy, *text = NULL;
	size_t len = 0;

	copy = strndup(name.s, name.len);
	if (!copy) {
		as->nomem = true;
		as->stop = true;
		return -ENOMEM;
	}
	if (!as->opt || !as->opt->load || as->opt->load(as->opt->ctx, copy, &text, &len)) {
		free(copy);
		return -ENOENT;
	}
	return qas_add_source(as, text, len, copy, text, file);
}

static int include(struct qas *as, struct qas_cur *c)
{
	struct qas_str name;
	u32 col, file;
	char close;
	int i, ret;

	qas_space(c);
	col = qas_col(c);
	if (c->p == c->end || (*c->p != '"' && *c->p != '<'))
		return qas_error(as, col, "expected a file name");
	close = *c->p++ == '"' ? '"' : '>';
	name.s = c->p;
	while (c->p < c->end && *c->p != close)
		c->p++;
	name.len = (u32)(c->p - name.s);
	if (!qas_char(c, close) || !name.len || name.len > 255)
		return qas_error(as, col, "expected a file name");
	i = find_file(as, name);
	file = (u32)i;
	if (i < 0 && load(as, name, &file)) {
		/* Its functions are built in. */
		if (name.len >= 8 && !memcmp(name.s + name.len - 8, "vc4.qinc", 8))
			return 0;
		return qas_error(as, col, "cannot include %.*s", (int)min_t(u32, name.len, 80),
				 name.s);
	}
	if (as->depth >= QAS_MAX_DEPTH)
		return qas_error(as, col, "nested too deeply");
	as->depth++;
	qas_enter(as);
	ret = qas_run(as, as->file[file].first, as->file[file].last);
	qas_leave(as);
	as->depth--;
	return ret;
}

/* ---- code ---- */

static int clone(struct qas *as, struct qas_cur *c)
{
	struct qas_slot nop = { .is_insn = true };
	u64 from;
	struct qas_val label;
	s64 n, i;

	if (qas_expr(as, c, &label) || qas_comma(as, c) || qas_int_expr(as, c, &n) ||
	    qas_done(as, c))
		return -EINVAL;
	if (label.type != QAS_INT || label.i < 0 || label.i & 7 || n < 0 || n > 64)
		return qas_error(as, 0, "expected a label and 0 to 64 instructions");
	nop.word = 0x100009e7009e7000ULL;
	from = (u64)label.i / 8;
	if (qas_align_insn(as))
		return -EINVAL;
	for (i = 0; i < n; i++) {
		struct qas_slot s = nop;

		if (from + i < as->nbytes / 8)
			s = as->slots[from + i];
		else if (from + i < as->nprev)
			s = as->prev[from + i];
		else if (as->pass)
			return qas_error(as, 0, "there are no instructions to clone");
		if (qas_emit(as, &s))
			return -EINVAL;
	}
	as->nrecent = 0;
	return 0;
}

static int entry(struct qas *as, struct qas_cur *c)
{
	struct qas_val v;
	u32 col = qas_col(c);

	if (qas_expr(as, c, &v) || qas_done(as, c))
		return -EINVAL;
	/* A label is a byte offset, a number counts instructions. */
	if (v.type != QAS_INT || v.i < 0 || v.i > 8LL * QPU_MAX_WORDS ||
	    (v.labels > 0 && v.i & 7))
		return qas_error(as, col, "expected a label or the number of an instruction");
	if (qas_room(as, (void **)&as->entries, as->nentries, &as->max_entries,
		     sizeof(*as->entries), 4096))
		return qas_error(as, col, "too many entry points");
	as->entries[as->nentries++] = (u32)(v.labels > 0 ? v.i / 8 : v.i);
	return 0;
}

static int stage(struct qas *as, struct qas_cur *c)
{
	u32 col = qas_col(c);
	struct qas_str name;

	if (!qas_word(c, &name))
		return qas_error(as, col, "expected fragment or compute");
	if (qas_eq(name, "fragment"))
		as->stage = VS_STAGE_FRAGMENT;
	else if (qas_eq(name, "compute"))
		as->stage = VS_STAGE_COMPUTE;
	else
		return qas_error(as, col, "expected fragment or compute");
	return qas_done(as, c);
}

/* A directive on its own line that is neither a block nor data. */
int qas_simple_dir(struct qas *as, struct qas_str dir, struct qas_cur *c)
{
	static const char * const ignored[] = { ".global", ".code", ".text", ".rodata", ".data" };
	u32 i;

	qas_space(c);
	if (qas_eq(dir, ".set") || qas_eq(dir, ".define") || qas_eq(dir, ".equ"))
		return set(as, c, false, false);
	if (qas_eq(dir, ".const"))
		return set(as, c, false, true);
	if (qas_eq(dir, ".lset") || qas_eq(dir, ".lconst"))
		return set(as, c, true, qas_eq(dir, ".lconst"));
	if (qas_eq(dir, ".unset") || qas_eq(dir, ".lunset"))
		return unset(as, c, qas_eq(dir, ".lunset"));
	if (qas_eq(dir, ".assert"))
		return assertion(as, c);
	if (qas_eq(dir, ".include"))
		return include(as, c);
	if (qas_eq(dir, ".clone"))
		return clone(as, c);
	if (qas_eq(dir, ".entry"))
		return entry(as, c);
	if (qas_eq(dir, ".stage"))
		return stage(as, c);
	for (i = 0; i < ARRAY_SIZE(ignored); i++)
		if (qas_eq(dir, ignored[i]))
			return 0;
	return qas_error(as, 1, "unknown or misplaced directive %.*s",
			 (int)min_t(u32, dir.len, 40), dir.s);
}
