// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * PICA200 command lists: memory, address space and phases of a parsed job.
 */
#include "pica_cl.h"

/* Memory that lives as long as the job. */
struct pica_cl_block {
	struct pica_cl_block *next;
	u64 size;
};

/**
 * pica_cl_job_new - allocate an empty job
 * @in: the job as submitted
 *
 * Return: job, or NULL: no memory.
 */
struct pica_cl_job *pica_cl_job_new(const struct vs_native_in *in)
{
	struct pica_cl_job *job = vs_zalloc(sizeof(*job));

	if (!job)
		return NULL;
	job->list_va = in->va;
	job->output_va = in->output_va;
	job->output_size = in->output_size;
	job->max_memory = in->max_memory;
	job->memory = sizeof(*job);
	job->tail = &job->draws;
	return job;
}

/**
 * pica_cl_alloc - allocate zeroed memory that is freed with the job
 * @job: job
 * @size: bytes
 * @err: with NULL: -E2BIG beyond the job's bound, or -ENOMEM
 *
 * Return: memory or NULL.
 */
void *pica_cl_alloc(struct pica_cl_job *job, u64 size, int *err)
{
	struct pica_cl_block *b;

	*err = -E2BIG;
	if (job->memory > job->max_memory || size > job->max_memory - job->memory)
		return NULL;
	*err = -ENOMEM;
	b = vs_zalloc(sizeof(*b) + size);
	if (!b)
		return NULL;
	b->next = job->blocks;
	b->size = size;
	job->blocks = b;
	job->memory += size;
	*err = 0;
	return b + 1;
}

static u32 draw_phases(const struct pica_cl_draw *d)
{
	return 2 + ((d->index_size ? 3 : 2) + (d->geom && d->frag)) * d->nbatches;
}

/**
 * pica_cl_charge - count the engine's memory for a draw
 * @job: job
 * @d: draw
 *
 * Return: 0, or -E2BIG beyond the job's bound.
 */
int pica_cl_charge(struct pica_cl_job *job, const struct pica_cl_draw *d)
{
	job->phases += draw_phases(d);
	job->memory += (u64)draw_phases(d) * (sizeof(struct vs_launch) + 128);
	return job->memory > job->max_memory ? -E2BIG : 0;
}

static int grow_data(struct pica_cl_job *job, u32 need)
{
	u64 room = max_t(u64, 4096, 2ULL * job->data_room);
	u8 *data;

	while (room < need)
		room *= 2;
	if (room >= 1U << 31)
		return -E2BIG;
	if (job->memory + room - job->data_room > job->max_memory)
		return -E2BIG;
	data = vs_zalloc(room);
	if (!data)
		return -ENOMEM;
	if (job->data_size)
		memcpy(data, job->data, job->data_size);
	vs_free(job->data);
	job->memory += room - job->data_room;
	job->data = data;
	job->data_room = room;
	return 0;
}

/**
 * pica_cl_data - append to the data that attribute streams read
 * @job: job
 * @bytes: data
 * @size: bytes, a multiple of 16
 * @va: address of the data for launches
 *
 * Return: 0, -E2BIG or -ENOMEM.
 */
int pica_cl_data(struct pica_cl_job *job, const void *bytes, u32 size, u64 *va)
{
	int ret;

	if (size > job->data_room - job->data_size) {
		ret = grow_data(job, job->data_size + size);
		if (ret)
			return ret;
	}
	memcpy(job->data + job->data_size, bytes, size);
	*va = PICA_CL_VA_DATA + job->data_size;
	job->data_size += size;
	return 0;
}

static int alloc_words(struct pica_cl_job *job, u64 words, u32 **out)
{
	int ret = 0;

	if (words)
		*out = pica_cl_alloc(job, 4 * words, &ret);
	return ret;
}

