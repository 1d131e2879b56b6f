// SPDX-License-Identifier: GPL-2.0
/* Random jobs for the validator. */
#include "valgen.h"

static void put16(u8 *p, u32 v)
{
	p[0] = (u8)v;
	p[1] = (u8)(v >> 8);
}

static void put32(u8 *p, u32 v)
{
	put16(p, v);
	put16(p + 2, v >> 16);
}

/* ---- buffer objects ---- */

static void put_bos(struct vg_job *j, const struct vc4_shader_info *pool, u32 n)
{
	static const u32 sizes[] = { 0x1000, 0x2000, 0x4000, 0x10000, 0x40000, 0x100000,
				     0x1000000 };
	u32 i;

	j->nbos = 6 + vg_rnd(VG_MAX_BOS - 6);
	for (i = 0; i <= j->nbos; i++) {
		/* two fragment and vertex programs at least, and data */
		bool program = i < 3 || i == j->nbos || !vg_rnd(3);

		if (i == 3 || i == 4)
			program = false;
		j->va[i] = 0x04000000 + i * 0x01000000;
		j->shader[i] = program ? (int)vg_rnd(n) : -1;
		while (i == 1 && pool[j->shader[i]].threaded)
			j->shader[i] = (int)vg_rnd(n);
		j->bytes[i] = program ? 0x1000 : sizes[vg_rnd(ARRAY_SIZE(sizes))];
	}
	j->bytes[3] = 0x1000000;
}

static u32 any_data(const struct vg_job *j)
{
	u32 i;

	do
		i = vg_rnd(j->nbos);
	while (j->shader[i] >= 0);
	return i;
}

static u32 any_program(const struct vg_job *j, const struct vc4_shader_info *pool, bool vertex)
{
	u32 i;

	do
		i = vg_rnd(j->nbos);
	while (j->shader[i] < 0 || (vertex && pool[j->shader[i]].threaded));
	return i;
}

/* ---- uniforms ---- */

static void put_texture(struct vg_job *j, const struct vc4_lookup *l, u8 *values, u32 bo)
{
	static const u8 types[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16, 0, 0, 4 };
	u32 type = types[vg_rnd(ARRAY_SIZE(types))], side = 1 + vg_rnd(64), p[4], i;
	u32 cube = l->p[2] != VC4_NO_UNIFORM && !vg_rnd(8);
	u32 levels = vg_rnd(3) ? 0 : vg_rnd(4), base = levels || !vg_rnd(3) ? 0x6000 : 0;

	if (base + 0x8000 > j->bytes[bo]) {
		base = 0;
		levels = 0;
		cube = 0;
	}
	while (side > 1 && (u64)side * side * 8 + base > j->bytes[bo])
		side /= 2;
	if (!vg_rnd(16))
		side = 1 + vg_rnd(2047);
	p[0] = base | levels | (type & 15) << 4 | cube << 9 | vg_rnd(4) << 10;
	p[1] = (type >> 4) << 31 | side << 20 | (1 + vg_rnd(side)) << 8 | vg_rnd(256);
	p[2] = !cube ? vg_rnd(2) : vg_rnd(32) ? 0x40001000 : 0x73333000;
	p[3] = 0;
	for (i = 0; i < 4; i++)
		if (l->p[i] != VC4_NO_UNIFORM)
			put32(values + l->p[i], p[i]);
}

static void put_lookup(struct vg_job *j, const struct vc4_lookup *l, u8 *handle, u8 *values)
{
	u32 bo = l->after || vg_rnd(2) ? 3 : any_data(j), base = 4 * vg_rnd(64);

	put32(handle, bo);
	if (l->direct) {
		put32(values + l->p[0], base);
		put32(values + l->p[1], vg_rnd(8) ? 4 * vg_rnd(512) : j->bytes[bo] - 4 - base);
	} else if (l->after) {
		/* small as a texture, and as an offset */
		put32(values + l->p[0], 0);
		put32(values + l->p[1], (1 + vg_rnd(8)) << 20 | vg_rnd(512) << 8);
	} else {
		put_texture(j, l, values, bo);
	}
}

