// SPDX-License-Identifier: GPL-2.0
/*
 * PICA200 assembler: sources with picasso 2.7.1's output, messages with their locations,
 * and random text.
 */
#include "isa_test.h"

/* Expected words were produced by picasso 2.7.1 from the same text. */
struct good {
	const char *name;
	const char *text;
	u32 ncode;
	u32 code[16];
	u32 nopdesc;
	u32 opdesc[8];
};

static const struct good goods[] = {
#include "pica_as_good.h"
};

static void test_good(const struct good *g)
{
	struct test_prog *p = malloc(sizeof(*p));
	char msg[256] = "";
	bool ok;
	u32 i;

	ok = p && test_assemble(g->text, p, msg, sizeof(msg));
	if (ok && (p->ncode != g->ncode || p->nopdesc != g->nopdesc)) {
		snprintf(msg, sizeof(msg), "%u words, %u descriptors", p->ncode, p->nopdesc);
		ok = false;
	}
	for (i = 0; ok && i < p->ncode; i++) {
		ok = p->code[i] == g->code[i];
		if (!ok)
			snprintf(msg, sizeof(msg), "word %u is %08x, not %08x", i, p->code[i],
				 g->code[i]);
	}
	for (i = 0; ok && i < p->nopdesc; i++) {
		ok = p->opdesc[i] == g->opdesc[i];
		if (!ok)
			snprintf(msg, sizeof(msg), "descriptor %u is %08x, not %08x", i,
				 p->opdesc[i], g->opdesc[i]);
	}
	tap_result(ok, "%s %s", g->name, msg);
	free(p);
}

struct bad {
	const char *text;
	const char *message;	/* "line:column: start of the message" */
};

