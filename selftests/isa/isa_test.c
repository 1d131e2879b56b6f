// SPDX-License-Identifier: GPL-2.0
/* Shared helpers of the tests of instruction sets. */
#include "isa_test.h"
#include "pica_disasm.h"
#include "../pica/json_util.h"

static u32 rand_state = 0x12345678;

void test_seed(u32 seed)
{
	rand_state = seed ? seed : 1;
}

u32 test_rand(void)
{
	rand_state ^= rand_state << 13;
	rand_state ^= rand_state >> 17;
	rand_state ^= rand_state << 5;
	return rand_state;
}

void test_src(const struct test_prog *p, struct vs_src *src)
{
	memset(src, 0, sizeof(*src));
	src->stage = p->stage;
	src->words[VS_SECTION_CODE] = p->code;
	src->nwords[VS_SECTION_CODE] = p->ncode;
	src->words[VS_SECTION_OPDESC] = p->opdesc;
	src->nwords[VS_SECTION_OPDESC] = p->nopdesc;
	src->entries = &p->entry;
	src->nentries = 1;
}

void test_view(const struct test_prog *p, struct pica_program *view)
{
	struct vs_src src;

	test_src(p, &src);
	pica_program_init(view, &src);
}

static void first_error(const struct vs_as_diag *diag, char *msg, size_t size)
{
	u32 i;

	for (i = 0; msg && i < diag->nmessages; i++) {
		const struct vs_as_message *m = &diag->messages[i];

		if (!m->error)
			continue;
		snprintf(msg, size, "%u:%u: %s", m->line, m->column, m->text);
		return;
	}
	if (msg)
		snprintf(msg, size, "no message");
}

bool test_assemble(const char *text, struct test_prog *p, char *msg, size_t size)
{
	struct vs_as_result res;
	struct vs_as_diag diag;
	int ret = vs_as_pica(text, strlen(text), &res, &diag);

	memset(p, 0, sizeof(*p));
	if (ret) {
		first_error(&diag, msg, size);
		return false;
	}
	memcpy(p->code, res.bin->code, res.bin->ncode * sizeof(u32));
	p->ncode = res.bin->ncode;
	memcpy(p->opdesc, res.bin->opdesc, res.bin->nopdesc * sizeof(u32));
	p->nopdesc = res.bin->nopdesc;
	p->entry = res.entries[0];
	p->stage = res.bin->dvles[0].type == VS_SHBIN_GEOMETRY ? VS_STAGE_GEOMETRY :
		   VS_STAGE_VERTEX;
	vs_as_result_free(&res);
	return true;
}

char *test_listing(const struct test_prog *p)
{
	struct pica_program view;
	char *text;
	int len;

	test_view(p, &view);
	len = pica_listing(&view, NULL, 0);
	if (len < 0)
		return NULL;
	text = malloc((size_t)len + 1);
	if (text)
		pica_listing(&view, text, (size_t)len + 1);
	return text;
}

bool test_round_trip(const struct test_prog *p, char *msg, size_t size)
{
	struct test_prog *back = malloc(sizeof(*back));
	char *text = test_listing(p);
	bool same = false;
	u32 i;

	if (!back || !text) {
		snprintf(msg, size, "no listing");
		goto out;
	}
	if (!test_assemble(text, back, msg, size))
		goto out;
	if (back->ncode != p->ncode || back->nopdesc != p->nopdesc || back->entry != p->entry ||
	    back->stage != p->stage) {
		snprintf(msg, size, "%u words, %u descriptors, entry %u, stage %u", back->ncode,
			 back->nopdesc, back->entry, back->stage);
		goto out;
	}
	for (i = 0; i < p->ncode; i++) {
		if (back->code[i] != p->code[i]) {
			snprintf(msg, size, "word 0x%03x: %08x became %08x", i, p->code[i],
				 back->code[i]);
			goto out;
		}
	}
	same = !memcmp(back->opdesc, p->opdesc, p->nopdesc * sizeof(u32));
	if (!same)
		snprintf(msg, size, "descriptors differ");
out:
	free(text);
	free(back);
	return same;
}

static const char *option(int argc, char **argv, const char *name)
{
	int i;

	for (i = 1; i + 1 < argc; i++)
		if (!strcmp(argv[i], name))
			return argv[i + 1];
	return NULL;
}

const char *test_data(int argc, char **argv, const char *name)
{
	static char path[4096];
	const char *dir = option(argc, argv, "--data");

	snprintf(path, sizeof(path), "%s/%s", dir ? dir : "../pica/data", name);
	return path;
}

static u32 hex_words(struct json_object *obj, const char *name, u32 *out, unsigned int max)
{
	unsigned int n = 0;
	u32 *words = NULL;

	if (ju_words(obj, name, &words, &n, max))
		n = 0;
	if (n)
		memcpy(out, words, n * sizeof(u32));
	free(words);
	return n;
}

static u32 corpus_file(const char *path, const char *member, enum vs_stage stage,
		       void (*fn)(const char *id, const struct test_prog *p))
{
	struct json_object *root = ju_load(path), *cases = NULL;
	struct test_prog *p = malloc(sizeof(*p));
	u32 done = 0;
	int i, n = 0;

	if (root)
		n = ju_array(root, member, &cases);
	for (i = 0; p && i < n; i++) {
		struct json_object *c = json_object_array_get_idx(cases, (size_t)i);
		struct json_object *id = ju_get(c, "id"), *entry = ju_get(c, "entry");

		memset(p, 0, sizeof(*p));
		p->stage = stage;
		p->ncode = hex_words(c, "code", p->code, PICA_MAX_CODE);
		p->nopdesc = hex_words(c, "opdesc", p->opdesc, PICA_MAX_OPDESC);
		p->entry = entry ? (u32)json_object_get_int(entry) : 0;
		id = id ? id : ju_get(c, "name");
		if (!p->ncode)
			continue;
		fn(id ? json_object_get_string(id) : "?", p);
		done++;
	}
	free(p);
	json_object_put(root);
	return done;
}

static u32 corpus_dir(const char *dir, void (*fn)(const char *id, const struct test_prog *p))
{
	static const struct {
		const char *file;
		const char *member;
		enum vs_stage stage;
	} files[] = {
		{ "cases.json", "cases", VS_STAGE_VERTEX },
		{ "gs_cases.json", "cases", VS_STAGE_GEOMETRY },
		{ "workloads.json", "workloads", VS_STAGE_VERTEX },
	};
	char path[4096];
	u32 done = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(files); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, files[i].file);
		done += corpus_file(path, files[i].member, files[i].stage, fn);
	}
	return done;
}

u32 test_corpus(int argc, char **argv, void (*fn)(const char *id, const struct test_prog *p))
{
	const char *data = option(argc, argv, "--data");
	const char *corpus = option(argc, argv, "--corpus");
	char path[4096];
	u32 done = corpus_dir(data ? data : "../pica/data", fn);

	if (corpus) {
		snprintf(path, sizeof(path), "%s/pica", corpus);
		done += corpus_dir(path, fn);
	}
	return done;
}
