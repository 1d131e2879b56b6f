// SPDX-License-Identifier: MIT
/*
 * Job files from dumps: memory as an image, the program as words, the submission arguments
 * unchanged.
 */
#include <errno.h>
#include <linux/limits.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "dump.h"
#include "jobfile_isa.h"
#include "output.h"

#define PAGE		4096ull
#define GAP		0x100000ull	/* between the dump's mappings and the runner's */
#define ROOM		0x1000000ull	/* of addresses that it needs */

/**
 * struct out - job file being written
 * @d: job
 * @dir: folder
 * @name: name of the files
 */
struct out {
	const struct vshader_dump *d;
	const char *dir;
	const char *name;
};

/* Name of one of the job's files. */
static void file_name(const struct out *o, const char *suffix, char *buf, size_t size)
{
	snprintf(buf, size, "%s%s", o->name, suffix);
}

/* ---- files ---- */

/* @path has PATH_MAX bytes and stays until the file is closed. */
static int open_file(const struct out *o, const char *suffix, char *path, struct output *out)
{
	char name[512];

	file_name(o, suffix, name, sizeof(name));
	if (snprintf(path, PATH_MAX, "%s/%s", o->dir, name) >= PATH_MAX)
		return fail("%s: name is too long", o->dir);
	return output_open(out, path);
}

static int write_file(const struct out *o, const char *suffix, const void *p, size_t size)
{
	char path[PATH_MAX];
	struct output out;
	int ret = open_file(o, suffix, path, &out);

	if (ret)
		return ret;
	fwrite(p, 1, size, out.f);
	return output_close(&out, 0);
}

static const uint32_t arg_types[] = {
	DRM_VSHADER_DUMP_DEVICE, DRM_VSHADER_DUMP_QUEUE, DRM_VSHADER_DUMP_JOB,
	DRM_VSHADER_DUMP_SHADER_JOB, DRM_VSHADER_DUMP_NATIVE_JOB, DRM_VSHADER_DUMP_ENGINE_BLOCK,
	DRM_VSHADER_DUMP_ATTRIBUTES, DRM_VSHADER_DUMP_OUTPUTS,
};

#define NUM_ARG_TYPES (sizeof(arg_types) / sizeof(arg_types[0]))
#define MAX_MORE_TYPES 8	/* of an ISA */

static bool write_section(FILE *f, const struct vshader_dump *d, uint32_t type)
{
	const struct vshader_dump_part *p = &d->part[type];
	const struct drm_vshader_dump_section s = {
		.type = type, .flags = p->flags, .count = p->count, .size = p->size,
	};
	static const uint8_t zeros[8];
	size_t pad = -p->size & 7;

	return fwrite(&s, sizeof(s), 1, f) == 1 &&
	       (!p->size || fwrite(p->data, p->size, 1, f) == 1) &&
	       (!pad || fwrite(zeros, pad, 1, f) == 1);
}

/* Write a dump that holds the submission arguments only. */
static int write_args(const struct out *o)
{
	const uint32_t *more = jf_isa_of(o->d->queue.engine)->sections;
	uint32_t types[NUM_ARG_TYPES + MAX_MORE_TYPES];
	struct drm_vshader_dump_header head = {
		.version = DRM_VSHADER_DUMP_VERSION, .size = sizeof(head),
	};
	size_t i, n = NUM_ARG_TYPES;
	char path[PATH_MAX];
	struct output out;
	int ret = open_file(o, ".args", path, &out);

	if (ret)
		return ret;
	memcpy(types, arg_types, sizeof(arg_types));
	for (; more && *more && n < NUM_ARG_TYPES + MAX_MORE_TYPES; more++)
		types[n++] = *more;
	memcpy(head.magic, DRM_VSHADER_DUMP_MAGIC, sizeof(head.magic));
	for (i = 0; i < n; i++) {
		const struct vshader_dump_part *p = &o->d->part[types[i]];

		if (!p->data)
			continue;
		head.sections++;
		head.size += sizeof(struct drm_vshader_dump_section) + ((p->size + 7) & ~7ull);
	}
	fwrite(&head, sizeof(head), 1, out.f);
	for (i = 0; i < n; i++) {
		if (o->d->part[types[i]].data)
			write_section(out.f, o->d, types[i]);
	}
	return output_close(&out, 0);
}

/* ---- JSON ---- */

static struct json_object *element(struct json_object *list)
{
	struct json_object *o = json_object_new_object();

	if (!o || json_object_array_add(list, o))
		abort();
	return o;
}

static void js_hex(struct json_object *o, const char *key, uint64_t v)
{
	char text[24];

	snprintf(text, sizeof(text), "%#" PRIx64, v);
	js_str(o, key, text);
}

