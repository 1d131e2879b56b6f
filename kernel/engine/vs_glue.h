/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Environment of the engine, the ISA front ends and the native parsers: kernel or
 * userspace. They may include no other system headers.
 */
#ifndef VS_GLUE_H
#define VS_GLUE_H

#ifdef __KERNEL__

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/cache.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/stdarg.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/types.h>

/* Zeroed memory, charged to the submitting process; fails rather than invoking the OOM killer. */
static inline void *vs_zalloc(size_t size)
{
	return kvzalloc(size, GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL | __GFP_NOWARN);
}

static inline void vs_free(const void *p)
{
	kvfree(p);
}

/* 64-bit counters; every read-modify-write is a full barrier. */
typedef atomic64_t vs_atomic;

static inline u64 vs_atomic_read(const vs_atomic *a)
{
	return atomic64_read_acquire(a);
}

static inline void vs_atomic_set(vs_atomic *a, u64 v)
{
	atomic64_set_release(a, v);
}

/* Return: the previous value. */
static inline u64 vs_atomic_fetch_add(vs_atomic *a, u64 v)
{
	return atomic64_fetch_add(v, a);
}

static inline u64 vs_atomic_xchg(vs_atomic *a, u64 v)
{
	return atomic64_xchg(a, v);
}

/* Return: the value found; @from if the exchange took place. */
static inline u64 vs_atomic_cmpxchg(vs_atomic *a, u64 from, u64 to)
{
	return atomic64_cmpxchg(a, from, to);
}

/* Held for a few microseconds; not taken in floating point sections. */
typedef spinlock_t vs_lock;

#define vs_lock_init(l)	spin_lock_init(l)

static inline void vs_lock_get(vs_lock *l)
{
	spin_lock(l);
}

static inline void vs_lock_put(vs_lock *l)
{
	spin_unlock(l);
}

/* Guest memory. Return: the value found. */
static inline u32 vs_cmpxchg32(u32 *p, u32 from, u32 to)
{
	return cmpxchg(p, from, to);
}

static inline u64 vs_cmpxchg64(u64 *p, u64 from, u64 to)
{
	return cmpxchg64(p, from, to);
}

/* Return: whether another task needs this CPU. */
static inline bool vs_should_yield(void)
{
	return need_resched();
}

/* For long loops that may sleep. */
static inline void vs_cond_resched(void)
{
	cond_resched();
}

/* While waiting for another worker, which may be on the same CPU; the caller is called again. */
static inline void vs_relax(void)
{
	cpu_relax();
}

#else /* userspace */

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

#ifndef static_assert
#define static_assert(x, ...)	VS_ASSERT_(x, ##__VA_ARGS__, #x)
#define VS_ASSERT_(x, text, ...)	_Static_assert(x, text)
#endif
#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))
#define offsetofend(t, m)	(offsetof(t, m) + sizeof(((t *)0)->m))
#define BIT(n)			(1UL << (n))
#define BIT_ULL(n)		(1ULL << (n))
#define GENMASK(h, l)		((~0UL >> (63 - (h))) & (~0UL << (l)))
#define GENMASK_ULL(h, l)	((~0ULL >> (63 - (h))) & (~0ULL << (l)))
#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))
#define S64_MAX			INT64_MAX
#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)
#define noinline		__attribute__((noinline))
#ifndef __always_inline
#define __always_inline		inline __attribute__((always_inline))
#endif
#define __aligned(n)		__attribute__((aligned(n)))
#ifndef __packed
#define __packed		__attribute__((packed))
#endif
#define __maybe_unused		__attribute__((unused))
#define __printf(a, b)		__attribute__((format(printf, a, b)))
#define fallthrough		__attribute__((fallthrough))
#define READ_ONCE(x)		(*(const volatile typeof(x) *)&(x))
#define WRITE_ONCE(x, v)	(*(volatile typeof(x) *)&(x) = (v))
#define min(a, b)		({ typeof(a) _a = (a); typeof(b) _b = (b); _a < _b ? _a : _b; })
#define max(a, b)		({ typeof(a) _a = (a); typeof(b) _b = (b); _a > _b ? _a : _b; })
#define min3(a, b, c)		min(min(a, b), c)
#define max3(a, b, c)		max(max(a, b), c)
#define min_t(t, a, b)		min((t)(a), (t)(b))
#define max_t(t, a, b)		max((t)(a), (t)(b))
#define clamp_t(t, v, lo, hi)	min_t(t, max_t(t, v, lo), hi)
#define swap(a, b)		do { typeof(a) _t = (a); (a) = (b); (b) = _t; } while (0)
#define container_of(p, t, m)	((t *)((char *)(p) - offsetof(t, m)))
#define hweight64(x)		((unsigned int)__builtin_popcountll(x))
#define hweight32(x)		((unsigned int)__builtin_popcount(x))
#define __ffs64(x)		((unsigned int)__builtin_ctzll(x))
#define check_add_overflow(a, b, d)	__builtin_add_overflow(a, b, d)
#define check_mul_overflow(a, b, d)	__builtin_mul_overflow(a, b, d)

