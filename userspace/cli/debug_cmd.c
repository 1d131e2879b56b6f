// SPDX-License-Identifier: MIT
/*
 * Command lines: finding commands by their names, aliases and beginnings; help.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "debug.h"

#define MAX_SOURCE	8	/* files that read files */
#define MAX_LINE	0x100000	/* characters of a line of a file */
#define WHOLE		16	/* added to the score of names that are not shortened */

static int cmd_help(struct dbg *d, const char *args);
static int cmd_source(struct dbg *d, const char *args);
static int cmd_quit(struct dbg *d, const char *args);
static int list_info(struct dbg *d, const char *args);
static int cmd_echo(struct dbg *d, const char *args);

static const struct dbg_cmd cmds_misc[] = {
	{ "help", "[COMMAND]", "List commands, or explain one.", cmd_help, "h" },
	{ "source", "FILE", "Execute the commands of a file.", cmd_source },
	{ "echo", "TEXT", "Print text; escapes: \\n, \\t, \\\\.", cmd_echo },
	{ "quit", "", "End the job and exit.", cmd_quit, "q exit" },
	{ }
};

static const struct dbg_cmd * const tables[] = {
	dbg_cmds_run, dbg_cmds_point, dbg_cmds_data, dbg_cmds_printf, dbg_cmds_find, dbg_cmds_info,
	dbg_cmds_names, dbg_cmds_code, dbg_cmds_search, dbg_cmds_host, dbg_cmds_gdb,
	dbg_cmds_script, cmds_misc,
};

#define NUM_TABLES	(sizeof(tables) / sizeof(tables[0]))

const struct dbg_cmd *dbg_cmd_next(const struct dbg_cmd *after)
{
	const struct dbg_cmd *c;
	unsigned int i;

	if (!after)
		return tables[0];
	if (after[1].name)
		return after + 1;
	for (i = 0; i + 1 < NUM_TABLES; i++) {
		for (c = tables[i]; c->name; c++) {
			if (c == after)
				return tables[i + 1];
		}
	}
	return NULL;
}

static bool is_alias(const struct dbg_cmd *c, const char *word, size_t len)
{
	const char *p = c->aliases;
	size_t n;

	for (; p && *p; p += n + (p[n] == ' ')) {
		n = strcspn(p, " ");
		if (n == len && !memcmp(p, word, n))
			return true;
	}
	return false;
}

/* Length of the word at @p. */
static size_t word(const char *p)
{
	size_t n = 0;

	while (isalnum((unsigned char)p[n]) || p[n] == '-' || p[n] == '_')
		n++;
	return n;
}

/*
 * Score of a line against a command's name, 0 for no match: more words score higher,
 * whole words higher than prefixes. @args: text after the name
 */
static unsigned int fits(const struct dbg_cmd *c, const char *line, const char **args)
{
	const char *name = c->name, *p = line;
	unsigned int words = 0, whole = WHOLE;
	size_t n, m;

	for (;;) {
		n = strcspn(name, " ");
		m = word(p);
		if (!m)
			return 0;
		if (!words && is_alias(c, p, m))
			n = strlen(name);
		else if (m > n || memcmp(name, p, m))
			return 0;
		else if (m < n)
			whole = 0;
		words++;
		p += m;
		p += strspn(p, " \t");
		*args = p;
		if (!name[n])
			return whole + words;
		name += n + 1;
	}
}

/* "info", alone or with what there is not. */
static const struct dbg_cmd info_alone = {
	"info", "[NAME]", "List the commands about the session, or execute one.", list_info,
	"i inf",
};

/* Characters of so many words. */
static int length_of(const char *line, unsigned int words)
{
	size_t n = strcspn(line, " \t/");

	while (--words) {
		n += strspn(line + n, " \t");
		n += strcspn(line + n, " \t/");
	}
	return (int)n;
}

/* A command of gdb without a counterpart, and why; longer than what is found, or not shortened. */
static bool explain(struct dbg *d, const char *line, const struct dbg_cmd *found, unsigned int fit)
{
	const char *why;
	unsigned int words = dbg_missing(line, &why);

	if (!words || (found && (fit >= WHOLE ? words <= fit - WHOLE : words < fit)))
		return false;
	dbg_error(d, "\"%.*s\" is not possible: %s.", length_of(line, words), line, why);
	return true;
}

