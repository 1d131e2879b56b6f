// SPDX-License-Identifier: MIT
/*
 * Scripts: blocks of lines up to "end", conditions and loops, commands that the user defines.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "debug.h"

#define MAX_NESTED	64	/* blocks and commands of the user within each other */
#define MAX_ARGS	10

/* Length of the word at @p. */
static size_t word(const char *p)
{
	size_t n = 0;

	while (isalnum((unsigned char)p[n]) || p[n] == '-' || p[n] == '_')
		n++;
	return n;
}

static bool is_word(const char *line, const char *name)
{
	return word(line) == strlen(name) && !strncmp(line, name, strlen(name));
}

/* Does a line begin a block that has an "end" of its own? */
static bool opens(const char *line)
{
	static const char * const names[] = { "if", "while", "commands", "define", "document" };
	unsigned int i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (is_word(line, names[i]))
			return true;
	}
	return false;
}

static int run_lines(struct dbg *d, const char *text)
{
	char *copy = strdup(text), *rest = copy, *line;
	int ret = 0;

	if (!copy)
		return dbg_error(d, "out of memory");
	if (d->nested == MAX_NESTED) {
		free(copy);
		return dbg_error(d, "Commands are nested too deeply.");
	}
	d->nested++;
	while (!ret && !d->quit && (line = strsep(&rest, "\n")))
		ret = dbg_execute(d, line);
	d->nested--;
	free(copy);
	return ret;
}

/* ---- conditions and loops ---- */

static int is_true(struct dbg *d, const char *text, bool *yes)
{
	struct dbg_value v;
	int ret = dbg_eval(d, text, &v);

	if (!ret && v.num != 1)
		return dbg_error(d, "\"%.60s\" is a vector: name a component of it.", text);
	*yes = !ret && (v.type == DBG_FLOAT ? dbg_to_double(&v, 0) != 0 : dbg_to_int(&v, 0) != 0);
	return ret;
}

/* Cut a block at its own "else". Return: what follows, or NULL. */
static char *cut_else(char *text)
{
	unsigned int depth = 0;
	char *line, *next;

	for (line = text; *line; line = next) {
		next = line + strcspn(line, "\n");
		next += *next == '\n';
		if (!depth && is_word(line, "else")) {
			*line = 0;
			return next;
		}
		if (opens(line))
			depth++;
		else if (depth && is_word(line, "end"))
			depth--;
	}
	return NULL;
}

static int run_if(struct dbg *d, const char *cond, char *text)
{
	char *other = cut_else(text);
	bool yes;
	int ret = is_true(d, cond, &yes);

	if (ret)
		return ret;
	return yes ? run_lines(d, text) : other ? run_lines(d, other) : 0;
}

static int run_while(struct dbg *d, const char *cond, const char *text)
{
	bool yes;
	int ret = is_true(d, cond, &yes);

	while (!ret && yes && !d->quit) {
		ret = run_lines(d, text);
		if (!ret && d->ops->interrupted && d->ops->interrupted(d->ctx))
			ret = dbg_error(d, "Quit");
		if (!ret)
			ret = is_true(d, cond, &yes);
	}
	return ret;
}

/* ---- commands of the user ---- */

static struct dbg_user *user_by_name(struct dbg *d, const char *name, size_t len)
{
	unsigned int i;

	for (i = 0; i < d->num_users; i++) {
		if (strlen(d->users[i].name) == len && !memcmp(d->users[i].name, name, len))
			return &d->users[i];
	}
	return NULL;
}

const struct dbg_user *dbg_user_find(struct dbg *d, const char *line, const char **args)
{
	size_t len = word(line);
	const struct dbg_user *u = len ? user_by_name(d, line, len) : NULL;

	*args = line + len + strspn(line + len, " \t");
	return u;
}

static int check_name(struct dbg *d, const char *name)
{
	if (*name && !name[word(name)])
		return 0;
	return dbg_error(d, *name ? "\"%.40s\" is no name of a command." :
			 "Argument required (name of command to define).%s", name);
}

static int define(struct dbg *d, const char *name, const char *text)
{
	struct dbg_user *u = user_by_name(d, name, strlen(name));
	char *copy = strdup(text);

	if (!u && d->num_users == DBG_MAX_USERS) {
		free(copy);
		return dbg_error(d, "At most %u commands are defined.", DBG_MAX_USERS);
	}
	if (!u && copy) {
		u = &d->users[d->num_users];
		u->name = strdup(name);
		d->num_users += !!u->name;
	}
	if (!copy || !u->name) {
		free(copy);
		return dbg_error(d, "out of memory");
	}
	free(u->text);
	u->text = copy;
	return 0;
}

static int document(struct dbg *d, const char *name, const char *text)
{
	struct dbg_user *u = user_by_name(d, name, strlen(name));

	if (!u)
		return dbg_error(d, "Undefined command: \"%.40s\".", name);
	free(u->doc);
	u->doc = strdup(text);
	return u->doc ? 0 : dbg_error(d, "out of memory");
}

/* Arguments are separated by blanks, outside of quotes. Return: their number. */
static unsigned int split(char *args, char **list)
{
	unsigned int n = 0;
	char quote;

	args += strspn(args, " \t");
	while (*args && n < MAX_ARGS) {
		list[n++] = args;
		for (quote = 0; *args && (quote || !isspace((unsigned char)*args)); args++) {
			if (quote ? *args == quote : *args == '"' || *args == '\'')
				quote = quote ? 0 : *args;
		}
		if (*args)
			*args++ = 0;
		args += strspn(args, " \t");
	}
	return n;
}

