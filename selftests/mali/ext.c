// SPDX-License-Identifier: GPL-2.0
/* Resource micro-ops of Mali programs one by one: a machine, resources, inputs and outputs. */
#include "../include/simt_prog.h"
#include "ext.h"

struct fixture fx;
struct mali_attr attrs[4];
struct mali_attr_buf bufs[4];
struct tx_texture tex[4];
struct tx_surface surfaces[4][64];
struct tx_sampler samp[2];
struct mali_frag frag;
enum mali_run_reason why;

u32 f32(double d)
{
	float f = (float)d;
	u32 bits;

	memcpy(&bits, &f, 4);
	return bits;
}

double num(u32 bits)
{
	float f;

	memcpy(&f, &bits, 4);
	return f;
}

void fx_new(void)
{
	if (!fx.raw)
		fx.raw = calloc(1, RUN_MEMORY + 64);
	if (!fx.mem)
		fx.mem = calloc(1, MEM_SIZE);
	memset(fx.mem, 0, MEM_SIZE);
	memset(fx.slot, 0, sizeof(fx.slot));
	fx.ext = (struct vs_extent){ MEM_VA, MEM_VA + MEM_SIZE, fx.mem, VS_EXT_WRITE };
	fx.map = (struct vs_map){ 1, &fx.ext };
	fx.arena = (struct simt_arena){
		.base = (u8 *)(((unsigned long)fx.raw + 63) & ~63UL), .size = RUN_MEMORY,
	};
	fx.run = mali_run_new(&fx.arena, &fx.map);
	fx.run->w = (struct mali_work){ .gpu = MALI_G52, .arch = MALI_V7, .instance_size = 1 };
	fx.threads = LANES;
	fx.helper = 0;
	fx.frag = false;
}

void fx_free(void)
{
	free(fx.raw);
	free(fx.mem);
}

static void fx_start(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	u32 i;

	for (i = 0; i < NSLOTS; i++)
		memcpy(b->slot + i * LANES, fx.slot[i], sizeof(fx.slot[i]));
	if (fx.frag)
		mali_frag_start(m, b, g);
	b->helper |= fx.helper;
}

static void fx_end(struct simt_machine *m, struct simt_block *b, const struct simt_group *g)
{
	u32 i;

	for (i = 0; i < NSLOTS; i++)
		memcpy(fx.slot[i], b->slot + i * LANES, sizeof(fx.slot[i]));
	fx.helper_after = b->helper;
	if (fx.frag)
		mali_frag_end(m, b, g);
}

bool fx_run(const struct simt_uop *uops, u32 n, enum vs_simd simd)
{
	static const struct simt_ops ops = {
		.start = fx_start, .ext = mali_ext, .end = fx_end
	};
	const struct simt_prog proto = { .nslots = NSLOTS, .warp = 4, .quads = true };
	const struct simt_uop end = { .op = SIMT_END };
	struct simt_launch l = { .ops = &ops, .arg = fx.run, .local = { fx.threads, 1, 1 },
				 .groups = { 1, 1, 1 } };
	u64 mark = fx.arena.used, used;
	struct simt_builder *b = simt_builder_new(&fx.arena, 16, 4, 0);
	struct simt_prog *prog = NULL;
	enum simt_status s;
	struct simt_machine *m;
	u32 i;

	memset(&fx.fault, 0, sizeof(fx.fault));
	fx.run->clock = 0;
	simt_builder_const(b, 1);
	simt_builder_label(b, 0);
	for (i = 0; i < n; i++)
		simt_builder_emit(b, &uops[i]);
	simt_builder_emit(b, &end);
	if (simt_prog_finish(b, &proto, 0, &prog)) {
		fx.fault.kind = VS_FAULT_HANG;
		return false;
	}
	l.prog = prog;
	m = simt_machine_new(&fx.arena, &fx.map);
	if (simt_machine_launch(m, &l)) {
		fx.fault.kind = VS_FAULT_HANG;
		return false;
	}
	do {
		s = simt_machine_run(m, simd, 3000, &used);
	} while (s == SIMT_RUN_MORE);
	if (s == SIMT_RUN_FAULT)
		fx.fault = *simt_machine_fault(m);
	simt_arena_reset(&fx.arena, mark);
	return s == SIMT_RUN_DONE;
}

bool ext_on(u32 imm, enum vs_simd simd)
{
	const struct simt_uop u = { .op = SIMT_EXT, .d = OUT, .d2 = IN + 4,
				    .s = { IN, IN + 1, IN + 2, IN + 3 }, .n = 4, .imm = imm };

	return fx_run(&u, 1, simd);
}

bool ext(u32 imm)
{
	return ext_on(imm, vs_simd_best());
}

bool refused(u32 reason)
{
	return fx.fault.kind == VS_FAULT_COMMAND && fx.fault.code == reason;
}

