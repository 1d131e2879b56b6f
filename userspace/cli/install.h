/* SPDX-License-Identifier: MIT */
/* Files installed with the command, or in its checkout: scripts, libraries, a cache. */
#ifndef INSTALL_H
#define INSTALL_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Path of a script, "scripts/mesa": of the checkout, beside the command, or of the installation.
 * Return: whether it is there.
 */
bool install_script(const char *name, char *buf, size_t size, bool *checkout);
/* The folder of what is downloaded: VSHADER_CACHE, or the user's, which scripts/lib.sh has, too. */
void install_cache(char *buf, size_t size);
/* Set VSHADER_CACHE and, unless in a checkout, VSHADER_BUILD for a script. */
void install_environment(bool checkout);
/* Path of a library to preload. Return: whether it is there. */
bool install_library(const char *name, char *buf, size_t size);

#endif /* INSTALL_H */
