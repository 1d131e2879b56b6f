// SPDX-License-Identifier: GPL-2.0
/*
 * From the end of a job until others see its fence signal: long-running inputs of every kind, each
 * ended in every way, with and without CPU time. Times are printed only; tests check that the
 * fence signals, and its status.
 *
 * usage: test_cancel [--rounds N] [--scenes FILE] [--json FILE]
 *
 * Without --rounds each input is ended in two of the ways. --scenes: also the jobs of a file of
 * dumps (vshader_drm_dump.h), as the tests of sections and vshader's recorder write them.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <time.h>
#include <linux/sync_file.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "../include/kselftest.h"
#include "../include/qpu_asm.h"
#include "vst_cgroup.h"
#include "vst_lima.h"
#include "vst_mali.h"
#include "vst_panfrost.h"
#include "vst_scene.h"
#include "vst_vc4_job.h"

#define MAX_MS		10000	/* of a queue */
#define WATCHDOG_MS	60000
#define MAX_ROUNDS	1000
#define MAX_COPIES	256
#define LONG_NS		300000000ULL	/* jobs of a scene are to take this together */
#define SHORT_NS	20000000ULL
#define LIMIT		"shared_ms"
#define DRIVER		"/sys/bus/platform/drivers/vshader/"
#define REFERENCES	"/sys/module/vshader/refcnt"

enum ending { KILL, CLOSE, CANCEL, OVERDUE, UNPLUG, NUM_ENDS };
enum share { UNLIMITED, ONE_PERCENT, NUM_SHARES };

static const char *const end_names[NUM_ENDS] = { "kill", "close", "cancel", "limit", "unplug" };
static const char *const share_names[NUM_SHARES] = { "", " 1%" };
static const char *const cpu_max[NUM_SHARES] = { "max", "1000 100000" };

struct client;

/**
 * struct input - What is executed.
 * @name:	for people
 * @make:	everything but the job, on a new file
 * @submit:	the job; @sync is signalled by it, or 0
 * @cancel:	the job, or NULL: the interface cannot
 * @id:		chip of a personality
 * @arch:	of Mali programs
 * @scene:	dump
 * @copies:	jobs that are submitted
 * @ns:		time that they take together, of scenes; ~0: for ever
 */
struct input {
	char name[48];
	int (*make)(struct client *c);
	int (*submit)(struct client *c, __u32 sync);
	int (*cancel)(struct client *c);
	__u32 id;
	const struct vst_mali_arch *arch;
	const struct vst_scene *scene;
	unsigned int copies;
	__u64 ns;
};

/**
 * struct client - A file and what its jobs need.
 */
struct client {
	const struct input *in;
	int fd;
	__u32 vm;
	__u32 queue;	/* or context */
	__u32 program;
	struct vst_mali mali;
	struct vst_pf_bo pf;
	struct vst_lm_bo lm;
	struct vst_buf code;
	struct job vc4;
};

static __u64 random_state = 1;

static unsigned int below(unsigned int n)
{
	random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (random_state >> 33) % n;
}

/* ---- inputs ---- */

static int new_queue(struct client *c, __u32 engine)
{
	struct drm_vshader_queue_create arg = {
		.engine = engine, .vm_id = c->vm, .priority = DRM_VSHADER_PRIORITY_MEDIUM,
		.time_limit_ms = MAX_MS,
	};
	int ret = vst_ioctl(c->fd, DRM_IOCTL_VSHADER_QUEUE_CREATE, &arg);

	c->queue = arg.id;
	return ret;
}

static int cancel_queue(struct client *c)
{
	return vst_queue_destroy(c->fd, c->queue);
}

static int open_own(struct client *c)
{
	c->fd = vst_open();
	return c->fd < 0 ? c->fd : 0;
}

