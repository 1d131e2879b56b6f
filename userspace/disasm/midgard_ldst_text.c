// SPDX-License-Identifier: MIT
/*
 * Midgard load/store operations as text, in the notation of Mesa's disassembler. Fields without
 * a notation follow in braces if they differ from mg_ldst_defaults().
 */
#include "midgard_disasm.h"

static const char letters_of[] = "xyzw";

const char *mg_ldst_reg_name(u32 reg)
{
	static const char * const names[8] = {
		"AL0", "AL1", "PC_SP", "LOCAL_STORAGE_PTR", "LOCAL_THREAD_ID", "GROUP_ID",
		"GLOBAL_THREAD_ID", "0",
	};

	return names[reg & 7];
}

const char *mg_index_name(u32 format)
{
	static const char * const names[4] = { "", ".u64", ".u32", ".s32" };

	return names[format & 3];
}

/* Fields that notes can name. */
const struct mg_ldst_field mg_ldst_fields[] = {
	{ "mask", 13, 4 }, { "swizzle", 17, 8 }, { "argcomp", 25, 2 }, { "argreg", 27, 3 },
	{ "toggle", 30, 1 }, { "format", 31, 2 }, { "indexcomp", 33, 2 }, { "indexreg", 35, 3 },
	{ "shift", 38, 4 }, { "offset", 42, 18 }, { NULL, 0, 0 }
};

const struct mg_ldst_field mg_vary_flags[] = {
	{ "divy", MG_VARY_DIV_Y, 7 }, { "divz", MG_VARY_DIV_Z, 7 }, { "divw", MG_VARY_DIV_W, 7 },
	{ "cube", MG_VARY_CUBE, 7 }, { "flat", MG_VARY_FLAT, MG_VARY_FLAT },
	{ "perspective", MG_VARY_PERSPECTIVE, MG_VARY_PERSPECTIVE },
	{ "centroid", MG_VARY_CENTROID, MG_VARY_CENTROID },
	{ "sample", MG_VARY_SAMPLE, MG_VARY_SAMPLE }, { NULL, 0, 0 }
};

bool mg_class_reg2reg(u32 class)
{
	return class >= MG_LS_UNPACK && class <= MG_LS_PERSPECTIVE;
}

bool mg_class_shows_result_swizzle(u32 class)
{
	return class == MG_LS_LEA || class == MG_LS_LEA_IMAGE ||
	       (!mg_class_reg2reg(class) && class != MG_LS_ATOMIC && class != MG_LS_CMPXCHG);
}

u32 mg_fill_ldst_swizzle(const struct mg_ldst_def *def, u32 mask, u32 shown)
{
	u32 i, sel = 0, out = 0;

	if (def->class == MG_LS_LOAD && def->bits <= 32)
		return mg_fill_swizzle(mask, shown);
	for (i = 0; i < 4; i++) {
		if (mask >> i & 1)
			sel = shown >> (2 * i) & 3;
		else if (i && mask & ((1U << i) - 1))
			sel = min_t(u32, sel + 1, 3);
		out |= sel << (2 * i);
	}
	return out;
}

void mg_ldst_defaults(const struct mg_ldst_def *def, struct mg_ldst *l)
{
	l->mask = mg_class_stores(def->class) ? 15 : 0;
	l->swizzle = 0;
	l->index_format = mg_class_second_table(def->class) ? 2 : 0;
	if (mg_class_has_address(def->class) && def->class != MG_LS_CMPXCHG)
		l->index_reg = MG_LS_ZERO;
}

static bool shows_index(u32 class, const struct mg_ldst *l)
{
	if (mg_class_has_address(class))
		return class != MG_LS_CMPXCHG && l->index_reg != MG_LS_ZERO;
	return class == MG_LS_UBO || class == MG_LS_LD_SPECIAL || class == MG_LS_ST_SPECIAL ||
	       mg_class_has_attr(class);
}

