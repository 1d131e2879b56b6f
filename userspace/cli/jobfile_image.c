// SPDX-License-Identifier: MIT
/*
 * Memory images in job files: regions filled from a driver's dump by address.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "jobfile_json.h"

/* Bytes of a run that are in a region. */
static uint64_t part_of(const struct vshader_image_run *run, const struct jf_region *r,
			uint64_t *lo)
{
	uint64_t hi = run->va + run->size, end = r->va + r->size;

	*lo = run->va > r->va ? run->va : r->va;
	if (hi > end)
		hi = end;
	return hi > *lo ? hi - *lo : 0;
}

/* Runs of the image become pieces of the region: what it has none of needs no memory. */
static int fill(struct jf_ctx *c, const struct vshader_image *img, struct jf_region *r)
{
	const struct vshader_image_run *runs;
	uint32_t i, num, n = 0;
	struct jf_piece *p;
	uint64_t lo, size;

	runs = vshader_image_runs(img, &num);
	for (i = 0; i < num; i++)
		n += part_of(&runs[i], r, &lo) > 0;
	p = jf_alloc(&c->jf->blocks, n * sizeof(*p));
	if (!p)
		return -ENOMEM;
	r->pieces = p;
	r->num_pieces = n;
	for (i = 0; i < num; i++) {
		size = part_of(&runs[i], r, &lo);
		if (!size)
			continue;
		if (size > c->data_left)
			return jf_error(c, "more data than a job file may have");
		c->data_left -= size;
		p->data = jf_alloc(&c->jf->blocks, size);
		if (!p->data)
			return -ENOMEM;
		memcpy(p->data, runs[i].data + (lo - runs[i].va), size);
		p->offset = lo - r->va;
		p->len = size;
		p->repeat = 1;
		p++;
	}
	return 0;
}

static int add_region(struct jf_ctx *c, const struct vshader_image *img,
		      const struct jf_region *r)
{
	uint32_t index;
	int ret;

	ret = jf_new_region(c, r->name, r->vm, r->size, &index);
	if (ret)
		return ret;
	c->jf->regions[index] = *r;
	return fill(c, img, &c->jf->regions[index]);
}

/* A range: [address, size], or an object. */
static int parse_range(struct jf_ctx *c, struct json_object *o, struct jf_region *r)
{
	static const char * const keys[] = { "name", "va", "size", "readonly",
					     "noexec", "comment", NULL };
	bool readonly = false, noexec = false;
	int ret;

	if (json_object_is_type(o, json_type_array)) {
		if (json_object_array_length(o) != 2)
			return jf_error(c, "expected [address, size]");
		ret = jf_value_u64(c, json_object_array_get_idx(o, 0), UINT64_MAX, &r->va);
		return ret ? ret : jf_value_u64(c, json_object_array_get_idx(o, 1), JF_MAX_REGION,
						&r->size);
	}
	ret = jf_keys(c, o, keys);
	if (!ret)
		ret = jf_require(c, o, "va");
	if (!ret)
		ret = jf_require(c, o, "size");
	if (!ret)
		ret = jf_string(c, o, "name", &r->name);
	if (!ret)
		ret = jf_u64(c, o, "va", UINT64_MAX, &r->va);
	if (!ret)
		ret = jf_bool(c, o, "readonly", &readonly);
	if (!ret)
		ret = jf_bool(c, o, "noexec", &noexec);
	if (readonly)
		r->bind_flags |= DRM_VSHADER_VM_BIND_READONLY;
	if (noexec)
		r->bind_flags |= DRM_VSHADER_VM_BIND_NOEXEC;
	return ret ? ret : jf_u64(c, o, "size", JF_MAX_REGION, &r->size);
}

static int given_ranges(struct jf_ctx *c, struct json_object *list, size_t n,
			const struct vshader_image *img, const struct jf_region *proto)
{
	size_t i, mark = jf_enter(c, "ranges"), mark2;
	int ret = 0;

	for (i = 0; i < n && !ret; i++) {
		struct jf_region r = *proto;

		mark2 = jf_enter_index(c, i);
		ret = parse_range(c, json_object_array_get_idx(list, i), &r);
		if (!ret && !r.size)
			ret = jf_error(c, "the range is empty");
		if (!ret)
			ret = add_region(c, img, &r);
		jf_leave(c, mark2);
	}
	jf_leave(c, mark);
	return ret;
}

/* Default ranges: the pages with bytes of the image. */
static int own_ranges(struct jf_ctx *c, const struct vshader_image *img,
		      const struct jf_region *proto)
{
	struct vshader_range *ranges;
	uint32_t i, n;
	int ret = vshader_image_pages(img, &ranges, &n);

	if (ret)
		return ret;
	for (i = 0; i < n && !ret; i++) {
		struct jf_region r = *proto;

		r.va = ranges[i].va;
		r.size = ranges[i].size;
		ret = r.size > JF_MAX_REGION ? jf_error(c, "a range of the image is too large") :
					       add_region(c, img, &r);
	}
	free(ranges);
	return ret;
}

int jf_load_image(struct jf_ctx *c, struct json_object *o, struct vshader_image **img)
{
	const char *name = NULL;
	size_t len, mark;
	uint8_t *data;
	int ret;

	ret = jf_string(c, o, "image", &name);
	if (ret)
		return ret;
	mark = jf_enter(c, "image");
	ret = jf_read_file(c, name, &data, &len);
	if (!ret) {
		ret = vshader_image_load(data, len, img);
		if (ret)
			ret = jf_error(c, "\"%.80s\": %s", name, vshader_error());
		free(data);
	}
	jf_leave(c, mark);
	return ret;
}

/* An element of "memory" with "image". */
int jf_parse_image(struct jf_ctx *c, struct json_object *o)
{
	static const char * const keys[] = { "image", "ranges", "vm", "comment", NULL };
	struct jf_region proto = { .map = true };
	struct vshader_image *img = NULL;
	struct json_object *list;
	size_t n;
	int ret;

	ret = jf_keys(c, o, keys);
	if (!ret)
		ret = jf_vm_index(c, o, &proto.vm);
	if (!ret)
		ret = jf_list(c, o, "ranges", JF_MAX_ITEMS, &list, &n);
	if (!ret)
		ret = jf_load_image(c, o, &img);
	if (!ret)
		ret = list ? given_ranges(c, list, n, img, &proto) : own_ranges(c, img, &proto);
	vshader_image_free(img);
	return ret;
}
