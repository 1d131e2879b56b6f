// SPDX-License-Identifier: MIT
/*
 * Programs of the QPU workloads.
 */
#include "bench_qpu.h"

/* Mandelbrot set, rows in turn; written in QPULib's language. */
const uint32_t bench_qpu_mandel[BENCH_QPU_MANDEL_WORDS] = {
	0x159e6fff, 0x10020027, 0x90000004, 0xe0021027, 0xc0010000, 0xe00200a7,
	0x80101800, 0xe0020867, 0x15000c71, 0x10020067, 0x88015000, 0xe0021027,
	0x11003df7, 0xd0020867, 0x15000e79, 0x10021267, 0x00100200, 0xe0020867,
	0x15000c71, 0x10021027, 0x00100220, 0xe0020867, 0x15000c71, 0x10021c67,
	0x159e0fff, 0x10020027, 0x159e0fff, 0x10020067, 0x159e0fff, 0x10021027,
	0x159e0fff, 0x100200e7, 0x159e0fff, 0x10021067, 0x159e0fff, 0x10020127,
	0x159e0fff, 0x100210a7, 0x159e0fff, 0x10020167, 0x159e0fff, 0x100201a7,
	0x11982df7, 0xd0020867, 0x0c000e79, 0x100201e7, 0x11004df7, 0xd0020867,
	0x110023cf, 0xd0020867, 0x0c1c0c71, 0x10021027, 0x11044df7, 0xd00201e7,
	0x11004df7, 0xd00210e7, 0x00000000, 0xe00009e7, 0x0d183fbe, 0x10022227,
	0x000001b0, 0xf05809e7, 0x00000000, 0xe00009e7, 0x00000000, 0xe00009e7,
	0x00000000, 0xe00009e7, 0x0c983fbe, 0x10020227, 0x0000003f, 0xe0020867,
	0x14200c71, 0x10020867, 0x080003cf, 0xd0020867, 0x2010038e, 0x100059e1,
	0x01002e79, 0x10021127, 0x0f206df7, 0xd0020867, 0x080003cf, 0xd0020867,
	0x200c038e, 0x100059e1, 0x01001e79, 0x10020227, 0x00000000, 0xe0021167,
	0x00000000, 0xe0020267, 0x00000000, 0xe00202a7, 0x00000000, 0xe00211a7,
	0x00000000, 0xe00009e7, 0x0d146fbe, 0x100222e7, 0x000000a0, 0xf05809e7,
	0x00000000, 0xe00009e7, 0x00000000, 0xe00009e7, 0x00000000, 0xe00009e7,
	0x209c5fff, 0x100049c7, 0x20267db6, 0x100059cb, 0x00000000, 0xe00009e7,
	0x022c7fbe, 0x10020867, 0x010043cf, 0x10021227, 0x012c7fbe, 0x10020867,
	0x020223cf, 0xd00222e7, 0x019c5fff, 0x10020867, 0x2024038e, 0x100059e1,
	0x0120038e, 0x10080267, 0x159c8fff, 0x10081167, 0x0c281df7, 0xd00802a7,
	0x159c6fff, 0x10020827, 0x0c0011c7, 0xd00211a7, 0x00000000, 0xe00009e7,
	0x0d146fbe, 0x100222e7, 0xffffff60, 0xf06809e7, 0x00000000, 0xe00009e7,
	0x00000000, 0xe00009e7, 0x00000000, 0xe00009e7, 0x159f2fff, 0x100009e7,
	0x152a7db6, 0x10020c27, 0x150a7db6, 0x10021c67, 0x159c9fff, 0x10021c67,
	0x159c0fff, 0x10021ca7, 0x111c2df7, 0xd0020867, 0x0c000e79, 0x10021027,
	0x0c1c3fbe, 0x100210e7, 0x00000000, 0xe00009e7, 0x0d183fbe, 0x10022227,
	0xfffffe50, 0xf06809e7, 0x00000000, 0xe00009e7, 0x00000000, 0xe00009e7,
	0x00000000, 0xe00009e7, 0x159f2fff, 0x100009e7, 0x0d000df7, 0xd0023027,
	0x000000b0, 0xf01809e7, 0x00000000, 0xe00009e7, 0x00000000, 0xe00009e7,
	0x00000000, 0xe00009e7, 0x0d041df7, 0xd0020027, 0x00000000, 0xe0021027,
	0x00000000, 0xe00009e7, 0x0d000fbe, 0x10022067, 0x00000048, 0xf05809e7,
	0x00000000, 0xe00009e7, 0x00000000, 0xe00009e7, 0x00000000, 0xe00009e7,
	0x0000001f, 0xe80009e7, 0x159c0fff, 0x10020827, 0x0c0011c7, 0xd0021027,
	0x00000000, 0xe00009e7, 0x0d000fbe, 0x10023067, 0xffffffb8, 0xf06809e7,
	0x00000000, 0xe00009e7, 0x00000000, 0xe00009e7, 0x00000000, 0xe00009e7,
	0x00000001, 0xe00209a7, 0x00000008, 0xf0f809e7, 0x00000000, 0xe00009e7,
	0x00000000, 0xe00009e7, 0x00000000, 0xe00009e7, 0x0000000f, 0xe80009e7,
	0x009e7000, 0x300009e7, 0x00000000, 0xe00009e7, 0x00000000, 0xe00009e7,
	0x00000000, 0xe00009e7,
};

