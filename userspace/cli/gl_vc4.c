// SPDX-License-Identifier: MIT
/*
 * vshader gl: the ioctls of the vc4 interface. The counterpart of kernel/personality/vc4_*.c, with
 * which it shares vc4_gpu.c and the validator.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "personality/vc4_gpu.h"
#include "personality/vc4_uapi.h"
#include "gl_sync.h"

#define PAGE		4096ULL
#define T_TILED		1U		/* flag of a buffer */

/* Slots have room for so much at least. */
#define SMALL_EXEC	0x40000U

/**
 * struct slot - memory of a job
 * @bo: buffer, NULL: none yet
 * @mem: the same, mapped
 * @size: bytes for list, records and uniforms
 * @fence: of the last job that had it, or NULL
 * @perfmon: id of the monitor that its counters are still to be added to, or 0
 */
struct slot {
	struct vshader_bo *bo;
	uint8_t *mem;
	uint32_t size;
	struct gl_fence *fence;
	uint32_t perfmon;
};

/**
 * struct perfmon - performance monitor
 * @n: number of counters, 0: the id is free
 * @events: what they count
 * @values: counters
 */
struct perfmon {
	uint32_t n;
	uint8_t events[DRM_VC4_MAX_PERF_COUNTERS];
	uint64_t values[DRM_VC4_MAX_PERF_COUNTERS];
};

/**
 * struct vc4 - of a file
 * @ctx: jobs
 * @slots: memory of jobs
 * @more: memory for tile lists that need more than a slot
 * @perfmons: performance monitors by id; 0 is none
 * @num_perfmons: size of @perfmons
 */
struct vc4 {
	struct gl_ctx *ctx;
	struct slot slots[VC4_NUM_SLOTS];
	struct vshader_bo *more;
	struct perfmon *perfmons;
	uint32_t num_perfmons;
};

/**
 * struct own - of a buffer
 * @shader: its program, if @has_shader
 * @has_shader: it has a program
 * @dontneed: its memory is not needed
 */
struct own {
	struct vc4_shader_info shader;
	bool has_shader;
	bool dontneed;
};

static struct vc4 *to_vc4(const struct gl_file *f)
{
	return f->own;
}

/* ---- numbers of jobs, of the whole device ---- */

/**
 * struct number - a job that may not have ended
 * @seqno: its number
 * @fence: its fence
 */
struct number {
	uint64_t seqno;
	struct gl_fence *fence;
};

static pthread_mutex_t numbers_lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t last_seqno;
static struct number *numbers;
static uint32_t num_numbers, max_numbers;

/* Forget the jobs that have ended. The lock is held. */
static void prune_numbers(void)
{
	uint32_t i, n = 0;

	for (i = 0; i < num_numbers; i++) {
		if (gl_fence_poll(numbers[i].fence, 0))
			gl_fence_put(numbers[i].fence);
		else
			numbers[n++] = numbers[i];
	}
	num_numbers = n;
}

/* Number a job that has been submitted. */
static uint64_t number_job(struct gl_fence *fence)
{
	uint64_t seqno;

	pthread_mutex_lock(&numbers_lock);
	prune_numbers();
	seqno = ++last_seqno;
	if (num_numbers < max_numbers || !gl_grow(&numbers, &max_numbers, sizeof(*numbers)))
		numbers[num_numbers++] = (struct number){ seqno, gl_fence_get(fence) };
	pthread_mutex_unlock(&numbers_lock);
	return seqno;
}

/* The first job up to a number that has not ended. Return: 1: none has such a number yet. */
static int unfinished(uint64_t seqno, struct gl_fence **fence)
{
	int later;

	pthread_mutex_lock(&numbers_lock);
	prune_numbers();
	*fence = num_numbers && numbers[0].seqno <= seqno ? gl_fence_get(numbers[0].fence) : NULL;
	later = seqno > last_seqno;
	pthread_mutex_unlock(&numbers_lock);
	return later;
}

/* A relative time, ~0: without end. */
static int64_t deadline_of(const struct gl_call *c, uint64_t timeout)
{
	return timeout > (uint64_t)(INT64_MAX - c->since) ? INT64_MAX : c->since + (int64_t)timeout;
}

