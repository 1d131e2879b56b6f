// SPDX-License-Identifier: GPL-2.0
/* Validation of programs, bin lists, records, uniforms, textures and frames, rule by rule. */
#include "../include/tap.h"
#include "isa/qpu/qpu.h"
#include "valgen.h"

#define PAGE_INSNS	512

/* Results of the rules of a test; the first one that is wrong is printed. */
static u32 wrong;

static void check(const char *rule, int ret, const struct vc4_refusal *why, const char *text,
		  bool stricter)
{
	if (!text ? !ret : ret == -EINVAL && strstr(why->text, text) && why->stricter == stricter)
		return;
	if (!wrong++)
		tap_comment("%s: %d, %s%s at %u (%#x, %#x)", rule, ret, ret ? why->text : "",
			    ret && why->stricter ? " (stricter)" : "", why->at, why->value,
			    why->limit);
}

static void done(const char *name)
{
	tap_result(!wrong, "%s", name);
	wrong = 0;
}

/* ---- programs ---- */

static u64 code[PAGE_INSNS];
static u32 ncode;

static void put(u64 word)
{
	code[ncode++] = word;
}

static void nops(u32 n)
{
	while (n--)
		put(vg_nop());
}

static u64 with_sig(u64 word, u32 sig)
{
	return (word & ~(15ULL << 60)) | (u64)sig << 60;
}

/* End the program that has been put, and validate it. @text: of the refusal, NULL: it is valid. */
static struct vc4_shader_info program(const char *rule, const char *text, bool stricter)
{
	struct vc4_shader_info info;
	struct vc4_refusal why;
	int ret;

	put(vg_end());
	nops(2);
	memset(code + ncode, 0, 8 * (PAGE_INSNS - ncode));
	ret = vc4_validate_shader((const u32 *)code, sizeof(code), &info, &why);
	check(rule, ret, &why, text, stricter);
	ncode = 0;
	return info;
}

static void valid(const char *rule)
{
	struct vc4_shader_info info = program(rule, NULL, false);

	vc4_shader_info_done(&info);
}

static void refused(const char *rule, const char *text)
{
	program(rule, text, false);
}

static void stricter(const char *rule, const char *text)
{
	program(rule, text, true);
}

/* mov @waddr, r0 on the adder */
static u64 mov(u32 waddr)
{
	return vg_alu((struct vg_alu){ .op = QPU_A_OR, .add = waddr, .mul = QPU_W_NOP,
				       .ra = QPU_R_NOP, .rb = QPU_R_NOP });
}

/* The adder's @op of register a0 and a uniform, to @waddr. */
static struct vg_alu with_uniform(u32 op, u32 waddr)
{
	return (struct vg_alu){ .op = op, .add = waddr, .mul = QPU_W_NOP, .ra = 0,
				.rb = QPU_R_UNIF, .a = QPU_MUX_A, .b = QPU_MUX_B };
}

static u64 read_uniform(void)
{
	return vg_alu(with_uniform(QPU_A_OR, QPU_W_ACC0));
}

/* max a0, a0, 0 */
static u64 clamp_low(void)
{
	return vg_alu((struct vg_alu){ .sig = QPU_SIG_SMI, .op = QPU_A_MAX, .add = 0,
				       .mul = QPU_W_NOP, .ra = 0, .a = QPU_MUX_A, .b = QPU_MUX_B });
}

static void clamp(void)
{
	put(clamp_low());
	put(vg_alu(with_uniform(QPU_A_MIN, 0)));
}

/* The uniforms' address from a0, which is @offset. */
static void address(u32 offset)
{
	put(vg_ldi(0, offset));
	put(vg_alu(with_uniform(QPU_A_ADD, QPU_W_UNIF_ADDR)));
}

static void test_ends(void)
{
	struct vc4_shader_info info;
	struct vc4_refusal why;
	u32 i;

	valid("shortest program");
	memset(code, 0, sizeof(code));
	for (i = 0; i < PAGE_INSNS; i++)
		code[i] = vg_nop();
	check("no end", vc4_validate_shader((u32 *)code, sizeof(code), &info, &why), &why,
	      "without an end", false);
	code[PAGE_INSNS - 3] = vg_end();
	check("end that fits", vc4_validate_shader((u32 *)code, sizeof(code), &info, &why), &why,
	      NULL, false);
	vc4_shader_info_done(&info);
	code[PAGE_INSNS - 3] = vg_nop();
	code[PAGE_INSNS - 2] = vg_end();
	check("end that does not", vc4_validate_shader((u32 *)code, sizeof(code), &info, &why),
	      &why, "no instructions after the end", true);
	check("no words", vc4_validate_shader((u32 *)code, 0, &info, &why), &why, "empty program",
	      false);
	done("ends of programs");
}

static void test_signals(void)
{
	static const u8 allowed[] = { QPU_SIG_NONE, QPU_SIG_SBWAIT, QPU_SIG_SBDONE, QPU_SIG_LOADC,
				      QPU_SIG_LDTMU0, QPU_SIG_LDTMU1, QPU_SIG_SMI, QPU_SIG_THRSW,
				      QPU_SIG_LTHRSW };
	static const u8 forbidden[] = { QPU_SIG_BKPT, QPU_SIG_LOADCV, QPU_SIG_LDCEND,
					QPU_SIG_LOADAM };
	static const u8 writes[] = { QPU_W_TMU_NOSWAP, QPU_W_HOST_INT, QPU_W_TLB_ALPHA,
				     QPU_W_VPM_ADDR, QPU_W_MUTEX };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(allowed); i++) {
		put(with_sig(vg_nop(), allowed[i]));
		valid("allowed signal");
	}
	for (i = 0; i < ARRAY_SIZE(forbidden); i++) {
		put(with_sig(vg_nop(), forbidden[i]));
		refused("forbidden signal", "forbidden signal");
	}
	for (i = 0; i < ARRAY_SIZE(writes); i++) {
		put(mov(writes[i]));
		refused("forbidden write", "forbidden register");
		put(vg_alu((struct vg_alu){ .add = QPU_W_NOP, .mul = writes[i] }));
		refused("forbidden write of the multiplier", "forbidden register");
	}
	for (i = QPU_W_TLB_STENCIL; i <= QPU_W_TLB_COLOR; i++)
		put(mov(i));
	put(mov(QPU_W_VPM));
	put(mov(QPU_W_VPM_SETUP));
	valid("tile buffer and vertex memory");
	done("signals and registers that are written");
}

