// SPDX-License-Identifier: MIT
/*
 * The allocators /dev/vcsm and /dev/vcsm-cma, for libvcsm and programs that call them directly.
 * Layouts and numbers of the calls are those of the Raspberry Pi's kernel (vmcs_sm_ioctl.h,
 * vc_sm_cma_ioctl.h). Memory is coherent, cache operations do nothing.
 *
 * A block of /dev/vcsm lives until it is freed or its device file is closed. A block of
 * /dev/vcsm-cma is a descriptor and lives until that is closed and all mappings are gone.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core.h"
#include "vcsm.h"

#define HANDLE_SHIFT	12	/* handles are offsets of pages */
#define NAME_BYTES	32
#define CMD_FIRST	0x5a

/* Numbers in order from CMD_FIRST. */
enum sm_cmd {
	SM_ALLOC, SM_ALLOC_SHARE, SM_LOCK, SM_LOCK_CACHE, SM_UNLOCK, SM_RESIZE, SM_UNMAP, SM_FREE,
	SM_FLUSH, SM_INVALID, SM_SIZE, SM_CHECK, SM_USR_HANDLE, SM_USR_ADDRESS, SM_VC_HDL_OF_ADDR,
	SM_VC_HDL_OF_HDL, SM_VC_ADDR, SM_VC_WALK, SM_HOST_WALK, SM_PID_ALLOC, SM_PID_MAP,
	SM_CLEAN_INVALID, SM_CLEAN_INVALID2,
};

enum cma_cmd { CMA_ALLOC, CMA_IMPORT, CMA_CLEAN_INVALID2 };

struct sm_alloc {
	uint32_t size;
	uint32_t num;
	uint32_t cached;
	char name[NAME_BYTES];
	uint32_t handle;
};

/* SM_LOCK, SM_UNLOCK, SM_LOCK_CACHE: @value is the address, or the cache type */
struct sm_lock {
	uint32_t handle;
	uint32_t value;
};

struct sm_free {
	uint32_t handle;
};

struct sm_size {
	uint32_t handle;
	uint32_t size;
};

struct sm_check {
	uint32_t handle;
	uint32_t addr;
	uint32_t size;
	uint32_t cached;
};

struct sm_map {
	uint32_t pid;
	uint32_t handle;
	uint32_t addr;
	uint32_t size;
};

struct sm_cache {
	uint32_t handle;
	uint32_t addr;
	uint32_t size;
};

struct cma_alloc {
	uint32_t size;
	uint32_t num;
	uint32_t cached;
	uint32_t pad;
	uint8_t name[NAME_BYTES];
	int32_t handle;
	uint32_t vc_handle;
	uint64_t dma_addr;
};

/**
 * struct map - mapping of a block
 * @next: the next one
 * @addr: its start
 */
struct map {
	struct map *next;
	void *addr;
};

/**
 * struct block - allocation
 * @next: the next one
 * @memory: handle of the mailbox
 * @size: bytes
 * @cached: cache type as given
 * @device: descriptor of /dev/vcsm that it was allocated with; -1: of /dev/vcsm-cma
 * @buffer: of /dev/vcsm-cma: its descriptor, -1 once that is closed
 * @maps: its mappings, the last one first
 */
struct block {
	struct block *next;
	uint32_t memory;
	uint32_t size;
	uint32_t cached;
	int device;
	int buffer;
	struct map *maps;
};

/* Not held in calls of the mailbox: these call close() and munmap(), which take it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct block *blocks;

/* ---- blocks; static functions with the lock ---- */

static struct block *find_handle(uint32_t handle)
{
	struct block *b;

	for (b = blocks; b; b = b->next) {
		if (b->device >= 0 && b->memory << HANDLE_SHIFT == handle)
			return b;
	}
	return NULL;
}

static struct block *find_buffer(int fd)
{
	struct block *b;

	for (b = blocks; b; b = b->next) {
		if (fd >= 0 && b->buffer == fd)
			return b;
	}
	return NULL;
}

static struct block *find_addr(uint32_t addr)
{
	struct block *b;

	for (b = blocks; b; b = b->next) {
		if (addr && b->device >= 0 && b->maps && (uintptr_t)b->maps->addr == addr)
			return b;
	}
	return NULL;
}

static void unlink_block(struct block *b)
{
	struct block **p;

	for (p = &blocks; *p != b; p = &(*p)->next)
		;
	*p = b->next;
}

/* Take the first block that @dead applies to off the list. */
static struct block *take(bool (*dead)(const struct block *b, int fd), int fd)
{
	struct block *b;

	pthread_mutex_lock(&lock);
	for (b = blocks; b && !dead(b, fd); b = b->next)
		;
	if (b)
		unlink_block(b);
	pthread_mutex_unlock(&lock);
	return b;
}

/* Without the lock, off the list. */
static void destroy(struct block *b)
{
	struct map *m;

	while ((m = b->maps)) {
		b->maps = m->next;
		free(m);
	}
	mbox_free(b->memory);
	free(b);
}