static int make_pica(struct client *c)
{
	return open_own(c) ?: vst_vm_create(c->fd, 0, &c->vm) ?:
	       vst_program(c->fd, &vst_spin, &c->program) ?:
	       new_queue(c, DRM_VSHADER_ENGINE_PICA);
}

static int submit_pica(struct client *c, __u32 sync)
{
	struct vst_job j;

	vst_job_init(&j, c->queue, c->program, VST_COUNT);
	if (sync)
		vst_job_sync(&j, DRM_VSHADER_SYNC_SIGNAL, sync, 0);
	return vst_submit(c->fd, &j);
}

static int make_mali(struct client *c)
{
	int ret = vst_mali_setup(&c->mali, c->in->arch);

	c->fd = c->mali.fd;
	if (!ret)
		ret = vst_mali_program(&c->mali, &c->in->arch->spin, DRM_VSHADER_STAGE_COMPUTE);
	if (!ret)
		ret = vst_mali_queue(&c->mali, 0, MAX_MS);
	c->queue = c->mali.queue;
	return ret;
}

static int submit_mali(struct client *c, __u32 sync)
{
	vst_mali_job(&c->mali, MALI_LOCAL, 1);
	if (sync)
		vst_job_sync(&c->mali.j, DRM_VSHADER_SYNC_SIGNAL, sync, 0);
	return vst_submit(c->fd, &c->mali.j);
}

static int make_qpu(struct client *c)
{
	struct q_prog p;
	unsigned int i, top;
	int ret = open_own(c) ?: vst_vm_create(c->fd, 0, &c->vm) ?:
		  new_queue(c, DRM_VSHADER_ENGINE_QPU) ?:
		  vst_buf_new(&c->code, c->fd, c->vm, VA(1), PAGE, false);

	if (ret)
		return ret;
	q_begin(&p);
	top = q_here(&p);
	q_branch(&p, Q_BR_ALWAYS, top);
	q_end(&p);
	q_finish(&p);
	memcpy(c->code.u32, p.w, 8 * p.n);
	for (i = 0; i < 12; i++) {
		c->code.u32[512 + 2 * i] = VA(1);
		c->code.u32[512 + 2 * i + 1] = VA(1);
	}
	return 0;
}

static int submit_qpu(struct client *c, __u32 sync)
{
	struct drm_vshader_native_job native = {
		.format = DRM_VSHADER_NATIVE_QPU_LIST, .va = VA(1) + 2048, .size = 12 * 8,
	};
	struct vst_job j;

	vst_job_init(&j, c->queue, 0, 0);
	j.job.type = DRM_VSHADER_JOB_NATIVE;
	j.job.desc = PTR(&native);
	j.job.desc_size = sizeof(native);
	if (sync)
		vst_job_sync(&j, DRM_VSHADER_SYNC_SIGNAL, sync, 0);
	return vst_submit(c->fd, &j);
}

static int make_panfrost(struct client *c)
{
	int ret;

	c->fd = vst_pf_open(c->in->id);
	ret = c->fd < 0 ? c->fd : vst_pf_create_mapped(c->fd, PAGE, &c->pf);
	if (!ret)
		vst_pf_put_compute(&c->pf, c->in->arch, &c->in->arch->spin, 4);
	return ret;
}

static int submit_panfrost(struct client *c, __u32 sync)
{
	return vst_pf_submit(c->fd, c->pf.va, &c->pf.handle, 1, 0, sync, 0);
}

static int open_lima(struct client *c, __u32 bytes)
{
	int ret;

	c->fd = vst_lm_open(c->in->id);
	ret = c->fd < 0 ? c->fd : vst_lm_ctx_create(c->fd, 0, &c->queue);
	return ret ?: vst_lm_create_mapped(c->fd, bytes, &c->lm);
}

static int cancel_lima(struct client *c)
{
	return vst_lm_ctx_free(c->fd, c->queue, 0);
}

static int make_lima(struct client *c)
{
	int ret = open_lima(c, PAGE);

	if (!ret)
		vst_lm_put_spin(&c->lm);
	return ret;
}

