// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's lima driver on a register model: each ioctl and its errors, frames of both
 * processors, growth of heaps, faults, hangs, resets, runtime suspend, failures of the hardware,
 * another load of the module. Findings of the model are failures.
 *
 * usage: test_lima_ko [NAME...]
 */
#include <lima_drm.h>

#include "../include/tap.h"
#include "../include/utgard_draw.h"
#include "hw.h"

#define CHECK(cond)	tap_result(cond, "%s: %s", __func__, #cond)

#define TIMEOUT_MS	500	/* of the driver's jobs */
#define BO_BYTES	65536
#define NOWHERE		0xe0000000

#define DEVICE		"/sys/bus/platform/devices/d0000000.gpu/"

struct bo {
	uint32_t handle;
	uint32_t va;
	uint8_t *p;
};

/* A client with a draw. */
struct client {
	int fd;
	uint32_t ctx;
	struct bo bo;
	struct drm_lima_gp_frame gp;
};

static uint32_t num_pp;
static bool is_450;

/* ---- ioctls ---- */

static int open_device(void)
{
	return open_render("lima");
}

static int bo_new(int fd, uint32_t size, uint32_t flags, struct bo *b)
{
	struct drm_lima_gem_create c = { .size = size, .flags = flags };
	struct drm_lima_gem_info info = {};
	int ret;

	memset(b, 0, sizeof(*b));
	ret = call(fd, DRM_IOCTL_LIMA_GEM_CREATE, &c);
	if (ret)
		return ret;
	b->handle = c.handle;
	info.handle = c.handle;
	ret = call(fd, DRM_IOCTL_LIMA_GEM_INFO, &info);
	b->va = info.va;
	if (ret || flags)
		return ret;
	b->p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, info.offset);
	return b->p == MAP_FAILED ? errno : 0;
}

static void bo_free(int fd, struct bo *b)
{
	struct drm_gem_close c = { .handle = b->handle };

	if (b->p)
		munmap(b->p, BO_BYTES);
	call(fd, DRM_IOCTL_GEM_CLOSE, &c);
}

/* A context in which a task has failed executes no other. */
static bool new_context(struct client *c)
{
	struct drm_lima_ctx_create ctx = {};

	if (call(c->fd, DRM_IOCTL_LIMA_CTX_CREATE, &ctx))
		return false;
	c->ctx = ctx.id;
	return true;
}

static bool client_open(struct client *c)
{
	/* has address 0, where the engine takes a program for none */
	struct drm_lima_gem_create first = { .size = 4096 };

	c->fd = open_device();
	if (c->fd < 0 || !new_context(c) ||
	    call(c->fd, DRM_IOCTL_LIMA_GEM_CREATE, &first) ||
	    bo_new(c->fd, BO_BYTES, 0, &c->bo))
		return false;
	draw_make(c->bo.p, c->bo.va, c->gp.frame);
	return true;
}

static void client_close(struct client *c)
{
	munmap(c->bo.p, BO_BYTES);
	close(c->fd);
}

static int submit(struct client *c, uint32_t pipe, const void *frame, uint32_t size,
		  uint32_t more)
{
	struct drm_lima_gem_submit_bo bos[2] = {
		{ c->bo.handle, LIMA_SUBMIT_BO_WRITE }, { more, LIMA_SUBMIT_BO_WRITE },
	};
	struct drm_lima_gem_submit s = {
		.ctx = c->ctx, .pipe = pipe, .nr_bos = more ? 2 : 1, .bos = (uintptr_t)bos,
		.frame = (uintptr_t)frame, .frame_size = size,
	};

	return call(c->fd, DRM_IOCTL_LIMA_GEM_SUBMIT, &s);
}

static int submit_gp(struct client *c, uint32_t more)
{
	return submit(c, LIMA_PIPE_GP, &c->gp, sizeof(c->gp), more);
}

/* A frame without tiles, for the first @n processors. */
static int submit_pp(struct client *c, uint32_t n, uint32_t va, bool dlbu)
{
	struct drm_lima_m400_pp_frame f4 = { .num_pp = n };
	struct drm_lima_m450_pp_frame f8 = { .num_pp = n, .use_dlbu = dlbu };
	uint32_t i;

	draw_pp(va, f4.frame, f4.wb);
	draw_pp(va, f8.frame, f8.wb);
	for (i = 0; i < 4; i++)
		f4.plbu_array_address[i] = va + DRAW_TILES;
	for (i = 0; i < 8 && !dlbu; i++)
		f8.plbu_array_address[i] = va + DRAW_TILES;
	return is_450 ? submit(c, LIMA_PIPE_PP, &f8, sizeof(f8), 0) :
			submit(c, LIMA_PIPE_PP, &f4, sizeof(f4), 0);
}

