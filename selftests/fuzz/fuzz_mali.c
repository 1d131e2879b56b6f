// SPDX-License-Identifier: GPL-2.0
/*
 * Parser of Mali job chains: any memory. The input is a byte that chooses the descriptor
 * formats and then the memory at a fixed address, with an unmapped hole in it; accepted
 * chains can be printed and used, rejected ones have a reason.
 */
#include "fuzz.h"

#include "../../userspace/disasm/mali_print.h"

#define VA		0x10000
#define MAX_BYTES	65536
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

static void use_texture(const struct mali_texture *t)
{
	uint32_t faces = t->dim == MALI_DIM_CUBE ? 6 : 1;
	const struct mali_surface *s;

	if (t->bad)
		return;
	if (!t->va) {
		MUST(!mali_tex_surface(t, 0, 0, 0, 0));
		return;
	}
	MUST(t->nsurfaces == (uint64_t)t->levels * t->array_size * t->samples * faces);
	s = mali_tex_surface(t, t->levels - 1, t->array_size - 1, faces - 1, t->samples - 1);
	MUST(s == &t->surfaces[t->nsurfaces - 1]);
	MUST(!mali_tex_surface(t, t->levels, 0, 0, 0));
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

static void use_chain(struct mali_chain *c)
{
	static uint8_t seen[MALI_MAX_JOBS];
	size_t len = mali_chain_print(c, NULL, 0);
	char *text = malloc(len + 1);
	uint32_t i;

	MUST(text);
	MUST(mali_chain_print(c, text, len + 1) == len && strlen(text) == len);
	free(text);
	memset(seen, 0, c->njobs);
	for (i = 0; i < c->njobs; i++) {
		MUST(c->order[i] < c->njobs && !seen[c->order[i]]);
		seen[c->order[i]] = 1;
		if (c->jobs[i]->launch)
			use_launch(c->jobs[i]->launch);
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
	struct mali_limits limits = { .max_jobs = 300, .max_memory = 1 << 20 };
	struct mali_chain *c = NULL;
	struct mali_reject why = {};
	struct vs_extent ext[2];
	struct vs_map map = { .n = 2, .ext = ext };
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
	ret = mali_chain_parse(arch, &map, VA, &limits, &c, &why);
	if (ret) {
		check_reject(ret, &why);
	} else {
		MUST(c->memory <= limits.max_memory && c->njobs && c->njobs <= limits.max_jobs);
		use_chain(c);
		mali_chain_free(c);
	}
	free(memory);
	return 0;
}
