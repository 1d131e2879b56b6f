/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The two benchmark workloads: programs, uniforms and the vertices they run
 * on. No dependency but libm, so that the benchmark can use it as it is.
 */
#ifndef SELFTESTS_PICA_WORKLOAD_H
#define SELFTESTS_PICA_WORKLOAD_H

#include <stddef.h>
#include <stdint.h>

/* Vertices after which the stream repeats, and over which the hash is defined. */
#define WORKLOAD_VERTICES	4096
#define WORKLOAD_MAX_INPUTS	5

/* One float uniform that is not zero. */
struct workload_cf {
	unsigned int index;
	uint32_t value[4];
};

/**
 * struct workload - program with everything it needs
 * @name: name in data/workloads.json
 * @seed: seed of the vertex generator
 * @inputs: attributes per vertex, loaded into v0 and on
 * @code: code words
 * @ncode: number of code words
 * @opdesc: operand descriptors
 * @nopdesc: number of descriptors
 * @entry: first word
 * @output_mask: enabled outputs
 * @cf: float uniforms, binary32 bits
 * @ncf: number of entries in @cf
 * @ci: integer uniforms
 * @cb: boolean uniforms
 * @hash: FNV-1a over the outputs of all vertices in the binary32 model with
 *	  correctly rounded EX2 and LG2
 * @hash_libm: the same with glibc's exp2f() and log2f(), as recorded in
 *	       data/workloads.json
 */
struct workload {
	const char *name;
	uint32_t seed;
	unsigned int inputs;
	const uint32_t *code;
	unsigned int ncode;
	const uint32_t *opdesc;
	unsigned int nopdesc;
	unsigned int entry;
	uint16_t output_mask;
	const struct workload_cf *cf;
	unsigned int ncf;
	uint8_t ci[4][4];
	uint16_t cb;
	uint64_t hash;
	uint64_t hash_libm;
};

extern const struct workload workload_w1;
extern const struct workload workload_w2;

/**
 * workload_vertices - generate the input stream
 * @w: workload
 * @out: @n vertices of @w->inputs vec4 as binary32 bits, vertex major
 * @n: number of vertices; the stream repeats after WORKLOAD_VERTICES
 */
void workload_vertices(const struct workload *w, uint32_t *out, size_t n);

/*
 * Hash over little-endian binary32 words. The recorded hashes start from this
 * value, which lacks the last digit of the usual FNV-1a offset basis.
 */
#define WORKLOAD_HASH_INIT	1469598103934665603ull
uint64_t workload_hash(uint64_t hash, const uint32_t *words, size_t n);

#endif
