// SPDX-License-Identifier: MIT
/*
 * Memory images: GPU memory from a driver's dump, for restoring an address space. An
 * image is a list of runs, each an address and a length of 64 bits, little endian, and
 * as many bytes; memory without a run is zero. It may be compressed (gzip).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "priv.h"

#define MAX_IMAGE	(256u << 20)
#define HEAD		16u
#define PAGE		4096u

struct vshader_image {
	uint8_t *data;
	size_t size;
	uint32_t num_runs;
	struct vshader_image_run *runs;	/* by address */
};

static uint64_t get64(const uint8_t *p)
{
	uint64_t v = 0;
	int i;

	for (i = 7; i >= 0; i--)
		v = v << 8 | p[i];
	return v;
}

/* ---- reading ---- */

static int grow(uint8_t **buf, size_t *room)
{
	size_t more = *room ? *room * 2 : 1u << 16;
	uint8_t *n;

	if (*room >= MAX_IMAGE)
		return vsh_fail(E2BIG, "memory image: more than %u bytes", MAX_IMAGE);
	n = realloc(*buf, more);
	if (!n)
		return vsh_fail(ENOMEM, "out of memory");
	*buf = n;
	*room = more;
	return 0;
}

static int inflate_all(z_stream *z, uint8_t **out, size_t *len)
{
	size_t room = 0;
	int ret, r = Z_OK;

	*out = NULL;
	*len = 0;
	while (r != Z_STREAM_END) {
		ret = *len == room ? grow(out, &room) : 0;
		if (ret)
			return ret;
		z->next_out = *out + *len;
		z->avail_out = (uInt)(room - *len);
		r = inflate(z, Z_NO_FLUSH);
		*len = room - z->avail_out;
		if (r != Z_OK && r != Z_STREAM_END)
			return vsh_fail(EINVAL, "memory image: damaged gzip data: %s",
					z->msg ? z->msg : "it ends too soon");
	}
	return 0;
}

static int unzip(const void *data, size_t size, uint8_t **out, size_t *len)
{
	z_stream z = { .next_in = (Bytef *)(uintptr_t)data, .avail_in = (uInt)size };
	int ret;

	*out = NULL;
	if (size > UINT32_MAX)
		return vsh_fail(E2BIG, "memory image: more than 4 GiB");
	/* 16: gzip, not zlib */
	if (inflateInit2(&z, 16 + MAX_WBITS) != Z_OK)
		return vsh_fail(ENOMEM, "out of memory");
	ret = inflate_all(&z, out, len);
	inflateEnd(&z);
	if (ret) {
		free(*out);
		*out = NULL;
	}
	return ret;
}

static int copy(const void *data, size_t size, uint8_t **out, size_t *len)
{
	*out = malloc(size ? size : 1);
	if (!*out)
		return vsh_fail(ENOMEM, "out of memory");
	if (size)
		memcpy(*out, data, size);
	*len = size;
	return 0;
}

static int compare_runs(const void *a, const void *b)
{
	const struct vshader_image_run *x = a, *y = b;

	/* empty runs before those that begin there */
	if (x->va == y->va)
		return (x->size > y->size) - (x->size < y->size);
	return x->va > y->va ? 1 : -1;
}

/* Count the runs, or store them. */
static int walk(struct vshader_image *img, struct vshader_image_run *runs)
{
	size_t at = 0;

	img->num_runs = 0;
	while (at < img->size) {
		uint64_t va, len;

		if (img->size - at < HEAD)
			return vsh_fail(EINVAL, "memory image: %zu bytes after the last run",
					img->size - at);
		va = get64(img->data + at);
		len = get64(img->data + at + 8);
		if (len > img->size - at - HEAD || va > UINT64_MAX - len)
			return vsh_fail(EINVAL,
					"memory image: run at byte %zu, %#llx: no %llu bytes",
					at, (unsigned long long)va, (unsigned long long)len);
		if (runs)
			runs[img->num_runs] = (struct vshader_image_run){
				.va = va, .size = len, .data = img->data + at + HEAD,
			};
		img->num_runs++;
		at += HEAD + len;
	}
	return 0;
}

static int check_runs(const struct vshader_image *img)
{
	uint32_t i;

	for (i = 1; i < img->num_runs; i++) {
		const struct vshader_image_run *a = &img->runs[i - 1];

		if (img->runs[i].va - a->va < a->size)
			return vsh_fail(EINVAL, "memory image: runs at %#llx and %#llx overlap",
					(unsigned long long)a->va,
					(unsigned long long)img->runs[i].va);
	}
	return 0;
}

