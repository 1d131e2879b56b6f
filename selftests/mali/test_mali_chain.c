// SPDX-License-Identifier: GPL-2.0
/* Job chains of Mali GPUs: captures of the external corpus, handmade good and bad ones. */
#include <dirent.h>

#include "../../userspace/disasm/mali_print.h"
#include "../include/tap.h"
#include "capture.h"
#include "image.h"

#define CHECK(cond)	tap_result(cond, "%s%s", prefix, #cond)

static const char *prefix = "";

static int run(struct image *im, struct walked *c, struct mali_reject *why)
{
	char text[200];
	int ret = image_parse(im, c, why);

	if (ret && mali_reject_print(why, text, sizeof(text)))
		tap_comment("%s", text);
	return ret;
}

/* ---- good chains ---- */

static void check_launch(const struct mali_launch *l, bool midgard)
{
	CHECK(l->local[0] == 4 && l->local[1] == 2 && l->local[2] == 1);
	CHECK(l->groups[0] == 3 && l->groups[1] == 5 && l->groups[2] == 7);
	CHECK(l->group_split == 3 && l->task_split == 9);
	CHECK(l->instance_size == 12 && l->offset_start == 77);
	CHECK(l->state_va == IMAGE_VA + AT_STATE && l->prog.va == IMAGE_VA + AT_CODE);
	if (midgard)
		CHECK(l->prog.tag == 5 && l->prog.work_regs == 8 && l->prog.flags == 5);
	else
		CHECK(!l->prog.tag && l->prog.work_regs == 32 && l->prog.preload == 0x280);
	CHECK(l->prog.uniforms == 8 && l->push[0] == 0x11223344 && l->push[7] == 0x55667788);
	CHECK(l->nubos == 2 && l->ubos[0].va == 0x600040 && l->ubos[0].size == 160);
	CHECK(!l->ubos[1].va && !l->ubos[1].size);
	CHECK(l->storage.tls_va == 0x700000 && l->storage.tls_size == 64);
	CHECK(l->storage.tls_sp == 48 && l->storage.wls_va == 0x800000);
	CHECK(l->storage.wls_size == 512 && l->storage.wls_instances == 8);
}

static void check_attrs(const struct mali_attr_table *t)
{
	const struct mali_attr_buf *b = t->bufs;
	u32 i;

	CHECK(t->n == 3 && t->nbufs == 4 && !b[2].type);
	CHECK(t->attr[1].buf == 1 && t->attr[1].offset == -4 && t->attr[1].offset_enable);
	CHECK(t->attr[0].format.bytes == 4 && t->attr[0].format.comp == PX_UNORM);
	CHECK(b[0].type == MALI_BUF_MODULUS && b[0].va == 0x123440 && b[0].size == 320);
	CHECK(b[1].type == MALI_BUF_NPOT_DIVISOR && b[1].divisor == 3 && b[1].stride == 8);
	CHECK(b[3].type == MALI_BUF_3D_LINEAR && b[3].dim[0] == 8 && b[3].dim[1] == 6);
	CHECK(b[3].dim[2] == 1 && b[3].row_stride == 32 && b[3].stride == 4);
	for (i = 0; i < 1000; i++)
		if (mali_attr_element(&b[0], i) != i % 20 ||
		    mali_attr_element(&b[1], i) != i / 3 || mali_attr_element(&b[3], i) != i)
			break;
	tap_result(i == 1000, "%selements of divisors and modulus", prefix);
	CHECK(mali_attr_element(&b[1], 0xffffffff) == 0xffffffffU / 3);
}

static void check_textures(const struct mali_launch *l, bool level_inner)
{
	const struct tx_texture *t = l->textures;
	const struct tx_sampler *s = l->samplers;

	CHECK(l->ntextures == 1 && t->dim == TX_DIM_2D && t->order == PX_LINEAR);
	CHECK(t->width == 16 && t->height == 8 && t->depth == 1 && t->samples == 1);
	CHECK(t->array_size == 3 && t->levels == 2 && t->nsurfaces == 6);
	/* Three layers of two levels: in v7 and for layers the level varies fastest. */
	CHECK(tx_find_surface(t, 1, 2, 0, 0)->va == 0x505000);
	CHECK(tx_find_surface(t, 1, 1, 0, 0)->row_stride == 67);
	CHECK(!tx_find_surface(t, 2, 0, 0, 0) && !tx_find_surface(t, 0, 3, 0, 0));
	CHECK(!tx_find_surface(t, 0, 0, 1, 0) && !tx_find_surface(t, 0, 0, 0, 1));
	CHECK(t->level_inner == level_inner && t->max_lod == 0x100);
	CHECK(l->nsamplers == 1 && s->mip == TX_MIP_TRILINEAR && s->normalized);
	CHECK(s->wrap[0] == TX_CLAMP_TO_BORDER && s->wrap[1] == TX_CLAMP_TO_EDGE);
	CHECK(s->wrap[2] == TX_REPEAT && s->mag_nearest && !s->min_nearest && s->func == 3);
	CHECK(s->max_lod == 0x100 && s->max_aniso == 1);
}

