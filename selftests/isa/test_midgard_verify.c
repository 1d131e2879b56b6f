// SPDX-License-Identifier: GPL-2.0
/* Midgard verification: reject reasons; robustness against arbitrary bytes. */
#include "midgard_test.h"

static int check_words(const u32 *words, u32 n, enum mg_gpu gpu, struct mg_check *check,
		       struct vs_report *rep)
{
	u32 entry = 0;
	struct vs_src src = { .stage = VS_STAGE_COMPUTE, .words = { words }, .nwords = { n },
			      .entries = &entry, .nentries = 1 };

	memset(check, 0, sizeof(*check));
	check->gpu = gpu;
	return mg_verify(&src, rep, check);
}

#define T760	(1 << MG_T760)
#define T860	(1 << MG_T860)
#define BOTH	(T760 | T860)
#define NOP	"LDST_MOV R0.x~~~, 0\n"
#define COND	"sadd.MOV.i32 R31.w, TMP0.x, R0.x\n"

/*
 * GPUs that accept a program, and why the others reject it: reason, quad and bits. Raw bodies
 * are vector ones of vmul: op | mode << 8 | src1 << 10 | src2 << 23 | shrink << 36 |
 * outmod << 38 | mask << 40, and scalar ones.
 */
static const struct {
	const char *text;
	u32 gpus;
	enum mg_reason reason;
	u32 quad;
	u32 lo;
	u32 hi;
} programs[] = {
	{ NOP, BOTH, MG_OK, 0, 0, 0 },
	{ ".zero 1\n", 0, MG_BAD_TAG, 0, 0, 3 },
	{ ".quad 0x16 0 0 0\n", 0, MG_BAD_TAG, 0, 0, 3 },
	{ ".quad 0x19 0 0 0\n", 0, MG_TRUNCATED, 0, 0, 3 },
	/* The control word: no unit, an odd bit. */
	{ ".quad 0x18 0 0 0\n", 0, MG_BAD_CONTROL, 0, 8, 31 },
	{ ".quad 0x00090018 0 0 0\n", 0, MG_BAD_CONTROL, 0, 8, 31 },
	{ ".quad 0x00aa0018 0 0 0\n", 0, MG_BAD_ALU_SIZE, 0, 0, 3 },
	{ ".quad 0x0008001b 0 0 0\n.zero 3\n", 0, MG_BAD_ALU_SIZE, 0, 0, 3 },
	{ ".quad 0x00080018 0 0 1\n", 0, MG_BAD_PADDING, 0, 96, 111 },
	{ "vmul .bits 0x0000 0xff2000000001\n", 0, MG_BAD_ALU_OP, 0, 48, 55 },
	/* FADD and FRCP are not for VMUL; FREDUCE is not known to be for anything. */
	{ "vmul .bits 0x0000 0xff2720039210\n", 0, MG_BAD_UNIT, 0, 48, 55 },
	{ "vmul .bits 0x0000 0xff27200392f0\n", 0, MG_BAD_UNIT, 0, 48, 55 },
	{ "lut .bits 0x0000 0xff272003923f\n", 0, MG_BAD_UNIT, 0, 48, 55 },
	{ "vmul.FMUL.f32 R0, R0, R0\n", BOTH, MG_OK, 0, 0, 0 },
	/* FMUL.f32 r0, r0, r0: shrink 3; of 8 bits; an uneven mask. */
	{ "vmul .bits 0x0000 0xff3720390214\n", 0, MG_BAD_SHRINK, 0, 84, 85 },
	{ "vmul .bits 0x0000 0xff0720390014\n", 0, MG_BAD_SHRINK, 0, 84, 85 },
	{ "vmul .bits 0x0000 0xf72720390214\n", 0, MG_BAD_MASK, 0, 88, 95 },
	/* The mask of a dot product with two results; of 64-bit lanes. */
	{ "vmul .bits 0x0000 0x0f272039023c\n", 0, MG_BAD_MASK, 0, 88, 95 },
	{ "vmul .bits 0x0000 0x0f272039033c\n", 0, MG_BAD_MODE, 0, 56, 57 },
	/* Integers that do not shrink keep all bits. */
	{ "vmul .bits 0x0000 0xff2720390240\n", 0, MG_BAD_OUTMOD, 0, 86, 87 },
	/* Swapped halves of 32-bit lanes; a number with odd bits. */
	{ "vmul .bits 0x0000 0xff2720393214\n", 0, MG_BAD_EXPAND, 0, 60, 62 },
	{ "vmul .bits 0x8000 0xff2720b90214\n", 0, MG_BAD_RESERVED, 0, 71, 72 },
	{ "vmul.MOV.i64 R0, TMP0, R1.xy.zext {s2=low.yyxy/1}\n", 0, MG_BAD_COMPONENT, 0, 76, 83 },
	/* Scalar: FADD r0.x, r0.x, r0.x, then reserved bits and odd components. */
	{ "sadd.FADD.f32 R0.x, R0.x, R0.x\n", BOTH, MG_OK, 0, 0, 0 },
	{ "sadd .bits 0x0000 0x12010410\n", 0, MG_BAD_RESERVED, 0, 73, 73 },
	{ "sadd .bits 0x0000 0x10110410\n", 0, MG_BAD_RESERVED, 0, 68, 72 },
	{ "sadd .bits 0x0000 0x10010c10\n", 0, MG_BAD_COMPONENT, 0, 59, 61 },
	{ "sadd .bits 0x0000 0x30010410\n", 0, MG_BAD_COMPONENT, 0, 77, 79 },
	/* Registers: r27 and r30 are not read, r20 and r30 not written. */
	{ "sadd .bits 0x001b 0x10010410\n", 0, MG_BAD_SRC_REG, 0, 32, 36 },
	{ "sadd .bits 0x03c0 0x10010410\n", 0, MG_BAD_SRC_REG, 0, 37, 41 },
	{ "sadd .bits 0x5000 0x10010410\n", 0, MG_BAD_DEST_REG, 0, 42, 46 },
	{ "sadd .bits 0x7800 0x10010410\n", 0, MG_BAD_DEST_REG, 0, 42, 46 },
	{ "sadd .bits 0x001a 0x10010410\n", 0, MG_NO_CONSTS, 0, 32, 36 },
	{ "sadd .bits 0x001a 0x10010410\nuconstants 1, 2, 3, 4\n", BOTH, MG_OK, 0, 0, 0 },
	/* Values of the first stage are for the second one. */
	{ "sadd.FADD.f32 R0.x, TMP0.x, R0.x\n", 0, MG_BAD_SRC_REG, 0, 32, 36 },
	{ "vadd.FADD.f32 R0, TMP0, R0\n", 0, MG_BAD_SRC_REG, 0, 32, 36 },
	{ "vmul.FMUL.f32 TMP0, R0, R0\nvadd.FADD.f32 R0, TMP0, R0\n", BOTH, MG_OK, 0, 0, 0 },
	{ "smul.CSEL.scalar.i32 R0.x, R0.x, R1.x\n", 0, MG_BAD_COND, 0, 48, 55 },
	{ COND "smul.CSEL.scalar.i32 R0.x, R0.x, R1.x\n", BOTH, MG_OK, 0, 0, 0 },
	/* Branches. */
	{ "br .bits 0x0000\n", 0, MG_BAD_BRANCH_OP, 0, 32, 34 },
	{ "br .bits 0x0001\n", 0, MG_BAD_NEXT, 0, 35, 38 },
	{ "br .bits 0x0041\n", 0, MG_BAD_CALL, 0, 39, 40 },
	{ "br .bits 0x0042\n", 0, MG_BAD_COND, 0, 46, 47 },
	{ "brx .bits 0x000000000044\n", 0, MG_BAD_COND, 0, 64, 79 },
	{ "brx .bits 0xffff00000147\n", 0, MG_BAD_CALL, 0, 39, 40 },
	{ "br.uncond +0 -> break\n", BOTH, MG_OK, 0, 0, 0 },
	{ "br.uncond +0 -> alu/4\n", 0, MG_BAD_TARGET, 0, 32, 47 },
	{ "br.uncond -2 -> alu/4\n", 0, MG_BAD_TARGET, 0, 32, 47 },
	{ "br.uncond -1 -> alu/4\n", BOTH, MG_OK, 0, 0, 0 },
	{ "br.uncond -1 -> alu/8\n", 0, MG_BAD_TARGET_TAG, 0, 35, 38 },
	{ "br.uncond +0 -> ldst\n\n" NOP, BOTH, MG_OK, 0, 0, 0 },
	{ "br.uncond.call +0 -> ldst\n\n" NOP, BOTH, MG_OK, 0, 0, 0 },
	{ "br.uncond.return +0 -> ldst\n.next tex\n\n.quad 1 2 3 4\n", BOTH, MG_OK, 0, 0, 0 },
	{ "brx.call.uncond.always +0 -> ldst\n\n" NOP, BOTH, MG_OK, 0, 0, 0 },
	{ "br.discard.true +2 -> invalid\n\n" NOP, BOTH, MG_OK, 0, 0, 0 },
	{ "brx.discard.always +2 -> invalid\n\n" NOP, BOTH, MG_OK, 0, 0, 0 },
	{ "br.tilebuffer.true -1 -> alu/4\n\n" NOP, BOTH, MG_OK, 0, 0, 0 },
	{ "br.cond.true +2 -> invalid\n\n" NOP, 0, MG_BAD_NEXT, 0, 35, 38 },
	/* Announced tags and actual successors. */
	{ NOP ".next ldst\n", 0, MG_RUNS_OFF, 0, 0, 127 },
	{ NOP ".next alu/4\n\n" NOP, 0, MG_BAD_NEXT, 0, 4, 7 },
	{ NOP ".next invalid\n", 0, MG_BAD_NEXT, 0, 4, 7 },
	{ NOP ".next unk2\n", 0, MG_BAD_NEXT, 0, 4, 7 },
	{ NOP "break\n\n.quad 1 2 3 4\n", BOTH, MG_OK, 0, 0, 0 },
	/* The last arithmetic bundle need not be announced. */
	{ NOP "break\n\nsadd .bits 0x7800 0x10010410\n", 0, MG_BAD_DEST_REG, 1, 42, 46 },
	{ NOP "\nbr.uncond +0 -> break\n\n.zero 1\n", BOTH, MG_OK, 0, 0, 0 },
	/* Framebuffer writes. */
	{ "br.write.always -1 -> alu/4\n", BOTH, MG_OK, 0, 0, 0 },
	{ "br.write.always -1 -> aluw/4\nwriteout\n", T860, MG_BAD_GPU, 0, 0, 3 },
	{ "br.uncond +0 -> break\nwriteout\n\n.zero 1\n", 0, MG_BAD_GPU, 0, 0, 3 },
	/* A wait for the tile buffer, as a compiler emits it for each GPU. */
	{ "brx.reserved.tilebuffer.always -1 -> alu/4\n\n" NOP, BOTH, MG_OK, 0, 0, 0 },
	{ "brx.reserved.tilebuffer.always -1 -> aluw/4\nwriteout\n\n" NOP, T860, MG_BAD_GPU, 0, 0,
	  3 },
	/* Load/store. */
	{ ".ldst 0x000000000000000\n", 0, MG_BAD_LDST_OP, 0, 8, 15 },
	{ NOP ".ldst 0x0000000000000ff\n", 0, MG_BAD_LDST_OP, 0, 68, 75 },
	{ ".ldst 0x000000000000103\n", 0, MG_BAD_LDST_FIELD, 0, 16, 20 },
	{ ".ldst 0x000000000001210\n", 0, MG_BAD_LDST_REG, 0, 16, 20 },
	{ ".ldst 0x000000000001e10\n", 0, MG_BAD_LDST_REG, 0, 16, 20 },
	{ ".ldst 0x0000000000008c8\n", 0, MG_BAD_LDST_REG, 0, 16, 20 },
	{ "LD.32 R0.x~~~, AL0.u64.x {format=0x2}\n", BOTH, MG_OK, 0, 0, 0 },
	{ "LD.32 R0.x~~~, AL0.u64.x {indexreg=0x0}\n", 0, MG_BAD_LDST_FIELD, 0, 39, 40 },
	{ "LDST_MOV R0.x~~~, AL0 {toggle=1}\n", 0, MG_BAD_LDST_FIELD, 0, 38, 38 },
	{ "LD_UBO.32 R0.x~~~, AL0.x, 0.x {ubo=0}\n", BOTH, MG_OK, 0, 0, 0 },
	{ "LD_UBO.32 R0.x~~~, 3, 0.x\n", 0, MG_BAD_LDST_FIELD, 0, 50, 51 },
	{ "LD_VARY.f32 R0.x~~~, 0.x, 0.x {offset=0x5}\n", 0, MG_BAD_LDST_FIELD, 0, 50, 52 },
	{ "LD_VARY.f32 R0.x~~~, 0.x, 0.x {offset=0x80}\n", 0, MG_BAD_LDST_FIELD, 0, 57, 58 },
	{ "LD_ATTR.f32 R0.x~~~, 0.x, 0.x {offset=0x1}\n", 0, MG_BAD_LDST_FIELD, 0, 50, 58 },
	{ "LD_VARY.f32 R0.x~~~, 0.x, 0.x {toggle=0x1}\n", 0, MG_BAD_LDST_FIELD, 0, 38, 38 },
	{ "AADD.32 R0.x~~~, AL0.u64.x, AL0.z {swizzle=0x22}\n", 0, MG_BAD_LDST_FIELD, 0, 30, 32 },
	{ "CMPXCHG.32 R0.x~~~, AL0.u64.x, AL0.z, AL0.w {shift=0x1}\n", 0, MG_BAD_LDST_FIELD, 0,
	  46, 49 },
	/* Textures: TEX.2d TA0.f32, texture0, fsampler0, AT0.32 and invalid variants. */
	{ "TEX.2d TA0.f32, texture0, fsampler0, AT0.32,\n", BOTH, MG_OK, 0, 0, 0 },
	{ ".quad 0x210b1013 0x00e43c67 0 0\n", 0, MG_BAD_TEX_OP, 0, 8, 11 },
	{ ".quad 0x210b1114 0x00e43c67 0 0\n", 0, MG_BAD_TEX_TAG, 0, 0, 3 },
	{ ".quad 0x210b0113 0x00e43c67 0 0\n", 0, MG_BAD_TEX_MODE, 0, 12, 15 },
	{ ".quad 0x21081113 0x00e43c67 0 0\n", 0, MG_BAD_TEX_FIELD, 0, 16, 17 },
	{ ".quad 0x210b1113 0x00e43c27 0 0\n", 0, MG_BAD_TEX_FIELD, 0, 38, 39 },
	{ ".quad 0x250b1113 0x00e43c67 0 0\n", 0, MG_BAD_TEX_FIELD, 0, 26, 26 },
	{ ".quad 0x210b1113 0x00e43e67 0 0\n", 0, MG_BAD_TEX_FIELD, 0, 41, 41 },
	{ ".quad 0x210b1113 0x00e47ca7 0 0\n", 0, MG_BAD_TEX_FIELD, 0, 46, 47 },
	{ ".quad 0x210b1113 0x00e43c6f 0 0\n", 0, MG_BAD_TEX_FIELD, 0, 35, 36 },
	{ ".quad 0x210b1113 0x10e43c67 0 0\n", 0, MG_BAD_TEX_FIELD, 0, 60, 67 },
	{ ".quad 0x211b1113 0x00e43c67 0 0x20\n", 0, MG_BAD_TEX_FIELD, 0, 96, 111 },
	{ ".quad 0x212b1113 0x00e43c67 0 0x00050000\n", 0, MG_BAD_TEX_FIELD, 0, 112, 127 },
	{ ".quad 0x214b1113 0x00e43c67 0x200000 0\n", 0, MG_BAD_TEX_FIELD, 0, 80, 87 },
	{ ".quad 0x214b1113 0x00e43c67 0x1000000 0\n", 0, MG_BAD_TEX_FIELD, 0, 88, 95 },
	{ ".quad 0x218b1113 0x00e43c67 0x8000 0\n", 0, MG_BAD_TEX_FIELD, 0, 68, 79 },
	{ ".quad 0x210b1113 0x00e43c67 0x80 0\n", 0, MG_BAD_TEX_FIELD, 0, 68, 71 },
	{ ".quad 0x00030b14 0 0 0\n", BOTH, MG_OK, 0, 0, 0 },
	{ ".quad 0x00031b14 0 0 0\n", 0, MG_BAD_TEX_FIELD, 0, 12, 17 },
	{ ".quad 0x00030b14 0 1 0\n", 0, MG_BAD_TEX_FIELD, 0, 64, 95 },
};

