/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Extents at multiples of 2^32 and of 4 GiB: low words of addresses wrap around in them.
 */
#ifndef FUZZ_EXTENT_H
#define FUZZ_EXTENT_H

#include <sys/mman.h>

#include "engine/vs_job.h"
#include "fuzz.h"

#define FUZZ_FORMS	8
#define FUZZ_PAGE	4096
#define FUZZ_4GIB	0x100000000ull

/* Memory of @size bytes, all zeros, that ends at a page which cannot be accessed. */
static inline uint8_t *fuzz_large(uint64_t size)
{
	const uint64_t most = FUZZ_4GIB + FUZZ_PAGE;
	static uint8_t *mem;

	if (!mem) {
		mem = (uint8_t *)mmap(NULL, most + FUZZ_PAGE, PROT_NONE,
				      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		MUST(mem != MAP_FAILED);
		MUST(!mprotect(mem, most, PROT_READ | PROT_WRITE));
	}
	MUST(size <= most);
	MUST(!madvise(mem, most, MADV_DONTNEED));
	return mem + most - size;
}

/*
 * Addresses of one more extent for a memory of @size bytes below 2^32; forms: 0: none; for the
 * same memory up to 2^32, from there on, across; 4 GiB and about as much.
 */
static inline struct vs_extent fuzz_range(uint32_t form, uint64_t size)
{
	const struct vs_extent ranges[FUZZ_FORMS] = {
		[1] = { .lo = FUZZ_4GIB - size, .hi = FUZZ_4GIB },
		{ .lo = FUZZ_4GIB, .hi = FUZZ_4GIB + size },
		{ .lo = FUZZ_4GIB - size / 2, .hi = FUZZ_4GIB - size / 2 + size },
		{ .lo = FUZZ_4GIB, .hi = 2 * FUZZ_4GIB },
		{ .lo = FUZZ_4GIB - 0x8000, .hi = 2 * FUZZ_4GIB - 0x8000 },
		{ .lo = FUZZ_4GIB + 16, .hi = 2 * FUZZ_4GIB },
		{ .lo = FUZZ_4GIB - 16, .hi = 2 * FUZZ_4GIB + 16 },
	};

	return ranges[form % FUZZ_FORMS];
}

static inline bool fuzz_is_large(uint32_t form)
{
	return form % FUZZ_FORMS >= FUZZ_FORMS / 2;
}

/* That extent for the memory of @e; large ones begin and end with a copy of it. */
static inline struct vs_extent fuzz_extent(uint32_t form, const struct vs_extent *e)
{
	uint64_t n = e->hi - e->lo;
	struct vs_extent x = fuzz_range(form, n);

	x.kva = e->kva;
	x.flags = e->flags;
	if (fuzz_is_large(form)) {
		x.kva = fuzz_large(x.hi - x.lo);
		memcpy(x.kva, e->kva, n);
		memcpy(x.kva + (x.hi - x.lo - n), e->kva, n);
	}
	return x;
}

#endif