static void check_print(const struct mali_job *job)
{
	char small[40], *text;
	size_t len = mali_job_print(job, NULL, 0);

	text = malloc(len + 1);
	CHECK(mali_job_print(job, text, len + 1) == len && strlen(text) == len);
	CHECK(strstr(text, "invocation (4, 2, 1) x (3, 5, 7)"));
	CHECK(strstr(text, "uniform buffer 0: 0x600040, 160 bytes"));
	CHECK(mali_job_print(job, small, sizeof(small)) == len && strlen(small) == 39);
	free(text);
}

static void test_compute(enum mali_arch arch)
{
	static const char * const names[] = { "v4: ", "v5: ", "v6: ", "v7: " };
	struct mali_reject why;
	struct walked c;
	struct image im;

	prefix = names[arch];
	image_new(&im, arch);
	image_compute(&im);
	if (tap_result(!run(&im, &c, &why), "%scompute job", prefix)) {
		CHECK(c.njobs == 1 && c.jobs[0].type == MALI_JOB_COMPUTE && !c.jobs[0].pos);
		check_launch(c.jobs[0].launch, arch <= MALI_V5);
		check_attrs(&c.jobs[0].launch->attrs);
		check_textures(c.jobs[0].launch, arch == MALI_V7);
		check_print(&c.jobs[0]);
		walked_free(&c);
	}
	image_free(&im);
	prefix = "";
}

static void test_simple_jobs(void)
{
	struct mali_reject why;
	struct walked c;
	struct image im;

	prefix = "simple jobs: ";
	image_new(&im, MALI_V7);
	/* The second waits for the fourth, the last is a barrier. */
	image_job(&im, 0, MALI_JOB_WRITE_VALUE, 9, 0, 0, 0x100);
	image_job(&im, 0x100, MALI_JOB_CACHE_FLUSH, 3, 5, 9, 0x80);
	image_job(&im, 0x80, MALI_JOB_NULL, 0, 3, 0, 0x40);
	image_job(&im, 0x40, MALI_JOB_NULL, 5, 0, 0, 0xc0);
	image_job(&im, 0xc0, MALI_JOB_NULL, 6, 0, 0, 0);
	image_w32(&im, 0xc0 + 16, image_r32(&im, 0xc0 + 16) | 1 << 8);
	image_w64(&im, 32, 0x123456789aULL);
	image_w32(&im, 40, MALI_WRITE_IMM64);
	image_w64(&im, 48, 0xfedcba9876543210ULL);
	image_w32(&im, 0x120, 0x10001);
	image_w32(&im, 0x124, 3);
	if (tap_result(!run(&im, &c, &why), "%sparsed", prefix)) {
		CHECK(c.njobs == 5 && c.jobs[0].pos == 0 && c.jobs[1].pos == 3);
		/* both have waited: the third for the second */
		CHECK(c.jobs[2].pos == 1 && c.jobs[3].pos == 2 && c.jobs[4].pos == 4);
		CHECK(c.jobs[3].va == IMAGE_VA + 0x80);
		CHECK(c.jobs[0].write_va == 0x123456789aULL);
		CHECK(c.jobs[0].write_value == 0xfedcba9876543210ULL);
		CHECK(c.jobs[2].flush[0] == 0x10001 && c.jobs[2].flush[1] == 3);
		CHECK(c.jobs[4].flags == (MALI_JF_BARRIER | MALI_JF_64BIT));
		walked_free(&c);
	}
	image_free(&im);
	prefix = "";
}

/* The upper half of the next pointer is unused. */
static void test_32bit(void)
{
	struct mali_reject why;
	struct walked c;
	struct image im;

	image_new(&im, MALI_V4);
	image_job(&im, 0, MALI_JOB_NULL, 1, 0, 0, 0x40);
	image_w32(&im, 16, image_r32(&im, 16) & ~1);
	image_w32(&im, 28, 0xdeadbeef);
	image_job(&im, 0x40, MALI_JOB_NULL, 2, 1, 0, 0);
	if (tap_result(!run(&im, &c, &why), "32-bit null job")) {
		CHECK(c.njobs == 2);
		walked_free(&c);
	}
	image_w32(&im, 0x40 + 16, (MALI_JOB_COMPUTE << 1) | 2 << 16);
	CHECK(run(&im, &c, &why) == -ENOEXEC && why.reason == MALI_JOB_32BIT && why.job == 1);
	image_free(&im);
}

/* ---- one defect at a time ---- */

struct bad {
	const char *what;
	u32 archs;	/* bit per enum mali_arch */
	u32 at;
	u32 value;
	u32 reason;
	const char *field;
	u64 va;		/* address of the reject; 0: not compared */
};

#define M	(BIT(MALI_V4) | BIT(MALI_V5))
#define B	(BIT(MALI_V6) | BIT(MALI_V7))
#define V7	BIT(MALI_V7)
#define D	(AT_JOB + 64)
#define AT(x)	(IMAGE_VA + (x))

