// SPDX-License-Identifier: MIT
/*
 * PICA200 assembler: names.
 */
#include "pica_as.h"

static u32 hash(struct as_str name)
{
	u32 h = 2166136261u;
	u32 i;

	for (i = 0; i < name.len; i++)
		h = (h ^ (u8)name.s[i]) * 16777619u;
	return h % AS_MAP_HEADS;
}

/* Chains hold numbers + 1: the array moves when it grows. */
struct as_sym *as_find(const struct as_map *map, struct as_str name)
{
	u32 i;

	for (i = map->head[hash(name)]; i; i = map->syms[i - 1].hash_next)
		if (as_str_eq(map->syms[i - 1].name, name))
			return &map->syms[i - 1];
	return NULL;
}

/* The caller has looked that the name is new. NULL without memory. */
struct as_sym *as_add(struct as *as, struct as_map *map, struct as_str name)
{
	struct as_sym *sym;
	u32 h = hash(name);

	if (map->n == map->cap) {
		u32 cap = map->cap ? 2 * map->cap : 64;
		struct as_sym *syms = realloc(map->syms, cap * sizeof(*syms));

		if (!syms) {
			as->oom = true;
			return NULL;
		}
		map->syms = syms;
		map->cap = cap;
	}
	sym = &map->syms[map->n++];
	memset(sym, 0, sizeof(*sym));
	sym->name = name;
	sym->hash_next = map->head[h];
	map->head[h] = map->n;
	return sym;
}

void as_map_clear(struct as_map *map)
{
	map->n = 0;
	memset(map->head, 0, sizeof(map->head));
}

void as_map_free(struct as_map *map)
{
	free(map->syms);
	map->syms = NULL;
	map->cap = 0;
	as_map_clear(map);
}
