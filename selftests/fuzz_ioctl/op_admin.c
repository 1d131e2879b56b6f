// SPDX-License-Identifier: GPL-2.0
/*
 * Operations of an administrator: injected faults and recording, in debugfs. They hit the jobs of
 * the sequence, which is the device's only client.
 */
#include <fcntl.h>

#include "ops.h"

static const char * const faults[] = {
	"fail_submit", "hang_job", "fault_page", "delay_completion", "lose_completion",
	"corrupt_buffer",
};

static void admin_path(char *path, size_t size, const char *node, const char *dir,
		       const char *file)
{
	snprintf(path, size, "/sys/kernel/debug/dri/%u/%s%s", fz_minor(node), dir, file);
}

static void set(const char *node, const char *fault, const char *file, const char *value)
{
	char path[96];

	admin_path(path, sizeof(path), node, fault, file);
	vst_write_file(path, value);
}

/* The next jobs, one to four of them. */
FZ_OP(inject)
{
	const char *fault = faults[fz_pick(c, ARRAY_SIZE(faults))];
	const char *node = fz_node(fz_byte(c) / 128);
	struct fz_res *map = fz_res(c, FZ_MAP);
	char text[32];

	if (!node)
		return;
	fz_shared->injected = true;
	snprintf(text, sizeof(text), "%u", 1 + fz_byte(c) % 4);
	set(node, fault, "/times", text);
	set(node, fault, "/verbose", "0");
	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)map->va + 4 * fz_byte(c));
	if (fz_byte(c) % 2)
		set(node, fault, "/address", text);
	set(node, fault, "/delay_ms", "5");
	set(node, fault, "/probability", "100");
}

void fz_inject_nothing(void)
{
	u32 i, k;

	for (i = 0; i < fz_shared->nnodes; i++) {
		for (k = 0; k < ARRAY_SIZE(faults); k++) {
			set(fz_shared->node[i], faults[k], "/probability", "0");
			set(fz_shared->node[i], faults[k], "/address", "0");
		}
	}
	fz_shared->injected = false;
}

/* Only one file of a device can record. */
FZ_OP(record)
{
	static const char * const commands[] = {
		"start size=1", "start size=2 after=1", "start client=3", "start size=1000000",
		"start x=1", "stop",
	};
	const char *node = fz_node(fz_byte(c) / 128);
	const char *command = commands[fz_pick(c, ARRAY_SIZE(commands))];
	char path[96];
	int fd;

	if (!node)
		return;
	admin_path(path, sizeof(path), node, "", "record");
	fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return;
	if (write(fd, command, strlen(command)) < 0 && fz_chance(c))
		close(fd);
	else
		fz_add(c, FZ_RECORD, fd, 0);
}

FZ_OP(record_read)
{
	u32 n = 1 + fz_byte(c) % 16, size = fz_byte(c) % 2 ? 100 : 8192;
	struct fz_res *r = fz_res(c, FZ_RECORD);
	void *buf = fz_mem(c, size);

	while (buf && n-- && read(r->fd, buf, size) > 0)
		;
}
