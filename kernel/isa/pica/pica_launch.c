// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Conversion of a shader job's PICA block to the engine's launch record.
 */
#include "pica.h"
#include "pica_float.h"
#include "pica_launch.h"

#define MAX_PRIMS	4096
#define B15		15

/* Record the name of the offending field for the caller's message. */
static int pica_launch_bad(const char **what, const char *field)
{
	*what = field;
	return -EINVAL;
}

static int check_streams(const struct vs_stream *s, u32 n, bool out, const char **what)
{
	const char *name = out ? "outputs" : "attributes";
	u32 seen = 0;
	u32 i;

	if (n > VS_MAX_STREAMS)
		return pica_launch_bad(what, name);
	for (i = 0; i < n; i++) {
		if (s[i].reg >= PICA_NUM_REGS || (seen & (1U << s[i].reg)))
			return pica_launch_bad(what, out ? "outputs.reg" : "attributes.reg");
		seen |= 1U << s[i].reg;
		if (s[i].ncomp < 1 || s[i].ncomp > 4)
			return pica_launch_bad(what, out ? "outputs.components" :
					       "attributes.components");
		if (s[i].format >= VS_NUM_FMT ||
		    (out && s[i].format != VS_FMT_F32 && s[i].format != VS_FMT_F24 &&
		     s[i].format != VS_FMT_U32))
			return pica_launch_bad(what, out ? "outputs.format" : "attributes.format");
		if (out && s[i].divisor)
			return pica_launch_bad(what, "outputs.divisor");
	}
	return 0;
}

static int check_range(const struct vs_launch *l, const char **what)
{
	int ret;

	if (l->index_size != 0 && l->index_size != 1 && l->index_size != 2 && l->index_size != 4)
		return pica_launch_bad(what, "index_type");
	if (!l->instances)
		return pica_launch_bad(what, "instances");
	ret = check_streams(l->attr, l->nattr, false, what);
	return ret ? ret : check_streams(l->out, l->nout, true, what);
}

static int pica_launch_check_block(const struct vs_program *prog, const struct pica_launch *pl,
				   const char **what)
{
	if (pl->model != PICA_MODEL_F24 && pl->model != PICA_MODEL_F32)
		return pica_launch_bad(what, "model");
	if (pl->switches & ~PICA_SW_ALL)
		return pica_launch_bad(what, "switches");
	if (pl->model == PICA_MODEL_F32 && (pl->switches & PICA_SW_ROUND_NEAREST))
		return pica_launch_bad(what, "switches");
	if (pl->nfloats > PICA_FLOAT_UNIFORMS)
		return pica_launch_bad(what, "num_float_uniforms");
	if (pl->nfloats && !pl->floats)
		return pica_launch_bad(what, "float_uniforms");
	if (pl->bools & ~0xffffU)
		return pica_launch_bad(what, "bool_uniforms");
	if (prog->src.stage == VS_STAGE_GEOMETRY) {
		if (!pl->output_mask || (pl->output_mask & ~0xffffU))
			return pica_launch_bad(what, "output_mask");
		if (pl->max_prims < 1 || pl->max_prims > MAX_PRIMS)
			return pica_launch_bad(what, "max_prims");
		return 0;
	}
	if (pl->output_mask)
		return pica_launch_bad(what, "output_mask");
	if (pl->max_prims)
		return pica_launch_bad(what, "max_prims");
	if (pl->prims_va)
		return pica_launch_bad(what, "prims_va");
	return pl->prim_info_va ? pica_launch_bad(what, "prim_info_va") : 0;
}

/* Convert a value to the model's registers: subnormals are kept, -0 is not. */
static u32 load_float(const struct pica_launch *pl, u32 word)
{
	u32 flags = PICA_TO_F24_NO_NEG_ZERO;

	if (pl->floats_f24)
		word = pica_f24_to_f32(word & 0xffffff);
	if (pl->model == PICA_MODEL_F32)
		return word;
	if (pl->switches & PICA_SW_ROUND_NEAREST)
		flags |= PICA_TO_F24_NEAREST;
	return pica_f32_round_f24(word, flags);
}

static void fill_uniforms(const struct pica_launch *pl, struct vs_launch *l, u32 nunif, u32 *unif)
{
	u32 i;

	for (i = 0; i < nunif; i++)
		unif[i] = i / 4 < pl->nfloats ? load_float(pl, pl->floats[i / 4][i % 4]) : 0;
	l->unif = unif;
	l->bools = pl->bools;
	for (i = 0; i < PICA_NUM_INT; i++) {
		l->loops[i].count = pl->ints[i][0];
		l->loops[i].start = pl->ints[i][1];
		l->loops[i].step = pl->ints[i][2];
		l->loops[i].pad = 0;
	}
}

static u32 engine_model(const struct pica_launch *pl)
{
	if (pl->model == PICA_MODEL_F32)
		return VS_FP_F32;
	return pl->switches & PICA_SW_ROUND_NEAREST ? VS_FP_F24N : VS_FP_F24T;
}

static void fill_geometry(const struct vs_program *prog, const struct pica_launch *pl,
			  struct vs_launch *l)
{
	l->flags |= VS_LAUNCH_EMIT;
	/*
	 * The single geometry unit keeps its registers between invocations.
	 * There are several vertex units, and it is undefined which one processes a vertex:
	 * their invocations start from zero.
	 */
	if (prog->prog->carries || (prog->report.features & VS_FEAT_CARRIES_STATE))
		l->flags |= VS_LAUNCH_SERIAL;
	l->emit.mask = pl->output_mask;
	l->emit.max_prims = pl->max_prims;
	l->emit.prims_va = pl->prims_va;
	l->emit.info_va = pl->prim_info_va;
	l->emit.bool_after = B15;
}

/**
 * pica_launch_fill - complete a launch record
 * @prog: program
 * @pl: PICA block, checked here
 * @l: count, instances, first, index and streams set by the caller; the rest is set here
 * @entry: guest word of the entry point
 * @unif: prog->prog->nunif words, filled here in the model's representation; must live
 *	as long as the job
 * @what: on error the name of the offending field
 *
 * Input registers that the program reads without an attribute are zero.
 *
 * Return: 0 or -EINVAL.
 */
int pica_launch_fill(const struct vs_program *prog, const struct pica_launch *pl,
		     struct vs_launch *l, u32 entry, u32 *unif, const char **what)
{
	int ret;

	*what = "";
	if (prog->isa != &pica_isa)
		return pica_launch_bad(what, "program");
	ret = pica_launch_check_block(prog, pl, what);
	if (!ret)
		ret = check_range(l, what);
	if (ret)
		return ret;

	l->prog = prog->prog;
	l->entry = vs_program_entry(prog, entry);
	if (l->entry == VS_NO_UOP)
		return pica_launch_bad(what, "entry");
	l->fp = engine_model(pl);
	l->flags = 0;
	if (pl->switches & PICA_SW_OOR_READS_ZERO)
		l->flags |= VS_LAUNCH_OOR_ZERO;
	if (pl->switches & PICA_SW_LOOP_RESTORES_AL)
		l->flags |= VS_LAUNCH_AL_RESTORE;
	l->emit = (struct vs_emit){ .bool_after = ~0U };
	l->ops = NULL;
	l->ops_arg = NULL;
	fill_uniforms(pl, l, prog->prog->nunif, unif);
	if (prog->src.stage == VS_STAGE_GEOMETRY)
		fill_geometry(prog, pl, l);
	return 0;
}
