/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Interface between model.c and the families of GPUs. */
#ifndef VS_MODEL_OPS_H
#define VS_MODEL_OPS_H

#include "vs_model.h"

#ifndef __acquires
#define __acquires(l)
#define __releases(l)
#endif

/* Accesses of a register. */
#define VS_REG_R	1
#define VS_REG_W	2
#define VS_REG_RW	3

/**
 * struct vs_model_reg - A register, or an array of them.
 * @offset:	of the first
 * @access:	VS_REG_*
 * @count:	number of them, at least 1
 * @stride:	bytes from one to the next
 * @bits:	bits that may be written
 * @name:	name; a "%u" in it is the number, a "%h" says LO or HI
 */
struct vs_model_reg {
	u16 offset;
	u8 access;
	u8 count;
	u16 stride;
	u32 bits;
	const char *name;
};

/**
 * struct vs_model_block - Registers of a unit, or of several that are alike.
 * @base:	offset of the first unit
 * @size:	bytes from one unit to the next
 * @count:	number of units, at least 1
 * @first:	number of the first unit
 * @name:	beginning of names; a "%u" in it is the number
 * @regs:	registers of a unit
 * @nregs:	number of @regs
 */
struct vs_model_block {
	u32 base;
	u32 size;
	u32 count;
	u32 first;
	const char *name;
	const struct vs_model_reg *regs;
	u32 nregs;
};

/**
 * struct vs_model_ops - A family.
 * @blocks:	its registers
 * @nblocks:	number of @blocks
 * @injections:	names of its failures, as for vs_model_inject()
 * @ninjections: number of @injections, at most VS_MODEL_INJECTIONS
 * @make:	make a model of a GPU, NULL: not of this family, or no memory
 * @free:	free it
 * @reset:	as vs_model_reset(); with the lock
 * @present:	whether this GPU has the register, which is in @blocks; NULL: all have all
 * @read:	read a register; with the lock, as @write and @lines
 * @write:	write one
 * @lines:	active interrupt lines
 * @work:	as vs_model_work(), without the lock
 * @write_back:	switch write-back on or off, with the lock; NULL: not supported. Return: false:
 *		not by this host
 * @show:	show what vs_model_hold() holds back; with the lock
 */
struct vs_model_ops {
	const struct vs_model_block *blocks;
	u32 nblocks;
	const char * const *injections;
	u32 ninjections;
	struct vs_model *(*make)(const char *gpu);
	void (*free)(struct vs_model *m);
	void (*reset)(struct vs_model *m);
	bool (*present)(const struct vs_model *m, u32 offset);
	u32 (*read)(struct vs_model *m, u32 offset);
	void (*write)(struct vs_model *m, u32 offset, u32 value);
	u32 (*lines)(struct vs_model *m);
	bool (*work)(struct vs_model *m);
	bool (*write_back)(struct vs_model *m, bool on);
	void (*show)(struct vs_model *m);
};

extern const struct vs_model_ops mali_model_ops;
extern const struct vs_model_ops utgard_model_ops;

#define VS_MODEL_INJECTIONS	16

/**
 * struct vs_model_race - Races by seed.
 * @on:		they happen
 * @state:	of the generator
 * @age:	releases of the lock until what follows ends; 0: there is nothing
 * @waited:	the worker has waited for it once
 * @held:	jobs that are done and do not show it: bit n is the family's number
 * @late:	lines that do not show that they are active
 * @ghost:	lines that do not show that they are no longer
 * @lines:	lines at the last release of the lock
 */
struct vs_model_race {
	bool on;
	u64 state;
	u32 age;
	bool waited;
	u32 held;
	u32 late;
	u32 ghost;
	u32 lines;
};

/**
 * struct vs_model - A model; the first member of each family's own structure.
 * @ops:	family
 * @host:	host
 * @lock:	protects all that registers show
 * @lines:	interrupt lines as the host was last told
 * @kick:	the host is to be told of work when the lock is released
 * @findings:	number of reports
 * @quiet:	no reports now
 * @inject:	how often each failure is still to happen
 * @race:	races by seed
 */
struct vs_model {
	const struct vs_model_ops *ops;
	struct vs_model_host host;
	vs_lock lock;
	u32 lines;
	bool kick;
	u64 findings;
	bool quiet;
	u32 inject[VS_MODEL_INJECTIONS];
	struct vs_model_race race;
};

void vs_model_lock(struct vs_model *m);
/* Release the lock, then tell the host of interrupts and work. */
void vs_model_unlock(struct vs_model *m);
/* With the lock. */
void vs_model_report(struct vs_model *m, u32 reg, u32 value, const char *fmt, ...) __printf(4, 5);
/* Whether failure number @what is to happen now; counts it. */
bool vs_model_fails(struct vs_model *m, u32 what);

/* ---- races: model_race.c; with the lock unless said otherwise ---- */

/* A number below @n; 0 without races. */
u32 vs_model_random(struct vs_model *m, u32 n);
/* Once in @n times; false without races. */
bool vs_model_chance(struct vs_model *m, u32 n);
/* Whether this read finds a command still executing; @reads: number of those that do. */
bool vs_model_slow(struct vs_model *m, u32 *reads);
/* Whether the end of job number @n is held back, to be shown by @show or earlier. */
bool vs_model_hold(struct vs_model *m, u32 n);
/* Begin races; @seed 0: no more. */
void vs_model_race_seed(struct vs_model *m, u32 seed);
void vs_model_race_step(struct vs_model *m);
u32 vs_model_race_lines(struct vs_model *m);
/* Without the lock, by the worker: the host's wait. */
void vs_model_wait(struct vs_model *m);
/* After a round of work, likewise; @busy: there is more. Return: something is held back. */
bool vs_model_race_work(struct vs_model *m, bool busy);

/* ---- interrupts ---- */

/**
 * struct vs_model_irq - A group of interrupts.
 * @raw:	pending
 * @mask:	those that reach the line
 * @seen:	pending ones that the driver has read
 */
struct vs_model_irq {
	u32 raw;
	u32 mask;
	u32 seen;
};

/* Registers of a group, from its first one on. */
enum { VS_IRQ_RAWSTAT = 0, VS_IRQ_CLEAR = 4, VS_IRQ_MASK = 8, VS_IRQ_STAT = 12 };

u32 vs_model_irq_read(struct vs_model *m, struct vs_model_irq *q, u32 which);
/* CLEAR or MASK; @reg: offset, for findings. */
void vs_model_irq_write(struct vs_model *m, struct vs_model_irq *q, u32 reg, u32 which, u32 value);

#endif /* VS_MODEL_OPS_H */
