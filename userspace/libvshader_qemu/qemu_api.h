/* SPDX-License-Identifier: MIT */
/*
 * Functions of a qemu-system-aarch64 that has loaded this library. QEMU exports its symbols for
 * its own modules; none of its headers is used.
 */
#ifndef QEMU_API_H
#define QEMU_API_H

#include "../../kernel/model/vs_model.h"

struct qemu_region;	/* MemoryRegion */
struct qemu_object;	/* any object of QEMU */
struct qemu_irq;

/* MemoryRegionOps */
struct qemu_region_ops {
	u64 (*read)(void *opaque, u64 addr, unsigned int size);
	void (*write)(void *opaque, u64 addr, u64 data, unsigned int size);
	void *read_with_attrs;
	void *write_with_attrs;
	int endianness;
	struct {
		unsigned int min;
		unsigned int max;
		bool unaligned;
		void *accepts;
	} valid;
	struct {
		unsigned int min;
		unsigned int max;
		bool unaligned;
	} impl;
};

#define QEMU_LITTLE_ENDIAN	2

/* Notifier */
struct qemu_notifier {
	void (*notify)(struct qemu_notifier *n, void *data);
	void *link[2];
};

/*
 * QEMU's functions, by their names there; the last three had others until 9.0:
 * qemu_mutex_iothread_locked(), qemu_mutex_lock_iothread_impl(), qemu_mutex_unlock_iothread().
 */
struct qemu_api {
	void (*qemu_add_machine_init_done_notifier)(struct qemu_notifier *n);
	void (*qemu_register_reset)(void (*reset)(void *opaque), void *opaque);
	struct qemu_region *(*get_system_memory)(void);
	void (*memory_region_init_io)(struct qemu_region *r, struct qemu_object *owner,
				      const struct qemu_region_ops *ops, void *opaque,
				      const char *name, u64 size);
	void (*memory_region_add_subregion_overlap)(struct qemu_region *r, u64 offset,
						    struct qemu_region *sub, int priority);
	void *(*memory_region_get_ram_ptr)(struct qemu_region *r);
	int (*memory_region_get_fd)(struct qemu_region *r);
	u64 (*memory_region_size)(struct qemu_region *r);
	struct qemu_region *(*host_memory_backend_get_memory)(struct qemu_object *backend);
	void (*cpu_physical_memory_rw)(u64 addr, void *buf, u64 len, bool write);
	struct qemu_object *(*object_resolve_path)(const char *path, bool *ambiguous);
	struct qemu_object *(*object_resolve_path_type)(const char *path, const char *type,
							bool *ambiguous);
	const char *(*object_get_typename)(const struct qemu_object *o);
	struct qemu_object *(*object_new)(const char *type);
	struct qemu_irq *(*qdev_get_gpio_in)(struct qemu_object *dev, int n);
	void (*qemu_set_irq)(struct qemu_irq *irq, int level);
	void (*rcu_register_thread)(void);
	bool (*bql_locked)(void);
	void (*bql_lock)(const char *file, int line);
	void (*bql_unlock)(void);
};

extern struct qemu_api qemu;

/*
 * Look the functions up, check version and layouts. Return: NULL, or an error. With *@is_qemu
 * false this is another program.
 */
const char *qemu_api_load(bool *is_qemu);

#endif /* QEMU_API_H */
