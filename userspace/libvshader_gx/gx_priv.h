/* SPDX-License-Identifier: MIT */
/*
 * The library's own interfaces.
 *
 *	gx_memory.c	linear and video memory
 *	gx_device.c	device, jobs, faults
 *	gx_state.c	registers that lists leave to the next one
 *	gx_queue.c	GX_*: requests
 *	gx_job.c	job files
 *	gx_screen.c	gfx*: screens, pictures
 *	gx_event.c	gsp*: events, virtual time, main loop, keys
 *	gx_command.c	GPUCMD_*: command buffer, number formats
 *	gx_shader.c	DVLB_*, shader*
 *	gx_font.c	font*
 *	gx_system.c	files, console, configuration
 *	gx_decompress.c	decompress*
 */
#ifndef VSHADER_GX_PRIV_H
#define VSHADER_GX_PRIV_H

#include <stdio.h>

#include <3ds.h>

#include "vshader.h"

#define GX_PAGE		4096u

/* ---- messages ---- */

/* Print a message to stderr. */
void gx_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* The same, then end the program with status 1. */
void gx_die(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));
/* Return: value of VSHADER_GX_@name, or NULL: not set, or empty. */
const char *gx_option(const char *name);
/* Folder of pictures and job files, or NULL. It exists. */
const char *gx_folder(void);

/* ---- memory ---- */

enum gx_area_id { GX_LINEAR, GX_VRAM, GX_OWN, GX_NUM_AREAS };

/**
 * struct gx_area - memory that the GPU sees
 * @name: for job files
 * @vaddr: address in the process; 0: anywhere
 * @paddr: address of the GPU
 * @size: bytes
 * @used: bytes from the first one on that may be other than zero
 * @ptr: memory
 * @bo: its buffer
 */
struct gx_area {
	const char *name;
	uint32_t vaddr;
	uint32_t paddr;
	uint32_t size;
	uint32_t used;
	uint8_t *ptr;
	struct vshader_bo *bo;
};

extern struct gx_area gx_areas[GX_NUM_AREAS];

/* Open the device and map memory; once. */
void gx_start(void);
/* Memory of the process at a GPU address. Return: NULL: not all of it is there. */
void *gx_ptr(uint32_t paddr, uint32_t size);

/* ---- jobs ---- */

/* Own memory that stays until the end of the frame. Return: NULL: there is none left. */
uint32_t *gx_own(uint32_t words, uint32_t *paddr);
/* Forget gx_own()'s memory. */
void gx_own_reset(void);

/**
 * struct gx_job - a job
 * @name: what it is, for messages
 * @format: DRM_VSHADER_NATIVE_*
 * @paddr: words
 * @size: bytes
 * @switches: DRM_VSHADER_PICA_*
 */
struct gx_job {
	const char *name;
	uint32_t format;
	uint32_t paddr;
	uint32_t size;
	uint32_t switches;
};

/* Run to the end. A fault ends the program. */
void gx_run(const struct gx_job *job);

/* ---- registers ---- */

/* Words of a list that sets all registers as the lists executed so far left them. */
uint32_t gx_state_words(void);
/* Write it. Return: words. */
uint32_t gx_state_write(uint32_t *out);
/* Learn what a list at @paddr has written. */
void gx_state_learn(uint32_t paddr, uint32_t size);

/* ---- job files ---- */

/* Before and after a job. */
void gx_job_begin(void);
void gx_job_end(const struct gx_job *job);
/* A job ended with a fault, or with an error at submission. */
void gx_job_failed(const struct gx_job *job, const struct drm_vshader_fault *fault, bool rejected);
/* Write the file of what ran since the last call. */
void gx_job_flush(void);

/* ---- frames, screens ---- */

/* Number of the current frame. */
unsigned int gx_frame(void);
/* Write the screens that are shown, if something has changed since. */
void gx_screens_write(void);
/* Write the screens as elements of "images" of a job file. */
void gx_screens_describe(FILE *f);
/* Call the callback of an event. */
void gx_event(GSPGPU_Event id);
/* End the frame: write what is to be written. */
void gx_frame_end(void);

#endif /* VSHADER_GX_PRIV_H */
