// SPDX-License-Identifier: MIT
/*
 * DVLB_*, shader*: programs in SHBIN containers, and the commands that select them.
 */
#include <stdlib.h>
#include <string.h>

#include "gx_priv.h"

#define DVLB_MAGIC	0x424c5644u
#define DVLP_MAGIC	0x504c5644u
#define DVLE_MAGIC	0x454c5644u
#define DVLE_WORDS	16u
#define DVLP_WORDS	6u
#define UNMAPPED	0x1f1f1f1fu	/* semantics of an unused output */
#define MAX_OUTPUTS	7u
#define VERTEX_CODE	512u		/* words that the vertex units have room for */
#define FIRST_FLOAT	0x10u		/* registers of uniforms before: inputs */

/** struct bin - a container */
struct bin {
	u32 *w;
	u32 size;
};

/* Return: @size bytes at an offset from word @base; NULL: they are not all there. */
static u32 *part(const struct bin *b, u32 base, u32 offset, u64 size)
{
	u64 at = 4ull * base + offset;

	return at % 4 || at > b->size || size > b->size - at ? NULL : b->w + at / 4;
}

/* ---- container ---- */

static bool read_tables(const struct bin *b, u32 at, DVLE_s *d)
{
	const u32 *e = b->w + at;
	u32 i;

	d->constTableSize = e[7];
	d->constTableData = (DVLE_constEntry_s *)part(b, at, e[6], 20ull * e[7]);
	d->outTableSize = e[11];
	d->outTableData = (DVLE_outEntry_s *)part(b, at, e[10], 8ull * e[11]);
	d->uniformTableSize = e[13];
	d->uniformTableData = (DVLE_uniformEntry_s *)part(b, at, e[12], 8ull * e[13]);
	d->symbolTableData = (char *)part(b, at, e[14], e[15]);
	if (!d->constTableData || !d->outTableData || !d->uniformTableData || !d->symbolTableData)
		return false;
	if (e[15] && d->symbolTableData[e[15] - 1])
		return false;
	for (i = 0; i < d->uniformTableSize; i++) {
		if (d->uniformTableData[i].symbolOffset >= e[15])
			return false;
	}
	for (i = 0; i < d->outTableSize; i++) {
		if (d->outTableData[i].regID > 15)
			return false;
	}
	return true;
}

static bool read_program(const struct bin *b, u32 offset, DVLP_s *dvlp, DVLE_s *d)
{
	const u32 *e = part(b, 0, offset, 4 * DVLE_WORDS);

	if (!e || e[0] != DVLE_MAGIC || (e[1] >> 16 & 0xff) > GEOMETRY_SHDR)
		return false;
	d->dvlp = dvlp;
	d->type = (DVLE_type)(e[1] >> 16 & 0xff);
	d->mergeOutmaps = e[1] >> 24 & 1;
	d->mainOffset = e[2];
	d->endmainOffset = e[3];
	if (d->type == GEOMETRY_SHDR) {
		d->gshMode = (DVLE_geoShaderMode)(e[5] & 0xff);
		d->gshFixedVtxStart = e[5] >> 8;
		d->gshVariableVtxNum = e[5] >> 16;
		d->gshFixedVtxNum = e[5] >> 24;
	}
	if (!read_tables(b, offset / 4, d))
		return false;
	DVLE_GenerateOutmap(d);
	return true;
}

/* Operand descriptors are pairs of words, the first of which counts. */
static bool read_code(const struct bin *b, u32 at, DVLP_s *p)
{
	const u32 *w = part(b, at, 0, 4 * DVLP_WORDS), *desc;
	u32 i;

	if (!w || w[0] != DVLP_MAGIC)
		return false;
	p->codeSize = w[3];
	p->codeData = part(b, at, w[2], 4ull * w[3]);
	p->opdescSize = w[5];
	desc = part(b, at, w[4], 8ull * w[5]);
	if (!p->codeData || !desc)
		return false;
	p->opcdescData = calloc(p->opdescSize + 1, sizeof(u32));
	if (!p->opcdescData)
		return false;
	for (i = 0; i < p->opdescSize; i++)
		p->opcdescData[i] = desc[2 * i];
	return true;
}