void fill(u32 slot, u32 value)
{
	u32 l;

	for (l = 0; l < LANES; l++)
		fx.slot[slot][l] = value;
}

void set_attr(u32 i, u32 format, s32 offset)
{
	attrs[i] = (struct mali_attr){ .va = 8, .raw = format, .buf = i, .offset = offset };
	if (!mali_format_decode(MALI_V7, format, &attrs[i].format))
		abort();
}

void bind_attrs(struct mali_attr_table *t)
{
	*t = (struct mali_attr_table){ .n = 4, .attr = attrs, .nbufs = 4, .bufs = bufs };
}

/* Slices of a level at @at. Return: where they end. */
static u32 put_slices(u32 at, u32 level, u32 depth, u32 layer, u32 alpha)
{
	u32 w = 8 >> level, n, v;

	for (n = 0; n < depth * w * w; n++, at += 4) {
		v = n % w | n / w % w << 8 | (level | (layer + n / w / w) << 4) << 16 |
		    alpha << 24;
		memcpy(fx.mem + at, &v, 4);
	}
	return at;
}

void set_texture(u32 i, u32 dim, u32 layers, u32 samples)
{
	u32 faces = dim == TX_DIM_CUBE ? 6 : 1, depth = dim == TX_DIM_3D ? 4 : 1;
	u32 level, face, layer, s, n, at = 0x8000 + 0x2000 * i;
	struct tx_texture *t = &tex[i];

	*t = (struct tx_texture){ .va = 64, .dim = dim, .order = PX_LINEAR, .width = 8,
				    .height = 8, .depth = depth, .array_size = layers,
				    .samples = samples, .levels = 3, .max_lod = 0x200,
				    .swizzle = { 0, 1, 2, 3 }, .surfaces = surfaces[i],
				    .level_inner = true };
	if (!mali_format_decode(MALI_V7, RGBA8UI, &t->format))
		abort();
	for (n = 0; n < layers * faces * samples * 3; n++) {
		level = n % 3;
		s = n / 3 % samples;
		face = n / 3 / samples % faces;
		layer = n / 3 / samples / faces;
		surfaces[i][n] = (struct tx_surface){ MEM_VA + at, 32 >> level,
							256 >> (2 * level) };
		at = put_slices(at, level, max(depth >> level, 1U), layer, face | s << 4);
	}
	t->nsurfaces = n;
}

void set_sampler(u32 i, bool linear)
{
	samp[i] = (struct tx_sampler){ .va = 64, .wrap = { TX_CLAMP_TO_EDGE,
					 TX_CLAMP_TO_EDGE, TX_CLAMP_TO_EDGE },
					 .mag_nearest = !linear, .min_nearest = !linear,
					 .normalized = true, .seamless = true, .max_lod = 0x1f00,
					 .max_aniso = 1, .func = 1 };
}

void tex_new(void)
{
	fx_new();
	set_texture(0, TX_DIM_2D, 1, 1);
	set_texture(1, TX_DIM_2D, 3, 1);
	set_texture(2, TX_DIM_3D, 1, 1);
	set_texture(3, TX_DIM_CUBE, 1, 1);
	set_sampler(0, false);
	set_sampler(1, false);
	fx.run->w.textures = tex;
	fx.run->w.ntextures = 4;
	fx.run->w.samplers = samp;
	fx.run->w.nsamplers = 2;
}

u32 rgba(u32 l)
{
	return fx.slot[OUT][l] | fx.slot[OUT + 1][l] << 8 | fx.slot[OUT + 2][l] << 16 |
	       fx.slot[OUT + 3][l] << 24;
}

void frag_new(u32 format)
{
	u32 i, one = f32(1);

	fx_new();
	fx.frag = true;
	frag = (struct mali_frag){
		.width = 8, .height = 8, .ntargets = 1,
		.target[0] = { MEM_VA, 64, PX_LINEAR, format },
		.depth = { MEM_VA + 0x1000, 32, PX_LINEAR, R32F },
		.provoking = 2, .index = { 0, 1, 2 },
	};
	for (i = 0; i < 64; i++)
		memcpy(fx.mem + 0x1000 + 4 * i, &one, 4);
	fx.run->w.stage = MALI_STAGE_FRAGMENT;
	fx.run->w.frag = &frag;
}

void corner(u32 i, double x, double y, double z, double w)
{
	frag.prim = MALI_PRIM_TRIANGLE;
	frag.vertex[i][0] = f32(x);
	frag.vertex[i][1] = f32(y);
	frag.vertex[i][2] = f32(z);
	frag.vertex[i][3] = f32(1 / w);
}

bool frag_begin(void)
{
	return !mali_frag_begin(fx.run, &why);
}

u32 lane_of(u32 x, u32 y)
{
	return (y / 2 * 4 + x / 2) * 4 + (y & 1) * 2 + (x & 1);
}
