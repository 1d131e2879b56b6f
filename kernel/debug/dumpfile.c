// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Writing of dumps. The file is written twice: first to compute its length, then into a buffer
 * of that size. The job's memory may change in between: nothing is written beyond the end, and
 * sections without room are marked as missing.
 *
 * If the memory exceeds the limit, pages near the fault, near addresses in registers and in
 * the job's arguments are dumped first.
 */
#include "debug/dumpfile.h"

#define PAGE		4096ULL
#define MAX_WINDOWS	64
#define MAX_RUN		(16 * PAGE)
#define MAX_MAPPINGS	1024	/* written between two looks at need_resched */
#define NEAR_FAULT	(16 * PAGE)
#define NEAR_POINTER	(4 * PAGE)
#define MAX_REG_WORDS	(16U * 1024U)

/* Addresses that matter. */
struct window {
	u64 lo;
	u64 hi;
};

/**
 * struct writer - A dump being written.
 * @src:	source of the dump
 * @buf:	destination, or NULL: only compute the size
 * @room:	bytes at @buf
 * @at:		bytes written
 * @section:	start of the current section
 * @sections:	number of sections
 * @inv:	invocations
 * @ninv:	number of them
 * @window:	memory to dump first, room for %MAX_WINDOWS
 * @nwindows:	number of @window
 */
struct writer {
	const struct vshader_dump_src *src;
	u8 *buf;
	u64 room;
	u64 at;
	u64 section;
	u64 sections;
	struct vs_debug_inv *inv;
	u32 ninv;
	struct window *window;
	u32 nwindows;
};

/* ---- writing ---- */

static bool dumpfile_put(struct writer *w, const void *p, u64 size)
{
	if (w->buf && (w->at > w->room || size > w->room - w->at))
		return false;
	if (w->buf && size)
		memcpy(w->buf + w->at, p, size);
	w->at += size;
	return true;
}

static void dumpfile_begin(struct writer *w, u64 type)
{
	const struct drm_vshader_dump_section s = { .type = type };

	w->section = w->at;
	dumpfile_put(w, &s, sizeof(s));
}

static void dumpfile_end(struct writer *w, u64 count, u64 flags)
{
	struct drm_vshader_dump_section s = { .count = count, .flags = flags };
	static const u8 zeros[8];

	s.size = w->at - w->section - sizeof(s);
	if (w->buf && w->section + sizeof(s) <= w->room) {
		memcpy(&s.type, w->buf + w->section, sizeof(s.type));
		memcpy(w->buf + w->section, &s, sizeof(s));
	}
	dumpfile_put(w, zeros, -w->at & 7);
	w->sections++;
}

static void put_section(struct writer *w, u64 type, const void *p, u64 count, u64 each)
{
	if (!count)
		return;
	dumpfile_begin(w, type);
	dumpfile_put(w, p, count * each);
	dumpfile_end(w, count, 0);
}

/* ---- program, arguments, address space ---- */

/* A program that a native job uploads by commands is not in the guest's memory. */
static void put_uploaded(struct writer *w)
{
	static const u64 types[VS_NUM_SECTIONS] = {
		[VS_SECTION_CODE] = DRM_VSHADER_DUMP_CODE,
		[VS_SECTION_OPDESC] = DRM_VSHADER_DUMP_OPDESC,
	};
	const struct vs_post *post = w->src->post;
	const struct drm_vshader_dump_program head = {
		.engine = w->src->isa->id, .stage = post->code_va >> 16 & 15,
	};
	const struct vs_extent *e;
	u32 i;

	if (!post->map || post->code_va < DRM_VSHADER_DEBUG_UPLOADED(0, 0, 0))
		return;
	put_section(w, DRM_VSHADER_DUMP_PROGRAM, &head, 1, sizeof(head));
	for (i = 0; i < VS_NUM_SECTIONS; i++) {
		e = vs_map_find(post->map, post->code_va + DRM_VSHADER_DEBUG_UPLOADED(0, 0, i) -
					   DRM_VSHADER_DEBUG_UPLOADED(0, 0, 0));
		if (e)
			put_section(w, types[i], e->kva, (e->hi - e->lo) / sizeof(u32),
				    sizeof(u32));
	}
}

