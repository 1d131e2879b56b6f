// SPDX-License-Identifier: MIT
/*
 * Cost of debuggable jobs: the jobs of a file on ordinary queues, on queues with the debug
 * flag, and with an attached debugger that never stops them. The baseline is the portable
 * executor, which runs some debugged jobs. Times are the workers' execution times.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "bench_debug.h"
#include "cli.h"
#include "jobfile_step.h"
#include "progress.h"
#include "vshader_debug.h"

#define POLL_US		50
#define TIMEOUT_NS	120000000000ull

enum mode { ORDINARY, FLAG, ATTACHED, PORTABLE, NUM_MODES };

static const char * const mode_names[NUM_MODES] = {
	[ORDINARY] = "ordinary", [FLAG] = "debug_queue", [ATTACHED] = "attached",
	[PORTABLE] = "portable",
};

/**
 * struct cost - job file
 * @path: its name
 * @jf: it
 * @best: nanoseconds of all jobs, 0: not measured
 * @runs: number of runs
 */
struct cost {
	const char *path;
	struct vshader_jobfile *jf;
	uint64_t best[NUM_MODES];
	unsigned int runs[NUM_MODES];
};

struct run {
	struct vshader_device *dev;
	struct vshader_steps *steps;
	enum mode mode;
	char err[4096];
};

/* ---- running ---- */

static int wait_completed(struct run *r, uint32_t queue, uint64_t want)
{
	uint64_t end = bench_now_ns() + TIMEOUT_NS;
	struct drm_vshader_queue_get_state state;

	do {
		if (vshader_queue_get_state(r->dev, queue, &state))
			return -EIO;
		if (state.completed >= want)
			return 0;
		usleep(POLL_US);
	} while (bench_now_ns() < end);
	return -ETIME;
}

static int wait_event(struct vshader_debug *dbg)
{
	struct drm_vshader_debug_event ev;
	int ret;

	do {
		ret = vshader_debug_wait(dbg, (int64_t)TIMEOUT_NS, &ev);
	} while (!ret && ev.type != DRM_VSHADER_DEBUG_EVENT_JOB_END);
	return ret;
}

/* Return: 0, 1 the job was refused, or a negative errno. */
static int run_job(struct run *r, uint32_t n, uint64_t *ns)
{
	struct drm_vshader_queue_get_state state;
	struct vshader_debug *dbg = NULL;
	uint32_t queue;
	int ret;

	ret = vshader_steps_prepare(r->steps, n, &queue);
	if (!ret)
		ret = vshader_queue_get_state(r->dev, queue, &state);
	if (!ret && r->mode == ATTACHED)
		ret = vshader_debug_attach(r->dev, queue, 0, 0, &dbg);
	if (!ret)
		ret = vshader_steps_submit(r->steps, n);
	if (!ret)
		ret = dbg ? wait_event(dbg) : wait_completed(r, queue, state.completed + 1);
	vshader_debug_close(dbg);
	if (!ret)
		ret = vshader_steps_finish(r->steps, n);
	if (!ret)
		*ns += vshader_steps_outcome(r->steps, n)->result.busy_ns;
	return ret;
}

static int differs(const struct cost *c)
{
	fail("%s: a result differs", c->path);
	return EXIT_DIFFERS;
}

static int run_file(struct cost *c, struct vshader_device *dev, enum mode mode)
{
	struct run r = { .dev = dev, .mode = mode };
	struct vshader_run *done;
	uint64_t ns = 0;
	bool debug = mode == FLAG || mode == ATTACHED, failed;
	uint32_t i;
	int ret = vshader_steps_open(c->jf, dev, debug, &r.steps, r.err, sizeof(r.err));

	if (ret)
		return fail("%s: %s", c->path, r.err);
	for (i = 0; i < c->jf->num_jobs && ret >= 0; i++)
		ret = run_job(&r, i, &ns);
	if (ret < 0)
		fail("%s: %s", c->path, *r.err ? r.err : vshader_error());
	done = vshader_steps_close(r.steps);
	failed = done && done->num_failed;
	vshader_run_free(done);
	if (ret < 0)
		return EXIT_USAGE;
	if (failed)
		return differs(c);
	if (!c->runs[mode]++ || ns < c->best[mode])
		c->best[mode] = ns;
	return 0;
}

