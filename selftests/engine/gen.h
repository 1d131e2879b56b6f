/* SPDX-License-Identifier: GPL-2.0 */
/* Random programs of micro-ops. */
#ifndef SELFTESTS_ENGINE_GEN_H
#define SELFTESTS_ENGINE_GEN_H

#include "eng.h"

#define GEN_ROWOFF	448	/* integer slots: written by F2I, read by LDROW only */

/* A random data micro-op; floats and integers are kept apart. */
struct vs_uop gen_data(struct eng_rand *r);
/* A random control micro-op of word @g in a program of @nguest words. */
struct vs_uop gen_flow(struct eng_rand *r, u32 g, u32 nguest);
/* A random program, by way of the builder. */
struct vs_prog *gen_program(struct eng_rand *r, u32 nguest);

#endif
