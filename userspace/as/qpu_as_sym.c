// SPDX-License-Identifier: MIT
/*
 * QPU assembler: constants, macros, labels, registers.
 */
#include <ctype.h>

#include "qpu_as.h"

static u32 hash_of(struct qas_str s)
{
	u32 h = 2166136261U, i;

	for (i = 0; i < s.len; i++)
		h = (h ^ (unsigned char)s.s[i]) * 16777619U;
	return (h ^ h >> 10) % QAS_HASH;
}

static struct qas_sym *find_local(struct qas *as, struct qas_str name, u32 level)
{
	u32 i;

	as->steps += as->nlocals / 16;
	for (i = as->nlocals; i && as->locals[i - 1].level >= level; i--)
		if (qas_same(as->locals[i - 1].name, name))
			return &as->locals[i - 1];
	return NULL;
}

static struct qas_sym *find_global(struct qas *as, struct qas_str name)
{
	s32 i;

	for (i = as->hash[hash_of(name)] - 1; i >= 0; i = as->syms[i].next - 1)
		if (qas_same(as->syms[i].name, name))
			return &as->syms[i];
	return NULL;
}

/* The innermost symbol of a name, or NULL. */
struct qas_sym *qas_lookup(struct qas *as, struct qas_str name)
{
	struct qas_sym *s = find_local(as, name, 0);

	return s ? s : find_global(as, name);
}

static struct qas_sym *add(struct qas *as, struct qas_sym **array, u32 *n, u32 *max,
			   struct qas_str name)
{
	struct qas_sym *s;

	if (qas_room(as, (void **)array, *n, max, sizeof(*s), QAS_MAX_SYMS)) {
		qas_error(as, 0, "too many symbols");
		return NULL;
	}
	s = &(*array)[(*n)++];
	memset(s, 0, sizeof(*s));
	s->name = name;
	return s;
}

/* A symbol of the innermost scope (@local) or of none, to be filled in. */
struct qas_sym *qas_define(struct qas *as, struct qas_str name, bool local)
{
	struct qas_sym *s;
	u32 h;

	if (local && as->level) {
		s = find_local(as, name, as->level);
		if (!s)
			s = add(as, &as->locals, &as->nlocals, &as->max_locals, name);
		if (s)
			s->level = as->level;
		return s;
	}
	s = find_global(as, name);
	if (s)
		return s;
	s = add(as, &as->syms, &as->nsyms, &as->max_syms, name);
	if (!s)
		return NULL;
	h = hash_of(name);
	s->next = as->hash[h];
	as->hash[h] = (s32)as->nsyms;
	return s;
}

/* Forget a symbol: its entry stays, without a name. */
void qas_undefine(struct qas *as, struct qas_str name, bool local)
{
	struct qas_sym *s = local && as->level ? find_local(as, name, as->level) :
						 qas_lookup(as, name);

	if (s)
		s->name.len = 0;
}

/* Open a scope. */
void qas_enter(struct qas *as)
{
	as->level++;
}

/* Close a scope and forget its symbols. */
void qas_leave(struct qas *as)
{
	while (as->nlocals && as->locals[as->nlocals - 1].level == as->level)
		as->nlocals--;
	as->level--;
}

/* ---- labels ---- */

static bool is_numeric(struct qas_str name)
{
	return isdigit((unsigned char)name.s[0]);
}

/* A label here; names may repeat if they are numbers or in macros. */
int qas_define_label(struct qas *as, struct qas_str name, u32 col)
{
	struct qas_labels *l = &as->labels;
	u32 i;

	for (i = 0; i < l->n && !is_numeric(name) && !as->macro_depth; i++) {
		if (qas_same(l->l[i].name, name))
			return qas_error(as, col, "label %.*s is already defined", (int)name.len,
					 name.s);
	}
	as->steps += l->n / 16;
	if (qas_room(as, (void **)&l->l, l->n, &l->max, sizeof(*l->l), QAS_MAX_SYMS))
		return qas_error(as, col, "too many labels");
	l->l[l->n].name = name;
	l->l[l->n].addr = as->nbytes;
	l->n++;
	return 0;
}

