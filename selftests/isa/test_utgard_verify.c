// SPDX-License-Identifier: GPL-2.0
/* Utgard verification: rejects, their reasons and locations; robustness against arbitrary bytes. */
#include "isa/utgard/utgard_isa.h"
#include "lint.h"
#include "utgard_test.h"

static int check_gp(const u32 *words, u32 n, struct vs_report *rep, struct vs_reject *rej)
{
	u32 entry = 0;
	struct vs_src src = { .stage = VS_STAGE_VERTEX, .words = { words }, .nwords = { n },
			      .entries = &entry, .nentries = 1 };

	return ugp_verify(&src, rep, rej);
}

static int check_pp(const u32 *words, u32 n, struct vs_report *rep, struct upp_check *check)
{
	u32 entry = 0;
	struct vs_src src = { .stage = VS_STAGE_FRAGMENT, .words = { words }, .nwords = { n },
			      .entries = &entry, .nentries = 1 };

	return upp_verify(&src, rep, check);
}

/* ---- vertex programs ---- */

static const struct {
	const char *text;
	enum ugp_reason reason;
	const char *field;
} gp_programs[] = {
	{ ": nop", UGP_OK, NULL },
	{ ": mov.a0 v0.x a0.x", UGP_OK, NULL },
	{ ": op3.a0 a0.x a0.x", UGP_BAD_OP, "acc_op" },
	{ ": .acc_op 3", UGP_OK, NULL },
	{ ": unknown2.m01 a0.x a0.x a0.x a0.x", UGP_BAD_OP, "mul_op" },
	{ ": unknown5.m01 a0.x a0.x a0.x a0.x", UGP_BAD_OP, "mul_op" },
	{ ": unknown6.m01 a0.x a0.x a0.x a0.x", UGP_BAD_OP, "mul_op" },
	{ ": unknown7.m01 a0.x a0.x a0.x a0.x", UGP_BAD_OP, "mul_op" },
	{ ": unk0.p a0.x", UGP_BAD_OP, "pass_op" },
	{ ": unk1.p a0.x", UGP_BAD_OP, "pass_op" },
	{ ": unk3.p a0.x", UGP_BAD_OP, "pass_op" },
	{ ": unk7.p a0.x", UGP_BAD_OP, "pass_op" },
	{ ": unk1.c a0.x", UGP_BAD_OP, "complex_op" },
	{ ": unk6.c a0.x", UGP_BAD_OP, "complex_op" },
	{ ": unk7.c a0.x", UGP_BAD_OP, "complex_op" },
	{ ": unk8.c a0.x", UGP_BAD_OP, "complex_op" },
	{ ": unk11.c a0.x", UGP_BAD_OP, "complex_op" },
	{ ": addr01.c", UGP_OK, NULL },
	{ ": mov.c addr0 a0.x", UGP_OK, NULL },
	{ ": mov.c addr3 a0.x", UGP_OK, NULL },
	{ ": mov.c a0.x\n .complex_a 21", UGP_MISSING_SRC, "complex_a" },
	{ ": add.a0 a0.x unknown0", UGP_BAD_SRC, "acc0_b" },
	{ ": add.a1 unknown3 a0.x", UGP_BAD_SRC, "acc1_a" },
	{ ": add.a0 a0.x unused", UGP_MISSING_SRC, "acc0_b" },
	{ ": floor.a0 a0.x\n .acc0_b 21", UGP_OK, NULL },
	{ ": mul.m0 a0.x unused", UGP_MISSING_SRC, "mul0_b" },
	{ ": mul.m1 unused a0.x", UGP_MISSING_SRC, "mul1_a" },
	{ ": sel.m01 a0.x a0.y unused", UGP_MISSING_SRC, "mul1_a" },
	{ ": sel.m01 v0.x a0.x a0.y a0.z", UGP_OK, NULL },
	{ ": sel.m01 a0.x a0.y a0.z\n .mul0_neg 1", UGP_BAD_OP, "mul0_neg" },
	{ ": sel.m01 a0.x a0.y a0.z\n .mul1_neg 1", UGP_BAD_OP, "mul1_neg" },
	{ ": sel.m01 a0.x a0.y a0.z\n .store_x 3", UGP_BAD_STORE, "store_x" },
	{ ": complex1.m01 v0.x a0.x a0.x a0.x a0.x", UGP_BAD_STORE, "store_x" },
	{ ": complex1.m01 a0.x a0.x a0.x a0.x", UGP_OK, NULL },
	{ ": nop\n .store_y 5", UGP_BAD_STORE, "store_y" },
	{ ": nop\n .store_z 0", UGP_BAD_STORE, "store_z" },
	{ ": mov.a0 a0.x\n .store_w 1", UGP_BAD_STORE, "store_w" },
	{ ": mov.a0 v0.x a0.x\n .store0_temporary 1\n unknown_1 12", UGP_BAD_DEST,
	  "store0_temporary" },
	{ ": mov.a0 t[addr0].x a0.x", UGP_OK, NULL },
	{ ": mov.a0 t[addr0].x a0.x\n unknown_1 0", UGP_BAD_MODE, "unknown_1" },
	{ ": nop\n unknown_1 5", UGP_BAD_MODE, "unknown_1" },
	{ ": nop\n unknown_1 12", UGP_BAD_MODE, "unknown_1" },
	{ ": nop\n unknown_1 13", UGP_BAD_MODE, "unknown_1" },
	{ ": mov.a0 t[0+unk0].x", UGP_BAD_OFFSET, "load_offset" },
	{ ": mov.a0 t[0+unk4].x", UGP_BAD_OFFSET, "load_offset" },
	{ ": mov.a0 t[0+unk6].x", UGP_BAD_OFFSET, "load_offset" },
	{ ": nop\n .load_offset 4", UGP_OK, NULL },
	{ ": mov.a0 t[303].x", UGP_OK, NULL },
	{ ": mov.a0 t[304].x", UGP_BAD_ROW, "load_addr" },
	{ ": mov.a0 t[304+addr1].x", UGP_OK, NULL },
	{ ": clamp.p a0.x t[304].x t[304].y", UGP_BAD_ROW, "load_addr" },
	{ ": mov.p a0.x\n branch 0", UGP_OK, NULL },
	{ ": mov.p a0.x\n branch 1", UGP_BAD_TARGET, "branch_target" },
	{ ": mov.p a0.x\n branch 256", UGP_BAD_TARGET, "branch_target" },
	{ ": branch 0", UGP_BAD_CONDITION, "branch" },
	{ ": mov.p a0.x\n branch 0\n unknown_1 0", UGP_BAD_MODE, "unknown_1" },
	{ ": mov.p t[addr0].x a0.x\n branch 0", UGP_BAD_MODE, "branch" },
};

