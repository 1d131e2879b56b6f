// SPDX-License-Identifier: MIT
/* Text of frames, command lists and render states of Utgard GPUs. */
#include "utgard_print.h"

/* Name of a memory element type; "?" if unknown. */
static const char *type_name(u32 type)
{
	static const char * const names[] = {
		[UTF_F32] = "f32", [UTF_I32] = "i32", [UTF_U32] = "u32", [UTF_F16] = "f16",
		[UTF_I16] = "i16", [UTF_U16] = "u16", [UTF_I8] = "i8", [UTF_U8] = "u8",
		[UTF_I8N] = "i8n", [UTF_U8N] = "u8n", [UTF_I16N] = "i16n",
		[UTF_U16N] = "u16n", [UTF_I32N] = "i32n", [UTF_U32N] = "u32n",
	};

	if (type == UTF_FIXED)
		return "fixed";
	return type < ARRAY_SIZE(names) && names[type] ? names[type] : "?";
}

struct out {
	char *buf;
	size_t size;
	size_t len;
};

static __printf(2, 3) void put(struct out *o, const char *fmt, ...)
{
	size_t room = o->size > o->len ? o->size - o->len : 0;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(room ? o->buf + o->len : NULL, room, fmt, ap);
	va_end(ap);
	if (n > 0)
		o->len += n;
}

static struct out begin(char *buf, size_t size)
{
	if (size)
		*buf = 0;
	return (struct out){ buf, size, 0 };
}

/* Return: false if it cannot be read; prints that. */
static bool fetch(struct out *o, const struct vs_map *map, u64 va, u32 *w, u32 n)
{
	if (vs_map_read(map, va, w, (u64)n * sizeof(*w)) == (u64)n * sizeof(*w))
		return true;
	put(o, "  0x%08x: cannot be read\n", (u32)va);
	return false;
}

/* binary32 without floating point: sign, whole part, thousandths; else its bits. */
static void put_float(struct out *o, u32 f)
{
	s32 e = (s32)(f >> 23 & 255) - 127;
	u64 m = (f & 0x7fffff) | 0x800000, v;

	if (!(f << 1)) {
		put(o, " %s0.000", f ? "-" : "");
		return;
	}
	if (e < -20 || e > 20) {
		put(o, " 0x%08x", f);
		return;
	}
	/* 43 fraction bits */
	v = m << (20 + e);
	put(o, " %s%llu.%03u", f >> 31 ? "-" : "", (unsigned long long)(v >> 43),
	    (u32)(((v & (BIT_ULL(43) - 1)) * 1000) >> 43));
}

/* ---- commands ---- */

static const char *const modes[] = {
	"points", "lines", "line loop", "line strip", "triangles", "triangle strip",
	"triangle fan"
};

static void put_mode(struct out *o, const struct utf_cmd *c)
{
	u32 mode = c->w[1] >> 16 & 31;

	put(o, ", %s", mode < ARRAY_SIZE(modes) ? modes[mode] : "rectangle");
}

static void put_vs(struct out *o, const struct utf_cmd *c)
{
	switch (c->op) {
	case UTF_VS_DRAW:
		put(o, " %u vertices%s", utf_count(c), c->w[0] & 1 ? ", indexed" : "");
		break;
	case UTF_VS_SHADER_INFO:
		put(o, " %u instructions, prefetch %u", (c->w[0] >> 10 & 0x3ff) + 1,
		    c->w[0] >> 20);
		break;
	case UTF_VS_COUNTS:
		put(o, " %u attributes, %u varyings", (c->w[0] >> 24) + 1,
		    (c->w[0] >> 8 & 0xffff) + 1);
		break;
	case UTF_VS_ATTRIBUTES:
	case UTF_VS_VARYINGS:
		put(o, " %u at 0x%08x", utf_entries(c), c->w[0]);
		break;
	case UTF_VS_UNIFORMS:
		put(o, " %u rows at 0x%08x", utf_bytes(c) / 16, c->w[0]);
		break;
	case UTF_VS_SHADER:
		put(o, " %u instructions at 0x%08x", utf_bytes(c) / 16, c->w[0]);
		break;
	case UTF_VS_SEMAPHORE:
		put(o, c->w[0] == 0x28000 ? " begin 1" : c->w[0] == 1 ? " begin 2" :
		    c->w[0] ? " end, indexed" : " end");
		break;
	case UTF_VS_JUMP:
		put(o, " to 0x%08x", c->w[0]);
		break;
	default:
		break;
	}
}

