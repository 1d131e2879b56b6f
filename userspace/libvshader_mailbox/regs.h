/* SPDX-License-Identifier: MIT */
/*
 * The registers by which programs start QPUs and control lists without the firmware.
 */
#ifndef MBOX_REGS_H
#define MBOX_REGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether a physical address is one of peripherals, of any model, and not allocated. */
bool regs_address(uint64_t phys);
/*
 * Map peripherals. Only the V3D block is more than memory that reads 0, and of it only
 * the queue of user programs and the threads of control lists. All mappings show the same
 * registers. Return: address, or NULL: not on this machine, or not the start of a page.
 */
void *regs_map(uint64_t phys, size_t size);
/*
 * Forget mappings that start or have their registers in the range, which is about to be
 * unmapped.
 */
void regs_forget(const void *addr, size_t size);
/* Unmap. Return: whether a mapping starts there. */
bool regs_unmap(const void *addr);

#endif /* MBOX_REGS_H */
