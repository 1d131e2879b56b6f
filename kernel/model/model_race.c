// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Races that hardware has and a driver must survive, chosen by a seed: the end of a job shows
 * between two accesses of the driver, a line becomes active late, or stays active for a moment.
 * Each ends by itself, after some accesses or some rounds of the worker.
 */
#include "model_ops.h"

#define MAX_AGE	12

u32 vs_model_random(struct vs_model *m, u32 n)
{
	struct vs_model_race *r = &m->race;

	if (!r->on)
		return 0;
	r->state = r->state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (u32)(r->state >> 33) % n;
}

bool vs_model_chance(struct vs_model *m, u32 n)
{
	return m->race.on && !vs_model_random(m, n);
}

bool vs_model_slow(struct vs_model *m, u32 *reads)
{
	if (!*reads)
		return false;
	(*reads)--;
	return true;
}

static bool race_pending(const struct vs_model_race *r)
{
	return r->held || r->late || r->ghost;
}

static void race_begin(struct vs_model *m)
{
	if (!m->race.age)
		m->race.age = 1 + vs_model_random(m, MAX_AGE);
	m->kick = true;
}

bool vs_model_hold(struct vs_model *m, u32 n)
{
	if (!vs_model_chance(m, 3))
		return false;
	m->race.held |= 1U << n;
	race_begin(m);
	return true;
}

void vs_model_race_seed(struct vs_model *m, u32 seed)
{
	m->race.on = seed;
	m->race.state = seed;
	m->race.age = 1;
}

/* Edges of lines: one may show late, or for a moment longer. */
static void race_edges(struct vs_model *m, u32 lines)
{
	struct vs_model_race *r = &m->race;
	u32 i, bit, changed = lines ^ r->lines;

	r->lines = lines;
	r->late &= lines;
	r->ghost &= ~lines;
	for (i = 0; changed >> i && r->on; i++) {
		bit = 1U << i;
		if (changed & lines & bit && vs_model_chance(m, 3))
			r->late |= bit;
		else if (changed & ~lines & bit && vs_model_chance(m, 8))
			r->ghost |= bit;
	}
	if (r->late | r->ghost)
		race_begin(m);
}

void vs_model_race_step(struct vs_model *m)
{
	struct vs_model_race *r = &m->race;

	if (r->age && !--r->age) {
		r->late = 0;
		r->ghost = 0;
		r->waited = false;
		if (r->held)
			m->ops->show(m);
	}
	race_edges(m, m->ops->lines(m));
}

u32 vs_model_race_lines(struct vs_model *m)
{
	return (m->ops->lines(m) & ~m->race.late) | m->race.ghost;
}

/* Without the lock: time passes. Return: something is held back. */
static bool race_pass(struct vs_model *m)
{
	bool pending;

	vs_model_lock(m);
	pending = race_pending(&m->race);
	/* at most two waits, which are 40 ms: drivers have timeouts */
	if (pending && (m->race.waited || vs_model_chance(m, 2)))
		m->race.age = 1;
	m->race.waited = pending;
	vs_model_unlock(m);
	return pending;
}

void vs_model_wait(struct vs_model *m)
{
	m->host.wait(m->host.priv);
	if (READ_ONCE(m->race.on))
		race_pass(m);
}

bool vs_model_race_work(struct vs_model *m, bool busy)
{
	bool pending;

	if (!READ_ONCE(m->race.on))
		return false;
	vs_model_lock(m);
	pending = race_pending(&m->race);
	vs_model_unlock(m);
	if (!pending)
		return false;
	if (!busy)
		m->host.wait(m->host.priv);
	return race_pass(m);
}
