// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Device core dumps: text, one per device until it is read or expires, for root only.
 * Made when the job is freed, long after its fence has signalled, so that memory may be
 * allocated; the job still has everything that it ran with.
 */
#include <linux/devcoredump.h>
#include <linux/kernel.h>
#include <linux/sizes.h>
#include <linux/vmalloc.h>

#include "vshader_device.h"
#include "vshader_dump.h"
#include "vshader_fault.h"
#include "vshader_job.h"
#include "vshader_program.h"
#include "vshader_qpu.h"
#include "vshader_queue.h"
#include "vshader_vm.h"

#define DUMP_SIZE	SZ_64K
#define LINE		128
#define CONTEXT		16	/* instructions shown before and after the one at fault */
#define MOST_MAPPINGS	512

struct dump {
	char *buf;
	size_t len;
};

static void __printf(2, 3) dump_printf(struct dump *d, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	d->len += vscnprintf(d->buf + d->len, DUMP_SIZE - d->len, fmt, args);
	va_end(args);
}

static void dump_fault(struct dump *d, const struct vshader_job *job)
{
	const struct drm_vshader_fault *f = &job->fault;
	const struct vshader_queue *q = job->queue;

	dump_printf(d, "vshader fault\n");
	dump_printf(d, "engine: %s\nprocess: %s [%d]\n", q->isa->name, q->comm, q->pid);
	dump_printf(d, "job: %llu\nkind: %s (%u)\nstatus: %d\n", job->number,
		    vshader_fault_name(f->kind), f->kind, job->status);
	dump_printf(d, "pc: 0x%x\naddress: 0x%llx\nsize: %u\nstream: %d\n", f->pc, f->address,
		    f->size, (int)f->stream);
	dump_printf(d, "invocation: %llu\nactive: 0x%016llx\ndraw: %u\ndepth: %u\ninfo: 0x%x\n",
		    f->invocation, f->active, f->draw, f->depth, f->info);
	dump_printf(d, "budget: %llu\nweight: %llu\ntime_limit_ms: %u\nbusy_ns: %llu\n", q->budget,
		    job->engine ? vs_job_weight(job->engine) : 0, q->time_limit_ms,
		    (u64)atomic64_read(&job->busy_ns));
}

static void dump_insn(struct dump *d, const struct vs_program *p, u32 i, bool here)
{
	const u32 *words = p->src.words[VS_SECTION_CODE];
	char line[LINE];

	if (p->isa->disasm(&p->src, i, line, sizeof(line)) < 0)
		snprintf(line, sizeof(line), "?");
	if (p->isa->word_bytes == 8)
		dump_printf(d, "%c %04x: %08x %08x %s\n", here ? '>' : ' ', i, words[2 * i],
			    words[2 * i + 1], line);
	else
		dump_printf(d, "%c %04x: %08x %s\n", here ? '>' : ' ', i, words[i], line);
}

static void dump_program(struct dump *d, const struct vshader_job *job)
{
	const struct vs_program *p = job->prog ? job->prog->vs : NULL;
	u32 i, first, last, pc = job->fault.pc, n;

	if (!p)
		return;
	dump_printf(d, "program: stage %u, %u words, hash %016llx\n", p->src.stage,
		    p->src.nwords[VS_SECTION_CODE], p->hash);
	n = p->src.nwords[VS_SECTION_CODE] / (p->isa->word_bytes / 4);
	pc /= p->isa->pc_unit;
	if (pc >= n)
		return;
	first = pc > CONTEXT ? pc - CONTEXT : 0;
	last = min(pc + CONTEXT, n - 1);
	for (i = first; i <= last; i++)
		dump_insn(d, p, i, i == pc);
}

static void dump_qpus(struct dump *d, const struct vshader_job *job)
{
	struct vshader_qpu_states qpus;
	u32 i;

	vshader_qpu_get_states(job, &qpus);
	for (i = 0; i < qpus.n; i++) {
		const struct drm_vshader_qpu_state *s = &qpus.s[i];

		if (s->wait == DRM_VSHADER_QPU_WAIT_IDLE)
			continue;
		dump_printf(d, "qpu %u: thread %u, pc 0x%x, %llu instructions, %s %u\n", i,
			    s->thread, s->pc, s->insns, vshader_qpu_wait_name(s->wait), s->info);
	}
}

static void dump_native(struct dump *d, const struct vshader_job *job)
{
	const struct drm_vshader_native_job *n = &job->native_desc;

	if (!job->native)
		return;
	dump_printf(d, "native: format %u, list 0x%llx + 0x%llx, output 0x%llx + 0x%llx\n",
		    n->format, n->va, n->size, n->output_va, n->output_size);
}

static void dump_map(struct dump *d, const struct vshader_map *map)
{
	u32 i;

	dump_printf(d, "mappings: %u\n", map->ext.n);
	for (i = 0; i < map->ext.n && i < MOST_MAPPINGS; i++) {
		const struct vshader_extent *e = &map->ext.e[i];

		dump_printf(d, "0x%012llx-0x%012llx r%c%c offset 0x%llx\n", e->va,
			    e->va + e->size, e->flags & VS_EXT_WRITE ? 'w' : '-',
			    e->flags & VS_EXT_EXEC ? 'x' : '-', e->off);
	}
}

void vshader_dump(struct vshader_job *job)
{
	struct dump d = {};

	if (job->fault.kind == DRM_VSHADER_FAULT_NONE ||
	    job->fault.kind == DRM_VSHADER_FAULT_CANCELED)
		return;
	d.buf = __vmalloc(DUMP_SIZE, GFP_KERNEL | __GFP_NOWARN);
	if (!d.buf)
		return;
	dump_fault(&d, job);
	dump_qpus(&d, job);
	dump_program(&d, job);
	dump_native(&d, job);
	dump_map(&d, job->map);
	/* takes the buffer over */
	dev_coredumpv(job->queue->file->vdev->drm.dev, d.buf, d.len, GFP_KERNEL);
}
