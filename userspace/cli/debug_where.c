// SPDX-License-Identifier: MIT
/*
 * Current code of a job, and names of code locations.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli_isa.h"
#include "debug.h"

#define MAX_NATIVE	65536u	/* bytes of code in memory that are decoded at a time */

struct dbg_code *dbg_program(struct dbg *d, uint32_t n)
{
	const struct jf_program *p = &d->jf->programs[n];
	struct vshader_source src = {
		.engine = p->engine, .stage = p->stage,
		.entries = p->entries, .num_entries = p->num_entries,
	};
	char name[32];
	unsigned int i;

	if (d->programs[n])
		return d->programs[n];
	for (i = 0; i < VSHADER_NUM_SECTIONS; i++) {
		src.words[i] = p->words[i];
		src.num_words[i] = p->num_words[i];
	}
	snprintf(name, sizeof(name), "program%u", n);
	d->programs[n] = dbg_code_new(p->name ? p->name : name, &src, p->bin, p->bin_index, 0);
	if (!d->programs[n]) {
		dbg_error(d, "%s", vshader_error());
		return NULL;
	}
	if (p->source && dbg_code_add_sources(d->programs[n], p->source)) {
		dbg_error(d, "out of memory");
		return NULL;
	}
	return d->programs[n];
}

struct dbg_code *dbg_code_now(struct dbg *d)
{
	uint32_t i;

	if (d->state == DBG_STOPPED) {
		if (!d->code)
			dbg_error(d, "The job is not in a program.");
		return d->code;
	}
	for (i = 0; i < d->jf->num_jobs; i++) {
		if (d->jf->jobs[i].type == DRM_VSHADER_JOB_SHADER)
			return dbg_program(d, d->jf->jobs[i].shader.program);
	}
	dbg_error(d, "The file has no program; code in memory is known when a job is stopped.");
	return NULL;
}

/**
 * struct memory - memory of a job from an address to the end of its mapping
 * @va: address
 * @bytes: contents
 * @size: bytes
 */
struct memory {
	uint64_t va;
	const uint8_t *bytes;
	uint64_t size;
};

static bool find_memory(const struct dbg *d, uint64_t va, struct memory *m)
{
	uint64_t start, size;

	m->bytes = vshader_steps_memory(d->steps, d->job, va, &start, &size);
	if (!m->bytes || va - start >= size)
		return false;
	*m = (struct memory){ va, m->bytes + (va - start), size - (va - start) };
	return true;
}

/* Bytes of an instruction of the job's engine, or of the smallest part of one. */
static uint32_t insn_bytes(const struct dbg *d)
{
	return 4 * jf_insn_words(d->engine);
}

static uint32_t code_bytes(const struct vshader_source *src)
{
	return 4 * src->num_words[DRM_VSHADER_SECTION_CODE];
}

/* Is the PC in the part of the code that is decoded? */
static bool has_pc(const struct dbg *d, const struct dbg_code *c, uint32_t pc)
{
	return (pc - c->base) / jf_pc_unit(d->engine) < code_bytes(&c->src) / insn_bytes(d);
}

/* Length of the code without trailing zeros. */
static uint64_t trim(const uint8_t *bytes, uint64_t size)
{
	while (size && !bytes[size - 1])
		size--;
	return size;
}

/* The longest assembled code that memory begins with, or NULL. */
static const struct jf_code *find_assembled(const struct dbg *d, const uint8_t *bytes,
					    uint64_t size)
{
	const struct jf_code *best = NULL;
	struct vshader_source src;
	uint32_t i, most = 0;

	for (i = 0; i < d->jf->num_codes; i++) {
		if (vshader_binary_source(d->jf->codes[i].bin, 0, &src) ||
		    src.engine != d->engine || code_bytes(&src) > size ||
		    code_bytes(&src) <= most ||
		    memcmp(bytes, src.words[DRM_VSHADER_SECTION_CODE], code_bytes(&src)))
			continue;
		best = &d->jf->codes[i];
		most = code_bytes(&src);
	}
	return best;
}

