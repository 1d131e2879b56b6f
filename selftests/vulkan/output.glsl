// SPDX-License-Identifier: GPL-2.0
@shader discard.frag
layout(location = 0) in vec4 colour;
layout(location = 1) in vec4 v;
layout(location = 0) out vec4 o;
void main()
{
	if (fract(v.x * 8.0) < 0.5 && v.y < 0.7)
		discard;
	o = colour;
}

@shader depth.frag
layout(location = 0) in vec4 colour;
layout(location = 1) in vec4 v;
layout(location = 0) out vec4 o;
void main()
{
	gl_FragDepth = fract(v.x * 3.0);
	o = colour;
}

@shader early.frag
layout(early_fragment_tests) in;
layout(location = 0) in vec4 colour;
layout(location = 0) out vec4 o;
layout(binding = 0) buffer Count { uint count[]; };
void main()
{
	atomicAdd(count[uint(gl_FragCoord.y)], 1u);
	o = colour;
}

@shader two.frag
layout(location = 0) in vec4 colour;
layout(location = 0) out vec4 a;
layout(location = 1) out vec4 b;
void main() { a = colour; b = vec4(1) - colour.gbra; }

@shader sum.frag
layout(binding = 0) uniform sampler2D t[2];
layout(location = 0) out vec4 o;
void main()
{
	ivec2 p = ivec2(gl_FragCoord.xy);
	o = gl_FragCoord.x < 32.0 ? texelFetch(t[0], p * ivec2(2, 1), 0) :
				    texelFetch(t[1], p * ivec2(2, 1) - ivec2(64, 0), 0);
}

@shader samples.frag
layout(binding = 0) uniform sampler2DMS t;
layout(location = 0) out vec4 o;
void main()
{
	ivec2 p = ivec2(gl_FragCoord.xy);
	vec4 sum = vec4(0);
	for (int i = 0; i < 4; i++)
		sum += texelFetch(t, p, i) * vec4(1, 0.5, 0.25, 0.25);
	o = sum * 0.5;
}

@shader sample_id.frag
layout(location = 0) out vec4 o;
void main() { o = vec4(gl_SampleID == 0, gl_SampleID & 1, gl_SampleID / 3.0, 1); }

@shader sample_mask.frag
layout(location = 0) in vec4 colour;
layout(location = 0) out vec4 o;
void main()
{
	gl_SampleMask[0] = int(gl_FragCoord.x) / 4 & 0xf;
	o = colour;
}

@shader dual.frag
layout(location = 0) in vec4 colour;
layout(location = 0, index = 0) out vec4 a;
layout(location = 0, index = 1) out vec4 b;
void main() { a = colour; b = vec4(0.25, 0.75, colour.g, 0.5); }
