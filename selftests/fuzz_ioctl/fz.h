/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ioctl fuzzer: sequences of calls, guided by coverage.
 *
 * A call is an operation and a few bytes. The operation reads its choices from the bytes, in
 * order; a zero byte, or no byte left, is the choice that most likely succeeds. Arguments are
 * built in an arena; pokes then overwrite words of the arena, wherever they are: in an ioctl's
 * argument, a descriptor, a stream, or code. So each field is reached without knowing it.
 */
#ifndef FZ_H
#define FZ_H

#include <stdatomic.h>

#include "../drm/vst.h"
#include "../drm/vst_scene.h"
#include "vshader_drm_debug.h"

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

typedef int64_t s64;

#define NSEC_PER_MS	1000000LL

/* ---- sequences (seq.c, mutate.c) ---- */

#define FZ_CALLS	40	/* of a sequence */
#define FZ_BYTES	12	/* of a call */
#define FZ_POKES	3
#define FZ_LANES	3	/* threads; lane 0 is the one that goes through the sequence */
#define FZ_TEXT		8192	/* bytes that hold any sequence as text */

enum fz_how {
	FZ_SET32, FZ_XOR32, FZ_ADD32, FZ_SET8, FZ_SET64, FZ_POINTER, FZ_ADDRESS, FZ_HOWS
};

/** struct fz_poke - overwrites the word @at, modulo the words that there are */
struct fz_poke {
	u16 at;
	u8 how;			/* enum fz_how */
	u32 value;
};

struct fz_call {
	u8 op;
	u8 lane;
	u8 async;		/* the next call does not wait for this one */
	u8 fail;		/* n: the n-th fault injection point of the first ioctl fails */
	u8 npokes;
	u8 b[FZ_BYTES];
	struct fz_poke poke[FZ_POKES];
};

struct fz_seq {
	u32 n;
	struct fz_call call[FZ_CALLS];
};

struct fz_rng {
	u64 s;
};

struct fz_rng fz_rng(u64 seed, u64 n);
u64 fz_rnd(struct fz_rng *r);
u32 fz_below(struct fz_rng *r, u32 n);

/* @text: FZ_TEXT bytes. Returns its length. */
int fz_print(const struct fz_seq *s, char *text);
/* Returns 0 or the number of the first bad line, from 1. */
int fz_parse(const char *text, struct fz_seq *s);

struct fz_corpus {
	struct fz_seq *seq;
	u32 n;
	u32 max;
};

void fz_keep(struct fz_corpus *c, const struct fz_seq *s);
/* The sequence that shows scene @n and runs its job. */
void fz_first(u32 n, struct fz_seq *s);
/* The n-th sequence with long jobs in a group that is throttled. */
void fz_throttled_first(u64 n, struct fz_rng *r, struct fz_seq *s);
/* A sequence by mutation, or from nothing. */
void fz_make(const struct fz_corpus *c, struct fz_rng *r, struct fz_seq *s);

/* ---- operations (ops.c and op_*.c) ---- */

enum fz_kind {
	FZ_NONE, FZ_DRM, FZ_VM, FZ_BO, FZ_PROGRAM, FZ_QUEUE, FZ_SYNCOBJ, FZ_DEBUG,
	FZ_DMABUF, FZ_FENCE, FZ_TIMELINE, FZ_MAP, FZ_RECORD, FZ_PANFROST, FZ_PAN_BO, FZ_NAME,
	FZ_LIMA, FZ_LIMA_BO, FZ_LIMA_CTX, FZ_VC4, FZ_VC4_BO, FZ_VC4_SHADER, FZ_VC4_PERFMON
};

/** struct fz_res - something that a sequence has made */
struct fz_res {
	u8 kind;
	u8 scene;		/* VM, queue, program, mapping: 1 + scene that it is for */
	int fd;			/* of the object, or of the DRM file that it belongs to */
	u32 id;
	u64 size;
	u64 va;			/* mappings: address for jobs */
	u8 *map;
};

#define FZ_RES		192

/** struct fz_run - what the calls of a running sequence share */
struct fz_run {
	struct fz_res res[FZ_RES];
	atomic_uint nres;
	int sock[2];		/* file descriptors in flight */
	int child[8];
	u32 nchild;
	bool in_child;
};

#define FZ_ARENA	(128 << 10)

/** struct fz_ctx - a call that is being executed */
struct fz_ctx {
	struct fz_run *run;
	const struct fz_call *call;
	u8 *arena;		/* FZ_ARENA bytes, then a page that cannot be accessed */
	u32 used;
	u8 at;			/* next byte */
	bool poked;
	int fail_fd;		/* /proc/thread-self/fail-nth, -1: not available */
};

