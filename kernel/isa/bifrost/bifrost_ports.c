// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Bifrost register block: registers that the four ports read and write.
 *
 * 35 bits: FAU index 8, port 3 6, port 2 6, port 0 5, port 1 6, control 4 (low to high).
 * With two read ports, the order of the fields encodes a bit: if field 0 is larger than
 * field 1, the registers are 63 minus the fields. Control 0: port 1 does not read, and its
 * field holds control, a bit that switches port 0 off, and the upper bit of port 0.
 */
#include "bifrost.h"

#define R	BI_PORT_READ
#define W	BI_PORT_WRITE
#define L	BI_PORT_WRITE_LO
#define H	BI_PORT_WRITE_HI
#define I	BI_PORT_IDLE

/**
 * struct port_mode - operation of ports 2 and 3
 * @valid: the mode exists
 * @op2: enum bi_port_op
 * @op3: enum bi_port_op
 * @fma3: port 3 writes the FMA result
 */
struct port_mode {
	bool valid;
	u8 op2;
	u8 op3;
	bool fma3;
};

/* Modes from 16 on need equal fields of ports 2 and 3, except in the first tuple. */
#define IDLE_FIRST	16
#define IDLE_OTHER	27

static const struct port_mode modes[32] = {
	[1] = { true, R, L, true }, [2] = { true, R, H, true }, [3] = { true, R, W, true },
	[4] = { true, R, L }, [5] = { true, R, H }, [6] = { true, R, W },
	[7] = { true, L, L }, [8] = { true, L, H }, [9] = { true, L, W },
	[10] = { true, H, L }, [11] = { true, H, H }, [12] = { true, H, W },
	[13] = { true, W, L }, [14] = { true, W, H }, [15] = { true, W, W },
	[IDLE_FIRST] = { true, I, I },
	[17] = { true, I, W, true }, [18] = { true, I, L, true }, [19] = { true, I, H, true },
	[20] = { true, R, I },
	[21] = { true, I, W }, [22] = { true, I, L }, [23] = { true, I, H },
	[24] = { true, L, H }, [26] = { true, H, L },
	[IDLE_OTHER] = { true, I, I },
};

#undef R
#undef W
#undef L
#undef H
#undef I

bool bi_ports_decode(u64 regs, bool first, struct bi_ports *p)
{
	u32 f0 = regs >> 20 & 31, f1 = regs >> 25 & 63, control = regs >> 31 & 15;
	const struct port_mode *m;

	memset(p, 0, sizeof(*p));
	p->fau = regs & 0xff;
	p->reg3 = regs >> 8 & 63;
	p->reg2 = regs >> 14 & 63;
	if (!control) {
		control = f1 >> 2;
		p->read0 = !(f1 & 2);
		p->reg0 = (u8)(f0 | (f1 & 1) << 5);
	} else {
		p->read0 = true;
		p->read1 = true;
		p->reg0 = (u8)(f0 <= f1 ? f0 : 63 - f0);
		p->reg1 = (u8)(f0 <= f1 ? f1 : 63 - f1);
	}
	if (first)
		control = (control & 7) | (control & 8) << 1;
	else if (p->reg2 == p->reg3)
		control += 16;
	m = &modes[control];
	p->op2 = m->op2;
	p->op3 = m->op3;
	p->fma3 = m->fma3;
	return m->valid && control != (first ? IDLE_OTHER : IDLE_FIRST);
}

int bi_fau_const(u32 fau)
{
	if (fau < BI_FAU_CONST || fau >= BI_FAU_UNIFORM)
		return -1;
	return fau < 0x40 ? (int)(fau >> 4) + 2 : (int)(fau >> 4) - 4;
}
