// SPDX-License-Identifier: GPL-2.0
/*
 * QPU verifier: rejects and their locations, accepted programs, the report, and for each
 * warning a program that triggers it and a similar one that does not.
 */
#include "qpu_test.h"

#define END "\nnop; thrend\nnop\nnop\n"

/* @found: report of the warnings, or NULL */
static int check(const char *text, struct vs_report *rep, struct vs_reject *rej,
		 struct vs_lints *found)
{
	struct vs_as_program res;
	struct vs_src src;
	char msg[200];
	int ret = -EINVAL;

	if (!qpu_test_assemble(text, &res, msg, sizeof(msg))) {
		tap_comment("%s", msg);
	} else {
		qpu_test_src(&res, &src);
		ret = qpu_check_program(&src, rep, rej);
		if (!ret && found)
			ret = qpu_lint(&src, found);
	}
	vs_as_program_free(&res);
	return ret;
}

/* ---- rejected ---- */

struct rejected {
	const char *what;
	const char *text;
	u32 reason;
	u32 offset;
	u32 lo, hi;
};

static const struct rejected rejects[] = {
	{ "form of load immediate", "nop\n.long 0xe40009e700000000" END, QPU_BAD_LDI, 1, 57, 59 },
	{ "branch condition", ".long 0xf0d809e700000000" END, QPU_BAD_BR_COND, 0, 52, 55 },
	{ "reserved bits of a branch", ".long 0xf1f809e700000000" END, QPU_BAD_RESERVED, 0, 56,
	  59 },
	{ "read address of file A", "nop\nmov r0, ra33" END, QPU_BAD_RADDR_A, 1, 18, 23 },
	{ "read address of file B", "nop\nnop\nmov r0, rb60" END, QPU_BAD_RADDR_B, 2, 12, 17 },
	{ "pack mode of the multiplier", "fmul r0.8asf, r1, r2; .enc pack=9" END, QPU_BAD_PACK, 0,
	  52, 55 },
	{ "target before the program", "brr -, -40\nnop\nnop\nnop" END, QPU_BAD_BRANCH_TARGET, 0,
	  0, 31 },
	{ "target past the program", "nop\nbrr.allz -, 800\nnop\nnop\nnop" END,
	  QPU_BAD_BRANCH_TARGET, 1, 0, 31 },
	{ "target between instructions", "brr -, 4\nnop\nnop\nnop" END, QPU_BAD_BRANCH_TARGET, 0,
	  0, 31 },
	{ "word after a branch that may fall through",
	  "brr.allz -, r:1f\nnop\nnop\nnop\n.long 0xe40009e700000000\n:1" END, QPU_BAD_LDI, 4, 57,
	  59 },
	{ "word in a delay slot", "brr -, r:1f\nnop\nnop\n.long 0xe40009e700000000\n:1" END,
	  QPU_BAD_LDI, 3, 57, 59 },
	{ "word after the end signal", "nop; thrend\nnop\n.long 0xe40009e700000000", QPU_BAD_LDI,
	  2,
	  57, 59 },
	{ "entry point", ".entry 1\nnop\n.long 0xe40009e700000000\nnop", QPU_BAD_LDI, 1, 57, 59 },
};

static void test_reject(const struct rejected *r)
{
	struct vs_report rep;
	struct vs_reject rej;
	int ret = check(r->text, &rep, &rej, NULL);

	tap_result(ret == -ENOEXEC && rej.reason == r->reason && rej.offset == r->offset &&
		   rej.field_lo == r->lo && rej.field_hi == r->hi && !rej.section,
		   "rejected: %s (%d: %s at %u, bits %u..%u)", r->what, ret,
		   qpu_reason_text(rej.reason), rej.offset, rej.field_lo, rej.field_hi);
}

/* ---- sizes, stages, entries ---- */

static int check_raw(const u32 *words, u32 nwords, u32 stage, u32 entry, u32 nentries,
		     struct vs_reject *rej)
{
	struct vs_src src = { .stage = (enum vs_stage)stage, .entries = &entry,
			      .nentries = nentries };
	struct vs_report rep;

	src.words[VS_SECTION_CODE] = words;
	src.nwords[VS_SECTION_CODE] = nwords;
	return qpu_check_program(&src, &rep, rej);
}

