// SPDX-License-Identifier: GPL-2.0
/*
 * Bifrost text: disassembly of any words assembles to the same words; listings agree with
 * those stored next to the corpus' binaries; clauses without register blocks and constants
 * get equivalent ones.
 */
#include "bifrost_test.h"

#define ROUNDS	400

static void test_clauses(bool defined)
{
	static u32 words[4 * BI_CLAUSE_QUADS * 16];
	char msg[300] = "";
	struct bi_clause c, back;
	bool ok = true, same = true;
	u32 i, k, n, start;

	for (i = 0; ok && same && i < ROUNDS; i++) {
		for (k = 0, n = 0; k < 16; k++) {
			bi_test_clause(&c, defined);
			start = n;
			n += 4 * bi_clause_encode(&c, words + n);
			same = same && n > start &&
			       !bi_clause_decode(words + start, (n - start) / 4, &back) &&
			       back.quads == (n - start) / 4;
			back.quads = 0;
			same = same && !memcmp(&back, &c, sizeof(c));
		}
		ok = bi_test_round_trip(words, n, msg, sizeof(msg));
	}
	if (!ok)
		tap_comment("%s", msg);
	tap_result(same, "%s clauses decode to what was encoded",
		   defined ? "defined" : "partly undefined");
	tap_result(ok, "%u %s clauses disassemble and assemble to the same words", ROUNDS * 16,
		   defined ? "defined" : "partly undefined");
}

/* Whatever is in a program. */
static void test_garbage(void)
{
	static u32 words[4 * 64];
	char msg[300] = "";
	bool ok = true;
	u32 i, k;

	for (i = 0; ok && i < 4 * ROUNDS; i++) {
		for (k = 0; k < ARRAY_SIZE(words); k++)
			words[k] = test_rand() % 8 ? test_rand() : 0;
		/* Tags that resemble those of clauses. */
		for (k = 0; i % 2 && k < ARRAY_SIZE(words); k += 4)
			words[k] = (words[k] & ~0xffU) | (test_rand() % 2 ? 0x29 : 0x43);
		ok = bi_test_round_trip(words, ARRAY_SIZE(words), msg, sizeof(msg));
	}
	if (!ok)
		tap_comment("%s", msg);
	tap_result(ok, "any words disassemble and assemble to the same words");
	tap_result(bi_listing(words, 3, NULL, 0) == -EINVAL, "half a quad is refused");
}

/* Register numbers and modes. */
static void test_ports(void)
{
	u32 i, valid = 0, bad = 0;
	struct bi_ports p, q;
	u64 regs, back;
	bool first;

	for (i = 0; i < 400000; i++) {
		regs = bi_test_rand64() & GENMASK_ULL(34, 0);
		first = i & 1;
		if (!bi_ports_decode(regs, first, &p))
			continue;
		if (!bi_ports_encode(&p, first, &back))
			continue;
		valid++;
		if (!bi_ports_decode(back, first, &q)) {
			bad++;
			continue;
		}
		/* Registers of ports that do nothing are no part of the meaning. */
		if (!p.op2)
			q.reg2 = p.reg2;
		if (!p.op3)
			q.reg3 = p.reg3;
		if (!p.read0)
			q.reg0 = p.reg0;
		q.fma3 = p.op3 ? q.fma3 : p.fma3;
		bad += !!memcmp(&p, &q, sizeof(p));
	}
	tap_result(!bad && valid > 100000, "%u register blocks keep their meaning", valid);
}

/* ---- corpus ---- */

static struct {
	u32 files;
	u32 trips;
	u32 listings;
	u32 ops;
	u32 same_ops;
	u32 automatic;
} corpus;