const char bench_qpu_sgemm[] =
"# C = A * B, 16 x 16 elements of C at a time: the lanes are columns, registers rows.\n"
"# Uniforms: K; bytes from row to row of A, B and C; number of tiles; for each tile the\n"
"# addresses of its part of A, B and C.\n"
"\tmov rb0, unif\n"
"\tmov rb1, unif\n"
"\tmov rb2, unif\n"
"\tmov rb3, unif\n"
"\tmov ra20, unif\n"
"\tldi r0, 0x1a00\t\t\t# VPM: row of this QPU\n"
"\tadd rb8, r0, qpu_num\n"
"\tldi r0, 0x80904000\t\t# DMA store: that row, 16 words\n"
"\tmov r1, qpu_num\n"
"\tshl r1, r1, 7\n"
"\tadd rb9, r0, r1\n"
":tile\n"
"\tmov r0, unif\n"
"\tmul24 r1, elem_num, rb1\n"
"\tadd ra16, r0, r1\n"
"\tmov r0, unif\n"
"\tshl r1, elem_num, 2\n"
"\tadd ra17, r0, r1\n"
"\tmov ra18, unif\n"
"\tmov ra19, rb0\n"
"\tmov t0s, ra16\n"
"\tmov t1s, ra17\n"
"\tmov ra0, 0\n"
"\tmov ra1, 0\n"
"\tmov ra2, 0\n"
"\tmov ra3, 0\n"
"\tmov ra4, 0\n"
"\tmov ra5, 0\n"
"\tmov ra6, 0\n"
"\tmov ra7, 0\n"
"\tmov ra8, 0\n"
"\tmov ra9, 0\n"
"\tmov ra10, 0\n"
"\tmov ra11, 0\n"
"\tmov ra12, 0\n"
"\tmov ra13, 0\n"
"\tmov ra14, 0\n"
"\tmov ra15, 0\n"
":k\n"
"\t# the next column of A and row of B\n"
"\tadd r0, ra16, 4\n"
"\tadd r1, ra17, rb2\n"
"\tmov ra16, r0; mov t0s, r0; ldtmu0\n"
"\tmov ra17, r1; mov t1s, r1\n"
"\tmov r2, r4; ldtmu1\n"
"\tmov r3, r4\n"
"\tmov r5rep, r2\n"
"\tfmul r1, r5, r3\n"
"\tfadd ra0, ra0, r1; mov r5rep, r2 << 1\n"
"\tfmul r1, r5, r3\n"
"\tfadd ra1, ra1, r1; mov r5rep, r2 << 2\n"
"\tfmul r1, r5, r3\n"
"\tfadd ra2, ra2, r1; mov r5rep, r2 << 3\n"
"\tfmul r1, r5, r3\n"
"\tfadd ra3, ra3, r1; mov r5rep, r2 << 4\n"
"\tfmul r1, r5, r3\n"
"\tfadd ra4, ra4, r1; mov r5rep, r2 << 5\n"
"\tfmul r1, r5, r3\n"
"\tfadd ra5, ra5, r1; mov r5rep, r2 << 6\n"
"\tfmul r1, r5, r3\n"
"\tfadd ra6, ra6, r1; mov r5rep, r2 << 7\n"
"\tfmul r1, r5, r3\n"
"\tfadd ra7, ra7, r1; mov r5rep, r2 << 8\n"
"\tfmul r1, r5, r3\n"
"\tfadd ra8, ra8, r1; mov r5rep, r2 << 9\n"
"\tfmul r1, r5, r3\n"
"\tfadd ra9, ra9, r1; mov r5rep, r2 << 10\n"
"\tfmul r1, r5, r3\n"
"\tfadd ra10, ra10, r1; mov r5rep, r2 << 11\n"
"\tfmul r1, r5, r3\n"
"\tfadd ra11, ra11, r1; mov r5rep, r2 << 12\n"
"\tfmul r1, r5, r3\n"
"\tfadd ra12, ra12, r1; mov r5rep, r2 << 13\n"
"\tfmul r1, r5, r3\n"
"\tfadd ra13, ra13, r1; mov r5rep, r2 << 14\n"
"\tfmul r1, r5, r3\n"
"\tfadd ra14, ra14, r1; mov r5rep, r2 << 15\n"
"\tfmul r1, r5, r3\n"
"\tsub.setf ra19, ra19, 1\n"
"\tbrr.anynz -, :k\n"
"\tfadd ra15, ra15, r1\n"
"\tnop\n"
"\tnop\n"
":rows\n"
"\t# what was asked for too much\n"
"\tnop; ldtmu0\n"
"\tnop; ldtmu1\n"
"\tmov vw_setup, rb8\n"
"\tmov vpm, ra0\n"
"\tmov vw_setup, rb9\n"
"\tmov vw_addr, ra18\n"
"\tadd ra18, ra18, rb3\n"
"\tmov -, vw_wait\n"
"\tmov vw_setup, rb8\n"
"\tmov vpm, ra1\n"
"\tmov vw_setup, rb9\n"
"\tmov vw_addr, ra18\n"
"\tadd ra18, ra18, rb3\n"
"\tmov -, vw_wait\n"
"\tmov vw_setup, rb8\n"
"\tmov vpm, ra2\n"
"\tmov vw_setup, rb9\n"
"\tmov vw_addr, ra18\n"
"\tadd ra18, ra18, rb3\n"
"\tmov -, vw_wait\n"
"\tmov vw_setup, rb8\n"
"\tmov vpm, ra3\n"
"\tmov vw_setup, rb9\n"
"\tmov vw_addr, ra18\n"
"\tadd ra18, ra18, rb3\n"
"\tmov -, vw_wait\n"
"\tmov vw_setup, rb8\n"
"\tmov vpm, ra4\n"
"\tmov vw_setup, rb9\n"
"\tmov vw_addr, ra18\n"
"\tadd ra18, ra18, rb3\n"
"\tmov -, vw_wait\n"
"\tmov vw_setup, rb8\n"
"\tmov vpm, ra5\n"
"\tmov vw_setup, rb9\n"
"\tmov vw_addr, ra18\n"
"\tadd ra18, ra18, rb3\n"
"\tmov -, vw_wait\n"
"\tmov vw_setup, rb8\n"
"\tmov vpm, ra6\n"
"\tmov vw_setup, rb9\n"
"\tmov vw_addr, ra18\n"
"\tadd ra18, ra18, rb3\n"
"\tmov -, vw_wait\n"
"\tmov vw_setup, rb8\n"
"\tmov vpm, ra7\n"
"\tmov vw_setup, rb9\n"
"\tmov vw_addr, ra18\n"
"\tadd ra18, ra18, rb3\n"
"\tmov -, vw_wait\n"
"\tmov vw_setup, rb8\n"
"\tmov vpm, ra8\n"
"\tmov vw_setup, rb9\n"
"\tmov vw_addr, ra18\n"
"\tadd ra18, ra18, rb3\n"
"\tmov -, vw_wait\n"
"\tmov vw_setup, rb8\n"
"\tmov vpm, ra9\n"
"\tmov vw_setup, rb9\n"
"\tmov vw_addr, ra18\n"
"\tadd ra18, ra18, rb3\n"
"\tmov -, vw_wait\n"
"\tmov vw_setup, rb8\n"
"\tmov vpm, ra10\n"
"\tmov vw_setup, rb9\n"
"\tmov vw_addr, ra18\n"
"\tadd ra18, ra18, rb3\n"
"\tmov -, vw_wait\n"
"\tmov vw_setup, rb8\n"
"\tmov vpm, ra11\n"
"\tmov vw_setup, rb9\n"
"\tmov vw_addr, ra18\n"
"\tadd ra18, ra18, rb3\n"
"\tmov -, vw_wait\n"
"\tmov vw_setup, rb8\n"
"\tmov vpm, ra12\n"
"\tmov vw_setup, rb9\n"
"\tmov vw_addr, ra18\n"
"\tadd ra18, ra18, rb3\n"
"\tmov -, vw_wait\n"
"\tmov vw_setup, rb8\n"
"\tmov vpm, ra13\n"
"\tmov vw_setup, rb9\n"
"\tmov vw_addr, ra18\n"
"\tadd ra18, ra18, rb3\n"
"\tmov -, vw_wait\n"
"\tmov vw_setup, rb8\n"
"\tmov vpm, ra14\n"
"\tmov vw_setup, rb9\n"
"\tmov vw_addr, ra18\n"
"\tadd ra18, ra18, rb3\n"
"\tmov -, vw_wait\n"
"\tmov vw_setup, rb8\n"
"\tmov vpm, ra15\n"
"\tmov vw_setup, rb9\n"
"\tmov vw_addr, ra18\n"
"\tadd ra18, ra18, rb3\n"
"\tmov -, vw_wait\n"
"\tsub.setf ra20, ra20, 1\n"
"\tbrr.anynz -, :tile\n"
"\tnop\n"
"\tnop\n"
"\tnop\n"
":done\n"
"\tthrend\n"
"\tnop\n"
"\tnop\n";

