// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The table of families, and checks that several families make.
 */
#include "families/family.h"

#define VS_ISA(NAME, number, isa, family) [number] = &(family),
static const struct vshader_family *const families[VS_MAX_ISAS] = {
#include "isa/isas.def"
};

/**
 * vshader_family_of - family of an ISA
 * @isa: ISA
 *
 * Return: the family.
 */
const struct vshader_family *vshader_family_of(const struct vs_isa *isa)
{
	return families[isa->id];
}

int vshader_shader_make(const struct vshader_shader *s, const struct drm_vshader_shader_job *d,
			void **work)
{
	if (d->pad)
		return s->ops->fail(s, EINVAL, "%s job: pad is not 0", s->family->name);
	if (!d->engine_block && !d->engine_block_size)
		return 0;
	return s->family->make(s, d, work);
}

/**
 * vshader_shader_check_va - check that a range can be in the address space
 * @s: job
 * @va: address
 * @size: bytes
 * @what: name of the field
 *
 * Return: 0 or -EINVAL.
 */
int vshader_shader_check_va(const struct vshader_shader *s, u64 va, u64 size, const char *what)
{
	if (va < s->va_limit && size <= s->va_limit - va)
		return 0;
	return s->ops->fail(s, EINVAL,
			    "%s: %#llx (%llu bytes) is no address of a %u-bit address space", what,
			    (unsigned long long)va, (unsigned long long)size, s->isa->va_bits);
}

/**
 * vshader_shader_block - copy the engine block
 * @s: job
 * @d: its descriptor
 * @block: copy, of the family's size
 * @min_size: size in version 1.0 of the uAPI
 *
 * Return: 0 or an error.
 */
int vshader_shader_block(const struct vshader_shader *s, const struct drm_vshader_shader_job *d,
			 void *block, size_t min_size)
{
	return s->ops->copy_struct(block, s->family->block_size, d->engine_block,
				   d->engine_block_size, min_size, s->family->block_name);
}

/**
 * vshader_shader_array - copy an array of structures
 * @s: job
 * @a: array
 * @max: most elements
 * @size: bytes of an element
 * @min_size: the same in version 1.0 of the uAPI
 * @what: name of the array
 * @out: copy for vs_free(), NULL if the array is empty
 *
 * Return: 0, -E2BIG, -ENOMEM or an error of copying.
 */
int vshader_shader_array(const struct vshader_shader *s, const struct drm_vshader_obj_array *a,
			 u32 max, size_t size, size_t min_size, const char *what, void **out)
{
	int ret = 0;
	u8 *copy;
	u32 i;

	*out = NULL;
	if (!a->count)
		return 0;
	if (a->count > max)
		return s->ops->fail(s, E2BIG, "%u elements of %s, the limit is %u", a->count, what,
				    max);
	copy = vs_zalloc_array(a->count, size);
	if (!copy)
		return s->ops->fail(s, ENOMEM, "out of memory");
	for (i = 0; i < a->count && !ret; i++)
		ret = s->ops->copy_struct(copy + i * size, size, a->array + (u64)i * a->stride,
					  a->stride, min_size, what);
	if (ret)
		vs_free(copy);
	else
		*out = copy;
	return ret;
}

/**
 * vshader_shader_refused - report the error of a constructor
 * @s: job
 * @err: 0 or a negative error
 * @what: with -EINVAL: name of the invalid field
 *
 * Return: @err.
 */
int vshader_shader_refused(const struct vshader_shader *s, int err, const char *what)
{
	const char *name = s->family->name;

	switch (err) {
	case 0:
		return 0;
	case -EINVAL:
		if (!strcmp(what, "entry") || !strcmp(what, "threads.pc"))
			return s->ops->fail(s, EINVAL,
				"%s job: %s is not valid: the program was not created with this entry point",
				name, what);
		return s->ops->fail(s, EINVAL, "%s job: %s is not valid", name, what);
	case -E2BIG:
		return s->ops->fail(s, E2BIG, "%s job: it needs more memory than a job may have",
				    name);
	case -ENOMEM:
		return s->ops->fail(s, ENOMEM, "%s job: out of memory", name);
	default:
		return s->ops->fail(s, -err, "%s job: error %d", name, -err);
	}
}
