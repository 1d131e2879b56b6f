// SPDX-License-Identifier: MIT
/*
 * QPU assembler: executing lines and blocks of lines.
 */
#include <ctype.h>

#include "qpu_as.h"

/* Take ".word". */
bool qas_dir_word(struct qas_cur *c, struct qas_str *w)
{
	const char *p;

	qas_space(c);
	if (c->end - c->p < 2 || *c->p != '.' || !isalpha((unsigned char)c->p[1]))
		return false;
	w->s = c->p;
	for (p = c->p + 1; p < c->end && (isalnum((unsigned char)*p) || *p == '_'); p++)
		;
	w->len = (u32)(p - w->s);
	c->p = p;
	return true;
}

static bool label_char(char ch)
{
	return isalnum((unsigned char)ch) || ch == '_' || ch == '.';
}

/*
 * Parse a label: ":name", "::name" (exported, ignored), ":" alone, or "name:". A lone
 * colon gives an empty name.
 */
static bool take_label(struct qas_cur *c, struct qas_str *name)
{
	const char *p;

	qas_space(c);
	if (c->p < c->end && *c->p == ':') {
		for (p = c->p + 1; p < c->end && *p == ':'; p++)
			;
		name->s = p;
		while (p < c->end && label_char(*p))
			p++;
		name->len = (u32)(p - name->s);
		c->p = p;
		return true;
	}
	for (p = c->p; p < c->end && label_char(*p); p++)
		;
	if (p == c->p || p == c->end || *p != ':' || *c->p == '.' ||
	    (p + 1 < c->end && label_char(p[1]) && qas_eq((struct qas_str){ c->p, 1 }, "r") &&
	     p == c->p + 1))
		return false;
	name->s = c->p;
	name->len = (u32)(p - c->p);
	c->p = p + 1;
	return true;
}

/* Directive of a line, after its labels. */
static bool line_dir(struct qas *as, u32 i, struct qas_cur *c, struct qas_str *dir)
{
	struct qas_str name;

	qas_line_cur(as->lines[i], c);
	while (take_label(c, &name))
		;
	return qas_dir_word(c, dir);
}

/*
 * Line that closes a block opened before @first; @open may be the first of two words,
 * "if|ifset".
 */
u32 qas_block_end(struct qas *as, u32 first, u32 last, const char *open, const char *close)
{
	struct qas_str dir;
	struct qas_cur c;
	u32 i, depth = 1;

	for (i = first; i < last && qas_step(as); i++) {
		if (!line_dir(as, i, &c, &dir))
			continue;
		if (qas_eq(dir, close) && !--depth)
			return i;
		if (qas_eq(dir, open) || (!strcmp(open, ".if") && qas_eq(dir, ".ifset")))
			depth++;
	}
	/* As in vc4asm a condition may extend to the end of the file, or of its block. */
	if (!strcmp(open, ".if"))
		qas_warn(as, 0, "%s is missing", close);
	else
		qas_error(as, 0, "%s is missing", close);
	return last;
}

static int run_block(struct qas *as, u32 first, u32 last)
{
	int ret;

	if (as->depth >= QAS_MAX_DEPTH)
		return qas_error(as, 0, "nested too deeply");
	as->depth++;
	ret = qas_run(as, first, last);
	as->depth--;
	return ret;
}

/* ---- .if ---- */

static int condition(struct qas *as, struct qas_str dir, struct qas_cur *c, bool *yes)
{
	struct qas_str name;
	struct qas_val v;

	if (qas_eq(dir, ".else")) {
		*yes = true;
		return qas_done(as, c);
	}
	if (qas_eq(dir, ".ifset")) {
		if (!qas_word(c, &name))
			return qas_error(as, qas_col(c), "expected a name");
		*yes = qas_lookup(as, name);
		return qas_done(as, c);
	}
	if (qas_expr(as, c, &v))
		return -EINVAL;
	*yes = qas_true(&v);
	return qas_done(as, c);
}

/* The next .elseif, .else or .endif of this block from @i on. */
static u32 next_branch(struct qas *as, u32 i, u32 end)
{
	struct qas_str dir;
	struct qas_cur c;
	u32 depth = 0;

	for (; i < end && qas_step(as); i++) {
		if (!line_dir(as, i, &c, &dir))
			continue;
		if (!depth && (qas_eq(dir, ".elseif") || qas_eq(dir, ".else")))
			return i;
		depth += qas_eq(dir, ".if") || qas_eq(dir, ".ifset");
		depth -= depth && qas_eq(dir, ".endif");
	}
	return end;
}

