// SPDX-License-Identifier: GPL-2.0
/*
 * PICA200 verifier: rejects and their locations, accepted programs, warnings, the
 * resource report, and lowering of every accepted program.
 */
#include "isa/pica/pica_walk.h"
#include "pica_lint.h"
#include "isa_test.h"

static int run_check(const struct test_prog *p, struct vs_report *rep, struct vs_reject *rej)
{
	struct vs_src src;

	test_src(p, &src);
	return pica_check(&src, rep, rej);
}

struct rejected {
	const char *text;
	u32 reason;
	u32 offset;
	u32 lo, hi;
	u32 value;
	u32 limit;
};

/* Vertex programs unless marked .gsh; end is word 0x22 << 26. */
static const struct rejected rejects[] = {
	{ ".word 0x40000000\nend", PICA_REASON_OPCODE, 0, 26, 31, 0x10, 0 },
	{ "nop\n.word 0x7c123456\nend", PICA_REASON_OPCODE, 1, 26, 31, 0x1f, 0 },
	{ "jmpc cmp.x, a\nend\na: .word 0x50000000", PICA_REASON_OPCODE, 2, 26, 31, 0x14, 0 },
	{ ".opdesc 0, 0\n.word 0xbe000000\nend", PICA_REASON_CMP_COND, 0, 24, 26, 6, 6 },
	{ ".opdesc 0, 0\n.word 0xb8e00000\nend", PICA_REASON_CMP_COND, 0, 21, 23, 7, 6 },
	{ "emit\nend", PICA_REASON_GEOMETRY_ONLY, 0, 26, 31, 0x2a, 0 },
	{ "nop\n.word 0xac000000\nend", PICA_REASON_GEOMETRY_ONLY, 1, 26, 31, 0x2b, 0 },
	{ ".gsh\n.word 0xaf000000\nend", PICA_REASON_EMIT_SLOT, 0, 24, 25, 3, 3 },
	{ "mov r0, v0 @0\nend", PICA_REASON_OPDESC, 0, 0, 6, 0, 0 },
	{ ".opdesc 0, 0xf\nadd r0, v0, v0 @127\nend", PICA_REASON_OPDESC, 0, 0, 6, 127, 1 },
	{ ".opdesc 0, 0xf\nmad r0, v0, v0, v0 @31\nend", PICA_REASON_OPDESC, 0, 0, 4, 31, 1 },
	{ "jmpc cmp.x, 2\nend", PICA_REASON_TARGET, 0, 10, 21, 2, 2 },
	{ "jmpu b0, 4095\nend", PICA_REASON_TARGET, 0, 10, 21, 4095, 2 },
	{ "call 2, 0\nend", PICA_REASON_TARGET, 0, 10, 21, 2, 2 },
	{ "ifu b0, 2, 0\nend", PICA_REASON_TARGET, 0, 10, 21, 2, 2 },
	{ "for i0, 2\nend", PICA_REASON_TARGET, 0, 10, 21, 2, 2 },
	{ "call 1, 2\nend", PICA_REASON_CALL_RANGE, 0, 0, 7, 2, 1 },
	{ "callu b0, 1, 255\nend", PICA_REASON_CALL_RANGE, 0, 0, 7, 255, 1 },
	{ "ifc cmp.x, 1, 2\nend", PICA_REASON_ELSE_RANGE, 0, 0, 7, 2, 1 },
	{ "call p, 1\nend\np: .word 0x40000000", PICA_REASON_OPCODE, 2, 26, 31, 0x10, 0 },
	{ "ifu b0, e, 1\nend\ne: .word 0x40000000\nend", PICA_REASON_OPCODE, 2, 26, 31, 0x10, 0 },
	{ "for i0, l\nl: breakc cmp.x\n.word 0x40000000", PICA_REASON_OPCODE, 2, 26, 31, 0x10, 0 },
};

