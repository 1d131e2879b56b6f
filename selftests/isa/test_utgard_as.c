// SPDX-License-Identifier: GPL-2.0
/*
 * Utgard assemblers: hand-written sources assemble to the expected words, and errors are
 * reported with their location.
 */
#include "utgard_test.h"

/* ---- texts and their words ---- */

static const struct {
	bool pixel;
	const char *text;
	u32 words[24];
	u32 n;
} programs[] = {
	/* Programs of the corpus, written otherwise than the listings are. */
	{ false, ": mov.a0 a1.y\nmov.m1 a1.x\n",
	  { 0xb04b02b5, 0x47800ab5, 0x0007ff80, 0x000ad500 }, 4 },
	{ false, "000: clamp.p ^4/v0.x a0.x t[0].x t[0].y // comment\n",
	  { 0xad4ad6b5, 0x038002b5, 0x0007fe00, 0x00005700 }, 0 },
	{ false, ":\nmov.a0 ^/$0.x a0.x\n", { 0 }, 0 },
	{ false, ": nop\n", { 0xad4ad6b5, 0x038002b5, 0x0007ff80, 0x000ad500 }, 4 },
	{ false, "start:\n: nop\n: mov.p t[5].z\n branch start\n",
	  { 0xad4ad6b5, 0x038002b5, 0x0007ff80, 0x000ad500,
	    0xad4ad6b5, 0x038142b5, 0x0007ffe0, 0x00d75500 }, 8 },
	{ true, "load.v $0 3, exp2.s2 $0.x $0.x\nmov.v1 $1 $0, stop\n",
	  { 0x02184083, 0xf00c3c60, 0x00000040, 0x00001023, 0x10000e40, 0x000007cf }, 6 },
	{ true, "@ 0: load.v ^discard.xy 3.xy, texld 0, mov.v1 $0 ^texture, sync, stop",
	  { 0x000011e6, 0x3f183c20, 0x00000000, 0x39001000, 0x00000e4e, 0x000007cf }, 6 },
	{ true, "load.v $0 gl_FragCoord, stop\n", { 0x000000a3, 0xf0003c6b, 0 }, 3 },
	{ true, "again: branch out\nbranch again\nout: discard, stop\n",
	  { 0x02210004, 0x00070000, 0x00001000, 0x00000040,
	    0x02210004, 0x00070000, 0xfffff800, 0x0000004f,
	    0x00010024, 0x007f0003, 0x00000000, 0x00000000 }, 12 },
	{ true, "nop\n.word 0xffffffff\nstop\n", { 0x00000001, 0xffffffff, 0x00000021 }, 3 },
	{ true, "mov.v1 $0 ^const0, const0 0.25 0.5 .75 1, stop\n",
	  { 0x00021025, 0x00000e4c, 0x034007cf, 0x03a00380, 0x000003c0 }, 5 },
	{ true, "mov.v1 $0 ^const0, const0 0x3400 1e-1 -inf 65504, stop\n",
	  { 0x00021025, 0x00000e4c, 0x034007cf, 0xc0002e66, 0x000007bf | 0x7bff0000 }, 0 },
};

static bool try_program(u32 i)
{
	char msg[300];
	u32 *words, n, k;
	bool ok;

	if (!ut_test_assemble(programs[i].pixel, programs[i].text, &words, &n, msg,
			      sizeof(msg))) {
		tap_comment("\"%s\": %s", programs[i].text, msg);
		return false;
	}
	ok = !programs[i].n || n == programs[i].n;
	for (k = 0; ok && k < programs[i].n; k++) {
		if (words[k] == programs[i].words[k])
			continue;
		tap_comment("\"%s\": word %u is %08x, not %08x", programs[i].text, k, words[k],
			    programs[i].words[k]);
		ok = false;
	}
	ok = ok && ut_test_round_trip(programs[i].pixel, words, n, msg, sizeof(msg));
	free(words);
	return ok;
}

static void test_programs(void)
{
	u32 i, bad = 0;

	for (i = 0; i < ARRAY_SIZE(programs); i++)
		bad += !try_program(i);
	tap_result(!bad, "%zu texts become words", ARRAY_SIZE(programs));
}

