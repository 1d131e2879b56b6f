// SPDX-License-Identifier: MIT
/*
 * PICA200 assembler: directives.
 */
#include "pica_as.h"

int as_open_block(struct as *as, const struct as_block *block)
{
	if (as->nblocks == AS_MAX_BLOCKS)
		return as_error(as, block->col, "blocks are nested too deeply (limit %d)",
				AS_MAX_BLOCKS);
	as->blocks[as->nblocks++] = *block;
	return 0;
}

static u32 last_op(const struct as *as)
{
	return as->ncode ? pica_op_of_code(as->code[as->ncode - 1] >> 26) : PICA_OP_INVALID;
}

/* Flow instructions that are lost in the last word of a block. */
static bool last_is_flow(const struct as *as, bool loop)
{
	u32 op = last_op(as);

	if (op == PICA_OP_INVALID)
		return false;
	if (pica_ops[op].flags & (PICA_OPF_JUMP | PICA_OPF_CALL))
		return true;
	return loop && (pica_ops[op].flags & PICA_OPF_BREAK);
}

static void set_target(struct as *as, u32 word, u32 addr)
{
	if (addr >= PICA_MAX_CODE)
		as_error(as, 0, "this block ends past the last possible target");
	as->code[word] = (as->code[word] & ~(0xfffu << 10)) | (addr & 0xfff) << 10;
}

static int dir_else(struct as *as, u32 col)
{
	struct as_block *b = as->nblocks ? &as->blocks[as->nblocks - 1] : NULL;
	int ret = as_expect_end(as);

	if (ret)
		return ret;
	if (!b || b->kind != BLOCK_IF)
		return as_error(as, col, ".else without ifc or ifu");
	if (b->else_at)
		return as_error(as, col, "second .else, the if is in line %u", b->line);
	if (as->last_was_end || last_is_flow(as, false) || as->ncode - b->start < 2)
		as_pad(as, col);
	as->last_was_end = false;
	b->else_at = as->ncode;
	set_target(as, b->start, as->ncode);
	return 0;
}

static int end_proc(struct as *as, const struct as_block *b)
{
	struct as_sym *sym = as_add(as, &as->procs, b->name);

	if (!sym)
		return -ENOMEM;
	sym->addr = b->start;
	sym->size = as->ncode - b->start;
	return 0;
}

static int end_if(struct as *as, const struct as_block *b, u32 col)
{
	u32 size;

	as->last_was_end = true;
	if (!b->else_at) {
		set_target(as, b->start, as->ncode);
		return 0;
	}
	size = as->ncode - b->else_at;
	if (size > 0xff)
		return as_error(as, col, "else part has %u words (limit 255)", size);
	as->code[b->start] |= size;
	return 0;
}

static struct as_alloc *allocator(struct as *as, char file)
{
	struct as_alloc *a = as->dvle->own_space ? as->gs_alloc : as->alloc;

	return &a[file == 'c' ? AS_ALLOC_C : file == 'i' ? AS_ALLOC_I : AS_ALLOC_B];
}

/* Shared registers from below; not where another source keeps constants. */
static bool alloc_uniform(struct as *as, char file, u32 count, u32 *first)
{
	struct as_alloc *a = allocator(as, file);

	if (count > a->bound - min(a->start, a->bound))
		return false;
	*first = a->start;
	a->start += count;
	return true;
}

/* Registers of this source only, from above. */
static bool alloc_const(struct as *as, char file, u32 count, u32 *first)
{
	struct as_alloc *a = allocator(as, file);

	if (count > a->end - min(a->start, a->end))
		return false;
	a->end -= count;
	a->bound = min(a->bound, a->end);
	*first = a->end;
	return true;
}

static int add_alias(struct as *as, const struct as_tok *name, char file, u32 num, u32 count)
{
	struct as_sym *sym;
	u8 c;

	if (as_find(&as->aliases, name->str))
		return as_error(as, name->col, "'%.*s' is already used", as_len(name->str),
				name->str.s);
	sym = as_add(as, &as->aliases, name->str);
	if (!sym)
		return -ENOMEM;
	sym->reg.file = file;
	sym->reg.num = num;
	sym->reg.plain = true;
	sym->size = count;
	for (c = 0; c < 4; c++)
		sym->reg.sel[c] = c;
	return 0;
}

