// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Shader jobs of VideoCore IV QPUs, and the QPUs' states after a job.
 */
#include "drm/vshader_drm_qpu.h"
#include "families/family.h"
#include "isa/qpu/qpu_launch.h"
#include "native/qpu/qpu_list.h"

static int qpu_family_check_block(const struct vshader_shader *s,
				  const struct drm_vshader_qpu_job *b)
{
	int ret;

	if (b->threads.count > QPU_MAX_THREADS)
		return s->ops->fail(s, E2BIG, "QPU job: %u threads, the limit is %u",
				    b->threads.count, QPU_MAX_THREADS);
	/* the machine's fields are narrower */
	if (b->width > 0xffff || b->height > 0xffff)
		return s->ops->fail(s, EINVAL,
				    "QPU block: a tile of %u x %u pixels, at most 64 x 64",
				    b->width, b->height);
	ret = vshader_shader_check_va(s, b->color_va, 0, "color_va");
	return ret ? ret : vshader_shader_check_va(s, b->zs_va, 0, "zs_va");
}

/* Without a program, qpu_launch_program() cannot check these. */
static int qpu_family_check_model(const struct vshader_shader *s,
				  const struct drm_vshader_qpu_job *b)
{
	if (b->model)
		return s->ops->fail(s, EINVAL, "QPU job: model %u is not valid", b->model);
	if (b->switches & ~QPU_SW_ALL)
		return s->ops->fail(s, EINVAL, "QPU job: switches %#x are not valid",
				    b->switches);
	return 0;
}

static int copy_threads(const struct vshader_shader *s, const struct drm_vshader_obj_array *array,
			struct qpu_thread **out)
{
	const struct drm_vshader_qpu_thread *in;
	struct qpu_thread *t;
	void *copy;
	int ret;
	u32 i;

	ret = vshader_shader_array(s, array, QPU_MAX_THREADS, sizeof(*in),
				   offsetofend(struct drm_vshader_qpu_thread, num_uniforms),
				   "threads", &copy);
	if (ret)
		return ret;
	in = copy;
	t = vs_zalloc_array(max(array->count, 1U), sizeof(*t));
	if (!t)
		ret = s->ops->fail(s, ENOMEM, "out of memory");
	for (i = 0; i < array->count && !ret; i++) {
		t[i] = (struct qpu_thread){
			.uniforms = in[i].uniforms,
			.pc = in[i].pc,
			.payload = in[i].payload,
			.x = in[i].x,
			.y = in[i].y,
			.coverage = in[i].coverage,
			.flags = in[i].flags,
			.nuniforms = in[i].num_uniforms,
		};
	}
	vs_free(copy);
	if (ret)
		vs_free(t);
	else
		*out = t;
	return ret;
}

static int make_machine(const struct vshader_shader *s, const struct drm_vshader_qpu_job *b,
			const struct qpu_thread *threads, void **work)
{
	struct qpu_launch l = {
		.map = s->map,
		.threads = threads,
		.nthreads = b->threads.count,
		.switches = b->switches,
		.tile = {
			.color_va = b->color_va,
			.zs_va = b->zs_va,
			.color_stride = b->color_stride,
			.zs_stride = b->zs_stride,
			.width = (u16)b->width,
			.height = (u16)b->height,
			.samples = b->samples,
			.depth = b->depth,
		},
	};
	struct qpu_job *machine = NULL;
	const char *what = "";
	int ret;

	ret = qpu_launch_program(s->prog, &l, b->model, s->max_memory, &what, &machine);
	*work = machine;
	return vshader_shader_refused(s, ret, what);
}

static int qpu_family_make(const struct vshader_shader *s, const struct drm_vshader_shader_job *d,
			   void **work)
{
	struct drm_vshader_qpu_job b;
	struct qpu_thread *threads;
	int ret;

	if (d->entry)
		return s->ops->fail(s, EINVAL, "QPU job: entry is not 0");
	ret = vshader_shader_block(s, d, &b, offsetofend(struct drm_vshader_qpu_job, depth));
	if (ret)
		return ret;
	ret = qpu_family_check_block(s, &b);
	if (ret)
		return ret;
	if (!s->prog)
		return qpu_family_check_model(s, &b);
	ret = copy_threads(s, &b.threads, &threads);
	if (ret)
		return ret;
	if (b.threads.count)
		ret = make_machine(s, &b, threads, work);
	vs_free(threads);
	return ret;
}

static int qpu_family_add(void *work, struct vs_job *engine)
{
	return qpu_job_add(work, engine);
}

static void qpu_family_work_free(void *work)
{
	qpu_job_free(work);
}

static int qpu_family_capture(struct vshader_capturing *k, const struct drm_vshader_shader_job *d)
{
	struct drm_vshader_qpu_job *b;
	struct drm_vshader_obj_array threads;
	void *p;
	int ret;

	ret = vshader_capture_block(k, d, sizeof(*b), &p);
	if (ret)
		return ret;
	b = p;
	threads = b->threads;
	b->threads.array = 0;
	return vshader_capture_many(k, DRM_VSHADER_DUMP_QPU_THREADS, &threads,
				    sizeof(struct drm_vshader_qpu_thread));
}

/* ---- after a job ---- */

/* Control lists of draws have machines of their own, in the workers' arenas. */
static const struct qpu_job *qpu_family_machine_of(const void *work, const struct vs_native *native)
{
	return work || !native || native->ops != &qpu_list_ops ? work : qpu_list_machine(native);
}

static u32 get_states(const void *work, const struct vs_native *native, void *out)
{
	const struct qpu_job *m = qpu_family_machine_of(work, native);
	struct drm_vshader_qpu_state *to = out;
	struct qpu_state s[QPU_NUM];
	u32 i;

	if (!m)
		return 0;
	qpu_job_get_state(m, s);
	for (i = 0; i < QPU_NUM; i++)
		to[i] = (struct drm_vshader_qpu_state){
			.wait = s[i].wait,
			.info = s[i].info,
			.pc = s[i].pc,
			.thread = s[i].thread,
			.insns = s[i].insns,
		};
	return QPU_NUM;
}

static u32 qpu_family_strays(const void *work, const struct vs_native *native)
{
	const struct qpu_job *m = qpu_family_machine_of(work, native);
	struct qpu_counters c;

	if (!m)
		return 0;
	qpu_job_get_counters(m, &c);
	return (u32)min_t(u64, c.stray_reads, ~0U);
}

const struct vshader_family qpu_family = {
	.name = "QPU",
	.block_name = "QPU block",
	.block_size = sizeof(struct drm_vshader_qpu_job),
	.make = qpu_family_make,
	.add = qpu_family_add,
	.free = qpu_family_work_free,
	.capture = qpu_family_capture,
	.state_section = DRM_VSHADER_DUMP_QPUS,
	.state_size = sizeof(struct drm_vshader_qpu_state),
	.max_states = QPU_NUM,
	.get_states = get_states,
	.strays = qpu_family_strays,
};
