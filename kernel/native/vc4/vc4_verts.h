/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Vertices of draws: attribute fetch, launches of vertex or coordinate shaders, and their results
 * in a cache of batches. A batch is 16 successive vertices.
 */
#ifndef VS_VC4_VERTS_H
#define VS_VC4_VERTS_H

#include "../../isa/qpu/qpu_feed.h"
#include "vc4_cl.h"

#define VC4_BATCH	16	/* vertices */
#define VC4_WAYS	4
#define VC4_SETS	48
#define VC4_BATCHES	(VC4_SETS * VC4_WAYS)

/**
 * struct vc4_batch - Results of a thread.
 * @draw:	tag of the draw
 * @number:	first vertex / VC4_BATCH
 * @used:	time of the last use, 0: empty
 * @bad:	vertices with an attribute that is not mapped
 * @ready:	@row is valid
 * @words:	of a vertex
 * @row:	word by word, of each vertex; the first @words
 */
struct vc4_batch {
	u32 draw;
	u32 number;
	u32 used;
	u16 bad;
	bool ready;
	u8 words;
	u32 row[VC4_ROWS][VC4_BATCH];
};

/**
 * struct vc4_vertex - A shaded vertex.
 * @clip:	clip coordinates, binary32; not of vertex shaders
 * @x:		relative to the viewport's centre, 1/16 pixels
 * @y:		"
 * @z:		binary32
 * @inv_w:	"
 * @size:	of a point, binary32; 0 without one
 * @vary:	varyings
 * @step:	from one to the next
 */
struct vc4_vertex {
	u32 clip[4];
	s32 x;
	s32 y;
	u32 z;
	u32 inv_w;
	u32 size;
	const u32 *vary;
	u32 step;
};

/**
 * struct vc4_verts - Vertices of the current draw.
 * @mem:	memory of the guest
 * @m:		machine
 * @stage:	VC4_VS or VC4_CS
 * @draw:	tag of the draw
 * @r:		its record
 * @words:	of a shaded vertex
 * @clock:	time
 * @batch:	VC4_BATCHES of them
 * @last:	the one of the draw that was found last, or NULL
 * @nwant:	number of batches to shade
 * @want:	batches
 * @thread:	their threads
 * @nv:		vertices of records without vertex programs
 */
struct vc4_verts {
	struct vr_mem *mem;
	struct qpu_machine *m;
	u32 stage;
	u32 draw;
	const struct vc4_record *r;
	u32 words;
	u32 clock;
	struct vc4_batch *batch;
	struct vc4_batch *last;
	u32 nwant;
	struct vc4_batch *want[QPU_NUM];
	struct qpu_thread thread[QPU_NUM];
	u32 nv[3][VC4_ROWS];
};

/* Vertices are those of a draw with tag @draw; @r is used until the next call. */
void vc4_verts_use(struct vc4_verts *v, const struct vc4_record *r, u32 draw);

#define VC4_LAUNCH	2	/* vc4_verts_launch(), then try again */

/**
 * vc4_verts_get - a vertex of the current draw
 * @v: vertices
 * @index: which one
 * @corner: of the caller's, below 3
 * @out: result; @vary is valid until the next launch, or the next call for @corner
 *
 * Return: 0; VC4_LAUNCH: it has to be shaded; -EFAULT.
 */
int vc4_verts_get(struct vc4_verts *v, u32 index, u32 corner, struct vc4_vertex *out);
/* Make VC4_BATCHES of any content empty: their other members are not read. */
void vc4_verts_forget(struct vc4_batch *batch);
/* Shade a vertex with the next launch, too, if there is room. */
void vc4_verts_want(struct vc4_verts *v, u32 index);
/* Begin to shade the wanted batches. */
void vc4_verts_launch(struct vc4_verts *v, enum vs_simd simd);
/* The launch has ended without a fault. */
void vc4_verts_done(struct vc4_verts *v);

#endif /* VS_VC4_VERTS_H */