static void put_program(struct writer *w)
{
	const struct vs_program *p = w->src->prog;
	struct drm_vshader_dump_program head;

	if (!p) {
		put_uploaded(w);
		return;
	}
	head = (struct drm_vshader_dump_program){
		.engine = p->isa->id, .stage = p->src.stage, .hash = p->hash,
	};
	put_section(w, DRM_VSHADER_DUMP_PROGRAM, &head, 1, sizeof(head));
	put_section(w, DRM_VSHADER_DUMP_CODE, p->src.words[VS_SECTION_CODE],
		    p->src.nwords[VS_SECTION_CODE], sizeof(u32));
	put_section(w, DRM_VSHADER_DUMP_OPDESC, p->src.words[VS_SECTION_OPDESC],
		    p->src.nwords[VS_SECTION_OPDESC], sizeof(u32));
	put_section(w, DRM_VSHADER_DUMP_ENTRIES, p->src.entries, p->src.nentries, sizeof(u32));
}

static void put_args(struct writer *w)
{
	const struct vshader_capture *args = w->src->args;

	if (!args || !args->size)
		return;
	dumpfile_put(w, args->buf, args->size);
	w->sections += args->sections;
}

static void put_map(struct writer *w)
{
	const struct vs_map *map = w->src->map;
	const struct vs_extent *e;
	u32 n = 0;

	dumpfile_begin(w, DRM_VSHADER_DUMP_MAP);
	for (e = vs_map_next(map, 0); e; e = vs_map_next(map, e->hi)) {
		struct drm_vshader_dump_mapping m = { .va = e->lo, .size = e->hi - e->lo };

		if (!(e->flags & VS_EXT_WRITE))
			m.flags |= DRM_VSHADER_VM_BIND_READONLY;
		if (!(e->flags & VS_EXT_EXEC))
			m.flags |= DRM_VSHADER_VM_BIND_NOEXEC;
		dumpfile_put(w, &m, sizeof(m));
		if (n++ % MAX_MAPPINGS == 0)
			vs_cond_resched();
	}
	dumpfile_end(w, n, 0);
}

/* ---- registers ---- */

static void put_banks(struct writer *w)
{
	const struct vs_isa *isa = w->src->isa;
	u32 i;

	dumpfile_begin(w, DRM_VSHADER_DUMP_BANKS);
	for (i = 0; i < isa->nbanks; i++) {
		const struct vs_debug_bank *b = &isa->banks[i];
		struct drm_vshader_debug_bank out = {
			.engine = isa->id, .first = b->first, .count = b->count,
			.components = b->components, .bits = b->bits, .kind = b->kind,
			.flags = b->flags, .name_base = b->base,
		};

		memcpy(out.name, b->name, sizeof(out.name));
		dumpfile_put(w, &out, sizeof(out));
	}
	dumpfile_end(w, isa->nbanks, 0);
}

static int read_reg(const struct writer *w, u64 inv, u32 reg, u32 *val)
{
	memset(val, 0, VS_DEBUG_MAX_COMPONENTS * sizeof(*val));
	return w->src->post->ops->reg(w->src->post->m, inv, reg, val, false);
}

/* Of one invocation, the banks that are uniform or those that are not. */
static void put_values(struct writer *w, u64 inv, bool uniform)
{
	const struct vs_isa *isa = w->src->isa;
	u32 val[VS_DEBUG_MAX_COMPONENTS], i, r;

	for (i = 0; i < isa->nbanks; i++) {
		const struct vs_debug_bank *b = &isa->banks[i];

		if (!(b->flags & VS_DEBUG_BANK_UNIFORM) == uniform)
			continue;
		for (r = 0; r < b->count; r++) {
			if (read_reg(w, inv, b->first + r, val))
				memset(val, 0, sizeof(val));
			dumpfile_put(w, val, b->components * sizeof(*val));
		}
	}
}

