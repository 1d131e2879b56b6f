// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Utgard: which register is where, power, L2 caches, and what a Mali-450 has in addition: the
 * load-balancing unit (DLBU) and the unit that writes to several cores at once (BCAST).
 */
#include "utgard_model.h"

static const struct utg_chip chips[] = {
	{ "mali400", UTF_MALI400, 4 },
	{ "mali400mp1", UTF_MALI400, 1 },
	{ "mali400mp2", UTF_MALI400, 2 },
	{ "mali400mp3", UTF_MALI400, 3 },
	{ "mali400mp4", UTF_MALI400, 4 },
	{ "mali450", UTF_MALI450, 8 },
};

static const char * const injections[UTG_NUM_FAILURES] = {
	[UTG_FAIL_LOST_IRQ] = "lost-irq",
	[UTG_FAIL_SPURIOUS] = "spurious-irq",
	[UTG_FAIL_SPURIOUS_PP] = "spurious-pp",
	[UTG_FAIL_BUS] = "bus-error",
	[UTG_FAIL_HANG] = "hang",
	[UTG_FAIL_RESET] = "failed-reset",
	[UTG_FAIL_POWER] = "slow-power",
	[UTG_FAIL_STALL] = "failed-stall",
	[UTG_FAIL_L2] = "busy-l2",
	[UTG_FAIL_HEAP] = "out-of-heap",
	[UTG_FAIL_HEAP_ERROR] = "heap-error",
};

#define L2_SIZE_400	0x06100206	/* 64 KiB, 4 ways, lines of 64 bytes, bus of 64 bits */

/* ---- blocks ---- */

/* Core or cache of the first unit of a block. */
static u32 first_of(const struct utg_model *g, enum utg_block block)
{
	switch (block) {
	case UTG_PP:
	case UTG_PPMMU:
		return 1;
	case UTG_PP4:
	case UTG_PPMMU4:
		return 5;
	case UTG_L2:
		return utg_is_450(g);
	case UTG_L2_PP4:
		return 2;
	default:
		return 0;
	}
}

static struct utg_at utgard_gpu_find(const struct utg_model *g, u32 offset)
{
	const struct vs_model_block *b;
	struct utg_at at = {};
	u32 i, n;

	for (i = 0; i < (utg_is_450(g) ? UTG_NUM_BLOCKS : UTG_L2_GP); i++) {
		b = &utg_blocks[i];
		n = (offset - b->base) / b->size;
		if (offset < b->base || n >= b->count)
			continue;
		at = (struct utg_at){ i, first_of(g, i) + n, (offset - b->base) % b->size };
		if (at.n <= g->chip->pps)
			return at;
	}
	at.block = UTG_NUM_BLOCKS;
	return at;
}

static bool present(const struct vs_model *m, u32 offset)
{
	const struct utg_model *g = container_of(m, const struct utg_model, m);

	return utgard_gpu_find(g, offset).block != UTG_NUM_BLOCKS;
}

/* ---- power ---- */

/* Power domain of a core. */
static u32 core_domain(const struct utg_model *g, u32 n)
{
	if (!n)
		return BIT(0);
	if (!utg_is_450(g))
		return BIT(1 + n);
	return n == 1 ? BIT(1) : n < 5 ? BIT(2) : BIT(3);
}

static u32 all_domains(const struct utg_model *g)
{
	u32 i, all = utg_is_450(g) ? 0 : BIT(1);

	for (i = 0; i <= g->chip->pps; i++)
		all |= core_domain(g, i);
	return all;
}

/* Domains of which one needs power for a block. The L2 caches of a Mali-450 follow their cores. */
static u32 domains(const struct utg_model *g, const struct utg_at *at)
{
	switch (at->block) {
	case UTG_GP:
	case UTG_GPMMU:
	case UTG_PP:
	case UTG_PPMMU:
	case UTG_PP4:
	case UTG_PPMMU4:
		return core_domain(g, at->n);
	case UTG_L2:
	case UTG_L2_GP:
	case UTG_L2_PP4:
		if (!utg_is_450(g))
			return BIT(1);
		return at->n == 0 ? BIT(0) : at->n == 1 ? BIT(1) | BIT(2) : BIT(3);
	default:
		return ~0U;
	}
}

static bool has_power(struct utg_model *g, const struct utg_at *at, u32 offset, u32 value)
{
	if (domains(g, at) & ~g->off)
		return true;
	vs_model_report(&g->m, offset, value, "the block has no power");
	return false;
}

static void power_off(struct utg_model *g, u32 offset, u32 value)
{
	u32 i;

	for (i = 0; i <= g->chip->pps; i++) {
		if (!(core_domain(g, i) & value & ~g->off))
			continue;
		if (g->core[i].active)
			vs_model_report(&g->m, offset, value,
					"power is taken from core %u, which is executing", i);
		utg_core_off(&g->core[i]);
	}
	g->off |= value;
	for (i = 0; i < UTG_L2S; i++) {
		const struct utg_at at = { UTG_L2, i, 0 };

		if (!(domains(g, &at) & ~g->off))
			g->l2[i] = (struct utg_l2){};
	}
}