#define scnprintf(buf, size, ...) ({					\
	size_t _sz = (size);						\
	int _n = snprintf((buf), _sz, __VA_ARGS__);			\
	_n < 0 || !_sz ? 0 : (size_t)_n >= _sz ? (int)(_sz - 1) : _n; })

static inline void *vs_zalloc(size_t size)
{
	return calloc(1, size ? size : 1);
}

static inline void vs_free(const void *p)
{
	free((void *)p);
}

typedef struct {
	u64 v;
} vs_atomic;

static inline u64 vs_atomic_read(const vs_atomic *a)
{
	return __atomic_load_n(&a->v, __ATOMIC_ACQUIRE);
}

static inline void vs_atomic_set(vs_atomic *a, u64 v)
{
	__atomic_store_n(&a->v, v, __ATOMIC_RELEASE);
}

static inline u64 vs_atomic_fetch_add(vs_atomic *a, u64 v)
{
	return __atomic_fetch_add(&a->v, v, __ATOMIC_SEQ_CST);
}

static inline u64 vs_atomic_xchg(vs_atomic *a, u64 v)
{
	return __atomic_exchange_n(&a->v, v, __ATOMIC_SEQ_CST);
}

static inline u64 vs_atomic_cmpxchg(vs_atomic *a, u64 from, u64 to)
{
	__atomic_compare_exchange_n(&a->v, &from, to, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	return from;
}

typedef struct {
	int held;
} vs_lock;

/* <sched.h> has too many names */
int sched_yield(void);

static inline void vs_lock_init(vs_lock *l)
{
	l->held = 0;
}

static inline void vs_lock_get(vs_lock *l)
{
	while (__atomic_exchange_n(&l->held, 1, __ATOMIC_ACQUIRE))
		sched_yield();
}

static inline void vs_lock_put(vs_lock *l)
{
	__atomic_store_n(&l->held, 0, __ATOMIC_RELEASE);
}

static inline u32 vs_cmpxchg32(u32 *p, u32 from, u32 to)
{
	__atomic_compare_exchange_n(p, &from, to, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	return from;
}

static inline u64 vs_cmpxchg64(u64 *p, u64 from, u64 to)
{
	__atomic_compare_exchange_n(p, &from, to, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	return from;
}

static inline bool vs_should_yield(void)
{
	return false;
}

static inline void vs_cond_resched(void)
{
}

static inline void vs_relax(void)
{
	sched_yield();
}

#endif

/* An object of @n elements of @size bytes, or NULL on overflow too. */
static inline void *vs_zalloc_array(size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		return NULL;
	return vs_zalloc(bytes);
}

#endif /* VS_GLUE_H */
