// SPDX-License-Identifier: GPL-2.0
/* Panfrost: what is written to the hardware and when, as the log of accesses has it. */
#include "panfrost_ko.h"

#define N(a)	(sizeof(a) / sizeof((a)[0]))

/* ---- power ---- */

/* A reset; then the L2 cache, the cores and the tiler get power; interrupts are enabled last. */
static const struct hw_access resume[] = {
	HW_WRITE("GPU_INT_MASK", 0), HW_WRITE("GPU_INT_CLEAR", 0x100), HW_WRITE("GPU_CMD", 1),
	HW_READ("GPU_INT_RAWSTAT", 0x100), HW_WRITE("GPU_INT_CLEAR", 0x30781),
	HW_WRITE("GPU_INT_MASK", 0x30081), HW_WRITES("GPU_TILER_CONFIG"),
	HW_WRITE("L2_PWRON_LO", 1), HW_READ("L2_READY_LO", 1),
	HW_WRITE("SHADER_PWRON_LO", 1), HW_READ("SHADER_READY_LO", 1),
	HW_WRITE("TILER_PWRON_LO", 1), HW_READ("TILER_READY_LO", 1),
	HW_WRITE("MMU_INT_CLEAR", ~0U), HW_WRITE("MMU_INT_MASK", ~0U),
	HW_WRITE("JOB_INT_CLEAR", 0x70007), HW_WRITE("JOB_INT_MASK", 0x70007),
};

/* Cores and tiler lose power before the L2 cache. */
static const struct hw_access suspend[] = {
	HW_WRITE("SHADER_PWROFF_LO", 1), HW_READ("SHADER_PWRTRANS_LO", 0),
	HW_WRITE("TILER_PWROFF_LO", 1), HW_READ("TILER_PWRTRANS_LO", 0),
	HW_WRITE("L2_PWROFF_LO", 1), HW_READ("L2_PWRTRANS_LO", 0),
};

/* Bits that the driver's lists of features and issues want to be set. */
static void check_quirks(int fd, uint64_t after)
{
	static const struct {
		uint32_t id;
		struct hw_access config[3];
	} chips[] = {
		{ 0x750, { HW_WRITE("GPU_SHADER_CONFIG", 0x10000), HW_READ("GPU_TILER_CONFIG", 0),
			   HW_WRITE("GPU_TILER_CONFIG", 1) } },
		{ 0x860, { HW_WRITE("GPU_SHADER_CONFIG", 0x10000), HW_WRITE("GPU_TILER_CONFIG", 1),
			   HW_WRITE("GPU_JM_CONFIG", 0x1f8) } },
		{ 0x7212, { HW_READ("GPU_TILER_CONFIG", 0), HW_WRITE("GPU_TILER_CONFIG", 0),
			    HW_WRITE("GPU_JM_CONFIG", 0xf0000) } },
	};
	static const struct hw_access shader = HW_WRITES("GPU_SHADER_CONFIG");
	struct drm_panfrost_get_param g = { .param = DRM_PANFROST_PARAM_GPU_PROD_ID };
	uint32_t i;

	CHECK(!call(fd, DRM_IOCTL_PANFROST_GET_PARAM, &g));
	for (i = 0; i < N(chips); i++) {
		if (chips[i].id != g.value)
			continue;
		CHECK(hw_sequence(after, chips[i].config, N(chips[i].config)));
		CHECK(hw_has(after, &shader) == midgard);
	}
}

/* ---- address spaces ---- */

/* All of the space is flushed while it is locked; the tables follow, then UPDATE. */
static const struct hw_access space_on[] = {
	HW_WRITE("AS0_LOCKADDR_LO", 0x3f), HW_WRITE("AS0_LOCKADDR_HI", 0),
	HW_READ("AS0_STATUS", 0), HW_WRITE("AS0_COMMAND", 2),
	HW_READ("AS0_STATUS", 0), HW_WRITE("AS0_COMMAND", 5), HW_READ("AS0_STATUS", 0),
	HW_WRITES("AS0_TRANSTAB_LO"), HW_WRITE("AS0_TRANSTAB_HI", 0),
	HW_WRITE("AS0_MEMATTR_LO", 0x888d88), HW_WRITE("AS0_MEMATTR_HI", 0),
	HW_READ("AS0_STATUS", 0), HW_WRITE("AS0_COMMAND", 1),
};

