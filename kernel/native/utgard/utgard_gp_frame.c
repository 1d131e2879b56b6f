// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Frames of the vertex processor. Its command list is executed, draw by draw, then that of the
 * tile list unit, so the semaphores between them are no-ops. Render states of draws are checked.
 */
#include "utgard_plbu.h"

#define STEP_COMMANDS	64	/* per slice */
#define COMMAND_WEIGHT	4
#define MAX_DESCS	16	/* attributes or varyings */

/**
 * struct ugf_vertices - State set by commands.
 * @uniforms:	address of the uniforms
 * @nrows:	number of uniform rows
 * @code:	address of the program
 * @loaded:	number of instructions loaded
 * @ninsns:	number of instructions executed
 * @nattr:	number of attributes read
 * @nvar:	number of varyings written
 * @attr:	table of attribute descriptors
 * @attrs:	number of them
 * @var:	table of varying descriptors
 * @vars:	number of them
 */
struct ugf_vertices {
	u32 uniforms;
	u32 nrows;
	u32 code;
	u32 loaded;
	u32 ninsns;
	u32 nattr;
	u32 nvar;
	u32 attr;
	u32 attrs;
	u32 var;
	u32 vars;
};

/**
 * struct ugf_job - A frame being executed.
 * @u:		part that both processors share
 * @max_draws:	maximum number of draws
 * @frame:	words of the frame
 * @read:	they have been read
 * @list:	current command list
 * @at:		next command
 * @end:	end of the list
 * @ncommands:	number of commands so far
 * @ndraws:	number of draws so far
 * @v:		state set by commands
 * @cmd_va:	the draw's command
 * @work:	the draw
 * @preparing:	the draw is being prepared and does not run yet
 * @state:	render state that the tile list unit's draws have, 0: none
 * @checked:	it has been checked
 * @check:	its check
 * @plbu:	the tile list unit
 * @drawing:	draw of that unit which begins after the check
 * @finishing:	all commands have been executed
 * @streams:	streams of the draw: attributes, then varyings
 * @words:	program of the draw
 */
struct ugf_job {
	struct utf_job u;
	u32 max_draws;
	u32 frame[UTF_GP_WORDS];
	bool read;
	enum utf_list list;
	u32 at;
	u32 end;
	u32 ncommands;
	u32 ndraws;
	struct ugf_vertices v;
	u32 cmd_va;
	struct ugp_work work;
	bool preparing;
	u32 state;
	bool checked;
	struct utf_check check;
	struct utf_plbu plbu;
	struct utf_cmd drawing;
	bool finishing;
	struct utgard_stream streams[2][MAX_DESCS];
	u32 words[UGP_MAX_INSNS * UGP_WORDS];
};

/* ---- descriptors ---- */

/* Number formats; 0 bits: no such type. */
static const struct {
	u8 comp;
	u8 bits;
} types[] = {
	[UTF_F32] = { PX_FLOAT, 32 }, [UTF_I32] = { PX_SINT, 32 },
	[UTF_U32] = { PX_UINT, 32 }, [UTF_F16] = { PX_FLOAT, 16 },
	[UTF_I16] = { PX_SINT, 16 }, [UTF_U16] = { PX_UINT, 16 },
	[UTF_I8] = { PX_SINT, 8 }, [UTF_U8] = { PX_UINT, 8 },
	[UTF_I8N] = { PX_SNORM, 8 }, [UTF_U8N] = { PX_UNORM, 8 },
	[UTF_I16N] = { PX_SNORM, 16 }, [UTF_U16N] = { PX_UNORM, 16 },
	[UTF_I32N] = { PX_SNORM, 32 }, [UTF_U32N] = { PX_UNORM, 32 },
};

static bool attribute_format(u32 type, u32 comps, struct px_format *f)
{
	if (type == UTF_FIXED)
		return utgard_format(PX_FIXED, 32, comps, f);
	return type < ARRAY_SIZE(types) && types[type].bits &&
	       utgard_format((enum px_comp)types[type].comp, types[type].bits, comps, f);
}

static bool varying_format(u32 type, u32 comps, struct px_format *f)
{
	if (type == UTF_SPECIAL)
		return comps - 1 <= UTF_POINT_SIZE &&
		       utgard_format(PX_FLOAT, 32, comps - 1 == UTF_POSITION ? 4 : 1, f);
	return (type == UTF_F32 || type == UTF_F16) &&
	       utgard_format(PX_FLOAT, type == UTF_F32 ? 32 : 16, comps, f);
}

