// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * GPUs as device trees describe them: properties of arm,mali-midgard.yaml, arm,mali-bifrost.yaml
 * and arm,mali-utgard.yaml. Needs nothing else of the models.
 */
#include "vs_model.h"

/**
 * struct gpu - A GPU.
 * @name:	name
 * @compatible:	property
 * @pps:	pixel processors; 0: a GPU with a job manager
 * @size:	bytes of registers
 * @opp:	its board has operating points
 */
struct gpu {
	const char *name;
	const char *compatible;
	u32 pps;
	u32 size;
	bool opp;
};

static const struct gpu gpus[] = {
	{ "t760", "arm,mali-t760", 0, 0x4000 },
	{ "t860", "arm,mali-t860", 0, 0x4000, true },
	{ "g31", "arm,mali-bifrost", 0, 0x4000 },
	{ "g52", "arm,mali-bifrost", 0, 0x4000 },
	{ "g71", "arm,mali-bifrost", 0, 0x4000 },
	{ "g72", "arm,mali-bifrost", 0, 0x4000 },
	{ "mali400", "arm,mali-400", 4, 0x10000 },
	{ "mali400mp1", "arm,mali-400", 1, 0x10000 },
	{ "mali400mp2", "arm,mali-400", 2, 0x10000 },
	{ "mali400mp3", "arm,mali-400", 3, 0x10000 },
	{ "mali400mp4", "arm,mali-400", 4, 0x10000 },
	{ "mali450", "arm,mali-450", 8, 0x30000, true },
};

/* By the lines of mali_model.h and utgard_model.h. */
static const char * const mali_lines[] = { "job", "mmu", "gpu" };
static const char * const utgard_lines[] = {
	"gp", "gpmmu", "pmu", "pp",
	"pp0", "ppmmu0", "pp1", "ppmmu1", "pp2", "ppmmu2", "pp3", "ppmmu3",
	"pp4", "ppmmu4", "pp5", "ppmmu5", "pp6", "ppmmu6", "pp7", "ppmmu7",
};

static void describe_mali(struct vs_model_desc *d)
{
	d->driver = "panfrost";
	memcpy(d->line, mali_lines, sizeof(mali_lines));
	d->clock[0] = "";
	d->nclocks = 1;
}

static void describe_utgard(struct vs_model_desc *d, u32 pps)
{
	d->driver = "lima";
	memcpy(d->line, utgard_lines, (4 + 2 * pps) * sizeof(utgard_lines[0]));
	/* of all PPs */
	if (pps <= 4)
		d->line[3] = NULL;
	d->clock[0] = "bus";
	d->clock[1] = "core";
	d->nclocks = 2;
}

bool vs_model_describe(u32 n, struct vs_model_desc *d)
{
	if (n >= ARRAY_SIZE(gpus))
		return false;
	*d = (struct vs_model_desc){
		.gpu = gpus[n].name, .compatible = gpus[n].compatible, .size = gpus[n].size,
		.opp = gpus[n].opp,
	};
	if (gpus[n].pps)
		describe_utgard(d, gpus[n].pps);
	else
		describe_mali(d);
	return true;
}

bool vs_model_find(const char *gpu, struct vs_model_desc *d)
{
	u32 i;

	for (i = 0; vs_model_describe(i, d); i++) {
		if (!strcmp(d->gpu, gpu))
			return true;
	}
	return false;
}
