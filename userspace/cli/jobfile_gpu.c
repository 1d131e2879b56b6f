// SPDX-License-Identifier: MIT
/*
 * Parts of the job-file blocks of several GPUs: lists, descriptor tables, the primitive
 * of a fragment.
 */
#include <errno.h>
#include <string.h>

#include "jobfile_json.h"

int jf_each(struct jf_ctx *c, struct json_object *o, const char *key, size_t max,
	    const struct jf_element *e, void *items, uint32_t *count)
{
	struct json_object *list;
	size_t i, n, mark, mark2;
	int ret = jf_list(c, o, key, max, &list, &n);

	*count = 0;
	if (ret || !n)
		return ret;
	mark = jf_enter(c, key);
	for (i = 0; i < n && !ret; i++) {
		mark2 = jf_enter_index(c, i);
		ret = e->parse(c, json_object_array_get_idx(list, i), (char *)items + i * e->size);
		jf_leave(c, mark2);
	}
	jf_leave(c, mark);
	*count = (uint32_t)n;
	return ret;
}

int jf_each_new(struct jf_ctx *c, struct json_object *o, const char *key, size_t max,
		const struct jf_element *e, void *items, uint32_t *count)
{
	struct json_object *list;
	void *block;
	size_t n;
	int ret = jf_list(c, o, key, max, &list, &n);

	*count = 0;
	if (ret || !n)
		return ret;
	block = jf_alloc(&c->jf->blocks, n * e->size);
	if (!block)
		return -ENOMEM;
	memcpy(items, &block, sizeof(block));
	return jf_each(c, o, key, max, e, block, count);
}

static int parse_u32(struct jf_ctx *c, struct json_object *o, void *item)
{
	uint32_t *out = item;
	uint64_t v;
	int ret = jf_value_u64(c, o, UINT32_MAX, &v);

	if (!ret)
		*out = (uint32_t)v;
	return ret;
}

int jf_parse_u32s(struct jf_ctx *c, struct json_object *o, const char *key, uint32_t max,
		  uint32_t *out)
{
	static const struct jf_element number = { parse_u32, sizeof(*out) };
	uint32_t count;

	return jf_each(c, o, key, max, &number, out, &count);
}

int jf_parse_floats(struct jf_ctx *c, struct json_object *list, uint32_t want, uint32_t *out)
{
	struct jf_values v;
	uint32_t i;
	int ret = jf_parse_values(c, list, JF_F32, false, &v);

	if (ret)
		return ret;
	if (v.count != want)
		return jf_error(c, "%u values, expected %u", v.count, want);
	for (i = 0; i < want; i++)
		out[i] = v.v[i].bits;
	return 0;
}

int jf_parse_table(struct jf_ctx *c, struct json_object *o, const char *key,
		   struct jf_table *t, struct jf_loc *buffers)
{
	static const char * const keys[] = { "at", "count", "buffers", "comment", NULL };
	struct json_object *v = jf_get(o, key);
	size_t mark;
	int ret;

	t->at.region = JF_NONE;
	if (buffers)
		buffers->region = JF_NONE;
	if (!v)
		return 0;
	mark = jf_enter(c, key);
	ret = jf_keys(c, v, keys);
	if (!ret)
		ret = jf_require(c, v, "at");
	if (!ret)
		ret = jf_require(c, v, "count");
	if (!ret)
		ret = jf_get_loc(c, v, "at", &t->at);
	if (!ret)
		ret = jf_u32(c, v, "count", UINT32_MAX, &t->count);
	if (!ret && jf_get(v, "buffers"))
		ret = buffers ? jf_get_loc(c, v, "buffers", buffers) :
				jf_error(c, "only attributes and varyings have \"buffers\"");
	jf_leave(c, mark);
	return ret;
}

static int parse_vertices(struct jf_ctx *c, struct json_object *o, bool point,
			  uint32_t vertex[3][4])
{
	struct json_object *v = jf_get(o, "vertices");
	size_t mark;
	int ret;

	if (!v)
		return 0;
	mark = jf_enter(c, "vertices");
	ret = jf_parse_floats(c, v, point ? 4 : 12, vertex[0]);
	jf_leave(c, mark);
	return ret;
}

int jf_parse_raster(struct jf_ctx *c, struct json_object *o, const struct jf_name *prims,
		    const struct jf_name *flags, uint32_t point, struct jf_raster *r)
{
	double size = 1;
	int ret;

	r->index[1] = 1;
	r->index[2] = 2;
	ret = jf_u32(c, o, "x", UINT32_MAX, &r->x);
	if (!ret)
		ret = jf_u32(c, o, "y", UINT32_MAX, &r->y);
	if (!ret)
		ret = jf_u32(c, o, "width", UINT32_MAX, &r->width);
	if (!ret)
		ret = jf_u32(c, o, "height", UINT32_MAX, &r->height);
	if (!ret)
		ret = jf_enum(c, o, "prim", prims, &r->prim);
	if (!ret)
		ret = jf_flag_list(c, o, "flags", flags, &r->flags);
	if (!ret)
		ret = parse_vertices(c, o, r->prim == point, r->vertex);
	if (!ret)
		ret = jf_parse_u32s(c, o, "index", 3, r->index);
	if (!ret)
		ret = jf_double(c, o, "point_size", &size);
	if (!ret && r->prim == point)
		r->point_size = jf_encode(JF_F32, size);
	return ret;
}
