/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Helpers of the vshader ioctl tests: device, objects, jobs, fences. All of them return 0
 * (unless documented otherwise) or a negative errno, so that a test can check for a
 * specific error.
 */
#ifndef VST_H
#define VST_H

#include <stdbool.h>
#include <stddef.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include <drm.h>
#include "vshader_drm.h"
#include "vshader_drm_mali.h"
#include "vshader_drm_pica.h"
#include "vshader_drm_qpu.h"
#include "vshader_drm_utgard.h"
#include "../include/pica_asm.h"

#ifndef ARRAY_SIZE
#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#endif

#define PTR(p)		((__u64)(uintptr_t)(p))
#define BAD_PTR		0x10ULL		/* never mapped */
#define VA(n)		(0x10000000ULL + (n) * 0x100000ULL)
#define PAGE		4096ULL
#define NEVER		(~0u)

/* ---- device ---- */

int vst_open(void);			/* a new DRM file or -errno */
int vst_open_path(const char *path);
/* Path of the n-th vshader render node. Returns 0 or -ENOENT. */
int vst_node(unsigned int n, char *path, size_t size);
int vst_ioctl(int fd, unsigned long request, void *arg);	/* restarts on EINTR */
int vst_ioctl_once(int fd, unsigned long request, void *arg);
int vst_limits(int fd, struct drm_vshader_limits *limits);
int vst_dev_info(int fd, struct drm_vshader_dev_info *info);
/* Slowdown to expect of this machine (1 or more). */
unsigned int vst_scale(void);
/* Return: the number in an environment variable, or @other. */
unsigned int vst_env(const char *name, unsigned int other);
/* Contents of a small file, zero terminated; bytes or -errno. */
/* Whether there is debugfs, and its rights. */
bool vst_has_debugfs(void);
int vst_read_file(const char *path, char *buf, size_t size);
int vst_write_file(const char *path, const char *text);
/* Name of a file's device in sysfs. Return: 0 or -errno. */
int vst_device_name(int fd, char *name, size_t size);
/* Path of a file of this device. Return: 0 or -errno. */
int vst_device_file(int fd, const char *name, char *path, size_t size);
/* The value of a variable in the uevent of a file's device. Return: 0 or -errno; -ENOENT: none. */
int vst_device_uevent(int fd, const char *name, char *value, size_t size);
/*
 * Keys of a file's fdinfo that begin with "drm-", in their order, each after a blank. Return: bytes
 * or -errno.
 */
int vst_fdinfo_keys(int fd, char *keys, size_t size);
/* The number of a key, or -errno. -ENOENT: there is none. */
long long vst_fdinfo_value(int fd, const char *key);
/* The client's number, or 0. */
__u64 vst_client_id(int fd);

/* ---- buffers and address spaces ---- */

int vst_vm_create(int fd, __u32 flags, __u32 *id);
int vst_vm_destroy(int fd, __u32 id);
int vst_bind_ops(int fd, __u32 vm, struct drm_vshader_vm_bind_op *ops, unsigned int n,
		 __u32 *failed);
int vst_map(int fd, __u32 vm, __u32 bo, __u64 offset, __u64 va, __u64 size, __u32 flags);
int vst_unmap(int fd, __u32 vm, __u64 va, __u64 size);
int vst_bo_create(int fd, __u64 size, __u32 flags, __u32 vm, __u32 *handle);
int vst_bo_close(int fd, __u32 handle);
int vst_bo_mmap(int fd, __u32 handle, __u64 size, void **map);
/* A buffer of a device with the interface of @driver: "panfrost", "lima" or "vc4". */
int vst_foreign_bo(int fd, const char *driver, __u32 size, __u32 *handle);

/* A buffer with both mappings. */
struct vst_buf {
	__u32 handle;
	__u64 size;
	__u64 va;
	union {
		void *map;
		__u8 *u8;
		__u16 *u16;
		__u32 *u32;
		float *f32;
	};
};

/* @exclusive: tie it to the VM. */
int vst_buf_new(struct vst_buf *b, int fd, __u32 vm, __u64 va, __u64 size, bool exclusive);
void vst_buf_free(struct vst_buf *b, int fd);

/* ---- programs ---- */

struct vst_code {
	__u32 stage;
	const __u32 *code;
	__u32 ncode;
	const __u32 *desc;
	__u32 ndesc;
};

extern const struct vst_code vst_mov;		/* o0 = v0 */
extern const struct vst_code vst_mul;		/* o0 = c0 * v0 */
extern const struct vst_code vst_mad;		/* o0 = v0 * c0 + r0, r0 = c1 */
extern const struct vst_code vst_two;		/* o0 = v0 + v0, o1 = v0.wzyx */
extern const struct vst_code vst_loop;		/* o0 = c1 + (i0.x + 1) * c0 */
extern const struct vst_code vst_spin;		/* for ever while b0 is false */
extern const struct vst_code vst_long_loop;	/* 65536 rounds, then o0 = v0 */
extern const struct vst_code vst_hang;		/* BREAK with no loop active */
extern const struct vst_code vst_relative;	/* o0 = c[v0.x] */
extern const struct vst_code vst_diverge;	/* o0 = v0.x < c0.x ? c1 : c2 */
extern const struct vst_code vst_triangle;	/* geometry: v0, v0 + c0, v0 + c1 */

