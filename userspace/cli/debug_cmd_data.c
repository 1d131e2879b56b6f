// SPDX-License-Identifier: MIT
/*
 * Commands that show and change data.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "debug.h"

#define MAX_EXAMINE	65536u

int dbg_parse_format(struct dbg *d, const char **args, struct dbg_format *f)
{
	const char *p = *args;
	char *end;

	*f = (struct dbg_format){ .count = 1 };
	if (*p != '/')
		return 0;
	f->given = true;
	p++;
	if (isdigit((unsigned char)*p)) {
		f->count = (unsigned int)strtoul(p, &end, 10);
		p = end;
	}
	for (; isalpha((unsigned char)*p); p++) {
		if (strchr("bhwg", *p))
			f->size = *p;
		else if (strchr("xduotacfzsi", *p))
			f->letter = *p;
		else
			return dbg_error(d, "Undefined output format \"%c\".", *p);
	}
	*args = p + strspn(p, " \t");
	return 0;
}

/* ---- print ---- */

static void add_value(struct json_object *o, const struct dbg_value *v)
{
	struct json_object *list = js_array(o, "values"), *bits = js_array(o, "bits");
	char text[80];
	unsigned int i;

	for (i = 0; i < v->num; i++) {
		dbg_component(v, i, 0, text, sizeof(text));
		json_object_array_add(list, json_object_new_string(text));
		dbg_component(v, i, 'x', text, sizeof(text));
		json_object_array_add(bits, json_object_new_string(text));
	}
}

/* gdb's options, which end with "--", change how structures are printed. */
static const char *skip_options(const char *args)
{
	const char *end = *args == '-' && isalpha((unsigned char)args[1]) ? strstr(args, " -- ") :
									    NULL;

	return end ? end + 4 : args;
}

static int print(struct dbg *d, const char *args, bool keep)
{
	char text[DBG_MAX_COMPONENTS * 72];
	struct dbg_format f;
	struct dbg_value v;
	int ret;

	args = skip_options(args);
	ret = dbg_parse_format(d, &args, &f);
	if (ret)
		return ret;
	if (f.letter == 's' || f.letter == 'i' || f.count > 1)
		return dbg_error(d, "Format letter \"%c\" is meaningless in \"print\" command.",
				 f.count > 1 ? '0' + (char)(f.count % 10) : f.letter);
	ret = *args ? dbg_eval(d, args, &v) : dbg_eval(d, "$", &v);
	if (ret)
		return ret;
	dbg_text(&v, f.letter, text, sizeof(text));
	add_value(d->result, &v);
	js_str(d->result, "text", text);
	if (!keep) {
		dbg_printf(d, "%s", text);
		return 0;
	}
	d->history[d->num_history++ % DBG_MAX_HISTORY] = v;
	dbg_printf(d, "$%u = %s\n", d->num_history, text);
	return 0;
}

static int cmd_print(struct dbg *d, const char *args)
{
	return print(d, args, true);
}

/* "f32", "u32[4]": as in casts */
static int cmd_ptype(struct dbg *d, const char *args)
{
	static const char letters[] = { [DBG_SIGNED] = 's', [DBG_UNSIGNED] = 'u',
					[DBG_FLOAT] = 'f' };
	char text[24];
	struct dbg_value v;
	int n, ret = dbg_eval(d, *args ? args : "$", &v);

	if (ret)
		return ret;
	n = snprintf(text, sizeof(text), "%c%u", letters[v.type], v.bits);
	if (v.vector)
		snprintf(text + n, sizeof(text) - (size_t)n, "[%u]", v.num);
	js_str(d->result, "type", text);
	dbg_printf(d, "type = %s\n", text);
	return 0;
}

static int cmd_output(struct dbg *d, const char *args)
{
	return print(d, args, false);
}

/* ---- set ---- */

static int cmd_set(struct dbg *d, const char *args)
{
	struct dbg_value v;

	int ret;

	if (dbg_set(d, args, &ret))
		return ret;
	if (!strchr(args, '='))
		return dbg_error(d, "\"set\" must be followed by an assignment.");
	return dbg_eval(d, args, &v);
}