/* A bit for each register: the first invocation has it. */
static void put_known(struct writer *w)
{
	const struct vs_isa *isa = w->src->isa;
	u32 val[VS_DEBUG_MAX_COMPONENTS], i, r, n = 0;
	u64 bits = 0;

	for (i = 0; i < isa->nbanks; i++) {
		for (r = 0; r < isa->banks[i].count; r++) {
			if (!read_reg(w, w->inv[0].invocation, isa->banks[i].first + r, val))
				bits |= BIT_ULL(n % 64);
			if (++n % 64)
				continue;
			dumpfile_put(w, &bits, sizeof(bits));
			bits = 0;
		}
	}
	if (n % 64)
		dumpfile_put(w, &bits, sizeof(bits));
}

static void put_invocations(struct writer *w)
{
	u32 i;

	dumpfile_begin(w, DRM_VSHADER_DUMP_INVOCATIONS);
	for (i = 0; i < w->ninv; i++) {
		const struct vs_debug_inv *in = &w->inv[i];
		const struct drm_vshader_debug_invocation out = {
			.invocation = in->invocation, .pc = in->pc, .state = in->state,
			.group = in->group, .lane = in->lane, .depth = in->depth,
			.flags = in->flags, .part = in->part,
		};

		dumpfile_put(w, &out, sizeof(out));
	}
	dumpfile_end(w, w->ninv, 0);
}

static void dumpfile_put_registers(struct writer *w)
{
	u32 i;

	if (!w->src->isa->nbanks)
		return;
	put_banks(w);
	if (!w->ninv)
		return;
	put_invocations(w);
	dumpfile_begin(w, DRM_VSHADER_DUMP_REGISTERS);
	put_known(w);
	put_values(w, w->inv[0].invocation, true);
	for (i = 0; i < w->ninv; i++)
		put_values(w, w->inv[i].invocation, false);
	dumpfile_end(w, w->ninv, w->src->post->exact ? DRM_VSHADER_DUMP_EXACT : 0);
}

/* ---- memory that comes first ---- */

static bool in_window(const struct writer *w, u64 va)
{
	u32 i;

	for (i = 0; i < w->nwindows; i++) {
		if (va >= w->window[i].lo && va < w->window[i].hi)
			return true;
	}
	return false;
}

/* Whatever is near to an address, if something is. */
static void add_window(struct writer *w, u64 va, u64 near)
{
	u64 page = va & ~(PAGE - 1);

	if (w->nwindows == MAX_WINDOWS || in_window(w, va))
		return;
	w->window[w->nwindows++] = (struct window){
		.lo = page > near ? page - near : 0,
		.hi = page + near + PAGE > page ? page + near + PAGE : ~0ULL,
	};
}

static void add_pointer(struct writer *w, u64 va)
{
	if (vs_map_find(w->src->map, va))
		add_window(w, va, NEAR_POINTER);
}

static void args_windows(struct writer *w)
{
	const struct vshader_capture *args = w->src->args;
	u64 i, va;

	for (i = 0; args && i + sizeof(va) <= args->size; i += sizeof(va)) {
		memcpy(&va, args->buf + i, sizeof(va));
		add_pointer(w, va);
	}
}

/* Words of registers, and pairs of them where addresses are longer. */
static void register_windows(struct writer *w)
{
	const struct vs_isa *isa = w->src->isa;
	u32 val[VS_DEBUG_MAX_COMPONENTS], last = 0, i, b, r, c, words = 0;

	for (i = 0; i < w->ninv && words < MAX_REG_WORDS; i++) {
		for (b = 0; b < isa->nbanks; b++) {
			for (r = 0; r < isa->banks[b].count; r++) {
				if (read_reg(w, w->inv[i].invocation, isa->banks[b].first + r,
					     val))
					continue;
				for (c = 0; c < isa->banks[b].components; c++, words++) {
					add_pointer(w, isa->va_bits > 32 ?
						    (u64)val[c] << 32 | last : val[c]);
					last = val[c];
				}
			}
		}
	}
}