int vst_program(int fd, const struct vst_code *c, __u32 *id);
int vst_program_destroy(int fd, __u32 id);
/* Arguments for @c in @arg and @sec[2]; entry point 0. */
void vst_program_args(const struct vst_code *c, struct drm_vshader_program_create *arg,
		      struct drm_vshader_program_section *sec);

/* ---- queues and jobs ---- */

int vst_queue(int fd, __u32 vm, __u64 budget, __u32 ms, __u32 *id);
int vst_queue_destroy(int fd, __u32 id);
int vst_queue_state(int fd, __u32 id, struct drm_vshader_queue_get_state *st);

/* A shader job with all its parts; job.desc etc. point into it. */
struct vst_job {
	struct drm_vshader_job job;
	struct drm_vshader_shader_job shader;
	struct drm_vshader_pica_job pica;
	struct drm_vshader_stream attr[16];
	struct drm_vshader_stream out[16];
	struct drm_vshader_sync sync[8];
	float unif[96][4];
};

void vst_job_init(struct vst_job *j, __u32 queue, __u32 program, __u32 count);
struct drm_vshader_stream *vst_job_attr(struct vst_job *j, __u32 reg, __u64 va, __u32 format,
					__u32 components, __u32 stride);
struct drm_vshader_stream *vst_job_out(struct vst_job *j, __u32 reg, __u64 va);
void vst_job_unif(struct vst_job *j, unsigned int row, float x, float y, float z, float w);
void vst_job_sync(struct vst_job *j, __u32 flags, __u32 handle, __u64 point);

int vst_submit_jobs(int fd, struct drm_vshader_job *jobs, unsigned int n, __u32 *failed);
int vst_submit(int fd, struct vst_job *j);
/*
 * Submit and wait. Return: status of the fence, 0 or a negative errno; an error of the
 * submit itself as errno - 1000.
 */
int vst_run(int fd, struct vst_job *j);
#define VST_SUBMIT_ERROR(e)	((e) - 1000)

/* ---- fences ---- */

int vst_syncobj(int fd, __u32 *handle);
int vst_syncobj_destroy(int fd, __u32 handle);
/* Wait at most @ms; 0, -ETIME, ... */
int vst_wait(int fd, __u32 handle, unsigned int ms);
int vst_wait_point(int fd, __u32 handle, __u64 point, unsigned int ms, __u32 flags);
int vst_timeline_signal(int fd, __u32 handle, __u64 point);
int vst_timeline_query(int fd, __u32 handle, __u64 *point);
int vst_syncobj_signal(int fd, __u32 handle);
int vst_syncobj_reset(int fd, __u32 handle);
/* Error of the syncobj's (signalled) fence: 0, a negative errno; 1 = not signalled. */
int vst_fence_status(int fd, __u32 handle);
int vst_sync_file_status(int file);
int vst_export_sync_file(int fd, __u32 handle);
int vst_import_sync_file(int fd, __u32 handle, int sync_file);

/*
 * A fence that the test signals when it likes: vgem's, which ends by itself after
 * 10 s. Returns -ENODEV without vgem.
 */
struct vst_gate {
	int fd;
	__u32 bo;
	__u32 fence;
	int dmabuf;
};

int vst_gate_new(struct vst_gate *g, size_t size);
/* Attach an unsignalled fence as a reader or writer of the gate's buffer. */
int vst_gate_close(struct vst_gate *g, bool write);
int vst_gate_open(struct vst_gate *g);
/* Syncobj of @fd that waits for the gate (closes it first). */
int vst_gate_syncobj(struct vst_gate *g, int fd, __u32 *handle);
void vst_gate_free(struct vst_gate *g);

int vst_prime_export(int fd, __u32 handle, int *dmabuf);
int vst_prime_import(int fd, int dmabuf, __u32 *handle);

/* ---- combined fixture ---- */

/*
 * One file with VM, queue, a program and two buffers: in (v0 of 64 vertices, 4 floats
 * each: 4 * n + component) and out.
 */
struct vst {
	int fd;
	__u32 vm;
	__u32 queue;
	__u32 program;
	struct vst_buf in;
	struct vst_buf out;
	struct vst_buf result;
};

#define VST_COUNT	64

/* Return: 0, -ENODEV without a device, or another negative errno. */
int vst_setup(struct vst *t, const struct vst_code *c);
void vst_teardown(struct vst *t);
/* Job over VST_COUNT vertices: v0 from in, o0 to out, with a result record. */
void vst_default_job(struct vst *t, struct vst_job *j);
/* Does the device still work? Runs vst_mov in a separate file. Return: 0 or -errno. */
int vst_alive(void);

#endif