static void test_shape(void)
{
	static const u32 nop[8] = { 0x009e7000, 0x300009e7, 0x009e7000, 0x100009e7,
				    0x009e7000, 0x100009e7, 0x009e7000, 0x100009e7 };
	struct vs_src src = { .stage = VS_STAGE_COMPUTE };
	static const u32 zero;
	struct vs_reject rej;
	struct vs_report rep;
	u32 *big;

	tap_result(!check_raw(nop, 6, VS_STAGE_COMPUTE, 0, 1, &rej), "compute program");
	tap_result(!check_raw(nop, 6, VS_STAGE_FRAGMENT, 0, 1, &rej), "fragment program");
	tap_result(check_raw(nop, 6, VS_STAGE_VERTEX, 0, 1, &rej) == -ENOEXEC &&
		   rej.reason == QPU_BAD_STAGE, "not a vertex program");
	tap_result(check_raw(nop, 6, VS_STAGE_GEOMETRY, 0, 1, &rej) == -ENOEXEC &&
		   rej.reason == QPU_BAD_STAGE, "not a geometry program");
	tap_result(check_raw(nop, 0, VS_STAGE_COMPUTE, 0, 1, &rej) == -ENOEXEC &&
		   rej.reason == QPU_BAD_SIZE, "no code");
	tap_result(check_raw(nop, 7, VS_STAGE_COMPUTE, 0, 1, &rej) == -ENOEXEC &&
		   rej.reason == QPU_BAD_SIZE, "half an instruction");
	tap_result(check_raw(nop, 6, VS_STAGE_COMPUTE, 3, 1, &rej) == -ENOEXEC &&
		   rej.reason == QPU_BAD_ENTRY && rej.offset == 3, "entry past the program");
	tap_result(check_raw(nop, 6, VS_STAGE_COMPUTE, 0, 0, &rej) == -ENOEXEC &&
		   rej.reason == QPU_BAD_ENTRY, "no entry");
	src.words[VS_SECTION_CODE] = nop;
	src.nwords[VS_SECTION_CODE] = 6;
	src.words[VS_SECTION_OPDESC] = nop;
	src.nwords[VS_SECTION_OPDESC] = 1;
	src.entries = &zero;
	src.nentries = 1;
	tap_result(qpu_check_program(&src, &rep, &rej) == -ENOEXEC &&
		   rej.reason == QPU_BAD_SIZE && rej.section == VS_SECTION_OPDESC,
		   "there is no section of descriptors");
	big = calloc(2 * QPU_MAX_WORDS + 2, sizeof(*big));
	tap_result(big && check_raw(big, 2 * QPU_MAX_WORDS + 2, VS_STAGE_COMPUTE, 0, 1, &rej) ==
		   -ENOEXEC && rej.reason == QPU_BAD_SIZE, "too much code");
	free(big);
}

/* ---- accepted ---- */

static const char * const accepted[] = {
	/* not reached */
	"brr -, r:1f\nnop\nnop\nnop\n.long 0xe40009e700000000\n:1" END,
	"nop; thrend\nnop\nnop\n.long 0xf0d809e700000000",
	/* reached only through a register */
	"bra -, ra0\nnop\nnop\nnop\n.long 0xe40009e700000000" END,
	/* data after a branch that stores the return address */
	"brr r0, r:1f\nnop\nnop\nnop\n.long 0xffffffffffffffff\n:1" END,
	/* undefined adder code, NOPs with destinations, unused addresses */
	"aop29 vpm, r0, r1" END, "anop vpm" END, "nop; mnop r2" END, "nop; read ra33" END,
	/* ignored fields */
	"nop; .enc mul_a=7, add_a=6, unpack=3, pm=1, pack=9" END,
	"bra -, 0x10; .enc br_raddr=31" END, "sacq -, 0xffffffef" END,
};

static void test_accept(void)
{
	struct vs_report rep;
	struct vs_reject rej;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(accepted); i++) {
		int ret = check(accepted[i], &rep, &rej, NULL);

		tap_result(!ret, "accepted: program %u (%d, %s at %u)", i, ret,
			   ret ? qpu_reason_text(rej.reason) : "", ret ? rej.offset : 0);
	}
}

/* ---- report ---- */

static void test_report(void)
{
	struct vs_report rep;
	struct vs_reject rej;
	int ret = check("mov ra3, unif; mov r1, rb32\nadd rb7, ra9, 1\nnop\n:1\nnop\nnop\nnop\n"
			"brr.allz -, r:1b\nnop\nnop\nmov r0, vary\nbrr -, r:2f\nnop\nnop\nnop\n"
			".long 0xe40009e700000000\n:2" END, &rep, &rej, NULL);

	tap_result(!ret && rep.code_words == 18 && rep.reachable_words == 17,
		   "words and reachable words");
	tap_result(rep.temps == (1U << 3 | 1U << 9 | 1U << 7), "registers");
	tap_result(rep.uniform_rows == 1, "uniforms");
	tap_result(rep.features == (VS_FEAT_FLOW | VS_FEAT_LOOP), "features");
	ret = check("bra ra1, ra2\nnop\nnop\nnop" END, &rep, &rej, NULL);
	tap_result(!ret && rep.reachable_words == rep.code_words &&
		   rep.features == (VS_FEAT_FLOW | VS_FEAT_RELATIVE),
		   "a branch to a register reaches everything");
}

