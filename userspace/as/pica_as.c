// SPDX-License-Identifier: MIT
/*
 * PICA200 assembler: picasso's language, and listings as the disassembler writes them.
 */
#include "pica_as.h"

/* Remember that the target of @word is the name at hand. */
int as_target(struct as *as, u32 word, bool proc)
{
	const struct as_tok *t = as_next(as);
	struct as_fixup *f;

	if (as->nfixups == as->cap_fixups) {
		u32 cap = as->cap_fixups ? 2 * as->cap_fixups : 64;

		f = realloc(as->fixups, cap * sizeof(*f));
		if (!f) {
			as->oom = true;
			return -ENOMEM;
		}
		as->fixups = f;
		as->cap_fixups = cap;
	}
	as->fixups[as->nfixups++] = (struct as_fixup){
		.name = t->str,
		.word = word,
		.file = as->file,
		.line = as->line,
		.col = t->col,
		.proc = proc,
	};
	return 0;
}

static int define_label(struct as *as, const struct as_tok *name)
{
	struct as_sym *sym;

	if (as_find(&as->labels, name->str))
		return as_error(as, name->col, "label '%.*s' exists already", as_len(name->str),
				name->str.s);
	sym = as_add(as, &as->labels, name->str);
	if (!sym)
		return -ENOMEM;
	sym->addr = as->ncode;
	return 0;
}

/* "# line file", as the C preprocessor leaves them */
static bool line_marker(struct as *as)
{
	char buf[16];
	const struct as_tok *t;

	if (!as_accept(as, '#'))
		return false;
	t = as_peek(as);
	if (t->kind == TOK_NUMBER && t->str.len < sizeof(buf)) {
		memcpy(buf, t->str.s, t->str.len);
		buf[t->str.len] = '\0';
		/* The line after the marker has that number. */
		as->line = (u32)strtoul(buf, NULL, 10) - 1;
		as->foreign = true;
	}
	return true;
}

static void statement(struct as *as)
{
	struct as_tok name;

	if (line_marker(as))
		return;
	while (as_peek(as)->kind == TOK_NAME && as_is(&as->tok[as->pos + 1], ':')) {
		if (define_label(as, as_next(as)))
			return;
		as_next(as);
	}
	if (as_peek(as)->kind == TOK_END)
		return;
	if (as_accept(as, '.')) {
		if (!as_name(as, "a directive after '.'", &name))
			as_directive(as, &name);
		return;
	}
	if (!as_name(as, "an instruction, a label or a directive", &name))
		as_instruction(as, &name);
}

static void apply_fixup(struct as *as, const struct as_fixup *f, const struct as_sym *sym)
{
	u32 mask = f->proc ? 0x3fffff : 0xfff << 10;
	u32 bits = sym->addr << 10 | (f->proc ? sym->size : 0);

	if (sym->addr >= PICA_MAX_CODE)
		as_error_at(as, f->file, f->line, f->col, "'%.*s' is out of reach",
			    as_len(f->name), f->name.s);
	else if (f->proc && sym->size > 0xff)
		as_error_at(as, f->file, f->line, f->col,
			    "procedure '%.*s' has %u words (limit of a call 255)",
			    as_len(f->name), f->name.s, sym->size);
	else if (f->word < as->ncode)
		as->code[f->word] = (as->code[f->word] & ~mask) | bits;
}

/* Labels end with their source; procedures are known when all sources are. */
static void apply_fixups(struct as *as, bool proc)
{
	const struct as_map *map = proc ? &as->procs : &as->labels;
	u32 i, kept = 0;

	for (i = 0; i < as->nfixups; i++) {
		const struct as_fixup *f = &as->fixups[i];
		const struct as_sym *sym;

		if (f->proc != proc) {
			as->fixups[kept++] = *f;
			continue;
		}
		sym = as_find(map, f->name);
		if (sym)
			apply_fixup(as, f, sym);
		else
			as_error_at(as, f->file, f->line, f->col, "%s '%.*s' is not defined",
				    proc ? "procedure" : "label", as_len(f->name), f->name.s);
	}
	as->nfixups = kept;
}

int as_add_entry(struct as *as, u32 addr, u32 line, u32 col)
{
	if (as->nentries == AS_MAX_ENTRIES)
		return as_error_at(as, as->file, line, col, "too many entry points (limit %d)",
				   AS_MAX_ENTRIES);
	as->entries[as->nentries++] = (struct as_entry){ addr, as->file, line, col };
	return 0;
}