static const struct hw_access space_off[] = {
	HW_WRITE("AS0_LOCKADDR_LO", 0x3f), HW_WRITE("AS0_LOCKADDR_HI", 0),
	HW_WRITE("AS0_COMMAND", 2), HW_WRITE("AS0_COMMAND", 5),
	HW_WRITE("AS0_TRANSTAB_LO", 0), HW_WRITE("AS0_TRANSTAB_HI", 0),
	HW_WRITE("AS0_MEMATTR_LO", 0), HW_WRITE("AS0_MEMATTR_HI", 0),
	HW_WRITE("AS0_COMMAND", 1),
};

/* A page fault of space 0 that nothing resolves: its interrupt stays masked. */
static const struct hw_access fault[] = {
	HW_WRITE("MMU_INT_MASK", 0), HW_READ("MMU_INT_RAWSTAT", 1),
	HW_READS("AS0_FAULTSTATUS"), HW_READ("AS0_FAULTADDRESS_LO", 0xe0000000),
	HW_READ("AS0_FAULTADDRESS_HI", 0), HW_WRITE("MMU_INT_CLEAR", 0x10001),
	HW_WRITE("AS0_COMMAND", 2), HW_WRITE("AS0_COMMAND", 5),
	HW_WRITE("AS0_TRANSTAB_LO", 0), HW_WRITE("AS0_COMMAND", 1),
	HW_WRITE("MMU_INT_MASK", ~0x10001U),
};

/* One that is: the heap's 2 MiB are flushed. */
static const struct hw_access growth[] = {
	HW_WRITE("MMU_INT_MASK", 0), HW_READ("MMU_INT_RAWSTAT", 1),
	HW_READS("AS0_FAULTSTATUS"), HW_WRITE("MMU_INT_CLEAR", 0x10001),
	{ 'W', "AS0_LOCKADDR_LO", 20, 0x1fffff }, HW_WRITE("AS0_COMMAND", 2),
	HW_WRITE("AS0_COMMAND", 4), HW_READ("MMU_INT_RAWSTAT", 0),
	HW_WRITE("MMU_INT_MASK", ~0U),
};

/* ---- jobs ---- */

static bool job_written(uint64_t after, uint32_t slot, uint64_t head)
{
	static char name[7][32];
	static const char * const format[7] = {
		"JS%u_COMMAND_NEXT", "JS%u_HEAD_NEXT_LO", "JS%u_HEAD_NEXT_HI",
		"JS%u_AFFINITY_NEXT_LO", "JS%u_AFFINITY_NEXT_HI", "JS%u_CONFIG_NEXT",
		"JS%u_FLUSH_ID_NEXT",
	};
	/* priority 8; caches are cleaned at begin and end, on Bifrost if need be only */
	const struct hw_access job[] = {
		HW_READ(name[0], 0), HW_WRITE(name[1], (uint32_t)head),
		HW_WRITE(name[2], head >> 32), HW_WRITE(name[3], 1), HW_WRITE(name[4], 0),
		{ 'W', name[5], midgard ? 0x083300 : 0x087300, 0xff730f },
		HW_WRITE(name[0], 1), HW_READ("JOB_INT_STAT", 1 << slot),
		HW_WRITE("JOB_INT_MASK", 0), HW_READ("JOB_INT_RAWSTAT", 1 << slot),
		HW_WRITE("JOB_INT_CLEAR", 1 << slot), HW_READS("JOB_INT_JS_STATE"),
		HW_READ("JOB_INT_RAWSTAT", 0), HW_WRITE("JOB_INT_MASK", 0x70007),
	};
	const struct hw_access id[] = { HW_WRITES(name[6]), HW_WRITE(name[0], 1) };
	uint32_t i;

	for (i = 0; i < 7; i++)
		snprintf(name[i], sizeof(name[i]), format[i], slot);
	return hw_sequence(after, job, N(job)) && (midgard || hw_sequence(after, id, N(id)));
}

