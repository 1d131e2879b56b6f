// SPDX-License-Identifier: GPL-2.0
/*
 * Midgard text: disassembly of any words assembles to the same words; listings agree with
 * those stored next to the corpus' binaries, which can be assembled, too.
 */
#include "midgard_test.h"

#define ROUNDS	300
#define BUNDLES	16

static void test_bundles(bool defined)
{
	static u32 words[4 * MG_BUNDLE_QUADS * BUNDLES];
	u32 i, k, n, raw = 0, start;
	struct mg_bundle b, back;
	char msg[400] = "", *text;
	bool ok = true, same = true;

	for (i = 0; ok && same && i < ROUNDS; i++) {
		for (k = 0, n = 0; k < BUNDLES; k++) {
			mg_test_bundle(&b, defined);
			start = n;
			n += 4 * mg_bundle_encode(&b, words + n);
			same = same && !mg_bundle_decode(words + start, b.quads, &back, NULL) &&
			       !memcmp(&back, &b, sizeof(b));
		}
		ok = mg_test_round_trip(words, n, msg, sizeof(msg));
		text = mg_test_listing(words, n);
		raw += text && (strstr(text, ".bits") || strstr(text, ".ldst") ||
				strstr(text, ".quad"));
		free(text);
	}
	if (!ok)
		tap_comment("%s", msg);
	tap_result(same, "%s bundles decode to what was encoded",
		   defined ? "defined" : "partly undefined");
	tap_result(ok && (!defined || !raw),
		   "%u %s bundles disassemble and assemble to the same words", ROUNDS * BUNDLES,
		   defined ? "defined" : "partly undefined");
}

/* Whatever is in a program. */
static void test_garbage(void)
{
	static u32 words[4 * 64];
	char msg[400] = "";
	bool ok = true;
	u32 i, k;

	for (i = 0; ok && i < 8 * ROUNDS; i++) {
		for (k = 0; k < ARRAY_SIZE(words); k++)
			words[k] = test_rand() % 8 ? test_rand() : 0;
		/* Control words that resemble those of arithmetic. */
		for (k = 0; i % 2 && k < ARRAY_SIZE(words); k += 4)
			words[k] &= 0x0eaa00ff;
		ok = mg_test_round_trip(words, ARRAY_SIZE(words), msg, sizeof(msg));
	}
	if (!ok)
		tap_comment("%s", msg);
	tap_result(ok, "any words disassemble and assemble to the same words");
	tap_result(mg_listing(words, 3, NULL, 0) == -EINVAL, "half a quad is refused");
}

/* ---- corpus ---- */

static struct {
	u32 files;
	u32 trips;
	u32 listings;
	u32 lines;
	u32 same;
	u32 exempt;
	u32 again;
} corpus;

/* Next line that is an operation or constants, without notes and blanks at its end. */
static bool next_line(const char **p, char *line, size_t size)
{
	const char *end, *s;
	char *notes;
	size_t n;

	for (; **p; *p = *end ? end + 1 : end) {
		s = *p;
		end = s + strcspn(s, "\n");
		n = (size_t)(end - s);
		if (!n || *s == '#' || !strncmp(s, ".zero", 5))
			continue;
		n = n < size ? n : size - 1;
		memcpy(line, s, n);
		line[n] = '\0';
		notes = strstr(line, " {");
		if (notes)
			*notes = '\0';
		for (n = strlen(line); n && line[n - 1] == ' '; n--)
			line[n - 1] = '\0';
		*p = *end ? end + 1 : end;
		return true;
	}
	return false;
}

/* Cut constants out of a line. Return: number of constants. */
static u32 cut_constants(const char *line, char *out)
{
	u32 n = 0;

	while (*line) {
		size_t len = *line == '<' && line[1] != '<' ? strcspn(line, ">") + 1 :
			     *line == '#' ? strcspn(line, ",") : 0;

		if (!len) {
			*out++ = *line++;
			continue;
		}
		for (n++; len; len--)
			n += *line++ == ',';
	}
	*out = '\0';
	return n;
}

/*
 * Mesa reads the 64-bit constant of the second lane past the end of the constants; for the
 * upper four 16-bit lanes it shows the first selector's constant, and for four 32-bit lanes
 * eight 16-bit constants.
 */
