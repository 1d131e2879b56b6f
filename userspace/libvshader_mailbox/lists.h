/* SPDX-License-Identifier: MIT */
/*
 * Registers of the two threads that execute control lists.
 */
#ifndef MBOX_LISTS_H
#define MBOX_LISTS_H

#include <stdbool.h>
#include <stdint.h>

/* Whether a register of the V3D block, by its byte, is one of them. */
bool lists_has(uint32_t at);
uint32_t lists_read(uint32_t at);
/* A write may execute lists: it returns when they have ended. */
void lists_write(uint32_t at, uint32_t value);

#endif /* MBOX_LISTS_H */
