/* SPDX-License-Identifier: MIT */
/*
 * Functions of the C library that its headers keep to themselves: what programs call that
 * are built with _FORTIFY_SOURCE.
 */
#ifndef MBOX_VCIO_H
#define MBOX_VCIO_H

int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);

#endif /* MBOX_VCIO_H */
