// SPDX-License-Identifier: GPL-2.0
/*
 * Frames of Utgard GPUs, and pixel programs that read textures: any memory. First byte: bits
 * 0 and 1: a frame of the vertex processor, of the pixel processor, a launch of the latter, both
 * frames, one after the other; bit 2: Mali-450, or registers of binary32; bits 3 to 5: form of a
 * further extent. Memory follows, at a fixed address, with an unmapped hole after it; its contents
 * are also printed as frames.
 */
#include "fuzz_extent.h"

#include "engine/vs_intern.h"
#include "isa/utgard/utgard_run.h"
#include "native/native.h"
#include "../../userspace/disasm/utgard_print.h"

#define VA		0x10000
#define SECOND		(VA + 0x100)	/* frame of the pixel processor after another one */
#define MAX_BYTES	65536
#define MEMORY		(1u << 20)
#define BUDGET		400000
#define SIDE		8	/* pixels */

/* Memory layout of launches. */
#define LIST		VA		/* four texture units */
#define VARYINGS	(VA + 64)
#define CODE		(VA + 64 + 16 * SIDE * SIDE)
#define TARGET		VA

static void run_job(struct vs_native *n)
{
	const struct vs_job_limits limits = { .budget = BUDGET, .simd = VS_SIMD_PORTABLE,
					      .slice = 3000 };
	struct vs_job *job = vs_job_new(vs_native_map(n), &limits, vs_native_phases(n));
	struct vs_worker *w;
	const struct vs_fault *f;
	uint32_t steps = 0;

	MUST(job);
	MUST(!vs_native_add_phases(n, job));
	w = vs_worker_new(vs_job_arena(job));
	MUST(w);
	while (vs_job_step(job, w) != VS_RUN_DONE)
		MUST(++steps < 100000);
	f = vs_job_get_fault(job);
	MUST(f->kind <= VS_FAULT_HAZARD);
	if (f->kind == VS_FAULT_COMMAND) {
		MUST(strlen(vs_native_reason_text(VS_NATIVE_UTGARD_GP_FRAME, f->code)) > 1);
		MUST(f->code);
	}
	vs_worker_free(w);
	vs_job_free(job);
}

static void frame(const struct vs_map *map, uint32_t format, uint64_t va, uint32_t gpu)
{
	const struct vs_native_in in = {
		.format = format, .va = va, .model = gpu, .map = map, .memory = MEMORY,
		.max_memory = MEMORY, .max_draws = 100,
	};
	struct vs_native_state *state = vs_native_state_new(format);
	struct vs_fault fault;
	struct vs_native *n;

	MUST(!vs_native_parse(&in, state, &n, &fault));
	run_job(n);
	vs_native_free(n);
	vs_native_state_free(state);
}

static void text(const struct vs_map *map, uint32_t format, uint32_t gpu)
{
	static char buf[4096];
	size_t len;

	if (format == VS_NATIVE_UTGARD_GP_FRAME)
		len = utf_gp_print(map, VA, buf, sizeof(buf));
	else
		len = utf_pp_print(gpu, map, VA, buf, sizeof(buf));
	MUST(strlen(buf) == (len < sizeof(buf) ? len : sizeof(buf) - 1));
}

/* Return: false on a fault, which must have a kind. */
static int run_pixels(struct utgard_run *r, const struct upp_work *w)
{
	struct vs_fault fault = {};
	uint64_t used, sum = 0;
	enum simt_status s;
	int ret;

	ret = utgard_prepare_pp(r, w, &fault);
	while (ret == -EAGAIN)
		ret = utgard_prepare_step(r, &fault);
	if (ret) {
		MUST(ret == -ENOEXEC || ret == -ENOMEM || ret == -E2BIG);
		MUST(ret != -ENOEXEC || fault.kind);
		return 0;
	}
	do {
		s = simt_machine_run(utgard_run_machine(r), VS_SIMD_PORTABLE, 3000, &used);
		sum += used;
	} while (s == SIMT_RUN_MORE && sum < BUDGET);
	if (s == SIMT_RUN_FAULT)
		MUST(simt_machine_fault(utgard_run_machine(r))->kind);
	utgard_run_end(r);
	return s == SIMT_RUN_DONE;
}

static void launch(const struct vs_map *map, uint32_t switches)
{
	static uint8_t arena_bytes[MEMORY] __aligned(64);
	struct simt_arena arena = { .base = arena_bytes, .size = MEMORY };
	struct mali_frag frag = { .width = SIDE, .height = SIDE, .prim = MALI_PRIM_RECT };
	struct utgard_stream in = { .va = VARYINGS, .stride = 16, .reg = 0 };
	const struct vs_extent *e = &map->ext[0];
	struct upp_work w = {
		.frag = &frag, .in = &in, .nin = 1, .switches = switches, .temps = 4,
		.uniforms = VA, .nrows = 4, .ntargets = 1,
		.target[0] = { .va = TARGET, .row_stride = 16 * SIDE, .order = PX_LINEAR },
	};
	struct utgard_tex *tex;
	struct utgard_run *r;
	struct vs_fault fault;

	MUST(utgard_format(PX_FLOAT, 32, 4, &in.format));
	w.target[0].format = in.format;
	if (e->hi <= CODE)
		return;
	w.code = (uint32_t *)(e->kva + (CODE - VA));
	w.ncode = (uint32_t)((e->hi - CODE) / 4);
	if (utgard_tex_load(map, LIST, 4, &arena, &tex, &fault)) {
		MUST(fault.kind == VS_FAULT_READ || fault.kind == VS_FAULT_COMMAND);
		return;
	}
	w.textures = tex;
	w.ntextures = 4;
	r = utgard_run_new(&arena, map);
	MUST(r);
	run_pixels(r, &w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint32_t what, gpu;
	struct vs_extent ext[2] = { };
	struct vs_map map = { .n = 1, .ext = ext };
	uint8_t *memory;

	if (size < 2)
		return 0;
	what = data[0];
	gpu = what >> 2 & 1;
	size = size - 1 < MAX_BYTES ? size - 1 : MAX_BYTES;
	memory = malloc(size);
	MUST(memory);
	memcpy(memory, data + 1, size);
	ext[0] = (struct vs_extent){ VA, VA + size, memory, VS_EXT_WRITE | VS_EXT_EXEC };
	ext[1] = fuzz_extent(what >> 3, &ext[0]);
	map.n += !!ext[1].hi;
	if ((what & 3) == 2) {
		launch(&map, gpu);
	} else if ((what & 3) == 3) {
		frame(&map, VS_NATIVE_UTGARD_GP_FRAME, VA, gpu);
		frame(&map, VS_NATIVE_UTGARD_PP_FRAME, SECOND, gpu);
	} else {
		text(&map, VS_NATIVE_UTGARD_GP_FRAME + (what & 1), gpu);
		frame(&map, VS_NATIVE_UTGARD_GP_FRAME + (what & 1), VA, gpu);
	}
	free(memory);
	return 0;
}