static void pmu_command(struct utg_model *g, u32 offset, u32 reg, u32 value)
{
	if (value & ~all_domains(g))
		vs_model_report(&g->m, offset, value, "there are no domains 0x%x",
				value & ~all_domains(g));
	if (g->pmu.raw)
		vs_model_report(&g->m, offset, value,
				"the end of the last command has not been cleared");
	if (!g->delay)
		vs_model_report(&g->m, offset, value, "PMU_SW_DELAY has not been written");
	value &= all_domains(g);
	if (reg)
		power_off(g, offset, value);
	else
		g->off &= ~value;
	g->slow = vs_model_random(&g->m, 3);
	/* a Mali-400 does not report that it has no power at all */
	if (utg_is_450(g) || g->off != all_domains(g))
		g->pmu.raw |= BIT(0);
}

static u32 pmu_read(struct utg_model *g, u32 reg)
{
	switch (reg) {
	case 0x08:
		return g->off;
	case 0x0c:
		return g->pmu.mask;
	case 0x10:
		if (vs_model_fails(&g->m, UTG_FAIL_POWER) || vs_model_slow(&g->m, &g->slow))
			return 0;
		return vs_model_irq_read(&g->m, &g->pmu, VS_IRQ_RAWSTAT);
	default:
		return g->delay;
	}
}

static void pmu_write(struct utg_model *g, u32 offset, u32 reg, u32 value)
{
	switch (reg) {
	case 0x00:
	case 0x04:
		pmu_command(g, offset, reg, value);
		break;
	case 0x0c:
		vs_model_irq_write(&g->m, &g->pmu, offset, VS_IRQ_MASK, value);
		break;
	case 0x18:
		vs_model_irq_write(&g->m, &g->pmu, offset, VS_IRQ_CLEAR, value);
		break;
	default:
		g->delay = value;
	}
}

/* ---- L2 caches ---- */

static void l2_clear(struct utg_model *g, u32 n)
{
	u32 i;

	for (i = 0; i <= g->chip->pps; i++) {
		if (utg_core_l2(&g->core[i]) == n)
			g->core[i].cleared = true;
	}
}

static u32 l2_read(struct utg_model *g, u32 n, u32 reg)
{
	switch (reg) {
	case 0x04:
		return L2_SIZE_400;
	case 0x08:
		return vs_model_fails(&g->m, UTG_FAIL_L2) ||
		       vs_model_slow(&g->m, &g->l2[n].slow);
	case 0x18:
		return g->l2[n].max_reads;
	case 0x1c:
		return g->l2[n].enable;
	default:
		return g->l2[n].perf[(reg - 0x20) / 4];
	}
}

static void l2_write(struct utg_model *g, u32 n, u32 reg, u32 value)
{
	switch (reg) {
	case 0x10:
		if (value & 1)
			l2_clear(g, n);
		g->l2[n].slow = vs_model_random(&g->m, 3);
		break;
	case 0x14:
		break;
	case 0x18:
		g->l2[n].max_reads = value;
		break;
	case 0x1c:
		g->l2[n].enable = value;
		break;
	default:
		g->l2[n].perf[(reg - 0x20) / 4] = value;
	}
}

/* ---- several cores at once ---- */

/* PPs or MMUs that a block of all stands for. */
static u32 members(struct utg_model *g, const struct utg_at *at)
{
	return (g->bcast >> (at->block == UTG_MMU_ALL ? 16 : 0)) & ((1U << g->chip->pps) - 1);
}

static u32 all_read(struct utg_model *g, const struct utg_at *at)
{
	u32 i, v = 0, mask = members(g, at);

	for (i = 0; i < g->chip->pps; i++) {
		if (!(mask & BIT(i)))
			continue;
		v |= at->block == UTG_MMU_ALL ? utg_mmu_read(&g->core[1 + i].mmu, at->reg) :
						utg_core_read(&g->core[1 + i], at->reg);
	}
	return v;
}

/* A finding that several cores report alike counts once. */
static void all_write(struct utg_model *g, const struct utg_at *at, u32 offset, u32 value)
{
	u32 i, mask = members(g, at);
	u64 findings = g->m.findings;

	if (!mask)
		vs_model_report(&g->m, offset, value, "BCAST_BROADCAST_MASK has no core for this");
	for (i = 0; i < g->chip->pps; i++) {
		if (!(mask & BIT(i)))
			continue;
		if (at->block == UTG_MMU_ALL)
			utg_mmu_write(&g->core[1 + i].mmu, offset, at->reg, value);
		else
			utg_core_write(&g->core[1 + i], offset, at->reg, value);
		g->m.quiet = g->m.findings != findings;
	}
	g->m.quiet = false;
}

/* ---- registers ---- */

