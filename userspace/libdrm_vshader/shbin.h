/* SPDX-License-Identifier: MIT */
/*
 * SHBIN, the container of PICA200 programs: a DVLB header, one DVLP with the code and
 * the operand descriptors, and a DVLE for each program in it.
 */
#ifndef VS_SHBIN_H
#define VS_SHBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VS_SHBIN_MAX_CODE	4096
#define VS_SHBIN_MAX_OPDESC	128
#define VS_SHBIN_MAX_DVLE	4096
#define VS_SHBIN_VERSION	0x1002

/* struct vs_shbin_dvle.type */
#define VS_SHBIN_VERTEX		0
#define VS_SHBIN_GEOMETRY	1

/* struct vs_shbin_dvle.gs_mode */
#define VS_SHBIN_GS_POINT	0
#define VS_SHBIN_GS_VARIABLE	1
#define VS_SHBIN_GS_FIXED	2

/* struct vs_shbin_const.type */
#define VS_SHBIN_BOOL		0
#define VS_SHBIN_INT		1
#define VS_SHBIN_FLOAT		2

/* struct vs_shbin_out.type */
#define VS_SHBIN_OUT_POSITION	0
#define VS_SHBIN_OUT_QUATERNION	1
#define VS_SHBIN_OUT_COLOR	2
#define VS_SHBIN_OUT_TEX0	3
#define VS_SHBIN_OUT_TEX0W	4
#define VS_SHBIN_OUT_TEX1	5
#define VS_SHBIN_OUT_TEX2	6
#define VS_SHBIN_OUT_VIEW	8
#define VS_SHBIN_OUT_GENERIC	9

/**
 * struct vs_error - an error in a file, and its place
 * @offset: byte
 * @text: message, one line without its newline
 */
struct vs_error {
	size_t offset;
	char text[160];
};

/**
 * struct vs_shbin_const - a uniform that the program sets
 * @type: VS_SHBIN_BOOL, _INT or _FLOAT
 * @reg: number of the uniform
 * @value: float: x, y, z, w in 1.7.16; int: x, y, z, w; bool: 0 or 1 in [0]
 */
struct vs_shbin_const {
	uint16_t type;
	uint16_t reg;
	uint32_t value[4];
};

/**
 * struct vs_shbin_label - a named place in the code
 * @name: name
 * @id: number
 * @word: instruction word
 * @size: words, from the file
 */
struct vs_shbin_label {
	const char *name;
	uint32_t id;
	uint32_t word;
	uint32_t size;
};

/**
 * struct vs_shbin_out - an output register's meaning
 * @type: VS_SHBIN_OUT_*
 * @reg: output register
 * @mask: components, bit 0 is x
 */
struct vs_shbin_out {
	uint16_t type;
	uint16_t reg;
	uint16_t mask;
};

/**
 * struct vs_shbin_reg - a named range of inputs or uniforms
 * @name: name
 * @kind: 'v', 'c', 'i' or 'b'; '?' if the file names a range that is none of them
 * @first: first register of that kind
 * @last: last register
 * @raw_first: as the file numbers it
 * @raw_last: as the file numbers it
 */
struct vs_shbin_reg {
	const char *name;
	char kind;
	uint16_t first;
	uint16_t last;
	uint16_t raw_first;
	uint16_t raw_last;
};

/**
 * struct vs_shbin_dvle - one program of a container
 * @version: format version
 * @type: VS_SHBIN_VERTEX or VS_SHBIN_GEOMETRY
 * @merge: geometry programs take unused outputs from the vertex program's map
 * @entry: word where it starts
 * @end: word after its main procedure
 * @in_mask: input registers used
 * @out_mask: output registers used
 * @gs_mode: VS_SHBIN_GS_*
 * @gs_fixed_start: fixed mode: first float uniform of the vertex array
 * @gs_variable_count: variable mode: vertices with all attributes
 * @gs_fixed_count: fixed mode: vertices
 * @consts: uniforms that it sets
 * @nconsts: number of @consts
 * @labels: named places
 * @nlabels: number of @labels
 * @outs: meaning of its outputs
 * @nouts: number of @outs
 * @regs: named inputs and uniforms
 * @nregs: number of @regs
 */
struct vs_shbin_dvle {
	uint16_t version;
	uint8_t type;
	uint8_t merge;
	uint32_t entry;
	uint32_t end;
	uint16_t in_mask;
	uint16_t out_mask;
	uint8_t gs_mode;
	uint8_t gs_fixed_start;
	uint8_t gs_variable_count;
	uint8_t gs_fixed_count;
	struct vs_shbin_const *consts;
	uint32_t nconsts;
	struct vs_shbin_label *labels;
	uint32_t nlabels;
	struct vs_shbin_out *outs;
	uint32_t nouts;
	struct vs_shbin_reg *regs;
	uint32_t nregs;
};

/**
 * struct vs_shbin - a container
 * @code: instruction words
 * @ncode: number of @code
 * @opdesc: operand descriptors, first words
 * @opdesc_high: second words, which the unit has no use for
 * @nopdesc: number of @opdesc
 * @dvles: programs
 * @ndvles: number of @dvles
 * @strings: where names are kept
 */
struct vs_shbin {
	uint32_t *code;
	uint32_t ncode;
	uint32_t *opdesc;
	uint32_t *opdesc_high;
	uint32_t nopdesc;
	struct vs_shbin_dvle *dvles;
	uint32_t ndvles;
	char *strings;
};

/**
 * vs_shbin_parse - take a file apart
 * @data: the file
 * @size: bytes at @data
 * @out: the container, not referring to @data
 * @err: error and its place, may be NULL
 *
 * Return: 0, -EINVAL, -ENOMEM.
 */
int vs_shbin_parse(const void *data, size_t size, struct vs_shbin **out, struct vs_error *err);

/**
 * vs_shbin_free - free a container
 * @bin: container, or NULL
 */
void vs_shbin_free(struct vs_shbin *bin);

/**
 * vs_shbin_write - make the file form
 * @bin: container
 * @data: bytes, to be released with free()
 * @size: number of bytes
 *
 * Return: 0, -EINVAL if a field does not fit the format, -ENOMEM.
 */
int vs_shbin_write(const struct vs_shbin *bin, void **data, size_t *size);

/**
 * vs_shbin_text - what a program has beside its words, as directives
 * @dvle: program
 * @text: text for the assembler, to be released with free()
 *
 * Return: 0 or -ENOMEM.
 */
int vs_shbin_text(const struct vs_shbin_dvle *dvle, char **text);

/**
 * vs_shbin_find_label - look a label up
 * @dvle: program
 * @name: name
 *
 * Return: the label, or NULL.
 */
const struct vs_shbin_label *vs_shbin_find_label(const struct vs_shbin_dvle *dvle,
						 const char *name);

/**
 * vs_shbin_find_reg - look an input or uniform up
 * @dvle: program
 * @name: name
 *
 * Return: the range, or NULL.
 */
const struct vs_shbin_reg *vs_shbin_find_reg(const struct vs_shbin_dvle *dvle, const char *name);

#endif /* VS_SHBIN_H */
