/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Resources of programs of ARM Mali GPUs (Midgard v4 and v5, Bifrost v6 and v7), decoded from
 * their descriptors: attributes and images, uniform buffers; words of pixel formats.
 *
 * Sources: Mesa's descriptor descriptions (panfrost genxml v4 to v7), values that its driver
 * writes and its decoder prints; numbers only, nothing is copied.
 */
#ifndef MALI_RES_H
#define MALI_RES_H

#include "../../texture/tx_texture.h"

/* Descriptor formats. */
enum mali_arch { MALI_V4, MALI_V5, MALI_V6, MALI_V7, MALI_NUM_ARCH };

/* Decode 22 bits of format. Return: false if undefined. */
bool mali_format_decode(enum mali_arch arch, u32 bits, struct px_format *f);

/* ---- attributes ---- */

/* Types of attribute buffers; numbers of the hardware. */
enum mali_buf_type {
	MALI_BUF_1D = 1, MALI_BUF_POT_DIVISOR, MALI_BUF_MODULUS, MALI_BUF_NPOT_DIVISOR,
	MALI_BUF_3D_LINEAR, MALI_BUF_3D_INTERLEAVED, MALI_BUF_PRIMITIVE_INDEX,
	MALI_BUF_POT_DIVISOR_WR = 10, MALI_BUF_MODULUS_WR, MALI_BUF_NPOT_DIVISOR_WR,
	MALI_BUF_POINT_COORD_MIN = 33, MALI_BUF_VERTEX_ID, MALI_BUF_INSTANCE_ID = 36,
	MALI_BUF_FRAG_COORD, MALI_BUF_FRONT_FACING, MALI_BUF_POINT_COORD_MAX = 97
};

/**
 * struct mali_attr_buf - attribute or varying buffer, or image
 * @type:	enum mali_buf_type; 0: no buffer, or no attribute refers to it
 * @r:		shift: log2 of a power-of-two divisor, or shift after the multiplication
 * @p:		MODULUS: padded count is (2 p + 1) << r
 * @e:		NPOT: add one before multiplying
 * @magic:	NPOT: multiplier, with its implicit top bit
 * @divisor:	NPOT: the divisor as written; for messages, the hardware uses @magic
 * @bias:	VERTEX_ID, INSTANCE_ID: added
 * @va:		first element (image: level)
 * @size:	bytes
 * @stride:	bytes from element to element (image: per texel)
 * @dim:	3D: extent
 * @row_stride: 3D: bytes; INTERLEAVED: per row of 16 x 16 tiles
 * @slice_stride: 3D: bytes
 */
struct mali_attr_buf {
	u8 type;
	u8 r;
	u8 p;
	u8 e;
	u32 magic;
	u32 divisor;
	s32 bias;
	u64 va;
	u32 size;
	u32 stride;
	u32 dim[3];
	u32 row_stride;
	s32 slice_stride;
};

/**
 * struct mali_attr - attribute, varying or image
 * @va:		address of the descriptor; 0: none, reads as zero
 * @raw:	the 22 bits of format, which LEA_ATTR returns to the program
 * @buf:	index of the buffer
 * @offset_enable: the draw's offset applies (vertex attributes)
 * @bad:	why programs must not use it, a fault reason of job chains; 0: valid
 * @bad_value:	the value that is wrong
 * @offset:	bytes, added to the element's address
 * @format:	format of the element
 *
 * Drivers leave descriptors that the program does not read undefined: errors are reported when
 * a descriptor is used.
 */
struct mali_attr {
	u64 va;
	u32 raw;
	u16 buf;
	bool offset_enable;
	u8 bad;
	u32 bad_value;
	s32 offset;
	struct px_format format;
};

/**
 * struct mali_attr_table - attributes with their buffers
 *
 * The renderer state may count varyings that do not exist: then @n or @nbufs is 0.
 *
 * @n:		number of attributes
 * @attr:	attributes
 * @nbufs:	highest buffer index + 1
 * @bufs:	buffers by index
 */
struct mali_attr_table {
	u32 n;
	struct mali_attr *attr;
	u32 nbufs;
	struct mali_attr_buf *bufs;
};

/* @linear: instance * mali_launch.instance_size + vertex. */
u32 mali_attr_element(const struct mali_attr_buf *b, u32 linear);

/* ---- uniform buffers ---- */

/**
 * struct mali_ubo - uniform buffer
 * @va:		first byte; 0: none
 * @size:	bytes
 */
struct mali_ubo {
	u64 va;
	u32 size;
};

#endif /* MALI_RES_H */
