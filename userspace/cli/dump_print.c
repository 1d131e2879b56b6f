// SPDX-License-Identifier: MIT
/*
 * Dumps as text.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli_isa.h"
#include "dump.h"

#define CONTEXT		12u	/* instructions before and after the faulting one */
#define MOST_INVS	4u	/* invocations that are shown unless all are asked for */

static void print_head(const struct vshader_dump *d)
{
	const struct drm_vshader_dump_queue *q = &d->queue;
	time_t t = (time_t)(d->device.time_ns / 1000000000u);
	char when[40] = "?";
	struct tm tm;

	if (gmtime_r(&t, &tm))
		strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S UTC", &tm);
	printf("device     %s, interface %u.%u, executor %s%s, %s\n",
	       safe_name(d->device.name), d->device.major, d->device.minor,
	       vshader_simd_name(d->device.simd), d->device.in_process ? ", in-process" : "", when);
	printf("queue      %s, process %s [%u], budget %llu, time limit %u ms, %u-bit addresses\n",
	       vshader_engine_name(q->engine), safe_name(q->comm), q->pid, q->budget,
	       q->time_limit_ms, q->va_bits);
	printf("job        %llu, %s, status %d, %llu invocations done, weight %llu, %llu us\n",
	       d->job.number, d->job.type == DRM_VSHADER_JOB_NATIVE ? "native" : "shader",
	       d->job.status, d->job.invocations, d->job.weight, d->job.busy_ns / 1000);
}

static void print_fault(const struct vshader_dump *d)
{
	char text[1024];

	if (!d->job.fault.kind)
		return;
	jf_fault_text(&d->job.fault, d->job.type == DRM_VSHADER_JOB_NATIVE, text, sizeof(text));
	printf("fault      %s\n", text);
}

static void print_code(const struct vshader_dump *d, bool all)
{
	struct dbg_code *c = dump_code(d);
	uint32_t i, here, pc = d->job.fault.pc;
	char hex[20];

	if (!c)
		return;
	for (here = 0; here < c->num_insns && c->insns[here].pc != pc; here++)
		;
	printf("\ncode       %s", d->has_program ? "program" : "in memory");
	if (dbg_is_uploaded(d->job.code_va))
		printf(" %u of the job, %s stage", (uint32_t)(d->job.code_va >> 20) & 0xfffff,
		       vshader_stage_name(d->program.stage));
	else if (d->job.code_va)
		printf(" at %#llx", d->job.code_va);
	else if (d->has_program)
		printf(" %u, %s stage, hash %016llx", d->job.program,
		       vshader_stage_name(d->program.stage), d->program.hash);
	putchar('\n');
	for (i = 0; i < c->num_insns; i++) {
		const struct dbg_insn *in = &c->insns[i];
		uint32_t word = (in->pc - c->base) / jf_pc_unit(c->src.engine);

		if (!all && here < c->num_insns && (i + CONTEXT < here || i > here + CONTEXT))
			continue;
		if (!all && here == c->num_insns && i > 2 * CONTEXT)
			break;
		printf("%s %5x: %s  %s\n", i == here ? "=>" : "  ", in->pc,
		       insn_hex(&c->src, word, hex, sizeof(hex)), in->text);
	}
	dbg_code_free(c);
}

/* ---- registers ---- */

static void print_component(const struct drm_vshader_debug_bank *b, uint32_t v)
{
	float f;

	memcpy(&f, &v, sizeof(f));
	if (b->kind == DRM_VSHADER_DEBUG_KIND_FLOAT)
		printf(" %g", (double)f);
	else if (b->kind == DRM_VSHADER_DEBUG_KIND_INT)
		printf(" %d", (int32_t)v);
	else if (b->kind == DRM_VSHADER_DEBUG_KIND_PREDICATE)
		printf(" %u", v);
	else
		printf(" %08x", v);
}

static void print_register(const struct vshader_dump *d, const struct drm_vshader_debug_bank *b,
			   uint32_t inv, uint32_t n)
{
	uint32_t val[16], i, count = vshader_dump_register(d, inv, b->first + n, val);
	char name[32];

	if (b->count > 1)
		snprintf(name, sizeof(name), "%.16s%u", b->name, b->name_base + n);
	else
		snprintf(name, sizeof(name), "%.16s", b->name);
	printf("    %-6s", safe_name(name));
	for (i = 0; i < count; i++)
		print_component(b, val[i]);
}

/* Registers with unknown or zero values are not printed. */
static bool is_dull(const struct vshader_dump *d, const struct drm_vshader_debug_bank *b,
		    uint32_t inv, uint32_t n, bool all)
{
	uint32_t val[16], i, count = vshader_dump_register(d, inv, b->first + n, val);

	for (i = 0; i < count && !all; i++) {
		if (val[i])
			return false;
	}
	return !all || !count;
}

static void print_bank(const struct vshader_dump *d, const struct drm_vshader_debug_bank *b,
		       uint32_t inv, bool all)
{
	uint32_t n, column = 0;

	for (n = 0; n < b->count; n++) {
		if (is_dull(d, b, inv, n, all))
			continue;
		print_register(d, b, inv, n);
		/* registers of one word side by side */
		if (b->components == 1 && ++column % 4)
			continue;
		putchar('\n');
	}
	if (column % 4)
		putchar('\n');
}

