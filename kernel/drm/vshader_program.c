// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Programs: words are copied, verified once, lowered and kept immutable.
 */
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "vshader_args.h"
#include "vshader_device.h"
#include "vshader_program.h"
#include "vshader_trace.h"

struct vshader_program *vshader_program_lookup(struct vshader_file *vf, u32 id)
{
	struct vshader_program *prog;

	xa_lock(&vf->programs);
	prog = xa_load(&vf->programs, id);
	if (prog)
		kref_get(&prog->ref);
	xa_unlock(&vf->programs);
	return prog;
}

static void program_release(struct kref *ref)
{
	struct vshader_program *prog = container_of(ref, struct vshader_program, ref);

	if (prog->vs)
		vs_program_destroy(prog->vs);
	if (prog->acct)
		vshader_quota_uncharge(prog->acct, prog->memory);
	kfree(prog);
}

void vshader_program_put(struct vshader_program *prog)
{
	if (prog)
		kref_put(&prog->ref, program_release);
}

/* One section's words; @src takes them over. */
static int program_copy_section(const struct drm_device *drm,
				const struct drm_vshader_program_section *s, struct vs_src *src)
{
	u32 *words;

	if (s->type >= VS_NUM_SECTIONS || s->pad)
		return vshader_einval(drm, "section: type %u, limit %u, pad %u", s->type,
				      VS_NUM_SECTIONS, s->pad);
	if (src->words[s->type])
		return vshader_einval(drm, "section: type %u is given twice", s->type);
	if (s->size > VSHADER_MAX_CODE_SIZE)
		return -E2BIG;
	if (!s->size || s->size % sizeof(u32))
		return vshader_einval(drm, "section: type %u: size %llu, expected a multiple of 4",
				      s->type, s->size);
	words = vshader_copy_words(s->data, s->size / sizeof(u32));
	if (IS_ERR(words))
		return PTR_ERR(words);
	src->words[s->type] = words;
	src->nwords[s->type] = s->size / sizeof(u32);
	return 0;
}

static int program_copy_sections(const struct drm_device *drm,
				 const struct drm_vshader_obj_array *array, struct vs_src *src)
{
	struct drm_vshader_program_section *sections;
	int ret;
	u32 i;

	if (array->count > VS_NUM_SECTIONS)
		return vshader_einval(drm, "%u sections, limit %u", array->count, VS_NUM_SECTIONS);
	sections = VSHADER_COPY_ARRAY(drm, array, VS_NUM_SECTIONS,
				      struct drm_vshader_program_section, size, NULL);
	if (IS_ERR(sections))
		return PTR_ERR(sections);
	for (i = 0; i < array->count; i++) {
		ret = program_copy_section(drm, &sections[i], src);
		if (ret)
			goto out_free;
	}
	ret = src->words[VS_SECTION_CODE] ? 0 : vshader_einval(drm, "no section of code");
out_free:
	kvfree(sections);
	return ret;
}

static int program_copy_src(const struct drm_device *drm,
			    const struct drm_vshader_program_create *args, struct vs_src *src)
{
	u32 *entries;
	int ret;

	ret = program_copy_sections(drm, &args->sections, src);
	if (ret)
		return ret;
	if (!args->num_entries)
		return vshader_einval(drm, "num_entries is 0");
	if (args->num_entries > VSHADER_MAX_ENTRIES)
		return -E2BIG;
	entries = vshader_copy_words(args->entries, args->num_entries);
	if (IS_ERR(entries))
		return PTR_ERR(entries);
	src->entries = entries;
	src->nentries = args->num_entries;
	src->stage = args->stage;
	return 0;
}

static void program_free_src(struct vs_src *src)
{
	u32 i;

	for (i = 0; i < VS_NUM_SECTIONS; i++)
		kvfree(src->words[i]);
	kvfree(src->entries);
}

static u64 program_memory(const struct vs_program *p)
{
	u64 bytes = sizeof(struct vshader_program) + sizeof(*p);
	u32 i;

	if (p->prog)
		bytes += p->prog->bytes;
	for (i = 0; i < VS_NUM_SECTIONS; i++)
		bytes += p->src.nwords[i] * sizeof(u32);
	return bytes + p->src.nentries * sizeof(u32);
}

static int program_charge(struct vshader_account *acct, struct vshader_program *prog)
{
	int ret;

	prog->memory = program_memory(prog->vs);
	ret = vshader_quota_charge(acct, prog->memory);
	if (ret)
		return ret;
	prog->acct = acct;
	return 0;
}

static void fill_reject(const struct vs_reject *rej, struct drm_vshader_reject *out)
{
	memset(out, 0, sizeof(*out));
	out->reason = rej->reason;
	out->section = rej->section;
	out->offset = rej->offset;
	out->field_lo = rej->field_lo;
	out->field_hi = rej->field_hi;
	out->value = rej->value;
	out->limit = rej->limit;
}

static int log_init(const struct drm_vshader_program_create *args, struct vs_log *log)
{
	if (!args->log || !args->log_size)
		return 0;
	log->size = min(args->log_size, VSHADER_MAX_LOG);
	log->buf = kvzalloc(log->size, GFP_KERNEL_ACCOUNT);
	return log->buf ? 0 : -ENOMEM;
}

