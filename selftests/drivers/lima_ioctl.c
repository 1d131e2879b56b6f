// SPDX-License-Identifier: GPL-2.0
/* Lima: each ioctl with each of its errors, addresses, registers of frames, failing allocations. */
#include "lima_ko.h"

#define MIB	(1U << 20)

/* ---- submit ---- */

static int raw(struct client *c, struct drm_lima_gem_submit s)
{
	struct drm_lima_gem_submit_bo bo = { c->bo.handle, LIMA_SUBMIT_BO_WRITE };

	s.ctx = s.ctx ? s.ctx - 1 : c->ctx;
	if (!s.bos)
		s.bos = (uintptr_t)&bo;
	if (!s.nr_bos)
		s.nr_bos = 1;
	if (!s.frame)
		s.frame = (uintptr_t)&c->gp;
	if (!s.frame_size)
		s.frame_size = sizeof(c->gp);
	return call(c->fd, DRM_IOCTL_LIMA_GEM_SUBMIT, &s);
}

static int with_frame(struct client *c, uint32_t at, uint32_t value)
{
	struct drm_lima_gp_frame f = c->gp;

	f.frame[at] = value;
	return raw(c, (struct drm_lima_gem_submit){ .frame = (uintptr_t)&f });
}

static void ioctl_frames(struct client *c)
{
	struct drm_lima_m450_pp_frame f8;
	struct drm_lima_m400_pp_frame f4;
	uint32_t i;

	/* each end before its begin */
	for (i = 0; i < 6; i += 2)
		CHECK(with_frame(c, i + 1, c->gp.frame[i] - 4) == EINVAL);
	make_pp(c->bo.va, num_pp, false, &f4, &f8);
	f8._pad = 1;
	CHECK(!is_450 || raw(c, (struct drm_lima_gem_submit){
		.pipe = LIMA_PIPE_PP, .frame = (uintptr_t)&f8,
		.frame_size = sizeof(f8) }) == EINVAL);
	CHECK(raw(c, (struct drm_lima_gem_submit){
		.pipe = LIMA_PIPE_PP, .frame = (uintptr_t)&f8,
		.frame_size = is_450 ? sizeof(f4) : sizeof(f8) }) == EINVAL);
	CHECK(raw(c, (struct drm_lima_gem_submit){
		.pipe = LIMA_PIPE_PP, .frame = 8,
		.frame_size = is_450 ? sizeof(f8) : sizeof(f4) }) == EFAULT);
}

static void ioctl_submit(struct client *c)
{
	struct drm_lima_gem_submit_bo bad[2] = { { c->bo.handle, 1 }, { 999, 1 } };
	struct drm_lima_gem_submit_bo twice[2] = { { c->bo.handle, 1 }, { c->bo.handle, 1 } };
	uint32_t done = sync_new(c->fd), empty = sync_new(c->fd), i;

	CHECK(raw(c, (struct drm_lima_gem_submit){ .flags = 2 }) == EINVAL);
	CHECK(raw(c, (struct drm_lima_gem_submit){ .ctx = 1000 }) == ENOENT);
	CHECK(raw(c, (struct drm_lima_gem_submit){ .bos = 8 }) == EFAULT);
	CHECK(raw(c, (struct drm_lima_gem_submit){ .out_sync = 999 }) == ENOENT);
	for (i = 0; i < 2; i++) {
		struct drm_lima_gem_submit s = { .out_sync = done };

		s.in_sync[i] = 999;
		CHECK(raw(c, s) == ENOENT);
		s.in_sync[i] = empty;
		CHECK(raw(c, s) == EINVAL);
	}
	CHECK(raw(c, (struct drm_lima_gem_submit){
		.bos = (uintptr_t)bad, .nr_bos = 2, .out_sync = done }) == ENOENT);
	CHECK(raw(c, (struct drm_lima_gem_submit){
		.bos = (uintptr_t)twice, .nr_bos = 2, .out_sync = done }) == EALREADY);
	CHECK(sync_status(c->fd, done) == SYNC_NONE);
	ioctl_frames(c);
	CHECK(!raw(c, (struct drm_lima_gem_submit){ .out_sync = done }));
	CHECK(sync_end(c->fd, done) == 1 && draw_written(c->bo.p) == DRAW_VERTICES);
	sync_free(c->fd, done);
	sync_free(c->fd, empty);
	CHECK(raw(c, (struct drm_lima_gem_submit){ .out_sync = done }) == ENOENT);
}

