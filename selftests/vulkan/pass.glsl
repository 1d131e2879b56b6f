// SPDX-License-Identifier: GPL-2.0
@shader scaled.frag
layout(binding = 0) uniform sampler2D t;
layout(location = 1) in vec4 v;
layout(location = 0) out vec4 o;
layout(push_constant) uniform Push { vec4 scale; } push;
void main() { o = texture(t, v.xy) * push.scale; }

@shader unsigned.frag
layout(location = 0) out uvec4 o;
void main() { o = uvec4(gl_FragCoord.x * 1000.0, gl_FragCoord.y * 3.0, 7, 200); }

@shader show_unsigned.frag
layout(binding = 0) uniform usampler2D t;
layout(location = 0) out vec4 o;
void main()
{
	uvec4 w = texelFetch(t, ivec2(gl_FragCoord.xy), 0);
	o = vec4((uvec3(w.x) >> uvec3(0, 8, 16)) & 255u, w.y & 255u) / 255.0;
}

@shader signed.frag
layout(location = 0) out ivec4 o;
void main() { o = ivec4(gl_FragCoord.x - 32.0, 32.0 - gl_FragCoord.y, -7, 100); }

@shader show_signed.frag
layout(binding = 0) uniform isampler2D t;
layout(location = 0) out vec4 o;
void main() { o = vec4(texelFetch(t, ivec2(gl_FragCoord.xy), 0) + 128) / 255.0; }

@shader wide.frag
layout(location = 1) in vec4 v;
layout(location = 0) out vec4 o;
void main() { o = vec4(v.x * 4.0 - 1.0, v.y * 2.0 - 0.5, v.x * v.y, v.x); }

@shader args.comp
layout(local_size_x = 1) in;
layout(binding = 0) buffer Args { uint args[]; };
void main()
{
	args[0] = 6u;
	args[1] = 3u;
	args[2] = 0u;
	args[3] = 1u;
}

@shader fetch_all.frag
layout(binding = 0) uniform sampler2D t;
layout(location = 0) out vec4 o;
void main() { o = texelFetch(t, ivec2(gl_FragCoord.xy), 0); }