/* Two ways to write an instruction. */
static const struct {
	bool pixel;
	const char *a;
	const char *b;
} pairs[] = {
	{ false, ": mov.c a0.x\n: add.a0 ^5 a0.x\n", ": mov.c a0.x\n: add.a0 prev.c a0.x\n" },
	{ false, ": mov.m1 a0.x\n: nop\n: mul.m0 ^3 -prev2.m1\n",
	  "000: mov.m1 ^3 a0.x\n001: nop\n002: mul.m0 ^14 ^3 -^3\n" },
	{ false, ": mov.a0 v1.xy a0.x\n", ": mov.a0 a0.x\n .store_x 0\n .store_y 0\n"
	  " .store0_addr 1\n .store0_varying 1\n" },
	{ false, ": add.a0 $1.x $2.y\n", ": add.a0 $1.x $2:0.y\n" },
	{ false, ": mov.a0 ^0/$3.xyzw a0.x\n", ": mov.a0 ^0/$3.xy/$3.zw a0.x\n" },
	{ false, ": mov.c addr1 a0.x\n", ": mov.c ^5/addr1 a0.x\n" },
	{ false, ": mov.p t[addr0].x a0.x\n", ": mov.p ^4/t[addr0].x a0.x\n unknown_1 12\n" },
	{ false, ": mov.m0 a0.x\n", ": mul.m0 a0.x 1\n" },
	{ false, ": mov.a1 a0.x\n", ": add.a1 a0.x -0\n" },
	{ false, "@x: nop\n", NULL },
	{ true, "mul.s0 $0.x $1.x>>1 $1.y, stop", "mul.s0 $0.x $1.x $1.y, .scalar_mul.op 7, stop" },
	{ true, "mul.v0 $0 $1<<7 $1, stop", "mul.v0 $0 $1>>1 $1, stop" },
	{ true, "store.t 2.xy $1, stop", "store.t 2.xy $1.x, stop" },
	{ true, "add.v1 $0.xy $1.xy $2, stop", "add.v1 $0.xy $1.xyyy $2, stop" },
	{ true, "mov.v1 $15 $0, stop", "mov.v1 ^discard $0, stop" },
	{ true, "stop, mov.v1 $0 $1", "mov.v1 $0 $1,stop" },
	{ true, "const0 1 2, mov.v1 $0 ^const0", "mov.v1 $0 ^const0, const0 1.0 2.0 0 0" },
};

static bool same_words(bool pixel, const char *a, const char *b)
{
	u32 *x = NULL, *y = NULL, n, m;
	char msg[300] = "";
	bool ok = ut_test_assemble(pixel, a, &x, &n, msg, sizeof(msg));

	if (!b) {
		free(x);
		return !ok;
	}
	ok = ok && ut_test_assemble(pixel, b, &y, &m, msg, sizeof(msg)) && n == m &&
	     !memcmp(x, y, n * sizeof(*x));
	if (!ok)
		tap_comment("\"%s\" and \"%s\" differ %s", a, b, msg);
	free(x);
	free(y);
	return ok;
}

static void test_pairs(void)
{
	u32 i, bad = 0;

	for (i = 0; i < ARRAY_SIZE(pairs); i++)
		bad += !same_words(pairs[i].pixel, pairs[i].a, pairs[i].b);
	tap_result(!bad, "%zu ways to write the same", ARRAY_SIZE(pairs));
}

/* ---- errors ---- */

