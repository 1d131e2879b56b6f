// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Validation of bin lists, shader records, uniforms and textures, with the verdicts of Linux's vc4
 * driver. Packets and records are copied to the job's memory with bus addresses instead of
 * indices and offsets.
 */
#include "../../isa/qpu/qpu_tex.h"
#include "../../pixel/px_format.h"
#include "vc4_val.h"

#define GEM_HANDLES		0xfe	/* of the driver, not of the hardware */
#define GEM_HANDLES_BYTES	9

#define BIN_64BIT	0x02
#define BIN_AUTO_INIT	0x04
#define BIN_BLOCKS	0x78	/* sizes of blocks of tile lists */
#define BIN_BLOCK_128	0x40
#define BIN_DOUBLE	0x80
#define STATE_BYTES	48	/* of a tile */
#define STATE_ALIGN	4096

#define RECORD_ALIGN	16
#define EXTENDED	8	/* flag of a shader state */
#define SINGLE_THREAD	1	/* flag of a record */
#define MAX_TEXTURE	2048
#define CUBE_FACES	6

/**
 * struct val_state - Shader state of a list.
 * @word:	of its packet
 * @max_index:	largest index of a vertex
 */
struct val_state {
	u32 word;
	u32 max_index;
};

/**
 * struct val_bin - List being validated.
 * @j:		job
 * @why:	reason
 * @at:		vc4_refusal.at
 * @state:	shader states
 * @nstates:	number of them so far
 * @max_states:	room in @state
 * @handle:	buffer object of indices
 * @record_to:	next record: byte of the job's memory
 * @record_from: next record: byte of the user's
 * @uniform_to:	next uniforms: byte of the job's memory
 * @uniform_from: next uniforms: byte of the user's
 * @configured:	there is packet 0x70
 * @started:	there is packet 0x06
 * @semaphore:	there is packet 0x07
 * @flushed:	there is packet 0x04
 */
struct val_bin {
	struct vc4_val_job *j;
	struct vc4_refusal *why;
	u32 at;
	struct val_state *state;
	u32 nstates;
	u32 max_states;
	u32 handle;
	u32 record_to;
	u32 record_from;
	u32 uniform_to;
	u32 uniform_from;
	bool configured;
	bool started;
	bool semaphore;
	bool flushed;
};

static void put32(u8 *p, u32 v)
{
	p[0] = (u8)v;
	p[1] = (u8)(v >> 8);
	p[2] = (u8)(v >> 16);
	p[3] = (u8)(v >> 24);
}

static u32 val_align(u32 n, u32 to)
{
	return DIV_ROUND_UP(n, to) * to;
}

int vc4_refuse(struct vc4_refusal *why, u32 at, const char *text, u32 value, u32 limit)
{
	*why = (struct vc4_refusal){ .text = text, .at = at, .value = value, .limit = limit };
	return -EINVAL;
}

int vc4_refuse_stricter(struct vc4_refusal *why, u32 at, const char *text, u32 value, u32 limit)
{
	vc4_refuse(why, at, text, value, limit);
	why->stricter = true;
	return -EINVAL;
}

static int val_refuse(struct val_bin *b, const char *text, u32 value, u32 limit)
{
	return vc4_refuse(b->why, b->at, text, value, limit);
}

static int val_refuse_stricter(struct val_bin *b, const char *text, u32 value, u32 limit)
{
	return vc4_refuse_stricter(b->why, b->at, text, value, limit);
}

/* ---- buffer objects ---- */

struct vc4_val_bo *vc4_data_bo(struct vc4_val_job *j, u32 index, u32 at, struct vc4_refusal *why)
{
	if (index >= j->nbos) {
		vc4_refuse(why, at, "index of a buffer object", index, j->nbos);
		return NULL;
	}
	if (j->bo[index].shader) {
		vc4_refuse(why, at, "program used as data", index, j->nbos);
		return NULL;
	}
	return &j->bo[index];
}

static struct vc4_val_bo *data_bo(struct val_bin *b, u32 index)
{
	return vc4_data_bo(b->j, index, b->at, b->why);
}

