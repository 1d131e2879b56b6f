// SPDX-License-Identifier: GPL-2.0
/*
 * PICA200 reference interpreter. Facts: 3dbrew "Shader Instruction Set" and
 * the public console test suites; choices among disputed behaviour are the
 * PICA_REF_* switches.
 */
#include <string.h>

#include "pica_ref.h"

#define CALL_DEPTH	4
#define IF_DEPTH	8
#define LOOP_DEPTH	4

struct call_entry {
	unsigned int end;
	unsigned int back;
};

struct if_entry {
	unsigned int else_at;
	unsigned int end;
};

struct loop_entry {
	unsigned int start;
	unsigned int end;
	unsigned int again;
	unsigned int step;
	int32_t outer_al;
};

/* One running invocation. The stacks are kept as arrays, oldest entry first. */
struct run {
	const struct pica_ref_program *prog;
	struct pica_ref_uniforms *uniforms;
	struct pica_ref_unit *unit;
	struct pica_ref_result *res;
	struct pica_ref_num num;
	unsigned int pc;
	unsigned int next_pc;
	bool is_break;
	bool stop;
	unsigned int ncall, nif, nloop;
	struct call_entry call[CALL_DEPTH];
	struct if_entry ifs[IF_DEPTH];
	struct loop_entry loop[LOOP_DEPTH];
};

static unsigned int bits(uint32_t word, unsigned int low, unsigned int high)
{
	return word >> low & ((1u << (high - low + 1)) - 1);
}

static void end_run(struct run *run, enum pica_ref_status status)
{
	run->res->status = status;
	run->stop = true;
}

static uint32_t descriptor(const struct run *run, unsigned int index)
{
	return index < run->prog->nopdesc ? run->prog->opdesc[index] : 0;
}

/* Operands */

static int32_t address_offset(const struct run *run, unsigned int idx)
{
	switch (idx) {
	case 1:
		return run->unit->a0[0];
	case 2:
		return run->unit->a0[1];
	case 3:
		return run->unit->al;
	default:
		return 0;
	}
}

static void read_uniform(const struct run *run, unsigned int index, unsigned int idx, float out[4])
{
	int32_t offset = address_offset(run, idx);
	bool far = offset < -128 || offset > 127;
	int i;

	if (far)
		offset = 0;
	index = (unsigned int)((int32_t)index + offset) & 0x7f;
	for (i = 0; i < 4; i++) {
		if (far && (run->prog->switches & PICA_REF_OOR_READS_ZERO))
			out[i] = 0.0f;
		else if (index >= PICA_REF_NUM_CF)
			out[i] = 1.0f;
		else
			out[i] = pica_ref_load(run->prog->model, run->uniforms->f[index][i]);
	}
}

static void read_register(const struct run *run, unsigned int reg, unsigned int idx, float out[4])
{
	int i;

	if (reg >= 0x20) {
		read_uniform(run, reg - 0x20, idx, out);
		return;
	}
	for (i = 0; i < 4; i++) {
		if (reg >= 0x10)
			out[i] = run->unit->r[reg - 0x10][i];
		else
			out[i] = pica_ref_load(run->prog->model, run->unit->v[reg][i]);
	}
}

/* Read, swizzle, then negate source 1, 2 or 3 per the operand descriptor. */
static void read_source(struct run *run, unsigned int reg, unsigned int idx, uint32_t desc,
			unsigned int which, float out[4])
{
	unsigned int negate_bit = which == 1 ? 4 : which == 2 ? 13 : 22;
	float raw[4];
	unsigned int i;

	read_register(run, reg, idx, raw);
	for (i = 0; i < 4; i++) {
		/* The topmost two bits of the selector feed x. */
		unsigned int low = negate_bit + 1 + 2 * (3 - i);

		out[i] = raw[bits(desc, low, low + 1)];
		if (bits(desc, negate_bit, negate_bit))
			out[i] = pica_ref_neg(&run->num, out[i]);
	}
}

static bool mask_has(uint32_t desc, unsigned int component)
{
	return desc >> (3 - component) & 1;
}

static void write_result(struct run *run, unsigned int dst, uint32_t desc, const float value[4])
{
	float *reg = dst < 0x10 ? run->unit->o[run->unit->bank][dst] : run->unit->r[dst - 0x10];
	unsigned int i;

	for (i = 0; i < 4; i++) {
		if (mask_has(desc, i))
			reg[i] = value[i];
	}
}

