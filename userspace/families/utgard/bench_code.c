// SPDX-License-Identifier: MIT
/*
 * Programs of the Utgard workloads.
 */
#include "bench_utgard.h"

/* Position by a matrix of columns 0 to 3; colour: light 4 on the normal, times 5, plus 6. */
const char bench_utgard_light[] =
	"000:\tmul.m0 ^2 a0.x t[0].x\n"
	"\tmul.m1 ^3 a0.x t[0].y\n"
	"001:\tmul.m0 ^8 a0.y t[1].x\n"
	"\tmul.m1 ^9 a0.y t[1].y\n"
	"002:\tadd.a0 ^12 ^8 ^2\n"
	"\tadd.a1 ^13 ^9 ^3\n"
	"\tmul.m0 ^14 a0.z t[2].x\n"
	"\tmul.m1 ^15 a0.z t[2].y\n"
	"003:\tadd.a0 ^18 ^14 ^12\n"
	"\tadd.a1 ^19 ^15 ^13\n"
	"004:\tadd.a0 ^24/v0.x ^18 t[3].x\n"
	"\tadd.a1 ^25/v0.y ^19 t[3].y\n"
	"005:\tmul.m0 ^32 a0.x t[0].z\n"
	"\tmul.m1 ^33 a0.x t[0].w\n"
	"006:\tmul.m0 ^38 a0.y t[1].z\n"
	"\tmul.m1 ^39 a0.y t[1].w\n"
	"007:\tadd.a0 ^42 ^38 ^32\n"
	"\tadd.a1 ^43 ^39 ^33\n"
	"\tmul.m0 ^44 a0.z t[2].z\n"
	"\tmul.m1 ^45 a0.z t[2].w\n"
	"008:\tadd.a0 ^48 ^44 ^42\n"
	"\tadd.a1 ^49 ^45 ^43\n"
	"009:\tadd.a0 ^54/v0.z ^48 t[3].z\n"
	"\tadd.a1 ^55/v0.w ^49 t[3].w\n"
	"010:\tmul.m0 ^62 a1.x t[4].x\n"
	"\tmul.m1 ^63 a1.y t[4].y\n"
	"011:\tadd.a0 ^66 ^62 ^63\n"
	"\tmul.m0 ^68 a1.z t[4].z\n"
	"012:\tadd.a0 ^72 ^66 ^68\n"
	"013:\tmax.a0 ^78 ^72 0\n"
	"014:\tmul.m0 ^86 ^78 t[5].x\n"
	"\tmul.m1 ^87 ^78 t[5].y\n"
	"015:\tmul.m0 ^92 ^78 t[5].z\n"
	"016:\tadd.a0 ^96/v1.x ^86 t[6].x\n"
	"\tadd.a1 ^97/v1.y ^87 t[6].y\n"
	"017:\tadd.a0 ^102/v1.z ^92 t[6].z\n"
	"\tmov.a1 ^103/v1.w t[6].w\n";

/* A texel by varying 0, times varying 1, plus a uniform. */
const char bench_utgard_texture[] =
	"load.v $0 1\n"
	"load.v ^discard.xy 0.xy, texld 0, load.u 0,\t"
	"mul.v0 ^texture $0, add.v1 $0 ^v0 ^uniform, sync, stop\n";
