// SPDX-License-Identifier: GPL-2.0
/* Panfrost: pairs of jobs in a slot, resets, clients that die, dumps, suspend with work pending. */
#include "panfrost_ko.h"

#define JOBS	4
#define GROWTHS	6

/* How job @n of a pair is made: done, fault, bad header. */
enum kind { DONE, FAULT, INVALID, KINDS };

static void put_kind(struct client *c, uint32_t n, enum kind kind)
{
	if (kind == FAULT)
		put_write(c, n, 0xe0000000, 1, true);
	else if (kind == INVALID)
		put_job(c, n, 100, 0);
	else
		put_write(c, n, c->data.va + 4 * n, 1, true);
}

static bool kind_ended(struct client *c, uint32_t n, enum kind kind, int status)
{
	if (kind == DONE)
		return status == 1 && c->jobs.p[16 * n] == 1 && c->data.p[n] == written(1);
	if (kind == INVALID)
		return status == hw_error(-EINVAL) && c->jobs.p[16 * n] == 0x40;
	return status == hw_error(-EINVAL) && c->jobs.p[16 * n] != 1;
}

/*
 * Three jobs that reach the slot at once: two are in the hardware. Only the last one has a page
 * fault, which test_fault_pair() has before others. The chain of the first begins at @head.
 */
static uint32_t run_mix(struct client *c, uint32_t slot, const enum kind kinds[3], uint32_t head)
{
	uint32_t gate, done[3], i, bad = 0;
	int t = gate_new(c->fd, &gate), status;
	unsigned int timeouts = hw_said(TIMED_OUT);

	for (i = 0; i < 3; i++) {
		c->data.p[i] = ~0U;
		put_kind(c, i, kinds[i]);
		done[i] = sync_new(c->fd);
		bad += !!submit_sync(c, i ? i : head, slot, gate, done[i]);
	}
	gate_open(t);
	for (i = 0; i < 3; i++) {
		status = sync_end(c->fd, done[i]);
		sync_free(c->fd, done[i]);
		if (kind_ended(c, i, kinds[i], status))
			continue;
		printf("# %u%u%u in slot %u, job %u: status %d, header 0x%x, data 0x%x\n",
		       kinds[0], kinds[1], kinds[2], slot, i, status, c->jobs.p[16 * i],
		       c->data.p[i]);
		bad++;
	}
	sync_free(c->fd, gate);
	return bad + (hw_said(TIMED_OUT) != timeouts);
}

void test_slots(void)
{
	static const enum kind ends[2] = { DONE, INVALID };
	uint32_t mix, bad = 0;
	struct client c;

	CHECK(client_open(&c));
	for (mix = 0; mix < 24; mix++) {
		const enum kind kinds[3] = { ends[mix & 1], ends[mix >> 1 & 1], mix / 8 };

		bad += run_mix(&c, mix >> 2 & 1, kinds, 0);
		if (kinds[2] == FAULT)
			unmask_faults(&c);
	}
	CHECK(!bad);
	CHECK(job_works(&c, 3));
	client_close(&c);
}

/* Before job 0: a heap grows, so that the driver has time to fill the slot. */
static uint32_t put_growth(struct client *c, uint64_t heap)
{
	const uint32_t first = 16;
	uint32_t i;

	for (i = 0; i < GROWTHS; i++)
		put_write(c, first + i, heap + i * (2 << 20), 1, false);
	c->jobs.p[(first + i - 1) * 16 + 6] = (uint32_t)c->jobs.va;
	c->jobs.p[(first + i - 1) * 16 + 7] = c->jobs.va >> 32;
	return first;
}

/*
 * The job that waits in the slot of one with a page fault begins while its space is off. On 6.12
 * the scheduler submits a job at a time: the first must not end before the second is there, so
 * that some attempts show nothing.
 */
