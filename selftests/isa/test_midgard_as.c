// SPDX-License-Identifier: GPL-2.0
/* Midgard assembler: programs written by hand, labels, errors. */
#include "midgard_test.h"

/* A loop with a conditional exit, and syntax that compilers do not need. */
static const char loop_text[] =
	"// sums 0..9 into r0\n"
	"vmul.MOV.i32 R0, TMP0.xxxx, #0\n"
	"\n"
	"again:\n"
	"sadd.ADD.i32 R0.x, R0.x, R0.y\n"
	"/* between the stages */\n"
	"smul.ADD.i32 R0.y, R0.y, #1\n"
	"\n"
	"sadd.CMP.lt.i32 R31.w, R0.y, #10\n"
	"br.cond.true again\n"
	"\n"
	"brx.cond.always done\n"
	"\n"
	"   # nothing reaches this\n"
	"vadd.FADD.f32 R1.xy, R1.xx, <0.5, 0.25>\n"
	"uconstants 0x3f000000, 0x3e800000, 0, 0\n"
	"\n"
	"done:\n"
	"ST.32 AL0.xxxx, AL1.u64.x + AL0.u32.z << 2\n";

static void test_loop(void)
{
	struct mg_check check = { .gpu = MG_T760 };
	u32 *words = NULL, n = 0, entry = 0;
	char msg[300] = "", *text = NULL;
	struct vs_report rep;
	bool ok = mg_test_assemble(loop_text, &words, &n, msg, sizeof(msg));

	if (!ok)
		tap_comment("%s", msg);
	tap_result(ok, "a loop is assembled");
	if (ok) {
		struct vs_src src = { .stage = VS_STAGE_COMPUTE, .words = { words },
				      .nwords = { n }, .entries = &entry, .nentries = 1 };

		ok = !mg_verify(&src, &rep, &check);
		if (!ok)
			tap_comment("%s", mg_reason_text(check.reject.reason));
		text = mg_test_listing(words, n);
	}
	tap_result(ok && check.bundles == 5 && rep.temps == 1 &&
		   rep.features == (VS_FEAT_FLOW | VS_FEAT_LOOP), "it is accepted: five bundles");
	ok = text && strstr(text, "br.cond.true -2 -> alu/4\n") &&
	     strstr(text, "brx.cond.always +2 -> ldst\n") &&
	     strstr(text, "vadd.FADD.f32 R1.xy, R1.xx, <0.5, 0.25>\n");
	if (!ok && text)
		tap_comment("%s", text);
	tap_result(ok, "labels are where they belong");
	free(text);
	free(words);
}

/* Words worked out by hand from the description of the fields. */
static void test_words(void)
{
	/*
	 * sadd.FADD.f32 R1.y, R2.z.neg, #1.5: register word 2 | (0x3e00 >> 11) << 5 | 1 << 10 |
	 * 1 << 15. The low eleven bits of the number, 0x600: bits 9 and 10 come first. The
	 * operation: modifier 2, full, component 4; full result, component 2.
	 */
	static const char text[] = "sadd.FADD.f32 R1.y, R2.z.neg, #1.5\n";
	u32 reg_word = 2 | 7 << 5 | 1 << 10 | 1U << 15;
	u32 body = 0x10 | (2 | 1 << 2 | 4 << 3) << 8 | 3 << 14 | 1 << 28 | 2U << 29;
	u32 want[4] = { 0x18 | 1 << 19, reg_word | body << 16, body >> 16, 0 };
	u32 *words = NULL, n = 0;
	char msg[300] = "";
	bool ok = mg_test_assemble(text, &words, &n, msg, sizeof(msg));

	ok = ok && n == 4 && !memcmp(words, want, sizeof(want));
	if (!ok && n == 4)
		tap_comment("%08x %08x %08x, not %08x %08x %08x", words[0], words[1], words[2],
			    want[0], want[1], want[2]);
	tap_result(ok, "an operation has the words that were worked out by hand%s%s",
		   *msg ? ": " : "", msg);
	free(words);
}

