/* SPDX-License-Identifier: GPL-2.0 */
/* Clients, buffers and jobs of the kernel's panfrost driver, for its tests. */
#ifndef DRIVERS_PANFROST_KO_H
#define DRIVERS_PANFROST_KO_H

#include <panfrost_drm.h>

#include "hw_sync.h"

#define TIMED_OUT	"gpu sched timeout"

struct bo {
	uint32_t handle;
	uint64_t va;
	uint32_t *p;
	uint32_t size;
};

/* A client with a page for jobs and one for data. */
struct client {
	int fd;
	struct bo jobs;
	struct bo data;
};

/* ---- ioctls ---- */

static inline int open_device(void)
{
	return open_render("panfrost");
}

static inline int bo_new(int fd, uint32_t size, uint32_t flags, struct bo *b)
{
	struct drm_panfrost_create_bo c = { .size = size, .flags = flags };
	struct drm_panfrost_mmap_bo m = {};
	int ret;

	memset(b, 0, sizeof(*b));
	ret = call(fd, DRM_IOCTL_PANFROST_CREATE_BO, &c);
	if (ret)
		return ret;
	b->handle = c.handle;
	b->va = c.offset;
	b->size = size;
	if (flags & PANFROST_BO_HEAP)
		return 0;
	m.handle = c.handle;
	ret = call(fd, DRM_IOCTL_PANFROST_MMAP_BO, &m);
	if (ret)
		return ret;
	b->p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, m.offset);
	return b->p == MAP_FAILED ? errno : 0;
}

static inline void bo_free(int fd, struct bo *b)
{
	struct drm_gem_close c = { .handle = b->handle };

	if (b->p)
		munmap(b->p, b->size);
	call(fd, DRM_IOCTL_GEM_CLOSE, &c);
}

static inline bool client_on(struct client *c, int fd)
{
	memset(c, 0, sizeof(*c));
	c->fd = fd;
	return c->fd >= 0 && !bo_new(c->fd, 65536, 0, &c->jobs) &&
	       !bo_new(c->fd, 8192, PANFROST_BO_NOEXEC, &c->data);
}

static inline bool client_open(struct client *c)
{
	return client_on(c, open_device());
}

static inline void client_close(struct client *c)
{
	munmap(c->jobs.p, c->jobs.size);
	munmap(c->data.p, c->data.size);
	close(c->fd);
}

static inline int submit_with(struct client *c, uint32_t requirements, uint32_t more)
{
	uint32_t handles[3] = { c->jobs.handle, c->data.handle, more };
	struct drm_panfrost_submit s = {
		.jc = c->jobs.va, .bo_handles = (uintptr_t)handles,
		.bo_handle_count = more ? 3 : 2, .requirements = requirements,
	};

	return call(c->fd, DRM_IOCTL_PANFROST_SUBMIT, &s);
}

static inline int await(struct client *c, int ms)
{
	struct drm_panfrost_wait_bo w = {
		.handle = c->jobs.handle, .timeout_ns = now_ns() + hw_patience(ms) * 1000000,
	};

	return call(c->fd, DRM_IOCTL_PANFROST_WAIT_BO, &w);
}

/* ---- jobs ---- */

static inline void put_job(struct client *c, uint32_t n, uint32_t type, uint64_t next)
{
	uint32_t *j = c->jobs.p + n * 16;

	memset(j, 0, 64);
	j[4] = 1 | type << 1;
	j[6] = (uint32_t)next;
	j[7] = next >> 32;
}

/* Jobs of Midgard write zeros only. */
extern bool midgard;

static inline uint32_t written(uint32_t value)
{
	return midgard ? 0 : value;
}

static inline void put_write(struct client *c, uint32_t n, uint64_t to, uint32_t value, bool last)
{
	uint32_t *j = c->jobs.p + n * 16;

	put_job(c, n, 2, last ? 0 : c->jobs.va + (n + 1) * 64);
	j[8] = (uint32_t)to;
	j[9] = to >> 32;
	j[10] = midgard ? 3 : 6;
	j[12] = value;
}

/* Write a value with a job of its own. Return: whether it is there. */
static inline bool job_works(struct client *c, uint32_t value)
{
	c->data.p[0] = ~0U;
	put_write(c, 0, c->data.va, value, true);
	return !submit_with(c, 0, 0) && !await(c, 3000) && c->data.p[0] == written(value);
}

/* A program that ends at once. */
static inline const uint32_t *program(void)
{
	static const uint32_t both[2][4] = {
		{ 0x00000049, 0x80cb1844, 0x00076593 }, { 0x00800018, 0x047b0018, 0x00001801 },
	};

	return both[midgard];
}

#define NOT_CODE	0x50	/* INSTR_INVALID_PC */

