// SPDX-License-Identifier: GPL-2.0
@shader plain.vert
layout(location = 0) in vec4 pos;
layout(location = 1) in vec4 col;
layout(location = 0) out vec4 colour;
layout(location = 1) out vec4 v;
void main()
{
	gl_Position = pos;
	gl_PointSize = 1.0;
	colour = col;
	v = pos * 0.5 + 0.5;
}

@shader colour.frag
layout(location = 0) in vec4 colour;
layout(location = 0) out vec4 o;
void main() { o = colour; }

@shader points.vert
layout(location = 0) in vec4 pos;
layout(location = 1) in vec4 col;
layout(location = 0) out vec4 colour;
layout(location = 1) out vec4 v;
void main()
{
	gl_Position = pos;
	gl_PointSize = 3.0 + 3.0 * float(gl_VertexIndex);
	colour = col;
	v = vec4(0);
}

@shader points.frag
layout(location = 0) in vec4 colour;
layout(location = 0) out vec4 o;
void main() { o = vec4(gl_PointCoord, colour.b, 1); }

@shader flat.vert
layout(location = 0) in vec4 pos;
layout(location = 1) in vec4 col;
layout(location = 0) flat out vec4 colour;
void main() { gl_Position = pos; colour = col; }

@shader flat.frag
layout(location = 0) flat in vec4 colour;
layout(location = 0) out vec4 o;
void main() { o = colour; }

@shader noperspective.vert
layout(location = 0) in vec4 pos;
layout(location = 1) in vec4 col;
layout(location = 0) noperspective out vec4 colour;
layout(location = 1) out vec4 smooth_colour;
void main() { gl_Position = pos; colour = col; smooth_colour = col; }

@shader noperspective.frag
layout(location = 0) noperspective in vec4 colour;
layout(location = 1) in vec4 smooth_colour;
layout(location = 0) out vec4 o;
void main() { o = vec4(colour.rg, smooth_colour.rg); }

@shader instances.vert
layout(location = 0) in vec4 pos;
layout(location = 1) in vec4 place;
layout(location = 0) out vec4 colour;
void main()
{
	gl_Position = pos * vec4(0.2, 0.2, 1, 1) + vec4(place.xy, 0, 0);
	colour = vec4(place.zw, float(gl_InstanceIndex) / 8.0, 1);
}

@shader formats.vert
layout(location = 0) in vec2 pos;
layout(location = 1) in vec4 unorm8;
layout(location = 2) in vec4 snorm16;
layout(location = 3) in vec2 half_floats;
layout(location = 4) in uvec4 bytes;
layout(location = 5) in ivec2 shorts;
layout(location = 6) in vec4 rgb10a2;
layout(location = 7) in vec4 bgra;
layout(location = 0) out vec4 colour;
void main()
{
	int cell = gl_InstanceIndex;
	gl_Position = vec4(pos * 0.3 + vec2(cell % 3, cell / 3) * 0.65 - 0.65, 0, 1);
	switch (cell) {
	case 0: colour = unorm8; break;
	case 1: colour = abs(snorm16); break;
	case 2: colour = vec4(half_floats, 0, 1); break;
	case 3: colour = vec4(bytes) / 255.0; break;
	case 4: colour = vec4(shorts + 40, 0, 255) / 255.0; break;
	case 5: colour = rgb10a2; break;
	case 6: colour = bgra; break;
	default: colour = vec4(float(gl_VertexIndex) / 4.0, 0.5, 0, 1);
	}
}

@shader facing.frag
layout(location = 0) in vec4 colour;
layout(location = 0) out vec4 o;
void main() { o = gl_FrontFacing ? colour : vec4(1) - colour; }

@shader coord.frag
layout(location = 0) out vec4 o;
void main() { o = vec4(gl_FragCoord.xy / 64.0, gl_FragCoord.z, gl_FragCoord.w); }

@shader derivatives.frag
layout(location = 1) in vec4 v;
layout(location = 0) out vec4 o;
void main()
{
	float f = v.x * v.y * 8.0;
	o = vec4(abs(dFdx(f)), abs(dFdy(f)), fwidth(v.x * 16.0), 1);
}

@shader blocks.vert
layout(location = 0) in vec4 pos;
layout(location = 1) in vec4 col;
layout(location = 0) out Block {
	vec4 colour;
	float scalar;
	vec3 three;
	mat2 matrix;
} block;
void main()
{
	gl_Position = pos;
	block.colour = col;
	block.scalar = pos.x * 0.5 + 0.5;
	block.three = vec3(pos.y, pos.x, 1);
	block.matrix = mat2(col.r, col.g, 0.5, 1);
}

@shader blocks.frag
layout(location = 0) in Block {
	vec4 colour;
	float scalar;
	vec3 three;
	mat2 matrix;
} block;
layout(location = 0) out vec4 o;
void main()
{
	vec2 m = block.matrix * vec2(0.5, 0.5);
	o = vec4(m, block.scalar, abs(block.three.x) * 0.5 + block.colour.a * 0.5);
}

@shader clip_distance.vert
layout(location = 0) in vec4 pos;
layout(location = 1) in vec4 col;
layout(location = 0) out vec4 colour;
out gl_PerVertex {
	vec4 gl_Position;
	float gl_ClipDistance[2];
};
void main()
{
	gl_Position = pos;
	gl_ClipDistance[0] = pos.x + 0.5;
	gl_ClipDistance[1] = 0.6 - pos.y - pos.x * 0.5;
	colour = col;
}
