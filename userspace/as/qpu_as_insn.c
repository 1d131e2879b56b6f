// SPDX-License-Identifier: MIT
/*
 * QPU assembler: the parts of an instruction, as written.
 */
#include <ctype.h>

#include "qpu_as.h"

/* vc4asm sets bit 3 of the multiplier's mode for 8abcdsf and for bytes without s. */
const struct qas_suffix qas_suffixes[] = {
	{ "32", 0, 0, 0, 0 }, { "32s", 8, 0, 0, 0 }, { "32si", 8, 0, 0, 0 },
	{ "32i", 8, 0, 0, 0 }, { "32clamp", 8, 0, 0, 0 },
	{ "16a", 1, 0, 1, 0 }, { "16ai", 1, 0, 1, 'i' }, { "16af", 1, 0, 1, 'f' },
	{ "16as", 9, 0, 0, 0 }, { "16asi", 9, 0, 0, 'i' }, { "16aclamp", 9, 0, 0, 0 },
	{ "16b", 2, 0, 2, 0 }, { "16bi", 2, 0, 2, 'i' }, { "16bf", 2, 0, 2, 'f' },
	{ "16bs", 10, 0, 0, 0 }, { "16bsi", 10, 0, 0, 'i' }, { "16bclamp", 10, 0, 0, 0 },
	{ "8888", 3, 3, 0, 0 }, { "8abcd", 3, 3, 0, 0 }, { "8888i", 3, 0, 0, 'i' },
	{ "8abcdi", 3, 0, 0, 'i' },
	{ "8888s", 11, 11, 0, 0 }, { "8abcds", 11, 11, 0, 0 }, { "8888si", 11, 0, 0, 'i' },
	{ "8abcdsi", 11, 0, 0, 'i' }, { "8888sf", 0, 11, 0, 'f' }, { "8abcdsf", 0, 11, 0, 'f' },
	{ "8888clamp", 11, 11, 0, 0 },
	{ "8a", 4, 12, 4, 0 }, { "8ai", 4, 0, 4, 'i' }, { "8af", 0, 12, 4, 'f' },
	{ "8as", 12, 4, 0, 0 }, { "8asi", 12, 0, 0, 'i' }, { "8asf", 0, 4, 0, 'f' },
	{ "8b", 5, 13, 5, 0 }, { "8bi", 5, 0, 5, 'i' }, { "8bf", 0, 13, 5, 'f' },
	{ "8bs", 13, 5, 0, 0 }, { "8bsi", 13, 0, 0, 'i' }, { "8bsf", 0, 5, 0, 'f' },
	{ "8c", 6, 14, 6, 0 }, { "8ci", 6, 0, 6, 'i' }, { "8cf", 0, 14, 6, 'f' },
	{ "8cs", 14, 6, 0, 0 }, { "8csi", 14, 0, 0, 'i' }, { "8csf", 0, 6, 0, 'f' },
	{ "8d", 7, 15, 7, 0 }, { "8di", 7, 0, 7, 'i' }, { "8df", 0, 15, 7, 'f' },
	{ "8ds", 15, 7, 0, 0 }, { "8dsi", 15, 0, 0, 'i' }, { "8dsf", 0, 7, 0, 'f' },
	{ "8dr", 0, 0, 3, 0 }, { NULL, 0, 0, 0, 0 }
};

static bool prefixed(struct qas_str *s, const char *prefix)
{
	u32 n = (u32)strlen(prefix);

	if (s->len <= n || memcmp(s->s, prefix, n))
		return false;
	s->s += n;
	s->len -= n;
	return true;
}

/* Mode of a name, also with "pack" or "unpack" before it. */
u8 qas_find_suffix(struct qas_str s)
{
	u32 i;

	if (!prefixed(&s, "unpack"))
		prefixed(&s, "pack");

	for (i = 0; qas_suffixes[i].name; i++)
		if (qas_eq(s, qas_suffixes[i].name))
			return (u8)(i + 1);
	return 0;
}

