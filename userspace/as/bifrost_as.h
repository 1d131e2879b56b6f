/* SPDX-License-Identifier: MIT */
/*
 * Bifrost assembler: internal interfaces.
 */
#ifndef BIFROST_AS_H
#define BIFROST_AS_H

#include "bifrost_disasm.h"
#include "vs_as.h"

#define BAS_MAX_OPERANDS	8

/**
 * struct bas_op - parsed operation
 * @head: mnemonic and its modifiers, without the sign of the unit; NULL: none was written
 * @dest: destination
 * @operand: sources, immediates, staging register
 * @noperands: number of @operand
 * @raw: the bits are given
 * @bits: 23 or 20 bits
 * @line: number of its line
 */
struct bas_op {
	char *head;
	char *dest;
	char *operand[BAS_MAX_OPERANDS];
	u32 noperands;
	bool raw;
	u32 bits;
	u32 line;
};

/* A tuple; @given: its register block is, by fields (@ports) or as a number (@raw). */
struct bas_tuple {
	struct bas_op op[BI_NUM_UNITS];
	struct bi_ports ports;
	bool given;
	bool raw;
	u64 regs;
	u32 line;
};

/**
 * struct bas_clause - parsed clause or data
 * @ndata: words of data; a clause has none
 * @data: the words, NULL: zeroes
 * @header: fields of the header
 * @raw_header: header given as a number, or -1
 * @sr_given: the staging register is known
 * @consts_given: so are the constants
 * @ntuples: tuples
 * @tuples: tuples
 * @c: the clause that results
 * @pos: quad
 * @line: number of its first line
 * @last: number of the line of its last operation
 */
struct bas_clause {
	u32 ndata;
	u32 data[4];
	struct bi_header header;
	s64 raw_header;
	bool sr_given;
	bool consts_given;
	u32 ntuples;
	struct bas_tuple tuples[BI_MAX_TUPLES];
	struct bi_clause c;
	u32 pos;
	u32 line;
	u32 last;
};

#define BAS_BUCKETS	16384

/* @next: 1 + index of another label with the same hash value, or 0. */
struct bas_label {
	char *name;
	u32 clause;
	u32 line;
	u32 next;
};

/**
 * struct bas - assembly
 * @diag: messages
 * @line: line being read
 * @clauses: clauses and data
 * @nclauses: number of @clauses
 * @labels: labels
 * @nlabels: number of @labels
 * @bucket: 1 + index of the last label of each hash value
 * @end: size in quads, once it is known
 * @open: within the braces of the last clause
 * @nomem: memory ran out
 */
struct bas {
	struct vs_as_diag *diag;
	u32 line;
	struct bas_clause *clauses;
	u32 nclauses;
	struct bas_label *labels;
	u32 nlabels;
	u32 bucket[BAS_BUCKETS];
	u32 end;
	bool open;
	bool nomem;
};

int __printf(3, 4) bas_error(struct bas *as, u32 line, const char *fmt, ...);
/* A number that is the whole text. */
bool bas_number(const char *s, u64 limit, u64 *value);
/* Register that is the whole text or precedes a dot or colon: 0..63, or -1. */
int bas_register(const char *s);
u32 bas_hash(const char *name, size_t len);
const struct bas_label *bas_find(const struct bas *as, const char *name, size_t len);
/* Quad of a label or of clause_N. */
bool bas_target(const struct bas *as, const char *name, size_t len, s64 *quad);

/* bifrost_as_line.c: a line, without comments, blanks around it cut off. */
int bas_line(struct bas *as, char *s);

/* bifrost_as_op.c: encode an operation; ports and constants of the view are known. */
int bas_encode(struct bas *as, const struct bi_view *v, u32 tuple, enum bi_unit unit,
	       const struct bas_op *op, u32 *bits);

/* bifrost_as_auto.c: find register blocks and constants by the operands. */
int bas_assign_ports(struct bas *as, struct bas_clause *c);
/* Their number does not depend on positions, their values do. */
int bas_assign_consts(struct bas *as, struct bas_clause *c);

#endif /* BIFROST_AS_H */