static const struct {
	bool pixel;
	u32 line;
	const char *text;
	const char *message;
} errors[] = {
	{ false, 0, "", "there is no instruction" },
	{ false, 1, "nop", "an instruction begins" },
	{ false, 2, ": nop\n2: nop", "this is instruction 1" },
	{ false, 1, ": mov.a0 a0.x\n", NULL },
	{ false, 2, ":\nfrob.a0 a0.x", "adders cannot frob" },
	{ false, 1, ": add.a0 a0.x", "add has 2 operands" },
	{ false, 1, ": add.a7 a0.x", "no such unit" },
	{ false, 1, ": add", "no such operation" },
	{ false, 2, ": mov.a0 a0.x\nmov.a0 a0.x", "the unit has an operation already" },
	{ false, 2, ": max.a0 a0.x a0.x\nmin.a1 a0.x a0.y", "both adders do the same" },
	{ false, 2, ": mul.m0 a0.x a0.x\nsel.m01 a0.x a0.x a0.x", "the unit has an operation" },
	{ false, 2, ": mov.m1 a0.x\nmov.m0 ^2/v0.q a0.x", "components are missing" },
	{ false, 1, ": add.a0 a0.x a1.x", "port 0 reads a0 already" },
	{ false, 2, ": add.a0 $1.x $2.x\nadd.a1 $3.x $3.x", "port 0 reads $2 already" },
	{ false, 1, ": add.a0 t[1].x t[2].x", "an instruction loads one row" },
	{ false, 1, ": add.a0 t[512].x a0.x", "not a row" },
	{ false, 1, ": add.a0 t[1+addr4].x a0.x", "no address register" },
	{ false, 1, ": mov.a0 $16.x", "not a register" },
	{ false, 1, ": mov.a0 a0", "not an operand" },
	{ false, 1, ": mov.a0 ^1 a0.x", "this result is ^0, not ^1" },
	{ false, 1, ": mov.a0 ^0", "is no result of the last two instructions" },
	{ false, 3, ": nop\n: nop\n: mov.a0 ^5", "is no result of the last two instructions" },
	{ false, 2, ": mov.a0 ^0/v1.x a0.x\nmov.a1 ^1/v2.y a0.x", "are stored elsewhere" },
	{ false, 2, ": mov.a0 ^0/v1.x a0.x\nmov.a1 ^1/v1.x a0.x", "stored twice" },
	{ false, 1, ": mov.a0 v16.x a0.x", "no such destination" },
	{ false, 1, ": mov.m0 -a0.x", "operands cannot be negated" },
	{ false, 1, ": branch 512", "no such target" },
	{ false, 1, ": branch nowhere", "no such label: nowhere" },
	{ false, 2, "a:\na: : nop", "label a exists already" },
	{ false, 1, ": rcp.c addr1 a0.x", "only moves go to address registers" },
	{ false, 1, ": clamp.p a0.x t[0].y t[0].x", "limits are components x and y" },
	{ false, 1, ": .acc_op 8", "acc_op is a number of 3 bits" },
	{ false, 1, ": .frob 8", "no such field" },
	{ true, 0, "// nothing", "there is no instruction" },
	{ true, 1, "frob", "no such operation" },
	{ true, 1, "frob.v0 $0 $1", "this unit cannot frob" },
	{ true, 1, "sum4.s1 $0.x $1.x", "this unit cannot sum4" },
	{ true, 1, "add.v1 $0", "add has 2 operands" },
	{ true, 1, "add.v9 $0 $1", "no such unit" },
	{ true, 1, "add.frob.v1 $0 $1", "no such modifier" },
	{ true, 1, "mov.v1 $0 $1, mov.v1 $0 $1", "has a field vec_add already" },
	{ true, 1, "mov.v1 $16 $1", "not a destination" },
	{ true, 1, "mov.v1 $0 $16", "not an operand" },
	{ true, 1, "mov.v1 $0.yx $1", "not components" },
	{ true, 1, "mov.s1 $0.x $1", "not a scalar" },
	{ true, 1, "load.v $0 99", "index 99 is out of range" },
	{ true, 1, "load.u 40000", "index 40000 is out of range" },
	{ true, 1, "load.v $0 0+$1", "not a scalar" },
	{ true, 1, "load.perspective.z.v $0 cube(0)", "are not divided" },
	{ true, 1, "texld.b 0", "texld has a unit, and a register" },
	{ true, 1, "texld.frob 0", "no such sampler" },
	{ true, 1, "texld 4096", "not a texture unit" },
	{ true, 1, "branch.zz $0.x $0.y 0", "no such condition" },
	{ true, 1, "branch.eq $0.x 0", "branch has a target" },
	{ true, 1, "branch nowhere", "no such label: nowhere" },
	{ true, 2, "stop\n@ 7: stop", "this is word 1" },
	{ true, 1, "const0 1 2 3 4 5", "a constant is one to four" },
	{ true, 1, "const0 65520", "too large for a half" },
	{ true, 1, "const0 frob", "not a number" },
	{ true, 1, "const0 1, .const0.q 1", "has no part q" },
	{ true, 1, "stop, .vec_mul.op 1", "has no field vec_mul" },
	{ true, 1, "stop, .frob.op 1", "no such field" },
	{ true, 1, "stop, .ctrl.count 3", "count and fields follow" },
	{ true, 1, "mul.s2 $0 $1.x -$2", "the vector has no signs" },
	{ true, 1, "mul.v0 $0 $1<<9 $1", "not a power of two" },
	{ true, 1, "stop,, stop", "no such operation" },
	{ true, 1, "9: stop", "not a label" },
	{ true, 1, ".word frob", "not a word" },
};

