// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Registers of Utgard GPUs, named as in Linux, drivers/gpu/drm/lima/lima_regs.h; words of frames
 * as in Mesa, src/gallium/drivers/lima. Blocks are where lima_device.c has them.
 */
#include "utgard_model.h"

#define ALL	0xffffffffU
#define TO_8	0xfffffff8U

#define ONE(offset, access, bits, name)	{ offset, VS_REG_##access, 1, 0, bits, name }
/* Of each write-back unit. */
#define UNIT(offset, bits, name)	\
	{ offset, VS_REG_RW, UTF_PP_WB_UNITS, 0x100, bits, "WB%u_" name }

static const struct vs_model_reg gp_regs[] = {
	ONE(0x00, RW, TO_8, "VSCL_START_ADDR"),
	ONE(0x04, RW, TO_8, "VSCL_END_ADDR"),
	ONE(0x08, RW, TO_8, "PLBUCL_START_ADDR"),
	ONE(0x0c, RW, TO_8, "PLBUCL_END_ADDR"),
	ONE(0x10, RW, TO_8, "PLBU_ALLOC_START_ADDR"),
	ONE(0x14, RW, TO_8, "PLBU_ALLOC_END_ADDR"),
	ONE(0x20, W, 0x673, "CMD"),
	ONE(0x24, R, 0, "INT_RAWSTAT"),
	ONE(0x28, W, 0x787fff, "INT_CLEAR"),
	ONE(0x2c, RW, 0x787fff, "INT_MASK"),
	ONE(0x30, R, 0, "INT_STAT"),
	ONE(0x34, RW, ALL, "WRITE_BOUND_LOW"),
	ONE(0x3c, RW, ALL, "PERF_CNT_0_ENABLE"),
	ONE(0x40, RW, ALL, "PERF_CNT_1_ENABLE"),
	ONE(0x44, RW, ALL, "PERF_CNT_0_SRC"),
	ONE(0x48, RW, ALL, "PERF_CNT_1_SRC"),
	ONE(0x4c, R, 0, "PERF_CNT_0_VALUE"),
	ONE(0x50, R, 0, "PERF_CNT_1_VALUE"),
	ONE(0x54, RW, ALL, "PERF_CNT_0_LIMIT"),
	ONE(0x68, R, 0, "STATUS"),
	ONE(0x6c, R, 0, "VERSION"),
	ONE(0x80, R, 0, "VSCL_START_ADDR_READ"),
	ONE(0x84, R, 0, "PLBCL_START_ADDR_READ"),
	ONE(0x94, R, 0, "CONTR_AXI_BUS_ERROR_STAT"),
};

