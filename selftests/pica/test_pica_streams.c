// SPDX-License-Identifier: GPL-2.0
/*
 * Attribute, index and output streams of vertex jobs on every build of the engine:
 * formats, component counts, indices, instances, strides, extents that end in the middle,
 * and faults at unmapped addresses.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../include/tap.h"
#include "engine_run.h"
#include "options.h"
#include "vectors.h"

#define NUM_MODELS	3
#define FAULT_OUTPUT	16
#define FAULT_INDEX	32

static enum vs_simd simd;

/* o0 = v0, o1 = v1, o2 = v2 */
static const uint32_t copy_code[] = {
	I1(MOV, O(0), 0, V(0), 0, 0),
	I1(MOV, O(1), 0, V(1), 0, 0),
	I1(MOV, O(2), 0, V(2), 0, 0),
	I0(END),
};

static const uint32_t copy_desc[] = { DESC_PLAIN(0xf) };

/* A launch of the copying program under construction. */
struct copy {
	struct engine_mem mem;
	struct vs_program *prog;
	struct vs_launch l;
	struct pica_launch pl;
	u32 *unif;
	struct engine_done done;
};

static void copy_init(struct copy *c, enum pica_ref_model model)
{
	struct pica_ref_program p = {
		.code = copy_code, .ncode = 4, .opdesc = copy_desc, .nopdesc = 1,
		.stage = PICA_REF_VERTEX, .model = model,
	};
	static const struct pica_ref_uniforms none;
	enum pica_ref_status refusal;
	char why[100];

	memset(c, 0, sizeof(*c));
	if (engine_program(&p, &c->prog, &refusal, why, sizeof(why)))
		abort();
	engine_block(&p, &none, &c->pl);
	c->l.instances = 1;
}

static void copy_attr(struct copy *c, u64 va, u32 stride, u32 divisor, u32 format, u32 ncomp)
{
	c->l.attr[c->l.nattr] = (struct vs_stream){
		.va = va, .stride = stride, .divisor = divisor, .format = (u8)format,
		.reg = (u8)c->l.nattr, .ncomp = (u8)ncomp,
	};
	c->l.nattr++;
}

static void copy_out(struct copy *c, u64 va, u32 stride, u32 format, u32 reg, u32 ncomp)
{
	c->l.out[c->l.nout++] = (struct vs_stream){
		.va = va, .stride = stride, .format = (u8)format, .reg = (u8)reg,
		.ncomp = (u8)ncomp,
	};
}

static bool copy_run(struct copy *c)
{
	struct engine_how how = { .simd = simd, .budget = 1ull << 40 };
	const char *what;

	free(c->unif);
	c->unif = calloc(c->prog->prog->nunif, sizeof(*c->unif));
	if (!c->unif)
		abort();
	if (pica_launch_fill(c->prog, &c->pl, &c->l, 0, c->unif, &what)) {
		tap_comment("refused: %s", what);
		return false;
	}
	engine_run(&c->mem.map, &c->l, &how, &c->done);
	return c->done.fault.kind == VS_FAULT_NONE;
}

static void copy_fini(struct copy *c)
{
	engine_mem_free(&c->mem);
	vs_program_destroy(c->prog);
	free(c->unif);
}

/* Formats */

static const struct {
	const char *name;
	u32 format;
	u32 size;
	u32 count;	/* number of values: all, or that many random ones */
} formats[] = {
	{ "s8", VS_FMT_S8, 1, 256 },
	{ "u8", VS_FMT_U8, 1, 256 },
	{ "s16", VS_FMT_S16, 2, 65536 },
	{ "u16", VS_FMT_U16, 2, 65536 },
	{ "f16", VS_FMT_F16, 2, 65536 },
	{ "f24", VS_FMT_F24, 4, 40000 },
	{ "f32", VS_FMT_F32, 4, 40000 },
};

