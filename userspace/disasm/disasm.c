// SPDX-License-Identifier: MIT
/*
 * Text of listings.
 */
#include "disasm.h"

/**
 * vs_put - add to a text
 * @t: text
 * @fmt: as for printf
 */
void vs_put(struct vs_text *t, const char *fmt, ...)
{
	bool fits = t->buf && t->len < t->size;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(fits ? t->buf + t->len : NULL, fits ? t->size - t->len : 0, fmt, ap);
	va_end(ap);
	if (n > 0)
		t->len += n;
}
