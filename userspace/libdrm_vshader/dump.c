// SPDX-License-Identifier: MIT
/*
 * Reading of dumps.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "priv.h"
#include "vshader_dump.h"

#define MAX_SECTIONS	4096u
#define MAX_MAPPINGS	65536u
#define MAX_BANKS	64u
#define MAX_BANK_REGS	4096u
#define MAX_INVS	1024u
#define MAX_COMPONENTS	16u

/* ---- sections ---- */

static int add_section(struct vshader_dump *d, const struct drm_vshader_dump_section *s,
		       const uint8_t *data)
{
	struct vshader_dump_part *p;

	if (s->count && s->size / s->count > UINT32_MAX)
		return vsh_fail(EINVAL, "dump: section of type %llu: size of elements",
				(unsigned long long)s->type);
	if (s->type >= VSHADER_DUMP_TYPES || !s->type)
		return 0;
	p = &d->part[s->type];
	if (p->data)
		return vsh_fail(EINVAL, "dump: two sections of type %llu",
				(unsigned long long)s->type);
	*p = (struct vshader_dump_part){
		.flags = s->flags, .count = s->count, .size = s->size, .data = data,
		.each = s->count ? s->size / s->count : 0,
	};
	return 0;
}

static int find_sections(struct vshader_dump *d, const uint8_t *data, uint64_t size)
{
	struct drm_vshader_dump_header head;
	struct drm_vshader_dump_section s;
	uint64_t at = sizeof(head), i;
	int ret;

	if (size < sizeof(head))
		return vsh_fail(EINVAL, "this is not a dump: too short");
	memcpy(&head, data, sizeof(head));
	if (memcmp(head.magic, DRM_VSHADER_DUMP_MAGIC, sizeof(head.magic)))
		return vsh_fail(EINVAL, "this is not a dump of vshader");
	if (head.version != DRM_VSHADER_DUMP_VERSION)
		return vsh_fail(EINVAL, "dump of version %llu, not %d",
				(unsigned long long)head.version, DRM_VSHADER_DUMP_VERSION);
	if (head.size > size || head.sections > MAX_SECTIONS)
		return vsh_fail(EINVAL, "dump: it is cut off");
	for (i = 0; i < head.sections; i++) {
		if (at > head.size || head.size - at < sizeof(s))
			return vsh_fail(EINVAL, "dump: section %llu: beyond the end",
					(unsigned long long)i);
		memcpy(&s, data + at, sizeof(s));
		at += sizeof(s);
		if (s.size > head.size - at)
			return vsh_fail(EINVAL, "dump: section %llu: longer than the file",
					(unsigned long long)i);
		ret = add_section(d, &s, data + at);
		if (ret)
			return ret;
		at += s.size;
		at += -at & 7;
	}
	return 0;
}

bool vshader_dump_element(const struct vshader_dump *d, uint32_t type, uint64_t n, void *to,
			  size_t size)
{
	const struct vshader_dump_part *p;

	memset(to, 0, size);
	if (type >= VSHADER_DUMP_TYPES)
		return false;
	p = &d->part[type];
	if (!p->data || n >= p->count)
		return false;
	memcpy(to, p->data + n * p->each, p->each < size ? p->each : size);
	return true;
}

/* A copy of all elements; *@num is 0 without them. */
static int copy_elements(const struct vshader_dump *d, uint32_t type, uint64_t max, size_t size,
			 void *out, uint32_t *num)
{
	const struct vshader_dump_part *p = &d->part[type];
	uint8_t *copy;
	uint64_t i;

	if (p->count > max || (p->count && !p->each))
		return vsh_fail(EINVAL, "dump: section of type %u: %llu elements", type,
				(unsigned long long)p->count);
	copy = calloc(p->count + 1, size);
	if (!copy)
		return vsh_fail(ENOMEM, "out of memory");
	for (i = 0; i < p->count; i++)
		vshader_dump_element(d, type, i, copy + i * size, size);
	*(void **)out = copy;
	*num = (uint32_t)p->count;
	return 0;
}

/* ---- mandatory sections ---- */

static int check_maps(const struct vshader_dump *d)
{
	uint64_t end = 0;
	uint32_t i;

	for (i = 0; i < d->num_mappings; i++) {
		const struct drm_vshader_dump_mapping *m = &d->mappings[i];

		if (m->va < end || !m->size || m->va + m->size < m->va)
			return vsh_fail(EINVAL, "dump: mapping %u overlaps or is not ordered", i);
		end = m->va + m->size;
	}
	return 0;
}

