// SPDX-License-Identifier: MIT
/*
 * Job files: memory before the first job of a frame, the jobs, memory after the last one. If the
 * program changes memory between two jobs, the second one begins another file.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "gx_priv.h"

#define MAX_STEPS	256u
#define NUM_COPIED	GX_OWN	/* own memory has words of jobs only */

/** struct step - a job that has run */
struct step {
	struct gx_job job;
	struct drm_vshader_fault fault;
	bool rejected;
};

/** struct copy - memory of an area at some time; what follows is zero */
struct copy {
	uint8_t *buf;
	uint32_t size;
	uint32_t room;
};

static struct step steps[MAX_STEPS];
static unsigned int num_steps;
static struct copy before[NUM_COPIED], after[NUM_COPIED];
static unsigned int part;	/* of the frame */
static unsigned int part_frame;

/* ---- copies ---- */

static void take(struct copy *c, const struct gx_area *a)
{
	if (c->room < a->used) {
		c->buf = realloc(c->buf, a->used);
		if (!c->buf)
			gx_die("out of memory");
		c->room = a->used;
	}
	memcpy(c->buf, a->ptr, a->used);
	c->size = a->used;
}

/* Bytes of the page at @at that are there. */
static uint32_t page_size(uint32_t size, uint32_t at)
{
	return at >= size ? 0 : size - at < GX_PAGE ? size - at : GX_PAGE;
}

static bool is_zero(const uint8_t *p, uint32_t n)
{
	return !n || (!p[0] && !memcmp(p, p + 1, n - 1));
}

/* Has the page at @at other bytes than an earlier copy? */
static bool differs(const struct copy *c, const uint8_t *p, uint32_t size, uint32_t at)
{
	uint32_t now = page_size(size, at), then = page_size(c->size, at);
	uint32_t both = now < then ? now : then;

	return memcmp(c->buf + at, p + at, both) || !is_zero(p + at + both, now - both);
}

static bool changed(void)
{
	uint32_t i, at;

	for (i = 0; i < NUM_COPIED; i++) {
		for (at = 0; at < gx_areas[i].used; at += GX_PAGE) {
			if (differs(&after[i], gx_areas[i].ptr, gx_areas[i].used, at))
				return true;
		}
	}
	return false;
}

static void take_all(struct copy *copies)
{
	unsigned int i;

	/* without an allocator, too */
	gx_areas[GX_VRAM].used = gx_areas[GX_VRAM].size;
	for (i = 0; i < NUM_COPIED; i++)
		take(&copies[i], &gx_areas[i]);
}

/* ---- steps ---- */

/* VSHADER_GX_JOBS: "none", "FRAME", "FIRST-LAST"; by default all frames. */
static bool wanted(void)
{
	const char *text = gx_option("JOBS");
	unsigned long first, last;
	char *end;
	bool good;

	if (!gx_folder())
		return false;
	if (!text)
		return true;
	if (!strcmp(text, "none"))
		return false;
	first = strtoul(text, &end, 10);
	good = isdigit((unsigned char)*text);
	last = first;
	if (*end == '-') {
		good = good && isdigit((unsigned char)end[1]);
		last = strtoul(end + 1, &end, 10);
	}
	if (!good || *end || first > last)
		gx_die("VSHADER_GX_JOBS=%s is neither \"none\" nor a range of frames", text);
	return gx_frame() >= first && gx_frame() <= last;
}

void gx_job_begin(void)
{
	if (!wanted())
		return;
	if (num_steps && (num_steps == MAX_STEPS || changed()))
		gx_job_flush();
	if (!num_steps)
		take_all(before);
}

static struct step *add_step(const struct gx_job *job)
{
	struct step *s = &steps[num_steps++];

	*s = (struct step){ .job = *job };
	return s;
}

void gx_job_end(const struct gx_job *job)
{
	if (!wanted())
		return;
	add_step(job);
	take_all(after);
}

void gx_job_failed(const struct gx_job *job, const struct drm_vshader_fault *fault, bool rejected)
{
	struct step *s;

	if (!wanted())
		return;
	s = add_step(job);
	s->fault = *fault;
	s->rejected = rejected;
	gx_job_flush();
}

/* ---- files ---- */

/* Name of a file of the frame, without the folder. */
static void file_name(char *buf, size_t size, const char *suffix)
{
	if (part)
		snprintf(buf, size, "frame-%03u-%u.%s", gx_frame(), part, suffix);
	else
		snprintf(buf, size, "frame-%03u.%s", gx_frame(), suffix);
}

static void path_of(char *buf, size_t size, const char *suffix)
{
	char name[64];

	file_name(name, sizeof(name), suffix);
	snprintf(buf, size, "%s/%s", gx_folder(), name);
}

static void put(gzFile f, const void *p, uint32_t n)
{
	if (n && gzwrite(f, p, n) != (int)n)
		gx_die("%s: a file cannot be written", gx_folder());
}

/* Pages that follow each other are a run: address, length, bytes. */
static void put_run(gzFile f, const struct gx_area *a, const uint8_t *p, uint32_t from, uint32_t to)
{
	const uint64_t head[2] = { a->paddr + from, to - from };

	if (from == to)
		return;
	put(f, head, sizeof(head));
	put(f, p + from, to - from);
}

