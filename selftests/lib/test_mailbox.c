// SPDX-License-Identifier: GPL-2.0
/*
 * libvshader_mailbox: memory at bus addresses, programs on the QPUs, and errors of both.
 *
 *   test_mailbox [DEVICE]      default: local
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bcm_host.h"
#include "mailbox.h"
#include "qpu_asm.h"
#include "tap.h"

#define FAILED		0x80000000u
#define ALIAS		0xc0000000u
#define FLAGS		0x0c	/* allocating, direct: as most programs ask */
#define NUM_QPUS	12
#define UNIFS		4

static int mb;

/** struct program - code, uniforms, pairs and output in one allocation */
struct program {
	unsigned int handle;
	unsigned int bus;
	uint8_t *ptr;
	uint32_t *unif;
	uint32_t *pairs;
	uint32_t *out;
	unsigned int code_at;
	unsigned int unif_at;
	unsigned int pairs_at;
	unsigned int out_at;
};

static void test_memory(void)
{
	unsigned int a, b, c, bus, bus_b;
	uint32_t *p, *q;

	a = mem_alloc(mb, 10000, 4096, FLAGS);
	b = mem_alloc(mb, 4096, 0x10000, FLAGS);
	tap_result(a && b && a != b, "two allocations");
	bus = mem_lock(mb, a);
	bus_b = mem_lock(mb, b);
	tap_result(bus && bus < 0x40000000 && !(bus % 4096), "bus address %#x", bus);
	tap_result(bus_b && !(bus_b % 0x10000), "alignment of bus address %#x", bus_b);
	tap_result(bus_b >= bus + 10000 || bus >= bus_b + 4096, "they do not overlap");
	p = mapmem(bus, 10000);
	q = mapmem(bus | ALIAS, 10000);
	tap_result(p && q && !p[0] && !p[2499], "mapped, and zero");
	if (p && q) {
		p[2499] = 0x1234;
		tap_result(q[2499] == 0x1234, "both mappings show the same");
	}
	q = mapmem(bus + 4096, 16);
	tap_result(p && q == p + 1024, "the middle of it");
	tap_result(!mapmem(bus + 8192, 8192), "not more than there is");
	tap_result(!mapmem(0x3e000000, 4), "not what is not there");
	tap_result(mem_lock(mb, 12345) == 0, "lock of an unknown handle");
	tap_result(mem_unlock(mb, 12345) != 0, "unlock of an unknown handle");
	tap_result(mem_free(mb, 12345) != 0, "free of an unknown handle");
	tap_result(!mem_unlock(mb, a) && mem_lock(mb, a) == bus, "it does not move");
	tap_result(!mem_free(mb, a) && mem_lock(mb, a) == 0, "freed");
	tap_result(p && p[2499] == 0x1234, "what is mapped stays");
	unmapmem(p, 10000);
	unmapmem(p, 10000);
	unmapmem(q, 16);
	c = mem_alloc(mb, 8192, 4096, FLAGS);
	tap_result(mem_lock(mb, c) == bus, "its place is used again");
	p = mapmem(mem_lock(mb, c), 8192);
	tap_result(p && !p[0] && !p[2047], "by memory that is zero");
	unmapmem(p, 8192);
	mem_free(mb, b);
	mem_free(mb, c);
	tap_result(!mem_alloc(mb, 0, 4096, FLAGS), "no memory of no size");
	tap_result(!mem_alloc(mb, 0x40000000, 4096, FLAGS), "not more than there are addresses");
	tap_result(!mem_alloc(mb, 4096, 3000, FLAGS), "no odd alignment");
}

static bool make(struct program *g, struct q_prog *p, unsigned int threads)
{
	unsigned int i;

	q_finish(p);
	g->code_at = 0;
	g->unif_at = 8 * p->n;
	g->pairs_at = g->unif_at + 4 * UNIFS * threads;
	g->out_at = g->pairs_at + 8 * threads;
	g->handle = mem_alloc(mb, g->out_at + 64 * threads, 4096, FLAGS);
	g->bus = mem_lock(mb, g->handle);
	g->ptr = g->bus ? mapmem(g->bus & ~ALIAS, g->out_at + 64 * threads) : NULL;
	if (!g->ptr)
		return false;
	g->unif = (uint32_t *)(g->ptr + g->unif_at);
	g->pairs = (uint32_t *)(g->ptr + g->pairs_at);
	g->out = (uint32_t *)(g->ptr + g->out_at);
	memcpy(g->ptr, p->w, 8 * p->n);
	for (i = 0; i < threads; i++) {
		g->unif[UNIFS * i] = q_vpm_h32(0, 1, i % 64);
		g->unif[UNIFS * i + 1] = 100 * i;
		g->unif[UNIFS * i + 2] = q_dma_store(0, 1, 16, 1, i % 64, 0);
		g->unif[UNIFS * i + 3] = (g->bus + g->out_at + 64 * i) | ALIAS;
		g->pairs[2 * i] = g->bus + g->unif_at + 4 * UNIFS * i;
		g->pairs[2 * i + 1] = g->bus;
	}
	return true;
}

