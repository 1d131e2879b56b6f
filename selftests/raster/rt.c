// SPDX-License-Identifier: GPL-2.0
#include <time.h>

#include "isa/mali/mali_res.h"
#include "rt.h"

bool rt_long;
bool rt_quick;
bool rt_emulated;
static u64 state = 0x9e3779b97f4a7c15ULL;

void rt_args(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--long"))
			rt_long = true;
		else if (!strcmp(argv[i], "--quick"))
			rt_quick = true;
		else if (!strcmp(argv[i], "--emulated"))
			rt_emulated = true;
		else if (!strcmp(argv[i], "--seed") && i + 1 < argc)
			state ^= strtoull(argv[++i], NULL, 0) * 2;
	}
}

/* xorshift64* */
u64 rt_rnd64(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return state * 0x2545f4914f6cdd1dULL;
}

u32 rt_rnd(u32 n)
{
	return (u32)((rt_rnd64() >> 32) * n >> 32);
}

double rt_between(double lo, double hi)
{
	return lo + (hi - lo) * (double)(rt_rnd64() >> 11) / (double)(1ULL << 53);
}

u32 rt_bits(float f)
{
	u32 bits;

	memcpy(&bits, &f, sizeof(bits));
	return bits;
}

float rt_float(u32 bits)
{
	float f;

	memcpy(&f, &bits, sizeof(f));
	return f;
}

double rt_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1000000000;
}

struct vr_vertex rt_vertex(double x, double y, double z, double inv_w)
{
	return (struct vr_vertex){ rt_bits((float)x), rt_bits((float)y), rt_bits((float)z),
				   rt_bits((float)inv_w) };
}

struct vr_state rt_state(void)
{
	return (struct vr_state){ .samples = 1, .sample_mask = ~0U, .width = VR_TILE,
				  .height = VR_TILE,
				  .scissor = { 0, 0, VR_TILE - 1, VR_TILE - 1 } };
}

u64 rt_rnd_cover(u32 samples)
{
	return rt_rnd64() & VR_EACH_PIXEL((1U << samples) - 1);
}

void rt_cover(struct rt_cover *c, const struct vr_prim *p)
{
	struct vr_walk w;
	struct vr_block b;
	u32 q, k;

	memset(c, 0, sizeof(*c));
	if (!vr_walk_begin(&w, p, 0, 0))
		return;
	while (vr_walk_next(&w, &b)) {
		for (q = 0; q < VR_QUADS; q++)
			for (k = 0; k < 4 && b.quads >> q & 1; k++)
				c->at[b.y + 2 * (q / 4) + k / 2][b.x + 2 * (q % 4) + k % 2] =
					VR_PIXEL(b.cover[q], k);
	}
}

void rt_blend_quad(enum vs_simd simd, struct vr_tile *t, u32 target, const struct vr_blend *b,
		   u32 x, u32 y, u64 cover, const u32 src[4][4], const u32 second[4][4])
{
	u32 rows[2][4][VS_LANES] = {}, k, c;
	u16 lanes[VS_LANES] = {};
	struct vr_batch batch;

	vr_batch_clear(&batch);
	vr_batch_add(&batch, 0, x, y, cover, vr_pixels_of(cover));
	for (k = 0; k < 4; k++) {
		lanes[k] = VR_PIXEL(cover, k);
		for (c = 0; c < 4; c++)
			rows[0][c][k] = src[k][c];
		for (c = 0; c < 4 && second; c++)
			rows[1][c][k] = second[k][c];
	}
	vr_tile_blend(simd, t, target, &t->format[target], b, &batch, lanes,
		      (const u32 (*)[VS_LANES])rows[0],
		      second ? (const u32 (*)[VS_LANES])rows[1] : NULL);
}

/* ---- pixels ---- */

struct px_format rt_format(u32 code, u32 order, bool srgb)
{
	struct px_format f = {};

	if (!mali_format_decode(MALI_V7, code << 12 | order | (u32)srgb << 20, &f))
		printf("Bail out! format %#x\n", code);
	return f;
}

void rt_fill(u8 *p, u32 n)
{
	u32 i;

	for (i = 0; i < n; i += 8)
		memcpy(p + i, &(u64){ rt_rnd64() }, 8);
}

/* Any numbers, or codes of bytes. */
u32 rt_component(void)
{
	return rt_rnd(4) ? rt_bits(rt_rnd(256) / 255.0f) : (u32)rt_rnd64();
}

static struct vr_term random_term(void)
{
	/* often 1, as of the first term of many functions */
	u32 factor = rt_rnd(2) ? VR_FACTOR_ZERO : rt_rnd(VR_NUM_FACTORS);

	return (struct vr_term){ (s8)(rt_rnd(3) - 1), (s8)(rt_rnd(3) - 1), (u8)factor, rt_rnd(2),
				 factor ? rt_rnd(2) : rt_rnd(4) != 0 };
}

struct vr_function rt_rnd_function(void)
{
	return (struct vr_function){ rt_rnd(4) ? VR_BLEND_ADD : rt_rnd(VR_NUM_BLEND_OPS),
				     random_term(), random_term() };
}

static u32 random_constant(void)
{
	return rt_rnd(2) ? (u32)rt_rnd64() : rt_bits((float)rt_between(-2, 2));
}

struct vr_blend rt_rnd_blend(void)
{
	return (struct vr_blend){
		.f = { rt_rnd_function(), rt_rnd_function() },
		.constant = { random_constant(), random_constant(), random_constant(),
			      random_constant() },
		.write = rt_rnd(16),
		.logic = rt_rnd(8) ? VR_LOGIC_NONE : rt_rnd(VR_NUM_LOGIC),
		.alpha_one = !rt_rnd(4),
	};
}