/* A program of a record. Linux reads past its table if the index is the number of objects. */
static struct vc4_val_bo *program_bo(struct val_bin *b, u32 index)
{
	if (index > b->j->nbos)
		val_refuse(b, "index of a program", index, b->j->nbos);
	else if (index == b->j->nbos)
		val_refuse_stricter(b, "index of a program", index, b->j->nbos);
	else if (!b->j->bo[index].shader)
		val_refuse_stricter(b, "data used as a program", index, b->j->nbos);
	else
		return &b->j->bo[index];
	return NULL;
}

/* Width, height: at most 4096 pixels. */
static u32 image_bytes(enum px_order order, u32 width, u32 height, u32 cpp)
{
	u32 w = 1U << px_utile_wshift(8 * cpp), h = 1U << px_utile_hshift(8 * cpp);

	if (order == PX_T)
		return val_align(width, 8 * w) * val_align(height, 8 * h) * cpp;
	return val_align(width, w) * (order == PX_LT ? val_align(height, h) : height) * cpp;
}

bool vc4_image_fits(enum px_order order, u32 width, u32 height, u32 cpp, u32 offset, u32 bytes)
{
	u64 end;

	if (width > VC4_MAX_IMAGE || height > VC4_MAX_IMAGE)
		return false;
	end = (u64)offset + image_bytes(order, width, height, cpp);
	return end <= bytes;
}

/* ---- textures ---- */

/* Bytes of a texel, or of an ETC1 block; 0: refused. */
static u32 val_texel_bytes(u32 type)
{
	static const u8 bytes[32] = {
		[QPU_TEX_RGBA8888] = 4, [QPU_TEX_RGBX8888] = 4, [QPU_TEX_RGBA4444] = 2,
		[QPU_TEX_RGBA5551] = 2, [QPU_TEX_RGB565] = 2, [QPU_TEX_LUMINANCE] = 1,
		[QPU_TEX_ALPHA] = 1, [QPU_TEX_LUMALPHA] = 2, [QPU_TEX_ETC1] = 8,
		[QPU_TEX_S16F] = 2, [QPU_TEX_S8] = 1, [QPU_TEX_S16] = 2, [QPU_TEX_RGBA32R] = 4,
	};

	return bytes[type & 31];
}

/* Parameter @p may be that of a cube map. */
static bool is_cube_stride(u32 p)
{
	return p >> 30 == 1;
}

static int cube_stride(struct val_bin *b, const u32 *p, u32 *stride)
{
	*stride = 0;
	if (!(p[0] >> 9 & 1))
		return 0;
	if (is_cube_stride(p[2]))
		*stride = p[2] & 0x3ffff000;
	if (is_cube_stride(p[3])) {
		if (*stride)
			return val_refuse(b, "two strides of a cube map", p[3], 0);
		*stride = p[3] & 0x3ffff000;
	}
	return *stride ? 0 : val_refuse(b, "cube map without a stride", p[2], 0);
}

/* Is an image of the texture unit in LT format? */
static bool is_small(u32 width, u32 height, u32 cpp)
{
	return width <= 4U << px_utile_wshift(8 * cpp) || height <= 4U << px_utile_hshift(8 * cpp);
}

