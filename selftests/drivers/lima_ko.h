/* SPDX-License-Identifier: GPL-2.0 */
/* Clients, buffers and frames of the kernel's lima driver, for its tests. */
#ifndef DRIVERS_LIMA_KO_H
#define DRIVERS_LIMA_KO_H

#include <lima_drm.h>

#include "../include/utgard_draw.h"
#include "hw_sync.h"

#define BO_BYTES	65536
#define NOWHERE		0xe0000000

struct bo {
	uint32_t handle;
	uint32_t va;
	uint8_t *p;
};

/* A client with a draw. */
struct client {
	int fd;
	uint32_t ctx;
	uint32_t first;
	struct bo bo;
	struct drm_lima_gp_frame gp;
};

/* Of the GPU. */
extern uint32_t num_pp;
extern bool is_450;

/* Probes have failed for want of memory: Linux leaks then. */
extern bool probes_failed;

/* ---- ioctls ---- */

static inline int open_device(void)
{
	return open_render("lima");
}

static inline int bo_new(int fd, uint32_t size, uint32_t flags, struct bo *b)
{
	struct drm_lima_gem_create c = { .size = size, .flags = flags };
	struct drm_lima_gem_info info = {};
	int ret;

	memset(b, 0, sizeof(*b));
	ret = call(fd, DRM_IOCTL_LIMA_GEM_CREATE, &c);
	if (ret)
		return ret;
	b->handle = c.handle;
	info.handle = c.handle;
	ret = call(fd, DRM_IOCTL_LIMA_GEM_INFO, &info);
	b->va = info.va;
	if (ret || flags)
		return ret;
	b->p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, info.offset);
	return b->p == MAP_FAILED ? errno : 0;
}

static inline void bo_free(int fd, struct bo *b)
{
	struct drm_gem_close c = { .handle = b->handle };

	if (b->p)
		munmap(b->p, BO_BYTES);
	call(fd, DRM_IOCTL_GEM_CLOSE, &c);
}

/* MiB that a table maps, of those that the driver allocates at a time. */
#define TABLE_MIB	32

/* Have the next buffer at @va, a new client's: a heap is before it. */
static inline bool table_filled(struct client *c, uint32_t va)
{
	const uint32_t used = c->bo.va + BO_BYTES;
	struct bo heap;

	return !bo_new(c->fd, va - used, LIMA_BO_FLAG_HEAP, &heap) && heap.va == used;
}

/* A context in which a task has failed executes no other. */
static inline bool new_context(struct client *c)
{
	struct drm_lima_ctx_create ctx = {};

	if (call(c->fd, DRM_IOCTL_LIMA_CTX_CREATE, &ctx))
		return false;
	c->ctx = ctx.id;
	return true;
}

static inline bool client_on(struct client *c, int fd)
{
	/* has address 0, where the engine takes a program for none */
	struct drm_lima_gem_create first = { .size = 4096 };

	memset(c, 0, sizeof(*c));
	c->fd = fd;
	if (c->fd < 0 || !new_context(c) ||
	    call(c->fd, DRM_IOCTL_LIMA_GEM_CREATE, &first) ||
	    bo_new(c->fd, BO_BYTES, 0, &c->bo))
		return false;
	c->first = first.handle;
	draw_make(c->bo.p, c->bo.va, c->gp.frame);
	return true;
}

static inline bool client_open(struct client *c)
{
	return client_on(c, open_device());
}

static inline void client_close(struct client *c)
{
	munmap(c->bo.p, BO_BYTES);
	close(c->fd);
}

static inline int submit(struct client *c, uint32_t pipe, const void *frame, uint32_t size,
			 uint32_t more)
{
	struct drm_lima_gem_submit_bo bos[2] = {
		{ c->bo.handle, LIMA_SUBMIT_BO_WRITE }, { more, LIMA_SUBMIT_BO_WRITE },
	};
	struct drm_lima_gem_submit s = {
		.ctx = c->ctx, .pipe = pipe, .nr_bos = more ? 2 : 1, .bos = (uintptr_t)bos,
		.frame = (uintptr_t)frame, .frame_size = size,
	};

	return call(c->fd, DRM_IOCTL_LIMA_GEM_SUBMIT, &s);
}

