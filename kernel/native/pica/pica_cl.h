/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * PICA200 command lists: structures that the parser, the draw builder and the phases share.
 *
 *	pica_cl.c	fetches commands, follows jumps
 *	pica_cl_regs.c	register file and the memories of the shader units
 *	pica_cl_draw.c	registers of a draw -> launch records
 *	pica_cl_job.c	memory, address space and phases of a parsed job
 *	pica_cl_geom.c	run time: vertices to the geometry unit
 *	pica_cl_prim.c	run time: primitive assembly, output map, results
 *	pica_cl_paint.c	run time: pictures, see pica_paint.h
 */
#ifndef PICA_CL_H
#define PICA_CL_H

#include "../native_ops.h"
#include "../../isa/pica/pica.h"
#include "../../isa/pica/pica_launch.h"
#include "pica_paint.h"

/* Bounds of a job. */
#define PICA_CL_MAX_WORDS	0x200000	/* words executed, jumps included */
#define PICA_CL_MAX_JUMPS	4096
#define PICA_CL_MAX_VERTICES	0x1000000	/* over all draws */
#define PICA_CL_MAX_PROGRAMS	64		/* distinct programs */
#define PICA_CL_MAX_PRIMS	512		/* per geometry invocation */
#define PICA_CL_BATCH		16384		/* vertices in scratch at a time */

/* A job's own memory, far above guest addresses. */
#define PICA_CL_VA(n)		(VS_INTERNAL_VA + ((u64)(n) << 40))
#define PICA_CL_VA_DATA		PICA_CL_VA(1)	/* fixed attributes, immediate vertices */
#define PICA_CL_VA_VERTS	PICA_CL_VA(2)	/* vertex outputs of a batch */
#define PICA_CL_VA_INDEX	PICA_CL_VA(3)	/* indices without vertex counts */
#define PICA_CL_VA_GIN		PICA_CL_VA(4)	/* inputs of a geometry invocation */
#define PICA_CL_VA_PRIMS	PICA_CL_VA(5)	/* primitives emitted by a geometry invocation */
#define PICA_CL_VA_INFO		PICA_CL_VA(6)
#define PICA_CL_VA_PROGS	PICA_CL_VA(7)	/* for debuggers */
#define PICA_CL_NUM_EXTENTS	(6 + VS_NUM_SECTIONS * PICA_CL_MAX_PROGRAMS)

/* Section of a program, DRM_VSHADER_DEBUG_UPLOADED() */
#define PICA_CL_VA_PROG(n, stage, section) \
	(PICA_CL_VA_PROGS + ((u64)(n) << 20) + ((stage) << 16) + ((section) << 14))

#define PICA_CL_GIN_ZERO	PICA_NUM_ATTRS	/* vector in GIN that stays zero */
#define PICA_CL_VERTEX_WORDS	24		/* of struct drm_vshader_pica_draw's vertices */

/* enum drm_vshader_pica_draw_flags */
#define PICA_CL_DRAW_GEOMETRY	0x1
#define PICA_CL_DRAW_INDEXED	0x2

/* struct drm_vshader_pica_draw */
struct pica_cl_header {
	u32 size;
	u32 flags;
	u32 topology;
	u32 vertices;
	u32 input_vertices;
	u32 list_offset;
	u32 pad[2];
};

/**
 * enum pica_cl_reason - reasons to reject a command list, in the fault's @code
 * @PICA_CL_OK: not rejected
 * @PICA_CL_TRUNCATED: command longer than the rest of its list
 * @PICA_CL_STEPS: too many words or jumps
 * @PICA_CL_LOADER: vertex buffer with more than 12 components
 * @PICA_CL_GS_USE: geometry stage neither off nor on
 * @PICA_CL_GS_MODE: undefined geometry mode
 * @PICA_CL_GS_CONFIG: geometry registers contradict each other
 * @PICA_CL_GS_INPUTS: inputs are not a multiple of vertex outputs
 * @PICA_CL_GS_OUTPUTS: geometry unit without outputs
 * @PICA_CL_GS_INDEX: variable mode without an index buffer
 * @PICA_CL_VERTEX_COUNT: variable mode: primitive of 0 or too many vertices
 * @PICA_CL_STRIDE: strict: stride is not the size of the components
 * @PICA_CL_UNIT_UNIFORM: strict: the fourth vertex unit has another uniform
 * @PICA_CL_GAS: gas density or gas shading
 * @PICA_CL_PROCTEX: unit 3 with a code that no public source has
 * @PICA_CL_NUM_REASONS: number of reasons
 */
