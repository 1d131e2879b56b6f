// SPDX-License-Identifier: GPL-2.0
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "../pica/json_util.h"
#include "qcase.h"

#define MAX_WINDOW	(64u << 20)

/* A range of words in the window; grows it in the first pass. */
static int range(struct qcase *c, struct json_object *obj, uint32_t *addr, unsigned int *nwords)
{
	int64_t n;

	if (ju_hex(ju_get(obj, "addr"), addr) ||
	    ju_int(ju_get(obj, "nwords"), 0, MAX_WINDOW / 4, &n))
		return -1;
	*nwords = (unsigned int)n;
	if (*addr % 4)
		return ju_fail("address is not a multiple of 4");
	if (c->image) {
		if (*addr < c->lo || (uint64_t)*addr + 4 * n > (uint64_t)c->lo + c->size)
			return ju_fail("range outside the window");
		return 0;
	}
	if (!c->size)
		c->lo = *addr;
	if (*addr < c->lo) {
		c->size += c->lo - *addr;
		c->lo = *addr;
	}
	if (*addr - c->lo + 4 * *nwords > c->size)
		c->size = *addr - c->lo + 4 * *nwords;
	return c->size > MAX_WINDOW ? ju_fail("window too large") : 0;
}

/* Words of an array of lines. */
static int lines(struct json_object *obj, uint8_t *to, unsigned int nwords)
{
	struct json_object *array;
	int i, n = ju_array(obj, "words", &array);
	unsigned int have = 0;
	const char *text;
	uint32_t word;
	char *end;

	for (i = 0; i < n; i++) {
		text = json_object_get_string(json_object_array_get_idx(array, i));
		for (;; text = end) {
			word = (uint32_t)strtoul(text, &end, 16);
			if (end == text)
				break;
			if (have == nwords)
				return ju_fail("more words than nwords");
			memcpy(to + 4 * have++, &word, 4);
		}
	}
	return n >= 0 && have == nwords ? 0 : ju_fail("words missing");
}

static int load_memory(struct qcase *c, struct json_object *root)
{
	struct json_object *array, *item;
	int i, n = ju_array(root, "memory", &array);
	unsigned int nwords;
	uint32_t addr;

	for (i = 0; i < n; i++) {
		item = json_object_array_get_idx(array, i);
		if (range(c, item, &addr, &nwords))
			return -1;
		if (c->image && lines(item, c->image + (addr - c->lo), nwords))
			return -1;
	}
	return n < 0 ? -1 : 0;
}

static int load_code(struct qcase *c, struct json_object *root, const char *folder)
{
	struct json_object *code = ju_get(root, "code");
	unsigned int nwords, i, word;
	char path[512], *file;
	uint32_t addr;
	FILE *f;

	if (!code || range(c, code, &addr, &nwords))
		return -1;
	if (!c->image)
		return 0;
	if (ju_string(code, "file", &file))
		return -1;
	snprintf(path, sizeof(path), "%s/%s", folder, file);
	free(file);
	f = fopen(path, "r");
	if (!f)
		return ju_fail("no file %s", path);
	for (i = 0; i < nwords && fscanf(f, "%x", &word) == 1; i++)
		memcpy(c->image + (addr - c->lo) + 4 * i, &word, 4);
	fclose(f);
	return i == nwords ? 0 : ju_fail("code too short");
}

/* Is this word of an expectation left open? Words in groups of 19 rows of 16. */
static bool left_open(struct json_object *expect, unsigned int word, unsigned int nwords)
{
	static const char *const key[] = { "undefined_rows_mod19", "ignore_lanes_in_last_group" };
	unsigned int value[] = { word / 16 % 19, word % 16 }, k;
	struct json_object *list;
	int i, n;

	for (k = 0; k < 2; k++) {
		if (!ju_get(expect, key[k]) || (k && word < nwords - 19 * 16))
			continue;
		n = ju_array(expect, key[k], &list);
		for (i = 0; i < n; i++) {
			if (json_object_get_int(json_object_array_get_idx(list, i)) ==
			    (int)value[k])
				return true;
		}
	}
	return false;
}

