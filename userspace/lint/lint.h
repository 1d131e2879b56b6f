/* SPDX-License-Identifier: MIT */
/*
 * Warnings about programs that verification accepts but that hardware runs badly, or not as
 * they read. Nothing here changes which programs are accepted.
 */
#ifndef VS_LINT_H
#define VS_LINT_H

#include "isa/isa.h"

/**
 * struct vs_lint_warning - a warning
 * @code: number of the ISA's rule
 * @offset: instruction
 * @arg: register number, other offset or depth, see the rule's text
 */
struct vs_lint_warning {
	u32 code;
	u32 offset;
	u32 arg;
};

/**
 * struct vs_lints - the warnings about a program
 * @list: the first @max
 * @max: room at @list
 * @n: number of warnings, may exceed @max
 * @all: also of rules that working programs break
 */
struct vs_lints {
	struct vs_lint_warning *list;
	u32 max;
	u32 n;
	bool all;
};

static inline void vs_lint_add(struct vs_lints *l, u32 code, u32 offset, u32 arg)
{
	if (l->n < l->max)
		l->list[l->n] = (struct vs_lint_warning){ code, offset, arg };
	l->n++;
}

/**
 * struct vs_lint_rules - the rules of an instruction set
 * @lint: look at a program
 * @name: of a rule
 * @text: of a warning
 * @place: word for the offset of a warning
 * @show: write an argument that is not a number; false: it is one. May be NULL
 */
struct vs_lint_rules {
	int (*lint)(const struct vs_src *src, struct vs_lints *found);
	const char *(*name)(u32 code);
	const char *(*text)(u32 code);
	const char *place;
	bool (*show)(u32 code, u32 arg, char *buf, size_t size);
};

/*
 * A line for each warning; as vs_lint(). VSHADER_LINT=all in the environment adds the rules that
 * working programs break.
 */
int vs_lint_log(const struct vs_lint_rules *r, const struct vs_src *src, struct vs_log *log);

/**
 * vs_lint() - look at a program that verification accepts
 * @isa: instruction set
 * @src: program
 * @log: a line for each warning, or NULL
 *
 * Return: number of warnings, or -ENOMEM.
 */
int vs_lint(const struct vs_isa *isa, const struct vs_src *src, struct vs_log *log);

/* The same of one instruction set. */
int bi_lint(const struct vs_src *src, struct vs_log *log);
int ugp_lint(const struct vs_src *src, struct vs_log *log);
int upp_lint(const struct vs_src *src, struct vs_log *log);

#endif /* VS_LINT_H */
