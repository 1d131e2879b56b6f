// SPDX-License-Identifier: MIT
/*
 * "set" and "show": gdb's settings. Those of how it prints and asks are accepted for its scripts
 * and have no effect.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "debug.h"
#include "jobfile_json.h"

#define DEFAULT_LOG	"gdb.txt"

/* What a value may be: on or off; a number or "unlimited", also on or off; one word; any text. */
enum kind { SWITCH, NUMBER, WORD, TEXT };

/**
 * struct setting - a setting
 * @name: name
 * @kind: what its value may be
 * @value: value until it is set
 * @text: for "show"
 * @set: if it has an effect: what does it
 */
struct setting {
	const char *name;
	enum kind kind;
	const char *value;
	const char *text;
	int (*set)(struct dbg *d, const char *value);
};

/* ---- settings with an effect ---- */

static int set_listsize(struct dbg *d, const char *value)
{
	unsigned long n = strtoul(value, NULL, 10);

	if (!isdigit((unsigned char)*value))
		n = UINT32_MAX / 2;
	if (!n || n > UINT32_MAX / 2)
		return dbg_error(d, "\"%.20s\": a number of lines expected", value);
	d->list_size = (unsigned int)n;
	return 0;
}

static const char *value_of(const struct dbg *d, const char *name);

int dbg_log_end(struct dbg *d)
{
	FILE *f = d->log;
	bool bad;

	d->log = NULL;
	if (!f)
		return 0;
	bad = ferror(f);
	/* the error of what is written last is the file's */
	if (fclose(f) || bad)
		return dbg_error(d, "%s: %s", value_of(d, "logging file"), strerror(errno));
	dbg_printf(d, "Done copying output to %s.\n", value_of(d, "logging file"));
	return 0;
}

static int set_logging(struct dbg *d, const char *value)
{
	const char *path = value_of(d, "logging file");
	bool over = !strcmp(value_of(d, "logging overwrite"), "on");
	struct stat st;

	if (strcmp(value, "on"))
		return dbg_log_end(d);
	if (d->log)
		return 0;
	if (!stat(path, &st)) {
		if (jf_is_input(&st))
			return dbg_error(d, "%s: input and output are one file", path);
		if (!S_ISREG(st.st_mode) && !S_ISCHR(st.st_mode))
			return dbg_error(d, "%s: not a regular file", path);
	}
	d->log = fopen(path, over ? "we" : "ae");
	if (!d->log)
		return dbg_error(d, "%s: %s", path, strerror(errno));
	dbg_printf(d, "Copying output to %s.\n", path);
	return 0;
}

/* ---- all of them ---- */

