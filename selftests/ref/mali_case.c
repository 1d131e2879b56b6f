// SPDX-License-Identifier: GPL-2.0
/* Cases of the Mali corpus: captured memory, programs, expected buffers. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mali_case.h"

#define NEW_CODE	0x10000000ull	/* and 1 << 24 above for a second one */
#define NEW_DATA	0x18000000ull
#define NEW_DATA_SIZE	0x10000u
#define NEW_SYSVALS	0x8000u

static char error[300];

const char *mcase_error(void)
{
	return error;
}

__attribute__((format(printf, 1, 2)))
static int fail(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(error, sizeof(error), fmt, ap);
	va_end(ap);
	return -1;
}

__attribute__((format(printf, 1, 2)))
static FILE *open_file(const char *fmt, ...)
{
	char path[1024];
	va_list ap;
	FILE *f;

	va_start(ap, fmt);
	vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	f = fopen(path, "r");
	if (!f)
		fail("cannot open %s", path);
	return f;
}

static uint32_t get32(const uint8_t *p)
{
	return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24;
}

static void put32(uint8_t *p, uint32_t v)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> (8 * i));
}

static uint64_t get64(const uint8_t *p)
{
	return get32(p) | (uint64_t)get32(p + 4) << 32;
}

static void put64(uint8_t *p, uint64_t v)
{
	put32(p, (uint32_t)v);
	put32(p + 4, (uint32_t)(v >> 32));
}

/* Runs of address, length, bytes, compressed. */
static int memory(struct mrf *g, const char *path)
{
	char cmd[1200];
	uint8_t head[16], *to;
	uint64_t n;
	FILE *f;
	int ret = 0;

	if (strpbrk(path, "'\\"))
		return fail("file name %s", path);
	snprintf(cmd, sizeof(cmd), "gzip -dc '%s'", path);
	f = popen(cmd, "r");
	if (!f)
		return fail("cannot run gzip");
	while (!ret && fread(head, 1, 16, f) == 16) {
		n = get64(head + 8);
		to = mrf_at(g, get64(head), n);
		if (!to || fread(to, 1, n, f) != n)
			ret = fail("%s: run at %llx", path, (unsigned long long)get64(head));
	}
	if (pclose(f) && !ret)
		ret = fail("%s: gzip fails", path);
	return ret;
}

int mcase_capture(struct mrf *g, const char *dir, const char *gpu, const char *name,
		  unsigned int submit, uint64_t *chain)
{
	unsigned long long a, size;
	char line[256], path[1024];
	int ret = 0;
	FILE *f;

	f = open_file("%s/capture/%s/%s.submit%02u.txt", dir, gpu, name, submit);
	if (!f)
		return -1;
	*chain = 0;
	while (!ret && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "jc %llx", &a) == 1)
			*chain = a;
		else if (sscanf(line, "bo %llx size %llx", &a, &size) == 2 &&
			 !mrf_map(g, a, size))
			ret = fail("BO %llx", a);
	}
	fclose(f);
	if (ret)
		return ret;
	snprintf(path, sizeof(path), "%s/capture/%s/%s.submit%02u.mem.gz", dir, gpu, name,
		 submit);
	return memory(g, path);
}

void mcase_prog_free(struct mprog *p)
{
	free(p->words);
	memset(p, 0, sizeof(*p));
}

/* message0 enabled 1 varying 0 fp16 0 comps 2 texture 0 ... */
static bool message(struct mprog *p, const char *line)
{
	unsigned int n, on, varying, half, comps, texture;

	if (sscanf(line, "message%u enabled %u varying %u fp16 %u comps %u texture %u", &n, &on,
		   &varying, &half, &comps, &texture) != 6)
		return false;
	if (on)
		p->messages |= ((texture ? 2 : 1) | varying << 4 | half << 9 |
				(comps - 1) << 11) << (16 * (n & 1));
	return true;
}

