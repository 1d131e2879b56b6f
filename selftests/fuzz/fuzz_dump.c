// SPDX-License-Identifier: GPL-2.0
/*
 * Dumps: for any file, no read is out of bounds, and memory and registers are those in the
 * file.
 */
#include "fuzz.h"

/* the driver has one of this name too */
#include "../../userspace/libdrm_vshader/vshader_dump.h"

static void check_memory(const struct vshader_dump *d, uint32_t type, const uint8_t *data,
			 size_t size)
{
	uint64_t at = 0, va, len, end = 0;
	uint8_t some[64];
	const uint8_t *p;

	while ((p = vshader_dump_run(d, type, &at, &va, &len))) {
		MUST(p >= data && len <= size && p <= data + size - len);
		MUST(va >= end);
		end = va + len;
		vshader_dump_read(d, va - 7, some, sizeof(some));
	}
}

static void check_registers(const struct vshader_dump *d)
{
	uint32_t i, k, n, val[16], sum = 0;

	for (i = 0; i < d->num_invocations && i < 3; i++) {
		for (k = 0; k < d->num_banks; k++) {
			for (n = 0; n < d->banks[k].count; n++) {
				uint32_t got = vshader_dump_register(d, i, d->banks[k].first + n,
								     val);

				MUST(got <= 16);
				while (got)
					sum += val[--got];
			}
		}
	}
	/* the values must have been there */
	__asm__ volatile("" : : "r"(sum));
}

static void check_elements(const struct vshader_dump *d)
{
	uint8_t some[512];
	uint32_t type;

	for (type = 0; type < VSHADER_DUMP_TYPES + 2; type++) {
		vshader_dump_element(d, type, 0, some, sizeof(some));
		vshader_dump_element(d, type, ~0ull, some, sizeof(some));
		if (type < VSHADER_DUMP_TYPES && d->part[type].count)
			vshader_dump_element(d, type, d->part[type].count - 1, some, 13);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct vshader_dump *d = NULL;
	int ret = vshader_dump_parse(data, size, &d);

	if (ret) {
		MUST(ret == -22 || ret == -12);
		MUST(vshader_error()[0]);
		return 0;
	}
	check_memory(d, DRM_VSHADER_DUMP_MEMORY, data, size);
	check_memory(d, DRM_VSHADER_DUMP_MEMORY_AFTER, data, size);
	check_registers(d);
	check_elements(d);
	vshader_dump_free(d);
	return 0;
}