static int await(struct client *c, int ms)
{
	struct drm_lima_gem_wait w = {
		.handle = c->bo.handle, .op = LIMA_GEM_WAIT_READ | LIMA_GEM_WAIT_WRITE,
		.timeout_ns = now_ns() + ms * 1000000LL,
	};

	return call(c->fd, DRM_IOCTL_LIMA_GEM_WAIT, &w);
}

/* ---- results ---- */

/* Tasks that failed since the last call. */
static uint32_t errors(void)
{
	uint32_t head[8] = {};
	int fd = open(DEVICE "error", O_RDWR);

	if (fd < 0 || read(fd, head, sizeof(head)) != sizeof(head))
		head[2] = ~0U;
	if (fd < 0 || write(fd, "0", 1) != 1)
		head[2] = ~0U;
	close(fd);
	return head[2];
}

static void record_errors(void)
{
	int fd = open("/sys/module/lima/parameters/max_error_tasks", O_WRONLY);

	if (fd < 0 || write(fd, "64", 2) != 2)
		printf("# errors are not recorded\n");
	close(fd);
}

/* A draw of its own. Return: whether all vertices are there. */
static bool draw_works(struct client *c)
{
	draw_make(c->bo.p, c->bo.va, c->gp.frame);
	return !submit_gp(c, 0) && !await(c, 3000) && draw_written(c->bo.p) == DRAW_VERTICES &&
	       !errors();
}

/* A frame of all pixel processors. Return: whether it ends without an error. */
static bool pixels_work(struct client *c)
{
	draw_make(c->bo.p, c->bo.va, c->gp.frame);
	return !submit_pp(c, num_pp, c->bo.va, false) && !await(c, 3000) && !errors();
}

/* Whether a single task failed, and the next ones do not. */
static bool recovers(struct client *c)
{
	uint32_t n = errors();

	if (n != 1)
		printf("# %u tasks failed\n", n);
	return n == 1 && new_context(c) && draw_works(c) && pixels_work(c);
}

/* Whether what was submitted fails, long before its timeout, and the next ones do not. */
static bool fails_soon(struct client *c, int submitted)
{
	int64_t begin = now_ns();

	if (submitted || await(c, 3000))
		return false;
	if (ms_since(begin) >= TIMEOUT_MS - 150) {
		printf("# failed after %lld ms\n", (long long)ms_since(begin));
		return false;
	}
	return recovers(c);
}

/* ---- tests ---- */

static void test_params(void)
{
	static const uint32_t versions[2][2] = { { 0xb07, 0xcd07 }, { 0xd07, 0xcf07 } };
	struct drm_lima_get_param g = { .param = DRM_LIMA_PARAM_GP_VERSION };
	int fd = open_device();

	CHECK(fd >= 0);
	printf("# Mali-%s with %u PPs\n", is_450 ? "450" : "400", num_pp);
	CHECK(!call(fd, DRM_IOCTL_LIMA_GET_PARAM, &g) && g.value >> 16 == versions[is_450][0]);
	g.param = DRM_LIMA_PARAM_PP_VERSION;
	CHECK(!call(fd, DRM_IOCTL_LIMA_GET_PARAM, &g) && g.value >> 16 == versions[is_450][1]);
	CHECK(num_pp >= 1 && num_pp <= (is_450 ? 8 : 4));
	g.param = 1000;
	CHECK(call(fd, DRM_IOCTL_LIMA_GET_PARAM, &g) == EINVAL);
	g.param = 0;
	g.pad = 1;
	CHECK(call(fd, DRM_IOCTL_LIMA_GET_PARAM, &g) == EINVAL);
	close(fd);
}