/* Operations that are not an ALU's own name. */
static const struct {
	const char *name;
	u8 kind;
	s8 add;
	s8 mul;
	u8 value;
} others[] = {
	{ "mov", QAS_I_MOV, 0, 0, 0 }, { "amov", QAS_I_MOV, 0, -1, 0 },
	{ "mmov", QAS_I_MOV, -1, 0, 0 },
	{ "nop", QAS_I_NOP, 0, 0, 1 }, { "anop", QAS_I_NOP, 0, -1, 0 },
	{ "mnop", QAS_I_NOP, -1, 0, 0 },
	{ "av8adds", QAS_I_ALU, QPU_A_V8ADDS, -1, 0 },
	{ "av8subs", QAS_I_ALU, QPU_A_V8SUBS, -1, 0 },
	{ "mv8adds", QAS_I_ALU, -1, QPU_M_MV8ADDS, 0 },
	{ "mv8subs", QAS_I_ALU, -1, QPU_M_MV8SUBS, 0 },
	{ "ldi", QAS_I_LDI, 0, 0, 0xff }, { "ldipes", QAS_I_LDI, 0, 0, QPU_LDI_ELEM_S },
	{ "ldipeu", QAS_I_LDI, 0, 0, QPU_LDI_ELEM_U },
	{ "sacq", QAS_I_LDI, 1, 0, QPU_LDI_SEMA }, { "srel", QAS_I_LDI, 0, 0, QPU_LDI_SEMA },
	{ "bra", QAS_I_BRANCH, 0, 0, 0 }, { "brr", QAS_I_BRANCH, 0, 0, 1 },
	{ "read", QAS_I_READ, 0, 0, 0 },
	{ "break", QAS_I_SIGNAL, 0, 0, QPU_SIG_BKPT },
	{ "tend", QAS_I_SIGNAL, 0, 0, QPU_SIG_THREND },
	{ "tswitch", QAS_I_SIGNAL, 0, 0, QPU_SIG_THRSW },
	{ "lswitch", QAS_I_SIGNAL, 0, 0, QPU_SIG_LTHRSW },
	{ "waitscb", QAS_I_SIGNAL, 0, 0, QPU_SIG_SBWAIT },
	{ "unlscb", QAS_I_SIGNAL, 0, 0, QPU_SIG_SBDONE },
	{ "ldcotlb", QAS_I_SIGNAL, 0, 0, QPU_SIG_LOADC },
	{ "ldcvtlb", QAS_I_SIGNAL, 0, 0, QPU_SIG_LOADCV },
	{ "ldaltlb", QAS_I_SIGNAL, 0, 0, QPU_SIG_LOADAM },
	{ "ldcoend", QAS_I_SIGNAL, 0, 0, QPU_SIG_LDCEND },
};

static int find_name(const char * const *names, u32 n, struct qas_str s)
{
	u32 i;

	for (i = 0; i < n; i++)
		if (names[i] && qas_eq(s, names[i]))
			return (int)i;
	return -1;
}

static bool find_other(struct qas_str name, struct qas_item *it)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(others); i++) {
		if (!qas_eq(name, others[i].name))
			continue;
		it->kind = others[i].kind;
		it->add = others[i].add;
		it->mul = others[i].mul;
		it->sig = others[i].value;
		it->form = others[i].value;
		it->rel = others[i].value;
		return true;
	}
	return false;
}

static bool find_opcode(struct qas_str name, struct qas_item *it)
{
	int sig = find_name(qpu_sig_names, 16, name);
	u32 i;

	if (find_other(name, it))
		return true;
	if (sig >= 0) {
		it->kind = QAS_I_SIGNAL;
		it->sig = (u8)sig;
		return true;
	}
	it->kind = QAS_I_ALU;
	it->add = -1;
	it->mul = -1;
	for (i = 1; i < QPU_NUM_ADD_OPS; i++)
		if (qas_eq(name, qpu_add_name(i)))
			it->add = (s8)i;
	for (i = 1; i < QPU_NUM_MUL_OPS; i++)
		if (qas_eq(name, qpu_mul_name(i)))
			it->mul = (s8)i;
	return it->add >= 0 || it->mul >= 0;
}

/* Condition of a name, + 1; on destinations without "if" too. */
static u8 find_cond(struct qas_str s, bool dest)
{
	static const char * const shorts[] = { NULL, NULL, "z", "nz", "n", "nn", "c", "cc" };
	static const char * const flags[] = { NULL, NULL, "zs", "zc", "ns", "nc", "cs" };
	struct qas_str rest = s;
	int i = find_name(qpu_cond_names, 8, s);

	if (i >= 0)
		return (u8)(i + 1);
	if (s.len > 2 && !memcmp(s.s, "if", 2)) {
		rest.s += 2;
		rest.len -= 2;
	} else if (!dest) {
		return 0;
	}
	i = find_name(shorts, 8, rest);
	if (i < 0)
		i = find_name(flags, 7, rest);
	return (u8)(i + 1);
}