static void splat(float out[4], float value)
{
	out[0] = value;
	out[1] = value;
	out[2] = value;
	out[3] = value;
}

/* Arithmetic */

static float dot(struct run *run, const float a[4], const float b[4], unsigned int terms)
{
	float sum = pica_ref_mul(&run->num, a[0], b[0]);
	unsigned int i;

	for (i = 1; i < terms; i++)
		sum = pica_ref_add(&run->num, sum, pica_ref_mul(&run->num, a[i], b[i]));
	return sum;
}

static void litp(struct run *run, const float a[4], float out[4])
{
	const float bound = 127.99609375f;

	out[0] = pica_ref_max(a[0], 0.0f);
	out[1] = pica_ref_min(pica_ref_max(a[1], -bound), bound);
	out[2] = 0.0f;
	out[3] = pica_ref_max(a[3], 0.0f);
	run->unit->cc[0] = a[0] >= 0.0f;
	run->unit->cc[1] = a[3] >= 0.0f;
}

/* Operations with two sources; inverted forms arrive with their plain opcode. */
static void two_source(struct run *run, unsigned int op, const float a[4], const float b[4],
		       float out[4])
{
	struct pica_ref_num *num = &run->num;
	float with_one[4] = { a[0], a[1], a[2], 1.0f };
	unsigned int i;

	switch (op) {
	case 0x01:
		splat(out, dot(run, a, b, 3));
		return;
	case 0x02:
		splat(out, dot(run, a, b, 4));
		return;
	case 0x03:
		splat(out, dot(run, with_one, b, 4));
		return;
	case 0x04:
		out[0] = 1.0f;
		out[1] = pica_ref_mul(num, a[1], b[1]);
		out[2] = a[2];
		out[3] = b[3];
		return;
	}
	for (i = 0; i < 4; i++) {
		switch (op) {
		case 0x00:
			out[i] = pica_ref_add(num, a[i], b[i]);
			break;
		case 0x08:
			out[i] = pica_ref_mul(num, a[i], b[i]);
			break;
		case 0x09:
			out[i] = a[i] >= b[i] ? 1.0f : 0.0f;
			break;
		case 0x0a:
			out[i] = a[i] < b[i] ? 1.0f : 0.0f;
			break;
		case 0x0c:
			out[i] = pica_ref_max(a[i], b[i]);
			break;
		case 0x0d:
			out[i] = pica_ref_min(a[i], b[i]);
			break;
		}
	}
}

static void one_source(struct run *run, unsigned int op, const float a[4], float out[4])
{
	struct pica_ref_num *num = &run->num;
	unsigned int i;

	switch (op) {
	case 0x05:
		splat(out, pica_ref_ex2(num, a[0]));
		break;
	case 0x06:
		splat(out, pica_ref_lg2(num, a[0]));
		break;
	case 0x07:
		litp(run, a, out);
		break;
	case 0x0b:
		for (i = 0; i < 4; i++)
			out[i] = pica_ref_flr(num, a[i]);
		break;
	case 0x0e:
		splat(out, pica_ref_rcp(num, a[0]));
		break;
	case 0x0f:
		splat(out, pica_ref_rsq(num, a[0]));
		break;
	default:
		memcpy(out, a, 4 * sizeof(*out));
		break;
	}
}

static void do_two_source(struct run *run, uint32_t word, unsigned int op, bool inverted)
{
	uint32_t desc = descriptor(run, bits(word, 0, 6));
	unsigned int idx = bits(word, 19, 20);
	float a[4], b[4], out[4];

	if (inverted) {
		read_source(run, bits(word, 14, 18), 0, desc, 1, a);
		read_source(run, bits(word, 7, 13), idx, desc, 2, b);
	} else {
		read_source(run, bits(word, 12, 18), idx, desc, 1, a);
		read_source(run, bits(word, 7, 11), 0, desc, 2, b);
	}
	two_source(run, op, a, b, out);
	write_result(run, bits(word, 21, 25), desc, out);
}

static void do_one_source(struct run *run, uint32_t word, unsigned int op)
{
	uint32_t desc = descriptor(run, bits(word, 0, 6));
	float a[4], out[4];

	read_source(run, bits(word, 12, 18), bits(word, 19, 20), desc, 1, a);
	one_source(run, op, a, out);
	write_result(run, bits(word, 21, 25), desc, out);
}

