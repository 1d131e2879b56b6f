// SPDX-License-Identifier: GPL-2.0
/* What the tests of Bifrost text and verification share. */
#include <ctype.h>
#include <dirent.h>

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

char *bi_test_listing(const u32 *words, u32 nwords)
{
	int len = bi_listing(words, nwords, NULL, 0);
	char *text = len < 0 ? NULL : malloc((size_t)len + 1);

	if (text && bi_listing(words, nwords, text, (size_t)len + 1) != len) {
		free(text);
		return NULL;
	}
	return text;
}

bool bi_test_assemble(const char *text, u32 **words, u32 *nwords, char *msg, size_t size)
{
	struct vs_as_diag diag;

	if (!vs_as_bifrost(text, strlen(text), words, nwords, &diag))
		return true;
	snprintf(msg, size, "line %u: %s", diag.messages[0].line,
		 diag.nmessages ? diag.messages[0].text : "no message");
	return false;
}

bool bi_test_round_trip(const u32 *words, u32 nwords, char *msg, size_t size)
{
	char *text = bi_test_listing(words, nwords);
	u32 *back = NULL, nback, i;
	bool ok;

	if (!text) {
		snprintf(msg, size, "no listing");
		return false;
	}
	ok = bi_test_assemble(text, &back, &nback, msg, size);
	if (ok && nback != nwords) {
		snprintf(msg, size, "%u words of %u", nback, nwords);
		ok = false;
	}
	for (i = 0; ok && i < nwords; i++) {
		if (back[i] == words[i])
			continue;
		snprintf(msg, size, "word %u: %08x, not %08x", i, back[i], words[i]);
		ok = false;
	}
	free(back);
	free(text);
	return ok;
}

static char *read_text(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = f ? calloc(1, 4 << 20) : NULL;

	if (text)
		text[fread(text, 1, (4 << 20) - 1, f)] = '\0';
	if (f)
		fclose(f);
	return text;
}

static u32 read_words(const char *path, u32 *words, u32 max)
{
	char *text = read_text(path), *p = text, *end;
	u32 n = 0;

	while (p && n < max) {
		words[n] = (u32)strtoul(p, &end, 16);
		if (end == p)
			break;
		p = end;
		n++;
	}
	free(text);
	return n;
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

static u32 corpus_dir(const char *dir, enum bi_gpu gpu, void (*fn)(const struct bi_test_file *f))
{
	static u32 words[4 * 16384];
	char path[1200], *text, *listing;
	DIR *d = opendir(dir);
	struct dirent *e;
	u32 count = 0;
	size_t len;

	while (d && (e = readdir(d))) {
		struct bi_test_file f = { e->d_name, gpu, words, 0, NULL, 0 };

		len = strlen(e->d_name);
		if (len < 5 || strcmp(e->d_name + len - 4, ".hex"))
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
		f.nwords = read_words(path, words, ARRAY_SIZE(words));
		memcpy(path + strlen(path) - 4, ".txt", 4);
		text = read_text(path);
		listing = text ? strstr(text, "[disassembly]\n") : NULL;
		f.listing = listing ? listing + 14 : NULL;
		f.second = second_program(text);
		fn(&f);
		free(text);
		count++;
	}
	if (d)
		closedir(d);
	return count;
}

u32 bi_test_corpus(int argc, char **argv, void (*fn)(const struct bi_test_file *f))
{
	char dir[600];
	u32 count = 0;
	int i, gpu;

	for (i = 1; i + 1 < argc; i++) {
		if (strcmp(argv[i], "--corpus"))
			continue;
		for (gpu = 0; gpu < BI_NUM_GPUS; gpu++) {
			snprintf(dir, sizeof(dir), "%s/mali/bin/bifrost-%s", argv[i + 1],
				 bi_gpu_name((enum bi_gpu)gpu));
			count += corpus_dir(dir, (enum bi_gpu)gpu, fn);
		}
	}
	return count;
}
