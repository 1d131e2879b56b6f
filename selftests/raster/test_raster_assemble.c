// SPDX-License-Identifier: GPL-2.0
/*
 * Primitive assembly: vertices, order and provoking corners of every mode, restarts.
 */
#include "rt.h"

static char text[400];
static u32 primitives;

static void put(const struct vr_corners *c, u32 n)
{
	u32 i, k;

	for (i = 0; i < n; i++) {
		for (k = 0; k < c[i].n; k++)
			sprintf(text + strlen(text), "%u%s", c[i].index[k],
				k == c[i].provoking ? "*" : "");
		strcat(text, " ");
		primitives = c[i].primitive + 1;
	}
}

/* Primitives of the vertices 0 to @n - 1; @restart: a strip ends in front of this one. */
static const char *assemble(u32 mode, bool first, u32 n, u32 restart)
{
	struct vr_corners out[VR_MAX_ASSEMBLED];
	struct vr_assembly a;
	u32 i;

	text[0] = 0;
	primitives = 0;
	vr_assembly_begin(&a, mode, first);
	for (i = 0; i < n; i++) {
		if (restart && i == restart)
			put(out, vr_assemble_restart(&a, out));
		put(out, vr_assemble(&a, i, out));
	}
	put(out, vr_assemble_restart(&a, out));
	return text;
}

static const struct {
	const char *name;
	u32 mode;
	bool first;
	u32 n;
	u32 restart;
	u32 primitives;
	const char *want;
} cases[] = {
	{ "points", VR_POINTS, false, 3, 0, 3, "0* 1* 2* " },
	{ "lines", VR_LINES, false, 5, 0, 2, "01* 23* " },
	{ "lines, first", VR_LINES, true, 4, 0, 2, "0*1 2*3 " },
	{ "line strip", VR_LINE_STRIP, false, 4, 0, 3, "01* 12* 23* " },
	{ "line strip, restart", VR_LINE_STRIP, false, 5, 3, 3, "01* 12* 34* " },
	{ "line loop", VR_LINE_LOOP, false, 4, 0, 4, "01* 12* 23* 30* " },
	{ "line loop, first", VR_LINE_LOOP, true, 3, 0, 3, "0*1 1*2 2*0 " },
	{ "line loop of one", VR_LINE_LOOP, false, 1, 0, 0, "" },
	{ "line loop of two", VR_LINE_LOOP, false, 2, 0, 2, "01* 10* " },
	{ "line loop, restart", VR_LINE_LOOP, false, 6, 3, 6, "01* 12* 20* 34* 45* 53* " },
	{ "triangles", VR_TRIANGLES, false, 7, 0, 2, "012* 345* " },
	{ "triangles, first", VR_TRIANGLES, true, 6, 0, 2, "0*12 3*45 " },
	{ "triangles, restart", VR_TRIANGLES, false, 7, 2, 1, "234* " },
	{ "strip", VR_TRIANGLE_STRIP, false, 6, 0, 4, "012* 213* 234* 435* " },
	{ "strip, first", VR_TRIANGLE_STRIP, true, 5, 0, 3, "0*12 21*3 2*34 " },
	{ "strip, restart", VR_TRIANGLE_STRIP, false, 8, 4, 4, "012* 213* 456* 657* " },
	{ "fan", VR_TRIANGLE_FAN, false, 5, 0, 3, "012* 023* 034* " },
	{ "fan, first", VR_TRIANGLE_FAN, true, 5, 0, 3, "01*2 02*3 03*4 " },
	{ "fan, restart", VR_TRIANGLE_FAN, false, 7, 4, 3, "012* 023* 456* " },
	{ "polygon", VR_POLYGON, false, 5, 0, 1, "0*12 0*23 0*34 " },
	{ "polygon, first", VR_POLYGON, true, 4, 0, 1, "0*12 0*23 " },
	{ "quads", VR_QUADS_LIST, false, 9, 0, 2, "3*01 3*12 7*45 7*56 " },
	{ "quads, first", VR_QUADS_LIST, true, 4, 0, 1, "0*12 0*23 " },
	{ "quad strip", VR_QUAD_STRIP, false, 6, 0, 2, "3*20 3*01 5*42 5*23 " },
	{ "quad strip, first", VR_QUAD_STRIP, true, 7, 0, 2, "0*13 0*32 2*35 2*54 " },
	{ "no mode", VR_NUM_MODES, false, 9, 0, 0, "" },
};

int main(int argc, char **argv)
{
	const char *found;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		found = assemble(cases[i].mode, cases[i].first, cases[i].n, cases[i].restart);
		if (!tap_result(!strcmp(found, cases[i].want) && primitives == cases[i].primitives,
				"%s", cases[i].name))
			tap_comment("%s: %u primitives", found, primitives);
	}
	return tap_done();
}
