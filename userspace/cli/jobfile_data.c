// SPDX-License-Identifier: MIT
/*
 * Data of job files: initial contents of memory, words of programs, command lists.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "jobfile_json.h"

/* Growing array of bytes. */
struct bytes {
	uint8_t *p;
	size_t len;
	size_t room;
};

static int add_bytes(struct bytes *b, const void *p, size_t len)
{
	if (b->room - b->len < len) {
		size_t room = b->room * 2 > b->len + len ? b->room * 2 : b->len + len + 64;
		uint8_t *n = realloc(b->p, room);

		if (!n)
			return -ENOMEM;
		b->p = n;
		b->room = room;
	}
	memcpy(b->p + b->len, p, len);
	b->len += len;
	return 0;
}

static int take_data(struct jf_ctx *c, uint64_t bytes)
{
	if (bytes > c->data_left)
		return jf_error(c, "more than %u bytes of data in this file", JF_MAX_DATA);
	c->data_left -= bytes;
	return 0;
}

static int hex_digit(char ch)
{
	if (ch >= '0' && ch <= '9')
		return ch - '0';
	if (ch >= 'a' && ch <= 'f')
		return ch - 'a' + 10;
	if (ch >= 'A' && ch <= 'F')
		return ch - 'A' + 10;
	return -1;
}

static bool is_blank(char ch)
{
	return ch == ' ' || ch == '\t' || ch == '\n' || ch == '\r';
}

/* Pairs of hexadecimal digits, blanks between them. */
static int parse_hex_bytes(struct jf_ctx *c, const char *s, struct bytes *b)
{
	const char *start = s;
	int ret;

	for (;;) {
		uint8_t byte;

		while (is_blank(*s))
			s++;
		if (!*s)
			return 0;
		if (hex_digit(s[0]) < 0 || hex_digit(s[1]) < 0)
			return jf_error(c, "character %zu: expected two hexadecimal digits",
					(size_t)(s - start));
		byte = (uint8_t)(hex_digit(s[0]) << 4 | hex_digit(s[1]));
		s += 2;
		ret = add_bytes(b, &byte, 1);
		if (ret)
			return ret;
	}
}

/* 32-bit words, up to 8 hexadecimal digits each; "#" starts a comment. */
static int parse_hex_words(struct jf_ctx *c, const char *s, size_t len, struct bytes *b)
{
	size_t i = 0, digits, line = 1;
	int ret;

	while (i < len) {
		uint32_t word = 0;
		uint8_t le[4];

		if (s[i] == '\n')
			line++;
		if (is_blank(s[i]) || s[i] == ',') {
			i++;
			continue;
		}
		if (s[i] == '#') {
			while (i < len && s[i] != '\n')
				i++;
			continue;
		}
		if (i + 1 < len && s[i] == '0' && (s[i + 1] == 'x' || s[i + 1] == 'X'))
			i += 2;
		for (digits = 0; i < len && hex_digit(s[i]) >= 0; i++, digits++)
			word = word << 4 | (uint32_t)hex_digit(s[i]);
		if (!digits || digits > 8 || (i < len && !is_blank(s[i]) && s[i] != ',' &&
					      s[i] != '#'))
			return jf_error(c, "line %zu: expected a word of 1 to 8 hexadecimal digits",
					line);
		jf_store(JF_U32, word, le);
		ret = add_bytes(b, le, 4);
		if (ret)
			return ret;
	}
	return 0;
}

static int add_values(const struct jf_values *v, struct bytes *b)
{
	uint8_t le[4];
	uint32_t i;
	int ret;

	for (i = 0; i < v->count; i++) {
		jf_store(v->type, v->v[i].bits, le);
		ret = add_bytes(b, le, jf_type_bytes(v->type));
		if (ret)
			return ret;
	}
	return 0;
}

/*
 * One command of a PICA200 list: parameter, header, extra parameters, padded to 8
 * bytes. Header: register 0-15, byte mask 16-19, extra parameters 20-27, consecutive
 * registers 31.
 */
