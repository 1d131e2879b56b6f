// SPDX-License-Identifier: GPL-2.0
/*
 * Every field of the descriptors of draws and frames has an effect, is rejected or changes
 * nothing, v5 to v7, as state_fields.def has it.
 */
#include "../include/mali_blend.h"
#include "../include/tap.h"
#include "frame.h"
#include "isa/mali/mali_frag.h"
#include "isa/bifrost/bifrost_ext.h"
#include "native/mali/mali_prim.h"

#define MAIN		0x7800
#define PUSH		0x5c0
#define SECOND		(FRAME_COLOUR + 0x80000)
#define STENCIL		0x80000
#define LAYER		0xc000
#define RGBA8_TB	(237 << 12)
#define BLEND_OPAQUE	1	/* modes of Bifrost's descriptors */
#define BLEND_FIXED	2

/* Bifrost: DISCARD.f32.eq r0, r0; BLEND r48, r60, descriptor 0, @r0 */
static const u32 discard_all[] = {
	0x0000004e, 0x80cb1840, 0xc0023003, 0x00000008,
	0xcc30084e, 0x80cb186b, 0x0002a583, 0x02400008,
};

/* Midgard: brx.discard.always; r0 = u0; write to target 0 */
static const u32 discard_all_midgard[] = {
	0x08000088, 0x00000484, 0x0000ffff, 0x00000000,
	0x00020098, 0x027b02f8, 0xffae4072, 0x00000000,
	0x08280019, 0x841f8418, 0x9800007b, 0x00000240,
	0xfc4fc0a0, 0xffffffff, 0x00000000, 0x00000000,
};

/*
 * Bifrost: r0, r3 = U32_TO_F32 of the lower half of the address of the sample locations;
 * BLEND r48, r60, descriptor 0, @r0
 */
static const u32 locations[] = {
	0x00c30629, 0x80cb186c, 0xc0072f33, 0x00000008,
	0x00000643, 0x80cb182c, 0x00072f33, 0x20000000,
	0xcc30084e, 0x80cb186b, 0x0002a583, 0x02400008,
};

enum { V5 = 1, V6 = 2, V7 = 4, ALL = 7 };
enum desc { STATE, BLEND, VIEWPORT, DRAW, PRIMITIVE, FRAMEBUFFER, EXTENSION, TARGET, PAYLOAD,
	    NUM_DESCS };
enum state { EXECUTED, REJECTED, IGNORED, ELSEWHERE };
enum scene { ZS, STENCILS, OFFSET, RANGE, COLOUR, ALPHA, CONSTANT, SAMPLES, LAYERED, LINES, INDEXED,
	     INSTANCES, SEPARATE, SEPARATE4, DIRTY, DISCARD, LOCATIONS, NUM_SCENES };

struct field {
	u32 archs;
	enum desc desc;
	u32 word;
	u32 bit;
	u32 width;
	const char *name;
	enum state state;
	enum scene scene;
	u32 value;
	const char *note;
};

static const struct field fields[] = {
#define FIELD(...) { __VA_ARGS__ },
#include "state_fields.def"
#undef FIELD
};

static const struct {
	const char *name;
	u32 words;
} descs[NUM_DESCS] = {
	[STATE] = { "renderer state", 16 }, [BLEND] = { "blend", 4 },
	[VIEWPORT] = { "viewport", 8 }, [DRAW] = { "draw", 30 }, [PRIMITIVE] = { "primitive", 6 },
	[FRAMEBUFFER] = { "framebuffer", 16 }, [EXTENSION] = { "ZS CRC extension", 16 },
	[TARGET] = { "render target", 16 }, [PAYLOAD] = { "fragment payload", 8 },
};

static u32 desc_at(enum desc d)
{
	switch (d) {
	case STATE:
		return FRAME_STATE;
	case BLEND:
		return FRAME_STATE + 64;
	case VIEWPORT:
		return FRAME_VIEWPORT;
	case DRAW:
		return frame_draw_at();
	case PRIMITIVE:
		return FRAME_TILER_JOB + 40;
	case FRAMEBUFFER:
		return FRAME_FB;
	case EXTENSION:
		return FRAME_FB + 128;
	case TARGET:
		return FRAME_FB + 192;
	default:
		return FRAME_FRAGMENT_JOB + 32;
	}
}

