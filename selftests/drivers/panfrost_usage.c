// SPDX-License-Identifier: GPL-2.0
/*
 * fdinfo of panfrost: times and cycles of each engine that a client uses, since
 * Linux 6.7 or so, and the switch for them in sysfs. Kernels without are skipped. The load that
 * devfreq sees.
 */
#include "panfrost_ko.h"

/* A number of fdinfo; -1: it is not there. */
static long long usage(int fd, const char *key)
{
	char path[40], line[128];
	long long value = -1;
	size_t n = strlen(key);
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	file = fopen(path, "r");
	while (file && fgets(line, sizeof(line), file))
		if (!strncmp(line, key, n) && line[n] == ':')
			value = strtoll(line + n + 1, NULL, 10);
	if (file)
		fclose(file);
	return value;
}

static int profile(const char *value)
{
	int fd = open(hw_device_file("profiling"), O_WRONLY), ret = 0;

	if (fd < 0 || write(fd, value, strlen(value)) < 0)
		ret = errno;
	close(fd);
	return ret;
}

static bool fragment_works(struct client *c)
{
	c->data.p[0] = ~0U;
	put_write(c, 0, c->data.va, 9, true);
	return !submit_with(c, PANFROST_JD_REQ_FS, 0) && !await(c, 3000) &&
	       c->data.p[0] == written(9);
}

void test_usage(void)
{
	struct client c, idle;
	long long cycles, ns;
	char value[16];

	if (access(hw_device_file("profiling"), F_OK)) {
		printf("ok %u usage # SKIP this kernel has no profiling\n", ++tap.run);
		return;
	}
	CHECK(client_open(&c) && client_open(&idle));
	/* off: frequencies and memory only */
	CHECK(!strcmp(read_line(hw_device_file("profiling"), value, sizeof(value)), "0"));
	CHECK(job_works(&c, 1));
	CHECK(usage(c.fd, "drm-cycles-vertex-tiler") == -1);
	CHECK(usage(c.fd, "drm-engine-fragment") == -1);
	CHECK(usage(c.fd, "drm-maxfreq-fragment") >= 0);
	CHECK(usage(c.fd, "drm-client-id") > 0);
	CHECK(usage(c.fd, "drm-total-memory") >= (65536 + 8192) / 1024);
	CHECK(usage(c.fd, "drm-resident-memory") >= 0);
	/* on: of the engine that works, for the client that uses it */
	CHECK(profile("maybe\n") == EINVAL && !profile("1\n"));
	CHECK(job_works(&c, 2));
	cycles = usage(c.fd, "drm-cycles-vertex-tiler");
	ns = usage(c.fd, "drm-engine-vertex-tiler");
	printf("# %lld cycles, %lld ns\n", cycles, ns);
	CHECK(cycles > 0 && ns > 0);
	CHECK(!usage(c.fd, "drm-cycles-fragment") && !usage(c.fd, "drm-engine-fragment"));
	CHECK(!usage(idle.fd, "drm-cycles-vertex-tiler"));
	CHECK(fragment_works(&c) && usage(c.fd, "drm-cycles-fragment") > 0);
	CHECK(usage(c.fd, "drm-cycles-vertex-tiler") == cycles);
	/* the counter stops with the last job, also after a reset: the driver warns otherwise */
	put_loop(&c, 0);
	CHECK(!submit_with(&c, 0, 0) && !await(&c, 5000));
	CHECK(job_works(&c, 3) && usage(c.fd, "drm-cycles-vertex-tiler") > cycles);
	CHECK(hw_logged('W', "GPU_CMD", 5) && hw_logged('W', "GPU_CMD", 6));
	CHECK(hw_suspends());
	/* from the middle of a job on */
	put_loop(&c, 0);
	CHECK(!submit_with(&c, 0, 0) && await(&c, 50) == ETIMEDOUT && !profile("0\n"));
	CHECK(!await(&c, 5000) && job_works(&c, 4));
	CHECK(usage(c.fd, "drm-cycles-vertex-tiler") == -1);
	client_close(&idle);
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
	CHECK(!hw_bind(false) && hw_governor(false));
	CHECK(hw_bind(true) == EINVAL);
	CHECK(open_device() < 0 && !hw_clock("clock"));
	CHECK(hw_governor(true) && !hw_bind(true));
	CHECK(client_open(&c) && job_works(&c, 1));
	client_close(&c);
}