static void test_reject(const struct rejected *r)
{
	struct test_prog *p = malloc(sizeof(*p));
	struct vs_reject rej;
	struct vs_report rep;
	char msg[256] = "";
	bool ok;
	int ret = 0;

	ok = p && test_assemble(r->text, p, msg, sizeof(msg));
	if (ok) {
		ret = run_check(p, &rep, &rej);
		ok = ret == -ENOEXEC && rej.reason == r->reason && rej.offset == r->offset &&
		     rej.field_lo == r->lo && rej.field_hi == r->hi && rej.value == r->value &&
		     rej.limit == r->limit && rej.section == VS_SECTION_CODE;
		snprintf(msg, sizeof(msg), "%d: reason %u at %u bits %u..%u value %u limit %u", ret,
			 rej.reason, rej.offset, rej.field_lo, rej.field_hi, rej.value, rej.limit);
	}
	tap_result(ok, "%s at word %u%s%s", pica_reason_text(r->reason), r->offset, ok ? "" : ": ",
		   ok ? "" : msg);
	free(p);
}

/* Each of the ten undefined codes, whatever its other bits. */
static void test_undefined(void)
{
	struct test_prog *p = calloc(1, sizeof(*p));
	u32 code, bits;

	p->ncode = 2;
	p->code[1] = 0x88000000;
	for (code = 0; code < 64; code++) {
		bool ok = true;

		if (pica_op_of_code(code) != PICA_OP_INVALID)
			continue;
		for (bits = 0; bits < 27; bits++) {
			struct vs_reject rej;
			struct vs_report rep;

			p->code[0] = code << 26 | (1u << bits & 0x3ffffff);
			ok = ok && run_check(p, &rep, &rej) == -ENOEXEC &&
			     rej.reason == PICA_REASON_OPCODE && rej.value == code;
		}
		tap_result(ok, "code 0x%02x is rejected", code);
	}
	free(p);
}

/* Sizes and entry points cannot be expressed in source. */
static void test_sizes(void)
{
	static u32 code[PICA_MAX_CODE + 1], descs[PICA_MAX_OPDESC + 1];
	u32 entry = 0;
	struct vs_src src = {
		.stage = VS_STAGE_VERTEX,
		.words = { code, descs },
		.nwords = { 1, 0 },
		.entries = &entry,
		.nentries = 1,
	};
	struct vs_reject rej;
	struct vs_report rep;

	code[0] = 0x88000000;
	tap_result(!pica_check(&src, &rep, &rej), "a single END is a program");
	src.nwords[0] = 0;
	tap_result(pica_check(&src, &rep, &rej) == -ENOEXEC &&
		   rej.reason == PICA_REASON_NO_CODE, "no code");
	src.nwords[0] = PICA_MAX_CODE;
	tap_result(!pica_check(&src, &rep, &rej) && rep.reachable_words == 1,
		   "4096 words");
	src.nwords[0] = PICA_MAX_CODE + 1;
	tap_result(pica_check(&src, &rep, &rej) == -ENOEXEC &&
		   rej.reason == PICA_REASON_CODE_SIZE && rej.value == 4097, "4097 words");
	src.nwords[0] = 1;
	src.nwords[1] = PICA_MAX_OPDESC;
	tap_result(!pica_check(&src, &rep, &rej), "128 descriptors");
	src.nwords[1] = PICA_MAX_OPDESC + 1;
	tap_result(pica_check(&src, &rep, &rej) == -ENOEXEC &&
		   rej.reason == PICA_REASON_OPDESC_COUNT &&
		   rej.section == VS_SECTION_OPDESC, "129 descriptors");
	src.nwords[1] = 0;
	entry = 1;
	tap_result(pica_check(&src, &rep, &rej) == -ENOEXEC &&
		   rej.reason == PICA_REASON_ENTRY && rej.value == 1 && rej.limit == 1,
		   "entry point past the code");
	src.nentries = 0;
	tap_result(pica_check(&src, &rep, &rej) == -ENOEXEC &&
		   rej.reason == PICA_REASON_NO_ENTRY, "no entry point");
	entry = 0;
	src.nentries = 1;
	src.stage = VS_STAGE_FRAGMENT;
	tap_result(pica_check(&src, &rep, &rej) == -ENOEXEC &&
		   rej.reason == PICA_REASON_STAGE, "fragment stage");
}

