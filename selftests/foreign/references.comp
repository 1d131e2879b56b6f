// SPDX-License-Identifier: GPL-2.0
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Out { uint o[]; };
layout(std430, binding = 1) readonly buffer In { float f[]; };

uint u(float x) { return floatBitsToUint(x); }

void main()
{
	uint n = gl_WorkGroupID.x;
	uint at = 64u + n;
	int minus8 = int(f[14]);

	if (n == 0u) {
		o[0] = uint(int(f[0]));
		o[1] = uint(int(f[1]));
		o[2] = uint(f[2]);
		o[3] = u(pow(f[3], f[3]));
		o[4] = u(min(f[4], f[1]));
		o[5] = u(min(f[1], f[4]));
		o[6] = u(max(f[4], f[1]));
		o[7] = u(max(f[1], f[4]));
		o[8] = u(f[8] * f[9]);
		o[9] = u(fma(f[11], f[11], f[12]));
		o[10] = u(f[11] * f[11] + f[12]);
		o[11] = u(f[1] * 0.0);
		o[12] = u(f[5] * 0.0);
		o[13] = u(f[13] + 0.0);
		o[14] = u(atan(f[3], f[3]));
		o[15] = u(atan(f[3], f[13]));
		o[16] = u(atan(f[13], f[3]));
		o[17] = uint((floatBitsToInt(f[4]) - 0x3f800007) % (floatBitsToInt(f[4]) - 0x3f7ffffd));
		o[18] = uint((floatBitsToInt(f[4]) - 0x3f7ffff9) % (floatBitsToInt(f[4]) - 0x3f800003));
		o[19] = uint(1 << (floatBitsToInt(f[4]) - 0x3f800000 + 33));
		o[20] = uint(minus8 >> (floatBitsToInt(f[4]) - 0x3f800000 + 33));
		o[21] = uint(findMSB(int(f[2] * 8.0)));
		o[22] = uint(findMSB(floatBitsToInt(f[4]) - 0x3f800008));
		o[23] = u(round(f[6]));
		o[24] = u(roundEven(f[6]));
		o[25] = packHalf2x16(vec2(f[4] + 3.0 / 2048.0, f[15]));
		o[26] = u(float(float16_t(f[9] * 0.2)));
		o[27] = u(float(float16_t(f[15])));
		o[28] = u(f[3] / f[3]);
		o[29] = u(sign(f[1]));
		o[30] = u(fract(f[2] * 1e-10));
	}
	o[at] = u(1.0 / f[16u + n]);
	o[at + 4096u] = u(inversesqrt(f[16u + 4096u + n]));
	o[at + 2u * 4096u] = u(sqrt(f[16u + 2u * 4096u + n]));
	o[at + 3u * 4096u] = u(exp2(f[16u + 3u * 4096u + n]));
	o[at + 4u * 4096u] = u(log2(f[16u + 4u * 4096u + n]));
	o[at + 5u * 4096u] = u(sin(f[16u + 5u * 4096u + n]));
	o[at + 6u * 4096u] = u(atan(f[16u + 6u * 4096u + n]));
}
