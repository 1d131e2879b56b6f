// SPDX-License-Identifier: MIT
/*
 * Running job files a job at a time, for debuggers.
 */
#include <errno.h>
#include <stdlib.h>

#include "jobfile_run.h"
#include "jobfile_step.h"

struct vshader_steps {
	struct runner r;
};

int vshader_steps_open(const struct vshader_jobfile *jf, struct vshader_device *dev, bool debug,
		       struct vshader_steps **out, char *err, size_t err_size)
{
	struct vshader_steps *s = calloc(1, sizeof(*s));
	int ret;

	if (!s)
		return -ENOMEM;
	s->r = (struct runner){
		.jf = jf, .dev = dev, .err = err, .err_size = err_size, .debug = debug,
	};
	ret = run_begin(&s->r);
	if (ret) {
		run_end(&s->r, true);
		free(s);
		return ret;
	}
	*out = s;
	return 0;
}

/* There is a limit to the number of queues. */
static void drop_queue(struct runner *r, uint32_t n)
{
	struct run_job *rj = &r->jobs[n];

	if (rj->own_queue)
		vshader_queue_destroy(r->dev, rj->queue);
	rj->own_queue = false;
}

int vshader_steps_prepare(struct vshader_steps *s, uint32_t n, uint32_t *queue)
{
	int ret = run_prepare_job(&s->r, n);

	*queue = s->r.jobs[n].queue;
	return ret;
}

int vshader_steps_submit(struct vshader_steps *s, uint32_t n)
{
	struct drm_vshader_fault fault = { };
	struct drm_vshader_job job = { };
	struct runner *r = &s->r;
	uint32_t failed = 0;
	int ret;

	if (run_make_job(r, n, &job))
		return run_error(r, -ENOMEM, "job %u", n);
	r->jobs[n].submitted_ns = run_now_ns();
	ret = vshader_submit(r->dev, &job, 1, &failed, &fault);
	if (!ret)
		return 0;
	ret = run_refuse_batch(r, n, 1, ret, 0, &fault);
	drop_queue(r, n);
	return ret ? ret : 1;
}

int vshader_steps_finish(struct vshader_steps *s, uint32_t n)
{
	int ret = run_conclude_job(&s->r, n);

	drop_queue(&s->r, n);
	return ret;
}

const struct jf_outcome *vshader_steps_outcome(const struct vshader_steps *s, uint32_t n)
{
	return &s->r.run->outcomes[s->r.jf->num_programs + n];
}

uint32_t vshader_steps_program(const struct vshader_steps *s, uint32_t id)
{
	uint32_t i;

	for (i = 0; id && i < s->r.jf->num_programs; i++) {
		if (s->r.programs[i] == id)
			return i;
	}
	return JF_NONE;
}

uint32_t vshader_steps_program_id(const struct vshader_steps *s, uint32_t n)
{
	return s->r.programs[n];
}

uint64_t vshader_steps_va(const struct vshader_steps *s, uint32_t region)
{
	return s->r.regions[region].va;
}

const uint8_t *vshader_steps_memory(const struct vshader_steps *s, uint32_t n, uint64_t va,
				    uint64_t *start, uint64_t *size)
{
	const struct runner *r = &s->r;
	uint32_t i;

	for (i = r->num_mappings; i-- > 0;) {
		const struct run_mapping *m = &r->mappings[i];
		const struct run_region *reg;

		if (m->vm != r->jobs[n].vm || va < m->va || va - m->va >= m->size)
			continue;
		reg = m->region == JF_NONE ? NULL : &r->regions[m->region];
		if (!reg || !reg->ptr || m->offset > vshader_bo_size(reg->bo))
			return NULL;
		*start = m->va;
		*size = vshader_bo_size(reg->bo) - m->offset;
		if (*size > m->size)
			*size = m->size;
		return reg->ptr + m->offset;
	}
	return NULL;
}

struct vshader_run *vshader_steps_run(struct vshader_steps *s)
{
	run_count(s->r.run);
	return s->r.run;
}

struct vshader_run *vshader_steps_close(struct vshader_steps *s)
{
	struct vshader_run *run;

	if (!s)
		return NULL;
	run = run_end(&s->r, false);
	free(s);
	return run;
}
