/* SPDX-License-Identifier: MIT */
/*
 * Micro-ops of both machines as text.
 */
#ifndef VS_UOP_PRINT_H
#define VS_UOP_PRINT_H

#include "engine/simt/simt.h"
#include "engine/vs_prog.h"

/* One line of text for micro-op @n. Return: characters written. */
int vs_prog_print_uop(const struct vs_prog *p, u32 n, char *buf, size_t size);
int simt_prog_print_uop(const struct simt_prog *p, u32 n, char *buf, size_t size);

#endif /* VS_UOP_PRINT_H */
