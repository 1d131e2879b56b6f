/* SPDX-License-Identifier: MIT */
#ifndef MALI_PRINT_H
#define MALI_PRINT_H

#include "native/mali/mali_launch.h"

/* Letters of a format's or texture's swizzle. */
void mali_swizzle_text(const u8 swizzle[4], char text[5]);

/**
 * mali_job_print - text of a job
 * @job: job whose descriptors have been read
 * @buf: where to
 * @size: room
 *
 * Return: length of the whole text without its final zero, even if truncated.
 */
size_t mali_job_print(const struct mali_job *job, char *buf, size_t size);
/* Message for a reject, as long as @size allows. Return: length of the whole text. */
size_t mali_reject_print(const struct mali_reject *why, char *buf, size_t size);

#endif /* MALI_PRINT_H */
