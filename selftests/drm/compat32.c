// SPDX-License-Identifier: GPL-2.0
/*
 * The ioctls from a 32-bit process of an x86-64 kernel: 64-bit members are aligned to four bytes
 * there, so that a structure with a hole would have another layout, and pointers have half the
 * size. Every ioctl of the driver is called once and has to have its effect.
 *
 * Without a C library, whose 32-bit version a machine need not have: system calls, TAP. Exit
 * status as of all tests: 0, 1, 4 (skipped).
 */
#include <stddef.h>
#include <stdint.h>
#include <asm/unistd_32.h>
#include <linux/fcntl.h>
#include <linux/mman.h>

#include <drm.h>
#include "vshader_drm.h"
#include "vshader_drm_debug.h"
#include "vshader_drm_pica.h"
#include "../include/pica_asm.h"

#define PTR(p)	((__u64)(unsigned long)(p))
#define VA	0x10000000ULL
#define KERNEL_VA	0x20000000ULL
#define SIZE	4096
#define VERTS	16

/* ---- instead of a C library ---- */

static long sys(long nr, long a, long b, long c)
{
	long ret;

	__asm__ volatile("int $0x80" : "=a"(ret) : "a"(nr), "b"(a), "c"(b), "d"(c) : "memory");
	return ret;
}

/* A shared mapping of a file; @page is the offset in pages. */
static long map_file(int file, unsigned long size, unsigned long page)
{
	static unsigned long offset;
	long ret;

	/* the sixth argument is in ebp; from a fixed address, since the stack moves */
	offset = page;
	__asm__ volatile("push %%ebp\n\tmov %[page], %%ebp\n\tint $0x80\n\tpop %%ebp"
			 : "=a"(ret)
			 : "a"(__NR_mmap2), "b"(0), "c"(size), "d"(PROT_READ | PROT_WRITE),
			   "S"(MAP_SHARED), "D"(file), [page] "m"(offset) : "memory");
	return ret;
}

void *memset(void *p, int c, size_t n)
{
	char *to = p;

	while (n--)
		*to++ = c;
	return p;
}

void *memcpy(void *to, const void *from, size_t n)
{
	char *d = to;
	const char *s = from;

	while (n--)
		*d++ = *s++;
	return to;
}

int strcmp(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a - *b;
}

static void put(const char *text)
{
	size_t n = 0;

	while (text[n])
		n++;
	sys(__NR_write, 1, (long)text, n);
}

static void put_number(long v)
{
	char text[16], *at = text + sizeof(text) - 1;
	unsigned long u = v < 0 ? -v : v;

	*at = 0;
	do {
		*--at = '0' + u % 10;
	} while (u /= 10);
	if (v < 0)
		*--at = '-';
	put(at);
}

static int tests, failures;

static void result(int good, const char *what, long value)
{
	tests++;
	failures += !good;
	put(good ? "ok " : "not ok ");
	put_number(tests);
	put(" ");
	put(what);
	if (!good) {
		put(" # ");
		put_number(value);
	}
	put("\n");
}

/* ---- the device ---- */

static int fd;

static long call(unsigned long request, void *arg)
{
	return sys(__NR_ioctl, fd, request, (long)arg);
}

/* Return: whether the file is one of vshader's own interface. */
static int is_vshader(void)
{
	char name[16] = "";
	struct drm_version v = { .name = name, .name_len = sizeof(name) - 1 };

	return !call(DRM_IOCTL_VERSION, &v) && !strcmp(name, "vshader");
}

static int open_device(void)
{
	char path[] = "/dev/dri/renderD128";
	int i;

	for (i = 0; i < 10; i++) {
		fd = sys(__NR_open, (long)path, O_RDWR, 0);
		if (fd >= 0 && is_vshader())
			return 1;
		if (fd >= 0)
			sys(__NR_close, fd, 0, 0);
		path[sizeof(path) - 2] = i == 1 ? '0' : path[sizeof(path) - 2] + 1;
		if (i == 1)
			path[sizeof(path) - 3] = '3';
	}
	return 0;
}

static void query(void)
{
	struct drm_vshader_limits limits = { 0 };
	struct drm_vshader_dev_query q = {
		.type = DRM_VSHADER_DEV_QUERY_LIMITS, .size = sizeof(limits),
		.pointer = PTR(&limits),
	};
	long ret = call(DRM_IOCTL_VSHADER_DEV_QUERY, &q);

	result(!ret && limits.max_jobs == 64 && limits.max_budget == 1ULL << 40, "DEV_QUERY", ret);
}

/* ---- buffers ---- */

static __u32 vm, bo;
static float *map;