static inline int submit_gp(struct client *c, uint32_t more)
{
	return submit(c, LIMA_PIPE_GP, &c->gp, sizeof(c->gp), more);
}

/* A frame without tiles, for the first @n processors. */
static inline void make_pp(uint32_t va, uint32_t n, bool dlbu, struct drm_lima_m400_pp_frame *f4,
			   struct drm_lima_m450_pp_frame *f8)
{
	uint32_t i;

	memset(f4, 0, sizeof(*f4));
	memset(f8, 0, sizeof(*f8));
	f4->num_pp = n;
	f8->num_pp = n;
	f8->use_dlbu = dlbu;
	draw_pp(va, f4->frame, f4->wb);
	draw_pp(va, f8->frame, f8->wb);
	for (i = 0; i < 4; i++)
		f4->plbu_array_address[i] = va + DRAW_TILES;
	for (i = 0; i < 8 && !dlbu; i++)
		f8->plbu_array_address[i] = va + DRAW_TILES;
}

static inline int submit_pp(struct client *c, uint32_t n, uint32_t va, bool dlbu)
{
	struct drm_lima_m400_pp_frame f4;
	struct drm_lima_m450_pp_frame f8;

	make_pp(va, n, dlbu, &f4, &f8);
	return is_450 ? submit(c, LIMA_PIPE_PP, &f8, sizeof(f8), 0) :
			submit(c, LIMA_PIPE_PP, &f4, sizeof(f4), 0);
}

/* The vertex processor's output is written to @va. */
static inline void draw_to(struct client *c, uint32_t va)
{
	draw_make(c->bo.p, c->bo.va, c->gp.frame);
	((uint32_t *)(c->bo.p + DRAW_VAR))[0] = va;
}

/* Wait for the end of a task, not of its last reference. */
static inline int await_end(struct client *c, int ms)
{
	struct drm_lima_gem_wait w = {
		.handle = c->bo.handle, .op = LIMA_GEM_WAIT_READ | LIMA_GEM_WAIT_WRITE,
		.timeout_ns = now_ns() + hw_patience(ms) * 1000000,
	};

	return call(c->fd, DRM_IOCTL_LIMA_GEM_WAIT, &w);
}

static inline int await(struct client *c, int ms)
{
	int ret = await_end(c, ms);

	if (!ret)
		hw_settle();
	return ret;
}

/* ---- results ---- */

/*
 * lima of Linux 6.12 has an oops when it records a task that failed (error-list in found.rst). The
 * kernel's log tells how many failed then. A module of the test's own is taken as corrected.
 */
static inline bool errors_are_logged(void)
{
	return hw_since(612) && access("/stage/module/driver.ko", F_OK);
}

/* All errors that were logged, at the last call. One for all files of a program. */
__attribute__((weak)) uint32_t errors_before;

/* Each error has a line of each processor. */
static inline uint32_t errors_logged(void)
{
	uint32_t now = hw_said(" gp task error") + hw_said(" pp0 task error");
	uint32_t n = now - errors_before;

	errors_before = now;
	return n;
}

/* Tasks that failed since the last call. */
static inline uint32_t errors(void)
{
	uint32_t head[8] = {};
	int fd;

	if (errors_are_logged())
		return errors_logged();
	fd = open(hw_device_file("error"), O_RDWR);
	if (fd < 0 || read(fd, head, sizeof(head)) != sizeof(head))
		head[2] = ~0U;
	if (fd < 0 || write(fd, "0", 1) != 1)
		head[2] = ~0U;
	close(fd);
	return head[2];
}

static inline void record_errors(void)
{
	int fd;

	if (errors_are_logged())
		return;
	fd = open("/sys/module/lima/parameters/max_error_tasks", O_WRONLY);
	if (fd < 0 || write(fd, "64", 2) != 2)
		printf("# errors are not recorded\n");
	close(fd);
}

/* A draw of its own. Return: whether all vertices are there. */
static inline bool draw_works(struct client *c)
{
	draw_make(c->bo.p, c->bo.va, c->gp.frame);
	return !submit_gp(c, 0) && !await(c, 3000) && draw_written(c->bo.p) == DRAW_VERTICES &&
	       !errors();
}

