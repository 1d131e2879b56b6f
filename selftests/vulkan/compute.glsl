// SPDX-License-Identifier: GPL-2.0
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { uint result[]; };
#define I gl_GlobalInvocationID.x
#define F(x) floatBitsToUint(x)

@shader ids.comp
void main() { result[I] = gl_WorkGroupID.x << 16 | gl_LocalInvocationIndex << 8 | gl_NumWorkGroups.x; }

@shader ids3.comp
layout(local_size_y = 2, local_size_z = 2) in;
void main()
{
	uvec3 n = gl_NumWorkGroups * gl_WorkGroupSize;
	uvec3 g = gl_GlobalInvocationID;
	result[g.x + n.x * (g.y + n.y * g.z)] = gl_LocalInvocationIndex | gl_WorkGroupID.x << 8 |
		gl_WorkGroupID.y << 16 | gl_WorkGroupID.z << 24;
}

@shader shared.comp
shared uint s[64];
void main()
{
	uint l = gl_LocalInvocationIndex;
	s[l] = I * 3u + 5u;
	barrier();
	for (uint step = 32u; step > 0u; step >>= 1) {
		if (l < step)
			s[l] += s[l + step] ^ l;
		barrier();
	}
	result[I] = s[(l * 7u) & 63u] + s[0];
}

@shader shared_atomics.comp
shared uint count[4];
void main()
{
	uint l = gl_LocalInvocationIndex;
	if (l < 4u)
		count[l] = l == 2u ? 0xffffffffu : 0u;
	barrier();
	atomicAdd(count[0], l);
	atomicMax(count[1], l * 37u & 63u);
	atomicMin(count[2], (l * 37u + 5u) & 127u);
	atomicXor(count[3], 1u << (l & 31u) | l);
	barrier();
	result[I] = count[l & 3u];
}

@shader atomics.comp
void main()
{
	atomicAdd(result[0], I);
	atomicMax(result[1], I * 977u % 1000u);
	atomicOr(result[2], 1u << (I % 31u));
	atomicAnd(result[3], ~(1u << (I % 13u)));
	atomicXor(result[4], I * I);
	atomicMin(result[5], 0u - I);
	atomicCompSwap(result[6], 0u, 7u);
	result[64u + I] = atomicAdd(result[7], 1u) < 256u ? 1u : 0u;
}

@shader integers.comp
uint mix_(uint x) { x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; return x ^ x >> 16; }
void main()
{
	uint a = mix_(I), b = mix_(I + 1000u) >> (I & 31u) | 1u;
	int c = int(a), d = int(b >> 1) + 1;
	uint hi, lo, borrow, carry;
	uint r = 0u;
	switch (I / 16u) {
	case 0: r = a / b; break;
	case 1: r = a % b; break;
	case 2: r = uint(c / d); break;
	case 3: r = uint((c & 0x7fffffff) % d); break;
	case 4: umulExtended(a, b, hi, lo); r = hi ^ lo; break;
	case 5: r = bitfieldExtract(a, int(I & 15u), 9); break;
	case 6: r = uint(bitfieldExtract(c, int(I & 15u), 9)); break;
	case 7: r = bitfieldInsert(a, b, int(I & 15u), 11); break;
	case 8: r = bitfieldReverse(a) ^ uint(bitCount(b)); break;
	case 9: r = uint(findMSB(b) * 100 + findLSB(a)) + uint(findMSB(c)) * 10000u; break;
	case 10: r = uaddCarry(a, a ^ b, carry) + carry; break;
	case 11: r = usubBorrow(b, a, borrow) ^ borrow << 7; break;
	case 12: r = uint(c >> int(I & 31u)) ^ a << (I & 31u); break;
	case 13: r = uint(clamp(c, -1000, 1000)) + uint(abs(c)) + uint(sign(c)); break;
	case 14: r = min(a, b) ^ uint(max(c, d)); break;
	default: imulExtended(c, d, c, d); r = uint(c); break;
	}
	result[I] = r;
}

@shader floats.comp
void main()
{
	float x = float(I) * 0.37 - 40.0, y = float((I * 7u) & 255u) * 0.11 + 0.5;
	float r = 0.0;
	switch (I / 16u) {
	case 0: r = x + y; break;
	case 1: r = x * y; break;
	case 2: r = x - y; break;
	case 3: r = floor(x) + ceil(y); break;
	case 4: r = trunc(x) + fract(y); break;
	case 5: r = roundEven(x) + round(y); break;
	case 6: r = min(x, y) - max(x, y); break;
	case 7: r = clamp(x, -3.0, 3.0); break;
	case 8: r = abs(x) + sign(y) + sign(x); break;
	case 9: r = float(int(x)) + float(uint(y)); break;
	case 10: r = step(x, y) + (isnan(x) ? 1.0 : 0.0) + (isinf(y) ? 1.0 : 0.0); break;
	case 11: { int e; r = frexp(y, e) + float(e); break; }
	case 12: r = ldexp(y, int(I) % 7 - 3); break;
	case 13: r = float(packHalf2x16(vec2(x, y)) & 0xffffu) + unpackHalf2x16(I * 977u).x; break;
	case 14: r = float(packSnorm4x8(vec4(x, y, -x, 1) * 0.02)) + unpackUnorm2x16(I * 77777u).y; break;
	default: r = x < y ? x : x == y ? 1.0 : -y; break;
	}
	result[I] = F(r);
}

