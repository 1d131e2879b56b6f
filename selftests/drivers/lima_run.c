// SPDX-License-Identifier: GPL-2.0
/* Lima: guilty contexts, clients that die, suspend with work pending, dumps, removal. */
#include "lima_ko.h"

#define TASKS	4

/* Tasks that wait for one that hangs: those of its context are dropped, others are done. */
static void hang_before(uint32_t pipe)
{
	const struct hw_access gp_start = HW_WRITE("GP_CMD", 3);
	const struct hw_access pp_start = HW_WRITE(is_450 ? "PP_BCAST_CTRL" : "PP0_CTRL", 1 << 6);
	uint32_t gate, done[TASKS], other_done, i, ended = 0;
	struct client c, other;
	uint64_t time;
	int t, status;

	CHECK(client_open(&c) && client_open(&other));
	t = gate_new(c.fd, &gate);
	if (t < 0)
		return;
	other_done = sync_new(other.fd);
	for (i = 0; i < TASKS; i++) {
		done[i] = sync_new(c.fd);
		CHECK(!submit_how(&c, (struct how){
			.pipe = pipe, .access = LIMA_SUBMIT_BO_WRITE, .wait = { gate },
			.done = done[i] }));
	}
	CHECK(hw_inject("hang 1"));
	time = hw_log_time();
	gate_open(t);
	/* the one that hangs has begun */
	CHECK(HW_SOON(hw_has(time, pipe == LIMA_PIPE_GP ? &gp_start : &pp_start)));
	CHECK(!submit_how(&other, (struct how){
		.pipe = LIMA_PIPE_GP, .access = LIMA_SUBMIT_BO_WRITE, .done = other_done }));
	for (i = 0; i < TASKS; i++) {
		status = sync_end(c.fd, done[i]);
		/* a context of 6.12 executes what follows a task that failed */
		ended += status == (i && hw_since(612) ? 1 : -ECANCELED);
	}
	CHECK(ended == TASKS);
	CHECK(sync_end(other.fd, other_done) == 1 && draw_written(other.bo.p) == DRAW_VERTICES);
	CHECK(recovers(&c));
	client_close(&c);
	client_close(&other);
}

void test_guilty(void)
{
	hang_before(LIMA_PIPE_GP);
	hang_before(LIMA_PIPE_PP);
}

/* ---- clients that die ---- */

static void die(int how)
{
	struct client c;
	uint32_t gate;
	int i;

	struct drm_gem_close first = {};

	if (!client_open(&c))
		_exit(1);
	/* no task uses it: its pages would be unmapped while they execute */
	first.handle = c.first;
	call(c.fd, DRM_IOCTL_GEM_CLOSE, &first);
	for (i = 0; i < 3; i++) {
		submit_how(&c, (struct how){ .pipe = how & 1, .access = LIMA_SUBMIT_BO_WRITE });
		submit_how(&c, (struct how){ .pipe = !(how & 1), .access = LIMA_SUBMIT_BO_READ });
	}
	if (how & 2) {
		gate_new(c.fd, &gate);
		submit_how(&c, (struct how){
			.pipe = how & 1, .access = LIMA_SUBMIT_BO_WRITE, .wait = { gate } });
	}
	if (how & 4)
		usleep(20000);
	kill(getpid(), SIGKILL);
}

void test_killed(void)
{
	uint32_t before = hw_buffers(), good = 0, said = hw_said("lima job timeout");
	struct client c;
	int how, status;
	pid_t pid;

	for (how = 0; how < 8; how++) {
		pid = fork();
		if (!pid)
			die(how);
		waitpid(pid, &status, 0);
		good += WIFSIGNALED(status);
		CHECK(client_open(&c));
		CHECK(draw_works(&c) && pixels_work(&c));
		client_close(&c);
	}
	CHECK(good == 8);
	CHECK(hw_said("lima job timeout") == said);
	CHECK(hw_buffers_are(before));
}

