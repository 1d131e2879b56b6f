// SPDX-License-Identifier: GPL-2.0
/*
 * MBS1 files: written files read back unchanged, files of several producers are accepted;
 * every kind of damage is refused with its location, without further effects.
 */
#include "mbs1.h"
#include "utgard_test.h"

/* ---- hand-written files ---- */

struct image {
	uint8_t data[4096];
	size_t len;
	size_t open[8];
	u32 depth;
};

static void put(struct image *f, u32 value, u32 bytes)
{
	while (bytes--) {
		f->data[f->len++] = (uint8_t)value;
		value >>= 8;
	}
}

static void tag(struct image *f, const char *s)
{
	memcpy(f->data + f->len, s, 4);
	f->len += 4;
}

static void begin(struct image *f, const char *s)
{
	tag(f, s);
	put(f, 0, 4);
	f->open[f->depth++] = f->len;
}

static void end(struct image *f)
{
	size_t at = f->open[--f->depth], len = f->len;

	f->len = at - 4;
	put(f, (u32)(len - at), 4);
	f->len = len;
}

static void string(struct image *f, const char *s)
{
	size_t n = strlen(s) + 1;

	begin(f, "STRI");
	memcpy(f->data + f->len, s, n);
	f->len += n;
	while (n++ % 4)
		f->data[f->len++] = 0;
	end(f);
}

/* A symbol: name, type, components, entries, offset, parent; @extra: further chunks follow. */
static void symbol(struct image *f, const char *kind, const char *name, u32 type, u32 offset,
		   bool is_short, bool extra)
{
	begin(f, kind);
	string(f, name);
	put(f, type << 8, 2);
	put(f, 4, 2);
	put(f, 4, 2);
	put(f, 3, 2);
	put(f, 5, 2);
	put(f, 0x10, 1);
	put(f, 3, 1);
	put(f, 0, is_short ? 2 : 4);
	put(f, offset, 2);
	if (!is_short)
		put(f, 0xffff, 2);
	if (extra) {
		begin(f, "VIDX");
		put(f, 0, 4);
		end(f);
		begin(f, "VINI");
		put(f, 2, 4);
		put(f, 0x3f800000, 4);
		put(f, 0x40000000, 4);
		end(f);
	}
	end(f);
}

static void code(struct image *f, u32 words)
{
	begin(f, "DBIN");
	while (words--)
		put(f, 0x1000 + words, 4);
	end(f);
}

/* As written by newer compilers. */
static void vertex(struct image *f)
{
	begin(f, "CVER");
	put(f, 6, 4);
	begin(f, "FINS");
	put(f, 0, 4);
	put(f, 2, 4);
	put(f, 1, 4);
	end(f);
	begin(f, "SUNI");
	put(f, 2, 4);
	put(f, 12, 4);
	symbol(f, "VUNI", "matrix", 4, 0, false, true);
	symbol(f, "VUNI", "tint", 1, 16, false, false);
	end(f);
	begin(f, "SATT");
	put(f, 1, 4);
	symbol(f, "VATT", "where", 1, 4, true, false);
	end(f);
	begin(f, "SVAR");
	put(f, 1, 4);
	symbol(f, "VVAR", "color", 1, 0xffff, false, false);
	end(f);
	code(f, 8);
	end(f);
}

/* As older ones do. */
static void fragment(struct image *f)
{
	begin(f, "CFRA");
	put(f, 5, 4);
	begin(f, "FSTA");
	put(f, 3, 4);
	put(f, 1, 4);
	end(f);
	begin(f, "FDIS");
	put(f, 1, 4);
	end(f);
	begin(f, "FBUU");
	put(f, 0x0100, 4);
	put(f, 0, 4);
	end(f);
	begin(f, "SUNI");
	put(f, 1, 4);
	symbol(f, "VUNI", "image", 5, 0, false, false);
	end(f);
	begin(f, "SVAR");
	put(f, 0, 4);
	end(f);
	begin(f, "WHAT");
	put(f, 7, 1);
	end(f);
	code(f, 3);
	end(f);
}

static void make(struct image *f)
{
	memset(f, 0, sizeof(*f));
	begin(f, "MBS1");
	fragment(f);
	vertex(f);
	end(f);
}

static struct image good;
static struct vs_mbs1 *parsed;