#define NUM_FORMATS	(sizeof(formats) / sizeof(formats[0]))

static uint32_t draw(uint64_t *state)
{
	*state = *state * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(*state >> 32);
}

static u32 raw_value(unsigned int f, u32 i, uint64_t *state)
{
	static const u32 special[] = { F0, N0, F1, FINF, MINF, FNAN, SUB24, MIN24, MAX24, 1 };
	u32 r;

	if (formats[f].size < 4)
		return i;
	r = draw(state);
	if (formats[f].format == VS_FMT_F24) {
		/* The top byte is ignored. Often the smallest and the largest exponent. */
		if (i % 4 == 0)
			r &= ~0x7f0000u;
		else if (i % 4 == 1)
			r |= 0x7f0000;
		return r;
	}
	return i % 16 ? r : special[i / 16 % (sizeof(special) / sizeof(special[0]))];
}

/* Value of a raw component in a register of the model. */
static float meaning(u32 format, u32 raw, enum pica_ref_model model)
{
	float v;

	switch (format) {
	case VS_FMT_S8:
		v = (float)(int8_t)raw;
		break;
	case VS_FMT_U8:
		v = (float)(uint8_t)raw;
		break;
	case VS_FMT_S16:
		v = (float)(int16_t)raw;
		break;
	case VS_FMT_U16:
		v = (float)(uint16_t)raw;
		break;
	case VS_FMT_F16:
		v = pica_ref_unpack(raw & 0xffff, 5, 10);
		break;
	case VS_FMT_F24:
		v = pica_ref_unpack(raw & 0xffffff, 7, 16);
		break;
	default:
		v = pica_ref_from_bits(raw);
		break;
	}
	return pica_ref_load(model, pica_ref_to_bits(v));
}

static bool is_value(u32 got, float want)
{
	if (isnan(want))
		return isnan(pica_ref_from_bits(got));
	return got == pica_ref_to_bits(want);
}

static u32 raw_at(const u8 *p, u32 size)
{
	u32 v = 0;

	memcpy(&v, p, size);
	return v;
}

/* All values of a format through v0, with @ncomp components and some space between. */
static bool format_case(unsigned int f, u32 ncomp, enum pica_ref_model model, char *why,
			size_t room)
{
	static const float fill[4] = { 0, 0, 0, 1 };
	u32 size = formats[f].size, n = DIV_ROUND_UP(formats[f].count, ncomp), i, k;
	u32 stride = size * (ncomp + (ncomp == 3));
	uint64_t state = f * 77 + ncomp;
	u64 va, out_va;
	struct copy c;
	bool ok = true;
	u8 *in;
	u32 *out;

	copy_init(&c, model);
	/* Exactly the bytes read: the last element ends with the extent. */
	in = engine_alloc(&c.mem, (size_t)(n - 1) * stride + size * ncomp, &va);
	for (i = 0; i < n; i++) {
		for (k = 0; k < ncomp; k++) {
			u32 raw = raw_value(f, i * ncomp + k, &state);

			memcpy(in + (size_t)i * stride + k * size, &raw, size);
		}
	}
	out = engine_alloc(&c.mem, (size_t)n * 16, &out_va);
	copy_attr(&c, va, stride, 0, formats[f].format, ncomp);
	copy_out(&c, out_va, 16, VS_FMT_F32, 0, 4);
	c.l.count = n;
	if (!copy_run(&c)) {
		snprintf(why, room, "fault %u at %llx", c.done.fault.kind,
			 (unsigned long long)c.done.fault.address);
		ok = false;
	}
	for (i = 0; i < 4 * n && ok; i++) {
		u32 comp = i % 4, raw = 0;
		float want = fill[comp];

		if (comp < ncomp) {
			raw = raw_at(in + (size_t)(i / 4) * stride + comp * size, size);
			want = meaning(formats[f].format, raw, model);
		}
		if (is_value(out[i], want))
			continue;
		snprintf(why, room, "element %u.%c, raw %x: %08x, want %08x", i / 4,
			 "xyzw"[comp], raw, out[i], pica_ref_to_bits(want));
		ok = false;
	}
	copy_fini(&c);
	return ok;
}