static bool try_program(u32 i)
{
	const struct vs_reject *rej;
	struct mg_check check;
	struct vs_report rep;
	u32 *words = NULL, n, gpu, bad = 0;
	char msg[300];

	if (!mg_test_assemble(programs[i].text, &words, &n, msg, sizeof(msg))) {
		tap_comment("\"%s\": %s", programs[i].text, msg);
		return false;
	}
	for (gpu = 0; gpu < MG_NUM_GPUS; gpu++) {
		int ret = check_words(words, n, (enum mg_gpu)gpu, &check, &rep);

		rej = &check.reject;
		if (programs[i].gpus >> gpu & 1 ? !ret : ret == -ENOEXEC &&
		    rej->reason == programs[i].reason && rej->offset == programs[i].quad &&
		    rej->field_lo == programs[i].lo && rej->field_hi == programs[i].hi)
			continue;
		/* Without the tag this would be another mistake. */
		if (gpu == MG_T860 && programs[i].reason == MG_BAD_GPU && ret == -ENOEXEC &&
		    rej->reason == MG_BAD_TAG)
			continue;
		tap_comment("\"%s\" on %s: %d, %s, quad %u bits %u to %u", programs[i].text,
			    mg_gpu_name((enum mg_gpu)gpu), ret, mg_reason_text(rej->reason),
			    rej->offset, rej->field_lo, rej->field_hi);
		bad++;
	}
	free(words);
	return !bad;
}