enum pica_cl_reason {
	PICA_CL_OK,
	PICA_CL_TRUNCATED,
	PICA_CL_STEPS = 3,	/* 2: no such register, before 1.0 */
	PICA_CL_LOADER,
	PICA_CL_GS_USE,
	PICA_CL_GS_MODE,
	PICA_CL_GS_CONFIG,
	PICA_CL_GS_INPUTS,
	PICA_CL_GS_OUTPUTS,
	PICA_CL_GS_INDEX,
	PICA_CL_VERTEX_COUNT,
	PICA_CL_STRIDE,
	PICA_CL_UNIT_UNIFORM,
	PICA_CL_GAS,
	PICA_CL_PROCTEX,
	PICA_CL_NUM_REASONS
};

/**
 * struct pica_cl_unit - memories of a shader unit
 * @code: instruction words
 * @opdesc: operand descriptors
 * @floats: c0..c95, binary32 bits
 * @ncode: one past the highest word ever written
 * @code_pos: where the next word goes
 * @opdesc_pos: where the next descriptor goes
 * @fifo: words of the uniform being received
 * @nfifo: number of @fifo
 */
struct pica_cl_unit {
	u32 code[PICA_MAX_CODE];
	u32 opdesc[PICA_MAX_OPDESC];
	u32 floats[PICA_NUM_CONST][4];
	u32 ncode;
	u32 code_pos;
	u32 opdesc_pos;
	u32 fifo[4];
	u32 nfifo;
};

enum { PICA_CL_VSH, PICA_CL_GSH, PICA_CL_NUM_UNITS };

/**
 * struct pica_cl_state - registers of a queue
 * @base: for native.c
 * @regs: register file
 * @unit: vertex and geometry unit
 * @fixed: fixed attributes, raw 1.7.16
 * @fifo: words of the fixed attribute being received
 * @nfifo: number of @fifo
 * @luts: tables of lighting, fog, unit 3
 */
struct pica_cl_state {
	struct vs_native_state base;
	u32 regs[PICA_NUM_GPU_REGS];
	struct pica_cl_unit unit[PICA_CL_NUM_UNITS];
	u32 fixed[PICA_NUM_ATTRS][4];
	u32 fifo[3];
	u32 nfifo;
	struct pica_luts luts;
};

struct pica_cl_job;
struct pica_cl_draw;

/**
 * struct pica_cl_batch - a part of a draw that fits into scratch
 * @draw: the draw
 * @start: first entry (vertex or index) of the draw
 * @count: entries
 */
struct pica_cl_batch {
	struct pica_cl_draw *draw;
	u32 start;
	u32 count;
};

/**
 * struct pica_cl_geom - geometry stage of a draw
 * @gs: launch
 * @mode: enum pica_gs_mode
 * @nattrs: vectors that a vertex gives to the unit
 * @ninputs: point mode: vectors of an invocation
 * @nverts: fixed mode: vertices of an invocation
 * @nmain: variable mode: vertices given with all their vectors
 * @row: first uniform row that vertices go to
 * @npacked: vectors of an emitted vertex
 * @unif: uniforms as uploaded, in the model's representation
 * @changed: rows uploaded since the previous draw with a geometry stage
 */
struct pica_cl_geom {
	struct vs_launch gs;
	u32 mode;
	u32 nattrs;
	u32 ninputs;
	u32 nverts;
	u32 nmain;
	u32 row;
	u32 npacked;
	const u32 *unif;
	u32 changed[PICA_NUM_CONST / 32];
};