static void test_formats(void)
{
	char why[160] = "";
	unsigned int f, ncomp, m;
	bool ok;

	for (f = 0; f < NUM_FORMATS; f++) {
		ok = true;
		for (m = 0; m < NUM_MODELS && ok; m++)
			for (ncomp = 1; ncomp <= 4 && ok; ncomp++)
				ok = format_case(f, ncomp, (enum pica_ref_model)m, why,
						 sizeof(why));
		if (!tap_result(ok, "%s: attributes of format %s, 1 to 4 components",
				vs_simd_name(simd), formats[f].name))
			tap_comment("  %s, %u components: %s",
				    pica_model_name((enum pica_ref_model)(m - 1)), ncomp - 1, why);
	}
}

/* The binary32 model passes raw words unchanged, even signalling NaNs. */
static void test_raw(void)
{
	u64 va, out_va;
	struct copy c;
	bool ok;
	u32 *in, *out, i;

	copy_init(&c, PICA_REF_F32);
	in = engine_alloc(&c.mem, 1000 * 16, &va);
	out = engine_alloc(&c.mem, 1000 * 16, &out_va);
	for (i = 0; i < 4000; i++)
		in[i] = i * 0x9e3779b9u;
	in[77] = 0x7f800001;
	in[78] = 0xffbfffff;
	copy_attr(&c, va, 16, 0, VS_FMT_U32, 4);
	copy_out(&c, out_va, 16, VS_FMT_U32, 0, 4);
	c.l.count = 1000;
	ok = copy_run(&c);
	for (i = 0; i < 4000 && ok; i++)
		ok = in[i] == out[i];
	if (!tap_result(ok, "%s: raw words pass through binary32 registers", vs_simd_name(simd)))
		tap_comment("  word %u: %08x, want %08x", i - 1, out[i - 1], in[i - 1]);
	copy_fini(&c);
}

/* Outputs */

static bool output_case(u32 format, u32 ncomp, u32 stride, enum pica_ref_model model)
{
	u32 n = 64 * 3 + 19, i, k;
	u64 va, out_va;
	struct copy c;
	bool ok;
	u32 *in;
	u8 *out;

	copy_init(&c, model);
	in = engine_alloc(&c.mem, n * 16, &va);
	for (i = 0; i < 4 * n; i++)
		in[i] = 0x3f800000u + (i % 3 ? i * 0x10380u : i << 31) + i;
	out = engine_alloc(&c.mem, (n - 1) * stride + 4 * ncomp, &out_va);
	memset(out, 0xee, (n - 1) * stride + 4 * ncomp);
	copy_attr(&c, va, 16, 0, VS_FMT_F32, 4);
	copy_out(&c, out_va, stride, format, 0, ncomp);
	c.l.count = n;
	ok = copy_run(&c);
	for (i = 0; i < n && ok; i++) {
		for (k = 0; k < ncomp && ok; k++) {
			float v = pica_ref_load(model, in[4 * i + k]);
			u32 got = raw_at(out + (size_t)i * stride + 4 * k, 4);

			ok = got == (format == VS_FMT_F24 ? pica_ref_pack24(v) :
				     pica_ref_to_bits(v));
		}
		/* Bytes between elements are not written. */
		for (k = 4 * ncomp; k < stride && i + 1 < n && ok; k++)
			ok = out[(size_t)i * stride + k] == 0xee;
	}
	copy_fini(&c);
	return ok;
}

