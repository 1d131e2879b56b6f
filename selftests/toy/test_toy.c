// SPDX-License-Identifier: GPL-2.0
/*
 * Jobs of the toy ISA through the library's in-process backend: no shared code knows the ISA.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "jobfile.h"
#include "tap.h"
#include "toy.h"
#include "vshader.h"

#define IN_VA	0x100000ull
#define OUT_VA	0x200000ull
#define COUNT	100u
#define SECOND	1000000000ll

static struct vshader_device *dev;
static uint32_t vm;
static int32_t *in, *out;
static struct vshader_bo *bo[2];

static const uint32_t square_sum[] = {
	TOY_WORD(TOY_LOAD, 0), TOY_WORD(TOY_MUL, 3), TOY_WORD(TOY_ADD, -5),
	TOY_WORD(TOY_STORE, 0), TOY_WORD(TOY_END, 0),
};

static const uint32_t countdown[] = {
	TOY_WORD(TOY_LOAD, 0), TOY_WORD(TOY_ADD, -1), TOY_WORD(TOY_JNZ, 1),
	TOY_WORD(TOY_STORE, 0), TOY_WORD(TOY_END, 0),
};

static int make_program(const uint32_t *words, uint32_t n, struct vshader_diag *diag, uint32_t *id)
{
	static const uint32_t entry;
	const struct vshader_source src = {
		.engine = TOY_ENGINE, .stage = DRM_VSHADER_STAGE_COMPUTE,
		.words = { words }, .num_words = { n }, .entries = &entry, .num_entries = 1,
	};

	return vshader_program_create(dev, &src, diag, id);
}

static uint32_t make_queue(uint64_t budget)
{
	const struct vshader_queue_params p = { .engine = TOY_ENGINE, .vm = vm, .budget = budget };
	uint32_t id = 0;

	tap_result(!vshader_queue_create(dev, &p, &id), "queue");
	return id;
}

static int run(uint32_t queue, uint32_t program, struct toy_block b, uint32_t count)
{
	struct drm_vshader_shader_job sh = {
		.program = program,
		.engine_block = (uintptr_t)&b, .engine_block_size = sizeof(b),
	};
	struct drm_vshader_job job = {
		.queue_id = queue, .desc = (uintptr_t)&sh, .desc_size = sizeof(sh),
	};

	b.count = count;
	return vshader_submit_wait(dev, &job, 10 * SECOND);
}

static int setup(void)
{
	const uint64_t size = 4096;
	uint64_t va[2] = { IN_VA, OUT_VA };
	void *p[2];
	int i;

	if (vshader_open("local:workers=2", &dev) || vshader_vm_create(dev, 0, 0, &vm))
		return -1;
	for (i = 0; i < 2; i++)
		if (vshader_bo_create(dev, size, 0, 0, &bo[i]) || vshader_bo_map(bo[i], &p[i]) ||
		    vshader_vm_map(dev, vm, bo[i], 0, &va[i]))
			return -1;
	in = p[0];
	out = p[1];
	return 0;
}

static void test_results(void)
{
	const struct toy_block b = { .in_va = IN_VA, .out_va = OUT_VA };
	uint32_t queue = make_queue(0), program = 0, i, bad = 0;

	for (i = 0; i < COUNT; i++)
		in[i] = (int32_t)(i * i) - 1000;
	tap_result(!make_program(square_sum, 5, NULL, &program), "program");
	tap_result(!run(queue, program, b, COUNT), "job");
	for (i = 0; i < COUNT; i++)
		bad += out[i] != in[i] * 3 - 5;
	tap_result(!bad, "%u of %u values differ", bad, COUNT);

	for (i = 0; i < COUNT; i++)
		in[i] = (int32_t)i + 100;
	memset(out, 0xff, 4 * COUNT);
	make_program(countdown, 5, NULL, &program);
	tap_result(!run(queue, program, b, COUNT), "job with loops of several slices");
	for (i = 0, bad = 0; i < COUNT; i++)
		bad += out[i] != 0;
	tap_result(!bad, "%u of %u values are not 0", bad, COUNT);
}

static void test_refused(void)
{
	const uint32_t no_end = TOY_WORD(TOY_SET, 1), opcode = TOY_WORD(99, 0);
	struct toy_block b = { .in_va = IN_VA, .out_va = OUT_VA };
	uint32_t queue = make_queue(0), program, id;

	tap_result(make_program(&no_end, 1, NULL, &id) == -ENOEXEC, "program without an end");
	tap_result(make_program(&opcode, 1, NULL, &id) == -ENOEXEC, "program of an unknown opcode");
	make_program(square_sum, 5, NULL, &program);
	b.pad = 1;
	tap_result(run(queue, program, b, 1) == -EINVAL, "pad is not 0: %s", vshader_error());
	b.pad = 0;
	b.out_va = ~0ull;
	tap_result(run(queue, program, b, 1) == -EINVAL, "address: %s", vshader_error());
}

static void test_faults(void)
{
	struct toy_block b = { .in_va = IN_VA, .out_va = 0x700000 };
	struct drm_vshader_queue_get_state st = {};
	uint32_t queue = make_queue(0), program;

	make_program(square_sum, 5, NULL, &program);
	tap_result(!run(queue, program, b, 2), "job that stores to unmapped memory is accepted");
	vshader_queue_get_state(dev, queue, &st);
	tap_result(st.fault.kind == DRM_VSHADER_FAULT_WRITE && st.fault.engine == TOY_ENGINE &&
		   st.fault.address == 0x700000 && st.fault.pc == 3, "fault record");

	queue = make_queue(1000);
	make_program(countdown, 5, NULL, &program);
	in[0] = 0;
	b.out_va = OUT_VA;
	tap_result(!run(queue, program, b, 1), "endless loop is accepted");
	memset(&st, 0, sizeof(st));
	vshader_queue_get_state(dev, queue, &st);
	tap_result(st.fault.kind == DRM_VSHADER_FAULT_BUDGET, "the budget ends it");
}

static void test_text(void)
{
	static const char text[] = "load\nmul 3\nadd -5\nstore\nend\n";
	struct vshader_binary *bin = NULL;
	struct vshader_source src;
	char *list = NULL;

	tap_result(vshader_engine_by_name("toy") == TOY_ENGINE &&
		   !strcmp(vshader_engine_name(TOY_ENGINE), "toy"), "name");
	if (!tap_result(!vshader_assemble(TOY_ENGINE, text, strlen(text), "a.toy", &bin) &&
			!vshader_binary_source(bin, 0, &src), "assemble: %s", vshader_error()))
		return;
	tap_result(src.num_words[0] == 5 && !memcmp(src.words[0], square_sum, 20), "words");
	tap_result(!vshader_disasm(&src, &list) && strstr(list, "\tadd -5\t; 002\n"), "listing");
	free(list);
	vshader_binary_free(bin);
	tap_result(vshader_assemble(TOY_ENGINE, "end\nx 1\n", 8, "a.toy", &bin) == -EINVAL &&
		   !strcmp(vshader_error(), "a.toy:2: error: unknown operation"), "bad text: %s",
		   vshader_error());
}

static void test_jobfile(const char *path)
{
	static const char other[] =
"{\"vshader\":1, \"engine\":\"toy\", \"programs\":[{\"words\":[0]}], \"jobs\":[{\"qpu\":0}]}";
	struct vshader_jobfile *jf = NULL;
	struct vshader_run *r = NULL;
	char err[400] = "";

	if (!tap_result(!vshader_jobfile_load(path, &jf, err, sizeof(err)), "job file: %s", err))
		return;
	tap_result(!vshader_jobfile_run(jf, dev, &r, err, sizeof(err)) && r->num_checks == 4 &&
		   !r->num_failed, "its job: %s", err);
	vshader_run_free(r);
	vshader_jobfile_free(jf);
	tap_result(vshader_jobfile_parse(other, strlen(other), NULL, 0, &jf, err, sizeof(err)) &&
		   strstr(err, "\"qpu\" is not for the program's engine"), "%s", err);
}

int main(int argc, char **argv)
{
	if (!tap_result(!setup(), "set up: %s", vshader_error()))
		return tap_done();
	test_results();
	test_refused();
	test_faults();
	test_text();
	if (tap_result(argc == 2, "job file is given"))
		test_jobfile(argv[1]);
	vshader_bo_destroy(bo[0]);
	vshader_bo_destroy(bo[1]);
	vshader_close(dev);
	return tap_done();
}