/*
 * All threads have to be through before the next pass: the others tell the first one, which
 * lets them go on when it has heard of all. @leave: semaphore, another one in the next pass.
 */
#define BARRIER(n, leave)							\
":sync" n "\n"									\
"\tmov.setf -, ra14\n"								\
"\tbrr.allz -, :first" n "\n"							\
"\tnop\n"									\
"\tnop\n"									\
"\tnop\n"									\
"\tsrel -, 0\n"									\
"\tsacq -, " leave "\n"								\
"\tbrr -, :next" n "\n"								\
"\tnop\n"									\
"\tnop\n"									\
"\tnop\n"									\
":first" n "\n"									\
"\tmov.setf ra9, rb12\n"							\
"\tbrr.allz -, :next" n "\n"							\
"\tnop\n"									\
"\tnop\n"									\
"\tnop\n"									\
":arrive" n "\n"								\
"\tsub.setf ra9, ra9, 1\n"							\
"\tbrr.anynz -, :arrive" n "\n"							\
"\tsacq -, 0\n"									\
"\tnop\n"									\
"\tnop\n"									\
"\tmov ra9, rb12\n"								\
"\tnop\n"									\
":leave" n "\n"									\
"\tsub.setf ra9, ra9, 1\n"							\
"\tbrr.anynz -, :leave" n "\n"							\
"\tsrel -, " leave "\n"								\
"\tnop\n"									\
"\tnop\n"									\
":next" n "\n"

