// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * PICA200 command lists: from the registers at a draw to launch records.
 */
#include "pica_cl.h"

/* ---- programs ---- */

static u64 hash_words(u64 h, const u32 *w, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++) {
		h ^= w[i];
		h *= 0x100000001b3ULL;
		h ^= h >> 29;
	}
	return h;
}

static bool same_program(const struct vs_program *a, const struct vs_src *b)
{
	return a->src.stage == b->stage && a->src.entries[0] == b->entries[0] &&
	       a->src.nwords[VS_SECTION_CODE] == b->nwords[VS_SECTION_CODE] &&
	       !memcmp(a->src.words[VS_SECTION_CODE], b->words[VS_SECTION_CODE],
		       4 * b->nwords[VS_SECTION_CODE]) &&
	       !memcmp(a->src.words[VS_SECTION_OPDESC], b->words[VS_SECTION_OPDESC],
		       4 * b->nwords[VS_SECTION_OPDESC]);
}

static int reject_program(struct pica_cl_parser *p, const struct vs_reject *rej)
{
	vs_fault_program(p->fault, p->cmd_va, rej->offset, rej->reason, rej->value);
	p->fault->draw = p->job->ndraws;
	return -ENOEXEC;
}

static int new_program(struct pica_cl_parser *p, const struct vs_src *src, u64 hash,
		       const struct pica_cl_prog **out)
{
	struct pica_cl_job *job = p->job;
	struct vs_reject rej;
	struct pica_cl_prog *e;
	int ret;

	if (job->nprogs >= PICA_CL_MAX_PROGRAMS)
		return -E2BIG;
	e = pica_cl_alloc(job, sizeof(*e), &ret);
	if (!e)
		return ret;
	ret = vs_program_create(&pica_isa, src, &rej, NULL, &e->program);
	if (ret == -ENOEXEC)
		return reject_program(p, &rej);
	if (ret)
		return ret;
	e->hash = hash;
	e->va = PICA_CL_VA_PROG(job->nprogs, src->stage, VS_SECTION_CODE);
	e->next = job->progs;
	job->progs = e;
	job->nprogs++;
	job->memory += e->program->prog->bytes + 4 * src->nwords[VS_SECTION_CODE];
	*out = e;
	return job->memory > job->max_memory ? -E2BIG : 0;
}

/* Look up the program in a unit's memory, with the entry in the unit's register. */
static int find_program(struct pica_cl_parser *p, u32 unit, u32 base,
			const struct pica_cl_prog **out)
{
	struct pica_cl_unit *u = &p->s->unit[unit];
	u32 entry = p->s->regs[base + PICA_SH_ENTRY] & 0xffff;
	struct vs_src src = {
		.stage = unit == PICA_CL_GSH ? VS_STAGE_GEOMETRY : VS_STAGE_VERTEX,
		.words = { u->code, u->opdesc },
		.nwords = { u->ncode, PICA_MAX_OPDESC },
		.entries = &entry,
		.nentries = 1,
	};
	struct pica_cl_prog *e;
	u64 hash;

	hash = hash_words(src.stage << 16 | entry, u->code, u->ncode);
	hash = hash_words(hash, u->opdesc, PICA_MAX_OPDESC);
	for (e = p->job->progs; e; e = e->next) {
		if (e->hash == hash && same_program(e->program, &src)) {
			*out = e;
			return 0;
		}
	}
	return new_program(p, &src, hash, out);
}

/* ---- attributes ---- */

static u32 element_bytes(u32 type)
{
	return type == 3 ? 4 : type == 2 ? 2 : 1;
}

/* Type and size fields of an attribute, 4 bits. */
static u32 attr_format(const u32 *regs, u32 attr)
{
	return regs[PICA_REG_ATTRIB_FORMAT_LOW + attr / 8] >> (4 * (attr % 8)) & 0xf;
}

