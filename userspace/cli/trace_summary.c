// SPDX-License-Identifier: MIT
/*
 * Summaries of a run: the instructions that are executed most, divergence, the memory rows that
 * are accessed most; listings of the programs with the heat of each instruction.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "coverage.h"
#include "trace.h"

#define ROW_BYTES	64u	/* of a memory row: a cache line of these GPUs */
#define MOST_ROWS	16u	/* printed of each table */
#define BAR		20

/**
 * struct row - accesses to ROW_BYTES of memory
 * @va: address; a row is in use if @reads or @writes is not 0
 * @region: memory region of the file, NULL: none
 * @offset: of the row in @region
 * @reads: accesses that read
 * @writes: accesses that write
 */
struct row {
	uint64_t va;
	const char *region;
	uint64_t offset;
	uint64_t reads;
	uint64_t writes;
};

/**
 * struct memory - accesses of a run
 * @rows: hash table by address
 * @n: rows in use
 * @max: size of @rows, a power of two
 * @reads: accesses that read
 * @writes: accesses that write
 * @read_bytes: bytes of @reads
 * @written_bytes: bytes of @writes
 * @missing: some accesses found no room in the trace
 */
struct memory {
	struct row *rows;
	size_t n;
	size_t max;
	uint64_t reads;
	uint64_t writes;
	uint64_t read_bytes;
	uint64_t written_bytes;
	bool missing;
};

/** struct hot - an instruction with its program, for sorting */
struct hot {
	uint32_t program;
	struct coverage_row k;
};

/* ---- memory ---- */

static struct row *find_row(struct row *rows, size_t max, uint64_t va)
{
	size_t i = (size_t)((va / ROW_BYTES) * 0x9e3779b97f4a7c15ull >> 20) & (max - 1);

	while ((rows[i].reads || rows[i].writes) && rows[i].va != va)
		i = (i + 1) & (max - 1);
	return &rows[i];
}

static bool grow_rows(struct memory *m)
{
	size_t i, max = m->max ? 2 * m->max : 1024;
	struct row *rows = calloc(max, sizeof(*rows));

	if (!rows)
		return false;
	for (i = 0; i < m->max; i++) {
		if (m->rows[i].reads || m->rows[i].writes)
			*find_row(rows, max, m->rows[i].va) = m->rows[i];
	}
	free(m->rows);
	m->rows = rows;
	m->max = max;
	return true;
}

static bool count_row(struct dbg *d, struct memory *m, uint64_t va, bool read, bool write)
{
	struct row *row;

	if (2 * m->n >= m->max && !grow_rows(m))
		return false;
	row = find_row(m->rows, m->max, va);
	if (!row->reads && !row->writes) {
		m->n++;
		row->va = va;
		row->region = dbg_region_at(d, va, &row->offset);
	}
	row->reads += read;
	row->writes += write;
	return true;
}

static int count_access(struct dbg *d, void *arg, const struct drm_vshader_debug_trace_record *r)
{
	bool read = r->flags & DRM_VSHADER_DEBUG_RECORD_READ;
	bool write = r->flags & DRM_VSHADER_DEBUG_RECORD_WRITE;
	uint64_t va = r->va & ~(uint64_t)(ROW_BYTES - 1);
	uint64_t rows = r->size ? (r->va - va + r->size - 1) / ROW_BYTES + 1 : 0;
	struct memory *m = arg;

	m->missing |= !!(r->flags & DRM_VSHADER_DEBUG_RECORD_MISSING);
	m->reads += read;
	m->writes += write;
	m->read_bytes += read ? r->size : 0;
	m->written_bytes += write ? r->size : 0;
	for (; rows; rows--, va += ROW_BYTES) {
		if ((read || write) && !count_row(d, m, va, read, write))
			return dbg_error(d, "out of memory");
	}
	return 0;
}

/* Rows with most accesses first. */
static int compare_rows(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	uint64_t nx = x->reads + x->writes, ny = y->reads + y->writes;

	if (nx != ny)
		return nx < ny ? 1 : -1;
	return x->va < y->va ? -1 : x->va > y->va;
}

