// SPDX-License-Identifier: MIT
/* Which QEMU this is, and whether it is one that the library fits. */
#include <dlfcn.h>
#include <elf.h>

#include "qemu_api.h"

struct qemu_api qemu;

/* The result of qmp_query_version(). */
struct version {
	struct {
		s64 major;
		s64 minor;
		s64 micro;
	} *qemu;
	char *package;
};

static const struct {
	const char *name;
	const char *older;
	size_t at;
} functions[] = {
#define SAME(f)	{ #f, NULL, offsetof(struct qemu_api, f) }
	SAME(qemu_add_machine_init_done_notifier),
	SAME(qemu_register_reset),
	SAME(get_system_memory),
	SAME(memory_region_init_io),
	SAME(memory_region_add_subregion_overlap),
	SAME(memory_region_get_ram_ptr),
	SAME(memory_region_get_fd),
	SAME(memory_region_size),
	SAME(host_memory_backend_get_memory),
	SAME(cpu_physical_memory_rw),
	SAME(object_resolve_path),
	SAME(object_resolve_path_type),
	SAME(object_get_typename),
	SAME(object_new),
	SAME(qdev_get_gpio_in),
	SAME(qemu_set_irq),
	SAME(rcu_register_thread),
#undef SAME
	{ "bql_locked", "qemu_mutex_iothread_locked", offsetof(struct qemu_api, bql_locked) },
	{ "bql_lock_impl", "qemu_mutex_lock_iothread_impl", offsetof(struct qemu_api, bql_lock) },
	{ "bql_unlock", "qemu_mutex_unlock_iothread", offsetof(struct qemu_api, bql_unlock) },
};

static char error[160];

/* Versions that tests have run with. */
static const char *check_version(void)
{
	struct version *(*query)(void **errp) = dlsym(RTLD_DEFAULT, "qmp_query_version");
	const struct version *v = query ? query(NULL) : NULL;

	if (!v || !v->qemu)
		return "this QEMU does not tell its version";
	if ((v->qemu->major == 7 && v->qemu->minor == 2) ||
	    (v->qemu->major == 10 && v->qemu->minor == 0) || getenv("VSHADER_QEMU_ANY"))
		return NULL;
	snprintf(error, sizeof(error),
		 "QEMU %d.%d is none of 7.2, 10.0; VSHADER_QEMU_ANY=1 in the environment tries it",
		 (int)v->qemu->major, (int)v->qemu->minor);
	return error;
}

/* Size and members of MemoryRegionOps, as QEMU's own ones for memory that does not exist. */
static const char *check_layout(void)
{
	const struct qemu_region_ops *ops = dlsym(RTLD_DEFAULT, "unassigned_mem_ops");
	const Elf64_Sym *sym = NULL;
	Dl_info info;

	if (!ops || !dladdr1(ops, &info, (void **)&sym, RTLD_DL_SYMENT) || !sym)
		return "this QEMU has no unassigned_mem_ops";
	if (sym->st_size != sizeof(*ops) || !ops->valid.accepts || ops->read_with_attrs ||
	    ops->write_with_attrs || ops->endianness || ops->valid.min || ops->valid.max ||
	    ops->impl.min || ops->impl.max) {
		snprintf(error, sizeof(error),
			 "this QEMU has another MemoryRegionOps: %zu bytes, expected %zu",
			 (size_t)sym->st_size, sizeof(*ops));
		return error;
	}
	return NULL;
}

const char *qemu_api_load(bool *is_qemu)
{
	const char *problem;
	u32 i;

	*is_qemu = dlsym(RTLD_DEFAULT, functions[0].name);
	if (!*is_qemu)
		return NULL;
	problem = check_version();
	if (problem)
		return problem;
	for (i = 0; i < ARRAY_SIZE(functions); i++) {
		void *f = dlsym(RTLD_DEFAULT, functions[i].name);

		if (!f && functions[i].older)
			f = dlsym(RTLD_DEFAULT, functions[i].older);
		if (!f) {
			snprintf(error, sizeof(error), "this QEMU has no function %s",
				 functions[i].name);
			return error;
		}
		memcpy((char *)&qemu + functions[i].at, &f, sizeof(f));
	}
	return check_layout();
}