void test_fault_pair(void)
{
	static const enum kind kinds[3] = { FAULT, DONE, DONE };
	unsigned int before = hw_findings(~0U);
	bool one = hw_since(612);
	uint32_t bad = 0, i;
	struct client c;
	struct bo heap;

	CHECK(client_open(&c));
	for (i = 0; i < 2 || (one && i < 16 && hw_findings(~0U) == before); i++) {
		CHECK_ROUND(!bo_new(c.fd, GROWTHS * (2 << 20),
				    PANFROST_BO_HEAP | PANFROST_BO_NOEXEC, &heap));
		bad += run_mix(&c, i & 1, kinds, one ? put_growth(&c, heap.va) : 0);
		bo_free(c.fd, &heap);
		unmask_faults(&c);
	}
	/* growth may last until a timeout, which is no mistake */
	hw_known((one || !bad) && hw_findings(~0U) == before, "next-of-fault",
		 "a job that waits in the slot of one with a page fault is started without its address space");
	CHECK(job_works(&c, 3));
	client_close(&c);
}

/* A chain without an end while jobs of all clients and both slots wait: only it is cancelled. */
static void reset_with_queues(uint32_t slot)
{
	struct client c[3];
	uint32_t done[3][JOBS], i, k, good = 0, lost = 0, more, resets = hw_said(TIMED_OUT);
	int status;

	for (i = 0; i < 3; i++)
		good += client_open(&c[i]);
	CHECK(good == 3);
	put_loop(&c[0], 8);
	done[0][0] = sync_new(c[0].fd);
	CHECK(!submit_sync(&c[0], 8, slot, 0, done[0][0]));
	for (i = 0, good = 0; i < 3; i++) {
		for (k = !i; k < JOBS; k++) {
			done[i][k] = sync_new(c[i].fd);
			c[i].data.p[k] = ~0U;
			put_write(&c[i], k, c[i].data.va + 4 * k, k + 1, true);
			good += !submit_sync(&c[i], k, k & 1, 0, done[i][k]);
		}
	}
	CHECK(good == 3 * JOBS - 1);
	CHECK(sync_end(c[0].fd, done[0][0]) == -ECANCELED);
	for (i = 0, good = 0; i < 3; i++) {
		for (k = !i; k < JOBS; k++) {
			status = sync_end(c[i].fd, done[i][k]);
			/* jobs of the guilty client that the slot has are cancelled with it */
			if (!i && (k & 1) == slot && status == -ECANCELED) {
				good++;
				continue;
			}
			if (status != 1)
				printf("# client %u job %u: %d\n", i, k, status);
			lost += status == -ECANCELED;
			good += status == 1 && c[i].data.p[k] == written(k + 1) &&
				c[i].jobs.p[16 * k] == 1;
		}
	}
	CHECK(good + lost == 3 * JOBS - 1);
	/*
	 * The model executes slots one after the other: a job that the other slot has had since
	 * then may have waited as long, and has a timeout and a message of its own. Its reset
	 * starts the time of the chain again; by a race the next job may then be first, too.
	 */
	more = hw_said(TIMED_OUT) - resets - 1;
	CHECK(more <= (getenv("RACE") ? 3 * JOBS / 2 : 1) && lost <= more * JOBS);
	for (i = 0; i < 3; i++)
		CHECK(job_works(&c[i], 50 + i));
	for (i = 0; i < 3; i++)
		client_close(&c[i]);
}