static void test_buffers(void)
{
	struct drm_lima_gem_create c = { .size = 4096, .pad = 1 };
	struct drm_lima_gem_info info = { .handle = 999 };
	struct drm_lima_gem_wait w = { .handle = 999, .op = LIMA_GEM_WAIT_READ };
	int fd = open_device();
	struct bo a, b;

	CHECK(!bo_new(fd, BO_BYTES, 0, &a) && !bo_new(fd, BO_BYTES, 0, &b) && a.va != b.va);
	bo_free(fd, &b);
	CHECK(call(fd, DRM_IOCTL_LIMA_GEM_CREATE, &c) == EINVAL);
	CHECK(bo_new(fd, 0, 0, &b) == EINVAL);
	CHECK(bo_new(fd, 4096, ~1U, &b) == EINVAL);
	CHECK(call(fd, DRM_IOCTL_LIMA_GEM_INFO, &info) == ENOENT);
	CHECK(call(fd, DRM_IOCTL_LIMA_GEM_WAIT, &w));
	w.handle = a.handle;
	w.op = 4;
	CHECK(call(fd, DRM_IOCTL_LIMA_GEM_WAIT, &w) == EINVAL);
	w.op = 0;
	CHECK(!call(fd, DRM_IOCTL_LIMA_GEM_WAIT, &w));
	bo_free(fd, &a);
	close(fd);
}

static void test_contexts(void)
{
	struct drm_lima_ctx_free f = {};
	struct client c;

	CHECK(client_open(&c));
	f.id = c.ctx;
	f._pad = 1;
	CHECK(call(c.fd, DRM_IOCTL_LIMA_CTX_FREE, &f) == EINVAL);
	CHECK(draw_works(&c));
	f._pad = 0;
	CHECK(!call(c.fd, DRM_IOCTL_LIMA_CTX_FREE, &f));
	CHECK(call(c.fd, DRM_IOCTL_LIMA_CTX_FREE, &f) == EINVAL);
	CHECK(submit_gp(&c, 0) == ENOENT);
	client_close(&c);
}

static void test_errors(void)
{
	struct drm_lima_gem_submit s = { .nr_bos = 0 };
	struct drm_lima_gp_frame bad;
	struct client c;

	CHECK(client_open(&c));
	CHECK(call(c.fd, DRM_IOCTL_LIMA_GEM_SUBMIT, &s) == EINVAL);
	CHECK(submit(&c, 2, &c.gp, sizeof(c.gp), 0) == EINVAL);
	CHECK(submit(&c, LIMA_PIPE_GP, &c.gp, 20, 0) == EINVAL);
	CHECK(submit(&c, LIMA_PIPE_GP, NULL, sizeof(c.gp), 0) == EFAULT);
	CHECK(submit_gp(&c, 999) == ENOENT);
	bad = c.gp;
	bad.frame[1] = bad.frame[0] - 8;
	CHECK(submit(&c, LIMA_PIPE_GP, &bad, sizeof(bad), 0) == EINVAL);
	memset(&bad, 0, sizeof(bad));
	CHECK(submit(&c, LIMA_PIPE_GP, &bad, sizeof(bad), 0) == EINVAL);
	CHECK(submit_pp(&c, 0, c.bo.va, false) == EINVAL);
	CHECK(submit_pp(&c, num_pp + 1, c.bo.va, false) == EINVAL);
	CHECK(draw_works(&c));
	client_close(&c);
}

static void test_draw(void)
{
	struct client c;

	CHECK(client_open(&c));
	CHECK(draw_works(&c));
	/* the list of the PLBU alone, the vertex list alone */
	draw_forget(c.bo.p);
	c.gp.frame[1] = c.gp.frame[0];
	CHECK(!submit_gp(&c, 0) && !await(&c, 3000) && !draw_written(c.bo.p));
	draw_make(c.bo.p, c.bo.va, c.gp.frame);
	c.gp.frame[3] = c.gp.frame[2];
	CHECK(!submit_gp(&c, 0) && !await(&c, 3000));
	CHECK(draw_written(c.bo.p) == DRAW_VERTICES && !errors());
	client_close(&c);
}

static void test_pixels(void)
{
	struct client c;
	int i;

	CHECK(client_open(&c));
	for (i = 0; i < 3; i++)
		CHECK(pixels_work(&c));
	CHECK(is_450 || (!submit_pp(&c, 1, c.bo.va, false) && !await(&c, 3000) && !errors()));
	CHECK(pixels_work(&c));
	/* with tiles, which are not executed */
	((uint32_t *)(c.bo.p + DRAW_TILES))[1] = 0xb8000000;
	CHECK(fails_soon(&c, submit_pp(&c, num_pp, c.bo.va, false)));
	CHECK(!is_450 || fails_soon(&c, submit_pp(&c, num_pp, c.bo.va, true)));
	client_close(&c);
}