static void js_file(struct json_object *o, const char *key, const struct out *out,
		    const char *suffix)
{
	char name[512];

	file_name(out, suffix, name, sizeof(name));
	js_str(o, key, name);
}

/* Find addresses for the runner's own buffers, away from mappings and the fault. */
static uint64_t find_gap(const struct vshader_dump *d)
{
	uint64_t limit = d->queue.va_bits > 32 ? 1ull << 48 : 1ull << 32, at = GAP, next;
	uint64_t fault = d->job.fault.address & ~(PAGE - 1);
	uint32_t i;

	for (i = 0; i <= d->num_mappings; i++) {
		next = i < d->num_mappings ? d->mappings[i].va : limit;
		if (fault >= at && fault - at < ROOM + GAP && fault < next && fault + GAP > at)
			at = fault + GAP;
		if (next > at && next - at >= ROOM + GAP)
			return at;
		if (i < d->num_mappings)
			at = next + d->mappings[i].size + GAP;
	}
	return 0;
}

static void js_number(struct json_object *o, const char *key, const char *what, uint64_t n)
{
	char text[40];

	snprintf(text, sizeof(text), "%s%llu", what, (unsigned long long)n);
	js_str(o, key, text);
}

static void put_vm(struct json_object *list, const struct vshader_dump *d)
{
	struct json_object *vm = element(list);
	uint64_t gap = find_gap(d);

	js_number(vm, "name", "vm", d->queue.vm);
	js_int(vm, "bits", d->queue.va_bits);
	if (gap)
		js_hex(vm, "alloc_start", gap);
}

static void put_queue(struct json_object *list, const struct vshader_dump *d)
{
	static const char * const priorities[] = { "low", "medium", "high" };
	const struct drm_vshader_dump_queue *q = &d->queue;
	struct json_object *o = element(list);

	js_number(o, "name", "queue", q->id);
	js_str(o, "engine", vshader_engine_name(q->engine));
	js_number(o, "vm", "vm", q->vm);
	/* a higher one takes a privilege */
	if (q->priority < DRM_VSHADER_PRIORITY_HIGH)
		js_str(o, "priority", priorities[q->priority]);
	js_int(o, "budget", q->budget);
	js_int(o, "time_limit_ms", q->time_limit_ms);
}

/* A job by value: it runs again from memory. */
static void put_by_value(struct json_object *list, const struct vshader_dump *d)
{
	const struct vshader_dump_part *p = &d->part[DRM_VSHADER_DUMP_NATIVE_WORDS];
	struct drm_vshader_native_job n;
	struct json_object *r, *words;
	uint64_t i, va;
	uint32_t w;

	if (!p->count || !vshader_dump_element(d, DRM_VSHADER_DUMP_NATIVE_JOB, 0, &n, sizeof(n)))
		return;
	va = n.va & ~(PAGE - 1);
	r = element(list);
	js_hex(r, "va", va);
	js_int(r, "size", (n.va - va + p->count * sizeof(w) + PAGE - 1) & ~(PAGE - 1));
	js_number(r, "vm", "vm", d->queue.vm);
	r = element(js_array(r, "data"));
	js_int(r, "offset", n.va - va);
	words = js_array(r, "u32");
	for (i = 0; i < p->count; i++) {
		memcpy(&w, p->data + sizeof(w) * i, sizeof(w));
		if (json_object_array_add(words, json_object_new_int64(w)))
			abort();
	}
}

static int put_memory(struct json_object *list, const struct out *o)
{
	const struct vshader_dump_part *mem = &o->d->part[DRM_VSHADER_DUMP_MEMORY];
	struct json_object *ranges = list, *r;
	uint32_t i;
	int ret;

	put_by_value(list, o->d);
	if (mem->size) {
		r = element(list);
		js_file(r, "image", o, ".image");
		js_number(r, "vm", "vm", o->d->queue.vm);
		ranges = js_array(r, "ranges");
		ret = write_file(o, ".image", mem->data, mem->size);
		if (ret)
			return ret;
	}
	for (i = 0; i < o->d->num_mappings; i++) {
		const struct drm_vshader_dump_mapping *m = &o->d->mappings[i];

		r = element(ranges);
		js_hex(r, "va", m->va);
		js_int(r, "size", m->size);
		if (!mem->size)
			js_number(r, "vm", "vm", o->d->queue.vm);
		if (m->flags & DRM_VSHADER_VM_BIND_READONLY)
			js_bool(r, "readonly", true);
		if (m->flags & DRM_VSHADER_VM_BIND_NOEXEC)
			js_bool(r, "noexec", true);
	}
	return 0;
}