void test_resets(void)
{
	struct client c;
	uint32_t done, said;

	reset_with_queues(0);
	reset_with_queues(1);
	/* an address space that stays busy is reset */
	CHECK(client_open(&c));
	done = sync_new(c.fd);
	said = hw_said("AS_ACTIVE bit stuck");
	CHECK(hw_inject("stuck-as 1"));
	put_write(&c, 0, c.data.va, 1, true);
	CHECK(!submit_sync(&c, 0, 0, 0, done) && sync_end(c.fd, done) != 0);
	CHECK(hw_said("AS_ACTIVE bit stuck") > said);
	usleep(100000);
	CHECK(job_works(&c, 1));
	/* the chip says that something is wrong */
	said = hw_said("GPU Fault 0x00000088 (");
	CHECK(hw_inject("gpu-fault 1"));
	CHECK(job_works(&c, 2));
	CHECK(hw_said("GPU Fault 0x00000088 (") == said + 1);
	/* a walk of the page tables that fails ends the job, and the next one works */
	CHECK(hw_suspends());
	said = hw_said("decoded fault status: SLAVE FAULT");
	CHECK(hw_inject("bus-error 1"));
	put_write(&c, 0, c.data.va, 1, true);
	CHECK(!submit_sync(&c, 0, 0, 0, done) && sync_end(c.fd, done) == hw_error(-EINVAL));
	CHECK(c.jobs.p[0] != 1 && hw_said("decoded fault status: SLAVE FAULT") > said);
	unmask_faults(&c);
	CHECK(job_works(&c, 3));
	client_close(&c);
}

/* ---- clients that die ---- */

/* A client until it is killed, at once or after a while. */
static void die(int how)
{
	struct drm_panfrost_submit s = {};
	struct client c;
	struct bo own;
	uint32_t gate;

	if (!client_open(&c) || bo_new(c.fd, 4096, 0, &own))
		_exit(1);
	put_loop(&c, 8);
	put_write(&c, 0, c.data.va, 1, true);
	/* two in a slot, and one in the other that waits for neither */
	if (how & 1)
		submit_sync(&c, 8, how >> 1 & 1, 0, 0);
	submit_sync(&c, 0, how >> 1 & 1, 0, 0);
	memcpy(own.p, c.jobs.p, 64);
	s = (struct drm_panfrost_submit){
		.jc = own.va, .bo_handles = (uintptr_t)&own.handle, .bo_handle_count = 1,
		.requirements = !(how >> 1 & 1),
	};
	call(c.fd, DRM_IOCTL_PANFROST_SUBMIT, &s);
	if (how & 4) {
		gate_new(c.fd, &gate);
		submit_sync(&c, 0, 0, gate, 0);
		submit_sync(&c, 0, 1, gate, 0);
	}
	if (how & 8)
		usleep(20000);
	kill(getpid(), SIGKILL);
}

/* A file has two chains in a slot: the one that executes is stopped, the next one never starts. */
static void close_with_two(uint32_t slot)
{
	char name[32];
	const struct hw_access starts[] = { HW_WRITE(name, 1), HW_WRITE(name, 1) };
	struct client c, other;
	uint64_t time, last;
	uint32_t *p;
	struct bo b;
	int buf;

	snprintf(name, sizeof(name), "JS%u_COMMAND_NEXT", slot);
	CHECK(client_open(&c) && client_open(&other));
	CHECK(!bo_new(c.fd, 4096, PANFROST_BO_NOEXEC, &b));
	buf = bo_export(c.fd, b.handle);
	p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, buf, 0);
	CHECK(p != MAP_FAILED);
	p[0] = ~0U;
	time = hw_log_time();
	put_loop(&c, 8);
	put_write(&c, 0, b.va, 1, true);
	CHECK(!submit_sync(&c, 8, slot ? 0 : PANFROST_JD_REQ_FS, 0, 0));
	CHECK(!submit_with(&c, slot ? 0 : PANFROST_JD_REQ_FS, b.handle));
	CHECK(HW_SOON(hw_find(time, starts, 2, &last) == 2));
	munmap(b.p, b.size);
	client_close(&c);
	CHECK(job_works(&other, 1));
	usleep(20000);
	CHECK(__atomic_load_n(p, __ATOMIC_RELAXED) == ~0U);
	munmap(p, 4096);
	close(buf);
	client_close(&other);
}

