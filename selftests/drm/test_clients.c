// SPDX-License-Identifier: GPL-2.0
/*
 * Interference between clients: CPU shares, time limits on a busy machine, memory, client
 * limits, sudden death.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <time.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "vshader_test.h"
#include "vst_cgroup.h"
#include "vst_mali.h"

#define HOSTILE_QUEUES	16
#define MAX_MS		10000

/* ---- the two sides ---- */

/* Shared with child processes. */
struct board {
	__u64 hostile_ns;
	int ready;
	int stop;
};

static struct board *new_board(void)
{
	struct board *b = mmap(NULL, sizeof(*b), PROT_READ | PROT_WRITE,
			       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return b == MAP_FAILED ? NULL : b;
}

/* One CPU for both sides, so that their shares can be compared on any machine. */
static void use_one_cpu(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static __u64 now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000ULL + t.tv_nsec / 1000000;
}

static __u64 busy_ns(int fd, __u32 queue)
{
	struct drm_vshader_queue_get_state st;

	return vst_queue_state(fd, queue, &st) ? 0 : st.busy_ns;
}

/* A job that executes until its queue's limits end it. */
static int spin(struct vst *t, __u32 queue, __u32 program)
{
	struct vst_job j;

	vst_default_job(t, &j);
	j.job.result_va = 0;
	j.job.queue_id = queue;
	j.shader.program = program;
	return vst_submit(t->fd, &j);
}

/* Keep the maximum number of jobs executing. Never returns. */
static void be_hostile(struct board *b)
{
	__u32 queue[HOSTILE_QUEUES], program;
	struct vst t;
	int i;

	if (vst_setup(&t, &vst_mov) || vst_program(t.fd, &vst_spin, &program))
		_exit(1);
	for (i = 0; i < HOSTILE_QUEUES; i++) {
		if (vst_queue(t.fd, t.vm, 0, MAX_MS, &queue[i]) || spin(&t, queue[i], program))
			_exit(2);
	}
	__atomic_store_n(&b->ready, 1, __ATOMIC_SEQ_CST);
	while (!__atomic_load_n(&b->stop, __ATOMIC_SEQ_CST)) {
		__u64 sum = 0;

		for (i = 0; i < HOSTILE_QUEUES; i++)
			sum += busy_ns(t.fd, queue[i]);
		__atomic_store_n(&b->hostile_ns, sum, __ATOMIC_SEQ_CST);
		usleep(20000);
	}
	_exit(0);
}

static pid_t start_hostile(struct board *b, const char *cgroup, int nice)
{
	pid_t pid = fork();
	char path[128];

	if (pid)
		return pid;
	if (cgroup) {
		snprintf(path, sizeof(path), "%s/cgroup.procs", cgroup);
		if (vst_write_file(path, "0"))
			_exit(3);
	}
	setpriority(PRIO_PROCESS, 0, nice);
	be_hostile(b);
	return 0;
}

static bool wait_ready(struct board *b)
{
	int i;

	for (i = 0; i < 3000 && !__atomic_load_n(&b->ready, __ATOMIC_SEQ_CST); i++)
		usleep(20000);
	return b->ready;
}

static void end_child(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/*
 * CPU time of a victim while the hostile one runs, as a part of both's, percent: in 3 s, and then
 * until it is @want. A guest counts a stall of its host as CPU time of the thread that it was
 * executing, and its scheduler gives the other client as much afterwards.
 */
static int victims_share(struct board *b, const char *cgroup, int nice, int want)
{
	__u64 hostile, mine, hostile_was, mine_was, began;
	struct vst t;
	__u32 program;
	pid_t pid;
	int ret, share;

	use_one_cpu();
	ret = vst_setup(&t, &vst_mov);
	if (!ret)
		ret = vst_program(t.fd, &vst_spin, &program);
	if (!ret)
		ret = vst_queue_destroy(t.fd, t.queue);
	if (!ret)
		ret = vst_queue(t.fd, t.vm, 0, MAX_MS, &t.queue);
	if (ret)
		return ret;
	pid = start_hostile(b, cgroup, nice);
	if (!wait_ready(b)) {
		end_child(pid);
		return -ETIME;
	}
	spin(&t, t.queue, program);
	usleep(300000);
	hostile_was = __atomic_load_n(&b->hostile_ns, __ATOMIC_SEQ_CST);
	mine_was = busy_ns(t.fd, t.queue);
	began = now_ms();
	do {
		usleep(100000);
		mine = busy_ns(t.fd, t.queue) - mine_was;
		hostile = __atomic_load_n(&b->hostile_ns, __ATOMIC_SEQ_CST) - hostile_was;
		share = mine + hostile ? (int)(100 * mine / (mine + hostile)) : -ENODATA;
	} while (now_ms() < began + 3000 || (share < want && now_ms() < began + 20000));
	end_child(pid);
	vst_teardown(&t);
	printf("# victim %llu ms, hostile %llu ms\n", mine / 1000000, hostile / 1000000);
	return share;
}

FIXTURE(clients) {
	struct board *b;
};

FIXTURE_SETUP(clients)
{
	int fd = vst_open();

	if (fd == -ENODEV)
		SKIP(return, "no vshader render node");
	ASSERT_LE(0, fd);
	close(fd);
	if (geteuid())
		SKIP(return, "needs root");
	self->b = new_board();
	ASSERT_NE(NULL, self->b);
}

FIXTURE_TEARDOWN(clients)
{
	EXPECT_EQ(0, vst_alive());
}

/*
 * Sixteen queues of one client are one client: 50 %, not 6. Here and below, limits lie between
 * the two results, as a guest counts as CPU time what its host spends on others.
 */
TEST_F_TIMEOUT(clients, equal_share, 120)
{
	int share = victims_share(self->b, NULL, 0, 33);

	EXPECT_LE(33, share)
		TH_LOG("%d %%", share);
}

/* A client pays from the control group's account, and cannot take more. */
TEST_F_TIMEOUT(clients, limited_by_cgroup, 120)
{
	char cgroup[64];
	int ret, share;

	ret = vst_cgroup_new("hostile", "5000 100000", cgroup, sizeof(cgroup));
	if (ret)
		SKIP(return, "no cpu controller of cgroup2 (%s)", strerror(-ret));
	share = victims_share(self->b, cgroup, 0, 75);
	vst_cgroup_free(cgroup);
	EXPECT_LE(75, share)
		TH_LOG("%d %%", share);
}

/* Threads have the client's nice value. */
TEST_F_TIMEOUT(clients, nice_counts, 120)
{
	int share = victims_share(self->b, NULL, 10, 65);

	/* ten steps are a tenth of the weight */
	EXPECT_LE(65, share)
		TH_LOG("%d %%", share);
}

/* ---- within a client ---- */

static int queue_of(int fd, __u32 vm, __u32 priority, __u32 *id)
{
	struct drm_vshader_queue_create arg = {
		.engine = DRM_VSHADER_ENGINE_PICA, .vm_id = vm, .priority = priority,
		.time_limit_ms = MAX_MS,
	};
	int ret = vst_ioctl(fd, DRM_IOCTL_VSHADER_QUEUE_CREATE, &arg);

	*id = arg.id;
	return ret;
}

static int finite_job(struct vst *t, __u32 queue, __u32 *done)
{
	struct vst_job j;
	int ret;

	ret = vst_syncobj(t->fd, done);
	if (ret)
		return ret;
	vst_default_job(t, &j);
	j.job.queue_id = queue;
	vst_job_sync(&j, DRM_VSHADER_SYNC_SIGNAL, *done, 0);
	return vst_submit(t->fd, &j);
}

/*
 * While jobs of @low execute that would take 10 s of CPU time each, one of @high ends. Return:
 * 0, or the error.
 */
static int overtakes(__u32 low, __u32 high, int num)
{
	__u32 queue, first = 0, program, done;
	struct drm_vshader_queue_get_state st;
	struct vst t;
	int ret, i;

	use_one_cpu();
	ret = vst_setup(&t, &vst_mov);
	if (!ret)
		ret = vst_program(t.fd, &vst_spin, &program);
	for (i = 0; i < num && !ret; i++) {
		ret = queue_of(t.fd, t.vm, low, &queue);
		first = i ? first : queue;
		if (!ret)
			ret = spin(&t, queue, program);
	}
	if (!ret)
		ret = queue_of(t.fd, t.vm, high, &queue);
	if (!ret)
		ret = finite_job(&t, queue, &done);
	if (!ret)
		ret = vst_wait(t.fd, done, MAX_MS * num / 2);
	if (!ret)
		ret = vst_fence_status(t.fd, done);
	if (!ret)
		ret = vst_queue_state(t.fd, first, &st);
	if (!ret && st.completed)
		ret = -EALREADY;
	vst_teardown(&t);
	return ret;
}

TEST_F_TIMEOUT(clients, higher_priority_first, 120)
{
	EXPECT_EQ(0, overtakes(DRM_VSHADER_PRIORITY_LOW, DRM_VSHADER_PRIORITY_HIGH, 12));
	EXPECT_EQ(0, overtakes(DRM_VSHADER_PRIORITY_LOW, DRM_VSHADER_PRIORITY_MEDIUM, 12));
}

TEST_F_TIMEOUT(clients, equals_take_turns, 120)
{
	EXPECT_EQ(0, overtakes(DRM_VSHADER_PRIORITY_MEDIUM, DRM_VSHADER_PRIORITY_MEDIUM, 6));
}

/* ---- threads ---- */

/* Threads of a client, by their names. */
static int count_threads(__u64 client)
{
	char path[300], comm[32], want[32];
	struct dirent *e;
	int n = 0;
	DIR *d = opendir("/proc");

	snprintf(want, sizeof(want), "vshader-%llu/", client);
	while (d && (e = readdir(d))) {
		if (e->d_name[0] < '0' || e->d_name[0] > '9')
			continue;
		snprintf(path, sizeof(path), "/proc/%s/comm", e->d_name);
		if (vst_read_file(path, comm, sizeof(comm)) > 0)
			n += !strncmp(comm, want, strlen(want));
	}
	if (d)
		closedir(d);
	return n;
}

/* Until the client has no threads, as it has no jobs. Return: their number. */
static int await_no_threads(__u64 client)
{
	int i, n = count_threads(client);

	for (i = 0; i < 600 && n; i++) {
		usleep(100000);
		n = count_threads(client);
	}
	return n;
}

/* ---- time limits ---- */

/* A job whose CPU time is well within its limit ends well, however busy the machine is. */
TEST_F_TIMEOUT(clients, busy_machine_bans_nobody, 180)
{
	struct board *b = self->b;
	struct vst_parameter scale;
	int i, ret, good = 0;
	struct vst_job j;
	__u64 alone;
	pid_t pid[15];
	struct vst t;
	__u32 limit;

	use_one_cpu();
	ASSERT_EQ(0, vst_setup(&t, &vst_long_loop));
	vst_default_job(&t, &j);
	/* all vertices read and write the same address */
	j.attr[0].stride = 0;
	j.out[0].stride = 0;
	for (alone = 0; alone < 50000000 && j.pica.vertices.count < 1 << 24;
	     j.pica.vertices.count *= 2) {
		alone = busy_ns(t.fd, t.queue);
		ASSERT_EQ(0, vst_run(t.fd, &j));
		alone = busy_ns(t.fd, t.queue) - alone;
	}
	j.pica.vertices.count /= 2;
	/* of the clock, it will take 16 times as long */
	limit = 8 * alone / 1000000 < MAX_MS ? 8 * alone / 1000000 : MAX_MS;
	printf("# %llu ms alone, limit %u ms\n", alone / 1000000, limit);
	for (i = 0; i < (int)ARRAY_SIZE(pid); i++) {
		b->ready = 0;
		pid[i] = start_hostile(b, NULL, 0);
		EXPECT_TRUE(wait_ready(b));
	}
	EXPECT_EQ(0, vst_parameter_set(&scale, "time_scale", "1"));
	for (i = 0; i < 5; i++) {
		EXPECT_EQ(0, vst_queue(t.fd, t.vm, 0, limit, &j.job.queue_id));
		ret = vst_run(t.fd, &j);
		EXPECT_TRUE(!ret || ret == -ETIME)
			TH_LOG("%d", ret);
		good += !ret;
	}
	vst_parameter_reset(&scale);
	/* a stall of the guest's host is CPU time of the job that it meets, not of each */
	EXPECT_LE(3, good);
	for (i = 0; i < (int)ARRAY_SIZE(pid); i++)
		end_child(pid[i]);
	vst_teardown(&t);
}

/* A job whose client gets no CPU time may have waiters: it ends with an error. */
TEST_F_TIMEOUT(clients, no_progress, 120)
{
	struct drm_vshader_queue_get_state st = { 0 };
	struct vst_parameter stall;
	char cgroup[64];
	pid_t pid;
	int ret, status;

	ret = vst_cgroup_new("starved", "max", cgroup, sizeof(cgroup));
	if (ret)
		SKIP(return, "no cpu controller of cgroup2 (%s)", strerror(-ret));
	ASSERT_EQ(0, vst_parameter_set(&stall, "stall_ms", "200"));
	pid = fork();
	if (!pid) {
		char path[128];
		__u32 program;
		struct vst t;

		snprintf(path, sizeof(path), "%s/cgroup.procs", cgroup);
		/* the client's threads stay in the group */
		if (vst_write_file(path, "0") || vst_setup(&t, &vst_mov) ||
		    vst_program(t.fd, &vst_spin, &program) || vst_queue_destroy(t.fd, t.queue) ||
		    vst_queue(t.fd, t.vm, 0, MAX_MS, &t.queue) || spin(&t, t.queue, program))
			_exit(1);
		if (vst_write_file(VST_CGROUPS "/cgroup.procs", "0") ||
		    vst_cgroup_limit(cgroup, "1000 1000000"))
			_exit(2);
		while (!st.completed) {
			usleep(100000);
			vst_queue_state(t.fd, t.queue, &st);
		}
		_exit(st.fault.kind == DRM_VSHADER_FAULT_TIMEOUT &&
		      st.fault.info == DRM_VSHADER_TIMEOUT_STALLED ? 0 : 3);
	}
	EXPECT_EQ(pid, waitpid(pid, &status, 0));
	vst_parameter_reset(&stall);
	vst_cgroup_free(cgroup);
	EXPECT_TRUE(WIFEXITED(status));
	EXPECT_EQ(0, WEXITSTATUS(status));
}

/* ---- memory ---- */

static long available_kib(void)
{
	char buf[1024], *at;

	if (vst_read_file("/proc/meminfo", buf, sizeof(buf)) < 0)
		return 0;
	at = strstr(buf, "MemAvailable:");
	return at ? strtol(at + 13, NULL, 10) : 0;
}

static long available_mib(void)
{
	return available_kib() / 1024;
}

/* The program that executes for ever, with @memory for the job. */
static int big_job(struct vst_mali *m, __u64 memory, __u32 wait_for)
{
	vst_mali_job(m, 4, 16);
	m->block.memory = memory;
	m->j.job.result_va = 0;
	if (wait_for)
		vst_job_sync(&m->j, 0, wait_for, 0);
	return vst_submit(m->fd, &m->j);
}

/* Queued jobs share the memory that they will need. */
TEST_F_TIMEOUT(clients, queued_jobs_have_no_memory, 120)
{
	struct drm_vshader_limits limits;
	struct vst_mali m;
	struct vst_gate g;
	long before;
	__u32 gate;
	int i, q;

	ASSERT_EQ(0, vst_mali_setup(&m, &vst_mali_bifrost));
	ASSERT_EQ(0, vst_limits(m.fd, &limits));
	if (vst_gate_new(&g, PAGE))
		SKIP(return, "no vgem");
	ASSERT_EQ(0, vst_gate_syncobj(&g, m.fd, &gate));
	ASSERT_EQ(0, vst_mali_program(&m, &m.arch->spin, DRM_VSHADER_STAGE_COMPUTE));
	before = available_mib();
	for (q = 0; q < 6; q++) {
		/* the previous one stays */
		m.queue = 0;
		ASSERT_EQ(0, vst_mali_queue(&m, 1000, MAX_MS));
		for (i = 0; i < 16; i++)
			ASSERT_EQ(0, big_job(&m, limits.max_job_memory, gate));
	}
	printf("# %ld MiB for %d jobs of %llu MiB\n", before - available_mib(), 6 * 16,
	       limits.max_job_memory >> 20);
	EXPECT_GT(200, before - available_mib());
	EXPECT_EQ(0, vst_gate_open(&g));
	vst_gate_free(&g);
	close(m.fd);
}

/* As many mappings of pages of @bo as there may be, but for a few. Return: number or -errno. */
static int fill_space(struct vst *t, __u32 bo, const struct drm_vshader_limits *limits)
{
	struct drm_vshader_vm_bind_op op[256];
	int i, n, ret;

	for (n = 0; n + 256 + 16 <= limits->max_mappings; n += 256) {
		for (i = 0; i < 256; i++)
			op[i] = (struct drm_vshader_vm_bind_op){
				.bo_handle = bo,
				.va = 0x40000000ULL + (n + i) * PAGE,
				.size = PAGE,
				.bo_offset = (i & 1) * PAGE,
			};
		ret = vst_bind_ops(t->fd, t->vm, op, 256, NULL);
		if (ret)
			return ret;
	}
	return n;
}

/* A job after one that executes for ever, after a change of the address space. */
static int rebind_and_submit(struct vst *t, struct vst_job *j, __u32 bo, int i)
{
	int ret = vst_map(t->fd, t->vm, bo, (i & 1) * PAGE, 0x40000000ULL + i * 64 * PAGE, PAGE,
			  i & 2 ? DRM_VSHADER_VM_BIND_READONLY : 0);

	return ret ? ret : vst_submit(t->fd, j);
}

/*
 * The address spaces of queued jobs differ by a mapping each, and share the others. A copy of the
 * mappings has 1.8 MB; a job has 15 to 70 KiB of its own, the most with the allocators of a
 * debugging kernel.
 */
TEST_F_TIMEOUT(clients, queued_jobs_share_mappings, 120)
{
	struct drm_vshader_limits limits;
	long before, used;
	struct vst_job j;
	struct vst t;
	__u32 bo;
	int i;

	ASSERT_EQ(0, vst_setup(&t, &vst_spin));
	ASSERT_EQ(0, vst_limits(t.fd, &limits));
	ASSERT_EQ(0, vst_bo_create(t.fd, 2 * PAGE, 0, 0, &bo));
	ASSERT_LT(10000, fill_space(&t, bo, &limits));
	vst_default_job(&t, &j);
	j.job.result_va = 0;
	ASSERT_EQ(0, rebind_and_submit(&t, &j, bo, 0));
	before = available_kib();
	for (i = 1; i < 100; i++)
		ASSERT_EQ(0, rebind_and_submit(&t, &j, bo, i));
	used = before - available_kib();
	printf("# %ld KiB for %d jobs\n", used, i);
	EXPECT_GT(100 * 256, used);
	close(t.fd);
}

TEST_F(clients, memory_is_limited)
{
	struct vst_parameter p;
	struct vst_mali m;

	ASSERT_EQ(0, vst_mali_setup(&m, &vst_mali_bifrost));
	ASSERT_EQ(0, vst_mali_program(&m, &m.arch->spin, DRM_VSHADER_STAGE_COMPUTE));
	ASSERT_EQ(0, vst_mali_queue(&m, 1000, MAX_MS));
	ASSERT_EQ(0, vst_parameter_set(&p, "client_memory", "16"));
	EXPECT_EQ(-EDQUOT, big_job(&m, 64 << 20, 0));
	EXPECT_EQ(0, big_job(&m, 8 << 20, 0));
	vst_parameter_reset(&p);
	ASSERT_EQ(0, vst_mali_queue(&m, 1000, MAX_MS));
	ASSERT_EQ(0, vst_parameter_set(&p, "memory", "16"));
	EXPECT_EQ(-ENOSPC, big_job(&m, 64 << 20, 0));
	vst_parameter_reset(&p);
	EXPECT_EQ(0, big_job(&m, 64 << 20, 0));
	close(m.fd);
}

/* ---- numbers ---- */

static int raise_files(rlim_t n)
{
	struct rlimit r = { n, n };

	return setrlimit(RLIMIT_NOFILE, &r) ? -errno : 0;
}

/* Open @n files with a queue each. Return: number of queues; *@error: error of the next one. */
static int open_clients(int n, int *error)
{
	__u32 vm, queue;
	int i, fd;

	*error = 0;
	for (i = 0; i < n; i++) {
		fd = vst_open();
		if (fd < 0) {
			*error = fd;
			return i;
		}
		*error = vst_vm_create(fd, 0, &vm);
		if (!*error)
			*error = vst_queue(fd, vm, 0, 0, &queue);
		if (*error)
			return i;
	}
	return i;
}

/*
 * Until nobody else has clients of the @most. A job that is cancelled ends later than its process,
 * and is a client until then.
 */
static int await_clients(int most)
{
	int tries, status, error;
	pid_t pid;

	for (tries = 0; tries < 600; tries++) {
		pid = fork();
		if (!pid)
			_exit(!raise_files(2100) && open_clients(most + 1, &error) == most &&
			      error == -ENOSPC ? 0 : 1);
		if (waitpid(pid, &status, 0) == pid && WIFEXITED(status) && !WEXITSTATUS(status))
			return 0;
		usleep(50000);
	}
	return -ETIME;
}

TEST_F_TIMEOUT(clients, thousand_files, 300)
{
	struct vst_parameter p;
	int error, n, status;
	pid_t pid;
	char node[64];

	ASSERT_EQ(0, vst_parameter_set(&p, "max_clients", "64"));
	EXPECT_EQ(0, await_clients(64));
	ASSERT_EQ(0, vst_node(0, node, sizeof(node)));
	ASSERT_EQ(0, chmod(node, 0666));
	/* a user: half of the clients, the other half is for others */
	pid = fork();
	if (!pid) {
		__u32 vm;
		int fd[1000], i;

		/* the root folder of a guest may be closed to users */
		setenv("VSHADER_DEVICE", strrchr(node, '/') + 1, 1);
		if (chdir("/dev/dri") || raise_files(2100) || setgid(65534) || setuid(65534))
			_exit(1);
		for (i = 0; i < 1000; i++) {
			fd[i] = vst_open();
			error = fd[i] < 0 ? fd[i] : vst_vm_create(fd[i], 0, &vm);
			if (error) {
				printf("# file %d: %s\n", i, strerror(-error));
				fflush(stdout);
				_exit(2);
			}
		}
		n = open_clients(1000, &error);
		_exit(n == 32 && error == -EDQUOT ? 0 : 3);
	}
	EXPECT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_TRUE(WIFEXITED(status));
	EXPECT_EQ(0, WEXITSTATUS(status));
	/* the administrator has all of them */
	EXPECT_EQ(0, await_clients(64));
	vst_parameter_reset(&p);
	chmod(node, 0600);
}

/* ---- user namespaces ---- */

#define SUBORDINATE	100000
#define SUBORDINATES	4

/* The calling process in a user namespace of user 1000 with subordinate ids. */
static int enter_user_ns(void)
{
	char path[64], map[32];
	int up[2], down[2], status, ret;
	char c = 0;
	pid_t pid, me = getpid();

	if (pipe(up) || pipe(down))
		return -errno;
	/* only the administrator gives somebody the ids of others */
	pid = fork();
	if (!pid) {
		snprintf(map, sizeof(map), "0 %u %u", SUBORDINATE, SUBORDINATES);
		if (read(up[0], &c, 1) != 1)
			_exit(1);
		snprintf(path, sizeof(path), "/proc/%d/uid_map", me);
		ret = vst_write_file(path, map);
		snprintf(path, sizeof(path), "/proc/%d/gid_map", me);
		if (!ret)
			ret = vst_write_file(path, map);
		if (write(down[1], &c, 1) != 1)
			_exit(1);
		_exit(ret ? 1 : 0);
	}
	if (setresgid(1000, 1000, 1000) || setresuid(1000, 1000, 1000) || unshare(CLONE_NEWUSER))
		return -errno;
	if (write(up[1], &c, 1) != 1 || read(down[0], &c, 1) != 1)
		return -EIO;
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status))
		return -EPERM;
	return setresuid(0, 0, 0) ? -errno : 0;
}

