// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Debug sessions: points, stops, events.
 */
#include "debug/fault.h"
#include "debug/session.h"

#define ATTACH_FLAGS	(DRM_VSHADER_DEBUG_STOP_START | DRM_VSHADER_DEBUG_STOP_FAULT)
#define BREAK_FLAGS	(DRM_VSHADER_DEBUG_POINT_ONE_SHOT | DRM_VSHADER_DEBUG_POINT_DISABLED | \
			 DRM_VSHADER_DEBUG_POINT_FILTER)
#define TRACE_FLAGS	(DRM_VSHADER_DEBUG_TRACE_ON | DRM_VSHADER_DEBUG_TRACE_FILTER | \
			 DRM_VSHADER_DEBUG_TRACE_ACCESSES | DRM_VSHADER_DEBUG_TRACE_STOP | \
			 DRM_VSHADER_DEBUG_TRACE_OPERATIONS | DRM_VSHADER_DEBUG_TRACE_SPECIALS | \
			 DRM_VSHADER_DEBUG_TRACE_REGISTER | DRM_VSHADER_DEBUG_TRACE_FRAGMENTS)
#define ACCESS_FLAGS	(DRM_VSHADER_DEBUG_POINT_READ | DRM_VSHADER_DEBUG_POINT_WRITE)

void vs_session_init(struct vs_session *c, const struct vs_isa *isa)
{
	c->isa = isa;
	c->dbg.hit = VS_DEBUG_MAX_POINTS;
}

/* ---- events ---- */

static void put_event(struct vs_session *c, const struct drm_vshader_debug_event *ev)
{
	c->events[(c->first + c->num++) % VS_SESSION_EVENTS] = *ev;
}

static struct drm_vshader_debug_event overflow(struct vs_session *c)
{
	struct drm_vshader_debug_event ev = {
		.type = DRM_VSHADER_DEBUG_EVENT_OVERFLOW, .seq = c->seq, .value = c->lost,
	};

	c->lost = 0;
	return ev;
}

/* Add an event; an event reports those that were lost before it. Return: false: no listener. */
static bool add_event(struct vs_session *c, struct drm_vshader_debug_event *ev, u64 now)
{
	struct drm_vshader_debug_event missing;

	if (!c->attached)
		return false;
	if (c->num + !!c->lost >= VS_SESSION_EVENTS) {
		c->lost++;
		c->seq++;
		return true;
	}
	if (c->lost) {
		missing = overflow(c);
		put_event(c, &missing);
	}
	ev->seq = ++c->seq;
	ev->time_ns = now;
	ev->job = c->job;
	put_event(c, ev);
	return true;
}

static bool add_plain(struct vs_session *c, u32 type, u64 now)
{
	struct drm_vshader_debug_event ev = { .type = type };

	return add_event(c, &ev, now);
}

bool vs_session_read(struct vs_session *c, struct drm_vshader_debug_event *ev)
{
	if (c->num) {
		*ev = c->events[c->first];
		c->first = (c->first + 1) % VS_SESSION_EVENTS;
		c->num--;
		return true;
	}
	if (!c->lost)
		return false;
	*ev = overflow(c);
	return true;
}

bool vs_session_has_event(const struct vs_session *c)
{
	return c->num || c->lost;
}

/* ---- the session ---- */

int vs_session_attach(struct vs_session *c, u32 flags, u64 limit_ns)
{
	if (flags & ~ATTACH_FLAGS)
		return -EINVAL;
	if (c->attached)
		return -EBUSY;
	c->attached = true;
	c->let_go = false;
	c->fresh = true;
	c->flags = flags;
	c->limit = limit_ns;
	c->stopped = 0;
	c->seq = 0;
	c->lost = 0;
	c->num = 0;
	memset(&c->stop, 0, sizeof(c->stop));
	memset(c->points.p, 0, sizeof(c->points.p));
	c->points.gen++;
	c->last_id = 0;
	WRITE_ONCE(c->dbg.interrupt, false);
	return 0;
}

/* The buffer of a trace stays: a worker may be writing to it. */
bool vs_session_close(struct vs_session *c)
{
	c->attached = false;
	c->num = 0;
	c->lost = 0;
	return c->job && !c->let_go;
}

void *vs_session_fini(struct vs_session *c)
{
	return c->dbg.trace.rec;
}

void vs_session_gone(struct vs_session *c, u64 now)
{
	if (c->gone)
		return;
	add_plain(c, DRM_VSHADER_DEBUG_EVENT_QUEUE_GONE, now);
	c->gone = true;
}