static void test_threads(void)
{
	struct vc4_shader_info info;

	put(with_sig(vg_nop(), QPU_SIG_THRSW));
	nops(2);
	put(with_sig(vg_nop(), QPU_SIG_LTHRSW));
	info = program("two switches", NULL, false);
	if (!info.threaded)
		wrong++;
	vc4_shader_info_done(&info);
	put(with_sig(vg_nop(), QPU_SIG_THRSW));
	nops(1);
	put(with_sig(vg_nop(), QPU_SIG_THRSW));
	refused("switches too close", "slots of another");
	put(mov(16));
	valid("register 16 without threads");
	put(with_sig(vg_nop(), QPU_SIG_THRSW));
	put(mov(16));
	refused("register 16 written with threads", "registers 16 to 31");
	put(with_sig(vg_nop(), QPU_SIG_THRSW));
	put(vg_alu((struct vg_alu){ .add = QPU_W_NOP, .mul = QPU_W_NOP, .rb = 31 }));
	refused("register 31 read with threads", "registers 16 to 31");
	put(with_sig(vg_nop(), QPU_SIG_THRSW));
	put(with_sig(vg_alu((struct vg_alu){ .add = QPU_W_NOP, .mul = QPU_W_NOP, .rb = 31 }),
		     QPU_SIG_SMI));
	valid("small immediate with threads");
	put(with_sig(vg_nop(), QPU_SIG_THRSW));
	nops(2);
	put(vg_branch(4));
	nops(3);
	valid("branch after the slots of a switch");
	nops(1);
	put(with_sig(vg_nop(), QPU_SIG_THRSW));
	nops(1);
	put(vg_branch(4));
	nops(3);
	refused("branch in the slots of a switch", "slots of a thread switch");
	done("threads");
}

static void branch_program(u64 branch)
{
	nops(2);
	put(branch);
	nops(3);
}

static void test_branches(void)
{
	branch_program(vg_branch(4));
	valid("branch to the next instruction");
	branch_program(vg_branch(5));
	nops(1);
	valid("branch to the end");
	branch_program(vg_branch(6));
	nops(1);
	stricter("branch past the end", "past the end of the program");
	branch_program(vg_branch(400));
	stricter("branch to code that is not checked", "past the end of the program");
	branch_program(vg_branch(600));
	refused("branch out of the object", "out of the program");
	branch_program(vg_branch(-3));
	refused("branch before the object", "out of the program");
	branch_program(vg_branch(4) ^ 1ULL << 50);
	refused("branch to a register", "in a register");
	branch_program(vg_branch(4) ^ 1ULL << 51);
	refused("absolute branch", "absolute");
	branch_program(vg_branch(4) | 4);
	refused("unaligned branch", "unaligned");
	branch_program((vg_branch(4) & ~(63ULL << 32)) | (u64)QPU_W_ACC0 << 32);
	refused("branch that writes", "writes a register");
	nops(1);
	put(vg_branch(4));
	nops(3);
	refused("second instruction", "at the start");
	nops(2);
	put(vg_branch(4));
	nops(2);
	put(vg_branch(4));
	nops(3);
	refused("branch in the slots", "slots of another");
	nops(2);
	put(vg_branch(4));
	nops(3);
	put(vg_branch(4));
	nops(3);
	valid("branch after the slots");
	/* nothing is left after the slots */
	nops(2);
	put(vg_branch(0));
	nops(1);
	refused("branch at the end", "at the end of the program");
	done("branches");
}

static void test_uniforms(void)
{
	struct vc4_shader_info info;
	struct vg_alu f;

	put(read_uniform());
	put(read_uniform());
	info = program("two uniforms", NULL, false);
	if (info.uniform_bytes != 8 || info.nresets)
		wrong++;
	vc4_shader_info_done(&info);
	branch_program(vg_branch(4));
	put(read_uniform());
	refused("uniform in a new block", "before the uniform address");
	put(read_uniform());
	branch_program(vg_branch(4));
	address(8);
	put(read_uniform());
	info = program("address, then a uniform", NULL, false);
	if (info.uniform_bytes != 12 || info.nresets != 1 || info.reset[0] != 1)
		wrong++;
	vc4_shader_info_done(&info);
	address(8);
	refused("address of another uniform", "another offset");
	put(vg_ldi(0, 4));
	put(vg_alu(with_uniform(QPU_A_SUB, QPU_W_UNIF_ADDR)));
	refused("address that is a difference", "not a sum");
	f = with_uniform(QPU_A_ADD, QPU_W_UNIF_ADDR);
	f.cond = QPU_COND_ZS;
	put(vg_ldi(0, 4));
	put(vg_alu(f));
	refused("conditional address", "conditional");
	f.cond = 0;
	f.pack = 1;
	put(vg_ldi(0, 4));
	put(vg_alu(f));
	refused("packed address", "packed");
	f.pm = 1;
	put(vg_ldi(0, 4));
	put(vg_alu(f));
	valid("pack of the multiplier");
	f.pack = 0;
	f.pm = 0;
	f.ws = 1;
	put(vg_ldi(0, 4));
	put(vg_alu(f));
	refused("file B", "relative address");
	f.ws = 0;
	f.sig = QPU_SIG_THRSW;
	put(vg_ldi(0, 4));
	put(vg_alu(f));
	refused("address with a switch", "with a signal");
	f.sig = 0;
	f.a = QPU_MUX_R4;
	put(vg_alu(f));
	refused("address from r4", "without an immediate");
	f.a = QPU_MUX_A;
	f.rb = 1;
	put(vg_ldi(0, 4));
	put(vg_alu(f));
	refused("address without a uniform", "without a uniform");
	/* Linux takes a uniform for register b0 */
	put(vg_ldi(0, 4) | 1ULL << 44);
	f.ra = QPU_R_UNIF;
	f.b = QPU_MUX_A;
	put(vg_alu(f));
	stricter("address from two uniforms", "from a peripheral");
	put(vg_ldi(0, 4) ^ 1ULL << 49);
	put(vg_alu(with_uniform(QPU_A_ADD, QPU_W_UNIF_ADDR)));
	refused("conditional immediate", "another offset");
	done("uniforms");
}