/* Numbers without a line of constants: their allocation and disassembly. */
static const struct {
	const char *text;
	const char *shown;
} numbers[] = {
	{ "vmul.FMUL.f32 R0, R1, #0.7\n", "<0.7, 0.7, 0.7, 0.7>\nuconstants 0x3F333333, 0x0, " },
	{ "vmul.FMUL.f32 R0, R1, #0.50\n", "R1, #0.5\n\n" },
	{ "vmul.FMUL.f32 R0, R1, <1, 0.7, 2, 1>\n",
	  "uconstants 0x3F800000, 0x3F333333, 0x40000000" },
	{ "vmul.FMUL.f16 R0, R1, #0.1\n", "uconstants 0x2E66, 0x0," },
	{ "vmul.FMUL.f16 R0.xyzw, R1.xyzw, <0.1, 1, 65504, 6e-8>\n",
	  "<0.0999756, 1, 65504, 5.96046e-08>\nuconstants 0x3C002E66, 0x17BFF, 0x0, 0x0" },
	{ "vmul.ADD.i32 R0, R1, #-2\n", "R1, #65534\n" },
	{ "vmul.ADD.i32 R0, R1, #0x10\n", "R1, #16\n" },
	{ "vmul.ADD.i32 R0, R1, #100000\n", "uconstants 0x186A0, 0x0" },
	{ "vmul.ADD.i32 R0, R1, <-1, 2, -1, 2>\n", "uconstants 0xFFFFFFFF, 0x2, 0x0, 0x0" },
	{ "vmul.AND.i64 R0, R1, <0x123456789abcdef, -1>\n",
	  "uconstants 0x89ABCDEF, 0x1234567, 0xFFFFFFFF, 0xFFFFFFFF" },
	{ "sadd.FADD.f32 R0.x, R1.x, #0.1\nsmul.FMUL.f32 R1.x, R1.x, #0.1\n",
	  "#0.1\nsmul.FMUL.f32 R1.x, R1.x, #0.1\nuconstants 0x3DCCCCCD, 0x0, " },
	{ "sadd.FADD.f32 R0.x, #0.1, R1.x\nsmul.FMUL.f32 R1.x, #-0.2, R1.x\n",
	  "uconstants 0x3DCCCCCD, 0xBE4CCCCD, 0x0" },
};

static void test_numbers(void)
{
	u32 i, missed = 0, n;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		char msg[300] = "", *text = NULL;
		u32 *words = NULL;

		if (mg_test_assemble(numbers[i].text, &words, &n, msg, sizeof(msg)))
			text = mg_test_listing(words, n);
		if (!text || !strstr(text, numbers[i].shown)) {
			tap_comment("\"%s\": %s%s", numbers[i].text, msg, text ? text : "");
			missed++;
		}
		free(text);
		free(words);
	}
	tap_result(!missed, "%zu numbers get places among constants", ARRAY_SIZE(numbers));
}

