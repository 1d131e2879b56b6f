/* SPDX-License-Identifier: GPL-2.0 */
/* Shared helpers of the library's tests. */
#ifndef LIB_TEST_H
#define LIB_TEST_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "vshader.h"

/* mov o0, v0; end */
static const uint32_t copy_code[] = { 0x4c000000, 0x88000000 };
static const uint32_t copy_desc[] = { 0x0000036f };
/* jmpu b0, 0; end */
static const uint32_t loop_code[] = { 0xb4000000, 0x88000000 };

static inline bool is_error(int ret, int err, const char *what)
{
	bool ok = tap_result(ret == -err, "%s", what);

	if (!ok)
		tap_comment("%d, expected %d: %s", ret, -err, vshader_error());
	return ok;
}

static inline bool is_ok(int ret, const char *what)
{
	bool ok = tap_result(ret >= 0, "%s", what);

	if (!ok)
		tap_comment("%d: %s", ret, vshader_error());
	return ok;
}

static inline int make_program(struct vshader_device *dev, const uint32_t *code, uint32_t n,
			       uint32_t *id)
{
	static const uint32_t entry;
	const struct vshader_source src = {
		.engine = DRM_VSHADER_ENGINE_PICA,
		.words = { code, copy_desc },
		.num_words = { n, 1 },
		.entries = &entry,
		.num_entries = 1,
	};

	return vshader_program_create(dev, &src, NULL, id);
}

#endif /* LIB_TEST_H */