static void put_words(struct json_object *p, const char *key, const struct vshader_dump_part *part)
{
	struct json_object *list = js_array(p, key);
	char text[16];
	uint32_t w;
	uint64_t i;

	for (i = 0; i < part->count; i++) {
		memcpy(&w, part->data + 4 * i, sizeof(w));
		snprintf(text, sizeof(text), "0x%08x", w);
		if (json_object_array_add(list, json_object_new_string(text)))
			abort();
	}
}

static void put_entries(struct json_object *p, const struct vshader_dump_part *part)
{
	struct json_object *list = js_array(p, "entries");
	uint32_t w;
	uint64_t i;

	for (i = 0; i < part->count; i++) {
		memcpy(&w, part->data + 4 * i, sizeof(w));
		if (json_object_array_add(list, json_object_new_int64(w)))
			abort();
	}
}

static void put_program(struct json_object *list, const struct out *o)
{
	const struct vshader_dump *d = o->d;
	struct json_object *p;

	/* a native job has its own */
	if (!d->has_program || d->job.type != DRM_VSHADER_JOB_SHADER)
		return;
	p = element(list);
	js_str(p, "name", "program");
	js_str(p, "engine", vshader_engine_name(d->program.engine));
	js_str(p, "stage", vshader_stage_name(d->program.stage));
	put_words(p, "words", &d->part[DRM_VSHADER_DUMP_CODE]);
	if (d->part[DRM_VSHADER_DUMP_OPDESC].count)
		put_words(p, "opdesc", &d->part[DRM_VSHADER_DUMP_OPDESC]);
	put_entries(p, &d->part[DRM_VSHADER_DUMP_ENTRIES]);
}

/* Where a limit ends a job depends on more than the job. */
static bool ends_anywhere(const struct vshader_dump *d)
{
	return d->job.fault.kind == DRM_VSHADER_FAULT_TIMEOUT ||
	       d->job.fault.kind == DRM_VSHADER_FAULT_CANCELED;
}

/* A native job that reads the time gives other results each time. */
static bool reads_clock(const struct vshader_dump *d)
{
	const struct vshader_dump_part *p = &d->part[DRM_VSHADER_DUMP_NATIVE_JOB];
	struct drm_vshader_native_job n = {};

	if (!p->size)
		return false;
	memcpy(&n, p->data, p->size < sizeof(n) ? p->size : sizeof(n));
	return n.switches & jf_isa_of(d->queue.engine)->clock;
}

static void put_fault(struct json_object *job, const struct vshader_dump *d)
{
	const struct drm_vshader_fault *f = &d->job.fault;
	struct json_object *e = element(js_array(job, "expect"));

	js_str(e, "fault", vshader_fault_name(f->kind));
	if (ends_anywhere(d))
		return;
	js_hex(e, "address", f->address);
	js_int(e, "pc", f->pc);
	js_int(e, "size", f->size);
	js_int(e, "code", f->code);
}

/*
 * Fields of job results that differ between runs: timestamps, job numbers, and weight, to which
 * each thread that draws tiles of a frame adds what it prepares.
 */
static bool is_volatile(const struct out *o, uint64_t va)
{
	uint64_t off = va - o->d->job.result_va;

	return o->d->job.result_va &&
	       (off - offsetof(struct drm_vshader_job_result, busy_ns) < 8 ||
		off - offsetof(struct drm_vshader_job_result, weight) < 8 ||
		off - offsetof(struct drm_vshader_job_result, fault.job) < 8);
}

static void write_run(FILE *f, uint64_t va, const uint8_t *p, uint64_t len)
{
	const uint64_t run[2] = { va, len };

	if (!len)
		return;
	fwrite(run, sizeof(run), 1, f);
	fwrite(p, len, 1, f);
}

/* Without the fields that cannot be compared. */
static void write_comparable(FILE *f, const struct out *o, uint64_t va, const uint8_t *p,
			     uint64_t len)
{
	uint64_t i, from = 0;

	for (i = 0; i < len; i++) {
		if (!is_volatile(o, va + i))
			continue;
		write_run(f, va + from, p + from, i - from);
		from = i + 1;
	}
	write_run(f, va + from, p + from, len - from);
}

/* What the job has left as it was, which it may have written again. Runs ascend. */
static void write_unchanged(FILE *f, const struct out *o)
{
	uint64_t at = 0, at_changed = 0, va, len, lo = 0, n = 0, part;
	const struct vshader_dump *d = o->d;
	bool more = true;
	const uint8_t *p;

	while ((p = vshader_dump_run(d, DRM_VSHADER_DUMP_MEMORY, &at, &va, &len))) {
		while (len) {
			while (more && lo + n <= va)
				more = vshader_dump_run(d, DRM_VSHADER_DUMP_MEMORY_AFTER,
							&at_changed, &lo, &n);
			part = len;
			if (more && lo <= va)
				part = lo + n - va < len ? lo + n - va : len;
			else if (more && lo - va < len)
				part = lo - va;
			if (!more || lo > va)
				write_comparable(f, o, va, p, part);
			va += part;
			p += part;
			len -= part;
		}
	}
}