static const struct vs_model_reg pp_regs[] = {
	ONE(0x0000, RW, ALL, "FRAME"),
	ONE(0x0004, RW, ALL, "RSW"),
	ONE(0x0008, RW, ALL, "VERTEX"),
	ONE(0x000c, RW, ALL, "FLAGS"),
	ONE(0x0010, RW, ALL, "CLEAR_DEPTH"),
	ONE(0x0014, RW, ALL, "CLEAR_STENCIL"),
	ONE(0x0018, RW, ALL, "CLEAR_COLOR0"),
	ONE(0x001c, RW, ALL, "CLEAR_COLOR1"),
	ONE(0x0020, RW, ALL, "CLEAR_COLOR2"),
	ONE(0x0024, RW, ALL, "CLEAR_COLOR3"),
	ONE(0x0028, RW, ALL, "WIDTH"),
	ONE(0x002c, RW, ALL, "HEIGHT"),
	ONE(0x0030, RW, ALL, "STACK"),
	ONE(0x0034, RW, ALL, "STACK_SIZE"),
	ONE(0x0038, RW, ALL, "WORD14"),
	ONE(0x003c, RW, ALL, "WORD15"),
	ONE(0x0040, RW, ALL, "ORIGIN_OFFSET_X"),
	ONE(0x0044, RW, ALL, "ORIGIN_OFFSET_Y"),
	ONE(0x0048, RW, ALL, "SUBPIXEL"),
	ONE(0x004c, RW, ALL, "TIEBREAK"),
	ONE(0x0050, RW, ALL, "BLOCK_STEP"),
	ONE(0x0054, RW, ALL, "SCALE"),
	ONE(0x0058, RW, ALL, "CHANNEL_LAYOUT"),
	UNIT(0x100, 3, "SOURCE_SELECT"),
	UNIT(0x104, ALL, "SOURCE_ADDR"),
	UNIT(0x108, ALL, "PIXEL_FORMAT"),
	UNIT(0x10c, ALL, "DOWNSAMPLE"),
	UNIT(0x110, ALL, "PIXEL_LAYOUT"),
	UNIT(0x114, ALL, "PITCH"),
	UNIT(0x118, ALL, "FLAGS"),
	UNIT(0x11c, ALL, "MRT_BITS"),
	UNIT(0x120, ALL, "MRT_PITCH"),
	UNIT(0x124, ALL, "WORD9"),
	UNIT(0x128, ALL, "WORD10"),
	UNIT(0x12c, ALL, "WORD11"),
	ONE(0x1000, R, 0, "VERSION"),
	ONE(0x1004, R, 0, "CURRENT_REND_LIST_ADDR"),
	ONE(0x1008, R, 0, "STATUS"),
	ONE(0x100c, W, 0xe9, "CTRL"),
	ONE(0x1020, RW, 0x1fff, "INT_RAWSTAT"),
	ONE(0x1024, W, 0x1fff, "INT_CLEAR"),
	ONE(0x1028, RW, 0x1fff, "INT_MASK"),
	ONE(0x102c, R, 0, "INT_STATUS"),
	ONE(0x1044, RW, ALL, "WRITE_BOUNDARY_LOW"),
	ONE(0x1050, R, 0, "BUS_ERROR_STATUS"),
	ONE(0x1080, RW, ALL, "PERF_CNT_0_ENABLE"),
	ONE(0x1084, RW, ALL, "PERF_CNT_0_SRC"),
	ONE(0x1088, RW, ALL, "PERF_CNT_0_LIMIT"),
	ONE(0x108c, R, 0, "PERF_CNT_0_VALUE"),
	ONE(0x10a0, RW, ALL, "PERF_CNT_1_ENABLE"),
	ONE(0x10a4, RW, ALL, "PERF_CNT_1_SRC"),
	ONE(0x10a8, RW, ALL, "PERF_CNT_1_LIMIT"),
	ONE(0x10ac, R, 0, "PERF_CNT_1_VALUE"),
	ONE(0x10b0, RW, ALL, "PERFMON_CONTR"),
	ONE(0x10b4, RW, ALL, "PERFMON_BASE"),
};

static const struct vs_model_reg mmu_regs[] = {
	ONE(0x00, RW, ALL, "DTE_ADDR"),
	ONE(0x04, R, 0, "STATUS"),
	ONE(0x08, W, 7, "COMMAND"),
	ONE(0x0c, R, 0, "PAGE_FAULT_ADDR"),
	ONE(0x10, W, ALL, "ZAP_ONE_LINE"),
	ONE(0x14, R, 0, "INT_RAWSTAT"),
	ONE(0x18, W, ALL, "INT_CLEAR"),
	ONE(0x1c, RW, 3, "INT_MASK"),
	ONE(0x20, R, 0, "INT_STATUS"),
};

static const struct vs_model_reg l2_regs[] = {
	ONE(0x04, R, 0, "SIZE"),
	ONE(0x08, R, 0, "STATUS"),
	ONE(0x10, W, 1, "COMMAND"),
	ONE(0x14, W, ALL, "CLEAR_PAGE"),
	ONE(0x18, RW, 0x1f, "MAX_READS"),
	ONE(0x1c, RW, 3, "ENABLE"),
	ONE(0x20, RW, 0xff, "PERFCNT_SRC0"),
	ONE(0x24, RW, ALL, "PERFCNT_VAL0"),
	ONE(0x28, RW, 0xff, "PERFCNT_SRC1"),
	ONE(0x2c, RW, ALL, "PERFCNT_VAL1"),
};

