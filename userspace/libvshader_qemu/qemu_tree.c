// SPDX-License-Identifier: MIT
/*
 * The machine's device tree gets a node for each GPU and one for its control page. QEMU makes the
 * tree with libfdt, whose fdt_path_offset() is replaced: before QEMU looks for /chosen, and once
 * the tree has an interrupt controller, the nodes are added.
 */
#include <dlfcn.h>
#include <endian.h>

#include "qemu_gpu.h"

#define CLOCK		"/vshader-clock"
#define CLOCK_PHANDLE	0x76730000

static struct {
	int (*path_offset)(const void *fdt, const char *path);
	int (*add_subnode)(void *fdt, int parent, const char *name);
	int (*setprop)(void *fdt, int node, const char *name, const void *value, int len);
	const void *(*getprop)(const void *fdt, int node, const char *name, int *len);
	bool added;
	int error;
} fdt;

/* ---- properties; the first error is kept ---- */

static void put(void *tree, int node, const char *name, const void *value, size_t len)
{
	int ret = node < 0 ? node : fdt.setprop(tree, node, name, value, len);

	if (ret < 0 && !fdt.error)
		fdt.error = ret;
}

static void put_string(void *tree, int node, const char *name, const char *value)
{
	put(tree, node, name, value, strlen(value) + 1);
}

static void put_cells(void *tree, int node, const char *name, const u32 *value, u32 n)
{
	u32 cells[3 * VS_MODEL_LINES], i;

	for (i = 0; i < n; i++)
		cells[i] = htobe32(value[i]);
	put(tree, node, name, cells, n * sizeof(u32));
}

static void put_reg(void *tree, int node, u64 base, u64 size)
{
	const u32 reg[] = { base >> 32, (u32)base, size >> 32, (u32)size };

	put_cells(tree, node, "reg", reg, 4);
}

static int add_node(void *tree, const char *fmt, u64 base)
{
	char name[40];
	int ret;

	snprintf(name, sizeof(name), fmt, (unsigned long long)base);
	ret = fdt.add_subnode(tree, fdt.path_offset(tree, "/"), name);
	if (ret < 0 && !fdt.error)
		fdt.error = ret;
	return ret;
}

/* ---- nodes ---- */

static void add_clock(void *tree)
{
	static const u32 none, frequency = 500000000, phandle = CLOCK_PHANDLE;
	int node = add_node(tree, &CLOCK[1], 0);

	put_string(tree, node, "compatible", "fixed-clock");
	put_cells(tree, node, "#clock-cells", &none, 1);
	put_cells(tree, node, "clock-frequency", &frequency, 1);
	put_cells(tree, node, "phandle", &phandle, 1);
}

static void put_lines(void *tree, int node, const struct qemu_gpu *g)
{
	u32 cells[3 * VS_MODEL_LINES], n = 0, i;
	char names[8 * VS_MODEL_LINES];
	size_t len = 0;

	for (i = 0; i < VS_MODEL_LINES; i++) {
		if (!g->desc.line[i])
			continue;
		cells[n++] = 0;			/* SPI */
		cells[n++] = g->spi[i];
		cells[n++] = 4;			/* level, high */
		len += snprintf(names + len, sizeof(names) - len, "%s", g->desc.line[i]) + 1;
	}
	put_cells(tree, node, "interrupts", cells, n);
	put(tree, node, "interrupt-names", names, len);
}

static void put_clocks(void *tree, int node, const struct vs_model_desc *d)
{
	static const u32 clocks[] = { CLOCK_PHANDLE, CLOCK_PHANDLE };
	char names[32];
	int len;

	put_cells(tree, node, "clocks", clocks, d->nclocks);
	if (!*d->clock[0])
		return;
	len = snprintf(names, sizeof(names), "%s%c%s", d->clock[0], 0, d->clock[1]);
	put(tree, node, "clock-names", names, len + 1);
}

static void add_gpu(void *tree, const struct qemu_gpu *g)
{
	u64 base = QEMU_REGS + g->n * QEMU_REGS_SIZE, ctl = QEMU_CTL + g->n * QEMU_CTL_SIZE;
	int node = add_node(tree, "gpu@%llx", base);

	put_string(tree, node, "compatible", g->desc.compatible);
	put_reg(tree, node, base, g->desc.size);
	put_lines(tree, node, g);
	put_clocks(tree, node, &g->desc);
	put(tree, node, "dma-coherent", NULL, 0);
	node = add_node(tree, "vshader-model@%llx", ctl);
	put_string(tree, node, "compatible", "vshader,model");
	put_string(tree, node, "vshader,model", g->desc.gpu);
	put_string(tree, node, "vshader,driver", g->desc.driver);
	put_reg(tree, node, ctl, QEMU_CTL_SIZE);
}

static void add_all(void *tree)
{
	u32 i;

	fdt.add_subnode = dlsym(RTLD_NEXT, "fdt_add_subnode");
	fdt.setprop = dlsym(RTLD_NEXT, "fdt_setprop");
	fdt.getprop = dlsym(RTLD_NEXT, "fdt_getprop");
	if (!fdt.add_subnode || !fdt.setprop || !fdt.getprop)
		return;
	if (!fdt.getprop(tree, fdt.path_offset(tree, "/"), "interrupt-parent", NULL) ||
	    fdt.path_offset(tree, CLOCK) >= 0)
		return;
	add_clock(tree);
	for (i = 0; i < machine.ngpus; i++)
		add_gpu(tree, machine.gpu[i]);
	fdt.added = true;
}

__attribute__((visibility("default"))) int fdt_path_offset(const void *tree, const char *path);

int fdt_path_offset(const void *tree, const char *path)
{
	if (!fdt.path_offset)
		fdt.path_offset = dlsym(RTLD_NEXT, "fdt_path_offset");
	if (machine.ngpus && !strcmp(path, "/chosen"))
		add_all((void *)tree);
	return fdt.path_offset(tree, path);
}

const char *qemu_tree_check(void)
{
	static char error[80];

	if (!fdt.added)
		return "the machine has no device tree that GPUs can be added to";
	if (!fdt.error)
		return NULL;
	snprintf(error, sizeof(error), "the device tree has no room: error %d of libfdt",
		 fdt.error);
	return error;
}
