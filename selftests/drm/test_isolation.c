// SPDX-License-Identifier: GPL-2.0
/*
 * Data of one client's jobs must not leak to another client. One file runs programs that fill
 * registers, vertices, shared memory and scratch memory with a pattern; another one runs
 * programs that store uninitialised state. Uninitialised state reads as zero, so the second
 * client expects exactly zeros before, after and while the first one fills.
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>

#include "../include/qpu_asm.h"
#include "vshader_drm_debug.h"
#include "vshader_test.h"
#include "vst_dump.h"
#include "vst_mali.h"

/* The same in all number formats: its low bits are not in PICA200's mantissa. */
#define PATTERN		0x5ec2e700u
#define UNTOUCHED	0xccccccccu

#define ROUNDS		20

/* A job of a client: submits, waits. Return: as vst_run(). */
typedef int (*run_fn)(void *client);

static unsigned int count(const void *p, size_t size, __u32 what)
{
	const __u32 *w = p;
	unsigned int n = 0;
	size_t i;

	for (i = 0; i < size / 4; i++)
		n += w[i] == what;
	return n;
}

struct filler {
	pthread_t thread;
	run_fn fill;
	void *client;
	bool stop;
	int ret;
};

static void *fill_on(void *arg)
{
	struct filler *f = arg;

	while (!__atomic_load_n(&f->stop, __ATOMIC_ACQUIRE) && !f->ret)
		f->ret = f->fill(f->client);
	return NULL;
}

/* One check: the job overwrites @words words of memory, all with zeros. */
static void look_once(struct __test_metadata *_metadata, void *client, run_fn look,
		      struct vst_buf *out, unsigned int words)
{
	memset(out->map, 0xcc, out->size);
	ASSERT_EQ(0, look(client));
	EXPECT_EQ(0, count(out->map, out->size, PATTERN));
	EXPECT_EQ(words, count(out->map, out->size, 0));
	EXPECT_EQ(out->size / 4 - words, count(out->map, out->size, UNTOUCHED));
}

/*
 * @a fills, and reports that in @filled; @b stores uninitialised state to @out; in turns
 * and concurrently.
 */
static void check(struct __test_metadata *_metadata, void *a, run_fn fill,
		  const struct vst_buf *filled, void *b, run_fn look, struct vst_buf *out,
		  unsigned int words)
{
	struct filler f = { .fill = fill, .client = a };
	unsigned int i;

	look_once(_metadata, b, look, out, words);
	for (i = 0; i < ROUNDS; i++) {
		ASSERT_EQ(0, fill(a));
		look_once(_metadata, b, look, out, words);
	}
	EXPECT_LE(words * 9 / 10, count(filled->map, filled->size, PATTERN));
	ASSERT_EQ(0, pthread_create(&f.thread, NULL, fill_on, &f));
	for (i = 0; i < ROUNDS; i++)
		look_once(_metadata, b, look, out, words);
	__atomic_store_n(&f.stop, true, __ATOMIC_RELEASE);
	pthread_join(f.thread, NULL);
	EXPECT_EQ(0, f.ret);
}

/* ---- PICA200 ---- */

#define NUM_REGS	16

FIXTURE(pica) {
	struct vst a;
	struct vst b;
	struct vst_job fill;
	struct vst_job look;
};

#define PICA	FIXTURE_DATA(pica)

FIXTURE_SETUP(pica)
{
	unsigned int i;

	SETUP_OR_SKIP(return, &self->a, NULL);
	ASSERT_EQ(0, vst_setup(&self->b, NULL));
	for (i = 0; i < 4 * VST_COUNT; i++)
		self->a.in.u32[i] = PATTERN;
}

FIXTURE_TEARDOWN(pica)
{
	vst_teardown(&self->a);
	vst_teardown(&self->b);
}

static int pica_fill(void *arg)
{
	PICA *self = arg;

	return vst_run(self->a.fd, &self->fill);
}

static int pica_look(void *arg)
{
	PICA *self = arg;

	return vst_run(self->b.fd, &self->look);
}

static const __u32 desc_all[] = { PDESC_ALL };

static int pica_program(struct vst *t, __u32 stage, const __u32 *code, unsigned int n)
{
	const struct vst_code c = { stage, code, n, desc_all, 1 };

	return vst_program(t->fd, &c, &t->program);
}

/* All temporaries from v0, if wanted, then to all outputs. */
static int registers_program(struct vst *t, bool fill)
{
	__u32 code[2 * NUM_REGS + 1];
	unsigned int i, n = 0;

	for (i = 0; i < NUM_REGS && fill; i++)
		code[n++] = P1(PICA_MOV, PD_R(i), PS_V(0), 0, 0);
	for (i = 0; i < NUM_REGS; i++)
		code[n++] = P1(PICA_MOV, PD_O(i), PS_R(i), 0, 0);
	code[n++] = P0(PICA_END);
	return pica_program(t, DRM_VSHADER_STAGE_VERTEX, code, n);
}

static void registers_job(struct vst *t, struct vst_job *j)
{
	unsigned int i;

	vst_job_init(j, t->queue, t->program, VST_COUNT);
	vst_job_attr(j, 0, t->in.va, DRM_VSHADER_FORMAT_F32, 4, 16);
	for (i = 0; i < NUM_REGS; i++)
		vst_job_out(j, i, t->out.va + 16 * VST_COUNT * i);
}

TEST_F(pica, registers)
{
	ASSERT_EQ(0, registers_program(&self->a, true));
	ASSERT_EQ(0, registers_program(&self->b, false));
	registers_job(&self->a, &self->fill);
	registers_job(&self->b, &self->look);
	check(_metadata, self, pica_fill, &self->a.out, self, pica_look, &self->b.out,
	      4 * NUM_REGS * VST_COUNT);
}