static int alloc_scratch(struct pica_cl_job *job)
{
	u32 index = job->has_index ? PICA_CL_BATCH : 0;
	bool geom = job->prims_words;
	int ret;

	ret = alloc_words(job, job->verts_words, &job->verts);
	if (ret)
		return ret;
	ret = alloc_words(job, index, &job->index);
	if (ret)
		return ret;
	ret = alloc_words(job, index, &job->counts);
	if (ret || !geom)
		return ret;
	ret = alloc_words(job, 4 * (PICA_CL_GIN_ZERO + 1), &job->gin);
	if (ret)
		return ret;
	ret = alloc_words(job, job->prims_words, &job->prims);
	if (ret)
		return ret;
	return alloc_words(job, 1 + PICA_CL_MAX_PRIMS, &job->info);
}

/* Painting, and the triangles that a geometry invocation and a vertex kept before it complete. */
static int alloc_paint(struct pica_cl_job *job)
{
	int ret;

	if (!job->paints)
		return 0;
	job->paint = pica_cl_alloc(job, sizeof(*job->paint), &ret);
	if (!job->paint || !job->prims_words)
		return ret;
	job->queue = pica_cl_alloc(job, 3 * PICA_CL_MAX_PRIMS * sizeof(*job->queue), &ret);
	return ret;
}

static void add_extent(struct pica_cl_job *job, u64 va, void *kva, u64 bytes, u32 flags)
{
	if (!bytes)
		return;
	job->ext[job->map.n++] = (struct vs_extent){
		.lo = va,
		.hi = va + bytes,
		.kva = kva,
		.flags = flags,
	};
}

/* Debuggers read programs as memory. Addresses rise with the programs' numbers. */
static void add_programs(struct pica_cl_job *job)
{
	u32 first = job->map.n, n = job->nprogs, i;
	struct pica_cl_prog *e;

	for (e = job->progs; e; e = e->next) {
		const struct vs_src *src = &e->program->src;

		job->map.n = first + VS_NUM_SECTIONS * --n;
		for (i = 0; i < VS_NUM_SECTIONS; i++)
			add_extent(job, PICA_CL_VA_PROG(n, src->stage, i), (void *)src->words[i],
				   4ULL * src->nwords[i], 0);
	}
	job->map.n = first + VS_NUM_SECTIONS * job->nprogs;
}

/**
 * pica_cl_job_finish - allocate the memory that the job needs to run
 * @job: job with all its draws
 * @guest: the guest's address space
 *
 * Return: 0, -E2BIG or -ENOMEM.
 */
int pica_cl_job_finish(struct pica_cl_job *job, const struct vs_map *guest)
{
	bool geom = job->prims_words;
	int ret;

	ret = alloc_scratch(job);
	if (ret)
		return ret;
	ret = alloc_paint(job);
	if (ret)
		return ret;
	job->map.ext = job->ext;
	job->map.base = guest;
	add_extent(job, PICA_CL_VA_DATA, job->data, job->data_size, 0);
	add_extent(job, PICA_CL_VA_VERTS, job->verts, 4ULL * job->verts_words, VS_EXT_WRITE);
	add_extent(job, PICA_CL_VA_INDEX, job->index,
		   job->has_index ? 4ULL * PICA_CL_BATCH : 0, 0);
	add_extent(job, PICA_CL_VA_GIN, job->gin, geom ? 16 * (PICA_CL_GIN_ZERO + 1) : 0, 0);
	add_extent(job, PICA_CL_VA_PRIMS, job->prims, 4ULL * job->prims_words, VS_EXT_WRITE);
	add_extent(job, PICA_CL_VA_INFO, job->info,
		   geom ? 4 * (1 + PICA_CL_MAX_PRIMS) : 0, VS_EXT_WRITE);
	add_programs(job);
	return 0;
}

/**
 * pica_cl_job_free - free a job
 * @n: job
 */
void pica_cl_job_free(struct vs_native *n)
{
	struct pica_cl_job *job = container_of(n, struct pica_cl_job, base);
	struct pica_cl_block *b, *next;
	struct pica_cl_prog *e;

	for (e = job->progs; e; e = e->next)
		vs_program_destroy(e->program);
	for (b = job->blocks; b; b = next) {
		next = b->next;
		vs_free(b);
	}
	vs_free(job->data);
	vs_free(job);
}

