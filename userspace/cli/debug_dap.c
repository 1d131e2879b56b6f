// SPDX-License-Identifier: MIT
/*
 * Debug Adapter Protocol on standard input and output: messages, life of a session,
 * running and stopping.
 */
#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "debug_dap.h"
#include "debug_ui.h"

#define READ_SIZE	65536
#define MAX_HEADER	4096

/* ---- messages ---- */

const char *dap_str(struct json_object *o, const char *key)
{
	struct json_object *v;

	return o && json_object_is_type(o, json_type_object) &&
	       json_object_object_get_ex(o, key, &v) &&
	       json_object_is_type(v, json_type_string) ? json_object_get_string(v) : NULL;
}

uint64_t dap_int(struct json_object *o, const char *key, uint64_t otherwise)
{
	struct json_object *v;

	return o && json_object_is_type(o, json_type_object) &&
	       json_object_object_get_ex(o, key, &v) &&
	       json_object_is_type(v, json_type_int) ? (uint64_t)json_object_get_int64(v) :
						       otherwise;
}

bool dap_bool(struct json_object *o, const char *key)
{
	struct json_object *v;

	return o && json_object_is_type(o, json_type_object) &&
	       json_object_object_get_ex(o, key, &v) && json_object_get_boolean(v);
}

struct json_object *dap_list(struct json_object *o, const char *key, size_t *n)
{
	struct json_object *v;

	*n = 0;
	if (!o || !json_object_is_type(o, json_type_object) ||
	    !json_object_object_get_ex(o, key, &v) || !json_object_is_type(v, json_type_array))
		return NULL;
	*n = json_object_array_length(v);
	return v;
}

/* Takes @o over. */
static void send(struct dap *s, struct json_object *o)
{
	const char *text;
	size_t len;

	js_int(o, "seq", ++s->seq);
	text = json_object_to_json_string_length(o, JSON_C_TO_STRING_PLAIN |
						 JSON_C_TO_STRING_NOSLASHESCAPE, &len);
	printf("Content-Length: %zu\r\n\r\n%s", len, text);
	fflush(stdout);
	json_object_put(o);
}

void dap_event(struct dap *s, const char *name, struct json_object *body)
{
	struct json_object *o = json_object_new_object();

	js_str(o, "type", "event");
	js_str(o, "event", name);
	if (body)
		json_object_object_add(o, "body", body);
	send(s, o);
}

static void respond(struct dap *s, struct json_object *request, int ret,
		    struct json_object *body)
{
	struct json_object *o = json_object_new_object();

	js_str(o, "type", "response");
	js_int(o, "request_seq", dap_int(request, "seq", 0));
	js_str(o, "command", dap_str(request, "command"));
	js_bool(o, "success", !ret);
	if (ret)
		js_str(o, "message", s->d.err);
	json_object_object_add(o, "body", body);
	send(s, o);
}

/* ---- output of the debugger ---- */

static void send_output(struct dap *s, const char *text, size_t len)
{
	struct json_object *o = json_object_new_object();

	js_str(o, "category", "console");
	json_object_object_add(o, "output", json_object_new_string_len(text, (int)len));
	dap_event(s, "output", o);
}

/* An event for each line that is complete; with @all also for the rest. */
static void send_lines(struct dap *s, bool all)
{
	size_t at = 0, len;
	char *end;

	while (at < s->text_len) {
		end = memchr(s->text + at, '\n', s->text_len - at);
		if (!end && !all)
			break;
		len = end ? (size_t)(end - s->text) + 1 - at : s->text_len - at;
		send_output(s, s->text + at, len);
		at += len;
	}
	s->text_len -= at;
	if (at)
		memmove(s->text, s->text + at, s->text_len);
}

static void write_text(void *ctx, const char *text)
{
	struct dap *s = ctx;
	size_t n = strlen(text);
	char *more;

	more = realloc(s->text, s->text_len + n + 1);
	if (!more)
		return;
	memcpy(more + s->text_len, text, n + 1);
	s->text = more;
	s->text_len += n;
	if (!s->collect)
		send_lines(s, false);
}

