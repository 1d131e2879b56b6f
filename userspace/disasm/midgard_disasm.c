// SPDX-License-Identifier: MIT
/*
 * Midgard arithmetic, branches and texture operations as text, in the notation of Mesa's
 * disassembler. Fields without a notation follow in braces if they differ from the value
 * inferred by midgard_infer.c.
 */
#include "midgard_disasm.h"

static const char letters_of[] = "xyzwefghijklmnop";

const char *mg_outmod_name(u32 outmod, bool integer)
{
	static const char * const names[2][4] = {
		{ "", ".clamp_0_inf", ".clamp_m1_1", ".clamp_0_1" },
		{ ".ssat", ".usat", ".keeplo", ".keephi" },
	};

	return names[integer][outmod & 3];
}

const char *mg_widen_name(u32 mod)
{
	static const char * const names[4] = { ".sext", ".zext", ".replicate", ".lshift" };

	return names[mod & 3];
}

const char *mg_branch_op_name(u32 op)
{
	static const char * const names[8] = {
		[MG_BR_JUMP] = "uncond", [MG_BR_COND] = "cond", [MG_BR_DISCARD] = "discard",
		[MG_BR_TILEBUFFER] = "tilebuffer", [MG_BR_WRITE] = "write",
	};

	return names[op & 7];
}

const char *mg_cond_name(u32 cond)
{
	static const char * const names[4] = { "write0", "false", "true", "always" };

	return names[cond & 3];
}

const char *mg_call_name(u32 call)
{
	static const char * const names[4] = { ".reserved", "", ".call", ".return" };

	return names[call & 3];
}

const char *mg_expand_name(u32 expand)
{
	static const char * const names[8] = {
		"none", "rep_low", "rep_high", "swap", "low", "high", "low_swap", "high_swap",
	};

	return names[expand & 7];
}

const char *mg_tex_mode_name(u32 mode)
{
	static const char * const names[16] = {
		[MG_TEXMODE_NORMAL] = "", [MG_TEXMODE_SHADOW] = ".shadow",
		[MG_TEXMODE_GATHER_SHADOW] = ".gather.shadow", [MG_TEXMODE_GATHER_X] = ".gatherX",
		[MG_TEXMODE_GATHER_Y] = ".gatherY", [MG_TEXMODE_GATHER_Z] = ".gatherZ",
		[MG_TEXMODE_GATHER_W] = ".gatherW",
	};

	return names[mode & 15];
}

const char *mg_tex_dim_name(u32 dim)
{
	static const char * const names[4] = { "cube", "1d", "2d", "3d" };

	return names[dim & 3];
}

const char *mg_tex_exec_name(u32 exec)
{
	static const char * const names[4] = { ".reserved", ".skip", ".kill", "" };

	return names[exec & 3];
}

char mg_tex_type_letter(u32 type)
{
	return "?fui"[type & 3];
}

void __printf(2, 3) mg_note(struct mg_notes *n, const char *fmt, ...)
{
	char one[64];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(one, sizeof(one), fmt, ap);
	va_end(ap);
	n->text.buf = n->buf;
	n->text.size = sizeof(n->buf);
	vs_put(&n->text, "%s%s", n->text.len ? " " : "", one);
}

void mg_put_notes(struct vs_text *t, const struct mg_notes *n)
{
	if (n->text.len)
		vs_put(t, " {%s}", n->buf);
}

/* ---- arithmetic ---- */

/* Unwritten registers from r8 on are uniforms. */
static void put_reg(struct vs_text *t, const struct mg_view *v, u32 reg, bool write)
{
	bool uniform = (reg >= 16 && reg <= MG_REG_UNIFORM) ||
		       (reg >= 8 && reg < 16 && !(*v->written >> reg & 1));

	if (reg == MG_REG_TMP || reg == MG_REG_TMP + 1)
		vs_put(t, "TMP%u", reg - MG_REG_TMP);
	else if (reg == MG_REG_TEX || reg == MG_REG_TEX + 1)
		vs_put(t, "%s%u", write ? "AT" : "TA", reg - MG_REG_TEX);
	else if (reg == MG_REG_LDST || reg == MG_REG_LDST + 1)
		vs_put(t, "AL%u", reg - MG_REG_LDST);
	else if (uniform)
		vs_put(t, "U%u", MG_REG_UNIFORM - reg);
	else if (reg == MG_REG_SPECIAL && !write)
		vs_put(t, "PC_SP");
	else
		vs_put(t, "R%u", reg);
}

