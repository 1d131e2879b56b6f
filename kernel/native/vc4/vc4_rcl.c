// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Render lists and descriptions of surfaces: both become passes. A render list is divided into
 * passes once, which checks it; each pass is read again when it is drawn.
 *
 * A pass ends where the tile changes, or where a load or a list follows a store. The buffers of
 * the next one have the clear values, if the last store cleared them. Choice: else zeros. On
 * silicon they keep their contents, which no driver relies on: tiles are drawn in any order.
 */
#include "vc4_render.h"

#define MAX_PACKETS	0x100000
#define STEP_PACKETS	64
#define PACKET_WEIGHT	4
#define MAX_SIDE	4096	/* pixels */

/* Low bits of an address. */
#define FULL_NO_COLOR	0x1
#define FULL_NO_ZS	0x2
#define FULL_NO_CLEAR	0x4
#define EOF_BIT		0x8
#define GENERAL_FULL	0x7	/* disable full dumps: ignored, they are not supported */

/* Bits of general loads and stores. */
#define BUFFER(bits)	((bits) & 7)
#define LAYOUT(bits)	((bits) >> 4 & 3)
#define DECIMATE(bits)	((bits) >> 6 & 3)
#define FORMAT(bits)	((bits) >> 8 & 3)
#define NO_COLOR_CLEAR	0x2000
#define NO_ZS_CLEAR	0x4000
#define GENERAL_UNUSED	0x0c08	/* of bits that are not named here */

/* Rendering mode. */
#define MODE_MS		0x1
#define MODE_64BIT	0x2
#define MODE_FORMAT(m)	((m) >> 2 & 3)
#define MODE_DECIMATE(m) ((m) >> 4 & 3)
#define MODE_LAYOUT(m)	((m) >> 6 & 3)
#define MODE_UNUSED	0x0300	/* VG mask, coverage */

#define CLEAR_COLOR	1
#define CLEAR_ZS	2

static int vc4_rcl_refuse(struct vc4_scan *s, u32 why, u32 info)
{
	s->why = why;
	s->info = info;
	return -EPROTO;
}

static const u8 orders[] = { PX_LINEAR, PX_T, PX_LT };

/* ---- loads and stores ---- */

/* @format: 0 RGBA8888, 1 565 dithered, 2 565. Return: false: not valid. */
static bool general(struct vc4_access *a, u32 bits, u32 va)
{
	u32 buffer = BUFFER(bits);

	if (LAYOUT(bits) >= ARRAY_SIZE(orders) || FORMAT(bits) == 3 || (buffer != 1 && buffer != 2))
		return false;
	/* Choice: dithered stores are not dithered */
	*a = (struct vc4_access){ .kind = buffer == 1 ? VC4_COLOR : VC4_ZS,
				  .order = orders[LAYOUT(bits)],
				  .bytes = buffer == 1 && FORMAT(bits) ? 2 : 4,
				  .mean = DECIMATE(bits), .va = va & ~15U };
	return true;
}

/* @format: 0 565 dithered, 1 RGBA8888, 2 565 */
static bool resolved(struct vc4_access *a, u32 mode, u32 va)
{
	if (MODE_LAYOUT(mode) >= ARRAY_SIZE(orders) || MODE_FORMAT(mode) == 3)
		return false;
	*a = (struct vc4_access){ .kind = VC4_COLOR, .order = orders[MODE_LAYOUT(mode)],
				  .bytes = MODE_FORMAT(mode) == 1 ? 4 : 2, .mean = true,
				  .va = va };
	return true;
}

static bool add_op(struct vc4_pass *p, const struct vc4_access *a, bool store)
{
	u32 *n = store ? &p->nstore : &p->nload;

	if (*n == VC4_MAX_OPS)
		return false;
	(store ? p->store : p->load)[(*n)++] = *a;
	return true;
}

/* ---- passes of a list ---- */

/* The pass is over. Return: 1: it is not empty. */
static int end_pass(struct vc4_scan *s)
{
	bool busy = s->busy;

	s->busy = false;
	s->stored = false;
	return busy;
}

