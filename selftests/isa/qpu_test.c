// SPDX-License-Identifier: GPL-2.0
/*
 * Helpers of the tests of QPU text and verification.
 */
#include <ctype.h>
#include <dirent.h>

#include "qpu_test.h"

u64 qpu_test_rand(void)
{
	u64 high = test_rand();

	return high << 32 | test_rand();
}

u64 qpu_test_word(u32 form)
{
	u64 w = qpu_test_rand() & ~Q_SIG(15);

	switch (form % 4) {
	case 0:
		return w | Q_SIG(test_rand() % 13);
	case 1:
		return w | Q_SIG(QPU_SIG_SMI);
	case 2:
		return w | Q_SIG(QPU_SIG_LDI);
	default:
		return (w & ~(15ULL << 56)) | Q_SIG(QPU_SIG_BRANCH);
	}
}

bool qpu_test_assemble(const char *text, struct vs_as_program *res, char *msg, size_t size)
{
	static struct vs_as_diag diag;
	int ret = vs_as_qpu(text, strlen(text), NULL, res, &diag);

	if (msg && size)
		snprintf(msg, size, "%u:%u: %s", diag.messages[0].line, diag.messages[0].column,
			 diag.nmessages ? diag.messages[0].text : "no message");
	return !ret;
}

void qpu_test_src(const struct vs_as_program *res, struct vs_src *src)
{
	memset(src, 0, sizeof(*src));
	src->stage = (enum vs_stage)res->stage;
	src->words[VS_SECTION_CODE] = res->words;
	src->nwords[VS_SECTION_CODE] = res->nwords;
	src->entries = res->entries;
	src->nentries = res->nentries;
}

char *qpu_test_listing(const u32 *words, u32 nwords)
{
	static const u32 entry;
	struct vs_src src = { .stage = VS_STAGE_COMPUTE };
	char *text;
	int len;

	src.words[VS_SECTION_CODE] = words;
	src.nwords[VS_SECTION_CODE] = nwords;
	src.entries = &entry;
	src.nentries = 1;
	len = qpu_listing(&src, NULL, 0);
	if (len < 0)
		return NULL;
	text = malloc((size_t)len + 1);
	if (text && qpu_listing(&src, text, (size_t)len + 1) != len) {
		free(text);
		return NULL;
	}
	return text;
}

bool qpu_test_round_trip(const u32 *words, u32 nwords, char *msg, size_t size)
{
	struct vs_as_program res;
	char *text = qpu_test_listing(words, nwords);
	bool ok;
	u32 i;

	if (!text) {
		snprintf(msg, size, "no listing");
		return false;
	}
	ok = qpu_test_assemble(text, &res, msg, size);
	if (ok && res.nwords != nwords) {
		snprintf(msg, size, "%u words of %u", res.nwords, nwords);
		ok = false;
	}
	for (i = 0; ok && i < nwords; i++) {
		if (res.words[i] == words[i])
			continue;
		snprintf(msg, size, "word %u: %08x, not %08x", i, res.words[i], words[i]);
		ok = false;
	}
	if (ok)
		msg[0] = 0;
	vs_as_program_free(&res);
	free(text);
	return ok;
}

/* All hexadecimal numbers of a text. */
static u32 read_hex(const char *p, u32 *w, u32 max)
{
	u32 n = 0;
	char *end;

	while (*p && n < max) {
		if (!isxdigit((unsigned char)*p)) {
			p++;
			continue;
		}
		w[n++] = (u32)strtoul(p, &end, 16);
		p = end;
	}
	return n;
}

static bool read_code(const char *path, u32 *w, u32 *n)
{
	static char text[4 << 20];
	FILE *f = fopen(path, "r");
	size_t len;

	if (!f)
		return false;
	len = fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	text[len] = 0;
	*n = read_hex(text, w, 2 * QPU_MAX_WORDS);
	return *n >= 2;
}

u32 qpu_test_corpus(int argc, char **argv, void (*fn)(const char *name, const u32 *w, u32 n))
{
	static u32 words[2 * QPU_MAX_WORDS];
	char dir[400] = "", path[800];
	struct dirent *e;
	u32 n, count = 0;
	DIR *d;
	int i;

	for (i = 1; i + 1 < argc; i++)
		if (!strcmp(argv[i], "--corpus"))
			snprintf(dir, sizeof(dir), "%s/qpu/code", argv[i + 1]);
	d = *dir ? opendir(dir) : NULL;
	if (!d)
		return 0;
	while ((e = readdir(d))) {
		if (strlen(e->d_name) < 5 || strcmp(e->d_name + strlen(e->d_name) - 4, ".hex"))
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
		if (!read_code(path, words, &n))
			continue;
		fn(e->d_name, words, n & ~1U);
		count++;
	}
	closedir(d);
	return count;
}
