// SPDX-License-Identifier: GPL-2.0
/* Calls the validating files of Linux's vc4 driver. */
#include <setjmp.h>
#include <signal.h>

#include "vc4_drv.h"
#include "lx.h"

#define MAX_BOS		64
#define MAX_STATES	4096
#define SHADER_ROOM	64

lx_validate_shader lx_shader_validate;
lx_shader_done lx_shader_free;
lx_validate_job lx_job_validate;

static sigjmp_buf oops;
static struct vc4_bo rcl_bo;
static void *slot_memory;

int vc4_v3d_get_bin_slot(struct vc4_dev *vc4)
{
	return 0;
}

struct vc4_bo *vc4_bo_create(struct drm_device *dev, size_t size, bool from_cache, int type)
{
	free(rcl_bo.base.vaddr);
	rcl_bo = (struct vc4_bo){ .base.base.size = size, .base.vaddr = malloc(size) };
	return rcl_bo.base.vaddr ? &rcl_bo : NULL;
}

int lx_shader_validate(uint64_t *words, uint32_t bytes, struct lx_shader *out)
{
	struct vc4_dev vc4 = {};
	struct drm_gem_dma_object bo = { .base = { .dev = &vc4.base, .size = bytes },
					 .vaddr = words };
	struct vc4_validated_shader_info *s = vc4_validate_shader(&bo);

	memset(out, 0, sizeof(*out));
	if (!s)
		return -EINVAL;
	out->own = s;
	out->uniform_bytes = s->uniforms_size;
	out->nlookups = s->num_texture_samples;
	out->nresets = s->num_uniform_addr_offsets;
	out->threaded = s->is_threaded;
	out->reset = s->uniform_addr_offsets;
	out->lookup = calloc(out->nlookups + 1, sizeof(*out->lookup));
	for (uint32_t i = 0; i < out->nlookups; i++) {
		memcpy(out->lookup[i].p, s->texture_samples[i].p_offset, 16);
		out->lookup[i].direct = s->texture_samples[i].is_direct;
	}
	return 0;
}

void lx_shader_free(struct lx_shader *out)
{
	struct vc4_validated_shader_info *s = out->own;

	if (!s)
		return;
	free(s->texture_samples);
	free(s->uniform_addr_offsets);
	free(s);
	free(out->lookup);
	memset(out, 0, sizeof(*out));
}

void lx_oops(void)
{
	siglongjmp(oops, 1);
}

static void on_fault(int number)
{
	lx_oops();
}

static int validate(struct lx_job *j, struct vc4_exec_info *exec, struct vc4_dev *vc4)
{
	int ret = 0;

	j->step = 0;
	if (exec->args->bin_cl_size)
		ret = vc4_validate_bin_cl(&vc4->base, j->out, j->list, exec);
	if (ret)
		return ret;
	j->step = 1;
	if (exec->args->bin_cl_size)
		ret = vc4_validate_shader_recs(&vc4->base, exec);
	if (ret)
		return ret;
	j->step = 2;
	return vc4_get_rcl(&vc4->base, exec);
}

int lx_job_validate(struct lx_job *j)
{
	static struct vc4_shader_state states[MAX_STATES];
	struct drm_gem_dma_object *table[MAX_BOS + 1];
	static struct vc4_bo bos[MAX_BOS + 1];
	struct drm_vc4_submit_cl *args = j->args;
	struct sigaction action = { .sa_handler = on_fault, .sa_flags = SA_NODEFER };
	struct vc4_bo bin = {}, out = {};
	struct vc4_dev vc4 = { .bin_alloc_size = j->slot_bytes, .bin_bo = &bin };
	uint32_t records = roundup(args->bin_cl_size, 16);
	uint32_t uniforms = records + args->shader_rec_size;
	struct vc4_exec_info exec = {
		.dev = &vc4, .args = args, .bo = table, .bo_count = j->nbos, .exec_bo = &out.base,
		.shader_state = states, .shader_state_size = args->shader_rec_count,
		.ct0ca = j->va, .bin_u = j->list, .shader_rec_u = j->records,
		.shader_rec_v = (char *)j->out + records, .shader_rec_p = j->va + records,
		.shader_rec_size = args->shader_rec_size, .uniforms_u = j->uniforms,
		.uniforms_v = (char *)j->out + uniforms, .uniforms_p = j->va + uniforms,
		.uniforms_size = args->uniforms_size,
	};
	struct sigaction before;
	int ret;

	if (!slot_memory)
		slot_memory = malloc(1 << 20);
	bin.base.vaddr = slot_memory;
	bin.base.dma_addr = j->slot_va;
	out.base.base.dev = &vc4.base;
	for (uint32_t i = 0; i <= j->nbos; i++) {
		bos[i] = (struct vc4_bo){ .base.base.size = j->bo[i].bytes,
					  .base.dma_addr = j->bo[i].va,
					  .write_seqno = j->bo[i].seqno };
		if (j->bo[i].shader)
			bos[i].validated_shader = j->bo[i].shader->own;
		table[i] = &bos[i].base;
	}
	sigaction(SIGSEGV, &action, &before);
	if (sigsetjmp(oops, 0))
		ret = LX_OOPS;
	else
		ret = validate(j, &exec, &vc4);
	sigaction(SIGSEGV, &before, NULL);
	j->start = exec.ct0ca;
	j->end = exec.ct0ea;
	j->tile_lists = exec.tile_alloc_offset;
	j->bin_seqno = exec.bin_dep_seqno;
	j->tiles_x = exec.bin_tiles_x;
	j->tiles_y = exec.bin_tiles_y;
	j->rcl = rcl_bo.base.vaddr;
	j->rcl_bytes = exec.ct1ea - exec.ct1ca;
	return ret;
}
