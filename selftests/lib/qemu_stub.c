// SPDX-License-Identifier: GPL-2.0
/* A program with the symbols by which libvshader_qemu.so knows a QEMU; of version $MAJOR.$MINOR. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct version {
	int64_t *qemu;
	char *package;
};

void qemu_add_machine_init_done_notifier(void *n)
{
	printf("accepted\n");
}

struct version *qmp_query_version(void **errp)
{
	static int64_t triple[3];
	static struct version v = { triple, "" };

	triple[0] = atoi(getenv("MAJOR"));
	triple[1] = atoi(getenv("MINOR"));
	return &v;
}

int main(void)
{
	printf("end\n");
	return 0;
}
