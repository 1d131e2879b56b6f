/* SPDX-License-Identifier: MIT */
/*
 * Limits: the same as the kernel driver's.
 */
#ifndef VSHADER_LIMITS_H
#define VSHADER_LIMITS_H

#define VSL_PAGE		4096ull
#define VSL_MIN_VA		0x1000ull
#define VSL_MAX_VA_32		0x100000000ull
#define VSL_MAX_VA_48		0x1000000000000ull
#define VSL_KERNEL_VA		0x40000000ull
#define VSL_MAX_BO_SIZE		(4ull << 30)
#define VSL_MAX_BUDGET		0x10000000000ull
#define VSL_MAX_JOB_MEMORY	(64ull << 20)
#define VSL_MAX_CODE_SIZE	(512u << 10)
#define VSL_MAX_ENTRIES		256u
#define VSL_MAX_JOBS		64u
#define VSL_MAX_SYNCS		64u
#define VSL_MAX_BIND_OPS	256u
#define VSL_MAX_MAPPINGS	16384u
#define VSL_MAX_OBJECTS		1024u
#define VSL_DEFAULT_STOP_MS	600000u
#define VSL_MAX_STOP_MS		3600000u
#define VSL_MAX_TIME_MS		10000u
#define VSL_DEFAULT_TIME_MS	5000u
#define VSL_MAX_INVOCATIONS	0x4000000u
#define VSL_MAX_LABEL		128u
#define VSL_MAX_DRAWS		4096u
#define VSL_MAX_NATIVE_SIZE	0x100000u
#define VSL_MAX_QUEUED		512u
#define VSL_MAX_WORKERS		16u
#define VSL_MAX_HANDLES		65536u
#define VSL_NUM_PRIORITIES	3

#endif /* VSHADER_LIMITS_H */
