// SPDX-License-Identifier: MIT
/*
 * decompress*: LZ10, LZ11, Huffman and run lengths, as the consoles' boot code has them. Input and
 * output are collected in memory first: files are small.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gx_priv.h"

#define FLAG_LONG	0x80	/* of the first byte: 8 bytes of header */
#define PIECE		65536u
#define TREE_BYTES	512u

/** struct source - bytes of input, read when they are needed */
struct source {
	decompressCallback callback;
	void *userdata;
	uint8_t *buf;		/* with a callback: @room bytes */
	size_t room;
	size_t size;
	size_t at;
	bool failed;		/* a byte after the end was wanted */
};

/** struct sink - bytes of output */
struct sink {
	uint8_t *buf;
	size_t size;
	size_t at;
};

/* ---- input ---- */

ssize_t decompressCallback_FD(void *userdata, void *buffer, size_t size)
{
	return read(*(int *)userdata, buffer, size);
}

ssize_t decompressCallback_Stdio(void *userdata, void *buffer, size_t size)
{
	size_t n = fread(buffer, 1, size, userdata);

	return n || !ferror((FILE *)userdata) ? (ssize_t)n : -1;
}

static void fill(struct source *s)
{
	ssize_t n = 0;

	s->at = 0;
	s->size = 0;
	if (s->callback)
		n = s->callback(s->userdata, s->buf, s->room);
	if (n > 0)
		s->size = (size_t)n;
}

static uint8_t next(struct source *s)
{
	if (s->at >= s->size)
		fill(s);
	if (s->at >= s->size) {
		s->failed = true;
		return 0;
	}
	return s->buf[s->at++];
}

/* Headers are read byte by byte: what follows is the caller's. */
static bool open_source(struct source *s, decompressCallback callback, void *userdata,
			size_t insize, size_t room)
{
	*s = (struct source){ .callback = callback, .userdata = userdata };
	if (!callback) {
		s->buf = userdata;
		s->size = insize;
		return true;
	}
	s->buf = malloc(room);
	s->room = room;
	return s->buf;
}

static void close_source(struct source *s)
{
	if (s->callback)
		free(s->buf);
}

/* ---- formats ---- */

static void emit(struct sink *k, uint8_t byte)
{
	if (k->at < k->size)
		k->buf[k->at++] = byte;
}

/* Return: success. */
static bool copy_back(struct sink *k, uint32_t distance, uint32_t n)
{
	if (distance > k->at)
		return false;
	while (n-- && k->at < k->size)
		emit(k, k->buf[k->at - distance]);
	return true;
}

static bool back_10(struct source *s, struct sink *k)
{
	uint32_t a = next(s), b = next(s);

	return copy_back(k, ((a & 15) << 8 | b) + 1, (a >> 4) + 3);
}

static bool back_11(struct source *s, struct sink *k)
{
	uint32_t a = next(s), b = next(s), c, n;

	if (a >> 4 == 0) {
		c = next(s);
		n = ((a & 15) << 4 | b >> 4) + 0x11;
	} else if (a >> 4 == 1) {
		c = next(s);
		n = ((a & 15) << 12 | b << 4 | c >> 4) + 0x111;
		b = c;
		c = next(s);
	} else {
		return copy_back(k, ((a & 15) << 8 | b) + 1, (a >> 4) + 1);
	}
	return copy_back(k, ((b & 15) << 8 | c) + 1, n);
}

/* A byte of flags precedes eight items: bytes, or copies of earlier ones. */
static bool unpack_lz(struct source *s, struct sink *k,
		      bool (*back)(struct source *s, struct sink *k))
{
	uint32_t flags = 0, left = 0;

	while (k->at < k->size && !s->failed) {
		if (!left) {
			flags = next(s);
			left = 8;
		}
		left--;
		if (!(flags >> left & 1))
			emit(k, next(s));
		else if (!back(s, k))
			return false;
	}
	return !s->failed;
}

static bool unpack_lz10(struct source *s, struct sink *k)
{
	return unpack_lz(s, k, back_10);
}