/* One pass and another, until there are no more. */
#define PASSES(pass1, pass2)							\
":passes\n"									\
pass1									\
"\tsub.setf ra11, ra11, 1\n"							\
"\tbrr.allz -, :done\n"								\
"\tnop\n"									\
"\tnop\n"									\
"\tnop\n"									\
pass2									\
":again\n"									\
"\tsub.setf ra11, ra11, 1\n"							\
"\tbrr.anynz -, :passes\n"							\
"\tnop\n"									\
"\tnop\n"									\
"\tnop\n"									\
":done\n"									\
"\tthrend\n"									\
"\tnop\n"									\
"\tnop\n"

/* Elements whose number is @h more in those that do not have this bit, @h less in others. */
#define PARTNERS(h)								\
"\tand.setf -, elem_num, " h "\n"						\
"\tmov.ifz r2, r0 << " h "\n"							\
"\tmov.ifz r3, r1 << " h "\n"							\
"\tmov.ifnz r2, r0 >> " h "\n"							\
"\tmov.ifnz r3, r1 >> " h "\n"

/* Sums and differences with these; @sign: of an element's own value. */
#define SUMS(sign)								\
"\tfmul r0, r0, " sign "\n"							\
"\tfadd r0, r0, r2; fmul r1, r1, " sign "\n"					\
"\tfadd r1, r1, r3"