/* They may stand before the code that they point to. */
static void check_entries(struct as *as)
{
	u32 i;

	for (i = 0; i < as->nentries; i++) {
		const struct as_entry *e = &as->entries[i];

		if (e->addr >= as->ncode)
			as_error_at(as, e->file, e->line, e->col,
				    "entry point 0x%03x is outside the code (%u words)", e->addr,
				    as->ncode);
	}
}

static struct as_str entry_name(const struct as_dvle *d)
{
	return d->entry_name.len ? d->entry_name : (struct as_str){ "main", 4 };
}

/* .entry, or its absence, names a label of its own source. */
static void note_entry_label(struct as *as)
{
	struct as_str name = entry_name(as->dvle);
	const struct as_sym *sym;

	if (as_find(&as->procs, name) || (as->nentries && !as->dvle->entry_name.len))
		return;
	sym = as_find(&as->labels, name);
	if (!sym)
		return;
	as_add_entry(as, sym->addr, as->dvle->entry_line, as->dvle->entry_col);
	as->dvle->entry_name.len = 0;
}

static void assemble_source(struct as *as, const struct vs_as_source *src)
{
	const char *s = src->text;
	const char *end = s + src->len;
	u32 i;

	as_map_clear(&as->aliases);
	as_map_clear(&as->labels);
	for (i = 0; i < AS_NUM_ALLOCS; i++)
		as->alloc[i].end = as->alloc[i].top;
	as->last_was_end = false;

	for (as->line = 1; s < end && !as->oom; as->line++) {
		const char *nl = memchr(s, '\n', (size_t)(end - s));
		size_t len = nl ? (size_t)(nl - s) : (size_t)(end - s);

		if (!as_lex(as, s, len))
			statement(as);
		s += len + !!nl;
	}
	for (i = 0; i < as->nblocks; i++)
		as_error_at(as, as->file, as->blocks[i].line, as->blocks[i].col,
			    "this block is never closed");
	as->nblocks = 0;
	apply_fixups(as, false);
	note_entry_label(as);
}

static void entry_of_dvle(struct as *as, u32 n, u32 *start, u32 *end)
{
	const struct as_dvle *d = &as->dvles[n];
	struct as_str name = entry_name(d);
	const struct as_sym *sym = as_find(&as->procs, name);

	if (as->nentries && !d->entry_name.len)
		sym = NULL;
	*start = as->nentries ? as->entries[0].addr : 0;
	*end = as->ncode;
	if (d->entry_end) {
		*start = d->entry_addr;
		*end = d->entry_end;
		if (d->entry_end > as->ncode || d->entry_addr >= d->entry_end)
			as_error_at(as, n, d->entry_line, d->entry_col,
				    "words %#x to %#x of %u are no procedure", d->entry_addr,
				    d->entry_end, as->ncode);
	} else if (sym) {
		*start = sym->addr;
		*end = sym->addr + sym->size;
	} else if (d->entry_name.len) {
		as_error_at(as, n, d->entry_line, d->entry_col, "entry point '%.*s' is not defined",
			    as_len(name), name.s);
	} else if (as->procs.n && !as->nentries) {
		as_error_at(as, n, 0, 0,
			    "procedure 'main' is not defined and .entry names no other");
	}
}

static int by_register(const void *a, const void *b)
{
	const struct vs_shbin_reg *x = a, *y = b;

	if (x->raw_first != y->raw_first)
		return x->raw_first < y->raw_first ? -1 : 1;
	return 0;
}

static void put_name(struct vs_shbin *bin, size_t *at, struct as_str name, const char **out)
{
	u32 i;

	*out = bin->strings + *at;
	for (i = 0; i < name.len; i++)
		bin->strings[(*at)++] = name.s[i] == '$' ? '.' : name.s[i];
	bin->strings[(*at)++] = '\0';
}

static u32 raw_register(char file, u32 num)
{
	switch (file) {
	case 'c':
		return 0x10 + num;
	case 'i':
		return 0x70 + num;
	case 'b':
		return 0x78 + num;
	default:
		return num;
	}
}