static int run_if(struct qas *as, struct qas_str dir, struct qas_cur *c, u32 i, u32 end)
{
	u32 to = next_branch(as, i + 1, end);
	bool yes;

	for (;;) {
		if (condition(as, dir, c, &yes))
			return -EINVAL;
		if (yes)
			return run_block(as, i + 1, to);
		if (to >= end || !qas_step(as))
			return 0;
		i = to;
		as->cur_line = as->lines[i];
		line_dir(as, i, c, &dir);
		to = next_branch(as, i + 1, end);
	}
}

/* ---- loops and scopes ---- */

static int set_local(struct qas *as, struct qas_str name, const struct qas_val *v)
{
	struct qas_sym *s = qas_define(as, name, true);

	if (!s)
		return -EINVAL;
	s->kind = QAS_SYM_CONST;
	s->val = *v;
	return 0;
}

/* One turn of a loop: the body in a scope with the loop's name. */
static int turn(struct qas *as, struct qas_str name, const struct qas_val *v, u32 first, u32 last)
{
	int ret;

	qas_enter(as);
	ret = set_local(as, name, v);
	if (!ret)
		ret = run_block(as, first, last);
	qas_leave(as);
	return ret;
}

static int run_rep(struct qas *as, struct qas_cur *c, u32 first, u32 last)
{
	struct qas_val v = { .type = QAS_INT };
	struct qas_str name;
	s64 n;

	if (!qas_word(c, &name))
		return qas_error(as, qas_col(c), "expected a name");
	qas_char(c, ',');
	if (qas_int_expr(as, c, &n) || qas_done(as, c))
		return -EINVAL;
	if (n < 0)
		return qas_error(as, 0, "a block cannot be repeated %lld times", (long long)n);
	for (; v.i < n && qas_step(as) && !as->stop; v.i++)
		if (turn(as, name, &v, first, last))
			return -EINVAL;
	return 0;
}

static int run_foreach(struct qas *as, struct qas_cur *c, u32 first, u32 last)
{
	struct qas_str name;
	struct qas_val v;

	if (!qas_word(c, &name))
		return qas_error(as, qas_col(c), "expected a name");
	qas_char(c, ',');
	while (!qas_end(c)) {
		if (qas_expr(as, c, &v) || turn(as, name, &v, first, last))
			return -EINVAL;
		if (!qas_char(c, ','))
			break;
	}
	return qas_done(as, c);
}

/* ---- .back ---- */

/* Take the last @n instructions away. */
static void pop(struct qas *as, u32 n, struct qas_slot *tail, struct qas_recent *last)
{
	u32 pos = as->nbytes / 8 - n;

	if (n)
		memcpy(tail, as->slots + pos, n * sizeof(*tail));
	last->n = 0;
	if (n && as->nrecent)
		*last = as->recent[as->top];
	as->nbytes = 8 * pos;
	as->top = (as->top + QAS_RECENT - n) % QAS_RECENT;
	as->nrecent -= min(as->nrecent, n);
}

/* Append the cut-off instructions after the newly emitted ones; labels among them move. */
static int push_back(struct qas *as, u32 n, const struct qas_slot *tail,
		     const struct qas_recent *last, u32 pos, u32 nlabels)
{
	u32 moved = as->nbytes - 8 * pos, i;
	struct qas_labels *l = &as->labels;

	for (i = 0; i < nlabels; i++)
		if (l->l[i].addr > 8LL * pos)
			l->l[i].addr += moved;
	for (i = 0; i < n; i++)
		if (qas_emit(as, &tail[i]))
			return -EINVAL;
	if (!n)
		return 0;
	/* Only the last one is remembered. */
	as->nrecent = 0;
	if (last->n)
		qas_push_recent(as, last->items, last->n, last->open);
	return 0;
}

static int run_back(struct qas *as, struct qas_cur *c, u32 first, u32 last)
{
	struct qas_slot tail[QAS_RECENT];
	struct qas_recent recent;
	u32 pos, nlabels = as->labels.n;
	s64 n;

	if (qas_int_expr(as, c, &n) || qas_done(as, c) || qas_align_insn(as))
		return -EINVAL;
	if (n < 0 || n >= QAS_RECENT || n > as->nbytes / 8)
		return qas_error(as, 0, "code can go back over 0 to %u instructions",
				 min_t(u32, QAS_RECENT - 1, as->nbytes / 8));
	pos = as->nbytes / 8 - (u32)n;
	pop(as, (u32)n, tail, &recent);
	if (run_block(as, first, last) || qas_align_insn(as))
		return -EINVAL;
	return push_back(as, (u32)n, tail, &recent, pos, nlabels);
}