static u32 loader_component(const u32 *cfg, u32 n)
{
	return cfg[1 + n / 8] >> (4 * (n % 8)) & 0xf;
}

/* Streams of one vertex buffer; ncomp stays 0 for attributes that it does not have. */
static int read_loader(struct pica_cl_parser *p, const u32 *cfg, u64 base,
		       struct vs_stream *attr)
{
	static const u8 formats[] = { VS_FMT_S8, VS_FMT_U8, VS_FMT_S16, VS_FMT_F32 };
	u32 ncomp = cfg[2] >> 28;
	u32 offset = 0;
	u32 i, id, fmt, bytes;

	if (ncomp > PICA_LOADER_COMPONENTS)
		return pica_cl_reject(p, PICA_CL_LOADER);
	for (i = 0; i < ncomp; i++) {
		id = loader_component(cfg, i);
		if (id >= PICA_NUM_ARRAY_ATTRS) {
			/* 4, 8, 12 or 16 bytes of padding. */
			offset = ((offset + 3) & ~3U) + 4 * (id - PICA_NUM_ARRAY_ATTRS + 1);
			continue;
		}
		fmt = attr_format(p->s->regs, id);
		bytes = element_bytes(fmt & 3);
		offset = (offset + bytes - 1) & ~(bytes - 1);
		attr[id] = (struct vs_stream){
			.va = base + (cfg[0] & 0x0fffffff) + offset,
			.stride = cfg[2] >> 16 & 0xff,
			.format = formats[fmt & 3],
			.ncomp = (fmt >> 2) + 1,
		};
		offset += bytes * attr[id].ncomp;
	}
	/* A console hangs, or draws nothing (3dbrew, "GPU/Pitfalls"). */
	if (p->in->switches & PICA_SW_STRICT && ncomp && offset != (cfg[2] >> 16 & 0xff))
		return pica_cl_reject(p, PICA_CL_STRIDE);
	return 0;
}

static u64 array_base(const u32 *regs)
{
	return (u64)(regs[PICA_REG_ATTRIB_LOC] & 0x1ffffffe) << 3;
}

static int array_attrs(struct pica_cl_parser *p, struct vs_stream *attr)
{
	const u32 *regs = p->s->regs;
	u32 total = (regs[PICA_REG_ATTRIB_FORMAT_HIGH] >> 28) + 1;
	u32 i;
	int ret;

	for (i = 0; i < PICA_NUM_LOADERS; i++) {
		ret = read_loader(p, &regs[PICA_REG_ATTRIB_BUFFER0 + 3 * i], array_base(regs),
				  attr);
		if (ret)
			return ret;
	}
	for (i = total; i < PICA_NUM_ATTRS; i++)
		attr[i].ncomp = 0;
	return 0;
}

static void immediate_attrs(const struct pica_cl_parser *p, struct vs_stream *attr)
{
	u32 i;

	for (i = 0; i < p->imm_stride / sizeof(p->imm[0]); i++) {
		attr[i] = (struct vs_stream){
			.va = PICA_CL_VA_DATA + p->imm_data + i * sizeof(p->imm[0]),
			.stride = p->imm_stride,
			.format = VS_FMT_F24,
			.ncomp = 4,
		};
	}
}

static u32 permuted(const u32 *sh, u32 attr)
{
	return sh[PICA_SH_PERM_LOW + attr / 8] >> (4 * (attr % 8)) & 0xf;
}

/* Attributes in none of the vertex buffers have the fixed attribute's value. */
static int fixed_attr(struct pica_cl_parser *p, u32 i, struct vs_stream *s)
{
	*s = (struct vs_stream){ .format = VS_FMT_F24, .ncomp = 4 };
	return pica_cl_data(p->job, p->s->fixed[i], sizeof(p->s->fixed[i]), &s->va);
}

/*
 * Attribute n goes to the input register in nibble n of the permutation; if two go to one
 * register, the later wins. Registers that the program does not read are omitted; read
 * registers without an attribute are zero.
 */