static bool session_stopped(const struct vs_session *c)
{
	return c->state == DRM_VSHADER_DEBUG_STATE_STOPPED;
}

u64 vs_session_time_left(const struct vs_session *c, u64 now)
{
	u64 used = c->stopped + (now - c->since);

	if (!session_stopped(c))
		return ~0ULL;
	return used < c->limit ? c->limit - used : 0;
}

/* ---- points ---- */

static struct vs_debug_point *find_point(struct vs_session *c, u32 id)
{
	u32 i;

	for (i = 0; i < VS_DEBUG_MAX_POINTS; i++) {
		if (c->points.p[i].id == id)
			return &c->points.p[i];
	}
	return NULL;
}

static int check_point(const struct vs_session *c, const struct drm_vshader_debug_point *p)
{
	bool filter = p->flags & DRM_VSHADER_DEBUG_POINT_FILTER;

	if (filter ? p->first > p->last : p->first || p->last)
		return -EINVAL;
	if (p->kind == DRM_VSHADER_DEBUG_BREAK || p->kind == DRM_VSHADER_DEBUG_SPECIAL)
		return p->flags & ~BREAK_FLAGS || p->va || p->size ||
		       (p->pc && p->kind != DRM_VSHADER_DEBUG_BREAK) ? -EINVAL : 0;
	if (p->kind != DRM_VSHADER_DEBUG_WATCH || p->flags & ~(BREAK_FLAGS | ACCESS_FLAGS) ||
	    !(p->flags & ACCESS_FLAGS) || p->pc || !p->size || p->va + p->size - 1 < p->va)
		return -EINVAL;
	return c->isa->watch ? 0 : -EOPNOTSUPP;
}

int vs_session_set_point(struct vs_session *c, struct drm_vshader_debug_point *p)
{
	struct vs_debug_point *to;
	int ret;

	ret = check_point(c, p);
	if (ret)
		return ret;
	/* a free place has number 0 */
	to = find_point(c, p->id);
	if (!to)
		return p->id ? -ENOENT : -E2BIG;
	if (!p->id)
		p->id = ++c->last_id;
	p->hits = 0;
	c->points.gen++;
	*to = (struct vs_debug_point){
		.id = p->id,
		.version = c->points.gen,
		.kind = p->kind,
		.flags = p->flags,
		.program = p->program,
		.pc = p->pc,
		.ignore = p->ignore,
		.first = p->first,
		.last = p->last,
		.va = p->va,
		.size = p->size,
	};
	return 0;
}

int vs_session_get_point(struct vs_session *c, struct drm_vshader_debug_point *p)
{
	const struct vs_debug_point *from = p->id ? find_point(c, p->id) : NULL;

	if (!from)
		return -ENOENT;
	*p = (struct drm_vshader_debug_point){
		.id = from->id,
		.kind = from->kind,
		.flags = from->flags,
		.program = from->program,
		.pc = from->pc,
		.ignore = from->ignore,
		.first = from->first,
		.last = from->last,
		.va = from->va,
		.size = from->size,
		.hits = from->hits,
	};
	return 0;
}

int vs_session_clear_point(struct vs_session *c, const struct drm_vshader_debug_clear_point *a)
{
	struct vs_debug_point *p;

	if (a->pad)
		return -EINVAL;
	c->points.gen++;
	if (!a->id) {
		memset(c->points.p, 0, sizeof(c->points.p));
		return 0;
	}
	p = find_point(c, a->id);
	if (!p)
		return -ENOENT;
	memset(p, 0, sizeof(*p));
	return 0;
}

/* ---- going and stopping ---- */

int vs_session_interrupt(struct vs_session *c, const struct drm_vshader_debug_interrupt *a)
{
	if (a->flags || a->pad)
		return -EINVAL;
	if (!session_stopped(c) && !c->let_go)
		vs_debug_interrupt(&c->dbg);
	return 0;
}

static void session_go_on(struct vs_session *c, u64 now)
{
	c->state = DRM_VSHADER_DEBUG_STATE_RUNNING;
	c->stopped += now - c->since;
	add_plain(c, DRM_VSHADER_DEBUG_EVENT_RESUME, now);
}

static bool for_one(u32 action)
{
	return (action >= DRM_VSHADER_DEBUG_STEP && action <= DRM_VSHADER_DEBUG_UNTIL) ||
	       action == DRM_VSHADER_DEBUG_JUMP || action == DRM_VSHADER_DEBUG_STEP_OPERATION;
}

