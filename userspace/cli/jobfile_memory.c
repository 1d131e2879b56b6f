// SPDX-License-Identifier: MIT
/*
 * Address spaces, memory regions and guest addresses of job files.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "jobfile_isa.h"

static uint32_t find_region(const struct vshader_jobfile *jf, const char *name, size_t len)
{
	uint32_t i;

	for (i = 0; i < jf->num_regions; i++) {
		const char *s = jf->regions[i].name;

		if (s && strlen(s) == len && !memcmp(s, name, len))
			return i;
	}
	return JF_NONE;
}

/* Region created by the parser, for inline inputs and for outputs. */
int jf_new_region(struct jf_ctx *c, const char *name, uint32_t vm, uint64_t size, uint32_t *index)
{
	struct vshader_jobfile *jf = c->jf;
	struct jf_region *r;

	if (jf->num_regions == jf->max_regions) {
		uint32_t max = jf->max_regions ? jf->max_regions * 2 : 64;
		struct jf_region *n = jf_alloc(&jf->blocks, max * sizeof(*n));

		if (!n)
			return -ENOMEM;
		if (jf->num_regions)
			memcpy(n, jf->regions, jf->num_regions * sizeof(*n));
		jf->regions = n;
		jf->max_regions = max;
	}
	r = &jf->regions[jf->num_regions];
	r->name = name;
	r->vm = vm;
	r->size = size;
	r->map = true;
	r->exclusive = true;
	*index = jf->num_regions++;
	return 0;
}

int jf_vm_index(struct jf_ctx *c, struct json_object *o, uint32_t *out)
{
	struct vshader_jobfile *jf = c->jf;
	const char *name = NULL;
	size_t mark;
	uint32_t i;
	int ret;

	*out = 0;
	ret = jf_string(c, o, "vm", &name);
	if (ret || !name)
		return ret;
	for (i = 0; i < jf->num_vms; i++) {
		if (jf->vms[i].name && !strcmp(jf->vms[i].name, name)) {
			*out = i;
			return 0;
		}
	}
	mark = jf_enter(c, "vm");
	ret = jf_error(c, "there is no address space \"%.64s\" in \"vms\"", name);
	jf_leave(c, mark);
	return ret;
}

static int parse_vm(struct jf_ctx *c, struct json_object *o, struct jf_vm *vm)
{
	static const char * const keys[] = { "name", "bits", "alloc_start", "comment", NULL };
	uint32_t bits = 32;
	int ret;

	ret = jf_keys(c, o, keys);
	if (!ret)
		ret = jf_require(c, o, "name");
	if (!ret)
		ret = jf_string(c, o, "name", &vm->name);
	if (!ret)
		ret = jf_u32(c, o, "bits", 48, &bits);
	if (!ret && bits != 32 && bits != 48)
		ret = jf_error(c, "\"bits\" is %u, expected 32 or 48", bits);
	if (!ret)
		ret = jf_u64(c, o, "alloc_start", UINT64_MAX, &vm->alloc_start);
	if (bits == 48)
		vm->flags = DRM_VSHADER_VM_48BIT;
	return ret;
}

int jf_parse_vms(struct jf_ctx *c, struct json_object *root)
{
	struct vshader_jobfile *jf = c->jf;
	struct json_object *list;
	size_t i, n, mark, mark2;
	int ret = jf_list(c, root, "vms", 64, &list, &n);

	if (ret)
		return ret;
	jf->num_vms = n ? (uint32_t)n : 1;
	jf->vms = jf_alloc(&jf->blocks, jf->num_vms * sizeof(*jf->vms));
	if (!jf->vms)
		return -ENOMEM;
	if (!n && jf_va_bits(jf->engine) == 48)
		jf->vms[0].flags = DRM_VSHADER_VM_48BIT;
	if (!n)
		jf->vms[0].alloc_start = jf_isa_of(jf->engine)->alloc_start;
	mark = jf_enter(c, "vms");
	for (i = 0; !ret && i < n; i++) {
		mark2 = jf_enter_index(c, i);
		ret = parse_vm(c, json_object_array_get_idx(list, i), &jf->vms[i]);
		if (!ret)
			ret = jf_unique(c, "vms", &jf->vms->name, sizeof(*jf->vms), i);
		jf_leave(c, mark2);
	}
	jf_leave(c, mark);
	return ret;
}