void test_ioctls(void)
{
	struct client c;

	CHECK(client_open(&c));
	ioctl_submit(&c);
	CHECK(draw_works(&c) && pixels_work(&c));
	client_close(&c);
}

/* ---- addresses and heaps ---- */

void test_space(void)
{
	uint32_t before = hw_buffers(), base, rest;
	struct drm_lima_gem_info info = {};
	struct bo a, b, heap;
	struct client c;

	CHECK(client_open(&c));
	base = hw_buffers();
	CHECK(!bo_new(c.fd, BO_BYTES, 0, &a) && !bo_new(c.fd, BO_BYTES, 0, &b));
	CHECK(hw_buffers() == base + 2 * BO_BYTES / 1024);
	CHECK(a.va % 4096 == 0 && (a.va + BO_BYTES <= b.va || b.va + BO_BYTES <= a.va));
	a.p[BO_BYTES - 1] = 1;
	b.p[BO_BYTES - 1] = 2;
	CHECK(a.p[BO_BYTES - 1] == 1);
	bo_free(c.fd, &a);
	bo_free(c.fd, &b);
	CHECK(hw_buffers_are(base));
	/* a heap begins with 8 pages, and no one maps it */
	CHECK(!bo_new(c.fd, MIB, LIMA_BO_FLAG_HEAP, &heap) && hw_buffers() == base + 32);
	info.handle = heap.handle;
	CHECK(!call(c.fd, DRM_IOCTL_LIMA_GEM_INFO, &info));
	CHECK(mmap(NULL, 4096, PROT_READ, MAP_SHARED, c.fd, info.offset) == MAP_FAILED);
	bo_free(c.fd, &heap);
	CHECK(hw_buffers_are(base));
	/* one that is smaller */
	CHECK(!bo_new(c.fd, 8192, LIMA_BO_FLAG_HEAP, &heap) && hw_buffers() == base + 8);
	bo_free(c.fd, &heap);
	/* the space is full; a failure leaves nothing */
	CHECK(!bo_new(c.fd, 0xc0000000, LIMA_BO_FLAG_HEAP, &heap));
	CHECK(bo_new(c.fd, 0x50000000, LIMA_BO_FLAG_HEAP, &a) == ENOSPC);
	bo_free(c.fd, &heap);
	CHECK(!bo_new(c.fd, 0xc0000000, LIMA_BO_FLAG_HEAP, &heap));
	bo_free(c.fd, &heap);
	CHECK(hw_buffers_are(base));
	/* all there is: on a Mali-450 without the pages of the DLBU */
	rest = (is_450 ? 0xfff00000 : 0) - (c.bo.va + BO_BYTES);
	CHECK(!bo_new(c.fd, rest, LIMA_BO_FLAG_HEAP, &heap) && heap.va == c.bo.va + BO_BYTES);
	CHECK(bo_new(c.fd, 4096, 0, &a) == ENOSPC);
	bo_free(c.fd, &heap);
	CHECK(draw_works(&c));
	client_close(&c);
	CHECK(hw_buffers_are(before));
}

