// SPDX-License-Identifier: GPL-2.0
/*
 * Helpers of the vshader ioctl tests: device and objects.
 */
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "vst.h"

/* Results must come out line by line even if a test dies. */
static void __attribute__((constructor)) vst_line_buffered(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
}

int vst_ioctl_once(int fd, unsigned long request, void *arg)
{
	return ioctl(fd, request, arg) < 0 ? -errno : 0;
}

int vst_ioctl(int fd, unsigned long request, void *arg)
{
	int ret;

	do {
		ret = vst_ioctl_once(fd, request, arg);
	} while (ret == -EINTR || ret == -EAGAIN);
	return ret;
}

static bool is_vshader(int fd)
{
	char name[32] = "";
	struct drm_version v = { .name = name, .name_len = sizeof(name) - 1 };

	return !vst_ioctl(fd, DRM_IOCTL_VERSION, &v) && !strcmp(name, "vshader");
}

int vst_open_path(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	if (!is_vshader(fd)) {
		close(fd);
		return -ENODEV;
	}
	return fd;
}

int vst_node(unsigned int n, char *path, size_t size)
{
	unsigned int minor;

	for (minor = 128; minor < 192; minor++) {
		int fd;

		snprintf(path, size, "/dev/dri/renderD%u", minor);
		fd = vst_open_path(path);
		if (fd < 0)
			continue;
		close(fd);
		if (!n--)
			return 0;
	}
	return -ENOENT;
}

int vst_open(void)
{
	const char *env = getenv("VSHADER_DEVICE");
	char path[64];

	if (env && *env)
		return vst_open_path(env);
	if (vst_node(0, path, sizeof(path)))
		return -ENODEV;
	return vst_open_path(path);
}

static int query(int fd, __u32 type, void *out, __u32 size)
{
	struct drm_vshader_dev_query q = { .type = type, .size = size, .pointer = PTR(out) };

	return vst_ioctl(fd, DRM_IOCTL_VSHADER_DEV_QUERY, &q);
}

int vst_limits(int fd, struct drm_vshader_limits *limits)
{
	return query(fd, DRM_VSHADER_DEV_QUERY_LIMITS, limits, sizeof(*limits));
}

int vst_dev_info(int fd, struct drm_vshader_dev_info *info)
{
	return query(fd, DRM_VSHADER_DEV_QUERY_DEV_INFO, info, sizeof(*info));
}

unsigned int vst_scale(void)
{
	const char *env = getenv("KSFT_TIMEOUT_SCALE");
	int scale = env ? atoi(env) : 1;

	return scale > 0 ? scale : 1;
}

unsigned int vst_env(const char *name, unsigned int other)
{
	const char *text = getenv(name);

	return text ? strtoul(text, NULL, 0) : other;
}

bool vst_has_debugfs(void)
{
	return !access("/sys/kernel/debug/dri", R_OK | X_OK);
}

int vst_read_file(const char *path, char *buf, size_t size)
{
	size_t len = 0;
	ssize_t n = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	while (len < size - 1) {
		n = read(fd, buf + len, size - 1 - len);
		if (n <= 0)
			break;
		len += n;
	}
	buf[len] = 0;
	if (n < 0) {
		n = -errno;
		close(fd);
		return n;
	}
	close(fd);
	return len;
}

int vst_device_file(int fd, const char *name, char *path, size_t size)
{
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	snprintf(path, size, "/sys/dev/char/%u:%u/device/%s", major(st.st_rdev),
		 minor(st.st_rdev), name);
	return access(path, F_OK) ? -errno : 0;
}

int vst_device_uevent(int fd, const char *name, char *value, size_t size)
{
	size_t len = strlen(name);
	char text[4096], path[96], *save, *line;
	int ret = vst_device_file(fd, "uevent", path, sizeof(path));

	if (!ret)
		ret = vst_read_file(path, text, sizeof(text));
	if (ret < 0)
		return ret;
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (!strncmp(line, name, len) && line[len] == '=') {
			snprintf(value, size, "%s", line + len + 1);
			return 0;
		}
	}
	return -ENOENT;
}

static int read_fdinfo(int fd, char *text, size_t size)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	return vst_read_file(path, text, size);
}

int vst_fdinfo_keys(int fd, char *keys, size_t size)
{
	char text[4096], *save, *line, *colon;
	int n = read_fdinfo(fd, text, sizeof(text));
	size_t len = 0;

	*keys = 0;
	if (n < 0)
		return n;
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		colon = strchr(line, ':');
		if (!colon || strncmp(line, "drm-", 4))
			continue;
		*colon = 0;
		len += snprintf(keys + len, size - len, " %s", line);
		if (len >= size)
			return -E2BIG;
	}
	return len;
}

