/* SPDX-License-Identifier: MIT */
/*
 * The functions of libbcm_host that QPU programs call, with the answers of a Raspberry Pi 2.
 */
#ifndef VSHADER_BCM_HOST_H
#define VSHADER_BCM_HOST_H

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * bcm_host_init - get ready
 *
 * Nothing is to be done.
 */
void bcm_host_init(void);

/**
 * bcm_host_deinit - the opposite of bcm_host_init()
 */
void bcm_host_deinit(void);

/**
 * bcm_host_get_peripheral_address - where the peripherals are for the processor
 *
 * Return: physical address.
 */
unsigned int bcm_host_get_peripheral_address(void);

/**
 * bcm_host_get_peripheral_size - how much space they take
 *
 * Return: bytes.
 */
unsigned int bcm_host_get_peripheral_size(void);

/**
 * bcm_host_get_sdram_address - where memory is for the peripherals
 *
 * Return: bus address.
 */
unsigned int bcm_host_get_sdram_address(void);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* VSHADER_BCM_HOST_H */