static void test_faults(void)
{
	struct client c;
	int i;

	CHECK(client_open(&c));
	for (i = 0; i < 2; i++) {
		/* varyings, then a list */
		((uint32_t *)(c.bo.p + (i ? DRAW_VS : DRAW_VAR)))[0] = NOWHERE;
		((uint32_t *)(c.bo.p + DRAW_VS))[1] = i ? 0xf0000000 : 0x40010000;
		CHECK(fails_soon(&c, submit_gp(&c, 0)));
	}
	CHECK(fails_soon(&c, submit_pp(&c, num_pp, NOWHERE, false)));
	((uint32_t *)(c.bo.p + DRAW_VS))[1] = 0xe0000000;
	CHECK(fails_soon(&c, submit_gp(&c, 0)));
	((uint32_t *)(c.bo.p + DRAW_PLBU))[1] = 0x10000103;
	CHECK(fails_soon(&c, submit_gp(&c, 0)));
	CHECK(hw_inject("bus-error 1"));
	CHECK(fails_soon(&c, submit_gp(&c, 0)));
	client_close(&c);
}

/* Addresses of freed buffers are used again: translations must not be stale. */
static void test_reuse(void)
{
	uint32_t i, good = 0, frame[6];
	struct client c;
	struct bo b;

	CHECK(client_open(&c));
	for (i = 0; i < 20; i++) {
		if (bo_new(c.fd, BO_BYTES, 0, &b))
			break;
		draw_make(b.p, b.va, frame);
		if (submit(&c, LIMA_PIPE_GP, frame, sizeof(frame), b.handle) || await(&c, 3000))
			break;
		good += draw_written(b.p) == DRAW_VERTICES;
		bo_free(c.fd, &b);
		/* other memory at the same address */
		if (!draw_works(&c))
			break;
	}
	CHECK(good == 20);
	/* of a freed buffer nothing is mapped */
	CHECK(!submit(&c, LIMA_PIPE_GP, frame, sizeof(frame), 0) && !await(&c, 3000));
	CHECK(recovers(&c));
	client_close(&c);
}

static void test_heap(void)
{
	struct client c;
	struct bo heap;

	CHECK(client_open(&c));
	CHECK(!bo_new(c.fd, 1 << 20, LIMA_BO_FLAG_HEAP, &heap));
	CHECK(hw_inject("out-of-heap 1"));
	c.gp.frame[4] = heap.va;
	c.gp.frame[5] = heap.va + (1 << 20);
	CHECK(!submit_gp(&c, heap.handle) && !await(&c, TIMEOUT_MS - 150));
	CHECK(draw_written(c.bo.p) == DRAW_VERTICES && !errors());
	/* once more, with the larger heap */
	CHECK(hw_inject("out-of-heap 1"));
	CHECK(!submit_gp(&c, heap.handle) && !await(&c, TIMEOUT_MS - 150) && !errors());
	/* one that cannot grow */
	CHECK(hw_inject("out-of-heap 1"));
	c.gp.frame[4] = c.bo.va + 0x8000;
	c.gp.frame[5] = c.bo.va + 0x9000;
	CHECK(fails_soon(&c, submit_gp(&c, 0)));
	bo_free(c.fd, &heap);
	client_close(&c);
}

/* Frames of several clients and both processors in flight. */
static void test_clients(void)
{
	struct client c[8];
	uint32_t i, good = 0;

	for (i = 0; i < 8; i++)
		good += client_open(&c[i]);
	CHECK(good == 8);
	for (i = 0, good = 0; i < 8; i++)
		good += !submit_gp(&c[i], 0) && !submit_pp(&c[i], num_pp, c[i].bo.va, false);
	CHECK(good == 8);
	for (i = 0, good = 0; i < 8; i++)
		good += !await(&c[i], 5000) && draw_written(c[i].bo.p) == DRAW_VERTICES;
	CHECK(good == 8 && !errors());
	for (i = 0; i < 8; i++)
		client_close(&c[i]);
}

static void test_timeout(void)
{
	int64_t begin = now_ns();
	struct client c;
	int i;

	CHECK(client_open(&c));
	/* a list without an end */
	((uint32_t *)(c.bo.p + DRAW_VS))[0] = c.bo.va + DRAW_VS;
	((uint32_t *)(c.bo.p + DRAW_VS))[1] = 0xf0000000;
	CHECK(!submit_gp(&c, 0) && await(&c, 50) == ETIMEDOUT && !await(&c, 5000));
	CHECK(ms_since(begin) >= TIMEOUT_MS - 100 && recovers(&c));
	for (i = 0; i < 2; i++) {
		CHECK(hw_inject("hang 1"));
		CHECK(!(i ? submit_pp(&c, num_pp, c.bo.va, false) : submit_gp(&c, 0)));
		CHECK(!await(&c, 5000) && recovers(&c));
	}
	client_close(&c);
}