/* An alternating bit distinguishes consecutive chains of a slot. */
static bool flags_alternate(struct client *c)
{
	static const struct hw_access set = { 'W', "JS1_CONFIG_NEXT", 0x800, 0x800 };
	static const struct hw_access clear = { 'W', "JS1_CONFIG_NEXT", 0, 0x800 };
	uint32_t i, sets = 0, good = 0;
	bool is_set, last = false;
	uint64_t time;

	for (i = 0; i < 4; i++) {
		time = hw_log_time();
		if (!job_works(c, i))
			return false;
		is_set = hw_has(time, &set);
		good += is_set != hw_has(time, &clear);
		sets += i && is_set != last;
		last = is_set;
	}
	return good == 4 && sets == 3;
}

static void jobs_and_power(struct client *c)
{
	uint64_t time;

	CHECK(hw_suspends());
	time = hw_log_time();
	CHECK(job_works(c, 1));
	CHECK(hw_suspends());
	CHECK(hw_sequence(time, resume, N(resume)));
	check_quirks(c->fd, time);
	CHECK(hw_sequence(time, space_on, N(space_on)));
	CHECK(job_written(time, 1, c->jobs.va));
	CHECK(hw_sequence(time, suspend, N(suspend)));
	time = hw_log_time();
	put_write(c, 8, c->data.va, 5, true);
	CHECK(!submit_sync(c, 8, PANFROST_JD_REQ_FS, 0, 0) && !await(c, 3000));
	CHECK(job_written(time, 0, c->jobs.va + 8 * 64));
	CHECK(flags_alternate(c));
}

static void faults(struct client *c)
{
	struct bo heap;
	uint64_t time;

	CHECK(!bo_new(c->fd, 4 << 20, PANFROST_BO_HEAP | PANFROST_BO_NOEXEC, &heap));
	CHECK(hw_suspends());
	time = hw_log_time();
	put_write(c, 0, heap.va + 5, 1, true);
	CHECK(!submit_with(c, 0, heap.handle) && !await(c, 3000));
	CHECK(hw_sequence(time, growth, N(growth)));
	CHECK(hw_suspends());
	time = hw_log_time();
	put_write(c, 0, 0xe0000000, 1, true);
	CHECK(!submit_with(c, 0, 0) && !await(c, 3000));
	CHECK(hw_sequence(time, fault, N(fault)));
	CHECK(hw_suspends());
	bo_free(c->fd, &heap);
	CHECK(job_works(c, 4));
}

/* ---- stops ---- */

static const struct hw_access counters_off[] = {
	HW_WRITE("GPU_PRFCNT_JM_EN", 0), HW_WRITE("GPU_PRFCNT_SHADER_EN", 0),
	HW_WRITE("GPU_PRFCNT_MMU_L2_EN", 0), HW_WRITE("GPU_PRFCNT_TILER_EN", 0),
	HW_WRITE("GPU_PERFCNT_CFG", 0),
};

static bool all_off(uint64_t after)
{
	const struct hw_access *one;
	bool good = true;

	for (one = counters_off; one < counters_off + N(counters_off); one++)
		good &= hw_has(after, one);
	return good;
}

static const struct hw_access reset[] = {
	HW_WRITE("JOB_INT_MASK", 0),
	HW_WRITE("JS0_COMMAND_NEXT", 0), HW_WRITE("JS0_COMMAND", 2),
	HW_WRITE("JS1_COMMAND_NEXT", 0), HW_WRITE("JS1_COMMAND", 2),
	HW_WRITE("JS2_COMMAND_NEXT", 0), HW_WRITE("JS2_COMMAND", 2),
	HW_READS("JOB_INT_JS_STATE"), HW_READS("JOB_INT_RAWSTAT"), HW_WRITE("GPU_CMD", 1),
	HW_WRITE("JOB_INT_MASK", 0x70007), HW_WRITE("JOB_INT_MASK", 0),
	HW_WRITE("JOB_INT_MASK", 0x70007),
};