static bool read_all(const struct bin *b, DVLB_s *d)
{
	u32 i;

	if (b->size < 8 || b->w[0] != DVLB_MAGIC || b->w[1] > b->size / 4 - 2)
		return false;
	d->numDVLE = b->w[1];
	d->DVLE = calloc(d->numDVLE + 1, sizeof(*d->DVLE));
	if (!d->DVLE || !read_code(b, 2 + d->numDVLE, &d->DVLP))
		return false;
	for (i = 0; i < d->numDVLE; i++) {
		if (!read_program(b, b->w[2 + i], &d->DVLP, &d->DVLE[i]))
			return false;
	}
	return true;
}

DVLB_s *DVLB_ParseFile(u32 *shbinData, u32 shbinSize)
{
	struct bin b = { .w = shbinData, .size = shbinSize };
	DVLB_s *d = shbinData ? calloc(1, sizeof(*d)) : NULL;

	if (d && !read_all(&b, d)) {
		gx_say("DVLB_ParseFile: %u bytes are no SHBIN", shbinSize);
		DVLB_Free(d);
		d = NULL;
	}
	return d;
}

void DVLB_Free(DVLB_s *dvlb)
{
	if (!dvlb)
		return;
	free(dvlb->DVLP.opcdescData);
	free(dvlb->DVLE);
	free(dvlb);
}

s8 DVLE_GetUniformRegister(DVLE_s *dvle, const char *name)
{
	const DVLE_uniformEntry_s *u;
	u32 i;

	for (i = 0; dvle && name && i < dvle->uniformTableSize; i++) {
		u = &dvle->uniformTableData[i];
		if (!strcmp(dvle->symbolTableData + u->symbolOffset, name))
			return (s8)((int)u->startReg - (int)FIRST_FLOAT);
	}
	return -1;
}

/** struct semantic - of an output: first value, components, bits of OUTATTR_CLOCK */
struct semantic {
	u8 first;
	u8 num;
	u32 clock;
	bool texture;
};

static const struct semantic semantics[] = {
	[RESULT_POSITION] = { 0x00, 4, 0, false },
	[RESULT_NORMALQUAT] = { 0x04, 4, BIT(24), false },
	[RESULT_COLOR] = { 0x08, 4, BIT(1), false },
	[RESULT_TEXCOORD0] = { 0x0c, 2, BIT(8), true },
	[RESULT_TEXCOORD0W] = { 0x10, 1, BIT(16), true },
	[RESULT_TEXCOORD1] = { 0x0e, 2, BIT(9), true },
	[RESULT_TEXCOORD2] = { 0x16, 2, BIT(10), true },
	[RESULT_VIEW] = { 0x12, 3, BIT(24), false },
};

#define NUM_SEMANTICS (sizeof(semantics) / sizeof(semantics[0]))

/* The depth's clock runs if the third component of the position is written. */
static void map_output(DVLE_s *d, const DVLE_outEntry_s *o)
{
	u32 used = 0, shift, *map = &d->outmapData[o->regID + 1];
	const struct semantic *s;

	if (o->type >= NUM_SEMANTICS || !semantics[o->type].num)
		return;
	s = &semantics[o->type];
	d->outmapClock |= s->clock;
	d->outmapMode |= s->texture;
	for (shift = 0; shift < 32 && used < s->num; shift += 8) {
		if (!(o->mask & 1u << (shift / 8)))
			continue;
		*map = (*map & ~(0xffu << shift)) | (s->first + used++) << shift;
		if (o->type == RESULT_POSITION && used == 3)
			d->outmapClock |= BIT(0);
	}
}

void DVLE_GenerateOutmap(DVLE_s *dvle)
{
	const DVLE_outEntry_s *o;
	u32 i;

	if (!dvle)
		return;
	for (i = 1; i < 8; i++)
		dvle->outmapData[i] = UNMAPPED;
	dvle->outmapData[0] = 0;
	dvle->outmapMask = 0;
	dvle->outmapMode = 0;
	dvle->outmapClock = 0;
	for (i = 0; i < dvle->outTableSize; i++) {
		o = &dvle->outTableData[i];
		if (o->regID >= MAX_OUTPUTS)
			continue;
		dvle->outmapData[0] += !(dvle->outmapMask & BIT(o->regID));
		dvle->outmapMask |= BIT(o->regID);
		map_output(dvle, o);
	}
}