/* Decode code in memory up to @size bytes, at least @need. */
static struct dbg_code *load_code(struct dbg *d, const struct memory *m, uint32_t base,
				  uint64_t need, uint64_t size, const struct jf_code *as)
{
	struct vshader_source src = { .engine = d->engine, .stage = DRM_VSHADER_STAGE_COMPUTE };
	static const uint32_t entry[1];
	uint32_t per = insn_bytes(d);
	struct dbg_code *c;
	uint64_t bytes;
	char name[40];
	uint32_t *w;

	if (size > m->size)
		size = m->size;
	bytes = trim(m->bytes, size);
	if (bytes < need)
		bytes = need;
	bytes = (bytes + per - 1) / per * per;
	w = bytes <= m->size ? malloc(bytes) : NULL;
	if (!w)
		return NULL;
	memcpy(w, m->bytes, bytes);
	src.words[DRM_VSHADER_SECTION_CODE] = w;
	src.num_words[DRM_VSHADER_SECTION_CODE] = (uint32_t)(bytes / 4);
	src.entries = entry;
	src.num_entries = 1;
	snprintf(name, sizeof(name), "code at 0x%llx", (unsigned long long)m->va);
	c = dbg_code_new(name, &src, as ? as->bin : NULL, 0, base);
	if (!c) {
		free(w);
		return NULL;
	}
	c->words = w;
	if (as && as->source)
		dbg_code_add_sources(c, as->source);
	c->job = d->job;
	c->va = m->va;
	return c;
}

static struct dbg_code *add_native(struct dbg *d, struct dbg_code *c)
{
	struct dbg_code **list;

	list = c ? realloc(d->native, (d->num_native + 1) * sizeof(*list)) : NULL;
	if (!list) {
		dbg_code_free(c);
		return NULL;
	}
	d->native = list;
	d->native[d->num_native++] = c;
	return c;
}

/* ---- code whose PC is a bus address ---- */

/* Code that contains @pc. @assembled: with a binary. */
static struct dbg_code *find_bus_code(const struct dbg *d, uint32_t pc, bool assembled)
{
	unsigned int i;

	for (i = 0; i < d->num_native; i++) {
		struct dbg_code *c = d->native[i];

		if (c->job == d->job && !c->bin == !assembled && has_pc(d, c, pc))
			return c;
	}
	return NULL;
}

/* Find the assembled code in a mapping, wherever it begins. @alias: upper bits of PCs. */
static void find_all_assembled(struct dbg *d, struct memory m, uint32_t alias)
{
	uint32_t step = insn_bytes(d);
	const struct jf_code *as;
	struct vshader_source src;

	for (; d->jf->num_codes && m.size >= step; m.va += step, m.bytes += step, m.size -= step) {
		as = find_assembled(d, m.bytes, m.size);
		if (!as || find_bus_code(d, alias | (uint32_t)m.va, true))
			continue;
		vshader_binary_source(as->bin, 0, &src);
		add_native(d, load_code(d, &m, alias | (uint32_t)m.va, code_bytes(&src),
					code_bytes(&src), as));
	}
}

/* Code at a bus address: an assembled one, else the part of the mapping around it. */
static struct dbg_code *bus_code(struct dbg *d, uint32_t pc, uint32_t mask)
{
	struct dbg_code *c = find_bus_code(d, pc, true);
	uint64_t start, size, skip;
	struct memory m;

	if (!c)
		c = find_bus_code(d, pc, false);
	if (c || !vshader_steps_memory(d->steps, d->job, pc & mask, &start, &size) ||
	    !find_memory(d, start, &m))
		return c;
	find_all_assembled(d, m, pc & ~mask);
	c = find_bus_code(d, pc, true);
	if (c)
		return c;
	skip = ((pc & mask) - start) / MAX_NATIVE * MAX_NATIVE;
	if (!find_memory(d, start + skip, &m))
		return NULL;
	return add_native(d, load_code(d, &m, (pc & ~mask) | (uint32_t)m.va,
				       (pc & mask) - m.va + insn_bytes(d), MAX_NATIVE, NULL));
}

/* ---- code whose PC counts from its start ---- */

static struct dbg_code *find_code(const struct dbg *d, uint64_t va, uint32_t base)
{
	unsigned int i;

