// SPDX-License-Identifier: GPL-2.0
/*
 * A typical program without an operating system's driver: it writes control lists, starts them by
 * the registers of the V3D block, and polls. test_vcio.sh runs it with libvshader_vcio.so
 * preloaded.
 *
 *   v3d_prog FILE.png
 */
#include <fcntl.h>
#include <png.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../drm/vst_vc4.h"

#define IOCTL_MBOX_PROPERTY	_IOWR(100, 0, char *)
#define V3D			0x3fc00000u
#define BYTES			0x40000u
#define SIDE			64u	/* of the image, a tile */
#define RED			0xff0000ffu
#define BACK			0xff400000u
#define NUM_RED			(SIDE * (SIDE - 1) / 2)	/* without the diagonal */

/* Registers. */
#define INTCTL	0x030
#define INTENA	0x034
#define INTDIS	0x038
#define CT0CS	0x100
#define CT1CS	0x104
#define CT0EA	0x108
#define CT1EA	0x10c
#define CT0CA	0x110
#define CT1CA	0x114
#define PCS	0x130
#define BFC	0x134
#define RFC	0x138
#define BPOA	0x308
#define BPOS	0x30c

#define RESET	0x8000
#define RUN	0x20
#define ERROR	0x08

/* Where things are in the memory. */
#define IMAGE	0x00000
#define TILES	0x10000
#define STATE	0x20000
#define SPILL	0x21000
#define BINS	0x24000
#define RENDERS	0x25000
#define CODE	0x26000
#define RECORD	0x28000
#define VERTS	0x28100
#define UNIFS	0x28200
#define HEAP	0x10000	/* bytes for lists of tiles */

static uint32_t *regs;
static uint8_t *mem;
static uint32_t bus;
static uint8_t *at;	/* next byte of a list */

static uint32_t get(uint32_t reg)
{
	return __atomic_load_n(&regs[reg / 4], __ATOMIC_RELAXED);
}

static void set(uint32_t reg, uint32_t value)
{
	__atomic_store_n(&regs[reg / 4], value, __ATOMIC_RELAXED);
}

/* ---- memory ---- */

static uint32_t call(int fd, uint32_t tag, uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t msg[] __attribute__((aligned(16))) = { 36, 0, tag, 12, 12, a, b, c, 0 };

	return ioctl(fd, IOCTL_MBOX_PROPERTY, msg) < 0 || msg[1] != 0x80000000 ? 0 : msg[5];
}

static void *map(uint32_t base, uint32_t size)
{
	int fd = open("/dev/mem", O_RDWR | O_SYNC);
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, base);

	close(fd);
	return p == MAP_FAILED ? NULL : p;
}

static int start(void)
{
	int fd = open("/dev/vcio", 0);
	uint32_t handle;

	if (fd < 0)
		return 1;
	handle = call(fd, 0x3000c, BYTES, 4096, 0xc);
	bus = call(fd, 0x3000d, handle, 0, 0);
	mem = bus ? map(bus & 0x3fffffff, BYTES) : NULL;
	regs = map(V3D, 4096);
	return mem && regs && get(0) == 0x02443356 && get(4) == 0x00102431 ? 0 : 2;
}

/* ---- lists ---- */

static void byte(uint32_t v)
{
	*at++ = (uint8_t)v;
}

static void word(uint32_t v)
{
	memcpy(at, &v, 4);
	at += 4;
}

static void bytes(const void *p, uint32_t n)
{
	memcpy(at, p, n);
	at += n;
}

/*
 * The list of vst_vc4.h with addresses and another state packet, and without the last two bytes
 * if nobody waits for the semaphore. Return: its end.
 */
static uint32_t make_bin(uint32_t state, uint32_t heap, bool semaphore)
{
	const uint32_t draw = sizeof(vc4_list) - 17;	/* state, array, semaphore, flush */

	at = mem + BINS;
	byte(0x70);
	word(bus + TILES);
	word(heap);
	word(bus + STATE);
	byte(1);
	byte(1);
	byte(4);
	bytes(vc4_list + 16, draw - 16);
	byte(state);
	word(bus + RECORD + (state == 0x40));
	bytes(vc4_list + draw + 5, 10);
	if (semaphore)
		byte(7);
	byte(4);
	return bus + (uint32_t)(at - mem);
}

static void clear(void)
{
	byte(0x72);
	word(BACK);
	word(BACK);
	word(0);
	byte(0);
}

static void tile(void)
{
	byte(0x73);
	byte(0);
	byte(0);
}

static void store_none(void)
{
	byte(0x1c);
	byte(0);
	byte(0);
	word(0);
}