static void drop(struct program *g)
{
	unmapmem(g->ptr, 0);
	mem_unlock(mb, g->handle);
	mem_free(mb, g->handle);
}

static void store_code(struct q_prog *p)
{
	q_begin(p);
	q_mov(p, Q_WR_SETUP, Q_UNIF);
	q_op(p, Q_ADD, QR0, Q_ELEM, Q_UNIF_B);
	q_mov(p, Q_VPM, QR0);
	q_mov(p, Q_WR_SETUP, Q_UNIF);
	q_mov(p, Q_ST_ADDR, Q_UNIF);
	q_mov(p, Q_NOWHERE, Q_ST_WAIT);
	q_end(p);
}

static bool stored(const struct program *g, unsigned int threads)
{
	unsigned int i;

	for (i = 0; i < 16 * threads; i++) {
		if (g->out[i] != 100 * (i / 16) + i % 16)
			return false;
	}
	return true;
}

static void test_execute(void)
{
	static struct q_prog p;
	struct program g;
	unsigned int n;

	store_code(&p);
	for (n = 1; n <= 100; n = n == 1 ? NUM_QPUS : n == NUM_QPUS ? 100 : n + 1) {
		if (!tap_result(make(&g, &p, n), "a program for %u QPUs", n))
			return;
		tap_result(!execute_qpu(mb, n, g.bus + g.pairs_at, 1, 2000), "executed");
		tap_result(stored(&g, n), "the results are there");
		memset(g.out, 0, 64 * n);
		tap_result(!execute_qpu(mb, n, (g.bus + g.pairs_at) | ALIAS, 0, 1) &&
			   stored(&g, n), "again, by another alias, with a short time limit");
		drop(&g);
	}
	tap_result(!execute_qpu(mb, 0, 0, 0, 1000), "nothing to execute");
}

static void test_failures(void)
{
	static struct q_prog p;
	struct program g;

	q_begin(&p);
	q_acquire(&p, 3);
	q_end(&p);
	if (!tap_result(make(&g, &p, 2), "a program that waits for ever"))
		return;
	tap_result(execute_qpu(mb, 2, g.bus + g.pairs_at, 1, 1000) == FAILED, "deadlock");
	drop(&g);
	store_code(&p);
	make(&g, &p, 2);
	g.unif[3] = 0x3e000000;
	tap_result(execute_qpu(mb, 2, g.bus + g.pairs_at, 1, 1000) == FAILED, "bad address");
	g.unif[3] = g.bus + g.out_at;
	tap_result(!execute_qpu(mb, 2, g.bus + g.pairs_at, 1, 1000) && stored(&g, 2),
		   "QPUs work after that");
	tap_result(execute_qpu(mb, 2, 0x3e000000, 1, 1000) == FAILED, "no list there");
	tap_result(execute_qpu(mb, 2, g.bus + g.pairs_at + 4, 1, 1000) == FAILED, "a bad list");
	tap_result(execute_code(mb, g.bus, 0, 0, 0, 0, 0, 0) == FAILED, "there is no VPU");
	drop(&g);
}

static void test_strict_timeout(void)
{
	static struct q_prog p;
	struct program g;

	q_begin(&p);
	q_branch(&p, Q_BR_ALWAYS, q_here(&p));
	if (!tap_result(make(&g, &p, 1), "a program that does not end"))
		return;
	setenv("VSHADER_MAILBOX_TIMEOUT", "strict", 1);
	tap_result(execute_qpu(mb, 1, g.bus + g.pairs_at, 1, 50) == FAILED, "out of time");
	unsetenv("VSHADER_MAILBOX_TIMEOUT");
	drop(&g);
}

