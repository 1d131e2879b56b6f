// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Program of the build machine: properties of a GPU's node for the device tree of scripts/uml.
 *
 * usage: describe DRIVER:GPU
 */
#include "../vs_model.h"

/* Return: no such GPU, or not of this driver. */
static bool describe_find(const char *arg, struct vs_model_desc *d)
{
	const char *gpu = strchr(arg, ':');

	return gpu && vs_model_find(gpu + 1, d) && !strncmp(arg, d->driver, gpu - arg) &&
	       !d->driver[gpu - arg];
}

int main(int argc, char **argv)
{
	struct vs_model_desc d;
	const char *comma = "";
	u32 i;

	if (argc != 2 || !describe_find(argv[1], &d)) {
		fprintf(stderr, "uml: --driver: no machine for %s\n", argc > 1 ? argv[1] : "");
		return 1;
	}
	printf("compatible = \"%s\";\nvshader,model = \"%s\";\n", d.compatible, d.gpu);
	printf("reg = <0 0xd0000000 0 0x%x>;\ninterrupts = ", d.size);
	for (i = 0; i < VS_MODEL_LINES; i++) {
		if (d.line[i]) {
			printf("%s<%u>", comma, i);
			comma = ", ";
		}
	}
	printf(";\ninterrupt-names = ");
	for (comma = "", i = 0; i < VS_MODEL_LINES; i++) {
		if (d.line[i]) {
			printf("%s\"%s\"", comma, d.line[i]);
			comma = ", ";
		}
	}
	printf(";\nclocks = <&clk>%s;\n", d.nclocks > 1 ? ", <&clk>" : "");
	if (*d.clock[0])
		printf("clock-names = \"%s\", \"%s\";\n", d.clock[0], d.clock[1]);
	if (d.opp)
		printf("operating-points-v2 = <&opp>;\n");
	return 0;
}