/* Fields visible in the text of an operation; defaults for the others. */
static void visible(const struct mg_ldst_def *def, const struct mg_ldst *l, struct mg_ldst *v)
{
	u32 class = def->class;

	*v = (struct mg_ldst){ .op = l->op, .reg = l->reg };
	mg_ldst_defaults(def, v);
	if (class == MG_LS_NOP || class == MG_LS_TRAP) {
		v->offset = l->offset;
		return;
	}
	/* A note specifies the mask of stores. */
	v->mask = l->mask;
	v->swizzle = l->swizzle;
	if (mg_class_stores(class) && l->swizzle != MG_SWIZZLE_NONE)
		v->swizzle = (u8)mg_fill_swizzle(l->mask, l->swizzle);
	else if (!mg_class_stores(class) && !mg_class_reg2reg(class) &&
		 mg_class_shows_result_swizzle(class))
		v->swizzle = (u8)mg_fill_ldst_swizzle(def, l->mask, l->swizzle);
	if (class == MG_LS_ATOMIC || class == MG_LS_CMPXCHG)
		v->swizzle &= 31;
	if (mg_class_reg2reg(class) || mg_class_has_address(class) || mg_class_has_attr(class))
		v->arg_reg = l->arg_reg;
	if (mg_class_has_address(class) || mg_class_has_attr(class))
		v->arg_comp = l->arg_comp;
	if (mg_class_has_address(class) || mg_class_is_image(class) ||
	    class == MG_LS_CUBEMAP || class == MG_LS_PERSPECTIVE)
		v->toggle = l->toggle;
	if (class == MG_LS_PACK || class == MG_LS_UNPACK || mg_class_has_address(class) ||
	    (class == MG_LS_ATTR && l->toggle))
		v->offset = l->offset;
	else if (mg_class_has_attr(class) || class == MG_LS_LD_SPECIAL ||
		 class == MG_LS_ST_SPECIAL)
		v->offset = class == MG_LS_VARYING ? l->offset : l->offset & ~0x1ff;
	if (class == MG_LS_PACK || class == MG_LS_UNPACK)
		v->index_shift = l->index_shift;
	if (class == MG_LS_UBO) {
		v->arg_comp = l->arg_comp;
		v->arg_reg = l->arg_reg;
		v->toggle = l->toggle;
		v->index_format = l->index_format;
		v->offset = l->offset & ~2;
	}
	if (mg_class_has_attr(class))
		v->index_format = mg_class_is_image(class) ? l->index_format & 1 : l->index_format;
	if (shows_index(class, l)) {
		v->index_reg = l->index_reg;
		v->index_comp = l->index_comp;
		v->index_shift = l->index_shift;
	}
	if (class == MG_LS_CMPXCHG) {
		v->index_reg = l->index_reg;
		v->index_comp = l->index_comp;
	} else if (mg_class_has_address(class) && l->index_reg != MG_LS_ZERO) {
		v->index_format = l->index_format;
	}
}

static void put_notes(struct vs_text *t, const struct mg_ldst_def *def, const struct mg_ldst *l)
{
	struct mg_notes n = { };
	const struct mg_ldst_field *f;
	struct mg_ldst v;
	u64 mask;

	if (def->class == MG_LS_UBO)
		mg_note(&n, "ubo=%u", mg_ldst_ubo(l));
	for (f = mg_vary_flags; f->name && def->class == MG_LS_VARYING; f++)
		if ((l->offset & f->width) == f->lo)
			mg_note(&n, "%s", f->name);
	if (mg_class_stores(def->class) && l->mask != 15)
		mg_note(&n, "mask=0x%x", l->mask);
	visible(def, l, &v);
	mg_ldst_encode(&v);
	for (f = mg_ldst_fields; f->name; f++) {
		mask = (1ULL << f->width) - 1;
		if ((l->bits >> f->lo & mask) != (v.bits >> f->lo & mask))
			mg_note(&n, "%s=0x%llx", f->name,
				(unsigned long long)(l->bits >> f->lo & mask));
	}
	mg_put_notes(t, &n);
}

/* ---- parts of the text ---- */

static void put_write_reg(struct vs_text *t, u32 reg)
{
	if (reg == MG_REG_LDST || reg == MG_REG_LDST + 1)
		vs_put(t, "AL%u", reg - MG_REG_LDST);
	else if (reg == MG_REG_TEX || reg == MG_REG_TEX + 1)
		vs_put(t, "AT%u", reg - MG_REG_TEX);
	else
		vs_put(t, "R%u", reg);
}

/* Without components if they are in order. */
static void put_swizzle(struct vs_text *t, u32 mask, u32 swizzle)
{
	u32 i;

	if (swizzle == MG_SWIZZLE_NONE)
		return;
	vs_put(t, ".");
	for (i = 0; i < 4; i++)
		if (mask >> i & 1)
			vs_put(t, "%c", letters_of[swizzle >> (2 * i) & 3]);
}

static void put_result(struct vs_text *t, const struct mg_ldst *l, u32 class)
{
	u32 swizzle = mg_class_shows_result_swizzle(class) ? l->swizzle : MG_SWIZZLE_NONE, i;

	if (mg_class_stores(class)) {
		vs_put(t, " %s", mg_ldst_reg_name(l->reg));
		put_swizzle(t, l->mask, l->swizzle);
		return;
	}
	vs_put(t, " ");
	put_write_reg(t, l->reg);
	vs_put(t, ".");
	for (i = 0; i < 4; i++)
		vs_put(t, "%c", l->mask >> i & 1 ? letters_of[swizzle >> (2 * i) & 3] : '~');
}

