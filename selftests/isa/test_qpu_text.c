// SPDX-License-Identifier: GPL-2.0
/*
 * QPU text: disassembly of any word assembles to the same word, and known words have
 * known texts.
 */
#include "qpu_test.h"

#define BATCH	4096
#define BATCHES	96

static u32 batch[2 * BATCH];

/* Words of all forms; in quick runs fewer. */
static u32 batches(void)
{
	return getenv("QPU_TEXT_QUICK") ? BATCHES / 8 : BATCHES;
}

static bool is_defined(u64 word)
{
	struct qpu_insn x;
	u8 lo, hi;

	qpu_decode(word, &x);
	return !qpu_check(&x, &lo, &hi);
}

/* Every defined word has a text: no raw number, no question mark. */
static bool has_text(u64 word)
{
	char text[QPU_MAX_TEXT];

	return qpu_disasm_word(word, text, sizeof(text)) > 0 && text[0] != '?' &&
	       strlen(text) < QPU_MAX_TEXT / 2 + 40;
}

static void test_random(void)
{
	u32 form, b, i, odd = 0, total = 0;
	char msg[256] = "";
	bool ok, text = true;
	u64 w;

	for (form = 0; form < 5; form++) {
		ok = true;
		for (b = 0; ok && b < batches(); b++) {
			for (i = 0; i < BATCH; i++) {
				do {
					w = form < 4 ? qpu_test_word(form) : qpu_test_rand();
				} while (form < 4 && !is_defined(w));
				text = text && (!is_defined(w) || has_text(w));
				batch[2 * i] = (u32)w;
				batch[2 * i + 1] = (u32)(w >> 32);
			}
			total += BATCH;
			ok = qpu_test_round_trip(batch, 2 * BATCH, msg, sizeof(msg));
		}
		tap_result(ok, "%u random words of form %u there and back %s", b * BATCH, form,
			   msg);
	}
	tap_result(text, "defined words have a text of their own");
	for (i = 0; i < 100000; i++) {
		char buf[QPU_MAX_TEXT];

		w = qpu_test_word(i);
		odd += qpu_disasm_word(w, buf, sizeof(buf)) > 0 && strstr(buf, ".enc");
	}
	tap_comment("%u words; %u of 100000 random ones need .enc", total, odd);
}

/* One field at a time over an ordinary instruction. */
static void test_walk(void)
{
	static const u64 base[] = {
		/* add ra1, rb2, r3; fmul rb4, ra5, r4 */
		Q_SIG(1) | Q_CADD(1) | Q_CMUL(1) | Q_WADD(1) | Q_WMUL(4) | Q_OPADD(12) |
		Q_OPMUL(1) | Q_RA(5) | Q_RB(2) | Q_MUX(7, 3, 6, 4),
		/* ldi ra1, 0 */
		Q_SIG(14) | Q_CADD(1) | Q_WADD(1) | Q_WMUL(39),
		/* brr.anyz ra1, 0 */
		Q_SIG(15) | Q_BCOND(2) | Q_REL | Q_WADD(1) | Q_WMUL(39),
		/* nop; v8min r0, r1 >> 3, r1 >> 3 */
		Q_SIG(13) | Q_CMUL(1) | Q_WADD(39) | Q_WMUL(32) | Q_OPMUL(4) | Q_RA(39) |
		Q_RB(51) | Q_MUX(0, 0, 1, 1),
	};
	char msg[256] = "";
	bool ok;
	u32 k, a, b, n;

	for (k = 0; k < ARRAY_SIZE(base); k++) {
		n = 0;
		ok = true;
		for (a = 0; a < 60; a++) {
			for (b = a; b < 60; b++) {
				u64 w = base[k] ^ 1ULL << a ^ (a == b ? 0 : 1ULL << b);

				batch[n++] = (u32)w;
				batch[n++] = (u32)(w >> 32);
			}
		}
		ok = qpu_test_round_trip(batch, n, msg, sizeof(msg));
		tap_result(ok, "base %u with each two bits inverted, %u words %s", k, n / 2, msg);
	}
}

