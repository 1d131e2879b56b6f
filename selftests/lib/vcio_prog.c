// SPDX-License-Identifier: GPL-2.0
/*
 * A typical Raspberry Pi program with its own mailbox calls, unaware of vshader.
 * test_vcio.sh runs it with libvshader_vcio.so preloaded.
 */
#include <fcntl.h>
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

static int poke(uint32_t bus, uint32_t *mem)
{
	uint32_t *peri = map(PERIPHERALS, 0x1000000);
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
	return munmap(peri, 0x1000000) ? 25 : 0;
}

/* A device file of its own, as older programs make it. */
static int own_node(void)
{
	char name[64];
	int fd, i;

	snprintf(name, sizeof(name), "/tmp/vshader-vcio-%d", (int)getpid());
	/* more often than there are places for them */
	for (i = 0; i < 40; i++) {
		if (mknod(name, S_IFCHR | 0600, makedev(100, 0)))
			return 30;
		fd = open(name, 0);
		if (fd < 0 || call(fd, 0x30012, 1, 1, 0, 0, 0))
			return 31;
		if (!mknod(name, S_IFCHR | 0600, makedev(100, 0)))
			return 32;
		close(fd);
		unlink(name);
	}
	/* another file of that name is just a file */
	fd = open(name, O_CREAT | O_RDWR, 0600);
	unlink(name);
	if (fd < 0 || call(fd, 0x30012, 1, 1, 0, 0, 0) != 0xdeadbeef)
		return 33;
	return close(fd) ? 34 : 0;
}

int main(void)
{
	uint32_t handle, bus, *mem, bad[8] = { 12, 5 };
	int fd = open("/dev/vcio", 0), ret;

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
		ret = poke(bus, mem);
	if (ret)
		return ret;
	munmap(mem, SIZE);
	if (call(fd, 0x3000e, 1, handle, 0, 0, 0) || call(fd, 0x3000f, 1, handle, 0, 0, 0))
		return 10;
	if (!call(fd, 0x3000f, 1, handle, 0, 0, 0))
		return 11;
	/* a tag that is not known stays without an answer */
	if (call(fd, 0x38001, 2, 0, 0, 0, 0) != 0xdeadbeef)
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
