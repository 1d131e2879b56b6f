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
 * trace_next_name - find the next possible register name in an instruction
 * @text: in: text to parse; out: text after the name
 * @engine: engine of the instruction
 * @pc: PC of the instruction
 * @name: the name in the debugger's spelling
 * @size: room at @name
 *
 * Return: false if there are no more names.
 */
bool trace_next_name(const char **text, uint32_t engine, uint32_t pc, char *name, size_t size);

#endif /* VSHADER_CLI_TRACE_NAMES_H */
