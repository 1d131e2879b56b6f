// SPDX-License-Identifier: GPL-2.0
/*
 * Captured frames of Mesa's lima driver, from the external corpus: their pictures, compared with
 * those of llvmpipe.
 */
#include "../include/tap.h"
#include "../mali/capture.h"
#include "native/native.h"
#include "native/utgard/utgard_frame.h"
#include "pixel/px_format.h"

#define FRAMES		0x80000000U	/* words of both frames */
#define PP		(FRAMES + 0x100)
#define SIDE		64
#define BUDGET		(1ULL << 34)
#define MEMORY		(8u << 20)
#define WB_ADDRESS	25

static const char *root;
static u32 frames[1024];
static struct capture cap;

static bool read_frame(const char *ending, u32 number, u32 *words, size_t bytes)
{
	char path[600];
	bool ok;
	FILE *f;

	snprintf(path, sizeof(path), "%s/mesa/lima/frame%02u.%s", root, number, ending);
	f = fopen(path, "rb");
	if (!f)
		return false;
	ok = fread(words, 1, bytes, f) == bytes;
	fclose(f);
	return ok;
}

static bool run(u32 format, u32 va, enum vs_simd simd)
{
	const struct vs_job_limits limits = { .budget = BUDGET, .simd = simd, .slice = 30000 };
	const struct vs_native_in in = {
		.format = format, .va = va, .model = UTF_MALI400, .map = &cap.map,
		.memory = MEMORY, .max_memory = MEMORY, .max_draws = 100,
	};
	struct vs_native_state *state = vs_native_state_new(format);
	struct vs_fault fault = { .kind = VS_FAULT_HANG };
	struct vs_worker *w;
	struct vs_native *n;
	struct vs_job *job;

	if (!vs_native_parse(&in, state, &n, &fault)) {
		job = vs_job_new(vs_native_map(n), &limits, vs_native_phases(n));
		vs_native_add_phases(n, job);
		w = vs_worker_new(vs_job_arena(job));
		while (vs_job_step(job, w) != VS_RUN_DONE)
			;
		fault = *vs_job_get_fault(job);
		vs_job_free(job);
		vs_native_free(n);
		vs_worker_free(w);
	}
	vs_native_state_free(state);
	if (fault.kind)
		tap_comment("fault %u at 0x%llx, code %u", fault.kind,
			    (unsigned long long)fault.address, fault.code);
	return !fault.kind;
}

/* Largest difference to a picture whose rows go upwards; 256: there is none. */
static u32 compare(const char *name, const u8 *image)
{
	static u8 want[SIDE * SIDE * 3];
	char path[600];
	u32 x, y, k, worst = 0;
	bool ok;
	FILE *f;

	snprintf(path, sizeof(path), "%s/mesa/images/llvmpipe/img-%s.ppm", root, name);
	f = fopen(path, "rb");
	if (!f)
		return 256;
	ok = !fseek(f, -(long)sizeof(want), SEEK_END) && fread(want, sizeof(want), 1, f) == 1;
	fclose(f);
	for (y = 0; ok && y < SIDE; y++) {
		for (x = 0; x < SIDE; x++) {
			const u8 *p = image + 4 * ((y / 16 * 4 + x / 16) * 256 +
						   px_tile_index(x % 16, y % 16));

			for (k = 0; k < 3; k++)
				worst = max_t(u32, worst, abs(p[k] - want[((SIDE - 1 - y) * SIDE +
									   x) * 3 + k]));
		}
	}
	return ok ? worst : 256;
}

/* Both frames of a scene; the second submit's memory has all that the first one needs. */
static bool load(u32 number)
{
	char base[600];
	struct vs_extent *e;

	snprintf(base, sizeof(base), "%s/mesa/lima/submit%02u", root, number + 1);
	if (!capture_load(base, &cap))
		return false;
	if (cap.map.n == MAX_BOS || !read_frame("gp", number, frames, 4 * UTF_GP_WORDS) ||
	    !read_frame("pp", number + 1, frames + (PP - FRAMES) / 4, 4 * UTF_PP400_WORDS))
		return false;
	/* their addresses are below */
	e = &cap.ext[cap.map.n++];
	*e = (struct vs_extent){ FRAMES, FRAMES + sizeof(frames), (u8 *)frames, 0 };
	return e[-1].hi <= FRAMES;
}

static void test_scene(u32 number, const char *name, enum vs_simd simd)
{
	u32 worst = 256;
	u8 *image = NULL;
	bool ok = load(number);

	if (ok)
		image = vs_map_ptr(&cap.map, frames[(PP - FRAMES) / 4 + WB_ADDRESS],
				   SIDE * SIDE * 4, 0);
	ok = ok && run(VS_NATIVE_UTGARD_GP_FRAME, FRAMES, simd) &&
	     run(VS_NATIVE_UTGARD_PP_FRAME, PP, simd);
	if (ok && image)
		worst = compare(name, image);
	tap_result(worst <= 2, "%s, %s: difference to llvmpipe %u", name, vs_simd_name(simd),
		   worst);
	/* the last one is no mapping */
	cap.map.n -= !!cap.map.n;
	capture_free(&cap);
}

int main(void)
{
	static const char *const names[] = { "clear", "tri", "tex", "tridepth", "indexed" };
	u32 i, simd;

	root = getenv("UTGARD_CORPUS");
	if (!root || !*root) {
		tap_skip("no CORPUS", "captured frames");
		return tap_done();
	}
	for (simd = 0; simd < VS_NUM_SIMD; simd++)
		for (i = 0; vs_simd_mask() & BIT(simd) && i < ARRAY_SIZE(names); i++)
			test_scene(2 * i, names[i], (enum vs_simd)simd);
	return tap_done();
}
