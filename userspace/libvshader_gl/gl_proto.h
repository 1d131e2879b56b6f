/* SPDX-License-Identifier: MIT */
/*
 * Messages between programs with libvshader_gl.so and "vshader gl": each ioctl of a DRM file is
 * a message on the socket that the program holds in place of the file, and so is its answer. Both
 * sides have one machine's byte order and may have different instruction sets.
 */
#ifndef GL_PROTO_H
#define GL_PROTO_H

#include <stdbool.h>
#include <stdint.h>

#include <drm.h>

/* The name of the server's socket, in the abstract namespace. */
#define GL_SOCKET_ENV	"VSHADER_GL_SOCKET"

/* Folder with the files of /dev and /sys that describe the device. */
#define GL_ROOT_ENV	"VSHADER_GL_ROOT"

/* Name of the driver that the node is of. */
#define GL_DRIVER_ENV	"VSHADER_GL_DRIVER"

/* Drivers; ioctls of the DRM core are those of any. */
enum gl_kind { GL_ANY, GL_PANFROST, GL_LIMA, GL_VC4 };

/**
 * struct gl_interface - A driver's.
 * @kind: which one
 * @name: its name
 * @major: version
 * @minor: version
 */
struct gl_interface {
	enum gl_kind kind;
	const char *name;
	int major;
	int minor;
};

/* A driver by its name. Return: panfrost if there is none. */
const struct gl_interface *gl_interface_find(const char *name);

/* Set for programs whose system calls are seen: the name of the server's socket. */
#define GL_CALLS_ENV	"VSHADER_GL_CALLS"

#define GL_DRI		"/dev/dri/"
#define GL_RENDER	"renderD128"
#define GL_CARD		"card0"
#define GL_NODE_MAJOR	226

/**
 * struct gl_node - a device node in GL_DRI
 * @name: name
 * @minor: number
 */
struct gl_node {
	const char *name;
	unsigned int minor;
};

/* The render node and, as drivers without displays have it, the primary node. */
#define GL_NODES	2
extern const struct gl_node gl_nodes[GL_NODES];

#define GL_CARD_MINOR	0

/* Name of the device on its bus, which is also what GET_UNIQUE answers. */
#define GL_DEVICE	"vshader"

/* Bytes of an argument in a message: more than any ioctl reads or writes. */
#define GL_MAX_ARG	192
#define GL_MAX_ARRAYS	65536U

/* Larger arrays are in a file that comes along. */
#define GL_MAX_FILE	0x4000000U

/*
 * Number of the message that asks for a buffer's memory; the argument is its handle, and whether it
 * is written. The offset for mmap() is the handle's number of GL_PAGE bytes.
 */
#define GL_PAGE		4096U
#define GL_MAP		0x1000U

/*
 * First message of a connection: it is a DRM file; the argument is the node's minor number. A file
 * with two tables of %GL_HANDLES bits may come with the answer: which handles of buffers there are,
 * at any time, without heaps and buffers that have been shared, and which of these may be busy, so
 * that an ioctl that asks for no more needs no message.
 */
#define GL_OPEN		0x1001U
#define GL_HANDLES	32768U
#define GL_HANDLES_WORDS	(GL_HANDLES / 64)
#define GL_HANDLES_BYTES	(2 * GL_HANDLES_WORDS * 8)

/* First message of a connection: it is about an exported buffer; &struct gl_dmabuf. */
#define GL_DMABUF	0x1002U

/*
 * A label is a string: its length, and the error if it cannot be read, are words at the end of the
 * argument.
 */
#define GL_LABEL_BYTES	184
#define GL_LABEL_ERRNO	188

/*
 * Counters have no number in the argument: it is a word at its end, before the call as many as
 * there may be.
 */
#define GL_COUNTERS	184
#define GL_MAX_COUNTERS	16

/* GET_UNIQUE: the server answers with the length alone. */
#define GL_GET_UNIQUE	0x01U

/*
 * A sync file is an eventfd whose F_GETSIG is this; those of the program are no sync files. The
 * number is one that qemu-user does not translate.
 */
#define GL_SYNC_FILE_SIGNAL	30

/* Ioctls that are newer than the headers this is built with. */
#define GL_SYNCOBJ_EVENTFD	0xcfU
#define GL_CLOSE_FB		0xd0U
#define GL_SET_CLIENT_NAME	0xd1U

/** struct gl_syncobj_eventfd - argument of DRM_IOCTL_SYNCOBJ_EVENTFD */
struct gl_syncobj_eventfd {
	uint32_t handle;
	uint32_t flags;
	uint64_t point;
	int32_t fd;
	uint32_t pad;
};

/** struct gl_client_name - argument of DRM_IOCTL_SET_CLIENT_NAME */
struct gl_client_name {
	uint64_t len;
	uint64_t name;
};

