/* SPDX-License-Identifier: GPL-2.0 */
/* Shared helpers of the tests of QPU text and verification. */
#ifndef SELFTESTS_QPU_TEST_H
#define SELFTESTS_QPU_TEST_H

#include "qpu_disasm.h"
#include "qpu_encode.h"
#include "qpu_lint.h"
#include "qpu_names.h"
#include "isa_test.h"

/* Bits of ALU words, as the guide's tables have them; independent of qpu_encode(). */
#define Q_SIG(v)	((u64)(v) << 60)
#define Q_UNPACK(v)	((u64)(v) << 57)
#define Q_PM		(1ULL << 56)
#define Q_PACK(v)	((u64)(v) << 52)
#define Q_CADD(v)	((u64)(v) << 49)
#define Q_CMUL(v)	((u64)(v) << 46)
#define Q_SF		(1ULL << 45)
#define Q_WS		(1ULL << 44)
#define Q_WADD(v)	((u64)(v) << 38)
#define Q_WMUL(v)	((u64)(v) << 32)
#define Q_OPMUL(v)	((u64)(v) << 29)
#define Q_OPADD(v)	((u64)(v) << 24)
#define Q_RA(v)		((u64)(v) << 18)
#define Q_RB(v)		((u64)(v) << 12)
#define Q_MUX(a, b, c, d) ((u64)(a) << 9 | (b) << 6 | (c) << 3 | (d))
/* Branches. */
#define Q_BCOND(v)	((u64)(v) << 52)
#define Q_REL		(1ULL << 51)
#define Q_REG		(1ULL << 50)
#define Q_BRA(v)	((u64)(v) << 45)
/* Destinations unused. */
#define Q_NODST		(Q_WADD(39) | Q_WMUL(39))
#define Q_NOREAD	(Q_RA(39) | Q_RB(39))

u64 qpu_test_rand(void);
/* A word of one of the forms, random otherwise. */
u64 qpu_test_word(u32 form);

/* Assemble; false with the first message in @msg. To be freed: @res. */
bool qpu_test_assemble(const char *text, struct vs_as_program *res, char *msg, size_t size);
void qpu_test_src(const struct vs_as_program *res, struct vs_src *src);
/* Listing of words, to be freed. */
char *qpu_test_listing(const u32 *words, u32 nwords);
/* Does the listing assemble to the same words? */
bool qpu_test_round_trip(const u32 *words, u32 nwords, char *msg, size_t size);
/* Call @fn for each code file of the external corpus. Return: number of files. */
u32 qpu_test_corpus(int argc, char **argv, void (*fn)(const char *name, const u32 *w, u32 n));

#endif
