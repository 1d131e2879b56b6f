// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opcode_run.h"

static bool seen[64];

void probe_count_opcodes(const uint32_t *code, unsigned int ncode)
{
	unsigned int i, op;

	for (i = 0; i < ncode; i++) {
		op = code[i] >> 26;
		if (op >= MAD)
			op = MAD;
		else if (op >= MADI)
			op = MADI;
		else if (op == CMP + 1)
			op = CMP;
		seen[op] = true;
	}
}

const char *probe_missing_opcode(void)
{
	static const struct {
		unsigned int op;
		const char *name;
	} all[] = {
		{ ADD, "ADD" }, { DP3, "DP3" }, { DP4, "DP4" }, { DPH, "DPH" }, { DST, "DST" },
		{ EX2, "EX2" }, { LG2, "LG2" }, { LITP, "LITP" }, { MUL, "MUL" }, { SGE, "SGE" },
		{ SLT, "SLT" }, { FLR, "FLR" }, { MAX, "MAX" }, { MIN, "MIN" }, { RCP, "RCP" },
		{ RSQ, "RSQ" }, { MOVA, "MOVA" }, { MOV, "MOV" }, { DPHI, "DPHI" },
		{ DSTI, "DSTI" }, { SGEI, "SGEI" }, { SLTI, "SLTI" }, { BREAK, "BREAK" },
		{ NOP, "NOP" }, { END, "END" }, { BREAKC, "BREAKC" }, { CALL, "CALL" },
		{ CALLC, "CALLC" }, { CALLU, "CALLU" }, { IFU, "IFU" }, { IFC, "IFC" },
		{ LOOP, "LOOP" }, { EMIT, "EMIT" }, { SETEMIT, "SETEMIT" }, { JMPC, "JMPC" },
		{ JMPU, "JMPU" }, { CMP, "CMP" }, { MADI, "MADI" }, { MAD, "MAD" },
	};
	unsigned int i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (!seen[all[i].op])
			return all[i].name;
	}
	return NULL;
}

void probe_init(struct probe *p, struct pica_executor *ex, enum pica_ref_model model)
{
	memset(p, 0, sizeof(*p));
	p->ex = ex;
	p->model = model;
	p->step_limit = 2000;
}

void probe_word(struct probe *p, uint32_t word)
{
	if (p->ncode == FLOW_MAX_CODE)
		abort();
	p->code[p->ncode++] = word;
}

void probe_splat(uint32_t reg[4], uint32_t value)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		reg[i] = value;
}

static bool lanes_agree(struct probe *p, const struct pica_exec_lane *lanes, unsigned int n)
{
	unsigned int i;

	for (i = 1; i < n; i++) {
		if (lanes[i].status != lanes[0].status ||
		    memcmp(lanes[i].o, lanes[0].o, sizeof(lanes[i].o))) {
			snprintf(p->why, sizeof(p->why), "lane %u differs from lane 0", i);
			return false;
		}
	}
	return true;
}

bool probe_run(struct probe *p, enum pica_ref_status status)
{
	struct pica_exec_job job = { .n = p->ex->lanes, .uniforms = p->uniforms };
	struct pica_exec_lane *lanes = calloc(job.n, sizeof(*lanes));
	bool ok = false;
	unsigned int i;
	int ret;

	job.v = calloc(job.n, sizeof(*job.v));
	if (!job.v || !lanes)
		abort();
	for (i = 0; i < job.n; i++)
		memcpy(job.v[i], p->v, sizeof(p->v));
	job.registers = p->registers;
	job.prog.code = p->code;
	job.prog.ncode = p->ncode;
	job.prog.opdesc = p->opdesc;
	job.prog.nopdesc = PICA_REF_MAX_OPDESC;
	job.prog.stage = PICA_REF_VERTEX;
	job.prog.output_mask = 0xffff;
	job.prog.model = p->model;
	job.prog.switches = p->switches;
	job.prog.step_limit = p->step_limit;
	probe_count_opcodes(p->code, p->ncode);

	ret = p->ex->vertex(p->ex, &job, lanes);
	if (ret < 0) {
		snprintf(p->why, sizeof(p->why), "refused: %.120s", p->ex->error);
		ok = status != PICA_REF_DONE && p->ex->refusal == status;
	} else if (lanes_agree(p, lanes, job.n)) {
		ok = lanes[0].status == status;
		if (!ok)
			snprintf(p->why, sizeof(p->why), "ended with \"%s\", want \"%s\"",
				 pica_ref_status_name(lanes[0].status),
				 pica_ref_status_name(status));
	}
	p->lane = lanes[0];
	free(job.v);
	free(lanes);
	return ok;
}

static bool close_enough(enum pica_ref_model model, uint32_t got, uint32_t want, unsigned int ulp)
{
	uint32_t distance = got > want ? got - want : want - got;

	if (isnan(pica_ref_from_bits(want)))
		return isnan(pica_ref_from_bits(got));
	if (model != PICA_REF_F32)
		ulp *= 0x80;
	return distance <= ulp;
}

bool probe_output(struct probe *p, unsigned int index, const uint32_t want[4], unsigned int ulp)
{
	const uint32_t *got = p->lane.o[index];
	unsigned int i;

	for (i = 0; i < 4; i++) {
		if (close_enough(p->model, got[i], want[i], ulp))
			continue;
		snprintf(p->why, sizeof(p->why),
			 "%s: o%u is %08x %08x %08x %08x, want %08x %08x %08x %08x",
			 pica_model_name(p->model), index, got[0], got[1], got[2], got[3],
			 want[0], want[1], want[2], want[3]);
		return false;
	}
	return true;
}
