// SPDX-License-Identifier: MIT
/*
 * libvshader_qemu.so: Mali GPUs for the machine "virt" of an unmodified qemu-system-aarch64, by
 * LD_PRELOAD. "vshader vm" has the command line; by hand:
 *
 *   VSHADER_QEMU_GPUS=g52 LD_PRELOAD=libvshader_qemu.so qemu-system-aarch64 \
 *     -machine virt,gic-version=2,memory-backend=vsmem \
 *     -object memory-backend-memfd,id=vsmem,size=1G,share=on ...
 *
 * VSHADER_QEMU_GPUS has names of up to four GPUs; VSHADER_QEMU_FD is the number of the file where
 * findings are printed, by default standard error.
 */
#include "qemu_gpu.h"

static void die(const char *problem)
{
	fprintf(stderr, "libvshader_qemu: %s\n", problem);
	exit(1);
}

static void die_of(const char *problem)
{
	if (problem)
		die(problem);
}

static void find_memory(void)
{
	struct qemu_object *backend = qemu.object_resolve_path("/objects/vsmem", NULL);
	struct qemu_region *r = backend ? qemu.host_memory_backend_get_memory(backend) : NULL;

	if (!r)
		die("no memory vsmem: -object memory-backend-memfd,id=vsmem,share=on,size=SIZE");
	machine.ram = qemu.memory_region_get_ram_ptr(r);
	machine.ram_size = qemu.memory_region_size(r);
	machine.ram_fd = qemu.memory_region_get_fd(r);
	if (!machine.ram || machine.ram_fd < 0)
		die("the memory vsmem has no file: memory-backend-memfd has one");
}

static void machine_done(struct qemu_notifier *n, void *data)
{
	struct qemu_object *o = qemu.object_resolve_path("/machine", NULL), *gic;
	u32 i;

	if (!o || strncmp(qemu.object_get_typename(o), "virt-", 5))
		die("the machine is not \"virt\"");
	gic = qemu.object_resolve_path_type("", "arm_gic_common", NULL);
	if (!gic)
		gic = qemu.object_resolve_path_type("", "arm-gicv3-common", NULL);
	if (!gic)
		die("the machine has no interrupt controller");
	die_of(qemu_tree_check());
	find_memory();
	for (i = 0; i < machine.ngpus; i++)
		die_of(qemu_gpu_start(machine.gpu[i], gic));
}

/* Before main() of QEMU; other programs are left alone. */
static void __attribute__((constructor)) start(void)
{
	static struct qemu_notifier notifier = { .notify = machine_done };
	const char *gpus = getenv("VSHADER_QEMU_GPUS"), *fd = getenv("VSHADER_QEMU_FD");
	char *names, *name, *save;
	const char *problem;
	bool is_qemu;

	if (!gpus)
		return;
	problem = qemu_api_load(&is_qemu);
	if (!is_qemu)
		return;
	die_of(problem);
	/* not for programs that QEMU starts */
	unsetenv("LD_PRELOAD");
	if (fd)
		qemu_ctl_fd = atoi(fd);
	names = strdup(gpus);
	for (name = strtok_r(names, " ,", &save); name; name = strtok_r(NULL, " ,", &save))
		die_of(qemu_gpu_add(name));
	free(names);
	qemu.qemu_add_machine_init_done_notifier(&notifier);
}
