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

unsigned get_version(int file_desc)
{
	return MBOX_VERSION;
}

unsigned mem_alloc(int file_desc, unsigned size, unsigned align, unsigned flags)
{
	return mbox_alloc(size, align);
}

unsigned mem_free(int file_desc, unsigned handle)
{
	return !mbox_free(handle);
}

unsigned mem_lock(int file_desc, unsigned handle)
{
	return mbox_address(handle);
}

unsigned mem_unlock(int file_desc, unsigned handle)
{
	return !mbox_address(handle);
}

void *mapmem(unsigned base, unsigned size)
{
	return regs_address(base) ? regs_map(base, size) : mbox_map(base, size);
}

void unmapmem(void *addr, unsigned size)
{
	if (!regs_unmap(addr))
		mbox_unmap(addr);
}

unsigned execute_code(int file_desc, unsigned code, unsigned r0, unsigned r1, unsigned r2,
		      unsigned r3, unsigned r4, unsigned r5)
{
	mbox_say("VPU code at %#x: there is no VPU", code);
	return MBOX_FAILED;
}

unsigned execute_qpu(int file_desc, unsigned num_qpus, unsigned control, unsigned noflush,
		     unsigned timeout)
{
	return mbox_execute(num_qpus, control, timeout);
}

unsigned qpu_enable(int file_desc, unsigned enable)
{
	return 0;
}
