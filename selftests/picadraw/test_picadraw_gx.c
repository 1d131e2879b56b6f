// SPDX-License-Identifier: GPL-2.0
/* Memory fill, display transfer, texture copy. Values of public tests on a console. */
#include <assert.h>
#include <errno.h>
#include <string.h>

#include "../include/tap.h"
#include "scene.h"

#define SRC	(NAT_MEM_VA + 0x1000)
#define DST	(NAT_MEM_VA + 0x20000)
#define RGBA8	0u
#define RGB8	1u
#define RGB565	2u	/* as screens have them, not frames */
#define RGB5A1	3u
#define RGBA4	4u

static struct vs_fault fault;
static int parsed;

static bool go(const uint32_t *words, uint32_t n)
{
	struct vs_extent ext = { NAT_MEM_VA, NAT_MEM_VA + NAT_MEM_SIZE, N.mem, VS_EXT_WRITE };
	struct vs_map map = { .n = 1, .ext = &ext };
	struct vs_native_in in = { .format = VS_NATIVE_PICA_GX, .words = words, .nwords = n,
				   .va = NAT_LIST_VA, .map = &map, .max_memory = 1 << 20 };
	struct vs_native_state *state = vs_native_state_new(VS_NATIVE_PICA_GX);
	struct vs_job_limits lim = { .budget = 1 << 24, .simd = N.simd, .slice = 3000 };
	struct vs_native *nat = NULL;
	struct vs_worker *w;
	struct vs_job *job;

	parsed = vs_native_parse(&in, state, &nat, &fault);
	if (!parsed) {
		job = vs_job_new(vs_native_map(nat), &lim, vs_native_phases(nat));
		w = vs_worker_new(0);
		assert(job && w && !vs_native_add_phases(nat, job));
		while (vs_job_step(job, w) != VS_RUN_DONE)
			;
		fault = *vs_job_get_fault(job);
		vs_job_free(job);
		vs_worker_free(w);
		vs_native_free(nat);
	}
	vs_native_state_free(state);
	return !parsed && fault.kind == VS_FAULT_NONE;
}

static bool transfer(uint32_t in, uint32_t out, uint32_t flags)
{
	const uint32_t w[8] = { 3, SRC, DST, in, out, flags };

	return go(w, 8);
}

static bool mem_is(uint32_t va, const char *bytes, int n)
{
	return !memcmp(N.mem + (va - NAT_MEM_VA), bytes, n);
}

static uint8_t *at(uint32_t va)
{
	return N.mem + (va - NAT_MEM_VA);
}

/* 48 bytes with a value of 16, 24 and 32 bits, by both engines; the end is not written. */
static void test_fill(void)
{
	const uint32_t both[8] = { 0x01000102, SRC, 0x00ffff00, SRC + 48, DST, 0x12345678, DST + 48,
				   0x101 | 0x201u << 16 };
	const uint32_t small[8] = { 2, SRC, 0xabcd1234, SRC + 6, 0, 1, 0x100, 1 | 1 << 16 };
	const uint32_t large[8] = { 2, SRC, 0x00a1b2c3, SRC + 0x30000, 0, 0, 0, 0x101 };
	bool ok;
	int i;

	memset(at(SRC), 0x55, 64);
	ok = go(both, 8);
	for (i = 0; i < 48; i += 3)
		ok &= mem_is(SRC + i, "\0\xff\xff", 3);
	for (i = 0; i < 48; i += 4)
		ok &= mem_is(DST + i, "\x78\x56\x34\x12", 4);
	tap_result(ok && at(SRC)[48] == 0x55, "%s: fill with 24 and 32 bits", nat_simd());
	ok = go(small, 8);
	tap_result(ok && mem_is(SRC, "\x34\x12\x34\x12\x34\x12\0\xff", 8),
		   "%s: fill with 16 bits", nat_simd());
	ok = go(large, 8);
	for (i = 0; i < 0x30000; i += 3)
		ok &= mem_is(SRC + i, "\xc3\xb2\xa1", 3);
	tap_result(ok, "%s: fill of 192 KiB", nat_simd());
}