/* ADDRESS BYTE...: as hexadecimal digits */
static int cmd_set_memory(struct dbg *d, const char *args)
{
	struct dbg_value at;
	uint8_t data[4096];
	unsigned int n = 0, byte;
	const char *p, *eq = strchr(args, '=');
	char *copy;
	int ret, len;

	if (!eq)
		return dbg_error(d, "\"set memory ADDRESS = BYTES\"; bytes are hexadecimal");
	copy = strndup(args, (size_t)(eq - args));
	if (!copy)
		return dbg_error(d, "out of memory");
	ret = dbg_eval(d, copy, &at);
	free(copy);
	if (ret)
		return ret;
	for (p = eq + 1 + strspn(eq + 1, " "); *p; p += len + (int)strspn(p + len, " ")) {
		if (n == sizeof(data) || sscanf(p, "%2x%n", &byte, &len) != 1 || len != 2)
			return dbg_error(d, "Bytes have two hexadecimal digits: \"%.20s\"", p);
		data[n++] = (uint8_t)byte;
	}
	if (!n)
		return dbg_error(d, "There are no bytes to write.");
	return dbg_write_mem(d, (uint64_t)dbg_to_int(&at, 0), data, n);
}

/* ---- x ---- */

static unsigned int unit(const struct dbg_format *f)
{
	switch (f->size) {
	case 'b':
		return 1;
	case 'h':
		return 2;
	case 'g':
		return 8;
	default:
		return f->letter == 's' || (f->letter == 'c' && !f->size) ? 1 : 4;
	}
}

static int examine_insns(struct dbg *d, const struct dbg_format *f, uint64_t pc)
{
	const struct dbg_code *c = dbg_code_now(d);
	struct json_object *list;
	unsigned int n;

	if (!c)
		return -EINVAL;
	list = js_array(d->result, "insns");
	for (n = 0; n < f->count; n++) {
		const struct dbg_insn *i = pc > UINT32_MAX ? NULL : dbg_code_at(c, (uint32_t)pc);
		struct json_object *o;

		if (!i)
			return dbg_error(d, "No instruction of %s begins at 0x%llx.", c->name,
					 (unsigned long long)pc);
		dbg_printf(d, "%s0x%x:\t",
			   d->state == DBG_STOPPED && i->pc == dbg_pc(d) ? "=> " : "   ", i->pc);
		dbg_print_insn(d, c, i, "\t");
		o = json_object_new_object();
		js_int(o, "pc", i->pc);
		js_str(o, "text", i->text);
		json_object_array_add(list, o);
		pc += i->size;
	}
	d->last_x = pc;
	return 0;
}

static int examine_string(struct dbg *d, uint64_t va)
{
	char text[201];
	size_t n = 0;
	int ret = 0;

	while (n + 1 < sizeof(text)) {
		ret = dbg_read_mem(d, va + n, &text[n], 1);
		if (ret || !text[n])
			break;
		if (!isprint((unsigned char)text[n]))
			text[n] = '?';
		n++;
	}
	text[n] = 0;
	if (ret && !n)
		return ret;
	dbg_printf(d, "0x%llx:\t\"%s\"\n", (unsigned long long)va, text);
	d->last_x = va + n + 1;
	return 0;
}

static int examine_row(struct dbg *d, char letter, uint64_t va, unsigned int n,
		       unsigned int bytes, struct json_object *list)
{
	struct dbg_value v = {
		.type = letter == 'f' && bytes > 1 ? DBG_FLOAT :
			letter == 'd' ? DBG_SIGNED : DBG_UNSIGNED,
		.bits = 8 * bytes, .num = n,
	};
	char text[80];
	unsigned int i;
	int ret = dbg_load(d, va, &v);

	if (ret)
		return ret;
	dbg_printf(d, "0x%llx:", (unsigned long long)va);
	for (i = 0; i < n; i++) {
		dbg_component(&v, i, letter == 'x' ? 'z' : letter, text, sizeof(text));
		dbg_printf(d, "\t%s", text);
		json_object_array_add(list, json_object_new_string(text));
	}
	dbg_printf(d, "\n");
	return 0;
}