static int vertex_inputs(struct pica_cl_parser *p, const struct vs_program *prog,
			 struct vs_stream *attr, struct vs_launch *l)
{
	const u32 *sh = &p->s->regs[PICA_REG_VSH];
	u32 n = (sh[PICA_SH_INPUTS] & 0xf) + 1;
	u32 used = prog->prog->in_used & 0xffff;
	u8 from[PICA_NUM_REGS];
	static const u32 zero[4];
	struct vs_stream *s;
	u32 i;
	int ret;

	memset(from, 0xff, sizeof(from));
	for (i = 0; i < n; i++)
		from[permuted(sh, i)] = i;
	for (i = 0; i < PICA_NUM_REGS; i++) {
		if (!(used & (1U << i)))
			continue;
		s = &l->attr[l->nattr++];
		ret = 0;
		if (from[i] == 0xff) {
			*s = (struct vs_stream){ .format = VS_FMT_F32, .ncomp = 4 };
			ret = pica_cl_data(p->job, zero, sizeof(zero), &s->va);
		} else if (attr[from[i]].ncomp) {
			*s = attr[from[i]];
		} else {
			ret = fixed_attr(p, from[i], s);
		}
		if (ret)
			return ret;
		s->reg = i;
	}
	return 0;
}

/* ---- launches ---- */

/* The first @max of the enabled outputs, in register order. */
static u32 packed_outputs(u32 mask, u32 max, u8 reg[PICA_NUM_REGS])
{
	u32 n = 0;
	u32 i;

	for (i = 0; i < PICA_NUM_REGS && n < max; i++) {
		if (mask & (1U << i))
			reg[n++] = i;
	}
	return n;
}

static void vertex_outputs(struct pica_cl_parser *p, struct pica_cl_draw *d, u32 max)
{
	u8 reg[PICA_NUM_REGS];
	u32 i;

	d->nstored = packed_outputs(p->s->regs[PICA_REG_VSH + PICA_SH_OUTMASK], max, reg);
	d->vs.nout = d->nstored;
	for (i = 0; i < d->nstored; i++) {
		d->vs.out[i] = (struct vs_stream){
			.va = PICA_CL_VA_VERTS + 16 * i,
			.stride = 16 * d->nstored,
			.format = VS_FMT_F32,
			.reg = reg[i],
			.ncomp = 4,
		};
	}
}

static void unit_uniforms(const struct pica_cl_parser *p, u32 unit, u32 base,
			  struct pica_launch *pl)
{
	const u32 *sh = &p->s->regs[base];
	u32 i;

	*pl = (struct pica_launch){
		.model = p->in->model,
		.switches = p->in->switches,
		.floats = p->s->unit[unit].floats,
		.nfloats = PICA_NUM_CONST,
		.bools = sh[PICA_SH_BOOL] & 0xffff,
	};
	for (i = 0; i < 4 * PICA_NUM_INT; i++)
		pl->ints[i / 4][i % 4] = sh[PICA_SH_INT0 + i / 4] >> (8 * (i % 4));
}

/* Uniforms that equal those of the last draw are shared with it. */
static int keep_uniforms(struct pica_cl_parser *p, const struct vs_launch *l, const u32 **out)
{
	u32 bytes = 4 * l->prog->nunif;
	u32 *copy;
	int ret;

	if (!p->last_unif || memcmp(p->last_unif, p->unif, bytes)) {
		copy = pica_cl_alloc(p->job, sizeof(p->unif), &ret);
		if (!copy)
			return ret;
		memcpy(copy, p->unif, sizeof(p->unif));
		p->last_unif = copy;
	}
	*out = p->last_unif;
	return 0;
}

static bool reads_word(const struct vs_prog *x, u32 word)
{
	if (x->uses_rows && word < 4 * x->rows.limit)
		return true;
	return x->unif_used[word / 64] >> word % 64 & 1;
}

