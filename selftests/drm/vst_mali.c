// SPDX-License-Identifier: GPL-2.0
/*
 * Helpers of the tests of the Mali engines. The program words are the output of vshader
 * asm for the source in the comments.
 */
#include "../include/mali_blend.h"
#include "vst_mali.h"

/*
 * ds(0) nbb attr ncph dwb(0)
 * {
 *	+U16_TO_U32 r0:t1, r55
 *	*LSHIFT_OR.i32 r2:t0, t1, #0, 0x00000002
 *	+NOP t1
 *	+NOP t1
 *	+LOAD.i32.ubo t1, r2, 0x00000000, @r1
 * }
 * ds(0) nbb store ncph dwb(0)
 * {
 *	*IMUL.i32 t0, r1, u1.w0
 *	+NOP t1
 *	+IADD.s32 r1:t1, t0, r57
 *	+NOP t1
 *	+STORE.i32.wls t1, r2, 0x00000000, @r1
 * }
 * ds(7) osrb nbb barrier ncph dwb(7)
 * {
 *	+BARRIER t1
 * }
 * ds(0) nbb load ncph
 * {
 *	+ISUB.s32 r3:t1, u1.w1, r2
 *	+NOP t1
 *	+LOAD.i32.wls t1, r3, 0x00000000, @r4
 * }
 * ds(0) eos store dwb(0)
 * {
 *	*LSHIFT_OR.i32 t0, r60, #0, 0x00000002
 *	+NOP t1
 *	+IADD.s32 r5:t1, u0.w0, t0
 *	+NOP t1
 *	+STORE.i32 t1, r5, u0.w1, @r4
 * }
 */
static const __u32 reverse[] = {
	0x70000029, 0x80cb1843, 0xc0073323, 0x00800828,
	0x00004221, 0x8b88f82c, 0x10076591, 0x58c06004,
	0x20004005, 0x80cb1858, 0xe0303483, 0x2c01d964,
	0x00000072, 0x00000000, 0x00000000, 0x00000000,
	0x10008129, 0x9e070040, 0xc0076593, 0x01800828,
	0x90000025, 0x80cb185b, 0x0807181b, 0x58c16002,
	0x20004005, 0x80cb1858, 0xe030b283, 0x2c01d964,
	0x00000072, 0x00000000, 0x00000000, 0x00000000,
	0x0000004e, 0x80cb1844, 0xc005e1d3, 0x023c0018,
	0x2000812d, 0x80cb1840, 0xc0075817, 0x01400088,
	0x00c30021, 0x80cb182c, 0x02076593, 0x58c2c180,
	0x00000044, 0x00000000, 0xe0300000, 0x60000ca0,
	0xc0004229, 0x8b88c043, 0x00076591, 0x01800880,
	0x00008025, 0x80cb185c, 0x280718d3, 0x58c1600a,
	0x50008005, 0x80cb1858, 0xe030b1a3, 0x2c01d964,
	0x00000072, 0x00000000, 0x00000000, 0x00000000,
};

/*
 * ds(0) nbb ncph
 * {
 *	+MOV.i32 r1:t1, 0x00000000
 * }
 * ds(0) nbb load ncph
 * {
 *	*LSHIFT_OR.i32 t0, r60, #0, 0x00000002
 *	+NOP t1
 *	+IADD.s32 r2:t1, u0.w0, t0
 *	+NOP t1
 *	+LOAD.i32 t1, r2, u0.w1, @r1
 * }
 * ds(0) eos store dwb(0)
 * {
 *	*LSHIFT_OR.i32 t0, r60, #0, 0x00000002
 *	+NOP t1
 *	+IADD.s32 r3:t1, u1.w0, t0
 *	+NOP t1
 *	+STORE.i32 t1, r3, u1.w1, @r1
 * }
 */
static const __u32 copy[] = {
	0x00414009, 0x80cb186c, 0xc00765b3, 0x00000008,
	0x00000070, 0x00000000, 0x00000000, 0x00000000,
	0xc0004229, 0x8b88c043, 0xc0076591, 0x01400028,
	0x00008025, 0x80cb185c, 0x100718d3, 0x58c16004,
	0x20008005, 0x80cb1858, 0xe03031a3, 0x2c01d964,
	0x00000072, 0x00000000, 0x00000000, 0x00000000,
	0xc0004229, 0x8b88c043, 0x00076591, 0x01800820,
	0x00008125, 0x80cb185c, 0x180718d3, 0x58c16006,
	0x30008105, 0x80cb1858, 0xe030b1a3, 0x2c01d964,
	0x00000072, 0x00000000, 0x00000000, 0x00000000,
};