/* Level 0 is at the base address, smaller ones are before it. */
static int val_check_texture(struct val_bin *b, const struct vc4_val_bo *bo, const u32 *p)
{
	u32 width = p[1] >> 8 & 0x7ff, height = p[1] >> 20 & 0x7ff, levels = p[0] & 15;
	u32 type = (p[0] >> 4 & 15) | p[1] >> 31 << 4, cpp = val_texel_bytes(type);
	u32 base = p[0] & 0xfffff000, stride, i;
	enum px_order order = PX_T;
	int ret;

	width = width ? width : MAX_TEXTURE;
	height = height ? height : MAX_TEXTURE;
	ret = cube_stride(b, p, &stride);
	if (ret)
		return ret;
	if (!cpp)
		return val_refuse(b, "type of a texture", type, 0);
	if (type == QPU_TEX_ETC1) {
		width = DIV_ROUND_UP(width, 4);
		height = DIV_ROUND_UP(height, 4);
	}
	if (type == QPU_TEX_RGBA32R)
		order = PX_LINEAR;
	else if (is_small(width, height, cpp))
		order = PX_LT;
	/* Linux adds the faces in 32 bits */
	if (!vc4_image_fits(order, width, height, cpp, base + (CUBE_FACES - 1) * stride, bo->bytes))
		return val_refuse(b, "texture outside of its buffer object", base, bo->bytes);
	if ((base + (CUBE_FACES - 1ULL) * stride) >> 32)
		return val_refuse_stricter(b, "faces of a cube map outside of their buffer object",
					   stride, bo->bytes);
	for (i = 1; i <= levels; i++) {
		u32 w = max(width >> i, 1U), h = max(height >> i, 1U), bytes;

		if (order == PX_T && is_small(w, h, cpp))
			order = PX_LT;
		bytes = image_bytes(order, w, h, cpp);
		if (base < bytes)
			return val_refuse(b, "level before its buffer object", i, levels);
		base -= bytes;
	}
	return 0;
}

/* A program limits offsets to @p[1]. */
static int check_direct(struct val_bin *b, const struct vc4_val_bo *bo, const u32 *p)
{
	u32 room;

	if (bo->bytes < 4 || p[0] > bo->bytes - 4)
		return val_refuse(b, "base address of direct lookups", p[0], bo->bytes);
	room = bo->bytes - p[0] - 4;
	return p[1] > room ? val_refuse(b, "largest offset of direct lookups", p[1], room) : 0;
}

/* @from: uniforms of the program; @to: the same, as the hardware reads them. */
static int relocate_lookup(struct val_bin *b, const struct vc4_lookup *l, u32 index, const u8 *from,
			   u8 *to, bool binning)
{
	struct vc4_val_bo *bo = data_bo(b, index);
	u32 p[4] = {}, i;
	int ret = 0;

	if (!bo)
		return -EINVAL;
	for (i = 0; i < ARRAY_SIZE(p); i++)
		if (l->p[i] != VC4_NO_UNIFORM)
			p[i] = vc4_u32(from + l->p[i]);
	if (l->direct || l->after)
		ret = check_direct(b, bo, p);
	if (!ret && !l->direct) {
		ret = val_check_texture(b, bo, p);
		/* Linux has looked at a direct lookup */
		if (ret && l->after)
			b->why->stricter = true;
	}
	if (ret)
		return ret;
	put32(to + l->p[0], bo->va + p[0]);
	if (binning)
		bo->use |= VC4_USE_BIN;
	return 0;
}

/* ---- shader records ---- */

/* Uniforms of a program: indices of its textures, then values. @at: where its address goes. */
static int relocate_uniforms(struct val_bin *b, const struct vc4_shader_info *info, u8 *at,
			     bool binning)
{
	u64 bytes = info->uniform_bytes + 4ULL * info->nlookups;
	const u8 *from = b->j->uniforms + b->uniform_from, *values;
	u8 *to = b->j->out + b->uniform_to;
	u32 i;

	if (bytes > b->j->uniform_bytes)
		return val_refuse(b, "uniforms of a program", (u32)bytes, b->j->uniform_bytes);
	/* Linux does not count those of the programs before */
	if (bytes > b->j->uniform_bytes - b->uniform_from)
		return val_refuse_stricter(b, "uniforms of programs", b->uniform_from + (u32)bytes,
					   b->j->uniform_bytes);
	values = from + 4 * info->nlookups;
	memcpy(to, values, info->uniform_bytes);
	for (i = 0; i < info->nlookups; i++) {
		int ret = relocate_lookup(b, &info->lookup[i], vc4_u32(from + 4 * i), values, to,
					  binning);

		if (ret)
			return ret;
	}
	for (i = 0; i < info->nresets; i++)
		put32(to + 4 * info->reset[i], b->j->va + b->uniform_to);
	put32(at, b->j->va + b->uniform_to);
	b->uniform_from += (u32)bytes;
	b->uniform_to += info->uniform_bytes;
	return 0;
}

