// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Table of instruction sets, and their common parts: ownership of a program's words, hash,
 * entry points and verifier messages.
 */
#include "isa.h"

static const struct vs_isa *const isas[VS_MAX_ISAS] = {
#define VS_ISA(NAME, number, isa, family) [number] = &(isa),
#include "isas.def"
#undef VS_ISA
};

/**
 * vs_isa_by_id - find an instruction set
 * @id: enum vs_isa_id
 *
 * Return: the instruction set, or NULL if this build does not include it.
 */
const struct vs_isa *vs_isa_by_id(u32 id)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(isas); i++) {
		if (isas[i] && isas[i]->id == id)
			return isas[i];
	}
	return NULL;
}

const struct vs_debug_bank *vs_isa_bank(const struct vs_isa *isa, u32 reg)
{
	u32 i;

	for (i = 0; i < isa->nbanks; i++) {
		const struct vs_debug_bank *b = &isa->banks[i];

		if (reg >= b->first && reg - b->first < b->count)
			return b;
	}
	return NULL;
}

/**
 * vs_isa_by_name - find an instruction set
 * @name: name on the command line, such as "pica"
 *
 * Return: the instruction set, or NULL.
 */
const struct vs_isa *vs_isa_by_name(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(isas); i++) {
		if (isas[i] && !strcmp(isas[i]->name, name))
			return isas[i];
	}
	return NULL;
}

/**
 * vs_log_printf - append text to a verifier's log
 * @log: sink; text that does not fit is truncated, the buffer is always NUL-terminated
 * @fmt: as for printf
 */
void vs_log_printf(struct vs_log *log, const char *fmt, ...)
{
	size_t room;
	va_list ap;
	int n;

	if (!log || !log->buf || log->len + 1 >= log->size)
		return;
	room = log->size - log->len;
	va_start(ap, fmt);
	n = vsnprintf(log->buf + log->len, room, fmt, ap);
	va_end(ap);
	if (n > 0)
		log->len += min_t(size_t, n, room - 1);
}

bool vs_todo_add(struct vs_todo *t, u32 pos)
{
	if (vs_todo_seen(t, pos))
		return false;
	t->seen[pos / 64] |= BIT_ULL(pos % 64);
	t->todo[pos / 64] |= BIT_ULL(pos % 64);
	t->first = min_t(u32, t->first, pos / 64);
	return true;
}

int vs_todo_take(struct vs_todo *t, u32 cost, u32 *left, u32 *pos)
{
	while (t->first < t->n && !t->todo[t->first])
		t->first++;
	if (t->first == t->n)
		return 0;
	if (!*left)
		return -EAGAIN;
	*left -= min(*left, cost);
	*pos = 64 * t->first + __ffs64(t->todo[t->first]);
	t->todo[t->first] &= t->todo[t->first] - 1;
	return 1;
}

/* FNV-1a over bytes, least significant first, independent of host endianness. */
static u64 hash_word(u64 h, u32 w)
{
	int i;

	for (i = 0; i < 4; i++) {
		h ^= (w >> (8 * i)) & 0xff;
		h *= 0x100000001b3ULL;
	}
	return h;
}

static u64 isa_hash_words(u64 h, const u32 *w, u32 n)
{
	u32 i;

	h = hash_word(h, n);
	for (i = 0; i < n; i++)
		h = hash_word(h, w[i]);
	return h;
}

static u64 program_hash(const struct vs_program *p)
{
	u64 h = 0xcbf29ce484222325ULL;
	int i;

	h = hash_word(h, p->isa->id);
	h = hash_word(h, p->src.stage);
	for (i = 0; i < VS_NUM_SECTIONS; i++)
		h = isa_hash_words(h, p->src.words[i], p->src.nwords[i]);
	return isa_hash_words(h, p->src.entries, p->src.nentries);
}

