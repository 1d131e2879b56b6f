// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Frames of the pixel processor: their words are checked, then the streams of all processors are
 * read, which name the tiles to draw and their lists; then the tiles are drawn.
 */
#include "../../engine/vs_post.h"
#include "utgard_tiles.h"

#define WORD_WEIGHT	4
#define STEP_COMMANDS	64	/* of streams, per slice */
#define STEP_TILES	1024	/* of a frame without streams, per slice */
#define TILES_PER_GUEST	4
#define MAX_COMMANDS	(3 * UTT_MAX_SIDE * UTT_MAX_SIDE)	/* of a stream */
#define BLOCK_BYTES	512

/* Commands of streams: two words, the second one identifies it. */
#define STREAM_TILE	0xb8000000U
#define STREAM_LIST	0xb0000000U
#define STREAM_END	0xbc000000U
#define LIST_MARK	0xe0000002U
#define LIST_ADDRESS	0x1ffffffcU

enum stage { STAGE_WORDS, STAGE_CHECK, STAGE_STREAMS, STAGE_TILES };

/**
 * struct upf_job - A frame being executed.
 * @u:		part that both processors share
 * @stage:	enum stage
 * @check:	check of the render state of clears
 * @stream:	processor whose stream is read
 * @at:		next command of it, or the next tile
 * @ncommands:	commands of it so far
 * @tile:	current tile: column, row
 * @begun:	there is one
 * @t:		the frame
 * @w:		worker 0's part of it
 * @joining:	its tiles are done, guests have others
 */
struct upf_job {
	struct utf_job u;
	enum stage stage;
	struct utf_check check;
	u32 stream;
	u32 at;
	u32 ncommands;
	u32 tile[2];
	bool begun;
	struct utf_tiles t;
	struct utt_worker *w;
	bool joining;
};

static u32 tail_of(const struct upf_job *f)
{
	u32 at = UTF_PP_FRAME_WORDS + 1 + UTF_PP_WB_UNITS * UTF_PP_WB_WORDS;

	return f->u.gpu == UTF_MALI450 ? at + 2 : at;
}

static bool has_dlbu(const struct upf_job *f)
{
	return f->u.gpu == UTF_MALI450 && f->t.words[tail_of(f) - 2];
}

static enum simt_next upf_reject_word(struct upf_job *f, enum utf_reason why, u32 word)
{
	return utf_reject(&f->u.j, why, f->u.va + word * sizeof(u32), f->t.words[word]);
}

/* ---- words ---- */

static enum simt_next upf_read_words(struct upf_job *f)
{
	u32 n = utf_pp_words(f->u.gpu), word;
	struct simt_job *j = &f->u.j;
	enum utf_reason why;

	j->charge += n * WORD_WEIGHT;
	if (f->u.va % sizeof(u32))
		return utf_reject(j, UTF_MISALIGNED, f->u.va, (u32)f->u.va);
	if (!utf_read_frame(&f->u, f->t.words, n))
		return SIMT_NEXT_FAULT;
	why = utf_pp_check(f->u.gpu, f->t.words, &word);
	if (!why)
		why = utt_read(&f->t, &word);
	if (why)
		return upf_reject_word(f, why, word);
	f->stage = STAGE_CHECK;
	return utf_check_begin(&f->check, j, f->t.words[UTF_PP_RENDER_STATE]);
}

/* ---- streams ---- */

static enum simt_next begin_streams(struct upf_job *f)
{
	struct simt_job *j = &f->u.j;

	f->t.list = simt_arena_alloc(&j->arena, f->t.columns * f->t.rows, sizeof(u32));
	if (!f->t.list)
		return simt_job_fault(j, VS_FAULT_OVERFLOW, f->u.va, 0);
	j->charge += f->t.columns * f->t.rows / 16;
	f->stage = STAGE_STREAMS;
	f->at = has_dlbu(f) ? 0 : f->t.words[tail_of(f)];
	return SIMT_NEXT_WAIT;
}

/* The tile at @x, @y has the list at @va. */
static bool set_list(struct upf_job *f, u32 x, u32 y, u32 va)
{
	if (x >= f->t.columns || y >= f->t.rows)
		return false;
	f->t.list[y * f->t.columns + x] = va | 1;
	return true;
}