static int end_array(struct as *as, const struct as_block *b, u32 col)
{
	struct as_dvle *d = as->dvle;
	struct as_tok name = { .str = b->name, .col = col };
	u32 n = d->nconsts - b->first;
	u32 i, first;

	for (; n < b->size; n++) {
		if (d->nconsts == AS_MAX_CONSTS)
			return as_error(as, col, "too many constants");
		d->consts[d->nconsts++] = (struct vs_shbin_const){ .type = VS_SHBIN_FLOAT };
	}
	if (!n)
		return as_error(as, col, "array '%.*s' has no elements", as_len(b->name),
				b->name.s);
	if (!alloc_const(as, 'c', n, &first))
		return as_error(as, col, "no room for the %u float uniforms of array '%.*s'", n,
				as_len(b->name), b->name.s);
	for (i = 0; i < n; i++)
		d->consts[b->first + i].reg = (u16)(first + i);
	return add_alias(as, &name, 'c', first, n);
}

static int dir_end(struct as *as, u32 col)
{
	struct as_block b;
	int ret = as_expect_end(as);

	if (ret)
		return ret;
	if (!as->nblocks)
		return as_error(as, col, ".end without an open block");
	b = as->blocks[--as->nblocks];
	if (b.kind == BLOCK_ARRAY)
		return end_array(as, &b, col);
	if (as->last_was_end ||
	    (as->ncode && (last_is_flow(as, b.kind == BLOCK_FOR) ||
			   as->ncode - b.start < (b.kind == BLOCK_PROC ? 1 : 2))))
		as_pad(as, col);
	as->last_was_end = false;
	if (b.kind == BLOCK_PROC)
		return end_proc(as, &b);
	if (b.kind == BLOCK_IF)
		return end_if(as, &b, col);
	as->last_was_end = true;
	set_target(as, b.start, as->ncode - 1);
	return 0;
}

static int dir_proc(struct as *as, u32 col)
{
	struct as_block b = { .kind = BLOCK_PROC, .line = as->line, .col = col };
	struct as_tok name;
	u32 i;
	int ret;

	ret = as_name(as, "a procedure name", &name);
	if (!ret)
		ret = as_expect_end(as);
	if (ret)
		return ret;
	for (i = 0; i < as->nblocks; i++)
		if (as->blocks[i].kind == BLOCK_PROC && as_str_eq(as->blocks[i].name, name.str))
			break;
	if (i < as->nblocks || as_find(&as->procs, name.str))
		return as_error(as, name.col, "procedure '%.*s' exists already", as_len(name.str),
				name.str.s);
	b.start = as->ncode;
	b.name = name.str;
	return as_open_block(as, &b);
}

/* .alias name register[.swizzle] */
static int dir_alias(struct as *as, u32 col)
{
	struct as_tok name;
	struct as_reg reg;
	struct as_sym *sym;
	bool taken;
	int ret;

	ret = as_name(as, "a name", &name);
	if (ret)
		return ret;
	taken = name.str.len > 1 && strchr("ovrcib", name.str.s[0] | 0x20) &&
		name.str.s[1] >= '0' && name.str.s[1] <= '9';
	if (taken)
		return as_error(as, name.col, "'%.*s' is a register's own name", as_len(name.str),
				name.str.s);
	as_accept(as, ',');
	ret = as_reg(as, AS_REG_SIGN, &reg);
	if (!ret)
		ret = as_expect_end(as);
	if (ret)
		return ret;
	ret = add_alias(as, &name, reg.file, reg.num, 1);
	if (ret)
		return ret;
	sym = as_find(&as->aliases, name.str);
	sym->reg = reg;
	return 0;
}

static bool same_uniform(struct as *as, const struct as_uniform *want, u32 col, u32 *first,
			 int *ret)
{
	const struct as_uniform *u;
	u32 i;

	for (i = 0; i < as->nshared; i++) {
		u = &as->shared[i];
		if (!as_str_eq(u->name, want->name))
			continue;
		*first = u->first;
		*ret = 0;
		if (u->file != want->file || u->count != want->count)
			*ret = as_error(as, col, "'%.*s' was declared as %c%u[%u] before",
					as_len(want->name), want->name.s, u->file, u->first,
					u->count);
		return true;
	}
	return false;
}

