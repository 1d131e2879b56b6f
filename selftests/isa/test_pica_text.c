// SPDX-License-Identifier: GPL-2.0
/*
 * PICA200 text: assembling a listing reproduces its words, for every operation, for words
 * with ignored bits set, for undefined words and for descriptor tables of any size.
 */
#include "isa_test.h"
#include "pica_disasm.h"

/* Interesting values of a field: the limits, single bits, and a random value. */
static u32 field_value(u32 width)
{
	u32 mask = (1u << width) - 1;

	switch (test_rand() % 4) {
	case 0:
		return 0;
	case 1:
		return mask;
	case 2:
		return 1u << (test_rand() % width);
	default:
		return test_rand() & mask;
	}
}

static u32 sample_word(u32 code, bool canonical)
{
	enum pica_op op = pica_op_of_code(code);
	struct pica_insn insn;
	unsigned int i, n;
	const struct pica_field *fd;
	u32 word = code << 26;

	if (op == PICA_OP_INVALID)
		return word | (test_rand() & 0x3ffffff);
	fd = pica_layout_fields((enum pica_layout)pica_ops[op].layout, &n);
	for (i = 1; i < n; i++)
		word |= field_value(fd[i].width) << fd[i].lo;
	/* Operations with several codes keep the requested one. */
	word = (word & 0x3ffffff) | code << 26;
	if (!canonical)
		return word ^ (1u << (test_rand() % 26));
	pica_decode(word, &insn);
	return pica_encode(&insn);
}

/* Few different descriptors, so that several mean the same. */
static void sample_descs(struct test_prog *p, u32 n)
{
	u32 i;

	p->nopdesc = n;
	for (i = 0; i < n; i++) {
		p->opdesc[i] = test_rand();
		if (i && test_rand() % 3 == 0)
			p->opdesc[i] = p->opdesc[test_rand() % i] ^
				       (test_rand() % 2 ? 1u << (test_rand() % 32) : 0);
	}
}

#define WORDS_PER_CODE	4096

static void test_code(u32 code, struct test_prog *p)
{
	static const u32 sizes[] = { 0, 1, 31, 32, 128 };
	enum pica_op op = pica_op_of_code(code);
	char msg[256] = "";
	bool ok = true;
	size_t s;
	u32 i;

	for (s = 0; ok && s < ARRAY_SIZE(sizes); s++) {
		memset(p, 0, sizeof(*p));
		p->ncode = WORDS_PER_CODE;
		p->entry = test_rand() % p->ncode;
		p->stage = s % 2 ? VS_STAGE_GEOMETRY : VS_STAGE_VERTEX;
		sample_descs(p, sizes[s]);
		for (i = 0; i < p->ncode; i++)
			p->code[i] = sample_word(code, i % 4);
		ok = test_round_trip(p, msg, sizeof(msg));
	}
	tap_result(ok, "code 0x%02x %s: %u words %s", code,
		   op == PICA_OP_INVALID ? "undefined" : pica_ops[op].name,
		   WORDS_PER_CODE * (u32)ARRAY_SIZE(sizes), msg);
}

static void test_mixed(struct test_prog *p)
{
	char msg[256] = "";
	bool ok = true;
	u32 round, i;

	for (round = 0; ok && round < 40; round++) {
		memset(p, 0, sizeof(*p));
		p->ncode = 1 + test_rand() % PICA_MAX_CODE;
		p->entry = test_rand() % p->ncode;
		p->stage = VS_STAGE_GEOMETRY;
		sample_descs(p, test_rand() % (PICA_MAX_OPDESC + 1));
		for (i = 0; i < p->ncode; i++)
			p->code[i] = round % 2 ? test_rand() :
				     sample_word(test_rand() % 64, true);
		ok = test_round_trip(p, msg, sizeof(msg));
	}
	tap_result(ok, "programs of all operations mixed %s", msg);
}

static u32 corpus_bad;

static void corpus_one(const char *id, const struct test_prog *p)
{
	char msg[256];

	if (!test_round_trip(p, msg, sizeof(msg))) {
		tap_comment("%s: %s", id, msg);
		corpus_bad++;
	}
}