	for (i = 0; i < d->num_native; i++) {
		struct dbg_code *c = d->native[i];

		if (c->job == d->job && c->va == va && c->base == base)
			return c;
	}
	return NULL;
}

/* ---- code that a job uploads by commands ---- */

bool dbg_is_uploaded(uint64_t va)
{
	return va >= DRM_VSHADER_DEBUG_UPLOADED(0, 0, 0);
}

/* The longest program of the file that @src begins with, or NULL. */
static const struct jf_program *find_program_of(const struct dbg *d,
						const struct vshader_source *src)
{
	const uint32_t code = DRM_VSHADER_SECTION_CODE;
	const struct jf_program *best = NULL, *p;
	uint32_t i;

	for (i = 0; i < d->jf->num_programs; i++) {
		p = &d->jf->programs[i];
		if (p->engine == d->engine && p->stage == src->stage && p->num_words[code] &&
		    p->num_words[code] <= src->num_words[code] &&
		    (!best || p->num_words[code] > best->num_words[code]) &&
		    !memcmp(p->words[code], src->words[code], 4 * p->num_words[code]))
			best = p;
	}
	return best;
}

/* Read a program of the stopped job. */
static struct dbg_code *load_uploaded(struct dbg *d, uint64_t va)
{
	const uint32_t each = DRM_VSHADER_DEBUG_UPLOADED(0, 0, 1) -
			      DRM_VSHADER_DEBUG_UPLOADED(0, 0, 0);
	struct vshader_source src = { .engine = d->engine, .stage = va >> 16 & 15 };
	uint8_t *bytes = calloc(VSHADER_NUM_SECTIONS, each);
	const struct jf_program *p;
	struct dbg_code *c;
	char name[40];
	int64_t n;
	int i;

	for (i = 0; bytes && i < VSHADER_NUM_SECTIONS; i++) {
		n = vshader_debug_read_memory(d->session, va + i * each, bytes + i * each, each);
		src.words[i] = (const uint32_t *)(bytes + i * each);
		src.num_words[i] = n > 0 ? (uint32_t)n / 4 : 0;
	}
	p = bytes ? find_program_of(d, &src) : NULL;
	snprintf(name, sizeof(name), "%s program %u", vshader_stage_name(src.stage),
		 (uint32_t)(va >> 20) & 0xfffff);
	c = bytes && src.num_words[DRM_VSHADER_SECTION_CODE] ?
	    dbg_code_new(p && p->name ? p->name : name, &src, p ? p->bin : NULL,
			 p ? p->bin_index : 0, 0) : NULL;
	if (!c) {
		free(bytes);
		return NULL;
	}
	c->words = (uint32_t *)bytes;
	if (p && p->source)
		dbg_code_add_sources(c, p->source);
	c->job = d->job;
	c->va = va;
	c->program = p ? (uint32_t)(p - d->jf->programs) : JF_NONE;
	return c;
}

void dbg_find_uploaded(struct dbg *d)
{
	uint32_t n = 0, stage;
	bool found = true;
	uint64_t va;

	for (; found; n++) {
		found = false;
		for (stage = 0; stage <= DRM_VSHADER_STAGE_COMPUTE; stage++) {
			va = DRM_VSHADER_DEBUG_UPLOADED(n, stage, 0);
			found |= find_code(d, va, 0) || add_native(d, load_uploaded(d, va));
		}
	}
}

static struct dbg_code *uploaded_code(struct dbg *d, uint64_t va)
{
	struct dbg_code *c = find_code(d, va, 0);

	if (c || d->state != DBG_STOPPED)
		return c;
	dbg_find_uploaded(d);
	return find_code(d, va, 0);
}

struct dbg_code *dbg_native_code(struct dbg *d, uint64_t code_va, uint32_t code_pc, uint32_t pc)
{
	uint32_t mask = cli_isa_of(d->engine)->bus_mask;
	uint64_t need = ((pc - code_pc) / (uint64_t)jf_pc_unit(d->engine) + 1) * insn_bytes(d);
	struct dbg_code *c, *more, old;
	struct memory m;