/* 8 x 8 pixels of one colour from one format to another. Return: the first output bytes. */
static uint32_t converted(uint32_t from, uint32_t to, uint32_t bytes, uint32_t value)
{
	uint32_t i, v = 0;

	for (i = 0; i < 64; i++)
		memcpy(at(SRC + bytes * i), &value, bytes);
	if (!transfer(8 | 8 << 16, 8 | 8 << 16, from << 8 | to << 12))
		return ~0u;
	memcpy(&v, at(DST), to == RGBA8 ? 4 : to == RGB8 ? 3 : 2);
	return v;
}

static void test_formats(void)
{
	static const struct { uint32_t from, to, bytes, in, out; const char *what; } c[] = {
		{ RGBA8, RGB5A1, 4, 100, 0, "alpha 100 to 1 bit" },
		{ RGBA8, RGB5A1, 4, 127, 0, "alpha 127 to 1 bit" },
		{ RGBA8, RGB5A1, 4, 128, 1, "alpha 128 to 1 bit" },
		{ RGBA8, RGB5A1, 4, 254, 1, "alpha 254 to 1 bit" },
		{ RGBA8, RGBA4, 4, 100, 6, "alpha 100 to 4 bits" },
		{ RGBA8, RGBA4, 4, 127, 7, "alpha 127 to 4 bits" },
		{ RGBA8, RGBA4, 4, 128, 8, "alpha 128 to 4 bits" },
		{ RGBA8, RGBA4, 4, 254, 15, "alpha 254 to 4 bits" },
		{ RGBA4, RGB5A1, 2, 0xf000, 0xf800, "red 15 of 4 bits to 5" },
		{ RGBA4, RGB5A1, 2, 0x0007, 0, "alpha 7 of 4 bits to 1" },
		{ RGBA4, RGB5A1, 2, 0x0008, 1, "alpha 8 of 4 bits to 1" },
		{ RGB5A1, RGBA4, 2, 0x0001, 0x000f, "alpha 1 of 1 bit to 4" },
		{ RGB565, RGBA8, 2, 0xffff, 0xffffffff, "565 to 8 bits: opaque" },
		{ RGB8, RGBA8, 3, 0x123456, 0x123456ff, "RGB8 to RGBA8" },
		{ RGBA8, RGB8, 4, 0x12345678, 0x123456, "RGBA8 to RGB8" },
	};
	unsigned int i;
	uint32_t v;

	for (i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		v = converted(c[i].from, c[i].to, c[i].bytes, c[i].in);
		tap_result(v == c[i].out, "%s: %s: %#x", nat_simd(), c[i].what, v);
	}
}

/* Each pixel has its number; @w x @h pixels in blocks at the source. */
static void numbered(int w, int h, bool tiled)
{
	uint32_t x, y, v, place;

	for (y = 0; y < (uint32_t)h; y++) {
		for (x = 0; x < (uint32_t)w; x++) {
			v = y << 16 | x << 8 | 0xff;
			place = tiled ? pica_draw_ref_place(x, y, w) : y * w + x;
			memcpy(at(SRC + 4 * place), &v, 4);
		}
	}
}

static uint32_t output(uint32_t place)
{
	uint32_t v;

	memcpy(&v, at(DST + 4 * place), 4);
	return v;
}

static void test_orders(void)
{
	bool ok[5];
	uint32_t x, y;

	numbered(16, 8, true);
	ok[0] = transfer(16 | 8 << 16, 16 | 8 << 16, 0);
	for (y = 0; y < 8; y++)
		for (x = 0; x < 16; x++)
			ok[0] &= output(y * 16 + x) == (y << 16 | x << 8 | 0xff);
	ok[1] = transfer(16 | 8 << 16, 16 | 8 << 16, 1);
	for (y = 0; y < 8; y++)
		for (x = 0; x < 16; x++)
			ok[1] &= output((7 - y) * 16 + x) == (y << 16 | x << 8 | 0xff);
	ok[2] = transfer(16 | 8 << 16, 8 | 8 << 16, 4);
	for (y = 0; y < 8; y++)
		for (x = 0; x < 8; x++)
			ok[2] &= output(y * 8 + x) == (y << 16 | x << 8 | 0xff);
	numbered(16, 8, false);
	ok[3] = transfer(16 | 8 << 16, 16 | 8 << 16, 2);
	for (y = 0; y < 8; y++)
		for (x = 0; x < 16; x++)
			ok[3] &= output(pica_draw_ref_place(x, y, 16)) == (y << 16 | x << 8 | 0xff);
	ok[4] = transfer(16 | 8 << 16, 16 | 8 << 16, 2 | 0x20);
	for (x = 0; x < 128; x++)
		ok[4] &= output(x) == ((x / 16) << 16 | (x % 16) << 8 | 0xff);
	tap_result(ok[0], "%s: blocks to rows", nat_simd());
	tap_result(ok[1], "%s: upside down", nat_simd());
	tap_result(ok[2], "%s: cropped", nat_simd());
	tap_result(ok[3], "%s: rows to blocks", nat_simd());
	tap_result(ok[4], "%s: rows to rows", nat_simd());
}