static void print_row(const struct row *row, FILE *f)
{
	fprintf(f, "  %10" PRIu64 " %10" PRIu64 "  0x%" PRIx64, row->reads, row->writes, row->va);
	if (row->region)
		fprintf(f, "  %s + %" PRIu64, row->region, row->offset);
	putc('\n', f);
}

static void print_memory(struct memory *m, FILE *f)
{
	size_t i;

	fprintf(f, "memory: %" PRIu64 " reads of %" PRIu64 " bytes, %" PRIu64 " writes of %" PRIu64
		" bytes, %zu rows of %u bytes%s\n", m->reads, m->read_bytes, m->writes,
		m->written_bytes, m->n, ROW_BYTES, m->missing ? "; some accesses are missing" : "");
	if (!m->n)
		return;
	qsort(m->rows, m->max, sizeof(*m->rows), compare_rows);
	fprintf(f, "  %10s %10s  row\n", "reads", "writes");
	for (i = 0; i < m->n && i < MOST_ROWS; i++)
		print_row(&m->rows[i], f);
	if (m->n > MOST_ROWS)
		fprintf(f, "  ... %zu more\n", m->n - MOST_ROWS);
}

/* ---- instructions ---- */

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

static int compare_hot(const void *a, const void *b)
{
	const struct hot *x = a, *y = b;

	if (x->k.lanes != y->k.lanes)
		return x->k.lanes < y->k.lanes ? 1 : -1;
	if (x->program != y->program)
		return x->program < y->program ? -1 : 1;
	return x->k.pc < y->k.pc ? -1 : x->k.pc > y->k.pc;
}

/* All executed instructions, hottest first; to be freed. */
static struct hot *get_hot(struct coverage *c, size_t *num)
{
	struct hot *list = NULL, *more;
	struct coverage_row k;
	size_t n = 0, room = 0;
	uint32_t p, i;
	char name[8];

	for (p = 0; coverage_name(c, p, name, sizeof(name)); p++) {
		for (i = 0; coverage_row(c, p, i, &k); i++) {
			if (!k.times)
				continue;
			if (n == room) {
				room = room ? 2 * room : 64;
				more = realloc(list, room * sizeof(*list));
				if (!more) {
					free(list);
					return NULL;
				}
				list = more;
			}
			list[n++] = (struct hot){ .program = p, .k = k };
		}
	}
	if (n)
		qsort(list, n, sizeof(*list), compare_hot);
	*num = n;
	return n ? list : calloc(1, sizeof(*list));
}

/* The same numbers for a program, or for all with @program UINT32_MAX. */
static struct coverage_row total(const struct hot *list, size_t n, uint32_t program)
{
	struct coverage_row sum = { };
	size_t i;

	for (i = 0; i < n; i++) {
		if (program != UINT32_MAX && list[i].program != program)
			continue;
		sum.times += list[i].k.times;
		sum.lanes += list[i].k.lanes;
		sum.room += list[i].k.room;
		sum.divergent += list[i].k.divergent;
	}
	return sum;
}

static void print_head(const char *last, FILE *f)
{
	fprintf(f, "  %6s %10s %12s %10s %8s  %s\n", "share", "executed", "invocations",
		"divergent", "in use", last);
}

static void print_counts(const struct coverage_row *k, uint64_t all, FILE *f)
{
	fprintf(f, "  %5.1f%% %10" PRIu64 " %12" PRIu64 " %10" PRIu64 " %7.1f%%",
		percent(k->lanes, all), k->times, k->lanes, k->divergent,
		percent(k->lanes, k->room));
}

static void print_programs(struct coverage *c, const struct hot *list, size_t n, FILE *f)
{
	struct coverage_row sum = total(list, n, UINT32_MAX);
	char name[256];
	uint32_t p;

	fprintf(f, "programs: %" PRIu64 " executions by %" PRIu64 " invocations\n", sum.times,
		sum.lanes);
	print_head("program", f);
	for (p = 0; coverage_name(c, p, name, sizeof(name)); p++) {
		struct coverage_row k = total(list, n, p);

		print_counts(&k, sum.lanes, f);
		fprintf(f, "  %s\n", name);
	}
}

