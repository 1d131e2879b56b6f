// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * PICA200: requests to the units beside the command processor: memory fill, display transfer,
 * texture copy. Eight words each, as in the command buffers of the console's service "gsp::Gpu".
 */
#include "../../engine/vs_intern.h"
#include "../native_ops.h"
#include "pica_paint.h"

#define REQUEST_WORDS	8
#define MAX_REQUESTS	1024
#define STEP_BYTES	1024	/* of a fill or copy */
#define STEP_PIXELS	32	/* of a transfer */
#define STEP_WEIGHT	160
#define COPY_FLAG	0x8

enum { GX_FILL = 2, GX_TRANSFER = 3, GX_COPY = 4 };

/* Reject reasons, apart from those of command lists. */
enum pica_gx_reason {
	PICA_GX_COMMAND = 64,	/* unknown request */
	PICA_GX_ZERO,		/* a size is zero: a console hangs */
	PICA_GX_SCALE,		/* linear input cannot be scaled; undefined scale */
	PICA_GX_FORMAT,		/* undefined format, or of copies in a transfer */
	PICA_GX_NUM_REASONS
};

/**
 * struct pica_gx - Requests being executed.
 * @base:	for native.c
 * @memory:	bytes allocated
 * @n:		number of requests
 * @at:		current one
 * @engine:	current memory fill engine
 * @x:		next column of a transfer
 * @y:		next row
 * @pos:	bytes of a fill or copy that are done
 * @mem:		memory
 * @word:	requests
 */
struct pica_gx {
	struct vs_native base;
	u64 memory;
	u32 n;
	u32 at;
	u32 engine;
	u32 x;
	u32 y;
	u64 pos;
	struct pica_mem mem;
	u32 word[][REQUEST_WORDS];
};

static struct pica_gx *to_gx(const struct vs_native *n)
{
	return container_of((struct vs_native *)n, struct pica_gx, base);
}

/* ---- memory fill ---- */

/* Return: true: the request is done. */
static bool step_fill(struct pica_gx *g, const u32 *w)
{
	static const u8 width[4] = { 2, 3, 4, 3 };
	u32 control = w[7] >> (16 * g->engine), bytes = width[control >> 8 & 3], i;
	u64 from = w[1 + 3 * g->engine], end = w[3 + 3 * g->engine], n;
	u8 buf[STEP_BYTES / 12 * 12];

	n = control & 1 && from && end > from ? end - from : 0;
	if (g->pos >= n) {
		g->pos = 0;
		return ++g->engine == 2;
	}
	for (i = 0; i < sizeof(buf); i++)
		buf[i] = w[2 + 3 * g->engine] >> (8 * (i % bytes));
	n = min_t(u64, n - g->pos, sizeof(buf));
	pica_put(&g->mem, PICA_MEM_COLOUR, from + g->pos, buf, (u32)n);
	g->pos += n;
	return false;
}

/* ---- texture copy ---- */

/**
 * struct gx_rows - Rows of one side of a copy.
 * @va:		first byte
 * @width:	bytes of a row
 * @gap:	bytes between two rows
 */
struct gx_rows {
	u64 va;
	u64 width;
	u64 gap;
};

static struct gx_rows pica_gx_copy_rows(const u32 *w, u32 side)
{
	u32 dim = w[4 + side];
	struct gx_rows r = { w[1 + side], 16ULL * (dim & 0xffff), 16ULL * (dim >> 16) };

	if (!r.gap)
		r.width = w[3] & ~15U;
	return r;
}

static u64 row_place(const struct gx_rows *r, u64 pos)
{
	u32 row = (u32)pos / (u32)r->width;

	return r->va + row * (r->width + r->gap) + (pos - row * r->width);
}

/* Rows are multiples of 16 bytes, and so are pieces. */
static bool step_copy(struct pica_gx *g, const u32 *w)
{
	struct gx_rows in = pica_gx_copy_rows(w, 0), out = pica_gx_copy_rows(w, 1);
	u32 i, size = w[3] & ~15U;
	u8 b[16];

	for (i = 0; i < STEP_BYTES / 16 && g->pos < size; i++) {
		if (!pica_get(&g->mem, PICA_MEM_TEXTURE, row_place(&in, g->pos), b, sizeof(b)) ||
		    !pica_put(&g->mem, PICA_MEM_COLOUR, row_place(&out, g->pos), b, sizeof(b)))
			return true;
		g->pos += sizeof(b);
	}
	return g->pos >= size;
}