/* ---- instances ---- */

/* Four numbers of 24 bits, the last one first, in three words. */
static void pack_row(float24Uniform_s *u, const DVLE_constEntry_s *c)
{
	const u32 *v = c->data;

	u->id = c->id & 0xff;
	u->data[0] = (v[3] & 0xffffff) << 8 | (v[2] >> 16 & 0xff);
	u->data[1] = (v[2] & 0xffff) << 16 | (v[1] >> 8 & 0xffff);
	u->data[2] = (v[1] & 0xff) << 24 | (v[0] & 0xffffff);
}

static void set_constant(shaderInstance_s *si, const DVLE_constEntry_s *c)
{
	switch (c->type) {
	case DVLE_CONST_BOOL:
		shaderInstanceSetBool(si, c->id, c->data[0] & 1);
		break;
	case DVLE_CONST_u8:
		if (c->id >= 4)
			break;
		si->intUniforms[c->id] = c->data[0];
		si->intUniformMask |= BIT(c->id);
		break;
	case DVLE_CONST_FLOAT24:
		pack_row(&si->float24Uniforms[si->numFloat24Uniforms++], c);
		break;
	}
}

Result shaderInstanceInit(shaderInstance_s *si, DVLE_s *dvle)
{
	u32 i;

	if (!si || !dvle)
		return -1;
	memset(si, 0, sizeof(*si));
	si->dvle = dvle;
	si->float24Uniforms = calloc(dvle->constTableSize + 1, sizeof(*si->float24Uniforms));
	if (!si->float24Uniforms)
		return -3;
	for (i = 0; i < dvle->constTableSize && si->numFloat24Uniforms < 255; i++)
		set_constant(si, &dvle->constTableData[i]);
	return 0;
}

Result shaderInstanceFree(shaderInstance_s *si)
{
	if (!si)
		return -1;
	free(si->float24Uniforms);
	free(si);
	return 0;
}

Result shaderInstanceSetBool(shaderInstance_s *si, int id, bool value)
{
	if (!si)
		return -1;
	if (id < 0 || id > 15)
		return -2;
	si->boolUniforms &= ~BIT(id);
	si->boolUniforms |= (u32)value << id;
	si->boolUniformMask |= BIT(id);
	return 0;
}

Result shaderInstanceGetBool(shaderInstance_s *si, int id, bool *value)
{
	if (!si)
		return -1;
	if (id < 0 || id > 15)
		return -2;
	if (!value)
		return -3;
	*value = si->boolUniforms >> id & 1;
	return 0;
}

s8 shaderInstanceGetUniformLocation(shaderInstance_s *si, const char *name)
{
	return si ? DVLE_GetUniformRegister(si->dvle, name) : -1;
}

/* ---- programs ---- */

Result shaderProgramInit(shaderProgram_s *sp)
{
	if (!sp)
		return -1;
	memset(sp, 0, sizeof(*sp));
	return 0;
}

Result shaderProgramFree(shaderProgram_s *sp)
{
	if (!sp)
		return -1;
	shaderInstanceFree(sp->vertexShader);
	shaderInstanceFree(sp->geometryShader);
	return 0;
}

static Result replace(shaderInstance_s **slot, DVLE_s *dvle, DVLE_type type)
{
	if (!dvle)
		return -1;
	if (dvle->type != type)
		return -2;
	shaderInstanceFree(*slot);
	*slot = malloc(sizeof(**slot));
	return *slot ? shaderInstanceInit(*slot, dvle) : -3;
}

Result shaderProgramSetVsh(shaderProgram_s *sp, DVLE_s *dvle)
{
	return sp ? replace(&sp->vertexShader, dvle, VERTEX_SHDR) : -1;
}

