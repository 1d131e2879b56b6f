// SPDX-License-Identifier: GPL-2.0
/*
 * Debug sessions through the library, for each engine: break in one invocation, read a
 * register, change it, continue, see the changed result; steps, watchpoints, traces, faults,
 * interrupts, and refused requests.
 *
 *   test_debug [DEVICE]      default: local
 */
#include <unistd.h>

#include "lib_test.h"
#include "vshader_debug.h"

#define IN_VA		0x10000000ull
#define OUT_VA		0x10010000ull
#define AUX_VA		0x10020000ull
#define RESULT_VA	0x10030000ull
#define BYTES		0x40000ull
#define COUNT		16		/* invocations */
#define WHO		5		/* invocation under test */
#define SECOND		1000000000ll
#define LONG		(60 * SECOND)

static struct {
	struct vshader_device *dev;
	uint32_t vm;
	uint32_t queue;
	uint32_t program;
	struct vshader_bo *bo;
	uint32_t *in;
	uint32_t *out;
	uint32_t *aux;
	struct drm_vshader_job_result *result;
	struct vshader_debug *dbg;
	struct drm_vshader_debug_bank banks[16];
	unsigned int num_banks;

	struct drm_vshader_job job;
	struct drm_vshader_shader_job shader;
	union {
		struct drm_vshader_mali_job mali;
		struct drm_vshader_qpu_job qpu;
		struct drm_vshader_pica_job pica;
		struct drm_vshader_utgard_gp_job gp;
		struct drm_vshader_utgard_pp_job pp;
	} block;
	struct drm_vshader_qpu_thread threads[COUNT];
	struct drm_vshader_stream streams[2];
	struct drm_vshader_utgard_target target;
} t;

/**
 * struct engine - engine and a program that moves numbers from in to out
 * @engine: its number
 * @vm_flags: kind of address space
 * @stage: stage of the program
 * @text: source
 * @words: or words
 * @num_words: number of @words
 * @make: fill the job
 * @at: instruction at which each has its number in a register
 * @next: the following instruction
 * @reg: the register
 * @comps: components of it
 * @out: output offset of invocation WHO, words
 * @adds: it computes the output address before @at; the default is the first word
 */
struct engine {
	uint32_t engine;
	uint32_t vm_flags;
	uint32_t stage;
	const char *text;
	const uint32_t *words;
	uint32_t num_words;
	void (*make)(void);
	uint32_t at;
	uint32_t next;
	const char *reg;
	uint32_t comps;
	uint32_t out;
	bool adds;
};

/* ---- programs and jobs ---- */

static const char bifrost_copy[] =
	"ds(0) nbb ncph\n{\n\t+MOV.i32 r1:t1, 0x00000000\n}\n"
	"ds(0) nbb load ncph\n{\n\t*LSHIFT_OR.i32 t0, r60, #0, 0x00000002\n\t+NOP t1\n"
	"\t+IADD.s32 r2:t1, u0.w0, t0\n\t+NOP t1\n\t+LOAD.i32 t1, r2, u0.w1, @r1\n}\n"
	"ds(0) eos store dwb(0)\n{\n\t*LSHIFT_OR.i32 t0, r60, #0, 0x00000002\n\t+NOP t1\n"
	"\t+IADD.s32 r3:t1, u1.w0, t0\n\t+NOP t1\n\t+STORE.i32 t1, r3, u1.w1, @r1\n}\n";

static const char midgard_copy[] =
	"LDST_MOV AL0.x~~~, GLOBAL_THREAD_ID.xyzx\n\n"
	"lut.MOV.i64 AL0.y, TMP0.[xx], U0.X\n\n"
	"LD.32 R0.x~~~, AL0.u64.z + AL0.u32.x << 2\n\n"
	"smul.MOV.i32 AL1.x, TMP0.x, R0.x\nlut.MOV.i64 AL1.y, TMP0.[xx], U0.Y\n\n"
	"ST.32 AL1.xxxx, AL1.u64.z + AL0.u32.x << 2\n";

static const char qpu_store[] =
	"mov r0, vpm_setup(0, 1, h32(0))\nadd vw_setup, r0, qpu_num\nadd ra1, elem_num, unif\n"
	"nop\nmov vpm, ra1\nmov r0, vdw_setup_0(1, 16, dma_h32(0, 0))\nmov r1, qpu_num\n"
	"shl r1, r1, 7\nadd vw_setup, r0, r1\nmov vw_addr, unif\nmov -, vw_wait\nthrend\n"
	"nop\nnop\n";

static const char gp_copy[] =
	"000:\tmov.m0 ^2/$1.x a0.x\n001:\tmov.m0 ^8 a0.y\n002:\tmov.m0 ^14 a0.y\n"
	"003:\tmov.m0 ^20/v0.x $1.x\n";

