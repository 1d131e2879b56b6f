// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Shader jobs: one launch of a program object, whose uniforms, texture descriptors and streams
 * are read when the job runs.
 */
#include "utgard_job.h"

#define TEXTURE_COST	32	/* weight of reading a texture's descriptor, approximately */

/**
 * struct utgard_job - A shader job being executed.
 * @j:		SIMT job
 * @s:		job as submitted
 * @run:	machine
 * @loaded:	textures have been read
 * @begun:	the launch has been begun
 * @preparing:	the launch is being prepared and does not run yet
 */
struct utgard_job {
	struct simt_job j;
	struct utgard_shader s;
	struct utgard_run *run;
	bool loaded;
	bool begun;
	bool preparing;
};

static bool is_gp(const struct utgard_shader *s)
{
	return s->prog->isa->id == VS_ISA_UTGARD_GP;
}

/* ---- execution ---- */

static bool utgard_shader_start(struct simt_job *j)
{
	struct utgard_job *u = container_of(j, struct utgard_job, j);

	u->run = utgard_run_new(&j->arena, j->map);
	return u->run;
}

static int utgard_shader_load(struct utgard_job *u)
{
	struct upp_work *w = &u->s.pp;
	struct utgard_tex *tex = NULL;
	int ret;

	u->s.gp.dbg = u->j.dbg;
	w->dbg = u->j.dbg;
	if (is_gp(&u->s))
		return -EAGAIN;
	u->j.charge += TEXTURE_COST * w->ntextures;
	ret = utgard_tex_load(u->j.map, u->s.textures, w->ntextures, &u->j.arena, &tex,
			      &u->j.fault);
	w->textures = tex;
	return ret ? ret : -EAGAIN;
}

/* Return: -EAGAIN: call again. */
static int utgard_shader_step(struct utgard_job *u)
{
	if (!u->loaded) {
		u->loaded = true;
		return utgard_shader_load(u);
	}
	if (u->preparing)
		return utgard_prepare_step(u->run, &u->j.fault);
	u->begun = true;
	u->preparing = true;
	return is_gp(&u->s) ? utgard_prepare_gp(u->run, &u->s.gp, &u->j.fault) :
	       utgard_prepare_pp(u->run, &u->s.pp, &u->j.fault);
}

static enum simt_next utgard_shader_next(struct simt_job *j)
{
	struct utgard_job *u = container_of(j, struct utgard_job, j);
	int ret;

	if (u->begun && !u->preparing)
		return SIMT_NEXT_DONE;
	ret = utgard_shader_step(u);
	j->charge += utgard_run_cost(u->run);
	if (ret == -EAGAIN)
		return SIMT_NEXT_WAIT;
	u->begun = true;
	u->preparing = false;
	if (ret == -ENOEXEC)
		return SIMT_NEXT_FAULT;
	if (ret)
		return simt_job_fault(j, VS_FAULT_OVERFLOW, 0, 0);
	return simt_job_run(j, utgard_run_machine(u->run));
}

static bool utgard_shader_ended(struct simt_job *j, const struct vs_fault *fault)
{
	struct utgard_job *u = container_of(j, struct utgard_job, j);

	if (j->m)
		utgard_run_end(u->run);
	return !fault;
}

static const struct simt_job_ops ops = { .start = utgard_shader_start, .next = utgard_shader_next,
					 .ended = utgard_shader_ended };

/* ---- arguments ---- */

/* Report the invalid field for the caller's message. */
static int utgard_shader_bad(const char **what, const char *field)
{
	*what = field;
	return -EINVAL;
}

/* Registers of streams: each once, below @limit. */
static bool registers_ok(const struct utgard_stream *s, u32 n, u32 limit)
{
	u32 seen = 0, i;

	for (i = 0; i < n; i++) {
		if (s[i].reg >= limit || seen >> s[i].reg & 1)
			return false;
		seen |= 1U << s[i].reg;
	}
	return true;
}