static const struct vs_model_reg pmu_regs[] = {
	ONE(0x00, W, 0x3f, "POWER_UP"),
	ONE(0x04, W, 0x3f, "POWER_DOWN"),
	ONE(0x08, R, 0, "STATUS"),
	ONE(0x0c, RW, 1, "INT_MASK"),
	ONE(0x10, R, 0, "INT_RAWSTAT"),
	ONE(0x18, W, 1, "INT_CLEAR"),
	ONE(0x1c, RW, 0xffff, "SW_DELAY"),
};

static const struct vs_model_reg bcast_regs[] = {
	ONE(0x00, RW, 0x00ff00ff, "BROADCAST_MASK"),
	ONE(0x04, RW, 0xff, "INTERRUPT_MASK"),
};

static const struct vs_model_reg dlbu_regs[] = {
	ONE(0x00, RW, ALL, "MASTER_TLLIST_PHYS_ADDR"),
	ONE(0x04, RW, ALL, "MASTER_TLLIST_VADDR"),
	ONE(0x08, RW, ALL, "TLLIST_VBASEADDR"),
	ONE(0x0c, RW, ALL, "FB_DIM"),
	ONE(0x10, RW, ALL, "TLLIST_CONF"),
	ONE(0x14, RW, ALL, "START_TILE_POS"),
	ONE(0x18, RW, 0xff, "PP_ENABLE_MASK"),
};

const struct vs_model_block utg_blocks[UTG_NUM_BLOCKS] = {
	[UTG_GP] = { 0x00000, 0x1000, 1, 0, "GP_", gp_regs, ARRAY_SIZE(gp_regs) },
	/* the only one of a Mali-400 is where a Mali-450 has that of PP0 to 3 */
	[UTG_L2] = { 0x01000, 0x1000, 1, 0, "L2_CACHE_", l2_regs, ARRAY_SIZE(l2_regs) },
	[UTG_PMU] = { 0x02000, 0x1000, 1, 0, "PMU_", pmu_regs, ARRAY_SIZE(pmu_regs) },
	[UTG_GPMMU] = { 0x03000, 0x1000, 1, 0, "GPMMU_", mmu_regs, ARRAY_SIZE(mmu_regs) },
	[UTG_PPMMU] = { 0x04000, 0x1000, 4, 0, "PPMMU%u_", mmu_regs, ARRAY_SIZE(mmu_regs) },
	[UTG_PP] = { 0x08000, 0x2000, 4, 0, "PP%u_", pp_regs, ARRAY_SIZE(pp_regs) },
	[UTG_L2_GP] = { 0x10000, 0x1000, 1, 0, "L2_CACHE_GP_", l2_regs, ARRAY_SIZE(l2_regs) },
	[UTG_L2_PP4] = { 0x11000, 0x1000, 1, 0, "L2_CACHE_PP4_", l2_regs, ARRAY_SIZE(l2_regs) },
	[UTG_BCAST] = { 0x13000, 0x1000, 1, 0, "BCAST_", bcast_regs, ARRAY_SIZE(bcast_regs) },
	[UTG_DLBU] = { 0x14000, 0x1000, 1, 0, "DLBU_", dlbu_regs, ARRAY_SIZE(dlbu_regs) },
	[UTG_MMU_ALL] = { 0x15000, 0x1000, 1, 0, "PPMMU_BCAST_", mmu_regs, ARRAY_SIZE(mmu_regs) },
	[UTG_PP_ALL] = { 0x16000, 0x2000, 1, 0, "PP_BCAST_", pp_regs, ARRAY_SIZE(pp_regs) },
	[UTG_PPMMU4] = { 0x1c000, 0x1000, 4, 4, "PPMMU%u_", mmu_regs, ARRAY_SIZE(mmu_regs) },
	[UTG_PP4] = { 0x28000, 0x2000, 4, 4, "PP%u_", pp_regs, ARRAY_SIZE(pp_regs) },
};
