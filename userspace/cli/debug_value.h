/* SPDX-License-Identifier: MIT */
/*
 * Values of expressions, and their formats.
 */
#ifndef VSHADER_CLI_DEBUG_VALUE_H
#define VSHADER_CLI_DEBUG_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DBG_MAX_COMPONENTS	64

enum dbg_type {
	DBG_SIGNED,
	DBG_UNSIGNED,
	DBG_FLOAT
};

enum dbg_place {
	DBG_NOWHERE,
	DBG_PC,		/* the next instruction of the selected invocation */
	DBG_REGISTER,	/* @reg, components from @first on */
	DBG_MEMORY,	/* @va */
	DBG_VARIABLE	/* @var */
};

/**
 * struct dbg_value - value of an expression
 * @type: of the components
 * @bits: of a component: 8, 16, 32 or 64
 * @hex: hexadecimal by default
 * @lanes: components are numbered, not called x, y, z, w
 * @num: components
 * @vector: also shown as one if there is one component only
 * @v: bits of the components
 * @place: target of an assignment
 * @reg: register
 * @first: its first component
 * @half: of that component, a binary16: 1 the low one, 2 the high one; 0: all of it
 * @va: address
 * @var: number of a variable
 */
struct dbg_value {
	enum dbg_type type;
	unsigned int bits;
	bool hex;
	bool lanes;
	unsigned int num;
	bool vector;
	uint64_t v[DBG_MAX_COMPONENTS];
	enum dbg_place place;
	uint32_t reg;
	uint32_t first;
	unsigned int half;
	uint64_t va;
	unsigned int var;
};

/**
 * struct dbg_format - format of print, x, display
 * @letter: x d u o t a c f z s i, 0: by type
 * @size: b h w g, 0: by type
 * @count: repeat count
 * @given: a format was given
 */
struct dbg_format {
	char letter;
	char size;
	unsigned int count;
	bool given;
};

struct dbg_value dbg_int(int64_t n);
struct dbg_value dbg_uint(uint64_t n, unsigned int bits);
struct dbg_value dbg_double(double n);
/* Component as a number. */
int64_t dbg_to_int(const struct dbg_value *v, unsigned int n);
double dbg_to_double(const struct dbg_value *v, unsigned int n);
/* Bits of component @n converted to another type. */
uint64_t dbg_convert(const struct dbg_value *v, unsigned int n, enum dbg_type type,
		     unsigned int bits);
/* Text of a component. */
const char *dbg_component(const struct dbg_value *v, unsigned int n, char letter, char *buf,
			  size_t size);
/* Text of a value: "1", "{x = 1, y = 2}", "{1, 2}". Return: @buf. */
const char *dbg_text(const struct dbg_value *v, char letter, char *buf, size_t size);
/* A type by its name; NULL: no such type. @len: characters of @name. */
bool dbg_type_by_name(const char *name, size_t len, enum dbg_type *type, unsigned int *bits);

#endif /* VSHADER_CLI_DEBUG_VALUE_H */