void test_killed(void)
{
	uint32_t before = hw_buffers(), timeouts, good = 0;
	struct client c;
	int how, status;
	int64_t begin;
	pid_t pid;

	for (how = 0; how < 16; how++) {
		timeouts = hw_said(TIMED_OUT);
		begin = now_ns();
		pid = fork();
		if (!pid)
			die(how);
		waitpid(pid, &status, 0);
		good += WIFSIGNALED(status);
		printf("# %d: %lld ms\n", how, (long long)ms_since(begin));
		/* its chains are stopped, unless it waits for queued ones: at most a second */
		if ((how & 5) != 5)
			CHECK(hw_said(TIMED_OUT) == timeouts);
		CHECK(client_open(&c));
		CHECK(job_works(&c, how));
		client_close(&c);
	}
	CHECK(good == 16);
	/* 6.12 stops none (close-running), and submits one at a time */
	if (!hw_since(612)) {
		close_with_two(0);
		close_with_two(1);
	}
	CHECK(hw_buffers_are(before));
}

/* Two processes with one file, one of which dies; two threads of execution in it go on. */
static void fork_shares(void)
{
	struct client c;
	int status;
	pid_t pid;

	CHECK(client_open(&c));
	pid = fork();
	if (!pid) {
		put_write(&c, 0, c.data.va, 1, true);
		submit_with(&c, 0, 0);
		kill(getpid(), SIGKILL);
	}
	waitpid(pid, &status, 0);
	CHECK(job_works(&c, 60));
	client_close(&c);
}

/* ---- suspend ---- */

void test_pending(void)
{
	uint32_t gate, done, i;
	struct client c;
	bool active, late;
	int64_t begin;
	int t;

	fork_shares();
	CHECK(client_open(&c));
	done = sync_new(c.fd);
	for (i = 0; i < 3; i++) {
		t = gate_new(c.fd, &gate);
		if (t < 0)
			break;
		c.data.p[0] = ~0U;
		put_write(&c, 0, c.data.va, i, true);
		CHECK(!submit_sync(&c, 0, i & 1, gate, done));
		/* a job that waits for others does not keep the device awake */
		CHECK(hw_suspends());
		/* pages change meanwhile */
		bo_free(c.fd, &c.data);
		CHECK(!bo_new(c.fd, 8192, PANFROST_BO_NOEXEC, &c.data));
		gate_open(t);
		CHECK(sync_end(c.fd, done) == 1);
		CHECK(job_works(&c, 20 + i));
		sync_free(c.fd, gate);
	}
	/* a chain that executes does */
	CHECK(hw_suspends());
	put_loop(&c, 8);
	do {
		begin = now_ns();
		CHECK_ROUND(!submit_sync(&c, 8, 0, 0, done));
		usleep(200000);
		active = hw_has_status("active");
		/* a busy machine looks when it has been stopped */
		late = !active && ms_since(begin) >= TIMEOUT_MS;
		CHECK_ROUND(sync_end(c.fd, done) == -ECANCELED);
	} while (late);
	CHECK(active);
	/* it may not have stopped in time: test_stuck() */
	CHECK(job_works(&c, 29));
	CHECK(hw_suspends());
	CHECK(hw_write(hw_device_file("power/control"), "on") && hw_has_status("active"));
	CHECK(job_works(&c, 30));
	CHECK(hw_write(hw_device_file("power/control"), "auto") && hw_suspends());
	CHECK(job_works(&c, 31));
	client_close(&c);
}

/*
 * A job that does not stop within 10 ms: panfrost_reset() puts its reference, but does not check
 * whether the device is idle, which stays on until the next job ends.
 */
