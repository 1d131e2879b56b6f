// SPDX-License-Identifier: MIT
/*
 * The two threads that execute control lists: thread 0 bins, thread 1 renders. A list is executed
 * as one native job when its end is written. It begins when all that it waits for has happened:
 * each wait takes one of the thread's counting semaphore, which the other thread increments. Until
 * then, and while it has no memory for the lists of tiles, the thread runs.
 *
 * Numbers of registers and their bits: VideoCore IV 3D Architecture Reference Guide.
 */
#include <string.h>

#include "native/vc4/vc4_cl.h"
#include "core.h"
#include "lists.h"
#include "vshader.h"

/* Bytes in the V3D block. */
#define INTCTL		0x030
#define INTENA		0x034
#define INTDIS		0x038
#define CT0CS		0x100
#define CT0EA		0x108
#define CT0CA		0x110
#define CT0LAST		0x12c
#define PCS		0x130
#define BFC		0x134
#define RFC		0x138
#define BPOA		0x308
#define BPOS		0x30c

/* CTnCS */
#define CTERR		0x0008u
#define CTSUBS		0x0010u
#define CTRUN		0x0020u
#define CTSEMA(n)	(((n) & 7) << 12)
#define CTRSTA		0x8000u

/* PCS: thread 0, thread 1, memory is needed */
#define ACTIVE(n)	(3u << (2 * (n)))
#define BMOOM		0x100u

/* INTCTL */
#define FRDONE		0x1u
#define FLDONE		0x2u
#define OUTOMEM		0x4u
#define SPILLUSE	0x8u
#define INTERRUPTS	0xfu

#define MAX_PACKETS	0x100000u

enum { BIN, RENDER, NUM_THREADS };

/**
 * struct thread - a control thread
 * @at: next packet
 * @end: end of the list
 * @semaphore: increments of the other thread that it has not waited for
 * @run: it has a list to execute
 * @error: its list is not valid, or its program has failed
 */
struct thread {
	uint32_t at;
	uint32_t end;
	uint32_t semaphore;
	bool run;
	bool error;
};

static struct {
	struct thread thread[NUM_THREADS];
	uint32_t flushes;
	uint32_t frames;
	uint32_t interrupts;
	uint32_t enabled;
	uint32_t spill[2];	/* BPOA, BPOS */
	uint32_t ranges[2 * VC4_MAX_RANGES];	/* memory that the bin list has been given */
	uint32_t num_ranges;
	bool no_memory;
} v3d;

/* ---- what a list does beside drawing ---- */

/**
 * struct events - packets of a list
 * @waits: for the semaphore
 * @increments: of the other thread's
 * @flushes: of binned tiles
 * @frames: last stores of a frame
 */
struct events {
	uint32_t waits;
	uint32_t increments;
	uint32_t flushes;
	uint32_t frames;
};

/* Return: its bytes, or 0: the engine will say what is wrong. */
static uint32_t get_packet(uint32_t at, uint8_t *p)
{
	uint32_t left = 0, n;
	const uint8_t *from = mbox_bytes(at, &left);

	if (!from)
		return 0;
	n = vc4_packet_bytes(from[0]);
	if (n > left)
		return 0;
	memcpy(p, from, n);
	return n;
}

static void count_packet(struct events *e, const uint8_t *p)
{
	e->waits += p[0] == VC4_WAIT_SEMAPHORE;
	e->increments += p[0] == VC4_INCREMENT_SEMAPHORE;
	e->flushes += p[0] == VC4_FLUSH || p[0] == VC4_FLUSH_ALL;
	e->frames += p[0] == VC4_STORE_MS_EOF;
	/* bit 3 of an address */
	if (p[0] == VC4_STORE_FULL)
		e->frames += p[1] >> 3 & 1;
	if (p[0] == VC4_STORE_GENERAL)
		e->frames += p[3] >> 3 & 1;
}

