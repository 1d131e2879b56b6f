// SPDX-License-Identifier: GPL-2.0-only OR MIT
/**
 * DOC: Usage statistics
 *
 * The keys of Documentation/gpu/drm-usage-stats.rst in /proc/PID/fdinfo/FD:
 *
 * - ``drm-driver``, ``drm-client-id``;
 * - ``drm-engine-NAME``: CPU time of the file's jobs, ns, for every engine (``pica``);
 * - ``drm-engine-capacity-NAME``: number of threads that the file may have, all engines
 *   share them;
 * - ``drm-total-memory``, ``drm-shared-memory``, ``drm-resident-memory``,
 *   ``drm-active-memory``: of the buffer objects that the file has handles of.
 *
 * The file operation is the driver's own for all kernel versions, as the core has one only
 * since 6.5.
 */
#include <linux/dma-resv.h>
#include <linux/fs.h>
#include <linux/idr.h>
#include <linux/seq_file.h>

#include <drm/drm_drv.h>

#include "vshader_device.h"
#include "vshader_exec.h"
#include "vshader_gem.h"
#include "vshader_perf.h"

struct memory {
	u64 total;
	u64 shared;
	u64 resident;
	u64 active;
};

static bool bo_active(struct vshader_bo *bo)
{
	if (bo->tag)
		return atomic_read(&bo->tag->jobs);
	return !dma_resv_test_signaled(vshader_bo_gem(bo)->resv, DMA_RESV_USAGE_BOOKKEEP);
}

static int add_object(int id, void *ptr, void *data)
{
	struct drm_gem_object *obj = ptr;
	struct memory *mem = data;

	/* a handle that is being created */
	if (!obj)
		return 0;
	mem->total += obj->size;
	if (obj->handle_count > 1 || obj->dma_buf)
		mem->shared += obj->size;
	if (to_vshader_bo(obj)->base.pages || obj->import_attach)
		mem->resident += obj->size;
	if (bo_active(to_vshader_bo(obj)))
		mem->active += obj->size;
	return 0;
}

static void show_memory(struct seq_file *m, struct drm_file *file)
{
	struct memory mem = {};

	spin_lock(&file->table_lock);
	idr_for_each(&file->object_idr, add_object, &mem);
	spin_unlock(&file->table_lock);

	seq_printf(m, "drm-total-memory:\t%llu KiB\n", mem.total >> 10);
	seq_printf(m, "drm-shared-memory:\t%llu KiB\n", mem.shared >> 10);
	seq_printf(m, "drm-resident-memory:\t%llu KiB\n", mem.resident >> 10);
	seq_printf(m, "drm-active-memory:\t%llu KiB\n", mem.active >> 10);
}

void vshader_show_fdinfo(struct seq_file *m, struct file *f)
{
	struct drm_file *file = f->private_data;
	struct vshader_file *vf = file->driver_priv;
	u32 i;

	seq_printf(m, "drm-driver:\t%s\n", vf->vdev->drm.driver->name);
	seq_printf(m, "drm-client-id:\t%llu\n", vf->client_id);
	for (i = 0; i < VS_MAX_ISAS; i++) {
		const struct vs_isa *isa = vs_isa_by_id(i);

		if (!isa)
			continue;
		seq_printf(m, "drm-engine-%s:\t%llu ns\n", isa->name,
			   (u64)atomic64_read(&vf->busy_ns[i]));
		seq_printf(m, "drm-engine-capacity-%s:\t%u\n", isa->name,
			   vshader_exec_max_threads());
	}
	show_memory(m, file);
}
