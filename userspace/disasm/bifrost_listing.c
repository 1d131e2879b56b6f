// SPDX-License-Identifier: MIT
/*
 * A whole Bifrost program as text that assembles to the same words.
 */
#include "bifrost_disasm.h"

static const char * const gpu_names[BI_NUM_GPUS] = { "g71", "g72", "g31", "g52" };

int bi_gpu_by_name(const char *name)
{
	int i;

	for (i = 0; i < BI_NUM_GPUS; i++)
		if (!strcmp(gpu_names[i], name))
			return i;
	return -1;
}

const char *bi_gpu_name(enum bi_gpu gpu)
{
	return gpu < BI_NUM_GPUS ? gpu_names[gpu] : NULL;
}

const char *bi_message_name(u32 message)
{
	static const char * const names[] = {
		[BI_MSG_VARYING] = "vary", [BI_MSG_ATTRIBUTE] = "attr", [BI_MSG_TEXTURE] = "tex",
		[BI_MSG_VARTEX] = "vartex", [BI_MSG_LOAD] = "load", [BI_MSG_STORE] = "store",
		[BI_MSG_ATOMIC] = "atomic", [BI_MSG_BARRIER] = "barrier",
		[BI_MSG_BLEND] = "blend", [BI_MSG_TILE] = "tile",
		[BI_MSG_Z_STENCIL] = "z_stencil", [BI_MSG_ATEST] = "atest",
		[BI_MSG_JOB] = "job", [BI_MSG_64BIT] = "64",
	};

	return message < ARRAY_SIZE(names) ? names[message] : NULL;
}

const char *bi_flow_name(u32 flow)
{
	static const char * const names[] = {
		[BI_FLOW_END] = "eos", [BI_FLOW_NBB_PC] = "nbb br_pc",
		[BI_FLOW_NBB_RECONVERGE] = "nbb r_uncond", [BI_FLOW_NBB] = "nbb",
		[BI_FLOW_BB_RECONVERGE] = "bb r_uncond", [BI_FLOW_BB] = "bb",
		[BI_FLOW_WE_RECONVERGE] = "we r_uncond", [BI_FLOW_WE] = "we",
	};

	return flow < ARRAY_SIZE(names) ? names[flow] : NULL;
}

/* Does an operation of the clause show the staging register? */
static bool shows_staging(const struct bi_view *v)
{
	const struct bi_op *op;
	u32 bits, i;

	for (i = 0; i < 2 * v->c.ntuples; i++) {
		bits = bi_op_bits(v, i / 2, i % 2);
		op = bi_op_find(i % 2, bits);
		if (op && op->staging && bi_sources_ok(op, bits))
			return true;
	}
	return false;
}

static void put_wait(struct vs_text *t, u32 wait)
{
	const char *sep = "";
	u32 i;

	vs_put(t, " dwb(");
	for (i = 0; i < 8; i++) {
		if (wait >> i & 1) {
			vs_put(t, "%s%u", sep, i);
			sep = ", ";
		}
	}
	vs_put(t, ")");
}

static void put_header(struct vs_text *t, const struct bi_view *v)
{
	static const char * const ftz[] = { "", " ftz_dx11", " ftz_hsa", " ftz_au" };
	static const char * const fpe[] = { "", " fpe_ts", " fpe_pd", " fpe_psqr" };
	const struct bi_header *h = &v->header;

	if (!v->header_ok) {
		vs_put(t, ".header 0x%012llx\n", (unsigned long long)v->c.header);
		return;
	}
	vs_put(t, "ds(%u)%s %s%s%s%s%s", h->slot, h->osrb ? " osrb" : "", bi_flow_name(h->flow),
	       h->suppress_inf ? " inf_suppress" : "", h->suppress_nan ? " nan_suppress" : "",
	       ftz[h->ftz], fpe[h->fpe]);
	if (h->message)
		vs_put(t, " %s", bi_message_name(h->message));
	vs_put(t, "%s%s", h->td ? " td" : "", h->ncph ? " ncph" : "");
	if (h->next_message)
		vs_put(t, " next_%s", bi_message_name(h->next_message));
	if (h->wait)
		put_wait(t, h->wait);
	if (h->sr && !shows_staging(v))
		vs_put(t, " sr(%u)", h->sr);
	vs_put(t, "\n");
}