/* The text with its $argc and $argN replaced, to be freed. */
static char *expand(struct dbg *d, const char *text, char **list, unsigned int num)
{
	char *out = NULL, *end;
	size_t size;
	FILE *f = open_memstream(&out, &size);
	unsigned long n;
	int ret = 0;

	while (f && !ret && *text) {
		if (strncmp(text, "$arg", 4)) {
			fputc(*text++, f);
			continue;
		}
		if (text[4] == 'c' && !word(text + 5)) {
			fprintf(f, "%u", num);
			text += 5;
			continue;
		}
		if (!isdigit((unsigned char)text[4])) {
			fputc(*text++, f);
			continue;
		}
		n = strtoul(text + 4, &end, 10);
		if (n >= num)
			ret = dbg_error(d, "Missing argument %lu in user function.", n);
		else
			fputs(list[n], f);
		text = end;
	}
	if (!f || fclose(f))
		ret = dbg_error(d, "out of memory");
	if (ret) {
		free(out);
		return NULL;
	}
	return out;
}

int dbg_user_run(struct dbg *d, const struct dbg_user *u, const char *args)
{
	char *copy = strdup(args), *text, *list[MAX_ARGS];
	int ret;

	if (!copy)
		return dbg_error(d, "out of memory");
	text = expand(d, u->text, list, split(copy, list));
	ret = text ? run_lines(d, text) : -EINVAL;
	free(text);
	free(copy);
	return ret;
}

void dbg_user_show(struct dbg *d, const struct dbg_user *u)
{
	dbg_printf(d, "User command \"%s\":\n%s\n", u->name, u->text);
}

/* ---- blocks ---- */

int dbg_block_begin(struct dbg *d, enum dbg_block_kind kind, const char *head, unsigned int point)
{
	char *copy = strdup(head), *text = strdup("");

	if (!copy || !text) {
		free(copy);
		free(text);
		return dbg_error(d, "out of memory");
	}
	d->block = (struct dbg_block){ .kind = kind, .head = copy, .text = text, .point = point };
	return 0;
}

void dbg_block_drop(struct dbg *d)
{
	free(d->block.head);
	free(d->block.text);
	d->block = (struct dbg_block){ };
}

static int add_line(struct dbg *d, const char *line, size_t len)
{
	size_t old = strlen(d->block.text);
	char *more = realloc(d->block.text, old + len + 2);

	if (!more)
		return dbg_error(d, "out of memory");
	memcpy(more + old, line, len);
	strcpy(more + old + len, "\n");
	d->block.text = more;
	return 0;
}

static int finish(struct dbg *d, struct dbg_block *b)
{
	struct dbg_point *p;

	switch (b->kind) {
	case DBG_COMMANDS:
		p = dbg_point_by_num(d, b->point);
		if (!p)
			return -EINVAL;
		free(p->commands);
		p->commands = *b->text ? strdup(b->text) : NULL;
		return 0;
	case DBG_DEFINE:
		return define(d, b->head, b->text);
	case DBG_DOCUMENT:
		return document(d, b->head, b->text);
	case DBG_IF:
		return run_if(d, b->head, b->text);
	default:
		return run_while(d, b->head, b->text);
	}
}

int dbg_block_line(struct dbg *d, const char *line)
{
	struct dbg_block b;
	size_t len;
	int ret;

	line += strspn(line, " \t");
	len = strcspn(line, "\r\n");
	while (len && isspace((unsigned char)line[len - 1]))
		len--;
	if (is_word(line, "end") && len == 3) {
		if (!d->block.depth) {
			/* running it may begin others */
			b = d->block;
			d->block = (struct dbg_block){ };
			ret = finish(d, &b);
			free(b.head);
			free(b.text);
			return ret;
		}
		d->block.depth--;
	} else if (d->block.kind != DBG_DOCUMENT && opens(line)) {
		if (++d->block.depth >= MAX_NESTED) {
			dbg_block_drop(d);
			return dbg_error(d, "Commands are nested too deeply.");
		}
	}
	return add_line(d, line, len);
}

void dbg_script_fini(struct dbg *d)
{
	unsigned int i;

	dbg_block_drop(d);
	for (i = 0; i < d->num_users; i++) {
		free(d->users[i].name);
		free(d->users[i].text);
		free(d->users[i].doc);
	}
}

/* ---- commands ---- */

static int cmd_if(struct dbg *d, const char *args)
{
	return *args ? dbg_block_begin(d, DBG_IF, args, 0) :
		       dbg_error(d, "if/while commands require arguments.");
}

static int cmd_while(struct dbg *d, const char *args)
{
	return *args ? dbg_block_begin(d, DBG_WHILE, args, 0) :
		       dbg_error(d, "if/while commands require arguments.");
}

static int cmd_define(struct dbg *d, const char *args)
{
	int ret = check_name(d, args);

	return ret ? ret : dbg_block_begin(d, DBG_DEFINE, args, 0);
}

static int cmd_document(struct dbg *d, const char *args)
{
	int ret = check_name(d, args);

	if (!ret && !user_by_name(d, args, strlen(args)))
		ret = dbg_error(d, "\"%.40s\" is no command made by \"define\".", args);
	return ret ? ret : dbg_block_begin(d, DBG_DOCUMENT, args, 0);
}

const struct dbg_cmd dbg_cmds_script[] = {
	{ "define", "NAME",
	  "The following lines up to \"end\" are a new command. $arg0 to $arg9 in them are its\n"
	  "arguments, $argc is their number.", cmd_define },
	{ "document", "NAME",
	  "The following lines up to \"end\" are what \"help NAME\" prints of a defined command.",
	  cmd_document },
	{ "if", "EXPRESSION",
	  "Execute the following lines, up to \"else\" or \"end\", if the expression is not zero.",
	  cmd_if },
	{ "while", "EXPRESSION",
	  "Execute the following lines, up to \"end\", as long as the expression is not zero.",
	  cmd_while },
	{ }
};