int dbg_examine(struct dbg *d, const struct dbg_format *f, uint64_t va)
{
	char letter = f->letter ? f->letter : 'x';
	unsigned int bytes = unit(f), per = bytes == 8 ? 2 : bytes == 1 ? 8 : 16 / bytes;
	unsigned int i, n;
	struct json_object *list;
	int ret = 0;

	if (f->count > MAX_EXAMINE)
		return dbg_error(d, "At most %u units are shown.", MAX_EXAMINE);
	if (letter == 'i')
		return examine_insns(d, f, va);
	d->last_x = va;
	if (letter == 's') {
		for (i = 0; i < f->count && !ret; i++)
			ret = examine_string(d, d->last_x);
		return ret;
	}
	js_int(d->result, "address", va);
	list = js_array(d->result, "values");
	for (i = 0; i < f->count && !ret; i += n) {
		n = f->count - i < per ? f->count - i : per;
		ret = examine_row(d, letter, d->last_x, n, bytes, list);
		d->last_x += (uint64_t)n * bytes;
	}
	return ret;
}

static int cmd_x(struct dbg *d, const char *args)
{
	struct dbg_format f;
	struct dbg_value v;
	uint64_t va = d->last_x;
	int ret = dbg_parse_format(d, &args, &f);

	if (ret)
		return ret;
	/* Omitted parts keep their last values. */
	if (!f.letter)
		f.letter = d->last_format.letter;
	if (!f.size && f.letter == d->last_format.letter)
		f.size = d->last_format.size;
	if (*args) {
		ret = dbg_eval(d, args, &v);
		if (ret)
			return ret;
		if (v.num != 1)
			return dbg_error(d, "A vector is no address.");
		va = v.place == DBG_MEMORY ? v.va : (uint64_t)dbg_to_int(&v, 0);
	}
	d->last_format = f;
	return dbg_examine(d, &f, va);
}

/* ---- display ---- */

static void show_display(struct dbg *d, const struct dbg_display *s)
{
	char text[DBG_MAX_COMPONENTS * 72];
	struct dbg_value v;

	if (dbg_eval(d, s->expr, &v)) {
		dbg_printf(d, "%u: %s = <error: %s>\n", s->num, s->expr, d->err);
		return;
	}
	if (s->format.size || s->format.letter == 'i' || s->format.letter == 's') {
		dbg_printf(d, "%u: x %s\n", s->num, s->expr);
		if (dbg_examine(d, &s->format, v.place == DBG_MEMORY ? v.va :
				(uint64_t)dbg_to_int(&v, 0)))
			dbg_printf(d, "<error: %s>\n", d->err);
		return;
	}
	dbg_printf(d, "%u: %s = %s\n", s->num, s->expr,
		   dbg_text(&v, s->format.letter, text, sizeof(text)));
}

void dbg_show_displays(struct dbg *d)
{
	struct json_object *kept = d->result;
	unsigned int i;

	/* Not part of the command's result. */
	d->result = json_object_new_object();
	for (i = 0; i < DBG_MAX_DISPLAY; i++) {
		if (d->displays[i].num && !d->displays[i].disabled)
			show_display(d, &d->displays[i]);
	}
	json_object_put(d->result);
	d->result = kept;
}

static int cmd_display(struct dbg *d, const char *args)
{
	struct dbg_display *s = NULL;
	struct dbg_format f;
	unsigned int i;
	int ret = dbg_parse_format(d, &args, &f);

	if (ret)
		return ret;
	if (!*args) {
		dbg_show_displays(d);
		return 0;
	}
	for (i = 0; i < DBG_MAX_DISPLAY && !s; i++) {
		if (!d->displays[i].num)
			s = &d->displays[i];
	}
	if (!s)
		return dbg_error(d, "There are at most %u displays.", DBG_MAX_DISPLAY);
	s->expr = strdup(args);
	if (!s->expr)
		return dbg_error(d, "out of memory");
	s->format = f;
	s->num = ++d->last_display;
	js_int(d->result, "display", s->num);
	if (d->state == DBG_STOPPED)
		show_display(d, s);
	return 0;
}

