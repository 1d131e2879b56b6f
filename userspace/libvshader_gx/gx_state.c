// SPDX-License-Identifier: MIT
/*
 * Registers and memories that command lists leave to the next list. Each job starts from reset
 * registers and a list that sets them again: a recorded job needs no other.
 */
#include <string.h>

#include "gx_priv.h"

#define NUM_REGS	0x300u
#define NUM_ROWS	96u
#define NUM_CODE	4096u
#define NUM_OPDESC	128u
#define NUM_FIXED	15u	/* fixed attributes; 15 is immediate mode */
#define NUM_TABLES	32u	/* of lighting; unit 3 has fewer */
#define MAX_STEPS	0x200000u
#define MAX_BURST	256u

#define GSH		0x280u
#define VSH		0x2b0u
/* Registers of a shader unit, from GSH or VSH on. */
#define SH_BOOL		0x00u
#define SH_INT3		0x04u
#define SH_OUTMASK	0x0du
#define SH_FLOAT	0x10u	/* index; eight ports follow, as after the next two */
#define SH_CODE		0x1bu
#define SH_OPDESC	0x25u
#define PORTS		8u

#define FLOAT_F32	0x80000000u
#define B15		0x8000u
#define MIRRORS_OFF	0x2u	/* GEOSTAGE_CONFIG: the unit runs geometry programs */

/** struct row - a float uniform as it was uploaded: 3 or 4 words, 0: never */
struct row {
	uint32_t n;
	uint32_t w[4];
};

/** struct unit - memories of the vertex units or of the geometry unit */
struct unit {
	uint32_t code[NUM_CODE];
	uint32_t opdesc[NUM_OPDESC];
	uint32_t ncode;		/* one past the last word written */
	uint32_t nopdesc;
	uint32_t code_pos;
	uint32_t opdesc_pos;
	struct row row[NUM_ROWS];
	uint32_t fifo[4];
	uint32_t nfifo;
};

/** struct table - a table that is written through a port */
struct table {
	uint32_t n;		/* one past the last word written */
	uint32_t w[256];
};

static struct {
	uint32_t reg[NUM_REGS];
	bool written[NUM_REGS];
	struct unit unit[2];	/* vertex, geometry */
	struct row fixed[NUM_FIXED];
	uint32_t fifo[3];
	uint32_t nfifo;
	struct table light[NUM_TABLES];
	struct table fog;
	struct table proctex[16];
} state;

/** struct out - a list being written, or only counted */
struct out {
	uint32_t *w;
	uint32_t n;
};

/* ---- what lists write ---- */

static bool mirrored(void)
{
	return !(state.reg[GPUREG_VSH_COM_MODE] & 1) && !(state.reg[GPUREG_GEOSTAGE_CONFIG] & 3);
}

static void learn_float(unsigned int unit, uint32_t *index, uint32_t word)
{
	struct unit *u = &state.unit[unit];
	uint32_t n = *index & FLOAT_F32 ? 4 : 3, row = *index & 0xff;
	struct row r = { .n = n };

	u->fifo[u->nfifo++] = word;
	if (u->nfifo < n)
		return;
	u->nfifo = 0;
	if (row >= NUM_ROWS)
		return;
	memcpy(r.w, u->fifo, 4 * n);
	u->row[row] = r;
	if (!unit && mirrored())
		state.unit[1].row[row] = r;
	++*index;
}

static void set_word(uint32_t *words, uint32_t *n, uint32_t at, uint32_t word)
{
	words[at] = word;
	if (*n <= at)
		*n = at + 1;
}

static void learn_code(unsigned int unit, uint32_t word)
{
	struct unit *u = &state.unit[unit], *g = &state.unit[1];

	if (u->code_pos >= NUM_CODE)
		return;
	set_word(u->code, &u->ncode, u->code_pos, word);
	if (!unit && mirrored())
		set_word(g->code, &g->ncode, u->code_pos, word);
	u->code_pos++;
}

