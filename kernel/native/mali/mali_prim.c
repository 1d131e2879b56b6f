// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Primitives of draws: mode, indices, vertices, sizes; and where a frame's lists are. */
#include "../../pixel/px_pack.h"
#include "mali_prim.h"

#define OFF_INVOCATION	32
#define OFF_PRIMITIVE	40
#define OFF_SIZE_V5	184
#define OFF_SIZE	64
#define PRIM_WORDS	6
#define FRAME_MAX	0x47800000U	/* VR_MAX_SIZE, binary32 */
#define ONE		0x3f800000U

/* Words of the tiler context: v4, v5; v6, v7. */
#define LIST_V5		2
#define HEAP_V5		6
#define HEAP_END_V5	8
#define HEAP		6
#define STATE		32
#define CONTEXT_WORDS	10

static const u8 modes[16] = {
	[1] = VR_POINTS, [2] = VR_LINES, [4] = VR_LINE_STRIP, [6] = VR_LINE_LOOP,
	[8] = VR_TRIANGLES, [10] = VR_TRIANGLE_STRIP, [12] = VR_TRIANGLE_FAN, [13] = VR_POLYGON,
	[14] = VR_QUADS_LIST, [15] = VR_QUAD_STRIP,
};

u32 mali_draw_offset(const struct mali_arch_info *arch)
{
	return arch->midgard ? 64 : 128;
}

static u32 mali_prim_mode_of(u32 mode)
{
	/* only points have the number 0 here, and 1 there */
	if (mode >= ARRAY_SIZE(modes) || (!modes[mode] && mode != 1))
		return VR_NUM_MODES;
	return modes[mode];
}

static bool is_line(u32 mode)
{
	return mode == VR_LINES || mode == VR_LINE_STRIP || mode == VR_LINE_LOOP;
}

static void draw_words(const u32 *draw, struct mali_prims *prim)
{
	prim->positions = mali_u64(draw, MALI_DRAW_POSITION);
	prim->instance_size = mali_padded(mali_bits(draw, 0, 16, 8));
}

int mali_prim_read(struct mali_parser *p, u64 job, const u32 *draw, struct mali_prims *prim)
{
	static const u8 index_bytes[8] = { 0, 1, 2, 4 };
	static const u8 size_bytes[4] = { 0, 0, 2, 4 };
	u64 va = job + OFF_PRIMITIVE, groups[3];
	u32 w[PRIM_WORDS], size[2], type;
	int ret;

	ret = mali_words(p, va, w, PRIM_WORDS, 8, "primitive");
	if (ret)
		return ret;
	ret = mali_words(p, job + (p->arch->midgard ? OFF_SIZE_V5 : OFF_SIZE), size, 2, 8,
			 "primitive size");
	if (ret)
		return ret;
	ret = mali_read_size(p, job + OFF_INVOCATION, groups);
	if (ret)
		return ret;
	type = mali_bits(w, 0, 8, 3);
	*prim = (struct mali_prims){
		.mode = mali_prim_mode_of(mali_bits(w, 0, 0, 8)),
		.index_bytes = index_bytes[type],
		.indices = mali_u64(w, 4),
		.count = w[3] + 1,
		.base = w[1],
		.restart = mali_bits(w, 0, 19, 2),
		.restart_index = w[2],
		.first = mali_bits(w, 0, 15, 1),
		.cull = (mali_bits(w, 0, 16, 1) ? VR_DEPTH_CLIP_NEAR : 0) |
			(mali_bits(w, 0, 17, 1) ? VR_DEPTH_CLIP_FAR : 0),
		.size_bytes = size_bytes[mali_bits(w, 0, 11, 2)],
		.size = mali_u64(size, 0),
		.instances = groups[2],
	};
	draw_words(draw, prim);
	/* of lines the draw descriptor says which, and its bit changed its meaning */
	if (is_line(prim->mode))
		prim->first = mali_bits(draw, 0, 8, 1) != p->arch->midgard;
	if (type > 3)
		return mali_reject_at(p, MALI_BAD_PRIMITIVE, "index type", va, w[0]);
	if (prim->mode == VR_NUM_MODES && mali_bits(w, 0, 0, 8))
		return mali_reject_at(p, MALI_BAD_PRIMITIVE, "draw mode", va, w[0]);
	if (prim->restart == 1)
		return mali_reject_at(p, MALI_BAD_PRIMITIVE, "primitive restart", va, w[0]);
	/* 2^32 indices */
	if (!prim->count)
		return mali_reject_at(p, MALI_BAD_PRIMITIVE, "index count", va + 12, w[3]);
	return 0;
}

void mali_prim_frame(const u32 *draw, struct mali_prims *prim)
{
	*prim = (struct mali_prims){ .mode = VR_TRIANGLE_STRIP, .count = 4, .instances = 1 };
	draw_words(draw, prim);
	prim->everywhere = !prim->positions;
}

int mali_prim_index(struct vr_mem *mem, const struct mali_prims *prim, u32 i, u32 instance,
		    u32 *vertex, bool *restart)
{
	u32 bytes = prim->index_bytes;
	u8 index[4] = {};
	int ret;

	*restart = false;
	if (!bytes) {
		*vertex = i + instance * prim->instance_size;
		return 0;
	}
	ret = vr_read(mem, prim->indices + (u64)i * bytes, index, bytes);
	if (!ret)
		*vertex = mali_prim_index_vertex(prim, index, 0, instance, restart);
	return ret;
}

struct vr_vertex mali_prim_corner(u32 vertex)
{
	return (struct vr_vertex){
		.x = vertex & 1 ? FRAME_MAX : 0,
		.y = vertex & 2 ? FRAME_MAX : 0,
		.inv_w = ONE,
	};
}

int mali_prim_size(struct vr_mem *mem, const struct mali_prims *prim, u32 vertex, u32 *size)
{
	static const struct px_format half = { .layout = PX_PLAIN, .comp = PX_FLOAT,
						 .ncomp = 1, .bytes = 2, .bits = { 16 } };
	u32 bytes = prim->size_bytes, v[4] = {};
	int ret;

	*size = (u32)prim->size;
	if (!bytes)
		return 0;
	ret = vr_read(mem, prim->size + (u64)vertex * bytes, v, bytes);
	if (ret)
		return ret;
	if (bytes == 2)
		px_unpack(&half, &(u16){ (u16)v[0] }, v);
	*size = v[0];
	return 0;
}

/* ---- the heap ---- */

int mali_heap_read(struct mali_parser *p, u64 va, struct mali_heap *h)
{
	u32 w[CONTEXT_WORDS], d[8];
	u64 desc;
	int ret;

	ret = mali_words(p, va, w, ARRAY_SIZE(w), 8, "tiler context");
	if (ret)
		return ret;
	if (p->arch->midgard) {
		h->list = mali_u64(w, LIST_V5);
		h->heap.lo = mali_u64(w, HEAP_V5);
		h->heap.hi = mali_u64(w, HEAP_END_V5);
		return 0;
	}
	h->list = va + STATE * sizeof(*w);
	desc = mali_u64(w, HEAP);
	ret = mali_words(p, desc, d, ARRAY_SIZE(d), 64, "tiler heap");
	if (ret)
		return ret;
	h->heap.lo = mali_u64(d, 4);
	h->heap.hi = mali_u64(d, 6);
	return 0;
}