static const char pp_copy[] = "load.v $0 0\nload.v $1 0, stop\n";

static void make_mali(void)
{
	t.block.mali = (struct drm_vshader_mali_job){
		.local = { COUNT, 1, 1 }, .groups = { 1, 1, 1 }, .preload = 0x7f80,
		.push = { .va = AUX_VA, .count = 4 },
	};
	t.aux[0] = (uint32_t)IN_VA;
	t.aux[1] = 0;
	t.aux[2] = (uint32_t)OUT_VA;
	t.aux[3] = 0;
	t.shader.engine_block_size = sizeof(t.block.mali);
}

static void make_bifrost(void)
{
	make_mali();
	t.block.mali.gpu = DRM_VSHADER_MALI_G52;
}

static void make_midgard(void)
{
	make_mali();
	t.block.mali.gpu = DRM_VSHADER_MALI_T860;
}

static void make_qpu(void)
{
	unsigned int i;

	for (i = 0; i < COUNT; i++) {
		t.threads[i] = (struct drm_vshader_qpu_thread){
			.uniforms = (uint32_t)AUX_VA + 8 * i,
		};
		t.aux[2 * i] = t.in[i];
		t.aux[2 * i + 1] = (uint32_t)OUT_VA + 64 * i;
	}
	t.block.qpu = (struct drm_vshader_qpu_job){
		.threads = DRM_VSHADER_OBJ_ARRAY(COUNT, t.threads),
	};
	t.shader.engine_block_size = sizeof(t.block.qpu);
}

static struct drm_vshader_vertices make_vertices(void)
{
	t.streams[0] = (struct drm_vshader_stream){
		.va = IN_VA, .stride = 4, .format = DRM_VSHADER_FORMAT_F32, .components = 1,
	};
	t.streams[1] = (struct drm_vshader_stream){
		.va = OUT_VA, .stride = 16, .format = DRM_VSHADER_FORMAT_F32, .components = 4,
	};
	return (struct drm_vshader_vertices){
		.count = COUNT,
		.attributes = DRM_VSHADER_OBJ_ARRAY(1, &t.streams[0]),
		.outputs = DRM_VSHADER_OBJ_ARRAY(1, &t.streams[1]),
	};
}

static void make_pica(void)
{
	t.block.pica = (struct drm_vshader_pica_job){
		.vertices = make_vertices(), .model = DRM_VSHADER_PICA_F32,
	};
	t.shader.engine_block_size = sizeof(t.block.pica);
}

static void make_gp(void)
{
	t.block.gp = (struct drm_vshader_utgard_gp_job){ .vertices = make_vertices() };
	t.shader.engine_block_size = sizeof(t.block.gp);
}

/* Two columns, so that invocations are in the order of the pixels. */
static void make_pp(void)
{
	t.target = (struct drm_vshader_utgard_target){
		.va = OUT_VA, .row_stride = 32, .order = 2,
		.format = DRM_VSHADER_UTGARD_PIXEL_RGBA32F,
	};
	t.block.pp = (struct drm_vshader_utgard_pp_job){
		.switches = DRM_VSHADER_UTGARD_FP32, .width = 2, .height = COUNT / 2,
		.inputs = make_vertices().attributes,
		.targets = DRM_VSHADER_OBJ_ARRAY(1, &t.target),
	};
	t.shader.engine_block_size = sizeof(t.block.pp);
}

static const struct engine engines[] = {
	{
		.engine = DRM_VSHADER_ENGINE_BIFROST, .vm_flags = DRM_VSHADER_VM_48BIT,
		.stage = DRM_VSHADER_STAGE_COMPUTE, .text = bifrost_copy, .make = make_bifrost,
		.at = 6, .next = ~0u, .reg = "r1", .comps = 1, .out = WHO,
	}, {
		.engine = DRM_VSHADER_ENGINE_MIDGARD, .vm_flags = DRM_VSHADER_VM_48BIT,
		.stage = DRM_VSHADER_STAGE_COMPUTE, .text = midgard_copy, .make = make_midgard,
		.at = 3, .next = 5, .reg = "r0", .comps = 4, .out = WHO, .adds = true,
	}, {
		.engine = DRM_VSHADER_ENGINE_QPU, .stage = DRM_VSHADER_STAGE_COMPUTE,
		.text = qpu_store, .make = make_qpu,
		.at = 32, .next = 40, .reg = "ra1", .comps = 16, .out = 16 * WHO,
	}, {
		.engine = DRM_VSHADER_ENGINE_PICA, .stage = DRM_VSHADER_STAGE_VERTEX,
		.words = copy_code, .num_words = 2, .make = make_pica,
		.at = 0, .next = 1, .reg = "v0", .comps = 4, .out = 4 * WHO,
	}, {
		.engine = DRM_VSHADER_ENGINE_UTGARD_GP, .stage = DRM_VSHADER_STAGE_VERTEX,
		.text = gp_copy, .make = make_gp,
		.at = 3, .next = ~0u, .reg = "r1", .comps = 4, .out = 4 * WHO,
	}, {
		.engine = DRM_VSHADER_ENGINE_UTGARD_PP, .stage = DRM_VSHADER_STAGE_FRAGMENT,
		.text = pp_copy, .make = make_pp,
		.at = 3, .next = ~0u, .reg = "r0", .comps = 4, .out = 4 * WHO,
	},
};

