// SPDX-License-Identifier: MIT
/*
 * Job files: the top of the parser.
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jobfile_isa.h"

#define JSON_DEPTH	16
#define MAX_KEYS	1024	/* of an object, that are compared */
#define BOM		"\xef\xbb\xbf"

/* Line and column of a byte. */
static void find_place(const char *buf, size_t at, size_t *line, size_t *column)
{
	size_t i;

	*line = 1;
	*column = 1;
	for (i = 0; i < at; i++) {
		if (buf[i] == '\n') {
			(*line)++;
			*column = 1;
		} else {
			(*column)++;
		}
	}
}

static int place_error(struct jf_ctx *c, const char *buf, size_t at, const char *what)
{
	size_t line, column;

	find_place(buf, at, &line, &column);
	return jf_error(c, "line %zu, column %zu: %s", line, column, what);
}

/* The end of the string that begins at @at. */
static size_t skip_string(const char *buf, size_t len, size_t at)
{
	for (at++; at < len && buf[at] != '"'; at++)
		at += buf[at] == '\\';
	return at;
}

static size_t digits(const char *s)
{
	return strspn(s, "0123456789");
}

/* Characters of a number by JSON's grammar; 0: it is none. @whole: no fraction, no exponent */
static size_t number_size(const char *s, bool *whole)
{
	size_t n = *s == '0' ? 1 : digits(s), at = n, part;

	if (n && s[at] == '.') {
		part = digits(s + at + 1);
		n = part ? at + 1 + part : 0;
		at = n;
	}
	if (n && (s[at] == 'e' || s[at] == 'E')) {
		at += s[at + 1] == '+' || s[at + 1] == '-';
		part = digits(s + at + 1);
		n = part ? at + 1 + part : 0;
	}
	*whole = n && digits(s) == n;
	return n;
}

/* @at: after a sign. Advances it to the last character. */
static int check_number(struct jf_ctx *c, const char *buf, size_t *at)
{
	bool whole, negative = *at && buf[*at - 1] == '-';
	const char *s = buf + *at;
	size_t n = number_size(s, &whole);

	if (!n)
		return place_error(c, buf, *at, "not a number of JSON");
	if (isinf(strtod(s, NULL)))
		return place_error(c, buf, *at,
				   "the number is too large (expected at most 1.8e308)");
	errno = 0;
	/* the parser takes the nearest that it has */
	if (whole && (negative ? strtoll(s - 1, NULL, 10) == INT64_MIN :
				 strtoull(s, NULL, 10) == UINT64_MAX) && errno)
		return place_error(c, buf, *at,
				   "the whole number is too large (expected 64 bits, or a fraction)");
	*at += n - 1;
	return 0;
}

/* A string has no control characters. Advances @at to its end. */
static int check_string(struct jf_ctx *c, const char *buf, size_t len, size_t *at)
{
	size_t i, end = skip_string(buf, len, *at);

	for (i = *at; i < end && i < len; i++) {
		if ((unsigned char)buf[i] < ' ')
			return place_error(c, buf, i,
				"a control character within a string (expected \\n, \\t or \\u00..)");
	}
	*at = end;
	return 0;
}

/*
 * The parser takes more than JSON: NaN and Infinity, single quotes, control characters. The text is
 * known to be what it takes.
 */
static int check_text(struct jf_ctx *c, const char *buf, size_t len)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < len && !ret; i++) {
		if (buf[i] == '"')
			ret = check_string(c, buf, len, &i);
		else if (buf[i] == 'N' || buf[i] == 'I')
			ret = place_error(c, buf, i,
					  "not JSON (expected \"nan\", \"inf\" or \"-inf\" in quotes)");
		else if (buf[i] == '\'')
			ret = place_error(c, buf, i, "not JSON (expected double quotes)");
		else if (buf[i] == '\v' || buf[i] == '\f')
			ret = place_error(c, buf, i, "not JSON (a control character)");
		else if (isdigit((unsigned char)buf[i]))
			ret = check_number(c, buf, &i);
	}
	return ret;
}