static int listing(struct mprog *p, FILE *f)
{
	unsigned int n, a, b;
	unsigned long long v;
	char line[512];

	while (fgets(line, sizeof(line), f) && strncmp(line, "[disassembly]", 13)) {
		if (sscanf(line, "preload %llx", &v) == 1) {
			p->preload = v;
		} else if (sscanf(line, "ubo_count %u", &a) == 1) {
			p->nubos = a;
		} else if (sscanf(line, "first_tag %u", &a) == 1) {
			p->first_tag = a;
		} else if (sscanf(line, "work_regs %u", &a) == 1) {
			p->work_regs = a;
		} else if (sscanf(line, "idvs %*u secondary %u offset %u", &a, &b) == 2) {
			p->second = a ? b : 0;
		} else if (message(p, line)) {
			continue;
		} else if (sscanf(line, "push %u ubo %u offset %u", &n, &a, &b) == 3) {
			if (n >= MPROG_PUSH)
				return fail("pushed word %u", n);
			p->push[n].ubo = a;
			p->push[n].offset = b;
			p->npush = n + 1;
		} else if (sscanf(line, "sysval %u type %u id %u", &n, &a, &b) == 3) {
			if (n >= MPROG_SYSVALS)
				return fail("system value %u", n);
			p->sysval[n].type = a;
			p->sysval[n].id = b;
			p->nsysvals = n + 1;
		}
	}
	return 0;
}

int mcase_clear_color(uint32_t arch, const char *dir, const char *gpu, const char *name,
		      uint32_t *color)
{
	struct mrf g = { .arch = arch };
	uint64_t chain;
	int ret;

	ret = mcase_capture(&g, dir, gpu, name, 1, &chain);
	if (!ret && !mrf_clear_color(&g, chain, color))
		ret = -1;
	mrf_free(&g);
	return ret;
}

int mcase_prog(struct mprog *p, const char *dir, const char *gpu, const char *name,
	       const char *stage)
{
	unsigned int w, room = 0;
	FILE *f;
	int ret;

	memset(p, 0, sizeof(*p));
	f = open_file("%s/bin/%s/%s.%s.txt", dir, gpu, name, stage);
	if (!f)
		return -1;
	ret = listing(p, f);
	fclose(f);
	if (ret)
		return ret;
	f = open_file("%s/bin/%s/%s.%s.hex", dir, gpu, name, stage);
	if (!f)
		return -1;
	while (fscanf(f, "%x", &w) == 1) {
		if (p->nwords == room) {
			room = room ? 2 * room : 1024;
			p->words = realloc(p->words, 4 * room);
		}
		p->words[p->nwords++] = w;
	}
	fclose(f);
	return p->nwords ? 0 : fail("%s: no program for %s", name, gpu);
}

/* Where the captured program has the driver's value number @n of @to. */
static int sysval_index(const struct mprog *from, const struct mprog *to, unsigned int n)
{
	unsigned int k;

	for (k = 0; n < to->nsysvals && k < from->nsysvals; k++)
		if (from->sysval[k].type == to->sysval[n].type &&
		    from->sysval[k].id == to->sysval[n].id)
			return (int)k;
	return fail("no system value number %u in the capture", n);
}

static int sysvals(const struct mprog *from, const struct mprog *to, const uint8_t *old,
		   uint8_t *out)
{
	unsigned int i;
	int k;

	for (i = 0; i < to->nsysvals; i++) {
		k = sysval_index(from, to, i);
		if (k < 0)
			return -1;
		memcpy(out + 16 * i, old + 16 * k, 16);
	}
	return 0;
}

/*
 * Find a word for @to's push list: among the words pushed for the captured program, or in
 * a UBO, which the driver omits if all its used words are pushed.
 */
static int push_word(struct mrf *g, const struct mprog *from, const struct mprog *to,
		     const uint8_t *old, const uint8_t *ubos, unsigned int n, uint8_t *out)
{
	unsigned int ubo = to->push[n].ubo, offset = to->push[n].offset, i;
	const uint8_t *p;
	uint64_t base;
	int k;

	if (ubo >= to->nubos)
		return fail("pushed word %u", n);
	if (to->nsysvals && ubo == to->nubos - 1) {
		k = sysval_index(from, to, offset / 16);
		if (k < 0)
			return -1;
		offset = 16 * (unsigned int)k + offset % 16;
	}
	for (i = 0; i < from->npush; i++)
		if (from->push[i].ubo == ubo && from->push[i].offset == offset) {
			memcpy(out, old + 4 * i, 4);
			return 0;
		}
	base = get64(ubos + 8 * ubo) >> 12 << 4;
	p = base ? mrf_at(g, base + offset, 4) : NULL;
	if (!p)
		return fail("pushed word %u is not in the capture", n);
	memcpy(out, p, 4);
	return 0;
}

