// SPDX-License-Identifier: MIT
/*
 * Micro-ops of the SIMT machine as text.
 */
#include "uop_print.h"

static const char * const cmp_names[] = { "eq", "gt", "ge", "ne", "lt", "le", "gtlt", "ord" };

static int print_src(const struct simt_prog *p, const struct simt_uop *u, u32 i, char *buf,
		     size_t size)
{
	const char *neg = u->mods & SIMT_NEG(i) ? "-" : "";
	const char *bar = u->mods & SIMT_ABS(i) ? "|" : "";
	u32 n = u->s[i] & ~SIMT_U;

	if (!(u->s[i] & SIMT_U))
		return scnprintf(buf, size, ", %s%ss%u%s", neg, bar, n, bar);
	if (n < p->nunif)
		return scnprintf(buf, size, ", %s%su%u%s", neg, bar, n, bar);
	if (n - p->nunif >= p->nconst)
		return scnprintf(buf, size, ", ?");
	return scnprintf(buf, size, ", %s%s#%08x%s", neg, bar, p->consts[n - p->nunif], bar);
}

static int print_imm(const struct simt_uop *u, char *buf, size_t size)
{
	switch (u->op) {
	case SIMT_FCMP:
	case SIMT_ICMP:
	case SIMT_UCMP:
	case SIMT_FCSEL:
	case SIMT_ICSEL:
	case SIMT_UCSEL:
	case SIMT_HCMP:
		return scnprintf(buf, size, " .%s %x", cmp_names[u->imm & 7], u->imm >> 4);
	case SIMT_BRCMP:
		return scnprintf(buf, size, " .%s%s %x imm %x", u->n & SIMT_BRCMP_NOT ? "!" : "",
				 cmp_names[u->n & 7], u->n >> 3 & 3, u->imm);
	default:
		return u->imm ? scnprintf(buf, size, " imm %x", u->imm) : 0;
	}
}

/**
 * simt_prog_print_uop - one line of text
 * @p: program
 * @n: micro-op
 * @buf: where to
 * @size: room
 *
 * Return: characters written.
 */
int simt_prog_print_uop(const struct simt_prog *p, u32 n, char *buf, size_t size)
{
	const struct simt_uop *u = &p->uops[n];
	const struct simt_opinfo *o = &simt_opinfo[u->op];
	int len;
	u32 i;

	len = scnprintf(buf, size, "%5u %5x  %-8s s%u", n, u->guest, o->name, u->d);
	if (u->op == SIMT_SHADD || u->op == SIMT_EXT || u->op == SIMT_ATOM)
		len += scnprintf(buf + len, size - len, "/s%u", u->d2);
	for (i = 0; i < o->nsrc; i++)
		len += print_src(p, u, i, buf + len, size - len);
	if (SIMT_CLAMP_OF(u->mods))
		len += scnprintf(buf + len, size - len, " clamp %u", SIMT_CLAMP_OF(u->mods));
	return len + print_imm(u, buf + len, size - len);
}
