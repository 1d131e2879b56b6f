/* SPDX-License-Identifier: GPL-2.0 */
/* Results derived by hand from the rules, including cases without recordings. */
#ifndef SELFTESTS_QPU_VECTORS_H
#define SELFTESTS_QPU_VECTORS_H

#include <stdbool.h>
#include <stdint.h>

/* @flags: subset of "znc"; the multiplier's C is not compared. */
struct op_vector {
	bool mul;
	unsigned char op;
	uint32_t a;
	uint32_t b;
	uint32_t want;
	const char *flags;
};

/* Pack mode @mode of register file A over zero. */
struct pack_vector {
	bool mul;
	unsigned char op;
	unsigned char mode;
	uint32_t a;
	uint32_t b;
	uint32_t want;
};

/* A row of opjob_unpack(). */
struct unpack_vector {
	unsigned char row;
	uint32_t a;
	uint32_t want;
};

extern const struct op_vector op_vectors[];
extern const unsigned int num_op_vectors;
extern const struct pack_vector pack_vectors[];
extern const unsigned int num_pack_vectors;
extern const struct unpack_vector unpack_vectors[];
extern const unsigned int num_unpack_vectors;

#endif