static void test_lost_irq(void)
{
	struct client c;

	CHECK(client_open(&c));
	CHECK(hw_inject("lost-irq 1"));
	c.gp.frame[3] = c.gp.frame[2];
	CHECK(!submit_gp(&c, 0) && !await(&c, 5000) && recovers(&c));
	CHECK(hw_inject("spurious-irq 1"));
	CHECK(draw_works(&c));
	CHECK(hw_inject("busy-l2 3"));
	CHECK(draw_works(&c) && pixels_work(&c));
	client_close(&c);
}

static void test_suspend(void)
{
	struct client c;
	char status[32];
	int i;

	CHECK(client_open(&c));
	for (i = 0; i < 3; i++) {
		CHECK(draw_works(&c) && pixels_work(&c));
		usleep(500000);
		CHECK(!strcmp(read_line(DEVICE "power/runtime_status", status, sizeof(status)),
			      "suspended"));
	}
	CHECK(hw_inject("slow-power 3"));
	CHECK(draw_works(&c));
	client_close(&c);
}

static void test_load(void)
{
	struct client c;

	CHECK(!system("rmmod lima"));
	CHECK(open_device() < 0);
	CHECK(!system(access("/stage/module/driver.ko", F_OK) ? "modprobe lima" :
		      "insmod /stage/module/driver.ko"));
	record_errors();
	CHECK(client_open(&c));
	CHECK(draw_works(&c) && pixels_work(&c));
	client_close(&c);
}

static void test_speed(void)
{
	struct client c;
	int64_t begin;
	uint32_t i;

	CHECK(client_open(&c));
	begin = now_ns();
	for (i = 0; i < 200 && !submit_gp(&c, 0) && !await(&c, 3000); i++)
		;
	CHECK(i == 200 && !errors());
	printf("# %lld us per frame\n", (long long)(now_ns() - begin) / 200000);
	/* a driver that waits for timeouts needs 500 ms */
	CHECK(ms_since(begin) < 200 * 100);
	client_close(&c);
}

static const struct {
	const char *name;
	void (*run)(void);
} tests[] = {
	{ "params", test_params }, { "buffers", test_buffers }, { "contexts", test_contexts },
	{ "errors", test_errors }, { "draw", test_draw }, { "pixels", test_pixels },
	{ "faults", test_faults }, { "reuse", test_reuse }, { "heap", test_heap },
	{ "clients", test_clients }, { "speed", test_speed }, { "suspend", test_suspend },
	{ "timeout", test_timeout }, { "lost", test_lost_irq }, { "load", test_load },
};

static bool chosen(const char *name, int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++)
		if (!strcmp(argv[i], name))
			return true;
	return argc == 1;
}

static void ask(void)
{
	struct drm_lima_get_param g = { .param = DRM_LIMA_PARAM_GPU_ID };
	int fd = open_device();

	if (!call(fd, DRM_IOCTL_LIMA_GET_PARAM, &g))
		is_450 = g.value == DRM_LIMA_PARAM_GPU_ID_MALI450;
	g.param = DRM_LIMA_PARAM_NUM_PP;
	if (!call(fd, DRM_IOCTL_LIMA_GET_PARAM, &g))
		num_pp = g.value;
	close(fd);
}

/*
 * lima_bcast_mask_irq() of Linux 6.1 is called with the registers of all PPs instead of those of
 * the unit for broadcasts: after an error on a Mali-450, it clears words of frames that execute.
 */
static unsigned int known_findings(unsigned int from)
{
	static const char text[] = "0x00000000 registers of a frame that executes change";
	char frame[100], rsw[100];

	snprintf(frame, sizeof(frame), "PP_BCAST_FRAME %s", text);
	snprintf(rsw, sizeof(rsw), "PP_BCAST_RSW %s", text);
	return is_450 ? hw_findings_with(from, frame) + hw_findings_with(from, rsw) : 0;
}

int main(int argc, char **argv)
{
	unsigned int i, before, after;

	ask();
	record_errors();
	tap_result(!hw_findings(0), "probe: the register model found nothing");
	for (i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		if (!chosen(tests[i].name, argc, argv))
			continue;
		before = hw_findings(~0U);
		tests[i].run();
		after = hw_findings(before);
		tap_result(after == before + known_findings(before),
			   "%s: the register model found nothing", tests[i].name);
	}
	return tap_done();
}
