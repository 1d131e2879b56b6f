/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Predecoded instructions.
 */
#ifndef QPU_LOWER_H
#define QPU_LOWER_H

#include "qpu_vm.h"

#define QPU_MAX_UOPS	20	/* per instruction */

/* Properties that prevent an instruction from being only micro-ops. */
#define QPU_X_READ	0x01	/* reads a peripheral */
#define QPU_X_WRITE	0x02	/* writes a peripheral */
#define QPU_X_SIGNAL	0x04	/* has a signal with an effect */
#define QPU_X_BRANCH	0x08
#define QPU_X_SEMA	0x10
#define QPU_X_BAD	0x20	/* cannot be executed: see @bad */
#define QPU_X_END	0x40	/* end of a predecoded run: look the next address up */

/* Use of flags by an instruction. */
#define QPU_FLAGS_USED	0x1	/* reads flags */
#define QPU_FLAGS_SET	0x2	/* sets all flags */

/**
 * struct qpu_dec - predecoded instruction
 * @uop:	first micro-op; they end at @uop of the next entry
 * @run:	plain and simple instructions from here on, 0 if this one is neither
 * @x:		QPU_X_*
 * @sig:	enum qpu_sig, NONE if it has no effect
 * @rd:		peripheral read address of port A and B, 0 none
 * @wr:		peripheral write address of adder and multiplier, 0 none
 * @wfile:	file of these addresses: 0 A, 1 B
 * @wcond:	condition of these writes
 * @wslot:	slot of the value of a simple instruction's write
 * @br_cond:	branch; see struct qpu_insn
 * @br_rel:	"
 * @br_reg:	"
 * @br_raddr:	"
 * @sf:		branch sets flags
 * @simple:	only VPM accesses, DMA, TMU requests and results: cannot stall
 * @flags:	QPU_FLAGS_*
 * @unif:	reads a uniform
 * @nunif:	uniforms that previous instructions of the run read
 * @weight:	cost of the peripheral accesses of a simple instruction
 * @store:	writes memory, by a DMA store
 * @quick:	branch to a relative address without a link, whose delay slots are only micro-ops
 * @next:	1 + entry of the run at the target of a quick branch, 0: not looked up yet
 * @bad:	BAD: 0 not in memory, else enum qpu_reason
 * @imm:	branch offset, semaphore word
 */
struct qpu_dec {
	u32 uop;
	u16 run;
	u8 x;
	u8 sig;
	u8 rd[2];
	u8 wr[2];
	u8 wfile[2];
	u8 wcond[2];
	u8 wslot[2];
	u8 br_cond;
	u8 br_rel;
	u8 br_reg;
	u8 br_raddr;
	u8 sf;
	u8 bad;
	u8 simple;
	u8 flags;
	u8 unif;
	u8 nunif;
	u16 weight;
	u8 store;
	u8 quick;
	u16 next;
	u32 imm;
};

/**
 * qpu_lower - predecode a defined instruction
 * @insn: instruction
 * @d: filled in, except for @uop and @run
 * @u: room for QPU_MAX_UOPS micro-ops
 *
 * Return: number of micro-ops.
 */
u32 qpu_lower(const struct qpu_insn *insn, struct qpu_dec *d, struct qpu_uop *u);

/* Remove the setting of dead flags from micro-ops @u, @n of them. */
void qpu_drop_flags(struct qpu_uop *u, u32 n);

/* Does the instruction read a uniform? At most one, whatever the ports and operands. */
bool qpu_reads_uniform(const struct qpu_insn *insn);
/* Slot that port A (0) or B (1) reads. Return: false: the port is unused. */
bool qpu_port_source(const struct qpu_insn *insn, u32 port, u32 *slot);
/* Does the instruction read the bus residue of port A or B (bits 0 and 1)? */
u32 qpu_reads_residue(const struct qpu_insn *insn);

#endif /* QPU_LOWER_H */