static int add_command(struct jf_ctx *c, struct json_object *o, struct bytes *b)
{
	static const char * const keys[] = { "reg", "values", "mask", "consecutive", "comment",
					     NULL };
	uint32_t reg = 0, mask = 15, header;
	bool consecutive = false;
	struct jf_values values;
	struct json_object *v;
	uint8_t le[4] = { };
	uint32_t i;
	size_t mark;
	int ret;

	ret = jf_keys(c, o, keys);
	if (!ret)
		ret = jf_require(c, o, "reg");
	if (!ret)
		ret = jf_require(c, o, "values");
	if (!ret)
		ret = jf_u32(c, o, "reg", 0xffff, &reg);
	if (!ret)
		ret = jf_u32(c, o, "mask", 15, &mask);
	if (!ret)
		ret = jf_bool(c, o, "consecutive", &consecutive);
	if (ret)
		return ret;
	mark = jf_enter(c, "values");
	v = jf_get(o, "values");
	ret = jf_parse_values(c, v, JF_U32, false, &values);
	if (!ret && (!values.count || values.count > 256))
		ret = jf_error(c, "expected 1 to 256 values, got %u", values.count);
	jf_leave(c, mark);
	if (ret)
		return ret;
	header = reg | mask << 16 | (values.count - 1) << 20 | (consecutive ? 1u << 31 : 0);
	for (i = 0; !ret && i <= values.count; i++) {
		jf_store(JF_U32, i == 1 ? header : values.v[i ? i - 1 : 0].bits, le);
		ret = add_bytes(b, le, 4);
	}
	memset(le, 0, sizeof(le));
	if (!ret && b->len % 8)
		ret = add_bytes(b, le, 4);
	return ret;
}

static int add_commands(struct jf_ctx *c, struct json_object *piece, struct bytes *b)
{
	struct json_object *list;
	size_t i, n, mark, mark2;
	int ret = jf_list(c, piece, "commands", JF_MAX_ITEMS, &list, &n);

	mark = jf_enter(c, "commands");
	for (i = 0; !ret && i < n; i++) {
		mark2 = jf_enter_index(c, i);
		ret = add_command(c, json_object_array_get_idx(list, i), b);
		jf_leave(c, mark2);
	}
	jf_leave(c, mark);
	return ret;
}

static int add_file(struct jf_ctx *c, struct json_object *piece, struct bytes *b)
{
	uint64_t offset = 0, size = 0;
	const char *name = NULL;
	uint8_t *data;
	size_t len, mark;
	int ret;

	ret = jf_string(c, piece, "file", &name);
	if (!ret)
		ret = jf_u64(c, piece, "file_offset", JF_MAX_FILE, &offset);
	if (!ret)
		ret = jf_u64(c, piece, "file_size", JF_MAX_FILE, &size);
	if (ret)
		return ret;
	mark = jf_enter(c, "file");
	ret = jf_read_file(c, name, &data, &len);
	if (!ret) {
		if (offset > len || size > len - offset)
			ret = jf_error(c, "%llu bytes from %llu on are asked for, \"%s\" has %zu",
				       (unsigned long long)size, (unsigned long long)offset, name,
				       len);
		else
			ret = add_bytes(b, data + offset, size ? size : len - offset);
		free(data);
	}
	jf_leave(c, mark);
	return ret;
}

static int add_png(struct jf_ctx *c, struct json_object *piece, struct bytes *b)
{
	struct jf_picture p = { };
	const char *name = NULL, *wrong;
	uint8_t *data, *pixels;
	size_t len, mark;
	int ret = jf_parse_format(c, piece, &p);

	if (!ret)
		ret = jf_string(c, piece, "png", &name);
	if (ret)
		return ret;
	mark = jf_enter(c, "png");
	ret = jf_read_file(c, name, &data, &len);
	if (!ret) {
		wrong = jf_png_read(data, len, &p, &pixels);
		ret = wrong ? jf_error(c, "\"%.80s\": %s", name, wrong) :
			      add_bytes(b, pixels, jf_picture_size(&p));
		if (!wrong)
			free(pixels);
		free(data);
	}
	jf_leave(c, mark);
	return ret;
}