static void test_loops(void)
{
	struct vc4_shader_info info;

	nops(2);
	put(vg_branch(-2));
	nops(3);
	info = program("loop without uniforms", NULL, false);
	if (info.uniform_bytes != 4 || info.nresets != 1 || info.reset[0])
		wrong++;
	vc4_shader_info_done(&info);
	nops(2);
	put(vg_branch(-2));
	nops(3);
	address(4);
	info = program("address after a loop", NULL, false);
	if (info.uniform_bytes != 4 || info.nresets != 1)
		wrong++;
	vc4_shader_info_done(&info);
	done("loops");
}

static void test_textures(void)
{
	struct vc4_shader_info info;
	u32 i;

	put(mov(QPU_W_TMU0_T));
	put(mov(QPU_W_TMU1_B));
	put(mov(QPU_W_TMU0_S));
	put(mov(QPU_W_TMU1_S));
	info = program("two units", NULL, false);
	if (info.uniform_bytes != 16 || info.nlookups != 2 || info.lookup[0].p[0] ||
	    info.lookup[0].p[1] != 8 || info.lookup[0].p[2] != VC4_NO_UNIFORM ||
	    info.lookup[1].p[0] != 4 || info.lookup[1].p[1] != 12 || info.lookup[0].direct)
		wrong++;
	vc4_shader_info_done(&info);
	put(mov(QPU_W_TMU0_T));
	put(vg_alu(with_uniform(QPU_A_OR, QPU_W_TMU0_S)));
	refused("uniform with a parameter", "uniform in the instruction");
	put(vg_alu((struct vg_alu){ .add = QPU_W_TMU0_T, .mul = QPU_W_TMU0_S }));
	refused("two parameters", "two texture parameters");
	for (i = 0; i < 4; i++)
		put(mov(QPU_W_TMU0_T));
	put(mov(QPU_W_TMU0_S));
	refused("five parameters", "too many");
	for (i = 0; i < 3; i++)
		put(mov(QPU_W_TMU0_R));
	put(mov(QPU_W_TMU0_S));
	valid("four parameters");
	branch_program(vg_branch(4));
	put(mov(QPU_W_TMU0_T));
	put(mov(QPU_W_TMU0_S));
	refused("texture in a new block", "before the uniform address");
	put(mov(QPU_W_TMU0_T));
	branch_program(vg_branch(4));
	put(mov(QPU_W_TMU0_S));
	refused("branch in between", "branch into texture parameters");
	done("texture lookups");
}

static void test_direct(void)
{
	struct vc4_shader_info info;
	struct vg_alu f;

	clamp();
	put(vg_alu(with_uniform(QPU_A_ADD, QPU_W_TMU0_S)));
	info = program("clamped", NULL, false);
	if (info.uniform_bytes != 8 || info.nlookups != 1 || !info.lookup[0].direct ||
	    info.lookup[0].p[0] != 4 || info.lookup[0].p[1])
		wrong++;
	vc4_shader_info_done(&info);
	clamp();
	put(vg_alu(with_uniform(QPU_A_ADD, QPU_W_TMU0_S)));
	put(mov(QPU_W_TMU0_T));
	put(mov(QPU_W_TMU0_S));
	put(mov(QPU_W_TMU1_T));
	put(mov(QPU_W_TMU1_S));
	info = program("textures after it", NULL, false);
	if (info.nlookups != 3 || !info.lookup[1].after || info.lookup[2].after)
		wrong++;
	vc4_shader_info_done(&info);
	put(vg_alu(with_uniform(QPU_A_ADD, QPU_W_TMU0_S)));
	refused("not clamped", "without limits");
	put(vg_alu(with_uniform(QPU_A_MIN, 0)));
	put(vg_alu(with_uniform(QPU_A_ADD, QPU_W_TMU0_S)));
	refused("negative", "without limits");
	clamp();
	put(vg_ldi(0, 0));
	put(vg_alu(with_uniform(QPU_A_ADD, QPU_W_TMU0_S)));
	refused("overwritten", "without limits");
	clamp();
	branch_program(vg_branch(4));
	address(8);
	put(vg_alu(with_uniform(QPU_A_ADD, QPU_W_TMU0_S)));
	refused("clamped in another block", "without limits");
	clamp();
	put(vg_alu(with_uniform(QPU_A_SUB, QPU_W_TMU0_S)));
	refused("difference", "not a sum");
	f = with_uniform(QPU_A_ADD, QPU_W_TMU0_S);
	f.sig = QPU_SIG_SMI;
	clamp();
	put(vg_alu(f));
	refused("small immediate", "small immediate");
	f.sig = 0;
	f.rb = 1;
	clamp();
	put(vg_alu(f));
	refused("no base", "without a base address");
	f.rb = QPU_R_ELEM_QPU;
	f.ra = QPU_R_UNIF;
	f.a = QPU_MUX_B;
	f.b = QPU_MUX_A;
	put(vg_alu(f));
	stricter("element number", "peripheral's value");
	/* an immediate that looks like the sum of a0 and a uniform */
	clamp();
	put(vg_ldi(QPU_W_TMU0_S, (u32)vg_alu(with_uniform(QPU_A_ADD, 0))));
	stricter("immediate", "at an immediate");
	put(clamp_low());
	put(vg_ldi(0, (u32)vg_alu(with_uniform(QPU_A_MIN, 0))));
	put(vg_alu(with_uniform(QPU_A_ADD, QPU_W_TMU0_S)));
	stricter("immediate like a minimum", "limit of something else");
	/* accumulators belong to the other thread meanwhile */
	f = with_uniform(QPU_A_MIN, QPU_W_ACC0);
	put(clamp_low());
	put(vg_alu(f));
	put(with_sig(vg_nop(), QPU_SIG_THRSW));
	nops(2);
	f = with_uniform(QPU_A_ADD, QPU_W_TMU0_S);
	f.a = 0;
	put(vg_alu(f));
	refused("clamped before a thread switch", "without limits");
	done("direct lookups");
}

