/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Scenes: dumps of jobs (vshader_drm_dump.h) in a file, one after the other, and their submission.
 */
#ifndef VST_SCENE_H
#define VST_SCENE_H

#include "vst.h"
#include "vshader_drm_dump.h"

#define VST_SECTIONS	(DRM_VSHADER_DUMP_NATIVE_WORDS + 1)

/**
 * struct vst_scene - A dump.
 * @sec:	its sections by type: contents, elements, bytes
 * @queue:	section
 * @job:	"
 * @program:	", or NULL
 * @name:	of the device, which is the scene's
 */
struct vst_scene {
	struct {
		const __u8 *p;
		__u64 n;
		__u64 size;
	} sec[VST_SECTIONS];
	const struct drm_vshader_dump_queue *queue;
	const struct drm_vshader_dump_job *job;
	const struct drm_vshader_dump_program *program;
	char name[33];
};

#define VST_SEC(s, name)	((s)->sec[DRM_VSHADER_DUMP_##name])

/**
 * struct vst_copier - Where descriptors of jobs are copied to.
 * @copy:	returns NULL if there is no room
 * @priv:	its first argument
 * @memory:	limit of memory that the device takes for it, 0: the recorded one
 */
struct vst_copier {
	void *(*copy)(void *priv, const void *p, size_t size);
	void *priv;
	__u32 memory;
};

/* Number of scenes or a negative errno. They are never freed. */
int vst_scenes_load(const char *path, struct vst_scene **scenes);
/* Write the part of a scene's memory that a mapping of it has. Return: 0 or a negative errno. */
int vst_scene_fill(const struct vst_scene *s, const struct drm_vshader_dump_mapping *m, __u8 *map);
/* The descriptor of a shader job with its engine block, or NULL. */
struct drm_vshader_shader_job *vst_scene_shader_job(const struct vst_scene *s,
						    const struct vst_copier *c, __u32 program);
/* An address space with a scene's memory, and its program, 0: none. */
int vst_scene_make(int fd, const struct vst_scene *s, __u32 *vm, __u32 *program);
/* The scene's job on a queue. @sync: signalled by it, or 0. */
int vst_scene_submit(int fd, const struct vst_scene *s, __u32 queue, __u32 program, __u32 sync);

#endif
