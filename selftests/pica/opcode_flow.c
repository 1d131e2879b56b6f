// SPDX-License-Identifier: GPL-2.0
/* Flags, conditions, the flow vectors, undefined encodings and the geometry unit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../include/tap.h"
#include "opcode_run.h"

#define NUM_MODELS	3
#define PLAIN		DESC_PLAIN(0xf)
#define MAX_EVENTS	64

static void report(struct pica_executor *ex, const char *what, const struct probe *p, bool ok)
{
	if (!tap_result(ok, "%s %s", ex->name, what))
		tap_comment("  %s", p->why);
}

/* Append words that turn the flags into o0.x and o0.y; c1 is all ones. */
static void show_flags(struct probe *p)
{
	p->opdesc[8] = DESC_PLAIN(0x8);
	p->opdesc[9] = DESC_PLAIN(0x4);
	probe_splat(p->uniforms.f[1], F1);
	probe_word(p, I2(JMPC, 0, 0, 2, p->ncode + 2, 0));
	probe_word(p, I1(MOV, O(0), 0, C(1), 0, 8));
	probe_word(p, I2(JMPC, 0, 0, 3, p->ncode + 2, 0));
	probe_word(p, I1(MOV, O(0), 0, C(1), 0, 9));
	probe_word(p, I0(END));
}

static bool flags_are(struct probe *p, bool x, bool y)
{
	const uint32_t want[4] = { x ? F1 : F0, y ? F1 : F0, F0, F0 };

	return probe_run(p, PICA_REF_DONE) && probe_output(p, 0, want, 0);
}

static void test_cmp(struct pica_executor *ex)
{
	/* eq, ne, lt, le, gt, ge for each pair */
	static const struct {
		const char *name;
		uint32_t a, b;
		bool want[6];
	} t[] = {
		{ "1 : 2", F1, F2, { 0, 1, 1, 1, 0, 0 } },
		{ "2 : 1", F2, F1, { 0, 1, 0, 0, 1, 1 } },
		{ "1 : 1", F1, F1, { 1, 0, 0, 1, 0, 1 } },
		{ "0 : -0", F0, N0, { 1, 0, 0, 1, 0, 1 } },
		{ "inf : inf", FINF, FINF, { 1, 0, 0, 1, 0, 1 } },
		{ "-inf : inf", MINF, FINF, { 0, 1, 1, 1, 0, 0 } },
		{ "NaN : 1", FNAN, F1, { 0, 1, 0, 0, 0, 0 } },
		{ "NaN : NaN", FNAN, FNAN, { 0, 1, 0, 0, 0, 0 } },
		{ "subnormal : 0", SUB24, F0, { 0, 1, 0, 0, 1, 1 } },
		{ "smallest subnormal : 0", 0x18800000, F0, { 0, 1, 0, 0, 1, 1 } },
	};
	unsigned int i, m, cx, cy;
	struct probe p;
	char name[64];
	bool ok;

	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		ok = true;
		for (m = 0; m < NUM_MODELS * 36 && ok; m++) {
			cx = m % 6;
			cy = m / 6 % 6;
			probe_init(&p, ex, (enum pica_ref_model)(m / 36));
			/* The mask of the descriptor is ignored. */
			p.opdesc[0] = DESC_PLAIN(m & 0xf);
			probe_splat(p.v[0], t[i].a);
			probe_splat(p.v[1], t[i].b);
			probe_word(&p, ICMP(cx, cy, 0, V(0), V(1), 0));
			show_flags(&p);
			ok = flags_are(&p, t[i].want[cx], t[i].want[cy]);
		}
		snprintf(name, sizeof(name), "CMP %s, 36 operator pairs", t[i].name);
		report(ex, name, &p, ok);
	}
}

