/* SPDX-License-Identifier: MIT */
/*
 * vshader gl: DRM files of programs, whose ioctls arrive as messages.
 */
#ifndef VSHADER_GL_H
#define VSHADER_GL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "personality/pan_gpu.h"
#include "vshader.h"

/**
 * struct gl_server - what the files have in common
 * @gpu: chip
 * @device: device specification
 * @lock: protects everything below
 * @jobs: jobs submitted
 * @faults: jobs that have faulted
 */
struct gl_server {
	const struct pan_gpu *gpu;
	const char *device;

	pthread_mutex_t lock;
	unsigned long jobs;
	unsigned long faults;
};

/**
 * gl_serve - answer the messages of a DRM file until its socket is closed
 * @server: server
 * @sock: socket; is closed
 */
void gl_serve(struct gl_server *server, int sock);

#endif /* VSHADER_GL_H */