static int submit_lima(struct client *c, __u32 sync)
{
	struct vst_lm_job j;

	vst_lm_draw(&j, c->queue, &c->lm);
	j.arg.out_sync = sync;
	return vst_lm_submit(c->fd, &j);
}

#define FRAME	2048	/* of vc4, pixels */

static int make_vc4(struct client *c)
{
	static const float corners[] = { -1, -1, 0, 1, 1, -1, 0, 1, -1, 1, 0, 1 };
	__u32 handles[NUM_BOS];
	int ret;

	c->fd = open_vc4();
	if (c->fd < 0)
		return c->fd;
	ret = create_shader(c->fd, vc4_fs, sizeof(vc4_fs), &handles[FS]) ?:
	      create_shader(c->fd, vc4_vs, sizeof(vc4_vs), &handles[VS]) ?:
	      create_shader(c->fd, vc4_cs, sizeof(vc4_cs), &handles[CS]) ?:
	      create_bo(c->fd, PAGE, &handles[VERTICES]) ?:
	      create_bo(c->fd, 4 * FRAME * FRAME, &handles[IMAGE]) ?:
	      put_corners(c->fd, handles[VERTICES], corners);
	make_job(&c->vc4, handles);
	c->vc4.list[LIST_TILES] = FRAME / 64;
	c->vc4.list[LIST_TILES + 1] = FRAME / 64;
	c->vc4.arg.width = FRAME;
	c->vc4.arg.height = FRAME;
	c->vc4.arg.max_x_tile = FRAME / 64 - 1;
	c->vc4.arg.max_y_tile = FRAME / 64 - 1;
	return ret;
}

static int submit_vc4(struct client *c, __u32 sync)
{
	c->vc4.arg.out_sync = sync;
	return submit(c->fd, &c->vc4);
}

static int make_scene(struct client *c)
{
	return open_own(c) ?: vst_scene_make(c->fd, c->in->scene, &c->vm, &c->program) ?:
	       new_queue(c, c->in->scene->queue->engine);
}

static int submit_scene(struct client *c, __u32 sync)
{
	return vst_scene_submit(c->fd, c->in->scene, c->queue, c->program, sync);
}

static const struct input built_in[] = {
	{ "PICA200, endless", make_pica, submit_pica, cancel_queue, .copies = 1 },
	{ "QPU, endless", make_qpu, submit_qpu, cancel_queue, .copies = 1 },
	{ "Bifrost, endless", make_mali, submit_mali, cancel_queue, .arch = &vst_mali_bifrost,
	  .copies = 1 },
	{ "Midgard, endless", make_mali, submit_mali, cancel_queue, .arch = &vst_mali_midgard,
	  .copies = 1 },
	{ "panfrost g52, endless", make_panfrost, submit_panfrost, .id = 0x7212,
	  .arch = &vst_mali_bifrost, .copies = 1 },
	{ "panfrost t860, endless", make_panfrost, submit_panfrost, .id = 0x860,
	  .arch = &vst_mali_midgard, .copies = 1 },
	{ "lima mali400, endless", make_lima, submit_lima, cancel_lima,
	  .id = DRM_LIMA_PARAM_GPU_ID_MALI400, .copies = 1 },
	{ "lima mali450, endless", make_lima, submit_lima, cancel_lima,
	  .id = DRM_LIMA_PARAM_GPU_ID_MALI450, .copies = 1 },
	{ "vc4, 2048x2048", make_vc4, submit_vc4, .copies = 24 },
};

/* ---- a client in a process of its own ---- */

/**
 * struct shared - What both processes see.
 * @begin:	the client has begun to end its job, ns
 * @ret:	an error of it
 */
struct shared {
	__u64 begin;
	int ret;
};

static char cgroup[64];
static struct shared *shared;

static int enter(const char *group)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/cgroup.procs", group);
	return vst_write_file(path, "0");
}

