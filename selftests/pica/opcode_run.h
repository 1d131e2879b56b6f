/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the groups of test_pica_opcodes. */
#ifndef SELFTESTS_PICA_OPCODE_RUN_H
#define SELFTESTS_PICA_OPCODE_RUN_H

#include "vectors.h"

/* One small program under construction, and its result. */
struct probe {
	struct pica_executor *ex;
	uint32_t code[FLOW_MAX_CODE];
	unsigned int ncode;
	uint32_t opdesc[PICA_REF_MAX_OPDESC];
	uint32_t v[16][4];
	struct pica_ref_uniforms uniforms;
	enum pica_ref_model model;
	unsigned int switches;
	uint64_t step_limit;
	bool registers;
	struct pica_exec_lane lane;
	char why[200];
};

void probe_init(struct probe *p, struct pica_executor *ex, enum pica_ref_model model);
void probe_word(struct probe *p, uint32_t word);
void probe_splat(uint32_t reg[4], uint32_t value);

/*
 * Run on the executor's default number of lanes; all must agree. False with a reason in
 * ->why when they do not, or when the run did not end as @status. With PICA_REF_UNDEFINED
 * or PICA_REF_BAD_STAGE a program refused for that is fine.
 */
bool probe_run(struct probe *p, enum pica_ref_status status);

/*
 * Does o@index equal the expected value, within @ulp units in the last place? NaN matches
 * any NaN.
 */
bool probe_output(struct probe *p, unsigned int index, const uint32_t want[4], unsigned int ulp);

/* Track the opcodes executed by probes, and name the missing ones of the 39. */
const char *probe_missing_opcode(void);
void probe_count_opcodes(const uint32_t *code, unsigned int ncode);

void opcodes_layout(struct pica_executor *ex);
void opcodes_flow(struct pica_executor *ex);
void opcodes_geometry(struct pica_executor *ex);

#endif