/* ---- jobs ---- */

enum { FS, VS, CS, DATA, TEXTURE, THREADED, TEXTURED, DIRECT, NUM_BOS };

#define VA(bo)		(0x10000000u + 0x100000u * (bo))
#define OUT_VA		0x2000000u
#define SLOT_VA		0x3000000u

static struct vc4_val_bo bos[NUM_BOS];
static struct vc4_shader_info infos[NUM_BOS];
static struct vc4_lookup texture = { .p = { 0, 4, 8, VC4_NO_UNIFORM } };
static struct vc4_lookup direct = { .p = { 0, 4, VC4_NO_UNIFORM, VC4_NO_UNIFORM }, .direct = true };
static u32 reset = 1;

static u8 list[256], records[512], uniforms[256], out[2048];
static struct vc4_val_job job;

/* Where things are in them. */
#define CONFIG_AT	0
#define START_AT	16
#define STATE_AT	17
#define ARRAY_AT	22
#define HANDLES_AT	32
#define INDEXED_AT	41
#define SEMAPHORE_AT	55
#define FLUSH_AT	56
#define LIST_BYTES	57
#define RECORD_AT	20
#define ATTRIBUTE_AT	(RECORD_AT + 36)
#define ATTRIBUTES	2

static void w32(u8 *p, u32 v)
{
	memcpy(p, &v, 4);
}

/* A valid job with an array and an indexed draw, two attributes, uniforms of two programs. */
static void begin(void)
{
	u32 i;

	memset(infos, 0, sizeof(infos));
	infos[VS].uniform_bytes = 8;
	infos[CS].uniform_bytes = 8;
	infos[CS].nresets = 1;
	infos[CS].reset = &reset;
	infos[THREADED].threaded = true;
	infos[TEXTURED] = (struct vc4_shader_info){ .uniform_bytes = 12, .nlookups = 1,
						    .lookup = &texture };
	infos[DIRECT] = (struct vc4_shader_info){ .uniform_bytes = 8, .nlookups = 1,
						  .lookup = &direct };
	for (i = 0; i < NUM_BOS; i++)
		bos[i] = (struct vc4_val_bo){ .bytes = 4096, .va = VA(i), .shader = &infos[i] };
	bos[DATA].shader = NULL;
	bos[TEXTURE].shader = NULL;
	bos[TEXTURE].bytes = 0x10000;
	memset(list, 0, sizeof(list));
	list[CONFIG_AT] = VC4_BIN_CONFIG;
	list[CONFIG_AT + 13] = 3;
	list[CONFIG_AT + 14] = 2;
	list[CONFIG_AT + 15] = 1;
	list[START_AT] = VC4_START_BINNING;
	list[STATE_AT] = VC4_GL_STATE;
	list[STATE_AT + 1] = ATTRIBUTES;
	list[ARRAY_AT] = VC4_ARRAY;
	w32(list + ARRAY_AT + 2, 3);
	list[HANDLES_AT] = 0xfe;
	list[HANDLES_AT + 1] = DATA;
	list[INDEXED_AT] = VC4_INDEXED;
	list[INDEXED_AT + 1] = 0x14;
	w32(list + INDEXED_AT + 2, 6);
	w32(list + INDEXED_AT + 6, 16);
	w32(list + INDEXED_AT + 10, 3);
	list[SEMAPHORE_AT] = VC4_INCREMENT_SEMAPHORE;
	list[FLUSH_AT] = VC4_FLUSH;
	memset(records, 0, sizeof(records));
	for (i = 0; i < 3 + ATTRIBUTES; i++)
		records[4 * i] = (u8)min(i, 3U);
	records[RECORD_AT] = 5;
	for (i = 0; i < ATTRIBUTES; i++) {
		records[ATTRIBUTE_AT + 8 * i] = (u8)(16 * i);
		records[ATTRIBUTE_AT + 8 * i + 4] = 15;
		records[ATTRIBUTE_AT + 8 * i + 5] = 32;
	}
	memset(uniforms, 0x11, sizeof(uniforms));
	memset(out, 0, sizeof(out));
	job = (struct vc4_val_job){
		.bo = bos, .nbos = NUM_BOS, .list = list, .list_bytes = LIST_BYTES,
		.records = records, .record_bytes = RECORD_AT + 36 + 8 * ATTRIBUTES,
		.max_records = 1, .uniforms = uniforms, .uniform_bytes = 16, .out = out,
		.va = OUT_VA, .slot_va = SLOT_VA, .slot_bytes = 0x80000,
	};
}

static void bin(const char *rule, const char *text, bool strict)
{
	struct vc4_refusal why;

	check(rule, vc4_validate_bin(&job, &why), &why, text, strict);
}

static void bin_valid(const char *rule)
{
	bin(rule, NULL, false);
	begin();
}