static void test_cmp_operands(struct pica_executor *ex)
{
	struct probe p;
	bool ok;

	/* x compares x after the swizzle, y compares y; both negations; relative source 1 */
	probe_init(&p, ex, PICA_REF_F24_TRUNC);
	p.opdesc[0] = DESC(0, 0xb1, 1, 0x1b, 1, 0, 0);	/* .zwyx and .xyzw, both negated */
	p.opdesc[1] = DESC_PLAIN(0x8);
	p.uniforms.f[9][2] = F2;	/* becomes x: -2 */
	p.uniforms.f[9][3] = F1;	/* becomes y: -1 */
	p.v[0][0] = F1;			/* -1 */
	p.v[0][1] = F1;			/* -1 */
	p.v[1][0] = F4;
	probe_word(&p, I1(MOVA, 0, 0, V(1), 0, 1));
	probe_word(&p, ICMP(2, 2, 1, C(5), V(0), 0));
	show_flags(&p);
	ok = flags_are(&p, true, false);
	report(ex, "CMP with swizzles, negation and index", &p, ok);
}

static void test_litp_flags(struct pica_executor *ex)
{
	static const struct {
		uint32_t x, w;
		bool fx, fy;
	} t[] = {
		{ F1, F1, 1, 1 }, { M1, F1, 0, 1 }, { F1, M1, 1, 0 }, { M1, M1, 0, 0 },
		{ F0, N0, 1, 1 }, { FNAN, F1, 0, 1 }, { F1, FNAN, 1, 0 }, { MINF, FINF, 0, 1 },
	};
	struct probe p;
	unsigned int i, m;
	bool ok = true;

	for (i = 0; i < sizeof(t) / sizeof(t[0]) && ok; i++) {
		for (m = 0; m < NUM_MODELS && ok; m++) {
			probe_init(&p, ex, (enum pica_ref_model)m);
			p.opdesc[0] = DESC_PLAIN(0);
			p.v[0][0] = t[i].x;
			p.v[0][1] = M1;
			p.v[0][3] = t[i].w;
			probe_word(&p, I1(LITP, O(0), 0, V(0), 0, 0));
			show_flags(&p);
			ok = flags_are(&p, t[i].fx, t[i].fy);
		}
	}
	report(ex, "LITP sets the flags from x and w, whatever the mask", &p, ok);
}

/* One conditional instruction before words that set o0.x = 1 iff it was taken. */
static void condition_program(struct probe *p, unsigned int op, uint32_t cond)
{
	unsigned int at = p->ncode;
	uint32_t low = cond & 0x03c00000;

	switch (op) {
	case JMPC:
		probe_word(p, I2(JMPC, 0, 0, 0, at + 2, 0) | low);
		probe_word(p, I0(END));
		break;
	case IFC:
		probe_word(p, I2(IFC, 0, 0, 0, at + 2, 1) | low);
		probe_word(p, I0(NOP));
		/* else part, skipped when taken */
		probe_word(p, I0(END));
		break;
	case CALLC:
		probe_word(p, I2(CALLC, 0, 0, 0, at + 2, 2) | low);
		probe_word(p, I0(END));
		break;
	case BREAKC:
		probe_word(p, I3(LOOP, 0, at + 2, 0));
		probe_word(p, I2(BREAKC, 0, 0, 0, 0, 0) | low);
		probe_word(p, I0(END));
		break;
	}
	probe_word(p, I1(MOV, O(0), 0, C(1), 0, 8));
	probe_word(p, I0(END));
}