static bool unpack_lz11(struct source *s, struct sink *k)
{
	return unpack_lz(s, k, back_11);
}

static bool unpack_rle(struct source *s, struct sink *k)
{
	uint32_t head, n;
	uint8_t byte;

	while (k->at < k->size && !s->failed) {
		head = next(s);
		n = (head & 0x7f) + (head & 0x80 ? 3 : 1);
		byte = next(s);
		while (n--) {
			emit(k, byte);
			if (n && !(head & 0x80))
				byte = next(s);
		}
	}
	return !s->failed;
}

/** struct huffman - decoder: tree, and bits of the last word that are left */
struct huffman {
	uint8_t tree[TREE_BYTES];
	uint32_t size;
	uint32_t word;
	uint32_t bits;
};

static uint32_t next_bit(struct source *s, struct huffman *h)
{
	uint32_t i;

	if (!h->bits) {
		h->word = 0;
		for (i = 0; i < 32; i += 8)
			h->word |= (uint32_t)next(s) << i;
		h->bits = 32;
	}
	return h->word >> --h->bits & 1;
}

/*
 * Nodes come in pairs; a node has the distance to its children in pairs, and a bit for each of
 * them that is a symbol. Return: the symbol, or -1.
 */
static int symbol(struct source *s, struct huffman *h)
{
	uint32_t at = 1, bit, node;

	while (!s->failed) {
		node = h->tree[at];
		bit = next_bit(s, h);
		at = (at & ~1u) + 2 * (node & 0x3f) + 2 + bit;
		if (at >= h->size)
			return -1;
		if (node & (bit ? 0x40 : 0x80))
			return h->tree[at];
	}
	return -1;
}

static bool unpack_huffman(struct source *s, struct sink *k, uint32_t bits)
{
	struct huffman h = { };
	uint32_t i, word, n = 0;
	int v;

	if (bits < 1 || bits > 8)
		return false;
	h.tree[0] = next(s);
	h.size = 2 * (h.tree[0] + 1);
	for (i = 1; i < h.size; i++)
		h.tree[i] = next(s);
	for (word = 0; k->at < k->size;) {
		v = symbol(s, &h);
		if (v < 0)
			return false;
		word |= ((uint32_t)v & ((1u << bits) - 1)) << n;
		for (n += bits; n >= 8; n -= 8) {
			emit(k, (uint8_t)word);
			word >>= 8;
		}
	}
	return true;
}

static bool unpack(struct source *s, struct sink *k, uint32_t type)
{
	switch (type) {
	case DECOMPRESS_DUMMY:
		while (k->at < k->size && !s->failed)
			emit(k, next(s));
		return !s->failed;
	case DECOMPRESS_LZ10:
		return unpack_lz10(s, k);
	case DECOMPRESS_LZ11:
		return unpack_lz11(s, k);
	case DECOMPRESS_HUFF1 ... DECOMPRESS_HUFF8:
		return unpack_huffman(s, k, type & 15);
	case DECOMPRESS_RLE:
		return unpack_rle(s, k);
	default:
		return false;
	}
}

/* ---- calls ---- */

static size_t total(const decompressIOVec *iov, size_t n)
{
	size_t size = 0, i;

	for (i = 0; i < n; i++)
		size += iov[i].size;
	return size;
}

static void scatter(const decompressIOVec *iov, const struct sink *k)
{
	size_t at = 0, n, i;

	for (i = 0; at < k->size; i++) {
		n = k->size - at < iov[i].size ? k->size - at : iov[i].size;
		memcpy(iov[i].data, k->buf + at, n);
		at += n;
	}
}

/* @size: bytes that the header names */
static bool run(const decompressIOVec *iov, size_t iovcnt, decompressCallback callback,
		void *userdata, size_t insize, size_t size, uint32_t type)
{
	struct sink k = { .size = total(iov, iovcnt) };
	struct source s;
	bool ok = false;

	if (k.size > size)
		k.size = size;
	if (!open_source(&s, callback, userdata, insize, PIECE))
		return false;
	k.buf = malloc(k.size + 1);
	if (k.buf)
		ok = unpack(&s, &k, type);
	if (ok)
		scatter(iov, &k);
	free(k.buf);
	close_source(&s);
	return ok;
}

