// SPDX-License-Identifier: GPL-2.0
/*
 * Operations, pack and unpack modes against results recorded on hardware (in the corpus:
 * third-party data) and against vectors of our own, worked out from the rules.
 */
#include <stdlib.h>
#include <string.h>

#include "../include/tap.h"
#include "../pica/json_util.h"
#include "../ref/qpu_ref_num.h"
#include "opjob.h"
#include "vectors.h"

#define MAX_ROWS	1024
#define SHOWN		5

struct operation {
	const char *name;
	bool mul;
	unsigned int op;
};

static const struct operation operations[] = {
	{ "FADD", 0, 1 }, { "FSUB", 0, 2 }, { "FMIN", 0, 3 }, { "FMAX", 0, 4 },
	{ "FMINABS", 0, 5 }, { "FMAXABS", 0, 6 }, { "FTOI", 0, 7 }, { "ITOF", 0, 8 },
	{ "ADD", 0, 12 }, { "SUB", 0, 13 }, { "SHR", 0, 14 }, { "ASR", 0, 15 },
	{ "ROR", 0, 16 }, { "SHL", 0, 17 }, { "MIN", 0, 18 }, { "MAX", 0, 19 },
	{ "AND", 0, 20 }, { "OR", 0, 21 }, { "XOR", 0, 22 }, { "NOT", 0, 23 },
	{ "CLZ", 0, 24 }, { "V8ADDS", 0, 30 }, { "V8SUBS", 0, 31 }, { "FMUL", 1, 1 },
	{ "MUL24", 1, 2 }, { "V8MULD", 1, 3 }, { "V8MIN", 1, 4 }, { "V8MAX", 1, 5 },
};

#define NUM_OPERATIONS	(sizeof(operations) / sizeof(operations[0]))

/* Names of the pack modes 1..15 in the recording: T wraps, S saturates. */
static const char *const pack_names[15] = {
	"16aT", "16bT", "8repT", "8aT", "8bT", "8cT", "8dT", "32S", "16aS", "16bS", "8repS",
	"8aS", "8bS", "8cS", "8dS",
};

struct facts {
	uint32_t a[MAX_ROWS];
	uint32_t b[MAX_ROWS];
	uint32_t want[MAX_ROWS][OPJOB_ROWS];
	unsigned int n;
};

/* Result of a comparison. */
struct tally {
	unsigned long compared;
	unsigned long wrong;
};

static void check(struct tally *t, uint32_t got, uint32_t want, const char *what,
		  unsigned int row, uint32_t a, uint32_t b)
{
	t->compared++;
	if (got == want)
		return;
	if (t->wrong++ < SHOWN)
		tap_comment("%s row %u of %08x %08x: %08x, expected %08x", what, row, a, b, got,
			    want);
}

/* Words of a string of hexadecimal columns. */
static unsigned int columns(const char *text, uint32_t *out, unsigned int max)
{
	unsigned int n = 0;
	char *end;

	while (n < max) {
		out[n] = (uint32_t)strtoul(text, &end, 16);
		if (end == text)
			break;
		n++;
		text = end;
	}
	return n;
}

static struct json_object *facts_root;
static unsigned int pack_column[15];

static bool load_file(const char *corpus)
{
	struct json_object *names;
	char path[512];
	unsigned int i, j;
	int n;

	snprintf(path, sizeof(path), "%s/qpu/hw_facts.json", corpus);
	facts_root = ju_load(path);
	n = facts_root ? ju_array(facts_root, "columns_pack", &names) : -1;
	for (i = 0; n > 0 && i < 15; i++) {
		for (j = 0; j < (unsigned int)n; j++) {
			if (!strcmp(json_object_get_string(json_object_array_get_idx(names, j)),
				    pack_names[i]))
				pack_column[i] = j;
		}
		if (!pack_column[i])
			return false;
	}
	return n > 0;
}

/* Rows of an operation or of the unpack table as text. */
static int rows_of(const char *table, const char *name, struct json_object **rows)
{
	struct json_object *t = name ? ju_get(facts_root, table) : facts_root;

	return t ? ju_array(t, name ? name : table, rows) : -1;
}

static const char *row_text(struct json_object *rows, unsigned int i)
{
	return json_object_get_string(json_object_array_get_idx(rows, i));
}

