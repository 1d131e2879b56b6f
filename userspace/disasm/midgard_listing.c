// SPDX-License-Identifier: MIT
/*
 * A whole Midgard program as text that assembles to the same words.
 */
#include "midgard_disasm.h"

static const char * const gpu_names[MG_NUM_GPUS] = { "t760", "t860" };

int mg_gpu_by_name(const char *name)
{
	int i;

	for (i = 0; i < MG_NUM_GPUS; i++)
		if (!strcmp(gpu_names[i], name))
			return i;
	return -1;
}

const char *mg_gpu_name(enum mg_gpu gpu)
{
	return gpu < MG_NUM_GPUS ? gpu_names[gpu] : NULL;
}

u32 mg_default_next(const u32 *words, u32 nquads, u32 after)
{
	u32 tag = after < nquads ? words[4 * after] & 15 : MG_TAG_BREAK;

	return tag ? tag : MG_TAG_BREAK;
}

static void put_ldst(struct vs_text *t, const struct mg_view *v)
{
	mg_put_ldst(t, v, 0);
	vs_put(t, "\n");
	if (v->b->ldst[1].bits == MG_LDST_NOP)
		return;
	mg_put_ldst(t, v, 1);
	vs_put(t, "\n");
}

static void put_alu(struct vs_text *t, const struct mg_view *v)
{
	const struct mg_bundle *b = v->b;
	u32 i;

	for (i = 0; i < b->nalu; i++) {
		mg_put_alu(t, v, i);
		vs_put(t, "\n");
	}
	for (i = 0; i < b->nbranch; i++) {
		mg_put_branch(t, v, i);
		vs_put(t, "\n");
	}
	if (b->has_consts)
		vs_put(t, "uconstants 0x%X, 0x%X, 0x%X, 0x%X\n", b->consts[0], b->consts[1],
		       b->consts[2], b->consts[3]);
	if (b->tag >= MG_TAG_ALUW)
		vs_put(t, "writeout\n");
}

static void put_bundle(struct vs_text *t, const struct mg_view *v, u32 next)
{
	vs_put(t, "# quad %u\n", v->pos);
	if (v->b->kind == MG_KIND_ALU) {
		put_alu(t, v);
	} else if (v->b->kind == MG_KIND_LDST) {
		put_ldst(t, v);
	} else {
		mg_put_tex(t, v);
		vs_put(t, "\n");
	}
	if (v->b->next == MG_TAG_BREAK && next != MG_TAG_BREAK)
		vs_put(t, "break\n");
	else if (v->b->next != next)
		vs_put(t, ".next %s\n", mg_tag_name(v->b->next));
	vs_put(t, "\n");
}

/* Words that are no bundle: zeroes, or one quad. Return: number of quads. */
static u32 put_data(struct vs_text *t, const u32 *w, u32 nquads)
{
	u32 n = 0;

	while (n < nquads && !(w[4 * n] | w[4 * n + 1] | w[4 * n + 2] | w[4 * n + 3]))
		n++;
	if (n)
		vs_put(t, ".zero %u\n\n", n);
	else
		vs_put(t, ".quad 0x%08x 0x%08x 0x%08x 0x%08x\n\n", w[0], w[1], w[2], w[3]);
	return n ? n : 1;
}

int mg_listing(const u32 *words, u32 nwords, char *buf, size_t size)
{
	struct vs_text t = { buf, size, 0 };
	u32 nquads = nwords / 4, written = 0;
	struct mg_bundle b;
	struct mg_view v = { .b = &b, .written = &written };

	if (nwords % 4)
		return -EINVAL;
	if (nquads > MG_MAX_QUADS)
		return -E2BIG;
	if (buf && size)
		buf[0] = '\0';
	while (v.pos < nquads) {
		if (mg_bundle_decode(words + 4 * v.pos, nquads - v.pos, &b, NULL) ||
		    (b.kind == MG_KIND_TEX && mg_tex_check(&b, NULL))) {
			v.pos += put_data(&t, words + 4 * v.pos, nquads - v.pos);
			continue;
		}
		put_bundle(&t, &v, mg_default_next(words, nquads, v.pos + b.quads));
		v.pos += b.quads;
	}
	return (int)t.len;
}

static void put_line(struct vs_text *t, const struct mg_view *v)
{
	const struct mg_bundle *b = v->b;
	u32 i;

	switch (b->kind) {
	case MG_KIND_ALU:
		for (i = 0; i < b->nalu; i++) {
			vs_put(t, "%s", i ? "; " : "");
			mg_put_alu(t, v, i);
		}
		for (i = 0; i < b->nbranch; i++) {
			vs_put(t, "%s", i || b->nalu ? "; " : "");
			mg_put_branch(t, v, i);
		}
		break;
	case MG_KIND_LDST:
		mg_put_ldst(t, v, 0);
		vs_put(t, "; ");
		mg_put_ldst(t, v, 1);
		break;
	default:
		mg_put_tex(t, v);
		break;
	}
}

/* The operations of a bundle in one line; quads inside of a bundle may have no text. */
int mg_disasm(const struct vs_src *src, u32 offset, char *buf, size_t size)
{
	u32 nquads = src->nwords[VS_SECTION_CODE] / 4, written = 0;
	struct vs_text t = { .buf = buf, .size = size };
	struct mg_view v = { .pos = offset, .written = &written };
	struct mg_bundle *b;
	int ret = -ENOEXEC;

	if (offset >= nquads)
		return -EINVAL;
	b = vs_zalloc(sizeof(*b));
	if (!b)
		return -ENOMEM;
	v.b = b;
	if (!mg_bundle_decode(src->words[VS_SECTION_CODE] + 4 * offset, nquads - offset, b, NULL) &&
	    !mg_bundle_check(b, MG_T860, NULL)) {
		put_line(&t, &v);
		ret = t.len;
	} else {
		vs_put(&t, "?");
	}
	vs_free(b);
	return ret;
}
