// SPDX-License-Identifier: GPL-2.0
/*
 * The tables of the Utgard processors: every bit of an instruction is in one field, codes
 * published elsewhere are found, and every value of every field has a text that assembles
 * to the same bits.
 */
#include "utgard_test.h"

/* Codes from the notes on the instruction sets, not from the tables. */
static const struct {
	u8 class;
	u8 code;
	const char *name;
} gp_known[] = {
	{ UGP_ACC, 0, "add" }, { UGP_ACC, 1, "floor" }, { UGP_ACC, 2, "sign" },
	{ UGP_ACC, 4, "ge" }, { UGP_ACC, 5, "lt" }, { UGP_ACC, 6, "min" }, { UGP_ACC, 7, "max" },
	{ UGP_MUL, 0, "mul" }, { UGP_MUL, 1, "complex1" }, { UGP_MUL, 3, "complex2" },
	{ UGP_MUL, 4, "sel" }, { UGP_PASS, 2, "mov" }, { UGP_PASS, 4, "preexp2" },
	{ UGP_PASS, 5, "postlog2" }, { UGP_PASS, 6, "clamp" }, { UGP_COMPLEX, 2, "exp2" },
	{ UGP_COMPLEX, 3, "log2" }, { UGP_COMPLEX, 4, "rsqrt" }, { UGP_COMPLEX, 5, "rcp" },
	{ UGP_COMPLEX, 9, "mov" },
};

static const struct {
	u8 class;
	u8 code;
	const char *name;
} pp_known[] = {
	{ UPP_CLASS_MUL, 0, "mul" }, { UPP_CLASS_MUL, 7, "mul" }, { UPP_CLASS_MUL, 8, "not" },
	{ UPP_CLASS_MUL, 9, "and" }, { UPP_CLASS_MUL, 10, "or" }, { UPP_CLASS_MUL, 11, "xor" },
	{ UPP_CLASS_MUL, 12, "ne" }, { UPP_CLASS_MUL, 13, "gt" }, { UPP_CLASS_MUL, 14, "ge" },
	{ UPP_CLASS_MUL, 15, "eq" }, { UPP_CLASS_MUL, 16, "min" }, { UPP_CLASS_MUL, 17, "max" },
	{ UPP_CLASS_MUL, 31, "mov" }, { UPP_CLASS_ADD, 0, "add" }, { UPP_CLASS_ADD, 4, "fract" },
	{ UPP_CLASS_ADD, 8, "ne" }, { UPP_CLASS_ADD, 9, "gt" }, { UPP_CLASS_ADD, 10, "ge" },
	{ UPP_CLASS_ADD, 11, "eq" }, { UPP_CLASS_ADD, 12, "floor" },
	{ UPP_CLASS_ADD, 13, "ceil" }, { UPP_CLASS_ADD, 14, "min" }, { UPP_CLASS_ADD, 15, "max" },
	{ UPP_CLASS_ADD, 16, "sum3" }, { UPP_CLASS_ADD, 17, "sum4" },
	{ UPP_CLASS_ADD, 20, "dFdx" }, { UPP_CLASS_ADD, 21, "dFdy" }, { UPP_CLASS_ADD, 23, "sel" },
	{ UPP_CLASS_ADD, 31, "mov" }, { UPP_CLASS_COMBINE, 0, "rcp" },
	{ UPP_CLASS_COMBINE, 1, "mov" }, { UPP_CLASS_COMBINE, 2, "sqrt" },
	{ UPP_CLASS_COMBINE, 3, "rsqrt" }, { UPP_CLASS_COMBINE, 4, "exp2" },
	{ UPP_CLASS_COMBINE, 5, "log2" }, { UPP_CLASS_COMBINE, 6, "sin" },
	{ UPP_CLASS_COMBINE, 7, "cos" }, { UPP_CLASS_COMBINE, 8, "atan" },
	{ UPP_CLASS_COMBINE, 9, "atan2" },
};