/* Return: false with a fault. */
static bool read_streams(struct ugf_job *g, u64 va, u32 n, bool varyings)
{
	struct utgard_stream *s = g->streams[varyings];
	struct simt_job *j = &g->u.j;
	u32 i, w[2];
	bool ok;

	for (i = 0; i < n; i++, va += sizeof(w)) {
		if (!utf_read(j, va, w, 2))
			return false;
		s[i] = (struct utgard_stream){ .va = w[0], .stride = UTF_STRIDE(w[1]),
					       .reg = i };
		ok = varyings ?
		     varying_format(UTF_TYPE(w[1]), UTF_COMPS(w[1]), &s[i].format) :
		     attribute_format(UTF_TYPE(w[1]), UTF_COMPS(w[1]), &s[i].format);
		if (!ok) {
			utf_reject(j, UTF_BAD_FORMAT, va, w[1]);
			return false;
		}
	}
	return true;
}

/* ---- draws ---- */

static bool fetch_program(struct ugf_job *g)
{
	u64 size = (u64)g->v.ninsns * UGP_WORDS * sizeof(u32), got;

	got = vs_map_fetch(g->u.j.map, g->v.code, g->words, size);
	if (got == size)
		return true;
	simt_job_fault(&g->u.j, VS_FAULT_FETCH, g->v.code + got, (u32)(size - got));
	return false;
}

static enum utf_reason check_draw(const struct ugf_vertices *v)
{
	if (!v->code || !v->ninsns || !v->nattr || !v->attr || !v->var)
		return UTF_MISSING;
	if (v->ninsns > v->loaded || v->nattr > v->attrs || v->nvar > v->vars)
		return UTF_BAD_COUNT;
	return UTF_OK;
}

/* Next step after beginning the draw returned @ret. */
static enum simt_next begun(struct ugf_job *g, u32 draw, int ret)
{
	struct simt_job *j = &g->u.j;

	j->charge += utgard_run_cost(g->u.run);
	j->fault.draw = draw;
	g->preparing = ret == -EAGAIN;
	if (g->preparing)
		return SIMT_NEXT_WAIT;
	if (ret == -ENOEXEC) {
		if (j->fault.kind == VS_FAULT_ENCODING)
			j->fault.address = g->v.code + 16ULL * j->fault.pc;
		return SIMT_NEXT_FAULT;
	}
	if (ret)
		return simt_job_fault(j, VS_FAULT_OVERFLOW, g->cmd_va, 0);
	return simt_job_run(j, utgard_run_machine(g->u.run));
}

/* Tell the tile list unit where the draw's point sizes are. */
static bool add_sizes(struct ugf_job *g)
{
	struct utgard_stream *s = g->streams[1];
	u32 i, w[2], va = 0, stride = 0;

	for (i = 0; i < g->v.nvar; i++) {
		if (!utf_read(&g->u.j, g->v.var + i * sizeof(w), w, 2))
			return false;
		if (UTF_TYPE(w[1]) != UTF_SPECIAL || UTF_COMPS(w[1]) - 1 != UTF_POINT_SIZE)
			continue;
		va = (u32)s[i].va;
		stride = s[i].stride;
	}
	if (utf_plbu_vertices(&g->plbu, &g->u.j.arena, va, stride))
		return true;
	simt_job_fault(&g->u.j, VS_FAULT_OVERFLOW, g->cmd_va, 0);
	return false;
}

static enum simt_next ugf_begin_draw(struct ugf_job *g, u32 count)
{
	struct simt_job *j = &g->u.j;
	const struct ugf_vertices *v = &g->v;
	u32 draw = j->fault.draw;

	if (!fetch_program(g) || !read_streams(g, v->attr, v->nattr, false) ||
	    !read_streams(g, v->var, v->nvar, true) || !add_sizes(g))
		return SIMT_NEXT_FAULT;
	g->work = (struct ugp_work){
		.code = g->words, .ninsns = v->ninsns, .count = count, .instances = 1,
		.uniforms = v->uniforms, .nrows = v->nrows,
		.attr = g->streams[0], .nattr = v->nattr,
		.out = g->streams[1], .nout = v->nvar,
		.dbg = j->dbg, .code_va = v->code,
	};
	return begun(g, draw, utgard_prepare_gp(g->u.run, &g->work, &j->fault));
}

static enum simt_next ugf_go_on(struct ugf_job *g)
{
	u32 draw = g->u.j.fault.draw;

	return begun(g, draw, utgard_prepare_step(g->u.run, &g->u.j.fault));
}

static enum simt_next ugf_draw(struct ugf_job *g, const struct utf_cmd *c)
{
	u32 count = utf_count(c);
	enum utf_reason why;

	/* draws of nothing are encoded like this, too */
	if (!count)
		return SIMT_NEXT_WAIT;
	g->u.j.fault.draw = g->ndraws;
	if (g->ndraws++ >= g->max_draws)
		return utf_reject(&g->u.j, UTF_LIMIT_DRAWS, g->cmd_va, g->max_draws);
	why = check_draw(&g->v);
	if (why)
		return utf_reject(&g->u.j, why, g->cmd_va, c->w[0]);
	return ugf_begin_draw(g, count);
}

