// SPDX-License-Identifier: MIT
/*
 * Registers and memory as locations of values (lvalues).
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "debug.h"
#include "trace_names.h"

static const struct drm_vshader_debug_bank *find_bank(const struct dbg *d, uint32_t reg)
{
	unsigned int i;

	for (i = 0; i < d->num_banks; i++) {
		if (reg >= d->banks[i].first && reg - d->banks[i].first < d->banks[i].count)
			return &d->banks[i];
	}
	return NULL;
}

static void set_type(const struct drm_vshader_debug_bank *b, struct dbg_value *v)
{
	v->bits = b->bits > 16 ? 32 : b->bits > 8 ? 16 : 8;
	v->type = DBG_UNSIGNED;
	v->hex = false;
	switch (b->kind) {
	case DRM_VSHADER_DEBUG_KIND_FLOAT:
		v->type = DBG_FLOAT;
		v->bits = 32;
		break;
	case DRM_VSHADER_DEBUG_KIND_INT:
		v->type = DBG_SIGNED;
		break;
	case DRM_VSHADER_DEBUG_KIND_PREDICATE:
		break;
	default:
		v->hex = true;
	}
}

void dbg_reg_value(const struct drm_vshader_debug_bank *b, uint32_t reg, const uint32_t *words,
		   struct dbg_value *v)
{
	unsigned int i;

	memset(v, 0, sizeof(*v));
	set_type(b, v);
	v->num = b->components;
	v->vector = v->num > 1;
	v->lanes = b->flags & DRM_VSHADER_DEBUG_BANK_LANES || v->num > 4;
	v->place = DBG_REGISTER;
	v->reg = reg;
	for (i = 0; i < v->num; i++)
		v->v[i] = words[i];
}

int dbg_read_reg(struct dbg *d, uint32_t reg, struct dbg_value *v)
{
	const struct drm_vshader_debug_bank *b = find_bank(d, reg);
	uint32_t words[16] = { };
	int ret = dbg_need_stop(d);

	if (ret)
		return ret;
	if (!b || b->components > 16)
		return dbg_error(d, "There is no register %u.", reg);
	ret = vshader_debug_read_registers(d->session, d->inv, reg, 1, words, b->components);
	if (ret) {
		dbg_error(d, "%s", vshader_error());
		return ret;
	}
	dbg_reg_value(b, reg, words, v);
	return 0;
}

int dbg_set_pc(struct dbg *d, uint64_t pc)
{
	int ret = dbg_need_stop(d);

	if (ret)
		return ret;
	ret = pc > UINT32_MAX ? -EINVAL :
	      vshader_debug_resume(d->session, DRM_VSHADER_DEBUG_JUMP, d->inv, (uint32_t)pc, 0);
	switch (ret) {
	case 0:
		break;
	case -EOPNOTSUPP:
		return dbg_error(d, "%s cannot go on elsewhere.", vshader_engine_name(d->engine));
	case -EBUSY:
		return dbg_error(d, "The invocation waits at a barrier.");
	case -EINVAL:
		return dbg_error(d, "Nothing can go on at 0x%llx.", (unsigned long long)pc);
	default:
		return dbg_error(d, "%s", vshader_error());
	}
	return vshader_debug_get_stop(d->session, &d->stop) ?
	       dbg_error(d, "%s", vshader_error()) : 0;
}

/* Bits of an assigned value: floats as binary32. */
static uint32_t to_word(const struct dbg_value *v, unsigned int n, const struct dbg_value *type)
{
	if (type->type == DBG_FLOAT)
		return (uint32_t)dbg_convert(v, n, DBG_FLOAT, 32);
	if (v->type == DBG_FLOAT && type->hex && type->bits == 32)
		return (uint32_t)dbg_convert(v, n, DBG_FLOAT, 32);
	return (uint32_t)dbg_convert(v, n, DBG_UNSIGNED, type->bits);
}

static uint32_t with_half(uint32_t word, unsigned int half, uint32_t bits)
{
	unsigned int shift = 16 * (half - 1);

	return (word & ~(0xffffu << shift)) | bits << shift;
}