static void test_scales(void)
{
	uint32_t x, y;
	bool ok;

	numbered(16, 16, true);
	ok = transfer(16 | 16 << 16, 16 | 16 << 16, 1 << 24);
	for (y = 0; y < 16; y++)
		for (x = 0; x < 8; x++)
			ok &= output(y * 8 + x) == (y << 16 | 2 * x << 8 | 0xff);
	tap_result(ok, "%s: half of the width", nat_simd());
	ok = transfer(16 | 16 << 16, 16 | 16 << 16, 2 << 24);
	for (y = 0; y < 8; y++)
		for (x = 0; x < 8; x++)
			ok &= output(y * 8 + x) == (2 * y << 16 | 2 * x << 8 | 0xff);
	tap_result(ok, "%s: half of both", nat_simd());
}

/* An image of a transfer: @side of its blocks, 0: rows. */
struct image {
	uint32_t va;
	int width;
	int format;
	int side;
};

static uint8_t *pixel(const struct image *m, int x, int y)
{
	static const int bytes[5] = { 4, 3, 2, 2, 2 };
	uint32_t n = m->side ? pica_draw_ref_place_in(x, y, m->width, m->side) :
			       (uint32_t)(y * m->width + x);

	return at(m->va + bytes[m->format] * n);
}

/* Is @out the mean of @in's pixels? @height: of @out. */
static bool is_transferred(const struct image *in, const struct image *out, int height, int scale,
			   bool flip)
{
	static const int frame[5] = { 0, 1, 3, 2, 4 }, bytes[5] = { 4, 3, 2, 2, 2 };
	int wide = scale ? 2 : 1, tall = scale == 2 ? 2 : 1, x, y, i, k, c[4], mean[4];
	uint8_t want[4];

	for (y = 0; y < height; y++) {
		for (x = 0; x < out->width; x++) {
			memset(mean, 0, sizeof(mean));
			for (i = 0; i < wide * tall; i++) {
				pica_draw_ref_colour(frame[in->format],
						     pixel(in, wide * x + i % wide,
							   tall * y + i / wide), c);
				for (k = 0; k < 4; k++)
					mean[k] += c[k];
			}
			for (k = 0; k < 4; k++)
				mean[k] /= wide * tall;
			pica_draw_ref_put_colour(frame[out->format], mean, want);
			if (memcmp(want, pixel(out, x, flip ? height - 1 - y : y),
				   bytes[out->format]))
				return false;
		}
	}
	return true;
}

/* All pairs of formats, orders and scales, with random pixels and sizes. */
static void test_random(void)
{
	int n, i, wrong = 0;

	sc_seed(N.simd + 1);
	for (n = 0; n < 300; n++) {
		int linear = n & 1, same = n >> 1 & 1, flip = n >> 2 & 1, large = n >> 3 & 1;
		int scale = linear ? 0 : (n >> 4) % 3, side = large ? 32 : 8;
		int width = side * (int)(2 + 2 * (sc_random() % 2)), height = side * 2;
		int crop = scale || sc_random() % 2 ? 0 : side;
		struct image in = { SRC, width, (int)(sc_random() % 5), linear ? 0 : side };
		struct image out = { DST, (width - crop) >> !!scale,
				     (int)(sc_random() % 5), linear == same ? 0 : side };

		for (i = 0; i < width * height * 4; i++)
			at(SRC)[i] = sc_random();
		if (!transfer((uint32_t)width | (uint32_t)height << 16,
			      (uint32_t)(width - crop) | (uint32_t)height << 16,
			      (uint32_t)(flip | linear << 1 | (crop ? 4 : 0) | same << 5 |
					 in.format << 8 | out.format << 12 | large << 16 |
					 scale << 24)) ||
		    !is_transferred(&in, &out, scale == 2 ? height / 2 : height, scale,
				    flip))
			wrong++;
	}
	tap_result(!wrong, "%s: %d of %d random transfers are wrong", nat_simd(), wrong, n);
}