/* A list that a bin job writes has no packets. */
static bool is_tile_list(uint32_t at)
{
	uint32_t left = 0, magic = VC4_HEAD_MAGIC;
	const uint8_t *p = mbox_bytes(at, &left);

	return !p || left < 4 || !memcmp(p, &magic, 4);
}

/* The packet after one. @back: return address */
static uint32_t next_packet(uint32_t at, const uint8_t *p, uint32_t bytes, uint32_t *back)
{
	uint32_t to = bytes == 5 ? vc4_address(vc4_u32(p + 1)) : 0, from = *back;

	switch (p[0]) {
	case VC4_BRANCH:
		return to;
	case VC4_BRANCH_SUB:
		if (is_tile_list(to))
			return at + bytes;
		*back = at + bytes;
		return to;
	case VC4_RETURN:
		*back = 0;
		return from ? from : at + bytes;
	default:
		return at + bytes;
	}
}

static struct events count_events(const struct thread *t)
{
	uint32_t at = vc4_address(t->at), end = vc4_address(t->end), back = 0, bytes, i;
	struct events e = { 0 };
	uint8_t p[VC4_MAX_PACKET];

	for (i = 0; i < MAX_PACKETS && at != end; i++) {
		bytes = get_packet(at, p);
		if (!bytes || p[0] == VC4_HALT)
			break;
		count_packet(&e, p);
		at = next_packet(at, p, bytes, &back);
	}
	return e;
}

/* ---- execution ---- */

/* The next piece of memory for lists of tiles. Return: there is one. */
static bool take_spill(void)
{
	if (!v3d.spill[1] || v3d.num_ranges == VC4_MAX_RANGES)
		return false;
	memcpy(&v3d.ranges[2 * v3d.num_ranges++], v3d.spill, sizeof(v3d.spill));
	v3d.spill[1] = 0;
	v3d.interrupts |= SPILLUSE;
	return true;
}

/* Return: 0 or MBOX_FAILED. */
static uint32_t execute_bin(const struct thread *t, struct drm_vshader_fault *fault)
{
	uint32_t words[VC4_BIN_WORDS + 2 * VC4_MAX_RANGES] = { t->at, t->end }, ret;

	do {
		memcpy(words + VC4_BIN_WORDS, v3d.ranges, sizeof(v3d.ranges));
		ret = mbox_execute_words(DRM_VSHADER_NATIVE_VC4_BIN, words,
					 VC4_BIN_WORDS + 2 * v3d.num_ranges, fault);
		/* a list can be executed again: what it has written is not used yet */
	} while (ret && fault->kind == DRM_VSHADER_FAULT_OVERFLOW && take_spill());
	return ret;
}

static uint32_t execute_render(const struct thread *t, struct drm_vshader_fault *fault)
{
	const uint32_t words[VC4_RENDER_LIST_WORDS] = {
		VC4_RENDER_CL, vc4_address(t->at), vc4_address(t->end), 0,
	};

	return mbox_execute_words(DRM_VSHADER_NATIVE_VC4_RENDER, words, VC4_RENDER_LIST_WORDS,
				  fault);
}

static void failed(struct thread *t, const struct drm_vshader_fault *fault)
{
	if (t == &v3d.thread[BIN] && fault->kind == DRM_VSHADER_FAULT_OVERFLOW) {
		v3d.no_memory = true;
		v3d.interrupts |= OUTOMEM;
		return;
	}
	if (fault->kind == DRM_VSHADER_FAULT_COMMAND && fault->address)
		t->at = (uint32_t)fault->address;
	t->run = false;
	t->error = true;
}

static void execute_list(uint32_t n, const struct events *e)
{
	struct thread *t = &v3d.thread[n];
	struct drm_vshader_fault fault;

	if (n == BIN ? execute_bin(t, &fault) : execute_render(t, &fault)) {
		failed(t, &fault);
		return;
	}
	t->run = false;
	t->at = t->end;
	t->semaphore -= e->waits;
	v3d.thread[!n].semaphore += e->increments;
	if (n == BIN && e->flushes) {
		v3d.flushes += e->flushes;
		v3d.interrupts |= FLDONE;
	}
	if (n == RENDER && e->frames) {
		v3d.frames += e->frames;
		v3d.interrupts |= FRDONE;
	}
}

