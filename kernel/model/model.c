// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Register models, the part of all families: lock, interrupts, names, and the checks of accesses
 * that follow from the table of registers alone.
 */
#include "model_ops.h"
#include "model_list.h"

struct vs_model *vs_model_new(const char *gpu, const struct vs_model_host *host)
{
	struct vs_model *m = NULL;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(vs_model_families) && !m; i++) {
		m = vs_model_families[i]->make(gpu);
		if (m)
			m->ops = vs_model_families[i];
	}
	if (!m)
		return NULL;
	m->host = *host;
	vs_lock_init(&m->lock);
	return m;
}

void vs_model_free(struct vs_model *m)
{
	if (m)
		m->ops->free(m);
}

void vs_model_lock(struct vs_model *m)
	__acquires(&m->lock)
{
	vs_lock_get(&m->lock);
}

void vs_model_unlock(struct vs_model *m)
	__releases(&m->lock)
{
	bool changed, kick;
	u32 lines;

	vs_model_race_step(m);
	lines = vs_model_race_lines(m);
	changed = lines != m->lines;
	kick = m->kick;
	m->lines = lines;
	m->kick = false;
	vs_lock_put(&m->lock);
	if (changed)
		m->host.irq(m->host.priv);
	if (kick)
		m->host.kick(m->host.priv);
}

void vs_model_report(struct vs_model *m, u32 reg, u32 value, const char *fmt, ...)
{
	char text[160];
	va_list ap;

	if (m->quiet)
		return;
	m->findings++;
	if (!m->host.report)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	m->host.report(m->host.priv, reg, value, text);
}

/* ---- registers ---- */

/**
 * struct place - A register.
 * @reg:	in the family's table
 * @n:		number among those of @reg
 * @block:	its block
 * @unit:	number of the unit
 */
struct place {
	const struct vs_model_reg *reg;
	u32 n;
	const struct vs_model_block *block;
	u32 unit;
};

static bool find_in_block(const struct vs_model_block *b, u32 offset, struct place *at)
{
	const struct vs_model_reg *r;
	u32 i, n;

	offset %= b->size;
	for (i = 0; i < b->nregs; i++) {
		r = &b->regs[i];
		if (offset < r->offset)
			continue;
		n = r->stride ? (offset - r->offset) / r->stride : 0;
		if (n >= r->count || offset != r->offset + n * (u32)r->stride)
			continue;
		at->reg = r;
		at->n = n;
		return true;
	}
	return false;
}

static bool model_find_reg(const struct vs_model *m, u32 offset, struct place *at)
{
	const struct vs_model_block *b;
	u32 i;

	for (i = 0; i < m->ops->nblocks; i++) {
		b = &m->ops->blocks[i];
		at->block = b;
		at->unit = (offset - b->base) / b->size;
		if (offset >= b->base && at->unit < b->count &&
		    find_in_block(b, offset - b->base, at))
			return true;
	}
	return false;
}

/* Append a name with its number. Return: length. */
static size_t put_name(char *buf, size_t len, size_t at, const char *name, u32 n)
{
	const char *to = strchr(name, '%');

	buf += at;
	len -= at;
	if (to && to[1] == 'h')
		return at + scnprintf(buf, len, "%.*s%s", (int)(to - name), name, n ? "HI" : "LO");
	if (to)
		return at + scnprintf(buf, len, "%.*s%u%s", (int)(to - name), name, n, to + 2);
	return at + scnprintf(buf, len, "%s", name);
}

const char *vs_model_reg_name(const struct vs_model *m, u32 offset, char *buf, size_t len)
{
	struct place p;
	size_t at;

	if (!model_find_reg(m, offset, &p)) {
		scnprintf(buf, len, "0x%04x", offset);
		return buf;
	}
	at = put_name(buf, len, 0, p.block->name, p.block->first + p.unit);
	put_name(buf, len, at, p.reg->name, p.n);
	return buf;
}

/* Return: the register has this access. */
static bool check_access(struct vs_model *m, u32 offset, u32 value, bool write)
{
	struct place p;

	if (!model_find_reg(m, offset, &p) || (m->ops->present && !m->ops->present(m, offset))) {
		vs_model_report(m, offset, value, "there is no such register");
		return false;
	}
	if (!(p.reg->access & (write ? VS_REG_W : VS_REG_R))) {
		vs_model_report(m, offset, value, "the register is %s only",
				write ? "read" : "written");
		return false;
	}
	if (write && value & ~p.reg->bits)
		vs_model_report(m, offset, value, "reserved bits 0x%x are written",
				value & ~p.reg->bits);
	return true;
}

u32 vs_model_read(struct vs_model *m, u32 offset)
{
	u32 v = 0;

	vs_model_lock(m);
	if (check_access(m, offset, 0, false))
		v = m->ops->read(m, offset);
	vs_model_unlock(m);
	return v;
}

void vs_model_write(struct vs_model *m, u32 offset, u32 value)
{
	vs_model_lock(m);
	if (check_access(m, offset, value, true))
		m->ops->write(m, offset, value);
	vs_model_unlock(m);
}

u32 vs_model_lines(struct vs_model *m)
{
	u32 lines;

	vs_lock_get(&m->lock);
	lines = vs_model_race_lines(m);
	vs_lock_put(&m->lock);
	return lines;
}

bool vs_model_work(struct vs_model *m)
{
	bool more = m->ops->work(m);

	return vs_model_race_work(m, more) || more;
}

void vs_model_reset(struct vs_model *m)
{
	vs_model_lock(m);
	memset(m->inject, 0, sizeof(m->inject));
	m->race = (struct vs_model_race){};
	m->ops->reset(m);
	vs_model_unlock(m);
}

/* ---- interrupts ---- */

u32 vs_model_irq_read(struct vs_model *m, struct vs_model_irq *q, u32 which)
{
	switch (which) {
	case VS_IRQ_RAWSTAT:
		q->seen |= q->raw;
		return q->raw;
	case VS_IRQ_STAT:
		q->seen |= q->raw & q->mask;
		m->race.ghost = 0;
		return q->raw & q->mask;
	default:
		return q->mask;
	}
}

void vs_model_irq_write(struct vs_model *m, struct vs_model_irq *q, u32 reg, u32 which, u32 value)
{
	if (which == VS_IRQ_MASK) {
		q->mask = value;
		return;
	}
	if (value & q->raw & ~q->seen)
		vs_model_report(m, reg, value,
				"interrupts 0x%x are cleared that have not been read",
				value & q->raw & ~q->seen);
	q->raw &= ~value;
	q->seen &= ~value;
}

/* ---- failures ---- */

bool vs_model_inject(struct vs_model *m, const char *what, u32 count)
{
	bool can;
	u32 i;

	if (!strcmp(what, "race")) {
		vs_model_lock(m);
		vs_model_race_seed(m, count);
		vs_model_unlock(m);
		return true;
	}
	if (!strcmp(what, "write-back")) {
		vs_model_lock(m);
		can = m->ops->write_back && m->ops->write_back(m, count);
		vs_model_unlock(m);
		return can;
	}
	for (i = 0; i < m->ops->ninjections; i++) {
		if (strcmp(m->ops->injections[i], what))
			continue;
		vs_model_lock(m);
		m->inject[i] = count;
		m->kick = true;
		vs_model_unlock(m);
		return true;
	}
	return false;
}

bool vs_model_fails(struct vs_model *m, u32 what)
{
	if (!m->inject[what])
		return false;
	m->inject[what]--;
	return true;
}