static void test_contents(void)
{
	struct vs_error err;
	const struct vs_mbs1_program *v, *f;
	const struct vs_mbs1_symbol *s;

	make(&good);
	tap_result(!vs_mbs1_parse(good.data, good.len, &parsed, &err), "a file is read %s",
		   err.text);
	f = vs_mbs1_find(parsed, VS_MBS1_FRAGMENT, 0);
	v = vs_mbs1_find(parsed, VS_MBS1_VERTEX, 0);
	tap_result(parsed->n == 2 && v && f && !vs_mbs1_find(parsed, VS_MBS1_VERTEX, 1),
		   "programs");
	tap_result(v->core == 6 && v->instructions == 2 && v->prefetch == 1 && v->ncode == 8 &&
		   v->code[0] == 0x1007 && v->code[7] == 0x1000, "vertex program");
	tap_result(f->core == 5 && f->stack_size == 3 && f->stack_offset == 1 && f->discard == 1 &&
		   !f->buffers[0] && f->buffers[1] && !f->buffers[2] && f->ncode == 3 &&
		   f->skipped == 1, "fragment program");
	s = vs_mbs1_symbol(v, VS_MBS1_UNIFORM, "matrix");
	tap_result(s && s->type == 4 && s->components == 4 && s->size == 4 && s->entries == 3 &&
		   s->stride == 5 && s->dst_stride == 16 && s->precision == 3 &&
		   s->parent == VS_MBS1_NONE && s->ninit == 2 && s->init[1] == 0x40000000,
		   "a uniform with first values");
	s = vs_mbs1_symbol(v, VS_MBS1_UNIFORM, "tint");
	tap_result(s && s->offset == 16 && !s->init && v->tables[VS_MBS1_UNIFORM].sized &&
		   v->tables[VS_MBS1_UNIFORM].size == 12 && !f->tables[VS_MBS1_UNIFORM].sized,
		   "uniforms and their size");
	s = vs_mbs1_symbol(v, VS_MBS1_ATTRIBUTE, "where");
	tap_result(s && s->offset == 4 && s->parent == VS_MBS1_NONE, "an attribute");
	s = vs_mbs1_symbol(v, VS_MBS1_VARYING, "color");
	tap_result(s && s->offset == VS_MBS1_NONE &&
		   !vs_mbs1_symbol(v, VS_MBS1_VARYING, "matrix"), "a varying that is not used");
	s = vs_mbs1_symbol(f, VS_MBS1_UNIFORM, "image");
	tap_result(s && !strcmp(vs_mbs1_type_name(s->type), "sampler2D") &&
		   !vs_mbs1_type_name(7) && !vs_mbs1_type_name(10) &&
		   f->tables[VS_MBS1_VARYING].there && !f->tables[VS_MBS1_ATTRIBUTE].there,
		   "tables");
}

static bool same_symbols(const struct vs_mbs1_table *a, const struct vs_mbs1_table *b)
{
	u32 i;

	if (a->n != b->n || a->sized != b->sized || a->size != b->size || a->there != b->there)
		return false;
	for (i = 0; i < a->n; i++) {
		const struct vs_mbs1_symbol *x = &a->symbols[i], *y = &b->symbols[i];

		if (strcmp(x->name, y->name) || x->type != y->type || x->offset != y->offset ||
		    x->components != y->components || x->entries != y->entries ||
		    x->stride != y->stride || x->parent != y->parent || x->ninit != y->ninit ||
		    (x->ninit && memcmp(x->init, y->init, 4 * x->ninit)))
			return false;
	}
	return true;
}

static void test_write(void)
{
	struct vs_mbs1 *again = NULL, empty = { NULL, 0 };
	void *data = NULL, *more = NULL;
	size_t size, size2;
	u32 i, k, bad = 0;
	bool ok;

	ok = !vs_mbs1_write(parsed, &data, &size) && !vs_mbs1_parse(data, size, &again, NULL) &&
	     again->n == parsed->n;
	for (i = 0; ok && i < parsed->n; i++) {
		const struct vs_mbs1_program *a = &parsed->programs[i], *b = &again->programs[i];

		bad += a->stage != b->stage || a->core != b->core || a->ncode != b->ncode ||
		       memcmp(a->code, b->code, 4 * a->ncode) || a->prefetch != b->prefetch ||
		       a->stack_size != b->stack_size || a->discard != b->discard ||
		       memcmp(a->buffers, b->buffers, sizeof(a->buffers));
		for (k = 0; k < VS_MBS1_NUM_KINDS; k++)
			bad += !same_symbols(&a->tables[k], &b->tables[k]);
	}
	tap_result(ok && !bad, "what is written reads back the same");
	ok = ok && !vs_mbs1_write(again, &more, &size2) && size == size2 &&
	     !memcmp(data, more, size);
	tap_result(ok, "and is written the same again");
	free(data);
	free(more);
	vs_mbs1_free(again);
	tap_result(vs_mbs1_write(&empty, &data, &size) == -EINVAL, "nothing is not written");
}

/* ---- damage ---- */

static bool refused(const uint8_t *data, size_t size, const char *message)
{
	struct vs_error err;
	struct vs_mbs1 *mbs;
	int ret = vs_mbs1_parse(data, size, &mbs, &err);

	if (ret == -EINVAL && !mbs && strstr(err.text, message) && err.offset <= size)
		return true;
	tap_comment("%d, byte %zu: \"%s\" instead of \"%s\"", ret, err.offset, err.text, message);
	vs_mbs1_free(mbs);
	return false;
}

/* Change a word at the position of a chunk's tag, plus some bytes. */
static bool damaged(const char *chunk, u32 plus, u32 value, const char *message)
{
	static uint8_t copy[sizeof(good.data)];
	uint8_t *at;
	u32 i;

	memcpy(copy, good.data, good.len);
	at = memmem(copy, good.len, chunk, 4);
	for (i = 0; i < 4; i++)
		at[plus + i] = (uint8_t)(value >> (8 * i));
	return refused(copy, good.len, message);
}

