// SPDX-License-Identifier: MIT
/*
 * QPU assembler: passes, and the result.
 */
#include <ctype.h>
#include <math.h>

#include "qpu_as.h"

/* Cut a source into lines. @name and @owned are freed with the assembler. */
int qas_add_source(struct qas *as, const char *text, size_t len, char *name, char *owned,
		   u32 *file)
{
	struct qas_file *f;
	const char *p, *end = text + len, *nl;
	u32 n = 0, i = 0;

	if (as->nfiles == QAS_MAX_FILES || len > 16 * 1024 * 1024) {
		free(name);
		free(owned);
		return qas_error(as, 0, "too much source");
	}
	*file = as->nfiles;
	f = &as->file[as->nfiles++];
	f->name = name;
	f->text = owned;
	for (p = text; p < end; p++)
		n += *p == '\n';
	f->lines = calloc(n + 1, sizeof(*f->lines));
	f->first = as->nlines;
	for (p = text; f->lines && p <= end && i <= n; p = nl + 1, i++) {
		nl = p < end ? memchr(p, '\n', (size_t)(end - p)) : NULL;
		nl = nl ? nl : end;
		f->lines[i].s = p;
		f->lines[i].len = (u32)(nl - p);
		f->lines[i].file = *file;
		f->lines[i].num = i + 1;
		if (qas_room(as, (void **)&as->lines, as->nlines, &as->max_lines,
			     sizeof(*as->lines), 1U << 26))
			return -ENOMEM;
		as->lines[as->nlines++] = &f->lines[i];
	}
	f->last = as->nlines;
	if (!f->lines) {
		as->nomem = true;
		as->stop = true;
		return -ENOMEM;
	}
	return 0;
}

/* Does this pass equal the previous one? */
static bool settled(const struct qas *as)
{
	u32 i;

	if (!as->pass || as->labels.n != as->old.n || as->nprev != as->nbytes / 8)
		return false;
	for (i = 0; i < as->labels.n; i++)
		if (as->labels.l[i].addr != as->old.l[i].addr)
			return false;
	for (i = 0; i < as->nprev; i++)
		if (as->slots[i].word != as->prev[i].word ||
		    as->slots[i].target != as->prev[i].target)
			return false;
	return true;
}

static int keep_pass(struct qas *as)
{
	swap(as->labels, as->old);
	free(as->prev);
	as->prev = as->slots;
	as->nprev = as->nbytes / 8;
	as->slots = NULL;
	as->max_slots = 0;
	return 0;
}

static void begin_pass(struct qas *as)
{
	as->labels.n = 0;
	as->nbytes = 0;
	as->nsyms = 0;
	as->nlocals = 0;
	as->level = 0;
	as->depth = 0;
	as->nrecent = 0;
	as->nentries = 0;
	as->stage = VS_STAGE_COMPUTE;
	memset(as->hash, 0, sizeof(as->hash));
}

static int passes(struct qas *as)
{
	for (as->pass = 0; as->pass < QAS_MAX_PASSES; as->pass++) {
		begin_pass(as);
		qas_run(as, as->file[0].first, as->file[0].last);
		if (!as->stop && !as->failed)
			qas_align_insn(as);
		if (as->stop || as->failed)
			return -EINVAL;
		if (settled(as))
			return 0;
		keep_pass(as);
	}
	return qas_error(as, 0, "labels do not settle");
}

/* Resolve relative branches; all positions are final. */
static u64 final_word(const struct qas *as, u32 i)
{
	const struct qas_slot *s = &as->slots[i];
	u32 offset = (u32)(s->target - ((s64)i * 8 + 32));

	return s->is_rel ? (s->word & ~0xffffffffULL) | offset : s->word;
}

static int give_labels(struct qas *as, struct vs_as_program *out)
{
	const struct qas_label *l;
	u32 i;
	int ret = 0;

	for (i = 0; i < as->labels.n && !ret; i++) {
		l = &as->labels.l[i];
		if (l->addr & 7 || isdigit((unsigned char)l->name.s[0]))
			continue;
		ret = vs_as_add_label(&out->debug, l->name.s, l->name.len, (u32)(l->addr / 8));
	}
	return ret;
}

