// SPDX-License-Identifier: MIT
/*
 * find: search memory for a sequence of values.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "debug.h"

#define MAX_SEARCH	0x40000000ull
#define MAX_PATTERN	256u
#define CHUNK		65536u

/**
 * struct search - what is looked for
 * @start: first address
 * @size: bytes
 * @max: matches wanted
 * @bytes: pattern
 * @len: bytes of @bytes
 */
struct search {
	uint64_t start;
	uint64_t size;
	uint64_t max;
	uint8_t bytes[MAX_PATTERN];
	uint32_t len;
};

static int add_bytes(struct dbg *d, struct search *s, const void *data, size_t n)
{
	if (n > MAX_PATTERN - s->len)
		return dbg_error(d, "Search pattern has more than %u bytes.", MAX_PATTERN);
	memcpy(s->bytes + s->len, data, n);
	s->len += (uint32_t)n;
	return 0;
}

/* Bytes of a component: those asked for; numbers have 4 if they fit, as registers have. */
static int add_component(struct dbg *d, struct search *s, const struct dbg_value *v,
			 unsigned int n, unsigned int bytes)
{
	bool number = v->bits == 64 && v->place == DBG_NOWHERE;
	uint64_t bits = v->v[n];

	if (v->type == DBG_FLOAT && (number || (bytes && bytes != v->bits / 8))) {
		bytes = bytes == 2 || bytes == 8 ? bytes : 4;
		bits = dbg_convert(v, n, DBG_FLOAT, 8 * bytes);
	} else if (!bytes) {
		bytes = v->bits / 8;
		if (number && (int64_t)bits >= INT32_MIN && (int64_t)bits <= UINT32_MAX)
			bytes = 4;
	}
	/* little endian, as is the machine that the engine runs on */
	return add_bytes(d, s, &bits, bytes);
}

static int add_value(struct dbg *d, struct search *s, const char **p, unsigned int bytes)
{
	struct dbg_value v;
	unsigned int i;
	size_t n;
	int ret;

	if (**p == '"') {
		n = strcspn(*p + 1, "\"");
		if (!(*p)[n + 1])
			return dbg_error(d, "Unterminated string in expression.");
		ret = add_bytes(d, s, *p + 1, n);
		*p += n + 2;
		*p += strspn(*p, " \t");
		return ret;
	}
	ret = dbg_eval_part(d, *p, p, &v);
	for (i = 0; i < v.num && !ret; i++)
		ret = add_component(d, s, &v, i, bytes);
	return ret;
}

static int address(struct dbg *d, const char **p, uint64_t *va)
{
	struct dbg_value v;
	int ret = dbg_eval_part(d, *p, p, &v);

	if (ret)
		return ret;
	if (v.num != 1 && v.place != DBG_MEMORY)
		return dbg_error(d, "A vector is no address.");
	*va = v.place == DBG_MEMORY ? v.va : (uint64_t)dbg_to_int(&v, 0);
	return 0;
}

static int comma(struct dbg *d, const char **p, const char *what)
{
	if (**p != ',')
		return dbg_error(d, "Missing %s.", what);
	*p += 1 + strspn(*p + 1, " \t");
	return 0;
}

/* START, END or +LENGTH; END is the last byte */
static int parse_extent(struct dbg *d, struct search *s, const char **p)
{
	bool length;
	uint64_t n;
	int ret = address(d, p, &s->start);

	if (!ret)
		ret = comma(d, p, "search parameters");
	if (ret)
		return ret;
	length = **p == '+';
	*p += length;
	ret = address(d, p, &n);
	if (ret)
		return ret;
	if (!length && n < s->start)
		return dbg_error(d, "Invalid search space, end precedes start.");
	s->size = length ? n : n - s->start + 1;
	if (!s->size)
		return dbg_error(d, "Empty search range.");
	return s->size > MAX_SEARCH ?
	       dbg_error(d, "At most %llu bytes are searched.", MAX_SEARCH) : 0;
}