/* ---- display transfer ---- */

#define NUM_FORMATS	5

static const u8 format_bytes[NUM_FORMATS] = { 4, 3, 2, 2, 2 };

/* Formats of screens as those of frames: 2 is RGB565 here and RGB5A1 there, 3 the opposite. */
static const u8 frame_format[NUM_FORMATS] = { 0, 1, 3, 2, 4 };

/**
 * struct gx_image - One side of a transfer.
 * @va:		first pixel
 * @width:	pixels of a row
 * @format:	of colours
 * @block:	log2 of the side of its blocks; 0: rows
 */
struct gx_image {
	u64 va;
	u32 width;
	u32 format;
	u32 block;
};

static u64 pixel_place(const struct gx_image *m, u32 x, u32 y)
{
	u32 side = 1U << m->block, lx = x & (side - 1), ly = y & (side - 1);
	u64 index = (u64)(y - ly) * m->width + (u64)(x - lx) * side +
		    pica_morton(lx, ly, m->block);

	return m->va + index * format_bytes[m->format];
}

/* Mean of the input's pixels that make one of the output's. */
static bool read_mean(struct pica_gx *g, const struct gx_image *m, u32 x, u32 y, u32 scale, u8 c[4])
{
	u32 sum[4] = {}, n = scale == 2 ? 4 : scale + 1, i, k;
	u8 b[4], one[4];

	for (i = 0; i < n; i++) {
		if (!pica_get(&g->mem, PICA_MEM_TEXTURE,
			      pixel_place(m, x + (i & 1), y + (i >> 1)), b,
			      format_bytes[m->format]))
			return false;
		pica_unpack_colour(frame_format[m->format], b, one);
		for (k = 0; k < 4; k++)
			sum[k] += one[k];
	}
	for (k = 0; k < 4; k++)
		c[k] = sum[k] / n;
	return true;
}

static bool step_transfer(struct pica_gx *g, const u32 *w)
{
	u32 flags = w[5], scale = flags >> 24 & 3, i, y;
	u32 block = flags >> 16 & 1 ? 5 : 3, yshift = scale == 2;
	bool linear = flags >> 1 & 1, same = flags >> 5 & 1;
	struct gx_image in = { w[1], w[3] & 0xffff, flags >> 8 & 7, linear ? 0 : block };
	struct gx_image out = { w[2], (w[4] & 0xffff) >> !!scale, flags >> 12 & 7,
				linear == same ? 0 : block };
	u32 height = (w[4] >> 16) >> yshift;
	u8 c[4], b[4];

	for (i = 0; i < STEP_PIXELS && g->y < height; i++) {
		y = flags & 1 ? height - 1 - g->y : g->y;
		if (!read_mean(g, &in, g->x << !!scale, g->y << yshift, scale, c))
			return true;
		pica_pack_colour(frame_format[out.format], c, b);
		if (!pica_put(&g->mem, PICA_MEM_COLOUR, pixel_place(&out, g->x, y), b,
			      format_bytes[out.format]))
			return true;
		if (++g->x >= out.width) {
			g->x = 0;
			g->y++;
		}
	}
	return g->y >= height;
}

/* ---- run time ---- */

static void next_request(struct pica_gx *g)
{
	g->at++;
	g->engine = 0;
	g->x = 0;
	g->y = 0;
	g->pos = 0;
}

static void pica_gx_step(struct pica_gx *g)
{
	const u32 *w = g->word[g->at];
	bool done;

	switch (w[0] & 0xff) {
	case GX_FILL:
		done = step_fill(g, w);
		break;
	case GX_TRANSFER:
		done = step_transfer(g, w);
		break;
	default:
		done = step_copy(g, w);
		break;
	}
	if (done)
		next_request(g);
}

static enum vs_run pica_gx_run(struct vs_job *job, void *arg)
{
	struct pica_gx *g = arg;
	struct vs_fault f;
	s64 left;

	for (left = job->lim.slice; left > 0 && g->at < g->n && !g->mem.bad; left -= STEP_WEIGHT) {
		pica_gx_step(g);
		vs_job_account(job, STEP_WEIGHT, 0);
		if (vs_job_weight(job) > job->lim.budget) {
			vs_fault_init(&f, VS_FAULT_BUDGET);
			vs_job_fault(job, &f);
			return VS_RUN_IDLE;
		}
	}
	if (g->mem.bad)
		vs_job_fault(job, &g->mem.fault);
	return g->mem.bad || g->at == g->n ? VS_RUN_IDLE : VS_RUN_MORE;
}

