// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "qpu_ref.h"
#include "qpu_ref_num.h"

/* Signals that change the form of the word. */
#define SIG_SMALL_IMM	13
#define SIG_LOAD_IMM	14
#define SIG_BRANCH	15

#define BITS(w, hi, lo)	((unsigned int)((w) >> (lo) & ((1ull << ((hi) - (lo) + 1)) - 1)))

enum step {
	STEP_DONE,	/* instruction executed */
	STEP_STALL,	/* not now */
	STEP_FAULT,
};

/* Pending register write, with the flags that pack modes need. */
struct result {
	struct qpu_ref_val v[16];
	bool valid;
};

static enum step stall(struct qpu_ref_qpu *q, enum qpu_ref_wait why, unsigned int info)
{
	q->wait = why;
	q->wait_info = info;
	return STEP_STALL;
}

static enum step undefined(struct qpu_ref *r, uint64_t word)
{
	qpu_ref_fail(r, QPU_REF_ENCODING, (uint32_t)word);
	return STEP_FAULT;
}

static unsigned int number(const struct qpu_ref *r, const struct qpu_ref_qpu *q)
{
	return (unsigned int)(q - r->qpu);
}

static bool holds(const struct qpu_ref_qpu *q, unsigned int cond, unsigned int e)
{
	if (cond < 2)
		return cond;
	return q->flag[cond / 2 - 1][e] == !(cond & 1);
}

static void fill(uint32_t v[16], uint32_t word)
{
	unsigned int e;

	for (e = 0; e < 16; e++)
		v[e] = word;
}

/* Reading address 32 and up; @b: port B. Takes from FIFOs. */
static bool read_peripheral(struct qpu_ref *r, struct qpu_ref_qpu *q, unsigned int addr, bool b,
			    uint32_t v[16])
{
	uint32_t word = 0;
	unsigned int e;

	switch (addr) {
	case 32:
		if (!qpu_ref_uniform(r, q, &word))
			return false;
		break;
	case 38:
		for (e = 0; e < 16; e++)
			v[e] = b ? number(r, q) : e;
		return true;
	case 39:
		for (e = 0; e < 16; e++)
			v[e] = q->last[b][e % 4];
		return true;
	case 48:
		return qpu_ref_vpm_read(r, q, v);
	case 49:	/* busy: never */
	case 50:	/* wait: over */
		break;
	case 51:
		r->mutex = (int)number(r, q);
		break;
	case 35:
	case 41:
	case 42:
		return qpu_ref_fail(r, QPU_REF_HANG, 0);
	default:
		return qpu_ref_fail(r, QPU_REF_ENCODING, addr);
	}
	fill(v, word);
	return true;
}

/* Is multiplexer input @mux an operand? Unary operations have one. */
static bool uses(uint64_t w, unsigned int mux)
{
	unsigned int op = BITS(w, 28, 24);
	bool unary = op == 7 || op == 8 || op == 23 || op == 24;

	return (op && BITS(w, 11, 9) == mux) || (op && !unary && BITS(w, 8, 6) == mux) ||
	       (BITS(w, 31, 29) && (BITS(w, 5, 3) == mux || BITS(w, 2, 0) == mux));
}

/* Addresses without a readable register, which matter only if an operand uses them. */
static bool nothing_there(unsigned int addr)
{
	return addr > 32 && addr != 35 && addr != 38 && addr != 39 && addr != 41 && addr != 42 &&
	       !(addr >= 48 && addr <= 51);
}

/* Both read ports, whether anybody uses them or not. */
static bool read_ports(struct qpu_ref *r, struct qpu_ref_qpu *q, uint64_t w, uint32_t v[2][16])
{
	unsigned int addr[2] = { BITS(w, 23, 18), BITS(w, 17, 12) }, port;

	for (port = 0; port < 2; port++) {
		if (port && BITS(w, 63, 60) == SIG_SMALL_IMM)
			fill(v[1], qpu_ref_small_imm(addr[1]));
		else if (addr[port] < 32)
			memcpy(v[port], port ? q->rb[addr[1]] : q->ra[addr[0]], 64);
		else if (port && addr[1] == addr[0] && addr[0] != 38 && addr[0] != 39)
			memcpy(v[1], v[0], 64);
		else if (nothing_there(addr[port]) && !uses(w, 6 + port))
			continue;
		else if (!read_peripheral(r, q, addr[port], port, v[port]))
			return false;
		memcpy(q->last[port], &v[port][12], 16);
	}
	return true;
}

