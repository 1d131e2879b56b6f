/* SPDX-License-Identifier: MIT */
/*
 * Utgard assemblers: parts shared by the vertex and the pixel assembler.
 */
#ifndef UTGARD_AS_H
#define UTGARD_AS_H

#include "utgard_disasm.h"
#include "vs_as.h"

#define UAS_BUCKETS	1024

/**
 * struct uas_label - label
 * @name: name
 * @place: index of an instruction
 * @next: 1 + index of another label with the same hash value, or 0
 */
struct uas_label {
	char *name;
	u32 place;
	u32 next;
};

/**
 * struct uas - assembly
 * @diag: messages
 * @debug: lines and labels, or NULL
 * @line: line being read
 * @labels: labels
 * @nlabels: number of @labels
 * @bucket: 1 + index of the last label of each hash value
 * @nomem: memory ran out
 */
struct uas {
	struct vs_as_diag *diag;
	struct vs_as_debug *debug;
	u32 line;
	struct uas_label *labels;
	u32 nlabels;
	u32 bucket[UAS_BUCKETS];
	bool nomem;
};

/* Return: -EINVAL. */
int __printf(3, 4) uas_error(struct uas *as, u32 line, const char *fmt, ...);
/* A number that is the whole text, decimal or 0x..., within limits. */
bool uas_number(const char *s, s64 low, s64 high, s64 *value);
/* Letters, digits and underscores, no digit first. */
bool uas_is_name(const char *s);
int uas_add_label(struct uas *as, const char *name, u32 place);
const struct uas_label *uas_find(const struct uas *as, const char *name);
/* Cut blanks off both ends. */
char *uas_trim(char *s);
/* Components like xyz as a mask, 0 for any other text. */
u32 uas_mask(const char *s);
/* Component at the end of a text, ".x", which is cut off; -1 if there is none. */
int uas_component(char *s);
/**
 * struct uas_language - operations of a processor's assembler
 * @line: parses a line; comments and surrounding blanks are stripped
 * @size: words of the program, once all lines are read
 * @finish: writes them to a zeroed buffer of that size
 */
struct uas_language {
	int (*line)(struct uas *as, char *line);
	u32 (*size)(const struct uas *as);
	int (*finish)(struct uas *as, u32 *words);
};

/* Assemble a source; no words on failure. Frees the labels. */
int uas_assemble(struct uas *as, const struct uas_language *lang, const char *text, size_t len,
		 u32 **words, u32 *nwords);

#endif /* UTGARD_AS_H */