static int check_resume(const struct drm_vshader_debug_resume *a)
{
	bool counts = a->action == DRM_VSHADER_DEBUG_STEP ||
		      a->action == DRM_VSHADER_DEBUG_STEP_OVER ||
		      a->action == DRM_VSHADER_DEBUG_STEP_OPERATION;

	if (a->action > DRM_VSHADER_DEBUG_STEP_OPERATION || a->pad || (a->count && !counts) ||
	    (a->pc && a->action != DRM_VSHADER_DEBUG_UNTIL &&
	     a->action != DRM_VSHADER_DEBUG_JUMP) ||
	    (a->invocation && !for_one(a->action)))
		return -EINVAL;
	return 0;
}

int vs_session_resume(struct vs_session *c, const struct drm_vshader_debug_resume *a, u64 now,
		      bool *kill, bool *go)
{
	int ret = check_resume(a);

	*kill = false;
	*go = false;
	if (ret)
		return ret;
	if (a->action == DRM_VSHADER_DEBUG_KILL) {
		*kill = c->job;
		return 0;
	}
	if (a->action != DRM_VSHADER_DEBUG_DETACH && !session_stopped(c))
		return -EAGAIN;
	if (a->action == DRM_VSHADER_DEBUG_JUMP) {
		ret = vs_debug_jump(&c->dbg, a->invocation, a->pc);
		c->stop.pc = c->dbg.stop.pc;
		c->stop.part = c->dbg.stop.part;
		return ret;
	}
	if (a->action == DRM_VSHADER_DEBUG_DETACH) {
		c->let_go = true;
	} else {
		ret = vs_debug_resume(&c->dbg, (enum vs_debug_action)a->action, a->invocation,
				      a->pc, a->count);
		if (ret)
			return ret;
	}
	*go = session_stopped(c);
	if (*go)
		session_go_on(c, now);
	return 0;
}

void vs_session_get_stop(const struct vs_session *c, struct drm_vshader_debug_stop *stop)
{
	*stop = c->stop;
	stop->state = c->gone ? DRM_VSHADER_DEBUG_STATE_GONE : c->state;
}

/* ---- looking and changing ---- */

int vs_session_invocations(struct vs_session *c, struct vs_debug_inv *out, u32 max,
			   u32 *num)
{
	if (!session_stopped(c))
		return -EAGAIN;
	*num = c->dbg.ops ? c->dbg.ops->list(c->dbg.m, out, max) : 0;
	return 0;
}

int vs_session_check_registers(const struct vs_session *c,
			       const struct drm_vshader_debug_registers *a)
{
	const struct vs_debug_bank *b;
	u32 i, words = 0;

	if (a->flags & ~DRM_VSHADER_DEBUG_ACCESS_WRITE || !a->count ||
	    a->count > VS_SESSION_MAX_REGS || a->first + a->count < a->first)
		return -EINVAL;
	for (i = 0; i < a->count; i++) {
		b = vs_isa_bank(c->isa, a->first + i);
		if (!b)
			return -ENOENT;
		if (a->flags & DRM_VSHADER_DEBUG_ACCESS_WRITE &&
		    !(b->flags & VS_DEBUG_BANK_WRITABLE))
			return -EACCES;
		words += b->components;
	}
	return words == a->words ? 0 : -EINVAL;
}

int vs_session_registers(struct vs_session *c, const struct drm_vshader_debug_registers *a,
			 u32 *values)
{
	bool write = a->flags & DRM_VSHADER_DEBUG_ACCESS_WRITE;
	int ret = 0;
	u32 i;

	if (!session_stopped(c))
		return -EAGAIN;
	if (!c->dbg.ops)
		return -ENOENT;
	for (i = 0; i < a->count && !ret; i++) {
		ret = c->dbg.ops->reg(c->dbg.m, a->invocation, a->first + i, values, write);
		values += vs_isa_bank(c->isa, a->first + i)->components;
	}
	return ret;
}

int vs_session_check_memory(const struct drm_vshader_debug_memory *a)
{
	if (a->flags & ~DRM_VSHADER_DEBUG_ACCESS_WRITE || a->pad || !a->size ||
	    a->size > VS_SESSION_MAX_BYTES || a->va + a->size < a->va)
		return -EINVAL;
	return 0;
}

