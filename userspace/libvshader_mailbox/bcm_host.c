// SPDX-License-Identifier: MIT
/*
 * The functions of libbcm_host that QPU programs call.
 */
#include "bcm_host.h"
#include "core.h"

/* Programs call this before anything else; the device is opened by the first use. */
void bcm_host_init(void)
{
}

void bcm_host_deinit(void)
{
}

unsigned int bcm_host_get_peripheral_address(void)
{
	return MBOX_PERIPHERALS;
}

unsigned int bcm_host_get_peripheral_size(void)
{
	return MBOX_PERIPHERALS_SIZE;
}

unsigned int bcm_host_get_sdram_address(void)
{
	return MBOX_SDRAM;
}