static u32 utgard_gpu_read(struct vs_model *m, u32 offset)
{
	struct utg_model *g = to_utg(m);
	struct utg_at at = utgard_gpu_find(g, offset);

	if (!has_power(g, &at, offset, 0))
		return 0;
	switch (at.block) {
	case UTG_GP:
	case UTG_PP:
	case UTG_PP4:
		return utg_core_read(&g->core[at.n], at.reg);
	case UTG_GPMMU:
	case UTG_PPMMU:
	case UTG_PPMMU4:
		return utg_mmu_read(&g->core[at.n].mmu, at.reg);
	case UTG_L2:
	case UTG_L2_GP:
	case UTG_L2_PP4:
		return l2_read(g, at.n, at.reg);
	case UTG_PMU:
		return pmu_read(g, at.reg);
	case UTG_DLBU:
		return g->dlbu[at.reg / 4];
	case UTG_BCAST:
		return at.reg ? g->bcast_irq : g->bcast;
	default:
		return all_read(g, &at);
	}
}

static void utgard_gpu_write(struct vs_model *m, u32 offset, u32 value)
{
	struct utg_model *g = to_utg(m);
	struct utg_at at = utgard_gpu_find(g, offset);

	if (!has_power(g, &at, offset, value))
		return;
	switch (at.block) {
	case UTG_GP:
	case UTG_PP:
	case UTG_PP4:
		utg_core_write(&g->core[at.n], offset, at.reg, value);
		break;
	case UTG_GPMMU:
	case UTG_PPMMU:
	case UTG_PPMMU4:
		utg_mmu_write(&g->core[at.n].mmu, offset, at.reg, value);
		break;
	case UTG_L2:
	case UTG_L2_GP:
	case UTG_L2_PP4:
		l2_write(g, at.n, at.reg, value);
		break;
	case UTG_PMU:
		pmu_write(g, offset, at.reg, value);
		break;
	case UTG_DLBU:
		g->dlbu[at.reg / 4] = value;
		break;
	case UTG_BCAST:
		*(at.reg ? &g->bcast_irq : &g->bcast) = value;
		break;
	default:
		all_write(g, &at, offset, value);
	}
}

/* ---- interrupts ---- */

static bool irq_active(const struct utg_core *c)
{
	return (c->irq.raw & ~c->lost & c->irq.mask) || c->spurious;
}

static u32 utgard_gpu_lines(struct vs_model *m)
{
	struct utg_model *g = to_utg(m);
	u32 i, line, l = 0;

	for (i = 0; i <= g->chip->pps; i++) {
		const struct utg_core *c = &g->core[i];

		line = i ? UTG_LINE_PP + 2 * (i - 1) : UTG_LINE_GP;
		if (c->mmu.irq.raw & c->mmu.irq.mask)
			l |= BIT(line + 1);
		if (i && g->bcast_irq & BIT(i - 1))
			line = UTG_LINE_PP_ALL;
		if (irq_active(c))
			l |= BIT(line);
	}
	if (g->pmu.raw & g->pmu.mask)
		l |= BIT(UTG_LINE_PMU);
	return l;
}

/* ---- models ---- */

static void utgard_gpu_power_on(struct vs_model *m)
{
	struct utg_model *g = to_utg(m);
	u32 i;

	for (i = 0; i < UTG_CORES; i++) {
		utg_core_off(&g->core[i]);
		g->core[i].spurious = false;
	}
	memset(g->l2, 0, sizeof(g->l2));
	memset(g->dlbu, 0, sizeof(g->dlbu));
	g->pmu = (struct vs_model_irq){};
	g->off = all_domains(g);
	g->delay = 0;
	g->bcast = 0;
	g->bcast_irq = 0;
	g->turn = 0;
}

static struct vs_model *utgard_gpu_make(const char *gpu)
{
	struct utg_model *g;
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
	for (i = 0; i < UTG_CORES; i++) {
		g->core[i].mmu.g = g;
		g->core[i].mmu.pager.fault = utg_mmu_find;
	}
	utgard_gpu_power_on(&g->m);
	return &g->m;
}

static void utgard_gpu_free(struct vs_model *m)
{
	struct utg_model *g = to_utg(m);
	u32 i;

	for (i = 0; i < UTG_CORES; i++)
		utg_mmu_free(&g->core[i].mmu);
	vs_model_engine_free(&g->engine);
	vs_free(g);
}

const struct vs_model_ops utgard_model_ops = {
	.blocks = utg_blocks,
	.nblocks = UTG_NUM_BLOCKS,
	.injections = injections,
	.ninjections = ARRAY_SIZE(injections),
	.make = utgard_gpu_make,
	.free = utgard_gpu_free,
	.reset = utgard_gpu_power_on,
	.present = present,
	.read = utgard_gpu_read,
	.write = utgard_gpu_write,
	.lines = utgard_gpu_lines,
	.work = utg_work,
	.show = utg_core_show,
};