static const struct bad bads[] = {
	{ "frobnicate r0", "1:1: 'frobnicate' is not an instruction" },
	{ "\n  .frob", "2:4: '.frob' is not a directive" },
	{ "mov", "1:4: expected a register, found the end of the line" },
	{ "mov r0", "1:7: expected ',' and another operand, found the end" },
	{ "mov r0,", "1:8: expected a register, found the end of the line" },
	{ "mov r0, r1, r2", "1:11: expected the end of the line, found ','" },
	{ "mov r16, v0", "1:5: there is no r16, the last one is r15" },
	{ "mov r0, c96", "1:9: there is no c96, the last one is c95" },
	{ "mov o16, v0", "1:5: there is no o16" },
	{ "mov v0, r0", "1:5: v0 cannot be written" },
	{ "mov c0, r0", "1:5: c0 cannot be written" },
	{ "mov r0, o0", "1:9: o0 cannot be read" },
	{ "mov r0, i0", "1:9: i0 cannot be read" },
	{ "mov r0, what", "1:9: 'what' is neither a register nor an alias" },
	{ "mov r0.xq1, v0", "1:10: '1' is not a component" },
	{ "mov r0.k, v0", "1:8: 'k' is not a component" },
	{ "mov r0, v0.xyzwx", "1:12: 'xyzwx' has more than four components" },
	{ "mov r0, v0.", "1:12: expected components after '.', found the end" },
	{ "mov -r0, v0", "1:5: this operand cannot be negated" },
	{ "mov r0, r1[a0.x]", "1:12: only float uniforms can be addressed relatively" },
	{ "mov r0, c0[a0.z]", "1:15: a0 has the components x and y only" },
	{ "mov r0, c0[b0]", "1:12: 'b0' is not an index register" },
	{ "mov r0, c0[1", "1:13: expected ']' after the index, found the end" },
	{ "mov r0, c0[-1]", "1:12: offset -1 leads below c0" },
	{ "mov r0, c95[1]", "1:9: there is no c96" },
	{ "mov r0[aL], c0", "1:8: this operand cannot be addressed relatively" },
	{ "add r0, v0, c0", "1:13: a float uniform cannot stand here, only as operand 2" },
	{ "add r0, c0, c1", "1:13: a float uniform cannot stand here" },
	{ "mad r0, c0, v0, r0", "1:9: only operand 3 or 4 of mad can be a float uniform" },
	{ "mad r0, v0, c0, c1", "1:17: only operand 3 or 4 of mad can be a float uniform" },
	{ "cmp v0, eq, v1", "1:13: 'v1' is not a comparison" },
	{ "cmp v0, eq, foo, v1", "1:13: 'foo' is not a comparison" },
	{ "cmp v0, eq, ne, c0", "1:17: a float uniform cannot stand here, only as operand 1" },
	{ "mova r0, v0", "1:6: mova writes a0.x, a0.y or a0.xy" },
	{ "setemit 3", "1:9: a vertex slot 3 is out of range (0 to 2)" },
	{ "setemit 0, often", "1:12: setemit knows prim and inv" },
	{ "ifc cmp.z", "1:9: cmp has the components x and y only" },
	{ "ifc cmp.x && cmp.x", "1:5: a condition tests each flag once" },
	{ "ifc foo", "1:5: expected cmp.x or cmp.y, found 'foo'" },
	{ "ifu !b0", "1:5: only jmpu can test for false" },
	{ "ifu i0", "1:5: expected a boolean uniform, found i0" },
	{ "for b0", "1:5: expected an integer uniform, found b0" },
	{ "for i4", "1:5: there is no i4, the last one is i3" },
	{ "jmpc cmp.x, nowhere", "1:13: label 'nowhere' is not defined" },
	{ "call nowhere", "1:6: procedure 'nowhere' is not defined" },
	{ "call 1", "1:7: expected ',' and the number of words" },
	{ "call 1, 256", "1:9: a number of words 256 is out of range" },
	{ "jmpu b0, 4096", "1:10: a label or an address 4096 is out of range" },
	{ "a: nop\na: nop", "2:1: label 'a' exists already" },
	{ ".end", "1:2: .end without an open block" },
	{ ".else", "1:2: .else without ifc or ifu" },
	{ ".proc main\nend", "1:2: this block is never closed" },
	{ ".proc a\n.end\n.proc a\n.end", "3:7: procedure 'a' exists already" },
	{ ".proc a\nend\n.end", "0:0: procedure 'main' is not defined" },
	{ ".entry b\n.proc a\nend\n.end", "1:8: entry point 'b' is not defined" },
	{ "nop\n.entry 1", "2:8: entry point 0x001 is outside the code (1 words)" },
	{ ".entry e\nnop\ne:", "1:8: entry point 0x001 is outside the code" },
	{ ".alias r0 v0", "1:8: 'r0' is a register's own name" },
	{ ".alias a v0\n.alias a v1", "2:8: 'a' is already used" },
	{ ".fvec a[97]", "1:9: a number of registers 97 is out of range" },
	{ ".fvec a[90], b[7]", "1:14: no room for 7 c uniforms" },
	{ ".constf a(1, 2, 3)", "1:18: expected ',' between components, found ')'" },
	{ ".constf a(1, 2, x, 4)", "1:17: expected a number, found 'x'" },
	{ ".consti a(1, 2, 3, x)", "1:20: expected a byte, found 'x'" },
	{ ".constfa a[1]\n.constfa (1, 2, 3, 4)\n.constfa (1, 2, 3, 4)\n.end",
	  "3:2: array has only 1 elements" },
	{ ".constfa a[]\n.end", "2:2: array 'a' has no elements" },
	{ ".setb b0 maybe", "1:10: expected true or false" },
	{ ".out a colour", "1:8: 'colour' is not an output property" },
	{ ".out a position\n.out b color o0", "2:6: components of o0 are wired already" },
	{ ".out a position o7", "1:6: o7 can only be a dummy output" },
	{ ".gsh triangle c0", "1:6: 'triangle' is not a geometry mode" },
	{ ".gsh fixed c4 c4 3", "1:15: c4 is within the uniforms left" },
	{ ".fvec a\n.gsh point c0", "2:2: .gsh must come before" },
	{ ".nodvle\n.proc main\nend\n.end", "0:0: every source says .nodvle" },
	{ ".word 0x100000000", "1:7: a 32-bit word 0x100000000 is out of range" },
	{ ".word nop", "1:7: expected a 32-bit word, found 'nop'" },
	{ ".opdesc 1, 0", "1:9: descriptors are given in order, the next one is 0" },
	{ "mov r0, v0\n.opdesc 1, 0", "2:9: .opdesc must come before the first" },
	{ "mov r0.x, v0 @3", "1:15: descriptor 3 is not defined" },
	{ ".opdesc 0, 0xf\nmov r0, v0.y @0", "2:15: descriptor 0 (0x0000000f) does not match" },
	{ "mov r0, v0 @128", "1:13: a descriptor number 128 is out of range" },
	{ "mad r0, v0, v0, v0 @32", "1:21: a descriptor number 32 is out of range" },
	{ "", "0:0: no instructions" },
	{ "nop nop", "1:5: expected the end of the line, found 'nop'" },
	{ "@", "1:1: expected an instruction, a label or a directive, found '@'" },
};