static int load_expect(struct qcase *c, struct json_object *root)
{
	struct json_object *array, *item;
	int i, n = ju_array(root, "expect", &array);
	unsigned int nwords, w;
	uint32_t addr;

	for (i = 0; i < n; i++) {
		item = json_object_array_get_idx(array, i);
		if (range(c, item, &addr, &nwords))
			return -1;
		if (ju_get(item, "undefined_ranges") || ju_get(item, "undefined_columns"))
			return ju_fail("expectation with holes that are not known here");
		if (!c->image)
			continue;
		if (lines(item, c->want + (addr - c->lo), nwords))
			return -1;
		for (w = 0; w < nwords; w++)
			memset(c->mask + (addr - c->lo) + 4 * w,
			       left_open(item, w, nwords) ? 0 : 0xff, 4);
	}
	return n < 0 ? -1 : 0;
}

static int load_launch(struct qcase *c, struct json_object *root)
{
	struct json_object *array, *item;
	int i, n = ju_array(root, "launch", &array);
	int64_t qpu, insns;

	if (n < 1 || n > QCASE_MAX_THREADS)
		return ju_fail("launch list");
	for (i = 0; i < n; i++) {
		item = json_object_array_get_idx(array, i);
		if (ju_int(ju_get(item, "qpu"), i, i, &qpu) ||
		    ju_hex(ju_get(item, "uniforms"), &c->threads[i].uniforms) ||
		    ju_hex(ju_get(item, "pc"), &c->threads[i].pc))
			return -1;
	}
	c->nthreads = (unsigned int)n;
	if (ju_int(ju_get(ju_get(root, "stats"), "instructions"), 1, INT64_MAX, &insns))
		return -1;
	c->insns = (uint64_t)insns;
	return ju_words(root, "pointer_words", &c->pointers, &c->npointers, MAX_WINDOW / 4);
}

static int load_ranges(struct qcase *c, struct json_object *root, const char *folder)
{
	return load_memory(c, root) || load_code(c, root, folder) || load_expect(c, root) ? -1 : 0;
}

static int load(struct qcase *c, struct json_object *root, const char *folder)
{
	const char *format = json_object_get_string(ju_get(root, "format"));

	if (!format || strcmp(format, "qpu-job/1"))
		return ju_fail("not of format qpu-job/1");
	if (load_ranges(c, root, folder))
		return -1;
	c->image = calloc(3, c->size);
	if (!c->image)
		return ju_fail("out of memory");
	c->want = c->image + c->size;
	c->mask = c->want + c->size;
	if (load_ranges(c, root, folder))
		return -1;
	return load_launch(c, root);
}

int qcase_load(const char *folder, const char *name, struct qcase *c)
{
	struct json_object *root;
	char path[512];
	int ret;

	memset(c, 0, sizeof(*c));
	snprintf(c->name, sizeof(c->name), "%s", name);
	snprintf(path, sizeof(path), "%s/cases/%s.json", folder, name);
	root = ju_load(path);
	if (!root)
		return -1;
	ret = load(c, root, folder);
	json_object_put(root);
	return ret;
}

void qcase_free(struct qcase *c)
{
	free(c->image);
	free(c->pointers);
}

static void move_pointers(const struct qcase *c, uint8_t *words, uint32_t offset)
{
	uint32_t v;
	unsigned int i;

	for (i = 0; i < c->npointers; i++) {
		memcpy(&v, words + (c->pointers[i] - c->lo), 4);
		v += offset;
		memcpy(words + (c->pointers[i] - c->lo), &v, 4);
	}
}

unsigned int qcase_run(const struct qcase *c, unsigned int ex, uint32_t offset,
		       struct qx_result *res)
{
	uint8_t *mem = malloc(2 * (size_t)c->size), *want = mem + c->size;
	struct qpu_ref_thread threads[QCASE_MAX_THREADS];
	struct qx_job job = {
		.lo = c->lo + offset, .size = c->size, .mem = mem, .threads = threads,
		.nthreads = c->nthreads,
	};
	unsigned int i, wrong = 0;

	assert(mem);
	memcpy(mem, c->image, c->size);
	memcpy(want, c->want, c->size);
	move_pointers(c, mem, offset);
	move_pointers(c, want, offset);
	for (i = 0; i < c->nthreads; i++) {
		threads[i] = (struct qpu_ref_thread){
			.uniforms = c->threads[i].uniforms + offset,
			.pc = c->threads[i].pc + offset,
		};
	}
	qx_run(ex, &job, res);
	for (i = 0; i < c->size; i += 4)
		wrong += c->mask[i] && memcmp(mem + i, want + i, 4);
	free(mem);
	return wrong;
}