static void bin_refused(const char *rule, const char *text)
{
	bin(rule, text, false);
	begin();
}

static void bin_stricter(const char *rule, const char *text)
{
	bin(rule, text, true);
	begin();
}

static void same(const char *what, u32 is, u32 wanted)
{
	if (is != wanted && !wrong++)
		tap_comment("%s: %#x instead of %#x", what, is, wanted);
}

static void test_addresses(void)
{
	u8 *record = out + 64, *uniform = record + job.record_bytes;
	u32 bytes = job.record_bytes;

	bin("job", NULL, false);
	same("list", job.end - job.start, LIST_BYTES - 9);
	same("tile lists", job.tile_lists, SLOT_VA + 4096);
	same("zeroed state", job.state_bytes, 4096);
	same("tile list memory", vc4_u32(out + 1), SLOT_VA + 4096);
	same("its size", vc4_u32(out + 5), 0x7f000);
	same("tile state", vc4_u32(out + 9), SLOT_VA);
	same("flags", out[15], 1 | 4 | 2 << 5);
	same("record's address", vc4_u32(out + STATE_AT + 1), OUT_VA + 64 + ATTRIBUTES);
	same("indices' address", vc4_u32(out + HANDLES_AT + 6), VA(DATA) + 16);
	same("fragment program", vc4_u32(record + 4), VA(FS));
	same("its uniforms", vc4_u32(record + 8), OUT_VA + 64 + bytes);
	same("vertex program", vc4_u32(record + 16), VA(VS));
	same("its uniforms", vc4_u32(record + 20), OUT_VA + 64 + bytes);
	same("coordinate program", vc4_u32(record + 28), VA(CS));
	same("its uniforms", vc4_u32(record + 32), OUT_VA + 64 + bytes + 8);
	same("attribute", vc4_u32(record + 36 + 8), VA(DATA) + 16);
	same("uniform", vc4_u32(uniform), 0x11111111);
	same("uniforms' address", vc4_u32(uniform + 12), OUT_VA + 64 + bytes + 8);
	same("dependency", bos[DATA].use, VC4_USE_BIN);
	same("no dependency", bos[TEXTURE].use, 0);
	begin();
	done("addresses of a valid job");
}

static void test_lists(void)
{
	list[START_AT] = VC4_NOP;
	bin_refused("no start", "without start");
	list[CONFIG_AT] = VC4_NOP;
	memset(list, VC4_NOP, 16);
	bin_refused("start without a mode", "without a binning mode");
	list[STATE_AT] = VC4_START_BINNING;
	bin_refused("two starts", "without a binning mode");
	memmove(list + 32, list + 16, LIST_BYTES - 16);
	memcpy(list + 16, list, 16);
	job.list_bytes += 16;
	bin_refused("two modes", "second binning mode");
	list[FLUSH_AT] = VC4_NOP;
	bin_refused("no flush", "without start, semaphore and flush");
	list[SEMAPHORE_AT] = VC4_NOP;
	bin_refused("no semaphore", "without start, semaphore and flush");
	list[FLUSH_AT] = VC4_INCREMENT_SEMAPHORE;
	list[SEMAPHORE_AT] = VC4_FLUSH;
	bin_refused("flush before semaphore", "only ends lists");
	list[SEMAPHORE_AT] = VC4_HALT;
	bin_refused("halt", "without start, semaphore and flush");
	list[STATE_AT] = VC4_NV_STATE;
	bin_refused("shaded vertices", "packet");
	list[STATE_AT] = VC4_Z_CLIP;
	bin_refused("Z clipping", "packet");
	job.list_bytes = INDEXED_AT + 13;
	bin_refused("packet past the end", "past the end");
	list[CONFIG_AT + 13] = 0;
	bin_refused("no columns", "no tiles");
	list[CONFIG_AT + 14] = 0;
	bin_refused("no rows", "no tiles");
	list[CONFIG_AT + 15] = 2;
	bin_refused("64-bit colour", "flags of the binning mode");
	list[CONFIG_AT + 15] = 0x80;
	bin_refused("double buffer", "flags of the binning mode");
	list[CONFIG_AT + 15] = 0x7d;
	bin_valid("other flags");
	/* 10,752 tiles need 504 KiB */
	list[CONFIG_AT + 13] = 128;
	list[CONFIG_AT + 14] = 84;
	bin_valid("tiles that fit");
	list[CONFIG_AT + 13] = 128;
	list[CONFIG_AT + 14] = 86;
	bin_refused("tiles that do not", "too many tiles");
	job.max_records = 0;
	bin_refused("no records", "more shader states");
	list[STATE_AT + 1] = 0x12;
	bin_refused("address", "address in a shader state");
	job.record_bytes = ~0U;
	bin_refused("sizes", "sizes");
	done("packets");
}

static void test_draws(void)
{
	list[STATE_AT] = VC4_POINT_SIZE;
	bin_refused("no state", "before a shader state");
	w32(list + ARRAY_AT + 2, 0x80000000);
	w32(list + ARRAY_AT + 6, 0x80000000);
	bin_refused("sum of 32 bits", "too many vertices");
	/* 127 is the last vertex of 4096 bytes with a stride of 32 */
	w32(list + ARRAY_AT + 2, 128);
	bin_valid("last vertex");
	w32(list + ARRAY_AT + 2, 129);
	bin_refused("one more", "vertex outside");
	w32(list + ARRAY_AT + 2, 0);
	bin_refused("no vertices, of which the last is -1", "vertex outside");
	w32(list + INDEXED_AT + 10, 128);
	bin_refused("one more index", "vertex outside");
	w32(list + INDEXED_AT + 10, 128);
	records[ATTRIBUTE_AT + 5] = 0;
	records[ATTRIBUTE_AT + 8 + 5] = 0;
	bin_valid("without a stride");
	w32(list + INDEXED_AT + 2, 2040);
	bin_valid("last index");
	w32(list + INDEXED_AT + 2, 2041);
	bin_refused("one more of 16 bits", "indices outside");
	list[INDEXED_AT + 1] = 0x04;
	w32(list + INDEXED_AT + 2, 4080);
	bin_valid("8 bits");
	w32(list + INDEXED_AT + 6, 4097);
	bin_refused("offset", "indices outside");
	list[HANDLES_AT + 1] = NUM_BOS;
	bin_refused("handle", "index of a buffer object");
	list[HANDLES_AT + 1] = VS;
	bin_refused("program", "program used as data");
	done("draws");
}