static void put_uniforms(struct vg_job *j, const struct vc4_shader_info *s)
{
	u8 *handles = j->uniforms + j->uniform_bytes, *values = handles + 4 * s->nlookups;
	u32 i;

	if (j->uniform_bytes + s->uniform_bytes + 4 * s->nlookups > VG_MAX_BYTES / 2)
		return;
	for (i = 0; i < s->uniform_bytes; i++)
		values[i] = (u8)vg_rnd(256);
	for (i = 0; i < s->nlookups; i++)
		put_lookup(j, &s->lookup[i], handles + 4 * i, values);
	j->uniform_bytes += s->uniform_bytes + 4 * s->nlookups;
}

/* ---- records ---- */

static void put_attribute(struct vg_job *j, u8 *p, u8 *more, u32 bo, u32 max_index)
{
	u32 bytes = 1 + vg_rnd(16), stride = vg_rnd(4) ? vg_rnd(32) : 0, offset = vg_rnd(256);

	if (!vg_rnd(8)) {
		/* as many vertices as there are, or one less */
		stride = (j->bytes[bo] - offset - bytes) / (max_index + vg_rnd(2));
		if (stride > 255 && !more)
			stride = 0;
	}
	put32(p, offset);
	p[4] = (u8)(bytes - 1);
	p[5] = (u8)stride;
	if (more)
		put32(more, (stride & ~255U) | vg_rnd(256));
}

static void put_record(struct vg_job *j, const struct vc4_shader_info *pool, u32 word,
		       u32 max_index)
{
	u32 nattr = word & 7 ? word & 7 : 8, size = word & 8 ? 100 + 4 * nattr : 36 + 8 * nattr, i;
	u8 *handles = j->records + j->record_bytes, *r = handles + 4 * (3 + nattr);
	u32 bo[3] = { any_program(j, pool, false), any_program(j, pool, true),
		      any_program(j, pool, true) };

	memset(r, 0, size);
	r[0] = 4 | !pool[j->shader[bo[0]]].threaded;
	for (i = 0; i < 3; i++) {
		put32(handles + 4 * i, bo[i]);
		put_uniforms(j, &pool[j->shader[bo[i]]]);
	}
	for (i = 0; i < nattr; i++) {
		u32 data = any_data(j);

		put32(handles + 4 * (3 + i), data);
		put_attribute(j, r + 36 + 8 * i, word & 8 ? r + 100 + 4 * i : NULL, data,
			      max(max_index, 1U));
	}
	j->record_bytes += 4 * (3 + nattr) + size;
	j->max_records++;
}

/* ---- lists ---- */

static void put_packet(struct vg_job *j, u32 op, u32 bytes)
{
	u32 i;

	j->list[j->list_bytes++] = (u8)op;
	for (i = 1; i < bytes; i++)
		j->list[j->list_bytes++] = (u8)vg_rnd(256);
}

static u32 put_draw(struct vg_job *j)
{
	u32 count = vg_rnd(64), first = vg_rnd(8), size, bo;
	u8 *p;

	if (vg_rnd(2)) {
		put_packet(j, VC4_ARRAY, 10);
		put32(j->list + j->list_bytes - 8, count + 1);
		put32(j->list + j->list_bytes - 4, first);
		return count + first;
	}
	bo = any_data(j);
	put_packet(j, 0xfe, 9);
	put32(j->list + j->list_bytes - 8, bo);
	put_packet(j, VC4_INDEXED, 14);
	p = j->list + j->list_bytes - 13;
	size = vg_rnd(2);
	p[0] = (u8)(size << 4 | 4);
	put32(p + 1, vg_rnd(8) ? count : (j->bytes[bo] - first) / (1 + size));
	put32(p + 5, first);
	put32(p + 9, count);
	return count;
}

