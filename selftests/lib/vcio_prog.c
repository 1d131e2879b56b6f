// SPDX-License-Identifier: GPL-2.0
/*
 * A typical Raspberry Pi program with its own mailbox calls, unaware of vshader.
 * test_vcio.sh runs it with libvshader_vcio.so preloaded.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "qpu_asm.h"

#define IOCTL_MBOX_PROPERTY	_IOWR(100, 0, char *)
#define BUS_TO_PHYS(x)		((x) & ~0xc0000000u)
#define NUM_QPUS		8
#define SIZE			65536u

static int property(int fd, uint32_t *msg)
{
	return ioctl(fd, IOCTL_MBOX_PROPERTY, msg);
}

/* One tag with up to 4 words. */
static uint32_t call(int fd, uint32_t tag, unsigned int n, uint32_t a, uint32_t b, uint32_t c,
		     uint32_t d)
{
	uint32_t msg[32] __attribute__((aligned(16))) = {
		0, 0, tag, 4 * n, 4 * n, a, b, c, d,
	};

	if (n < 4)
		memset(msg + 5 + n, 0, 4 * (4 - n));
	msg[0] = 4 * (6 + n);
	if (property(fd, msg) < 0 || msg[1] != 0x80000000 || !(msg[4] & 0x80000000))
		return 0xdeadbeef;
	return msg[5];
}

static void *map(uint32_t base, uint32_t size)
{
	int fd = open("/dev/mem", O_RDWR | O_SYNC);
	void *p;

	if (fd < 0)
		return MAP_FAILED;
	p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, base);
	close(fd);
	return p;
}

/* Each QPU puts its number into 16 words. */
static void make_code(struct q_prog *p)
{
	q_begin(p);
	q_mov(p, Q_WR_SETUP, Q_UNIF);
	q_mov(p, QR0, Q_QPU);
	q_mov(p, Q_VPM, QR0);
	q_mov(p, Q_WR_SETUP, Q_UNIF);
	q_mov(p, Q_ST_ADDR, Q_UNIF);
	q_mov(p, Q_NOWHERE, Q_ST_WAIT);
	q_end(p);
	q_finish(p);
}

static int run(int fd, uint32_t bus, uint32_t *mem)
{
	static struct q_prog p;
	uint32_t *unif = mem + 1024, *pairs = mem + 2048, *out = mem + 4096;
	unsigned int i;

	make_code(&p);
	memcpy(mem, p.w, 8 * p.n);
	for (i = 0; i < NUM_QPUS; i++) {
		unif[4 * i] = q_vpm_h32(0, 1, i);
		unif[4 * i + 1] = q_dma_store(0, 1, 16, 1, i, 0);
		unif[4 * i + 2] = bus + 4 * (4096 + 16 * i);
		pairs[2 * i] = bus + 4 * (1024 + 4 * i);
		pairs[2 * i + 1] = bus;
	}
	if (call(fd, 0x30011, 4, NUM_QPUS, bus + 4 * 2048, 1, 1000))
		return 7;
	for (i = 0; i < 16 * NUM_QPUS; i++) {
		if (out[i] != i / 16)
			return 8;
	}
	/* a program that waits forever returns as well */
	p.w[0] = q_sema_word(0, 1);
	memcpy(mem, p.w, 8);
	return call(fd, 0x30011, 4, 1, bus + 4 * 2048, 1, 1000) == 0x80000000 ? 0 : 9;
}

/* As some programs start QPUs without the firmware: registers of the V3D block. */
#define PERIPHERALS	0x3f000000u
#define REG(n)		((0xc00000 + (n)) / 4)
#define SRQPC		REG(0x430)
#define SRQUA		REG(0x434)
#define SRQCS		REG(0x43c)

static uint32_t get(uint32_t *reg)
{
	return __atomic_load_n(reg, __ATOMIC_RELAXED);
}

static void set(uint32_t *reg, uint32_t value)
{
	__atomic_store_n(reg, value, __ATOMIC_RELAXED);
}