static bool load_facts(const struct operation *o, struct facts *f)
{
	struct json_object *ops, *packs;
	int n = rows_of("op", o->name, &ops), m = rows_of("pack", o->name, &packs);
	uint32_t col[18];
	unsigned int i, k;
	const char *flags;

	if (n <= 0 || n != m || n > MAX_ROWS)
		return false;
	f->n = (unsigned int)n;
	for (i = 0; i < f->n; i++) {
		if (columns(row_text(ops, i), col, 3) != 3)
			return false;
		f->a[i] = col[0];
		f->b[i] = col[1];
		f->want[i][OPJOB_RESULT] = col[2];
		flags = strrchr(row_text(ops, i), ' ');
		for (k = 0; k < 3; k++)
			f->want[i][OPJOB_Z + k] = !!strchr(flags, "znc"[k]);
		if (columns(row_text(packs, i), col, 18) != 18 || col[0] != f->a[i] ||
		    col[1] != f->b[i])
			return false;
		for (k = 0; k < 15; k++)
			f->want[i][OPJOB_PACK + k] = col[pack_column[k]];
	}
	return true;
}

/* The reference's functions alone, without a program around them. */
static void call_reference(const struct operation *o, const struct facts *f,
			   uint32_t (*out)[OPJOB_ROWS])
{
	struct qpu_ref_val v;
	unsigned int i, k;

	for (i = 0; i < f->n; i++) {
		if (o->mul)
			qpu_ref_mul_op(o->op, f->a[i], f->b[i], &v);
		else
			qpu_ref_add_op(o->op, f->a[i], f->b[i], &v);
		out[i][OPJOB_RESULT] = v.v;
		out[i][OPJOB_Z] = v.z;
		out[i][OPJOB_N] = v.n;
		out[i][OPJOB_C] = v.c;
		for (k = 1; k < 16; k++)
			out[i][OPJOB_PACK + k - 1] = qpu_ref_pack_a(k, &v, 0);
	}
}

static void compare_operation(const struct operation *o, const struct facts *f,
			      uint32_t (*got)[OPJOB_ROWS], struct tally *rows,
			      struct tally *packs)
{
	unsigned int i, k;
	char what[32];

	for (i = 0; i < f->n; i++) {
		for (k = 0; k < OPJOB_ROWS; k++) {
			/* Flags of the multiplier were not recorded properly. */
			if (o->mul && k >= OPJOB_Z && k <= OPJOB_C)
				continue;
			snprintf(what, sizeof(what), "%s %s", o->name,
				 k >= OPJOB_PACK ? pack_names[k - OPJOB_PACK] : "");
			check(k >= OPJOB_PACK ? packs : rows, got[i][k], f->want[i][k], what, k,
			      f->a[i], f->b[i]);
		}
	}
}

/* All operations; @ex: executor, or ~0 for the reference's functions. */
static void recorded_operations(unsigned int ex, const char *name)
{
	static uint32_t got[MAX_ROWS][OPJOB_ROWS];
	static struct facts f;
	struct tally rows = { 0 }, packs = { 0 };
	unsigned int i, failed = 0, lines = 0;
	struct qx_result res = { 0 };

	for (i = 0; i < NUM_OPERATIONS; i++) {
		if (!load_facts(&operations[i], &f)) {
			tap_comment("%s: rows not readable: %s", operations[i].name, ju_error());
			failed++;
			continue;
		}
		lines += f.n;
		if (ex == ~0u)
			call_reference(&operations[i], &f, got);
		else
			opjob_run(ex, operations[i].mul, operations[i].op, f.a, f.b, f.n, got,
				  &res);
		if (res.status) {
			tap_comment("%s: %s %s", operations[i].name, qx_status_name(res.status),
				    res.refused ? res.refused : "");
			failed++;
			continue;
		}
		compare_operation(&operations[i], &f, got, &rows, &packs);
	}
	tap_result(!failed && !rows.wrong && lines == 5460,
		   "%s: %u operation rows as recorded on hardware: %lu of %lu values differ", name,
		   lines, rows.wrong, rows.compared);
	tap_result(!failed && !packs.wrong, "%s: packs as recorded on hardware: %lu of %lu differ",
		   name, packs.wrong, packs.compared);
}

