// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's lima driver on a register model: each ioctl and its errors, frames of both
 * processors, growth of heaps, faults, hangs, resets, runtime suspend, failures of the hardware,
 * another load of the module. Findings of the model are failures.
 *
 * usage: test_lima_ko [--stop] [--reload] [NAME...]
 */
#include "lima_ko.h"

uint32_t num_pp;
bool is_450;
bool probes_failed;

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
	CHECK(call(fd, DRM_IOCTL_LIMA_GEM_WAIT, &w) == EINVAL);
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
	/* a tile without a list */
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

/*
 * lima_bcast_mask_irq() and lima_bcast_reset() of Linux 6.1 are called with the registers of all
 * PPs instead of those of the unit for broadcasts: after an error on a Mali-450, they clear words
 * of frames that execute.
 */
static unsigned int known_findings(unsigned int from)
{
	static const char text[] = "0x00000000 registers of a frame that executes change";
	char frame[100], rsw[100];

	snprintf(frame, sizeof(frame), "PP_BCAST_FRAME %s", text);
	snprintf(rsw, sizeof(rsw), "PP_BCAST_RSW %s", text);
	return is_450 ? hw_findings_with(from, frame) + hw_findings_with(from, rsw) : 0;
}

/* After an error of a frame that was broadcast to all PPs. */
static void known_broadcasts(unsigned int from)
{
	hw_known(!known_findings(from), "broadcast-mask",
		 "words of a frame are cleared instead of the masks of broadcasts");
	hw_known(hw_logged('W', "BCAST_INTERRUPT_MASK", 0), "broadcast-interrupt",
		 "the interrupt of broadcasts is not masked after an error");
}

static void test_timeout(void)
{
	unsigned int before = hw_findings(~0U);
	int64_t begin = now_ns();
	struct client c;
	int i, early;

	CHECK(client_open(&c));
	/* a list without an end */
	((uint32_t *)(c.bo.p + DRAW_VS))[0] = c.bo.va + DRAW_VS;
	((uint32_t *)(c.bo.p + DRAW_VS))[1] = 0xf0000000;
	CHECK(!submit_gp(&c, 0));
	/* a busy machine has let the time pass: EBUSY, or 0 when the job has ended */
	early = await(&c, 50);
	CHECK(early == ETIMEDOUT || early == EBUSY ||
	      (!early && ms_since(begin) >= TIMEOUT_MS - 100));
	CHECK(!await(&c, 5000));
	CHECK(ms_since(begin) >= TIMEOUT_MS - 100 && recovers(&c));
	for (i = 0; i < 2; i++) {
		CHECK(hw_inject("hang 1"));
		CHECK(!(i ? submit_pp(&c, num_pp, c.bo.va, false) : submit_gp(&c, 0)));
		CHECK(!await(&c, 5000) && recovers(&c));
	}
	client_close(&c);
	if (is_450)
		known_broadcasts(before);
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
	/* an interrupt without a cause does not end a frame that hangs */
	if (!is_450) {
		CHECK(hw_inject("hang 1") && hw_inject("spurious-pp 1"));
		CHECK(!submit_pp(&c, num_pp, c.bo.va, false) && !await(&c, 5000));
		CHECK(recovers(&c));
	}
	CHECK(hw_inject("busy-l2 3"));
	CHECK(draw_works(&c) && pixels_work(&c));
	client_close(&c);
}

static void test_suspend(void)
{
	struct client c;
	int i;

	CHECK(client_open(&c));
	for (i = 0; i < 3; i++) {
		CHECK(draw_works(&c) && pixels_work(&c));
		CHECK(hw_suspends());
	}
	CHECK(hw_inject("slow-power 3"));
	CHECK(draw_works(&c));
	client_close(&c);
}

static void test_load(void)
{
	struct client c;
	int mappings;

	CHECK(client_open(&c));
	CHECK(draw_works(&c));
	client_close(&c);
	CHECK(hw_remove());
	CHECK(open_device() < 0);
	/* a kernel without kmemleak shows nothing */
	if (!access("/sys/kernel/debug/kmemleak", F_OK))
		hw_known(!hw_leaks(), "remove-vm", "the address space used last is never put");
	/* which has more than a page */
	CHECK(!hw_small_leaks || probes_failed);
	CHECK(hw_load());
	/* without jobs no address space is left */
	mappings = hw_mappings(true);
	CHECK(hw_remove() && hw_load());
	CHECK(hw_mappings_are(mappings, true));
	record_errors();
	CHECK(client_open(&c));
	CHECK(draw_works(&c) && pixels_work(&c));
	client_close(&c);
}

static void test_speed(void)
{
	struct hw_pace pace = {};
	struct client c;
	uint32_t *list;

	CHECK(client_open(&c));
	/* no vertices, and a list that ends: what counts is the driver and the model */
	list = (uint32_t *)(c.bo.p + DRAW_PLBU);
	list[0] = 0;
	list[1] = 0x50000000;
	c.gp.frame[1] = c.gp.frame[0];
	c.gp.frame[3] = c.gp.frame[2] + 8;
	hw_pace_begin(&pace);
	while (pace.jobs < 200 && !submit_gp(&c, 0) && !await_end(&c, 3000))
		hw_pace_job(&pace);
	CHECK(pace.jobs == 200 && !errors());
	hw_pace_print(&pace);
	/* a driver that waits for timeouts needs 500 ms */
	CHECK(ms_since(pace.begin) < 200 * 100);
	client_close(&c);
}

