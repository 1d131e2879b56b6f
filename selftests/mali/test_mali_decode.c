// SPDX-License-Identifier: GPL-2.0
/*
 * Captures of the external corpus with Mesa's decoding: the parser must find the same
 * numbers.
 */
#include <dirent.h>

#include "../include/tap.h"
#include "capture.h"
#include "walked.h"

static const char *corpus;
static u32 compared;

/* Text after the @nth "@key: ", or NULL. */
static const char *find(const char *text, const char *key, u32 nth)
{
	size_t len = strlen(key);
	const char *p;

	for (p = text; p; p = strchr(p, '\n')) {
		p += strspn(p, "\n ");
		if (!*p)
			return NULL;
		if (!strncmp(p, key, len) && !strncmp(p + len, ": ", 2) && !nth--)
			return p + len + 2;
	}
	return NULL;
}

/* Compare one field and report a difference; counts the compared fields. */
static bool same(const char *text, const char *key, u32 nth, u64 value)
{
	const char *p = find(text, key, nth);
	u64 want;

	if (!p) {
		tap_comment("no %s", key);
		return false;
	}
	compared++;
	/* "false" reads as zero, negative numbers modulo 2^64. */
	want = strncmp(p, "true", 4) ? strtoull(p, NULL, 0) : 1;
	if (want == value)
		return true;
	tap_comment("%s: %llu decoded, %llu parsed", key, (unsigned long long)want,
		    (unsigned long long)value);
	return false;
}

static bool same_header(const char *text, const struct mali_job *job)
{
	char name[40];
	const char *p = find(text, "Type", 0);
	bool ok;

	/* "Write value" and so on. */
	snprintf(name, sizeof(name), "%s\n", mali_job_type_name(job->type));
	ok = p && !strncasecmp(p, name, strlen(name));
	if (!ok)
		tap_comment("type is not %s", name);
	compared++;
	ok &= same(text, "Barrier", 0, !!(job->flags & MALI_JF_BARRIER));
	ok &= same(text, "Suppress Prefetch", 0, !!(job->flags & MALI_JF_NO_PREFETCH));
	ok &= same(text, "Is 64b", 0, !!(job->flags & MALI_JF_64BIT));
	ok &= same(text, "Index", 0, job->index);
	ok &= same(text, "Dependency 1", 0, job->dep[0]);
	ok &= same(text, "Dependency 2", 0, job->dep[1]);
	ok &= same(text, "Next", 0, job->next_va);
	return ok;
}

static bool is_3d(const struct mali_attr_buf *b)
{
	return b->type == MALI_BUF_3D_LINEAR || b->type == MALI_BUF_3D_INTERLEAVED;
}

/* The decoder prints buffers that no attribute names, too; second halves apart. */
static bool same_bufs(const char *text, const struct mali_attr_table *t, u32 *nth,
		      u32 *nth_3d)
{
	const struct mali_attr_buf *b;
	bool ok = true;
	u32 i;

	for (i = 0; i < t->nbufs; i++) {
		b = &t->bufs[i];
		if (!b->type) {
			*nth += !i || !is_3d(b - 1);
			continue;
		}
		ok &= same(text, "Pointer", *nth, b->va);
		ok &= same(text, "Stride", *nth, b->stride);
		ok &= same(text, "Size", (*nth)++, b->size);
		if (!is_3d(b))
			continue;
		ok &= same(text, "S dimension", *nth_3d, b->dim[0]);
		ok &= same(text, "T dimension", *nth_3d, b->dim[1]);
		ok &= same(text, "R dimension", *nth_3d, b->dim[2]);
		ok &= same(text, "Row Stride", *nth_3d, b->row_stride);
		ok &= same(text, "Slice Stride", (*nth_3d)++, b->slice_stride);
	}
	return ok;
}

static bool same_attrs(const char *text, const struct mali_attr_table *t, u32 *nth)
{
	bool ok = true;
	u32 i;

	for (i = 0; i < t->n; i++, (*nth)++) {
		ok &= same(text, "Buffer index", *nth, t->attr[i].buf);
		ok &= same(text, "Offset enable", *nth, t->attr[i].offset_enable);
		ok &= same(text, "Offset", *nth, t->attr[i].offset);
	}
	return ok;
}

/* "ubuf_n[size] = memory_BASE + OFFSET;" */
static bool same_ubos(const char *text, const struct mali_launch *l)
{
	unsigned long long base;
	unsigned int size, offset;
	char key[20];
	bool ok = true;
	const char *p;
	u32 i;

	for (i = 0; i < l->nubos; i++) {
		snprintf(key, sizeof(key), "ubuf_%u[", i);
		p = strstr(text, key);
		ok &= p && sscanf(p + strlen(key), "%u] = memory_%llx + %u", &size, &base,
				  &offset) == 3 &&
		      l->ubos[i].va == base + offset && l->ubos[i].size == size;
		compared++;
	}
	return ok;
}

