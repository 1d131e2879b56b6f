/* SPDX-License-Identifier: MIT */
/*
 * Cost of debuggable jobs.
 */
#ifndef VSHADER_BENCH_DEBUG_H
#define VSHADER_BENCH_DEBUG_H

#include <stdbool.h>

/**
 * bench_debug - run job files on queues that can be debugged and on others
 * @device: as of the option
 * @files: job files
 * @num: number of @files
 * @repeats: runs of each
 * @json: machine-readable
 *
 * Return: exit status.
 */
int bench_debug(const char *device, char **files, int num, unsigned int repeats, bool json);

#endif /* VSHADER_BENCH_DEBUG_H */