/* ---- suspend ---- */

void test_pending(void)
{
	uint32_t gate, done, i;
	struct client c;
	bool active, late;
	int64_t begin;
	int t;

	CHECK(client_open(&c));
	done = sync_new(c.fd);
	for (i = 0; i < 4; i++) {
		t = gate_new(c.fd, &gate);
		if (t < 0)
			break;
		draw_make(c.bo.p, c.bo.va, c.gp.frame);
		CHECK(!submit_how(&c, (struct how){
			.pipe = i & 1, .access = LIMA_SUBMIT_BO_WRITE, .wait = { gate },
			.done = done }));
		/* a task that waits for others does not keep the device awake */
		CHECK(hw_suspends() && hw_clock("clock") == 0);
		gate_open(t);
		CHECK(sync_end(c.fd, done) == 1);
		CHECK(draw_works(&c) && pixels_work(&c));
		sync_free(c.fd, gate);
	}
	/* one that executes does; it has its clocks */
	do {
		CHECK_ROUND(hw_inject("hang 1"));
		begin = now_ns();
		CHECK_ROUND(!submit_how(&c, (struct how){
			.pipe = LIMA_PIPE_GP, .access = LIMA_SUBMIT_BO_WRITE, .done = done }));
		usleep(300000);
		active = hw_has_status("active") && hw_clock("clock") == 2;
		/* a busy machine looks when it has been stopped */
		late = !active && ms_since(begin) >= TIMEOUT_MS;
		CHECK_ROUND(sync_end(c.fd, done) == -ECANCELED && recovers(&c));
	} while (late);
	CHECK(active);
	CHECK(hw_suspends());
	CHECK(hw_write(hw_device_file("power/control"), "on") && hw_has_status("active"));
	CHECK(draw_works(&c) && hw_clock("clock") == 2);
	CHECK(hw_write(hw_device_file("power/control"), "auto") && hw_suspends());
	client_close(&c);
}

/*
 * A resume that fails undoes its earlier steps. The last test: the kernel remembers the error
 * until the driver is unbound, and lima's removal of a device that sleeps uses it without clocks.
 */
void test_resume(void)
{
	const struct hw_access down = HW_WRITES("PMU_POWER_DOWN");
	struct client c;
	uint64_t time;

	CHECK(client_open(&c));
	CHECK(draw_works(&c) && hw_suspends());
	time = hw_log_time();
	/* more often than the driver waits for the cache */
	CHECK(hw_inject("busy-l2 1000000"));
	CHECK(!submit_gp(&c, 0) && !await(&c, 3000));
	CHECK(hw_has(time, &down) && hw_clock("clock") == 0);
	CHECK(hw_references() <= 0);
	CHECK(hw_inject("busy-l2 0"));
	client_close(&c);
}

void test_devfreq(void)
{
	struct client c;

	if (access(hw_device_file("devfreq"), F_OK)) {
		tap_skip("the device tree has no operating points", "%s", __func__);
		return;
	}
	CHECK(client_open(&c));
	hw_devfreq(hang_of(&c));
	client_close(&c);
}

/* Without the governor there is no device, and nothing is left of it. */
void test_governor(void)
{
	struct client c;

	if (access(hw_device_file("devfreq"), F_OK)) {
		tap_skip("the device tree has no operating points", "%s", __func__);
		return;
	}
	/* as in test_bind() */
	CHECK(hw_write(hw_device_file("power/control"), "on"));
	CHECK(!hw_bind(false) && hw_governor(false));
	CHECK(hw_bind(true) == EINVAL);
	CHECK(open_device() < 0 && !hw_clock("clock"));
	CHECK(hw_governor(true) && !hw_bind(true));
	CHECK(client_open(&c));
	CHECK(draw_works(&c) && pixels_work(&c));
	client_close(&c);
	CHECK(hw_write(hw_device_file("power/control"), "auto"));
}

