/* SPDX-License-Identifier: MIT */
/*
 * The calls of homebrew that draws with the GPU of the 3DS, by their public names, for programs
 * that run on Linux without a screen. See libvshader_gx(3).
 */
#ifndef VSHADER_3DS_H
#define VSHADER_3DS_H

#include <3ds/types.h>
#include <3ds/system.h>
#include <3ds/memory.h>
#include <3ds/gpu.h>
#include <3ds/shader.h>
#include <3ds/gsp.h>
#include <3ds/gx.h>
#include <3ds/gfx.h>
#include <3ds/font.h>
#include <3ds/decompress.h>

#endif /* VSHADER_3DS_H */
