// SPDX-License-Identifier: GPL-2.0
/*
 * The driver of the fuzzer: makes sequences, lets the executor run them, keeps those that reached
 * something new, and stops when the kernel reports a problem, hangs, or leaks.
 *
 * Sequence N of a run follows from the seed, N, and the numbers of those that were kept before,
 * which are in a file. So it can be made again without running the sequences before it.
 */
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "fz.h"

#define SLOTS		8		/* sequences in the file "last" */
#define HEALTH_EVERY	512		/* sequences */
#define THROTTLE_EVERY	64		/* sequences */
#define EXIT_ODDS	24		/* one executor in so many ends with everything open */

enum { FOUND_BAD = 1, FOUND_REPORT = 3, FOUND_HANG = 4 };

struct fz_shared *fz_shared;

static struct {
	u64 seed;
	u64 seconds;
	u64 exec;
	u64 repeat;
	bool print;
	const char *scenes;
	const char *results;
	const char *replay;
} opt = { .seed = 1, .seconds = 10, .exec = ~0ULL, .repeat = 1, .scenes = "/stage/fuzz/scenes" };

static struct {
	pid_t pid;
	int to;
	int from;
} executor;

static struct fz_corpus corpus;
static u64 done, restarts;
static int last_fd = -1, kept_fd = -1, kmsg = -1;

/* ---- files that survive the kernel ---- */

static int result_file(const char *name, int flags)
{
	char path[256];
	int fd;

	if (!opt.results)
		return -1;
	snprintf(path, sizeof(path), "%s/%s", opt.results, name);
	fd = open(path, flags | O_CLOEXEC, 0644);
	if (fd < 0)
		perror(path);
	return fd;
}

/* To the host, though not to its disk. */
static void write_out(int fd, const char *text, size_t size, off_t at)
{
	if (fd < 0)
		return;
	if (pwrite(fd, text, size, at) < 0 ||
	    sync_file_range(fd, at, size, SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER))
		perror("results");
}

static void remember(const struct fz_seq *s, u64 n)
{
	static char slot[FZ_TEXT];
	int len = sprintf(slot, "# sequence %llu of seed %llu\n", (unsigned long long)n,
			  (unsigned long long)opt.seed);

	memset(slot + len, '\n', sizeof(slot) - len);
	slot[len + fz_print(s, slot + len)] = '\n';
	write_out(last_fd, slot, sizeof(slot), n % SLOTS * sizeof(slot));
}

static void remember_kept(u64 n)
{
	static off_t at;
	char text[32];
	int len = sprintf(text, "%llu\n", (unsigned long long)n);

	write_out(kept_fd, text, len, at);
	at += len;
}

/* ---- what the kernel says ---- */

static bool is_report(const char *line)
{
	static const char * const heads[] = {
		"BUG", "WARNING: ", "KASAN: ", "UBSAN: ", "Oops", "INFO: possible", "INFO: task",
		"INFO: rcu", "INFO: lockdep", "INFO: trying", "ODEBUG: ", "refcount_t: ",
		"list_add ", "list_del ", "kernel BUG", "general protection", "DEBUG_LOCKS_WARN_ON",
		"Bad page ", "Kernel ", "------------[ cut here",
	};
	u32 i;

	/* the test kernel's own: see scripts/klog-check, which has the last word */
	if (strstr(line, "suspicious RCU usage"))
		return false;
	for (i = 0; i < ARRAY_SIZE(heads); i++)
		if (!strncmp(line, heads[i], strlen(heads[i])))
			return true;
	return false;
}

static bool kernel_reports(void)
{
	char line[1024], *text;
	ssize_t n;

	while (kmsg >= 0 && (n = read(kmsg, line, sizeof(line) - 1)) != 0) {
		if (n < 0 && errno == EPIPE)
			continue;
		if (n < 0)
			break;
		line[n] = 0;
		text = strchr(line, ';');
		if (text && is_report(text + 1)) {
			printf("the kernel reports: %s", text + 1);
			return true;
		}
	}
	return false;
}

/* ---- the executor ---- */