static const struct {
	const char *name;
	void (*run)(void);
} tests[] = {
	{ "params", test_params }, { "buffers", test_buffers }, { "contexts", test_contexts },
	{ "errors", test_errors }, { "ioctls", test_ioctls }, { "space", test_space },
	{ "traces", test_traces }, { "times", test_times }, { "locks", test_locks },
	{ "pages", test_pages },
	{ "draw", test_draw }, { "pixels", test_pixels }, { "registers", test_registers },
	{ "reuse", test_reuse }, { "clients", test_clients }, { "speed", test_speed },
	{ "suspend", test_suspend }, { "waits", test_waits }, { "implicit", test_implicit },
	{ "shared", test_shared }, { "handles", test_handles }, { "growth", test_growth },
	{ "rooms", test_rooms }, { "no-memory", test_no_memory },
	{ "submit-fails", test_submit_fails },
	{ "faults", test_faults }, { "heap", test_heap }, { "timeout", test_timeout },
	{ "lost", test_lost_irq }, { "fences", test_fences }, { "guilty", test_guilty },
	{ "error-traces", test_error_traces }, { "thread-memory", test_thread_memory },
	{ "killed", test_killed }, { "pending", test_pending }, { "dump", test_dump },
	{ "devfreq", test_devfreq }, { "bind", test_bind },
	{ "governor", test_governor }, { "probe", test_probe }, { "load", test_load },
	{ "submit-memory", test_submit_memory }, { "spurious", test_spurious },
	{ "resume", test_resume },
};

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

/* What the driver says when the hardware does not do as it was told, or a buffer stays mapped. */
static unsigned int complaints(void)
{
	static const char * const texts[] = {
		"reset time out", "hard reset timeout", "bus stop timeout", "mmu command",
		"timeout wait pmu cmd", "l2 cache wait command timeout", "bo still has va",
	};

	return hw_said_any(texts, sizeof(texts) / sizeof(texts[0]));
}

/**
 * struct rest - What there was before a test
 * @findings:	of the register model
 * @buffers:	KiB
 * @complaints:	of the driver
 * @mappings:	for DMA, or -1
 */
struct rest {
	unsigned int findings, buffers, complaints;
	int mappings;
};

/* Each test leaves no finding, no buffer, a device that sleeps without its clocks. */
static void check_rest(const char *name, const struct rest *before)
{
	unsigned int findings = before->findings, buffers = before->buffers;
	unsigned int known = known_findings(findings);

	/*
	 * Some failures leave blocks with power: the next probe finds them as they were. Without
	 * memory for its interrupt, the PMU is taken as absent, and blocks have no power.
	 */
	if (!strcmp(name, "probe"))
		known += hw_findings_with(findings, "0xcafebabe the directory changes") +
			 hw_findings_with(findings, "PMU_INT_CLEAR 0x00000001 interrupts 0x1 are") +
			 hw_findings_with(findings, "0xcafebabe the block has no power") +
			 hw_findings_with(findings, "GPMMU_DTE_ADDR 0x00000000 the block has no");
	/* the lost task's */
	if (!strcmp(name, "spurious"))
		buffers += BO_BYTES / 1024;
	hw_result(hw_findings(findings) == findings + known, name,
		  "the register model found nothing");
	hw_result(!hw_said("BUG: "), name, "the kernel has reported nothing");
	hw_result(hw_buffers_are(buffers), name, "all buffers are freed");
	/* the address spaces that the two pipes used last keep their tables, which are coherent */
	if (before->mappings != -1)
		hw_result(hw_mappings_are(before->mappings, false), name,
			  "and all mappings for DMA");
	hw_result((!strcmp(name, "resume") ? hw_has_status("error") : hw_suspends()) &&
		  !hw_clock("clock"), name, "the device suspends");
	hw_result(!errors(), name, "no failed task is left");
	/* these tests let the hardware fail */
	hw_result(complaints() == before->complaints || !strcmp(name, "probe") ||
		  !strcmp(name, "resume") || !strcmp(name, "times"), name,
		  "the hardware does as it was told");
}

/* On a busy machine a guest's first job may take longer than its timeout: it is not of a test. */
static void warm_up(void)
{
	bool good = false;
	struct client c;
	int i;

	for (i = 0; i < 20 && !good && client_open(&c); i++) {
		good = draw_works(&c) && pixels_work(&c);
		errors();
		client_close(&c);
	}
}

int main(int argc, char **argv)
{
	struct rest before;
	unsigned int i;

	ask();
	hw_chosen("", argc, argv);
	if (hw_stop)
		alarm(HW_ALARM_S);
	if (hw_reload)
		CHECK(hw_remove() && hw_load());
	hw_result(!hw_device_errors(), "probe", "the driver has reported no error");
	record_errors();
	if (!hw_stop)
		warm_up();
	hw_result(!hw_findings(0), "probe", "the register model found nothing");
	for (i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		if (!hw_chosen(tests[i].name, argc, argv) ||
		    (tests[i].run == test_submit_memory && hw_chosen("", argc, argv)))
			continue;
		printf("# test %s\n", tests[i].name);
		before.findings = hw_findings(~0U);
		before.buffers = hw_buffers();
		before.complaints = complaints();
		before.mappings = hw_mappings(false);
		tests[i].run();
		check_rest(tests[i].name, &before);
	}
	hw_result(hw_log_in_order(), "log", "each access is later than the one before");
	return tap_done();
}