static const struct bad bads[] = {
	{ "type 0", M | B, 16, 1 | 1 << 16, MALI_JOB_TYPE, "type", AT(16) },
	{ "type 11", B, 16, 1 | 11 << 1, MALI_JOB_TYPE, "type", AT(16) },
	{ "indexed vertex on Midgard", M, 16, 1 | 10 << 1, MALI_JOB_TYPE, "type", AT(16) },
	{ "geometry", M | B, 16, 1 | 6 << 1, MALI_JOB_UNSUPPORTED, "type", AT(16) },
	{ "fused", M | B, 16, 1 | 8 << 1, MALI_JOB_UNSUPPORTED, "type", AT(16) },
	{ "32-bit compute", M | B, 16, 4 << 1, MALI_JOB_32BIT, "is 64b", AT(16) },
	{ "next is nowhere", M | B, 24, 0x40, MALI_UNMAPPED, "job header", 0x40 },
	{ "next is odd", M | B, 24, IMAGE_VA + 8, MALI_MISALIGNED, "job header", AT(8) },
	{ "next is far off", M | B, 28, 0xffffffff, MALI_UNMAPPED, "job header",
	  0xffffffff00000000 },
	{ "next is internal", M | B, 28, 1 << 28, MALI_UNMAPPED, "job header",
	  VS_INTERNAL_VA },
	{ "next is itself", M | B, 24, IMAGE_VA, MALI_LOOP, "next", 0 },
	{ "depends on itself", M | B, 20, 1, MALI_DEADLOCK, "dependency 1", AT(20) },
	{ "depends on nobody", M | B, 20, 7 << 16, MALI_NO_SUCH_INDEX, "dependency 2", AT(20) },
	{ "shifts go down", M | B, 36, 5 | 3 << 5, MALI_BAD_INVOCATION, "workgroup shifts",
	  AT(36) },
	{ "shift beyond", M | B, 36, 63 << 22, MALI_BAD_INVOCATION, "workgroup shifts", AT(36) },
	{ "32-bit draw", M | B, D, 1, MALI_BAD_DRAW, "draw descriptor is 64b", AT(D) },
	{ "no state", M | B, D + 56, 0, MALI_NULL_POINTER, "state", AT(D + 56) },
	{ "state nowhere", M | B, D + 60, 1, MALI_UNMAPPED, "state", 0 },
	{ "state odd", M | B, D + 56, AT(AT_STATE) + 4, MALI_MISALIGNED, "state", 0 },
	{ "state over the end", M | B, D + 56, AT(IMAGE_SIZE), MALI_UNMAPPED, "state", 0 },
	{ "no program", M | B, AT_STATE, 0, MALI_NULL_POINTER, "shader", AT(AT_STATE) },
	{ "odd program", B, AT_STATE, 0x10804, MALI_MISALIGNED, "shader", AT(AT_STATE) },
	{ "no buffers", M | B, D + 24, 0, MALI_NULL_POINTER, "uniform buffers", 0 },
	{ "buffers over the end", M | B, D + 24, AT(IMAGE_SIZE) - 8, MALI_UNMAPPED,
	  "uniform buffer", AT(IMAGE_SIZE) },
	{ "no pushed words", M | B, D + 48, 0, MALI_NULL_POINTER, "push uniforms", 0 },
	{ "pushed words over the end", M | B, D + 48, AT(IMAGE_SIZE) - 24, MALI_UNMAPPED,
	  "push uniforms", AT(IMAGE_SIZE) },
	{ "no attributes", M | B, D + 72, 0, MALI_NULL_POINTER, "attributes",
	  AT(AT_STATE) },
	{ "attributes nowhere", M | B, D + 72, 0x40, MALI_UNMAPPED, "attribute", 0x40 },
	{ "no attribute buffers", M | B, D + 64, 0, MALI_NULL_POINTER, "attribute buffers", 0 },
	{ "no textures", M | B, D + 32, 0, MALI_NULL_POINTER, "textures", 0 },
	{ "65536 layers", B, AT_TEXTURES + 24, 0xffff, MALI_LIMIT_MEMORY, "surfaces", 0 },
	{ "65536 layers", M, AT_SURFACES + 4, 0xffff0000, MALI_LIMIT_MEMORY, "surfaces", 0 },
	{ "2^32 surfaces", M, AT_SURFACES + 4, 0xffffffff, MALI_LIMIT_MEMORY, "surfaces", 0 },
	{ "no samplers", M | B, D + 40, 0, MALI_NULL_POINTER, "samplers", 0 },
	{ "storage odd", B, D + 112, AT(AT_STORAGE) + 4, MALI_MISALIGNED, "thread storage", 0 },
	{ "storage nowhere", M | B, D + 112, 0x40, MALI_UNMAPPED, "thread storage", 0x40 },
};

static void test_bad_one(const struct bad *b, enum mali_arch arch)
{
	struct walked c;
	struct mali_reject why;
	struct image im;
	char text[200];
	bool ok;
	int ret;

	image_new(&im, arch);
	image_compute(&im);
	image_w32(&im, b->at, b->value);
	ret = image_parse(&im, &c, &why);
	ok = ret == (b->reason == MALI_LIMIT_MEMORY ? -E2BIG : -ENOEXEC) &&
	     why.reason == b->reason && why.field && !strcmp(why.field, b->field) &&
	     (!b->va || why.va == b->va);
	if (!tap_result(ok, "bad: v%u: %s", arch + 4, b->what)) {
		mali_reject_print(&why, text, sizeof(text));
		tap_comment("%d, %s", ret, text);
	}
	if (!ret)
		walked_free(&c);
	image_free(&im);
}

static void test_bad(void)
{
	enum mali_arch arch;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(bads); i++)
		for (arch = 0; arch < MALI_NUM_ARCH; arch++)
			if (bads[i].archs & BIT(arch))
				test_bad_one(&bads[i], arch);
}