/* ---- parsing ---- */

static u32 check_transfer(const u32 *w)
{
	u32 flags = w[5], scale = flags >> 24 & 3, yshift = scale == 2;

	if (flags & COPY_FLAG || (flags >> 8 & 7) > 4 || (flags >> 12 & 7) > 4)
		return PICA_GX_FORMAT;
	if (scale == 3 || (scale && flags >> 1 & 1))
		return PICA_GX_SCALE;
	if (!(w[3] & 0xffff) || !(w[3] >> 16) || !((w[4] & 0xffff) >> !!scale) ||
	    !((w[4] >> 16) >> yshift))
		return PICA_GX_ZERO;
	return 0;
}

static u32 check_copy(const u32 *w)
{
	u32 side;

	if (!(w[3] & ~15U))
		return PICA_GX_ZERO;
	for (side = 0; side < 2; side++) {
		if (w[4 + side] >> 16 && !(w[4 + side] & 0xffff))
			return PICA_GX_ZERO;
	}
	return 0;
}

static u32 check_request(const u32 *w)
{
	switch (w[0] & 0xff) {
	case GX_FILL:
		return 0;
	case GX_TRANSFER:
		return check_transfer(w);
	case GX_COPY:
		return check_copy(w);
	default:
		return PICA_GX_COMMAND;
	}
}

static int pica_gx_parse(const struct vs_native_in *in, struct vs_native_state *s,
			 struct vs_native **out, struct vs_fault *fault)
{
	u32 n = in->nwords / REQUEST_WORDS, i, bad;
	struct pica_gx *g;
	u64 bytes;

	(void)s;
	if (in->nwords % REQUEST_WORDS || (in->nwords && !in->words) || in->output_va ||
	    in->output_size || in->model || in->switches)
		return -EINVAL;
	bytes = sizeof(*g) + (u64)n * sizeof(g->word[0]);
	if (n > MAX_REQUESTS || bytes > in->max_memory)
		return -E2BIG;
	for (i = 0; i < n; i++) {
		const u32 *w = in->words + i * REQUEST_WORDS;

		bad = check_request(w);
		if (bad) {
			vs_fault_command(fault, in->va + 4ULL * REQUEST_WORDS * i, bad, w[0]);
			return -ENOEXEC;
		}
	}
	g = vs_zalloc(bytes);
	if (!g)
		return -ENOMEM;
	pica_mem_init(&g->mem, in->map);
	g->memory = bytes;
	g->n = n;
	if (n)
		memcpy(g->word, in->words, 4ULL * in->nwords);
	*out = &g->base;
	return 0;
}

static const struct vs_map *get_map(const struct vs_native *n)
{
	return to_gx(n)->mem.map;
}

static u32 get_phases(const struct vs_native *n)
{
	(void)n;
	return 1;
}

static int pica_gx_add_phases(struct vs_native *n, struct vs_job *job)
{
	return vs_job_add_fn(job, pica_gx_run, to_gx(n));
}

static u64 get_memory(const struct vs_native *n)
{
	return to_gx(n)->memory;
}

/**
 * pica_gx_reason_text - text of a reject reason of requests
 * @reason: reason
 *
 * Return: text, or NULL: it is none.
 */
const char *pica_gx_reason_text(u32 reason)
{
	static const char *const text[PICA_GX_NUM_REASONS - PICA_GX_COMMAND] = {
		"unknown request",
		"a size is zero",
		"scale that the transfer cannot have",
		"format that the transfer cannot have",
	};

	if (reason < PICA_GX_COMMAND || reason >= PICA_GX_NUM_REASONS)
		return NULL;
	return text[reason - PICA_GX_COMMAND];
}

static const char *pica_gx_get_reason_text(u32 reason)
{
	return pica_gx_reason_text(reason) ?: "?";
}

static void free_gx(struct vs_native *n)
{
	vs_free(to_gx(n));
}

const struct vs_native_ops pica_gx_ops = {
	.isa = VS_ISA_PICA,
	.parse = pica_gx_parse,
	.map = get_map,
	.phases = get_phases,
	.add_phases = pica_gx_add_phases,
	.memory = get_memory,
	.reason_text = pica_gx_get_reason_text,
	.free = free_gx,
};