/* ... times powers of the root, real parts @c, imaginary parts @s. */
#define SUMS_TIMES(sign, c, s)							\
SUMS(sign) "; fmul r2, r0, " c "\n"						\
"\tfmul r3, r1, " s "\n"							\
"\tfsub r2, r2, r3; fmul r3, r0, " s "\n"					\
"\tmov r0, r2; fmul r1, r1, " c "\n"						\
"\tfadd r1, r1, r3\n"

/* The next of the constants at r0. */
#define LOAD(reg)								\
"\tmov t0s, r0\n"								\
"\tadd r0, r0, r1; ldtmu0\n"							\
"\tmov " reg ", r4\n"

/* Radix 16, from @re and @im to @to. */
#define PASS16(n, leave, re, im, to)						\
":pass" n "\n"									\
"\tmov ra6, rb7\n"								\
"\tmov ra7, rb8\n"								\
":group" n "\n"									\
"\tmov r3, ra6\n"								\
"\tshr r0, r3, 8\n"								\
"\tshl r1, r3, 2; mul24 r0, r0, ra16\n"						\
"\tadd r0, r0, r1\n"								\
"\tadd r0, r0, ra12\n"								\
"\tadd t0s, r0, " re "\n"							\
"\tadd t1s, r0, " im "\n"							\
"\tand r1, r3, rb15\n"								\
"\tshr r2, r3, 8; mul24 r1, r1, ra13\n"						\
"\tadd t0s, r1, rb4\n"								\
"\tadd t1s, r1, rb5; ldtmu0\n"							\
"\tmov r0, r4; ldtmu1\n"							\
"\tshl r3, r3, 6; mov r1, r4\n"							\
"\tshl r2, r2, 14\n"								\
"\tadd r3, r2, r3; mov r2, r0 << 8\n"						\
"\tadd ra4, r3, " to "\n"							\
"\tmov r3, r1 << 8\n"								\
SUMS_TIMES("rb20", "ra20", "rb21")						\
PARTNERS("4")									\
SUMS_TIMES("rb22", "ra22", "rb23")						\
PARTNERS("2")									\
SUMS_TIMES("rb24", "ra24", "rb25")						\
PARTNERS("1")									\
SUMS("rb26") "; ldtmu0\n"							\
"\tmov vw_setup, rb9; fmul r2, r0, r4\n"					\
"\tfmul r3, r1, r4; ldtmu1\n"							\
"\tadd ra6, ra6, 1; fmul r1, r1, r4\n"						\
"\tfsub vpm, r2, r1; fmul r0, r0, r4\n"						\
"\tfadd vpm, r3, r0\n"								\
"\tmov vw_setup, rb10\n"							\
"\tmov vw_addr, ra4\n"								\
"\tsub.setf ra7, ra7, 1\n"							\
"\tbrr.anynz -, :group" n "\n"							\
"\tmov -, vw_wait\n"								\
"\tnop\n"									\
"\tnop\n"									\
BARRIER(n, leave)								\
"\tmov r0, rb15\n"								\
"\tshl r0, r0, 4\n"								\
"\tand rb15, r0, rb17\n"