static enum utf_reason upf_command(struct upf_job *f, const u32 w[2], bool *end)
{
	switch (w[1] & 0xff000000) {
	case STREAM_TILE:
		if (w[0] || w[1] & 0xff0000)
			return UTF_UNKNOWN_BITS;
		f->tile[0] = w[1] & 0xff;
		f->tile[1] = w[1] >> 8 & 0xff;
		f->begun = true;
		return UTF_OK;
	case STREAM_LIST:
		if (w[1] != STREAM_LIST || (w[0] & ~LIST_ADDRESS) != LIST_MARK)
			return UTF_UNKNOWN_BITS;
		if (!f->begun || !set_list(f, f->tile[0], f->tile[1], (w[0] & LIST_ADDRESS) << 3))
			return UTF_BAD_LIST;
		f->begun = false;
		return UTF_OK;
	case STREAM_END:
		*end = true;
		return w[0] || w[1] != STREAM_END ? UTF_UNKNOWN_BITS : UTF_OK;
	default:
		return UTF_BAD_COMMAND;
	}
}

/* The streams of all processors have been read. */
static enum simt_next upf_begin_tiles(struct upf_job *f);

static enum simt_next next_stream(struct upf_job *f)
{
	f->begun = false;
	f->ncommands = 0;
	if (++f->stream == f->t.words[UTF_PP_FRAME_WORDS])
		return upf_begin_tiles(f);
	f->at = f->t.words[tail_of(f) + f->stream];
	return SIMT_NEXT_WAIT;
}

static enum simt_next read_stream(struct upf_job *f)
{
	struct simt_job *j = &f->u.j;
	enum utf_reason why;
	bool end = false;
	u32 i, w[2];

	for (i = 0; i < STEP_COMMANDS; i++) {
		j->charge += WORD_WEIGHT;
		if (f->ncommands++ >= MAX_COMMANDS)
			return utf_reject(j, UTF_LIMIT_COMMANDS, f->at, MAX_COMMANDS);
		if (!utf_read(j, f->at, w, 2))
			return SIMT_NEXT_FAULT;
		why = upf_command(f, w, &end);
		if (why)
			return utf_reject(j, why, f->at, w[why == UTF_BAD_COMMAND]);
		if (end)
			return next_stream(f);
		f->at += sizeof(w);
	}
	return SIMT_NEXT_WAIT;
}

/* ---- load balancing: all tiles of a rectangle, lists of consecutive blocks ---- */

static enum utf_reason check_balancing(const u32 *r, u32 *word)
{
	*word = 2;
	if ((r[2] & 0xff) > 8 || (r[2] >> 16 & 0xff) > 8 || r[2] & 0x0f00ff00)
		return UTF_BAD_VALUE;
	/* log2 of a block's bytes, less 7 */
	if (r[2] >> 28 != 2)
		return UTF_UNUSED_VALUE;
	*word = 1;
	if (r[1] & 0xf000f000 || (r[1] & 0xfff) >= UTT_MAX_SIDE ||
	    (r[1] >> 16) >= UTT_MAX_SIDE)
		return UTF_BAD_VALUE;
	*word = 0;
	return r[0] % 8 ? UTF_MISALIGNED : UTF_OK;
}

static enum simt_next read_dlbu(struct upf_job *f)
{
	const u32 *r = f->t.words + tail_of(f);
	u32 i, x, y, word, first[2] = { r[3] & 0xff, r[3] >> 8 & 0xff };
	u32 last[2] = { r[3] >> 16 & 0xff, r[3] >> 24 }, width, n, block;
	enum utf_reason why = check_balancing(r, &word);

	if (why)
		return upf_reject_word(f, why, tail_of(f) + word);
	if (first[0] > last[0] || first[1] > last[1] || last[0] >= f->t.columns ||
	    last[1] >= f->t.rows)
		return upf_reject_word(f, UTF_BAD_VALUE, tail_of(f) + 3);
	width = last[0] - first[0] + 1;
	n = width * (last[1] - first[1] + 1);
	for (i = 0; i < STEP_TILES && f->at < n; i++, f->at++) {
		x = first[0] + f->at % width;
		y = first[1] + f->at / width;
		block = (y >> (r[2] >> 16 & 15)) * (((r[1] & 0xff) >> (r[2] & 15)) + 1) +
			(x >> (r[2] & 15));
		set_list(f, x, y, r[0] + block * BLOCK_BYTES);
	}
	f->u.j.charge += i;
	return f->at < n ? SIMT_NEXT_WAIT : upf_begin_tiles(f);
}