/* Outputs of a vertex; the program writes none of them. */
static int emit_program(struct vst *t, bool fill)
{
	__u32 code[3 * (NUM_REGS + 2) + 1];
	unsigned int i, k, n = 0;

	for (k = 0; k < 3; k++) {
		for (i = 0; i < NUM_REGS && fill; i++)
			code[n++] = P1(PICA_MOV, PD_O(i), PS_V(0), 0, 0);
		code[n++] = PSETEMIT(k, k == 2, 0);
		code[n++] = P0(PICA_EMIT);
	}
	code[n++] = P0(PICA_END);
	return pica_program(t, DRM_VSHADER_STAGE_GEOMETRY, code, n);
}

/* A primitive with only its last vertex emitted. */
static int latch_program(struct vst *t)
{
	static const __u32 code[] = { PSETEMIT(2, 1, 0), P0(PICA_EMIT), P0(PICA_END) };

	return pica_program(t, DRM_VSHADER_STAGE_GEOMETRY, code, ARRAY_SIZE(code));
}

#define EMIT_COUNT	16
#define EMIT_WORDS	(EMIT_COUNT * 3 * 4 * NUM_REGS)

static void emit_job(struct vst *t, struct vst_job *j)
{
	vst_job_init(j, t->queue, t->program, EMIT_COUNT);
	vst_job_attr(j, 0, t->in.va, DRM_VSHADER_FORMAT_F32, 4, 16);
	j->pica.output_mask = (1 << NUM_REGS) - 1;
	j->pica.max_prims = 1;
	j->pica.prims_va = t->out.va;
}

TEST_F(pica, emitted_vertices)
{
	ASSERT_EQ(0, emit_program(&self->a, true));
	ASSERT_EQ(0, emit_program(&self->b, false));
	emit_job(&self->a, &self->fill);
	emit_job(&self->b, &self->look);
	check(_metadata, self, pica_fill, &self->a.out, self, pica_look, &self->b.out,
	      EMIT_WORDS);
}

TEST_F(pica, emit_latch)
{
	ASSERT_EQ(0, emit_program(&self->a, true));
	ASSERT_EQ(0, latch_program(&self->b));
	emit_job(&self->a, &self->fill);
	emit_job(&self->b, &self->look);
	check(_metadata, self, pica_fill, &self->a.out, self, pica_look, &self->b.out,
	      EMIT_WORDS);
}

/* Pages of buffers that one client freed and another one allocates. */
TEST_F(pica, recycled_pages)
{
	const __u64 size = 64 * PAGE;
	struct vst_buf dirty, fresh;
	unsigned int i;

	ASSERT_EQ(0, pica_program(&self->b, DRM_VSHADER_STAGE_VERTEX, (const __u32[]){
		P1(PICA_MOV, PD_O(0), PS_V(0), 0, 0), P0(PICA_END) }, 2));
	for (i = 0; i < ROUNDS; i++) {
		ASSERT_EQ(0, vst_buf_new(&dirty, self->a.fd, self->a.vm, VA(40), size, true));
		memset(dirty.map, 0x5a, size);
		ASSERT_EQ(0, vst_unmap(self->a.fd, self->a.vm, VA(40), size));
		vst_buf_free(&dirty, self->a.fd);
		ASSERT_EQ(0, vst_buf_new(&fresh, self->b.fd, self->b.vm, VA(40), size, true));
		/* by a job, which has the pages allocated, and by the processor */
		vst_default_job(&self->b, &self->look);
		self->look.attr[0].va = VA(40) + size - 16 * VST_COUNT;
		ASSERT_EQ(0, pica_look(self));
		EXPECT_EQ(4 * VST_COUNT, count(self->b.out.map, 16 * VST_COUNT, 0));
		EXPECT_EQ(size / 4, count(fresh.map, size, 0));
		ASSERT_EQ(0, vst_unmap(self->b.fd, self->b.vm, VA(40), size));
		vst_buf_free(&fresh, self->b.fd);
	}
}

/* Patterns in the device core dump of the last fault, or ~0 without a dump. */
static unsigned int dumped(unsigned int node)
{
	unsigned int n = ~0u;
	size_t size;
	char *dump;

	dump = vst_dump_take(node, &size);
	if (dump && size)
		n = count(dump, size, PATTERN);
	free(dump);
	return n;
}

/* The dump of a job's fault has the registers of all lanes, including those that never ran. */
TEST_F(pica, dump)
{
	unsigned int node = vst_dump_minor(self->b.fd);

	if (!vst_dump_supported())
		SKIP(return, "kernel without device core dumps");
	ASSERT_EQ(0, registers_program(&self->a, true));
	ASSERT_EQ(0, registers_program(&self->b, false));
	registers_job(&self->a, &self->fill);
	registers_job(&self->b, &self->look);
	self->look.pica.vertices.count = 3;
	self->look.out[2].va = VA(99);
	ASSERT_EQ(0, pica_fill(self));
	vst_dump_drop(node);
	EXPECT_EQ(-EIO, pica_look(self));
	EXPECT_EQ(0, dumped(node));
	/* while the dump of the other client's own fault has it */
	self->fill.out[2].va = VA(99);
	vst_dump_drop(node);
	EXPECT_EQ(-EIO, pica_fill(self));
	EXPECT_LT(0, dumped(node));
}

/* ---- Bifrost, Midgard ---- */

#define THREADS		64
#define GROUPS		4

FIXTURE(mali) {
	struct vst_mali a;
	struct vst_mali b;
};

FIXTURE_VARIANT(mali) {
	const struct vst_mali_arch *arch;
};

FIXTURE_VARIANT_ADD(mali, bifrost) {
	.arch = &vst_mali_bifrost,
};

FIXTURE_VARIANT_ADD(mali, midgard) {
	.arch = &vst_mali_midgard,
};

#define MALI	FIXTURE_DATA(mali)