@shader functions.comp
uint q(float x) { return uint(clamp(x * 0.5 + 0.5, 0.0, 1.0) * 255.0 + 0.5); }
void main()
{
	float x = float(I) / 256.0;
	float r = 0.0;
	switch (I / 16u) {
	case 0: r = sin(x * 20.0); break;
	case 1: r = cos(x * 20.0); break;
	case 2: r = tan(x) * 0.5; break;
	case 3: r = exp2(-x * 3.0); break;
	case 4: r = log2(x + 1.0); break;
	case 5: r = sqrt(x); break;
	case 6: r = inversesqrt(x + 1.0); break;
	case 7: r = pow(x, 2.5); break;
	case 8: r = exp(-x); break;
	case 9: r = log(x + 0.5); break;
	case 10: r = atan(x * 3.0, 0.7) * 0.5; break;
	case 11: r = asin(x) * 0.5; break;
	case 12: r = acos(x) * 0.5; break;
	case 13: r = 1.0 / (x + 1.0); break;
	case 14: r = length(vec3(x, 0.3, 0.2)) * 0.8; break;
	default: r = normalize(vec2(x, 0.5)).y; break;
	}
	result[I] = q(r) | q(-r) << 8 | q(r * r) << 16 | 255u << 24;
}

@shader matrices.comp
void main()
{
	float k = float(I);
	mat4 a = mat4(1, 2, 3, 4, 0, 1, k, 0, 2, 0, 1, 0, k, 0, 0, 1);
	mat4 b = transpose(a) * a;
	mat3 c = mat3(2, 0, 1, 1, 3, 0, 0, 1, 4);
	vec4 v = b * vec4(1, 2, -1, 0.5);
	vec3 w = c * vec3(v.x, 1, 2) + cross(vec3(1, 2, 3), vec3(k, 0, 1));
	result[I] = F(dot(v, vec4(1)) + w.x + w.y * 2.0 + determinant(c));
}

@shader branches.comp
void main()
{
	uint n = I, steps = 0u;
	while (n > 1u) {
		n = (n & 1u) != 0u ? 3u * n + 1u : n >> 1;
		if (++steps > 200u)
			break;
		if (steps == 13u)
			continue;
	}
	if (I % 3u == 0u) {
		for (uint i = 0u; i < I % 17u; i++) {
			if (i == 11u)
				break;
			steps += i * i;
		}
	} else if (I % 5u == 0u) {
		do { steps ^= n++; } while (n < 9u);
	}
	result[I] = steps;
}

@shader scratch.comp
void main()
{
	uint table[48], n = gl_NumWorkGroups.x * 12u;	/* of which the compiler does not know that it is 48 */
	for (uint i = 0u; i < n; i++)
		table[i] = i * I ^ i << 5;
	for (uint i = 0u; i < n; i++) {
		uint k = (i * 31u + I) % n;
		uint t = table[i];
		table[i] = table[k];
		table[k] = t + 1u;
	}
	uint sum = 0u;
	for (uint i = 0u; i < n; i++)
		sum = sum * 31u + table[(i + I) % n];
	result[I] = sum;
}

@shader pressure.comp
void main()
{
	vec4 v[24];
	for (int i = 0; i < 24; i++)
		v[i] = vec4(float(I) + float(i), float(i) * 2.0, float(I & 7u), 1);
	for (int k = 0; k < 3; k++) {
		for (int i = 0; i < 24; i++)
			v[i] = v[i] + v[(i * 5 + 7) % 24].yzwx * 0.25;
	}
	vec4 sum = vec4(0);
	for (int i = 0; i < 24; i++)
		sum += v[i];
	result[I] = uint(sum.x + sum.y + sum.z + sum.w);
}

@shader vectors.comp
struct Item { vec3 a; float b; uvec2 c; ivec4 d; };
layout(binding = 1, std430) readonly buffer In { Item items[]; };
void main()
{
	Item item = items[I & 7u];
	result[I] = uint(item.a.x + item.a.y * 2.0 + item.a.z * 4.0 + item.b) + item.c.x * item.c.y + uint(item.d.w - item.d.x);
}

