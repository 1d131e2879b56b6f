/* SPDX-License-Identifier: MIT */
/*
 * The render node as libdrm sees it.
 */
#ifndef GL_PRELOAD_H
#define GL_PRELOAD_H

#include <stdbool.h>

#define GL_DRIVER	"panfrost"
#define GL_MAJOR	1
#define GL_MINOR	2

/* Whether a descriptor is of the render node. */
bool gl_is_node(int fd);

#endif /* GL_PRELOAD_H */