static void buffer(void)
{
	struct drm_vshader_vm_create c = { .kernel_va_start = KERNEL_VA };
	struct drm_vshader_bo_create b = { .size = SIZE };
	struct drm_vshader_bo_mmap_offset m = { 0 };
	struct drm_vshader_bo_set_label l = { .label = PTR("thirty-two bits") };
	long ret = call(DRM_IOCTL_VSHADER_VM_CREATE, &c);

	vm = c.id;
	result(!ret && vm && c.kernel_va_start == KERNEL_VA, "VM_CREATE", ret);
	b.exclusive_vm_id = vm;
	ret = call(DRM_IOCTL_VSHADER_BO_CREATE, &b);
	bo = b.handle;
	result(!ret && bo, "BO_CREATE", ret);
	m.handle = bo;
	ret = call(DRM_IOCTL_VSHADER_BO_MMAP_OFFSET, &m);
	/* offsets have more than 32 bits; those of mmap2() are in pages */
	result(!ret && m.offset >> 32, "BO_MMAP_OFFSET", ret);
	ret = map_file(fd, SIZE, m.offset >> 12);
	result((unsigned long)ret < -4095UL, "mmap", ret);
	map = (float *)ret;
	l.handle = bo;
	ret = call(DRM_IOCTL_VSHADER_BO_SET_LABEL, &l);
	result(!ret, "BO_SET_LABEL", ret);
}

static void bind(void)
{
	struct drm_vshader_vm_bind_op op = { .bo_handle = bo, .va = VA, .size = SIZE };
	struct drm_vshader_vm_bind b = { .ops = DRM_VSHADER_OBJ_ARRAY(1, &op) };
	long ret;

	b.vm_id = vm;
	ret = call(DRM_IOCTL_VSHADER_VM_BIND, &b);
	result(!ret, "VM_BIND", ret);
}

/* ---- jobs ---- */

static __u32 program, queue, done;

static void make_program(void)
{
	static const __u32 code[] = { P1(PICA_MOV, PD_O(0), PS_V(0), 0, 0), P0(PICA_END) };
	static const __u32 desc[] = { PDESC_ALL };
	static const __u32 entry;
	const struct drm_vshader_program_section sec[] = {
		{ .type = DRM_VSHADER_SECTION_CODE, .data = PTR(code), .size = sizeof(code) },
		{ .type = DRM_VSHADER_SECTION_OPDESC, .data = PTR(desc), .size = sizeof(desc) },
	};
	struct drm_vshader_program_create c = {
		.engine = DRM_VSHADER_ENGINE_PICA, .stage = DRM_VSHADER_STAGE_VERTEX,
		.sections = DRM_VSHADER_OBJ_ARRAY(2, sec), .entries = PTR(&entry), .num_entries = 1,
	};
	struct drm_vshader_program_info info = { 0 };
	struct drm_vshader_program_query q = { .size = sizeof(info), .pointer = PTR(&info) };
	long ret = call(DRM_IOCTL_VSHADER_PROGRAM_CREATE, &c);

	program = c.id;
	result(!ret && program, "PROGRAM_CREATE", ret);
	q.id = program;
	ret = call(DRM_IOCTL_VSHADER_PROGRAM_QUERY, &q);
	result(!ret && info.code_words == 2, "PROGRAM_QUERY", ret);
}

static void make_queue(void)
{
	struct drm_vshader_queue_create c = { .engine = DRM_VSHADER_ENGINE_PICA, .priority = 1 };
	struct drm_syncobj_create s = { 0 };
	long ret;

	c.vm_id = vm;
	ret = call(DRM_IOCTL_VSHADER_QUEUE_CREATE, &c);
	queue = c.id;
	result(!ret && queue, "QUEUE_CREATE", ret);
	ret = call(DRM_IOCTL_SYNCOBJ_CREATE, &s);
	done = s.handle;
	result(!ret, "a sync object", ret);
}

static long wait_done(void)
{
	struct drm_syncobj_wait w = {
		.handles = PTR(&done), .count_handles = 1, .timeout_nsec = 0x7fffffffffffffffLL,
	};

	return call(DRM_IOCTL_SYNCOBJ_WAIT, &w);
}

/* o0 = v0: floats 64... become those from 0 on. */
static int copied(void)
{
	int i;

	for (i = 0; i < 4 * VERTS; i++) {
		if (map[4 * VERTS + i] != i + 1)
			return 0;
	}
	return 1;
}

