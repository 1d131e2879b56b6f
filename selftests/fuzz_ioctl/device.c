// SPDX-License-Identifier: GPL-2.0
/*
 * The devices' nodes, which change when a device is unplugged and plugged in.
 */
#include <fcntl.h>

#include "fz.h"

#define DRIVER	"/sys/bus/platform/drivers/vshader/"

const char *fz_node(u32 n)
{
	u32 all = fz_shared->nnodes;

	return all ? fz_shared->node[n % all] : NULL;
}

u32 fz_minor(const char *node)
{
	return strtoul(node + strcspn(node, "0123456789"), NULL, 10);
}

void fz_find_nodes(void)
{
	u32 n = 0;

	while (n < FZ_DEVICES && !vst_node(n, fz_shared->node[n], sizeof(fz_shared->node[n])))
		n++;
	fz_shared->nnodes = n;
}

static void tell_driver(const char *file, u32 n)
{
	char name[32];

	snprintf(name, sizeof(name), "vshader.%u", n);
	vst_write_file(file, name);
}

void fz_rebind(u32 n, bool pause)
{
	fz_shared->unbound = true;
	tell_driver(DRIVER "unbind", n);
	if (pause)
		usleep(1000);
	tell_driver(DRIVER "bind", n);
	fz_find_nodes();
}

void fz_bind_all(void)
{
	u32 i;

	for (i = 0; i < FZ_DEVICES; i++)
		tell_driver(DRIVER "bind", i);
	fz_find_nodes();
	fz_shared->unbound = false;
}
