// SPDX-License-Identifier: MIT
/*
 * Full-screen mode: keys, command line, asynchronous output.
 */
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <ncurses.h>

#include "debug_tui.h"
#include "debug_ui.h"

#define TICK_MS	50

/* Keys without a curses name. */
enum { CTRL_D = 4, CTRL_L = 12, CTRL_U = 21, BACKSPACE = 127 };

/* ---- output ---- */

static void add_line(struct tui *t, const char *text, size_t n)
{
	char *line;

	if (t->partial && t->log_len) {
		char *last = t->log[t->log_len - 1];

		if (asprintf(&line, "%s%.*s", last, (int)n, text) < 0)
			return;
		free(last);
		t->log[t->log_len - 1] = line;
		return;
	}
	line = strndup(text, n);
	if (!line)
		return;
	if (t->log_len == TUI_LOG) {
		free(t->log[0]);
		memmove(t->log, t->log + 1, (TUI_LOG - 1) * sizeof(*t->log));
		t->log_len--;
	}
	t->log[t->log_len++] = line;
}

static void write_text(void *ctx, const char *text)
{
	struct tui *t = ctx;
	size_t n;

	while (*text) {
		n = strcspn(text, "\n");
		add_line(t, text, n);
		t->partial = !text[n];
		text += n + !!text[n];
	}
	t->scroll[TUI_OUTPUT] = 0;
	t->dirty = true;
}

static void on_event(void *ctx, struct json_object *event)
{
	struct tui *t = ctx;

	t->stops++;
	t->scroll[TUI_CODE] = 0;
	t->dirty = true;
}

static int leave(struct dbg *d)
{
	struct tui *t = d->ctx;

	t->leave = true;
	return 0;
}

static void redraw(void *ctx)
{
	struct tui *t = ctx;

	clearok(curscr, TRUE);
	t->dirty = true;
}

static const struct dbg_ops tui_ops = {
	.write = write_text,
	.event = on_event,
	.tui = leave,
	.redraw = redraw,
	.async = true,
};

/* ---- commands ---- */

static void say_error(struct tui *t)
{
	write_text(t, t->d->err);
	write_text(t, "\n");
}

static void remember(struct tui *t)
{
	if (t->history_len == TUI_HISTORY) {
		free(t->history[0]);
		memmove(t->history, t->history + 1, (TUI_HISTORY - 1) * sizeof(*t->history));
		t->history_len--;
	}
	t->history[t->history_len] = strdup(t->line);
	t->history_len += !!t->history[t->history_len];
	t->history_at = t->history_len;
}

static void execute(struct tui *t, const char *line)
{
	int ret;

	write_text(t, "(vshader) ");
	write_text(t, line);
	write_text(t, "\n");
	if (!strncmp(line, "mem ", 4)) {
		ret = dbg_eval_u64(t->d, line + 4, &t->memory);
		t->memory_set |= !ret;
		t->scroll[TUI_MEMORY] = 0;
	} else {
		ret = dbg_execute(t->d, line);
		/* Registers may have been written. */
		t->stops++;
	}
	if (ret)
		say_error(t);
	t->dirty = true;
}

static void enter(struct tui *t)
{
	const char *last = t->history_len ? t->history[t->history_len - 1] : NULL;
	const struct dbg_cmd *c;
	const char *args;
	char line[TUI_LINE];

	if (t->len) {
		remember(t);
	} else {
		c = last ? dbg_cmd_find(t->d, last, &args) : NULL;
		if (!c || !c->repeat)
			return;
		snprintf(t->line, sizeof(t->line), "%s", last);
	}
	memcpy(line, t->line, sizeof(line));
	t->len = 0;
	t->line[0] = 0;
	execute(t, line);
}

static void toggle_break(struct tui *t)
{
	struct dbg *d = t->d;
	uint32_t pc = dbg_pc(d);
	unsigned int i;

	if (d->state != DBG_STOPPED || !d->code)
		return;
	for (i = 0; i < DBG_MAX_POINTS; i++) {
		struct dbg_point *p = &d->points[i];

		if (!p->num || p->p.kind != DRM_VSHADER_DEBUG_BREAK || p->p.pc != pc ||
		    (p->program != JF_NONE && d->programs[p->program] != d->code))
			continue;
		dbg_delete_point(d, p);
		t->dirty = true;
		return;
	}
	execute(t, "break");
}

/* ---- keys ---- */

static void recall(struct tui *t, int by)
{
	if (by < 0 ? !t->history_at : t->history_at >= t->history_len)
		return;
	t->history_at += (unsigned int)by;
	snprintf(t->line, sizeof(t->line), "%s",
		 t->history_at < t->history_len ? t->history[t->history_at] : "");
	t->len = strlen(t->line);
}

/* Complete to the common prefix of all candidates; list several candidates. */
static void complete(struct tui *t)
{
	size_t start = t->len, common;
	char *first, *other;
	unsigned int n;

	while (start && !strchr(" \t,(*+-/", t->line[start - 1]))
		start--;
	first = dbg_complete(t->d, t->line, start, 0);
	if (!first)
		return;
	common = strlen(first);
	for (n = 1; (other = dbg_complete(t->d, t->line, start, n)); n++) {
		size_t k = 0;

		while (k < common && other[k] == first[k])
			k++;
		if (n == 1) {
			write_text(t, first);
			write_text(t, "  ");
		}
		write_text(t, other);
		write_text(t, "  ");
		common = k;
		free(other);
	}
	if (n > 1)
		write_text(t, "\n");
	if (start + common + 1 < sizeof(t->line)) {
		memcpy(t->line + start, first, common);
		t->len = start + common;
		t->line[t->len] = 0;
	}
	free(first);
}

