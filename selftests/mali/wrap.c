// SPDX-License-Identifier: GPL-2.0
/* Allocations that fail on demand; the program is linked with --wrap=calloc. */
#include <stdlib.h>

#include "image.h"

int fail_after = -1;

void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);

void *__wrap_calloc(size_t n, size_t size)
{
	if (fail_after >= 0 && !fail_after--) {
		fail_after = -1;
		return NULL;
	}
	return __real_calloc(n, size);
}