const char bench_qpu_fft[] =
"# Transforms of 4096 points of radix 16, one after the other in memory, real parts before\n"
"# imaginary ones: each vector is a transform of 16 points, whose partners are found by\n"
"# rotation. Every pass reads points that are 256 apart and writes vectors in order.\n"
"# Uniforms: addresses of X (real, imaginary parts), Y, the powers of the root of 4096 and\n"
"# this program's constants; setup word for the store's gaps; first vector of this thread,\n"
"# and how many; setup words of the pipeline memory: rows, store of two; other threads;\n"
"# number of this thread; passes.\n"
"\tmov rb0, unif\n"
"\tmov rb1, unif\n"
"\tmov rb2, unif\n"
"\tmov rb3, unif\n"
"\tmov rb4, unif\n"
"\tmov rb5, unif\n"
"\tmov r0, unif\n"
"\tmov vw_setup, unif\n"
"\tmov rb7, unif\n"
"\tmov rb8, unif\n"
"\tmov rb9, unif\n"
"\tmov rb10, unif\n"
"\tmov rb12, unif\n"
"\tmov ra14, unif\n"
"\tmov ra11, unif\n"
"\t# bytes from transform to transform less those of 256 points, and of a part\n"
"\tldi ra16, 0x7c00\n"
"\tshl ra12, elem_num, 10\n"
"\t# which power of the root an element takes; changes from pass to pass\n"
"\tldi rb15, 255\n"
"\tldi rb17, 255\n"
"\tshl r1, elem_num, 2\n"
"\tadd r0, r0, r1\n"
"\tldi r1, 64\n"
LOAD("rb20") LOAD("ra20") LOAD("rb21")
LOAD("rb22") LOAD("ra22") LOAD("rb23")
LOAD("rb24") LOAD("ra24") LOAD("rb25")
LOAD("rb26") LOAD("ra13")
PASSES(PASS16("1", "1", "rb0", "rb1", "rb2"), PASS16("2", "2", "rb2", "rb3", "rb0"));

/* Radix 2, halves to pairs. */
#define PASS2(n, leave, re, im, to_re, to_im)					\
":pass" n "\n"									\
"\tadd ra0, " re ", ra12\n"							\
"\tadd ra1, " im ", ra12\n"							\
"\tadd ra4, " to_re ", ra13\n"							\
"\tadd ra5, " to_im ", ra13\n"							\
"\tshr ra6, ra12, 2\n"								\
"\tmov ra7, rb8\n"								\
":group" n "\n"									\
"\tmov t0s, ra0\n"								\
"\tmov t1s, ra1\n"								\
"\tadd t0s, ra0, rb6\n"								\
"\tadd t1s, ra1, rb6\n"								\
"\tshr r0, ra6, rb15\n"								\
"\tshl r0, r0, rb15\n"								\
"\tshl r0, r0, 2\n"								\
"\tadd t0s, r0, rb4\n"								\
"\tadd t1s, r0, rb5\n"								\
"\tmov vw_setup, rb9\n"								\
"\tnop; ldtmu0\n"								\
"\tmov r0, r4; ldtmu1\n"							\
"\tmov r1, r4; ldtmu0\n"							\
"\tfsub r2, r0, r4\n"								\
"\tfadd r0, r0, r4; ldtmu1\n"							\
"\tfsub r3, r1, r4\n"								\
"\tfadd r1, r1, r4; ldtmu0\n"							\
"\tmov vpm, r0\n"								\
"\tmov ra8, r4; ldtmu1\n"							\
"\tfmul r0, r3, r4\n"								\
"\tfmul rb16, r2, r4\n"								\
"\tfmul r2, r2, ra8\n"								\
"\tfmul r3, r3, ra8\n"								\
"\tfsub vpm, r2, r0\n"								\
"\tmov vpm, r1\n"								\
"\tfadd vpm, r3, rb16\n"							\
"\tmov vw_setup, rb10\n"							\
"\tmov vw_addr, ra4\n"								\
"\tmov -, vw_wait\n"								\
"\tmov vw_setup, rb11\n"							\
"\tmov vw_addr, ra5\n"								\
"\tmov -, vw_wait\n"								\
"\tadd ra0, ra0, rb17\n"							\
"\tadd ra1, ra1, rb17\n"							\
"\tadd ra4, ra4, rb18\n"							\
"\tadd ra5, ra5, rb18\n"							\
"\tsub.setf ra7, ra7, 1\n"							\
"\tbrr.anynz -, :group" n "\n"							\
"\tadd ra6, ra6, rb19\n"							\
"\tnop\n"									\
"\tnop\n"									\
BARRIER(n, leave)								\
"\tadd r0, ra15, 1\n"								\
"\tmov ra15, r0; mov rb15, r0\n"

