// SPDX-License-Identifier: GPL-2.0
/* Test fragment programs of Midgard, run on an image of 8 x 8 pixels. */
#include "mgfrag.h"

#define OP_MOV		0x7bu
#define OP_IADD		0x40u
#define BRANCH_WRITE	7
#define ALWAYS		0xffff

void mgf_new(struct mgf *f, u32 format, u32 samples)
{
	u32 i;

	frag_new(format);
	fx.ext.flags |= VS_EXT_EXEC;
	memset(f, 0, sizeof(*f));
	mc_start(&f->main);
	frag.samples = samples;
	frag.ntargets = 2;
	frag.target[0] = (struct mali_target){ MEM_VA + MGF_TARGET_A, 32, PX_LINEAR, format,
					       MGF_SAMPLE };
	frag.target[1] = (struct mali_target){ MEM_VA + MGF_TARGET_B, 32, PX_LINEAR, MGF_RGBA8,
					       MGF_SAMPLE };
	frag.depth = (struct mali_target){ MEM_VA + MGF_DEPTH, 32, PX_LINEAR, MGF_R32F,
					   MGF_SAMPLE };
	frag.stencil = (struct mali_target){ MEM_VA + MGF_STENCIL, 8, PX_LINEAR, MGF_R8UI, 64 };
	frag.stencil_write = 0xffff;
	for (i = 0; i < 2; i++)
		mgf_blend(i, MGF_ENABLE, MGF_REPLACE);
	for (i = 0; i < 16 * MGF_SAMPLE / 4; i++)
		memcpy(fx.mem + MGF_DEPTH + 4 * i, (u32 []){ 0x3f800000 }, 4);
	f->work = (struct mali_work){
		.gpu = MALI_T860, .arch = MALI_V5, .stage = MALI_STAGE_FRAGMENT,
		.code_va = MEM_VA + MGF_CODE, .instance_size = 1, .push = f->push, .npush = 16,
		.work_regs = 8, .frag = &frag,
	};
}

void mgf_move(struct mcode *c, u32 from, u32 to)
{
	struct mc_alu a = { };

	mc_move(&a, MC_VMUL, from, to);
	mc_alu(c, &a);
}

static void scalar_move(struct mc_alu *a, u32 from, u32 i, u32 to, u32 k)
{
	mc_unit(a, MC_SADD, mc_regs(24, from, to),
		mc_sca(OP_MOV, 0, mc_ssrc(0, true, 2 * i), 2, true, 2 * k));
}

void mgf_word(struct mcode *c, u32 from, u32 i, u32 to, u32 k)
{
	struct mc_alu a = { };

	scalar_move(&a, from, i, to, k);
	mc_alu(c, &a);
}

/*
 * As compilers do it: r1.z by the scalar adder, r1.w by the vector one. A write that does not
 * succeed would go back to its bundle, which has one or two quads.
 */
void mgf_write(struct mcode *c, u32 to, u32 flags)
{
	struct mc_alu a = { .has_extended = true };

	mc_unit(&a, MC_SADD, mc_regs_imm(24, (u16)to, 1),
		mc_sca(OP_MOV, 0, mc_simm((u16)to), 2, true, 4));
	if (flags & MGF_BACK)
		mc_unit(&a, MC_VADD, mc_regs_imm(31, 0, 1),
			mc_vec(OP_IADD, 2, mc_vsrc(0, 0, MC_X), mc_vimm(0), 2, 2, 0xc0));
	if (flags & MGF_BACK)
		a.extended = mc_extended(BRANCH_WRITE, 9, 0, -2, ALWAYS);
	else
		a.extended = mc_extended(BRANCH_WRITE, 8, 0, -1, ALWAYS);
	mc_alu(c, &a);
}

void mgf_load_tile(struct mcode *c, u32 op, u32 target, u32 sample, u32 reg)
{
	mc_ldst(c, MC_LS(.op = op, .reg = reg, .mask = 15, .swizzle = MC_XYZW,
			 .index_comp = target & 3, .index_reg = target >> 2,
			 .arg_comp = sample & 3, .arg_reg = sample >> 2), MC_NOP_LS);
}

void mgf_special(struct mcode *c, u32 number, u32 reg)
{
	mc_ldst(c, MC_LS(.op = 0x9e, .reg = reg, .mask = 15, .swizzle = MC_X, .index_reg = 7,
			 .offset = (int)(number << 9)), MC_NOP_LS);
}

u64 mgf_put(struct mcode *c, u32 at)
{
	memcpy(fx.mem + at, c->w, 4 * c->n);
	return (MEM_VA + at) | c->first_tag;
}

void mgf_blend(u32 target, u32 flags, u64 shader)
{
	frag.blend[target] = (struct mali_blend){ flags, 0, { (u32)shader, shader >> 32 } };
}

bool mgf_run(struct mgf *f, enum vs_simd simd)
{
	struct bench b = { .run = fx.run, .simd = simd };

	mgf_put(&f->main, MGF_CODE);
	memset(&fx.fault, 0, sizeof(fx.fault));
	return bench_work(&b, &f->work, &fx.fault);
}

u32 mgf_pixel(u32 at, u32 x, u32 y, u32 sample)
{
	u32 v;

	memcpy(&v, fx.mem + at + MGF_SAMPLE * sample + 32 * y + 4 * x, 4);
	return v;
}
