/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SELFTESTS_PICA_EXEC_ENGINE_H
#define SELFTESTS_PICA_EXEC_ENGINE_H

#include "pica_exec.h"

/* An executor for each build of the engine that runs here. Return: number of executors. */
unsigned int pica_exec_engines(struct pica_executor **list, unsigned int max);

#endif