static void learn_opdesc(unsigned int unit, uint32_t word)
{
	struct unit *u = &state.unit[unit], *g = &state.unit[1];

	if (u->opdesc_pos >= NUM_OPDESC)
		return;
	set_word(u->opdesc, &u->nopdesc, u->opdesc_pos, word);
	if (!unit && mirrored())
		set_word(g->opdesc, &g->nopdesc, u->opdesc_pos, word);
	u->opdesc_pos++;
}

static void learn_unit(unsigned int unit, uint32_t base, uint32_t off)
{
	struct unit *u = &state.unit[unit];
	uint32_t *reg = &state.reg[base], word = reg[off];

	if (off - SH_FLOAT - 1 < PORTS) {
		learn_float(unit, &reg[SH_FLOAT], word);
	} else if (off - SH_CODE - 1 < PORTS) {
		learn_code(unit, word);
	} else if (off - SH_OPDESC - 1 < PORTS) {
		learn_opdesc(unit, word);
	} else if (off == SH_FLOAT) {
		u->nfifo = 0;
	} else if (off == SH_CODE) {
		u->code_pos = word & 0xfff;
	} else if (off == SH_OPDESC) {
		u->opdesc_pos = word & 0xfff;
	} else if ((off <= SH_INT3 || off == SH_OUTMASK) && !unit && mirrored()) {
		state.reg[GSH + off] = word;
		state.written[GSH + off] = true;
	}
}

/* An invocation of the geometry unit leaves b15 true. */
static void learn_draw(void)
{
	if ((state.reg[GPUREG_GEOSTAGE_CONFIG] & 3) != MIRRORS_OFF)
		return;
	state.reg[GPUREG_GSH_BOOLUNIFORM] |= B15;
	state.written[GPUREG_GSH_BOOLUNIFORM] = true;
}

static void learn_fixed(uint32_t word)
{
	uint32_t *index = &state.reg[GPUREG_FIXEDATTRIB_INDEX], i = *index & 0xf;

	state.fifo[state.nfifo++] = word;
	if (state.nfifo < 3)
		return;
	state.nfifo = 0;
	if (i >= NUM_FIXED) {
		learn_draw();
		return;
	}
	state.fixed[i].n = 3;
	memcpy(state.fixed[i].w, state.fifo, 12);
	if (i < NUM_FIXED - 1)
		++*index;
}

/* Words past the end are dropped. Return: the index register after a word. */
static uint32_t learn_table(struct table *t, uint32_t index, uint32_t size, uint32_t word)
{
	uint32_t at = index & 0xff;

	if (at < size)
		set_word(t->w, &t->n, at, word);
	return (index & ~0xffu) | ((at + 1) & 0xff);
}

static void learn_register(uint32_t id, uint32_t value, uint32_t mask)
{
	uint32_t *reg = &state.reg[id], *index;

	*reg = (*reg & ~mask) | (value & mask);
	state.written[id] = true;
	if (id - GPUREG_DRAWARRAYS < 2) {
		if (value & mask)
			learn_draw();
	} else if (id >= VSH) {
		learn_unit(0, VSH, id - VSH);
	} else if (id >= GSH) {
		learn_unit(1, GSH, id - GSH);
	} else if (id == GPUREG_FIXEDATTRIB_INDEX) {
		state.nfifo = 0;
	} else if (id - GPUREG_FIXEDATTRIB_DATA0 < 3) {
		learn_fixed(*reg);
	} else if (id - GPUREG_LIGHTING_LUT_DATA0 < PORTS) {
		index = &state.reg[GPUREG_LIGHTING_LUT_INDEX];
		*index = learn_table(&state.light[*index >> 8 & 31], *index, 256, *reg);
	} else if (id - GPUREG_FOG_LUT_DATA0 < PORTS) {
		index = &state.reg[GPUREG_FOG_LUT_INDEX];
		*index = learn_table(&state.fog, *index & ~0x80u, 128, *reg) & ~0x80u;
	} else if (id - GPUREG_PROCTEX_LUT_DATA0 < PORTS) {
		index = &state.reg[GPUREG_PROCTEX_LUT];
		*index = learn_table(&state.proctex[*index >> 8 & 15], *index,
				     (*index >> 8 & 15) < 4 ? 128 : 256, *reg);
	}
}