static u32 arch(void)
{
	return frame.v5 ? V5 : frame.v6 ? V6 : V7;
}

static void put_bits(u32 at, u32 bit, u32 width, u32 value)
{
	u32 mask = (u32)(((1ULL << width) - 1) << bit);

	frame_w32(at, (frame_r32(at) & ~mask) | (value << bit & mask));
}

/* ---- scenes ---- */

/* Sloped triangles in front of and behind others, both faces, a scissor. */
static void triangles(void)
{
	static const float v[12][3] = {
		{ 8, 8, 0.2f }, { 60, 8, 0.3f }, { 8, 60, 0.25f },
		{ 20, 20, 0.75f }, { 90, 20, 0.75f }, { 20, 90, 0.75f },
		{ 40, 40, 0.5f }, { 40, 92, 0.45f }, { 92, 40, 0.55f },
		{ 2, 2, 0.9f }, { 2, 44, 0.9f }, { 44, 2, 0.9f },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(v); i++)
		frame_vertex(i, v[i][0], v[i][1], v[i][2]);
	frame_primitive(8, 0, ARRAY_SIZE(v));
	frame_w32(FRAME_VIEWPORT + 24, 4 | 4 << 16);
	frame_w32(FRAME_VIEWPORT + 28, 88 | 88 << 16);
}

static u32 equation(u32 c)
{
	u32 f = MALI_BLEND_A_DEST | MALI_BLEND_B_SRC << 4 | c << 8;

	return f | f << 12 | 15U << 28;
}

static void blend(u32 i, u32 c)
{
	u32 at = FRAME_STATE + 64 + 16 * i;

	frame_w32(at, 0x200 | 0x8000U << 16);
	if (frame.v5) {
		frame_w32(at, 0x200);
		frame_w32(at + 8, equation(c));
		frame_f32(at + 12, 0.5);
		return;
	}
	frame_w32(at + 4, equation(c));
	frame_w32(at + 8, BLEND_FIXED | i << 16);
	frame_w32(at + 12, RGBA8_TB | (frame.v6 ? 0x688 : 0) | MALI_REG_F32 << 24);
}

static void target(u32 i, u32 at, u32 msaa)
{
	u32 rt = FRAME_FB + 192 + 64 * i;

	frame_w32(rt, 1U << 26);
	frame_w32(rt + 4, 1 | 19 << 3 | 2 << (frame.v5 || frame.v6 ? 10 : 8) | msaa << 12 |
		  0x688 << 16 | 1U << 31);
	frame_w64(rt + 32, FRAME_MEM_VA + at);
	frame_w32(rt + 40, frame.size * 4);
	frame_w32(rt + 44, LAYER);
	frame_w32(rt + 48, 0x44332211);
}

/* A program that writes uniforms to two targets. */
static void colours(u32 c, u32 msaa)
{
	static const float uniforms[8] = { 0.25f, 0.5f, 0.125f, 0.75f, 0.5f, 0.25f, 0.375f, 0.5f };
	u32 i;

	for (i = 0; i < 2; i++) {
		blend(i, c);
		target(i, i ? SECOND : FRAME_COLOUR, msaa);
	}
	put_bits(FRAME_FB + 44, 19, 4, 1);
	frame_w64(frame_draw_at() + 48, FRAME_MEM_VA + PUSH);
	memcpy(frame.mem + PUSH, uniforms, sizeof(uniforms));
	if (frame.v5) {
		memcpy(frame.mem + MAIN, blend_midgard_targets, sizeof(blend_midgard_targets));
		frame_w64(FRAME_STATE, (FRAME_MEM_VA + MAIN) | (blend_midgard_targets[0] & 15));
		frame_w32(FRAME_STATE + 16, 8 << 16 | 2 << 21 | 2 << 8);
		/* the alpha test always passes */
		put_bits(FRAME_STATE + 36, 21, 3, 7);
		return;
	}
	memcpy(frame.mem + MAIN, blend_targets, sizeof(blend_targets));
	frame_w64(FRAME_STATE, FRAME_MEM_VA + MAIN);
	frame_w32(FRAME_STATE + 16, 2 << 8);
	frame_w32(FRAME_STATE + 48, 2 << 15);
}