/* ---- warnings ---- */

#define NONE UINT32_MAX

/**
 * struct warned - warning and its absence
 * @code: which
 * @bad: program that gets it
 * @offset: where
 * @arg: its argument
 * @good: program that does not
 */
struct warned {
	u32 code;
	const char *bad;
	u32 offset;
	u32 arg;
	const char *good;
};

#define READ(n, row) "mov vr_setup, vpm_setup(" #n ", 1, h32(" #row "))\n"
#define LOAD(row) "mov vr_setup, vdr_setup_0(0, 16, 16, vdr_h32(1, " #row ", 0))\n" \
	"mov vr_addr, unif\n"
#define STORE "mov vw_setup, vdw_setup_0(1, 16, dma_h32(0, 0))\nmov vw_addr, unif\n"
#define RD "mov vr_setup, r0\n"
#define NOP3 "nop\nnop\nnop\n"
#define FRAG ".stage fragment\nnop\nnop\n"

static const struct warned warnings[] = {
	{ QPU_LINT_REG_RAW, "mov ra4, r0\nmov r1, ra4" END, 1, 4,
	  "mov ra4, r0\nnop\nmov r1, ra4" END },
	{ QPU_LINT_REG_RAW, "mov rb4, r0\nmov r1, rb4" END, 1, 4, "mov rb4, r0\nmov r1, ra4" END },
	{ QPU_LINT_REG_RAW, "mov ra6, r0\nbra -, ra6\n" NOP3 END, 1, 6,
	  "mov rb6, r0\nbra -, ra6\n" NOP3 END },
	{ QPU_LINT_REG_RAW, "brr -, r:1f\nnop\nnop\nmov ra4, r0\n:1\nmov r1, ra4" END, 4, 4,
	  "brr -, r:1f\nnop\nnop\nmov ra4, r0\nmov r1, ra4\n:1" END },
	{ QPU_LINT_SFU_EARLY, "mov recip, r0\nnop\nmov r1, r4" END, 2, 1,
	  "mov recip, r0\nnop\nnop\nmov r1, r4" END },
	{ QPU_LINT_SFU_EARLY, "mov log, r0\nmov r1, r4" END, 1, 2, "mov r3, r0\nmov r1, r4" END },
	{ QPU_LINT_SFU_BUSY, "mov exp, r0\nnop\nmov recipsqrt, r1" END, 2, 1,
	  "mov exp, r0\nnop\nnop\nmov recipsqrt, r1" END },
	{ QPU_LINT_SFU_BUSY, "mov t0s, r0\nmov exp, r0\nnop; ldtmu0" END, 2, 2,
	  "mov t0s, r0\nmov exp, r0\nnop\nnop\nnop; ldtmu0" END },
	{ QPU_LINT_TMU_UNDERFLOW, "mov t0s, r0\nnop; ldtmu1" END, 1, 1,
	  "mov t1s, r0\nnop; ldtmu1" END },
	{ QPU_LINT_TMU_UNDERFLOW, "mov t0s, r0\nnop; ldtmu0\nnop; ldtmu0" END, 2, 0,
	  ":1\nmov t0s, r0\nnop\nbrr.allz -, r:1b\n" NOP3 "nop; ldtmu0\nnop; ldtmu0" END },
	{ QPU_LINT_TMU_DEPTH, ".rep i, 5\nmov t0s, r0\n.endr" END, 4, 0,
	  ".rep i, 4\nmov t0s, r0\n.endr" END },
	{ QPU_LINT_TMU_OVERFLOW, ".rep i, 9\nmov t1s, r0\n.endr" END, 8, 1,
	  ".rep i, 8\nmov t1s, r0\n.endr" END },
	{ QPU_LINT_UNIFORM_WINDOW, "mov unif_addr, r0\nnop\nmov r1, unif" END, 2, 1,
	  "mov unif_addr, r0\nnop\nnop\nmov r1, unif" END },
	{ QPU_LINT_ROTATE_SOURCE, "mov r0, ra1\nnop; mov r1, r0 >> 3" END, 1, 0,
	  "mov r0, ra1\nnop\nnop; mov r1, r0 >> 3" END },
	{ QPU_LINT_ROTATE_R5, "mov r5rep, r0\nnop; mov r1, r2 >> r5" END, 1, 5,
	  "mov r5rep, r0\nnop\nnop; mov r1, r2 >> r5" END },
	{ QPU_LINT_ROTATE_GROUP, "nop; mov r1, ra3 >> 5" END, 0, 0, "nop; mov r1, ra3 >> 3" END },
	{ QPU_LINT_VPM_LATENCY, RD "nop\nnop\nmov r1, vpm" END, 3, 1,
	  RD NOP3 "mov r1, vpm" END },
	{ QPU_LINT_VPM_NO_SETUP, "mov r1, vpm" END, 0, 0, RD NOP3 "mov r1, vpm" END },
	{ QPU_LINT_VPM_NO_SETUP, "mov vw_setup, r0\n" NOP3 "mov r1, rb48" END, 4, 1,
	  "mov vpm, r0\n" RD NOP3 "mov r1, rb48" END },
	{ QPU_LINT_VPM_TWICE, "mov vr_setup, r0; mov vw_setup, r1" END, 0, 2,
	  "mov vr_setup, r0; mov r2, r1" END },
	{ QPU_LINT_VPM_TWICE, "mov vw_setup, r0; mov vpm, r1" END, 0, 2,
	  "mov vpm, r0\nmov vw_setup, r1" END },
	{ QPU_LINT_DMA_COLUMN, "mov vw_setup, vdw_setup_0(16, 32, dma_v32(0, 0))" END, 0, 32,
	  "mov vw_setup, vdw_setup_0(32, 16, dma_v32(0, 0))" END },
	{ QPU_LINT_DMA_COLUMN, "mov vw_setup, vdw_setup_0(1, 0, dma_v32(16, 3))" END, 0, 128,
	  "mov vw_setup, vdw_setup_0(1, 0, dma_h32(16, 3))" END },
	{ QPU_LINT_DMA_COLUMN, "mov vw_setup, vdw_setup_0(1, 12, dma_v32(21, 3))" END, 0, 17,
	  "mov vw_setup, vdw_setup_0(1, 11, dma_v32(21, 3))" END },
	{ QPU_LINT_DMA_COLUMN, "mov vw_setup, vdw_setup_0(1, 32, dma_v16p(0, 0, 1))" END, 0, 17,
	  "mov vw_setup, vdw_setup_0(1, 31, dma_v16p(0, 0, 1))" END },
	{ QPU_LINT_DMA_COLUMN, "mov vw_setup, vdw_setup_0(1, 65, dma_v8p(0, 0, 0))" END, 0, 17,
	  "mov vw_setup, vdw_setup_0(1, 64, dma_v8p(0, 0, 0))" END },
	/* with a row that was computed */
	{ QPU_LINT_DMA_COLUMN, "mov r0, vdw_setup_0(16, 32, dma_v32(0, 0))\nmov r1, qpu_num\n"
	  "shl r1, r1, 11\nadd vw_setup, r0, r1" END, 3, 32,
	  "mov r0, vdw_setup_0(16, 16, dma_v32(0, 0))\nmov r1, qpu_num\n"
	  "shl r1, r1, 11\nadd vw_setup, r0, r1" END },
	{ QPU_LINT_DMA_COLUMN, "mov rb5, vdw_setup_0(16, 20, dma_v32(0, 0))\nnop\n"
	  "nop; mov vw_setup, rb5" END, 2, 20, "mov rb5, vdw_setup_0(16, 20, dma_v32(0, 0))\n"
	  "mov rb5, unif\nnop\nmov vw_setup, rb5" END },
	{ QPU_LINT_DMA_LOAD, LOAD(0) READ(1, 0) "nop\nnop\nmov r0, vpm" END, 5, 0,
	  LOAD(0) "mov -, vr_wait\n" READ(1, 0) "nop\nnop\nmov r0, vpm" END },
	/* other rows; a row that was computed; the last of 16 rows; waiting in a loop */
	{ QPU_LINT_DMA_LOAD, LOAD(0) READ(1, 15) "nop\nnop\nmov r0, rb48" END, 5, 1,
	  LOAD(0) READ(1, 16) "nop\nnop\nmov r0, rb48" END },
	{ QPU_LINT_DMA_LOAD, LOAD(16) "mov r0, vpm_setup(1, 1, h32(0))\nadd vr_setup, r0, qpu_num\n"
	  NOP3 "mov r0, vpm" END, 7, 0, LOAD(16) READ(1, 0) NOP3 "mov r0, vpm" END },
	{ QPU_LINT_DMA_LOAD, LOAD(48) READ(1, 63) NOP3 "mov r0, vpm" END, 6, 0,
	  LOAD(48) ":1\nmov.setf -, vr_busy\nbrr.anynz -, r:1b\n" NOP3 READ(1, 63) NOP3
	  "mov r0, vpm" END },
	{ QPU_LINT_DMA_STORE, STORE END, 4, 50, STORE "mov -, vw_wait" END },
	{ QPU_LINT_DMA_STORE, STORE "brr.allz -, r:1f\n" NOP3 "mov -, vw_wait\n:1" END, 9, 50,
	  STORE "nop; thrend\nnop\nmov -, vw_wait" },
	{ QPU_LINT_VPM_LEFT, READ(3, 0) NOP3 "mov r0, vpm\n" READ(1, 4) NOP3 ".rep i, 3\n"
	  "mov r0, vpm\n.endr" END, 5, 2, READ(2, 0) NOP3 "mov r0, vpm\n" READ(1, 4)
	  NOP3 "mov r0, vpm\nmov r0, vpm" END },
	{ QPU_LINT_VPM_LEFT, READ(0, 0) NOP3 "mov r0, vpm\n" READ(1, 4) END, 5, 15,
	  READ(0, 0) NOP3 "mov r0, vpm\nmov vr_setup, vdr_setup_1(64)" END },
	{ QPU_LINT_VPM_UNREAD, READ(16, 0) NOP3 "mov r0, vpm" END, 7, 15,
	  READ(1, 0) NOP3 "mov r0, vpm" END },
	{ QPU_LINT_VPM_UNREAD, READ(1, 0) END, 3, 1, "mov vr_setup, r0" END },
	{ QPU_LINT_TMU_STALE, "mov t0s, ra0\nnop; ldtmu0\nmov vw_addr, ra0\nmov -, vw_wait\n"
	  "mov t0s, ra0\nnop; ldtmu0" END, 4, 0,
	  "mov t0s, ra0\nnop; ldtmu0\nmov vw_addr, ra0\nmov -, vw_wait\n"
	  "add ra0, ra0, 4\nnop\nmov t0s, ra0\nnop; ldtmu0" END },
	/* an element each, in a loop; one that goes on */
	{ QPU_LINT_TMU_STALE, ":1\nadd t1s, r0, r1\nnop; ldtmu1\nmov vw_addr, r0\nmov -, vw_wait\n"
	  "brr.allz -, r:1b\n" NOP3 END, 0, 1,
	  ":1\nadd t1s, r0, r1\nnop; ldtmu1\nmov vw_addr, r0\nmov -, vw_wait\n"
	  "brr.allz -, r:1b\nadd r1, r1, 4\nnop\nnop" END },
	{ QPU_LINT_TMU_STALE, "mov t0s, r3\nnop; ldtmu0\nmov vw_addr, r3\nmov -, vw_wait\n"
	  "mov t1s, r3\nnop; ldtmu1" END, 4, 1,
	  "mov t0s, r3\nnop; ldtmu0\nmov vw_addr, r2\nmov -, vw_wait\n"
	  "mov t1s, r3\nnop; ldtmu1" END },
	/* what an address is added to comes from a uniform, or from the TMU */
	{ QPU_LINT_TMU_STALE, "add t0s, rb3, elem_num\nnop; ldtmu0\nmov vw_addr, rb3\n"
	  "mov -, vw_wait\nadd t0s, rb3, elem_num\nnop; ldtmu0" END, 4, 0,
	  "add t0s, rb3, unif\nnop; ldtmu0\nmov vw_addr, rb3\nmov -, vw_wait\n"
	  "add t0s, rb3, r4\nnop; ldtmu0\nadd t0s, rb3, unif\nnop; ldtmu0" END },
	{ QPU_LINT_BRANCH_DISTANCE, "brr -, r:1f\nnop\nbrr -, r:1f\n:1\n" NOP3 END, 2, 1,
	  "brr -, r:1f\nnop\nnop\nbrr -, r:1f\n:1\n" NOP3 END },
	{ QPU_LINT_SLOT_SIGNAL, "brr -, r:1f\nnop\nnop; thrend\nnop\n:1" END, 2, QPU_SIG_THREND,
	  "brr -, r:1f\nnop\nnop; ldtmu0\nnop\n:1" END },
	{ QPU_LINT_BRANCH_FLAGS, "bra -, ra5\n" NOP3 END, 0, 5, "bra -, ra4\n" NOP3 END },
	{ QPU_LINT_END_R14, "nop; thrend\nmov r0, ra14\nnop", 1, 0,
	  "nop; thrend\nmov r0, ra13\nnop" },
	{ QPU_LINT_END_R14, "nop; thrend\nmov rb14, r0\nnop", 1, 1, "mov rb14, r0" END },
	{ QPU_LINT_END_WRITE, "mov ra1, r0; thrend\nnop\nnop", 0, 1,
	  "mov r1, r0; thrend\nnop\nnop" },
	{ QPU_LINT_END_FIFO, "nop; thrend\nnop\nmov r0, unif", 2, 32, "mov r0, unif" END },
	{ QPU_LINT_END_FIFO, "nop; thrend\nmov vpm, r0\nnop", 1, 48,
	  "nop; thrend\nmov irq, r0\nnop" },
	{ QPU_LINT_END_TLB_Z, "nop; thrend\nnop\nmov tlbz, r0", 2, 44,
	  "nop; thrend\nmov tlbz, r0\nnop" },
	{ QPU_LINT_END_MUTEX, "mov -, mutex" END, 3, 51, "mov -, mutex\nmov mutex, r0" END },
	{ QPU_LINT_SWITCH_ACC, "nop; thrsw\nnop\nnop\nmov r0, r3" END, 3, 3,
	  "nop; thrsw\nnop\nmov r0, r3\nmov r3, 1\nmov r0, r3" END },
	{ QPU_LINT_SWITCH_DISTANCE, "nop; thrsw\nnop\nnop; lthrsw\n" NOP3 END, 2, 1,
	  "nop; thrsw\nnop\nnop\nnop; lthrsw\n" NOP3 END },
	{ QPU_LINT_SCOREBOARD_EARLY, ".stage fragment\nnop; sbwait" END, 0, 0,
	  ".stage fragment\nnop\nnop; sbwait" END },
	{ QPU_LINT_SCOREBOARD_EARLY, ".stage fragment\nnop\nmov tlbc, r0" END, 1, 1,
	  FRAG "mov tlbc, r0" END },
	{ QPU_LINT_TLB_NO_WAIT, FRAG "mov tlbc, r0" END, 2, QPU_SIG_NONE,
	  FRAG "nop; sbwait\nmov tlbc, r0" END },
	{ QPU_LINT_TLB_AFTER_DONE, FRAG "nop; sbwait\nmov tlbc, r0; sbdone\nmov tlbc, r0" END, 4,
	  QPU_SIG_NONE, FRAG "nop; sbwait\nmov tlbc, r0\nmov tlbc, r0; sbdone" END },
	{ QPU_LINT_SAME_DEST, "mov r0, r1; mov r0, r2" END, 0, 32,
	  "mov.ifz r0, r1; mov.ifnz r0, r2" END },
	{ QPU_LINT_SAME_DEST, "mov r0, r1; mov r0, r2; thrend\nnop\nnop", 0, 32,
	  "mov r0, r0; mov r0, r0; thrend\nnop\nnop" },
	{ QPU_LINT_SAME_DEST, "mov vpm, r1; mov vpm, r2" END, 0, 48,
	  "mov ra1, r1; mov rb1, r2" END },
	{ QPU_LINT_PERIPHERAL_TWICE, "mov t0s, r0; mov recip, r1" END, 0, 2,
	  "mov t0s, r0; mov vpm, r1" END },
	{ QPU_LINT_PERIPHERAL_TWICE, "sacq t0s, 3" END, 0, 2, "sacq -, 3" END },
	{ QPU_LINT_MUTEX_TWICE, "mov -, mutex\nmov -, mutex\nmov mutex, 1" END, 1, 51,
	  "mov -, mutex\nmov mutex, 1\nmov -, mutex\nmov mutex, 1" END },
	{ QPU_LINT_MUTEX_NOT_HELD, "mov mutex, 1" END, 0, 51, "mov -, mutex\nmov mutex, 1" END },
	{ QPU_LINT_COND_PERIPHERAL, "mov.ifz t0s, r0" END, 0, 56, "mov.ifz irq, r0" END },
	{ QPU_LINT_COND_PERIPHERAL, "mov.ifz vpm, r0" END, 0, 48,
	  FRAG "nop; sbwait\nmov.ifz tlbz, rb15" END },
	{ QPU_LINT_PACK_PERIPHERAL, "nop; fmul vpm.8asf, r0, r1" END, 0, 48,
	  "nop; fmul vpm.8abcdsf, r0, r1" END },
	{ QPU_LINT_NOSWAP_WINDOW, "mov tmurs, 1\nnop\nnop\nmov t0s, r0" END, 3, 1,
	  "mov tmurs, 1\nnop\nnop\nnop\nmov t0s, r0" END },
	{ QPU_LINT_NOSWAP_LATE, "mov t0s, r0\nmov tmurs, 1" END, 1, 36, "mov tmurs, 1" END },
	{ QPU_LINT_MS_WINDOW, FRAG "nop; sbwait\nmov tlbz, r0\nnop\nmov r0, ms_mask" END, 5, 1,
	  FRAG "nop; sbwait\nmov tlbz, r0\nnop\nnop\nmov r0, ms_mask" END },
	{ QPU_LINT_UNDEFINED_OP, "aop25 r0, r1, r2" END, 0, 25, "add r0, r1, r2" END },
	{ QPU_LINT_RUNS_OFF, "nop\nnop", 1, 2, "nop" END },
	{ QPU_LINT_RUNS_OFF, "nop\n:1\nnop\nbrr.allz -, r:1b\n" NOP3, 5, 6,
	  "nop\n:1\nnop\nbrr -, r:1b\n" NOP3 },
};