static void mode(void)
{
	byte(0x71);
	word(bus + IMAGE);
	word(SIDE | SIDE << 16);
	byte(4);	/* 8888 in lines */
	byte(0);
}

/* Clear the tile, draw its list, store it. */
static uint32_t make_render(bool semaphore)
{
	at = mem + RENDERS;
	clear();
	mode();
	tile();
	store_none();
	tile();
	if (semaphore)
		byte(8);
	byte(0x11);
	word(bus + TILES);
	byte(0x19);
	return bus + (uint32_t)(at - mem);
}

/* By hand alone: two stores of the clear value, the last one by a sub-list; nothing is binned. */
static uint32_t make_clear(void)
{
	uint32_t end;

	at = mem + RENDERS;
	clear();
	mode();
	tile();
	store_none();
	tile();
	byte(0x11);
	word(bus + RENDERS + 0x100);
	end = bus + (uint32_t)(at - mem);
	at = mem + RENDERS + 0x100;
	byte(0x1c);
	byte(0x01);	/* colour in lines */
	byte(0x00);
	word((bus + IMAGE) | 8);	/* end of the frame */
	byte(0x12);
	return end;
}

/* ---- what they draw ---- */

/* Shaded vertices: 12.4 pixels from the centre, depth, 1/W. */
static void make_nv(void)
{
	const uint32_t record[] = {
		1 | 12 << 8, bus + CODE, bus + UNIFS, bus + VERTS,
	};
	const uint32_t verts[] = {
		0xfe00fe00, 0x3f000000, 0x3f800000,
		0xfe000200, 0x3f000000, 0x3f800000,
		0x0200fe00, 0x3f000000, 0x3f800000,
	};

	memcpy(mem + RECORD, record, sizeof(record));
	memcpy(mem + VERTS, verts, sizeof(verts));
}

/* The same by a vertex and a coordinate program. */
static void make_gl(void)
{
	const uint32_t record[] = {
		0x00000005, bus + CODE, bus + UNIFS,
		0x10010000, bus + CODE + 0x400, bus + UNIFS + 16,
		0x10010000, bus + CODE + 0x800, bus + UNIFS + 16, bus + VERTS, 0x0000100f,
	};
	const float verts[] = { -1, -1, 0, 1, 1, -1, 0, 1, -1, 1, 0, 1 };

	memcpy(mem + RECORD, record, sizeof(record));
	memcpy(mem + VERTS, verts, sizeof(verts));
}

static void make_programs(void)
{
	const uint32_t color = RED;
	const float view[] = { 512, 512, 0.5f, 0.5f };

	memcpy(mem + CODE, vc4_fs, sizeof(vc4_fs));
	memcpy(mem + CODE + 0x400, vc4_vs, sizeof(vc4_vs));
	memcpy(mem + CODE + 0x800, vc4_cs, sizeof(vc4_cs));
	memcpy(mem + UNIFS, &color, 4);
	memcpy(mem + UNIFS + 16, view, sizeof(view));
}

static uint32_t count(uint32_t color)
{
	uint32_t i, n = 0, pixel;

	for (i = 0; i < SIDE * SIDE; i++) {
		memcpy(&pixel, mem + IMAGE + 4 * i, 4);
		n += pixel == color;
	}
	return n;
}

static bool is_drawn(void)
{
	return count(RED) == NUM_RED && count(BACK) == SIDE * SIDE - NUM_RED;
}

/* ---- runs ---- */

static void reset(void)
{
	set(CT0CS, RESET);
	set(CT1CS, RESET);
	set(BFC, 1);
	set(RFC, 1);
	set(INTCTL, ~0u);
	set(BPOS, 0);
	memset(mem, 0, SIDE * SIDE * 4);
}

static void go(uint32_t thread, uint32_t from, uint32_t to)
{
	set(CT0CA + 4 * thread, from);
	set(CT0EA + 4 * thread, to);
}

/* Poll a count. */
static bool wait_for(uint32_t reg)
{
	int i;

	for (i = 0; i < 1000 && !get(reg); i++)
		;
	return get(reg);
}

/* Bin, wait, render. */
static int in_turn(uint32_t state)
{
	uint32_t end;

	reset();
	end = make_bin(state, HEAP, false);
	go(0, bus + BINS, end);
	if (!wait_for(BFC) || get(CT0CA) != end || get(CT0CS) || get(INTCTL) != 2 || get(PCS))
		return 10;
	go(1, bus + RENDERS, make_render(false));
	if (!wait_for(RFC) || get(CT1CS) || get(INTCTL) != 3 || !is_drawn())
		return 11;
	set(INTCTL, 2);
	return get(INTCTL) == 1 && get(BFC) == 1 ? 0 : 12;
}

