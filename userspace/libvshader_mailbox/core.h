/* SPDX-License-Identifier: MIT */
/*
 * The firmware's services for QPU programs: memory at bus addresses, and jobs.
 */
#ifndef MBOX_CORE_H
#define MBOX_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MBOX_BUS_MASK	0x3fffffffu	/* without the alias */
#define MBOX_FAILED	0x80000000u	/* of jobs */
#define MBOX_VERSION	0x00010001u

/* As on a Raspberry Pi 2, where the first Raspberry Pi has them, and the fourth. */
#define MBOX_PERIPHERALS	0x3f000000u
#define MBOX_PERIPHERALS_1	0x20000000u
#define MBOX_PERIPHERALS_4	0xfe000000u
#define MBOX_PERIPHERALS_SIZE	0x01000000u
#define MBOX_SDRAM		0xc0000000u
/* Memory is allocated from here up to the peripherals. */
#define MBOX_MEMORY	0x10000000u

struct drm_vshader_fault;

/** struct mbox_pair - uniforms and code of a QPU */
struct mbox_pair {
	uint32_t uniforms;
	uint32_t code;
};

/* Open the device if it is not open yet. Return: success. */
bool mbox_start(void);

/* Return: handle or 0. */
uint32_t mbox_alloc(uint32_t size, uint32_t align);
/* Return: success. */
bool mbox_free(uint32_t handle);
/* Return: bus address or 0. */
uint32_t mbox_address(uint32_t handle);

/* Is memory allocated at a bus address? */
bool mbox_has(uint32_t bus);
/* Map; stays valid until mbox_unmap(). Return: address or NULL. */
void *mbox_map(uint32_t bus, uint32_t size);
/* Return: whether it was one of ours. */
bool mbox_unmap(const void *addr);
/*
 * Descriptor that a mapping can be made of, to be closed, and where in it an address is.
 * Return: -1: no memory there, or not that much.
 */
int mbox_export(uint32_t bus, size_t size, uint64_t *offset);

/* Pairs in memory. Return: 0 or MBOX_FAILED. */
uint32_t mbox_execute(uint32_t num, uint32_t control, uint32_t timeout_ms);
/* Pairs from here. */
uint32_t mbox_execute_pairs(const struct mbox_pair *pairs, uint32_t num);

/*
 * A native job of @num words. Messages but for an overflow of a bin list. Return: 0 or MBOX_FAILED;
 * @fault has the kind 0 without a fault.
 */
uint32_t mbox_execute_words(uint32_t format, const uint32_t *words, uint32_t num,
			    struct drm_vshader_fault *fault);
/* Memory of the process from a bus address on, valid until it is freed. Return: NULL: none. */
const uint8_t *mbox_bytes(uint32_t bus, uint32_t *left);

/* A message to stderr, if wanted. */
void mbox_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif /* MBOX_CORE_H */