int dbg_write_reg(struct dbg *d, const struct dbg_value *place, const struct dbg_value *v)
{
	struct dbg_value now;
	uint32_t words[16];
	unsigned int i;
	int ret = dbg_read_reg(d, place->reg, &now);

	if (ret)
		return ret;
	for (i = 0; i < now.num; i++) {
		words[i] = (uint32_t)now.v[i];
		if (place->half && i == place->first)
			words[i] = with_half(words[i], place->half,
					     (uint32_t)dbg_convert(v, 0, DBG_FLOAT, 16));
		else if (i >= place->first && i - place->first < place->num)
			words[i] = to_word(v, v->num == 1 ? 0 : i - place->first, &now);
	}
	ret = vshader_debug_write_registers(d->session, d->inv, place->reg, 1, words, now.num);
	if (ret == -EACCES)
		return dbg_error(d, "The register can only be read.");
	return ret ? dbg_error(d, "%s", vshader_error()) : 0;
}

/* All jobs have ended: the memory of the last one. Return: bytes. */
static int64_t read_left(struct dbg *d, uint64_t va, uint8_t *data, uint64_t size)
{
	uint64_t start, bytes, n = 0, part;
	const uint8_t *p;

	while (n < size) {
		p = vshader_steps_memory(d->steps, d->job, va + n, &start, &bytes);
		if (!p || va + n - start >= bytes)
			break;
		part = bytes - (va + n - start);
		if (part > size - n)
			part = size - n;
		memcpy(data + n, p + (va + n - start), part);
		n += part;
	}
	return (int64_t)n;
}

int64_t dbg_read_some(struct dbg *d, uint64_t va, void *data, uint64_t size)
{
	bool left = d->state == DBG_IDLE && d->steps;
	int ret = left ? 0 : dbg_need_stop(d);

	if (ret)
		return ret;
	return left ? read_left(d, va, data, size) :
		      vshader_debug_read_memory(d->session, va, data, size);
}

int dbg_read_mem(struct dbg *d, uint64_t va, void *data, uint64_t size)
{
	bool left = d->state == DBG_IDLE && d->steps;
	int64_t n;
	int ret = left ? 0 : dbg_need_stop(d);

	if (ret)
		return ret;
	n = dbg_read_some(d, va, data, size);
	if (n != (int64_t)size)
		return dbg_error(d, "Cannot access memory at address 0x%llx",
				 (unsigned long long)(n > 0 ? va + (uint64_t)n : va));
	return 0;
}

int dbg_write_mem(struct dbg *d, uint64_t va, const void *data, uint64_t size)
{
	int64_t n;
	int ret = dbg_need_stop(d);

	if (ret)
		return ret;
	n = vshader_debug_write_memory(d->session, va, data, size);
	if (n != (int64_t)size)
		return dbg_error(d, "Cannot write memory at address 0x%llx",
				 (unsigned long long)(n > 0 ? va + (uint64_t)n : va));
	return 0;
}

static bool same_name(const char *full, const char *name, size_t len)
{
	return full && strlen(full) == len && !memcmp(full, name, len);
}

uint32_t dbg_find_region(const struct dbg *d, const char *name, size_t len)
{
	uint32_t i;

	for (i = 0; i < d->jf->num_regions; i++) {
		if (same_name(d->jf->regions[i].name, name, len))
			return i;
	}
	return JF_NONE;
}

static uint64_t loc_va(const struct dbg *d, const struct jf_loc *at)
{
	return at->offset + (at->region == JF_NONE ? 0 : vshader_steps_va(d->steps, at->region));
}

bool dbg_region(struct dbg *d, const char *name, size_t len, uint64_t *va)
{
	const struct jf_job *job = &d->jf->jobs[d->job];
	uint32_t i, n = dbg_find_region(d, name, len);

	if (!d->steps)
		return false;
	if (n != JF_NONE) {
		*va = vshader_steps_va(d->steps, n);
		return true;
	}
	for (i = 0; job->type == DRM_VSHADER_JOB_SHADER && i < job->shader.num_outputs; i++) {
		if (same_name(job->shader.outputs[i].name, name, len)) {
			*va = loc_va(d, &job->shader.outputs[i].at);
			return true;
		}
	}
	for (i = 0; i < d->jf->num_outputs; i++) {
		if (d->jf->outputs[i].image && same_name(d->jf->outputs[i].name, name, len)) {
			*va = loc_va(d, &d->jf->outputs[i].at);
			return true;
		}
	}
	return false;
}