/* Among beginnings the first command wins, in the order of "help". */
const struct dbg_cmd *dbg_cmd_find(struct dbg *d, const char *line, const char **args)
{
	const struct dbg_cmd *c, *found = NULL;
	unsigned int best = 0, fit;
	const char *a;

	/* "!COMMAND" is "shell COMMAND" */
	if (*line == '!') {
		c = dbg_cmd_find(d, "shell", args);
		*args = line + 1 + strspn(line + 1, " \t");
		return c;
	}
	for (c = dbg_cmd_next(NULL); c; c = dbg_cmd_next(c)) {
		fit = fits(c, line, &a);
		if (fit > best) {
			best = fit;
			found = c;
			*args = a;
		}
	}
	if (explain(d, line, found, best))
		return NULL;
	if (best <= 1 && fits(&info_alone, line, &a) >= WHOLE) {
		*args = a;
		return &info_alone;
	}
	if (!found)
		dbg_error(d, "Undefined command: \"%.60s\".  Try \"help\".", line);
	return found;
}

/* ---- execution ---- */

static int execute(struct dbg *d, const char *line)
{
	const struct dbg_user *u;
	const struct dbg_cmd *c;
	const char *args = "";
	char *copy;
	int ret;

	if (d->result)
		json_object_put(d->result);
	d->result = json_object_new_object();
	while (isspace((unsigned char)*line))
		line++;
	if (d->block.kind)
		return dbg_block_line(d, line);
	if (!*line || *line == '#')
		return 0;
	copy = strdup(line);
	if (!copy)
		return dbg_error(d, "out of memory");
	for (ret = (int)strlen(copy); ret && isspace((unsigned char)copy[ret - 1]); ret--)
		copy[ret - 1] = 0;
	u = dbg_user_find(d, copy, &args);
	c = u ? NULL : dbg_cmd_find(d, copy, &args);
	ret = u ? dbg_user_run(d, u, args) : c ? c->run(d, args) : -EINVAL;
	free(copy);
	return ret;
}

/* Commands of the point that has stopped the job. A command that resumes it is the last one. */
int dbg_run_commands(struct dbg *d)
{
	char *text, *line, *rest;
	unsigned int resumes;
	bool nested = d->from_point;
	int ret = 0;

	while (!ret && d->pending && d->state == DBG_STOPPED && !d->quit) {
		text = d->pending;
		rest = text;
		d->pending = NULL;
		resumes = d->resumes;
		d->from_point = true;
		while (!ret && !d->quit && d->resumes == resumes && (line = strsep(&rest, "\n")))
			ret = strcmp(line, "silent") ? execute(d, line) : 0;
		d->from_point = nested;
		free(text);
	}
	return ret;
}

int dbg_execute(struct dbg *d, const char *line)
{
	struct json_object *kept;
	int ret = execute(d, line);

	if (ret && d->log)
		fprintf(d->log, "%s\n", d->err);
	if (ret || !d->pending)
		return ret;
	/* The result is that of the line. */
	kept = d->result;
	d->result = NULL;
	ret = dbg_run_commands(d);
	if (d->result)
		json_object_put(d->result);
	d->result = kept;
	return ret;
}

ssize_t dbg_read_line(FILE *f, char **line, size_t *room)
{
	size_t n = 0;
	char *more;
	int c;

	while ((c = getc(f)) != EOF) {
		if (n + 2 > *room) {
			if (n >= MAX_LINE)
				return -E2BIG;
			more = realloc(*line, *room ? 2 * *room : 256);
			if (!more)
				return -ENOMEM;
			*line = more;
			*room = *room ? 2 * *room : 256;
		}
		(*line)[n++] = (char)c;
		(*line)[n] = 0;
		if (c == '\n')
			break;
	}
	return n ? (ssize_t)n : -ENODATA;
}

int dbg_check_block(struct dbg *d)
{
	if (!d->block.kind)
		return 0;
	dbg_block_drop(d);
	return dbg_error(d, "The last block has no \"end\".");
}

int dbg_source(struct dbg *d, const char *path)
{
	char *line = NULL;
	size_t room = 0;
	unsigned int n = 0;
	ssize_t len = 0;
	int ret = 0;
	FILE *f;

	if (d->depth == MAX_SOURCE)
		return dbg_error(d, "%s: files are nested too deeply", path);
	f = !strcmp(path, "-") ? stdin : fopen(path, "re");
	if (!f)
		return dbg_error(d, "\"%s\": %s", path, strerror(errno));
	d->depth++;
	while (!ret && !d->quit && (len = dbg_read_line(f, &line, &room)) >= 0) {
		n++;
		ret = dbg_execute(d, line);
		if (ret) {
			char err[sizeof(d->err)];

			memcpy(err, d->err, sizeof(err));
			dbg_error(d, "%s:%u: %.3000s", path, n, err);
		}
	}
	/* a folder can be opened */
	if (!ret && (len == -E2BIG || len == -ENOMEM))
		ret = dbg_error(d, "%s:%u: the line is too long", path, n + 1);
	if (!ret && ferror(f))
		ret = dbg_error(d, "%s: %s", path, strerror(errno));
	d->depth--;
	if (!ret && !d->depth && d->block.kind) {
		dbg_block_drop(d);
		ret = dbg_error(d, "%s: the last block has no \"end\".", path);
	}
	free(line);
	if (f != stdin)
		fclose(f);
	return ret;
}

