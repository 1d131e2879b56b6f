/* SPDX-License-Identifier: MIT */
/* GPUs in QEMU's machine "virt". */
#ifndef QEMU_GPU_H
#define QEMU_GPU_H

#include <pthread.h>

#include "qemu_api.h"

#define QEMU_MAX_GPUS	4

/*
 * Addresses and interrupts that the machine leaves free: registers and control pages in the window
 * of the platform bus, shared peripheral interrupts after those of that bus.
 */
#define QEMU_RAM	0x40000000ULL
#define QEMU_REGS	0x0d000000ULL
#define QEMU_REGS_SIZE	0x40000ULL
#define QEMU_CTL	0x0d800000ULL
#define QEMU_CTL_SIZE	0x1000ULL
#define QEMU_FIRST_SPI	176
#define QEMU_NUM_SPIS	80

/* Control page: registers of 32 bits. */
enum qemu_ctl_reg {
	QEMU_CTL_ID = 0x00,		/* R: QEMU_CTL_MAGIC */
	QEMU_CTL_FINDINGS = 0x04,	/* R: number of findings */
	QEMU_CTL_OPEN = 0x08,		/* W: read findings: 0; the last n entries of the log: n */
	QEMU_CTL_TEXT = 0x0c,		/* R: next four bytes; zeros at the end */
	QEMU_CTL_PUT = 0x10,		/* W: next byte of a failure: "hang 1" */
	QEMU_CTL_INJECT = 0x14,		/* W: its end. R: 0: accepted */
	QEMU_CTL_END = 0x18,
};

#define QEMU_CTL_MAGIC	0x444d5356	/* "VSMD" */

enum qemu_event { QEMU_READ, QEMU_WRITE, QEMU_IRQ };

/**
 * struct qemu_entry - An access in the log.
 * @ns:		time of the first
 * @offset:	register, or line
 * @value:	value, or level
 * @times:	how often in a row
 * @event:	enum qemu_event
 */
struct qemu_entry {
	u64 ns;
	u32 offset;
	u32 value;
	u32 times;
	u32 event;
};

#define QEMU_LOG	8192
#define QEMU_FINDINGS	256
#define QEMU_TEXT	200

/**
 * struct qemu_ctl - Log, findings and control page of a GPU.
 * @lock:	protects all
 * @log:	ring of accesses
 * @nlog:	number of accesses so far
 * @findings:	texts
 * @nfindings:	number of findings so far
 * @text:	what is being read, allocated
 * @at:		where
 * @len:	its length
 * @put:	failure that is being written
 * @nput:	its length
 * @refused:	the last one was not accepted
 */
struct qemu_ctl {
	pthread_mutex_t lock;
	struct qemu_entry log[QEMU_LOG];
	u64 nlog;
	char findings[QEMU_FINDINGS][QEMU_TEXT];
	u32 nfindings;
	char *text;
	size_t at;
	size_t len;
	char put[40];
	u32 nput;
	bool refused;
};

/**
 * struct qemu_gpu - A GPU.
 * @desc:	what it is
 * @n:		number
 * @spi:	interrupt of each line; 0: none
 * @model:	model
 * @irq:	inputs of the interrupt controller
 * @level:	lines as they were set last; with QEMU's lock
 * @lock:	protects the rest, but @ctl
 * @cond:	any of them has changed
 * @work:	there is work
 * @written:	a register has been written
 * @busy:	the worker executes
 * @blocked:	it waits for QEMU's lock
 * @ctl:	control page
 */
struct qemu_gpu {
	struct vs_model_desc desc;
	u32 n;
	u32 spi[VS_MODEL_LINES];
	struct vs_model *model;
	struct qemu_irq *irq[VS_MODEL_LINES];
	u32 level;
	pthread_mutex_t lock;
	pthread_cond_t cond;
	bool work;
	bool written;
	bool busy;
	bool blocked;
	struct qemu_ctl ctl;
};

/**
 * struct qemu_machine - The machine.
 * @gpu:	GPUs
 * @ngpus:	number of @gpu
 * @ram:	its memory
 * @ram_size:	size
 * @ram_fd:	file of the memory
 */
struct qemu_machine {
	struct qemu_gpu *gpu[QEMU_MAX_GPUS];
	u32 ngpus;
	u8 *ram;
	u64 ram_size;
	int ram_fd;
};

extern struct qemu_machine machine;

/* Make a GPU, before the machine exists. Return: NULL, or an error. */
const char *qemu_gpu_add(const char *name);
/* Put it into the machine, which is complete. Return: NULL, or an error. */
const char *qemu_gpu_start(struct qemu_gpu *g, struct qemu_object *gic);

/* qemu_ctl.c */
void qemu_ctl_init(struct qemu_gpu *g);
void qemu_ctl_log(struct qemu_gpu *g, enum qemu_event event, u32 offset, u32 value);
/* A finding: remembered, and printed. */
void qemu_ctl_report(struct qemu_gpu *g, u32 reg, u32 value, const char *text);
extern const struct qemu_region_ops qemu_ctl_ops;
/* Where findings are printed. */
extern int qemu_ctl_fd;

/* qemu_tree.c: whether the machine's device tree has the GPUs; NULL, or an error. */
const char *qemu_tree_check(void);

#endif /* QEMU_GPU_H */