/* Flag of newer kernels: HANDLE_TO_FD and FD_TO_HANDLE are about a point of a timeline. */
#define GL_SYNCOBJ_TIMELINE	(1U << 1)

enum gl_dmabuf_op { GL_DMABUF_WAIT, GL_DMABUF_EXPORT, GL_DMABUF_IMPORT, GL_DMABUF_SET_NAME,
		    GL_DMABUF_GET_NAME };

#define GL_DMABUF_NAME_LEN	32

/**
 * struct gl_dmabuf - argument of GL_DMABUF
 * @ino: inode number of the buffer's file
 * @op: enum gl_dmabuf_op
 * @write: WAIT, EXPORT: as a writer, which waits for all jobs, a reader for those that write;
 *	IMPORT: the fence is a writer's
 * @name: of the buffer; in: SET_NAME, out: GET_NAME
 * @handles: handles that it has in all DRM files; out: GET_NAME
 * @pad: 0
 *
 * A sync file goes along with IMPORT and comes with EXPORT. -ENOENT: the buffer is not known.
 */
struct gl_dmabuf {
	uint64_t ino;
	uint32_t op;
	uint32_t write;
	char name[GL_DMABUF_NAME_LEN];
	uint32_t handles;
	uint32_t pad;
};

/** struct gl_close_fb - argument of DRM_IOCTL_MODE_CLOSEFB */
struct gl_close_fb {
	uint32_t fb_id;
	uint32_t pad;
};

/* An ioctl with a newer argument. */
#define GL_IOCTL(request, arg)	_IOC(_IOC_READ | _IOC_WRITE, DRM_IOCTL_BASE, _IOC_NR(request), \
				     sizeof(arg))

/** struct gl_syncobj_handle - struct drm_syncobj_handle with the point that newer kernels take */
struct gl_syncobj_handle {
	uint32_t handle;
	uint32_t flags;
	int32_t fd;
	uint32_t pad;
	uint64_t point;
};

/* An ioctl reads so many arrays at most. */
#define GL_MAX_READ	4

/**
 * struct gl_request - Head of a message; GL_MAX_ARG bytes of the argument and its arrays follow
 * @nr: number of the ioctl, or %GL_MAP
 * @arrays: bytes of the arrays, in the order of &gl_arrays
 * @in_file: the arrays are in the file
 * @own_reply: the first file that comes along is the socket for the answer: the caller has
 *	inherited the DRM file, whose connection only the process that opened it reads
 * @errors: of each array that the ioctl reads, in their order: -EFAULT: unreadable, -EINVAL: too
 *	long; or 0. One with an error is missing
 * @since: time of the call, which several messages may repeat; CLOCK_MONOTONIC, ns
 */
struct gl_request {
	uint32_t nr;
	uint32_t arrays;
	uint32_t in_file;
	uint32_t own_reply;
	int32_t errors[GL_MAX_READ];
	int64_t since;
};

/**
 * struct gl_reply - Head of an answer; the argument and the arrays that the ioctl writes follow
 * @ret: 0, a negative errno, or %GL_AGAIN
 */
struct gl_reply {
	int32_t ret;
};

/* Not yet: ask again, so that others can be answered. */
#define GL_AGAIN	1

#define GL_OUT_ONLY	2
#define GL_OR_NULL	3

/**
 * struct gl_array - An array to which an ioctl's argument points.
 * @kind: driver
 * @nr: number of the ioctl
 * @pointer: offset of the address, 64 bits
 * @count: offset of the number of elements, 32 bits
 * @size: bytes of an element
 * @out: 1: the ioctl writes it; %GL_OUT_ONLY: and reads nothing of it; %GL_OR_NULL: it reads it,
 *	unless its address is NULL
 */
struct gl_array {
	enum gl_kind kind;
	uint32_t nr;
	uint32_t pointer;
	uint32_t count;
	uint32_t size;
	uint32_t out;
};

/**
 * gl_next_array - an array of an ioctl
 * @a: the one before, NULL: the first one
 * @kind: driver
 * @nr: number of the ioctl
 *
 * They are in the order in which they are sent, larger elements first. Return: NULL: no more.
 */
const struct gl_array *gl_next_array(const struct gl_array *a, enum gl_kind kind, uint32_t nr);

/* Whether the ioctl reads an array, which is then a part of the message. */
bool gl_array_is_read(const struct gl_array *a, const void *arg);
/* Bytes of an array of an argument. */
uint64_t gl_array_bytes(const struct gl_array *a, const void *arg);
/* Its address. */
void *gl_array_at(const struct gl_array *a, const void *arg);

/**
 * gl_request_of - the request that a driver and the DRM core define
 * @kind: driver
 * @nr: number of an ioctl
 *
 * Its direction says what is read and written of the argument. Return: 0: there is no such ioctl.
 */
uint32_t gl_request_of(enum gl_kind kind, uint32_t nr);

#endif /* GL_PROTO_H */
