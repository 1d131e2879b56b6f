// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Bin lists: state, draws, primitives, tile lists. */
#include "../../raster/vr_bin.h"
#include "vc4_bin.h"

#define STEP_ITEMS	64
#define STEP_WEIGHT	1024
#define ITEM_WEIGHT	4
#define CLIP_WEIGHT	64
#define SIDE		6	/* log2 of a tile's pixels a side */
#define SIDE_MS		5	/* the same with four samples of a pixel */
#define MAX_PACKETS	0x100000
#define HEADS		64	/* written at a time */
#define FLAG_MS		0x1
#define FLAG_64BIT	0x2
#define FLAG_DOUBLE	0x80
#define ALIGN_RECORD	32

static int vc4_bin_refuse(struct vc4_bin *b, u32 why, u32 info)
{
	b->why = why;
	b->info = info;
	return -EPROTO;
}

/* ---- memory for lists ---- */

static int vc4_bin_take(struct vc4_bin *b, u32 bytes, u32 *va)
{
	struct vc4_range *r;

	bytes = (bytes + ALIGN_RECORD - 1) & ~(ALIGN_RECORD - 1U);
	for (;;) {
		r = &b->range[b->irange];
		*va = (b->heap + ALIGN_RECORD - 1) & ~(ALIGN_RECORD - 1U);
		if (*va <= r->hi && r->hi - *va >= bytes)
			break;
		if (b->irange + 1 >= b->nranges)
			return vr_fault(&b->mem, VS_FAULT_OVERFLOW, *va, bytes);
		b->heap = b->range[++b->irange].lo;
	}
	b->heap = *va + bytes;
	return 0;
}

static int write_heads(struct vc4_bin *b, u64 *charge)
{
	const struct vc4_head head = { .magic = VC4_HEAD_MAGIC };
	u32 i;
	int ret = 0;

	for (i = 0; i < HEADS && b->ncleared < b->columns * b->rows && !ret; i++, b->ncleared++)
		ret = vr_write(&b->mem, b->lists + b->ncleared * b->pitch, &head, sizeof(head));
	*charge += i * ITEM_WEIGHT;
	return ret ? ret : -EAGAIN;
}

static u32 head_of(const struct vc4_bin *b, u32 x, u32 y)
{
	return b->lists + (y * b->columns + x) * b->pitch;
}

/* Keep @bytes in the bin's memory. @va: where, unchanged if there is an error. */
static int bin_put(struct vc4_bin *b, const void *data, u32 bytes, u32 *va)
{
	u32 at;
	int ret;

	ret = vc4_bin_take(b, bytes, &at);
	if (ret)
		return ret;
	ret = vr_write(&b->mem, at, data, bytes);
	if (ret)
		return ret;
	*va = at;
	return 0;
}

/* Append a chunk to the list of the current head. */
static int new_chunk(struct vc4_bin *b)
{
	const struct vc4_chunk c = { .magic = VC4_CHUNK_MAGIC };
	struct vc4_head *h = &b->head;
	u32 va;
	int ret;

	ret = bin_put(b, &c, sizeof(c), &va);
	if (ret)
		return ret;
	if (h->first) {
		ret = vr_write(&b->mem, h->last + offsetof(struct vc4_chunk, next), &va,
			       sizeof(va));
		if (ret)
			return ret;
	} else {
		h->first = va;
	}
	h->last = va;
	h->n = 0;
	return 0;
}

/* Write the current head if it has changed. Heads are writable: all have been cleared. */
static int vc4_bin_write_head(struct vc4_bin *b)
{
	bool changed = b->head_changed;

	b->head_changed = false;
	return changed ? vr_write(&b->mem, b->head_va, &b->head, sizeof(b->head)) : 0;
}

/* Add a primitive to the list of a tile. */
static int vc4_bin_add(struct vc4_bin *b, u32 x, u32 y, u32 prim)
{
	u32 at = head_of(b, x, y);
	struct vc4_head *h = &b->head;
	int ret;

	if (b->head_va != at) {
		ret = vc4_bin_write_head(b);
		b->head_va = ~0U;
		if (ret)
			return ret;
		ret = vr_read(&b->mem, at, h, sizeof(*h));
		if (ret)
			return ret;
		b->head_va = at;
	}
	if (!h->first || h->n >= VC4_CHUNK_PRIMS) {
		ret = new_chunk(b);
		if (ret)
			return ret;
	}
	ret = vr_write(&b->mem, h->last + offsetof(struct vc4_chunk, prim[h->n]), &prim,
		       sizeof(prim));
	if (ret)
		return ret;
	h->n++;
	b->head_changed = true;
	return 0;
}