/* A file is closed while its chain executes: the chain is stopped by its flag, and only it. */
static void closes(void)
{
	static const struct hw_access stops[] = {
		{ 'W', "JS0_COMMAND", 1, 1 }, HW_READS("JS0_STATUS"),
	};
	/* of a next job, which there is none of */
	static const struct hw_access cancels[] = {
		HW_WRITE("JS0_COMMAND_NEXT", 0), { 'W', "JS0_COMMAND", 1, 1 },
	};
	static const struct hw_access start = HW_WRITE("JS0_COMMAND_NEXT", 1);
	unsigned int timeouts = hw_said(TIMED_OUT);
	struct client c, other;
	uint64_t time, last;

	CHECK(client_open(&c) && client_open(&other));
	CHECK(job_works(&other, 1));
	time = hw_log_time();
	put_loop(&c, 8);
	CHECK(!submit_sync(&c, 8, PANFROST_JD_REQ_FS, 0, 0));
	CHECK(HW_SOON(hw_has(time, &start)));
	/* a race may show it later */
	usleep(20000);
	time = hw_log_time();
	client_close(&c);
	if (hw_since(612)) {
		usleep(200000);
		hw_known(hw_find(time, stops, 1, &time) == 1, "close-running",
			 "the chain of a closed file is executed until its timeout");
		HW_SOON(hw_said(TIMED_OUT) != timeouts);
	} else {
		CHECK(hw_sequence(time, stops, N(stops)));
		CHECK(hw_find(time, cancels, N(cancels), &last) < N(cancels));
	}
	CHECK(job_works(&other, 2));
	client_close(&other);
}

void test_registers(void)
{
	struct client c;
	uint64_t time;

	CHECK(client_open(&c));
	jobs_and_power(&c);
	faults(&c);
	/* awake, its space is switched off */
	CHECK(hw_suspends() && hw_write(hw_device_file("power/control"), "on"));
	CHECK(job_works(&c, 6));
	time = hw_log_time();
	client_close(&c);
	CHECK(hw_sequence(time, space_off, N(space_off)));
	CHECK(hw_write(hw_device_file("power/control"), "auto"));
	closes();
}

void test_reset_registers(void)
{
	struct client c;
	uint64_t time;

	CHECK(client_open(&c));
	CHECK(hw_suspends());
	time = hw_log_time();
	put_loop(&c, 8);
	CHECK(!submit_sync(&c, 8, 0, 0, 0) && !await(&c, 5000));
	CHECK(hw_sequence(time, reset, N(reset)) && hw_sequence(time, resume, N(resume)));
	CHECK(job_works(&c, 1));
	/* nor for a moment are other interrupts enabled */
	CHECK(hw_only("JOB_INT_MASK", 0, 0x70007) && hw_only("GPU_INT_MASK", 0, 0x30081));
	client_close(&c);
}

/* The end of the driver: no interrupt is left enabled, nothing counts, cores have no power. */
void test_unbind_registers(void)
{
	static const struct hw_access end[] = {
		HW_WRITE("GPU_PERFCNT_CFG", 0), HW_WRITE("JOB_INT_MASK", 0),
		HW_WRITE("MMU_INT_MASK", 0), HW_WRITE("SHADER_PWROFF_LO", 1),
	};
	static const struct hw_access probe[] = {
		HW_READS("GPU_ID"), HW_WRITE("SHADER_PWRON_LO", 1),
		HW_WRITE("JOB_INT_CLEAR", 0x70007), HW_WRITE("JOB_INT_MASK", 0x70007),
		HW_WRITE("GPU_PERFCNT_CFG", 0),
	};
	struct client c;
	uint64_t time;

	CHECK(client_open(&c) && job_works(&c, 1));
	client_close(&c);
	time = hw_log_time();
	CHECK(!hw_bind(false));
	CHECK(hw_sequence(time, end, N(end)) && hw_sequence(time, suspend, N(suspend)));
	CHECK(all_off(time));
	time = hw_log_time();
	CHECK(!hw_bind(true));
	CHECK(hw_sequence(time, probe, N(probe)) && all_off(time));
	CHECK(client_open(&c) && job_works(&c, 1));
	client_close(&c);
}

