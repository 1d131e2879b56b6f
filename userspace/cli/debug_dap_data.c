// SPDX-License-Identifier: MIT
/*
 * Debug Adapter Protocol: variables, which are registers, expressions and memory.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "debug_dap.h"
#include "debug_ui.h"

#define MAX_MEMORY	65536u
#define PAGE		4096u	/* of the address space */
#define MAX_LINE	1024	/* of what is completed */
#define MAX_TARGETS	256

/* ---- references ---- */

static unsigned int add_ref(struct dap *s, uint64_t inv, int bank, uint32_t reg)
{
	if (s->num_refs == DAP_MAX_REFS)
		return 0;
	s->refs[s->num_refs] = (struct dap_ref){ .inv = inv, .bank = bank, .reg = reg };
	return ++s->num_refs;
}

static const struct dap_ref *get_ref(struct dap *s, struct dap_request *r)
{
	uint64_t n = dap_int(r->args, "variablesReference", 0);

	if (dbg_need_stop(&s->d))
		return NULL;
	if (!n || n > s->num_refs) {
		dbg_error(&s->d, "The variables are those of an earlier stop.");
		return NULL;
	}
	return &s->refs[n - 1];
}

/* The invocation of the request's frame, or of the last one that was asked for. */
static int get_frame(struct dap *s, struct dap_request *r, uint64_t *inv)
{
	struct drm_vshader_debug_invocation now;

	*inv = dap_int(r->args, "frameId", s->d.inv + 1) - 1;
	/* at a fault an invocation may have gone */
	if (*inv == s->d.inv || *inv == s->d.stop.invocation)
		return 0;
	return dbg_find_invocation(&s->d, *inv, &now);
}

/* The request is about its frame; before a stop there is none. */
static int select_frame(struct dap *s, struct dap_request *r)
{
	uint64_t inv;
	int ret;

	if (s->d.state != DBG_STOPPED)
		return 0;
	ret = get_frame(s, r, &inv);
	if (!ret)
		s->d.inv = inv;
	return ret;
}

static int do_scopes(struct dap *s, struct dap_request *r)
{
	struct json_object *list = js_array(r->body, "scopes"), *o;
	int ret = dbg_need_stop(&s->d);
	uint64_t inv = 0;
	unsigned int i;

	if (!ret)
		ret = get_frame(s, r, &inv);
	for (i = 0; !ret && i < s->d.num_banks; i++) {
		const struct drm_vshader_debug_bank *b = &s->d.banks[i];

		o = json_object_new_object();
		js_str(o, "name", b->name);
		js_str(o, "presentationHint", "registers");
		js_int(o, "variablesReference", add_ref(s, inv, (int)i, 0));
		js_int(o, "namedVariables", b->count);
		js_bool(o, "expensive", b->flags & (DRM_VSHADER_DEBUG_BANK_MINOR |
						    DRM_VSHADER_DEBUG_BANK_UNIFORM));
		json_object_array_add(list, o);
	}
	return ret;
}

static int add_register(struct dap *s, struct json_object *list, uint32_t reg)
{
	struct json_object *o;
	char name[32], text[16 * 72], expr[40];
	struct dbg_value v;
	int ret = dbg_read_reg(&s->d, reg, &v);

	if (ret)
		return ret;
	vshader_debug_register_name(s->d.banks, s->d.num_banks, reg, name, sizeof(name));
	snprintf(expr, sizeof(expr), "$%s", name);
	o = json_object_new_object();
	js_str(o, "name", name);
	js_str(o, "value", dbg_text(&v, 0, text, sizeof(text)));
	js_str(o, "evaluateName", expr);
	js_int(o, "variablesReference", v.vector ? add_ref(s, s->d.inv, -1, reg) : 0);
	json_object_array_add(list, o);
	return 0;
}