FIXTURE_SETUP(mali)
{
	int ret = vst_mali_setup(&self->a, variant->arch);

	if (ret == -ENODEV)
		SKIP(return, "no vshader render node");
	ASSERT_EQ(0, ret);
	ASSERT_EQ(0, vst_mali_setup(&self->b, variant->arch));
}

FIXTURE_TEARDOWN(mali)
{
	close(self->a.fd);
	close(self->b.fd);
}

static int mali_fill(void *arg)
{
	MALI *self = arg;

	return vst_run(self->a.fd, &self->a.j);
}

static int mali_look(void *arg)
{
	MALI *self = arg;

	return vst_run(self->b.fd, &self->b.j);
}

#define BIFROST_REGS	48
#define MIDGARD_REGS	15

/*
 * Bifrost: r0 to r47 from u1.w0, if wanted, then 192 of each thread's 256 bytes from them:
 *
 * ds(0) nbb ncph { +MOV.i32 rN:t1, u1.w0 }
 * ds(0) nbb ncph
 * {
 *	*LSHIFT_OR.i32 r48:t0, r60, #0, 0x00000008
 *	+NOP t1
 *	+IADD.s32 r48:t1, u0.w0, t0
 * }
 * ds(0) nbb store ncph dwb(0) { +STORE.i128 t1, r48, u0.w1, @rN }
 * ds(0) nbb ncph dwb(0) { +IADD.s32 r48:t1, r48, 0x00000010 }
 *
 * The last store ends the program.
 */
static unsigned int bifrost_registers(__u32 *w, bool fill)
{
	static const __u32 begin[] = {
		0xcc304829, 0x8b88c06b, 0xc0076591, 0x00000008,
		0x0c308003, 0x80cb180c, 0x000718d3, 0xa0000000,
		0x00000071, 0x00000000, 0x00000000, 0x00000000,
	};
	static const __u32 step[] = {
		0x0c30400d, 0x80cb186b, 0xc0071883, 0x00000808,
		0x00000170, 0x00000000, 0x00000000, 0x00000000,
	};
	unsigned int i, n = 0;

	for (i = 0; i < BIFROST_REGS && fill; i++, n += 4) {
		w[n] = 0x00008149 + 0x00410000 * i;
		w[n + 1] = 0x80cb186c;
		w[n + 2] = 0xc00765b3;
		w[n + 3] = 0x00000008;
	}
	memcpy(w + n, begin, sizeof(begin));
	n += ARRAY_SIZE(begin);
	for (i = 0; i < BIFROST_REGS / 4; i++) {
		bool last = i == BIFROST_REGS / 4 - 1;

		w[n++] = 0x0000804b;
		w[n++] = 0x80cb1843;
		w[n++] = last ? 0x000049a3 : 0xc00049a3;
		w[n++] = (last ? 0x01800800 : 0x01800808) + 0x80 * i;
		memcpy(w + n, step, last ? 0 : sizeof(step));
		n += last ? 0 : ARRAY_SIZE(step);
	}
	return n;
}

/*
 *	LDST_MOV R15.x~~~, GLOBAL_THREAD_ID.xyzx
 *
 * from R0 to R14, if wanted:
 *
 *	vmul.MOV.i32 RN, TMP0, U1
 *
 * and for each
 *
 *	vmul.MOV.i32 AL1, TMP0, RN
 *	sadd.ADD.i32 AL0.x, R15.x, #(64 * N)
 *	lut.MOV.i64 AL0.y, TMP0.[xx], U0.X
 *
 *	ST.128 AL1, AL0.u64.z + AL0.u32.x << 4
 */
static unsigned int midgard_registers(__u32 *w, bool fill)
{
	unsigned int i, n = 0;

#define PUT(a, b, c, d) do {						\
	w[n++] = (a); w[n++] = (b); w[n++] = (c); w[n++] = (d);		\
} while (0)
	PUT(fill ? 0x482f1085 : 0x482f1095, 0x00000030, 0x00000030, 0);
	for (i = 0; i < MIDGARD_REGS && fill; i++)
		PUT(i == MIDGARD_REGS - 1 ? 0x00020098 : 0x00020088, 0x027b02d8 + 0x400 * i,
		    0xffae4072, 0);
	for (i = 0; i < MIDGARD_REGS; i++) {
		/* bits of the constant are scattered */
		PUT(0x020a0059, 0xe80f6c18 + 0x20 * i, 0x027b6af8, 0xffae4072);
		PUT(0x18000440 | (i & 3) << 18 | (i & 4) << 14 | (i & 8) << 11, 0x4000037b,
		    0x0000f0a4, 0);
		PUT(i == MIDGARD_REGS - 1 ? 0xc9e1d015 : 0xc9e1d095, 0x00010145, 0x00000030, 0);
	}
#undef PUT
	return n;
}

/* Threads in groups with memory that the job has for itself. */
static int mali_job(struct vst_mali *m, const __u32 *w, unsigned int n)
{
	const struct vst_mali_code c = { w, n };
	const __u32 push[] = {
		MALI_OUT_VA, 0, PATTERN, PATTERN, PATTERN, PATTERN, PATTERN, PATTERN,
	};
	int ret = vst_mali_program(m, &c, DRM_VSHADER_STAGE_COMPUTE);

	vst_job_init(&m->j, m->queue, m->program, 1);
	m->j.job.result_va = MALI_RESULT_VA;
	m->j.shader.engine_block = PTR(&m->block);
	m->j.shader.engine_block_size = sizeof(m->block);
	memcpy(m->desc.map, push, sizeof(push));
	m->block = (struct drm_vshader_mali_job){
		.gpu = m->arch->gpu,
		.local = { THREADS / GROUPS, 1, 1 },
		.groups = { GROUPS, 1, 1 },
		.preload = m->arch->preload,
		.push = { .va = MALI_DESC_VA, .count = ARRAY_SIZE(push) },
		.tls_size = 256,
		.wls_size = 1024,
		.wls_instances = 1,
	};
	return ret;
}

