// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Mali: control of the GPU. What the chip is, resets, power, caches, counters, and the
 * interrupts that all groups of registers have alike.
 */
#include "../isa/mali/mali_run.h"
#include "mali_model.h"

/* Products and revisions as in Linux, panfrost_gpu.c, and Mesa, pan_props.c. */
static const struct mali_chip chips[] = {
	{ "t760", 0x07500000, MALI_T760 },
	{ "t860", 0x08602000, MALI_T860 },
	{ "g71", 0x60000000, MALI_G71 },
	{ "g72", 0x62210000, MALI_G72 },
	{ "g31", 0x70930000, MALI_G31 },
	{ "g52", 0x72120000, MALI_G52 },
};

static const char * const injections[MALI_NUM_FAILURES] = {
	[MALI_FAIL_STUCK] = "stuck-as",
	[MALI_FAIL_LOST_IRQ] = "lost-irq",
	[MALI_FAIL_SPURIOUS] = "spurious-irq",
	[MALI_FAIL_BUS] = "bus-error",
	[MALI_FAIL_HANG] = "hang",
	[MALI_FAIL_RESET] = "failed-reset",
	[MALI_FAIL_POWER] = "slow-power",
	[MALI_FAIL_GPU] = "gpu-fault",
	[MALI_FEATURES] = "features",
};

/* ---- interrupts ---- */

static u32 mali_gpu_lines(struct vs_model *m)
{
	struct mali_model *g = to_mali(m);
	u32 l = 0;

	if ((g->jm.raw & ~g->lost & g->jm.mask) || g->spurious)
		l |= BIT(MALI_LINE_JOB);
	if (g->mmu.raw & g->mmu.mask)
		l |= BIT(MALI_LINE_MMU);
	if (g->gpu.raw & g->gpu.mask)
		l |= BIT(MALI_LINE_GPU);
	return l;
}

/* ---- constants of the chips ---- */

/*
 * Registers that describe the chip and have no effect here, with "features": each has a value of
 * its own, so that a driver that takes one for another is found.
 */
static bool mali_gpu_feature(const struct mali_model *g, u32 offset, u32 *v)
{
	bool is = (offset >= 0x004 && offset <= 0x010) || offset == 0x04c ||
		  (offset >= 0x0a0 && offset < 0x100) || offset == 0x300 || offset == 0x310;

	*v = 0x5a000000 | offset << 12;
	return is && g->m.inject[MALI_FEATURES];
}

/* Registers that never change. Features as in the personality of the same GPU. */
static bool mali_gpu_constant(const struct mali_model *g, u32 offset, u32 *v)
{
	static const struct {
		u32 offset;
		u32 value;
	} k[] = {
		{ 0x004, 0x07120206 },	/* L2: 256 KiB, lines of 64 bytes */
		{ 0x008, 0 },
		{ 0x00c, 0x809 },
		{ 0x010, 1 },
		{ 0x014, 0x2830 },	/* 48 bits of virtual, 40 of physical addresses */
		{ 0x018, (1 << MALI_SPACES) - 1 },
		{ 0x01c, (1 << MALI_SLOTS) - 1 },
		{ 0x04c, 1 },		/* no AFBC */
		{ 0x0a0, 256 },
		{ 0x0a4, 256 },
		{ 0x0a8, 256 },
		{ 0x0ac, 0x0a040400 },
		{ 0x0b0, 0x000e001e },
		{ 0x0c0, 0x20e },
		{ 0x0c4, 0x4be },
		{ 0x0c8, 0x7e },
		{ 0x100, 1 },
		{ 0x110, 1 },
		{ 0x120, 1 },
	};
	u32 i;

	if (mali_gpu_feature(g, offset, v))
		return true;
	*v = g->chip->id;
	if (!offset)
		return true;
	for (i = 0; i < ARRAY_SIZE(k); i++) {
		*v = k[i].value;
		if (k[i].offset == offset)
			return true;
	}
	return false;
}

/* ---- resets ---- */

static void mali_gpu_reset(struct mali_model *g)
{
	struct mali_space *s;
	u32 i;

	g->resets++;
	g->gpu = (struct vs_model_irq){};
	g->jm = (struct vs_model_irq){};
	g->mmu = (struct vs_model_irq){};
	g->lost = 0;
	g->js_state = 0;
	g->perf_config = 0;
	g->counting = false;
	g->dirty = false;
	g->clean = false;
	g->fault_status = 0;
	memset(g->ready, 0, sizeof(g->ready));
	memset(g->slow, 0, sizeof(g->slow));
	g->m.race.held = 0;
	mali_l2_drop(g);
	memset(g->plain, 0, sizeof(g->plain));
	for (i = 0; i < MALI_SLOTS; i++) {
		bool running = g->slot[i].running;

		if (running)
			WRITE_ONCE(g->gone, true);
		g->slot[i] = (struct mali_slot){
			.running = running, .count = g->slot[i].count,
		};
	}
	for (i = 0; i < MALI_SPACES; i++) {
		s = &g->space[i];
		s->transtab = 0;
		s->memattr = 0;
		s->lock = 0;
		s->config = 0;
		s->root = 0;
		s->mode = 0;
		s->attributes = 0;
		s->fault_status = 0;
		s->unread = false;
		s->dirty = false;
		s->locked = false;
		s->stuck = false;
		s->busy = 0;
		s->drop = true;
		s->events++;
	}
	if (!vs_model_fails(&g->m, MALI_FAIL_RESET))
		g->gpu.raw = MALI_IRQ_RESET;
	g->slow_reset = vs_model_random(&g->m, 3);
}