/* x to w, or the number of a lane */
static void component_name(const struct dbg_value *v, unsigned int i, char *name, size_t size)
{
	if (v->lanes)
		snprintf(name, size, "%u", i);
	else
		snprintf(name, size, "%c", "xyzw"[i & 3]);
}

static int add_components(struct dap *s, struct json_object *list, uint32_t reg)
{
	char name[32], one[16], text[80], expr[48];
	struct json_object *o;
	struct dbg_value v;
	unsigned int i;
	int ret = dbg_read_reg(&s->d, reg, &v);

	if (ret)
		return ret;
	vshader_debug_register_name(s->d.banks, s->d.num_banks, reg, name, sizeof(name));
	for (i = 0; i < v.num; i++) {
		component_name(&v, i, one, sizeof(one));
		snprintf(expr, sizeof(expr), "$%s[%u]", name, i);
		o = json_object_new_object();
		js_str(o, "name", one);
		js_str(o, "value", dbg_component(&v, i, 0, text, sizeof(text)));
		js_str(o, "evaluateName", expr);
		js_int(o, "variablesReference", 0);
		json_object_array_add(list, o);
	}
	return 0;
}

static int do_variables(struct dap *s, struct dap_request *r)
{
	struct json_object *list = js_array(r->body, "variables");
	uint64_t i, first = dap_int(r->args, "start", 0), count = dap_int(r->args, "count", 0);
	const struct drm_vshader_debug_bank *b;
	const struct dap_ref *ref = get_ref(s, r);
	const char *filter = dap_str(r->args, "filter");
	int ret = 0;

	if (!ref)
		return -EINVAL;
	/* all have names */
	if (filter && !strcmp(filter, "indexed"))
		return 0;
	s->d.inv = ref->inv;
	if (ref->bank < 0)
		return add_components(s, list, ref->reg);
	b = &s->d.banks[ref->bank];
	if (!count || count > b->count)
		count = b->count;
	for (i = first; !ret && i < b->count && i - first < count; i++)
		ret = add_register(s, list, b->first + (uint32_t)i);
	/* of some banks a program may have fewer */
	return ret == -ENOENT && i > first ? 0 : ret;
}

static bool is_in_bank(struct dap *s, const struct drm_vshader_debug_bank *b, const char *name)
{
	char reg[32];
	uint32_t i;

	for (i = 0; i < b->count; i++) {
		vshader_debug_register_name(s->d.banks, s->d.num_banks, b->first + i, reg,
					    sizeof(reg));
		if (!strcmp(reg, name))
			return true;
	}
	return false;
}

/* Return: number of a component as do_variables() names it, or -1. */
static int component_number(const struct dbg_value *v, const char *name)
{
	char one[16];
	unsigned int i;

	for (i = 0; i < v->num; i++) {
		component_name(v, i, one, sizeof(one));
		if (!strcmp(one, name))
			return (int)i;
	}
	return -1;
}

/*
 * Expression for a variable of a reference: a register of a bank, or a component. Return: 0 or a
 * negative errno.
 */
static int variable_name(struct dap *s, const struct dap_ref *ref, const char *name, char *buf,
			 size_t size)
{
	struct dbg_value v;
	char reg[32];
	int ret, i;

	if (ref->bank >= 0) {
		snprintf(buf, size, "$%s", name);
		return is_in_bank(s, &s->d.banks[ref->bank], name) ? 0 :
		       dbg_error(&s->d, "There is no register \"%.40s\" here.", name);
	}
	ret = dbg_read_reg(&s->d, ref->reg, &v);
	if (ret)
		return ret;
	i = component_number(&v, name);
	if (i < 0)
		return dbg_error(&s->d, "There is no component \"%.40s\" here.", name);
	vshader_debug_register_name(s->d.banks, s->d.num_banks, ref->reg, reg, sizeof(reg));
	snprintf(buf, size, "$%s[%d]", reg, i);
	return 0;
}

