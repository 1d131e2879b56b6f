// SPDX-License-Identifier: MIT
/*
 * vshader gl: a DRM file of the panfrost interface over the library. The counterpart of
 * kernel/personality/panfrost_*.c, with which it shares pan_gpu.c. It differs in this: jobs of a
 * file are one after the other, and a fault takes the jobs along that are queued behind it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <drm.h>
#include <panfrost_drm.h>

#include "../libvshader_gl/gl_proto.h"
#include "cli.h"
#include "gl.h"

#define PAGE		4096ULL
#define MAX_SYNCS	64
#define TIME_LIMIT_MS	10000
/* How long a message may keep others waiting. */
#define PATIENCE_NS	20000000LL

#define NR(request)	((request) & 0xff)

/** struct gl_bo - a buffer; @ino: of the file that it was exported as, 0: none */
struct gl_bo {
	struct vshader_bo *bo;
	bool noexec;
	bool heap;
	uint64_t point;		/* of the last job that names it */
	ino_t ino;
};

/** struct gl_file - a DRM file; buffers by handle, 0 is none */
struct gl_file {
	struct gl_server *server;
	struct vshader_device *dev;
	uint32_t vm;
	uint32_t queue;
	uint32_t timeline;	/* a point for each job */
	uint64_t submitted;
	struct vs_mappings vas;
	struct gl_bo *bos;
	uint32_t num_bos;
};

/** struct gl_call - a message; @pass: file that came or goes along, or -1 */
struct gl_call {
	uint8_t arg[GL_MAX_ARG] __attribute__((aligned(8)));
	int pass;
};

/* ---- buffers ---- */

static struct gl_bo *find_bo(struct gl_file *f, uint32_t handle)
{
	return handle < f->num_bos && f->bos[handle].bo ? &f->bos[handle] : NULL;
}

static int new_handle(struct gl_file *f, uint32_t *handle)
{
	uint32_t i, n = f->num_bos ? f->num_bos * 2 : 64;
	struct gl_bo *bos;

	for (i = 1; i < f->num_bos && f->bos[i].bo; i++)
		;
	if (i >= f->num_bos) {
		bos = reallocarray(f->bos, n, sizeof(*bos));
		if (!bos)
			return -ENOMEM;
		i = f->num_bos ? f->num_bos : 1;
		memset(bos + f->num_bos, 0, (n - f->num_bos) * sizeof(*bos));
		f->bos = bos;
		f->num_bos = n;
	}
	*handle = i;
	return 0;
}

static int bind_bo(struct gl_file *f, struct vshader_bo *bo, bool noexec, uint64_t *va)
{
	int ret = pan_va_add(&f->vas, bo, vshader_bo_size(bo), noexec);

	if (ret)
		return ret;
	*va = pan_va_of(&f->vas, bo);
	ret = vshader_vm_map(f->dev, f->vm, bo, noexec ? DRM_VSHADER_VM_BIND_NOEXEC : 0, va);
	if (ret)
		pan_va_remove(&f->vas, bo);
	return ret;
}

/* Takes the buffer over. */
static int add_bo(struct gl_file *f, struct vshader_bo *bo, uint32_t flags, uint32_t *handle,
		  uint64_t *va)
{
	bool noexec = flags & PANFROST_BO_NOEXEC;
	int ret;

	ret = new_handle(f, handle);
	if (!ret)
		ret = bind_bo(f, bo, noexec, va);
	if (ret) {
		vshader_bo_destroy(bo);
		return ret;
	}
	f->bos[*handle] = (struct gl_bo){
		.bo = bo,
		.noexec = noexec,
		.heap = flags & PANFROST_BO_HEAP,
	};
	return 0;
}

static int create_bo(struct gl_file *f, struct gl_call *c)
{
	struct drm_panfrost_create_bo *args = (void *)c->arg;
	uint64_t size = args->size;
	struct vshader_bo *bo;
	uint32_t handle;
	uint64_t va;
	int ret;

	if (!args->size || args->pad || pan_check_bo(args->flags))
		return -EINVAL;
	if (args->flags & PANFROST_BO_HEAP)
		size = (size + PAN_HEAP_GRANULE - 1) & ~(PAN_HEAP_GRANULE - 1);
	ret = vshader_bo_create(f->dev, size, 0, 0, &bo);
	if (!ret)
		ret = add_bo(f, bo, args->flags, &handle, &va);
	if (ret)
		return ret;
	args->handle = handle;
	args->offset = va;
	return 0;
}

