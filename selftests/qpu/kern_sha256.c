// SPDX-License-Identifier: GPL-2.0
/*
 * SHA-256 of sixteen messages of one block each per QPU, a message per element. The
 * sixteen words of the schedule are ra0..15, the state a..h is rb0..7 and rotates by
 * renaming. FIPS 180-4.
 *
 * Uniforms: address of the messages, of the digests; then 64 round constants and the 8
 * words of the initial state, which are read twice.
 */
#include "kern.h"

#define W(i)	Q_A((i) & 15)
#define A_PTR	Q_A(20)
#define A_UNIF	Q_A(21)
#define B_64	Q_B(10)

static void rotation(struct q_prog *p, unsigned int d, unsigned int a, unsigned int by)
{
	/* Constants from 16 on are negative ones: the low five bits count. */
	q_op(p, Q_ROR, d, a, q_int(by > 15 ? (int)by - 32 : (int)by));
}

static void shift(struct q_prog *p, unsigned int d, unsigned int a, unsigned int by)
{
	q_op(p, Q_SHR, d, a, q_int((int)by));
}

/* r0 = rotations of @a by x, y, and by z (or a shift) xored; r1, r2 change. */
static void sigma(struct q_prog *p, unsigned int a, unsigned int x, unsigned int y,
		  unsigned int z, unsigned int shifted)
{
	q_mov(p, QR2, a);
	rotation(p, QR0, QR2, x);
	rotation(p, QR1, QR2, y);
	if (shifted)
		shift(p, QR2, QR2, z);
	else
		rotation(p, QR2, QR2, z);
	q_op(p, Q_XOR, QR0, QR0, QR1);
	q_op(p, Q_XOR, QR0, QR0, QR2);
}

/* The state's words after @round rounds. */
static unsigned int state(unsigned int round, unsigned int i)
{
	return Q_B((i - round) & 7);
}

static void schedule(struct q_prog *p, unsigned int t)
{
	sigma(p, W(t - 15), 7, 18, 3, 1);
	q_op(p, Q_ADD, W(t), W(t), QR0);
	sigma(p, W(t - 2), 17, 19, 10, 1);
	q_op(p, Q_ADD, W(t), W(t), QR0);
	q_mov(p, QR0, W(t - 7));
	q_op(p, Q_ADD, W(t), W(t), QR0);
}

static void one_round(struct q_prog *p, unsigned int t)
{
#define S(i)	state(t, i)
	if (t >= 16)
		schedule(p, t);
	/* r3 = t1 = h + S1(e) + ch(e, f, g) + k + w */
	sigma(p, S(4), 6, 11, 25, 0);
	q_op(p, Q_ADD, QR3, QR0, S(7));
	q_mov(p, QR0, S(5));
	q_op(p, Q_XOR, QR1, QR0, S(6));
	q_op(p, Q_AND, QR1, QR1, S(4));
	q_op(p, Q_XOR, QR1, QR1, S(6));
	q_op(p, Q_ADD, QR3, QR3, QR1);
	q_op(p, Q_ADD, QR3, QR3, Q_UNIF);
	q_op(p, Q_ADD, QR3, QR3, W(t));
	q_op(p, Q_ADD, S(3), QR3, S(3));
	/* t2 = S0(a) + maj(a, b, c) */
	sigma(p, S(0), 2, 13, 22, 0);
	q_op(p, Q_ADD, QR3, QR3, QR0);
	q_mov(p, QR0, S(0));
	q_op(p, Q_XOR, QR1, QR0, S(1));
	q_op(p, Q_AND, QR0, QR0, S(1));
	q_op(p, Q_AND, QR1, QR1, S(2));
	q_op(p, Q_XOR, QR0, QR0, QR1);
	q_op(p, Q_ADD, S(7), QR3, QR0);
#undef S
}

static void build(struct q_prog *p)
{
	unsigned int i;

	q_op(p, Q_SHL, QR0, Q_ELEM, q_int(2));
	q_op(p, Q_ADD, A_PTR, Q_UNIF, QR0);
	q_ldi(p, B_64, 64);
	for (i = 0; i < 16; i++) {
		q_mov(p, Q_TMU_S(0), A_PTR);
		q_op(p, Q_ADD, A_PTR, A_PTR, B_64);
		Q(p, .sig = Q_WITH(Q_SIG_LDTMU0));
		q_mov(p, W(i), QR4);
	}
	q_mov(p, A_PTR, Q_UNIF);
	q_mov(p, A_UNIF, Q_UNIF);
	q_nop(p);
	q_mov(p, Q_UNIF_ADDR, A_UNIF);
	q_nop(p);
	q_nop(p);
	for (i = 0; i < 8; i++)
		q_mov(p, state(0, i), Q_UNIF);
	for (i = 0; i < 64; i++)
		one_round(p, i);
	q_mov(p, Q_UNIF_ADDR, A_UNIF);
	q_mov(p, QR1, Q_QPU);
	q_ldi(p, QR2, q_vpm_h32(0, 1, 0));
	q_ldi(p, QR3, q_dma_store(0, 1, 16, 1, 0, 0));
	q_op(p, Q_ADD, QR2, QR2, QR1);
	q_op(p, Q_SHL, QR1, QR1, q_int(7));
	q_op(p, Q_ADD, QR3, QR3, QR1);
	for (i = 0; i < 8; i++) {
		q_mov(p, Q_WR_SETUP, QR2);
		q_op(p, Q_ADD, Q_A(48), state(0, i), Q_UNIF);
		q_mov(p, Q_WR_SETUP, QR3);
		q_mov(p, Q_ST_ADDR, A_PTR);
		q_op(p, Q_ADD, A_PTR, A_PTR, B_64);
		q_mov(p, Q_NOWHERE, Q_ST_WAIT);
	}
	q_end(p);
}

