// SPDX-License-Identifier: GPL-2.0
/* Allocations that fail on demand; the program is linked with --wrap. */
#include <stdlib.h>

#include "image.h"

int fail_after = -1;

static int fails(void)
{
	if (fail_after < 0 || fail_after--)
		return 0;
	fail_after = -1;
	return 1;
}

void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}