/**
 * struct object - an object whose keys are read
 * @keys: strings with their quotes
 * @n: how many
 */
struct object {
	const char *keys[MAX_KEYS];
	unsigned int n;
};

/* The next character of a string, which an escape may stand for; UTF-8 by bytes. */
static unsigned int next_char(const char **p)
{
	static const char escapes[] = "b\bf\fn\nr\rt\t";
	unsigned int i, code;
	char hex[5] = "";

	if (**p != '\\')
		return (unsigned char)*(*p)++;
	(*p)++;
	if (**p == 'u') {
		memcpy(hex, *p + 1, 4);
		*p += 5;
		return (unsigned int)strtoul(hex, NULL, 16);
	}
	code = (unsigned char)*(*p)++;
	for (i = 0; escapes[i]; i += 2) {
		if ((unsigned char)escapes[i] == code)
			return (unsigned char)escapes[i + 1];
	}
	return code;
}

/* @a, @b: at the quotes that begin them */
static bool same_string(const char *a, const char *b)
{
	a++;
	b++;
	while (*a != '"' && *b != '"') {
		if (next_char(&a) != next_char(&b))
			return false;
	}
	return *a == *b;
}

static bool add_key(struct object *o, const char *key)
{
	unsigned int i;

	for (i = 0; i < o->n; i++) {
		if (same_string(o->keys[i], key))
			return false;
	}
	if (o->n < MAX_KEYS)
		o->keys[o->n++] = key;
	return true;
}

/* The parser takes the last one of several members with one name. The text is known to be JSON. */
static int check_keys(struct jf_ctx *c, const char *buf, size_t len)
{
	struct object *stack = malloc((JSON_DEPTH + 1) * sizeof(*stack));
	unsigned int depth = 0;
	size_t i, end, next;
	int ret = 0;

	if (!stack)
		return -ENOMEM;
	for (i = 0; i < len && !ret; i++) {
		if (buf[i] == '{' && depth < JSON_DEPTH) {
			stack[++depth].n = 0;
		} else if (buf[i] == '}') {
			depth -= !!depth;
		} else if (buf[i] == '"') {
			end = skip_string(buf, len, i);
			for (next = end + 1; next < len && isspace((unsigned char)buf[next]);)
				next++;
			if (next < len && buf[next] == ':' && depth &&
			    !add_key(&stack[depth], buf + i))
				ret = place_error(c, buf, i, "a second member with this name");
			i = end;
		}
	}
	free(stack);
	return ret;
}