static void put_primitive(struct out *o, u32 w)
{
	put(o, " index size %u%s%s%s", w >> 9 & 7, w & 0x20000 ? ", cull clockwise" : "",
	    w & 0x40000 ? ", cull counterclockwise" : "", w & 0x1000 ? ", size of command" : "");
}

static void put_plbu(struct out *o, const struct utf_cmd *c)
{
	const u32 *w = c->w;

	switch (c->op) {
	case UTF_PLBU_DRAW_ARRAYS:
	case UTF_PLBU_DRAW_ELEMENTS:
		put(o, " %u from %u", utf_count(c), w[0] & 0xffffff);
		put_mode(o, c);
		break;
	case UTF_PLBU_BOTTOM:
	case UTF_PLBU_TOP:
	case UTF_PLBU_LEFT:
	case UTF_PLBU_RIGHT:
	case UTF_PLBU_SIZE:
	case UTF_PLBU_NEAR:
	case UTF_PLBU_FAR:
		put_float(o, w[0]);
		break;
	case UTF_PLBU_TILES:
		put(o, " %u x %u", (w[0] >> 24) + 1, (w[0] >> 8 & 0xffff) + 1);
		break;
	case UTF_PLBU_PRIMITIVE:
		put_primitive(o, w[0]);
		break;
	case UTF_PLBU_BLOCK_STEP:
		put(o, " least %u, y %u, x %u", w[0] >> 28, w[0] >> 16 & 0xfff, w[0] & 0xffff);
		break;
	case UTF_PLBU_ARRAY:
		put(o, " %u at 0x%08x", (w[1] & 0xffffff) + 1, w[0]);
		break;
	case UTF_PLBU_STRIDE:
		put(o, " %u", w[0]);
		break;
	case UTF_PLBU_SEMAPHORE:
		put(o, w[0] == 0x10002 ? " begin" : " end");
		break;
	case UTF_PLBU_SCISSOR:
		put(o, " x %u to %u, y %u to %u", w[0] >> 30 | (w[1] & 0x1fff) << 2,
		    w[1] >> 13 & 0x7fff, w[0] & 0x7fff, w[0] >> 15 & 0x7fff);
		break;
	case UTF_PLBU_STATE:
		put(o, " 0x%08x, positions 0x%08x", w[0], w[1] << 4);
		break;
	case UTF_PLBU_JUMP:
		put(o, " to 0x%08x", w[0]);
		break;
	case UTF_PLBU_INDEXED_DEST:
	case UTF_PLBU_INDICES:
	case UTF_PLBU_POINT_SIZES:
		put(o, " 0x%08x", w[0]);
		break;
	default:
		break;
	}
}

static void put_descs(struct out *o, const struct vs_map *map, u32 va, u32 n, bool varyings)
{
	u32 i, w[2], type;

	for (i = 0; i < n && fetch(o, map, va + 8ULL * i, w, 2); i++) {
		type = UTF_TYPE(w[1]);
		put(o, "    %u: 0x%08x, stride %u, ", i, w[0], UTF_STRIDE(w[1]));
		if (varyings && type == UTF_SPECIAL && UTF_COMPS(w[1]) <= 2)
			put(o, "%s\n", UTF_COMPS(w[1]) == 1 ? "position" : "point size");
		else
			put(o, "%u x %s\n", UTF_COMPS(w[1]), type_name(type));
	}
}