/* "/SIZE-CHARS MAX-COUNT" */
static int parse_options(struct dbg *d, struct search *s, const char **p, unsigned int *bytes)
{
	char *end;

	*bytes = 0;
	s->max = UINT64_MAX;
	if (**p != '/')
		return 0;
	for (++*p; **p && !isspace((unsigned char)**p);) {
		if (isdigit((unsigned char)**p)) {
			s->max = strtoull(*p, &end, 10);
			*p = end;
			continue;
		}
		if (!strchr("bhwg", **p))
			return dbg_error(d, "Invalid size granularity.");
		*bytes = **p == 'b' ? 1 : **p == 'h' ? 2 : **p == 'w' ? 4 : 8;
		++*p;
	}
	*p += strspn(*p, " \t");
	return s->max ? 0 : dbg_error(d, "Count must be positive.");
}

static void show_match(struct dbg *d, uint64_t va, struct json_object *list)
{
	uint64_t offset;
	const char *name = dbg_region_at(d, va, &offset);

	dbg_printf(d, "0x%llx", (unsigned long long)va);
	if (name)
		dbg_printf(d, " <%s+%llu>", name, (unsigned long long)offset);
	dbg_printf(d, "\n");
	json_object_array_add(list, json_object_new_uint64(va));
}

/* @found: matches; @last: the last one */
static int search(struct dbg *d, const struct search *s, struct json_object *list,
		  uint64_t *found, uint64_t *last)
{
	uint8_t *data = malloc(CHUNK + MAX_PATTERN), *at;
	uint64_t va = s->start, left = s->size, want;
	int64_t n = 0;

	if (!data)
		return dbg_error(d, "out of memory");
	while (left >= s->len && *found < s->max) {
		want = left < CHUNK + s->len - 1 ? left : CHUNK + s->len - 1;
		n = dbg_read_some(d, va, data, want);
		if (n < (int64_t)s->len)
			break;
		for (at = data; *found < s->max; at++) {
			at = memmem(at, (size_t)n - (size_t)(at - data), s->bytes, s->len);
			if (!at)
				break;
			*last = va + (uint64_t)(at - data);
			show_match(d, *last, list);
			++*found;
		}
		if ((uint64_t)n < want)
			break;
		va += want - s->len + 1;
		left -= want - s->len + 1;
	}
	free(data);
	if (n < (int64_t)s->len && !*found)
		return dbg_error(d, "Unable to access %llu bytes at 0x%llx, halting search.",
				 (unsigned long long)left, (unsigned long long)va);
	return 0;
}

static void set_variable(struct dbg *d, const char *name, struct dbg_value v)
{
	struct dbg_value *var = dbg_var(d, name, strlen(name), true);

	if (var)
		*var = v;
}

static int cmd_find(struct dbg *d, const char *args)
{
	uint64_t found = 0, last = 0;
	struct dbg_value address;
	unsigned int bytes;
	struct search s = { };
	int ret = parse_options(d, &s, &args, &bytes);

	if (!ret && !*args)
		ret = dbg_error(d, "Missing search parameters.");
	if (!ret)
		ret = parse_extent(d, &s, &args);
	if (!ret)
		ret = comma(d, &args, "search pattern");
	if (!ret)
		ret = add_value(d, &s, &args, bytes);
	while (!ret && *args) {
		ret = comma(d, &args, "comma between values");
		if (!ret)
			ret = add_value(d, &s, &args, bytes);
	}
	if (!ret && !s.len)
		ret = dbg_error(d, "Empty search pattern.");
	if (!ret)
		ret = search(d, &s, js_array(d->result, "addresses"), &found, &last);
	if (ret)
		return ret;
	if (!found)
		dbg_printf(d, "Pattern not found.\n");
	else
		dbg_printf(d, "%llu pattern%s found.\n", (unsigned long long)found,
			   found == 1 ? "" : "s");
	set_variable(d, "numfound", dbg_int((int64_t)found));
	if (found) {
		address = dbg_uint(last, 64);
		address.hex = true;
		set_variable(d, "_", address);
	}
	return 0;
}

const struct dbg_cmd dbg_cmds_find[] = {
	{ "find", "[/SIZE MAX] START, END|+LENGTH, VALUE...",
	  "Search memory for values one after the other, of SIZE b h w g; END is the last byte. A\n"
	  "number without a size has 32 bits, a string in quotes its characters. $_ is the last\n"
	  "address, $numfound the number of matches, at most MAX.", cmd_find },
	{ }
};
