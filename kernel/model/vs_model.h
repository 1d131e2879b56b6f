/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Register models: a GPU as its kernel driver sees it. Registers, interrupt lines and memory
 * are reached through functions, so that any host can have one: a bus of User-Mode-Linux, an
 * emulator, a test.
 */
#ifndef VS_MODEL_H
#define VS_MODEL_H

#include "../engine/vs_glue.h"

struct vs_model;

/**
 * struct vs_model_host - Services of a model's host.
 * @irq:	the level of one of the interrupt lines may have changed: vs_model_lines(). Called
 *		from vs_model_read(), vs_model_write() and vs_model_work() without locks of the
 *		model. A host that enters a driver's handler does so in a thread of its own
 * @kick:	there is work: call vs_model_work() soon. Called like @irq
 * @wait:	called in vs_model_work() only: sleep until a register is written, at most 20 ms
 * @page:	address of the page of 4096 bytes at a physical address, which stays valid while
 *		the model exists; NULL: a bus error
 * @map:	one range of addresses for @n pages, which may be scattered; NULL: bus error or no
 *		memory. A process that maps pages of a file needs one mapping a run of pages, of
 *		which Linux allows 65,530. May sleep
 * @unmap:	give it back. May sleep
 * @is_free:	whether the page at a physical address belongs to nobody, or to the kernel's heap:
 *		a driver has freed it too early. It is a finding and is not accessed. May be NULL
 * @page_new:	physical address of a zeroed page of the host's own, for which @page and @map work;
 *		0: no memory. May sleep. May be NULL: "write-back" is not possible
 * @page_free:	give it back. Must not sleep
 * @report:	a finding of the checks for authors of drivers. Called with the model's lock, in
 *		the context of the access: must not call the model. May be NULL
 * @priv:	first argument of all
 */
struct vs_model_host {
	void (*irq)(void *priv);
	void (*kick)(void *priv);
	void (*wait)(void *priv);
	void *(*page)(void *priv, u64 pa);
	void *(*map)(void *priv, const u64 *pa, u32 n);
	void (*unmap)(void *priv, void *p, u32 n);
	bool (*is_free)(void *priv, u64 pa);
	u64 (*page_new)(void *priv);
	void (*page_free)(void *priv, u64 pa);
	void (*report)(void *priv, u32 reg, u32 value, const char *text);
	void *priv;
};

#define VS_MODEL_LINES	32

/**
 * struct vs_model_desc - A GPU as its node of a device tree describes it.
 * @gpu:	name for vs_model_new()
 * @driver:	Linux' driver
 * @compatible:	property
 * @size:	bytes of registers
 * @line:	names of the interrupt lines by number; NULL: none
 * @clock:	names of the clocks; one without a name: ""
 * @nclocks:	number of @clock
 * @opp:	it has operating points, so that the driver has a device for devfreq. UML only
 */
struct vs_model_desc {
	const char *gpu;
	const char *driver;
	const char *compatible;
	u32 size;
	const char *line[VS_MODEL_LINES];
	const char *clock[2];
	u32 nclocks;
	bool opp;
};

/**
 * vs_model_describe - describe GPU number @n
 * @n: index, from 0
 * @d: description
 *
 * Return: false: there are not as many.
 */
bool vs_model_describe(u32 n, struct vs_model_desc *d);
/* The same by name. Return: false: there is no such GPU. */
bool vs_model_find(const char *gpu, struct vs_model_desc *d);

/**
 * vs_model_new - make a model
 * @gpu: name of a description
 * @host: the host, copied
 *
 * Return: NULL: there is no such GPU, or no memory.
 */
struct vs_model *vs_model_new(const char *gpu, const struct vs_model_host *host);
/* Free a model in which no thread is. NULL is allowed. */
void vs_model_free(struct vs_model *m);

/*
 * The machine's reset: registers are as after vs_model_new(), no failure is to happen, running
 * jobs end without an interrupt within a slice of the engine's work.
 */
void vs_model_reset(struct vs_model *m);

/* Access a register; @offset is a multiple of 4. They do not sleep. */
u32 vs_model_read(struct vs_model *m, u32 offset);
void vs_model_write(struct vs_model *m, u32 offset, u32 value);
/* Interrupt lines that are active: bit n is the family's line n. */
u32 vs_model_lines(struct vs_model *m);

/* Execute for a while; sleeps in @wait, @map and @unmap. Return: there is more to do. */
bool vs_model_work(struct vs_model *m);

/**
 * vs_model_inject - make the hardware fail
 * @m: model
 * @what: name of the failure; a family's names are in its documentation
 * @count: how often; 0: no more. The seed of "race", which all families have; 1 and 0: "write-back"
 *	is on and off, between jobs
 *
 * Return: false: there is no such failure.
 */
bool vs_model_inject(struct vs_model *m, const char *what, u32 count);

/* Name of a register, in @buf; its offset in hexadecimal if there is none. Return: @buf. */
const char *vs_model_reg_name(const struct vs_model *m, u32 offset, char *buf, size_t len);

#endif /* VS_MODEL_H */