/*
 * Address of a label. @dir: 'b' the last one of the name, 'f' the next one, 0 the last
 * one or else the next one. The next one is known from the previous pass; the first pass
 * assumes the current address.
 */
int qas_label_addr(struct qas *as, struct qas_str name, char dir, s64 *addr, u32 col)
{
	const struct qas_labels *l = &as->labels;
	u32 i;

	as->steps += l->n / 16;
	for (i = l->n; dir != 'f' && i; i--) {
		if (!qas_same(l->l[i - 1].name, name))
			continue;
		/*
		 * Code that moves back (.back) may still shift it: use its final address
		 * of the last pass.
		 */
		*addr = as->pass && i <= as->old.n && qas_same(as->old.l[i - 1].name, name) ?
			as->old.l[i - 1].addr : l->l[i - 1].addr;
		return 0;
	}
	*addr = as->nbytes;
	if (dir != 'b' && !as->pass)
		return 0;
	as->steps += as->old.n / 16;
	for (i = l->n; dir != 'b' && i < as->old.n; i++) {
		if (!qas_same(as->old.l[i].name, name))
			continue;
		*addr = as->old.l[i].addr;
		return 0;
	}
	return qas_error(as, col, "label %.*s is not defined", (int)name.len, name.s);
}

/* ---- registers ---- */

static int reg_number(struct qas_str name, u32 skip, u32 limit)
{
	u32 i, v = 0;

	if (name.len <= skip || name.len > skip + 2 || (name.len > skip + 1 && name.s[skip] == '0'))
		return -1;
	for (i = skip; i < name.len; i++) {
		if (!isdigit((unsigned char)name.s[i]))
			return -1;
		v = v * 10 + (u32)(name.s[i] - '0');
	}
	return v < limit ? (int)v : -1;
}

static int plain_reg(struct qas_str name, struct qas_val *v)
{
	int n;

	if (name.s[0] != 'r')
		return -1;
	n = reg_number(name, 1, 6);
	if (n >= 0) {
		v->is_acc = true;
		v->addr = (u8)n;
		return 0;
	}
	if (name.len < 3 || (name.s[1] != 'a' && name.s[1] != 'b'))
		return -1;
	n = reg_number(name, 2, 64);
	if (n < 0)
		return -1;
	v->addr = (u8)n;
	v->use = name.s[1] == 'a' ? QPU_REG_RA | QPU_REG_WA : QPU_REG_RB | QPU_REG_WB;
	return 0;
}

static int semaphore(struct qas_str name, struct qas_val *v)
{
	bool acquire = name.len > 4 && !memcmp(name.s, "sacq", 4);
	int n = reg_number(name, 4, 16);

	if (n < 0 || (!acquire && memcmp(name.s, "srel", 4)))
		return -1;
	v->type = QAS_SEMA;
	v->i = n | (acquire ? 16 : 0);
	return 0;
}

/*
 * Register of a name. Except for r0 to r3, some names differ in meaning between reads and
 * writes: the uses of all rows of the same name are joined.
 */
int qas_reg(struct qas_str name, struct qas_val *v)
{
	const struct qpu_reg_name *r;
	u32 i;

	memset(v, 0, sizeof(*v));
	v->type = QAS_REG;
	if (!plain_reg(name, v))
		return 0;
	for (i = 0; (r = qpu_reg_by_index(i)); i++) {
		if (!qas_eq(name, r->name))
			continue;
		v->addr = r->addr;
		v->use |= r->use;
	}
	if (v->use)
		return 0;
	if (qas_eq(name, "nop")) {
		v->addr = QPU_R_NOP;
		v->use = QPU_REG_ANY;
		return 0;
	}
	return semaphore(name, v);
}