static bool is_unused(const struct block *b, int fd)
{
	return b->device < 0 && b->buffer < 0 && !b->maps;
}

static bool is_of_device(const struct block *b, int fd)
{
	return b->device == fd;
}

/* Return: block that is not on the list yet, or NULL with errno. */
static struct block *allocate(uint32_t size, uint32_t num, uint32_t cached)
{
	uint64_t bytes = (uint64_t)size * (num ? num : 1);
	struct block *b;

	if (!bytes || bytes > UINT32_MAX) {
		errno = EINVAL;
		return NULL;
	}
	b = calloc(1, sizeof(*b));
	if (b)
		b->memory = mbox_alloc((uint32_t)bytes, 1u << HANDLE_SHIFT);
	if (!b || !b->memory) {
		free(b);
		errno = ENOMEM;
		return NULL;
	}
	b->size = (uint32_t)bytes;
	b->cached = cached;
	b->device = -1;
	b->buffer = -1;
	return b;
}

static void add(struct block *b)
{
	pthread_mutex_lock(&lock);
	b->next = blocks;
	blocks = b;
	pthread_mutex_unlock(&lock);
}

/* ---- /dev/vcsm ---- */

static int sm_alloc(int fd, struct sm_alloc *a)
{
	struct block *b = allocate(a->size, a->num, a->cached);

	if (!b)
		return -1;
	b->device = fd;
	a->handle = b->memory << HANDLE_SHIFT;
	add(b);
	return 0;
}

static int sm_free(const struct sm_free *a)
{
	struct block *b;

	pthread_mutex_lock(&lock);
	b = find_handle(a->handle);
	if (b)
		unlink_block(b);
	pthread_mutex_unlock(&lock);
	if (b)
		destroy(b);
	return b ? 0 : -1;
}

static uint32_t address(const struct block *b)
{
	return b->maps ? (uint32_t)(uintptr_t)b->maps->addr : 0;
}

/* SM_USR_HANDLE to SM_VC_ADDR. With the lock. Return: mailbox handle whose address is missing. */
static uint32_t fill_map(enum sm_cmd cmd, const struct block *b, struct sm_map *a)
{
	switch (cmd) {
	case SM_USR_HANDLE:
		a->handle = b->memory << HANDLE_SHIFT;
		a->size = b->size;
		return 0;
	case SM_USR_ADDRESS:
		a->addr = address(b);
		a->size = b->size;
		return 0;
	case SM_VC_HDL_OF_ADDR:
	case SM_VC_HDL_OF_HDL:
		a->handle = b->memory;
		return 0;
	default:
		return b->memory;
	}
}

static int sm_map(enum sm_cmd cmd, struct sm_map *a)
{
	bool by_addr = cmd == SM_USR_HANDLE || cmd == SM_VC_HDL_OF_ADDR;
	uint32_t memory = 0;
	struct block *b;

	pthread_mutex_lock(&lock);
	b = by_addr ? find_addr(a->addr) : find_handle(a->handle);
	if (b)
		memory = fill_map(cmd, b, a);
	pthread_mutex_unlock(&lock);
	if (memory)
		a->addr = mbox_address(memory);
	return b ? 0 : -1;
}

/* Calls that need nothing but the block. @arg begins with its handle. */
static int sm_block(enum sm_cmd cmd, uint32_t *arg)
{
	struct block *b;

	pthread_mutex_lock(&lock);
	b = find_handle(arg[0]);
	if (b && cmd == SM_LOCK)
		((struct sm_lock *)arg)->value = address(b);
	if (b && cmd == SM_SIZE)
		((struct sm_size *)arg)->size = b->size;
	if (b && cmd == SM_CHECK)
		*(struct sm_check *)arg = (struct sm_check){
			arg[0], address(b), b->size, b->cached,
		};
	pthread_mutex_unlock(&lock);
	return b ? 0 : -1;
}

static const uint8_t sm_sizes[] = {
	[SM_ALLOC] = sizeof(struct sm_alloc), [SM_LOCK] = sizeof(struct sm_lock),
	[SM_LOCK_CACHE] = sizeof(struct sm_lock), [SM_UNLOCK] = sizeof(struct sm_lock),
	[SM_FREE] = sizeof(struct sm_free), [SM_FLUSH] = sizeof(struct sm_cache),
	[SM_INVALID] = sizeof(struct sm_cache), [SM_SIZE] = sizeof(struct sm_size),
	[SM_CHECK] = sizeof(struct sm_check), [SM_USR_HANDLE] = sizeof(struct sm_map),
	[SM_USR_ADDRESS] = sizeof(struct sm_map), [SM_VC_HDL_OF_ADDR] = sizeof(struct sm_map),
	[SM_VC_HDL_OF_HDL] = sizeof(struct sm_map), [SM_VC_ADDR] = sizeof(struct sm_map),
};