/* Outputs in rows of any width and height, from any address, of inputs that are larger. */
static void test_odd(void)
{
	static const uint32_t bytes[5] = { 4, 3, 2, 2, 2 };
	int n, i, wrong = 0;

	sc_seed(N.simd + 77);
	for (n = 0; n < 200; n++) {
		int linear = n & 1, flip = n >> 1 & 1, large = n >> 2 & 1;
		int scale = linear ? 0 : (n >> 3) % 3, side = large ? 32 : 8;
		int width = linear ? 3 + (int)(sc_random() % 60) :
				     side * (int)(1 + sc_random() % 3);
		int height = linear ? 1 + (int)(sc_random() % 20) :
				      side * (int)(1 + sc_random() % 2);
		uint32_t w = 2 + sc_random() % (uint32_t)(width - 1);
		uint32_t h = scale == 2 ? 2 + sc_random() % (uint32_t)(height - 1) :
					  1 + sc_random() % (uint32_t)height;
		struct image in = { SRC + sc_random() % 16, width, (int)(sc_random() % 5),
				    linear ? 0 : side };
		struct image out = { DST + sc_random() % 16, (int)(w >> !!scale),
				     (int)(sc_random() % 5), 0 };
		uint32_t rows = scale == 2 ? h / 2 : h, end;
		const uint32_t words[8] = {
			3, in.va, out.va, (uint32_t)width | (uint32_t)height << 16, w | h << 16,
			(uint32_t)(flip | linear << 1 | linear << 5 | 4 | in.format << 8 |
				   out.format << 12 | large << 16 | scale << 24)
		};

		end = out.va + bytes[out.format] * rows * (uint32_t)out.width;
		for (i = 0; i < width * height * 4 + 16; i++)
			at(SRC)[i] = sc_random();
		memset(at(DST), 0x77, end - DST + 4);
		if (!go(words, 8) ||
		    !is_transferred(&in, &out, (int)rows, scale, flip) ||
		    !mem_is(end, "\x77\x77\x77\x77", 4))
			wrong++;
	}
	tap_result(!wrong, "%s: %d of %d transfers of odd sizes are wrong", nat_simd(), wrong, n);
}

/* Fills of 1 to 16 bytes, from any address. */
static void test_small_fills(void)
{
	static const uint32_t width[4] = { 2, 3, 4, 3 };
	uint32_t n, i, k, from, wrong = 0;

	for (k = 0; k < 4; k++) {
		for (n = 1; n <= 16; n++) {
			const uint32_t w[8] = { 2, SRC + 7 * n, 0xd4c3b2a1, SRC + 8 * n, 0, 0, 0,
						1 | k << 8 };

			from = 7 * n;
			memset(at(SRC), 0x55, 256);
			wrong += !go(w, 8) || at(SRC)[from - 1] != 0x55 ||
				 at(SRC)[from + n] != 0x55;
			for (i = 0; i < n; i++)
				wrong += at(SRC)[from + i] !=
					 (uint8_t)(0xd4c3b2a1 >> (8 * (i % width[k])));
		}
	}
	tap_result(!wrong, "%s: %u bytes of small fills are wrong", nat_simd(), wrong);
}