static int registers_jobs(MALI *self)
{
	bool bifrost = self->a.arch == &vst_mali_bifrost;
	__u32 w[512];
	int ret;

	ret = mali_job(&self->a, w, bifrost ? bifrost_registers(w, true) :
					      midgard_registers(w, true));
	return ret ? ret : mali_job(&self->b, w, bifrost ? bifrost_registers(w, false) :
							   midgard_registers(w, false));
}

/* Words written by the register test. */
static unsigned int register_words(const MALI *self)
{
	return THREADS * (self->a.arch == &vst_mali_bifrost ? BIFROST_REGS : 4 * MIDGARD_REGS);
}

TEST_F(mali, registers)
{
	ASSERT_EQ(0, registers_jobs(self));
	check(_metadata, self, mali_fill, &self->a.out, self, mali_look, &self->b.out,
	      register_words(self));
}

/*
 * A word of workgroup memory and one of thread memory, which are filled first, if wanted:
 *
 * ds(0) nbb ncph
 * {
 *	*LSHIFT_OR.i32 r2:t0, r60, #0, 0x00000002
 *	+NOP t1
 *	+MOV.i32 r3:t1, u1.w0
 * }
 * ds(0) nbb store ncph dwb(0) { +STORE.i32.wls t1, r2, 0x00000000, @r3 }
 * ds(0) nbb store ncph dwb(0) { +STORE.i32.tl t1, r2, 0x00000000, @r3 }
 * ds(0) nbb load ncph dwb(0) { +LOAD.i32.wls t1, r2, 0x00000000, @r0 }
 * ds(0) nbb load ncph dwb(0) { +LOAD.i32.tl t1, r2, 0x00000000, @r1 }
 * ds(0) eos store dwb(0)
 * {
 *	*LSHIFT_OR.i32 t0, r60, #0, 0x00000003
 *	+NOP t1
 *	+IADD.s32 r5:t1, u0.w0, t0
 *	+NOP t1
 *	+STORE.i64 t1, r5, u0.w1, @r0
 * }
 */
static const __u32 bifrost_local_fill[] = {
	0xc0c34229, 0x8b88c06b, 0xc0076591, 0x00000008,
	0x00828103, 0x80cb180c, 0x000765b3, 0x20000000,
	0x00000071, 0x00000000, 0x00000000, 0x00000000,
	0x2000400b, 0x80cb1840, 0xc000b283, 0x01800868,
	0x00000070, 0x00000000, 0x00000000, 0x00000000,
	0x2000400b, 0x80cb1840, 0xc000b783, 0x01800868,
	0x00000070, 0x00000000, 0x00000000, 0x00000000,
	0x2000400b, 0x80cb1840, 0xc0003283, 0x01400808,
	0x00000070, 0x00000000, 0x00000000, 0x00000000,
	0x2000400b, 0x80cb1840, 0xc0003783, 0x01400828,
	0x00000070, 0x00000000, 0x00000000, 0x00000000,
	0xc0004329, 0x8b88c043, 0x00076591, 0x01800800,
	0x00008025, 0x80cb185c, 0x280718d3, 0x58c1600a,
	0x50008005, 0x80cb1858, 0xe030b9a3, 0x2c01d964,
	0x00000072, 0x00000000, 0x00000000, 0x00000000,
};

static const __u32 bifrost_local_look[] = {
	0xc0824209, 0x8b88c04b, 0xc0076591, 0x00000008,
	0x00000070, 0x00000000, 0x00000000, 0x00000000,
	0x2000400b, 0x80cb1840, 0xc0003283, 0x01400008,
	0x00000070, 0x00000000, 0x00000000, 0x00000000,
	0x2000400b, 0x80cb1840, 0xc0003783, 0x01400028,
	0x00000070, 0x00000000, 0x00000000, 0x00000000,
	0xc0004329, 0x8b88c043, 0x00076591, 0x01800800,
	0x00008025, 0x80cb185c, 0x280718d3, 0x58c1600a,
	0x50008005, 0x80cb1858, 0xe030b9a3, 0x2c01d964,
	0x00000072, 0x00000000, 0x00000000, 0x00000000,
};

/*
 * A word of workgroup memory, which is filled first, if wanted:
 *
 *	LDST_MOV R0.x~~~, LOCAL_THREAD_ID.xyzx
 *	LDST_MOV R1.x~~~, GLOBAL_THREAD_ID.xyzx
 *
 *	vmul.MOV.i32 AL1, TMP0, U1
 *	smul.MOV.i32 AL0.y, TMP0.x, R0.x
 *
 *	ST.32 AL1.xxxx, LOCAL_STORAGE_PTR.u64.z + AL0.s32.y << 2
 *
 *	smul.MOV.i32 AL0.y, TMP0.x, R0.x
 *
 *	LD.32 R2.x~~~, LOCAL_STORAGE_PTR.u64.z + AL0.s32.y << 2
 *
 *	vadd.ADD.i32 AL1.x, R2.x, #0
 *	smul.MOV.i32 AL0.x, TMP0.x, R1.x
 *	lut.MOV.i64 AL0.y, TMP0.[xx], U0.X
 *
 *	ST.32 AL1.xxxx, AL0.u64.z + AL0.u32.x << 2
 */
static const __u32 midgard_local_fill[] = {
	0x48201095, 0x00000020, 0x04821100, 0x00000003,
	0x00820059, 0x68186ed8, 0x4072027b, 0x047bffae,
	0x00005801, 0x00000000, 0x00000000, 0x00000000,
	0x01e1c885, 0x000083dc, 0x00000030, 0x00000000,
	0x00800058, 0x047b6818, 0x00005801, 0x00000000,
	0x00228895, 0x000083dc, 0x00000030, 0x00000000,
	0x02a00059, 0x6838ec02, 0x02406af8, 0x03a00000,
	0x1801047b, 0x4000037b, 0x0000f0a4, 0x00000000,
	0x01e1c815, 0x00008144, 0x00000030, 0x00000000,
};