Result shaderProgramSetGsh(shaderProgram_s *sp, DVLE_s *dvle, u8 stride)
{
	Result ret = sp ? replace(&sp->geometryShader, dvle, GEOMETRY_SHDR) : -1;

	if (ret)
		return ret;
	sp->geoShaderInputPermutation[0] = 0x76543210;
	sp->geoShaderInputPermutation[1] = 0xfedcba98;
	sp->geoShaderInputStride = stride;
	return 0;
}

Result shaderProgramSetGshInputPermutation(shaderProgram_s *sp, u64 permutation)
{
	if (!sp || !sp->geometryShader)
		return -1;
	sp->geoShaderInputPermutation[0] = (u32)permutation;
	sp->geoShaderInputPermutation[1] = (u32)(permutation >> 32);
	return 0;
}

/* ---- commands ---- */

/* Registers of the geometry unit are those of the vertex units, lower by this. */
#define UNIT_STEP	(GPUREG_VSH_BOOLUNIFORM - GPUREG_GSH_BOOLUNIFORM)

static u32 unit_reg(const DVLE_s *d, u32 reg)
{
	return d->type == GEOMETRY_SHDR ? reg - UNIT_STEP : reg;
}

static void send_code(const DVLE_s *d)
{
	const DVLP_s *p = d->dvlp;
	u32 size = p->codeSize;

	if (d->type == VERTEX_SHDR && size > VERTEX_CODE)
		size = VERTEX_CODE;
	GPUCMD_AddWrite(unit_reg(d, GPUREG_VSH_CODETRANSFER_CONFIG), 0);
	GPUCMD_AddWrites(unit_reg(d, GPUREG_VSH_CODETRANSFER_DATA), p->codeData, size);
	GPUCMD_AddWrite(unit_reg(d, GPUREG_VSH_CODETRANSFER_END), 1);
	GPUCMD_AddWrite(unit_reg(d, GPUREG_VSH_OPDESCS_CONFIG), 0);
	GPUCMD_AddWrites(unit_reg(d, GPUREG_VSH_OPDESCS_DATA), p->opcdescData, p->opdescSize);
}

static bool has(const u32 *map, u32 semantics_word)
{
	u32 i;

	for (i = 1; i < 8; i++) {
		if (map[i] == semantics_word)
			return true;
	}
	return false;
}

static void append(u32 *out, const u32 *map, const u32 *other, bool common)
{
	u32 i;

	for (i = 1; i < 8 && map[i] != UNMAPPED && out[0] < MAX_OUTPUTS; i++) {
		if (has(other, map[i]) == common)
			out[++out[0]] = map[i];
	}
}

/* Outputs of both programs, then those of the geometry program, then the vertex program's. */
static void merge(u32 *out, const u32 *vsh, const u32 *gsh)
{
	u32 i;

	out[0] = 0;
	for (i = 1; i < 8; i++)
		out[i] = UNMAPPED;
	append(out, gsh, vsh, true);
	append(out, gsh, vsh, false);
	append(out, vsh, gsh, false);
}

static void send_outputs(const DVLE_s *v, const DVLE_s *g)
{
	const DVLE_s *last = g ? g : v;
	u32 map[8], mode = last->outmapMode, clock = last->outmapClock;

	memcpy(map, last->outmapData, sizeof(map));
	if (g && g->mergeOutmaps) {
		merge(map, v->outmapData, g->outmapData);
		mode |= v->outmapMode;
		clock |= v->outmapClock;
	}
	GPUCMD_AddMaskedWrite(GPUREG_PRIMITIVE_CONFIG, 1, map[0] - 1);
	GPUCMD_AddIncrementalWrites(GPUREG_SH_OUTMAP_TOTAL, map, 8);
	GPUCMD_AddWrite(GPUREG_SH_OUTATTR_MODE, mode);
	GPUCMD_AddWrite(GPUREG_SH_OUTATTR_CLOCK, clock);
}

static void send_unit(const DVLE_s *d)
{
	GPUCMD_AddWrite(unit_reg(d, GPUREG_VSH_ENTRYPOINT),
			0x7fff0000 | (d->mainOffset & 0xffff));
	GPUCMD_AddWrite(unit_reg(d, GPUREG_VSH_OUTMAP_MASK), d->outmapMask);
}

