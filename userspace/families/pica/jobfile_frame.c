// SPDX-License-Identifier: MIT
/*
 * Job files: the images that a command list draws, found from its writes of registers. Registers
 * that earlier jobs of the queue wrote are not known; lists of programs set the frame with each
 * picture.
 */
#include <string.h>

#include "jobfile_pica.h"
#include "native/pica/pica_regs.h"

#define MAX_JUMPS	256
#define MAX_COMMANDS	0x100000

/**
 * struct walk - Command list being read.
 * @r:		runner
 * @n:		job
 * @regs:	registers
 * @drawn:	a draw has used the frame
 * @w:		the list's words
 * @nwords:	number of @w
 * @pos:	next word
 * @stop:	the list ends the job
 * @jumps:	lists that were jumped to
 */
struct walk {
	struct runner *r;
	uint32_t n;
	uint32_t regs[PICA_NUM_GPU_REGS];
	bool drawn;
	const uint32_t *w;
	uint32_t nwords;
	uint32_t pos;
	bool stop;
	uint32_t jumps;
};

static int add_image(struct walk *k, const char *name, const char *format, uint32_t addr)
{
	uint32_t dims = k->regs[PICA_REG_FRAME_SIZE];
	struct jf_picture p = { .width = dims & 0x7ff, .height = (dims >> 12 & 0x3ff) + 1,
				.layout = JF_MORTON };

	if (!p.width || !jf_pixel_format(format, &p.pixel))
		return 0;
	p.stride = jf_picture_stride(&p);
	return run_add_target(k->r, k->n, name, (uint64_t)(addr & 0x0fffffff) << 3, &p);
}

/* The frame is complete, as far as this list says. */
static int end_frame(struct walk *k)
{
	static const char *const colours[8] = {
		"a8b8g8r8", "b8g8r8", "a1b5g5r5", "b5g6r5", "a4b4g4r4", "a8b8g8r8", "a8b8g8r8",
		"a8b8g8r8"
	};
	static const char *const depths[4] = { "z16", "z24", "z24", "z24s8" };
	const uint32_t *regs = k->regs;
	int ret = 0;

	if (!k->drawn)
		return 0;
	k->drawn = false;
	if (regs[PICA_REG_COLOUR_WRITE] & 0xf)
		ret = add_image(k, "colour", colours[regs[PICA_REG_COLOUR_FORMAT] >> 16 & 7],
				regs[PICA_REG_COLOUR_ADDR]);
	if (!ret && regs[PICA_REG_DEPTH_WRITE] & 3)
		ret = add_image(k, "depth", depths[regs[PICA_REG_DEPTH_FORMAT] & 3],
				regs[PICA_REG_DEPTH_ADDR]);
	return ret;
}

static void jump(struct walk *k, uint32_t channel)
{
	uint64_t va = (uint64_t)(k->regs[PICA_REG_CMDBUF_ADDR0 + channel] & 0x1fffffff) << 3;
	const struct jf_loc at = { .region = JF_NONE, .offset = va };

	k->nwords = (k->regs[PICA_REG_CMDBUF_SIZE0 + channel] & 0x1fffff) << 1;
	k->pos = 0;
	k->w = NULL;
	if (++k->jumps < MAX_JUMPS)
		k->w = (const void *)run_ptr(k->r, k->r->jobs[k->n].vm, &at, 4ull * k->nwords);
	k->stop = !k->w;
}

static bool of_frame(uint32_t id)
{
	return id == PICA_REG_FRAME_SIZE || id == PICA_REG_COLOUR_ADDR ||
	       id == PICA_REG_DEPTH_ADDR || id == PICA_REG_COLOUR_FORMAT ||
	       id == PICA_REG_DEPTH_FORMAT;
}

static int write_register(struct walk *k, uint32_t id, uint32_t value, uint32_t mask)
{
	uint32_t bits = 0, i, now;
	int ret = 0;

	if (id >= PICA_NUM_GPU_REGS || !mask)
		return 0;
	for (i = 0; i < 4; i++)
		bits |= mask >> i & 1 ? 0xffu << (8 * i) : 0;
	now = (k->regs[id] & ~bits) | (value & bits);
	if (of_frame(id) && now != k->regs[id])
		ret = end_frame(k);
	k->regs[id] = now;
	switch (id) {
	case PICA_REG_DRAWARRAYS:
	case PICA_REG_DRAWELEMENTS:
	case PICA_REG_FIXEDATTRIB_DATA2:
		k->drawn = true;
		break;
	case PICA_REG_FINALIZE:
		k->stop = true;
		break;
	case PICA_REG_CMDBUF_JUMP0:
	case PICA_REG_CMDBUF_JUMP1:
		if (value & bits)
			jump(k, id - PICA_REG_CMDBUF_JUMP0);
		break;
	}
	return ret;
}

static int command(struct walk *k)
{
	uint32_t value = k->w[k->pos], head = k->w[k->pos + 1], id = PICA_CMD_ID(head), i;
	const uint32_t *more = k->w + k->pos + 2, *list = k->w;
	uint32_t jumps = k->jumps, extra = PICA_CMD_EXTRA(head);
	int ret;

	if (extra > k->nwords - k->pos - 2) {
		k->stop = true;
		return 0;
	}
	k->pos += 2 + extra + (extra & 1);
	ret = write_register(k, id, value, PICA_CMD_MASK(head));
	for (i = 0; i < extra && !ret && !k->stop && k->w == list && k->jumps == jumps; i++) {
		id += PICA_CMD_CONSECUTIVE(head);
		ret = write_register(k, id, more[i], PICA_CMD_MASK(head));
	}
	return ret;
}

int pica_targets(struct runner *r, uint32_t n, const struct drm_vshader_native_job *job)
{
	const struct jf_loc at = { .region = JF_NONE, .offset = job->va };
	struct walk k = { .r = r, .n = n };
	uint32_t commands = 0;
	int ret = 0;

	if (job->format == DRM_VSHADER_NATIVE_PICA_GX)
		return pica_request_targets(r, n, job);
	if (job->va % sizeof(*k.w))
		return 0;
	k.w = (const void *)run_ptr(r, r->jobs[n].vm, &at, job->size);
	k.nwords = (uint32_t)(job->size / 4);
	if (!k.w)
		return 0;
	while (!ret && !k.stop && k.pos + 1 < k.nwords && ++commands < MAX_COMMANDS)
		ret = command(&k);
	return ret ? ret : end_frame(&k);
}
