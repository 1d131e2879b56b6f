// SPDX-License-Identifier: MIT
/*
 * Checked access to the JSON of a job file.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jobfile_json.h"

const struct jf_name jf_stages[] = {
	{ "vertex", DRM_VSHADER_STAGE_VERTEX },
	{ "geometry", DRM_VSHADER_STAGE_GEOMETRY },
	{ "fragment", DRM_VSHADER_STAGE_FRAGMENT },
	{ "compute", DRM_VSHADER_STAGE_COMPUTE },
	{ }
};

const struct jf_name jf_formats[] = {
	{ "f32", DRM_VSHADER_FORMAT_F32 },
	{ "s8", DRM_VSHADER_FORMAT_S8 },
	{ "u8", DRM_VSHADER_FORMAT_U8 },
	{ "s16", DRM_VSHADER_FORMAT_S16 },
	{ "u16", DRM_VSHADER_FORMAT_U16 },
	{ "f16", DRM_VSHADER_FORMAT_F16 },
	{ "f24", DRM_VSHADER_FORMAT_F24 },
	{ "u32", DRM_VSHADER_FORMAT_U32 },
	{ "s32", DRM_VSHADER_FORMAT_S32 },
	{ "u32-value", DRM_VSHADER_FORMAT_U32_VALUE },
	{ "snorm8", DRM_VSHADER_FORMAT_SNORM8 },
	{ "unorm8", DRM_VSHADER_FORMAT_UNORM8 },
	{ "snorm16", DRM_VSHADER_FORMAT_SNORM16 },
	{ "unorm16", DRM_VSHADER_FORMAT_UNORM16 },
	{ "snorm32", DRM_VSHADER_FORMAT_SNORM32 },
	{ "unorm32", DRM_VSHADER_FORMAT_UNORM32 },
	{ "fixed", DRM_VSHADER_FORMAT_FIXED },
	{ }
};

const struct jf_name jf_fault_kinds[] = {
	{ "none", DRM_VSHADER_FAULT_NONE },
	{ "read", DRM_VSHADER_FAULT_READ },
	{ "write", DRM_VSHADER_FAULT_WRITE },
	{ "fetch", DRM_VSHADER_FAULT_FETCH },
	{ "misaligned", DRM_VSHADER_FAULT_MISALIGNED },
	{ "encoding", DRM_VSHADER_FAULT_ENCODING },
	{ "budget", DRM_VSHADER_FAULT_BUDGET },
	{ "timeout", DRM_VSHADER_FAULT_TIMEOUT },
	{ "deadlock", DRM_VSHADER_FAULT_DEADLOCK },
	{ "hang", DRM_VSHADER_FAULT_HANG },
	{ "overflow", DRM_VSHADER_FAULT_OVERFLOW },
	{ "command", DRM_VSHADER_FAULT_COMMAND },
	{ "canceled", DRM_VSHADER_FAULT_CANCELED },
	{ "hazard", DRM_VSHADER_FAULT_HAZARD },
	{ }
};

/* ---- memory ---- */

struct jf_block {
	struct jf_block *next;
	max_align_t data[];
};

void *jf_alloc(struct jf_block **list, size_t size)
{
	struct jf_block *b;

	if (size > SIZE_MAX - sizeof(*b))
		return NULL;
	b = calloc(1, sizeof(*b) + size);
	if (!b)
		return NULL;
	b->next = *list;
	*list = b;
	return b->data;
}

char *jf_strdup(struct jf_block **list, const char *s)
{
	size_t len = strlen(s) + 1;
	char *p = jf_alloc(list, len);

	return p ? memcpy(p, s, len) : NULL;
}

char *jf_printf(struct jf_block **list, const char *fmt, ...)
{
	char buf[8192];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	return jf_strdup(list, buf);
}

void jf_free_blocks(struct jf_block *list)
{
	while (list) {
		struct jf_block *next = list->next;

		free(list);
		list = next;
	}
}

/* ---- locations and errors ---- */

/* Length of a control character, in UTF-8, that changes a terminal: no line ends, no tabs. */
static size_t control_len(const char *s)
{
	const unsigned char *p = (const unsigned char *)s;

	if (p[0] == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0)
		return 2;
	return (p[0] < 0x20 && p[0] && p[0] != '\n' && p[0] != '\t') || p[0] == 0x7f;
}