/* Write the primitive, and before the first one of a draw its state. */
static int write_prim(struct vc4_bin *b)
{
	int ret;

	if (!b->draw_va) {
		ret = bin_put(b, &b->draw, sizeof(b->draw), &b->draw_va);
		if (ret)
			return ret;
	}
	b->out.draw = b->draw_va;
	if (b->out.clip) {
		ret = bin_put(b, b->clip, sizeof(b->clip), &b->out.clip);
		if (ret)
			return ret;
	}
	return bin_put(b, &b->out, sizeof(b->out), &b->out_va);
}

/* The current primitive, to one more tile. */
static int add_next(struct vc4_bin *b)
{
	int ret = b->out_va ? 0 : write_prim(b);

	if (!ret)
		ret = vc4_bin_add(b, b->tile[0], b->tile[1], b->out_va);
	if (b->tile[0]++ < b->box[2])
		return ret;
	b->tile[0] = b->box[0];
	if (b->tile[1]++ == b->box[3])
		b->busy = false;
	return ret;
}

/* ---- primitives ---- */

/* Pixels beyond the corners that points and lines may cover, 1/16. */
static s32 margin(const struct vc4_bin *b, u32 n, u32 size)
{
	if (n == 3)
		return 0;
	/* half of it is enough, and the other half for rounding */
	return 16 * (clamp_t(s32, vr_floor(n == 2 ? b->draw.line_width : size), 0, 4096) + 2);
}

/* Find the tiles of a primitive with corners from @lo to @hi, relative to the viewport's centre. */
static void vc4_bin_place(struct vc4_bin *b, const s32 lo[2], const s32 hi[2], s32 more)
{
	const struct vc4_draw *d = &b->draw;
	s32 p0, p1, first, last;
	u32 i;

	for (i = 0; i < 2; i++) {
		first = d->clip[i];
		last = first + d->clip[2 + i] - 1;
		last = min_t(s32, last, (s32)((i ? b->rows : b->columns) << b->side) - 1);
		p0 = (d->centre[i] + lo[i] - more) >> 4;
		p1 = (d->centre[i] + hi[i] + more) >> 4;
		first = max(first, p0);
		last = min(last, p1);
		if (first > last)
			return;
		b->box[i] = (u32)first >> b->side;
		b->box[2 + i] = (u32)last >> b->side;
	}
	b->tile[0] = b->box[0];
	b->tile[1] = b->box[1];
	b->out_va = 0;
	b->busy = true;
}

static void set_out(struct vc4_bin *b, const struct vr_corners *c)
{
	u32 i;

	b->out = (struct vc4_prim){ .n = c->n, .provoking = c->provoking };
	for (i = 0; i < c->n; i++)
		b->out.index[i] = c->index[i];
}

/*
 * Has a triangle with corners from @lo to @hi no area, or no centre of a pixel between them? Then
 * nothing of it is drawn, and its vertices are not shaded. The box of its corners does not contain
 * a triangle with a corner behind the eye.
 */
static bool vc4_bin_is_empty(const struct vc4_bin *b, const struct vc4_vertex v[3], const s32 lo[2],
			     const s32 hi[2])
{
	const s16 *centre = b->draw.centre;
	u32 i;

	if ((s64)(v[1].x - v[0].x) * (v[2].y - v[0].y) ==
	    (s64)(v[1].y - v[0].y) * (v[2].x - v[0].x))
		return true;
	if (b->side == SIDE_MS || (v[0].inv_w | v[1].inv_w | v[2].inv_w) >> 31)
		return false;
	for (i = 0; i < 2; i++)
		if ((centre[i] + lo[i] + 7) >> 4 > (centre[i] + hi[i] - 8) >> 4)
			return true;
	return false;
}

static void whole(struct vc4_bin *b, const struct vr_corners *c, const struct vc4_vertex v[3])
{
	s32 lo[2] = { v[0].x, v[0].y }, hi[2] = { v[0].x, v[0].y };
	u32 i;

	for (i = 1; i < c->n; i++) {
		lo[0] = min(lo[0], v[i].x);
		lo[1] = min(lo[1], v[i].y);
		hi[0] = max(hi[0], v[i].x);
		hi[1] = max(hi[1], v[i].y);
	}
	set_out(b, c);
	vc4_bin_place(b, lo, hi, margin(b, c->n, b->r.point_size ? v[0].size : b->draw.point_size));
	b->events[VC4_EV_OUTSIDE] += !b->busy;
	if (c->n == 3 && b->busy)
		b->busy = !vc4_bin_is_empty(b, v, lo, hi);
}

