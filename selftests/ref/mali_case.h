/* SPDX-License-Identifier: GPL-2.0 */
/* Cases of the Mali corpus: captured memory, programs, expected buffers. */
#ifndef SELFTESTS_REF_MALI_CASE_H
#define SELFTESTS_REF_MALI_CASE_H

#include "mali_ref.h"

#define MPROG_PUSH	256
#define MPROG_SYSVALS	64

/**
 * struct mprog - compiled program and the properties in its listing
 * @first_tag: Midgard: kind of the first bundle
 * @work_regs: Midgard: work registers
 * @second: byte offset of a second program, the one for varyings; 0: none
 * @messages: preloaded fragment state, encoded as in the renderer state
 * @push: UBO and byte offset of each pushed word
 * @sysval: kind and index of each system value in the last UBO
 */
struct mprog {
	uint32_t *words;
	unsigned int nwords;
	uint64_t preload;
	unsigned int first_tag;
	unsigned int work_regs;
	unsigned int nubos;
	unsigned int second;
	uint32_t messages;
	struct { unsigned int ubo, offset; } push[MPROG_PUSH];
	unsigned int npush;
	struct { unsigned int type, id; } sysval[MPROG_SYSVALS];
	unsigned int nsysvals;
};

/**
 * struct mresult - differences between memory and expected values
 * @words: number of words compared
 * @differing: number of words that differ
 * @rel: largest relative difference as single floats; infinite if not comparable
 * @first: index of the first differing word, which is @got instead of @want
 * @byte: largest difference of two bytes
 */
struct mresult {
	unsigned int words;
	unsigned int differing;
	double rel;
	unsigned int first;
	uint32_t got;
	uint32_t want;
	unsigned int byte;
};

/* @dir: folder of the Mali corpus. All return 0, or -1 with a message in mcase_error(). */
int mcase_capture(struct mrf *g, const char *dir, const char *gpu, const char *name,
		  unsigned int submit, uint64_t *chain);
/* Clear colour of the fragment job for a captured draw. */
int mcase_clear_color(uint32_t arch, const char *dir, const char *gpu, const char *name,
		      uint32_t *color);
int mcase_prog(struct mprog *p, const char *dir, const char *gpu, const char *name,
	       const char *stage);
void mcase_prog_free(struct mprog *p);
/* The last draw descriptor of a chain with this kind of program. 0: none. */
uint64_t mcase_draw(struct mrf *g, uint64_t chain, bool fragment);
/* Number of pixels with a component that differs by more than one step. */
uint32_t mcase_pixels(const struct mrf *g, const struct mrf *like);
/* Make the draw descriptor at @draw, made for @from, run @to instead; twice at most. */
int mcase_replace(struct mrf *g, uint64_t draw, const struct mprog *from,
		  const struct mprog *to);
int mcase_compare(struct mrf *g, const char *dir, const char *gpu, const char *name,
		  struct mresult *res);
/* Is the expected result exact? */
int mcase_exact(const char *dir, const char *name, bool *exact);
const char *mcase_error(void);

#endif
