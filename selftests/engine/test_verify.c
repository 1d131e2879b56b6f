// SPDX-License-Identifier: GPL-2.0
/*
 * The micro-op verifier: the builder's programs pass, every field out of range is refused
 * at its micro-op.
 */
#include "../../userspace/disasm/uop_print.h"
#include "gen.h"

static u32 failures, checks;

/* A field of a micro-op set to a bad value must be noticed there. */
static void expect_bad(struct vs_prog *p, u32 n, struct vs_uop u, const char *what)
{
	struct vs_uop old = p->uops[n];
	u32 bad = 0;
	int ret;

	p->uops[n] = u;
	ret = vs_prog_verify(p, &bad);
	p->uops[n] = old;
	checks++;
	if (ret != -EINVAL || bad != n) {
		failures++;
		tap_comment("%s at %u: returned %d, bad %u", what, n, ret, bad);
	}
}

#define WITH(field, value, what) do {			\
	struct vs_uop _u = p->uops[n];			\
							\
	_u.field = value;				\
	expect_bad(p, n, _u, what);			\
} while (0)

static struct vs_prog *sample(void)
{
	struct vs_builder *b = eng_builder(16);

	eng_emit(b, 0, UOP(.op = VS_OP_MOV, .ncomp = 2, .d = { ENG_OUT, ENG_OUT + 1 },
			   .a = { 0, 1 }));
	eng_emit(b, 1, UOP(.op = VS_OP_MAD, .ncomp = 3, .flags = VS_UOP_B_UNIF,
			   .d = { 70, 71, 72 }, .a = { 0, 1, 2 }, .b = { 3, 4, 5 },
			   .c = { 8, 9, 10 }));
	eng_emit(b, 2, UOP(.op = VS_OP_CMP, .ncomp = 2, .d = { 0, 1 }, .imm = 0x53));
	eng_emit(b, 3, UOP(.op = VS_OP_LDROW, .ncomp = 1, .d = { 80 }, .a = { ENG_AL },
			   .b = { 2 }, .imm = 5));
	eng_emit(b, 4, UOP(.op = VS_OP_BR, .f.cond = VS_COND_PREDS, .f.lut = 6, .f.target = 6,
			   .f.resume = 5));
	eng_emit(b, 5, UOP(.op = VS_OP_LOOP, .f.resume = 6, .f.other = 8, .f.end = 8,
			   .f.al = ENG_AL, .f.num = 2));
	eng_emit(b, 6, UOP(.op = VS_OP_IF, .flags = VS_UOP_RINGS, .f.cond = VS_COND_BOOL,
			   .f.num = 3, .f.target = 7, .f.resume = 7, .f.other = 8, .f.end = 7,
			   .f.next = 7));
	eng_emit(b, 7, UOP(.op = VS_OP_BREAK, .f.cond = VS_COND_PREDS, .f.lut = 8,
			   .f.resume = 8));
	eng_emit(b, 8, UOP(.op = VS_OP_SETEMIT, .imm = 6));
	eng_emit(b, 9, UOP(.op = VS_OP_EMIT));
	eng_emit(b, 10, UOP(.op = VS_OP_DPH, .ncomp = 1, .d = { 64 }, .a = { 0, 1, 2 },
			    .b = { 4, 5, 6, 7 }));
	eng_emit(b, 11, UOP(.op = VS_OP_END));
	return eng_finish(b);
}

/* Checks that apply to every micro-op. */
static void check_common(struct vs_prog *p, u32 n)
{
	WITH(op, VS_NUM_OPS, "operation");
	WITH(op, 0xffff, "operation");
	WITH(ncomp, 0, "no components");
	WITH(ncomp, 5, "five components");
	WITH(handler, p->uops[n].handler ^ 1, "handler");
	WITH(handler, p->uops[n].handler ^ 0x100, "handler");
	WITH(flags, p->uops[n].flags | 0x80, "unknown flag");
	WITH(pad, 1, "padding");
	WITH(imm, 0xffffffff, "immediate");
}

static void check_data(struct vs_prog *p, u32 n)
{
	const struct vs_uop *u = &p->uops[n];
	u32 i;

	WITH(flags, u->flags | VS_UOP_RINGS, "ring flag");
	WITH(flags, u->flags | VS_UOP_A_UNIF | VS_UOP_B_UNIF, "two uniform operands");
	for (i = 0; i < u->ncomp; i++) {
		WITH(d[i], u->op == VS_OP_CMP ? VS_MAX_PREDS : ENG_SLOTS, "destination");
		WITH(d[i], 0xffff, "destination");
	}
	for (; i < 4; i++)
		WITH(d[i], 1, "unused destination");
	WITH(a[0], 0xffff, "source a");
	WITH(b[0], 0xffff, "source b");
	WITH(c[0], 0xffff, "source c");
	WITH(a[3], u->op == VS_OP_MAD ? 7 : 0xffff, "unused source a");
	WITH(c[3], 3, "unused source c");
}

