/* SPDX-License-Identifier: GPL-2.0 */
/* A host with a little memory, and page tables in it, for tests of register models. */
#ifndef MODEL_FAKE_H
#define MODEL_FAKE_H

#include "../../kernel/model/vs_model.h"

#define FAKE_PA		0x80000000ULL
#define FAKE_PAGES	256
#define FAKE_PAGE	4096
#define FAKE_POISON	0x6b

#define FAKE_MORE_PA	0x90000000ULL

enum fake_format { FAKE_LPAE, FAKE_AARCH64 };

/**
 * struct fake - The host.
 * @mem:	memory, from FAKE_PA on
 * @more:	more memory, from FAKE_MORE_PA on; the test's own
 * @more_pages:	its pages
 * @used:	pages that have been in use
 * @freed:	those that are no longer; they are not used again
 * @model:	model
 * @format:	of page tables
 * @root:	table of the address space
 * @irqs:	number of changes of interrupt lines
 * @kicks:	number of requests for work
 * @waits:	number of waits
 * @maps:	number of mappings of memory
 * @no_pages:	there are none for the model
 * @page_frees:	number of those that it has given back
 * @on_wait:	called while the model waits: the driver's part
 * @on_call:	called when the model reads a table, maps or unmaps memory or changes a line:
 *		another CPU's part. NULL: none
 * @reports:	number of findings
 * @text:	the last one
 */
struct fake {
	u8 *mem;
	u8 *more;
	u32 more_pages;
	u32 used;
	bool freed[FAKE_PAGES];
	struct vs_model *model;
	enum fake_format format;
	u64 root;
	u32 irqs;
	u32 kicks;
	u32 waits;
	u32 maps;
	bool no_pages;
	u32 page_frees;
	void (*on_wait)(struct fake *f);
	void (*on_call)(struct fake *f);
	u32 reports;
	char text[200];
};

/* Return: false: there is no such GPU. */
bool fake_new(struct fake *f, const char *gpu);
void fake_free(struct fake *f);
/* Physical address of a new, empty page; its memory. */
u64 fake_page(struct fake *f);
void *fake_mem(struct fake *f, u64 pa);
/* Free a page. Return, for all that are free: nothing was written since. */
void fake_drop(struct fake *f, u64 pa);
bool fake_kept(struct fake *f);
/* Map a page in the tables; @pa 0: unmap. */
void fake_map(struct fake *f, u64 va, u64 pa, bool write);
/* Entry of a page in the tables of the last level, or of a block in those of the level before. */
u64 *fake_entry(struct fake *f, u64 va, bool block);

static inline u32 rd(struct fake *f, u32 reg)
{
	return vs_model_read(f->model, reg);
}

static inline void wr(struct fake *f, u32 reg, u32 value)
{
	vs_model_write(f->model, reg, value);
}

/* Let the model work until it has nothing to do. */
void fake_work(struct fake *f);

#endif /* MODEL_FAKE_H */
