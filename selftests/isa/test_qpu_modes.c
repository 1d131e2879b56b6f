// SPDX-License-Identifier: GPL-2.0
/*
 * QPU assembler: each pack and unpack suffix at each kind of operand. The expected fields
 * follow from the suffix and from what the hardware can do: file A unpacks to what the
 * operation takes and packs integers, r4 unpacks to floats, the multiplier packs floats.
 */
#include "qpu_test.h"

static const char * const suffixes[] = {
	"16a", "16ai", "16af", "16as", "16asi", "16b", "16bi", "16bf", "16bs", "16bsi",
	"8888", "8888i", "8888s", "8888si", "8888sf", "8a", "8ai", "8af", "8as", "8asi", "8asf",
	"8b", "8bi", "8bf", "8bs", "8bsi", "8bsf", "8c", "8ci", "8cf", "8cs", "8csi", "8csf",
	"8d", "8di", "8df", "8ds", "8dsi", "8dsf", "8dr", "32s", "32si",
};

/**
 * struct suffix - a suffix, taken apart
 * @name: as written
 * @part: 1 and 2 halves, 3 all bytes, 4 to 7 a byte, 8 the whole word
 * @sat: saturates
 * @kind: 'i', 'f' or 0
 * @spread: 8dr
 */
struct suffix {
	const char *name;
	u32 part;
	bool sat;
	char kind;
	bool spread;
};

static void take_apart(const char *name, struct suffix *s)
{
	size_t n = strlen(name);

	memset(s, 0, sizeof(*s));
	s->name = name;
	s->spread = !strcmp(name, "8dr");
	if (name[0] == '3')
		s->part = 8;
	else if (name[0] == '1')
		s->part = 1 + (u32)(name[2] - 'a');
	else
		s->part = name[1] == '8' ? 3 : 4 + (u32)(name[1] - 'a');
	if (name[n - 1] == 'i' || name[n - 1] == 'f')
		s->kind = name[--n];
	s->sat = name[n - 1] == 's';
}

/* Operation with two operands. */
static const struct op {
	const char *name;
	bool mul;
	bool is_float;
} ops[] = {
	{ "add", false, false }, { "fadd", false, true }, { "mul24", true, false },
	{ "fmul", true, true },
};

/* Fields that a source has to give; @ok: it is valid. */
struct want {
	bool ok;
	u8 unpack;
	u8 pm;
	u8 pack;
	u8 ws;
};

static u32 checked, failed;

static void check(const char *source, const struct want *w)
{
	struct vs_as_program res, again;
	char msg[200], text[QPU_MAX_TEXT];
	struct qpu_insn x = { 0 };
	bool ok = qpu_test_assemble(source, &res, msg, sizeof(msg)), good;
	u64 word = 0;

	if (ok) {
		word = res.words[0] | (u64)res.words[1] << 32;
		qpu_decode(word, &x);
	}
	good = ok == w->ok && (!ok || (x.unpack == w->unpack && x.pm == w->pm &&
				       x.pack == w->pack && (!w->pack || w->pm || x.ws == w->ws)));
	if (ok && good) {
		good = qpu_disasm_word(word, text, sizeof(text)) > 0 &&
		       qpu_test_assemble(text, &again, msg, sizeof(msg));
		good = good && again.words[0] == res.words[0] && again.words[1] == res.words[1];
		vs_as_program_free(&again);
	}
	checked++;
	if (!good && failed++ < 10)
		tap_comment("%s: %s unpack %u pm %u pack %u ws %u, not %s unpack %u pm %u pack %u",
			    source, ok ? "valid" : msg, x.unpack, x.pm, x.pack, x.ws,
			    w->ok ? "valid" : "an error", w->unpack, w->pm, w->pack);
	vs_as_program_free(&res);
}

static void report(const char *what)
{
	tap_result(!failed && checked, "%s: %u sources", what, checked);
	checked = 0;
	failed = 0;
}

static u8 unpack_mode(const struct suffix *s)
{
	if (s->spread)
		return 3;
	return s->part == 3 || s->part == 8 ? 0 : (u8)s->part;
}

