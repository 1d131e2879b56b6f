// SPDX-License-Identifier: GPL-2.0
/* The job file parser: what it takes, and that every error names its place. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "jobfile.h"
#include "tap.h"

#define WORDS "\"words\": [\"0x88000000\"]"
#define PROG "\"programs\": [{\"name\": \"p\", " WORDS "}]"

struct bad_case {
	const char *text;
	const char *error;	/* how the message begins */
};

static const struct bad_case bad_cases[] = {
	/* not JSON, or not ours */
	{ "", "line 1: the text ends" },
	{ "{", "line 1: the text ends" },
	{ "{\n\"vshader\": 1,\n]", "line 3, column" },
	{ "{\"vshader\": 1, " PROG "} x", "line 1, column" },
	{ "[]", "expected an object, got a list" },
	{ "{}", "member \"vshader\" is missing" },
	{ "{\"vshader\": 2}", "\"vshader\" is 2" },
	{ "{\"vshader\": \"x\"}", "vshader: expected a number" },
	{ "{\"vshader\": 1}", "there are neither" },
	{ "{\"vshader\": 1, \"Jobs\": []}", "unknown member \"Jobs\"; known here: $schema" },
	{ "{\"vshader\": 1, \"engine\": \"gpu\"}", "engine: unknown name \"gpu\"; expected one of pica" },
	{ "{\"vshader\": 1, \"name\": \"a\\u0000b\", " PROG "}", "name: a string must not contain" },
	/* memory */
	{ "{\"vshader\": 1, \"memory\": {}}", "memory: expected a list, got an object" },
	{ "{\"vshader\": 1, \"memory\": [3]}", "memory[0]: expected an object" },
	{ "{\"vshader\": 1, \"memory\": [{}]}", "memory[0]: \"size\" is missing" },
	{ "{\"vshader\": 1, \"memory\": [{\"size\": -1}]}", "memory[0].size: expected a number" },
	{ "{\"vshader\": 1, \"memory\": [{\"size\": 1.5}]}", "memory[0].size: expected an integer" },
	{ "{\"vshader\": 1, \"memory\": [{\"size\": \"0x10000000000\"}]}",
	  "memory[0].size: 1099511627776 (0x10000000000) is above the limit" },
	{ "{\"vshader\": 1, \"memory\": [{\"size\": \"12k\"}]}",
	  "memory[0].size: expected a number, decimal or with 0x, got \"12k\"" },
	{ "{\"vshader\": 1, \"memory\": [{\"size\": \"-1\"}]}", "memory[0].size: expected a number" },
	{ "{\"vshader\": 1, \"memory\": [{\"size\": 8, \"data\": {}}]}",
	  "memory[0].data: expected exactly one of hex" },
	{ "{\"vshader\": 1, \"memory\": [{\"size\": 8, \"data\": {\"hex\": \"0\"}}]}",
	  "memory[0].data.hex: character 0: expected two" },
	{ "{\"vshader\": 1, \"memory\": [{\"size\": 8, \"data\": {\"hex\": \"00112233445566778899\"}}]}",
	  "memory[0].data: 10 bytes do not fit" },
	{ "{\"vshader\": 1, \"memory\": [{\"size\": 8, \"data\": [{\"u8\": [1]}, {\"u8\": [300]}]}]}",
	  "memory[0].data[1].u8[0]: 300 does not fit into u8" },
	{ "{\"vshader\": 1, \"memory\": [{\"size\": 8, \"data\": {\"u8\": [0.5]}}]}",
	  "memory[0].data.u8[0]: expected a value of type u8" },
	{ "{\"vshader\": 1, \"memory\": [{\"size\": 8, \"data\": {\"f32\": [null]}}]}",
	  "memory[0].data.f32[0]: expected a value of type f32" },
	{ "{\"vshader\": 1, \"memory\": [{\"size\": 8, \"data\": {\"f24\": [\"0x1000000\"]}}]}",
	  "memory[0].data.f24[0]: \"0x1000000\" does not fit into f24" },
	{ "{\"vshader\": 1, \"memory\": [{\"size\": 8, \"data\": {\"u8\": [1], \"repeat\": 9}}]}",
	  "memory[0].data: 9 bytes do not fit" },
	{ "{\"vshader\": 1, \"memory\": [{\"size\": 8, \"data\": {\"file\": \"x\"}}]}",
	  "memory[0].data.file: file \"x\": other files are not allowed here" },
	{ "{\"vshader\": 1, \"memory\": [{\"name\": \"a\", \"size\": 8}, {\"name\": \"a\", \"size\": 8}]}",
	  "memory[1]: there are two regions \"a\"" },
	{ "{\"vshader\": 1, \"memory\": [{\"size\": 8, \"vm\": \"v\"}]}",
	  "memory[0].vm: there is no address space \"v\"" },
	{ "{\"vshader\": 1, \"vms\": [{\"name\": \"v\", \"bits\": 40}]}", "vms[0]: \"bits\" is 40" },
	{ "{\"vshader\": 1, \"memory\": [{\"size\": 64, \"data\": {\"commands\": [{\"reg\": 1, \"values\": []}]}}]}",
	  "memory[0].data.commands[0].values: expected 1 to 256 values" },
	/* programs */
	{ "{\"vshader\": 1, \"programs\": [{}]}", "programs[0]: expected exactly one of \"words\"" },
	{ "{\"vshader\": 1, \"programs\": [{" WORDS ", \"asm\": \"\"}]}",
	  "programs[0]: expected exactly one of" },
	{ "{\"vshader\": 1, \"programs\": [{\"words\": \"1234567890\"}]}",
	  "programs[0].words: line 1: expected a word" },
	{ "{\"vshader\": 1, \"programs\": [{" WORDS ", \"stage\": \"tile\"}]}",
	  "programs[0].stage: unknown name \"tile\"" },
	{ "{\"vshader\": 1, \"programs\": [{" WORDS ", \"entries\": [\"main\"]}]}",
	  "programs[0].entries[0]: the program has no label \"main\"" },
	{ "{\"vshader\": 1, \"programs\": [{\"asm\": \"nonsense\"}]}", "programs[0].asm: asm:1:1: error:" },
	{ "{\"vshader\": 1, \"programs\": [{\"asm\": \"end\", \"stage\": \"vertex\"}]}",
	  "programs[0]: \"stage\" goes with \"words\" only" },
	{ "{\"vshader\": 1, \"programs\": [{" WORDS ", \"reject\": {\"field\": [1]}}]}",
	  "programs[0].reject.field: expected [lowest bit, highest bit]" },
	/* jobs */
	{ "{\"vshader\": 1, \"jobs\": [{}]}", "jobs[0]: a shader job needs a program" },
	{ "{\"vshader\": 1, " PROG ", \"jobs\": [{\"program\": \"q\"}]}",
	  "jobs[0].program: there is no \"q\" in \"programs\"" },
	{ "{\"vshader\": 1, " PROG ", \"jobs\": [{\"queue\": \"q\"}]}",
	  "jobs[0].queue: there is no \"q\" in \"queues\"" },
	{ "{\"vshader\": 1, " PROG ", \"queues\": [{\"name\": \"q\"}], \"jobs\": [{\"queue\": \"q\", \"budget\": 1}]}",
	  "jobs[0]: \"budget\" belongs to the queue \"q\"" },
	{ "{\"vshader\": 1, " PROG ", \"jobs\": [{\"count\": \"many\"}]}", "jobs[0].count: expected a number" },
	{ "{\"vshader\": 1, " PROG ", \"jobs\": [{\"attributes\": [{\"reg\": \"v16\", \"data\": [0]}]}]}",
	  "jobs[0].attributes[0].reg: no register \"v16\"; expected v0 to v15" },
	{ "{\"vshader\": 1, " PROG ", \"jobs\": [{\"attributes\": [{\"reg\": 0}]}]}",
	  "jobs[0].attributes[0]: expected either \"at\" or \"data\"" },
	{ "{\"vshader\": 1, " PROG ", \"jobs\": [{\"attributes\": [{\"reg\": 0, \"data\": [1, 2, 3]}]}]}",
	  "jobs[0].attributes[0].data: 3 values, expected a multiple of the 4 components" },
	{ "{\"vshader\": 1, " PROG ", \"jobs\": [{\"attributes\": [{\"reg\": 0, \"data\": [1], \"components\": 0}]}]}",
	  "jobs[0].attributes[0]: inline data needs 1 to 4 components, not 0" },
	{ "{\"vshader\": 1, " PROG ", \"jobs\": [{\"attributes\": [{\"reg\": 0, \"at\": \"m+4\"}]}]}",
	  "jobs[0].attributes[0].at: there is no region \"m\"" },
	{ "{\"vshader\": 1, \"memory\": [{\"name\": \"m\", \"size\": 8}], " PROG ", \"jobs\": [{\"attributes\": [{\"reg\": 0, \"at\": \"m+x\"}]}]}",
	  "jobs[0].attributes[0].at: expected a number behind \"+\"" },
	{ "{\"vshader\": 1, " PROG ", \"jobs\": [{\"outputs\": [\"v0\"]}]}",
	  "jobs[0].outputs[0]: no register \"v0\"; expected o0 to o15" },
	{ "{\"vshader\": 1, " PROG ", \"jobs\": [{\"count\": 4294967295, \"outputs\": [\"o0\"]}]}",
	  "jobs[0].outputs[0]: this output needs" },
	{ "{\"vshader\": 1, " PROG ", \"jobs\": [{\"pica\": {\"model\": \"f64\"}}]}",
	  "jobs[0].pica.model: unknown name \"f64\"; expected one of f24, f32" },
	{ "{\"vshader\": 1, " PROG ", \"jobs\": [{\"pica\": {\"switches\": [\"fast\"]}}]}",
	  "jobs[0].pica.switches[0]: unknown name \"fast\"" },
	{ "{\"vshader\": 1, " PROG ", \"jobs\": [{\"pica\": {\"uniforms\": {\"c96\": [0,0,0,0]}}}]}",
	  "jobs[0].pica.uniforms.c96: no uniform \"c96\"" },
	{ "{\"vshader\": 1, " PROG ", \"jobs\": [{\"pica\": {\"uniforms\": {\"c95\": [0,0,0,0,0,0,0,0]}}}]}",
	  "jobs[0].pica.uniforms.c95: 8 values, expected rows of 4, at most 1" },
	{ "{\"vshader\": 1, " PROG ", \"jobs\": [{\"pica\": {\"uniforms\": {\"i3\": [0,0,0,0,0,0,0,0]}}}]}",
	  "jobs[0].pica.uniforms.i3: 8 values" },
	{ "{\"vshader\": 1, " PROG ", \"jobs\": [{\"pica\": {\"uniforms\": {\"b0\": 1}}}]}",
	  "jobs[0].pica.uniforms.b0: expected true or false" },
	{ "{\"vshader\": 1, " PROG ", \"jobs\": [{\"with_previous\": true}]}",
	  "jobs[0]: \"with_previous\": there is no previous job" },
	{ "{\"vshader\": 1, " PROG ", \"jobs\": [{\"wait\": [\"s\"]}]}",
	  "jobs[0].wait[0]: there is no \"s\" in \"syncobjs\"" },
	{ "{\"vshader\": 1, " PROG ", \"jobs\": [{\"bind\": [{\"size\": 1}]}]}",
	  "jobs[0].bind[0]: expected either \"map\" or \"unmap\"" },
	{ "{\"vshader\": 1, " PROG ", \"jobs\": [{\"native\": {}}]}",
	  "jobs[0].native: member \"at\" is missing" },
	{ "{\"vshader\": 1, " PROG ", \"jobs\": [{\"index\": {\"type\": \"u64\"}}]}",
	  "jobs[0].index.type: unknown name \"u64\"" },
	/* expectations */
	{ "{\"vshader\": 1, " PROG ", \"jobs\": [{\"expect\": [{}]}]}",
	  "jobs[0].expect[0]: expected one of output, at" },
	{ "{\"vshader\": 1, " PROG ", \"jobs\": [{\"expect\": [{\"output\": \"o0\", \"f32\": []}]}]}",
	  "jobs[0].expect[0].output: the job has no output \"o0\"" },
	{ "{\"vshader\": 1, " PROG ", \"jobs\": [{\"outputs\": [\"o0\"], \"expect\": [{\"output\": \"o0\"}]}]}",
	  "jobs[0].expect[0]: expected exactly one list of values" },
	{ "{\"vshader\": 1, " PROG ", \"jobs\": [{\"outputs\": [\"o0\"], \"expect\": [{\"output\": \"o0\", \"f32\": [1], \"abs\": -1}]}]}",
	  "jobs[0].expect[0].abs: expected a finite number" },
	{ "{\"vshader\": 1, " PROG ", \"jobs\": [{\"outputs\": [\"o0\"], \"expect\": [{\"output\": \"o0\", \"f32\": [[[\"oops\"]]]}]}]}",
	  "jobs[0].expect[0].f32[0][0][0]: expected a number, \"inf\"" },
	{ "{\"vshader\": 1, " PROG ", \"jobs\": [{\"expect\": [{\"fault\": \"ouch\"}]}]}",
	  "jobs[0].expect[0].fault: unknown name \"ouch\"" },
	{ "{\"vshader\": 1, " PROG ", \"jobs\": [{\"expect\": [{\"status\": \"EPERM\"}]}]}",
	  "jobs[0].expect[0].status: unknown name \"EPERM\"" },
	{ "{\"vshader\": 1, " PROG ", \"jobs\": [{\"expect\": [{\"prims\": 0, \"count\": 1}]}]}",
	  "jobs[0].expect[0]: this is no geometry job" },
};

