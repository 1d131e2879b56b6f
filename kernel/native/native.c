// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The table of native job formats.
 */
#include "native_ops.h"

static const struct vs_native_ops *const formats[VS_NUM_NATIVE] = {
#define VS_NATIVE(name, ops) [VS_NATIVE_##name] = &(ops),
#include "formats.def"
#undef VS_NATIVE
};

/**
 * vs_native_state_bytes - size of a queue's registers
 * @format: enum vs_native_format
 *
 * Return: bytes that vs_native_state_new() allocates.
 */
u32 vs_native_state_bytes(u32 format)
{
	return max_t(u32, formats[format]->state_bytes, sizeof(struct vs_native_state));
}

/**
 * vs_native_state_new - allocate the registers of a queue
 * @format: enum vs_native_format
 *
 * Return: registers in reset state, or NULL: no memory, or no such format.
 */
struct vs_native_state *vs_native_state_new(u32 format)
{
	struct vs_native_state *s;

	if (format >= VS_NUM_NATIVE)
		return NULL;
	s = vs_zalloc(vs_native_state_bytes(format));
	if (s)
		s->ops = formats[format];
	return s;
}

/**
 * vs_native_state_free - free a queue's registers
 * @s: registers, or NULL
 */
void vs_native_state_free(struct vs_native_state *s)
{
	vs_free(s);
}

/**
 * vs_native_state_reset - reset a queue's registers
 * @s: registers
 */
void vs_native_state_reset(struct vs_native_state *s)
{
	if (s->ops->state_bytes)
		memset(s + 1, 0, s->ops->state_bytes - sizeof(*s));
}

/**
 * vs_native_state_copy - copy a queue's registers
 * @dst: destination, of the same format
 * @src: source
 */
void vs_native_state_copy(struct vs_native_state *dst, const struct vs_native_state *src)
{
	if (dst != src && dst->ops == src->ops && src->ops->state_bytes)
		memcpy(dst, src, src->ops->state_bytes);
}

/**
 * vs_native_parse - parse a native job and allocate all its memory
 * @in: the job; its words need not outlive the call
 * @s: registers of the queue, changed only on success
 * @out: the parsed job
 * @fault: with -ENOEXEC: reason and location
 *
 * Return: 0, -ENOEXEC, -EINVAL, -E2BIG or -ENOMEM.
 */
int vs_native_parse(const struct vs_native_in *in, struct vs_native_state *s,
		    struct vs_native **out, struct vs_fault *fault)
{
	int ret;

	vs_fault_init(fault, VS_FAULT_NONE);
	if (in->format >= VS_NUM_NATIVE || s->ops != formats[in->format])
		return -EINVAL;
	ret = s->ops->parse(in, s, out, fault);
	if (!ret)
		(*out)->ops = s->ops;
	return ret;
}

/**
 * vs_native_map - address space of a parsed job
 * @n: parsed job
 *
 * Return: the guest's address space with the job's scratch added.
 */
const struct vs_map *vs_native_map(const struct vs_native *n)
{
	return n->ops->map(n);
}

/**
 * vs_native_phases - phases of a parsed job
 * @n: parsed job
 *
 * Return: number of phases that the engine job must have room for.
 */
u32 vs_native_phases(const struct vs_native *n)
{
	return n->ops->phases(n);
}

/**
 * vs_native_add_phases - add the phases to an engine job
 * @n: parsed job, must outlive @job
 * @job: engine job created with vs_native_map() and vs_native_phases()
 *
 * Return: 0 or the engine's error.
 */
int vs_native_add_phases(struct vs_native *n, struct vs_job *job)
{
	return n->ops->add_phases(n, job);
}

/**
 * vs_native_memory - memory of a parsed job
 * @n: parsed job
 *
 * Return: bytes held, without the engine job's own.
 */
u64 vs_native_memory(const struct vs_native *n)
{
	return n->ops->memory(n);
}

/**
 * vs_native_strays - accesses of a parsed job that had no effect
 * @n: parsed job
 *
 * Return: number; 0 for formats that count none.
 */
u32 vs_native_strays(const struct vs_native *n)
{
	return n->ops->strays ? n->ops->strays(n) : 0;
}

/**
 * vs_native_isa - engine of a format
 * @format: enum vs_native_format
 *
 * Return: engine, VS_MAX_ISAS if there is no such format.
 */
enum vs_isa_id vs_native_isa(u32 format)
{
	return format < VS_NUM_NATIVE ? formats[format]->isa : VS_MAX_ISAS;
}

/**
 * vs_native_formats - formats of an engine
 * @isa: engine
 *
 * Return: mask of enum vs_native_format.
 */
u32 vs_native_formats(enum vs_isa_id isa)
{
	u32 i, mask = 0;

	for (i = 0; i < VS_NUM_NATIVE; i++)
		mask |= formats[i]->isa == isa ? 1U << i : 0;
	return mask;
}

/**
 * vs_native_in_memory - whether jobs of a format are read from memory when they run
 * @format: enum vs_native_format
 *
 * Return: true: they have no words at submit.
 */
bool vs_native_in_memory(u32 format)
{
	return format < VS_NUM_NATIVE && formats[format]->in_memory;
}

/**
 * vs_native_reason_text - text of a reject reason
 * @format: enum vs_native_format
 * @reason: @code of a COMMAND fault
 *
 * Return: text, never NULL.
 */
const char *vs_native_reason_text(u32 format, u32 reason)
{
	return format < VS_NUM_NATIVE ? formats[format]->reason_text(reason) : "?";
}

/**
 * vs_native_free - free a parsed job after its engine job
 * @n: parsed job, or NULL
 */
void vs_native_free(struct vs_native *n)
{
	if (n)
		n->ops->free(n);
}