static int poke(uint32_t base, uint32_t bus, uint32_t *mem)
{
	uint32_t *peri = map(base, 0x1000000);
	uint32_t *out = mem + 4096;
	static struct q_prog p;
	unsigned int i, again;

	if (peri == MAP_FAILED)
		return 20;
	make_code(&p);
	memcpy(mem, p.w, 8 * p.n);
	for (again = 0; again < 3; again++) {
		memset(out, 0xff, 64 * NUM_QPUS);
		set(&peri[SRQCS], 1 << 7 | 1 << 8 | 1 << 16);
		if (get(&peri[SRQCS]))
			return 21;
		for (i = 0; i < NUM_QPUS; i++) {
			set(&peri[SRQUA], bus + 4 * (1024 + 4 * i));
			set(&peri[SRQPC], bus);
		}
		for (i = 0; (get(&peri[SRQCS]) >> 16 & 0xff) != NUM_QPUS; i++) {
			if (i > 1000)
				return 22;
		}
		for (i = 0; i < 16 * NUM_QPUS; i++) {
			if (out[i] != i / 16)
				return 23;
		}
	}
	/* other registers are there, and do nothing */
	set(&peri[0], 5);
	set(&peri[REG(0x20)], 4);
	if (get(&peri[REG(0)]) != 0x02443356)
		return 24;
	/* 3 slices of 4 QPUs and 2 TMUs, 16 semaphores */
	if (get(&peri[REG(4)]) != 0x00102431)
		return 26;
	return munmap(peri, 0x1000000) ? 25 : 0;
}

/* Where the peripherals of other models are: the first one's work, the fourth's do not. */
static int models(uint32_t bus, uint32_t *mem)
{
	int ret = poke(PERIPHERALS, bus, mem);

	if (!ret)
		ret = poke(0x20000000, bus, mem);
	if (!ret && map(0x20c00000, 4096) == MAP_FAILED)
		ret = 27;
	if (!ret && map(0xfe000000, 0x1000000) != MAP_FAILED)
		ret = 28;
	return ret;
}

/* ---- the board ---- */

#define ANSWER		0x80000000u
#define MAX_WORDS	24

/* Tags about the board: words of the request, bytes and the first words of the answer. */
static const struct {
	uint32_t tag, words, request[2], bytes, answer[2];
} board_tags[] = {
	{ 0x00001, 0, { 0 }, 4, { 0x00010001 } },
	{ 0x10001, 0, { 0 }, 4, { 0 } },
	{ 0x10002, 0, { 0 }, 4, { 0x00a01041 } },
	{ 0x10003, 0, { 0 }, 6, { 0x00000002, 0x0100 } },
	{ 0x10004, 0, { 0 }, 8, { 1, 0 } },
	{ 0x10005, 0, { 0 }, 8, { 0, 0x10000000 } },
	{ 0x10006, 0, { 0 }, 8, { 0x10000000, 0x2f000000 } },
	{ 0x10007, 0, { 0 }, 80, { 0, 1 } },
	{ 0x20001, 1, { 3 }, 8, { 3, 1 } },
	{ 0x20001, 1, { 99 }, 8, { 99, 2 } },
	{ 0x20002, 1, { 3 }, 8, { 3, 0 } },
	{ 0x28001, 2, { 2, 3 }, 8, { 2, 1 } },
	{ 0x20001, 1, { 2 }, 8, { 2, 1 } },
	{ 0x28001, 2, { 99, 1 }, 8, { 99, 2 } },
	{ 0x30001, 1, { 5 }, 8, { 5, 1 } },
	{ 0x30001, 1, { 0 }, 8, { 0, 2 } },
	{ 0x38001, 2, { 5, 0 }, 8, { 5, 0 } },
	{ 0x38001, 2, { 5, 1 }, 8, { 5, 1 } },
	{ 0x30002, 1, { 5 }, 8, { 5, 250000000 } },
	{ 0x30002, 1, { 99 }, 8, { 99, 0 } },
	{ 0x30004, 1, { 3 }, 8, { 3, 900000000 } },
	{ 0x30007, 1, { 3 }, 8, { 3, 600000000 } },
	{ 0x38002, 2, { 3, 700000000 }, 8, { 3, 700000000 } },
	{ 0x30002, 1, { 3 }, 8, { 3, 700000000 } },
	{ 0x30047, 1, { 3 }, 8, { 3, 700000000 } },
	{ 0x38002, 2, { 3, 1 }, 8, { 3, 600000000 } },
	{ 0x38002, 2, { 5, 2000000000 }, 8, { 5, 250000000 } },
	{ 0x38002, 2, { 99, 5 }, 8, { 99, 0 } },
	{ 0x30003, 1, { 1 }, 8, { 1, 1200000 } },
	{ 0x30005, 1, { 1 }, 8, { 1, 1400000 } },
	{ 0x30008, 1, { 1 }, 8, { 1, 1200000 } },
	{ 0x38003, 2, { 1, 1300000 }, 8, { 1, 1300000 } },
	{ 0x38003, 2, { 1, 9000000 }, 8, { 1, 1400000 } },
	{ 0x30003, 1, { 9 }, 8, { 9, 0 } },
	{ 0x30006, 1, { 0 }, 8, { 0, 45000 } },
	{ 0x3000a, 1, { 0 }, 8, { 0, 85000 } },
	{ 0x30009, 1, { 0 }, 8, { 0, 0 } },
	{ 0x38009, 2, { 0, 1 }, 8, { 0, 0 } },
	{ 0x30046, 0, { 0 }, 4, { 0 } },
	{ 0x50001, 0, { 0 }, 0, { 0 } },
	{ 0x60001, 0, { 0 }, 4, { 0x7f35 } },
};