static const __u32 midgard_local_look[] = {
	0x48201085, 0x00000020, 0x04821100, 0x00000003,
	0x00800058, 0x047b6818, 0x00005801, 0x00000000,
	0x00228895, 0x000083dc, 0x00000030, 0x00000000,
	0x02a00059, 0x6838ec02, 0x02406af8, 0x03a00000,
	0x1801047b, 0x4000037b, 0x0000f0a4, 0x00000000,
	0x01e1c815, 0x00008144, 0x00000030, 0x00000000,
};

/* Memory of workgroups, and of threads, that the job has in the kernel. */
TEST_F(mali, shared_and_scratch_memory)
{
	if (self->a.arch == &vst_mali_bifrost) {
		ASSERT_EQ(0, mali_job(&self->a, bifrost_local_fill,
				      ARRAY_SIZE(bifrost_local_fill)));
		ASSERT_EQ(0, mali_job(&self->b, bifrost_local_look,
				      ARRAY_SIZE(bifrost_local_look)));
	} else {
		ASSERT_EQ(0, mali_job(&self->a, midgard_local_fill,
				      ARRAY_SIZE(midgard_local_fill)));
		ASSERT_EQ(0, mali_job(&self->b, midgard_local_look,
				      ARRAY_SIZE(midgard_local_look)));
	}
	check(_metadata, self, mali_fill, &self->a.out, self, mali_look, &self->b.out,
	      self->a.arch == &vst_mali_bifrost ? 2 * THREADS : THREADS);
}

/* ---- tile buffers ---- */

#define FRAME_SIZE	32
#define FB_AT		0x100
#define TARGET_AT	(FB_AT + 192)
#define CONTEXT_AT	0x300
#define HEAP_AT		0x400
#define LIST_AT		0x500

static void put64(struct vst_buf *b, unsigned int at, __u64 v)
{
	b->u32[at / 4] = v;
	b->u32[at / 4 + 1] = v >> 32;
}

/* Memory of a frame without draws. */
static void put_tiler(struct vst_mali *m)
{
	const __u64 heap = MALI_IN_VA, end = MALI_IN_VA + PAGE;

	if (m->arch->tags) {
		put64(&m->desc, FB_AT + 64, MALI_DESC_VA + LIST_AT);
		put64(&m->desc, FB_AT + 80, heap);
		put64(&m->desc, FB_AT + 88, end);
		return;
	}
	put64(&m->desc, FB_AT + 56, MALI_DESC_VA + CONTEXT_AT);
	m->desc.u32[(CONTEXT_AT + 12) / 4] = (FRAME_SIZE - 1) * 0x10001;
	put64(&m->desc, CONTEXT_AT + 24, MALI_DESC_VA + HEAP_AT);
	m->desc.u32[(HEAP_AT + 4) / 4] = PAGE;
	put64(&m->desc, HEAP_AT + 8, heap);
	put64(&m->desc, HEAP_AT + 16, heap);
	put64(&m->desc, HEAP_AT + 24, end);
}

/* A frame in which nothing is drawn: the target has @clear in all four words of each pixel. */
static void empty_frame(struct vst_mali *m, __u32 clear)
{
	struct vst_buf *b = &m->desc;
	unsigned int i;

	memset(b->map, 0, PAGE);
	memset(m->in.map, 0, PAGE);
	/* a FRAGMENT job, its last tile, its framebuffer */
	b->u32[4] = 9 << 1 | 1;
	b->u32[9] = (FRAME_SIZE / 16 - 1) * 0x10001;
	put64(b, 40, MALI_DESC_VA + FB_AT + 1);
	b->u32[(FB_AT + 32) / 4] = (FRAME_SIZE - 1) * 0x10001;
	b->u32[(FB_AT + 48) / 4] = 1 << 21;
	put_tiler(m);
	/* raw, 16 bytes; also clean tiles, linear */
	b->u32[TARGET_AT / 4] = 36U << 26;
	b->u32[TARGET_AT / 4 + 1] = 1 | 7 << 3 | 2 << (m->arch->tags ? 10 : 8) | 1U << 31;
	put64(b, TARGET_AT + 32, MALI_OUT_VA);
	b->u32[TARGET_AT / 4 + 10] = FRAME_SIZE * 16;
	for (i = 0; i < 4; i++)
		b->u32[TARGET_AT / 4 + 12 + i] = clear;
	memset(&m->native, 0, sizeof(m->native));
	m->native.format = m->arch->chain;
	m->native.va = MALI_DESC_VA;
	m->native.model = m->arch->gpu;
	vst_mali_job(m, 4, 1);
	m->j.job.type = DRM_VSHADER_JOB_NATIVE;
	m->j.job.desc = PTR(&m->native);
	m->j.job.desc_size = sizeof(m->native);
}

/* All bytes of a tile buffer. */
TEST_F(mali, tile_buffer)
{
	empty_frame(&self->a, PATTERN);
	empty_frame(&self->b, 0);
	check(_metadata, self, mali_fill, &self->a.out, self, mali_look, &self->b.out,
	      4 * FRAME_SIZE * FRAME_SIZE);
}

/* Fault in the first store: the dump holds no state from before the job. */
TEST_F(mali, dump)
{
	unsigned int node = vst_dump_minor(self->b.fd);

	if (!vst_dump_supported())
		SKIP(return, "kernel without device core dumps");
	ASSERT_EQ(0, registers_jobs(self));
	ASSERT_EQ(0, mali_fill(self));
	memset(self->b.desc.map, 0, 32);
	self->b.desc.u32[0] = (__u32)MALI_NOWHERE_VA;
	vst_dump_drop(node);
	EXPECT_EQ(-EIO, mali_look(self));
	EXPECT_EQ(0, dumped(node));
	self->a.desc.u32[0] = (__u32)MALI_NOWHERE_VA;
	vst_dump_drop(node);
	EXPECT_EQ(-EIO, mali_fill(self));
	EXPECT_LT(0, dumped(node));
}

