/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Reading of Mali descriptors; for this folder only. */
#ifndef VS_MALI_DESC_H
#define VS_MALI_DESC_H

#include "mali_launch.h"

/**
 * struct mali_arch_info - Differences between descriptor formats.
 * @name:	for messages
 * @midgard:	v4 and v5: sampler, texture and state fields of Midgard
 * @draw_words:	size of the draw descriptor, words
 * @uniform_words: unit of the uniform count, 32-bit words
 * @max_write_type: last value of WRITE_VALUE's type
 * @max_job_type: last job type
 * @block_bits:	width of the order of a target's pixels
 * @level_inner: order of a texture's surfaces
 * @has_messages: the renderer state has message preloads
 */
struct mali_arch_info {
	const char *name;
	bool midgard;
	u8 draw_words;
	u8 uniform_words;
	u8 max_write_type;
	u8 max_job_type;
	u8 block_bits;
	bool level_inner;
	bool has_messages;
};

const struct mali_arch_info *mali_arch_info(enum mali_arch arch);

/**
 * struct mali_parser - State of a parser call.
 * @c:		chain that is read
 * @arch:	its formats
 * @job:	position of the current job
 * @why:	destination of a reject
 * @fixed:	draws may have no program
 */
struct mali_parser {
	struct mali_chain *c;
	const struct mali_arch_info *arch;
	u32 job;
	struct mali_reject *why;
	bool fixed;
};

/* Bit field of a descriptor; @width at most 32. */
static inline u32 mali_bits(const u32 *w, u32 word, u32 start, u32 width)
{
	return (u32)((w[word] >> start) & ((1ULL << width) - 1));
}

static inline u64 mali_u64(const u32 *w, u32 word)
{
	return w[word] | (u64)w[word + 1] << 32;
}

/* Padded number of vertices: an odd number, less one and halved, and a power of two. */
static inline u32 mali_padded(u32 byte)
{
	return (2 * (byte >> 5) + 1) << (byte & 31);
}

/* Read @n words at @va, which must be a multiple of @align. */
int mali_words(struct mali_parser *p, u64 va, u32 *w, u32 n, u32 align, const char *field);
/* Fill *@why unless it is NULL. Return: -ENOEXEC, or -E2BIG for limits. */
int mali_reject_at(struct mali_parser *p, enum mali_reason reason, const char *field, u64 va,
		   u64 value);
/* Allocate zeroed memory owned by the chain. @field: name for rejects. */
int mali_alloc(struct mali_parser *p, u64 n, size_t size, const char *field, void **out);
/* The same without zeroing, which is slow for large sizes. */
int mali_take(struct mali_parser *p, u64 n, size_t size, const char *field, void **out);

/**
 * struct mali_tables - Addresses and sizes of descriptor tables.
 * @ubos:	uniform buffers
 * @push:	push uniforms, words
 * @attrs:	attributes
 * @attr_bufs:	their buffers
 * @varyings:	varyings
 * @varying_bufs: their buffers
 * @textures:	textures
 * @samplers:	samplers
 * @storage:	thread storage, a single descriptor, or 0
 * @nubos:	number of @ubos
 * @npush:	words at @push
 * @nattrs:	number of @attrs
 * @nvaryings:	number of @varyings
 * @ntextures:	number of @textures
 * @nsamplers:	number of @samplers
 */
struct mali_tables {
	u64 ubos;
	u64 push;
	u64 attrs;
	u64 attr_bufs;
	u64 varyings;
	u64 varying_bufs;
	u64 textures;
	u64 samplers;
	u64 storage;
	u32 nubos;
	u32 npush;
	u32 nattrs;
	u32 nvaryings;
	u32 ntextures;
	u32 nsamplers;
};

/**
 * struct mali_reader - Progress of reading a launch's tables, in pieces.
 * @p:		parser
 * @t:		tables
 * @l:		launch that receives the descriptors
 * @job:	job that owns the launch, or NULL
 * @step:	current table
 * @i:		next entry
 * @begun:	memory for the table has been allocated
 * @left:	descriptors that this piece may still read
 * @in_texture: texture @i has been read, its images are being read
 * @surface:	next image
 * @surfaces:	address of the images
 * @form:	enum surface_form
 */
struct mali_reader {
	struct mali_parser p;
	struct mali_tables t;
	struct mali_launch *l;
	struct mali_job *job;
	u32 step;
	u32 i;
	bool begun;
	u32 left;
	bool in_texture;
	u32 surface;
	u64 surfaces;
	u32 form;
};

#define MALI_PIECE	64	/* descriptors between two checks of the slice */

/* Return: another descriptor may be read in this piece. */
static inline bool mali_reader_more(struct mali_reader *r)
{
	if (!r->left)
		return false;
	r->left--;
	return true;
}

/* Allocate @n entries for the current table, not zeroed. */
int mali_reader_begin(struct mali_reader *r, u64 n, size_t size, const char *field, void **out);
/* Read a piece. Return: -EAGAIN: call again. */
int mali_reader_step(struct mali_reader *r);

/* Tables; each returns -EAGAIN when the piece is over. */
int mali_read_attrs(struct mali_reader *r);
int mali_read_attr_bufs(struct mali_reader *r);
int mali_read_varyings(struct mali_reader *r);
int mali_read_varying_bufs(struct mali_reader *r);
int mali_read_textures(struct mali_reader *r);
int mali_read_samplers(struct mali_reader *r);

/* Read all tables, where sleeping is allowed. */
int mali_read_tables(struct mali_parser *p, const struct mali_tables *t, struct mali_launch *l);
/* Read the descriptors in front of a job's tables. Return: 0: continue with @r, or an error. */
int mali_read_launch(struct mali_parser *p, struct mali_job *job, struct mali_reader *r);
/* As mali_read_launch(), of the vertices of an INDEXED_VERTEX job. */
int mali_read_indexed(struct mali_parser *p, struct mali_job *job, struct mali_reader *r);
/* Read a draw descriptor in front of its tables. Return: 0: continue with @r, or an error. */
int mali_read_draw(struct mali_parser *p, u64 va, struct mali_reader *r);
/* Read the number of workgroups of the invocation at @va: 1, vertices, instances. */
int mali_read_size(struct mali_parser *p, u64 va, u64 groups[3]);
/*
 * Read all descriptors of a job. Return: 0, -EAGAIN: continue with mali_reader_step(@r), -ENOEXEC
 * (rejected; also types that are not executed), -E2BIG (a limit), -ENOMEM.
 */
int mali_job_load(struct mali_parser *p, struct mali_job *job, struct mali_reader *r);

#endif /* VS_MALI_DESC_H */