/* Those with an effect first, as they are found first. */
static const struct setting settings[] = {
	{ "listsize", NUMBER, "10", "Number of lines that \"list\" shows", set_listsize },
	{ "logging enabled", SWITCH, "off", "Whether output is copied to a file", set_logging },
	{ "logging file", TEXT, DEFAULT_LOG, "File that output is copied to" },
	{ "logging overwrite", SWITCH, "off", "Whether logging overwrites the file" },
	{ "confirm", SWITCH, "off", "Whether to confirm potentially dangerous operations" },
	{ "height", NUMBER, "unlimited", "Number of lines in a page" },
	{ "pagination", SWITCH, "off", "State of pagination" },
	{ "width", NUMBER, "unlimited", "Number of characters in a line" },
	{ "annotate", NUMBER, "0", "Annotation level" },
	{ "auto-load", TEXT, "off", "Files that are loaded automatically" },
	{ "backtrace", TEXT, "unlimited", "How far a backtrace goes" },
	{ "breakpoint", TEXT, "auto", "Behaviour of breakpoints" },
	{ "can-use-hw-watchpoints", NUMBER, "1", "Willingness to use hardware watchpoints" },
	{ "case-sensitive", WORD, "on", "Case sensitivity" },
	{ "complaints", NUMBER, "0", "Number of complaints about symbols" },
	{ "debuginfod", TEXT, "off", "Use of debuginfod" },
	{ "disassemble-next-line", WORD, "on", "Instructions at stops" },
	{ "disassembly-flavor", WORD, "none", "Disassembly flavor" },
	{ "editing", SWITCH, "on", "Editing of command lines" },
	{ "history expansion", SWITCH, "off", "History expansion" },
	{ "history filename", TEXT, "~/.vshader_history", "File of the history" },
	{ "history remove-duplicates", NUMBER, "0", "Duplicates in the history" },
	{ "history save", SWITCH, "on", "Saving of the history" },
	{ "history size", NUMBER, "unlimited", "Size of the history" },
	{ "max-value-size", NUMBER, "unlimited", "Largest value" },
	{ "print address", SWITCH, "on", "Printing of addresses" },
	{ "print array", SWITCH, "off", "Pretty printing of arrays" },
	{ "print array-indexes", SWITCH, "off", "Printing of array indexes" },
	{ "print asm-demangle", SWITCH, "off", "Demangling in disassembly" },
	{ "print demangle", SWITCH, "off", "Demangling" },
	{ "print elements", NUMBER, "unlimited", "Elements of arrays to print" },
	{ "print entry-values", WORD, "no", "Printing of arguments at entry" },
	{ "print finish", SWITCH, "on", "Whether \"finish\" prints values" },
	{ "print frame-arguments", WORD, "none", "Printing of arguments of frames" },
	{ "print frame-info", WORD, "auto", "Printing of frames" },
	{ "print inferior-events", SWITCH, "off", "Printing of events of processes" },
	{ "print max-depth", NUMBER, "unlimited", "Depth of structures to print" },
	{ "print max-symbolic-offset", NUMBER, "unlimited", "Largest offset of a symbol" },
	{ "print null-stop", SWITCH, "off", "Whether arrays end at a null" },
	{ "print object", SWITCH, "off", "Printing of derived types" },
	{ "print pretty", SWITCH, "off", "Pretty formatting of structures" },
	{ "print repeats", NUMBER, "unlimited", "Threshold for repeated elements" },
	{ "print sevenbit-strings", SWITCH, "on", "Printing of 8-bit characters as octal" },
	{ "print static-members", SWITCH, "on", "Printing of static members" },
	{ "print symbol", SWITCH, "off", "Printing of symbols of pointers" },
	{ "print symbol-filename", SWITCH, "off", "Printing of files of symbols" },
	{ "print symbol-loading", WORD, "off", "Printing of symbol loading" },
	{ "print thread-events", SWITCH, "off", "Printing of thread events" },
	{ "print type", TEXT, "on", "Printing of types" },
	{ "print union", SWITCH, "on", "Printing of unions" },
	{ "print vtbl", SWITCH, "off", "Printing of virtual functions" },
	{ "prompt", TEXT, "(vshader) ", "Prompt" },
	{ "python", TEXT, "none", "Python" },
	{ "remotetimeout", NUMBER, "0", "Timeout of targets" },
	{ "style", TEXT, "by --color", "Colours" },
	{ "trace-commands", SWITCH, "off", "Tracing of commands" },
	{ "tui", TEXT, "none", "Looks of the full-screen mode" },
	{ "unwindonsignal", SWITCH, "off", "Unwinding on signals" },
	{ "verbose", SWITCH, "off", "Verbosity" },
	{ "watchdog", NUMBER, "0", "Watchdog timer" },
};

#define NUM	(sizeof(settings) / sizeof(settings[0]))

_Static_assert(NUM <= DBG_NUM_SETTINGS, "room for settings");

static const char *value(const struct dbg *d, unsigned int i)
{
	return d->settings[i] ? d->settings[i] : settings[i].value;
}

static const char *value_of(const struct dbg *d, const char *name)
{
	unsigned int i;

	for (i = 0; strcmp(settings[i].name, name); i++)
		;
	return value(d, i);
}

/*
 * Compare words with those of a name, of which each may be shortened. @rest: what follows them.
 * Return: words that are the same
 */