/* No byte past the buffer, and the same length for any size. */
static void test_bounds(struct test_prog *p)
{
	struct pica_program view;
	char buf[PICA_MAX_TEXT + 2];
	bool ok = true;
	u32 i, size;

	memset(p, 0, sizeof(*p));
	p->ncode = 2000;
	sample_descs(p, 128);
	for (i = 0; i < p->ncode; i++)
		p->code[i] = sample_word(test_rand() % 64, true);
	test_view(p, &view);
	for (i = 0; ok && i < p->ncode; i++) {
		int len = pica_disasm_insn(&view, p->code[i], 0, NULL, 0);

		ok = len > 0 && len < PICA_MAX_TEXT;
		for (size = 1; ok && size <= (u32)len + 1; size++) {
			memset(buf, '#', sizeof(buf));
			ok = pica_disasm_insn(&view, p->code[i], 0, buf, size) == len &&
			     strlen(buf) == size - 1 && buf[size] == '#';
		}
	}
	tap_result(ok, "instruction text respects its buffer");

	i = (u32)pica_listing(&view, NULL, 0);
	for (size = 1; size < 500; size += 7) {
		char *text = malloc(size + 1);

		text[size] = '#';
		ok = ok && (u32)pica_listing(&view, text, size) == i && text[size] == '#' &&
		     strlen(text) == size - 1;
		free(text);
	}
	tap_result(ok, "listing respects its buffer");
}

static void expect_text(const struct test_prog *p, u32 word, const char *want)
{
	struct pica_program view;
	char got[PICA_MAX_TEXT];

	test_view(p, &view);
	pica_disasm_insn(&view, word, 0, got, sizeof(got));
	tap_result(!strcmp(got, want), "%08x is \"%s\"%s%s", word, want,
		   strcmp(got, want) ? ", not " : "", strcmp(got, want) ? got : "");
}

/* Words from picasso 2.7.1 with their sources. */
static void test_known_text(struct test_prog *p)
{
	memset(p, 0, sizeof(*p));
	p->opdesc[0] = 0x0000036e;
	p->opdesc[1] = 0x00000aa1;
	p->opdesc[2] = 0x0006c368;
	p->opdesc[3] = 0x0daa8aaf;
	p->opdesc[4] = 0x0006c37f;
	p->opdesc[5] = 0x00000008;
	p->nopdesc = 6;
	p->ncode = 0x40;
	expect_text(p, 0x4e000000, "mov r0.xyz, v0");
	expect_text(p, 0x4e05f001, "mov r0.w, c63.y");
	expect_text(p, 0x0a224802, "dp4 r1.x, c4, r0");
	expect_text(p, 0x4c032004, "mov o0, -c18");
	expect_text(p, 0xc0400443, "mad o0, v0.y, v0.z, c2[a0.x]");
	expect_text(p, 0x48000005, "mova a0.x, v0.x @5");
	expect_text(p, 0xb8220884, "cmp -c0, eq, ne, r1");
	expect_text(p, 0x84000000, "nop");
	expect_text(p, 0xa2401401, "ifc cmp.x && !cmp.y, 0x005, 1");
	expect_text(p, 0x9bc01002, "callu b15, 0x004, 2");
	expect_text(p, 0xa4401000, "for i1, 0x004");
	expect_text(p, 0xb4800c01, "jmpu !b2, 0x003");
	expect_text(p, 0xaec00000, "setemit 2, prim inv");
	expect_text(p, 0x40000000, "?");
	expect_text(p, 0x08000009, "dp4 o0, v0, v0 @9");
}

int main(int argc, char **argv)
{
	struct test_prog *p = malloc(sizeof(*p));
	u32 code, n;

	if (!p)
		return TAP_EXIT_FAIL;
	for (code = 0; code < 64; code++)
		test_code(code, p);
	test_mixed(p);
	test_bounds(p);
	test_known_text(p);
	n = test_corpus(argc, argv, corpus_one);
	if (n)
		tap_result(!corpus_bad, "%u corpus programs there and back", n);
	else
		tap_skip("no corpus", "corpus programs there and back");
	free(p);
	return tap_done();
}
