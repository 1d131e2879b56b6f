// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Bounded reading of descriptors, memory that a chain owns, and rejects. */
#include "mali_desc.h"

#define ARENA_BLOCK	16384

/* Memory is handed out from the last block and freed with the chain. */
struct mali_block {
	struct mali_block *next;
	size_t used;
	size_t size;
	u64 data[];
};

static const struct mali_arch_info archs[MALI_NUM_ARCH] = {
	[MALI_V4] = { .name = "v4", .midgard = true, .draw_words = 30, .uniform_words = 4,
		      .max_write_type = MALI_WRITE_ZERO, .max_job_type = MALI_JOB_FRAGMENT,
		      .block_bits = 2 },
	[MALI_V5] = { .name = "v5", .midgard = true, .draw_words = 30, .uniform_words = 4,
		      .max_write_type = MALI_WRITE_ZERO, .max_job_type = MALI_JOB_FRAGMENT,
		      .block_bits = 2 },
	[MALI_V6] = { .name = "v6", .draw_words = 32, .uniform_words = 2,
		      .max_write_type = MALI_WRITE_IMM64,
		      .max_job_type = MALI_JOB_INDEXED_VERTEX, .block_bits = 2 },
	[MALI_V7] = { .name = "v7", .draw_words = 32, .uniform_words = 2,
		      .max_write_type = MALI_WRITE_IMM64,
		      .max_job_type = MALI_JOB_INDEXED_VERTEX, .block_bits = 4,
		      .level_inner = true, .has_messages = true },
};

static const char * const reasons[MALI_NUM_REASONS] = {
	[MALI_OK] = "no error",
	[MALI_UNMAPPED] = "address cannot be read",
	[MALI_MISALIGNED] = "address is not aligned",
	[MALI_NULL_POINTER] = "null pointer with a nonzero count",
	[MALI_JOB_TYPE] = "unknown job type",
	[MALI_JOB_UNSUPPORTED] = "unsupported job type",
	[MALI_JOB_32BIT] = "unsupported 32-bit job",
	[MALI_LOOP] = "jobs form a loop",
	[MALI_DUPLICATE_INDEX] = "job index used twice",
	[MALI_NO_SUCH_INDEX] = "dependency on a job that is not in the chain",
	[MALI_DEADLOCK] = "dependencies form a circle",
	[MALI_BAD_WRITE_TYPE] = "unknown type of value",
	[MALI_BAD_INVOCATION] = "fields of the invocation overlap",
	[MALI_BAD_ATTR_TYPE] = "unknown type of attribute buffer",
	[MALI_BAD_FORMAT] = "unsupported pixel format",
	[MALI_BAD_LAYOUT] = "unsupported texel order",
	[MALI_BAD_DESC_TYPE] = "descriptor of another type",
	[MALI_BAD_DRAW] = "unsupported 32-bit draw descriptor",
	[MALI_BAD_WRAP] = "unknown mode of a sampler",
	[MALI_BAD_PRIMITIVE] = "unknown kind of primitive",
	[MALI_BAD_FRAMEBUFFER] = "unsupported framebuffer",
	[MALI_BAD_HEAP] = "invalid contents of the tiler heap",
	[MALI_LIMIT_JOBS] = "too many jobs",
	[MALI_LIMIT_MEMORY] = "too many descriptors",
};

/**
 * mali_reason_text - text of a reject reason
 * @reason: enum mali_reason
 *
 * Return: text.
 */
const char *mali_reason_text(u32 reason)
{
	return reason < MALI_NUM_REASONS ? reasons[reason] : "?";
}

u32 mali_reject_status(u32 reason)
{
	switch (reason) {
	case MALI_OK:
		return MALI_STATUS_NONE;
	case MALI_UNMAPPED:
	case MALI_NULL_POINTER:
		return MALI_STATUS_JOB_READ_FAULT;
	case MALI_LIMIT_JOBS:
	case MALI_LIMIT_MEMORY:
		return MALI_STATUS_OUT_OF_MEMORY;
	default:
		return MALI_STATUS_JOB_CONFIG_FAULT;
	}
}

