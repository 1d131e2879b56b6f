// SPDX-License-Identifier: GPL-2.0
/*
 * Scenes: dumps of jobs in a file, and their submission.
 */
#include <fcntl.h>
#include <sys/stat.h>

#include "vst_scene.h"

#define MAX_OPS		128

/* ---- the file ---- */

static int file = -1;
static const __u8 *data;

static int parse(struct vst_scene *s, const __u8 *p, __u64 size)
{
	const struct drm_vshader_dump_header *h = (const void *)p;
	const struct drm_vshader_dump_device *device;
	const __u8 *end = p + size;
	__u64 i;

	memset(s, 0, sizeof(*s));
	p += sizeof(*h);
	for (i = 0; i < h->sections; i++) {
		const struct drm_vshader_dump_section *sec = (const void *)p;

		if (end - p < (ptrdiff_t)sizeof(*sec) || sec->size > end - p - sizeof(*sec))
			return -EBADMSG;
		p += sizeof(*sec);
		if (sec->type < VST_SECTIONS) {
			s->sec[sec->type].p = p;
			s->sec[sec->type].n = sec->count;
			s->sec[sec->type].size = sec->size;
		}
		p += (sec->size + 7) & ~7ULL;
	}
	s->queue = (const void *)VST_SEC(s, QUEUE).p;
	s->job = (const void *)VST_SEC(s, JOB).p;
	s->program = (const void *)VST_SEC(s, PROGRAM).p;
	device = (const void *)VST_SEC(s, DEVICE).p;
	if (!s->queue || !s->job || !device)
		return -EBADMSG;
	memcpy(s->name, device->name, sizeof(device->name));
	return 0;
}

static int split(const __u8 *p, __u64 size, struct vst_scene **scenes)
{
	struct vst_scene *all = NULL;
	int n = 0;

	while (size) {
		const struct drm_vshader_dump_header *h = (const void *)p;

		if (size < sizeof(*h) || memcmp(h->magic, DRM_VSHADER_DUMP_MAGIC, 8) ||
		    h->size < sizeof(*h) || h->size > size)
			return -EBADMSG;
		all = realloc(all, (n + 1) * sizeof(*all));
		if (!all)
			return -ENOMEM;
		if (parse(&all[n++], p, h->size))
			return -EBADMSG;
		p += h->size;
		size -= h->size;
	}
	*scenes = all;
	return n;
}

int vst_scenes_load(const char *path, struct vst_scene **scenes)
{
	struct stat st;

	file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0 || fstat(file, &st))
		return -errno;
	data = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, file, 0);
	if (data == MAP_FAILED)
		return -errno;
	return split(data, st.st_size, scenes);
}

/* ---- memory ---- */

/*
 * The part of a run of @n bytes at @va, from @p, that the mapping has. The file is read into place:
 * in User-Mode-Linux, page faults of a process take longer than its system calls.
 */
static int fill_run(const struct drm_vshader_dump_mapping *m, __u8 *map, __u64 va, const __u8 *p,
		    __u64 n)
{
	__u64 begin = va > m->va ? va : m->va;
	__u64 end = va + n < m->va + m->size ? va + n : m->va + m->size;

	if (begin >= end)
		return 0;
	return pread(file, map + (begin - m->va), end - begin, p - data + (begin - va)) < 0 ?
		       -errno : 0;
}

int vst_scene_fill(const struct vst_scene *s, const struct drm_vshader_dump_mapping *m, __u8 *map)
{
	const __u8 *p = VST_SEC(s, MEMORY).p;
	__u64 i, run[2];
	int ret = 0;

	for (i = 0; p && i < VST_SEC(s, MEMORY).n && !ret; i++) {
		memcpy(run, p, sizeof(run));
		p += sizeof(run);
		ret = fill_run(m, map, run[0], p, run[1]);
		p += run[1];
	}
	return ret;
}

