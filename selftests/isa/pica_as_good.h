/* SPDX-License-Identifier: GPL-2.0 */
/* Rows of the table in test_pica_as.c: source, and picasso 2.7.1's words. */
	{
		"aliases and swizzles",
		".alias a c5.wyxz\n.alias b v3\n.proc main\nmov r0, a.xxww\n"
		"mov r1.xy, -b.yzx\nadd r2, a, b\nmul r3.w, -c0, r0\nend\n.end\n",
		5, { 0x4e025000, 0x4e203001, 0x02425182, 0x22620803, 0x88000000 },
		4, { 0x00001f4f, 0x00000c1c, 0x0006da4f, 0x0006c371 },
	},
	{
		"uniforms and constants",
		".fvec m[4], s\n.bool f, g[2]\n.ivec n\n"
		".constf k(1.0, 2.0, -0.5, 0.0)\n.proc main\nmov r0, m[3]\nmov r1, s\n"
		"mov r2, k.w\nmov r3, m[aL+1]\nmov r4, m[a0.y]\nend\n.end\n",
		6, { 0x4e023000, 0x4e224000, 0x4e47f001, 0x4e7a1000, 0x4e920000, 0x88000000 },
		2, { 0x0000036f, 0x00001fef },
	},
	{
		"if and else",
		".proc main\nifu b3\nmov r0, v0\nnop\n.else\nmov r1, v0\n.end\n"
		"ifc cmp.x || !cmp.y\nmov r2, v0\nnop\n.end\nend\n.end\n",
		8, { 0x9cc00c01, 0x4e000000, 0x84000000, 0x4e200000, 0xa2001c00, 0x4e400000,
		  0x84000000, 0x88000000 },
		1, { 0x0000036f },
	},
	{
		"loop with break",
		".proc main\nfor i2\nadd r0, r1, r2\nbreakc !cmp.y\nadd r0, r1, r3\n"
		".end\nend\n.end\n",
		5, { 0xa4800c00, 0x02011900, 0x8ec00000, 0x02011980, 0x88000000 },
		1, { 0x0006c36f },
	},
	{
		"padding after nested blocks",
		".proc main\nifu b0\nifu b1\nmov r0, v0\nmov r1, v0\n.end\n.end\n"
		"for i0\ncall p\n.end\nend\n.end\n.proc p\n.end\n",
		10, { 0x9c001400, 0x9c401000, 0x4e000000, 0x4e200000, 0x84000000, 0xa4001c00,
		  0x90002401, 0x84000000, 0x88000000, 0x84000000 },
		1, { 0x0000036f },
	},
	{
		"calls",
		".proc main\ncall p\ncallc cmp.x, p\ncallu b5, p\nend\n.end\n.proc p\n"
		"mov r0, v0\nmov r1, v0\n.end\n",
		6, { 0x90001002, 0x97801002, 0x99401002, 0x88000000, 0x4e000000, 0x4e200000 },
		1, { 0x0000036f },
	},
	{
		"jumps",
		".proc main\ntop:\nmov r0, v0\njmpc cmp.x && cmp.y, top\njmpu b1, out\n"
		"jmpu !b1, top\nnop\nout:\nend\n.end\n",
		6, { 0x4e000000, 0xb3400000, 0xb4401400, 0xb4400001, 0x84000000, 0x88000000 },
		1, { 0x0000036f },
	},
	{
		"inverted forms",
		".proc main\nsge r0, v0, c1\nslt r0, r1, c2[aL]\ndph r0, v0, c3\n"
		"dst r0, r0, c4\nmad r0, v0, r1, c5\nmad r0, v0, c6, r1\n"
		"dph r0, c7, v0\nend\n.end\n",
		8, { 0x6a001080, 0x6e1c5100, 0x62001180, 0x66041200, 0xd00114a0, 0xf0009a20,
		  0x0e027000, 0x88000000 },
		1, { 0x0d86c36f },
	},
	{
		"compare and mova",
		".proc main\ncmp c0, eq, ge, v0\ncmp v1.x, lt, le, v1.y\n"
		"mova a0.x, v0.y\nnop\nmova a0.xy, v0\nnop\nmova a0.y, r0.z\nend\n"
		".end\n",
		8, { 0xb8a20000, 0xba601081, 0x48000002, 0x84000000, 0x48000000, 0x84000000,
		  0x48010003, 0x88000000 },
		4, { 0x0006c36c, 0x00154000, 0x00000aa8, 0x00001544 },
	},
	{
		"one source",
		".proc main\nex2 r0, v0.x\nlg2 r0.x, v0.y\nlitp r1, v0\nflr r2, -v0\n"
		"rcp r3.w, r2.w\nrsq r4.xyz, r2.z\nend\n.end\n",
		7, { 0x16000000, 0x1a000001, 0x1e200000, 0x2e400002, 0x3a612003, 0x3e812004,
		  0x88000000 },
		5, { 0x0000036f, 0x00000aa8, 0x0000037f, 0x00001fe1, 0x0000154e },
	},
	{
		"shared descriptors",
		".proc main\nmov r0, v0\nadd r1, v0, r0\nmov r2.x, v0\nrcp r2.x, v0\n"
		"dp3 r2.x, v0, r1\nmul r2.x, v0, r1.y\nmad r3, v0, r1, r0\nend\n.end\n",
		8, { 0x4e000000, 0x02200800, 0x4e400001, 0x3a400001, 0x06400881, 0x22400882,
		  0xf3004600, 0x88000000 },
		3, { 0x0d86c36f, 0x00060368, 0x00154368 },
	},
	{
		"geometry",
		".gsh point c8\n.fvec a\n.out p position\n.proc main\nsetemit 0\n"
		"mov p, a\nemit\nsetemit 1, inv\nemit\nsetemit 2, prim\nemit\n"
		"setemit 2, primitive invert\nend\n.end\n",
		9, { 0xac000000, 0x4c028000, 0xa8000000, 0xad400000, 0xa8000000, 0xae800000,
		  0xa8000000, 0xaec00000, 0x88000000 },
		1, { 0x0000036f },
	},