static void put_list(struct out *o, enum utf_list list, const struct vs_map *map, u32 at, u32 end)
{
	enum utf_reason why;
	struct utf_cmd c;
	u32 w[2], n, va;

	for (n = 0; at != end && n < UTF_MAX_COMMANDS && fetch(o, map, at, w, 2); n++) {
		va = at;
		at += UTF_COMMAND_BYTES;
		why = utf_decode(list, w, &c);
		put(o, "  0x%08x: %08x %08x ", va, w[0], w[1]);
		if (why == UTF_BAD_COMMAND) {
			put(o, "? %s\n", utf_reason_text(why));
			continue;
		}
		put(o, "%s", utf_op_name(c.op));
		if (why) {
			put(o, "? %s\n", utf_reason_text(why));
			continue;
		}
		if (list == UTF_VS)
			put_vs(o, &c);
		else
			put_plbu(o, &c);
		put(o, "\n");
		if (c.op == UTF_VS_ATTRIBUTES || c.op == UTF_VS_VARYINGS)
			put_descs(o, map, c.w[0], utf_entries(&c), c.op == UTF_VS_VARYINGS);
		if (c.op == UTF_VS_JUMP || c.op == UTF_PLBU_JUMP)
			at = c.w[0];
		if (c.op == UTF_PLBU_END)
			return;
	}
	if (n == UTF_MAX_COMMANDS)
		put(o, "  %s\n", utf_reason_text(UTF_LIMIT_COMMANDS));
}

size_t utf_list_print(enum utf_list list, const struct vs_map *map, u32 start, u32 end,
		      char *buf, size_t size)
{
	struct out o = begin(buf, size);

	put_list(&o, list, map, start, end);
	return o.len;
}

size_t utf_gp_print(const struct vs_map *map, u32 va, char *buf, size_t size)
{
	struct out o = begin(buf, size);
	u32 w[UTF_GP_WORDS], word;
	enum utf_reason why;

	put(&o, "frame of the vertex processor\n");
	if (!fetch(&o, map, va, w, UTF_GP_WORDS))
		return o.len;
	put(&o, "  tile heap 0x%08x to 0x%08x\n", w[UTF_GP_HEAP_START], w[UTF_GP_HEAP_END]);
	why = utf_gp_check(w, &word);
	if (why) {
		put(&o, "  word %u: 0x%08x? %s\n", word, w[word], utf_reason_text(why));
		return o.len;
	}
	put(&o, "vertex list 0x%08x to 0x%08x\n", w[UTF_GP_VS_START], w[UTF_GP_VS_END]);
	put_list(&o, UTF_VS, map, w[UTF_GP_VS_START], w[UTF_GP_VS_END]);
	put(&o, "tile list maker's list 0x%08x to 0x%08x\n", w[UTF_GP_PLBU_START],
	    w[UTF_GP_PLBU_END]);
	put_list(&o, UTF_PLBU, map, w[UTF_GP_PLBU_START], w[UTF_GP_PLBU_END]);
	return o.len;
}

/* ---- render state ---- */

static const char *const funcs[8] = {
	"never", "less", "equal", "lequal", "greater", "notequal", "gequal", "always"
};

static const char *const blend_funcs[8] = {
	"subtract", "reverse subtract", "add", "logic", "min", "max", "?", "?"
};

static const char *const factors[32] = {
	"src", "dst", "const", "zero", "src alpha sat", "src1", "?", "?",
	"1-src", "1-dst", "1-const", "one", "?", "1-src1", "?", "?",
	"src alpha", "dst alpha", "const alpha", "?", "?", "src1 alpha", "?", "?",
	"1-src alpha", "1-dst alpha", "1-const alpha", "?", "?", "1-src1 alpha", "?", "?"
};

static const char *const stencil_ops[8] = {
	"keep", "replace", "zero", "invert", "incr wrap", "decr wrap", "incr", "decr"
};

static const char *const varying_types[8] = {
	"4xf32", "2xf32", "4xf16", "2xf16", "2xsnorm16", "2xunorm16", "3xlow", "4xunorm8"
};

static void put_stencil(struct out *o, u32 w)
{
	put(o, "%s %u, mask 0x%02x, fail %s, depth fail %s, pass %s", funcs[w & 7],
	    w >> 16 & 255, w >> 24, stencil_ops[w >> 3 & 7], stencil_ops[w >> 6 & 7],
	    stencil_ops[w >> 9 & 7]);
}

