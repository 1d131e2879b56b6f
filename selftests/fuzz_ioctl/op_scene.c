// SPDX-License-Identifier: GPL-2.0
/*
 * Operations: recorded jobs. "scene" makes everything that one needs, "program" and "submit"
 * create its program and submit it, "memory" changes what it has in memory.
 */
#include <sys/mman.h>

#include "ops.h"
#include "touch.h"

#define MAX_MAPPINGS	32

struct vst_scene *fz_scenes;
u32 fz_nscenes;

int fz_scenes_load(const char *path)
{
	int n = vst_scenes_load(path, &fz_scenes);

	if (n < 0)
		return n;
	/* their numbers are bytes, and 0 is none */
	if (!n || n > 255)
		return -EBADMSG;
	fz_nscenes = n;
	return 0;
}

/* ---- everything that a job needs ---- */

static u8 *map_bo(int fd, u32 handle, u64 size)
{
	struct drm_vshader_bo_mmap_offset off = { .handle = handle };
	void *p;

	if (fz_plain_ioctl(fd, DRM_IOCTL_VSHADER_BO_MMAP_OFFSET, &off))
		return NULL;
	p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, off.offset);
	return p == MAP_FAILED ? NULL : p;
}

/* One buffer with what mappings @m have, one after the other. */
static void add_mappings(struct fz_ctx *c, const struct vst_scene *s, struct fz_res *vm, u32 owner,
			 const struct drm_vshader_dump_mapping *m, u32 n)
{
	struct drm_vshader_bo_create bo = { .exclusive_vm_id = owner };
	struct drm_vshader_vm_bind_op op[MAX_MAPPINGS];
	struct drm_vshader_vm_bind bind = { .vm_id = vm->id, .ops = DRM_VSHADER_OBJ_ARRAY(n, op) };
	struct fz_res *r;
	u8 *map;
	u32 i;

	for (i = 0; i < n; i++)
		bo.size += m[i].size;
	if (fz_plain_ioctl(vm->fd, DRM_IOCTL_VSHADER_BO_CREATE, &bo))
		return;
	fz_add(c, FZ_BO, vm->fd, bo.handle)->size = bo.size;
	map = map_bo(vm->fd, bo.handle, bo.size);
	for (i = 0, bo.size = 0; i < n; bo.size += m[i++].size) {
		op[i] = (struct drm_vshader_vm_bind_op){
			.flags = m[i].flags, .bo_handle = bo.handle, .bo_offset = bo.size,
			.va = m[i].va, .size = m[i].size,
		};
		r = fz_add(c, FZ_MAP, vm->fd, bo.handle);
		r->va = m[i].va;
		r->size = m[i].size;
		r->map = map ? map + bo.size : NULL;
		if (map)
			vst_scene_fill(s, &m[i], r->map);
	}
	fz_plain_ioctl(vm->fd, DRM_IOCTL_VSHADER_VM_BIND, &bind);
}

static void add_queue(struct fz_ctx *c, const struct vst_scene *s, const struct fz_res *vm)
{
	struct drm_vshader_queue_create q = {
		.engine = s->queue->engine, .vm_id = vm->id,
		.priority = DRM_VSHADER_PRIORITY_MEDIUM, .budget = 200000, .time_limit_ms = 50,
	};

	if (!fz_plain_ioctl(vm->fd, DRM_IOCTL_VSHADER_QUEUE_CREATE, &q))
		fz_add(c, FZ_QUEUE, vm->fd, q.id)->scene = vm->scene;
}

static void make_program(struct fz_ctx *c, u8 scene, int fd, bool plain);