static u32 find_lint(const struct vs_lints *found, u32 code)
{
	u32 i;

	for (i = 0; i < found->n && i < found->max; i++)
		if (found->list[i].code == code)
			return i;
	return NONE;
}

static void test_warnings(void)
{
	struct vs_lint_warning lints[64];
	struct vs_report rep;
	struct vs_reject rej;
	bool seen[QPU_NUM_LINTS] = { false };
	u32 i, k;
	int ret;

	for (i = 0; i < ARRAY_SIZE(warnings); i++) {
		const struct warned *w = &warnings[i];

		struct vs_lints bad = { .list = lints, .max = 64, .all = true };
		struct vs_lints good = bad;

		seen[w->code] = true;
		ret = check(w->bad, &rep, &rej, &bad);
		k = ret ? NONE : find_lint(&bad, w->code);
		tap_result(k != NONE && lints[k].offset == w->offset && lints[k].arg == w->arg,
			   "%u: %s at %u, argument %u (found at %d, %d)", i, qpu_lint_name(w->code),
			   w->offset, w->arg, k == NONE ? -1 : (int)lints[k].offset,
			   k == NONE ? -1 : (int)lints[k].arg);
		ret = check(w->good, &rep, &rej, &good);
		tap_result(!ret && find_lint(&good, w->code) == NONE, "%u: no %s", i,
			   qpu_lint_name(w->code));
	}
	for (i = 0; i < QPU_NUM_LINTS; i++)
		tap_result(seen[i] && strcmp(qpu_lint_name(i), "unknown") &&
			   strlen(qpu_lint_text(i)) > 10, "warning %s is tested",
			   qpu_lint_name(i));
	tap_result(!strcmp(qpu_lint_name(QPU_NUM_LINTS), "unknown"), "no more warnings");
}