static void test_known(void)
{
	u32 i, n, found = 0, limit;

	for (i = 0; i < ARRAY_SIZE(gp_known); i++) {
		const struct ugp_op_info *op = ugp_op(ugp_op_find((enum ugp_class)gp_known[i].class,
								  gp_known[i].code));

		found += op && !strcmp(op->name, gp_known[i].name);
	}
	tap_result(found == ARRAY_SIZE(gp_known), "%u published codes of the vertex processor",
		   found);
	for (i = 0, found = 0; i < ARRAY_SIZE(pp_known); i++) {
		const struct upp_op_info *op = upp_op((enum upp_class)pp_known[i].class,
						      pp_known[i].code);

		found += op && !strcmp(op->name, pp_known[i].name);
	}
	tap_result(found == ARRAY_SIZE(pp_known), "%u published codes of the pixel processor",
		   found);
	/* Nothing else is defined: 7 + 4 + 4 + 11 codes; 19 + 14 + 2 + 10. */
	for (i = 0, n = 0; i < 64; i++)
		n += ugp_op_find((enum ugp_class)(i / 16), i % 16) != UGP_OP_BAD;
	for (i = 0, limit = 0; i < 96; i++)
		limit += !!upp_op((enum upp_class)(i / 32), i % 32);
	tap_result(n == 26 && limit == 45, "%u and %u codes are defined", n, limit);
}

/* ---- every bit is in one field ---- */

static void test_gp_bits(void)
{
	u8 used[128] = { };
	u32 i, k, bad = 0;

	for (i = 0; i < UGP_NUM_FIELDS; i++) {
		const struct ugp_field_info *f = ugp_field((enum ugp_field)i);

		for (k = 0; k < f->width; k++)
			used[(f->pos + k) % 128]++;
	}
	for (i = 0; i < 128; i++)
		bad += used[i] != 1;
	tap_result(!bad && UGP_NUM_FIELDS == 39, "%u fields of the vertex processor",
		   UGP_NUM_FIELDS);
}

static bool form_ok(enum upp_form form)
{
	const struct upp_form_info *f = upp_form(form);
	u32 bits = form == UPP_FORM_CTRL ? 32 : upp_field_bits((enum upp_field)f->field);
	u32 at = 0, i;

	for (i = 0; i < f->n; i++) {
		if (f->parts[i].pos != at || !f->parts[i].width || f->parts[i].width > 32)
			return false;
		at += f->parts[i].width;
	}
	return at == bits && f->n <= ARRAY_SIZE(((union upp_part *)0)->v);
}

static void test_pp_bits(void)
{
	static const u8 bits[UPP_NUM_FIELDS] = { 34, 62, 41, 43, 30, 44, 31, 30, 41, 73, 64, 64 };
	u32 i, good = 0;

	for (i = 0; i < UPP_NUM_FORMS; i++)
		good += form_ok((enum upp_form)i);
	for (i = 0; i < UPP_NUM_FIELDS; i++)
		good += upp_field_bits((enum upp_field)i) == bits[i];
	tap_result(good == UPP_NUM_FORMS + UPP_NUM_FIELDS &&
		   upp_size(0xfff) == UPP_INSN_WORDS, "%u forms of %u fields", UPP_NUM_FORMS,
		   UPP_NUM_FIELDS);
}

/* ---- round trips ---- */

