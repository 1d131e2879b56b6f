// SPDX-License-Identifier: MIT
/*
 * The calls by which programs for the QPUs of a Raspberry Pi reach the firmware.
 */
#include <fcntl.h>
#include <unistd.h>

#include "core.h"
#include "mailbox.h"
#include "regs.h"

int mbox_open(void)
{
	/* A real descriptor: nothing else in the process gets the same number. */
	return mbox_start() ? open("/dev/null", O_RDWR | O_CLOEXEC) : -1;
}

void mbox_close(int file_desc)
{
	if (file_desc >= 0)
		close(file_desc);
}

unsigned int get_version(int file_desc)
{
	return MBOX_VERSION;
}

unsigned int mem_alloc(int file_desc, unsigned int size, unsigned int align, unsigned int flags)
{
	return mbox_alloc(size, align);
}

unsigned int mem_free(int file_desc, unsigned int handle)
{
	return !mbox_free(handle);
}

unsigned int mem_lock(int file_desc, unsigned int handle)
{
	return mbox_address(handle);
}

unsigned int mem_unlock(int file_desc, unsigned int handle)
{
	return !mbox_address(handle);
}

void *mapmem(unsigned int base, unsigned int size)
{
	return regs_address(base) ? regs_map(base, size) : mbox_map(base, size);
}

void unmapmem(void *addr, unsigned int size)
{
	if (!regs_unmap(addr))
		mbox_unmap(addr);
}

unsigned int execute_code(int file_desc, unsigned int code, unsigned int r0, unsigned int r1,
			  unsigned int r2, unsigned int r3, unsigned int r4, unsigned int r5)
{
	mbox_say("VPU code at %#x: there is no VPU", code);
	return MBOX_FAILED;
}

unsigned int execute_qpu(int file_desc, unsigned int num_qpus, unsigned int control,
			 unsigned int noflush, unsigned int timeout)
{
	return mbox_execute(num_qpus, control, timeout);
}

unsigned int qpu_enable(int file_desc, unsigned int enable)
{
	return 0;
}