static int submit_all(struct client *c, __u32 *sync)
{
	int ret = vst_syncobj(c->fd, sync);
	unsigned int i;

	for (i = 1; i < c->in->copies && !ret; i++)
		ret = c->in->submit(c, 0);
	return ret ?: c->in->submit(c, *sync);
}

/* Mappings of buffers hold the file. */
static void unmap_all(struct client *c)
{
	const struct vst_buf *const bufs[] = {
		&c->code, &c->mali.code, &c->mali.in, &c->mali.out, &c->mali.desc, &c->mali.wls,
		&c->mali.res,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bufs); i++)
		if (bufs[i]->map)
			munmap(bufs[i]->map, bufs[i]->size);
	if (c->pf.map)
		munmap(c->pf.map, c->pf.size);
	if (c->lm.map)
		munmap(c->lm.map, c->lm.size);
}

/* Return: a sync file of the last job, or a negative errno. */
static int begin(struct client *c)
{
	__u32 sync;
	int ret = c->in->make(c);

	if (!ret)
		ret = enter(cgroup);
	if (!ret)
		ret = submit_all(c, &sync);
	if (!ret)
		unmap_all(c);
	return ret ?: vst_export_sync_file(c->fd, sync);
}

static int send_file(int sock, int ret)
{
	char control[CMSG_SPACE(sizeof(int))] = "";
	struct iovec iov = { &ret, sizeof(ret) };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	struct cmsghdr *cmsg = (struct cmsghdr *)control;

	if (ret >= 0) {
		msg.msg_control = control;
		msg.msg_controllen = sizeof(control);
		cmsg->cmsg_level = SOL_SOCKET;
		cmsg->cmsg_type = SCM_RIGHTS;
		cmsg->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(cmsg), &ret, sizeof(int));
	}
	return sendmsg(sock, &msg, 0) < 0 ? -errno : 0;
}

/* Return: the file, or what the other process has sent instead. */
static int receive_file(int sock)
{
	char control[CMSG_SPACE(sizeof(int))] = "";
	struct cmsghdr *cmsg = (struct cmsghdr *)control;
	int ret = -EPIPE;
	struct iovec iov = { &ret, sizeof(ret) };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control,
			      .msg_controllen = sizeof(control) };

	if (recvmsg(sock, &msg, 0) != sizeof(ret))
		return -EPIPE;
	if (ret >= 0)
		memcpy(&ret, CMSG_DATA(cmsg), sizeof(int));
	return ret;
}

/* Never returns. */
static void be_client(const struct input *in, enum ending end, int sock)
{
	struct client c = { .in = in, .fd = -1 };
	int ret = begin(&c);
	char go;

	/* a client that ends its jobs itself has CPU time: its jobs have none */
	if (ret >= 0 && end != KILL && enter(VST_CGROUPS))
		ret = -EPERM;
	if (send_file(sock, ret) || ret < 0 || read(sock, &go, 1) != 1)
		_exit(1);
	shared->begin = now_ns();
	if (end == CLOSE)
		close(c.fd);
	else
		shared->ret = in->cancel(&c);
	for (;;)
		pause();
}

/**
 * struct round - A measurement.
 * @pid:	the client
 * @sock:	to it
 * @file:	sync file
 * @thread:	waits for it
 * @seen:	when the waiting thread has gone on, ns, 0: never
 */
struct round {
	pid_t pid;
	int sock;
	int file;
	pthread_t thread;
	__u64 seen;
};

static int start_client(struct round *r, const struct input *in, enum ending end)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair))
		return -errno;
	shared->ret = 0;
	r->pid = fork();
	if (!r->pid) {
		close(pair[0]);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		be_client(in, end, pair[1]);
	}
	close(pair[1]);
	r->sock = pair[0];
	r->file = receive_file(r->sock);
	return r->file < 0 ? r->file : 0;
}