static int fill_tables(const struct as_dvle *d, struct vs_shbin *bin, struct vs_shbin_dvle *out,
		       size_t *at)
{
	u32 i;

	out->consts = calloc(d->nconsts + 1, sizeof(*out->consts));
	out->outs = calloc(d->nouts + 1, sizeof(*out->outs));
	out->regs = calloc(d->nuniforms + 1, sizeof(*out->regs));
	if (!out->consts || !out->outs || !out->regs)
		return -ENOMEM;
	memcpy(out->consts, d->consts, d->nconsts * sizeof(*out->consts));
	out->nconsts = d->nconsts;
	memcpy(out->outs, d->outs, d->nouts * sizeof(*out->outs));
	out->nouts = d->nouts;
	for (i = 0; i < d->nuniforms; i++) {
		const struct as_uniform *u = &d->uniforms[i];
		struct vs_shbin_reg *r = &out->regs[i];

		put_name(bin, at, u->name, &r->name);
		r->kind = u->file;
		r->first = (u16)u->first;
		r->last = (u16)(u->first + u->count - 1);
		r->raw_first = (u16)raw_register(u->file, r->first);
		r->raw_last = (u16)raw_register(u->file, r->last);
	}
	out->nregs = d->nuniforms;
	qsort(out->regs, out->nregs, sizeof(*out->regs), by_register);
	return 0;
}

static int fill_dvle(struct as *as, u32 n, struct vs_shbin *bin, size_t *at)
{
	const struct as_dvle *d = &as->dvles[n];
	struct vs_shbin_dvle *out = &bin->dvles[bin->ndvles++];

	out->version = VS_SHBIN_VERSION;
	out->type = d->geometry ? VS_SHBIN_GEOMETRY : VS_SHBIN_VERTEX;
	out->merge = d->merge;
	entry_of_dvle(as, n, &out->entry, &out->end);
	out->in_mask = (u16)d->in_mask;
	out->out_mask = (u16)d->out_mask;
	out->gs_mode = (u8)d->gs_mode;
	out->gs_fixed_start = (u8)d->gs_start;
	if (d->gs_mode == VS_SHBIN_GS_VARIABLE)
		out->gs_variable_count = (u8)d->gs_count;
	else
		out->gs_fixed_count = (u8)d->gs_count;
	return fill_tables(d, bin, out, at);
}

static size_t names_size(const struct as *as)
{
	size_t size = 1;
	u32 i, k;

	for (i = 0; i < as->nsrc; i++)
		for (k = 0; k < as->dvles[i].nuniforms; k++)
			size += as->dvles[i].uniforms[k].name.len + 1;
	return size;
}

static u32 *copy_words(const u32 *words, u32 n)
{
	u32 *copy = calloc(n + 1, sizeof(*copy));

	if (copy)
		memcpy(copy, words, n * sizeof(*copy));
	return copy;
}

static int fill_entries(struct as *as, struct vs_as_result *out)
{
	u32 i;

	out->entries = calloc(max(as->nentries, out->bin->ndvles) + 1, sizeof(*out->entries));
	if (!out->entries)
		return -ENOMEM;
	for (i = 0; i < as->nentries; i++)
		out->entries[out->nentries++] = as->entries[i].addr;
	for (i = 0; !as->nentries && i < out->bin->ndvles; i++)
		out->entries[out->nentries++] = out->bin->dvles[i].entry;
	return 0;
}

static int fill_labels(const struct as_map *map, struct vs_as_debug *debug)
{
	u32 i;
	int ret = 0;

	for (i = 0; i < map->n && !ret; i++)
		ret = vs_as_add_label(debug, map->syms[i].name.s, map->syms[i].name.len,
				      map->syms[i].addr);
	return ret;
}

/* "$c4", "$c4.xyz", "-$c4.x" */
static void alias_text(const struct as_reg *r, char *buf, size_t size)
{
	u32 i, n = 4;
	int len = snprintf(buf, size, "%s$%c%u", r->neg ? "-" : "", r->file, r->num);

	if (r->sel[0] == 0 && r->sel[1] == 1 && r->sel[2] == 2 && r->sel[3] == 3)
		return;
	/* The last component of a short swizzle is repeated. */
	while (n > 1 && r->sel[n - 1] == r->sel[n - 2])
		n--;
	len += snprintf(buf + len, size - (size_t)len, ".");
	for (i = 0; i < n; i++)
		len += snprintf(buf + len, size - (size_t)len, "%c", "xyzw"[r->sel[i] & 3]);
}

static int fill_names(const struct as_map *map, struct vs_as_debug *debug)
{
	char text[32];
	u32 i;
	int ret = 0;

	for (i = 0; i < map->n && !ret; i++) {
		const struct as_sym *s = &map->syms[i];

		if (s->reg.idx)
			continue;
		alias_text(&s->reg, text, sizeof(text));
		ret = vs_as_add_name(debug, s->name.s, s->name.len, text, s->size);
	}
	return ret;
}

