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
struct vshader_account;
struct vshader_bo;
struct vshader_file;
struct vshader_vm;
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
 * struct vshader_nodes - Allocation of the nodes of trees of mappings.
 * @owner: as the trees see it
 * @acct: account, which lives longer
 * @must: allocations do not fail: they wait for memory and ignore limits
 */
struct vshader_nodes {
	struct vs_mappings_owner owner;
	struct vshader_account *acct;
	bool must;
};

/**
 * struct vshader_map - Snapshot of an address space; never changes.
 * @ref: held by the VM and by jobs
 * @vs: address translation for the engine
 * @pager: asked for what is in no mapping
 * @ext: the mappings; each holds one use of its object (vshader_bo_map())
 * @shared: reservation objects of buffers that others may use too, with the number of their
 *	mappings; empty for VMs with &vshader_vm.explicit_sync
 * @heaps: addresses of heaps; their objects are in @ext
 */
struct vshader_map {
	struct kref ref;
	struct vs_map vs;
	struct vs_pager pager;
	struct vs_mappings ext;
	struct vs_mappings shared;
	struct vs_mappings heaps;
};

/**
 * struct vshader_edit - A snapshot being made.
 * @vm: VM
 * @ext: mappings
 * @shared: reservation objects
 * @heaps: addresses of heaps
 */
struct vshader_edit {
	const struct vshader_vm *vm;
	struct vs_mappings ext;
	struct vs_mappings shared;
	struct vs_mappings heaps;
};

/**
 * struct vshader_vm - An address space.
 * @ref: held by the file and by queues
 * @tag: identity for exclusive objects
 * @number: number, unique
 * @bits: 32 or 48
 * @kernel_va: where addresses picked by the kernel start
 * @explicit_sync: jobs name the buffers that they share with others
 * @acct: account; holds a reference
 * @mapped: nodes of &vshader_map.ext
 * @shared: nodes of &vshader_map.shared
 * @heaps: nodes of &vshader_map.heaps
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
	bool explicit_sync;
	struct vshader_account *acct;
	struct vshader_nodes mapped;
	struct vshader_nodes shared;
	struct vshader_nodes heaps;

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
 * vshader_map_shared - list the shared buffers of a snapshot
 * @map: snapshot with at least one
 *
 * Return: as many as &vshader_map.shared has, ordered by reservation object; for kvfree(). NULL:
 * out of memory.
 */
struct vshader_shared *vshader_map_shared(const struct vshader_map *map);

/**
 * vshader_nodes_init - for trees whose objects are not counted
 * @nodes: nodes
 * @acct: account, which outlives them
 */
void vshader_nodes_init(struct vshader_nodes *nodes, struct vshader_account *acct);

/**
 * vshader_map_init - prepare a VM for snapshots
 * @vm: VM with its account
 */
void vshader_map_init(struct vshader_vm *vm);

/**
 * vshader_edit_begin - begin a new snapshot
 * @edit: uninitialised
 * @vm: VM, which outlives the snapshot
 * @map: a snapshot of @vm to start with, or NULL
 */
void vshader_edit_begin(struct vshader_edit *edit, struct vshader_vm *vm,
			const struct vshader_map *map);

/**
 * vshader_edit_abort - drop a snapshot being made; may sleep
 * @edit: after vshader_edit_begin()
 */
void vshader_edit_abort(struct vshader_edit *edit);

/**
 * vshader_edit_map - map an object
 * @edit: snapshot being made
 * @va: address
 * @size: bytes
 * @bo: object, which is mapped for the kernel and does not belong to another VM
 * @off: first byte of @bo
 * @flags: VS_EXT_*
 *
 * A heap of the object follows it.
 *
 * Return: 0, -ENOMEM, -EDQUOT or -ENOSPC; after an error @edit can only be dropped.
 */
int vshader_edit_map(struct vshader_edit *edit, u64 va, u64 size, struct vshader_bo *bo, u64 off,
		     u32 flags);

/**
 * vshader_edit_unmap - unmap a range
 * @edit: snapshot being made
 * @va: address
 * @size: bytes
 *
 * Return: as vshader_edit_map().
 */
int vshader_edit_unmap(struct vshader_edit *edit, u64 va, u64 size);

/**
 * vshader_map_new - complete a snapshot
 * @edit: its contents; taken over, also on failure
 *
 * Return: snapshot, -ENOMEM, -EDQUOT or -ENOSPC.
 */
struct vshader_map *vshader_map_new(struct vshader_edit *edit);

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
 * vshader_vm_has_tag - whether a file has the address space of an exclusive object
 * @vf: file
 * @tag: the object's
 *
 * Return: whether it has.
 */
bool vshader_vm_has_tag(struct vshader_file *vf, const struct vshader_vm_tag *tag);

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
 * vshader_vm_map - map an object
 * @vm: address space
 * @va: address
 * @bo: object, all of which is mapped
 * @flags: VS_EXT_*
 *
 * Return: 0 or an error, then nothing has changed.
 */
int vshader_vm_map(struct vshader_vm *vm, u64 va, struct vshader_bo *bo, u32 flags);

/**
 * vshader_vm_unmap - unmap a range; does not fail
 * @vm: address space with &vshader_vm.explicit_sync
 * @va: address
 * @size: bytes
 *
 * May sleep until there is memory for copies of nodes that jobs share, and exceed limits by them.
 */
void vshader_vm_unmap(struct vshader_vm *vm, u64 va, u64 size);

/* The ioctls; arguments as in the uAPI. */
int vshader_vm_create(struct drm_file *file, struct drm_vshader_vm_create *args);
int vshader_vm_destroy(struct drm_file *file, struct drm_vshader_vm_destroy *args);
int vshader_vm_bind(struct drm_file *file, struct drm_vshader_vm_bind *args);

#endif /* VSHADER_VM_H */