long long vst_fdinfo_value(int fd, const char *key)
{
	size_t len = strlen(key);
	char text[4096], *line;
	int n = read_fdinfo(fd, text, sizeof(text));

	if (n < 0)
		return n;
	for (line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, key, len) && line[len] == ':')
			return strtoll(line + len + 1, NULL, 10);
	}
	return -ENOENT;
}

__u64 vst_client_id(int fd)
{
	long long id = vst_fdinfo_value(fd, "drm-client-id");

	return id > 0 ? id : 0;
}

int vst_device_name(int fd, char *name, size_t size)
{
	char path[600], link[512];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!realpath(path, link))
		return -errno;
	snprintf(path, sizeof(path), "/sys/class/drm/%s/device", strrchr(link, '/') + 1);
	if (!realpath(path, link))
		return -errno;
	snprintf(name, size, "%s", strrchr(link, '/') + 1);
	return 0;
}

int vst_write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int ret = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		ret = -errno;
	close(fd);
	return ret;
}

/* ---- buffers and address spaces ---- */

int vst_vm_create(int fd, __u32 flags, __u32 *id)
{
	struct drm_vshader_vm_create arg = { .flags = flags };
	int ret = vst_ioctl(fd, DRM_IOCTL_VSHADER_VM_CREATE, &arg);

	*id = arg.id;
	return ret;
}

int vst_vm_destroy(int fd, __u32 id)
{
	struct drm_vshader_vm_destroy arg = { .id = id };

	return vst_ioctl(fd, DRM_IOCTL_VSHADER_VM_DESTROY, &arg);
}

int vst_bind_ops(int fd, __u32 vm, struct drm_vshader_vm_bind_op *ops, unsigned int n,
		 __u32 *failed)
{
	struct drm_vshader_vm_bind arg = {
		.vm_id = vm,
		.failed_op = NEVER,
		.ops = DRM_VSHADER_OBJ_ARRAY(n, ops),
	};
	int ret = vst_ioctl(fd, DRM_IOCTL_VSHADER_VM_BIND, &arg);

	if (failed)
		*failed = arg.failed_op;
	return ret;
}

int vst_map(int fd, __u32 vm, __u32 bo, __u64 offset, __u64 va, __u64 size, __u32 flags)
{
	struct drm_vshader_vm_bind_op op = {
		.flags = flags, .bo_handle = bo, .bo_offset = offset, .va = va, .size = size,
	};

	return vst_bind_ops(fd, vm, &op, 1, NULL);
}

int vst_unmap(int fd, __u32 vm, __u64 va, __u64 size)
{
	return vst_map(fd, vm, 0, 0, va, size, DRM_VSHADER_VM_BIND_UNMAP);
}

int vst_bo_create(int fd, __u64 size, __u32 flags, __u32 vm, __u32 *handle)
{
	struct drm_vshader_bo_create arg = {
		.size = size, .flags = flags, .exclusive_vm_id = vm,
	};
	int ret = vst_ioctl(fd, DRM_IOCTL_VSHADER_BO_CREATE, &arg);

	*handle = arg.handle;
	return ret;
}

int vst_bo_close(int fd, __u32 handle)
{
	struct drm_gem_close arg = { .handle = handle };

	return vst_ioctl(fd, DRM_IOCTL_GEM_CLOSE, &arg);
}

int vst_bo_mmap(int fd, __u32 handle, __u64 size, void **map)
{
	struct drm_vshader_bo_mmap_offset arg = { .handle = handle };
	int ret = vst_ioctl(fd, DRM_IOCTL_VSHADER_BO_MMAP_OFFSET, &arg);

	if (ret)
		return ret;
	*map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, arg.offset);
	return *map == MAP_FAILED ? -errno : 0;
}

int vst_buf_new(struct vst_buf *b, int fd, __u32 vm, __u64 va, __u64 size, bool exclusive)
{
	int ret;

	memset(b, 0, sizeof(*b));
	b->size = (size + PAGE - 1) & ~(PAGE - 1);
	b->va = va;
	ret = vst_bo_create(fd, b->size, 0, exclusive ? vm : 0, &b->handle);
	if (ret)
		return ret;
	ret = vst_map(fd, vm, b->handle, 0, va, b->size, 0);
	if (!ret)
		ret = vst_bo_mmap(fd, b->handle, b->size, &b->map);
	return ret;
}

