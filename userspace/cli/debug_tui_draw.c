// SPDX-License-Identifier: MIT
/*
 * Full-screen mode: the panes. The layout follows from the screen size; text that does not
 * fit is clipped.
 */
#include <stdlib.h>
#include <string.h>

#include <ncurses.h>

#include "color.h"
#include "debug_tui.h"

/** struct box - part of the screen, without its headline */
struct box {
	int y;
	int x;
	int h;
	int w;
};

void tui_colors(void)
{
	short i;

	if (!has_colors() || !color_on())
		return;
	start_color();
	use_default_colors();
	for (i = COLOR_STATUS; i < NUM_COLORS; i++)
		init_pair(i, color_styles[i].fg, color_styles[i].bg);
}

static attr_t color(enum color n, attr_t otherwise)
{
	if (!has_colors() || !color_on())
		return otherwise;
	return (attr_t)COLOR_PAIR(n) | (color_styles[n].bold ? A_BOLD : 0);
}

/* Text at a line of a box; tabs are blanks. */
static void put(const struct box *b, int row, int col, attr_t attr, const char *text)
{
	char line[512];
	size_t i;

	if (row < 0 || row >= b->h || col >= b->w || b->w <= 0)
		return;
	for (i = 0; text[i] && i + 1 < sizeof(line); i++)
		line[i] = (unsigned char)text[i] < ' ' ? ' ' : text[i];
	line[i] = 0;
	attron(attr);
	mvaddnstr(b->y + row, b->x + col, line, b->w - col);
	attroff(attr);
}

static void headline(struct tui *t, const struct box *b, enum tui_pane pane, const char *name)
{
	struct box head = { .y = b->y - 1, .x = b->x, .h = 1, .w = b->w };
	attr_t a = color(COLOR_HEAD, A_UNDERLINE) | (t->focus == pane ? A_REVERSE : 0);
	int i;

	for (i = 0; i < b->w; i++)
		put(&head, 0, i, a, "-");
	put(&head, 0, 1, a, name);
}

static int clamp_scroll(struct tui *t, enum tui_pane pane, int lines, int h)
{
	int most = lines > h ? lines - h : 0;

	if (t->scroll[pane] > most)
		t->scroll[pane] = most;
	if (t->scroll[pane] < 0)
		t->scroll[pane] = 0;
	return t->scroll[pane];
}

/* ---- code ---- */

static bool has_break(const struct dbg *d, const struct dbg_code *c, uint32_t pc)
{
	unsigned int i;

	for (i = 0; i < DBG_MAX_POINTS; i++) {
		const struct dbg_point *p = &d->points[i];

		if (p->num && p->p.kind == DRM_VSHADER_DEBUG_BREAK && p->p.pc == pc &&
		    (p->program == JF_NONE || d->programs[p->program] == c))
			return true;
	}
	return false;
}

/* Columns of marks and PC before an instruction's text. */
#define CODE_LEAD	8

/* Characters of @text that fit on a row: whole words if possible. */
static int row_length(const char *text, int width)
{
	int n = (int)strlen(text), k;

	if (n <= width)
		return n;
	for (k = width; k > width / 2 && text[k] != ' '; k--)
		;
	return text[k] == ' ' ? k : width;
}

/*
 * An instruction, each operation from a row of its own on, further rows indented.
 * @b NULL: it is measured only. Return: rows.
 */
static int draw_insn(const struct box *b, int width, int row, attr_t attr, const char *lead,
		     const struct dbg_code *c, const struct dbg_insn *n)
{
	const char *rest = n->text, *p;
	char part[1024], line[512];
	int rows = 0, len, indent;

	width = width > CODE_LEAD + 8 ? width - CODE_LEAD : 8;
	while (dbg_code_part(c, n, &rest, part, sizeof(part))) {
		indent = 0;
		for (p = part; *p; indent = 2) {
			len = row_length(p, width - indent);
			snprintf(line, sizeof(line), "%-*s%*s%.*s", CODE_LEAD, rows ? "" : lead,
				 indent, "", len, p);
			if (b)
				put(b, row + rows, 0, attr, line);
			rows++;
			p += len;
			p += strspn(p, " ");
		}
	}
	return rows;
}

