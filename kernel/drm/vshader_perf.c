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
 * since 6.5. Personalities have their drivers' keys instead (panfrost_usage.c), or none.
 */
#include <linux/dma-resv.h>
#include <linux/fs.h>
#include <linux/idr.h>
#include <linux/seq_file.h>

#include <drm/drm_drv.h>

#include "vshader_device.h"
#include "vshader_exec.h"
#include "vshader_gem.h"
#include "vshader_heap.h"
#include "vshader_perf.h"

static bool bo_active(struct vshader_bo *bo)
{
	if (bo->tag)
		return atomic_read(&bo->tag->jobs);
	return !dma_resv_test_signaled(vshader_bo_gem(bo)->resv, DMA_RESV_USAGE_BOOKKEEP);
}

static int add_object(int id, void *ptr, void *data)
{
	struct drm_gem_object *obj = ptr;
	struct vshader_memory *mem = data;
	struct vshader_bo *bo;
	u64 size, bytes = 0;

	/* a handle that is being created */
	if (!obj)
		return 0;
	bo = to_vshader_bo(obj);
	size = bo->va_size ?: obj->size;
	if (READ_ONCE(bo->base.pages) || obj->import_attach)
		bytes = obj->size + vshader_heap_bytes(bo->heap);
	mem->total += size;
	if (obj->handle_count > 1 || obj->dma_buf)
		mem->shared += size;
	mem->resident += bytes;
	if (bo_active(bo))
		mem->active += bytes;
	else if (READ_ONCE(bo->base.madv) > 0)
		mem->purgeable += bytes;
	return 0;
}

void vshader_memory_of(struct drm_file *file, struct vshader_memory *mem)
{
	*mem = (struct vshader_memory){};
	spin_lock(&file->table_lock);
	idr_for_each(&file->object_idr, add_object, mem);
	spin_unlock(&file->table_lock);
}

void vshader_fdinfo_client(struct seq_file *m, const struct vshader_file *vf)
{
	seq_printf(m, "drm-driver:\t%s\n", vf->vdev->drm.driver->name);
	seq_printf(m, "drm-client-id:\t%llu\n", vf->client_id);
}

void vshader_show_fdinfo(struct seq_file *m, struct file *f)
{
	struct drm_file *file = f->private_data;
	struct vshader_file *vf = file->driver_priv;
	struct vshader_memory mem;
	u32 i;

	vshader_fdinfo_client(m, vf);
	for (i = 0; i < VS_MAX_ISAS; i++) {
		const struct vs_isa *isa = vs_isa_by_id(i);

		if (!isa)
			continue;
		seq_printf(m, "drm-engine-%s:\t%llu ns\n", isa->name,
			   (u64)atomic64_read(&vf->busy_ns[i]));
		seq_printf(m, "drm-engine-capacity-%s:\t%u\n", isa->name,
			   vshader_exec_max_threads());
	}
	vshader_memory_of(file, &mem);
	seq_printf(m, "drm-total-memory:\t%llu KiB\n", mem.total >> 10);
	seq_printf(m, "drm-shared-memory:\t%llu KiB\n", mem.shared >> 10);
	seq_printf(m, "drm-resident-memory:\t%llu KiB\n", mem.resident >> 10);
	seq_printf(m, "drm-active-memory:\t%llu KiB\n", mem.active >> 10);
}