ssize_t decompressHeader(decompressType *type, size_t *size, decompressCallback callback,
			 void *userdata, size_t insize)
{
	uint8_t head[8] = { };
	struct source s;
	ssize_t n = 4, i;
	uint8_t one;

	s = (struct source){ .callback = callback, .userdata = userdata, .buf = &one, .room = 1 };
	if (!callback) {
		s.buf = userdata;
		s.size = insize;
	}
	for (i = 0; i < n; i++) {
		head[i] = next(&s);
		if (!i && head[0] & FLAG_LONG)
			n = 8;
	}
	if (s.failed)
		return -1;
	if (type)
		*type = (decompressType)(head[0] & ~FLAG_LONG);
	if (size)
		*size = head[1] | (size_t)head[2] << 8 | (size_t)head[3] << 16 |
			(size_t)head[4] << 24;
	return n;
}

bool decompressV(const decompressIOVec *iov, size_t iovcnt, decompressCallback callback,
		 void *userdata, size_t insize)
{
	decompressType type;
	size_t size;
	ssize_t n = decompressHeader(&type, &size, callback, userdata, insize);

	if (n < 0)
		return false;
	if (!callback) {
		userdata = (uint8_t *)userdata + n;
		insize -= (size_t)n;
	}
	return run(iov, iovcnt, callback, userdata, insize, size, type);
}

bool decompressV_LZSS(const decompressIOVec *iov, size_t iovcnt, decompressCallback callback,
		      void *userdata, size_t insize)
{
	return run(iov, iovcnt, callback, userdata, insize, SIZE_MAX, DECOMPRESS_LZ10);
}

bool decompressV_LZ11(const decompressIOVec *iov, size_t iovcnt, decompressCallback callback,
		      void *userdata, size_t insize)
{
	return run(iov, iovcnt, callback, userdata, insize, SIZE_MAX, DECOMPRESS_LZ11);
}

bool decompressV_Huff(size_t bits, const decompressIOVec *iov, size_t iovcnt,
		      decompressCallback callback, void *userdata, size_t insize)
{
	return bits >= 1 && bits <= 8 &&
	       run(iov, iovcnt, callback, userdata, insize, SIZE_MAX, 0x20 | (uint32_t)bits);
}

bool decompressV_RLE(const decompressIOVec *iov, size_t iovcnt, decompressCallback callback,
		     void *userdata, size_t insize)
{
	return run(iov, iovcnt, callback, userdata, insize, SIZE_MAX, DECOMPRESS_RLE);
}

static decompressIOVec whole(void *output, size_t size)
{
	return (decompressIOVec){ .data = output, .size = size };
}

bool decompress(void *output, size_t size, decompressCallback callback, void *userdata,
		size_t insize)
{
	decompressIOVec iov = whole(output, size);

	return decompressV(&iov, 1, callback, userdata, insize);
}

bool decompress_LZSS(void *output, size_t size, decompressCallback callback, void *userdata,
		     size_t insize)
{
	decompressIOVec iov = whole(output, size);

	return decompressV_LZSS(&iov, 1, callback, userdata, insize);
}

bool decompress_LZ11(void *output, size_t size, decompressCallback callback, void *userdata,
		     size_t insize)
{
	decompressIOVec iov = whole(output, size);

	return decompressV_LZ11(&iov, 1, callback, userdata, insize);
}

bool decompress_Huff(size_t bits, void *output, size_t size, decompressCallback callback,
		     void *userdata, size_t insize)
{
	decompressIOVec iov = whole(output, size);

	return decompressV_Huff(bits, &iov, 1, callback, userdata, insize);
}

bool decompress_RLE(void *output, size_t size, decompressCallback callback, void *userdata,
		    size_t insize)
{
	decompressIOVec iov = whole(output, size);

	return decompressV_RLE(&iov, 1, callback, userdata, insize);
}