static void put_mask(struct vs_text *t, const struct mg_alu *a)
{
	u32 i;

	if (a->shrink == MG_SHRINK_NONE && a->mask == 0xff)
		return;
	vs_put(t, ".");
	for (i = 0; i < a->nlanes; i++)
		if (a->lanes >> i & 1)
			vs_put(t, "%c", letters_of[(a->delem + i) & 15]);
}

static void put_dest(struct vs_text *t, const struct mg_view *v, const struct mg_alu *a,
		     bool integer)
{
	if (a->dest < 16)
		*v->written |= 1U << a->dest;
	put_reg(t, v, a->dest, true);
	if (MG_VECTOR >> a->unit & 1)
		put_mask(t, a);
	else
		vs_put(t, ".%c", letters_of[a->delem]);
	if (a->shrink != MG_SHRINK_NONE && !integer)
		vs_put(t, ".shrink");
	if (a->shrink != MG_SHRINK_NONE || !integer)
		vs_put(t, "%s", mg_outmod_name(a->outmod, integer));
}

static void put_mods(struct vs_text *t, const struct mg_src *s, bool integer)
{
	if (integer) {
		vs_put(t, "%s", s->widen ? mg_widen_name(s->mod) : "");
		return;
	}
	vs_put(t, "%s%s%s", s->mod & MG_MOD_ABS ? ".abs" : "", s->mod & MG_MOD_NEG ? ".neg" : "",
	       s->widen ? ".widen" : "");
}

static void note_source(struct mg_notes *n, const struct mg_alu *a, u32 k)
{
	const struct mg_src *s = &a->src[k];
	const char *kind = s->kind == MG_SRC_CONST ? "const:" : "";
	u32 w = s->swizzle;

	if (MG_VECTOR >> a->unit & 1)
		mg_note(n, "s%u=%s%s.%c%c%c%c/%u", k + 1, kind, mg_expand_name(s->expand),
			letters_of[w & 3], letters_of[w >> 2 & 3], letters_of[w >> 4 & 3],
			letters_of[w >> 6], s->mod);
	else
		mg_note(n, "s%u=%s0x%x", k + 1, kind,
			s->mod | (u32)s->full << 2 | (u32)s->comp << 3);
}

/* Scalar operations do not show it. */
static bool shows_shl1(const struct mg_alu *a, const struct mg_alu_def *def)
{
	return def->flags & MG_SHL1 && a->src[0].kind == MG_SRC_REG &&
	       MG_VECTOR >> a->unit & 1;
}

static void put_register(struct vs_text *t, const struct mg_view *v, const struct mg_alu *a,
			 u32 k, struct mg_notes *n)
{
	const struct mg_alu_def *def = mg_alu_op(a->op);
	const struct mg_src *s = &a->src[k];
	bool integer = def->flags & MG_INT_IN, same;
	struct mg_src back = { .reg = s->reg };
	char shown[40] = "";
	struct vs_text swizzle = { shown, sizeof(shown), 0 };

	put_reg(t, v, s->reg, false);
	if (!(MG_VECTOR >> a->unit & 1)) {
		vs_put(t, ".%c", letters_of[s->elem[0]]);
		same = true;
	} else {
		mg_put_swizzle(&swizzle, a, s);
		vs_put(t, "%s", shown);
		same = mg_infer_swizzle(a, *shown ? shown + 1 : NULL, s->widen, &back) &&
		       back.expand == s->expand && back.swizzle == s->swizzle;
	}
	if (shows_shl1(a, def) && !k)
		vs_put(t, ".x2");
	put_mods(t, s, integer);
	if (!same || (integer && !s->widen && s->mod))
		note_source(n, a, k);
}

static void put_consts(struct vs_text *t, const struct mg_view *v, const struct mg_alu *a, u32 k,
		       struct mg_notes *n)
{
	struct mg_token tokens[MG_MAX_LANES];
	const struct mg_src *s = &a->src[k];
	struct mg_src back = { };
	u32 count = 0, imm, i;
	bool same;