static int parse(const char *text, size_t len, char *err, size_t size)
{
	struct vshader_jobfile *jf;
	int ret = vshader_jobfile_parse(text, len, "dir/test.json", VSHADER_JOBFILE_NO_FILES, &jf,
					err, size);

	if (!ret)
		vshader_jobfile_free(jf);
	return ret;
}

static void test_bad(void)
{
	char err[1024];
	unsigned int i;

	for (i = 0; i < sizeof(bad_cases) / sizeof(bad_cases[0]); i++) {
		const struct bad_case *c = &bad_cases[i];
		int ret = parse(c->text, strlen(c->text), err, sizeof(err));
		bool ok = ret == -EINVAL && !strncmp(err, c->error, strlen(c->error));

		tap_result(ok, "refused: %.70s", c->error);
		if (!ok)
			tap_comment("%d: %s", ret, ret ? err : "accepted");
	}
}

static const char good[] =
"{ \"$schema\": \"x\", \"vshader\": 1, \"name\": \"n\", \"description\": \"d\", \"engine\": \"pica\",\n"
"  \"vms\": [{\"name\": \"v\", \"bits\": 32, \"alloc_start\": \"0x50000000\"}, {\"name\": \"w\"}],\n"
"  \"memory\": [\n"
"    {\"name\": \"m\", \"va\": \"0x10000\", \"size\": 64, \"label\": \"l\", \"readonly\": true,\n"
"     \"noexec\": true, \"exclusive\": true, \"data\": [{\"hex\": \"00 11\"}, {\"u16\": [1, \"0xffff\", -1]},\n"
"     {\"offset\": 16, \"f32\": [[1, 2], [\"inf\", \"nan\"]], \"repeat\": 2}]},\n"
"    {\"name\": \"c\", \"data\": {\"commands\": [{\"reg\": \"0x2c1\", \"mask\": 3, \"values\": [1, 2, 3],\n"
"     \"consecutive\": true}, {\"reg\": 16, \"values\": [5]}]}}],\n"
"  \"programs\": [\n"
"    {\"name\": \"p\", \"asm\": \".fvec scale[2]\\n.bool flag\\n.out a position\\n.in pos\\n.proc main\\n mov a, pos\\n end\\n.end\\n\"},\n"
"    {\"name\": \"q\", \"words\": \"88000000 # end\\n\", \"opdesc\": [15], \"entries\": [0], \"reject\": {\"offset\": 1}}],\n"
"  \"queues\": [{\"name\": \"u\", \"vm\": \"w\", \"priority\": \"low\", \"budget\": 5, \"time_limit_ms\": 9}],\n"
"  \"syncobjs\": [{\"name\": \"s\", \"signaled\": true}],\n"
"  \"jobs\": [\n"
"    {\"name\": \"j\", \"program\": \"p\", \"entry\": \"main\", \"first\": 1, \"count\": 2, \"instances\": 3,\n"
"     \"index\": {\"type\": \"u16\", \"data\": [0, 1]},\n"
"     \"attributes\": [{\"reg\": \"pos\", \"format\": \"s16\", \"components\": 2, \"divisor\": 1, \"data\": [1, -2, 3, 4]}],\n"
"     \"outputs\": [\"position\", {\"reg\": \"o3\", \"format\": \"f24\", \"at\": \"m+32\", \"stride\": 16}],\n"
"     \"pica\": {\"model\": \"f24\", \"switches\": [\"round-nearest\", \"oor-reads-zero\"],\n"
"       \"uniforms\": {\"scale\": [[1, 2, 3, 4], [5, 6, 7, 8]], \"c9\": [0, 0, 0, \"0x3f800000\"], \"i1\": [1, 2, 3, 4], \"flag\": true}},\n"
"     \"wait\": [\"s\"], \"signal\": [{\"syncobj\": \"s\", \"point\": 4}],\n"
"     \"expect\": [{\"output\": \"position\", \"from\": 1, \"f32\": [1, null, \"nan\", \"+-inf\"], \"ulp\": 3},\n"
"       {\"at\": \"m+32\", \"u8\": [1], \"name\": \"x\"}, {\"status\": \"ok\"}, {\"invocations\": 6}]},\n"
"    {\"name\": \"k\", \"queue\": \"u\", \"with_previous\": true, \"async\": true, \"result\": false,\n"
"     \"bind\": [{\"map\": \"m\", \"va\": \"0x20000\", \"size\": 4096}, {\"unmap\": \"m\"}],\n"
"     \"native\": {\"at\": \"c\", \"output_size\": 4096, \"reset_state\": true, \"model\": \"f32\"},\n"
"     \"expect\": [{\"submit\": \"ENOEXEC\", \"fault\": \"command\", \"info\": 3}, {\"draw\": 0, \"vertices\": 3}]}]}\n";

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

	tap_result(p->model == DRM_VSHADER_PICA_F24 &&
		   p->switches == (DRM_VSHADER_PICA_ROUND_NEAREST | DRM_VSHADER_PICA_OOR_READS_ZERO),
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

static void test_good(void)
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
	test_pica(jf->jobs[0].shader.pica);
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
static void test_damage(void)
{
	size_t len = strlen(good), i;
	unsigned int silent = 0, prefixes = 0;
	char err[1024], *copy = malloc(len);

	for (i = 0; i < len - 1; i++) {
		/* An exact allocation, so that reading behind the end is seen. */
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

int main(void)
{
	test_good();
	test_bad();
	test_damage();
	test_bounds();
	return tap_done();
}