static int one_pack(struct qas *as, u8 *to, struct qas_str s, u32 col)
{
	u8 sfx = qas_find_suffix(s);

	if (!sfx)
		return qas_error(as, col, "no pack mode of that name");
	if (*to)
		return qas_error(as, col, "two pack modes");
	*to = sfx;
	return 0;
}

static int branch_suffix(struct qas *as, struct qas_item *it, struct qas_str s, u32 col)
{
	static const char * const more[] = {
		NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "allnc", NULL, "anync",
	};
	int i = find_name(qpu_br_names, 16, s);

	if (i < 0)
		i = find_name(more, ARRAY_SIZE(more), s);
	if (qas_eq(s, "setf"))
		return 0;
	if (i < 0)
		return qas_error(as, col, "no branch condition of that name");
	it->br_cond = (u8)i;
	return 0;
}

static int op_suffix(struct qas *as, struct qas_item *it, struct qas_str s, u32 col)
{
	u8 cond;

	if (it->kind == QAS_I_BRANCH)
		return branch_suffix(as, it, s, col);
	if (qas_eq(s, "setf") || qas_eq(s, "sf")) {
		it->setf = true;
		return 0;
	}
	if (prefixed(&s, "unpack")) {
		u8 sfx = qas_find_suffix(s);

		if (sfx > 1 && !qas_suffixes[sfx - 1].unpack)
			return qas_error(as, col, "no unpack mode of that name");
		return one_pack(as, &it->unpack, s, col);
	}
	if (prefixed(&s, "pack"))
		return one_pack(as, &it->pack, s, col);
	cond = find_cond(s, false);
	if (!cond)
		return qas_error(as, col, "unknown suffix .%.*s", (int)min_t(u32, s.len, 40), s.s);
	if (it->cond)
		return qas_error(as, col, "two conditions");
	it->cond = cond;
	return 0;
}

/* ---- operands ---- */

/* Operands up to the semicolon. */
static u32 count_operands(struct qas_cur *c)
{
	const char *p;
	u32 n = 1;
	int depth = 0;

	if (qas_end(c) || *c->p == ';')
		return 0;
	for (p = c->p; p < c->end && *p != ';'; p++) {
		depth += *p == '(' || *p == '[';
		depth -= *p == ')' || *p == ']';
		n += *p == ',' && !depth;
	}
	return n;
}

/* A lone "-". */
bool qas_nothing(struct qas_cur *c)
{
	const char *p;

	qas_space(c);
	if (c->p == c->end || *c->p != '-')
		return false;
	for (p = c->p + 1; p < c->end && isspace((unsigned char)*p); p++)
		;
	if (p < c->end && !strchr(",;.", *p))
		return false;
	c->p++;
	return true;
}

/* Accumulators have other addresses as destinations; rotation has the opposite direction. */
static int dest_reg(struct qas *as, struct qas_val *v, u32 col)
{
	if (v->type != QAS_REG)
		return qas_error(as, col, "the destination must be a register");
	if (v->is_acc && v->addr > 3)
		return qas_error(as, col, v->addr == 5 ? "r5 is written as r5quad or r5rep" :
				 "r4 cannot be written");
	if (v->is_acc) {
		v->is_acc = false;
		v->addr += QPU_W_ACC0;
		v->use = QPU_REG_WA | QPU_REG_WB;
	}
	if (!(v->use & (QPU_REG_WA | QPU_REG_WB)))
		return qas_error(as, col, "register cannot be written");
	if (v->rot > 1)
		v->rot = 18 - v->rot;
	return 0;
}

static int dest(struct qas *as, struct qas_cur *c, struct qas_item *it)
{
	u32 i = it->ndst++, col;
	struct qas_val *v = &it->dst[i];
	struct qas_str s;

	qas_space(c);
	col = qas_col(c);
	if (qas_nothing(c)) {
		memset(v, 0, sizeof(*v));
		v->type = QAS_REG;
		v->addr = QPU_W_NOP;
		v->use = QPU_REG_WA | QPU_REG_WB;
	} else if (qas_expr(as, c, v)) {
		return -EINVAL;
	}
	if (dest_reg(as, v, col))
		return -EINVAL;
	while (qas_suffix_word(c, &s)) {
		if (qas_eq(s, "setf") || qas_eq(s, "sf")) {
			it->setf = true;
		} else if (qas_find_suffix(s)) {
			if (one_pack(as, &v->sfx, s, col))
				return -EINVAL;
		} else if (find_cond(s, true) && !it->dst_cond[i]) {
			it->dst_cond[i] = find_cond(s, true);
		} else {
			return qas_error(as, col, "unknown suffix .%.*s",
					 (int)min_t(u32, s.len, 40), s.s);
		}
	}
	return 0;
}

