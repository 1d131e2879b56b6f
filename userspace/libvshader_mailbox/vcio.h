/* SPDX-License-Identifier: MIT */
/*
 * Functions of the C library without a public declaration: programs built with
 * _FORTIFY_SOURCE, or with an older C library, call them.
 */
#ifndef MBOX_VCIO_H
#define MBOX_VCIO_H

#include <sys/types.h>

int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __xmknod(int version, const char *path, mode_t mode, dev_t *dev);
int __xmknodat(int version, int dir, const char *path, mode_t mode, dev_t *dev);

#endif /* MBOX_VCIO_H */