/* Operand that a multiplexer selects, unpacked if it is its turn. */
static uint32_t operand(const struct qpu_ref_qpu *q, uint64_t w, unsigned int mux,
			uint32_t port[2][16], unsigned int e, bool as_float)
{
	unsigned int mode = BITS(w, 59, 57);
	bool pm = w >> 56 & 1;

	if (mux == 6)
		return pm ? port[0][e] : qpu_ref_unpack(mode, port[0][e], as_float);
	if (mux == 7)
		return port[1][e];
	if (mux == 4 && pm)
		return qpu_ref_unpack(mode, q->acc[4][e], true);
	return q->acc[mux][e];
}

static void run_adder(struct qpu_ref_qpu *q, uint64_t w, uint32_t port[2][16], struct result *res)
{
	unsigned int op = BITS(w, 28, 24), e;
	bool f = qpu_ref_add_reads_float(op);

	res->valid = op;
	for (e = 0; e < 16 && op; e++) {
		qpu_ref_add_op(op, operand(q, w, BITS(w, 11, 9), port, e, f),
			       operand(q, w, BITS(w, 8, 6), port, e, f), &res->v[e]);
	}
}

/* Rotation amount of a multiplier result; *@within: only inside groups of four. */
static unsigned int rotation(const struct qpu_ref_qpu *q, uint64_t w, bool *within)
{
	unsigned int code = BITS(w, 17, 12);

	if (BITS(w, 63, 60) != SIG_SMALL_IMM || code < 48)
		return 0;
	*within = BITS(w, 5, 3) > 3 || BITS(w, 2, 0) > 3;
	return code == 48 ? q->acc[5][0] & 15 : code - 48;
}

static void run_multiplier(struct qpu_ref_qpu *q, uint64_t w, uint32_t port[2][16],
			   struct result *res)
{
	unsigned int op = BITS(w, 31, 29), e, to, by;
	bool f = qpu_ref_mul_reads_float(op), within = false;

	res->valid = op;
	by = rotation(q, w, &within);
	for (e = 0; e < 16 && op; e++) {
		to = within ? (e & 12) | ((e + by) & 3) : (e + by) & 15;
		qpu_ref_mul_op(op, operand(q, w, BITS(w, 5, 3), port, e, f),
			       operand(q, w, BITS(w, 2, 0), port, e, f), &res->v[to]);
	}
}

static void sfu_arrives(struct qpu_ref_qpu *q)
{
	unsigned int e;

	for (e = 0; e < 16 && q->sfu_slots; e++) {
		if (q->sfu_on[e])
			q->acc[4][e] = q->sfu[e];
	}
	q->sfu_slots = 0;
}

static bool write_peripheral(struct qpu_ref *r, struct qpu_ref_qpu *q, unsigned int addr,
			     bool file_b, const uint32_t v[16], const bool on[16])
{
	unsigned int e;

	switch (addr) {
	case 36:
	case 39:
		return true;
	case 38:
		for (e = 0; e < 16 && !(on[e] && v[e]); e++)
			;
		r->host_ints += e < 16;
		return true;
	case 40:
		if (on[0])
			q->unif = v[0] & ~3u;
		return true;
	case 48:
		qpu_ref_vpm_write(r, q, v, on);
		return true;
	case 49:
		return !on[0] || qpu_ref_setup(r, q, file_b, v[0]);
	case 50:
		return !on[0] || qpu_ref_dma(r, q, file_b, v[0]);
	case 51:
		for (e = 0; e < 16 && !on[e]; e++)
			;
		if (e < 16)
			r->mutex = -1;
		return true;
	case 52 ... 55:
		sfu_arrives(q);
		for (e = 0; e < 16; e++)
			q->sfu[e] = qpu_ref_sfu(addr - 52, v[e]);
		memcpy(q->sfu_on, on, sizeof(q->sfu_on));
		/* r4 is valid from the third instruction after this one. */
		q->sfu_slots = 3;
		return true;
	case 56:
	case 60:
		return qpu_ref_tmu_request(r, q, addr == 60, v, on);
	case 41 ... 47:
		return qpu_ref_fail(r, QPU_REF_HANG, 0);
	default:
		return qpu_ref_fail(r, QPU_REF_UNSUPPORTED, addr);
	}
}

