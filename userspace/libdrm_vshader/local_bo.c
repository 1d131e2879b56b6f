// SPDX-License-Identifier: MIT
/*
 * Local backend: buffers. Memory is a memfd, so that it can be shared by descriptor as
 * a PRIME buffer is.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "local.h"

static int bo_attach(int fd, uint64_t size, struct vsl_bo **out)
{
	struct vsl_bo *bo = calloc(1, sizeof(*bo));
	void *p;

	if (!bo)
		return vsh_fail(ENOMEM, "out of memory");
	p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED) {
		int err = errno;

		free(bo);
		return vsh_fail(err, "buffer of %llu bytes: %s", (unsigned long long)size,
				strerror(err));
	}
	atomic_init(&bo->ref, 1);
	bo->fd = fd;
	bo->size = size;
	bo->ptr = p;
	*out = bo;
	return 0;
}

void vsl_bo_put(struct vsl_bo *bo)
{
	uint32_t i;

	if (!bo || atomic_fetch_sub(&bo->ref, 1) != 1)
		return;
	munmap(bo->ptr, bo->size);
	close(bo->fd);
	vsl_fence_put(bo->writer);
	for (i = 0; i < bo->num_readers; i++)
		vsl_fence_put(bo->readers[i]);
	free(bo->readers);
	if (bo->tag && atomic_fetch_sub(&bo->tag->ref, 1) == 1)
		free(bo->tag);
	free(bo);
}

struct vsl_bo *vsl_bo_lookup(struct vsl_device *d, uint32_t handle)
{
	struct vsl_bo *bo;

	pthread_mutex_lock(&d->lock);
	bo = vsl_table_get(&d->bos, handle);
	if (bo)
		atomic_fetch_add(&bo->ref, 1);
	pthread_mutex_unlock(&d->lock);
	if (!bo)
		vsh_fail(ENOENT, "there is no buffer %u", handle);
	return bo;
}

static int bo_publish(struct vsl_device *d, struct vsl_bo *bo, uint32_t *handle)
{
	int ret;

	pthread_mutex_lock(&d->lock);
	ret = vsl_table_add(&d->bos, bo, VSL_MAX_HANDLES, handle);
	pthread_mutex_unlock(&d->lock);
	if (ret) {
		vsl_bo_put(bo);
		return vsh_fail(-ret, "too many buffers");
	}
	return 0;
}

/* Memory of a buffer. It must not be cut short: somebody may have it mapped. */
static int bo_memory(uint64_t size)
{
	int err, fd = memfd_create("vshader", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0)
		return vsh_fail(errno, "memfd: %s", strerror(errno));
	if (!ftruncate(fd, (off_t)size) &&
	    !fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
		return fd;
	err = errno;
	close(fd);
	return vsh_fail(err, "buffer of %llu bytes: %s", (unsigned long long)size, strerror(err));
}

int vsl_bo_create(struct vsl_device *d, struct drm_vshader_bo_create *args)
{
	struct vsl_vm *vm = NULL;
	struct vsl_bo *bo;
	uint64_t size;
	int fd, ret = vsh_check_bo_create(args);

	if (ret)
		return ret;
	if (args->exclusive_vm_id) {
		vm = vsl_vm_lookup(d, args->exclusive_vm_id);
		if (!vm)
			return -ENOENT;
	}
	size = (args->size + VSL_PAGE - 1) & ~(VSL_PAGE - 1);
	fd = bo_memory(size);
	ret = fd < 0 ? fd : bo_attach(fd, size, &bo);
	if (ret) {
		if (fd >= 0)
			close(fd);
		vsl_vm_put(vm);
		return ret;
	}
	bo->flags = args->flags;
	if (vm) {
		bo->tag = vm->tag;
		atomic_fetch_add(&bo->tag->ref, 1);
		vsl_vm_put(vm);
	}
	ret = bo_publish(d, bo, &args->handle);
	if (!ret)
		args->size = size;
	return ret;
}

/* Buffers are mapped by address here, but the call is checked as in the kernel. */
int vsl_bo_mmap_offset(struct vsl_device *d, struct drm_vshader_bo_mmap_offset *args)
{
	struct vsl_bo *bo;
	int ret = 0;

	if (args->pad)
		return vsh_fail(EINVAL, "pad is not 0");
	bo = vsl_bo_lookup(d, args->handle);
	if (!bo)
		return -ENOENT;
	if (bo->flags & DRM_VSHADER_BO_NO_MMAP)
		ret = vsh_fail(EINVAL, "buffer %u was created with NO_MMAP", args->handle);
	else
		args->offset = (uint64_t)args->handle << 32;
	vsl_bo_put(bo);
	return ret;
}

int vsl_bo_set_label(struct vsl_device *d, struct drm_vshader_bo_set_label *args)
{
	const char *label = (const char *)(uintptr_t)args->label;
	struct vsl_bo *bo;
	size_t len;

	if (args->pad)
		return vsh_fail(EINVAL, "pad is not 0");
	len = label ? strnlen(label, VSL_MAX_LABEL) : 0;
	if (len == VSL_MAX_LABEL)
		return vsh_fail(E2BIG, "a label has at most %u bytes", VSL_MAX_LABEL - 1);
	bo = vsl_bo_lookup(d, args->handle);
	if (!bo)
		return -ENOENT;
	pthread_mutex_lock(&d->lock);
	memset(bo->label, 0, sizeof(bo->label));
	if (len)
		memcpy(bo->label, label, len);
	pthread_mutex_unlock(&d->lock);
	vsl_bo_put(bo);
	return 0;
}

int vsl_bo_map(struct vshader_bo *bo)
{
	struct drm_vshader_bo_mmap_offset args = { .handle = bo->handle };
	struct vsl_device *d = vsl_of(bo->dev);
	int ret = vsl_bo_mmap_offset(d, &args);
	struct vsl_bo *lbo;
	void *p;

	if (ret)
		return ret;
	lbo = vsl_bo_lookup(d, bo->handle);
	if (!lbo)
		return -ENOENT;
	/* A mapping of its own, which outlives the handle as that of a kernel buffer. */
	p = mmap(NULL, lbo->size, PROT_READ | PROT_WRITE, MAP_SHARED, lbo->fd, 0);
	if (p == MAP_FAILED)
		ret = vsh_fail(errno, "mmap of a buffer: %s", strerror(errno));
	else
		bo->ptr = p;
	vsl_bo_put(lbo);
	return ret;
}

void vsl_bo_close(struct vshader_bo *bo)
{
	struct vsl_device *d = vsl_of(bo->dev);
	struct vsl_bo *lbo;

	if (bo->ptr)
		munmap(bo->ptr, bo->size);
	pthread_mutex_lock(&d->lock);
	lbo = vsl_table_remove(&d->bos, bo->handle);
	pthread_mutex_unlock(&d->lock);
	vsl_bo_put(lbo);
}

int vsl_bo_export(struct vshader_bo *bo, int *fd)
{
	struct vsl_bo *lbo = vsl_bo_lookup(vsl_of(bo->dev), bo->handle);
	int ret = 0;

	if (!lbo)
		return -ENOENT;
	if (lbo->tag)
		ret = vsh_fail(EINVAL, "buffer %u is exclusive to a VM and cannot be shared",
			       bo->handle);
	else
		*fd = fcntl(lbo->fd, F_DUPFD_CLOEXEC, 3);
	if (!ret && *fd < 0)
		ret = vsh_fail(errno, "export of a buffer: %s", strerror(errno));
	vsl_bo_put(lbo);
	return ret;
}

int vsl_bo_import(struct vshader_device *dev, int fd, uint32_t *handle, uint64_t *size)
{
	struct vsl_bo *bo;
	struct stat st;
	int own, ret;

	/* Only memory that nobody can cut short, else using it could kill the process. */
	if (fstat(fd, &st) || !(fcntl(fd, F_GET_SEALS) & F_SEAL_SHRINK) || st.st_size <= 0 ||
	    (uint64_t)st.st_size % VSL_PAGE)
		return vsh_fail(EINVAL, "file descriptor %d is no buffer of a local device", fd);
	own = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	if (own < 0)
		return vsh_fail(errno, "import of a buffer: %s", strerror(errno));
	ret = bo_attach(own, (uint64_t)st.st_size, &bo);
	if (ret) {
		close(own);
		return ret;
	}
	*size = bo->size;
	return bo_publish(vsl_of(dev), bo, handle);
}