static void send_geometry(const shaderProgram_s *sp, const DVLE_s *v, const DVLE_s *g)
{
	u32 stride = sp->geoShaderInputStride ? sp->geoShaderInputStride : v->outmapData[0];
	bool variable = g->gshMode == GSH_VARIABLE_PRIM;
	u32 misc = g->gshMode;

	if (g->gshMode == GSH_FIXED_PRIM)
		misc |= 0x01000000 | (u32)g->gshFixedVtxStart << 16 | (stride - 1) << 12 |
			(g->gshFixedVtxNum - 1u) << 8;
	GPUCMD_AddMaskedWrite(GPUREG_GEOSTAGE_CONFIG, 0xa, variable ? BIT(31) : 0);
	GPUCMD_AddWrite(GPUREG_GSH_MISC0, misc);
	GPUCMD_AddWrite(GPUREG_GSH_MISC1, variable ? g->gshVariableVtxNum - 1u : 0);
	GPUCMD_AddWrite(GPUREG_GSH_INPUTBUFFER_CONFIG,
			0x08000000 | (g->gshMode ? 0x100 : 0) | (stride - 1));
	GPUCMD_AddIncrementalWrites(GPUREG_GSH_ATTRIBUTES_PERMUTATION_LOW,
				    sp->geoShaderInputPermutation, 2);
}

static void send_no_geometry(void)
{
	GPUCMD_AddMaskedWrite(GPUREG_GEOSTAGE_CONFIG, 0xa, 0);
	GPUCMD_AddWrite(GPUREG_GSH_MISC0, 0);
	GPUCMD_AddWrite(GPUREG_GSH_MISC1, 0);
	GPUCMD_AddWrite(GPUREG_GSH_INPUTBUFFER_CONFIG, 0xa0000000);
}

/* The mode of the units comes first: code is sent to all that run it. */
Result shaderProgramConfigure(shaderProgram_s *sp, bool sendVshCode, bool sendGshCode)
{
	const DVLE_s *v, *g;

	if (!sp || !sp->vertexShader)
		return -1;
	v = sp->vertexShader->dvle;
	g = sp->geometryShader ? sp->geometryShader->dvle : NULL;
	GPUCMD_AddMaskedWrite(GPUREG_GEOSTAGE_CONFIG, 3, g ? 2 : 0);
	GPUCMD_AddMaskedWrite(GPUREG_GEOSTAGE_CONFIG2, 3, 0);
	GPUCMD_AddMaskedWrite(GPUREG_VSH_COM_MODE, 1, g ? 1 : 0);
	if (sendVshCode)
		send_code(v);
	send_unit(v);
	GPUCMD_AddWrite(GPUREG_VSH_OUTMAP_TOTAL1, v->outmapData[0] - 1);
	GPUCMD_AddWrite(GPUREG_VSH_OUTMAP_TOTAL2, v->outmapData[0] - 1);
	if (g && sendGshCode)
		send_code(g);
	if (g)
		send_unit(g);
	send_outputs(v, g);
	if (g)
		send_geometry(sp, v, g);
	else
		send_no_geometry();
	return 0;
}

static void send_constants(const shaderInstance_s *si)
{
	const float24Uniform_s *u;
	u32 i, words[4];

	GPUCMD_AddWrite(unit_reg(si->dvle, GPUREG_VSH_BOOLUNIFORM), 0x7fff0000 | si->boolUniforms);
	GPUCMD_AddIncrementalWrites(unit_reg(si->dvle, GPUREG_VSH_INTUNIFORM_I0), si->intUniforms,
				    4);
	for (i = 0; i < si->numFloat24Uniforms; i++) {
		u = &si->float24Uniforms[i];
		words[0] = u->id;
		memcpy(words + 1, u->data, sizeof(u->data));
		GPUCMD_AddIncrementalWrites(unit_reg(si->dvle, GPUREG_VSH_FLOATUNIFORM_CONFIG),
					    words, 4);
	}
}

Result shaderProgramUse(shaderProgram_s *sp)
{
	Result ret = shaderProgramConfigure(sp, true, true);

	if (ret)
		return ret;
	send_constants(sp->vertexShader);
	if (sp->geometryShader)
		send_constants(sp->geometryShader);
	return 0;
}
