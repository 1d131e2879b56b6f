// SPDX-License-Identifier: GPL-2.0
/*
 * The validator beside Linux's own, from Debian's kernel source: random programs and jobs, and
 * changes of them, get the same verdicts, and the same lists, records, uniforms and render lists.
 * vc4_refusal.stricter marks what Linux accepts by mistake: only that may differ.
 *
 * VC4_LINUX is the library that scripts/vc4-linux builds. VC4_EFFORT: quick, or long for 10^6
 * programs and 10^6 jobs.
 */
#include <dlfcn.h>
#include <stdlib.h>

#include <vc4_drm.h>

#include "../include/tap.h"
#include "linux/lx.h"
#include "valgen.h"

#define POOL		24
#define POOL_LOOKUPS	6
#define POOL_UNIFORMS	512
#define POOL_JOBS	256
#define ROOM		0x40000
#define SLOT_VA		0x03000000u
#define SLOT_BYTES	0x80000u
#define OUT_VA		0x02000000u
#define MAX_RULES	32

static lx_validate_shader *lx_shader;
static lx_shader_done *lx_done;
static lx_validate_job *lx_job;

/**
 * struct tally - Verdicts.
 * @cases:	number of cases
 * @accepted:	by both
 * @refused:	by both
 * @oopses:	Linux oopses, refused here
 * @stricter:	accepted by Linux, refused here, by the text of the rule
 * @text:	the text
 * @bad:	other differences
 */
struct tally {
	u32 cases;
	u32 accepted;
	u32 refused;
	u32 oopses;
	u32 stricter[MAX_RULES];
	const char *text[MAX_RULES];
	u32 bad;
};

static void count_rule(struct tally *t, const char *text)
{
	u32 i;

	for (i = 0; i < MAX_RULES - 1 && t->text[i] && strcmp(t->text[i], text); i++)
		;
	t->text[i] = text;
	t->stricter[i]++;
}

/* Return: whether both accept. */
static bool verdict(struct tally *t, int ours, int theirs, const struct vc4_refusal *why)
{
	t->cases++;
	if (!ours && !theirs) {
		t->accepted++;
		return true;
	}
	if (ours && theirs) {
		t->refused++;
		t->oopses += theirs == LX_OOPS;
		if (theirs != LX_OOPS || why->stricter)
			return false;
	} else if (ours && why->stricter) {
		count_rule(t, why->text);
		return false;
	}
	if (t->bad++ < 8)
		tap_comment("case %u: Linux %d, we return %d, %s at %u (%#x, %#x)", t->cases,
			    theirs, ours, why->text, why->at, why->value, why->limit);
	return false;
}

static void differ(struct tally *t, const char *what, u32 ours, u32 theirs)
{
	if (t->bad++ < 8)
		tap_comment("case %u: %s: %#x, Linux %#x", t->cases, what, ours, theirs);
}

static void report(const struct tally *t, const char *name)
{
	u32 i, alone = 0;

	for (i = 0; i < MAX_RULES; i++)
		alone += t->stricter[i];
	tap_comment("%u cases: both accept %u, both refuse %u (%u oopses), Linux alone accepts %u",
		    t->cases, t->accepted, t->refused, t->oopses, alone);
	for (i = 0; i < MAX_RULES && t->text[i]; i++)
		tap_comment("accepted by Linux alone: %u: %s", t->stricter[i], t->text[i]);
	tap_result(!t->bad && t->accepted > t->cases / 5 && t->refused > t->cases / 5, "%s", name);
}

/* ---- programs ---- */

/* The first of a buffer object's words are a program. */
static u64 words[VG_PAGE_INSNS + VG_ROOM / 8];