static bool can_jump(const struct engine *e)
{
	return e->engine != DRM_VSHADER_ENGINE_QPU && e->engine != DRM_VSHADER_ENGINE_PICA;
}

static int make_text_program(const struct engine *e)
{
	static const uint32_t entry;
	struct vshader_source src = {
		.engine = e->engine, .stage = e->stage, .entries = &entry, .num_entries = 1,
	};
	struct vshader_binary *bin;
	struct vshader_source from;
	int ret;

	ret = vshader_assemble(e->engine, e->text, strlen(e->text), "test", &bin);
	if (ret)
		return ret;
	ret = vshader_binary_source(bin, 0, &from);
	if (!ret) {
		src.words[0] = from.words[0];
		src.num_words[0] = from.num_words[0];
		ret = vshader_program_create(t.dev, &src, NULL, &t.program);
	}
	vshader_binary_free(bin);
	return ret;
}

static int setup_queue(const struct engine *e)
{
	struct vshader_queue_params params = { .engine = e->engine };
	uint64_t va = IN_VA;
	void *ptr;
	int ret;

	ret = vshader_vm_create(t.dev, e->vm_flags, 0, &t.vm);
	if (!ret)
		ret = vshader_bo_create(t.dev, BYTES, 0, t.vm, &t.bo);
	if (!ret)
		ret = vshader_bo_map(t.bo, &ptr);
	if (!ret)
		ret = vshader_vm_map(t.dev, t.vm, t.bo, 0, &va);
	if (ret)
		return ret;
	t.in = ptr;
	t.out = t.in + (OUT_VA - IN_VA) / 4;
	t.aux = t.in + (AUX_VA - IN_VA) / 4;
	t.result = (void *)(t.in + (RESULT_VA - IN_VA) / 4);
	params.vm = t.vm;
	return vshader_debug_queue_create(t.dev, &params, &t.queue);
}

static bool setup(const struct engine *e)
{
	int ret = setup_queue(e);
	unsigned int i;

	if (!ret)
		ret = e->text ? make_text_program(e) :
				make_program(t.dev, e->words, e->num_words, &t.program);
	if (!ret)
		ret = vshader_debug_attach(t.dev, t.queue, DRM_VSHADER_DEBUG_STOP_FAULT, 0, &t.dbg);
	if (!is_ok(ret, "queue, program and debugger"))
		return false;
	ret = vshader_debug_banks(t.dev, e->engine, t.banks, 16);
	t.num_banks = ret > 0 && ret <= 16 ? (unsigned int)ret : 0;
	tap_result(t.num_banks, "%d register banks", ret);
	for (i = 0; i < 64; i++)
		t.in[i] = 7 * i * i + 3;
	memset(&t.shader, 0, sizeof(t.shader));
	t.shader.program = t.program;
	t.shader.engine_block = (uintptr_t)&t.block;
	e->make();
	t.job = (struct drm_vshader_job){
		.queue_id = t.queue, .desc = (uintptr_t)&t.shader, .desc_size = sizeof(t.shader),
		.result_va = RESULT_VA,
	};
	return true;
}

static void teardown(void)
{
	vshader_debug_close(t.dbg);
	t.dbg = NULL;
	vshader_queue_destroy(t.dev, t.queue);
	vshader_program_destroy(t.dev, t.program);
	vshader_vm_destroy(t.dev, t.vm);
	vshader_bo_destroy(t.bo);
}

/* ---- debug operations ---- */

static bool submit(void)
{
	memset(t.out, 0, 4096);
	memset(t.result, 0xff, sizeof(*t.result));
	return is_ok(vshader_submit(t.dev, &t.job, 1, NULL, NULL), "submit");
}

static bool wait_for(uint32_t type, uint32_t reason, struct drm_vshader_debug_event *ev)
{
	int ret = vshader_debug_wait(t.dbg, LONG, ev);

	if (ret || ev->type != type || ev->reason != reason)
		tap_comment("%d, event %u, reason %u, pc %u, invocation %llu", ret, ev->type,
			    ev->reason, ev->pc, (unsigned long long)ev->invocation);
	return !ret && ev->type == type && ev->reason == reason;
}

