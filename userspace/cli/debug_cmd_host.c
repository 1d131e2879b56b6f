// SPDX-License-Identifier: MIT
/*
 * Commands that reach outside the session: files, the shell.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "debug.h"
#include "output.h"

#define MAX_DUMP	0x40000000ull

/* ---- dump ---- */

/* START STOP; STOP is exclusive */
static int parse_extent(struct dbg *d, const char *args, uint64_t *start, uint64_t *stop)
{
	struct dbg_value v;
	int ret = dbg_eval_part(d, args, &args, &v);

	if (ret)
		return ret;
	if (v.num != 1)
		return dbg_error(d, "A vector is no address.");
	*start = v.place == DBG_MEMORY ? v.va : (uint64_t)dbg_to_int(&v, 0);
	args += strspn(args, " \t");
	if (!*args)
		return dbg_error(d, "Missing stop address.");
	ret = dbg_eval(d, args, &v);
	if (ret)
		return ret;
	if (v.num != 1)
		return dbg_error(d, "A vector is no address.");
	*stop = v.place == DBG_MEMORY ? v.va : (uint64_t)dbg_to_int(&v, 0);
	if (*stop <= *start)
		return dbg_error(d, "Invalid memory address range (start >= end).");
	if (*stop - *start > MAX_DUMP)
		return dbg_error(d, "At most %llu bytes are written.", MAX_DUMP);
	return 0;
}

static int write_extent(struct dbg *d, FILE *f, uint64_t va, uint64_t stop)
{
	uint8_t data[4096];
	uint64_t n;
	int ret;

	for (; va < stop; va += n) {
		n = stop - va < sizeof(data) ? stop - va : sizeof(data);
		ret = dbg_read_mem(d, va, data, n);
		if (ret)
			return ret;
		/* output_close() finds what is wrong */
		if (fwrite(data, 1, n, f) != n)
			break;
	}
	return 0;
}

int dbg_report_output(void *d, const char *text)
{
	return dbg_error(d, "%s", text);
}

/* Both ends are read before the file is opened, for an early error. */
static int dump(struct dbg *d, const char *path, uint64_t start, uint64_t stop)
{
	struct output out;
	uint8_t byte;
	int ret = dbg_read_mem(d, start, &byte, 1);

	if (!ret)
		ret = dbg_read_mem(d, stop - 1, &byte, 1);
	if (!ret)
		ret = output_open_to(&out, path, dbg_report_output, d);
	if (ret)
		return ret;
	ret = output_close(&out, write_extent(d, out.f, start, stop));
	if (ret)
		return ret;
	js_int(d->result, "address", start);
	js_int(d->result, "size", stop - start);
	return 0;
}

static int cmd_dump_memory(struct dbg *d, const char *args)
{
	size_t len = strcspn(args, " \t");
	uint64_t start, stop;
	char *path;
	int ret;

	if (!len || !args[len])
		return dbg_error(d, "\"dump memory FILE START STOP\"");
	path = strndup(args, len);
	if (!path)
		return dbg_error(d, "out of memory");
	args += len + strspn(args + len, " \t");
	ret = parse_extent(d, args, &start, &stop);
	if (!ret)
		ret = dump(d, path, start, stop);
	free(path);
	return ret;
}

/* ---- shell ---- */

/*
 * Standard input may carry the protocol of an editor, and standard output carries it or
 * JSON: the command reads nothing, and its output is the debugger's.
 */
static int cmd_shell(struct dbg *d, const char *args)
{
	char *text, *line = NULL;
	size_t room = 0;
	int status;
	FILE *f;

	if (!*args)
		return dbg_error(d, "shell command requires a command.");
	if (asprintf(&text, "exec </dev/null\n%s", args) < 0)
		return dbg_error(d, "out of memory");
	f = popen(text, "re");
	free(text);
	if (!f)
		return dbg_error(d, "shell: %s", strerror(errno));
	while (getline(&line, &room, f) >= 0)
		dbg_printf(d, "%s", line);
	free(line);
	status = pclose(f);
	if (status < 0)
		return dbg_error(d, "shell: %s", strerror(errno));
	if (WIFSIGNALED(status))
		return dbg_error(d, "The command was ended by signal %d.", WTERMSIG(status));
	if (WEXITSTATUS(status))
		return dbg_error(d, "The command has ended with status %d.", WEXITSTATUS(status));
	return 0;
}

const struct dbg_cmd dbg_cmds_host[] = {
	{ "dump memory", "FILE START STOP",
	  "Write memory from START up to STOP, which is exclusive, to a file.", cmd_dump_memory },
	{ "dump binary memory", "FILE START STOP", "The same.", cmd_dump_memory },
	{ "shell", "COMMAND",
	  "Execute a shell command without input; a status but 0 is an error. Also: !COMMAND.",
	  cmd_shell },
	{ }
};