/* A register that the source chose; later ones without a register come after it. */
static int place_uniform(struct as *as, const struct as_reg *reg, u32 count)
{
	struct as_alloc *a = allocator(as, reg->file);

	if (count > a->top || reg->num > a->top - count)
		return as_error(as, reg->col, "%u registers from %c%u on are too many", count,
				reg->file, reg->num);
	a->start = max(a->start, reg->num + count);
	return 0;
}

/* @reg: its register, or NULL: the next free one */
static int declare_uniform(struct as *as, const struct as_tok *name, char file, u32 count,
			   const struct as_reg *reg)
{
	struct as_uniform u = { .name = name->str, .file = file, .count = count };
	bool shared = !as->dvle->own_space;
	int ret = 0;

	if (!shared || !same_uniform(as, &u, name->col, &u.first, &ret)) {
		if (reg) {
			ret = place_uniform(as, reg, count);
			u.first = reg->num;
		} else if (!alloc_uniform(as, file, count, &u.first)) {
			return as_error(as, name->col, "no room for %u %c uniforms", count, file);
		}
		if (shared)
			as->shared[as->nshared++] = u;
	}
	if (ret)
		return ret;
	ret = add_alias(as, name, file, u.first, count);
	if (ret || name->str.s[0] == '_')
		return ret;
	if (as->dvle->nuniforms == AS_MAX_UNIFORMS)
		return as_error(as, name->col, "too many names");
	as->dvle->uniforms[as->dvle->nuniforms++] = u;
	return 0;
}

/* .fvec .ivec .bool name[count] [register], ... */
static int dir_uniforms(struct as *as, char file)
{
	const char kinds[] = { file, 0 };
	struct as_tok name;
	struct as_reg reg;
	bool placed;
	s64 count;
	int ret;

	do {
		ret = as_name(as, "a name", &name);
		if (ret)
			return ret;
		count = 1;
		if (as_accept(as, '[')) {
			ret = as_decimal(as, "a number of registers", 1, PICA_NUM_CONST, 0, &count);
			if (!ret)
				ret = as_expect(as, ']', "after the number of registers");
			if (ret)
				return ret;
		}
		placed = as_peek(as)->kind == TOK_NAME;
		if (placed) {
			ret = as_reg_of(as, kinds, "a uniform register", &reg);
			if (ret)
				return ret;
		}
		ret = declare_uniform(as, &name, file, (u32)count, placed ? &reg : NULL);
		if (ret)
			return ret;
	} while (as_accept(as, ','));
	return as_expect_end(as);
}

static u32 to_f24(u32 f32_bits)
{
	u32 raw = pica_f32_to_f24(f32_bits, 0);

	/* As picasso: no subnormal constants. */
	return raw & 0x7f0000 ? raw : raw & 0x800000;
}

/* (x, y, z, w) */
static int vector(struct as *as, u32 type, struct vs_shbin_const *c)
{
	s64 v = 0;
	u32 i;
	int ret;

	ret = as_expect(as, '(', "before the components");
	for (i = 0; !ret && i < 4; i++) {
		if (i)
			ret = as_expect(as, ',', "between components");
		if (ret)
			break;
		if (type == VS_SHBIN_FLOAT) {
			ret = as_float(as, &c->value[i]);
			c->value[i] = to_f24(c->value[i]);
		} else {
			ret = as_decimal(as, "a byte", -128, 255, 8, &v);
			c->value[i] = (u32)v & 0xff;
		}
	}
	if (!ret)
		ret = as_expect(as, ')', "after four components");
	c->type = (u16)type;
	if (ret || as_peek(as)->kind == TOK_END)
		return ret;
	as_warn(as, as_peek(as)->col, "the rest of the line is not read, as in picasso");
	while (as_next(as)->kind != TOK_END)
		;
	return 0;
}

static int add_const(struct as *as, const struct vs_shbin_const *c, u32 col)
{
	if (as->dvle->nconsts == AS_MAX_CONSTS)
		return as_error(as, col, "too many constants");
	as->dvle->consts[as->dvle->nconsts++] = *c;
	return 0;
}

