/* SPDX-License-Identifier: MIT */
/*
 * Messages between programs with libvshader_gl.so and "vshader gl": each ioctl of a DRM file is
 * a message on the socket that the program holds in place of the file, and so is its answer. Both
 * sides have one machine's byte order and may have different instruction sets.
 */
#ifndef GL_PROTO_H
#define GL_PROTO_H

#include <stdint.h>

/* The name of the server's socket, in the abstract namespace. */
#define GL_SOCKET_ENV	"VSHADER_GL_SOCKET"

/* What the program believes to open. */
#define GL_NODE		"/dev/dri/renderD128"

#define GL_MAX_ARG	128
#define GL_MAX_ARRAYS	65536U

/* Number of the message that asks for a buffer's memory; the argument is its handle. */
#define GL_MAP		0x1000U

/**
 * struct gl_request - Head of a message; the argument and the contents of its arrays follow
 * @nr: number of the ioctl, or %GL_MAP
 * @size: bytes of the argument
 * @arrays: bytes of the arrays, in the order of the argument's pointers
 */
struct gl_request {
	uint32_t nr;
	uint32_t size;
	uint32_t arrays;
};

/**
 * struct gl_reply - Head of an answer; the argument and the arrays follow
 * @ret: 0, a negative errno, or %GL_AGAIN
 */
struct gl_reply {
	int32_t ret;
};

/* Not yet: ask again, so that others can be answered. */
#define GL_AGAIN	1

/**
 * struct gl_array - An array to which an ioctl's argument points.
 * @nr: number of the ioctl
 * @pointer: offset of the address, 64 bits
 * @count: offset of the number of elements, 32 bits
 * @size: bytes of an element
 */
struct gl_array {
	uint32_t nr;
	uint32_t pointer;
	uint32_t count;
	uint32_t size;
};

/* All of them; those of one ioctl in the order in which they are sent. */
extern const struct gl_array gl_arrays[];
extern const unsigned int gl_num_arrays;

/* Bytes of an array of an argument. */
uint64_t gl_array_bytes(const struct gl_array *a, const void *arg);
/* Its address. */
void *gl_array_at(const struct gl_array *a, const void *arg);

#endif /* GL_PROTO_H */