/* ---- draws of the tile list unit ---- */

static void ugf_set_state(struct ugf_job *g, u32 va)
{
	g->checked &= va == g->state;
	g->state = va;
}

/* Next step after the unit returned @ret. */
static enum simt_next binned(struct ugf_job *g, int ret)
{
	const struct vr_mem *mem = &g->plbu.bins.mem;

	if (ret == -EFAULT)
		return simt_job_fault(&g->u.j, mem->kind, mem->va, mem->size);
	return SIMT_NEXT_WAIT;
}

/* Begin the draw when its state has been checked. */
static enum simt_next begin_bins(struct ugf_job *g, enum simt_next checked)
{
	struct simt_job *j = &g->u.j;
	enum utf_reason why;

	if (checked != SIMT_NEXT_DONE)
		return checked;
	j->fault.draw = g->plbu.ndraws;
	g->plbu.bins.simd = j->simd;
	why = utf_plbu_draw(&g->plbu, &g->drawing);
	return why ? utf_reject(j, why, g->cmd_va, g->drawing.w[0]) : SIMT_NEXT_WAIT;
}

static enum simt_next draw_pixels(struct ugf_job *g, const struct utf_cmd *c)
{
	if (!utf_count(c))
		return SIMT_NEXT_WAIT;
	g->drawing = *c;
	if (g->checked)
		return begin_bins(g, SIMT_NEXT_DONE);
	if (!g->state)
		return utf_reject(&g->u.j, UTF_MISSING, g->cmd_va, c->w[0]);
	g->checked = true;
	return begin_bins(g, utf_check_begin(&g->check, &g->u.j, g->state));
}

static enum simt_next go_on_checking(struct ugf_job *g)
{
	return begin_bins(g, utf_check_step(&g->check, &g->u.j));
}

/* The end of the second list. */
static enum simt_next ugf_finish(struct ugf_job *g)
{
	enum utf_reason why = utf_plbu_end(&g->plbu);
	int ret;

	if (why)
		return utf_reject(&g->u.j, why, g->u.va, 0);
	if (!utf_plbu_has_frame(&g->plbu))
		return SIMT_NEXT_DONE;
	ret = utf_plbu_finish(&g->plbu, &g->u.j.charge);
	return ret ? binned(g, ret) : SIMT_NEXT_DONE;
}

/* ---- commands ---- */

/* Apply a command that sets state. Return: enum utf_reason, for invalid sizes. */
static enum utf_reason set(struct ugf_vertices *v, const struct utf_cmd *c)
{
	switch (c->op) {
	case UTF_VS_UNIFORMS:
		v->uniforms = c->w[0];
		v->nrows = utf_bytes(c) / 16;
		return v->nrows > UGP_MAX_ROWS ? UTF_BAD_COUNT : UTF_OK;
	case UTF_VS_SHADER:
		v->code = c->w[0];
		v->loaded = utf_bytes(c) / 16;
		return v->loaded > UGP_MAX_INSNS ? UTF_BAD_COUNT : UTF_OK;
	case UTF_VS_SHADER_INFO:
		/* the upper bits, a prefetch hint, have no effect */
		v->ninsns = (c->w[0] >> 10 & 0x3ff) + 1;
		return v->ninsns > UGP_MAX_INSNS ? UTF_BAD_COUNT : UTF_OK;
	case UTF_VS_COUNTS:
		v->nattr = (c->w[0] >> 24) + 1;
		v->nvar = (c->w[0] >> 8 & 0xffff) + 1;
		return v->nattr > MAX_DESCS || v->nvar > MAX_DESCS ? UTF_BAD_COUNT : UTF_OK;
	case UTF_VS_ATTRIBUTES:
		v->attr = c->w[0];
		v->attrs = utf_entries(c);
		return UTF_OK;
	case UTF_VS_VARYINGS:
		v->var = c->w[0];
		v->vars = utf_entries(c);
		return UTF_OK;
	default:
		return UTF_OK;
	}
}

/* The word for which a command was rejected. */
static u32 wrong_word(enum utf_reason why, const struct utf_cmd *c)
{
	bool sizes = c->op == UTF_VS_UNIFORMS || c->op == UTF_VS_SHADER ||
		     c->op == UTF_PLBU_DRAW_ARRAYS || c->op == UTF_PLBU_DRAW_ELEMENTS;

	if (why == UTF_BAD_COMMAND)
		return 1;
	return sizes && (why == UTF_BAD_VALUE || why == UTF_BAD_COUNT);
}