/* .constf .consti name(x, y, z, w) */
static int dir_const(struct as *as, u32 type)
{
	char file = type == VS_SHBIN_FLOAT ? 'c' : 'i';
	struct vs_shbin_const c = { 0 };
	struct as_tok name;
	u32 first;
	int ret;

	ret = as_name(as, "a name", &name);
	if (!ret)
		ret = vector(as, type, &c);
	if (ret)
		return ret;
	if (as_find(&as->aliases, name.str))
		return as_error(as, name.col, "'%.*s' is already used", as_len(name.str),
				name.str.s);
	if (!alloc_const(as, file, 1, &first))
		return as_error(as, name.col, "no %c uniform left for a constant", file);
	c.reg = (u16)first;
	ret = add_const(as, &c, name.col);
	return ret ? ret : add_alias(as, &name, file, first, 1);
}

/* .constfa name[size] opens an array, .constfa (x, y, z, w) is an element */
static int dir_constfa(struct as *as, u32 col)
{
	struct as_block b = { .kind = BLOCK_ARRAY, .line = as->line, .col = col };
	struct vs_shbin_const c = { 0 };
	struct as_tok name;
	s64 size = 0;
	int ret;

	if (as->nblocks && as->blocks[as->nblocks - 1].kind == BLOCK_ARRAY) {
		const struct as_block *array = &as->blocks[as->nblocks - 1];

		if (array->size && as->dvle->nconsts - array->first == array->size)
			return as_error(as, col, "array has only %u elements", array->size);
		ret = vector(as, VS_SHBIN_FLOAT, &c);
		return ret ? ret : add_const(as, &c, col);
	}
	ret = as_name(as, "a name", &name);
	if (!ret)
		ret = as_expect(as, '[', "after the array's name");
	if (!ret && !as_is(as_peek(as), ']'))
		ret = as_decimal(as, "a number of elements", 1, PICA_NUM_CONST, 0, &size);
	if (!ret)
		ret = as_expect(as, ']', "after the array's size");
	if (!ret)
		ret = as_expect_end(as);
	if (ret)
		return ret;
	b.name = name.str;
	b.size = (u32)size;
	b.first = as->dvle->nconsts;
	return as_open_block(as, &b);
}

/* .setf .seti register(x, y, z, w) */
static int dir_set(struct as *as, u32 type)
{
	struct vs_shbin_const c = { 0 };
	struct as_reg reg;
	int ret;

	if (type == VS_SHBIN_FLOAT)
		ret = as_reg_of(as, "c", "a float uniform", &reg);
	else
		ret = as_reg_of(as, "i", "an integer uniform", &reg);
	if (!ret)
		ret = vector(as, type, &c);
	c.reg = (u16)reg.num;
	return ret ? ret : add_const(as, &c, reg.col);
}

/* .setb register value */
static int dir_setb(struct as *as)
{
	static const char * const yes[] = { "true", "on", "1" };
	static const char * const no[] = { "false", "off", "0" };
	struct vs_shbin_const c = { .type = VS_SHBIN_BOOL };
	const struct as_tok *t;
	struct as_reg reg;
	bool known = false;
	u32 i;
	int ret;

	ret = as_reg_of(as, "b", "a boolean uniform", &reg);
	if (ret)
		return ret;
	as_accept(as, ',');
	t = as_next(as);
	for (i = 0; i < ARRAY_SIZE(yes); i++) {
		if (as_str_is(t->str, yes[i]))
			c.value[0] = 1;
		known |= as_str_is(t->str, yes[i]) || as_str_is(t->str, no[i]);
	}
	if (!known)
		return as_error(as, t->col, "expected true or false");
	c.reg = (u16)reg.num;
	ret = as_expect_end(as);
	return ret ? ret : add_const(as, &c, reg.col);
}