/** struct reader - a list being read */
struct reader {
	const uint32_t *w;
	uint32_t n;
	uint32_t at;
	uint32_t steps;
	bool stop;
};

static void follow(struct reader *r, unsigned int channel)
{
	uint32_t size = 8 * (state.reg[GPUREG_CMDBUF_SIZE0 + channel] & 0x1fffff);
	uint32_t paddr = 8 * (state.reg[GPUREG_CMDBUF_ADDR0 + channel] & 0x1fffffff);

	r->w = gx_ptr(paddr, size);
	r->n = r->w ? size / 4 : 0;
	r->at = 0;
}

/* Return: false: the rest of the command is not executed. */
static bool learn_write(struct reader *r, uint32_t id, uint32_t value, uint32_t mask)
{
	if (id >= NUM_REGS || !mask)
		return id < NUM_REGS;
	learn_register(id, value, mask);
	if (id == GPUREG_FINALIZE) {
		r->stop = true;
		return false;
	}
	if (id - GPUREG_CMDBUF_JUMP0 < 2 && value & mask) {
		follow(r, id - GPUREG_CMDBUF_JUMP0);
		return false;
	}
	return true;
}

static uint32_t bytes_of(uint32_t mask)
{
	uint32_t bytes = 0, i;

	for (i = 0; i < 4; i++)
		bytes |= mask & 1u << i ? 0xffu << (8 * i) : 0;
	return bytes;
}

static void learn_command(struct reader *r)
{
	const uint32_t *w = r->w + r->at;
	uint32_t head = w[1], extra = head >> 20 & 0xff, id = head & 0xffff, i;
	uint32_t mask = bytes_of(head >> 16 & 15);

	if (r->n - r->at - 2 < extra) {
		r->stop = true;
		return;
	}
	r->at += (2 + extra + 1) & ~1u;
	r->steps += 2 + extra;
	if (!learn_write(r, id, w[0], mask))
		return;
	for (i = 0; i < extra; i++) {
		id += head >> 31;
		if (!learn_write(r, id, w[2 + i], mask))
			return;
	}
}

void gx_state_learn(uint32_t paddr, uint32_t size)
{
	struct reader r = { .w = gx_ptr(paddr, size), .n = size / 4 };

	while (r.w && !r.stop && r.at + 2 <= r.n && r.steps < MAX_STEPS)
		learn_command(&r);
}

/* ---- a list that writes the same ---- */

static void put(struct out *o, uint32_t word)
{
	if (o->w)
		o->w[o->n] = word;
	o->n++;
}

/* Up to 256 words to one register, or to consecutive ones. */
static void put_command(struct out *o, uint32_t id, const uint32_t *words, uint32_t n,
			bool consecutive)
{
	uint32_t i;

	put(o, words[0]);
	put(o, (consecutive ? 1u << 31 : 0) | (n - 1) << 20 | 0xfu << 16 | id);
	for (i = 1; i < n; i++)
		put(o, words[i]);
	if (o->n & 1)
		put(o, 0);
}

static void put_register(struct out *o, uint32_t id, uint32_t value)
{
	put_command(o, id, &value, 1, false);
}

static void put_words(struct out *o, uint32_t index_reg, uint32_t index, uint32_t port,
		      const uint32_t *words, uint32_t n)
{
	uint32_t i, part;

	if (!n)
		return;
	put_register(o, index_reg, index);
	for (i = 0; i < n; i += part) {
		part = n - i < MAX_BURST ? n - i : MAX_BURST;
		put_command(o, port, words + i, part, false);
	}
}

