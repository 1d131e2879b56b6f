// SPDX-License-Identifier: MIT
/*
 * vshader debug: the console of the debugger.
 */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "debug.h"
#include "debug_ui.h"
#include "progress.h"

#define MAX_COMMANDS	256

enum { OPT_BATCH = 256, OPT_EX, OPT_TUI, OPT_DAP, OPT_COLOR };

/**
 * struct console - state of the console
 * @d: debugger
 * @text: with --json: output of the command
 * @len: characters of @text
 * @json: machine-readable
 * @batch: without somebody at the terminal
 * @failed: a command failed
 * @broken: commands or output are lost
 */
struct console {
	struct dbg d;
	char *text;
	size_t len;
	bool json;
	bool batch;
	bool failed;
	bool broken;
};

struct debug_options {
	const char *device;
	bool batch;
	bool json;
	bool tui;
	bool dap;
	unsigned int num;
	struct {
		const char *text;
		bool file;
	} commands[MAX_COMMANDS];
};

/* Set by the signal handler. */
static atomic_bool interrupt;

static void on_interrupt(int sig)
{
	atomic_store(&interrupt, true);
}

static bool interrupted(void *ctx)
{
	return atomic_exchange(&interrupt, false);
}

static void write_text(void *ctx, const char *text)
{
	struct console *c = ctx;
	size_t n = strlen(text);
	char *more;

	progress_clear();
	if (!c->json) {
		fputs(text, stdout);
		return;
	}
	more = realloc(c->text, c->len + n + 1);
	if (!more)
		return;
	memcpy(more + c->len, text, n + 1);
	c->text = more;
	c->len += n;
}

static void write_event(void *ctx, struct json_object *event)
{
	struct console *c = ctx;

	progress_clear();
	if (c->json)
		js_line(event);
}

static void write_result(struct console *c, const char *line, int ret)
{
	struct json_object *o = json_object_new_object();

	js_str(o, "command", line);
	js_bool(o, "ok", !ret);
	if (ret)
		js_str(o, "error", c->d.err);
	js_str(o, "output", c->text ? c->text : "");
	json_object_object_add(o, "result", json_object_get(c->d.result));
	js_line(o);
	json_object_put(o);
	free(c->text);
	c->text = NULL;
	c->len = 0;
}

static void execute(struct console *c, const char *line, bool file)
{
	int ret;

	atomic_store(&interrupt, false);
	if (c->batch)
		progress_begin(line, NULL, NULL, 0);
	ret = file ? dbg_source(&c->d, line) : dbg_execute(&c->d, line);
	progress_end();
	c->failed |= !!ret;
	if (c->json) {
		write_result(c, line, ret);
		return;
	}
	fflush(stdout);
	if (ret)
		print_error(c->d.err);
}

/* Commands from a pipe or file, without prompt and repetition. */
static void read_commands(struct console *c)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t len = 0;

	while (!c->d.quit && (len = dbg_read_line(stdin, &line, &room)) >= 0) {
		line[strcspn(line, "\n")] = 0;
		if (*line)
			execute(c, line, false);
	}
	free(line);
	if (len < 0 && len != -ENODATA)
		c->broken = !!fail("standard input: the line is too long");
}

static void type_commands(struct console *c)
{
	const struct dbg_cmd *cmd;
	const char *args;
	char *last = NULL, *line;

	dbg_line_start(&c->d);
	while (!c->d.quit) {
		line = dbg_line_read(c->d.block.kind ? ">" : "(vshader) ");
		if (!line)
			break;
		if (!*line && last) {
			free(line);
			line = strdup(last);
			if (!line)
				break;
		}
		execute(c, line, false);
		cmd = *line ? dbg_cmd_find(&c->d, line, &args) : NULL;
		free(last);
		last = cmd && cmd->repeat ? line : NULL;
		if (!last)
			free(line);
	}
	free(last);
	dbg_line_end();
}

static const struct dbg_ops console_ops = {
	.write = write_text,
	.event = write_event,
	.interrupted = interrupted,
};

