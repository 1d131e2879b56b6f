// SPDX-License-Identifier: MIT
/*
 * vshader gl: contexts of a file. Each has a queue; contexts take turns by their priorities.
 */
#include <ctype.h>
#include <errno.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <drm.h>

#include "cli.h"
#include "gl_priv.h"

#define TIME_LIMIT_MS	10000
#define SYS_NICE	(1U << CAP_SYS_NICE)

bool gl_ctx_high_allowed(void)
{
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct caps[_LINUX_CAPABILITY_U32S_3];

	return !syscall(SYS_capget, &head, caps) && caps[0].effective & SYS_NICE;
}

static int make_queue(struct gl_file *f, struct gl_ctx *ctx)
{
	const struct vshader_queue_params params = {
		.engine = ctx->engine,
		.vm = f->vm,
		.priority = ctx->priority + 1,
		.time_limit_ms = TIME_LIMIT_MS,
	};

	return vshader_queue_create(f->dev, &params, &ctx->queue);
}

static void print_label(const char *label)
{
	for (; *label; label++)
		fprintf(stderr, isprint((unsigned char)*label) ? "%c" : "\\x%02x",
			(unsigned char)*label);
}

/* Buffers have names if the program labels them. */
static void report_fault(struct gl_file *f, const struct gl_ctx *ctx,
			 const struct drm_vshader_fault *fault)
{
	const struct gl_bo *b = gl_bo_at(f, fault->address);
	char text[512];

	fprintf(stderr, "vshader gl: job %llu: %s", (unsigned long long)ctx->submitted,
		vshader_fault_text(fault, text, sizeof(text)));
	if (b && b->label && *b->label) {
		fputs(", in buffer ", stderr);
		print_label(b->label);
	}
	fputc('\n', stderr);
}

/* Report a fault. Return: there is one. */
static bool take_fault(struct gl_file *f, struct gl_ctx *ctx)
{
	struct drm_vshader_queue_get_state state = { .id = ctx->queue };

	if (!ctx->queue || vshader_queue_get_state(f->dev, ctx->queue, &state) || !state.state)
		return false;
	report_fault(f, ctx, &state.fault);
	pthread_mutex_lock(&f->server->lock);
	f->server->faults++;
	pthread_mutex_unlock(&f->server->lock);
	vshader_queue_destroy(f->dev, ctx->queue);
	ctx->queue = 0;
	return true;
}

int gl_ctx_revive(struct gl_file *f, struct gl_ctx *ctx)
{
	struct gl_ctx *pair = ctx->pair;

	if (!pair)
		return take_fault(f, ctx) ? make_queue(f, ctx) : 0;
	if (take_fault(f, ctx) || take_fault(f, pair)) {
		ctx->guilty = true;
		pair->guilty = true;
	}
	return ctx->guilty ? GL_GUILTY : 0;
}

void gl_ctx_free(struct gl_file *f, struct gl_ctx *ctx)
{
	take_fault(f, ctx);
	if (ctx->queue)
		vshader_queue_destroy(f->dev, ctx->queue);
	gl_timeline_put(ctx->timeline);
	free(ctx);
}

int gl_ctx_new(struct gl_file *f, uint32_t engine, uint32_t priority, struct gl_ctx **out)
{
	struct gl_ctx *ctx = calloc(1, sizeof(*ctx));
	int ret;

	if (!ctx)
		return -ENOMEM;
	ctx->engine = engine;
	ctx->priority = priority;
	ctx->timeline = gl_timeline_new(f->dev, f->timeline);
	ret = ctx->timeline ? make_queue(f, ctx) : -ENOMEM;
	if (ret) {
		gl_ctx_free(f, ctx);
		return ret;
	}
	*out = ctx;
	return 0;
}

int gl_ctx_init(struct gl_file *f)
{
	return gl_ctx_new(f, f->server->engine, GL_PRIORITY_MEDIUM, &f->ctxs[0]);
}

void gl_ctx_fini(struct gl_file *f)
{
	uint32_t i;

	for (i = 0; i <= GL_MAX_CTX; i++) {
		if (f->ctxs[i])
			gl_ctx_free(f, f->ctxs[i]);
	}
}

int gl_ctx_create(struct gl_file *f, uint32_t priority, uint32_t *handle)
{
	uint32_t i;
	int ret;

	if (priority > GL_PRIORITY_HIGH)
		return -EINVAL;
	if (priority == GL_PRIORITY_HIGH && !gl_ctx_high_allowed())
		return -EACCES;
	for (i = 0; i <= GL_MAX_CTX && f->ctxs[i]; i++)
		;
	if (i > GL_MAX_CTX)
		return -EBUSY;
	ret = gl_ctx_new(f, f->server->engine, priority, &f->ctxs[i]);
	if (ret)
		return ret;
	*handle = i;
	return 0;
}

struct gl_ctx *gl_ctx_find(const struct gl_file *f, uint32_t handle)
{
	return handle <= GL_MAX_CTX ? f->ctxs[handle] : NULL;
}

int gl_ctx_destroy(struct gl_file *f, uint32_t handle)
{
	struct gl_ctx *ctx = gl_ctx_find(f, handle);

	/* the file's own context stays */
	if (!handle || !ctx)
		return -EINVAL;
	gl_ctx_free(f, ctx);
	f->ctxs[handle] = NULL;
	return 0;
}
