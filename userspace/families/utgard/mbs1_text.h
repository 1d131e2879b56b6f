/* SPDX-License-Identifier: MIT */
/*
 * MBS1 containers as text: a directive for each symbol and state, and the programs' code.
 */
#ifndef VSHADER_MBS1_TEXT_H
#define VSHADER_MBS1_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "mbs1.h"

/**
 * mbs1_text_head - begin the text of a container
 * @f: stream
 * @mbs: container
 * @data: the file
 * @len: bytes at @data
 *
 * A container that has more than the text can say is marked as incomplete.
 */
void mbs1_text_head(FILE *f, const struct vs_mbs1 *mbs, const void *data, size_t len);

/**
 * mbs1_text_program - directives before the code of a program
 * @f: stream
 * @p: program
 */
void mbs1_text_program(FILE *f, const struct vs_mbs1_program *p);

/**
 * mbs1_is_text - whether a source is the text of a container
 * @text: source, terminated by a zero
 */
bool mbs1_is_text(const char *text);

/**
 * mbs1_text_parse - make a container of its text
 * @path: name of the source, for messages
 * @text: source, terminated by a zero
 * @out: container
 *
 * Return: 0 or EXIT_USAGE, reported.
 */
int mbs1_text_parse(const char *path, const char *text, struct vs_mbs1 **out);

#endif /* VSHADER_MBS1_TEXT_H */