/* Bytes: which, bit 0 buffers of the address space, bit 1 a buffer for each mapping. */
FZ_OP(scene)
{
	u8 n = fz_nscenes ? fz_byte(c) % fz_nscenes : 0;
	const struct vst_scene *s = &fz_scenes[n];
	const struct drm_vshader_dump_mapping *m;
	struct drm_vshader_vm_create arg = { };
	u8 how = fz_byte(c);
	struct fz_res *vm;
	int fd = fz_file(c);
	u32 i, all;

	if (!fz_nscenes)
		return;
	arg.flags = s->queue->va_bits > 32 ? DRM_VSHADER_VM_48BIT : 0;
	if (fz_plain_ioctl(fd, DRM_IOCTL_VSHADER_VM_CREATE, &arg))
		return;
	vm = fz_add(c, FZ_VM, fd, arg.id);
	vm->scene = 1 + n;
	m = (const void *)VST_SEC(s, MAP).p;
	all = VST_SEC(s, MAP).n < MAX_MAPPINGS ? VST_SEC(s, MAP).n : MAX_MAPPINGS;
	if (how & 2) {
		for (i = 0; i < all; i++)
			add_mappings(c, s, vm, how & 1 ? vm->id : 0, m + i, 1);
	} else {
		add_mappings(c, s, vm, how & 1 ? vm->id : 0, m, all);
	}
	if (s->program)
		make_program(c, n, fd, true);
	add_queue(c, s, vm);
}

/* ---- its program ---- */

static u32 add_section(struct fz_ctx *c, struct drm_vshader_program_section *sec, u32 type,
		       const void *p, u64 size)
{
	sec->type = type;
	sec->data = PTR(fz_copy(c, p, size));
	sec->size = size;
	return sec->data && size ? 1 : 0;
}

static void make_program(struct fz_ctx *c, u8 scene, int fd, bool plain)
{
	const struct vst_scene *s = &fz_scenes[scene];
	struct drm_vshader_program_create *a = fz_mem(c, sizeof(*a));
	struct drm_vshader_program_section *sec = fz_mem(c, 2 * sizeof(*sec));
	u32 n;
	int ret;

	if (!a || !sec)
		return;
	a->engine = s->program->engine;
	a->stage = s->program->stage;
	a->entries = PTR(fz_copy(c, VST_SEC(s, ENTRIES).p, VST_SEC(s, ENTRIES).size));
	a->num_entries = VST_SEC(s, ENTRIES).n;
	a->log_size = 256;
	a->log = PTR(fz_mem(c, 256));
	n = add_section(c, &sec[0], DRM_VSHADER_SECTION_CODE, VST_SEC(s, CODE).p,
			VST_SEC(s, CODE).size);
	n += add_section(c, &sec[n], DRM_VSHADER_SECTION_OPDESC, VST_SEC(s, OPDESC).p,
			 VST_SEC(s, OPDESC).size);
	a->sections = (struct drm_vshader_obj_array)DRM_VSHADER_OBJ_ARRAY(n, sec);
	ret = plain ? fz_plain_ioctl(fd, DRM_IOCTL_VSHADER_PROGRAM_CREATE, a) :
		      fz_ioctl(c, fd, DRM_IOCTL_VSHADER_PROGRAM_CREATE, a);
	if (!ret)
		fz_add(c, FZ_PROGRAM, fd, a->id)->scene = 1 + scene;
}

/* That of the last address space, or of any scene. Returns false if it has none. */
static bool scene_of(struct fz_ctx *c, u8 scene, u8 *n)
{
	u8 b = fz_byte(c);

	if (!fz_nscenes)
		return false;
	*n = b || !scene ? b % fz_nscenes : scene - 1;
	return true;
}

FZ_OP(program)
{
	struct fz_res *vm = fz_last(c, FZ_VM);
	int fd = vm ? vm->fd : fz_file(c);
	u8 n;

	if (scene_of(c, vm ? vm->scene : 0, &n) && fz_scenes[n].program)
		make_program(c, n, fd, false);
}

/* ---- the job ---- */

static void *copy(void *priv, const void *p, size_t size)
{
	return fz_copy(priv, p, size);
}

static void shader_job(struct fz_ctx *c, const struct vst_scene *s, struct drm_vshader_job *j)
{
	const struct vst_copier to = { .copy = copy, .priv = c, .memory = 1 << 20 };

	j->type = DRM_VSHADER_JOB_SHADER;
	j->desc = PTR(vst_scene_shader_job(s, &to, fz_res(c, FZ_PROGRAM)->id));
	j->desc_size = sizeof(struct drm_vshader_shader_job);
}

static void native_job(struct fz_ctx *c, const struct vst_scene *s, struct drm_vshader_job *j)
{
	struct drm_vshader_native_job *d = fz_copy(c, VST_SEC(s, NATIVE_JOB).p,
						   VST_SEC(s, NATIVE_JOB).size);

	j->type = DRM_VSHADER_JOB_NATIVE;
	j->desc = PTR(d);
	j->desc_size = sizeof(*d);
	/* with a small number of the default, chains and frames would fail for want of memory */
	if (d && d->format >= DRM_VSHADER_NATIVE_BIFROST_CHAIN &&
	    d->format <= DRM_VSHADER_NATIVE_UTGARD_PP_FRAME)
		d->memory = 4 << 20;
	fz_byte(c);
}