static void test_bad(const struct bad *b)
{
	struct test_prog *p = malloc(sizeof(*p));
	char msg[256] = "";
	bool ok = p && !test_assemble(b->text, p, msg, sizeof(msg)) &&
		  !strncmp(msg, b->message, strlen(b->message));
	char line[64];
	size_t i;

	snprintf(line, sizeof(line), "%s", b->text);
	for (i = 0; line[i]; i++)
		if (line[i] == '\n')
			line[i] = '|';
	tap_result(ok, "\"%s\" is refused%s%s", line, ok ? "" : ", but: ", ok ? "" : msg);
	free(p);
}

/*
 * A source with one byte changed, cut or doubled assembles or reports errors.
 */
static void test_noise(void)
{
	static const char source[] =
		".gsh fixed c48 c0 4\n.fvec m[4], n ; comment\n.bool flag\n.ivec cnt\n"
		".constf k(1.0, -2.5e3, 0.5, inf)\n.consti c(1, 2, 3, -4)\n"
		".constfa t[2]\n.constfa (1,2,3,4)\n.end\n.alias y k.yyyy\n"
		".out p position\n.out - dummy o1.xy\n.in a\n.setb b3 true\n"
		".proc main\nlbl: mov r0.xyz, -m[aL+1].wzyx\nmova a0.xy, a\n"
		"cmp y, eq, ne, r0\nifc cmp.x && !cmp.y\ncall f\n.else\nnop\n.end\n"
		"for cnt\nbreakc !cmp.x\nmad r1, a, m[1], r0\n.end\njmpu !flag, lbl\n"
		"setemit 1, prim inv\nemit\nend\n.end\n.proc f\nlitp r2, k\n.end\n";
	struct test_prog *p = malloc(sizeof(*p));
	u32 i, k, accepted = 0;

	for (i = 0; i < 30000; i++) {
		char text[sizeof(source) + 8];
		size_t len = sizeof(source) - 1;

		memcpy(text, source, sizeof(source));
		for (k = 0; k <= i % 3; k++) {
			size_t at = test_rand() % len;

			if (i % 7 == 0)
				text[at] = (char)(1 + test_rand() % 255);
			else if (i % 7 == 1)
				memmove(text + at, text + at + 1, len - at);
			else
				text[at] = source[test_rand() % len];
		}
		accepted += test_assemble(text, p, NULL, 0);
	}
	tap_result(accepted > 100 && accepted < 30000, "30000 damaged sources: %u assemble",
		   accepted);
	free(p);
}

