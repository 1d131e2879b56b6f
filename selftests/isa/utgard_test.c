// SPDX-License-Identifier: GPL-2.0
/* Shared helpers of the tests of Utgard text and verification. */
#include <dirent.h>

#include "utgard_test.h"

void ugp_test_insn(struct ugp_insn *insn, bool defined)
{
	struct ugp_view view;
	u32 i, tries = 0;

	do {
		ugp_idle(insn);
		for (i = 0; i < UGP_NUM_FIELDS; i++)
			if (!defined || test_rand() % 8 == 0)
				ugp_set(insn, (enum ugp_field)i, test_rand());
		if (!defined)
			return;
		/* Operand pairs, and the mode fields of branches and temporary stores. */
		for (i = 0; i < 4; i++) {
			static const enum ugp_field pairs[] = {
				UGP_F_mul0_a, UGP_F_mul1_a, UGP_F_acc0_a, UGP_F_acc1_a,
			};

			if (test_rand() % 2)
				continue;
			ugp_set(insn, pairs[i], test_rand() % 8);
			ugp_set(insn, (enum ugp_field)(pairs[i] + 1), 12 + test_rand() % 16);
		}
		insn->unknown_1 = (u16)ugp_mode(insn);
	} while (ugp_view(insn, &view, NULL) && ++tries < 200);
}

/* Parts that choose the form keep it. */
static void set_form(enum upp_form form, union upp_part *part)
{
	switch (form) {
	case UPP_FORM_VARYING:
		if (part->varying.source == UPP_FROM_REG)
			part->varying.source = UPP_FROM_VARYING;
		if (part->varying.source == UPP_FROM_CUBE)
			part->varying.perspective = part->varying.perspective & 1 ? 3 : 0;
		break;
	case UPP_FORM_VARYING_REG:
		part->varying_reg.source = part->varying_reg.source & 1 ? UPP_FROM_REG :
									  UPP_FROM_CUBE;
		if (part->varying_reg.source == UPP_FROM_CUBE)
			part->varying_reg.perspective = 1 + part->varying_reg.perspective % 2;
		break;
	case UPP_FORM_COMBINE:
	case UPP_FORM_ATAN:
	case UPP_FORM_ATAN_END:
	case UPP_FORM_SCALE:
		part->v[0] = upp_form(form)->parts[0].def;
		part->v[1] = upp_form(form)->parts[1].def;
		break;
	case UPP_FORM_STORE:
		if (part->store.unknown_0 == 3)
			part->store.unknown_0 = 0;
		break;
	case UPP_FORM_FB_READ:
		part->fb_read.unknown_0 |= 3;
		break;
	default:
		break;
	}
}

void upp_test_part(enum upp_form form, union upp_part *part)
{
	const struct upp_form_info *f = upp_form(form);
	u32 i;

	memset(part, 0, sizeof(*part));
	for (i = 0; i < f->n; i++)
		part->v[i] = test_rand() >> (32 - f->parts[i].width);
	set_form(form, part);
}

/* Values that have a meaning more often than not. */
static void tame(enum upp_form form, union upp_part *part)
{
	const struct upp_form_info *f = upp_form(form);
	u32 i;

	for (i = 0; i < f->n; i++) {
		const char *name = f->parts[i].name;

		if (!strncmp(name, "unknown", 7))
			part->v[i] = f->parts[i].def;
		else if (!strncmp(name, "arg", 3) || !strcmp(name, "dest") || !strcmp(name, "reg"))
			part->v[i] %= f->parts[i].width == 6 ? 24 : 6;
		else if (!strcmp(name, "mul_in"))
			part->v[i] = 0;
		else if (strstr(name, "_enable"))
			part->v[i] = 0;
	}
	if (form == UPP_FORM_SAMPLER) {
		part->sampler.type = part->sampler.type & 1 ? UPP_SAMPLER_CUBE : UPP_SAMPLER_2D;
		part->sampler.explicit_lod = 0;
	}
	if (form == UPP_FORM_STORE) {
		part->store.dest = 3;
		part->store.source %= 24;
		part->store.alignment %= 3;
	}
	if (form == UPP_FORM_VARYING) {
		part->varying.offset_vector = UPP_NO_OFFSET;
		part->varying.alignment = UPP_VARYING_VEC4;
		part->varying.index %= UPP_NUM_VARYINGS;
	}
	set_form(form, part);
}