int vs_session_memory(struct vs_session *c, struct drm_vshader_debug_memory *a, void *data)
{
	if (!session_stopped(c))
		return -EAGAIN;
	if (!c->dbg.map)
		return -EFAULT;
	if (a->flags & DRM_VSHADER_DEBUG_ACCESS_WRITE)
		a->size = vs_map_write(c->dbg.map, a->va, data, a->size);
	else
		a->size = vs_map_read(c->dbg.map, a->va, data, a->size);
	return a->size ? 0 : -EFAULT;
}

static void take_records(struct vs_debug_trace *t, struct drm_vshader_debug_trace *a,
			 struct vs_debug_record *out)
{
	u32 n = min(a->count, t->n);

	if (n)
		memcpy(out, t->rec, n * sizeof(*out));
	t->n -= n;
	if (t->n)
		memmove(t->rec, t->rec + n, t->n * sizeof(*out));
	a->count = n;
	a->left = t->n;
}

/* Is the register of the filter one of the engine, with as many components? */
static int check_filter_register(const struct vs_session *c,
				 const struct drm_vshader_debug_trace *a)
{
	const struct vs_debug_bank *b;
	u32 i;

	for (i = a->filter_words; i < ARRAY_SIZE(a->filter_values); i++) {
		if (a->filter_values[i])
			return -EINVAL;
	}
	if (a->flags & DRM_VSHADER_DEBUG_TRACE_FRAGMENTS)
		return a->flags & DRM_VSHADER_DEBUG_TRACE_REGISTER || a->filter_register ||
		       a->filter_words != 2 ? -EINVAL : 0;
	if (!(a->flags & DRM_VSHADER_DEBUG_TRACE_REGISTER))
		return a->filter_register || a->filter_words ? -EINVAL : 0;
	b = vs_isa_bank(c->isa, a->filter_register);
	if (!b)
		return -ENOENT;
	return !a->filter_words || a->filter_words > ARRAY_SIZE(a->filter_values) ||
	       a->filter_words > b->components ? -EINVAL : 0;
}

int vs_session_check_trace(const struct vs_session *c, const struct drm_vshader_debug_trace *a)
{
	int ret = check_filter_register(c, a);

	if (a->flags & ~TRACE_FLAGS || a->pad)
		return -EINVAL;
	if (ret)
		return ret;
	if (a->flags & DRM_VSHADER_DEBUG_TRACE_FILTER)
		return a->filter_pc_first > a->filter_pc_last ||
		       a->filter_first > a->filter_last ? -EINVAL : 0;
	return a->filter_pc_first || a->filter_pc_last || a->filter_first || a->filter_last ?
	       -EINVAL : 0;
}

int vs_session_trace(struct vs_session *c, struct drm_vshader_debug_trace *a,
		     struct vs_debug_record *out, struct vs_debug_record **buffer)
{
	struct vs_debug_trace *t = &c->dbg.trace;

	if (c->state == DRM_VSHADER_DEBUG_STATE_RUNNING)
		return -EAGAIN;
	if (c->fresh) {
		t->n = 0;
		c->fresh = false;
	}
	take_records(t, a, out);
	t->on = a->flags & DRM_VSHADER_DEBUG_TRACE_ON;
	if (t->on && !t->rec) {
		t->rec = *buffer;
		*buffer = NULL;
		t->max = VS_SESSION_TRACE;
	}
	t->accesses = a->flags & DRM_VSHADER_DEBUG_TRACE_ACCESSES;
	t->stop = t->on && a->flags & DRM_VSHADER_DEBUG_TRACE_STOP;
	t->operations = a->flags & DRM_VSHADER_DEBUG_TRACE_OPERATIONS;
	t->specials = a->flags & DRM_VSHADER_DEBUG_TRACE_SPECIALS;
	t->filter = a->flags & DRM_VSHADER_DEBUG_TRACE_FILTER;
	t->by_reg = a->flags & DRM_VSHADER_DEBUG_TRACE_REGISTER;
	t->fragments = a->flags & DRM_VSHADER_DEBUG_TRACE_FRAGMENTS;
	t->reg = a->filter_register;
	t->words = a->filter_words;
	memcpy(t->values, a->filter_values, sizeof(t->values));
	t->pc_first = a->filter_pc_first;
	t->pc_last = a->filter_pc_last;
	t->first = a->filter_first;
	t->last = a->filter_last;
	return 0;
}

/* ---- the workers ---- */

/* Apply the settings of a new debugger. */
static void begin_session(struct vs_session *c)
{
	c->fresh = false;
	c->dbg.trace.on = false;
	c->dbg.trace.stop = false;
	c->dbg.trace.n = 0;
	c->dbg.action = VS_DEBUG_GO;
}