int vshader_image_load(const void *data, size_t size, struct vshader_image **out)
{
	const uint8_t *p = data;
	struct vshader_image *img = calloc(1, sizeof(*img));
	int ret;

	if (!img)
		return vsh_fail(ENOMEM, "out of memory");
	if (size >= 2 && p[0] == 0x1f && p[1] == 0x8b)
		ret = unzip(data, size, &img->data, &img->size);
	else
		ret = copy(data, size, &img->data, &img->size);
	if (!ret)
		ret = walk(img, NULL);
	if (!ret) {
		img->runs = calloc(img->num_runs + 1, sizeof(*img->runs));
		ret = img->runs ? walk(img, img->runs) : vsh_fail(ENOMEM, "out of memory");
	}
	if (!ret) {
		qsort(img->runs, img->num_runs, sizeof(*img->runs), compare_runs);
		ret = check_runs(img);
	}
	if (ret)
		vshader_image_free(img);
	else
		*out = img;
	return ret;
}

void vshader_image_free(struct vshader_image *img)
{
	if (!img)
		return;
	free(img->runs);
	free(img->data);
	free(img);
}

const struct vshader_image_run *vshader_image_runs(const struct vshader_image *img,
						   uint32_t *num)
{
	*num = img->num_runs;
	return img->runs;
}

/* Copy what the runs have of a range. */
static void copy_runs(const struct vshader_image *img, uint64_t va, void *dst, uint64_t size)
{
	uint32_t i;

	for (i = 0; i < img->num_runs; i++) {
		const struct vshader_image_run *r = &img->runs[i];
		uint64_t lo = r->va > va ? r->va : va;
		uint64_t hi = r->va + r->size < va + size ? r->va + r->size : va + size;

		if (lo < hi)
			memcpy((uint8_t *)dst + (lo - va), r->data + (lo - r->va), hi - lo);
	}
}

void vshader_image_read(const struct vshader_image *img, uint64_t va, void *dst, uint64_t size)
{
	memset(dst, 0, size);
	copy_runs(img, va, dst, size);
}

/* ---- ranges ---- */

static bool same_or_next(const struct vshader_range *r, uint64_t page)
{
	return page <= r->va + r->size;
}

int vshader_image_pages(const struct vshader_image *img, struct vshader_range **ranges,
			uint32_t *num)
{
	struct vshader_range *r = calloc(img->num_runs + 1, sizeof(*r));
	uint32_t i, n = 0;

	if (!r)
		return vsh_fail(ENOMEM, "out of memory");
	for (i = 0; i < img->num_runs; i++) {
		uint64_t lo = img->runs[i].va / PAGE * PAGE;
		uint64_t hi = (img->runs[i].va + img->runs[i].size + PAGE - 1) / PAGE * PAGE;

		if (n && same_or_next(&r[n - 1], lo)) {
			if (hi > r[n - 1].va + r[n - 1].size)
				r[n - 1].size = hi - r[n - 1].va;
		} else if (hi > lo) {
			r[n++] = (struct vshader_range){ .va = lo, .size = hi - lo };
		}
	}
	*ranges = r;
	*num = n;
	return 0;
}

/* ---- address spaces ---- */

static int map_range(struct vshader_device *dev, uint32_t vm, const struct vshader_image *img,
		     const struct vshader_range *r, struct vshader_bo **bo)
{
	uint64_t va = r->va;
	void *p;
	int ret;

	ret = vshader_bo_create(dev, r->size, 0, vm, bo);
	if (ret)
		return ret;
	ret = vshader_bo_map(*bo, &p);
	if (!ret) {
		/* a new buffer is zero; pages without a run stay without memory */
		copy_runs(img, r->va, p, r->size);
		ret = va ? vshader_vm_map(dev, vm, *bo, 0, &va) :
			   vsh_fail(EINVAL, "memory image: address 0 cannot be mapped");
	}
	if (ret) {
		vshader_bo_destroy(*bo);
		*bo = NULL;
	}
	return ret;
}

int vshader_image_map(struct vshader_device *dev, uint32_t vm, const struct vshader_image *img,
		      const struct vshader_range *ranges, uint32_t num_ranges,
		      struct vshader_bo **bos)
{
	uint32_t i;
	int ret = 0;

	memset(bos, 0, num_ranges * sizeof(*bos));
	for (i = 0; i < num_ranges && !ret; i++)
		ret = map_range(dev, vm, img, &ranges[i], &bos[i]);
	if (!ret)
		return 0;
	vsh_fail_prefix("range %u (%#llx, %llu bytes): ", i - 1,
			(unsigned long long)ranges[i - 1].va,
			(unsigned long long)ranges[i - 1].size);
	while (i-- > 0) {
		if (!bos[i])
			continue;
		vshader_vm_unmap(dev, vm, ranges[i].va, vshader_bo_size(bos[i]));
		vshader_bo_destroy(bos[i]);
		bos[i] = NULL;
	}
	return ret;
}