/* ---- log, isa ---- */

static void test_isa(void)
{
	const struct vs_isa *isa = vs_isa_by_name("qpu");
	struct vs_as_program res;
	static char text[20000];
	char msg[100];
	struct vs_log log = { text, sizeof(text), 0 };
	struct vs_reject rej;
	struct vs_report rep;
	struct vs_src src;
	u32 i;

	tap_result(isa == &qpu_isa && vs_isa_by_id(VS_ISA_QPU) == isa && isa->word_bytes == 8 &&
		   isa->max_words == QPU_MAX_WORDS, "in the table of instruction sets");
	qpu_test_assemble("mov ra1, r0\nmov r1, ra1" END, &res, msg, sizeof(msg));
	qpu_test_src(&res, &src);
	text[0] = 0;
	tap_result(!isa->verify(&src, &rep, &rej, &log) && !log.len &&
		   vs_lint(isa, &src, &log) == 1 &&
		   strstr(text, "instruction 0x001: warning: ") && strstr(text, "[reg-raw]"),
		   "warnings in the log");
	vs_as_program_free(&res);
	qpu_test_assemble("nop\n.long 0xe40009e700000000" END, &res, msg, sizeof(msg));
	qpu_test_src(&res, &src);
	log.len = 0;
	tap_result(isa->verify(&src, &rep, &rej, &log) == -ENOEXEC &&
		   strstr(text, "instruction 0x001, bits 57..59: error: "), "rejects in the log");
	vs_as_program_free(&res);
	for (i = 0; i < 200; i++) {
		snprintf(text, sizeof(text), ".rep i, %u\nmov ra1, r0\nmov r1, ra1\n.endr" END, i);
		qpu_test_assemble(text, &res, msg, sizeof(msg));
		qpu_test_src(&res, &src);
		log.len = 0;
		if (isa->verify(&src, &rep, &rej, &log) || vs_lint(isa, &src, &log) != (int)i)
			break;
		vs_as_program_free(&res);
	}
	tap_result(i == 200 && strstr(text, "135 more warnings"), "warnings are counted");
	for (i = 0; i < QPU_NUM_REASONS; i++)
		tap_result(qpu_reason_text(i) && strcmp(qpu_reason_text(i), "unknown reason"),
			   "reason %u: %s", i, qpu_reason_text(i));
}