/* Something of a pass at the packet @at. Return: 1: the pass before is complete. */
static int enter_pass(struct vc4_scan *s, u32 at, bool store)
{
	u32 side = s->r->ms ? 32 : 64;

	/* a second store after one that clears has the clear values */
	if (s->busy && s->stored && (!store || s->clear))
		return end_pass(s);
	if (!s->config || !s->placed)
		return vc4_rcl_refuse(s, VC4_MISSING, 0);
	if (s->tile[0] * side >= s->r->width || s->tile[1] * side >= s->r->height)
		return vc4_rcl_refuse(s, VC4_BAD_VALUE, s->tile[0] | s->tile[1] << 8);
	if (!s->busy) {
		s->pass = (struct vc4_pass){ .x = s->tile[0], .y = s->tile[1], .clear = s->clear };
		s->pass_at = (struct vc4_pass_at){ .pc = at, .x = s->tile[0], .y = s->tile[1],
						   .clear = s->clear, .back = s->back };
		s->clear = 0;
	}
	s->busy = true;
	s->stored |= store;
	return 0;
}

static int access(struct vc4_scan *s, u32 at, const struct vc4_access *a, bool store, u32 clears)
{
	int ret = enter_pass(s, at, store);

	if (ret)
		return ret;
	if (a->kind && !add_op(&s->pass, a, store))
		return vc4_rcl_refuse(s, VC4_LIMIT, VC4_MAX_OPS);
	if (store) {
		s->clear = clears;
		s->cleared |= clears;
	}
	return 0;
}

static int vc4_rcl_full(struct vc4_scan *s, u32 at, u32 word, bool store)
{
	struct vc4_access a = { .order = PX_LINEAR, .bytes = 4, .va = vc4_address(word) & ~15U };
	u32 clears = store && !(word & FULL_NO_CLEAR) ? CLEAR_COLOR | CLEAR_ZS : 0;
	int ret;

	if (!s->r->ms)
		return vc4_rcl_refuse(s, VC4_UNUSED_VALUE, word);
	if ((word & (FULL_NO_COLOR | FULL_NO_ZS)) == 0) {
		/* one buffer after the other in memory: not documented */
		return vc4_rcl_refuse(s, VC4_UNUSED_VALUE, word);
	}
	a.kind = !(word & FULL_NO_COLOR) ? VC4_FULL_COLOR : !(word & FULL_NO_ZS) ? VC4_FULL_ZS : 0;
	ret = access(s, at, &a, store, clears);
	if (!ret && store && word & EOF_BIT)
		s->pc = s->end;
	return ret;
}

/* A store without a buffer ends a load, and clears. */
static int store_none(struct vc4_scan *s, u32 clears)
{
	if (!s->busy || !s->pass.nload || s->pass.list) {
		s->clear |= clears;
		s->cleared |= clears;
	}
	return 0;
}

static int store_general(struct vc4_scan *s, u32 at, u32 bits, u32 word)
{
	u32 clears = (bits & NO_COLOR_CLEAR ? 0 : CLEAR_COLOR) |
		     (bits & NO_ZS_CLEAR ? 0 : CLEAR_ZS);
	struct vc4_access a;
	int ret;

	if (!BUFFER(bits))
		return store_none(s, clears);
	if (bits & GENERAL_UNUSED || !general(&a, bits, vc4_address(word)))
		return vc4_rcl_refuse(s, VC4_UNUSED_VALUE, bits);
	ret = access(s, at, &a, true, clears);
	if (!ret && word & EOF_BIT)
		s->pc = s->end;
	return ret;
}

static int load_general(struct vc4_scan *s, u32 at, u32 bits, u32 word)
{
	struct vc4_access a;

	if (!BUFFER(bits))
		return 0;
	if (bits & GENERAL_UNUSED || !general(&a, bits, vc4_address(word)))
		return vc4_rcl_refuse(s, VC4_UNUSED_VALUE, bits);
	return access(s, at, &a, false, 0);
}

static int store_resolved(struct vc4_scan *s, u32 at, bool eof)
{
	int ret = access(s, at, &s->r->color, true, CLEAR_COLOR | CLEAR_ZS);

	if (!ret && eof)
		s->pc = s->end;
	return ret;
}

static int vc4_rcl_set_tile(struct vc4_scan *s, const u8 *p)
{
	bool moved = !s->placed || p[0] != s->tile[0] || p[1] != s->tile[1];

	if (moved && end_pass(s))
		return 1;
	s->tile[0] = p[0];
	s->tile[1] = p[1];
	s->placed = true;
	return 0;
}