static bool stops(uint32_t reason, uint32_t pc, const char *what)
{
	struct drm_vshader_debug_event ev;
	bool ok = wait_for(DRM_VSHADER_DEBUG_EVENT_STOP, reason, &ev);

	if (ok && pc != ~0u && ev.pc != pc)
		tap_comment("pc %u, expected %u", ev.pc, pc);
	return tap_result(ok && (pc == ~0u || ev.pc == pc), "%s", what);
}

static bool ends(int status, const char *what)
{
	struct drm_vshader_debug_event ev;
	bool ok = wait_for(DRM_VSHADER_DEBUG_EVENT_JOB_END, 0, &ev);

	if (ok && ev.status != status)
		tap_comment("status %d, expected %d", ev.status, status);
	return tap_result(ok && ev.status == status && t.result->status == status, "%s", what);
}

static uint32_t set_break(uint32_t pc, uint64_t who, uint32_t flags)
{
	struct drm_vshader_debug_point p = {
		.kind = DRM_VSHADER_DEBUG_BREAK, .pc = pc, .first = who, .last = who,
		.flags = flags | DRM_VSHADER_DEBUG_POINT_FILTER,
	};

	return vshader_debug_set_point(t.dbg, &p) ? 0 : p.id;
}

static void go(uint32_t action, uint32_t pc)
{
	int ret = vshader_debug_resume(t.dbg, action, action ? WHO : 0, pc, 0);

	if (ret)
		tap_result(false, "resume: %s", vshader_error());
}

static uint32_t reg_of(const struct engine *e)
{
	uint32_t reg = ~0u;

	vshader_debug_register_by_name(t.banks, t.num_banks, e->reg, &reg);
	return reg;
}

static void test_change(const struct engine *e)
{
	uint32_t v[16] = { 0 }, reg = reg_of(e), i, wrong = 0, step = e->out / WHO;
	char name[32] = "";

	vshader_debug_register_name(t.banks, t.num_banks, reg, name, sizeof(name));
	tap_result(!strcmp(name, e->reg), "register %s", e->reg);
	tap_result(set_break(e->at, WHO, DRM_VSHADER_DEBUG_POINT_ONE_SHOT), "breakpoint");
	if (!submit() || !stops(DRM_VSHADER_DEBUG_REASON_BREAK, e->at, "it stops there"))
		return;
	is_ok(vshader_debug_read_registers(t.dbg, WHO, reg, 1, v, e->comps), "register read");
	if (!tap_result(v[0] == t.in[WHO], "its value"))
		tap_comment("%#x, expected %#x", v[0], t.in[WHO]);
	v[0] = 0x40490fdb;
	is_ok(vshader_debug_write_registers(t.dbg, WHO, reg, 1, v, e->comps), "register written");
	go(DRM_VSHADER_DEBUG_CONTINUE, 0);
	if (!ends(0, "the job ends"))
		return;
	for (i = 0; i < COUNT; i++)
		wrong += t.out[i * step] != (i == WHO ? 0x40490fdb : t.in[i]);
	if (!tap_result(!wrong, "the changed value, and only that, is seen"))
		tap_comment("%u wrong; %#x", wrong, t.out[e->out]);
}

static void test_inspect(const struct engine *e)
{
	struct drm_vshader_debug_invocation inv[64];
	struct drm_vshader_debug_stop stop;
	uint32_t word = 0, none[16] = { 0 };
	int n, i, found = 0;

	set_break(e->at, WHO, DRM_VSHADER_DEBUG_POINT_ONE_SHOT);
	if (!submit() || !stops(DRM_VSHADER_DEBUG_REASON_BREAK, e->at, "stop"))
		return;
	vshader_debug_get_stop(t.dbg, &stop);
	tap_result(stop.state == DRM_VSHADER_DEBUG_STATE_STOPPED && stop.invocation == WHO &&
		   stop.program == t.program && stop.pc == e->at && stop.active,
		   "stop record");
	n = vshader_debug_invocations(t.dbg, inv, 64);
	for (i = 0; i < n && i < 64; i++)
		found += inv[i].invocation == WHO && inv[i].pc == e->at &&
			 inv[i].state == DRM_VSHADER_DEBUG_INV_CURRENT;
	if (!tap_result(n >= 1 && n <= COUNT && found == 1, "list of invocations"))
		tap_comment("%d, found %d", n, found);
	tap_result(vshader_debug_read_memory(t.dbg, IN_VA + 4, &word, 4) == 4 && word == 10,
		   "memory read");
	word = 0x12345678;
	tap_result(vshader_debug_write_memory(t.dbg, OUT_VA + 4000, &word, 4) == 4 &&
		   t.out[1000] == word, "memory written");
	is_error((int)vshader_debug_read_memory(t.dbg, 0x50000000, &word, 4), EFAULT,
		 "nothing is mapped");
	is_error(vshader_debug_read_registers(t.dbg, COUNT + 100, 0, 1, &word, 1) == -EINVAL ?
		 -ENOENT : vshader_debug_read_registers(t.dbg, COUNT + 100, reg_of(e), 1,
		 none, e->comps), ENOENT, "no such invocation");
	go(DRM_VSHADER_DEBUG_CONTINUE, 0);
	ends(0, "the job ends");
	is_error(vshader_debug_read_registers(t.dbg, WHO, reg_of(e), 1, none,
					      e->comps), EAGAIN, "nothing is stopped");
}