static int parse_region_flags(struct jf_ctx *c, struct json_object *o, struct jf_region *r)
{
	bool readonly = false, noexec = false, no_mmap = false;
	int ret;

	ret = jf_bool(c, o, "readonly", &readonly);
	if (!ret)
		ret = jf_bool(c, o, "noexec", &noexec);
	if (!ret)
		ret = jf_bool(c, o, "no_mmap", &no_mmap);
	if (!ret)
		ret = jf_bool(c, o, "exclusive", &r->exclusive);
	if (!ret)
		ret = jf_bool(c, o, "map", &r->map);
	if (readonly)
		r->bind_flags |= DRM_VSHADER_VM_BIND_READONLY;
	if (noexec)
		r->bind_flags |= DRM_VSHADER_VM_BIND_NOEXEC;
	if (no_mmap)
		r->bo_flags |= DRM_VSHADER_BO_NO_MMAP;
	return ret;
}

static int parse_region(struct jf_ctx *c, struct json_object *o)
{
	static const char * const keys[] = { "name", "va", "size", "vm", "data", "label",
					     "readonly", "noexec", "no_mmap", "exclusive", "map",
					     "comment", NULL };
	struct jf_region r = { .map = true };
	struct json_object *data;
	uint32_t index;
	size_t mark;
	int ret;

	ret = jf_keys(c, o, keys);
	if (!ret)
		ret = jf_string(c, o, "name", &r.name);
	if (!ret)
		ret = jf_string(c, o, "label", &r.label);
	if (!ret)
		ret = jf_u64(c, o, "va", UINT64_MAX, &r.va);
	if (!ret)
		ret = jf_u64(c, o, "size", JF_MAX_REGION, &r.size);
	if (!ret)
		ret = jf_vm_index(c, o, &r.vm);
	if (!ret)
		ret = parse_region_flags(c, o, &r);
	if (ret)
		return ret;
	if (r.name && find_region(c->jf, r.name, strlen(r.name)) != JF_NONE)
		return jf_error(c, "there are two regions \"%.64s\"", r.name);
	data = jf_get(o, "data");
	if (data && r.bo_flags & DRM_VSHADER_BO_NO_MMAP)
		return jf_error(c, "a region with \"no_mmap\" cannot have data");
	if (data) {
		mark = jf_enter(c, "data");
		ret = jf_parse_data(c, data, &r);
		jf_leave(c, mark);
		if (ret)
			return ret;
	}
	if (!r.size)
		return jf_error(c, jf_get(o, "size") ? "\"size\" is 0" :
				"\"size\" is missing and there is no data to tell it");
	ret = jf_new_region(c, r.name, r.vm, r.size, &index);
	if (!ret)
		c->jf->regions[index] = r;
	return ret;
}

static int compare_regions(const void *a, const void *b)
{
	const struct jf_region *x = *(const struct jf_region * const *)a;
	const struct jf_region *y = *(const struct jf_region * const *)b;

	if (x->vm != y->vm)
		return x->vm < y->vm ? -1 : 1;
	return (x->va > y->va) - (x->va < y->va);
}

static const char *region_name(const struct jf_region *r)
{
	return r->name ? r->name : "unnamed";
}

/* The later of two mappings would hide the other one. */
static int check_addresses(struct jf_ctx *c)
{
	const struct vshader_jobfile *jf = c->jf;
	const struct jf_region **list;
	uint32_t i, n = 0;
	int ret = 0;

	list = calloc(jf->num_regions + 1, sizeof(*list));
	if (!list)
		return -ENOMEM;
	for (i = 0; i < jf->num_regions; i++)
		if (jf->regions[i].map && jf->regions[i].va)
			list[n++] = &jf->regions[i];
	qsort(list, n, sizeof(*list), compare_regions);
	for (i = 1; i < n && !ret; i++) {
		const struct jf_region *a = list[i - 1], *b = list[i];

		if (a->vm == b->vm && b->va - a->va < ((a->size + 4095) & ~4095ull))
			ret = jf_error(c, "regions \"%.64s\" and \"%.64s\" overlap at %#llx",
				       region_name(a), region_name(b), (unsigned long long)b->va);
	}
	free(list);
	return ret;
}

static int parse_element(struct jf_ctx *c, struct json_object *o)
{
	return jf_get(o, "image") ? jf_parse_image(c, o) : parse_region(c, o);
}

int jf_parse_regions(struct jf_ctx *c, struct json_object *root)
{
	struct json_object *list;
	size_t i, n, mark, mark2;
	int ret = jf_list(c, root, "memory", JF_MAX_ITEMS, &list, &n);

	mark = jf_enter(c, "memory");
	for (i = 0; !ret && i < n; i++) {
		mark2 = jf_enter_index(c, i);
		ret = parse_element(c, json_object_array_get_idx(list, i));
		jf_leave(c, mark2);
	}
	if (!ret)
		ret = check_addresses(c);
	jf_leave(c, mark);
	return ret ? ret : jf_resolve_regions(c);
}