static int add_code(struct jf_ctx *c, struct json_object *piece, struct bytes *b)
{
	uint32_t *words, n, i;
	uint8_t le[4];
	size_t mark = jf_enter(c, "code");
	int ret;

	ret = jf_parse_code(c, jf_get(piece, "code"), &words, &n);
	for (i = 0; !ret && i < n; i++) {
		jf_store(JF_U32, words[i], le);
		ret = add_bytes(b, le, 4);
	}
	jf_leave(c, mark);
	return ret;
}

static int add_piece_bytes(struct jf_ctx *c, struct json_object *o, struct bytes *b)
{
	enum jf_type type = jf_values_type(o);
	struct jf_values values;
	const char *s = NULL;
	size_t mark;
	int ret;

	if (type < JF_NUM_TYPES) {
		mark = jf_enter(c, jf_type_names[type]);
		ret = jf_parse_values(c, jf_get(o, jf_type_names[type]), type, false, &values);
		jf_leave(c, mark);
		return ret ? ret : add_values(&values, b);
	}
	if (jf_get(o, "file"))
		return add_file(c, o, b);
	if (jf_get(o, "png"))
		return add_png(c, o, b);
	if (jf_get(o, "commands"))
		return add_commands(c, o, b);
	if (jf_get(o, "code"))
		return add_code(c, o, b);
	ret = jf_string(c, o, "hex", &s);
	if (ret)
		return ret;
	mark = jf_enter(c, "hex");
	ret = s ? parse_hex_bytes(c, s, b) : 0;
	jf_leave(c, mark);
	return ret;
}

#define VALUE_TYPES	"u8, u16, u32, f16, f24, f32"

