// SPDX-License-Identifier: MIT
/*
 * Commands that show code: instructions and the listing.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "debug.h"
#include "jobfile_isa.h"

static bool has_break(struct dbg *d, const struct dbg_code *c, uint32_t pc)
{
	unsigned int i;

	for (i = 0; i < DBG_MAX_POINTS; i++) {
		const struct dbg_point *p = &d->points[i];

		if (p->num && p->p.kind == DRM_VSHADER_DEBUG_BREAK && p->p.pc == pc &&
		    !(p->p.flags & DRM_VSHADER_DEBUG_POINT_DISABLED) &&
		    (p->program == JF_NONE || d->programs[p->program] == c))
			return true;
	}
	return false;
}

static void show_marks(struct dbg *d, bool current, bool stop)
{
	if (current)
		dbg_color_printf(d, COLOR_CURRENT, "=>");
	else
		dbg_printf(d, "  ");
	if (stop)
		dbg_color_printf(d, COLOR_BREAK, "*");
	else
		dbg_printf(d, " ");
}

/* "", "PROGRAM", "FIRST,LAST", "FIRST,+COUNT" */
static int parse_range(struct dbg *d, const char *args, struct dbg_code **c, uint32_t *first,
		       uint32_t *last)
{
	const char *comma = strchr(args, ',');
	uint32_t program;
	char *copy;
	uint64_t n;
	int ret;

	*first = 0;
	*last = UINT32_MAX;
	if (!*args) {
		*c = dbg_code_now(d);
		return *c ? 0 : -EINVAL;
	}
	copy = strndup(args, comma ? (size_t)(comma - args) : strlen(args));
	if (!copy)
		return dbg_error(d, "out of memory");
	ret = dbg_location(d, copy, &program, first);
	free(copy);
	if (ret)
		return ret;
	*c = program == JF_NONE ? d->code : d->programs[program];
	if (!*c)
		return dbg_error(d, "There is no program.");
	if (!comma) {
		*first = 0;
		return 0;
	}
	comma += 1 + strspn(comma + 1, " ");
	ret = dbg_eval_u64(d, comma + (*comma == '+'), &n);
	if (!ret && *comma == '+')
		n += *first;
	*last = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
	return ret;
}

/* The words of an instruction. */
static void show_words(struct dbg *d, const struct dbg_code *c, const struct dbg_insn *i,
		       struct json_object *o)
{
	struct json_object *list = js_array(o, "words");
	const uint32_t *w;
	uint32_t k, n = dbg_insn_words(c, i, &w);
	char text[12];

	for (k = 0; k < n; k++) {
		snprintf(text, sizeof(text), "%08x", w[k]);
		dbg_printf(d, "%s%s", text, k + 1 < n ? " " : "\t");
		json_object_array_add(list, json_object_new_string(text));
	}
}

/* "/r", "/s" (also "/m"): with words, with lines of the source */
static int parse_modifiers(struct dbg *d, const char **args, bool *raw, bool *source)
{
	const char *p = *args;

	*raw = false;
	*source = false;
	for (; *p == '/'; p += strspn(p, " \t")) {
		for (p++; *p && !isspace((unsigned char)*p); p++) {
			if (!strchr("rsm", *p))
				return dbg_error(d, "Invalid disassembly modifier \"%c\".", *p);
			*raw |= *p == 'r';
			*source |= *p != 'r';
		}
	}
	*args = p;
	return 0;
}

/* The source line of an instruction if it is not that of the one before. */
static void show_source(struct dbg *d, const struct dbg_code *c, const struct dbg_insn *n,
			uint32_t *file, uint32_t *last)
{
	uint32_t line;

	if (!n->src || (n->src == *last && n->file == *file))
		return;
	for (line = n->src; line <= n->src_last && line <= c->files[n->file].num_lines; line++)
		dbg_printf(d, "%s:%u:\t%s\n", c->files[n->file].name, line,
			   c->files[n->file].lines[line - 1]);
	*last = n->src;
	*file = n->file;
}

static int cmd_disassemble(struct dbg *d, const char *args)
{
	struct json_object *list = js_array(d->result, "insns"), *o;
	uint32_t first, last, i, pc, file = 0, line = 0;
	bool raw, source;
	struct dbg_code *c;
	int ret = parse_modifiers(d, &args, &raw, &source);

	if (!ret)
		ret = parse_range(d, args, &c, &first, &last);
	if (ret)
		return ret;
	pc = d->state == DBG_STOPPED && c == d->code ? dbg_pc(d) : ~0u;
	dbg_printf(d, "Dump of %s:\n", c->name);
	for (i = 0; i < c->num_insns; i++) {
		const struct dbg_insn *n = &c->insns[i];
		bool stop = has_break(d, c, n->pc);

		if (n->pc < first || n->pc >= last)
			continue;
		if (source && c->num_files)
			show_source(d, c, n, &file, &line);
		show_marks(d, n->pc == pc, stop);
		dbg_printf(d, " 0x%04x:\t", n->pc);
		o = json_object_new_object();
		if (raw)
			show_words(d, c, n, o);
		dbg_print_insn(d, c, n, "\t\t");
		js_int(o, "pc", n->pc);
		js_str(o, "text", n->text);
		js_bool(o, "current", n->pc == pc);
		js_bool(o, "breakpoint", stop);
		json_object_array_add(list, o);
	}
	dbg_printf(d, "End of dump.\n");
	return 0;
}

