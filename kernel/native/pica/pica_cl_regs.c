// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * PICA200 command lists: the register file and the side effects of register writes.
 *
 * Every register below 0x300 stores the written bytes that the command's mask selects. A write
 * with an empty mask does nothing at all. Ports that accept a stream of words see the
 * register's value after the masked write.
 */
#include "pica_cl.h"
#include "../../isa/pica/pica_float.h"

static u32 byte_mask(u32 mask)
{
	u32 m = 0;
	int i;

	for (i = 0; i < 4; i++) {
		if (mask & (1U << i))
			m |= 0xffU << (8 * i);
	}
	return m;
}

/*
 * The unit that can be the geometry unit uses the vertex units' configuration while it
 * is one of them (3dbrew, GPUREG_VSH_COM_MODE).
 */
static bool mirrored(const struct pica_cl_parser *p)
{
	return !(p->s->regs[PICA_REG_VSH_COM_MODE] & 1) &&
	       !(p->s->regs[PICA_REG_GEOSTAGE_CONFIG] & 3);
}

static void set_row(struct pica_cl_parser *p, u32 unit, u32 row, const u32 v[4])
{
	memcpy(p->s->unit[unit].floats[row], v, 4 * sizeof(u32));
	if (unit == PICA_CL_GSH) {
		p->changed[row / 32] |= 1U << (row % 32);
		p->fed[row / 32] &= ~(1U << (row % 32));
	}
}

static void float_data(struct pica_cl_parser *p, u32 unit, u32 *index, u32 word)
{
	struct pica_cl_unit *u = &p->s->unit[unit];
	bool f32 = *index & PICA_FLOAT_INDEX_F32;
	u32 row = *index & 0xff;
	u32 v[4];
	int c;

	u->fifo[u->nfifo++] = word;
	if (u->nfifo < (f32 ? 4 : 3))
		return;
	u->nfifo = 0;
	/* Data for rows that do not exist is dropped, and the index stays. */
	if (row >= PICA_NUM_CONST)
		return;
	if (f32) {
		pica_unpack_f32(u->fifo, v);
	} else {
		pica_unpack_f24(u->fifo, v);
		for (c = 0; c < 4; c++)
			v[c] = pica_f24_to_f32(v[c]);
	}
	set_row(p, unit, row, v);
	if (unit == PICA_CL_VSH && mirrored(p))
		set_row(p, PICA_CL_GSH, row, v);
	(*index)++;
}

static void set_code(struct pica_cl_unit *u, u32 pos, u32 word)
{
	u->code[pos] = word;
	if (u->ncode <= pos)
		u->ncode = pos + 1;
}

static void code_data(struct pica_cl_parser *p, u32 unit, u32 word)
{
	struct pica_cl_unit *u = &p->s->unit[unit];

	if (u->code_pos >= PICA_MAX_CODE)
		return;
	set_code(u, u->code_pos, word);
	if (unit == PICA_CL_VSH && mirrored(p))
		set_code(&p->s->unit[PICA_CL_GSH], u->code_pos, word);
	u->code_pos++;
}

static void opdesc_data(struct pica_cl_parser *p, u32 unit, u32 word)
{
	struct pica_cl_unit *u = &p->s->unit[unit];

	if (u->opdesc_pos >= PICA_MAX_OPDESC)
		return;
	u->opdesc[u->opdesc_pos] = word;
	if (unit == PICA_CL_VSH && mirrored(p))
		p->s->unit[PICA_CL_GSH].opdesc[u->opdesc_pos] = word;
	u->opdesc_pos++;
}

static void unit_write(struct pica_cl_parser *p, u32 unit, u32 base, u32 off)
{
	struct pica_cl_unit *u = &p->s->unit[unit];
	u32 *reg = &p->s->regs[base];
	u32 word = reg[off];

	if (off >= PICA_SH_FLOAT_DATA0 && off <= PICA_SH_FLOAT_DATA7) {
		float_data(p, unit, &reg[PICA_SH_FLOAT_INDEX], word);
		return;
	}
	if (off >= PICA_SH_CODE_DATA0 && off <= PICA_SH_CODE_DATA7) {
		code_data(p, unit, word);
		return;
	}
	if (off >= PICA_SH_OPDESC_DATA0 && off <= PICA_SH_OPDESC_DATA7) {
		opdesc_data(p, unit, word);
		return;
	}
	switch (off) {
	case PICA_SH_FLOAT_INDEX:
		u->nfifo = 0;
		break;
	case PICA_SH_CODE_INDEX:
		u->code_pos = word & 0xfff;
		break;
	case PICA_SH_OPDESC_INDEX:
		u->opdesc_pos = word & 0xfff;
		break;
	case PICA_SH_BOOL ... PICA_SH_INT3:
	case PICA_SH_OUTMASK:
		if (unit == PICA_CL_VSH && mirrored(p))
			p->s->regs[PICA_REG_GSH + off] = word;
		break;
	}
}