/* Patterns in all registers of an invocation of a stopped job, or ~0 on an error. */
static unsigned int debugged(int dbg, __u64 invocation, const struct drm_vshader_debug_bank *b)
{
	struct drm_vshader_debug_registers a = {
		.invocation = invocation, .first = b->first,
		.count = b->count > 256 ? 256 : b->count,
	};
	static __u32 values[256 * 16];

	a.words = a.count * b->components;
	a.values = PTR(values);
	memset(values, 0, sizeof(values));
	return ioctl(dbg, DRM_IOCTL_VSHADER_DEBUG_REGISTERS, &a) ? ~0u :
	       count(values, 4 * a.words, PATTERN);
}

static int debug_queue(struct vst_mali *m)
{
	struct drm_vshader_queue_create arg = {
		.engine = m->arch->engine, .vm_id = m->vm,
		.priority = DRM_VSHADER_PRIORITY_MEDIUM, .flags = DRM_VSHADER_QUEUE_DEBUG,
	};
	struct drm_vshader_debug_attach att = { .flags = DRM_VSHADER_DEBUG_STOP_START };
	int ret;

	vst_queue_destroy(m->fd, m->queue);
	ret = vst_ioctl(m->fd, DRM_IOCTL_VSHADER_QUEUE_CREATE, &arg);
	m->queue = arg.id;
	m->j.job.queue_id = arg.id;
	att.queue_id = arg.id;
	if (!ret)
		ret = vst_ioctl(m->fd, DRM_IOCTL_VSHADER_DEBUG_ATTACH, &att);
	return ret ? ret : att.fd;
}

static int stopped(int dbg)
{
	struct pollfd p = { .fd = dbg, .events = POLLIN };
	struct drm_vshader_debug_event ev;

	while (poll(&p, 1, 10000 * vst_scale()) == 1 &&
	       read(dbg, &ev, sizeof(ev)) == sizeof(ev)) {
		if (ev.type == DRM_VSHADER_DEBUG_EVENT_STOP)
			return 0;
		if (ev.type == DRM_VSHADER_DEBUG_EVENT_JOB_END)
			return -EIO;
	}
	return -ETIME;
}

/* Registers read by a debugger before the first instruction, and traced values. */
TEST_F(mali, debugger)
{
	static struct drm_vshader_debug_trace_record records[8192];
	struct drm_vshader_debug_resume go = { .action = DRM_VSHADER_DEBUG_CONTINUE };
	struct drm_vshader_debug_trace trace = {
		.flags = DRM_VSHADER_DEBUG_TRACE_ON | DRM_VSHADER_DEBUG_TRACE_ACCESSES,
	};
	struct drm_vshader_debug_bank banks[128];
	struct drm_vshader_dev_query query = {
		.type = DRM_VSHADER_DEV_QUERY_DEBUG_BANKS, .size = sizeof(banks),
		.pointer = PTR(banks),
	};
	unsigned int i, k, read = 0;
	int dbg;

	ASSERT_EQ(0, vst_ioctl(self->b.fd, DRM_IOCTL_VSHADER_DEV_QUERY, &query));
	ASSERT_EQ(0, registers_jobs(self));
	memset(self->b.desc.map, 0, 32);
	self->b.desc.u32[0] = (__u32)MALI_OUT_VA;
	dbg = debug_queue(&self->b);
	ASSERT_LE(0, dbg);
	ASSERT_EQ(0, mali_fill(self));
	ASSERT_EQ(0, vst_submit(self->b.fd, &self->b.j));
	ASSERT_EQ(0, stopped(dbg));
	for (i = 0; i < query.size / sizeof(banks[0]); i++) {
		for (k = 0; banks[i].engine == self->b.arch->engine && k < 16; k++) {
			EXPECT_EQ(0, debugged(dbg, k, &banks[i]))
				TH_LOG("invocation %u, %s", k, banks[i].name);
			read += banks[i].count;
		}
	}
	EXPECT_LT(16 * 16, read);
	EXPECT_EQ(0, ioctl(dbg, DRM_IOCTL_VSHADER_DEBUG_TRACE, &trace));
	EXPECT_EQ(0, ioctl(dbg, DRM_IOCTL_VSHADER_DEBUG_RESUME, &go));
	EXPECT_EQ(-EIO, stopped(dbg));
	memset(records, 0xcc, sizeof(records));
	trace.count = ARRAY_SIZE(records);
	trace.records = PTR(records);
	EXPECT_EQ(0, ioctl(dbg, DRM_IOCTL_VSHADER_DEBUG_TRACE, &trace));
	EXPECT_LT(0, trace.count);
	EXPECT_EQ(0, count(records, sizeof(records), PATTERN));
	close(dbg);
}

/* ---- VideoCore IV ---- */

#define QPU_CODE_VA	VA(1)
#define QPU_UNIF_VA	VA(2)
#define QPU_OUT_VA	VA(3)
#define QPU_LIST_VA	VA(4)
#define VPM_BYTES	4096
#define FILES		64	/* registers of both files */

struct qpu {
	int fd;
	__u32 vm;
	__u32 queue;
	struct vst_buf code;
	struct vst_buf unif;
	struct vst_buf out;
	struct vst_buf list;
	struct vst_job j;
	struct drm_vshader_native_job native;
};

FIXTURE(qpu) {
	struct qpu a;
	struct qpu b;
	struct q_prog p;
};

#define QPU	FIXTURE_DATA(qpu)

