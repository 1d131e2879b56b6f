// SPDX-License-Identifier: MIT
/*
 * JUnit XML.
 */
#include <stdint.h>
#include <stdlib.h>

#include "cli.h"
#include "junit.h"
#include "output.h"

/**
 * struct junit - report that is being written
 * @out: the output, whose stream is @f
 * @f: the stream
 * @suite: name of the suite
 * @cases: its cases so far; their number precedes them in the file
 * @text: buffer of @cases
 * @len: bytes in @text
 * @number: cases
 * @failed: cases that failed
 */
struct junit {
	struct output out;
	FILE *f;
	const char *suite;
	FILE *cases;
	char *text;
	size_t len;
	unsigned int number;
	unsigned int failed;
};

unsigned int utf8_len(const uint8_t *p)
{
	unsigned int n = *p < 0x80 ? 1 : *p < 0xc2 ? 0 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 :
			 *p < 0xf5 ? 4 : 0, i;

	for (i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	}
	if (n == 1)
		return *p >= ' ' || *p == '\t' || *p == '\n';
	/* overlong forms, surrogates, beyond Unicode, U+FFFE and U+FFFF */
	if ((*p == 0xe0 && p[1] < 0xa0) || (*p == 0xed && p[1] > 0x9f) ||
	    (*p == 0xf0 && p[1] < 0x90) || (*p == 0xf4 && p[1] > 0x8f) ||
	    (*p == 0xef && p[1] == 0xbf && p[2] > 0xbd))
		return 0;
	return n;
}

static void escape(FILE *f, const char *text)
{
	const uint8_t *p = (const uint8_t *)text;
	unsigned int n;

	for (; *p; p += n ? n : 1) {
		n = utf8_len(p);
		if (!n)
			fputc('?', f);
		else if (*p == '&')
			fputs("&amp;", f);
		else if (*p == '<')
			fputs("&lt;", f);
		else if (*p == '>')
			fputs("&gt;", f);
		else if (*p == '"')
			fputs("&quot;", f);
		else
			fwrite(p, 1, n, f);
	}
}

struct junit *junit_open(const char *path)
{
	struct junit *j = calloc(1, sizeof(*j));

	if (!j)
		return NULL;
	if (output_open(&j->out, path)) {
		free(j);
		return NULL;
	}
	j->f = j->out.f;
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"vshader\">\n", j->f);
	return j;
}

void junit_suite(struct junit *j, const char *name)
{
	j->suite = name;
	j->number = 0;
	j->failed = 0;
	j->cases = open_memstream(&j->text, &j->len);
	if (!j->cases)
		abort();
}

void junit_case(struct junit *j, const char *name, bool ok, double seconds, const char *came,
		const char *details)
{
	FILE *f = j->cases;

	j->number++;
	j->failed += !ok;
	fputs("    <testcase classname=\"", f);
	escape(f, j->suite);
	fputs("\" name=\"", f);
	escape(f, name);
	fprintf(f, "\" time=\"%.6f\"", seconds);
	if (ok) {
		fputs("/>\n", f);
		return;
	}
	fputs(">\n      <failure message=\"", f);
	escape(f, came ? came : "not as expected");
	fputs("\">", f);
	escape(f, details ? details : "");
	fputs("</failure>\n    </testcase>\n", f);
}

void junit_suite_end(struct junit *j, double seconds)
{
	fclose(j->cases);
	fputs("  <testsuite name=\"", j->f);
	escape(j->f, j->suite);
	fprintf(j->f, "\" tests=\"%u\" failures=\"%u\" errors=\"0\" skipped=\"0\" time=\"%.3f\">\n",
		j->number, j->failed, seconds);
	fwrite(j->text, 1, j->len, j->f);
	fputs("  </testsuite>\n", j->f);
	free(j->text);
}

int junit_close(struct junit *j)
{
	int ret;

	fputs("</testsuites>\n", j->f);
	ret = output_close(&j->out, 0);
	free(j);
	return ret;
}