static void compare_info(struct tally *t, const struct vc4_shader_info *a,
			 const struct lx_shader *b)
{
	u32 i;

	if (a->uniform_bytes != b->uniform_bytes)
		differ(t, "uniforms", a->uniform_bytes, b->uniform_bytes);
	if (a->threaded != b->threaded)
		differ(t, "threads", a->threaded, b->threaded);
	if (a->nlookups != b->nlookups || a->nresets != b->nresets) {
		differ(t, "lookups", a->nlookups, b->nlookups);
		differ(t, "resets", a->nresets, b->nresets);
		return;
	}
	for (i = 0; i < a->nlookups; i++) {
		if (memcmp(a->lookup[i].p, b->lookup[i].p, sizeof(a->lookup[i].p)))
			differ(t, "parameters", a->lookup[i].p[0], b->lookup[i].p[0]);
		if ((a->lookup[i].direct || a->lookup[i].after) != b->lookup[i].direct)
			differ(t, "direct", a->lookup[i].direct, b->lookup[i].direct);
	}
	for (i = 0; i < a->nresets; i++)
		if (a->reset[i] != b->reset[i])
			differ(t, "reset", a->reset[i], b->reset[i]);
}

static void compare_program(struct tally *t)
{
	struct vc4_shader_info info;
	struct vc4_refusal why;
	struct lx_shader theirs;
	int ours, ret;

	ours = vc4_validate_shader((const u32 *)words, 8 * VG_PAGE_INSNS, &info, &why);
	ret = lx_shader(words, 8 * VG_PAGE_INSNS, &theirs);
	if (verdict(t, ours, ret, &why))
		compare_info(t, &info, &theirs);
	vc4_shader_info_done(&info);
	lx_done(&theirs);
}

/* Leave a program in the words. Return: instructions. */
static u32 make_program(bool threaded)
{
	memset(words, 0, sizeof(words));
	return vg_program(words, 96, threaded);
}

static void change_program(u32 n, u32 changes)
{
	while (changes--)
		n = vg_change_program(words, n, VG_PAGE_INSNS);
	memset(words + n, 0, 8 * (VG_PAGE_INSNS - n));
	/* at the end of the page, or past it */
	if (!vg_rnd(64)) {
		u32 at = VG_PAGE_INSNS - n + vg_rnd(3), i;

		memmove(words + at, words, 8 * n);
		for (i = 0; i < at; i++)
			words[i] = vg_nop();
		memset(words + VG_PAGE_INSNS, 0, VG_ROOM);
	}
}

static void random_programs(u32 n)
{
	struct tally t = {};

	while (t.cases < n) {
		u32 insns = make_program(!vg_rnd(4));

		change_program(insns, max(vg_rnd(6), 1U) - 1);
		compare_program(&t);
	}
	report(&t, "random programs: verdicts, uniforms and lookups are those of Linux");
}

/* Words that are nothing but bits, with the signals and addresses that count. */
static void random_words(u32 n)
{
	struct tally t = {};
	u32 i, insns;

	while (t.cases < n) {
		memset(words, 0, sizeof(words));
		insns = 1 + vg_rnd(4);
		for (i = 0; i < insns; i++) {
			words[i] = (u64)vg_rnd(~0U) << 32 | vg_rnd(~0U);
			if (vg_rnd(4))
				words[i] = (words[i] & ~(15ULL << 60)) | 1ULL << 60;
		}
		words[i++] = vg_end();
		words[i++] = vg_nop();
		words[i] = vg_nop();
		compare_program(&t);
	}
	report(&t, "random words");
}

static struct vg_log recorded;

static void load_program(u32 i)
{
	memset(words, 0, sizeof(words));
	memcpy(words, recorded.program[i], 8 * recorded.size[i]);
}

/* Programs that Mesa wrote, as they are and with changes. */
static void recorded_programs(u32 n)
{
	struct tally t = {}, whole = {};
	u32 i;

	for (i = 0; i < recorded.nprograms; i++) {
		load_program(i);
		compare_program(&whole);
	}
	tap_result(i && whole.accepted == i && !whole.bad, "%u recorded programs are valid", i);
	while (t.cases < n) {
		i = vg_rnd(recorded.nprograms);
		load_program(i);
		change_program(recorded.size[i], 1 + vg_rnd(4));
		compare_program(&t);
	}
	report(&t, "recorded programs with changes");
}

/* ---- jobs ---- */

static struct vc4_shader_info pool[VG_LOG_PROGRAMS];
static struct lx_shader lx_pool[VG_LOG_PROGRAMS];