static int source(struct qas *as, struct qas_cur *c, struct qas_item *it)
{
	return qas_expr(as, c, &it->src[it->nsrc++]);
}

/* One or two destinations, then a value. */
static int mov_operands(struct qas *as, struct qas_cur *c, struct qas_item *it)
{
	u32 n = count_operands(c);

	if (n != 2 && n != 3)
		return qas_error(as, qas_col(c), "expected one or two destinations and a value");
	if (dest(as, c, it) || qas_comma(as, c))
		return -EINVAL;
	if (n == 3 && (dest(as, c, it) || qas_comma(as, c)))
		return -EINVAL;
	return source(as, c, it);
}

static int branch_operands(struct qas *as, struct qas_cur *c, struct qas_item *it)
{
	u32 n = count_operands(c), targets = n == 2 ? 1 : 2, i;

	if (n < 2 || n > 4)
		return qas_error(as, qas_col(c), "expected destinations and targets");
	for (i = 0; i < n - targets; i++)
		if (dest(as, c, it) || qas_comma(as, c))
			return -EINVAL;
	for (i = 0; i < targets; i++) {
		if (i && qas_comma(as, c))
			return -EINVAL;
		if (qas_nothing(c))
			it->src[it->nsrc++] = (struct qas_val){ .type = QAS_INT };
		else if (source(as, c, it))
			return -EINVAL;
	}
	return 0;
}

static int alu_operands(struct qas *as, struct qas_cur *c, struct qas_item *it)
{
	u32 want = it->add >= 0 ? qpu_add_operands((u32)it->add) : 2, i;

	if (count_operands(c) != want + 1)
		return qas_error(as, qas_col(c), "expected a destination and %u operand%s", want,
				 want == 1 ? "" : "s");
	if (dest(as, c, it))
		return -EINVAL;
	for (i = 0; i < want; i++)
		if (qas_comma(as, c) || source(as, c, it))
			return -EINVAL;
	return 0;
}

static int operands(struct qas *as, struct qas_cur *c, struct qas_item *it)
{
	switch (it->kind) {
	case QAS_I_MOV:
	case QAS_I_LDI:
		return mov_operands(as, c, it);
	case QAS_I_BRANCH:
		return branch_operands(as, c, it);
	case QAS_I_READ:
		return source(as, c, it);
	case QAS_I_NOP:
		if (!count_operands(c))
			return 0;
		return it->sig ? qas_error(as, qas_col(c),
					   "only anop and mnop have destinations") :
		       dest(as, c, it);
	case QAS_I_ALU:
		return alu_operands(as, c, it);
	default:
		return 0;
	}
}

/* ---- parts ---- */

static struct qas_item *new_item(struct qas *as, struct qas_item *items, u32 *n, u32 col)
{
	if (*n == QAS_MAX_ITEMS) {
		qas_error(as, col, "too many parts in an instruction");
		return NULL;
	}
	memset(&items[*n], 0, sizeof(*items));
	items[*n].col = col;
	return &items[(*n)++];
}

/* .enc field=value, ...: fields without another notation. */
static int enc_parts(struct qas *as, struct qas_cur *c, struct qas_item *items, u32 *n)
{
	const struct qpu_field_name *f;
	struct qas_item *it;
	struct qas_str name;
	s64 value;

	do {
		it = new_item(as, items, n, qas_col(c));
		if (!it)
			return -EINVAL;
		it->kind = QAS_I_ENC;
		if (!qas_word(c, &name))
			return qas_error(as, qas_col(c), "expected a field");
		for (f = qpu_field_names; f->name && !qas_eq(name, f->name); f++)
			;
		if (!f->name)
			return qas_error(as, it->col, "no field of that name");
		if (!qas_char(c, '='))
			return qas_error(as, qas_col(c), "expected =");
		if (qas_int_expr(as, c, &value))
			return -EINVAL;
		if (value < 0 || value > f->max)
			return qas_error(as, it->col, "field %s is 0 to %u", f->name, f->max);
		it->field = f;
		it->src[0].i = value;
	} while (qas_char(c, ','));
	return 0;
}

