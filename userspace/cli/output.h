/* SPDX-License-Identifier: MIT */
/*
 * Files that commands write. What they replace is kept until everything has been written: a
 * failure, a full disk or a signal leaves the old file, and no other one.
 */
#ifndef VSHADER_OUTPUT_H
#define VSHADER_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/**
 * typedef output_report - receives the message of an error
 * @arg: of output_open_to()
 * @text: the message
 *
 * Return: status for the caller, not 0.
 */
typedef int (*output_report)(void *arg, const char *text);

/**
 * struct output - a file being written
 * @report: receives errors, NULL: fail()
 * @arg: for @report
 * @f: stream
 * @path: name for messages
 * @target: file that is replaced, or NULL: written directly, as devices and pipes are
 * @temporary: file beside it, or NULL
 */
struct output {
	output_report report;
	void *arg;
	FILE *f;
	const char *path;
	char *target;
	char *temporary;
};

/**
 * output_open - begin to write a file
 * @o: receives the state
 * @path: name; it must stay valid. NULL and "-": standard output
 *
 * A file that this command has read, and one that it has written, is refused.
 *
 * Return: 0 or EXIT_USAGE, reported.
 */
int output_open(struct output *o, const char *path);

/**
 * output_open_to - begin to write a file, for a session of several commands
 * @o: receives the state
 * @path: name; it must stay valid
 * @report: receives errors, also those of output_close()
 * @arg: for @report
 *
 * A file that was written before is replaced, and "-" is a name.
 *
 * Return: 0, or what @report returned.
 */
int output_open_to(struct output *o, const char *path, output_report report, void *arg);

/**
 * output_close - end a file
 * @o: state
 * @status: exit status so far; the file is not written if it is EXIT_USAGE or above
 *
 * Return: @status, or EXIT_USAGE, reported; after output_open_to(): @status, or what the function
 * that reports returned. The file is not written if @status is not 0 then.
 */
int output_close(struct output *o, int status);

/**
 * output_name - check a name from a job file that becomes a file's name in a folder
 * @folder: folder, for the message
 * @name: name
 *
 * Return: 0, or EXIT_USAGE if it would be somewhere else, reported.
 */
int output_name(const char *folder, const char *name);

#endif /* VSHADER_OUTPUT_H */
