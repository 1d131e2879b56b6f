/* SPDX-License-Identifier: GPL-2.0 */
/* What the programs for compute interfaces have in common: values in, words out, lines printed. */
#ifndef REFERENCES_H
#define REFERENCES_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIXED 64	/* words of single results, from the start */
#define POINTS 4096	/* arguments of each function */

/* the inputs of single results, which a compiler must not know */
static const float inputs[16] = {
	3e9f, NAN, -1, 0, 1, INFINITY, 2.5f, -0.5f, 1.5e-38f, 0.5f, 1e-39f, 1 + 0x1p-12f,
	-(1 + 0x1p-11f), -0.0f, -8, 65520
};

struct single {
	const char *key;
	int first, count;
	int integer;	/* printed as integers, not in hexadecimal */
};

struct function {
	const char *key;
	double (*right)(double);
	float from, to;
};

static inline float argument(const struct function *f, int n)
{
	return f->from + (f->to - f->from) * ((float)n / POINTS);
}

static inline void print_single(const struct single *s, const unsigned int *out)
{
	int k;

	printf("%s|", s->key);
	for (k = 0; k < s->count; k++)
		printf(s->integer ? "%s%d" : "%s%08x", k ? " " : "", out[s->first + k]);
	putchar('\n');
}

/* the largest error in units of the last place of the right result */
static inline void print_error(const struct function *f, const unsigned int *out)
{
	double worst = 0;
	int n;

	for (n = 0; n < POINTS; n++) {
		double right = f->right(argument(f, n)), error;
		float got;

		memcpy(&got, &out[n], 4);
		error = fabs(got - right) / ldexp(1, ilogb(right) - 23);
		if (!(error <= worst))
			worst = error;
	}
	printf(worst < 10 ? "%s|%.2f ulp\n" : "%s|%.0f ulp\n", f->key, worst);
}

static inline double rsqrt_of(double x)
{
	return 1 / sqrt(x);
}

static inline double reciprocal_of(double x)
{
	return 1 / x;
}

static inline void fail(const char *what, int why)
{
	fprintf(stderr, "references: %s: %d\n", what, why);
	exit(2);
}

#endif