/* @msaa: of both buffers */
static void separate_stencil(u32 msaa)
{
	u32 ext = FRAME_FB + 128, shift = frame.v5 || frame.v6 ? 2 : 4;

	frame_w32(ext + 12, 4 | 2 << 4 | msaa << (4 + shift) | 1 << 10 | 1 << 16 | 2 << 20 |
		  msaa << (20 + shift));
	frame_w64(ext + 32, FRAME_MEM_VA + STENCIL);
	frame_w32(ext + 40, frame.size);
	frame_w32(ext + 44, LAYER);
}

/* Another program, instead of that of colours(). */
static void program(const u32 *words, u32 n)
{
	memcpy(frame.mem + MAIN, words, 4 * n);
	if (frame.v5)
		frame_w64(FRAME_STATE, (FRAME_MEM_VA + MAIN) | (words[0] & 15));
}

static void indices(void)
{
	static const u8 list[] = { 0, 1, 2, 9, 3, 4, 5, 9, 6, 8, 7 };

	memcpy(frame.mem + FRAME_INDICES, list, sizeof(list));
	frame_primitive(10, 1 << 8 | MALI_RESTART_EXPLICIT << 19, ARRAY_SIZE(list));
	frame_w32(FRAME_TILER_JOB + 48, 9);
}

static void instances(void)
{
	u32 i;

	for (i = 0; i < 3; i++)
		frame_corners(5 * i, 30.0f * i, 10, 30.0f * i + 20, 20);
	frame_primitive(10, 0, 4);
	frame_instances(3, 4);
	put_bits(frame_draw_at(), 16, 8, 2 << 5);
}

static void more_of(enum scene s)
{
	switch (s) {
	case STENCILS:
		put_bits(FRAME_STATE + 40, 16, 3, 2);
		put_bits(FRAME_STATE + 44, 16, 3, 2);
		break;
	case OFFSET:
		frame_f32(FRAME_STATE + 20, 1024);
		frame_f32(FRAME_STATE + 24, 1);
		put_bits(FRAME_STATE + 36, 28, 2, 3);
		break;
	case RANGE:
		frame_f32(FRAME_POSITIONS + 8, -1.5);
		frame_f32(FRAME_POSITIONS + 6 * 16 + 8, 2.5);
		put_bits(FRAME_STATE + 32, 24, 3, 7);
		break;
	case COLOUR:
		colours(MALI_BLEND_C_SRC_ALPHA, 0);
		break;
	case ALPHA:
		/* all pixels fail the alpha test; if it were later, the depth test */
		colours(MALI_BLEND_C_SRC_ALPHA, 0);
		put_bits(FRAME_STATE + 32, 24, 3, 0);
		put_bits(FRAME_STATE + 40, 22, 3, 3);
		if (frame.v5)
			put_bits(FRAME_STATE + 36, 21, 3, 1);
		if (frame.v5)
			frame_f32(FRAME_STATE + 48, 0.5);
		break;
	case CONSTANT:
		colours(MALI_BLEND_C_CONSTANT, 0);
		break;
	case SAMPLES:
		colours(MALI_BLEND_C_SRC_ALPHA, 0);
		break;
	case LAYERED:
		colours(MALI_BLEND_C_SRC_ALPHA, 3);
		break;
	case LINES:
		frame_vertex(1, 60, 40, 0.5);
		frame_primitive(2, 0, 2);
		frame_line_width(6);
		break;
	case INDEXED:
		indices();
		break;
	case INSTANCES:
		instances();
		break;
	case SEPARATE:
		separate_stencil(0);
		break;
	case SEPARATE4:
		separate_stencil(3);
		break;
	case DIRTY:
		put_bits(FRAME_FB + 128 + 12, 10, 1, 0);
		break;
	case DISCARD:
		/* if the program were not known to discard, the depth test would fail before it */
		colours(MALI_BLEND_C_SRC_ALPHA, 0);
		if (frame.v5)
			program(discard_all_midgard, ARRAY_SIZE(discard_all_midgard));
		else
			program(discard_all, ARRAY_SIZE(discard_all));
		put_bits(FRAME_STATE + 16, frame.v5 ? 12 : 16, 1, 1);
		/* tests as early as they may be */
		if (!frame.v5)
			put_bits(FRAME_STATE + 16, 23, 2, 1);
		put_bits(FRAME_STATE + 32, 24, 3, 0);
		put_bits(FRAME_STATE + 40, 22, 3, 3);
		break;
	case LOCATIONS:
		colours(MALI_BLEND_C_SRC_ALPHA, 0);
		if (!frame.v5)
			program(locations, ARRAY_SIZE(locations));
		break;
	default:
		break;
	}
}