/* Programs for jobs, the first one without threads. */
static void fill_pool(void)
{
	struct vc4_refusal why;
	u32 n = 0;

	while (n < POOL) {
		vc4_shader_info_done(&pool[n]);
		lx_done(&lx_pool[n]);
		make_program(n && !vg_rnd(4));
		if (vc4_validate_shader((const u32 *)words, 8 * VG_PAGE_INSNS, &pool[n], &why))
			continue;
		if (lx_shader(words, 8 * VG_PAGE_INSNS, &lx_pool[n]))
			continue;
		if (pool[n].nlookups <= POOL_LOOKUPS && pool[n].uniform_bytes < POOL_UNIFORMS &&
		    (n || !pool[n].threaded))
			n++;
	}
}

static u8 out[ROOM], lx_out[ROOM], lx_uniforms[ROOM];

static void fill_args(const struct vg_job *j, struct drm_vc4_submit_cl *a)
{
	const struct vc4_val_frame *f = &j->frame;
	struct drm_vc4_submit_rcl_surface *to[] = { &a->color_read, &a->color_write, &a->zs_read,
						    &a->zs_write, &a->msaa_color_write,
						    &a->msaa_zs_write };
	u32 i;

	*a = (struct drm_vc4_submit_cl){
		.bin_cl_size = j->list_bytes, .shader_rec_size = j->record_bytes,
		.shader_rec_count = j->max_records, .uniforms_size = j->uniform_bytes,
		.width = f->width, .height = f->height, .min_x_tile = f->min_x,
		.min_y_tile = f->min_y, .max_x_tile = f->max_x, .max_y_tile = f->max_y,
		.clear_color = { f->clear[0], f->clear[1] }, .clear_z = f->clear[2],
		.clear_s = (u8)f->clear[3],
		.flags = f->flags & VC4_FRAME_CLEAR ? VC4_SUBMIT_CL_USE_CLEAR_COLOR : 0,
	};
	for (i = 0; i < VC4_NUM_SURFACES; i++)
		*to[i] = (struct drm_vc4_submit_rcl_surface){
			.hindex = f->surface[i].bo, .offset = f->surface[i].offset,
			.bits = f->surface[i].bits, .flags = f->surface[i].flags,
		};
}

/* Does a coordinate program have direct lookups? Linux does not wait for what they read. */
static bool reads_directly(const struct vg_job *j)
{
	u32 i, k;

	for (i = 0; i < j->nbos; i++) {
		const struct vc4_shader_info *s = &pool[max(j->shader[i], 0)];

		for (k = 0; j->shader[i] >= 0 && k < s->nlookups; k++)
			if (s->lookup[k].direct || s->lookup[k].after)
				return true;
	}
	return false;
}

static void compare_bin(struct tally *t, const struct vg_job *v, const struct vc4_val_job *j,
			const struct lx_job *l)
{
	u64 seqno = 0;
	u32 i, bytes = vc4_val_bytes(j);

	if (j->end - j->start != l->end - l->start)
		differ(t, "list's size", j->end - j->start, l->end - l->start);
	if (j->tiles_x != l->tiles_x || j->tiles_y != l->tiles_y || j->tile_lists != l->tile_lists)
		differ(t, "tiles", j->tile_lists, l->tile_lists);
	for (i = 0; i < bytes; i++)
		if (out[i] != lx_out[i] && (i >= v->list_bytes || i < j->end - j->start)) {
			differ(t, "byte of the job", i, lx_out[i]);
			break;
		}
	for (i = 0; i < j->nbos; i++)
		if (j->bo[i].use & VC4_USE_BIN)
			seqno = max(seqno, (u64)(i + 1));
	if (reads_directly(v) ? seqno < l->bin_seqno : seqno != l->bin_seqno)
		differ(t, "dependency", (u32)seqno, (u32)l->bin_seqno);
}

/* ---- render lists ---- */

/**
 * struct list - Linux's list, tile by tile.
 * @p:		next packet
 * @end:	end
 * @color:	address and bits of the rendering mode
 * @bits:	"
 */
struct list {
	const u8 *p;
	const u8 *end;
	u32 color;
	u32 bits;
};

