// SPDX-License-Identifier: GPL-2.0
/*
 * The library's interface: devices, buffers, address spaces, programs, queues, containers.
 *
 *   test_api [DEVICE]      default: local
 */
#include <fcntl.h>
#include <unistd.h>

#include "lib_test.h"

static bool local;

/* The library's own text if it is more specific than an errno. */
static void has_text(const char *part)
{
	if (!local)
		return;
	if (!tap_result(strstr(vshader_error(), part), "text has \"%s\"", part))
		tap_comment("%s", vshader_error());
}

static void test_open(void)
{
	struct vshader_device *dev;

	is_error(vshader_open("local:turbo=1", &dev), EINVAL, "unknown option");
	is_error(vshader_open("local:workers=0", &dev), EINVAL, "no workers");
	is_error(vshader_open("local:workers=2x", &dev), EINVAL, "bad number of workers");
	is_error(vshader_open("local:simd=mmx", &dev), EINVAL, "unknown executor");
	is_error(vshader_open("/dev/dri/nothing", &dev), ENOENT, "no such node");
	is_error(vshader_open("/dev/null", &dev), ENODEV, "not a DRM device");
	is_error(vshader_open_fd(-1, &dev), EBADF, "no file descriptor");
	if (is_ok(vshader_open("local:workers=3,simd=portable", &dev), "options")) {
		struct drm_vshader_dev_info info;

		vshader_get_dev_info(dev, &info);
		tap_result(info.num_workers == 3 && info.simd == DRM_VSHADER_SIMD_PORTABLE,
			   "options are obeyed");
		vshader_close(dev);
	}
	vshader_close(NULL);
}

static void test_info(struct vshader_device *dev)
{
	struct drm_vshader_engine_info engines[8];
	struct drm_vshader_numeric_info numerics[8];
	struct drm_vshader_limits limits;
	struct drm_vshader_dev_info info;
	struct drm_vshader_dev_query q = { .type = 77 };
	int n;

	is_ok(vshader_get_dev_info(dev, &info), "device info");
	tap_result(info.engine_mask & 1 && info.page_size == 4096 && info.block_size == 64 &&
		   info.num_workers && info.simd_mask >> info.simd & 1, "its values");
	is_ok(vshader_get_limits(dev, &limits), "limits");
	tap_result(limits.max_jobs >= 1 && limits.max_label > 1 && limits.max_time_ms, "values");
	n = vshader_get_engines(dev, engines, 8);
	tap_result(n >= 1 && !strcmp(engines[0].name, "pica") && engines[0].va_bits == 32,
		   "engines");
	tap_result(vshader_get_engines(dev, NULL, 0) == n, "their number only");
	n = vshader_get_numerics(dev, numerics, 8);
	tap_result(n >= 1 && numerics[0].model_mask == 3, "numeric models");
	is_error(vshader_ioctl(dev, DRM_IOCTL_VSHADER_DEV_QUERY, &q), EINVAL, "unknown query");
	tap_result(vshader_device_is_local(dev) == local && *vshader_device_name(dev), "name");
	tap_result(vshader_engine_by_name("pica") == 0 && vshader_engine_by_name("x") == -EINVAL &&
		   !vshader_engine_name(99) && !vshader_fault_name(99), "names");
}