/*
 * again:
 * ds(0) nbb ncph
 * {
 *	+IADD.s32 r0:t1, r0, 0x00000001
 *	+JUMP t1, again
 * }
 */
static const __u32 spin[] = {
	0x0000412d, 0x80cb1840, 0xc0071883, 0x00000008,
	0x00004003, 0x80cb182c, 0x0003fdd3, 0x60000000,
	0x00000071, 0x00000000, 0x00000004, 0x00000000,
};

/*
 * ds(0) eos store
 * {
 *	+FRCP.f32 r0:t1, u1.w0
 *	+NOP t1
 *	+STORE.i32 t1, u0.w0, u0.w1, @r0
 * }
 */
static const __u32 rcp[] = {
	0x0000812b, 0x80cb1844, 0x00018013, 0x01800000,
	0x00000021, 0x80cb182c, 0x04076593, 0x58c2e000,
	0x00000044, 0x00000000, 0xe0300000, 0x60002c6c,
};

/* The same with +FRSQ.f32 r0:t1, u1.w0 */
static const __u32 rsq[] = {
	0x0000812b, 0x80cb1844, 0x00018413, 0x01800000,
	0x00000021, 0x80cb182c, 0x04076593, 0x58c2e000,
	0x00000044, 0x00000000, 0xe0300000, 0x60002c6c,
};

#define CODE(name)	{ .words = name, .n = ARRAY_SIZE(name) }

/*
 *	LDST_MOV R0.x~~~, LOCAL_THREAD_ID.xyzx
 *	LDST_MOV R0.~y~~, GROUP_ID.xxyz
 *
 *	LDST_MOV R0.~~z~, GLOBAL_THREAD_ID.xxxx
 *	LD_UBO.32 R1.x~~~, AL0.x, LOCAL_THREAD_ID.x << 2 {ubo=0}
 *
 *	smul.MUL.i32 R1.x, R1.x, U0.z
 *
 *	vadd.ADD.i32 AL0.x, R1.x, R0.y
 *	smul.MOV.i32 AL0.y, TMP0.x, R0.x
 *
 *	ST.32 AL0.xxxx, LOCAL_STORAGE_PTR.u64.z + AL0.s32.y << 2
 *
 *	BARRIER
 *
 *	sadd.SHL.i32 TMP0.x, R0.x, #2
 *	smul.SUB.i32 AL0.x, U0.w, TMP0.x
 *
 *	LD.32 AL1.x~~~, LOCAL_STORAGE_PTR.u64.z + AL0.s32.x
 *
 *	smul.MOV.i32 AL0.x, TMP0.x, R0.z
 *	lut.MOV.i64 AL1.y, TMP0.[xx], U0.X
 *
 *	ST.32 AL1.xxxx, AL1.u64.z + AL0.u32.x << 2
 */
static const __u32 midgard_reverse[] = {
	0x48201055, 0x00000020, 0x92040100, 0x00000002,
	0x00801085, 0x00000030, 0x1c821a80, 0x00000a00,
	0x00800098, 0x045806e1, 0x00001809, 0x00000000,
	0x00a00059, 0x68186801, 0x50000240, 0x047b03a5,
	0x00005801, 0x00000000, 0x00000000, 0x00000000,
	0x01e0c845, 0x000083dc, 0x00000030, 0x00000000,
	0x00030b84, 0x00000000, 0x00000000, 0x00000000,
	0x00880058, 0x6b17e000, 0x1820046e, 0x18013446,
	0x003b8895, 0x000001dc, 0x00000030, 0x00000000,
	0x02800059, 0x6ef86818, 0x1809047b, 0x4000037b,
	0x0000f0a4, 0x00000000, 0x00000000, 0x00000000,
	0x01e1c815, 0x0000814c, 0x00000030, 0x00000000,
};

