// SPDX-License-Identifier: GPL-2.0
/*
 * Native jobs: a PICA200 command list that uploads a program and draws, and lists that
 * are wrong. Register numbers: 3dbrew, "GPU/Internal Registers".
 */
#include "vshader_test.h"
#include "vst_dump.h"

enum {
	R_FINALIZE = 0x010, R_OUTMAP_TOTAL = 0x04f, R_OUTMAP_O0 = 0x050,
	R_ATTRIB_LOC = 0x200, R_FORMAT_LOW = 0x201, R_FORMAT_HIGH = 0x202,
	R_BUFFER0 = 0x203, R_INDEXBUFFER = 0x227, R_NUMVERTICES = 0x228,
	R_GEOSTAGE = 0x229, R_VERTEX_OFFSET = 0x22a, R_DRAWARRAYS = 0x22e,
	R_DRAWELEMENTS = 0x22f, R_VSH_NUM_ATTR = 0x242, R_VSH_COM_MODE = 0x244,
	R_VSH_OUTMAP1 = 0x24a, R_VSH_OUTMAP2 = 0x251, R_GSH_MISC0 = 0x252,
	R_PRIMITIVE = 0x25e,
	GSH = 0x280, VSH = 0x2b0,
	VSH_BOOL = 0x2b0, VSH_INPUTS = 0x2b9, VSH_ENTRY = 0x2ba, VSH_PERM_LOW = 0x2bb,
	VSH_PERM_HIGH = 0x2bc, VSH_OUTMASK = 0x2bd, VSH_CODE_END = 0x2bf,
	VSH_CODE_INDEX = 0x2cb, VSH_CODE_DATA = 0x2cc, VSH_DESC_INDEX = 0x2d5,
	VSH_DESC_DATA = 0x2d6,
};

#define LIST		VA(48)
#define OUTPUT		VA(49)
#define UNTOUCHED	0x7fc12345

FIXTURE(native) {
	struct vst t;
	struct vst_job j;
	struct drm_vshader_native_job desc;
	struct drm_vshader_job_result *result;
	struct vst_buf list;
	struct vst_buf output;
	unsigned int n;
};

FIXTURE_SETUP(native)
{
	SETUP_OR_SKIP(return, &self->t, NULL);
	ASSERT_EQ(0, vst_buf_new(&self->list, self->t.fd, self->t.vm, LIST, 2 * PAGE, true));
	ASSERT_EQ(0, vst_buf_new(&self->output, self->t.fd, self->t.vm, OUTPUT, 4 * PAGE, true));
	self->result = self->t.result.map;
}

FIXTURE_TEARDOWN(native)
{
	vst_buf_free(&self->list, self->t.fd);
	vst_buf_free(&self->output, self->t.fd);
	vst_teardown(&self->t);
}

/* A command: value, then header with register, byte mask and number of extra values. */
static void put(FIXTURE_DATA(native) *self, __u32 reg, __u32 value)
{
	self->list.u32[self->n++] = value;
	self->list.u32[self->n++] = reg | 0xf << 16;
}

/* @unit: VSH or GSH */
static void put_unit_program(FIXTURE_DATA(native) *self, __u32 unit, const struct vst_code *c)
{
	unsigned int i;

	put(self, unit - VSH + VSH_CODE_INDEX, 0);
	for (i = 0; i < c->ncode; i++)
		put(self, unit - VSH + VSH_CODE_DATA, c->code[i]);
	put(self, unit - VSH + VSH_CODE_END, 1);
	put(self, unit - VSH + VSH_DESC_INDEX, 0);
	for (i = 0; i < c->ndesc; i++)
		put(self, unit - VSH + VSH_DESC_DATA, c->desc[i]);
	put(self, unit - VSH + VSH_ENTRY, 0x7fff0000);
}

static void put_program(FIXTURE_DATA(native) *self, const struct vst_code *c)
{
	put_unit_program(self, VSH, c);
}

