/* SPDX-License-Identifier: GPL-2.0 */
/* Random programs and jobs for the validators: mostly valid ones, and changes of them. */
#ifndef SELFTESTS_VC4_VALGEN_H
#define SELFTESTS_VC4_VALGEN_H

#include "native/vc4/vc4_validate.h"

#define VG_ROOM		64	/* bytes after a program */
#define VG_MAX_BOS	16
#define VG_MAX_BYTES	0x8000	/* list, records, uniforms */

/* A number below @n, xorshift64*. */
u32 vg_rnd(u32 n);
void vg_seed(u64 seed);

/* ---- programs ---- */

/* Fields of an arithmetic instruction; sig and conditions that are 0 mean none and always. */
struct vg_alu {
	u32 sig, add, mul, op, op_mul, ra, rb, a, b, ma, mb, cond, pack, ws, pm;
};

u64 vg_alu(struct vg_alu f);
u64 vg_ldi(u32 waddr, u32 value);
/* Relative branch, from itself to @by instructions on; always. */
u64 vg_branch(s32 by);
u64 vg_nop(void);
u64 vg_end(void);
/* A program of up to @max instructions that is nearly always valid. Return: their number. */
u32 vg_program(u64 *words, u32 max, bool threaded);
/* Change something of @n instructions in a buffer object of @size. Return: instructions. */
u32 vg_change_program(u64 *words, u32 n, u32 size);

/* ---- jobs ---- */

/**
 * struct vg_job - A job.
 * @list:	bin list, and so on
 * @nbos:	buffer objects of the job; there is one more
 * @bytes:	their sizes
 * @va:		their addresses
 * @shader:	their programs: index in the pool or -1
 * @frame:	surfaces
 */
struct vg_job {
	u8 list[VG_MAX_BYTES];
	u8 records[VG_MAX_BYTES];
	u8 uniforms[VG_MAX_BYTES];
	u32 list_bytes;
	u32 record_bytes;
	u32 uniform_bytes;
	u32 max_records;
	u32 nbos;
	u32 bytes[VG_MAX_BOS + 1];
	u32 va[VG_MAX_BOS + 1];
	int shader[VG_MAX_BOS + 1];
	struct vc4_val_frame frame;
};

/* @pool: @n programs. */
void vg_job(struct vg_job *j, const struct vc4_shader_info *pool, u32 n);
void vg_change_job(struct vg_job *j);

/* ---- recorded programs and jobs ---- */

#define VG_PAGE_INSNS	512
#define VG_LOG_PROGRAMS	64
#define VG_LOG_JOBS	32
#define VG_MAX_HANDLES	256

/**
 * struct vg_log - What a log has.
 * @nprograms:	number of programs
 * @size:	their instructions
 * @program:	programs
 * @njobs:	number of @job
 * @job:	jobs; programs are indices of @program
 * @open:	a job is being read
 */
struct vg_log {
	u32 nprograms;
	u32 size[VG_LOG_PROGRAMS];
	u64 program[VG_LOG_PROGRAMS][VG_PAGE_INSNS];
	u32 njobs;
	struct vg_job job[VG_LOG_JOBS];
	bool open;
};

/* @l: zeros. Return: false: there is no such file. */
bool vg_read_log(struct vg_log *l, const char *path);

#endif /* SELFTESTS_VC4_VALGEN_H */