static void print_hot(struct coverage *c, const struct hot *list, size_t n, FILE *f)
{
	uint64_t all = total(list, n, UINT32_MAX).lanes;
	char name[256];
	size_t i;

	fprintf(f, "hot instructions: %zu executed\n", n);
	print_head("instruction", f);
	for (i = 0; i < n && i < MOST_ROWS; i++) {
		const struct coverage_row *k = &list[i].k;

		coverage_name(c, list[i].program, name, sizeof(name));
		print_counts(k, all, f);
		fprintf(f, "  %s:0x%x: %s\n", name, k->pc, k->text ? k->text : "");
	}
	if (n > MOST_ROWS)
		fprintf(f, "  ... %zu more\n", n - MOST_ROWS);
}

/* ---- heat ---- */

static void print_bar(uint64_t lanes, uint64_t most, FILE *f)
{
	int i, len = (int)((double)BAR * (double)lanes / (double)(most ? most : 1) + 0.5);

	for (i = 0; i < BAR; i++)
		putc(i < len || (!i && lanes) ? '#' : ' ', f);
}

static void print_heat_row(const struct coverage_row *k, const struct coverage_row *sum,
			   uint64_t most, const char *text, FILE *f)
{
	if (!k) {
		fprintf(f, "%*s  %s\n", BAR + 21, "", text);
	} else if (!k->times) {
		fprintf(f, "%*s %12s  %s\n", BAR + 8, "", "-", text);
	} else {
		fprintf(f, "%6.1f%% ", percent(k->lanes, sum->lanes));
		print_bar(k->lanes, most, f);
		fprintf(f, " %12" PRIu64 "  %s\n", k->lanes, text);
	}
}

/* The lines of a listing: instructions have their heat, labels and directives have none. */
static void print_listing(struct coverage *c, uint32_t n, const struct dbg_code *code,
			  const struct coverage_row *sum, uint64_t most, FILE *f)
{
	uint32_t line, i = 0;
	struct coverage_row k;

	for (line = 0; line < code->listing.num_lines; line++) {
		bool insn = i < code->num_insns && code->insns[i].line == line + 1;

		if (insn)
			coverage_row(c, n, i++, &k);
		print_heat_row(insn ? &k : NULL, sum, most, code->listing.lines[line], f);
	}
}

/* Code in memory: there is no listing of what was not executed. */
static void print_executed(struct coverage *c, uint32_t n, const struct coverage_row *sum,
			   uint64_t most, FILE *f)
{
	struct coverage_row k;
	char text[512];
	uint32_t i;

	for (i = 0; coverage_row(c, n, i, &k); i++) {
		snprintf(text, sizeof(text), "0x%04x: %s", k.pc, k.text ? k.text : "");
		print_heat_row(&k, sum, most, text, f);
	}
}

static void print_heat(struct coverage *c, FILE *f)
{
	const struct dbg_code *code;
	struct coverage_row k, sum;
	uint64_t most;
	uint32_t n, i;
	char name[256];

	for (n = 0; coverage_name(c, n, name, sizeof(name)); n++) {
		sum = (struct coverage_row){ };
		most = 0;
		for (i = 0; coverage_row(c, n, i, &k); i++) {
			sum.lanes += k.lanes;
			most = k.lanes > most ? k.lanes : most;
		}
		fprintf(f, "heat of %s: %" PRIu64 " executions by invocations\n", name, sum.lanes);
		code = coverage_code(c, n);
		if (code && !code->words)
			print_listing(c, n, code, &sum, most, f);
		else
			print_executed(c, n, &sum, most, f);
	}
}

static int print_summary(struct coverage *c, struct memory *m, FILE *f)
{
	size_t n = 0;
	struct hot *list = get_hot(c, &n);

	if (!list)
		return fail("out of memory");
	print_programs(c, list, n, f);
	print_hot(c, list, n, f);
	print_memory(m, f);
	free(list);
	return 0;
}

int trace_summary(const char *path, const char *device, bool summary, bool heat, FILE *f)
{
	struct memory m = { };
	const struct coverage_memory memory = { count_access, &m };
	struct coverage *c = coverage_run(path, device, summary ? &memory : NULL);
	int ret = EXIT_USAGE;

	if (c) {
		ret = summary ? print_summary(c, &m, f) : 0;
		if (heat)
			print_heat(c, f);
		ret = ret ? ret : coverage_status(c, path);
		coverage_free(c);
	}
	free(m.rows);
	return ret;
}