/* A heap grows from 8 pages to its size, by the factor 2, after an interrupt. */
void test_growth(void)
{
	/* interrupts are masked until the heap has grown; caches and translations are dropped */
	const struct hw_access grows[] = {
		{ 'R', "GP_INT_STAT", 4, 4 }, HW_WRITE("GP_INT_MASK", 0),
		{ 'W', "GP_INT_CLEAR", 4, 4 },
		HW_WRITE(is_450 ? "L2_CACHE_GP_COMMAND" : "L2_CACHE_COMMAND", 1),
		HW_WRITE("GPMMU_COMMAND", 4), HW_WRITE("GP_INT_MASK", 0x706e47),
		HW_WRITES("GP_PLBU_ALLOC_START_ADDR"), HW_WRITES("GP_PLBU_ALLOC_END_ADDR"),
		HW_WRITE("GP_CMD", 1 << 4),
	};
	uint32_t base, kib[] = { 64, 128, 160 }, i, said;
	uint64_t time;
	struct client c;
	struct bo heap;

	CHECK(client_open(&c));
	base = hw_buffers();
	CHECK(!bo_new(c.fd, 160 << 10, LIMA_BO_FLAG_HEAP, &heap));
	c.gp.frame[4] = heap.va;
	c.gp.frame[5] = heap.va + (160 << 10);
	for (i = 0; i < 3; i++) {
		said = hw_said("lima job timeout");
		time = hw_log_time();
		draw_forget(c.bo.p);
		CHECK(hw_inject("out-of-heap 1"));
		CHECK(!submit_gp(&c, heap.handle) && !await(&c, 3000) && !errors());
		CHECK(hw_sequence(time, grows, sizeof(grows) / sizeof(grows[0])));
		CHECK(draw_written(c.bo.p) == DRAW_VERTICES);
		CHECK(hw_said("lima job timeout") == said);
		CHECK(hw_buffers() == base + kib[i]);
	}
	CHECK(hw_logged('W', "GP_PLBU_ALLOC_END_ADDR", heap.va + (32 << 10)));
	CHECK(hw_logged('W', "GP_PLBU_ALLOC_START_ADDR", heap.va + (32 << 10)));
	CHECK(hw_logged('W', "GP_PLBU_ALLOC_END_ADDR", heap.va + (64 << 10)));
	/* it is full: the task fails */
	CHECK(hw_inject("out-of-heap 1"));
	CHECK(fails_soon(&c, submit_gp(&c, heap.handle)));
	CHECK(hw_buffers() == base + 160);
	bo_free(c.fd, &heap);
	CHECK(hw_buffers_are(base));
	client_close(&c);
}

/**
 * struct room - Where a frame's PLBU allocates
 * @begin:	address
 * @end:	its end
 * @bos:	buffers of the frame beside the client's; 0: none
 */
struct room {
	uint32_t begin;
	uint32_t end;
	uint32_t bos[2];
};

/* A draw that runs out of its room, if @full. Return: of SUBMIT. */
static int submit_room(struct client *c, const struct room *r, bool full)
{
	struct drm_lima_gem_submit_bo bos[3] = {
		{ c->bo.handle, LIMA_SUBMIT_BO_WRITE }, { r->bos[0], LIMA_SUBMIT_BO_WRITE },
		{ r->bos[1], LIMA_SUBMIT_BO_WRITE },
	};

	draw_make(c->bo.p, c->bo.va, c->gp.frame);
	c->gp.frame[4] = r->begin;
	c->gp.frame[5] = r->end;
	CHECK(!full || hw_inject("out-of-heap 1"));
	return raw(c, (struct drm_lima_gem_submit){
		.bos = (uintptr_t)bos, .nr_bos = 1 + !!r->bos[0] + !!r->bos[1] });
}

/* The room of a frame is as it says: nothing of it grows, and the task fails when it is full. */
static bool room_is_fixed(struct client *c, const struct room *r)
{
	const struct hw_access starts[] = {
		HW_WRITE("GP_PLBU_ALLOC_START_ADDR", r->begin),
		HW_WRITE("GP_PLBU_ALLOC_END_ADDR", r->end), HW_WRITE("GP_CMD", 3),
	};
	uint64_t time = hw_log_time();
	uint32_t base = hw_buffers();

	return !submit_room(c, r, false) && !await(c, 3000) && !errors() &&
	       hw_sequence(time, starts, sizeof(starts) / sizeof(starts[0])) &&
	       !submit_room(c, r, true) && !await(c, 5000) && recovers(c) && hw_buffers() == base;
}

