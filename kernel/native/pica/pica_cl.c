// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * PICA200 command lists: fetching commands and following jumps.
 *
 * A command is a parameter word, a header word, up to 255 further parameters and
 * padding to 8 bytes (3dbrew, "GPU/Internal Registers"). The submitted list was copied
 * before; lists that it jumps to are read from guest memory, each word once.
 */
#include "pica_cl.h"

static const char *const reason_text[PICA_CL_NUM_REASONS] = {
	[PICA_CL_OK]		= "no fault",
	[PICA_CL_TRUNCATED]	= "command longer than its list",
	[PICA_CL_STEPS]		= "too many words or jumps",
	[PICA_CL_LOADER]	= "vertex buffer with more than 12 components",
	[PICA_CL_GS_USE]	= "geometry stage neither off nor on",
	[PICA_CL_GS_MODE]	= "undefined geometry mode",
	[PICA_CL_GS_CONFIG]	= "geometry registers contradict each other",
	[PICA_CL_GS_INPUTS]	= "geometry inputs are no multiple of the vertex outputs",
	[PICA_CL_GS_OUTPUTS]	= "geometry unit without outputs",
	[PICA_CL_GS_INDEX]	= "variable primitives without an index buffer",
	[PICA_CL_VERTEX_COUNT]	= "primitive of 0 or more than 95 vertices",
	[PICA_CL_STRIDE]	= "vertex buffer with a stride unlike the size of its components",
	[PICA_CL_UNIT_UNIFORM]	= "uniform of which the geometry unit has another value",
	[PICA_CL_GAS]		= "gas is not supported",
	[PICA_CL_PROCTEX]	= "undefined clamp, shift, map, filter or coordinates of unit 3",
};

static const char *pica_cl_get_reason_text(u32 reason)
{
	const char *text = reason < PICA_CL_NUM_REASONS ? reason_text[reason] :
							  pica_gx_reason_text(reason);

	return text ?: "?";
}

/**
 * pica_cl_reject - reject the current command
 * @p: parser
 * @reason: reject reason
 *
 * Return: -ENOEXEC.
 */
int pica_cl_reject(struct pica_cl_parser *p, enum pica_cl_reason reason)
{
	vs_fault_command(p->fault, p->cmd_va, reason, p->cmd);
	p->fault->draw = p->job->ndraws;
	return -ENOEXEC;
}

static int fetch_fault(struct pica_cl_parser *p)
{
	vs_fault_memory(p->fault, VS_FAULT_FETCH, p->list_va + 4ULL * p->pos, 4);
	p->fault->draw = p->job->ndraws;
	p->fault->info = p->cmd;
	return -ENOEXEC;
}

/* Read ahead; fails only if not even the word at @pos can be read. */
static int refill(struct pica_cl_parser *p)
{
	u32 n = min_t(u32, ARRAY_SIZE(p->win), p->nwords - p->pos);
	u64 got;

	got = vs_map_read(p->in->map, p->list_va + 4ULL * p->pos, p->win, 4ULL * n);
	p->win_pos = p->pos;
	p->win_n = got / 4;
	return p->win_n ? 0 : fetch_fault(p);
}

/* The next word of the list; the caller knows that there is one. */
static int next_word(struct pica_cl_parser *p, u32 *word)
{
	int ret;

	if (++p->steps > PICA_CL_MAX_WORDS)
		return pica_cl_reject(p, PICA_CL_STEPS);
	if (!p->jumped) {
		*word = p->in->words[p->pos++];
		return 0;
	}
	if (p->pos - p->win_pos >= p->win_n) {
		ret = refill(p);
		if (ret)
			return ret;
	}
	*word = p->win[p->pos++ - p->win_pos];
	return 0;
}

/**
 * pica_cl_jump - continue with another list
 * @p: parser
 * @channel: index of the pair of size and address registers
 *
 * There is no return: lists that serve as subroutines jump back themselves.
 *
 * Return: 0 or -ENOEXEC.
 */
int pica_cl_jump(struct pica_cl_parser *p, u32 channel)
{
	if (++p->jumps > PICA_CL_MAX_JUMPS)
		return pica_cl_reject(p, PICA_CL_STEPS);
	p->list_va = (u64)(p->s->regs[PICA_REG_CMDBUF_ADDR0 + channel] & 0x1fffffff) << 3;
	p->nwords = (p->s->regs[PICA_REG_CMDBUF_SIZE0 + channel] & 0x1fffff) << 1;
	p->pos = 0;
	p->win_pos = 0;
	p->win_n = 0;
	p->jumped = true;
	p->leave = true;
	return 0;
}