static int close_bo(struct gl_file *f, struct gl_call *c)
{
	const struct drm_gem_close *args = (void *)c->arg;
	struct gl_bo *b = find_bo(f, args->handle);

	if (!b)
		return -EINVAL;
	vshader_vm_unmap(f->dev, f->vm, pan_va_of(&f->vas, b->bo), vshader_bo_size(b->bo));
	pan_va_remove(&f->vas, b->bo);
	vshader_bo_destroy(b->bo);
	b->bo = NULL;
	return 0;
}

static int mmap_bo(struct gl_file *f, struct gl_call *c)
{
	struct drm_panfrost_mmap_bo *args = (void *)c->arg;
	const struct gl_bo *b = find_bo(f, args->handle);

	if (args->flags)
		return -EINVAL;
	if (!b)
		return -ENOENT;
	args->offset = args->handle * PAGE;
	return b->heap ? -EINVAL : 0;
}

static int map_bo(struct gl_file *f, struct gl_call *c)
{
	const struct gl_bo *b;
	uint32_t handle;

	memcpy(&handle, c->arg, sizeof(handle));
	b = find_bo(f, handle);
	return b && !b->heap ? vshader_bo_export(b->bo, &c->pass) : -EINVAL;
}

static int get_bo_offset(struct gl_file *f, struct gl_call *c)
{
	struct drm_panfrost_get_bo_offset *args = (void *)c->arg;
	const struct gl_bo *b = find_bo(f, args->handle);

	if (!b)
		return -ENOENT;
	args->offset = pan_va_of(&f->vas, b->bo);
	return 0;
}

static int madvise_bo(struct gl_file *f, struct gl_call *c)
{
	struct drm_panfrost_madvise *args = (void *)c->arg;

	if (!find_bo(f, args->handle))
		return -ENOENT;
	args->retained = 1;
	return 0;
}

static ino_t ino_of(int fd)
{
	struct stat st;

	return fd >= 0 && !fstat(fd, &st) ? st.st_ino : 0;
}

static int export_bo(struct gl_file *f, struct gl_call *c)
{
	const struct drm_prime_handle *args = (void *)c->arg;
	struct gl_bo *b = find_bo(f, args->handle);
	int ret;

	if (!b)
		return -ENOENT;
	if (b->heap)
		return -EINVAL;
	ret = vshader_bo_export(b->bo, &c->pass);
	if (!ret)
		b->ino = ino_of(c->pass);
	return ret;
}

static int import_bo(struct gl_file *f, struct gl_call *c)
{
	struct drm_prime_handle *args = (void *)c->arg;
	ino_t ino = ino_of(c->pass);
	struct vshader_bo *bo;
	uint32_t i, handle;
	uint64_t va;
	int ret;

	for (i = 1; i < f->num_bos; i++) {
		if (f->bos[i].bo && ino && f->bos[i].ino == ino) {
			args->handle = i;
			return 0;
		}
	}
	ret = vshader_bo_import(f->dev, c->pass, &bo);
	if (!ret)
		ret = add_bo(f, bo, PANFROST_BO_NOEXEC, &handle, &va);
	if (ret)
		return ret;
	f->bos[handle].ino = ino;
	args->handle = handle;
	return 0;
}

/* ---- waiting ---- */

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* Time to wait now for something with a deadline. */
static int64_t patience(int64_t deadline)
{
	int64_t left = deadline - now_ns();

	if (left < 0)
		return 0;
	return left < PATIENCE_NS ? left : PATIENCE_NS;
}

/* @late: what to return after the deadline. */
static int wait_until(struct gl_file *f, uint32_t sync, uint64_t point, int64_t deadline, int late)
{
	int ret = vshader_sync_wait(f->dev, sync, point, patience(deadline));

	if (ret != -ETIME)
		return ret;
	return now_ns() < deadline ? GL_AGAIN : late;
}