static void put_varying_types(struct out *o, const u32 *w)
{
	u64 types = w[UTF_STATE_VARYINGS] | (u64)(w[UTF_STATE_VARYING] & 15) << 32;
	u32 i;

	for (i = 0; i < 12; i++)
		put(o, "%s%s", i ? " " : "", varying_types[types >> (3 * i) & 7]);
}

static void put_state_word(struct out *o, const u32 *s, u32 i)
{
	u32 w = s[i];

	switch (i) {
	case UTF_STATE_BLEND:
		put(o, "rgb %s %s %s, alpha %s %s %s, mask %x", blend_funcs[w & 7],
		    factors[w >> 6 & 31], factors[w >> 11 & 31], blend_funcs[w >> 3 & 7],
		    factors[w >> 16 & 15], factors[w >> 20 & 15], w >> 28);
		break;
	case UTF_STATE_DEPTH:
		put(o, "%s, %s, offset %d/4 %d/2, register %u%s%s", w & 1 ? "write" : "keep",
		    funcs[w >> 1 & 7], (s8)(w >> 16), (s8)(w >> 24), w >> 6 & 15,
		    w & 0x800 ? ", shader depth" : "", w & 0x1000 ? ", shader stencil" : "");
		break;
	case UTF_STATE_STENCIL:
	case UTF_STATE_STENCIL + 1:
		put_stencil(o, w);
		break;
	case UTF_STATE_SAMPLES:
		put(o, "alpha %s, colors in $%u $%u $%u $%u, samples %x", funcs[w & 7],
		    w >> 16 & 15, w >> 20 & 15, w >> 24 & 15, w >> 28, w >> 12 & 15);
		break;
	case UTF_STATE_SHADER:
		put(o, "0x%08x, first instruction %u words", w & ~31U, w & 31);
		break;
	case UTF_STATE_VARYINGS:
		put_varying_types(o, s);
		break;
	case UTF_STATE_UNIFORMS:
	case UTF_STATE_VARYING:
		put(o, "0x%08x", w & ~15U);
		break;
	case UTF_STATE_AUX0:
		put(o, "varying stride %u, %u samplers", (w & 31) * 8,
		    w & 0x20 ? w >> 14 & 0x3fff : 0);
		break;
	default:
		break;
	}
}

static void put_state(struct out *o, const u32 *s)
{
	enum utf_reason why;
	u32 i, word;

	for (i = 0; i < UTF_STATE_WORDS; i++) {
		put(o, "  %08x %s: ", s[i], utf_state_word_name(i));
		put_state_word(o, s, i);
		put(o, "\n");
	}
	why = utf_state_check(s, &word);
	if (why)
		put(o, "  %s? %s\n", utf_state_word_name(word), utf_reason_text(why));
}

size_t utf_state_print(const u32 *state, char *buf, size_t size)
{
	struct out o = begin(buf, size);

	put_state(&o, state);
	return o.len;
}

size_t utf_pp_print(enum utf_gpu gpu, const struct vs_map *map, u32 va, char *buf, size_t size)
{
	u32 w[UTF_PP_MAX_WORDS], state[UTF_STATE_WORDS], n = utf_pp_words(gpu), i, word;
	struct out o = begin(buf, size);
	enum utf_reason why;

	put(&o, "frame of the pixel processor\n");
	if (!fetch(&o, map, va, w, n))
		return o.len;
	for (i = 0; i < n; i++)
		put(&o, "  %08x %s\n", w[i], utf_pp_word_name(gpu, i));
	why = utf_pp_check(gpu, w, &word);
	if (why)
		put(&o, "  %s? %s\n", utf_pp_word_name(gpu, word), utf_reason_text(why));
	put(&o, "render state 0x%08x\n", w[UTF_PP_RENDER_STATE]);
	if (fetch(&o, map, w[UTF_PP_RENDER_STATE], state, UTF_STATE_WORDS))
		put_state(&o, state);
	return o.len;
}