/* One attribute, 4 floats, from the fixture's input; o0 is the position. */
static void put_pipeline(FIXTURE_DATA(native) *self)
{
	put(self, R_GEOSTAGE, 0);
	put(self, R_ATTRIB_LOC, self->t.in.va >> 3);
	put(self, R_FORMAT_LOW, 3 | 3 << 2);
	put(self, R_FORMAT_HIGH, 0);
	put(self, R_BUFFER0, 0);
	put(self, R_BUFFER0 + 1, 0);
	put(self, R_BUFFER0 + 2, 1u << 28 | 16 << 16);
	put(self, R_VSH_NUM_ATTR, 0);
	put(self, VSH_INPUTS, 0xa0000000);
	put(self, VSH_PERM_LOW, 0x76543210);
	put(self, VSH_PERM_HIGH, 0xfedcba98);
	put(self, VSH_OUTMASK, 1);
	put(self, R_OUTMAP_TOTAL, 1);
	put(self, R_OUTMAP_O0, 0x03020100);
	put(self, R_VSH_OUTMAP1, 0);
	put(self, R_VSH_OUTMAP2, 0);
	put(self, R_PRIMITIVE, 0);
}

static void prepare(FIXTURE_DATA(native) *self)
{
	memset(&self->desc, 0, sizeof(self->desc));
	self->desc.format = DRM_VSHADER_NATIVE_PICA_CMDLIST;
	self->desc.flags = DRM_VSHADER_NATIVE_RESET_STATE;
	self->desc.va = self->list.va;
	self->desc.size = 4 * self->n;
	self->desc.output_va = self->output.va;
	self->desc.output_size = self->output.size;
	self->desc.model = DRM_VSHADER_PICA_F32;
	vst_default_job(&self->t, &self->j);
	self->j.job.type = DRM_VSHADER_JOB_NATIVE;
	self->j.job.desc = PTR(&self->desc);
	self->j.job.desc_size = sizeof(self->desc);
}

static void good_list(FIXTURE_DATA(native) *self, __u32 vertices)
{
	self->n = 0;
	put_pipeline(self);
	put_program(self, &vst_mov);
	put(self, R_NUMVERTICES, vertices);
	put(self, R_VERTEX_OFFSET, 0);
	put(self, R_DRAWARRAYS, 1);
	put(self, R_FINALIZE, 0x12345678);
	prepare(self);
}

TEST_F(native, draw_arrays)
{
	struct drm_vshader_pica_draw *d = self->output.map;
	float *v = (float *)(d + 1);
	unsigned int i, k;

	good_list(self, 6);
	memset(self->output.map, 0xff, self->output.size);
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(0, self->result->status);
	EXPECT_EQ(sizeof(*d) + 6 * 96, d->size);
	EXPECT_EQ(0, d->flags);
	EXPECT_EQ(0, d->topology);
	EXPECT_EQ(6, d->vertices);
	EXPECT_EQ(6, d->input_vertices);
	EXPECT_EQ(4 * (self->n - 4), d->list_offset);
	EXPECT_EQ(0, d->pad[0] | d->pad[1]);
	for (i = 0; i < 6; i++) {
		for (k = 0; k < 4; k++)
			ASSERT_EQ(4 * i + k, v[24 * i + k]);
		/* outputs without a mapping, and outputs that do not exist */
		ASSERT_EQ(1, v[24 * i + 8]);
		ASSERT_EQ(0, v[24 * i + 17]);
		ASSERT_EQ(0, v[24 * i + 21]);
	}
	/* end of the list */
	EXPECT_EQ(0, *(__u32 *)((char *)d + d->size));
}

TEST_F(native, draw_elements)
{
	struct drm_vshader_pica_draw *d = self->output.map;
	float *v = (float *)(d + 1);

	self->n = 0;
	put_pipeline(self);
	put_program(self, &vst_mov);
	/* byte indices at offset 768 from the base: after 48 vertices */
	put(self, R_INDEXBUFFER, 768);
	self->t.in.u8[768] = 40;
	self->t.in.u8[769] = 3;
	self->t.in.u8[770] = 17;
	put(self, R_NUMVERTICES, 3);
	put(self, R_DRAWELEMENTS, 1);
	prepare(self);
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(sizeof(*d) + 3 * 96, d->size);
	EXPECT_EQ(DRM_VSHADER_PICA_DRAW_INDEXED, d->flags);
	EXPECT_EQ(160, v[0]);
	EXPECT_EQ(12, v[24]);
	EXPECT_EQ(68, v[48]);
}