const char bench_qpu_fft2[] =
"# FFT of radix 2 with constant geometry: every pass reads halves and writes pairs.\n"
"# Uniforms: addresses of X (real, imaginary parts), Y and of the powers of the root; bytes\n"
"# of half a vector; where this thread begins, bytes; groups of 16 butterflies; setup words\n"
"# of the pipeline memory: vertical writes, stores of the real and imaginary pairs; other\n"
"# threads; number of this thread; passes.\n"
"\tmov rb0, unif\n"
"\tmov rb1, unif\n"
"\tmov rb2, unif\n"
"\tmov rb3, unif\n"
"\tmov rb4, unif\n"
"\tmov rb5, unif\n"
"\tmov rb6, unif\n"
"\tmov r0, unif\n"
"\tmov rb8, unif\n"
"\tmov rb9, unif\n"
"\tmov rb10, unif\n"
"\tmov rb11, unif\n"
"\tmov rb12, unif\n"
"\tmov ra14, unif\n"
"\tmov ra11, unif\n"
"\tshl r1, elem_num, 2\n"
"\tadd ra12, r0, r1\n"
"\tshl ra13, r0, 1\n"
"\tldi rb17, 64\n"
"\tldi rb18, 128\n"
"\tldi rb19, 16\n"
"\tmov ra15, 0; mov rb15, 0\n"
"\tldi vw_setup, 0xc0000000\t# stores are without gaps\n"
PASSES(PASS2("1", "1", "rb0", "rb1", "rb2", "rb3"), PASS2("2", "2", "rb2", "rb3", "rb0", "rb1"));

/* As QPULib compiles a pause between an instruction and the next one. */
#define PAUSE	"\tldi -, 0\n"

/* 16 words of the pipeline memory's column of this thread, to memory. */
#define STORE(from, to)								\
"\tmov -, vw_wait\n"								\
"\tmov vpm, " from "\n"								\
"\tmov vw_setup, ra9\n"								\
"\tmov vw_setup, rb9\n"								\
"\tmov vw_addr, " to "\n"

/* Setup words of that column: this thread's number is in ra0. */
#define COLUMN									\
"\tldi ra9, 0xc0000000\t\t# stores are without gaps\n"				\
"\tldi r1, 0x00000220\t\t# vectors are columns from row 32 on\n"		\
"\tor vw_setup, ra0, r1\n"							\
"\tldi r1, 0x88015000\t\t# store: one word of each of 16 rows\n"		\
"\tshl r0, ra0, 3\n"								\
"\tor rb9, r0, r1\n"