/* Texts of job files are printed: their control characters become visible, as \xNN. */
static char *printable(struct jf_block **blocks, const char *s)
{
	char *p = jf_alloc(blocks, 4 * strlen(s) + 1), *out = p;
	size_t n;

	while (p && *s) {
		n = control_len(s);
		if (!n)
			*out++ = *s++;
		for (; n; n--)
			out += sprintf(out, "\\x%02x", (unsigned char)*s++);
	}
	return p;
}

void jf_mask(char *text)
{
	size_t n;

	for (; *text; text++) {
		for (n = control_len(text); n; n--)
			text[n - 1] = '?';
	}
}

int jf_error(struct jf_ctx *c, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (!c->err_size)
		return -EINVAL;
	n = snprintf(c->err, c->err_size, "%s%s", c->path, c->path_len ? ": " : "");
	if (n < 0 || (size_t)n >= c->err_size)
		return -EINVAL;
	va_start(ap, fmt);
	vsnprintf(c->err + n, c->err_size - n, fmt, ap);
	va_end(ap);
	jf_mask(c->err);
	return -EINVAL;
}

static size_t append_path(struct jf_ctx *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static size_t append_path(struct jf_ctx *c, const char *fmt, ...)
{
	size_t mark = c->path_len;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(c->path + mark, sizeof(c->path) - mark, fmt, ap);
	va_end(ap);
	if (n > 0)
		c->path_len += (size_t)n;
	if (c->path_len >= sizeof(c->path))
		c->path_len = sizeof(c->path) - 1;
	return mark;
}

size_t jf_enter(struct jf_ctx *c, const char *key)
{
	return append_path(c, "%s%.64s", c->path_len ? "." : "", key);
}

size_t jf_enter_index(struct jf_ctx *c, size_t n)
{
	return append_path(c, "[%zu]", n);
}

void jf_leave(struct jf_ctx *c, size_t mark)
{
	c->path_len = mark;
	c->path[mark] = 0;
}

int jf_unique(struct jf_ctx *c, const char *kind, const char * const *first, size_t size, size_t n)
{
	const char *at = (const char *)first, *name, *other;
	size_t i;

	memcpy(&name, at + n * size, sizeof(name));
	for (i = 0; name && i < n; i++) {
		memcpy(&other, at + i * size, sizeof(other));
		if (other && !strcmp(name, other))
			return jf_error(c, "there are two %s \"%.64s\"", kind, name);
	}
	return 0;
}

/* ---- values ---- */

static const char *type_text(struct json_object *v)
{
	switch (json_object_get_type(v)) {
	case json_type_null: return "null";
	case json_type_boolean: return "a boolean";
	case json_type_double: return "a number with a fraction";
	case json_type_int: return "an integer";
	case json_type_object: return "an object";
	case json_type_array: return "a list";
	case json_type_string: return "a string";
	}
	return "nothing";
}

int jf_is_object(struct jf_ctx *c, struct json_object *o)
{
	if (!json_object_is_type(o, json_type_object))
		return jf_error(c, "expected an object, got %s", type_text(o));
	return 0;
}

int jf_keys(struct jf_ctx *c, struct json_object *o, const char * const *allowed)
{
	char list[400] = "";
	int ret = jf_is_object(c, o);
	unsigned int i;

	if (ret)
		return ret;
	json_object_object_foreach(o, key, val) {
		(void)val;
		for (i = 0; allowed[i] && strcmp(allowed[i], key); i++)
			;
		if (allowed[i])
			continue;
		for (i = 0; allowed[i]; i++) {
			size_t len = strlen(list);

			snprintf(list + len, sizeof(list) - len, "%s%s", i ? ", " : "", allowed[i]);
		}
		return jf_error(c, "unknown member \"%.64s\"; known here: %s", key, list);
	}
	return 0;
}

struct json_object *jf_get(struct json_object *o, const char *key)
{
	struct json_object *v;

	return json_object_object_get_ex(o, key, &v) ? v : NULL;
}

int jf_require(struct jf_ctx *c, struct json_object *o, const char *key)
{
	if (!json_object_object_get_ex(o, key, NULL))
		return jf_error(c, "member \"%s\" is missing", key);
	return 0;
}

bool jf_parse_u64(const char *s, const char **end, uint64_t *out)
{
	char *e;

	/* strtoull() would take signs and blanks. */
	if (*s < '0' || *s > '9')
		return false;
	errno = 0;
	*out = strtoull(s, &e, s[0] == '0' && (s[1] == 'x' || s[1] == 'X') ? 16 : 10);
	*end = e;
	return !errno && e != s;
}

int jf_value_u64(struct jf_ctx *c, struct json_object *v, uint64_t max, uint64_t *out)
{
	uint64_t n;

	if (json_object_is_type(v, json_type_int)) {
		if (json_object_get_int64(v) < 0)
			return jf_error(c, "expected a number from 0 to %llu, got %lld",
					(unsigned long long)max,
					(long long)json_object_get_int64(v));
		n = json_object_get_uint64(v);
	} else if (json_object_is_type(v, json_type_string)) {
		const char *s = json_object_get_string(v), *end;

		if (!jf_parse_u64(s, &end, &n) || *end)
			return jf_error(c, "expected a number, decimal or with 0x, got \"%.40s\"",
					s);
	} else {
		return jf_error(c, "expected an integer, got %s", type_text(v));
	}
	if (n > max)
		return jf_error(c, "%llu (%#llx) is above the limit %llu", (unsigned long long)n,
				(unsigned long long)n, (unsigned long long)max);
	*out = n;
	return 0;
}

int jf_u64(struct jf_ctx *c, struct json_object *o, const char *key, uint64_t max, uint64_t *out)
{
	struct json_object *v;
	size_t mark;
	int ret;

	if (!json_object_object_get_ex(o, key, &v))
		return 0;
	mark = jf_enter(c, key);
	ret = jf_value_u64(c, v, max, out);
	jf_leave(c, mark);
	return ret;
}

int jf_u32(struct jf_ctx *c, struct json_object *o, const char *key, uint32_t max, uint32_t *out)
{
	uint64_t n = *out;
	int ret = jf_u64(c, o, key, max, &n);

	if (!ret)
		*out = (uint32_t)n;
	return ret;
}

int jf_bool(struct jf_ctx *c, struct json_object *o, const char *key, bool *out)
{
	struct json_object *v;
	size_t mark;
	int ret = 0;

	if (!json_object_object_get_ex(o, key, &v))
		return 0;
	mark = jf_enter(c, key);
	if (json_object_is_type(v, json_type_boolean))
		*out = json_object_get_boolean(v);
	else
		ret = jf_error(c, "expected true or false, got %s", type_text(v));
	jf_leave(c, mark);
	return ret;
}

int jf_double(struct jf_ctx *c, struct json_object *o, const char *key, double *out)
{
	struct json_object *v;
	size_t mark;
	int ret = 0;

	if (!json_object_object_get_ex(o, key, &v))
		return 0;
	mark = jf_enter(c, key);
	if (!json_object_is_type(v, json_type_double) && !json_object_is_type(v, json_type_int))
		ret = jf_error(c, "expected a number, got %s", type_text(v));
	else if (!isfinite(json_object_get_double(v)) || json_object_get_double(v) < 0)
		ret = jf_error(c, "expected a finite number that is not negative");
	else
		*out = json_object_get_double(v);
	jf_leave(c, mark);
	return ret;
}

int jf_string(struct jf_ctx *c, struct json_object *o, const char *key, const char **out)
{
	struct json_object *v;
	size_t mark;
	int ret = 0;

	if (!json_object_object_get_ex(o, key, &v))
		return 0;
	mark = jf_enter(c, key);
	if (!json_object_is_type(v, json_type_string))
		ret = jf_error(c, "expected a string, got %s", type_text(v));
	else if (strlen(json_object_get_string(v)) != (size_t)json_object_get_string_len(v))
		ret = jf_error(c, "a string must not contain a zero character");
	else
		*out = printable(&c->jf->blocks, json_object_get_string(v));
	jf_leave(c, mark);
	return ret ? ret : *out ? 0 : -ENOMEM;
}

const char *jf_name_of(const struct jf_name *names, uint32_t value)
{
	for (; names->name; names++) {
		if (names->value == value)
			return names->name;
	}
	return NULL;
}

int jf_value_name(struct jf_ctx *c, struct json_object *v, const struct jf_name *names,
		  uint32_t *out)
{
	const struct jf_name *n;
	char list[400] = "";
	const char *s;

	if (!json_object_is_type(v, json_type_string))
		return jf_error(c, "expected a name, got %s", type_text(v));
	s = json_object_get_string(v);
	for (n = names; n->name; n++) {
		size_t len = strlen(list);

		if (!strcmp(n->name, s)) {
			*out = n->value;
			return 0;
		}
		snprintf(list + len, sizeof(list) - len, "%s%s", len ? ", " : "", n->name);
	}
	return jf_error(c, "unknown name \"%.40s\"; expected one of %s", s, list);
}

int jf_enum(struct jf_ctx *c, struct json_object *o, const char *key,
	    const struct jf_name *names, uint32_t *out)
{
	struct json_object *v;
	size_t mark;
	int ret;

	if (!json_object_object_get_ex(o, key, &v))
		return 0;
	mark = jf_enter(c, key);
	ret = jf_value_name(c, v, names, out);
	jf_leave(c, mark);
	return ret;
}

int jf_list(struct jf_ctx *c, struct json_object *o, const char *key, size_t max,
	    struct json_object **list, size_t *n)
{
	struct json_object *v;
	size_t mark;
	int ret = 0;

	*list = NULL;
	*n = 0;
	if (!json_object_object_get_ex(o, key, &v))
		return 0;
	mark = jf_enter(c, key);
	if (!json_object_is_type(v, json_type_array)) {
		ret = jf_error(c, "expected a list, got %s", type_text(v));
	} else if (json_object_array_length(v) > max) {
		ret = jf_error(c, "%zu elements, the limit is %zu", json_object_array_length(v),
			       max);
	} else {
		*list = v;
		*n = json_object_array_length(v);
	}
	jf_leave(c, mark);
	return ret;
}

int jf_flag_list(struct jf_ctx *c, struct json_object *o, const char *key,
		 const struct jf_name *names, uint32_t *out)
{
	struct json_object *list;
	size_t i, n, mark, mark2;
	int ret = jf_list(c, o, key, 32, &list, &n);

	mark = jf_enter(c, key);
	for (i = 0; !ret && i < n; i++) {
		uint32_t flag = 0;

		mark2 = jf_enter_index(c, i);
		ret = jf_value_name(c, json_object_array_get_idx(list, i), names, &flag);
		jf_leave(c, mark2);
		*out |= flag;
	}
	jf_leave(c, mark);
	return ret;
}

/* ---- files ---- */

int jf_source_path(struct jf_ctx *c, const char *name, const char **out)
{
	char *joined, *path;

	if (asprintf(&joined, "%s%s", name[0] == '/' ? "" : c->dir, name) < 0)
		return -ENOMEM;
	path = realpath(joined, NULL);
	*out = jf_strdup(&c->jf->blocks, path ? path : joined);
	free(path);
	free(joined);
	return *out ? 0 : -ENOMEM;
}

int jf_read_file(struct jf_ctx *c, const char *name, uint8_t **data, size_t *len)
{
	char path[4096];
	int ret, n;

	if (c->flags & VSHADER_JOBFILE_NO_FILES)
		return jf_error(c, "file \"%.80s\": other files are not allowed here", name);
	n = snprintf(path, sizeof(path), "%s%s", name[0] == '/' ? "" : c->dir, name);
	if (n < 0 || (size_t)n >= sizeof(path))
		return jf_error(c, "file name is too long");
	ret = jf_read_path(path, JF_MAX_FILE, data, len);
	if (ret == -EFBIG)
		return jf_error(c, "file \"%s\" is larger than %u bytes", path, JF_MAX_FILE);
	if (ret)
		return jf_error(c, "cannot read file \"%s\": %s", path,
				ret == -EINVAL ? "not a regular file" : strerror(-ret));
	return 0;
}
