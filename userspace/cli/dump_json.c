// SPDX-License-Identifier: MIT
/*
 * Dumps as JSON.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "dump.h"
#include "jobfile_json.h"

static void add(struct json_object *list, struct json_object *o)
{
	if (!o || json_object_array_add(list, o))
		abort();
}

static struct json_object *object(struct json_object *list)
{
	struct json_object *o = json_object_new_object();

	add(list, o);
	return o;
}

static void add_fault(struct json_object *root, const struct vshader_dump *d)
{
	const struct drm_vshader_fault *f = &d->job.fault;
	struct json_object *o;
	char text[1024];

	if (!f->kind)
		return;
	o = js_object(root, "fault");
	js_str(o, "kind", vshader_fault_name(f->kind));
	js_str(o, "text", jf_fault_text(f, d->job.type == DRM_VSHADER_JOB_NATIVE, text,
					sizeof(text)));
	js_int(o, "address", f->address);
	js_int(o, "pc", f->pc);
	js_int(o, "size", f->size);
	js_int(o, "code", f->code);
	js_int(o, "invocation", f->invocation);
	js_int(o, "active", f->active);
	js_int(o, "draw", f->draw);
	js_int(o, "stream", f->stream);
	js_int(o, "depth", f->depth);
	js_int(o, "info", f->info);
}

static void add_code(struct json_object *root, const struct vshader_dump *d)
{
	struct dbg_code *c = dump_code(d);
	struct json_object *list, *o;
	uint32_t i;

	if (!c)
		return;
	js_int(root, "code_va", d->job.code_va);
	list = js_array(root, "code");
	for (i = 0; i < c->num_insns; i++) {
		o = object(list);
		js_int(o, "pc", c->insns[i].pc);
		js_str(o, "text", c->insns[i].text);
		if (c->insns[i].pc == d->job.fault.pc)
			js_bool(o, "fault", true);
	}
	dbg_code_free(c);
}

/* Values of the registers of a bank; null: not known. */
static void add_bank(struct json_object *regs, const struct vshader_dump *d, uint32_t inv,
		     const struct drm_vshader_debug_bank *b)
{
	uint32_t val[16], n, i, count;
	struct json_object *list;
	char name[32];

	for (n = 0; n < b->count; n++) {
		if (b->count > 1)
			snprintf(name, sizeof(name), "%s%u", b->name, b->name_base + n);
		else
			snprintf(name, sizeof(name), "%s", b->name);
		count = vshader_dump_register(d, inv, b->first + n, val);
		if (!count) {
			json_object_object_add(regs, name, NULL);
			continue;
		}
		list = js_array(regs, name);
		for (i = 0; i < count; i++)
			add(list, json_object_new_int64(val[i]));
	}
}

static void add_registers(struct json_object *root, const struct vshader_dump *d)
{
	struct json_object *list, *o, *regs;
	uint32_t i, k;

	if (!d->num_invocations)
		return;
	js_bool(root, "exact", d->exact);
	regs = js_object(root, "uniforms");
	for (k = 0; k < d->num_banks; k++) {
		if (d->banks[k].flags & DRM_VSHADER_DEBUG_BANK_UNIFORM)
			add_bank(regs, d, 0, &d->banks[k]);
	}
	list = js_array(root, "invocations");
	for (i = 0; i < d->num_invocations; i++) {
		o = object(list);
		js_int(o, "invocation", d->invocations[i].invocation);
		js_int(o, "pc", d->invocations[i].pc);
		js_int(o, "state", d->invocations[i].state);
		js_int(o, "group", d->invocations[i].group);
		js_int(o, "lane", d->invocations[i].lane);
		regs = js_object(o, "registers");
		for (k = 0; k < d->num_banks; k++) {
			if (!(d->banks[k].flags & DRM_VSHADER_DEBUG_BANK_UNIFORM))
				add_bank(regs, d, i, &d->banks[k]);
		}
	}
}

static void add_map(struct json_object *root, const struct vshader_dump *d)
{
	struct json_object *list = js_array(root, "mappings"), *o;
	uint64_t at = 0, va, len;
	uint32_t i;

	for (i = 0; i < d->num_mappings; i++) {
		const struct drm_vshader_dump_mapping *m = &d->mappings[i];

		o = object(list);
		js_int(o, "va", m->va);
		js_int(o, "size", m->size);
		js_bool(o, "readonly", m->flags & DRM_VSHADER_VM_BIND_READONLY);
		js_bool(o, "noexec", m->flags & DRM_VSHADER_VM_BIND_NOEXEC);
	}
	js_bool(root, "truncated", d->part[DRM_VSHADER_DUMP_MEMORY].flags &
		DRM_VSHADER_DUMP_TRUNCATED);
	list = js_array(root, "memory");
	while (vshader_dump_run(d, DRM_VSHADER_DUMP_MEMORY, &at, &va, &len)) {
		o = object(list);
		js_int(o, "va", va);
		js_int(o, "size", len);
	}
}

struct json_object *dump_json(const struct vshader_dump *d)
{
	struct json_object *root = json_object_new_object();

	if (!root)
		abort();
	js_str(root, "device", d->device.name);
	js_bool(root, "in_process", d->device.in_process);
	js_str(root, "engine", vshader_engine_name(d->queue.engine));
	js_str(root, "process", d->queue.comm);
	js_int(root, "pid", d->queue.pid);
	js_int(root, "job", d->job.number);
	js_str(root, "type", d->job.type == DRM_VSHADER_JOB_NATIVE ? "native" : "shader");
	json_object_object_add(root, "status", json_object_new_int(d->job.status));
	js_int(root, "completed", d->job.invocations);
	js_int(root, "weight", d->job.weight);
	js_int(root, "busy_ns", d->job.busy_ns);
	add_fault(root, d);
	add_code(root, d);
	add_registers(root, d);
	add_map(root, d);
	return root;
}
