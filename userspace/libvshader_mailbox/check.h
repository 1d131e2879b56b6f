/* SPDX-License-Identifier: MIT */
/*
 * Warnings about the code of lists.
 */
#ifndef MBOX_CHECK_H
#define MBOX_CHECK_H

#include <stdint.h>

/*
 * Print the warnings about a program, once for the same code: @bus is its address, @words is the
 * memory from there on.
 */
void check_code(uint32_t bus, const uint32_t *words, uint32_t num_words);

#endif /* MBOX_CHECK_H */
