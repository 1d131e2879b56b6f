// SPDX-License-Identifier: GPL-2.0
/*
 * SHBIN files: the assembler's output reads back unchanged; every kind of damage is
 * refused with its location, without further effects.
 */
#include "isa_test.h"

static const char source[] =
	".fvec proj[4], tint, _hidden\n.ivec n\n.bool lit[2]\n"
	".constf one(1.0, 2.0, -0.5, 0.0)\n.consti c(1, 2, 3, 255)\n.setb b9 true\n"
	".out pos position\n.out clr color.xyz\n.out - texcoord0w clr.w\n.in where\n"
	".in light$color v5\n"
	".proc main\ndp4 pos, proj, where\nmov clr, one\nmov r0, tint\n"
	"mov r1, _hidden\nend\n.end\n";

static struct vs_shbin *good;
static uint8_t *image;
static size_t image_size;

static void test_build(void)
{
	struct vs_as_result res;
	struct vs_as_diag diag;
	void *data;
	int ret = vs_as_pica(source, strlen(source), &res, &diag);

	tap_result(!ret, "source assembles %s", ret ? diag.messages[0].text : "");
	ret = vs_shbin_write(res.bin, &data, &image_size);
	tap_result(!ret && image_size % 4 == 0, "written: %zu bytes", image_size);
	image = data;
	vs_as_result_free(&res);
	ret = vs_shbin_parse(image, image_size, &good, NULL);
	tap_result(!ret, "read back");
}

static void test_contents(void)
{
	const struct vs_shbin_dvle *d = &good->dvles[0];
	const struct vs_shbin_reg *r;

	tap_result(good->ndvles == 1 && good->ncode == 5 && d->type == VS_SHBIN_VERTEX &&
		   d->version == VS_SHBIN_VERSION && d->entry == 0 && d->end == 5, "header");
	tap_result(good->code[4] == 0x88000000, "code");
	tap_result(d->in_mask == (1 << 0 | 1 << 5) && d->out_mask == 0x3, "register masks");
	tap_result(d->nouts == 3 && d->outs[0].type == VS_SHBIN_OUT_POSITION &&
		   d->outs[0].mask == 0xf && d->outs[1].type == VS_SHBIN_OUT_COLOR &&
		   d->outs[1].mask == 0x7 && d->outs[2].type == VS_SHBIN_OUT_TEX0W &&
		   d->outs[2].reg == 1 && d->outs[2].mask == 0x8, "outputs");
	tap_result(d->nconsts == 3 && d->consts[0].type == VS_SHBIN_FLOAT &&
		   d->consts[0].reg == 95 && d->consts[0].value[0] == 0x3f0000 &&
		   d->consts[0].value[2] == 0xbe0000, "float constant");
	tap_result(d->consts[1].type == VS_SHBIN_INT && d->consts[1].reg == 3 &&
		   d->consts[1].value[3] == 255, "integer constant");
	tap_result(d->consts[2].type == VS_SHBIN_BOOL && d->consts[2].reg == 9 &&
		   d->consts[2].value[0] == 1, "boolean constant");
	r = vs_shbin_find_reg(d, "proj");
	tap_result(r && r->kind == 'c' && r->first == 0 && r->last == 3, "float uniforms");
	r = vs_shbin_find_reg(d, "light.color");
	tap_result(r && r->kind == 'v' && r->first == 5, "an input with a point in its name");
	r = vs_shbin_find_reg(d, "lit");
	tap_result(r && r->kind == 'b' && r->last == 1 && vs_shbin_find_reg(d, "n")->kind == 'i',
		   "boolean and integer uniforms");
	tap_result(!vs_shbin_find_reg(d, "_hidden") && !vs_shbin_find_reg(d, "nothing") &&
		   !vs_shbin_find_label(d, "nothing"), "names that are not there");
}

