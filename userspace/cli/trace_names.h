/* SPDX-License-Identifier: MIT */
/*
 * Names of registers in the text of instructions.
 */
#ifndef VSHADER_CLI_TRACE_NAMES_H
#define VSHADER_CLI_TRACE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * trace_next_name - the next name in an instruction that may be one of a register
 * @text: in: text to parse; out: text after the name
 * @engine: of the instruction
 * @pc: where it is
 * @name: as debuggers write it
 * @size: room at @name
 *
 * Return: false: there are no more.
 */
bool trace_next_name(const char **text, uint32_t engine, uint32_t pc, char *name, size_t size);

#endif /* VSHADER_CLI_TRACE_NAMES_H */
