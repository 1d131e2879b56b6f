// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* CPU feature detection, and floating-point sections. */
#include "vs_intern.h"

#if defined(__KERNEL__) && defined(CONFIG_X86) && !defined(CONFIG_UML)
#include <asm/fpu/api.h>
#define VS_KERNEL_FPU
#endif

#if defined(__x86_64__)

struct regs {
	u32 a, b, c, d;
};

static struct regs query_cpuid(u32 leaf, u32 sub)
{
	struct regs r;

	__asm__ volatile("cpuid" : "=a"(r.a), "=b"(r.b), "=c"(r.c), "=d"(r.d)
			 : "a"(leaf), "c"(sub));
	return r;
}

static u64 xgetbv(void)
{
	u32 lo, hi;

	__asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
	return (u64)hi << 32 | lo;
}

/* The operating system must support the feature, too: it has to save the registers. */
static u32 probe(void)
{
	u32 mask = BIT(VS_SIMD_PORTABLE) | BIT(VS_SIMD_SSE2);
	struct regs r1 = query_cpuid(1, 0), r7;
	u64 xcr0;

	/* OSXSAVE and AVX */
	if (query_cpuid(0, 0).a < 7 || !(r1.c & BIT(27)) || !(r1.c & BIT(28)))
		return mask;
	/* FMA and F16C: the SIMT executors rely on them; all AVX2 processors have them */
	if (!(r1.c & BIT(12)) || !(r1.c & BIT(29)))
		return mask;
	xcr0 = xgetbv();
	r7 = query_cpuid(7, 0);
	if ((xcr0 & 0x6) != 0x6 || !(r7.b & BIT(5)))
		return mask;
	mask |= BIT(VS_SIMD_AVX2);
	/* F, DQ, BW, VL; opmask and upper registers enabled */
	if ((xcr0 & 0xe6) == 0xe6 && r7.b & BIT(16) && r7.b & BIT(17) && r7.b & BIT(30) &&
	    r7.b & BIT(31))
		mask |= BIT(VS_SIMD_AVX512);
	return mask;
}

/* Cached: CPUID is slow in virtual machines. */
u32 vs_simd_mask(void)
{
	static u32 cached;
	u32 mask = READ_ONCE(cached);

	if (!mask) {
		mask = probe();
		WRITE_ONCE(cached, mask);
	}
	return mask;
}

u32 vs_mxcsr_get(void)
{
	u32 v;

	__asm__ volatile("stmxcsr %0" : "=m"(v));
	return v;
}

void vs_mxcsr_set(u32 v)
{
	__asm__ volatile("ldmxcsr %0" : : "m"(v));
}

#else

u32 vs_simd_mask(void)
{
	return BIT(VS_SIMD_PORTABLE);
}

u32 vs_mxcsr_get(void)
{
	return 0;
}

void vs_mxcsr_set(u32 v)
{
}

#endif

enum vs_simd vs_simd_best(void)
{
	u32 mask = vs_simd_mask(), i;

	for (i = VS_NUM_SIMD - 1; i > 0; i--) {
		if (mask & BIT(i))
			break;
	}
	return i;
}

/**
 * vs_simd_name - name of an executor build
 * @simd: executor build
 */
const char *vs_simd_name(enum vs_simd simd)
{
	static const char * const names[VS_NUM_SIMD] = { "portable", "sse2", "avx2", "avx512" };

	return simd < VS_NUM_SIMD ? names[simd] : "?";
}

/**
 * vs_fpu_begin - enter a section that uses vector registers
 * @simd: executor build that will run
 * @mxcsr: VS_MXCSR_* of the section
 *
 * In the kernel nothing may sleep until vs_fpu_end(). In userspace and User-Mode Linux the
 * registers belong to the thread anyway. The portable executor needs no section.
 *
 * Return: the caller's MXCSR, for vs_fpu_end().
 */
u32 vs_fpu_begin(enum vs_simd simd, u32 mxcsr)
{
	u32 saved;

	if (simd == VS_SIMD_PORTABLE)
		return 0;
#ifdef VS_KERNEL_FPU
	kernel_fpu_begin();
#endif
	saved = vs_mxcsr_get();
	vs_mxcsr_set(mxcsr);
	return saved;
}

/**
 * vs_fpu_end - leave the section
 * @simd: as given to vs_fpu_begin()
 * @saved: returned by vs_fpu_begin()
 *
 * Return: exception flags raised since MXCSR was last set.
 */
u32 vs_fpu_end(enum vs_simd simd, u32 saved)
{
	u32 flags;

	if (simd == VS_SIMD_PORTABLE)
		return 0;
	flags = vs_mxcsr_get() & VS_MXCSR_FLAGS;
	vs_mxcsr_set(saved);
#ifdef VS_KERNEL_FPU
	kernel_fpu_end();
#endif
	return flags;
}

/**
 * vs_fpu_mode - change the mode within a section, clear the exception flags
 * @simd: as given to vs_fpu_begin()
 * @mxcsr: VS_MXCSR_*
 */
void vs_fpu_mode(enum vs_simd simd, u32 mxcsr)
{
	if (simd != VS_SIMD_PORTABLE)
		vs_mxcsr_set(mxcsr);
}