static void test_time_limit(void)
{
	static struct q_prog p;
	struct program g;

	q_begin(&p);
	q_branch(&p, Q_BR_ALWAYS, q_here(&p));
	if (!tap_result(make(&g, &p, 1), "a program that does not end"))
		return;
	setenv("VSHADER_MAILBOX_TIMEOUT", "50", 1);
	tap_result(execute_qpu(mb, 1, g.bus + g.pairs_at, 1, 100000) == FAILED,
		   "out of the user's time");
	drop(&g);
	store_code(&p);
	make(&g, &p, 1);
	setenv("VSHADER_MAILBOX_TIMEOUT", "soon", 1);
	tap_result(execute_qpu(mb, 1, g.bus + g.pairs_at, 1, 0) == FAILED, "no number");
	setenv("VSHADER_MAILBOX_TIMEOUT", "4000000000", 1);
	tap_result(!execute_qpu(mb, 1, g.bus + g.pairs_at, 1, 0) && stored(&g, 1),
		   "more than the device lets it");
	unsetenv("VSHADER_MAILBOX_TIMEOUT");
	drop(&g);
}

/* A program that is no error unless the user wants it to be. */
static void strict_case(struct q_prog *p, const char *name, const char *other)
{
	struct program g;

	q_end(p);
	if (!tap_result(make(&g, p, 1), "%s: a program", name))
		return;
	g.unif[0] = 0x3e000000;
	tap_result(!execute_qpu(mb, 1, g.bus + g.pairs_at, 1, 0), "%s: no fault by default", name);
	setenv("VSHADER_MAILBOX_STRICT", other, 1);
	tap_result(!execute_qpu(mb, 1, g.bus + g.pairs_at, 1, 0), "%s: nor for %s", name, other);
	setenv("VSHADER_MAILBOX_STRICT", name, 1);
	tap_result(execute_qpu(mb, 1, g.bus + g.pairs_at, 1, 0) == FAILED, "%s: strict", name);
	setenv("VSHADER_MAILBOX_STRICT", "hazards,tmu", 1);
	tap_result(execute_qpu(mb, 1, g.bus + g.pairs_at, 1, 0) == FAILED, "%s: both", name);
	setenv("VSHADER_MAILBOX_STRICT", "tmux", 1);
	tap_result(execute_qpu(mb, 1, g.bus + g.pairs_at, 1, 0) == FAILED, "no such word");
	unsetenv("VSHADER_MAILBOX_STRICT");
	tap_result(!execute_qpu(mb, 1, g.bus + g.pairs_at, 1, 0), "%s: off again", name);
	drop(&g);
}

static void test_strict(void)
{
	static struct q_prog p;

	q_begin(&p);
	q_mov(&p, Q_SFU(0), Q_UNIF);
	q_mov(&p, QR2, QR4);
	q_nop(&p);
	q_nop(&p);
	strict_case(&p, "hazards", "tmu");
	q_begin(&p);
	q_mov(&p, Q_TMU_S(0), Q_UNIF);
	Q(&p, .sig = Q_WITH(Q_SIG_LDTMU0));
	strict_case(&p, "tmu", "hazards");
}

/* Runs a job and counts the lines of its messages that have @word. */
static int count_messages(const struct program *g, const char *word, bool *ok)
{
	FILE *f = tmpfile();
	int old = dup(2), n = 0;
	char line[512];

	if (!f || old < 0)
		return -1;
	fflush(stderr);
	dup2(fileno(f), 2);
	unsetenv("VSHADER_MAILBOX_QUIET");
	*ok = !execute_qpu(mb, 1, g->bus + g->pairs_at, 1, 0);
	setenv("VSHADER_MAILBOX_QUIET", "1", 1);
	fflush(stderr);
	dup2(old, 2);
	close(old);
	rewind(f);
	while (fgets(line, sizeof(line), f))
		n += !!strstr(line, word);
	fclose(f);
	return n;
}