static void put_list(struct vg_job *j, const struct vc4_shader_info *pool)
{
	static const u8 packets[][2] = {
		{ VC4_NOP, 1 }, { VC4_FLUSH_ALL, 1 }, { VC4_LIST_FORMAT, 2 }, { VC4_CONFIG, 4 },
		{ VC4_FLAT, 5 }, { VC4_POINT_SIZE, 5 }, { VC4_LINE_WIDTH, 5 }, { VC4_RHT_X, 3 },
		{ VC4_DEPTH_OFFSET, 5 }, { VC4_CLIP_WINDOW, 9 }, { VC4_VIEWPORT, 5 },
		{ VC4_XY_SCALE, 9 }, { VC4_Z_SCALE, 9 },
	};
	u32 states = vg_rnd(4), draws, largest, word, i, k;

	put_packet(j, VC4_BIN_CONFIG, 16);
	j->list[13] = (u8)(1 + vg_rnd(vg_rnd(4) ? 8 : 255));
	j->list[14] = (u8)(1 + vg_rnd(vg_rnd(4) ? 8 : 40));
	j->list[15] &= 0x7d;
	put_packet(j, VC4_START_BINNING, 1);
	for (i = 0; i < states; i++) {
		k = vg_rnd(ARRAY_SIZE(packets));
		put_packet(j, packets[k][0], packets[k][1]);
		word = vg_rnd(16);
		put_packet(j, VC4_GL_STATE, 5);
		put32(j->list + j->list_bytes - 4, word);
		largest = 0;
		for (draws = vg_rnd(4); draws; draws--) {
			u32 last = put_draw(j);

			largest = max(largest, last);
			k = vg_rnd(ARRAY_SIZE(packets));
			put_packet(j, packets[k][0], packets[k][1]);
		}
		put_record(j, pool, word, largest);
	}
	put_packet(j, VC4_INCREMENT_SEMAPHORE, 1);
	put_packet(j, VC4_FLUSH, 1);
}

/* ---- frames ---- */

static void put_surface(struct vg_job *j, u32 i)
{
	struct vc4_val_surface *s = &j->frame.surface[i];
	bool zs = i == VC4_ZS_READ || i == VC4_ZS_WRITE;

	*s = (struct vc4_val_surface){ .bo = VC4_NO_SURFACE };
	if (vg_rnd(2))
		return;
	s->bo = vg_rnd(16) ? 3 : any_data(j);
	s->offset = 16 * vg_rnd(64);
	if (i >= VC4_MSAA_COLOR_WRITE)
		return;
	if (i == VC4_COLOR_WRITE)
		s->bits = (u16)(vg_rnd(3) << 6 | vg_rnd(3) << 2 | (vg_rnd(4) ? 0 : 0x11));
	else if (i != VC4_ZS_WRITE && !vg_rnd(3))
		s->flags = 1;
	else
		s->bits = (u16)(vg_rnd(3) << 4 | (zs ? 2 : 1 | vg_rnd(3) << 8));
}

static void put_frame(struct vg_job *j)
{
	u32 columns = j->list_bytes ? j->list[13] : 4, rows = j->list_bytes ? j->list[14] : 4, i;
	struct vc4_val_frame *f = &j->frame;

	f->width = (u16)(1 + vg_rnd(vg_rnd(16) ? 256 : 4096));
	f->height = (u16)(1 + vg_rnd(vg_rnd(16) ? 256 : 4096));
	f->min_x = (u8)vg_rnd(min(columns, 4U));
	f->min_y = (u8)vg_rnd(min(rows, 4U));
	f->max_x = (u8)min(f->min_x + vg_rnd(3), columns - 1);
	f->max_y = (u8)min(f->min_y + vg_rnd(3), rows - 1);
	f->flags = vg_rnd(2);
	for (i = 0; i < 4; i++)
		f->clear[i] = vg_rnd(256);
	for (i = 0; i < VC4_NUM_SURFACES; i++)
		put_surface(j, i);
}

void vg_job(struct vg_job *j, const struct vc4_shader_info *pool, u32 n)
{
	j->list_bytes = 0;
	j->record_bytes = 0;
	j->uniform_bytes = 0;
	j->max_records = 0;
	put_bos(j, pool, n);
	if (vg_rnd(8))
		put_list(j, pool);
	put_frame(j);
}

/* ---- changes ---- */

static u32 any_value(const struct vg_job *j)
{
	static const u32 values[] = { 0, 1, 2, 4, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff,
				      0xfffffffc, 0x1000, 0xffc, 0xffd, 0x4000, 0x10000, 0x1000000,
				      0xfffff000, 0x73333000, 0x40001000, 0x7ffff000 };

	switch (vg_rnd(4)) {
	case 0:
		return values[vg_rnd(ARRAY_SIZE(values))];
	case 1:
		return j->nbos - 1 + vg_rnd(3);
	case 2:
		return vg_rnd(2) ? vg_rnd(0x10000) : vg_rnd(~0U);
	default:
		return j->bytes[vg_rnd(j->nbos)] - vg_rnd(64);
	}
}

