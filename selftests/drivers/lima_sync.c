// SPDX-License-Identifier: GPL-2.0
/* Lima: fences of tasks and their errors, waiting for buffers, buffers that clients share. */
#include "lima_ko.h"

#define READ	LIMA_SUBMIT_BO_READ
#define WRITE	LIMA_SUBMIT_BO_WRITE

static int wait_long(void *client)
{
	return await_end(client, 900);
}

/* Who waits for what: readers for writers only. */
void test_waits(void)
{
	static const char * const names[2] = { "drm_sched gp", "drm_sched pp" };
	uint32_t gate, done, i;
	struct client c;
	char name[80];
	int t;

	CHECK(client_open(&c));
	done = sync_new(c.fd);
	for (i = 0; i < 4; i++) {
		bool writes = i & 1;

		t = gate_new(c.fd, &gate);
		if (t < 0) {
			tap_skip("no sw_sync", "%s", __func__);
			break;
		}
		draw_make(c.bo.p, c.bo.va, c.gp.frame);
		/* in one of the two places */
		CHECK(!submit_how(&c, (struct how){
			.pipe = i >> 1, .access = writes ? WRITE : READ,
			.wait = { writes ? gate : 0, writes ? 0 : gate }, .done = done }));
		CHECK(sync_status_name(c.fd, done, name) == 0 && !strcmp(name, names[i >> 1]));
		CHECK(sync_wait(c.fd, done, 30) == ETIME && !draw_written(c.bo.p));
		CHECK(await_bo(c.fd, c.bo.handle, LIMA_GEM_WAIT_READ, -1) == (writes ? EBUSY : 0));
		CHECK(await_bo(c.fd, c.bo.handle, LIMA_GEM_WAIT_WRITE, -1) == EBUSY);
		CHECK(await_bo(c.fd, c.bo.handle, LIMA_GEM_WAIT_WRITE, 30) == ETIMEDOUT);
		CHECK(i || sig_ends(wait_long, &c));
		gate_open(t);
		CHECK(sync_end(c.fd, done) == 1);
		CHECK(draw_written(c.bo.p) == (i >> 1 ? 0 : DRAW_VERTICES));
		CHECK(!await_bo(c.fd, c.bo.handle, LIMA_GEM_WAIT_WRITE, 1000));
		CHECK(!await_bo(c.fd, c.bo.handle, LIMA_GEM_WAIT_WRITE, -1));
		sync_free(c.fd, gate);
	}
	CHECK(!errors());
	client_close(&c);
}

/* A task of the PP after one of the GP that waits for the gate: does it wait, too? */
static void second_waits(struct client *c, uint32_t first, uint32_t second, uint32_t flags,
			 bool wait)
{
	uint32_t gate, done[2] = { sync_new(c->fd), sync_new(c->fd) };
	int t = gate_new(c->fd, &gate);

	if (t < 0)
		return;
	draw_make(c->bo.p, c->bo.va, c->gp.frame);
	CHECK(!submit_how(c, (struct how){
		.pipe = LIMA_PIPE_GP, .access = first, .wait = { gate }, .done = done[0] }));
	CHECK(!submit_how(c, (struct how){
		.pipe = LIMA_PIPE_PP, .access = second, .flags = flags, .done = done[1] }));
	if (wait)
		CHECK(sync_wait(c->fd, done[1], 50) == ETIME);
	else
		CHECK(sync_end(c->fd, done[1]) == 1);
	CHECK(sync_status(c->fd, done[0]) == 0);
	gate_open(t);
	CHECK(sync_end(c->fd, done[0]) == 1 && sync_end(c->fd, done[1]) == 1);
	sync_free(c->fd, gate);
	sync_free(c->fd, done[0]);
	sync_free(c->fd, done[1]);
}

void test_implicit(void)
{
	struct client c;

	CHECK(client_open(&c));
	second_waits(&c, WRITE, WRITE, 0, true);
	second_waits(&c, WRITE, READ, 0, true);
	second_waits(&c, READ, WRITE, 0, true);
	second_waits(&c, READ, READ, 0, false);
	second_waits(&c, WRITE, WRITE, LIMA_SUBMIT_FLAG_EXPLICIT_FENCE, false);
	CHECK(!errors() && draw_works(&c));
	client_close(&c);
}

/* The hardware's fences of a processor have ascending numbers. */
static void numbers(struct client *c)
{
	static const char event[] = TRACING "events/dma_fence/dma_fence_init/enable";
	unsigned int n, last = 0, seen = 0, good = 0, i;
	char line[512], *at;
	FILE *trace;

	close(open(TRACING "trace", O_WRONLY | O_TRUNC));
	if (!hw_write(event, "1"))
		return;
	for (i = 0; i < 3; i++)
		CHECK(draw_works(c));
	hw_write(event, "0");
	trace = fopen(TRACING "trace", "r");
	while (trace && fgets(line, sizeof(line), trace)) {
		at = strstr(line, "driver=lima ") ? strstr(line, "seqno=") : NULL;
		if (!at || sscanf(at, "seqno=%u", &n) != 1)
			continue;
		good += !seen++ || n == last + 1;
		last = n;
	}
	if (trace)
		fclose(trace);
	CHECK(seen == 3 && good == 3);
}