/* Next non-empty line, without comments and surrounding blanks. */
static bool next_line(const char **p, char *line, size_t size)
{
	const char *end, *s, *cut;
	size_t n;

	for (; **p; *p = *end ? end + 1 : end) {
		s = *p;
		end = s + strcspn(s, "\n");
		s += strspn(s, " \t");
		n = (size_t)(end > s ? end - s : 0);
		if (!n || *s == '#' || *s == '.')
			continue;
		n = n < size ? n : size - 1;
		memcpy(line, s, n);
		line[n] = '\0';
		cut = strstr(line, " /*");
		if (cut)
			memmove(line + (cut - line), strstr(cut, "*/") + 2,
				strlen(strstr(cut, "*/") + 2) + 1);
		/* A second constant. */
		cut = strstr(line, " /*");
		if (cut)
			memmove(line + (cut - line), strstr(cut, "*/") + 2,
				strlen(strstr(cut, "*/") + 2) + 1);
		for (n = strlen(line); n && line[n - 1] == ' '; n--)
			line[n - 1] = '\0';
		*p = *end ? end + 1 : end;
		return true;
	}
	return false;
}

/* The staging register of a clause that has no message is not in stored listings. */
static void without_sr(char *line)
{
	char *sr = strstr(line, " sr(");

	if (sr)
		*sr = '\0';
}

static bool compare(const struct bi_test_file *f, const char *text)
{
	const char *a = f->listing, *b = text;
	char mine[300], theirs[300];
	bool same = true;

	while (a && next_line(&a, theirs, sizeof(theirs))) {
		if (!next_line(&b, mine, sizeof(mine)))
			return false;
		without_sr(mine);
		corpus.ops += *theirs == '*' || *theirs == '+';
		if (strcmp(mine, theirs)) {
			if (same)
				tap_comment("%s: \"%s\" is \"%s\"", f->name, theirs, mine);
			same = false;
		} else {
			corpus.same_ops += *theirs == '*' || *theirs == '+';
		}
	}
	return same && f->listing;
}

/*
 * Stored listings have register blocks and constants in comments only: the assembler finds
 * its own, and operations remain the same.
 */
static bool try_automatic(const struct bi_test_file *f)
{
	char msg[300], *again = NULL, a[300], b[300];
	const char *x = f->listing, *y;
	u32 *words = NULL, n = 0, i;
	bool ok;

	if (x && bi_test_assemble(x, &words, &n, msg, sizeof(msg)))
		again = bi_test_listing(words, n);
	else
		tap_comment("%s: %s", f->name, x ? msg : "no listing");
	y = again;
	ok = again;
	while (ok && next_line(&x, a, sizeof(a))) {
		ok = next_line(&y, b, sizeof(b));
		without_sr(b);
		/* Fewer constants: clauses may have moved. */
		for (i = 0; i < 2; i++) {
			char *name = strstr(i ? a : b, "clause_");

			if (name)
				*name = '\0';
		}
		ok = ok && !strcmp(a, b);
		if (!ok)
			tap_comment("%s: \"%s\" became \"%s\"", f->name, a, b);
	}
	free(again);
	free(words);
	return ok;
}

static void try_file(const struct bi_test_file *f)
{
	char *text = bi_test_listing(f->words, f->nwords), msg[300];

	corpus.files++;
	if (bi_test_round_trip(f->words, f->nwords, msg, sizeof(msg)))
		corpus.trips++;
	else
		tap_comment("%s: %s", f->name, msg);
	corpus.listings += text && compare(f, text);
	corpus.automatic += try_automatic(f);
	free(text);
}

static void test_corpus_files(int argc, char **argv)
{
	u32 n = bi_test_corpus(argc, argv, try_file);

	if (!n) {
		tap_skip("no corpus", "binaries of the corpus");
		return;
	}
	tap_result(corpus.trips == n, "%u of %u binaries assemble to the same words", corpus.trips,
		   n);
	tap_result(corpus.listings == n,
		   "%u of %u listings agree with the stored ones (%u of %u operations)",
		   corpus.listings, n, corpus.same_ops, corpus.ops);
	tap_result(corpus.automatic == n,
		   "%u of %u stored listings assemble to the same operations",
		   corpus.automatic, n);
}

int main(int argc, char **argv)
{
	test_clauses(true);
	test_clauses(false);
	test_garbage();
	test_ports();
	test_corpus_files(argc, argv);
	return tap_done();
}