/* A process with another id. It stays, with what it has opened. Return: what @what has. */
static int as_subordinate(uid_t uid, int (*what)(void))
{
	int out[2], ret = -EIO;
	pid_t pid;

	if (pipe(out))
		return -errno;
	pid = fork();
	if (!pid) {
		ret = setresuid(uid, uid, uid) ? -errno : what();
		if (write(out[1], &ret, sizeof(ret)) != sizeof(ret))
			_exit(1);
		pause();
		_exit(0);
	}
	if (read(out[0], &ret, sizeof(ret)) != sizeof(ret))
		ret = -EIO;
	return ret;
}

static int open_many(void)
{
	int error;

	return open_clients(100, &error);
}

/* A job with 32 MiB, which keeps them until its process ends. */
static int take_memory(void)
{
	struct vst_mali m;
	int ret;

	ret = vst_mali_setup(&m, &vst_mali_bifrost);
	if (!ret)
		ret = vst_mali_program(&m, &m.arch->spin, DRM_VSHADER_STAGE_COMPUTE);
	if (!ret)
		ret = vst_mali_queue(&m, 0, MAX_MS);
	return ret ? ret : big_job(&m, 32 << 20, 0);
}

/*
 * In a user namespace with several ids, and as another user meanwhile. What they get, in got:
 * clients of each id, of the other user; memory of two ids.
 */