static int check_gp(const struct utgard_shader *s, const char **what)
{
	if (s->gp.nrows > UGP_MAX_ROWS)
		return utgard_shader_bad(what, "num_rows");
	if (s->gp.nattr > ARRAY_SIZE(s->in) ||
	    !registers_ok(s->in, s->gp.nattr, UGP_NUM_ATTRIBUTES))
		return utgard_shader_bad(what, "attributes");
	if (s->gp.nout > ARRAY_SIZE(s->out) ||
	    !registers_ok(s->out, s->gp.nout, UGP_NUM_VARYINGS))
		return utgard_shader_bad(what, "outputs");
	return s->gp.instances ? 0 : utgard_shader_bad(what, "instances");
}

static bool targets_ok(const struct upp_work *w)
{
	u32 i;

	for (i = 0; i < w->ntargets; i++)
		if (w->target[i].reg >= UPP_NUM_REGS ||
		    (w->target[i].order != PX_LINEAR && w->target[i].order != PX_TILED))
			return false;
	return true;
}

static int check_pp(const struct utgard_shader *s, const char **what)
{
	if (s->pp.switches & ~UPP_SW_ALL)
		return utgard_shader_bad(what, "switches");
	if (s->pp.nrows > UPP_MAX_ROWS)
		return utgard_shader_bad(what, "num_rows");
	if (s->pp.temps > UPP_MAX_TEMPS)
		return utgard_shader_bad(what, "temporaries");
	if (s->pp.ntextures > UPP_MAX_TEXTURES)
		return utgard_shader_bad(what, "num_textures");
	if (s->pp.ntargets > UPP_MAX_TARGETS || !targets_ok(&s->pp))
		return utgard_shader_bad(what, "targets");
	if (s->frag.prim >= MALI_NUM_PRIMS)
		return utgard_shader_bad(what, "prim");
	if (s->pp.nin > ARRAY_SIZE(s->in) ||
	    !registers_ok(s->in, s->pp.nin, s->frag.prim == MALI_PRIM_RECT ? UPP_NUM_IN :
			  UPP_NUM_VARYINGS))
		return utgard_shader_bad(what, "attributes");
	return 0;
}

static int utgard_shader_check(const struct utgard_shader *s, const char **what)
{
	if (!vs_program_has_entry(s->prog, s->entry))
		return utgard_shader_bad(what, "entry");
	if (is_gp(s))
		return check_gp(s, what);
	return s->prog->isa->id == VS_ISA_UTGARD_PP ? check_pp(s, what) :
		utgard_shader_bad(what, "program");
}

/* Set the members of the launch that depend on the rest of the job. */
static void bind(struct utgard_shader *s)
{
	const u32 *words = s->prog->src.words[VS_SECTION_CODE];
	u32 nwords = s->prog->src.nwords[VS_SECTION_CODE];

	s->gp.code = words;
	s->gp.ninsns = nwords / UGP_WORDS;
	s->gp.attr = s->in;
	s->gp.out = s->out;
	s->pp.code = words;
	s->pp.ncode = nwords;
	s->pp.entry = s->entry;
	s->pp.in = s->in;
	s->pp.frag = &s->frag;
}

int utgard_shader_new(const struct utgard_shader *s, const char **what, struct utgard_job **out)
{
	struct utgard_job *u;
	int ret;

	*what = "";
	ret = utgard_shader_check(s, what);
	if (ret)
		return ret;
	u = vs_zalloc(sizeof(*u));
	if (!u)
		return -ENOMEM;
	ret = simt_job_init(&u->j, &ops, s->map, s->memory, s->max_memory);
	if (ret) {
		if (ret == -EINVAL)
			*what = "memory";
		vs_free(u);
		return ret;
	}
	u->s = *s;
	bind(&u->s);
	*out = u;
	return 0;
}

int utgard_job_add(struct utgard_job *j, struct vs_job *job)
{
	return simt_job_add(&j->j, job);
}

/**
 * utgard_job_free - free a job after its engine job
 * @j: job, or NULL
 */
void utgard_job_free(struct utgard_job *j)
{
	vs_free(j);
}