TEST_F(native, several_draws)
{
	struct drm_vshader_pica_draw *d = self->output.map;

	good_list(self, 3);
	self->n -= 2;			/* without the end */
	put(self, R_PRIMITIVE, 1 << 8);	/* strip */
	put(self, R_NUMVERTICES, 5);
	put(self, R_DRAWARRAYS, 1);
	prepare(self);
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(3, d->vertices);
	d = (void *)((char *)d + d->size);
	EXPECT_EQ(1, d->topology);
	/* 5 vertices of a strip are 3 triangles */
	EXPECT_EQ(9, d->vertices);
	EXPECT_EQ(5, d->input_vertices);
	d = (void *)((char *)d + d->size);
	EXPECT_EQ(0, d->size);
}

TEST_F(native, no_draw)
{
	self->n = 0;
	put(self, R_NUMVERTICES, 3);
	prepare(self);
	self->output.u32[0] = UNTOUCHED;
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(0, self->output.u32[0]);
}

/* Registers stay from job to job of a queue, until they are reset. */
TEST_F(native, state_persists)
{
	struct drm_vshader_pica_draw *d = self->output.map;

	good_list(self, 3);
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	self->n = 0;
	put(self, R_DRAWARRAYS, 1);
	prepare(self);
	self->desc.flags = 0;
	memset(self->output.map, 0, PAGE);
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(3, d->vertices);
	/* the state of another queue is its own: there is no program in it */
	ASSERT_EQ(0, vst_queue(self->t.fd, self->t.vm, 0, 0, &self->j.job.queue_id));
	EXPECT_EQ(-ENOEXEC, vst_submit(self->t.fd, &self->j));
	prepare(self);
	EXPECT_EQ(-ENOEXEC, vst_submit(self->t.fd, &self->j));
	/* a list that is refused changes nothing */
	prepare(self);
	self->desc.flags = 0;
	memset(self->output.map, 0, PAGE);
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(3, d->vertices);
}

TEST_F(native, float24_model)
{
	struct drm_vshader_pica_draw *d = self->output.map;
	__u32 *v = (__u32 *)(d + 1);

	good_list(self, 3);
	self->t.in.u32[0] = 0x3f80007f;
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(0x3f80007f, v[0]);
	self->desc.model = DRM_VSHADER_PICA_F24;
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(0, v[0] & 0x7f);
}

static int submit_fault(FIXTURE_DATA(native) *self, struct drm_vshader_fault *fault)
{
	struct drm_vshader_submit arg = {
		.jobs = DRM_VSHADER_OBJ_ARRAY(1, &self->j.job), .failed_job = NEVER,
	};
	int ret = vst_ioctl(self->t.fd, DRM_IOCTL_VSHADER_SUBMIT, &arg);

	*fault = arg.fault;
	return ret;
}

TEST_F(native, undefined_opcode)
{
	static const __u32 code[] = { P0(PICA_NOP), P0(PICA_UNDEF), P0(PICA_END) };
	static const __u32 desc[] = { PDESC_ALL };
	const struct vst_code c = { 0, code, 3, desc, 1 };
	struct drm_vshader_fault f;

	self->n = 0;
	put_pipeline(self);
	put_program(self, &c);
	put(self, R_NUMVERTICES, 3);
	put(self, R_DRAWARRAYS, 1);
	prepare(self);
	EXPECT_EQ(-ENOEXEC, submit_fault(self, &f));
	EXPECT_EQ(DRM_VSHADER_FAULT_ENCODING, f.kind);
	EXPECT_EQ(1, f.pc);
	EXPECT_EQ(0, f.draw);
	EXPECT_EQ(LIST + 4 * (self->n - 2), f.address & ~7ULL);
}

