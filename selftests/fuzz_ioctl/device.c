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

/* Is this a node of a driver's interface? */
static bool is_driver(const char *path, const char *driver)
{
	char name[16] = "";
	struct drm_version v = { .name = name, .name_len = sizeof(name) - 1 };
	int fd = open(path, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return false;
	ioctl(fd, DRM_IOCTL_VERSION, &v);
	close(fd);
	return !strcmp(name, driver);
}

/* Return: number of its nodes. */
static u32 find_driver(char (*paths)[24], const char *driver)
{
	u32 i, n = 0;

	for (i = 128; i < 128 + 2 * FZ_DEVICES && n < FZ_DEVICES; i++) {
		snprintf(paths[n], sizeof(paths[n]), "/dev/dri/renderD%u", i);
		n += is_driver(paths[n], driver);
	}
	return n;
}

void fz_find_nodes(void)
{
	u32 n = 0;

	fz_shared->npanfrost = find_driver(fz_shared->panfrost, "panfrost");
	fz_shared->nlima = find_driver(fz_shared->lima, "lima");
	fz_shared->nvc4 = find_driver(fz_shared->vc4, "vc4");
	while (n < FZ_DEVICES && !vst_node(n, fz_shared->node[n], sizeof(fz_shared->node[n])))
		n++;
	fz_shared->nnodes = n;
}

/* The number of a primary node is not that of the render node. */
static int open_primary(const char *node)
{
	char path[64];
	u32 i;

	for (i = 0; i < 4 * FZ_DEVICES; i++) {
		snprintf(path, sizeof(path), "/sys/class/drm/%s/device/drm/card%u",
			 strrchr(node, '/') + 1, i);
		if (access(path, F_OK))
			continue;
		snprintf(path, sizeof(path), "/dev/dri/card%u", i);
		return open(path, O_RDWR | O_CLOEXEC);
	}
	return -1;
}

int fz_open_node(const char *node, bool primary)
{
	return primary ? open_primary(node) : open(node, O_RDWR | O_CLOEXEC);
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