static void start_executor(void)
{
	int to[2], from[2];

	if (pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC)) {
		perror("pipe");
		exit(2);
	}
	executor.pid = fork();
	if (!executor.pid) {
		close(to[1]);
		close(from[0]);
		close(last_fd);
		close(kept_fd);
		close(kmsg);
		fz_executor(to[0], from[1]);
	}
	close(to[0]);
	close(from[1]);
	executor.to = to[1];
	executor.from = from[0];
	restarts++;
}

static bool wait_exit(unsigned int seconds)
{
	unsigned int i;

	for (i = 0; i < 1000 * seconds; i++) {
		if (waitpid(executor.pid, NULL, WNOHANG) == executor.pid)
			break;
		usleep(1000);
	}
	if (i == 1000 * seconds)
		return false;
	close(executor.to);
	close(executor.from);
	executor.pid = 0;
	return true;
}

static void print_file(const char *path)
{
	char buf[4096];
	int n = vst_read_file(path, buf, sizeof(buf));

	if (n > 0)
		printf("%s:\n%s\n", path, buf);
}

/* Where all threads of the executor are. */
static void print_stacks(void)
{
	char path[64];
	int tid;

	for (tid = executor.pid; tid < executor.pid + 64; tid++) {
		snprintf(path, sizeof(path), "/proc/%d/stack", tid);
		print_file(path);
	}
}

/* 0, or what was found. */
static int wait_executor(void)
{
	struct pollfd p = { .fd = executor.from, .events = POLLIN };
	unsigned int limit = 30 * vst_scale();
	char byte;

	if (!poll(&p, 1, 1000 * limit)) {
		printf("hang: no end after %u s, in %s\n", limit, fz_shared->doing);
		print_stacks();
		kill(executor.pid, SIGKILL);
		printf("%s\n", wait_exit(10) ? "it can be killed" : "it cannot be killed");
		return FOUND_HANG;
	}
	if (read(executor.from, &byte, 1) == 1 && !fz_shared->exit_after)
		return 0;
	/* told to end, or it died: that is not what is looked for, as long as it is gone then */
	if (wait_exit(limit))
		return 0;
	printf("hang: the process does not end\n");
	print_stacks();
	return FOUND_HANG;
}

/* A simple job still works, whatever other clients have done or have not got. */
static int check_job(void)
{
	int ret = fz_shared->nnodes ? vst_alive() : -ENODEV;

	if (ret)
		printf("broken: a simple job gives %d\n", ret);
	return ret ? FOUND_BAD : 0;
}

static int run(const struct fz_seq *s, u64 n, bool leave)
{
	char byte = 0;
	int ret;

	if (!executor.pid)
		start_executor();
	remember(s, n);
	fz_shared->seq = *s;
	fz_shared->fresh = 0;
	fz_shared->exit_after = leave;
	if (write(executor.to, &byte, 1) != 1)
		perror("executor");
	ret = wait_executor();
	if (fz_shared->unbound)
		fz_bind_all();
	if (fz_shared->injected)
		fz_inject_nothing();
	if (!ret && fz_shared->throttle == FZ_LIMITED)
		ret = check_job();
	if (fz_shared->throttle)
		fz_throttle_nothing(executor.pid);
	done++;
	if (kernel_reports())
		return FOUND_REPORT;
	return ret;
}

/* ---- health ---- */

static u32 lines_of(u32 minor, const char *name)
{
	static char buf[65536];
	char path[64], *p = buf;
	u32 n = 0;

	snprintf(path, sizeof(path), "/sys/kernel/debug/dri/%u/%s", minor, name);
	if (vst_read_file(path, buf, sizeof(buf)) <= 0)
		return 0;
	while ((p = strchr(p, '\n'))) {
		p++;
		n++;
	}
	return n;
}

/* Buffers (less the headline) and queues that there are. */
static u32 objects(void)
{
	u32 i, n = 0;

	for (i = 0; i < fz_shared->nnodes; i++) {
		u32 minor = fz_minor(fz_shared->node[i]);
		u32 gems = lines_of(minor, "gems");

		n += gems ? gems - 1 : 0;
		n += lines_of(minor, "queues");
	}
	return n;
}