static int wait_bo(struct gl_file *f, struct gl_call *c)
{
	const struct drm_panfrost_wait_bo *args = (void *)c->arg;
	const struct gl_bo *b = find_bo(f, args->handle);

	if (args->pad)
		return -EINVAL;
	if (!b)
		return -ENOENT;
	if (!b->point)
		return 0;
	return wait_until(f, f->timeline, b->point, args->timeout_ns,
			  args->timeout_ns ? -ETIMEDOUT : -EBUSY);
}

static int sync_create(struct gl_file *f, struct gl_call *c)
{
	struct drm_syncobj_create *args = (void *)c->arg;

	if (args->flags & ~DRM_SYNCOBJ_CREATE_SIGNALED)
		return -EINVAL;
	return vshader_sync_create(f->dev, args->flags, &args->handle);
}

static int sync_destroy(struct gl_file *f, struct gl_call *c)
{
	const struct drm_syncobj_destroy *args = (void *)c->arg;

	return vshader_sync_destroy(f->dev, args->handle);
}

static int sync_wait(struct gl_file *f, struct gl_call *c)
{
	struct drm_syncobj_wait *args = (void *)c->arg;
	const uint32_t *handles = (const uint32_t *)(uintptr_t)args->handles;
	bool all = args->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL;
	uint32_t i;
	int ret = 0;

	for (i = 0; i < args->count_handles; i++) {
		/* any: each one in turn, without waiting for it long */
		ret = wait_until(f, handles[i], 0, all || args->count_handles == 1 ?
				 args->timeout_nsec : 0, -ETIME);
		if (!all && !ret) {
			args->first_signaled = i;
			return 0;
		}
		if (ret && (all || ret != -ETIME))
			return ret;
	}
	return ret == -ETIME && now_ns() < args->timeout_nsec ? GL_AGAIN : ret;
}

static int sync_array(struct gl_file *f, struct gl_call *c, bool signal)
{
	const struct drm_syncobj_array *args = (void *)c->arg;
	const uint32_t *handles = (const uint32_t *)(uintptr_t)args->handles;
	int ret = 0;
	uint32_t i;

	for (i = 0; i < args->count_handles && !ret; i++)
		ret = signal ? vshader_sync_signal(f->dev, handles[i], 0) :
			       vshader_sync_reset(f->dev, handles[i]);
	return ret;
}

static int sync_reset(struct gl_file *f, struct gl_call *c)
{
	return sync_array(f, c, false);
}

static int sync_signal(struct gl_file *f, struct gl_call *c)
{
	return sync_array(f, c, true);
}

/* A sync file is one that has signalled: the caller waits here instead of there. */
static int sync_export(struct gl_file *f, struct gl_call *c)
{
	const struct drm_syncobj_handle *args = (void *)c->arg;
	int ret;

	if (args->flags != DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE)
		return -EOPNOTSUPP;
	ret = wait_until(f, args->handle, 0, INT64_MAX, -ETIME);
	if (ret)
		return ret;
	c->pass = eventfd(1, EFD_CLOEXEC);
	return c->pass < 0 ? -errno : 0;
}

static int sync_import(struct gl_file *f, struct gl_call *c)
{
	const struct drm_syncobj_handle *args = (void *)c->arg;

	if (args->flags != DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE)
		return -EOPNOTSUPP;
	return vshader_sync_signal(f->dev, args->handle, 0);
}

/* ---- jobs ---- */

static int make_queue(struct gl_file *f)
{
	const struct vshader_queue_params params = {
		.engine = f->server->gpu->engine,
		.vm = f->vm,
		.time_limit_ms = TIME_LIMIT_MS,
	};

	return vshader_queue_create(f->dev, &params, &f->queue);
}

