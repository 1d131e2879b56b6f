// SPDX-License-Identifier: MIT
/*
 * The firmware's services for QPU programs: memory at bus addresses, and jobs. One device
 * per process.
 */
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "core.h"
#include "vshader.h"

#define PAGE		4096u
#define FIRST_BUS	MBOX_MEMORY
#define LAST_BUS	MBOX_PERIPHERALS
#define NUM_QPUS	12

/* Programs for the first Raspberry Pi add this to bus addresses before they map them. */
#define OLD_OFFSET	0x20000000u

/**
 * struct memory - an allocation
 * @next: the next one, by address
 * @handle: handle, 0 once it is freed
 * @bus: bus address
 * @size: bytes, whole pages
 * @bo: buffer
 * @ptr: where it is in the process, or NULL
 * @maps: mappings handed out
 */
struct memory {
	struct memory *next;
	uint32_t handle;
	uint32_t bus;
	uint32_t size;
	struct vshader_bo *bo;
	uint8_t *ptr;
	uint32_t maps;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct vshader_device *device;
static uint32_t vm;
static uint32_t queue;
static uint32_t queue_time;
static uint32_t max_time;
static uint32_t last_handle;
static struct memory *memories;
static unsigned int strict_jobs;
static unsigned int strict_failed;

void mbox_say(const char *fmt, ...)
{
	va_list ap;

	if (getenv("VSHADER_MAILBOX_QUIET"))
		return;
	fputs("vshader_mailbox: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

/* ---- device; all with the lock ---- */

static bool open_device(void)
{
	const char *spec = getenv("VSHADER_DEVICE");
	struct drm_vshader_limits limits;
	int ret;

	ret = vshader_open(spec && *spec ? spec : "auto", &device);
	if (ret) {
		mbox_say("%s", vshader_error());
		device = NULL;
		return false;
	}
	ret = vshader_get_limits(device, &limits);
	if (!ret)
		ret = vshader_vm_create(device, 0, 0, &vm);
	if (ret) {
		mbox_say("%s", vshader_error());
		vshader_close(device);
		device = NULL;
		return false;
	}
	max_time = limits.max_time_ms;
	return true;
}

static bool start(void)
{
	return device || open_device();
}

bool mbox_start(void)
{
	bool ok;

	pthread_mutex_lock(&lock);
	ok = start();
	pthread_mutex_unlock(&lock);
	return ok;
}

/* ---- memory; static functions with the lock ---- */

static struct memory *find_handle(uint32_t handle)
{
	struct memory *m;

	for (m = memories; m; m = m->next) {
		if (handle && m->handle == handle)
			return m;
	}
	return NULL;
}

static struct memory *find_range(uint32_t bus, uint64_t size)
{
	struct memory *m;

	for (m = memories; m; m = m->next) {
		if (m->handle && bus >= m->bus && bus - m->bus < m->size &&
		    size <= m->size - (bus - m->bus))
			return m;
	}
	return NULL;
}

static struct memory *find_bus(uint32_t *bus, uint64_t size)
{
	struct memory *m;

	*bus &= MBOX_BUS_MASK;
	m = find_range(*bus, size);
	if (m || *bus < OLD_OFFSET)
		return m;
	m = find_range(*bus - OLD_OFFSET, size);
	if (m)
		*bus -= OLD_OFFSET;
	return m;
}

/* The first gap that is large enough. Return: link where to put it, or NULL. */
static struct memory **find_gap(uint32_t size, uint32_t align, uint32_t *bus)
{
	uint64_t at = FIRST_BUS;
	struct memory **p;

	for (p = &memories;; p = &(*p)->next) {
		at = (at + align - 1) & ~(uint64_t)(align - 1);
		if (at + size > (*p ? (*p)->bus : LAST_BUS)) {
			if (!*p)
				return NULL;
			at = (uint64_t)(*p)->bus + (*p)->size;
			continue;
		}
		*bus = (uint32_t)at;
		return p;
	}
}

static void destroy(struct memory *m)
{
	struct memory **p;

	for (p = &memories; *p != m; p = &(*p)->next)
		;
	*p = m->next;
	vshader_vm_unmap(device, vm, m->bus, m->size);
	vshader_bo_destroy(m->bo);
	free(m);
}

static int create_bo(struct memory *m)
{
	uint64_t va = m->bus;
	int ret = vshader_bo_create(device, m->size, 0, 0, &m->bo);

	if (ret)
		return ret;
	ret = vshader_vm_map(device, vm, m->bo, 0, &va);
	if (ret)
		vshader_bo_destroy(m->bo);
	return ret;
}

static uint32_t allocate(uint32_t size, uint32_t align)
{
	struct memory **p, *m;

	if (!size || size > LAST_BUS - FIRST_BUS || align & (align - 1)) {
		mbox_say("cannot allocate %u bytes aligned to %u", size, align);
		return 0;
	}
	size = (size + PAGE - 1) & ~(PAGE - 1);
	m = calloc(1, sizeof(*m));
	if (!m)
		return 0;
	m->size = size;
	p = find_gap(size, align < PAGE ? PAGE : align, &m->bus);
	if (!p || create_bo(m)) {
		mbox_say("cannot allocate %u bytes: %s", size, p ? vshader_error() :
			 "no free range of bus addresses");
		free(m);
		return 0;
	}
	m->handle = ++last_handle;
	m->next = *p;
	*p = m;
	return m->handle;
}

uint32_t mbox_alloc(uint32_t size, uint32_t align)
{
	uint32_t handle;

	pthread_mutex_lock(&lock);
	handle = start() ? allocate(size, align) : 0;
	pthread_mutex_unlock(&lock);
	return handle;
}

bool mbox_free(uint32_t handle)
{
	struct memory *m;

	pthread_mutex_lock(&lock);
	m = find_handle(handle);
	if (m) {
		m->handle = 0;
		if (!m->maps)
			destroy(m);
	}
	pthread_mutex_unlock(&lock);
	return m;
}

uint32_t mbox_address(uint32_t handle)
{
	struct memory *m;
	uint32_t bus;

	pthread_mutex_lock(&lock);
	m = find_handle(handle);
	bus = m ? m->bus : 0;
	pthread_mutex_unlock(&lock);
	return bus;
}

bool mbox_has(uint32_t bus)
{
	bool has;

	pthread_mutex_lock(&lock);
	has = find_bus(&bus, 1);
	pthread_mutex_unlock(&lock);
	return has;
}

void *mbox_map(uint32_t bus, uint32_t size)
{
	uint8_t *p = NULL;
	struct memory *m;
	void *ptr;

	pthread_mutex_lock(&lock);
	m = find_bus(&bus, size);
	if (m && !m->ptr && !vshader_bo_map(m->bo, &ptr))
		m->ptr = ptr;
	if (m && m->ptr) {
		m->maps++;
		p = m->ptr + (bus - m->bus);
	}
	pthread_mutex_unlock(&lock);
	if (!p)
		mbox_say("no memory at bus address %#x with %u bytes", bus, size);
	return p;
}

bool mbox_unmap(const void *addr)
{
	const uint8_t *p = addr;
	struct memory *m;

	pthread_mutex_lock(&lock);
	for (m = memories; m; m = m->next) {
		if (m->maps && p >= m->ptr && p < m->ptr + m->size)
			break;
	}
	if (m && !--m->maps && !m->handle)
		destroy(m);
	pthread_mutex_unlock(&lock);
	return m;
}

/* Memory of the process from a bus address on, and how much. Return: NULL: none. With the lock. */
static const uint8_t *memory_at(uint32_t bus, uint32_t *left)
{
	struct memory *m = find_bus(&bus, 1);
	void *ptr;

	*left = 0;
	if (!m || (!m->ptr && vshader_bo_map(m->bo, &ptr)))
		return NULL;
	if (!m->ptr)
		m->ptr = ptr;
	*left = m->size - (bus - m->bus);
	return m->ptr + (bus - m->bus);
}

const uint8_t *mbox_bytes(uint32_t bus, uint32_t *left)
{
	const uint8_t *p;

	pthread_mutex_lock(&lock);
	p = memory_at(bus, left);
	pthread_mutex_unlock(&lock);
	return p;
}

int mbox_export(uint32_t bus, size_t size, uint64_t *offset)
{
	struct memory *m;
	int fd = -1;

	pthread_mutex_lock(&lock);
	m = find_bus(&bus, size);
	if (m && vshader_bo_export(m->bo, &fd))
		fd = -1;
	if (m)
		*offset = bus - m->bus;
	pthread_mutex_unlock(&lock);
	return fd;
}

/* ---- jobs; static functions with the lock ---- */

/* How long a job may take. Return: milliseconds, or 0 if what the user says is nonsense. */
static uint32_t job_time(uint32_t timeout_ms)
{
	const char *text = getenv("VSHADER_MAILBOX_TIMEOUT");
	unsigned long ms;
	char *end;

	if (!text || !*text)
		return max_time;
	if (!strcmp(text, "strict"))
		return timeout_ms && timeout_ms < max_time ? timeout_ms : max_time;
	ms = strtoul(text, &end, 10);
	if (*text < '1' || *text > '9' || *end) {
		mbox_say("VSHADER_MAILBOX_TIMEOUT=%s: neither \"strict\" nor milliseconds", text);
		return 0;
	}
	return ms < max_time ? (uint32_t)ms : max_time;
}

static int get_queue(uint32_t time_limit_ms)
{
	struct vshader_queue_params params = {
		.engine = DRM_VSHADER_ENGINE_QPU,
		.vm = vm,
		.time_limit_ms = time_limit_ms,
	};
	int ret;

	if (queue && queue_time == params.time_limit_ms)
		return 0;
	if (queue)
		vshader_queue_destroy(device, queue);
	queue = 0;
	ret = vshader_queue_create(device, &params, &queue);
	queue_time = params.time_limit_ms;
	return ret;
}

#define STRICT_LINT	0x80000000u	/* no switch of jobs */

static const struct {
	const char *name;
	uint32_t bit;
} strict_names[] = {
	{ "hazards", DRM_VSHADER_QPU_STRICT_HAZARDS },
	{ "tmu", DRM_VSHADER_QPU_STRICT_TMU },
	{ "lint", STRICT_LINT },
};

#define NUM_STRICT	(sizeof(strict_names) / sizeof(strict_names[0]))

static uint32_t strict_bit(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < NUM_STRICT; i++) {
		if (strlen(strict_names[i].name) == len && !memcmp(strict_names[i].name, name, len))
			return strict_names[i].bit;
	}
	return 0;
}

/* Findings that the user wants as faults. Return: success. */
static bool strict_switches(uint32_t *switches)
{
	const char *text = getenv("VSHADER_MAILBOX_STRICT");
	uint32_t bit;
	size_t len;

	*switches = 0;
	while (text && *text) {
		len = strcspn(text, ",");
		bit = strict_bit(text, len);
		if (!bit) {
			mbox_say("VSHADER_MAILBOX_STRICT: %.*s is none of hazards, tmu, lint",
				 (int)len, text);
			return false;
		}
		*switches |= bit;
		text += len;
		if (*text)
			text++;
	}
	return true;
}

static void report_strict(void)
{
	mbox_say("strict: %u of %u jobs failed", strict_failed, strict_jobs);
}

static void count_strict(bool failed)
{
	if (!strict_jobs++)
		atexit(report_strict);
	strict_failed += failed;
}

static const uint32_t *code_words(uint32_t bus, uint32_t *num)
{
	const void *p;

	if (bus % 4)
		return NULL;
	p = memory_at(bus, num);
	*num /= 4;
	return p;
}

static void lint_list(uint32_t num, uint32_t control)
{
	uint32_t i, words, count = 0;
	const uint32_t *pairs = code_words(control, &words), *code;

	for (i = 0; pairs && i < num && i < words / 2; i++) {
		code = code_words(pairs[2 * i + 1], &count);
		if (code)
			check_code(pairs[2 * i + 1], code, count);
	}
}

/*
 * Report the error; a banned queue is not used again. A bin list that needs more memory is no
 * error.
 */
static uint32_t check_queue(uint32_t format, struct drm_vshader_fault *fault)
{
	struct drm_vshader_queue_get_state state = { };
	struct drm_vshader_qpu_state qpus[NUM_QPUS];
	char text[4096];
	int n;

	if (vshader_queue_get_state(device, queue, &state)) {
		mbox_say("%s", vshader_error());
		return MBOX_FAILED;
	}
	if (!state.state)
		return 0;
	*fault = state.fault;
	if (format == DRM_VSHADER_NATIVE_VC4_BIN && fault->kind == DRM_VSHADER_FAULT_OVERFLOW)
		goto destroy;
	mbox_say("QPU job failed: %s", vshader_fault_text(&state.fault, text, sizeof(text)));
	n = vshader_queue_get_qpus(device, queue, qpus, NUM_QPUS);
	if (n > 0 && *vshader_qpus_text(qpus, n < NUM_QPUS ? (unsigned int)n : NUM_QPUS, text,
					sizeof(text)))
		mbox_say("%s", text);
destroy:
	vshader_queue_destroy(device, queue);
	queue = 0;
	return MBOX_FAILED;
}

/* @fault: unchanged if the job cannot be submitted */
static uint32_t execute(const struct drm_vshader_native_job *list, struct drm_vshader_fault *fault)
{
	const struct drm_vshader_job job = {
		.queue_id = queue,
		.type = DRM_VSHADER_JOB_NATIVE,
		.desc = (uintptr_t)list,
		.desc_size = sizeof(*list),
	};

	if (vshader_submit_wait(device, &job, VSHADER_WAIT_FOREVER)) {
		mbox_say("%s", vshader_error());
		return MBOX_FAILED;
	}
	return check_queue(list->format, fault);
}

uint32_t mbox_execute(uint32_t num, uint32_t control, uint32_t timeout_ms)
{
	struct drm_vshader_native_job list = {
		.format = DRM_VSHADER_NATIVE_QPU_LIST,
		.va = control & MBOX_BUS_MASK,
		.size = 8ull * num,
	};
	uint32_t ret = MBOX_FAILED, time, switches;
	struct drm_vshader_fault fault;

	if (!num)
		return 0;
	pthread_mutex_lock(&lock);
	time = start() ? job_time(timeout_ms) : 0;
	if (time && strict_switches(&switches)) {
		if (switches & STRICT_LINT)
			lint_list(num, control);
		switches &= ~STRICT_LINT;
		list.switches = switches;
		if (get_queue(time))
			mbox_say("%s", vshader_error());
		else
			ret = execute(&list, &fault);
		if (switches)
			count_strict(ret);
	}
	pthread_mutex_unlock(&lock);
	return ret;
}

/* Put words into memory of their own. Return: handle or 0. */
static uint32_t put_words(const void *words, uint32_t bytes)
{
	uint32_t handle = mbox_alloc(bytes, PAGE);
	void *p = handle ? mbox_map(mbox_address(handle), bytes) : NULL;

	if (p) {
		memcpy(p, words, bytes);
		mbox_unmap(p);
	}
	return handle;
}

uint32_t mbox_execute_pairs(const struct mbox_pair *pairs, uint32_t num)
{
	uint32_t handle = put_words(pairs, (uint32_t)sizeof(*pairs) * num), ret = MBOX_FAILED;

	if (handle) {
		ret = mbox_execute(num, mbox_address(handle), 0);
		mbox_free(handle);
	}
	return ret;
}

uint32_t mbox_execute_words(uint32_t format, const uint32_t *words, uint32_t num,
			    struct drm_vshader_fault *fault)
{
	struct drm_vshader_native_job list = { .format = format, .size = 4ull * num };
	uint32_t handle = put_words(words, 4 * num), ret = MBOX_FAILED, time;

	memset(fault, 0, sizeof(*fault));
	if (!handle)
		return ret;
	list.va = mbox_address(handle);
	pthread_mutex_lock(&lock);
	time = job_time(0);
	if (time && !get_queue(time))
		ret = execute(&list, fault);
	else if (time)
		mbox_say("%s", vshader_error());
	pthread_mutex_unlock(&lock);
	mbox_free(handle);
	return ret;
}