/* How long the driver waits for hardware that does nothing, before it goes on. */
static void waits_of_power(struct client *c)
{
	static const struct hw_access reset[] = {
		HW_WRITE("GPU_CMD", 1), HW_WRITES("GPU_TILER_CONFIG"),
	};
	static const struct {
		struct hw_access from, to;
		int64_t us;
	} parts[] = {
		{ HW_WRITE("L2_PWRON_LO", 1), HW_WRITE("SHADER_PWRON_LO", 1), 20000 },
		{ HW_WRITE("SHADER_PWRON_LO", 1), HW_WRITE("TILER_PWRON_LO", 1), 20000 },
		{ HW_WRITE("TILER_PWRON_LO", 1), HW_WRITE("MMU_INT_CLEAR", ~0U), 1000 },
	};
	uint64_t time = hw_log_time();
	uint32_t i;

	CHECK(hw_suspends() && hw_inject("slow-power 1000000") && job_works(c, 1));
	CHECK(hw_inject("slow-power 0"));
	for (i = 0; i < N(parts); i++)
		CHECK(hw_waited(parts[i].from.name,
				hw_between(time, &parts[i].from, &parts[i].to), parts[i].us));
	CHECK(hw_suspends());
	time = hw_log_time();
	CHECK(hw_inject("failed-reset 1") && job_works(c, 2));
	CHECK(hw_waited("reset", hw_between(time, &reset[0], &reset[1]), 10000));
}

/* An address space that stays busy, a job that does not stop. */
static void waits_of_stops(struct client *c)
{
	static const struct hw_access stuck[] = {
		HW_READ("AS0_STATUS", 1), HW_WRITES("AS0_TRANSTAB_LO"),
	};
	static const struct hw_access stop[] = {
		HW_WRITE("JS2_COMMAND", 2), HW_WRITE("GPU_CMD", 1),
	};
	uint64_t time;

	CHECK(hw_suspends());
	time = hw_log_time();
	CHECK(hw_inject("stuck-as 1"));
	put_job(c, 0, 1, 0);
	CHECK(!submit_with(c, 0, 0) && !await(c, 5000));
	usleep(100000);
	/* for the command and for its end */
	CHECK(hw_waited("space", hw_between(time, &stuck[0], &stuck[1]), 200000));
	CHECK(hw_suspends());
	time = hw_log_time();
	CHECK(hw_inject("hang 1"));
	CHECK(!submit_with(c, 0, 0) && !await(c, 5000));
	CHECK(hw_waited("stop", hw_between(time, &stop[0], &stop[1]), 10000));
	CHECK(job_works(c, 3) && hw_suspends());
}

void test_times(void)
{
	static const struct hw_times times = {
		.start = HW_WRITE("JS1_COMMAND_NEXT", 1), .stop = HW_WRITE("JS1_COMMAND", 2),
		.off = HW_WRITE("SHADER_PWROFF_LO", 1), .idle_us = { 50000, 65000 },
	};
	struct client c;

	if (!hw_exact()) {
		tap_skip("time passes while programs compute", "%s", __func__);
		return;
	}
	CHECK(client_open(&c));
	hw_check_times(hang_of(&c), &times);
	waits_of_power(&c);
	waits_of_stops(&c);
	client_close(&c);
}

/* ---- the use of address spaces ---- */

#define SPACES	8

static int space_of(struct client *c)
{
	char name[32];
	uint64_t time = hw_log_time();
	uint32_t i;

	if (!job_works(c, 1))
		return -1;
	for (i = 0; i < SPACES; i++) {
		struct hw_access on = HW_WRITE(name, 5);

		snprintf(name, sizeof(name), "AS%u_COMMAND", i);
		if (hw_has(time, &on))
			return i;
	}
	return SPACES;
}

