/* SPDX-License-Identifier: MIT */
/*
 * Functions of the C library without a public declaration: programs built with
 * _FORTIFY_SOURCE call them.
 */
#ifndef MBOX_VCIO_H
#define MBOX_VCIO_H

int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);

#endif /* MBOX_VCIO_H */