static void test_programs(void)
{
	u32 seen[MG_NUM_REASONS] = { }, i, bad = 0, kinds = 0;

	for (i = 0; i < ARRAY_SIZE(programs); i++) {
		bad += !try_program(i);
		seen[programs[i].reason]++;
	}
	tap_result(!bad, "%zu programs are accepted or rejected as they should be",
		   ARRAY_SIZE(programs));
	for (i = 0; i < MG_NUM_REASONS; i++) {
		kinds += !!seen[i];
		if (!seen[i] && i != MG_BAD_ENTRY && i != MG_BAD_SIZE && i != MG_BAD_STAGE)
			tap_comment("never: %s", mg_reason_text(i));
	}
	tap_result(kinds + 3 == MG_NUM_REASONS, "%u of %u reasons have been given", kinds,
		   MG_NUM_REASONS);
}

/* Each branch operation in both encodings, with each condition and each tag of arithmetic. */
static bool branch_ok(const struct mg_bundle *b, enum mg_gpu gpu)
{
	const struct mg_branch *br = &b->branch[0];
	bool tile = br->op == 6 || br->op == 7;

	if (b->tag >= 12 && (gpu == MG_T760 || !tile))
		return false;
	switch (br->op) {
	case 1:
		/* compact jumps have a mode in place of the condition */
		return !br->extended || br->cond;
	case 2:
	case 4:
	case 6:
		return br->cond;
	case 7:
		return true;
	default:
		return false;
	}
}

