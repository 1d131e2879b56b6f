// SPDX-License-Identifier: GPL-2.0
/* The list of executors this build has. */
#include <string.h>

#include "exec_engine.h"

#define MAX_EXECUTORS	16

struct pica_executor **pica_executors(const char *only)
{
	static struct pica_executor *list[MAX_EXECUTORS + 1];
	struct pica_executor *all[MAX_EXECUTORS] = { &pica_exec_ref };
	unsigned int i, count, n = 0;

	count = 1 + pica_exec_engines(all + 1, MAX_EXECUTORS - 1);
	for (i = 0; i < count; i++) {
		if (!only || !strncmp(all[i]->name, only, strlen(only)))
			list[n++] = all[i];
	}
	list[n] = NULL;
	return list;
}