/**
 * struct pica_cl_draw - a draw, ready to run
 * @next: following draw
 * @job: its job
 * @batch: parts
 * @nbatches: number of @batch
 * @num: draw number
 * @list_offset: of the draw command, relative to the list
 * @flags: PICA_CL_DRAW_*
 * @topology: enum pica_topology
 * @count: vertices, or indices
 * @restart: primitive assembly starts anew
 * @refill: the geometry stage's collection of vertices starts anew
 * @nstored: vectors that the vertex stage stores for a vertex
 * @noutmap: vectors that have semantics
 * @outmap: semantic of each component
 * @vs: launch
 * @index_va: variable mode: the guest's indices (those of @vs are the job's own)
 * @index_size: bytes of one
 * @geom: geometry stage, or NULL
 * @frag: state of its picture, or NULL: it has none
 */
struct pica_cl_draw {
	struct pica_cl_draw *next;
	struct pica_cl_job *job;
	struct pica_cl_batch *batch;
	u32 nbatches;
	u32 num;
	u32 list_offset;
	u32 flags;
	u32 topology;
	u32 count;
	bool restart;
	bool refill;
	u32 nstored;
	u32 noutmap;
	u8 outmap[PICA_MAX_OUTMAP][4];
	struct vs_launch vs;
	u64 index_va;
	u32 index_size;
	struct pica_cl_geom *geom;
	const struct pica_frag *frag;
};

/**
 * struct pica_cl_prim - primitive assembly
 * @buf: vertices waiting
 * @index: next place in @buf
 * @ready: strip or fan has its first two vertices
 * @invert: the next triangle is wound the other way
 */
struct pica_cl_prim {
	u32 buf[2][PICA_CL_VERTEX_WORDS];
	u32 index;
	bool ready;
	bool invert;
};

/**
 * struct pica_cl_feed - vertices on their way to the geometry unit
 * @fill: point mode: vectors received
 * @verts: vertices still missing
 * @index: variable mode, while indices are sorted: the same as @verts
 * @nmain: variable mode: vertices still to be taken whole
 * @row: uniform row that comes next
 * @pos: next vertex of the batch
 * @nverts: vertices of the batch
 * @ncounts: vertex counts of the batch
 * @count_pos: next of them
 */
struct pica_cl_feed {
	u32 fill;
	u32 verts;
	u32 index;
	u32 nmain;
	u32 row;
	u32 pos;
	u32 nverts;
	u32 ncounts;
	u32 count_pos;
};

/**
 * struct pica_cl_run - state while the job runs
 * @out: bytes written at the output address
 * @header: where the current draw's header goes
 * @vertices: vertices of the current draw written
 * @inputs: vertices of the current draw that went through the vertex stage
 * @pos: next vertex or index of the batch being worked on
 * @last_index: variable mode: last index seen
 * @b15: a geometry invocation of this draw has ended
 * @prim: primitive assembly
 * @feed: vertices for the geometry unit
 * @unif: uniforms of the geometry unit
 * @vertex: scratch
 * @tri: scratch
 * @queued: triangles of an invocation that wait to be drawn
 * @drawn: those of them that have been
 */
struct pica_cl_run {
	u64 out;
	u64 header;
	u32 vertices;
	u32 inputs;
	u32 pos;
	u32 last_index;
	bool b15;
	struct pica_cl_prim prim;
	struct pica_cl_feed feed;
	u32 unif[PICA_NUM_CONST][4];
	u32 vertex[PICA_CL_VERTEX_WORDS];
	u32 tri[3][PICA_CL_VERTEX_WORDS];
	u32 queued;
	u32 drawn;
};

/**
 * struct pica_cl_prog - a program that draws of the job use
 * @next: the one created before it
 * @program: program
 * @hash: of its words
 * @va: PICA_CL_VA_PROG() of its code
 */