static const char *stop_reason(uint32_t reason)
{
	switch (reason) {
	case DRM_VSHADER_DEBUG_REASON_START:
		return "entry";
	case DRM_VSHADER_DEBUG_REASON_BREAK:
		return "breakpoint";
	case DRM_VSHADER_DEBUG_REASON_WATCH:
		return "data breakpoint";
	case DRM_VSHADER_DEBUG_REASON_FAULT:
	case DRM_VSHADER_DEBUG_REASON_SPECIAL:
		return "exception";
	case DRM_VSHADER_DEBUG_REASON_INTERRUPT:
		return "pause";
	default:
		return "step";
	}
}

static void tell_stopped(struct dap *s, unsigned int num)
{
	struct json_object *o = json_object_new_object(), *hits;
	const struct dbg_point *p = num ? dbg_point_by_num(&s->d, num) : NULL;
	char text[256];

	s->num_refs = 0;
	s->told = true;
	/* once, not for each job */
	s->d.attach &= ~(uint32_t)DRM_VSHADER_DEBUG_STOP_START;
	js_str(o, "reason", p && p->p.kind == DBG_WATCH_VALUE ? "data breakpoint" :
	       stop_reason(s->d.stop.reason));
	js_int(o, "threadId", s->d.inv + 1);
	js_bool(o, "allThreadsStopped", true);
	if (s->d.stop.reason == DRM_VSHADER_DEBUG_REASON_FAULT)
		js_str(o, "text", vshader_fault_text(&s->d.stop.fault, text, sizeof(text)));
	if (s->d.stop.reason == DRM_VSHADER_DEBUG_REASON_SPECIAL)
		js_str(o, "text", dbg_special_text(&s->d, text, sizeof(text)));
	if (p) {
		hits = js_array(o, "hitBreakpointIds");
		json_object_array_add(hits, json_object_new_int((int)p->num));
	}
	dap_event(s, "stopped", o);
}

static void tell_ended(struct dap *s)
{
	struct json_object *o = json_object_new_object();

	js_int(o, "exitCode", s->d.run && s->d.run->num_failed);
	dap_event(s, "exited", o);
	dap_event(s, "terminated", NULL);
	s->started = false;
}

static void on_event(void *ctx, struct json_object *event)
{
	const char *name = dap_str(event, "event");
	struct dap *s = ctx;

	if (!s->collect)
		send_lines(s, true);
	if (!strcmp(name, "stop"))
		tell_stopped(s, (unsigned int)dap_int(event, "breakpoint", 0));
	else if (!strcmp(name, "end"))
		tell_ended(s);
}

static const struct dbg_ops dap_ops = {
	.write = write_text,
	.event = on_event,
	.async = true,
};

/* ---- requests: the session ---- */

/* Number of the client's first line or column. */
static uint32_t starts_at(struct json_object *args, const char *key)
{
	struct json_object *v;

	return !args || !json_object_object_get_ex(args, key, &v) || json_object_get_boolean(v);
}

static int do_initialize(struct dap *s, struct dap_request *r)
{
	static const char * const abilities[] = {
		"supportsConfigurationDoneRequest", "supportsConditionalBreakpoints",
		"supportsHitConditionalBreakpoints", "supportsInstructionBreakpoints",
		"supportsSetVariable", "supportsEvaluateForHovers", "supportsDisassembleRequest",
		"supportsReadMemoryRequest", "supportsWriteMemoryRequest",
		"supportsSteppingGranularity", "supportsTerminateRequest",
		"supportsLoadedSourcesRequest", "supportsRestartRequest",
		"supportsDataBreakpoints", "supportsLogPoints", "supportsFunctionBreakpoints",
		"supportsSetExpression", "supportsCompletionsRequest",
		"supportsBreakpointLocationsRequest", "supportsDelayedStackTraceLoading",
	};
	struct json_object *filters, *nan = json_object_new_object();
	unsigned int i;

	s->first_line = starts_at(r->args, "linesStartAt1");
	s->first_column = starts_at(r->args, "columnsStartAt1");
	filters = js_array(r->body, "exceptionBreakpointFilters");
	js_str(nan, "filter", "nan");
	js_str(nan, "label", "NaN or infinity produced");
	json_object_array_add(filters, nan);

	for (i = 0; i < sizeof(abilities) / sizeof(abilities[0]); i++)
		js_bool(r->body, abilities[i], true);
	return 0;
}

