// SPDX-License-Identifier: GPL-2.0
@shader push.vert
layout(location = 0) in vec4 pos;
layout(location = 1) in vec4 col;
layout(location = 0) out vec4 colour;
layout(push_constant) uniform Push { vec4 place; vec4 colour; mat4 m; } push;
void main()
{
	gl_Position = push.m * pos + push.place;
	colour = col * push.colour;
}

@shader push.frag
layout(location = 0) in vec4 colour;
layout(location = 0) out vec4 o;
layout(push_constant) uniform Push { vec4 place; vec4 colour; mat4 m; } push;
void main() { o = colour + vec4(0, 0, push.m[0].x, push.place.w); }

@shader uniform.frag
layout(location = 1) in vec4 v;
layout(location = 0) out vec4 o;
layout(binding = 0, std140) uniform Block {
	float scalar;
	vec3 three;
	vec2 table[8];
	mat3 matrix;
	ivec4 numbers;
} block;
void main()
{
	vec2 t = block.table[int(v.x * 7.99)];
	o = vec4(block.matrix * vec3(t, block.scalar) * block.three, float(block.numbers[int(v.y * 3.99)]) / 10.0);
}

@shader two_uniforms.frag
layout(location = 0) out vec4 o;
layout(set = 0, binding = 0) uniform A { vec4 a; };
layout(set = 1, binding = 0) uniform B { vec4 b; };
layout(set = 2, binding = 0) uniform C { vec4 c; };
void main() { o = vec4(a.x, b.y, c.z, 1); }

@shader dynamic.frag
layout(location = 0) out vec4 o;
layout(binding = 0) uniform A { vec4 a; };
layout(binding = 1) buffer B { vec4 b; };
void main() { o = a + b; }

@shader storage.frag
layout(location = 0) out vec4 o;
layout(binding = 0) readonly buffer In { uint table[]; };
void main()
{
	uvec2 p = uvec2(gl_FragCoord.xy);
	o = unpackUnorm4x8(table[(p.x + p.y * 64u) % uint(table.length())]);
}

@shader stores.frag
layout(location = 0) out vec4 o;
layout(binding = 0) writeonly buffer Out { uint table[]; };
void main()
{
	uvec2 p = uvec2(gl_FragCoord.xy);
	table[p.x + p.y * 64u] = packUnorm4x8(vec4(gl_FragCoord.xy / 64.0, 0.5, 1));
	o = vec4(1);
}

@shader array_uniform.frag
layout(location = 0) out vec4 o;
layout(location = 1) in vec4 v;
layout(binding = 0) uniform sampler2D t[4];
layout(push_constant) uniform Push { int i; } push;
void main() { o = texture(t[push.i], v.xy) * 0.5 + texture(t[2], v.yx) * 0.5; }

@shader array_nonuniform.frag
@extension GL_EXT_nonuniform_qualifier
layout(location = 0) out vec4 o;
layout(location = 1) in vec4 v;
layout(binding = 0) uniform sampler2D t[4];
void main() { o = texture(t[nonuniformEXT(int(v.x * 3.99 + v.y * 0.9) & 3)], v.xy); }

@shader array_runtime.frag
@extension GL_EXT_nonuniform_qualifier
layout(location = 0) out vec4 o;
layout(location = 1) in vec4 v;
layout(binding = 0) uniform sampler2D t[];
void main() { o = texture(t[nonuniformEXT(int(v.y * 11.99))], v.xy); }

@shader buffers_nonuniform.frag
@extension GL_EXT_nonuniform_qualifier
layout(location = 0) out vec4 o;
layout(binding = 0) readonly buffer In { vec4 value; } t[4];
void main() { o = t[nonuniformEXT(int(gl_FragCoord.x) / 8 & 3)].value; }

@shader special.frag
layout(location = 0) out vec4 o;
layout(location = 1) in vec4 v;
layout(constant_id = 0) const int count = 1;
layout(constant_id = 3) const float scale = 1.0;
layout(constant_id = 7) const bool flip = false;
void main()
{
	vec4 sum = vec4(0);
	for (int i = 0; i < count; i++)
		sum += vec4(v.x, v.y, float(i) * 0.25, 1) * scale;
	o = flip ? sum.bgra : sum;
}

@shader input.frag
layout(input_attachment_index = 0, binding = 0) uniform subpassInput first;
layout(location = 0) out vec4 o;
void main() { o = vec4(1) - subpassLoad(first).gbra * vec4(1, 0.5, 1, 0); }