static void find_windows(struct writer *w)
{
	const struct drm_vshader_dump_job *job = &w->src->job;
	u64 code = w->src->post->code_va;

	add_window(w, job->fault.address, NEAR_FAULT);
	if (code && job->fault.pc != ~0U) {
		add_window(w, code, NEAR_POINTER);
		add_window(w, code + (u64)job->fault.pc * w->src->isa->word_bytes /
			      w->src->isa->pc_unit, NEAR_FAULT);
	} else if (job->fault.pc != ~0U && !w->src->prog) {
		add_pointer(w, job->fault.pc);
	}
	if (job->result_va)
		add_window(w, job->result_va, NEAR_POINTER);
	args_windows(w);
	register_windows(w);
}

/* ---- memory ---- */

/**
 * struct scan - Memory being read.
 * @map:	address space
 * @rest:	bytes outside of windows that there is still room for
 * @look:	bytes that may still be read
 * @missed:	pages were left out for lack of room
 * @base:	contents before the job: pages that have not changed since are left out; or NULL
 * @at:		offset of the next run in @base
 * @stop:	not 0: leave out all further pages; or NULL
 */
struct scan {
	const struct vs_map *map;
	u64 rest;
	u64 look;
	bool missed;
	const struct vshader_dump_memory *base;
	u64 at;
	const int *stop;
};

static bool is_zero(const u8 *p, u64 size)
{
	u64 i, v;

	for (i = 0; i + sizeof(v) <= size; i += sizeof(v)) {
		memcpy(&v, p + i, sizeof(v));
		if (v)
			return false;
	}
	for (; i < size; i++) {
		if (p[i])
			return false;
	}
	return true;
}

/* Initial contents of a page, NULL: zeros. Pages are requested in ascending order. */
static const u8 *as_it_was(struct scan *s, u64 va, u64 size)
{
	const u8 *buf = s->base->buf;
	u64 run[2];

	while (s->at < s->base->size) {
		memcpy(run, buf + s->at, sizeof(run));
		if (va < run[0])
			return NULL;
		if (va - run[0] + size <= run[1])
			return buf + s->at + sizeof(run) + (va - run[0]);
		s->at += sizeof(run) + run[1];
	}
	return NULL;
}

static bool dull(struct scan *s, const u8 *p, u64 va, u64 size)
{
	const u8 *was = s->base ? as_it_was(s, va, size) : NULL;

	return was ? !memcmp(p, was, size) : is_zero(p, size);
}

/* Is this page to be in the dump? */
static bool wanted(const struct writer *w, struct scan *s, const u8 *p, u64 va, u64 size)
{
	bool first = in_window(w, va);

	if (!first && !s->look) {
		s->missed = true;
		return false;
	}
	s->look -= min(s->look, size);
	if (dull(s, p, va, size))
		return false;
	if (first)
		return true;
	if (s->rest < size) {
		s->missed = true;
		return false;
	}
	s->rest -= size;
	return true;
}

/* Length in bytes of the run of wanted pages from @off on. */
static u64 dumpfile_run_of(const struct writer *w, struct scan *s, const struct vs_extent *e,
			   u64 off)
{
	u64 n = 0, size;

	while (off + n < e->hi - e->lo && n < MAX_RUN) {
		size = min_t(u64, PAGE, e->hi - e->lo - off - n);
		if (!wanted(w, s, e->kva + off + n, e->lo + off + n, size))
			break;
		n += size;
	}
	return n;
}

/* A size that exceeds the room need not be known exactly. */
static bool exceeded(const struct writer *w)
{
	return !w->buf && w->at > w->room;
}

static bool dumpfile_stopped(struct scan *s)
{
	if (!s->stop || !READ_ONCE(*s->stop))
		return false;
	s->missed = true;
	return true;
}

static u64 put_extent(struct writer *w, struct scan *s, const struct vs_extent *e)
{
	u64 off, n, run[2], runs = 0;

	for (off = 0; off < e->hi - e->lo && !exceeded(w) &&
	     !dumpfile_stopped(s); off += n ?: PAGE) {
		vs_cond_resched();
		n = dumpfile_run_of(w, s, e, off);
		if (!n)
			continue;
		run[0] = e->lo + off;
		run[1] = n;
		if (w->buf && w->room - w->at < sizeof(run) + n) {
			s->missed = true;
			break;
		}
		dumpfile_put(w, run, sizeof(run));
		dumpfile_put(w, e->kva + off, n);
		runs++;
	}
	return runs;
}