/* "program": job file; "device"; "stopOnEntry" */
static int do_launch(struct dap *s, struct dap_request *r)
{
	const char *path = dap_str(r->args, "program"), *device = dap_str(r->args, "device");
	int ret;

	if (s->open)
		return dbg_error(&s->d, "A job file has been launched already.");
	if (!path)
		path = s->path;
	if (!path)
		return dbg_error(&s->d, "\"program\" names no job file.");
	s->file = strdup(path);
	if (!s->file)
		return dbg_error(&s->d, "out of memory");
	ret = dbg_init(&s->d, s->file, device ? device : s->device, &dap_ops, s);
	if (ret) {
		char err[sizeof(s->d.err)];

		memcpy(err, s->d.err, sizeof(err));
		dbg_fini(&s->d);
		memset(&s->d, 0, sizeof(s->d));
		free(s->file);
		s->file = NULL;
		return dbg_error(&s->d, "%.4000s", err);
	}
	s->entry = dap_bool(r->args, "stopOnEntry");
	s->open = true;
	return 0;
}

static int do_start(struct dap *s, struct dap_request *r)
{
	s->started = true;
	if (s->entry)
		s->d.attach |= DRM_VSHADER_DEBUG_STOP_START;
	return dbg_start(&s->d);
}

/* "filters": names; the catchpoint is added, or deleted. Faults always stop. */
static int do_set_exceptions(struct dap *s, struct dap_request *r)
{
	const struct dbg_point t = {
		.program = JF_NONE, .p.kind = DRM_VSHADER_DEBUG_SPECIAL, .what = "nan",
	};
	struct json_object *filters;
	struct dbg_point *p = NULL;
	bool wanted = false;
	size_t i;

	if (!json_object_object_get_ex(r->args, "filters", &filters) ||
	    !json_object_is_type(filters, json_type_array))
		return dbg_error(&s->d, "\"filters\" is missing.");
	for (i = 0; i < json_object_array_length(filters); i++) {
		const char *name = json_object_get_string(json_object_array_get_idx(filters, i));

		if (!name || strcmp(name, "nan"))
			return dbg_error(&s->d, "There is no exception filter \"%s\".", name);
		wanted = true;
	}
	for (i = 0; i < DBG_MAX_POINTS; i++) {
		if (s->d.points[i].num && s->d.points[i].p.kind == DRM_VSHADER_DEBUG_SPECIAL)
			p = &s->d.points[i];
	}
	if (p && !wanted)
		dbg_delete_point(&s->d, p);
	return !wanted || p || dbg_add_point(&s->d, &t) ? 0 : -EINVAL;
}

static int do_terminate(struct dap *s, struct dap_request *r)
{
	if (s->d.state != DBG_IDLE)
		dbg_kill(&s->d);
	if (s->started)
		dap_event(s, "terminated", NULL);
	s->started = false;
	return 0;
}

static int do_disconnect(struct dap *s, struct dap_request *r)
{
	if (s->open)
		dbg_kill(&s->d);
	s->done = true;
	return 0;
}

/* ---- requests: running ---- */

static int resume(struct dap *s, struct dap_request *r, uint32_t action)
{
	uint64_t inv = dap_int(r->args, "threadId", s->d.inv + 1) - 1;

	return dbg_resume(&s->d, action, inv, 0, 0);
}

static int do_continue(struct dap *s, struct dap_request *r)
{
	js_bool(r->body, "allThreadsContinued", true);
	return dbg_continue(&s->d);
}

/* Steps of granularity "instruction" are by operations, if instructions have several. */
static bool by_operations(const struct dap *s, const struct dap_request *r)
{
	const char *granularity = dap_str(r->args, "granularity");

	return granularity && !strcmp(granularity, "instruction") && s->d.code &&
	       dbg_code_has_operations(s->d.code);
}

