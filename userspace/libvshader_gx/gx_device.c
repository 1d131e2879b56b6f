// SPDX-License-Identifier: MIT
/*
 * The device, its memory, and jobs that run to their end.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gx_priv.h"

#define LINEAR_SIZE	(64u << 20)
#define OWN_PADDR	0x10000000u
#define OWN_SIZE	(4u << 20)

/* Where the console has them. GX_OWN is no memory of the program. */
struct gx_area gx_areas[GX_NUM_AREAS] = {
	[GX_LINEAR] = { "linear", OS_FCRAM_VADDR, OS_FCRAM_PADDR, LINEAR_SIZE },
	[GX_VRAM] = { "vram", OS_VRAM_VADDR, OS_VRAM_PADDR, OS_VRAM_SIZE },
	[GX_OWN] = { "own", 0, OWN_PADDR, OWN_SIZE },
};

u32 __ctru_linear_heap = OS_FCRAM_VADDR;
u32 __ctru_linear_heap_size = LINEAR_SIZE;

static struct vshader_device *device;
static uint32_t vm, queue, done;
static uint32_t own_used;

/* ---- messages ---- */

static void say(const char *fmt, va_list ap)
{
	fflush(stdout);
	fputs("vshader_gx: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
}

void gx_say(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(fmt, ap);
	va_end(ap);
}

void gx_die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(fmt, ap);
	va_end(ap);
	_exit(EXIT_FAILURE);
}

const char *gx_option(const char *name)
{
	char full[64];
	const char *text;

	snprintf(full, sizeof(full), "VSHADER_GX_%s", name);
	text = getenv(full);
	return text && *text ? text : NULL;
}

const char *gx_folder(void)
{
	static bool made;
	const char *path = gx_option("OUT");

	if (path && !made && mkdir(path, 0777) && errno != EEXIST)
		gx_die("%s: %s", path, strerror(errno));
	made = true;
	return path;
}

/* ---- memory ---- */

/*
 * A second mapping at a fixed address: the first one belongs to the library below. Buffers of a
 * device are mapped by their descriptor, too.
 */
static void place(struct gx_area *a)
{
	void *p = MAP_FAILED;
	int fd = -1;

	if (vshader_bo_export(a->bo, &fd))
		gx_die("%s memory: %s", a->name, vshader_error());
	p = mmap((void *)(uintptr_t)a->vaddr, a->size, PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_FIXED_NOREPLACE, fd, 0);
	if (p != (void *)(uintptr_t)a->vaddr)
		gx_die("%s memory at %#x: %s", a->name, a->vaddr,
		       p == MAP_FAILED ? strerror(errno) : "addresses are in use");
	close(fd);
	a->ptr = p;
}

static void add_area(struct gx_area *a)
{
	uint64_t va = a->paddr;
	void *p;

	if (vshader_bo_create(device, a->size, 0, 0, &a->bo) ||
	    vshader_vm_map(device, vm, a->bo, 0, &va))
		gx_die("%s memory: %s", a->name, vshader_error());
	if (a->vaddr) {
		place(a);
	} else {
		if (vshader_bo_map(a->bo, &p))
			gx_die("%s memory: %s", a->name, vshader_error());
		a->ptr = p;
	}
}

void gx_start(void)
{
	const char *spec = getenv("VSHADER_DEVICE");
	struct vshader_queue_params params = { .engine = DRM_VSHADER_ENGINE_PICA };
	struct drm_vshader_limits limits;
	unsigned int i;

	if (device)
		return;
	if (vshader_open(spec && *spec ? spec : "auto", &device) ||
	    vshader_get_limits(device, &limits) || vshader_vm_create(device, 0, 0, &vm))
		gx_die("%s", vshader_error());
	params.vm = vm;
	params.time_limit_ms = limits.max_time_ms;
	if (vshader_queue_create(device, &params, &queue) ||
	    vshader_sync_create(device, false, &done))
		gx_die("%s", vshader_error());
	for (i = 0; i < GX_NUM_AREAS; i++)
		add_area(&gx_areas[i]);
}

uint32_t *gx_own(uint32_t words, uint32_t *paddr)
{
	struct gx_area *a = &gx_areas[GX_OWN];
	uint32_t at = own_used;

	if (words > (a->size - at) / 4)
		return NULL;
	own_used = (at + 4 * words + 15) & ~15u;
	if (a->used < own_used)
		a->used = own_used;
	*paddr = a->paddr + at;
	return (uint32_t *)(a->ptr + at);
}

void gx_own_reset(void)
{
	struct gx_area *a = &gx_areas[GX_OWN];

	memset(a->ptr, 0, a->used);
	a->used = 0;
	own_used = 0;
}

/* ---- jobs ---- */

static void report(const struct gx_job *job, const struct drm_vshader_fault *fault, bool rejected)
{
	char text[1024];

	gx_say("frame %u: %s: %s", gx_frame(), job->name,
	       vshader_fault_text(fault, text, sizeof(text)));
	gx_job_failed(job, fault, rejected);
	gx_screens_write();
	_exit(EXIT_FAILURE);
}

void gx_run(const struct gx_job *job)
{
	struct drm_vshader_native_job native = {
		.format = job->format,
		.flags = job->format == DRM_VSHADER_NATIVE_PICA_CMDLIST ?
			 DRM_VSHADER_NATIVE_RESET_STATE : 0,
		.va = job->paddr,
		.size = job->size,
		.switches = job->switches,
	};
	struct drm_vshader_sync sync = { .flags = DRM_VSHADER_SYNC_SIGNAL, .handle = done };
	const struct drm_vshader_job j = {
		.queue_id = queue,
		.type = DRM_VSHADER_JOB_NATIVE,
		.syncs = DRM_VSHADER_OBJ_ARRAY(1, &sync),
		.desc = (uintptr_t)&native,
		.desc_size = sizeof(native),
	};
	struct drm_vshader_queue_get_state state;
	struct drm_vshader_fault fault = { };
	int ret;

	gx_job_begin();
	ret = vshader_submit(device, &j, 1, NULL, &fault);
	if (ret == -ENOEXEC)
		report(job, &fault, true);
	if (!ret)
		ret = vshader_sync_wait(device, done, 0, VSHADER_WAIT_FOREVER);
	if (!ret)
		ret = vshader_sync_reset(device, done);
	if (ret || vshader_queue_get_state(device, queue, &state))
		gx_die("frame %u: %s: %s", gx_frame(), job->name, vshader_error());
	if (state.state)
		report(job, &state.fault, false);
	gx_job_end(job);
}