static bool line_has_break(const struct dbg *d, const struct dbg_code *c, const struct dbg_text *s,
			   uint32_t line)
{
	uint32_t i, n;

	for (i = 0; i < c->num_insns; i++) {
		if (dbg_text_at(d, c, &c->insns[i], &n) == s && n == line &&
		    has_break(d, c, c->insns[i].pc))
			return true;
	}
	return false;
}

/* With tabs as blanks. */
static void source_row(char *out, size_t size, const char *text)
{
	size_t n = strlen(out), column = 0;

	for (; *text && n + 1 < size; column++) {
		out[n++] = *text == '\t' ? ' ' : *text;
		if (*text != '\t' || column % 8 == 7)
			text++;
	}
	out[n] = 0;
}

/* Lines of the source, the current one in the middle. */
static void draw_source(struct tui *t, const struct box *b, const struct dbg_code *c)
{
	struct dbg *d = t->d;
	const struct dbg_insn *insn = d->state == DBG_STOPPED ? dbg_code_at(c, dbg_pc(d)) : NULL;
	const struct dbg_text *s;
	uint32_t line, now;
	int row, first, most;
	bool stop;
	char text[512];

	s = dbg_text_at(d, c, insn, &now);
	headline(t, b, TUI_CODE, s->name);
	most = (int)s->num_lines - b->h;
	first = (now ? (int)now - 1 - b->h / 2 : 0) + t->scroll[TUI_CODE];
	first = first > most ? most : first;
	first = first < 0 ? 0 : first;
	for (row = 0; row < b->h && first + row < (int)s->num_lines; row++) {
		line = (uint32_t)(first + row) + 1;
		stop = line_has_break(d, c, s, line);
		snprintf(text, sizeof(text), "%c%c%-4u ", line == now ? '>' : ' ', stop ? '*' : ' ',
			 line);
		source_row(text, sizeof(text), s->lines[line - 1]);
		put(b, row, 0, line == now ? color(COLOR_CURRENT, A_REVERSE) :
		    stop ? color(COLOR_BREAK, A_BOLD) : A_NORMAL, text);
	}
}

static void draw_insns(struct tui *t, const struct box *b, const struct dbg_code *c)
{
	struct dbg *d = t->d;
	uint32_t pc = c && d->state == DBG_STOPPED ? dbg_pc(d) : ~0u;
	const struct dbg_insn *n;
	int i, row, now = 0;
	char lead[16];

	headline(t, b, TUI_CODE, c ? c->name : "code");
	if (!c || !c->num_insns)
		return;
	for (i = 0; i < (int)c->num_insns; i++) {
		if (c->insns[i].pc == pc)
			now = i;
	}
	i = now + t->scroll[TUI_CODE];
	i = i < 0 ? 0 : i < (int)c->num_insns ? i : (int)c->num_insns - 1;
	t->scroll[TUI_CODE] = i - now;
	/* The current instruction is in the middle. */
	for (row = b->h / 2; i > 0 && row > 0; i--)
		row -= draw_insn(NULL, b->w, 0, A_NORMAL, "", c, &c->insns[i - 1]);
	for (row = row > 0 ? 0 : row; row < b->h && i < (int)c->num_insns; i++) {
		n = &c->insns[i];
		snprintf(lead, sizeof(lead), "%c%c%04x", n->pc == pc ? '>' : ' ',
			 has_break(d, c, n->pc) ? '*' : ' ', n->pc);
		row += draw_insn(b, b->w, row, n->pc == pc ? color(COLOR_CURRENT, A_REVERSE) :
				 has_break(d, c, n->pc) ? color(COLOR_BREAK, A_BOLD) : A_NORMAL,
				 lead, c, n);
	}
}

static void draw_code(struct tui *t, const struct box *b)
{
	struct dbg *d = t->d;
	/* Before the first job runs: the program of the first one. */
	const struct dbg_code *c = d->state == DBG_RUNNING ? NULL : dbg_code_now(d);
	struct box upper = *b, lower = *b;

	if (!dbg_has_source(d, c) || d->layout == DBG_LAYOUT_ASM) {
		draw_insns(t, b, c);
		return;
	}
	if (d->layout != DBG_LAYOUT_SPLIT || b->h < 4) {
		draw_source(t, b, c);
		return;
	}
	upper.h = (b->h - 1) / 2;
	lower.y += upper.h + 1;
	lower.h = b->h - 1 - upper.h;
	draw_source(t, &upper, c);
	draw_insns(t, &lower, c);
}