static bool same_launch(const char *text, const struct mali_launch *l, bool midgard)
{
	u32 attr = 0, buf = 0, buf_3d = 0;
	char invocation[100];
	bool ok;

	snprintf(invocation, sizeof(invocation), "Invocation (%u, %u, %u) x (%llu, %llu, %llu)",
		 l->local[0], l->local[1], l->local[2], (unsigned long long)l->groups[0],
		 (unsigned long long)l->groups[1], (unsigned long long)l->groups[2]);
	ok = strstr(text, invocation);
	compared++;
	if (!ok)
		tap_comment("not %s", invocation);
	ok &= same(text, "Thread group split", 0, l->group_split);
	ok &= same(text, "Job Task Split", 0, l->task_split);
	ok &= same(text, "Instance Size", 0, l->instance_size);
	ok &= same(text, "Offset start", 0, l->offset_start);
	ok &= same(text, "State", 0, l->state_va);
	ok &= same(text, "Shader", 0, l->prog.va | l->prog.tag);
	ok &= same(text, "Push uniforms", 0, l->push_va);
	ok &= same(text, "Uniform buffer count", 0, l->nubos);
	ok &= same(text, "Texture count", 0, l->ntextures);
	ok &= same(text, "Sampler count", 0, l->nsamplers);
	ok &= same(text, "Attribute count", 0, l->attrs.n);
	ok &= same(text, "Shader contains barrier", 0, !!(l->prog.flags & MALI_SH_BARRIER));
	ok &= same(text, "Uniform count", 0, l->prog.uniforms / (midgard ? 4 : 2));
	ok &= same(text, "TLS Base Pointer", 0, l->storage.tls_va);
	ok &= same(text, "WLS Base Pointer", 0, l->storage.wls_va);
	if (l->storage.wls_size)
		ok &= same(text, "WLS Instances", 0, l->storage.wls_instances);
	if (midgard)
		ok &= same(text, "Work register count", 0, l->prog.work_regs);
	ok &= same_ubos(text, l);
	ok &= same_attrs(text, &l->attrs, &attr);
	ok &= same_attrs(text, &l->varyings, &attr);
	ok &= same_bufs(text, &l->attrs, &buf, &buf_3d);
	ok &= same_bufs(text, &l->varyings, &buf, &buf_3d);
	return ok;
}

static void compare_jobs(const char *what, const char *text, const struct walked *c, bool midgard)
{
	char key[60], *job, *end;
	u32 i, before;
	bool ok;

	for (i = 0; i < c->njobs; i++) {
		snprintf(key, sizeof(key), "Job Header (%llx):\n",
			 (unsigned long long)c->jobs[i].va);
		job = strstr(text, key);
		if (!tap_result(job, "%s: job %u is decoded", what, i))
			continue;
		end = strstr(job + 1, "Job Header (");
		job = strndup(job, end ? end - job : strlen(job));
		before = compared;
		ok = same_header(job, &c->jobs[i]);
		if (c->jobs[i].launch)
			ok &= same_launch(job, c->jobs[i].launch, midgard);
		if (c->jobs[i].type == MALI_JOB_WRITE_VALUE)
			ok &= same(job, "Address", 0, c->jobs[i].write_va);
		tap_result(ok, "%s: job %u: %u fields", what, i, compared - before);
		free(job);
	}
}

static char *read_all(const char *path)
{
	char *text = calloc(1, 1 << 20);
	FILE *f = fopen(path, "r");

	if (!text || !f || !fread(text, 1, (1 << 20) - 1, f))
		tap_comment("cannot read %s", path);
	if (f)
		fclose(f);
	return text;
}

static void test_case(const char *gpu, const char *name)
{
	bool midgard = !strncmp(gpu, "midgard", 7);
	struct mali_reject why;
	struct walked c;
	struct capture cap;
	char path[800], what[300], *text;

	snprintf(what, sizeof(what), "%s %s", gpu, name);
	snprintf(path, sizeof(path), "%s/mali/decode/%s/%s.txt", corpus, gpu, name);
	text = read_all(path);
	snprintf(path, sizeof(path), "%s/mali/capture/%s/%s.submit00", corpus, gpu, name);
	if (text && tap_result(capture_load(path, &cap), "%s: loaded", what)) {
		if (tap_result(!walked_read(&c, midgard ? MALI_V5 : MALI_V7, &cap.map,
					    cap.jc, 1 << 20, &why), "%s: read", what)) {
			compare_jobs(what, text, &c, midgard);
			walked_free(&c);
		}
		capture_free(&cap);
	}
	free(text);
}

static void test_gpu(const char *gpu)
{
	struct dirent **list;
	char dir[400], *dot;
	int i, n;

	snprintf(dir, sizeof(dir), "%s/mali/decode/%s", corpus, gpu);
	n = scandir(dir, &list, NULL, alphasort);
	for (i = 0; i < n; i++) {
		dot = strstr(list[i]->d_name, ".txt");
		if (dot) {
			*dot = 0;
			test_case(gpu, list[i]->d_name);
		}
		free(list[i]);
	}
	if (n >= 0)
		free(list);
}

int main(int argc, char **argv)
{
	int i;

	for (i = 1; i + 1 < argc; i++)
		if (!strcmp(argv[i], "--corpus"))
			corpus = argv[i + 1];
	if (!corpus) {
		tap_skip("no --corpus", "decoded captures");
		return tap_done();
	}
	test_gpu("bifrost-g52");
	test_gpu("midgard-t860");
	tap_result(compared > 300, "%u fields compared", compared);
	return tap_done();
}