struct accepted {
	const char *name;
	const char *text;
	u32 reachable;
	u32 lint;		/* NO_LINT: none at all */
	u32 lint_offset;
};

#define NO_LINT	PICA_NUM_LINTS

static const struct accepted accepts[] = {
	{ "garbage after END", "end\n.word 0x40000000", 1, NO_LINT, 0 },
	{ "garbage between procedures",
	  "call p, 2\nend\n.word 0x40000000\np: nop\nnop\n.word 0x40000000", 4, NO_LINT, 0 },
	{ "garbage after a procedure in a procedure",
	  "call p, 2\nend\np: call q, 2\nnop\n.word 0x40000000\nq: nop\nnop\n.word 0x50000000", 6,
	  NO_LINT, 0 },
	{ "procedure called from two depths",
	  "call p, 2\ncall q, 2\nend\np: call q, 2\nnop\nq: nop\nnop\n.word 0x50000000", 7,
	  NO_LINT, 0 },
	{ "else part", "ifu b0, e, 2\nnop\nnop\ne: nop\nnop\nend", 6, NO_LINT, 0 },
	{ "loop", "for i0, l\nnop\nl: nop\nend", 4, NO_LINT, 0 },
	{ "ignored bits", ".word 0x84ffffff\n.word 0x8812ffff", 2, NO_LINT, 0 },
	{ "adjacent mova", "mova a0.x, v0\nmova a0.y, v0\nend", 3, PICA_LINT_MOVA_ADJACENT, 0 },
	{ "two inputs", "add r0, v0, v1\nend", 2, PICA_LINT_TWO_INPUTS, 0 },
	{ "output twice", "mov o0, v0\nmov o0.x, v0\nend", 3, PICA_LINT_OUT_TWICE, 1 },
	{ "output twice on one way only",
	  "ifu b0, e, 0\nmov o0, v0\nnop\ne: mov o0, v0\nend", 5, PICA_LINT_OUT_TWICE, 3 },
	{ "output once on each way",
	  "ifu b0, e, 2\nmov o0, v0\nnop\ne: mov o0, v0\nnop\nend", 6, NO_LINT, 0 },
	{ "output written in a called procedure",
	  "call p, 2\nmov o1, v0\nend\np: mov o0, v0\nnop", 5, NO_LINT, 0 },
	{ "output partly unwritten", "mov o3.xyz, v0\nend", 2, PICA_LINT_OUT_UNWRITTEN, 1 },
	{ "geometry output without two components",
	  ".gsh\nmov o1.xy, v0\nemit\nmov o1, v0\nemit\nend", 5, NO_LINT, 0 },
	{ "geometry output left out",
	  ".gsh\nmov o1.xy, v0\nmov o0, v0\nemit\nmov o0, v0\nemit\nend", 6,
	  PICA_LINT_OUT_UNWRITTEN, 4 },
	{ "high output of a geometry program",
	  ".gsh\nmov o7, v0\nend", 2, PICA_LINT_OUT_HIGH, 0 },
	{ "no end", "nop\nnop", 2, PICA_LINT_NO_END, 1 },
	{ "jump in the last word of a loop",
	  "for i0, l\nnop\nl: jmpc cmp.x, 4\nnop\nend", 5, PICA_LINT_FLOW_LAST, 2 },
	{ "call in the last word of an if",
	  "ifu b0, e, 0\nnop\ncall 5, 1\ne: nop\nend\nnop", 6, PICA_LINT_FLOW_LAST, 2 },
	{ "ifs with one end", "ifu b0, e, 0\nifu b1, e, 0\nnop\ne: end", 4, PICA_LINT_SAME_END, 0 },
	{ "loops with one end", "for i0, l\nfor i1, l\nl: nop\nend", 4, PICA_LINT_SAME_END, 0 },
	{ "empty if", "ifu b0, e, 0\ne: end", 2, PICA_LINT_EMPTY_BLOCK, 0 },
	{ "empty loop", "l: for i0, l\nend", 2, PICA_LINT_EMPTY_BLOCK, 0 },
	{ "call of nothing", "call 1, 0\nend", 2, PICA_LINT_EMPTY_BLOCK, 0 },
	{ "backward if", "nop\nifu b0, 0, 0\nend", 3, PICA_LINT_BACKWARD, 1 },
	{ "break without loop", "breakc cmp.x\nend", 2, PICA_LINT_BREAK_NO_LOOP, 0 },
	{ "break in an if", "for i0, l\nifu b0, e, 0\nbreak\nnop\ne: nop\nl: nop\nend", 6,
	  PICA_LINT_BREAK_IN_IF, 2 },
	{ "nine ifs",
	  "ifu b0, 18, 0\nifu b0, 17, 0\nifu b0, 16, 0\nifu b0, 15, 0\nifu b0, 14, 0\n"
	  "ifu b0, 13, 0\nifu b0, 12, 0\nifu b0, 11, 0\nifu b0, 10, 0\n"
	  "nop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nend", 19, PICA_LINT_IF_DEPTH, 8 },
	{ "five loops",
	  "for i0, 9\nfor i0, 8\nfor i0, 7\nfor i0, 6\nfor i0, 5\nnop\nnop\nnop\nnop\nnop\nend", 11,
	  PICA_LINT_LOOP_DEPTH, 4 },
	{ "recursion", "call 1, 3\nnop\ncallc cmp.x, 1, 3\nnop\nend", 5, PICA_LINT_CALL_DEPTH, 0 },
};