static int wait_seqno(struct gl_file *f, struct gl_call *c)
{
	const struct drm_vc4_wait_seqno *args = (void *)c->arg;
	const struct timespec patience = { .tv_nsec = GL_PATIENCE_NS };
	int64_t deadline = deadline_of(c, args->timeout_ns);
	struct gl_fence *fence;
	int ret, later;

	for (;;) {
		later = unfinished(args->seqno, &fence);
		if (!fence)
			break;
		ret = args->timeout_ns ? gl_fence_wait(fence, deadline, -ETIME) : -ETIME;
		gl_fence_put(fence);
		if (ret)
			return ret;
	}
	if (!later)
		return 0;
	if (!args->timeout_ns || gl_now_ns() >= deadline)
		return -ETIME;
	nanosleep(&patience, NULL);
	return GL_AGAIN;
}

static int wait_bo(struct gl_file *f, struct gl_call *c)
{
	const struct drm_vc4_wait_bo *args = (void *)c->arg;
	const struct gl_bo *b = gl_bo_find(f, args->handle);
	int ret;

	if (args->pad || !b)
		return -EINVAL;
	ret = gl_bo_wait(b, false, args->timeout_ns ? deadline_of(c, args->timeout_ns) : 0);
	return ret == -ETIMEDOUT || ret == -EBUSY ? -ETIME : ret;
}

/* ---- memory of jobs ---- */

/* Say why a program or job is not accepted, which Mesa does not expect. */
static void refused(const char *what, const struct vc4_refusal *why)
{
	if (why->text)
		fprintf(stderr, "vshader gl: %s: %s (at %u, value %#x, limit %#x)%s\n", what,
			why->text, why->at, why->value, why->limit,
			why->stricter ? ", not in Linux" : "");
}

static int map_own(struct gl_file *f, struct vshader_bo *bo, uint64_t *va)
{
	struct pers_place place;
	int ret;

	vc4_own_place(vshader_bo_size(bo), &place);
	ret = pers_va_add(&f->vas, bo, &place);
	if (ret)
		return ret == -ENOSPC ? -ENOMEM : ret;
	*va = pers_va_of(&f->vas, bo);
	ret = vshader_vm_map(f->dev, f->vm, bo, DRM_VSHADER_VM_BIND_NOEXEC, va);
	if (ret)
		pers_va_remove(&f->vas, bo);
	return ret;
}

static void drop_slot(struct gl_file *f, struct slot *s)
{
	if (s->bo) {
		vshader_vm_unmap(f->dev, f->vm, pers_va_of(&f->vas, s->bo),
				 vshader_bo_size(s->bo));
		pers_va_remove(&f->vas, s->bo);
		vshader_bo_destroy(s->bo);
	}
	gl_fence_put(s->fence);
	*s = (struct slot){};
}

static int make_slot(struct gl_file *f, struct slot *s, uint32_t size)
{
	uint64_t va;
	int ret;

	size = VC4_EXEC_AT + (size < SMALL_EXEC ? SMALL_EXEC : size);
	size = (size + PAGE - 1) & ~(PAGE - 1);
	ret = vshader_bo_create(f->dev, size, 0, 0, &s->bo);
	if (!ret)
		ret = vshader_bo_map(s->bo, (void **)&s->mem);
	if (!ret)
		ret = map_own(f, s->bo, &va);
	if (ret) {
		if (s->bo)
			vshader_bo_destroy(s->bo);
		*s = (struct slot){};
		return ret;
	}
	s->size = size - VC4_EXEC_AT;
	return 0;
}

/* Add the counters of jobs that have ended to their monitors. */
static void collect(struct vc4 *v)
{
	struct perfmon *p;
	struct slot *s;
	uint64_t n;
	uint32_t i, k;

	for (i = 0; i < VC4_NUM_SLOTS; i++) {
		s = &v->slots[i];
		if (!s->perfmon || !gl_fence_poll(s->fence, 0))
			continue;
		p = &v->perfmons[s->perfmon];
		s->perfmon = 0;
		for (k = 0; k < p->n; k++) {
			memcpy(&n, s->mem + VC4_COUNTERS_AT + p->events[k] * sizeof(n), sizeof(n));
			p->values[k] += n;
		}
	}
}

/* A slot without a job, with room for @size bytes. Return: 0, GL_AGAIN, or an errno. */
static int take_slot(struct gl_file *f, uint32_t size, struct slot **out)
{
	struct vc4 *v = to_vc4(f);
	struct slot *s, *best = NULL;
	uint32_t i;

	for (i = 0; i < VC4_NUM_SLOTS; i++) {
		s = &v->slots[i];
		if (s->fence && !gl_fence_poll(s->fence, 0))
			continue;
		if (!best || (s->bo && s->size >= size))
			best = s;
		if (s->bo && s->size >= size)
			break;
	}
	if (!best)
		return gl_fence_wait(v->slots[0].fence, INT64_MAX, 0) ? GL_AGAIN :
			take_slot(f, size, out);
	*out = best;
	/* before the counters in its memory are lost */
	collect(v);
	if (best->bo && best->size >= size)
		return 0;
	drop_slot(f, best);
	return make_slot(f, best, size);
}

