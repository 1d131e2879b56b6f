/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Tracepoints.
 */
#if !defined(VSHADER_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define VSHADER_TRACE_H

#include <linux/tracepoint.h>

struct drm_vshader_vm_bind_op;
struct vs_src;
struct vshader_job;
struct vshader_task;

#undef TRACE_SYSTEM
#define TRACE_SYSTEM vshader
#define TRACE_INCLUDE_FILE vshader_trace

DECLARE_EVENT_CLASS(vshader_job_class,
		    TP_PROTO(const struct vshader_job *job),
		    TP_ARGS(job),
		    TP_STRUCT__entry(__field(u64, client)
				     __field(u64, queue)
				     __field(u64, job)
				     __field(u32, engine)),
		    TP_fast_assign(__entry->client = job->queue->file->client_id;
				   __entry->queue = job->queue->context;
				   __entry->job = job->number;
				   __entry->engine = job->queue->isa->id;),
		    TP_printk("client=%llu queue=%llu job=%llu engine=%u", __entry->client,
			      __entry->queue, __entry->job, __entry->engine));

DEFINE_EVENT(vshader_job_class, vshader_submit,
	     TP_PROTO(const struct vshader_job *job),
	     TP_ARGS(job));

DEFINE_EVENT(vshader_job_class, vshader_job_run,
	     TP_PROTO(const struct vshader_job *job),
	     TP_ARGS(job));

TRACE_EVENT(vshader_slice,
	    TP_PROTO(const struct vshader_task *task, u64 ns, u32 run),
	    TP_ARGS(task, ns, run),
	    TP_STRUCT__entry(__field(u64, queue)
			     __field(u64, job)
			     __field(u64, ns)
			     __field(u32, run)),
	    TP_fast_assign(__entry->queue = vshader_task_job(task)->queue->context;
			   __entry->job = vshader_task_job(task)->number;
			   __entry->ns = ns;
			   __entry->run = run;),
	    TP_printk("queue=%llu job=%llu ns=%llu run=%s", __entry->queue, __entry->job,
		      __entry->ns,
		      __print_symbolic(__entry->run, { 0, "more" }, { 1, "idle" }, { 2, "phase" },
				       { 3, "done" })));

TRACE_EVENT(vshader_job_done,
	    TP_PROTO(const struct vshader_job *job),
	    TP_ARGS(job),
	    TP_STRUCT__entry(__field(u64, queue)
			     __field(u64, job)
			     __field(u64, busy_ns)
			     __field(s32, status)),
	    TP_fast_assign(__entry->queue = job->queue->context;
			   __entry->job = job->number;
			   __entry->busy_ns = atomic64_read(&job->task.busy_ns);
			   __entry->status = job->task.status;),
	    TP_printk("queue=%llu job=%llu busy_ns=%llu status=%d", __entry->queue, __entry->job,
		      __entry->busy_ns, __entry->status));

TRACE_EVENT(vshader_fault,
	    TP_PROTO(const struct vshader_job *job),
	    TP_ARGS(job),
	    TP_STRUCT__entry(__field(u64, queue)
			     __field(u64, job)
			     __field(u64, address)
			     __field(u64, invocation)
			     __field(u32, kind)
			     __field(u32, pc)),
	    TP_fast_assign(__entry->queue = job->queue->context;
			   __entry->job = job->number;
			   __entry->address = job->fault.address;
			   __entry->invocation = job->fault.invocation;
			   __entry->kind = job->fault.kind;
			   __entry->pc = job->fault.pc;),
	    TP_printk("queue=%llu job=%llu kind=%u pc=0x%x address=0x%llx invocation=%llu",
		      __entry->queue, __entry->job, __entry->kind, __entry->pc,
		      __entry->address, __entry->invocation));

TRACE_EVENT(vshader_inject,
	    TP_PROTO(u64 client, u64 queue, u64 job, u32 kind, u64 value),
	    TP_ARGS(client, queue, job, kind, value),
	    TP_STRUCT__entry(__field(u64, client)
			     __field(u64, queue)
			     __field(u64, job)
			     __field(u64, value)
			     __field(u32, kind)),
	    TP_fast_assign(__entry->client = client;
			   __entry->queue = queue;
			   __entry->job = job;
			   __entry->value = value;
			   __entry->kind = kind;),
	    TP_printk("client=%llu queue=%llu job=%llu kind=%s value=0x%llx", __entry->client,
		      __entry->queue, __entry->job,
		      __print_symbolic(__entry->kind, { 0, "fail_submit" }, { 1, "hang_job" },
				       { 2, "fault_page" }, { 3, "delay_completion" },
				       { 4, "lose_completion" }, { 5, "corrupt_buffer" }),
		      __entry->value));

TRACE_EVENT(vshader_bind,
	    TP_PROTO(u32 vm, const struct drm_vshader_vm_bind_op *op),
	    TP_ARGS(vm, op),
	    TP_STRUCT__entry(__field(u32, vm)
			     __field(u32, flags)
			     __field(u32, bo)
			     __field(u64, offset)
			     __field(u64, va)
			     __field(u64, size)),
	    TP_fast_assign(__entry->vm = vm;
			   __entry->flags = op->flags;
			   __entry->bo = op->bo_handle;
			   __entry->offset = op->bo_offset;
			   __entry->va = op->va;
			   __entry->size = op->size;),
	    TP_printk("vm=%u flags=0x%x bo=%u offset=0x%llx va=0x%llx size=0x%llx", __entry->vm,
		      __entry->flags, __entry->bo, __entry->offset, __entry->va,
		      __entry->size));

TRACE_EVENT(vshader_program_create,
	    TP_PROTO(u32 engine, u32 stage, const struct vs_src *src, u32 id, int ret),
	    TP_ARGS(engine, stage, src, id, ret),
	    TP_STRUCT__entry(__field(u32, engine)
			     __field(u32, stage)
			     __field(u32, words)
			     __field(u32, id)
			     __field(int, ret)),
	    TP_fast_assign(__entry->engine = engine;
			   __entry->stage = stage;
			   __entry->words = src->nwords[VS_SECTION_CODE];
			   __entry->id = id;
			   __entry->ret = ret;),
	    TP_printk("engine=%u stage=%u words=%u id=%u ret=%d", __entry->engine,
		      __entry->stage, __entry->words, __entry->id, __entry->ret));

#endif /* VSHADER_TRACE_H */

/* This part must be outside protection. */
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH drm
#include <trace/define_trace.h>