/* ---- lines ---- */

static const struct {
	const char *open;
	const char *close;
} blocks[] = {
	{ ".if", ".endif" }, { ".rep", ".endr" }, { ".foreach", ".endfor" },
	{ ".macro", ".endm" }, { ".func", ".endf" }, { ".local", ".endloc" },
	{ ".back", ".endb" },
};

static int find_block(struct qas_str dir)
{
	u32 i;

	if (qas_eq(dir, ".ifset"))
		return 0;
	for (i = 0; i < ARRAY_SIZE(blocks); i++)
		if (qas_eq(dir, blocks[i].open))
			return (int)i;
	return -1;
}

static int run_local(struct qas *as, u32 first, u32 last)
{
	int ret;

	qas_enter(as);
	ret = run_block(as, first, last);
	qas_leave(as);
	return ret;
}

/* Block that opens in line @i. Return: the line after its end. */
static u32 block(struct qas *as, int which, struct qas_str dir, struct qas_cur *c, u32 i, u32 last)
{
	u32 end = qas_block_end(as, i + 1, last, blocks[which].open, blocks[which].close);

	if (end == last && which)
		return last;
	switch (which) {
	case 0:
		run_if(as, dir, c, i, end);
		break;
	case 1:
		run_rep(as, c, i + 1, end);
		break;
	case 2:
		run_foreach(as, c, i + 1, end);
		break;
	case 5:
		run_local(as, i + 1, end);
		break;
	case 6:
		run_back(as, c, i + 1, end);
		break;
	default:
		qas_def_macro(as, c, i + 1, end, which == 4);
		break;
	}
	return min(end + 1, last);
}

static int labels(struct qas *as, struct qas_cur *c)
{
	struct qas_str name;
	u32 col;

	if (as->func_depth)
		return 0;
	for (;;) {
		qas_space(c);
		col = qas_col(c);
		if (!take_label(c, &name))
			return 0;
		qas_no_join(as);
		if (name.len && qas_define_label(as, name, col))
			return -EINVAL;
	}
}

/* An instruction or a macro; in functions an expression. */
static int statement(struct qas *as, struct qas_cur *c)
{
	struct qas_cur start;
	struct qas_str name;
	struct qas_sym *s;
	bool joined;

	if (as->func_depth)
		return qas_expr(as, c, &as->result) ? -EINVAL : qas_done(as, c);
	joined = qas_char(c, ';');
	if (qas_end(c))
		return 0;
	start = *c;
	if (qas_word(c, &name)) {
		s = qas_lookup(as, name);
		if (s && s->kind == QAS_SYM_MACRO)
			return qas_macro(as, s, c);
	}
	*c = start;
	return qas_insn_line(as, c, joined);
}

/* Return: the next line. */
static u32 line(struct qas *as, u32 i, u32 last)
{
	struct qas_str dir;
	struct qas_cur c;
	int which;

	as->cur_line = as->lines[i];
	qas_line_cur(as->lines[i], &c);
	if (labels(as, &c) || qas_end(&c))
		return i + 1;
	if (c.end - c.p > 4 && !memcmp(c.p, ".enc", 4))
		return statement(as, &c), i + 1;
	if (!qas_dir_word(&c, &dir)) {
		statement(as, &c);
		return i + 1;
	}
	which = find_block(dir);
	if (which >= 0)
		return block(as, which, dir, &c, i, last);
	if (qas_is_data(dir))
		qas_data(as, dir, &c);
	else
		qas_simple_dir(as, dir, &c);
	return i + 1;
}

/*
 * Execute lines. After an error the following lines are still checked, except in blocks
 * that would repeat the error.
 */
int qas_run(struct qas *as, u32 first, u32 last)
{
	const struct qas_line *old = as->cur_line;
	u32 i = first;

	while (i < last && qas_step(as)) {
		i = line(as, i, last);
		if (as->failed && as->depth)
			break;
	}
	as->cur_line = old;
	return as->failed || as->stop ? -EINVAL : 0;
}