static void clear_counters(struct mali_model *g)
{
	u32 i;

	g->cycles_base = g->cycles;
	g->points = 0;
	g->lines = 0;
	g->triangles = 0;
	for (i = 0; i < MALI_SLOTS; i++)
		g->slot[i].count = (struct mali_slot_count){};
}

/* Of the machine: cleared counters in addition, and nothing to report. */
static void mali_gpu_power_on(struct vs_model *m)
{
	struct mali_model *g = to_mali(m);

	mali_gpu_reset(g);
	g->gpu.raw = 0;
	g->spurious = false;
	g->sample = false;
	g->cycles = 0;
	g->counted = 0;
	clear_counters(g);
	g->flush_id = 0;
	g->fault_address = 0;
	g->perf_base = 0;
	g->l2.on = false;
	g->turn = 0;
}

/* ---- commands ---- */

static void take_sample(struct mali_model *g, u32 offset, u32 value)
{
	u32 as = g->perf_config >> 4 & 0xf;

	if ((g->perf_config & 0xf) != 1)
		vs_model_report(&g->m, offset, value, "performance counters are off");
	else if (as >= MALI_SPACES || !mali_space_on(&g->space[as]))
		vs_model_report(&g->m, offset, value,
				"performance counters go to address space %u, which is off", as);
	g->sample = true;
	g->m.kick = true;
}

static void clean_caches(struct mali_model *g, bool invalidate)
{
	/* a job that executes keeps its lines */
	mali_l2_clean(g, MALI_L2_REG);
	if (invalidate && !g->slot[0].running && !g->slot[1].running && !g->slot[2].running)
		mali_l2_drop(g);
	g->clean = g->dirty;
	if (g->clean)
		g->m.kick = true;
	else
		g->gpu.raw |= MALI_IRQ_CLEAN;
}

static void gpu_command(struct mali_model *g, u32 offset, u32 value)
{
	switch (value) {
	case 0:
		break;
	case 1:
	case 2:
		mali_gpu_reset(g);
		break;
	case 3:
		clear_counters(g);
		break;
	case 4:
		take_sample(g, offset, value);
		break;
	case 5:
	case 6:
		g->counting = value == 5;
		break;
	case 7:
	case 8:
		g->flush_id++;
		clean_caches(g, value == 8);
		break;
	default:
		vs_model_report(&g->m, offset, value, "there is no such command");
	}
}

/* ---- power ---- */

/* Part and register group of an offset. */
static bool power_reg(u32 offset, u32 *part, u32 *group)
{
	if (offset >= 0xe10 && offset < 0xe50) {
		*part = MALI_STACK;
		*group = (offset - 0xe10) >> 4;
	} else if (offset >= 0x140 && offset < 0x280 && (offset & 0x30) != 0x30) {
		*part = offset >> 4 & 3;
		*group = (offset - 0x140) >> 6;
	} else {
		return false;
	}
	return !(offset & 8);
}

static void check_off(struct mali_model *g, u32 offset, u32 value)
{
	u32 i;

	for (i = 0; i < MALI_SLOTS; i++) {
		if (g->slot[i].active)
			vs_model_report(&g->m, offset, value,
					"power is taken from slot %u, which is executing", i);
	}
}

/* One core of each kind; no stacks with power of their own. */
static void set_power(struct mali_model *g, u32 offset, u32 value, u32 part, u32 group)
{
	u32 present = part != MALI_STACK;

	if (offset & 4)
		return;
	if (group == 1) {
		if (part == MALI_SHADER && !g->ready[MALI_L2])
			vs_model_report(&g->m, offset, value,
					"cores get power before the L2 cache");
		g->ready[part] |= value & present;
		g->slow[part] = vs_model_random(&g->m, 3);
		mali_slot_power(g);
	} else if (value & g->ready[part]) {
		check_off(g, offset, value);
		if (part == MALI_L2)
			mali_l2_off(g, offset);
		g->ready[part] &= ~value;
	}
	g->gpu.raw |= MALI_IRQ_POWER | MALI_IRQ_POWER_ALL;
}

static u32 power_read(struct mali_model *g, u32 offset, u32 part, u32 group)
{
	bool busy = part == MALI_SHADER && (g->slot[0].active | g->slot[1].active |
					    g->slot[2].active);

	if (offset & 4)
		return 0;
	if (group == 0)
		return vs_model_fails(&g->m, MALI_FAIL_POWER) ||
		       vs_model_slow(&g->m, &g->slow[part]) ? 0 : g->ready[part];
	return group == 4 && busy;
}