/*
 *	LDST_MOV AL0.x~~~, GLOBAL_THREAD_ID.xyzx
 *
 *	lut.MOV.i64 AL0.y, TMP0.[xx], U0.X
 *
 *	LD.32 R0.x~~~, AL0.u64.z + AL0.u32.x << 2
 *
 *	smul.MOV.i32 AL1.x, TMP0.x, R0.x
 *	lut.MOV.i64 AL1.y, TMP0.[xx], U0.Y
 *
 *	ST.32 AL1.xxxx, AL1.u64.z + AL0.u32.x << 2
 */
static const __u32 midgard_copy[] = {
	0x483a1085, 0x00000030, 0x00000030, 0x00000000,
	0x02000058, 0x037b6af8, 0xf0a44000, 0x00000000,
	0x00208895, 0x00008144, 0x00000030, 0x00000000,
	0x02800059, 0x6ef86c18, 0x1801047b, 0xe000037b,
	0x0000f0ae, 0x00000000, 0x00000000, 0x00000000,
	0x01e1c815, 0x0000814c, 0x00000030, 0x00000000,
};

/*
 *	brx.reserved.cond.always -1 -> alu/4
 */
static const __u32 midgard_spin[] = {
	0x08000018, 0xfffffe42, 0x0000ffff, 0x00000000,
};

/*
 *	lut.FRCP.f32 AL0.x, U0.z, #0
 *
 *	lut.MOV.i64 AL0.y, TMP0.[xx], U0.X
 *
 *	ST.32 AL0.xxxx, AL0.u64.z
 */
static const __u32 midgard_rcp[] = {
	0x02000088, 0x02f0e817, 0x03200055, 0x00000000,
	0x02000058, 0x037b6af8, 0xf0a44000, 0x00000000,
	0x01e0c815, 0x00003844, 0x00000030, 0x00000000,
};

const struct vst_mali_arch vst_mali_bifrost = {
	.engine = DRM_VSHADER_ENGINE_BIFROST,
	.gpu = DRM_VSHADER_MALI_G52,
	.other_gpu = DRM_VSHADER_MALI_T760,
	.chain = DRM_VSHADER_NATIVE_BIFROST_CHAIN,
	.preload = 0x7f80,
	.state = { 1 | 1 << 11 | 2 << 12, 0x7f80 | 2 << 15 },
	.max_write = 7,
	.max_job = 10,
	.wls_ends = true,
	.reverse = CODE(reverse),
	.copy = CODE(copy),
	.copy_load = 2,
	.copy_store = 6,
	.spin = CODE(spin),
	.rcp = CODE(rcp),
};

const struct vst_mali_arch vst_mali_midgard = {
	.engine = DRM_VSHADER_ENGINE_MIDGARD,
	.gpu = DRM_VSHADER_MALI_T860,
	.other_gpu = DRM_VSHADER_MALI_G52,
	.chain = DRM_VSHADER_NATIVE_MIDGARD_CHAIN,
	.state = { 1 | 1 << 11 | 4 << 16 | 1 << 21 },
	.max_write = 3,
	.max_job = 9,
	.tags = true,
	.reverse = CODE(midgard_reverse),
	.copy = CODE(midgard_copy),
	.copy_load = 2,
	.copy_store = 5,
	.spin = CODE(midgard_spin),
	.rcp = CODE(midgard_rcp),
};

const struct vst_mali_code vst_mali_targets = CODE(blend_targets);
const struct vst_mali_code vst_mali_rsq = CODE(rsq);
const struct vst_mali_code vst_mali_minus = CODE(blend_minus);
const struct vst_mali_code vst_midgard_targets = CODE(blend_midgard_targets);
const struct vst_mali_code vst_midgard_xor = CODE(blend_midgard_xor);

int vst_mali_queue(struct vst_mali *m, __u64 budget, __u32 ms)
{
	struct drm_vshader_queue_create arg = {
		.engine = m->arch->engine,
		.vm_id = m->vm,
		.priority = DRM_VSHADER_PRIORITY_MEDIUM,
		.budget = budget,
		.time_limit_ms = ms,
	};
	int ret;

	if (m->queue)
		vst_queue_destroy(m->fd, m->queue);
	ret = vst_ioctl(m->fd, DRM_IOCTL_VSHADER_QUEUE_CREATE, &arg);
	m->queue = arg.id;
	return ret;
}