struct known {
	u64 word;
	const char *text;
};

#define ADD(op, cond, dst, a, b) (Q_OPADD(op) | Q_CADD(cond) | Q_WADD(dst) | Q_MUX(a, b, 0, 0))
#define MUL(op, cond, dst, a, b) (Q_OPMUL(op) | Q_CMUL(cond) | Q_WMUL(dst) | Q_MUX(0, 0, a, b))
#define NOADD	Q_WADD(39)
#define NOMUL	Q_WMUL(39)

static const struct known known[] = {
	{ Q_SIG(1) | NOADD | NOMUL | Q_NOREAD, "nop" },
	{ Q_SIG(3) | NOADD | NOMUL | Q_NOREAD, "nop; thrend" },
	{ Q_SIG(0) | NOADD | NOMUL | Q_NOREAD, "nop; bkpt" },
	{ Q_SIG(10) | NOADD | NOMUL | Q_NOREAD, "nop; ldtmu0" },
	{ Q_SIG(1) | NOADD | NOMUL | Q_NOREAD | Q_SF | Q_CADD(1), "nop.setf" },
	{ Q_SIG(1) | ADD(1, 1, 32, 1, 6) | NOMUL | Q_RA(5) | Q_RB(39), "fadd r0, r1, ra5" },
	{ Q_SIG(1) | ADD(12, 1, 3, 6, 7) | NOMUL | Q_RA(5) | Q_RB(9) | Q_WS, "add rb3, ra5, rb9" },
	{ Q_SIG(1) | ADD(13, 1, 32, 0, 1) | MUL(1, 1, 3, 2, 3) | Q_NOREAD | Q_SF | Q_WS,
	  "sub.setf r0, r0, r1; fmul ra3, r2, r3" },
	{ Q_SIG(1) | NOADD | MUL(1, 1, 3, 2, 3) | Q_NOREAD | Q_SF | Q_CADD(1),
	  "nop; fmul.setf rb3, r2, r3" },
	{ Q_SIG(1) | ADD(21, 1, 31, 6, 6) | NOMUL | Q_RA(32) | Q_RB(39), "mov ra31, unif" },
	{ Q_SIG(1) | ADD(21, 1, 31, 7, 7) | NOMUL | Q_RA(39) | Q_RB(32), "mov ra31, rb32" },
	{ Q_SIG(1) | ADD(21, 0, 39, 7, 7) | NOMUL | Q_RA(39) | Q_RB(50), "mov -, vw_wait" },
	{ Q_SIG(1) | ADD(21, 1, 49, 0, 0) | NOMUL | Q_NOREAD, "mov vr_setup, r0" },
	{ Q_SIG(1) | ADD(21, 1, 49, 0, 0) | NOMUL | Q_NOREAD | Q_WS, "mov vw_setup, r0" },
	{ Q_SIG(1) | ADD(21, 1, 37, 0, 0) | NOMUL | Q_NOREAD, "mov r5quad, r0" },
	{ Q_SIG(1) | ADD(21, 1, 37, 0, 0) | NOMUL | Q_NOREAD | Q_WS, "mov r5rep, r0" },
	{ Q_SIG(1) | NOADD | MUL(4, 1, 52, 5, 5) | Q_NOREAD, "nop; mov recip, r5" },
	{ Q_SIG(1) | ADD(12, 2, 32, 0, 1) | NOMUL | Q_NOREAD, "add.ifz r0, r0, r1" },
	{ Q_SIG(1) | ADD(12, 7, 32, 0, 1) | NOMUL | Q_NOREAD, "add.ifcc r0, r0, r1" },
	{ Q_SIG(1) | ADD(12, 0, 32, 0, 1) | NOMUL | Q_NOREAD, "add.never r0, r0, r1" },
	{ Q_SIG(1) | ADD(12, 1, 39, 0, 1) | NOMUL | Q_NOREAD, "add.always -, r0, r1" },
	{ Q_SIG(1) | ADD(12, 1, 39, 0, 1) | NOMUL | Q_NOREAD | Q_SF, "add.setf -, r0, r1" },
	{ Q_SIG(1) | ADD(12, 1, 3, 0, 1) | NOMUL | Q_NOREAD | Q_PACK(3), "add ra3.8abcd, r0, r1" },
	{ Q_SIG(1) | ADD(12, 1, 3, 0, 1) | NOMUL | Q_NOREAD | Q_PACK(8), "add ra3.32s, r0, r1" },
	{ Q_SIG(1) | ADD(12, 1, 3, 0, 1) | NOMUL | Q_NOREAD | Q_PACK(9), "add ra3.16as, r0, r1" },
	{ Q_SIG(1) | ADD(12, 1, 3, 0, 1) | NOMUL | Q_NOREAD | Q_PACK(12), "add ra3.8asi, r0, r1" },
	{ Q_SIG(1) | NOADD | MUL(1, 1, 48, 0, 1) | Q_NOREAD | Q_PM | Q_PACK(5),
	  "nop; fmul vpm.8bsf, r0, r1" },
	{ Q_SIG(1) | ADD(1, 1, 32, 6, 0) | NOMUL | Q_RA(5) | Q_RB(39) | Q_UNPACK(2),
	  "fadd r0, ra5.16b, r0" },
	{ Q_SIG(1) | ADD(1, 1, 32, 4, 0) | NOMUL | Q_NOREAD | Q_UNPACK(4) | Q_PM,
	  "fadd r0, r4.8a, r0" },
	{ Q_SIG(1) | ADD(1, 1, 32, 6, 0) | NOMUL | Q_RA(5) | Q_RB(39) | Q_UNPACK(3),
	  "fadd r0, ra5.8dr, r0" },
	{ Q_SIG(13) | ADD(12, 1, 32, 0, 7) | NOMUL | Q_RA(39) | Q_RB(15), "add r0, r0, 15" },
	{ Q_SIG(13) | ADD(12, 1, 32, 0, 7) | NOMUL | Q_RA(39) | Q_RB(16), "add r0, r0, -16" },
	{ Q_SIG(13) | NOADD | MUL(1, 1, 32, 0, 7) | Q_RA(39) | Q_RB(47), "nop; fmul r0, r0, 0.5" },
	{ Q_SIG(13) | NOADD | MUL(1, 1, 32, 0, 7) | Q_RA(39) | Q_RB(40),
	  "nop; fmul r0, r0, 0.00390625" },
	{ Q_SIG(13) | NOADD | MUL(1, 1, 32, 0, 7) | Q_RA(39) | Q_RB(39),
	  "nop; fmul r0, r0, 128.0" },
	{ Q_SIG(13) | NOADD | MUL(4, 1, 33, 0, 0) | Q_RA(39) | Q_RB(59), "nop; mov r1, r0 << 5" },
	{ Q_SIG(13) | NOADD | MUL(4, 1, 33, 0, 0) | Q_RA(39) | Q_RB(49), "nop; mov r1, r0 >> 1" },
	{ Q_SIG(13) | NOADD | MUL(4, 1, 33, 0, 0) | Q_RA(39) | Q_RB(48), "nop; mov r1, r0 >> r5" },
	{ Q_SIG(13) | ADD(12, 1, 32, 0, 7) | MUL(4, 1, 33, 0, 0) | Q_RA(39) | Q_RB(63),
	  "add r0, r0, -1; mov r1, r0 << 1" },
	{ Q_SIG(13) | ADD(21, 1, 32, 7, 7) | NOMUL | Q_RA(39) | Q_RB(3), "or r0, 3, 3" },
	{ Q_SIG(13) | NOADD | NOMUL | Q_RA(39) | Q_RB(3), "nop; read 3" },
	{ Q_SIG(1) | NOADD | NOMUL | Q_RA(48) | Q_RB(50), "nop; read vpm; read vw_wait" },
	{ Q_SIG(1) | ADD(0, 1, 48, 0, 0) | NOMUL | Q_NOREAD, "anop vpm" },
	{ Q_SIG(1) | NOADD | MUL(0, 1, 34, 0, 0) | Q_NOREAD, "nop; mnop r2" },
	{ Q_SIG(1) | ADD(9, 1, 48, 0, 1) | NOMUL | Q_NOREAD, "aop9 vpm, r0, r1" },
	{ Q_SIG(1) | ADD(30, 1, 32, 0, 1) | MUL(6, 1, 33, 2, 3) | Q_NOREAD,
	  "av8adds r0, r0, r1; v8adds r1, r2, r3" },
	{ Q_SIG(1) | ADD(21, 1, 32, 1, 1) | NOMUL | Q_NOREAD | Q_WS, "mov rb32, r1" },
	{ Q_SIG(1) | ADD(24, 1, 32, 1, 1) | NOMUL | Q_NOREAD, "clz r0, r1" },
	{ Q_SIG(1) | ADD(24, 1, 32, 1, 2) | NOMUL | Q_NOREAD, "clz r0, r1; .enc add_b=2" },
	{ Q_SIG(14) | Q_CADD(1) | Q_WADD(30) | Q_WMUL(39) | Q_WS | 0x40, "ldi rb30, 64" },
	{ Q_SIG(14) | Q_CADD(1) | Q_WADD(32) | Q_WMUL(39) | 0xc0010000, "ldi r0, 0xc0010000" },
	{ Q_SIG(14) | Q_CADD(1) | Q_CMUL(2) | Q_WADD(1) | Q_WMUL(2) | 7, "ldi ra1, rb2.ifz, 7" },
	{ Q_SIG(14) | Q_UNPACK(3) | Q_CADD(1) | Q_WADD(32) | Q_WMUL(39) | 0x0002000aULL << 0,
	  "ldipeu r0, [0,3,0,1,0,0,0,0,0,0,0,0,0,0,0,0]" },
	{ Q_SIG(14) | Q_UNPACK(1) | Q_CADD(1) | Q_WADD(32) | Q_WMUL(39) | 0x80008001ULL,
	  "ldipes r0, [1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,-1]" },
	{ Q_SIG(14) | Q_UNPACK(4) | Q_NODST | 0x17, "sacq -, 7" },
	{ Q_SIG(14) | Q_UNPACK(4) | Q_NODST | 0x0f, "srel -, 15" },
	{ Q_SIG(15) | Q_BCOND(15) | Q_REL | Q_NODST | 0x10, "brr -, 16" },
	{ Q_SIG(15) | Q_BCOND(15) | Q_REL | Q_NODST | 0xffffffe0, "brr -, -32" },
	{ Q_SIG(15) | Q_BCOND(3) | Q_REL | Q_NODST | 8, "brr.anynz -, 8" },
	{ Q_SIG(15) | Q_BCOND(15) | Q_REG | Q_BRA(6) | Q_NODST, "bra -, ra6" },
	{ Q_SIG(15) | Q_BCOND(15) | Q_REG | Q_REL | Q_BRA(6) | Q_WADD(3) | Q_WMUL(39) | 8,
	  "brr ra3, ra6, 8" },
	{ Q_SIG(15) | Q_BCOND(15) | Q_REG | Q_BRA(6) | Q_WADD(3) | Q_WMUL(4),
	  "bra ra3, rb4, ra6, 0x0" },
	{ Q_SIG(15) | Q_BCOND(9) | Q_WADD(39) | Q_WMUL(39) | 0x100, "bra.allcc -, 0x100" },
	{ Q_SIG(15) | Q_BCOND(13) | Q_NODST, "? 0xf0d009e700000000" },
};

