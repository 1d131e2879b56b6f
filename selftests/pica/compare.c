// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compare.h"
#include "gen_random.h"

static bool same_float(enum pica_ref_model model, uint32_t a, uint32_t b, unsigned int ulp)
{
	uint32_t distance = a > b ? a - b : b - a;

	if (isnan(pica_ref_from_bits(a)))
		return isnan(pica_ref_from_bits(b));
	if (model != PICA_REF_F32)
		ulp *= 0x80;
	return distance <= ulp;
}

static bool same_file(enum pica_ref_model model, char name, const uint32_t want[16][4],
		      const uint32_t got[16][4], char *why, size_t size)
{
	unsigned int i, j, ulp;

	for (i = 0; i < 16; i++) {
		ulp = name == 'o' && i >= GEN_FIRST_APPROX_OUTPUT ? PICA_EXEC_APPROX_ULP : 0;
		for (j = 0; j < 4; j++) {
			if (same_float(model, want[i][j], got[i][j], ulp))
				continue;
			snprintf(why, size, "%c%u.%c is %08x, reference %08x", name, i, "xyzw"[j],
				 got[i][j], want[i][j]);
			return false;
		}
	}
	return true;
}

static bool same_special(const struct pica_exec_lane *want, const struct pica_exec_lane *got,
			 char *why, size_t size)
{
	if (want->a0[0] == got->a0[0] && want->a0[1] == got->a0[1] && want->al == got->al &&
	    want->cc[0] == got->cc[0] && want->cc[1] == got->cc[1])
		return true;
	snprintf(why, size, "a0 %d %d, aL %d, flags %d %d; reference %d %d, %d, %d %d",
		 got->a0[0], got->a0[1], got->al, got->cc[0], got->cc[1], want->a0[0],
		 want->a0[1], want->al, want->cc[0], want->cc[1]);
	return false;
}

bool compare_lane(enum pica_ref_model model, const struct pica_exec_lane *want,
		  const struct pica_exec_lane *got, bool registers, char *why, size_t size)
{
	if (want->status != got->status) {
		snprintf(why, size, "ended with \"%s\" at %u, reference with \"%s\" at %u",
			 pica_ref_status_name(got->status), got->pc,
			 pica_ref_status_name(want->status), want->pc);
		return false;
	}
	/* The position at the step limit depends on the counted instructions. */
	if (want->status == PICA_REF_STEP_LIMIT)
		return true;
	if (want->status != PICA_REF_DONE) {
		if (want->pc == got->pc)
			return true;
		snprintf(why, size, "\"%s\" at word %u, reference at %u",
			 pica_ref_status_name(got->status), got->pc, want->pc);
		return false;
	}
	if (!same_file(model, 'o', want->o, got->o, why, size))
		return false;
	return !registers || (same_file(model, 'r', want->r, got->r, why, size) &&
			      same_special(want, got, why, size));
}

static bool same_bits(char name, const uint32_t a[16][4], const uint32_t b[16][4], char *why,
		      size_t size)
{
	unsigned int i, j;

	for (i = 0; i < 16; i++) {
		for (j = 0; j < 4; j++) {
			if (a[i][j] == b[i][j])
				continue;
			snprintf(why, size, "%c%u.%c is %08x, another build's %08x", name, i,
				 "xyzw"[j], b[i][j], a[i][j]);
			return false;
		}
	}
	return true;
}

bool compare_lane_bits(const struct pica_exec_lane *a, const struct pica_exec_lane *b, char *why,
		       size_t size)
{
	if (a->status != b->status || a->pc != b->pc) {
		snprintf(why, size, "\"%s\" at %u, another build \"%s\" at %u",
			 pica_ref_status_name(b->status), b->pc, pica_ref_status_name(a->status),
			 a->pc);
		return false;
	}
	return same_bits('o', a->o, b->o, why, size) && same_bits('r', a->r, b->r, why, size);
}

static bool same_shape(const struct pica_exec_event *a, const struct pica_exec_event *b, size_t i,
		       char *why, size_t size)
{
	if (a->kind == b->kind && a->invocation == b->invocation && a->nattr == b->nattr)
		return true;
	snprintf(why, size, "event %zu is of another kind or invocation", i);
	return false;
}

bool compare_events(enum pica_ref_model model, const struct pica_exec_event *want,
		    const struct pica_exec_event *got, size_t n, char *why, size_t size)
{
	unsigned int j, k;
	size_t i;

	for (i = 0; i < n; i++) {
		if (!same_shape(&want[i], &got[i], i, why, size))
			return false;
		for (j = 0; j < want[i].nattr; j++) {
			for (k = 0; k < 4; k++) {
				if (same_float(model, want[i].attr[j][k], got[i].attr[j][k], 0))
					continue;
				snprintf(why, size, "event %zu a%u.%c is %08x, reference %08x", i,
					 j, "xyzw"[k], got[i].attr[j][k], want[i].attr[j][k]);
				return false;
			}
		}
	}
	return true;
}

bool compare_events_bits(const struct pica_exec_event *a, const struct pica_exec_event *b,
			 size_t n, char *why, size_t size)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (!same_shape(&a[i], &b[i], i, why, size))
			return false;
		if (memcmp(a[i].attr, b[i].attr, sizeof(a[i].attr))) {
			snprintf(why, size, "event %zu has other bits in another build", i);
			return false;
		}
	}
	return true;
}
