/* SPDX-License-Identifier: MIT */
/*
 * The calls by which programs for the QPUs of a Raspberry Pi reach the firmware, on a
 * vshader device. Such programs bring these functions along in a file mailbox.c; with
 * this library in its place they run unchanged.
 */
#ifndef VSHADER_MAILBOX_H
#define VSHADER_MAILBOX_H

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * DOC: Overview
 *
 * The environment variable ``VSHADER_DEVICE`` chooses the device, as the ``--device``
 * option of vshader(1): ``auto`` (default), ``local``, or a device node. All of a
 * process's descriptors reach the same device and memory.
 *
 * Bus addresses are below 0x3f000000. Their two top bits, which choose a cache alias on
 * the chip, are ignored wherever one is given.
 *
 * ``VSHADER_MAILBOX_STRICT`` is a list of what jobs fail for, with commas: ``hazards``, breaking
 * a rule of the pipeline; ``tmu``, TMU reads outside of memory. How many jobs failed is reported
 * at exit. By default neither is a fault. With ``lint`` in the list, the warnings of ``vshader
 * verify`` about the code of each job are printed, and nothing fails for that.
 *
 * Errors are reported on the standard error output, unless ``VSHADER_MAILBOX_QUIET`` is
 * set; for a job that faults, the fault and the position of each QPU.
 */

/**
 * mbox_open - open the mailbox
 *
 * Return: a file descriptor for the other calls, or -1.
 */
int mbox_open(void);

/**
 * mbox_close - close the mailbox
 * @file_desc: from mbox_open()
 *
 * Memory stays allocated, as the firmware's does.
 */
void mbox_close(int file_desc);

/**
 * get_version - version of the firmware
 * @file_desc: from mbox_open()
 *
 * Return: a number, which is that of no real firmware.
 */
unsigned int get_version(int file_desc);

/**
 * mem_alloc - allocate memory
 * @file_desc: from mbox_open()
 * @size: bytes
 * @align: of the bus address, bytes
 * @flags: of the firmware; ignored: memory is zeroed and is never cached elsewhere
 *
 * Return: a handle, or 0.
 */
unsigned int mem_alloc(int file_desc, unsigned int size, unsigned int align, unsigned int flags);

/**
 * mem_free - free memory
 * @file_desc: from mbox_open()
 * @handle: from mem_alloc()
 *
 * Where it is mapped by mapmem() it stays until it is unmapped.
 *
 * Return: 0, or not 0 if there is no such memory.
 */
unsigned int mem_free(int file_desc, unsigned int handle);

/**
 * mem_lock - where memory is
 * @file_desc: from mbox_open()
 * @handle: from mem_alloc()
 *
 * Memory never moves.
 *
 * Return: bus address, or 0 if there is no such memory.
 */
unsigned int mem_lock(int file_desc, unsigned int handle);

/**
 * mem_unlock - the opposite of mem_lock()
 * @file_desc: from mbox_open()
 * @handle: from mem_alloc()
 *
 * Return: 0, or not 0 if there is no such memory.
 */
unsigned int mem_unlock(int file_desc, unsigned int handle);

/**
 * mapmem - map memory into the process
 * @base: bus address, with or without alias bits, or where the peripherals are
 * @size: bytes
 *
 * Of the peripherals there are the registers that start QPUs (x86-64 only). They can be
 * mapped any number of times.
 *
 * Return: address, or NULL if the range is not inside of one allocation. (The original
 * ends the process.)
 */
void *mapmem(unsigned int base, unsigned int size);

/**
 * unmapmem - undo mapmem()
 * @addr: from mapmem()
 * @size: bytes
 */
void unmapmem(void *addr, unsigned int size);

/**
 * execute_code - run a function of the VPU, the chip's scalar processor
 * @file_desc: from mbox_open()
 * @code: bus address
 * @r0: argument
 * @r1: argument
 * @r2: argument
 * @r3: argument
 * @r4: argument
 * @r5: argument
 *
 * There is no VPU: this always fails.
 *
 * Return: 0x80000000.
 */
unsigned int execute_code(int file_desc, unsigned int code, unsigned int r0, unsigned int r1,
			  unsigned int r2, unsigned int r3, unsigned int r4, unsigned int r5);

/**
 * execute_qpu - run programs on the QPUs and wait for their end
 * @file_desc: from mbox_open()
 * @num_qpus: programs; more than 12 wait for a free QPU
 * @control: bus address of a pair of words for each: address of uniforms, of code
 * @noflush: ignored
 * @timeout: milliseconds
 *
 * An interpreter takes longer than the chip, so that timeouts made for that would strike
 * early: a job may take as long as the device lets it, whatever @timeout is. With
 * ``VSHADER_MAILBOX_TIMEOUT=strict`` in the environment @timeout counts as well; with a
 * number there it is that many milliseconds, and no more than the device lets it.
 *
 * Return: 0, or 0x80000000 after a fault or time-out.
 */
unsigned int execute_qpu(int file_desc, unsigned int num_qpus, unsigned int control,
			 unsigned int noflush, unsigned int timeout);

/**
 * qpu_enable - switch the QPUs on or off
 * @file_desc: from mbox_open()
 * @enable: 1 or 0
 *
 * They are always on.
 *
 * Return: 0.
 */
unsigned int qpu_enable(int file_desc, unsigned int enable);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* VSHADER_MAILBOX_H */