/* Next triangle of a clipped one, or the line. */
static void next_cut(struct vc4_bin *b)
{
	u32 at[3] = { 0, b->icorner, b->icorner + 1 }, i;
	const struct vc4_corner *c = b->corner;
	s32 lo[2] = { c[0].x, c[0].y }, hi[2] = { c[0].x, c[0].y };

	b->icorner++;
	set_out(b, &b->cut);
	b->out.clip = 1;
	for (i = 0; i < b->cut.n; i++) {
		b->clip[i] = c[at[i]];
		lo[0] = min(lo[0], c[at[i]].x);
		lo[1] = min(lo[1], c[at[i]].y);
		hi[0] = max(hi[0], c[at[i]].x);
		hi[1] = max(hi[1], c[at[i]].y);
	}
	if (b->cut.n == 2 || b->icorner + 1 >= b->ncorners)
		b->ncorners = 0;
	vc4_bin_place(b, lo, hi, margin(b, b->cut.n, 0));
}

static void vc4_bin_clip(struct vc4_bin *b, const struct vr_corners *c,
			 const struct vc4_vertex v[3], u64 *charge)
{
	u32 at[3][4], i, n;

	for (i = 0; i < c->n; i++)
		memcpy(at[i], v[i].clip, sizeof(at[i]));
	*charge += CLIP_WEIGHT / 8;
	n = vc4_clip(&b->c, (const u32 (*)[4])at, c->n, b->corner);
	if (n == ~0U) {
		whole(b, c, v);
		return;
	}
	*charge += CLIP_WEIGHT;
	b->events[VC4_EV_CLIPPED]++;
	b->events[VC4_EV_OUTSIDE] += n < c->n;
	b->cut = *c;
	b->ncorners = n < c->n ? 0 : n;
	b->icorner = 1;
}

/* Want the vertices of the indices that have been read, and of further ones of arrays. */
static void vc4_bin_look_ahead(struct vc4_bin *b)
{
	u32 i, end;

	if (b->indexed) {
		for (i = b->next - b->base; i < b->have && b->v.nwant < QPU_NUM; i++)
			vc4_verts_want(&b->v, b->index[i]);
		return;
	}
	end = min(b->count, b->next + QPU_NUM * VC4_BATCH);
	for (i = b->next; i < end; i += VC4_BATCH)
		vc4_verts_want(&b->v, b->first + i);
}

static int begin_prim(struct vc4_bin *b, const struct vr_corners *c, u64 *charge)
{
	struct vc4_vertex v[3];
	u32 i;
	int ret = 0, got;

	for (i = 0; i < c->n; i++) {
		got = vc4_verts_get(&b->v, c->index[i], i, &v[i]);
		ret = got < 0 || !ret ? got : ret;
		if (got < 0)
			return got;
	}
	if (ret == VC4_LAUNCH)
		vc4_bin_look_ahead(b);
	if (ret)
		return ret;
	b->iprim++;
	if (!b->r.clips)
		whole(b, c, v);
	else if (c->n > 1)
		vc4_bin_clip(b, c, v, charge);
	else if (!vc4_point_outside(v[0].clip))
		whole(b, c, v);
	else
		b->events[VC4_EV_OUTSIDE]++;
	return 0;
}

/* ---- indices ---- */

static int vc4_bin_read_indices(struct vc4_bin *b)
{
	u32 n = min_t(u32, VC4_INDICES, b->count - b->next), i;
	u8 raw[2 * VC4_INDICES];
	int ret;

	ret = vr_read(&b->mem, vc4_address(b->indices + b->next * b->indexed), raw, n * b->indexed);
	if (ret)
		return ret;
	for (i = 0; i < n; i++)
		b->index[i] = b->indexed == 2 ? vc4_u16(raw + 2 * i) : raw[i];
	b->base = b->next;
	b->have = n;
	return 0;
}

static int vc4_bin_next_index(struct vc4_bin *b)
{
	u32 index = b->first + b->next;
	int ret;

	b->iprim = 0;
	if (b->next == b->count) {
		b->nprims = vr_assemble_restart(&b->a, b->prim);
		b->ended = true;
		return 0;
	}
	b->nprims = 0;
	if (b->indexed) {
		if (b->next - b->base >= b->have) {
			ret = vc4_bin_read_indices(b);
			if (ret)
				return ret;
		}
		index = b->index[b->next - b->base];
	}
	b->next++;
	b->nprims = vr_assemble(&b->a, index, b->prim);
	return 0;
}

/* ---- state ---- */

