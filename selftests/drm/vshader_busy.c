// SPDX-License-Identifier: GPL-2.0
/*
 * vshader_busy fragment|vertex: execute jobs of this kind on a device with a personality panfrost,
 * until the process is killed. For tests of monitors. Prints a line when the first one has ended.
 */
#include "vst_panfrost.h"

int main(int argc, char **argv)
{
	static const __u32 chips[] = { 0x860, 0x7212 };
	__u32 requirements = argc == 2 && !strcmp(argv[1], "fragment") ? PANFROST_JD_REQ_FS : 0;
	struct vst_pf_bo bo;
	unsigned int i;
	int fd = -1;

	for (i = 0; i < ARRAY_SIZE(chips) && fd < 0; i++)
		fd = vst_pf_open(chips[i]);
	if (fd < 0) {
		fprintf(stderr, "vshader_busy: no device with personality panfrost\n");
		return 4;
	}
	if (vst_pf_create_mapped(fd, PAGE, &bo))
		return 1;
	vst_pf_put_zero(&bo, PF_JOB_AT, bo.va + PF_TO_AT, 0);
	for (i = 0;; i++) {
		if (vst_pf_submit(fd, bo.va, &bo.handle, 1, 0, 0, requirements) ||
		    vst_pf_wait_idle(fd, bo.handle))
			return 1;
		if (!i) {
			printf("busy\n");
			fflush(stdout);
		}
	}
}