static void test_outputs(void)
{
	static const struct {
		u32 format;
		const char *name;
	} out[] = { { VS_FMT_F32, "f32" }, { VS_FMT_F24, "f24" } };
	unsigned int f, ncomp, stride, m, bad = 0;

	for (f = 0; f < 2; f++) {
		for (ncomp = 1; ncomp <= 4; ncomp++)
			for (stride = 4 * ncomp; stride <= 28; stride += 4)
				for (m = 0; m < NUM_MODELS; m++)
					bad += !output_case(out[f].format, ncomp, stride,
							    (enum pica_ref_model)m);
		tap_result(!bad, "%s: outputs of format %s, components and strides, %u wrong",
			   vs_simd_name(simd), out[f].name, bad);
	}
}

/* Which element each invocation sees */

static u32 index_value(const void *p, u32 size, u32 i)
{
	if (size == 1)
		return ((const u8 *)p)[i];
	return size == 2 ? ((const u16 *)p)[i] : ((const u32 *)p)[i];
}

/*
 * Element e of a stream holds the value e. v0 per vertex, v1 per instance,
 * v2 per three instances.
 */
static bool fetch_case(u32 index_size, u32 count, u32 instances, u32 first, u32 *bad)
{
	u32 total = count * instances, elems = 700, i, e, *in, *out;
	u64 va, out_va;
	struct copy c;
	void *idx;
	bool ok;

	copy_init(&c, PICA_REF_F24_TRUNC);
	in = engine_alloc(&c.mem, elems * 4, &va);
	for (i = 0; i < elems; i++)
		in[i] = pica_ref_to_bits((float)i);
	out = engine_alloc(&c.mem, total * 12, &out_va);
	idx = engine_alloc(&c.mem, (size_t)count * (index_size ? index_size : 1), &c.l.index_va);
	for (i = 0; i < count && index_size; i++) {
		e = i * 7919 % 251;
		memcpy((u8 *)idx + (size_t)i * index_size, &e, index_size);
	}
	c.l.index_size = index_size;
	c.l.count = count;
	c.l.instances = instances;
	c.l.first = first;
	copy_attr(&c, va, 4, 0, VS_FMT_F32, 1);
	copy_attr(&c, va, 4, 1, VS_FMT_F32, 1);
	copy_attr(&c, va, 4, 3, VS_FMT_F32, 1);
	for (i = 0; i < 3; i++)
		copy_out(&c, out_va + 4 * i, 12, VS_FMT_F32, i, 1);
	ok = copy_run(&c);
	for (i = 0; i < total && ok; i++) {
		e = first + (index_size ? index_value(idx, index_size, i % count) : i % count);
		ok = out[3 * i] == pica_ref_to_bits((float)e) &&
		     out[3 * i + 1] == pica_ref_to_bits((float)(i / count)) &&
		     out[3 * i + 2] == pica_ref_to_bits((float)(i / count / 3));
		*bad = i;
	}
	copy_fini(&c);
	return ok;
}

static void test_fetch(void)
{
	static const u32 counts[] = { 1, 3, 63, 64, 65, 128, 200, 333 };
	static const u32 sizes[] = { 0, 1, 2, 4 };
	static const u32 instances[] = { 1, 2, 7, 70 };
	static const u32 firsts[] = { 0, 5, 300 };
	unsigned int s, n, i, f;
	u32 bad = 0;
	bool ok;

	for (s = 0; s < 4; s++) {
		ok = true;
		for (n = 0; n < 8 && ok; n++)
			for (i = 0; i < 4 && ok; i++)
				for (f = 0; f < 3 && ok; f++)
					ok = fetch_case(sizes[s], counts[n], instances[i],
							firsts[f], &bad);
		if (!tap_result(ok, "%s: elements with indices of %u bytes, instances, divisors",
				vs_simd_name(simd), sizes[s]))
			tap_comment("  count %u, instances %u, first %u: invocation %u",
				    counts[n - 1], instances[i - 1], firsts[f - 1], bad);
	}
}

/* Memory that ends, has holes, or is not there */

