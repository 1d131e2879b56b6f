// SPDX-License-Identifier: GPL-2.0
/* The list of executors this build has. */
#include <string.h>

#include "pica_exec.h"

#define MAX_EXECUTORS	16

static struct pica_executor *const all[] = {
	&pica_exec_ref,
};

struct pica_executor **pica_executors(const char *only)
{
	static struct pica_executor *list[MAX_EXECUTORS + 1];
	unsigned int i, n = 0;

	for (i = 0; i < sizeof(all) / sizeof(all[0]) && n < MAX_EXECUTORS; i++) {
		if (!only || !strncmp(all[i]->name, only, strlen(only)))
			list[n++] = all[i];
	}
	list[n] = NULL;
	return list;
}