static void test_bo(struct vshader_device *dev)
{
	struct vshader_bo *bo, *other;
	uint32_t vm, vm2;
	uint64_t va = 0x10000;
	char label[200];
	void *p, *p2;
	int fd;

	is_error(vshader_bo_create(dev, 0, 0, 0, &bo), EINVAL, "buffer of no size");
	is_error(vshader_bo_create(dev, 1ull << 40, 0, 0, &bo), E2BIG, "huge buffer");
	is_error(vshader_bo_create(dev, 4096, 0x80, 0, &bo), EINVAL, "unknown flag");
	is_error(vshader_bo_create(dev, 4096, 0, 99, &bo), ENOENT, "no such VM");
	if (!is_ok(vshader_bo_create(dev, 5000, 0, 0, &bo), "buffer"))
		return;
	tap_result(vshader_bo_size(bo) == 8192, "size is rounded up");
	is_ok(vshader_bo_map(bo, &p), "map");
	tap_result(!((char *)p)[0] && !((char *)p)[8191], "memory is zero");
	memset(label, 'x', sizeof(label));
	label[199] = 0;
	is_ok(vshader_bo_set_label(bo, "vertices"), "label");
	is_error(vshader_bo_set_label(bo, label), E2BIG, "long label");
	is_ok(vshader_bo_set_label(bo, NULL), "no label");

	is_ok(vshader_bo_export(bo, &fd), "export");
	is_ok(vshader_bo_import(dev, fd, &other), "import");
	close(fd);
	tap_result(vshader_bo_size(other) == 8192, "size of an imported buffer");
	strcpy(p, "shared");
	is_ok(vshader_bo_map(other, &p2), "map of an imported buffer");
	tap_result(!strcmp(p2, "shared"), "memory is shared");
	vshader_bo_destroy(other);
	fd = open("/dev/null", O_RDWR);
	tap_result(vshader_bo_import(dev, fd, &other) < 0, "import of something else");
	close(fd);
	vshader_bo_destroy(bo);
	vshader_bo_destroy(NULL);

	vshader_vm_create(dev, 0, 0, &vm);
	vshader_vm_create(dev, 0, 0, &vm2);
	is_ok(vshader_bo_create(dev, 4096, DRM_VSHADER_BO_NO_MMAP, vm, &bo), "exclusive buffer");
	is_error(vshader_bo_map(bo, &p), EINVAL, "NO_MMAP");
	tap_result(vshader_bo_export(bo, &fd) < 0, "an exclusive buffer is not exported");
	is_error(vshader_vm_map(dev, vm2, bo, 0, &va), EINVAL, "not mapped in another VM");
	has_text("exclusive");
	is_ok(vshader_vm_map(dev, vm, bo, 0, &va), "but in its own");
	vshader_bo_destroy(bo);
	vshader_vm_destroy(dev, vm);
	vshader_vm_destroy(dev, vm2);
}

static void test_bind_errors(struct vshader_device *dev, uint32_t vm, struct vshader_bo *bo)
{
	const uint32_t h = vshader_bo_handle(bo);
	static const struct {
		struct drm_vshader_vm_bind_op op;
		int err;
		const char *what;
	} cases[] = {
		{ { .va = 0x10001, .size = 4096, .bo_handle = 1 }, EINVAL, "address not aligned" },
		{ { .va = 0x10000, .size = 4095, .bo_handle = 1 }, EINVAL, "size not aligned" },
		{ { .va = 0x10000, .size = 0, .bo_handle = 1 }, EINVAL, "size 0" },
		{ { .va = 0, .size = 4096, .bo_handle = 1 }, EINVAL, "address 0" },
		{ { .va = 0xfffff000, .size = 8192, .bo_handle = 1 }, EINVAL, "past the end" },
		{ { .va = ~0ull << 12, .size = 8192, .bo_handle = 1 }, EINVAL, "wraps" },
		{ { .va = 0x10000, .size = 4096, .bo_offset = 1, .bo_handle = 1 }, EINVAL,
		  "offset not aligned" },
		{ { .va = 0x10000, .size = 4096, .bo_offset = 65536, .bo_handle = 1 }, EINVAL,
		  "past the buffer" },
		{ { .va = 0x10000, .size = 1 << 20, .bo_handle = 1 }, EINVAL, "larger than it" },
		{ { .va = 0x10000, .size = 4096, .flags = 0x100, .bo_handle = 1 }, EINVAL,
		  "unknown flag" },
		{ { .va = 0x10000, .size = 4096, .flags = DRM_VSHADER_VM_BIND_UNMAP,
		    .bo_handle = 1 }, EINVAL, "unmap with a buffer" },
		{ { .va = 0x10000, .size = 4096, .bo_handle = 0 }, ENOENT, "no buffer" },
	};
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct drm_vshader_vm_bind_op ops[2] = {
			{ .va = 0x20000, .size = 4096, .bo_handle = h }, cases[i].op,
		};
		struct drm_vshader_vm_bind args = {
			.vm_id = vm, .ops = DRM_VSHADER_OBJ_ARRAY(2, ops),
		};

		if (ops[1].bo_handle)
			ops[1].bo_handle = h;
		is_error(vshader_ioctl(dev, DRM_IOCTL_VSHADER_VM_BIND, &args), cases[i].err,
			 cases[i].what);
		if (args.failed_op != 1)
			tap_result(false, "failed_op is %u", args.failed_op);
	}
}

