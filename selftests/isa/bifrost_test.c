// SPDX-License-Identifier: GPL-2.0
/* Shared helpers of the tests of Bifrost text and verification. */
#include "bifrost_test.h"

u64 bi_test_rand64(void)
{
	return (u64)test_rand() << 32 | test_rand();
}

u32 bi_test_op(enum bi_unit unit)
{
	u32 n, bits, limit = unit == BI_FMA ? 0x7fffff : 0xfffff;
	const struct bi_op *ops = bi_ops(unit, &n);

	do {
		const struct bi_op *op = &ops[test_rand() % n];

		bits = (test_rand() & limit & ~op->mask) | op->exact;
	} while (!bi_op_find(unit, bits));
	return bits;
}

/* A register block that compilers could have written, or any bits. */
static u64 random_regs(bool first, bool defined)
{
	struct bi_ports p;
	u64 regs;

	do {
		regs = bi_test_rand64() & GENMASK_ULL(34, 0);
		if (!defined && test_rand() % 4 == 0)
			return regs;
		if (test_rand() % 2)
			regs = (regs & ~(63ULL << 14)) | (regs >> 8 & 63) << 14;
	} while (!bi_ports_decode(regs, first, &p) || !bi_ports_encode(&p, first, &regs));
	return regs;
}

static u64 random_header(bool defined)
{
	struct bi_header h;
	u64 bits;

	do {
		bits = bi_test_rand64() & GENMASK_ULL(44, 0);
		if (!defined && test_rand() % 4 == 0)
			return bits;
		bits &= ~0x401fULL;
	} while (!bi_header_decode(bits, &h));
	return bits;
}

void bi_test_clause(struct bi_clause *c, bool defined)
{
	u32 min, max, i;
	bool any;

	memset(c, 0, sizeof(*c));
	c->ntuples = (u8)(1 + test_rand() % BI_MAX_TUPLES);
	min = bi_min_consts(c->ntuples);
	max = bi_max_consts(c->ntuples);
	c->nconsts = (u8)(min + 2 * (test_rand() % ((max - min) / 2 + 1)));
	c->header = random_header(defined);
	for (i = 0; i < c->nconsts; i++)
		c->consts[i] = bi_test_rand64() & ~15ULL;
	if (bi_const_has_modes(c->ntuples) && test_rand() % 2)
		c->m = (u8)(defined ? 4 : test_rand());
	for (i = 0; i < c->ntuples; i++) {
		any = !defined && test_rand() % 4 == 0;
		c->tuples[i].regs = random_regs(!i, defined);
		c->tuples[i].fma = any ? test_rand() & 0x7fffff : bi_test_op(BI_FMA);
		c->tuples[i].add = any ? test_rand() & 0xfffff : bi_test_op(BI_ADD);
	}
}

static const struct text_isa bifrost = { bi_listing, vs_as_bifrost };

char *bi_test_listing(const u32 *words, u32 nwords)
{
	return text_test_listing(&bifrost, words, nwords);
}

bool bi_test_assemble(const char *text, u32 **words, u32 *nwords, char *msg, size_t size)
{
	return text_test_assemble(&bifrost, text, words, nwords, msg, size);
}

bool bi_test_round_trip(const u32 *words, u32 nwords, char *msg, size_t size)
{
	return text_test_round_trip(&bifrost, words, nwords, msg, size);
}

/* Vertex shaders: positions first, then the program for the other outputs. */
static u32 second_program(const char *text)
{
	const char *idvs = text ? strstr(text, "\nidvs 1 ") : NULL;
	unsigned int bytes;

	if (!idvs || sscanf(idvs, "\nidvs 1 secondary 1 offset %u", &bytes) != 1)
		return 0;
	return bytes / 16;
}

/* GPU and callback for a file of the corpus. */
struct corpus_call {
	enum bi_gpu gpu;
	void (*fn)(const struct bi_test_file *f);
};

static void one_file(const struct mali_test_file *file, void *ctx)
{
	const struct corpus_call *call = ctx;
	const struct bi_test_file f = { file->name, call->gpu, file->words, file->nwords,
					file->listing, second_program(file->text) };

	call->fn(&f);
}

u32 bi_test_corpus(int argc, char **argv, void (*fn)(const struct bi_test_file *f))
{
	struct corpus_call call = { .fn = fn };
	char folder[40];
	u32 count = 0;
	int gpu;

	for (gpu = 0; gpu < BI_NUM_GPUS; gpu++) {
		call.gpu = (enum bi_gpu)gpu;
		snprintf(folder, sizeof(folder), "bifrost-%s", bi_gpu_name(call.gpu));
		count += mali_test_corpus(argc, argv, folder, one_file, &call);
	}
	return count;
}