/* .in name [register] */
static int dir_in(struct as *as)
{
	struct as_dvle *d = as->dvle;
	struct as_uniform u = { .file = 'v', .count = 1 };
	struct as_tok name;
	struct as_reg reg;
	int ret;

	ret = as_name(as, "a name", &name);
	if (ret)
		return ret;
	if (as_peek(as)->kind != TOK_END) {
		ret = as_reg_of(as, "v", "an input register", &reg);
		if (!ret)
			ret = as_expect_end(as);
		if (ret)
			return ret;
		u.first = reg.num;
	} else {
		while (u.first < PICA_NUM_REGS && (d->in_mask & (1u << u.first)))
			u.first++;
		if (u.first == PICA_NUM_REGS)
			return as_error(as, name.col, "no input register left");
	}
	if (d->nuniforms == AS_MAX_UNIFORMS)
		return as_error(as, name.col, "too many names");
	ret = add_alias(as, &name, 'v', u.first, 1);
	if (ret)
		return ret;
	u.name = name.str;
	d->in_mask |= 1u << u.first;
	d->uniforms[d->nuniforms++] = u;
	return 0;
}

static int out_type(struct as *as, u32 *type)
{
	static const struct {
		const char *name;
		u32 type;
	} types[] = {
		{ "pos", VS_SHBIN_OUT_POSITION }, { "position", VS_SHBIN_OUT_POSITION },
		{ "nquat", VS_SHBIN_OUT_QUATERNION }, { "normalquat", VS_SHBIN_OUT_QUATERNION },
		{ "clr", VS_SHBIN_OUT_COLOR }, { "color", VS_SHBIN_OUT_COLOR },
		{ "tcoord0", VS_SHBIN_OUT_TEX0 }, { "texcoord0", VS_SHBIN_OUT_TEX0 },
		{ "tcoord0w", VS_SHBIN_OUT_TEX0W }, { "texcoord0w", VS_SHBIN_OUT_TEX0W },
		{ "tcoord1", VS_SHBIN_OUT_TEX1 }, { "texcoord1", VS_SHBIN_OUT_TEX1 },
		{ "tcoord2", VS_SHBIN_OUT_TEX2 }, { "texcoord2", VS_SHBIN_OUT_TEX2 },
		{ "view", VS_SHBIN_OUT_VIEW }, { "dummy", VS_SHBIN_OUT_GENERIC },
	};
	struct as_tok t;
	size_t i;
	int ret;

	ret = as_name(as, "an output property", &t);
	if (ret)
		return ret;
	for (i = 0; i < ARRAY_SIZE(types); i++) {
		if (as_str_is(t.str, types[i].name)) {
			*type = types[i].type;
			return 0;
		}
	}
	return as_error(as, t.col, "'%.*s' is not an output property (position, color ...)",
			as_len(t.str), t.str.s);
}

static int wire_output(struct as *as, u32 col, u32 type, const struct as_reg *reg)
{
	struct as_dvle *d = as->dvle;
	u8 mask = as_mask(as, reg);

	if ((d->out_comps >> (4 * reg->num)) & mask)
		return as_error(as, col, "components of o%u are wired already", reg->num);
	if (reg->num >= 7 && type != VS_SHBIN_OUT_GENERIC)
		return as_error(as, col, "o%u can only be a dummy output", reg->num);
	if (d->nouts == PICA_NUM_REGS)
		return as_error(as, col, "too many outputs");
	d->outs[d->nouts].type = (u16)type;
	d->outs[d->nouts].reg = (u16)reg->num;
	d->outs[d->nouts].mask = mask;
	d->nouts++;
	d->out_mask |= 1u << reg->num;
	d->out_comps |= (u64)mask << (4 * reg->num);
	if (type == VS_SHBIN_OUT_GENERIC && d->own_space)
		d->merge = true;
	return 0;
}

static int free_output(struct as *as, u32 col, u32 *num)
{
	u32 count = as->dvle->geometry ? 7 : PICA_NUM_REGS;

	for (*num = 0; *num < count; (*num)++)
		if (!(as->dvle->out_mask & (1u << *num)))
			return 0;
	return as_error(as, col, "no output register left");
}