/* Fractional parts of roots of the first primes, to 32 bits. */
static const uint32_t initial[8] = {
	0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab,
	0x5be0cd19,
};

static const uint32_t constant[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
	0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
	0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
	0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
	0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
	0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
	0xc67178f2,
};

/* Message @i: its number in letters, padded per the standard; message 0 is "abc". */
static void message(unsigned int i, uint32_t w[16])
{
	unsigned int j;

	for (j = 0; j < 16; j++)
		w[j] = 0;
	if (!i) {
		w[0] = 0x61626380;
		w[15] = 24;
		return;
	}
	for (j = 0; j < 12; j++)
		w[j] = i * 0x9e3779b1u + j * 0x85ebca6bu;
	w[12] = 0x80000000;
	w[15] = 12 * 32;
}

void kern_sha256(struct kern *k, struct kern_sha256 *s)
{
	uint32_t table, u[3], w[16];
	unsigned int i, j;

	kern_begin(k);
	build(&k->p);
	kern_code(k);
	table = kern_alloc(k, 72);
	for (i = 0; i < 8; i++)
		kern_words(k, table)[i] = initial[i];
	for (i = 0; i < 64; i++)
		kern_words(k, table)[8 + i] = constant[i];
	s->message = kern_alloc(k, 256 * s->nqpus);
	s->digest = kern_alloc(k, 128 * s->nqpus);
	for (i = 0; i < 16 * s->nqpus; i++) {
		message(i, w);
		for (j = 0; j < 16; j++)
			kern_words(k, s->message)[i / 16 * 256 + 16 * j + i % 16] = w[j];
	}
	for (i = 0; i < s->nqpus; i++) {
		u[0] = s->message + i * 1024;
		u[1] = s->digest + i * 512;
		u[2] = table;
		kern_thread(k, 0, u, 3);
	}
}

static uint32_t ror(uint32_t x, unsigned int n)
{
	return x >> n | x << (32 - n);
}

/* The standard's own words. */
static void digest(uint32_t m[16], uint32_t h[8])
{
	uint32_t w[64], s[8], t1, t2;
	unsigned int t, i;

	for (t = 0; t < 64; t++)
		w[t] = t < 16 ? m[t] :
		       w[t - 16] + w[t - 7] +
		       (ror(w[t - 15], 7) ^ ror(w[t - 15], 18) ^ w[t - 15] >> 3) +
		       (ror(w[t - 2], 17) ^ ror(w[t - 2], 19) ^ w[t - 2] >> 10);
	for (i = 0; i < 8; i++)
		s[i] = initial[i];
	for (t = 0; t < 64; t++) {
		t1 = s[7] + (ror(s[4], 6) ^ ror(s[4], 11) ^ ror(s[4], 25)) +
		     ((s[4] & s[5]) ^ (~s[4] & s[6])) + constant[t] + w[t];
		t2 = (ror(s[0], 2) ^ ror(s[0], 13) ^ ror(s[0], 22)) +
		     ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
		for (i = 7; i; i--)
			s[i] = s[i - 1] + (i == 4 ? t1 : 0);
		s[0] = t1 + t2;
	}
	for (i = 0; i < 8; i++)
		h[i] = initial[i] + s[i];
}

void kern_sha256_check(struct kern *k, const struct kern_sha256 *s, struct kern_check *c)
{
	static const uint32_t abc[8] = {
		0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223, 0xb00361a3, 0x96177a9c,
		0xb410ff61, 0xf20015ad,
	};
	const uint32_t *out = kern_words(k, s->digest);
	uint32_t w[16], h[8];
	unsigned int i, j;

	c->wrong = 0;
	c->error = 0;
	for (i = 0; i < 16 * s->nqpus; i++) {
		message(i, w);
		digest(w, h);
		for (j = 0; j < 8; j++) {
			c->wrong += out[i / 16 * 128 + 16 * j + i % 16] != h[j];
			c->wrong += !i && h[j] != abc[j];
		}
	}
}