static void test_lossless(void)
{
	u32 words[UPP_INSN_WORDS + 1], back[UPP_INSN_WORDS + 1], i, k, bad = 0, n, fields;
	struct ugp_insn g;
	struct upp_insn p;

	for (i = 0; i < 20000; i++) {
		for (k = 0; k < UGP_WORDS; k++)
			words[k] = test_rand();
		ugp_decode(words, &g);
		ugp_encode(&g, back);
		bad += !!memcmp(words, back, UGP_WORDS * sizeof(*words));
	}
	tap_result(!bad, "any four words are an instruction of the vertex processor");
	for (i = 0, bad = 0; i < 40000; i++) {
		fields = i & 0xfff;
		for (k = 0; k < ARRAY_SIZE(words); k++)
			words[k] = test_rand();
		words[0] = (words[0] & ~0x7ff9fU) | upp_size(fields) | fields << 7;
		if (upp_decode(words, ARRAY_SIZE(words), &p) != UPP_OK) {
			bad++;
			continue;
		}
		n = upp_encode(&p, back);
		bad += n != upp_size(fields) || memcmp(words, back, n * sizeof(*words));
	}
	tap_result(!bad, "any bits of any fields are an instruction of the pixel processor");
}

/* ---- every value of every field ---- */

static void test_gp_values(void)
{
	static u32 words[UGP_MAX_INSNS * UGP_WORDS];
	u32 field, value, i, total = 0, failed = 0, n;
	struct ugp_insn insn;
	char msg[300];

	for (field = 0; field < UGP_NUM_FIELDS; field++) {
		const struct ugp_field_info *f = ugp_field((enum ugp_field)field);

		/* Beside units that do nothing, then beside any others. */
		for (i = 0; i < 4; i++) {
			for (value = 0, n = 0; value < 1U << f->width; value++, n += UGP_WORDS) {
				if (i)
					ugp_test_insn(&insn, i & 1);
				else
					ugp_idle(&insn);
				ugp_set(&insn, (enum ugp_field)field, value);
				ugp_encode(&insn, words + n);
				total++;
			}
			if (!ut_test_round_trip(false, words, n, msg, sizeof(msg)) && !failed++)
				tap_comment("%s: %s", f->name, msg);
		}
	}
	tap_result(!failed, "%u values of fields of the vertex processor assemble to the same bits",
		   total);
}

/* An instruction with a field whose part has a value, the other parts any. */
static void one_value(struct upp_insn *insn, enum upp_form form, u32 part, u32 value)
{
	const struct upp_form_info *f = upp_form(form);

	memset(insn, 0, sizeof(*insn));
	insn->ctrl.fields = 1U << f->field;
	insn->form[f->field] = (u8)form;
	upp_test_part(form, &insn->part[f->field]);
	if (value & 1)
		upp_defaults(form, &insn->part[f->field]);
	insn->part[f->field].v[part] = value;
	upp_ctrl_follow(&insn->ctrl, insn->ctrl.fields, 0);
}

static u32 part_values(enum upp_form form, u32 part, u32 *failed)
{
	static u32 words[UPP_INSN_WORDS * 256];
	const struct upp_field_info *p = &upp_form(form)->parts[part];
	u32 count = p->width > 10 ? 1024 : 1U << p->width, i, n = 0;
	static struct upp_insn insns[256];
	char msg[300];

	for (i = 0; i < count; i++) {
		u32 value = p->width > 10 ? test_rand() >> (32 - p->width) : i;

		one_value(&insns[n++], form, part, value);
		if (n < 256 && i + 1 < count)
			continue;
		if (!ut_test_round_trip(true, words, upp_test_program(insns, n, words), msg,
					sizeof(msg)) && !(*failed)++)
			tap_comment("%s.%s: %s", upp_form(form)->name, p->name, msg);
		n = 0;
	}
	return count;
}

static void test_pp_values(void)
{
	u32 form, part, total = 0, failed = 0, rounds;

	for (rounds = 0; rounds < 4; rounds++)
		for (form = UPP_FORM_VARYING; form < UPP_NUM_FORMS; form++)
			for (part = 0; part < upp_form((enum upp_form)form)->n; part++)
				total += part_values((enum upp_form)form, part, &failed);
	tap_result(!failed, "%u values of fields of the pixel processor assemble to the same bits",
		   total);
}

int main(void)
{
	test_known();
	test_gp_bits();
	test_pp_bits();
	test_lossless();
	test_gp_values();
	test_pp_values();
	return tap_done();
}