/* .out name|- property[.mask] [register[.mask]] */
static int dir_out(struct as *as)
{
	struct as_reg reg = { .file = 'o', .sel = { 0, 1, 2, 3 }, .plain = true };
	struct as_tok name = { .kind = TOK_END };
	u32 type = 0, col = as_peek(as)->col;
	int ret = 0;

	if (!as_accept(as, '-'))
		ret = as_name(as, "a name or '-'", &name);
	if (!ret)
		ret = out_type(as, &type);
	if (!ret && as_accept(as, '.'))
		ret = as_swizzle(as, &reg);
	if (!ret && as_peek(as)->kind != TOK_END)
		ret = as_reg_of(as, "o", "an output register", &reg);
	else if (!ret)
		ret = free_output(as, col, &reg.num);
	if (!ret)
		ret = as_expect_end(as);
	if (ret)
		return ret;
	if (name.kind != TOK_END && as_find(&as->aliases, name.str))
		return as_error(as, name.col, "'%.*s' is already used", as_len(name.str),
				name.str.s);
	ret = wire_output(as, col, type, &reg);
	if (ret || name.kind == TOK_END)
		return ret;
	return add_alias(as, &name, 'o', reg.num, 1);
}

/*
 * .entry procedure; in listings: an address or a label, repeatedly, and for containers the
 * main procedure: its first address and its end
 */
static int dir_entry(struct as *as)
{
	const struct as_tok *t = as_peek(as);
	s64 addr, end = 0;
	u32 col = t->col;
	int ret;

	if (t->kind == TOK_NAME) {
		as->dvle->entry_name = t->str;
		as->dvle->entry_line = as->line;
		as->dvle->entry_col = t->col;
		as_next(as);
		return as_expect_end(as);
	}
	ret = as_int(as, "a procedure or an address", 0, PICA_MAX_CODE - 1, &addr);
	if (!ret && as_accept(as, ',')) {
		ret = as_int(as, "the end of the main procedure", 1, PICA_MAX_CODE, &end);
		as->dvle->entry_line = as->line;
		as->dvle->entry_col = col;
		as->dvle->entry_addr = (u32)addr;
		as->dvle->entry_end = (u32)end;
	}
	if (!ret)
		ret = as_expect_end(as);
	if (ret || end)
		return ret;
	return as_add_entry(as, (u32)addr, as->line, col);
}

static int gsh_mode(struct as *as, u32 *mode)
{
	struct as_tok t;
	int ret = as_name(as, "point, variable or fixed", &t);

	if (ret)
		return ret;
	if (as_str_is(t.str, "point"))
		*mode = VS_SHBIN_GS_POINT;
	else if (as_str_is(t.str, "variable") || as_str_is(t.str, "subdivision"))
		*mode = VS_SHBIN_GS_VARIABLE;
	else if (as_str_is(t.str, "fixed") || as_str_is(t.str, "particle"))
		*mode = VS_SHBIN_GS_FIXED;
	else
		return as_error(as, t.col, "'%.*s' is not a geometry mode (point, variable, fixed)",
				as_len(t.str), t.str.s);
	return 0;
}

static void init_gs_alloc(struct as *as, u32 first)
{
	as->gs_alloc[AS_ALLOC_C] = (struct as_alloc){ first, PICA_NUM_CONST, PICA_NUM_CONST,
						      PICA_NUM_CONST };
	as->gs_alloc[AS_ALLOC_I] = (struct as_alloc){ 0, PICA_NUM_INT, PICA_NUM_INT,
						      PICA_NUM_INT };
	/* b15 belongs to the unit. */
	as->gs_alloc[AS_ALLOC_B] = (struct as_alloc){ 0, PICA_NUM_BOOL - 1, PICA_NUM_BOOL - 1,
						      PICA_NUM_BOOL - 1 };
}