/*
 * Without a geometry stage its unit is the fourth vertex unit, with its own copy of the
 * uniforms. Do those that the program reads equal the other units' copies?
 */
static bool units_agree(const struct pica_cl_parser *p, const struct vs_program *prog)
{
	const u32 (*v)[4] = p->s->unit[PICA_CL_VSH].floats;
	const u32 (*g)[4] = p->s->unit[PICA_CL_GSH].floats;
	const u32 *vsh = &p->s->regs[PICA_REG_VSH], *gsh = &p->s->regs[PICA_REG_GSH];
	u32 i, row;

	for (i = 0; i < prog->prog->nunif; i++) {
		row = i / 4;
		if (reads_word(prog->prog, i) &&
		    (v[row][i % 4] != g[row][i % 4] || p->fed[row / 32] >> row % 32 & 1))
			return false;
	}
	for (i = 0; i < PICA_NUM_INT; i++) {
		if (prog->report.const_ints >> i & 1 &&
		    (vsh[PICA_SH_INT0 + i] ^ gsh[PICA_SH_INT0 + i]) & 0xffffff)
			return false;
	}
	return !((vsh[PICA_SH_BOOL] ^ gsh[PICA_SH_BOOL]) & prog->report.const_bools);
}

static int fill_launch(struct pica_cl_parser *p, const struct pica_cl_prog *e,
		       const struct pica_launch *pl, struct vs_launch *l, u32 base)
{
	const struct vs_program *prog = e->program;
	const char *what;

	l->code_va = e->va;
	if (prog->prog->nunif > ARRAY_SIZE(p->unif))
		return -EINVAL;
	return pica_launch_fill(prog, pl, l, p->s->regs[base + PICA_SH_ENTRY] & 0xffff, p->unif,
				&what);
}

static int vertex_launch(struct pica_cl_parser *p, struct pica_cl_draw *d,
			 enum pica_cl_kind kind, u32 max_outputs)
{
	struct vs_stream attr[PICA_NUM_ATTRS];
	const u32 *regs = p->s->regs;
	const struct pica_cl_prog *prog;
	struct pica_launch pl;
	int ret = 0;

	memset(attr, 0, sizeof(attr));
	if (kind == PICA_CL_IMMEDIATE)
		immediate_attrs(p, attr);
	else
		ret = array_attrs(p, attr);
	if (ret)
		return ret;
	ret = find_program(p, PICA_CL_VSH, PICA_REG_VSH, &prog);
	if (ret)
		return ret;
	ret = vertex_inputs(p, prog->program, attr, &d->vs);
	if (ret)
		return ret;
	d->vs.instances = 1;
	if (kind == PICA_CL_ARRAYS)
		d->vs.first = regs[PICA_REG_VERTEX_OFFSET];
	if (kind == PICA_CL_ELEMENTS) {
		d->vs.index_size = regs[PICA_REG_INDEXBUFFER] >> 31 ? 2 : 1;
		d->vs.index_va = array_base(regs) + (regs[PICA_REG_INDEXBUFFER] & 0x0fffffff);
	}
	vertex_outputs(p, d, max_outputs);
	unit_uniforms(p, PICA_CL_VSH, PICA_REG_VSH, &pl);
	ret = fill_launch(p, prog, &pl, &d->vs, PICA_REG_VSH);
	if (!ret && p->in->switches & PICA_SW_STRICT &&
	    !(regs[PICA_REG_GEOSTAGE_CONFIG] & 3) && !units_agree(p, prog->program))
		ret = pica_cl_reject(p, PICA_CL_UNIT_UNIFORM);
	return ret ? ret : keep_uniforms(p, &d->vs, &d->vs.unif);
}

/* ---- geometry stage ---- */