static void test_steps(const struct engine *e)
{
	struct drm_vshader_debug_event ev;
	unsigned int steps = 0;
	int ret;

	set_break(e->at, WHO, DRM_VSHADER_DEBUG_POINT_ONE_SHOT);
	if (!submit() || !stops(DRM_VSHADER_DEBUG_REASON_BREAK, e->at, "stop"))
		return;
	if (e->next != ~0u) {
		go(DRM_VSHADER_DEBUG_STEP, 0);
		stops(DRM_VSHADER_DEBUG_REASON_STEP, e->next, "step to the next instruction");
	}
	do {
		go(DRM_VSHADER_DEBUG_STEP, 0);
		ret = vshader_debug_wait(t.dbg, LONG, &ev);
		steps++;
	} while (!ret && ev.type == DRM_VSHADER_DEBUG_EVENT_STOP &&
		 ev.reason == DRM_VSHADER_DEBUG_REASON_STEP && steps < 100);
	if (!ret && ev.type == DRM_VSHADER_DEBUG_EVENT_STOP) {
		tap_result(ev.reason == DRM_VSHADER_DEBUG_REASON_ENDED, "it has ended");
		go(DRM_VSHADER_DEBUG_CONTINUE, 0);
		ends(0, "the job ends");
	} else {
		tap_result(!ret && ev.type == DRM_VSHADER_DEBUG_EVENT_JOB_END && !ev.status,
			   "the job has ended");
	}
	tap_result(steps < 100 && t.out[e->out] == t.in[WHO], "with the right result");
}

static void test_trace(const struct engine *e)
{
	static struct drm_vshader_debug_trace_record rec[8192];
	struct drm_vshader_debug_trace args = { .flags = DRM_VSHADER_DEBUG_TRACE_ON };
	uint32_t i, at = 0;

	is_ok(vshader_debug_trace(t.dbg, &args), "trace on");
	if (!submit() || !ends(0, "the job ends"))
		return;
	args = (struct drm_vshader_debug_trace){ .count = 8192, .records = (uintptr_t)rec };
	is_ok(vshader_debug_trace(t.dbg, &args), "trace taken");
	for (i = 0; i < args.count; i++)
		at += rec[i].pc == e->at ? rec[i].active : 0;
	if (!tap_result(args.count && !args.left && at == COUNT, "each executed it once"))
		tap_comment("%u records, %u left, %u", args.count, args.left, at);
}

static unsigned int written(const struct drm_vshader_debug_trace_record *rec, uint32_t n)
{
	unsigned int bytes = 0;
	uint32_t i;

	for (i = 0; i < n; i++) {
		if (rec[i].flags & DRM_VSHADER_DEBUG_RECORD_WRITE && rec[i].va >= OUT_VA &&
		    rec[i].va < AUX_VA)
			bytes += rec[i].size;
	}
	return bytes;
}

/* Trace one invocation, with a stop before each of its instructions. */
static void test_trace_stops(const struct engine *e)
{
	static struct drm_vshader_debug_trace_record rec[8192];
	const uint32_t flags = DRM_VSHADER_DEBUG_TRACE_ON | DRM_VSHADER_DEBUG_TRACE_STOP |
			       DRM_VSHADER_DEBUG_TRACE_ACCESSES | DRM_VSHADER_DEBUG_TRACE_FILTER;
	struct drm_vshader_debug_trace args = {
		.flags = flags, .filter_pc_last = ~0u, .filter_first = WHO, .filter_last = WHO,
	};
	struct drm_vshader_debug_event ev;
	unsigned int stops = 0, insns = 0, i;

	is_ok(vshader_debug_trace(t.dbg, &args), "trace with stops");
	if (!submit())
		return;
	while (!vshader_debug_wait(t.dbg, LONG, &ev) && stops < 1000 &&
	       ev.type == DRM_VSHADER_DEBUG_EVENT_STOP &&
	       ev.reason == DRM_VSHADER_DEBUG_REASON_TRACE) {
		stops++;
		go(DRM_VSHADER_DEBUG_CONTINUE, 0);
	}
	tap_result(ev.type == DRM_VSHADER_DEBUG_EVENT_JOB_END && !ev.status, "it ends");
	args = (struct drm_vshader_debug_trace){ .count = 8192, .records = (uintptr_t)rec };
	vshader_debug_trace(t.dbg, &args);
	for (i = 0; i < args.count; i++)
		insns += !rec[i].flags;
	if (!tap_result(stops && insns == stops, "a stop for each instruction"))
		tap_comment("%u stops, %u instructions", stops, insns);
	tap_result(written(rec, args.count) ? e->engine != DRM_VSHADER_ENGINE_PICA :
		   e->engine == DRM_VSHADER_ENGINE_PICA, "accesses to memory");
}