/* ---- tiles ---- */

/* Let other workers draw tiles, too; a debugger sees one worker. */
static void invite(struct upf_job *f)
{
	struct simt_job *j = &f->u.j;
	u32 n = min_t(u32, f->t.tiles.n / TILES_PER_GUEST, VS_JOB_MAX_GUESTS);

	if (!n || j->dbg)
		return;
	f->t.map = j->map;
	f->t.arena = j->memory;
	vs_job_invite(j->job, n, utt_guest, &f->t);
	j->invited = true;
}

static enum simt_next upf_begin_tiles(struct upf_job *f)
{
	const u32 bound[4] = { 0, 0, f->t.columns - 1, f->t.rows - 1 };

	f->t.va = f->u.va;
	vr_tiles_begin(&f->t.tiles, bound, f->t.width, f->t.height);
	f->w = utt_new(&f->u.j, f->u.run, &f->t, 0);
	if (!f->w)
		return simt_job_fault(&f->u.j, VS_FAULT_OVERFLOW, f->u.va, 0);
	f->stage = STAGE_TILES;
	invite(f);
	return SIMT_NEXT_WAIT;
}

/* Wait for the guests. */
static enum simt_next upf_join(struct upf_job *f)
{
	struct simt_job *j = &f->u.j;

	if (!vs_job_alone(j->job))
		return SIMT_NEXT_WAIT;
	if (f->t.tiles.bad == VR_TILES_NONE)
		return SIMT_NEXT_DONE;
	j->fault = f->t.tiles.fault;
	/* a guest's registers are gone */
	if (f->t.tiles.culprit)
		vs_job_set_post(j->job, NULL, NULL, 0, false);
	return SIMT_NEXT_FAULT;
}

static enum simt_next upf_draw(struct upf_job *f)
{
	enum simt_next n;

	if (f->joining)
		return upf_join(f);
	n = utt_next(f->w);
	if (n != SIMT_NEXT_DONE)
		return n;
	f->joining = true;
	return SIMT_NEXT_WAIT;
}

static enum simt_next upf_next(struct simt_job *j)
{
	struct upf_job *f = container_of(j, struct upf_job, u.j);
	enum simt_next n;

	switch (f->stage) {
	case STAGE_WORDS:
		return upf_read_words(f);
	case STAGE_CHECK:
		n = utf_check_step(&f->check, j);
		return n == SIMT_NEXT_DONE ? begin_streams(f) : n;
	case STAGE_STREAMS:
		return has_dlbu(f) ? read_dlbu(f) : read_stream(f);
	default:
		return upf_draw(f);
	}
}

static bool upf_ended(struct simt_job *j, const struct vs_fault *fault)
{
	struct upf_job *f = container_of(j, struct upf_job, u.j);

	/* otherwise there is no launch */
	if (j->m)
		utgard_run_end(f->u.run);
	if (f->stage != STAGE_TILES || f->joining)
		return !fault;
	if (!fault) {
		utt_shaded(f->w);
		return true;
	}
	/* the fault of a tile is reported when those before it are done */
	vr_tiles_fault(&f->t.tiles, 0, fault);
	j->fault.kind = VS_FAULT_NONE;
	f->joining = true;
	return true;
}

static bool upf_start(struct simt_job *j)
{
	return utt_reserve(j) && utf_job_start(j);
}

static const struct simt_job_ops ops = { .start = upf_start, .next = upf_next, .ended = upf_ended };

static int upf_parse(const struct vs_native_in *in, struct vs_native_state *s,
		     struct vs_native **out, struct vs_fault *fault)
{
	u32 n = in->model < UTF_NUM_GPUS ? utf_pp_words(in->model) : 0;

	return utf_job_new(in, n, sizeof(struct upf_job), &ops, out);
}

static int upf_add_phases(struct vs_native *n, struct vs_job *job)
{
	vs_job_expect_guests(job);
	return utf_add_phases(n, job);
}

const struct vs_native_ops utgard_pp_frame_ops = UTF_OPS(VS_ISA_UTGARD_PP, upf_parse,
							 upf_add_phases);