static void check_flow(struct vs_prog *p, u32 n)
{
	const struct vs_uop *u = &p->uops[n];

	WITH(f.target, p->nuops, "target");
	WITH(f.target, 0xffffffff, "target");
	WITH(f.resume, p->nuops + 7, "resume");
	WITH(f.other, p->nuops, "other");
	WITH(f.cond, 3, "condition kind");
	WITH(f.lut, 16, "truth table");
	WITH(f.num, 32, "number");
	WITH(f.pad, 1, "padding");
	WITH(f.pad2, 1, "padding");
	WITH(f.al, ENG_SLOTS, "address register");
	if (u->op == VS_OP_LOOP) {
		WITH(f.num, 4, "loop descriptor");
		WITH(f.target, 1, "unused target");
	}
	WITH(flags, u->flags | VS_UOP_A_UNIF, "uniform flag");
}

static void check_kinds(struct vs_prog *p)
{
	u32 n;

	for (n = 0; n < p->nuops; n++) {
		const struct vs_uop *u = &p->uops[n];

		if (u->op == VS_OP_CMP) {
			WITH(imm, 0x06, "condition");
			WITH(imm, 0x60, "condition");
			WITH(ncomp, 3, "three predicates");
		}
		if (u->op == VS_OP_LDROW) {
			WITH(b[0], 4, "row component");
			WITH(imm, 0x200, "row flags");
			WITH(flags, u->flags | VS_UOP_A_UNIF, "uniform offset");
		}
		if (u->op == VS_OP_SETEMIT) {
			WITH(imm, 3, "vertex slot");
			WITH(imm, 16, "latch");
		}
		if (u->op == VS_OP_MAD) {
			WITH(b[0], 0x7fff, "uniform word");
			WITH(b[1], ENG_UNIF + p->nconst, "uniform word");
		}
		if (u->op == VS_OP_END && n == p->nuops - 1)
			WITH(op, VS_OP_CHECK, "no END at the end");
	}
}

static void expect_header(struct vs_prog *p, const char *what)
{
	u32 bad;

	checks++;
	if (vs_prog_verify(p, &bad) != -EINVAL) {
		failures++;
		tap_comment("%s passed", what);
	}
}

#define HEADER(lvalue, value) do {		\
	typeof(lvalue) _old = (lvalue);		\
						\
	(lvalue) = (value);			\
	expect_header(p, #lvalue);		\
	(lvalue) = _old;			\
} while (0)

static void check_header(struct vs_prog *p)
{
	u32 target = p->uop_of_guest[6];

	HEADER(p->nuops, 0);
	HEADER(p->nslots, VS_MAX_SLOTS + 1);
	HEADER(p->nslots, 0);
	HEADER(p->nslots, ENG_AL);
	HEADER(p->nunif, VS_MAX_UNIF + 1);
	HEADER(p->nunif, 4);
	HEADER(p->in_slot, ENG_SLOTS - 63);
	HEADER(p->out_slot, ENG_SLOTS - 63);
	HEADER(p->shadow_slot, ENG_SLOTS - 63);
	HEADER(p->nin, 17);
	HEADER(p->nout, 17);
	HEADER(p->rows.mask, 126);
	HEADER(p->rows.mask, 511);
	HEADER(p->rows.limit, 129);
	HEADER(p->rows.limit, 97);
	HEADER(p->rows.limit, 0);
	HEADER(p->regs[0].slot[1], ENG_SLOTS);
	HEADER(p->regs[4].slot[0], VS_MAX_PREDS);
	HEADER(p->regs[0].ncomp, 5);
	HEADER(p->uop_of_guest[3], p->nuops);
	HEADER(p->uop_of_guest[3], p->uop_of_guest[4]);
	HEADER(p->guest_of_uop[3], 17);
	HEADER(p->wsum[3], 1000);
	/* Targets are first micro-ops. */
	p->uops[target].flags &= ~VS_UOP_FIRST;
	expect_header(p, "target inside an instruction");
	p->uops[target].flags |= VS_UOP_FIRST;
}

