/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Usage statistics in fdinfo.
 */
#ifndef VSHADER_PERF_H
#define VSHADER_PERF_H

struct file;
struct seq_file;

/**
 * vshader_show_fdinfo - file operation
 * @m: where to
 * @f: DRM file
 */
void vshader_show_fdinfo(struct seq_file *m, struct file *f);

#endif /* VSHADER_PERF_H */