uint64_t mcase_draw(struct mrf *g, uint64_t chain, bool fragment)
{
	uint64_t job = chain, draw = 0;
	unsigned int n, type;
	const uint8_t *p;

	for (n = 0; job && n < 100; n++) {
		p = mrf_at(g, job, 32);
		if (!p)
			return 0;
		type = get32(p + 16) >> 1 & 127;
		if (fragment && (type == 7 || type == 10))
			draw = job + (g->arch == 5 ? 64 : 128);
		else if (!fragment && (type == 4 || type == 5))
			draw = job + 64;
		else if (!fragment && type == 10)
			draw = job + 256;
		job = get64(p + 24);
	}
	return draw;
}

uint32_t mcase_pixels(const struct mrf *g, const struct mrf *like)
{
	uint32_t i, k, n = 0;
	bool bad;

	for (i = 0; i < g->width * g->height; i++) {
		for (bad = false, k = 0; k < 32; k += 8)
			bad |= abs((int)(g->fb[i] >> k & 255) - (int)(like->fb[i] >> k & 255)) > 1;
		n += bad;
	}
	return n;
}

/* Program-dependent fields of the renderer state. */
static void put_state(uint8_t *rsd, const struct mprog *from, const struct mprog *to,
		      uint64_t code)
{
	put64(rsd, code);
	if (from->second || to->second)
		put64(rsd + 56, to->second ? code + to->second : 0);
	else if (from->messages || to->messages)
		put32(rsd + 60, to->messages);
	put32(rsd + 48, ((to->npush + 1) / 2) << 15 | (uint32_t)(to->preload >> 48 & 0x7fc0));
}

/* Keep the number of work registers that a blend program may need. */
static void put_midgard_state(uint8_t *rsd, const struct mprog *to, uint64_t code)
{
	uint32_t w = get32(rsd + 16), work = w >> 16 & 31;

	if (work < to->work_regs)
		work = to->work_regs;
	put64(rsd, code | to->first_tag);
	put32(rsd + 16, (w & ~0x3ff0000u) | work << 16 | (to->npush + 3) / 4 << 21);
}

int mcase_replace(struct mrf *g, uint64_t draw, const struct mprog *from,
		  const struct mprog *to)
{
	uint8_t *dcd = mrf_at(g, draw, 128), *rsd, *ubos, *last, *p, *data, *push;
	uint64_t code = NEW_CODE, at = NEW_DATA;
	unsigned int i;

	if (!dcd || from->nubos != to->nubos)
		return fail("job or number of UBOs");
	rsd = mrf_at(g, get64(dcd + 56), 64);
	ubos = mrf_at(g, get64(dcd + 24), 8 * to->nubos);
	push = mrf_at(g, get64(dcd + 48), 4 * from->npush);
	if (mrf_at(g, code, 16)) {
		code += 1 << 24;
		at += 1 << 24;
	}
	if (!rsd || (to->nubos && !ubos) || (from->npush && !push) ||
	    !mrf_map(g, code, 4 * to->nwords + 256) ||
	    !mrf_map(g, at, NEW_DATA_SIZE))
		return fail("descriptors or memory");
	p = mrf_at(g, code, 4 * to->nwords);
	for (i = 0; i < to->nwords; i++)
		put32(p + 4 * i, to->words[i]);
	data = mrf_at(g, at, NEW_DATA_SIZE);
	for (i = 0; i < to->npush; i++)
		if (push_word(g, from, to, push, ubos, i, data + 4 * i))
			return -1;
	if (to->nsysvals) {
		last = ubos + 8 * (to->nubos - 1);
		p = mrf_at(g, get64(last) >> 12 << 4, 16 * from->nsysvals);
		if (p && sysvals(from, to, p, data + NEW_SYSVALS))
			return -1;
		if (p)
			put64(last, (to->nsysvals - 1) | (at + NEW_SYSVALS) >> 4 << 12);
	}
	put64(dcd + 48, at);
	if (g->arch == 5)
		put_midgard_state(rsd, to, code);
	else
		put_state(rsd, from, to, code);
	return 0;
}