struct pica_cl_prog {
	struct pica_cl_prog *next;
	struct vs_program *program;
	u64 hash;
	u64 va;
};

struct pica_cl_block;

/**
 * struct pica_cl_job - a parsed command list
 * @base: for native.c
 * @map: guest memory and scratch
 * @ext: scratch
 * @output_va: results
 * @output_size: room for them
 * @list_va: address of the command list
 * @draws: draws
 * @tail: where the next draw goes
 * @ndraws: number of @draws
 * @phases: phases of all draws
 * @progs: programs
 * @nprogs: number of @progs
 * @blocks: memory, freed with the job
 * @memory: bytes of everything
 * @max_memory: bound
 * @strays: writes to registers that do not exist
 * @data: contents of PICA_CL_VA_DATA
 * @data_size: bytes used
 * @data_room: bytes allocated
 * @verts_words: size of vertex scratch
 * @has_index: index scratch is needed
 * @prims_words: size of primitive scratch, 0: none
 * @verts: vertex scratch
 * @index: index scratch
 * @counts: vertex counts, variable mode
 * @gin: geometry inputs
 * @prims: emitted primitives
 * @info: their flags
 * @paints: a draw has a picture
 * @paint: state of painting, with @paints
 * @queue: triangles of a geometry invocation, with @paints
 * @run: state while the job runs
 */
struct pica_cl_job {
	struct vs_native base;
	struct vs_map map;
	struct vs_extent ext[PICA_CL_NUM_EXTENTS];
	u64 output_va;
	u64 output_size;
	u64 list_va;
	struct pica_cl_draw *draws;
	struct pica_cl_draw **tail;
	u32 ndraws;
	u32 phases;
	struct pica_cl_prog *progs;
	u32 nprogs;
	struct pica_cl_block *blocks;
	u64 memory;
	u64 max_memory;
	u32 strays;
	u8 *data;
	u32 data_size;
	u32 data_room;
	u32 verts_words;
	bool has_index;
	u32 prims_words;
	u32 *verts;
	u32 *index;
	u32 *counts;
	u32 *gin;
	u32 *prims;
	u32 *info;
	bool paints;
	struct pica_paint *paint;
	u32 (*queue)[3][PICA_CL_VERTEX_WORDS];
	struct pica_cl_run run;
};

/**
 * struct pica_cl_parser - parsing of a job
 * @in: the job as submitted
 * @job: the job being built
 * @s: working copy of the queue's registers
 * @fault: where faults go
 * @list_va: address of the list being executed
 * @pos: next word of it
 * @nwords: its words
 * @jumped: it is not the list that the job was submitted with
 * @win: words read ahead
 * @win_pos: first of them
 * @win_n: how many
 * @steps: words executed
 * @jumps: jumps taken
 * @cmd_va: address of the current command's header
 * @cmd: the current command's header
 * @leave: give up the current list: jump taken
 * @stop: end of the job
 * @vertices: vertices of all draws
 * @restart: primitive assembly was restarted since the last draw
 * @refill: geometry collection was restarted since the last draw
 * @pending: point and fixed mode: vertices collected, to know when b15 turns true
 * @feed_key: geometry configuration that @pending belongs to
 * @changed: geometry uniform rows uploaded since the last draw that uses them
 * @fed: geometry uniform rows that hold vertices of a draw of this job
 * @imm: immediate mode: attributes of the vertex being received
 * @imm_attr: number of them
 * @imm_vertices: complete vertices
 * @imm_data: where they start in the job's data
 * @imm_stride: bytes of one
 * @imm_cmd_va: command that began them
 * @last_unif: uniforms of the last vertex launch
 * @last_frag: state of the last picture
 * @last_luts: its tables
 * @frag_stale: registers of pictures were written since
 * @luts_stale: tables were written since
 * @unif: scratch
 */
