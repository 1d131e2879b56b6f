// SPDX-License-Identifier: GPL-2.0
/*
 * Operations: mappings, processes, passed descriptors, signals, buffers of others, files that tell
 * about the device, and its removal.
 */
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <linux/udmabuf.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "ops.h"
#include "touch.h"

/* ---- mappings ---- */

__thread sigjmp_buf fz_touch_env;
__thread int fz_touching;

FZ_OP(unmap)
{
	struct fz_res *m = fz_res(c, FZ_MAP);
	u64 size = fz_chance(c) ? PAGE : m->size;

	if (!m->map)
		return;
	munmap(m->map, size);
	m->map = NULL;
}

FZ_OP(touch)
{
	struct fz_res *m = fz_res(c, FZ_MAP);
	u32 at = fz_byte(c) * PAGE;
	bool write = fz_byte(c) % 2;

	if (!m->map || !m->size || !fz_touch_begin())
		return;
	if (write)
		__atomic_store_n(m->map + at % m->size, (u8)at, __ATOMIC_RELAXED);
	else
		__atomic_load_n(m->map + at % m->size, __ATOMIC_RELAXED);
	fz_touch_end();
}

/* ---- processes and descriptors: "fork" itself is in exec.c ---- */

FZ_OP(kill)
{
	u32 n = c->run->nchild;

	if (n)
		kill(c->run->child[fz_byte(c) % n], SIGKILL);
}

FZ_OP(send)
{
	static const u8 kinds[] = { FZ_DRM, FZ_DMABUF, FZ_FENCE, FZ_DEBUG, FZ_TIMELINE };
	u8 kind = kinds[fz_pick(c, ARRAY_SIZE(kinds))];
	struct fz_res *r = fz_res(c, kind);
	char control[CMSG_SPACE(sizeof(int))] = "";
	struct iovec iov = { .iov_base = &kind, .iov_len = 1 };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *h = CMSG_FIRSTHDR(&msg);

	if (c->run->sock[0] < 0 &&
	    socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, c->run->sock))
		return;
	h->cmsg_level = SOL_SOCKET;
	h->cmsg_type = SCM_RIGHTS;
	h->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(h), &r->fd, sizeof(int));
	if (sendmsg(c->run->sock[0], &msg, MSG_DONTWAIT) < 0 || fz_byte(c) % 2)
		return;
	close(r->fd);
	r->kind = FZ_NONE;
}

FZ_OP(receive)
{
	char control[CMSG_SPACE(sizeof(int))] = "";
	u8 kind = FZ_NONE;
	struct iovec iov = { .iov_base = &kind, .iov_len = 1 };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *h;
	int fd;

	if (c->run->sock[1] < 0 ||
	    recvmsg(c->run->sock[1], &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) < 0)
		return;
	h = CMSG_FIRSTHDR(&msg);
	if (!h || h->cmsg_type != SCM_RIGHTS)
		return;
	memcpy(&fd, CMSG_DATA(h), sizeof(fd));
	fz_add(c, kind, fd, 0);
}

/* A signal soon, for what is interrupted by one. */
FZ_OP(alarm)
{
	struct itimerval t = { .it_value = { .tv_usec = 1 + fz_byte(c) * 16 } };

	setitimer(ITIMER_REAL, &t, NULL);
}

FZ_OP(pause)
{
	u32 n = fz_byte(c);

	usleep(100 + n * n);
}

FZ_OP(poll)
{
	static const u8 kinds[] = { FZ_FENCE, FZ_DEBUG, FZ_DMABUF, FZ_DRM };
	u8 kind = kinds[fz_pick(c, ARRAY_SIZE(kinds))];
	struct pollfd p = { .fd = fz_res(c, kind)->fd, .events = POLLIN | POLLOUT };

	if (fz_byte(c) % 2)
		p.events = POLLIN;
	poll(&p, 1, 2);
}

/* ---- buffers of others ---- */