static bool try_gp(u32 i)
{
	struct vs_report rep;
	struct vs_reject rej;
	u32 *words, n;
	char msg[300];
	const char *field;
	int ret;

	if (!ut_test_assemble(false, gp_programs[i].text, &words, &n, msg, sizeof(msg))) {
		tap_comment("\"%s\": %s", gp_programs[i].text, msg);
		return false;
	}
	ret = check_gp(words, n, &rep, &rej);
	free(words);
	field = ugp_reject_field(&rej);
	if (ret == (gp_programs[i].reason ? -ENOEXEC : 0) && rej.reason == gp_programs[i].reason &&
	    !field == !gp_programs[i].field && (!field || !strcmp(field, gp_programs[i].field)))
		return true;
	tap_comment("\"%s\": %d, %s: %s", gp_programs[i].text, ret, field ? field : "",
		    ugp_reason_text(rej.reason));
	return false;
}

static void test_gp_programs(void)
{
	u32 i, bad = 0;

	for (i = 0; i < ARRAY_SIZE(gp_programs); i++)
		bad += !try_gp(i);
	tap_result(!bad, "%zu vertex programs are accepted or rejected as they should be",
		   ARRAY_SIZE(gp_programs));
}

/* ---- pixel programs ---- */

static const struct {
	const char *text;
	enum upp_reason reason;
	const char *field;
	const char *part;
} pp_programs[] = {
	{ "stop", UPP_OK, NULL, NULL },
	{ "nop", UPP_RUNS_OFF, "ctrl", NULL },
	{ "nop\nstop", UPP_OK, NULL, NULL },
	{ ".word 0", UPP_BAD_COUNT, "ctrl", NULL },
	{ ".word 0x82", UPP_BAD_COUNT, "ctrl", NULL },
	{ ".word 0x83\n.word 0", UPP_TRUNCATED, "ctrl", NULL },
	{ "stop, .ctrl.unknown_0 1", UPP_BAD_RESERVED, "ctrl", "unknown_0" },
	{ "mov.s1 $0.x $0.x, stop, .padding 1", UPP_BAD_PADDING, "ctrl", NULL },
	{ "load.v $0 0, stop", UPP_OK, NULL, NULL },
	{ "load.v $0 11, stop", UPP_OK, NULL, NULL },
	{ "load.v $0 12, stop", UPP_BAD_INDEX, "varying", "index" },
	{ "load.v $0 24.xy, stop", UPP_BAD_INDEX, "varying", "index" },
	{ "load.v $0 11.w, stop", UPP_OK, NULL, NULL },
	{ "load.v $0 63+$1.x, stop", UPP_OK, NULL, NULL },
	{ "load.v $0 0, .varying.alignment 2, stop", UPP_BAD_VALUE, "varying", "alignment" },
	{ "load.v $0 0, .varying.perspective 1, stop", UPP_BAD_VALUE, "varying", "perspective" },
	{ "load.perspective.w.v $0 0, stop", UPP_OK, NULL, NULL },
	{ "load.v $0 0, .varying.unknown_1 1, stop", UPP_BAD_RESERVED, "varying", "unknown_1" },
	{ "load.v $0 0, .varying.unknown_3 2, stop", UPP_BAD_RESERVED, "varying", "unknown_3" },
	{ "load.v $6 0, stop", UPP_BAD_DEST, "varying", "dest" },
	{ "load.v $12 0, stop", UPP_BAD_DEST, "varying", "dest" },
	{ "load.v $0 $1, .varying.normalize 1, stop", UPP_BAD_VALUE, "varying", "normalize" },
	{ "load.v $0 normalize($1), stop", UPP_OK, NULL, NULL },
	{ "load.v $0 normalize($1), .varying.normalize 0, stop", UPP_OK, NULL, NULL },
	{ "load.v $0 normalize($1), .varying.normalize 1, stop", UPP_OK, NULL, NULL },
	{ "load.v $0 cube($1), stop", UPP_OK, NULL, NULL },
	{ "load.v $0 $1, .varying.perspective 1, stop", UPP_BAD_VALUE, "varying", "perspective" },
	{ "load.v $0 ^texture, stop", UPP_NOT_LOADED, "varying", "reg" },
	{ "load.v $0 $7, stop", UPP_BAD_REG, "varying", "reg" },
	{ "load.v $0 gl_PointCoord, stop", UPP_OK, NULL, NULL },
	{ "texld 0, stop", UPP_MISSING_FIELD, "sampler", "index" },
	{ "load.v ^discard 0, texld 0, mov.v1 $0 ^texture, sync, stop", UPP_OK, NULL, NULL },
	{ "load.v ^discard 0, texld_t1 0, stop", UPP_BAD_VALUE, "sampler", "type" },
	{ "load.v ^discard 0, texld 0, .sampler.explicit_lod 1, stop", UPP_BAD_VALUE, "sampler",
	  "explicit_lod" },
	{ "load.v ^discard 0, texld 0, .sampler.unknown_2 0, stop", UPP_BAD_RESERVED, "sampler",
	  "unknown_2" },
	{ "load.v ^discard 0, texld.b 0 $6.x, stop", UPP_BAD_REG, "sampler", "lod" },
	{ "load.v ^discard 0, texld 0+$1.x, stop", UPP_OK, NULL, NULL },
	{ "load.u 0, stop", UPP_OK, NULL, NULL },
	{ "load.u -1, stop", UPP_BAD_INDEX, "uniform", "index" },
	{ "load.t -1, stop", UPP_OK, NULL, NULL },
	{ "load.u 0, .uniform.source 1, stop", UPP_BAD_VALUE, "uniform", "source" },
	{ "load.u 0, .uniform.source 2, stop", UPP_BAD_VALUE, "uniform", "source" },
	{ "load.u 0, .uniform.alignment 3, stop", UPP_BAD_VALUE, "uniform", "alignment" },
	{ "load.u 0, .uniform.unknown_1 3, stop", UPP_BAD_RESERVED, "uniform", "unknown_1" },
	{ "load.u 0+^uniform.x, stop", UPP_NOT_LOADED, "uniform", "offset" },
	{ "mov.v1 $0 ^uniform, stop", UPP_NOT_LOADED, "vec_add", "arg0" },
	{ "mov.v1 $0 ^const0, stop", UPP_NOT_LOADED, "vec_add", "arg0" },
	{ "mov.v1 $0 ^const1, const1 1, stop", UPP_OK, NULL, NULL },
	{ "add.v1 $0 $0 $6, stop", UPP_BAD_REG, "vec_add", "arg1" },
	{ "mov.v1 $6 $0, stop", UPP_BAD_DEST, "vec_add", "dest" },
	{ "mov.v1 $15 $0, stop", UPP_OK, NULL, NULL },
	{ "op18.v0 $0 $0 $0, stop", UPP_BAD_OP, "vec_mul", "op" },
	{ "op30.v0 $0 $0 $0, stop", UPP_BAD_OP, "vec_mul", "op" },
	{ "op1.v1 $0 $0 $0, stop", UPP_BAD_OP, "vec_add", "op" },
	{ "op22.v1 $0 $0 $0, stop", UPP_BAD_OP, "vec_add", "op" },
	{ "op16.s1 $0.x $0.x $0.x, stop", UPP_BAD_OP, "scalar_add", "op" },
	{ "op17.s1 $0.x $0.x $0.x, stop", UPP_BAD_OP, "scalar_add", "op" },
	{ "op18.s0 $0.x $0.x $0.x, stop", UPP_BAD_OP, "scalar_mul", "op" },
	{ "mov.v1 $0 ^v0, stop", UPP_MISSING_FIELD, "vec_add", "mul_in" },
	{ "mov.s1 $0.x ^s0, stop", UPP_MISSING_FIELD, "scalar_add", "mul_in" },
	{ "sel.v1 $0 $1 $2, stop", UPP_MISSING_FIELD, "vec_add", "op" },
	{ "mov.s0 $0.x, sel.v1 $0 $1 $2, stop", UPP_OK, NULL, NULL },
	{ "mul.v0 $1 $1, mov.v1 $0 ^v0, stop", UPP_OK, NULL, NULL },
	{ "op10.s2 $0.x $0.x, stop", UPP_BAD_OP, "combine", "op" },
	{ "op15.s2 $0.x $0.x, stop", UPP_BAD_OP, "combine", "op" },
	{ "atan.s2 $0.xyz $0.x, stop", UPP_OK, NULL, NULL },
	{ "atan2.s2 $0.xyz $0.x $0.y, stop", UPP_OK, NULL, NULL },
	{ "atan_pt2.s2 $0.x $0, stop", UPP_OK, NULL, NULL },
	{ "atan_pt2.s2 $0.x $0, .combine.unknown_0 1, stop", UPP_BAD_RESERVED, "combine",
	  "unknown_0" },
	{ ".combine 0x00000020, stop", UPP_BAD_OP, "combine", "op" },
	{ ".combine 0x00000001, stop", UPP_BAD_OP, "combine", "op" },
	{ "mul.s2 $0 $1.x $2, stop", UPP_OK, NULL, NULL },
	{ "store.t 0 $1, stop", UPP_OK, NULL, NULL },
	{ "store.t 0 $1, .temp.dest 1, stop", UPP_BAD_VALUE, "temp", "dest" },
	{ "store.t 0 $1, .temp.alignment 3, stop", UPP_BAD_VALUE, "temp", "alignment" },
	{ "store.t 0 $1, .temp.unknown_0 1, stop", UPP_BAD_RESERVED, "temp", "unknown_0" },
	{ "store.t 0 $7, stop", UPP_BAD_REG, "temp", "source" },
	{ "fb_color $0, stop", UPP_OK, NULL, NULL },
	{ "fb_depth $0, stop", UPP_OK, NULL, NULL },
	{ "fb_depth $0, .temp.source 0, stop", UPP_BAD_VALUE, "temp", "source" },
	{ "fb_color $0, .temp.unknown_1 0, stop", UPP_BAD_RESERVED, "temp", "unknown_1" },
	{ "branch 0", UPP_OK, NULL, NULL },
	{ "branch 4", UPP_BAD_TARGET, "branch", "target" },
	{ "branch -1", UPP_BAD_TARGET, "branch", "target" },
	{ "branch.nv $0.x $0.x 0\nstop", UPP_OK, NULL, NULL },
	{ "branch.eq $0.x $0.x 0", UPP_RUNS_OFF, "ctrl", NULL },
	{ "branch.eq $0.x ^const0.x 0\nstop", UPP_NOT_LOADED, "branch", "arg1" },
	{ "branch 0, .branch.unknown_0 1", UPP_BAD_RESERVED, "branch", "unknown_0" },
	{ "branch 2", UPP_BAD_COUNT, "ctrl", NULL },
	{ "discard, stop", UPP_OK, NULL, NULL },
	{ "discard", UPP_RUNS_OFF, "ctrl", NULL },
};

