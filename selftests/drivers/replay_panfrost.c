// SPDX-License-Identifier: GPL-2.0
/*
 * Captured job chains through the kernel's panfrost driver, and in process by the same engine:
 * their buffers must be equal afterwards. A capture is a folder of submitNN.txt and
 * submitNN.mem.gz, see Documentation/native-mali.rst. Its buffers are in one, at the same
 * addresses; the tiler's memory below and above grows as it is accessed.
 *
 * usage: replay_panfrost GPU FOLDER...      GPU: t760, t860, g71, ...
 */
#include <panfrost_drm.h>

#include "../../kernel/isa/mali/mali_run.h"
#include "../../kernel/native/native.h"
#include "../include/tap.h"
#include "hw.h"

/* Ranges of addresses: what the driver gives first, the tiler's heap, buffers, another heap. */
#define START	0x02000000U
#define HEAP	0x10000000U
#define BASE	0x18000000U
#define SIZE	0x00200000U
#define END	0x20000000U

#define HEAP_FLAGS	(PANFROST_BO_HEAP | PANFROST_BO_NOEXEC)
#define PAGE	4096
#define MEMORY	0x2000000

static int fd;
static u32 handle;
static u8 *device, *local;

static const char * const gpus[MALI_NUM_GPUS] = {
	[MALI_G71] = "g71", [MALI_G72] = "g72", [MALI_G31] = "g31", [MALI_G52] = "g52",
	[MALI_T760] = "t760", [MALI_T860] = "t860",
};

/* ---- memory ---- */

static bool create(u32 size, u32 flags, u64 va, u32 *out)
{
	struct drm_panfrost_create_bo c = { .size = size, .flags = flags };

	if (ioctl(fd, DRM_IOCTL_PANFROST_CREATE_BO, &c) || c.offset != va)
		return false;
	*out = c.handle;
	return true;
}

static bool open_memory(void)
{
	struct drm_panfrost_mmap_bo m = {};
	u32 heap;

	fd = open("/dev/dri/renderD128", O_RDWR);
	if (fd < 0 || !create(HEAP - START, HEAP_FLAGS, START, &heap) ||
	    !create(BASE - HEAP, HEAP_FLAGS, HEAP, &heap) || !create(SIZE, 0, BASE, &handle) ||
	    !create(END - BASE - SIZE, HEAP_FLAGS, BASE + SIZE, &heap))
		return false;
	m.handle = handle;
	if (ioctl(fd, DRM_IOCTL_PANFROST_MMAP_BO, &m))
		return false;
	device = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, m.offset);
	local = mmap(NULL, END - HEAP, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return device != MAP_FAILED && local != MAP_FAILED;
}

static void close_memory(void)
{
	munmap(device, SIZE);
	munmap(local, END - HEAP);
	close(fd);
}

static bool load_memory(const char *base)
{
	char command[300];
	bool ok = true;
	u64 head[2];
	FILE *f;

	snprintf(command, sizeof(command), "gzip -dc '%s.mem.gz'", base);
	f = popen(command, "r");
	if (!f)
		return false;
	while (ok && fread(head, sizeof(head), 1, f) == 1) {
		ok = head[0] >= BASE && head[1] <= SIZE && head[0] - BASE <= SIZE - head[1] &&
		     fread(local + (head[0] - HEAP), 1, head[1], f) == head[1];
		if (ok)
			memcpy(device + (head[0] - BASE), local + (head[0] - HEAP), head[1]);
		else
			tap_comment("0x%lx bytes at 0x%lx", head[1], head[0]);
	}
	return !pclose(f) && ok;
}

/* Number of pages that differ. */
static u32 differences(void)
{
	u32 at, n = 0;

	for (at = 0; at < SIZE; at += PAGE) {
		if (!memcmp(device + at, local + BASE - HEAP + at, PAGE))
			continue;
		if (!n++)
			tap_comment("first difference in the page at 0x%x", BASE + at);
	}
	return n;
}

/* ---- jobs ---- */

