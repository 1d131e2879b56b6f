// SPDX-License-Identifier: GPL-2.0
/*
 * Memory images: parsed regions lie within the file, are sorted, and are found by
 * address.
 */
#include "fuzz.h"

#include "vshader.h"

static void check_pages(const struct vshader_image *img)
{
	struct vshader_range *r;
	uint32_t n, i;

	if (vshader_image_pages(img, &r, &n))
		return;
	for (i = 0; i < n; i++) {
		MUST(r[i].size && r[i].va % 4096 == 0 && r[i].size % 4096 == 0);
		MUST(!i || r[i].va > r[i - 1].va + r[i - 1].size - 1);
	}
	free(r);
}

static void check_runs(const struct vshader_image *img)
{
	const struct vshader_image_run *r;
	uint8_t first, some[64];
	uint32_t n, i;

	r = vshader_image_runs(img, &n);
	for (i = 0; i < n; i++) {
		MUST(!i || r[i].va >= r[i - 1].va);
		MUST(!i || r[i].va - r[i - 1].va >= r[i - 1].size);
		if (!r[i].size)
			continue;
		vshader_image_read(img, r[i].va, &first, 1);
		MUST(first == r[i].data[0]);
		vshader_image_read(img, r[i].va + r[i].size - 1, &first, 1);
		MUST(first == r[i].data[r[i].size - 1]);
		vshader_image_read(img, r[i].va - 7, some, sizeof(some));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct vshader_image *img = NULL;
	int ret = vshader_image_load(data, size, &img);

	if (ret) {
		MUST(ret == -22 || ret == -12 || ret == -7);
		MUST(vshader_error()[0]);
		return 0;
	}
	check_runs(img);
	check_pages(img);
	vshader_image_free(img);
	return 0;
}