/* Straight runs are bounded by the builder, and the verifier insists. */
static void check_straight(void)
{
	struct vs_builder *b = eng_builder(400);
	struct vs_prog *p;
	u32 g, n, bad, run = 0, longest = 0;

	for (g = 0; g < 400; g++)
		eng_emit(b, g, UOP(.op = VS_OP_ADD, .ncomp = 1, .d = { 64 }, .a = { 0 },
				   .b = { 1 }));
	p = eng_finish(b);
	for (n = 0; n < p->nuops; n++) {
		bool control = p->uops[n].op == VS_OP_CHECK || p->uops[n].op == VS_OP_END;

		run = control ? 0 : run + 1;
		longest = max(longest, run);
	}
	tap_result(longest <= VS_MAX_STRAIGHT && longest > VS_MAX_STRAIGHT / 2,
		   "longest straight run %u of at most %u", longest, VS_MAX_STRAIGHT);
	for (n = 0; n < p->nuops - 1; n++) {
		if (p->uops[n].op == VS_OP_CHECK) {
			p->uops[n].op = VS_OP_NOP;
			p->uops[n].handler = p->uops[0].handler;
			memset(p->uops[n].d, 0, sizeof(p->uops[n].d));
		}
	}
	tap_result(vs_prog_verify(p, &bad) == -EINVAL, "runs without CHECK are refused");
	vs_prog_free(p);
}

/* Builder errors have codes. */
static void check_builder(void)
{
	struct vs_prog *p = NULL;
	struct vs_builder *b;
	u32 i, bad = 0;

	bad += !!vs_builder_new(0, 10, 10);
	bad += !!vs_builder_new(4097, 10, 10);
	bad += !!vs_builder_new(10, VS_MAX_SLOTS + 1, 10);
	bad += !!vs_builder_new(10, 10, VS_MAX_UNIF + 1);

	b = eng_builder(4);
	eng_emit(b, 5, UOP(.op = VS_OP_NOP));
	bad += eng_finish_err(b, &p) != -EINVAL;

	b = eng_builder(4);
	for (i = 0; i < 200; i++)
		eng_emit(b, 0, UOP(.op = VS_OP_NOP));
	bad += eng_finish_err(b, &p) != -E2BIG;

	/* A branch to a word without micro-ops. */
	b = eng_builder(4);
	eng_emit(b, 0, UOP(.op = VS_OP_BR, .f.target = 3));
	bad += eng_finish_err(b, &p) != -EINVAL;

	/* A slot out of range. */
	b = eng_builder(4);
	eng_emit(b, 0, UOP(.op = VS_OP_MOV, .d = { ENG_SLOTS }));
	bad += eng_finish_err(b, &p) != -EINVAL;

	/* No micro-ops at all: just an END. But then the entry has none. */
	b = eng_builder(4);
	bad += eng_finish_err(b, &p) != -EINVAL;
	bad += !!p;
	tap_result(!bad, "errors of the builder, %u wrong", bad);
}

/* Constants are shared, negated words follow all others. */
static void check_consts(void)
{
	struct vs_builder *b = eng_builder(4);
	u32 c1 = vs_builder_const(b, 0x40000000), c2 = vs_builder_const(b, 0x40400000);
	u32 c3 = vs_builder_const(b, 0x40000000);
	struct vs_prog *p;

	eng_emit(b, 0, UOP(.op = VS_OP_MOV, .flags = VS_UOP_A_UNIF, .ncomp = 2, .d = { 64, 65 },
			   .a = { vs_builder_neg(b, 5), vs_builder_neg(b, c2) }));
	eng_emit(b, 1, UOP(.op = VS_OP_END));
	p = eng_finish(b);
	tap_result(c1 == ENG_UNIF && c2 == ENG_UNIF + 1 && c3 == c1 && p->nconst == 2 &&
		   p->uops[0].a[0] == ENG_UNIF + 2 + 5 &&
		   p->uops[0].a[1] == ENG_UNIF + 2 + ENG_UNIF + 1 && p->uses_neg,
		   "constants and negated words");
	vs_prog_free(p);
}

/* Definite assignment: zeroed registers, and dependencies between invocations. */
static bool carries(void (*make)(struct vs_builder *b), u32 *nzero)
{
	struct vs_builder *b = eng_builder(16);
	struct vs_prog *p;
	bool r;

	make(b);
	p = eng_finish(b);
	r = p->carries;
	*nzero = p->nzero;
	vs_prog_free(p);
	return r;
}

#define MOVE(to, from)	UOP(.op = VS_OP_MOV, .d = { to }, .a = { from })

static void m_straight(struct vs_builder *b)
{
	eng_emit(b, 0, MOVE(200, 0));
	eng_emit(b, 1, MOVE(64, 200));
}

static void m_unset(struct vs_builder *b)
{
	eng_emit(b, 0, MOVE(64, 200));
	eng_emit(b, 1, MOVE(200, 0));
}

