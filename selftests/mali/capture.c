// SPDX-License-Identifier: GPL-2.0
/* Memory captures of submitted Mali job chains, from the external corpus. */
#include <sys/mman.h>

#include "../include/tap.h"
#include "capture.h"

static int by_address(const void *a, const void *b)
{
	const struct vs_extent *x = a, *y = b;

	return x->lo < y->lo ? -1 : x->lo > y->lo;
}

/* Untouched pages of these mappings cost nothing: one buffer has 128 MiB. */
static bool add_bo(struct capture *c, u64 va, u64 size)
{
	struct vs_extent *e = &c->ext[c->map.n];
	void *p;

	if (c->map.n == MAX_BOS || !size)
		return false;
	p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED)
		return false;
	*e = (struct vs_extent){ va, va + size, p, VS_EXT_WRITE | VS_EXT_EXEC };
	c->map.n++;
	return true;
}

static bool load_text(const char *base, struct capture *c)
{
	unsigned long long va, size;
	char path[600], line[200];
	unsigned int n, what = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s.txt", base);
	f = fopen(path, "r");
	if (!f)
		return false;
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "jc %llx", &va) == 1) {
			c->jc = va;
			what |= 1;
		} else if (sscanf(line, "requirements %u", &n) == 1) {
			c->fragment = n & 1;
			what |= 2;
		} else if (sscanf(line, "bo %llx size %llx", &va, &size) == 2) {
			if (!add_bo(c, va, size))
				break;
		}
	}
	fclose(f);
	qsort(c->ext, c->map.n, sizeof(*c->ext), by_address);
	return what == 3 && c->map.n;
}

static bool load_memory(const char *base, struct capture *c)
{
	char command[640];
	bool ok = true;
	u64 head[2];
	FILE *f;
	u8 *p;

	c->map.ext = c->ext;
	snprintf(command, sizeof(command), "gzip -dc '%s.mem.gz'", base);
	f = popen(command, "r");
	if (!f)
		return false;
	while (ok && fread(head, sizeof(head), 1, f) == 1) {
		p = vs_map_ptr(&c->map, head[0], head[1], 0);
		ok = p && fread(p, 1, head[1], f) == head[1];
	}
	return !pclose(f) && ok;
}

bool capture_load(const char *base, struct capture *c)
{
	memset(c, 0, sizeof(*c));
	if (load_text(base, c) && load_memory(base, c))
		return true;
	tap_comment("cannot load %s", base);
	capture_free(c);
	return false;
}

void capture_free(struct capture *c)
{
	u32 i;

	for (i = 0; i < c->map.n; i++)
		munmap(c->ext[i].kva, c->ext[i].hi - c->ext[i].lo);
	c->map.n = 0;
}