/* Rounds are interleaved, so that a busy moment of the machine does not hit one alone. */
static int measure(struct cost *c, int num, struct vshader_device *dev,
		   struct vshader_device *portable, unsigned int repeats)
{
	unsigned int k;
	int i, m, ret = 0;

	for (k = 0; k < repeats; k++) {
		for (i = 0; i < num; i++) {
			for (m = 0; m < NUM_MODES && !ret; m++) {
				if (m != PORTABLE)
					ret = run_file(&c[i], dev, (enum mode)m);
				else if (portable)
					ret = run_file(&c[i], portable, PORTABLE);
			}
		}
	}
	return ret;
}

/* ---- output ---- */

static void print_text(const struct cost *c, int num)
{
	int i, m;

	printf("%-40s %12s %12s %12s %12s\n", "job file, best time in us", "ordinary",
	       "debug queue", "attached", "portable");
	for (i = 0; i < num; i++) {
		const char *name = strrchr(c[i].path, '/');

		printf("%-40s", name ? name + 1 : c[i].path);
		for (m = 0; m < NUM_MODES; m++) {
			if (c[i].runs[m])
				printf(" %12.1f", (double)c[i].best[m] / 1e3);
			else
				printf(" %12s", "-");
		}
		printf("\n%-40s %12s", "", "");
		for (m = 1; m < NUM_MODES; m++) {
			if (c[i].runs[m] && c[i].best[ORDINARY])
				printf(" %11.2fx", (double)c[i].best[m] /
				       (double)c[i].best[ORDINARY]);
		}
		putchar('\n');
	}
}

static void print_json(const struct cost *c, int num, const char *device)
{
	struct json_object *root = json_object_new_object(), *list, *o;
	int i, m;

	js_str(root, "device", device);
	list = js_array(root, "debug");
	for (i = 0; i < num; i++) {
		o = json_object_new_object();
		json_object_array_add(list, o);
		js_str(o, "file", c[i].path);
		js_int(o, "repeats", c[i].runs[ORDINARY]);
		for (m = 0; m < NUM_MODES; m++) {
			char key[32];

			snprintf(key, sizeof(key), "%s_ns", mode_names[m]);
			if (c[i].runs[m])
				js_int(o, key, c[i].best[m]);
		}
	}
	js_print(root);
}

/* ---- the command ---- */

static int load(struct cost *c, const char *path)
{
	char err[4096];

	c->path = path;
	return vshader_jobfile_load(path, &c->jf, err, sizeof(err)) ?
		fail("%s: %s", path, err) : 0;
}

int bench_debug(const char *device, char **files, int num, unsigned int repeats, bool json)
{
	struct cost *c = calloc((size_t)num + 1, sizeof(*c));
	struct vshader_device *dev = NULL, *portable = NULL;
	int i, ret = 0;

	if (!c)
		return fail("out of memory");
	for (i = 0; i < num && !ret; i++)
		ret = load(&c[i], files[i]);
	if (!ret)
		ret = open_device(device, &dev);
	/* the kernel has one executor */
	if (!ret && vshader_device_is_local(dev) && vshader_open("local:simd=portable", &portable))
		ret = fail("%s", vshader_error());
	if (!ret) {
		progress_begin("measurement", NULL, NULL, 0);
		ret = measure(c, num, dev, portable, repeats);
		progress_end();
	}
	if (!ret && json)
		print_json(c, num, device);
	else if (!ret)
		print_text(c, num);
	for (i = 0; i < num; i++)
		vshader_jobfile_free(c[i].jf);
	vshader_close(portable);
	vshader_close(dev);
	free(c);
	return ret;
}