/* Execute the program at @code on one thread, in job 0. Return: how the job ended; 1: done. */
static inline uint32_t run_program(struct client *c, uint64_t code, uint32_t handle)
{
	const uint64_t state = c->jobs.va + 0x200;
	uint32_t *j = c->jobs.p;

	put_job(c, 0, 4, 0);
	memset(j + 8, 0, 0x240 - 32);
	j[16] = 3 | 1 << 24;
	j[30] = (uint32_t)state;
	j[31] = state >> 32;
	j[128] = (uint32_t)code | (midgard ? 8 : 0);
	j[129] = code >> 32;
	return submit_with(c, 0, handle) || await(c, 3000) ? 0 : j[0];
}

/* ---- more submits ---- */

/* Waits for @wait, if that is not 0; its end is @done, if that is not 0: syncobjs. */
static inline int submit_sync(struct client *c, uint32_t n, uint32_t requirements, uint32_t wait,
			      uint32_t done)
{
	uint32_t handles[2] = { c->jobs.handle, c->data.handle };
	struct drm_panfrost_submit s = {
		.jc = c->jobs.va + n * 64, .bo_handles = (uintptr_t)handles, .bo_handle_count = 2,
		.requirements = requirements, .in_syncs = (uintptr_t)&wait,
		.in_sync_count = wait ? 1 : 0, .out_sync = done,
	};

	return call(c->fd, DRM_IOCTL_PANFROST_SUBMIT, &s);
}

/* A chain without an end, as job @n. */
static inline void put_loop(struct client *c, uint32_t n)
{
	put_job(c, n, 1, c->jobs.va + n * 64);
}

static inline int await_bo(int fd, uint32_t handle, int ms)
{
	struct drm_panfrost_wait_bo w = {
		.handle = handle, .timeout_ns = ms < 0 ? 0 : now_ns() + hw_patience(ms) * 1000000,
	};

	return call(fd, DRM_IOCTL_PANFROST_WAIT_BO, &w);
}

static inline int advise(int fd, uint32_t handle, uint32_t advice, uint32_t *retained)
{
	struct drm_panfrost_madvise m = { .handle = handle, .madv = advice, .retained = 7 };
	int ret = call(fd, DRM_IOCTL_PANFROST_MADVISE, &m);

	*retained = m.retained;
	return ret;
}

/*
 * Linux 6.1 masks the interrupt of an address space after its first fault (second-fault) until
 * another one has a fault that is resolved. Have both happen: after @c's fault, before the next.
 */
static inline void unmask_faults(struct client *c)
{
	struct client other;
	struct bo heap;

	put_job(c, 12, 1, 0);
	submit_sync(c, 12, 0, 0, 0);
	await(c, 3000);
	if (!client_open(&other) ||
	    bo_new(other.fd, 2 << 20, PANFROST_BO_HEAP | PANFROST_BO_NOEXEC, &heap))
		return;
	put_write(&other, 0, heap.va, 0, true);
	submit_with(&other, 0, heap.handle);
	await(&other, 3000);
	client_close(&other);
}

/* ---- jobs that hang, for hw_devfreq() and hw_check_times() ---- */

static inline bool submit_loop(void *client, uint32_t slot)
{
	put_loop(client, 8);
	return !submit_sync(client, 8, slot, 0, 0);
}

static inline bool loop_ends(void *client)
{
	return !await(client, 5000) && job_works(client, 1);
}

static inline bool next_works(void *client)
{
	return job_works(client, 2);
}

static inline struct hw_hang hang_of(struct client *c)
{
	return (struct hw_hang){ c, submit_loop, loop_ends, next_works };
}

/* panfrost_*.c */
void test_fault_pair(void);
void test_ioctls(void);
void test_bind_params(void);
void test_space(void);
void test_programs(void);
void test_counter_errors(void);
void test_fences(void);
void test_shared(void);
void test_handles(void);
void test_open_purgeable(void);
void test_foreign(void);
void test_slots(void);
void test_resets(void);
void test_purge(void);
void test_heap_purge(void);
void test_refaults(void);
void test_reclaim(void);
void test_killed(void);
void test_pending(void);
void test_stuck(void);
void test_dump(void);
void test_no_memory(void);
void test_bind(void);
void test_usage(void);
void test_devfreq(void);
void test_governor(void);
void test_registers(void);
void test_reset_registers(void);
void test_counter_registers(void);
void test_times(void);
void test_lru(void);
void test_unbind_registers(void);
void test_thread_memory(void);
void test_partial(void);
void test_probe(void);
void test_locks(void);
void test_pages(void);
void test_write_back(void);

#endif /* DRIVERS_PANFROST_KO_H */
