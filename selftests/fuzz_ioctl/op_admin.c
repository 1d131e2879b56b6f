// SPDX-License-Identifier: GPL-2.0
/*
 * Operations of an administrator: injected faults and recording, in debugfs, which hit the jobs of
 * the sequence, the device's only client; and a limit of the client's CPU time.
 */
#include <fcntl.h>

#include "../drm/vst_cgroup.h"
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

/* ---- CPU time ---- */

static void join(const char *group, const char *pid)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/cgroup.procs", group);
	vst_write_file(path, pid);
}

/*
 * First the process enters the group, so that the threads of files that it opens from now on are in
 * it; then the group has next to no CPU time, mostly without the process; then it has it again.
 */
FZ_OP(throttle)
{
	static const char * const limits[] = { "1000 100000", "1000 1000000", "5000 20000" };

	if (!fz_shared->cgroup[0])
		return;
	switch (fz_shared->throttle) {
	case FZ_UNLIMITED:
		join(fz_shared->cgroup, "0");
		fz_shared->throttle = FZ_ENTERED;
		break;
	case FZ_ENTERED:
		if (fz_byte(c) % 4 != 3) {
			join(VST_CGROUPS, "0");
			vst_cgroup_limit(fz_shared->cgroup, limits[fz_pick(c, ARRAY_SIZE(limits))]);
		} else {
			vst_cgroup_limit(fz_shared->cgroup, "20000 100000");
		}
		fz_shared->throttle = FZ_LIMITED;
		break;
	default:
		vst_cgroup_limit(fz_shared->cgroup, "max");
		join(VST_CGROUPS, "0");
		fz_shared->throttle = FZ_UNLIMITED;
	}
}

void fz_throttle_init(void)
{
	if (vst_cgroup_new("fuzz", "max", fz_shared->cgroup, sizeof(fz_shared->cgroup)))
		fz_shared->cgroup[0] = 0;
}

void fz_throttle_nothing(pid_t executor)
{
	char pid[16];

	vst_cgroup_limit(fz_shared->cgroup, "max");
	snprintf(pid, sizeof(pid), "%d", executor);
	if (executor)
		join(VST_CGROUPS, pid);
	fz_shared->throttle = FZ_UNLIMITED;
}

u64 fz_throttled(void)
{
	char path[128], text[512], *at;

	snprintf(path, sizeof(path), "%s/cpu.stat", fz_shared->cgroup);
	if (!fz_shared->cgroup[0] || vst_read_file(path, text, sizeof(text)) <= 0)
		return 0;
	at = strstr(text, "nr_throttled ");
	return at ? strtoull(at + 13, NULL, 10) : 0;
}