static bool run_device(u64 jc, u32 requirements)
{
	struct drm_panfrost_submit s = {
		.jc = jc, .bo_handles = (uintptr_t)&handle, .bo_handle_count = 1,
		.requirements = requirements,
	};
	struct drm_panfrost_wait_bo w = { .handle = handle };

	w.timeout_ns = now_ns() + 20000000000LL;
	return !ioctl(fd, DRM_IOCTL_PANFROST_SUBMIT, &s) &&
	       !ioctl(fd, DRM_IOCTL_PANFROST_WAIT_BO, &w);
}

static bool execute(struct vs_native *n, const struct vs_job_limits *lim)
{
	struct vs_job *job = vs_job_new(vs_native_map(n), lim, vs_native_phases(n));
	struct vs_worker *w;
	bool ok;

	if (!job || vs_native_add_phases(n, job))
		return false;
	w = vs_worker_new(vs_job_arena(job));
	while (vs_job_step(job, w) != VS_RUN_DONE)
		;
	ok = !vs_job_get_fault(job)->kind;
	vs_job_free(job);
	vs_worker_free(w);
	return ok;
}

static bool run_local(u32 gpu, u64 jc)
{
	const struct vs_extent e = { HEAP, END, local, VS_EXT_WRITE | VS_EXT_EXEC };
	const struct vs_map map = { .n = 1, .ext = &e };
	const struct vs_job_limits lim = {
		.budget = 1ULL << 40, .simd = vs_simd_best(), .slice = 3000,
	};
	const struct vs_native_in in = {
		.format = mali_gpu_is_midgard(gpu) ? VS_NATIVE_MIDGARD_CHAIN :
			  VS_NATIVE_BIFROST_CHAIN,
		.va = jc, .model = gpu, .map = &map, .memory = MEMORY, .max_memory = MEMORY,
		.max_draws = 65536,
	};
	struct vs_native_state *state = vs_native_state_new(in.format);
	struct vs_native *n = NULL;
	struct vs_fault fault;
	bool ok;

	ok = state && !vs_native_parse(&in, state, &n, &fault) && execute(n, &lim);
	vs_native_free(n);
	vs_native_state_free(state);
	return ok;
}

/* ---- captures ---- */

static bool load_text(const char *base, u64 *jc, u32 *requirements)
{
	char path[300], line[200];
	u32 found = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s.txt", base);
	f = fopen(path, "r");
	if (!f)
		return false;
	while (fgets(line, sizeof(line), f)) {
		found |= sscanf(line, "jc %lx", jc) == 1;
		found |= (sscanf(line, "requirements %u", requirements) == 1) << 1;
	}
	fclose(f);
	return found == 3;
}

static void replay(u32 gpu, const char *folder)
{
	u32 n, requirements, bad;
	int64_t begin;
	char base[280];
	u64 jc;

	tap_result(open_memory(), "%s: memory", folder);
	for (n = 0;; n++) {
		snprintf(base, sizeof(base), "%s/submit%02u", folder, n);
		if (!load_text(base, &jc, &requirements))
			break;
		tap_result(load_memory(base), "%s: captured memory", base);
		begin = now_ns();
		tap_result(run_device(jc, requirements), "%s: the driver executes it", base);
		tap_comment("%lld ms", (long long)ms_since(begin));
		tap_result(run_local(gpu, jc), "%s: so does the engine", base);
		tap_result(jc >= BASE && *(u32 *)(device + (jc - BASE)) == 1,
			   "%s: job 0x%lx is done", base, jc);
		bad = differences();
		tap_result(!bad, "%s: memory is equal, %u pages differ", base, bad);
	}
	tap_result(n, "%s has submits", folder);
	close_memory();
}

int main(int argc, char **argv)
{
	u32 gpu;
	int i;

	for (gpu = 0; argc > 1 && gpu < MALI_NUM_GPUS && strcmp(gpus[gpu], argv[1]); gpu++)
		;
	if (argc < 3 || gpu == MALI_NUM_GPUS) {
		fprintf(stderr, "usage: replay_panfrost GPU FOLDER...\n");
		return 2;
	}
	for (i = 2; i < argc; i++)
		replay(gpu, argv[i]);
	tap_result(!hw_findings(0), "the register model found nothing");
	return tap_done();
}
