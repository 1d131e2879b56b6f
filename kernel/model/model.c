// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Register models: what all families share. The lock, interrupts, names, and the checks of
 * accesses that follow from the table of registers alone.
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
	u32 lines = m->ops->lines(m);
	bool changed = lines != m->lines, kick = m->kick;

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

	m->findings++;
	if (!m->host.report)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	m->host.report(m->host.priv, reg, value, text);
}

u64 vs_model_findings(const struct vs_model *m)
{
	return READ_ONCE(m->findings);
}

/* ---- registers ---- */

static const struct vs_model_reg *find_reg(const struct vs_model *m, u32 offset, u32 *n)
{
	const struct vs_model_reg *r;
	u32 i;

	for (i = 0; i < m->ops->nregs; i++) {
		r = &m->ops->regs[i];
		if (offset < r->offset)
			continue;
		*n = r->stride ? (offset - r->offset) / r->stride : 0;
		if (*n < r->count && offset == r->offset + *n * (u32)r->stride)
			return r;
	}
	return NULL;
}

const char *vs_model_reg_name(const struct vs_model *m, u32 offset, char *buf, size_t len)
{
	const struct vs_model_reg *r;
	const char *at;
	u32 n;

	r = find_reg(m, offset, &n);
	at = r ? strchr(r->name, '%') : NULL;
	if (!r)
		scnprintf(buf, len, "0x%04x", offset);
	else if (at && at[1] == 'h')
		scnprintf(buf, len, "%.*s%s", (int)(at - r->name), r->name, n ? "HI" : "LO");
	else if (at)
		scnprintf(buf, len, "%.*s%u%s", (int)(at - r->name), r->name, n, at + 2);
	else
		scnprintf(buf, len, "%s", r->name);
	return buf;
}

static bool check_access(struct vs_model *m, u32 offset, u32 value, bool write)
{
	const struct vs_model_reg *r;
	u32 n;

	r = find_reg(m, offset, &n);
	if (!r)
		vs_model_report(m, offset, value, "there is no such register");
	else if (!(r->access & (write ? VS_REG_W : VS_REG_R)))
		vs_model_report(m, offset, value, "the register is %s only",
				write ? "read" : "written");
	else if (write && value & ~r->bits)
		vs_model_report(m, offset, value, "reserved bits 0x%x are written",
				value & ~r->bits);
	return r;
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
	lines = m->ops->lines(m);
	vs_lock_put(&m->lock);
	return lines;
}

bool vs_model_work(struct vs_model *m)
{
	return m->ops->work(m);
}

/* ---- failures ---- */

bool vs_model_inject(struct vs_model *m, const char *what, u32 count)
{
	u32 i;

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
