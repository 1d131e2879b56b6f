// SPDX-License-Identifier: GPL-2.0
/*
 * Texels and vertices of captures of the external corpus, found through the parsed descriptors:
 * the cases' results are recomputed here and compared with the expected outputs.
 */
#include <math.h>

#include "../include/tap.h"
#include "capture.h"
#include "walked.h"

#define SIDE	8	/* of all images of these cases */

static const char *corpus;

static u32 read_words(const char *name, u32 *w, u32 max)
{
	unsigned int value;
	char path[600];
	u32 n = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/mali/expect/%s.txt", corpus, name);
	f = fopen(path, "r");
	if (!f)
		return 0;
	/* Two lines of text. */
	if (fscanf(f, "%*[^\n]\n%*[^\n]\n") == 0)
		while (n < max && fscanf(f, "%x", &value) == 1)
			w[n++] = value;
	fclose(f);
	return n;
}

static bool texel(const struct capture *cap, u64 va, u32 order, s32 row_stride, u32 bytes, u32 x,
		  u32 y, void *out)
{
	if (order == PX_TILED)
		va += (y / 16) * (s64)row_stride +
		      ((x / 16) * 256 + px_tile_index(x, y)) * bytes;
	else
		va += y * (s64)row_stride + x * bytes;
	return vs_map_read(&cap->map, va, out, bytes) == bytes;
}

static bool tex_texel(const struct capture *cap, const struct tx_texture *t, u32 x, u32 y,
		      u32 layer, void *out)
{
	const struct tx_surface *s = tx_find_surface(t, 0, layer, 0, 0);

	return s && texel(cap, s->va, t->order, s->row_stride, t->format.bytes, x, y, out);
}

static float half(u16 h)
{
	float m = h & 0x3ff;
	u32 e = h >> 10 & 31;

	if (e == 31)
		m = m ? NAN : INFINITY;
	else
		m = ldexpf(e ? m + 1024 : m, (e ? (int)e : 1) - 25);
	return h & 0x8000 ? -m : m;
}

static bool close_to(float a, u32 bits)
{
	float b;

	memcpy(&b, &bits, sizeof(b));
	return (isnan(a) && isnan(b)) || a == b || fabsf(a - b) <= 0.000001f * fabsf(b);
}

/* Three textures: unorm, uint with x and y exchanged, half floats in layers. */
static u32 check_texfetch(const struct capture *cap, const struct mali_launch *l, const u32 *want)
{
	static const float size[4] = { SIDE, SIDE, SIDE, 4 };
	u32 x, y, i, bad = 0, wide[4];
	u16 halves[4];
	u8 bytes[4];

	for (y = 0; y < SIDE; y++)
		for (x = 0; x < SIDE; x++, want += 12) {
			if (!tex_texel(cap, &l->textures[0], x, y, 0, bytes) ||
			    !tex_texel(cap, &l->textures[1], y, x, 0, wide) ||
			    !tex_texel(cap, &l->textures[2], x, y, x & 3, halves))
				return 1000;
			for (i = 0; i < 4; i++) {
				bad += !close_to(bytes[i] / 255.0f, want[i]);
				bad += (wide[i] >> 9 | 0x3f800000) != want[4 + i];
				bad += !close_to(half(halves[i]) + size[i], want[8 + i]);
			}
		}
	return bad;
}

static u32 check_image(const struct capture *cap, const struct mali_launch *l, const u32 *want)
{
	const struct mali_attr_buf *b = &l->attrs.bufs[l->attrs.attr[0].buf];
	u32 order = b->type == MALI_BUF_3D_INTERLEAVED ? PX_TILED : PX_LINEAR;
	u32 x, y, v, bad = 0;

	for (y = 0; y < b->dim[1]; y++)
		for (x = 0; x < b->dim[0]; x++) {
			if (!texel(cap, b->va, order, b->row_stride, b->stride, x, y, &v))
				return 1000;
			bad += (v ^ (b->dim[0] << 16 | b->dim[1])) != want[y * b->dim[0] + x];
		}
	return bad;
}