static const struct {
	const char *text;
	const char *error;
} bad[] = {
	{ "", "no bundles" },
	{ "bogus R0, R1\n", "unknown operation" },
	{ "vmul.BOGUS.f32 R0, R1, R2\n", "unknown operation BOGUS" },
	{ "vmul.FADD.f32 R0, R1, R2\n", "vmul does not have FADD" },
	{ "vmul.FMUL.i32 R0, R1, R2\n", "does not have this form" },
	{ "vmul.FMUL.f24 R0, R1, R2\n", "does not have this width" },
	{ "sadd.FADD.f16 R0.x, R1.x, R2.x\n", "does not have this width" },
	{ "vmul.FMUL R0, R1, R2\n", "no type" },
	{ "vmul FMUL\n", "the operation is missing" },
	{ "vmul.FMUL.f32 R0, R1\n", "two sources" },
	{ "vmul.FMUL.f32 R0, R1, R2, R3\n", "two sources" },
	{ "vmul.FMUL.f32 R32, R1, R2\n", "can be written" },
	{ "vmul.FMUL.f32 TA0, R1, R2\n", "can be written" },
	{ "vmul.FMUL.f32 R0.xx, R1, R2\n", "not components of the result" },
	{ "vmul.FMUL.f32 R0.e, R1, R2\n", "not components of the result" },
	{ "sadd.FADD.f32 R0, R1.x, R2.x\n", "not components of the result" },
	{ "vmul.FMUL.f32 R0.x.bogus, R1, R2\n", "unknown modifier" },
	{ "vmul.FMUL.f32 R0, R1.xyz, R2\n", "not components of a source" },
	{ "vmul.FMUL.f32 R0, R1.xyzq, R2\n", "not components of a source" },
	{ "vmul.FMUL.f32 R0, AL0, R2\n", "can be read" },
	{ "vmul.FMUL.f32 R0, R1.xxxx.bogus, R2\n", "unknown modifier" },
	{ "vmul.FMUL.f32 R0, R1, #bogus\n", "no numbers" },
	{ "vmul.FMUL.f32 R0, R1, <0.1, 0.2, 0.3, 0.4>\nvadd.FADD.f32 R0, R1, #0.7\n", "no room" },
	{ "vmul.MOV.i32 R0, TMP0, #0x100000000\n", "no numbers" },
	{ "vmul.FMUL.f32 R0, R1, <0.1, 0.2>\n", "not constants of the bundle" },
	{ "vmul.FMUL.f32 R0, R1, #0.7\nuconstants 1, 2, 3, 4\n", "not constants of the bundle" },
	{ "vmul.FMUL.f32 R0, R1, <1, 2\nuconstants 1, 2, 3, 4\n", "has no end" },
	{ "vmul.FMUL.f32 R0, R1, R2\nuconstants 1, 2, 3\n", "takes four numbers" },
	{ "vmul.FMUL.f32 R0, R1, R2\nuconstants 1, 2, 3, 4, 5\n", "more than four" },
	{ "uconstants 1, 2, 3, 4\n", "without operations" },
	{ "uconstants 1, 2, 3, 4\nuconstants 1, 2, 3, 4\n", "one line of constants" },
	{ "LDST_MOV R0.x~~~, 0\nuconstants 1, 2, 3, 4\n", "are for arithmetic" },
	{ "vmul.FMUL.f32 R0, R1, R2 {s1=bogus}\n", "a source is such as" },
	{ "vmul.FMUL.f32 R0, R1, R2 s1}\n", "a brace is missing" },
	{ "{s1}\n", "the operation is missing" },
	{ "sadd.FADD.f32 R0.x, R1.x, R2.x {s1=99}\n", "six bits" },
	{ "sadd.FADD.f32 R0.x, R1.x, R2.x\nvmul.FMUL.f32 R0, R1, R2\n", "in the order" },
	{ "sadd.FADD.f32 R0.x, R1.x, R2.x\nsadd.FADD.f32 R0.x, R1.x, R2.x\n", "in the order" },
	{ "sadd.FADD.f32 R0.x, R1.x, R2.x\nLD.32 R0.x~~~, AL0.u64.x\n", "another kind" },
	{ "BARRIER\nBARRIER\n", "another kind" },
	{ "vmul .bits 0x10000 0\n", "a register word and a body" },
	{ "sadd .bits 0 0x100000000\n", "a register word and a body" },
	{ "br.bogus +0 -> alu/4\n", "unknown branch" },
	{ "br.cond.lut1234 +0 -> alu/4\n", "unknown branch" },
	{ "brx.cond.lut12345 +0 -> alu/4\n", "unknown branch" },
	{ "br.cond.true\n", "the target is missing" },
	{ "br.cond.true nowhere\n", "unknown label nowhere" },
	{ "br.cond.true +64 -> alu/4\n", "too far away" },
	{ "br.cond.true +1\n", "the tag of the target is missing" },
	{ "br.cond.true +1 -> bogus\n", "unknown tag" },
	{ "a:\nLDST_MOV R0.x~~~, 0\n\n.zero 70\n\nbr.cond.true a\n", "too far away" },
	{ "brx.cond.true +0 -> alu/4\nbr.cond.true +0 -> alu/4\n", "a compact branch, then" },
	{ "br .bits 0x10000\n", "16 or 48 bits" },
	{ "LD.32 R0.x~~~\n", "LD.32 has 2 operands" },
	{ "LD.32 R0.x~~, AL0.u64.x\n", "not an operand: R0.x~~" },
	{ "LD.32 R0.x~~~, AL2.u64.x\n", "not an operand: AL2" },
	{ "LD.32 R0.x~~~, AL0.u64.x + AL0.u32.x << 16\n", "not an operand" },
	{ "LD.32 R0.x~~~, AL0.u64.x {offset=0x40000}\n", "field offset has 18 bits" },
	{ "LD_ATTR.f32.bogus R0.x~~~, 0.x, 0.x\n", "unknown modifier" },
	{ "LD_UBO.32 R0.x~~~, 256, 0.x\n", "not an operand: 256" },
	{ "NOP R0\n", "not an operand" },
	{ ".ldst 0x1000000000000000\n", "60 bits" },
	{ "LDST_MOV R0.x~~~, 0\nLDST_MOV R0.x~~~, 0\nLDST_MOV R0.x~~~, 0\n", "two load/store" },
	{ "TEX.4d TA0.f32, texture0, fsampler0, AT0.32,\n", "unknown texture operation" },
	{ "TEX.2d TA0.f32, texture0, fsampler0\n", "operands are" },
	{ "TEX.2d TA2.f32, texture0, fsampler0, AT0.32,\n", "not a texture result" },
	{ "TEX.2d TA0.f32, texture65536, fsampler0, AT0.32,\n", "not a texture: " },
	{ "TEX.2d TA0.f32, texture0, isampler0, AT0.32,\n", "not a sampler" },
	{ "TEX.2d TA0.f32, texture0, fsampler0, AT0.efgh.32,\n", "not texture coordinates" },
	{ "TEX.2d TA0.f32, texture0, fsampler0, AT0.32 + <16, 0, 0>,\n", "not texture coord" },
	{ "TEX.2d TA0.f32, texture0, fsampler0, AT0.32, lod + 300.0,\n", "not a lod" },
	{ "BARRIER TA0\n", "no operands" },
	{ "a:\na:\nLDST_MOV R0.x~~~, 0\n", "is in line" },
	{ ".quad 1 2 3\n", "four words" },
	{ ".zero 0\n", "number of quads" },
	{ ".zero 70000\n", "number of quads" },
	{ ".zero 65536\n.zero 1\n", "too long" },
	{ ".bogus\n", "unknown directive" },
	{ "LDST_MOV R0.x~~~, 0\n.next bogus\n", "unknown tag" },
	{ "NOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\n",
	  "too many lines" },
};