	while (count < MG_MAX_LANES &&
	       mg_shown_const(v->b->consts, a, s, count, &tokens[count]))
		count++;
	vs_put(t, count > 1 ? "<" : "#");
	for (i = 0; i < count; i++)
		vs_put(t, "%s%s", i ? ", " : "", tokens[i].text);
	vs_put(t, "%s", count > 1 ? ">" : "");
	same = !(k && count == 1 && mg_infer_imm(a, tokens[0].text, &imm)) &&
	       mg_infer_const(v->b->consts, a, tokens, count, &back) && back.mod == s->mod;
	if (MG_VECTOR >> a->unit & 1)
		same = same && back.expand == s->expand && back.swizzle == s->swizzle;
	else
		same = same && back.full == s->full && back.comp == s->comp;
	if (!same)
		note_source(n, a, k);
}

static void put_source(struct vs_text *t, const struct mg_view *v, const struct mg_alu *a, u32 k,
		       struct mg_notes *n)
{
	vs_put(t, ", ");
	if (a->src[k].kind == MG_SRC_IMM)
		mg_put_imm(t, a, a->src[k].imm);
	else if (a->src[k].kind == MG_SRC_CONST)
		put_consts(t, v, a, k, n);
	else
		put_register(t, v, a, k, n);
}

void mg_put_alu(struct vs_text *t, const struct mg_view *v, u32 i)
{
	const struct mg_alu *a = &v->b->alu[i];
	const struct mg_alu_def *def = mg_alu_op(a->op);
	struct mg_notes n = { };
	bool integer;

	vs_put(t, "%s", mg_unit_name(a->unit));
	if (mg_alu_check(v->b, i, NULL)) {
		vs_put(t, " .bits 0x%04x 0x%llx", a->reg_word, (unsigned long long)a->body);
		return;
	}
	integer = def->flags & MG_INT_OUT;
	vs_put(t, ".%s.%c%u ", def->name, integer ? 'i' : 'f', 8U << a->mode);
	put_dest(t, v, a, integer);
	put_source(t, v, a, 0, &n);
	put_source(t, v, a, 1, &n);
	/* Without modifiers or components that show it. */
	if (def->flags & MG_SHL1 && !shows_shl1(a, def))
		mg_note(&n, "x2");
	if (a->shrink == MG_SHRINK_HIGH && !a->lanes)
		mg_note(&n, "upper");
	if (def->flags & MG_UNSIGNED && mg_alu_op_twin(a->op))
		mg_note(&n, "unsigned");
	mg_put_notes(t, &n);
}

/* ---- branches ---- */

void mg_put_branch(struct vs_text *t, const struct mg_view *v, u32 i)
{
	const struct mg_branch *br = &v->b->branch[i];

	vs_put(t, "%s", br->extended ? "brx" : "br");
	if (mg_branch_check(v->b, i, NULL)) {
		vs_put(t, " .bits 0x%llx", (unsigned long long)br->bits);
		return;
	}
	if (br->extended)
		vs_put(t, "%s", mg_call_name(br->call));
	vs_put(t, ".%s", mg_branch_op_name(br->op));
	if (!br->extended && br->op == MG_BR_JUMP)
		vs_put(t, "%s", mg_call_name(br->call));
	else if (br->cond == 0x5555 * (br->cond & 3))
		vs_put(t, ".%s", mg_cond_name(br->cond));
	else
		vs_put(t, ".lut%X", br->cond);
	vs_put(t, " %s%d -> %s", br->offset >= 0 ? "+" : "", br->offset,
	       mg_tag_name(br->dest_tag));
}

/* ---- textures ---- */

static void put_vec4(struct vs_text *t, u32 swizzle, bool upper)
{
	u32 i;

	if (swizzle == MG_SWIZZLE_NONE && !upper)
		return;
	vs_put(t, ".");
	for (i = 0; i < 4; i++)
		vs_put(t, "%c", letters_of[(swizzle >> (2 * i) & 3) + 4 * upper]);
}

static void put_tex_reg(struct vs_text *t, u32 bits)
{
	struct mg_tex_reg r;

	mg_tex_reg_decode(bits, &r);
	vs_put(t, "AT%u.%c.%u", r.select, letters_of[r.comp + 4 * r.upper], r.full ? 32 : 16);
}

