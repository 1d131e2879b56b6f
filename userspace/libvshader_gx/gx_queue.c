// SPDX-License-Identifier: MIT
/*
 * GX_*: requests, which are executed when they are made, or when the queue that they are bound to
 * runs.
 */
#include <string.h>

#include "gx_priv.h"

enum { GX_DMA, GX_LIST, GX_FILL, GX_TRANSFER, GX_COPY, GX_FLUSH };

static gxCmdQueue_s *bound;
static gxCmdQueue_s *active;	/* runs until it is stopped */
static bool executing;

/* ---- execution ---- */

/* The GPU's address of a pointer in a request; 0 stays 0. */
static uint32_t to_gpu(const char *call, uint32_t vaddr)
{
	uint32_t paddr = osConvertVirtToPhys((const void *)(uintptr_t)vaddr);

	if (vaddr && !paddr)
		gx_die("%s: %#x is neither linear nor video memory (linearAlloc(), vramAlloc())",
		       call, vaddr);
	return paddr;
}

/* A range may end where memory ends. */
static uint32_t end_to_gpu(const char *call, uint32_t vaddr)
{
	return vaddr ? to_gpu(call, vaddr - 1) + 1 : 0;
}

/* Own memory; if there is none left, the frame so far becomes a job file of its own. */
static uint32_t *get_own(uint32_t words, uint32_t *paddr)
{
	uint32_t *p = gx_own(words, paddr);

	if (!p) {
		gx_job_flush();
		gx_own_reset();
		p = gx_own(words, paddr);
	}
	if (!p)
		gx_die("%u words are no request", words);
	return p;
}

/* The list is jumped to from one that sets registers as the last list left them. */
static void run_list(uint32_t vaddr, uint32_t size)
{
	static const uint32_t jump[] = {
		0, 0xfu << 16 | GPUREG_CMDBUF_SIZE0,
		0, 0xfu << 16 | GPUREG_CMDBUF_ADDR0,
		1, 0xfu << 16 | GPUREG_CMDBUF_JUMP0,
	};
	struct gx_job job = { .name = "command list", .format = DRM_VSHADER_NATIVE_PICA_CMDLIST };
	uint32_t paddr = to_gpu("GX_ProcessCommandList", vaddr), words = gx_state_words(), *p;

	if (!gx_ptr(paddr, size) || paddr % 8 || size % 8)
		gx_die("GX_ProcessCommandList: %u bytes at %#x are no list", size, vaddr);
	p = get_own(words + 6, &job.paddr);
	gx_state_write(p);
	memcpy(p + words, jump, sizeof(jump));
	p[words] = size / 8;
	p[words + 2] = paddr / 8;
	job.size = 4 * (words + 6);
	job.switches = gx_option("STRICT") ? DRM_VSHADER_PICA_STRICT : 0;
	gx_run(&job);
	gx_state_learn(paddr, size);
}

static void run_request(const char *call, const uint32_t w[8])
{
	struct gx_job job = { .name = call, .format = DRM_VSHADER_NATIVE_PICA_GX, .size = 32 };

	memcpy(get_own(8, &job.paddr), w, 32);
	gx_run(&job);
}

static void run_fill(const uint32_t in[8])
{
	uint32_t w[8];
	unsigned int i;

	memcpy(w, in, sizeof(w));
	w[0] = GX_FILL;
	for (i = 1; i < 7; i += 3) {
		w[i] = to_gpu("GX_MemoryFill", in[i]);
		w[i + 2] = end_to_gpu("GX_MemoryFill", in[i + 2]);
	}
	run_request("GX_MemoryFill", w);
}

static void run_copy(const char *call, const uint32_t in[8])
{
	uint32_t w[8];

	memcpy(w, in, sizeof(w));
	w[0] = in[0] & 0xff;
	w[1] = to_gpu(call, in[1]);
	w[2] = to_gpu(call, in[2]);
	run_request(call, w);
}

/* By the processor: any memory with an address of 32 bits. */
static void run_dma(const uint32_t w[8])
{
	memmove((void *)(uintptr_t)w[2], (const void *)(uintptr_t)w[1], w[3]);
}

static GSPGPU_Event execute(const uint32_t w[8])
{
	gx_start();
	switch (w[0] & 0xff) {
	case GX_DMA:
		run_dma(w);
		return GSPGPU_EVENT_DMA;
	case GX_LIST:
		run_list(w[1], w[2]);
		return GSPGPU_EVENT_P3D;
	case GX_FILL:
		run_fill(w);
		return w[1] ? GSPGPU_EVENT_PSC0 : GSPGPU_EVENT_PSC1;
	case GX_TRANSFER:
		run_copy("GX_DisplayTransfer", w);
		return GSPGPU_EVENT_PPF;
	case GX_COPY:
		run_copy("GX_TextureCopy", w);
		return GSPGPU_EVENT_PPF;
	default:
		return GSPGPU_EVENT_MAX;
	}
}