static int geometry_config(struct pica_cl_parser *p, struct pica_cl_geom *g,
			   enum pica_cl_kind kind)
{
	const u32 *regs = p->s->regs;
	u32 misc = regs[PICA_REG_GSH_MISC0];
	u32 inputs = regs[PICA_REG_GSH + PICA_SH_INPUTS];
	bool variable = regs[PICA_REG_GEOSTAGE_CONFIG] >> 31;
	bool to_inputs = !(inputs >> 8 & 0xff);

	g->mode = misc & 0xff;
	if (g->mode >= PICA_NUM_GS_MODES)
		return pica_cl_reject(p, PICA_CL_GS_MODE);
	/* Three registers must agree on the mode. */
	if (g->mode != PICA_GS_POINT && to_inputs)
		return pica_cl_reject(p, PICA_CL_GS_CONFIG);
	if (g->mode == PICA_GS_POINT && !to_inputs)
		return pica_cl_reject(p, PICA_CL_GS_CONFIG);
	if (g->mode == PICA_GS_VARIABLE ? !variable : variable)
		return pica_cl_reject(p, PICA_CL_GS_CONFIG);
	g->nattrs = (regs[PICA_REG_VSH_OUTMAP_TOTAL1] & 0xf) + 1;
	switch (g->mode) {
	case PICA_GS_POINT:
		g->ninputs = (inputs & 0xf) + 1;
		if (g->ninputs % g->nattrs)
			return pica_cl_reject(p, PICA_CL_GS_INPUTS);
		g->nverts = g->ninputs / g->nattrs;
		return 0;
	case PICA_GS_VARIABLE:
		g->nmain = (regs[PICA_REG_GSH_MISC1] & 0x1f) + 1;
		g->row = 1;
		return kind == PICA_CL_ELEMENTS ? 0 : pica_cl_reject(p, PICA_CL_GS_INDEX);
	default:
		g->nverts = (misc >> 8 & 0xf) + 1;
		g->row = misc >> 16 & 0xff;
		if ((misc >> 12 & 0xf) + 1 != g->nattrs)
			return pica_cl_reject(p, PICA_CL_GS_CONFIG);
		return 0;
	}
}

/* All inputs are in one place, refilled before each invocation. */
static void geometry_inputs(const struct pica_cl_parser *p, const struct vs_program *prog,
			    struct pica_cl_geom *g)
{
	u32 used = prog->prog->in_used & 0xffff;
	u8 from[PICA_NUM_REGS];
	u32 i;

	memset(from, PICA_CL_GIN_ZERO, sizeof(from));
	for (i = 0; i < g->ninputs; i++)
		from[permuted(&p->s->regs[PICA_REG_GSH], i)] = i;
	for (i = 0; i < PICA_NUM_REGS; i++) {
		if (!(used & (1U << i)))
			continue;
		g->gs.attr[g->gs.nattr++] = (struct vs_stream){
			.va = PICA_CL_VA_GIN + 16 * from[i],
			.format = VS_FMT_F32,
			.reg = i,
			.ncomp = 4,
		};
	}
}

/*
 * Count the invocations that the collected and the new vertices make. b15 is true from the
 * second one after the host cleared it, and stays so (variable mode: the number is only
 * known later, at least one is assumed).
 */
static void count_invocations(struct pica_cl_parser *p, const struct pica_cl_draw *d)
{
	const struct pica_cl_geom *g = d->geom;
	bool any;

	if (d->refill)
		p->pending = 0;
	if (g->mode == PICA_GS_VARIABLE) {
		any = d->count > 1;
	} else {
		p->pending += d->count;
		any = p->pending >= g->nverts;
		p->pending %= g->nverts;
	}
	if (any)
		p->s->regs[PICA_REG_GSH + PICA_SH_BOOL] |= 1U << 15;
}

