// SPDX-License-Identifier: MIT
/*
 * libdrm's list of devices, with one: the render node, on the platform bus. These functions take
 * the place of libdrm's, which would ask sysfs.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <xf86drm.h>

#include "gl_preload.h"
#include "gl_proto.h"

#define EXPORT		__attribute__((visibility("default")))
#define BUS_NAME	"/vshader/gpu"
#define COMPATIBLE	"arm,mali"

/* A device and all that it points to, in one piece. */
struct device {
	drmDevice d;
	char *nodes[DRM_NODE_MAX];
	char node[sizeof(GL_NODE)];
	drmPlatformBusInfo bus;
	drmPlatformDeviceInfo info;
	char *compatible[2];
	char compatible_name[sizeof(COMPATIBLE)];
};

static drmDevicePtr new_device(void)
{
	struct device *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	strcpy(p->node, GL_NODE);
	strcpy(p->compatible_name, COMPATIBLE);
	strcpy(p->bus.fullname, BUS_NAME);
	p->nodes[DRM_NODE_RENDER] = p->node;
	p->compatible[0] = p->compatible_name;
	p->info.compatible = p->compatible;
	p->d.nodes = p->nodes;
	p->d.available_nodes = 1 << DRM_NODE_RENDER;
	p->d.bustype = DRM_BUS_PLATFORM;
	p->d.businfo.platform = &p->bus;
	p->d.deviceinfo.platform = &p->info;
	return &p->d;
}

EXPORT int drmGetDevices2(uint32_t flags, drmDevicePtr devices[], int max)
{
	if (!devices)
		return 1;
	if (max < 1)
		return 0;
	devices[0] = new_device();
	return devices[0] ? 1 : -ENOMEM;
}

EXPORT int drmGetDevices(drmDevicePtr devices[], int max)
{
	return drmGetDevices2(0, devices, max);
}

EXPORT int drmGetDevice2(int fd, uint32_t flags, drmDevicePtr *device)
{
	if (!gl_is_node(fd))
		return -ENODEV;
	*device = new_device();
	return *device ? 0 : -ENOMEM;
}

EXPORT int drmGetDevice(int fd, drmDevicePtr *device)
{
	return drmGetDevice2(fd, 0, device);
}

EXPORT void drmFreeDevice(drmDevicePtr *device)
{
	if (!device)
		return;
	free(*device);
	*device = NULL;
}

EXPORT void drmFreeDevices(drmDevicePtr devices[], int count)
{
	int i;

	for (i = 0; devices && i < count; i++)
		drmFreeDevice(&devices[i]);
}

EXPORT int drmDevicesEqual(drmDevicePtr a, drmDevicePtr b)
{
	return a && b;
}

EXPORT int drmGetNodeTypeFromFd(int fd)
{
	if (gl_is_node(fd))
		return DRM_NODE_RENDER;
	errno = EINVAL;
	return -1;
}

static char *node_name(int fd)
{
	return gl_is_node(fd) ? strdup(GL_NODE) : NULL;
}

EXPORT char *drmGetRenderDeviceNameFromFd(int fd)
{
	return node_name(fd);
}

EXPORT char *drmGetDeviceNameFromFd2(int fd)
{
	return node_name(fd);
}