/* A fault bans the queue: report it and make another. */
static int revive_queue(struct gl_file *f)
{
	struct drm_vshader_queue_get_state state = { .id = f->queue };
	char text[512];

	if (vshader_queue_get_state(f->dev, f->queue, &state) || !state.state)
		return 0;
	fprintf(stderr, "vshader gl: job %llu: %s\n", (unsigned long long)f->submitted,
		vshader_fault_text(&state.fault, text, sizeof(text)));
	pthread_mutex_lock(&f->server->lock);
	f->server->faults++;
	pthread_mutex_unlock(&f->server->lock);
	vshader_queue_destroy(f->dev, f->queue);
	return make_queue(f);
}

static int make_syncs(struct gl_file *f, const struct drm_panfrost_submit *args,
		      struct drm_vshader_sync *syncs)
{
	const uint32_t *in = (const uint32_t *)(uintptr_t)args->in_syncs;
	uint32_t i, n = 0;

	if (args->in_sync_count > MAX_SYNCS - 2)
		return -E2BIG;
	for (i = 0; i < args->in_sync_count; i++)
		syncs[n++] = (struct drm_vshader_sync){ .handle = in[i] };
	if (args->out_sync)
		syncs[n++] = (struct drm_vshader_sync){
			.flags = DRM_VSHADER_SYNC_SIGNAL,
			.handle = args->out_sync,
		};
	syncs[n++] = (struct drm_vshader_sync){
		.flags = DRM_VSHADER_SYNC_SIGNAL | DRM_VSHADER_SYNC_TIMELINE,
		.handle = f->timeline,
		.timeline_value = f->submitted + 1,
	};
	return n;
}

static void name_bos(struct gl_file *f, const struct drm_panfrost_submit *args)
{
	const uint32_t *handles = (const uint32_t *)(uintptr_t)args->bo_handles;
	uint32_t i;

	for (i = 0; i < args->bo_handle_count; i++)
		f->bos[handles[i]].point = f->submitted;
}

static int check_submit(struct gl_file *f, const struct drm_panfrost_submit *args)
{
	const uint32_t *handles = (const uint32_t *)(uintptr_t)args->bo_handles;
	uint32_t i;

	if (!args->jc || args->requirements & ~PANFROST_JD_REQ_FS)
		return -EINVAL;
	for (i = 0; i < args->bo_handle_count; i++) {
		if (!find_bo(f, handles[i]))
			return -ENOENT;
	}
	return 0;
}

/* The queue is full, which panfrost's never is: the call is repeated when its jobs are done. */
static int wait_for_place(struct gl_file *f)
{
	int ret = vshader_sync_wait(f->dev, f->timeline, f->submitted, 0);

	/* busy for another reason */
	if (ret != -ETIME)
		return ret ? ret : -EBUSY;
	ret = wait_until(f, f->timeline, f->submitted, INT64_MAX, -ETIMEDOUT);
	return ret ? ret : GL_AGAIN;
}

static int submit(struct gl_file *f, struct gl_call *c)
{
	const struct drm_panfrost_submit *args = (void *)c->arg;
	struct drm_vshader_sync syncs[MAX_SYNCS];
	struct drm_vshader_native_job native;
	struct drm_vshader_job job = {
		.type = DRM_VSHADER_JOB_NATIVE,
		.desc = (uintptr_t)&native,
		.desc_size = sizeof(native),
	};
	int ret;

	ret = check_submit(f, args);
	if (!ret)
		ret = revive_queue(f);
	if (ret)
		return ret;
	ret = make_syncs(f, args, syncs);
	if (ret < 0)
		return ret;
	pan_job(f->server->gpu, args->jc, &native);
	job.queue_id = f->queue;
	job.syncs.array = (uintptr_t)syncs;
	job.syncs.stride = sizeof(syncs[0]);
	job.syncs.count = ret;
	ret = vshader_submit(f->dev, &job, 1, NULL, NULL);
	if (ret == -EBUSY)
		return wait_for_place(f);
	if (ret)
		return ret;
	f->submitted++;
	name_bos(f, args);
	pthread_mutex_lock(&f->server->lock);
	f->server->jobs++;
	pthread_mutex_unlock(&f->server->lock);
	return 0;
}

/* ---- device ---- */