	if (!code_va)
		return mask ? bus_code(d, pc, mask) : NULL;
	if (dbg_is_uploaded(code_va))
		return uploaded_code(d, code_va);
	c = find_code(d, code_va, code_pc);
	if ((c && has_pc(d, c, pc)) || !find_memory(d, code_va, &m))
		return c;
	more = load_code(d, &m, code_pc, need, need > MAX_NATIVE ? 2 * need : MAX_NATIVE,
			 find_assembled(d, m.bytes, m.size));
	if (!c || !more)
		return c ? c : add_native(d, more);
	/* others refer to the structure */
	old = *c;
	*c = *more;
	*more = old;
	dbg_code_free(more);
	return c;
}

void dbg_find_code(struct dbg *d)
{
	uint32_t n = vshader_steps_program(d->steps, d->stop.program), pc = d->stop.pc;

	/* past the last instruction */
	if (d->stop.reason == DRM_VSHADER_DEBUG_REASON_WATCH && pc == ~0u)
		pc = d->stop.access_pc;
	if (n != JF_NONE && !d->stop.code_va)
		d->code = dbg_program(d, n);
	else
		d->code = pc == ~0u ? NULL :
			  dbg_native_code(d, d->stop.code_va, d->stop.code_pc, pc);
}

/* ---- locations ---- */

static bool find_label(const struct dbg_code *c, const char *name, uint32_t *pc)
{
	uint32_t word;

	if (!c->bin || vshader_binary_label(c->bin, c->bin_index, name, &word))
		return false;
	*pc = c->base + word * jf_pc_unit(c->src.engine);
	return true;
}

/* A blend program in memory belongs to the program of its job. */
static uint32_t program_number(struct dbg *d, const struct dbg_code *c)
{
	const struct jf_job *j = c ? &d->jf->jobs[c->job] : NULL;
	uint32_t i;

	for (i = 0; i < d->jf->num_programs; i++) {
		if (d->programs[i] == c)
			return i;
	}
	if (c && dbg_is_uploaded(c->va))
		return c->program;
	return j && c->va && j->type == DRM_VSHADER_JOB_SHADER ? j->shader.program : JF_NONE;
}

bool dbg_uploads(const struct dbg *d)
{
	return d->jf->jobs[d->job].type == DRM_VSHADER_JOB_NATIVE && cli_isa_of(d->engine)->uploads;
}

bool dbg_in_program(struct dbg *d, uint32_t program)
{
	return program == JF_NONE || !dbg_uploads(d) || program_number(d, d->code) == program;
}

struct dbg_code *dbg_code_of(struct dbg *d, uint32_t program, uint32_t pc)
{
	uint32_t i;

	for (i = 0; program == JF_NONE && !dbg_code_at(d->code, pc) && i < d->num_native; i++) {
		struct dbg_code *c = d->native[i];

		if (c->job == d->job && dbg_is_uploaded(c->va) && dbg_code_at(c, pc))
			return c;
	}
	if (program == JF_NONE ||
	    (d->code && program_number(d, d->code) == program && dbg_code_at(d->code, pc)))
		return d->code;
	return d->programs[program];
}

/* A line of a source, or of the listing. */
static int in_text(struct dbg *d, const struct dbg_code *c, const struct dbg_text *t,
		   const char *text, uint32_t *pc)
{
	char *end;
	uint64_t n = strtoull(text, &end, 0);
	const struct dbg_insn *i = *end || end == text || n > UINT32_MAX ? NULL :
				   dbg_insn_at(d, c, t, (uint32_t)n);

	if (!i)
		return dbg_error(d, "No instruction of %s is at or after line \"%s\" of %s.",
				 c->name, text, t == &c->listing ? "its listing" : t->name);
	*pc = i->pc;
	return 0;
}

/*
 * In one program. @lines: numbers are lines, if there is a source.
 * Return: 0, 1 not there, or an error.
 */
