/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Address spaces and their immutable snapshots.
 */
#ifndef VSHADER_VM_H
#define VSHADER_VM_H

#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>

#include "drm/vshader_drm.h"
#include "engine/vs_job.h"
#include "engine/vs_mappings.h"

struct drm_file;
struct drm_gem_object;
struct vshader_file;
struct vshader_vm_tag;

/**
 * struct vshader_shared - A buffer that others may use too.
 * @obj: object
 * @write: written, as far as others know
 */
struct vshader_shared {
	struct drm_gem_object *obj;
	bool write;
};

/**
 * struct vshader_map - Snapshot of an address space; never changes.
 * @ref: held by the VM and by jobs
 * @vs: address translation for the engine
 * @pager: asked for what is in no mapping, if objects have heaps
 * @ext: the mappings; each holds one use of its object (vshader_bo_map())
 * @nshared: number of @shared
 * @shared: objects that need synchronisation with others, ordered by dma_resv, one
 *	for each dma_resv
 */
struct vshader_map {
	struct kref ref;
	struct vs_map vs;
	struct vs_pager pager;
	struct vs_mappings ext;
	u32 nshared;
	struct vshader_shared *shared;
};

/**
 * struct vshader_vm - An address space.
 * @ref: held by the file and by queues
 * @tag: identity for exclusive objects
 * @number: number, unique
 * @bits: 32 or 48
 * @kernel_va: where addresses picked by the kernel start
 * @bind_lock: serialises changes
 * @map_lock: protects @map
 * @map: current snapshot
 */
struct vshader_vm {
	struct kref ref;
	struct vshader_vm_tag *tag;
	u64 number;
	u32 bits;
	u64 kernel_va;

	/** @bind_lock: serialises changes */
	struct mutex bind_lock;

	/** @map_lock: protects @map */
	spinlock_t map_lock;
	struct vshader_map *map;
};

/**
 * vshader_shared_fold - sort by reservation object and merge entries with the same one
 * @s: buffers
 * @n: number of @s
 *
 * Return: number of entries left.
 */
u32 vshader_shared_fold(struct vshader_shared *s, u32 n);

/**
 * vshader_map_new - build a snapshot
 * @x: mappings; their objects must be mapped, further uses are taken
 *
 * Return: snapshot or an error pointer.
 */
struct vshader_map *vshader_map_new(const struct vs_mappings *x);

/**
 * vshader_map_put - drop a reference; may sleep
 * @map: snapshot or NULL
 */
void vshader_map_put(struct vshader_map *map);

/**
 * vshader_map_writable - check that a range can be written
 * @map: snapshot
 * @va: first address
 * @size: bytes
 *
 * Return: whether all of it is mapped writable.
 */
bool vshader_map_writable(const struct vshader_map *map, u64 va, u64 size);

/**
 * vshader_vm_limit - one past the highest address
 * @vm: address space
 *
 * Return: the limit.
 */
u64 vshader_vm_limit(const struct vshader_vm *vm);

/**
 * vshader_vm_lookup - get an address space by its id
 * @vf: file
 * @id: id
 *
 * Return: a reference, or NULL.
 */
struct vshader_vm *vshader_vm_lookup(struct vshader_file *vf, u32 id);

/**
 * vshader_vm_put - drop a reference; may sleep
 * @vm: address space
 */
void vshader_vm_put(struct vshader_vm *vm);

/**
 * vshader_vm_snapshot - get the current snapshot
 * @vm: address space
 *
 * Return: a reference.
 */
struct vshader_map *vshader_vm_snapshot(struct vshader_vm *vm);

/**
 * vshader_vm_replace - put other mappings in place of all
 * @vm: address space
 * @x: mappings; their objects must be mapped, further uses are taken
 *
 * Return: 0 or an error, then nothing has changed.
 */
int vshader_vm_replace(struct vshader_vm *vm, const struct vs_mappings *x);

/* The ioctls; arguments as in the uAPI. */
int vshader_vm_create(struct drm_file *file, struct drm_vshader_vm_create *args);
int vshader_vm_destroy(struct drm_file *file, struct drm_vshader_vm_destroy *args);
int vshader_vm_bind(struct drm_file *file, struct drm_vshader_vm_bind *args);

#endif /* VSHADER_VM_H */