static void m_one_path(struct vs_builder *b)
{
	eng_emit(b, 0, UOP(.op = VS_OP_BR, .f.cond = VS_COND_BOOL, .f.target = 2,
			   .f.resume = 1));
	eng_emit(b, 1, MOVE(200, 0));
	eng_emit(b, 2, MOVE(64, 200));
}

static void m_never_written(struct vs_builder *b)
{
	eng_emit(b, 0, MOVE(64, 200));
}

static void m_pred(struct vs_builder *b)
{
	eng_emit(b, 0, UOP(.op = VS_OP_BR, .f.cond = VS_COND_PREDS, .f.lut = 10, .f.target = 2,
			   .f.resume = 1));
	eng_emit(b, 1, UOP(.op = VS_OP_CMP, .ncomp = 1, .d = { 0 }));
	eng_emit(b, 2, MOVE(64, 0));
}

static void m_loop(struct vs_builder *b)
{
	eng_emit(b, 0, UOP(.op = VS_OP_LOOP, .f.resume = 1, .f.other = 3, .f.end = 3,
			   .f.al = ENG_AL));
	eng_emit(b, 1, MOVE(200, 0));
	eng_emit(b, 2, UOP(.op = VS_OP_RINGS, .flags = VS_UOP_RINGS, .f.next = 3,
			   .f.resume = 3));
	eng_emit(b, 3, MOVE(64, 200));
}

static void m_call(struct vs_builder *b)
{
	/* The callee may seem to be left by its end, too: that END reads o0.x. */
	eng_emit(b, 0, MOVE(64, 0));
	eng_emit(b, 1, UOP(.op = VS_OP_CALL, .f.target = 4, .f.resume = 2, .f.end = 5));
	eng_emit(b, 2, MOVE(64, 200));
	eng_emit(b, 3, UOP(.op = VS_OP_END));
	eng_emit(b, 4, MOVE(200, 0));
	eng_emit(b, 4, UOP(.op = VS_OP_RINGS, .flags = VS_UOP_RINGS, .f.next = 5,
			   .f.resume = 5));
	eng_emit(b, 5, UOP(.op = VS_OP_END));
}

static void m_emit(struct vs_builder *b)
{
	u32 i, r;

	for (i = 0; i < 3; i++) {
		for (r = 0; r < 16; r++)
			eng_emit(b, 4 * i, UOP(.op = VS_OP_MOV, .ncomp = 4,
					       .d = SEQ(ENG_OUT + 4 * r), .a = SEQ(0)));
		eng_emit(b, 4 * i + 1, UOP(.op = VS_OP_SETEMIT, .imm = i | (i == 2 ? 4 : 0)));
		eng_emit(b, 4 * i + 2, UOP(.op = VS_OP_EMIT));
	}
}

static void m_emit_unfilled(struct vs_builder *b)
{
	u32 r;

	for (r = 0; r < 16; r++)
		eng_emit(b, 0, UOP(.op = VS_OP_MOV, .ncomp = 4, .d = SEQ(ENG_OUT + 4 * r),
				   .a = SEQ(0)));
	eng_emit(b, 1, UOP(.op = VS_OP_SETEMIT, .imm = 4));
	eng_emit(b, 2, UOP(.op = VS_OP_EMIT));
}

static void m_emit_unlatched(struct vs_builder *b)
{
	u32 r;

	for (r = 0; r < 16; r++)
		eng_emit(b, 0, UOP(.op = VS_OP_MOV, .ncomp = 4, .d = SEQ(ENG_OUT + 4 * r),
				   .a = SEQ(0)));
	eng_emit(b, 2, UOP(.op = VS_OP_EMIT));
}

/* A procedure at @word emits a vertex. */
static void put_emitter(struct vs_builder *b, u32 word)
{
	u32 r;

	for (r = 0; r < 16; r++)
		eng_emit(b, word, UOP(.op = VS_OP_MOV, .ncomp = 4, .d = SEQ(ENG_OUT + 4 * r),
				      .a = SEQ(0)));
	eng_emit(b, word, UOP(.op = VS_OP_EMIT));
	eng_emit(b, word + 1, UOP(.op = VS_OP_RINGS, .flags = VS_UOP_RINGS, .f.next = word + 2,
				  .f.resume = word + 2));
	eng_emit(b, word + 2, UOP(.op = VS_OP_END));
}