const char bench_qpu_rotate[] =
"# Points of a plane are turned, 16 at a time; the form is that of QPULib's programs: an\n"
"# operation per instruction, requests a step ahead, results through a column.\n"
"# Uniforms: number of this thread; bytes from step to step, and of all steps; sine, cosine;\n"
"# this thread's first X and Y.\n"
"\tmov ra0, unif\n"
"\tmov ra7, unif\n"
"\tmov ra6, unif\n"
"\tmov ra4, unif\n"
"\tmov ra5, unif\n"
"\tmov r0, unif\n"
"\tmov r1, unif\n"
"\tshl r2, elem_num, 2\n"
"\tadd rb1, r0, r2\n"
"\tadd ra3, r1, r2\n"
COLUMN
"\tmov t0s, rb1\n"
"\tmov t0s, ra3\n"
"\tldi rb3, 0\n"
":step\n"
"\tmov r1, ra7\n"
"\tadd t0s, rb1, r1\n"
"\tmov r1, ra7\n"
"\tadd t0s, ra3, r1\n"
"\tnop; ldtmu0\n"
"\tmov rb0, r4\n"
"\tnop; ldtmu0\n"
"\tmov rb2, r4\n"
"\tfmul ra8, rb0, ra5\n"
"\tfmul r1, rb2, ra4\n"
"\tfsub rb4, ra8, r1\n"
STORE("rb4", "rb1")
"\tfmul rb2, rb2, ra5\n"
"\tfmul r1, rb0, ra4\n"
"\tfadd ra8, rb2, r1\n"
STORE("ra8", "ra3")
"\tmov r1, ra7\n"
"\tadd rb1, rb1, r1\n"
"\tmov r1, ra7\n"
"\tadd ra3, ra3, r1\n"
"\tadd rb3, rb3, ra7\n"
PAUSE
"\tsub.setf rb0, rb3, ra6\n"
"\tbrr.anyn -, :step\n"
PAUSE
PAUSE
PAUSE
":done\n"
"\tnop; ldtmu0\n"
"\tnop; ldtmu0\n"
"\tmov -, vw_wait\n"
"\tthrend\n"
"\tnop\n"
"\tnop\n";

/* A vector by way of the pipeline memory. */
#define FETCH(from, to)								\
"\tmov vr_setup, rb5\n"								\
"\tmov vr_setup, ra10\n"								\
"\tmov vr_addr, " from "\n"							\
"\tmov -, vr_wait\n"								\
"\tmov vr_setup, rb6\n"								\
PAUSE PAUSE PAUSE								\
"\tmov " to ", vpm\n"

const char bench_qpu_gcd[] =
"# Greatest common divisors of 16 pairs at a time by subtractions, in the form of QPULib's\n"
"# programs: comparisons of their own for each condition, a branch by all elements.\n"
"# Uniforms: number of this thread; bytes from vector to vector; vectors; addresses of the\n"
"# first, of the second numbers and of the results.\n"
"\tmov ra0, unif\n"
"\tmov ra7, unif\n"
"\tmov ra6, unif\n"
"\tmov ra1, unif\n"
"\tmov ra2, unif\n"
"\tmov ra3, unif\n"
COLUMN
"\tldi rb5, 0x90000004\t\t# rows of a load are 4 bytes apart\n"
"\tldi r1, 0x80101800\t\t# load: 16 rows of a word, down a column from row 0 on\n"
"\tor ra10, ra0, r1\n"
"\tldi r1, 0x00100200\t\t# one vector of that column\n"
"\tor rb6, ra0, r1\n"
":vector\n"
FETCH("ra1", "rb2")
FETCH("ra2", "ra4")
PAUSE
"\tsub.setf ra5, rb2, ra4\n"
"\tbrr.allz -, :store\n"
PAUSE
PAUSE
PAUSE
":round\n"
"\tsub.setf rb0, ra4, rb2\n"
"\tsub.ifn rb2, rb2, ra4\n"
PAUSE
"\tsub.setf ra5, rb2, ra4\n"
"\tsub.ifn ra4, ra4, rb2\n"
PAUSE
"\tsub.setf rb0, rb2, ra4\n"
"\tbrr.anynz -, :round\n"
PAUSE
PAUSE
PAUSE
":store\n"
STORE("rb2", "ra3")
"\tmov r1, ra7\n"
"\tadd ra1, ra1, r1\n"
"\tadd ra2, ra2, r1\n"
"\tadd ra3, ra3, r1\n"
"\tsub.setf ra6, ra6, 1\n"
"\tbrr.anynz -, :vector\n"
PAUSE
PAUSE
PAUSE
":done\n"
"\tmov -, vw_wait\n"
"\tthrend\n"
"\tnop\n"
"\tnop\n";