static void test_accept(const struct accepted *a)
{
	struct test_prog *p = malloc(sizeof(*p));
	struct vs_lint_warning lints[16];
	struct vs_lints found = { .list = lints, .max = ARRAY_SIZE(lints) };
	struct vs_reject rej;
	struct vs_report rep = { 0 };
	char msg[256] = "";
	bool ok, there = false;
	struct vs_src src;
	u32 i;
	int ret;

	ok = p && test_assemble(a->text, p, msg, sizeof(msg));
	if (ok) {
		ret = run_check(p, &rep, &rej);
		test_src(p, &src);
		if (!ret)
			ret = pica_lint(&src, &found);
		for (i = 0; !ret && i < found.n && i < found.max; i++)
			there |= lints[i].code == a->lint && lints[i].offset == a->lint_offset;
		ok = !ret && rep.reachable_words == a->reachable &&
		     (a->lint == NO_LINT ? !found.n : there);
		snprintf(msg, sizeof(msg), "%d, %u reachable, %u warnings, first %s at %u", ret,
			 rep.reachable_words, found.n,
			 found.n ? pica_lint_name(lints[0].code) : "none",
			 found.n ? lints[0].offset : 0);
	}
	tap_result(ok, "%s: accepted, %s%s%s", a->name,
		   a->lint == NO_LINT ? "no warning" : pica_lint_name(a->lint),
		   ok ? "" : ": ", ok ? "" : msg);
	free(p);
}

static void test_report(void)
{
	static const char text[] =
		".gsh\nmov r0, v3\nmova a0.x, r0\nadd o2.xy, c7[a0.x], r1\nmad r9, v3, c40, r2\n"
		"ifu b15, e, 0\nnop\nnop\ne: callc cmp.x, q, 1\nfor i2, l\nnop\nl: nop\n"
		"setemit 0\nemit\nend\nq: nop";
	struct test_prog *p = malloc(sizeof(*p));
	struct vs_reject rej;
	struct vs_report rep;
	char msg[256];
	int ret;

	if (!test_assemble(text, p, msg, sizeof(msg))) {
		tap_result(false, "report: %s", msg);
		return;
	}
	ret = run_check(p, &rep, &rej);
	tap_result(!ret, "program for the report is accepted");
	tap_result(rep.inputs == 1 << 3 && rep.outputs == 1 << 2 &&
		   rep.temps == (1 << 0 | 1 << 1 | 1 << 2 | 1 << 9), "registers");
	tap_result(rep.uniform_rows == 96, "float uniforms");
	tap_result(rep.const_bools == 1 << 15 && rep.const_ints == 1 << 2,
		   "boolean and integer uniforms");
	tap_result(rep.features == (VS_FEAT_FLOW | VS_FEAT_LOOP | VS_FEAT_RELATIVE | VS_FEAT_EMIT |
				    VS_FEAT_DIVERGES), "features: %llx",
		   (unsigned long long)rep.features);
	tap_result(rep.code_words == p->ncode && rep.reachable_words == p->ncode, "words");
	free(p);
}