static void put_tex_mask(struct vs_text *t, const struct mg_tex *x)
{
	u32 i;

	if (x->mask == 15) {
		vs_put(t, "%s", x->out_upper ? "'" : "");
		return;
	}
	vs_put(t, ".");
	for (i = 0; i < 4; i++)
		if (x->mask >> i & 1)
			vs_put(t, "%c", letters_of[i + 4 * x->out_upper]);
}

static void put_offset(struct vs_text *t, const struct mg_tex *x)
{
	struct mg_tex_reg r;
	u8 swizzle;

	if (x->offset_reg) {
		mg_tex_offset_reg(x->offset, &r, &swizzle);
		vs_put(t, " + AT%u", r.select);
		put_vec4(t, swizzle, r.upper);
		vs_put(t, ".%u", r.full ? 32 : 16);
	} else if (x->offset) {
		/* Signed, but not shown like that. */
		vs_put(t, " + <%u, %u, %u>", x->offset & 15, x->offset >> 4 & 15,
		       x->offset >> 8);
	}
	vs_put(t, ",");
}

static void put_lod(struct vs_text *t, const struct mg_tex *x, struct mg_notes *n)
{
	s32 value = x->bias_int * 256 + x->bias;
	u32 size = value < 0 ? -value : value, frac = (size & 255) * 1000000;
	char sign = value < 0 ? '-' : '+';

	if (x->lod_reg) {
		vs_put(t, " lod %c ", x->op == MG_TEX_NORMAL ? '+' : '=');
		put_tex_reg(t, x->bias);
		vs_put(t, ",");
	} else if (x->op == MG_TEX_FETCH) {
		vs_put(t, " lod = %u,", x->bias);
	} else if (value) {
		/* Six digits, ties to even. */
		frac = (frac >> 8) + ((frac & 255) > 128 ||
				      ((frac & 255) == 128 && frac >> 8 & 1));
		vs_put(t, " lod %c %u.%06u,", x->op == MG_TEX_NORMAL ? sign : '=', size >> 8,
		       frac);
		if (value < 0 && x->op != MG_TEX_NORMAL)
			mg_note(n, "negative");
	}
}

void mg_put_tex(struct vs_text *t, const struct mg_view *v)
{
	const struct mg_tex *x = &v->b->tex;
	struct mg_notes n = { };

	vs_put(t, "%s", mg_tex_op_name(x->op));
	if (x->op != MG_TEX_BARRIER) {
		vs_put(t, "%s", v->b->tag == MG_TAG_TEX_VERTEX ? ".vtx" : "");
		if (x->op == MG_TEX_DERIVATIVE)
			vs_put(t, ".%c", 'x' + x->mode);
		else
			vs_put(t, "%s", mg_tex_mode_name(x->mode));
		vs_put(t, ".%s%s", mg_tex_dim_name(x->dim), mg_tex_exec_name(x->exec));
	}
	if (x->ooo)
		vs_put(t, ".ooo%u", x->ooo);
	if (x->op == MG_TEX_BARRIER)
		return;
	vs_put(t, " TA%u", x->out_select);
	put_tex_mask(t, x);
	vs_put(t, ".%c%u%s, ", x->type == MG_SAMPLER_FLOAT ? 'f' : 'i', x->out_full ? 32 : 16,
	       x->type == MG_SAMPLER_FLOAT ? mg_outmod_name(x->outmod, false) : "");
	vs_put(t, x->texture_reg ? "texture[" : "texture%u, ", x->texture);
	if (x->texture_reg) {
		put_tex_reg(t, x->texture);
		vs_put(t, "], ");
	}
	vs_put(t, "%c", mg_tex_type_letter(x->type));
	vs_put(t, x->sampler_reg ? "sampler[" : "sampler%u", x->sampler);
	if (x->sampler_reg) {
		put_tex_reg(t, x->sampler);
		vs_put(t, "]");
	}
	put_vec4(t, x->swizzle, false);
	vs_put(t, ", AT%u", x->in_select);
	put_vec4(t, x->in_swizzle, x->in_upper);
	vs_put(t, ".%u", x->in_full ? 32 : 16);
	put_offset(t, x);
	put_lod(t, x, &n);
	if (x->out_upper && !x->mask)
		mg_note(&n, "upper");
	mg_put_notes(t, &n);
}
