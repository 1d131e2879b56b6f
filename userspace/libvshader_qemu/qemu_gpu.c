// SPDX-License-Identifier: MIT
/*
 * A GPU in QEMU: registers, interrupts, memory, and the thread that stands for the hardware.
 * Registers are accessed by virtual CPUs, which hold QEMU's lock; the thread takes it to change
 * the level of an interrupt.
 */
#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "qemu_gpu.h"

#define PAGE		4096ULL
#define WAIT_NS		20000000
#define RESET_NS	10000000000ULL

struct qemu_machine machine = { .ram_fd = -1 };

/* ---- memory ---- */

static void *host_page(void *priv, u64 pa)
{
	u64 at = pa - QEMU_RAM;

	return at < machine.ram_size && machine.ram_size - at >= PAGE ? machine.ram + at : NULL;
}

/* Number of pages from @i on that are one after the other. */
static u32 run_of(const u64 *pa, u32 n, u32 i)
{
	u32 k;

	for (k = 1; i + k < n && pa[i + k] == pa[i] + k * PAGE; k++)
		;
	return k;
}

static void *map_scattered(const u64 *pa, u32 n)
{
	u8 *p = mmap(NULL, n * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	u32 i, k;

	if (p == MAP_FAILED)
		return NULL;
	for (i = 0; i < n; i += k) {
		k = run_of(pa, n, i);
		if (mmap(p + i * PAGE, k * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
			 machine.ram_fd, pa[i] - QEMU_RAM) == MAP_FAILED) {
			munmap(p, n * PAGE);
			return NULL;
		}
	}
	return p;
}

static void *host_map(void *priv, const u64 *pa, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++) {
		if (!host_page(priv, pa[i]))
			return NULL;
	}
	if (run_of(pa, n, 0) == n)
		return host_page(priv, pa[0]);
	return map_scattered(pa, n);
}

static void host_unmap(void *priv, void *p, u32 n)
{
	if ((u8 *)p < machine.ram || (u8 *)p >= machine.ram + machine.ram_size)
		munmap(p, n * PAGE);
}

/* ---- threads ---- */

static void set_flag(struct qemu_gpu *g, bool *flag, bool value)
{
	pthread_mutex_lock(&g->lock);
	*flag = value;
	pthread_cond_broadcast(&g->cond);
	pthread_mutex_unlock(&g->lock);
}

/* With QEMU's lock: the lines as they are now, which may be later than the change. */
static void update_lines(struct qemu_gpu *g)
{
	u32 lines = vs_model_lines(g->model), changed = lines ^ g->level, i;

	g->level = lines;
	for (i = 0; i < VS_MODEL_LINES; i++) {
		if (!(changed >> i & 1) || !g->irq[i])
			continue;
		qemu_ctl_log(g, QEMU_IRQ, i, lines >> i & 1);
		qemu.qemu_set_irq(g->irq[i], lines >> i & 1);
	}
}

static void host_irq(void *priv)
{
	struct qemu_gpu *g = priv;

	if (qemu.bql_locked()) {
		update_lines(g);
		return;
	}
	set_flag(g, &g->blocked, true);
	qemu.bql_lock(__FILE__, __LINE__);
	set_flag(g, &g->blocked, false);
	update_lines(g);
	qemu.bql_unlock();
}

static void host_kick(void *priv)
{
	struct qemu_gpu *g = priv;

	set_flag(g, &g->work, true);
}

static struct timespec deadline(u64 ns)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += ns;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

static void host_wait(void *priv)
{
	struct timespec end = deadline(WAIT_NS);
	struct qemu_gpu *g = priv;

	pthread_mutex_lock(&g->lock);
	if (!g->written)
		pthread_cond_timedwait(&g->cond, &g->lock, &end);
	g->written = false;
	pthread_mutex_unlock(&g->lock);
}

static void host_report(void *priv, u32 reg, u32 value, const char *text)
{
	qemu_ctl_report(priv, reg, value, text);
}

static void *work_main(void *arg)
{
	struct qemu_gpu *g = arg;

	qemu.rcu_register_thread();
	for (;;) {
		pthread_mutex_lock(&g->lock);
		g->busy = false;
		pthread_cond_broadcast(&g->cond);
		while (!g->work)
			pthread_cond_wait(&g->cond, &g->lock);
		g->work = false;
		g->busy = true;
		pthread_mutex_unlock(&g->lock);
		while (vs_model_work(g->model))
			;
	}
	return NULL;
}

/* Signals are for QEMU's threads. */
static bool start_thread(struct qemu_gpu *g)
{
	sigset_t all, was;
	pthread_t thread;
	bool ok;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &was);
	ok = !pthread_create(&thread, NULL, work_main, g);
	pthread_sigmask(SIG_SETMASK, &was, NULL);
	if (ok)
		pthread_detach(thread);
	return ok;
}