static int log_copy(const struct drm_vshader_program_create *args, const struct vs_log *log,
		    u32 *written)
{
	u32 len;

	*written = 0;
	if (!log->buf)
		return 0;
	len = strnlen(log->buf, log->size - 1) + 1;
	if (copy_to_user(u64_to_user_ptr(args->log), log->buf, len))
		return -EFAULT;
	*written = len;
	return 0;
}

/* Verify and lower; whatever comes of it, the log goes to userspace. */
static int program_build(struct drm_vshader_program_create *args, const struct vs_isa *isa,
			 const struct vs_src *src, struct vshader_program *prog)
{
	struct vs_reject rej = {};
	struct vs_log log = {};
	u32 written;
	int ret;

	ret = log_init(args, &log);
	if (ret)
		return ret;
	ret = vs_program_create(isa, src, &rej, &log, &prog->vs);
	if (!ret || ret == -ENOEXEC) {
		fill_reject(&rej, &args->reject);
		if (log_copy(args, &log, &written))
			ret = -EFAULT;
		else
			args->log_size = written;
	}
	kvfree(log.buf);
	return ret;
}

static int program_add(struct vshader_file *vf, struct drm_vshader_program_create *args,
		       const struct vs_isa *isa, const struct vs_src *src)
{
	struct vshader_program *prog = kzalloc(sizeof(*prog), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!prog)
		return -ENOMEM;
	kref_init(&prog->ref);
	ret = program_build(args, isa, src, prog);
	if (ret)
		goto err_put;
	ret = program_charge(vf->account, prog);
	if (ret)
		goto err_put;
	ret = vshader_id_alloc(&vf->programs, prog, &args->id);
	if (ret)
		goto err_put;
	trace_vshader_program_create(args->engine, args->stage, src, args->id, 0);
	return 0;

err_put:
	trace_vshader_program_create(args->engine, args->stage, src, 0, ret);
	vshader_program_put(prog);
	return ret;
}

/**
 * vshader_program_create - DRM_IOCTL_VSHADER_PROGRAM_CREATE
 * @file: DRM file
 * @args: arguments
 *
 * Return: 0 or an error.
 */
int vshader_program_create(struct drm_file *file, struct drm_vshader_program_create *args)
{
	const struct vs_isa *isa = vs_isa_by_id(args->engine);
	const struct drm_device *drm = file->minor->dev;
	struct vs_src src = {};
	int ret;

	if (args->flags || !isa)
		return vshader_einval(drm, "flags %#x, expected 0, or unknown engine %u",
				      args->flags, args->engine);
	if (args->stage >= 32 || !(isa->stage_mask & BIT(args->stage)))
		return vshader_einval(drm, "stage %u, engine %u has %#x", args->stage,
				      args->engine, isa->stage_mask);
	ret = program_copy_src(drm, args, &src);
	if (ret)
		goto out_free;
	ret = program_add(file->driver_priv, args, isa, &src);
out_free:
	program_free_src(&src);
	return ret;
}

/**
 * vshader_program_destroy - DRM_IOCTL_VSHADER_PROGRAM_DESTROY
 * @file: DRM file
 * @args: arguments
 *
 * Return: 0 or an error.
 */
int vshader_program_destroy(struct drm_file *file, struct drm_vshader_program_destroy *args)
{
	struct vshader_file *vf = file->driver_priv;
	struct vshader_program *prog;

	if (args->pad)
		return vshader_einval(&vf->vdev->drm, "pad %u, expected 0", args->pad);
	prog = xa_erase(&vf->programs, args->id);
	if (!prog)
		return -ENOENT;
	vshader_program_put(prog);
	return 0;
}

/**
 * vshader_program_query - DRM_IOCTL_VSHADER_PROGRAM_QUERY
 * @file: DRM file
 * @args: arguments
 *
 * Return: 0 or an error.
 */
int vshader_program_query(struct drm_file *file, struct drm_vshader_program_query *args)
{
	struct vshader_program *prog = vshader_program_lookup(file->driver_priv, args->id);
	struct drm_vshader_program_info info = {};
	const struct vs_report *rep;
	int ret;

	if (!prog)
		return -ENOENT;
	rep = &prog->vs->report;
	info.engine = prog->vs->isa->id;
	info.stage = prog->vs->src.stage;
	info.features = rep->features;
	info.code_words = rep->code_words;
	info.reachable_words = rep->reachable_words;
	if (prog->vs->prog) {
		info.uops = prog->vs->prog->nuops;
		info.slots = prog->vs->prog->nslots;
	}
	info.inputs = rep->inputs;
	info.outputs = rep->outputs;
	info.temps = rep->temps;
	info.uniform_rows = rep->uniform_rows;
	info.const_bools = rep->const_bools;
	info.const_ints = rep->const_ints;
	info.memory = prog->memory;
	ret = vshader_copy_answer(args->pointer, &args->size, &info, sizeof(info));
	vshader_program_put(prog);
	return ret;
}
