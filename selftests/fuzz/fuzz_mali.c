// SPDX-License-Identifier: GPL-2.0
/*
 * Parser of Mali job chains: any memory. The input is a byte that chooses the descriptor
 * formats and then the memory at a fixed address, with an unmapped hole in it; accepted
 * chains can be printed and used, rejected ones have a reason.
 */
#include "fuzz.h"

#include "../../userspace/disasm/mali_print.h"
#include "../mali/walked.h"

#define VA		0x10000
#define MAX_BYTES	65536
#define MAX_MEMORY	(1 << 20)
#define HOLE		4096

static void use_attrs(const struct mali_attr_table *t)
{
	uint32_t i;

	for (i = 0; i < t->n; i++) {
		const struct mali_attr *a = &t->attr[i];

		if (!a->va || a->bad || !t->nbufs)
			continue;
		MUST(a->buf < t->nbufs);
		MUST(a->format.bytes <= 16 && a->format.ncomp <= 4);
		mali_attr_element(&t->bufs[a->buf], a->raw);
	}
}

static void use_texture(const struct tx_texture *t)
{
	uint32_t faces = t->dim == TX_DIM_CUBE ? 6 : 1;
	const struct tx_surface *s;

	if (t->bad)
		return;
	if (!t->va) {
		MUST(!tx_find_surface(t, 0, 0, 0, 0));
		return;
	}
	MUST(t->nsurfaces == (uint64_t)t->levels * t->array_size * t->samples * faces);
	s = tx_find_surface(t, t->levels - 1, t->array_size - 1, faces - 1, t->samples - 1);
	MUST(s == &t->surfaces[t->nsurfaces - 1]);
	MUST(!tx_find_surface(t, t->levels, 0, 0, 0));
}

static void use_launch(const struct mali_launch *l)
{
	uint32_t i, sum = 0;

	for (i = 0; i < 3; i++)
		MUST(l->local[i] && l->groups[i]);
	for (i = 0; i < l->prog.uniforms; i++)
		sum += l->push[i];
	for (i = 0; i < l->nubos; i++)
		MUST(!l->ubos[i].va == !l->ubos[i].size);
	use_attrs(&l->attrs);
	use_attrs(&l->varyings);
	for (i = 0; i < l->ntextures; i++)
		use_texture(&l->textures[i]);
	for (i = 0; i < l->nsamplers; i++)
		MUST(l->samplers[i].bad || !l->samplers[i].va || l->samplers[i].max_aniso);
	/* Read, whatever it is. */
	MUST(sum == sum + l->storage.wls_size - l->storage.wls_size);
}

static void print_job(const struct mali_job *job)
{
	size_t len = mali_job_print(job, NULL, 0);
	char *text = malloc(len + 1);

	MUST(text);
	MUST(mali_job_print(job, text, len + 1) == len && strlen(text) == len);
	free(text);
}

static void use_chain(const struct walked *c)
{
	static uint8_t seen[MALI_MAX_JOBS];
	uint32_t i;

	memset(seen, 0, c->njobs);
	for (i = 0; i < c->njobs; i++) {
		MUST(c->jobs[i].pos < c->njobs && !seen[c->jobs[i].pos]);
		seen[c->jobs[i].pos] = 1;
		print_job(&c->jobs[i]);
		if (c->jobs[i].launch)
			use_launch(c->jobs[i].launch);
	}
}

static void check_reject(int ret, const struct mali_reject *why)
{
	char text[300];

	MUST(ret == -ENOEXEC || ret == -E2BIG);
	MUST(why->reason && why->reason < MALI_NUM_REASONS && why->field);
	MUST(mali_reject_print(why, text, sizeof(text)) < sizeof(text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mali_reject why = {};
	struct vs_extent ext[2];
	struct vs_map map = { .n = 2, .ext = ext };
	struct walked c;
	enum mali_arch arch;
	uint8_t *memory;
	int ret;

	if (size < 2)
		return 0;
	arch = data[0] % MALI_NUM_ARCH;
	size = size - 1 < MAX_BYTES ? size - 1 : MAX_BYTES;
	memory = malloc(size);
	MUST(memory);
	memcpy(memory, data + 1, size);
	/* The second half again, after the hole. */
	ext[0] = (struct vs_extent){ VA, VA + size, memory, 0 };
	ext[1] = (struct vs_extent){ VA + size + HOLE, VA + size + HOLE + size / 2 + 1,
				     memory + size - size / 2 - 1, 0 };
	ret = walked_read(&c, arch, &map, VA, MAX_MEMORY, &why);
	if (ret) {
		check_reject(ret, &why);
	} else {
		MUST(c.c.memory <= MAX_MEMORY && c.njobs && c.njobs <= MALI_MAX_JOBS);
		use_chain(&c);
		walked_free(&c);
	}
	free(memory);
	return 0;
}