static void end_client(struct round *r)
{
	vst_cgroup_limit(cgroup, "max");
	kill(r->pid, SIGKILL);
	waitpid(r->pid, NULL, 0);
	close(r->sock);
	if (r->file >= 0)
		close(r->file);
}

static void *wait_fn(void *arg)
{
	struct round *r = arg;
	struct pollfd p = { .fd = r->file, .events = POLLIN };

	r->seen = poll(&p, 1, WATCHDOG_MS) == 1 ? now_ns() : 0;
	return NULL;
}

/* When the fence has signalled, ns; @status: of it. */
static __u64 signalled(int file, int *status)
{
	struct sync_fence_info fence = { .status = 0 };
	struct sync_file_info info = { .num_fences = 1, .sync_fence_info = PTR(&fence) };
	int ret = vst_ioctl(file, SYNC_IOC_FILE_INFO, &info);

	*status = ret ?: info.status;
	return fence.timestamp_ns;
}

/* ---- devices ---- */

static int device_of(const struct input *in, char *name, size_t size)
{
	struct client c = { .in = in, .fd = -1 };
	int ret = in->make(&c) ?: vst_device_name(c.fd, name, size);

	unmap_all(&c);
	if (c.fd >= 0)
		close(c.fd);
	return ret;
}

static int bind_again(const struct input *in, const char *name)
{
	char again[64];
	int i, ret;

	ret = vst_write_file(DRIVER "bind", name);
	if (ret)
		return ret;
	for (i = 0; i < 1200; i++) {
		ret = device_of(in, again, sizeof(again));
		if (!ret)
			return 0;
		usleep(50000);
	}
	return ret;
}

/* ---- measurements ---- */

/**
 * struct result - Of all rounds of an input, a way to end it, and CPU time.
 * @ns:		to the signal
 * @seen:	to the waiter
 * @n:		rounds
 * @errors:	rounds that went wrong
 * @ended:	rounds in which the job had ended before
 * @last:	the last error, or status
 */
struct result {
	__u64 ns[MAX_ROUNDS];
	__u64 seen[MAX_ROUNDS];
	unsigned int n;
	unsigned int errors;
	unsigned int ended;
	int last;
};

static int act(struct round *r, enum ending end, const char *device, struct vst_parameter *limit)
{
	shared->begin = now_ns();
	switch (end) {
	case KILL:
		return kill(r->pid, SIGKILL) ? -errno : 0;
	case OVERDUE:
		return vst_parameter_set(limit, LIMIT, "1");
	case UNPLUG:
		return vst_write_file(DRIVER "unbind", device);
	default:
		return write(r->sock, "", 1) == 1 ? 0 : -errno;
	}
}

static bool is_right(enum ending end, int status)
{
	switch (end) {
	case OVERDUE:
		return status == -ETIME || status == -ECANCELED;
	case UNPLUG:
		return status == -ENODEV || status == -ECANCELED;
	default:
		return status == -ECANCELED;
	}
}

static unsigned int settle_us(const struct input *in, enum share share)
{
	unsigned int us = 20000 + below(60000);

	if (share == ONE_PERCENT)
		return 150000 + below(100000);
	/* any part of a scene, but not its end */
	return in->scene && in->ns != ~0ULL ? below(in->ns / 2000) : us;
}