static void test_strict_lint(void)
{
	static struct q_prog p;
	struct program g;
	bool ok;

	q_begin(&p);
	q_mov(&p, Q_SFU(0), Q_UNIF);
	q_mov(&p, QR2, QR4);
	q_nop(&p);
	q_end(&p);
	if (!tap_result(make(&g, &p, 1), "lint: a program"))
		return;
	tap_result(!count_messages(&g, "warning", &ok) && ok, "lint: no warning by default");
	setenv("VSHADER_MAILBOX_STRICT", "lint", 1);
	tap_result(count_messages(&g, "[sfu-early]", &ok) == 1 && ok,
		   "lint: a warning, and the job does not fail");
	tap_result(!count_messages(&g, "warning", &ok) && ok, "lint: once for the same code");
	setenv("VSHADER_MAILBOX_STRICT", "tmu,lint,hazards", 1);
	tap_result(count_messages(&g, "QPU job failed", &ok) == 1 && !ok, "lint: besides others");
	setenv("VSHADER_MAILBOX_STRICT", "lint", 1);
	drop(&g);
	q_begin(&p);
	q_mov(&p, QR2, Q_UNIF);
	q_nop(&p);
	if (tap_result(make(&g, &p, 1), "lint: a program without an end"))
		tap_result(count_messages(&g, ": not checked: ", &ok) == 1 &&
			   !ok, "lint: a program that cannot be checked");
	unsetenv("VSHADER_MAILBOX_STRICT");
	drop(&g);
}

#ifdef __x86_64__

/* Words in the V3D block. */
#define SRQPC		(0x430 / 4)
#define SRQUA		(0x434 / 4)
#define SRQCS		(0x43c / 4)
#define SRQCS_CLEAR	0x00010100
#define V3D		0x00c00000

/* Registers: each access is one. */
static void set(uint32_t *reg, uint32_t v)
{
	__atomic_store_n(reg, v, __ATOMIC_SEQ_CST);
}

static uint32_t get(const uint32_t *reg)
{
	return __atomic_load_n(reg, __ATOMIC_SEQ_CST);
}

/* Request a program by one mapping each; all counts show both. */
static bool run_by(struct program *g, uint32_t *a, uint32_t *b)
{
	memset(g->out, 0, 128);
	set(&a[SRQCS], SRQCS_CLEAR);
	set(&a[SRQUA], g->pairs[0]);
	set(&a[SRQPC], g->pairs[1]);
	set(&b[SRQUA], g->pairs[2]);
	set(&b[SRQPC], g->pairs[3]);
	return (get(&b[SRQCS]) & 0xffff00) == 0x020200 && (get(&a[SRQCS]) & 0xffff00) == 0x020200 &&
	       stored(g, 2);
}

static void test_registers(void)
{
	unsigned int base = bcm_host_get_peripheral_address();
	unsigned int size = bcm_host_get_peripheral_size();
	uint8_t *a = mapmem(base, size), *b = mapmem(base, size);
	uint32_t *c = mapmem(base + V3D, 4096);
	static struct q_prog p;
	struct program g;

	if (!tap_result(a && b && c && a != b, "registers mapped three times"))
		return;
	tap_result(!mapmem(base + 4, 4096), "not from the middle of a page");
	store_code(&p);
	make(&g, &p, 2);
	tap_result(run_by(&g, (uint32_t *)(a + V3D), (uint32_t *)(b + V3D)), "by two of them");
	unmapmem(a, size);
	tap_result(run_by(&g, (uint32_t *)(b + V3D), c), "without the first");
	a = mapmem(base, size);
	unmapmem(b, size);
	unmapmem((void *)c, 4096);
	tap_result(a && run_by(&g, (uint32_t *)(a + V3D), (uint32_t *)(a + V3D)), "mapped again");
	unmapmem(a, size);
	drop(&g);
}

#else

static void test_registers(void)
{
}

#endif

int main(int argc, char **argv)
{
	setenv("VSHADER_DEVICE", "/dev/null", 1);
	setenv("VSHADER_MAILBOX_QUIET", "1", 1);
	tap_start();
	tap_result(mbox_open() < 0, "no device");
	setenv("VSHADER_DEVICE", argc > 1 ? argv[1] : "local", 1);
	mb = mbox_open();
	if (!tap_result(mb >= 0, "open"))
		return tap_done();
	tap_result(get_version(mb) != 0, "version");
	tap_result(!qpu_enable(mb, 1), "enable");
	bcm_host_init();
	tap_result(bcm_host_get_peripheral_address() && bcm_host_get_peripheral_size() &&
		   bcm_host_get_sdram_address(), "libbcm_host");
	test_memory();
	test_execute();
	test_failures();
	test_strict_timeout();
	test_time_limit();
	test_strict();
	test_strict_lint();
	if (argc < 2 || !strcmp(argv[1], "local"))
		test_registers();
	bcm_host_deinit();
	tap_result(!qpu_enable(mb, 0), "disable");
	mbox_close(mb);
	return tap_done();
}