/* A fence tells that its task failed; the next one works. */
void test_fences(void)
{
	uint32_t done, i;
	struct client c;

	CHECK(client_open(&c));
	done = sync_new(c.fd);
	for (i = 0; i < 4; i++) {
		draw_make(c.bo.p, c.bo.va, c.gp.frame);
		if (i < 2) {
			/* a page that is not there */
			((uint32_t *)(c.bo.p + DRAW_VS))[0] = NOWHERE;
			((uint32_t *)(c.bo.p + DRAW_VS))[1] = 0xf0000000;
			((uint32_t *)(c.bo.p + DRAW_TILES))[1] = 0xb8000000;
		} else {
			CHECK(hw_inject("hang 1"));
		}
		CHECK(!submit_how(&c, (struct how){
			.pipe = i & 1, .access = WRITE, .done = done }));
		CHECK(sync_end(c.fd, done) == -ECANCELED);
		CHECK(recovers(&c));
	}
	numbers(&c);
	client_close(&c);
}

/* A file has a buffer twice: its address stays until the second handle is closed. */
void test_handles(void)
{
	struct drm_gem_close close_first = {};
	struct drm_lima_gem_info info = {};
	struct client c, other;

	CHECK(client_on(&c, open_primary()) && client_open(&other));
	info.handle = bo_again(c.fd, c.bo.handle);
	CHECK(info.handle && info.handle != c.bo.handle);
	CHECK(!bo_again(other.fd, other.bo.handle));
	CHECK(!call(c.fd, DRM_IOCTL_LIMA_GEM_INFO, &info) && info.va == c.bo.va);
	close_first.handle = c.bo.handle;
	CHECK(!call(c.fd, DRM_IOCTL_GEM_CLOSE, &close_first));
	c.bo.handle = info.handle;
	CHECK(draw_works(&c) && pixels_work(&c));
	client_close(&c);
	client_close(&other);
}

/* A buffer that two files have. */
void test_shared(void)
{
	uint32_t before = hw_buffers(), gate, done, handle;
	struct drm_lima_gem_info info = {};
	struct client a, b;
	struct bo heap;
	int buf, t;
	void *p;

	CHECK(client_open(&a) && client_open(&b));
	buf = bo_export(a.fd, a.bo.handle);
	handle = bo_import(b.fd, buf);
	CHECK(buf >= 0 && handle);
	info.handle = handle;
	CHECK(!call(b.fd, DRM_IOCTL_LIMA_GEM_INFO, &info) && info.va && info.offset);
	p = mmap(NULL, BO_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, buf, 0);
	a.bo.p[0xf000] = 0x55;
	CHECK(p != MAP_FAILED && ((uint8_t *)p)[0xf000] == 0x55);
	munmap(p, BO_BYTES);
	/* b's task waits for a's; so do those that have no task, readers for writers only */
	t = gate_new(a.fd, &gate);
	if (t >= 0) {
		struct drm_lima_gem_submit_bo bo = { handle, WRITE };
		struct drm_lima_gem_submit_bo both[2];
		uint32_t frame[6], first[6];
		struct bo own;
		struct drm_lima_gem_submit s = {
			.ctx = b.ctx, .nr_bos = 1, .bos = (uintptr_t)&bo, .frame = (uintptr_t)frame,
			.frame_size = sizeof(frame),
		};

		done = sync_new(b.fd);
		s.out_sync = done;
		CHECK(!bo_new(a.fd, BO_BYTES, 0, &own));
		draw_make(own.p, own.va, first);
		both[0] = (struct drm_lima_gem_submit_bo){ own.handle, WRITE };
		both[1] = (struct drm_lima_gem_submit_bo){ a.bo.handle, READ };
		CHECK(!call(a.fd, DRM_IOCTL_LIMA_GEM_SUBMIT, &(struct drm_lima_gem_submit){
			.ctx = a.ctx, .nr_bos = 2, .bos = (uintptr_t)both,
			.frame = (uintptr_t)first, .frame_size = sizeof(first),
			.in_sync = { gate } }));
		CHECK(bo_status(buf, false) && !bo_status(buf, true));
		draw_make(a.bo.p, info.va, frame);
		CHECK(!call(b.fd, DRM_IOCTL_LIMA_GEM_SUBMIT, &s));
		CHECK(!bo_status(buf, false) && !bo_status(buf, true));
		CHECK(sync_wait(b.fd, done, 50) == ETIME && !draw_written(a.bo.p));
		CHECK(await_bo(b.fd, handle, LIMA_GEM_WAIT_READ, -1) == EBUSY);
		gate_open(t);
		CHECK(sync_end(b.fd, done) == 1 && draw_written(a.bo.p) == DRAW_VERTICES);
		CHECK(draw_written(own.p) == DRAW_VERTICES);
		bo_free(a.fd, &own);
	}
	close(buf);
	/* a heap is not for others */
	CHECK(!bo_new(a.fd, 1 << 20, LIMA_BO_FLAG_HEAP, &heap));
	if (!system("modprobe vgem 2>/dev/null")) {
		int other = open("/dev/dri/card1", O_RDWR);

		buf = bo_export(a.fd, heap.handle);
		CHECK(buf < 0 || other < 0 || !bo_import(other, buf));
		close(buf);
		buf = bo_export(a.fd, a.bo.handle);
		CHECK(other < 0 || bo_import(other, buf));
		close(buf);
		close(other);
	}
	client_close(&a);
	CHECK(draw_works(&b));
	client_close(&b);
	CHECK(hw_buffers_are(before));
}