@shader push.comp
layout(push_constant) uniform Push { uint factor; uint values[8]; } push;
void main() { result[I] = I * push.factor + push.values[I & 7u]; }

@shader special.comp
layout(local_size_x_id = 5) in;
layout(constant_id = 1) const uint factor = 2u;
void main() { result[I] = gl_WorkGroupSize.x * 1000u + I * factor; }

@shader store.comp
layout(binding = 1, rgba8) uniform writeonly image2D t;
void main()
{
	ivec2 p = ivec2(I & 63u, I >> 6);
	imageStore(t, p, vec4(vec2(p) / 64.0, float((p.x ^ p.y) & 1), 1));
}

@shader modify.comp
layout(binding = 1, r32ui) uniform uimage2D t;
void main()
{
	ivec2 p = ivec2(I & 15u, I >> 4);
	uint before = imageLoad(t, p).x;
	imageStore(t, p, uvec4(before * 3u + I));
	result[I] = before;
}

@shader image_atomics.comp
layout(binding = 1, r32ui) uniform uimage2D t;
void main()
{
	imageAtomicAdd(t, ivec2(I & 3u, 0), I);
	imageAtomicMax(t, ivec2(I & 3u, 1), I * 977u % 1000u);
	imageAtomicXor(t, ivec2(I & 3u, 2), I * I);
}

@shader layers.comp
layout(binding = 1, rgba8) uniform writeonly image2DArray t;
void main()
{
	ivec3 p = ivec3(I & 15u, I >> 4 & 15u, I >> 8);
	imageStore(t, p, vec4(vec3(p) / vec3(16, 16, 4), 1));
}

@shader texels.comp
layout(binding = 1, r32ui) uniform uimageBuffer t;
void main() { imageStore(t, int(I), imageLoad(t, int(I ^ 1u) + 256)); }

@shader sampled.comp
layout(binding = 1) uniform sampler2D t;
void main()
{
	vec2 v = (vec2(I & 63u, I >> 6) + 0.5) / 64.0;
	result[I] = packUnorm4x8(textureLod(t, v, 0.0));
}

@shader indirect.comp
layout(local_size_x = 64) in;
void main() { atomicAdd(result[0], 1u); result[1u + gl_WorkGroupID.x] = gl_NumWorkGroups.x; }

@shader chain.comp
layout(binding = 1) readonly buffer In { uint before[]; };
void main() { result[I] = before[I * 7u + 3u & 255u] * 5u + I; }

@shader storage16.comp
@extension GL_EXT_shader_16bit_storage
layout(binding = 1) buffer Half { float16_t halves[]; };
layout(binding = 2) buffer Words { uint16_t words[]; };
void main()
{
	float x = float(halves[I]);
	uint w = uint(words[I]);
	result[I] = F(x * 2.0 + float(w));
	words[I] = uint16_t(w * 3u);
}

@shader storage8.comp
@extension GL_EXT_shader_8bit_storage
layout(binding = 1) buffer Bytes { uint8_t bytes[]; };
void main()
{
	uint b = uint(bytes[I]);
	result[I] = b * 1001u;
	bytes[I ^ 256u] = uint8_t(255u - b);
}

@shader float16.comp
@extension GL_EXT_shader_explicit_arithmetic_types_float16
void main()
{
	float16_t x = float16_t(I) * 0.25hf - 7.5hf;
	f16vec2 v = f16vec2(x, x * 0.5hf + 1.0hf);
	v = max(v, v.yx) * 0.5hf + abs(v);
	result[I] = packFloat2x16(v);
}

@shader int16.comp
@extension GL_EXT_shader_explicit_arithmetic_types_int16
void main()
{
	uint16_t a = uint16_t(I * 977u);
	int16_t b = int16_t(a) >> 3s;
	result[I] = uint(a * a) ^ uint(b) << 3;
}

@shader int64.comp
@extension GL_EXT_shader_explicit_arithmetic_types_int64
void main()
{
	uint64_t a = uint64_t(I) * 0x123456789abcul + 0xffffffffful;
	int64_t b = int64_t(a << 13) >> 7;
	uint64_t c = a * a + uint64_t(b);
	result[I] = uint(c >> 32) ^ uint(c) ^ (a > uint64_t(b) ? 1u : 0u);
}

@shader address.comp
@extension GL_EXT_buffer_reference
layout(buffer_reference) buffer Node;
layout(buffer_reference, std430) buffer Node { Node next; uint value; uint other; };
layout(push_constant) uniform Push { Node first; } push;
void main()
{
	Node n = push.first;
	uint sum = 0u;
	for (uint i = 0u; i < (I & 7u); i++) {
		sum = sum * 10u + n.value;
		n = n.next;
	}
	result[I] = sum;
}