static int fill_lines(const struct as *as, struct vs_as_debug *debug)
{
	u32 i;
	int ret = 0;

	for (i = 0; i < as->ncode && !as->foreign && !ret; i++)
		ret = vs_as_add_line(debug, i, as->file_of[i], as->line_of[i],
				     as->line_of[i]);
	return ret;
}

static int fill_places(struct as *as, struct vs_as_result *out)
{
	int ret = fill_entries(as, out);

	if (ret)
		return ret;
	ret = fill_labels(&as->procs, &out->debug);
	if (!ret)
		ret = fill_labels(&as->labels, &out->debug);
	if (!ret)
		ret = fill_names(&as->aliases, &out->debug);
	return ret ? ret : fill_lines(as, &out->debug);
}

static int build(struct as *as, struct vs_as_result *out)
{
	struct vs_shbin *bin = calloc(1, sizeof(*bin));
	size_t at = 0;
	u32 i;
	int ret;

	if (!bin)
		return -ENOMEM;
	out->bin = bin;
	bin->code = copy_words(as->code, as->ncode);
	bin->ncode = as->ncode;
	bin->opdesc = copy_words(as->opdesc, as->nopdesc);
	bin->opdesc_high = calloc(as->nopdesc + 1, sizeof(*bin->opdesc_high));
	bin->nopdesc = as->nopdesc;
	bin->dvles = calloc(as->nsrc + 1, sizeof(*bin->dvles));
	bin->strings = calloc(names_size(as), 1);
	if (!bin->code || !bin->opdesc || !bin->opdesc_high || !bin->dvles || !bin->strings)
		return -ENOMEM;
	for (i = 0; i < as->nsrc; i++) {
		if (as->dvles[i].none)
			continue;
		ret = fill_dvle(as, i, bin, &at);
		if (ret)
			return ret;
	}
	if (!bin->ndvles)
		as_error_at(as, 0, 0, 0, "every source says .nodvle, there is no program");
	if (!bin->ncode)
		as_error_at(as, 0, 0, 0, "no instructions");
	return fill_places(as, out);
}

static void init(struct as *as)
{
	as->alloc[AS_ALLOC_C] = (struct as_alloc){ 0, PICA_NUM_CONST, PICA_NUM_CONST,
						   PICA_NUM_CONST };
	as->alloc[AS_ALLOC_I] = (struct as_alloc){ 0, PICA_NUM_INT, PICA_NUM_INT, PICA_NUM_INT };
	as->alloc[AS_ALLOC_B] = (struct as_alloc){ 0, PICA_NUM_BOOL, PICA_NUM_BOOL,
						   PICA_NUM_BOOL };
	as->c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	as->dvles = calloc(as->nsrc + 1, sizeof(*as->dvles));
	as->oom = !as->dvles || !as->c_locale;
}

static void release(struct as *as)
{
	if (as->c_locale)
		freelocale(as->c_locale);
	as_map_free(&as->aliases);
	as_map_free(&as->labels);
	as_map_free(&as->procs);
	free(as->fixups);
	free(as->dvles);
	free(as);
}

int vs_as_pica_files(const struct vs_as_source *src, uint32_t nsrc, uint32_t flags,
		     struct vs_as_result *out, struct vs_as_diag *diag)
{
	struct as *as;
	int ret = 0;

	memset(out, 0, sizeof(*out));
	memset(diag, 0, sizeof(*diag));
	if (!nsrc || nsrc > AS_MAX_FILES)
		return -EINVAL;
	as = calloc(1, sizeof(*as));
	if (!as)
		return -ENOMEM;
	as->src = src;
	as->nsrc = nsrc;
	as->flags = flags;
	as->diag = diag;
	init(as);
	for (as->file = 0; as->file < nsrc && !as->oom; as->file++) {
		as->dvle = &as->dvles[as->file];
		assemble_source(as, &src[as->file]);
	}
	if (!as->oom) {
		apply_fixups(as, true);
		check_entries(as);
		ret = build(as, out);
	}
	if (as->oom)
		ret = -ENOMEM;
	if (!ret && diag->nerrors)
		ret = -EINVAL;
	release(as);
	if (ret)
		vs_as_result_free(out);
	return ret;
}

int vs_as_pica(const char *text, size_t len, struct vs_as_result *out, struct vs_as_diag *diag)
{
	struct vs_as_source src = { .text = text, .len = len };

	return vs_as_pica_files(&src, 1, 0, out, diag);
}

void vs_as_result_free(struct vs_as_result *res)
{
	vs_as_debug_free(&res->debug);
	vs_shbin_free(res->bin);
	free(res->entries);
	memset(res, 0, sizeof(*res));
}