/* .gsh point c; .gsh variable c n; .gsh fixed c start n; .gsh */
static int dir_gsh(struct as *as, u32 col)
{
	struct as_dvle *d = as->dvle;
	struct as_reg first, start;
	u32 mode = 0;
	s64 count = 0;
	int ret;

	if (as_peek(as)->kind == TOK_END) {
		d->geometry = true;
		return 0;
	}
	if (d->geometry)
		return as_error(as, col, "this is a geometry program already");
	if (d->nconsts || d->nuniforms || d->nouts)
		return as_error(as, col, ".gsh must come before constants, uniforms and outputs");
	ret = gsh_mode(as, &mode);
	if (!ret)
		ret = as_reg_of(as, "c", "the first free float uniform", &first);
	if (!ret && mode == VS_SHBIN_GS_FIXED)
		ret = as_reg_of(as, "c", "the first float uniform of the vertices", &start);
	if (!ret && mode != VS_SHBIN_GS_POINT)
		ret = as_int(as, "a number of vertices", 0, 255, &count);
	if (!ret)
		ret = as_expect_end(as);
	if (ret)
		return ret;
	if (mode == VS_SHBIN_GS_FIXED && start.num >= first.num)
		return as_error(as, start.col, "c%u is within the uniforms left to the program",
				start.num);
	d->geometry = true;
	d->own_space = true;
	d->gs_mode = mode;
	d->gs_start = mode == VS_SHBIN_GS_FIXED ? start.num : 0;
	d->gs_count = (u32)count;
	init_gs_alloc(as, first.num);
	return 0;
}

static int dir_nodvle(struct as *as)
{
	as->dvle->none = true;
	return as_expect_end(as);
}

/* .word value: raw instruction word */
static int dir_word(struct as *as)
{
	s64 word;
	int ret;

	ret = as_int(as, "a 32-bit word", 0, 0xffffffffLL, &word);
	if (!ret)
		ret = as_expect_end(as);
	as->last_was_end = false;
	return ret ? ret : as_put_word(as, (u32)word, false);
}

/* .opdesc number, value: raw operand descriptor */
static int dir_opdesc(struct as *as)
{
	u32 col = as_peek(as)->col;
	s64 n, word;
	int ret;

	ret = as_int(as, "a descriptor number", 0, PICA_MAX_OPDESC - 1, &n);
	if (!ret)
		ret = as_expect(as, ',', "and the descriptor");
	if (!ret)
		ret = as_int(as, "a 32-bit word", 0, 0xffffffffLL, &word);
	if (!ret)
		ret = as_expect_end(as);
	if (ret)
		return ret;
	if (n != as->nopdesc)
		return as_error(as, col, "descriptors are given in order, the next one is %u",
				as->nopdesc);
	if (as->nopdesc && !as->desc_fixed[as->nopdesc - 1])
		return as_error(as, col, ".opdesc must come before the first instruction");
	as->opdesc[n] = (u32)word;
	as->opmask[n] = ~0u;
	as->desc_fixed[n] = true;
	as->nopdesc++;
	return 0;
}

int as_directive(struct as *as, const struct as_tok *name)
{
	struct as_str s = name->str;
	u32 col = name->col;

	if (as_str_is(s, "proc"))
		return dir_proc(as, col);
	if (as_str_is(s, "else"))
		return dir_else(as, col);
	if (as_str_is(s, "end"))
		return dir_end(as, col);
	if (as_str_is(s, "alias"))
		return dir_alias(as, col);
	if (as_str_is(s, "fvec"))
		return dir_uniforms(as, 'c');
	if (as_str_is(s, "ivec"))
		return dir_uniforms(as, 'i');
	if (as_str_is(s, "bool"))
		return dir_uniforms(as, 'b');
	if (as_str_is(s, "constf"))
		return dir_const(as, VS_SHBIN_FLOAT);
	if (as_str_is(s, "consti"))
		return dir_const(as, VS_SHBIN_INT);
	if (as_str_is(s, "constfa"))
		return dir_constfa(as, col);
	if (as_str_is(s, "setf"))
		return dir_set(as, VS_SHBIN_FLOAT);
	if (as_str_is(s, "seti"))
		return dir_set(as, VS_SHBIN_INT);
	if (as_str_is(s, "setb"))
		return dir_setb(as);
	if (as_str_is(s, "in"))
		return dir_in(as);
	if (as_str_is(s, "out"))
		return dir_out(as);
	if (as_str_is(s, "entry"))
		return dir_entry(as);
	if (as_str_is(s, "gsh"))
		return dir_gsh(as, col);
	if (as_str_is(s, "nodvle"))
		return dir_nodvle(as);
	if (as_str_is(s, "word"))
		return dir_word(as);
	if (as_str_is(s, "opdesc"))
		return dir_opdesc(as);
	return as_error(as, col, "'.%.*s' is not a directive", as_len(s), s.s);
}
