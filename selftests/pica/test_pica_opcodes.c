// SPDX-License-Identifier: GPL-2.0
/*
 * Per-opcode vectors with hand-derived results, on every executor and in
 * every number model. Each vector runs in every form the encoding offers.
 */
#include <string.h>

#include "../include/tap.h"
#include "opcode_run.h"
#include "options.h"

#define NUM_MODELS	3

/* Ways to feed the same operands to the same operation. */
enum form {
	REGISTERS,	/* all sources are inputs */
	UNIFORM,	/* the wide source is a uniform, last descriptor of the table */
	INVERTED,	/* inverted layout, its wide source a uniform */
	TEMPORARIES,	/* through temporaries */
	NUM_FORMS
};

static unsigned int num_sources(unsigned int op)
{
	switch (op) {
	case EX2: case LG2: case LITP: case FLR: case RCP: case RSQ: case MOV:
		return 1;
	case MAD:
		return 3;
	default:
		return 2;
	}
}

static unsigned int inverted(unsigned int op)
{
	switch (op) {
	case DPH:
		return DPHI;
	case DST:
		return DSTI;
	case SGE:
		return SGEI;
	case SLT:
		return SLTI;
	case MAD:
		return MADI;
	default:
		return 0;
	}
}

/* The instruction in question, from registers @s to @dst. */
static uint32_t plain_word(unsigned int op, unsigned int dst, const unsigned int s[3],
			   unsigned int desc)
{
	if (op == MAD)
		return IMAD(dst, 0, s[0], s[1], s[2], desc);
	return I1(op, dst, 0, s[0], num_sources(op) > 1 ? s[1] : 0, desc);
}

static uint32_t inverted_word(unsigned int op, unsigned int dst, const unsigned int s[3],
			      unsigned int desc)
{
	if (op == MAD)
		return IMADI(dst, 0, s[0], s[1], s[2], desc);
	return I1I(inverted(op), dst, 0, s[0], s[1], desc);
}

/* Which source can be wide in the plain layout, and in the inverted one. */
static unsigned int wide_source(unsigned int op, bool inv)
{
	if (op == MAD)
		return inv ? 2 : 1;
	return inv ? 1 : 0;
}

static void build(struct probe *p, unsigned int op, enum form form, uint32_t desc,
		  const uint32_t in[3][4])
{
	unsigned int i, n = num_sources(op);
	unsigned int last = op == MAD ? 31 : 127;
	unsigned int s[3] = { V(0), V(1), V(2) };
	unsigned int wide = wide_source(op, form == INVERTED);

	p->opdesc[0] = desc;
	p->opdesc[last] = desc;
	p->opdesc[1] = DESC_PLAIN(0xf);
	for (i = 0; i < n; i++)
		memcpy(p->v[i], in[i], sizeof(p->v[i]));

	switch (form) {
	case REGISTERS:
		probe_word(p, plain_word(op, O(0), s, 0));
		break;
	case UNIFORM:
	case INVERTED:
		/* The other operands stay inputs; the replaced one gets garbage. */
		memcpy(p->uniforms.f[95], in[wide], sizeof(p->uniforms.f[95]));
		probe_splat(p->v[wide], 0xdeadbeef);
		s[wide] = C(95);
		if (form == INVERTED)
			probe_word(p, inverted_word(op, O(0), s, last));
		else
			probe_word(p, plain_word(op, O(0), s, last));
		break;
	default:
		for (i = 0; i < n; i++) {
			probe_word(p, I1(MOV, R(13 + i), 0, V(i), 0, 1));
			s[i] = R(13 + i);
		}
		/* The result replaces the first source, which is read before. */
		probe_word(p, plain_word(op, R(13), s, 0));
		probe_word(p, I1(MOV, O(0), 0, R(13), 0, 1));
		break;
	}
	probe_word(p, I0(END));
}

static bool run_forms(struct pica_executor *ex, unsigned int op, uint32_t desc,
		      const uint32_t in[3][4], const uint32_t out[NUM_MODELS][4],
		      unsigned int ulp, char *why, size_t size)
{
	static const char *const names[] = { "registers", "uniform", "inverted", "temporaries" };
	unsigned int m, form;
	struct probe p;

	for (m = 0; m < NUM_MODELS; m++) {
		for (form = 0; form < NUM_FORMS; form++) {
			if (form == INVERTED && !inverted(op))
				continue;
			/* Masked-off components would show the old temporary. */
			if (form == TEMPORARIES && (desc & 0xf) != 0xf)
				continue;
			probe_init(&p, ex, (enum pica_ref_model)m);
			build(&p, op, (enum form)form, desc, in);
			if (!probe_run(&p, PICA_REF_DONE) || !probe_output(&p, 0, out[m], ulp)) {
				snprintf(why, size, "%s, %s", names[form], p.why);
				return false;
			}
		}
	}
	return true;
}

static const char *op_name(unsigned int op)
{
	static const char *const names[64] = {
		[ADD] = "ADD", [DP3] = "DP3", [DP4] = "DP4", [DPH] = "DPH", [DST] = "DST",
		[EX2] = "EX2", [LG2] = "LG2", [LITP] = "LITP", [MUL] = "MUL", [SGE] = "SGE",
		[SLT] = "SLT", [FLR] = "FLR", [MAX] = "MAX", [MIN] = "MIN", [RCP] = "RCP",
		[RSQ] = "RSQ", [MOV] = "MOV", [MAD] = "MAD",
	};

	return names[op] ? names[op] : "?";
}

static void run_scalar(struct pica_executor *ex, const struct scalar_vector *s)
{
	uint32_t in[3][4], out[NUM_MODELS][4];
	char why[256] = "";
	unsigned int i;

	for (i = 0; i < 3; i++) {
		probe_splat(in[i], s->in[i]);
		probe_splat(out[i], s->out[i]);
	}
	if (!tap_result(run_forms(ex, s->op, DESC_PLAIN(0xf), in, out, s->ulp, why, sizeof(why)),
			"%s %s %s", ex->name, op_name(s->op), s->name))
		tap_comment("  %s", why);
}

static void run_vec4(struct pica_executor *ex, const struct vec4_vector *t)
{
	uint32_t in[3][4] = { { 0 } }, out[NUM_MODELS][4];
	char why[256] = "";
	unsigned int i;

	memcpy(in, t->in, sizeof(t->in));
	for (i = 0; i < NUM_MODELS; i++)
		memcpy(out[i], t->out, sizeof(out[i]));
	if (!tap_result(run_forms(ex, t->op, t->desc, in, out, 0, why, sizeof(why)),
			"%s %s %s", ex->name, op_name(t->op), t->name))
		tap_comment("  %s", why);
}

int main(int argc, char **argv)
{
	struct pica_options opt;
	struct pica_executor **ex;
	const char *missing;
	unsigned int i;

	pica_options_parse(argc, argv, &opt);
	for (ex = pica_executors(opt.executor); *ex; ex++) {
		for (i = 0; i < num_scalar_vectors; i++)
			run_scalar(*ex, &scalar_vectors[i]);
		for (i = 0; i < num_vec4_vectors; i++)
			run_vec4(*ex, &vec4_vectors[i]);
		opcodes_layout(*ex);
		opcodes_flow(*ex);
		opcodes_geometry(*ex);
	}
	missing = probe_missing_opcode();
	tap_result(!missing, "all 39 operations have run%s%s", missing ? ", but not " : "",
		   missing ? missing : "");
	return tap_done();
}