static void print_banks(const struct vshader_dump *d, uint32_t inv, bool uniform, bool all)
{
	uint32_t i;

	for (i = 0; i < d->num_banks; i++) {
		const struct drm_vshader_debug_bank *b = &d->banks[i];

		if (!(b->flags & DRM_VSHADER_DEBUG_BANK_UNIFORM) == uniform ||
		    (b->flags & DRM_VSHADER_DEBUG_BANK_MINOR && !all))
			continue;
		print_bank(d, b, inv, all && !uniform);
	}
}

static bool shown(const struct vshader_dump *d, const struct dump_options *opt, uint32_t i,
		  uint32_t *left)
{
	uint64_t number = d->invocations[i].invocation;

	if (opt->has_invocation)
		return number == opt->invocation;
	if (opt->all || number == d->job.fault.invocation)
		return true;
	if (d->invocations[i].state != DRM_VSHADER_DEBUG_INV_CURRENT || !*left)
		return false;
	(*left)--;
	return true;
}

static void print_invocation(const struct vshader_dump *d, uint32_t i, bool minor)
{
	static const char * const states[] = { "executes", "ready", "waits" };
	const struct drm_vshader_debug_invocation *v = &d->invocations[i];

	printf("%s invocation %llu: pc %#x, %s, group %u, lane %u, depth %u%s\n",
	       v->invocation == d->job.fault.invocation ? "=>" : "  ", v->invocation,
	       v->pc, v->state < 3 ? states[v->state] : "?", v->group, v->lane, v->depth,
	       v->flags & DRM_VSHADER_DEBUG_INV_HELPER ? ", helper" : "");
	print_banks(d, i, false, minor);
}

static void print_invocations(const struct vshader_dump *d, const struct dump_options *opt)
{
	uint32_t i, left = MOST_INVS, n = 0;

	if (!d->num_invocations)
		return;
	printf("\nregisters  of %u invocations%s\n", d->num_invocations, d->exact ? "" :
	       "; optimised code: dead values may be stale");
	for (i = 0; i < d->num_invocations; i++) {
		if (!shown(d, opt, i, &left))
			continue;
		print_invocation(d, i, opt->all);
		n++;
	}
	if (n < d->num_invocations && !opt->has_invocation)
		printf("   (%u more with --all)\n", d->num_invocations - n);
	if (opt->all) {
		printf("   the same for all\n");
		print_banks(d, 0, true, true);
	}
}

/* ---- memory ---- */

static uint64_t bytes_in(const struct vshader_dump *d, const struct drm_vshader_dump_mapping *m)
{
	uint64_t at = 0, va, len, n = 0;

	while (vshader_dump_run(d, DRM_VSHADER_DUMP_MEMORY, &at, &va, &len)) {
		if (va >= m->va && va - m->va < m->size)
			n += len;
	}
	return n;
}

static void print_map(const struct vshader_dump *d)
{
	bool cut = d->part[DRM_VSHADER_DUMP_MEMORY].flags & DRM_VSHADER_DUMP_TRUNCATED;
	uint32_t i;

	printf("\nmemory     %u mappings%s\n", d->num_mappings,
	       cut ? "; there was more in them than the dump has" : "");
	for (i = 0; i < d->num_mappings; i++) {
		const struct drm_vshader_dump_mapping *m = &d->mappings[i];
		bool here = d->job.fault.kind && d->job.fault.address >= m->va &&
			    d->job.fault.address - m->va < m->size;

		printf("%s %012llx-%012llx r%c%c %10llu bytes, %llu in pages that are not zero\n",
		       here ? "=>" : "  ", m->va, m->va + m->size,
		       m->flags & DRM_VSHADER_VM_BIND_READONLY ? '-' : 'w',
		       m->flags & DRM_VSHADER_VM_BIND_NOEXEC ? '-' : 'x', m->size,
		       (unsigned long long)bytes_in(d, m));
	}
}

static void print_row(uint64_t va, const uint8_t *p, uint64_t n)
{
	uint64_t i;

	printf("   %012llx:", (unsigned long long)va);
	for (i = 0; i < n; i++)
		printf("%s%02x", i % 4 ? "" : " ", p[i]);
	putchar('\n');
}

static void print_memory(const struct vshader_dump *d)
{
	uint64_t at = 0, va, len, i;
	const uint8_t *p;

	putchar('\n');
	while ((p = vshader_dump_run(d, DRM_VSHADER_DUMP_MEMORY, &at, &va, &len))) {
		for (i = 0; i < len; i += 16) {
			static const uint8_t zeros[16];
			uint64_t n = len - i < 16 ? len - i : 16;

			if (memcmp(p + i, zeros, n))
				print_row(va + i, p + i, n);
		}
	}
}

void dump_print(const struct vshader_dump *d, const struct dump_options *opt)
{
	print_head(d);
	print_fault(d);
	print_code(d, opt->all);
	if (cli_isa_of(d->queue.engine)->dump_states)
		cli_isa_of(d->queue.engine)->dump_states(d);
	print_invocations(d, opt);
	print_map(d);
	if (opt->memory)
		print_memory(d);
}
