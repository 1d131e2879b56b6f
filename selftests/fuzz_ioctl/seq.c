// SPDX-License-Identifier: GPL-2.0
/*
 * Random numbers, and sequences as text: one line for each call.
 *
 *   OPERATION LANE ASYNC FAIL BYTES [AT:HOW:VALUE]...
 */
#include "fz.h"

/* splitmix64: any seed is a good one */
struct fz_rng fz_rng(u64 seed, u64 n)
{
	struct fz_rng r = { seed * 0x9e3779b97f4a7c15ULL + n * 0xbf58476d1ce4e5b9ULL };

	fz_rnd(&r);
	return r;
}

u64 fz_rnd(struct fz_rng *r)
{
	u64 z = r->s += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

u32 fz_below(struct fz_rng *r, u32 n)
{
	return n ? (fz_rnd(r) >> 32) % n : 0;
}

int fz_print(const struct fz_seq *s, char *text)
{
	char *t = text;
	u32 i, k;

	*t = 0;
	for (i = 0; i < s->n; i++) {
		const struct fz_call *c = &s->call[i];

		t += sprintf(t, "%s %u %u %u ", fz_ops[c->op].name, c->lane, c->async, c->fail);
		for (k = 0; k < FZ_BYTES; k++)
			t += sprintf(t, "%02x", c->b[k]);
		for (k = 0; k < c->npokes; k++)
			t += sprintf(t, " %u:%u:%x", c->poke[k].at, c->poke[k].how,
				     c->poke[k].value);
		t += sprintf(t, "\n");
	}
	return t - text;
}

static bool parse_bytes(const char *hex, struct fz_call *c)
{
	unsigned int v;
	u32 k;

	if (strlen(hex) != 2 * FZ_BYTES)
		return false;
	for (k = 0; k < FZ_BYTES; k++) {
		if (sscanf(hex + 2 * k, "%2x", &v) != 1)
			return false;
		c->b[k] = v;
	}
	return true;
}

static bool parse_pokes(const char *text, struct fz_call *c)
{
	unsigned int at, how, value;
	int len;

	while (sscanf(text, " %u:%u:%x%n", &at, &how, &value, &len) == 3) {
		if (c->npokes == FZ_POKES || how >= FZ_HOWS)
			return false;
		c->poke[c->npokes++] = (struct fz_poke){ at, how, value };
		text += len;
	}
	return !text[strspn(text, "\n ")];
}

static bool parse_call(const char *line, struct fz_call *c)
{
	unsigned int lane, async, fail;
	char name[32], hex[2 * FZ_BYTES + 2];
	int op, len;

	memset(c, 0, sizeof(*c));
	if (sscanf(line, "%31s %u %u %u %25s%n", name, &lane, &async, &fail, hex, &len) != 5)
		return false;
	op = fz_op_find(name);
	if (op < 0 || lane >= FZ_LANES || fail > 255)
		return false;
	c->op = op;
	c->lane = lane;
	c->async = !!async;
	c->fail = fail;
	return parse_bytes(hex, c) && parse_pokes(line + len, c);
}

int fz_parse(const char *text, struct fz_seq *s)
{
	char line[256];
	int number = 0;

	s->n = 0;
	while (*text) {
		size_t len = strcspn(text, "\n");

		number++;
		if (len >= sizeof(line))
			return number;
		memcpy(line, text, len);
		line[len] = 0;
		text += len + (text[len] == '\n');
		if (!line[0] || line[0] == '#')
			continue;
		if (s->n == FZ_CALLS || !parse_call(line, &s->call[s->n]))
			return number;
		s->n++;
	}
	return 0;
}