/**
 * pica_cl_job_map - address space of a job
 * @n: job
 *
 * Return: guest memory and scratch.
 */
const struct vs_map *pica_cl_job_map(const struct vs_native *n)
{
	return &container_of(n, struct pica_cl_job, base)->map;
}

/**
 * pica_cl_job_memory - memory of a job
 * @n: job
 *
 * Return: bytes.
 */
u64 pica_cl_job_memory(const struct vs_native *n)
{
	return container_of(n, struct pica_cl_job, base)->memory;
}

/**
 * pica_cl_job_strays - writes to registers that do not exist
 * @n: job
 *
 * Return: number of words.
 */
u32 pica_cl_job_strays(const struct vs_native *n)
{
	return container_of(n, struct pica_cl_job, base)->strays;
}

/**
 * pica_cl_job_phases - phases of a job
 * @n: job
 *
 * A draw has a start and an end phase; in between each batch has one for the vertex stage and one
 * for the geometry stage or primitive assembly. The list has an end phase.
 *
 * Return: number of phases.
 */
u32 pica_cl_job_phases(const struct vs_native *n)
{
	return container_of(n, struct pica_cl_job, base)->phases + 1;
}

/*
 * Maximum number of invocations that the entries of a batch can complete, including up to a
 * primitive's vertices less one that were collected before, and one more that keeps what is left:
 * in variable mode a primitive takes at least a count and a vertex.
 */
static u32 geometry_count(const struct pica_cl_geom *g, u32 vertices)
{
	u32 least = g->mode == PICA_GS_VARIABLE ? 2 : g->nverts;

	return (vertices + least - 1) / least + 1;
}

static int add_geometry(struct pica_cl_batch *b, struct vs_job *job)
{
	struct vs_launch *l = &b->draw->geom->gs;
	int ret;

	l->count = geometry_count(b->draw->geom, b->count);
	l->ops_arg = b;
	ret = vs_job_add_launch(job, l);
	return ret || !b->draw->frag ? ret : vs_job_add_fn(job, pica_cl_paint_rest, b->draw);
}

static int add_batch(struct pica_cl_batch *b, struct vs_job *job)
{
	struct pica_cl_draw *d = b->draw;
	struct vs_launch l = d->vs;
	int ret;

	l.count = b->count;
	if (d->index_size) {
		ret = vs_job_add_fn(job, pica_cl_sort_indices, b);
		if (ret)
			return ret;
	} else if (l.index_size) {
		l.index_va += (u64)b->start * l.index_size;
	} else {
		l.first += b->start;
	}
	ret = vs_job_add_launch(job, &l);
	if (ret)
		return ret;
	return d->geom ? add_geometry(b, job) : vs_job_add_fn(job, pica_cl_draw_batch, b);
}

static int pica_cl_job_add_draw(struct pica_cl_draw *d, struct vs_job *job)
{
	u32 i;
	int ret;

	vs_job_set_draw(job, d->num);
	ret = vs_job_add_fn(job, pica_cl_draw_begin, d);
	for (i = 0; !ret && i < d->nbatches; i++)
		ret = add_batch(&d->batch[i], job);
	return ret ? ret : vs_job_add_fn(job, pica_cl_draw_end, d);
}

/**
 * pica_cl_job_add - add the phases
 * @n: parsed job
 * @job: engine job
 *
 * Return: 0 or the engine's error.
 */
int pica_cl_job_add(struct vs_native *n, struct vs_job *job)
{
	struct pica_cl_job *cl = container_of(n, struct pica_cl_job, base);
	struct pica_cl_draw *d;
	int ret = 0;

	for (d = cl->draws; !ret && d; d = d->next)
		ret = pica_cl_job_add_draw(d, job);
	return ret ? ret : vs_job_add_fn(job, pica_cl_list_end, cl);
}