static void submit(void)
{
	struct drm_vshader_stream in = {
		.va = VA, .stride = 16, .format = DRM_VSHADER_FORMAT_F32, .components = 4,
	};
	struct drm_vshader_stream out = {
		.va = VA + 16 * VERTS, .stride = 16, .format = DRM_VSHADER_FORMAT_F32,
		.components = 4,
	};
	struct drm_vshader_pica_job pica = {
		.vertices.count = VERTS,
		.vertices.attributes = DRM_VSHADER_OBJ_ARRAY(1, &in),
		.vertices.outputs = DRM_VSHADER_OBJ_ARRAY(1, &out),
		.float_format = DRM_VSHADER_FORMAT_F32,
	};
	struct drm_vshader_shader_job shader = {
		.program = program, .engine_block = PTR(&pica), .engine_block_size = sizeof(pica),
	};
	struct drm_vshader_sync sync = { .flags = DRM_VSHADER_SYNC_SIGNAL, .handle = done };
	struct drm_vshader_job job = {
		.queue_id = queue, .desc = PTR(&shader), .desc_size = sizeof(shader),
		.syncs = DRM_VSHADER_OBJ_ARRAY(1, &sync), .result_va = VA + SIZE / 2,
	};
	struct drm_vshader_submit s = { .jobs = DRM_VSHADER_OBJ_ARRAY(1, &job) };
	const struct drm_vshader_job_result *r;
	long ret;
	int i;

	for (i = 0; i < 4 * VERTS; i++)
		map[i] = i + 1;
	ret = call(DRM_IOCTL_VSHADER_SUBMIT, &s);
	result(!ret, "SUBMIT", ret);
	ret = wait_done();
	result(!ret && copied(), "the job's writes", ret);
	r = (const struct drm_vshader_job_result *)((const char *)map + SIZE / 2);
	result(!r->status && r->invocations == VERTS && r->weight, "the job's result", r->status);
	/* the answer of a submit that is refused */
	job.queue_id = 0xffff;
	ret = call(DRM_IOCTL_VSHADER_SUBMIT, &s);
	result(ret == -2 && !s.failed_job, "SUBMIT to no queue", ret);
}

static void state(void)
{
	struct drm_vshader_queue_get_state st = { 0 };
	long ret;

	st.id = queue;
	ret = call(DRM_IOCTL_VSHADER_QUEUE_GET_STATE, &st);
	result(!ret && st.submitted == 1 && st.completed == 1 && st.invocations == VERTS,
	       "QUEUE_GET_STATE", ret);
}

static void attach(void)
{
	struct drm_vshader_queue_create c = {
		.engine = DRM_VSHADER_ENGINE_PICA, .priority = 1, .flags = DRM_VSHADER_QUEUE_DEBUG,
	};
	struct drm_vshader_debug_attach a = { 0 };
	struct drm_vshader_debug_stop stop = { 0 };
	long ret;

	c.vm_id = vm;
	ret = call(DRM_IOCTL_VSHADER_QUEUE_CREATE, &c);
	a.queue_id = c.id;
	if (!ret)
		ret = call(DRM_IOCTL_VSHADER_DEBUG_ATTACH, &a);
	result(!ret && a.fd > 0, "DEBUG_ATTACH", ret);
	ret = sys(__NR_ioctl, a.fd, DRM_IOCTL_VSHADER_DEBUG_GET_STOP, (long)&stop);
	result(!ret, "an ioctl of the debug file", ret);
	sys(__NR_close, a.fd, 0, 0);
}

static void destroy(void)
{
	struct drm_vshader_queue_destroy q = { 0 };
	struct drm_vshader_program_destroy p = { 0 };
	struct drm_vshader_vm_destroy v = { 0 };
	long ret;

	q.id = queue;
	ret = call(DRM_IOCTL_VSHADER_QUEUE_DESTROY, &q);
	result(!ret, "QUEUE_DESTROY", ret);
	p.id = program;
	ret = call(DRM_IOCTL_VSHADER_PROGRAM_DESTROY, &p);
	result(!ret, "PROGRAM_DESTROY", ret);
	v.id = vm;
	ret = call(DRM_IOCTL_VSHADER_VM_DESTROY, &v);
	result(!ret, "VM_DESTROY", ret);
}

static int run(void)
{
	put("TAP version 13\n");
	if (!open_device()) {
		put("1..0 # SKIP no vshader render node\n");
		return 4;
	}
	query();
	buffer();
	if ((unsigned long)map < -4095UL) {
		bind();
		make_program();
		make_queue();
		submit();
		state();
		attach();
		destroy();
	}
	put("1..");
	put_number(tests);
	put("\n");
	return failures ? 1 : 0;
}

/* The stack is where the kernel puts it, aligned to 16 bytes. */
void start(void)
{
	sys(__NR_exit, run(), 0, 0);
	__builtin_unreachable();
}