static int unsupported(const char *file, unsigned int nr)
{
	mbox_say("%s: call %#x is not supported", file, nr);
	errno = ENOTTY;
	return -1;
}

int vcsm_ioctl(int fd, unsigned long request, void *arg)
{
	unsigned int nr = _IOC_NR(request), cmd = nr - CMD_FIRST;
	int ret;

	if (_IOC_TYPE(request) != 'I')
		return unsupported("/dev/vcsm", nr);
	/* Their sizes differ between versions, and there is nothing to do. */
	if (cmd == SM_CLEAN_INVALID || cmd == SM_CLEAN_INVALID2)
		return 0;
	if (cmd > SM_VC_ADDR || !sm_sizes[cmd])
		return unsupported("/dev/vcsm", nr);
	errno = EINVAL;
	if (_IOC_SIZE(request) != sm_sizes[cmd])
		return -1;
	if (!arg) {
		errno = EFAULT;
		return -1;
	}
	if (cmd == SM_ALLOC)
		return sm_alloc(fd, arg);
	if (cmd == SM_FREE)
		ret = sm_free(arg);
	else if (cmd >= SM_USR_HANDLE)
		ret = sm_map((enum sm_cmd)cmd, arg);
	else
		ret = sm_block((enum sm_cmd)cmd, arg);
	if (ret) {
		mbox_say("/dev/vcsm: call %#x: no such memory", nr);
		errno = EINVAL;
	}
	return ret;
}

int vcsm_export(uint64_t handle, size_t size)
{
	uint32_t memory = 0;
	uint64_t offset;
	struct block *b;

	pthread_mutex_lock(&lock);
	b = handle <= UINT32_MAX ? find_handle((uint32_t)handle) : NULL;
	if (b)
		memory = b->memory;
	pthread_mutex_unlock(&lock);
	return memory ? mbox_export(mbox_address(memory), size, &offset) : -1;
}

/* ---- /dev/vcsm-cma ---- */

static int cma_alloc(struct cma_alloc *a)
{
	struct block *b = allocate(a->size, a->num, a->cached);
	uint64_t offset;

	if (!b)
		return -1;
	a->vc_handle = b->memory;
	a->dma_addr = mbox_address(b->memory);
	b->buffer = mbox_export((uint32_t)a->dma_addr, b->size, &offset);
	if (b->buffer < 0) {
		destroy(b);
		errno = ENOMEM;
		return -1;
	}
	a->handle = b->buffer;
	add(b);
	return 0;
}

int vcsm_cma_ioctl(unsigned long request, void *arg)
{
	unsigned int cmd = _IOC_NR(request) - CMD_FIRST;

	if (_IOC_TYPE(request) == 'J' && cmd == CMA_CLEAN_INVALID2)
		return 0;
	if (_IOC_TYPE(request) != 'J' || cmd != CMA_ALLOC)
		return unsupported("/dev/vcsm-cma", _IOC_NR(request));
	if (_IOC_SIZE(request) != sizeof(struct cma_alloc) || !arg) {
		errno = arg ? EINVAL : EFAULT;
		return -1;
	}
	return cma_alloc(arg);
}

bool vcsm_is_buffer(int fd)
{
	bool found;

	pthread_mutex_lock(&lock);
	found = find_buffer(fd);
	pthread_mutex_unlock(&lock);
	return found;
}

/* ---- mappings and descriptors ---- */

void vcsm_mapped(uint32_t handle, int buffer, void *addr)
{
	struct map *m = calloc(1, sizeof(*m));
	struct block *b;

	if (!m)
		return;
	pthread_mutex_lock(&lock);
	b = handle ? find_handle(handle) : find_buffer(buffer);
	if (b) {
		m->addr = addr;
		m->next = b->maps;
		b->maps = m;
	}
	pthread_mutex_unlock(&lock);
	if (!b)
		free(m);
}

static struct map *take_map(const void *addr)
{
	struct map **p, *m;
	struct block *b;

	for (b = blocks; b; b = b->next) {
		for (p = &b->maps; *p; p = &(*p)->next) {
			m = *p;
			if (m->addr != addr)
				continue;
			*p = m->next;
			return m;
		}
	}
	return NULL;
}

static void destroy_all(bool (*dead)(const struct block *b, int fd), int fd)
{
	struct block *b;

	while ((b = take(dead, fd)))
		destroy(b);
}

void vcsm_unmapped(const void *addr)
{
	struct map *m;

	pthread_mutex_lock(&lock);
	m = take_map(addr);
	pthread_mutex_unlock(&lock);
	if (!m)
		return;
	free(m);
	destroy_all(is_unused, -1);
}

void vcsm_closed(int fd)
{
	struct block *b;

	if (fd < 0)
		return;
	pthread_mutex_lock(&lock);
	b = find_buffer(fd);
	if (b)
		b->buffer = -1;
	pthread_mutex_unlock(&lock);
	if (b)
		destroy_all(is_unused, -1);
	destroy_all(is_of_device, fd);
}