/* Pages that are not zero. */
static void put_pages(gzFile f, const struct gx_area *a, const uint8_t *p, uint32_t size)
{
	uint32_t at, from = 0, n;
	bool in = false, want;

	for (at = 0; at < size; at += n) {
		n = page_size(size, at);
		want = !is_zero(p + at, n);
		if (!want && in)
			put_run(f, a, p, from, at);
		if (want && !in)
			from = at;
		in = want;
	}
	if (in)
		put_run(f, a, p, from, size);
}

static gzFile open_image(const char *suffix)
{
	char path[4096];
	gzFile f;

	path_of(path, sizeof(path), suffix);
	f = gzopen(path, "wb1");
	if (!f)
		gx_die("%s: %s", path, strerror(errno));
	return f;
}

/*
 * The program may have changed memory since the last job: the copy counts. Afterwards all bytes are
 * expected, as a job may draw again what is there, or draw where nothing should be.
 */
static void write_images(void)
{
	const struct gx_area *own = &gx_areas[GX_OWN];
	gzFile f = open_image("image");
	unsigned int i;

	for (i = 0; i < NUM_COPIED; i++)
		put_pages(f, &gx_areas[i], before[i].buf, before[i].size);
	put_pages(f, own, own->ptr, own->used);
	if (gzclose(f) != Z_OK)
		gx_die("%s: a file cannot be written", gx_folder());
	if (steps[num_steps - 1].fault.kind)
		return;
	f = open_image("after");
	for (i = 0; i < NUM_COPIED; i++)
		put_run(f, &gx_areas[i], after[i].buf, 0, after[i].size);
	if (gzclose(f) != Z_OK)
		gx_die("%s: a file cannot be written", gx_folder());
}

static void describe_memory(FILE *f)
{
	char name[64];
	unsigned int i;

	file_name(name, sizeof(name), "image");
	fprintf(f, "  \"memory\": [{\"image\": \"%s\", \"ranges\": [", name);
	for (i = 0; i < GX_NUM_AREAS; i++) {
		const struct gx_area *a = &gx_areas[i];

		if (a->used)
			fprintf(f, "%s\n    {\"name\": \"%s\", \"va\": \"%#x\", \"size\": %u}",
				i ? "," : "", a->name, a->paddr,
				(a->used + GX_PAGE - 1) & ~(GX_PAGE - 1));
	}
	fprintf(f, "]}],\n");
}

static void describe_native(FILE *f, const struct gx_job *j)
{
	bool list = j->format == DRM_VSHADER_NATIVE_PICA_CMDLIST;

	fprintf(f, "\"native\": {\"format\": \"%s\", \"at\": \"own+%#x\", \"size\": %u",
		list ? "pica-cmdlist" : "pica-gx", j->paddr - gx_areas[GX_OWN].paddr, j->size);
	if (list)
		fprintf(f, ", \"output_size\": 0, \"reset_state\": true");
	if (j->switches & DRM_VSHADER_PICA_STRICT)
		fprintf(f, ", \"switches\": [\"strict\"]");
	fprintf(f, "}");
}

static void describe_fault(FILE *f, const struct step *s)
{
	const char *kind = vshader_fault_name(s->fault.kind);

	if (s->rejected)
		fprintf(f, ", \"expect\": [{\"submit\": \"ENOEXEC\", \"fault\": \"%s\"}]", kind);
	else
		fprintf(f, ", \"expect\": [{\"fault\": \"%s\", \"address\": \"%#llx\"}]", kind,
			(unsigned long long)s->fault.address);
}

static void describe_jobs(FILE *f)
{
	const struct step *s;
	unsigned int i;
	char name[64];

	file_name(name, sizeof(name), "after");
	fprintf(f, "  \"queues\": [{\"name\": \"gpu\"}],\n  \"jobs\": [");
	for (i = 0; i < num_steps; i++) {
		s = &steps[i];
		fprintf(f, "%s\n    {\"name\": \"%u %s\", \"queue\": \"gpu\",\n     ",
			i ? "," : "", i, s->job.name);
		describe_native(f, &s->job);
		if (s->fault.kind)
			describe_fault(f, s);
		else if (i == num_steps - 1)
			fprintf(f, ",\n     \"expect\": [{\"image\": \"%s\"}]", name);
		fprintf(f, "}");
	}
	fprintf(f, "]");
}

static void write_file(void)
{
	char path[4096], name[64];
	FILE *f;

	path_of(path, sizeof(path), "json");
	file_name(name, sizeof(name), "");
	name[strlen(name) - 1] = 0;
	f = fopen(path, "w");
	if (!f)
		gx_die("%s: %s", path, strerror(errno));
	fprintf(f, "{\n  \"vshader\": 1,\n  \"name\": \"%s\",\n  \"engine\": \"pica\",\n", name);
	describe_memory(f);
	describe_jobs(f);
	fprintf(f, ",\n  \"images\": [");
	gx_screens_describe(f);
	fprintf(f, "]\n}\n");
	if (fclose(f))
		gx_die("%s: %s", path, strerror(errno));
}

void gx_job_flush(void)
{
	if (!num_steps)
		return;
	if (part_frame != gx_frame()) {
		part_frame = gx_frame();
		part = 0;
	}
	write_images();
	write_file();
	num_steps = 0;
	part++;
}