/* Note the rows that surely receive vertices. */
static void note_fed(struct pica_cl_parser *p, const struct pica_cl_geom *g, u32 count)
{
	u32 row = g->row, n;

	if (g->mode == PICA_GS_POINT || count < (g->mode == PICA_GS_FIXED ? g->nverts : 2))
		return;
	n = g->nattrs * (g->mode == PICA_GS_FIXED ? g->nverts : 1);
	if (g->mode == PICA_GS_VARIABLE)
		p->fed[0] |= 1;
	for (; n && row < PICA_NUM_CONST; n--, row++)
		p->fed[row / 32] |= 1U << (row % 32);
}

static int geometry_launch(struct pica_cl_parser *p, struct pica_cl_geom *g)
{
	u32 mask = p->s->regs[PICA_REG_GSH + PICA_SH_OUTMASK] & 0xffff;
	const struct pica_cl_prog *prog;
	struct pica_launch pl;
	u32 *copy;
	int ret;

	if (!mask)
		return pica_cl_reject(p, PICA_CL_GS_OUTPUTS);
	ret = find_program(p, PICA_CL_GSH, PICA_REG_GSH, &prog);
	if (ret)
		return ret;
	geometry_inputs(p, prog->program, g);
	g->npacked = hweight32(mask);
	g->gs.instances = 1;
	unit_uniforms(p, PICA_CL_GSH, PICA_REG_GSH, &pl);
	pl.output_mask = mask;
	pl.max_prims = PICA_CL_MAX_PRIMS;
	pl.prims_va = PICA_CL_VA_PRIMS;
	pl.prim_info_va = PICA_CL_VA_INFO;
	ret = fill_launch(p, prog, &pl, &g->gs, PICA_REG_GSH);
	if (ret)
		return ret;
	copy = pica_cl_alloc(p->job, sizeof(p->unif), &ret);
	if (!copy)
		return ret;
	memcpy(copy, p->unif, sizeof(p->unif));
	g->unif = copy;
	/* Vertices and b15 change between invocations: see pica_cl_geom.c. */
	g->gs.unif = &p->job->run.unif[0][0];
	g->gs.flags |= VS_LAUNCH_SERIAL | VS_LAUNCH_KEEP;
	g->gs.emit.bool_after = ~0U;
	g->gs.ops = &pica_cl_gs_ops;
	memcpy(g->changed, p->changed, sizeof(g->changed));
	memset(p->changed, 0, sizeof(p->changed));
	p->job->prims_words = max_t(u32, p->job->prims_words,
				    PICA_CL_MAX_PRIMS * 3 * 4 * g->npacked);
	return 0;
}

/* Configuration that the collection of vertices depends on; a change restarts it. */
static u32 feed_key(const struct pica_cl_geom *g)
{
	return g->mode | g->nattrs << 4 | g->nverts << 10 | g->row << 16 | 1U << 31;
}

static int geometry_stage(struct pica_cl_parser *p, struct pica_cl_draw *d,
			  enum pica_cl_kind kind)
{
	struct pica_cl_geom *g;
	u32 key;
	int ret;

	g = pica_cl_alloc(p->job, sizeof(*g), &ret);
	if (!g)
		return ret;
	ret = geometry_config(p, g, kind);
	if (!ret)
		ret = geometry_launch(p, g);
	if (ret)
		return ret;
	d->geom = g;
	d->flags |= PICA_CL_DRAW_GEOMETRY;
	key = feed_key(g);
	if (key != p->feed_key)
		d->refill = true;
	p->feed_key = key;
	count_invocations(p, d);
	note_fed(p, g, d->count);
	return 0;
}

/* ---- draws ---- */

static void output_map(const struct pica_cl_parser *p, struct pica_cl_draw *d)
{
	const u32 *regs = p->s->regs;
	u32 i;

	d->noutmap = regs[PICA_REG_SH_OUTMAP_TOTAL] & 7;
	for (i = 0; i < 4 * d->noutmap; i++)
		d->outmap[i / 4][i % 4] =
			regs[PICA_REG_SH_OUTMAP_O0 + i / 4] >> (8 * (i % 4)) & 0x1f;
}