static struct dbg_display *find_display(struct dbg *d, unsigned long num)
{
	unsigned int i;

	for (i = 0; num && i < DBG_MAX_DISPLAY; i++) {
		if (d->displays[i].num == num)
			return &d->displays[i];
	}
	return NULL;
}

int dbg_displays(struct dbg *d, const char *args, void (*fn)(struct dbg_display *s))
{
	struct dbg_display *s;
	unsigned int i;
	char *end;

	for (i = 0; !*args && i < DBG_MAX_DISPLAY; i++) {
		if (d->displays[i].num)
			fn(&d->displays[i]);
	}
	while (*args) {
		s = find_display(d, strtoul(args, &end, 10));
		if (end == args || !s || (*end && !strchr(" \t,", *end)))
			return dbg_error(d, "No display number %.20s.", args);
		fn(s);
		args = end + strspn(end, " \t,");
	}
	return 0;
}

void dbg_display_remove(struct dbg_display *s)
{
	free(s->expr);
	memset(s, 0, sizeof(*s));
}

static void disable_display(struct dbg_display *s)
{
	s->disabled = true;
}

static void enable_display(struct dbg_display *s)
{
	s->disabled = false;
}

static int cmd_undisplay(struct dbg *d, const char *args)
{
	return dbg_displays(d, args, dbg_display_remove);
}

static int cmd_disable_display(struct dbg *d, const char *args)
{
	return dbg_displays(d, args, disable_display);
}

static int cmd_enable_display(struct dbg *d, const char *args)
{
	return dbg_displays(d, args, enable_display);
}

const struct dbg_cmd dbg_cmds_data[] = {
	{ "print", "[/FORMAT] [EXPRESSION]",
	  "Show a value: x d u o t a c f z.\n"
	  "$NAME is a register ($r3, $r3.x, $r3.zyx, $ra2[5]), $pc, $invocation, a variable or, $N, an\n"
	  "earlier value; names of the source are registers and constants (position, projection[0]);\n"
	  "names of memory regions, or ::NAME, are their addresses; *A, A[n], {f32} A,\n"
	  "{u32[4]} A and *A @ n are memory; (f32) V converts; operators are C's, and V = E\n"
	  "changes V.", cmd_print, "p inspect call" },
	{ "output", "[/FORMAT] EXPRESSION", "As print, without value number and newline.",
	  cmd_output },
	{ "ptype", "[EXPRESSION]", "Show the type of a value: f32, u32[4].", cmd_ptype, "whatis" },
	{ "x", "[/NFU] [ADDRESS]",
	  "Show memory: N units of size U (b h w g) as F (x d u o t a c f s), or with F i\n"
	  "instructions from a number on.", cmd_x, NULL, true },
	{ "display", "[/FORMAT] [EXPRESSION]", "Show a value at each stop; default: show all.",
	  cmd_display },
	{ "undisplay", "[NUMBER...]", "Remove displays, or all of them.", cmd_undisplay, "und" },
	{ "delete display", "[NUMBER...]", "The same.", cmd_undisplay },
	{ "disable display", "[NUMBER...]", "Do not show them at stops.", cmd_disable_display },
	{ "enable display", "[NUMBER...]", "Show them again.", cmd_enable_display },
	{ "set var", "PLACE = EXPRESSION", "Change a register, memory or a variable.", cmd_set },
	{ "set variable", "PLACE = EXPRESSION", "The same.", cmd_set },
	{ "set memory", "ADDRESS = BYTES", "Write hexadecimal bytes.", cmd_set_memory },
	{ "set", "PLACE = EXPRESSION|SETTING VALUE",
	  "The same as \"set var\"; or a setting, which \"show\" lists.", cmd_set },
	{ }
};