static void change_bytes(const struct vg_job *j, u8 *p, u32 n)
{
	u32 at, from;

	if (!n)
		return;
	at = vg_rnd(n);
	switch (vg_rnd(6)) {
	case 0:
		p[at] = (u8)vg_rnd(256);
		break;
	case 4:
		/* words of another place */
		from = vg_rnd(n);
		memmove(p + at, p + from, min(n - max(at, from), 4 * (1 + vg_rnd(4))));
		break;
	case 1:
		p[at] ^= (u8)(1 << vg_rnd(8));
		break;
	default:
		if (vg_rnd(4))
			at &= ~3U;
		if (at + 4 <= n)
			put32(p + at, any_value(j));
	}
}

static void change_list(struct vg_job *j)
{
	static const u8 ops[] = { 0, 1, 4, 5, 6, 7, 8, 16, 0x20, 0x21, 0x30, 0x38, 0x40, 0x41, 0x60,
				  0x64, 0x68, 0x6a, 0x70, 0x71, 0xfe, 0xff };
	u32 at;

	if (!j->list_bytes)
		return;
	at = vg_rnd(j->list_bytes);
	switch (vg_rnd(6)) {
	case 0:
		j->list[at] = ops[vg_rnd(ARRAY_SIZE(ops))];
		break;
	case 1:
		j->list_bytes -= 1 + vg_rnd(min(j->list_bytes, 3U));
		break;
	case 2:
		/* a packet of one byte */
		memmove(j->list + at + 1, j->list + at, j->list_bytes - at);
		j->list[at] = ops[vg_rnd(8)];
		j->list_bytes++;
		break;
	default:
		change_bytes(j, j->list, j->list_bytes);
	}
}

static void change_frame(struct vg_job *j)
{
	struct vc4_val_frame *f = &j->frame;
	struct vc4_val_surface *s = &f->surface[vg_rnd(VC4_NUM_SURFACES)];

	switch (vg_rnd(10)) {
	case 0:
		s->bo = any_value(j);
		break;
	case 1:
		s->offset = any_value(j);
		break;
	case 2:
		s->offset += vg_rnd(32);
		break;
	case 3:
		s->bits ^= (u16)(1 << vg_rnd(16));
		break;
	case 4:
		s->flags ^= (u16)(1 << vg_rnd(vg_rnd(4) ? 1 : 16));
		break;
	case 5:
		f->width = (u16)(vg_rnd(2) ? 4090 + vg_rnd(16) : vg_rnd(0x10000));
		break;
	case 6:
		f->max_x = (u8)(vg_rnd(2) ? f->max_x + 1 : vg_rnd(256));
		break;
	case 7:
		f->max_y = (u8)(vg_rnd(2) ? f->max_y + 1 : vg_rnd(256));
		break;
	case 8:
		if (j->list_bytes)
			f->max_x = j->list[13];
		break;
	default:
		f->min_x = (u8)vg_rnd(256);
	}
}

static void change_counts(struct vg_job *j)
{
	u32 i;

	switch (vg_rnd(6)) {
	case 0:
		j->max_records += vg_rnd(3) - 1;
		break;
	case 1:
		j->uniform_bytes -= min(j->uniform_bytes, 4 * vg_rnd(16));
		break;
	case 2:
		j->record_bytes -= min(j->record_bytes, vg_rnd(64));
		break;
	case 3:
		i = vg_rnd(j->nbos + 1);
		if (j->shader[i] < 0)
			j->bytes[i] = 0x1000 * (1 + vg_rnd(8));
		break;
	case 4:
		if (j->nbos < 4)
			break;
		i = 3 + vg_rnd(j->nbos - 3);
		j->shader[i] = j->shader[i] < 0 ? j->shader[0] : -1;
		break;
	default:
		/* the next one is past the last one then */
		j->nbos -= j->nbos > 1;
	}
	if (j->max_records > 64)
		j->max_records = 0;
}

void vg_change_job(struct vg_job *j)
{
	switch (vg_rnd(8)) {
	case 0:
	case 1:
		change_list(j);
		break;
	case 2:
	case 3:
		change_bytes(j, j->records, j->record_bytes);
		break;
	case 4:
	case 5:
		change_bytes(j, j->uniforms, j->uniform_bytes);
		break;
	case 6:
		change_frame(j);
		break;
	default:
		change_counts(j);
	}
}