static int vc4_rcl_set_mode(struct vc4_scan *s, const u8 *p)
{
	struct vc4_render *r = s->r;
	u32 mode = vc4_u16(p + 8);

	if (s->config)
		return vc4_rcl_refuse(s, VC4_BAD_ORDER, VC4_RENDER_CONFIG);
	r->width = vc4_u16(p + 4);
	r->height = vc4_u16(p + 6);
	r->ms = mode & MODE_MS;
	if (!r->width || !r->height || r->width > MAX_SIDE || r->height > MAX_SIDE)
		return vc4_rcl_refuse(s, VC4_BAD_VALUE, r->width | r->height << 16);
	if (mode & (MODE_64BIT | MODE_UNUSED) || MODE_DECIMATE(mode) > 1 ||
	    !resolved(&r->color, mode, vc4_address(vc4_u32(p))))
		return vc4_rcl_refuse(s, VC4_UNUSED_VALUE, mode);
	s->config = true;
	return 0;
}

/* Clear values are those of all passes. */
static int vc4_rcl_set_clear(struct vc4_scan *s, const u8 *p)
{
	u32 v[4] = { vc4_u32(p), vc4_u32(p + 4), vc4_u32(p + 8) & 0xffffff, p[12] };

	if (s->cleared && memcmp(v, s->r->clear, sizeof(v)))
		return vc4_rcl_refuse(s, VC4_BAD_ORDER, VC4_CLEAR_COLORS);
	memcpy(s->r->clear, v, sizeof(v));
	return 0;
}

/* A tile list that a bin job has written, or a sub-list of packets. */
static int vc4_rcl_branch(struct vc4_scan *s, u32 at, u32 va)
{
	u32 magic;
	int ret;

	ret = vr_read(&s->mem, va, &magic, sizeof(magic));
	if (ret)
		return ret;
	if (magic == VC4_HEAD_MAGIC) {
		ret = enter_pass(s, at, false);
		if (ret)
			return ret;
		if (s->pass.list)
			return vc4_rcl_refuse(s, VC4_LIMIT, va);
		s->pass.list = va;
		return 0;
	}
	if (s->back)
		return vc4_rcl_refuse(s, VC4_BAD_ORDER, va);
	s->back = s->pc;
	s->pc = va;
	return 0;
}

static int vc4_rcl_execute(struct vc4_scan *s, u32 at, u32 op, const u8 *p)
{
	switch (op) {
	case VC4_HALT:
		s->pc = s->end;
		return 0;
	case VC4_NOP:
	case VC4_FLUSH:
	case VC4_FLUSH_ALL:
	case VC4_INCREMENT_SEMAPHORE:
	case VC4_WAIT_SEMAPHORE:
	case VC4_LIST_FORMAT:
		return 0;
	case VC4_BRANCH:
		s->pc = vc4_address(vc4_u32(p));
		return 0;
	case VC4_BRANCH_SUB:
		return vc4_rcl_branch(s, at, vc4_address(vc4_u32(p)));
	case VC4_RETURN:
		if (!s->back)
			return vc4_rcl_refuse(s, VC4_BAD_ORDER, op);
		s->pc = s->back;
		s->back = 0;
		return 0;
	case VC4_STORE_MS:
	case VC4_STORE_MS_EOF:
		return store_resolved(s, at, op == VC4_STORE_MS_EOF);
	case VC4_STORE_FULL:
	case VC4_LOAD_FULL:
		return vc4_rcl_full(s, at, vc4_u32(p), op == VC4_STORE_FULL);
	case VC4_STORE_GENERAL:
		return store_general(s, at, vc4_u16(p), vc4_u32(p + 2));
	case VC4_LOAD_GENERAL:
		return load_general(s, at, vc4_u16(p), vc4_u32(p + 2));
	case VC4_RENDER_CONFIG:
		return vc4_rcl_set_mode(s, p);
	case VC4_CLEAR_COLORS:
		return vc4_rcl_set_clear(s, p);
	case VC4_TILE:
		return vc4_rcl_set_tile(s, p);
	default:
		return vc4_rcl_refuse(s, VC4_BAD_PACKET, op);
	}
}