/* Watch the last store: the job stops after it. */
static void test_watch(const struct engine *e)
{
	struct drm_vshader_debug_point p = {
		.kind = DRM_VSHADER_DEBUG_WATCH, .va = OUT_VA + 4 * e->out, .size = 4,
		.flags = DRM_VSHADER_DEBUG_POINT_WRITE,
	};
	struct drm_vshader_debug_stop stop;

	if (e->engine == DRM_VSHADER_ENGINE_PICA) {
		is_error(vshader_debug_set_point(t.dbg, &p), EOPNOTSUPP, "no watchpoints");
		return;
	}
	is_ok(vshader_debug_set_point(t.dbg, &p), "watchpoint");
	/* also if no invocation executes an instruction after the store */
	if (!submit() || !stops(DRM_VSHADER_DEBUG_REASON_WATCH, ~0u, "it stops after the write"))
		return;
	vshader_debug_get_stop(t.dbg, &stop);
	if (!tap_result(stop.point == p.id && stop.access_va <= p.va &&
			stop.access_va + stop.access_size > p.va &&
			stop.access_flags == DRM_VSHADER_DEBUG_POINT_WRITE, "access"))
		tap_comment("%llx, %u bytes, %u", (unsigned long long)stop.access_va,
			    stop.access_size, stop.access_flags);
	tap_result(t.out[e->out] == t.in[WHO], "it is written");
	vshader_debug_clear_point(t.dbg, 0);
	go(DRM_VSHADER_DEBUG_CONTINUE, 0);
	ends(0, "the job ends");
}

static void test_points(const struct engine *e)
{
	struct drm_vshader_debug_point p = { .pc = e->at };
	struct drm_vshader_debug_point q;

	is_ok(vshader_debug_set_point(t.dbg, &p), "breakpoint for all");
	p.ignore = 1000;
	is_ok(vshader_debug_set_point(t.dbg, &p), "to be ignored");
	if (submit())
		ends(0, "the job ends");
	is_ok(vshader_debug_get_point(t.dbg, p.id, &q), "read back");
	if (!tap_result(q.hits && q.ignore == 1000 - q.hits, "hits are counted"))
		tap_comment("%llu, %u", (unsigned long long)q.hits, q.ignore);
	p.program = t.program + 1;
	p.ignore = 0;
	vshader_debug_set_point(t.dbg, &p);
	if (submit())
		ends(0, "not in this program");
	is_ok(vshader_debug_clear_point(t.dbg, p.id), "cleared");
	is_error(vshader_debug_clear_point(t.dbg, p.id), ENOENT, "only once");
	is_error(vshader_debug_get_point(t.dbg, p.id, &q), ENOENT, "it is gone");
}

/* An invocation jumps over the code before the store, so the stored value is uninitialised. */
static void test_jump(const struct engine *e)
{
	uint32_t i, wrong = 0, step = e->out / WHO;
	int ret;

	is_ok(vshader_debug_interrupt(t.dbg), "interrupt");
	if (!submit() || !stops(DRM_VSHADER_DEBUG_REASON_INTERRUPT, ~0u, "stop"))
		return;
	ret = vshader_debug_resume(t.dbg, DRM_VSHADER_DEBUG_JUMP, WHO, e->at, 0);
	if (!can_jump(e)) {
		is_error(ret, EOPNOTSUPP, "not possible");
		go(DRM_VSHADER_DEBUG_CONTINUE, 0);
		ends(0, "the job ends");
		return;
	}
	is_ok(ret, "jump");
	set_break(e->at, WHO, DRM_VSHADER_DEBUG_POINT_ONE_SHOT);
	go(DRM_VSHADER_DEBUG_CONTINUE, 0);
	stops(DRM_VSHADER_DEBUG_REASON_BREAK, e->at, "it comes by there");
	go(DRM_VSHADER_DEBUG_CONTINUE, 0);
	ends(0, "the job ends");
	for (i = 0; i < COUNT; i++)
		wrong += t.out[i * step] != (i == WHO ? 0 : t.in[i]) && (i || !e->adds);
	if (!tap_result(!wrong, "only it has left something out"))
		tap_comment("%u wrong", wrong);
}