/* Memory after the job. */
static int write_after(const struct out *o)
{
	const struct vshader_dump_part *part = &o->d->part[DRM_VSHADER_DUMP_MEMORY_AFTER];
	uint64_t at = 0, va, len;
	char path[PATH_MAX];
	const uint8_t *p;
	struct output out;
	int ret = open_file(o, ".after", path, &out);

	if (ret)
		return ret;
	while ((p = vshader_dump_run(o->d, DRM_VSHADER_DUMP_MEMORY_AFTER, &at, &va, &len)))
		write_comparable(out.f, o, va, p, len);
	/* else pages that have changed may be missing */
	if (!(part->flags & DRM_VSHADER_DUMP_TRUNCATED))
		write_unchanged(out.f, o);
	return output_close(&out, 0);
}

/* A job that has changed nothing may have written what was there. */
static bool has_after(const struct vshader_dump *d)
{
	const struct vshader_dump_part *after = &d->part[DRM_VSHADER_DUMP_MEMORY_AFTER];

	return after->data && (after->size || d->part[DRM_VSHADER_DUMP_MEMORY].size);
}

static int put_job(struct json_object *list, const struct out *o, bool after)
{
	const struct vshader_dump *d = o->d;
	struct json_object *job = element(list), *e;

	js_str(job, "name", o->name);
	js_number(job, "queue", "queue", d->queue.id);
	if (d->has_program && d->job.type == DRM_VSHADER_JOB_SHADER)
		js_str(job, "program", "program");
	js_file(job, "args", o, ".args");
	if (d->job.flags & DRM_VSHADER_JOB_NO_IMPLICIT_SYNC)
		js_bool(job, "no_implicit_sync", true);
	if (d->job.result_va)
		js_hex(job, "result", d->job.result_va);
	else
		js_bool(job, "result", false);
	if (d->job.fault.kind)
		put_fault(job, d);
	if (!after || !has_after(d) || ends_anywhere(d) || reads_clock(d))
		return 0;
	e = jf_get(job, "expect");
	e = element(e ? e : js_array(job, "expect"));
	js_file(e, "image", o, ".after");
	return write_after(o);
}

static int write_json(const struct out *o, struct json_object *root)
{
	const char *text = json_object_to_json_string_ext(root, JSON_C_TO_STRING_PRETTY |
							  JSON_C_TO_STRING_NOSLASHESCAPE);
	char path[PATH_MAX];
	struct output out;
	int ret = open_file(o, ".json", path, &out);

	if (ret)
		return ret;
	fputs(text, out.f);
	fputc('\n', out.f);
	return output_close(&out, 0);
}

static int make(const struct out *o, struct json_object *root, bool after)
{
	const struct vshader_dump *d = o->d;
	char text[1024];
	int ret;

	js_int(root, "vshader", 1);
	js_str(root, "name", o->name);
	if (d->job.fault.kind)
		js_str(root, "description",
		       jf_fault_text(&d->job.fault, d->job.type == DRM_VSHADER_JOB_NATIVE, text,
				     sizeof(text)));
	js_str(root, "engine", vshader_engine_name(d->queue.engine));
	put_vm(js_array(root, "vms"), d);
	ret = put_memory(js_array(root, "memory"), o);
	put_queue(js_array(root, "queues"), d);
	put_program(js_array(root, "programs"), o);
	if (!ret)
		ret = write_args(o);
	if (!ret)
		ret = put_job(js_array(root, "jobs"), o, after);
	return ret ? ret : write_json(o, root);
}

/* A job file that was not written by a dump, which has its arguments beside it, is kept. */
static int check_target(const struct out *o)
{
	char json[PATH_MAX], args[PATH_MAX];

	snprintf(json, sizeof(json), "%s/%s.json", o->dir, o->name);
	snprintf(args, sizeof(args), "%s/%s.args", o->dir, o->name);
	if (access(json, F_OK) || !access(args, F_OK))
		return 0;
	return fail("%s: a job file of another origin, which is not replaced", json);
}

int dump_write_jobfile(const struct vshader_dump *d, const char *dir, const char *name, bool after)
{
	const struct out o = { .d = d, .dir = dir, .name = name };
	struct json_object *root;
	int ret;

	if (mkdir(dir, 0777) && errno != EEXIST)
		return fail("%s: %s", dir, strerror(errno));
	ret = check_target(&o);
	if (ret)
		return ret;
	root = json_object_new_object();
	if (!root)
		return fail("out of memory");
	ret = make(&o, root, after);
	json_object_put(root);
	return ret;
}