static int get_param(struct gl_file *f, struct gl_call *c)
{
	struct drm_panfrost_get_param *args = (void *)c->arg;
	uint64_t value;
	int ret;

	if (args->pad)
		return -EINVAL;
	ret = pan_gpu_param(f->server->gpu, args->param, &value);
	if (!ret)
		args->value = value;
	return ret;
}

static int get_cap(struct gl_file *f, struct gl_call *c)
{
	struct drm_get_cap *args = (void *)c->arg;

	switch (args->capability) {
	case DRM_CAP_PRIME:
		args->value = DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT;
		return 0;
	case DRM_CAP_SYNCOBJ:
		args->value = 1;
		return 0;
	case DRM_CAP_SYNCOBJ_TIMELINE:
	case DRM_CAP_TIMESTAMP_MONOTONIC:
		args->value = 0;
		return 0;
	default:
		return -EINVAL;
	}
}

static int no_counters(struct gl_file *f, struct gl_call *c)
{
	return -ENOSYS;
}

static const struct {
	uint32_t nr;
	uint32_t size;
	int (*fn)(struct gl_file *f, struct gl_call *c);
} calls[] = {
#define CALL(request, fn) { NR(request), _IOC_SIZE(request), fn }
	CALL(DRM_IOCTL_GET_CAP, get_cap),
	CALL(DRM_IOCTL_GEM_CLOSE, close_bo),
	CALL(DRM_IOCTL_PRIME_HANDLE_TO_FD, export_bo),
	CALL(DRM_IOCTL_PRIME_FD_TO_HANDLE, import_bo),
	CALL(DRM_IOCTL_SYNCOBJ_CREATE, sync_create),
	CALL(DRM_IOCTL_SYNCOBJ_DESTROY, sync_destroy),
	CALL(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, sync_export),
	CALL(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, sync_import),
	CALL(DRM_IOCTL_SYNCOBJ_WAIT, sync_wait),
	CALL(DRM_IOCTL_SYNCOBJ_RESET, sync_reset),
	CALL(DRM_IOCTL_SYNCOBJ_SIGNAL, sync_signal),
	CALL(DRM_IOCTL_PANFROST_SUBMIT, submit),
	CALL(DRM_IOCTL_PANFROST_WAIT_BO, wait_bo),
	CALL(DRM_IOCTL_PANFROST_CREATE_BO, create_bo),
	CALL(DRM_IOCTL_PANFROST_MMAP_BO, mmap_bo),
	CALL(DRM_IOCTL_PANFROST_GET_PARAM, get_param),
	CALL(DRM_IOCTL_PANFROST_GET_BO_OFFSET, get_bo_offset),
	CALL(DRM_IOCTL_PANFROST_PERFCNT_ENABLE, no_counters),
	CALL(DRM_IOCTL_PANFROST_PERFCNT_DUMP, no_counters),
	CALL(DRM_IOCTL_PANFROST_MADVISE, madvise_bo),
#undef CALL
	{ GL_MAP, sizeof(uint32_t), map_bo },
};

/* ---- messages ---- */

/* Let the argument's pointers point to the arrays that have come. Return: 0, or -EINVAL. */
static int set_arrays(const struct gl_request *r, uint8_t *arg, const uint8_t *arrays)
{
	uint32_t used = 0;
	unsigned int i;

	for (i = 0; i < gl_num_arrays; i++) {
		uint64_t bytes, at = (uintptr_t)(arrays + used);

		if (gl_arrays[i].nr != r->nr)
			continue;
		bytes = gl_array_bytes(&gl_arrays[i], arg);
		if (bytes > r->arrays - used)
			return -EINVAL;
		memcpy(arg + gl_arrays[i].pointer, &at, sizeof(at));
		used += bytes;
	}
	return 0;
}

static int answer(struct gl_file *f, const struct gl_request *r, struct gl_call *c,
		  const uint8_t *arrays)
{
	unsigned int i;
	int ret;

	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		if (calls[i].nr != r->nr || calls[i].size != r->size)
			continue;
		ret = set_arrays(r, c->arg, arrays);
		return ret ? ret : calls[i].fn(f, c);
	}
	return -EINVAL;
}