/* ---- invalid textures and samplers, which matter only if a program uses them ---- */

static const struct unused {
	const char *what;
	u32 archs;
	u32 at;
	u32 value;
	enum mali_reason texture, sampler;	/* of the first one */
} unused[] = {
	{ "texture nowhere", M, AT_TEXTURES, 0x40, MALI_UNMAPPED },
	{ "texture is a sampler", B, AT_TEXTURES, 1, MALI_BAD_DESC_TYPE },
	{ "texture compressed", B, AT_TEXTURES + 8, 0x688 | 12 << 12 | 1 << 16, MALI_BAD_LAYOUT },
	{ "texture swizzle", B, AT_TEXTURES + 8, 7 | 2 << 12, MALI_BAD_FORMAT },
	{ "texture format", B, AT_TEXTURES, 2 | 2 << 4 | 0x20U << 22, MALI_BAD_FORMAT },
	{ "no surfaces", B, AT_TEXTURES + 16, 0, MALI_NULL_POINTER },
	{ "surfaces nowhere", B, AT_TEXTURES + 16, 0x40, MALI_UNMAPPED },
	{ "sampler is a texture", B, AT_SAMPLERS, 2, MALI_OK, MALI_BAD_DESC_TYPE },
	{ "sampler wraps somehow", M, AT_SAMPLERS + 8, 0x891, MALI_OK, MALI_BAD_WRAP },
	{ "sampler wraps somehow", B, AT_SAMPLERS, 1 | 0xba8 << 8, MALI_OK, MALI_BAD_WRAP },
};

static void test_unused_one(const struct unused *u, enum mali_arch arch)
{
	const struct mali_launch *l;
	struct mali_reject why;
	struct walked c;
	struct image im;
	u32 i, bad = 0;

	image_new(&im, arch);
	image_compute(&im);
	image_w32(&im, u->at, u->value);
	if (tap_result(!run(&im, &c, &why), "v%u: %s: parsed", arch + 4, u->what)) {
		l = c.jobs[0].launch;
		for (i = 0; i < l->ntextures; i++)
			bad += l->textures[i].bad != (i ? MALI_OK : u->texture);
		for (i = 0; i < l->nsamplers; i++)
			bad += l->samplers[i].bad != (i ? MALI_OK : u->sampler);
		tap_result(l->ntextures && l->nsamplers && !bad,
			   "v%u: %s: noted there and nowhere else", arch + 4, u->what);
		tap_result((!u->texture || l->textures[0].va) &&
			   (!u->sampler || l->samplers[0].va) &&
			   (u->texture != MALI_BAD_FORMAT || l->textures[0].bad_value),
			   "v%u: %s: with its address and the value", arch + 4, u->what);
		CHECK(mali_job_print(&c.jobs[0], NULL, 0));
		walked_free(&c);
	}
	image_free(&im);
}

static void test_unused(void)
{
	enum mali_arch arch;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(unused); i++)
		for (arch = 0; arch < MALI_NUM_ARCH; arch++)
			if (unused[i].archs & BIT(arch))
				test_unused_one(&unused[i], arch);
}

/* ---- invalid attributes, which matter only if a program reads them ---- */

static const struct lazy {
	const char *what;
	u32 archs;
	u32 at;
	u32 value;
	u32 index;	/* of the attribute */
	enum mali_reason reason;
} lazies[] = {
	{ "format", M | B, AT_ATTRS, 0x60 << 22, 0, MALI_BAD_FORMAT },
	{ "order", V7, AT_ATTRS, 0xbb << 22 | 1 << 10, 0, MALI_BAD_FORMAT },
	{ "no buffer", V7, AT_ATTRS, 0xbbU << 22 | 12, 0, MALI_BAD_ATTR_TYPE },
	{ "buffer type 0", M | B, AT_BUFS, 0x123440, 0, MALI_BAD_ATTR_TYPE },
	{ "buffer type 8", M | B, AT_BUFS, 0x123448, 0, MALI_BAD_ATTR_TYPE },
	{ "vertex number on Bifrost", B, AT_BUFS, 0x22, 0, MALI_BAD_ATTR_TYPE },
	{ "no second half", M | B, AT_BUFS + 32, 1, 1, MALI_BAD_ATTR_TYPE },
};

static void test_lazy_one(const struct lazy *z, enum mali_arch arch)
{
	const struct mali_attr_table *t;
	struct mali_reject why;
	struct walked c;
	u32 i, bad = 0;
	struct image im;

	image_new(&im, arch);
	image_compute(&im);
	image_w32(&im, z->at, z->value);
	if (tap_result(!run(&im, &c, &why), "v%u: attribute %u, %s: parsed", arch + 4, z->index,
		       z->what)) {
		t = &c.jobs[0].launch->attrs;
		for (i = 0; i < t->n; i++)
			bad += t->attr[i].bad != (i == z->index ? z->reason : MALI_OK);
		tap_result(!bad, "v%u: attribute %u, %s: noted there and nowhere else", arch + 4,
			   z->index, z->what);
		CHECK(mali_job_print(&c.jobs[0], NULL, 0));
		walked_free(&c);
	}
	image_free(&im);
}

