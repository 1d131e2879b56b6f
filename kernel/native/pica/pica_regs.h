/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Internal registers of the PICA200 that command lists write, as far as this parser
 * interprets them. Names and numbers: 3dbrew, "GPU/Internal Registers".
 */
#ifndef PICA_REGS_H
#define PICA_REGS_H

#define PICA_REG_FINALIZE		0x010

/* Rasteriser. */
#define PICA_REG_CULL			0x040
#define PICA_REG_VIEWPORT_W		0x041
#define PICA_REG_VIEWPORT_H		0x043
#define PICA_REG_CLIP			0x047
#define PICA_REG_CLIP_COEF		0x048	/* .. 0x04b */
#define PICA_REG_DEPTH_SCALE		0x04d
#define PICA_REG_DEPTH_OFFSET		0x04e
#define PICA_REG_SH_OUTMAP_TOTAL	0x04f
#define PICA_REG_SH_OUTMAP_O0		0x050	/* .. 0x056 */
#define PICA_REG_SCISSOR		0x065
#define PICA_REG_SCISSOR_FIRST		0x066
#define PICA_REG_SCISSOR_LAST		0x067
#define PICA_REG_VIEWPORT_XY		0x068
#define PICA_REG_DEPTH_MODE		0x06d

/* Texture units; offsets of units 1 and 2 differ from those of unit 0 from +4 on. */
#define PICA_REG_TEX_CONFIG		0x080
#define PICA_REG_TEX0			0x081
#define PICA_REG_TEX0_FACES		0x086	/* .. 0x08a */
#define PICA_REG_TEX0_SHADOW		0x08b
#define PICA_REG_TEX0_FORMAT		0x08e
#define PICA_REG_LIGHTING		0x08f
#define PICA_REG_TEX1			0x091
#define PICA_REG_TEX2			0x099
#define PICA_REG_PROCTEX		0x0a8	/* .. 0x0ad */
#define PICA_REG_PROCTEX_INDEX		0x0af
#define PICA_REG_PROCTEX_DATA0		0x0b0
#define PICA_REG_PROCTEX_DATA7		0x0b7

/* Combiners. */
#define PICA_REG_COMB_UPDATE		0x0e0
#define PICA_REG_FOG_COLOUR		0x0e1
#define PICA_REG_FOG_INDEX		0x0e6
#define PICA_REG_FOG_DATA0		0x0e8
#define PICA_REG_FOG_DATA7		0x0ef
#define PICA_REG_COMB_BUFFER		0x0fd

/* Frame buffer. */
#define PICA_REG_COLOUR_OP		0x100
#define PICA_REG_BLEND			0x101
#define PICA_REG_LOGIC_OP		0x102
#define PICA_REG_BLEND_COLOUR		0x103
#define PICA_REG_ALPHA_TEST		0x104
#define PICA_REG_STENCIL_TEST		0x105
#define PICA_REG_STENCIL_OP		0x106
#define PICA_REG_DEPTH_COLOUR_MASK	0x107
#define PICA_REG_COLOUR_READ		0x112
#define PICA_REG_COLOUR_WRITE		0x113
#define PICA_REG_DEPTH_READ		0x114
#define PICA_REG_DEPTH_WRITE		0x115
#define PICA_REG_DEPTH_FORMAT		0x116
#define PICA_REG_COLOUR_FORMAT		0x117
#define PICA_REG_BLOCK32		0x11b
#define PICA_REG_DEPTH_ADDR		0x11c
#define PICA_REG_COLOUR_ADDR		0x11d
#define PICA_REG_FRAME_SIZE		0x11e
#define PICA_REG_SHADOW			0x130

/* Fragment lighting. */
#define PICA_REG_LIGHT0			0x140	/* 8 of 16 registers */
#define PICA_REG_AMBIENT		0x1c0
#define PICA_REG_NUM_LIGHTS		0x1c2
#define PICA_REG_LIGHT_CONFIG0		0x1c3
#define PICA_REG_LIGHT_CONFIG1		0x1c4
#define PICA_REG_LIGHT_LUT_INDEX	0x1c5
#define PICA_REG_LIGHT_OFF		0x1c6
#define PICA_REG_LIGHT_LUT_DATA0	0x1c8
#define PICA_REG_LIGHT_LUT_DATA7	0x1cf
#define PICA_REG_LIGHT_LUT_ABS		0x1d0
#define PICA_REG_LIGHT_LUT_SELECT	0x1d1
#define PICA_REG_LIGHT_LUT_SCALE	0x1d2
#define PICA_REG_LIGHT_ORDER		0x1d9

