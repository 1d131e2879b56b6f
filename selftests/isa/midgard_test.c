// SPDX-License-Identifier: GPL-2.0
/* Shared helpers of the tests of Midgard text and verification. */
#include "midgard_test.h"

u64 mg_test_rand64(void)
{
	return (u64)test_rand() << 32 | test_rand();
}

/* ---- random bundles ---- */

/* Bits of a vector operation that are often defined. */
static u64 likely_body(u64 body, bool vector, u32 op)
{
	const struct mg_alu_def *def = mg_alu_op(op);
	u32 mode = 1 + test_rand() % 3, lanes = 16 >> mode, mask = 0, i;

	if (!vector) {
		body &= ~(1ULL << 25 | 31ULL << 20);
		if (def && def->flags & MG_INT_OUT && body >> 28 & 1)
			body = (body & ~(3ULL << 26)) | (u64)MG_TRIM_LOW << 26;
		return body;
	}
	for (i = 0; i < lanes; i++)
		if (test_rand() % 2)
			mask |= ((1U << (8 / lanes)) - 1) << (i * 8 / lanes);
	if (test_rand() % 3)
		mask = 0xff;
	body = (body & ~(3ULL << 8 | 0xffULL << 40)) | (u64)mode << 8 | (u64)mask << 40;
	if (test_rand() % 3)
		body &= ~(7ULL << 12 | 7ULL << 25);
	if (test_rand() % 2)
		body = (body & ~(15ULL << 36)) | (u64)MG_SHRINK_NONE << 36 |
		       (def && def->flags & MG_INT_OUT ? (u64)MG_TRIM_LOW << 38 : 0);
	return body;
}

void mg_test_add_alu(struct mg_bundle *b, u32 unit, int op)
{
	bool vector = MG_VECTOR >> unit & 1;
	u32 i = b->nalu++, code;
	u64 body;

	do {
		do {
			code = op < 0 ? test_rand() % 256 : (u32)op;
		} while (!mg_alu_op(code) || !(mg_alu_op(code)->units >> unit & 1 || op >= 0));
		body = mg_test_rand64() & (vector ? GENMASK_ULL(47, 0) : GENMASK_ULL(31, 0));
		body = likely_body((body & ~0xffULL) | code, vector, code);
		mg_alu_decode(unit, (u16)test_rand(), body, &b->alu[i]);
		/* A condition for selections. */
		if (mg_alu_op(code)->flags & MG_CSEL && i && b->alu[0].unit <= MG_SADD &&
		    test_rand() % 8 == 0) {
			b->alu[0].dest = MG_REG_SPECIAL;
			mg_alu_encode(&b->alu[0]);
		}
	} while (mg_alu_check(b, i, NULL));
}

static void add_branch(struct mg_bundle *b, bool extended)
{
	u32 i = b->nbranch++;
	u64 bits;

	do {
		bits = mg_test_rand64() & (extended ? GENMASK_ULL(47, 0) : 0xffff);
		if (extended && test_rand() % 2)
			bits = (bits & 0xffffffff) | 0x5555ULL * (test_rand() % 4) << 32;
		mg_branch_decode(extended, bits, &b->branch[i]);
	} while (mg_branch_check(b, i, NULL));
}

void mg_test_ldst(struct mg_bundle *b, u32 slot, int op)
{
	/* Fields that most operations do not use are often zero. */
	static const u64 parts[] = { GENMASK_ULL(29, 25), 1ULL << 30, GENMASK_ULL(32, 31),
				     GENMASK_ULL(37, 33), GENMASK_ULL(41, 38),
				     GENMASK_ULL(50, 42), GENMASK_ULL(59, 51),
				     GENMASK_ULL(43, 42), GENMASK_ULL(24, 8),
				     GENMASK_ULL(24, 22) };
	u64 bits;
	u32 i;

	b->kind = MG_KIND_LDST;
	b->tag = MG_TAG_LDST;
	b->quads = 1;
	do {
		bits = mg_test_rand64() & GENMASK_ULL(59, 0);
		bits = (bits & ~0xffULL) | (op < 0 ? test_rand() % 256 : (u32)op);
		for (i = 0; i < ARRAY_SIZE(parts); i++)
			if (test_rand() % 2)
				bits &= ~parts[i];
		if (test_rand() % 3 == 0)
			bits |= 7ULL << 35;
		if (test_rand() % 3 == 0)
			bits = (bits & ~(0xffULL << 17)) | (u64)MG_SWIZZLE_NONE << 17;
		mg_ldst_decode(bits, &b->ldst[slot]);
	} while (mg_ldst_check(b, slot, NULL));
}

