/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Bins: primitives are put into the lists of the bins that they may cover, from which a frame takes
 * them. The format of lists is the chip's; for chips whose format is not documented there is one
 * of our own, struct vr_lists.
 */
#ifndef VR_BIN_H
#define VR_BIN_H

#include "vr_mem.h"
#include "vs_raster.h"

#define VR_FAR	0x20000	/* pixels; frames are smaller */

struct vr_binner;

/**
 * struct vr_bin_ops - Operations of a chip; all return 0 or a negative errno, which ends the job.
 * @vertex:	read a vertex of the draw
 * @triangle:	read three of them at once; NULL: in turn
 * @size:	size of the point or line of a vertex, binary32
 * @begin:	a primitive of the frame follows
 * @add:	add it to the list of a bin, in the order of the draws
 */
struct vr_bin_ops {
	int (*vertex)(struct vr_binner *b, u32 index, struct vr_vertex *v);
	int (*triangle)(struct vr_binner *b, const u32 index[3], struct vr_vertex v[3]);
	int (*size)(struct vr_binner *b, u32 index, u32 *size);
	int (*begin)(struct vr_binner *b, const struct vr_corners *c);
	int (*add)(struct vr_binner *b, u32 x, u32 y);
};

/**
 * struct vr_binner - Binning of a draw's primitives.
 * @ops:	operations of the chip
 * @mem:	memory of the guest
 * @side:	log2 of a bin's width and height, pixels
 * @first:	first column and row that may be drawn, pixels
 * @frame:	last column and row, of the frame or less
 * @samples:	of a pixel, 0: unknown
 * @cull:	sides of triangles that are left out: VR_FRONT_CCW, VR_CULL_*
 * @simd:	executor
 * @keep:	an index is the same vertex in all primitives, and may come again
 * @nlast:	number of @last
 * @last:	indices of the last triangle's vertices, with @keep
 * @vertex:	these vertices
 * @busy:	the current primitive has bins left
 * @box:	its bins: x0, y0, x1, y1
 * @x:		next bin
 * @y:		"
 */
struct vr_binner {
	const struct vr_bin_ops *ops;
	struct vr_mem mem;
	u32 side[2];
	u32 first[2];
	u32 frame[2];
	u32 samples;
	u32 cull;
	enum vs_simd simd;
	bool keep;
	u32 nlast;
	u32 last[3];
	struct vr_vertex vertex[3];
	bool busy;
	s32 box[4];
	s32 x;
	s32 y;
};

/* Largest integer that is not above a binary32, from -VR_FAR to VR_FAR; NaN is -VR_FAR. */
s32 vr_floor(u32 f);

/*
 * Begin a primitive; culled or without a pixel in the frame it has no bin. Return: 0, or an
 * operation's.
 */
int vr_bin_primitive(struct vr_binner *b, const struct vr_corners *c);
/* Add the current primitive, of a binner that is busy, to a bin. Return: 0, or an operation's. */
int vr_bin_step(struct vr_binner *b);

/* ---- lists ---- */

#define VR_LISTS_MAGIC		0x54534c56U
#define VR_CHUNK_MAGIC		0x4b4e4843U
#define VR_CHUNK_ENTRIES	30

/**
 * struct vr_lists - Head of a frame's lists, in memory.
 * @magic:	VR_LISTS_MAGIC; else there are none
 * @width:	bins in a row
 * @height:	rows of bins
 * @cleared:	number of bins that have been cleared
 * @bins:	struct vr_bin of each, row by row
 * @used:	end of what is used of the heap
 */
struct vr_lists {
	u32 magic;
	u32 width;
	u32 height;
	u32 cleared;
	u64 bins;
	u64 used;
};

/**
 * struct vr_bin - List of a bin's primitives, in memory.
 * @first:	first chunk, 0: empty
 * @last:	last chunk
 */
struct vr_bin {
	u64 first;
	u64 last;
};

/**
 * struct vr_chunk - Part of a list, in memory.
 * @magic:	VR_CHUNK_MAGIC
 * @n:		number of entries
 * @next:	next chunk, 0: none
 * @entry:	addresses of primitives, in the order of the draws
 */
struct vr_chunk {
	u32 magic;
	u32 n;
	u64 next;
	u64 entry[VR_CHUNK_ENTRIES];
};

/**
 * struct vr_list - List that an entry has been added to last. Zeros: none.
 * @va:		its struct vr_bin, 0: none
 * @bin:	as in memory
 * @n:		entries of the last chunk
 */
struct vr_list {
	u64 va;
	struct vr_bin bin;
	u32 n;
};

/**
 * struct vr_heap - Where lists grow.
 * @lo:		heap
 * @hi:		end of the heap
 */
struct vr_heap {
	u64 lo;
	u64 hi;
};

/* Take bytes of the heap. Return: 0; -EFAULT: it is used up. */
int vr_lists_take(struct vr_lists *l, struct vr_mem *mem, const struct vr_heap *heap, u32 size,
		  u64 *va);
/* New lists of so many bins at the beginning of the heap. */
void vr_lists_init(struct vr_lists *l, const struct vr_heap *heap, u32 width, u32 height);
/* Are lists in memory those of a frame of so many bins? */
bool vr_lists_match(const struct vr_lists *l, u32 width, u32 height);

/* Have all bins been cleared? */
static inline bool vr_lists_cleared(const struct vr_lists *l)
{
	return l->cleared >= l->width * l->height;
}

#define VR_CLEAR_BINS	64	/* at a time */

/* Clear some of a new frame's bins. Return: 0, or -EFAULT. */
int vr_lists_clear(struct vr_lists *l, struct vr_mem *mem, const struct vr_heap *heap);
/* Add @entry to the list of a bin, which becomes @list. Return: 0, or -EFAULT. */
int vr_lists_add(struct vr_lists *l, struct vr_mem *mem, const struct vr_heap *heap,
		 struct vr_list *list, u32 bin, u64 entry);
/*
 * Begin to read the list of a bin: @c gets an empty chunk before the first one. Return: 0, or
 * -EFAULT.
 */
int vr_lists_read(const struct vr_lists *l, struct vr_mem *mem, u32 x, u32 y, struct vr_chunk *c);

#endif /* VR_BIN_H */