#define PICA_REG_ATTRIB_LOC		0x200
#define PICA_REG_ATTRIB_FORMAT_LOW	0x201
#define PICA_REG_ATTRIB_FORMAT_HIGH	0x202
#define PICA_REG_ATTRIB_BUFFER0		0x203	/* 12 of three registers */
#define PICA_REG_INDEXBUFFER		0x227
#define PICA_REG_NUMVERTICES		0x228
#define PICA_REG_GEOSTAGE_CONFIG	0x229
#define PICA_REG_VERTEX_OFFSET		0x22a
#define PICA_REG_DRAWARRAYS		0x22e
#define PICA_REG_DRAWELEMENTS		0x22f
#define PICA_REG_FIXEDATTRIB_INDEX	0x232
#define PICA_REG_FIXEDATTRIB_DATA0	0x233
#define PICA_REG_FIXEDATTRIB_DATA2	0x235
#define PICA_REG_CMDBUF_SIZE0		0x238
#define PICA_REG_CMDBUF_ADDR0		0x23a
#define PICA_REG_CMDBUF_JUMP0		0x23c
#define PICA_REG_CMDBUF_JUMP1		0x23d
#define PICA_REG_VSH_NUM_ATTR		0x242
#define PICA_REG_VSH_COM_MODE		0x244
#define PICA_REG_VSH_OUTMAP_TOTAL1	0x24a
#define PICA_REG_GSH_MISC0		0x252
#define PICA_REG_GSH_MISC1		0x254
#define PICA_REG_PRIMITIVE_CONFIG	0x25e
#define PICA_REG_RESTART_PRIMITIVE	0x25f

/* Shader units: the same offsets in both blocks. */
#define PICA_REG_GSH			0x280
#define PICA_REG_VSH			0x2b0
#define PICA_SH_BOOL			0x00
#define PICA_SH_INT0			0x01
#define PICA_SH_INT3			0x04
#define PICA_SH_INPUTS			0x09
#define PICA_SH_ENTRY			0x0a
#define PICA_SH_PERM_LOW		0x0b
#define PICA_SH_PERM_HIGH		0x0c
#define PICA_SH_OUTMASK			0x0d
#define PICA_SH_FLOAT_INDEX		0x10
#define PICA_SH_FLOAT_DATA0		0x11
#define PICA_SH_FLOAT_DATA7		0x18
#define PICA_SH_CODE_INDEX		0x1b
#define PICA_SH_CODE_DATA0		0x1c
#define PICA_SH_CODE_DATA7		0x23
#define PICA_SH_OPDESC_INDEX		0x25
#define PICA_SH_OPDESC_DATA0		0x26
#define PICA_SH_OPDESC_DATA7		0x2d
#define PICA_SH_BLOCK			0x30

#define PICA_NUM_GPU_REGS		0x300

/* Header word of a command. */
#define PICA_CMD_ID(h)			((h) & 0xffff)
#define PICA_CMD_MASK(h)		(((h) >> 16) & 0xf)
#define PICA_CMD_EXTRA(h)		(((h) >> 20) & 0xff)
#define PICA_CMD_CONSECUTIVE(h)		((h) >> 31)

#define PICA_NUM_LOADERS		12
#define PICA_LOADER_COMPONENTS		12
#define PICA_NUM_ARRAY_ATTRS		12
#define PICA_NUM_ATTRS			16
#define PICA_IMMEDIATE			0xf	/* in FIXEDATTRIB_INDEX */
#define PICA_FLOAT_INDEX_F32		0x80000000u
#define PICA_MAX_OUTMAP			7

/* Topologies in PRIMITIVE_CONFIG. */
enum pica_topology { PICA_TOPO_LIST, PICA_TOPO_STRIP, PICA_TOPO_FAN, PICA_TOPO_SHADER };

/* Geometry modes in GSH_MISC0. */
enum pica_gs_mode { PICA_GS_POINT, PICA_GS_VARIABLE, PICA_GS_FIXED, PICA_NUM_GS_MODES };

#endif /* PICA_REGS_H */