struct pica_cl_parser {
	const struct vs_native_in *in;
	struct pica_cl_job *job;
	struct pica_cl_state *s;
	struct vs_fault *fault;
	u64 list_va;
	u32 pos;
	u32 nwords;
	bool jumped;
	u32 win[256];
	u32 win_pos;
	u32 win_n;
	u32 steps;
	u32 jumps;
	u64 cmd_va;
	u32 cmd;
	bool leave;
	bool stop;
	u32 vertices;
	bool restart;
	bool refill;
	u32 pending;
	u32 feed_key;
	u32 changed[PICA_NUM_CONST / 32];
	u32 fed[PICA_NUM_CONST / 32];
	u32 imm[PICA_NUM_ATTRS][4];
	u32 imm_attr;
	u32 imm_vertices;
	u32 imm_data;
	u32 imm_stride;
	u64 imm_cmd_va;
	const u32 *last_unif;
	const struct pica_frag *last_frag;
	const struct pica_luts *last_luts;
	bool frag_stale;
	bool luts_stale;
	u32 unif[4 * PICA_NUM_CONST];
};

/* pica_cl.c */
int pica_cl_reject(struct pica_cl_parser *p, enum pica_cl_reason reason);
int pica_cl_jump(struct pica_cl_parser *p, u32 channel);

/* pica_cl_regs.c */
int pica_cl_write(struct pica_cl_parser *p, u32 id, u32 value, u32 mask);
int pica_cl_flush(struct pica_cl_parser *p);

/* pica_cl_draw.c */
enum pica_cl_kind { PICA_CL_ARRAYS, PICA_CL_ELEMENTS, PICA_CL_IMMEDIATE };
int pica_cl_draw(struct pica_cl_parser *p, enum pica_cl_kind kind);

/* pica_cl_job.c */
struct pica_cl_job *pica_cl_job_new(const struct vs_native_in *in);
void *pica_cl_alloc(struct pica_cl_job *job, u64 size, int *err);
int pica_cl_charge(struct pica_cl_job *job, const struct pica_cl_draw *d);
int pica_cl_data(struct pica_cl_job *job, const void *bytes, u32 size, u64 *va);
int pica_cl_job_finish(struct pica_cl_job *job, const struct vs_map *guest);
void pica_cl_job_free(struct vs_native *n);
const struct vs_map *pica_cl_job_map(const struct vs_native *n);
u32 pica_cl_job_phases(const struct vs_native *n);
int pica_cl_job_add(struct vs_native *n, struct vs_job *job);
u64 pica_cl_job_memory(const struct vs_native *n);
u32 pica_cl_job_strays(const struct vs_native *n);

/* pica_cl_geom.c */
extern const struct vs_serial_ops pica_cl_gs_ops;
void pica_cl_gs_begin(struct pica_cl_draw *d);
enum vs_run pica_cl_sort_indices(struct vs_job *job, void *arg);

/* pica_cl_paint.c */
int pica_cl_frag(struct pica_cl_parser *p, struct pica_cl_draw *d);
void pica_cl_lut(struct pica_cl_parser *p, u32 id, u32 word);
void pica_cl_paint_begin(struct pica_cl_draw *d);
void pica_cl_paint_triangle(struct pica_cl_draw *d);
bool pica_cl_paint(struct vs_job *job, struct pica_cl_draw *d, u64 *left);
u32 pica_cl_gs_busy(struct vs_job *job, void *arg);
enum vs_run pica_cl_paint_rest(struct vs_job *job, void *arg);

/* pica_cl_prim.c */
void pica_cl_fault(struct vs_job *job, struct pica_cl_draw *d, struct vs_fault *f);
bool pica_cl_vertex(struct vs_job *job, struct pica_cl_draw *d, const u32 *vec, u32 nvec);
enum vs_run pica_cl_draw_begin(struct vs_job *job, void *arg);
enum vs_run pica_cl_draw_batch(struct vs_job *job, void *arg);
enum vs_run pica_cl_draw_end(struct vs_job *job, void *arg);
enum vs_run pica_cl_list_end(struct vs_job *job, void *arg);

#endif /* PICA_CL_H */