static void test_branches(void)
{
	static const u16 conds[4] = { 0, 0x5555, 0xaaaa, 0xffff };
	u32 i, n = 0, good = 0, bad = 0, words[4 * MG_BUNDLE_QUADS];
	struct mg_bundle b, again;
	enum mg_reason reason;
	enum mg_gpu gpu;

	for (i = 0; i < 8 * 2 * 4 * 8 * MG_NUM_GPUS; i++) {
		u32 op = i % 8, form = i / 8 % 2, cond = i / 16 % 4, tag = 8 + i / 64 % 8;

		gpu = (enum mg_gpu)(i / 512);
		b = (struct mg_bundle){ .kind = MG_KIND_ALU, .tag = (u8)tag, .next = MG_TAG_BREAK,
					.nbranch = 1 };
		/* the size follows from constants and one operation per quad */
		for (u32 unit = 0; (tag & 3) > 1 && unit < 2 * (tag & 3) - 2; unit++)
			mg_test_add_alu(&b, unit, -1);
		b.has_consts = tag & 3;
		mg_branch_decode(form, form ? op | 8 << 3 | (u64)conds[cond] << 32 :
				 op == 1 ? op | 8 << 3 | 1 << 7 : op | 8 << 3 | cond << 14,
				 &b.branch[0]);
		if (mg_bundle_encode(&b, words) != (tag & 3) + 1)
			continue;
		n++;
		reason = mg_bundle_decode(words, MG_BUNDLE_QUADS, &again, NULL);
		if (!reason)
			reason = mg_bundle_check(&again, gpu, NULL);
		good += branch_ok(&again, gpu);
		bad += again.tag != tag || !reason != branch_ok(&again, gpu);
	}
	tap_result(!bad && n > 500 && good > 200 && good < n,
		   "%u branches by operation, encoding, condition, tag and GPU: %u are defined", n,
		   good);
}