static void recorded_unpacks(unsigned int ex, const char *name)
{
	static uint32_t got[MAX_ROWS][OPJOB_UNPACK_ROWS];
	uint32_t a[MAX_ROWS] = { 0 }, col[16];
	struct tally t = { 0 };
	struct qx_result res = { 0 };
	struct json_object *rows;
	int n = rows_of("unpack", NULL, &rows), i, k;

	for (i = 0; i < n; i++)
		columns(row_text(rows, i), &a[i], 1);
	if (ex != ~0u)
		opjob_unpack(ex, a, n, got, &res);
	for (i = 0; i < n && !res.status; i++) {
		columns(row_text(rows, i), col, 16);
		for (k = 0; k < 15; k++) {
			uint32_t v = qpu_ref_unpack(k < 8 ? k : k - 7, a[i], k >= 8);

			if (ex != ~0u)
				v = got[i][k < 8 ? OPJOB_INT + k : OPJOB_FLOAT + k - 7];
			check(&t, v, col[k + 1], "unpack", k, a[i], 0);
		}
	}
	tap_result(t.compared == 225 && !t.wrong,
		   "%s: unpacks as recorded on hardware: %lu of %lu differ", name, t.wrong,
		   t.compared);
}

static void recorded(void)
{
	const char *corpus = qx_corpus();
	unsigned int ex;

	if (!corpus) {
		tap_skip("no corpus given", "operations as recorded on hardware");
		return;
	}
	if (!load_file(corpus)) {
		tap_result(false, "recorded results are readable: %s", ju_error());
		return;
	}
	recorded_operations(~0u, "reference functions");
	recorded_unpacks(~0u, "reference functions");
	for (ex = 0; ex < qx_count(); ex++) {
		recorded_operations(ex, qx_name(ex));
		recorded_unpacks(ex, qx_name(ex));
	}
	json_object_put(facts_root);
}

/* Vectors of our own: operations with their flags. */
static void own_operations(unsigned int ex)
{
	static uint32_t got[1][OPJOB_ROWS];
	const struct op_vector *v;
	struct qx_result res;
	struct tally t = { 0 };
	unsigned int i, k;
	char what[32];

	for (i = 0; i < num_op_vectors; i++) {
		v = &op_vectors[i];
		snprintf(what, sizeof(what), "%s op %u", v->mul ? "mul" : "add", v->op);
		opjob_run(ex, v->mul, v->op, &v->a, &v->b, 1, got, &res);
		check(&t, res.status, 0, "status", 0, v->a, v->b);
		check(&t, got[0][OPJOB_RESULT], v->want, what, 0, v->a, v->b);
		for (k = 0; k < (v->mul ? 2 : 3); k++)
			check(&t, got[0][OPJOB_Z + k], !!strchr(v->flags, "znc"[k]), what, 1 + k,
			      v->a, v->b);
	}
	tap_result(!t.wrong, "%s: %u operations: %lu of %lu values differ", qx_name(ex),
		   num_op_vectors, t.wrong, t.compared);
}

static void own_packs(unsigned int ex)
{
	static uint32_t got[1][OPJOB_ROWS], un[1][OPJOB_UNPACK_ROWS];
	const struct unpack_vector *u = unpack_vectors;
	const struct pack_vector *v;
	struct qx_result res;
	struct tally t = { 0 };
	unsigned int i;

	for (i = 0; i < num_pack_vectors; i++) {
		v = &pack_vectors[i];
		opjob_run(ex, v->mul, v->op, &v->a, &v->b, 1, got, &res);
		check(&t, got[0][OPJOB_PACK + v->mode - 1], v->want, "pack", v->mode, v->a, v->b);
	}
	for (i = 0; i < num_unpack_vectors; i++, u++) {
		opjob_unpack(ex, &u->a, 1, un, &res);
		check(&t, un[0][u->row], u->want, "unpack or pack of the multiplier", u->row,
		      u->a, 0);
	}
	tap_result(!t.wrong, "%s: packs and unpacks: %lu of %lu differ", qx_name(ex), t.wrong,
		   t.compared);
}

int main(void)
{
	unsigned int ex;

	tap_start();
	for (ex = 0; ex < qx_count(); ex++) {
		own_operations(ex);
		own_packs(ex);
	}
	recorded();
	return tap_done();
}