/* Return: 0, 1: the job had ended before, or a negative errno. */
static int measure(struct result *res, const struct input *in, enum ending end, enum share share)
{
	struct vst_parameter limit = { .path = "" };
	struct round r = { .file = -1 };
	char device[64] = "";
	int ret, status = 0;
	bool acted = false;
	__u64 at;

	ret = end == UNPLUG ? device_of(in, device, sizeof(device)) : 0;
	if (ret)
		return ret;
	ret = start_client(&r, in, end);
	if (!ret)
		ret = vst_cgroup_limit(cgroup, cpu_max[share]);
	if (ret)
		goto err_client;
	usleep(settle_us(in, share));
	status = vst_sync_file_status(r.file);
	if (status != 1) {
		ret = 1;
		goto err_client;
	}
	ret = -pthread_create(&r.thread, NULL, wait_fn, &r);
	if (ret)
		goto err_client;
	/* the waiter waits */
	usleep(1000);
	acted = true;
	ret = act(&r, end, device, &limit);
	pthread_join(r.thread, NULL);
	if (limit.path[0])
		vst_parameter_reset(&limit);
	at = signalled(r.file, &status);
	if (!ret)
		ret = shared->ret ?: r.seen ? 0 : -ETIME;
	if (!ret && (status == 1 || at < shared->begin))
		ret = 1;
	if (!ret && !is_right(end, status))
		ret = status ?: -EIO;
	if (!ret) {
		res->ns[res->n] = at - shared->begin;
		res->seen[res->n++] = r.seen - shared->begin;
	}
err_client:
	end_client(&r);
	if (end == UNPLUG && acted && bind_again(in, device))
		ret = -ENODEV;
	return ret;
}

static int compare(const void *a, const void *b)
{
	return *(const __u64 *)a < *(const __u64 *)b ? -1 : *(const __u64 *)a > *(const __u64 *)b;
}

static void measure_all(struct result *res, const struct input *in, enum ending end,
			enum share share, unsigned int rounds)
{
	unsigned int i;
	int ret;

	memset(res, 0, sizeof(*res));
	for (i = 0; i < 3 * rounds && res->n + res->errors < rounds; i++) {
		ret = measure(res, in, end, share);
		res->ended += ret == 1;
		res->errors += ret < 0;
		if (ret < 0)
			res->last = ret;
	}
	qsort(res->ns, res->n, sizeof(*res->ns), compare);
	qsort(res->seen, res->n, sizeof(*res->seen), compare);
}

static void print_result(const struct result *res, const struct input *in, enum ending end,
			 enum share share, FILE *json)
{
	static bool comma;

	if (!res->n) {
		printf("# %-44s %-6s%-3s  no time: %u had ended\n", in->name, end_names[end],
		       share_names[share], res->ended);
		return;
	}
	printf("# %-44s %-6s%-3s %8.3f %8.3f %8.3f  %u\n", in->name, end_names[end],
	       share_names[share], res->ns[res->n / 2] / 1e6, res->ns[res->n - 1] / 1e6,
	       res->seen[res->n - 1] / 1e6, res->n);
	if (!json)
		return;
	fprintf(json, "%s\n {\"input\": \"%s\", \"end\": \"%s\", ", comma ? "," : "", in->name,
		end_names[end]);
	fprintf(json, "\"cpu_max\": \"%s\", \"rounds\": %u, ", cpu_max[share], res->n);
	fprintf(json, "\"median_ms\": %.3f, \"max_ms\": %.3f, \"seen_max_ms\": %.3f}",
		res->ns[res->n / 2] / 1e6, res->ns[res->n - 1] / 1e6,
		res->seen[res->n - 1] / 1e6);
	comma = true;
}

/**
 * struct options - Of the command line.
 * @rounds:	of each measurement, 0: two of them, once
 * @scenes:	file or NULL
 * @json:	file or NULL
 */
struct options {
	unsigned int rounds;
	const char *scenes;
	FILE *json;
};

/* Return: this way of ending it is measured. */
static bool chosen(const struct options *opt, unsigned int number, enum ending end,
		   enum share share)
{
	unsigned int which = end * NUM_SHARES + share;

	return opt->rounds || which == number % 10 || which == (number + 5) % 10;
}