static void test_sources(void)
{
	u32 words[4] = { }, entry = 0, far = 1;
	struct vs_src src = { .stage = VS_STAGE_GEOMETRY, .words = { words }, .nwords = { 4 },
			      .entries = &entry, .nentries = 1 };
	struct mg_check check = { };
	struct vs_report rep;
	bool ok;

	ok = mg_verify(&src, &rep, &check) == -ENOEXEC && check.reject.reason == MG_BAD_STAGE;
	src.stage = VS_STAGE_COMPUTE;
	src.nwords[0] = 3;
	ok = ok && mg_verify(&src, &rep, &check) == -ENOEXEC &&
	     check.reject.reason == MG_BAD_SIZE;
	src.nwords[0] = 4;
	src.entries = &far;
	ok = ok && mg_verify(&src, &rep, &check) == -ENOEXEC &&
	     check.reject.reason == MG_BAD_ENTRY;
	src.nentries = 0;
	ok = ok && mg_verify(&src, &rep, &check) == -ENOEXEC &&
	     check.reject.reason == MG_BAD_ENTRY;
	tap_result(ok, "stages, sizes and entry points are checked");
}

/* Random programs, and good ones with bits changed. */
static void test_random(void)
{
	static u32 words[4 * MG_BUNDLE_QUADS * 16];
	u32 seen[MG_NUM_REASONS] = { }, i, k, n, kinds = 0, odd = 0;
	struct mg_check check;
	struct vs_report rep;
	struct mg_bundle b;
	int ret;

	for (i = 0; i < 10000; i++) {
		for (k = 0, n = 0; k < 1 + i % 16; k++) {
			mg_test_bundle(&b, i % 3);
			n += 4 * mg_bundle_encode(&b, words + n);
		}
		for (k = 0; k < i % 5; k++)
			words[test_rand() % n] ^= 1U << test_rand() % 32;
		ret = check_words(words, n, (enum mg_gpu)(i % MG_NUM_GPUS), &check, &rep);
		odd += ret && (ret != -ENOEXEC || !check.reject.reason ||
			       check.reject.reason >= MG_NUM_REASONS ||
			       check.reject.offset >= n / 4 ||
			       check.reject.field_lo > check.reject.field_hi ||
			       check.reject.field_hi > 127);
		seen[ret ? check.reject.reason % MG_NUM_REASONS : 0]++;
	}
	for (i = 0; i < MG_NUM_REASONS; i++)
		kinds += !!seen[i];
	tap_result(!odd && kinds > 20, "10000 random programs: %u kinds of results, %u accepted",
		   kinds, seen[0]);
}