/* ---- files ---- */

static int open_file(struct gl_file *f)
{
	struct vc4 *v = calloc(1, sizeof(*v));
	uint64_t va;
	int ret;

	if (!v)
		return -ENOMEM;
	f->own = v;
	ret = gl_ctx_new(f, f->server->engine, GL_PRIORITY_MEDIUM, &v->ctx);
	if (!ret)
		ret = vshader_bo_create(f->dev, VC4_MORE_BYTES, 0, 0, &v->more);
	return ret ? ret : map_own(f, v->more, &va);
}

static void close_file(struct gl_file *f)
{
	struct vc4 *v = f->own;
	uint32_t i;

	if (!v)
		return;
	if (v->ctx)
		gl_ctx_free(f, v->ctx);
	for (i = 0; i < VC4_NUM_SLOTS; i++)
		drop_slot(f, &v->slots[i]);
	if (v->more)
		vshader_bo_destroy(v->more);
	free(v->perfmons);
	free(v);
}

/* ---- buffers ---- */

static int create_bo(struct gl_file *f, struct gl_call *c)
{
	struct drm_vc4_create_bo *args = (void *)c->arg;
	const struct gl_bo_kind kind = {};
	uint64_t va;

	if (!args->size)
		return -EINVAL;
	return gl_bo_create(f, (args->size + PAGE - 1) & ~(PAGE - 1), &kind, &args->handle, &va);
}

static void free_own(void *p)
{
	struct own *own = p;

	vc4_shader_info_done(&own->shader);
	free(own);
}

static int own_of(struct gl_bo *b, struct own **own)
{
	if (!b->own)
		b->own = calloc(1, sizeof(struct own));
	*own = b->own;
	return b->own ? 0 : -ENOMEM;
}

/* A buffer with a program, which has zeros after it. @own: taken over, also if this fails */
static int add_shader(struct gl_file *f, uint64_t size, struct own *own, uint32_t *handle,
		      const void *code, uint32_t bytes)
{
	const struct gl_bo_kind kind = {};
	uint64_t va;
	void *mem;
	int ret;

	ret = gl_bo_create(f, size, &kind, handle, &va);
	if (ret) {
		free_own(own);
		return ret;
	}
	gl_bo_find(f, *handle)->own = own;
	ret = vshader_bo_map(gl_bo_find(f, *handle)->bo, &mem);
	if (!ret)
		memcpy(mem, code, bytes);
	return ret;
}

static int create_shader(struct gl_file *f, struct gl_call *c)
{
	struct drm_vc4_create_shader_bo *args = (void *)c->arg;
	uint64_t size = (args->size + PAGE - 1) & ~(PAGE - 1);
	struct vc4_refusal why = {};
	struct own *own;
	uint32_t *code;
	int ret;

	if (!args->size || args->size % 8 || args->flags || args->pad)
		return -EINVAL;
	if (c->arrays)
		return c->arrays == -EINVAL ? -ENOMEM : c->arrays;
	own = calloc(1, sizeof(*own));
	code = calloc(1, size);
	ret = own && code ? 0 : -ENOMEM;
	if (!ret) {
		memcpy(code, (const void *)(uintptr_t)args->data, args->size);
		ret = vc4_validate_shader(code, size, &own->shader, &why);
	}
	if (ret) {
		refused("program", &why);
		free(own);
	} else {
		own->has_shader = true;
		ret = add_shader(f, size, own, &args->handle, code, args->size);
	}
	free(code);
	return ret;
}

/* Programs are not written, and memory that may be given back is not mapped. */
static int check_share(const struct gl_bo *b, enum gl_share how)
{
	const struct own *own = b->own;

	if (!own)
		return 0;
	if (own->has_shader && how != GL_SHARE_READ)
		return -EINVAL;
	return own->dontneed ? -EINVAL : 0;
}

static int mmap_bo(struct gl_file *f, struct gl_call *c)
{
	struct drm_vc4_mmap_bo *args = (void *)c->arg;
	uint64_t offset;

	if (gl_bo_mmap(f, args->handle, &offset))
		return -EINVAL;
	args->offset = offset;
	return 0;
}