bool vs_session_slice(struct vs_session *c, u64 job, u32 program, u64 now)
{
	bool begins = c->job != job, was_stopped = session_stopped(c);

	if (was_stopped)
		session_go_on(c, now);
	c->state = DRM_VSHADER_DEBUG_STATE_RUNNING;
	if (begins) {
		c->job = job;
		c->program = program;
		c->stopped = 0;
		vs_debug_job(&c->dbg, job, program);
		add_plain(c, DRM_VSHADER_DEBUG_EVENT_JOB_START, now);
	}
	if (c->fresh)
		begin_session(c);
	c->dbg.on = c->attached && !c->let_go;
	c->dbg.stop_start = c->flags & DRM_VSHADER_DEBUG_STOP_START;
	c->dbg.stop_fault = c->flags & DRM_VSHADER_DEBUG_STOP_FAULT;
	if (c->dbg.on)
		vs_debug_sync(&c->dbg, &c->points);
	return begins || was_stopped;
}

static void fill_stop(struct vs_session *c)
{
	const struct vs_debug_stop *s = &c->dbg.stop;
	/* past the last instruction the one that accessed memory tells */
	u32 at = s->pc != ~0u ? s->pc : s->access_pc, pc = at;
	u64 code_va = vs_debug_code(&c->dbg, &pc);

	c->stop = (struct drm_vshader_debug_stop){
		.reason = s->reason,
		.job = c->job,
		.program = c->program,
		.pc = s->pc,
		.code_va = code_va,
		.code_pc = at - pc,
		.invocation = s->inv,
		.point = s->point,
		.group = s->g.group,
		.active = s->g.active,
		.access_pc = s->access_pc,
		.access_flags = s->access_flags,
		.access_size = s->access_size,
		.part = s->part,
		.access_part = s->access_part,
		.access_va = s->access_va,
	};
	if (s->reason == VS_DEBUG_FAULT)
		vshader_fault_fill(&c->dbg.stop.fault, c->isa->id, c->job, &c->stop.fault);
}

bool vs_session_stopped(struct vs_session *c, u64 now)
{
	struct drm_vshader_debug_event ev = { .type = DRM_VSHADER_DEBUG_EVENT_STOP };
	struct vs_debug_point *p;

	if (!c->attached || c->let_go)
		return false;
	vs_debug_sync(&c->dbg, &c->points);
	fill_stop(c);
	ev.reason = c->stop.reason;
	ev.invocation = c->stop.invocation;
	ev.pc = c->stop.pc;
	ev.point = c->stop.point;
	add_event(c, &ev, now);
	c->stop.event = c->seq;
	c->state = DRM_VSHADER_DEBUG_STATE_STOPPED;
	c->since = now;
	p = c->stop.point ? find_point(c, c->stop.point) : NULL;
	if (p && p->flags & VS_DEBUG_ONE_SHOT) {
		memset(p, 0, sizeof(*p));
		c->points.gen++;
	}
	return true;
}

bool vs_session_ended(struct vs_session *c, u64 job, s32 status, u32 fault, u64 now)
{
	struct drm_vshader_debug_event ev = {
		.type = DRM_VSHADER_DEBUG_EVENT_JOB_END, .status = status, .fault = fault,
	};

	if (c->job == job && c->dbg.on)
		vs_debug_sync(&c->dbg, &c->points);
	c->job = job;
	add_event(c, &ev, now);
	c->job = 0;
	c->state = DRM_VSHADER_DEBUG_STATE_IDLE;
	c->dbg.ops = NULL;
	return c->attached;
}

/* ---- registers ---- */

static void fill_bank(u32 engine, const struct vs_debug_bank *b, struct drm_vshader_debug_bank *out)
{
	*out = (struct drm_vshader_debug_bank){
		.engine = engine,
		.first = b->first,
		.count = b->count,
		.components = b->components,
		.bits = b->bits,
		.kind = b->kind,
		.flags = b->flags,
		.name_base = b->base,
	};
	memcpy(out->name, b->name, sizeof(out->name));
}

u32 vs_session_banks(struct drm_vshader_debug_bank *out, u32 max)
{
	u32 i, k, n = 0;

	for (i = 0; i < VS_MAX_ISAS; i++) {
		const struct vs_isa *isa = vs_isa_by_id(i);

		for (k = 0; isa && k < isa->nbanks; k++, n++) {
			if (n < max)
				fill_bank(i, &isa->banks[k], &out[n]);
		}
	}
	return n;
}
