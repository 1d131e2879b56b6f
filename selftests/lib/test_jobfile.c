// SPDX-License-Identifier: GPL-2.0
/*
 * The job file parser: accepted files, and errors, each with its location.
 *
 *   test_jobfile DATA      folder with good_jobfile.json and bad_jobfiles.txt
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../userspace/families/pica/jobfile_pica.h"
#include "tap.h"

static int parse(const char *text, size_t len, char *err, size_t size)
{
	struct vshader_jobfile *jf;
	int ret = vshader_jobfile_parse(text, len, "dir/test.json", VSHADER_JOBFILE_NO_FILES, &jf,
					err, size);

	if (!ret)
		vshader_jobfile_free(jf);
	return ret;
}

/* A line of the list with {WORDS}, {PROGRAM} and \n replaced. */
static void expand(const char *line, char *out, size_t size)
{
	static const char * const names[4] = { "{WORDS}", "{PROGRAM}", "\\n", "{BIFROST}" };
	static const char * const texts[4] = {
		"\"words\": [\"0x88000000\"]",
		"\"programs\": [{\"name\": \"p\", \"words\": [\"0x88000000\"]}]",
		"\n",
		"\"engine\": \"bifrost\", \"programs\": [{\"words\": [0, 0, 0, 0]}]",
	};
	size_t n = 0;
	unsigned int i;

	while (*line && n + 96 < size) {
		for (i = 0; i < 4 && strncmp(line, names[i], strlen(names[i])); i++)
			;
		if (i < 4) {
			n += (size_t)sprintf(out + n, "%s", texts[i]);
			line += strlen(names[i]);
		} else {
			out[n++] = *line++;
		}
	}
	out[n] = 0;
}

static void test_refused(const char *text, const char *error)
{
	char err[1024];
	int ret = parse(text, strlen(text), err, sizeof(err));
	bool ok = ret == -EINVAL && !strncmp(err, error, strlen(error));

	tap_result(ok, "refused: %.70s", error);
	if (!ok)
		tap_comment("%d: %s", ret, ret ? err : "accepted");
}

/* Two lines per case: the file, and after a tab the start of the message. */
static void test_bad(const char *dir)
{
	char line[4096], text[4096] = "", name[4096];
	unsigned int n = 0;
	FILE *f;

	snprintf(name, sizeof(name), "%s/bad_jobfiles.txt", dir);
	f = fopen(name, "re");
	while (f && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = 0;
		if (line[0] == '\t') {
			test_refused(text, line + 1);
			n++;
		} else if (line[0] && line[0] != '#') {
			expand(strcmp(line, "(empty)") ? line : "", text, sizeof(text));
		}
	}
	if (f)
		fclose(f);
	tap_result(n > 60, "%u files in %s", n, name);
}

static void test_streams(const struct jf_job *j)
{
	const struct jf_stream *s = &j->shader.attributes[0];

	tap_result(j->shader.num_attributes == 1 && s->reg == 0 && s->components == 2 &&
		   s->format == DRM_VSHADER_FORMAT_S16 && s->stride == 4 && s->divisor == 1,
		   "attribute by name, stride from its type");
	tap_result(j->shader.num_outputs == 2 && j->shader.outputs[0].reg == 0 &&
		   j->shader.outputs[0].stride == 16 && j->shader.outputs[1].reg == 3 &&
		   j->shader.outputs[1].at.region == 0 && j->shader.outputs[1].at.offset == 32,
		   "outputs by semantic and by address");
	tap_result(j->shader.entry == 0 && j->shader.first == 1 && j->shader.count == 2 &&
		   j->shader.instances == 3 && j->shader.index_type == DRM_VSHADER_INDEX_U16,
		   "range of a job");
}

static void test_pica(const struct jf_pica *p)
{
	const uint32_t one = 0x3f800000, eight = 0x41000000;
	const uint32_t switches = DRM_VSHADER_PICA_ROUND_NEAREST | DRM_VSHADER_PICA_OOR_READS_ZERO;

	tap_result(p->model == DRM_VSHADER_PICA_F24 && p->switches == switches,
		   "model and switches");
	tap_result(p->floats[0][0] == one && p->floats[1][3] == eight && p->floats[9][3] == one &&
		   p->num_floats == 10, "float uniforms by name and by number");
	tap_result(p->ints[1][0] == 1 && p->ints[1][3] == 4 && p->bools == 1,
		   "integer and boolean uniforms");
}

static void test_commands(const struct jf_region *r)
{
	/* Parameter, header, more parameters, padding. */
	static const uint32_t want[6] = { 1, 0x2c1 | 3 << 16 | 2 << 20 | 1u << 31, 2, 3, 5,
					  0x10 | 15 << 16 };
	unsigned int i, bad = 0;

	for (i = 0; i < 6; i++)
		bad += jf_load(JF_U32, r->pieces[0].data + 4 * i) != want[i];
	tap_result(r->size == 24 && r->pieces[0].len == 24 && !bad, "command list words");
}