static int do_next(struct dap *s, struct dap_request *r)
{
	return resume(s, r, by_operations(s, r) ? DRM_VSHADER_DEBUG_STEP_OPERATION :
						  DRM_VSHADER_DEBUG_STEP_OVER);
}

static int do_step_in(struct dap *s, struct dap_request *r)
{
	return resume(s, r, by_operations(s, r) ? DRM_VSHADER_DEBUG_STEP_OPERATION :
						  DRM_VSHADER_DEBUG_STEP);
}

static int do_step_out(struct dap *s, struct dap_request *r)
{
	return resume(s, r, DRM_VSHADER_DEBUG_STEP_OUT);
}

static int do_pause(struct dap *s, struct dap_request *r)
{
	if (s->d.state != DBG_RUNNING)
		return dbg_error(&s->d, "The job is not running.");
	return vshader_debug_interrupt(s->d.session) ? dbg_error(&s->d, "%s", vshader_error()) : 0;
}

static const struct dap_handler session_handlers[] = {
	{ "initialize", do_initialize },
	{ "launch", do_launch },
	{ "configurationDone", do_start, true },
	{ "restart", do_start, true },
	{ "setExceptionBreakpoints", do_set_exceptions, true },
	{ "terminate", do_terminate, true },
	{ "disconnect", do_disconnect },
	{ "continue", do_continue, true },
	{ "next", do_next, true },
	{ "stepIn", do_step_in, true },
	{ "stepOut", do_step_out, true },
	{ "pause", do_pause, true },
	{ }
};

/* ---- the loop ---- */

static const struct dap_handler *find_handler(const char *name)
{
	static const struct dap_handler * const tables[] = {
		session_handlers, dap_data_handlers, dap_code_handlers,
	};
	const struct dap_handler *h;
	unsigned int i;

	for (i = 0; name && i < sizeof(tables) / sizeof(tables[0]); i++) {
		for (h = tables[i]; h->name; h++) {
			if (!strcmp(h->name, name))
				return h;
		}
	}
	return NULL;
}

static void handle(struct dap *s, struct json_object *request)
{
	const char *name = dap_str(request, "command");
	const struct dap_handler *h = find_handler(name);
	struct dap_request r = { .body = json_object_new_object() };
	int ret;

	json_object_object_get_ex(request, "arguments", &r.args);
	if (!json_object_is_type(request, json_type_object))
		ret = dbg_error(&s->d, "A message is an object.");
	else if (!h)
		ret = dbg_error(&s->d, "There is no request \"%.40s\".", name ? name : "");
	else if (h->needs_file && !s->open)
		ret = dbg_error(&s->d, "Nothing has been launched.");
	else
		ret = h->fn(s, &r);
	respond(s, request, ret, r.body);
	/* The client sets breakpoints once the programs are known. */
	if (!ret && !strcmp(name, "launch"))
		dap_event(s, "initialized", NULL);
}

/* Can the @len bytes at @p be the beginning of a message's header? */
static bool is_header(const char *p, size_t len)
{
	bool colon = false;
	size_t i;

	for (i = 0; i < len; i++) {
		if (p[i] == '\n' && !colon)
			return false;
		if (p[i] != '\r' && p[i] != '\n' && !isprint((unsigned char)p[i]))
			return false;
		colon = p[i] == '\n' ? false : colon || p[i] == ':';
	}
	return len <= MAX_HEADER;
}

/*
 * Take a message out of the input buffer; *@out is NULL if it is not JSON. Return: 1, 0 for an
 * incomplete message, or an error.
 */