/* ---- commands ---- */

static void list_command(struct dbg *d, const struct dbg_cmd *c)
{
	dbg_printf(d, "%-20s %.*s\n", c->name, (int)strcspn(c->text, "\n"), c->text);
}

static void list_users(struct dbg *d)
{
	unsigned int i;

	for (i = 0; i < d->num_users; i++)
		dbg_printf(d, "%-20s %.*s\n", d->users[i].name,
			   d->users[i].doc ? (int)strcspn(d->users[i].doc, "\n") : 13,
			   d->users[i].doc ? d->users[i].doc : "User-defined.");
}

static void list_end(struct dbg *d)
{
	dbg_printf(d, "\nNames can be shortened. \"help COMMAND\" tells about arguments.\n");
}

static void list_commands(struct dbg *d)
{
	const struct dbg_cmd *c;

	for (c = dbg_cmd_next(NULL); c; c = dbg_cmd_next(c))
		list_command(d, c);
	list_users(d);
	list_end(d);
}

static int list_info(struct dbg *d, const char *args)
{
	const struct dbg_cmd *c;

	if (*args)
		return dbg_error(d, "Undefined info command: \"%.40s\".  Try \"help info\".", args);
	for (c = dbg_cmd_next(NULL); c; c = dbg_cmd_next(c)) {
		if (!strncmp(c->name, "info ", 5))
			list_command(d, c);
	}
	list_end(d);
	return 0;
}

/* gdb's classes, as far as commands are in them. */
static const struct {
	const char *name;
	const struct dbg_cmd *tables[3];
} classes[] = {
	{ "running", { dbg_cmds_run } },
	{ "breakpoints", { dbg_cmds_point } },
	{ "data", { dbg_cmds_data, dbg_cmds_printf, dbg_cmds_find } },
	{ "stack", { dbg_cmds_names } },
	{ "files", { dbg_cmds_code, dbg_cmds_search, dbg_cmds_host } },
	{ "status", { dbg_cmds_info } },
	{ "support", { dbg_cmds_gdb, dbg_cmds_script, cmds_misc } },
	{ "text-user-interface", { dbg_cmds_gdb } },
};

/* "help CLASS" and "help all". Return: whether it is one. */
static bool list_class(struct dbg *d, const char *name)
{
	const struct dbg_cmd *c;
	unsigned int i, k;

	if (!strcmp(name, "all")) {
		list_commands(d);
		return true;
	}
	if (!strcmp(name, "user-defined")) {
		list_users(d);
		list_end(d);
		return true;
	}
	for (i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		if (strcmp(classes[i].name, name))
			continue;
		for (k = 0; k < 3 && classes[i].tables[k]; k++) {
			for (c = classes[i].tables[k]; c->name; c++)
				list_command(d, c);
		}
		list_end(d);
		return true;
	}
	return false;
}

static int cmd_help(struct dbg *d, const char *args)
{
	const struct dbg_user *u;
	const struct dbg_cmd *c;
	const char *rest;

	if (!*args) {
		list_commands(d);
		return 0;
	}
	if (list_class(d, args))
		return 0;
	u = dbg_user_find(d, args, &rest);
	if (u) {
		dbg_printf(d, "%s", u->doc ? u->doc : "User-defined.\n");
		return 0;
	}
	c = dbg_cmd_find(d, args, &rest);
	if (!c)
		return -EINVAL;
	if (c == &info_alone)
		return list_info(d, rest);
	dbg_printf(d, "%s %s\n%s\n", c->name, c->args, c->text);
	if (c->aliases)
		dbg_printf(d, "Also: %s\n", c->aliases);
	return 0;
}

static int cmd_source(struct dbg *d, const char *args)
{
	return *args ? dbg_source(d, args) : dbg_error(d, "source command requires a file name.");
}

static int cmd_echo(struct dbg *d, const char *args)
{
	char text[1024];
	size_t n = 0;

	for (; *args && n + 1 < sizeof(text); args++) {
		text[n] = *args;
		if (*args == '\\' && args[1])
			text[n] = *++args == 'n' ? '\n' : *args == 't' ? '\t' : *args;
		n++;
	}
	text[n] = 0;
	dbg_printf(d, "%s", text);
	return 0;
}

static int cmd_quit(struct dbg *d, const char *args)
{
	dbg_kill(d);
	d->quit = true;
	return 0;
}