static int check_memory(const struct vshader_dump *d, uint32_t type)
{
	const struct vshader_dump_part *p = &d->part[type];
	uint64_t at = 0, end = 0, n = 0, run[2];

	while (at < p->size) {
		if (p->size - at < sizeof(run))
			return vsh_fail(EINVAL, "dump: memory run %llu: cut off",
					(unsigned long long)n);
		memcpy(run, p->data + at, sizeof(run));
		at += sizeof(run);
		if (run[1] > p->size - at || run[0] < end || run[0] + run[1] < run[0])
			return vsh_fail(EINVAL, "dump: memory run %llu: its length or address",
					(unsigned long long)n);
		end = run[0] + run[1];
		at += run[1];
		n++;
	}
	return n == p->count ? 0 : vsh_fail(EINVAL, "dump: %llu memory runs, not %llu",
					    (unsigned long long)n, (unsigned long long)p->count);
}

/* Registers and words of banks that are uniform or not. */
static void count_banks(const struct vshader_dump *d, uint64_t *regs, uint64_t words[2])
{
	uint32_t i;

	*regs = 0;
	words[0] = 0;
	words[1] = 0;
	for (i = 0; i < d->num_banks; i++) {
		const struct drm_vshader_debug_bank *b = &d->banks[i];

		*regs += b->count;
		words[!!(b->flags & DRM_VSHADER_DEBUG_BANK_UNIFORM)] +=
			(uint64_t)b->count * b->components;
	}
}

static int check_registers(struct vshader_dump *d)
{
	const struct vshader_dump_part *p = &d->part[DRM_VSHADER_DUMP_REGISTERS];
	uint64_t regs, words[2];
	uint32_t i;

	for (i = 0; i < d->num_banks; i++) {
		struct drm_vshader_debug_bank *b = &d->banks[i];

		if (b->count > MAX_BANK_REGS || !b->components ||
		    b->components > MAX_COMPONENTS || b->first > UINT32_MAX - b->count)
			return vsh_fail(EINVAL, "dump: register bank %u", i);
		b->name[sizeof(b->name) - 1] = 0;
	}
	count_banks(d, &regs, words);
	if (!p->data) {
		d->num_invocations = 0;
		return 0;
	}
	if (p->size != (regs + 63) / 64 * 8 + 4 * words[1] +
		       4 * words[0] * (uint64_t)d->num_invocations)
		return vsh_fail(EINVAL, "dump: registers: %llu bytes",
				(unsigned long long)p->size);
	d->exact = p->flags & DRM_VSHADER_DUMP_EXACT;
	return 0;
}

static int check_job(struct vshader_dump *d)
{
	if (!vshader_dump_element(d, DRM_VSHADER_DUMP_DEVICE, 0, &d->device, sizeof(d->device)) ||
	    !vshader_dump_element(d, DRM_VSHADER_DUMP_QUEUE, 0, &d->queue, sizeof(d->queue)) ||
	    !vshader_dump_element(d, DRM_VSHADER_DUMP_JOB, 0, &d->job, sizeof(d->job)))
		return vsh_fail(EINVAL, "dump: device, queue or job is missing");
	d->device.name[sizeof(d->device.name) - 1] = 0;
	d->queue.comm[sizeof(d->queue.comm) - 1] = 0;
	d->has_program = vshader_dump_element(d, DRM_VSHADER_DUMP_PROGRAM, 0, &d->program,
					      sizeof(d->program));
	if (!vshader_engine_name(d->queue.engine) ||
	    (d->has_program && d->program.engine != d->queue.engine))
		return vsh_fail(EINVAL, "dump: engine %u is not known", d->queue.engine);
	return 0;
}

static int check_words(const struct vshader_dump *d, uint32_t type)
{
	const struct vshader_dump_part *p = &d->part[type];

	return !p->count || p->each == 4 ? 0 : vsh_fail(EINVAL, "dump: program words of %llu bytes",
							(unsigned long long)p->each);
}

static int check(struct vshader_dump *d)
{
	int ret = check_job(d);

	if (!ret)
		ret = check_words(d, DRM_VSHADER_DUMP_CODE);
	if (!ret)
		ret = check_words(d, DRM_VSHADER_DUMP_OPDESC);
	if (!ret)
		ret = check_words(d, DRM_VSHADER_DUMP_ENTRIES);
	if (!ret)
		ret = copy_elements(d, DRM_VSHADER_DUMP_MAP, MAX_MAPPINGS, sizeof(*d->mappings),
				    &d->mappings, &d->num_mappings);
	if (!ret)
		ret = copy_elements(d, DRM_VSHADER_DUMP_BANKS, MAX_BANKS, sizeof(*d->banks),
				    &d->banks, &d->num_banks);
	if (!ret)
		ret = copy_elements(d, DRM_VSHADER_DUMP_INVOCATIONS, MAX_INVS,
				    sizeof(*d->invocations), &d->invocations,
				    &d->num_invocations);
	if (!ret)
		ret = check_maps(d);
	if (!ret)
		ret = check_memory(d, DRM_VSHADER_DUMP_MEMORY);
	if (!ret)
		ret = check_memory(d, DRM_VSHADER_DUMP_MEMORY_AFTER);
	return ret ? ret : check_registers(d);
}