static int qpu_open(struct qpu *q)
{
	struct drm_vshader_queue_create arg = {
		.engine = DRM_VSHADER_ENGINE_QPU, .priority = DRM_VSHADER_PRIORITY_MEDIUM,
	};
	const struct {
		struct vst_buf *b;
		__u64 va;
	} bufs[] = {
		{ &q->code, QPU_CODE_VA }, { &q->unif, QPU_UNIF_VA }, { &q->out, QPU_OUT_VA },
		{ &q->list, QPU_LIST_VA },
	};
	unsigned int i;
	int ret;

	q->fd = vst_open();
	if (q->fd < 0)
		return q->fd;
	ret = vst_vm_create(q->fd, 0, &q->vm);
	for (i = 0; i < ARRAY_SIZE(bufs) && !ret; i++)
		ret = vst_buf_new(bufs[i].b, q->fd, q->vm, bufs[i].va, 4 * PAGE, true);
	arg.vm_id = q->vm;
	if (!ret)
		ret = vst_ioctl(q->fd, DRM_IOCTL_VSHADER_QUEUE_CREATE, &arg);
	q->queue = arg.id;
	return ret;
}

FIXTURE_SETUP(qpu)
{
	int ret = qpu_open(&self->a);

	if (ret == -ENODEV)
		SKIP(return, "no vshader render node");
	ASSERT_EQ(0, ret);
	ASSERT_EQ(0, qpu_open(&self->b));
}

FIXTURE_TEARDOWN(qpu)
{
	close(self->a.fd);
	close(self->b.fd);
}

static int qpu_fill(void *arg)
{
	QPU *self = arg;

	return vst_run(self->a.fd, &self->a.j);
}

static int qpu_look(void *arg)
{
	QPU *self = arg;

	return vst_run(self->b.fd, &self->b.j);
}

static unsigned int file_register(unsigned int i)
{
	return i < FILES / 2 ? Q_A(i) : Q_B(i - FILES / 2);
}

static void fill_qpu(struct q_prog *p)
{
	unsigned int i;

	for (i = 0; i < 64; i++) {
		q_ldi(p, Q_WR_SETUP, q_vpm_h32(0, 1, i));
		q_ldi(p, Q_VPM, PATTERN);
	}
	for (i = 0; i < FILES; i++)
		q_ldi(p, file_register(i), PATTERN);
	for (i = 0; i < 4; i++)
		q_ldi(p, Q_ACC(i), PATTERN);
}

/* All rows of the VPM to memory. */
static void store_vpm(struct q_prog *p)
{
	q_ldi(p, Q_WR_SETUP, q_dma_store(0, 64, 16, 1, 0, 0));
	q_mov(p, Q_ST_ADDR, Q_UNIF);
	q_mov(p, Q_NOWHERE, Q_ST_WAIT);
}

static void to_row(struct q_prog *p, unsigned int row, unsigned int from)
{
	q_ldi(p, Q_WR_SETUP, q_vpm_h32(0, 1, row));
	q_mov(p, Q_VPM, from);
}

/* The VPM, the register files, the accumulators: three times the VPM's size. */
static void store_all(struct q_prog *p)
{
	unsigned int i;

	store_vpm(p);
	for (i = 0; i < FILES; i++)
		to_row(p, i, file_register(i));
	store_vpm(p);
	for (i = 0; i < 6; i++)
		to_row(p, i, Q_ACC(i));
	store_vpm(p);
	q_end(p);
}

static void qpu_job(struct qpu *q, struct q_prog *p)
{
	unsigned int i;

	q_finish(p);
	memcpy(q->code.map, p->w, 8 * p->n);
	for (i = 0; i < 3; i++)
		q->unif.u32[i] = (__u32)QPU_OUT_VA + VPM_BYTES * i;
	q->list.u32[0] = (__u32)QPU_UNIF_VA;
	q->list.u32[1] = (__u32)QPU_CODE_VA;
	vst_job_init(&q->j, q->queue, 0, 0);
	q->native = (struct drm_vshader_native_job){
		.format = DRM_VSHADER_NATIVE_QPU_LIST, .va = QPU_LIST_VA, .size = 8,
	};
	q->j.job.type = DRM_VSHADER_JOB_NATIVE;
	q->j.job.desc = PTR(&q->native);
	q->j.job.desc_size = sizeof(q->native);
}

TEST_F(qpu, vpm_and_registers)
{
	q_begin(&self->p);
	fill_qpu(&self->p);
	store_all(&self->p);
	qpu_job(&self->a, &self->p);
	q_begin(&self->p);
	store_all(&self->p);
	qpu_job(&self->b, &self->p);
	check(_metadata, self, qpu_fill, &self->a.out, self, qpu_look, &self->b.out,
	      3 * VPM_BYTES / 4);
}

/* ---- Utgard ---- */

#define UTGARD_IN_VA	VA(1)
#define UTGARD_OUT_VA	VA(2)
#define UTGARD_UNIF_VA	VA(3)
#define UTGARD_COUNT	64	/* vertices, or 8 x 8 fragments */
#define ONE		0x3f800000u
#define HALF_ONES	0x3c003c00u

struct utgard {
	int fd;
	__u32 vm;
	struct vst_buf in;
	struct vst_buf out;
	struct vst_buf unif;
	struct vst_job j;
	struct drm_vshader_utgard_gp_job gp;
	struct drm_vshader_utgard_pp_job pp;
	struct drm_vshader_utgard_target target;
};

FIXTURE(utgard) {
	struct utgard a;
	struct utgard b;
};

#define UTGARD	FIXTURE_DATA(utgard)

static int utgard_open(struct utgard *u)
{
	int ret;

	u->fd = vst_open();
	if (u->fd < 0)
		return u->fd;
	ret = vst_vm_create(u->fd, 0, &u->vm);
	if (!ret)
		ret = vst_buf_new(&u->in, u->fd, u->vm, UTGARD_IN_VA, PAGE, true);
	if (!ret)
		ret = vst_buf_new(&u->out, u->fd, u->vm, UTGARD_OUT_VA, PAGE, true);
	return ret ? ret : vst_buf_new(&u->unif, u->fd, u->vm, UTGARD_UNIF_VA, PAGE, true);
}