/* Nobody has anything open: what is left has leaked. */
static int check_health(void)
{
	u32 i, left = objects();

	for (i = 0; left && i < 3000; i++) {
		usleep(20000);
		left = objects();
	}
	if (left) {
		printf("leak: %u buffers and queues are left\n", left);
		return FOUND_BAD;
	}
	return check_job();
}

/* ---- runs ---- */

static void make(u64 n, struct fz_seq *s, bool *leave)
{
	struct fz_rng r = fz_rng(opt.seed, n);

	*leave = !fz_below(&r, EXIT_ODDS);
	if (n < fz_nscenes)
		fz_first(n, s);
	else if ((n - fz_nscenes) % THROTTLE_EVERY == 0)
		fz_throttled_first((n - fz_nscenes) / THROTTLE_EVERY, &r, s);
	else
		fz_make(&corpus, &r, s);
}

static void progress(u64 began)
{
	printf("fuzz: %llu s, %llu sequences, %lu ioctls (%lu %% succeed), %u edges, corpus %u\n",
	       (unsigned long long)(fz_now() - began) / 1000000000, (unsigned long long)done,
	       fz_shared->ioctls, 100 * fz_shared->good / (fz_shared->ioctls + 1),
	       fz_shared->edges, corpus.n);
}

static void print_operations(void)
{
	u32 i;

	printf("calls:");
	for (i = 0; i < fz_nops; i++)
		printf(" %s %u", fz_ops[i].name, fz_shared->calls[i]);
	printf("\nthrottled %llu times%s\n", (unsigned long long)fz_throttled(),
	       fz_shared->cgroup[0] ? "" : ": no cpu controller");
}

/* The sequences that are made for this had a group without CPU time. */
static int check_throttled(u64 n)
{
	if (!fz_shared->cgroup[0] || n <= fz_nscenes || fz_throttled())
		return 0;
	printf("broken: no job was throttled, though %u calls limited CPU time\n",
	       fz_shared->calls[fz_op_find("throttle")]);
	return FOUND_BAD;
}

static int fuzz(void)
{
	u64 began = fz_now(), told = began, n;
	static struct fz_seq s;
	bool leave;
	int ret = 0;

	for (n = 0; !ret && fz_now() - began < opt.seconds * 1000000000ULL; n++) {
		make(n, &s, &leave);
		ret = run(&s, n, leave);
		if (!ret && fz_shared->fresh) {
			fz_keep(&corpus, &s);
			remember_kept(n);
		}
		if (!ret && n % HEALTH_EVERY == HEALTH_EVERY - 1)
			ret = check_health();
		if (fz_now() - told > 10000000000ULL) {
			told = fz_now();
			progress(began);
		}
	}
	if (!ret)
		ret = check_health();
	if (!ret)
		ret = check_throttled(n);
	progress(began);
	print_operations();
	if (ret)
		printf("found in sequence %llu of seed %llu, or before it\n",
		       (unsigned long long)n - 1, (unsigned long long)opt.seed);
	return ret;
}

/* Makes the corpus of sequence @opt.exec from the numbers that were kept. */
static void make_again(struct fz_seq *s)
{
	unsigned long long n;
	char path[256];
	bool leave;
	FILE *f;

	snprintf(path, sizeof(path), "%s/kept", opt.results ? opt.results : ".");
	f = fopen(path, "r");
	while (f && fscanf(f, "%llu", &n) == 1 && n < opt.exec) {
		make(n, s, &leave);
		fz_keep(&corpus, s);
	}
	if (f)
		fclose(f);
	make(opt.exec, s, &leave);
}

static bool load(const char *path, struct fz_seq *s)
{
	static char text[FZ_TEXT];
	int ret = vst_read_file(path, text, sizeof(text));

	if (ret >= 0)
		ret = fz_parse(text, s);
	if (ret > 0)
		printf("%s:%d: not a call\n", path, ret);
	else if (ret)
		printf("%s: %s\n", path, strerror(-ret));
	return !ret;
}