/* The rendering thread is started first and waits for the semaphore, in each of three frames. */
static int by_semaphore(uint32_t state)
{
	uint32_t i, end;

	reset();
	for (i = 1; i <= 3; i++) {
		go(1, bus + RENDERS, make_render(true));
		if (get(CT1CS) != RUN || get(RFC) != i - 1 || get(CT1CA) != bus + RENDERS ||
		    !(get(PCS) & 4) || count(RED))
			return 20;
		end = make_bin(state, HEAP, true);
		go(0, bus + BINS, end);
		if (get(RFC) != i || get(BFC) != i || get(CT1CS) || get(CT0CS) || !is_drawn())
			return 21;
		memset(mem, 0, SIDE * SIDE * 4);
	}
	/* the other way round */
	go(0, bus + BINS, make_bin(state, HEAP, true));
	if (get(CT1CS) != 1 << 12)
		return 22;
	go(1, bus + RENDERS, make_render(true));
	return get(CT1CS) || !is_drawn() ? 23 : 0;
}

static int by_hand(void)
{
	reset();
	go(1, bus + RENDERS, make_clear());
	return get(RFC) == 1 && count(BACK) == SIDE * SIDE ? 0 : 30;
}

/* An unknown packet; then a list that is right; then a thread that waits and is reset. */
static int errors(void)
{
	uint32_t end;

	reset();
	end = make_bin(0x41, HEAP, false);
	mem[BINS + 16] = 0xfe;
	go(0, bus + BINS, end);
	if (get(CT0CS) != ERROR || get(CT0CA) != bus + BINS + 16 || get(BFC) || get(INTCTL))
		return 40;
	make_bin(0x41, HEAP, false);
	go(0, bus + BINS, end);
	if (get(CT0CS) || get(BFC) != 1)
		return 41;
	go(1, bus + RENDERS, make_render(true));
	if (get(CT1CS) != RUN)
		return 42;
	set(CT1CS, 0x10);
	if (get(CT1CS))
		return 43;
	set(CT1CS, RUN);
	if (get(CT1CS) != RUN)
		return 44;
	set(CT1CS, RESET);
	if (get(CT1CS) || get(CT1CA) || get(PCS) || count(BACK))
		return 45;
	set(INTENA, 5);
	set(INTDIS, 4);
	if (get(INTENA) != 1)
		return 46;
	set(INTDIS, 1);
	return get(INTENA) ? 47 : 0;
}

/* The lists of tiles need more memory than the bin list has. */
static int memory(void)
{
	uint32_t end;

	reset();
	end = make_bin(0x41, 32, false);
	go(0, bus + BINS, end);
	if (get(CT0CS) != RUN || get(PCS) != 0x103 || get(INTCTL) != 4 || get(BFC))
		return 50;
	set(BPOA, bus + SPILL);
	set(BPOS, 4096);
	if (get(CT0CS) || get(PCS) || get(BFC) != 1 || get(BPOS) || get(INTCTL) != 0xe)
		return 51;
	go(1, bus + RENDERS, make_render(false));
	if (!is_drawn())
		return 52;
	/* memory that is there already */
	reset();
	set(BPOS, 4096);
	go(0, bus + BINS, end);
	if (get(CT0CS) || get(BFC) != 1 || get(BPOS) || get(INTCTL) != 0xa)
		return 53;
	go(1, bus + RENDERS, make_render(false));
	return is_drawn() ? 0 : 54;
}

static int save(const char *path)
{
	png_image image = {
		.version = PNG_IMAGE_VERSION, .width = SIDE, .height = SIDE,
		.format = PNG_FORMAT_RGBA,
	};

	return png_image_write_to_file(&image, path, 0, mem + IMAGE, 0, NULL) ? 0 : 60;
}

int main(int argc, char **argv)
{
	int ret = start();

	if (ret)
		return ret;
	make_programs();
	make_nv();
	ret = in_turn(0x41);
	if (!ret)
		ret = by_semaphore(0x41);
	if (!ret)
		ret = errors();
	if (!ret)
		ret = memory();
	if (!ret)
		ret = by_hand();
	make_gl();
	if (!ret)
		ret = in_turn(0x40);
	if (!ret)
		ret = by_semaphore(0x40);
	if (!ret && argc > 1)
		ret = save(argv[1]);
	if (!ret)
		puts("ok");
	return ret;
}