static void scene(enum scene s)
{
	frame_new(s == SAMPLES || s == LAYERED || s == LINES || s == SEPARATE4 ? 4 : 1);
	triangles();
	/* a map of no tiles, which is not used */
	frame_w64(FRAME_FRAGMENT_JOB + 48, FRAME_MEM_VA + FRAME_ENABLE_MAP);
	frame_w32(FRAME_FRAGMENT_JOB + 56, 1);
	more_of(s);
}

/* ---- results ---- */

struct result {
	u64 hash;
	u32 kind;
	u32 code;
};

static struct result draw(void)
{
	struct result r = { .hash = 14695981039346656037ULL };
	u64 word;
	u32 i;

	run_threads = 1;
	if (!frame_run(FRAME_TILER_JOB) && !frame.fault.kind)
		frame_run(FRAME_FRAGMENT_JOB);
	r.kind = frame.fault.kind;
	r.code = frame.fault.code;
	for (i = FRAME_DEPTH; i < FRAME_MEM_SIZE; i += sizeof(word)) {
		memcpy(&word, frame.mem + i, sizeof(word));
		r.hash = (r.hash ^ word) * 1099511628211ULL;
	}
	r.hash = (r.hash ^ frame_r32(FRAME_COUNTER)) * 1099511628211ULL;
	return r;
}

static bool differs(const struct result *a, const struct result *b)
{
	return a->hash != b->hash || a->kind != b->kind || a->code != b->code;
}

static struct result base[NUM_SCENES];

static bool is_here(const struct field *f)
{
	return f->archs & arch();
}

static u32 mask_of(const struct field *f)
{
	return (u32)(((1ULL << f->width) - 1) << f->bit);
}

static void set(const struct field *f, u32 value)
{
	put_bits(desc_at(f->desc) + 4 * f->word, f->bit, f->width, value);
}

/* A field without effect has none in any scene, whatever it is. */
static u32 effects(const struct field *f)
{
	static const u32 values[] = { 0, ~0U };
	u32 s, i, n = 0;

	for (s = 0; s < NUM_SCENES; s++)
		for (i = 0; i < ARRAY_SIZE(values); i++) {
			struct result r;

			scene(s);
			/* blend descriptors of others are programs */
			if (f->desc == BLEND && !base[s].kind && s != COLOUR && s != SAMPLES)
				continue;
			set(f, values[i]);
			r = draw();
			n += differs(&r, &base[s]);
		}
	return n;
}

static void test_field(const struct field *f)
{
	struct result r = { };
	u32 n = 0;
	bool ok;

	if (f->state == EXECUTED || f->state == REJECTED) {
		scene(f->scene);
		set(f, f->value);
		r = draw();
	}
	switch (f->state) {
	case EXECUTED:
		ok = differs(&r, &base[f->scene]);
		break;
	case REJECTED:
		ok = r.kind == VS_FAULT_COMMAND;
		break;
	case IGNORED:
		n = effects(f);
		ok = !n && *f->note;
		break;
	default:
		ok = *f->note;
		break;
	}
	if (!ok)
		tap_comment("%u:%u %u bits; fault %u, %u; %u effects", f->word, f->bit, f->width,
			    r.kind, r.code, n);
	tap_result(ok, "%s: %s: %s", frame_arch_name(), descs[f->desc].name, f->name);
}