/* @p: the attribute in the record, @more: bits of its stride. */
static int relocate_attribute(struct val_bin *b, struct vc4_val_bo *bo, u8 *p, u32 more,
			      u32 max_index)
{
	u32 offset = vc4_u32(p), bytes = p[4] + 1, stride = p[5] | more, last;

	if (offset > bo->bytes || bo->bytes - offset < bytes)
		return val_refuse(b, "attribute outside of its buffer object", offset, bo->bytes);
	if (stride) {
		last = (bo->bytes - offset - bytes) / stride;
		if (max_index > last)
			return val_refuse(b, "vertex outside of the buffer object", max_index,
					  last);
	}
	put32(p, bo->va + offset);
	bo->use |= VC4_USE_BIN;
	return 0;
}

static u32 attributes_of(u32 word)
{
	return word & 7 ? word & 7 : VC4_MAX_ATTRIBUTES;
}

static u32 record_size(u32 word)
{
	return word & EXTENDED ? 100 + 4 * attributes_of(word) : 36 + 8 * attributes_of(word);
}

static int val_check_threads(struct val_bin *b, struct vc4_val_bo *const *program, u32 flags)
{
	if (program[0]->shader->threaded == !!(flags & SINGLE_THREAD))
		return val_refuse(b, "fragment program's threads", flags,
				  program[0]->shader->threaded);
	if (program[1]->shader->threaded || program[2]->shader->threaded)
		return val_refuse(b, "thread switch in a vertex program",
				  program[1]->shader->threaded, program[2]->shader->threaded);
	return 0;
}

/* A record in the job's memory: @handles before it in the user's. */
static int relocate_record(struct val_bin *b, const struct val_state *s, const u8 *handles, u8 *to)
{
	static const u8 code[] = { 4, 16, 28 };	/* of fragment, vertex, coordinate program */
	struct vc4_val_bo *program[ARRAY_SIZE(code)], *bo[VC4_MAX_ATTRIBUTES];
	u32 n = attributes_of(s->word), i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(code); i++) {
		program[i] = program_bo(b, vc4_u32(handles + 4 * i));
		if (!program[i])
			return -EINVAL;
	}
	for (i = 0; i < n; i++) {
		bo[i] = data_bo(b, vc4_u32(handles + 4 * (ARRAY_SIZE(code) + i)));
		if (!bo[i])
			return -EINVAL;
	}
	ret = val_check_threads(b, program, to[0]);
	for (i = 0; i < ARRAY_SIZE(code) && !ret; i++) {
		if (vc4_u32(to + code[i]))
			return val_refuse(b, "program that does not start its buffer object",
					  vc4_u32(to + code[i]), 0);
		put32(to + code[i], program[i]->va);
		ret = relocate_uniforms(b, program[i]->shader, to + code[i] + 4, i == 2);
	}
	for (i = 0; i < n && !ret; i++) {
		u32 more = s->word & EXTENDED ? vc4_u32(to + 100 + 4 * i) & 0xffffff00 : 0;

		ret = relocate_attribute(b, bo[i], to + 36 + 8 * i, more, s->max_index);
	}
	return ret;
}

static int val_next_record(struct val_bin *b, const struct val_state *s)
{
	u32 left = b->j->record_bytes - b->record_from, bytes = record_size(s->word);
	u32 handles = 4 * (VC4_NUM_STAGES + attributes_of(s->word));
	const u8 *from = b->j->records + b->record_from;
	u8 *to = b->j->out + b->record_to;

	if (handles > left || bytes > left - handles)
		return val_refuse(b, "shader records are too short", handles + bytes, left);
	memcpy(to, from + handles, bytes);
	b->record_from += handles + bytes;
	/* no more than the user's, as there are at least 16 bytes of indices */
	b->record_to += val_align(bytes, RECORD_ALIGN);
	return relocate_record(b, s, from, to);
}

/* ---- packets ---- */

