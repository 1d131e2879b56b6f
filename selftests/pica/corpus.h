/* SPDX-License-Identifier: GPL-2.0 */
/* The conformance cases of data/ (and of an external corpus) in memory. */
#ifndef SELFTESTS_PICA_CORPUS_H
#define SELFTESTS_PICA_CORPUS_H

#include "pica_exec.h"

#define CORPUS_MAX_EXPECT	8

enum corpus_model {
	CORPUS_ANY,
	CORPUS_F32_PRECISION,
	CORPUS_F32_RANGE,
};

enum corpus_op {
	CORPUS_EQ,
	CORPUS_NAN,
	CORPUS_INF,
	CORPUS_ABS,
	CORPUS_EQI,
};

/**
 * struct corpus_expect - one expected value
 * @reg: 'o', 'r', 'L' for aL, 'c' for the flags
 * @index: register number
 * @ncomp: number of components, 1 for aL
 * @comp: their numbers, x is 0
 * @op: comparison operator
 * @val: binary32 bits, or integers with CORPUS_EQI
 * @tol: allowed absolute difference with CORPUS_ABS
 */
struct corpus_expect {
	char reg;
	unsigned int index;
	unsigned int ncomp;
	unsigned int comp[4];
	enum corpus_op op;
	uint32_t val[4];
	double tol;
};

struct corpus_case {
	char *id;
	char *basis;
	char *note;
	enum corpus_model model;
	uint32_t *code;
	unsigned int ncode;
	uint32_t opdesc[PICA_REF_MAX_OPDESC];
	unsigned int nopdesc;
	uint32_t v[16][4];
	struct pica_ref_uniforms uniforms;
	bool cc[2];
	unsigned int entry;
	struct corpus_expect expect[CORPUS_MAX_EXPECT];
	unsigned int nexpect;
};

struct corpus {
	struct corpus_case *cases;
	unsigned int n;
};

struct corpus_geometry {
	char *id;
	char *note;
	uint32_t *code;
	unsigned int ncode;
	uint32_t opdesc[PICA_REF_MAX_OPDESC];
	unsigned int nopdesc;
	uint16_t output_mask;
	struct pica_ref_uniforms uniforms;
	uint32_t (*v)[16][4];
	unsigned int n;
	struct pica_exec_event *events;
	unsigned int nevents;
};

struct corpus_geometries {
	struct corpus_geometry *cases;
	unsigned int n;
};

/* One case of float_formats.json: a packed value and its binary32 bits. */
struct corpus_float {
	const char *format;
	unsigned int exponent_bits;
	unsigned int mantissa_bits;
	uint32_t raw;
	uint32_t f32;
};

/* 0, or negative with a message in corpus_error(). */
int corpus_load(const char *path, struct corpus *out);
int corpus_load_geometry(const char *path, struct corpus_geometries *out);
int corpus_load_floats(const char *path, struct corpus_float **out, unsigned int *n);
const char *corpus_error(void);

void corpus_free(struct corpus *c);
void corpus_free_geometry(struct corpus_geometries *g);
void corpus_free_floats(struct corpus_float *f, unsigned int n);

/* "DIR/NAME", DIR being --data's argument or the folder data/ next to the program. */
const char *corpus_data_path(const char *argv0, const char *data_dir, const char *name);

#endif