enum { GOT_OTHER = SUBORDINATES, GOT_MEMORY, GOT = GOT_MEMORY + 2 };

static int try_subordinates(int got[GOT])
{
	int ret, i, other[2], c = 0;
	pid_t pid;

	if (pipe(other))
		return -errno;
	pid = fork();
	if (!pid) {
		if (setgid(65534) || setuid(65534) || read(other[0], &c, 1) != 1)
			_exit(255);
		_exit(open_many());
	}
	ret = enter_user_ns();
	if (ret)
		return ret;
	for (i = 0; i < 2; i++)
		got[GOT_MEMORY + i] = as_subordinate(i, take_memory);
	for (i = 0; i < SUBORDINATES; i++)
		got[i] = as_subordinate(i, open_many);
	if (write(other[1], &c, 1) != 1 || waitpid(pid, &c, 0) != pid)
		return -EIO;
	got[GOT_OTHER] = WEXITSTATUS(c);
	return 0;
}

/* Subordinate ids of a user are that user, together. */
TEST_F_TIMEOUT(clients, user_namespace_is_one_user, 120)
{
	struct vst_parameter clients, memory;
	int *got, status, ret, i, sum = 0;
	char node[64];
	pid_t pid;

	got = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)got);
	/* only Debian's kernel has it */
	vst_write_file("/proc/sys/kernel/unprivileged_userns_clone", "1");
	ASSERT_EQ(0, vst_node(0, node, sizeof(node)));
	ASSERT_EQ(0, chmod(node, 0666));
	ASSERT_EQ(0, vst_parameter_set(&clients, "max_clients", "24"));
	EXPECT_EQ(0, await_clients(24));
	/* three quarters are less than two such jobs, all is more */
	ASSERT_EQ(0, vst_parameter_set(&memory, "memory", "80"));
	pid = fork();
	if (!pid) {
		setpgid(0, 0);
		/* the root folder of a guest may be closed to users */
		setenv("VSHADER_DEVICE", strrchr(node, '/') + 1, 1);
		ret = chdir("/dev/dri") ? -errno : try_subordinates(got);
		_exit(-ret);
	}
	EXPECT_EQ(pid, waitpid(pid, &status, 0));
	kill(-pid, SIGKILL);
	vst_parameter_reset(&memory);
	vst_parameter_reset(&clients);
	chmod(node, 0600);
	EXPECT_TRUE(WIFEXITED(status));
	if (WEXITSTATUS(status) == EPERM || WEXITSTATUS(status) == EINVAL)
		SKIP(return, "no user namespaces for users");
	ASSERT_EQ(0, WEXITSTATUS(status));
	for (i = 0; i < SUBORDINATES; i++)
		sum += got[i];
	/* half of the clients, of which two have tried to get memory; half of the other half */
	EXPECT_EQ(10, sum)
		TH_LOG("%d, %d, %d, %d", got[0], got[1], got[2], got[3]);
	EXPECT_EQ(6, got[GOT_OTHER]);
	EXPECT_EQ(0, got[GOT_MEMORY]);
	EXPECT_EQ(-EDQUOT, got[GOT_MEMORY + 1])
		TH_LOG("%d, then %d", got[GOT_MEMORY], got[GOT_MEMORY + 1]);
}