/* A client keeps its space; a new one gets that which has not been used for the longest time. */
void test_lru(void)
{
	struct client c[SPACES + 2];
	uint32_t i, good = 0;

	CHECK(hw_write(hw_device_file("power/control"), "on"));
	for (i = 0; i < SPACES + 2; i++)
		good += client_open(&c[i]);
	CHECK(good == SPACES + 2);
	for (i = 0, good = 0; i < SPACES; i++)
		good += space_of(&c[i]) == (int)i;
	CHECK(good == SPACES);
	/* the first is used again: the second is the oldest */
	CHECK(space_of(&c[0]) == SPACES);
	CHECK(space_of(&c[SPACES]) == 1);
	CHECK(space_of(&c[SPACES + 1]) == 2);
	CHECK(space_of(&c[0]) == SPACES && space_of(&c[SPACES]) == SPACES);
	/* who has lost it gets another one */
	CHECK(space_of(&c[1]) == 3);
	/* that of a closed file is free */
	client_close(&c[SPACES]);
	CHECK(space_of(&c[2]) == 1);
	for (i = 0; i < SPACES + 2; i++)
		if (i != SPACES)
			client_close(&c[i]);
	CHECK(hw_write(hw_device_file("power/control"), "auto"));
}

/* ---- performance counters ---- */

static const struct hw_access counters_on[] = {
	HW_WRITE("GPU_INT_CLEAR", 0x30000), HW_WRITE("GPU_CMD", 3), HW_WRITE("GPU_CMD", 8),
	HW_READ("GPU_INT_STAT", 0x20000), HW_WRITE("GPU_INT_CLEAR", 0x20000),
	HW_WRITE("GPU_PRFCNT_JM_EN", ~0U), HW_WRITE("GPU_PRFCNT_SHADER_EN", ~0U),
	HW_WRITE("GPU_PRFCNT_MMU_L2_EN", ~0U), HW_WRITE("GPU_PRFCNT_TILER_EN", ~0U),
	HW_WRITE("GPU_PERFCNT_CFG", 1),
};

static const struct hw_access counters_dump[] = {
	HW_WRITES("GPU_PERFCNT_BASE_LO"), HW_WRITE("GPU_PERFCNT_BASE_HI", 0),
	HW_WRITE("GPU_INT_CLEAR", 0x30000), HW_WRITE("GPU_CMD", 4),
	{ 'R', "GPU_INT_STAT", 0x10000, 0x10000 }, HW_WRITE("GPU_CMD", 7),
	{ 'R', "GPU_INT_STAT", 0x20000, 0x20000 },
};

void test_counter_registers(void)
{
	struct drm_panfrost_perfcnt_enable e = { .enable = 1 };
	static uint32_t block[4 * 64];
	struct drm_panfrost_perfcnt_dump d = { .buf_ptr = (uintptr_t)block };
	struct client c, first;
	uint64_t time;

	hw_write("/sys/module/panfrost/parameters/unstable_ioctls", "1");
	CHECK(client_open(&first) && client_open(&c));
	time = hw_log_time();
	CHECK(!call(c.fd, DRM_IOCTL_PANFROST_PERFCNT_ENABLE, &e));
	CHECK(hw_sequence(time, counters_on, N(counters_on)));
	time = hw_log_time();
	CHECK(!call(c.fd, DRM_IOCTL_PANFROST_PERFCNT_DUMP, &d));
	CHECK(hw_sequence(time, counters_dump, N(counters_dump)));
	time = hw_log_time();
	e.enable = 0;
	CHECK(!call(c.fd, DRM_IOCTL_PANFROST_PERFCNT_ENABLE, &e) && all_off(time));
	/* another space, the second set of counters */
	CHECK(hw_suspends() && hw_write(hw_device_file("power/control"), "on"));
	CHECK(job_works(&first, 1));
	time = hw_log_time();
	e = (struct drm_panfrost_perfcnt_enable){ .enable = 1, .counterset = !midgard };
	CHECK(!call(c.fd, DRM_IOCTL_PANFROST_PERFCNT_ENABLE, &e));
	CHECK(hw_sequence(time, &(struct hw_access)
			  HW_WRITE("GPU_PERFCNT_CFG", midgard ? 0x11 : 0x111), 1));
	/* the space is kept while other clients want one */
	time = hw_log_time();
	client_close(&c);
	CHECK(all_off(time));
	CHECK(job_works(&first, 2));
	client_close(&first);
	CHECK(hw_write(hw_device_file("power/control"), "auto"));
}