/* Attribute of 16 bytes with memory for @mapped of @count elements; the first fault. */
static void edge_case(struct copy *c, u32 count, u64 mapped, s64 shift, u32 format, u32 ncomp)
{
	u64 va, out_va;

	copy_init(c, PICA_REF_F32);
	engine_alloc(&c->mem, mapped, &va);
	engine_alloc(&c->mem, count * 16, &out_va);
	copy_attr(c, va + shift, 16, 0, format, ncomp);
	copy_out(c, out_va, 16, VS_FMT_F32, 0, 4);
	c->l.count = count;
	copy_run(c);
}

static void test_read_faults(void)
{
	static const u32 counts[] = { 1, 64, 70, 200, 1000 };
	struct copy c;
	unsigned int i;
	bool ok = true;

	for (i = 0; i < 5; i++) {
		u32 n = counts[i];

		/* Exactly enough, and one byte less. */
		edge_case(&c, n, 16 * n, 0, VS_FMT_F32, 4);
		ok = ok && !c.done.fault.kind;
		copy_fini(&c);
		edge_case(&c, n, 16 * n - 12, 0, VS_FMT_F32, 1);
		ok = ok && !c.done.fault.kind;
		copy_fini(&c);
		edge_case(&c, n, 16 * n - 1, 0, VS_FMT_F32, 4);
		ok = ok && c.done.fault.kind == VS_FAULT_READ && c.done.fault.stream == 0 &&
		     c.done.fault.invocation == n - 1 && c.done.fault.pc == ~0u &&
		     c.done.fault.address == ENGINE_VA + 16 * n - 1;
		if (!ok)
			tap_comment("%u elements: fault %u, invocation %llu, address %llx", n,
				    c.done.fault.kind, (unsigned long long)c.done.fault.invocation,
				    (unsigned long long)c.done.fault.address);
		copy_fini(&c);
		if (!ok)
			break;
	}
	tap_result(ok, "%s: attributes that end past the memory", vs_simd_name(simd));

	edge_case(&c, 100, 1600, -16, VS_FMT_F32, 4);
	tap_result(c.done.fault.kind == VS_FAULT_READ && c.done.fault.invocation == 0 &&
		   c.done.fault.address == ENGINE_VA - 16,
		   "%s: attributes that begin in front of the memory", vs_simd_name(simd));
	copy_fini(&c);
	edge_case(&c, 100, 1600, -(s64)ENGINE_VA - 32, VS_FMT_F32, 4);
	tap_result(c.done.fault.kind == VS_FAULT_READ && c.done.fault.invocation == 0,
		   "%s: attributes around the end of the address space", vs_simd_name(simd));
	copy_fini(&c);
	edge_case(&c, 100, 1616, 2, VS_FMT_F32, 4);
	tap_result(c.done.fault.kind == VS_FAULT_MISALIGNED && c.done.fault.stream == 0 &&
		   c.done.fault.address == ENGINE_VA + 2,
		   "%s: misaligned binary32 attribute", vs_simd_name(simd));
	copy_fini(&c);
	edge_case(&c, 100, 1616, 1, VS_FMT_S16, 2);
	tap_result(c.done.fault.kind == VS_FAULT_MISALIGNED, "%s: misaligned s16 attribute",
		   vs_simd_name(simd));
	copy_fini(&c);
	edge_case(&c, 100, 1616, 3, VS_FMT_U8, 4);
	tap_result(!c.done.fault.kind, "%s: bytes need no alignment", vs_simd_name(simd));
	copy_fini(&c);
}

