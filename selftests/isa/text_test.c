// SPDX-License-Identifier: GPL-2.0
/* Shared helpers of the tests of disassemblers, assemblers and their corpora. */
#include <dirent.h>

#include "text_test.h"

char *text_test_listing(const struct text_isa *isa, const u32 *words, u32 nwords)
{
	int len = isa->listing(words, nwords, NULL, 0);
	char *text = len < 0 ? NULL : malloc((size_t)len + 1);

	if (text && isa->listing(words, nwords, text, (size_t)len + 1) != len) {
		free(text);
		return NULL;
	}
	return text;
}

bool text_test_assemble(const struct text_isa *isa, const char *text, u32 **words, u32 *nwords,
			char *msg, size_t size)
{
	struct vs_as_diag diag;

	if (!isa->as(text, strlen(text), words, nwords, NULL, &diag))
		return true;
	snprintf(msg, size, "line %u: %s", diag.messages[0].line,
		 diag.nmessages ? diag.messages[0].text : "no message");
	return false;
}

bool text_test_round_trip(const struct text_isa *isa, const u32 *words, u32 nwords, char *msg,
			  size_t size)
{
	char *text = text_test_listing(isa, words, nwords);
	u32 *back = NULL, nback, i;
	bool ok;

	if (!text) {
		snprintf(msg, size, "no listing");
		return false;
	}
	ok = text_test_assemble(isa, text, &back, &nback, msg, size);
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

char *text_test_read(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = f ? calloc(1, 4 << 20) : NULL;

	if (text)
		text[fread(text, 1, (4 << 20) - 1, f)] = '\0';
	if (f)
		fclose(f);
	return text;
}

u32 text_test_words(const char *path, u32 *words, u32 max)
{
	char *text = text_test_read(path), *p = text, *end;
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

static u32 mali_dir(const char *dir, mali_test_fn fn, void *ctx)
{
	static u32 words[4 * 16384];
	char path[1200], *text, *listing;
	DIR *d = opendir(dir);
	struct dirent *e;
	u32 count = 0;
	size_t len;

	while (d && (e = readdir(d))) {
		struct mali_test_file f = { .name = e->d_name, .words = words };

		len = strlen(e->d_name);
		if (len < 5 || strcmp(e->d_name + len - 4, ".hex"))
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
		f.nwords = text_test_words(path, words, ARRAY_SIZE(words));
		memcpy(path + strlen(path) - 4, ".txt", 4);
		text = text_test_read(path);
		listing = text ? strstr(text, "[disassembly]\n") : NULL;
		f.text = text;
		f.listing = listing ? listing + 14 : NULL;
		fn(&f, ctx);
		free(text);
		count++;
	}
	if (d)
		closedir(d);
	return count;
}

u32 mali_test_corpus(int argc, char **argv, const char *folder, mali_test_fn fn, void *ctx)
{
	char dir[600];
	u32 count = 0;
	int i;

	for (i = 1; i + 1 < argc; i++) {
		if (strcmp(argv[i], "--corpus"))
			continue;
		snprintf(dir, sizeof(dir), "%s/mali/bin/%s", argv[i + 1], folder);
		count += mali_dir(dir, fn, ctx);
	}
	return count;
}