/* ---- registers ---- */

#define REG_NAME	6	/* columns of a register's name */
#define REG_COMP	15	/* of a component with its name, at most as a rule */

/* Components on a row: where a vector does not fit, two, with fewer digits. */
static unsigned int per_row(const struct box *b, const struct tui_reg *r)
{
	return r->num < 2 || r->num > 4 || b->w >= REG_NAME + REG_COMP * (int)r->num ? r->num : 2;
}

static int reg_rows(const struct box *b, const struct tui_reg *r)
{
	unsigned int per = per_row(b, r);

	return per ? (int)((r->num + per - 1) / per) : 1;
}

static const char *short_component(const struct dbg_value *v, unsigned int n, char *buf,
				   size_t size)
{
	if (v->type != DBG_FLOAT)
		return dbg_component(v, n, 0, buf, size);
	snprintf(buf, size, "%.6g", dbg_to_double(v, n));
	return buf;
}

static void draw_register(const struct box *b, int row, attr_t attr, const char *name,
			  const struct tui_reg *r, const struct dbg_value *v)
{
	char text[16 * 72], line[640], one[80];
	unsigned int i, per = per_row(b, r);
	int width = (b->w - REG_NAME) / 2;

	if (per == r->num) {
		snprintf(line, sizeof(line), "%-5s %.480s", name,
			 dbg_text(v, 0, text, sizeof(text)));
		put(b, row, 0, attr, line);
		return;
	}
	put(b, row, 0, attr, name);
	for (i = 0; i < v->num; i++)
		put(b, row + (int)(i / per), REG_NAME + (int)(i % per) * width, attr,
		    short_component(v, i, one, sizeof(one)));
}

static const struct tui_reg *find_register(const struct tui_reg *regs, unsigned int n,
					   uint32_t reg)
{
	while (n && regs[n - 1].reg != reg)
		n--;
	return n ? &regs[n - 1] : NULL;
}

/* @old, @num_old: registers at the stop before */
static void read_register(struct tui *t, uint32_t reg, const struct tui_reg *old,
			  unsigned int num_old)
{
	const struct tui_reg *before = find_register(old, num_old, reg);
	struct tui_reg *r = &t->regs[t->num_regs];
	struct dbg_value v;
	unsigned int i;

	if (t->num_regs == TUI_REGS || find_register(t->regs, t->num_regs, reg) ||
	    dbg_read_reg(t->d, reg, &v))
		return;
	*r = (struct tui_reg){ .reg = reg, .num = v.num };
	for (i = 0; i < v.num && i < 16; i++) {
		r->v[i] = v.v[i];
		r->changed |= before && before->num == v.num && before->v[i] != v.v[i];
	}
	t->num_regs++;
}

void tui_read_registers(struct tui *t)
{
	unsigned int i, num_old = t->regs_inv == t->d->inv && t->regs_stop ? t->num_regs : 0;
	uint32_t k, n, first[TUI_FIRST];
	struct tui_reg old[TUI_REGS];
	struct dbg *d = t->d;

	if (d->state != DBG_STOPPED || (t->regs_stop == t->stops && t->regs_inv == d->inv))
		return;
	memcpy(old, t->regs, num_old * sizeof(*old));
	t->num_regs = 0;
	/* Those of the current instruction are of most interest. */
	n = dbg_regs_of_interest(d, first, TUI_FIRST);
	for (k = 0; k < n; k++)
		read_register(t, first[k], old, num_old);
	for (i = 0; i < d->num_banks; i++) {
		const struct drm_vshader_debug_bank *b = &d->banks[i];

		if (b->flags & (DRM_VSHADER_DEBUG_BANK_MINOR | DRM_VSHADER_DEBUG_BANK_UNIFORM))
			continue;
		for (k = 0; k < b->count; k++)
			read_register(t, b->first + k, old, num_old);
	}
	t->regs_inv = d->inv;
	t->regs_stop = t->stops;
}