static bool fits(const struct suffix *s, bool r4, bool is_float)
{
	return !s->kind || s->spread || (s->kind == 'f') == (r4 || is_float);
}

/* A suffix of the operation: it is meant for the one operand that can have it. */
static void unpack_op(const struct suffix *s, const struct op *op, const char *a, const char *b)
{
	bool file_a = !strcmp(a, "ra1") || !strcmp(b, "ra1");
	bool r4 = !strcmp(a, "r4") || !strcmp(b, "r4");
	bool to_a = file_a && fits(s, false, op->is_float), to_4 = r4 && fits(s, true, false);
	struct want w = { .unpack = unpack_mode(s), .pm = to_4 };
	char source[80];

	w.ok = w.unpack && !s->sat && !(to_a && to_4) && (to_a || to_4 || !file_a);
	snprintf(source, sizeof(source), "%s.unpack%s r0, %s, %s", op->name, s->name, a, b);
	check(source, &w);
}

/* A suffix of an operand: nothing saturates on the way in. */
static void unpack_source(const struct suffix *s, const struct op *op, const char *reg)
{
	bool r4 = !strcmp(reg, "r4"), can = r4 || !strcmp(reg, "ra1");
	struct want w = { .unpack = unpack_mode(s), .pm = r4 };
	char source[80];

	w.ok = w.unpack && can && !s->sat && fits(s, r4, op->is_float);
	snprintf(source, sizeof(source), "%s r0, r1, %s.%s", op->name, reg, s->name);
	check(source, &w);
	snprintf(source, sizeof(source), "%s r0, %s.%s, r1", op->name, reg, s->name);
	check(source, &w);
}

static void pack_dest(const struct suffix *s, const struct op *op, const char *reg)
{
	bool file_a = !strcmp(reg, "ra1"), half = s->part < 3 || s->part == 8;
	bool in_a = file_a && !s->spread && (half || s->kind != 'f');
	bool in_mul = op->mul && !half && !s->spread && s->kind != 'i';
	struct want w = { .ws = op->mul };
	char source[80];

	if (s->part < 3 && s->kind)
		in_a = in_a && (s->kind == 'f') == op->is_float;
	w.ok = in_a || in_mul;
	w.pm = !in_a;
	if (in_a)
		w.pack = (u8)(s->part == 8 ? 8 : s->part + 8 * s->sat);
	else if (in_mul)
		w.pack = (u8)(s->part == 3 ? 3 + 8 * s->sat : s->part + 8 * !s->sat);
	snprintf(source, sizeof(source), "%s %s.%s, r1, r2", op->name, reg, s->name);
	check(source, &w);
	snprintf(source, sizeof(source), "%s.pack%s %s, r1, r2", op->name, s->name, reg);
	check(source, &w);
}

static void test_suffixes(void)
{
	static const char * const pairs[][2] = {
		{ "r4", "ra1" }, { "ra1", "r4" }, { "r4", "r4" }, { "ra1", "ra1" }, { "r0", "ra1" },
		{ "r0", "r4" }, { "r0", "r1" }, { "rb1", "ra1" },
	};
	static const char * const regs[] = { "ra1", "r4", "r0", "rb1" };
	static const char * const dests[] = { "ra1", "rb1", "r0", "vpm" };
	struct suffix s;
	u32 i, j, k;

	for (i = 0; i < ARRAY_SIZE(suffixes); i++)
		for (j = 0; j < ARRAY_SIZE(ops); j++)
			for (k = 0; k < ARRAY_SIZE(pairs); k++) {
				take_apart(suffixes[i], &s);
				unpack_op(&s, &ops[j], pairs[k][0], pairs[k][1]);
			}
	report("unpack suffixes of operations");
	for (i = 0; i < ARRAY_SIZE(suffixes); i++)
		for (j = 0; j < ARRAY_SIZE(ops); j++)
			for (k = 0; k < ARRAY_SIZE(regs); k++) {
				take_apart(suffixes[i], &s);
				unpack_source(&s, &ops[j], regs[k]);
			}
	report("unpack suffixes of operands");
	for (i = 0; i < ARRAY_SIZE(suffixes); i++)
		for (j = 0; j < ARRAY_SIZE(ops); j++)
			for (k = 0; k < ARRAY_SIZE(dests); k++) {
				take_apart(suffixes[i], &s);
				pack_dest(&s, &ops[j], dests[k]);
			}
	report("pack suffixes");
}

