/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The vc4 interface's ioctls, a job, and the fixture of its tests after vshader_test.h.
 */
#ifndef VST_VC4_JOB_H
#define VST_VC4_JOB_H

#include <fcntl.h>
#include <time.h>

#include <vc4_drm.h>

#include "vst.h"
#include "vst_vc4.h"

#define NODES		32
#define NO_HANDLE	9999
#define NONE		(~0U)
#define T_TILED		0x0700000000000001ULL
#define SIZE		64	/* of the image, pixels */
#define RED		0xff0000ffU
#define BACK		0xff400000U
#define NUM_RED		(SIZE * (SIZE - 1) / 2)	/* without the diagonal */

#define LIST_TILES	13	/* offset of the columns of tiles */
#define LIST_CONFIG	28	/* offset of the packet of the configuration bits */

/* Indices of buffers. */
enum { FS, VS, CS, VERTICES, IMAGE, NUM_BOS };

/* A job with all that it points to, to be changed before it is submitted. */
struct job {
	struct drm_vc4_submit_cl arg;
	__u32 handles[NUM_BOS];
	__u8 list[sizeof(vc4_list)];
	__u32 records[4 + 11];
	__u32 uniforms[9];
};

/* ---- ioctls ---- */

int open_vc4(void);
int param(int fd, __u32 which, __u32 pad, __u64 *value);
int create_bo(int fd, __u32 size, __u32 *handle);
int create_shader(int fd, const void *code, __u32 size, __u32 *handle);
int map_bo(int fd, __u32 handle, __u32 size, int prot, void *map);
int wait_seqno(int fd, __u64 seqno, __u64 timeout);
int wait_bo(int fd, __u32 handle, __u32 pad, __u64 timeout);
int madvise_bo(int fd, __u32 handle, __u32 madv, __u32 pad);
int set_tiling(int fd, __u32 handle, __u32 flags, __u64 modifier);
int get_tiling(int fd, __u32 handle, __u32 flags, __u64 *modifier);
int label(int fd, __u32 handle, __u32 len, const void *name);
int submit(int fd, struct job *j);
__u64 now_ns(void);

/* ---- a job ---- */

void no_surfaces(struct drm_vc4_submit_cl *a);
/* A red triangle in the half of the image below its diagonal, in lines. */
void make_job(struct job *j, const __u32 *handles);
/* Three vertices. */
int put_corners(int fd, __u32 bo, const float corners[12]);
/* Pixels of a colour. */
unsigned int count(const __u32 *image, __u32 color);

/* ---- tests ---- */

#ifdef FIXTURE

FIXTURE(vc4) {
	int fd;
	int primary;	/* for hang states */
	__u32 handle;	/* of the calls whose allocations fail */
	__u32 id;
	__u32 handles[NUM_BOS];
	__u32 *image;
	struct job job;
};

FIXTURE_SETUP(vc4)
{
	static const float corners[] = { -1, -1, 0, 1, 1, -1, 0, 1, -1, 1, 0, 1 };

	self->fd = open_vc4();
	if (self->fd == -ENODEV)
		SKIP(return, "no device with personality vc4");
	ASSERT_EQ(0, create_shader(self->fd, vc4_fs, sizeof(vc4_fs), &self->handles[FS]));
	ASSERT_EQ(0, create_shader(self->fd, vc4_vs, sizeof(vc4_vs), &self->handles[VS]));
	ASSERT_EQ(0, create_shader(self->fd, vc4_cs, sizeof(vc4_cs), &self->handles[CS]));
	ASSERT_EQ(0, create_bo(self->fd, PAGE, &self->handles[VERTICES]));
	ASSERT_EQ(0, create_bo(self->fd, 4 * SIZE * SIZE, &self->handles[IMAGE]));
	ASSERT_EQ(0, put_corners(self->fd, self->handles[VERTICES], corners));
	ASSERT_EQ(0, map_bo(self->fd, self->handles[IMAGE], 4 * SIZE * SIZE,
			    PROT_READ | PROT_WRITE, &self->image));
	make_job(&self->job, self->handles);
}

FIXTURE_TEARDOWN(vc4)
{
	if (self->fd >= 0)
		close(self->fd);
}

#endif

#endif