const struct mali_arch_info *mali_arch_info(enum mali_arch arch)
{
	return &archs[arch];
}

int mali_reject_at(struct mali_parser *p, enum mali_reason reason, const char *field, u64 va,
		   u64 value)
{
	*p->why = (struct mali_reject){ .reason = reason, .job = p->job, .field = field,
					.va = va, .value = value };
	return reason == MALI_LIMIT_JOBS || reason == MALI_LIMIT_MEMORY ? -E2BIG : -ENOEXEC;
}

int mali_words(struct mali_parser *p, u64 va, u32 *w, u32 n, u32 align, const char *field)
{
	u64 size = (u64)n * sizeof(*w), got;
	const void *from;

	p->c->reads++;
	if (va & (align - 1))
		return mali_reject_at(p, MALI_MISALIGNED, field, va, va);
	/* Internal scratch is not accessible to the guest, and sums must not wrap. */
	if (va >= VS_INTERNAL_VA || size > VS_INTERNAL_VA - va)
		return mali_reject_at(p, MALI_UNMAPPED, field, va, va);
	from = vs_tlb_ptr(&p->c->tlb, va, size, 0);
	if (from) {
		memcpy(w, from, size);
		return 0;
	}
	got = vs_map_read(p->c->tlb.map, va, w, size);
	if (got < size)
		return mali_reject_at(p, MALI_UNMAPPED, field, va + got, va);
	return 0;
}

static struct mali_block *new_block(struct mali_chain *c, size_t size)
{
	struct mali_block *b = vs_zalloc(sizeof(*b) + size);

	if (!b)
		return NULL;
	b->size = size;
	b->next = c->blocks;
	c->blocks = b;
	c->memory += sizeof(*b) + size;
	return b;
}

/* In a worker nothing may be allocated; the arena is reset elsewhere. */
static int from_arena(struct mali_parser *p, u64 n, size_t size, const char *field, void **out)
{
	*out = simt_arena_alloc(p->c->limits.arena, n, size);
	return *out ? 0 : mali_reject_at(p, MALI_LIMIT_MEMORY, field, 0, n * size);
}

int mali_alloc(struct mali_parser *p, u64 n, size_t size, const char *field, void **out)
{
	struct mali_chain *c = p->c;
	struct mali_block *b = c->blocks;
	u64 bytes, need;

	/* Also bounds the product: @size is that of a structure. */
	if (n >> 32)
		return mali_reject_at(p, MALI_LIMIT_MEMORY, field, 0, n);
	if (c->limits.arena)
		return from_arena(p, n, size, field, out);
	bytes = ((u64)n * size + 7) & ~7ULL;
	if (!b || bytes > b->size - b->used) {
		need = max_t(u64, bytes, ARENA_BLOCK);
		if (need + sizeof(*b) > c->limits.max_memory ||
		    c->memory > c->limits.max_memory - need - sizeof(*b))
			return mali_reject_at(p, MALI_LIMIT_MEMORY, field, 0, bytes);
		b = new_block(c, need);
		if (!b)
			return -ENOMEM;
	}
	*out = (u8 *)b->data + b->used;
	b->used += bytes;
	return 0;
}

int mali_take(struct mali_parser *p, u64 n, size_t size, const char *field, void **out)
{
	if (!p->c->limits.arena || n >> 32)
		return mali_alloc(p, n, size, field, out);
	*out = simt_arena_take(p->c->limits.arena, n, size);
	return *out ? 0 : mali_reject_at(p, MALI_LIMIT_MEMORY, field, 0, n * size);
}

void mali_free_blocks(struct mali_chain *c)
{
	struct mali_block *b, *next;

	for (b = c->blocks; b; b = next) {
		next = b->next;
		vs_free(b);
	}
	c->blocks = NULL;
}