/* It is the heap's of @kib KiB, whose end the driver knows, and is twice as large then. */
static bool room_grows(struct client *c, const struct room *r, uint32_t kib)
{
	const struct hw_access grows[] = {
		HW_WRITE("GP_PLBU_ALLOC_START_ADDR", r->begin),
		HW_WRITE("GP_PLBU_ALLOC_END_ADDR", r->begin + kib * 1024),
		HW_WRITE("GP_PLBU_ALLOC_START_ADDR", r->begin + kib * 1024),
		HW_WRITE("GP_PLBU_ALLOC_END_ADDR", r->begin + kib * 2048),
	};
	uint64_t time = hw_log_time();
	uint32_t base = hw_buffers();

	return !submit_room(c, r, true) && !await(c, 3000) && !errors() &&
	       draw_written(c->bo.p) == DRAW_VERTICES &&
	       hw_sequence(time, grows, sizeof(grows) / sizeof(grows[0])) &&
	       hw_buffers() == base + kib;
}

/* Of a frame's buffers only the heap grows that its PLBU allocates from. */
void test_rooms(void)
{
	struct bo plain, heap[2];
	struct client c;
	uint32_t i;

	CHECK(client_open(&c));
	CHECK(!bo_new(c.fd, BO_BYTES, 0, &plain));
	CHECK(!bo_new(c.fd, MIB, LIMA_BO_FLAG_HEAP, &heap[0]));
	CHECK(!bo_new(c.fd, MIB, LIMA_BO_FLAG_HEAP, &heap[1]));
	for (i = 0; i < 2; i++) {
		uint32_t first = heap[i].handle, second = heap[!i].handle;

		CHECK(room_grows(&c, &(struct room){
			heap[1].va, heap[1].va + MIB, { first, second } }, 32U << i));
		CHECK(room_grows(&c, &(struct room){
			heap[0].va, heap[0].va + MIB, { first, second } }, 32U << i));
		/* a buffer that is no heap, and not all of it, beside one that is */
		CHECK(room_is_fixed(&c, &(struct room){
			plain.va, plain.va + 0x3000, { plain.handle, first } }));
		CHECK(room_is_fixed(&c, &(struct room){
			plain.va, plain.va + 0x3000, { first, plain.handle } }));
		/* nor from the middle of a heap */
		CHECK(room_is_fixed(&c, &(struct room){
			heap[i].va + 4096, heap[i].va + 0x4000, { first } }));
	}
	CHECK(room_is_fixed(&c, &(struct room){
		plain.va, plain.va + BO_BYTES, { plain.handle } }));
	CHECK(draw_works(&c));
	bo_free(c.fd, &plain);
	bo_free(c.fd, &heap[0]);
	bo_free(c.fd, &heap[1]);
	client_close(&c);
}

/* ---- registers of a frame ---- */

