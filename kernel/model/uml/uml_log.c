// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Log of a driver's accesses with the names of registers, findings, and a file that makes the
 * hardware fail.
 */
#include <linux/debugfs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "uml_bus.h"

#ifndef __CHECKER__
#define CREATE_TRACE_POINTS
#endif
#include "uml_trace.h"

static void trace_event(struct model_bus *b, enum model_event event, u32 offset, u32 value)
{
	char name[40];

	if (event == MODEL_IRQ || !trace_vshader_model_access_enabled())
		return;
	vs_model_reg_name(b->model, offset, name, sizeof(name));
	trace_vshader_model_access(name, offset, value, event == MODEL_WRITE);
}

void model_log(struct model_bus *b, enum model_event event, u32 offset, u32 value)
{
	struct model_entry *e;
	unsigned long flags;
	u64 ns;

	trace_event(b, event, offset, value);
	spin_lock_irqsave(&b->lock, flags);
	e = b->nlog ? &b->log[(b->nlog - 1) % MODEL_LOG] : NULL;
	if (e && e->event == event && e->offset == offset && e->value == value) {
		e->times++;
	} else {
		/* each at another time, also where that passes by waiting only */
		ns = ktime_get_ns();
		if (e)
			ns = max(ns, e->ns + 1);
		b->log[b->nlog++ % MODEL_LOG] = (struct model_entry){
			.ns = ns, .offset = offset, .value = value, .times = 1,
			.event = event,
		};
	}
	spin_unlock_irqrestore(&b->lock, flags);
}

void model_log_finding(struct model_bus *b, const char *name, u32 value, const char *text)
{
	unsigned long flags;

	spin_lock_irqsave(&b->lock, flags);
	if (b->nfindings < MODEL_FINDINGS)
		scnprintf(b->findings[b->nfindings], MODEL_TEXT, "%s 0x%08x %s", name, value,
			  text);
	b->nfindings++;
	spin_unlock_irqrestore(&b->lock, flags);
}

/* ---- files ---- */

static void show_entry(struct seq_file *s, struct model_bus *b, const struct model_entry *e)
{
	char name[40];
	u32 part;
	u64 us = div_u64_rem(e->ns, 1000, &part);

	seq_printf(s, "%10llu.%03u ", us, part);
	if (e->event == MODEL_IRQ) {
		seq_printf(s, "interrupt %u", e->offset);
	} else {
		vs_model_reg_name(b->model, e->offset, name, sizeof(name));
		seq_printf(s, "%c %-24s 0x%08x", e->event == MODEL_READ ? 'R' : 'W', name,
			   e->value);
	}
	seq_printf(s, e->times > 1 ? " x%u\n" : "\n", e->times);
}

/*
 * The number of an entry, of which the ring has the last ones. seq_file calls a show() that prints
 * all of them again for each size of its buffer, from a page on.
 */
static void *log_start(struct seq_file *s, loff_t *at)
{
	struct model_bus *b = s->private;
	u64 n = READ_ONCE(b->nlog);

	if (n > MODEL_LOG)
		*at = max_t(u64, *at, n - MODEL_LOG);
	return *at < n ? at : NULL;
}

static void *log_next(struct seq_file *s, void *v, loff_t *at)
{
	++*at;
	return log_start(s, at);
}

static void log_stop(struct seq_file *s, void *v)
{
}

static int log_show(struct seq_file *s, void *v)
{
	struct model_bus *b = s->private;
	u64 at = *(loff_t *)v;
	struct model_entry e;

	spin_lock_irq(&b->lock);
	e = b->log[at % MODEL_LOG];
	spin_unlock_irq(&b->lock);
	show_entry(s, b, &e);
	return 0;
}

static const struct seq_operations log_sops = {
	.start = log_start,
	.next = log_next,
	.stop = log_stop,
	.show = log_show,
};
DEFINE_SEQ_ATTRIBUTE(log);

static int findings_show(struct seq_file *s, void *unused)
{
	struct model_bus *b = s->private;
	u32 i;

	seq_printf(s, "%u\n", b->nfindings);
	for (i = 0; i < min_t(u32, b->nfindings, MODEL_FINDINGS); i++)
		seq_printf(s, "%s\n", b->findings[i]);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(findings);

static ssize_t inject_write(struct file *f, const char __user *from, size_t n, loff_t *pos)
{
	struct model_bus *b = f->private_data;
	char text[40] = "", name[32];
	u32 count = 1;

	if (n >= sizeof(text) || copy_from_user(text, from, n))
		return -EINVAL;
	if (sscanf(text, "%31s %u", name, &count) < 1 || !vs_model_inject(b->model, name, count))
		return -EINVAL;
	return n;
}

static const struct file_operations inject_fops = {
	.open = simple_open,
	.write = inject_write,
};

int model_log_init(struct model_bus *b)
{
	struct dentry *dir;

	spin_lock_init(&b->lock);
	b->log = vzalloc(sizeof(*b->log) * MODEL_LOG);
	b->findings = vzalloc(MODEL_TEXT * MODEL_FINDINGS);
	if (!b->log || !b->findings)
		return -ENOMEM;
	dir = debugfs_create_dir("vshader-model", NULL);
	debugfs_create_file("log", 0400, dir, b, &log_fops);
	debugfs_create_file("findings", 0400, dir, b, &findings_fops);
	debugfs_create_file("inject", 0200, dir, b, &inject_fops);
	return 0;
}
