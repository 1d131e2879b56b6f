/* SPDX-License-Identifier: GPL-2.0 */
/* Shader jobs of captured Midgard jobs. */
#ifndef SELFTESTS_MALI_MGJOB_H
#define SELFTESTS_MALI_MGJOB_H

#include "run.h"

u32 mg_r32(const struct vs_map *map, u64 va);
u64 mg_r64(const struct vs_map *map, u64 va);
/* Program object of a compiled program, or NULL. */
struct vs_program *mg_program_of(const struct mprog *p, enum vs_stage stage);
/* Resources as the draw descriptor at @dcd has them; sizes and fragments are not set. */
void mg_shader_of(const struct vs_map *map, u64 dcd, const struct vs_program *prog, u32 gpu,
		  struct mali_shader *s);
/* Sizes of the launch from the first job of a chain. */
bool mg_sizes(const struct vs_map *map, u64 va, struct mali_shader *s);
/* Text of a fault. */
void mg_fault_text(const struct vs_fault *f, char *buf, size_t size);

#endif
