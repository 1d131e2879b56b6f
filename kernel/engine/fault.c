// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Fault records: the only place that initialises them, so that no member is left undefined. */
#include "vs_job.h"

/**
 * vs_fault_init - initialise a fault outside of programs and streams
 * @f: record
 * @kind: kind
 *
 * Return: -ENOEXEC, for callers that fail with it.
 */
int vs_fault_init(struct vs_fault *f, enum vs_fault_kind kind)
{
	*f = (struct vs_fault){ .kind = kind, .pc = VS_FAULT_NO_PC, .stream = VS_FAULT_NO_STREAM };
	return -ENOEXEC;
}

/**
 * vs_fault_memory - initialise the fault of an access
 * @f: record
 * @kind: READ, WRITE, FETCH or MISALIGNED
 * @va: address
 * @size: bytes
 *
 * Return: -ENOEXEC.
 */
int vs_fault_memory(struct vs_fault *f, enum vs_fault_kind kind, u64 va, u32 size)
{
	vs_fault_init(f, kind);
	f->address = va;
	f->size = size;
	return -ENOEXEC;
}

/**
 * vs_fault_command - initialise the fault of a command or descriptor
 * @f: record
 * @va: its address, 0: none
 * @code: reason
 * @info: value found
 *
 * Return: -ENOEXEC.
 */
int vs_fault_command(struct vs_fault *f, u64 va, u32 code, u32 info)
{
	vs_fault_init(f, VS_FAULT_COMMAND);
	f->address = va;
	f->code = code;
	f->info = info;
	return -ENOEXEC;
}

/**
 * vs_fault_program - initialise the fault of a rejected program
 * @f: record
 * @va: address of the rejected word or of the command that uses the program, 0: none
 * @pc: instruction
 * @code: the verifier's reason
 * @info: value found
 *
 * Return: -ENOEXEC.
 */
int vs_fault_program(struct vs_fault *f, u64 va, u32 pc, u32 code, u32 info)
{
	vs_fault_init(f, VS_FAULT_ENCODING);
	f->pc = pc;
	f->address = va;
	f->code = code;
	f->info = info;
	return -ENOEXEC;
}