/* All of them in messages of their own, then in one. */
static int tags(int fd)
{
	const uint32_t pad = 0x55555555;
	uint32_t one[8 + MAX_WORDS], all[3 + 3 * 8] = { sizeof(all), 0 };
	unsigned int i, at;

	for (i = 0; i < sizeof(board_tags) / sizeof(board_tags[0]); i++) {
		uint32_t room = board_tags[i].bytes > 8 ? board_tags[i].bytes : 8;

		memset(one, 0x55, sizeof(one));
		one[0] = 4 * 6 + room;
		one[1] = 0;
		one[2] = board_tags[i].tag;
		one[3] = room;
		one[4] = 0;
		memcpy(one + 5, board_tags[i].request, 4 * board_tags[i].words);
		one[5 + room / 4] = 0;
		if (property(fd, one) || one[1] != ANSWER ||
		    one[4] != (ANSWER | board_tags[i].bytes))
			return 70 + (int)i;
		if (memcmp(one + 5, board_tags[i].answer,
			   board_tags[i].bytes < 8 ? board_tags[i].bytes : 8))
			return 130 + (int)i;
		if (!board_tags[i].words && board_tags[i].bytes <= 4 && one[6] != pad)
			return 200;
	}
	/* the serial number is cut off; nothing knows 0x30045; the temperature */
	for (i = 0, at = 2; i < 3; i++, at += i == 1 ? 4 : 5) {
		static const uint32_t three[] = { 0x10004, 0x30045, 0x30006 };

		all[at] = three[i];
		all[at + 1] = i ? 8 : 4;
	}
	all[0] = 4 * (at + 1);
	if (property(fd, all) || all[1] != ANSWER || all[4] != (ANSWER | 8) || all[5] != 1)
		return 201;
	if (all[6] != 0x30045 || all[8] || all[13] != (ANSWER | 8) || all[15] != 45000)
		return 202;
	/* a request that is too short for its tag */
	all[0] = 28;
	all[1] = 0;
	all[2] = 0x38002;
	all[3] = 4;
	return property(fd, all) == -1 && all[1] == 0x80000001 ? 0 : 203;
}

/* ---- allocators ---- */

/* The calls of /dev/vcsm, as in the kernel's vmcs_sm_ioctl.h. */
struct sm_alloc {
	unsigned int size, num, cached;
	char name[32];
	unsigned int handle;
};

struct sm_two {
	unsigned int handle, value;
};

struct sm_four {
	unsigned int a, b, c, d;
};