static void test_records(void)
{
	job.record_bytes--;
	bin_refused("short", "too short");
	w32(records, NUM_BOS + 1);
	bin_refused("handle", "index of a program");
	w32(records, NUM_BOS);
	bin_stricter("handle past the last one", "index of a program");
	w32(records + 4, DATA);
	bin_stricter("data as a program", "data used as a program");
	w32(records + 12, NUM_BOS);
	bin_refused("handle of an attribute", "index of a buffer object");
	w32(records + 12, FS);
	bin_refused("program as an attribute", "program used as data");
	w32(records, THREADED);
	bin_refused("threads without the flag", "fragment program's threads");
	w32(records, THREADED);
	records[RECORD_AT] = 4;
	bin_valid("threads");
	records[RECORD_AT] = 4;
	bin_refused("flag without threads", "fragment program's threads");
	w32(records + 4, THREADED);
	bin_refused("threads of a vertex program", "vertex program");
	w32(records + 8, THREADED);
	bin_refused("threads of a coordinate program", "vertex program");
	w32(records + RECORD_AT + 16, 8);
	bin_refused("offset of a program", "does not start");
	w32(records + ATTRIBUTE_AT, 4080);
	list[ARRAY_AT + 2] = 1;
	w32(list + INDEXED_AT + 10, 0);
	bin_valid("last element");
	w32(records + ATTRIBUTE_AT, 4081);
	bin_refused("element past the end", "attribute outside");
	w32(records + ATTRIBUTE_AT, 4097);
	bin_refused("attribute past the end", "attribute outside");
	/* extended: bits of strides after eight attributes' room */
	list[STATE_AT + 1] = 8 | ATTRIBUTES;
	job.record_bytes = RECORD_AT + 100 + 4 * ATTRIBUTES;
	bin_valid("extended");
	list[STATE_AT + 1] = 8 | ATTRIBUTES;
	job.record_bytes = RECORD_AT + 100 + 4 * ATTRIBUTES;
	w32(records + RECORD_AT + 100, 0x10000);
	bin_refused("long stride", "vertex outside");
	job.uniform_bytes = 7;
	bin_refused("uniforms of one program", "uniforms of a program");
	job.uniform_bytes = 15;
	bin_stricter("uniforms of two programs", "uniforms of programs");
	done("shader records");
}

/* The fragment program has a texture or a direct lookup with these parameters. */
static void lookup(u32 program, u32 bo, u32 p0, u32 p1, u32 p2)
{
	u32 n = program == TEXTURED ? 3 : 2;

	w32(records, program);
	w32(uniforms, bo);
	w32(uniforms + 4, p0);
	w32(uniforms + 8, p1);
	if (n == 3)
		w32(uniforms + 12, p2);
	job.uniform_bytes = 4 + 4 * n + 16;
}

/* P1 of a texture. */
#define SIZE(w, h)	((u32)(h) << 20 | (w) << 8)

static void test_direct_data(void)
{
	lookup(DIRECT, TEXTURE, 0x100, 0xfefc, 0);
	bin_valid("last word");
	lookup(DIRECT, TEXTURE, 0x100, 0xfefd, 0);
	bin_refused("offset", "largest offset");
	lookup(DIRECT, TEXTURE, 0xfffc, 0, 0);
	bin_valid("last base");
	lookup(DIRECT, TEXTURE, 0xfffd, 0, 0);
	bin_refused("base", "base address");
	lookup(DIRECT, NUM_BOS, 0, 0, 0);
	bin_refused("handle", "index of a buffer object");
	lookup(DIRECT, VS, 0, 0, 0);
	bin_refused("program", "program used as data");
	done("what direct lookups read");
}