static void test_lazy(void)
{
	enum mali_arch arch;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(lazies); i++)
		for (arch = 0; arch < MALI_NUM_ARCH; arch++)
			if (lazies[i].archs & BIT(arch))
				test_lazy_one(&lazies[i], arch);
}

/* ---- chains as such ---- */

/* Chain of @n null jobs; the last one links to position @back (none if it is n). */
static int null_chain(u32 n, u32 back, bool indexed, struct mali_reject *why)
{
	struct walked c;
	struct image im;
	int ret;
	u32 i;

	image_new(&im, MALI_V6);
	for (i = 0; i < n; i++)
		image_job(&im, i * 64, MALI_JOB_NULL, indexed ? i + 1 : 0, 0, 0,
			  i + 1 < n ? (i + 1) * 64 : 0);
	if (back < n)
		image_w64(&im, (n - 1) * 64 + 24, IMAGE_VA + back * 64);
	ret = walked_read(&c, MALI_V6, &im.map, IMAGE_VA, 1 << 20, why);
	if (!ret)
		walked_free(&c);
	image_free(&im);
	return ret;
}

static void test_loops(void)
{
	struct mali_reject why;
	u32 n, back, bad = 0;

	for (n = 1; n < 40; n++)
		for (back = 0; back < n; back++)
			bad += null_chain(n, back, n & 1, &why) != -ENOEXEC ||
			       why.reason != MALI_LOOP;
	tap_result(!bad, "every loop of up to 39 jobs is found: %u are not", bad);
	CHECK(!null_chain(1000, 1000, true, &why));
}

static void test_circle(void)
{
	struct walked c;
	struct mali_reject why;
	struct image im;

	image_new(&im, MALI_V6);
	image_job(&im, 0, MALI_JOB_NULL, 1, 3, 0, 0x40);
	image_job(&im, 0x40, MALI_JOB_NULL, 2, 1, 0, 0x80);
	image_job(&im, 0x80, MALI_JOB_NULL, 3, 0, 2, 0);
	CHECK(run(&im, &c, &why) == -ENOEXEC && why.reason == MALI_DEADLOCK);
	/* A barrier that the first waits for. */
	image_job(&im, 0x80, MALI_JOB_NULL, 3, 0, 0, 0);
	image_w32(&im, 0x90, image_r32(&im, 0x90) | 1 << 8);
	CHECK(run(&im, &c, &why) == -ENOEXEC && why.reason == MALI_DEADLOCK);
	image_job(&im, 0x80, MALI_JOB_NULL, 2, 0, 0, 0);
	CHECK(run(&im, &c, &why) == -ENOEXEC && why.reason == MALI_DUPLICATE_INDEX);
	CHECK(why.va == IMAGE_VA + 0x90 && why.value == 2);
	image_free(&im);
}

/* Every memory limit, from zero to enough, ends cleanly. */
static void test_memory(void)
{
	u64 max_memory = 0;
	struct mali_reject why;
	struct walked c;
	u32 refused = 0;
	struct image im;
	int ret;

	image_new(&im, MALI_V7);
	image_compute(&im);
	do {
		max_memory += 1000;
		ret = walked_read(&c, MALI_V7, &im.map, IMAGE_VA, max_memory, &why);
		refused += ret == -E2BIG && why.reason == MALI_LIMIT_MEMORY;
	} while (ret == -E2BIG && max_memory < 1 << 20);
	CHECK(!ret && refused >= 10);
	if (!ret) {
		CHECK(c.c.memory <= max_memory);
		walked_free(&c);
	}
	image_free(&im);
}

static void test_reasons(void)
{
	u32 i, bad = 0;

	for (i = 1; i < MALI_NUM_REASONS; i++)
		bad += strlen(mali_reason_text(i)) < 10 ||
		       mali_reject_status(i) < MALI_STATUS_JOB_CONFIG_FAULT;
	CHECK(!bad && mali_reject_status(MALI_UNMAPPED) == MALI_STATUS_JOB_READ_FAULT);
	CHECK(!strcmp(mali_reason_text(MALI_NUM_REASONS), "?"));
	for (i = 0; i < MALI_NUM_JOB_TYPES; i++)
		bad += strlen(mali_job_type_name(i)) < 4;
	CHECK(!bad && !strcmp(mali_job_type_name(MALI_NUM_JOB_TYPES), "?"));
}

/* Each allocation fails once. */
static void test_no_memory(void)
{
	u32 i, failed = 0, strange = 0;
	struct mali_reject why;
	struct walked c;
	struct image im;
	int ret = -ENOMEM;

	image_new(&im, MALI_V7);
	image_compute(&im);
	/* Enough surfaces for a separate block. */
	image_w32(&im, AT_TEXTURES + 24, 999);
	for (i = 0; i < 50 && ret; i++) {
		fail_after = i;
		ret = walked_read(&c, MALI_V7, &im.map, IMAGE_VA, 1 << 20, &why);
		failed += ret == -ENOMEM;
		strange += ret && ret != -ENOMEM;
	}
	fail_after = -1;
	CHECK(!ret && failed >= 4 && !strange);
	if (!ret)
		walked_free(&c);
	image_free(&im);
}