/* ---- registers ---- */

static u32 gpu_status(const struct mali_model *g)
{
	u32 i, v = g->sample ? BIT(2) : 0;

	for (i = 0; i < MALI_SLOTS; i++)
		v |= g->slot[i].active;
	return v;
}

static u32 gpu_read(struct mali_model *g, u32 offset)
{
	u32 v, part, group;

	if (mali_gpu_constant(g, offset, &v))
		return v;
	if (power_reg(offset, &part, &group))
		return power_read(g, offset, part, group);
	switch (offset) {
	case 0x020:
		if (vs_model_slow(&g->m, &g->slow_reset))
			return g->gpu.raw & ~MALI_IRQ_RESET;
		fallthrough;
	case 0x028:
	case 0x02c:
		return vs_model_irq_read(&g->m, &g->gpu, offset - 0x020);
	case 0x034:
		return gpu_status(g);
	case 0x038:
		return g->flush_id;
	case 0x03c:
		return g->fault_status;
	case 0x040:
	case 0x044:
		return mali_half(g->fault_address, offset);
	case 0x060:
	case 0x064:
		return mali_half(g->perf_base, offset);
	case 0x068:
		return g->perf_config;
	case 0x090:
	case 0x094:
		if (!g->counting)
			vs_model_report(&g->m, offset, 0, "the cycle counter is stopped");
		return mali_half(g->counted, offset);
	case 0x098:
	case 0x09c:
		/* there is no clock; time goes on */
		return mali_half(++g->cycles, offset);
	default:
		return g->plain[offset / 4];
	}
}

static void gpu_write(struct mali_model *g, u32 offset, u32 value)
{
	u32 part, group;

	if (power_reg(offset, &part, &group)) {
		set_power(g, offset, value, part, group);
		return;
	}
	switch (offset) {
	case 0x024:
	case 0x028:
		vs_model_irq_write(&g->m, &g->gpu, offset, offset - 0x020, value);
		break;
	case 0x030:
		gpu_command(g, offset, value);
		break;
	case 0x050:
		g->plain[offset / 4] = value == 0x2968a819;
		break;
	case 0x054:
	case 0x058:
		if (!g->plain[0x050 / 4])
			vs_model_report(&g->m, offset, value, "the power registers are locked");
		g->plain[0x050 / 4] = 0;
		g->plain[offset / 4] = value;
		break;
	case 0x060:
	case 0x064:
		mali_set_half(&g->perf_base, offset, value);
		break;
	case 0x068:
		g->perf_config = value;
		break;
	default:
		g->plain[offset / 4] = value;
	}
}

static u32 mali_gpu_read(struct vs_model *m, u32 offset)
{
	struct mali_model *g = to_mali(m);

	switch (offset >> 12) {
	case 0:
		return gpu_read(g, offset);
	case 1:
		return mali_jm_read(g, offset);
	default:
		return mali_mmu_read(g, offset);
	}
}

static void mali_gpu_write(struct vs_model *m, u32 offset, u32 value)
{
	struct mali_model *g = to_mali(m);

	switch (offset >> 12) {
	case 0:
		gpu_write(g, offset, value);
		break;
	case 1:
		mali_jm_write(g, offset, value);
		break;
	default:
		mali_mmu_write(g, offset, value);
	}
}

/* ---- models ---- */

static struct vs_model *mali_gpu_make(const char *gpu)
{
	struct mali_model *g;
	u32 i, n;

	for (n = 0; n < ARRAY_SIZE(chips); n++) {
		if (!strcmp(chips[n].name, gpu))
			break;
	}
	if (n == ARRAY_SIZE(chips))
		return NULL;
	g = vs_zalloc(sizeof(*g));
	if (!g)
		return NULL;
	g->chip = &chips[n];
	for (i = 0; i < MALI_SPACES; i++) {
		g->space[i].g = g;
		g->space[i].pager.fault = mali_space_fault;
	}
	return &g->m;
}

static void mali_gpu_free(struct vs_model *m)
{
	struct mali_model *g = to_mali(m);
	u32 i;

	for (i = 0; i < MALI_SPACES; i++) {
		g->space[i].drop = true;
		mali_space_end(&g->space[i]);
	}
	mali_l2_free(g);
	vs_model_engine_free(&g->engine);
	vs_free(g);
}

static const struct vs_model_block blocks[] = {
	{ 0, 0x4000, 1, 0, "", mali_regs, MALI_NUM_REGS },
};

const struct vs_model_ops mali_model_ops = {
	.blocks = blocks,
	.nblocks = ARRAY_SIZE(blocks),
	.injections = injections,
	.ninjections = ARRAY_SIZE(injections),
	.make = mali_gpu_make,
	.free = mali_gpu_free,
	.reset = mali_gpu_power_on,
	.read = mali_gpu_read,
	.write = mali_gpu_write,
	.lines = mali_gpu_lines,
	.work = mali_work,
	.write_back = mali_l2_enable,
	.show = mali_slot_show,
};