static int make_memory(int fd, const struct vst_scene *s, __u32 vm)
{
	const struct drm_vshader_dump_mapping *m = (const void *)VST_SEC(s, MAP).p;
	struct drm_vshader_vm_bind_op ops[MAX_OPS];
	__u64 size = 0, at = 0;
	unsigned int i, n = 0;
	__u32 bo, failed;
	void *map;
	int ret;

	for (i = 0; i < VST_SEC(s, MAP).n; i++)
		size += m[i].size;
	if (!size)
		return 0;
	ret = vst_bo_create(fd, size, 0, 0, &bo) ?: vst_bo_mmap(fd, bo, size, &map);
	for (i = 0; i < VST_SEC(s, MAP).n && !ret; i++) {
		ret = vst_scene_fill(s, &m[i], (__u8 *)map + at);
		ops[n++] = (struct drm_vshader_vm_bind_op){
			.flags = m[i].flags, .bo_handle = bo, .bo_offset = at, .va = m[i].va,
			.size = m[i].size,
		};
		at += m[i].size;
		if (!ret && (n == MAX_OPS || i == VST_SEC(s, MAP).n - 1)) {
			ret = vst_bind_ops(fd, vm, ops, n, &failed);
			n = 0;
		}
	}
	/* a mapping would hold the file */
	if (at)
		munmap(map, size);
	return ret;
}

static int make_program(int fd, const struct vst_scene *s, __u32 *id)
{
	const struct vst_code c = {
		.stage = s->program->stage,
		.code = (const void *)VST_SEC(s, CODE).p, .ncode = VST_SEC(s, CODE).n,
		.desc = (const void *)VST_SEC(s, OPDESC).p, .ndesc = VST_SEC(s, OPDESC).n,
	};
	struct drm_vshader_program_section sec[2];
	struct drm_vshader_program_create arg;
	int ret;

	vst_program_args(&c, &arg, sec);
	arg.engine = s->program->engine;
	if (VST_SEC(s, ENTRIES).n) {
		arg.entries = PTR(VST_SEC(s, ENTRIES).p);
		arg.num_entries = VST_SEC(s, ENTRIES).n;
	}
	sec[0].size = VST_SEC(s, CODE).size;
	sec[1].size = VST_SEC(s, OPDESC).size;
	arg.sections.count = sec[1].size ? 2 : 1;
	ret = vst_ioctl(fd, DRM_IOCTL_VSHADER_PROGRAM_CREATE, &arg);
	*id = arg.id;
	return ret;
}

int vst_scene_make(int fd, const struct vst_scene *s, __u32 *vm, __u32 *program)
{
	__u32 flags = s->queue->va_bits > 32 ? DRM_VSHADER_VM_48BIT : 0;
	int ret;

	*program = 0;
	ret = vst_vm_create(fd, flags, vm);
	if (!ret)
		ret = make_memory(fd, s, *vm);
	if (!ret && s->program)
		ret = make_program(fd, s, program);
	return ret;
}

/* ---- the job ---- */

static __u64 copy(const struct vst_scene *s, const struct vst_copier *c, unsigned int type)
{
	return s->sec[type].size ? PTR(c->copy(c->priv, s->sec[type].p, s->sec[type].size)) : 0;
}

static struct drm_vshader_obj_array array(const struct vst_scene *s, const struct vst_copier *c,
					  unsigned int type)
{
	struct drm_vshader_obj_array a = { .count = s->sec[type].n };

	if (a.count)
		a.stride = s->sec[type].size / a.count;
	a.array = copy(s, c, type);
	return a;
}

static void vertices(const struct vst_scene *s, const struct vst_copier *c,
		     struct drm_vshader_vertices *v)
{
	v->attributes = array(s, c, DRM_VSHADER_DUMP_ATTRIBUTES);
	v->outputs = array(s, c, DRM_VSHADER_DUMP_OUTPUTS);
}

