/* SPDX-License-Identifier: MIT */
#ifndef _UAPI_VSHADER_DRM_DEBUG_H_
#define _UAPI_VSHADER_DRM_DEBUG_H_

#include "vshader_drm.h"

#if defined(__cplusplus)
extern "C" {
#endif

/**
 * DOC: Debugging
 *
 * %DRM_IOCTL_VSHADER_DEBUG_ATTACH gives a file descriptor for one queue that was created
 * with %DRM_VSHADER_QUEUE_DEBUG. Jobs of the queue run until a breakpoint, a watchpoint, the
 * end of a step, an interrupt or a fault stops them; then everything of the job stands
 * still and can be read and changed, until %DRM_IOCTL_VSHADER_DEBUG_RESUME. Jobs of other
 * queues go on.
 *
 * read() returns events, each a &struct drm_vshader_debug_event, whole ones only (-EINVAL if
 * there is no room for one). Without events it blocks, or fails with -EAGAIN if the file
 * descriptor has %O_NONBLOCK, which fcntl() sets. poll() reports %EPOLLIN if there are events
 * and %EPOLLHUP if the queue is gone; read() without events then returns 0, end of file,
 * although the end of the queue's job may still be reported later. No event is lost silently:
 * %DRM_VSHADER_DEBUG_EVENT_OVERFLOW reports the number of events that found no room.
 *
 * Instructions are counted as in &drm_vshader_fault.pc; one instruction
 * is a unit that the hardware executes as a whole: a clause of Bifrost, a bundle of Midgard. A job
 * stops before an instruction, except at faults.
 *
 * The instructions of Bifrost, Midgard and Utgard's pixel processor consist of operations. Steps
 * by operations (%DRM_VSHADER_DEBUG_STEP_OPERATION), traces with
 * %DRM_VSHADER_DEBUG_TRACE_OPERATIONS and watchpoints stop between them, too: @part of an
 * invocation is then the number of its next operation, which counts from 0 in each instruction
 * as the disassembler prints them, without NOPs. For the other engines it is always 0.
 *
 * Fences: a job of such a queue may stand still for as long as its debugger wants, up to the
 * limit given at DEBUG_ATTACH. So that nobody else ever waits for it, a job with a signal
 * operation is refused (-EINVAL), and jobs put no fences into the reservation objects of
 * buffers; neither do they wait for accesses of others. The end of a job is reported by an
 * event, by its result in memory and by %DRM_IOCTL_VSHADER_QUEUE_GET_STATE. Explicit waits
 * are allowed.
 *
 * A job that has been started ends (%DRM_VSHADER_FAULT_CANCELED) when the debugger's file
 * descriptor is closed, unless it was told to let go by %DRM_VSHADER_DEBUG_DETACH.
 */

/**
 * enum drm_vshader_debug_ioctl_id - Numbers of the ioctls of the debug file descriptor.
 *
 * Place new ones at the end, don't re-order.
 */
enum drm_vshader_debug_ioctl_id {
	/** @DRM_VSHADER_DEBUG_SET_POINT: Set or change a breakpoint or watchpoint. */
	DRM_VSHADER_DEBUG_SET_POINT = 0,
	/** @DRM_VSHADER_DEBUG_CLEAR_POINT: Remove one of them, or all. */
	DRM_VSHADER_DEBUG_CLEAR_POINT,
	/** @DRM_VSHADER_DEBUG_GET_POINT: Get one of them, with its hit count. */
	DRM_VSHADER_DEBUG_GET_POINT,
	/** @DRM_VSHADER_DEBUG_INTERRUPT: Stop before the next instruction. */
	DRM_VSHADER_DEBUG_INTERRUPT,
	/** @DRM_VSHADER_DEBUG_RESUME: Continue, step, end the job, or let go. */
	DRM_VSHADER_DEBUG_RESUME,
	/** @DRM_VSHADER_DEBUG_GET_STOP: Whether the job is stopped, where and why. */
	DRM_VSHADER_DEBUG_GET_STOP,
	/** @DRM_VSHADER_DEBUG_INVOCATIONS: The invocations that are being executed. */
	DRM_VSHADER_DEBUG_INVOCATIONS,
	/** @DRM_VSHADER_DEBUG_REGISTERS: Read or write registers of an invocation. */
	DRM_VSHADER_DEBUG_REGISTERS,
	/** @DRM_VSHADER_DEBUG_MEMORY: Read or write the job's address space. */
	DRM_VSHADER_DEBUG_MEMORY,
	/** @DRM_VSHADER_DEBUG_TRACE: Start or end tracing, and read the records. */
	DRM_VSHADER_DEBUG_TRACE,
};

/*
 * The debug file descriptor is no DRM file, and its ioctls are not of DRM's type 'd'. No other
 * interface uses this type (Documentation/userspace-api/ioctl/ioctl-number.rst of the kernel).
 */
#define DRM_VSHADER_DEBUG_IOCTL_BASE	0xD5

#define DRM_IOCTL_VSHADER_DEBUG(__id, __type) \
	_IOWR(DRM_VSHADER_DEBUG_IOCTL_BASE, DRM_VSHADER_DEBUG_ ## __id, \
	      struct drm_vshader_debug_ ## __type)

#define DRM_IOCTL_VSHADER_DEBUG_SET_POINT \
	DRM_IOCTL_VSHADER_DEBUG(SET_POINT, point)
#define DRM_IOCTL_VSHADER_DEBUG_CLEAR_POINT \
	DRM_IOCTL_VSHADER_DEBUG(CLEAR_POINT, clear_point)
#define DRM_IOCTL_VSHADER_DEBUG_GET_POINT \
	DRM_IOCTL_VSHADER_DEBUG(GET_POINT, point)
#define DRM_IOCTL_VSHADER_DEBUG_INTERRUPT \
	DRM_IOCTL_VSHADER_DEBUG(INTERRUPT, interrupt)
#define DRM_IOCTL_VSHADER_DEBUG_RESUME \
	DRM_IOCTL_VSHADER_DEBUG(RESUME, resume)
#define DRM_IOCTL_VSHADER_DEBUG_GET_STOP \
	DRM_IOCTL_VSHADER_DEBUG(GET_STOP, stop)
#define DRM_IOCTL_VSHADER_DEBUG_INVOCATIONS \
	DRM_IOCTL_VSHADER_DEBUG(INVOCATIONS, invocations)
#define DRM_IOCTL_VSHADER_DEBUG_REGISTERS \
	DRM_IOCTL_VSHADER_DEBUG(REGISTERS, registers)
#define DRM_IOCTL_VSHADER_DEBUG_MEMORY \
	DRM_IOCTL_VSHADER_DEBUG(MEMORY, memory)
#define DRM_IOCTL_VSHADER_DEBUG_TRACE \
	DRM_IOCTL_VSHADER_DEBUG(TRACE, trace)

/** enum drm_vshader_debug_kind - Types of register components. */
enum drm_vshader_debug_kind {
	/** @DRM_VSHADER_DEBUG_KIND_BITS: Bits of any meaning. */
	DRM_VSHADER_DEBUG_KIND_BITS = 0,
	/** @DRM_VSHADER_DEBUG_KIND_FLOAT: binary32. */
	DRM_VSHADER_DEBUG_KIND_FLOAT = 1,
	/** @DRM_VSHADER_DEBUG_KIND_INT: Integers with a sign. */
	DRM_VSHADER_DEBUG_KIND_INT = 2,
	/** @DRM_VSHADER_DEBUG_KIND_PREDICATE: 0 or 1. */
	DRM_VSHADER_DEBUG_KIND_PREDICATE = 3,
	/** @DRM_VSHADER_DEBUG_KIND_ADDRESS: Addresses or offsets. */
	DRM_VSHADER_DEBUG_KIND_ADDRESS = 4,
};

/** enum drm_vshader_debug_bank_flags - Flags of a register bank. */
enum drm_vshader_debug_bank_flags {
	/** @DRM_VSHADER_DEBUG_BANK_WRITABLE: Registers can be written. */
	DRM_VSHADER_DEBUG_BANK_WRITABLE = 1 << 0,
	/** @DRM_VSHADER_DEBUG_BANK_UNIFORM: The same for all invocations of a job. */
	DRM_VSHADER_DEBUG_BANK_UNIFORM = 1 << 1,
	/** @DRM_VSHADER_DEBUG_BANK_MINOR: Rarely of interest. */
	DRM_VSHADER_DEBUG_BANK_MINOR = 1 << 2,
	/** @DRM_VSHADER_DEBUG_BANK_LANES: Components are lanes, not x, y, z, w. */
	DRM_VSHADER_DEBUG_BANK_LANES = 1 << 3,
};

/**
 * struct drm_vshader_debug_bank - Registers of one kind of an engine.
 */
struct drm_vshader_debug_bank {
	/** @engine: &enum drm_vshader_engine. */
	__u32 engine;
	/** @first: Number of the first register. */
	__u32 first;
	/** @count: Registers. */
	__u32 count;
	/** @components: Components of a register, at most 16; each is read as 32 bits. */
	__u32 components;
	/** @bits: Bits that a component has. */
	__u32 bits;
	/** @kind: &enum drm_vshader_debug_kind. */
	__u32 kind;
	/** @flags: Bits of &enum drm_vshader_debug_bank_flags. */
	__u32 flags;
	/** @name_base: Number in the name of the first register. */
	__u32 name_base;
	/** @name: Name; with @count above 1 a number follows, from @name_base on. */
	char name[16];
};

/** enum drm_vshader_debug_point_kind - Kinds of points. */
enum drm_vshader_debug_point_kind {
	/** @DRM_VSHADER_DEBUG_BREAK: Stop in front of an instruction. */
	DRM_VSHADER_DEBUG_BREAK = 0,
	/** @DRM_VSHADER_DEBUG_WATCH: Stop after an access to a range of memory. */
	DRM_VSHADER_DEBUG_WATCH = 1,
	/**
	 * @DRM_VSHADER_DEBUG_SPECIAL: Stop after an operation whose result is a NaN or an infinity
	 * although none of its operands is.
	 */
	DRM_VSHADER_DEBUG_SPECIAL = 2,
};

/** enum drm_vshader_debug_point_flags - Flags of a point. */
enum drm_vshader_debug_point_flags {
	/** @DRM_VSHADER_DEBUG_POINT_ONE_SHOT: Removed when it stops a job. */
	DRM_VSHADER_DEBUG_POINT_ONE_SHOT = 1 << 0,
	/** @DRM_VSHADER_DEBUG_POINT_DISABLED: Stops nothing. */
	DRM_VSHADER_DEBUG_POINT_DISABLED = 1 << 1,
	/** @DRM_VSHADER_DEBUG_POINT_FILTER: Only for invocations @first to @last. */
	DRM_VSHADER_DEBUG_POINT_FILTER = 1 << 2,
	/** @DRM_VSHADER_DEBUG_POINT_READ: Watchpoints: reads. */
	DRM_VSHADER_DEBUG_POINT_READ = 1 << 3,
	/** @DRM_VSHADER_DEBUG_POINT_WRITE: Watchpoints: writes. */
	DRM_VSHADER_DEBUG_POINT_WRITE = 1 << 4,
};

/**
 * struct drm_vshader_debug_point - Arguments of DRM_IOCTL_VSHADER_DEBUG_SET_POINT and
 * DRM_IOCTL_VSHADER_DEBUG_GET_POINT.
 *
 * They can be set at any time; a running job takes notice within a slice. Errors: -ENOENT no
 * point @id, -E2BIG more than 64 of them, -EOPNOTSUPP watchpoints for an engine whose programs
 * do not access memory.
 */
struct drm_vshader_debug_point {
	/** @id: In/out. 0: a new one. */
	__u32 id;
	/** @kind: &enum drm_vshader_debug_point_kind. */
	__u32 kind;
	/** @flags: Bits of &enum drm_vshader_debug_point_flags. */
	__u32 flags;
	/** @program: Only in jobs of this program, 0: any (also native jobs). */
	__u32 program;
	/** @pc: Breakpoints: instruction. Else MBZ. */
	__u32 pc;
	/** @ignore: How often the point is still to be passed. */
	__u32 ignore;
	/** @first: With FILTER: first invocation. */
	__u64 first;
	/** @last: With FILTER: last invocation. */
	__u64 last;
	/** @va: Watchpoints: address. Else MBZ. */
	__u64 va;
	/** @size: Watchpoints: bytes, not 0. Else MBZ. */
	__u64 size;
	/** @hits: Out. How often it was reached, passed or not. */
	__u64 hits;
};

/** struct drm_vshader_debug_clear_point - Arguments of DRM_IOCTL_VSHADER_DEBUG_CLEAR_POINT. */
struct drm_vshader_debug_clear_point {
	/** @id: In. Point, 0: all. */
	__u32 id;
	/** @pad: MBZ. */
	__u32 pad;
};

/**
 * struct drm_vshader_debug_interrupt - Arguments of DRM_IOCTL_VSHADER_DEBUG_INTERRUPT.
 *
 * Succeeds at once; the job stops soon, or the next one at its first instruction.
 */
struct drm_vshader_debug_interrupt {
	/** @flags: In. MBZ. */
	__u32 flags;
	/** @pad: MBZ. */
	__u32 pad;
};

/** enum drm_vshader_debug_action - Ways to resume. */
enum drm_vshader_debug_action {
	/** @DRM_VSHADER_DEBUG_CONTINUE: Run until something stops the job. */
	DRM_VSHADER_DEBUG_CONTINUE = 0,
	/**
	 * @DRM_VSHADER_DEBUG_STEP: Until @invocation has executed @count instructions and is
	 * to execute another one, or has ended. Other invocations run as they would anyway.
	 */
	DRM_VSHADER_DEBUG_STEP = 1,
	/** @DRM_VSHADER_DEBUG_STEP_OVER: The same, but calls count as one instruction. */
	DRM_VSHADER_DEBUG_STEP_OVER = 2,
	/** @DRM_VSHADER_DEBUG_STEP_OUT: Until @invocation has returned from its function. */
	DRM_VSHADER_DEBUG_STEP_OUT = 3,
	/** @DRM_VSHADER_DEBUG_UNTIL: Until @invocation is at @pc, or has ended. */
	DRM_VSHADER_DEBUG_UNTIL = 4,
	/** @DRM_VSHADER_DEBUG_KILL: End the job with %DRM_VSHADER_FAULT_CANCELED. */
	DRM_VSHADER_DEBUG_KILL = 5,
	/** @DRM_VSHADER_DEBUG_DETACH: Run; nothing stops this or any other job any more. */
	DRM_VSHADER_DEBUG_DETACH = 6,
	/** @DRM_VSHADER_DEBUG_JUMP: @invocation will go on at @pc; the job stays stopped. */
	DRM_VSHADER_DEBUG_JUMP = 7,
	/** @DRM_VSHADER_DEBUG_STEP_OPERATION: As STEP, but @count counts operations. */
	DRM_VSHADER_DEBUG_STEP_OPERATION = 8,
};

/**
 * struct drm_vshader_debug_resume - Arguments of DRM_IOCTL_VSHADER_DEBUG_RESUME.
 *
 * Errors: -EAGAIN the job is not stopped (KILL and DETACH: never), -ENOENT no such
 * invocation is being executed, -EINVAL STEP_OUT outside of functions. JUMP: -EOPNOTSUPP the
 * engine cannot, -EINVAL no instruction begins there, or the job has faulted, -EBUSY the
 * invocation waits at a barrier.
 */
struct drm_vshader_debug_resume {
	/** @action: In. &enum drm_vshader_debug_action. */
	__u32 action;
	/** @pc: In. UNTIL, JUMP: instruction. Else MBZ. */
	__u32 pc;
	/**
	 * @count: In. STEP, STEP_OVER: instructions, STEP_OPERATION: operations; 0 counts as 1.
	 * Else MBZ.
	 */
	__u32 count;
	/** @pad: MBZ. */
	__u32 pad;
	/**
	 * @invocation: In. STEP, STEP_OVER, STEP_OUT, UNTIL, JUMP, STEP_OPERATION: which. Else MBZ.
	 */
	__u64 invocation;
};

/** enum drm_vshader_debug_reason - Why a job stopped. */
enum drm_vshader_debug_reason {
	/** @DRM_VSHADER_DEBUG_REASON_NONE: It is not stopped. */
	DRM_VSHADER_DEBUG_REASON_NONE = 0,
	/** @DRM_VSHADER_DEBUG_REASON_START: It is about to start. */
	DRM_VSHADER_DEBUG_REASON_START = 1,
	/** @DRM_VSHADER_DEBUG_REASON_BREAK: Breakpoint. */
	DRM_VSHADER_DEBUG_REASON_BREAK = 2,
	/** @DRM_VSHADER_DEBUG_REASON_WATCH: Watchpoint. */
	DRM_VSHADER_DEBUG_REASON_WATCH = 3,
	/** @DRM_VSHADER_DEBUG_REASON_STEP: A step of any kind is done. */
	DRM_VSHADER_DEBUG_REASON_STEP = 4,
	/** @DRM_VSHADER_DEBUG_REASON_ENDED: The invocation that was to step has ended. */
	DRM_VSHADER_DEBUG_REASON_ENDED = 5,
	/** @DRM_VSHADER_DEBUG_REASON_INTERRUPT: Interrupted. */
	DRM_VSHADER_DEBUG_REASON_INTERRUPT = 6,
	/** @DRM_VSHADER_DEBUG_REASON_FAULT: It faulted and can only end. */
	DRM_VSHADER_DEBUG_REASON_FAULT = 7,
	/** @DRM_VSHADER_DEBUG_REASON_TRACE: The trace buffer is full. */
	DRM_VSHADER_DEBUG_REASON_TRACE = 8,
	/** @DRM_VSHADER_DEBUG_REASON_SPECIAL: A NaN or an infinity has been produced. */
	DRM_VSHADER_DEBUG_REASON_SPECIAL = 9,
};

/** enum drm_vshader_debug_state - States of a debugged queue. */
enum drm_vshader_debug_state {
	/** @DRM_VSHADER_DEBUG_STATE_IDLE: No job has been started. */
	DRM_VSHADER_DEBUG_STATE_IDLE = 0,
	/** @DRM_VSHADER_DEBUG_STATE_RUNNING: A job runs. */
	DRM_VSHADER_DEBUG_STATE_RUNNING = 1,
	/** @DRM_VSHADER_DEBUG_STATE_STOPPED: A job is stopped. */
	DRM_VSHADER_DEBUG_STATE_STOPPED = 2,
	/** @DRM_VSHADER_DEBUG_STATE_GONE: The queue has been destroyed. */
	DRM_VSHADER_DEBUG_STATE_GONE = 3,
};

/**
 * struct drm_vshader_debug_stop - Arguments of DRM_IOCTL_VSHADER_DEBUG_GET_STOP, all out.
 *
 * But for @state everything is of the last stop.
 */
struct drm_vshader_debug_stop {
	/** @state: &enum drm_vshader_debug_state. */
	__u32 state;
	/** @reason: &enum drm_vshader_debug_reason. */
	__u32 reason;
	/** @job: Number of the job on its queue. */
	__u64 job;
	/** @program: Its program, 0 in native jobs. */
	__u32 program;
	/**
	 * @pc: Next instruction; of a fault the one at fault, ~0 outside a program; of WATCH and
	 * SPECIAL ~0 after the last instruction.
	 */
	__u32 pc;
	/**
	 * @code_va: Where instruction @code_pc is in memory; 0: in the program object. Blend
	 * programs of a fragment program follow it in the order of numbers. Programs that
	 * a native job uploads are at DRM_VSHADER_DEBUG_UPLOADED() of section 0.
	 */
	__u64 code_va;
	/** @invocation: Invocation that the stop is about. */
	__u64 invocation;
	/** @point: Point that stopped it, 0 if it was none. */
	__u32 point;
	/** @group: Invocations with this number execute the instruction together. */
	__u32 group;
	/** @active: How many they are. */
	__u32 active;
	/** @access_pc: WATCH, SPECIAL: instruction that did it. */
	__u32 access_pc;
	/** @access_flags: Watchpoints: READ or WRITE of the point flags. */
	__u32 access_flags;
	/** @access_size: Watchpoints: bytes accessed. */
	__u32 access_size;
	/** @part: Next operation of the instruction @pc. */
	__u32 part;
	/** @access_part: WATCH, SPECIAL: operation of the instruction @access_pc. */
	__u32 access_part;
	/** @access_va: Watchpoints: address accessed. */
	__u64 access_va;
	/** @event: Sequence number of the stop's event. */
	__u64 event;
	/** @fault: Faults: the fault record. */
	struct drm_vshader_fault fault;
	/** @code_pc: First instruction of the program that @pc is in. */
	__u32 code_pc;
	/** @pad: 0. */
	__u32 pad;
};

/** enum drm_vshader_debug_inv_state - States of an invocation. */
enum drm_vshader_debug_inv_state {
	/** @DRM_VSHADER_DEBUG_INV_CURRENT: It executes the instruction of the stop. */
	DRM_VSHADER_DEBUG_INV_CURRENT = 0,
	/** @DRM_VSHADER_DEBUG_INV_READY: It waits for its turn. */
	DRM_VSHADER_DEBUG_INV_READY = 1,
	/** @DRM_VSHADER_DEBUG_INV_WAIT: It waits at a barrier, semaphore or the like. */
	DRM_VSHADER_DEBUG_INV_WAIT = 2,
};

/** enum drm_vshader_debug_inv_flags - Flags of an invocation. */
enum drm_vshader_debug_inv_flags {
	/** @DRM_VSHADER_DEBUG_INV_HELPER: Without effects: killed, or there for derivatives. */
	DRM_VSHADER_DEBUG_INV_HELPER = 1 << 0,
};

/** struct drm_vshader_debug_invocation - An invocation that is being executed. */
struct drm_vshader_debug_invocation {
	/** @invocation: Its number. QPU: the thread. */
	__u64 invocation;
	/** @pc: Next instruction. */
	__u32 pc;
	/** @state: &enum drm_vshader_debug_inv_state. */
	__u32 state;
	/** @group: Those with the same number execute in lockstep now. */
	__u32 group;
	/** @lane: Its place among those that execute side by side. QPU: number of the QPU. */
	__u32 lane;
	/** @depth: Functions that it is in. */
	__u32 depth;
	/** @flags: Bits of &enum drm_vshader_debug_inv_flags. */
	__u32 flags;
	/** @part: Next operation of the instruction @pc. */
	__u32 part;
	/** @pad: 0. */
	__u32 pad;
};

/**
 * struct drm_vshader_debug_invocations - Arguments of DRM_IOCTL_VSHADER_DEBUG_INVOCATIONS.
 *
 * Invocations that have not started or have ended are not shown. -EAGAIN: not stopped.
 */
struct drm_vshader_debug_invocations {
	/** @count: In: room at @array. Out: how many there are, at most 1024. */
	__u32 count;
	/** @pad: MBZ. */
	__u32 pad;
	/** @array: In. User pointer to &struct drm_vshader_debug_invocation. */
	__u64 array;
};

/** enum drm_vshader_debug_access_flags - Flags of REGISTERS and MEMORY. */
enum drm_vshader_debug_access_flags {
	/** @DRM_VSHADER_DEBUG_ACCESS_WRITE: Write; otherwise read. */
	DRM_VSHADER_DEBUG_ACCESS_WRITE = 1 << 0,
};

/**
 * struct drm_vshader_debug_registers - Arguments of DRM_IOCTL_VSHADER_DEBUG_REGISTERS.
 *
 * Errors: -EAGAIN not stopped, -ENOENT no such invocation or register, -EINVAL @words is not
 * the sum of the registers' components, -EACCES write to a read-only register.
 */
struct drm_vshader_debug_registers {
	/** @invocation: In. Which. */
	__u64 invocation;
	/** @first: In. First register, as in &struct drm_vshader_debug_bank. */
	__u32 first;
	/** @count: In. Registers, numbered on from @first; at most 256. */
	__u32 count;
	/** @flags: In. Bits of &enum drm_vshader_debug_access_flags. */
	__u32 flags;
	/** @words: In. Words at @values: the components of all of them. */
	__u32 words;
	/** @values: In. User pointer to __u32. */
	__u64 values;
};

/**
 * DRM_VSHADER_DEBUG_UPLOADED() - Address of a program that a native job uploads by commands.
 * @__n: Program, from 0; a job's programs are numbered in the order in which draws use them first.
 * @__stage: Its &enum drm_vshader_stage.
 * @__section: &enum drm_vshader_section.
 *
 * The words can be read as memory while the job is stopped, not changed, from the job's first stop
 * on. PICA200 command lists have such programs: the contents of a shader unit's memories at a draw.
 */
#define DRM_VSHADER_DEBUG_UPLOADED(__n, __stage, __section) \
	(0x1000070000000000ULL + ((__u64)(__n) << 20) + ((__stage) << 16) + ((__section) << 14))

/**
 * struct drm_vshader_debug_memory - Arguments of DRM_IOCTL_VSHADER_DEBUG_MEMORY.
 *
 * The address space is that of the job, with its memory for threads and workgroups.
 * Errors: -EAGAIN not stopped, -EFAULT nothing is mapped at @va or it cannot be written.
 */
struct drm_vshader_debug_memory {
	/** @va: In. Address. */
	__u64 va;
	/** @size: In: bytes, at most 64 KiB. Out: bytes up to where the mapping ends. */
	__u64 size;
	/** @data: In. User pointer. */
	__u64 data;
	/** @flags: In. Bits of &enum drm_vshader_debug_access_flags. */
	__u32 flags;
	/** @pad: MBZ. */
	__u32 pad;
};

/** enum drm_vshader_debug_trace_flags - Flags of TRACE. */
enum drm_vshader_debug_trace_flags {
	/** @DRM_VSHADER_DEBUG_TRACE_ON: Trace from now on; otherwise not. */
	DRM_VSHADER_DEBUG_TRACE_ON = 1 << 0,
	/** @DRM_VSHADER_DEBUG_TRACE_FILTER: Only instructions that match the filter fields. */
	DRM_VSHADER_DEBUG_TRACE_FILTER = 1 << 1,
	/** @DRM_VSHADER_DEBUG_TRACE_ACCESSES: Accesses to memory, too. */
	DRM_VSHADER_DEBUG_TRACE_ACCESSES = 1 << 2,
	/**
	 * @DRM_VSHADER_DEBUG_TRACE_STOP: Stop before each instruction, so that registers
	 * can be read; it is recorded when the job resumes.
	 */
	DRM_VSHADER_DEBUG_TRACE_STOP = 1 << 3,
	/** @DRM_VSHADER_DEBUG_TRACE_OPERATIONS: A record for each operation of instructions. */
	DRM_VSHADER_DEBUG_TRACE_OPERATIONS = 1 << 4,
	/** @DRM_VSHADER_DEBUG_TRACE_SPECIALS: Produced NaNs and infinities, too. */
	DRM_VSHADER_DEBUG_TRACE_SPECIALS = 1 << 5,
	/**
	 * @DRM_VSHADER_DEBUG_TRACE_REGISTER: Only instructions of invocations whose register
	 * @filter_register has the @filter_values, such as those of a pixel. The record names the
	 * lowest one.
	 */
	DRM_VSHADER_DEBUG_TRACE_REGISTER = 1 << 6,
	/**
	 * @DRM_VSHADER_DEBUG_TRACE_FRAGMENTS: Instead of instructions, fragments of the PICA200's
	 * pictures at column @filter_values[0] of line @filter_values[1]; @filter_words is 2.
	 */
	DRM_VSHADER_DEBUG_TRACE_FRAGMENTS = 1 << 7,
};

/** enum drm_vshader_debug_record_flags - Flags of a trace record. */
enum drm_vshader_debug_record_flags {
	/** @DRM_VSHADER_DEBUG_RECORD_READ: The instruction before it has read memory. */
	DRM_VSHADER_DEBUG_RECORD_READ = 1 << 3,
	/** @DRM_VSHADER_DEBUG_RECORD_WRITE: It has written memory. */
	DRM_VSHADER_DEBUG_RECORD_WRITE = 1 << 4,
	/** @DRM_VSHADER_DEBUG_RECORD_MISSING: Further accesses found no room. */
	DRM_VSHADER_DEBUG_RECORD_MISSING = 1 << 5,
	/**
	 * @DRM_VSHADER_DEBUG_RECORD_SPECIAL: It has produced a NaN or an infinity from operands
	 * that are none.
	 */
	DRM_VSHADER_DEBUG_RECORD_SPECIAL = 1 << 6,
	/** @DRM_VSHADER_DEBUG_RECORD_FRAGMENT: A step of a fragment. */
	DRM_VSHADER_DEBUG_RECORD_FRAGMENT = 1 << 7,
};

/**
 * enum drm_vshader_debug_fragment - Steps of a fragment, in their order.
 *
 * A record has the step in @part, a number in @pc, the draw in @invocation, and six words:
 * @lanes, @code_va and @va, lower ones first. Numbers are binary32; colours have 8 bits for each
 * of r, g, b, a, r lowest.
 */
enum drm_vshader_debug_fragment {
	/** @DRM_VSHADER_DEBUG_FRAGMENT_BEGIN: Column, line, depth, primary colour, list_offset. */
	DRM_VSHADER_DEBUG_FRAGMENT_BEGIN = 0,
	/** @DRM_VSHADER_DEBUG_FRAGMENT_TEXTURE: Of unit @pc: coordinates s, t, r; texel. */
	DRM_VSHADER_DEBUG_FRAGMENT_TEXTURE = 1,
	/** @DRM_VSHADER_DEBUG_FRAGMENT_NORMAL: Normal, view vector, normalised. */
	DRM_VSHADER_DEBUG_FRAGMENT_NORMAL = 2,
	/** @DRM_VSHADER_DEBUG_FRAGMENT_LIGHT: Of light @pc: N*H, V*H, N*V, L*N, spot, tangent. */
	DRM_VSHADER_DEBUG_FRAGMENT_LIGHT = 3,
	/**
	 * @DRM_VSHADER_DEBUG_FRAGMENT_TERMS: Of light @pc: diffuse, D0, D1, reflection of red,
	 * geometric factor, attenuation.
	 */
	DRM_VSHADER_DEBUG_FRAGMENT_TERMS = 4,
	/** @DRM_VSHADER_DEBUG_FRAGMENT_LIT: Primary and secondary colour of lighting. */
	DRM_VSHADER_DEBUG_FRAGMENT_LIT = 5,
	/** @DRM_VSHADER_DEBUG_FRAGMENT_COMBINER: Of stage @pc: three operands, result, buffer. */
	DRM_VSHADER_DEBUG_FRAGMENT_COMBINER = 6,
	/** @DRM_VSHADER_DEBUG_FRAGMENT_ALPHA: Passed, alpha, reference, function. */
	DRM_VSHADER_DEBUG_FRAGMENT_ALPHA = 7,
	/** @DRM_VSHADER_DEBUG_FRAGMENT_FOG: Factor, colours before and after. */
	DRM_VSHADER_DEBUG_FRAGMENT_FOG = 8,
	/**
	 * @DRM_VSHADER_DEBUG_FRAGMENT_DEPTH: Passed, depth of the fragment; depth and stencil of
	 * the buffer before and after.
	 */
	DRM_VSHADER_DEBUG_FRAGMENT_DEPTH = 9,
	/** @DRM_VSHADER_DEBUG_FRAGMENT_COLOUR: Source, buffer before (if read), written. */
	DRM_VSHADER_DEBUG_FRAGMENT_COLOUR = 10,
	/** @DRM_VSHADER_DEBUG_FRAGMENT_SHADOW: Depth, map before and after. */
	DRM_VSHADER_DEBUG_FRAGMENT_SHADOW = 11,
};

/**
 * struct drm_vshader_debug_trace_record - An instruction that was executed, or an access.
 *
 * Accesses to memory (READ or WRITE in @flags) and produced NaNs and infinities (SPECIAL) have
 * one invocation each; @lanes and @active are 0.
 */
struct drm_vshader_debug_trace_record {
	/** @job: Number of the job. */
	__u64 job;
	/** @invocation: The lowest one of those that executed it. */
	__u64 invocation;
	/** @lanes: Which did, by lane; QPU: by number of the QPU. */
	__u64 lanes;
	/** @pc: Instruction. */
	__u32 pc;
	/** @active: How many they are. */
	__u32 active;
	/**
	 * @code_va: Where instruction 0 is in memory; 0 in jobs of a program object, but for its
	 * blend programs, QPU.
	 */
	__u64 code_va;
	/** @va: Accesses: address. */
	__u64 va;
	/** @size: Accesses: bytes. */
	__u32 size;
	/** @flags: Bits of &enum drm_vshader_debug_record_flags; 0: an instruction. */
	__u32 flags;
	/** @part: Operation of the instruction; without OPERATIONS 0. */
	__u32 part;
	/** @pad: 0. */
	__u32 pad;
};

/**
 * struct drm_vshader_debug_trace - Arguments of DRM_IOCTL_VSHADER_DEBUG_TRACE.
 *
 * Nothing is lost: a job stops when the buffer (8192 records) is full. Records can be taken
 * while a job is stopped or none has been started (-EAGAIN otherwise); taking is first, then
 * the flags and the filter count.
 */
struct drm_vshader_debug_trace {
	/** @flags: In. Bits of &enum drm_vshader_debug_trace_flags. */
	__u32 flags;
	/** @count: In: room at @records. Out: records taken. */
	__u32 count;
	/** @records: In. User pointer to &struct drm_vshader_debug_trace_record. */
	__u64 records;
	/** @left: Out. Records that there was no room for; they are kept. */
	__u32 left;
	/** @pad: MBZ. */
	__u32 pad;
	/** @filter_pc_first: In. Filter: first instruction. */
	__u32 filter_pc_first;
	/** @filter_pc_last: In. Filter: last instruction. */
	__u32 filter_pc_last;
	/** @filter_first: In. Filter: first invocation. */
	__u64 filter_first;
	/** @filter_last: In. Filter: last invocation. */
	__u64 filter_last;
	/** @filter_register: In. With REGISTER: as in &struct drm_vshader_debug_bank. Else MBZ. */
	__u32 filter_register;
	/**
	 * @filter_words: In. With REGISTER: components that are compared, 1 to 4. With FRAGMENTS:
	 * 2. Else MBZ.
	 */
	__u32 filter_words;
	/** @filter_values: In. With REGISTER, FRAGMENTS: their values; further ones MBZ. */
	__u32 filter_values[4];
};

/** enum drm_vshader_debug_event_type - Types of events. */
enum drm_vshader_debug_event_type {
	/** @DRM_VSHADER_DEBUG_EVENT_OVERFLOW: @value events before this one are missing. */
	DRM_VSHADER_DEBUG_EVENT_OVERFLOW = 0,
	/** @DRM_VSHADER_DEBUG_EVENT_JOB_START: A job has been started. */
	DRM_VSHADER_DEBUG_EVENT_JOB_START = 1,
	/** @DRM_VSHADER_DEBUG_EVENT_STOP: A job has stopped; ask GET_STOP for more. */
	DRM_VSHADER_DEBUG_EVENT_STOP = 2,
	/** @DRM_VSHADER_DEBUG_EVENT_RESUME: A job goes on. */
	DRM_VSHADER_DEBUG_EVENT_RESUME = 3,
	/** @DRM_VSHADER_DEBUG_EVENT_JOB_END: A job has ended; its result is written. */
	DRM_VSHADER_DEBUG_EVENT_JOB_END = 4,
	/** @DRM_VSHADER_DEBUG_EVENT_QUEUE_GONE: The queue has been destroyed. */
	DRM_VSHADER_DEBUG_EVENT_QUEUE_GONE = 5,
};

/** struct drm_vshader_debug_event - Event, as returned by read(). */
struct drm_vshader_debug_event {
	/** @seq: Number of the event, from 1 on, without gaps but for overflows. */
	__u64 seq;
	/** @time_ns: CLOCK_MONOTONIC. */
	__u64 time_ns;
	/** @type: &enum drm_vshader_debug_event_type. */
	__u32 type;
	/** @reason: STOP: &enum drm_vshader_debug_reason. */
	__u32 reason;
	/** @job: Number of the job on its queue. */
	__u64 job;
	/** @invocation: STOP: invocation. */
	__u64 invocation;
	/** @pc: STOP: instruction. */
	__u32 pc;
	/** @point: STOP: breakpoint or watchpoint. */
	__u32 point;
	/** @status: JOB_END: 0 or a negative errno. */
	__s32 status;
	/** @fault: JOB_END: &enum drm_vshader_fault_kind. */
	__u32 fault;
	/** @value: OVERFLOW: events missing. */
	__u64 value;
};

#if defined(__cplusplus)
}
#endif

#endif /* _UAPI_VSHADER_DRM_DEBUG_H_ */