void test_registers(void)
{
	static const char * const names[] = {
		"FRAME", "RSW", "VERTEX", "FLAGS", "CLEAR_DEPTH", "CLEAR_STENCIL", "CLEAR_COLOR0",
		"CLEAR_COLOR1", "CLEAR_COLOR2", "CLEAR_COLOR3", "WIDTH", "HEIGHT", "STACK",
		"STACK_SIZE",
	};
	struct drm_lima_m450_pp_frame f8;
	struct drm_lima_m400_pp_frame f4;
	uint32_t i, *frame = is_450 ? f8.frame : f4.frame, good = 0;
	const char *unit = is_450 ? "PP_BCAST" : "PP0";
	struct client c;
	char reg[64];
	int ret;

	CHECK(client_open(&c));
	make_pp(c.bo.va, num_pp, false, &f4, &f8);
	for (i = 4; i < 10; i++)
		frame[i] = 0x20 + i;
	for (i = 0; i < num_pp; i++) {
		memcpy(c.bo.p + 0x8000 + i * 64, c.bo.p + DRAW_TILES, 8);
		if (is_450) {
			f8.plbu_array_address[i] = c.bo.va + 0x8000 + i * 64;
			f8.fragment_stack_address[i] = c.bo.va + 0x9000 + i * 256;
		} else {
			f4.plbu_array_address[i] = c.bo.va + 0x8000 + i * 64;
			f4.fragment_stack_address[i] = c.bo.va + 0x9000 + i * 256;
		}
	}
	ret = is_450 ? submit(&c, LIMA_PIPE_PP, &f8, sizeof(f8), 0) :
		       submit(&c, LIMA_PIPE_PP, &f4, sizeof(f4), 0);
	/* how a frame with a stack and no program ends does not matter */
	CHECK(!ret && !await(&c, 3000));
	errors();
	CHECK(new_context(&c));
	for (i = 0; i < num_pp; i++) {
		snprintf(reg, sizeof(reg), "PP%u_FRAME", i);
		good += hw_logged('W', reg, c.bo.va + 0x8000 + i * 64);
		snprintf(reg, sizeof(reg), "PP%u_STACK", i);
		good += hw_logged('W', reg, c.bo.va + 0x9000 + i * 256);
	}
	CHECK(good == 2 * num_pp);
	for (i = 1, good = 0; i < 12; i++) {
		snprintf(reg, sizeof(reg), "%s_%s", unit, names[i]);
		if (hw_logged('W', reg, frame[i]))
			good++;
		else
			printf("# %s is not 0x%x\n", reg, frame[i]);
	}
	CHECK(good == 11);
	/* the lists of the DLBU, by all of its processors */
	if (is_450) {
		make_pp(c.bo.va, num_pp, true, &f4, &f8);
		f8.dlbu_regs[0] = c.bo.va + DRAW_TILES;
		f8.dlbu_regs[1] = 0x10001;
		f8.dlbu_regs[2] = 0x20002;
		f8.dlbu_regs[3] = 0x30003;
		CHECK(!submit(&c, LIMA_PIPE_PP, &f8, sizeof(f8), 0) && !await(&c, 3000));
		errors();
		CHECK(new_context(&c));
		CHECK(hw_logged('W', "DLBU_TLLIST_VBASEADDR", c.bo.va + DRAW_TILES));
		CHECK(hw_logged('W', "DLBU_FB_DIM", 0x10001));
		CHECK(hw_logged('W', "DLBU_TLLIST_CONF", 0x20002));
		CHECK(hw_logged('W', "DLBU_START_TILE_POS", 0x30003));
		CHECK(hw_logged('W', "DLBU_PP_ENABLE_MASK", (1 << num_pp) - 1));
		CHECK(hw_logged('W', "BCAST_BROADCAST_MASK", 0x10001 * ((1 << num_pp) - 1)));
		CHECK(hw_logged('W', "BCAST_INTERRUPT_MASK", (1 << num_pp) - 1));
	}
	CHECK(pixels_work(&c));
	client_close(&c);
}

/* ---- allocations that fail ---- */

static int fail_create(void *arg)
{
	struct client *c = arg;
	struct drm_lima_gem_create create = { .size = 16384 };
	int ret = call(c->fd, DRM_IOCTL_LIMA_GEM_CREATE, &create);
	struct drm_gem_close d = { .handle = create.handle };

	if (!ret)
		call(c->fd, DRM_IOCTL_GEM_CLOSE, &d);
	return ret;
}

static int fail_heap(void *arg)
{
	struct client *c = arg;
	struct drm_lima_gem_create create = { .size = MIB, .flags = LIMA_BO_FLAG_HEAP };
	int ret = call(c->fd, DRM_IOCTL_LIMA_GEM_CREATE, &create);
	struct drm_gem_close d = { .handle = create.handle };

	if (!ret)
		call(c->fd, DRM_IOCTL_GEM_CLOSE, &d);
	return ret;
}

