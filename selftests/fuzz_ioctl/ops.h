/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All operations, and how often a sequence gets one of them.
 */
#ifndef FZ_OPS_H
#define FZ_OPS_H

#include "fz.h"

#define FZ_ALL_OPS(X)							\
	/* files and what the DRM core has: op_core.c */		\
	X(open, 4) X(close, 4) X(dup, 1) X(version, 1) X(any_ioctl, 6)	\
	X(gem_close, 4) X(prime_export, 4) X(prime_import, 4)		\
	X(flink, 6) X(gem_open, 8)					\
	/* syncobjs: op_sync.c */					\
	X(syncobj_create, 6) X(syncobj_destroy, 2) X(syncobj_reset, 2)	\
	X(syncobj_signal, 2) X(wait, 8) X(timeline_wait, 4)		\
	X(timeline_signal, 2) X(timeline_query, 2) X(transfer, 2)	\
	X(syncobj_to_fd, 4) X(syncobj_from_fd, 4)			\
	X(sw_timeline, 2) X(sw_fence, 3) X(sw_inc, 2)			\
	X(fence_merge, 2) X(fence_info, 2)				\
	/* objects: op_obj.c */						\
	X(dev_query, 2) X(vm_create, 3) X(vm_destroy, 2) X(vm_bind, 8)	\
	X(vm_crowd, 4)							\
	X(bo_create, 5) X(bo_map, 4) X(bo_label, 2)			\
	X(program_query, 2) X(program_destroy, 2)			\
	X(queue_create, 6) X(queue_destroy, 3) X(queue_state, 4)	\
	/* recorded jobs: op_scene.c */					\
	X(scene, 8) X(program, 10) X(submit, 40) X(memory, 16)		\
	/* jobs until their time limit: op_obj.c */			\
	X(spin, 2)							\
	/* as the panfrost driver: op_panfrost.c */			\
	X(pan_open, 3) X(pan_confuse, 1) X(pan_param, 1) X(pan_create_bo, 8)	\
	X(pan_close_bo, 3) X(pan_offset, 1) X(pan_wait_bo, 4) X(pan_madvise, 2)	\
	X(pan_submit, 14) X(pan_syncobj, 3)				\
	/* as the lima driver: op_lima.c */				\
	X(lima_open, 3) X(lima_confuse, 1) X(lima_param, 1) X(lima_create_bo, 8)	\
	X(lima_close_bo, 3) X(lima_info, 1) X(lima_wait, 4) X(lima_ctx_create, 4)	\
	X(lima_ctx_free, 2) X(lima_submit, 16) X(lima_syncobj, 3)	\
	/* as the vc4 driver: op_vc4.c */				\
	X(vc4_open, 3) X(vc4_confuse, 1) X(vc4_param, 1) X(vc4_create_bo, 8)	\
	X(vc4_shader, 8) X(vc4_close_bo, 3) X(vc4_map, 2) X(vc4_wait, 4)	\
	X(vc4_tiling, 1) X(vc4_label, 1) X(vc4_madvise, 2) X(vc4_perfmon, 3)	\
	X(vc4_submit, 16) X(vc4_syncobj, 3) X(vc4_hang, 2)			\
	/* debugging: op_debug.c */					\
	X(debug_queue, 6) X(debug_attach, 5) X(set_point, 5)		\
	X(clear_point, 1) X(get_point, 2) X(interrupt, 3) X(resume, 10)	\
	X(get_stop, 3) X(invocations, 4) X(registers, 6)		\
	X(debug_memory, 5) X(trace, 5) X(debug_read, 3)			\
	/* memory, processes, other drivers, files about the device: op_os.c */	\
	X(unmap, 3) X(touch, 4) X(fork, 4) X(kill, 2) X(send, 3) X(receive, 3)	\
	X(alarm, 3) X(pause, 3) X(poll, 3) X(foreign, 3) X(dmabuf, 5)	\
	X(fdinfo, 2) X(debugfs, 1) X(rebind, 1)				\
	/* an administrator: op_admin.c */				\
	X(inject, 2) X(record, 2) X(record_read, 2) X(throttle, 3)

#define FZ_DECLARE(name, weight)	FZ_OP(name);
FZ_ALL_OPS(FZ_DECLARE)

/* Memory that the kernel can read only. */
extern const u8 fz_poke_readonly[4096];

#endif