/* ---- corpus ---- */

static u32 rejected, left_out;

/* All but the zeroes at the end is reached. */
static void try_file(const struct mg_test_file *f)
{
	u32 entry = 0, used = f->nwords;
	struct vs_src src = { .stage = VS_STAGE_VERTEX, .words = { f->words },
			      .nwords = { f->nwords }, .entries = &entry, .nentries = 1 };
	struct mg_check check = { .gpu = f->gpu };
	struct vs_report rep;

	while (used && !(f->words[used - 1] | f->words[used - 2] | f->words[used - 3] |
			 f->words[used - 4]))
		used -= 4;
	if (mg_verify(&src, &rep, &check)) {
		tap_comment("%s: quad %u: %s", f->name, check.reject.offset,
			    mg_reason_text(check.reject.reason));
		rejected++;
	} else if (rep.reachable_words < used) {
		tap_comment("%s: %u words of %u are reached", f->name, rep.reachable_words, used);
		left_out++;
	}
}

int main(int argc, char **argv)
{
	u32 n;

	test_programs();
	test_branches();
	test_sources();
	test_random();
	n = mg_test_corpus(argc, argv, try_file);
	if (n)
		tap_result(!rejected && !left_out,
			   "%u of %u binaries are accepted for their GPU, %u as a whole",
			   n - rejected, n, n - rejected - left_out);
	else
		tap_skip("no corpus", "binaries of the corpus");
	return tap_done();
}
