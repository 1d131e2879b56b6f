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

#define MAX_NATIVE	65536	/* maximum bytes of code in memory to decode */

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

/* Cut trailing zeros off the code. */
static uint32_t trim(const uint32_t *w, uint32_t n)
{
	while (n && !w[n - 1])
		n--;
	return n;
}

/* Assembled code that memory begins with, or NULL. */
static const struct jf_code *find_assembled(const struct dbg *d, const uint32_t *w, uint32_t n)
{
	struct vshader_source src;
	uint32_t i;

	for (i = 0; i < d->jf->num_codes; i++) {
		if (!vshader_binary_source(d->jf->codes[i].bin, 0, &src) &&
		    src.engine == d->engine && src.num_words[DRM_VSHADER_SECTION_CODE] <= n &&
		    !memcmp(w, src.words[DRM_VSHADER_SECTION_CODE],
			    4 * (size_t)src.num_words[DRM_VSHADER_SECTION_CODE]))
			return &d->jf->codes[i];
	}
	return NULL;
}

/* Code from the mapping at @va. */
static struct dbg_code *load_code(struct dbg *d, uint64_t va, uint32_t base)
{
	struct vshader_source src = { .engine = d->engine, .stage = DRM_VSHADER_STAGE_COMPUTE };
	static const uint32_t entry[1];
	uint32_t *w, n, per = jf_insn_words(d->engine);
	const struct jf_code *as;
	const uint8_t *bytes;
	uint64_t start, size;
	struct dbg_code *c;
	char name[40];

	bytes = vshader_steps_memory(d->steps, d->job, va, &start, &size);
	if (!bytes)
		return NULL;
	size -= va - start;
	if (size > MAX_NATIVE)
		size = MAX_NATIVE;
	w = malloc(MAX_NATIVE);
	if (!w)
		return NULL;
	memcpy(w, bytes + (va - start), size);
	n = (trim(w, (uint32_t)size / 4 / per * per) + per - 1) / per * per;
	src.words[DRM_VSHADER_SECTION_CODE] = w;
	src.num_words[DRM_VSHADER_SECTION_CODE] = n;
	src.entries = entry;
	src.num_entries = 1;
	snprintf(name, sizeof(name), "code at 0x%llx", (unsigned long long)va);
	as = find_assembled(d, w, (uint32_t)size / 4);
	c = n ? dbg_code_new(name, &src, as ? as->bin : NULL, 0, base) : NULL;
	if (!c) {
		free(w);
		return NULL;
	}
	c->words = w;
	if (as && as->source)
		dbg_code_add_sources(c, as->source);
	c->job = d->job;
	c->va = va;
	return c;
}

static struct dbg_code *find_native(struct dbg *d, uint64_t va)
{
	unsigned int i;

	for (i = 0; i < d->num_native; i++) {
		if (d->native[i]->job == d->job && d->native[i]->va == va)
			return d->native[i];
	}
	return NULL;
}

struct dbg_code *dbg_native_code(struct dbg *d, uint64_t code_va, uint32_t pc)
{
	uint32_t base = 0, mask = cli_isa_of(d->engine)->bus_mask;
	uint64_t start, size;
	struct dbg_code *c, **list;

	if (mask && !code_va) {
		if (!vshader_steps_memory(d->steps, d->job, pc & mask, &start, &size))
			return NULL;
		code_va = start;
		base = (pc & ~mask) | (uint32_t)start;
	}
	c = code_va ? find_native(d, code_va) : NULL;
	if (c || !code_va)
		return c;
	c = load_code(d, code_va, base);
	list = c ? realloc(d->native, (d->num_native + 1) * sizeof(*list)) : NULL;
	if (!list) {
		dbg_code_free(c);
		return NULL;
	}
	d->native = list;
	d->native[d->num_native++] = c;
	return c;
}

void dbg_find_code(struct dbg *d)
{
	uint32_t n = vshader_steps_program(d->steps, d->stop.program), pc = d->stop.pc;

	/* past the last instruction */
	if (d->stop.reason == DRM_VSHADER_DEBUG_REASON_WATCH && pc == ~0u)
		pc = d->stop.access_pc;
	if (n != JF_NONE)
		d->code = dbg_program(d, n);
	else
		d->code = pc == ~0u ? NULL : dbg_native_code(d, d->stop.code_va, pc);
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

static uint32_t program_number(struct dbg *d, const struct dbg_code *c)
{
	uint32_t i;

	for (i = 0; i < d->jf->num_programs; i++) {
		if (d->programs[i] == c)
			return i;
	}
	return JF_NONE;
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
	if (ret > 0 && !isdigit((unsigned char)*text) && *text != '*')
		return in_program(d, text, text + strlen(text), program, pc);
	return ret ? -EINVAL : 0;
}