/* ---- dumps ---- */

struct dump_head {
	uint32_t magic;
	uint16_t major, minor;
	uint32_t num_tasks, size, reserved[4];
};

struct dump_task {
	uint32_t id, size, num_chunks, reserved;
};

struct dump_chunk {
	uint32_t id, size, more, reserved;
};

#define MAX_TASKS	"/sys/module/lima/parameters/max_error_tasks"

/* All of the file, in pieces of @piece bytes. */
static int dump_read(uint8_t *to, int max, int piece)
{
	int fd = open(hw_device_file("error"), O_RDONLY), n = 0, got;

	while (fd >= 0 && n + piece <= max && (got = read(fd, to + n, piece)) > 0)
		n += got;
	close(fd);
	return n;
}

static void hang_once(struct client *c, uint32_t pipe, uint32_t more)
{
	draw_make(c->bo.p, c->bo.va, c->gp.frame);
	memset(c->bo.p + 0xc000, 0x77, 100);
	CHECK(hw_inject("hang 1"));
	if (pipe == LIMA_PIPE_PP)
		CHECK(!submit_pp(c, num_pp, c->bo.va, false));
	else
		CHECK(!submit_gp(c, more));
	CHECK(!await(c, 5000));
	CHECK(new_context(c));
}

/* The task at @at: its chunks are a frame, a name, a process and @bos buffers. */
static const uint8_t *check_task(struct client *c, const uint8_t *at, uint32_t pipe, uint32_t bos)
{
	const struct dump_task *t = (const struct dump_task *)at;
	const struct dump_chunk *k = (const struct dump_chunk *)(t + 1);
	uint32_t i, seen = 0, buffers = 0, heaps = 0, bytes = 0;

	CHECK_ROUND(t->id == pipe && t->num_chunks == 3 + bos && !t->reserved);
	for (i = 0; i < t->num_chunks && i < 8; i++) {
		/* nothing of what was in the memory before */
		CHECK_ROUND(!k->reserved && (k->id == 1 || k->id == 3 || !k->more));
		if (k->id == 0)
			seen |= pipe == LIMA_PIPE_GP ?
				k->size == 24 && !memcmp(k + 1, c->gp.frame, 16) :
				k->size >= sizeof(struct drm_lima_m400_pp_frame);
		else if (k->id == 2)
			seen |= !strncmp((const char *)(k + 1), "test_lima_ko", 12) ? 2 : 0;
		else if (k->id == 3)
			seen |= k->size == 0 && (int)k->more == getpid() ? 4 : 0;
		else if (k->id == 1 && k->size == BO_BYTES)
			buffers += k->more == c->bo.va &&
				   ((const uint8_t *)(k + 1))[0xc000] == 0x77;
		else if (k->id == 1)
			heaps += k->size == 32768 && draw_written(k + 1) == DRAW_VERTICES;
		bytes += sizeof(*k) + k->size;
		k = (const struct dump_chunk *)((const uint8_t *)(k + 1) + k->size);
	}
	CHECK_ROUND(seen == 7 && buffers == 1 && heaps == bos - 1 && bytes == t->size);
	return (const uint8_t *)k;
}

static uint8_t dump[2][4 << 20];

/* A task that fails is recorded as a whole or not at all when an allocation for it fails. */
static void dump_without_memory(struct client *c, uint32_t heap)
{
	const struct dump_head *h = (const struct dump_head *)dump[0];
	uint32_t n, recorded = 0, last = hw_stop ? 40 : 12;

	record_errors();
	for (n = 1; n <= last; n++) {
		draw_make(c->bo.p, c->bo.va, c->gp.frame);
		memset(c->bo.p + 0xc000, 0x77, 100);
		/* no such command */
		((uint32_t *)(c->bo.p + DRAW_VS))[1] = 0xe0000000;
		CHECK_ROUND(fail_threads("kworker/0", n) >= 1);
		CHECK_ROUND(!submit_gp(c, heap) && !await(c, 5000));
		fail_threads("kworker/0", 0);
		CHECK_ROUND(dump_read(dump[0], sizeof(dump[0]), 4096) == sizeof(*h) + h->size);
		CHECK_ROUND(h->num_tasks <= 1 && !h->num_tasks == !h->size);
		if (h->num_tasks) {
			recorded++;
			check_task(c, (const uint8_t *)(h + 1), LIMA_PIPE_GP, 2);
		}
		errors();
		CHECK_ROUND(new_context(c) && draw_works(c));
	}
	printf("# %u of %u tasks are recorded\n", recorded, last);
	CHECK(recorded && recorded < last);
}

