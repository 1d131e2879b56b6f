// SPDX-License-Identifier: MIT
/*
 * QPU on the command line.
 */
#include "bench_qpu_table.h"
#include "cli_isa.h"
#include "jobfile_qpu.h"
#include "vshader_dump.h"

static void print_info(const struct drm_vshader_program_info *i)
{
	printf("  %-16s %llu bytes\n", "memory", (unsigned long long)i->memory);
	asm_print_mask("registers", i->temps, "r");
	printf("  %-16s %u instructions read one\n", "uniforms", i->uniform_rows);
}

static void dump_states(const struct vshader_dump *d)
{
	uint32_t i, n = (uint32_t)d->part[DRM_VSHADER_DUMP_QPUS].count;
	struct drm_vshader_qpu_state qpus[QPU_MAX_STATES];
	char text[4096];

	if (!n || n > QPU_MAX_STATES)
		return;
	for (i = 0; i < n; i++)
		vshader_dump_element(d, DRM_VSHADER_DUMP_QPUS, i, &qpus[i], sizeof(qpus[i]));
	printf("\nqpus\n%s\n", vshader_qpus_text(qpus, n, text, sizeof(text)));
}

static void add_qpus(struct json_object *o, const struct qpu_states *s)
{
	struct json_object *list = js_array(o, "qpus");
	uint32_t i;

	for (i = 0; i < s->n; i++) {
		const struct drm_vshader_qpu_state *q = &s->list[i];
		struct json_object *j = json_object_new_object();

		js_str(j, "wait", vshader_qpu_wait_name(q->wait));
		js_int(j, "info", q->info);
		js_int(j, "pc", q->pc);
		js_int(j, "thread", q->thread);
		js_int(j, "insns", q->insns);
		json_object_array_add(list, j);
	}
}

static void json_states(struct json_object *o, const struct jf_job *jj,
			const struct jf_outcome *out)
{
	/* fault records of other engines have no stray reads; lists have no block */
	if (out->result.fault.engine == DRM_VSHADER_ENGINE_QPU || jj->shader.block)
		js_int(o, "stray_reads", out->result.stray_reads);
	if (out->states)
		add_qpus(o, out->states);
}

static const char * const names[] = { "videocore", "vc4", "v3d", "bcm2835", "raspi", NULL };
static const char * const suffixes[] = { ".qasm", ".qinc", NULL };

const struct cli_isa cli_qpu_isa = {
	.names = names,
	.stages = "qpu: compute (default) or fragment",
	.language = "vc4asm's (qpu)",
	.suffixes = suffixes,
	.print_info = print_info,
	.comment = '#',
	.bus_mask = 0x3fffffff,
	.independent = true,
	.stray_text = "elements read outside mapped memory by the TMUs",
	.dump_states = dump_states,
	.json_states = json_states,
	.bench = &bench_qpu,
};