static int fail_submit(void *arg)
{
	struct client *c = arg;
	int ret = submit_gp(c, 0);

	return ret ?: await(c, 3000);
}

static int fail_open(void *arg)
{
	struct drm_version v = {};
	int fd = open("/dev/dri/renderD128", O_RDWR), ret;

	if (fd < 0)
		return errno;
	ret = call(fd, DRM_IOCTL_VERSION, &v);
	close(fd);
	return ret;
}

static int fail_context(void *arg)
{
	struct client *c = arg;
	struct drm_lima_ctx_create ctx = {};
	struct drm_lima_ctx_free f = {};
	int ret = call(c->fd, DRM_IOCTL_LIMA_CTX_CREATE, &ctx);

	f.id = ctx.id;
	return ret ?: call(c->fd, DRM_IOCTL_LIMA_CTX_FREE, &f);
}

/*
 * A buffer at the end of a table: the next one, with the page that is written, has no memory. The
 * address space is a new one, as a table stays.
 */
static int fail_table(void *arg)
{
	struct client *c = arg, other;
	char left[16];
	struct bo b;
	int ret;

	fail_pause(left);
	CHECK_ROUND(client_open(&other) && table_filled(&other, TABLE_MIB * MIB - DRAW_OUT));
	fail_again(left);
	ret = bo_new(other.fd, BO_BYTES, 0, &b);
	fail_pause(left);
	if (!ret) {
		CHECK_ROUND(b.va == TABLE_MIB * MIB - DRAW_OUT);
		draw_make(b.p, b.va, other.gp.frame);
		CHECK_ROUND(!submit_gp(&other, b.handle) && !await(&other, 3000) && !errors());
		CHECK_ROUND(draw_written(b.p) == DRAW_VERTICES);
		bo_free(other.fd, &b);
	}
	/* nothing is mapped that is not there */
	CHECK_ROUND(draw_works(&other) && draw_works(c));
	client_close(&other);
	fail_again(left);
	return ret;
}

void test_no_memory(void)
{
	uint32_t before = hw_buffers();
	struct client c;
	int n[5];

	/* not SUBMIT: test_submit_fails() */
	if (!fail_init()) {
		tap_skip("no fault injection", "%s", __func__);
		return;
	}
	CHECK(client_open(&c));
	CHECK(draw_works(&c));
	n[0] = fail_each(fail_create, &c, "create", 0);
	n[1] = fail_each(fail_open, &c, "open", 0);
	n[2] = fail_each(fail_context, &c, "context", 0);
	n[3] = fail_each(fail_heap, &c, "heap", 0);
	fail_pages(true);
	n[4] = fail_each(fail_table, &c, "table", 0);
	CHECK(fail_each(fail_create, &c, "create", 0) > 4);
	CHECK(fail_each(fail_heap, &c, "heap", 0) > 4);
	CHECK(fail_each(fail_open, &c, "open", 0) > 4);
	fail_pages(false);
	printf("# %d, %d, %d, %d, %d allocations have failed\n", n[0], n[1], n[2], n[3], n[4]);
	CHECK(n[0] > 4 && n[1] > 4 && n[2] > 1 && n[3] > 4 && n[4] > 4);
	CHECK(draw_works(&c) && pixels_work(&c));
	client_close(&c);
	CHECK(hw_buffers_are(before));
}

/* Linux leaks all of a task whose fences have no memory (submit-no-memory): the next failure. */
#define BEFORE_FENCES	3
/* The second copy follows the first allocation. */
#define SECOND_COPY	2

/**
 * struct attempt - A draw in a buffer that has no fences yet
 * @c:		the client
 * @before:	a syncobj whose fence it waits for
 * @nth:	which allocation fails
 * @ret:	of SUBMIT
 * @over:	there were not as many
 */
struct attempt {
	struct client *c;
	uint32_t before;
	int nth;
	int ret;
	bool over;
};

