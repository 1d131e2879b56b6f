// SPDX-License-Identifier: MIT
/*
 * Local backend: queues.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "families/family.h"
#include "local.h"

struct vsl_queue *vsl_queue_lookup(struct vsl_device *d, uint32_t id)
{
	struct vsl_queue *q;

	pthread_mutex_lock(&d->lock);
	q = vsl_table_get(&d->queues, id);
	if (q)
		atomic_fetch_add(&q->ref, 1);
	pthread_mutex_unlock(&d->lock);
	if (!q)
		vsh_fail(ENOENT, "there is no queue %u", id);
	return q;
}

void vsl_queue_put(struct vsl_queue *q)
{
	unsigned int i;

	if (!q || atomic_fetch_sub(&q->ref, 1) != 1)
		return;
	for (i = 0; i < VS_NUM_NATIVE; i++)
		vs_native_state_free(q->native[i]);
	vsl_debug_free(q->debug);
	free(q->states);
	vsl_vm_put(q->vm);
	free(q);
}

/* Of queues. */
static atomic_uint numbers;

static struct vsl_queue *queue_new(struct vsl_device *d,
				   const struct drm_vshader_queue_create *args,
				   const struct vs_isa *isa)
{
	struct vsl_queue *q = calloc(1, sizeof(*q));

	if (!q)
		return NULL;
	atomic_init(&q->ref, 1);
	q->dev = d;
	q->number = ++numbers;
	q->isa = isa;
	q->family = vshader_family_of(isa);
	q->priority = args->priority;
	q->budget = args->budget ? args->budget : VSL_MAX_BUDGET;
	q->time_limit_ms = args->time_limit_ms ? args->time_limit_ms : VSL_DEFAULT_TIME_MS;
	if (args->flags & DRM_VSHADER_QUEUE_DEBUG)
		q->debug = vsl_debug_new(isa);
	if (q->family->max_states)
		q->states = calloc(q->family->max_states, q->family->state_size);
	if ((args->flags & DRM_VSHADER_QUEUE_DEBUG && !q->debug) ||
	    (q->family->max_states && !q->states)) {
		vsl_queue_put(q);
		return NULL;
	}
	return q;
}

int vsl_queue_create(struct vsl_device *d, struct drm_vshader_queue_create *args)
{
	const struct vs_isa *isa = vs_isa_by_id(args->engine);
	struct vsl_queue *q;
	int ret = vsh_check_queue_create(args);

	if (ret)
		return ret;
	q = queue_new(d, args, isa);
	if (!q)
		return vsh_fail(ENOMEM, "out of memory");
	q->vm = vsl_vm_lookup(d, args->vm_id);
	if (!q->vm) {
		vsl_queue_put(q);
		return -ENOENT;
	}
	if (q->vm->bits != isa->va_bits) {
		ret = vsh_fail(EINVAL, "queue: engine %s needs a VM of %u bits, VM %u has %u",
			       isa->name, isa->va_bits, args->vm_id, q->vm->bits);
		vsl_queue_put(q);
		return ret;
	}
	pthread_mutex_lock(&d->lock);
	ret = vsl_table_add(&d->queues, q, VSL_MAX_OBJECTS, &args->id);
	if (!ret) {
		q->next = d->queue_list;
		d->queue_list = q;
	}
	pthread_mutex_unlock(&d->lock);
	if (ret) {
		vsl_queue_put(q);
		return vsh_fail(-ret, "too many queues, the limit is %u", VSL_MAX_OBJECTS);
	}
	return 0;
}

void vsl_queue_close(struct vsl_device *d, struct vsl_queue *q)
{
	pthread_mutex_lock(&d->lock);
	vsl_exec_cancel(d, q, -ECANCELED);
	d->closing++;
	while (q->head)
		pthread_cond_wait(&d->ended, &d->lock);
	d->closing--;
	vsl_debug_gone(d, q);
	for (struct vsl_queue **p = &d->queue_list; *p; p = &(*p)->next) {
		if (*p == q) {
			*p = q->next;
			break;
		}
	}
	pthread_mutex_unlock(&d->lock);
	vsl_exec_reap(d);
	vsl_queue_put(q);
}

int vsl_queue_destroy(struct vsl_device *d, struct drm_vshader_queue_destroy *args)
{
	struct vsl_queue *q;

	if (args->pad)
		return vsh_fail(EINVAL, "pad is not 0");
	pthread_mutex_lock(&d->submit_lock);
	pthread_mutex_lock(&d->lock);
	q = vsl_table_remove(&d->queues, args->id);
	pthread_mutex_unlock(&d->lock);
	pthread_mutex_unlock(&d->submit_lock);
	if (!q)
		return vsh_fail(ENOENT, "there is no queue %u", args->id);
	vsl_queue_close(d, q);
	return 0;
}

/* As the kernel answers: the tail that there is nothing for is cleared. */
static void copy_states(const struct vsl_queue *q, struct drm_vshader_queue_get_state *args)
{
	uint32_t size = q->num_states * q->family->state_size;
	uint32_t n = min(args->engine_state_size, size);
	uint8_t *to = (uint8_t *)(uintptr_t)args->engine_state;

	if (to) {
		if (n)
			memcpy(to, q->states, n);
		memset(to + n, 0, args->engine_state_size - n);
	}
	args->engine_state_size = size;
}

int vsl_queue_get_state(struct vsl_device *d, struct drm_vshader_queue_get_state *args)
{
	struct vsl_queue *q;

	if (args->pad)
		return vsh_fail(EINVAL, "pad is not 0");
	q = vsl_queue_lookup(d, args->id);
	if (!q)
		return -ENOENT;
	pthread_mutex_lock(&d->lock);
	args->state = q->state;
	args->submitted = q->submitted;
	args->completed = q->completed;
	args->busy_ns = q->busy_ns;
	args->invocations = q->invocations;
	args->fault = q->fault;
	copy_states(q, args);
	pthread_mutex_unlock(&d->lock);
	vsl_queue_put(q);
	return 0;
}