static bool try_error(u32 i)
{
	const char *text = errors[i].text;
	struct vs_as_diag diag;
	u32 *words, n;
	int ret;

	ret = (errors[i].pixel ? vs_as_utgard_pp : vs_as_utgard_gp)(text, strlen(text), &words,
								   &n, NULL, &diag);
	free(words);
	if (!errors[i].message)
		return !ret;
	if (ret == -EINVAL && diag.nmessages && diag.messages[0].line == errors[i].line &&
	    strstr(diag.messages[0].text, errors[i].message))
		return true;
	tap_comment("\"%s\": %d, line %u: %s", text, ret, diag.messages[0].line,
		    diag.nmessages ? diag.messages[0].text : "no message");
	return false;
}

static void test_errors(void)
{
	u32 i, bad = 0;

	for (i = 0; i < ARRAY_SIZE(errors); i++)
		bad += !try_error(i);
	tap_result(!bad, "%zu errors are told", ARRAY_SIZE(errors));
}

/* ---- limits, any text ---- */

static void test_limits(void)
{
	char *text = malloc(700 * 8), msg[300], *p = text;
	u32 *words = NULL, n, i;
	bool ok;

	for (i = 0; i < UGP_MAX_INSNS; i++)
		p += sprintf(p, ": nop\n");
	ok = ut_test_assemble(false, text, &words, &n, msg, sizeof(msg)) &&
	     n == UGP_MAX_INSNS * UGP_WORDS;
	free(words);
	strcpy(p, ": nop\n");
	ok = ok && !ut_test_assemble(false, text, &words, &n, msg, sizeof(msg)) &&
	     strstr(msg, "more than 512");
	tap_result(ok, "512 vertex instructions and no more");
	free(text);
}

/* Words of the languages in any order. */
static void test_noise(void)
{
	static const char * const parts[] = {
		":", "\n", " ", ",", "mov", ".a0", ".v1", ".s2", "$0", ".x", "^", "12", "t[", "]",
		"load.v", "texld", "branch", "@", "const0", "-", "abs(", ")", "+", "addr1", ".word",
		"stop", "/v0.x", "1", "prev", "unknown_1", ".acc_op", "cube(", "normalize(", "0x",
		"<<", "a0", "add", "mul.m0", "store.t", ".combine", ".ctrl.", "e9", "$15.w", "//",
	};
	char text[400], msg[300];
	u32 i, k, n, good = 0, bad = 0, *words;

	for (i = 0; i < 100000; i++) {
		text[0] = '\0';
		for (k = 0; k < 1 + i % 24; k++)
			strcat(text, parts[test_rand() % ARRAY_SIZE(parts)]);
		if (!ut_test_assemble(i & 1, text, &words, &n, msg, sizeof(msg)))
			continue;
		good++;
		if (!ut_test_round_trip(i & 1, words, n, msg, sizeof(msg)) && !bad++)
			tap_comment("\"%s\": %s", text, msg);
		free(words);
	}
	tap_result(!bad && good > 100, "100000 texts without sense, %u have one", good);
}

int main(void)
{
	test_programs();
	test_pairs();
	test_errors();
	test_limits();
	test_noise();
	return tap_done();
}