/* A task without memory is not executed, and leaves its buffer and fences as they were. */
static void try_submit(struct attempt *a)
{
	struct client *c = a->c;
	uint32_t done = sync_new(c->fd);
	struct drm_lima_gp_frame f;
	struct bo b;

	CHECK_ROUND(!bo_new(c->fd, BO_BYTES, 0, &b));
	draw_make(b.p, b.va, f.frame);
	struct drm_lima_gem_submit_bo bos[2] = {
		{ c->bo.handle, LIMA_SUBMIT_BO_READ }, { b.handle, LIMA_SUBMIT_BO_WRITE },
	};
	struct drm_lima_gem_submit s = {
		.bos = (uintptr_t)bos, .nr_bos = 2, .frame = (uintptr_t)&f, .out_sync = done,
		.in_sync = { a->before },
	};
	char text[16];

	snprintf(text, sizeof(text), "%d", a->nth);
	hw_write(FAIL_NTH, text);
	a->ret = raw(c, s);
	read_line(FAIL_NTH, text, sizeof(text));
	hw_write(FAIL_NTH, "0");
	a->over = atoi(text);
	if (a->ret) {
		CHECK_ROUND(a->ret == ENOMEM || a->ret == EFAULT);
		CHECK_ROUND(sync_status(c->fd, done) == SYNC_NONE && !draw_written(b.p));
		CHECK_ROUND(!await_bo(c->fd, b.handle, LIMA_GEM_WAIT_WRITE, -1));
	} else {
		CHECK_ROUND(sync_end(c->fd, done) == 1 && draw_written(b.p) == DRAW_VERTICES);
	}
	bo_free(c->fd, &b);
	sync_free(c->fd, done);
}

/* Each allocation of SUBMIT fails once, but that of the task's fences. */
void test_submit_fails(void)
{
	uint32_t before = hw_buffers(), base, n[2] = {}, last = 0, step = 0;
	struct attempt a = {};
	struct client c;

	if (!fail_init()) {
		tap_skip("no fault injection", "%s", __func__);
		return;
	}
	/* no other failure comes between the third and the fences */
	fail_pages(false);
	CHECK(client_open(&c) && draw_works(&c));
	a.c = &c;
	a.before = sync_new(c.fd);
	CHECK(!raw(&c, (struct drm_lima_gem_submit){ .out_sync = a.before }));
	CHECK(sync_end(c.fd, a.before) == 1);
	base = hw_buffers();
	for (a.nth = 1; a.nth < 100 && !a.over; a.nth++) {
		/* kmemleak allocates, too, for each allocation */
		if (n[1] == BEFORE_FENCES && a.nth == last + step)
			continue;
		try_submit(&a);
		n[0] += a.ret == EFAULT;
		n[1] += a.ret == ENOMEM;
		if (a.ret == ENOMEM && n[1] <= BEFORE_FENCES)
			last = a.nth;
		if (a.ret == EFAULT && n[0] == SECOND_COPY)
			step = a.nth - last;
		CHECK_ROUND(hw_buffers_are(base));
	}
	printf("# %u copies and %u allocations have failed\n", n[0], n[1]);
	CHECK(n[0] >= 3 && n[1] > BEFORE_FENCES && a.over && !a.ret);
	CHECK(draw_works(&c) && pixels_work(&c));
	client_close(&c);
	CHECK(hw_buffers_are(before));
}

/*
 * By its name only: Linux 6.1 leaks the buffers and the task when SUBMIT has no memory for the
 * task's fences (submit-no-memory), and the module's end then finds what is left.
 */
void test_submit_memory(void)
{
	uint32_t before = hw_buffers();
	struct client c;

	CHECK(fail_init() && client_open(&c));
	CHECK(fail_each(fail_submit, &c, "submit", 0) > 4);
	CHECK(draw_works(&c));
	client_close(&c);
	hw_known(hw_buffers_are(before), "submit-no-memory",
		 "without memory for its fences a task keeps its buffers for ever");
}