uint32_t dbg_regs_of_interest(struct dbg *d, uint32_t *regs, uint32_t max)
{
	const struct dbg_insn *i = d->code ? dbg_code_at(d->code, dbg_pc(d)) : NULL;
	uint32_t reg, n = 0, k, part = dbg_part(d);
	const char *text = i ? i->text : NULL;
	char name[64], operation[1024];

	/* within an instruction, those of the operation */
	if (i && part && dbg_code_operation(d->code, i, part, operation, sizeof(operation)))
		text = operation;

	while (text && n < max &&
	       trace_next_name(&text, d->code->src.engine, i->pc, name, sizeof(name))) {
		if (!dbg_reg_by_name(d, name, &reg))
			continue;
		for (k = 0; k < n && regs[k] != reg; k++)
			;
		if (k == n)
			regs[n++] = reg;
	}
	return n;
}

const char *dbg_region_at(struct dbg *d, uint64_t va, uint64_t *offset)
{
	const struct jf_region *r = d->jf->regions;
	uint32_t i;

	for (i = 0; i < d->jf->num_regions; i++, r++) {
		*offset = va - vshader_steps_va(d->steps, i);
		if (r->name && *offset < r->size)
			return r->name;
	}
	return NULL;
}

/* Listings write some names in capitals. */
bool dbg_reg_by_name(const struct dbg *d, const char *name, uint32_t *reg)
{
	char lower[64];
	size_t i;

	if (vshader_debug_register_by_name(d->banks, d->num_banks, name, reg))
		return true;
	for (i = 0; name[i] && i + 1 < sizeof(lower); i++)
		lower[i] = (char)tolower((unsigned char)name[i]);
	lower[i] = 0;
	return vshader_debug_register_by_name(d->banks, d->num_banks, lower, reg);
}

/* @v: type and number of components are given. */
int dbg_load(struct dbg *d, uint64_t va, struct dbg_value *v)
{
	uint8_t data[8 * DBG_MAX_COMPONENTS];
	unsigned int i, k, bytes = v->bits / 8;
	int ret = dbg_read_mem(d, va, data, (uint64_t)bytes * v->num);

	if (ret)
		return ret;
	for (i = 0; i < v->num; i++) {
		v->v[i] = 0;
		for (k = 0; k < bytes; k++)
			v->v[i] |= (uint64_t)data[i * bytes + k] << 8 * k;
	}
	v->place = DBG_MEMORY;
	v->va = va;
	return 0;
}

static int store(struct dbg *d, const struct dbg_value *place, const struct dbg_value *v)
{
	uint8_t data[8 * DBG_MAX_COMPONENTS];
	unsigned int i, k, bytes = place->bits / 8;

	for (i = 0; i < place->num; i++) {
		uint64_t bits = dbg_convert(v, v->num == 1 ? 0 : i, place->type, place->bits);

		for (k = 0; k < bytes; k++)
			data[i * bytes + k] = (uint8_t)(bits >> 8 * k);
	}
	return dbg_write_mem(d, place->va, data, (uint64_t)bytes * place->num);
}

int dbg_assign(struct dbg *d, const struct dbg_value *place, const struct dbg_value *v)
{
	if (place->place == DBG_VARIABLE) {
		d->vars[place->var].value = *v;
		d->vars[place->var].value.place = DBG_NOWHERE;
		return 0;
	}
	if (v->num != 1 && v->num != place->num)
		return dbg_error(d, "%u values for %u components", v->num, place->num);
	switch (place->place) {
	case DBG_PC:
		return dbg_set_pc(d, dbg_convert(v, 0, DBG_UNSIGNED, 64));
	case DBG_REGISTER:
		return dbg_write_reg(d, place, v);
	case DBG_MEMORY:
		return store(d, place, v);
	default:
		return dbg_error(d, "Left operand of assignment is not an lvalue.");
	}
}
