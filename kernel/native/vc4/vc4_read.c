// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Shader records. */
#include "vc4_cl.h"

#define RECORD_BYTES	36
#define ATTRIBUTE_BYTES	8
#define EXTENDED	100	/* strides of extended records */
#define NV_BYTES	16

#define FLAG_POINT_SIZE	0x2
#define FLAG_CLIP	0x4
#define FLAG_NV_CLIP	0x8

static int read_nv(struct vr_mem *mem, struct vc4_record *r)
{
	u8 b[NV_BYTES];
	int ret;

	ret = vr_read(mem, r->va, b, sizeof(b));
	if (ret)
		return ret;
	r->nv = true;
	r->point_size = b[0] & FLAG_POINT_SIZE;
	r->clips = b[0] & FLAG_CLIP;
	r->coords = b[0] & FLAG_NV_CLIP;
	if (r->clips && !r->coords)
		return -EPROTO;
	r->stride = b[1];
	r->nvary = b[3];
	r->code[VC4_FS] = vc4_u32(b + 4);
	r->uniforms[VC4_FS] = vc4_u32(b + 8);
	r->vertices = vc4_address(vc4_u32(b + 12));
	return vc4_vertex_words(r) > VC4_ROWS ? -EPROTO : 0;
}

static int read_attribute(struct vr_mem *mem, struct vc4_record *r, u32 i, bool extended)
{
	struct vc4_attribute *a = &r->attr[i];
	u8 b[ATTRIBUTE_BYTES], more[4];
	int ret;
	u32 k;

	ret = vr_read(mem, r->va + RECORD_BYTES + i * ATTRIBUTE_BYTES, b, sizeof(b));
	if (ret)
		return ret;
	a->va = vc4_address(vc4_u32(b));
	a->bytes = b[4] + 1;
	a->stride = b[5];
	for (k = 0; k < 2; k++) {
		a->row[k] = b[6 + k] / 4;
		if (r->select[k] >> i & 1 && a->row[k] + DIV_ROUND_UP(a->bytes, 4) > VC4_ROWS)
			return -EPROTO;
	}
	if (!extended)
		return 0;
	ret = vr_read(mem, r->va + EXTENDED + 4 * i, more, sizeof(more));
	a->stride |= vc4_u32(more) & ~0xffU;
	return ret;
}

static int read_gl(struct vr_mem *mem, struct vc4_record *r, u32 word)
{
	static const u8 at[VC4_NUM_STAGES] = { [VC4_VS] = 16, [VC4_CS] = 28, [VC4_FS] = 4 };
	u8 b[RECORD_BYTES];
	u32 i;
	int ret;

	ret = vr_read(mem, r->va, b, sizeof(b));
	if (ret)
		return ret;
	r->point_size = b[0] & FLAG_POINT_SIZE;
	r->clips = b[0] & FLAG_CLIP;
	r->nvary = b[3];
	for (i = 0; i < VC4_NUM_STAGES; i++) {
		r->code[i] = vc4_u32(b + at[i]);
		r->uniforms[i] = vc4_u32(b + at[i] + 4);
	}
	r->select[VC4_VS] = b[14];
	r->select[VC4_CS] = b[26];
	r->nattr = word & 7 ? word & 7 : VC4_MAX_ATTRIBUTES;
	if (vc4_vertex_words(r) > VC4_ROWS)
		return -EPROTO;
	for (i = 0; i < r->nattr && !ret; i++)
		ret = read_attribute(mem, r, i, word & 8);
	return ret;
}

int vc4_record_read(struct vr_mem *mem, struct vc4_record *r, u32 op, u32 word)
{
	u32 i;
	int ret;

	*r = (struct vc4_record){ .va = vc4_address(word) & ~15U };
	ret = op == VC4_NV_STATE ? read_nv(mem, r) : read_gl(mem, r, word);
	if (ret)
		return ret;
	for (i = 0; i < VC4_NUM_STAGES; i++)
		if (r->code[i] & 7 || r->uniforms[i] & 3)
			return -EPROTO;
	return 0;
}

int vc4_add_counters(struct vr_mem *mem, u64 va, const u64 *n)
{
	u64 v[VC4_NUM_EVENTS];
	u32 i;
	int ret;

	ret = vr_read(mem, va, v, sizeof(v));
	if (ret)
		return ret;
	for (i = 0; i < VC4_NUM_EVENTS; i++)
		v[i] += n[i];
	return vr_write(mem, va, v, sizeof(v));
}
