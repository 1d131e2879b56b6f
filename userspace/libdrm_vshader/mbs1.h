/* SPDX-License-Identifier: MIT */
/*
 * MBS1, the container of Utgard programs: nested chunks of a tag of four letters and a size.
 * It holds programs with their words and tables of symbols that say where uniforms,
 * attributes and varyings are.
 *
 * Source: the lima project's notes on the format and its tools.
 */
#ifndef VS_MBS1_H
#define VS_MBS1_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shbin.h"

#define VS_MBS1_MAX_WORDS	65536	/* of a program */
#define VS_MBS1_MAX_PROGRAMS	16
#define VS_MBS1_NONE		0xffff	/* no parent; offset of a varying that is not used */

/* struct vs_mbs1_program.stage */
#define VS_MBS1_VERTEX		0
#define VS_MBS1_FRAGMENT	1

/* Tables of symbols. */
enum vs_mbs1_kind {
	VS_MBS1_UNIFORM, VS_MBS1_ATTRIBUTE, VS_MBS1_VARYING, VS_MBS1_NUM_KINDS
};

/**
 * struct vs_mbs1_symbol - a uniform, attribute or varying
 * @name: name
 * @type: 1 float, 2 int, 3 bool, 4 matrix, 5 sampler2D, 6 samplerCube, 8 struct, 9 external
 *	sampler
 * @precision: 1 low, 2 medium, 3 high
 * @dst_stride: 16; 24 for varyings that texture units take
 * @components: of a vector or of a matrix' column, members of a struct, dimensions of a
 *	sampler
 * @size: of an element, in scalars
 * @entries: elements of an array, 0 if it is none
 * @stride: scalars from one element to the next
 * @offset: place in scalars, within the struct if there is one
 * @parent: symbol that this is a member of, or VS_MBS1_NONE
 * @invariant: not 0 if it was declared so
 * @init: first value, bits of floats
 * @ninit: number of @init
 */
struct vs_mbs1_symbol {
	char *name;
	uint8_t type;
	uint8_t precision;
	uint8_t dst_stride;
	uint16_t components;
	uint16_t size;
	uint16_t entries;
	uint16_t stride;
	uint16_t offset;
	uint16_t parent;
	uint32_t invariant;
	uint32_t *init;
	uint32_t ninit;
};

/**
 * struct vs_mbs1_table - symbols of a kind
 * @symbols: symbols
 * @n: how many
 * @size: scalars that uniforms take, if @sized
 * @sized: the file has the size
 * @there: the file has this table
 */
struct vs_mbs1_table {
	struct vs_mbs1_symbol *symbols;
	uint32_t n;
	uint32_t size;
	bool sized;
	bool there;
};

/**
 * struct vs_mbs1_program - a program
 * @stage: VS_MBS1_VERTEX or VS_MBS1_FRAGMENT
 * @core: 2 and 6: vertex processors of Mali-200 and 400; 5 and 7: their pixel processors
 * @code: words
 * @ncode: how many
 * @tables: symbols, by enum vs_mbs1_kind
 * @instructions: vertex: number of instructions
 * @prefetch: vertex: attribute prefetch
 * @stack_size: fragment: rows of temporaries
 * @stack_offset: fragment: first one
 * @discard: fragment: it may discard
 * @buffers: fragment: reads colour, writes colour, reads depth, writes depth, reads stencil,
 *	writes stencil
 * @skipped: chunks that were not understood
 */
struct vs_mbs1_program {
	uint32_t stage;
	uint32_t core;
	uint32_t *code;
	uint32_t ncode;
	struct vs_mbs1_table tables[VS_MBS1_NUM_KINDS];
	uint32_t instructions;
	uint32_t prefetch;
	uint32_t stack_size;
	uint32_t stack_offset;
	uint32_t discard;
	uint8_t buffers[6];
	uint32_t skipped;
};

/**
 * struct vs_mbs1 - a container
 * @programs: programs
 * @n: how many
 */
struct vs_mbs1 {
	struct vs_mbs1_program *programs;
	uint32_t n;
};

/**
 * vs_mbs1_parse - take a file apart
 * @data: the file
 * @size: bytes at @data
 * @out: the container, not referring to @data
 * @err: error and its place, may be NULL
 *
 * Return: 0, -EINVAL, -ENOMEM.
 */
int vs_mbs1_parse(const void *data, size_t size, struct vs_mbs1 **out, struct vs_error *err);

/**
 * vs_mbs1_free - free a container
 * @mbs: container, or NULL
 */
void vs_mbs1_free(struct vs_mbs1 *mbs);

/**
 * vs_mbs1_find - a program of a stage
 * @mbs: container
 * @stage: VS_MBS1_VERTEX or VS_MBS1_FRAGMENT
 * @index: which of them
 *
 * Return: the program, or NULL.
 */
const struct vs_mbs1_program *vs_mbs1_find(const struct vs_mbs1 *mbs, uint32_t stage,
					   uint32_t index);

/**
 * vs_mbs1_symbol - look a symbol up
 * @prog: program
 * @kind: table
 * @name: name
 *
 * Return: the symbol, or NULL.
 */
const struct vs_mbs1_symbol *vs_mbs1_symbol(const struct vs_mbs1_program *prog,
					    enum vs_mbs1_kind kind, const char *name);

/**
 * vs_mbs1_type_name - name of a type of symbols
 * @type: number
 *
 * Return: the name, or NULL.
 */
const char *vs_mbs1_type_name(uint32_t type);

/**
 * vs_mbs1_write - make the file form
 * @mbs: container
 * @data: bytes, to be released with free()
 * @size: number of bytes
 *
 * Return: 0, -EINVAL if it exceeds a limit, -ENOMEM.
 */
int vs_mbs1_write(const struct vs_mbs1 *mbs, void **data, size_t *size);

#endif /* VS_MBS1_H */