/* However many users take what they can, there is something for the next one. */
TEST_F_TIMEOUT(clients, users_leave_some, 120)
{
	static const int want[] = { 12, 6, 3, 1 };
	struct vst_parameter p;
	unsigned int i;
	char node[64];
	int *got, status;
	pid_t pid;

	got = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)got);
	ASSERT_EQ(0, vst_node(0, node, sizeof(node)));
	ASSERT_EQ(0, chmod(node, 0666));
	ASSERT_EQ(0, vst_parameter_set(&p, "max_clients", "24"));
	EXPECT_EQ(0, await_clients(24));
	pid = fork();
	if (!pid) {
		setpgid(0, 0);
		/* the root folder of a guest may be closed to users */
		setenv("VSHADER_DEVICE", strrchr(node, '/') + 1, 1);
		if (chdir("/dev/dri"))
			_exit(1);
		for (i = 0; i < ARRAY_SIZE(want); i++)
			got[i] = as_subordinate(2000 + i, open_many);
		_exit(0);
	}
	EXPECT_EQ(pid, waitpid(pid, &status, 0));
	kill(-pid, SIGKILL);
	vst_parameter_reset(&p);
	chmod(node, 0600);
	EXPECT_EQ(0, status);
	for (i = 0; i < ARRAY_SIZE(want); i++) {
		EXPECT_EQ(want[i], got[i])
			TH_LOG("user %u", i);
	}
}