/* The words of a register that keeps its value, or NULL. */
static uint32_t *storage(struct qpu_ref_qpu *q, unsigned int addr, bool file_b)
{
	if (addr < 32)
		return file_b ? q->rb[addr] : q->ra[addr];
	return addr < 36 ? q->acc[addr - 32] : NULL;
}

/* r5: file A spreads each group's first element over it, file B element 0 over all. */
static void write_r5(struct qpu_ref_qpu *q, bool file_b, const uint32_t v[16], const bool on[16])
{
	unsigned int e;

	for (e = 0; e < 16; e++) {
		if (on[e])
			q->acc[5][e] = v[file_b ? 0 : e & 12];
	}
}

/* One ALU's result; @mul: the multiplier's. */
static bool write_result(struct qpu_ref *r, struct qpu_ref_qpu *q, uint64_t w, bool mul,
			 const struct result *res, const bool on[16])
{
	unsigned int addr = mul ? BITS(w, 37, 32) : BITS(w, 43, 38), mode = BITS(w, 55, 52), e;
	bool pm = w >> 56 & 1, file_b = mul != (w >> 44 & 1);
	uint32_t *to = storage(q, addr, file_b), out[16], old;
	unsigned int cond = mul ? BITS(w, 48, 46) : BITS(w, 51, 49);

	for (e = 0; e < 16; e++) {
		old = to ? to[e] : 0;
		out[e] = res->v[e].v;
		if (pm && mul && !qpu_ref_pack_mul(mode, out[e], old, &out[e]))
			return qpu_ref_fail(r, QPU_REF_ENCODING, mode);
		if (!pm && !file_b && addr < 32)
			out[e] = qpu_ref_pack_a(mode, &res->v[e], old);
		if (to && on[e])
			to[e] = out[e];
	}
	if (addr == 37)
		write_r5(q, file_b, out, on);
	else if (!to && cond)
		return write_peripheral(r, q, addr, file_b, out, on);
	return true;
}

/*
 * NOPs do not write registers (py-videocore's NOPs name r0), but they do write a vector,
 * with undefined contents, to the pipeline memory (vc4asm's smitest relies on it).
 */
static bool goes_out(uint64_t w, bool mul, const struct result *res)
{
	return res->valid || (mul ? BITS(w, 37, 32) : BITS(w, 43, 38)) == 48;
}

/* Results go out, then the flags change. */
static enum step retire(struct qpu_ref *r, struct qpu_ref_qpu *q, uint64_t w,
			const struct result *add, const struct result *mul)
{
	const struct result *src = add->valid ? add : mul;
	const bool *cond;
	bool on[2][16];
	unsigned int e;

	for (e = 0; e < 16; e++) {
		on[0][e] = holds(q, BITS(w, 51, 49), e);
		on[1][e] = holds(q, BITS(w, 48, 46), e);
	}
	if (goes_out(w, false, add) && !write_result(r, q, w, false, add, on[0]))
		return STEP_FAULT;
	if (goes_out(w, true, mul) && !write_result(r, q, w, true, mul, on[1]))
		return STEP_FAULT;
	/* An adder that is not in use leaves the flags to the multiplier. */
	cond = add->valid && (add != mul || BITS(w, 51, 49) || !BITS(w, 48, 46)) ? on[0] : on[1];
	for (e = 0; e < 16 && w >> 45 & 1 && src->valid; e++) {
		if (!cond[e])
			continue;
		q->flag[0][e] = src->v[e].z;
		q->flag[1][e] = src->v[e].n;
		q->flag[2][e] = src->v[e].c;
	}
	return STEP_DONE;
}

static enum step signal(struct qpu_ref *r, struct qpu_ref_qpu *q, unsigned int sig)
{
	switch (sig) {
	case 0:
		qpu_ref_fail(r, QPU_REF_UNSUPPORTED, sig);
		return STEP_FAULT;
	case 3:
		q->ending = 2;
		break;
	case 7:
	case 8:
	case 9:
	case 12:
		qpu_ref_fail(r, QPU_REF_HANG, 0);
		return STEP_FAULT;
	case 10:
	case 11:
		if (!qpu_ref_tmu_result(r, q, sig - 10, q->acc[4]))
			return STEP_FAULT;
		break;
	default:
		break;
	}
	return STEP_DONE;
}