static int bin_config(struct val_bin *b, const u8 *from, u8 *to)
{
	struct vc4_val_job *j = b->j;
	u32 flags = from[14], state;

	if (b->configured)
		return val_refuse(b, "second binning mode", VC4_BIN_CONFIG, 0);
	b->configured = true;
	j->tiles_x = from[12];
	j->tiles_y = from[13];
	if (!j->tiles_x || !j->tiles_y)
		return val_refuse(b, "no tiles", j->tiles_x | j->tiles_y << 8, 0);
	if (flags & (BIN_DOUBLE | BIN_64BIT))
		return val_refuse(b, "flags of the binning mode", flags, 0);
	state = val_align(STATE_BYTES * j->tiles_x * j->tiles_y, STATE_ALIGN);
	if (state >= j->slot_bytes)
		return val_refuse(b, "too many tiles", j->tiles_x * j->tiles_y, j->slot_bytes);
	j->state_bytes = state;
	j->tile_lists = j->slot_va + state;
	put32(to, j->tile_lists);
	put32(to + 4, j->slot_bytes - state);
	put32(to + 8, j->slot_va);
	to[14] = (u8)((flags & ~BIN_BLOCKS) | BIN_AUTO_INIT | BIN_BLOCK_128);
	return 0;
}

static int shader_state(struct val_bin *b, const u8 *from, u8 *to, u32 *record)
{
	u32 word = vc4_u32(from);

	if (b->nstates == b->max_states)
		return val_refuse(b, "more shader states than records", b->nstates + 1,
				  b->max_states);
	if (word & ~15U)
		return val_refuse(b, "address in a shader state", word, 15);
	b->state[b->nstates++] = (struct val_state){ .word = word };
	put32(to, b->j->va + *record + word);
	*record += val_align(record_size(word), RECORD_ALIGN);
	return 0;
}

static int val_add_draw(struct val_bin *b, u32 max_index)
{
	struct val_state *s;

	if (!b->nstates)
		return val_refuse(b, "draw before a shader state", 0, 0);
	s = &b->state[b->nstates - 1];
	s->max_index = max(s->max_index, max_index);
	return 0;
}

static int draw_array(struct val_bin *b, const u8 *from)
{
	u32 count = vc4_u32(from + 1), first = vc4_u32(from + 5);

	if (count + first < count)
		return val_refuse(b, "too many vertices", count, first);
	return val_add_draw(b, count + first - 1);
}

static int draw_indexed(struct val_bin *b, const u8 *from, u8 *to)
{
	u32 count = vc4_u32(from + 1), offset = vc4_u32(from + 5), size = from[0] >> 4 ? 2 : 1;
	struct vc4_val_bo *bo;
	int ret;

	ret = val_add_draw(b, vc4_u32(from + 9));
	if (ret)
		return ret;
	bo = data_bo(b, b->handle);
	if (!bo)
		return -EINVAL;
	if (offset > bo->bytes || (bo->bytes - offset) / size < count)
		return val_refuse(b, "indices outside of their buffer object", offset, bo->bytes);
	put32(to + 5, bo->va + offset);
	bo->use |= VC4_USE_BIN;
	return 0;
}

static int start_binning(struct val_bin *b)
{
	if (b->started || !b->configured)
		return val_refuse(b, "start without a binning mode", b->started, b->configured);
	b->started = true;
	return 0;
}

/* The packet has to be the last but @after. */
static int val_at_end(struct val_bin *b, bool *found, u32 after)
{
	if (b->at + 1 + after != b->j->list_bytes)
		return val_refuse(b, "packet that only ends lists", b->at, b->j->list_bytes);
	*found = true;
	return 0;
}