/* A job written by an earlier one: invalid when the walk begins, valid when its turn comes. */
static void test_late(void)
{
	struct mali_reject why;
	struct walked c;
	struct image im;

	image_new(&im, MALI_V7);
	image_compute(&im);
	image_job(&im, 0x1000, MALI_JOB_NULL, 2, 0, 0, 0);
	image_w64(&im, 24, IMAGE_VA + 0x1000);
	/* neither a type nor a next job */
	image_w32(&im, 0x1000 + 16, 2 << 16 | 1);
	image_w64(&im, 0x1000 + 24, 0xdead000);
	CHECK(!walked_begin(&c, MALI_V7, &im.map, IMAGE_VA, 1 << 20, &why));
	/* the state is missing, and then it is there */
	image_w64(&im, D + 56, 0);
	CHECK(!walked_next(&c) && walked_load(&c) == -ENOEXEC && !c.job->launch);
	image_w64(&im, D + 56, IMAGE_VA + AT_STATE);
	CHECK(!walked_load(&c) && c.job->launch->local[0] == 4);
	image_w32(&im, 0x1000 + 16, 2 << 16 | MALI_JOB_NULL << 1 | 1);
	image_w64(&im, 0x1000 + 24, 0);
	walked_done(&c);
	CHECK(!walked_next(&c) && c.job->pos == 1 && !walked_load(&c));
	walked_done(&c);
	CHECK(!walked_next(&c) && !c.job);
	walked_free(&c);
	image_free(&im);
}

/* A job that waits: its type is read when it starts, its dependencies before. */
static void test_late_waiter(void)
{
	struct mali_reject why;
	struct walked c;
	struct image im;

	image_new(&im, MALI_V7);
	image_job(&im, 0, 0, 1, 2, 0, 0x100);
	image_job(&im, 0x100, MALI_JOB_NULL, 2, 0, 0, 0);
	CHECK(!walked_begin(&c, MALI_V7, &im.map, IMAGE_VA, 1 << 20, &why));
	CHECK(!walked_next(&c) && c.job->pos == 1);
	image_job(&im, 0, MALI_JOB_NULL, 7, 9, 9, 0xdead000);
	walked_done(&c);
	CHECK(!walked_next(&c) && !c.job->pos && c.job->index == 1 && !walked_load(&c));
	walked_done(&c);
	CHECK(!walked_next(&c) && !c.job && c.njobs == 2);
	walked_free(&c);
	/* and one that remains nonsense */
	image_job(&im, 0, 0, 1, 0, 0, 0x100);
	CHECK(walked_read(&c, MALI_V7, &im.map, IMAGE_VA, 1 << 20, &why) == -ENOEXEC &&
	      why.reason == MALI_JOB_TYPE && !why.job);
	image_free(&im);
}

/*
 * Random dependencies of @n jobs: each job runs once, after those that it waits for. @forward:
 * jobs may wait for later ones, but there are no circles: a permutation numbers the jobs.
 */
static bool in_order(u32 n, bool forward, u32 *seed)
{
	u16 *number = calloc(n, sizeof(*number)), *dep = calloc(2 * n, sizeof(*dep));
	u8 *bytes = calloc(n, 64), *done = calloc(n + 1, 1);
	struct vs_extent ext = { IMAGE_VA, IMAGE_VA + 64ULL * n, bytes, VS_EXT_WRITE };
	struct vs_map map = { .n = 1, .ext = &ext };
	u32 i, k, flags, bad = 0;
	struct mali_reject why;
	struct walked c;
	u64 next;

	for (i = 0; i < n; i++)
		number[i] = i + 1;
	for (i = n - 1; forward && i; i--) {
		*seed = *seed * 1664525 + 1013904223;
		k = (*seed >> 8) % (i + 1);
		flags = number[i];
		number[i] = number[k];
		number[k] = flags;
	}
	for (i = 0; i < n; i++) {
		for (k = 0; k < 2; k++) {
			*seed = *seed * 1664525 + 1013904223;
			dep[2 * i + k] = number[i] - 1 ? (*seed >> 8) % number[i] : 0;
		}
		flags = 1 | MALI_JOB_NULL << 1 | (u32)number[i] << 16;
		next = i + 1 < n ? IMAGE_VA + 64ULL * (i + 1) : 0;
		memcpy(bytes + 64 * i + 16, &flags, 4);
		memcpy(bytes + 64 * i + 20, dep + 2 * i, 4);
		memcpy(bytes + 64 * i + 24, &next, 8);
	}
	done[0] = 1;
	if (walked_read(&c, MALI_V7, &map, IMAGE_VA, 4 << 20, &why)) {
		bad = 1;
	} else {
		for (i = 0; i < c.njobs; i++) {
			const struct mali_job *job = &c.jobs[i];

			bad += done[job->index] || !done[job->dep[0]] || !done[job->dep[1]];
			done[job->index] = 1;
		}
		bad += c.njobs != n;
		walked_free(&c);
	}
	free(number);
	free(dep);
	free(bytes);
	free(done);
	return !bad;
}

static void test_dependencies(void)
{
	u32 seed = 1, i, bad = 0;

	for (i = 0; i < 200; i++)
		bad += !in_order(1 + i % 70, i % 2, &seed);
	tap_result(!bad, "200 chains with random dependencies, %u out of order", bad);
	CHECK(in_order(20000, false, &seed));
	CHECK(in_order(20000, true, &seed));
	CHECK(in_order(MALI_MAX_JOBS, false, &seed));
	CHECK(in_order(MALI_MAX_JOBS, true, &seed));
}

