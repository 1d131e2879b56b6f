// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Textures of a launch of Utgard pixel programs: reading their descriptors, and fetches.
 */
#include "../../engine/simt/simt_ext.h"
#include "../mali/mali_pack.h"
#include "utgard_pp_lower.h"
#include "utgard_tex.h"

/* ---- descriptors ---- */

static int utgard_tex_read_words(const struct vs_map *map, u64 va, u32 *w, u32 n, u32 align,
				 struct vs_fault *f)
{
	u64 size = (u64)n * sizeof(*w), got;

	if (va % align)
		return vs_fault_command(f, va, UTX_REASON + UTX_MISALIGNED, (u32)va);
	got = va < VS_INTERNAL_VA ? vs_map_read(map, va, w, size) : 0;
	if (got == size)
		return 0;
	vs_fault_memory(f, VS_FAULT_READ, va + got, (u32)(size - got));
	f->info = (u32)va;
	return -ENOEXEC;
}

static int load_one(const struct vs_map *map, u64 va, struct tx_surface *surfaces,
		    struct utgard_tex *t, struct vs_fault *f)
{
	u32 w[UTX_WORDS] = {}, value;
	enum utx_reason why;
	int ret;

	ret = utgard_tex_read_words(map, va, w, UTX_SHORT_WORDS, UTX_ALIGN, f);
	if (!ret && utx_levels(w) > UTX_SHORT_LEVELS)
		ret = utgard_tex_read_words(map, va, w, UTX_WORDS, UTX_ALIGN, f);
	if (ret)
		return ret;
	why = utx_decode(w, va, surfaces, t, &value);
	return why ? vs_fault_command(f, va, UTX_REASON + why, value) : 0;
}

int utgard_tex_load(const struct vs_map *map, u64 va, u32 n, struct simt_arena *a,
		    struct utgard_tex **out, struct vs_fault *fault)
{
	struct tx_surface *s;
	u32 i, at;
	int ret;

	*out = simt_arena_alloc(a, n, sizeof(**out));
	if (n && !*out)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		ret = utgard_tex_read_words(map, va + i * sizeof(at), &at, 1, sizeof(at), fault);
		if (ret)
			return ret;
		if (!at)
			continue;
		s = simt_arena_alloc(a, UTX_MAX_SURFACES, sizeof(*s));
		if (!s)
			return -ENOMEM;
		ret = load_one(map, at, s, &(*out)[i], fault);
		if (ret)
			return ret;
	}
	return 0;
}

/* ---- fetches ---- */

static bool utgard_tex_refuse(struct simt_machine *m, u64 mask, enum utx_reason why, u64 va)
{
	simt_fault_command(m, mask, va, UTX_REASON + why, 0);
	return false;
}

/* All lanes; those that do not fetch have no meaning. */
static void utgard_tex_operand(const struct simt_block *b, const struct simt_uop *op, u32 i,
			       u32 *to)
{
	u32 l;

	if (!(op->s[i] & SIMT_U)) {
		memcpy(to, sx_slot(b, op->s[i], 0), SIMT_LANES * sizeof(*to));
		return;
	}
	for (l = 0; l < SIMT_LANES; l++)
		to[l] = sx_src(b, op, i, l);
}

static void operands(const struct simt_block *b, const struct simt_uop *op,
		     struct tx_request *q)
{
	u32 i;

	tx_begin(q, b->mask);
	q->lod_mode = op->imm & UPP_TEX_LEVEL ? TX_LOD_EXPLICIT :
		      op->imm & UPP_TEX_BIAS ? TX_LOD_BIAS : TX_LOD_COMPUTED;
	q->cube_dir = op->imm & UPP_TEX_CUBE;
	for (i = 0; i < 3; i++)
		utgard_tex_operand(b, op, i, q->coord[i]);
	utgard_tex_operand(b, op, 3, q->lod);
}

/* Fetch texture @index for the lanes of @req->mask. */
static bool utgard_tex_fetch(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u,
			     const struct utgard_tex_bank *bank, u32 index)
{
	const struct utgard_tex *t = index < bank->n && bank->tex[index].tex.va ?
				     &bank->tex[index] : NULL;
	struct tx_request *q = bank->req;
	bool is_cube = t && t->tex.dim == TX_DIM_CUBE;

	if (t && is_cube != q->cube_dir)
		return utgard_tex_refuse(m, q->mask, UTX_BAD_KIND, t->tex.va);
	q->tex = t ? &t->tex : NULL;
	q->samp = t ? &t->samp : NULL;
	if (!tx_exec(m, q, UTX_REASON + UTX_BAD_FORMAT))
		return false;
	mali_block_to_reg(simt_machine_simd(m), q->kind, (const u32 (*)[SIMT_LANES])q->result,
			  MALI_REG_AUTO, 4, q->mask, sx_slot(b, u->d, 0));
	return true;
}

bool utgard_tex_ext(struct simt_machine *m, struct simt_block *b, const struct simt_uop *u,
		    const struct utgard_tex_bank *bank)
{
	u64 left = simt_ext_lanes(m, b), lanes;

	/* results may overwrite the operands */
	if (!simt_ext_resumes(m))
		operands(b, u, bank->req);
	for (; left && !simt_ext_paused(m); left &= ~lanes) {
		lanes = sx_same_slot(b, u->d2, left);
		bank->req->mask = lanes;
		if (!utgard_tex_fetch(m, b, u, bank,
				      UPP_TEX_INDEX(u->imm) + *sx_slot(b, u->d2, __ffs64(lanes))))
			return false;
		simt_ext_pause(m, left & ~lanes);
	}
	return true;
}