static void test_conditions(struct pica_executor *ex)
{
	static const struct {
		unsigned int op;
		const char *name;
	} ops[] = { { JMPC, "JMPC" }, { IFC, "IFC" }, { CALLC, "CALLC" }, { BREAKC, "BREAKC" } };
	unsigned int i, n;
	struct probe p;
	char name[64];
	bool ok;

	for (i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		ok = true;
		/* flags x, y; references x, y; four operators */
		for (n = 0; n < 64 && ok; n++) {
			bool fx = n & 1, fy = n & 2, rx = n & 4, ry = n & 8;
			bool taken[4] = {
				fx == rx || fy == ry, fx == rx && fy == ry, fx == rx, fy == ry
			};
			uint32_t want[4] = { 0 };

			probe_init(&p, ex, PICA_REF_F32);
			p.opdesc[0] = PLAIN;
			p.opdesc[8] = DESC_PLAIN(0x8);
			probe_splat(p.uniforms.f[1], F1);
			/* v0.x == 0 and v0.y == 0 set the flags */
			p.v[0][0] = fx ? F0 : F1;
			p.v[0][1] = fy ? F0 : F1;
			probe_word(&p, ICMP(0, 0, 0, V(0), V(1), 0));
			condition_program(&p, ops[i].op, I2(0, rx, ry, n >> 4, 0, 0));
			want[0] = taken[n >> 4] ? F1 : F0;
			ok = probe_run(&p, PICA_REF_DONE) && probe_output(&p, 0, want, 0);
		}
		snprintf(name, sizeof(name), "%s: flags, references and operators", ops[i].name);
		report(ex, name, &p, ok);
	}
}

static void run_flow(struct pica_executor *ex, const struct flow_vector *f)
{
	uint32_t want[4];
	struct probe p;
	unsigned int i;
	bool ok;

	probe_init(&p, ex, PICA_REF_F32);
	p.switches = f->switches;
	p.registers = true;
	for (i = 0; i < f->ncode; i++)
		probe_word(&p, f->code[i]);
	for (i = 0; i < 4; i++)
		p.opdesc[i] = DESC_PLAIN(8u >> i);
	p.opdesc[4] = PLAIN;
	probe_splat(p.uniforms.f[0], F1);
	memcpy(p.uniforms.i, f->i, sizeof(f->i));
	p.uniforms.b = f->b;
	ok = probe_run(&p, f->status);
	if (ok && f->status == PICA_REF_DONE) {
		for (i = 0; i < 4; i++)
			want[i] = pica_ref_to_bits((float)f->count[i]);
		ok = probe_output(&p, 0, want, 0);
		if (ok && f->al >= 0 && (ex->caps & PICA_EXEC_REGISTERS) && p.lane.al != f->al) {
			snprintf(p.why, sizeof(p.why), "aL is %d, want %d", p.lane.al, f->al);
			ok = false;
		}
	}
	report(ex, f->name, &p, ok);
}

static void test_undefined(struct pica_executor *ex)
{
	static const unsigned int ops[] = {
		0x10, 0x11, 0x14, 0x15, 0x16, 0x17, 0x1c, 0x1d, 0x1e, 0x1f,
	};
	struct probe p;
	char name[64];
	unsigned int i;
	bool ok;

	for (i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		probe_init(&p, ex, PICA_REF_F32);
		p.opdesc[0] = PLAIN;
		probe_word(&p, I1(ops[i], O(0), 0, V(0), V(1), 0));
		probe_word(&p, I0(END));
		ok = probe_run(&p, PICA_REF_UNDEFINED);
		snprintf(name, sizeof(name), "opcode %02x is undefined", ops[i]);
		report(ex, name, &p, ok);
	}
	for (i = 0; i < 4; i++) {
		probe_init(&p, ex, PICA_REF_F32);
		p.opdesc[0] = PLAIN;
		probe_word(&p, ICMP(i < 2 ? 6 + i : 0, i < 2 ? 0 : 4 + i, 0, V(0), V(1), 0));
		probe_word(&p, I0(END));
		ok = probe_run(&p, PICA_REF_UNDEFINED);
		snprintf(name, sizeof(name), "CMP %c operator %u is undefined", i < 2 ? 'x' : 'y',
			 i < 2 ? 6 + i : 4 + i);
		report(ex, name, &p, ok);
	}
	for (i = 0; i < 2; i++) {
		probe_init(&p, ex, PICA_REF_F32);
		probe_word(&p, i ? ISETEMIT(0, 0, 0) : I0(EMIT));
		probe_word(&p, I0(END));
		ok = probe_run(&p, PICA_REF_BAD_STAGE);
		report(ex, i ? "SETEMIT in a vertex unit" : "EMIT in a vertex unit", &p, ok);
	}
}

