/* SPDX-License-Identifier: MIT */
/* Short names of types. */
#ifndef VSHADER_3DS_TYPES_H
#define VSHADER_3DS_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef volatile u8 vu8;
typedef volatile u16 vu16;
typedef volatile u32 vu32;
typedef volatile u64 vu64;
typedef volatile s8 vs8;
typedef volatile s16 vs16;
typedef volatile s32 vs32;
typedef volatile s64 vs64;

/* 0 or positive: success; negative: an error. */
typedef s32 Result;
typedef u32 Handle;
typedef void (*ThreadFunc)(void *arg);
typedef void (*voidfn)(void);

#define R_SUCCEEDED(result)	((result) >= 0)
#define R_FAILED(result)	((result) < 0)

#define BIT(n)		(1U << (n))
#define U64_MAX		UINT64_MAX
#define CTR_ALIGN(n)	__attribute__((aligned(n)))
#define CTR_PACKED	__attribute__((packed))
#define CTR_DEPRECATED

#endif /* VSHADER_3DS_TYPES_H */