/* Writes to registers that do not exist have no effect, and the result has their number. */
TEST_F(native, no_such_registers)
{
	struct drm_vshader_pica_draw *d = self->output.map;

	self->n = 0;
	put(self, 0x300, 0xffffffff);
	put(self, 0xfff, 0xffffffff);
	put_pipeline(self);
	put_program(self, &vst_mov);
	put(self, R_NUMVERTICES, 3);
	put(self, 0x300 + R_NUMVERTICES, 6);
	put(self, R_DRAWARRAYS, 1);
	prepare(self);
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(3, d->vertices);
	EXPECT_EQ(3, self->result->stray_reads);
	good_list(self, 3);
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(0, self->result->stray_reads);
}

TEST_F(native, truncated_command)
{
	struct drm_vshader_fault f;

	self->n = 0;
	put(self, R_NUMVERTICES, 3);
	/* header that announces 255 values */
	put(self, 0xff << 20 | VSH_CODE_DATA, 0);
	prepare(self);
	EXPECT_EQ(-ENOEXEC, submit_fault(self, &f));
	EXPECT_EQ(DRM_VSHADER_FAULT_COMMAND, f.kind);
	EXPECT_EQ(0xff << 20 | VSH_CODE_DATA | 0xf << 16, f.info);
	EXPECT_EQ(LIST + 8, f.address & ~7ULL);
}

TEST_F(native, bad_fields)
{
	struct vst_job good;
	struct drm_vshader_native_job desc;

	good_list(self, 3);
	good = self->j;
	desc = self->desc;
#define BAD(err, field, value) do {					\
	self->desc = desc;						\
	self->desc.field = (value);					\
	EXPECT_EQ((err), vst_submit(self->t.fd, &self->j))		\
		TH_LOG("%s = %s", #field, #value);			\
} while (0)
	BAD(-EINVAL, format, DRM_VSHADER_NATIVE_QPU_LIST);
	BAD(-EINVAL, format, DRM_VSHADER_NATIVE_BIFROST_CHAIN);
	BAD(-EINVAL, format, NEVER);
	BAD(-EINVAL, flags, 2);
	BAD(-EINVAL, flags, 1u << 31);
	BAD(-EINVAL, size, 4);
	BAD(-EINVAL, size, 12);
	BAD(-E2BIG, size, 1ULL << 40);
	BAD(-EINVAL, model, 2);
	BAD(-EINVAL, model, NEVER);
	BAD(-EINVAL, memory, 1 << 20);
	BAD(-EINVAL, switches, DRM_VSHADER_PICA_CLAMP_OF_BOTH << 1);
	BAD(-EINVAL, switches, DRM_VSHADER_PICA_ROUND_NEAREST);	/* with F32 */
#undef BAD
	self->j = good;
	self->desc = desc;
	/* all that 1.0 has is needed */
	self->j.job.desc_size = offsetof(struct drm_vshader_native_job, memory);
	EXPECT_EQ(-EINVAL, vst_submit(self->t.fd, &self->j));
	self->j.job.desc_size = sizeof(desc);
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
}

/* The list itself, or a part of it, is not mapped. */
TEST_F(native, unmapped_list)
{
	struct drm_vshader_fault f;

	good_list(self, 3);
	self->desc.va = VA(99);
	EXPECT_EQ(-ENOEXEC, submit_fault(self, &f));
	EXPECT_EQ(DRM_VSHADER_FAULT_FETCH, f.kind);
	EXPECT_EQ(VA(99), f.address);
	self->desc.va = self->list.va + self->list.size - 8;
	self->desc.size = 64;
	EXPECT_EQ(-ENOEXEC, submit_fault(self, &f));
	EXPECT_EQ(DRM_VSHADER_FAULT_FETCH, f.kind);
	EXPECT_EQ(self->list.va + self->list.size, f.address);
}

/* Copied at submit: changing it while the job waits changes nothing. */
TEST_F(native, list_is_copied)
{
	struct drm_vshader_pica_draw *d = self->output.map;
	struct vst_gate gate;
	__u32 wait, done;
	int ret;

	ret = vst_gate_new(&gate, PAGE);
	if (ret == -ENODEV)
		SKIP(return, "needs vgem");
	ASSERT_EQ(0, ret);
	ASSERT_EQ(0, vst_gate_syncobj(&gate, self->t.fd, &wait));
	ASSERT_EQ(0, vst_syncobj(self->t.fd, &done));
	good_list(self, 3);
	vst_job_sync(&self->j, 0, wait, 0);
	vst_job_sync(&self->j, DRM_VSHADER_SYNC_SIGNAL, done, 0);
	EXPECT_EQ(0, vst_submit(self->t.fd, &self->j));
	memset(self->list.map, 0xff, self->list.size);
	EXPECT_EQ(0, vst_gate_open(&gate));
	EXPECT_EQ(0, vst_wait(self->t.fd, done, 10000));
	EXPECT_EQ(0, vst_fence_status(self->t.fd, done));
	EXPECT_EQ(3, d->vertices);
	vst_gate_free(&gate);
}

