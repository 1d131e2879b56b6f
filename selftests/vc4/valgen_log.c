// SPDX-License-Identifier: GPL-2.0
/* Recorded programs and jobs of Mesa's, from the log of a library that stood in for the kernel. */
#include <stdio.h>
#include <stdlib.h>

#include "valgen.h"

#define MAX_LINE	20000

/* Hexadecimal words, as their bytes are in memory, after the colon. Return: bytes. */
static u32 read_bytes(const char *line, void *to, u32 max)
{
	const char *p = strchr(line, ':');
	u32 n = 0, b;

	while (p && *++p && *p != '\n' && n < max) {
		if (*p == ' ')
			continue;
		if (sscanf(p++, "%2x", &b) != 1)
			break;
		((u8 *)to)[n++] = (u8)b;
	}
	return n;
}

/**
 * struct handles - Buffer objects of the log.
 * @bytes:	size
 * @va:		address
 * @program:	index or -1
 */
static struct handles {
	u32 bytes;
	u32 va;
	int program;
} handles[VG_MAX_HANDLES];

static void read_handles(struct vg_job *j, const char *p)
{
	char *end;
	u32 h;

	p = strchr(p, ':') + 1;
	for (j->nbos = 0; j->nbos < VG_MAX_BOS; p = end) {
		h = (u32)strtoul(p, &end, 10);
		if (end == p || h >= VG_MAX_HANDLES)
			break;
		j->bytes[j->nbos] = handles[h].bytes;
		j->va[j->nbos] = handles[h].va;
		j->shader[j->nbos++] = handles[h].program;
	}
	/* the object past the last one */
	j->shader[j->nbos] = 0;
	j->bytes[j->nbos] = 4096;
	j->va[j->nbos] = 0x20000000;
}

static void read_surface(struct vg_job *j, const char *line)
{
	static const char *const names[] = { "color_read", "color_write", "zs_read", "zs_write",
					     "msaa_color_write", "msaa_zs_write" };
	u32 bo, offset, bits, flags, i;
	char name[20];

	if (sscanf(line, " %19s hindex %u offset %u bits %x flags %u", name, &bo, &offset, &bits,
		   &flags) != 5)
		return;
	for (i = 0; i < VC4_NUM_SURFACES; i++)
		if (!strcmp(name, names[i]))
			j->frame.surface[i] = (struct vc4_val_surface){
				.bo = bo, .offset = offset, .bits = (u16)bits, .flags = (u16)flags,
			};
}

static bool begin_job(struct vg_job *j, const char *line)
{
	const char *size = strstr(line, " size ");
	u32 width, height, x0, x1, y0, y1, i;

	memset(j, 0, sizeof(*j));
	if (sscanf(line, "SUBMIT_CL bin %u shader_rec %u x%u uniforms %u", &j->list_bytes,
		   &j->record_bytes, &j->max_records, &j->uniform_bytes) != 4)
		return false;
	if (!size || sscanf(size, " size %ux%u tiles %u..%u,%u..%u", &width, &height, &x0, &x1,
			    &y0, &y1) != 6)
		return false;
	j->frame = (struct vc4_val_frame){ .width = (u16)width, .height = (u16)height,
					   .min_x = (u8)x0, .min_y = (u8)y0, .max_x = (u8)x1,
					   .max_y = (u8)y1 };
	for (i = 0; i < VC4_NUM_SURFACES; i++)
		j->frame.surface[i].bo = VC4_NO_SURFACE;
	return true;
}

static void read_line(struct vg_log *l, const char *line)
{
	struct vg_job *j = &l->job[l->njobs];
	u32 bytes, handle, va;

	if (sscanf(line, "CREATE_BO size %x -> %u (paddr %x)", &bytes, &handle, &va) == 3) {
		if (handle < VG_MAX_HANDLES)
			handles[handle] = (struct handles){ bytes, va, -1 };
	} else if (sscanf(line, "CREATE_SHADER_BO size %u -> %u", &bytes, &handle) == 2) {
		if (handle < VG_MAX_HANDLES)
			handles[handle] = (struct handles){ 4096, 0x1000 * handle,
							    (int)l->nprograms };
	} else if (!strncmp(line, "   code (", 9)) {
		l->size[l->nprograms] = read_bytes(line, l->program[l->nprograms],
						   8 * VG_PAGE_INSNS) / 8;
		l->nprograms++;
	} else if (!strncmp(line, "SUBMIT_CL", 9)) {
		l->open = begin_job(j, line);
	} else if (!strncmp(line, "   bos:", 7)) {
		read_handles(j, line);
	} else if (!strncmp(line, "   bin_cl (", 11)) {
		read_bytes(line, j->list, VG_MAX_BYTES);
	} else if (!strncmp(line, "   shader_rec (", 15)) {
		read_bytes(line, j->records, VG_MAX_BYTES);
	} else if (!strncmp(line, "   uniforms (", 13)) {
		read_bytes(line, j->uniforms, VG_MAX_BYTES);
		/* the last line of a job */
		l->njobs += l->open;
		l->open = false;
	} else {
		read_surface(j, line);
	}
}

bool vg_read_log(struct vg_log *l, const char *path)
{
	static char line[MAX_LINE];
	FILE *f = fopen(path, "r");

	if (!f)
		return false;
	while (fgets(line, sizeof(line), f) && l->nprograms < VG_LOG_PROGRAMS &&
	       l->njobs < VG_LOG_JOBS)
		read_line(l, line);
	fclose(f);
	return true;
}
