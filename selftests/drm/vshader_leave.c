// SPDX-License-Identifier: GPL-2.0
/*
 * Keep something of the driver in use, for vshader_reload.sh: says "ready", and keeps it until
 * it is killed. "named" keeps nothing.
 */
#include <fcntl.h>

#include "vshader_drm_debug.h"
#include "vst_panfrost.h"

#define CHIP	0x860
#define HEAP	(64 << 20)

static int leave_file(void)
{
	return vst_pf_open_card(CHIP) < 0;
}

/* Buffers that the kernel may purge, of a device with a shrinker. */
static int leave_unneeded(void)
{
	int fd = vst_pf_open(CHIP), i, ret = 0;
	struct vst_pf_bo bo;
	__u32 retained;

	for (i = 0; i < 16 && !ret; i++) {
		ret = vst_pf_create_mapped(fd, 16 * PAGE, &bo);
		if (!ret)
			ret = vst_pf_advise(fd, bo.handle, PANFROST_MADV_DONTNEED, &retained);
	}
	return ret;
}

static int leave_dmabuf(void)
{
	int fd = vst_pf_open(CHIP), buf, ret;
	struct vst_pf_bo bo;

	ret = vst_pf_create(fd, PAGE, 0, &bo);
	if (!ret)
		ret = vst_prime_export(fd, bo.handle, &buf);
	close(fd);
	return ret;
}

static int leave_mapping(void)
{
	int fd = vst_pf_open(CHIP), ret;
	struct vst_pf_bo bo;

	ret = vst_pf_create_mapped(fd, PAGE, &bo);
	close(fd);
	return ret;
}

/* Of a job that closing the file has ended. */
static int leave_fence(void)
{
	struct vst_job j;
	struct vst t;
	__u32 sync;
	int ret;

	ret = vst_setup(&t, &vst_spin);
	if (!ret)
		ret = vst_syncobj(t.fd, &sync);
	if (ret)
		return ret;
	vst_default_job(&t, &j);
	vst_job_sync(&j, DRM_VSHADER_SYNC_SIGNAL, sync, 0);
	ret = vst_submit(t.fd, &j);
	if (!ret && vst_export_sync_file(t.fd, sync) < 0)
		ret = -EBADF;
	vst_teardown(&t);
	return ret;
}

/* The debugger of a job that it has stopped. */
static int leave_debugger(void)
{
	struct drm_vshader_debug_attach attach = { .flags = DRM_VSHADER_DEBUG_STOP_START };
	struct drm_vshader_queue_create queue = {
		.engine = DRM_VSHADER_ENGINE_PICA, .priority = DRM_VSHADER_PRIORITY_MEDIUM,
		.flags = DRM_VSHADER_QUEUE_DEBUG,
	};
	struct vst_job j;
	struct vst t;
	int ret;

	ret = vst_setup(&t, &vst_mov);
	if (ret)
		return ret;
	queue.vm_id = t.vm;
	ret = vst_ioctl(t.fd, DRM_IOCTL_VSHADER_QUEUE_CREATE, &queue);
	attach.queue_id = queue.id;
	if (!ret)
		ret = vst_ioctl(t.fd, DRM_IOCTL_VSHADER_DEBUG_ATTACH, &attach);
	vst_default_job(&t, &j);
	j.job.queue_id = queue.id;
	if (!ret)
		ret = vst_submit(t.fd, &j);
	vst_teardown(&t);
	return ret;
}

static int leave_record(void)
{
	char path[64];
	int i, fd;

	for (i = 128; i < 136; i++) {
		snprintf(path, sizeof(path), "/sys/kernel/debug/dri/%d/record", i);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd >= 0)
			return write(fd, "start size=1", 12) != 12;
	}
	return -ENOENT;
}

/* Heaps that have a name and two handles, in files that are closed. */
static int leave_named(void)
{
	int i, fd, ret = 0;

	for (i = 0; i < 8 && !ret; i++) {
		struct drm_gem_flink flink = { 0 };
		struct drm_gem_open open = { 0 };
		struct vst_pf_bo heap, chain;

		fd = vst_pf_open_card(CHIP);
		ret = vst_pf_create_mapped(fd, PAGE, &chain);
		if (!ret)
			ret = vst_pf_create(fd, HEAP, PANFROST_BO_HEAP | PANFROST_BO_NOEXEC, &heap);
		flink.handle = heap.handle;
		if (!ret)
			ret = vst_ioctl(fd, DRM_IOCTL_GEM_FLINK, &flink);
		open.name = flink.name;
		if (!ret)
			ret = vst_ioctl(fd, DRM_IOCTL_GEM_OPEN, &open);
		vst_pf_put_zero(&chain, PF_JOB_AT, heap.va + HEAP - 8, 0);
		if (!ret)
			ret = vst_pf_run_chain(fd, &chain, chain.va);
		munmap(chain.map, PAGE);
		close(fd);
	}
	return ret;
}

static const struct {
	const char *name;
	int (*leave)(void);
} kinds[] = {
	{ "file", leave_file }, { "unneeded", leave_unneeded }, { "dmabuf", leave_dmabuf },
	{ "mapping", leave_mapping }, { "fence", leave_fence }, { "debugger", leave_debugger },
	{ "record", leave_record }, { "named", leave_named },
};

int main(int argc, char **argv)
{
	unsigned int i;
	int ret;

	for (i = 0; argc == 2 && i < ARRAY_SIZE(kinds); i++) {
		if (strcmp(kinds[i].name, argv[1]))
			continue;
		ret = kinds[i].leave();
		if (ret) {
			fprintf(stderr, "%s: %d\n", argv[1], ret);
			return 1;
		}
		puts("ready");
		fflush(stdout);
		if (kinds[i].leave != leave_named)
			pause();
		return 0;
	}
	fputs("usage: vshader_leave KIND\n", stderr);
	return 2;
}