static void mali_block(const struct vst_scene *s, const struct vst_copier *c,
		       struct drm_vshader_mali_job *b)
{
	struct drm_vshader_mali_fragment *f;

	b->memory = c->memory ?: b->memory;
	if (!VST_SEC(s, MALI_FRAGMENT).p)
		return;
	b->fragment = copy(s, c, DRM_VSHADER_DUMP_MALI_FRAGMENT);
	b->fragment_size = VST_SEC(s, MALI_FRAGMENT).size;
	f = (void *)(uintptr_t)b->fragment;
	if (f)
		f->targets = array(s, c, DRM_VSHADER_DUMP_TARGETS);
}

static void engine_block(const struct vst_scene *s, const struct vst_copier *c, void *block)
{
	struct drm_vshader_utgard_gp_job *gp = block;
	struct drm_vshader_utgard_pp_job *pp = block;
	struct drm_vshader_pica_job *pica = block;
	struct drm_vshader_qpu_job *qpu = block;

	switch (s->queue->engine) {
	case DRM_VSHADER_ENGINE_PICA:
		vertices(s, c, &pica->vertices);
		pica->float_uniforms = copy(s, c, DRM_VSHADER_DUMP_FLOAT_UNIFORMS);
		break;
	case DRM_VSHADER_ENGINE_QPU:
		qpu->threads = array(s, c, DRM_VSHADER_DUMP_QPU_THREADS);
		break;
	case DRM_VSHADER_ENGINE_UTGARD_GP:
		vertices(s, c, &gp->vertices);
		gp->memory = c->memory ?: gp->memory;
		break;
	case DRM_VSHADER_ENGINE_UTGARD_PP:
		pp->inputs = array(s, c, DRM_VSHADER_DUMP_ATTRIBUTES);
		pp->memory = c->memory ?: pp->memory;
		pp->targets = array(s, c, DRM_VSHADER_DUMP_TARGETS);
		break;
	default:
		mali_block(s, c, block);
	}
}

struct drm_vshader_shader_job *vst_scene_shader_job(const struct vst_scene *s,
						    const struct vst_copier *c, __u32 program)
{
	struct drm_vshader_shader_job *d;

	d = (void *)(uintptr_t)copy(s, c, DRM_VSHADER_DUMP_SHADER_JOB);
	if (!d)
		return NULL;
	d->program = program;
	d->engine_block = copy(s, c, DRM_VSHADER_DUMP_ENGINE_BLOCK);
	d->engine_block_size = VST_SEC(s, ENGINE_BLOCK).size;
	if (d->engine_block)
		engine_block(s, c, (void *)(uintptr_t)d->engine_block);
	return d;
}

static void *to_heap(void *priv, const void *p, size_t size)
{
	void *to = malloc(size);

	return to ? memcpy(to, p, size) : NULL;
}

int vst_scene_submit(int fd, const struct vst_scene *s, __u32 queue, __u32 program, __u32 sync)
{
	struct drm_vshader_sync signal = { .flags = DRM_VSHADER_SYNC_SIGNAL, .handle = sync };
	struct drm_vshader_job j = { .queue_id = queue, .type = s->job->type };
	const struct vst_copier c = { .copy = to_heap };

	if (sync)
		j.syncs = (struct drm_vshader_obj_array)DRM_VSHADER_OBJ_ARRAY(1, &signal);
	if (VST_SEC(s, NATIVE_JOB).p) {
		j.desc = copy(s, &c, DRM_VSHADER_DUMP_NATIVE_JOB);
		j.desc_size = sizeof(struct drm_vshader_native_job);
	} else {
		j.desc = PTR(vst_scene_shader_job(s, &c, program));
		j.desc_size = sizeof(struct drm_vshader_shader_job);
	}
	if (!j.desc)
		return -EBADMSG;
	return vst_submit_jobs(fd, &j, 1, NULL);
}