void mg_test_tex(struct mg_bundle *b, int op)
{
	static const u8 ops[] = { 1, 2, 4, 9, 10, 11, 12, 13 };
	struct mg_tex *t = &b->tex;
	u32 w[4], i;

	do {
		u32 code = op < 0 ? ops[test_rand() % ARRAY_SIZE(ops)] : (u32)op;

		for (i = 0; i < 4; i++)
			w[i] = test_rand();
		w[0] = (w[0] & ~0xf0fU) | code << 8 |
		       (code == MG_TEX_BARRIER ? MG_TAG_TEX_BARRIER : 2 + test_rand() % 2);
		mg_bundle_decode(w, 1, b, NULL);
		t->unknown4 = 0;
		t->unknown8 = 0;
		t->in_upper = t->in_upper && !t->in_full;
		t->out_upper = t->out_upper && !t->out_full;
		if (test_rand() % 2)
			t->outmod = 0;
		t->mode = test_rand() % 2 || code == MG_TEX_FETCH || code >= 9 ? 1 : t->mode;
		t->type = code == MG_TEX_MOV ? 0 : t->type;
		t->sampler &= t->sampler_reg ? 31 : 0xffff;
		t->texture &= t->texture_reg ? 31 : 0xffff;
		t->bias &= t->lod_reg ? 31 : 0xff;
		t->bias_int = t->lod_reg || code == MG_TEX_FETCH ? 0 : t->bias_int;
		t->offset &= t->offset_reg ? 0x7ff : code == MG_TEX_FETCH ? 0xfff : 0x777;
		if (code == MG_TEX_BARRIER)
			*t = (struct mg_tex){ .op = (u8)code, .exec = MG_EXEC_NONE,
					      .ooo = t->ooo };
	} while (mg_tex_check(b, NULL));
}

static void random_alu(struct mg_bundle *b)
{
	u32 units = test_rand() % 32, unit;

	b->kind = MG_KIND_ALU;
	b->tag = MG_TAG_ALU;
	b->has_consts = test_rand() % 3 == 0;
	for (unit = 0; unit < 4 && b->has_consts; unit++)
		b->consts[unit] = test_rand() % 2 ? test_rand() : test_rand() % 8 * 0x3c003c;
	for (unit = 0; unit < MG_NUM_UNITS; unit++)
		if (units >> unit & 1)
			mg_test_add_alu(b, unit, -1);
	if (test_rand() % 4 == 0)
		add_branch(b, false);
	if (!units || test_rand() % 4 == 0)
		add_branch(b, true);
	if (b->nbranch && b->branch[b->nbranch - 1].op >= MG_BR_TILEBUFFER && test_rand() % 2)
		b->tag = MG_TAG_ALUW;
}

static void whole_bundle(struct mg_bundle *b)
{
	memset(b, 0, sizeof(*b));
	switch (test_rand() % 4) {
	case 0:
		mg_test_ldst(b, 0, -1);
		mg_test_ldst(b, 1, test_rand() % 2 ? MG_LDST_NOP : -1);
		break;
	case 1:
		mg_test_tex(b, -1);
		break;
	default:
		random_alu(b);
		break;
	}
	b->next = 1 + test_rand() % 15;
	if (b->next == MG_TAG_UNKNOWN1 || b->next == MG_TAG_UNKNOWN2)
		b->next = MG_TAG_BREAK;
}

void mg_test_bundle(struct mg_bundle *b, bool defined)
{
	u32 words[4 * MG_BUNDLE_QUADS], quads, i;

	do {
		do {
			whole_bundle(b);
			quads = mg_bundle_encode(b, words);
		} while (!quads || mg_bundle_check(b, MG_T860, NULL));
		/* Flip random bits after the first word. */
		for (i = 0; !defined && i < 1 + test_rand() % 3; i++)
			words[1 + test_rand() % (4 * quads - 1)] ^= 1U << test_rand() % 32;
	} while (mg_bundle_decode(words, quads, b, NULL));
}

/* ---- text and corpus ---- */

static const struct text_isa midgard = { mg_listing, vs_as_midgard };

char *mg_test_listing(const u32 *words, u32 nwords)
{
	return text_test_listing(&midgard, words, nwords);
}

bool mg_test_assemble(const char *text, u32 **words, u32 *nwords, char *msg, size_t size)
{
	return text_test_assemble(&midgard, text, words, nwords, msg, size);
}

bool mg_test_round_trip(const u32 *words, u32 nwords, char *msg, size_t size)
{
	return text_test_round_trip(&midgard, words, nwords, msg, size);
}

/* GPU and callback for a file of the corpus. */
struct corpus_call {
	enum mg_gpu gpu;
	void (*fn)(const struct mg_test_file *f);
};

static void one_file(const struct mali_test_file *file, void *ctx)
{
	const struct corpus_call *call = ctx;
	const struct mg_test_file f = { file->name, call->gpu, file->words, file->nwords,
					file->listing };

	call->fn(&f);
}

u32 mg_test_corpus(int argc, char **argv, void (*fn)(const struct mg_test_file *f))
{
	struct corpus_call call = { .fn = fn };
	char folder[40];
	u32 count = 0;
	int gpu;

	for (gpu = 0; gpu < MG_NUM_GPUS; gpu++) {
		call.gpu = (enum mg_gpu)gpu;
		snprintf(folder, sizeof(folder), "midgard-%s", mg_gpu_name(call.gpu));
		count += mali_test_corpus(argc, argv, folder, one_file, &call);
	}
	return count;
}
