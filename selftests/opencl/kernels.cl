// SPDX-License-Identifier: GPL-2.0
// Kernels of opencl.c, one program. Each has its C model there.

kernel void add(global const int *a, global const int *b, global int *o, int factor)
{
	size_t i = get_global_id(0);

	o[i] = a[i] * factor + b[i];
}

kernel void ids(global uint *o)
{
	uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
	uint at = (x - get_global_offset(0)) + get_global_size(0) * (y + get_global_size(1) * z);

	o[at] = x | y << 8 | z << 12 | (uint)get_local_id(0) << 16 | (uint)get_group_id(1) << 20 |
		(uint)get_num_groups(0) << 24 | (uint)get_work_dim() << 28;
}

kernel void reverse(global const uint *a, global uint *o, local uint *s)
{
	uint l = get_local_id(0), n = get_local_size(0);

	s[l] = a[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	o[get_global_id(0)] = s[n - 1 - l] + s[(l * 5) % n];
}

kernel void scan(global const uint *a, global uint *o)
{
	local uint s[2][64];
	uint l = get_local_id(0), from = 0;

	s[0][l] = a[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint step = 1; step < 64; step <<= 1) {
		s[!from][l] = s[from][l] + (l >= step ? s[from][l - step] : 0);
		from = !from;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	o[get_global_id(0)] = s[from][l];
}

kernel void histogram(global const uint *a, global uint *o)
{
	local uint s[16];
	uint l = get_local_id(0);

	if (l < 16)
		s[l] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_inc(&s[a[get_global_id(0)] & 15]);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (l < 16)
		atomic_add(&o[l], s[l]);
	atomic_max(&o[16], a[get_global_id(0)]);
	atomic_xor(&o[17], a[get_global_id(0)]);
}

kernel void matrix(global const float *a, global const float *b, global float *o, uint n)
{
	uint x = get_global_id(0), y = get_global_id(1);
	float sum = 0;

	for (uint k = 0; k < n; k++)
		sum += a[y * n + k] * b[k * n + x];
	o[y * n + x] = sum;
}

kernel void bits(global const uint *a, global uint *o)
{
	uint i = get_global_id(0), x = a[i], y = a[i ^ 1];

	o[i] = popcount(x) + (clz(x) << 8) + rotate(x, y & 31) + bitselect(x, y, 0x0ff0f00fu) +
	       mul_hi(x, y) + hadd(x, y) + rhadd(y, x) + mad24((int)(x & 0x7fff), (int)(y & 0x7fff), 3) +
	       (as_uint(mul_hi((int)x, (int)y)) >> 3);
}

kernel void saturate(global const uint *a, global uint *o)
{
	uint i = get_global_id(0);
	int x = a[i], y = a[i ^ 1];

	o[i] = add_sat(x, y) ^ sub_sat(a[i], a[i ^ 1]) ^ abs_diff(x, y) ^
	       (uint)(ushort)convert_short_sat(x >> 12) ^ (uint)convert_ushort_sat(y >> 10) << 8 ^
	       (uint)clamp(x, -1000, 1000) << 3;
}

kernel void vectors(global const float *a, global float *o)
{
	uint i = get_global_id(0);
	float4 v = vload4(i, a), w = v.wzyx * 2.0f + (float4)(1, 2, 3, 4);
	float3 c = cross(v.xyz, w.yzw);

	w.s02 = v.hi;
	vstore4(select(v, w, isgreater(v, w)) + (float4)(c, dot(v, w)), i, o);
}

kernel void narrow(global const ushort *a, global const short *b, global short *o, global ushort *p)
{
	uint i = get_global_id(0);

	o[i] = a[i] - b[i];
	p[i] = (ushort)(a[i] * b[i]) ^ (ushort)b[i ^ 1];
}

kernel void bytes(global const uchar *a, global char *o)
{
	uint i = get_global_id(0);

	o[i] = add_sat((char)a[i], (char)a[i ^ 1]) ^ (char)(a[i] >> 3);
}

kernel void wide(global const ulong *a, global ulong *o)
{
	uint i = get_global_id(0);
	ulong x = a[i], y = a[i ^ 1] | 1;

	o[i] = x * y + (x >> (i & 63)) + ((long)x >> 7) + (x > y ? x ^ y : y << 5) +
	       (ulong)convert_float((uint)x);
}

kernel void divide(global const ulong *a, global ulong *o)
{
	uint i = get_global_id(0);
	ulong x = a[i], y = a[i ^ 1] | 1;

	o[i] = x / y + x % (y >> 20 | 3) + (ulong)((long)x / (long)(y >> 30 | 1)) + popcount(x) + clz(y);
}

kernel void convert(global const float *a, global int *o)
{
	uint i = get_global_id(0);
	float x = a[i];

	o[i] = convert_int_rte(x) * 3 + convert_int_rtz(x) * 5 + convert_int_rtp(x) * 7 +
	       convert_int_rtn(x) * 11 + convert_ushort_sat(x) + (int)rint(x) + (int)round(x) * 13;
}

kernel void functions(global const float *a, global float *o)
{
	uint i = get_global_id(0);
	float x = a[i];

	switch (i & 7) {
	case 0: o[i] = sin(x); break;
	case 1: o[i] = cos(x); break;
	case 2: o[i] = exp(x * 0.1f); break;
	case 3: o[i] = log(fabs(x) + 0.5f); break;
	case 4: o[i] = sqrt(fabs(x)); break;
	case 5: o[i] = pow(fabs(x) + 0.1f, 1.5f); break;
	case 6: o[i] = x / 7.3f + hypot(x, 2.0f); break;
	default: o[i] = atan2(x, 3.0f) + mad(x, x, 0.25f); break;
	}
}

kernel void fused(global const float *a, global float *o)
{
	uint i = get_global_id(0);

	o[i] = fma(a[i], a[i ^ 1], a[i ^ 2]);
}

kernel void halves(global const half *a, global half *o, global float *p)
{
	uint i = get_global_id(0);
	float x = vload_half(i, a);

	vstore_half(x * 0.5f + 1.0f, i, o);
	p[i] = x;
}

struct item {
	uint key;
	ushort tag;
	float weight;
};

constant uint primes[8] = { 2, 3, 5, 7, 11, 13, 17, 19 };

kernel void structures(global const struct item *a, struct item first, constant uint *table, global uint *o)
{
	uint i = get_global_id(0);
	struct item item = a[i];
	uint stack[8];

	for (uint k = 0; k < 8; k++)
		stack[(k + item.tag) & 7] = primes[k] * item.key + table[k];
	o[i] = stack[i & 7] + (uint)(item.weight * first.weight) + first.tag;
}

kernel void branches(global const uint *a, global uint *o)
{
	uint i = get_global_id(0), n = a[i] % 1000 + 1, steps = 0;

	while (n != 1 && steps < 300) {
		n = n & 1 ? 3 * n + 1 : n / 2;
		if (++steps == 77)
			continue;
		if ((n & 0xff) == 0xab)
			break;
	}
	o[i] = steps << 16 | (n & 0xffff);
}

kernel void images(read_only image2d_t t, write_only image2d_t u, sampler_t s)
{
	int2 p = (int2)(get_global_id(0), get_global_id(1));
	uint4 v = read_imageui(t, s, (int2)(p.y, p.x));

	write_imageui(u, p, v.yxwz + (uint4)(p.x, p.y, 1, 2));
}