/* 0 is a signal of the last syncobj, if there is one and the queue takes it. */
static void syncs(struct fz_ctx *c, struct drm_vshader_job *j, bool debug)
{
	struct drm_vshader_sync *s = fz_mem(c, 3 * sizeof(*s));
	u8 b = fz_byte(c);
	u32 i, n = b ? b % 4 : fz_last(c, FZ_SYNCOBJ) && !debug;

	j->syncs = (struct drm_vshader_obj_array)DRM_VSHADER_OBJ_ARRAY(n, s);
	for (i = 0; i < n; i++) {
		u8 how = b ? fz_byte(c) : DRM_VSHADER_SYNC_SIGNAL ^ DRM_VSHADER_SYNC_SIGNAL;

		s[i].flags = (how & 3) ^ DRM_VSHADER_SYNC_SIGNAL;
		s[i].timeline_value = s[i].flags & DRM_VSHADER_SYNC_TIMELINE ? 1 + (how >> 5) : 0;
		s[i].handle = fz_res(c, FZ_SYNCOBJ)->id;
	}
}

static void make_job(struct fz_ctx *c, struct fz_res *q, const struct vst_scene *s,
		     struct drm_vshader_job *j)
{
	j->queue_id = q->id;
	if (VST_SEC(s, NATIVE_JOB).p)
		native_job(c, s, j);
	else
		shader_job(c, s, j);
	syncs(c, j, q->size & DRM_VSHADER_QUEUE_DEBUG);
	j->result_va = s->job->result_va;
	j->flags = fz_chance(c) ? DRM_VSHADER_JOB_NO_IMPLICIT_SYNC : 0;
}

FZ_OP(submit)
{
	struct drm_vshader_submit *a = fz_mem(c, sizeof(*a));
	struct drm_vshader_job *j = fz_mem(c, 8 * sizeof(*j));
	struct fz_res *q = fz_res(c, FZ_QUEUE);
	u8 n, again = fz_byte(c);
	u32 i;

	if (!scene_of(c, q->scene, &n))
		return;
	make_job(c, q, &fz_scenes[n], &j[0]);
	/* the same again: with what was poked, in all of them */
	a->jobs = (struct drm_vshader_obj_array)DRM_VSHADER_OBJ_ARRAY(1, j);
	if (again % 4 == 3)
		a->jobs.count += again / 4 % 8;
	for (i = 1; i < a->jobs.count; i++)
		j[i] = j[0];
	if (again % 8 == 7)
		j[a->jobs.count - 1].queue_id = fz_res(c, FZ_QUEUE)->id;
	fz_ioctl(c, q->fd, DRM_IOCTL_VSHADER_SUBMIT, a);
}

/* ---- its memory ---- */

/* A word that is not 0, on the same page, if there is one. */
static u32 *word_of(struct fz_res *m, u32 at)
{
	u32 *w = (u32 *)(m->map + at % m->size / 4 * 4);
	u32 *end = (u32 *)((uintptr_t)w / PAGE * PAGE + PAGE), *p;

	for (p = w; p < end; p++)
		if (*p)
			return p;
	return w;
}

/* Bytes: mapping, place (3), how, value (4). */
FZ_OP(memory)
{
	struct fz_res *m = fz_res(c, FZ_MAP);
	u32 at = fz_byte(c) | fz_byte(c) << 8 | fz_byte(c) << 16;
	u32 how = fz_byte(c), value = 0, i, *w;

	for (i = 0; i < 4; i++)
		value |= (u32)fz_byte(c) << 8 * i;
	if (!m->map || m->size < 4 || !fz_touch_begin())
		return;
	w = word_of(m, at);
	switch (how % 4) {
	case 0:
		*w ^= 1u << (value & 31);
		break;
	case 1:
		*w = value;
		break;
	case 2:
		*w += (int8_t)value;
		break;
	default:
		((u8 *)w)[value >> 8 & 3] = value;
	}
	fz_touch_end();
}