/* Names, zeros and lines of any length. */
static void test_long(void)
{
	struct test_prog *p = malloc(sizeof(*p));
	size_t len = 1 << 20;
	char *text = malloc(len + 1);
	char msg[256];
	size_t i;
	bool ok;

	memset(text, 'a', len);
	text[len] = '\0';
	ok = !test_assemble(text, p, msg, sizeof(msg)) && strlen(msg) < 200;
	tap_result(ok, "a name of a million letters");
	memset(text, ',', len);
	ok = !test_assemble(text, p, msg, sizeof(msg));
	tap_result(ok && strstr(msg, "too many words"), "a line of a million commas");
	for (i = 0; i + 4 <= len; i += 4)
		memcpy(text + i, "nop\n", 4);
	ok = !test_assemble(text, p, msg, sizeof(msg));
	tap_result(ok && strstr(msg, "code memory holds 4096"), "260000 instructions");
	free(text);
	free(p);
}

static void test_files(void)
{
	static const char vertex[] = ".fvec shared[2], mine\n.out p position\n.proc main\n"
				     "mov p, shared\ncall common\nend\n.end\n";
	static const char geometry[] = ".gsh point c10\n.fvec own\n.out p position\n.entry gmain\n"
				       ".proc gmain\nmov p, own\nemit\nend\n.end\n";
	static const char library[] = ".nodvle\n.fvec shared[2]\n.proc common\n"
				      "mov r0, shared[1]\n.end\n";
	static const struct vs_as_source src[] = {
		{ vertex, sizeof(vertex) - 1 },
		{ geometry, sizeof(geometry) - 1 },
		{ library, sizeof(library) - 1 },
	};
	struct vs_as_result res;
	struct vs_as_diag diag;
	int ret = vs_as_pica_files(src, 3, 0, &res, &diag);
	const struct vs_shbin_dvle *d;

	tap_result(!ret, "three sources link %s", ret ? diag.messages[0].text : "");
	if (ret)
		return;
	d = res.bin->dvles;
	tap_result(res.bin->ndvles == 2 && res.nentries == 2, "two of them are programs");
	tap_result(d[0].type == VS_SHBIN_VERTEX && d[1].type == VS_SHBIN_GEOMETRY &&
		   d[1].entry == d[0].end && res.entries[1] == d[1].entry, "their entry points");
	tap_result(vs_shbin_find_reg(&d[0], "shared")->last == 1 &&
		   vs_shbin_find_reg(&d[1], "own")->first == 10, "their uniforms");
	tap_result((res.bin->code[1] & 0x3fffff) == ((d[1].end << 10) | 1),
		   "call into the third: word %08x", res.bin->code[1]);
	vs_as_result_free(&res);
}

static void test_warnings(void)
{
	static const char text[] = ".proc main\nadd r0, v0, v1\nmov r0.yx, v0\nend\n.end\n";
	struct vs_as_result res;
	struct vs_as_diag diag;
	int ret = vs_as_pica(text, strlen(text), &res, &diag);

	tap_result(!ret && diag.nwarnings == 2 && diag.nerrors == 0 &&
		   diag.messages[0].line == 2 && diag.messages[1].line == 3,
		   "two input registers and a shuffled mask are warned about");
	vs_as_result_free(&res);
}

/* Swizzles that do not follow the mask; each case is the second line of a program. */
static void test_swizzles(void)
{
	static const struct {
		const char *line;
		const char *meant;
	} cases[] = {
		{ "mov r1.zw, v0.zw", "'.zzzw'" }, { "mov r1.yz, v0.xy", "'.xxyy'" },
		{ "add r1.yzw, r2, v0.xyz", "'.xxyz'" }, { "mul r1.xw, v0.xw, r2", NULL },
		{ "mov r1.xy, v0.xy", NULL }, { "mov r1.zw, v0.w", NULL },
		{ "mov r1.zw, v0", NULL }, { "mov r1.zw, v0.xyzw", NULL },
		{ "mov r1.zw, v0.ww", NULL }, { "mul r1.xyz, v0.xxx, r1.xyz", NULL },
		{ "dp3 r1.yzw, v0.xyz, r1", NULL },
	};
	struct vs_as_result res;
	struct vs_as_diag diag;
	char text[100];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *meant = cases[i].meant;

		snprintf(text, sizeof(text), ".proc main\n%s\nend\n.end\n", cases[i].line);
		tap_result(!vs_as_pica(text, strlen(text), &res, &diag) &&
			   diag.nwarnings == !!meant &&
			   (!meant || strstr(diag.messages[0].text, meant)),
			   "%s gives %s", cases[i].line, meant ?: "no warning");
		vs_as_result_free(&res);
	}
}