static int set_tiling(struct gl_file *f, struct gl_call *c)
{
	const struct drm_vc4_set_tiling *args = (void *)c->arg;
	struct gl_bo *b = gl_bo_find(f, args->handle);

	if (args->flags)
		return -EINVAL;
	if (args->modifier != VC4_MOD_LINEAR && args->modifier != VC4_MOD_T_TILED)
		return -EINVAL;
	if (!b)
		return -ENOENT;
	gl_bo_set_flags(b, args->modifier == VC4_MOD_T_TILED ? T_TILED : 0);
	return 0;
}

static int get_tiling(struct gl_file *f, struct gl_call *c)
{
	struct drm_vc4_get_tiling *args = (void *)c->arg;
	const struct gl_bo *b = gl_bo_find(f, args->handle);

	if (args->flags || args->modifier)
		return -EINVAL;
	if (!b)
		return -ENOENT;
	args->modifier = gl_bo_flags(b) & T_TILED ? VC4_MOD_T_TILED : VC4_MOD_LINEAR;
	return 0;
}

static int label_bo(struct gl_file *f, struct gl_call *c)
{
	const struct drm_vc4_label_bo *args = (void *)c->arg;
	struct gl_bo *b = gl_bo_find(f, args->handle);
	int32_t error;

	memcpy(&error, c->arg + GL_LABEL_ERRNO, sizeof(error));
	if (!args->len)
		return -EINVAL;
	if (error)
		return error;
	return b ? gl_bo_set_label(b, (const char *)(uintptr_t)args->name) : -ENOENT;
}

/* The memory is kept. */
static int madvise_bo(struct gl_file *f, struct gl_call *c)
{
	struct drm_vc4_gem_madvise *args = (void *)c->arg;
	struct gl_bo *b = gl_bo_find(f, args->handle);
	struct own *own;
	int ret;

	if ((args->madv != VC4_MADV_WILLNEED && args->madv != VC4_MADV_DONTNEED) || args->pad)
		return -EINVAL;
	if (!b)
		return -ENOENT;
	if (b->imported)
		return -EINVAL;
	ret = own_of(b, &own);
	if (ret)
		return ret;
	own->dontneed = args->madv == VC4_MADV_DONTNEED;
	args->retained = 1;
	return 0;
}

/* ---- performance monitors ---- */

static struct perfmon *find_perfmon(const struct gl_file *f, uint32_t id)
{
	struct vc4 *v = to_vc4(f);

	return id && id < v->num_perfmons && v->perfmons[id].n ? &v->perfmons[id] : NULL;
}

static int create_perfmon(struct gl_file *f, struct gl_call *c)
{
	struct drm_vc4_perfmon_create *args = (void *)c->arg;
	struct vc4 *v = to_vc4(f);
	struct perfmon p = { .n = args->ncounters };
	uint32_t i;

	if (!args->ncounters || args->ncounters > DRM_VC4_MAX_PERF_COUNTERS)
		return -EINVAL;
	for (i = 0; i < args->ncounters; i++) {
		if (args->events[i] >= VC4_PERFCNT_NUM_EVENTS)
			return -EINVAL;
		p.events[i] = args->events[i];
	}
	for (i = 1; i < v->num_perfmons && v->perfmons[i].n; i++)
		;
	if (i >= v->num_perfmons && gl_grow(&v->perfmons, &v->num_perfmons, sizeof(p)))
		return -ENOMEM;
	v->perfmons[i] = p;
	args->id = i;
	return 0;
}

static int destroy_perfmon(struct gl_file *f, struct gl_call *c)
{
	const struct drm_vc4_perfmon_destroy *args = (void *)c->arg;
	struct perfmon *p = find_perfmon(f, args->id);
	struct vc4 *v = to_vc4(f);
	uint32_t i;

	if (!p)
		return -EINVAL;
	*p = (struct perfmon){};
	/* the id may be used again before its jobs end */
	for (i = 0; i < VC4_NUM_SLOTS; i++)
		if (v->slots[i].perfmon == args->id)
			v->slots[i].perfmon = 0;
	return 0;
}

static int perfmon_values(struct gl_file *f, struct gl_call *c)
{
	struct drm_vc4_perfmon_get_values *args = (void *)c->arg;
	struct perfmon *p = find_perfmon(f, args->id);

	if (!p)
		return -EINVAL;
	collect(to_vc4(f));
	args->values_ptr = (uintptr_t)p->values;
	memcpy(c->arg + GL_COUNTERS, &p->n, sizeof(p->n));
	return 0;
}