void vst_buf_free(struct vst_buf *b, int fd)
{
	if (b->map && b->map != MAP_FAILED)
		munmap(b->map, b->size);
	if (b->handle)
		vst_bo_close(fd, b->handle);
	memset(b, 0, sizeof(*b));
}

/* ---- programs and queues ---- */

void vst_program_args(const struct vst_code *c, struct drm_vshader_program_create *arg,
		      struct drm_vshader_program_section *sec)
{
	static const __u32 entry;

	memset(arg, 0, sizeof(*arg));
	memset(sec, 0, 2 * sizeof(*sec));
	sec[0].type = DRM_VSHADER_SECTION_CODE;
	sec[0].data = PTR(c->code);
	sec[0].size = 4ULL * c->ncode;
	sec[1].type = DRM_VSHADER_SECTION_OPDESC;
	sec[1].data = PTR(c->desc);
	sec[1].size = 4ULL * c->ndesc;
	arg->engine = DRM_VSHADER_ENGINE_PICA;
	arg->stage = c->stage;
	arg->sections.stride = sizeof(*sec);
	arg->sections.count = 2;
	arg->sections.array = PTR(sec);
	arg->entries = PTR(&entry);
	arg->num_entries = 1;
}

int vst_program(int fd, const struct vst_code *c, __u32 *id)
{
	struct drm_vshader_program_section sec[2];
	struct drm_vshader_program_create arg;
	int ret;

	vst_program_args(c, &arg, sec);
	ret = vst_ioctl(fd, DRM_IOCTL_VSHADER_PROGRAM_CREATE, &arg);
	*id = arg.id;
	return ret;
}

int vst_program_destroy(int fd, __u32 id)
{
	struct drm_vshader_program_destroy arg = { .id = id };

	return vst_ioctl(fd, DRM_IOCTL_VSHADER_PROGRAM_DESTROY, &arg);
}

int vst_queue(int fd, __u32 vm, __u64 budget, __u32 ms, __u32 *id)
{
	struct drm_vshader_queue_create arg = {
		.engine = DRM_VSHADER_ENGINE_PICA,
		.vm_id = vm,
		.priority = DRM_VSHADER_PRIORITY_MEDIUM,
		.budget = budget,
		.time_limit_ms = ms,
	};
	int ret = vst_ioctl(fd, DRM_IOCTL_VSHADER_QUEUE_CREATE, &arg);

	*id = arg.id;
	return ret;
}

int vst_queue_destroy(int fd, __u32 id)
{
	struct drm_vshader_queue_destroy arg = { .id = id };

	return vst_ioctl(fd, DRM_IOCTL_VSHADER_QUEUE_DESTROY, &arg);
}

int vst_queue_state(int fd, __u32 id, struct drm_vshader_queue_get_state *st)
{
	memset(st, 0, sizeof(*st));
	st->id = id;
	return vst_ioctl(fd, DRM_IOCTL_VSHADER_QUEUE_GET_STATE, st);
}

/* ---- jobs ---- */

void vst_job_init(struct vst_job *j, __u32 queue, __u32 program, __u32 count)
{
	memset(j, 0, sizeof(*j));
	j->job.queue_id = queue;
	j->job.type = DRM_VSHADER_JOB_SHADER;
	j->job.desc_size = sizeof(j->shader);
	j->job.desc = PTR(&j->shader);
	j->job.syncs.stride = sizeof(j->sync[0]);
	j->job.syncs.array = PTR(j->sync);
	j->shader.program = program;
	j->pica.vertices.count = count;
	j->pica.vertices.attributes.stride = sizeof(j->attr[0]);
	j->pica.vertices.attributes.array = PTR(j->attr);
	j->pica.vertices.outputs.stride = sizeof(j->out[0]);
	j->pica.vertices.outputs.array = PTR(j->out);
	j->shader.engine_block = PTR(&j->pica);
	j->shader.engine_block_size = sizeof(j->pica);
	j->pica.model = DRM_VSHADER_PICA_F32;
	j->pica.float_uniforms = PTR(j->unif);
	j->pica.float_format = DRM_VSHADER_FORMAT_F32;
}

struct drm_vshader_stream *vst_job_attr(struct vst_job *j, __u32 reg, __u64 va, __u32 format,
					__u32 components, __u32 stride)
{
	struct drm_vshader_stream *s = &j->attr[j->pica.vertices.attributes.count++];

	s->va = va;
	s->stride = stride;
	s->format = format;
	s->reg = reg;
	s->components = components;
	return s;
}