static void test_errors(void)
{
	u32 *words, n, i, missed = 0;
	char msg[300];

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		words = NULL;
		snprintf(msg, sizeof(msg), "accepted");
		if (!mg_test_assemble(bad[i].text, &words, &n, msg, sizeof(msg)) &&
		    strstr(msg, bad[i].error))
			continue;
		tap_comment("\"%s\": %s, not \"%s\"", bad[i].text, msg, bad[i].error);
		missed++;
		free(words);
	}
	tap_result(!missed, "%zu wrong sources have their messages", ARRAY_SIZE(bad));
}

/* Text that has been damaged is assembled or refused, nothing else. */
static void test_damage(void)
{
	static const char letters[] = "\n ,.:{}<>#+-~0129xyzwRALTUs_";
	u32 i, k, n, accepted = 0;
	char *text, msg[300];
	struct mg_bundle b;
	u32 words[8 * 4 * MG_BUNDLE_QUADS], *back;

	for (i = 0; i < 3000; i++) {
		for (k = 0, n = 0; k < 8; k++) {
			mg_test_bundle(&b, true);
			n += 4 * mg_bundle_encode(&b, words + n);
		}
		text = mg_test_listing(words, n);
		for (k = 0; text && k < 1 + i % 4; k++)
			text[test_rand() % strlen(text)] =
				letters[test_rand() % (sizeof(letters) - 1)];
		back = NULL;
		accepted += text && mg_test_assemble(text, &back, &n, msg, sizeof(msg));
		free(back);
		free(text);
	}
	tap_result(accepted && accepted < i, "%u damaged sources: %u assembled, the others refused",
		   i, accepted);
}

int main(void)
{
	test_loop();
	test_words();
	test_numbers();
	test_errors();
	test_damage();
	return tap_done();
}
