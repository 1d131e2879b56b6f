/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* A register model under User-Mode-Linux: bus and log. */
#ifndef VS_UML_BUS_H
#define VS_UML_BUS_H

#include <linux/delay.h>
#include <linux/ioport.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

#include "../vs_model.h"

#define MODEL_MAX_LINES	32

enum model_event { MODEL_READ, MODEL_WRITE, MODEL_IRQ };

struct irq_domain;

/**
 * struct model_entry - An access in the log.
 * @ns:		time of the first
 * @offset:	register, or line
 * @value:	value
 * @times:	how often in a row
 * @event:	enum model_event
 */
struct model_entry {
	u64 ns;
	u32 offset;
	u32 value;
	u32 times;
	u32 event;
};

#define MODEL_LOG	8192
#define MODEL_FINDINGS	64
#define MODEL_TEXT	200

/**
 * struct model_bus - The bus.
 * @model:	model on it
 * @res:	its registers
 * @domain:	interrupts
 * @irq:	lines have to be looked at
 * @work:	there is work
 * @written:	a register has been written
 * @irq_wait:	for @irq
 * @work_wait:	for @work and @written
 * @stacks:	number of stacks that were printed
 * @irqs:	number of interrupts of each line
 * @lock:	protects what follows
 * @log:	ring of accesses
 * @nlog:	number of accesses so far
 * @findings:	texts
 * @nfindings:	number of findings so far
 */
struct model_bus {
	struct vs_model *model;
	struct resource res;
	struct irq_domain *domain;
	bool irq;
	bool work;
	bool written;
	wait_queue_head_t irq_wait;
	wait_queue_head_t work_wait;
	u32 stacks;
	u64 irqs[MODEL_MAX_LINES];
	spinlock_t lock;	/* of the log */
	struct model_entry *log;
	u64 nlog;
	char (*findings)[MODEL_TEXT];
	u32 nfindings;
};

/* Files in debugfs, folder vshader-model: log, findings, inject. */
int model_log_init(struct model_bus *b);
void model_log(struct model_bus *b, enum model_event event, u32 offset, u32 value);
void model_log_finding(struct model_bus *b, const char *name, u32 value, const char *text);

#endif /* VS_UML_BUS_H */