FIXTURE_SETUP(utgard)
{
	int ret = utgard_open(&self->a);

	if (ret == -ENODEV)
		SKIP(return, "no vshader render node");
	ASSERT_EQ(0, ret);
	ASSERT_EQ(0, utgard_open(&self->b));
}

FIXTURE_TEARDOWN(utgard)
{
	close(self->a.fd);
	close(self->b.fd);
}

static int utgard_fill(void *arg)
{
	UTGARD *self = arg;

	return vst_run(self->a.fd, &self->a.j);
}

static int utgard_look(void *arg)
{
	UTGARD *self = arg;

	return vst_run(self->b.fd, &self->b.j);
}

/* A job with its own queue, program and input. */
static int utgard_job(struct utgard *u, __u32 engine, const __u32 *words, unsigned int n)
{
	struct drm_vshader_queue_create q = {
		.engine = engine, .vm_id = u->vm, .priority = DRM_VSHADER_PRIORITY_MEDIUM,
	};
	struct drm_vshader_program_section s = {
		.type = DRM_VSHADER_SECTION_CODE, .data = PTR(words), .size = 4 * n,
	};
	const __u32 entry = 0;
	struct drm_vshader_program_create p = {
		.engine = engine,
		.stage = engine == DRM_VSHADER_ENGINE_UTGARD_GP ? DRM_VSHADER_STAGE_VERTEX :
								  DRM_VSHADER_STAGE_FRAGMENT,
		.sections = DRM_VSHADER_OBJ_ARRAY(1, &s), .entries = PTR(&entry),
		.num_entries = 1,
	};
	int ret = vst_ioctl(u->fd, DRM_IOCTL_VSHADER_QUEUE_CREATE, &q);

	if (!ret)
		ret = vst_ioctl(u->fd, DRM_IOCTL_VSHADER_PROGRAM_CREATE, &p);
	vst_job_init(&u->j, q.id, p.id, 1);
	vst_job_attr(&u->j, 0, UTGARD_IN_VA, DRM_VSHADER_FORMAT_F32, 4, 16);
	return ret;
}

/* Row 0 of the uniforms, which the second client does not have: zeros. */
static int vertices(struct utgard *u, unsigned int rows)
{
	/*
	 * 000:	mul.m0 ^2/v0.x a0.x t[0].x
	 *	mul.m1 ^3/v0.y a0.y t[0].y
	 *	add.a0 ^0/v0.z a0.z t[0].z
	 *	add.a1 ^1/v0.w a0.w t[0].w
	 */
	static const __u32 words[] = { 0x70868580, 0x438001e3, 0x40010d00, 0x000ad508 };
	int ret = utgard_job(u, DRM_VSHADER_ENGINE_UTGARD_GP, words, ARRAY_SIZE(words));
	unsigned int i;

	vst_job_out(&u->j, 0, UTGARD_OUT_VA);
	u->gp = (struct drm_vshader_utgard_gp_job){ .vertices = u->j.pica.vertices,
						    .uniforms = UTGARD_UNIF_VA,
						    .num_rows = rows };
	u->gp.vertices.count = UTGARD_COUNT;
	u->j.shader.engine_block = PTR(&u->gp);
	u->j.shader.engine_block_size = sizeof(u->gp);
	for (i = 0; i < 4 * UTGARD_COUNT; i++)
		u->in.u32[i] = rows && i % 4 < 2 ? ONE : 0;
	for (i = 0; i < 4 * rows; i++)
		u->unif.u32[i] = PATTERN;
	return ret;
}

TEST_F(utgard, rows)
{
	ASSERT_EQ(0, vertices(&self->a, 304));
	ASSERT_EQ(0, vertices(&self->b, 0));
	check(_metadata, self, utgard_fill, &self->a.out, self, utgard_look, &self->b.out,
	      4 * UTGARD_COUNT);
}

static int fragments(struct utgard *u, bool fill)
{
	/* load.v $1 0, load.u 0, mul.v0 $0 $1 ^uniform, stop; without the first one */
	static const __u32 words[2][5] = {
		{ 0x00000624, 0x00000800, 0x279c8200, 0x00001e07 },
		{ 0x000006a5, 0xf1003c60, 0x00002000, 0x9e720800, 0x0000781c },
	};
	int ret = utgard_job(u, DRM_VSHADER_ENGINE_UTGARD_PP, words[fill], fill ? 5 : 4);
	unsigned int i;

	u->target = (struct drm_vshader_utgard_target){
		.va = UTGARD_OUT_VA, .row_stride = 128, .order = 2,
		.format = DRM_VSHADER_UTGARD_PIXEL_RGBA32F,
	};
	u->pp = (struct drm_vshader_utgard_pp_job){
		.uniforms = UTGARD_UNIF_VA, .num_rows = 1, .switches = DRM_VSHADER_UTGARD_FP32,
		.width = 8, .height = 8, .inputs = u->j.pica.vertices.attributes,
		.targets = DRM_VSHADER_OBJ_ARRAY(1, &u->target),
	};
	u->j.shader.engine_block = PTR(&u->pp);
	u->j.shader.engine_block_size = sizeof(u->pp);
	u->unif.u32[0] = HALF_ONES;
	u->unif.u32[1] = HALF_ONES;
	for (i = 0; i < 4 * UTGARD_COUNT; i++)
		u->in.u32[i] = fill ? PATTERN : 0;
	return ret;
}

TEST_F(utgard, registers)
{
	ASSERT_EQ(0, fragments(&self->a, true));
	ASSERT_EQ(0, fragments(&self->b, false));
	check(_metadata, self, utgard_fill, &self->a.out, self, utgard_look, &self->b.out,
	      4 * UTGARD_COUNT);
}

TEST_HARNESS_MAIN