static int in_code(struct dbg *d, const struct dbg_code *c, const char *text, bool lines,
		   uint32_t *pc)
{
	uint32_t none;
	uint64_t n;
	int ret;

	if (*text == ':' || (lines && isdigit((unsigned char)*text) && dbg_has_source(d, c)))
		return in_text(d, c, dbg_text_at(d, c, NULL, &none), text + (*text == ':'), pc);
	if (!isdigit((unsigned char)*text) && *text != '*' && *text != '$') {
		if (find_label(c, text, pc))
			return 0;
		dbg_error(d, "\"%s\" is no label of %s.", text, c->name);
		return 1;
	}
	ret = dbg_eval_u64(d, text + (*text == '*'), &n);
	if (ret)
		return ret;
	if (n > UINT32_MAX || !dbg_code_at(c, (uint32_t)n)) {
		dbg_error(d, "No instruction of %s begins at 0x%llx.", c->name,
			  (unsigned long long)n);
		return 1;
	}
	*pc = (uint32_t)n;
	return 0;
}

static int find_program(struct dbg *d, const char *name, size_t len, uint32_t *n)
{
	for (*n = 0; *n < d->jf->num_programs; (*n)++) {
		const struct dbg_code *c = dbg_program(d, *n);

		if (c && strlen(c->name) == len && !memcmp(c->name, name, len))
			return 0;
	}
	return dbg_error(d, "The file has no program \"%.*s\".", (int)len, name);
}

/* Where a program's first entry is. */
static uint32_t first_pc(const struct dbg_code *c)
{
	return c->src.num_entries ? c->src.entries[0] * jf_pc_unit(c->src.engine) : 0;
}

static int in_program(struct dbg *d, const char *text, const char *colon, uint32_t *program,
		      uint32_t *pc)
{
	const struct dbg_code *c;
	int ret = find_program(d, text, (size_t)(colon - text), program);

	if (ret)
		return ret;
	c = d->programs[*program];
	if (!*colon) {
		*pc = first_pc(c);
		return 0;
	}
	return in_code(d, c, colon + 1, false, pc) ? -EINVAL : 0;
}

/* "FILE:LINE", the job's program first. Return: 0, 1 there is no such file, or an error. */
static int in_file(struct dbg *d, const char *text, const char *colon, uint32_t *program,
		   uint32_t *pc)
{
	size_t len = (size_t)(colon - text);
	const struct dbg_code *c = d->code, *found = NULL;
	const struct dbg_text *t = c ? dbg_find_text(c, text, len) : NULL;
	uint32_t i;

	if (t && !in_text(d, c, t, colon + 1, pc)) {
		*program = program_number(d, c);
		return 0;
	}
	for (i = 0; i < d->jf->num_programs; i++) {
		c = dbg_program(d, i);
		t = c ? dbg_find_text(c, text, len) : NULL;
		if (!t)
			continue;
		found = c;
		*program = i;
		if (!in_text(d, c, t, colon + 1, pc))
			return 0;
	}
	return found ? -EINVAL : 1;
}

int dbg_location(struct dbg *d, const char *text, uint32_t *program, uint32_t *pc)
{
	const char *colon = strchr(text, ':');
	const struct dbg_code *c;
	uint32_t i;
	int ret;

	*program = JF_NONE;
	if (!*text && dbg_need_stop(d))
		return -EINVAL;
	if (!*text) {
		*program = program_number(d, d->code);
		*pc = dbg_pc(d);
		return 0;
	}
	if (colon && colon > text) {
		ret = in_file(d, text, colon, program, pc);
		return ret > 0 ? in_program(d, text, colon, program, pc) : ret;
	}
	/* Where the job is, else in any program. */
	c = dbg_code_now(d);
	ret = c ? in_code(d, c, text, true, pc) : 1;
	if (!ret && c)
		*program = program_number(d, c);
	for (i = 0; ret > 0 && i < d->jf->num_programs; i++) {
		c = dbg_program(d, i);
		ret = c ? in_code(d, c, text, true, pc) : 1;
		if (!ret)
			*program = i;
	}
	for (i = 0; ret > 0 && d->state == DBG_STOPPED && i < d->num_native; i++) {
		c = d->native[i];
		ret = c->job == d->job && dbg_is_uploaded(c->va) ?
		      in_code(d, c, text, true, pc) : 1;
		if (!ret)
			*program = c->program;
	}
	if (ret > 0 && !isdigit((unsigned char)*text) && *text != '*')
		return in_program(d, text, text + strlen(text), program, pc);
	return ret ? -EINVAL : 0;
}