static int immediate_vertex(struct pica_cl_parser *p)
{
	u32 nattr = (p->s->regs[PICA_REG_VSH_NUM_ATTR] & 0xf) + 1;
	u64 va;
	int ret;

	if (p->vertices + p->imm_vertices >= PICA_CL_MAX_VERTICES)
		return -E2BIG;
	ret = pica_cl_data(p->job, p->imm, nattr * sizeof(p->imm[0]), &va);
	if (ret)
		return ret;
	if (!p->imm_vertices) {
		p->imm_data = va - PICA_CL_VA_DATA;
		p->imm_stride = nattr * sizeof(p->imm[0]);
		p->imm_cmd_va = p->cmd_va;
	}
	p->imm_vertices++;
	p->imm_attr = 0;
	return 0;
}

static int fixed_data(struct pica_cl_parser *p, u32 word)
{
	u32 *index = &p->s->regs[PICA_REG_FIXEDATTRIB_INDEX];
	u32 v[4];

	p->s->fifo[p->s->nfifo++] = word;
	if (p->s->nfifo < 3)
		return 0;
	p->s->nfifo = 0;
	pica_unpack_f24(p->s->fifo, v);
	if ((*index & 0xf) != PICA_IMMEDIATE) {
		memcpy(p->s->fixed[*index & 0xf], v, sizeof(v));
		/* The index advances, but never to immediate mode. */
		if ((*index & 0xf) < PICA_IMMEDIATE - 1)
			(*index)++;
		return 0;
	}
	memcpy(p->imm[p->imm_attr], v, sizeof(v));
	if (p->imm_attr++ < (p->s->regs[PICA_REG_VSH_NUM_ATTR] & 0xf))
		return 0;
	return immediate_vertex(p);
}

/**
 * pica_cl_flush - turn the collected immediate-mode vertices into a draw
 * @p: parser
 *
 * Return: 0 or an error of pica_cl_draw().
 */
int pica_cl_flush(struct pica_cl_parser *p)
{
	u64 cmd_va = p->cmd_va;
	int ret;

	if (!p->imm_vertices)
		return 0;
	p->cmd_va = p->imm_cmd_va;
	ret = pica_cl_draw(p, PICA_CL_IMMEDIATE);
	if (ret)
		return ret;
	p->cmd_va = cmd_va;
	p->imm_vertices = 0;
	return 0;
}

/**
 * pica_cl_write - write a register
 * @p: parser
 * @id: register, below PICA_NUM_GPU_REGS
 * @value: value
 * @mask: bytes of it that are written
 *
 * Return: 0, -ENOEXEC, -E2BIG or -ENOMEM.
 */
int pica_cl_write(struct pica_cl_parser *p, u32 id, u32 value, u32 mask)
{
	u32 bytes = byte_mask(mask);
	u32 *reg = &p->s->regs[id];
	int ret;

	if (!mask)
		return 0;
	/* Vertices submitted before use the registers' previous values. */
	if (id < PICA_REG_FIXEDATTRIB_DATA0 || id > PICA_REG_FIXEDATTRIB_DATA2) {
		ret = pica_cl_flush(p);
		if (ret)
			return ret;
	}
	*reg = (*reg & ~bytes) | (value & bytes);
	if (id >= PICA_REG_VSH) {
		unit_write(p, PICA_CL_VSH, PICA_REG_VSH, id - PICA_REG_VSH);
		return 0;
	}
	if (id >= PICA_REG_GSH) {
		unit_write(p, PICA_CL_GSH, PICA_REG_GSH, id - PICA_REG_GSH);
		return 0;
	}
	if (id < PICA_NUM_PAINT_REGS) {
		p->frag_stale = true;
		pica_cl_lut(p, id, *reg);
	}
	switch (id) {
	case PICA_REG_FINALIZE:
		p->stop = true;
		return 0;
	case PICA_REG_DRAWARRAYS:
		return value & bytes ? pica_cl_draw(p, PICA_CL_ARRAYS) : 0;
	case PICA_REG_DRAWELEMENTS:
		return value & bytes ? pica_cl_draw(p, PICA_CL_ELEMENTS) : 0;
	case PICA_REG_FIXEDATTRIB_INDEX:
		p->s->nfifo = 0;
		p->imm_attr = 0;
		p->refill = true;
		return 0;
	case PICA_REG_FIXEDATTRIB_DATA0 ... PICA_REG_FIXEDATTRIB_DATA2:
		return fixed_data(p, *reg);
	case PICA_REG_CMDBUF_JUMP0:
	case PICA_REG_CMDBUF_JUMP1:
		return value & bytes ? pica_cl_jump(p, id - PICA_REG_CMDBUF_JUMP0) : 0;
	case PICA_REG_PRIMITIVE_CONFIG:
		/* Primitive assembly depends only on the topology's byte. */
		if (mask & 2)
			p->restart = true;
		return 0;
	case PICA_REG_RESTART_PRIMITIVE:
		if (value & bytes & 1)
			p->restart = true;
		return 0;
	default:
		return 0;
	}
}
