// SPDX-License-Identifier: MIT
/*
 * y = a * x + y on the QPUs, written for the mailbox interface of the Raspberry Pi:
 *
 *   cc qpu_saxpy.c $(pkg-config --cflags --libs libvshader_mailbox)    on a vshader device
 *   cc qpu_saxpy.c mailbox.c                                         on a Raspberry Pi
 *
 * Memory is allocated, filled through a mapping, and named by bus addresses; the firmware
 * is asked to run one program on several QPUs, each with uniforms of its own.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mailbox.h"

#define NUM_QPUS	12
#define GROUPS		32			/* of 16 elements, for each QPU */
#define COUNT		(NUM_QPUS * GROUPS * 16)
#define UNIFORMS	4

/* Direct (uncached) memory; the same on all models that such programs run on. */
#define MEM_FLAGS	0x04
#define BUS_TO_PHYS(x)	((x) & ~0xc0000000u)

/*
 * Made by "vshader asm --isa qpu" of selftests/jobs/demo/saxpy.qasm. Uniforms: address of
 * x, address of y, a, groups of 16 elements.
 */
static const uint32_t code[] = {
	0x11982dc0, 0xd0020867, 0x15827d80, 0x10020827, 0x0c9e7040, 0x10020027,
	0x15827d80, 0x100200a7, 0x15827d80, 0x10021027, 0x15827d80, 0x100200e7,
	0x0c0a7c40, 0x10020067, 0x00001a00, 0xe0020827, 0x0c9e61c0, 0x10021067,
	0x80904000, 0xe0020827, 0x159e6fc0, 0x10020867, 0x119c73c0, 0xd0020867,
	0x0c9e7040, 0x100210a7, 0x00000040, 0xe00210e7, 0x15027d80, 0x10020e27,
	0x15067d80, 0x10020f27, 0x0c003dc0, 0x10020027, 0x0c043dc0, 0xa0020067,
	0x209c0027, 0xb00049e0, 0x019e7100, 0x10020827, 0x15ce7d80, 0x100009e7,
	0x159c1fc0, 0x10021c67, 0x159e7000, 0x10020c27, 0x159c2fc0, 0x10021c67,
	0x150a7d80, 0x10021ca7, 0x159f2fc0, 0x100009e7, 0x00000000, 0xe0020ce7,
	0x0d0c1dc0, 0xd00220e7, 0xffffff70, 0xf03809e7, 0x0c083dc0, 0x100200a7,
	0x009e7000, 0x100009e7, 0x009e7000, 0x100009e7, 0x009e7000, 0x300009e7,
	0x009e7000, 0x100009e7, 0x009e7000, 0x100009e7,
};

/** struct memory - what both sides see */
struct memory {
	uint32_t code[sizeof(code) / 4];
	uint32_t uniforms[NUM_QPUS][UNIFORMS];
	uint32_t control[NUM_QPUS][2];
	float x[COUNT];
	float y[COUNT];
};

static uint32_t float_bits(float f)
{
	uint32_t bits;

	memcpy(&bits, &f, sizeof(bits));
	return bits;
}

static void fill(struct memory *m, uint32_t bus, float a)
{
	const uint32_t bytes = sizeof(float) * GROUPS * 16;
	uint32_t i;

	memcpy(m->code, code, sizeof(code));
	for (i = 0; i < COUNT; i++) {
		m->x[i] = (float)i;
		m->y[i] = (float)(COUNT - i);
	}
	for (i = 0; i < NUM_QPUS; i++) {
		m->uniforms[i][0] = bus + (uint32_t)offsetof(struct memory, x) + i * bytes;
		m->uniforms[i][1] = bus + (uint32_t)offsetof(struct memory, y) + i * bytes;
		m->uniforms[i][2] = float_bits(a);
		m->uniforms[i][3] = GROUPS;
		m->control[i][0] = bus + (uint32_t)offsetof(struct memory, uniforms) +
				   i * sizeof(m->uniforms[0]);
		m->control[i][1] = bus + (uint32_t)offsetof(struct memory, code);
	}
}

static int check(const struct memory *m, float a)
{
	uint32_t i, bad = 0;

	for (i = 0; i < COUNT; i++)
		bad += m->y[i] != a * (float)i + (float)(COUNT - i);
	printf("%u elements on %u QPUs, %u wrong\n", COUNT, NUM_QPUS, bad);
	return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int run(int mb, struct memory *m, uint32_t bus)
{
	const float a = 2.5f;

	fill(m, bus, a);
	if (execute_qpu(mb, NUM_QPUS, bus + (uint32_t)offsetof(struct memory, control), 1, 1000)) {
		fprintf(stderr, "the QPUs failed\n");
		return EXIT_FAILURE;
	}
	return check(m, a);
}

int main(void)
{
	unsigned int handle, bus;
	int mb = mbox_open(), ret = EXIT_FAILURE;
	struct memory *m;

	if (mb < 0)
		return EXIT_FAILURE;
	if (qpu_enable(mb, 1)) {
		fprintf(stderr, "cannot switch the QPUs on\n");
		return EXIT_FAILURE;
	}
	handle = mem_alloc(mb, sizeof(*m), 4096, MEM_FLAGS);
	bus = handle ? mem_lock(mb, handle) : 0;
	m = bus ? mapmem(BUS_TO_PHYS(bus), sizeof(*m)) : NULL;
	if (m) {
		ret = run(mb, m, bus);
		unmapmem(m, sizeof(*m));
	}
	if (bus)
		mem_unlock(mb, handle);
	if (handle)
		mem_free(mb, handle);
	qpu_enable(mb, 0);
	mbox_close(mb);
	return ret;
}