/* Games write to registers that do not exist, without effect on a console. */
static int write_register(struct pica_cl_parser *p, u32 id, u32 value)
{
	u32 mask = PICA_CMD_MASK(p->cmd);

	if (id < PICA_NUM_GPU_REGS)
		return pica_cl_write(p, id, value, mask);
	p->job->strays += !!mask;
	return 0;
}

static int pica_cl_command(struct pica_cl_parser *p)
{
	u32 value, extra, step, i, id;
	int ret;

	p->leave = false;
	p->cmd_va = p->list_va + 4ULL * p->pos + 4;
	ret = next_word(p, &value);
	if (ret)
		return ret;
	ret = next_word(p, &p->cmd);
	if (ret)
		return ret;

	id = PICA_CMD_ID(p->cmd);
	extra = PICA_CMD_EXTRA(p->cmd);
	step = PICA_CMD_CONSECUTIVE(p->cmd);
	if (extra > p->nwords - p->pos)
		return pica_cl_reject(p, PICA_CL_TRUNCATED);
	ret = write_register(p, id, value);
	for (i = 0; !ret && i < extra && !p->leave && !p->stop; i++) {
		id += step;
		ret = next_word(p, &value);
		if (!ret)
			ret = write_register(p, id, value);
	}
	/* Lists are a multiple of 8 bytes: the padding word exists. */
	if (!ret && !p->leave)
		p->pos += extra & 1;
	return ret;
}

static int parse_list(struct pica_cl_parser *p)
{
	int ret = 0;

	while (!ret && !p->stop && p->pos < p->nwords) {
		ret = pica_cl_command(p);
		vs_cond_resched();
	}
	return ret ? ret : pica_cl_flush(p);
}

static int check_in(const struct vs_native_in *in)
{
	if (in->nwords & 1 || (in->nwords && !in->words))
		return -EINVAL;
	if (in->model != PICA_MODEL_F24 && in->model != PICA_MODEL_F32)
		return -EINVAL;
	if (in->switches & ~PICA_SW_ALL)
		return -EINVAL;
	if (in->model == PICA_MODEL_F32 && (in->switches & PICA_SW_ROUND_NEAREST))
		return -EINVAL;
	/* The end marker needs room. */
	if (in->output_size && in->output_size < sizeof(struct pica_cl_header))
		return -EINVAL;
	return 0;
}

static int parse_with(struct pica_cl_parser *p, const struct vs_native_in *in,
		      struct pica_cl_state *state)
{
	int ret;

	memcpy(p->s, state, sizeof(*state));
	p->list_va = in->va;
	p->nwords = in->nwords;
	p->restart = true;
	p->refill = true;
	/* Rows that a geometry draw of an earlier job wrote are not known here. */
	memset(p->changed, 0xff, sizeof(p->changed));
	ret = parse_list(p);
	if (!ret)
		ret = pica_cl_job_finish(p->job, in->map);
	if (!ret)
		memcpy(state, p->s, sizeof(*state));
	return ret;
}

static int pica_cl_parse(const struct vs_native_in *in, struct vs_native_state *s,
			 struct vs_native **out, struct vs_fault *fault)
{
	struct pica_cl_parser *p;
	int ret;

	ret = check_in(in);
	if (ret)
		return ret;
	p = vs_zalloc(sizeof(*p));
	if (!p)
		return -ENOMEM;
	p->in = in;
	p->fault = fault;
	p->s = vs_zalloc(sizeof(*p->s));
	p->job = pica_cl_job_new(in);
	ret = -ENOMEM;
	if (p->s && p->job)
		ret = parse_with(p, in, container_of(s, struct pica_cl_state, base));
	if (!ret)
		*out = &p->job->base;
	else if (p->job)
		pica_cl_job_free(&p->job->base);
	vs_free(p->s);
	vs_free(p);
	return ret;
}

const struct vs_native_ops pica_cl_ops = {
	.isa = VS_ISA_PICA,
	.state_bytes = sizeof(struct pica_cl_state),
	.parse = pica_cl_parse,
	.map = pica_cl_job_map,
	.phases = pica_cl_job_phases,
	.add_phases = pica_cl_job_add,
	.memory = pica_cl_job_memory,
	.strays = pica_cl_job_strays,
	.reason_text = pica_cl_get_reason_text,
	.free = pica_cl_job_free,
};
