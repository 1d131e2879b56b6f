// SPDX-License-Identifier: MIT
/*
 * Log, findings and failures of a GPU: printed on the host, and in a page of registers for the
 * guest.
 */
#include <time.h>
#include <unistd.h>

#include "qemu_gpu.h"

int qemu_ctl_fd = STDERR_FILENO;

void qemu_ctl_init(struct qemu_gpu *g)
{
	pthread_mutex_init(&g->ctl.lock, NULL);
}

static u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

void qemu_ctl_log(struct qemu_gpu *g, enum qemu_event event, u32 offset, u32 value)
{
	struct qemu_ctl *c = &g->ctl;
	struct qemu_entry *e;
	u64 ns = now_ns();

	pthread_mutex_lock(&c->lock);
	e = c->nlog ? &c->log[(c->nlog - 1) % QEMU_LOG] : NULL;
	if (e && e->event == event && e->offset == offset && e->value == value) {
		e->times++;
	} else {
		if (e)
			ns = max(ns, e->ns + 1);
		c->log[c->nlog++ % QEMU_LOG] = (struct qemu_entry){
			.ns = ns, .offset = offset, .value = value, .times = 1,
			.event = event,
		};
	}
	pthread_mutex_unlock(&c->lock);
}

void qemu_ctl_report(struct qemu_gpu *g, u32 reg, u32 value, const char *text)
{
	struct qemu_ctl *c = &g->ctl;
	char name[40];

	vs_model_reg_name(g->model, reg, name, sizeof(name));
	dprintf(qemu_ctl_fd, "vshader: finding: %s: %s 0x%08x %s\n", g->desc.gpu, name, value,
		text);
	pthread_mutex_lock(&c->lock);
	if (c->nfindings < QEMU_FINDINGS)
		snprintf(c->findings[c->nfindings], QEMU_TEXT, "%s 0x%08x %s", name, value, text);
	c->nfindings++;
	pthread_mutex_unlock(&c->lock);
}

/* ---- texts: as the files of the host User-Mode-Linux ---- */

static void put_findings(FILE *f, struct qemu_ctl *c)
{
	u32 i;

	fprintf(f, "%u\n", c->nfindings);
	for (i = 0; i < min_t(u32, c->nfindings, QEMU_FINDINGS); i++)
		fprintf(f, "%s\n", c->findings[i]);
}

static void put_entry(FILE *f, struct qemu_gpu *g, const struct qemu_entry *e)
{
	char name[40];

	fprintf(f, "%10llu.%03u ", (unsigned long long)(e->ns / 1000),
		(unsigned int)(e->ns % 1000));
	if (e->event == QEMU_IRQ)
		fprintf(f, "interrupt %u %s", e->offset, e->value ? "on" : "off");
	else
		fprintf(f, "%c %-24s 0x%08x", e->event == QEMU_READ ? 'R' : 'W',
			vs_model_reg_name(g->model, e->offset, name, sizeof(name)), e->value);
	if (e->times > 1)
		fprintf(f, " x%u", e->times);
	fputc('\n', f);
}

static void put_log(FILE *f, struct qemu_gpu *g, u32 entries)
{
	struct qemu_ctl *c = &g->ctl;
	u64 i, n = min_t(u64, c->nlog, min_t(u32, entries, QEMU_LOG));

	for (i = c->nlog - n; i < c->nlog; i++)
		put_entry(f, g, &c->log[i % QEMU_LOG]);
}

static void open_text(struct qemu_gpu *g, u32 entries)
{
	struct qemu_ctl *c = &g->ctl;
	FILE *f;

	free(c->text);
	c->text = NULL;
	c->at = 0;
	c->len = 0;
	f = open_memstream(&c->text, &c->len);
	if (!f)
		return;
	if (entries)
		put_log(f, g, entries);
	else
		put_findings(f, c);
	fclose(f);
}

static u32 next_text(struct qemu_ctl *c)
{
	u32 i, word = 0;

	for (i = 0; i < 4 && c->text && c->at < c->len; i++)
		word |= (u32)(u8)c->text[c->at++] << 8 * i;
	return word;
}

/* Without the lock: the model may report. */
static bool inject(struct qemu_gpu *g, const char *text)
{
	u32 count = 1;
	char name[32];

	return sscanf(text, "%31s %u", name, &count) >= 1 && vs_model_inject(g->model, name, count);
}

/* ---- registers ---- */

static u64 ctl_read(void *opaque, u64 offset, unsigned int size)
{
	struct qemu_gpu *g = opaque;
	struct qemu_ctl *c = &g->ctl;
	u32 v = 0;

	pthread_mutex_lock(&c->lock);
	switch (offset) {
	case QEMU_CTL_ID:
		v = QEMU_CTL_MAGIC;
		break;
	case QEMU_CTL_FINDINGS:
		v = c->nfindings;
		break;
	case QEMU_CTL_TEXT:
		v = next_text(c);
		break;
	case QEMU_CTL_INJECT:
		v = c->refused;
		break;
	}
	pthread_mutex_unlock(&c->lock);
	return v;
}

static void ctl_write(void *opaque, u64 offset, u64 value, unsigned int size)
{
	struct qemu_gpu *g = opaque;
	struct qemu_ctl *c = &g->ctl;
	char text[sizeof(c->put)] = "";

	pthread_mutex_lock(&c->lock);
	switch (offset) {
	case QEMU_CTL_OPEN:
		open_text(g, (u32)value);
		break;
	case QEMU_CTL_PUT:
		if (c->nput < sizeof(c->put) - 1)
			c->put[c->nput++] = (char)value;
		break;
	case QEMU_CTL_INJECT:
		memcpy(text, c->put, c->nput);
		c->nput = 0;
		break;
	}
	pthread_mutex_unlock(&c->lock);
	if (offset == QEMU_CTL_INJECT)
		c->refused = !inject(g, text);
}

/* Of 32 bits only. */
const struct qemu_region_ops qemu_ctl_ops = {
	.read = ctl_read, .write = ctl_write, .endianness = QEMU_LITTLE_ENDIAN,
	.valid = { 4, 4, false }, .impl = { 4, 4, false },
};