static void test_texture_data(void)
{
	static const u8 refused_types[] = { 12, 13, 14, 15, 17, 18, 31 };
	u32 i;

	lookup(TEXTURED, TEXTURE, 0, SIZE(128, 128), 0);
	bin("RGBA8888", NULL, false);
	same("address", vc4_u32(out + 64 + job.record_bytes), VA(TEXTURE));
	same("no dependency", bos[TEXTURE].use, 0);
	begin();
	lookup(TEXTURED, TEXTURE, 0x1000, SIZE(128, 128), 0);
	bin_refused("offset", "texture outside");
	lookup(TEXTURED, TEXTURE, 0, SIZE(129, 128), 0);
	bin_refused("width in T format", "texture outside");
	lookup(TEXTURED, TEXTURE, 0, SIZE(0, 8), 0);
	bin_valid("width 2048, two rows of microtiles");
	lookup(TEXTURED, TEXTURE, 0, SIZE(0, 9), 0);
	bin_refused("three rows", "texture outside");
	lookup(TEXTURED, TEXTURE, 5 << 4, SIZE(0, 32), 0);
	bin_valid("2048 bytes");
	lookup(TEXTURED, TEXTURE, 4 << 4, SIZE(128, 256), 0);
	bin_valid("565");
	lookup(TEXTURED, TEXTURE, 8 << 4, SIZE(512, 256), 0);
	bin_valid("ETC1");
	lookup(TEXTURED, TEXTURE, 8 << 4, SIZE(513, 256), 0);
	bin_refused("larger ETC1", "texture outside");
	lookup(TEXTURED, TEXTURE, 0, 1U << 31 | SIZE(128, 128), 0);
	bin_valid("raster");
	for (i = 0; i < ARRAY_SIZE(refused_types); i++) {
		u32 type = refused_types[i];

		lookup(TEXTURED, TEXTURE, (type & 15) << 4, type >> 4 << 31 | SIZE(4, 4), 0);
		bin_refused("type", "type of a texture");
	}
	/* levels of 64 x 64, 32 x 32 and 16 x 16 pixels: 16, 4 and 1 KiB */
	lookup(TEXTURED, TEXTURE, 0x2000 | 2, SIZE(64, 64), 0);
	bin_valid("levels");
	lookup(TEXTURED, TEXTURE, 0x1000 | 2, SIZE(64, 64), 0);
	bin_refused("level", "level before");
	lookup(TEXTURED, TEXTURE, 0x200, SIZE(16, 16), 0x40001000);
	bin_valid("cube map");
	lookup(TEXTURED, TEXTURE, 0x200, SIZE(16, 16), 0);
	bin_refused("cube map", "without a stride");
	lookup(TEXTURED, TEXTURE, 0x200, SIZE(16, 16), 0x40004000);
	bin_refused("last face", "texture outside");
	lookup(TEXTURED, TEXTURE, 0x6200, SIZE(16, 16), 0x73333000);
	bin_stricter("faces of 4 GiB", "faces of a cube map");
	texture.p[3] = 8;
	lookup(TEXTURED, TEXTURE, 0x200, SIZE(16, 16), 0x40001000);
	bin_refused("stride twice", "two strides");
	texture.p[3] = VC4_NO_UNIFORM;
	w32(records + 8, TEXTURED);
	w32(uniforms + 8, TEXTURE);
	w32(uniforms + 12, 0);
	w32(uniforms + 16, SIZE(4, 4));
	job.uniform_bytes = 24;
	bin("coordinate program", NULL, false);
	same("dependency", bos[TEXTURE].use, VC4_USE_BIN);
	begin();
	done("textures");
}

/* A texture lookup after a direct one of the same unit has to pass both checks. */
static void test_after(void)
{
	texture.after = true;
	bos[TEXTURE].bytes = 0x400000;
	lookup(TEXTURED, TEXTURE, 0, SIZE(16, 2), 0);
	bin_valid("small texture, large object");
	bos[TEXTURE].bytes = 0x100000;
	lookup(TEXTURED, TEXTURE, 0, SIZE(16, 2), 0);
	bin("large as an offset", "largest offset", false);
	begin();
	bos[TEXTURE].bytes = 0x400000;
	lookup(TEXTURED, TEXTURE, 0, 16, 0);
	bin_stricter("large texture, small offset", "texture outside");
	texture.after = false;
	done("textures after direct lookups");
}

/* ---- frames ---- */

static struct vc4_val_frame frame;
static u32 words[VC4_RENDER_DESC_WORDS];
static bool empty;

static void begin_frame(void)
{
	u32 i;

	begin();
	job.list_bytes = 0;
	frame = (struct vc4_val_frame){ .width = 100, .height = 60, .max_x = 1, .flags = 1,
					.clear = { 1, 2, 3, 4 } };
	for (i = 0; i < VC4_NUM_SURFACES; i++)
		frame.surface[i].bo = VC4_NO_SURFACE;
	frame.surface[VC4_COLOR_WRITE] = (struct vc4_val_surface){ .bo = TEXTURE, .bits = 4 };
}

static void render(const char *rule, const char *text, bool strict)
{
	struct vc4_refusal why;

	check(rule, vc4_validate_render(&job, &frame, words, &empty, &why), &why, text, strict);
}

static void frame_valid(const char *rule)
{
	render(rule, NULL, false);
	begin_frame();
}

static void frame_refused(const char *rule, const char *text)
{
	render(rule, text, false);
	begin_frame();
}

static void frame_stricter(const char *rule, const char *text)
{
	render(rule, text, true);
	begin_frame();
}

static struct vc4_val_surface *surface(u32 i, u32 bits)
{
	frame.surface[i] = (struct vc4_val_surface){ .bo = TEXTURE, .bits = (u16)bits };
	return &frame.surface[i];
}

static void test_words(void)
{
	begin_frame();
	frame.surface[VC4_COLOR_WRITE].offset = 0x104;
	surface(VC4_ZS_READ, 2)->offset = 0x20;
	render("frame", NULL, false);
	same("kind", words[VC4_RENDER_KIND], VC4_RENDER_DESC);
	same("size", words[VC4_RENDER_SIZE], 100 | 60 << 16);
	same("tiles", words[VC4_RENDER_TILES], 0x00010000);
	same("flags", words[VC4_RENDER_FLAGS], VC4_RENDER_CLEAR);
	same("clear depth", words[VC4_RENDER_Z], 3);
	same("no lists", words[VC4_RENDER_LISTS], 0);
	same("colours", words[VC4_RENDER_SURFACES + 2 * VC4_COLOR_WRITE], VA(TEXTURE) + 0x100);
	same("depth", words[VC4_RENDER_SURFACES + 2 * VC4_ZS_READ], VA(TEXTURE) + 0x20);
	same("its bits", words[VC4_RENDER_SURFACES + 2 * VC4_ZS_READ + 1], 2);
	same("written", bos[TEXTURE].use, VC4_USE_WRITE);
	same("empty", empty, false);
	begin_frame();
	frame.max_x = 200;
	frame.max_y = 200;
	render("tiles beyond", NULL, false);
	same("tiles", words[VC4_RENDER_TILES], 0x00010000);
	frame.min_x = 2;
	render("no tile inside", NULL, false);
	same("empty", empty, true);
	begin_frame();
	frame.surface[VC4_COLOR_WRITE].bits = 0x15;
	frame.max_x = 3;
	frame.max_y = 1;
	render("samples", NULL, false);
	same("flags", words[VC4_RENDER_FLAGS], VC4_RENDER_CLEAR | VC4_RENDER_MS);
	same("tiles", words[VC4_RENDER_TILES], 0x01030000);
	begin_frame();
	surface(VC4_COLOR_READ, 0)->flags = 1;
	frame.surface[VC4_COLOR_READ].offset = 1;
	render("load that its address disables", NULL, false);
	same("no load", words[VC4_RENDER_SURFACES + 2 * VC4_COLOR_READ], 0);
	done("words of a job");
}

