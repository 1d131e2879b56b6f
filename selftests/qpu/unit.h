/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Peripherals of the QPUs on their own: the shared state of a machine without one.
 */
#ifndef SELFTESTS_QPU_UNIT_H
#define SELFTESTS_QPU_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "../../kernel/isa/qpu/qpu_intern.h"

#define UNIT_BASE	0x20000000u	/* bus address of the memory */
#define UNIT_SIZE	0x200000u
#define UNIT_RO_BASE	0x28000000u	/* more of it, read-only */
#define UNIT_RO_SIZE	0x1000u

extern struct qpu_shared unit_s;
extern struct qpu_core *unit_q;		/* QPU 0 */
extern uint8_t unit_mem[UNIT_SIZE];
extern uint8_t unit_ro[UNIT_RO_SIZE];

/* A fresh machine, memory and pipeline memory cleared; no faults. */
void unit_start(void);
/* Was this fault, and no other before, raised since the last call? Forgets it. */
bool unit_faulted(enum vs_fault_kind kind, uint32_t address, uint32_t size);
bool unit_faulted_code(enum vs_fault_kind kind, uint32_t code);
bool unit_any_fault(void);

uint32_t unit_get32(uint32_t address);
void unit_put32(uint32_t address, uint32_t value);

/* Numbers that depend on the seed only. */
void unit_seed(uint64_t seed);
uint32_t unit_random(void);
/* 0 .. n - 1 */
uint32_t unit_below(uint32_t n);
void unit_fill(void *p, size_t bytes);

uint32_t unit_float(float f);

#endif