static int do_set_variable(struct dap *s, struct dap_request *r)
{
	const char *name = dap_str(r->args, "name"), *value = dap_str(r->args, "value");
	const struct dap_ref *ref = get_ref(s, r);
	char line[600], text[16 * 72];
	struct dbg_value v;
	size_t len;
	int ret;

	if (!ref)
		return -EINVAL;
	if (!name || !value)
		return dbg_error(&s->d, "\"name\" and \"value\" are missing.");
	s->d.inv = ref->inv;
	ret = variable_name(s, ref, name, line, sizeof(line));
	if (ret)
		return ret;
	len = strlen(line);
	snprintf(line + len, sizeof(line) - len, " = %.500s", value);
	ret = dbg_eval(&s->d, line, &v);
	if (!ret)
		js_str(r->body, "value", dbg_text(&v, 0, text, sizeof(text)));
	return ret;
}

/* ---- expressions; "repl": commands ---- */

static int do_command(struct dap *s, struct dap_request *r, const char *line)
{
	int ret;

	s->collect = true;
	s->text_len = 0;
	ret = dbg_execute(&s->d, line);
	s->collect = false;
	js_str(r->body, "result", s->text_len ? s->text : "");
	s->text_len = 0;
	js_int(r->body, "variablesReference", 0);
	return ret;
}

static int do_evaluate(struct dap *s, struct dap_request *r)
{
	const char *expr = dap_str(r->args, "expression"), *context = dap_str(r->args, "context");
	char text[DBG_MAX_COMPONENTS * 72];
	struct dbg_value v;
	int ret;

	if (!expr)
		return dbg_error(&s->d, "\"expression\" is missing.");
	ret = select_frame(s, r);
	if (ret)
		return ret;
	if (context && !strcmp(context, "repl"))
		return do_command(s, r, expr);
	ret = dbg_eval(&s->d, expr, &v);
	if (ret)
		return ret;
	js_str(r->body, "result", dbg_text(&v, 0, text, sizeof(text)));
	js_int(r->body, "variablesReference",
	       v.place == DBG_REGISTER && v.vector ? add_ref(s, s->d.inv, -1, v.reg) : 0);
	if (v.place == DBG_MEMORY) {
		snprintf(text, sizeof(text), "0x%llx", (unsigned long long)v.va);
		js_str(r->body, "memoryReference", text);
	}
	return 0;
}

static int do_set_expression(struct dap *s, struct dap_request *r)
{
	const char *expr = dap_str(r->args, "expression"), *value = dap_str(r->args, "value");
	char text[DBG_MAX_COMPONENTS * 72], *line;
	struct dbg_value v;
	int ret;

	if (!expr || !value)
		return dbg_error(&s->d, "\"expression\" and \"value\" are missing.");
	ret = select_frame(s, r);
	if (ret)
		return ret;
	if (asprintf(&line, "%s = %s", expr, value) < 0)
		return dbg_error(&s->d, "out of memory");
	ret = dbg_eval(&s->d, line, &v);
	free(line);
	if (!ret)
		js_str(r->body, "value", dbg_text(&v, 0, text, sizeof(text)));
	return ret;
}

/* Candidates for the word that ends at the column. */
static int do_completions(struct dap *s, struct dap_request *r)
{
	struct json_object *list = js_array(r->body, "targets"), *o;
	const char *text = dap_str(r->args, "text");
	uint64_t first = s->first_column, column = dap_int(r->args, "column", first);
	char line[MAX_LINE], *word;
	size_t len, start;
	unsigned int n;

	if (!text)
		return dbg_error(&s->d, "\"text\" is missing.");
	len = column > first ? column - first : 0;
	if (len > strlen(text))
		len = strlen(text);
	if (len >= sizeof(line))
		return 0;
	snprintf(line, sizeof(line), "%.*s", (int)len, text);
	for (start = len; start && !strchr(" \t,(*+-/", line[start - 1]); start--)
		;
	for (n = 0; n < MAX_TARGETS && (word = dbg_complete(&s->d, line, start, n)); n++) {
		o = json_object_new_object();
		js_str(o, "label", word);
		js_int(o, "start", start + first);
		js_int(o, "length", len - start);
		json_object_array_add(list, o);
		free(word);
	}
	return 0;
}