/* Two adjacent extents: elements may straddle them, memory after them may not be read. */
static void test_extents(void)
{
	u64 va, other, out_va, i;
	struct copy c;
	bool ok;
	u32 *a, *b, *out;

	copy_init(&c, PICA_REF_F32);
	a = engine_alloc(&c.mem, 1000, &va);
	b = engine_alloc(&c.mem, 1000, &other);
	c.mem.ext[1].lo = c.mem.ext[0].hi;
	c.mem.ext[1].hi = c.mem.ext[1].lo + 1000;
	out = engine_alloc(&c.mem, 125 * 16, &out_va);
	for (i = 0; i < 250; i++) {
		a[i] = pica_ref_to_bits((float)i);
		b[i] = pica_ref_to_bits((float)(250 + i));
	}
	/* 16-byte rows; 1000 is not a multiple of 16. */
	copy_attr(&c, va, 16, 0, VS_FMT_F32, 4);
	copy_out(&c, out_va, 16, VS_FMT_F32, 0, 4);
	c.l.count = 125;
	ok = copy_run(&c);
	for (i = 0; i < 500 && ok; i++)
		ok = out[i] == pica_ref_to_bits((float)i);
	tap_result(ok, "%s: an attribute over two extents", vs_simd_name(simd));
	copy_fini(&c);

	copy_init(&c, PICA_REF_F32);
	a = engine_alloc(&c.mem, 500 * 4, &va);
	for (i = 0; i < 500; i++)
		a[i] = pica_ref_to_bits((float)i);
	engine_alloc(&c.mem, 1000, &out_va);
	engine_alloc(&c.mem, 1000, &other);
	c.mem.ext[2].lo = c.mem.ext[1].hi;
	c.mem.ext[2].hi = c.mem.ext[2].lo + 1000;
	copy_attr(&c, va, 16, 0, VS_FMT_F32, 4);
	copy_out(&c, out_va, 16, VS_FMT_F32, 0, 4);
	c.l.count = 125;
	ok = copy_run(&c);
	for (i = 0; i < 250 && ok; i++)
		ok = ((u32 *)c.mem.ext[1].kva)[i] == pica_ref_to_bits((float)i) &&
		     ((u32 *)c.mem.ext[2].kva)[i] == pica_ref_to_bits((float)(250 + i));
	tap_result(ok, "%s: an output over two extents", vs_simd_name(simd));
	copy_fini(&c);
}

static void write_fault(const char *name, u64 mapped, u32 flags, s64 shift, u32 kind, u64 inv)
{
	u64 va, out_va;
	struct copy c;
	bool ok;

	copy_init(&c, PICA_REF_F24_TRUNC);
	engine_alloc(&c.mem, 200 * 16, &va);
	engine_alloc(&c.mem, mapped, &out_va);
	c.mem.ext[1].flags = flags;
	copy_attr(&c, va, 16, 0, VS_FMT_F32, 4);
	copy_out(&c, out_va, 16, VS_FMT_F32, 1, 4);
	copy_out(&c, out_va + shift, 16, VS_FMT_F32, 0, 4);
	if (shift) {
		c.l.out[0] = c.l.out[1];
		c.l.nout = 1;
	}
	c.l.count = 200;
	copy_run(&c);
	ok = c.done.fault.kind == kind && c.done.fault.stream == FAULT_OUTPUT &&
	     c.done.fault.invocation == inv;
	if (!tap_result(ok, "%s: %s", vs_simd_name(simd), name))
		tap_comment("  fault %u, stream %u, invocation %llu, address %llx",
			    c.done.fault.kind, c.done.fault.stream,
			    (unsigned long long)c.done.fault.invocation,
			    (unsigned long long)c.done.fault.address);
	copy_fini(&c);
}