/* An access: what, in the order of enum vc4_surface, or the tile list; address; bits. */
struct access {
	u32 kind;
	u32 va;
	u32 bits;
};

#define TILE_LIST	VC4_NUM_SURFACES
#define MAX_ACCESSES	8

/*
 * Accesses of a tile up to its last store, which is followed by the next tile, or the end.
 * Return: number, or 0: the list is over.
 */
static u32 next_tile(struct list *l, u32 *x, u32 *y, struct access *a)
{
	bool placed = false;
	u32 n = 0, op, word;

	while (l->p < l->end && n < MAX_ACCESSES) {
		const u8 *p = l->p + 1;

		op = l->p[0];
		switch (op) {
		case VC4_TILE:
			if (placed && (p[0] != *x || p[1] != *y))
				return n;
			placed = true;
			*x = p[0];
			*y = p[1];
			break;
		case VC4_LOAD_GENERAL:
		case VC4_LOAD_FULL:
			word = vc4_u32(p);
			if (op == VC4_LOAD_FULL && (word & 3) == 3)
				break;
			/* the first load of the next tile */
			if (n && a[n - 1].kind != VC4_COLOR_READ && a[n - 1].kind != VC4_ZS_READ)
				return n;
			a[n].kind = n ? VC4_ZS_READ : VC4_COLOR_READ;
			if (op == VC4_LOAD_GENERAL) {
				a[n].bits = vc4_u16(p);
				a[n++].va = vc4_u32(p + 2) & ~15U;
				break;
			}
			if (word & 1)
				a[n].kind = VC4_ZS_READ;
			a[n].bits = VC4_FULL_RES;
			a[n++].va = word & ~15U;
			break;
		case VC4_STORE_GENERAL:
			if (vc4_u16(p) & 7)
				a[n++] = (struct access){ VC4_ZS_WRITE, vc4_u32(p + 2) & ~15U,
							  vc4_u16(p) & 0x1fff };
			break;
		case VC4_STORE_FULL:
			word = vc4_u32(p);
			a[n].kind = word & 1 ? VC4_MSAA_ZS_WRITE : VC4_MSAA_COLOR_WRITE;
			a[n].bits = 0;
			a[n++].va = word & ~15U;
			break;
		case VC4_STORE_MS:
		case VC4_STORE_MS_EOF:
			a[n++] = (struct access){ VC4_COLOR_WRITE, l->color, l->bits };
			break;
		case VC4_BRANCH_SUB:
			a[n++] = (struct access){ TILE_LIST, vc4_u32(p), 0 };
			break;
		case VC4_RENDER_CONFIG:
			l->color = vc4_u32(p) & ~15U;
			l->bits = vc4_u16(p + 8);
			break;
		}
		l->p += vc4_packet_bytes(op);
	}
	return n;
}

/* A tile by the words of a job. */
static u32 described_tile(const u32 *w, u32 x, u32 y, struct access *a)
{
	static const u8 order[] = { VC4_COLOR_READ, VC4_ZS_READ, TILE_LIST, VC4_MSAA_COLOR_WRITE,
				    VC4_MSAA_ZS_WRITE, VC4_ZS_WRITE, VC4_COLOR_WRITE };
	u32 n = 0, i, tile = DIV_ROUND_UP(w[VC4_RENDER_SIZE] & 0xffff, 32) * y + x;

	for (i = 0; i < ARRAY_SIZE(order); i++) {
		const u32 *s = w + VC4_RENDER_SURFACES + 2 * order[i];

		if (order[i] == TILE_LIST) {
			if (w[VC4_RENDER_LISTS])
				a[n++] = (struct access){ TILE_LIST, w[VC4_RENDER_LISTS] + 32 *
							  (w[VC4_RENDER_COLUMNS] * y + x), 0 };
			continue;
		}
		if (!s[0])
			continue;
		a[n] = (struct access){ order[i], s[0], s[1] };
		if (s[1] & VC4_FULL_RES || order[i] >= VC4_MSAA_COLOR_WRITE)
			a[n].va += 16384 * tile;
		n++;
	}
	return n;
}