static enum step step_alu(struct qpu_ref *r, struct qpu_ref_qpu *q, uint64_t w)
{
	unsigned int sig = BITS(w, 63, 60);
	struct result add = { 0 }, mul = { 0 };
	uint32_t port[2][16];
	bool lock = BITS(w, 23, 18) == 51 ||
		    (BITS(w, 17, 12) == 51 && sig != SIG_SMALL_IMM);

	if (lock && r->mutex >= 0)
		return stall(q, QPU_REF_MUTEX, (unsigned int)r->mutex);
	if (!read_ports(r, q, w, port))
		return STEP_FAULT;
	run_adder(q, w, port, &add);
	run_multiplier(q, w, port, &mul);
	r->add_ops[BITS(w, 28, 24)]++;
	r->mul_ops[BITS(w, 31, 29)]++;
	if (signal(r, q, sig) == STEP_FAULT)
		return STEP_FAULT;
	return retire(r, q, w, &add, &mul);
}

static uint32_t elements_value(unsigned int form, uint32_t imm, unsigned int e)
{
	uint32_t v;

	if (form != 1 && form != 3)
		return imm;
	v = (imm >> (16 + e) & 1) * 2 + (imm >> e & 1);
	return form == 1 && v > 1 ? v - 4 : v;
}

static enum step step_load_imm(struct qpu_ref *r, struct qpu_ref_qpu *q, uint64_t w)
{
	unsigned int form = BITS(w, 59, 57), n = BITS(w, 3, 0), e;
	struct result res = { .valid = true };

	if (form != 0 && form != 1 && form != 3 && form != 4)
		return undefined(r, w);
	if (form == 4 && w >> 4 & 1) {
		if (!r->sema[n])
			return stall(q, QPU_REF_SEMA_DEC, n);
		r->sema[n]--;
	} else if (form == 4) {
		if (r->sema[n] == 15)
			return stall(q, QPU_REF_SEMA_INC, n);
		r->sema[n]++;
	}
	for (e = 0; e < 16; e++) {
		res.v[e].v = elements_value(form, (uint32_t)w, e);
		res.v[e].z = !res.v[e].v;
		res.v[e].n = res.v[e].v >> 31;
	}
	return retire(r, q, w, &res, &res);
}

static bool branch_taken(const struct qpu_ref_qpu *q, unsigned int cond)
{
	unsigned int e, n = 0;

	if (cond == 15)
		return true;
	for (e = 0; e < 16; e++)
		n += q->flag[cond / 4][e] == !(cond & 1);
	return cond & 2 ? n : n == 16;
}

static enum step step_branch(struct qpu_ref *r, struct qpu_ref_qpu *q, uint64_t w)
{
	unsigned int cond = BITS(w, 55, 52), e;
	struct result link = { .valid = true };
	uint32_t target = (uint32_t)w;
	bool on[16];

	if ((cond > 11 && cond != 15) || w >> 56 & 15)
		return undefined(r, w);
	if (!branch_taken(q, cond))
		return STEP_DONE;
	if (w >> 51 & 1)
		target += q->pc + 32;
	if (w >> 50 & 1)
		target += q->ra[BITS(w, 49, 45)][15];
	if (q->njumps == 4) {
		qpu_ref_fail(r, QPU_REF_UNSUPPORTED, target);
		return STEP_FAULT;
	}
	q->jumps[q->njumps].target = target;
	q->jumps[q->njumps++].slots = 4;
	for (e = 0; e < 16; e++) {
		link.v[e].v = q->pc + 32;
		on[e] = true;
	}
	/* No pack mode and no conditions: these bits have another meaning here. */
	w = (w & ~(0x3ffull << 46)) | 1ull << 49 | 1ull << 46;
	if (!write_result(r, q, w, false, &link, on) || !write_result(r, q, w, true, &link, on))
		return STEP_FAULT;
	/* The bit that sets flags elsewhere is the lowest of the register's number here. */
	for (e = 0; e < 16 && w >> 45 & 1; e++) {
		q->flag[0][e] = !link.v[e].v;
		q->flag[1][e] = link.v[e].v >> 31;
		q->flag[2][e] = false;
	}
	return STEP_DONE;
}

static bool fetch(struct qpu_ref *r, struct qpu_ref_qpu *q, uint64_t *w)
{
	const void *p;

	if (q->pc % 8)
		return qpu_ref_fail(r, QPU_REF_FETCH, q->pc);
	if (r->code)
		p = q->pc / 8 < r->ncode ? &r->code[q->pc / 8 * 2] : NULL;
	else
		p = qpu_ref_ptr(r, q->pc, 8);
	if (!p)
		return qpu_ref_fail(r, QPU_REF_FETCH, q->pc);
	memcpy(w, p, 8);
	return true;
}

