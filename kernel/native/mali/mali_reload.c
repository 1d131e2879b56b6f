// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Draws that copy the target to itself: rectangles over all of it, with which Mesa reloads tiles of
 * Midgard. Where nothing follows in a tile, memory stays as it is; elsewhere the pixels are
 * loaded, as by a chip that has loads.
 *
 * Results are the same in every bit. Texels of four bytes are numbers from 0 to 1, which become the
 * same bytes; nearest filtering at pixel centres has half a texel for rounding; pixels of a tiled
 * image that are outside of the frame are cleared, as by the draw.
 */
#include "../../pixel/px_pack.h"
#include "mali_frame.h"

#define CORNERS		4
#define ONE		0x3f800000U
#define SIDE		16	/* of a part */
#define PARTS		(VR_TILE / SIDE)

/* The triangles of a strip, as bits of their vertices. */
static const u32 halves[2] = { 7, 14 };

/* ---- the draw ---- */

static bool is_same_format(const struct tx_texture *t, const struct px_format *f)
{
	u32 i;

	for (i = 0; i < 4; i++)
		if (t->swizzle[i] > 3 || t->format.swizzle[t->swizzle[i]] != f->swizzle[i])
			return false;
	return vr_is_bytes(&t->format) && vr_is_bytes(f);
}

/* Is the texture the image? Every level of detail is its only level. */
static bool reload_is_image(const struct tx_texture *t, const struct vr_image *m)
{
	const struct tx_surface *s = tx_find_surface(t, 0, 0, 0, 0);
	u64 stride = (u64)t->width * m->format.bytes;

	if (!s || !t->va || t->bad || t->dim != TX_DIM_2D || t->corner || t->array_size != 1 ||
	    t->samples != 1 || t->levels != 1 || t->min_level || t->order != m->order)
		return false;
	if (t->order == PX_TILED)
		stride = (u64)DIV_ROUND_UP(t->width, PX_TILE) * PX_TILE * PX_TILE * m->format.bytes;
	if (s->row_stride)
		stride = s->row_stride;
	return s->va == m->va && stride == m->row_stride && t->width >= m->width &&
	       t->height >= m->height && is_same_format(t, &m->format);
}

/* Is the texel at a pixel's centre the pixel, and no other? */
static bool is_exact(const struct tx_sampler *s)
{
	return s->va && !s->bad && s->mag_nearest && s->min_nearest && !s->normalized &&
	       !s->round_nearest && s->max_aniso <= 1;
}

/* Does every pixel pass, and become the program's colour? */
static bool passes_all(const struct mali_state *s, const struct mali_fb *fb)
{
	const struct vr_state *rs = &s->d.rs;

	return fb->samples == 1 && fb->ntargets == 1 && fb->image[0].va && !s->frag.flags &&
	       !s->d.zs_only && !s->d.zs.flags && !s->occlusion && rs->sample_mask & 1 &&
	       !(rs->flags & (VR_CULL_FRONT | VR_CULL_BACK)) &&
	       !rs->scissor[0] && !rs->scissor[1] && rs->scissor[2] >= fb->width - 1 &&
	       rs->scissor[3] >= fb->height - 1 && vr_is_bytes(&fb->format[0]) &&
	       mali_frag_replaces(&s->frag.blend[0]);
}

/* The attribute of a varying in memory that is binary32; NULL: none. */
static const struct mali_attr *coordinates(const struct mali_launch *l, u32 i)
{
	const struct mali_attr_table *t = &l->varyings;
	const struct mali_attr *a = i < t->n ? &t->attr[i] : NULL;

	if (!a || !a->va || a->bad || a->buf >= t->nbufs ||
	    t->bufs[a->buf].type < MALI_BUF_1D || t->bufs[a->buf].type > MALI_BUF_NPOT_DIVISOR ||
	    a->format.layout != PX_PLAIN || a->format.comp != PX_FLOAT || a->format.ncomp < 2 ||
	    a->format.bits[0] != 32 || a->format.bits[1] != 32 || a->format.swizzle[0] ||
	    a->format.swizzle[1] != 1 || a->format.big_endian)
		return NULL;
	return a;
}

/* Is corner @i at the frame's, visible, and are its coordinates its position? */
static bool is_corner(struct vr_mem *mem, const struct mali_state *s, const struct mali_fb *fb,
		      const struct mali_attr *a, u32 i)
{
	const struct mali_attr_buf *b = &s->launch->varyings.bufs[a->buf];
	u64 at = (u64)i * b->stride + a->offset;
	struct vr_vertex v;
	u32 st[2];

	if (mali_prim_vertex(mem, &s->prim, i, &v) || at >= b->size ||
	    vr_read(mem, b->va + at, st, sizeof(st)))
		return false;
	return v.x == (i & 1 ? px_u32_to_f32(fb->width) : 0) && st[0] == v.x &&
	       v.y == (i & 2 ? px_u32_to_f32(fb->height) : 0) && st[1] == v.y &&
	       v.inv_w == ONE && !v.z && !s->d.depth.range[0];
}

bool mali_reload_is(struct vr_mem *mem, const struct mali_fb *fb, const struct mali_state *s,
		    const struct mali_run *run)
{
	const struct mali_launch *l = s->launch;
	const struct mali_attr *a;
	struct mali_copy c;
	u32 i;

	if (!passes_all(s, fb) || !mali_run_copies(run, &c) || c.texture >= l->ntextures ||
	    c.sampler >= l->nsamplers || !is_exact(&l->samplers[c.sampler]) ||
	    !reload_is_image(&l->textures[c.texture], &fb->image[0]))
		return false;
	a = coordinates(l, c.varying);
	for (i = 0; a && i < CORNERS; i++)
		if (!is_corner(mem, s, fb, a, i))
			return false;
	return a;
}

/* ---- tiles ---- */

/* Is an entry of a tile's list half @i of the rectangle? */
static bool reload_is_half(struct mali_frame *f, u32 i)
{
	struct mali_binned b;
	u32 k, seen = 0;

	if (vr_read(&f->f.mem, f->chunk.entry[i], &b, sizeof(b)) || b.n != 3 ||
	    b.job + mali_draw_offset(f->p.arch) != f->reload)
		return false;
	for (k = 0; k < 3; k++)
		seen |= b.vertex[k] < CORNERS ? BIT(b.vertex[k]) : BIT(CORNERS);
	return seen == halves[i];
}

/* Parts that are partly outside of an image in tiles: a store clears the rest. */
static u16 cut_parts(const struct vr_frame *vf, const struct vr_image *m)
{
	u32 i, x, y;
	u16 parts = 0;

	for (i = 0; i < PARTS * PARTS && m->order == PX_TILED; i++) {
		x = vf->tx * VR_TILE + i % PARTS * SIDE;
		y = vf->ty * VR_TILE + i / PARTS * SIDE;
		if (x < m->width && y < m->height && (x + SIDE > m->width || y + SIDE > m->height))
			parts |= BIT(i);
	}
	return parts;
}

bool mali_reload_tile(struct mali_frame *f, bool *idle)
{
	const struct mali_fb *fb = &f->t->fb;
	const struct vr_image *m = &fb->image[0];
	bool alone;

	if (f->chunk.n < 2 || !reload_is_half(f, 0) || !reload_is_half(f, 1))
		return false;
	alone = f->chunk.n == 2 && !f->chunk.next && !fb->clean_zs;
	f->load = (struct vr_access){ .image = m, .dirty = cut_parts(&f->f, m) };
	if (alone)
		f->load.without = ~f->load.dirty;
	*idle = alone && !f->load.dirty;
	f->next = 2;
	return true;
}