/* Signals as the guide numbers them. */
static void test_signals(void)
{
	static const char * const lines[] = {
		"nop; bkpt", "nop", "nop; thrsw", "nop; thrend", "nop; sbwait", "nop; sbdone",
		"nop; lthrsw", "nop; loadcv", "nop; loadc", "nop; ldcend", "nop; ldtmu0",
		"nop; ldtmu1", "nop; loadam",
	};
	char text[QPU_MAX_TEXT];
	u32 i;

	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		qpu_disasm_word(Q_SIG(i) | Q_NODST | Q_NOREAD, text, sizeof(text));
		tap_result(!strcmp(text, lines[i]), "signal %u is \"%s\"", i, lines[i]);
	}
}

static void test_known(void)
{
	struct vs_as_program res;
	char text[QPU_MAX_TEXT], msg[200];
	u32 i;

	for (i = 0; i < ARRAY_SIZE(known); i++) {
		int len = qpu_disasm_word(known[i].word, text, sizeof(text));

		tap_result(!strcmp(text, known[i].text), "%016llx is \"%s\"%s%s",
			   (unsigned long long)known[i].word, known[i].text,
			   strcmp(text, known[i].text) ? ", not " : "",
			   strcmp(text, known[i].text) ? text : "");
		if (len < 0)
			continue;
		tap_result(qpu_test_assemble(known[i].text, &res, msg, sizeof(msg)) &&
			   res.nwords == 2 &&
			   (res.words[0] | (u64)res.words[1] << 32) == known[i].word,
			   "\"%s\" is %016llx", known[i].text, (unsigned long long)known[i].word);
		vs_as_program_free(&res);
	}
}