static bool fetch(const struct capture *cap, const struct mali_attr_table *t, u32 i, u32 vertex,
		  u32 *out)
{
	const struct mali_attr *a = &t->attr[i];
	const struct mali_attr_buf *b = &t->bufs[a->buf];
	u64 va = b->va + (u64)mali_attr_element(b, vertex) * b->stride + a->offset;

	return vs_map_read(&cap->map, va, out, a->format.bytes) == a->format.bytes;
}

/* Integers of a vertex program with two attributes, of four and two components. */
static u32 check_vertices(const struct capture *cap, const struct mali_launch *l, const u32 *want)
{
	u32 v, i, a[4], b[4], bad = 0;

	for (v = 0; v < 6; v++, want += 6) {
		if (!fetch(cap, &l->attrs, 0, v, a) || !fetch(cap, &l->attrs, 1, v, b))
			return 1000;
		for (i = 0; i < 4; i++)
			bad += want[i] != (u32)((s32)a[i] >> 3) + (b[i & 1] & 255);
		bad += want[4] != ((b[1] * 5) ^ a[2]);
		bad += want[5] != ((b[0] * 5) ^ a[3]);
	}
	return bad;
}

static void test_vertices(const char *gpu, enum mali_arch arch)
{
	const struct mali_launch *l;
	struct mali_reject why;
	struct walked c;
	struct capture cap;
	u32 want[100], n;
	char path[600];

	n = read_words("v_int", want, ARRAY_SIZE(want));
	snprintf(path, sizeof(path), "%s/mali/capture/%s/v_int.submit00", corpus, gpu);
	if (!tap_result(capture_load(path, &cap), "%s v_int: loaded", gpu))
		return;
	if (tap_result(!walked_read(&c, arch, &cap.map, cap.jc, 1 << 20, &why),
		       "%s v_int: parsed", gpu)) {
		l = c.jobs[0].launch;
		if (tap_result(n == 36 && l->attrs.n >= 2 && l->attrs.attr[1].format.bytes == 8 &&
			       l->attrs.attr[0].format.bytes == 16, "%s attributes", gpu))
			tap_result(!check_vertices(&cap, l, want), "%s: attributes", gpu);
		walked_free(&c);
	}
	capture_free(&cap);
}

static void test_case(const char *gpu, enum mali_arch arch, bool image)
{
	const char *name = image ? "c_image" : "c_texfetch";
	const struct mali_launch *l;
	struct mali_reject why;
	struct walked c;
	struct capture cap;
	u32 want[1000], n;
	char path[600];

	n = read_words(name, want, ARRAY_SIZE(want));
	snprintf(path, sizeof(path), "%s/mali/capture/%s/%s.submit00", corpus, gpu, name);
	if (!tap_result(capture_load(path, &cap), "%s %s: loaded", gpu, name))
		return;
	if (tap_result(!walked_read(&c, arch, &cap.map, cap.jc, 1 << 20, &why),
		       "%s %s: parsed", gpu, name)) {
		l = c.jobs[0].launch;
		if (image && tap_result(l->attrs.n == 2 && l->attrs.nbufs && n == 64 &&
					l->attrs.bufs[0].dim[0] == SIDE, "%s images", gpu))
			tap_result(!check_image(&cap, l, want), "%s: texels of an image", gpu);
		if (!image && tap_result(l->ntextures == 3 && n == 768, "%s textures", gpu))
			tap_result(!check_texfetch(&cap, l, want), "%s: texels of textures",
				   gpu);
		walked_free(&c);
	}
	capture_free(&cap);
}

int main(int argc, char **argv)
{
	int i;

	for (i = 1; i + 1 < argc; i++)
		if (!strcmp(argv[i], "--corpus"))
			corpus = argv[i + 1];
	if (!corpus) {
		tap_skip("no --corpus", "texels of captures");
		return tap_done();
	}
	for (i = 0; i < 2; i++) {
		test_case("bifrost-g52", MALI_V7, i);
		test_case("midgard-t860", MALI_V5, i);
	}
	test_vertices("bifrost-g52", MALI_V7);
	test_vertices("midgard-t860", MALI_V5);
	return tap_done();
}
