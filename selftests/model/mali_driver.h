/* SPDX-License-Identifier: GPL-2.0 */
/* A fake driver of a Mali on a fake host: power, address spaces, chains in a page. */
#ifndef MODEL_MALI_DRIVER_H
#define MODEL_MALI_DRIVER_H

#include "../include/tap.h"
#include "fake.h"

#define CHECK(cond)	tap_result(cond, "%s", #cond)

#define CODE_VA		0x2000000ULL
#define DATA_VA		0x3000000ULL
#define HEAP_VA		0x4000000ULL

#define AS(n, reg)	(0x2400 + (n) * 0x40 + (reg))
#define JS(n, reg)	(0x1800 + (n) * 0x80 + (reg))

enum { UPDATE = 1, LOCK, UNLOCK, FLUSH_PT, FLUSH_MEM };

static struct fake f;
static u32 *jobs, *data;
static u64 code_pa, data_pa;

/* ---- the driver's part ---- */

static inline void power_up(void)
{
	wr(&f, 0x1a0, 1);
	wr(&f, 0x180, 1);
	wr(&f, 0x190, 1);
}

static inline void as_command(u32 n, u32 command)
{
	if (command == FLUSH_PT || command == FLUSH_MEM) {
		wr(&f, AS(n, 0x10), 47);
		wr(&f, AS(n, 0x14), 0);
		wr(&f, AS(n, 0x18), LOCK);
	}
	wr(&f, AS(n, 0x18), command);
}

static inline void space_on(u32 n)
{
	bool aarch64 = f.format == FAKE_AARCH64;

	wr(&f, AS(n, 0x00), (u32)f.root | (aarch64 ? 0 : 3));
	wr(&f, AS(n, 0x04), (u32)(f.root >> 32));
	wr(&f, AS(n, 0x30), aarch64 ? 6 | 7 << 6 : 0);
	wr(&f, AS(n, 0x18), UPDATE);
}

static inline void space_off(u32 n)
{
	as_command(n, FLUSH_MEM);
	wr(&f, AS(n, 0x00), 0);
	wr(&f, AS(n, 0x04), 0);
	wr(&f, AS(n, 0x30), 0);
	wr(&f, AS(n, 0x18), UPDATE);
}

static inline void begin(const char *gpu, enum fake_format format)
{
	if (!fake_new(&f, gpu))
		abort();
	f.format = format;
	code_pa = fake_page(&f);
	data_pa = fake_page(&f);
	jobs = fake_mem(&f, code_pa);
	data = fake_mem(&f, data_pa);
	fake_map(&f, CODE_VA, code_pa, true);
	fake_map(&f, DATA_VA, data_pa, true);
	wr(&f, 0x028, 0x30181);
	wr(&f, 0x1008, 0x70007);
	wr(&f, 0x2008, 0xff00ff);
	power_up();
	space_on(1);
}

static inline void end(void)
{
	fake_free(&f);
}

/* Job number @n of the page, followed by the next, or by none. */
static inline void put_job(u32 n, u32 type, bool last)
{
	u32 *j = jobs + n * 16;

	memset(j, 0, 64);
	j[4] = 1 | type << 1;
	if (!last)
		j[6] = (u32)CODE_VA + (n + 1) * 64;
}

static inline void put_write(u32 n, u64 to, u32 value, bool last)
{
	u32 *j = jobs + n * 16;

	put_job(n, 2, last);
	j[8] = (u32)to;
	j[9] = (u32)(to >> 32);
	j[10] = 6;
	j[12] = value;
}

static inline void start_in(u32 n, u32 as, u32 flags)
{
	wr(&f, JS(n, 0x40), (u32)CODE_VA);
	wr(&f, JS(n, 0x44), 0);
	wr(&f, JS(n, 0x50), 1);
	wr(&f, JS(n, 0x54), 0);
	wr(&f, JS(n, 0x58), 0x83300 | as | flags);
	wr(&f, JS(n, 0x60), 1);
}

static inline void start(u32 n)
{
	start_in(n, 1, 0);
}

/* Read and clear the job interrupts. */
static inline u32 take_irq(void)
{
	u32 raw = rd(&f, 0x1000);

	wr(&f, 0x1004, raw);
	return raw;
}

static inline bool found(const char *text)
{
	bool yes = f.reports && strstr(f.text, text);

	if (!yes)
		tap_comment("%u findings, the last: %s", f.reports, f.text);
	f.reports = 0;
	f.text[0] = 0;
	return yes;
}

#endif /* MODEL_MALI_DRIVER_H */