static bool same_name(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool try_pp(u32 i)
{
	struct vs_report rep;
	struct upp_check check;
	u32 *words, n;
	char msg[300];
	int ret;

	if (!ut_test_assemble(true, pp_programs[i].text, &words, &n, msg, sizeof(msg))) {
		tap_comment("\"%s\": %s", pp_programs[i].text, msg);
		return false;
	}
	ret = check_pp(words, n, &rep, &check);
	free(words);
	if (!ret && !pp_programs[i].reason)
		return true;
	if (ret == -ENOEXEC && check.reject.reason == pp_programs[i].reason &&
	    same_name(pp_programs[i].field, upp_field_name((enum upp_field)check.field)) &&
	    same_name(pp_programs[i].part, check.part))
		return true;
	tap_comment("\"%s\": %d, %s.%s: %s", pp_programs[i].text, ret,
		    ret ? upp_field_name((enum upp_field)check.field) : "",
		    check.part ? check.part : "", upp_reason_text(check.reject.reason));
	return false;
}

static void test_pp_programs(void)
{
	u32 i, bad = 0;

	for (i = 0; i < ARRAY_SIZE(pp_programs); i++)
		bad += !try_pp(i);
	tap_result(!bad, "%zu pixel programs are accepted or rejected as they should be",
		   ARRAY_SIZE(pp_programs));
}

/* ---- all undefined codes ---- */

static void test_codes(void)
{
	u32 op, good[3] = { }, *words, n, class;
	struct vs_report rep;
	struct upp_check check;
	char text[100], msg[300];

	for (op = 0; op < 96; op++) {
		class = op / 32;
		if (class == 0)
			snprintf(text, sizeof(text), "mul.v0 $0 $0 $0, .vec_mul.op %u, stop", op);
		else if (class == 1)
			snprintf(text, sizeof(text), "add.v1 $0 $0 $0, mov.s0 $0.x, %s %u, stop",
				 ".vec_add.op", op % 32);
		else
			snprintf(text, sizeof(text), "rcp.s2 $0.x $0.x, .combine.op %u, stop",
				 op % 16);
		if (class == 2 && op % 32 > 15)
			break;
		if (!ut_test_assemble(true, text, &words, &n, msg, sizeof(msg)))
			continue;
		good[class] += !check_pp(words, n, &rep, &check);
		free(words);
	}
	tap_result(good[0] == 19 && good[1] == 16 && good[2] == 8,
		   "%u of 32, %u of 32, %u of 16 codes have a meaning", good[0], good[1], good[2]);
}

/* ---- reports ---- */

static const char pixel_report[] =
	"load.v $1.xy 2.zw, texld 3, load.u 9.y, mov.v1 $0 ^texture, store.t -2 $0, sync\n"
	"branch.lt $0.x $0.y 0\nload.t 4, discard, stop";

static void test_reports(void)
{
	struct vs_report rep;
	struct vs_reject rej;
	struct upp_check check;
	u32 *words, n;
	char msg[300];
	bool ok;

	ok = ut_test_assemble(false, ": mov.a0 v3.x a2.x\n: mov.a0 $5.y t[17].x\n"
			      ": mov.p $6.x\nbranch 0\n: mov.a0 t[1+addr1].x", &words, &n, msg,
			      sizeof(msg)) && !check_gp(words, n, &rep, &rej);
	free(words);
	tap_result(ok && rep.inputs == 4 && rep.outputs == 8 && rep.temps == 0x60 &&
		   rep.uniform_rows == 18 && rep.code_words == 16 &&
		   rep.features == (VS_FEAT_FLOW | VS_FEAT_LOOP | VS_FEAT_RELATIVE),
		   "report of a vertex program");
	ok = ut_test_assemble(true, pixel_report, &words, &n, msg, sizeof(msg)) &&
	     !check_pp(words, n, &rep, &check);
	free(words);
	tap_result(ok && rep.inputs == 4 && rep.temps == 3 && rep.uniform_rows == 10 &&
		   check.samplers == 8 && check.insns == 3 && check.temps &&
		   check.temp_low == -2 && check.temp_high == 4 && check.discard &&
		   check.group && !check.fb_read && check.first_count == 8 &&
		   rep.features == (VS_FEAT_FLOW | VS_FEAT_LOOP), "report of a pixel program");
}

/* ---- warnings ---- */

static const struct {
	bool pixel;
	u32 warnings;
	const char *text;
	const char *warning;
} lints[] = {
	{ false, 0, ": mov.a0 a0.x\n: mov.a0 ^0\n: mov.a1 ^0", NULL },
	{ false, 1, ": mov.a0 ^-6", "000: warning: reads the result of a0 before the program" },
	{ false, 1, ": mov.a0 ^port0.x", "reads port 0 before the program" },
	{ false, 1, ": nop\n: mov.a0 ^3", "001: warning: reads the result of m1 in 000" },
	{ false, 2, ": complex1.m01 a0.x a0.x a0.x a0.x\n: mov.a0 ^2",
	  "001: warning: reads the result of complex1 in 000, which is not ready" },
	{ false, 1, ": complex1.m01 a0.x a0.x a0.x a0.x\n: nop\n: mov.a0 ^2",
	  "000: warning: complex1 without complex2" },
	{ false, 0, ": complex2.m0 a0.x a0.x\nrcp.c a0.x\n: complex1.m01 ^5 ^2 ^5 a0.x\n"
	  ": nop\n: mov.a0 ^8", NULL },
	{ false, 1, ": complex2.m0 a0.x a0.x\nmov.c a0.x\n: complex1.m01 ^5 ^2 ^5 a0.x",
	  "001: warning: complex1 without complex2" },
	{ false, 1, ": mov.a0 $1.x a0.x\n: nop\n: mov.a0 $1.x",
	  "002: warning: reads $1, which 000 writes" },
	{ false, 0, ": mov.a0 $1.x a0.x\n: nop\n: nop\n: mov.a0 $1.x", NULL },
	{ false, 0, ": mov.a0 $1.x a0.x\n: mov.a0 $1.y", NULL },
	{ false, 1, ": mov.c addr2 a0.x\n: nop\n: nop\n: mov.a0 t[0+addr2].x",
	  "003: warning: uses addr2, which 000 sets: that takes 4" },
	{ false, 0, ": mov.c addr2 a0.x\n: mov.a0 t[0+addr1].x", NULL },
	{ false, 1, ": mov.p a0.x\naddr01.c\n: mov.a0 t[0+addr1].x", "uses addr1" },
	{ true, 0, "load.v ^discard 0, texld 0, sync, stop", NULL },
	{ true, 1, "load.v ^discard 0, texld 0, stop", "@     0: warning: textures and" },
	{ true, 1, "dFdx.v1 $0 $0 -$0, stop", "without sync" },
	{ true, 1, "dFdy.s1 $0.x $0.x -$0.x, stop", "without sync" },
	{ true, 1, "nop, .ctrl.next_count 2\nstop",
	  "@     0: warning: the instruction at 1 has 1 words, not 2" },
	{ true, 2, "nop, .ctrl.next_count 2\nload.v $0 0\nbranch 0, .branch.next_count 7",
	  "@     4: warning: the instruction at 0 has 1 words, not 7" },
	{ true, 1, "branch 0, .branch.next_count 0",
	  "@     0: warning: the instruction at 0 has 4 words, not 0" },
};

static bool try_lint(u32 i)
{
	u32 entry = 0, *words = NULL, n;
	char msg[300] = "", buf[1000] = "";
	struct vs_log log = { .buf = buf, .size = sizeof(buf) };
	struct vs_src src = { .entries = &entry, .nentries = 1 };
	struct vs_report rep = { };
	struct upp_check check;
	struct vs_reject rej;
	int found = -1;
	bool ok = ut_test_assemble(lints[i].pixel, lints[i].text, &words, &n, msg, sizeof(msg));

	src.words[0] = words;
	src.nwords[0] = n;
	src.stage = lints[i].pixel ? VS_STAGE_FRAGMENT : VS_STAGE_VERTEX;
	ok = ok && !(lints[i].pixel ? upp_verify(&src, &rep, &check) :
				      ugp_verify(&src, &rep, &rej));
	if (ok)
		found = vs_lint(lints[i].pixel ? &utgard_pp_isa : &utgard_gp_isa, &src, &log);
	free(words);
	if (ok && found == (int)lints[i].warnings &&
	    (lints[i].warning ? !!strstr(buf, lints[i].warning) : !*buf))
		return true;
	tap_comment("\"%s\": %s, %d warnings: %s", lints[i].text, msg, found, buf);
	return false;
}

static void test_lints(void)
{
	u32 i, bad = 0;

	for (i = 0; i < ARRAY_SIZE(lints); i++)
		bad += !try_lint(i);
	tap_result(!bad, "%zu programs have the warnings that they should", ARRAY_SIZE(lints));
}

static void test_sources(void)
{
	u32 words[8] = { 0xad4ad6b5, 0x038002b5, 0x0007ff80, 0x000ad500 }, zero = 0, far = 1;
	struct vs_src src = { .stage = VS_STAGE_FRAGMENT, .words = { words }, .nwords = { 4 },
			      .entries = &zero, .nentries = 1 };
	struct vs_report rep;
	struct vs_reject rej;
	struct upp_check check;
	bool ok;

	ok = ugp_verify(&src, &rep, &rej) == -ENOEXEC && rej.reason == UGP_BAD_STAGE;
	src.stage = VS_STAGE_VERTEX;
	ok = ok && !ugp_verify(&src, &rep, &rej);
	ok = ok && upp_verify(&src, &rep, &check) == -ENOEXEC &&
	     check.reject.reason == UPP_BAD_STAGE;
	src.nwords[0] = 3;
	ok = ok && ugp_verify(&src, &rep, &rej) == -ENOEXEC && rej.reason == UGP_BAD_SIZE;
	src.nwords[0] = 0;
	ok = ok && ugp_verify(&src, &rep, &rej) == -ENOEXEC && rej.reason == UGP_BAD_SIZE;
	src.nwords[0] = 4 * UGP_MAX_INSNS + 4;
	ok = ok && ugp_verify(&src, &rep, &rej) == -ENOEXEC && rej.reason == UGP_BAD_SIZE;
	src.nwords[0] = 4;
	src.entries = &far;
	ok = ok && ugp_verify(&src, &rep, &rej) == -ENOEXEC && rej.reason == UGP_BAD_ENTRY;
	src.stage = VS_STAGE_FRAGMENT;
	src.nwords[0] = 1;
	ok = ok && upp_verify(&src, &rep, &check) == -ENOEXEC &&
	     check.reject.reason == UPP_BAD_ENTRY;
	src.nwords[0] = 0;
	ok = ok && upp_verify(&src, &rep, &check) == -ENOEXEC &&
	     check.reject.reason == UPP_BAD_SIZE;
	tap_result(ok, "stages, sizes and entry points are checked");
}

/* Random programs, and good ones with bits changed. */
static void test_random(void)
{
	static u32 words[UPP_INSN_WORDS * 16];
	static struct upp_insn insns[16];
	u32 seen[2][32] = { }, i, k, n, kinds[2] = { }, odd = 0;
	struct vs_report rep;
	struct vs_reject rej;
	struct upp_check check;
	struct ugp_insn insn;
	int ret;

	for (i = 0; i < 20000; i++) {
		for (k = 0; k < 1 + i % 4; k++) {
			ugp_test_insn(&insn, i % 2);
			ugp_encode(&insn, words + UGP_WORDS * k);
		}
		ret = check_gp(words, UGP_WORDS * k, &rep, &rej);
		odd += ret && (ret != -ENOEXEC || !rej.reason || rej.reason >= UGP_NUM_REASONS ||
			       rej.offset >= k || !ugp_reject_field(&rej));
		seen[0][rej.reason % 32]++;
		for (k = 0; k < 1 + i % 4; k++)
			upp_test_insn(&insns[k], i % 3);
		insns[k - 1].ctrl.stop = i % 8 != 0;
		n = upp_test_program(insns, k, words);
		for (k = 0; k < i % 3; k++)
			words[test_rand() % n] ^= 1U << test_rand() % 32;
		ret = check_pp(words, n, &rep, &check);
		odd += ret && (ret != -ENOEXEC || !check.reject.reason ||
			       check.reject.reason >= UPP_NUM_REASONS || check.reject.offset >= n);
		seen[1][check.reject.reason % 32]++;
	}
	for (i = 0; i < 32; i++) {
		kinds[0] += !!seen[0][i];
		kinds[1] += !!seen[1][i];
	}
	tap_result(!odd && kinds[0] > 8 && kinds[1] > 10 && seen[0][0] && seen[1][0],
		   "20000 random programs: %u and %u kinds of results, %u and %u accepted",
		   kinds[0], kinds[1], seen[0][0], seen[1][0]);
}

/* ---- corpus ---- */

static u32 rejected, warned;

static u32 count_lints(const struct ut_test_file *f)
{
	u32 entry = 0;
	struct vs_src src = { .stage = f->pixel ? VS_STAGE_FRAGMENT : VS_STAGE_VERTEX,
			      .words = { f->words }, .nwords = { f->nwords },
			      .entries = &entry, .nentries = 1 };

	return (u32)vs_lint(f->pixel ? &utgard_pp_isa : &utgard_gp_isa, &src, NULL);
}

static void try_file(const struct ut_test_file *f)
{
	struct vs_report rep;
	struct vs_reject rej = { };
	struct upp_check check = { };
	int ret = f->pixel ? check_pp(f->words, f->nwords, &rep, &check) :
			     check_gp(f->words, f->nwords, &rep, &rej);

	/* Hand-written programs read results before their latency has passed on purpose. */
	if (!ret) {
		if (f->name[0] != 'h')
			warned += count_lints(f);
		return;
	}
	tap_comment("%s: %s", f->name, f->pixel ? upp_reason_text(check.reject.reason) :
					       ugp_reason_text(rej.reason));
	rejected++;
}

int main(int argc, char **argv)
{
	u32 n;

	test_gp_programs();
	test_pp_programs();
	test_codes();
	test_reports();
	test_lints();
	test_sources();
	test_random();
	n = ut_test_corpus(argc, argv, try_file);
	if (n)
		tap_result(!rejected && !warned, "%u of %u programs are accepted", n - rejected, n);
	else
		tap_skip("no corpus", "programs of the corpus");
	return tap_done();
}
