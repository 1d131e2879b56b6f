/* SPDX-License-Identifier: MIT */
/* Shader programs in SHBIN containers, and the commands that make the GPU use them. */
#ifndef VSHADER_3DS_SHADER_H
#define VSHADER_3DS_SHADER_H

#include <3ds/gpu.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

typedef enum {
	VERTEX_SHDR = GPU_VERTEX_SHADER,
	GEOMETRY_SHDR = GPU_GEOMETRY_SHADER,
} DVLE_type;

typedef enum {
	DVLE_CONST_BOOL,
	DVLE_CONST_u8,
	DVLE_CONST_FLOAT24,
} DVLE_constantType;

typedef enum {
	RESULT_POSITION = 0,
	RESULT_NORMALQUAT = 1,
	RESULT_COLOR = 2,
	RESULT_TEXCOORD0 = 3,
	RESULT_TEXCOORD0W = 4,
	RESULT_TEXCOORD1 = 5,
	RESULT_TEXCOORD2 = 6,
	RESULT_VIEW = 8,
	RESULT_DUMMY = 9,
} DVLE_outputAttribute_t;

typedef enum {
	GSH_POINT,
	GSH_VARIABLE_PRIM,
	GSH_FIXED_PRIM,
} DVLE_geoShaderMode;

/* Code that the programs of a container share. */
typedef struct {
	u32 codeSize;
	u32 *codeData;
	u32 opdescSize;
	u32 *opcdescData;
} DVLP_s;

/* Entries of tables, as they are in the container. */
typedef struct {
	u16 type;
	u16 id;
	u32 data[4];
} DVLE_constEntry_s;

typedef struct {
	u16 type;
	u16 regID;
	u8 mask;
	u8 unk[3];
} DVLE_outEntry_s;

typedef struct {
	u32 symbolOffset;
	u16 startReg;
	u16 endReg;
} DVLE_uniformEntry_s;

/* A program. */
typedef struct {
	DVLE_type type;
	bool mergeOutmaps;	/* the outputs of the vertex program are outputs, too */
	DVLE_geoShaderMode gshMode;
	u8 gshFixedVtxStart;
	u8 gshVariableVtxNum;
	u8 gshFixedVtxNum;
	DVLP_s *dvlp;
	u32 mainOffset;
	u32 endmainOffset;
	u32 constTableSize;
	DVLE_constEntry_s *constTableData;
	u32 outTableSize;
	DVLE_outEntry_s *outTableData;
	u32 uniformTableSize;
	DVLE_uniformEntry_s *uniformTableData;
	char *symbolTableData;
	u8 outmapMask;
	u32 outmapData[8];	/* number; semantics of each output */
	u32 outmapMode;
	u32 outmapClock;
} DVLE_s;

typedef struct {
	u32 numDVLE;
	DVLP_s DVLP;
	DVLE_s *DVLE;
} DVLB_s;

/* The container must outlive the result. Return: NULL: damaged, or out of memory. */
DVLB_s *DVLB_ParseFile(u32 *shbinData, u32 shbinSize);
void DVLB_Free(DVLB_s *dvlb);
/* Return: register, or -1. */
s8 DVLE_GetUniformRegister(DVLE_s *dvle, const char *name);
void DVLE_GenerateOutmap(DVLE_s *dvle);

/* A row of constants: register, and three words as the GPU takes them. */
typedef struct {
	u32 id;
	u32 data[3];
} float24Uniform_s;

typedef struct {
	DVLE_s *dvle;
	u16 boolUniforms;
	u16 boolUniformMask;
	u32 intUniforms[4];
	float24Uniform_s *float24Uniforms;
	u8 intUniformMask;
	u8 numFloat24Uniforms;
} shaderInstance_s;

typedef struct {
	shaderInstance_s *vertexShader;
	shaderInstance_s *geometryShader;
	u32 geoShaderInputPermutation[2];
	u8 geoShaderInputStride;
} shaderProgram_s;

Result shaderInstanceInit(shaderInstance_s *si, DVLE_s *dvle);
Result shaderInstanceFree(shaderInstance_s *si);
Result shaderInstanceSetBool(shaderInstance_s *si, int id, bool value);
Result shaderInstanceGetBool(shaderInstance_s *si, int id, bool *value);
s8 shaderInstanceGetUniformLocation(shaderInstance_s *si, const char *name);

Result shaderProgramInit(shaderProgram_s *sp);
Result shaderProgramFree(shaderProgram_s *sp);
Result shaderProgramSetVsh(shaderProgram_s *sp, DVLE_s *dvle);
/* @stride: vectors of a vertex; 0: the outputs of the vertex program */
Result shaderProgramSetGsh(shaderProgram_s *sp, DVLE_s *dvle, u8 stride);
Result shaderProgramSetGshInputPermutation(shaderProgram_s *sp, u64 permutation);
/* Add the commands that select the program, with or without its code. */
Result shaderProgramConfigure(shaderProgram_s *sp, bool sendVshCode, bool sendGshCode);
/* The same with code and constants. */
Result shaderProgramUse(shaderProgram_s *sp);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* VSHADER_3DS_SHADER_H */