static int next_message(struct dap *s, struct json_object **out)
{
	static const char header[] = "Content-Length:";
	char *end = s->len ? memmem(s->in, s->len, "\r\n\r\n", 4) : NULL, *at;
	struct json_tokener *tok;
	unsigned long n;
	size_t skip;

	if (!is_header(s->in, end ? (size_t)(end - s->in) : s->len))
		return -EINVAL;
	if (!end)
		return 0;
	*end = 0;
	at = strstr(s->in, header);
	n = at ? strtoul(at + strlen(header), NULL, 10) : 0;
	*end = '\r';
	if (!n || n > DAP_MAX_MESSAGE)
		return -EINVAL;
	skip = (size_t)(end - s->in) + 4;
	if (s->len < skip + n)
		return 0;
	tok = json_tokener_new();
	*out = tok ? json_tokener_parse_ex(tok, s->in + skip, (int)n) : NULL;
	json_tokener_free(tok);
	memmove(s->in, s->in + skip + n, s->len - skip - n);
	s->len -= skip + n;
	return 1;
}

static void handle_damaged(struct dap *s)
{
	dbg_error(&s->d, "The message is not JSON.");
	respond(s, NULL, -EINVAL, json_object_new_object());
}

/* Return: 0, 1 the client has gone, or an error. */
static int receive(struct dap *s)
{
	struct json_object *o;
	ssize_t n;
	int ret;

	if (s->room - s->len < READ_SIZE + 1) {
		char *more = realloc(s->in, s->len + 2 * READ_SIZE);

		if (!more)
			return -ENOMEM;
		s->in = more;
		s->room = s->len + 2 * READ_SIZE;
	}
	n = read(STDIN_FILENO, s->in + s->len, READ_SIZE);
	if (n < 0)
		return errno == EINTR ? 0 : 1;
	/* the end within a message */
	if (!n)
		return s->len ? -EINVAL : 1;
	s->len += (size_t)n;
	while (!s->done && (ret = next_message(s, &o)) > 0) {
		if (o)
			handle(s, o);
		else
			handle_damaged(s);
		json_object_put(o);
	}
	return s->done ? 0 : ret;
}

static void report_error(struct dap *s)
{
	struct json_object *o = json_object_new_object();
	char text[sizeof(s->d.err) + 1];

	snprintf(text, sizeof(text), "%s\n", s->d.err);
	js_str(o, "category", "stderr");
	js_str(o, "output", text);
	dap_event(s, "output", o);
	tell_ended(s);
}

/* Events of the job; a breakpoint's commands may resume it. */
static void pump(struct dap *s)
{
	unsigned int resumes;
	struct json_object *o;
	bool stopped;

	s->told = false;
	if (dbg_pump(&s->d)) {
		report_error(s);
		return;
	}
	resumes = s->d.resumes;
	stopped = s->d.pending;
	if (dbg_run_commands(&s->d)) {
		write_text(s, s->d.err);
		write_text(s, "\n");
	}
	send_lines(s, true);
	/* "silent" is for people: the client has to know that nothing runs */
	if (s->d.state == DBG_STOPPED && s->d.resumes == resumes && !s->told && stopped)
		tell_stopped(s, 0);
	if (s->d.resumes == resumes || s->d.state != DBG_RUNNING || !s->told)
		return;
	o = json_object_new_object();
	js_int(o, "threadId", s->d.inv + 1);
	js_bool(o, "allThreadsContinued", true);
	dap_event(s, "continued", o);
}

static int serve(struct dap *s)
{
	struct pollfd p[2] = {
		{ .fd = STDIN_FILENO, .events = POLLIN }, { .events = POLLIN },
	};
	int ret = 0;

	while (!ret && !s->done) {
		p[1].fd = s->d.session ? vshader_debug_fd(s->d.session) : -1;
		if (poll(p, 2, -1) < 0 && errno != EINTR)
			return -errno;
		if (p[1].fd >= 0 && p[1].revents)
			pump(s);
		if (p[0].revents)
			ret = receive(s);
	}
	return ret < 0 ? ret : 0;
}

int dbg_dap(const char *path, const char *device)
{
	struct dap *s = calloc(1, sizeof(*s));
	int ret;

	if (!s)
		return fail("out of memory");
	s->path = path;
	s->device = device;
	s->first_line = 1;
	s->first_column = 1;
	ret = serve(s);
	if (s->open)
		dbg_fini(&s->d);
	free(s->file);
	free(s->text);
	free(s->in);
	free(s);
	return ret ? fail("damaged message") : EXIT_OK;
}
