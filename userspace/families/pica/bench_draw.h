/* SPDX-License-Identifier: MIT */
/*
 * PICA200 pictures as benchmark workloads; functions as of struct bench_ops.
 */
#ifndef VSHADER_BENCH_DRAW_H
#define VSHADER_BENCH_DRAW_H

#include "bench.h"

int bench_draw_add(const struct bench_params *p);
unsigned int bench_draw_count(void);
int bench_draw_check(void);
int bench_draw_measure(void);
bool bench_draw_finish(void);
void bench_draw_free(void);
void bench_draw_print(bool local);
void bench_draw_json(struct json_object *root, bool local);

#endif /* VSHADER_BENCH_DRAW_H */