/* A frame of all pixel processors. Return: whether it ends without an error. */
static inline bool pixels_work(struct client *c)
{
	draw_make(c->bo.p, c->bo.va, c->gp.frame);
	return !submit_pp(c, num_pp, c->bo.va, false) && !await(c, 3000) && !errors();
}

/* Whether a single task failed, and the next ones do not. */
static inline bool recovers(struct client *c)
{
	uint32_t n = errors();

	if (n != 1)
		printf("# %u tasks failed\n", n);
	return n == 1 && new_context(c) && draw_works(c) && pixels_work(c);
}

/* Whether what was submitted fails, long before its timeout, and the next ones do not. */
static inline bool fails_soon(struct client *c, int submitted)
{
	int64_t begin = now_ns();

	if (submitted || await(c, 3000))
		return false;
	if (ms_since(begin) >= TIMEOUT_MS - 150) {
		printf("# failed after %lld ms\n", (long long)ms_since(begin));
		return false;
	}
	return recovers(c);
}

/* ---- more submits ---- */

/* A submit: its syncs to wait for and to signal, and its use of the client's buffer. */
struct how {
	uint32_t pipe;
	uint32_t flags;
	uint32_t access;
	uint32_t wait[2];
	uint32_t done;
};

static inline int submit_how(struct client *c, struct how h)
{
	struct drm_lima_gem_submit_bo bo = { c->bo.handle, h.access };
	struct drm_lima_m450_pp_frame f8;
	struct drm_lima_m400_pp_frame f4;
	struct drm_lima_gem_submit s = {
		.ctx = c->ctx, .pipe = h.pipe, .nr_bos = 1, .bos = (uintptr_t)&bo,
		.frame = (uintptr_t)&c->gp, .frame_size = sizeof(c->gp), .flags = h.flags,
		.out_sync = h.done, .in_sync = { h.wait[0], h.wait[1] },
	};

	if (h.pipe == LIMA_PIPE_PP) {
		make_pp(c->bo.va, num_pp, false, &f4, &f8);
		s.frame = is_450 ? (uintptr_t)&f8 : (uintptr_t)&f4;
		s.frame_size = is_450 ? sizeof(f8) : sizeof(f4);
	}
	return call(c->fd, DRM_IOCTL_LIMA_GEM_SUBMIT, &s);
}

static inline int await_bo(int fd, uint32_t handle, uint32_t op, int ms)
{
	struct drm_lima_gem_wait w = {
		.handle = handle, .op = op,
		.timeout_ns = ms < 0 ? 0 : now_ns() + hw_patience(ms) * 1000000,
	};

	return call(fd, DRM_IOCTL_LIMA_GEM_WAIT, &w);
}

static inline uint32_t errors_max(void)
{
	char line[32];

	return atoi(read_line("/sys/module/lima/parameters/max_error_tasks", line, sizeof(line)));
}

/* ---- tasks that hang, for hw_devfreq() and hw_check_times() ---- */

static inline bool submit_hang(void *client, uint32_t pipe)
{
	return hw_inject("hang 1") && !submit_how(client, (struct how){
		.pipe = pipe, .access = LIMA_SUBMIT_BO_WRITE });
}

static inline bool hang_ends(void *client)
{
	return !await(client, 5000) && recovers(client);
}

static inline bool next_works(void *client)
{
	return draw_works(client);
}

static inline struct hw_hang hang_of(struct client *c)
{
	return (struct hw_hang){ c, submit_hang, hang_ends, next_works };
}

/* lima_*.c */
void test_ioctls(void);
void test_space(void);
void test_waits(void);
void test_fences(void);
void test_implicit(void);
void test_shared(void);
void test_handles(void);
void test_registers(void);
void test_growth(void);
void test_rooms(void);
void test_guilty(void);
void test_killed(void);
void test_pending(void);
void test_resume(void);
void test_devfreq(void);
void test_governor(void);
void test_dump(void);
void test_no_memory(void);
void test_submit_memory(void);
void test_submit_fails(void);
void test_bind(void);
void test_traces(void);
void test_times(void);
void test_error_traces(void);
void test_thread_memory(void);
void test_spurious(void);
void test_probe(void);
void test_locks(void);
void test_pages(void);

#endif /* DRIVERS_LIMA_KO_H */