/* Random programs: verification terminates and is deterministic. */
static void test_random(void)
{
	static u32 words[1024];
	struct vs_report ra, rb;
	struct vs_reject rej;
	struct vs_src src = { .stage = VS_STAGE_FRAGMENT };
	static const u32 entry;
	u32 i, k, accepted_n = 0;
	bool ok = true;

	src.words[VS_SECTION_CODE] = words;
	src.nwords[VS_SECTION_CODE] = ARRAY_SIZE(words);
	src.entries = &entry;
	src.nentries = 1;
	for (k = 0; ok && k < 300; k++) {
		for (i = 0; i < ARRAY_SIZE(words) / 2; i++) {
			u64 w = qpu_test_word(test_rand() % 8 ? 0 : 3);

			/* short branches, few ends */
			if (w >> 60 == 15)
				w = (w & ~0xffffffffULL) | Q_REL |
				    (u32)((s32)(test_rand() % 64) - 32) * 8;
			if (w >> 60 == 3 || w >> 60 == 9)
				w ^= Q_SIG(2);
			words[2 * i] = (u32)w;
			words[2 * i + 1] = (u32)(w >> 32);
		}
		i = (u32)qpu_check_program(&src, &ra, &rej);
		ok = i == (u32)qpu_check_program(&src, &rb, &rej) &&
		     ((int)i == -ENOEXEC || !i) && !memcmp(&ra, &rb, sizeof(ra));
		accepted_n += !i;
		if (!i) {
			struct vs_lints a = { }, b = { };

			ok = ok && !qpu_lint(&src, &a) && !qpu_lint(&src, &b) && a.n == b.n;
		}
	}
	tap_result(ok, "300 random programs, %u accepted", accepted_n);
}