int vshader_dump_parse(const void *data, size_t size, struct vshader_dump **out)
{
	struct vshader_dump *d = calloc(1, sizeof(*d));
	int ret;

	if (!d)
		return vsh_fail(ENOMEM, "out of memory");
	ret = find_sections(d, data, size);
	if (!ret)
		ret = check(d);
	if (ret)
		vshader_dump_free(d);
	else
		*out = d;
	return ret;
}

void vshader_dump_free(struct vshader_dump *d)
{
	if (!d)
		return;
	free(d->mappings);
	free(d->banks);
	free(d->invocations);
	free(d);
}

/* ---- memory ---- */

const uint8_t *vshader_dump_run(const struct vshader_dump *d, uint32_t type, uint64_t *at,
				uint64_t *va, uint64_t *len)
{
	const struct vshader_dump_part *p = &d->part[type];
	uint64_t run[2];
	const uint8_t *bytes;

	if (*at >= p->size)
		return NULL;
	memcpy(run, p->data + *at, sizeof(run));
	bytes = p->data + *at + sizeof(run);
	*at += sizeof(run) + run[1];
	*va = run[0];
	*len = run[1];
	return bytes;
}

static uint64_t mapped_from(const struct vshader_dump *d, uint64_t va, uint64_t size)
{
	uint64_t end = va;
	uint32_t i;

	for (i = 0; i < d->num_mappings; i++) {
		const struct drm_vshader_dump_mapping *m = &d->mappings[i];

		if (end >= m->va && end - m->va < m->size)
			end = m->va + m->size;
	}
	return end - va < size ? end - va : size;
}

uint64_t vshader_dump_read(const struct vshader_dump *d, uint64_t va, void *to, uint64_t size)
{
	uint64_t n = mapped_from(d, va, size), at = 0, run, len, lo, hi;
	const uint8_t *bytes;

	memset(to, 0, size);
	while ((bytes = vshader_dump_run(d, DRM_VSHADER_DUMP_MEMORY, &at, &run, &len))) {
		lo = run > va ? run : va;
		hi = run + len < va + n ? run + len : va + n;
		if (lo < hi)
			memcpy((uint8_t *)to + (lo - va), bytes + (lo - run), hi - lo);
	}
	return n;
}

/* ---- registers ---- */

/**
 * struct place - where a register is
 * @bank: its bank
 * @bit: its number among all
 * @word: its first word among those of banks that are uniform, or not
 */
struct place {
	const struct drm_vshader_debug_bank *bank;
	uint64_t bit;
	uint64_t word;
};

static bool find_place(const struct vshader_dump *d, uint32_t reg, struct place *at)
{
	uint64_t words[2] = { 0, 0 };
	uint32_t i;

	at->bit = 0;
	for (i = 0; i < d->num_banks; i++) {
		const struct drm_vshader_debug_bank *b = &d->banks[i];
		bool uniform = b->flags & DRM_VSHADER_DEBUG_BANK_UNIFORM;

		if (reg >= b->first && reg - b->first < b->count) {
			at->bank = b;
			at->bit += reg - b->first;
			at->word = words[uniform] + (uint64_t)(reg - b->first) * b->components;
			return true;
		}
		at->bit += b->count;
		words[uniform] += (uint64_t)b->count * b->components;
	}
	return false;
}

uint32_t vshader_dump_register(const struct vshader_dump *d, uint32_t inv, uint32_t reg,
			       uint32_t *val)
{
	const struct vshader_dump_part *p = &d->part[DRM_VSHADER_DUMP_REGISTERS];
	uint64_t regs, words[2], offset;
	struct place at;

	if (!p->data || inv >= d->num_invocations || !find_place(d, reg, &at))
		return 0;
	count_banks(d, &regs, words);
	if (!(p->data[at.bit / 8] >> (at.bit % 8) & 1))
		return 0;
	offset = at.word;
	if (!(at.bank->flags & DRM_VSHADER_DEBUG_BANK_UNIFORM))
		offset += words[1] + inv * words[0];
	memcpy(val, p->data + (regs + 63) / 64 * 8 + 4 * offset, 4 * at.bank->components);
	return at.bank->components;
}