/* Bytes of a packet that lists may have, else 0. */
static u32 packet_bytes(u32 op)
{
	switch (op) {
	case GEM_HANDLES:
		return GEM_HANDLES_BYTES;
	case VC4_HALT:
	case VC4_NOP:
	case VC4_FLUSH:
	case VC4_FLUSH_ALL:
	case VC4_START_BINNING:
	case VC4_INCREMENT_SEMAPHORE:
	case VC4_INDEXED:
	case VC4_ARRAY:
	case VC4_LIST_FORMAT:
	case VC4_GL_STATE:
	case VC4_CONFIG:
	case VC4_FLAT:
	case VC4_POINT_SIZE:
	case VC4_LINE_WIDTH:
	case VC4_RHT_X:
	case VC4_DEPTH_OFFSET:
	case VC4_CLIP_WINDOW:
	case VC4_VIEWPORT:
	case VC4_XY_SCALE:
	case VC4_Z_SCALE:
	case VC4_BIN_CONFIG:
		return vc4_packet_bytes(op);
	default:
		return 0;
	}
}

/* @record: where the next record will be. */
static int check_packet(struct val_bin *b, const u8 *from, u8 *to, u32 *record)
{
	switch (from[0]) {
	case VC4_FLUSH:
		return val_at_end(b, &b->flushed, 0);
	case VC4_INCREMENT_SEMAPHORE:
		return val_at_end(b, &b->semaphore, 1);
	case VC4_START_BINNING:
		return start_binning(b);
	case VC4_BIN_CONFIG:
		return bin_config(b, from + 1, to + 1);
	case VC4_GL_STATE:
		return shader_state(b, from + 1, to + 1, record);
	case VC4_INDEXED:
		return draw_indexed(b, from + 1, to + 1);
	case VC4_ARRAY:
		return draw_array(b, from + 1);
	case GEM_HANDLES:
		b->handle = vc4_u32(from + 1);
		return 0;
	default:
		return 0;
	}
}

static int check_list(struct val_bin *b)
{
	u32 to = 0, record = b->record_to, bytes;
	struct vc4_val_job *j = b->j;
	int ret;

	for (b->at = 0; b->at < j->list_bytes; b->at += bytes) {
		const u8 *from = j->list + b->at;

		bytes = packet_bytes(from[0]);
		if (!bytes)
			return val_refuse(b, "packet", from[0], 0);
		if (bytes > j->list_bytes - b->at)
			return val_refuse(b, "packet past the end", bytes, j->list_bytes - b->at);
		if (from[0] != GEM_HANDLES)
			memcpy(j->out + to, from, bytes);
		ret = check_packet(b, from, j->out + to, &record);
		if (ret)
			return ret;
		if (from[0] != GEM_HANDLES)
			to += bytes;
		if (from[0] == VC4_HALT)
			break;
	}
	if (!b->started || !b->semaphore || !b->flushed)
		return val_refuse(b, "list without start, semaphore and flush", b->started, 0);
	j->start = j->va;
	j->end = j->va + to;
	return 0;
}

static u64 records_at(const struct vc4_val_job *j)
{
	return DIV_ROUND_UP((u64)j->list_bytes, RECORD_ALIGN) * RECORD_ALIGN;
}

u32 vc4_val_bytes(const struct vc4_val_job *j)
{
	u64 bytes = records_at(j) + j->record_bytes + j->uniform_bytes;

	/* the memory that Linux needs for shader states counts, too */
	return (bytes + sizeof(struct val_state) * (u64)j->max_records) >> 32 ? 0 : (u32)bytes;
}

int vc4_validate_bin(struct vc4_val_job *j, struct vc4_refusal *why)
{
	/* a packet of a shader state has five bytes */
	u32 max_states = min(j->max_records, j->list_bytes / 5), i;
	struct val_bin b = { .j = j, .why = why, .max_states = max_states };
	int ret;

	*why = (struct vc4_refusal){};
	if (!vc4_val_bytes(j))
		return val_refuse(&b, "sizes", j->record_bytes, j->uniform_bytes);
	b.state = vs_zalloc(max(max_states, 1U) * sizeof(*b.state));
	if (!b.state)
		return -ENOMEM;
	b.record_to = (u32)records_at(j);
	b.uniform_to = b.record_to + j->record_bytes;
	ret = check_list(&b);
	for (i = 0; i < b.nstates && !ret; i++) {
		b.at = i;
		ret = val_next_record(&b, &b.state[i]);
	}
	vs_free(b.state);
	return ret;
}