static void draw_registers(struct tui *t, const struct box *b)
{
	struct dbg *d = t->d;
	int row, rows = 0;
	unsigned int i;
	char name[32];

	headline(t, b, TUI_REGISTERS, "registers");
	if (d->state != DBG_STOPPED)
		return;
	for (i = 0; i < t->num_regs; i++)
		rows += reg_rows(b, &t->regs[i]);
	row = -clamp_scroll(t, TUI_REGISTERS, rows, b->h);
	for (i = 0; i < t->num_regs && row < b->h; row += reg_rows(b, &t->regs[i++])) {
		const struct tui_reg *r = &t->regs[i];
		struct dbg_value v;

		if (row + reg_rows(b, r) <= 0 || dbg_read_reg(d, r->reg, &v))
			continue;
		vshader_debug_register_name(d->banks, d->num_banks, r->reg, name, sizeof(name));
		draw_register(b, row, r->changed ? color(COLOR_CHANGED, A_BOLD) : A_NORMAL, name, r,
			      &v);
	}
}

/* ---- invocations ---- */

/* '@' selected, '>' at the instruction, '.' ready, 'w' waiting; small ones are helpers. */
static char mark(const struct dbg *d, const struct drm_vshader_debug_invocation *v)
{
	if (v->invocation == d->inv)
		return '@';
	if (v->flags & DRM_VSHADER_DEBUG_INV_HELPER)
		return 'h';
	return v->state == DRM_VSHADER_DEBUG_INV_CURRENT ? '>' :
	       v->state == DRM_VSHADER_DEBUG_INV_READY ? '.' : 'w';
}

static void draw_invocations(struct tui *t, const struct box *b)
{
	struct drm_vshader_debug_invocation *all;
	struct dbg *d = t->d;
	int i, n, first, per = b->w < 40 ? 16 : 32;
	char text[32];

	headline(t, b, TUI_INVOCATIONS, "invocations  @ selected  > here  . ready  w waiting");
	n = d->state == DBG_STOPPED ? dbg_invocations(d, &all) : -1;
	if (n < 0)
		return;
	first = clamp_scroll(t, TUI_INVOCATIONS, (n + per - 1) / per, b->h);
	for (i = first * per; i < n; i++) {
		char m = mark(d, &all[i]);
		int row = i / per - first, col = 7 + i % per + i % per / 8;

		if (i % per == 0) {
			snprintf(text, sizeof(text), "%6llu",
				 (unsigned long long)all[i].invocation);
			put(b, row, 0, A_DIM, text);
		}
		snprintf(text, sizeof(text), "%c", m);
		put(b, row, col, m == '@' ? color(COLOR_CURRENT, A_REVERSE) :
		    m == 'w' ? color(COLOR_WAIT, A_DIM) : m == '>' ? A_BOLD : A_NORMAL, text);
	}
	free(all);
}

/* ---- memory ---- */

/* Words of a row that the pane has room for: a word is shown whole or not at all. */
static unsigned int memory_words(const struct tui *t, const struct box *b)
{
	uint64_t last = t->memory + 16 * (uint64_t)(b->h + t->scroll[TUI_MEMORY]);
	int digits = snprintf(NULL, 0, "%08llx", (unsigned long long)last);
	unsigned int n = 4;

	while (n > 1 && digits + 9 * (int)n > b->w)
		n /= 2;
	return n;
}

static void draw_memory(struct tui *t, const struct box *b)
{
	unsigned int words = memory_words(t, b), i;
	char line[160], one[12];
	uint8_t data[16];
	int row;

	headline(t, b, TUI_MEMORY, "memory  (\"mem ADDRESS\")");
	if (!t->memory_set)
		return;
	for (row = 0; row < b->h; row++) {
		uint64_t va = t->memory + 4 * words * (uint64_t)(row + t->scroll[TUI_MEMORY]);
		int64_t n = dbg_read_some(t->d, va, data, 4 * words);

		snprintf(line, sizeof(line), "%08llx", (unsigned long long)va);
		for (i = 0; i < words; i++) {
			uint32_t w = jf_load(JF_U32, data + 4 * i);

			if (n < 4 * (int64_t)(i + 1))
				snprintf(one, sizeof(one), " --------");
			else
				snprintf(one, sizeof(one), " %08x", w);
			strcat(line, one);
		}
		put(b, row, 0, A_NORMAL, line);
	}
}

