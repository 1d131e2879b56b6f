/* SPDX-License-Identifier: MIT */
/*
 * Contact sheets: many pictures in one, with their names.
 */
#ifndef VSHADER_SHEET_H
#define VSHADER_SHEET_H

#include <stdint.h>

#include "jobfile_picture.h"

struct sheet;

/**
 * sheet_new - begin a contact sheet
 *
 * Return: the sheet, or NULL, reported.
 */
struct sheet *sheet_new(void);

/**
 * sheet_add - add a picture
 * @s: sheet
 * @name: its name
 * @p: arrangement
 * @data: pixels
 *
 * Return: 0 or EXIT_USAGE, reported.
 */
int sheet_add(struct sheet *s, const char *name, const struct jf_picture *p, const uint8_t *data);

/**
 * sheet_write - write the sheet as PNG
 * @s: sheet
 * @path: file
 * @quiet: without a line about it
 *
 * Return: 0 or EXIT_USAGE, reported.
 */
int sheet_write(const struct sheet *s, const char *path, bool quiet);

/**
 * sheet_free - free a sheet
 * @s: sheet, or NULL
 */
void sheet_free(struct sheet *s);

#endif /* VSHADER_SHEET_H */