void opcodes_flow(struct pica_executor *ex)
{
	unsigned int i;

	test_cmp(ex);
	test_cmp_operands(ex);
	test_litp_flags(ex);
	test_conditions(ex);
	for (i = 0; i < num_flow_vectors; i++)
		run_flow(ex, &flow_vectors[i]);
	test_undefined(ex);
}

/* Geometry: each program lists the o0.x (o1.x..) values of its vertices; -1 is an invert. */
struct geometry_vector {
	const char *name;
	uint32_t code[16];
	uint16_t output_mask;
	unsigned int invocations;
	unsigned int nevents;
	int first[MAX_EVENTS];	/* attribute 0, component x */
	int second[MAX_EVENTS];	/* attribute 1, component x; with two outputs */
};

/* cN is N + 1 in all components */
#define SET(o, c)	I1(MOV, O(o), 0, C(c), 0, 0)

static const struct geometry_vector geometry_vectors[] = {
	{
		.name = "EMIT without the primitive flag only fills a slot",
		.code = { SET(0, 0), ISETEMIT(0, 0, 0), I0(EMIT), I0(END) },
		.output_mask = 1, .invocations = 3,
	}, {
		.name = "one SETEMIT serves several EMITs",
		.code = { ISETEMIT(1, 1, 0), SET(0, 0), I0(EMIT), SET(0, 1), I0(EMIT), I0(END) },
		.output_mask = 1, .invocations = 1, .nevents = 6,
		.first = { 0, 1, 0, 0, 2, 0 },
	}, {
		.name = "EMIT before any SETEMIT fills slot 0",
		.code = { SET(0, 4), I0(EMIT), ISETEMIT(2, 1, 0), SET(0, 5), I0(EMIT), I0(END) },
		.output_mask = 1, .invocations = 1, .nevents = 3, .first = { 5, 0, 6 },
	}, {
		.name = "inverted winding comes before the triangle, each time",
		.code = { ISETEMIT(0, 1, 1), SET(0, 0), I0(EMIT), SET(0, 1), I0(EMIT),
			  ISETEMIT(1, 1, 0), SET(0, 2), I0(EMIT), I0(END) },
		.output_mask = 1, .invocations = 1, .nevents = 11,
		.first = { -1, 1, 0, 0, -1, 2, 0, 0, 2, 3, 0 },
	}, {
		.name = "outputs are packed in register order",
		.code = { ISETEMIT(2, 1, 0), SET(0, 8), SET(3, 0), SET(5, 1), SET(6, 9), I0(EMIT),
			  I0(END) },
		.output_mask = 0x28, .invocations = 1, .nevents = 3,
		.first = { 0, 0, 1 }, .second = { 0, 0, 2 },
	}, {
		.name = "slots survive the invocation",
		.code = { I3(JMPU, 15, 5, 0), ISETEMIT(0, 0, 0), SET(0, 0), I0(EMIT), I0(END),
			  ISETEMIT(1, 1, 0), SET(0, 1), I0(EMIT), I0(END) },
		.output_mask = 1, .invocations = 2, .nevents = 3, .first = { 1, 2, 0 },
	}, {
		.name = "b15 is false in the first invocation only",
		.code = { SET(0, 0), I3(IFU, 15, 4, 0), SET(0, 1), I0(NOP), ISETEMIT(0, 1, 0),
			  I0(EMIT), I0(END) },
		.output_mask = 1, .invocations = 3, .nevents = 9,
		.first = { 1, 0, 0, 2, 0, 0, 2, 0, 0 },
	}, {
		.name = "a register not rewritten shows two emits ago",
		.code = { ISETEMIT(0, 1, 0), SET(0, 0), I0(EMIT), SET(0, 1), I0(EMIT), I0(EMIT),
			  I0(EMIT), I0(END) },
		.output_mask = 1, .invocations = 1, .nevents = 12,
		.first = { 1, 0, 0, 2, 0, 0, 1, 0, 0, 2, 0, 0 },
	}, {
		.name = "emitted state and banks go on in the next invocation",
		.code = { I3(JMPU, 15, 5, 0), ISETEMIT(1, 1, 1), SET(0, 0), I0(EMIT), I0(END),
			  I0(EMIT), I0(EMIT), I0(END) },
		.output_mask = 1, .invocations = 2, .nevents = 12,
		.first = { -1, 0, 1, 0, -1, 0, 0, 0, -1, 0, 1, 0 },
	},
};