static bool receive(int sock, struct gl_request *r, struct gl_call *c, uint8_t *rest)
{
	struct iovec iov[2] = { { r, sizeof(*r) }, { rest, GL_MAX_ARG + GL_MAX_ARRAYS } };
	union {
		char space[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control;
	struct msghdr h = {
		.msg_iov = iov,
		.msg_iovlen = 2,
		.msg_control = control.space,
		.msg_controllen = sizeof(control.space),
	};
	struct cmsghdr *m;
	ssize_t n;

	c->pass = -1;
	n = recvmsg(sock, &h, MSG_CMSG_CLOEXEC);
	if (n < (ssize_t)sizeof(*r))
		return false;
	m = CMSG_FIRSTHDR(&h);
	if (m && m->cmsg_type == SCM_RIGHTS)
		memcpy(&c->pass, CMSG_DATA(m), sizeof(int));
	return r->size <= GL_MAX_ARG && r->arrays <= GL_MAX_ARRAYS &&
	       n == (ssize_t)(sizeof(*r) + r->size + r->arrays);
}

static bool reply(int sock, int ret, uint32_t size, struct gl_call *c, int pass)
{
	struct gl_reply head = { .ret = ret };
	struct iovec iov[2] = { { &head, sizeof(head) }, { c->arg, size } };
	union {
		char space[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control = {};
	struct msghdr h = { .msg_iov = iov, .msg_iovlen = 2 };
	struct cmsghdr *m;

	if (pass >= 0) {
		h.msg_control = control.space;
		h.msg_controllen = sizeof(control.space);
		m = CMSG_FIRSTHDR(&h);
		m->cmsg_level = SOL_SOCKET;
		m->cmsg_type = SCM_RIGHTS;
		m->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(m), &pass, sizeof(int));
	}
	return sendmsg(sock, &h, MSG_NOSIGNAL) > 0;
}

/* The argument goes back as it has come but for what the call has changed. */
static void restore_pointers(uint32_t nr, uint8_t *arg, const uint8_t *old)
{
	unsigned int i;

	for (i = 0; i < gl_num_arrays; i++) {
		if (gl_arrays[i].nr == nr)
			memcpy(arg + gl_arrays[i].pointer, old + gl_arrays[i].pointer, 8);
	}
}

static bool serve_one(struct gl_file *f, int sock, uint8_t *rest)
{
	struct gl_request r;
	struct gl_call c = {};
	int ret, came;
	bool ok;

	if (!receive(sock, &r, &c, rest))
		return false;
	came = c.pass;
	memcpy(c.arg, rest, r.size);
	ret = answer(f, &r, &c, rest + r.size);
	restore_pointers(r.nr, c.arg, rest);
	ok = reply(sock, ret, r.size, &c, c.pass != came && !ret ? c.pass : -1);
	if (came >= 0)
		close(came);
	if (c.pass >= 0 && c.pass != came)
		close(c.pass);
	return ok;
}

static int file_init(struct gl_file *f)
{
	int ret;

	ret = vshader_open(f->server->device, &f->dev);
	if (!ret)
		ret = vshader_vm_create(f->dev, DRM_VSHADER_VM_48BIT, 0, &f->vm);
	if (!ret)
		ret = vshader_sync_create(f->dev, false, &f->timeline);
	return ret ? ret : make_queue(f);
}

static void file_fini(struct gl_file *f)
{
	uint32_t i;

	if (f->dev && f->queue)
		revive_queue(f);
	for (i = 1; i < f->num_bos; i++)
		vshader_bo_destroy(f->bos[i].bo);
	if (f->dev)
		vshader_close(f->dev);
	free(f->bos);
	vs_free(f->vas.e);
}

void gl_serve(struct gl_server *server, int sock)
{
	struct gl_file f = { .server = server };
	uint8_t *rest = malloc(GL_MAX_ARG + GL_MAX_ARRAYS);

	if (file_init(&f) || !rest)
		fail("%s: %s", server->device, vshader_error());
	else
		while (serve_one(&f, sock, rest))
			;
	file_fini(&f);
	free(rest);
	close(sock);
}