static void test_labels(void)
{
	struct vs_shbin_label label = { .name = "start", .id = 3, .word = 2, .size = 1 };
	struct vs_shbin *bin = NULL;
	const struct vs_shbin_label *l;
	void *data;
	size_t size;
	int ret;

	good->dvles[0].labels[0] = label;
	good->dvles[0].nlabels = 1;
	ret = vs_shbin_write(good, &data, &size);
	good->dvles[0].nlabels = 0;
	if (!ret)
		ret = vs_shbin_parse(data, size, &bin, NULL);
	l = ret ? NULL : vs_shbin_find_label(&bin->dvles[0], "start");
	tap_result(l && l->word == 2 && l->id == 3 && l->size == 1 &&
		   vs_shbin_find_reg(&bin->dvles[0], "proj"), "label");
	vs_shbin_free(bin);
	if (!ret)
		free(data);
}

static void put32(uint8_t *at, uint32_t v)
{
	int i;

	for (i = 0; i < 4; i++)
		at[i] = (uint8_t)(v >> (8 * i));
}

/* Where the DVLE of the image is. */
static uint32_t dvle_at(void)
{
	return image[8] | image[9] << 8;
}

struct damage {
	const char *name;
	bool in_dvle;
	uint32_t at;
	uint32_t value;
	size_t where;		/* expected offset of the message; ~0: any */
	const char *text;
};

#define DVLP	12u
#define ANY	(~(size_t)0)

static const struct damage damages[] = {
	{ "DVLB magic", false, 0, 0x12345678, 0, "no DVLB magic" },
	{ "number of programs", false, 4, 0x40000000, 4, "1073741824 programs do not fit" },
	{ "offset of a program", false, 8, 0xfffffffc, ANY, "DVLE: 1 entries at offset" },
	{ "offset of a program", false, 8, 4, ANY, "no DVLE where" },
	{ "DVLP magic", false, DVLP, 0, DVLP, "no DVLP after" },
	{ "offset of the code", false, DVLP + 8, 0xffffff00, DVLP, "code: 5 entries at offset" },
	{ "size of the code", false, DVLP + 12, 4097, DVLP + 12,
	  "4097 instruction words (limit 4096)" },
	{ "size of the code", false, DVLP + 12, 4096, DVLP, "code: 4096 entries" },
	{ "offset of the descriptors", false, DVLP + 16, 0x7fffffff, DVLP, "operand descriptors:" },
	{ "number of descriptors", false, DVLP + 20, 129, DVLP + 20, "129 operand descriptors" },
	{ "DVLE magic", true, 0, 0, ANY, "no DVLE where" },
	{ "type", true, 4, 0x00021002, ANY, "unknown program type 2" },
	{ "entry point", true, 8, 5, ANY, "entry point is word 5 of 5" },
	{ "end", true, 12, 6, ANY, "program ends at word 6 of 5" },
	{ "geometry mode", true, 20, 3, ANY, "unknown geometry mode 3" },
	{ "offset of the constants", true, 24, 0xfffffff0, ANY, "constants: 3 entries" },
	{ "number of constants", true, 28, 0x0ccccccd, ANY, "constants: 214748365 entries" },
	{ "number of labels", true, 36, 100, ANY, "labels: 100 entries" },
	{ "number of outputs", true, 44, 0x20000001, ANY, "outputs: 536870913 entries" },
	{ "number of uniforms", true, 52, 0x80000000, ANY, "uniforms: 2147483648 entries" },
	{ "size of the strings", true, 60, 0xffffffff, ANY, "strings: 4294967295 entries" },
	{ "size of the strings", true, 60, 3, ANY, "name at" },
	{ "type of a constant", true, 64, 0x005f0003, ANY, "constant 0 has unknown type 3" },
	{ "register of a constant", true, 64, 0x00600002, ANY, "constant 0 is for register 96" },
	{ "register of an output", true, 64 + 3 * 20, 0x00100000, ANY, "output 0 is register 16" },
	{ "range of a uniform", true, 64 + 3 * 20 + 3 * 8 + 4, 0x00040005, ANY,
	  "uniform 0 ends (4) before it starts (5)" },
	{ "name of a uniform", true, 64 + 3 * 20 + 3 * 8, 0x1000, ANY,
	  "name at 4096 lies outside" },
};

