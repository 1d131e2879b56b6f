// SPDX-License-Identifier: MIT
/*
 * Utgard vertex assembler: operands. An instruction reads one attribute or register through
 * port 0, one register through port 1 and one row of uniforms.
 */
#include "utgard_gp_as.h"

static struct gas_insn *last(struct gas *gas)
{
	return &gas->insns[gas->n - 1];
}

bool gas_result(const char *s, s64 *number)
{
	return *s == '^' && uas_number(s + 1, -2 * UGP_NUM_UNITS,
				       UGP_MAX_INSNS * UGP_NUM_UNITS, number);
}

/* Code of a unit's result, @back instructions ago; -1 if there is none. */
static int result_code(u32 unit, s64 back)
{
	struct ugp_src src;
	u32 code;

	for (code = UGP_SRC_P1_ACC0; code <= UGP_SRC_P2_MUL1; code++) {
		ugp_src(code, false, &src);
		if (src.kind == UGP_KIND_RESULT && src.unit == unit && src.back == back)
			return (int)code;
	}
	return -1;
}

static int numbered(struct gas *gas, const char *s, s64 number, u32 *code)
{
	/* Numbers are as low as -2 * UGP_NUM_UNITS. */
	s64 at = (number + 2 * UGP_NUM_UNITS) / UGP_NUM_UNITS - 2, back = gas->n - 1 - at;
	int found = result_code((u32)(number - at * UGP_NUM_UNITS), back);

	if (found < 0)
		return uas_error(&gas->as, gas->as.line,
				 "%.20s is no result of the last two instructions", s);
	*code = (u32)found;
	return 0;
}

/* prev.a0, prev2.m1 ... */
static int named(const char *s, u32 *code)
{
	static const char * const units[UGP_NUM_UNITS] = { "a0", "a1", "m0", "m1", "p", "c" };
	s64 back = 1;
	int found;
	u32 i;

	if (strncmp(s, "prev", 4))
		return -1;
	s += 4;
	if (*s == '2') {
		back = 2;
		s++;
	}
	for (i = 0; *s == '.' && i < UGP_NUM_UNITS; i++) {
		if (strcmp(s + 1, units[i]))
			continue;
		found = result_code(i, back);
		*code = (u32)found;
		return found < 0 ? -1 : 0;
	}
	return -1;
}

static int use_port0(struct gas *gas, u32 number, bool attribute)
{
	struct gas_insn *g = last(gas);

	if (g->port0 && (g->insn.port0_addr != number || g->insn.port0_attribute != attribute))
		return uas_error(&gas->as, gas->as.line, "port 0 reads %c%u already",
				 g->insn.port0_attribute ? 'a' : '$', g->insn.port0_addr);
	g->port0 = true;
	gas_set(g, UGP_F_port0_addr, number);
	gas_set(g, UGP_F_port0_attribute, attribute);
	return 0;
}

/* Port 1, unless it reads another register already or port 0 is asked for. */
static int reg(struct gas *gas, char *s, u32 comp, u32 *code)
{
	char *colon = strchr(s, ':');
	struct gas_insn *g = last(gas);
	s64 number;

	if (colon)
		*colon = '\0';
	if (!uas_number(s + 1, 0, UGP_NUM_REGS - 1, &number) ||
	    (colon && strcmp(colon + 1, "0")))
		return uas_error(&gas->as, gas->as.line, "not a register: %.20s", s);
	if (colon || (g->port1 && g->insn.port1_addr != number)) {
		*code = UGP_SRC_PORT0 + comp;
		return use_port0(gas, (u32)number, false);
	}
	*code = UGP_SRC_PORT1 + comp;
	g->port1 = true;
	gas_set(g, UGP_F_port1_addr, (u32)number);
	return 0;
}

static bool offset_code(const char *s, u32 *offset)
{
	s64 value;

	if (!strncmp(s, "addr", 4) &&
	    uas_number(s + 4, UGP_OFFSET_ADDR1, UGP_OFFSET_ADDR3, &value)) {
		*offset = (u32)value;
		return true;
	}
	if (!strncmp(s, "unk", 3) && uas_number(s + 3, 0, UGP_OFFSET_NONE - 1, &value)) {
		*offset = (u32)value;
		return true;
	}
	return false;
}

/* t[row] or t[row+addr1] */
static int load(struct gas *gas, char *s, u32 comp, u32 *code)
{
	struct gas_insn *g = last(gas);
	char *end = strchr(s, ']'), *plus = strchr(s, '+');
	u32 offset = UGP_OFFSET_NONE;
	s64 row;

	if (!end || end[1])
		return uas_error(&gas->as, gas->as.line, "t[row] expected: %.20s", s);
	*end = '\0';
	if (plus)
		*plus++ = '\0';
	if (!uas_number(s + 2, 0, 511, &row))
		return uas_error(&gas->as, gas->as.line, "not a row: %.20s", s + 2);
	if (plus && !offset_code(plus, &offset))
		return uas_error(&gas->as, gas->as.line, "no address register: %.20s", plus);
	if (g->load && (g->insn.load_addr != row || g->insn.load_offset != offset))
		return uas_error(&gas->as, gas->as.line,
				 "an instruction loads one row, here %u already",
				 g->insn.load_addr);
	g->load = true;
	gas_set(g, UGP_F_load_addr, (u32)row);
	gas_set(g, UGP_F_load_offset, offset);
	*code = UGP_SRC_LOAD + comp;
	return 0;
}

static int with_component(struct gas *gas, char *s, u32 comp, u32 *code)
{
	s64 number;

	if (*s == '$')
		return reg(gas, s, comp, code);
	if (!strncmp(s, "t[", 2))
		return load(gas, s, comp, code);
	if (!strcmp(s, "^port0")) {
		*code = UGP_SRC_PREV_PORT0 + comp;
		return 0;
	}
	if (*s == 'a' && uas_number(s + 1, 0, UGP_NUM_ATTRIBUTES - 1, &number)) {
		*code = UGP_SRC_PORT0 + comp;
		return use_port0(gas, (u32)number, true);
	}
	return uas_error(&gas->as, gas->as.line, "not an operand: %.40s", s);
}

int gas_src(struct gas *gas, char *s, enum ugp_unit unit, bool b, u32 *code)
{
	bool mul = unit == UGP_MUL0 || unit == UGP_MUL1;
	s64 number;
	int comp;

	if (gas_result(s, &number))
		return numbered(gas, s, number, code);
	if (!strcmp(s, "unused")) {
		*code = UGP_SRC_NONE;
		return 0;
	}
	if (!strncmp(s, "unknown", 7) && uas_number(s + 7, 0, 3, &number)) {
		*code = UGP_SRC_UNKNOWN + (u32)number;
		return 0;
	}
	if (b && !strcmp(s, mul ? "1" : "0")) {
		*code = UGP_SRC_P1_COMPLEX;
		return 0;
	}
	if (!named(s, code)) {
		if (b && *code == UGP_SRC_P1_COMPLEX)
			return uas_error(&gas->as, gas->as.line,
					 "the second operand cannot be a result of complex");
		return 0;
	}
	comp = uas_component(s);
	if (comp < 0)
		return uas_error(&gas->as, gas->as.line, "not an operand: %.40s", s);
	return with_component(gas, s, (u32)comp, code);
}