/* In variable mode the vertex stage runs on the job's own list of indices. */
static void sort_indices(struct pica_cl_job *job, struct pica_cl_draw *d)
{
	d->index_va = d->vs.index_va;
	d->index_size = d->vs.index_size;
	d->vs.index_va = PICA_CL_VA_INDEX;
	d->vs.index_size = 4;
	job->has_index = true;
}

static int pica_cl_draw_split(struct pica_cl_job *job, struct pica_cl_draw *d)
{
	u32 i;
	int ret;

	/* A lone vertex count makes no vertex. */
	if (d->index_size && d->count < 2)
		return 0;
	d->nbatches = DIV_ROUND_UP(d->count, PICA_CL_BATCH);
	if (!d->nbatches)
		return 0;
	d->batch = pica_cl_alloc(job, d->nbatches * sizeof(*d->batch), &ret);
	if (!d->batch)
		return ret;
	for (i = 0; i < d->nbatches; i++) {
		d->batch[i].draw = d;
		d->batch[i].start = i * PICA_CL_BATCH;
		d->batch[i].count = min_t(u32, PICA_CL_BATCH, d->count - i * PICA_CL_BATCH);
	}
	job->verts_words = max_t(u32, job->verts_words, d->batch[0].count * 4 * d->nstored);
	return 0;
}

static int build(struct pica_cl_parser *p, struct pica_cl_draw *d, enum pica_cl_kind kind)
{
	const u32 *regs = p->s->regs;
	u32 use = regs[PICA_REG_GEOSTAGE_CONFIG] & 3;
	int ret;

	d->job = p->job;
	d->num = p->job->ndraws;
	/* The command starts with the parameter in front of its header. */
	d->list_offset = p->cmd_va - 4 - p->in->va;
	d->topology = regs[PICA_REG_PRIMITIVE_CONFIG] >> 8 & 3;
	d->count = kind == PICA_CL_IMMEDIATE ? p->imm_vertices : regs[PICA_REG_NUMVERTICES];
	d->restart = p->restart;
	d->refill = p->refill || kind != PICA_CL_IMMEDIATE;
	if (kind == PICA_CL_ELEMENTS)
		d->flags |= PICA_CL_DRAW_INDEXED;
	if (d->count > PICA_CL_MAX_VERTICES - p->vertices)
		return -E2BIG;
	p->vertices += d->count;
	output_map(p, d);

	if (use != 0 && use != 2)
		return pica_cl_reject(p, PICA_CL_GS_USE);
	ret = vertex_launch(p, d, kind, use ?
			    (regs[PICA_REG_VSH_OUTMAP_TOTAL1] & 0xf) + 1 : d->noutmap);
	if (!ret && use)
		ret = geometry_stage(p, d, kind);
	if (!ret)
		ret = pica_cl_frag(p, d);
	if (ret)
		return ret;
	if (d->geom && d->geom->mode == PICA_GS_VARIABLE)
		sort_indices(p->job, d);
	ret = pica_cl_draw_split(p->job, d);
	return ret ? ret : pica_cl_charge(p->job, d);
}

/**
 * pica_cl_draw - build a draw from the current registers
 * @p: parser
 * @kind: source of the vertices
 *
 * Return: 0, -ENOEXEC, -E2BIG or -ENOMEM.
 */
int pica_cl_draw(struct pica_cl_parser *p, enum pica_cl_kind kind)
{
	struct pica_cl_job *job = p->job;
	struct pica_cl_draw *d;
	int ret;

	if (job->ndraws >= p->in->max_draws)
		return -E2BIG;
	d = pica_cl_alloc(job, sizeof(*d), &ret);
	if (!d)
		return ret;
	ret = build(p, d, kind);
	if (ret)
		return ret;
	p->restart = false;
	p->refill = false;
	*job->tail = d;
	job->tail = &d->next;
	job->ndraws++;
	return 0;
}
