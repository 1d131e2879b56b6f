// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Debugfs: buffer objects with labels, address spaces, programs, queues; recording.
 */
#include <linux/seq_file.h>
#include <linux/string_helpers.h>

#include <drm/drm_debugfs.h>

#include "vshader_debugfs.h"
#include "vshader_device.h"
#include "vshader_fault.h"
#include "vshader_gem.h"
#include "vshader_inject.h"
#include "vshader_program.h"
#include "vshader_queue.h"
#include "vshader_record.h"
#include "vshader_vm.h"

#ifdef CONFIG_DEBUG_FS

static struct vshader_device *node_device(struct seq_file *m)
{
	const struct drm_info_node *node = m->private;

	return to_vshader_device(node->minor->dev);
}

static void show_bo(struct seq_file *m, struct vshader_bo *bo)
{
	const struct drm_gem_object *obj = vshader_bo_gem(bo);

	seq_printf(m, "%12zu %4u %4u %4d %c%c%c ", obj->size, kref_read(&obj->refcount),
		   obj->handle_count, atomic_read(&bo->map_count), bo->tag ? 'x' : '-',
		   obj->import_attach ? 'i' : '-',
		   bo->flags & DRM_VSHADER_BO_NO_MMAP ? 'n' : '-');
	seq_escape(m, bo->comm, "\n\\ ");
	seq_printf(m, "/%d ", bo->creator);
	mutex_lock(&bo->label_lock);
	if (bo->label)
		seq_escape(m, bo->label, "\n\\");
	mutex_unlock(&bo->label_lock);
	seq_putc(m, '\n');
}

static int show_gems(struct seq_file *m, void *unused)
{
	struct vshader_device *vdev = node_device(m);
	struct vshader_bo *bo;

	seq_puts(m, "        size refs hndl maps flg created-by label\n");
	mutex_lock(&vdev->bos_lock);
	list_for_each_entry(bo, &vdev->bos, node)
		show_bo(m, bo);
	mutex_unlock(&vdev->bos_lock);
	return 0;
}

/* Call @show for each open file. */
static int for_files(struct seq_file *m, void (*show)(struct seq_file *m, struct vshader_file *vf))
{
	struct drm_device *drm = &node_device(m)->drm;
	struct drm_file *file;

	mutex_lock(&drm->filelist_mutex);
	list_for_each_entry(file, &drm->filelist, lhead) {
		struct vshader_file *vf = file->driver_priv;

		seq_printf(m, "client %llu\n", vf->client_id);
		show(m, vf);
	}
	mutex_unlock(&drm->filelist_mutex);
	return 0;
}

static void show_map(struct seq_file *m, const struct vshader_map *map)
{
	const struct vs_mapping *e;

	for (e = vs_mappings_next(&map->ext, 0); e; e = vs_mappings_next(&map->ext, e->x.hi))
		seq_printf(m, "  0x%012llx-0x%012llx r%c%c offset 0x%llx of %zu\n", e->x.lo,
			   e->x.hi, e->x.flags & VS_EXT_WRITE ? 'w' : '-',
			   e->x.flags & VS_EXT_EXEC ? 'x' : '-', e->off,
			   vshader_bo_gem(e->obj)->size);
}

static void show_file_vms(struct seq_file *m, struct vshader_file *vf)
{
	struct vshader_map *map;
	struct vshader_vm *vm;
	unsigned long id;

	xa_for_each(&vf->vms, id, vm) {
		vm = vshader_vm_lookup(vf, id);
		if (!vm)
			continue;
		map = vshader_vm_snapshot(vm);
		seq_printf(m, " vm %lu: %u bits, %u mappings\n", id, vm->bits, map->ext.n);
		show_map(m, map);
		vshader_map_put(map);
		vshader_vm_put(vm);
	}
}

static int show_vms(struct seq_file *m, void *unused)
{
	return for_files(m, show_file_vms);
}

static void show_file_programs(struct seq_file *m, struct vshader_file *vf)
{
	struct vshader_program *prog;
	unsigned long id;

	xa_for_each(&vf->programs, id, prog) {
		prog = vshader_program_lookup(vf, id);
		if (!prog)
			continue;
		seq_printf(m, " program %lu: %s stage %u, %u words, %u micro-ops, %llu bytes, hash %016llx\n",
			   id, prog->vs->isa->name, prog->vs->src.stage,
			   prog->vs->src.nwords[VS_SECTION_CODE],
			   prog->vs->prog ? prog->vs->prog->nuops : 0,
			   prog->memory, prog->vs->hash);
		vshader_program_put(prog);
	}
}

static int show_programs(struct seq_file *m, void *unused)
{
	return for_files(m, show_file_programs);
}

static void show_queue(struct seq_file *m, struct vshader_queue *q)
{
	u32 state, kind;
	u64 completed;

	spin_lock(&q->lock);
	state = q->state;
	kind = q->fault.kind;
	completed = q->completed;
	spin_unlock(&q->lock);
	seq_printf(m, "%s priority %u, %s [%d], client %llu: ", q->isa->name,
		   q->fifo.priority, q->comm, q->pid, q->file->client_id);
	seq_printf(m, "submitted %llu, completed %llu, queued %d, busy %llu ns, state 0x%x, fault %s\n",
		   READ_ONCE(q->submitted), completed, atomic_read(&q->queued),
		   (u64)atomic64_read(&q->fifo.busy_ns), state, vshader_fault_name(kind));
}

static int show_queues(struct seq_file *m, void *unused)
{
	struct vshader_device *vdev = node_device(m);
	struct vshader_queue *q;

	spin_lock(&vdev->queues_lock);
	list_for_each_entry(q, &vdev->queues, node)
		show_queue(m, q);
	spin_unlock(&vdev->queues_lock);
	return 0;
}

static int show_slices(struct seq_file *m, void *unused)
{
	struct vshader_device *vdev = node_device(m);
	u32 i;

	seq_puts(m, "    from us       slices\n");
	for (i = 0; i < VSHADER_SLICE_BUCKETS; i++)
		seq_printf(m, "%11lu %12llu\n", i ? BIT(i) : 0,
			   (u64)atomic64_read(&vdev->slices[i]));
	return 0;
}

static const struct drm_info_list files[] = {
	{ "gems", show_gems },
	{ "vms", show_vms },
	{ "programs", show_programs },
	{ "queues", show_queues },
	{ "slices", show_slices },
};

void vshader_debugfs_init(struct drm_minor *minor)
{
	drm_debugfs_create_files(files, ARRAY_SIZE(files), minor->debugfs_root, minor);
	/* of the render node; since Linux 6.8, both nodes have one folder and this call */
	if (minor->debugfs_root != minor->dev->render->debugfs_root)
		return;
	vshader_inject_debugfs(to_vshader_device(minor->dev), minor->debugfs_root);
	vshader_record_debugfs(to_vshader_device(minor->dev), minor->debugfs_root);
}

#else

void vshader_debugfs_init(struct drm_minor *minor)
{
}

#endif /* CONFIG_DEBUG_FS */