static const u32 *isa_copy_words(const u32 *w, u32 n)
{
	u32 *copy = vs_zalloc_array(n ? n : 1, sizeof(*copy));

	if (copy && n)
		memcpy(copy, w, n * sizeof(*copy));
	return copy;
}

static int check_src(const struct vs_isa *isa, const struct vs_src *src)
{
	u32 halves = isa->word_bytes / 4;
	int i;

	if ((u32)src->stage >= 32 || !(isa->stage_mask & (1U << src->stage)))
		return -EINVAL;
	for (i = 0; i < VS_NUM_SECTIONS; i++) {
		if (src->nwords[i] && !src->words[i])
			return -EINVAL;
		if (src->nwords[i] > isa->max_words * halves)
			return -E2BIG;
	}
	if (src->nwords[VS_SECTION_CODE] % halves)
		return -EINVAL;
	if (!src->nentries || !src->entries)
		return -EINVAL;
	return src->nentries > isa->max_words ? -E2BIG : 0;
}

static int isa_copy_src(struct vs_src *to, const struct vs_src *from)
{
	int i;

	*to = (struct vs_src){ .stage = from->stage };
	for (i = 0; i < VS_NUM_SECTIONS; i++) {
		to->words[i] = isa_copy_words(from->words[i], from->nwords[i]);
		if (!to->words[i])
			return -ENOMEM;
		to->nwords[i] = from->nwords[i];
	}
	to->entries = isa_copy_words(from->entries, from->nentries);
	if (!to->entries)
		return -ENOMEM;
	to->nentries = from->nentries;
	return 0;
}

/**
 * vs_program_create - create a program: copy, verify and lower its source
 * @isa: instruction set
 * @src: the program; not referred to after return
 * @rej: with -ENOEXEC: reject reason and position
 * @log: verifier messages, or NULL
 * @out: the program
 *
 * Return: 0, -ENOEXEC, -EINVAL, -E2BIG or -ENOMEM.
 */
int vs_program_create(const struct vs_isa *isa, const struct vs_src *src, struct vs_reject *rej,
		      struct vs_log *log, struct vs_program **out)
{
	struct vs_program *p;
	int ret;

	memset(rej, 0, sizeof(*rej));
	ret = check_src(isa, src);
	if (ret)
		return ret;
	p = vs_zalloc(sizeof(*p));
	if (!p)
		return -ENOMEM;
	p->isa = isa;
	ret = isa_copy_src(&p->src, src);
	if (!ret)
		ret = isa->verify(&p->src, &p->report, rej, log);
	if (!ret && isa->lower)
		ret = isa->lower(&p->src, &p->report, &p->prog);
	if (ret) {
		vs_program_destroy(p);
		return ret;
	}
	p->hash = program_hash(p);
	*out = p;
	return 0;
}

/**
 * vs_program_destroy - free a program
 * @p: program, or NULL
 */
void vs_program_destroy(struct vs_program *p)
{
	int i;

	if (!p)
		return;
	vs_prog_free(p->prog);
	for (i = 0; i < VS_NUM_SECTIONS; i++)
		vs_free(p->src.words[i]);
	vs_free(p->src.entries);
	vs_free(p);
}

/**
 * vs_program_has_entry - look for an entry point
 * @p: program
 * @guest: instruction
 *
 * Return: true if @guest was declared an entry.
 */
bool vs_program_has_entry(const struct vs_program *p, u32 guest)
{
	u32 i;

	for (i = 0; i < p->src.nentries; i++) {
		if (p->src.entries[i] == guest)
			return true;
	}
	return false;
}

/**
 * vs_program_entry - translate an entry point
 * @p: program
 * @guest: guest word
 *
 * Return: micro-op to start at, or VS_NO_UOP if @guest was not declared an entry.
 */
u32 vs_program_entry(const struct vs_program *p, u32 guest)
{
	if (!p->prog || guest >= p->prog->nguest || !vs_program_has_entry(p, guest))
		return VS_NO_UOP;
	return p->prog->uop_of_guest[guest];
}