static void test_input(const struct options *opt, const struct input *in, unsigned int number)
{
	static struct result res;
	unsigned int errors = 0, n = 0, ended = 0;
	enum share share;
	enum ending end;

	for (share = 0; share < NUM_SHARES; share++) {
		for (end = 0; end < NUM_ENDS; end++) {
			if (!chosen(opt, number, end, share) || (end == CANCEL && !in->cancel))
				continue;
			measure_all(&res, in, end, share, opt->rounds ?: 1);
			print_result(&res, in, end, share, opt->json);
			if (res.errors)
				printf("# %s, %s%s: %u times an error, the last %d\n", in->name,
				       end_names[end], share_names[share], res.errors, res.last);
			errors += res.errors;
			ended += res.ended;
			n += res.n;
		}
	}
	if (!errors && !n && ended)
		ksft_test_result_skip("%s: does not take long enough\n", in->name);
	else
		ksft_test_result(!errors && n, "%s\n", in->name);
}

/* ---- scenes ---- */

/* Time of @n jobs, ns, ~0: more than 3 s; or a negative errno of the submit. */
static int try_scene(struct client *c, unsigned int n, __u64 *ns, int *status)
{
	__u64 start = now_ns();
	unsigned int i;
	__u32 sync;
	int ret = vst_syncobj(c->fd, &sync);

	for (i = 1; i < n && !ret; i++)
		ret = submit_scene(c, 0);
	if (!ret)
		ret = submit_scene(c, sync);
	if (ret)
		return ret;
	*ns = ~0ULL;
	*status = 0;
	if (vst_wait(c->fd, sync, 3000))
		return 0;
	*ns = now_ns() - start;
	*status = vst_fence_status(c->fd, sync);
	return 0;
}

/* How many jobs take long together: one, if the next one of its queue fails. */
static int weigh_scene(struct input *in)
{
	struct client c = { .in = in, .fd = -1 };
	unsigned int n = 1;
	int status = 0, ret;
	__u64 ns;

	ret = make_scene(&c) ?: try_scene(&c, 1, &in->ns, &status);
	in->copies = 1;
	while (!ret && !status && in->ns < LONG_NS && n < MAX_COPIES) {
		n *= 2;
		if (try_scene(&c, n, &ns, &status) || status)
			break;
		in->copies = n;
		in->ns = ns;
	}
	if (c.fd >= 0)
		close(c.fd);
	return ret;
}

static const char *kind_of(const struct vst_scene *s)
{
	static const char *const engines[] = { "PICA200", "QPU", "Bifrost", "Midgard", "Utgard GP",
					       "Utgard PP" };
	static const char *const formats[] = { "PICA200 list", "QPU list", "Bifrost chain",
					       "Midgard chain", "Utgard GP frame",
					       "Utgard PP frame", "vc4 bin", "vc4 render",
					       "PICA200 requests" };
	const struct drm_vshader_native_job *d =
		(const void *)s->sec[DRM_VSHADER_DUMP_NATIVE_JOB].p;

	if (d)
		return d->format < ARRAY_SIZE(formats) ? formats[d->format] : "native";
	return s->queue->engine < ARRAY_SIZE(engines) ? engines[s->queue->engine] : "shader";
}

static int load_scenes(const char *path, struct input **inputs)
{
	struct vst_scene *scenes = NULL;
	int n, i;

	n = vst_scenes_load(path, &scenes);
	if (n <= 0)
		return n ?: -ENOENT;
	*inputs = calloc(n, sizeof(**inputs));
	for (i = 0; i < n; i++) {
		struct input *in = &(*inputs)[i];

		*in = (struct input){ .make = make_scene, .submit = submit_scene,
				      .cancel = cancel_queue, .scene = &scenes[i] };
		snprintf(in->name, sizeof(in->name), "%s %d, %.28s", kind_of(&scenes[i]), i,
			 scenes[i].name);
	}
	return n;
}

static bool is_there(const struct input *in)
{
	struct client c = { .in = in, .fd = -1 };
	int ret = in->make(&c);

	unmap_all(&c);
	if (c.fd >= 0)
		close(c.fd);
	return ret != -ENODEV;
}