static void do_mova(struct run *run, uint32_t word)
{
	uint32_t desc = descriptor(run, bits(word, 0, 6));
	float a[4];
	unsigned int i;

	read_source(run, bits(word, 12, 18), bits(word, 19, 20), desc, 1, a);
	for (i = 0; i < 2; i++) {
		if (mask_has(desc, i))
			run->unit->a0[i] = pica_ref_to_int(a[i]);
	}
}

static void do_mad(struct run *run, uint32_t word, bool inverted)
{
	uint32_t desc = descriptor(run, bits(word, 0, 4));
	unsigned int idx = bits(word, 22, 23);
	float a[4], b[4], c[4], out[4];
	unsigned int i;

	read_source(run, bits(word, 17, 21), 0, desc, 1, a);
	if (inverted) {
		read_source(run, bits(word, 12, 16), 0, desc, 2, b);
		read_source(run, bits(word, 5, 11), idx, desc, 3, c);
	} else {
		read_source(run, bits(word, 10, 16), idx, desc, 2, b);
		read_source(run, bits(word, 5, 9), 0, desc, 3, c);
	}
	for (i = 0; i < 4; i++)
		out[i] = pica_ref_add(&run->num, pica_ref_mul(&run->num, a[i], b[i]), c[i]);
	write_result(run, bits(word, 24, 28), desc, out);
}

static bool compare(unsigned int how, float a, float b)
{
	switch (how) {
	case 0:
		return a == b;
	case 1:
		return a != b;
	case 2:
		return a < b;
	case 3:
		return a <= b;
	case 4:
		return a > b;
	default:
		return a >= b;
	}
}

static void do_cmp(struct run *run, uint32_t word)
{
	uint32_t desc = descriptor(run, bits(word, 0, 6));
	unsigned int how_x = bits(word, 24, 26);
	unsigned int how_y = bits(word, 21, 23);
	float a[4], b[4];

	if (how_x > 5 || how_y > 5) {
		end_run(run, PICA_REF_UNDEFINED);
		return;
	}
	read_source(run, bits(word, 12, 18), bits(word, 19, 20), desc, 1, a);
	read_source(run, bits(word, 7, 11), 0, desc, 2, b);
	run->unit->cc[0] = compare(how_x, a[0], b[0]);
	run->unit->cc[1] = compare(how_y, a[1], b[1]);
}

/* Control flow */

static bool condition(const struct run *run, uint32_t word)
{
	bool x = run->unit->cc[0] == bits(word, 25, 25);
	bool y = run->unit->cc[1] == bits(word, 24, 24);

	switch (bits(word, 22, 23)) {
	case 0:
		return x || y;
	case 1:
		return x && y;
	case 2:
		return x;
	default:
		return y;
	}
}

static bool boolean(const struct run *run, uint32_t word)
{
	return run->uniforms->b >> bits(word, 22, 25) & 1;
}

static void push_call(struct run *run, uint32_t word)
{
	unsigned int dst = bits(word, 10, 21);

	if (run->ncall == CALL_DEPTH)
		memmove(run->call, run->call + 1, --run->ncall * sizeof(run->call[0]));
	run->call[run->ncall].end = dst + bits(word, 0, 7);
	run->call[run->ncall].back = run->pc + 1;
	run->ncall++;
	run->next_pc = dst;
}

static void do_if(struct run *run, uint32_t word, bool taken)
{
	unsigned int dst = bits(word, 10, 21);

	if (!taken) {
		run->next_pc = dst;
		return;
	}
	if (run->nif == IF_DEPTH)
		memmove(run->ifs, run->ifs + 1, --run->nif * sizeof(run->ifs[0]));
	run->ifs[run->nif].else_at = dst;
	run->ifs[run->nif].end = dst + bits(word, 0, 7);
	run->nif++;
}

static void push_loop(struct run *run, uint32_t word)
{
	const uint8_t *param = run->uniforms->i[bits(word, 22, 23)];

	if (run->nloop == LOOP_DEPTH)
		memmove(run->loop, run->loop + 1, --run->nloop * sizeof(run->loop[0]));
	run->loop[run->nloop].start = run->pc + 1;
	run->loop[run->nloop].end = bits(word, 10, 21) + 1;
	run->loop[run->nloop].again = param[0];
	run->loop[run->nloop].step = param[2];
	run->loop[run->nloop].outer_al = run->unit->al;
	run->nloop++;
	run->unit->al = param[1];
}