static unsigned int same_words(const char *name, const char *text, const char **rest)
{
	unsigned int words = 0;
	size_t n, m;

	for (;;) {
		*rest = text;
		n = strcspn(name, " ");
		m = strcspn(text, " \t");
		if (!m || m > n || memcmp(name, text, m))
			return words;
		words++;
		text += m;
		text += strspn(text, " \t");
		*rest = text;
		if (!name[n])
			return words;
		name += n + 1;
	}
}

static unsigned int count_words(const char *name)
{
	unsigned int n = 1;

	for (; *name; name++)
		n += *name == ' ';
	return n;
}

/* The setting whose name a text begins with; of several, the longest. Return: number, or NUM. */
static unsigned int find(const char *text, const char **rest)
{
	unsigned int i, found = NUM, words, most = 0;
	const char *p;

	for (i = 0; i < NUM; i++) {
		words = same_words(settings[i].name, text, &p);
		if (words <= most || words != count_words(settings[i].name))
			continue;
		most = words;
		found = i;
		*rest = p;
	}
	return found;
}

static const char *normalize(enum kind kind, const char *text)
{
	static const char * const on[] = { "", "on", "1", "yes", "enable" };
	static const char * const off[] = { "off", "0", "no", "disable" };
	unsigned int i;

	if (kind == NUMBER)
		return *text ? text : "unlimited";
	if (kind != SWITCH)
		return text;
	for (i = 0; i < sizeof(on) / sizeof(on[0]); i++) {
		if (!strcmp(text, on[i]))
			return "on";
	}
	for (i = 0; i < sizeof(off) / sizeof(off[0]); i++) {
		if (!strcmp(text, off[i]))
			return "off";
	}
	return text;
}

static bool is_valid(enum kind kind, const char *text)
{
	bool word = !strcmp(text, "on") || !strcmp(text, "off");

	switch (kind) {
	case SWITCH:
		return word;
	case NUMBER:
		return word || !strcmp(text, "unlimited") ||
		       (!text[strspn(text, "0123456789")] && strlen(text) <= 10);
	case WORD:
		return *text && !strpbrk(text, " \t");
	default:
		return *text;
	}
}

static int set(struct dbg *d, unsigned int i, const char *text)
{
	static const char * const expected[] = {
		[SWITCH] = "\"on\" or \"off\"", [NUMBER] = "\"on\", \"off\" or a number",
		[WORD] = "a word", [TEXT] = "a value",
	};
	char *copy;
	int ret;

	text = normalize(settings[i].kind, text);
	if (!is_valid(settings[i].kind, text))
		return dbg_error(d, "%s expected: \"%.20s\"", expected[settings[i].kind], text);
	ret = settings[i].set ? settings[i].set(d, text) : 0;
	if (ret)
		return ret;
	copy = strdup(text);
	if (!copy)
		return dbg_error(d, "out of memory");
	free(d->settings[i]);
	d->settings[i] = copy;
	return 0;
}

bool dbg_set(struct dbg *d, const char *text, int *ret)
{
	const char *rest;
	unsigned int i;

	/* of gdb before 12 */
	if (same_words("logging", text, &rest) == 1 &&
	    (!*rest || !strcmp(rest, "on") || !strcmp(rest, "off"))) {
		*ret = dbg_set(d, strcmp(rest, "off") ? "logging enabled on" :
			       "logging enabled off", ret) ? *ret : 0;
		return true;
	}
	i = find(text, &rest);
	/* a place of this name */
	if (i == NUM || *rest == '=')
		return false;
	*ret = set(d, i, rest);
	return true;
}

void dbg_settings_fini(struct dbg *d)
{
	unsigned int i;

	for (i = 0; i < NUM; i++)
		free(d->settings[i]);
	if (d->log)
		fclose(d->log);
}

/* ---- show ---- */

static void show_setting(struct dbg *d, unsigned int i)
{
	bool effect = settings[i].set || !strncmp(settings[i].name, "logging", 7);

	dbg_printf(d, "%s is %s%s.\n", settings[i].text, value(d, i),
		   effect ? "" : "; it has no effect");
	js_str(d->result, settings[i].name, value(d, i));
}