/* ---- jobs ---- */

/**
 * struct job - a job being submitted
 * @args: arguments
 * @v: for the validator
 * @handles: of its buffers
 * @writes: for each, whether it is written
 * @s: its memory
 * @error: of the list, its records and uniforms, which are copied if there is a list
 */
struct job {
	const struct drm_vc4_submit_cl *args;
	struct vc4_val_job v;
	const uint32_t *handles;
	bool *writes;
	struct slot *s;
	int error;
};

static int find_bos(struct gl_file *f, struct job *j)
{
	uint32_t i;

	for (i = 0; i < j->v.nbos; i++) {
		const struct gl_bo *b = gl_bo_find(f, j->handles[i]);
		const struct own *own = b ? b->own : NULL;

		if (!b || (own && own->dontneed))
			return -EINVAL;
		j->v.bo[i] = (struct vc4_val_bo){
			.bytes = vshader_bo_size(b->bo),
			.va = pers_va_of(&f->vas, b->bo),
			.shader = own && own->has_shader ? &own->shader : NULL,
		};
	}
	return 0;
}

/* Checks after that of the buffers and before that of the list. */
static int check_sync(struct gl_file *f, const struct drm_vc4_submit_cl *args)
{
	if (args->perfmonid && !find_perfmon(f, args->perfmonid))
		return -ENOENT;
	return gl_sync_check(f, &args->in_sync, !!args->in_sync);
}

/* Find the job's memory, and validate its list into it. */
static int validate_list(struct gl_file *f, struct job *j)
{
	uint32_t bytes = j->v.list_bytes ? vc4_val_bytes(&j->v) : 0;
	struct vc4_refusal why = {};
	uint64_t va;
	int ret;

	if (j->v.list_bytes && !bytes)
		return -EINVAL;
	if (bytes > VC4_MAX_EXEC)
		return -ENOMEM;
	if (bytes && j->error)
		return j->error;
	ret = take_slot(f, bytes, &j->s);
	if (ret || !j->v.list_bytes)
		return ret;
	va = pers_va_of(&f->vas, j->s->bo);
	j->v.slot_va = va;
	j->v.va = va + VC4_EXEC_AT;
	j->v.out = j->s->mem + VC4_EXEC_AT;
	ret = vc4_validate_bin(&j->v, &why);
	if (ret)
		refused("bin list", &why);
	else
		memset(j->s->mem, 0, VC4_SLOT_BYTES);
	return ret;
}

static int validate_frame(struct job *j, uint32_t *words, uint32_t *n)
{
	struct vc4_refusal why = {};
	int ret;

	ret = vc4_render_words(j->args, &j->v, words, n, &why);
	if (ret)
		refused("frame", &why);
	return ret;
}

static int submit_job(struct gl_file *f, struct job *j, uint64_t *seqno)
{
	uint32_t words[VC4_RENDER_DESC_WORDS], bin_words[VC4_BIN_JOB_WORDS], n, i;
	const struct drm_vc4_submit_cl *args = j->args;
	struct vc4 *v = to_vc4(f);
	struct drm_vshader_native_job bin;
	struct gl_fence *fence = NULL;
	uint64_t va;
	struct gl_job job = {
		.ctx = v->ctx,
		.bos = j->handles,
		.writes = j->writes,
		.num_bos = j->v.nbos,
		.in_syncs = &args->in_sync,
		.num_in_syncs = !!args->in_sync,
		.out_sync = args->out_sync,
		.fence = &fence,
	};
	int ret;

	ret = find_bos(f, j);
	if (!ret)
		ret = check_sync(f, args);
	if (!ret)
		ret = validate_list(f, j);
	if (!ret)
		ret = validate_frame(j, words, &n);
	if (ret)
		return ret;
	if (args->out_sync && !gl_sync_exists(f, args->out_sync))
		return -EINVAL;
	va = pers_va_of(&f->vas, j->s->bo);
	for (i = 0; i < j->v.nbos; i++)
		j->writes[i] = j->v.bo[i].use & VC4_USE_WRITE;
	if (j->v.list_bytes) {
		vc4_bin_words(&j->v, pers_va_of(&f->vas, v->more), bin_words);
		vc4_native_job(false, j->s->mem, va, bin_words, VC4_BIN_JOB_WORDS,
			       args->perfmonid, &bin);
		job.before = &bin;
	}
	vc4_native_job(true, j->s->mem, va, words, n, args->perfmonid, &job.native);
	ret = gl_job_submit(f, &job);
	if (ret)
		return ret;
	gl_fence_put(j->s->fence);
	j->s->fence = fence;
	j->s->perfmon = args->perfmonid;
	*seqno = number_job(fence);
	return 0;
}