static int part(struct qas *as, struct qas_cur *c, struct qas_item *items, u32 *n)
{
	struct qas_str name, s;
	struct qas_item *it;
	u32 col;

	qas_space(c);
	col = qas_col(c);
	if (c->end - c->p > 4 && !memcmp(c->p, ".enc", 4)) {
		c->p += 4;
		return enc_parts(as, c, items, n);
	}
	it = new_item(as, items, n, col);
	if (!it)
		return -EINVAL;
	if (!qas_word(c, &name))
		return qas_error(as, col, "expected an instruction");
	if (!find_opcode(name, it))
		return qas_error(as, col, "unknown instruction or macro %.*s",
				 (int)min_t(u32, name.len, 60), name.s);
	it->br_cond = QPU_BR_ALWAYS;
	while (qas_suffix_word(c, &s))
		if (op_suffix(as, it, s, col))
			return -EINVAL;
	return operands(as, c, it);
}

/* Parts up to the end of the line. */
static int parts(struct qas *as, struct qas_cur *c, struct qas_item *items, u32 *n, bool *open)
{
	*open = false;
	for (;;) {
		if (part(as, c, items, n))
			return -EINVAL;
		if (qas_end(c))
			return 0;
		if (!qas_char(c, ';'))
			return qas_error(as, qas_col(c), "expected ; or the end of the line");
		if (qas_end(c)) {
			*open = true;
			return 0;
		}
	}
}

/* Addresses that an instruction may access only once. */
static u32 busy(u8 waddr)
{
	return waddr >= QPU_W_SFU_RECIP || (waddr >= QPU_W_TLB_STENCIL && waddr < QPU_W_VPM);
}

static bool crowded(u64 word)
{
	struct qpu_insn x;
	u32 n;

	qpu_decode(word, &x);
	if (x.sig == QPU_SIG_BRANCH)
		return false;
	n = busy(x.waddr_add) + busy(x.waddr_mul) +
	    (x.sig >= QPU_SIG_LOADCV && x.sig <= QPU_SIG_LOADAM);
	return n > 1;
}

/* No part may join the last instruction. */
void qas_no_join(struct qas *as)
{
	if (as->nrecent)
		as->recent[as->top].open = false;
}

/* Remember an instruction. */
void qas_push_recent(struct qas *as, const struct qas_item *items, u32 n, bool open)
{
	struct qas_recent *r;

	as->top = (as->top + 1) % QAS_RECENT;
	as->nrecent = min_t(u32, as->nrecent + 1, QAS_RECENT);
	r = &as->recent[as->top];
	memcpy(r->items, items, n * sizeof(*items));
	r->n = n;
	r->open = open;
}

/* Try to put the parts into the instruction before. */
static bool join_last(struct qas *as, const struct qas_item *items, u32 n, bool open)
{
	struct qas_recent *r = &as->recent[as->top];
	struct qas_slot slot = { .is_insn = true };
	bool quiet = as->quiet, ok;

	if (!as->nrecent || !r->open || r->n + n > QAS_MAX_ITEMS || as->nbytes < 8)
		return false;
	memcpy(r->items + r->n, items, n * sizeof(*items));
	as->quiet = true;
	ok = !qas_encode(as, r->items, r->n + n, &slot) && !crowded(slot.word);
	as->quiet = quiet;
	if (!ok)
		return false;
	as->slots[as->nbytes / 8 - 1] = slot;
	r->n += n;
	r->open = open;
	return true;
}

/* A line of instructions; @joined: it began with a semicolon. */
int qas_insn_line(struct qas *as, struct qas_cur *c, bool joined)
{
	struct qas_item items[QAS_MAX_ITEMS];
	struct qas_slot slot = { .is_insn = true };
	bool open;
	u32 n = 0;

	if (parts(as, c, items, &n, &open))
		return -EINVAL;
	if (joined && join_last(as, items, n, open))
		return 0;
	if (qas_encode(as, items, n, &slot) || qas_align_insn(as) || qas_emit(as, &slot))
		return -EINVAL;
	qas_push_recent(as, items, n, open);
	return 0;
}