/* Those whose names begin with the words, or all. Return: number of them. */
static unsigned int show_settings(struct dbg *d, const char *text)
{
	unsigned int i, n = 0;
	const char *rest;

	for (i = 0; i < NUM; i++) {
		if (*text && (!same_words(settings[i].name, text, &rest) || *rest))
			continue;
		show_setting(d, i);
		n++;
	}
	/* "style enabled" is "style" here */
	i = n ? NUM : find(text, &rest);
	if (i < NUM && settings[i].kind == TEXT) {
		show_setting(d, i);
		n++;
	}
	return n;
}

static void show_listing(struct dbg *d)
{
	dbg_printf(d, "Lines are those of the %s.\n",
		   d->listing ? "listing" : "source, where there is one");
	js_str(d->result, "listing", d->listing ? "on" : "off");
}

static int show_version(struct dbg *d, const char *args)
{
	dbg_printf(d, "vshader debug, library %s\n", vshader_version());
	return 0;
}

static int show_values(struct dbg *d, const char *args)
{
	unsigned int n = d->num_history > 10 ? d->num_history - 10 : 0;
	char text[DBG_MAX_COMPONENTS * 72];

	for (; n < d->num_history; n++)
		dbg_printf(d, "$%u = %s\n", n + 1,
			   dbg_text(&d->history[n % DBG_MAX_HISTORY], 0, text, sizeof(text)));
	return 0;
}

static int show_variables(struct dbg *d, const char *args)
{
	char text[DBG_MAX_COMPONENTS * 72];
	unsigned int i;

	for (i = 0; i < d->num_vars; i++)
		dbg_printf(d, "$%s = %s\n", d->vars[i].name,
			   dbg_text(&d->vars[i].value, 0, text, sizeof(text)));
	if (!d->num_vars)
		dbg_printf(d, "No variables have been set; \"set var $NAME = VALUE\" makes one.\n");
	return 0;
}

static int show_user(struct dbg *d, const char *name)
{
	const struct dbg_user *u;
	const char *rest;
	unsigned int i;

	if (*name) {
		u = dbg_user_find(d, name, &rest);
		if (!u)
			return dbg_error(d, "Not a user command: \"%.40s\"", name);
		dbg_user_show(d, u);
		return 0;
	}
	for (i = 0; i < d->num_users; i++)
		dbg_user_show(d, &d->users[i]);
	if (!d->num_users)
		dbg_printf(d, "No commands have been defined.\n");
	return 0;
}

static int show_engine(struct dbg *d, const char *args)
{
	const struct dbg_code *c = dbg_code_now(d);

	if (!c)
		return -EINVAL;
	dbg_printf(d, "The current source language is the assembler of %s.\n",
		   vshader_engine_name(c->src.engine));
	return 0;
}

static int show_licence(struct dbg *d, const char *args)
{
	dbg_printf(d, "The command and its library are under the MIT licence, without warranty.\n");
	return 0;
}

static const struct {
	const char *name;
	int (*show)(struct dbg *d, const char *args);
} shows[] = {
	{ "version", show_version }, { "values", show_values },
	{ "convenience", show_variables }, { "conv", show_variables }, { "user", show_user },
	{ "language", show_engine }, { "architecture", show_engine }, { "copying", show_licence },
	{ "warranty", show_licence },
};

int dbg_show(struct dbg *d, const char *args)
{
	size_t len = strcspn(args, " \t");
	unsigned int i;

	if (!*args) {
		show_settings(d, args);
		show_listing(d);
		return show_version(d, args);
	}
	if (!strcmp(args, "listing")) {
		show_listing(d);
		return 0;
	}
	for (i = 0; i < sizeof(shows) / sizeof(shows[0]); i++) {
		if (strlen(shows[i].name) == len && !memcmp(shows[i].name, args, len))
			return shows[i].show(d, args + len + strspn(args + len, " \t"));
	}
	return show_settings(d, args) ? 0 :
		dbg_error(d, "Undefined show command: \"%.40s\"", args);
}
