// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_util.h"

static char message[256];

int ju_fail(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(message, sizeof(message), fmt, ap);
	va_end(ap);
	return -1;
}

const char *ju_error(void)
{
	return message;
}

struct json_object *ju_load(const char *path)
{
	struct json_object *root = json_object_from_file(path);

	if (!root)
		ju_fail("%s: %s", path, json_util_get_last_err());
	return root;
}

struct json_object *ju_get(struct json_object *obj, const char *name)
{
	struct json_object *value;

	if (!json_object_is_type(obj, json_type_object) ||
	    !json_object_object_get_ex(obj, name, &value))
		return NULL;
	return value;
}

int ju_array(struct json_object *obj, const char *name, struct json_object **array)
{
	*array = ju_get(obj, name);
	if (!*array || !json_object_is_type(*array, json_type_array))
		return ju_fail("no array \"%s\"", name);
	return (int)json_object_array_length(*array);
}

int ju_string(struct json_object *obj, const char *name, char **out)
{
	struct json_object *value = ju_get(obj, name);

	if (!value || !json_object_is_type(value, json_type_string))
		return ju_fail("no string \"%s\"", name);
	*out = strdup(json_object_get_string(value));
	return *out ? 0 : ju_fail("out of memory");
}

int ju_hex(struct json_object *value, uint32_t *out)
{
	const char *text;
	char *end;

	if (!json_object_is_type(value, json_type_string))
		return ju_fail("hexadecimal string expected");
	text = json_object_get_string(value);
	errno = 0;
	*out = (uint32_t)strtoul(text, &end, 16);
	if (errno || *end || end == text || strlen(text) > 8)
		return ju_fail("\"%s\" is not a hexadecimal word", text);
	return 0;
}

int ju_hex4(struct json_object *array, uint32_t out[4])
{
	unsigned int i;

	if (!json_object_is_type(array, json_type_array) || json_object_array_length(array) != 4)
		return ju_fail("array of four words expected");
	for (i = 0; i < 4; i++) {
		if (ju_hex(json_object_array_get_idx(array, i), &out[i]))
			return -1;
	}
	return 0;
}

int ju_int(struct json_object *value, int64_t low, int64_t high, int64_t *out)
{
	if (!json_object_is_type(value, json_type_int))
		return ju_fail("integer expected");
	*out = json_object_get_int64(value);
	if (*out < low || *out > high)
		return ju_fail("%lld is not in %lld..%lld", (long long)*out, (long long)low,
			       (long long)high);
	return 0;
}

int ju_words(struct json_object *obj, const char *name, uint32_t **out, unsigned int *n,
	     unsigned int max)
{
	struct json_object *array;
	int i, len = ju_array(obj, name, &array);

	if (len < 0)
		return -1;
	if ((unsigned int)len > max)
		return ju_fail("\"%s\" has more than %u words", name, max);
	*out = calloc((size_t)len + 1, sizeof(**out));
	if (!*out)
		return ju_fail("out of memory");
	*n = (unsigned int)len;
	for (i = 0; i < len; i++) {
		if (ju_hex(json_object_array_get_idx(array, (size_t)i), &(*out)[i]))
			return -1;
	}
	return 0;
}

int ju_rows(struct json_object *rows, uint32_t out[][4], unsigned int n)
{
	if (!json_object_is_type(rows, json_type_object))
		return ju_fail("object of rows expected");
	json_object_object_foreach(rows, key, row) {
		char *end;
		unsigned long index = strtoul(key, &end, 10);

		if (*end || end == key || index >= n)
			return ju_fail("row \"%s\" is not below %u", key, n);
		if (ju_hex4(row, out[index]))
			return -1;
	}
	return 0;
}

int ju_integers(struct json_object *obj, const char *name, uint8_t out[4][4])
{
	struct json_object *array;
	int i, j, len = ju_array(obj, name, &array);

	if (len < 0)
		return -1;
	if (len > 4)
		return ju_fail("\"%s\" has more than four registers", name);
	for (i = 0; i < len; i++) {
		struct json_object *row = json_object_array_get_idx(array, (size_t)i);

		if (!json_object_is_type(row, json_type_array) ||
		    json_object_array_length(row) != 4)
			return ju_fail("\"%s\": four bytes expected", name);
		for (j = 0; j < 4; j++) {
			int64_t byte;

			if (ju_int(json_object_array_get_idx(row, (size_t)j), 0, 255, &byte))
				return -1;
			out[i][j] = (uint8_t)byte;
		}
	}
	return 0;
}