#define SM_ALLOC	_IOR('I', 0x5a, struct sm_alloc)
#define SM_ALLOC_SHARE	_IOR('I', 0x5b, struct sm_two)
#define SM_LOCK		_IOR('I', 0x5c, struct sm_two)
#define SM_UNLOCK	_IOR('I', 0x5e, struct sm_two)
#define SM_FREE		_IOR('I', 0x61, unsigned int)
#define SM_FLUSH	_IOR('I', 0x62, unsigned int [3])
#define SM_SIZE		_IOR('I', 0x64, struct sm_two)
#define SM_CHECK	_IOR('I', 0x65, struct sm_four)
#define SM_USR_HANDLE	_IOR('I', 0x66, struct sm_four)
#define SM_USR_ADDRESS	_IOR('I', 0x67, struct sm_four)
#define SM_VC_HANDLE	_IOR('I', 0x69, struct sm_four)
#define SM_VC_ADDRESS	_IOR('I', 0x6a, struct sm_four)

/* Those of /dev/vcsm-cma, as in vc_sm_cma_ioctl.h. */
struct cma_alloc {
	uint32_t size, num, cached, pad;
	uint8_t name[32];
	int32_t handle;
	uint32_t vc_handle;
	uint64_t dma_addr;
};

#define CMA_ALLOC	_IOR('J', 0x5a, struct cma_alloc)
#define CMA_CLEAN	_IOR('J', 0x5c, uint64_t)
#define DMA_BUF_SYNC	_IOW('b', 0, uint64_t)

static void *map_fd(int fd, size_t size, off_t at)
{
	return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, at);
}

static int check_block(int fd, unsigned int handle, const void *mem)
{
	unsigned int addr = (unsigned int)(uintptr_t)mem;
	struct sm_two lock = { handle, 0 }, size = { handle, 0 };
	struct sm_four check = { handle, 0, 0, 0 }, of_addr = { 0, 0, addr, 0 };
	struct sm_four of_handle = { 0, handle, 0, 0 };

	if (ioctl(fd, SM_LOCK, &lock) || lock.value != addr || (uintptr_t)mem != addr)
		return 41;
	if (ioctl(fd, SM_SIZE, &size) || size.value != SIZE)
		return 42;
	if (ioctl(fd, SM_CHECK, &check) || check.b != addr || check.c != SIZE || check.d != 1)
		return 43;
	if (ioctl(fd, SM_USR_HANDLE, &of_addr) || of_addr.b != handle)
		return 44;
	if (ioctl(fd, SM_USR_ADDRESS, &of_handle) || of_handle.c != addr)
		return 45;
	return ioctl(fd, SM_UNLOCK, &lock) ? 46 : 0;
}

static int use_vcsm(int vcio)
{
	struct sm_alloc alloc = { SIZE, 1, 1, "test", 0 };
	struct sm_four bus = { }, vc = { };
	struct sm_two lock = { };
	unsigned int cache[3] = { };
	uint32_t *mem;
	int fd = open("/dev/vcsm", O_RDWR), ret;

	if (fd < 0 || ioctl(fd, SM_ALLOC, &alloc) || !alloc.handle)
		return 40;
	mem = map_fd(fd, SIZE, alloc.handle);
	ret = check_block(fd, alloc.handle, mem);
	if (ret)
		return ret;
	bus.b = alloc.handle;
	vc.b = alloc.handle;
	cache[0] = alloc.handle;
	if (ioctl(fd, SM_VC_ADDRESS, &bus) || !bus.c || ioctl(fd, SM_FLUSH, cache))
		return 47;
	ret = run(vcio, bus.c, mem);
	if (ret)
		return ret;
	/* the mailbox knows it too */
	if (ioctl(fd, SM_VC_HANDLE, &vc) || call(vcio, 0x3000d, 1, vc.b, 0, 0, 0) != bus.c)
		return 48;
	/* not supported, another size, too much, no such memory */
	if (!ioctl(fd, SM_ALLOC_SHARE, &lock) || !ioctl(fd, _IOR('I', 0x5a, int), &alloc) ||
	    !ioctl(fd, SM_LOCK, &lock) || map_fd(fd, 2 * SIZE, alloc.handle) != MAP_FAILED ||
	    map_fd(fd, SIZE, 0x7000000) != MAP_FAILED)
		return 49;
	munmap(mem, SIZE);
	if (ioctl(fd, SM_FREE, &alloc.handle) || !ioctl(fd, SM_FREE, &alloc.handle) ||
	    call(vcio, 0x3000d, 1, vc.b, 0, 0, 0))
		return 50;
	/* the rest ends with the file */
	if (ioctl(fd, SM_ALLOC, &alloc))
		return 51;
	vc.b = alloc.handle;
	if (ioctl(fd, SM_VC_HANDLE, &vc) || close(fd) || call(vcio, 0x3000d, 1, vc.b, 0, 0, 0))
		return 52;
	return 0;
}