Result gspSubmitGxCommand(const u32 gxCommand[8])
{
	GSPGPU_Event event = execute(gxCommand);

	if (event != GSPGPU_EVENT_MAX)
		gx_event(event);
	if (event == GSPGPU_EVENT_PSC0 && gxCommand[4])
		gx_event(GSPGPU_EVENT_PSC1);
	return 0;
}

/* ---- queues ---- */

/* The callback may stop, clear and run the queue again, and add requests. */
static void run_active(void)
{
	gxCmdQueue_s *q = active;

	if (executing || !q || q->lastEntry >= q->numEntries)
		return;
	executing = true;
	while (q->lastEntry < q->numEntries) {
		q->curEntry = q->lastEntry + 1;
		gspSubmitGxCommand(q->entries[q->lastEntry].data);
		q->lastEntry++;
	}
	executing = false;
	if (q->callback)
		q->callback(q);
}

void gxCmdQueueClear(gxCmdQueue_s *queue)
{
	queue->numEntries = 0;
	queue->curEntry = 0;
	queue->lastEntry = 0;
}

void gxCmdQueueAdd(gxCmdQueue_s *queue, const gxCmdEntry_s *entry)
{
	if (queue->numEntries >= queue->maxEntries)
		gx_die("gxCmdQueueAdd: the queue has room for %u requests only",
		       queue->maxEntries);
	queue->entries[queue->numEntries++] = *entry;
	if (queue == active)
		run_active();
}

void gxCmdQueueRun(gxCmdQueue_s *queue)
{
	active = queue;
	run_active();
}

void gxCmdQueueStop(gxCmdQueue_s *queue)
{
	if (active == queue)
		active = NULL;
}

bool gxCmdQueueWait(gxCmdQueue_s *queue, s64 timeout)
{
	return true;
}

void gxCmdQueueSetCallback(gxCmdQueue_s *queue, void (*callback)(gxCmdQueue_s *queue), void *user)
{
	queue->callback = callback;
	queue->user = user;
}

/* ---- requests ---- */

static Result add(const gxCmdEntry_s *entry)
{
	if (!bound)
		return gspSubmitGxCommand(entry->data);
	gxCmdQueueAdd(bound, entry);
	return 0;
}

static uint32_t word(const void *p)
{
	return (uint32_t)(uintptr_t)p;
}

static void check(const char *call, const void *p)
{
	if ((uintptr_t)p >> 32)
		gx_die("%s: %p is neither linear nor video memory (linearAlloc(), vramAlloc())",
		       call, p);
}

void GX_BindQueue(gxCmdQueue_s *queue)
{
	bound = queue;
}

Result GX_RequestDma(u32 *src, u32 *dst, u32 length)
{
	const gxCmdEntry_s e = { .data = { GX_DMA, word(src), word(dst), length } };

	check("GX_RequestDma", src);
	check("GX_RequestDma", dst);
	return add(&e);
}

Result GX_ProcessCommandList(u32 *buf0a, u32 buf0s, u8 flags)
{
	const gxCmdEntry_s e = { .data = {
		GX_LIST, word(buf0a), buf0s, flags & 1, 0, 0, 0, flags >> 1 & 1
	} };

	check("GX_ProcessCommandList", buf0a);
	return add(&e);
}

Result GX_MemoryFill(u32 *buf0a, u32 buf0v, u32 *buf0e, u16 control0, u32 *buf1a, u32 buf1v,
		     u32 *buf1e, u16 control1)
{
	const gxCmdEntry_s e = { .data = {
		GX_FILL, word(buf0a), buf0v, word(buf0e), word(buf1a), buf1v, word(buf1e),
		control0 | (uint32_t)control1 << 16
	} };

	check("GX_MemoryFill", buf0a);
	check("GX_MemoryFill", buf1a);
	return add(&e);
}

Result GX_DisplayTransfer(u32 *inadr, u32 indim, u32 *outadr, u32 outdim, u32 flags)
{
	const gxCmdEntry_s e = { .data = {
		GX_TRANSFER, word(inadr), word(outadr), indim, outdim, flags
	} };

	check("GX_DisplayTransfer", inadr);
	check("GX_DisplayTransfer", outadr);
	return add(&e);
}

Result GX_TextureCopy(u32 *inadr, u32 indim, u32 *outadr, u32 outdim, u32 size, u32 flags)
{
	const gxCmdEntry_s e = { .data = {
		GX_COPY, word(inadr), word(outadr), size, indim, outdim, flags
	} };

	check("GX_TextureCopy", inadr);
	check("GX_TextureCopy", outadr);
	return add(&e);
}

Result GX_FlushCacheRegions(u32 *buf0a, u32 buf0s, u32 *buf1a, u32 buf1s, u32 *buf2a, u32 buf2s)
{
	return 0;
}