static void test_engine(const struct engine *e)
{
	tap_comment("engine %s", vshader_engine_name(e->engine));
	if (!setup(e))
		return;
	test_change(e);
	test_inspect(e);
	test_steps(e);
	test_trace(e);
	test_trace_stops(e);
	test_watch(e);
	test_points(e);
	test_jump(e);
	teardown();
}

/* ---- tests independent of the engine ---- */

static void test_kill(const struct engine *e)
{
	struct drm_vshader_debug_event ev;
	struct drm_vshader_debug_stop stop;

	if (!setup(e))
		return;
	is_ok(vshader_debug_interrupt(t.dbg), "interrupt");
	if (submit())
		stops(DRM_VSHADER_DEBUG_REASON_INTERRUPT, ~0u, "the next job stops");
	go(DRM_VSHADER_DEBUG_STEP_OVER, 0);
	stops(DRM_VSHADER_DEBUG_REASON_STEP, ~0u, "step over");
	is_error(vshader_debug_resume(t.dbg, DRM_VSHADER_DEBUG_STEP_OUT, WHO, 0, 0), EINVAL,
		 "outside of functions");
	is_error(vshader_debug_resume(t.dbg, DRM_VSHADER_DEBUG_STEP, 1000, 0, 0), ENOENT,
		 "no such invocation");
	is_error(vshader_debug_resume(t.dbg, 9, 0, 0, 0), EINVAL, "no such action");
	is_error(vshader_debug_resume(t.dbg, DRM_VSHADER_DEBUG_JUMP, WHO, ~0u, 0),
		 can_jump(e) ? EINVAL : EOPNOTSUPP, "nothing to jump to");
	is_error(vshader_debug_resume(t.dbg, DRM_VSHADER_DEBUG_JUMP, 1000, e->at, 0), ENOENT,
		 "nobody to jump");
	is_ok(vshader_debug_resume(t.dbg, DRM_VSHADER_DEBUG_KILL, 0, 0, 0), "kill");
	tap_result(!vshader_debug_wait(t.dbg, LONG, &ev) &&
		   ev.type == DRM_VSHADER_DEBUG_EVENT_JOB_END && ev.status == -ECANCELED,
		   "canceled");
	vshader_debug_get_stop(t.dbg, &stop);
	tap_result(stop.state == DRM_VSHADER_DEBUG_STATE_IDLE, "idle");
	teardown();
}

static void test_close(const struct engine *e)
{
	struct drm_vshader_queue_get_state state;
	int i;

	if (!setup(e))
		return;
	set_break(e->at, WHO, 0);
	if (submit() && stops(DRM_VSHADER_DEBUG_REASON_BREAK, e->at, "stop")) {
		vshader_debug_close(t.dbg);
		t.dbg = NULL;
		for (i = 0; i < 60000; i++) {
			vshader_queue_get_state(t.dev, t.queue, &state);
			if (state.completed)
				break;
			usleep(1000);
		}
		tap_result(state.completed == 1 && t.result->status == -ECANCELED,
			   "closing ends the job");
	}
	teardown();
	if (!setup(e))
		return;
	set_break(e->at, WHO, 0);
	if (submit() && stops(DRM_VSHADER_DEBUG_REASON_BREAK, e->at, "stop")) {
		is_ok(vshader_debug_resume(t.dbg, DRM_VSHADER_DEBUG_DETACH, 0, 0, 0), "detach");
		ends(0, "the job ends well");
	}
	teardown();
}

static void test_destroy(const struct engine *e)
{
	struct drm_vshader_debug_event ev;

	if (!setup(e))
		return;
	set_break(e->at, WHO, 0);
	if (submit() && stops(DRM_VSHADER_DEBUG_REASON_BREAK, e->at, "stop")) {
		is_ok(vshader_queue_destroy(t.dev, t.queue), "queue destroyed");
		tap_result(!vshader_debug_wait(t.dbg, LONG, &ev) &&
			   ev.type == DRM_VSHADER_DEBUG_EVENT_JOB_END && ev.status == -ECANCELED,
			   "the job is canceled");
		tap_result(!vshader_debug_wait(t.dbg, LONG, &ev) &&
			   ev.type == DRM_VSHADER_DEBUG_EVENT_QUEUE_GONE, "the queue is gone");
		is_error(vshader_debug_wait(t.dbg, LONG, &ev), ENODEV, "no more events");
	}
	teardown();
}