static int use_vcsm_cma(int vcio)
{
	struct cma_alloc alloc = { .size = SIZE, .num = 1, .name = "test" }, none = { };
	uint32_t *mem, *again;
	uint64_t sync = 3;
	int fd = open("/dev/vcsm-cma", O_RDWR), ret;

	if (fd < 0 || ioctl(fd, CMA_ALLOC, &alloc) || alloc.handle < 0)
		return 60;
	mem = map_fd(alloc.handle, SIZE, 0);
	again = map_fd(alloc.handle, SIZE, 0);
	if (mem == MAP_FAILED || again == MAP_FAILED || ioctl(alloc.handle, DMA_BUF_SYNC, &sync))
		return 61;
	if (call(vcio, 0x3000d, 1, alloc.vc_handle, 0, 0, 0) != alloc.dma_addr)
		return 62;
	/* no size, an import, a cache operation */
	if (!ioctl(fd, CMA_ALLOC, &none) || !ioctl(fd, _IOR('J', 0x5b, int), &none) ||
	    ioctl(fd, CMA_CLEAN, &sync))
		return 63;
	/* mappings keep it */
	close(fd);
	close(alloc.handle);
	munmap(again, SIZE);
	ret = run(vcio, (uint32_t)alloc.dma_addr, mem);
	if (ret)
		return ret;
	munmap(mem, SIZE);
	return call(vcio, 0x3000d, 1, alloc.vc_handle, 0, 0, 0) ? 64 : 0;
}

static bool is_char(int ret, const struct stat *st, dev_t dev)
{
	return !ret && S_ISCHR(st->st_mode) && st->st_rdev == dev && !st->st_size;
}

/* What stat() says of a device file. @fd: of it, or -1 */
static bool is_device(const char *name, int fd, dev_t dev)
{
	struct statx sx;
	struct stat st;

	/* the library has these calls on 64-bit machines */
	if (sizeof(long) < 8)
		return true;
	return is_char(stat(name, &st), &st, dev) && is_char(lstat(name, &st), &st, dev) &&
	       is_char(fstatat(AT_FDCWD, name, &st, 0), &st, dev) &&
	       is_char(fstatat(AT_FDCWD, name, &st, AT_SYMLINK_NOFOLLOW), &st, dev) &&
	       (fd < 0 || (is_char(fstat(fd, &st), &st, dev) &&
			   is_char(fstatat(fd, "", &st, AT_EMPTY_PATH), &st, dev))) &&
	       !statx(AT_FDCWD, name, 0, STATX_TYPE, &sx) && S_ISCHR(sx.stx_mode) &&
	       makedev(sx.stx_rdev_major, sx.stx_rdev_minor) == dev &&
	       !access(name, R_OK | W_OK);
}

/* A link to a node, and the files that need not exist on this machine. Return: 0 or an error. */
static int other_names(const char *node)
{
	char name[80];
	struct stat st;
	bool ok;

	snprintf(name, sizeof(name), "%s-link", node);
	ok = !symlink(node, name) && !lstat(name, &st) && S_ISLNK(st.st_mode) &&
	     (sizeof(long) < 8 || is_char(stat(name, &st), &st, makedev(100, 0)));
	unlink(name);
	if (!ok)
		return 37;
	if (!is_device("/dev/vcio", -1, makedev(100, 0)) || !access("/dev/vcio", X_OK))
		return 38;
	return stat("/dev/vcio-none", &st) && !stat("/dev", &st) && S_ISDIR(st.st_mode) ? 0 : 39;
}