static int run_console(const char *path, const struct debug_options *opt)
{
	struct dbg_ops ops = console_ops;
	struct sigaction sa = { .sa_handler = on_interrupt };
	struct console c = { .json = opt->json, .batch = opt->batch };
	bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && !opt->json;
	unsigned int i;
	int ret;

	if (terminal)
		ops.tui = dbg_tui;
	ops.color = !opt->json && color_on();
	if (dbg_init(&c.d, path, opt->device, &ops, &c)) {
		ret = fail("%s", c.d.err);
		dbg_fini(&c.d);
		return ret;
	}
	/* No SA_RESTART: SIGINT interrupts waits. */
	sigaction(SIGINT, &sa, NULL);
	for (i = 0; i < opt->num && !c.d.quit; i++)
		execute(&c, opt->commands[i].text, opt->commands[i].file);
	if (!opt->batch && !c.d.quit) {
		if (opt->tui && dbg_tui(&c.d))
			fail("%s", c.d.err);
		if (terminal)
			type_commands(&c);
		else
			read_commands(&c);
	}
	if (!c.d.quit && dbg_check_block(&c.d)) {
		print_error(c.d.err);
		c.failed = true;
	}
	if (dbg_log_end(&c.d)) {
		print_error(c.d.err);
		c.broken = true;
	}
	ret = c.broken || (c.failed && opt->batch) ? EXIT_USAGE :
	      c.d.run && c.d.run->num_failed ? EXIT_DIFFERS : EXIT_OK;
	dbg_fini(&c.d);
	free(c.text);
	return ret;
}

static int add_command(struct debug_options *opt, const char *text, bool file)
{
	if (opt->num == MAX_COMMANDS)
		return fail("at most %u commands", MAX_COMMANDS);
	opt->commands[opt->num].text = text;
	opt->commands[opt->num++].file = file;
	return 0;
}

static const char help[] =
"  -d, --device DEV  auto (default), local[:OPTIONS], or a device node\n"
"  -batch            execute the commands given, then leave\n"
"  -ex COMMAND       execute a command; can be given several times\n"
"  -x FILE           execute the commands of a file\n"
"  -j, --json        a JSON object per line for each event and each command\n"
"      --tui         full-screen mode\n"
"      --color[=WHEN]  colours: auto (default), always, never\n"
"      --dap         Debug Adapter Protocol on standard input and output; the job file\n"
"                    may then be given by the client\n\n"
"Commands are those of gdb; \"help\" lists them.\n";

static int parse_options(int argc, char **argv, struct debug_options *opt)
{
	static const struct option options[] = {
		{ "device", required_argument, NULL, 'd' }, { "json", no_argument, NULL, 'j' },
		{ "batch", no_argument, NULL, OPT_BATCH },
		{ "ex", required_argument, NULL, OPT_EX },
		{ "eval-command", required_argument, NULL, OPT_EX },
		{ "command", required_argument, NULL, 'x' },
		{ "tui", no_argument, NULL, OPT_TUI }, { "dap", no_argument, NULL, OPT_DAP },
		{ "color", optional_argument, NULL, OPT_COLOR },
		{ "help", no_argument, NULL, 'h' }, { }
	};
	static const int many[] = { OPT_EX, 'x', 0 };
	int c, ret = 0;

	while (!ret && (c = getopt_long_only(argc, argv, "d:jx:h", options, NULL)) != -1) {
		switch (option_once(c, options, many)) {
		case 'd':
			opt->device = optarg;
			break;
		case 'j':
			opt->json = true;
			break;
		case OPT_BATCH:
			opt->batch = true;
			break;
		case OPT_EX:
			ret = add_command(opt, optarg, false);
			break;
		case 'x':
			ret = add_command(opt, optarg, true);
			break;
		case OPT_TUI:
			opt->tui = true;
			break;
		case OPT_DAP:
			opt->dap = true;
			break;
		case OPT_COLOR:
			if (!color_choose(optarg))
				ret = fail("--color: auto, always or never, not \"%s\"", optarg);
			break;
		case 'h':
			print_help(help);
			return -1;
		default:
			return usage_error();
		}
	}
	if (ret)
		return ret;
	if (argc - optind > 1 || (argc == optind && !opt->dap))
		return usage_error();
	if (opt->dap + opt->tui + (opt->json || opt->batch) > 1)
		return fail("--dap, --tui and -batch or --json exclude each other");
	if (opt->dap && opt->num)
		return fail("--dap takes requests: -ex and -x do not go with it");
	return 0;
}

int cmd_debug(int argc, char **argv)
{
	struct debug_options opt = { .device = "auto" };
	int ret = parse_options(argc, argv, &opt);

	if (ret)
		return ret < 0 ? EXIT_OK : ret;
	if (opt.dap)
		return dbg_dap(optind < argc ? argv[optind] : NULL, opt.device);
	if (opt.tui && (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)))
		return fail("--tui needs a terminal");
	return run_console(argv[optind], &opt);
}