typedef void (*fz_op_fn)(struct fz_ctx *c);

struct fz_op {
	const char *name;
	fz_op_fn fn;
	u8 weight;		/* how often it is inserted */
};

extern const struct fz_op fz_ops[];
extern const u32 fz_nops;
int fz_op_find(const char *name);

u8 fz_byte(struct fz_ctx *c);
/* 0 with a zero byte. */
u32 fz_pick(struct fz_ctx *c, u32 n);
bool fz_chance(struct fz_ctx *c);
/* Zeroed, part of the arena. NULL if there is no room. */
void *fz_mem(struct fz_ctx *c, u32 size);
void *fz_copy(struct fz_ctx *c, const void *p, u32 size);
/* The call's main ioctl: applies pokes and fault injection. 0 or -errno. */
int fz_ioctl(struct fz_ctx *c, int fd, unsigned long request, void *arg);
/* Others. */
int fz_plain_ioctl(int fd, unsigned long request, void *arg);

/* By a byte: the last one of its kind, or any. Never NULL. */
struct fz_res *fz_res(struct fz_ctx *c, u8 kind);
struct fz_res *fz_last(struct fz_ctx *c, u8 kind);
struct fz_res *fz_add(struct fz_ctx *c, u8 kind, int fd, u32 id);
/* The last DRM file, opened if there is none. */
int fz_file(struct fz_ctx *c);
/* Reads a file, bytes are of no interest. */
void fz_drain(const char *path);
u64 fz_now(void);	/* CLOCK_MONOTONIC, ns */

#define FZ_OP(name)	void fz_op_##name(struct fz_ctx *c)

/* ---- scenes (op_scene.c) ---- */

extern struct vst_scene *fz_scenes;
extern u32 fz_nscenes;	/* at most 255 */
int fz_scenes_load(const char *path);

/* ---- devices (device.c) ---- */

#define FZ_DEVICES	4

/* Path of the render node of a device, modulo the devices there are. NULL: none. */
const char *fz_node(u32 n);
u32 fz_minor(const char *node);
void fz_find_nodes(void);
/* Open a render node, or its device's primary node. Returns -1 without it. */
int fz_open_node(const char *node, bool primary);
void fz_rebind(u32 n, bool pause);
/* After a sequence that has unplugged a device, or died doing it. */
void fz_bind_all(void);
void fz_inject_nothing(void);
/* The control group for "throttle", if the kernel has the controller. */
void fz_throttle_init(void);
/* No limit any more, and the process is not in the group. */
void fz_throttle_nothing(pid_t executor);
/* How often the group was without CPU time. */
u64 fz_throttled(void);

/* ---- execution (exec.c, cover.c) ---- */

#define FZ_MAX_OPS	128

/* Threads of clients are in the control group that the process was in when it made them. */
enum fz_throttle {
	FZ_UNLIMITED,		/* process outside of the group, or no limit */
	FZ_ENTERED,		/* process in the group, still without a limit */
	FZ_LIMITED,
};

/** struct fz_shared - memory of driver and executor, which survives the executor */
struct fz_shared {
	struct fz_seq seq;
	atomic_ulong ioctls;
	atomic_ulong good;	/* that succeeded */
	u32 edges;
	u32 fresh;		/* edges that the last sequence added */
	bool exit_after;	/* end the process with everything open */
	const char *doing;	/* operation of lane 0 */
	bool unbound;		/* a device was unplugged */
	bool injected;		/* faults are still to be injected */
	u8 throttle;		/* enum fz_throttle */
	char cgroup[64];	/* "": no controller */
	u32 calls[FZ_MAX_OPS];	/* of each operation, in this run */
	char node[FZ_DEVICES][24];
	u32 nnodes;
	char panfrost[FZ_DEVICES][24];	/* of devices that present themselves as panfrost's */
	u32 npanfrost;
	char lima[FZ_DEVICES][24];	/* the same for lima's */
	u32 nlima;
	char vc4[FZ_DEVICES][24];
	u32 nvc4;
	u8 seen[1 << 20];
};

extern struct fz_shared *fz_shared;

/* Of the calling thread. False: the kernel has no KCOV. */
bool fz_cover_start(void **handle);
void fz_cover_begin(void *handle);
void fz_cover_end(void *handle);

/* The executor's main loop: a byte from @in, a sequence, a byte to @out. Does not return. */
void fz_executor(int in, int out);

#endif