static void do_break(struct run *run)
{
	if (!run->nloop) {
		end_run(run, PICA_REF_HANG);
		return;
	}
	run->is_break = true;
}

/* After each instruction, jumps included: the address after it closes scopes. */
static void close_scopes(struct run *run)
{
	unsigned int after = run->pc + 1;
	unsigned int at = after;
	unsigned int popped;

	for (popped = 0; popped < 4 && run->ncall; popped++) {
		const struct call_entry *top = &run->call[run->ncall - 1];

		if (top->end != at)
			break;
		/* The fourth pop of one instruction leaves the program counter alone. */
		if (popped < 3) {
			at = top->back;
			run->next_pc = at;
		}
		run->ncall--;
	}

	if (run->nif && run->ifs[run->nif - 1].else_at == after) {
		run->next_pc = run->ifs[run->nif - 1].end;
		run->nif--;
	}

	if (run->nloop && (run->is_break || run->loop[run->nloop - 1].end == after)) {
		struct loop_entry *top = &run->loop[run->nloop - 1];

		if (!run->is_break || (run->prog->switches & PICA_REF_BREAK_STEPS_AL))
			run->unit->al = (run->unit->al + (int32_t)top->step) & 0xff;
		if (!run->is_break && top->again) {
			top->again--;
			run->next_pc = top->start;
			return;
		}
		run->next_pc = top->end;
		run->nloop--;
		if (run->nloop && (run->prog->switches & PICA_REF_NESTED_AL_RESTORE))
			run->unit->al = top->outer_al;
	}
}

static void do_jump(struct run *run, uint32_t word, bool taken)
{
	if (taken)
		run->next_pc = bits(word, 10, 21);
}

/* Geometry unit */

static struct pica_ref_event *new_event(struct run *run, enum pica_ref_event_kind kind)
{
	struct pica_ref_event *event = NULL;

	if (run->res->events && run->res->nevents < run->res->max_events) {
		event = &run->res->events[run->res->nevents];
		memset(event, 0, sizeof(*event));
		event->kind = kind;
	}
	run->res->nevents++;
	return event;
}

static unsigned int count_bits(uint16_t mask)
{
	unsigned int n = 0;

	for (; mask; mask >>= 1)
		n += mask & 1;
	return n;
}

static void do_emit(struct run *run)
{
	struct pica_ref_unit *unit = run->unit;
	struct pica_ref_event *event;
	unsigned int i;

	pica_ref_pack_outputs(unit, run->prog->output_mask, unit->slot[unit->emit_slot]);
	unit->bank ^= 1;
	if (!unit->emit_primitive)
		return;
	if (unit->emit_invert)
		new_event(run, PICA_REF_EVENT_INVERT);
	for (i = 0; i < 3; i++) {
		event = new_event(run, PICA_REF_EVENT_VERTEX);
		if (!event)
			continue;
		memcpy(event->attr, unit->slot[i], sizeof(event->attr));
		event->nattr = count_bits(run->prog->output_mask);
	}
}

static void do_setemit(struct run *run, uint32_t word)
{
	unsigned int slot = bits(word, 24, 25);

	if (slot > 2) {
		end_run(run, PICA_REF_UNDEFINED);
		return;
	}
	run->unit->emit_slot = slot;
	run->unit->emit_primitive = bits(word, 23, 23);
	run->unit->emit_invert = bits(word, 22, 22);
}

static void do_geometry(struct run *run, uint32_t word, unsigned int op)
{
	if (run->prog->stage != PICA_REF_GEOMETRY)
		end_run(run, PICA_REF_BAD_STAGE);
	else if (op == 0x2a)
		do_emit(run);
	else
		do_setemit(run, word);
}

/* Dispatch */