static void put_memory(struct writer *w, struct scan *s)
{
	const struct vs_extent *e;
	u64 runs = 0;

	dumpfile_begin(w, s->base ? DRM_VSHADER_DUMP_MEMORY_AFTER : DRM_VSHADER_DUMP_MEMORY);
	for (e = vs_map_next(s->map, 0); e && !exceeded(w); e = vs_map_next(s->map, e->hi))
		runs += put_extent(w, s, e);
	dumpfile_end(w, runs, s->missed ? DRM_VSHADER_DUMP_TRUNCATED : 0);
}

void vshader_dump_memory(const struct vs_map *map, const struct vshader_dump_memory *base,
			 struct vshader_dump_memory *out)
{
	struct scan s = {
		.map = map, .rest = ~0ULL, .look = VSHADER_DUMP_SCAN, .base = base,
		.at = sizeof(struct drm_vshader_dump_section), .stop = out->stop,
	};
	struct writer w = { .buf = out->buf, .room = out->room };

	put_memory(&w, &s);
	out->size = w.at;
	out->truncated = s.missed;
}

/* ---- the file ---- */

static void dumpfile_write_all(struct writer *w)
{
	const struct vshader_dump_src *src = w->src;
	struct scan s = { .map = src->map, .rest = src->limit, .look = VSHADER_DUMP_SCAN };
	struct drm_vshader_dump_job job = src->job;
	struct drm_vshader_dump_header head = { .version = DRM_VSHADER_DUMP_VERSION };

	w->at = 0;
	w->sections = 0;
	job.code_va = src->post->code_va;
	memcpy(head.magic, DRM_VSHADER_DUMP_MAGIC, sizeof(head.magic));
	dumpfile_put(w, &head, sizeof(head));
	put_section(w, DRM_VSHADER_DUMP_DEVICE, &src->device, 1, sizeof(src->device));
	put_section(w, DRM_VSHADER_DUMP_QUEUE, &src->queue, 1, sizeof(src->queue));
	put_section(w, DRM_VSHADER_DUMP_JOB, &job, 1, sizeof(job));
	put_args(w);
	put_program(w);
	put_map(w);
	if (!src->record) {
		put_section(w, src->state_section, src->states, src->num_states,
			    src->state_size);
		dumpfile_put_registers(w);
		/* last: the job's memory may change between the passes, and its size with it */
		put_memory(w, &s);
	}
	if (!w->buf)
		return;
	head.size = w->at + src->memory;
	head.sections = w->sections + src->memory_sections;
	memcpy(w->buf, &head, sizeof(head));
}

u64 vshader_dump_record(const struct vshader_dump_src *src, void *buf, u64 room)
{
	struct writer w = { .src = src, .buf = buf, .room = room };

	dumpfile_write_all(&w);
	return w.at;
}

static int find_invocations(struct writer *w)
{
	const struct vs_post *post = w->src->post;

	if (!post->ops)
		return 0;
	w->inv = vs_zalloc_array(VSHADER_DUMP_MAX_INVS, sizeof(*w->inv));
	if (!w->inv)
		return -ENOMEM;
	w->ninv = min(post->ops->list(post->m, w->inv, VSHADER_DUMP_MAX_INVS),
		      VSHADER_DUMP_MAX_INVS);
	return 0;
}

int vshader_dump_make(const struct vshader_dump_src *src, void *(*alloc)(size_t size), void **out,
		      u64 *size)
{
	struct writer w = { .src = src, .room = ~0ULL };
	int ret = -ENOMEM;

	w.window = vs_zalloc_array(MAX_WINDOWS, sizeof(*w.window));
	if (w.window && !find_invocations(&w)) {
		find_windows(&w);
		dumpfile_write_all(&w);
		w.room = w.at;
		w.buf = alloc(w.room);
	}
	if (w.buf) {
		dumpfile_write_all(&w);
		*out = w.buf;
		*size = w.at;
		ret = 0;
	}
	vs_free(w.inv);
	vs_free(w.window);
	return ret;
}