void test_stuck(void)
{
	uint32_t done, next, slot, i, slept = 0;
	struct client c;

	CHECK(client_open(&c));
	done = sync_new(c.fd);
	for (slot = 0; slot < 2; slot++) {
		CHECK(hw_suspends() && hw_inject("hang 1"));
		put_job(&c, 0, 1, 0);
		CHECK(!submit_sync(&c, 0, slot, 0, done) && sync_end(c.fd, done) == -ECANCELED);
		for (i = 0; i < 50 && !hw_has_status("suspended"); i++)
			usleep(20000);
		slept += hw_has_status("suspended");
		CHECK(job_works(&c, slot) && hw_suspends());
	}
	hw_known(slept == 2, "reset-noidle",
		 "an idle device stays on after a job that could not be stopped");
	/* another one waits in the slot: references of both are put, and it starts again */
	CHECK(hw_inject("hang 1"));
	put_job(&c, 0, 1, 0);
	put_write(&c, 1, c.data.va, 1, true);
	next = sync_new(c.fd);
	CHECK(!submit_sync(&c, 0, 0, 0, done) && !submit_sync(&c, 1, 0, 0, next));
	CHECK(sync_end(c.fd, done) == -ECANCELED && sync_end(c.fd, next));
	CHECK(job_works(&c, 3) && hw_suspends() && hw_references() <= 0);
	client_close(&c);
}

/* ---- dumps ---- */

struct dump_header {
	uint32_t magic, type, size, offset;
	union {
		struct {
			uint64_t jc;
			uint32_t gpu_id, major, minor;
			uint64_t nbos;
		} reg;
		struct {
			uint32_t valid;
			uint64_t iova;
			uint32_t data[2];
		} bo;
		uint32_t room[496];
	};
};

#define DUMP_ARMED	"/sys/module/panfrost/parameters/dump_core"

/* The dump of the device, which is removed. Return: bytes. */
static int dump_read(uint8_t *to, int max)
{
	char path[100];
	int i, n = 0, fd, got;

	for (i = 0; i < 100; i++) {
		snprintf(path, sizeof(path), "/sys/class/devcoredump/devcd%d/data", i);
		fd = open(path, O_RDWR);
		if (fd < 0)
			continue;
		while (n < max && (got = read(fd, to + n, max - n)) > 0)
			n += got;
		if (write(fd, "1", 1) != 1)
			printf("# the dump stays\n");
		close(fd);
		break;
	}
	return n;
}

/* @at: of a header; @word: of the registers. */
static bool dump_has(const uint8_t *dump, const struct dump_header *h, uint32_t reg,
		     uint32_t value)
{
	const uint32_t *w = (const uint32_t *)(dump + h->offset);
	uint32_t i;

	for (i = 0; i < h->size / 8; i++)
		if (w[2 * i] == reg && w[2 * i + 1] == value)
			return true;
	return false;
}

/* Whether a chain without an end is stopped by its timeout. */
static bool times_out(struct client *c, uint32_t slot)
{
	uint32_t done = sync_new(c->fd);
	bool good;

	put_loop(c, 8);
	good = !submit_sync(c, 8, slot, 0, done) && sync_end(c->fd, done) == -ECANCELED;
	sync_free(c->fd, done);
	return good;
}

static uint8_t dump[4 << 20];

/* The dump of a chain without an end that has these buffers. Return: bytes. */
static uint32_t dump_with(struct client *c, const uint32_t *handles, uint32_t n)
{
	uint32_t done = sync_new(c->fd);
	struct drm_panfrost_submit s = {
		.jc = c->jobs.va + 8 * 64, .bo_handles = (uintptr_t)handles,
		.bo_handle_count = n, .out_sync = done,
	};

	CHECK(hw_write(DUMP_ARMED, "Y"));
	put_loop(c, 8);
	CHECK(!call(c->fd, DRM_IOCTL_PANFROST_SUBMIT, &s) && sync_end(c->fd, done) == -ECANCELED);
	sync_free(c->fd, done);
	return dump_read(dump, sizeof(dump));
}