/* ---- memory ---- */

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static char *encode(const uint8_t *p, size_t n)
{
	char *text = malloc((n + 2) / 3 * 4 + 1), *t = text;
	size_t i;

	for (i = 0; text && i < n; i += 3) {
		uint32_t v = (uint32_t)p[i] << 16 | (i + 1 < n ? (uint32_t)p[i + 1] << 8 : 0) |
			     (i + 2 < n ? p[i + 2] : 0);

		*t++ = digits[v >> 18];
		*t++ = digits[v >> 12 & 63];
		*t++ = i + 1 < n ? digits[v >> 6 & 63] : '=';
		*t++ = i + 2 < n ? digits[v & 63] : '=';
	}
	if (text)
		*t = 0;
	return text;
}

/* Return: number of bytes, or -1. */
static int decode(const char *text, uint8_t *out, size_t max)
{
	uint32_t v = 0;
	size_t n = 0;
	unsigned int bits = 0;
	const char *d;

	for (; *text && *text != '='; text++) {
		d = strchr(digits, *text);
		if (!d)
			return -1;
		v = v << 6 | (uint32_t)(d - digits);
		bits += 6;
		if (bits < 8)
			continue;
		bits -= 8;
		if (n == max)
			return -1;
		out[n++] = (uint8_t)(v >> bits);
	}
	return (int)n;
}

static int get_address(struct dap *s, struct dap_request *r, uint64_t *va)
{
	const char *at = dap_str(r->args, "memoryReference");
	int ret = at ? dbg_eval_u64(&s->d, at, va) :
		       dbg_error(&s->d, "\"memoryReference\" is missing.");

	*va += dap_int(r->args, "offset", 0);
	return ret;
}

/* Bytes from an address on, of @count, that cannot be read: up to the next page that can. */
static uint64_t unreadable(struct dap *s, uint64_t va, uint64_t count)
{
	uint64_t n = PAGE - va % PAGE;
	uint8_t byte;

	while (n < count && dbg_read_some(&s->d, va + n, &byte, 1) < 1)
		n += PAGE;
	return n < count ? n : count;
}

static int do_read_memory(struct dap *s, struct dap_request *r)
{
	uint64_t va = 0, count = dap_int(r->args, "count", 0);
	uint8_t *data;
	char text[24], *b64;
	int64_t n;
	int ret = get_address(s, r, &va);

	if (ret)
		return ret;
	if (count > MAX_MEMORY)
		return dbg_error(&s->d, "At most %u bytes.", MAX_MEMORY);
	data = malloc(MAX_MEMORY);
	if (!data)
		return dbg_error(&s->d, "out of memory");
	n = count ? dbg_read_some(&s->d, va, data, count) : 0;
	n = n > 0 ? n : 0;
	b64 = encode(data, (size_t)n);
	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)va);
	js_str(r->body, "address", text);
	js_int(r->body, "unreadableBytes", unreadable(s, va + (uint64_t)n, count - (uint64_t)n));
	js_str(r->body, "data", b64 ? b64 : "");
	free(b64);
	free(data);
	return 0;
}

static int do_write_memory(struct dap *s, struct dap_request *r)
{
	const char *text = dap_str(r->args, "data");
	uint8_t *data = malloc(MAX_MEMORY);
	uint64_t va = 0;
	int n, ret;

	if (!data)
		return dbg_error(&s->d, "out of memory");
	ret = get_address(s, r, &va);
	n = text ? decode(text, data, MAX_MEMORY) : -1;
	if (!ret && n < 0)
		ret = dbg_error(&s->d, "\"data\" is no base64, or more than %u bytes.", MAX_MEMORY);
	if (!ret && n)
		ret = dbg_write_mem(&s->d, va, data, (uint64_t)n);
	if (!ret)
		js_int(r->body, "bytesWritten", (uint64_t)n);
	free(data);
	return ret;
}

