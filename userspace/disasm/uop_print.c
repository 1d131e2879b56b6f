// SPDX-License-Identifier: MIT
/*
 * Micro-ops of the stream engine as text.
 */
#include "engine/vs_progint.h"
#include "uop_print.h"

struct text {
	char *buf;
	size_t size;
	size_t len;
};

static void __printf(2, 3) put(struct text *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(t->buf + t->len, t->size - t->len, fmt, ap);
	va_end(ap);
	if (n > 0)
		t->len = min_t(size_t, t->len + n, t->size - 1);
}

static void put_operand(struct text *t, const u16 *w, u32 n, bool unif, char kind)
{
	u32 i;

	if (!n)
		return;
	put(t, " %c(", unif ? 'u' : kind);
	for (i = 0; i < n; i++)
		put(t, i ? " %u" : "%u", w[i]);
	put(t, ")");
}

static void put_flow(struct text *t, const struct vs_uop *u)
{
	static const char * const conds[] = { "always", "preds", "bool" };
	u32 use = vs_flow_use(u);

	if (u->op == VS_OP_BR || u->op == VS_OP_CALL || u->op == VS_OP_IF || u->op == VS_OP_BREAK)
		put(t, " %s", u->f.cond <= VS_COND_BOOL ? conds[u->f.cond] : "?");
	if (u->f.cond == VS_COND_BOOL)
		put(t, " %s%u", u->f.lut ? "!" : "", u->f.num);
	if (u->f.cond == VS_COND_PREDS)
		put(t, " lut %x", u->f.lut);
	if (u->op == VS_OP_LOOP)
		put(t, " i%u al %u", u->f.num, u->f.al);
	if (use & VS_USE_TARGET)
		put(t, " -> %u", u->f.target);
	if (use & VS_USE_RESUME)
		put(t, " else %u", u->f.resume);
	if (use & VS_USE_OTHER)
		put(t, " then %u", u->f.other);
	if (u->op == VS_OP_CALL || u->op == VS_OP_IF || u->op == VS_OP_LOOP)
		put(t, " end @%u", u->f.end);
	if (u->flags & VS_UOP_RINGS)
		put(t, " rings @%u", u->f.next);
}

int vs_prog_print_uop(const struct vs_prog *p, u32 n, char *buf, size_t size)
{
	struct text t = { buf, size, 0 };
	const struct vs_uop *u;
	enum vs_class class;

	if (!size)
		return 0;
	buf[0] = 0;
	if (n >= p->nuops || p->uops[n].op >= VS_NUM_OPS)
		return 0;
	u = &p->uops[n];
	class = vs_opinfo[u->op].class;
	put(&t, "%5u %c%4u %-7s", n, u->flags & VS_UOP_FIRST ? '@' : ' ', p->guest_of_uop[n],
	    vs_opinfo[u->op].name);
	if (class == VS_CL_FL) {
		put_flow(&t, u);
	} else if (class == VS_CL_HP) {
		put(&t, " %x", u->imm);
	} else if (u->ncomp >= 1 && u->ncomp <= 4) {
		put_operand(&t, u->d, u->ncomp, false, class == VS_CL_P2 ? 'p' : 's');
		put_operand(&t, u->a, vs_src_comps(class, 0, u->ncomp),
			    u->flags & VS_UOP_A_UNIF, 's');
		put_operand(&t, u->b, class == VS_CL_RW ? u->ncomp :
			    vs_src_comps(class, 1, u->ncomp), u->flags & VS_UOP_B_UNIF, 's');
		put_operand(&t, u->c, vs_src_comps(class, 2, u->ncomp),
			    u->flags & VS_UOP_C_UNIF, 's');
		if (u->imm)
			put(&t, " imm %x", u->imm);
	}
	return t.len;
}