static void scroll_pane(struct tui *t, int pages)
{
	int h = getmaxy(stdscr) / 4, sign = t->focus == TUI_OUTPUT ? -1 : 1;

	t->scroll[t->focus] += sign * pages * (h > 1 ? h : 1);
}

static void show_keys(struct tui *t)
{
	static const char keys[] =
"F1 keys  F2 next pane  PgUp PgDn scroll it  F5 continue (or run)  F6 interrupt\n"
"F9 breakpoint here  F10 next  F11 step  Tab complete  Up Down history\n"
"F3 next layout: source, instructions, both, wide registers\n"
"Ctrl-U clear the line  Ctrl-L redraw  Ctrl-D leave the full-screen mode\n";

	write_text(t, keys);
}

static void function_key(struct tui *t, int key)
{
	switch (key) {
	case KEY_F(1):
		show_keys(t);
		break;
	case KEY_F(2):
		t->focus = (t->focus + 1) % TUI_PANES;
		break;
	case KEY_F(3):
		t->d->layout = (t->d->layout + 1) % DBG_NUM_LAYOUTS;
		break;
	case KEY_F(5):
		execute(t, t->d->state == DBG_IDLE ? "run" : "continue");
		break;
	case KEY_F(6):
		execute(t, "interrupt");
		break;
	case KEY_F(9):
		toggle_break(t);
		break;
	case KEY_F(10):
		execute(t, "next");
		break;
	case KEY_F(11):
		execute(t, "step");
		break;
	case KEY_PPAGE:
		scroll_pane(t, -1);
		break;
	case KEY_NPAGE:
		scroll_pane(t, 1);
		break;
	}
}

static void type(struct tui *t, int key)
{
	if (key < ' ' || key > '~' || t->len + 1 >= sizeof(t->line))
		return;
	t->line[t->len++] = (char)key;
	t->line[t->len] = 0;
}

static void handle_key(struct tui *t, int key)
{
	t->dirty = true;
	switch (key) {
	case '\n':
	case '\r':
	case KEY_ENTER:
		enter(t);
		break;
	case '\t':
		complete(t);
		break;
	case BACKSPACE:
	case '\b':
	case KEY_BACKSPACE:
		t->len -= t->len > 0;
		t->line[t->len] = 0;
		break;
	case CTRL_U:
		t->len = 0;
		t->line[0] = 0;
		break;
	case CTRL_D:
		t->leave = !t->len;
		break;
	case CTRL_L:
		redraw(t);
		break;
	case KEY_UP:
		recall(t, -1);
		break;
	case KEY_DOWN:
		recall(t, 1);
		break;
	default:
		if (key >= KEY_MIN)
			function_key(t, key);
		else
			type(t, key);
	}
}

/* ---- the loop ---- */

/* curses looks no more after readline has had the terminal. */
static void follow_size(struct tui *t)
{
	struct winsize size;
	int h, w;

	getmaxyx(stdscr, h, w);
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_row || !size.ws_col ||
	    (size.ws_row == h && size.ws_col == w))
		return;
	resizeterm(size.ws_row, size.ws_col);
	t->dirty = true;
}

static void loop(struct tui *t)
{
	struct dbg *d = t->d;
	int key;

	t->dirty = true;
	while (!t->leave && !d->quit) {
		follow_size(t);
		if (t->dirty)
			tui_draw(t);
		key = getch();
		if (key != ERR)
			handle_key(t, key);
		if (t->ops->interrupted && t->ops->interrupted(t->ctx) && d->session)
			vshader_debug_interrupt(d->session);
		if (d->session && (dbg_pump(d) || dbg_run_commands(d)))
			say_error(t);
	}
}

int dbg_tui(struct dbg *d)
{
	SCREEN *screen;
	struct tui *t;
	unsigned int i;
	int ret;

	t = calloc(1, sizeof(*t));
	if (!t)
		return dbg_error(d, "out of memory");
	setlocale(LC_ALL, "");
	setlocale(LC_NUMERIC, "C");
	screen = newterm(NULL, stdout, stdin);
	if (!screen) {
		free(t);
		return dbg_error(d, "The terminal \"%s\" is not known.", getenv("TERM"));
	}
	t->d = d;
	t->ops = d->ops;
	t->ctx = d->ctx;
	d->ops = &tui_ops;
	d->ctx = t;
	d->in_tui = true;
	cbreak();
	noecho();
	keypad(stdscr, TRUE);
	timeout(TICK_MS);
	tui_colors();
	show_keys(t);
	loop(t);
	endwin();
	delscreen(screen);
	d->ops = t->ops;
	d->ctx = t->ctx;
	d->in_tui = false;
	/* The console cannot watch a running job. */
	ret = d->state == DBG_RUNNING && !d->quit ? dbg_wait(d) : 0;
	for (i = 0; i < t->log_len; i++)
		free(t->log[i]);
	for (i = 0; i < t->history_len; i++)
		free(t->history[i]);
	free(t);
	return ret;
}