static int vc4_bin_set_mode(struct vc4_bin *b, const u8 *p)
{
	u32 alloc = vc4_address(vc4_u32(p)), size = vc4_u32(p + 4), flags = p[14];
	u64 bytes;

	if (b->has & VC4_HAS_MODE)
		return vc4_bin_refuse(b, VC4_BAD_ORDER, VC4_BIN_CONFIG);
	if (flags & (FLAG_64BIT | FLAG_DOUBLE))
		return vc4_bin_refuse(b, VC4_UNUSED_VALUE, flags);
	if (!p[12] || !p[13])
		return vc4_bin_refuse(b, VC4_BAD_VALUE, vc4_u16(p + 12));
	b->columns = p[12];
	b->rows = p[13];
	b->side = flags & FLAG_MS ? SIDE_MS : SIDE;
	b->pitch = 32U << (flags >> 3 & 3);
	b->lists = alloc;
	bytes = (u64)b->pitch * b->columns * b->rows;
	if (bytes > size || (u64)alloc + size > 1ULL << 30)
		return vr_fault(&b->mem, VS_FAULT_OVERFLOW, alloc, (u32)bytes);
	b->range[0] = (struct vc4_range){ alloc + (u32)bytes, alloc + size };
	b->heap = b->range[0].lo;
	b->head_va = ~0U;
	b->has |= VC4_HAS_MODE;
	return 0;
}

static int set_config(struct vc4_bin *b, const u8 *p)
{
	b->draw.config = p[0] | p[1] << 8 | p[2] << 16;
	/* pipe and masks of coverage */
	if (p[1] & 0xf)
		return vc4_bin_refuse(b, VC4_UNUSED_VALUE, b->draw.config);
	b->has |= VC4_HAS_CONFIG;
	return 0;
}

static int vc4_bin_begin_draw(struct vc4_bin *b, const u8 *p, bool indexed)
{
	static const u8 modes[] = { VR_POINTS, VR_LINES, VR_LINE_LOOP, VR_LINE_STRIP, VR_TRIANGLES,
				    VR_TRIANGLE_STRIP, VR_TRIANGLE_FAN };
	u32 mode = indexed ? p[0] & 15 : p[0];
	int ret;

	if (mode >= ARRAY_SIZE(modes) || (indexed && p[0] >> 4 > 1))
		return vc4_bin_refuse(b, VC4_BAD_VALUE, p[0]);
	if ((b->has & VC4_HAS_ALL) != VC4_HAS_ALL)
		return vc4_bin_refuse(b, VC4_MISSING, b->has ^ VC4_HAS_ALL);
	if (!b->stated) {
		ret = vc4_record_read(&b->mem, &b->r, b->draw.state, b->draw.record);
		if (ret)
			return ret == -EPROTO ?
			       vc4_bin_refuse(b, VC4_BAD_RECORD, b->draw.record) : ret;
		b->stated = true;
		/* results of another record are of no use */
		vc4_verts_use(&b->v, &b->r, b->v.draw + 1);
	}
	if (b->r.clips && (b->has & (VC4_HAS_XY | VC4_HAS_Z)) != (VC4_HAS_XY | VC4_HAS_Z))
		return vc4_bin_refuse(b, VC4_MISSING, VC4_HAS_XY | VC4_HAS_Z);
	b->mode = modes[mode];
	b->count = vc4_u32(p + 1);
	b->first = indexed ? 0 : vc4_u32(p + 5);
	b->indices = indexed ? vc4_address(vc4_u32(p + 5)) : 0;
	b->indexed = indexed ? 1 + (p[0] >> 4) : 0;
	b->next = 0;
	b->have = 0;
	b->base = 0;
	b->nprims = 0;
	b->iprim = 0;
	b->ended = false;
	b->draw_va = 0;
	b->draw.magic = VC4_DRAW_MAGIC;
	b->draw.number = b->ndraws++;
	vr_assembly_begin(&b->a, b->mode, false);
	return 0;
}

static bool is_drawing(const struct vc4_bin *b)
{
	return b->busy || b->ncorners || b->iprim < b->nprims || (b->count && !b->ended);
}