static void test_damage(void)
{
	u32 bad = 0;

	bad += !refused(good.data, 0, "too few for a chunk");
	bad += !refused(good.data, 7, "too few for a chunk");
	bad += !refused(good.data, good.len - 1, "are left in file");
	bad += !refused(good.data, good.len + 1, "1 bytes after the container");
	bad += !damaged("MBS1", 0, 0x3253424d, "no MBS1 file");
	bad += !damaged("MBS1", 4, 0, "after the container");
	bad += !damaged("CFRA", 4, 0xffffffff, "are left in MBS1");
	bad += !damaged("CFRA", 4, 2, "is too short");
	bad += !damaged("FSTA", 4, 4, "chunk FSTA has 4 bytes, not 8");
	bad += !damaged("FDIS", 4, 0, "chunk FDIS has 0 bytes, not 4");
	bad += !damaged("FBUU", 4, 7, "chunk FBUU has 7 bytes, not 8");
	bad += !damaged("FINS", 4, 16, "chunk FINS has 16 bytes, not 12");
	bad += !damaged("FINS", 12, 3, "3 instructions in 8 words");
	bad += !damaged("SUNI", 4, 0, "has no count");
	bad += !damaged("SUNI", 8, 9, "for 9 symbols");
	bad += !damaged("SUNI", 8, 0xffffffff, "for 4294967295 symbols");
	bad += !damaged("SUNI", 8, 0, "bytes after the symbols of SUNI");
	bad += !damaged("SATT", 12, 0x494e5556, "chunk VUNI where VATT was expected");
	bad += !damaged("VVAR", 4, 4, "are too few for a chunk");
	bad += !damaged("VVAR", 4, 28, "bytes for a symbol of 20");
	bad += !damaged("STRI", 4, 0x100000, "are left in VUNI");
	bad += !damaged("STRI", 8, 0x20202020, "invalid character in name");
	bad += !damaged("STRI", 0, 0x45444f4e, "begins with NODE, not with a name");
	bad += !damaged("VINI", 8, 3, "VINI has 3 values in 8 bytes");
	bad += !damaged("VINI", 4, 3, "chunk VINI has no count");
	bad += !damaged("SVAR", 0, 0x494e5553, "two chunks SUNI");
	bad += !damaged("DBIN", 4, 0xffffff00, "are left in CFRA");
	bad += !damaged("WHAT", 0, 0x4e494244, "1 bytes of code");
	tap_result(!bad, "damage is told where it is");
}

/* Programs without code, twice the same table, a member of nothing. */
static void test_structure(void)
{
	struct image f;
	u32 bad = 0;

	memset(&f, 0, sizeof(f));
	begin(&f, "MBS1");
	end(&f);
	bad += !refused(f.data, f.len, "there is no program in it");
	memset(&f, 0, sizeof(f));
	begin(&f, "MBS1");
	begin(&f, "CVER");
	put(&f, 6, 4);
	end(&f);
	end(&f);
	bad += !refused(f.data, f.len, "chunk CVER has no code");
	memset(&f, 0, sizeof(f));
	begin(&f, "MBS1");
	begin(&f, "CVER");
	put(&f, 6, 4);
	code(&f, 5);
	end(&f);
	end(&f);
	bad += !refused(f.data, f.len, "20 bytes of code");
	memset(&f, 0, sizeof(f));
	begin(&f, "MBS1");
	begin(&f, "CFRA");
	put(&f, 7, 4);
	begin(&f, "SUNI");
	put(&f, 1, 4);
	symbol(&f, "VUNI", "a", 1, 0, false, false);
	f.data[f.len - 2] = 1;
	f.data[f.len - 1] = 0;
	end(&f);
	code(&f, 1);
	end(&f);
	end(&f);
	bad += !refused(f.data, f.len, "symbol 0 is a member of symbol 1 of 1");
	tap_result(!bad, "files that are not programs are refused");
}

/* Any changed byte yields a container or an error with its location. */
static void test_changes(void)
{
	static uint8_t copy[sizeof(good.data)];
	struct vs_error err;
	struct vs_mbs1 *mbs;
	u32 i, k, good_ones = 0, odd = 0;
	int ret;

	for (i = 0; i < 40000; i++) {
		memcpy(copy, good.data, good.len);
		for (k = 0; k < 1 + i % 3; k++)
			copy[test_rand() % good.len] = i % 2 ? (uint8_t)test_rand() : 0xff;
		ret = vs_mbs1_parse(copy, good.len - i % 7 % 2, &mbs, &err);
		good_ones += !ret;
		odd += ret ? ret != -EINVAL || !err.text[0] || err.offset > good.len : !mbs->n;
		vs_mbs1_free(mbs);
	}
	tap_result(!odd && good_ones > 1000, "40000 changed files, %u are still files", good_ones);
}

int main(void)
{
	test_contents();
	test_write();
	test_damage();
	test_structure();
	test_changes();
	vs_mbs1_free(parsed);
	return tap_done();
}