#define TRACING	"/sys/kernel/tracing/"
#define QUEUED	TRACING "events/workqueue/workqueue_queue_work/enable"

/* The workqueue that looks for jobs without progress, from the trace. Return: false: none. */
static bool watching_queue(char *name, size_t size)
{
	FILE *f = fopen(TRACING "trace", "r");
	char line[512], *at = NULL;

	while (f && fgets(line, sizeof(line), f) && !at) {
		if (!strstr(line, "function=watch_fn"))
			continue;
		at = strstr(line, "workqueue=");
		if (at)
			snprintf(name, size, "%.*s", (int)strcspn(at + 10, "\n "), at + 10);
	}
	if (f)
		fclose(f);
	return at;
}

static bool has_process(const char *name)
{
	char path[300], comm[64];
	struct dirent *e;
	bool found = false;
	DIR *d = opendir("/proc");

	while (d && (e = readdir(d)) && !found) {
		snprintf(path, sizeof(path), "/proc/%s/comm", e->d_name);
		found = e->d_name[0] >= '0' && e->d_name[0] <= '9' &&
			vst_read_file(path, comm, sizeof(comm)) > 0 &&
			!strncmp(comm, name, strlen(name));
	}
	if (d)
		closedir(d);
	return found;
}

/* Jobs without progress are ended without memory for a new thread, by a rescuer. */
TEST_F(clients, rescuer)
{
	char name[32] = "", since_6_9[48];
	struct vst t;
	int i;

	mount("none", TRACING, "tracefs", 0, NULL);
	if (vst_write_file(TRACING "trace", "") || vst_write_file(QUEUED, "1"))
		SKIP(return, "no event of workqueues");
	ASSERT_EQ(0, vst_setup(&t, &vst_mov));
	for (i = 0; i < 600 && !watching_queue(name, sizeof(name)); i++)
		usleep(100000);
	vst_write_file(QUEUED, "0");
	vst_teardown(&t);
	ASSERT_NE(0, name[0]);
	/* of which 15 characters are left */
	snprintf(since_6_9, sizeof(since_6_9), "kworker/R-%s", name);
	since_6_9[15] = 0;
	EXPECT_TRUE(has_process(name) || has_process(since_6_9))
		TH_LOG("%s", name);
}