/* One random word after the other; each chain ends cleanly. */
static void test_random(void)
{
	u32 seed = 1, i, k, at, good = 0, ends = 0;
	struct mali_reject why;
	struct walked c;
	struct image im;
	int ret;

	for (i = 0; i < 4000; i++) {
		image_new(&im, i % MALI_NUM_ARCH);
		image_compute(&im);
		for (k = 0; k <= i % 5; k++) {
			seed = seed * 1664525 + 1013904223;
			at = (seed >> 8) % 0x500 & ~3;
			seed = seed * 1664525 + 1013904223;
			image_w32(&im, at, image_r32(&im, at) ^ 1U << (seed >> 27));
		}
		ret = image_parse(&im, &c, &why);
		ends += !ret || ((ret == -ENOEXEC || ret == -E2BIG) && why.reason && why.field);
		if (!ret) {
			good++;
			if (c.njobs)
				mali_job_print(&c.jobs[0], NULL, 0);
			walked_free(&c);
		}
		image_free(&im);
	}
	tap_result(ends == 4000, "4000 damaged chains end cleanly, %u are still good", good);
}

/* ---- captures ---- */

struct totals {
	u32 submits;
	u32 jobs;
	u32 compute;
	u32 vertex;
	u32 draws;
};

static const char *corpus;

/* Sizes of a compute shader's layout, and its test's number of groups, if not one. */
static bool expected_sizes(const char *name, u32 local[3], u32 groups[3])
{
	char path[600], line[300], *p;
	u32 i, n = 0;
	FILE *f;

	for (i = 0; i < 3; i++) {
		local[i] = 1;
		groups[i] = 1;
	}
	snprintf(path, sizeof(path), "%s/mali/src/%s.test", corpus, name);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f)) {
		n |= !strcmp(line, "kind compute\n");
		if (!strncmp(line, "groups", 6) &&
		    sscanf(line, "groups %u %u %u", &groups[0], &groups[1], &groups[2]) != 3)
			break;
	}
	if (f)
		fclose(f);
	snprintf(path, sizeof(path), "%s/mali/src/%s.comp", corpus, name);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f))
		for (i = 0; i < 3; i++) {
			char key[] = "local_size_x = ";

			key[11] = "xyz"[i];
			p = strstr(line, key);
			if (p && sscanf(p + strlen(key), "%u", &local[i]) == 1)
				n |= 2;
		}
	if (f)
		fclose(f);
	return n == 3;
}

static void check_sizes(const char *gpu, const char *name, const struct mali_launch *l)
{
	u32 local[3], groups[3], i, same = 0;

	if (!expected_sizes(name, local, groups)) {
		tap_result(false, "%s %s: sizes are not in the sources", gpu, name);
		return;
	}
	for (i = 0; i < 3; i++)
		same += l->local[i] == local[i] && l->groups[i] == groups[i];
	tap_result(same == 3, "%s %s: %ux%ux%u threads, %ux%ux%u groups", gpu, name, local[0],
		   local[1], local[2], groups[0], groups[1], groups[2]);
}

/* Does a 64-bit word of pushed words or of a uniform buffer hold the address? */
static bool names_address(const struct capture *cap, const struct mali_launch *l, u64 va)
{
	u32 i, k;
	u64 word;

	for (i = 0; i + 1 < l->prog.uniforms; i++)
		if ((l->push[i] | (u64)l->push[i + 1] << 32) == va)
			return true;
	for (i = 0; i < l->nubos; i++)
		for (k = 0; k + 8 <= l->ubos[i].size; k += 4)
			if (vs_map_read(&cap->map, l->ubos[i].va + k, &word, 8) == 8 &&
			    word == va)
				return true;
	return false;
}

/* Outputs of the case must be reachable by the program. */
static void check_outputs(const char *dir, const char *gpu, const char *name,
			  const struct capture *cap, const struct mali_launch *l)
{
	char path[600], line[200];
	unsigned long long va;
	u32 n = 0, found = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s.io.txt", dir, name);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f)) {
		if (!strstr(line, " ssbo ") && !strstr(line, " xfb "))
			continue;
		if (sscanf(strstr(line, "addr"), "addr %llx", &va) != 1)
			continue;
		n++;
		found += names_address(cap, l, va);
	}
	if (f)
		fclose(f);
	if (n)
		tap_result(found == n, "%s %s: %u of %u buffers are in its uniforms", gpu, name,
			   found, n);
}

/* Program, local storage and uniform buffers lie in the capture. */
static bool points_into_memory(const struct capture *cap, const struct mali_launch *l)
{
	const struct mali_attr_table *t = &l->attrs;
	u32 i, k;

	if (!vs_map_ptr(&cap->map, l->prog.va, 16, 0))
		return false;
	if (l->storage.wls_size && !vs_map_ptr(&cap->map, l->storage.wls_va,
					       l->storage.wls_size, 0))
		return false;
	for (i = 0; i < l->nubos; i++)
		if (l->ubos[i].va && !vs_map_ptr(&cap->map, l->ubos[i].va, l->ubos[i].size, 0))
			return false;
	for (i = 0; i < t->nbufs; i++)
		if (t->bufs[i].va && !vs_map_ptr(&cap->map, t->bufs[i].va, t->bufs[i].size, 0))
			return false;
	for (i = 0; i < l->ntextures; i++)
		for (k = 0; k < l->textures[i].nsurfaces; k++)
			if (!vs_map_find(&cap->map, l->textures[i].surfaces[k].va))
				return false;
	return true;
}