static void put_offset(struct vs_text *t, s32 offset)
{
	if (offset)
		vs_put(t, " %c 0x%X", offset < 0 ? '-' : '+', offset < 0 ? -offset : offset);
}

static void put_index(struct vs_text *t, const struct mg_ldst *l, const char *format)
{
	vs_put(t, "%s%s.%c", mg_ldst_reg_name(l->index_reg), format, letters_of[l->index_comp]);
	if (l->index_shift)
		vs_put(t, " << %u", l->index_shift);
}

static void put_address(struct vs_text *t, const struct mg_ldst *l, u32 class)
{
	vs_put(t, ", %s.u%u.%c", mg_ldst_reg_name(l->arg_reg), l->toggle ? 64 : 32,
	       letters_of[l->arg_comp]);
	if (class != MG_LS_CMPXCHG && l->index_reg != MG_LS_ZERO) {
		vs_put(t, " + ");
		put_index(t, l, mg_index_name(l->index_format));
	}
	put_offset(t, l->offset);
}

static void put_ubo(struct vs_text *t, const struct mg_ldst *l)
{
	if (l->offset & 1)
		vs_put(t, ", %u, ", mg_ldst_ubo(l));
	else
		vs_put(t, ", %s.%c, ", mg_ldst_reg_name(l->arg_reg), letters_of[l->arg_comp]);
	put_index(t, l, "");
	put_offset(t, mg_ldst_ubo_offset(l));
}

static void put_attr(struct vs_text *t, const struct mg_ldst *l, u32 class)
{
	vs_put(t, ", ");
	put_index(t, l, "");
	put_offset(t, mg_ldst_attr_offset(l));
	if (!mg_class_has_attr(class))
		return;
	vs_put(t, ", %s", mg_ldst_reg_name(l->arg_reg));
	if (mg_class_is_image(class))
		vs_put(t, ".u%u", l->toggle ? 64 : 32);
	vs_put(t, ".%c", letters_of[l->arg_comp]);
	if (class == MG_LS_ATTR && l->toggle)
		put_offset(t, mg_ldst_vertex_offset(l));
}

static void put_suffix(struct vs_text *t, const struct mg_ldst *l, u32 class)
{
	bool second = l->index_format >> 1 & 1;

	if (class == MG_LS_CUBEMAP || class == MG_LS_PERSPECTIVE)
		vs_put(t, l->toggle ? ".f32" : ".f16");
	if (!mg_class_has_attr(class))
		return;
	if (l->index_format & 1)
		vs_put(t, ".a32");
	if (!mg_class_is_image(class) && second != mg_class_second_table(class))
		vs_put(t, second ? ".secondary" : ".primary");
}

static void put_operands(struct vs_text *t, const struct mg_ldst *l, u32 class)
{
	if (class == MG_LS_UBO)
		put_ubo(t, l);
	if (mg_class_has_address(class))
		put_address(t, l, class);
	if (mg_class_reg2reg(class)) {
		vs_put(t, ", %s", mg_ldst_reg_name(l->arg_reg));
		put_swizzle(t, 15, l->swizzle);
	}
	if (class == MG_LS_ATOMIC || class == MG_LS_CMPXCHG)
		vs_put(t, ", %s.%c", mg_ldst_reg_name(mg_ldst_atomic_reg(l)),
		       letters_of[mg_ldst_atomic_comp(l)]);
	if (class == MG_LS_CMPXCHG)
		vs_put(t, ", %s.%c", mg_ldst_reg_name(l->index_reg), letters_of[l->index_comp]);
	if (class == MG_LS_LD_SPECIAL || class == MG_LS_ST_SPECIAL || mg_class_has_attr(class))
		put_attr(t, l, class);
	if (class == MG_LS_PACK || class == MG_LS_UNPACK)
		vs_put(t, ", 0x%X", (u32)l->offset << 4 | l->index_shift);
}

void mg_put_ldst(struct vs_text *t, const struct mg_view *v, u32 i)
{
	const struct mg_ldst *l = &v->b->ldst[i];
	const struct mg_ldst_def *def = mg_ldst_op(l->op);

	if (mg_ldst_check(v->b, i, NULL)) {
		vs_put(t, ".ldst 0x%015llx", (unsigned long long)l->bits);
		return;
	}
	vs_put(t, "%s", def->name);
	if (def->class == MG_LS_NOP)
		return;
	if (def->class == MG_LS_TRAP) {
		vs_put(t, " 0x%X", l->offset & 0x3ffff);
		return;
	}
	put_suffix(t, l, def->class);
	put_result(t, l, def->class);
	put_operands(t, l, def->class);
	put_notes(t, def, l);
	if (!mg_class_stores(def->class) && l->reg < 16)
		*v->written |= 1U << l->reg;
}
