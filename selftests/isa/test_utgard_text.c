// SPDX-License-Identifier: GPL-2.0
/*
 * Utgard text: disassembly of any words assembles to the same words; listings agree with
 * those stored next to the corpus' programs.
 */
#include <math.h>

#include "utgard_test.h"

#define ROUNDS	200

static void test_gp_random(bool defined)
{
	static u32 words[UGP_WORDS * 64];
	struct ugp_insn insn;
	char msg[300] = "";
	bool ok = true;
	u32 i, k;

	for (i = 0; ok && i < ROUNDS; i++) {
		for (k = 0; k < 64; k++) {
			ugp_test_insn(&insn, defined);
			ugp_encode(&insn, words + UGP_WORDS * k);
		}
		ok = ut_test_round_trip(false, words, ARRAY_SIZE(words), msg, sizeof(msg));
	}
	if (!ok)
		tap_comment("%s", msg);
	tap_result(ok, "%u %s vertex instructions disassemble and assemble to the same words",
		   ROUNDS * 64, defined ? "tame" : "random");
}

static void test_pp_random(bool defined)
{
	static u32 words[UPP_INSN_WORDS * 64];
	static struct upp_insn insns[64];
	char msg[300] = "";
	bool ok = true;
	u32 i, k, n;

	for (i = 0; ok && i < ROUNDS; i++) {
		for (k = 0; k < 64; k++)
			upp_test_insn(&insns[k], defined);
		n = upp_test_program(insns, 64, words);
		ok = ut_test_round_trip(true, words, n, msg, sizeof(msg));
	}
	if (!ok)
		tap_comment("%s", msg);
	tap_result(ok, "%u %s pixel instructions disassemble and assemble to the same words",
		   ROUNDS * 64, defined ? "tame" : "random");
}

/* Whatever is in a program: random words, sound ones with bits changed, zeroes. */
static void test_garbage(void)
{
	static u32 words[UPP_INSN_WORDS * 16];
	static struct upp_insn insns[16];
	char msg[300] = "";
	bool ok = true;
	u32 i, k, n;

	for (i = 0; ok && i < 4 * ROUNDS; i++) {
		n = 1 + test_rand() % 64;
		for (k = 0; k < n; k++)
			words[k] = test_rand() % 8 ? test_rand() : 0;
		if (i % 2) {
			for (k = 0; k < 16; k++)
				upp_test_insn(&insns[k], false);
			n = upp_test_program(insns, 16, words);
			for (k = 0; k < 1 + i % 8; k++)
				words[test_rand() % n] ^= 1U << test_rand() % 32;
			n -= test_rand() % 4 % n;
		}
		ok = ut_test_round_trip(true, words, n, msg, sizeof(msg));
	}
	if (!ok)
		tap_comment("%s", msg);
	tap_result(ok, "any words disassemble and assemble to the same words");
	tap_result(ugp_listing(words, 3, NULL, 0) == -EINVAL &&
		   ugp_listing(words, 4 * UGP_MAX_INSNS + 4, NULL, 0) == -E2BIG &&
		   upp_listing(words, UPP_MAX_WORDS + 1, NULL, 0) == -E2BIG,
		   "halves of instructions and too many of them are refused");
}

/* Numbers of 16 bits are written exactly. */
static void test_halves(void)
{
	static struct upp_insn insns[64];
	static u32 words[UPP_INSN_WORDS * 64];
	u32 i, k, n, bad = 0;
	char msg[300];

	for (i = 0; i < 0x10000; i += 4 * 64) {
		for (k = 0; k < 64; k++) {
			memset(&insns[k], 0, sizeof(insns[k]));
			insns[k].form[UPP_CONST0] = UPP_FORM_CONST;
			for (n = 0; n < 4; n++)
				insns[k].part[UPP_CONST0].v[n] = i + 4 * k + n;
			upp_ctrl_follow(&insns[k].ctrl, 1U << UPP_CONST0, 0);
		}
		n = upp_test_program(insns, 64, words);
		bad += !ut_test_round_trip(true, words, n, msg, sizeof(msg));
	}
	tap_result(!bad, "65536 numbers of 16 bits are written exactly");
}

/* ---- corpus ---- */

static struct {
	u32 n[2];
	u32 trips[2];
	u32 listings[2];
	u32 items;
} corpus;

/* One blank between words, none at the ends or before commas. */
static void squeeze(char *s)
{
	char *to = s;

	for (; *s; s++) {
		char c = *s == '\t' ? ' ' : *s;

		if (c == ' ' && (s[1] == ' ' || s[1] == '\t' || s[1] == ',' || !s[1]))
			continue;
		*to++ = c;
	}
	*to = '\0';
}

static bool next_line(const char **p, char *line, size_t size)
{
	const char *end;
	size_t n;

	if (!**p)
		return false;
	end = *p + strcspn(*p, "\n");
	n = (size_t)(end - *p) < size ? (size_t)(end - *p) : size - 1;
	memcpy(line, *p, n);
	line[n] = '\0';
	*p = *end ? end + 1 : end;
	squeeze(line);
	return true;
}