void upp_test_insn(struct upp_insn *insn, bool defined)
{
	static const u8 forms[UPP_NUM_FIELDS][4] = {
		[UPP_VARYING] = { UPP_FORM_VARYING, UPP_FORM_VARYING_REG },
		[UPP_SAMPLER] = { UPP_FORM_SAMPLER },
		[UPP_UNIFORM] = { UPP_FORM_UNIFORM },
		[UPP_VEC_MUL] = { UPP_FORM_VEC_MUL },
		[UPP_SCALAR_MUL] = { UPP_FORM_SCALAR_MUL },
		[UPP_VEC_ADD] = { UPP_FORM_VEC_ADD },
		[UPP_SCALAR_ADD] = { UPP_FORM_SCALAR_ADD },
		[UPP_COMBINE] = { UPP_FORM_COMBINE, UPP_FORM_ATAN, UPP_FORM_ATAN_END,
				  UPP_FORM_SCALE },
		[UPP_TEMP] = { UPP_FORM_STORE, UPP_FORM_FB_READ },
		[UPP_BRANCH] = { UPP_FORM_BRANCH },
		[UPP_CONST0] = { UPP_FORM_CONST },
		[UPP_CONST1] = { UPP_FORM_CONST },
	};
	u32 i, n;

	memset(insn, 0, sizeof(*insn));
	insn->ctrl.fields = test_rand() & test_rand() & 0xfff;
	insn->ctrl.sync = test_rand() & 1;
	for (i = 0; i < UPP_NUM_FIELDS; i++) {
		if (!upp_has(insn, (enum upp_field)i))
			continue;
		for (n = 1; n < 4 && forms[i][n]; n++)
			;
		insn->form[i] = forms[i][test_rand() % n];
		upp_test_part((enum upp_form)insn->form[i], &insn->part[i]);
		if (defined)
			tame((enum upp_form)insn->form[i], &insn->part[i]);
	}
	upp_ctrl_follow(&insn->ctrl, insn->ctrl.fields, 0);
	if (defined)
		return;
	insn->ctrl.unknown_0 = test_rand() % 4 ? 0 : test_rand() & 63;
	insn->ctrl.stop = test_rand() & 1;
	insn->padding = test_rand() % 4 ? 0 : test_rand();
}

u32 upp_test_program(struct upp_insn *insns, u32 n, u32 *words)
{
	u32 i, pos = 0;

	for (i = 0; i < n; i++) {
		bool more = i + 1 < n;

		if (test_rand() % 8) {
			insns[i].ctrl.next_count = more ? insns[i + 1].ctrl.count : 0;
			insns[i].ctrl.prefetch = more;
		}
		pos += upp_encode(&insns[i], words + pos);
	}
	return pos;
}

static const struct text_isa vertex = { ugp_listing, vs_as_utgard_gp };
static const struct text_isa fragment = { upp_listing, vs_as_utgard_pp };

char *ut_test_listing(bool pixel, const u32 *words, u32 nwords)
{
	return text_test_listing(pixel ? &fragment : &vertex, words, nwords);
}

bool ut_test_assemble(bool pixel, const char *text, u32 **words, u32 *nwords, char *msg,
		      size_t size)
{
	return text_test_assemble(pixel ? &fragment : &vertex, text, words, nwords, msg, size);
}

bool ut_test_round_trip(bool pixel, const u32 *words, u32 nwords, char *msg, size_t size)
{
	return text_test_round_trip(pixel ? &fragment : &vertex, words, nwords, msg, size);
}

/* ---- corpus ---- */

static u32 corpus_dir(const char *dir, bool pixel, void (*fn)(const struct ut_test_file *f))
{
	static u32 words[8192];
	char path[1400], *listing;
	DIR *d = opendir(dir);
	struct dirent *e;
	u32 count = 0;

	while (d && (e = readdir(d))) {
		struct ut_test_file f = { e->d_name, pixel, words, 0, NULL };

		if (e->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s/shader.hex", dir, e->d_name);
		f.nwords = text_test_words(path, words, ARRAY_SIZE(words));
		if (!f.nwords)
			continue;
		snprintf(path, sizeof(path), "%s/%s/shader.dis", dir, e->d_name);
		listing = text_test_read(path);
		f.listing = listing;
		fn(&f);
		free(listing);
		count++;
	}
	if (d)
		closedir(d);
	return count;
}

u32 ut_test_corpus(int argc, char **argv, void (*fn)(const struct ut_test_file *f))
{
	static const char * const dirs[] = { "gp", "gp-hand", "pp", "pp-hand" };
	u32 count = 0, k;
	char dir[600];
	int i;

	for (i = 1; i + 1 < argc; i++) {
		if (strcmp(argv[i], "--corpus"))
			continue;
		for (k = 0; k < ARRAY_SIZE(dirs); k++) {
			snprintf(dir, sizeof(dir), "%s/utgard/%s", argv[i + 1], dirs[k]);
			count += corpus_dir(dir, dirs[k][0] == 'p', fn);
		}
	}
	return count;
}