/* A device file of its own, as older programs make it: a file takes its place. */
static int own_node(void)
{
	struct stat st;
	char name[64];
	int fd, i, ret;

	snprintf(name, sizeof(name), "/tmp/vshader-vcio-%d", (int)getpid());
	/* more often than there are places for them */
	for (i = 0; i < 40; i++) {
		if (i & 1 ? mknodat(AT_FDCWD, name, S_IFCHR | 0600, makedev(100, 0)) :
		    mknod(name, S_IFCHR | 0600, makedev(100, 0)))
			return 30;
		fd = open(name, 0);
		if (!is_device(name, fd, makedev(100, 0)))
			return 35;
		ret = other_names(name);
		if (ret)
			return ret;
		if (fd < 0 || call(fd, 0x30012, 1, 1, 0, 0, 0))
			return 31;
		if (!mknod(name, S_IFCHR | 0600, makedev(100, 0)))
			return 32;
		close(fd);
		unlink(name);
	}
	/* another file of that name is just a file */
	fd = open(name, O_CREAT | O_RDWR, 0600);
	if (stat(name, &st) || !S_ISREG(st.st_mode) || fstat(fd, &st) || !S_ISREG(st.st_mode))
		return 36;
	unlink(name);
	if (fd < 0 || call(fd, 0x30012, 1, 1, 0, 0, 0) != 0xdeadbeef)
		return 33;
	return close(fd) ? 34 : 0;
}

/* A node that is kept: the next run of the program finds it. */
static int kept_node(const char *name)
{
	struct stat st;
	int fd;

	if (stat(name, &st) && mknod(name, S_IFCHR | 0600, makedev(100, 0)))
		return 1;
	fd = open(name, 0);
	if (fd < 0 || call(fd, 0x30012, 1, 1, 0, 0, 0))
		return 2;
	puts("ok");
	return 0;
}

int main(int argc, char **argv)
{
	uint32_t handle, bus, *mem, bad[8] = { 12, 5 };
	int fd, ret;

	if (argc > 1)
		return kept_node(argv[1]);
	fd = open("/dev/vcio", 0);
	if (fd < 0)
		return 1;
	if (call(fd, 0x30012, 1, 1, 0, 0, 0))
		return 2;
	handle = call(fd, 0x3000c, 3, SIZE, 4096, 0xc, 0);
	bus = call(fd, 0x3000d, 1, handle, 0, 0, 0);
	if (!handle || !bus || bus == 0xdeadbeef)
		return 3;
	mem = map(BUS_TO_PHYS(bus | 0xc0000000), SIZE);
	if (mem == MAP_FAILED)
		return 4;
	/* not there, not all there, not a message, not a call of this file */
	if (map(0x3e000000, 4096) != MAP_FAILED || map(bus, 2 * SIZE) != MAP_FAILED)
		return 5;
	if (property(fd, bad) != -1 || ioctl(fd, 0x1234, bad) != -1)
		return 6;
	ret = own_node();
	if (!ret)
		ret = run(fd, bus, mem);
	if (!ret)
		ret = models(bus, mem);
	if (!ret)
		ret = tags(fd);
	if (!ret)
		ret = use_vcsm(fd);
	if (!ret)
		ret = use_vcsm_cma(fd);
	if (ret)
		return ret;
	munmap(mem, SIZE);
	if (call(fd, 0x3000e, 1, handle, 0, 0, 0) || call(fd, 0x3000f, 1, handle, 0, 0, 0))
		return 10;
	if (!call(fd, 0x3000f, 1, handle, 0, 0, 0))
		return 11;
	/* a tag that is not known stays without an answer */
	if (call(fd, 0x40001, 2, 0, 0, 0, 0) != 0xdeadbeef)
		return 12;
	if (call(fd, 0x30012, 1, 0, 0, 0, 0))
		return 13;
	close(fd);
	/* other files work as ever */
	fd = open("/dev/zero", O_RDONLY);
	if (fd < 0 || read(fd, bad, 4) != 4 || close(fd))
		return 14;
	puts("ok");
	return 0;
}
