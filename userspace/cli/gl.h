/* SPDX-License-Identifier: MIT */
/*
 * vshader gl: DRM files of programs, whose ioctls arrive as messages.
 */
#ifndef VSHADER_GL_H
#define VSHADER_GL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "vshader.h"

struct gl_driver;

/**
 * struct gl_server - state shared by the DRM files
 * @driver: driver
 * @chip: its chip
 * @name: name of the chip
 * @interface: name of the driver
 * @compatible: in a device tree
 * @engine: enum drm_vshader_engine
 * @device: device specification
 * @lock: protects everything below but @exported
 * @files: DRM files opened
 * @refused: those of them that could not be opened
 * @exported: buffers exported
 * @jobs: jobs submitted
 * @faults: jobs that have faulted
 * @rejected: submits that failed
 * @rejected_errno: error of the last one
 * @failed_nr: number of the last ioctl that failed
 * @failed_errno: its error, 0: none has failed
 */
struct gl_server {
	const struct gl_driver *driver;
	const void *chip;
	const char *name;
	const char *interface;
	const char *compatible;
	uint32_t engine;
	const char *device;

	pthread_mutex_t lock;
	unsigned long files;
	unsigned long refused;
	unsigned long exported;
	unsigned long jobs;
	unsigned long faults;
	unsigned long rejected;
	int rejected_errno;
	uint32_t failed_nr;
	int failed_errno;
};

/* Choose one of panfrost's chips. Return: false: there is none of that name. */
bool gl_panfrost_chip(struct gl_server *server, const char *name);

/* The same for lima's. */
bool gl_lima_chip(struct gl_server *server, const char *name);

/* The same for vc4's. */
bool gl_vc4_chip(struct gl_server *server, const char *name);

/**
 * gl_serve - answer the messages of a DRM file until its socket is closed
 * @server: server
 * @sock: socket; is closed
 */
void gl_serve(struct gl_server *server, int sock);

/**
 * gl_root_create - make the folder with the files that describe the device
 * @driver: name of its driver
 * @compatible: its compatible string
 *
 * The folder is in GL_ROOT_ENV of the environment. Folders of processes that were killed are
 * removed. Return: 0 or EXIT_USAGE, reported.
 */
int gl_root_create(const char *driver, const char *compatible);

/* Remove the folder, if there is one. */
void gl_root_remove(void);

/**
 * gl_calls_run - run a program whose system calls are seen, too
 * @program: becomes the program; returns an exit status if it cannot
 * @p: the function's own
 *
 * In a process that has the library preloaded. Return: exit status of the program.
 */
int gl_calls_run(int (*program)(void *p), void *p);

/* Signals that end this process are for the program, and wait until there is one. */
void gl_hold_signals(void);
void gl_release_signals(void);
void gl_guard(pid_t program);

/* Exit status of the program as a shell has it. */
int gl_status_of(int status);

/**
 * gl_setup - download and unpack a Mesa that has the driver
 * @suite: bookworm, trixie, sid, newest, built; NULL: bookworm
 *
 * Return: exit status, reported.
 */
int gl_setup(const char *suite);

/* Whether a program of this machine, given with its path or in PATH, is linked statically. */
bool gl_setup_is_static(const char *program);

/**
 * gl_setup_sysroot - the folder that --sysroot means
 * @name: a folder, or a suite that was set up
 *
 * Return: folder, or NULL, reported.
 */
const char *gl_setup_sysroot(const char *name);

/**
 * gl_setup_default - the folder for a program that cannot use this machine's libraries
 * @program: the program
 * @sysroot: receives the folder, or NULL
 *
 * Return: 0 or EXIT_USAGE, reported.
 */
int gl_setup_default(const char *program, const char **sysroot);

#endif /* VSHADER_GL_H */