static int replay(void)
{
	static struct fz_seq s;
	char text[FZ_TEXT];
	int ret = 0;
	u64 i;

	if (opt.replay && !load(opt.replay, &s))
		return 2;
	if (!opt.replay)
		make_again(&s);
	if (opt.print) {
		fz_print(&s, text);
		fputs(text, stdout);
		return 0;
	}
	/* every other time the process ends with everything open */
	for (i = 0; i < opt.repeat && !ret; i++)
		ret = run(&s, i, i & 1);
	if (!ret)
		ret = check_health();
	printf("fuzz: %llu times, %lu ioctls, %s\n", (unsigned long long)i, fz_shared->ioctls,
	       ret ? "found" : "nothing found");
	return ret;
}

/* ---- the program ---- */

static void usage(void)
{
	fputs("usage: fuzz_ioctl [OPTION...]\n"
	      "  --seed N       of the run (default 1)\n"
	      "  --seconds N    length of the run (default 10)\n"
	      "  --results DIR  what a run leaves: the last sequences, numbers of those kept\n"
	      "  --scenes FILE  jobs to begin with (default /stage/fuzz/scenes)\n"
	      "  --exec N       run sequence N of the run that left --results\n"
	      "  --replay FILE  run a sequence\n"
	      "  --repeat N     --exec, --replay: as many times (default 1)\n"
	      "  --print        --exec: print it instead\n", stderr);
	exit(2);
}

static void parse_options(int argc, char **argv)
{
	static const struct option options[] = {
		{ "seed", 1, NULL, 's' }, { "seconds", 1, NULL, 't' },
		{ "results", 1, NULL, 'd' }, { "scenes", 1, NULL, 'j' },
		{ "exec", 1, NULL, 'n' }, { "replay", 1, NULL, 'f' },
		{ "repeat", 1, NULL, 'r' }, { "print", 0, NULL, 'p' }, { }
	};
	int o;

	while ((o = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (o) {
		case 's':
			opt.seed = strtoull(optarg, NULL, 0);
			break;
		case 't':
			opt.seconds = strtoull(optarg, NULL, 0);
			break;
		case 'd':
			opt.results = optarg;
			break;
		case 'j':
			opt.scenes = optarg;
			break;
		case 'n':
			opt.exec = strtoull(optarg, NULL, 0);
			break;
		case 'f':
			opt.replay = optarg;
			break;
		case 'r':
			opt.repeat = strtoull(optarg, NULL, 0);
			break;
		case 'p':
			opt.print = true;
			break;
		default:
			usage();
		}
	}
	if (optind != argc)
		usage();
}

/* Faults that calls ask for, also in allocations that may sleep; no message for each. */
static void allow_faults(void)
{
	static const char * const kinds[] = { "failslab", "fail_page_alloc", "fail_usercopy" };
	char path[96];
	u32 i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		snprintf(path, sizeof(path), "/sys/kernel/debug/%s/verbose", kinds[i]);
		vst_write_file(path, "0");
		snprintf(path, sizeof(path), "/sys/kernel/debug/%s/ignore-gfp-wait", kinds[i]);
		vst_write_file(path, "N");
	}
	vst_write_file("/sys/kernel/debug/fail_page_alloc/min-order", "0");
}

int main(int argc, char **argv)
{
	bool again;
	int ret;

	parse_options(argc, argv);
	again = opt.replay || opt.exec != ~0ULL;
	fz_shared = mmap(NULL, sizeof(*fz_shared), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (fz_shared == MAP_FAILED)
		return 2;
	ret = fz_scenes_load(opt.scenes);
	if (ret) {
		fprintf(stderr, "fuzz_ioctl: %s: %s\n", opt.scenes, strerror(-ret));
		return 2;
	}
	signal(SIGPIPE, SIG_IGN);
	if (!opt.print)
		last_fd = result_file(again ? "replayed" : "last", O_RDWR | O_CREAT | O_TRUNC);
	if (!again)
		kept_fd = result_file("kept", O_RDWR | O_CREAT | O_TRUNC);
	kmsg = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	lseek(kmsg, 0, SEEK_END);
	allow_faults();
	fz_throttle_init();
	fz_find_nodes();
	if (!fz_shared->nnodes && !opt.print) {
		fputs("fuzz_ioctl: no vshader render node\n", stderr);
		return 2;
	}
	return again ? replay() : fuzz();
}