/* ---- data breakpoints ---- */

/*
 * "name" in a scope or a register, or an expression. The id is the invocation, for registers,
 * and the expression.
 */
static int do_data_info(struct dap *s, struct dap_request *r)
{
	const char *name = dap_str(r->args, "name");
	struct json_object *types;
	char expr[128], id[160];
	struct dbg_value v;
	int ret = 0;

	if (!name)
		return dbg_error(&s->d, "\"name\" is missing.");
	snprintf(expr, sizeof(expr), "%s", name);
	if (dap_int(r->args, "variablesReference", 0)) {
		const struct dap_ref *ref = get_ref(s, r);

		if (!ref)
			return -EINVAL;
		s->d.inv = ref->inv;
		variable_name(s, ref, name, expr, sizeof(expr));
	}
	ret = dbg_eval(&s->d, expr, &v);
	if (!ret && v.place == DBG_PC)
		ret = dbg_error(&s->d, "The next instruction cannot be watched.");
	json_object_object_add(r->body, "dataId", NULL);
	js_str(r->body, "description", ret ? s->d.err : expr);
	if (ret)
		return 0;
	snprintf(id, sizeof(id), "%llu %s", (unsigned long long)s->d.inv, expr);
	js_str(r->body, "dataId", id);
	types = js_array(r->body, "accessTypes");
	json_object_array_add(types, json_object_new_string("write"));
	if (v.place != DBG_REGISTER) {
		json_object_array_add(types, json_object_new_string("read"));
		json_object_array_add(types, json_object_new_string("readWrite"));
	}
	return 0;
}

static int add_data_point(struct dap *s, struct json_object *b, struct json_object *out)
{
	const char *id = dap_str(b, "dataId"), *type = dap_str(b, "accessType");
	const char *cond = dap_str(b, "condition"), *command = "watch";
	const struct dap_point owner = { .source = DAP_DATA };
	uint64_t kept = s->d.inv;
	char line[800], *expr;
	int ret;

	if (!id)
		return dbg_error(&s->d, "\"dataId\" is missing.");
	if (type && strcmp(type, "write"))
		command = !strcmp(type, "read") ? "rwatch" : "awatch";
	s->d.inv = strtoull(id, &expr, 10);
	snprintf(line, sizeof(line), "%s %.200s%s%.500s", command, expr, cond ? " if " : "",
		 cond ? cond : "");
	ret = dap_add_point(s, line, &owner, b, out);
	s->d.inv = kept;
	return ret;
}

static int do_set_data_breakpoints(struct dap *s, struct dap_request *r)
{
	struct json_object *list, *out = js_array(r->body, "breakpoints"), *o;
	size_t i, n;
	int ret;

	dap_remove_points(s, DAP_DATA, NULL);
	list = dap_list(r->args, "breakpoints", &n);
	for (i = 0; i < n; i++) {
		o = json_object_new_object();
		ret = add_data_point(s, json_object_array_get_idx(list, i), o);
		js_bool(o, "verified", !ret);
		if (ret)
			js_str(o, "message", s->d.err);
		json_object_array_add(out, o);
	}
	return 0;
}

const struct dap_handler dap_data_handlers[] = {
	{ "dataBreakpointInfo", do_data_info, true },
	{ "setDataBreakpoints", do_set_data_breakpoints, true },
	{ "scopes", do_scopes, true },
	{ "variables", do_variables, true },
	{ "setVariable", do_set_variable, true },
	{ "evaluate", do_evaluate, true },
	{ "setExpression", do_set_expression, true },
	{ "completions", do_completions, true },
	{ "readMemory", do_read_memory, true },
	{ "writeMemory", do_write_memory, true },
	{ }
};