/* Advance the PC. */
static void advance(struct qpu_ref_qpu *q)
{
	unsigned int i;

	q->pc += 8;
	for (i = 0; i < q->njumps; i++)
		q->jumps[i].slots--;
	if (q->njumps && !q->jumps[0].slots) {
		q->pc = q->jumps[0].target;
		q->njumps--;
		memmove(q->jumps, q->jumps + 1, sizeof(q->jumps[0]) * q->njumps);
	}
}

static enum step step(struct qpu_ref *r, struct qpu_ref_qpu *q)
{
	bool ending = q->ending;
	uint64_t w = 0;
	enum step what;

	if (!fetch(r, q, &w))
		return STEP_FAULT;
	switch (BITS(w, 63, 60)) {
	case SIG_LOAD_IMM:
		what = step_load_imm(r, q, w);
		break;
	case SIG_BRANCH:
		what = step_branch(r, q, w);
		break;
	default:
		what = step_alu(r, q, w);
	}
	if (what != STEP_DONE)
		return what;
	r->sigs[BITS(w, 63, 60)]++;
	r->insns++;
	q->insns++;
	q->wait = QPU_REF_RUNS;
	advance(q);
	if (q->sfu_slots == 1)
		sfu_arrives(q);
	else if (q->sfu_slots)
		q->sfu_slots--;
	if (ending && !--q->ending)
		q->wait = QPU_REF_IDLE;
	return STEP_DONE;
}

static void start(struct qpu_ref *r, struct qpu_ref_qpu *q)
{
	memset(q, 0, sizeof(*q));
	q->thread = r->next_thread;
	q->unif = r->threads[r->next_thread].uniforms & ~3u;
	q->pc = r->threads[r->next_thread++].pc;
	q->wait = QPU_REF_RUNS;
}

/* Execute one instruction per QPU. Return: number of active QPUs, or -1. */
static int round_of_all(struct qpu_ref *r)
{
	struct qpu_ref_qpu *q;
	unsigned int i;
	int moved = 0;

	for (i = 0; i < QPU_REF_QPUS; i++) {
		q = &r->qpu[i];
		if (q->wait == QPU_REF_IDLE && r->next_thread < r->nthreads)
			start(r, q);
		if (q->wait == QPU_REF_IDLE)
			continue;
		if (r->insns >= r->budget) {
			r->fault_qpu = i;
			r->fault_pc = q->pc;
			qpu_ref_fail(r, QPU_REF_BUDGET, 0);
			return -1;
		}
		switch (step(r, q)) {
		case STEP_DONE:
			moved++;
			break;
		case STEP_FAULT:
			r->fault_qpu = i;
			r->fault_pc = q->pc;
			return -1;
		default:
			break;
		}
	}
	return moved;
}

static bool anybody_left(const struct qpu_ref *r)
{
	unsigned int i;

	for (i = 0; i < QPU_REF_QPUS; i++) {
		if (r->qpu[i].wait != QPU_REF_IDLE)
			return true;
	}
	return r->next_thread < r->nthreads;
}

enum qpu_ref_status qpu_ref_run(struct qpu_ref *r)
{
	unsigned int i;
	int moved;

	r->status = QPU_REF_DONE;
	r->fault_qpu = 0;
	r->fault_pc = 0;
	r->fault_addr = 0;
	r->insns = 0;
	r->stray_reads = 0;
	r->host_ints = 0;
	r->next_thread = 0;
	r->mutex = -1;
	memset(r->sema, 0, sizeof(r->sema));
	memset(r->vpm, 0, sizeof(r->vpm));
	memset(r->qpu, 0, sizeof(r->qpu));
	for (i = 0; i < QPU_REF_QPUS; i++)
		r->qpu[i].wait = QPU_REF_IDLE;
	while (anybody_left(r)) {
		moved = round_of_all(r);
		if (moved < 0)
			break;
		if (!moved) {
			qpu_ref_fail(r, QPU_REF_DEADLOCK, 0);
			break;
		}
	}
	return r->status;
}

const char *qpu_ref_status_name(enum qpu_ref_status status)
{
	static const char *const names[] = {
		"done", "read fault", "write fault", "fetch fault", "undefined encoding", "hang",
		"deadlock", "budget", "not modelled",
	};

	return names[status];
}
