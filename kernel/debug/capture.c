// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * A job's descriptors, for dumps. Structures are brought to the size that is known here; longer
 * ones are cut off, as their tail was 0, or the job would have been refused.
 */
#include "debug/capture.h"

#define MAX_ELEMENTS	4096U
#define FIRST_ROOM	1024U

static int grow(struct vshader_capture *c, u64 more)
{
	u64 room = c->room ?: FIRST_ROOM;
	u8 *buf;

	while (room < c->size + more)
		room *= 2;
	if (room == c->room)
		return 0;
	buf = vs_zalloc(room);
	if (!buf)
		return -ENOMEM;
	if (c->size)
		memcpy(buf, c->buf, c->size);
	vs_free(c->buf);
	c->buf = buf;
	c->room = room;
	return 0;
}

/* Room for a section. Return: 0 with where its bytes go at *@out. */
static int section(struct vshader_capture *c, u64 type, u64 count, u64 size, void **out)
{
	const struct drm_vshader_dump_section s = { .type = type, .count = count, .size = size };
	int ret;

	size = (size + 7) & ~7ULL;
	ret = grow(c, sizeof(s) + size);
	if (ret)
		return ret;
	memcpy(c->buf + c->size, &s, sizeof(s));
	*out = c->buf + c->size + sizeof(s);
	c->size += sizeof(s) + size;
	c->sections++;
	return 0;
}

int vshader_capture_one(struct vshader_capturing *k, u64 type, u64 src, u64 given,
			u64 size, void **out)
{
	int ret = section(k->c, type, 1, size, out);

	return ret ?: k->copy(*out, src, min(given, size));
}

int vshader_capture_many(struct vshader_capturing *k, u64 type,
			 const struct drm_vshader_obj_array *a, u64 size)
{
	u32 n = min(a->count, MAX_ELEMENTS), i;
	void *to;
	int ret;

	if (!n)
		return 0;
	ret = section(k->c, type, n, n * size, &to);
	if (!ret && a->stride == size)
		return k->copy(to, a->array, n * size);
	for (i = 0; i < n && !ret; i++)
		ret = k->copy((u8 *)to + i * size, a->array + (u64)i * a->stride,
			      min_t(u64, a->stride, size));
	return ret;
}

int vshader_capture_block(struct vshader_capturing *k, const struct drm_vshader_shader_job *d,
			  u64 size, void **out)
{
	return vshader_capture_one(k, DRM_VSHADER_DUMP_ENGINE_BLOCK, d->engine_block,
				   d->engine_block_size, size, out);
}

static int block(struct vshader_capturing *k, const struct drm_vshader_shader_job *d)
{
	void *p;

	if (!d->engine_block)
		return 0;
	return k->block ? k->block(k, d) : vshader_capture_block(k, d, k->block_size, &p);
}

/* ---- jobs ---- */

static int capture_shader(struct vshader_capturing *k, const struct drm_vshader_job *uj)
{
	struct drm_vshader_shader_job *p, d;
	void *at;
	int ret;

	ret = vshader_capture_one(k, DRM_VSHADER_DUMP_SHADER_JOB, uj->desc, uj->desc_size,
				  sizeof(d), &at);
	if (ret)
		return ret;
	p = at;
	d = *p;
	p->engine_block = 0;
	return block(k, &d);
}

int vshader_capture_shader(struct vshader_capturing *k, const struct drm_vshader_job *uj)
{
	int ret = capture_shader(k, uj);

	if (ret)
		vshader_capture_free(k->c);
	return ret;
}

int vshader_capture_native(struct vshader_capture *c, const struct drm_vshader_native_job *d,
			   const u32 *words, u32 nwords)
{
	void *at;
	int ret;

	ret = section(c, DRM_VSHADER_DUMP_NATIVE_JOB, 1, sizeof(*d), &at);
	if (ret)
		return ret;
	memcpy(at, d, sizeof(*d));
	if (!words)
		return 0;
	ret = section(c, DRM_VSHADER_DUMP_NATIVE_WORDS, nwords, nwords * sizeof(*words), &at);
	if (ret) {
		vshader_capture_free(c);
		return ret;
	}
	memcpy(at, words, nwords * sizeof(*words));
	return 0;
}

void vshader_capture_free(struct vshader_capture *c)
{
	vs_free(c->buf);
	memset(c, 0, sizeof(*c));
}