/* Copies whose sides have rows of different lengths. */
static void test_copy_random(void)
{
	uint32_t n, i, wrong = 0;

	sc_seed(5);
	for (n = 0; n < 100; n++) {
		uint32_t in = 1 + sc_random() % 5, ig = sc_random() % 4;
		uint32_t out = 1 + sc_random() % 5, og = sc_random() % 4;
		uint32_t size = 16 * (1 + sc_random() % 60) + sc_random() % 16;
		const uint32_t w[8] = { 4, SRC, DST, size, in | ig << 16, out | og << 16, 8 };
		uint8_t want[16];

		for (i = 0; i < 16 * 200; i++)
			at(SRC)[i] = sc_random();
		memset(at(DST), 0, 16 * 400);
		if (!go(w, 8))
			wrong++;
		for (i = 0; i < size / 16; i++) {
			uint32_t from = ig ? i / in * (in + ig) + i % in : i;
			uint32_t to = og ? i / out * (out + og) + i % out : i;

			memcpy(want, at(SRC + 16 * from), 16);
			wrong += !!memcmp(at(DST + 16 * to), want, 16);
			memset(at(DST + 16 * to), 0, 16);
		}
		for (i = 0; i < 16 * 400; i++)
			wrong += !!at(DST)[i];
	}
	tap_result(!wrong, "%s: %u of %u random copies are wrong", nat_simd(), wrong, n);
}

static void test_copy(void)
{
	const uint32_t plain[8] = { 4, SRC, DST, 0x105, 0, 0, 8 };
	const uint32_t rows[8] = { 4, SRC, DST, 96, 2 | 1 << 16, 1 | 3 << 16, 8 };
	bool ok;
	int i;

	for (i = 0; i < 1024; i++)
		at(SRC)[i] = i * 7;
	memset(at(DST), 0, 1024);
	ok = go(plain, 8) && !memcmp(at(SRC), at(DST), 256) && !at(DST)[256] && !at(DST)[257];
	tap_result(ok, "%s: copy, size rounded down to 16", nat_simd());
	memset(at(DST), 0, 1024);
	ok = go(rows, 8);
	/* rows of 32 bytes with 16 between them, to rows of 16 with 48 between them */
	for (i = 0; i < 6; i++)
		ok &= !memcmp(at(DST) + 64 * i, at(SRC) + 48 * (i / 2) + 16 * (i % 2), 16) &&
		      !at(DST)[64 * i + 16] && !at(DST)[64 * i + 63];
	tap_result(ok, "%s: copy with gaps", nat_simd());
}

static bool rejected(uint32_t code, const uint32_t w[8])
{
	return !go(w, 8) && parsed && fault.kind == VS_FAULT_COMMAND && fault.code == code &&
	       vs_native_reason_text(VS_NATIVE_PICA_CMDLIST, code)[1];
}

static void test_bad(void)
{
	const uint32_t unknown[8] = { 9 }, zero[8] = { 4, SRC, DST, 15 };
	const uint32_t gap[8] = { 4, SRC, DST, 64, 1 << 16 };
	const uint32_t empty[8] = { 3, SRC, DST, 0, 8 | 8 << 16 };
	const uint32_t format[8] = { 3, SRC, DST, 8 | 8 << 16, 8 | 8 << 16, 7 << 8 };
	const uint32_t scale[8] = { 3, SRC, DST, 8 | 8 << 16, 8 | 8 << 16, 2 | 1 << 24 };
	const uint32_t hole[8] = { 3, NAT_HOLE_VA, DST, 8 | 8 << 16, 8 | 8 << 16 };
	const uint32_t endless[8] = { 2, NAT_MEM_VA, 0, 0xffffffff, 0, 0, 0, 1 };

	tap_result(rejected(64, unknown), "%s: unknown request", nat_simd());
	tap_result(rejected(65, zero) && rejected(65, gap) && rejected(65, empty),
		   "%s: sizes of zero", nat_simd());
	tap_result(rejected(66, scale), "%s: rows are not scaled", nat_simd());
	tap_result(rejected(67, format), "%s: undefined format", nat_simd());
	tap_result(!go(hole, 8) && fault.kind == VS_FAULT_READ && fault.address == NAT_HOLE_VA,
		   "%s: no memory", nat_simd());
	tap_result(!go(endless, 8) && fault.kind == VS_FAULT_WRITE,
		   "%s: fill beyond memory", nat_simd());
	tap_result(!go(unknown, 7) && parsed == -EINVAL, "%s: part of a request", nat_simd());
}

int main(void)
{
	static const nat_test tests[] = {
		test_fill, test_formats, test_orders, test_scales, test_random, test_odd,
		test_small_fills, test_copy, test_copy_random, test_bad,
	};

	nat_all(tests, sizeof(tests) / sizeof(tests[0]));
	return tap_done();
}