int vst_mali_setup(struct vst_mali *m, const struct vst_mali_arch *arch)
{
	const struct {
		struct vst_buf *b;
		__u64 va;
		unsigned int pages;
	} bufs[] = {
		{ &m->code, MALI_CODE_VA, 1 }, { &m->in, MALI_IN_VA, 16 },
		{ &m->out, MALI_OUT_VA, 16 }, { &m->desc, MALI_DESC_VA, 80 },
		{ &m->wls, MALI_WLS_VA, 4 }, { &m->res, MALI_RESULT_VA, 1 },
	};
	unsigned int i;
	int ret;

	memset(m, 0, sizeof(*m));
	m->arch = arch;
	m->fd = vst_open();
	if (m->fd < 0)
		return m->fd;
	ret = vst_vm_create(m->fd, DRM_VSHADER_VM_48BIT, &m->vm);
	for (i = 0; i < ARRAY_SIZE(bufs) && !ret; i++)
		ret = vst_buf_new(bufs[i].b, m->fd, m->vm, bufs[i].va, bufs[i].pages * PAGE,
				  true);
	m->result = m->res.map;
	return ret ? ret : vst_mali_queue(m, 0, 0);
}

int vst_mali_program(struct vst_mali *m, const struct vst_mali_code *c, __u32 stage)
{
	static const __u32 entry;
	struct drm_vshader_program_section s = {
		.type = DRM_VSHADER_SECTION_CODE,
		.data = PTR(c->words),
		.size = 4 * c->n,
	};
	struct drm_vshader_program_create arg = {
		.engine = m->arch->engine,
		.stage = stage,
		.sections = DRM_VSHADER_OBJ_ARRAY(1, &s),
		.entries = PTR(&entry),
		.num_entries = 1,
	};
	int ret;

	ret = vst_ioctl(m->fd, DRM_IOCTL_VSHADER_PROGRAM_CREATE, &arg);
	m->program = arg.id;
	return ret;
}

void vst_mali_job(struct vst_mali *m, unsigned int local, unsigned int groups)
{
	vst_job_init(&m->j, m->queue, m->program, 1);
	m->j.job.result_va = MALI_RESULT_VA;
	m->j.shader.engine_block = PTR(&m->block);
	m->j.shader.engine_block_size = sizeof(m->block);
	memset(&m->block, 0, sizeof(m->block));
	m->block.gpu = m->arch->gpu;
	m->block.local[0] = local;
	m->block.local[1] = 1;
	m->block.local[2] = 1;
	m->block.groups[0] = groups;
	m->block.groups[1] = 1;
	m->block.groups[2] = 1;
	m->block.preload = m->arch->preload;
}

int vst_mali_run(struct vst_mali *m)
{
	memset(m->out.map, 0, m->out.size);
	memset(m->res.map, 0xff, sizeof(*m->result));
	return vst_run(m->fd, &m->j);
}

void vst_mali_fill(struct vst_mali *m)
{
	unsigned int i;

	for (i = 0; i < MALI_LOCAL; i++)
		m->in.u32[i] = 7 * i * i + 3;
}

bool vst_mali_reversed(const struct vst_mali *m, unsigned int groups, __u32 factor)
{
	unsigned int i;

	for (i = 0; i < groups * MALI_LOCAL; i++)
		if (m->out.u32[i] != m->in.u32[MALI_LOCAL - 1 - i % MALI_LOCAL] * factor +
				     i / MALI_LOCAL)
			return false;
	return !m->out.u32[i];
}

__u64 vst_mali_ubo(__u64 va, __u32 size)
{
	return va >> 4 << 12 | ((size + 15) / 16 - 1);
}

int vst_mali_cancel(struct vst_mali *m)
{
	__u32 handle;
	int ret;

	ret = vst_syncobj(m->fd, &handle);
	if (ret)
		return ret;
	vst_job_sync(&m->j, DRM_VSHADER_SYNC_SIGNAL, handle, 0);
	ret = vst_submit(m->fd, &m->j);
	if (ret)
		return ret;
	if (vst_wait(m->fd, handle, 20) != -ETIME)
		return -EALREADY;
	ret = vst_queue_destroy(m->fd, m->queue);
	m->queue = 0;
	if (!ret)
		ret = vst_wait(m->fd, handle, 10000 * vst_scale());
	return ret ? ret : vst_fence_status(m->fd, handle);
}