static int udmabuf(void)
{
	struct udmabuf_create a = { .flags = UDMABUF_FLAGS_CLOEXEC, .size = 4 * PAGE };
	int mem = memfd_create("fz", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	int dev = open("/dev/udmabuf", O_RDWR | O_CLOEXEC);
	int fd = -1;

	a.memfd = mem;
	if (!ftruncate(mem, 4 * PAGE) && !fcntl(mem, F_ADD_SEALS, F_SEAL_SHRINK))
		fd = ioctl(dev, UDMABUF_CREATE, &a);
	if (mem >= 0)
		close(mem);
	if (dev >= 0)
		close(dev);
	return fd;
}

static int heap(void)
{
	struct dma_heap_allocation_data a = { .len = 4 * PAGE, .fd_flags = O_RDWR | O_CLOEXEC };
	int dev = open("/dev/dma_heap/system", O_RDWR | O_CLOEXEC);

	if (dev < 0)
		return -1;
	if (ioctl(dev, DMA_HEAP_IOCTL_ALLOC, &a) < 0)
		a.fd = -1;
	close(dev);
	return a.fd;
}

/* Which is not kept open. */
static int vgem(void)
{
	struct vst_gate g;
	int fd;

	if (vst_gate_new(&g, 4 * PAGE))
		return -1;
	fd = fcntl(g.dmabuf, F_DUPFD_CLOEXEC, 0);
	vst_gate_free(&g);
	return fd;
}

FZ_OP(foreign)
{
	u32 from = fz_byte(c) % 3;
	int fd = from == 0 ? vgem() : from == 1 ? udmabuf() : heap();

	if (fd >= 0)
		fz_add(c, FZ_DMABUF, fd, 0)->size = 4 * PAGE;
}

static void dmabuf_fence(struct fz_ctx *c, int fd, bool import)
{
	struct dma_buf_export_sync_file *a = fz_mem(c, sizeof(*a));

	a->flags = 1 + fz_byte(c) % 3;
	if (import) {
		a->fd = fz_res(c, FZ_FENCE)->fd;
		fz_ioctl(c, fd, DMA_BUF_IOCTL_IMPORT_SYNC_FILE, a);
	} else if (!fz_ioctl(c, fd, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, a)) {
		fz_add(c, FZ_FENCE, a->fd, 0);
	}
}

FZ_OP(dmabuf)
{
	struct fz_res *r = fz_res(c, FZ_DMABUF), *m;
	u64 *sync = fz_mem(c, 8);
	void *p;

	switch (fz_byte(c) % 5) {
	case 0:
		dmabuf_fence(c, r->fd, false);
		break;
	case 1:
		dmabuf_fence(c, r->fd, true);
		break;
	case 2:
		*sync = fz_byte(c) & 7;
		fz_ioctl(c, r->fd, DMA_BUF_IOCTL_SYNC, sync);
		break;
	case 3:
		p = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, 0);
		if (p == MAP_FAILED)
			break;
		m = fz_add(c, FZ_MAP, r->fd, 0);
		m->size = PAGE;
		m->map = p;
		break;
	default:
		lseek(r->fd, 0, fz_byte(c) % 2 ? SEEK_END : SEEK_SET);
		fz_ioctl(c, r->fd, DMA_BUF_SET_NAME_B, "fz");
	}
}

/* ---- files that tell about the device, and its removal ---- */

FZ_OP(fdinfo)
{
	static const u8 kinds[] = { FZ_DRM, FZ_DMABUF, FZ_FENCE };
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d",
		 fz_res(c, kinds[fz_pick(c, ARRAY_SIZE(kinds))])->fd);
	fz_drain(path);
}

FZ_OP(debugfs)
{
	static const char * const files[] = {
		"gems", "vms", "programs", "queues", "clients", "name",
		"../../dma_buf/bufinfo", "../../sync/info",
	};
	const char *node = fz_node(fz_pick(c, FZ_DEVICES));
	char path[96];

	if (!node)
		return;
	snprintf(path, sizeof(path), "/sys/kernel/debug/dri/%u/%s", fz_minor(node),
		 files[fz_pick(c, ARRAY_SIZE(files))]);
	fz_drain(path);
}

/* Unplugged with everything open, and plugged in again. */
FZ_OP(rebind)
{
	/* it takes its time */
	if (fz_byte(c) % 16 != 1)
		return;
	fz_rebind(fz_pick(c, FZ_DEVICES), fz_byte(c) % 2);
}