static bool known_mistake(const char *mine, const char *theirs)
{
	char a[300], b[300];
	u32 n = cut_constants(mine, a), m = cut_constants(theirs, b);

	if (!n || strcmp(a, b))
		return false;
	if (strstr(a, ".i64 ") || strstr(a, ".f64 "))
		return n == m && (n > 1 || strstr(a, ".y, "));
	if (strstr(a, ".i16 ") || strstr(a, ".f16 "))
		return n == m;
	return n < m;
}

static bool compare(const struct mg_test_file *f, const char *text)
{
	const char *a = f->listing, *b = text;
	char mine[300], theirs[300];
	bool same = true;

	while (a && next_line(&a, theirs, sizeof(theirs))) {
		if (!next_line(&b, mine, sizeof(mine)))
			return false;
		corpus.lines++;
		if (!strcmp(mine, theirs)) {
			corpus.same++;
		} else if (known_mistake(mine, theirs)) {
			corpus.exempt++;
		} else {
			if (same)
				tap_comment("%s: \"%s\" is \"%s\"", f->name, theirs, mine);
			same = false;
		}
	}
	return same && f->listing && !next_line(&b, mine, sizeof(mine));
}

/* A stored listing with other constants where they are known to be wrong. */
static char *correct(const char *stored, const char *text)
{
	char *out = calloc(1, 8 * strlen(stored) + 1), *to = out, mine[300], theirs[300];
	const char *line = stored;

	while (out && *line) {
		size_t n = strcspn(line, "\n");
		const char *one = line, *right = theirs;

		line += n + !!line[n];
		if (!n || !next_line(&one, theirs, sizeof(theirs)) ||
		    !next_line(&text, mine, sizeof(mine))) {
			*to++ = '\n';
			continue;
		}
		if (strcmp(theirs, mine) && known_mistake(mine, theirs))
			right = mine;
		to += sprintf(to, "%s\n", right);
	}
	return out;
}

/* Stored listings have no notes: hidden fields have their inferred values. */
static bool assemble_stored(const struct mg_test_file *f, const char *text)
{
	char msg[300], *again = NULL, a[300], b[300], *stored = correct(f->listing, text);
	const char *x = stored, *y;
	u32 *words = NULL, n = 0;
	bool ok = stored;

	if (ok && !mg_test_assemble(stored, &words, &n, msg, sizeof(msg))) {
		tap_comment("%s: %s", f->name, msg);
		ok = false;
	} else if (ok) {
		again = mg_test_listing(words, n);
	}
	y = again;
	while (ok && next_line(&x, a, sizeof(a))) {
		ok = next_line(&y, b, sizeof(b)) && !strcmp(a, b);
		if (!ok)
			tap_comment("%s: \"%s\" became \"%s\"", f->name, a, b);
	}
	free(stored);
	free(again);
	free(words);
	return ok;
}

static void try_file(const struct mg_test_file *f)
{
	char *text = mg_test_listing(f->words, f->nwords), msg[400];

	corpus.files++;
	if (mg_test_round_trip(f->words, f->nwords, msg, sizeof(msg)))
		corpus.trips++;
	else
		tap_comment("%s: %s", f->name, msg);
	corpus.listings += text && compare(f, text);
	corpus.again += text && f->listing && assemble_stored(f, text);
	free(text);
}

static void test_corpus_files(int argc, char **argv)
{
	u32 n = mg_test_corpus(argc, argv, try_file);

	if (!n) {
		tap_skip("no corpus", "binaries of the corpus");
		return;
	}
	tap_result(corpus.trips == n, "%u of %u binaries assemble to the same words", corpus.trips,
		   n);
	tap_result(corpus.listings == n,
		   "%u of %u listings agree with the stored ones (%u of %u lines, %u known mistakes)",
		   corpus.listings, n, corpus.same, corpus.lines, corpus.exempt);
	tap_result(corpus.again == n, "%u of %u stored listings assemble to the same operations",
		   corpus.again, n);
}

int main(int argc, char **argv)
{
	test_bundles(true);
	test_bundles(false);
	test_garbage();
	test_corpus_files(argc, argv);
	return tap_done();
}
