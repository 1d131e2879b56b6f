/* SPDX-License-Identifier: GPL-2.0 */
/* Reading of checked values out of json-c trees, one error message kept. */
#ifndef SELFTESTS_PICA_JSON_UTIL_H
#define SELFTESTS_PICA_JSON_UTIL_H

#include <json-c/json.h>
#include <stdint.h>

/* Remember a message; always returns -1. */
int ju_fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
const char *ju_error(void);

struct json_object *ju_load(const char *path);

/* Member @name or NULL. */
struct json_object *ju_get(struct json_object *obj, const char *name);

/* A member that must be an array; its length, or negative. */
int ju_array(struct json_object *obj, const char *name, struct json_object **array);

int ju_string(struct json_object *obj, const char *name, char **out);
int ju_hex(struct json_object *value, uint32_t *out);
int ju_hex4(struct json_object *array, uint32_t out[4]);
int ju_int(struct json_object *value, int64_t low, int64_t high, int64_t *out);

/* Words in hex: allocates *out, count in *n. */
int ju_words(struct json_object *obj, const char *name, uint32_t **out, unsigned int *n,
	     unsigned int max);

/* Rows of four words by index: {"12": [..], ..}. */
int ju_rows(struct json_object *rows, uint32_t out[][4], unsigned int n);

/* Integer uniforms: up to four arrays of four bytes. */
int ju_integers(struct json_object *obj, const char *name, uint8_t out[4][4]);

#endif