TEST_F_TIMEOUT(clients, threads_come_and_go, 60)
{
	struct vst_job j;
	struct vst t;
	__u64 id;
	int i, n, tries;

	ASSERT_EQ(0, vst_setup(&t, &vst_mov));
	id = vst_client_id(t.fd);
	vst_default_job(&t, &j);
	for (i = 0; i < 2; i++) {
		/* this process may have to wait for a CPU for as long as idle threads live */
		for (n = 0, tries = 0; tries < 20 && !n; tries++) {
			EXPECT_EQ(0, vst_run(t.fd, &j));
			n = count_threads(id);
		}
		EXPECT_LE(1, n);
		EXPECT_EQ(0, await_no_threads(id))
			TH_LOG("idle threads are kept");
	}
	EXPECT_EQ(0, vst_run(t.fd, &j));
	vst_teardown(&t);
	EXPECT_EQ(0, await_no_threads(id));
}

/* ---- sudden death ---- */

static void live(unsigned int seed)
{
	struct vst_mali m;
	struct vst t;
	__u32 program;

	srand(seed);
	if (vst_setup(&t, &vst_mov) || vst_program(t.fd, &vst_spin, &program) ||
	    vst_mali_setup(&m, rand() % 2 ? &vst_mali_bifrost : &vst_mali_midgard) ||
	    vst_mali_program(&m, &m.arch->spin, DRM_VSHADER_STAGE_COMPUTE))
		_exit(1);
	for (;;) {
		__u32 queue;

		switch (rand() % 5) {
		case 0:
			vst_queue(t.fd, t.vm, 0, 1 + rand() % MAX_MS, &queue);
			spin(&t, queue, program);
			break;
		case 1:
			big_job(&m, (__u64)(1 + rand() % 16) << 20, 0);
			break;
		case 2:
			vst_mali_queue(&m, 1 + rand(), 1 + rand() % MAX_MS);
			break;
		case 3:
			vst_queue_destroy(t.fd, 1 + rand() % 8);
			break;
		default:
			usleep(rand() % 5000);
		}
	}
}

TEST_F_TIMEOUT(clients, killed_at_random, 300)
{
	unsigned int i, seed = vst_env("KSFT_SEED", 1);
	pid_t pid;

	printf("# seed %u\n", seed);
	srand(seed);
	for (i = 0; i < 30; i++) {
		pid = fork();
		if (!pid)
			live(seed + i);
		usleep(rand() % 100000);
		end_child(pid);
	}
	EXPECT_EQ(0, vst_alive());
}

TEST_HARNESS_MAIN
