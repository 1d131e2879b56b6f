// SPDX-License-Identifier: MIT
/*
 * Error texts, one per thread.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "priv.h"

static __thread char text[4096];

const char *vshader_error(void)
{
	return text;
}

int vsh_vfail(int err, const char *fmt, va_list ap)
{
	char buf[sizeof(text)];

	/* The arguments may refer to the old text. */
	vsnprintf(buf, sizeof(buf), fmt, ap);
	memcpy(text, buf, sizeof(text));
	return -err;
}

int vsh_fail(int err, const char *fmt, ...)
{
	va_list ap;
	int ret;

	va_start(ap, fmt);
	ret = vsh_vfail(err, fmt, ap);
	va_end(ap);
	return ret;
}

void vsh_fail_prefix(const char *fmt, ...)
{
	char buf[sizeof(text)];
	va_list ap;
	size_t len;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	len = strlen(buf);
	snprintf(buf + len, sizeof(buf) - len, "%s", text);
	memcpy(text, buf, sizeof(text));
}

int64_t vsh_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

int64_t vsh_deadline(int64_t timeout_ns)
{
	int64_t now = vsh_now_ns();

	if (timeout_ns <= 0)
		return now;
	return timeout_ns > INT64_MAX - now ? INT64_MAX : now + timeout_ns;
}