/* Return: 0; 1: a pass is complete, and the packet has to be read again; or a negative errno. */
static int vc4_rcl_next_packet(struct vc4_scan *s)
{
	u32 at = s->pc, bytes;
	u8 p[VC4_MAX_PACKET];
	int ret;

	s->packet = at;
	ret = vr_read(&s->mem, at, p, 1);
	if (ret)
		return ret;
	bytes = vc4_packet_bytes(p[0]);
	if (!bytes)
		return vc4_rcl_refuse(s, VC4_BAD_PACKET, p[0]);
	if (++s->npackets > MAX_PACKETS)
		return vc4_rcl_refuse(s, VC4_LIMIT, MAX_PACKETS);
	if (at < s->end && s->end - at < bytes)
		return vc4_rcl_refuse(s, VC4_BAD_END, p[0]);
	if (bytes > 1)
		ret = vr_read(&s->mem, at + 1, p + 1, bytes - 1);
	if (ret)
		return ret;
	s->pc += bytes;
	ret = vc4_rcl_execute(s, at, p[0], p + 1);
	if (ret == 1)
		s->pc = at;
	return ret;
}

void vc4_scan_begin(struct vc4_scan *s, struct vc4_render *r)
{
	*s = (struct vc4_scan){
		.mem.tlb.map = r->map,
		.r = r,
		.pc = vc4_address(r->words[VC4_RENDER_START]),
		.end = vc4_address(r->words[VC4_RENDER_END]),
	};
}

static int vc4_rcl_keep(struct vc4_scan *s)
{
	struct vc4_render *r = s->r;

	if (r->npasses == VC4_MAX_PASSES)
		return vc4_rcl_refuse(s, VC4_LIMIT, VC4_MAX_PASSES);
	r->at[r->npasses++] = s->pass_at;
	return 0;
}

int vc4_scan_step(struct vc4_scan *s, u64 *charge)
{
	u32 i;
	int ret;

	for (i = 0; i < STEP_PACKETS; i++) {
		*charge += PACKET_WEIGHT;
		if (s->pc == s->end)
			return end_pass(s) ? vc4_rcl_keep(s) : 0;
		ret = vc4_rcl_next_packet(s);
		if (ret == 1)
			ret = vc4_rcl_keep(s);
		if (ret)
			return ret;
	}
	return -EAGAIN;
}

/* The state is that at the pass's first packet; packets of state that follow change nothing. */
static int read_again(struct vc4_scan *s, struct vc4_render *r, u32 n, struct vc4_pass *out)
{
	const struct vc4_pass_at *at = &r->at[n];
	struct vc4_render copy = *r;
	u32 i;
	int ret = 0;

	vc4_scan_begin(s, &copy);
	s->config = true;
	s->placed = true;
	s->tile[0] = at->x;
	s->tile[1] = at->y;
	s->clear = at->clear;
	s->pc = at->pc;
	s->back = at->back;
	for (i = 0; i < STEP_PACKETS && !ret && s->pc != s->end; i++)
		ret = vc4_rcl_next_packet(s);
	*out = s->pass;
	return ret < 0 ? ret :
	       !ret && s->pc != s->end ? vc4_rcl_refuse(s, VC4_LIMIT, STEP_PACKETS) : 0;
}

/* ---- descriptions ---- */

static bool vc4_rcl_surface(const struct vc4_render *r, u32 i, struct vc4_access *a)
{
	const u32 *w = r->words + VC4_RENDER_SURFACES + 2 * i;
	bool zs = i == VC4_ZS_READ || i == VC4_ZS_WRITE || i == VC4_MSAA_ZS_WRITE;
	u32 bits = w[1] & 0xffff, va = vc4_address(w[0]);
	bool whole = i >= VC4_MSAA_COLOR_WRITE;

	if (w[0] & 15 || w[1] & ~(VC4_FULL_RES | 0xffffU))
		return false;
	if ((i == VC4_COLOR_READ || i == VC4_ZS_READ) && w[1] & VC4_FULL_RES)
		whole = true;
	else if (w[1] & VC4_FULL_RES)
		return false;
	*a = (struct vc4_access){ .kind = zs ? VC4_FULL_ZS : VC4_FULL_COLOR, .order = PX_LINEAR,
				  .bytes = 4, .va = va };
	if (whole)
		return r->ms && !bits;
	if (i == VC4_COLOR_WRITE)
		return !(bits & (MODE_64BIT | ~0xffU)) && resolved(a, bits, va);
	/* as in Linux, either buffer */
	return !(bits & (GENERAL_UNUSED | NO_COLOR_CLEAR | NO_ZS_CLEAR | ~0xffffU)) &&
	       !(BUFFER(bits) == 2 && FORMAT(bits)) && general(a, bits, va);
}