void test_dump(void)
{
	const struct dump_head *h = (const struct dump_head *)dump[0];
	const uint8_t *at;
	struct client c;
	struct bo heap;
	int n;

	CHECK(client_open(&c));
	CHECK(!bo_new(c.fd, 1 << 20, LIMA_BO_FLAG_HEAP, &heap));
	CHECK(dump_read(dump[0], sizeof(dump[0]), 4096) == sizeof(*h));
	CHECK(h->magic == 0x414d494c && h->major == 1 && !h->num_tasks && !h->size);
	/* what a dump has of the heap */
	draw_to(&c, heap.va + DRAW_OUT);
	CHECK(!submit_gp(&c, heap.handle) && !await(&c, 3000) && !errors());
	CHECK(hw_write(MAX_TASKS, "2"));
	hw_stain();
	hang_once(&c, LIMA_PIPE_GP, heap.handle);
	hang_once(&c, LIMA_PIPE_PP, 0);
	/* no room for a third one */
	hang_once(&c, LIMA_PIPE_PP, 0);
	n = dump_read(dump[0], sizeof(dump[0]), 4096);
	CHECK(h->num_tasks == 2 && n == (int)(sizeof(*h) + h->size));
	CHECK(dump_read(dump[1], sizeof(dump[1]), 1001) == n && !memcmp(dump[0], dump[1], n));
	/* the last one comes first */
	at = check_task(&c, (const uint8_t *)(h + 1), LIMA_PIPE_PP, 1);
	at = check_task(&c, at, LIMA_PIPE_GP, 2);
	CHECK(at == dump[0] + n);
	CHECK(errors() == 2);
	CHECK(dump_read(dump[0], sizeof(dump[0]), 4096) == sizeof(*h) && !h->size);
	/* none at all */
	CHECK(hw_write(MAX_TASKS, "0"));
	hang_once(&c, LIMA_PIPE_GP, 0);
	CHECK(!errors());
	if (fail_init())
		dump_without_memory(&c, heap.handle);
	record_errors();
	/* what was mapped to be copied is no longer */
	CHECK(!hw_listed("/proc/vmallocinfo", "lima_sched"));
	bo_free(c.fd, &heap);
	CHECK(draw_works(&c) && pixels_work(&c));
	client_close(&c);
}

/* ---- removal ---- */

void test_bind(void)
{
	struct client c;

	CHECK(client_open(&c));
	CHECK(draw_works(&c));
	client_close(&c);
	/* before the removal leaks: remove-vm */
	CHECK(!hw_leaks());
	/* awake: the removal of a device that sleeps uses it without its clocks */
	CHECK(hw_write(hw_device_file("power/control"), "on"));
	CHECK(!hw_bind(false));
	CHECK(open_device() < 0);
	CHECK(hw_clock("clock") == 0);
	CHECK(!hw_listed("/proc/slabinfo", "lima_gp_task"));
	CHECK(!hw_listed("/proc/slabinfo", "lima_pp_task"));
	CHECK(!hw_bind(true));
	CHECK(client_open(&c));
	CHECK(draw_works(&c) && pixels_work(&c));
	client_close(&c);
	CHECK(hw_write(hw_device_file("power/control"), "auto"));
}
