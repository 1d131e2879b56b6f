/* SPDX-License-Identifier: MIT */
/*
 * Decompression, which loaders of textures use: LZ10, LZ11, Huffman, run lengths.
 */
#ifndef VSHADER_3DS_DECOMPRESS_H
#define VSHADER_3DS_DECOMPRESS_H

#include <3ds/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* First byte of compressed data. Huffman's low four bits are the bits of a symbol. */
typedef enum {
	DECOMPRESS_DUMMY = 0x00,
	DECOMPRESS_LZSS = 0x10,
	DECOMPRESS_LZ10 = 0x10,
	DECOMPRESS_LZ11 = 0x11,
	DECOMPRESS_HUFF1 = 0x21,
	DECOMPRESS_HUFF2,
	DECOMPRESS_HUFF3,
	DECOMPRESS_HUFF4,
	DECOMPRESS_HUFF5,
	DECOMPRESS_HUFF6,
	DECOMPRESS_HUFF7,
	DECOMPRESS_HUFF8,
	DECOMPRESS_HUFF = 0x28,
	DECOMPRESS_RLE = 0x30,
} decompressType;

/* A piece of the output. */
typedef struct {
	void *data;
	size_t size;
} decompressIOVec;

/* Read up to @size bytes. Return: bytes; 0 at the end; negative: an error. */
typedef ssize_t (*decompressCallback)(void *userdata, void *buffer, size_t size);

/* @userdata is an int of an open file, and a FILE. */
ssize_t decompressCallback_FD(void *userdata, void *buffer, size_t size);
ssize_t decompressCallback_Stdio(void *userdata, void *buffer, size_t size);

/*
 * Data come from @callback, or without one from the @insize bytes at @userdata. The header is 4
 * bytes, or 8 for sizes above 24 bits. Return: its bytes, or -1.
 */
ssize_t decompressHeader(decompressType *type, size_t *size, decompressCallback callback,
			 void *userdata, size_t insize);

/* Decompress what a header precedes. Return: success. */
bool decompressV(const decompressIOVec *iov, size_t iovcnt, decompressCallback callback,
		 void *userdata, size_t insize);

/* Decompress data without a header. Return: success. */
bool decompressV_LZSS(const decompressIOVec *iov, size_t iovcnt, decompressCallback callback,
		      void *userdata, size_t insize);
bool decompressV_LZ11(const decompressIOVec *iov, size_t iovcnt, decompressCallback callback,
		      void *userdata, size_t insize);
bool decompressV_Huff(size_t bits, const decompressIOVec *iov, size_t iovcnt,
		      decompressCallback callback, void *userdata, size_t insize);
bool decompressV_RLE(const decompressIOVec *iov, size_t iovcnt, decompressCallback callback,
		     void *userdata, size_t insize);

/* As decompressV(), to one place. */
bool decompress(void *output, size_t size, decompressCallback callback, void *userdata,
		size_t insize);
bool decompress_LZSS(void *output, size_t size, decompressCallback callback, void *userdata,
		     size_t insize);
bool decompress_LZ11(void *output, size_t size, decompressCallback callback, void *userdata,
		     size_t insize);
bool decompress_Huff(size_t bits, void *output, size_t size, decompressCallback callback,
		     void *userdata, size_t insize);
bool decompress_RLE(void *output, size_t size, decompressCallback callback, void *userdata,
		    size_t insize);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* VSHADER_3DS_DECOMPRESS_H */