static void compare_frame(struct tally *t, const u32 *w, bool empty, const struct lx_job *l)
{
	u32 x = 0, y = 0, n, tiles = 0, range = w[VC4_RENDER_TILES], columns, rows;
	struct list list = { .p = l->rcl, .end = l->rcl + l->rcl_bytes };
	struct access a[MAX_ACCESSES] = {}, b[MAX_ACCESSES] = {};

	/* clear values, a tile and a store without a buffer */
	if (w[VC4_RENDER_FLAGS] & VC4_RENDER_CLEAR) {
		if (list.p[0] != VC4_CLEAR_COLORS || list.p[13] != (u8)w[VC4_RENDER_S] ||
		    memcmp(list.p + 1, w + VC4_RENDER_COLOR0, 12))
			differ(t, "clear values", w[VC4_RENDER_COLOR0], vc4_u32(list.p + 1));
		list.p += 14 + 3 + 7;
	}
	if (list.p[0] != VC4_RENDER_CONFIG || vc4_u32(list.p + 5) != w[VC4_RENDER_SIZE])
		differ(t, "rendering mode", w[VC4_RENDER_SIZE], vc4_u32(list.p + 5));
	if (vc4_u16(list.p + 9) % 2 != !!(w[VC4_RENDER_FLAGS] & VC4_RENDER_MS))
		differ(t, "samples", w[VC4_RENDER_FLAGS], vc4_u16(list.p + 9));
	while ((n = next_tile(&list, &x, &y, a))) {
		bool inside = !empty && x >= (range & 0xff) && y >= (range >> 8 & 0xff) &&
			      x <= (range >> 16 & 0xff) && y <= range >> 24;

		if (!inside)
			continue;
		tiles++;
		/* a lone load is that of colours for the reader of the list */
		if (a[0].kind == VC4_COLOR_READ && !w[VC4_RENDER_SURFACES + 2 * VC4_COLOR_READ])
			a[0].kind = VC4_ZS_READ;
		if (described_tile(w, x, y, b) != n || memcmp(a, b, n * sizeof(a[0]))) {
			differ(t, "accesses of a tile", x, y);
			return;
		}
	}
	columns = (range >> 16 & 0xff) - (range & 0xff) + 1;
	rows = (range >> 24) - (range >> 8 & 0xff) + 1;
	if (tiles != (empty ? 0 : columns * rows))
		differ(t, "tiles of the frame", tiles, columns * rows);
}

static void compare_job(struct tally *t, struct vg_job *v)
{
	u32 desc[VC4_RENDER_DESC_WORDS], i;
	struct vc4_val_bo bos[VG_MAX_BOS + 1] = {};
	struct lx_bo lx_bos[VG_MAX_BOS + 1] = {};
	struct drm_vc4_submit_cl args;
	struct vc4_refusal why = {};
	bool empty = false;
	struct vc4_val_job j = {
		.bo = bos, .nbos = v->nbos, .list = v->list, .list_bytes = v->list_bytes,
		.records = v->records, .record_bytes = v->record_bytes,
		.max_records = v->max_records, .uniforms = v->uniforms,
		.uniform_bytes = v->uniform_bytes, .out = out, .va = OUT_VA, .slot_va = SLOT_VA,
		.slot_bytes = SLOT_BYTES,
	};
	struct lx_job l = {
		.bo = lx_bos, .nbos = v->nbos, .list = v->list, .records = v->records,
		.uniforms = lx_uniforms, .out = lx_out, .va = OUT_VA, .slot_va = SLOT_VA,
		.slot_bytes = SLOT_BYTES, .args = &args,
	};
	int ours = 0, theirs;

	for (i = 0; i <= v->nbos; i++) {
		int s = v->shader[i];

		bos[i] = (struct vc4_val_bo){ .bytes = v->bytes[i], .va = v->va[i],
					      .shader = s < 0 ? NULL : &pool[s] };
		lx_bos[i] = (struct lx_bo){ .bytes = v->bytes[i], .va = v->va[i],
					    .shader = s < 0 ? NULL : &lx_pool[s], .seqno = i + 1 };
	}
	fill_args(v, &args);
	memset(out, 0, vc4_val_bytes(&j));
	memset(lx_out, 0, vc4_val_bytes(&j));
	/* Linux reads past the end */
	memcpy(lx_uniforms, v->uniforms, v->uniform_bytes);
	memset(lx_uniforms + v->uniform_bytes, 0, VG_MAX_BYTES);
	if (v->list_bytes)
		ours = vc4_validate_bin(&j, &why);
	if (!ours)
		ours = vc4_validate_render(&j, &v->frame, desc, &empty, &why);
	theirs = lx_job(&l);
	if (!verdict(t, ours, theirs, &why))
		return;
	if (v->list_bytes)
		compare_bin(t, v, &j, &l);
	compare_frame(t, desc, empty, &l);
}