/* An address: number, or "region", "region+offset". */
int jf_parse_loc(struct jf_ctx *c, struct json_object *v, struct jf_loc *out)
{
	const char *s, *plus, *end;

	out->region = JF_NONE;
	if (!json_object_is_type(v, json_type_string))
		return jf_value_u64(c, v, UINT64_MAX, &out->offset);
	s = json_object_get_string(v);
	if (*s >= '0' && *s <= '9')
		return jf_value_u64(c, v, UINT64_MAX, &out->offset);
	plus = strchr(s, '+');
	out->offset = 0;
	if (plus && (!jf_parse_u64(plus + 1, &end, &out->offset) || *end))
		return jf_error(c, "expected a number after \"+\", got \"%.40s\"", plus + 1);
	out->region = find_region(c->jf, s, plus ? (size_t)(plus - s) : strlen(s));
	if (out->region == JF_NONE)
		return jf_error(c, "there is no region \"%.*s\" in \"memory\"",
				plus ? (int)(plus - s) : 64, s);
	return 0;
}

int jf_get_loc(struct jf_ctx *c, struct json_object *o, const char *key, struct jf_loc *out)
{
	size_t mark;
	int ret;

	mark = jf_enter(c, key);
	ret = jf_parse_loc(c, jf_get(o, key), out);
	jf_leave(c, mark);
	return ret;
}

static int parse_bind(struct jf_ctx *c, struct json_object *o, struct jf_bind *b)
{
	static const char * const keys[] = { "map", "unmap", "va", "offset", "size", "vm",
					     "readonly", "noexec", "comment", NULL };
	bool readonly = false, noexec = false;
	const char *name = NULL;
	struct jf_loc at = { };
	size_t mark;
	int ret;

	ret = jf_keys(c, o, keys);
	if (!ret)
		ret = jf_string(c, o, "map", &name);
	if (!ret && !name == !jf_get(o, "unmap"))
		ret = jf_error(c, "expected either \"map\" or \"unmap\"");
	if (!ret)
		ret = jf_u64(c, o, "size", UINT64_MAX, &b->size);
	if (!ret)
		ret = jf_u64(c, o, "offset", UINT64_MAX, &b->offset);
	if (!ret)
		ret = jf_bool(c, o, "readonly", &readonly);
	if (!ret)
		ret = jf_bool(c, o, "noexec", &noexec);
	if (!ret)
		ret = jf_vm_index(c, o, &b->vm);
	if (ret)
		return ret;
	if (readonly)
		b->flags |= DRM_VSHADER_VM_BIND_READONLY;
	if (noexec)
		b->flags |= DRM_VSHADER_VM_BIND_NOEXEC;
	b->region = JF_NONE;
	if (!name) {
		b->flags |= DRM_VSHADER_VM_BIND_UNMAP;
		ret = jf_get_loc(c, o, "unmap", &b->at);
		if (!ret && !b->size && b->at.region != JF_NONE)
			b->size = c->jf->regions[b->at.region].size;
		return ret;
	}
	b->region = find_region(c->jf, name, strlen(name));
	if (b->region == JF_NONE) {
		mark = jf_enter(c, "map");
		ret = jf_error(c, "there is no region \"%.64s\" in \"memory\"", name);
		jf_leave(c, mark);
		return ret;
	}
	if (!b->size)
		b->size = c->jf->regions[b->region].size;
	at.region = JF_NONE;
	if (!jf_get(o, "va"))
		return jf_error(c, "member \"va\" is missing");
	ret = jf_get_loc(c, o, "va", &at);
	b->at = at;
	return ret;
}

int jf_parse_binds(struct jf_ctx *c, struct json_object *o, struct jf_job *job)
{
	struct json_object *list;
	size_t i, n, mark, mark2;
	int ret = jf_list(c, o, "bind", JF_MAX_ITEMS, &list, &n);

	if (ret || !n)
		return ret;
	job->binds = jf_alloc(&c->jf->blocks, n * sizeof(*job->binds));
	if (!job->binds)
		return -ENOMEM;
	job->num_binds = (uint32_t)n;
	mark = jf_enter(c, "bind");
	for (i = 0; !ret && i < n; i++) {
		mark2 = jf_enter_index(c, i);
		ret = parse_bind(c, json_object_array_get_idx(list, i), &job->binds[i]);
		jf_leave(c, mark2);
	}
	jf_leave(c, mark);
	return ret;
}