TEST_F(native, output_too_small)
{
	struct drm_vshader_fault *f = &self->result->fault;

	good_list(self, 6);
	self->desc.output_size = 32 + 5 * 96;
	memset(self->output.map, 0xff, self->output.size);
	EXPECT_EQ(-EIO, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(DRM_VSHADER_FAULT_OVERFLOW, f->kind);
	EXPECT_EQ(0, f->draw);
	/* no byte after it */
	EXPECT_EQ(~0u, self->output.u32[(32 + 5 * 96) / 4]);
}

TEST_F(native, unmapped_vertices)
{
	struct drm_vshader_fault *f = &self->result->fault;

	good_list(self, 3);
	self->n -= 4;
	put(self, R_ATTRIB_LOC, VA(99) >> 3);
	put(self, R_DRAWARRAYS, 1);
	prepare(self);
	EXPECT_EQ(-EIO, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(DRM_VSHADER_FAULT_READ, f->kind);
	EXPECT_EQ(VA(99), f->address);
	EXPECT_EQ(0, f->draw);
}

TEST_F(native, garbage)
{
	unsigned int seed = 1, i, k, run = 0;

	for (i = 0; i < 200; i++) {
		unsigned int n;

		good_list(self, 3);
		n = self->n;
		for (k = 0; k < 1 + i % 8; k++) {
			seed = seed * 1103515245 + 12345;
			self->list.u32[(seed >> 8) % n] ^= 1u << seed % 32;
			if (seed & 0x10000)
				self->list.u32[(seed >> 12) % n] = seed * 2654435761u;
		}
		ASSERT_EQ(0, vst_queue(self->t.fd, self->t.vm, 100000, 0,
				       &self->j.job.queue_id));
		run += vst_run(self->t.fd, &self->j) == 0;
		EXPECT_EQ(0, vst_queue_destroy(self->t.fd, self->j.job.queue_id));
	}
	TH_LOG("%u of 200 lists ran to their end", run);
	good_list(self, 3);
	EXPECT_EQ(0, vst_run(self->t.fd, &self->j));
}

/* ---- dumps ---- */

#define FAULT_PC	5	/* the word after the program */

/* Where x of v0 is below that of c0, 0, the program runs past its end. */
static const __u32 fault_code[] = {
	PCMP(4, 4, PS_C(0), PS_V(0), 0),		/* 0: cmp c0 > v0 */
	P2(PICA_JMPC, 1, 0, 2, 4, 0),			/* 1: jmpc cmp.x, 4 */
	P1(PICA_MOV, PD_O(0), PS_V(0), 0, 0),		/* 2: mov o0, v0 */
	P0(PICA_END),					/* 3: end */
	P0(PICA_NOP),					/* 4: nop */
};

static const __u32 fault_desc[] = { PDESC_ALL };
static const struct vst_code fault_prog = { 0, fault_code, ARRAY_SIZE(fault_code), fault_desc, 1 };

/* The geometry unit takes three vertices of the vertex unit, which have one output. */
static void put_geometry(FIXTURE_DATA(native) *self, const struct vst_code *c)
{
	put(self, R_GEOSTAGE, 2);
	put(self, R_VSH_COM_MODE, 1);
	put(self, R_GSH_MISC0, 0);
	put_unit_program(self, GSH, c);
	put(self, GSH - VSH + VSH_INPUTS, 0x08000002);
	put(self, GSH - VSH + VSH_PERM_LOW, 0x76543210);
	put(self, GSH - VSH + VSH_PERM_HIGH, 0xfedcba98);
	put(self, GSH - VSH + VSH_OUTMASK, 1);
}

/* The program and the invocation at fault, the second draw's. */
static void expect_dump(struct __test_metadata *_metadata, FIXTURE_DATA(native) *self, __u32 stage,
			__u64 invocation)
{
	const struct drm_vshader_debug_invocation *inv;
	const struct drm_vshader_dump_program *prog;
	const struct drm_vshader_dump_job *job;
	struct drm_vshader_dump_section s;
	unsigned int i, found = 0;
	const void *p;
	size_t size;
	char *dump;

	dump = vst_dump_take(vst_dump_minor(self->t.fd), &size);
	ASSERT_NE(NULL, dump);
	job = vst_dump_section(dump, size, DRM_VSHADER_DUMP_JOB, &s);
	ASSERT_NE(NULL, job);
	EXPECT_EQ(DRM_VSHADER_FAULT_FETCH, job->fault.kind);
	EXPECT_EQ(FAULT_PC, job->fault.pc);
	EXPECT_EQ(1, job->fault.draw);
	EXPECT_EQ(invocation, job->fault.invocation);
	EXPECT_LE(DRM_VSHADER_DEBUG_UPLOADED(0, 0, 0), job->code_va);
	prog = vst_dump_section(dump, size, DRM_VSHADER_DUMP_PROGRAM, &s);
	ASSERT_NE(NULL, prog);
	EXPECT_EQ(DRM_VSHADER_ENGINE_PICA, prog->engine);
	EXPECT_EQ(stage, prog->stage);
	p = vst_dump_section(dump, size, DRM_VSHADER_DUMP_CODE, &s);
	ASSERT_NE(NULL, p);
	ASSERT_LE(sizeof(fault_code), s.size);
	EXPECT_EQ(0, memcmp(p, fault_code, sizeof(fault_code)));
	p = vst_dump_section(dump, size, DRM_VSHADER_DUMP_OPDESC, &s);
	ASSERT_NE(NULL, p);
	EXPECT_EQ(0, memcmp(p, fault_desc, sizeof(fault_desc)));
	inv = vst_dump_section(dump, size, DRM_VSHADER_DUMP_INVOCATIONS, &s);
	ASSERT_NE(NULL, inv);
	for (i = 0; i < s.count; i++)
		found += inv[i].invocation == invocation && inv[i].pc == FAULT_PC;
	EXPECT_EQ(1, found);
	EXPECT_NE(NULL, vst_dump_section(dump, size, DRM_VSHADER_DUMP_REGISTERS, &s));
	EXPECT_LT(0, s.size);
	free(dump);
}

/* A good draw, then one whose program faults, in the vertex or in the geometry unit. */
static void bad_draw(struct __test_metadata *_metadata, FIXTURE_DATA(native) *self, bool geometry)
{
	struct drm_vshader_fault *f = &self->result->fault;
	unsigned int vertex = geometry ? 3 : 4;

	vst_dump_drop(vst_dump_minor(self->t.fd));
	good_list(self, 6);
	self->n -= 2;
	if (geometry)
		put_geometry(self, &fault_prog);
	else
		put_program(self, &fault_prog);
	put(self, R_DRAWARRAYS, 1);
	prepare(self);
	self->t.in.f32[4 * vertex] = -1;
	ASSERT_EQ(-EIO, vst_run(self->t.fd, &self->j));
	EXPECT_EQ(DRM_VSHADER_FAULT_FETCH, f->kind);
	EXPECT_EQ(1, f->draw);
	expect_dump(_metadata, self,
		    geometry ? DRM_VSHADER_STAGE_GEOMETRY : DRM_VSHADER_STAGE_VERTEX,
		    geometry ? 1 : vertex);
}

TEST_F(native, dump_of_a_vertex_program)
{
	if (!vst_dump_supported())
		SKIP(return, "kernel without device core dumps");
	bad_draw(_metadata, self, false);
}

TEST_F(native, dump_of_a_geometry_program)
{
	if (!vst_dump_supported())
		SKIP(return, "kernel without device core dumps");
	bad_draw(_metadata, self, true);
}

TEST_HARNESS_MAIN