/* Execute lists until each thread has none, or waits. */
static void execute_lists(void)
{
	struct events e;
	bool any;
	uint32_t n;

	do {
		any = false;
		for (n = 0; n < NUM_THREADS; n++) {
			if (!v3d.thread[n].run || (n == BIN && v3d.no_memory))
				continue;
			e = count_events(&v3d.thread[n]);
			if (e.waits > v3d.thread[n].semaphore)
				continue;
			execute_list(n, &e);
			any = true;
		}
	} while (any);
}

static void start_list(uint32_t n)
{
	struct thread *t = &v3d.thread[n];

	if (t->at == t->end)
		return;
	if (n == BIN && !t->run)
		v3d.num_ranges = 0;
	t->run = true;
	t->error = false;
	execute_lists();
}

/* ---- registers ---- */

static void write_control(uint32_t n, uint32_t value)
{
	if (value & (CTRSTA | CTSUBS) && n == BIN)
		v3d.no_memory = false;
	if (value & CTRSTA)
		v3d.thread[n] = (struct thread){ 0 };
	else if (value & CTSUBS)
		v3d.thread[n].run = false;
	else if (value & CTRUN)
		start_list(n);
}

static void write_spill(uint32_t bytes)
{
	v3d.spill[1] = bytes;
	if (v3d.no_memory && take_spill()) {
		v3d.no_memory = false;
		execute_lists();
	}
}

static uint32_t thread_of(uint32_t at)
{
	return at >> 2 & 1;
}

void lists_write(uint32_t at, uint32_t value)
{
	struct thread *t = &v3d.thread[thread_of(at)];

	switch (at) {
	case CT0CS:
	case CT0CS + 4:
		write_control(thread_of(at), value);
		break;
	case CT0CA:
	case CT0CA + 4:
		t->at = value;
		break;
	case CT0EA:
	case CT0EA + 4:
		t->end = value;
		start_list(thread_of(at));
		break;
	case BFC:
		if (value & 1)
			v3d.flushes = 0;
		break;
	case RFC:
		if (value & 1)
			v3d.frames = 0;
		break;
	case INTCTL:
		v3d.interrupts &= ~value;
		break;
	case INTENA:
		v3d.enabled |= value & INTERRUPTS;
		break;
	case INTDIS:
		v3d.enabled &= ~value;
		break;
	case BPOA:
		v3d.spill[0] = value;
		break;
	case BPOS:
		write_spill(value);
		break;
	}
}

uint32_t lists_read(uint32_t at)
{
	const struct thread *t = &v3d.thread[thread_of(at)];

	switch (at) {
	case CT0CS:
	case CT0CS + 4:
		return (t->run ? CTRUN : 0) | (t->error ? CTERR : 0) | CTSEMA(t->semaphore);
	case CT0CA:
	case CT0CA + 4:
		return t->at;
	case CT0EA:
	case CT0EA + 4:
		return t->end;
	case PCS:
		return (v3d.thread[BIN].run ? ACTIVE(BIN) : 0) |
		       (v3d.thread[RENDER].run ? ACTIVE(RENDER) : 0) |
		       (v3d.no_memory ? BMOOM : 0);
	case BFC:
		return v3d.flushes & 0xff;
	case RFC:
		return v3d.frames & 0xff;
	case INTCTL:
		return v3d.interrupts;
	case INTENA:
	case INTDIS:
		return v3d.enabled;
	case BPOA:
		return v3d.spill[0];
	case BPOS:
		return v3d.spill[1];
	default:
		return 0;
	}
}

bool lists_has(uint32_t at)
{
	return (at >= INTCTL && at <= INTDIS) || (at >= CT0CS && at <= CT0LAST) ||
	       (at >= PCS && at <= RFC) || at == BPOA || at == BPOS;
}
