// SPDX-License-Identifier: GPL-2.0
layout(push_constant) uniform Push { vec4 k[8]; } push;

@shader sample.frag
layout(binding = 0) uniform sampler2D t;
layout(location = 1) in vec4 v;
layout(location = 0) out vec4 o;
void main() { o = texture(t, v.xy * push.k[0].xy + push.k[0].zw); }

@shader lod.frag
layout(binding = 0) uniform sampler2D t;
layout(location = 1) in vec4 v;
layout(location = 0) out vec4 o;
void main() { o = textureLod(t, v.xy * 2.0, floor(v.x * 5.0) * 0.75 - 0.5); }

@shader bias.frag
layout(binding = 0) uniform sampler2D t;
layout(location = 1) in vec4 v;
layout(location = 0) out vec4 o;
void main() { o = texture(t, v.xy * 0.5, v.y < 0.5 ? 0.0 : 1.5); }

@shader grad.frag
layout(binding = 0) uniform sampler2D t;
layout(location = 1) in vec4 v;
layout(location = 0) out vec4 o;
void main()
{
	float s = exp2(floor(v.x * 5.0)) / 16.0;
	o = textureGrad(t, v.xy, vec2(s, 0), vec2(0, s));
}

@shader fetch.frag
layout(binding = 0) uniform sampler2D t;
layout(location = 0) out vec4 o;
void main()
{
	ivec2 p = ivec2(gl_FragCoord.xy);
	int level = p.x / 16;
	o = texelFetch(t, (p & 15) >> level, level);
}

@shader offset.frag
layout(binding = 0) uniform sampler2D t;
layout(location = 1) in vec4 v;
layout(location = 0) out vec4 o;
void main() { o = textureOffset(t, v.xy, ivec2(3, -2)) * 0.5 + textureOffset(t, v.xy, ivec2(-5, 1)) * 0.5; }

@shader gather.frag
layout(binding = 0) uniform sampler2D t;
layout(location = 1) in vec4 v;
layout(location = 0) out vec4 o;
void main() { o = v.x < 0.5 ? textureGather(t, v.xy, 0) : textureGather(t, v.xy, 1); }

@shader proj.frag
layout(binding = 0) uniform sampler2D t;
layout(location = 1) in vec4 v;
layout(location = 0) out vec4 o;
void main() { o = textureProj(t, vec3(v.xy, 0.5 + v.x)); }

@shader size.frag
layout(binding = 0) uniform sampler2D t;
layout(location = 0) out vec4 o;
void main() { o = vec4(textureSize(t, int(gl_FragCoord.x) / 16), textureQueryLevels(t), 255) / 255.0; }

@shader array.frag
layout(binding = 0) uniform sampler2DArray t;
layout(location = 1) in vec4 v;
layout(location = 0) out vec4 o;
void main() { o = texture(t, vec3(v.xy * 2.0, floor(v.x * 4.0) - 0.1 + v.y * 0.3 + push.k[0].x)); }

@shader cube.frag
layout(binding = 0) uniform samplerCube t;
layout(location = 1) in vec4 v;
layout(location = 0) out vec4 o;
void main()
{
	vec2 angle = v.xy * vec2(6.2831853, 3.1415926);
	o = texture(t, vec3(cos(angle.x) * sin(angle.y), cos(angle.y), sin(angle.x) * sin(angle.y)));
}

@shader volume.frag
layout(binding = 0) uniform sampler3D t;
layout(location = 1) in vec4 v;
layout(location = 0) out vec4 o;
void main() { o = texture(t, vec3(v.xy, v.x * 0.5 + v.y * 0.5)); }

@shader shadow.frag
layout(binding = 0) uniform sampler2DShadow t;
layout(location = 1) in vec4 v;
layout(location = 0) out vec4 o;
void main() { o = vec4(texture(t, vec3(v.xy, v.x * 0.9)), texture(t, vec3(v.yx, 0.5)), 0, 1); }

@shader depth_value.frag
layout(binding = 0) uniform sampler2D t;
layout(location = 1) in vec4 v;
layout(location = 0) out vec4 o;
void main() { o = vec4(texture(t, v.xy).r); }

@shader integers.frag
layout(binding = 0) uniform usampler2D t;
layout(binding = 1) uniform isampler2D s;
layout(location = 1) in vec4 v;
layout(location = 0) out vec4 o;
void main() { o = vec4(texture(t, v.xy)) / 65535.0 + vec4(abs(texture(s, v.xy))) / 255.0; }

@shader separate.frag
layout(binding = 0) uniform texture2D t;
layout(binding = 1) uniform sampler near;
layout(binding = 2) uniform sampler linear;
layout(location = 1) in vec4 v;
layout(location = 0) out vec4 o;
void main() { o = v.x < v.y ? texture(sampler2D(t, near), v.xy) : texture(sampler2D(t, linear), v.xy); }

@shader height.vert
layout(location = 0) in vec4 pos;
layout(location = 1) in vec4 col;
layout(binding = 0) uniform sampler2D t;
layout(location = 0) out vec4 colour;
layout(location = 1) out vec4 v;
void main()
{
	colour = textureLod(t, pos.xy * 0.5 + 0.5, 0.0);
	gl_Position = pos + vec4(colour.xy * 0.4 - 0.2, 0, 0);
	v = vec4(0);
}

@shader image.frag
layout(binding = 0, rgba8) uniform readonly image2D t;
layout(location = 0) out vec4 o;
void main() { o = imageLoad(t, ivec2(gl_FragCoord.yx) & 15); }

@shader texels.frag
layout(binding = 0) uniform samplerBuffer t;
layout(location = 0) out vec4 o;
void main() { o = texelFetch(t, int(gl_FragCoord.x) + 64 * (int(gl_FragCoord.y) & 3)); }