static bool lowers(const struct test_prog *p, struct vs_report *rep)
{
	struct vs_prog *prog = NULL;
	struct vs_src src;
	int ret;

	test_src(p, &src);
	ret = pica_lower(&src, rep, &prog);
	if (!ret)
		vs_prog_free(prog);
	return !ret || ret == -E2BIG;
}

static u32 corpus_bad;

static void corpus_one(const char *id, const struct test_prog *p)
{
	struct vs_reject rej;
	struct vs_report rep;

	if (run_check(p, &rep, &rej) || !lowers(p, &rep)) {
		tap_comment("%s: refused, %s", id, pica_reason_text(rej.reason));
		corpus_bad++;
	}
}

/* Flow everywhere, short distances, defined codes mostly. */
static void random_program(struct test_prog *p, u32 limit)
{
	static const u8 flow[] = { 0x20, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2c,
				   0x2d };
	u32 i;

	memset(p, 0, sizeof(*p));
	p->ncode = 1 + test_rand() % limit;
	p->nopdesc = PICA_MAX_OPDESC;
	p->stage = test_rand() % 2 ? VS_STAGE_GEOMETRY : VS_STAGE_VERTEX;
	p->entry = test_rand() % p->ncode;
	for (i = 0; i < p->nopdesc; i++)
		p->opdesc[i] = test_rand();
	for (i = 0; i < p->ncode; i++) {
		u32 target = test_rand() % p->ncode;
		u32 num = test_rand() % 4;

		if (test_rand() % 3 == 0) {
			p->code[i] = (u32)flow[test_rand() % ARRAY_SIZE(flow)] << 26 |
				     (test_rand() & 0x3c00000) | target << 10 | num;
		} else {
			p->code[i] = test_rand();
			if (test_rand() % 8 && pica_op_of_code(p->code[i] >> 26) == PICA_OP_INVALID)
				p->code[i] = 0x84000000;
		}
	}
}

/* The number of warnings, the same each time. */
static u32 lints(const struct test_prog *p)
{
	struct vs_lints a = { }, b = { };
	struct vs_src src;

	test_src(p, &src);
	return pica_lint(&src, &a) || pica_lint(&src, &b) || a.n != b.n ? ~0U : a.n;
}

/* Whatever is accepted lowers, and unreachable words do not matter. */
static void test_random(void)
{
	struct test_prog *p = malloc(sizeof(*p)), *q = malloc(sizeof(*q));
	u32 i, k, accepted = 0, bad_lower = 0, bad_garbage = 0, bad_lint = 0;

	for (i = 0; i < 20000; i++) {
		struct vs_reject rej;
		struct vs_report rep, rep2;
		struct pica_program view;
		struct pica_walk *w;

		random_program(p, i % 100 ? 40 : 600);
		if (run_check(p, &rep, &rej))
			continue;
		accepted++;
		*q = *p;
		test_view(p, &view);
		w = pica_walk_new(&view);
		pica_walk_run(w);
		for (k = 0; k < q->ncode; k++)
			if (!pica_reached(w, k))
				q->code[k] = test_rand();
		pica_walk_free(w);
		if (run_check(q, &rep2, &rej) || rep2.reachable_words != rep.reachable_words)
			bad_garbage++;
		bad_lower += !lowers(p, &rep);
		bad_lint += lints(p) == ~0U;
	}
	tap_result(accepted > 500, "%u of 20000 random programs are accepted", accepted);
	tap_result(!bad_lower, "all of them lower (%u do not)", bad_lower);
	tap_result(!bad_lint, "warnings are always the same (%u are not)", bad_lint);
	tap_result(!bad_garbage, "what cannot run does not matter (%u)", bad_garbage);
	free(p);
	free(q);
}