static double relative(uint32_t a, uint32_t b)
{
	float x, y;

	memcpy(&x, &a, 4);
	memcpy(&y, &b, 4);
	if (a == b)
		return 0;
	if (!isfinite(x) || !isfinite(y))
		return INFINITY;
	return fabs((double)x - y) / fmax(fabs(y), 1e-30);
}

static void compare_word(struct mresult *res, unsigned int n, uint32_t got, uint32_t want)
{
	unsigned int i, d;
	double rel = relative(got, want);

	res->words++;
	if (got == want)
		return;
	if (!res->differing++) {
		res->first = n;
		res->got = got;
		res->want = want;
	}
	if (getenv("MALI_SHOW"))
		printf("# word %u: %08x, expected %08x\n", n, got, want);
	if (rel > res->rel)
		res->rel = rel;
	for (i = 0; i < 32; i += 8) {
		d = (unsigned int)abs((int)(got >> i & 255) - (int)(want >> i & 255));
		if (d > res->byte)
			res->byte = d;
	}
}

/* Where the output @kind number @n of the first submit is. */
static int where(const char *dir, const char *gpu, const char *name, const char *kind,
		 unsigned int n, uint64_t *va)
{
	char line[256], k[16];
	unsigned long long a;
	unsigned int i;
	FILE *f;

	f = open_file("%s/capture/%s/%s.io.txt", dir, gpu, name);
	if (!f)
		return -1;
	*va = 0;
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "%*s %*s %15s %u addr %llx", k, &i, &a) == 3 &&
		    !strcmp(k, strcmp(kind, "tf") ? kind : "xfb") && i == n)
			*va = a;
	fclose(f);
	return *va ? 0 : fail("no address of %s %u", kind, n);
}

static int framebuffer(struct mrf *g, FILE *f, unsigned int count, struct mresult *res)
{
	unsigned int i, per = count == 4 * g->width * g->height ? 4 : 1;
	uint32_t w, v;

	/* integers are read back as four components, only one of which is rendered */
	if (count != per * g->width * g->height)
		return fail("framebuffer of %u x %u", g->width, g->height);
	for (i = 0; i < count; i++) {
		if (fscanf(f, "%x", &w) != 1)
			return fail("framebuffer, word %u", i);
		v = g->fb[i / per];
		if (i % per)
			v = i % per == 3;
		compare_word(res, i, v, w);
	}
	return 0;
}

int mcase_compare(struct mrf *g, const char *dir, const char *gpu, const char *name,
		  struct mresult *res)
{
	unsigned int n, count, i;
	char line[256], kind[16];
	uint64_t va;
	uint32_t w;
	uint8_t *p;
	int ret = 0;
	FILE *f;

	memset(res, 0, sizeof(*res));
	f = open_file("%s/expect/%s.txt", dir, name);
	if (!f)
		return -1;
	while (!ret && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%15s %u %u", kind, &n, &count) != 3 ||
		    (strcmp(kind, "ssbo") && strcmp(kind, "tf") && strcmp(kind, "fb")))
			continue;
		if (!strcmp(kind, "fb")) {
			ret = framebuffer(g, f, count, res);
			continue;
		}
		ret = where(dir, gpu, name, kind, n, &va);
		for (i = 0; !ret && i < count; i++) {
			p = mrf_at(g, va + 4 * i, 4);
			if (!p || fscanf(f, "%x", &w) != 1)
				ret = fail("%s %u: word %u", kind, n, i);
			else
				compare_word(res, i, get32(p), w);
		}
	}
	fclose(f);
	if (!ret && !res->words)
		ret = fail("%s: nothing to compare", name);
	return ret;
}

int mcase_exact(const char *dir, const char *name, bool *exact)
{
	char line[256], n[64], class[32];
	FILE *f = open_file("%s/expect/index.txt", dir);
	int ret = fail("%s is not in the index", name);

	if (!f)
		return -1;
	while (ret && fgets(line, sizeof(line), f))
		if (sscanf(line, "%63s %31s", n, class) == 2 && !strcmp(n, name)) {
			*exact = !strcmp(class, "exact");
			ret = 0;
		}
	fclose(f);
	return ret;
}
