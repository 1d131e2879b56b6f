// SPDX-License-Identifier: GPL-2.0
/*
 * Memory images and Mali jobs through the library: valid images, mapping an image into an
 * address space, executing a chain in it, error messages for rejected jobs.
 *
 *   test_mali [DEVICE]      default: local
 */
#include <zlib.h>

#include "lib_test.h"

#define CHAIN_VA	0x10000040ull
#define OUT_VA		0x20000000ull
#define MAX_FILE	65536

static struct {
	struct vshader_device *dev;
	uint32_t vm;
	uint32_t queue;
} t;

/* A file in the making. */
struct file {
	uint8_t b[MAX_FILE];
	size_t n;
};

static void put64(struct file *f, uint64_t v)
{
	int i;

	for (i = 0; i < 8; i++)
		f->b[f->n++] = (uint8_t)(v >> 8 * i);
}

static void put_run(struct file *f, uint64_t va, const void *data, size_t size)
{
	put64(f, va);
	put64(f, size);
	memcpy(f->b + f->n, data, size);
	f->n += size;
}

/* As gzip does it. */
static size_t zip(const struct file *f, uint8_t *out, size_t room)
{
	z_stream z = {
		.next_in = (uint8_t *)f->b, .avail_in = f->n, .next_out = out, .avail_out = room,
	};

	if (deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		return 0;
	deflate(&z, Z_FINISH);
	deflateEnd(&z);
	return room - z.avail_out;
}

static void has_text(const char *part)
{
	if (!tap_result(strstr(vshader_error(), part), "the message has \"%s\"", part))
		tap_comment("%s", vshader_error());
}

/* ---- images ---- */

static struct file good(void)
{
	struct file f = { .n = 0 };

	put_run(&f, 0x5ffe, "\x07\x08", 2);
	put_run(&f, 0x1004, "\x01\x02\x03", 3);
	put_run(&f, 0x6000, "\x09", 1);
	put_run(&f, 0x2fff, "\x04\x05", 2);
	return f;
}

static void check_runs(const struct vshader_image *img, const char *how)
{
	static const uint64_t va[] = { 0x1004, 0x2fff, 0x5ffe, 0x6000 };
	static const uint64_t size[] = { 3, 2, 2, 1 };
	const struct vshader_image_run *r;
	uint32_t n, i, wrong = 0;

	r = vshader_image_runs(img, &n);
	for (i = 0; i < n && i < 4; i++)
		wrong += r[i].va != va[i] || r[i].size != size[i];
	tap_result(n == 4 && !wrong, "%s: runs by address", how);
	tap_result(r[0].data[2] == 3 && r[3].data[0] == 9, "%s: their bytes", how);
}

static void check_read(const struct vshader_image *img)
{
	static const uint8_t want[] = { 0, 7, 8, 9, 0 };
	uint8_t b[5], all[4];

	memset(b, 0xee, sizeof(b));
	vshader_image_read(img, 0x5ffd, b, sizeof(b));
	tap_result(!memcmp(b, want, sizeof(b)), "what runs do not have is zero");
	vshader_image_read(img, 0x1005, b, 1);
	tap_result(b[0] == 2, "part of a run");
	memset(all, 0xee, sizeof(all));
	vshader_image_read(img, UINT64_MAX - 3, all, sizeof(all));
	tap_result(!all[0] && !all[3], "the last addresses");
}

static void check_pages(const struct vshader_image *img)
{
	struct vshader_range *r;
	uint32_t n;

	if (!is_ok(vshader_image_pages(img, &r, &n), "pages"))
		return;
	/* neighbours are one range */
	tap_result(n == 2 && r[0].va == 0x1000 && r[0].size == 0x3000 && r[1].va == 0x5000 &&
		   r[1].size == 0x2000, "pages that the runs touch");
	free(r);
}

static void test_images(void)
{
	static uint8_t packed[MAX_FILE];
	struct vshader_image *img;
	struct file f = good();
	size_t n = zip(&f, packed, sizeof(packed));
	uint32_t num;

	if (is_ok(vshader_image_load(f.b, f.n, &img), "plain image")) {
		check_runs(img, "plain");
		check_read(img);
		check_pages(img);
		vshader_image_free(img);
	}
	if (is_ok(vshader_image_load(packed, n, &img), "compressed image")) {
		check_runs(img, "compressed");
		vshader_image_free(img);
	}
	if (is_ok(vshader_image_load(NULL, 0, &img), "an image of nothing")) {
		vshader_image_runs(img, &num);
		tap_result(!num, "it has no runs");
		vshader_image_free(img);
	}
	vshader_image_free(NULL);
	/* runs without bytes have no neighbours */
	f.n = 0;
	put_run(&f, 0x1000, "ab", 2);
	put_run(&f, 0x1000, "", 0);
	put_run(&f, 0x1002, "", 0);
	if (is_ok(vshader_image_load(f.b, f.n, &img), "empty runs"))
		vshader_image_free(img);
}

static void test_damaged(void)
{
	static uint8_t packed[MAX_FILE];
	struct vshader_image *img;
	struct file f = good();
	size_t n = zip(&f, packed, sizeof(packed)), i, refused;

	/* cut anywhere but between runs */
	for (i = 0, refused = 0; i < f.n; i++) {
		if (vshader_image_load(f.b, i, &img))
			refused++;
		else
			vshader_image_free(img);
	}
	tap_result(refused == f.n - 4, "cut images are refused: %zu of %zu", refused, f.n);
	is_error(vshader_image_load(f.b, f.n - 1, &img), EINVAL, "the last run is cut");
	has_text("run at byte 54");
	is_error(vshader_image_load(f.b, 5, &img), EINVAL, "a head is cut");
	has_text("5 bytes after the last run");
	for (i = 2, refused = 0; i < n; i++) {
		if (vshader_image_load(packed, i, &img))
			refused++;
		else
			vshader_image_free(img);
	}
	tap_result(refused == n - 2, "so are compressed ones: %zu of %zu", refused, n - 2);
	packed[n - 6] ^= 1;
	is_error(vshader_image_load(packed, n, &img), EINVAL, "wrong checksum");
	has_text("damaged gzip data");

	f = good();
	put_run(&f, 0x1006, "x", 1);
	is_error(vshader_image_load(f.b, f.n, &img), EINVAL, "runs that overlap");
	has_text("runs at 0x1004 and 0x1006 overlap");
	f = good();
	put_run(&f, 0x1004, "x", 1);
	is_error(vshader_image_load(f.b, f.n, &img), EINVAL, "runs at the same address");
	f.n = 0;
	put64(&f, 0x1000);
	put64(&f, UINT64_MAX - 8);
	put64(&f, 0);
	is_error(vshader_image_load(f.b, f.n, &img), EINVAL, "a length that is none");
	f.n = 0;
	put_run(&f, UINT64_MAX - 1, "abc", 3);
	is_error(vshader_image_load(f.b, f.n, &img), EINVAL, "a run over the end of memory");
}

/* Zeros compress well. */
static void test_large(void)
{
	static uint8_t out[1 << 20], zeros[1 << 20];
	struct vshader_image *img;
	z_stream z = { .next_out = out, .avail_out = sizeof(out) };
	int i;

	if (deflateInit2(&z, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		return;
	for (i = 0; i <= 257; i++) {
		z.next_in = zeros;
		z.avail_in = sizeof(zeros);
		deflate(&z, i < 257 ? Z_NO_FLUSH : Z_FINISH);
	}
	deflateEnd(&z);
	is_error(vshader_image_load(out, sizeof(out) - z.avail_out, &img), E2BIG,
		 "more than 256 MiB when unpacked");
}

/* ---- chains ---- */

/* A NULL job, then one that writes a value. */
static struct file chain(uint32_t type)
{
	uint32_t w[32] = {
		[4] = 1 | 1 << 1 | 1 << 16, [6] = CHAIN_VA + 64,
		[20] = 1 | type << 1 | 2 << 16, [21] = 1,
		[24] = (uint32_t)OUT_VA + 8, [26] = 6, [28] = 0xcafe,
	};
	struct file f = { .n = 0 };

	put_run(&f, CHAIN_VA, w, sizeof(w));
	return f;
}

static int run_chain(struct drm_vshader_native_job *n)
{
	struct drm_vshader_job job = {
		.queue_id = t.queue,
		.type = DRM_VSHADER_JOB_NATIVE,
		.desc = (uintptr_t)n,
		.desc_size = sizeof(*n),
	};

	return vshader_submit_wait(t.dev, &job, VSHADER_WAIT_FOREVER);
}

static void unmap(const struct vshader_range *r, struct vshader_bo **bos, unsigned int n)
{
	while (n--) {
		vshader_vm_unmap(t.dev, t.vm, r[n].va, r[n].size);
		vshader_bo_destroy(bos[n]);
	}
}

static void test_chain(void)
{
	static const struct vshader_range ranges[] = { { 0x10000000, 4096 }, { OUT_VA, 4096 } };
	struct drm_vshader_native_job n = {
		.format = DRM_VSHADER_NATIVE_BIFROST_CHAIN,
		.va = CHAIN_VA,
		.model = DRM_VSHADER_MALI_G52,
	};
	struct drm_vshader_queue_get_state state = { };
	struct file f = chain(2);
	struct vshader_image *img;
	struct vshader_bo *bos[2];
	void *jobs, *out;
	char text[512];

	if (!is_ok(vshader_image_load(f.b, f.n, &img), "image of a chain"))
		return;
	if (!is_ok(vshader_image_map(t.dev, t.vm, img, ranges, 2, bos), "into memory"))
		goto out;
	vshader_bo_map(bos[0], &jobs);
	vshader_bo_map(bos[1], &out);
	is_ok(run_chain(&n), "it is executed");
	tap_result(((uint32_t *)out)[2] == 0xcafe, "the value is there");
	tap_result(((uint32_t *)jobs)[16] == 1 && ((uint32_t *)jobs)[32] == 1,
		   "and so are the outcomes");

	/* a job that is not executed */
	((uint32_t *)jobs)[36] = 1 | 6 << 1 | 2 << 16;
	is_ok(run_chain(&n), "a geometry job");
	is_ok(vshader_queue_get_state(t.dev, t.queue, &state), "state");
	vshader_fault_text(&state.fault, text, sizeof(text));
	tap_result(state.fault.kind == DRM_VSHADER_FAULT_COMMAND &&
		   strstr(text, "unsupported job type"), "says so: %s", text);
	unmap(ranges, bos, 2);
out:
	vshader_image_free(img);
}

/* All or nothing. */
static void test_map(void)
{
	static const struct vshader_range bad[][2] = {
		{ { 0x10000000, 4096 }, { 0, 4096 } },
		{ { 0x10000000, 4096 }, { OUT_VA + 4, 4096 } },
		{ { 0x10000000, 4096 }, { OUT_VA, 0 } },
		{ { 0x10000000, 4096 }, { 1ull << 60, 4096 } },
	};
	struct file f = chain(2);
	struct vshader_image *img;
	struct vshader_bo *bos[2];
	unsigned int i;
	int ret;

	if (!is_ok(vshader_image_load(f.b, f.n, &img), "image"))
		return;
	for (i = 0; i < 4; i++) {
		ret = vshader_image_map(t.dev, t.vm, img, bad[i], 2, bos);
		tap_result(ret < 0 && !bos[0] && !bos[1], "a range of %#llx, %llu bytes: %s",
			   (unsigned long long)bad[i][1].va,
			   (unsigned long long)bad[i][1].size, vshader_error());
		has_text("range 1 (");
	}
	vshader_image_free(img);
}

/* Bytes of memory that this process has. */
static long resident(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	long pages = 0;

	if (!f || fscanf(f, "%*s %ld", &pages) != 1)
		pages = 0;
	if (f)
		fclose(f);
	return pages * sysconf(_SC_PAGESIZE);
}

/* A heap that the image has nothing of needs no memory. */
static void test_heap(void)
{
	static const struct vshader_range ranges[] = {
		{ 0x10000000, 4096 }, { 0x40000000, 64 << 20 },
	};
	struct file f = chain(2);
	struct vshader_image *img;
	struct vshader_bo *bos[2];
	uint32_t *heap;
	void *p;
	long was;

	if (!is_ok(vshader_image_load(f.b, f.n, &img), "image"))
		return;
	was = resident();
	if (is_ok(vshader_image_map(t.dev, t.vm, img, ranges, 2, bos), "a heap of 64 MiB")) {
		tap_result(was && resident() - was < 8 << 20, "without memory: %ld bytes",
			   resident() - was);
		vshader_bo_map(bos[1], &p);
		heap = p;
		tap_result(!heap[0] && !heap[(64 << 20) / 4 - 1], "it is zero");
		unmap(ranges, bos, 2);
	}
	vshader_image_free(img);
}

/* ---- errors ---- */

static void test_refused(void)
{
	struct drm_vshader_native_job n = {
		.format = DRM_VSHADER_NATIVE_BIFROST_CHAIN, .va = CHAIN_VA, .model = 3, .size = 8,
	};
	struct drm_vshader_mali_job block = { .local = { 1, 1, 1 }, .groups = { 1, 1, 1 } };
	struct drm_vshader_shader_job shader = {
		.engine_block = (uintptr_t)&block,
		.engine_block_size = sizeof(block),
	};
	struct drm_vshader_job job = {
		.desc = (uintptr_t)&shader,
		.desc_size = sizeof(shader),
	};
	struct vshader_queue_params params = { .engine = DRM_VSHADER_ENGINE_BIFROST, .vm = t.vm };
	static const char text[] = "ds(0) eos\n{\n+NOP t1\n}\n";
	struct vshader_binary *bin;
	struct vshader_source src;
	uint32_t queue;

	if (!is_ok(vshader_queue_create(t.dev, &params, &queue), "another queue"))
		return;
	job.queue_id = queue;
	t.queue = queue;
	if (!is_ok(vshader_assemble(DRM_VSHADER_ENGINE_BIFROST, text, strlen(text), "nop",
				    &bin),
		   "assemble"))
		return;
	vshader_binary_source(bin, 0, &src);
	is_ok(vshader_program_create(t.dev, &src, NULL, &shader.program), "program");
	vshader_binary_free(bin);
	is_error(run_chain(&n), EINVAL, "a chain with a size");
	has_text("native job: size is not 0");
	n.size = 0;
	n.model = 9;
	is_error(run_chain(&n), EINVAL, "for a GPU that there is not");
	has_text("native job: unknown GPU 9");
	n.model = 3;
	n.va = 0;
	is_error(run_chain(&n), EINVAL, "without an address");
#define BAD(field, value, part) do {						\
	typeof(field) old = (field);						\
	(field) = (value);							\
	is_error(vshader_submit(t.dev, &job, 1, NULL, NULL), EINVAL, #field);	\
	has_text(part);								\
	(field) = old;								\
} while (0)
	BAD(shader.pad, 1, "Mali job: pad is not 0");
	BAD(block.gpu, 77, "Mali job: unknown GPU 77");
	BAD(block.switches, 0x81, "Mali job: unknown switches 0x80");
	BAD(block.preload, 3, "Mali job: preload: bits 0x3 are no registers");
	BAD(block.wls_size, 16, "Mali job: wls_instances is 0");
	BAD(block.pad, 1, "Mali block: pad is not 0");
	BAD(block.textures.pad, 1, "Mali block: textures.pad is not 0");
#undef BAD
	is_ok(vshader_submit_wait(t.dev, &job, VSHADER_WAIT_FOREVER), "nothing wrong");
}

static bool setup(const char *device)
{
	struct vshader_queue_params params = { .engine = DRM_VSHADER_ENGINE_BIFROST };

	if (!is_ok(vshader_open(device, &t.dev), "open the device"))
		return false;
	if (!is_ok(vshader_vm_create(t.dev, DRM_VSHADER_VM_48BIT, 0, &t.vm), "VM"))
		return false;
	params.vm = t.vm;
	return is_ok(vshader_queue_create(t.dev, &params, &t.queue), "queue");
}

int main(int argc, char **argv)
{
	test_images();
	test_damaged();
	test_large();
	if (!setup(argc > 1 ? argv[1] : "local"))
		return tap_done();
	test_chain();
	test_map();
	test_heap();
	test_refused();
	vshader_close(t.dev);
	return tap_done();
}