static void test_good(const char *good)
{
	struct vshader_jobfile *jf = NULL;
	char err[1024];
	int ret = vshader_jobfile_parse(good, strlen(good), NULL, 0, &jf, err, sizeof(err));

	tap_result(!ret, "a file that uses everything");
	if (ret) {
		tap_comment("%s", err);
		return;
	}
	tap_result(jf->num_vms == 2 && jf->vms[0].alloc_start == 0x50000000, "address spaces");
	tap_result(jf->regions[0].va == 0x10000 && jf->regions[0].num_pieces == 3 &&
		   jf->regions[0].pieces[1].offset == 2 && jf->regions[0].pieces[1].len == 6 &&
		   jf->regions[0].pieces[2].repeat == 2, "pieces follow each other");
	test_commands(&jf->regions[1]);
	tap_result(jf->num_programs == 2 && jf->programs[1].expect_reject &&
		   jf->programs[1].reject_mask == JF_REJECT_OFFSET, "programs");
	tap_result(jf->queues[0].params.priority == DRM_VSHADER_PRIORITY_LOW + 1 &&
		   jf->queues[0].params.budget == 5 && jf->queues[0].params.vm == 1, "queues");
	test_streams(&jf->jobs[0]);
	test_pica(jf->jobs[0].shader.block);
	tap_result(jf->jobs[0].num_syncs == 2 && jf->jobs[0].syncs[1].point == 4 &&
		   jf->jobs[0].syncs[1].flags == (DRM_VSHADER_SYNC_SIGNAL |
						  DRM_VSHADER_SYNC_TIMELINE), "sync operations");
	tap_result(jf->jobs[0].num_expects == 4 && jf->jobs[0].expects[0].at.offset == 16 &&
		   jf->jobs[0].expects[0].values.count == 4 &&
		   jf->jobs[0].expects[0].values.v[1].kind == JF_ANY &&
		   jf->jobs[0].expects[0].values.v[3].kind == JF_INF, "expectations");
	tap_result(jf->jobs[1].type == DRM_VSHADER_JOB_NATIVE && jf->jobs[1].native.size == 24 &&
		   jf->jobs[1].with_previous && jf->jobs[1].no_result &&
		   jf->jobs[1].num_binds == 2 && jf->jobs[1].binds[1].size == 64, "native job");
	vshader_jobfile_free(jf);
}

/* Every prefix, and every byte replaced: errors or not, but nothing else. */
static void test_damage(const char *good)
{
	size_t len = strlen(good), i;
	unsigned int silent = 0, prefixes = 0;
	char err[1024], *copy = malloc(len);

	for (i = 0; i < len - 1; i++) {
		/* An exact allocation, so that reads past the end are detected. */
		char *cut = malloc(i ? i : 1);

		memcpy(cut, good, i);
		err[0] = 0;
		if (!parse(cut, i, err, sizeof(err)))
			prefixes++;
		else if (!err[0])
			silent++;
		free(cut);
	}
	/* Only white space follows the last brace. */
	tap_result(prefixes <= 1 && !silent, "prefixes are refused with a message");
	for (i = 0; i < len; i++) {
		memcpy(copy, good, len);
		copy[i] = (char)(i * 7 + 32);
		err[0] = 0;
		if (parse(copy, len, err, sizeof(err)) == -EINVAL && !err[0])
			silent++;
	}
	tap_result(!silent, "damaged files are refused with a message");
	free(copy);
}

static void test_bounds(void)
{
	char err[64], *deep = malloc(200000);
	unsigned int i;

	memset(deep, '[', 100000);
	memset(deep + 100000, ']', 100000);
	tap_result(parse(deep, 200000, err, sizeof(err)) == -EINVAL, "deep nesting is refused");
	free(deep);
	/* However small the buffer for the message. */
	for (i = 0; i < sizeof(err); i++) {
		memset(err, 'x', sizeof(err));
		parse("{\"vshader\": 1, \"memory\": [{\"size\": \"12k\"}]}", 42, err, i);
		if (i && !memchr(err, 0, i))
			break;
	}
	tap_result(i == sizeof(err), "messages end within their buffer");
}

int main(int argc, char **argv)
{
	const char *dir = argc > 1 ? argv[1] : "data";
	static char good[65536];
	char name[4096];
	FILE *f;

	snprintf(name, sizeof(name), "%s/good_jobfile.json", dir);
	f = fopen(name, "re");
	if (!tap_result(f && fread(good, 1, sizeof(good) - 1, f), "%s", name))
		return tap_done();
	fclose(f);
	test_good(good);
	test_bad(dir);
	test_damage(good);
	test_bounds();
	return tap_done();
}