static void test_vm(struct vshader_device *dev)
{
	struct vshader_bo *bo;
	uint64_t va = 0, va2 = 0;
	uint32_t vm, id;

	is_error(vshader_vm_create(dev, 0x10, 0, &id), EINVAL, "unknown VM flag");
	is_error(vshader_vm_create(dev, 0, 0x123, &id), EINVAL, "start not aligned");
	is_error(vshader_vm_create(dev, 0, 1ull << 40, &id), EINVAL, "start too high");
	is_ok(vshader_vm_create(dev, DRM_VSHADER_VM_48BIT, 1ull << 40, &id), "48-bit VM");
	is_ok(vshader_vm_destroy(dev, id), "destroy");
	is_error(vshader_vm_destroy(dev, id), ENOENT, "destroy again");
	has_text("there is no VM");
	vshader_vm_create(dev, 0, 0x70000000, &vm);
	vshader_bo_create(dev, 16384, 0, 0, &bo);
	is_ok(vshader_vm_map(dev, vm, bo, 0, &va), "map, address picked");
	tap_result(va == 0x70000000, "where the VM says");
	is_ok(vshader_vm_map(dev, vm, bo, 0, &va2), "map again");
	tap_result(va2 == va + 16384, "after the first");
	test_bind_errors(dev, vm, bo);
	is_ok(vshader_vm_unmap(dev, vm, va + 4096, 4096), "unmap in the middle");
	is_ok(vshader_vm_unmap(dev, vm, 0x1000, 0x100000), "unmap where nothing is");
	is_error(vshader_vm_unmap(dev, 99, va, 4096), ENOENT, "no such VM");
	vshader_bo_destroy(bo);
	vshader_vm_destroy(dev, vm);
}

static void test_program(struct vshader_device *dev)
{
	static const uint32_t undefined[] = { 0x44000000, 0x88000000 };
	/* add o0, v0, v1: accepted, but hardware reads two input registers wrongly */
	static const uint32_t two_inputs[] = { 0x00000080, 0x88000000 };
	static const uint32_t entries[2] = { 0, 1 };
	struct vshader_source src = {
		.engine = DRM_VSHADER_ENGINE_PICA, .words = { copy_code, copy_desc },
		.num_words = { 2, 1 }, .entries = entries, .num_entries = 2,
	};
	struct drm_vshader_program_info info, info2;
	char log[256];
	struct vshader_diag diag = { .log = log, .log_size = sizeof(log) };
	uint32_t id;

	is_ok(vshader_program_create(dev, &src, &diag, &id), "program");
	is_ok(vshader_program_query(dev, id, &info), "report");
	tap_result(info.code_words == 2 && info.inputs == 1 && info.outputs == 1 && info.uops,
		   "its values");
	is_ok(vshader_verify(&src, &info2, NULL), "verify without a device");
	tap_result(info2.uops == info.uops && info2.features == info.features, "the same report");
	is_ok(vshader_program_destroy(dev, id), "destroy");
	is_error(vshader_program_destroy(dev, id), ENOENT, "destroy again");
	is_error(vshader_program_query(dev, id, &info), ENOENT, "query after it");

	tap_result(diag.warnings == 1 && strstr(log, "[output-unwritten]"), "a warning");
	src.num_entries = 1;
	is_ok(vshader_verify(&src, NULL, &diag), "verify from the first entry only");
	tap_result(!diag.warnings && !diag.log_len && !log[0], "no warnings");
	src.words[0] = two_inputs;
	is_ok(vshader_program_create(dev, &src, &diag, &id), "program with a warning");
	tap_result(diag.warnings == 1 && diag.log_len == strlen(log) &&
		   strstr(log, "word 0x000: warning: ") && strstr(log, "[two-inputs]"),
		   "another warning");
	is_ok(vshader_program_destroy(dev, id), "destroy it");
	diag.warnings = 0;
	is_ok(vshader_verify(&src, NULL, &diag), "verify it");
	tap_result(diag.warnings == 1, "the same warning");

	src.words[0] = undefined;
	is_error(vshader_program_create(dev, &src, &diag, &id), ENOEXEC, "undefined word");
	tap_result(diag.reject.reason && !diag.reject.offset && diag.reject.field_hi == 31 &&
		   diag.reject.field_lo == 26 && strstr(log, "0x000"), "reject record and log");
	tap_result(strstr(vshader_error(), "bits 26 to 31"), "text");
	diag.log_size = 8;
	vshader_program_create(dev, &src, &diag, &id);
	tap_result(diag.log_len == 7 && strlen(log) == 7, "a short log is cut");
	src.words[0] = copy_code;
	src.stage = DRM_VSHADER_STAGE_FRAGMENT;
	is_error(vshader_program_create(dev, &src, NULL, &id), EINVAL, "no such stage");
	src.stage = 0;
	src.engine = DRM_VSHADER_ENGINE_UTGARD_PP + 1;
	is_error(vshader_program_create(dev, &src, NULL, &id), EINVAL, "no such engine");
	src.engine = 0;
	src.num_entries = 0;
	is_error(vshader_program_create(dev, &src, NULL, &id), EINVAL, "no entry");
	src.num_entries = 2;
	src.num_words[0] = 0;
	is_error(vshader_program_create(dev, &src, NULL, &id), EINVAL, "no code");
	src.num_words[0] = 1u << 20;
	is_error(vshader_program_create(dev, &src, NULL, &id), E2BIG, "too much code");
}

