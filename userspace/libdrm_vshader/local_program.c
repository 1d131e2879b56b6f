// SPDX-License-Identifier: MIT
/*
 * Local backend: programs.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "local.h"
#include "program.h"

struct vsl_program *vsl_program_lookup(struct vsl_device *d, uint32_t id)
{
	struct vsl_program *p;

	pthread_mutex_lock(&d->lock);
	p = vsl_table_get(&d->programs, id);
	if (p)
		atomic_fetch_add(&p->ref, 1);
	pthread_mutex_unlock(&d->lock);
	if (!p)
		vsh_fail(ENOENT, "there is no program %u", id);
	return p;
}

void vsl_program_put(struct vsl_program *p)
{
	if (!p || atomic_fetch_sub(&p->ref, 1) != 1)
		return;
	vs_program_destroy(p->vs);
	free(p);
}

int vsl_program_create(struct vsl_device *d, struct drm_vshader_program_create *args)
{
	struct vshader_source src = { .engine = args->engine, .stage = args->stage };
	struct vshader_diag diag = {
		.log = (char *)(uintptr_t)args->log,
		.log_size = args->log ? args->log_size : 0,
	};
	struct vsl_program *p;
	int ret = vsh_take_source(args, &src);

	if (ret)
		return ret;
	p = calloc(1, sizeof(*p));
	if (!p)
		return vsh_fail(ENOMEM, "out of memory");
	atomic_init(&p->ref, 1);
	ret = vsh_program_new(&src, &diag, &p->vs);
	if (!ret || ret == -ENOEXEC) {
		args->reject = diag.reject;
		args->log_size = diag.log_size ? diag.log_len + 1 : 0;
	}
	if (ret) {
		free(p);
		return ret;
	}
	pthread_mutex_lock(&d->lock);
	ret = vsl_table_add(&d->programs, p, VSL_MAX_OBJECTS, &args->id);
	pthread_mutex_unlock(&d->lock);
	if (ret) {
		vsl_program_put(p);
		return vsh_fail(-ret, "too many programs, the limit is %u", VSL_MAX_OBJECTS);
	}
	return 0;
}

int vsl_program_destroy(struct vsl_device *d, struct drm_vshader_program_destroy *args)
{
	struct vsl_program *p;

	if (args->pad)
		return vsh_fail(EINVAL, "pad is not 0");
	pthread_mutex_lock(&d->lock);
	p = vsl_table_remove(&d->programs, args->id);
	pthread_mutex_unlock(&d->lock);
	if (!p)
		return vsh_fail(ENOENT, "there is no program %u", args->id);
	vsl_program_put(p);
	return 0;
}

int vsl_program_query(struct vsl_device *d, struct drm_vshader_program_query *args)
{
	struct vsl_program *p = vsl_program_lookup(d, args->id);
	struct drm_vshader_program_info info;
	uint32_t n;

	if (!p)
		return -ENOENT;
	vsh_program_info(p->vs, &info);
	vsl_program_put(p);
	if (args->pointer) {
		uint8_t *to = (uint8_t *)(uintptr_t)args->pointer;

		n = args->size < sizeof(info) ? args->size : sizeof(info);
		memcpy(to, &info, n);
		memset(to + n, 0, args->size - n);
	}
	args->size = sizeof(info);
	return 0;
}
