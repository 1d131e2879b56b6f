// SPDX-License-Identifier: MIT
/*
 * GPUCMD_*: the buffer that commands are added to; number formats.
 */
#include <string.h>

#include "gx_priv.h"

#define MAX_PARAMS	256u

u32 *gpuCmdBuf;
u32 gpuCmdBufSize;
u32 gpuCmdBufOffset;

/* ---- commands ---- */

void GPUCMD_SetBuffer(u32 *adr, u32 size, u32 offset)
{
	gpuCmdBuf = adr;
	gpuCmdBufSize = size;
	gpuCmdBufOffset = offset;
}

void GPUCMD_SetBufferOffset(u32 offset)
{
	gpuCmdBufOffset = offset;
}

void GPUCMD_GetBuffer(u32 **addr, u32 *size, u32 *offset)
{
	if (addr)
		*addr = gpuCmdBuf;
	if (size)
		*size = gpuCmdBufSize;
	if (offset)
		*offset = gpuCmdBufOffset;
}

/* Return: room for @n words, after which the next ones are added. */
static u32 *room(u32 n)
{
	u32 *p = gpuCmdBuf + gpuCmdBufOffset;

	if (!gpuCmdBuf || gpuCmdBufOffset > gpuCmdBufSize || n > gpuCmdBufSize - gpuCmdBufOffset)
		gx_die("command buffer: %u words do not fit into %u, %u of which are in use", n,
		       gpuCmdBuf ? gpuCmdBufSize : 0, gpuCmdBufOffset);
	gpuCmdBufOffset += n;
	return p;
}

void GPUCMD_AddRawCommands(const u32 *cmd, u32 size)
{
	if (cmd && size)
		memcpy(room(size), cmd, 4 * (size_t)size);
}

/* Up to 256 parameters, padded to 8 bytes. */
static void add(u32 header, const u32 *param, u32 n)
{
	u32 size = (n + 2) & ~1u, *p = room(size);

	memset(p, 0, 4 * (size_t)size);
	p[1] = header | (n - 1) << 20;
	if (!param)
		return;
	p[0] = param[0];
	memcpy(p + 2, param + 1, 4 * (size_t)(n - 1));
}

void GPUCMD_Add(u32 header, const u32 *param, u32 paramlength)
{
	u32 left = paramlength ? paramlength : 1, n;

	for (; left; left -= n) {
		n = left < MAX_PARAMS ? left : MAX_PARAMS;
		add(header, param, n);
		if (param)
			param += n;
		if (header & BIT(31))
			header += n;
	}
}

void GPUCMD_AddSingleParam(u32 header, u32 param)
{
	GPUCMD_Add(header, &param, 1);
}

/* Lists end at multiples of 16 bytes. */
void GPUCMD_Split(u32 **addr, u32 *size)
{
	do
		GPUCMD_AddWrite(GPUREG_FINALIZE, 0x12345678);
	while (gpuCmdBufOffset & 3);
	if (addr)
		*addr = gpuCmdBuf;
	if (size)
		*size = gpuCmdBufOffset;
	gpuCmdBuf += gpuCmdBufOffset;
	gpuCmdBufSize -= gpuCmdBufOffset;
	gpuCmdBufOffset = 0;
}

/* ---- numbers ---- */

/* Truncate; too small is zero, too large is infinity. */
static u32 narrow(float f, unsigned int exponent_bits, unsigned int mantissa_bits)
{
	int bias = (1 << (exponent_bits - 1)) - 1, largest = (1 << exponent_bits) - 1, e;
	u32 bits, sign;

	memcpy(&bits, &f, sizeof(bits));
	sign = bits >> 31 << (exponent_bits + mantissa_bits);
	e = (int)(bits >> 23 & 0xff) - 127 + bias;
	if (e < 0)
		return sign;
	if (e > largest)
		return sign | (u32)largest << mantissa_bits;
	return sign | (u32)e << mantissa_bits | (bits & 0x7fffff) >> (23 - mantissa_bits);
}

u32 f32tof16(float f)
{
	return narrow(f, 5, 10);
}

u32 f32tof20(float f)
{
	return narrow(f, 7, 12);
}

u32 f32tof24(float f)
{
	return narrow(f, 7, 16);
}

u32 f32tof31(float f)
{
	return narrow(f, 7, 23);
}