/* No byte past the buffer, and the same length for any size. */
static void test_bounds(void)
{
	static const u32 entry;
	struct vs_src src = { .stage = VS_STAGE_FRAGMENT, .entries = &entry, .nentries = 1 };
	char buf[QPU_MAX_TEXT + 2], *text;
	bool ok = true;
	u32 i, size;
	int len;

	for (i = 0; ok && i < 2000; i++) {
		u64 w = qpu_test_word(i);

		batch[2 * i] = (u32)w;
		batch[2 * i + 1] = (u32)(w >> 32);
		len = qpu_disasm_word(w, buf, QPU_MAX_TEXT);
		for (size = 1; ok && len > 0 && size <= (u32)len + 1; size += 3) {
			memset(buf, '#', sizeof(buf));
			ok = qpu_disasm_word(w, buf, size) == len && strlen(buf) == size - 1 &&
			     buf[size] == '#';
		}
	}
	tap_result(ok, "instruction text respects its buffer");
	src.words[VS_SECTION_CODE] = batch;
	src.nwords[VS_SECTION_CODE] = 4000;
	len = qpu_listing(&src, NULL, 0);
	for (size = 1; size < 500; size += 7) {
		text = malloc(size + 1);
		text[size] = '#';
		ok = ok && qpu_listing(&src, text, size) == len && text[size] == '#' &&
		     strlen(text) == size - 1;
		free(text);
	}
	tap_result(ok, "listing respects its buffer");
	tap_result(qpu_disasm(&src, 2000, buf, sizeof(buf)) == -ENOEXEC,
		   "there is no text past the program");
}

static u32 bad_files;

static void corpus_one(const char *name, const u32 *w, u32 n)
{
	char msg[256];

	if (qpu_test_round_trip(w, n, msg, sizeof(msg)))
		return;
	tap_comment("%s: %s", name, msg);
	bad_files++;
}

int main(int argc, char **argv)
{
	u32 n;

	test_seed(7);
	test_known();
	test_signals();
	test_walk();
	test_bounds();
	test_random();
	n = qpu_test_corpus(argc, argv, corpus_one);
	if (n)
		tap_result(!bad_files, "%u code files of the corpus there and back", n);
	else
		tap_skip("no corpus", "code files of the corpus there and back");
	return tap_done();
}