/* A procedure of words @word and @word + 1 calls the one that follows it. */
static void put_caller(struct vs_builder *b, u32 word)
{
	eng_emit(b, word, UOP(.op = VS_OP_CALL, .f.target = word + 2, .f.resume = word + 1,
			      .f.end = word + 4));
	eng_emit(b, word + 1, UOP(.op = VS_OP_RINGS, .flags = VS_UOP_RINGS, .f.next = word + 2,
				  .f.resume = word + 2));
}

/* Emit three vertices, the latches in @latch, by calls of the procedure at @word. */
static void put_main(struct vs_builder *b, const u32 latch[3], u32 word)
{
	u32 i;

	for (i = 0; i < 3; i++) {
		eng_emit(b, 2 * i, UOP(.op = VS_OP_SETEMIT, .imm = latch[i]));
		eng_emit(b, 2 * i + 1, UOP(.op = VS_OP_CALL, .f.target = word,
					   .f.resume = 2 * i + 2, .f.end = word + 2));
	}
	eng_emit(b, 6, UOP(.op = VS_OP_END));
}

static void put_procedures(struct vs_builder *b)
{
	u32 i;

	for (i = 0; i < 3; i++)
		put_caller(b, 7 + 2 * i);
	put_emitter(b, 13);
}

static const u32 triangle[3] = { 0, 1, 6 };

static void m_emit_call(struct vs_builder *b)
{
	put_main(b, triangle, 13);
	put_emitter(b, 13);
}

static void m_emit_call_unfilled(struct vs_builder *b)
{
	static const u32 latch[3] = { 0, 0, 6 };

	put_main(b, latch, 13);
	put_emitter(b, 13);
}

static void m_emit_three_deep(struct vs_builder *b)
{
	put_main(b, triangle, 9);
	put_procedures(b);
}

static void m_emit_four_deep(struct vs_builder *b)
{
	put_main(b, triangle, 7);
	put_procedures(b);
}

static void check_assignment(void)
{
	static const struct {
		const char *what;
		void (*make)(struct vs_builder *b);
		bool carries;
	} cases[] = {
		{ "written before read", m_straight, false },
		{ "read before written", m_unset, true },
		{ "written on one path", m_one_path, true },
		{ "never written", m_never_written, false },
		{ "predicate", m_pred, true },
		{ "written in a loop body", m_loop, false },
		{ "written by a callee", m_call, false },
		{ "all vertices emitted", m_emit, false },
		{ "vertices of before", m_emit_unfilled, true },
		{ "latch of before", m_emit_unlatched, true },
		{ "emitted by a callee", m_emit_call, false },
		{ "emitted by a callee, vertices of before", m_emit_call_unfilled, true },
		{ "emitted three calls deep", m_emit_three_deep, false },
		/* As many entries as the ring has: their callers are not told apart. */
		{ "emitted four calls deep", m_emit_four_deep, true },
	};
	u32 i, nzero;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		bool c = carries(cases[i].make, &nzero);

		/* Outputs that are written on no path at all are not zeroed block by block. */
		tap_result(c == cases[i].carries, "%s: carries %d, %u slots zeroed", cases[i].what,
			   c, nzero);
	}
}

int main(int argc, char **argv)
{
	struct eng_opts opt;
	struct eng_rand r;
	struct vs_prog *p;
	u32 n, i, bad, refused = 0;

	eng_options(argc, argv, &opt);
	p = sample();
	for (n = 0; n < p->nuops; n++) {
		enum vs_op op = p->uops[n].op;

		check_common(p, n);
		if (op == VS_OP_MOV || op == VS_OP_MAD || op == VS_OP_CMP || op == VS_OP_LDROW ||
		    op == VS_OP_DPH)
			check_data(p, n);
		if (op == VS_OP_BR || op == VS_OP_LOOP || op == VS_OP_IF || op == VS_OP_BREAK)
			check_flow(p, n);
	}
	check_kinds(p);
	check_header(p);
	tap_result(!failures, "%u bad fields, %u not refused", checks, failures);
	tap_result(!vs_prog_verify(p, &bad), "the sample itself passes");
	vs_prog_free(p);
	check_straight();
	check_builder();
	check_consts();
	check_assignment();
	eng_srand(&r, opt.seed);
	for (i = 0; i < 300; i++) {
		p = gen_program(&r, 8 + eng_below(&r, 60));
		refused += vs_prog_verify(p, &bad) != 0;
		for (n = 0; n < p->nuops; n++) {
			char buf[200];

			if (vs_prog_print_uop(p, n, buf, sizeof(buf)) <= 0 ||
			    vs_prog_print_uop(p, n, buf, 9) > 8)
				refused++;
		}
		vs_prog_free(p);
	}
	tap_result(!refused, "300 random programs pass and print, %u do not", refused);
	return tap_done();
}