static bool all_hex(const char *s)
{
	return strspn(s, "0123456789abcdef ") == strlen(s);
}

/* Next line of a stored vertex listing that is text. */
static bool next_gp(const char **p, char *line, size_t size)
{
	while (next_line(p, line, size)) {
		char *colon = strchr(line, ':');

		if (*line && !(colon && all_hex(colon + 1) && strlen(colon) > 30))
			return true;
	}
	return false;
}

/* Register ports are written only here, addresses of stores that store nothing, too. */
static bool next_mine(const char **p, char *line, size_t size)
{
	char *port;

	while (next_line(p, line, size)) {
		if (strstr(line, ".store"))
			continue;
		while ((port = strstr(line, ":0.")))
			memmove(port, port + 2, strlen(port + 2) + 1);
		return true;
	}
	return false;
}

static bool same_gp(const struct ut_test_file *f, const char *mine)
{
	const char *theirs = f->listing;
	char a[300], b[300];

	while (next_gp(&theirs, a, sizeof(a))) {
		corpus.items++;
		if (next_mine(&mine, b, sizeof(b)) && !strcmp(a, b))
			continue;
		tap_comment("%s: \"%s\" is \"%s\"", f->name, a, b);
		return false;
	}
	return !next_mine(&mine, b, sizeof(b));
}

/* Text of the next pixel instruction, without its position. */
static bool next_pp(const char **p, char *line, size_t size)
{
	while (next_line(p, line, size)) {
		char *colon = strchr(line, ':');

		if (!*line || all_hex(line + (*line == ' ')) ||
		    (colon && *line != '@' && all_hex(colon + 1)))
			continue;
		if (*line == '@')
			memmove(line, colon + 2, strlen(colon + 2) + 1);
		return true;
	}
	return false;
}

/* Mesa prints fewer digits; explicit levels of detail resemble biases. */
static bool same_word(const char *a, const char *b)
{
	char *end_a, *end_b;
	double x = strtod(a, &end_a), y = strtod(b, &end_b);

	if (!strncmp(b, "texld.l", 7))
		return !strncmp(a, "texld.b", 7) && !strcmp(a + 7, b + 7);
	if (end_a != a && !*end_a && end_b != b && !*end_b)
		return fabs(x - y) * 1000000 <= 0.51;
	return !strcmp(a, b);
}

static bool same_item(char *a, char *b)
{
	char *x, *y;

	while ((x = strsep(&a, " "))) {
		y = strsep(&b, " ");
		if (!y || !same_word(x, y))
			return false;
	}
	return !b;
}

static bool same_insn(char *theirs, char *mine)
{
	char *x, *y;

	while ((x = strsep(&theirs, ","))) {
		do {
			y = strsep(&mine, ",");
		} while (y && strstr(y, ".temp.offset"));
		corpus.items++;
		if (!y || !same_item(x + (*x == ' '), y + (*y == ' ')))
			return false;
	}
	return !mine || strstr(mine, ".temp.offset");
}

static bool same_pp(const struct ut_test_file *f, const char *mine)
{
	const char *theirs = f->listing;
	char a[600], b[600], copy[600];

	while (next_pp(&theirs, a, sizeof(a))) {
		strcpy(copy, a);
		if (next_pp(&mine, b, sizeof(b)) && same_insn(a, b))
			continue;
		tap_comment("%s: \"%s\" is not the same", f->name, copy);
		return false;
	}
	return !next_pp(&mine, b, sizeof(b));
}

static void try_file(const struct ut_test_file *f)
{
	char *text = ut_test_listing(f->pixel, f->words, f->nwords), msg[300];

	corpus.n[f->pixel]++;
	if (ut_test_round_trip(f->pixel, f->words, f->nwords, msg, sizeof(msg)))
		corpus.trips[f->pixel]++;
	else
		tap_comment("%s: %s", f->name, msg);
	if (text && f->listing)
		corpus.listings[f->pixel] += f->pixel ? same_pp(f, text) : same_gp(f, text);
	free(text);
}

static void test_corpus_files(int argc, char **argv)
{
	u32 i;

	if (!ut_test_corpus(argc, argv, try_file)) {
		tap_skip("no corpus", "programs of the corpus");
		return;
	}
	for (i = 0; i < 2; i++) {
		const char *what = i ? "pixel" : "vertex";

		tap_result(corpus.trips[i] == corpus.n[i],
			   "%u of %u %s programs assemble to the same words", corpus.trips[i],
			   corpus.n[i], what);
		tap_result(corpus.listings[i] == corpus.n[i],
			   "%u of %u listings of %s programs agree with the stored ones",
			   corpus.listings[i], corpus.n[i], what);
	}
	tap_comment("%u operations compared", corpus.items);
}

int main(int argc, char **argv)
{
	test_gp_random(true);
	test_gp_random(false);
	test_pp_random(true);
	test_pp_random(false);
	test_garbage();
	test_halves();
	test_corpus_files(argc, argv);
	return tap_done();
}