static void put_port(struct vs_text *t, u32 port, u32 reg, u32 op, bool fma)
{
	static const char * const halves[] = { "", "", "", ".h0", ".h1" };

	if (op == BI_PORT_READ)
		vs_put(t, " %u:r%u", port, reg);
	else if (op)
		vs_put(t, " %u:r%u%s=%s", port, reg, halves[op], fma ? "fma" : "add");
}

static void put_ports(struct vs_text *t, const struct bi_view *v, u32 tuple)
{
	const struct bi_ports *p = &v->ports[tuple];
	u64 regs = v->c.tuples[tuple].regs, same = 0;

	if (!(v->ports_ok >> tuple & 1) || !bi_ports_encode(p, !tuple, &same) || same != regs) {
		vs_put(t, "    .regs 0x%09llx\n", (unsigned long long)regs);
		return;
	}
	vs_put(t, "    .ports");
	put_port(t, 0, p->reg0, p->read0, false);
	put_port(t, 1, p->reg1, p->read1, false);
	put_port(t, 2, p->reg2, p->op2, true);
	put_port(t, 3, p->reg3, p->op3, p->fma3);
	if (p->fau)
		vs_put(t, " fau:0x%02x", p->fau);
	vs_put(t, "\n");
}

void bi_put_clause(struct vs_text *t, const struct bi_view *v)
{
	u32 i;

	vs_put(t, "clause_%u:\n", v->pos);
	put_header(t, v);
	vs_put(t, "{\n");
	for (i = 0; i < v->c.nconsts; i++) {
		vs_put(t, "    .const 0x%016llx", (unsigned long long)v->c.consts[i]);
		if (!i && v->c.m)
			vs_put(t, " 0x%x", v->c.m);
		vs_put(t, "\n");
	}
	for (i = 0; i < v->c.ntuples; i++) {
		put_ports(t, v, i);
		vs_put(t, "    ");
		bi_put_op(t, v, i, BI_FMA);
		vs_put(t, "\n    ");
		bi_put_op(t, v, i, BI_ADD);
		vs_put(t, "\n");
	}
	vs_put(t, "}\n\n");
}

static bool is_zero(const u32 *quad)
{
	return !(quad[0] | quad[1] | quad[2] | quad[3]);
}

/* Words that are no clause: zeroes, or one quad. Return: number of quads. */
static u32 put_data(struct vs_text *t, const u32 *words, u32 nquads)
{
	u32 n = 0;

	while (n < nquads && is_zero(words + 4 * n))
		n++;
	if (n)
		vs_put(t, ".zero %u\n\n", n);
	else
		vs_put(t, ".quad 0x%08x 0x%08x 0x%08x 0x%08x\n\n", words[0], words[1], words[2],
		       words[3]);
	return n ? n : 1;
}

int bi_listing(const u32 *words, u32 nwords, char *buf, size_t size)
{
	struct vs_text t = { buf, size, 0 };
	u32 nquads = nwords / 4;
	struct bi_view v;

	if (nwords % 4)
		return -EINVAL;
	if (nquads > BI_MAX_QUADS)
		return -E2BIG;
	if (buf && size)
		buf[0] = '\0';
	for (v.pos = 0; v.pos < nquads;) {
		if (bi_clause_decode(words + 4 * v.pos, nquads - v.pos, &v.c)) {
			v.pos += put_data(&t, words + 4 * v.pos, nquads - v.pos);
			continue;
		}
		bi_view_parts(&v);
		bi_put_clause(&t, &v);
		v.pos += v.c.quads;
	}
	return (int)t.len;
}

/* The operations of a clause in one line; quads inside of a clause have no text. */
int bi_disasm(const struct vs_src *src, u32 offset, char *buf, size_t size)
{
	u32 nquads = src->nwords[VS_SECTION_CODE] / 4, i;
	struct vs_text t = { .buf = buf, .size = size };
	struct bi_view *v;
	int ret = -ENOEXEC;

	if (offset >= nquads)
		return -EINVAL;
	v = vs_zalloc(sizeof(*v));
	if (!v)
		return -ENOMEM;
	v->pos = offset;
	if (!bi_clause_decode(src->words[VS_SECTION_CODE] + 4 * offset, nquads - offset, &v->c)) {
		bi_view_parts(v);
		for (i = 0; i < v->c.ntuples; i++) {
			vs_put(&t, "%s", i ? "; " : "");
			bi_put_op(&t, v, i, BI_FMA);
			vs_put(&t, ", ");
			bi_put_op(&t, v, i, BI_ADD);
		}
		ret = t.len;
	} else {
		vs_put(&t, "?");
	}
	vs_free(v);
	return ret;
}
