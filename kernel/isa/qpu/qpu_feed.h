/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Threads of draws: a chip's control lists run launches of vertex, coordinate and fragment
 * programs on one machine, whose predecoded code they share.
 */
#ifndef QPU_FEED_H
#define QPU_FEED_H

#include "qpu_machine.h"

struct qpu_core;
struct qpu_machine;
struct qpu_shared;
struct vr_tile;

/**
 * struct qpu_feed - Inputs and results of the threads of a launch.
 * @fragment:	fragment program; else a vertex program, with 64 rows of pipeline memory that it
 *		reads and 64 that it writes
 * @cost:	of a thread's start
 * @start:	a thread starts on @q: fill its rows of pipeline memory, or its fragment state,
 *		W and Z. In an FPU section that truncates. Return: QPU_EV_OK, or QPU_EV_FAULT with
 *		a fault
 * @end:	optional: the thread on @q has ended
 */
struct qpu_feed {
	bool fragment;
	u32 cost;
	int (*start)(struct qpu_shared *s, struct qpu_core *q, u32 *w, u32 *z, void *arg);
	void (*end)(struct qpu_shared *s, struct qpu_core *q, void *arg);
};

u64 qpu_machine_bytes(void);
/* A machine without threads in qpu_machine_bytes() bytes, aligned to 64. */
struct qpu_machine *qpu_machine_init(void *memory, const struct vs_map *map);
struct qpu_shared *qpu_machine_shared(struct qpu_machine *m);

/**
 * qpu_machine_begin - begin a launch
 * @m: machine, whose last launch is done
 * @simd: executor
 * @feed: inputs of the threads
 * @arg: its argument
 * @threads: of which the machine reads @uniforms and @pc; must outlive the launch
 * @n: number of threads
 */
void qpu_machine_begin(struct qpu_machine *m, enum vs_simd simd, const struct qpu_feed *feed,
		       void *arg, struct qpu_thread *threads, u32 n);

/**
 * qpu_machine_slice - go on with a launch
 * @m: machine
 * @job: job
 * @post: after a fault the job's registers are those of this machine
 *
 * Return: VS_RUN_MORE: call again; VS_RUN_STOP: a debugger has stopped it; VS_RUN_IDLE: done, or
 * there is a fault.
 */
enum vs_run qpu_machine_slice(struct qpu_machine *m, struct vs_job *job, bool post);
/* Fault of the launch, or NULL. */
const struct vs_fault *qpu_machine_fault(const struct qpu_machine *m);
/* Charge work of @start and @end, in addition to @cost. */
void qpu_machine_charge(struct qpu_shared *s, u32 weight);
/* FPU mode of the rasteriser, and back, inside of @start and @end. */
void qpu_machine_nearest(struct qpu_shared *s, bool begin);

#endif /* QPU_FEED_H */
