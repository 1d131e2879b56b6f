/* SPDX-License-Identifier: MIT */
#ifndef UTGARD_PRINT_H
#define UTGARD_PRINT_H

#include "native/utgard/utgard_frame.h"

/**
 * utf_list_print - text of a command list
 * @list: enum utf_list
 * @map: memory
 * @start: first command
 * @end: end of the list (exclusive)
 * @buf: where to
 * @size: room
 *
 * Jumps are followed, up to UTF_MAX_COMMANDS commands. Unknown commands are shown as such;
 * an unreadable address ends the text.
 *
 * Return: length of the whole text without its final zero, even if truncated.
 */
size_t utf_list_print(enum utf_list list, const struct vs_map *map, u32 start, u32 end,
		      char *buf, size_t size);
/* Text of a frame of the vertex processor, with its lists and descriptor tables. */
size_t utf_gp_print(const struct vs_map *map, u32 va, char *buf, size_t size);
/* Text of a frame of the pixel processor, with the render state that it names. */
size_t utf_pp_print(enum utf_gpu gpu, const struct vs_map *map, u32 va, char *buf, size_t size);
/* Text of a render state. */
size_t utf_state_print(const u32 *state, char *buf, size_t size);

#endif /* UTGARD_PRINT_H */