static enum simt_next act(struct ugf_job *g, const struct utf_cmd *c)
{
	switch (c->op) {
	case UTF_VS_JUMP:
	case UTF_PLBU_JUMP:
		g->at = c->w[0];
		break;
	case UTF_PLBU_END:
		g->at = g->end;
		break;
	case UTF_PLBU_STATE:
		ugf_set_state(g, c->w[0]);
		break;
	case UTF_PLBU_DRAW_ARRAYS:
	case UTF_PLBU_DRAW_ELEMENTS:
		return draw_pixels(g, c);
	case UTF_VS_DRAW:
		return ugf_draw(g, c);
	default:
		break;
	}
	return SIMT_NEXT_WAIT;
}

/* Execute a command. Return: WAIT: continue with the list. */
static enum simt_next ugf_command(struct ugf_job *g)
{
	struct simt_job *j = &g->u.j;
	enum utf_reason why;
	struct utf_cmd c = {};
	u32 w[2];

	if (g->ncommands++ >= UTF_MAX_COMMANDS)
		return utf_reject(j, UTF_LIMIT_COMMANDS, g->at, UTF_MAX_COMMANDS);
	if (!utf_read(j, g->at, w, 2))
		return SIMT_NEXT_FAULT;
	j->charge += COMMAND_WEIGHT;
	g->cmd_va = g->at;
	g->at += UTF_COMMAND_BYTES;
	why = utf_decode(g->list, w, &c);
	if (!why)
		why = g->list == UTF_VS ? set(&g->v, &c) : utf_plbu_set(&g->plbu, &c);
	if (why)
		return utf_reject(j, why, g->cmd_va, w[wrong_word(why, &c)]);
	return act(g, &c);
}

static void begin_list(struct ugf_job *g, enum utf_list list)
{
	u32 first = list == UTF_VS ? UTF_GP_VS_START : UTF_GP_PLBU_START;

	g->list = list;
	g->at = g->frame[first];
	g->end = g->frame[first + 1];
	g->ncommands = 0;
}

static enum simt_next read_frame(struct ugf_job *g)
{
	struct simt_job *j = &g->u.j;
	enum utf_reason why;
	u32 word;

	if (g->u.va % sizeof(u32))
		return utf_reject(j, UTF_MISALIGNED, g->u.va, (u32)g->u.va);
	if (!utf_read_frame(&g->u, g->frame, UTF_GP_WORDS))
		return SIMT_NEXT_FAULT;
	why = utf_gp_check(g->frame, &word);
	if (why)
		return utf_reject(j, why, g->u.va + word * sizeof(u32), g->frame[word]);
	g->read = true;
	g->check.draws = true;
	utf_plbu_begin(&g->plbu, j->map, g->frame[UTF_GP_HEAP_START], g->frame[UTF_GP_HEAP_END]);
	begin_list(g, UTF_VS);
	return SIMT_NEXT_WAIT;
}

static enum simt_next ugf_next(struct simt_job *j)
{
	struct ugf_job *g = container_of(j, struct ugf_job, u.j);
	enum simt_next n = SIMT_NEXT_WAIT;
	u32 i;

	if (!g->read)
		return read_frame(g);
	if (g->preparing)
		return ugf_go_on(g);
	if (g->check.lowering)
		return go_on_checking(g);
	if (utf_plbu_busy(&g->plbu))
		return binned(g, utf_plbu_step(&g->plbu, &j->charge));
	if (g->finishing)
		return ugf_finish(g);
	for (i = 0; i < STEP_COMMANDS && n == SIMT_NEXT_WAIT && g->at != g->end; i++) {
		n = ugf_command(g);
		if (g->preparing || g->check.lowering || utf_plbu_busy(&g->plbu))
			return n;
	}
	if (n != SIMT_NEXT_WAIT || g->at != g->end)
		return n;
	if (g->list == UTF_PLBU) {
		g->finishing = true;
		return SIMT_NEXT_WAIT;
	}
	begin_list(g, UTF_PLBU);
	return SIMT_NEXT_WAIT;
}

static bool ugf_ended(struct simt_job *j, const struct vs_fault *fault)
{
	struct ugf_job *g = container_of(j, struct ugf_job, u.j);

	/* otherwise there is no launch */
	if (j->m)
		utgard_run_end(g->u.run);
	return !fault;
}

static const struct simt_job_ops ops = { .start = utf_job_start, .next = ugf_next,
					 .ended = ugf_ended };

static int ugf_parse(const struct vs_native_in *in, struct vs_native_state *s,
		     struct vs_native **out, struct vs_fault *fault)
{
	int ret = utf_job_new(in, UTF_GP_WORDS, sizeof(struct ugf_job), &ops, out);

	if (!ret)
		container_of(*out, struct ugf_job, u.base)->max_draws = in->max_draws;
	return ret;
}

const struct vs_native_ops utgard_gp_frame_ops = UTF_OPS(VS_ISA_UTGARD_GP, ugf_parse,
							 utf_add_phases);