static void random_jobs(u32 n)
{
	static struct vg_job job;
	struct tally t = {};
	u32 changes;

	while (t.cases < n) {
		if (t.cases % POOL_JOBS == 0)
			fill_pool();
		vg_job(&job, pool, POOL);
		for (changes = vg_rnd(5); changes > 1; changes--)
			vg_change_job(&job);
		compare_job(&t, &job);
	}
	report(&t, "random jobs: verdicts, lists, records, uniforms and frames are those of Linux");
}

/* Jobs that Mesa wrote, with its programs, as they are and with changes. */
static void recorded_jobs(u32 n)
{
	struct tally t = {}, whole = {};
	static struct vg_job job;
	struct vc4_refusal why;
	u32 i, changes;

	for (i = 0; i < recorded.nprograms; i++) {
		vc4_shader_info_done(&pool[i]);
		lx_done(&lx_pool[i]);
		load_program(i);
		if (vc4_validate_shader((const u32 *)words, 8 * VG_PAGE_INSNS, &pool[i], &why) ||
		    lx_shader(words, 8 * VG_PAGE_INSNS, &lx_pool[i])) {
			tap_result(false, "recorded program %u of jobs", i);
			return;
		}
	}
	for (i = 0; i < recorded.njobs; i++)
		compare_job(&whole, &recorded.job[i]);
	tap_result(i && whole.accepted == i && !whole.bad, "%u recorded jobs are valid", i);
	while (t.cases < n) {
		job = recorded.job[vg_rnd(recorded.njobs)];
		for (changes = vg_rnd(4); changes; changes--)
			vg_change_job(&job);
		compare_job(&t, &job);
	}
	report(&t, "recorded jobs with changes");
}

int main(int argc, char **argv)
{
	const char *effort = getenv("VC4_EFFORT"), *path = getenv("VC4_LINUX");
	u32 n = effort && !strcmp(effort, "long") ? 1000000 :
		effort && !strcmp(effort, "quick") ? 2000 : 20000, i;
	const char *corpus = getenv("VC4_CORPUS");
	char log[4096];
	void *library;
	u64 seed = 1;

	for (i = 1; i + 1 < (u32)argc; i++)
		if (!strcmp(argv[i], "--seed"))
			seed = strtoull(argv[i + 1], NULL, 0);
		else if (!strcmp(argv[i], "--count"))
			n = (u32)strtoul(argv[i + 1], NULL, 0);
	library = path ? dlopen(path, RTLD_NOW) : NULL;
	if (!library) {
		tap_skip("no kernel source: install linux-source-6.1", "validation beside Linux");
		return tap_done();
	}
	*(void **)&lx_shader = dlsym(library, "lx_shader_validate");
	*(void **)&lx_done = dlsym(library, "lx_shader_free");
	*(void **)&lx_job = dlsym(library, "lx_job_validate");
	if (!lx_shader || !lx_done || !lx_job) {
		tap_result(false, "functions of %s", path);
		return tap_done();
	}
	vg_seed(seed);
	random_programs(n);
	random_words(n / 4);
	random_jobs(n);
	snprintf(log, sizeof(log), "%s/mesa/vc4/ioctl.log", corpus ? corpus : "");
	if (vg_read_log(&recorded, log) && recorded.nprograms && recorded.njobs) {
		recorded_programs(n / 4);
		recorded_jobs(n / 4);
	} else {
		tap_skip("no CORPUS", "recorded programs and jobs");
	}
	return tap_done();
}