static unsigned int count_forms(struct json_object *o)
{
	static const char * const forms[] = { "hex", "u8", "u16", "u32", "f16", "f24", "f32",
					      "file", "png", "commands", "code", "words" };
	unsigned int i, n = 0;

	for (i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		n += json_object_object_get_ex(o, forms[i], NULL);
	return n;
}

static int check_piece(struct jf_ctx *c, uint64_t limit, const struct jf_piece *p)
{
	if (!p->len || p->repeat <= (limit - p->offset) / p->len)
		return 0;
	return jf_error(c, "%llu bytes do not fit into the region at offset %llu",
			(unsigned long long)(p->len * p->repeat), (unsigned long long)p->offset);
}

static int parse_words_piece(struct jf_ctx *c, struct json_object *o, uint64_t limit,
			     uint64_t *pos, struct jf_piece *piece)
{
	uint64_t repeat = piece->repeat;
	size_t mark = jf_enter(c, "words");
	int ret = jf_parse_mixed(c, jf_get(o, "words"), piece);

	piece->repeat = repeat;
	if (!ret)
		ret = take_data(c, piece->len);
	jf_leave(c, mark);
	if (!ret)
		ret = check_piece(c, limit, piece);
	*pos = piece->offset + piece->len * piece->repeat;
	return ret;
}

static int parse_piece(struct jf_ctx *c, struct json_object *o, uint64_t limit, uint64_t *pos,
		       struct jf_piece *piece)
{
	static const char * const keys[] = { "offset", "hex", "u8", "u16", "u32", "f16", "f24",
					     "f32", "file", "file_offset", "file_size",
					     "png", "format", "layout", "stride", "flip", "max",
					     "commands", "code", "words", "repeat", "comment",
					     NULL };
	static const char * const of_png[] = { "format", "layout", "stride", "flip", "max" };
	struct bytes b = { };
	unsigned int i;
	int ret;

	piece->offset = *pos;
	piece->repeat = 1;
	ret = jf_keys(c, o, keys);
	if (ret)
		return ret;
	if (count_forms(o) != 1)
		return jf_error(c, "expected exactly one of hex, %s, %s", VALUE_TYPES,
				"words, code, file, png, commands");
	for (i = 0; i < sizeof(of_png) / sizeof(of_png[0]); i++)
		if (jf_get(o, of_png[i]) && !jf_get(o, "png"))
			return jf_error(c, "\"%s\" goes with \"png\" only", of_png[i]);
	ret = jf_u64(c, o, "offset", limit, &piece->offset);
	if (!ret)
		ret = jf_u64(c, o, "repeat", JF_MAX_REGION, &piece->repeat);
	if (!ret && jf_get(o, "words"))
		return parse_words_piece(c, o, limit, pos, piece);
	if (!ret)
		ret = add_piece_bytes(c, o, &b);
	if (!ret)
		ret = take_data(c, b.len);
	piece->len = b.len;
	if (!ret)
		ret = check_piece(c, limit, piece);
	if (!ret) {
		piece->data = jf_alloc(&c->jf->blocks, b.len);
		if (!piece->data)
			ret = -ENOMEM;
		else if (b.len)
			memcpy(piece->data, b.p, b.len);
	}
	*pos = piece->offset + piece->len * piece->repeat;
	free(b.p);
	return ret;
}

/* A piece, or a list of pieces; a piece without an offset follows the previous one. */
int jf_parse_data(struct jf_ctx *c, struct json_object *data, struct jf_region *r)
{
	bool list = json_object_is_type(data, json_type_array);
	size_t i, n = list ? json_object_array_length(data) : 1, mark = c->path_len;
	uint64_t limit = r->size ? r->size : JF_MAX_REGION, pos = 0, end = 0;
	int ret = 0;

	if (n > JF_MAX_ITEMS)
		return jf_error(c, "%zu elements, the limit is %u", n, JF_MAX_ITEMS);
	r->pieces = jf_alloc(&c->jf->blocks, n * sizeof(*r->pieces));
	if (!r->pieces)
		return -ENOMEM;
	for (i = 0; !ret && i < n; i++) {
		if (list)
			mark = jf_enter_index(c, i);
		ret = parse_piece(c, list ? json_object_array_get_idx(data, i) : data, limit, &pos,
				  &r->pieces[i]);
		jf_leave(c, mark);
		if (pos > end)
			end = pos;
	}
	r->num_pieces = (uint32_t)n;
	if (!ret && !r->size)
		r->size = end;
	return ret;
}

static int words_of_bytes(struct jf_ctx *c, const struct bytes *b, uint32_t **words, uint32_t *n)
{
	size_t i;
	int ret = take_data(c, b->len);

	if (ret)
		return ret;
	*n = (uint32_t)(b->len / 4);
	*words = jf_alloc(&c->jf->blocks, b->len);
	if (!*words)
		return -ENOMEM;
	for (i = 0; i < *n; i++)
		(*words)[i] = jf_load(JF_U32, b->p + 4 * i);
	return 0;
}

/*
 * Words: a list of numbers, text of hexadecimal words, or {"file": name} with either
 * such text (".hex", ".txt") or little-endian binary words.
 */
int jf_parse_words(struct jf_ctx *c, struct json_object *v, uint32_t **words, uint32_t *n)
{
	static const char * const keys[] = { "file", NULL };
	const char *name = NULL, *dot;
	struct jf_values values;
	struct bytes b = { };
	uint8_t *data = NULL;
	size_t len = 0;
	int ret;

	if (json_object_is_type(v, json_type_array)) {
		ret = jf_parse_values(c, v, JF_U32, false, &values);
		if (!ret)
			ret = add_values(&values, &b);
	} else if (json_object_is_type(v, json_type_string)) {
		ret = parse_hex_words(c, json_object_get_string(v),
				      (size_t)json_object_get_string_len(v), &b);
	} else {
		ret = jf_keys(c, v, keys);
		if (!ret)
			ret = jf_require(c, v, "file");
		if (!ret)
			ret = jf_string(c, v, "file", &name);
		if (!ret)
			ret = jf_read_file(c, name, &data, &len);
		dot = !ret ? strrchr(name, '.') : NULL;
		if (dot && (!strcmp(dot, ".hex") || !strcmp(dot, ".txt")))
			ret = parse_hex_words(c, (char *)data, len, &b);
		else if (!ret && len % 4)
			ret = jf_error(c, "\"%s\" has %zu bytes, expected a multiple of 4", name,
				       len);
		else if (!ret)
			ret = add_bytes(&b, data, len);
		free(data);
	}
	if (!ret)
		ret = words_of_bytes(c, &b, words, n);
	free(b.p);
	return ret;
}