static void check_job(const char *dir, const char *gpu, const char *name,
		      const struct capture *cap, const struct mali_job *job)
{
	const struct mali_launch *l = job->launch;

	if (!l)
		return;
	tap_result(points_into_memory(cap, l), "%s %s: addresses of the %s job are in memory",
		   gpu, name, mali_job_type_name(job->type));
	if (name[0] == 'c')
		check_sizes(gpu, name, l);
	if (name[0] == 'c' || name[0] == 'v')
		check_outputs(dir, gpu, name, cap, l);
}

static void add_job(const struct mali_job *job, struct totals *t)
{
	t->jobs++;
	t->compute += job->type == MALI_JOB_COMPUTE;
	t->vertex += job->type == MALI_JOB_VERTEX;
}

/* Nothing may be rejected. Tiler and fragment jobs are read when they run. */
static void add_jobs(const struct walked *c, struct totals *t)
{
	u32 i, type;

	for (i = 0; i < c->njobs; i++) {
		type = c->jobs[i].type;
		add_job(&c->jobs[i], t);
		t->draws += type == MALI_JOB_FRAGMENT || type == MALI_JOB_TILER ||
			    type == MALI_JOB_INDEXED_VERTEX;
	}
}

static void check_types(const char *gpu, const char *name, const struct capture *cap,
			const struct walked *c)
{
	u32 i, fragment = 0;

	for (i = 0; i < c->njobs; i++)
		fragment += c->jobs[i].type == MALI_JOB_FRAGMENT;
	tap_result(cap->fragment ? c->njobs == 1 && fragment == 1 : !fragment,
		   "%s %s: fragment jobs are in the fragment slot", gpu, name);
}

static void print_job(const struct mali_job *job)
{
	size_t len = mali_job_print(job, NULL, 0);
	char *text = malloc(len + 1);

	mali_job_print(job, text, len + 1);
	fputs(text, stderr);
	free(text);
}

static void test_capture(const char *dir, const char *gpu, const char *file, struct totals *t)
{
	enum mali_arch arch = strncmp(gpu, "midgard", 7) ? MALI_V7 : MALI_V5;
	char base[500], name[100];
	struct mali_reject why;
	struct walked c;
	struct capture cap;
	u32 i;

	snprintf(base, sizeof(base), "%s/%.*s", dir, (int)(strlen(file) - 7), file);
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(file, "."), file);
	t->submits++;
	if (!capture_load(base, &cap)) {
		tap_result(false, "%s %s: loaded", gpu, file);
		return;
	}
	if (tap_result(!walked_read(&c, arch, &cap.map, cap.jc, 1 << 20, &why), "%s %s: read",
		       gpu, file)) {
		add_jobs(&c, t);
		check_types(gpu, name, &cap, &c);
		for (i = 0; i < c.njobs; i++) {
			check_job(dir, gpu, name, &cap, &c.jobs[i]);
			if (getenv("MALI_PRINT"))
				print_job(&c.jobs[i]);
		}
		walked_free(&c);
	}
	capture_free(&cap);
}

static void test_gpu(const char *gpu, struct totals *t)
{
	struct dirent **list;
	char dir[400];
	int i, n;

	snprintf(dir, sizeof(dir), "%s/mali/capture/%s", corpus, gpu);
	n = scandir(dir, &list, NULL, alphasort);
	for (i = 0; i < n; i++) {
		size_t len = strlen(list[i]->d_name);

		if (len > 7 && !strcmp(list[i]->d_name + len - 7, ".mem.gz"))
			test_capture(dir, gpu, list[i]->d_name, t);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
	tap_comment("%s: %u submits, %u jobs: %u compute, %u vertex, %u of draws", gpu,
		    t->submits, t->jobs, t->compute, t->vertex, t->draws);
}

static void test_corpus(void)
{
	struct totals g52 = {}, t860 = {};

	if (!corpus) {
		tap_skip("no --corpus", "captures");
		return;
	}
	test_gpu("bifrost-g52", &g52);
	test_gpu("midgard-t860", &t860);
	CHECK(g52.submits && g52.submits == t860.submits);
	/* Transform feedback without rasterisation: COMPUTE of v7, VERTEX of v5. */
	CHECK(g52.compute > t860.compute && t860.vertex > g52.vertex);
}

int main(int argc, char **argv)
{
	int i;

	for (i = 1; i + 1 < argc; i++)
		if (!strcmp(argv[i], "--corpus"))
			corpus = argv[i + 1];
	for (i = 0; i < MALI_NUM_ARCH; i++)
		test_compute(i);
	test_simple_jobs();
	test_32bit();
	test_bad();
	test_unused();
	test_lazy();
	test_loops();
	test_circle();
	test_memory();
	test_no_memory();
	test_reasons();
	test_late();
	test_late_waiter();
	test_dependencies();
	test_random();
	test_corpus();
	return tap_done();
}