/* No buffers; a heap, which has no pages that could be copied. */
static void dump_parts(struct client *c)
{
	const struct dump_header *h = (const struct dump_header *)dump;
	uint32_t handles[2] = { c->jobs.handle }, i, stale = 0;
	struct bo heap;

	CHECK(dump_with(c, NULL, 0) == 2 * sizeof(*h) + h->size);
	CHECK(!h->reg.nbos && h[1].magic == h->magic && h[1].type == 3);
	CHECK(!bo_new(c->fd, 2 << 20, PANFROST_BO_HEAP | PANFROST_BO_NOEXEC, &heap));
	handles[1] = heap.handle;
	hw_stain();
	CHECK(dump_with(c, handles, 2) > 2 << 20 && h->reg.nbos == 2);
	CHECK(h[2].type == 2 && h[2].bo.valid == 1 && h[3].type == 2 && !h[3].bo.valid);
	CHECK(h[3].size == 2 << 20 && h[4].type == 3);
	for (i = 0; i < h[3].size; i++)
		stale += !!dump[h[3].offset + i];
	hw_known(!stale, "dump-stale",
		 "a dump has what the memory held before in place of a heap");
	bo_free(c->fd, &heap);
}

/* How many buffers the dump has; it has a header of each. */
static uint32_t dumped_buffers(struct client *c, uint32_t bytes)
{
	const struct dump_header *h = (const struct dump_header *)dump;
	uint32_t i, n = 0;

	/* registers, pages, two buffers, end */
	CHECK_ROUND(h->magic == 0x464E4150 && !h->type && h->reg.nbos == 2);
	CHECK_ROUND(h[1].type == 1 && h[2].type == 2 && h[3].type == 2 && h[4].type == 3);
	for (i = 2; i < 4; i++) {
		CHECK_ROUND(h[i].offset + h[i].size <= bytes);
		n += h[i].bo.valid;
	}
	CHECK_ROUND(h[2].size == c->jobs.size && h[3].size == c->data.size);
	return n;
}

/*
 * A dump without memory is not made, or lacks a buffer; its job is cancelled all the same. The
 * first failure after that of the buffers is the last: dev_coredumpv() of Linux 6.1 frees a dump
 * twice whose device it cannot add.
 */
static void dump_without_memory(struct client *c)
{
	uint32_t n, bytes = 0, made = 0, none = 0, some = 0, last = hw_stop ? 60 : 4;

	for (n = 1; n <= last && (bytes || !made); n++) {
		CHECK_ROUND(hw_write(DUMP_ARMED, "Y"));
		CHECK_ROUND(fail_threads("kworker/u", n) >= 1);
		CHECK_ROUND(times_out(c, 0));
		fail_threads("kworker/u", 0);
		bytes = dump_read(dump, sizeof(dump));
		if (bytes) {
			made = some ? made + 1 : made;
			some += dumped_buffers(c, bytes) < 2;
		} else {
			none++;
		}
		CHECK_ROUND(job_works(c, n));
	}
	printf("# %u failures: %u dumps are not made, %u lack a buffer\n", n - 1, none, some);
	CHECK(none && (some || !hw_stop));
}

/* Whether the map of pages that follows the registers has a page of its own for each entry. */
static bool pages_differ(const struct dump_header *h, uint32_t pages)
{
	const uint64_t *page = (const uint64_t *)(dump + h[1].offset);
	uint32_t i, k;

	if (h[1].type != 1 || h[1].size != pages * sizeof(*page))
		return false;
	for (i = 0; i < pages; i++) {
		if (!page[i] || page[i] % 4096)
			return false;
		for (k = 0; k < i; k++)
			if (page[i] == page[k])
				return false;
	}
	return true;
}