static void test_limit(const struct engine *e)
{
	struct drm_vshader_debug_event ev;

	if (!setup(e))
		return;
	vshader_debug_close(t.dbg);
	t.dbg = NULL;
	is_error(vshader_debug_attach(t.dev, t.queue, 0, 0xffffffff, &t.dbg), E2BIG,
		 "limit of stops");
	is_error(vshader_debug_attach(t.dev, t.queue, 0x80, 0, &t.dbg), EINVAL, "unknown flag");
	is_ok(vshader_debug_attach(t.dev, t.queue, DRM_VSHADER_DEBUG_STOP_START, 100, &t.dbg),
	      "attach");
	if (submit() && stops(DRM_VSHADER_DEBUG_REASON_START, 0, "stop at the start"))
		tap_result(!vshader_debug_wait(t.dbg, LONG, &ev) &&
			   ev.type == DRM_VSHADER_DEBUG_EVENT_JOB_END && ev.status == -ETIME,
			   "ends when its time is over");
	teardown();
}

static void test_fault(const struct engine *e)
{
	struct drm_vshader_debug_stop stop;
	uint32_t v = 0;

	if (!setup(e))
		return;
	t.aux[2] = 0x50000000;
	if (submit() && stops(DRM_VSHADER_DEBUG_REASON_FAULT, e->at, "stop at the fault")) {
		vshader_debug_get_stop(t.dbg, &stop);
		tap_result(stop.fault.kind == DRM_VSHADER_FAULT_WRITE &&
			   stop.fault.address == 0x50000000, "fault record");
		is_ok(vshader_debug_read_registers(t.dbg, WHO, reg_of(e), 1, &v, 1), "register");
		tap_result(v == t.in[WHO], "post mortem");
		go(DRM_VSHADER_DEBUG_CONTINUE, 0);
		ends(-EIO, "the job ends with it");
	}
	teardown();
}

static void test_refused(const struct engine *e)
{
	struct drm_vshader_sync sync = { .flags = DRM_VSHADER_SYNC_SIGNAL };
	struct vshader_queue_params params = { .engine = e->engine };
	struct vshader_debug *other;
	uint32_t queue;

	if (!setup(e))
		return;
	is_error(vshader_debug_attach(t.dev, t.queue, 0, 0, &other), EBUSY, "two debuggers");
	params.vm = t.vm;
	is_ok(vshader_queue_create(t.dev, &params, &queue), "ordinary queue");
	is_error(vshader_debug_attach(t.dev, queue, 0, 0, &other), EOPNOTSUPP,
		 "it cannot be debugged");
	is_error(vshader_debug_attach(t.dev, 999, 0, 0, &other), ENOENT, "no such queue");
	is_ok(vshader_sync_create(t.dev, false, &sync.handle), "syncobj");
	t.job.syncs = (struct drm_vshader_obj_array)DRM_VSHADER_OBJ_ARRAY(1, &sync);
	is_error(vshader_submit(t.dev, &t.job, 1, NULL, NULL), EINVAL,
		 "a fence that others could wait for");
	vshader_sync_destroy(t.dev, sync.handle);
	vshader_queue_destroy(t.dev, queue);
	teardown();
}

/* Other jobs run while more jobs than workers are stopped. */
static void test_others(const struct engine *e)
{
	struct vshader_queue_params params = { .engine = e->engine };
	struct drm_vshader_job job;
	unsigned int i;
	uint32_t queue;

	if (!setup(e))
		return;
	params.vm = t.vm;
	set_break(e->at, WHO, 0);
	if (submit() && stops(DRM_VSHADER_DEBUG_REASON_BREAK, e->at, "stop") &&
	    is_ok(vshader_queue_create(t.dev, &params, &queue), "another queue")) {
		job = t.job;
		job.queue_id = queue;
		job.result_va = 0;
		for (i = 0; i < 40; i++) {
			if (vshader_submit_wait(t.dev, &job, LONG))
				break;
		}
		tap_result(i == 40, "40 jobs of it are executed");
		vshader_queue_destroy(t.dev, queue);
	}
	teardown();
}

int main(int argc, char **argv)
{
	unsigned int i;

	if (!is_ok(vshader_open(argc > 1 ? argv[1] : "local", &t.dev), "open the device"))
		return tap_done();
	for (i = 0; i < sizeof(engines) / sizeof(engines[0]); i++)
		test_engine(&engines[i]);
	for (i = 0; i < sizeof(engines) / sizeof(engines[0]); i++) {
		test_kill(&engines[i]);
		test_close(&engines[i]);
	}
	test_destroy(&engines[0]);
	test_limit(&engines[0]);
	test_fault(&engines[0]);
	test_refused(&engines[0]);
	test_others(&engines[0]);
	vshader_close(t.dev);
	return tap_done();
}