/* Numbers with an expression after them: picasso takes the number, and nothing else. */
static void test_expressions(void)
{
	static const char text[] =
		".fvec m[4*2], n\n.constf k(1.0/128.0, -2.0*(3), 5, 1.0 - 1.0)\n"
		".consti q(3*4, 2, 1+1, 0)\n.proc main\nmov r0, n\nmov r1, k\nend\n.end\n";
	struct vs_as_result res;
	struct vs_as_diag diag;
	const struct vs_shbin_dvle *d;
	int ret = vs_as_pica(text, strlen(text), &res, &diag);

	if (!tap_result(!ret && diag.nwarnings == 6 && diag.messages[0].line == 1 &&
			diag.messages[0].column == 9 &&
			strstr(diag.messages[0].text, "4 is used without what follows"),
			"six of them are warned about"))
		return;
	d = res.bin->dvles;
	tap_result(vs_shbin_find_reg(d, "m")->last == 3 && vs_shbin_find_reg(d, "n")->first == 4,
		   "size of an array");
	tap_result(d->nconsts == 2 && d->consts[0].value[0] == 0x3f0000 &&
		   d->consts[0].value[1] == 0xc00000 && d->consts[0].value[3] == 0x3f0000,
		   "floats %06x %06x %06x", d->consts[0].value[0], d->consts[0].value[1],
		   d->consts[0].value[3]);
	tap_result(d->consts[1].value[0] == 3 && d->consts[1].value[1] == 2 &&
		   d->consts[1].value[2] == 1, "integers");
	vs_as_result_free(&res);
}

/* Numbers that picasso reads with atoi(), and what it does not read. */
static void test_decimals(void)
{
	static const char text[] =
		".fvec m[010], n\n.consti q(300, 0x10, 1.5, -129)\n"
		".constf k(1, 2, 3, 4), 5\n.seti i1(1, 2, 3, 4) )\n"
		".proc main\nmov r0, m[0x2]\nmov r1, m[011]\nmov r2, n\nend\n.end\n";
	static const char *const meant[] = {
		"'010' is decimal here", "stored as 44", "'0x10' is 0", "'1.5' is 1",
		"stored as 127",
		"rest of the line is not read", "rest of the line is not read",
		"'0x2' is 0",
		"'011' is decimal here",
	};
	struct vs_as_result res;
	struct vs_as_diag diag;
	const struct vs_shbin_dvle *d;
	int ret = vs_as_pica(text, strlen(text), &res, &diag);
	u32 i;

	if (!tap_result(!ret && diag.nwarnings == ARRAY_SIZE(meant), "%u warnings",
			diag.nwarnings))
		return;
	for (i = 0; i < ARRAY_SIZE(meant); i++)
		tap_result(strstr(diag.messages[i].text, meant[i]), "%s", diag.messages[i].text);
	d = res.bin->dvles;
	tap_result(vs_shbin_find_reg(d, "m")->last == 9 && d->consts[0].value[0] == 44 &&
		   !d->consts[0].value[1] && d->consts[0].value[2] == 1 &&
		   d->consts[0].value[3] == 127, "their values");
	tap_result((res.bin->code[0] >> 12 & 0x7f) == 0x20 &&
		   (res.bin->code[1] >> 12 & 0x7f) == 0x20 + 11 &&
		   (res.bin->code[2] >> 12 & 0x7f) == 0x20 + 10, "offsets of registers");
	vs_as_result_free(&res);
}

int main(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(goods); i++)
		test_good(&goods[i]);
	for (i = 0; i < ARRAY_SIZE(bads); i++)
		test_bad(&bads[i]);
	test_files();
	test_warnings();
	test_swizzles();
	test_expressions();
	test_decimals();
	test_noise();
	test_long();
	return tap_done();
}
