/* SPDX-License-Identifier: MIT */
/*
 * The registers by which programs start QPUs without the firmware.
 */
#ifndef MBOX_REGS_H
#define MBOX_REGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether a physical address is one of peripherals. */
bool regs_address(uint64_t phys);
/*
 * Map peripherals. Only the V3D block is more than memory that reads 0, and of it only
 * the queue of user programs. Return: address, or NULL: not on this machine, or mapped
 * already.
 */
void *regs_map(uint64_t phys, size_t size);
/* Forget the mapping if it is in the range, which is about to be unmapped. */
void regs_forget(const void *addr, size_t size);
/* Unmap. Return: whether it was the mapping. */
bool regs_unmap(const void *addr);

#endif /* MBOX_REGS_H */
