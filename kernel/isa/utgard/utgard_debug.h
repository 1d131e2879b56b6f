/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Debugging of Utgard programs: register indices. */
#ifndef UTGARD_DEBUG_H
#define UTGARD_DEBUG_H

#include "utgard_gp.h"
#include "utgard_pp.h"

/* Vertex processor. Results are indexed by unit. */
#define UGP_DBG_REG	0
#define UGP_DBG_ADDR	(UGP_DBG_REG + UGP_NUM_REGS)
#define UGP_DBG_BACK1	(UGP_DBG_ADDR + 4)
#define UGP_DBG_BACK2	(UGP_DBG_BACK1 + UGP_NUM_UNITS)
#define UGP_DBG_PORT0	(UGP_DBG_BACK2 + UGP_NUM_UNITS)
#define UGP_DBG_ATTR	(UGP_DBG_PORT0 + 1)
#define UGP_DBG_OUT	(UGP_DBG_ATTR + UGP_NUM_ATTRIBUTES)
#define UGP_DBG_ROW	(UGP_DBG_OUT + UGP_NUM_VARYINGS)

/* Pixel processor. */
#define UPP_DBG_TEMPS	256	/* maximum visible to debuggers */
#define UPP_DBG_ROWS	256
#define UPP_DBG_REG	0
#define UPP_DBG_VAR	(UPP_DBG_REG + UPP_NUM_REGS)
#define UPP_DBG_COORD	(UPP_DBG_VAR + UPP_NUM_VARYINGS)
#define UPP_DBG_POINT	(UPP_DBG_COORD + 1)
#define UPP_DBG_FACING	(UPP_DBG_POINT + 1)
#define UPP_DBG_TEMP	(UPP_DBG_FACING + 1)
#define UPP_DBG_UNIF	(UPP_DBG_TEMP + UPP_DBG_TEMPS)
#define UPP_DBG_TEX	(UPP_DBG_UNIF + UPP_DBG_ROWS)
#define UPP_DBG_UNI	(UPP_DBG_TEX + 1)
#define UPP_DBG_VMUL	(UPP_DBG_UNI + 1)
#define UPP_DBG_SMUL	(UPP_DBG_VMUL + 1)
#define UPP_DBG_PIXEL	(UPP_DBG_SMUL + 1)
#define UPP_DBG_FRAGMENT (UPP_DBG_PIXEL + 1)

/* Bank of the results of units, starting at register @base. */
#define UGP_BANK_BACK(base, unit, n, text)						\
	{ .first = (base) + (unit), .count = (n), .components = 1, .bits = 32,		\
	  .kind = VS_DEBUG_FLOAT, .flags = VS_DEBUG_BANK_WRITABLE, .name = text }

#endif /* UTGARD_DEBUG_H */