static int parse_json(struct jf_ctx *c, const char *buf, size_t len, struct json_object **root)
{
	struct json_tokener *tok = json_tokener_new_ex(JSON_DEPTH);
	enum json_tokener_error e;
	size_t line, column, end;
	int ret = 0;

	if (!tok)
		return -ENOMEM;
	*root = NULL;
	if (len >= sizeof(BOM) - 1 && !memcmp(buf, BOM, sizeof(BOM) - 1)) {
		json_tokener_free(tok);
		return place_error(c, buf, 0, "byte order mark (expected UTF-8 without one)");
	}
	json_tokener_set_flags(tok, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	*root = json_tokener_parse_ex(tok, buf, (int)len);
	e = json_tokener_get_error(tok);
	end = json_tokener_get_parse_end(tok);
	find_place(buf, end < len ? end : len, &line, &column);
	if (e == json_tokener_continue)
		ret = jf_error(c, "line %zu: the text ends inside a value", line);
	else if (e != json_tokener_success)
		ret = jf_error(c, "line %zu, column %zu: %s", line, column,
			       json_tokener_error_desc(e));
	json_tokener_free(tok);
	if (!ret)
		ret = check_text(c, buf, len);
	if (!ret)
		ret = check_keys(c, buf, len);
	if (ret && *root)
		json_object_put(*root);
	return ret;
}

static int parse_root(struct jf_ctx *c, struct json_object *root)
{
	static const char * const keys[] = { "$schema", "vshader", "name", "description", "engine",
					     "vms", "memory", "programs", "queues", "syncobjs",
					     "jobs", "images", NULL };
	struct vshader_jobfile *jf = c->jf;
	uint32_t version = 0;
	int ret;

	ret = jf_keys(c, root, keys);
	if (!ret)
		ret = jf_require(c, root, "vshader");
	if (!ret)
		ret = jf_u32(c, root, "vshader", UINT32_MAX, &version);
	if (!ret && version != 1)
		ret = jf_error(c, "\"vshader\" is %u: this is version 1 of the format", version);
	if (!ret)
		ret = jf_string(c, root, "name", &jf->name);
	if (!ret)
		ret = jf_string(c, root, "description", &jf->description);
	if (!ret)
		ret = jf_engine(c, root, "engine", &jf->engine);
	if (!ret)
		ret = jf_parse_vms(c, root);
	if (!ret)
		ret = jf_parse_regions(c, root);
	if (!ret)
		ret = jf_parse_programs(c, root);
	if (!ret)
		ret = jf_parse_queues(c, root);
	if (!ret)
		ret = jf_parse_jobs(c, root);
	if (!ret)
		ret = jf_parse_images(c, root);
	if (!ret && !jf->num_jobs && !jf->num_programs)
		ret = jf_error(c, "there are neither \"jobs\" nor \"programs\"");
	return ret;
}

/* Folder of a path with its final slash. */
static char *folder_of(struct jf_block **blocks, const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t len = slash ? (size_t)(slash - path) + 1 : 0;
	char *dir = jf_alloc(blocks, len + 1);

	if (dir)
		memcpy(dir, path, len);
	return dir;
}

/* Of a pipe, or of a file that has no name any more: names are relative to the current folder. */
static bool has_no_folder(const char *path)
{
	return !strncmp(path, "/dev/fd/", 8) || !strcmp(path, "/dev/stdin");
}

int vshader_jobfile_parse(const char *buf, size_t len, const char *name, unsigned int flags,
			  struct vshader_jobfile **out, char *err, size_t err_size)
{
	struct jf_ctx c = {
		.flags = flags,
		.err = err,
		.err_size = err_size,
		.data_left = JF_MAX_DATA,
		.values_left = JF_MAX_VALUES,
	};
	struct json_object *root;
	int ret;

	if (err_size)
		err[0] = 0;
	if (len > JF_MAX_FILE)
		return jf_error(&c, "a job file has at most %u bytes", JF_MAX_FILE);
	c.jf = calloc(1, sizeof(*c.jf));
	if (!c.jf)
		return -ENOMEM;
	c.dir = folder_of(&c.jf->blocks, name && !has_no_folder(name) ? name : "");
	ret = c.dir ? parse_json(&c, buf, len, &root) : -ENOMEM;
	if (!ret) {
		ret = parse_root(&c, root);
		json_object_put(root);
	}
	if (ret) {
		vshader_jobfile_free(c.jf);
		return ret;
	}
	*out = c.jf;
	return 0;
}

int vshader_jobfile_load(const char *path, struct vshader_jobfile **out, char *err,
			 size_t err_size)
{
	struct jf_ctx c = { .err = err, .err_size = err_size };
	uint8_t *data;
	size_t len;
	int ret;

	ret = jf_read_argument(path, JF_MAX_FILE, &data, &len);
	if (ret) {
		jf_error(&c, "cannot read: %s", strerror(-ret));
		return ret;
	}
	ret = vshader_jobfile_parse((const char *)data, len, path, 0, out, err, err_size);
	free(data);
	return ret;
}

void vshader_jobfile_free(struct vshader_jobfile *jf)
{
	uint32_t i;

	if (!jf)
		return;
	for (i = 0; i < jf->num_programs; i++) {
		vshader_binary_free(jf->programs[i].bin);
		jf_free_mbs1(&jf->programs[i]);
	}
	for (i = 0; i < jf->num_codes; i++)
		vshader_binary_free(jf->codes[i].bin);
	free(jf->codes);
	jf_free_blocks(jf->blocks);
	free(jf);
}