static bool geometry_event(const struct geometry_vector *g, unsigned int i,
			   const struct pica_exec_event *e)
{
	unsigned int nattr = (unsigned int)__builtin_popcount(g->output_mask);

	if (g->first[i] < 0)
		return e->kind == PICA_REF_EVENT_INVERT;
	if (e->kind != PICA_REF_EVENT_VERTEX || e->nattr != nattr)
		return false;
	if (pica_ref_from_bits(e->attr[0][0]) != (float)g->first[i])
		return false;
	return nattr < 2 || pica_ref_from_bits(e->attr[1][0]) == (float)g->second[i];
}

static void run_geometry(struct pica_executor *ex, const struct geometry_vector *g, bool serial)
{
	struct pica_exec_event *events = calloc(MAX_EVENTS, sizeof(*events));
	struct pica_exec_lane lanes[4];
	uint32_t v[4][16][4] = { { { 0 } } };
	uint32_t opdesc[1] = { PLAIN };
	struct pica_exec_job job = { .n = g->invocations, .v = v, .serial = serial };
	unsigned int i, j, ncode = 16;
	bool ok;
	long n;

	if (!events)
		abort();
	while (ncode && !g->code[ncode - 1])
		ncode--;
	for (i = 0; i < PICA_REF_NUM_CF; i++)
		for (j = 0; j < 4; j++)
			job.uniforms.f[i][j] = pica_ref_to_bits((float)(i + 1));
	job.prog.code = g->code;
	job.prog.ncode = ncode;
	job.prog.opdesc = opdesc;
	job.prog.nopdesc = 1;
	job.prog.stage = PICA_REF_GEOMETRY;
	job.prog.output_mask = g->output_mask;
	job.prog.model = PICA_REF_F24_TRUNC;
	job.prog.step_limit = 1000;
	probe_count_opcodes(g->code, ncode);

	n = ex->geometry(ex, &job, lanes, events, MAX_EVENTS);
	ok = n == (long)g->nevents;
	for (i = 0; ok && i < g->nevents; i++)
		ok = geometry_event(g, i, &events[i]);
	if (!tap_result(ok, "%s %s%s", ex->name, g->name, serial ? ", with hooks" : "")) {
		if (n < 0)
			tap_comment("  %s", ex->error);
		else
			tap_comment("  %ld events, want %u, first difference at %u", n,
				    g->nevents, i ? i - 1 : 0);
	}
	free(events);
}

void opcodes_geometry(struct pica_executor *ex)
{
	unsigned int i;

	if (!ex->geometry) {
		tap_skip("no geometry unit", "%s EMIT and SETEMIT", ex->name);
		return;
	}
	for (i = 0; i < sizeof(geometry_vectors) / sizeof(geometry_vectors[0]); i++)
		run_geometry(ex, &geometry_vectors[i], false);
	if (ex == &pica_exec_ref)
		return;
	for (i = 0; i < sizeof(geometry_vectors) / sizeof(geometry_vectors[0]); i++)
		run_geometry(ex, &geometry_vectors[i], true);
}