static void test_tiles(void)
{
	begin_frame();
	frame.min_x = 2;
	frame_refused("columns", "last tile before");
	frame.min_y = 1;
	frame_refused("rows", "last tile before");
	job.list_bytes = 1;
	job.tiles_x = 2;
	job.tiles_y = 1;
	frame_valid("binned");
	job.list_bytes = 1;
	job.tiles_x = 1;
	job.tiles_y = 1;
	frame_stricter("one column more", "not binned");
	job.list_bytes = 1;
	job.tiles_x = 2;
	job.tiles_y = 1;
	frame.max_y = 2;
	frame_refused("two rows more", "not binned");
	frame.surface[VC4_COLOR_WRITE].bo = VC4_NO_SURFACE;
	frame_refused("nothing", "no surface is written");
	frame.surface[VC4_COLOR_WRITE].bo = VC4_NO_SURFACE;
	surface(VC4_ZS_WRITE, 2);
	frame_valid("depth alone");
	done("tiles");
}

static void test_surfaces(void)
{
	u32 i;

	begin_frame();
	for (i = 0; i < VC4_NUM_SURFACES; i++) {
		surface(i, i == VC4_COLOR_WRITE ? 4 : i < VC4_MSAA_COLOR_WRITE ? 1 : 0);
		frame.width = 32;
		frame.max_x = 0;
		frame_valid("surface");
		surface(i, 0)->bo = NUM_BOS;
		frame_refused("handle", "index of a buffer object");
		surface(i, 0)->bo = VS;
		frame_refused("program", "program used as data");
		frame.surface[i].flags = 2;
		frame_refused("flags", i < VC4_MSAA_COLOR_WRITE ? "flags" : "surface of samples");
		surface(i, 0x8000);
		frame_refused("bits", "bits of");
		surface(i, i == VC4_COLOR_WRITE ? 4 : i < VC4_MSAA_COLOR_WRITE ? 1 : 0)->offset =
			0x10010;
		frame_refused("offset past the end", "surface outside");
	}
	frame.surface[VC4_COLOR_WRITE].flags = 1;
	frame_refused("flag of the colour surface", "flags of the colour surface");
	frame.surface[VC4_COLOR_WRITE].bits = 0xc4;
	frame_refused("layout 3", "layout");
	frame.surface[VC4_COLOR_WRITE].bits = 0x0c;
	frame_refused("format 3", "format of the colour surface");
	frame.height = 4097;
	frame_refused("4097 rows", "surface outside");
	frame.width = 0;
	frame_valid("no pixels");
	/* 100 x 163 in raster order, of 65,536 bytes; 32 rows of T format are 13,312 bytes */
	frame.height = 163;
	frame_valid("raster");
	frame.height = 164;
	frame_refused("raster, a row more", "surface outside");
	frame.surface[VC4_COLOR_WRITE].bits = 0x44;
	frame.height = 128;
	frame_valid("T");
	frame.surface[VC4_COLOR_WRITE].bits = 0x44;
	frame.height = 129;
	frame_refused("T, a row more", "surface outside");
	surface(VC4_ZS_WRITE, 0x102);
	frame_refused("depth with a format", "format of a surface");
	surface(VC4_COLOR_READ, 0x301);
	frame_refused("format 3", "format of a surface");
	surface(VC4_COLOR_READ, 3);
	frame_refused("buffer 3", "buffer of a surface");
	surface(VC4_COLOR_READ, 0);
	frame_refused("buffer 0", "buffer of a surface");
	surface(VC4_COLOR_READ, 0x31);
	frame_refused("layout 3", "layout");
	surface(VC4_COLOR_READ, 1)->offset = 8;
	frame_refused("offset", "offset of a surface");
	surface(VC4_ZS_READ, 1);
	frame_valid("colours as depth");
	done("surfaces");
}

static void test_samples(void)
{
	begin_frame();
	/* tiles of 16 KiB: four fit, 100 pixels are four columns */
	frame.max_x = 3;
	surface(VC4_MSAA_COLOR_WRITE, 0);
	frame_valid("four tiles");
	frame.max_x = 0;
	frame.max_y = 1;
	surface(VC4_MSAA_ZS_WRITE, 0);
	frame_stricter("fifth tile", "tile outside");
	frame.max_y = 1;
	surface(VC4_MSAA_COLOR_WRITE, 0);
	frame_refused("sixth tile", "tile outside");
	surface(VC4_MSAA_COLOR_WRITE, 0)->offset = 8;
	frame_refused("offset", "offset of a surface");
	surface(VC4_ZS_READ, 0)->flags = 1;
	frame_valid("load");
	surface(VC4_ZS_READ, 2)->flags = 1;
	frame_refused("load with bits", "with bits");
	surface(VC4_ZS_WRITE, 0)->flags = 1;
	frame_refused("store of depth", "with bits");
	done("surfaces of all samples");
}

int main(void)
{
	test_ends();
	test_signals();
	test_threads();
	test_branches();
	test_uniforms();
	test_loops();
	test_textures();
	test_direct();
	begin();
	test_addresses();
	test_lists();
	test_draws();
	test_records();
	test_direct_data();
	test_texture_data();
	test_after();
	test_words();
	test_tiles();
	test_surfaces();
	test_samples();
	return tap_done();
}