static void do_flow(struct run *run, uint32_t word, unsigned int op)
{
	switch (op) {
	case 0x20:
		do_break(run);
		break;
	case 0x21:
		break;
	case 0x22:
		end_run(run, PICA_REF_DONE);
		break;
	case 0x23:
		if (condition(run, word))
			do_break(run);
		break;
	case 0x24:
		push_call(run, word);
		break;
	case 0x25:
		if (condition(run, word))
			push_call(run, word);
		break;
	case 0x26:
		if (boolean(run, word))
			push_call(run, word);
		break;
	case 0x27:
		do_if(run, word, boolean(run, word));
		break;
	case 0x28:
		do_if(run, word, condition(run, word));
		break;
	case 0x29:
		push_loop(run, word);
		break;
	case 0x2a:
	case 0x2b:
		do_geometry(run, word, op);
		break;
	case 0x2c:
		do_jump(run, word, condition(run, word));
		break;
	case 0x2d:
		do_jump(run, word, boolean(run, word) != bits(word, 0, 0));
		break;
	}
}

static void execute(struct run *run, uint32_t word)
{
	unsigned int op = bits(word, 26, 31);

	switch (op) {
	case 0x00: case 0x01: case 0x02: case 0x03: case 0x04:
	case 0x08: case 0x09: case 0x0a: case 0x0c: case 0x0d:
		do_two_source(run, word, op, false);
		break;
	case 0x05: case 0x06: case 0x07: case 0x0b:
	case 0x0e: case 0x0f: case 0x13:
		do_one_source(run, word, op);
		break;
	case 0x12:
		do_mova(run, word);
		break;
	case 0x18:
		do_two_source(run, word, 0x03, true);
		break;
	case 0x19:
		do_two_source(run, word, 0x04, true);
		break;
	case 0x1a:
		do_two_source(run, word, 0x09, true);
		break;
	case 0x1b:
		do_two_source(run, word, 0x0a, true);
		break;
	case 0x2e: case 0x2f:
		do_cmp(run, word);
		break;
	default:
		if (op >= 0x38)
			do_mad(run, word, false);
		else if (op >= 0x30)
			do_mad(run, word, true);
		else if (op >= 0x20)
			do_flow(run, word, op);
		else
			end_run(run, PICA_REF_UNDEFINED);
		break;
	}
}

void pica_ref_run(const struct pica_ref_program *prog, struct pica_ref_uniforms *uniforms,
		  struct pica_ref_unit *unit, struct pica_ref_result *res)
{
	struct run run = { .prog = prog, .uniforms = uniforms, .unit = unit, .res = res };

	run.num.model = prog->model;
	run.num.libm = prog->switches & PICA_REF_LIBM_FLOAT;
	run.pc = prog->entry;
	res->steps = 0;
	res->nevents = 0;

	while (!run.stop) {
		if (run.pc >= prog->ncode) {
			end_run(&run, PICA_REF_RAN_OFF);
			break;
		}
		if (res->steps == prog->step_limit) {
			end_run(&run, PICA_REF_STEP_LIMIT);
			break;
		}
		if (res->path && res->steps < res->max_path)
			res->path[res->steps] = (uint16_t)run.pc;
		res->steps++;
		if (res->visits)
			res->visits[run.pc]++;
		run.next_pc = run.pc + 1;
		run.is_break = false;
		execute(&run, prog->code[run.pc]);
		if (run.stop)
			break;
		close_scopes(&run);
		run.pc = run.next_pc;
	}
	res->pc = run.pc;
	res->flushes = run.num.flushes;
	if (prog->stage == PICA_REF_GEOMETRY)
		uniforms->b |= 0x8000;
}

void pica_ref_reset(struct pica_ref_unit *unit)
{
	memset(unit, 0, sizeof(*unit));
}

unsigned int pica_ref_pack_outputs(const struct pica_ref_unit *unit, uint16_t mask,
				   float packed[16][4])
{
	unsigned int i, n = 0;

	for (i = 0; i < 16; i++) {
		if (mask >> i & 1)
			memcpy(packed[n++], unit->o[unit->bank][i], sizeof(packed[0]));
	}
	return n;
}

const char *pica_ref_status_name(enum pica_ref_status status)
{
	switch (status) {
	case PICA_REF_DONE:
		return "done";
	case PICA_REF_STEP_LIMIT:
		return "step limit";
	case PICA_REF_UNDEFINED:
		return "undefined encoding";
	case PICA_REF_HANG:
		return "BREAK outside a loop";
	case PICA_REF_BAD_STAGE:
		return "geometry instruction in a vertex unit";
	case PICA_REF_RAN_OFF:
		return "ran off the code";
	case PICA_REF_NUM_STATUS:
		break;
	}
	return "?";
}
