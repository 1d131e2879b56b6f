// SPDX-License-Identifier: GPL-2.0
/* A host with a little memory, and page tables in it. */
#include "fake.h"

static void other_cpu(struct fake *f)
{
	if (f->on_call)
		f->on_call(f);
}

static void irq(void *priv)
{
	((struct fake *)priv)->irqs++;
	other_cpu(priv);
}

static void kick(void *priv)
{
	((struct fake *)priv)->kicks++;
}

static void do_wait(void *priv)
{
	struct fake *f = priv;

	f->waits++;
	if (!f->on_wait) {
		fprintf(stderr, "the model waits for nothing\n");
		abort();
	}
	f->on_wait(f);
}

static void *page(void *priv, u64 pa)
{
	other_cpu(priv);
	return fake_mem(priv, pa);
}

static void *map(void *priv, const u64 *pa, u32 n)
{
	struct fake *f = priv;
	u32 i;

	f->maps++;
	other_cpu(priv);
	for (i = 0; i < n; i++) {
		if (pa[i] != pa[0] + (u64)i * FAKE_PAGE || !fake_mem(priv, pa[i]))
			return NULL;
	}
	return fake_mem(priv, pa[0]);
}

static void unmap(void *priv, void *p, u32 n)
{
	other_cpu(priv);
}

static bool is_free(void *priv, u64 pa)
{
	struct fake *f = priv;

	return pa < FAKE_MORE_PA && fake_mem(f, pa) && f->freed[(pa - FAKE_PA) / FAKE_PAGE];
}

static u64 new_page(void *priv)
{
	struct fake *f = priv;

	return f->no_pages || f->used == FAKE_PAGES ? 0 : fake_page(f);
}

/* They are not used again. */
static void free_page(void *priv, u64 pa)
{
	((struct fake *)priv)->page_frees++;
}

static void report(void *priv, u32 reg, u32 value, const char *text)
{
	struct fake *f = priv;

	f->reports++;
	snprintf(f->text, sizeof(f->text), "%s", text);
}

bool fake_new(struct fake *f, const char *gpu)
{
	const struct vs_model_host host = {
		irq, kick, do_wait, page, map, unmap, is_free, new_page, free_page, report, f
	};

	memset(f, 0, sizeof(*f));
	f->mem = calloc(FAKE_PAGES, FAKE_PAGE);
	if (!f->mem)
		abort();
	f->model = vs_model_new(gpu, &host);
	f->root = fake_page(f);
	return f->model;
}

void fake_free(struct fake *f)
{
	vs_model_free(f->model);
	free(f->mem);
}

u64 fake_page(struct fake *f)
{
	if (f->used == FAKE_PAGES)
		abort();
	return FAKE_PA + f->used++ * (u64)FAKE_PAGE;
}

void *fake_mem(struct fake *f, u64 pa)
{
	if (pa >= FAKE_MORE_PA && (pa - FAKE_MORE_PA) / FAKE_PAGE < f->more_pages)
		return f->more + (pa - FAKE_MORE_PA);
	if (pa < FAKE_PA || pa >= FAKE_PA + (u64)FAKE_PAGES * FAKE_PAGE)
		return NULL;
	return f->mem + (pa - FAKE_PA);
}

void fake_drop(struct fake *f, u64 pa)
{
	f->freed[(pa - FAKE_PA) / FAKE_PAGE] = true;
	memset(fake_mem(f, pa), FAKE_POISON, FAKE_PAGE);
}

bool fake_kept(struct fake *f)
{
	u32 i, k, n = 0;

	for (i = 0; i < f->used; i++) {
		for (k = 0; f->freed[i] && k < FAKE_PAGE; k++)
			n += f->mem[i * FAKE_PAGE + k] != FAKE_POISON;
	}
	return !n;
}

u64 *fake_entry(struct fake *f, u64 va, bool block)
{
	u64 table = f->root, *e;
	u32 shift;

	for (shift = 39; shift > (block ? 21 : 12); shift -= 9) {
		e = (u64 *)fake_mem(f, table) + (va >> shift & 511);
		if (!*e)
			*e = fake_page(f) | 3;
		table = *e & GENMASK_ULL(47, 12);
	}
	return (u64 *)fake_mem(f, table) + (va >> shift & 511);
}

void fake_map(struct fake *f, u64 va, u64 pa, bool write)
{
	u64 *e = fake_entry(f, va, false);

	if (!pa)
		*e = 0;
	else if (f->format == FAKE_AARCH64)
		*e = pa | 3 | 1 << 6 | 1 << 10 | (write ? 0 : 1 << 7);
	else
		*e = pa | 1 | 1 << 6 | (write ? 1 << 7 : 0);
}

void fake_work(struct fake *f)
{
	while (vs_model_work(f->model))
		;
}
