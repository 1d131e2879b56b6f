// SPDX-License-Identifier: GPL-2.0
/*
 * Descriptions of GPUs for device trees against the models: names, sizes, interrupt lines; and
 * registers of a model after the machine's reset against those of a new one.
 */
#include "../include/tap.h"
#include "fake.h"

#define ROUNDS	100000

static u32 seed = 1;

static u32 rnd(u32 n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

/* Return: the model has a register at the offset. */
static bool exists(struct fake *f, u32 offset)
{
	f->text[0] = 0;
	rd(f, offset);
	return !strstr(f->text, "no such register");
}

/* The window holds all registers and is not twice as large as needed. */
static void check_size(struct fake *f, const struct vs_model_desc *d)
{
	u32 offset, last = 0;

	for (offset = 0; offset < 2 * d->size; offset += 4) {
		if (exists(f, offset))
			last = offset;
	}
	tap_result(last < d->size && last >= d->size / 2, "%s: last register 0x%x of 0x%x",
		   d->gpu, last, d->size);
}

static void scribble(struct fake *f, const struct vs_model_desc *d, u32 *lines)
{
	u32 i;

	*lines = 0;
	for (i = 0; i < ROUNDS; i++) {
		wr(f, rnd(d->size / 4) * 4, rnd(4) ? 1U << rnd(32) : ~0U);
		*lines |= vs_model_lines(f->model);
	}
}

static u32 named_lines(const struct vs_model_desc *d)
{
	u32 i, lines = 0;

	for (i = 0; i < VS_MODEL_LINES; i++)
		lines |= d->line[i] ? 1U << i : 0;
	return lines;
}

static void on_wait(struct fake *f)
{
}

/* Return: number of registers that differ. */
static u32 differences(struct fake *a, struct fake *b, const struct vs_model_desc *d)
{
	u32 offset, n = 0, va, vb;

	for (offset = 0; offset < d->size; offset += 4) {
		/* both: the timer goes on with each read */
		if (!exists(a, offset) || !exists(b, offset))
			continue;
		va = rd(a, offset);
		vb = rd(b, offset);
		if (va != vb)
			tap_comment("%s: 0x%x: new 0x%x, reset 0x%x", d->gpu, offset, va, vb);
		n += va != vb;
	}
	return n;
}

static void check_gpu(const struct vs_model_desc *d)
{
	struct fake fresh, used;
	u32 lines;

	if (!fake_new(&fresh, d->gpu) || !fake_new(&used, d->gpu)) {
		tap_result(false, "%s: there is no model", d->gpu);
		return;
	}
	used.on_wait = on_wait;
	check_size(&used, d);
	vs_model_inject(used.model, "spurious-irq", 1);
	scribble(&used, d, &lines);
	vs_model_work(used.model);
	tap_result(!(lines & ~named_lines(d)), "%s: lines 0x%x are among 0x%x", d->gpu, lines,
		   named_lines(d));
	vs_model_inject(used.model, "slow-power", 1000);
	vs_model_reset(used.model);
	tap_result(!differences(&fresh, &used, d), "%s: registers after a reset", d->gpu);
	tap_result(!vs_model_lines(used.model), "%s: no interrupt after a reset", d->gpu);
	fake_free(&fresh);
	fake_free(&used);
}

int main(void)
{
	struct vs_model_desc d;
	u32 n;

	for (n = 0; vs_model_describe(n, &d); n++) {
		check_gpu(&d);
		tap_result(vs_model_find(d.gpu, &d) && d.nclocks && *d.compatible,
			   "%s: found by name", d.gpu);
	}
	tap_result(n == 12, "%u GPUs", n);
	tap_result(!vs_model_find("t999", &d), "no other");
	return tap_done();
}