static u32 tile_byte(const struct vc4_render *r, u32 i)
{
	return r->words[VC4_RENDER_TILES] >> (8 * i) & 0xff;
}

u32 vc4_describe(struct vc4_render *r, u32 *word)
{
	const u32 *w = r->words;
	struct vc4_access a;
	u32 i, side;

	r->width = w[VC4_RENDER_SIZE] & 0xffff;
	r->height = w[VC4_RENDER_SIZE] >> 16;
	r->ms = w[VC4_RENDER_FLAGS] & VC4_RENDER_MS;
	side = r->ms ? 32 : 64;
	*word = VC4_RENDER_FLAGS;
	if (w[VC4_RENDER_FLAGS] & ~(VC4_RENDER_CLEAR | VC4_RENDER_MS))
		return VC4_BAD_VALUE;
	*word = VC4_RENDER_SIZE;
	if (!r->width || !r->height || r->width > MAX_SIDE || r->height > MAX_SIDE)
		return VC4_BAD_VALUE;
	*word = VC4_RENDER_TILES;
	if (tile_byte(r, 0) > tile_byte(r, 2) || tile_byte(r, 1) > tile_byte(r, 3) ||
	    tile_byte(r, 2) * side >= r->width || tile_byte(r, 3) * side >= r->height)
		return VC4_BAD_VALUE;
	*word = VC4_RENDER_COLUMNS;
	if (w[VC4_RENDER_LISTS] && tile_byte(r, 2) >= w[VC4_RENDER_COLUMNS])
		return VC4_BAD_VALUE;
	for (i = 0; i < VC4_NUM_SURFACES; i++) {
		*word = VC4_RENDER_SURFACES + 2 * i;
		if (w[*word] && !vc4_rcl_surface(r, i, &a))
			return VC4_BAD_VALUE;
	}
	memcpy(r->clear, w + VC4_RENDER_COLOR0, sizeof(r->clear));
	r->clear[2] &= 0xffffff;
	r->clear[3] &= 0xff;
	r->npasses = (tile_byte(r, 2) - tile_byte(r, 0) + 1) *
		     (tile_byte(r, 3) - tile_byte(r, 1) + 1);
	return VC4_OK;
}

static void vc4_rcl_describe(const struct vc4_render *r, u32 n, struct vc4_pass *p)
{
	static const u8 stores[] = { VC4_MSAA_COLOR_WRITE, VC4_MSAA_ZS_WRITE, VC4_ZS_WRITE,
				     VC4_COLOR_WRITE };
	u32 columns = tile_byte(r, 2) - tile_byte(r, 0) + 1, i;
	const u32 *w = r->words + VC4_RENDER_SURFACES;
	struct vc4_access a;

	*p = (struct vc4_pass){ .x = tile_byte(r, 0) + n % columns,
				.y = tile_byte(r, 1) + n / columns };
	if (r->words[VC4_RENDER_FLAGS] & VC4_RENDER_CLEAR)
		p->clear = CLEAR_COLOR | CLEAR_ZS;
	if (r->words[VC4_RENDER_LISTS])
		p->list = vc4_address(r->words[VC4_RENDER_LISTS] +
				      32 * (p->y * r->words[VC4_RENDER_COLUMNS] + p->x));
	for (i = VC4_COLOR_READ; i <= VC4_ZS_READ; i += VC4_ZS_READ)
		if (w[2 * i] && vc4_rcl_surface(r, i, &a))
			add_op(p, &a, false);
	for (i = 0; i < ARRAY_SIZE(stores); i++)
		if (w[2 * stores[i]] && vc4_rcl_surface(r, stores[i], &a))
			add_op(p, &a, true);
}

int vc4_pass_read(struct vc4_scan *s, struct vc4_render *r, u32 n, struct vc4_pass *out)
{
	if (r->words[VC4_RENDER_KIND] == VC4_RENDER_CL)
		return read_again(s, r, n, out);
	vc4_rcl_describe(r, n, out);
	return 0;
}
