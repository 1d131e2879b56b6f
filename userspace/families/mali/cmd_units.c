// SPDX-License-Identifier: MIT
/*
 * disasm --words and --json of Bifrost and Midgard: by clause or bundle, of any number of quads.
 */
#include <stdlib.h>
#include <string.h>

#include "cli_isa.h"
#include "cmd_bifrost.h"

/**
 * struct unit - a clause, a bundle, or words that are neither
 * @offset: first quad
 * @quads: number of quads
 * @data: neither; @offset is known when all units are
 * @text: lines of the listing
 * @len: length of @text
 */
struct unit {
	uint32_t offset;
	uint32_t quads;
	bool data;
	const char *text;
	size_t len;
};

/* Quads of a line of data, 0: it is none. */
static uint32_t data_quads(const char *line)
{
	unsigned int n;

	if (sscanf(line, ".zero %u", &n) == 1)
		return n;
	return !strncmp(line, ".quad ", 6);
}

static bool is_undefined(const struct unit *u)
{
	return u->data && !strncmp(u->text, ".quad ", 6);
}

static size_t line_length(const char *line)
{
	return strcspn(line, "\n");
}

/* Return: number of units; @units: room for one for each line. */
static uint32_t find_units(const char *listing, bool (*find)(const char *line, uint32_t *n),
			   struct unit *units)
{
	struct unit *u = NULL;
	uint32_t n = 0, at;
	const char *line;
	size_t len;

	for (line = listing; *line; line += len + !!line[len]) {
		uint32_t quads = data_quads(line);

		len = line_length(line);
		if (quads || find(line, &at)) {
			u = &units[n++];
			*u = (struct unit){ .data = quads, .quads = quads, .text = line };
			u->offset = quads ? 0 : at;
		}
		/* blank lines separate units */
		if (u && len)
			u->len = (size_t)(line + len - u->text);
	}
	return n;
}

/* Missing: where data begin, where clauses and bundles end. */
static void place_units(struct unit *units, uint32_t n, uint32_t end)
{
	while (n--) {
		if (units[n].data)
			units[n].offset = end - units[n].quads;
		else
			units[n].quads = end - units[n].offset;
		end = units[n].offset;
	}
}

static void put_quad(FILE *f, const uint32_t *w)
{
	fprintf(f, "%08x %08x %08x %08x", w[0], w[1], w[2], w[3]);
}

/* Quads beside the lines, as long as there are any. */
static void print_words(const struct unit *u, const uint32_t *words)
{
	const char *line = u->text, *end = u->text + u->len;
	/* zeros are one line */
	uint32_t quads = u->data ? 1 : u->quads, i;
	size_t len;

	for (i = 0; i < quads || line < end; i++) {
		if (i < quads) {
			printf("%03x  ", u->offset + i);
			put_quad(stdout, words + 4 * (u->offset + i));
		} else {
			printf("%40s", "");
		}
		len = line < end ? line_length(line) : 0;
		printf("%s%.*s\n", len ? "  " : "", (int)len, line);
		line += line < end ? len + 1 : 0;
	}
}

static void add_json(struct json_object *list, const struct unit *u, const uint32_t *words)
{
	struct json_object *o = json_object_new_object();
	char *hex = NULL, *text = strndup(u->text, u->len);
	size_t size;
	FILE *f = open_memstream(&hex, &size);
	uint32_t i;

	if (!f || !text)
		abort();
	for (i = 0; i < u->quads; i++) {
		fputs(i ? " " : "", f);
		put_quad(f, words + 4 * (u->offset + i));
	}
	fclose(f);
	js_int(o, "offset", u->offset);
	js_str(o, "word", hex);
	js_str(o, "text", text);
	js_bool(o, "defined", !is_undefined(u));
	json_object_array_add(list, o);
	free(hex);
	free(text);
}

static void print_json(const struct vshader_source *src, const struct unit *units, uint32_t n)
{
	struct json_object *root = json_object_new_object(), *list;
	uint32_t i;

	js_str(root, "isa", vshader_engine_name(src->engine));
	list = js_array(root, "words");
	for (i = 0; i < n; i++)
		add_json(list, &units[i], src->words[DRM_VSHADER_SECTION_CODE]);
	js_print(root);
}

int mali_print_units(const struct vshader_source *src, const char *listing, bool json)
{
	struct unit *units = calloc(strlen(listing) + 1, sizeof(*units));
	uint32_t i, n;
	int ret = EXIT_OK;

	if (!units)
		return fail("out of memory");
	n = find_units(listing, cli_isa_of(src->engine)->find_insn, units);
	place_units(units, n, src->num_words[DRM_VSHADER_SECTION_CODE] / 4);
	if (json)
		print_json(src, units, n);
	for (i = 0; i < n; i++) {
		if (!json)
			print_words(&units[i], src->words[DRM_VSHADER_SECTION_CODE]);
		if (is_undefined(&units[i]))
			ret = EXIT_DIFFERS;
	}
	free(units);
	return ret;
}