/* ---- output and command line ---- */

static void draw_output(struct tui *t, const struct box *b)
{
	int row, first;

	headline(t, b, TUI_OUTPUT, "output");
	first = (int)t->log_len - b->h - clamp_scroll(t, TUI_OUTPUT, (int)t->log_len, b->h);
	for (row = 0; row < b->h; row++) {
		if (first + row >= 0 && first + row < (int)t->log_len)
			put(b, row, 0, A_NORMAL, t->log[first + row]);
	}
}

/* Only the file name of the job file is shown, so that a long path does not hide the state. */
static void draw_status(struct tui *t, int width)
{
	struct box b = { .h = 1, .w = width };
	struct dbg *d = t->d;
	const char *slash = strrchr(d->path, '/'), *name = slash ? slash + 1 : d->path;
	char text[512];
	int i;

	for (i = 0; i < width; i++)
		put(&b, 0, i, color(COLOR_STATUS, A_REVERSE), " ");
	if (d->state == DBG_STOPPED)
		snprintf(text, sizeof(text),
			 "%.200s  job %u \"%.60s\"  invocation %llu  pc 0x%x  %s", name, d->job,
			 dbg_job_name(d), (unsigned long long)d->inv, dbg_pc(d),
			 dbg_reason_name(d->stop.reason));
	else
		snprintf(text, sizeof(text), "%.200s  %s", name,
			 d->state == DBG_RUNNING ? "running" : "not running");
	put(&b, 0, 1, color(COLOR_STATUS, A_REVERSE), text);
}

static void draw_line(struct tui *t, int y, int width)
{
	struct box b = { .y = y, .h = 1, .w = width };
	size_t room = width > 12 ? (size_t)width - 11 : 1;
	size_t skip = t->len > room ? t->len - room : 0;

	put(&b, 0, 0, A_BOLD, "(vshader) ");
	put(&b, 0, 10, A_NORMAL, t->line + skip);
	move(y, 10 + (int)(t->len - skip) < width ? 10 + (int)(t->len - skip) : width - 1);
}

/* ---- the screen ---- */

static void draw_one(struct tui *t, enum tui_pane pane, const struct box *b)
{
	static void (* const draw[TUI_PANES])(struct tui *t, const struct box *b) = {
		draw_code, draw_registers, draw_invocations, draw_memory, draw_output,
	};

	if (b->h > 0 && b->w > 0)
		draw[pane](t, b);
}

/* Headlines take a line each. */
static void draw_panes(struct tui *t, int h, int w)
{
	bool wide = t->d->layout == DBG_LAYOUT_REGS;
	int out = h / 4 > 3 ? h / 4 : 3, top = h - 2 - out - 1, left = w * (wide ? 2 : 3) / 5;
	int regs = (top - 3) / 2, inv = (top - regs - 2) / 2;

	draw_one(t, TUI_CODE, &(struct box){ 2, 0, top - 1, left - 1 });
	draw_one(t, TUI_OUTPUT, &(struct box){ top + 2, 0, out, w });
	if (wide) {
		draw_one(t, TUI_REGISTERS, &(struct box){ 2, left, top - 1, w - left });
		return;
	}
	draw_one(t, TUI_REGISTERS, &(struct box){ 2, left, regs, w - left });
	draw_one(t, TUI_INVOCATIONS, &(struct box){ 3 + regs, left, inv, w - left });
	draw_one(t, TUI_MEMORY,
		 &(struct box){ 4 + regs + inv, left, top - regs - inv - 3, w - left });
}

void tui_draw(struct tui *t)
{
	int h, w;

	getmaxyx(stdscr, h, w);
	erase();
	if (h < 1 || w < 1)
		return;
	tui_read_registers(t);
	draw_status(t, w);
	/* On a small screen there is room for one pane only. */
	if (h < 16 || w < 60)
		draw_one(t, t->focus, &(struct box){ 2, 0, h - 3, w });
	else
		draw_panes(t, h, w);
	draw_line(t, h - 1, w);
	refresh();
	t->dirty = false;
}