/*
 * The machine's reset, with QEMU's lock, while no virtual CPU runs. The worker may still write to
 * memory until the current slice of its job ends: that is awaited.
 */
static void reset_gpu(void *opaque)
{
	struct timespec end = deadline(RESET_NS);
	struct qemu_gpu *g = opaque;
	int ret = 0;

	vs_model_reset(g->model);
	set_flag(g, &g->written, true);
	pthread_mutex_lock(&g->lock);
	while (g->busy && !g->blocked && !ret)
		ret = pthread_cond_timedwait(&g->cond, &g->lock, &end);
	pthread_mutex_unlock(&g->lock);
	update_lines(g);
}

/* ---- registers ---- */

static u64 regs_read(void *opaque, u64 offset, unsigned int size)
{
	struct qemu_gpu *g = opaque;
	u32 v;

	if (size != 4 || offset % 4) {
		qemu_ctl_report(g, offset, 0, "registers are read as 32 bits");
		return ~0ULL;
	}
	v = vs_model_read(g->model, offset);
	qemu_ctl_log(g, QEMU_READ, offset, v);
	return v;
}

static void regs_write(void *opaque, u64 offset, u64 value, unsigned int size)
{
	struct qemu_gpu *g = opaque;

	if (size != 4 || offset % 4) {
		qemu_ctl_report(g, offset, value, "registers are written as 32 bits");
		return;
	}
	qemu_ctl_log(g, QEMU_WRITE, offset, value);
	vs_model_write(g->model, offset, value);
	set_flag(g, &g->written, true);
}

static const struct qemu_region_ops regs_ops = {
	.read = regs_read, .write = regs_write, .endianness = QEMU_LITTLE_ENDIAN,
	.valid = { 1, 8, true }, .impl = { 1, 8, true },
};

/* ---- start ---- */

const char *qemu_gpu_add(const char *name)
{
	static char error[80];
	static u32 spis;
	struct qemu_gpu *g = calloc(1, sizeof(*g));
	u32 i;

	if (!g)
		return "no memory";
	if (!vs_model_find(name, &g->desc)) {
		snprintf(error, sizeof(error), "there is no GPU \"%.40s\"", name);
		free(g);
		return error;
	}
	g->n = machine.ngpus;
	for (i = 0; i < VS_MODEL_LINES; i++) {
		if (g->desc.line[i])
			g->spi[i] = QEMU_FIRST_SPI + spis++;
	}
	if (g->n == QEMU_MAX_GPUS || spis > QEMU_NUM_SPIS) {
		free(g);
		return "too many GPUs";
	}
	machine.gpu[machine.ngpus++] = g;
	return NULL;
}

/* An object is made for its size, which versions differ in; it is initialised a second time. */
static void add_region(struct qemu_gpu *g, const struct qemu_region_ops *ops, u64 base, u64 size)
{
	struct qemu_region *r = (struct qemu_region *)qemu.object_new("memory-region");

	qemu.memory_region_init_io(r, NULL, ops, g, "vshader", size);
	qemu.memory_region_add_subregion_overlap(qemu.get_system_memory(), base, r, 1);
}

/* Through all of QEMU: the layout of the operations, width and byte order. */
static bool check_access(struct qemu_gpu *g)
{
	u32 id = 0;

	qemu.cpu_physical_memory_rw(QEMU_CTL + g->n * QEMU_CTL_SIZE, &id, sizeof(id), false);
	return id == QEMU_CTL_MAGIC;
}

const char *qemu_gpu_start(struct qemu_gpu *g, struct qemu_object *gic)
{
	const struct vs_model_host host = {
		.irq = host_irq, .kick = host_kick, .wait = host_wait, .page = host_page,
		.map = host_map, .unmap = host_unmap, .report = host_report, .priv = g,
	};
	u32 i;

	pthread_mutex_init(&g->lock, NULL);
	pthread_cond_init(&g->cond, NULL);
	qemu_ctl_init(g);
	for (i = 0; i < VS_MODEL_LINES; i++) {
		if (!g->spi[i])
			continue;
		g->irq[i] = qemu.qdev_get_gpio_in(gic, g->spi[i]);
		if (!g->irq[i])
			return "the interrupt controller has too few inputs";
	}
	g->model = vs_model_new(g->desc.gpu, &host);
	if (!g->model)
		return "no memory";
	add_region(g, &regs_ops, QEMU_REGS + g->n * QEMU_REGS_SIZE, g->desc.size);
	add_region(g, &qemu_ctl_ops, QEMU_CTL + g->n * QEMU_CTL_SIZE, QEMU_CTL_SIZE);
	if (!check_access(g))
		return "this QEMU does not reach the registers: another layout than expected";
	if (!start_thread(g))
		return "cannot start a thread";
	qemu.qemu_register_reset(reset_gpu, g);
	return NULL;
}