static void test_index_faults(void)
{
	u64 va, out_va, idx_va;
	struct copy c;
	unsigned int i;
	u32 *idx;

	for (i = 0; i < 3; i++) {
		copy_init(&c, PICA_REF_F32);
		engine_alloc(&c.mem, 100 * 16, &va);
		engine_alloc(&c.mem, 200 * 16, &out_va);
		idx = engine_alloc(&c.mem, i == 0 ? 199 * 4 : 201 * 4, &idx_va);
		/* An index out of the attribute's memory: a read fault of the attribute. */
		if (i == 2)
			idx[150] = 100;
		copy_attr(&c, va, 16, 0, VS_FMT_F32, 4);
		copy_out(&c, out_va, 16, VS_FMT_F32, 0, 4);
		c.l.index_va = idx_va + (i == 1 ? 2 : 0);
		c.l.index_size = 4;
		c.l.count = 200;
		copy_run(&c);
		if (i == 0)
			tap_result(c.done.fault.kind == VS_FAULT_READ &&
				   c.done.fault.stream == FAULT_INDEX &&
				   c.done.fault.invocation == 199,
				   "%s: indices that end past the memory", vs_simd_name(simd));
		else if (i == 1)
			tap_result(c.done.fault.kind == VS_FAULT_MISALIGNED &&
				   c.done.fault.stream == FAULT_INDEX,
				   "%s: misaligned indices", vs_simd_name(simd));
		else
			tap_result(c.done.fault.kind == VS_FAULT_READ &&
				   c.done.fault.stream == 0 && c.done.fault.invocation == 150 &&
				   c.done.fault.address == va + 1600,
				   "%s: an index past the attribute", vs_simd_name(simd));
		copy_fini(&c);
	}
}

static void test_write_faults(void)
{
	write_fault("outputs that end past the memory", 199 * 16, VS_EXT_WRITE, 0,
		    VS_FAULT_WRITE, 199);
	write_fault("outputs in memory that is read only", 200 * 16, 0, 0, VS_FAULT_WRITE, 0);
	write_fault("misaligned output", 201 * 16, VS_EXT_WRITE, 2, VS_FAULT_MISALIGNED, 0);
	write_fault("outputs in front of the memory", 200 * 16, VS_EXT_WRITE, -16,
		    VS_FAULT_WRITE, 0);
}

/* No vertices: no work, no fault. */
static void test_empty(void)
{
	struct copy c;
	u64 va;

	copy_init(&c, PICA_REF_F32);
	engine_alloc(&c.mem, 16, &va);
	copy_attr(&c, 0xdead0000, 16, 0, VS_FMT_F32, 4);
	copy_out(&c, 0xdead0000, 16, VS_FMT_F32, 0, 4);
	c.l.count = 0;
	tap_result(copy_run(&c) && !c.done.invocations, "%s: a job of no vertices",
		   vs_simd_name(simd));
	copy_fini(&c);
}

/* Registers that no stream fills read zero, also after a job that filled them. */
static void test_missing(void)
{
	u64 va, out_va;
	struct copy c;
	u32 *in, *out, i;
	bool ok;

	copy_init(&c, PICA_REF_F24_NEAREST);
	in = engine_alloc(&c.mem, 100 * 16, &va);
	out = engine_alloc(&c.mem, 100 * 32, &out_va);
	for (i = 0; i < 400; i++)
		in[i] = F2;
	copy_attr(&c, va, 16, 0, VS_FMT_F32, 4);
	copy_out(&c, out_va, 32, VS_FMT_F32, 0, 4);
	copy_out(&c, out_va + 16, 32, VS_FMT_F32, 2, 4);
	c.l.count = 100;
	ok = copy_run(&c);
	for (i = 0; i < 800 && ok; i++)
		ok = out[i] == (i / 4 % 2 ? F0 : F2);
	tap_result(ok, "%s: an input without a stream is zero", vs_simd_name(simd));
	copy_fini(&c);
}

int main(int argc, char **argv)
{
	struct pica_options opt;

	pica_options_parse(argc, argv, &opt);
	for (simd = 0; simd < VS_NUM_SIMD; simd++) {
		if (!(vs_simd_mask() >> simd & 1))
			continue;
		test_formats();
		test_raw();
		test_outputs();
		test_fetch();
		test_read_faults();
		test_extents();
		test_write_faults();
		test_index_faults();
		test_empty();
		test_missing();
	}
	return tap_done();
}