/* Bits of no field change nothing; no bit has two fields. */
static void test_rest(enum desc d)
{
	u32 named[32] = { }, i, s, twice = 0, n = 0, first = 0;

	for (i = 0; i < ARRAY_SIZE(fields); i++) {
		if (fields[i].desc != d || !is_here(&fields[i]))
			continue;
		twice += (named[fields[i].word] & mask_of(&fields[i])) != 0;
		named[fields[i].word] |= mask_of(&fields[i]);
	}
	/* v5 has the framebuffer's first words for thread storage, and addresses have 64 bits */
	if (d == FRAMEBUFFER)
		first = 8;
	for (s = 0; s < NUM_SCENES; s++) {
		struct result r;

		scene(s);
		for (i = first; i < descs[d].words; i++)
			if (named[i] && i != 14)
				frame_w32(desc_at(d) + 4 * i,
					  frame_r32(desc_at(d) + 4 * i) | ~named[i]);
		r = draw();
		n += differs(&r, &base[s]);
	}
	tap_result(!twice && !n, "%s: %s: other bits have no effect (%u have two names, %u scenes)",
		   frame_arch_name(), descs[d].name, twice, n);
}

/* ---- which corner is the provoking one: test_raster_assemble has what follows from it ---- */

static bool first_is_provoking(u32 mode, u32 primitive, u32 draw)
{
	struct mali_chain c = {
		.tlb.map = &frame.map, .arch = frame.v5 ? MALI_V5 : frame.v6 ? MALI_V6 : MALI_V7,
	};
	struct mali_reject why = { };
	struct mali_parser p = { .c = &c, .arch = mali_arch_info(c.arch), .why = &why };
	struct mali_prims prim = { };
	u32 words[32];

	frame_new(1);
	frame_primitive(mode, primitive << 15, 6);
	put_bits(frame_draw_at(), 8, 1, draw);
	memcpy(words, frame.mem + frame_draw_at(), sizeof(words));
	if (mali_prim_read(&p, FRAME_MEM_VA + FRAME_TILER_JOB, words, &prim))
		tap_result(false, "%s: primitive", frame_arch_name());
	return prim.first;
}

static void test_provoking(void)
{
	u32 i, bad = 0;

	for (i = 0; i < 4; i++) {
		bad += first_is_provoking(8, i & 1, i >> 1) != (i & 1);
		bad += first_is_provoking(2, i & 1, i >> 1) != ((i >> 1) != frame.v5);
	}
	tap_result(!bad, "%s: provoking corner: of the primitive, of lines in the draw descriptor",
		   frame_arch_name());
}

/* Alpha to one where colours replace those of the target: what is stored has alpha 1. */
static void test_opaque(void)
{
	u32 at = 30 * frame.size + 30, before;

	scene(COLOUR);
	if (frame.v5)
		frame_w32(desc_at(BLEND) + 8, MALI_BLEND_REPLACE);
	else
		put_bits(desc_at(BLEND) + 8, 0, 2, BLEND_OPAQUE);
	draw();
	before = frame_r32(FRAME_COLOUR + 4 * at);
	put_bits(desc_at(BLEND), 8, 1, 1);
	draw();
	tap_comment("%08x %08x", before, frame_r32(FRAME_COLOUR + 4 * at));
	tap_result(before >> 24 == 0xbf && frame_r32(FRAME_COLOUR + 4 * at) ==
		   (before | 0xff000000), "%s: alpha to one without blending", frame_arch_name());
}

int main(void)
{
	u32 i, k, good;

	frame_begin();
	for (k = 0; k < 3; k++) {
		frame.v5 = k == 0;
		frame.v6 = k == 1;
		for (i = 0, good = 0; i < NUM_SCENES; i++) {
			scene(i);
			base[i] = draw();
			good += !base[i].kind;
			if (base[i].kind)
				tap_comment("scene %u: fault %u, %u", i, base[i].kind,
					    base[i].code);
		}
		tap_result(good == NUM_SCENES, "%s: %u of %u scenes are drawn", frame_arch_name(),
			   good, NUM_SCENES);
		for (i = 0; i < ARRAY_SIZE(fields); i++)
			if (is_here(&fields[i]))
				test_field(&fields[i]);
		for (i = 0; i < NUM_DESCS; i++)
			test_rest(i);
		test_provoking();
		test_opaque();
	}
	frame_end();
	return tap_done();
}