void test_dump(void)
{
	struct drm_panfrost_get_param id = { .param = DRM_PANFROST_PARAM_GPU_PROD_ID };
	const struct dump_header *h = (const struct dump_header *)dump;
	struct client c, first;
	uint32_t i, n, bos = 0;

	CHECK(client_open(&first) && client_open(&c));
	dump_read(dump, sizeof(dump));
	hw_write(DUMP_ARMED, "Y");
	c.data.p[7] = 0x12345678;
	/* it has the second address space */
	CHECK(hw_suspends() && hw_write(hw_device_file("power/control"), "on"));
	CHECK(job_works(&first, 1));
	CHECK(times_out(&c, 0));
	n = dump_read(dump, sizeof(dump));
	printf("# dump of %u bytes\n", n);
	CHECK(n > sizeof(*h) && h->magic == 0x464E4150 && h->type == 0);
	CHECK(h->reg.jc == c.jobs.va + 8 * 64 && h->reg.nbos == 2 && h->reg.major == 1);
	CHECK(!call(c.fd, DRM_IOCTL_PANFROST_GET_PARAM, &id) && h->reg.gpu_id == id.value);
	CHECK(pages_differ(h, (c.jobs.size + c.data.size) / 4096));
	CHECK(dump_has(dump, h, 0x1880, (uint32_t)c.jobs.va + 8 * 64));	/* JS1_HEAD */
	CHECK(dump_has(dump, h, 0x160, 1));				/* L2_READY */
	CHECK(dump_has(dump, h, 0x2448, 0x888d88));			/* AS1_MEMATTR */
	for (i = 1; i < 5 && h[i].magic == h->magic; i++) {
		if (h[i].type != 2)
			continue;
		CHECK(h[i].bo.valid == 1 && h[i].offset + h[i].size <= n);
		if (h[i].bo.iova == c.data.va)
			bos |= h[i].size == c.data.size && h[i].bo.data[0] == c.jobs.size / 4096 &&
			       !memcmp(dump + h[i].offset, c.data.p, c.data.size);
		if (h[i].bo.iova == c.jobs.va)
			bos |= h[i].size == c.jobs.size && !h[i].bo.data[0] ? 2 : 0;
	}
	/* registers, pages, two buffers, end */
	CHECK(bos == 3 && i == 5 && h[4].type == 3);
	/* the first one only, until the next is asked for */
	CHECK(times_out(&c, 1));
	CHECK(dump_read(dump, sizeof(dump)) == 0);
	CHECK(hw_write(DUMP_ARMED, "Y"));
	CHECK(times_out(&c, 1));
	CHECK(dump_read(dump, sizeof(dump)) > 0 && dump_has(dump, h, 0x1800,
							    (uint32_t)c.jobs.va + 8 * 64));
	dump_parts(&c);
	if (fail_init())
		dump_without_memory(&c);
	CHECK(job_works(&c, 1));
	client_close(&first);
	client_close(&c);
	CHECK(hw_write(hw_device_file("power/control"), "auto"));
}

/* ---- removal ---- */

void test_bind(void)
{
	/* awake again, although it sleeps as soon as nobody needs it */
	static const struct hw_access end[] = {
		HW_WRITE("L2_PWROFF_LO", 1), HW_WRITE("L2_PWRON_LO", 1),
		HW_WRITE("JOB_INT_MASK", 0), HW_WRITE("SHADER_PWROFF_LO", 1),
	};
	const char *driver = "/sys/bus/platform/drivers/panfrost/";
	char path[100];
	struct client c;
	uint64_t time;

	CHECK(client_open(&c));
	CHECK(job_works(&c, 1));
	client_close(&c);
	CHECK(hw_suspends());
	CHECK(hw_write(hw_device_file("power/autosuspend_delay_ms"), "0"));
	time = hw_log_time();
	snprintf(path, sizeof(path), "%sunbind", driver);
	CHECK(hw_write(path, hw_device()));
	CHECK(open_device() < 0);
	CHECK(hw_sequence(time, end, sizeof(end) / sizeof(end[0])));
	CHECK(hw_clock("clock") == 0);
	/* a reset that never ends, nor does 6.12's second one: the device is not there */
	CHECK(hw_inject(hw_since(612) ? "failed-reset 2" : "failed-reset 1"));
	snprintf(path, sizeof(path), "%sbind", driver);
	CHECK(!hw_write(path, hw_device()));
	CHECK(open_device() < 0);
	CHECK(hw_clock("clock") == 0);
	CHECK(hw_write(path, hw_device()));
	CHECK(hw_clock("clock") == 1);
	CHECK(client_open(&c));
	CHECK(job_works(&c, 2));
	client_close(&c);
}