/* Does a line have a breakpoint? Several instructions may be from it. */
static bool line_has_break(struct dbg *d, const struct dbg_code *c, const struct dbg_text *t,
			   uint32_t line)
{
	uint32_t i, n;

	for (i = 0; i < c->num_insns; i++) {
		if (dbg_text_at(d, c, &c->insns[i], &n) == t && n == line &&
		    has_break(d, c, c->insns[i].pc))
			return true;
	}
	return false;
}

static void show_lines(struct dbg *d, const struct dbg_code *c, const struct dbg_text *t,
		       uint32_t first, uint32_t last)
{
	const struct dbg_insn *now = d->state == DBG_STOPPED && c == d->code ?
				     dbg_code_at(c, dbg_pc(d)) : NULL;
	struct json_object *list = js_array(d->result, "lines");
	uint32_t line, at;

	if (dbg_text_at(d, c, now, &at) != t)
		at = 0;
	for (line = first; line <= last && line <= t->num_lines; line++) {
		show_marks(d, line == at, line_has_break(d, c, t, line));
		dbg_printf(d, "%-4u %s\n", line, t->lines[line - 1]);
		json_object_array_add(list, json_object_new_string(t->lines[line - 1]));
	}
	d->first_list = first;
	d->last_list = line;
}

static int bad_line(struct dbg *d, const struct dbg_code *c, const struct dbg_text *t,
		    uint32_t line)
{
	return dbg_error(d, "Line number %u out of range; %s has %u lines.", line,
			 t == &c->listing ? "the listing" : t->name, t->num_lines);
}

/* A number that *@args begins with, and is moved past with blanks. Return: there is one. */
static bool line_number(const char **args, uint32_t *line)
{
	unsigned long n;
	char *end;

	if (!isdigit((unsigned char)**args))
		return false;
	n = strtoul(*args, &end, 10);
	*line = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
	*args = end + strspn(end, " \t");
	return true;
}

/* Where the lines of "list" are centered: a line, a location, the current instruction. */
static int list_center(struct dbg *d, const char *args, const struct dbg_code **c,
		       const struct dbg_text **t, uint32_t *line)
{
	const struct dbg_insn *i = NULL;
	uint32_t program, pc, at;
	const char *rest = args;

	*line = 1;
	if (line_number(&rest, line) && !*rest)
		return *c ? 0 : -EINVAL;
	*line = 1;
	if (*args) {
		if (dbg_location(d, args, &program, &pc))
			return -EINVAL;
		if (program != JF_NONE)
			*c = d->programs[program];
		i = dbg_code_at(*c, pc);
	} else if (d->state == DBG_STOPPED) {
		i = dbg_code_at(*c, dbg_pc(d));
	}
	if (!*c)
		return -EINVAL;
	*t = dbg_text_at(d, *c, i, &at);
	if (at)
		*line = at;
	return 0;
}

/* "FIRST,LAST", "FIRST,", ",LAST". Return: it is one of them. */
static bool list_range(struct dbg *d, const char *args, uint32_t *first, uint32_t *last)
{
	bool begins = line_number(&args, first), ends;

	if (*args != ',')
		return false;
	args += 1 + strspn(args + 1, " \t");
	ends = line_number(&args, last);
	if (*args || (!begins && !ends))
		return false;
	if (!ends)
		*last = *first < UINT32_MAX - d->list_size ? *first + d->list_size - 1 : UINT32_MAX;
	if (!begins)
		*first = *last > d->list_size ? *last - d->list_size + 1 : 1;
	return true;
}

/* "", "-", "LINE", "FIRST,LAST", "LOCATION" */
static int cmd_list(struct dbg *d, const char *args)
{
	const struct dbg_code *c = dbg_code_now(d);
	unsigned int first, last;
	const struct dbg_text *t;
	uint32_t center;

	t = c ? dbg_text_at(d, c, d->state == DBG_STOPPED ? dbg_code_at(c, dbg_pc(d)) : NULL,
			    &center) : NULL;
	if (!list_range(d, args, &first, &last)) {
		last = 0;
		if (!strcmp(args, "-") && d->last_list && c) {
			last = d->first_list - 1;
			if (!last)
				return dbg_error(d, "Already at the start.");
			first = last > d->list_size ? last - d->list_size + 1 : 1;
		} else if (!*args && d->last_list && c) {
			first = d->last_list;
		} else {
			if (list_center(d, args, &c, &t, &center))
				return -EINVAL;
			if (center > t->num_lines)
				return bad_line(d, c, t, center);
			first = center > d->list_size / 2 ? center - d->list_size / 2 : 1;
		}
	}
	if (!c)
		return -EINVAL;
	if (!first || first > t->num_lines)
		return bad_line(d, c, t, first);
	show_lines(d, c, t, first, last ? last : first + d->list_size - 1);
	return 0;
}

const struct dbg_cmd dbg_cmds_code[] = {
	{ "disassemble", "[/rs] [LOCATION[,END|,+COUNT]]",
	  "Instructions of the program; => marks the current one, * breakpoints. /r shows their\n"
	  "words, /s the lines of the source.",
	  cmd_disassemble, "disas" },
	{ "list", "[LINE|FIRST,LAST|LOCATION|-]",
	  "Lines of the program's source, or of its listing if it has none or after \"set listing\n"
	  "on\"; default: around the current instruction, then the next; -: those before.",
	  cmd_list, "l", true },
	{ }
};
