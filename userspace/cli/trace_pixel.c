// SPDX-License-Identifier: MIT
/*
 * Fragments of fixed functions at a pixel: sources, stages and results, in words and as JSON.
 */
#include <stdio.h>
#include <string.h>

#include "trace.h"

#define NUM_WORDS	6

/**
 * struct step - a step of a fragment
 * @name: name
 * @numbered: units, lights or stages have a number
 * @fields: names of its words, separated by blanks, each with a letter for its type: f number, c
 *	colour, u integer, b passed or not
 */
struct step {
	const char *name;
	bool numbered;
	const char *fields;
};

static const struct step steps[] = {
	[DRM_VSHADER_DEBUG_FRAGMENT_BEGIN] = {
		"fragment", false, "ux uy fdepth cprimary ulist_offset" },
	[DRM_VSHADER_DEBUG_FRAGMENT_TEXTURE] = { "texture", true, "fs ft fr ctexel" },
	[DRM_VSHADER_DEBUG_FRAGMENT_NORMAL] = { "surface", false, "fnx fny fnz fvx fvy fvz" },
	[DRM_VSHADER_DEBUG_FRAGMENT_LIGHT] = { "light", true, "fnh fvh fnv fln fspot ftangent" },
	[DRM_VSHADER_DEBUG_FRAGMENT_TERMS] = {
		"terms", true, "fdiffuse fd0 fd1 freflection fgeometric fattenuation" },
	[DRM_VSHADER_DEBUG_FRAGMENT_LIT] = { "lit", false, "cprimary csecondary" },
	[DRM_VSHADER_DEBUG_FRAGMENT_COMBINER] = { "combiner", true, "ca cb cc cresult cbuffer" },
	[DRM_VSHADER_DEBUG_FRAGMENT_ALPHA] = {
		"alpha-test", false, "bpassed ualpha ureference ufunction" },
	[DRM_VSHADER_DEBUG_FRAGMENT_FOG] = { "fog", false, "ffactor cbefore cafter" },
	[DRM_VSHADER_DEBUG_FRAGMENT_DEPTH] = {
		"depth-stencil", false,
		"bpassed udepth ubuffer ustencil unew_depth unew_stencil" },
	[DRM_VSHADER_DEBUG_FRAGMENT_COLOUR] = { "colour", false, "csource cbuffer cwritten" },
	[DRM_VSHADER_DEBUG_FRAGMENT_SHADOW] = { "shadow", false, "udepth cbefore cafter" },
};

static const struct step *step_of(const struct drm_vshader_debug_trace_record *r)
{
	static const struct step unknown = { "unknown", true, "" };

	return r->part < sizeof(steps) / sizeof(steps[0]) ? &steps[r->part] : &unknown;
}

static uint32_t word_of(const struct drm_vshader_debug_trace_record *r, unsigned int i)
{
	const uint64_t two[3] = { r->lanes, r->code_va, r->va };

	return (uint32_t)(two[i / 2] >> (32 * (i % 2)));
}

static float number(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, sizeof(f));
	return f;
}

/* The next field at *@text: its name to @name. Return: its type, 0: there is none. */
static char next_field(const char **text, char name[32])
{
	size_t n = strcspn(*text, " ");
	char type = **text;

	if (!type)
		return 0;
	snprintf(name, 32, "%.*s", (int)n - 1, *text + 1);
	*text += n + ((*text)[n] == ' ');
	return type;
}

static void put_json(struct json_object *o, const char *name, char type, uint32_t word)
{
	struct json_object *list;
	unsigned int k;

	switch (type) {
	case 'f':
		js_num(o, name, (double)number(word));
		break;
	case 'c':
		list = js_array(o, name);
		for (k = 0; k < 4; k++)
			json_object_array_add(list, json_object_new_int(word >> (8 * k) & 0xff));
		break;
	case 'b':
		js_bool(o, name, word);
		break;
	default:
		js_int(o, name, word);
	}
}

struct json_object *trace_fragment(const struct drm_vshader_debug_trace_record *r)
{
	struct json_object *o = json_object_new_object();
	const struct step *s = step_of(r);
	const char *text = s->fields;
	unsigned int i = 0;
	char name[32], type;

	js_int(o, "draw", r->invocation);
	js_str(o, "step", s->name);
	if (s->numbered)
		js_int(o, "number", r->pc);
	while ((type = next_field(&text, name)) && i < NUM_WORDS)
		put_json(o, name, type, word_of(r, i++));
	if (r->flags & DRM_VSHADER_DEBUG_RECORD_MISSING)
		js_bool(o, "missing", true);
	return o;
}

/* ---- in words ---- */

static int put_text(char *buf, size_t size, const char *name, char type, uint32_t w)
{
	switch (type) {
	case 'f':
		return snprintf(buf, size, "  %s %g", name, (double)number(w));
	case 'c':
		return snprintf(buf, size, "  %s (%u, %u, %u, %u)", name, w & 0xff, w >> 8 & 0xff,
				w >> 16 & 0xff, w >> 24);
	case 'b':
		return snprintf(buf, size, "  %s", w ? name : "failed");
	default:
		return snprintf(buf, size, "  %s %u", name, w);
	}
}

static void describe(const struct drm_vshader_debug_trace_record *r, char *buf, size_t size)
{
	const struct step *s = step_of(r);
	const char *text = s->fields;
	unsigned int i = 0;
	char name[32], type;
	int n;

	if (s->numbered)
		n = snprintf(buf, size, "  %s %u", s->name, r->pc);
	else
		n = snprintf(buf, size, "  %s", s->name);
	while ((type = next_field(&text, name)) && i < NUM_WORDS)
		n += put_text(buf + n, size - (size_t)n, name, type, word_of(r, i++));
	if (r->flags & DRM_VSHADER_DEBUG_RECORD_MISSING)
		snprintf(buf + n, size - (size_t)n, "  (further ones are missing)");
}

/** struct pixel_text - printed fragments; @to: debugger that prints */
struct pixel_text {
	struct dbg *to;
	unsigned int fragments;
};

static int print_step(struct tracer *t, const struct drm_vshader_debug_trace_record *r)
{
	struct pixel_text *p = t->arg;
	char text[512];

	if (!(r->flags & DRM_VSHADER_DEBUG_RECORD_FRAGMENT))
		return 0;
	if (r->part == DRM_VSHADER_DEBUG_FRAGMENT_BEGIN) {
		const char *name = t->d.jf->jobs[t->d.job].name;

		dbg_printf(p->to, "Job %u \"%s\", draw %llu\n", t->d.job, name ? name : "",
			   (unsigned long long)r->invocation);
		p->fragments++;
	}
	describe(r, text, sizeof(text));
	dbg_printf(p->to, "%s\n", text);
	return 0;
}

int trace_print_pixel(struct dbg *to, uint32_t x, uint32_t y)
{
	struct pixel_text p = { .to = to };
	const struct trace_filter filter = { .pixel = { x, y }, .num_pixel = 2 };
	struct tracer t = { .arg = &p, .record = print_step, .filter = &filter };
	int ret = trace_run(&t, to->path, "local");

	if (ret)
		dbg_error(to, "%s", t.d.err);
	else if (!p.fragments)
		dbg_printf(to, "No draw has a fragment at %u, %u.\n", x, y);
	trace_fini(&t);
	return ret ? -1 : 0;
}