static void test_queue(struct vshader_device *dev)
{
	struct vshader_queue_params p = { .engine = DRM_VSHADER_ENGINE_PICA };
	struct drm_vshader_queue_get_state state;
	uint32_t vm, vm48, id;

	vshader_vm_create(dev, 0, 0, &vm);
	vshader_vm_create(dev, DRM_VSHADER_VM_48BIT, 0, &vm48);
	p.vm = 99;
	is_error(vshader_queue_create(dev, &p, &id), ENOENT, "no such VM");
	p.vm = vm48;
	is_error(vshader_queue_create(dev, &p, &id), EINVAL, "VM of another kind");
	p.vm = vm;
	p.budget = ~0ull;
	is_error(vshader_queue_create(dev, &p, &id), E2BIG, "budget above the limit");
	p.budget = 0;
	p.time_limit_ms = 1u << 31;
	is_error(vshader_queue_create(dev, &p, &id), E2BIG, "time above the limit");
	p.time_limit_ms = 0;
	p.priority = 9;
	is_error(vshader_queue_create(dev, &p, &id), EINVAL, "no such priority");
	p.priority = 0;
	p.engine = 63;
	is_error(vshader_queue_create(dev, &p, &id), EINVAL, "no such engine");
	p.engine = 0;
	is_ok(vshader_queue_create(dev, &p, &id), "queue");
	is_ok(vshader_queue_get_state(dev, id, &state), "state");
	tap_result(!state.state && !state.submitted && !state.fault.kind, "its values");
	is_ok(vshader_queue_destroy(dev, id), "destroy");
	is_error(vshader_queue_destroy(dev, id), ENOENT, "destroy again");
	is_error(vshader_queue_get_state(dev, id, &state), ENOENT, "state after it");
	vshader_vm_destroy(dev, vm);
	vshader_vm_destroy(dev, vm48);
}

static void test_sync(struct vshader_device *dev)
{
	uint32_t a, b;
	uint64_t point = 0;

	is_ok(vshader_sync_create(dev, true, &a), "signaled syncobj");
	is_ok(vshader_sync_wait(dev, a, 0, 0), "wait for it");
	is_ok(vshader_sync_reset(dev, a), "reset");
	is_error(vshader_sync_wait(dev, a, 0, 1000000), ETIME, "wait after reset");
	is_ok(vshader_sync_signal(dev, a, 0), "signal");
	is_ok(vshader_sync_wait(dev, a, 0, VSHADER_WAIT_FOREVER), "wait again");
	is_ok(vshader_sync_create(dev, false, &b), "timeline");
	is_ok(vshader_sync_signal(dev, b, 5), "signal point 5");
	is_ok(vshader_sync_wait(dev, b, 3, 0), "wait for point 3");
	is_error(vshader_sync_wait(dev, b, 6, 0), ETIME, "wait for point 6");
	is_ok(vshader_sync_query(dev, b, &point), "query");
	tap_result(point == 5, "point %llu", (unsigned long long)point);
	is_ok(vshader_sync_destroy(dev, a), "destroy");
	tap_result(vshader_sync_destroy(dev, a) < 0, "destroy again");
	tap_result(vshader_sync_wait(dev, a, 0, 0) < 0, "wait after it");
	vshader_sync_destroy(dev, b);
}

static const char source[] =
	".fvec scale[2]\n.constf half(0.5, 0.5, 0.5, 0.5)\n.consti count(3, 0, 1, 0)\n"
	".out pos position\n.out clr color\n.in place\n"
	".proc main\n\tmul pos, scale[0], place\n\tmov clr, half\n\tend\n.end\n";