static void put_rows(struct out *o, uint32_t index_reg, const struct row *rows, uint32_t num)
{
	uint32_t i;

	for (i = 0; i < num; i++)
		put_words(o, index_reg, i | (rows[i].n == 4 ? FLOAT_F32 : 0), index_reg + 1,
			  rows[i].w, rows[i].n);
}

static void put_unit(struct out *o, const struct unit *u, uint32_t base)
{
	put_words(o, base + SH_CODE, 0, base + SH_CODE + 1, u->code, u->ncode);
	put_words(o, base + SH_OPDESC, 0, base + SH_OPDESC + 1, u->opdesc, u->nopdesc);
	put_rows(o, base + SH_FLOAT, u->row, NUM_ROWS);
	if (u->ncode)
		put_register(o, base + SH_CODE, u->code_pos);
	if (u->nopdesc)
		put_register(o, base + SH_OPDESC, u->opdesc_pos);
}

static void put_tables(struct out *o)
{
	uint32_t i;

	for (i = 0; i < NUM_TABLES; i++)
		put_words(o, GPUREG_LIGHTING_LUT_INDEX, i << 8, GPUREG_LIGHTING_LUT_DATA0,
			  state.light[i].w, state.light[i].n);
	put_words(o, GPUREG_FOG_LUT_INDEX, 0, GPUREG_FOG_LUT_DATA0, state.fog.w, state.fog.n);
	for (i = 0; i < 16; i++)
		put_words(o, GPUREG_PROCTEX_LUT, i << 8, GPUREG_PROCTEX_LUT_DATA0,
			  state.proctex[i].w, state.proctex[i].n);
}

/* Is it a plain register? The others are ports, acts, or written last. */
static bool is_plain(uint32_t id)
{
	uint32_t off = id >= VSH ? id - VSH : id - GSH;

	if (id >= GSH)
		return off < SH_CODE && off - SH_FLOAT - 1 >= PORTS;
	return id != GPUREG_FINALIZE && id - GPUREG_FIXEDATTRIB_DATA0 >= 3 &&
	       id - GPUREG_LIGHTING_LUT_DATA0 >= PORTS && id - GPUREG_FOG_LUT_DATA0 >= PORTS &&
	       id - GPUREG_PROCTEX_LUT_DATA0 >= PORTS && id - GPUREG_DRAWARRAYS >= 2 &&
	       id - GPUREG_CMDBUF_JUMP0 >= 2 && id != GPUREG_RESTART_PRIMITIVE &&
	       id != GPUREG_VSH_COM_MODE && id != GPUREG_GEOSTAGE_CONFIG;
}

static void put_registers(struct out *o)
{
	uint32_t id, n;

	for (id = 0; id < NUM_REGS; id += n) {
		n = 1;
		if (!state.written[id] || !is_plain(id))
			continue;
		while (n < MAX_BURST && id + n < NUM_REGS && state.written[id + n] &&
		       is_plain(id + n))
			n++;
		put_command(o, id, &state.reg[id], n, true);
	}
}

uint32_t gx_state_write(uint32_t *out)
{
	struct out o = { .w = out };

	/* the units apart from each other, until each has its own */
	put_register(&o, GPUREG_GEOSTAGE_CONFIG, MIRRORS_OFF);
	put_register(&o, GPUREG_VSH_COM_MODE, 1);
	put_unit(&o, &state.unit[0], VSH);
	put_unit(&o, &state.unit[1], GSH);
	put_tables(&o);
	put_rows(&o, GPUREG_FIXEDATTRIB_INDEX, state.fixed, NUM_FIXED);
	put_registers(&o);
	put_register(&o, GPUREG_GEOSTAGE_CONFIG, state.reg[GPUREG_GEOSTAGE_CONFIG]);
	put_register(&o, GPUREG_VSH_COM_MODE, state.reg[GPUREG_VSH_COM_MODE]);
	return o.n;
}

uint32_t gx_state_words(void)
{
	return gx_state_write(NULL);
}