/* Shapes that could make the verifier slow. */
static void test_slow(void)
{
	static const char * const names[] = { "IFs to one word", "calls to one procedure",
					      "loops and breaks", "recursive calls" };
	struct test_prog *p = malloc(sizeof(*p));
	u32 shape, i;

	for (shape = 0; shape < ARRAY_SIZE(names); shape++) {
		struct vs_reject rej;
		struct vs_report rep;
		int ret;

		memset(p, 0, sizeof(*p));
		p->ncode = PICA_MAX_CODE;
		for (i = 0; i < PICA_MAX_CODE - 1; i++) {
			u32 even = i & 1, last = PICA_MAX_CODE - 2;

			switch (shape) {
			case 0:
				p->code[i] = 0x27u << 26 | last << 10 | 1;
				break;
			case 1:
				p->code[i] = 0x26u << 26 | (last - 3) << 10 | 4;
				break;
			case 2:
				p->code[i] = even ? 0x23u << 26 : 0x29u << 26 | last << 10;
				break;
			default:
				p->code[i] = 0x26u << 26 | (i * 37 % last) << 10 | (i % 5);
				break;
			}
		}
		p->code[PICA_MAX_CODE - 1] = 0x88000000;
		ret = run_check(p, &rep, &rej);
		tap_result(!ret && rep.reachable_words == PICA_MAX_CODE && lowers(p, &rep) &&
			   lints(p) != ~0U,
			   "4096 words of %s", names[shape]);
	}
	free(p);
}

static void test_log(void)
{
	struct test_prog *p = malloc(sizeof(*p));
	char buf[128];
	struct vs_log log = { .buf = buf, .size = sizeof(buf) };
	struct vs_reject rej;
	struct vs_report rep;
	struct vs_src src;

	test_assemble("nop\njmpc cmp.x, 0x100\nend", p, NULL, 0);
	test_src(p, &src);
	tap_result(pica_verify(&src, &rep, &rej, &log) == -ENOEXEC &&
		   !strncmp(buf, "word 0x001, bits 10..21: error: target outside the code", 55),
		   "log of a rejected program");
	memset(&log, 0, sizeof(log));
	log.buf = buf;
	log.size = sizeof(buf);
	test_assemble("mova a0.x, v0\nmova a0.x, v0\nend", p, NULL, 0);
	test_src(p, &src);
	tap_result(!pica_verify(&src, &rep, &rej, &log) && !log.len &&
		   vs_lint(&pica_isa, &src, &log) == 1 &&
		   strstr(buf, "warning") && strlen(buf) < sizeof(buf), "log of a warning");
	tap_result(!pica_verify(&src, &rep, &rej, NULL), "no log");
	tap_result(vs_lint(&pica_isa, &src, NULL) == 1, "warnings without a log");
	free(p);
}

/* Arguments of the rules about outputs name the register and its components. */
static void test_shown(void)
{
	char text[16];

	tap_result(pica_lint_show(PICA_LINT_OUT_UNWRITTEN, 1 | 0xc << 4, text, sizeof(text)) &&
		   !strcmp(text, "o1.zw"), "%s", text);
	tap_result(pica_lint_show(PICA_LINT_OUT_TWICE, 15 | 0xf << 4, text, sizeof(text)) &&
		   !strcmp(text, "o15.xyzw"), "%s", text);
	tap_result(!pica_lint_show(PICA_LINT_OUT_HIGH, 7, text, sizeof(text)), "a number");
}

int main(int argc, char **argv)
{
	size_t i;
	u32 n;

	for (i = 0; i < ARRAY_SIZE(rejects); i++)
		test_reject(&rejects[i]);
	test_undefined();
	test_sizes();
	for (i = 0; i < ARRAY_SIZE(accepts); i++)
		test_accept(&accepts[i]);
	test_report();
	test_log();
	test_random();
	test_slow();
	test_shown();
	n = test_corpus(argc, argv, corpus_one);
	if (n)
		tap_result(!corpus_bad, "%u corpus programs are accepted and lower", n);
	else
		tap_skip("no corpus", "corpus programs");
	return tap_done();
}