/* Words that vc4asm makes of the same sources. */
static const struct {
	const char *source;
	u64 word;
} words[] = {
	{ "add.unpack8af r0, r4, ra1", 0x190208270c067980 },
	{ "add r0, r4, ra1.unpack8b", 0x1a0208270c067980 },
	{ "add r0, r4.8a, ra1", 0x190208270c067980 },
	{ "add r0, ra0.8dr, ra0", 0x160208270c027d80 },
	{ "mov.unpack16bi r0, r4", 0x14020827159e7900 },
	{ "fmul rb1.8888, r1, r2", 0x113049c1209e700a },
	{ "mov rb1.8as, r1", 0x114049c1809e7009 },
	{ "fmul vpm.8a, r1, r2", 0x11c049f0209e700a },
	{ "fmul.pack8af ra1, r1, r2", 0x11c059c1209e700a },
	{ "mov ra10.8bsi, 0", 0xe0d202a700000000 },
	{ "mov ra0, 0xf3f3f3f3; mov rb0, 12", 0xd0325000979d3fff },
	{ "mov rb0, 12; mov ra0.8abcdi, -13", 0xd0324000979ccfff },
	{ "mov ra2.16b, 0; fmul.ifn rb0, r2 >> 2, (ra2 >> 2).16b", 0xd4230080360b2fd6 },
	{ "v8adds.ifn r3, r3 >> 8, ra0.8b; mov rb0, -1", 0xda031023de038fde },
	{ "v8adds r0, r1, r2", 0x100049e0c09e700a },
	{ "v8adds r0, r1, r2; fmul r3, r1, r2", 0x100258233e9e728a },
	{ "mov r0, 0; ldtmu0", 0xa0024827169e7fc0 },
	{ "mov r0, 5; read unif", 0xd002482715805fc0 },
	{ "fmul r0, r0 << 7, ra0 << 3", 0xd00049e020039006 },
};

static void test_words(void)
{
	struct vs_as_program res;
	char msg[200];
	u32 i;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		bool ok = qpu_test_assemble(words[i].source, &res, msg, sizeof(msg));
		u64 word = ok ? res.words[0] | (u64)res.words[1] << 32 : 0;

		tap_result(ok && word == words[i].word, "%s is %016llx", words[i].source,
			   (unsigned long long)(ok ? word : 0));
		vs_as_program_free(&res);
	}
}

/* Implicit effects are warnings, and only those. */
static void test_warnings(void)
{
	static const struct {
		const char *source;
		const char *text;
	} cases[] = {
		{ "add r0, ra0.8dr, ra0", "also applies to the other operand" },
		{ "mov.unpack16bi r0, r4", "applies to no operand" },
		{ "mov r0, ra0.16a; fmul r1, ra0.16a, ra0.16a", "to integers, the other one" },
		{ "fmul ra1.8as, r0, r1", "as an integer" },
		{ ".if 1\nnop", ".endif is missing" },
		{ "mov r0, ra0.8a; mov r1, ra0.8a", NULL }, { "fmul ra1.8asf, r0, r1", NULL },
	};
	static struct vs_as_diag diag;
	struct vs_as_program res;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		int ret = vs_as_qpu(cases[i].source, strlen(cases[i].source), NULL, &res, &diag);
		bool ok = !ret && diag.nwarnings == !!cases[i].text;

		if (ok && cases[i].text)
			ok = strstr(diag.messages[0].text, cases[i].text);
		tap_result(ok, "warning %u: %s", i, cases[i].text ?: "none");
		vs_as_program_free(&res);
	}
}

int main(void)
{
	test_suffixes();
	test_words();
	test_warnings();
	return tap_done();
}