static int vc4_bin_set_state(struct vc4_bin *b, u32 op, const u8 *p)
{
	struct vc4_draw *d = &b->draw;
	u32 i;

	switch (op) {
	case VC4_CONFIG:
		return set_config(b, p);
	case VC4_FLAT:
		d->flat = vc4_u32(p);
		break;
	case VC4_POINT_SIZE:
		d->point_size = vc4_u32(p);
		break;
	case VC4_LINE_WIDTH:
		d->line_width = vc4_u32(p);
		break;
	case VC4_DEPTH_OFFSET:
		d->offset = vc4_u32(p);
		break;
	case VC4_CLIP_WINDOW:
		for (i = 0; i < 4; i++)
			d->clip[i] = vc4_u16(p + 2 * i);
		b->has |= VC4_HAS_WINDOW;
		break;
	case VC4_VIEWPORT:
		d->centre[0] = (s16)vc4_u16(p);
		d->centre[1] = (s16)vc4_u16(p + 2);
		b->has |= VC4_HAS_VIEWPORT;
		break;
	case VC4_XY_SCALE:
		b->c.scale[0] = vc4_u32(p);
		b->c.scale[1] = vc4_u32(p + 4);
		b->has |= VC4_HAS_XY;
		break;
	case VC4_Z_SCALE:
		b->c.z[0] = vc4_u32(p);
		b->c.z[1] = vc4_u32(p + 4);
		b->has |= VC4_HAS_Z;
		break;
	default:
		return vc4_bin_refuse(b, VC4_BAD_PACKET, op);
	}
	return 0;
}

static int vc4_bin_execute(struct vc4_bin *b, u32 op, const u8 *p)
{
	switch (op) {
	case VC4_HALT:
		b->pc = b->end;
		return 0;
	case VC4_NOP:
	case VC4_FLUSH:
	case VC4_FLUSH_ALL:
	case VC4_INCREMENT_SEMAPHORE:
	case VC4_WAIT_SEMAPHORE:
	case VC4_LIST_FORMAT:
	case VC4_RHT_X:
	case VC4_Z_CLIP:
		return 0;
	case VC4_START_BINNING:
		if (!(b->has & VC4_HAS_MODE) || b->has & VC4_HAS_START)
			return vc4_bin_refuse(b, VC4_BAD_ORDER, op);
		b->has |= VC4_HAS_START;
		return 0;
	case VC4_BRANCH:
		b->pc = vc4_address(vc4_u32(p));
		return 0;
	case VC4_BIN_CONFIG:
		return vc4_bin_set_mode(b, p);
	case VC4_GL_STATE:
	case VC4_NV_STATE:
		b->draw.state = op;
		b->draw.record = vc4_u32(p);
		b->stated = false;
		b->has |= VC4_HAS_STATE;
		return 0;
	case VC4_INDEXED:
	case VC4_ARRAY:
		return vc4_bin_begin_draw(b, p, op == VC4_INDEXED);
	default:
		return vc4_bin_set_state(b, op, p);
	}
}

static int vc4_bin_next_packet(struct vc4_bin *b)
{
	u8 p[VC4_MAX_PACKET];
	u32 bytes;
	int ret;

	b->at = b->pc;
	ret = vr_read(&b->mem, b->pc, p, 1);
	if (ret)
		return ret;
	bytes = vc4_packet_bytes(p[0]);
	if (!bytes)
		return vc4_bin_refuse(b, VC4_BAD_PACKET, p[0]);
	if (++b->npackets > MAX_PACKETS)
		return vc4_bin_refuse(b, VC4_LIMIT, MAX_PACKETS);
	if (b->pc < b->end && b->end - b->pc < bytes)
		return vc4_bin_refuse(b, VC4_BAD_END, p[0]);
	if (bytes > 1)
		ret = vr_read(&b->mem, b->pc + 1, p + 1, bytes - 1);
	b->pc += bytes;
	return ret ? ret : vc4_bin_execute(b, p[0], p + 1);
}

static int vc4_bin_step_one(struct vc4_bin *b, u64 *charge)
{
	if (b->busy)
		return add_next(b);
	if (b->ncorners) {
		next_cut(b);
		return 0;
	}
	if (b->iprim < b->nprims)
		return begin_prim(b, &b->prim[b->iprim], charge);
	if (b->count && !b->ended)
		return vc4_bin_next_index(b);
	b->count = 0;
	return vc4_bin_next_packet(b);
}

int vc4_bin_step(struct vc4_bin *b, u64 *charge)
{
	u32 i;
	int ret = 0, head;

	if (b->has & VC4_HAS_MODE && b->ncleared < b->columns * b->rows)
		return write_heads(b, charge);
	for (i = 0; i < STEP_ITEMS && *charge < STEP_WEIGHT && !ret; i++) {
		if (!is_drawing(b) && b->pc == b->end)
			return vc4_bin_write_head(b);
		*charge += ITEM_WEIGHT;
		ret = vc4_bin_step_one(b, charge);
		/* heads are written before primitives */
		if (b->has & VC4_HAS_MODE && b->ncleared < b->columns * b->rows)
			break;
	}
	head = vc4_bin_write_head(b);
	return ret ? ret : head ? head : -EAGAIN;
}