static int give_lines(struct qas *as, struct vs_as_program *out)
{
	const struct qas_line *l;
	u32 i;
	int ret = 0;

	for (i = 0; i < as->nbytes / 8 && !ret; i++) {
		l = as->slots[i].is_insn ? as->slots[i].line : NULL;
		if (l)
			ret = vs_as_add_line(&out->debug, i, l->file, l->num, l->num);
	}
	return ret;
}

/* Value of a constant as an expression; false: it has none. */
static bool value_text(const struct qas_val *v, char *buf, size_t size)
{
	bool file_a = v->use & (QPU_REG_RA | QPU_REG_WA);
	bool file_b = v->use & (QPU_REG_RB | QPU_REG_WB);

	switch (v->type) {
	case QAS_INT:
		snprintf(buf, size, "%lld", (long long)v->i);
		return true;
	case QAS_FLOAT:
		snprintf(buf, size, "%#.17g", v->f);
		return isfinite(v->f);
	case QAS_REG:
		/* Addresses from 32 on are peripherals. */
		if (v->rot || v->sfx || (!v->is_acc && (v->addr >= 32 || file_a == file_b)))
			return false;
		snprintf(buf, size, "$r%s%u", v->is_acc ? "" : file_a ? "a" : "b", v->addr);
		return true;
	default:
		return false;
	}
}

static int give_names(struct qas *as, struct vs_as_program *out)
{
	char text[48];
	u32 i;
	int ret = 0;

	for (i = 0; i < as->nsyms && !ret; i++) {
		const struct qas_sym *s = &as->syms[i];

		if (s->kind == QAS_SYM_CONST && s->name.len &&
		    value_text(&s->val, text, sizeof(text)))
			ret = vs_as_add_name(&out->debug, s->name.s, s->name.len, text, 1);
	}
	return ret;
}

static int give_result(struct qas *as, struct vs_as_program *out)
{
	u32 i, n = as->nbytes / 8;

	for (i = 0; i < as->nentries; i++)
		if (as->entries[i] >= n)
			return qas_error(as, 0, "entry point %u is not in the program",
					 as->entries[i]);
	if (!n)
		return qas_error(as, 0, "there are no instructions");
	out->words = calloc(n, 2 * sizeof(*out->words));
	out->entries = calloc(as->nentries + 1, sizeof(*out->entries));
	if (!out->words || !out->entries)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		out->words[2 * i] = (u32)final_word(as, i);
		out->words[2 * i + 1] = (u32)(final_word(as, i) >> 32);
	}
	out->nwords = 2 * n;
	if (as->nentries)
		memcpy(out->entries, as->entries, as->nentries * sizeof(*out->entries));
	out->nentries = as->nentries ? as->nentries : 1;
	out->stage = as->stage;
	return give_lines(as, out) || give_labels(as, out) || give_names(as, out) ? -ENOMEM : 0;
}

static void cleanup(struct qas *as)
{
	u32 i;

	for (i = 0; i < as->nfiles; i++) {
		free(as->file[i].name);
		free(as->file[i].text);
		free(as->file[i].lines);
	}
	free(as->lines);
	free(as->slots);
	free(as->prev);
	free(as->labels.l);
	free(as->old.l);
	free(as->syms);
	free(as->locals);
	free(as->entries);
	free(as);
}

int vs_as_qpu(const char *text, size_t len, const struct vs_as_options *opt,
	      struct vs_as_program *out, struct vs_as_diag *diag)
{
	struct qas *as = calloc(1, sizeof(*as));
	u32 file;
	int ret;

	memset(out, 0, sizeof(*out));
	memset(diag, 0, sizeof(*diag));
	if (!as)
		return -ENOMEM;
	as->diag = diag;
	as->opt = opt;
	ret = qas_add_source(as, text, len, NULL, NULL, &file);
	if (!ret)
		ret = passes(as);
	as->cur_line = NULL;
	if (!ret)
		ret = give_result(as, out);
	if (ret && as->nomem)
		ret = -ENOMEM;
	if (ret)
		vs_as_program_free(out);
	cleanup(as);
	return ret;
}

void vs_as_program_free(struct vs_as_program *res)
{
	vs_as_debug_free(&res->debug);
	free(res->words);
	free(res->entries);
	memset(res, 0, sizeof(*res));
}