static void test_binary(void)
{
	struct vshader_binary *bin, *bin2;
	struct vshader_source src, src2;
	struct vshader_constants k;
	struct vshader_register reg;
	static const char trap[] = ".proc main\nmov r1.zw, v0.zw\nend\n.end\n";
	unsigned int i, names = 0;
	uint32_t word;
	char *text;
	size_t size;
	void *data;

	is_error(vshader_binary_load("DVLX", 4, &bin), EINVAL, "no container");
	is_error(vshader_binary_load("DVLB\1\0\0\0", 8, &bin), EINVAL, "damaged container");
	is_error(vshader_assemble(99, "x", 1, "x", &bin), EOPNOTSUPP, "no assembler");
	is_error(vshader_assemble(0, "\n frob r0\n", 10, "f.pica", &bin), EINVAL, "bad source");
	tap_result(strstr(vshader_error(), "f.pica:2:"), "place of the error");
	if (!is_ok(vshader_assemble(0, trap, strlen(trap), "trap.pica", &bin), "assemble a trap"))
		return;
	tap_result(!strncmp(vshader_binary_warnings(bin), "trap.pica:2:12: warning: ", 25) &&
		   !strchr(vshader_binary_warnings(bin), '\n'), "its warning: %s",
		   vshader_binary_warnings(bin));
	vshader_binary_free(bin);
	if (!is_ok(vshader_assemble(0, source, strlen(source), "s", &bin), "assemble"))
		return;
	tap_result(!*vshader_binary_warnings(bin), "no warning");
	tap_result(vshader_binary_count(bin) == 1, "one program");
	is_ok(vshader_binary_source(bin, 0, &src), "source");
	is_error(vshader_binary_source(bin, 1, &src2), ENOENT, "no second program");
	is_ok(vshader_binary_label(bin, 0, "main", &word), "label");
	is_error(vshader_binary_label(bin, 0, "niam", &word), ENOENT, "no such label");
	for (i = 0; !vshader_binary_register(bin, 0, i, &reg); i++) {
		names += reg.name && !strcmp(reg.name, "scale") && reg.kind == 'c' &&
			 reg.count == 2;
		names += reg.name && !strcmp(reg.name, "place") && reg.kind == 'v';
		names += reg.kind == 'o' && reg.mask == 15 && (reg.type == 0 || reg.type == 2);
	}
	tap_result(names == 4, "registers by name");
	is_ok(vshader_binary_constants(bin, 0, &k), "constants");
	tap_result(k.float_mask[2] >> 31 && k.floats[95][3] == 0x3f000000 && k.int_mask &&
		   k.output_mask == 3, "their values");
	is_ok(vshader_binary_write(bin, &data, &size), "write");
	is_ok(vshader_binary_load(data, size, &bin2), "load");
	tap_result(!*vshader_binary_warnings(bin2), "no warnings of a container");
	vshader_binary_source(bin2, 0, &src2);
	tap_result(src2.num_words[0] == src.num_words[0] &&
		   !memcmp(src2.words[0], src.words[0], 4 * src.num_words[0]), "the same words");
	free(data);
	vshader_binary_free(bin2);
	is_ok(vshader_disasm(&src, &text), "disassemble");
	is_ok(vshader_assemble(0, text, strlen(text), "t", &bin2), "assemble it");
	vshader_binary_source(bin2, 0, &src2);
	tap_result(src2.num_words[0] == src.num_words[0] &&
		   src2.num_words[1] == src.num_words[1] &&
		   !memcmp(src2.words[0], src.words[0], 4 * src.num_words[0]) &&
		   !memcmp(src2.words[1], src.words[1], 4 * src.num_words[1]),
		   "the same words, bit for bit");
	free(text);
	vshader_binary_free(bin2);
	vshader_binary_free(bin);
	vshader_binary_free(NULL);
}

int main(int argc, char **argv)
{
	struct vshader_device *dev;

	if (!is_ok(vshader_open(argc > 1 ? argv[1] : "local", &dev), "open the device"))
		return tap_done();
	local = vshader_device_is_local(dev);
	test_open();
	test_info(dev);
	test_bo(dev);
	test_vm(dev);
	test_program(dev);
	test_queue(dev);
	test_sync(dev);
	test_binary();
	vshader_close(dev);
	return tap_done();
}
