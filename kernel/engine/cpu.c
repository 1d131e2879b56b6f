// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* CPU feature detection, and floating-point sections. */
#include "vs_intern.h"

#if defined(__KERNEL__) && defined(CONFIG_X86) && !defined(CONFIG_UML)
#include <asm/fpu/api.h>
#define fpu_enter()	kernel_fpu_begin()
#define fpu_leave()	kernel_fpu_end()
#elif defined(__KERNEL__) && defined(CONFIG_ARM64)
#include <asm/neon.h>
#define fpu_enter()	kernel_neon_begin()
#define fpu_leave()	kernel_neon_end()
#else
#define fpu_enter()	do { } while (0)
#define fpu_leave()	do { } while (0)
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
		if (!VS_BUILT(sse2))
			mask &= ~BIT(VS_SIMD_SSE2);
		if (!VS_BUILT(avx2))
			mask &= ~BIT(VS_SIMD_AVX2);
		if (!VS_BUILT(avx512))
			mask &= ~BIT(VS_SIMD_AVX512);
		WRITE_ONCE(cached, mask);
	}
	return mask;
}

u32 vs_fpu_get(void)
{
	u32 v;

	__asm__ volatile("stmxcsr %0" : "=m"(v));
	return v;
}

void vs_fpu_set(u32 v)
{
	__asm__ volatile("ldmxcsr %0" : : "m"(v));
}

#elif defined(__aarch64__)

u32 vs_simd_mask(void)
{
#ifdef __KERNEL__
	if (!cpu_has_neon())
		return BIT(VS_SIMD_PORTABLE);
#endif
	/* a part of the architecture as Linux programs see it */
	return BIT(VS_SIMD_PORTABLE) | BIT(VS_SIMD_NEON);
}

u32 vs_fpu_get(void)
{
	u64 mode, flags;

	__asm__ volatile("mrs %0, fpcr" : "=r"(mode));
	__asm__ volatile("mrs %0, fpsr" : "=r"(flags));
	return (u32)mode | ((u32)flags & VS_FPU_FLAGS);
}

void vs_fpu_set(u32 v)
{
	u64 mode = v & ~VS_FPU_FLAGS, flags = v & VS_FPU_FLAGS;

	__asm__ volatile("msr fpcr, %0" : : "r"(mode));
	__asm__ volatile("msr fpsr, %0" : : "r"(flags));
}

#else

u32 vs_simd_mask(void)
{
	return BIT(VS_SIMD_PORTABLE);
}

u32 vs_fpu_get(void)
{
	return 0;
}

void vs_fpu_set(u32 v)
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
 * vs_simd_first_nan - whether the processor returns the first of two NaN operands
 * @simd: executor build
 *
 * Processors do. QEMU's emulation of x86 returns the larger significand's, whose optimistic results
 * then are wrong without a sign of it. Determined once; may be called at the same time.
 */
bool vs_simd_first_nan(enum vs_simd simd)
{
	static u8 cached[VS_NUM_SIMD];	/* 0 unknown, 1 does not, 2 does */
	u8 known = READ_ONCE(cached[simd]);
	u32 saved;

	if (!known) {
		saved = vs_fpu_begin(simd, VS_FPU_NEAREST);
		known = 1 + vs_exec_first_nan(simd);
		vs_fpu_end(simd, saved);
		WRITE_ONCE(cached[simd], known);
	}
	return known == 2;
}

/**
 * vs_simd_name - name of an executor build
 * @simd: executor build
 */
const char *vs_simd_name(enum vs_simd simd)
{
	static const char * const names[VS_NUM_SIMD] = { "portable", "sse2", "avx2", "avx512",
							   "neon" };

	return simd < VS_NUM_SIMD ? names[simd] : "?";
}

/**
 * vs_fpu_begin - enter a section that uses vector registers
 * @simd: executor build that will run
 * @mode: VS_FPU_* of the section
 *
 * In the kernel nothing may sleep until vs_fpu_end(). In userspace and User-Mode Linux the
 * registers belong to the thread anyway. The portable executor needs no section.
 *
 * Return: the caller's mode and exception flags, for vs_fpu_end().
 */
u32 vs_fpu_begin(enum vs_simd simd, u32 mode)
{
	u32 saved;

	if (simd == VS_SIMD_PORTABLE)
		return 0;
	fpu_enter();
	saved = vs_fpu_get();
	vs_fpu_set(mode);
	return saved;
}

/**
 * vs_fpu_end - leave the section
 * @simd: as given to vs_fpu_begin()
 * @saved: returned by vs_fpu_begin()
 *
 * Return: exception flags raised since the mode was last set.
 */
u32 vs_fpu_end(enum vs_simd simd, u32 saved)
{
	u32 flags;

	if (simd == VS_SIMD_PORTABLE)
		return 0;
	flags = vs_fpu_get() & VS_FPU_FLAGS;
	vs_fpu_set(saved);
	fpu_leave();
	return flags;
}

/**
 * vs_vector_begin - enter a section with vectors of integers
 * @simd: executor build that will run
 *
 * As vs_fpu_begin(), but for the mode and the exception flags, which integers neither use nor
 * change: reading and writing them takes 10 ns, a third of the time of a small triangle's setup.
 */
void vs_vector_begin(enum vs_simd simd)
{
	if (simd != VS_SIMD_PORTABLE)
		fpu_enter();
}

/**
 * vs_vector_end - leave the section
 * @simd: as given to vs_vector_begin()
 */
void vs_vector_end(enum vs_simd simd)
{
	if (simd != VS_SIMD_PORTABLE)
		fpu_leave();
}

/**
 * vs_fpu_mode - change the mode within a section, clear the exception flags
 * @simd: as given to vs_fpu_begin()
 * @mode: VS_FPU_*
 */
void vs_fpu_mode(enum vs_simd simd, u32 mode)
{
	if (simd != VS_SIMD_PORTABLE)
		vs_fpu_set(mode);
}
