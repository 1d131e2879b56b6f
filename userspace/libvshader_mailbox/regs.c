// SPDX-License-Identifier: MIT
/*
 * The registers by which programs start QPUs without the firmware: the address of uniforms
 * is written to SRQUA, that of code to SRQPC, which puts a program into the queue; SRQCS
 * counts programs that were requested and that have ended, and is read until all have.
 *
 * The page is not accessible. An access raises a signal; the handler opens the page,
 * single-steps the instruction, and then looks for the words that it has written.
 * Requested programs are executed when the counts are read: together, as they wait for
 * each other. Registers of control lists are in lists.c.
 *
 * Any number of mappings show the same registers; accesses of one thread at a time.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "core.h"
#include "lists.h"
#include "regs.h"

#define PAGE		4096u
#define V3D_PAGE	0x00c00000u	/* in the peripherals */

/* Bytes in the page. */
#define V3D_IDENT0	0x000
#define V3D_IDENT1	0x004
#define V3D_SRQPC	0x430
#define V3D_SRQUA	0x434
#define V3D_SRQCS	0x43c

#define IDENT0		0x02443356u	/* "V3D", version 2 */
#define IDENT1		0x00102431u	/* 3 slices of 4 QPUs and 2 TMUs, 16 semaphores */

#define SRQCS_CLEAR_ERR	0x00000080u
#define SRQCS_CLEAR_REQ	0x00000100u
#define SRQCS_CLEAR_END	0x00010000u

#define MAX_REQUESTS	256

/* Start of the peripherals that an address is in, or 0. */
static uint64_t peripherals_at(uint64_t phys)
{
	static const uint32_t bases[] = {
		MBOX_PERIPHERALS, MBOX_PERIPHERALS_1, MBOX_PERIPHERALS_4,
	};
	unsigned int i;

	for (i = 0; i < sizeof(bases) / sizeof(bases[0]); i++) {
		if (phys >= bases[i] && phys - bases[i] < MBOX_PERIPHERALS_SIZE)
			return bases[i];
	}
	return 0;
}

/* The places of other models may be memory here. */
bool regs_address(uint64_t phys)
{
	return peripherals_at(phys) && !mbox_has((uint32_t)phys);
}

#ifdef __x86_64__

#define TRAP_FLAG	0x100
#define FAULT_WRITE	0x2	/* of the page fault's error code */

/**
 * struct mapping - a mapping of peripherals
 * @next: the next one; the handler follows the list without a lock, so nothing leaves it
 * @map: where it is, or NULL: to be used again
 * @size: bytes
 * @page: the V3D block in it, or NULL
 */
struct mapping {
	struct mapping *next;
	uint8_t *map;
	size_t size;
	uint8_t *page;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct {
	struct mapping *maps;
	uint32_t *regs;		/* the page of registers, always accessible */
	uint8_t *open;		/* the program's page that is open, or NULL */
	bool write;
	uint32_t at;		/* byte in the page that is accessed */
	uint32_t unif;
	struct mbox_pair pairs[MAX_REQUESTS];
	uint32_t waiting;
	uint32_t requested;
	uint32_t ended;
	bool failed;
	bool installed;
	struct sigaction segv;
	struct sigaction trap;
} v3d;

/* ---- registers ---- */

static void execute(void)
{
	uint32_t n = v3d.waiting;

	v3d.waiting = 0;
	if (n && mbox_execute_pairs(v3d.pairs, n))
		v3d.failed = true;
	else
		v3d.ended += n;
}

/* The program accesses it, which the compiler cannot see. */
static void set(uint32_t at, uint32_t value)
{
	__atomic_store_n(&v3d.regs[at / 4], value, __ATOMIC_SEQ_CST);
}

static void update(void)
{
	set(V3D_IDENT0, IDENT0);
	set(V3D_IDENT1, IDENT1);
	set(V3D_SRQPC, 0);
	set(V3D_SRQUA, v3d.unif);
	set(V3D_SRQCS, (v3d.requested & 0xff) << 8 | (v3d.ended & 0xff) << 16 |
	    (v3d.failed ? SRQCS_CLEAR_ERR : 0));
}

static void written(uint32_t at, uint32_t value)
{
	switch (at) {
	case V3D_SRQUA:
		v3d.unif = value;
		break;
	case V3D_SRQPC:
		if (v3d.waiting == MAX_REQUESTS)
			execute();
		v3d.pairs[v3d.waiting].uniforms = v3d.unif;
		v3d.pairs[v3d.waiting++].code = value;
		v3d.requested++;
		break;
	case V3D_SRQCS:
		if (value & SRQCS_CLEAR_REQ)
			v3d.requested = 0;
		if (value & SRQCS_CLEAR_END)
			v3d.ended = 0;
		if (value & SRQCS_CLEAR_ERR)
			v3d.failed = false;
		break;
	default:
		if (lists_has(at))
			lists_write(at, value);
		break;
	}
}

/* ---- signals ---- */

static void pass_on(int sig, siginfo_t *info, void *ctx, const struct sigaction *old)
{
	if (old->sa_flags & SA_SIGINFO) {
		old->sa_sigaction(sig, info, ctx);
	} else if (old->sa_handler != SIG_DFL && old->sa_handler != SIG_IGN) {
		old->sa_handler(sig);
	} else {
		/* The instruction is executed again, and ends the process. */
		signal(sig, SIG_DFL);
		if (sig == SIGTRAP)
			raise(sig);
	}
}

static uint8_t *page_at(const uint8_t *addr)
{
	struct mapping *m;

	for (m = v3d.maps; m; m = m->next) {
		if (m->page && addr >= m->page && addr < m->page + PAGE)
			return m->page;
	}
	return NULL;
}

static void on_segv(int sig, siginfo_t *info, void *ctx)
{
	ucontext_t *uc = ctx;
	uint8_t *addr = info->si_addr;
	uint8_t *page = page_at(addr);

	if (!page || v3d.open) {
		pass_on(sig, info, ctx, &v3d.segv);
		return;
	}
	v3d.at = (uint32_t)(addr - page) & ~3u;
	v3d.write = uc->uc_mcontext.gregs[REG_ERR] & FAULT_WRITE;
	if (!v3d.write && v3d.at == V3D_SRQCS)
		execute();
	update();
	if (lists_has(v3d.at))
		set(v3d.at, lists_read(v3d.at));
	v3d.open = page;
	mprotect(page, PAGE, PROT_READ | PROT_WRITE);
	uc->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
}

static void on_trap(int sig, siginfo_t *info, void *ctx)
{
	ucontext_t *uc = ctx;

	if (!v3d.open) {
		pass_on(sig, info, ctx, &v3d.trap);
		return;
	}
	uc->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
	mprotect(v3d.open, PAGE, PROT_NONE);
	v3d.open = NULL;
	if (v3d.write)
		written(v3d.at, __atomic_load_n(&v3d.regs[v3d.at / 4], __ATOMIC_SEQ_CST));
}

static bool install(void)
{
	struct sigaction segv = { .sa_sigaction = on_segv, .sa_flags = SA_SIGINFO | SA_NODEFER };
	struct sigaction trap = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO };

	if (v3d.installed)
		return true;
	if (sigaction(SIGSEGV, &segv, &v3d.segv) || sigaction(SIGTRAP, &trap, &v3d.trap))
		return false;
	v3d.installed = true;
	return true;
}

/* ---- mapping; static functions with the lock ---- */

static bool make_regs(void)
{
	void *p;

	if (v3d.regs)
		return true;
	p = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return false;
	v3d.regs = p;
	return true;
}

/* The page of registers once more, in place of what is there. */
static bool map_page(uint8_t *page)
{
	if (!make_regs())
		return false;
	/* An old size of 0 leaves the shared page where it is as well. */
	return mremap(v3d.regs, 0, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, page) != MAP_FAILED &&
	       !mprotect(page, PAGE, PROT_NONE);
}

static struct mapping *get_mapping(void)
{
	struct mapping *m;

	for (m = v3d.maps; m && m->map; m = m->next)
		;
	if (m)
		return m;
	m = calloc(1, sizeof(*m));
	if (!m)
		return NULL;
	m->next = v3d.maps;
	__atomic_store_n(&v3d.maps, m, __ATOMIC_RELEASE);
	return m;
}

static void *map_registers(uint64_t from, size_t size)
{
	struct mapping *m = get_mapping();
	uint8_t *map, *page = NULL;

	if (!m || !install())
		return NULL;
	map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		   -1, 0);
	if (map == MAP_FAILED)
		return NULL;
	if (from <= V3D_PAGE && V3D_PAGE - from < size) {
		page = map + (V3D_PAGE - from);
		if (!map_page(page)) {
			munmap(map, size);
			return NULL;
		}
	}
	m->map = map;
	m->size = size;
	m->page = page;
	return map;
}

static void forget(struct mapping *m)
{
	m->page = NULL;
	m->map = NULL;
}

void *regs_map(uint64_t phys, size_t size)
{
	uint64_t base = peripherals_at(phys), from = phys - base;
	void *map;

	if (base == MBOX_PERIPHERALS_4) {
		mbox_say("peripherals at %#x are a Raspberry Pi 4's: its V3D is not VideoCore IV",
			 MBOX_PERIPHERALS_4);
		return NULL;
	}
	if (!size || from % PAGE || size > MBOX_PERIPHERALS_SIZE - from)
		return NULL;
	pthread_mutex_lock(&lock);
	map = map_registers(from, size);
	pthread_mutex_unlock(&lock);
	return map;
}

static bool within(const uint8_t *at, const uint8_t *p, size_t size)
{
	return at && at >= p && (size_t)(at - p) < size;
}

void regs_forget(const void *addr, size_t size)
{
	struct mapping *m;

	pthread_mutex_lock(&lock);
	for (m = v3d.maps; m; m = m->next) {
		if (within(m->map, addr, size) || within(m->page, addr, size))
			forget(m);
	}
	pthread_mutex_unlock(&lock);
}

bool regs_unmap(const void *addr)
{
	struct mapping *m;
	void *map = NULL;
	size_t size = 0;

	pthread_mutex_lock(&lock);
	for (m = v3d.maps; m && !map; m = m->next) {
		if (addr && m->map == addr) {
			map = m->map;
			size = m->size;
			forget(m);
		}
	}
	pthread_mutex_unlock(&lock);
	/* May be our own munmap(), which takes the lock. */
	if (map)
		munmap(map, size);
	return map;
}

#else /* single-stepping is not as simple on other processors */

void *regs_map(uint64_t phys, size_t size)
{
	return NULL;
}

void regs_forget(const void *addr, size_t size)
{
}

bool regs_unmap(const void *addr)
{
	return false;
}

#endif