struct drm_vshader_stream *vst_job_out(struct vst_job *j, __u32 reg, __u64 va)
{
	struct drm_vshader_stream *s = &j->out[j->pica.vertices.outputs.count++];

	s->va = va;
	s->stride = 16;
	s->format = DRM_VSHADER_FORMAT_F32;
	s->reg = reg;
	s->components = 4;
	return s;
}

void vst_job_unif(struct vst_job *j, unsigned int row, float x, float y, float z, float w)
{
	float *r = j->unif[row];

	r[0] = x;
	r[1] = y;
	r[2] = z;
	r[3] = w;
	if (j->pica.num_float_uniforms <= row)
		j->pica.num_float_uniforms = row + 1;
}

void vst_job_sync(struct vst_job *j, __u32 flags, __u32 handle, __u64 point)
{
	struct drm_vshader_sync *s = &j->sync[j->job.syncs.count++];

	s->flags = flags;
	s->handle = handle;
	s->timeline_value = point;
}

int vst_submit_jobs(int fd, struct drm_vshader_job *jobs, unsigned int n, __u32 *failed)
{
	struct drm_vshader_submit arg = {
		.jobs = DRM_VSHADER_OBJ_ARRAY(n, jobs),
		.failed_job = NEVER,
	};
	int ret = vst_ioctl(fd, DRM_IOCTL_VSHADER_SUBMIT, &arg);

	if (failed)
		*failed = arg.failed_job;
	return ret;
}

int vst_submit(int fd, struct vst_job *j)
{
	return vst_submit_jobs(fd, &j->job, 1, NULL);
}

int vst_run(int fd, struct vst_job *j)
{
	__u32 old = j->job.syncs.count;
	__u32 handle;
	int ret = vst_syncobj(fd, &handle);

	if (ret)
		return VST_SUBMIT_ERROR(ret);
	vst_job_sync(j, DRM_VSHADER_SYNC_SIGNAL, handle, 0);
	ret = vst_submit(fd, j);
	j->job.syncs.count = old;
	if (ret)
		ret = VST_SUBMIT_ERROR(ret);
	else
		ret = vst_wait(fd, handle, 20000);
	if (!ret)
		ret = vst_fence_status(fd, handle);
	vst_syncobj_destroy(fd, handle);
	return ret;
}

/* ---- combined fixture ---- */

int vst_setup(struct vst *t, const struct vst_code *c)
{
	unsigned int i;
	int ret;

	memset(t, 0, sizeof(*t));
	t->fd = vst_open();
	if (t->fd < 0)
		return t->fd;
	ret = vst_vm_create(t->fd, 0, &t->vm);
	if (!ret)
		ret = vst_queue(t->fd, t->vm, 0, 0, &t->queue);
	if (!ret && c)
		ret = vst_program(t->fd, c, &t->program);
	if (!ret)
		ret = vst_buf_new(&t->in, t->fd, t->vm, VA(0), 16 * VST_COUNT, true);
	if (!ret)
		ret = vst_buf_new(&t->out, t->fd, t->vm, VA(1), 4 * PAGE, true);
	if (!ret)
		ret = vst_buf_new(&t->result, t->fd, t->vm, VA(2), PAGE, true);
	if (ret)
		return ret == -ENODEV ? -ENXIO : ret;
	for (i = 0; i < 4 * VST_COUNT; i++)
		t->in.f32[i] = i;
	return 0;
}

void vst_teardown(struct vst *t)
{
	if (t->fd < 0)
		return;
	vst_buf_free(&t->in, t->fd);
	vst_buf_free(&t->out, t->fd);
	vst_buf_free(&t->result, t->fd);
	close(t->fd);
	t->fd = -1;
}

void vst_default_job(struct vst *t, struct vst_job *j)
{
	vst_job_init(j, t->queue, t->program, VST_COUNT);
	vst_job_attr(j, 0, t->in.va, DRM_VSHADER_FORMAT_F32, 4, 16);
	vst_job_out(j, 0, t->out.va);
	j->job.result_va = t->result.va;
}

int vst_alive(void)
{
	struct vst_job j;
	struct vst t;
	int ret = vst_setup(&t, &vst_mov);

	if (!ret) {
		vst_default_job(&t, &j);
		ret = vst_run(t.fd, &j);
	}
	if (!ret && memcmp(t.in.map, t.out.map, 16 * VST_COUNT))
		ret = -EBADMSG;
	vst_teardown(&t);
	return ret;
}