static void test_all(const struct options *opt)
{
	struct input *scenes = NULL;
	int nscenes = 0, i;

	if (opt->scenes) {
		nscenes = load_scenes(opt->scenes, &scenes);
		if (nscenes < 0)
			ksft_exit_fail_msg("%s: error %d\n", opt->scenes, nscenes);
	}
	ksft_set_plan(ARRAY_SIZE(built_in) + nscenes + 1);
	printf("# %-44s %-9s %8s %8s %8s\n", "ms until the signal", "", "median", "maximum",
	       "seen");
	for (i = 0; i < (int)ARRAY_SIZE(built_in); i++) {
		if (is_there(&built_in[i]))
			test_input(opt, &built_in[i], i);
		else
			ksft_test_result_skip("%s: no device\n", built_in[i].name);
	}
	for (i = 0; i < nscenes; i++) {
		int ret = weigh_scene(&scenes[i]);

		if (ret) {
			ksft_test_result_fail("%s: submit: error %d\n", scenes[i].name, ret);
			continue;
		}
		if (scenes[i].ns == ~0ULL)
			printf("# %s: endless\n", scenes[i].name);
		else
			printf("# %s: %u jobs, %.3f ms\n", scenes[i].name, scenes[i].copies,
			       scenes[i].ns / 1e6);
		if (scenes[i].ns < SHORT_NS)
			ksft_test_result_skip("%s: does not take long enough\n", scenes[i].name);
		else
			test_input(opt, &scenes[i], i);
	}
}

/* Nothing of jobs that have ended keeps the module loaded. */
static void test_module(const char *before)
{
	char now[16] = "";
	int i;

	for (i = 0; i < 600 && vst_read_file(REFERENCES, now, sizeof(now)) > 0 &&
	     atoi(now) > atoi(before); i++)
		usleep(100000);
	ksft_test_result(atoi(now) <= atoi(before), "references to the module: %d, %d before\n",
			 atoi(now), atoi(before));
}

static void options(struct options *opt, int argc, char **argv)
{
	static const struct option longopts[] = {
		{ "rounds", required_argument, NULL, 'r' },
		{ "scenes", required_argument, NULL, 's' },
		{ "json", required_argument, NULL, 'j' },
		{}
	};
	int c;

	while ((c = getopt_long(argc, argv, "", longopts, NULL)) != -1) {
		if (c == 'r')
			opt->rounds = strtoul(optarg, NULL, 10);
		else if (c == 's')
			opt->scenes = optarg;
		else if (c == 'j')
			opt->json = fopen(optarg, "w");
		if (c == '?' || opt->rounds > MAX_ROUNDS || (c == 'j' && !opt->json)) {
			fprintf(stderr, "usage: %s [--rounds N] [--scenes FILE] [--json FILE]\n",
				argv[0]);
			exit(2);
		}
	}
}

int main(int argc, char **argv)
{
	struct options opt = { 0 };
	char before[16];
	int fd;

	options(&opt, argc, argv);
	ksft_print_header();
	fd = vst_open();
	if (fd < 0)
		return ksft_exit_skip("no vshader render node\n");
	close(fd);
	if (geteuid())
		return ksft_exit_skip("needs root\n");
	if (vst_cgroup_new("cancel", "max", cgroup, sizeof(cgroup)))
		return ksft_exit_skip("no cpu controller of cgroup2\n");
	if (vst_read_file(REFERENCES, before, sizeof(before)) < 0)
		return ksft_exit_skip("the module cannot be unloaded\n");
	shared = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		ksft_exit_fail_msg("memory\n");
	if (opt.json)
		fprintf(opt.json, "[");
	test_all(&opt);
	test_module(before);
	if (opt.json) {
		fprintf(opt.json, "\n]\n");
		fclose(opt.json);
	}
	vst_cgroup_free(cgroup);
	return ksft_get_fail_cnt() ? ksft_exit_fail() : ksft_exit_pass();
}