/* First of the arrays of SUBMIT_CL, in the order in which they are sent. */
#define HANDLES	0

static int submit(struct gl_file *f, struct gl_call *c)
{
	struct drm_vc4_submit_cl *args = (void *)c->arg;
	struct job j = {
		.args = args,
		.handles = (const void *)(uintptr_t)args->bo_handles,
		.v.list = (const void *)(uintptr_t)args->bin_cl,
		.v.records = (const void *)(uintptr_t)args->shader_rec,
		.v.uniforms = (const void *)(uintptr_t)args->uniforms,
	};
	uint64_t seqno;
	int ret = -ENOMEM, i;

	if (vc4_check_submit(args) || !args->bo_handle_count)
		return -EINVAL;
	if (c->errors[HANDLES])
		return c->errors[HANDLES] == -EINVAL ? -ENOMEM : c->errors[HANDLES];
	for (i = HANDLES + 1; i < GL_MAX_READ && !j.error; i++)
		j.error = c->errors[i];
	vc4_job_sizes(args, &j.v);
	j.v.bo = calloc(j.v.nbos, sizeof(*j.v.bo));
	j.writes = calloc(j.v.nbos, sizeof(*j.writes));
	if (j.v.bo && j.writes)
		ret = submit_job(f, &j, &seqno);
	free(j.v.bo);
	free(j.writes);
	if (!ret)
		args->seqno = seqno;
	return ret;
}

/* ---- device ---- */

static int get_param(struct gl_file *f, struct gl_call *c)
{
	struct drm_vc4_get_param *args = (void *)c->arg;
	uint64_t value;
	int ret;

	if (args->pad)
		return -EINVAL;
	ret = vc4_gpu_param(f->server->chip, args->param, &value);
	if (ret)
		return ret;
	args->value = value;
	return 0;
}

/* Only for the superuser, on the primary node. Jobs that hang leave no state here. */
static int get_hang_state(struct gl_file *f, struct gl_call *c)
{
	return f->primary && !c->caller.uid ? -ENOENT : -EACCES;
}

/* ---- driver ---- */

static const struct gl_ioctl ioctls[] = {
	{ NR(DRM_IOCTL_VC4_SUBMIT_CL), submit, true },
	{ NR(DRM_IOCTL_VC4_WAIT_SEQNO), wait_seqno },
	{ NR(DRM_IOCTL_VC4_WAIT_BO), wait_bo },
	{ NR(DRM_IOCTL_VC4_CREATE_BO), create_bo },
	{ NR(DRM_IOCTL_VC4_MMAP_BO), mmap_bo },
	{ NR(DRM_IOCTL_VC4_CREATE_SHADER_BO), create_shader, true },
	{ NR(DRM_IOCTL_VC4_GET_HANG_STATE), get_hang_state },
	{ NR(DRM_IOCTL_VC4_GET_PARAM), get_param },
	{ NR(DRM_IOCTL_VC4_SET_TILING), set_tiling },
	{ NR(DRM_IOCTL_VC4_GET_TILING), get_tiling },
	{ NR(DRM_IOCTL_VC4_LABEL_BO), label_bo },
	{ NR(DRM_IOCTL_VC4_GEM_MADVISE), madvise_bo },
	{ NR(DRM_IOCTL_VC4_PERFMON_CREATE), create_perfmon },
	{ NR(DRM_IOCTL_VC4_PERFMON_DESTROY), destroy_perfmon },
	{ NR(DRM_IOCTL_VC4_PERFMON_GET_VALUES), perfmon_values },
	{ }
};

static const struct gl_driver driver = {
	.kind = GL_VC4,
	.open = open_file,
	.close = close_file,
	.ioctls = ioctls,
	.submit = NR(DRM_IOCTL_VC4_SUBMIT_CL),
	.place = vc4_place,
	.check_share = check_share,
	.free_own = free_own,
};

bool gl_vc4_chip(struct gl_server *server, const char *name)
{
	const struct vc4_gpu *gpu = vc4_gpu_find(name);

	if (!gpu)
		return false;
	server->driver = &driver;
	server->chip = gpu;
	server->name = gpu->name;
	server->interface = "vc4";
	server->compatible = gpu->compatible;
	server->engine = vc4_engine();
	return true;
}