static void test_damage(const struct damage *d)
{
	uint8_t *copy = malloc(image_size);
	struct vs_shbin *bin = NULL;
	struct vs_error err = { 0 };
	int ret;

	memcpy(copy, image, image_size);
	put32(copy + d->at + (d->in_dvle ? dvle_at() : 0), d->value);
	ret = vs_shbin_parse(copy, image_size, &bin, &err);
	tap_result(ret == -EINVAL && !bin && (d->where == ANY || err.offset == d->where) &&
		   err.offset < image_size && !strncmp(err.text, d->text, strlen(d->text)),
		   "%s %u: byte %zu: %s", d->name, d->value, err.offset, err.text);
	vs_shbin_free(bin);
	free(copy);
}

/* Exactly sized copies, so that a sanitizer sees every byte too far. */
static void test_lengths(void)
{
	size_t size, accepted = 0;

	for (size = 0; size < image_size; size++) {
		uint8_t *copy = malloc(size ? size : 1);
		struct vs_shbin *bin = NULL;
		struct vs_error err;

		memcpy(copy, image, size);
		accepted += !vs_shbin_parse(copy, size, &bin, &err);
		vs_shbin_free(bin);
		free(copy);
	}
	/* The last bytes may be padding after the strings. */
	tap_result(accepted < 4, "files cut at any length are refused (%zu are not)", accepted);
}

static void test_noise(void)
{
	u32 i, k, accepted = 0;

	for (i = 0; i < 100000; i++) {
		uint8_t *copy = malloc(image_size);
		struct vs_shbin *bin = NULL;
		struct vs_error err;

		memcpy(copy, image, image_size);
		for (k = 0; k <= i % 4; k++)
			copy[test_rand() % image_size] = (uint8_t)test_rand();
		if (!vs_shbin_parse(copy, image_size, &bin, &err)) {
			void *data;
			size_t size;

			accepted++;
			if (!vs_shbin_write(bin, &data, &size))
				free(data);
		}
		vs_shbin_free(bin);
		free(copy);
	}
	tap_result(accepted && accepted < 100000, "100000 damaged files: %u are still sound",
		   accepted);
}

/* Many programs that all point to the same big table must not multiply it. */
static void test_amplification(void)
{
	size_t size = 1 << 20, table = 900000;
	uint8_t *file = calloc(1, size);
	u32 i, n = 512, dvle = 8 + 4 * n + 40;
	struct vs_shbin *bin = NULL;
	struct vs_error err;
	int ret;

	put32(file, 0x424c5644);
	put32(file + 4, n);
	put32(file + 8 + 4 * n, 0x504c5644);
	put32(file + 8 + 4 * n + 8, 40);
	put32(file + 8 + 4 * n + 12, 1);
	for (i = 0; i < n; i++) {
		uint8_t *d = file + dvle + 64 * i;

		put32(file + 8 + 4 * i, dvle + 64 * i);
		put32(d, 0x454c5644);
		put32(d + 24, (uint32_t)(size - table - dvle - 64 * i));
		put32(d + 28, (uint32_t)(table / 20));
	}
	ret = vs_shbin_parse(file, size, &bin, &err);
	tap_result(ret == -EINVAL && strstr(err.text, "overlap"), "shared tables: %s", err.text);
	vs_shbin_free(bin);
	free(file);
}

int main(void)
{
	size_t i;

	test_build();
	if (!good)
		return tap_done();
	test_contents();
	test_labels();
	for (i = 0; i < ARRAY_SIZE(damages); i++)
		test_damage(&damages[i]);
	test_lengths();
	test_noise();
	test_amplification();
	vs_shbin_free(good);
	free(image);
	return tap_done();
}
