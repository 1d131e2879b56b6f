// SPDX-License-Identifier: GPL-2.0
/*
 * Peripherals of the QPUs on their own.
 */
#include <string.h>

#include "unit.h"

struct qpu_shared unit_s;
struct qpu_core *unit_q = &unit_s.core[0];
uint8_t unit_mem[UNIT_SIZE];
uint8_t unit_ro[UNIT_RO_SIZE];

static uint64_t state = 1;

static const struct vs_extent extents[] = {
	{ UNIT_BASE, UNIT_BASE + UNIT_SIZE, unit_mem, VS_EXT_WRITE },
	{ UNIT_RO_BASE, UNIT_RO_BASE + UNIT_RO_SIZE, unit_ro, 0 },
};

static const struct vs_map map = { ARRAY_SIZE(extents), extents };

void unit_start(void)
{
	unsigned int i;

	memset(&unit_s, 0, sizeof(unit_s));
	memset(unit_mem, 0, sizeof(unit_mem));
	memset(unit_ro, 0, sizeof(unit_ro));
	unit_s.tlb.map = &map;
	for (i = 0; i < QPU_NUM; i++) {
		unit_s.core[i].num = i;
		qpu_vpm_reset(&unit_s.core[i]);
		qpu_tmu_reset(&unit_s, &unit_s.core[i]);
	}
}

bool unit_any_fault(void)
{
	return unit_s.fault.kind;
}

bool unit_faulted(enum vs_fault_kind kind, uint32_t address, uint32_t size)
{
	struct vs_fault f = unit_s.fault;

	memset(&unit_s.fault, 0, sizeof(unit_s.fault));
	return f.kind == kind && f.address == address && f.size == size && !f.code;
}

bool unit_faulted_code(enum vs_fault_kind kind, uint32_t code)
{
	struct vs_fault f = unit_s.fault;

	memset(&unit_s.fault, 0, sizeof(unit_s.fault));
	return f.kind == kind && !f.address && !f.size && f.code == code;
}

uint32_t unit_get32(uint32_t address)
{
	uint32_t v;

	memcpy(&v, unit_mem + (address - UNIT_BASE), 4);
	return v;
}

void unit_put32(uint32_t address, uint32_t value)
{
	memcpy(unit_mem + (address - UNIT_BASE), &value, 4);
}

void unit_seed(uint64_t seed)
{
	state = seed * 0x9e3779b97f4a7c15ULL + 1;
}

/* xorshift64* */
uint32_t unit_random(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return state * 0x2545f4914f6cdd1dULL >> 32;
}

uint32_t unit_below(uint32_t n)
{
	return (uint64_t)unit_random() * n >> 32;
}

void unit_fill(void *p, size_t bytes)
{
	uint8_t *b = p;

	while (bytes--)
		*b++ = unit_random();
}

uint32_t unit_float(float f)
{
	uint32_t v;

	memcpy(&v, &f, 4);
	return v;
}