/* Rules that working programs break are silent unless all are asked for. */
static void test_extra(void)
{
	static const char *const texts[] = {
		"mov r0, ra1\nnop; mov r1, r0 >> 3" END, RD "nop\nnop\nmov r1, vpm" END,
		".rep i, 5\nmov t0s, r0\n.endr" END,
	};
	struct vs_report rep;
	struct vs_reject rej;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		struct vs_lints few = { }, all = { .all = true };
		bool ok = !check(texts[i], &rep, &rej, &few) && !check(texts[i], &rep, &rej, &all);

		tap_result(ok && !few.n && all.n == 1, "extra rule %u", i);
	}
}

static u32 bad_files, reg_raw, files_warned;

static void corpus_one(const char *name, const u32 *w, u32 n)
{
	struct vs_src src = { .stage = VS_STAGE_COMPUTE };
	static struct vs_lint_warning lints[4096];
	struct vs_lints found = { .list = lints, .max = ARRAY_SIZE(lints) };
	static const u32 entry;
	struct vs_report rep;
	struct vs_reject rej;

	src.words[VS_SECTION_CODE] = w;
	src.nwords[VS_SECTION_CODE] = n;
	src.entries = &entry;
	src.nentries = 1;
	if (qpu_check_program(&src, &rep, &rej)) {
		tap_comment("%s: %s at %u", name, qpu_reason_text(rej.reason), rej.offset);
		bad_files++;
		return;
	}
	if (qpu_lint(&src, &found)) {
		bad_files++;
		return;
	}
	files_warned += found.n != 0;
	if (find_lint(&found, QPU_LINT_REG_RAW) == NONE)
		return;
	tap_comment("%s: %u warnings", name, found.n);
	reg_raw++;
}

int main(int argc, char **argv)
{
	u32 i, n;

	test_seed(11);
	for (i = 0; i < ARRAY_SIZE(rejects); i++)
		test_reject(&rejects[i]);
	test_shape();
	test_accept();
	test_report();
	test_warnings();
	test_extra();
	test_isa();
	test_random();
	n = qpu_test_corpus(argc, argv, corpus_one);
	if (n) {
		tap_result(!bad_files, "%u code files of the corpus are accepted", n);
		/* Measured on these programs when they ran: none reads too early. */
		tap_result(!reg_raw, "none of them reads a register too early");
		tap_comment("%u files have warnings", files_warned);
	} else {
		tap_skip("no corpus", "code files of the corpus are accepted");
	}
	return tap_done();
}
