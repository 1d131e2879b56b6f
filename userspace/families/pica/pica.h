/* SPDX-License-Identifier: MIT */
/*
 * PICA200 on the command line.
 */
#ifndef VSHADER_CLI_PICA_H
#define VSHADER_CLI_PICA_H

#include "cli_isa.h"

/* report.c: as of struct cli_isa */
void pica_print_results(const struct jf_job *jj, const struct jf_outcome *o, bool verbose);
void pica_json_states(struct json_object *o, const struct jf_job *jj,
		      const struct jf_outcome *out);
void pica_json_results(struct json_object *o, const struct jf_job *jj,
		       const struct jf_outcome *out);

#endif /* VSHADER_CLI_PICA_H */
